/* SPDX-License-Identifier: GPL-3.0-or-later
 * loss.c - see loss.h. */
#include <math.h>
#include "numerics/random.h"
#include "src/checkpoint/loss.h"

reduction_loss reduction_loss_of(const transformer *A, const transformer *B, uint64_t seed, compare_watch watch)
{
    const uint64_t key[2] = { seed, 0 };
    long token[LOSS_TOKENS];
    for (long k = 0; k < LOSS_TOKENS; k++) token[k] = (long)random_below(key, (uint64_t)k, (uint64_t)A->V);
    const token_list list = { .n = A->T && A->T < LOSS_TOKENS ? A->T : LOSS_TOKENS, .token = token };
    token_gaps g = compare_on_tokens(A, B, NULL, 1, &list, seed, watch);
    /* The movement is linear in u, to first order: rounding A to a coarser type moves it by so much more. */
    const double coarser = fmax(1, g.unit[1] / g.unit[0]);
    const reduction_loss l = { list.n, g.logits, g.most, coarser * g.moved[0] };
    token_gaps_free(&g);
    return l;
}

bool reduction_loss_is_rounding(const reduction_loss *l) { return l->gap <= LOSS_FACTOR * l->rounding; }
