/* SPDX-License-Identifier: GPL-3.0-or-later
 * induction.c - models from tables of layers, and what they prove: see induction.h. */
#include "src/claim/check_record.h"
#include "src/claim/induction_layer.h"
#include "src/claim/stream.h"
#include "src/model/stack.h"

enum { FRESH = 1000 };                   /* numbers of layers that stand in no model */

const mat *induction_layer_draw(const layer_site *at, const char *what, long which, long rows, long cols)
{
    return mat_draw_at(at->s, what, at->number ? at->number->is : 0, which, rows, cols, mat_log2_fan_in(rows));
}

/* ---- which layer is what ------------------------------------------------------------------------- */

static long blocks_of(const shape *sh) { return sh->shared && sh->shared < sh->L ? sh->shared : sh->L; }

shape induction_flat(const shape *sh)
{
    shape one = *sh;
    one.L = 1;
    one.shared = 0;
    return one;
}

static long count_of(const induction *how, const shape *sh)
{
    const shape one = induction_flat(sh);
    const long n = how->count ? how->count(&one) : how->nkinds;
    REQUIRE(0 < n && n <= how->nkinds, "%ld kinds of layers of %ld", n, how->nkinds);
    return n;
}

long induction_kind_at(const induction *how, const shape *sh, long i, long j)
{
    const long b = shape_block(sh, i);
    const long k = how->kind_of ? how->kind_of(sh, b) : count_of(how, sh) > 1 && b != shape_block(sh, j);
    REQUIRE(0 <= k && k < count_of(how, sh), "layer %ld of %ld is of kind %ld of %ld", i, sh->L, k, how->nkinds);
    return k;
}

static long chosen_layer(const induction *how, const shape *sh) { return how->which == LAYER_MIDDLE ? sh->L / 2 : 0; }

/* One basis is chosen by one layer at most; an interface by one of its two sides. */
static bool one_master(const shape *sh, const induction *how)
{
    long choosing = 0;
    bool twice = false;
    for (long i = 0; i < sh->L; i++) {
        const layer_kind *kind = &how->kinds[induction_kind_at(how, sh, i, chosen_layer(how, sh))];
        const layer_kind *next =
            i + 1 < sh->L ? &how->kinds[induction_kind_at(how, sh, i + 1, chosen_layer(how, sh))] : NULL;
        choosing += i < blocks_of(sh) && kind->chooses;
        twice |= kind->chooses_out && (!next ? how->last || sh->tied : next->chooses != NULL);
        twice |= kind->chooses_out && how->bases != BASIS_EACH;
    }
    return !twice && (how->bases == BASIS_EACH || choosing <= (how->bases == BASIS_ONE));
}

/* Where fresh bases are orthogonal, no layer may bring another one. */
static bool nobody_chooses(const shape *sh, const induction *how)
{
    for (long k = 0; k < count_of(how, sh); k++)
        if (how->kinds[k].chooses || how->kinds[k].chooses_out) return false;
    return !how->last;
}

bool induction_fits(const shape *sh, const induction *how)
{
    shape deep = *sh;
    bool fits = how->free != FREE_ORTHOGONAL || nobody_chooses(sh, how);
    for (deep.L = sh->shared ? sh->shared : 1; deep.L <= MAX_LAYERS; deep.L++) fits &= one_master(&deep, how);
    return fits;
}

/* ---- one layer --------------------------------------------------------------------------------------- */

layer_site induction_site(scope *s, const shape *sh, long kind, long number)
{
    layer_number *own = scope_alloc(s, sizeof *own);
    own->is = number;
    return (layer_site){ .s = s, .sh = induction_flat(sh), .kind = kind, .number = own };
}

basis induction_any_basis(scope *s, const induction *how, const char *name, long d)
{
    if (how->bases == BASIS_NONE) return gauge_identity(s, d);
    if (how->free == FREE_ORTHOGONAL) return gauge_basis(s, mat_draw_orthogonal(s, name, d));
    return gauge_basis(s, mat_draw_weight(s, name, d, d));
}

