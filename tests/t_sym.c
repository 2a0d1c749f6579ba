/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_sym.c - the symbolic arithmetic: every rule must prove what it should and nothing more.
 *
 * Each rule has an identity that must HOLD and neighbours, false for some matrices, that must stay
 * UNDECIDED.  Then the same random expressions are evaluated over sym and over numbers modulo
 * 2^61 - 1, with random matrices for names and hashes for opaque functions, by the small evaluator
 * of tests/support/numbers.h, which shares no code with any backend: whatever sym calls equal must be equal there. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/libraries.h"
#include "numerics/mat.h"
#include "tests/support/numbers.h"

/* ---- a scope per test, and short names ---- */

static arith R;
static scope s;

static void open_scope(void)
{
    R = arith_sym();
    s = scope_open(&R, 1, 2);
}

static void close_scope(void)
{
    scope_close(&s);
    arith_close(&R);
}

enum { N = 7, D = 6, V = 11 };            /* representative sizes: tokens, width, vocabulary */

static const mat *draw(const char *name, long rows, long cols) { return mat_draw(&s, name, rows, cols, 0); }
static const mat *square(const char *name) { return draw(name, D, D); }
static const mat *mul(const mat *A, const mat *B) { return mat_mul(&s, A, B); }
static const mat *add(const mat *A, const mat *B) { return mat_add(&s, A, B); }
static const mat *sub(const mat *A, const mat *B) { return mat_sub(&s, A, B); }
static const mat *inv(const mat *A) { return mat_inv(&s, A); }
static const mat *turn(const mat *A) { return mat_t(&s, A); }

static const mat *scalar(long n, int64_t m, long e)        /* m 2^e times the identity */
{
    int64_t *x = must_calloc((size_t)(n * n), sizeof *x);
    for (long i = 0; i < n; i++) x[i * n + i] = m;
    const mat *A = mat_dyadic(&s, n, n, x, e);
    free(x);
    return A;
}

static const mat *times(int64_t m, long e, const mat *A) { return mul(scalar(A->rows, m, e), A); }

/* E(t,o,l) as a matrix of numbers */
static const mat *selection(long t, long o, long l)
{
    int64_t *x = must_calloc((size_t)(t * l), sizeof *x);
    for (long j = 0; j < l; j++) x[(o + j) * l + j] = 1;
    const mat *A = mat_dyadic(&s, t, l, x, 0);
    free(x);
    return A;
}

static truth equal(const mat *A, const mat *B) { return mat_compare(A, B, 0).is; }

static void holds(int line, const mat *A, const mat *B)
{
    comparison c = mat_compare(A, B, 0);
    ck_assert_msg(s.status == HOLDS, "line %d: the scope is undecided: %s", line, s.why);
    ck_assert_msg(c.is == HOLDS, "line %d: a true identity was not proved", line);
    ck_assert(isinf(c.log2gap) && c.log2gap < 0 && isinf(c.log2bound) && c.log2bound < 0);
}

static void not_proved(int line, const mat *A, const mat *B)
{
    comparison c = mat_compare(A, B, 0);
    ck_assert_msg(s.status == HOLDS, "line %d: the scope is undecided: %s", line, s.why);
    ck_assert_msg(c.is == UNDECIDED, "line %d: a false identity was proved or refuted", line);
    ck_assert(isinf(c.log2gap) && c.log2gap > 0);
}

#define HOLD(A, B) holds(__LINE__, A, B)
#define NOT(A, B)  not_proved(__LINE__, A, B)

/* A has no inverse here; the scope is then usable again. */
static void no_inverse(int line, const mat *A)
{
    ck_assert(s.status == HOLDS);
    mat_inv(&s, A);
    ck_assert_msg(s.status == UNDECIDED, "line %d: an inverse was invented", line);
    s.status = HOLDS;
}

#define NO_INVERSE(A) no_inverse(__LINE__, A)

static const place here = { .layer = 1, .sublayer = PLACE_MLP, .head = 2 };

static const mat *phi(const mat *A) { return mat_phi(&s, A, ACT_OPAQUE, here); }

/* ---- algebra ---- */

START_TEST(names_stand_for_matrices)
{
    HOLD(draw("A", N, D), draw("A", N, D));
    NOT(draw("A", N, D), draw("B", N, D));
    NOT(mat_zero(&s, N, D), draw("A", N, D));
    NOT(mat_cols(&s, draw("A", N, V), 0, D), draw("A", N, D));       /* same name, other shape */
    NOT(draw("A", N, D), mat_draw(&s, "A", N, D, 1));                /* other scale, other numbers */
    scope other = scope_open(&R, 1, 3);
    ck_assert(mat_compare(draw("A", N, D), mat_draw(&other, "A", N, D, 0), 0).is == UNDECIDED);
    scope_close(&other);
}
END_TEST

START_TEST(sums)
{
    const mat *A = draw("A", N, D), *B = draw("B", N, D), *C = draw("C", N, D);
    HOLD(add(A, B), add(B, A));
    HOLD(add(add(A, B), C), add(A, add(C, B)));
    HOLD(sub(add(A, B), B), draw("A", N, D));
    HOLD(sub(A, draw("A", N, D)), mat_zero(&s, N, D));
    HOLD(add(A, draw("A", N, D)), times(2, 0, A));
    HOLD(add(times(3, -2, A), times(1, -2, A)), draw("A", N, D));
    NOT(sub(A, B), sub(B, A));
    NOT(add(A, A), draw("A", N, D));
    NOT(times(1, -1, A), draw("A", N, D));
    NOT(times(-1, 0, A), draw("A", N, D));
}
END_TEST

START_TEST(products)
{
    const mat *A = square("A"), *B = square("B"), *C = square("C"), *X = draw("X", N, D);
    HOLD(mul(mul(A, B), C), mul(A, mul(B, C)));
    HOLD(mul(X, add(A, B)), add(mul(X, B), mul(X, A)));
    HOLD(mul(X, mat_identity(&s, D)), draw("X", N, D));
    HOLD(mul(X, mat_zero(&s, D, V)), mat_zero(&s, N, V));
    HOLD(sub(mul(add(A, B), add(A, B)), add(mul(A, B), mul(B, A))), add(mul(A, A), mul(B, B)));
    NOT(mul(A, B), mul(B, A));
    NOT(mul(A, A), square("A"));
    NOT(mul(add(A, B), add(A, B)), add(mul(A, A), mul(B, B)));
    NOT(mul(add(A, B), sub(A, B)), sub(mul(A, A), mul(B, B)));
}
END_TEST

START_TEST(transposes)
{
    const mat *A = square("A"), *B = square("B"), *X = draw("X", N, D);
    HOLD(turn(turn(X)), draw("X", N, D));
    HOLD(turn(mul(X, A)), mul(turn(A), turn(X)));
    HOLD(turn(add(A, B)), add(turn(A), turn(B)));
    HOLD(turn(phi(turn(X))), turn(phi(turn(draw("X", N, D)))));
    NOT(turn(A), square("A"));
    NOT(turn(mul(A, B)), mul(turn(A), turn(B)));
    NOT(turn(phi(X)), phi(turn(X)));                                 /* phi depends on row and column */
    NOT(mul(X, turn(X)), mul(X, turn(draw("Y", N, D))));
}
END_TEST

