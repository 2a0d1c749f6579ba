/* SPDX-License-Identifier: GPL-3.0-or-later
 * n5.c - N5, how many more neurons replace a linear skip.
 *
 * Statement.  Columns x, W1 (m x h), W2 (h x m), and an activation with phi(y) - phi(-y) = c y, c != 0: ReLU, GELU,
 * SiLU, softplus, LeakyReLU, h-swish.  For every Z (h x h), W2 phi(W1 x) + Z x is V2 phi(V1 x)
 * for some V of width m + 2h - rank W1, hence of width m + h where W1 has rank h.  For ReLU and generic weights, h
 * more neurons are needed where m >= h, and 2h - m where m < h.
 *
 * Construction.  Let K be r = rank W1 independent rows of W1, G (h - r) x h rows with S = (K; G) invertible, and
 * (C | E) = Z S^-1 / c.  Then
 *     V1 = (W1; -K; G; -G),     V2 = (W2 + C at K | -C | E | -E).
 *
 * Why it works.  C (phi(K x) - phi(-K x)) + E (phi(G x) - phi(-G x)) = c C K x + c E G x = Z S^-1 S x =
 * Z x.  Neurons K, -K share one activation, so do G, -G; nothing else is used of phi, whose even part is arbitrary.
 *
 * Least width.  For ReLU, no zero or collinear row in W1 and no zero column in W2, the least number of neurons more
 * is the minimum of
 *     |K| + 2 rank (Z + W2[:,J] W1[J,:] modulo the span of the rows K of W1)     over all sets J, K of neurons:
 * a neuron turned over carries its column of W2 times its row of W1; one with a partner carries any column; two
 * without a kink carry any map of rank one.  It is searched over all J and K, and the decision of
 * src/methods/relu/relu_absorb.c must refuse one neuron less and absorb with as many.  m + h is not enough at
 * rank W1 < h: h = m = 3 with W1 of rank 2 needs 7, and h = 2, m = 1 needs 4.                                   */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/methods/relu/relu.h"
#include "src/methods/relu/relu_certificate.h"
#include "src/methods/relu/relu_turn.h"

enum { NUM = 5, LOG2_DEN = 2 };                                  /* c = 5/4, as LeakyReLU of slope 1/4 */

/* W2 times c psi(rows X), psi(y) - psi(-y) = y, of neuron group `which` */
static const mat *group(scope *s, const mat *W2, const mat *rows, const mat *X, activation act, int which)
{
    const mat *psi = mat_phi(s, mat_mul(s, rows, X), act, (place){ 0, PLACE_MLP, which });
    return mat_mul(s, W2, mat_scale_entries(s, NUM, -LOG2_DEN, psi));
}

/* ReLU: the first two groups, with B for the first, and the skip Z are all of them. */
static void certify_wider(trial *t, const mat *B, const mat *const rows[5], const mat *const cols[5], const mat *Z)
{
    scope *s = &t->s;
    const long n = rows[3] ? 5 : 3;
    const mat *narrow = mat_hcat(s, 2, (const mat *const[]){ B, cols[1] }), *wide = mat_hcat(s, n, cols);
    certify_relu_equal(t, NULL, mat_vcat(s, 2, rows), mat_scale_entries(s, NUM, -LOG2_DEN, narrow), Z,
                       mat_vcat(s, n, rows), mat_scale_entries(s, NUM, -LOG2_DEN, wide), NULL);
}