/* W as the hypotheses have it; at->in becomes its own choice where it has one. */
static void plant(layer_site *at, const layer_kind *kind, layer *W)
{
    if (kind->plant) kind->plant(at, W);
    if (kind->chooses) at->in = gauge_basis(at->s, kind->chooses(at, W));
}

layer induction_reduced_layer(const layer_site *at, const induction *how, const layer *W)
{
    layer R = how->bases == BASIS_NONE ? *W : gauge_layer(at->s, &at->sh, W, at->in, at->out);
    if (how->kinds[at->kind].reduce) how->kinds[at->kind].reduce(at, W, &R);
    return R;
}

/* ---- whole models -------------------------------------------------------------------------------------- */

static void plant_one_basis(scope *s, model_pair *r, const induction *how, long j)
{
    const shape *sh = &r->M.s;
    const long blocks = blocks_of(sh);
    basis Theta = { 0 };
    for (int pass = 0; pass < 2; pass++) {               /* first the layer that chooses, then the others */
        const char *name = how->free == FREE_ORTHOGONAL ? "Omega" : "Theta";
        if (pass && !Theta.to) Theta = induction_any_basis(s, how, name, sh->d);
        for (long i = 0; i < blocks; i++) {
            const long k = induction_kind_at(how, sh, i, j);
            const layer_kind *kind = &how->kinds[k];
            layer_site at = induction_site(s, sh, k, i);
            const bool its_choice = kind->chooses && how->bases == BASIS_ONE;
            if (its_choice != !pass) continue;
            at.in = Theta;
            if (kind->plant) kind->plant(&at, &r->M.at[i]);
            if (its_choice && !Theta.to) Theta = gauge_basis(s, kind->chooses(&at, &r->M.at[i]));
        }
    }
    for (long i = 0; i <= sh->L; i++) r->at[i] = Theta;
}

static void plant_each_basis(scope *s, model_pair *r, const induction *how, long j)
{
    const shape *sh = &r->M.s;
    const long d = sh->d, L = sh->L;
    for (long i = 0; i < L; i++) {
        const long k = induction_kind_at(how, sh, i, j);
        const layer_kind *kind = &how->kinds[k];
        layer_site at = induction_site(s, sh, k, shape_block(sh, i));
        char name[32];
        snprintf(name, sizeof name, "Theta.%ld", at.number->is);
        if (!kind->chooses)
            at.in = r->at[i].to ? r->at[i]
                  : how->free == FREE_IDENTITY ? gauge_identity(s, d) : induction_any_basis(s, how, name, d);
        plant(&at, kind, &r->M.at[i]);
        r->at[i] = at.in;
        if (kind->chooses_out) r->at[i + 1] = gauge_basis(s, kind->chooses_out(&at, &r->M.at[i]));
    }
    const shape one = induction_flat(sh);
    if (how->last) r->at[L] = gauge_basis(s, how->last(s, &one, r->at[0]));
    else if (sh->tied) r->at[L] = gauge_basis(s, mat_t(s, r->at[0].from));
    else if (!r->at[L].to) r->at[L] = gauge_identity(s, d);
}

/* What is at the two ends of M, without its layers. */
static model ends_of(const model *M)
{
    return (model){ .s = induction_flat(&M->s), .visible = M->visible, .tokens = M->tokens, .E = M->E, .P = M->P,
                    .head = M->head, .gain_f = M->gain_f, .bias_f = M->bias_f };
}

/* Puts these ends around the layers of R; the depth stays. */
static void put_ends(model *R, const model *ends)
{
    const long L = R->s.L, shared = R->s.shared;
    R->s = ends->s;
    R->s.L = L;
    R->s.shared = shared;
    R->tokens = ends->tokens;
    R->E = ends->E;
    R->P = ends->P;
    R->head = ends->head;
    R->gain_f = ends->gain_f;
    R->bias_f = ends->bias_f;
}

