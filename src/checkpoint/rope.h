/* SPDX-License-Identifier: GPL-3.0-or-later
 * rope.h - rotary angles whose frequencies a configuration scales: rope_scaling, rope_parameters, GGUF's rope.scaling.*
 * keys and its tensor rope_freqs.weight.
 *
 * Frequency i of a sequence is theta^(-2i/rotary) / divide[i], and cosines and sines are multiplied by `attention`.
 * The rules are those of transformers 5 (for GGUF, of llama.cpp).  Programs compute frequencies in float32, a relative
 * error of some 1e-7, so that at position t their angles are off by up to t times that.  Here the rules are followed in
 * long doubles and rounded once: those doubles are taken as exact, as eps is. */
#ifndef CHECKPOINT_ROPE_H
#define CHECKPOINT_ROPE_H
#include "src/checkpoint/settings.h"
#include "src/checkpoint/transformer.h"

/* Fills in D->rope.  NULL, or why these angles are not computed here, to be freed.  Contract: theta, rotary and T are
 * known. */
char *rope_read(transformer *D, const settings *s);
/* GGUF's rope_freqs.weight, divisors that go beside those of the keys. */
char *rope_read_table(transformer *D, const weight_tensor *t);
bool  rope_scales(const transformer *D);                 /* do any frequencies or cosines differ from the plain ones? */
/* rotary / 2 divisors for a sequence of `length` positions.  Contract: rope_scales(D). */
void  rope_divisors(const transformer *D, long length, double *divide);
/* "plain"; "scaled by llama3: factor 8, ..."; to be freed. */
char *rope_words(const transformer *D);

/* How far the frequencies of two models are apart.  ROUNDED: one is a table of float32, and they agree to the precision
 * of the programs that compute such tables in float32. */
typedef enum { ROPE_EQUAL, ROPE_ROUNDED, ROPE_DIFFERENT } rope_relation;
/* *units: the largest gap, in roundings to float32.  Contract: equal rotary. */
rope_relation rope_compare(const transformer *A, const transformer *B, double *units);
#endif
