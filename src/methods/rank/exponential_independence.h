/* SPDX-License-Identifier: GPL-3.0-or-later
 * exponential_independence.h - may the exponentials of a token model be taken as independent units?
 *
 * They may if their arguments are linearly independent over Q modulo constants (Ax 1971; src/methods/rank/jacobian.h).
 * The scores of the first layer are not: with u = E_t + P_i the scores u M u' of all tokens t and positions i span the
 * products of two affine families, (V + n - 1)^2 dimensions at most, for (V n)^2 scores.  But
 *     (E_t + P_i) M (E_s + P_j)' = E_t M E_s' + E_t M P_j' + P_i M E_s' + P_i M P_j',
 * the (V + n)^2 summands per head are independent, and exp of a score is the product of four exponentials.
 * exp(l) = g^(kappa l) on integers gives each summand its unit and multiplies them.
 *
 * The test: independent functions give independent columns at enough random points, and a matrix of full rank
 * modulo a prime, a column of ones included, proves it.                                                     */
#ifndef EXPONENTIAL_INDEPENDENCE_H
#define EXPONENTIAL_INDEPENDENCE_H
#include "src/claim/check.h"
#include "src/claim/claim.h"

/* Claims that the arguments of all exponentials of t->sh (no norm, RoPE or biases) are independent modulo
 * constants: those of the first layer split as above, or not split; those of the later layers for
 * INDEPENDENCE_SEQUENCES sequences. */
enum { INDEPENDENCE_SEQUENCES = 10 };
void claim_exponential_independence(trial *t, bool split);
#endif