/* W1 = (K; R K) of rank r, or (K; R) where r = h; `twin` is the sign of the partners' output. */
static void widen(trial *t, long r, activation act, long twin, bool all_of_G)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const int in = mat_log2_fan_in(h), out = mat_log2_fan_in(m);
    const mat *S = mat_draw(s, "S", h, h, in), *K = mat_rows(s, S, 0, r), *X = relu_points(s, h, t->sh.n);
    const mat *R = mat_mul(s, mat_draw(s, "R", m, r, mat_log2_fan_in(r)), K), *Z = mat_draw(s, "Z", h, h, in);
    const mat *B = mat_draw(s, "B", h, r, out), *rest = mat_draw(s, "W2 rest", h, m, out);
    const mat *CE = mat_mul(s, Z, mat_inv(s, mat_scale_entries(s, NUM, -LOG2_DEN, S))), *C = mat_cols(s, CE, 0, r);
    const mat *at_K = mat_add(s, B, C), *of_K = twin < 0 ? mat_neg(s, C) : C, *turned = mat_neg(s, K);
    claim_reduced(t, 3, (const mat **const[]){ &at_K, &of_K, &turned });
    const mat *others = group(s, rest, R, X, act, 1), *left = mat_add(s, group(s, B, K, X, act, 0), others);
    const mat *right = mat_add(s, group(s, at_K, K, X, act, 0), group(s, rest, R, X, act, 1));
    right = mat_add(s, right, group(s, of_K, turned, X, act, 0));
    const mat *rows[] = { K, R, turned, NULL, NULL }, *cols[] = { at_K, rest, of_K, NULL, NULL };
    if (r < h && all_of_G) {
        const mat *G = mat_rows(s, S, r, h - r), *E = mat_cols(s, CE, r, h - r);
        right = mat_add(s, right, group(s, cols[3] = E, rows[3] = G, X, act, 2));
        right = mat_add(s, right, group(s, cols[4] = mat_neg(s, E), rows[4] = mat_neg(s, G), X, act, 2));
    }
    certify_wider(t, B, rows, cols, Z);
    const mat *Ir = mat_identity(s, r), *cKX = mat_mul(s, mat_scale_entries(s, NUM, -LOG2_DEN, K), X);
    const mat *odd = mat_sub(s, group(s, Ir, K, X, act, 0), group(s, Ir, mat_neg(s, K), X, act, 0));
    claim_reduced(t, 1, (const mat **[]){ &cKX });
    claim_equal(t, "phi(y) - phi(-y) = c y", odd, cKX);
    claim_equal(t, "W2 phi(W1 x) + Z x", mat_add(s, left, mat_mul(s, Z, X)), right);
}

/* GELU where there is an exponential, ReLU over q, any such function over F_p and symbolically; then SiLU. */
static void full_rank(trial *t)
{
    widen(t, t->sh.d, ACT_HALF_ODD, -1, true);
    if (claim_over(t, OVER_REALS)) widen(t, t->sh.d, ACT_SILU, -1, true);
}

static void lower_rank(trial *t)  { widen(t, t->sh.d / 2, ACT_HALF_ODD, -1, true); }
static void equal_signs(trial *t) { widen(t, t->sh.d, ACT_HALF_ODD, 1, true); }
static void odd_phi(trial *t)     { widen(t, t->sh.d, ACT_TANH, -1, true); }
static void without_G(trial *t)   { widen(t, t->sh.d / 2, ACT_HALF_ODD, -1, false); }

/* ---- least width, ReLU over Q -------------------------------------------------------------------------- */

static const mat *rows_in(scope *s, const mat *W1, uint64_t set)                     /* below one another; or NULL */
{
    const mat *at[64];
    long n = 0;
    for (long j = 0; j < W1->rows; j++) if (set >> j & 1) at[n++] = mat_rows(s, W1, j, 1);
    return n ? mat_vcat(s, n, at) : NULL;
}

static long searched(scope *s, const mat *W1, const mat *W2, const mat *Z)
{
    const long m = W1->rows, all = 1L << m;
    long least = 2 * W1->cols;
    for (long J = 0; J < all; J++) {
        unsigned char *in_J = scope_alloc(s, (size_t)m);
        for (long j = 0; j < m; j++) in_J[j] = J >> j & 1;
        const mat *M = mat_add(s, Z, mat_mul(s, W2, mat_mul(s, relu_pick(s, m, in_J), W1)));
        for (long K = 0; K < all; K++) {
            const long nK = __builtin_popcountl((unsigned long)K);
            if (K & J || nK >= least) continue;
            const mat *rows = rows_in(s, W1, (uint64_t)K);
            const long known = rows ? mat_rank(s, rows) : 0;
            const long both = mat_rank(s, rows ? mat_vcat(s, 2, (const mat *const[]){ M, rows }) : M);
            if (nK + 2 * (both - known) < least) least = nK + 2 * (both - known);
        }
    }
    return least;
}

static void exactly(trial *t, const mat *W1, const mat *W2, const mat *Z, long more, long off)
{
    scope *s = &t->s;
    claim_decided(t, "as many are enough", relu_absorbable_with(s, W1, W2, Z, more + off) == HOLDS);
    claim_decided(t, "one less is not", relu_absorbable_with(s, W1, W2, Z, more + off - 1) == REFUTED);
}

static void small(shape *sh)
{
    if (sh->d > 3) sh->d = sh->dk = 3;
    if (sh->m > 5) sh->m = 5;
}

