/* SPDX-License-Identifier: GPL-3.0-or-later
 * transformer.h - one description of a decoder or encoder behind all formats: sizes, switches, places of weights. */
#ifndef CHECKPOINT_TRANSFORMER_H
#define CHECKPOINT_TRANSFORMER_H
#include "src/checkpoint/weights.h"
#include "src/model/role.h"

typedef enum { NORM_OF_NONE, NORM_OF_LAYER, NORM_OF_RMS } norm_of_model;
typedef enum { QK_PLAIN, QK_BY_HEAD, QK_WHOLE } qk_norms;       /* of a head; of all heads together              */
/* What one layer does otherwise than the model: bits of transformer.layer. */
/* Biases of ROLE_BUCKETS. */
enum { DISTANCE_BUCKETS = 32 };
enum { LAYER_SEES_ALL = 1, LAYER_DOES_NOT_TURN = 2, LAYER_HAS_EXPERTS = 4 };
/* ALiBi: a head adds slope (position of the key - position of the query) to its scores. */
typedef enum { POSITIONS_NONE, POSITIONS_LEARNED, POSITIONS_ROTARY, POSITIONS_ALIBI } position_kind;
typedef enum { PAIRS_NONE, PAIRS_HALVES, PAIRS_ADJACENT } rotary_pairs;    /* (i, i + dk/2); (2i, 2i + 1)   */
/* Q|K|V; (Q|K|V) key head by key head, each with the query heads that share it; Q|K|V one below the other, which become
 * views: then FUSED_NOT. */
typedef enum { FUSED_NOT, FUSED_BLOCKS, FUSED_HEADS, FUSED_ROWS } fused_qkv;

/* How the frequencies of rotary angles are scaled: rope.h. */
typedef enum { ROPE_PLAIN, ROPE_LINEAR, ROPE_DYNAMIC, ROPE_LLAMA3, ROPE_YARN, ROPE_LONGROPE, ROPE_KINDS } rope_kind;
typedef struct {
    rope_kind kind;
    double  factor, attention;           /* cosines and sines are multiplied by `attention`             */
    double  slow, fast;                  /* turns within the original positions: below, fully scaled; above, not */
    bool    unrounded;                   /* yarn's bounds stay what they are                            */
    long    original;                    /* positions that it was trained for                           */
    double *table, *far_table;           /* rotary / 2 divisors, those of longer sequences; NULL: none  */
} rope_scaling;

struct architecture;                     /* architecture.h                                              */

