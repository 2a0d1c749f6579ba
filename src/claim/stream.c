/* SPDX-License-Identifier: GPL-3.0-or-later
 * stream.c - two models a layer at a time: see stream.h. */
#include "src/claim/stream.h"
#include <math.h>
#include "numerics/random.h"
#include "src/base/clock.h"
#include "src/claim/check_record.h"
#include "src/claim/induction_layer.h"
#include "src/claim/reduce.h"
#include "src/model/block_rows.h"

/* A residual stream, n x d: balls with one error bound for each row, in the norm of its basis, where there are balls
 * and block_rows() knows the block; else a matrix. */
typedef struct { const mat *matrix; row_balls balls; row_norm norm; } flow;

/* The residual streams of both models (X of the original, Z of the reduced one) in front of layer `next`. */
typedef struct {
    trial *t;
    scope *s;
    const induction *how;
    model  bare;                         /* shape and mask of the original                               */
    long   chosen, next;
    bool   key_left;                     /* the control: the last layer's W_K is not rewritten           */
    flow   X, Z;
    model  M, R;                         /* the layer under way, of both                                 */
    const mat *built;                    /* the newest matrix when they were built                       */
    basis  first, in;                    /* in front of layer 0 and of layer `next`                      */
    bool   reduced;                      /* some weight differs from the original's                      */
    double done, work, told;             /* multiply-adds, about; the clock of the last step             */
} walk;

const char *stream_refuses(const shape *sh, const induction *how)
{
    if (how->attention_only) return "the part has no embedding and no head";
    if (how->plant_ends || how->ends || how->reshape) return "the part rewrites embedding and head in a way of its own";
    for (long k = 0; k < how->nkinds; k++)
        if (how->kinds[k].plant || how->kinds[k].chooses_out) return "the part asks for weights of a special form";
    if (sh->norm != NORM_NONE) return "a norm in front of the head sees whole models";
    return NULL;
}

/* ---- how far it is ------------------------------------------------------------------------------------- */

static double of_basis(const shape *sh)  { const double d = (double)sh->d; return 8 * d * d * d; }
static double weights_of(const shape *sh)       { return (double)sh->d * (4 * (double)sh->d + 2 * (double)sh->m); }
static double of_construction(const shape *sh)  { return (double)sh->d * weights_of(sh); }
static double of_blocks(const shape *sh)        /* a layer of both models */
{
    const double d = (double)sh->d, n = (double)sh->n;
    return 2 * n * (weights_of(sh) + 2 * n * d);
}
static double of_head(const walk *w)
{
    const shape *sh = &w->bare.s;
    const double rows = w->t->stream->all_positions ? (double)sh->n : 1;
    return (double)sh->d * (double)sh->V * (2 * rows + (double)sh->d / 4);
}

static double of_all(const walk *w)
{
    const shape *sh = &w->bare.s;
    const double L = (double)sh->L, bases = w->how->bases == BASIS_EACH ? L : 1;
    return bases * of_basis(sh) + L * (of_construction(sh) + of_blocks(sh)) + of_head(w);
}

static void did(walk *w, double work)
{
    w->done += work;
    if (w->t->stream->at && w->s->R->kind != A_DEG) w->t->stream->at(&w->bare.s, fmin(w->done / w->work, 1));
}

/* log2 of the width of A; NaN: its entries have none. */
static double width(scope *s, const mat *A)
{
    const bool bounds = s->R->traits & BOUNDED;
    if (!bounds && !(s->R->traits & RIGOROUS && s->R->traits & HAS_EXP)) return NAN;
    const comparison with_itself = mat_compare_quietly(A, mat_cols(s, A, 0, A->cols), INFINITY);
    return bounds ? with_itself.log2bound : with_itself.log2gap;
}

static void tell(walk *w, long step, double original, double reduced)
{
    const double now = monotonic_seconds();
    if (w->t->stream->after && w->s->R->kind != A_DEG)
        w->t->stream->after(w->t, &w->bare.s, &(stream_step){ step, original, reduced, now - w->told });
    w->told = now;
}

/* ---- streams ---------------------------------------------------------------------------------------------- */

static bool by_rows(const walk *w)
{
    return !w->t->stream->boxes && rows_have(w->s->R) && block_rows_can(&w->bare.s);
}

/* The norm of rows in a basis: that of the original's, approximately. */
static row_norm norm_in(const walk *w, basis b)
{
    return by_rows(w) && w->how->bases != BASIS_NONE ? rows_norm(b.to, b.from) : ROWS_EUCLIDEAN;
}