START_TEST(inverse_words)
{
    const mat *A = square("A"), *B = square("B"), *I = mat_identity(&s, D);
    HOLD(mul(A, inv(A)), I);
    HOLD(mul(inv(A), A), I);
    HOLD(inv(inv(A)), square("A"));
    HOLD(inv(mul(A, B)), mul(inv(B), inv(A)));
    HOLD(inv(turn(A)), turn(inv(A)));
    HOLD(mul(turn(A), turn(inv(A))), I);
    HOLD(mul(mul(mul(A, B), mul(inv(B), inv(A))), B), square("B"));
    HOLD(inv(times(3, -1, A)), mul(scalar(D, 2, 0), inv(times(3, 0, A))));
    HOLD(inv(times(-1, 0, A)), times(-1, 0, inv(A)));
    HOLD(inv(mat_identity(&s, D)), I);
    NOT(inv(A), turn(A));
    NOT(turn(inv(A)), inv(A));                                       /* (A')^-1 is not A^-1 */
    NOT(mul(turn(A), inv(A)), I);
    NOT(mul(A, turn(inv(A))), I);
    NOT(mul(A, A), I);
    NOT(inv(mul(A, B)), mul(inv(A), inv(B)));
    NOT(mul(mul(A, B), inv(A)), square("B"));
}
END_TEST

START_TEST(what_has_no_inverse_here)
{
    const mat *A = square("A"), *B = square("B"), *X = draw("X", D, V);
    NO_INVERSE(add(A, B));
    NO_INVERSE(add(A, mat_identity(&s, D)));
    NO_INVERSE(mul(X, draw("Y", V, D)));                             /* square, factors are not */
    NO_INVERSE(mul(X, turn(X)));
    NO_INVERSE(mul(A, mul(draw("u", D, 1), turn(draw("v", D, 1)))));
    NO_INVERSE(phi(A));
    NO_INVERSE(mul(A, phi(B)));
    NO_INVERSE(mat_hadamard(&s, A, B));
    NO_INVERSE(mat_rotate(&s, A));
    NO_INVERSE(mat_norm(&s, mat_identity(&s, D), NORM_RADIAL, 0, here));
    NO_INVERSE(mat_zero(&s, D, D));
    NO_INVERSE(mat_ones(&s, D, D));
    NO_INVERSE(mat_nudge(&s, A, 0, 0));
    NO_INVERSE(mat_from_si(&s, 2, 2, (const long[]){ 1, 1, 1, 1 }));
    NO_INVERSE(mat_from_si(&s, 2, 2, (const long[]){ 1, 2, 3, 6 })); /* constants may be singular */
    NO_INVERSE(mul(selection(D, 0, 2), turn(selection(D, 0, 2))));   /* a projector */
    NO_INVERSE(mul(selection(D, 0, 2), turn(selection(D, 1, 2))));
    NO_INVERSE(mat_cols(&s, draw("A", D, V), 0, D));
    HOLD(mul(inv(A), A), mat_identity(&s, D));                       /* the scope still works */
}
END_TEST

START_TEST(orthogonal_names)
{
    const mat *U = square("orthogonal:U"), *A = square("A"), *I = mat_identity(&s, D);
    HOLD(mul(U, turn(U)), I);
    HOLD(mul(turn(U), U), I);
    HOLD(inv(U), turn(U));
    HOLD(inv(turn(U)), square("orthogonal:U"));
    HOLD(turn(inv(mul(U, A))), mul(U, turn(inv(A))));
    NOT(mul(U, U), I);
    NOT(turn(U), square("orthogonal:U"));
    NOT(mul(turn(A), A), I);
    const mat *W = draw("orthogonal:W", D, V);                       /* not square: just a name */
    NOT(mul(W, turn(W)), I);
}
END_TEST

/* ---- constants ---- */

START_TEST(structured_constants)
{
    const mat *X = draw("X", N, D);
    HOLD(mat_ones(&s, N, V), mul(mat_ones(&s, N, 1), mat_ones(&s, 1, V)));
    HOLD(turn(mat_ones(&s, N, V)), mat_ones(&s, V, N));
    HOLD(mat_ones(&s, 1, 1), mat_identity(&s, 1));
    HOLD(add(mat_ones(&s, N, V), mat_ones(&s, N, V)), times(1, 1, mat_ones(&s, N, V)));
    HOLD(scalar(D, 6, -3), scalar(D, 3, -2));
    HOLD(mat_dyadic(&s, 1, 3, (const int64_t[]){ 0, 8, 12 }, -2),
         mat_from_si(&s, 1, 3, (const long[]){ 0, 2, 3 }));
    HOLD(mat_dyadic(&s, 1, 2, (const int64_t[]){ 0, 0 }, 9), mat_zero(&s, 1, 2));
    HOLD(mul(scalar(D, 1, 3), scalar(D, 1, -3)), mat_identity(&s, D));
    HOLD(mat_from_si(&s, 3, 2, (const long[]){ 0, 0, 5, 0, 0, 5 }), times(5, 0, selection(3, 1, 2)));
    HOLD(mat_from_si(&s, 2, 3, (const long[]){ 0, -1, 0, 0, 0, -1 }), turn(times(-1, 0, selection(3, 1, 2))));
    NOT(scalar(D, 6, -3), scalar(D, 3, -3));
    NOT(mat_ones(&s, D, D), mat_identity(&s, D));
    NOT(mat_from_si(&s, 1, 3, (const long[]){ 1, 2, 3 }), mat_from_si(&s, 1, 3, (const long[]){ 1, 2, 4 }));
    NOT(mat_from_si(&s, 1, 3, (const long[]){ 1, 2, 3 }), mat_from_si(&s, 1, 3, (const long[]){ 2, 4, 6 }));
    NOT(mat_from_si(&s, 3, 2, (const long[]){ 0, 1, 1, 0, 0, 0 }), selection(3, 0, 2));
    NOT(mat_from_si(&s, 3, 2, (const long[]){ 0, 0, 1, 0, 0, 2 }), selection(3, 1, 2));
    NOT(mat_from_si(&s, 3, 2, (const long[]){ 0, 0, 1, 0, 1, 1 }), selection(3, 1, 2));
    NOT(mat_from_si(&s, 2, 2, (const long[]){ 1, 0, 0, 2 }), mat_identity(&s, 2));
    NOT(mat_from_si(&s, 2, 2, (const long[]){ 0, 1, 1, 0 }), mat_identity(&s, 2));
    NOT(mul(turn(mat_ones(&s, N, 1)), mat_ones(&s, N, 1)), scalar(1, N, 0));    /* not for all sizes */
    NOT(mul(mat_ones(&s, N, N), X), draw("X", N, D));
}
END_TEST

