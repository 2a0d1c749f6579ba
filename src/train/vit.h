/* SPDX-License-Identifier: GPL-3.0-or-later
 * vit.h - the vision transformer of the second paper (Bermeitinger et al.), with its variants of attention.
 *
 *     x = patch W' + b [class token before it] + position
 *     per encoder  a = LN(x);  Q = a W_q';  K = a W_k', a itself or Q;  V = a W_v' or a;  x = x + attention [W_o']
 *                  b = LN(x);  x = x + GELU(b W_fc') W_proj', or x + b without MLP
 *     logits = (mean of x over the positions, or the class token's x) W_head'
 * All softmaxes are open (unmasked) with scale 1 / sqrt(d / h); LayerNorm has gain and bias; positions are sines,
 * without parameters.  The paper does not print its architecture: this is the reading that its parameter counts
 * allow, and what they leave open (positions, skips, place of the norms, class token) is a switch.  Keras' attention
 * has the same scale; its W_q, W_k and W_v begin smaller than Glorot's for d x d, within sqrt(6 / (d h + d d / h)). */
#ifndef TRAIN_VIT_H
#define TRAIN_VIT_H
#include "src/train/net.h"

typedef enum { VIT_OWN, VIT_INPUT, VIT_QUERY } vit_source;         /* a W' with W of its own, a itself, Q */
/* Norms: at the entry of a half of an encoder, after its skip (then without MLP nothing is added), or none (then
 * without MLP there is no second half). */
typedef enum { VIT_PRE, VIT_POST, VIT_BARE } vit_norm;

typedef struct {
    long   S, d, h, m;                   /* encoders, width, heads, width of the MLP (0: none)          */
    long   side, channels, patch, classes;
    vit_source key, value;               /* value: VIT_OWN or VIT_INPUT                                 */
    bool   output;                       /* there is a W_o                                              */
    bool   query_bias, key_bias, value_bias, output_bias;
    bool   token, positions, skip;       /* token: a class token is read, else the mean                 */
    vit_norm norm;
} vit_config;
const char *vit_config_check(const vit_config *c);   /* NULL, or what is wrong                          */

char *vit_config_print(const vit_config *c);         /* to be freed                                     */

/* The attention's switches by the name of a variant; false: no such variant.
 *   unchanged          Q, K, V, O with biases
 *   wqk                W_q W_k' is one matrix: K = a; no bias of Q and K
 *   wqk-biases         the same, biases of Q and K kept: a reading of one printed count
 *   minimum            W_qk alone: K = V = a, no W_o
 *   symmetric          W_k = W_q, no biases;  symmetric-biases: with biases
 *   collapsed          W_q W_k' and W_v W_o are one matrix each;  collapsed-biases: the exact collapse with biases */
bool vit_variant(vit_config *c, const char *name);
extern const char *const vit_variants[];             /* ends with NULL                                  */
/* A row of the paper's tables by its name in src/methods/counts: "mnist_6_1_mlp_full", "cifar_12_4_no_sym". */
bool vit_row(vit_config *c, const char *name);
param_table vit_params(const vit_config *c);         /* to be freed with params_free                    */
/* Multiplications and additions of a forward pass of one image, 2 per product. */
double vit_operations(const vit_config *c);

typedef struct vit vit;
/* Weights at their initial values (Glorot's uniform, zero biases); room for batches of up to B images. */
vit   *vit_create(const vit_config *c, const ops *o, long B, uint64_t seed);
void   vit_free  (vit *M);
net   *vit_net   (vit *M);               /* its weights and gradients                                   */
attn_shape vit_attention(const vit *M);      /* of a full batch                                             */
/* Cross-entropy per image into loss[B], and 1 where the largest logit is the label's into top1[B]; the mean loss
 * is returned.  factor != 0: adds factor times the gradient of the sum of losses to the gradients.
 * Images as images.h has them.  Contract: labels in [0, classes). */
double vit_loss(vit *M, const unsigned char *image, const int32_t *label, long B, double *loss, double *top1,
                double factor);
void   vit_logits(vit *M, const unsigned char *image, long B, double *logits);      /* B x classes      */
#endif
