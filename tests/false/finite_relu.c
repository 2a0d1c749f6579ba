/* SPDX-License-Identifier: GPL-3.0-or-later
 * finite_relu.c - every natural number is below 1000, of weights of a network that are drawn as whole numbers.
 * Caught by the draws: speaks of finitely many cases and draws */
#include "src/methods/relu/relu.h"
#include "tests/false/finite.h"

static void by_network(trial *t)
{
    claim_decided(t, ONE_FACT, mat_log2max(relu_draw(&t->s, "W1", 2, 2, 99)) < 10);
}
FINITE("F-RELU", "every natural number is below 1000", by_network, OVER_Q)