/* Coefficients that do not fit: the result is known to be itself, no more. */
START_TEST(coefficients_that_overflow)
{
    const mat *A = square("A"), *huge = scalar(D, 1, 62), *tiny = scalar(D, 1, -62);
    HOLD(mul(mul(huge, A), tiny), square("A"));
    HOLD(mul(add(huge, scalar(D, INT64_MAX >> 1, 0)), A), times(INT64_MAX, 0, A));
    NOT(mul(mul(huge, A), scalar(D, 2, 0)), mat_zero(&s, D, D));
    NOT(mul(huge, scalar(D, 2, 0)), times(1, 62, scalar(D, 2, 0)));  /* two unknowns */
    NOT(add(mul(huge, A), mul(huge, A)), mat_zero(&s, D, D));
    NOT(mul(mul(huge, huge), mul(huge, huge)), mat_zero(&s, D, D));  /* 2^248 = 0 modulo 2^64 */
    NOT(mul(mul(tiny, tiny), A), mat_zero(&s, D, D));
    NOT(scalar(D, 1, 63), mat_zero(&s, D, D));
    NOT(scalar(D, 1, 64), mat_zero(&s, D, D));
    NOT(scalar(D, 1, 64), mat_identity(&s, D));
    NOT(scalar(D, 1, -64), scalar(D, 1, -65));
    NOT(scalar(D, 1, 128), mat_identity(&s, D));
    NOT(scalar(D, 1, -128), mat_identity(&s, D));
    NO_INVERSE(add(times(-1, 62, A), times(-1, 62, A)));             /* -2^63 has no negative */
    NOT(scalar(D, INT64_MIN, 0), scalar(D, INT64_MIN, 1));
    NOT(sub(times(INT64_MAX, 0, A), times(-1, 0, A)), times(INT64_MIN, 0, A));
    const mat *u = mul(mul(huge, A), scalar(D, 2, 0));
    HOLD(sub(u, add(u, mat_zero(&s, D, D))), mat_zero(&s, D, D));
    NO_INVERSE(u);
    NOT(phi(u), phi(mul(mul(huge, A), scalar(D, 2, 0))));
}
END_TEST

/* ---- blocks ---- */

START_TEST(ranges)
{
    const mat *E03 = selection(V, 0, 3), *E14 = selection(V, 1, 4), *E25 = selection(V, 2, 5);
    HOLD(mul(turn(E14), selection(V, 1, 4)), mat_identity(&s, 4));
    HOLD(mul(turn(E03), selection(V, 3, 4)), mat_zero(&s, 3, 4));
    HOLD(mul(turn(selection(V, 3, 4)), E03), mat_zero(&s, 4, 3));
    HOLD(mul(turn(E25), selection(V, 3, 2)), selection(5, 1, 2));
    HOLD(mul(turn(selection(V, 3, 2)), E25), turn(selection(5, 1, 2)));
    HOLD(mul(E25, selection(5, 1, 2)), selection(V, 3, 2));
    HOLD(mul(turn(selection(5, 1, 2)), turn(E25)), turn(selection(V, 3, 2)));
    HOLD(mul(turn(E14), mul(E25, selection(5, 0, 2))), selection(4, 1, 2));      /* unlocks an overlap */
    const mat *overlap = mul(turn(E03), E14);                        /* 3 x 4, ones at (1,0), (2,1) */
    NOT(overlap, mat_zero(&s, 3, 4));
    NOT(mul(turn(E03), selection(V, 2, 3)), mat_identity(&s, 3));
    NOT(mul(turn(E03), selection(V, 2, 3)), mat_zero(&s, 3, 3));
    NOT(overlap, turn(selection(4, 0, 3)));
    NOT(overlap, turn(selection(4, 1, 3)));
    NOT(E03, selection(V, 1, 3));
    NOT(mul(E03, turn(E03)), mat_identity(&s, V));
    NOT(mul(turn(E25), selection(V, 3, 2)), selection(5, 3, 2));
    NOT(mul(turn(E25), selection(V, 3, 2)), selection(5, 0, 2));
    NOT(mul(E25, selection(5, 1, 2)), selection(V, 2, 2));
}
END_TEST

START_TEST(blocks_put_together)
{
    const mat *A = draw("A", N, V);
    const mat *part[] = { mat_cols(&s, A, 0, 3), mat_cols(&s, A, 3, 4), mat_cols(&s, A, 7, 4) };
    const mat *swapped[] = { part[0], part[2], part[1] };
    const mat *down[] = { mat_rows(&s, A, 0, 1), mat_rows(&s, A, 1, 2), mat_rows(&s, A, 3, 4) };
    HOLD(mat_hcat(&s, 3, part), draw("A", N, V));
    HOLD(mat_vcat(&s, 3, down), draw("A", N, V));
    HOLD(mat_cols(&s, mat_hcat(&s, 2, part), 0, 3), mat_cols(&s, A, 0, 3));
    HOLD(mat_cols(&s, mat_hcat(&s, 3, swapped), 3, 4), mat_cols(&s, A, 7, 4));
    HOLD(mat_hcat(&s, 2, part), mat_cols(&s, A, 0, 7));              /* part of a partition */
    HOLD(mat_cols(&s, mat_rows(&s, A, 2, 3), 1, 4), mat_rows(&s, mat_cols(&s, A, 1, 4), 2, 3));
    HOLD(turn(mat_cols(&s, A, 1, 4)), mat_rows(&s, turn(A), 1, 4));
    HOLD(mul(square("T"), mat_hcat(&s, 2, (const mat *[]){ draw("P", D, 2), draw("Q", D, 3) })),
         mat_hcat(&s, 2, (const mat *[]){ mul(square("T"), draw("P", D, 2)),
                                          mul(square("T"), draw("Q", D, 3)) }));
    NOT(mat_hcat(&s, 3, swapped), draw("A", N, V));
    NOT(mat_hcat(&s, 3, (const mat *[]){ part[0], part[1], part[1] }), draw("A", N, V));
    NOT(mat_hcat(&s, 3, (const mat *[]){ part[0], part[1], times(2, 0, part[2]) }), draw("A", N, V));
    NOT(mat_hcat(&s, 2, part), mat_cols(&s, A, 1, 7));
    NOT(part[1], part[2]);
    const mat *incomplete[] = { part[0], part[1], mat_zero(&s, N, 4) };
    NOT(mat_hcat(&s, 3, incomplete), draw("A", N, V));
    const mat *B = draw("B", N, V);                                  /* equal ranges, other frames */
    const mat *mixed[] = { part[0], part[1], mat_cols(&s, B, 7, 4) };
    NOT(mat_hcat(&s, 3, mixed), draw("A", N, V));
    NOT(mat_hcat(&s, 3, mixed), draw("B", N, V));
}
END_TEST