static flow flow_of(const walk *w, const mat *A, row_norm N)
{
    if (!by_rows(w)) return (flow){ .matrix = A };
    return (flow){ .balls = rows_enclose(w->s, A, N), .norm = N };
}

static flow flow_through(const walk *w, const model *M, flow X, row_norm out)
{
    if (X.matrix) return (flow){ .matrix = model_block(w->s, M, 0, X.matrix) };
    return (flow){ .balls = block_rows(w->s, M, 0, X.balls, X.norm, out), .norm = out };
}

static flow flow_row(scope *s, flow X, long i)
{
    if (X.matrix) return (flow){ .matrix = mat_rows(s, X.matrix, i, 1) };
    return (flow){ .balls = { mat_rows(s, X.balls.centre, i, 1), mat_rows(s, X.balls.error, i, 1) }, .norm = X.norm };
}

static const mat *flow_head(scope *s, const model *M, flow X)
{
    if (X.matrix) return model_head(s, M, X.matrix);
    return rows_times(s, X.balls, X.norm, M->head ? M->head : mat_t(s, M->E));
}

/* The logits of both models.  Where they have one head, and errors are measured alike, it is read once for both. */
static void flow_heads(scope *s, const model *M, flow X, const model *R, flow Z, const mat **Y, const mat **V)
{
    const long n = X.balls.centre ? X.balls.centre->rows : 0;
    if (X.matrix || M->head != R->head || !M->head || X.norm.to != Z.norm.to) {
        *Y = flow_head(s, M, X);
        *V = flow_head(s, R, Z);
        return;
    }
    const row_balls both = { mat_vcat(s, 2, (const mat *[]){ X.balls.centre, Z.balls.centre }),
                             mat_vcat(s, 2, (const mat *[]){ X.balls.error, Z.balls.error }) };
    const mat *logits = rows_times(s, both, X.norm, M->head);
    *Y = mat_rows(s, logits, 0, n);
    *V = mat_rows(s, logits, n, n);
}

static double flow_width(scope *s, flow X)
{
    return width(s, X.matrix ? X.matrix : rows_box(s, X.balls, X.norm));
}

/* What sweeping must keep: both streams, and what else is named. */
static void sweep(walk *w, const mat *since, basis b, basis c)
{
    scope_sweep(w->s, since, 10, (const mat *[]){ w->X.matrix, w->X.balls.centre, w->X.balls.error, w->Z.matrix,
                                                  w->Z.balls.centre, w->Z.balls.error, b.to, b.from, c.to, c.from });
}

static void tell_streams(walk *w, long step)
{
    const mat *before = w->s->first;
    const double original = flow_width(w->s, w->X), reduced = flow_width(w->s, w->Z);
    scope_sweep(w->s, before, 0, NULL);
    tell(w, step, original, reduced);
}

/* ---- bases ------------------------------------------------------------------------------------------------ */

/* The basis that layer i chooses from its own attention. */
static basis chosen_by(walk *w, long i, long kind)
{
    scope *s = w->s;
    const mat *before = s->first;
    layer_site at = induction_site(s, &w->bare.s, kind, shape_block(&w->bare.s, i));
    shape slim = at.sh;
    slim.m = 1;                                          /* an MLP that nobody reads is not drawn */
    const layer W = model_layer(s, &slim, at.number->is);
    const basis b = gauge_basis(s, w->how->kinds[kind].chooses(&at, &W));
    scope_sweep(s, before, 2, (const mat *[]){ b.to, b.from });
    did(w, of_basis(&w->bare.s));
    return b;
}

static long kind_of(const walk *w, long i) { return induction_kind_at(w->how, &w->bare.s, i, w->chosen); }

/* Where there is one basis for all: by the layer that chooses. */
static basis one_basis(walk *w)
{
    const shape *sh = &w->bare.s;
    for (long i = 0; i < sh->L; i++) if (w->how->kinds[kind_of(w, i)].chooses) return chosen_by(w, i, kind_of(w, i));
    return induction_any_basis(w->s, w->how, w->how->free == FREE_ORTHOGONAL ? "Omega" : "Theta", sh->d);
}

