/* SPDX-License-Identifier: GPL-3.0-or-later
 * reduce.h - Theorems 4.2, 4.3 and 4.4 as tables of layers (src/claim/induction.h), for every switch a model has.
 *
 * Each theorem says which layers choose the basis of the stream; the runner rewrites the model, and the query matrices
 * that became the identity are set to I.  Extensions prove the same three tables with other switches: rotary
 * positions, grouped heads, experts, ...  Masks, norms and head of the model are as the shape says, also
 * where a theorem forbids them: controls need that.                                                   */
#ifndef REDUCE_H
#define REDUCE_H
#include "src/claim/claim.h"
#include "src/claim/induction.h"

typedef enum {
    ONE_LAYER,           /* Theorem 4.2: all skips; Theta = W_Q of layer 0 everywhere                     */
    SHARED_BLOCK,        /* Theorem 4.3: all skips, one block for all layers; Theta = W_Q                 */
    ATTENTION_SKIP,      /* Theorem 4.4: skips around attention only; Theta_i = W_Q^i, and I at the end,
                            or Theta_1'^-1 where the head is tied                                         */
} reduction;

/* Layers whose W_Q is the basis and becomes I, and layers that only follow. */
const mat *reduce_query_basis(const layer_site *at, const layer *W);
void       reduce_query_to_identity   (const layer_site *at, const layer *W, layer *R);
void       reduce_claim_query_identity(trial *t, const layer_site *at, const layer *R);
/* The same for W_K and W_V. */
const mat *reduce_key_basis        (const layer_site *at, const layer *W);
void       reduce_key_to_identity  (const layer_site *at, const layer *W, layer *R);
const mat *reduce_value_basis      (const layer_site *at, const layer *W);
void       reduce_value_to_identity(const layer_site *at, const layer *W, layer *R);
/* In the new basis already, heads of d rows: W_K^a becomes W_K^a (E_a' W_Q^a)', E_a the rows of head a, and W_Q = I. */
void       reduce_queries_into_keys(const layer_site *at, const layer *W, layer *R);
#define QUERY_LAYER { .name = "layer whose W_Q becomes I", .chooses = reduce_query_basis, \
                      .reduce = reduce_query_to_identity, .facts = reduce_claim_query_identity }
#define OTHER_LAYER { .name = "layer that follows the basis" }
/* What normal forms assume besides (`.assumes`): a W_Q of the form, and unit gains, which others are folded into. */
#define REDUCE_OF_A_FORM "; constrained W_Q; constrained gain1 = I; constrained gain2 = I; constrained gain_f = I"
extern const induction reduction_one_layer, reduction_shared_block, reduction_attention_skip;

/* Sets the skips and the sharing, no norm, an untied head, and small sizes: two layers, m <= 9, SiLU. */
void reduce_switches(shape *sh, reduction which);
model_pair reduce_queries(scope *s, const shape *sh, reduction which);    /* W_Q of d x d: h dk = d        */
model_pair reduce_model  (scope *s, const model *M, reduction which);     /* the same for a given model    */
/* For controls: a drawn model and its reduction by the table of the part that runs. */
model_pair reduce_by_table(trial *t);
/* For controls: layer W (of the shape sh) with W_Q diag(D_a) and W_K diag(D_a)^-T, D_a drawn for each key head.  The
 * scores stay as they are unless something stands between queries and keys (Proposition 3.2). */
void reduce_turn_queries_and_keys(scope *s, const shape *sh, layer *W);
/* For controls, h_kv < h: the same with a D_a of its own for each query head, which no key head can undo. */
void reduce_turn_query_heads(scope *s, const shape *sh, layer *W);
/* Proposition 4.1 in every layer, h = 1: K~ = K Q', V~ = V O, Q~ = O~ = I. */
extern const induction reduction_single_head;

/* A part that runs a body, one that proves a table, and shapes for programs that run several.  Heads have an even
 * width. */
#define REDUCED_PART(title, body, setting, ...) \
    { .name = title, .kind = PART_IDENTITY, .run = body, .prepare = setting, .no_large = true, __VA_ARGS__ }
#define INDUCTIVE_PART(title, table, setting, ...) \
    REDUCED_PART(title, claim_by_induction, setting, .induction = &table, __VA_ARGS__)
extern const shape_case reduce_shapes[3];
#endif