typedef struct {
    const struct architecture *arch;     /* NULL: none that is known                                    */
    char *unknown;                       /* NULL, or why nothing is known about this model: no more is filled in */
    char *beyond;                        /* NULL, or what it does beyond this description: its theorems may hold, but
                                            it is not evaluated                                         */
    const char *own_code;                /* NULL, or the code of its own that the configuration names (auto_map): its
                                            function may be any                                            */
    char **unknown_key;                  /* "KEY = VALUE": settings that are neither read nor known to have no effect */
    long  unknown_keys;                  /* where there is one, nothing is equal "for all inputs"           */
    long  window;                        /* positions that a token sees, itself included; 0: all        */
    char  family[32];                    /* "gpt2", "llama", as the file says                           */
    long  L, d, h, h_kv, dk, m, V, T;    /* T: positions, 0: not said.  h = 0: not said                 */
    norm_of_model norm;
    double eps;                          /* 0: not said                                                 */
    bool  norm_bias, offset_gain;        /* gains multiply by 1 + w                                     */
    norm_places norms;
    qk_norms qk;
    unsigned char *layer;                /* [L]: LAYER_SEES_ALL | LAYER_DOES_NOT_TURN; NULL: no layer differs */
    double embed_factor;                 /* of the embedding; of what attention and MLP add             */
    double added_factor, logit_factor, logit_divisor;      /* logits are multiplied by the one, divided by the other */
    double scale;                        /* scores are multiplied by it; 0: by factor / sqrt(dk)      */
    double score_cap, logit_cap;         /* x becomes cap tanh(x / cap); 0: it does not.  score_cap goes
                                            with a scale                                                */
    weight_tensor *view;                 /* [views]: parts of tensors that hold several; NULL: there are none */
    long  views;
    position_kind positions;
    rotary_pairs pairs;
    long  rotary;                        /* coordinates of a head that turn                             */
    double theta;
    double local_theta;                  /* of layers within a window, whose angles are plain; 0: no other */
    rope_scaling rope;
    double factor;                       /* scores are multiplied by factor / sqrt(dk)                */
    char  activation[32];                /* "" : not said                                               */
    bool  gated, tied, parallel, attn_skip, mlp_skip, qk_norm, biases, in_out;
    long  experts, chosen;               /* of a layer that has experts; of which a token meets so many; 0: none has */
    long  expert_m, shared_m;            /* neurons of an expert; of the one that all tokens meet, 0: there is none */
    bool  chosen_sum;                    /* the weights of those chosen sum to 1; else those of all do  */
    bool  encoder;                       /* tokens see those behind them, too                           */
    bool  headless;                      /* the stream behind the last layer is what it computes        */
    long  outputs;                       /* numbers that it computes for each token: V, 1, or d without a head  */
    long  pad;                           /* that token has no position, and those behind it are counted without it;
                                            -1: all tokens have one                                     */
    bool  buckets;                       /* scores have biases of ROLE_BUCKETS                          */
    long  types;                         /* of tokens; the first is added to all.  0: there are none    */
    char  head_activation[32];           /* behind ROLE_DENSE                                           */
    bool  slim;                          /* N11: ROLE_V acts on the keys before their rotation, V = K W_V + b_V */
    long *value_rows;                    /* [layer][key head][i]: which row of W_V is row i of I in this head, and not
                                            stored; NULL: W_V is whole                                   */
    bool  identity[3];                   /* W_Q, W_K, W_V that is the identity and not stored           */
    fused_qkv fused;
    bool  embed_norm;                    /* a norm behind the embedding                                 */
    bool  gate_over_up;                  /* one tensor, which becomes views                             */
    long  skipped;                       /* rows in front of the table of positions that no token reads */
    const weight_tensor **at;            /* [(layer + 1) * ROLES + role], layer -1: of no layer; see experts.h */
    long  unknown_tensors;
    const weight_tensor *first_unknown;
    long  unreadable;                    /* matrices whose type cannot be read                          */
    const char *unreadable_type;         /* of the first of them, as the file says                      */
    long  quantised;                     /* tensors whose numbers lie in blocks (quantised.h)           */
    size_t parameters, bytes;
} transformer;

/* Fills in the roles of the tensors, too.  Dies where the configuration and the tensors contradict each other, or where
 * a tensor of a known model is missing. */
transformer transformer_of(weights *w);
void    transformer_free(transformer *D);
const weight_tensor *tensor_of(const transformer *D, tensor_role role, long layer);      /* NULL: not there    */
bool norms_in_front(const transformer *D);               /* of attention, so that gains go into its matrices   */
/* Gauges of heads and orders of heads and neurons, in the basis of the file, are symmetries of this model though
 * own_symmetries() says why others are not. */
bool symmetric_within(const transformer *D);
/* A number for each token of the vocabulary, over which a softmax would run. */
bool has_token_logits(const transformer *D);
/* NULL, or why the symmetries and changes of basis that are known here are not those of this model. */
const char *own_symmetries(const transformer *D);
/* Has it settings that formats other than its own cannot hold? */
bool        has_own_settings(const transformer *D);
extern const char *const role_name[ROLES];

typedef enum { PROJECT_Q, PROJECT_K, PROJECT_V } projection;
long projection_heads(const transformer *D, projection p);                /* h or h_kv                 */
/* Of FUSED_HEADS: before how many heads of the tensor that head stands. */
long fused_head(const transformer *D, projection p, long head);
/* Columns of `count` heads from head `first` of W_Q, W_K or W_V as a d x (count dk) matrix (in x out), row by row.
 * Contract: its numbers can be read, and it is stored. */
void projection_columns(const transformer *D, projection p, long layer, long first, long count, double *x);
#endif
