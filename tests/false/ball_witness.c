/* SPDX-License-Identifier: GPL-3.0-or-later
 * ball_witness.c - softmax(0, 2^-400) = (1/2, 1/2) "refutes" that different scores have different weights: balls of at
 * most 4096 bits are not asked to see the difference, for they meet and are thin.
 * Caught by the rule that balls that meet show no equality: an equality that was decided in balls alone */
#include "tests/false/false.h"

static void even_weights(trial *t)
{
    scope *s = &t->s;
    const rowmap how = { .kind = ROWMAP_SOFTMAX, .scale_num = 1, .scale_den = 1 };
    const mat *scores = mat_mul(s, mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, -400), mat_from_si(s, 1, 2, (long[]){ 0, 1 }));
    const mat *A = mat_rowmap(s, scores, &how, (place){ 0, PLACE_ATTENTION, 0 });
    claim_differs(t, "the scores differ", scores, mat_zero(s, 1, 2));
    claim_equal(t, "the weights do not", A, mat_dyadic(s, 1, 2, (int64_t[]){ 1, 1 }, -1));
}
FALSE_COUNTEREXAMPLE("F-BALLS", "different scores have equal weights, in balls", small,
                     .run = even_weights, .statement = "different scores have different weights",
                     ABOUT_QUANTITY("different weights", "the weights do not"),
                     .no_minimal = true, .without = "f64 mpfr q sym",
                     .why_without = "the witness is one of softmax itself")
