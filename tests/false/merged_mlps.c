/* SPDX-License-Identifier: GPL-3.0-or-later
 * merged_mlps.c - two MLPs of one input are one MLP of the same width: both, in models of their own, stand in one place
 * and have one W_up that the body draws.
 * Caught by the places of layers: hypothesis that is not declared: given layers in one place */
#include "tests/false/false.h"
static void merge(trial *t, bool tied)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh), N = M, R = M;
    M.at[0].expert[0].up = R.at[0].expert[0].up = drawn(t, "A", t->sh.d, t->sh.m);
    N.at[0].expert[0].up = tied ? M.at[0].expert[0].up : drawn(t, "B", t->sh.d, t->sh.m);
    M.at[0].expert[0].down = drawn(t, "D", t->sh.m, t->sh.d);
    N.at[0].expert[0].down = drawn(t, "F", t->sh.m, t->sh.d);
    R.at[0].expert[0].down = mat_add(s, M.at[0].expert[0].down, N.at[0].expert[0].down);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].expert[0].down });
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_equal(t, "MLPs", mat_add(s, model_mlp(s, &M, 0, X), model_mlp(s, &N, 0, X)), model_mlp(s, &R, 0, X));
}
static void one_up(trial *t)  { merge(t, true); }
static void two_ups(trial *t) { merge(t, false); }
FALSE_IDENTITY("F-MERGED", "two MLPs are one", small, .run = one_up, .models = "experts = 0; gated = 0; biases = 0",
               .without = "q", .why_without = "GELU", .statement = "the sum of two MLPs of one input is one MLP of the same width",
               BROKEN_BY("two", two_ups, "each has a $W_{up}$ of its own"))