/* In front of layer i, or of the head: as plant_each_basis of induction.c has it. */
static basis each_basis(walk *w, long i)
{
    const shape *sh = &w->bare.s, one = induction_flat(sh);
    scope *s = w->s;
    char name[32];
    if (i < sh->L && w->how->kinds[kind_of(w, i)].chooses) return chosen_by(w, i, kind_of(w, i));
    if (i == sh->L && w->how->last) return gauge_basis(s, w->how->last(s, &one, w->first));
    if (i == sh->L && sh->tied) return (basis){ mat_t(s, w->first.from), mat_t(s, w->first.to) };
    if (i == sh->L || w->how->free == FREE_IDENTITY) return gauge_identity(s, sh->d);
    snprintf(name, sizeof name, "Theta.%ld", shape_block(sh, i));
    return induction_any_basis(s, w->how, name, sh->d);
}

static basis basis_at(walk *w, long i)
{
    switch (w->how->bases) {
    case BASIS_EACH: return each_basis(w, i);
    case BASIS_ONE:  return i ? w->first : one_basis(w);
    default:         return i ? w->first : gauge_identity(w->s, w->bare.s.d);
    }
}

/* ---- the steps ---------------------------------------------------------------------------------------------- */

static void embed(walk *w)
{
    scope *s = w->s;
    const shape *sh = &w->bare.s;
    w->first = w->in = basis_at(w, 0);
    const mat *before = s->first;
    const mat **row = scope_alloc(s, (size_t)sh->n * sizeof(void *));
    for (long i = 0; i < sh->n; i++) row[i] = mat_draw_part(s, "E", sh->d, model_token(s, sh, i), 0, 1, sh->d, 0);
    const mat *X = mat_vcat(s, sh->n, row), *Z = w->how->bases == BASIS_NONE ? X : mat_mul(s, X, w->first.to);
    if (!sh->no_positions) {
        const mat *P = mat_draw(s, "P", sh->n, sh->d, 0);
        X = mat_add(s, X, P);
        Z = mat_add(s, Z, w->how->bases == BASIS_NONE ? P : mat_mul(s, P, w->first.to));
    }
    w->X = flow_of(w, X, ROWS_EUCLIDEAN);
    w->Z = flow_of(w, Z, norm_in(w, w->first));
    sweep(w, before, (basis){ 0 }, (basis){ 0 });
    tell_streams(w, 0);
}

static bool differ(const mat *A, const mat *B)
{
    return A != B && (A->rows != B->rows || A->cols != B->cols || mat_compare_quietly(A, B, -INFINITY).is != HOLDS);
}

/* The vacuity check of claim_same_function, and its control `minimal`, in the layer that the trial's key names.  The
 * first matrix that model_weights lists is the embedding, which neither model has here. */
static void inspect(walk *w, model *M, model *R)
{
    const mat **of_M[9 + 3 * MAX_EXPERTS], **of_R[COUNT(of_M)];
    const long n = model_weights(R, of_R, COUNT(of_R)), same = model_weights(M, of_M, COUNT(of_M));
    uint64_t key[2];
    random_key_derive(key, w->s->key, "minimal layer");
    const long nudged = (long)random_below(key, 0, (uint64_t)w->bare.s.L);
    for (long k = 1; k < n && n == same && !w->reduced && w->s->R->kind != A_DEG; k++)
        w->reduced = differ(*of_M[k], *of_R[k]);
    if (w->next == nudged) claim_reduced(w->t, n - 1, of_R + 1);
}

/* Does layer `next` have the weights of the one before it, in both models? */
static bool repeats(const walk *w)
{
    const shape *sh = &w->bare.s;
    return w->how->bases == BASIS_ONE && w->next > 0 && w->next < sh->L &&
           shape_block(sh, w->next) == shape_block(sh, w->next - 1);
}

/* What becomes the identity is not rewritten before. */
static layer rewritten(const layer_site *at, const induction *how, const layer *W)
{
    void (*const reduce)(const layer_site *at, const layer *W, layer *R) = how->kinds[at->kind].reduce;
    layer rest = *W;
    if (reduce == reduce_query_to_identity) rest.Q = NULL;
    if (reduce == reduce_key_to_identity)   rest.K = NULL;
    if (reduce == reduce_value_to_identity) rest.V = NULL;
    return induction_reduced_layer(at, how, &rest);
}

/* Draws and rewrites the weights of layer `next`. */
static void build(walk *w, const layer_site *at)
{
    w->M = w->bare;
    w->M.s = at->sh;
    w->M.first = at->number->is;
    w->M.at[0] = model_layer(w->s, &at->sh, at->number->is);
    w->R = w->M;
    w->R.at[0] = rewritten(at, w->how, &w->M.at[0]);
    w->built = w->s->first;
}