/* sum_a c_a A E_a E_a' B: ranges that overlap or leave a gap are no partition */
START_TEST(joining_needs_adjacent_ranges)
{
    const mat *A = draw("A", N, 5), *B = draw("B", 5, D), *AB = mul(A, B), *sum[3];
    long from[3][2] = { { 0, 2 }, { 1, 2 }, { 3, 2 } };
    for (int k = 0; k < 3; k++)
        sum[k] = mul(mat_cols(&s, A, from[k][0], from[k][1]), mat_rows(&s, B, from[k][0], from[k][1]));
    NOT(add(add(sum[0], sum[1]), sum[2]), AB);                       /* columns 0 1, 1 2, 3 4 */
    NOT(add(sum[0], sum[2]), AB);                                    /* column 2 is missing */
    NOT(add(sum[1], sum[2]), AB);
    const mat *gap = mul(mat_cols(&s, A, 2, 1), mat_rows(&s, B, 2, 1));
    HOLD(add(add(sum[0], gap), sum[2]), AB);
    HOLD(add(sum[2], add(gap, sum[0])), mul(draw("A", N, 5), B));
    NOT(add(add(sum[0], times(2, 0, gap)), sum[2]), AB);
    NOT(add(add(sum[0], gap), mul(mat_cols(&s, A, 3, 2), mat_rows(&s, draw("C", 5, D), 3, 2))), AB);
    NOT(add(add(sum[0], gap), mul(mat_cols(&s, draw("C", N, 5), 3, 2), mat_rows(&s, B, 3, 2))), AB);
    NOT(add(add(sum[0], times(1, -1, gap)), sum[2]), AB);
    NOT(add(add(sum[0], times(1, -1, gap)), times(1, -2, sum[2])), times(1, -1, AB));
    NOT(add(times(1, -1, sum[0]), times(1, -2, mul(mat_cols(&s, A, 2, 3), mat_rows(&s, B, 2, 3)))),
        times(1, -1, AB));
    NOT(add(sum[0], mul(mat_cols(&s, A, 1, 3), mat_rows(&s, B, 1, 3))), AB);     /* 2 + 3 columns, not 5 */
    NOT(add(sum[0], sum[2]), mul(mat_cols(&s, A, 0, 4), mat_rows(&s, B, 0, 4)));
    const mat *T = draw("T", 5, 5);                                  /* what is joined reduces further */
    const mat *TT = mat_zero(&s, 5, 5);
    for (long j = 0; j < 5; j++) TT = add(TT, mul(mat_cols(&s, T, j, 1), mat_rows(&s, inv(T), j, 1)));
    HOLD(TT, mat_identity(&s, 5));
}
END_TEST

START_TEST(block_diagonals)
{
    const mat *P = draw("P", 2, 2), *Q = draw("Q", 3, 3), *T = draw("T", 5, 5), *I = mat_identity(&s, 5);
    const mat *pq[] = { P, Q }, *undo[] = { inv(P), inv(Q) }, *turned[] = { turn(P), turn(Q) };
    const mat *B = mat_blockdiag(&s, 2, pq);
    HOLD(mul(B, mat_blockdiag(&s, 2, undo)), I);
    HOLD(inv(B), mat_blockdiag(&s, 2, undo));
    HOLD(mul(inv(B), B), I);
    HOLD(turn(B), mat_blockdiag(&s, 2, turned));
    HOLD(inv(mul(T, B)), mul(inv(B), inv(T)));
    HOLD(mul(inv(mul(mul(T, B), turn(T))), mul(mul(T, B), turn(T))), I);
    HOLD(inv(mat_blockdiag(&s, 2, (const mat *[]){ times(2, 0, P), Q })),
         mat_blockdiag(&s, 2, (const mat *[]){ times(1, -1, inv(P)), inv(Q) }));
    HOLD(mat_cols(&s, mat_rows(&s, inv(B), 2, 3), 2, 3), inv(Q));
    HOLD(inv(mat_blockdiag(&s, 2, (const mat *[]){ mat_identity(&s, 2), Q })),
         mat_blockdiag(&s, 2, (const mat *[]){ mat_identity(&s, 2), inv(Q) }));
    NOT(mul(B, mat_blockdiag(&s, 2, (const mat *[]){ inv(P), turn(inv(Q)) })), I);
    NOT(mul(B, mat_blockdiag(&s, 2, (const mat *[]){ inv(P), Q })), I);
    NOT(inv(B), turn(mat_blockdiag(&s, 2, undo)));
    NO_INVERSE(mat_blockdiag(&s, 2, (const mat *[]){ P, mat_zero(&s, 3, 3) }));
    NO_INVERSE(mat_blockdiag(&s, 2, (const mat *[]){ P, phi(Q) }));
    NO_INVERSE(mat_blockdiag(&s, 2, (const mat *[]){ P, add(Q, turn(Q)) }));
    NO_INVERSE(add(mat_blockdiag(&s, 2, (const mat *[]){ P, mat_zero(&s, 3, 3) }), T));
    NO_INVERSE(mat_blockdiag(&s, 2, (const mat *[]){ draw("Z", 2, 3), draw("Y", 3, 2) }));
    const mat *upper = mat_hcat(&s, 2, (const mat *[]){ mat_zero(&s, 2, 2), draw("Z", 2, 3) });
    NO_INVERSE(add(B, mat_vcat(&s, 2, (const mat *[]){ upper, mat_zero(&s, 3, 5) })));
    const mat *left[] = { P, mat_zero(&s, 2, 2) };                   /* only one block row is filled */
    NO_INVERSE(mat_hcat(&s, 2, (const mat *[]){ mat_vcat(&s, 2, left), mat_zero(&s, 4, 2) }));
    const mat *both_left = mat_vcat(&s, 2, (const mat *[]){ P, draw("P2", 2, 2) });
    NO_INVERSE(mat_hcat(&s, 2, (const mat *[]){ both_left, mat_zero(&s, 4, 2) }));
    const mat *E02 = selection(4, 0, 2), *E12 = selection(4, 1, 2);  /* blocks overlap, row 3 is zero */
    NO_INVERSE(add(mul(mul(E02, P), turn(E02)), mul(mul(E12, P), turn(E12))));
    const mat *half = mat_hcat(&s, 2, (const mat *[]){ P, draw("P2", 2, 2) });   /* rank 2 of 4 */
    NO_INVERSE(mat_vcat(&s, 2, (const mat *[]){ half, mat_zero(&s, 2, 4) }));
    const mat *U = draw("U", 4, 4), *W = draw("W", 4, 4), *F = selection(4, 0, 2), *G = selection(4, 2, 2);
    const mat *top = mul(F, turn(F)), *low = mul(G, turn(G));
    HOLD(inv(add(mul(mul(U, times(2, 0, top)), W), mul(mul(U, low), W))),
         mul(mul(inv(W), add(times(1, -1, top), low)), inv(U)));
    NO_INVERSE(add(mul(mul(U, times(2, 0, top)), W), mul(mul(W, low), W)));      /* other left factor */
    NO_INVERSE(add(mul(mul(U, times(2, 0, top)), W), mul(mul(U, low), U)));      /* other right factor */
}
END_TEST

START_TEST(ones_and_blocks)
{
    const mat *one_v = mat_ones(&s, V, 1);
    HOLD(mat_rows(&s, one_v, 2, 4), mat_ones(&s, 4, 1));
    HOLD(mat_rows(&s, one_v, 2, 1), mat_identity(&s, 1));
    HOLD(mat_cols(&s, mat_ones(&s, N, V), 2, 4), mat_ones(&s, N, 4));
    HOLD(mat_cols(&s, mat_ones(&s, N, V), 2, 1), mat_ones(&s, N, 1));
    NOT(mul(selection(V, 0, 4), mat_ones(&s, 4, 1)), one_v);
    NOT(mul(turn(draw("A", V, 4)), one_v), mat_ones(&s, 4, 1));
}
END_TEST

/* ---- opaque functions ---- */