/* M and R are ends. */
static void rewrite_ends(scope *s, const model *M, model *R, const induction *how, basis first, basis last)
{
    if (how->reshape) how->reshape(&R->s);
    if (how->bases != BASIS_NONE) {
        R->E = mat_mul(s, M->E, first.to);
        if (M->P) R->P = mat_mul(s, M->P, first.to);
        if (M->head) R->head = mat_mul(s, last.from, M->head);
    }
    if (how->ends) how->ends(s, M, R, first, last);
}

model_pair induction_build(scope *s, const model *drawn, const induction *how, long j)
{
    model_pair r = { .M = *drawn };
    const shape *sh = &r.M.s;
    model ends = ends_of(&r.M);
    if (how->plant_ends) how->plant_ends(s, &ends);
    put_ends(&r.M, &ends);
    if (how->bases == BASIS_EACH) plant_each_basis(s, &r, how, j);
    else                          plant_one_basis(s, &r, how, j);
    for (long i = blocks_of(sh); i < sh->L; i++) r.M.at[i] = r.M.at[shape_block(sh, i)];
    r.R = r.M;
    model rewritten = ends;
    rewrite_ends(s, &ends, &rewritten, how, r.at[0], r.at[sh->L]);
    put_ends(&r.R, &rewritten);
    for (long i = 0; i < sh->L; i++) {
        layer_site at = induction_site(s, sh, induction_kind_at(how, sh, i, j), shape_block(sh, i));
        at.in = r.at[i];
        at.out = r.at[i + 1];
        r.R.at[i] = induction_reduced_layer(&at, how, &r.M.at[i]);
    }
    return r;
}

/* ---- what is claimed -------------------------------------------------------------------------------------- */

static basis interface(scope *s, const induction *how, long number, long d)
{
    char name[32];
    const drawn_by whose = s->draws;
    snprintf(name, sizeof name, INTERFACE_NAME ".%ld", number);
    s->draws = DRAWN_AS_INTERFACE;
    const basis is = induction_any_basis(s, how, name, d);
    s->draws = whose;
    return is;
}

static const mat *first_layer(scope *s, const induction *how, const model *M, const mat *X)
{
    return how->attention_only ? stack_layer(s, M, 0, X) : model_block(s, M, 0, X);
}

/* One layer of kind k, which stands in no model: X in -> block(X) out. */
static void claim_layer(trial *t, const model *around, const induction *how, long k)
{
    scope *s = &t->s;
    const long d = around->s.d;
    layer_site at = induction_site(s, &around->s, k, FRESH + k);
    model M = *around, R;
    M.s = at.sh;
    M.first = at.number->is;
    M.at[0] = model_layer(s, &at.sh, at.number->is);
    const layer_kind *kind = &how->kinds[k];
    if (!kind->chooses) at.in = interface(s, how, 2 * k, d);
    const layer drawn = M.at[0];
    plant(&at, kind, &M.at[0]);
    check_constrained_layer(t, &M.at[0], &drawn);
    at.out = kind->chooses_out ? gauge_basis(s, kind->chooses_out(&at, &M.at[0]))
           : how->bases == BASIS_EACH ? interface(s, how, 2 * k + 1, d) : at.in;
    R = M;
    if (how->reshape) how->reshape(&R.s);
    R.at[0] = induction_reduced_layer(&at, how, &M.at[0]);
    check_replace_model(t, &R);
    const mat *X = mat_draw(s, "X", M.s.n, d, 0);
    const mat *there = first_layer(s, how, &M, X), *here = first_layer(s, how, &R, mat_mul(s, X, at.in.to));
    claim_equal(t, kind->name, mat_mul(s, there, at.out.to), here);
    if (kind->facts) kind->facts(t, &at, &R.at[0]);
}

