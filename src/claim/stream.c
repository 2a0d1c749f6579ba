/* stream.c - two models a layer at a time: see stream.h. */
#include "src/claim/stream.h"
#include <math.h>
#include "numerics/random.h"
#include "src/base/clock.h"
#include "src/claim/check_record.h"
#include "src/claim/induction_layer.h"

/* The residual streams of both models (X of the original, Z of the reduced one, n x d) in front of layer `next`. */
typedef struct {
    trial *t;
    scope *s;
    const induction *how;
    model  bare;                         /* shape and mask of the original                               */
    long   chosen, next;
    bool   key_left;                     /* the control: the last layer's W_K is not rewritten           */
    const mat *X, *Z;
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
    const comparison with_itself = mat_compare(A, mat_cols(s, A, 0, A->cols), INFINITY);
    return bounds ? with_itself.log2bound : with_itself.log2gap;
}

static void tell(walk *w, long step, double original, double reduced)
{
    const double now = monotonic_seconds();
    if (w->t->stream->after && w->s->R->kind != A_DEG)
        w->t->stream->after(w->t, &w->bare.s, &(stream_step){ step, original, reduced, now - w->told });
    w->told = now;
}

static void tell_streams(walk *w, long step) { tell(w, step, width(w->s, w->X), width(w->s, w->Z)); }

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
    w->X = mat_vcat(s, sh->n, row);
    w->Z = w->how->bases == BASIS_NONE ? w->X : mat_mul(s, w->X, w->first.to);
    if (!sh->no_positions) {
        const mat *P = mat_draw(s, "P", sh->n, sh->d, 0);
        w->X = mat_add(s, w->X, P);
        w->Z = mat_add(s, w->Z, w->how->bases == BASIS_NONE ? P : mat_mul(s, P, w->first.to));
    }
    scope_sweep(s, before, 2, (const mat *[]){ w->X, w->Z });
    tell_streams(w, 0);
}

static bool differ(const mat *A, const mat *B)
{
    return A != B && (A->rows != B->rows || A->cols != B->cols || mat_compare(A, B, -INFINITY).is != HOLDS);
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

/* Draws and rewrites the weights of layer `next`. */
static void build(walk *w, const layer_site *at)
{
    w->M = w->bare;
    w->M.s = at->sh;
    w->M.first = at->number->is;
    w->M.at[0] = model_layer(w->s, &at->sh, at->number->is);
    w->R = w->M;
    w->R.at[0] = induction_reduced_layer(at, w->how, &w->M.at[0]);
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
    w->X = model_block(s, &w->M, 0, w->X);
    scope_sweep(s, before, 1, (const mat *[]){ w->X });
    w->Z = model_block(s, &R, 0, w->Z);
    w->in = at.out;
    did(w, of_blocks(sh));
    tell_streams(w, ++w->next);
}

/* The logits of `cols` tokens of the vocabulary, from `col` on. */
static void head_block(walk *w, const mat *X, const mat *Z, long col, long cols, double *original, double *reduced)
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
    const mat *Y = model_head(s, &M, X), *V = model_head(s, &R, Z);
    claim_whole(w->t, "logits", Y, V);
    if (w->t->stream->logits) w->t->stream->logits(w->t->stream->to, col, Y, V);
    *original = fmax(*original, width(s, Y));
    *reduced = fmax(*reduced, width(s, V));
    if (s->R->traits & HAS_EXP) w->t->record.log2logit = fmax(w->t->record.log2logit, mat_log2max(Y));
}

static void head(walk *w)
{
    scope *s = w->s;
    const shape *sh = &w->bare.s;
    const bool all = w->t->stream->all_positions;
    const mat *X = all ? w->X : mat_rows(s, w->X, sh->n - 1, 1), *Z = all ? w->Z : mat_rows(s, w->Z, sh->n - 1, 1);
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
        scope_sweep(&t->s, repeats(&w) ? w.built : before, 6,
                    (const mat *[]){ w.X, w.Z, w.in.to, w.in.from, w.first.to, w.first.from });
    }
    head(&w);
    if (t->s.R->kind != A_DEG && !w.reduced)
        scope_undecided(&t->s, REASON_INVALID, "the reduced model is the original");
}

void claim_streamed(trial *t, shape sh, const induction *how) { stream(t, sh, how, false); }

static void key_left_alone(trial *t) { stream(t, t->sh, t->induction, true); }
const control stream_control = { "key-left-alone", key_left_alone, "$\\tilde W_K = W_K$ in the last layer" };