START_TEST(activations)
{
    const mat *X = draw("X", N, D), *A = square("A");
    const place layer = { 0, PLACE_MLP, 2 }, sublayer = { 1, PLACE_GATE, 2 }, head = { 1, PLACE_MLP, 1 };
    HOLD(phi(X), phi(draw("X", N, D)));
    HOLD(phi(mul(mul(X, A), inv(A))), phi(X));
    HOLD(mat_phi(&s, X, ACT_IDENTITY, here), draw("X", N, D));
    NOT(phi(X), mat_phi(&s, X, ACT_OPAQUE, layer));
    NOT(phi(X), mat_phi(&s, X, ACT_OPAQUE, sublayer));
    NOT(phi(X), mat_phi(&s, X, ACT_OPAQUE, head));
    NOT(phi(X), mat_phi(&s, X, ACT_GELU, here));
    NOT(phi(X), phi(times(2, 0, X)));
    NOT(phi(X), draw("X", N, D));
    NOT(phi(mul(X, A)), mul(phi(X), A));
    NOT(phi(add(X, X)), add(phi(X), phi(X)));
    NOT(mat_cols(&s, phi(X), 0, 2), phi(mat_cols(&s, X, 0, 2)));
    NOT(phi(mat_identity(&s, 2)), mat_cols(&s, mat_rows(&s, phi(mat_identity(&s, 3)), 0, 2), 0, 2));
    NOT(mat_phi(&s, times(-1, 0, X), ACT_TANH, here), times(-1, 0, mat_phi(&s, X, ACT_TANH, here)));
}
END_TEST

static const mat *half_odd(const mat *A) { return mat_phi(&s, A, ACT_HALF_ODD, here); }

START_TEST(half_odd_activation)
{
    const mat *X = draw("X", N, D), *Y = draw("Y", N, D), *minus = times(-1, 0, X);
    HOLD(sub(half_odd(X), half_odd(minus)), draw("X", N, D));
    HOLD(sub(half_odd(sub(X, Y)), half_odd(sub(Y, X))), sub(X, Y));
    HOLD(sub(half_odd(sub(Y, X)), half_odd(sub(X, Y))), sub(Y, X));
    NOT(half_odd(X), half_odd(minus));
    NOT(sub(half_odd(X), half_odd(minus)), times(2, 0, X));
    NOT(sub(half_odd(X), mat_phi(&s, minus, ACT_HALF_ODD, (place){ 3, PLACE_MLP, 2 })), draw("X", N, D));
    NOT(sub(half_odd(add(X, Y)), half_odd(sub(X, Y))), draw("Y", N, D));
    NOT(half_odd(X), phi(X));
    NOT(half_odd(X), times(1, -1, X));
    HOLD(sub(half_odd(mat_zero(&s, N, D)), half_odd(times(-1, 0, mat_zero(&s, N, D)))), mat_zero(&s, N, D));
    NOT(half_odd(mat_zero(&s, N, D)), mat_zero(&s, N, D));
}
END_TEST

static const mat *weights(const mat *A, rowmap_kind kind, const unsigned char *visible)
{
    return mat_rowmap(&s, A, &(rowmap){ kind, visible, 1, 1 }, here);
}

