/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_p3_2_dim.c - K-P3.2-dim, the redundancy of query and key is h dk^2 dimensional.
 *
 * Statement.  (W_Q diag(D_a), W_K diag(D_a)^-T), D_a in GL(dk), is an (h dk^2)-dimensional family of weights
 * with the same function, present in the full model with no simplifying assumptions.
 *
 * How it is decided.  Tangents: (W_Q diag(A_a), -W_K diag(A_a)'), A_a any dk x dk matrices.  (1) They are
 * null vectors of the Jacobian of the whole model, and h dk^2 of them per layer are independent.  (2) With
 * all other weights fixed the nullity in (W_Q, W_K) is h dk^2 per layer and no more: the orbit is all there
 * is, locally.
 *
 * What "no simplifying assumptions" leaves out.  RoPE leaves the dk dimensions per head of the A_a that
 * commute with the rotations, QK-norm (unit gains) the skew A_a, dk(dk-1)/2; grouped heads share A, h_kv
 * dk^2.  LayerNorm adds 2 h dk: the rows of W_Q and W_K along 1 are not read (one less for a head of width
 * d: it reads d - 1 directions).  */
#include "src/claim/shapes.h"
#include "src/methods/rank/dimension_claim.h"

typedef long formula(const shape *sh);                      /* per layer */
static long any(const shape *sh)      { return sh->h * sh->dk * sh->dk; }
static long grouped(const shape *sh)  { return sh->h_kv * sh->dk * sh->dk; }
static long complex_(const shape *sh) { return sh->h * sh->dk; }
static long skew(const shape *sh)     { return sh->h * sh->dk * (sh->dk - 1) / 2; }
static long centred(const shape *sh)  { return any(sh) + 2 * sh->h * sh->dk - (sh->dk == sh->d); }
static long unblocked(const shape *sh){ return sh->d * sh->d; }
static long one_more(const shape *sh) { return any(sh) + 1; }
static long of_space(const shape *sh) { return any(sh) - 1; }

static dimension_of family_of(const trial *t, const char *architecture)
{
    shape sizes = t->sh;
    sizes.h_kv = 0;
    return dimension_family_named(sizes, architecture);
}

/* (2): nothing else moves (W_Q, W_K) */
static void alone(trial *t, const char *architecture, formula *f)
{
    dimension_of what = family_of(t, architecture);
    what.only_query_key = true;
    claim_nullity(t, architecture, &what, what.sh.L * f(&what.sh));
}

/* (1): null vectors of the whole model */
static void within(trial *t, const char *architecture, formula *f)
{
    dimension_of what = family_of(t, architecture);
    what.gauge = GAUGE_QUERY_KEY;
    const dimension D = claim_find(t, &what);
    if (!claim_null(t, architecture, &what, &D)) return;
    claim_minor(t, architecture, D.null && D.gauge == what.sh.L * f(&what.sh));
    claim_minor(t, architecture, D.rank <= D.parameters - D.gauge);
}

static void as_stated(trial *t)
{
    static const char *const list[] = { "all-skip", "attn-skip+tied", "skipless", "all-skip+rms", "parallel" };
    for (size_t k = 0; k < COUNT(list); k++) {
        if ((long)k % 3 == t->number % 3) within(t, list[k], any);        /* three trials share the list */
        alone(t, list[k], any);
    }
    if (t->number % 3 == 2) within(t, "all-skip+moe+gated", any);
}

static bool even_heads(const trial *t) { return t->sh.dk % 2 == 0; }

static void restricted(trial *t)
{
    alone(t, "all-skip+layer-norm", centred);
    alone(t, "all-skip+gqa", grouped);
    alone(t, "all-skip+qk-norm", skew);
    if (even_heads(t)) alone(t, "all-skip+rope", complex_);
}

static void more(trial *t)      { alone(t, "all-skip", one_more); }
static void special(trial *t)   { alone(t, "all-skip", of_space); }
static void full_gl(trial *t)   { alone(t, "all-skip", t->sh.h > 1 ? unblocked : one_more); }
static void normed(trial *t)    { alone(t, "all-skip+qk-norm", any); }

static void rotated(trial *t)
{
    if (even_heads(t)) alone(t, "all-skip+rope", any);
    else scope_not_here(&t->s, REASON_NO_QUESTION, "rotations need heads of even width");
}

static const control wrong[] = {
    { "one-more", more,    "$hd_k^2 + 1$" },
    { "SL",       special, "$hd_k^2 - 1$, as if $\\det D = 1$" },
    { "full-GL",  full_gl, "$d^2$: one $D \\in \\mathrm{GL}(d)$ that mixes the heads; "
                           "$hd_k^2 + 1$ where there is one" },
};
static const control assumed[] = {
    { "rope-any",    rotated, "$hd_k^2$ under RoPE" },
    { "qk-norm-any", normed,  "$hd_k^2$ under QK-norm" },
};
#define FIELD_ONLY .no_minimal = true, RANKS_OVER_FIELD, .basis = BY_A_MINOR, \
    .by_proof = "that its gauge tangents are those of k_p3_2_dim.v, which Coq proves to be null directions"
static const shape_case shapes[] = {
    { .sh = RANK_SHAPE(4, 2, 2) }, { .sh = RANK_SHAPE(3, 1, 2) }, { .sh = RANK_SHAPE(4, 4, 2) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = as_stated, FIELD_ONLY,
      .statement = "per layer $hd_k^2$ independent null directions in the full model, and no more in $(W_Q, W_K)$ "
                   "alone (no LayerNorm, no biases)",
      CONTROLS(wrong) },
    { .name = "as-stated-less", .kind = PART_IDENTITY, .run = restricted, FIELD_ONLY,
      .statement = "under RoPE $hd_k$ ($d_k = 2$), under QK-norm $hd_k(d_k-1)/2$, with grouped heads $h_{kv}d_k^2$, "
                   "under LayerNorm $hd_k^2 + 2hd_k$ (one less for $h = 1$)",
      CONTROLS(assumed) },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 1", "This redundancy is parametrized by a $(h \\cdot d_k^2)$ -dimensional manifold "
      "(one invertible $d_k \\times d_k$ matrix per head), present in the full model with no simplifying "
      "assumptions." },
    { TEXT_003, "Section 3", "This reveals that any block-diagonal transformation can be absorbed without "
      "affecting the output, identifying an $(h \\cdot d_k^2)$ -dimensional family of redundant parameters." },
    { TEXT_000, "Section 1.1", "This redundancy is parametrized by a -dimensional manifold (one invertible "
      "matrix per head), present in the full model with no simplifying assumptions." },
    { TEXT_000, "Section 4.1.2", "That said, the degrees of freedom exposed by the result above are far from "
      "sufficient to guarantee the simplification of" },
};
static const claim K_P3_2_DIM = {
    .id = "K-P3.2-dim", .title = "the invariance is $hd_k^2$ dimensional",
    .where = "003 Proposition 3.2 and Section 1; 000 Sections 1.1 and 4.1.2",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "no RoPE, no QK-norm, no grouped heads; weights in general position",
    .construction = "tangents $(W_Q\\,\\mathrm{diag}(A_a),\\ -W_K\\,\\mathrm{diag}(A_a)^\\top)$",
    .why = "Each head's scores depend on the product $W_Q^aW_K^{a\\top}$ of rank $d_k$: $2dd_k$ numbers stand for "
           "the $2dd_k - d_k^2$ dimensions of such matrices.  To make $W_Q$ the identity takes $d^2$ numbers, and "
           "$hd_k^2$ is one part in $h$ of them: with several heads far from sufficient, as 000 says.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-P3.2",
};
THEOREM_PROGRAM(K_P3_2_DIM)
