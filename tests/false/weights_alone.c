/* SPDX-License-Identifier: GPL-3.0-or-later
 * weights_alone.c - scores of all heads stay under any D: the body draws a model of one head, and evaluates none of it.
 * Caught by the settings of the models that it draws: hypothesis that is not declared: h = 1 */
#include "tests/false/false.h"
static void full(trial *t, bool inverse)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.h = sh.h_kv = 1;
    sh.dk = sh.d;
    const model M = model_random(s, sh);
    const mat *D = drawn(t, "D", sh.d, sh.d), *Q = mat_mul(s, M.at[0].Q, D);
    const mat *K = mat_mul(s, M.at[0].K, inverse ? mat_t(s, mat_inv(s, D)) : mat_t(s, D));
    claim_reduced(t, 2, (const mat **[]){ &Q, &K });
    for (long a = 0; a < sh.h; a++)
        claim_equal(t, "W_Q^a W_K^a'", mat_mul(s, mat_cols(s, M.at[0].Q, a * sh.dk, sh.dk), mat_t(s, mat_cols(s, M.at[0].K, a * sh.dk, sh.dk))),
                    mat_mul(s, mat_cols(s, Q, a * sh.dk, sh.dk), mat_t(s, mat_cols(s, K, a * sh.dk, sh.dk))));
}
static void any_D(trial *t)     { full(t, true); }
static void transpose(trial *t) { full(t, false); }
FALSE_IDENTITY("F-WEIGHTS", "the scores of each head stay under any D", small, .run = any_D, .assumes = "invertible D",
               .statement = "$W_Q^aW_K^{a\\top}$ of each head stays under any $D \\in \\mathrm{GL}(h d_k)$",
               BROKEN_BY("transpose", transpose, "$D^\\top$ for $D^{-\\top}$"))
