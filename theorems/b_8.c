/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_8.c - B-8, the polynomial order of a stack of S attention layers.
 *
 * Statement (Section 2).  With a linear function in place of the softmax, a layer is a cubic function of its
 * input, so a stack of S layers has polynomial order at least 3S.
 *
 * What is wrong.  Degrees multiply under composition, they do not add: without softmax, without skips, a stack
 * is homogeneous of degree 3^S for almost all weights (3, 9, 27; 3S would be 3, 6, 9).  3^S >= 3S, so the
 * bound is right, but far below the order, and only for generic weights: with W_Q = 0 in every layer, all
 * weights of softmax are equal, a layer is the mean of the tokens times W_V W_O, and the stack is linear, of
 * degree 1 < 3S.  Elsewhere a stack with softmax is no polynomial and has no order.
 *
 * How the degree is decided.  Along the ray tX, f(tX) = sum_k t^k f_k(X).  From the values at t = 0 .. D+1,
 * D = 3^S, the inverse of the Vandermonde matrix gives the f_k exactly, over F_p and over Q.  D is an upper
 * bound by construction; f_D != 0 at one point is enough for almost all weights.                         */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/model/stack.h"

enum { MOST_POINTS = 3 * 27 + 2 };

static void no_softmax(shape *sh)
{
    stack_single_head(sh);
    sh->attention = ROWMAP_LINEAR;
}

static long power_of_3(long S)
{
    long D = 1;
    for (long i = 0; i < S; i++) D *= 3;
    return D;
}

/* f_0 .. f_(points-1), a row each: the entries of the stack's output on tX. */
static const mat *coefficients(scope *s, const model *M, const mat *X, long points)
{
    const mat *value[MOST_POINTS], *T[MOST_POINTS];
    for (long t = 0; t < points; t++) {
        const mat *Z = stack_output(s, M, mat_scale(s, t, 0, X)), *row[MOST_POINTS];
        const mat *ratio = mat_from_si(s, 1, 1, (long[]){ t }), *power = mat_ones(s, 1, 1), *powers[MOST_POINTS];
        for (long i = 0; i < Z->rows; i++) row[i] = mat_rows(s, Z, i, 1);
        for (long k = 0; k < points; k++) {
            powers[k] = power;
            power = mat_mul(s, power, ratio);
        }
        value[t] = mat_hcat(s, Z->rows, row);
        T[t] = mat_hcat(s, points, powers);
    }
    return mat_mul(s, mat_inv(s, mat_vcat(s, points, T)), mat_vcat(s, points, value));
}

static void vanish(trial *t, const char *what, const mat *f, long from, long to)
{
    if (from >= to) return;
    scope *s = &t->s;
    claim_equal(t, what, mat_rows(s, f, from, to - from), mat_zero(s, to - from, f->cols));
}

/* Is the degree `D`, the lowest degree `low`? */
static void has_degree(trial *t, bool skips, long D, long low)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    M.s.attn_skip = skips;
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0);
    const mat *f = coefficients(s, &M, X, power_of_3(M.s.L) + 2), *zero = mat_zero(s, 1, f->cols);
    vanish(t, "nothing above the degree", f, D + 1, f->rows);
    vanish(t, "nothing below the lowest degree", f, 0, low);
    claim_differs(t, "the highest part", mat_rows(s, f, D, 1), zero);
    claim_differs(t, "the lowest part", mat_rows(s, f, low, 1), zero);
    claim_decided(t, "3^S >= 3S", power_of_3(M.s.L) >= 3 * M.s.L);
}

/* ---- as stated: weights of lower order ----------------------------------------------------------------- */

/* W_Q = 0 in every layer: uniform weights under softmax, so the stack is linear. */
static void no_query(trial *t)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *Y = mat_draw(s, "Y", M.s.n, M.s.d, 0);
    for (long i = 0; i < M.s.L; i++) M.at[i].Q = mat_zero(s, M.s.d, M.s.d);
    const mat *both = stack_output(s, &M, mat_add(s, X, Y));
    claim_whole(t, "f(X + Y) = f(X) + f(Y)", mat_add(s, stack_output(s, &M, X), stack_output(s, &M, Y)), both);
}