static void claim_ends(trial *t, const model *whole, const induction *how)
{
    scope *s = &t->s;
    const model ends = ends_of(whole), *M = &ends;
    const long d = M->s.d;
    if (how->bases == BASIS_NONE && !how->ends && !how->reshape) return;               /* nothing is rewritten */
    const basis first = interface(s, how, 2 * how->nkinds, d);
    const basis last = how->bases != BASIS_EACH ? first : how->last ? gauge_basis(s, how->last(s, &M->s, first))
                     : M->s.tied ? gauge_basis(s, mat_t(s, first.from)) : interface(s, how, 2 * how->nkinds + 1, d);
    model R = *M;
    rewrite_ends(s, M, &R, how, first, last);
    check_replace_model(t, &R);
    const mat *X = mat_draw(s, "X", M->s.n, d, 0);
    claim_equal(t, "embedding", mat_mul(s, model_embed(s, M), first.to), model_embed(s, &R));
    claim_equal(t, "head", model_head(s, M, X), model_head(s, &R, mat_mul(s, X, last.to)));
}

static void claim_pair(trial *t, const induction *how, const model_pair *r)
{
    scope *s = &t->s;
    if (!how->attention_only) {
        claim_same_function(t, &r->M, &r->R);
        return;
    }
    model R = r->R;
    check_constrained(t, &r->M);
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].V });
    const mat *X = mat_draw(s, "X", r->M.s.n, r->M.s.d, 0);
    const long before = s->depth;
    const mat *there = stack_output(s, &r->M, X), *here = stack_output(s, &R, X);
    check_whole(t, "stack", before, there, here);
}

void claim_built(trial *t, shape sh, const induction *how)
{
    if (t->stream) {
        claim_streamed(t, sh, how);
        return;
    }
    const drawn_by whose = scope_draws(&t->s, DRAWN_BY_SUITE);
    const model drawn = model_random(&t->s, sh);
    const model_pair r = induction_build(&t->s, &drawn, how, chosen_layer(how, &drawn.s));
    claim_pair(t, how, &r);
    t->s.draws = whose;
}

void claim_chosen_attention(trial *t)
{
    scope *s = &t->s;
    REQUIRE(t->induction, "%s: the part has no table of layers", t->part);
    const drawn_by whose = scope_draws(s, DRAWN_BY_SUITE);
    const model drawn = model_random(s, t->sh);
    const long j = chosen_layer(t->induction, &drawn.s), before = s->depth;
    model_pair r = induction_build(s, &drawn, t->induction, j);
    check_replace_model(t, &r.R);
    const mat *X = mat_draw(s, "X", drawn.s.n, drawn.s.d, 0), *Y = mat_mul(s, X, r.at[j].to);
    claim_equal(t, "self-attention", model_self_attention(s, &r.M, j, X), model_self_attention(s, &r.R, j, Y));
    s->depth = before;
    s->draws = whose;
}

void claim_by_induction(trial *t)
{
    const induction *how = t->induction;
    REQUIRE(how, "%s: the part has no table of layers", t->part);
    if (t->stream) {
        claim_streamed(t, t->sh, how);
        return;
    }
    const drawn_by whose = scope_draws(&t->s, DRAWN_BY_SUITE);
    const model drawn = model_random(&t->s, t->sh);
    const long L = drawn.s.L;
    long pairs = 0;
    const bool in_turn = how->which == LAYER_ANY && L <= 3;                 /* of a deep model the middle one */
    const long start = how->which == LAYER_FIRST ? 0 : in_turn ? 0 : L / 2;
    model_pair r = { 0 };
    for (long j = start; j <= (in_turn ? L - 1 : start); j++) {
        r = induction_build(&t->s, &drawn, how, j);
        claim_pair(t, how, &r);
        pairs++;
    }
    for (long k = 0; k < count_of(how, &drawn.s); k++) claim_layer(t, &r.M, how, k);
    claim_ends(t, &r.M, how);
    t->s.draws = whose;
    /* What functions of the table compared beside these pairs was seen at this depth alone. */
    if (t->s.R->traits & SYMBOLIC && induction_fits(&drawn.s, how)) t->record.inductions += pairs;
}
