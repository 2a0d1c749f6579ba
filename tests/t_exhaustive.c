/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_exhaustive.c - everything, on a field small enough to try everything: 2x2 matrices over F_5. */
#include "numerics/mat.h"
#include "tests/support/suite.h"

enum { Q = 5, ALL = Q * Q * Q * Q };
static const uint64_t key[2] = { 0, 0 };

static const mat *matrix(scope *s, int code)
{
    return mat_from_si(s, 2, 2, (long[]){ code % Q, code / Q % Q, code / (Q * Q) % Q, code / (Q * Q * Q) });
}

/* |GL(2, 5)| = (25 - 1)(25 - 5) = 480; each inverse is right, the other 145 have rank < 2. */
START_TEST(inverses)
{
    arith R = arith_fp(Q, key);
    int invertible = 0, ranks[3] = { 0 };
    for (int code = 0; code < ALL; code++) {
        scope s = scope_open(&R, 0, 0);
        const mat *A = matrix(&s, code);
        const long rank = mat_rank(&s, A);
        ck_assert(0 <= rank && rank <= 2);
        ranks[rank]++;
        const mat *B = mat_inv(&s, A);
        ck_assert_int_eq(s.status == HOLDS, rank == 2);
        if (s.status == HOLDS) {
            invertible++;
            ck_assert_int_eq(mat_compare(mat_mul(&s, A, B), mat_identity(&s, 2), 0).is, HOLDS);
        }
        scope_close(&s);
    }
    ck_assert_int_eq(invertible, 480);
    ck_assert_int_eq(ranks[0], 1);
    ck_assert_int_eq(ranks[1], 144);
}
END_TEST

/* All 390,625 pairs: (AB)' = B'A' (a seventh of them), and the number of commuting pairs is
 * p^6 + p^5 - p^3: scalar matrices commute with all p^4, every other one with the p^2 polynomials in
 * itself, p p^4 + (p^4 - p) p^2 (Feit and Fine, Duke Math. J. 27, 1960). */
START_TEST(transposed_products)
{
    arith R = arith_fp(Q, key);
    scope all = scope_open(&R, 0, 0);
    const mat *A[ALL], *T[ALL];
    long commuting = 0;
    for (int code = 0; code < ALL; code++) {
        A[code] = matrix(&all, code);
        T[code] = mat_t(&all, A[code]);
    }
    for (int a = 0; a < ALL; a++)
        for (int b = 0; b < ALL; b++) {
            scope s = scope_open(&R, 0, 0);
            const mat *AB = mat_mul(&s, A[a], A[b]);
            commuting += mat_compare(AB, mat_mul(&s, A[b], A[a]), 0).is == HOLDS;
            if ((a + b) % 7 == 0)
                ck_assert_int_eq(mat_compare(mat_t(&s, AB), mat_mul(&s, T[b], T[a]), 0).is, HOLDS);
            scope_close(&s);
        }
    ck_assert_int_eq(commuting, Q * Q * Q * Q * Q * Q + Q * Q * Q * Q * Q - Q * Q * Q);
    scope_close(&all);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("exhaustive");
    TCase *all = tcase_create("F_5");
    suite_add_tcase(suite, all);
    tcase_add_test(all, inverses);
    tcase_add_test(all, transposed_products);
    return run_suite(suite, argc, argv);
}
