/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_28.c - B-28, symmetric scores and the collapse of a stack are compatible.
 *
 * Statement.  A stack of single-head layers with symmetric M_s = B_s B_s' collapses as in B-12, its scores
 * stay symmetric and positive semidefinite, and the family has S N(N+1)/2 + N^2 dimensions.
 *
 * Why.  P M P' = (P B)(P B)' for every P.  And B_s counts up to B_s U, U orthogonal: N^2 - N(N-1)/2 each.
 * One layer of H heads with W_Q = W_K, r = N/H: H (N r - r(r-1)/2) for the scores, 2N^2 - N^2/H for the
 * values.  */
#include "src/claim/shapes.h"
#include "src/methods/rank/stack_family.h"

static const mat *factor(scope *s, const char *name, long layer_index, long n)
{
    return mat_draw_at(s, name, layer_index, -1, n, n, mat_log2_fan_in(n));
}

/* M_s = B_s B_s' (or not symmetric); its collapse is that of the B_s, P_{s-1} B_s. */
static void collapse(trial *t, bool symmetric, bool mirrored_first)
{
    scope *s = &t->s;
    const stack_shape sh = { .S = t->sh.L, .N = t->sh.d, .H = 1, .T = t->sh.n, .form = STACK_PRODUCTS,
                             .attention = t->sh.attention };
    stack A = stack_random(s, sh), B = { .s = sh };
    const mat *P = mat_identity(s, sh.N);
    B.s.form = STACK_MIRRORED;
    for (long i = 0; i < sh.S; i++) {
        const mat *F = factor(s, "B", i, sh.N), *G = symmetric ? F : factor(s, "C", i, sh.N);
        A.at[i].Q = mat_mul(s, F, mat_t(s, G));
        B.at[i].Q = mirrored_first ? mat_mul(s, F, P) : mat_mul(s, P, F);
        P = mat_mul(s, P, A.at[i].O);
    }
    B.W = P;
    claim_reduced(t, 2, (const mat **const[]){ &B.at[sh.S - 1].Q, &B.W });
    const stack R = stack_collapse(s, &A);
    const mat *X = mat_draw(s, "X", sh.T, sh.N, 0);
    claim_whole(t, "symmetric factors P_{s-1} B_s", stack_forward(s, &A, X), stack_forward(s, &B, X));
    const mat *M = R.at[sh.S - 1].Q;
    claim_equal(t, "P M P' is symmetric", M, mat_t(s, M));
}
static void compatible(trial *t) { collapse(t, true, false); }
static void asymmetric(trial *t) { collapse(t, false, false); }
static void wrong_side(trial *t) { collapse(t, true, true); }

static void ranks(trial *t, long error)
{
    const long S = t->sh.L, N = t->sh.d;
    const stack_shape one = { .S = S, .N = N, .H = 1, .T = t->sh.n, .form = STACK_MIRRORED };
    claim_stack_rank(t, "S N(N+1)/2 + N^2", &one, S * N * (N + 1) / 2 + N * N + error);
}
static void dimensions(trial *t) { ranks(t, 0); }
static void one_more(trial *t)   { ranks(t, 1); }
static void gauge_kept(trial *t) { ranks(t, t->sh.L * t->sh.d * (t->sh.d - 1) / 2); }

static void heads(trial *t, long error)
{
    static const long size[][2] = { { 4, 2 }, { 4, 4 }, { 6, 2 }, { 6, 3 } };
    const bool balls = claim_over(t, OVER_BALLS);
    for (long k = 0; k < (long)COUNT(size); k++) {
        if (balls && k % 3 != t->number % 3) continue;       /* in balls each in its turn: they take time */
        const long N = size[k][0], H = size[k][1], r = N / H;
        const stack_shape sh = { .S = 1, .N = N, .H = H, .T = 4, .form = STACK_SHARED };
        claim_stack_rank(t, "heads", &sh, H * (N * r - r * (r - 1) / 2) + 2 * N * N - N * N / H + error);
    }
}
static void of_heads(trial *t)  { heads(t, 0); }
static void heads_off(trial *t) { heads(t, -1); }

static const control of_identity[] = {
    { "asymmetric", asymmetric, "$M_s = B_sC_s^\\top$, not symmetric" },
    { "wrong-side", wrong_side, "$B_sP_{s-1}$ in place of $P_{s-1}B_s$" },
};
static const control of_rank[] = {
    { "one-more", one_more,   "the formula plus 1" },
    { "all-of-B", gauge_kept, "$N^2$ for each $B_s$: the rotations $B_sU$ are counted" },
};
static const control of_many[] = { { "one-less", heads_off, "the formula minus 1" } };
#define FIELD_ONLY .no_minimal = true, .without = "f64 mpfr q sym", \
    .why_without = "ranks over F_p, where exponentials are formal, and in balls", \
    .by_proof = "that its gauge tangents are those of b_28.v, which Coq proves to be null directions", \
    .basis = "a minor not 0 modulo a prime (certain) meets independent gauge tangents"
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(4, 3, 1, 2, MASK_FULL) }, { .sh = ATTENTION_SHAPE(4, 3, 1, 3, MASK_FULL) },
    { .sh = ATTENTION_SHAPE(4, 4, 1, 2, MASK_FULL) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = compatible,
      .statement = "$M_s = B_sB_s^\\top$ collapses to $\\tilde M_s = (P_{s-1}B_s)(P_{s-1}B_s)^\\top$, symmetric "
                   "and positive semidefinite", CONTROLS(of_identity) },
    { .name = "as-stated-dimension", .kind = PART_IDENTITY, .run = dimensions, FIELD_ONLY,
      .statement = "the family has $SN(N+1)/2 + N^2$ dimensions: $21$ and $27$ for $N=3$, $S=2$ and $3$",
      CONTROLS(of_rank) },
    { .name = "as-stated-head", .kind = PART_IDENTITY, .run = of_heads, FIELD_ONLY,
      .statement = "one layer of $H$ heads with $W_Q=W_K$: $H(Nr-r(r-1)/2)+2N^2-N^2/H$, $r=N/H$; $38$ for $N=4$, "
                   "$H=2$",
      CONTROLS(of_many) },
};
static const claim B_28 = {
    .id = "B-28", .title = "symmetric scores and the collapse are compatible",
    .where = "new; joins Bermeitinger et al. Sections 3 and 5",
    .hypotheses = "no skip, no norm, no biases, no mask; one head for the collapse",
    .construction = "$\\tilde B_s = P_{s-1}B_s$, $P_s = O_1\\cdots O_s$",
    .why = "Congruence keeps symmetry and definiteness: $P(BB^\\top)P^\\top = (PB)(PB)^\\top$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "B-12 B-25",
};
THEOREM_PROGRAM(B_28)
