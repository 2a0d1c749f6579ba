/* reduce.h - Theorems 4.2, 4.3 and 4.4 as bodies of trials, for every switch a model has.
 *
 * Each theorem chooses the bases of the stream, rewrites the model (src/gauge.h) and sets the query
 * matrices that became the identity to I.  Extensions run the same three bodies with other switches: rotary
 * positions, grouped heads, experts, ...  Masks, norms and head of the model are as the shape says, also
 * where a theorem forbids them: controls need that.                                                   */
#ifndef REDUCE_H
#define REDUCE_H
#include "src/claim.h"

typedef enum {
    ONE_LAYER,           /* Theorem 4.2: all skips; Theta = W_Q of layer 0 everywhere                     */
    SHARED_BLOCK,        /* Theorem 4.3: all skips, one block for all layers; Theta = W_Q                 */
    ATTENTION_SKIP,      /* Theorem 4.4: skips around attention only; Theta_i = W_Q^i, and I at the end,
                            or Theta_1'^-1 where the head is tied                                         */
} reduction;

/* A random model, its reduction, and the bases: at[2i] before block i, at[2L] before the head. */
typedef struct { model M, R; basis at[2 * MAX_LAYERS + 1]; } reduced;

/* Sets the skips and the sharing, no norm, an untied head, and small sizes: two layers, m <= 9, SiLU. */
void reduction_switches(shape *sh, reduction which);
reduced reduce_queries(scope *s, const shape *sh, reduction which);    /* W_Q of d x d: h dk = d        */
reduced reduce_model  (scope *s, const model *M, reduction which);     /* the same for a given model    */
/* Proposition 4.1 in every layer of M, h = 1: K~ = K Q', V~ = V O, Q~ = O~ = I. */
model reduce_single_head(scope *s, const model *M);
/* Equal logits, and the induction step in each layer of a pair: it proves every depth. */
void claim_reduction(trial *t, const reduced *r);

/* Bodies: t->sh, reduced and compared. */
void reduce_one_layer(trial *t);
void reduce_shared_block(trial *t);
void reduce_attention_skip(trial *t);

/* A part that runs one of them, and shapes for programs that run all three.  Heads have an even width. */
#define REDUCED_PART(title, body, setting, ...) \
    { .name = title, .kind = PART_IDENTITY, .run = body, .prepare = setting, .no_large = true, __VA_ARGS__ }
extern const shape_case reduce_shapes[3];
#endif
