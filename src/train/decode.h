/* SPDX-License-Identifier: GPL-3.0-or-later
 * decode.h - the language model (gpt.h) one token after another.
 *
 * Keys and values of the tokens so far are kept, so that one more token costs one row of each product and one query,
 * where gpt_last_logits computes all rows again.  Positions are learned: when the window is full, it can only be moved
 * by starting again with the last T tokens, which have other positions then. */
#ifndef TRAIN_DECODE_H
#define TRAIN_DECODE_H
#include "src/train/gpt.h"

typedef struct decoder decoder;
/* n: a net with the weights of gpt_params(c); read by decode(), and the caller's.  Dies when memory runs out. */
decoder *decoder_create (const gpt_config *c, const net *n);
void     decoder_free   (decoder *D);
void     decoder_restart(decoder *D);    /* forgets all tokens                                          */
long     decoder_seen   (const decoder *D);
/* n more tokens, and logits[V] after the last of them: gpt_last_logits of all tokens so far, to rounding.
 * Contract: 0 < n, n + decoder_seen(D) <= T, tokens in [0, V). */
void     decode(decoder *D, const int32_t *token, long n, double *logits);
#endif