START_TEST(row_maps)
{
    const unsigned char causal[9] = { 1, 0, 0, 1, 1, 0, 1, 1, 1 }, other[9] = { 1, 0, 0, 1, 1, 0, 1, 1, 0 },
                        all[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    const mat *X = draw("X", 3, 3), *A = draw("A", 3, 3);
    const rowmap sixth = { ROWMAP_OPAQUE, NULL, 1, 6 }, third = { ROWMAP_OPAQUE, NULL, 1, 3 },
                 two_sixths = { ROWMAP_OPAQUE, NULL, 2, 6 }, scaled = { ROWMAP_LINEAR, NULL, 1, 6 },
                 cancelled = { ROWMAP_LINEAR, all, 6, 6 };
    HOLD(weights(mul(mul(X, A), inv(A)), ROWMAP_OPAQUE, causal), weights(X, ROWMAP_OPAQUE, causal));
    HOLD(weights(X, ROWMAP_OPAQUE, all), weights(X, ROWMAP_OPAQUE, NULL));
    HOLD(weights(X, ROWMAP_LINEAR, NULL), draw("X", 3, 3));
    HOLD(mat_rowmap(&s, X, &cancelled, here), draw("X", 3, 3));
    HOLD(mat_rowmap(&s, X, &third, here), mat_rowmap(&s, X, &two_sixths, here));
    NOT(mat_rowmap(&s, X, &third, here), mat_rowmap(&s, X, &sixth, here));
    NOT(mat_rowmap(&s, X, &scaled, here), draw("X", 3, 3));
    NOT(weights(X, ROWMAP_LINEAR, causal), draw("X", 3, 3));
    NOT(weights(X, ROWMAP_LINEAR, causal), weights(X, ROWMAP_LINEAR, other));
    NOT(weights(X, ROWMAP_OPAQUE, causal), weights(X, ROWMAP_OPAQUE, other));
    NOT(weights(X, ROWMAP_OPAQUE, causal), weights(X, ROWMAP_OPAQUE, NULL));
    NOT(weights(X, ROWMAP_OPAQUE, causal), weights(X, ROWMAP_SOFTMAX, causal));
    NOT(weights(X, ROWMAP_OPAQUE, causal), weights(turn(X), ROWMAP_OPAQUE, causal));
    NOT(weights(X, ROWMAP_OPAQUE, NULL),
        mat_rowmap(&s, X, &(rowmap){ ROWMAP_OPAQUE, NULL, 1, 1 }, (place){ 1, PLACE_MLP, 3 }));
}
END_TEST

START_TEST(shift_invariant_row_maps)
{
    const unsigned char causal[9] = { 1, 0, 0, 1, 1, 0, 1, 1, 1 }, hidden[9] = { 0, 0, 0, 1, 1, 0, 1, 1, 1 };
    const mat *X = draw("X", 3, 3), *u = draw("u", 3, 1), *one_3 = mat_ones(&s, 3, 1);
    const mat *rows = mul(u, turn(one_3)), *columns = mul(one_3, turn(u));
    for (int k = 0; k < 2; k++) {
        rowmap_kind kind = k ? ROWMAP_STOCHASTIC : ROWMAP_SHIFT;
        HOLD(weights(add(X, rows), kind, causal), weights(X, kind, causal));
        HOLD(weights(sub(X, mat_ones(&s, 3, 3)), kind, NULL), weights(X, kind, NULL));
        NOT(weights(add(X, columns), kind, causal), weights(X, kind, causal));
        NOT(weights(times(2, 0, X), kind, causal), weights(X, kind, causal));
    }
    NOT(weights(add(X, rows), ROWMAP_OPAQUE, causal), weights(X, ROWMAP_OPAQUE, causal));
    NOT(weights(add(X, rows), ROWMAP_SOFTMAX, causal), weights(X, ROWMAP_SOFTMAX, causal));
    NOT(weights(add(X, rows), ROWMAP_LINEAR, causal), weights(X, ROWMAP_LINEAR, causal));
    const mat *S = weights(X, ROWMAP_STOCHASTIC, causal), *T = weights(turn(X), ROWMAP_STOCHASTIC, NULL);
    HOLD(mul(S, one_3), mat_ones(&s, 3, 1));
    HOLD(mul(mul(S, T), columns), mul(one_3, turn(u)));
    HOLD(mul(turn(one_3), turn(S)), mat_ones(&s, 1, 3));
    HOLD(mul(weights(draw("Y", 1, 3), ROWMAP_STOCHASTIC, NULL), one_3), mat_identity(&s, 1));
    NOT(mul(turn(S), one_3), mat_ones(&s, 3, 1));
    NOT(mul(turn(one_3), S), mat_ones(&s, 1, 3));
    NOT(mul(weights(X, ROWMAP_SHIFT, causal), one_3), mat_ones(&s, 3, 1));
    NOT(mul(weights(X, ROWMAP_OPAQUE, causal), one_3), mat_ones(&s, 3, 1));
    NOT(mul(weights(X, ROWMAP_STOCHASTIC, hidden), one_3), mat_ones(&s, 3, 1));  /* row 0 sees nothing */
}
END_TEST

static const mat *radial(const mat *A) { return mat_norm(&s, A, NORM_RADIAL, -10, here); }

START_TEST(norms_of_rows)
{
    const mat *X = draw("X", N, D), *A = square("A"), *U = square("orthogonal:U");
    HOLD(mat_norm(&s, mul(mul(X, A), inv(A)), NORM_LAYER, -10, here), mat_norm(&s, X, NORM_LAYER, -10, here));
    NOT(mat_norm(&s, X, NORM_LAYER, -10, here), mat_norm(&s, X, NORM_LAYER, -11, here));
    NOT(mat_norm(&s, X, NORM_LAYER, -10, here), mat_norm(&s, X, NORM_RMS, -10, here));
    NOT(mat_norm(&s, X, NORM_LAYER, -10, here), mat_norm(&s, X, NORM_LAYER, -10, (place){ 0, PLACE_MLP, 2 }));
    NOT(mat_norm(&s, mul(X, U), NORM_LAYER, -10, here), mul(mat_norm(&s, X, NORM_LAYER, -10, here), U));
    HOLD(radial(mul(X, U)), mul(radial(X), U));
    HOLD(radial(mul(mul(X, U), turn(U))), radial(X));
    HOLD(radial(times(-1, 0, X)), times(-1, 0, radial(X)));
    NOT(radial(mul(X, A)), mul(radial(X), A));
    NOT(radial(X), mat_norm(&s, X, NORM_RADIAL, -11, here));
    NOT(radial(X), mat_norm(&s, X, NORM_RADIAL, -10, (place){ 0, PLACE_MLP, 2 }));
    NOT(radial(X), draw("X", N, D));
    NOT(radial(times(2, 0, X)), times(2, 0, radial(X)));
    NOT(radial(add(X, X)), radial(X));
}
END_TEST

START_TEST(rotations_and_entrywise_products)
{
    const mat *X = draw("X", N, D), *Y = draw("Y", N, D), *A = square("A"), *three = mat_ones(&s, N, D);
    HOLD(mat_rotate(&s, mul(mul(X, A), inv(A))), mat_rotate(&s, X));
    NOT(mat_rotate(&s, mul(X, A)), mul(mat_rotate(&s, X), A));
    NOT(mat_rotate(&s, X), draw("X", N, D));
    HOLD(mat_hadamard(&s, X, Y), mat_hadamard(&s, Y, X));
    HOLD(mat_hadamard(&s, X, mat_zero(&s, N, D)), mat_zero(&s, N, D));
    HOLD(mat_hadamard(&s, mat_zero(&s, N, D), X), mat_zero(&s, N, D));
    HOLD(mat_hadamard(&s, X, times(3, 0, three)), times(3, 0, X));
    HOLD(mat_hadamard(&s, times(3, -1, three), X), times(3, -1, X));
    HOLD(mat_hadamard(&s, draw("u", N, 1), mat_ones(&s, N, 1)), draw("u", N, 1));
    HOLD(mat_hadamard(&s, draw("v", 1, N), mat_ones(&s, 1, N)), draw("v", 1, N));
    NOT(mat_hadamard(&s, A, mat_identity(&s, D)), square("A"));      /* I is not the unit of this product */
    NOT(mat_hadamard(&s, X, X), draw("X", N, D));
    NOT(mat_hadamard(&s, X, Y), mat_hadamard(&s, X, X));
    NOT(mat_hadamard(&s, X, mul(mat_ones(&s, N, 1), draw("v", 1, D))), draw("X", N, D));
    NOT(mat_nudge(&s, X, 0, 0), draw("X", N, D));
    NOT(mat_nudge(&s, X, 0, 0), mat_nudge(&s, X, 0, 1));
    NOT(mat_nudge(&s, draw("x", 1, 1), 0, 0), draw("x", 1, 1));
    HOLD(mat_nudge(&s, X, 2, 1), mat_nudge(&s, draw("X", N, D), 2, 1));
}
END_TEST

START_TEST(scaled_rows)
{
    const mat *X = draw("X", N, D), *A = square("A"), *g = draw("g", N, 1), *h = draw("h", N, 1);
    const mat *G = mat_scale_rows(&s, g, mat_identity(&s, N));
    HOLD(mat_scale_rows(&s, g, mul(X, A)), mul(mat_scale_rows(&s, g, X), A));
    HOLD(turn(G), mat_scale_rows(&s, g, mat_identity(&s, N)));
    HOLD(mul(G, X), mat_scale_rows(&s, g, X));
    HOLD(mat_scale_rows(&s, times(3, 0, mat_ones(&s, N, 1)), X), times(3, 0, X));
    HOLD(mat_scale_rows(&s, mat_zero(&s, N, 1), X), mat_zero(&s, N, D));
    HOLD(mul(inv(G), mat_scale_rows(&s, g, X)), draw("X", N, D));    /* drawn gains are not zero */
    HOLD(turn(inv(G)), inv(G));
    NOT(mat_scale_rows(&s, g, X), mat_scale_rows(&s, h, X));
    NOT(mat_scale_rows(&s, g, X), draw("X", N, D));
    NOT(mul(G, G), mat_identity(&s, N));
    NOT(mul(inv(G), mat_scale_rows(&s, h, X)), draw("X", N, D));
    const mat *H = mat_scale_rows(&s, draw("g", D, 1), mat_identity(&s, D));
    NOT(mul(H, A), mul(A, H));
    NO_INVERSE(mat_scale_rows(&s, sub(g, h), mat_identity(&s, N)));
    NO_INVERSE(mat_scale_rows(&s, phi(g), mat_identity(&s, N)));
    NO_INVERSE(mat_scale_rows(&s, mul(selection(N, 0, 2), draw("k", 2, 1)), mat_identity(&s, N)));
}
END_TEST

/* ---- a transformer: change of basis per layer, several heads ---- */

typedef struct { const mat *Q, *K, *V, *O; } head_weights;

enum { HEADS = 3, LAYERS = 6, WIDTH = 8 };

static const mat *layer_name(const char *what, int layer, int head, long rows, long cols)
{
    char *name = must_format("%s.%d.%d", what, layer, head);
    const mat *A = draw(name, rows, cols);
    free(name);
    return A;
}

static const mat *attention(const mat *X, const head_weights *w, int layer)
{
    const mat *sum = X;
    for (int a = 0; a < HEADS; a++) {
        const mat *S = mat_rowmap(&s, mul(mul(X, w[a].Q), turn(mul(X, w[a].K))),
                                  &(rowmap){ ROWMAP_OPAQUE, NULL, 1, 3 },
                                  (place){ layer, PLACE_ATTENTION, a });
        sum = add(sum, mul(mul(S, mul(X, w[a].V)), w[a].O));
    }
    return sum;
}

/* With a change of basis T every layer: X T runs through the reduced weights.  slip 1: one K is
 * multiplied by D^-1 where D^-T is right; slip 2: an O is not changed. */
static truth telescopes(int slip)
{
    const mat *X = draw("Emb", N, WIDTH), *T = draw("T", WIDTH, WIDTH), *Y = mul(X, T);
    for (int layer = 0; layer < LAYERS; layer++) {
        head_weights w[HEADS], r[HEADS];
        for (int a = 0; a < HEADS; a++) {
            w[a] = (head_weights){ layer_name("Q", layer, a, WIDTH, 2), layer_name("K", layer, a, WIDTH, 2),
                                   layer_name("V", layer, a, WIDTH, 3), layer_name("O", layer, a, 3, WIDTH) };
            const mat *G = layer_name("G", layer, a, 2, 2);
            bool wrong = slip == 1 && layer == 3 && a == 1, kept = slip == 2 && layer == 5 && a == 0;
            r[a].Q = mul(inv(T), mul(w[a].Q, G));
            r[a].K = mul(inv(T), mul(w[a].K, wrong ? inv(G) : inv(turn(G))));
            r[a].V = mul(inv(T), w[a].V);
            r[a].O = kept ? w[a].O : mul(w[a].O, T);
        }
        X = attention(X, w, layer);
        Y = attention(Y, r, layer);
        const mat *up = layer_name("up", layer, 0, WIDTH, V), *down = layer_name("down", layer, 0, V, WIDTH);
        place at = { layer, PLACE_MLP, 0 };
        X = add(X, mul(mat_phi(&s, mul(X, up), ACT_OPAQUE, at), down));
        Y = add(Y, mul(mat_phi(&s, mul(Y, mul(inv(T), up)), ACT_OPAQUE, at), mul(down, T)));
    }
    return equal(mul(Y, inv(T)), X);
}

START_TEST(transformer_in_another_basis)
{
    ck_assert(telescopes(0) == HOLDS);
    ck_assert(telescopes(1) == UNDECIDED);
    ck_assert(telescopes(2) == UNDECIDED);
    ck_assert(s.status == HOLDS);
}
END_TEST

/* (A_1 + ... + A_8)^k: 8^k words; what is too long is abbreviated, and words too long are unknown */
START_TEST(many_terms)
{
    const mat *sum = mat_zero(&s, D, D);
    for (int k = 0; k < 8; k++) sum = add(sum, layer_name("A", k, 0, D, D));
    const mat *two = mul(sum, sum), *four = mul(two, two);
    HOLD(four, mul(sum, mul(two, sum)));
    HOLD(sub(four, mul(two, two)), mat_zero(&s, D, D));
    NOT(turn(four), four);
    const mat *T = square("T"), *G = square("G"), *turned = turn(four);
    HOLD(mul(mul(four, T), mul(inv(T), four)), mul(four, four));
    HOLD(mul(mul(four, mul(T, G)), mul(mul(inv(G), inv(T)), turned)), mul(four, turned));
    HOLD(turn(mul(four, turned)), mul(four, turned));
    NOT(mul(four, four), mul(four, turned));
    NOT(mul(mul(four, T), four), mul(four, mul(four, T)));
    NOT(mul(mul(T, four), four), mul(four, mul(four, T)));
    NOT(mul(four, four), mul(four, times(2, 0, four)));
    NOT(mul(four, four), mul(four, sub(four, T)));
    NOT(mul(four, four), mat_zero(&s, D, D));
    NO_INVERSE(mul(four, four));
    const mat *power = T;
    for (int k = 0; k < 23; k++) power = mul(power, power);
    HOLD(mul(power, inv(power)), mat_identity(&s, D));
    power = mul(power, power);
    NO_INVERSE(power);
    NOT(power, T);
    NOT(power, mat_zero(&s, D, D));
}
END_TEST

START_TEST(no_numbers)
{
    const mat *A = square("A");
    mpq_t x;
    mpq_init(x);
    ck_assert(!R.ring.get_exact(x, A, 0, 0));
    mpq_clear(x);
    ck_assert(isnan(R.ring.get_d(A, 0, 0)));
    ck_assert(isnan(mat_log2max(A)));
    ck_assert(R.ring.cond == NULL && R.ring.rank == NULL);
    ck_assert(R.traits == (SYMBOLIC | OPAQUE));
    HOLD(mat_norm(&s, A, NORM_NONE, 0, here), square("A"));
}
END_TEST

/* ---- soundness: the same expressions modulo 2^61 - 1, by tests/support/numbers.h ---- */

/* An expression, over both. */
typedef struct { const mat *sym; numbers num; } both;

enum { POOL = 90 };
static both pool[POOL];
static long pooled;

static const long sizes[] = { 1, 2, 3, 5 };                /* 5 = 2 + 3 for blocks */

/* An expression with these sizes (0 = any), or NULL. */
static const both *pick(long rows, long cols)
{
    for (int tries = 0; tries < 60 && pooled; tries++) {
        const both *x = &pool[below(pooled)];
        if ((!rows || x->num.rows == rows) && (!cols || x->num.cols == cols)) return x;
    }
    return NULL;
}

static both grow_leaf(void)
{
    long r = sizes[below(4)], c = below(2) ? r : sizes[below(4)], name = below(3);
    int64_t m[25] = { 0 };
    switch (below(8)) {
    case 0: return (both){ mat_ones(&s, r, c), num_constant(r, c, 1, 1) };
    case 1: return (both){ scalar(r, 3, -1), num_constant(r, r, mod_mul(3, mod_inverse(2)), 0) };
    case 2: return (both){ mat_identity(&s, r), num_constant(r, r, 1, 0) };
    case 3: {                                              /* small entries: often a selection */
        both x = { .num = num_constant(r, c, 0, 0) };
        for (long k = 0; k < r * c; k++) x.num.x[k] = (uint64_t)(m[k] = below(5) == 0);
        x.sym = mat_dyadic(&s, r, c, m, 0);
        return x;
    }
    default: {
        char text[3] = { 'a', (char)('0' + name), 0 };
        return (both){ draw(text, r, c), num_draw(100 + (uint64_t)name, r, c) };
    }
    }
}

static both grow_inverse(const both *x)
{
    both y = { .sym = mat_inv(&s, x->sym) };
    if (s.status != HOLDS) {
        s.status = HOLDS;
        return *x;
    }
    ck_assert_msg(num_inv(&y.num, x->num), "sym inverted a singular matrix");
    return y;
}

static both grow_function(const both *x)
{
    static const activation acts[] = { ACT_RELU, ACT_IDENTITY, ACT_OPAQUE, ACT_HALF_ODD, ACT_HALF_ODD };
    static const rowmap_kind maps[] = { ROWMAP_OPAQUE, ROWMAP_LINEAR, ROWMAP_SHIFT, ROWMAP_STOCHASTIC,
                                        ROWMAP_STOCHASTIC };
    static const norm_kind kinds[] = { NORM_RMS, NORM_RADIAL };
    unsigned char mask[64];
    uint64_t where = (uint64_t)below(2);
    place p = { (int)where, 0, 0 };
    long k = below(5);
    bool masked = below(2);
    for (long i = 0; i < x->num.rows; i++)
        for (long j = 0; j < x->num.cols; j++) mask[i * x->num.cols + j] = j <= i - (where == 1);
    rowmap how = { maps[k], masked ? mask : NULL, 1, 1 };
    switch (below(4)) {
    case 0: return (both){ mat_phi(&s, x->sym, acts[k], p), num_phi(&x->num, acts[k], where) };
    case 1: return (both){ mat_rowmap(&s, x->sym, &how, p),
                           num_rowmap(&x->num, maps[k], how.visible, where) };
    case 2: return (both){ mat_norm(&s, x->sym, kinds[k % 2], 0, p), num_norm(&x->num, kinds[k % 2], where) };
    default:
        if (x->num.cols % 2) return *x;
        return (both){ mat_rotate(&s, x->sym), num_rotate(&x->num) };
    }
}

/* Cut x into two along a side of length 5 and put the pieces together; or only a piece. */
static both grow_blocks(const both *x)
{
    long r = x->num.rows, c = x->num.cols, cut = 1 + below(4), o = below(2) ? cut : 0, l = o ? 5 - cut : cut;
    bool rows = r == 5;
    if (r != 5 && c != 5) return *x;
    if (below(2)) {
        long rest = 5 - cut;
        const mat *part[2] = { rows ? mat_rows(&s, x->sym, 0, cut) : mat_cols(&s, x->sym, 0, cut),
                               rows ? mat_rows(&s, x->sym, cut, rest) : mat_cols(&s, x->sym, cut, rest) };
        return (both){ rows ? mat_vcat(&s, 2, part) : mat_hcat(&s, 2, part), x->num };
    }
    if (rows) return (both){ mat_rows(&s, x->sym, o, l), num_block(l, c, 0, 0, &x->num, o, 0, l, c) };
    return (both){ mat_cols(&s, x->sym, o, l), num_block(r, l, 0, 0, &x->num, 0, o, r, l) };
}

static both grow_diagonal(const both *x, const both *y)    /* blockdiag(x, y), x 2 x 2, y 3 x 3 */
{
    numbers a = num_block(5, 5, 0, 0, &x->num, 0, 0, 2, 2), b = num_block(5, 5, 2, 2, &y->num, 0, 0, 3, 3);
    return (both){ mat_blockdiag(&s, 2, (const mat *[]){ x->sym, y->sym }), num_entrywise(&a, &b, mod_add) };
}

/* X + u 1' or -X, so that shift-invariant and even functions meet arguments they identify */
static both grow_variant(const both *x)
{
    const both *u = pick(x->num.rows, 1);
    numbers minus = num_constant(x->num.rows, x->num.cols, 0, 0), row = num_constant(1, x->num.cols, 1, 1), shift;
    if (!u || below(2))
        return (both){ mat_sub(&s, mat_zero(&s, x->num.rows, x->num.cols), x->sym),
                       num_entrywise(&minus, &x->num, mod_sub) };
    shift = num_mul(&u->num, &row);
    return (both){ add(x->sym, mul(u->sym, mat_ones(&s, 1, x->num.cols))),
                   num_entrywise(&x->num, &shift, mod_add) };
}

static both grow_binary(const both *x)
{
    long r = x->num.rows, c = x->num.cols;
    const both *same = pick(r, c), *next = pick(c, 0), *gain = pick(r, 1), *block = pick(3, 3);
    if (!same || !next) return *x;
    switch (below(8)) {
    case 0: return (both){ add(x->sym, same->sym), num_entrywise(&x->num, &same->num, mod_add) };
    case 1: return (both){ sub(x->sym, same->sym), num_entrywise(&x->num, &same->num, mod_sub) };
    case 2: return (both){ mat_hadamard(&s, x->sym, same->sym), num_entrywise(&x->num, &same->num, mod_mul) };
    case 3:
        if (!gain) return *x;
        return (both){ mat_scale_rows(&s, gain->sym, x->sym), num_scale_rows(&gain->num, &x->num) };
    case 4:
        if (!block || r != 2 || c != 2) return *x;
        return grow_diagonal(x, block);
    default: return (both){ mul(x->sym, next->sym), num_mul(&x->num, &next->num) };
    }
}

static both grow(void)
{
    const both *x = pick(0, 0);
    if (!x || pooled < 15) return grow_leaf();
    switch (below(11)) {
    case 0: return grow_leaf();
    case 1: return (both){ turn(x->sym), num_turn(&x->num) };
    case 2: return x->num.rows == x->num.cols ? grow_inverse(x) : *x;
    case 3: case 4: return grow_function(x);
    case 5: return grow_blocks(x);
    case 6: return grow_variant(x);
    default: return grow_binary(x);
    }
}

typedef struct { long proved, equal, unequal; } tally;

static void compare_pool(uint64_t seed, tally *t)
{
    for (long i = 0; i < pooled; i++)
        for (long j = 0; j < i; j++) {
            const numbers *a = &pool[i].num, *b = &pool[j].num;
            if (a->rows != b->rows || a->cols != b->cols || pool[i].sym == pool[j].sym) continue;
            bool same = memcmp(a->x, b->x, sizeof a->x) == 0;
            bool proved = equal(pool[i].sym, pool[j].sym) == HOLDS;
            ck_assert_msg(same || !proved, "seed %llu: sym calls expressions %ld and %ld (%ldx%ld) equal",
                          (unsigned long long)seed, i, j, a->rows, a->cols);
            t->proved += proved;
            t->equal += same;
            t->unequal += !same;
        }
}

START_TEST(random_expressions_are_sound)
{
    tally t = { 0 };
    const char *rounds = getenv("T_SYM_ROUNDS");
    long last = rounds ? atol(rounds) : 150;
    for (uint64_t seed = 0; seed < (uint64_t)last; seed++) {
        random_start(seed);
        for (pooled = 0; pooled < POOL; pooled++) pool[pooled] = grow();
        compare_pool(seed, &t);
        close_scope();
        open_scope();
    }
    printf("t_sym: %ld pairs equal as numbers, %ld of them proved; %ld pairs differ\n",
           t.equal, t.proved, t.unequal);
    ck_assert_msg(t.proved > t.equal / 2, "the rules prove little: %ld of %ld", t.proved, t.equal);
    ck_assert(t.unequal > 0);
}
END_TEST

int main(int argc, char **argv)
{
    const TTest *const tests[] = {
        names_stand_for_matrices, sums, products, transposes, inverse_words, what_has_no_inverse_here,
        orthogonal_names, structured_constants, coefficients_that_overflow, ranges, blocks_put_together,
        joining_needs_adjacent_ranges, block_diagonals, ones_and_blocks, activations, half_odd_activation,
        row_maps, shift_invariant_row_maps, norms_of_rows, rotations_and_entrywise_products, scaled_rows,
        transformer_in_another_basis, many_terms, no_numbers, random_expressions_are_sound,
    };
    base_init(argc, argv);
    libraries_init();
    Suite *suite = suite_create("sym");
    TCase *all = tcase_create("sym");
    tcase_add_checked_fixture(all, open_scope, close_scope);
    for (size_t k = 0; k < COUNT(tests); k++) tcase_add_test(all, tests[k]);
    tcase_set_timeout(all, 60);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
