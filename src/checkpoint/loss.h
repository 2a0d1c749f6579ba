/* SPDX-License-Identifier: GPL-3.0-or-later
 * loss.h - what a reduced model has lost by rounding, measured: the logits of both models on drawn tokens, in doubles,
 * beside how far those of the original move when its numbers are rounded once more. */
#ifndef CHECKPOINT_LOSS_H
#define CHECKPOINT_LOSS_H
#include "src/checkpoint/compare.h"

/* A gap of more than LOSS_FACTOR times what rounding explains is a loss that the construction made: 4 bits. */
enum { LOSS_TOKENS = 8, LOSS_FACTOR = 16 };

typedef struct {
    long   tokens;
    double gap, most;                    /* max |a - b| and max |a| of the logits a of A, b of B        */
    /* how far those of A move when each of its numbers is rounded to the type of B */
    double rounding;
} reduction_loss;

/* Contract: forward_refuses() is silent for both; equal V. */
reduction_loss reduction_loss_of(const transformer *A, const transformer *B, uint64_t seed, compare_watch watch);
/* NaN counts as too large. */
bool reduction_loss_is_rounding(const reduction_loss *l);
#endif
