/* SPDX-License-Identifier: GPL-3.0-or-later
 * same_input.c - X W_up is symmetric: W_up is drawn by the body, alone in its place, and X is its transpose.
 * Caught by its equation of the MLP, which nothing breaks: no control breaks all of `MLP` */
#include "tests/false/false.h"
static void one(trial *t, bool same)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *A = drawn(t, "A", t->sh.d, t->sh.m), *X = same ? mat_t(s, A) : drawn(t, "X", t->sh.m, t->sh.d);
    if (!M.at[0].expert[0].b_up && !M.at[0].expert[0].gate && !t->sh.experts) M.at[0].expert[0].up = A;
    model R = M;
    const mat *U = mat_mul(s, X, M.at[0].expert[0].up), *half = mat_scale(s, 1, -1, U);
    (void)R;
    const mat *sum = mat_add(s, half, half);
    claim_reduced(t, 1, (const mat **[]){ &sum });
    claim_equal(t, "X W_up", M.at[0].expert[0].up == A ? mat_t(s, U) : U, sum);
    claim_equal(t, "MLP", model_mlp(s, &M, 0, mat_scale(s, 1, 1, X)), model_mlp(s, &M, 0, mat_add(s, X, X)));
}
static void planted(trial *t) { one(t, true); }
static void drawn_x(trial *t) { one(t, false); }
FALSE_IDENTITY("F-ZZ-GRAM", "X W_up is symmetric", small, .run = planted, .models = "biases = 0; gated = 0; experts = 0",
               .without = "q", .why_without = "GELU", .statement = "$X W_{up}$ is symmetric for $m$ inputs $X$ of an MLP",
               BROKEN_BY("drawn", drawn_x, "$X$ is drawn"))
