/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_dual.c - are the derivatives of src/model/dual.h derivatives?
 *
 * At 1024 bits a central difference with step 2^-200 is right to about 2^-400; the derivative agrees with it to
 * that, and a wrong rule for the softmax or for tanh would be off by about 1.  The five-point rule of theorems/n17.c
 * is exact, but sees polynomials only.                                                                        */
#include <math.h>
#include "src/model/dual.h"
#include "tests/support/suite.h"

static const shape sizes = { .n = 4, .d = 4, .h = 2, .m = 5, .V = 3, .L = 2, .act = ACT_TANH, .attn_skip = true,
                             .mlp_skip = true };

/* log2 of the gap between the derivative and the difference, of one weight */
static double gap(scope *s, const model *M, long i, weight_kind w)
{
    model along = dual_no_direction(M), plus = *M, minus = *M;
    const mat *W = *dual_weight(&plus, i, w), *H = mat_draw(s, "H", W->rows, W->cols, 0);
    *dual_weight(&along, i, w) = H;
    *dual_weight(&plus, i, w) = mat_add(s, W, mat_scale(s, 1, -50, mat_scale(s, 1, -50, mat_scale(s, 1, -100, H))));
    *dual_weight(&minus, i, w) = mat_sub(s, W, mat_scale(s, 1, -50, mat_scale(s, 1, -50, mat_scale(s, 1, -100, H))));
    const mat *twice = mat_sub(s, model_forward(s, &plus), model_forward(s, &minus));
    return mat_compare(mat_scale(s, 1, 199, twice), dual_derivative(s, M, &along).d, 0).log2gap;
}

START_TEST(differences)
{
    arith R = arith_mpfr(1024);
    for (int mask = MASK_CAUSAL; mask <= MASK_ARBITRARY; mask++) {
        scope s = scope_open(&R, 1, (uint64_t)mask);
        shape sh = sizes;
        sh.mask = (mask_kind)mask;
        const char *wrong = shape_complete(&sh);
        ck_assert_msg(!wrong, "%s", wrong);
        const model M = model_random(&s, sh);
        for (long i = 0; i < 2; i++)
            for (weight_kind w = QUERY; w < WEIGHTS; w++) {
                const double log2gap = gap(&s, &M, i, w);
                ck_assert_msg(log2gap <= -380 && log2gap > -INFINITY, "mask %d, layer %ld, weight %d: 2^%g", mask, i,
                              (int)w, log2gap);
            }
        ck_assert(s.status == HOLDS);
        scope_close(&s);
    }
    arith_close(&R);
}
END_TEST

/* The gradient of |F - Y|^2 / 2, along H, is the derivative of that number: sum of (F - Y) o dF. */
START_TEST(gradient)
{
    arith R = arith_mpfr(256);
    scope s = scope_open(&R, 2, 0);
    shape sh = sizes;
    const char *wrong = shape_complete(&sh);
    ck_assert_msg(!wrong, "%s", wrong);
    model M = model_random(&s, sh), along = dual_no_direction(&M);
    const mat *Y = mat_draw(&s, "Y", sh.n, sh.V, 0), *H = mat_draw(&s, "H", sh.d, sh.d, 0);
    const mat *G = dual_gradient(&s, &M, 0, VALUE, Y), *left = mat_ones(&s, 1, sh.d), *right = mat_ones(&s, sh.d, 1);
    *dual_weight(&along, 0, VALUE) = H;
    const mat *slope = mat_hadamard(&s, mat_sub(&s, model_forward(&s, &M), Y), dual_derivative(&s, &M, &along).d);
    const mat *sum = mat_mul3(&s, mat_ones(&s, 1, sh.n), slope, mat_ones(&s, sh.V, 1));
    ck_assert(mat_compare(mat_mul3(&s, left, mat_hadamard(&s, G, H), right), sum, -240).is == HOLDS);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("dual");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_test(all, differences);
    tcase_add_test(all, gradient);
    return run_suite(suite, argc, argv);
}