static void least_width(trial *t, long off)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const mat *I = mat_identity(s, h), *Z = relu_draw(s, "Z", h, h, 99);
    const mat *thin = mat_mul(s, relu_draw(s, "column", h, 1, 9), relu_draw(s, "row", 1, h, 9));
    const relu_weights w = relu_planted(s, h, m, 0, NULL);
    claim_decided(t, "generic: h, or 2h - m", searched(s, w.W1, w.W2, Z) == (m < h ? 2 * h - m : h));
    const mat *skips[] = { I, Z, thin };
    for (int k = 0; k < 3; k++) exactly(t, w.W1, w.W2, skips[k], searched(s, w.W1, w.W2, skips[k]), off);
    if (m >= h) {
        const relu_weights planted = relu_planted(s, h, m, h, mat_neg(s, Z));
        claim_decided(t, "planted: none", searched(s, planted.W1, planted.W2, Z) == 0);
        exactly(t, planted.W1, planted.W2, Z, 0, off);
    }
    exactly(t, mat_from_si(s, 3, 3, (long[]){ 1, 0, 0, 0, 1, 0, 1, 1, 0 }),                  /* rank 2: 3 + 4 = 7 */
            mat_from_si(s, 3, 3, (long[]){ 1, 0, 2, 0, 1, 1, 1, 1, 3 }), mat_identity(s, 3), 4, off);
    const mat *row = mat_from_si(s, 1, 2, (long[]){ 1, 2 }), *column = mat_from_si(s, 2, 1, (long[]){ 3, 1 });
    exactly(t, row, column, mat_identity(s, 2), 3, off);                                     /* 1 + 3 = 4         */
}

static void exact_width(trial *t) { least_width(t, 0); }
static void one_less(trial *t)    { least_width(t, -1); }
static void one_more(trial *t)    { least_width(t, 1); }

static const control of_full[] = { { "equal-signs", equal_signs, "$+C\\varphi(-Kx)$ instead of $-C\\varphi(-Kx)$" },
                                   { "odd-phi", odd_phi, "$\\tanh(y) - \\tanh(-y)$ is not linear" } };
static const control of_lower[] = { { "m+h-only", without_G, "only rows of $W_1$ get partners, its rank is $< h$" } };
static const control widths[] = { { "one-less", one_less, "one neuron less" },
                                  { "one-more", one_more, "one neuron more is not needed" } };
static const shape_case shapes[] = {
    { .sh = RELU_SHAPE(3, 2, 1, 1) }, { .sh = RELU_SHAPE(3, 2, 4, 1) }, { .sh = RELU_SHAPE(3, 3, 3, 1) },
    { .sh = RELU_SHAPE(3, 3, 5, 1) },
};
#define EVERYWHERE .kind = PART_IDENTITY, .no_large = true
static const part parts[] = {
    { .name = "as-stated", .run = full_rank, EVERYWHERE, .certifies = true,
      CONTROLS(of_full),
      .assumes = "half-odd activation; invertible S",
      .statement = "rank $W_1 = h$, $\\varphi(y) - \\varphi(-y) = cy$: width $m + h$ absorbs every linear skip" },
    { .name = "as-stated-rank", .run = lower_rank, EVERYWHERE, .certifies = true,
      CONTROLS(of_lower),
      .assumes = "half-odd activation; invertible S; d >= 2",
      .statement = "rank $W_1 = r < h$: width $m + 2h - r$ absorbs every linear skip" },
    { .name = "as-stated-least", .run = exact_width, EVERYWHERE, .no_minimal = true, .prepare = small,
      .statement = "ReLU, instances: the least width is the searched minimum, generically $m + h$ ($m \\ge h$) or $2h$ "
                   "($m < h$); $h=m=3$, rank $W_1=2$ needs 7; $h=2$, $m=1$ needs 4",
      .basis = "search over all J, K, and exact decision, instances", CONTROLS(widths),
      .without = "f64 mpfr arb fp sym", .why_without = "existence is decided exactly over the rationals" },
};
static const claim N5 = {
    .id = "N5", .title = "width that absorbs any linear skip", .where = "",
    .hypotheses = "no biases; $\\varphi(y) - \\varphi(-y) = cy$, $c \\ne 0$; $S = (K;G) \\in \\mathrm{GL}(h)$; "
                  "least width: ReLU, generic weights",
    .construction = "$V_1 = (W_1; -K; G; -G)$, $V_2 = (W_2 + C \\text{ at } K \\,|\\, {-C} \\,|\\, E \\,|\\, {-E})$, "
                    "$(C|E) = Z(K;G)^{-1}/c$",
    .why = "A neuron and its partner turned over carry the linear map $C(\\varphi(y) - \\varphi(-y)) = cCy$; "
           "independent rows of $W_1$ have such a neuron already, the others cost two.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-E1-001",
};
THEOREM_PROGRAM(N5)
