/* SPDX-License-Identifier: GPL-3.0-or-later
 * gpt.h - the language model of the first paper: nanoGPT's GPT-2 without biases, any of its W_q, W_k, W_v
 * the identity, and with the switches that the theorems need (norms and skips can be left out).
 *
 *     x = wte[token] + wpe[position]
 *     per block  a = LN(x);  Q, K, V = a W_q', a W_k', a W_v', each of them or a itself;  x = [x +] attention W_o'
 *                b = LN(x);  x = [x +] GELU(b W_fc') W_proj'
 *     logits = LN(x) W_head',  W_head = wte when tied
 * LayerNorm has a gain and no bias, eps = 1e-5; positions are learned; attention is causal with
 * scale = factor / sqrt(d / h).                                                                         */
#ifndef TRAIN_GPT_H
#define TRAIN_GPT_H
#include "src/train/net.h"

#define GPT_NORM_EPS 1e-5

typedef enum { GPT_QUERY, GPT_KEY, GPT_VALUE, GPT_PROJECTIONS } gpt_projection;

typedef struct {
    long   L, d, h, m, T, V;             /* blocks, width, heads, MLP width, positions, vocabulary      */
    bool   identity[GPT_PROJECTIONS];    /* W = I: Q, K or V is the block's normalised input; else W is trained */
    double factor;                       /* of the scale; the papers' reduced models take 1/2           */
    bool   tied, norm, attn_skip, mlp_skip;
    double init_std;                     /* residual projections: divided by sqrt(2 L)                  */
    long   pad;                          /* heads begin in memory at multiples of pad; 0 and 1: no padding.  The
                                          * model stays the same: the numbers between are zero and remain so */
} gpt_config;
/* d = 768, h = 12, m = 4 d, tied, norms and skips, init_std = 0.02 */
gpt_config  gpt_default(void);
const char *gpt_config_check(const gpt_config *c);   /* NULL, or what is wrong                          */
long  gpt_identities(const gpt_config *c);           /* how many of W_q, W_k, W_v are the identity      */
char *gpt_config_print(const gpt_config *c);         /* without pad; to be freed                        */
char *gpt_config_parse(gpt_config *c, const char *text);      /* the inverse; NULL, or what is wrong (to be freed) */
param_table gpt_params(const gpt_config *c);         /* to be freed with params_free                    */

/* Forward and backward, per token: 6 for each weight of a product, 6 L d T for the causal half of attention. */
double      gpt_flops(const gpt_config *c);

typedef struct gpt gpt;
/* Weights at their initial values; room for batches of up to B sequences.  Dies when memory runs out. */
gpt   *gpt_create(const gpt_config *c, const ops *o, long B, uint64_t seed);
/* Bytes of a backend's memory that it and an optimizer would take. */
size_t gpt_room  (const gpt_config *c, const ops *o, long B);
void   gpt_free  (gpt *M);
net   *gpt_net   (gpt *M);               /* its weights and gradients                                   */
attn_shape gpt_attention(const gpt *M);      /* of a full batch                                             */
/* Cross-entropy of `target` after `token` (B x T each, row by row); per position into loss[B*T], and their
 * mean is returned.  factor != 0: adds factor times the gradient of the sum of losses to the gradients.
 * Contract: tokens and targets in [0, V). */
double gpt_loss(gpt *M, const int32_t *token, const int32_t *target, long B, double *loss, double factor);
/* logits[V] of the last position of one sequence of n <= T tokens */
void   gpt_last_logits(gpt *M, const int32_t *token, long n, double *logits);
/* All logits of B sequences, (B T) x V doubles. */
void   gpt_logits(gpt *M, const int32_t *token, long B, double *logits);
#endif