static void generic(trial *t)    { const long D = power_of_3(t->sh.L); has_degree(t, false, D, D); }
static void with_skips(trial *t) { has_degree(t, true, power_of_3(t->sh.L), 1); }
static void added(trial *t)      { has_degree(t, false, 3 * t->sh.L, 3 * t->sh.L); }
static void skip_homog(trial *t) { const long D = power_of_3(t->sh.L); has_degree(t, true, D, D); }
static void skip_added(trial *t) { has_degree(t, true, 3 * t->sh.L, 1); }

static void two_layers_or_more(shape *sh) { no_softmax(sh); if (sh->L < 2) sh->L = 2; }
static void softmax(shape *sh)            { two_layers_or_more(sh); sh->attention = ROWMAP_SOFTMAX; }

static const control of_degree[] = {
    { "3S",        added,      "the degrees are added: $3S$ in place of $3^S$" },
    { "with-skip", skip_homog, "with skips the stack is not homogeneous" },
};
static const control of_skips[] = {
    { "3S-with-skip", skip_added, "the degrees are added: $3S$ in place of $3^S$" },
    { "homogeneous",  skip_homog, "the skips are forgotten: lowest degree $3^S$" },
};
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(2, 2, 1, 2, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(3, 2, 1, 2, MASK_CAUSAL) },
    { .sh = ATTENTION_SHAPE(2, 3, 1, 3, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(4, 5, 1, 3, MASK_CAUSAL) },
};
#define INTERPOLATED .no_minimal = true, \
    EXACT_ONLY("a degree is decided exactly, from interpolated coefficients")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_BESIDE, .run = no_query, .prepare = softmax, .no_minimal = true,
      .quantity = "order", .shown_by = "f(X + Y) = f(X) + f(Y)",
      .own_row_map = true,
      .statement = "with softmax and $W_Q = 0$ a stack of $S \\ge 2$ layers is linear in its input: order $1 < 3S$",
      .basis = "witness: a stack that is linear in its input" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = generic, .prepare = two_layers_or_more, INTERPOLATED,
      .statement = "without softmax and skips, for almost all weights: homogeneous of degree exactly $3^S > 3S$, "
                   "$S \\ge 2$",
      .basis = "exact interpolation; one nonzero top coefficient: almost all weights",
      CONTROLS(of_degree) },
    { .name = "corrected-skip", .kind = PART_IDENTITY, .run = with_skips, .prepare = two_layers_or_more, INTERPOLATED,
      .statement = "with skips: highest degree $3^S$, lowest degree 1",
      .basis = "exact interpolation; one point with nonzero ones: almost all weights",
      CONTROLS(of_skips) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 2", "So, a stack of *S* transformers is a chain of *S* at least cubic functions of the "
      "input, resulting in a function of polynomial order of at least 3*S*." },
};
static const claim B_8 = {
    .id = "B-8", .title = "polynomial order of a stack", .where = "002 Section 2",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "one head; corrected: scores in place of their softmax, generic weights",
    .construction = "$f(tX) = \\sum_k t^kf_k(X)$, the $f_k$ by interpolation at $t = 0, \\dots, 3^S + 1$",
    .why = "Degrees multiply: a cubic function of a cubic function has degree $9$, so without softmax $S$ layers have "
           "$3^S$, which is at least $3S$ as the text says, and for $S \\ge 2$ more ($27$ against $9$ for $S = 3$).  "
           "That is so for almost all weights: $W_Q = 0$ makes every layer with softmax the mean of its tokens times "
           "$W_VW_O$, of degree 1.  With softmax and $W_Q \\ne 0$ a layer is no polynomial, so that it has no "
           "polynomial order.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "B-7",
};
THEOREM_PROGRAM(B_8)