/* One layer of each model. */
static void step(walk *w)
{
    scope *s = w->s;
    const shape *sh = &w->bare.s;
    const long k = kind_of(w, w->next);
    layer_site at = induction_site(s, sh, k, shape_block(sh, w->next));
    at.in = w->in;
    at.out = basis_at(w, w->next + 1);
    if (!repeats(w)) build(w, &at);
    model R = w->R;                                      /* what a control breaks is broken in this layer alone */
    if (w->key_left && w->next == sh->L - 1) R.at[0].K = w->M.at[0].K;
    if (w->how->kinds[k].facts) w->how->kinds[k].facts(w->t, &at, &R.at[0]);
    inspect(w, &w->M, &R);
    did(w, of_construction(sh));
    const mat *before = s->first;
    w->X = flow_through(w, &w->M, w->X, ROWS_EUCLIDEAN);
    sweep(w, before, (basis){ 0 }, (basis){ 0 });
    w->Z = flow_through(w, &R, w->Z, at.out.to == w->in.to ? w->Z.norm : norm_in(w, at.out));
    w->in = at.out;
    did(w, of_blocks(sh));
    tell_streams(w, ++w->next);
}

/* The logits of `cols` tokens of the vocabulary, from `col` on. */
static void head_block(walk *w, flow X, flow Z, long col, long cols, double *original, double *reduced)
{
    scope *s = w->s;
    const shape *sh = &w->bare.s;
    const bool rewritten = w->how->bases != BASIS_NONE, ends_in_identity = w->in.to == w->in.from;
    model M = w->bare, R;
    if (sh->tied) M.E = mat_draw_part(s, "E", sh->d, col, 0, cols, sh->d, 0);
    else          M.head = mat_draw_part(s, "W_LM", sh->V, 0, col, sh->d, cols, mat_log2_fan_in(sh->d));
    R = M;
    if (rewritten && sh->tied) R.E = mat_mul(s, M.E, w->first.to);
    else if (rewritten && !ends_in_identity) R.head = mat_mul(s, w->in.from, M.head);
    const mat *Y, *V;
    flow_heads(s, &M, X, &R, Z, &Y, &V);
    claim_whole(w->t, "logits", Y, V);
    if (w->t->stream->logits) w->t->stream->logits(w->t->stream->to, col, Y, V);
    *original = fmax(*original, width(s, Y));
    *reduced = fmax(*reduced, width(s, V));
    if (s->R->traits & HAS_EXP) w->t->record.log2logit = fmax(w->t->record.log2logit, mat_log2max_quietly(Y));
}

static void head(walk *w)
{
    scope *s = w->s;
    const shape *sh = &w->bare.s;
    const bool all = w->t->stream->all_positions;
    const flow X = all ? w->X : flow_row(s, w->X, sh->n - 1), Z = all ? w->Z : flow_row(s, w->Z, sh->n - 1);
    const mat *before = s->first;
    double original = NAN, reduced = NAN;
    for (long col = 0; col < sh->V; col += STREAM_BLOCK) {
        const long cols = col + STREAM_BLOCK < sh->V ? STREAM_BLOCK : sh->V - col;
        head_block(w, X, Z, col, cols, &original, &reduced);
        scope_sweep(s, before, 0, NULL);
        did(w, of_head(w) * (double)cols / (double)sh->V);
    }
    tell(w, sh->L + 1, original, reduced);
}

static void stream(trial *t, shape sh, const induction *how, bool key_left)
{
    const char *wrong = stream_refuses(&sh, how);
    REQUIRE(t->stream && !wrong, "%s", wrong ? wrong : "no plan of a stream");
    walk w = { .t = t, .s = &t->s, .how = how, .bare = model_bare(&t->s, sh), .key_left = key_left,
               .chosen = how->which == LAYER_FIRST ? 0 : sh.L / 2, .told = monotonic_seconds() };
    w.work = of_all(&w);
    const mat *before = t->s.first;
    embed(&w);
    while (w.next < sh.L) {
        step(&w);
        sweep(&w, repeats(&w) ? w.built : before, w.in, w.first);
    }
    head(&w);
    if (t->s.R->kind != A_DEG && !w.reduced)
        scope_undecided(&t->s, REASON_INVALID, "the reduced model is the original");
}

void claim_streamed(trial *t, shape sh, const induction *how) { stream(t, sh, how, false); }

static void key_left_alone(trial *t) { stream(t, t->sh, t->induction, true); }
const control stream_control = { "key-left-alone", key_left_alone, "$\\tilde W_K = W_K$ in the last layer" };
