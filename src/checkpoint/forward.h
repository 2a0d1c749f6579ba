/* SPDX-License-Identifier: GPL-3.0-or-later
 * forward.h - the function of a checkpoint, from tokens to logits, over f64, mpfr or arb, a layer at a time.  Row
 * convention: X is (n x d), weights act on the right.  Per layer, with skips where the model has them: Y = X + A(N1
 * X),  X' = Y + F(N2 Y);   parallel: X' = X + A(N1 X) + F(N2 X) with norms behind (transformer.norms): Y = X + P1
 * A(X) or X + P1 A(N1 X), and so for the MLP; factors and caps as in transformer.h A(Z): softmax(factor / sqrt(dk)
 * rot(Z W_Q) rot(Z W_K)', causal, within the window) (Z W_V) W_O, head by head, with the biases The formulas are
 * taken as exact: weights are the numbers of the file, eps is the float32 next to the configuration's, gelu_new has
 * the two constants that programs hold as doubles, and so have ALiBi's slopes, powers of 2 by their rule.  Angles
 * are position theta^(-2i/rotary), of the exact formula, never of a rounded table; where a configuration scales
 * them, divided by doubles (rope.h), which depend on the length of the sequence, the last position + 1, for
 * `dynamic` and `longrope`. */
#ifndef CHECKPOINT_FORWARD_H
#define CHECKPOINT_FORWARD_H
#include "src/checkpoint/transformer.h"
#include "src/model/block.h"

/* Where the weights come from.  D gives sizes and switches.
 *   part   a matrix in x out, a vector 1 x n, made in s, or NULL where the model has none: W_Q that is the identity, a
 *          bias, a gain.  layer -1: of no layer.  Gains are given as they multiply.
 *   first, count   of ROLE_EMBED and ROLE_POSITION these rows (count x d), of ROLE_HEAD and ROLE_HEAD_BIAS these
 *          columns (d x count; 1 x count); of ROLE_UP and ROLE_GATE these columns, of ROLE_DOWN these rows, or with
 *          0, 0 the whole; of all others both are 0: the whole.
 * ROLE_QKV is never asked for: Q, K and V are, each for itself.  ROLE_HEAD of a tied head is the embedding's
 * transpose. */
typedef struct {
    const transformer *D;
    weight_part *part;
    void *of;
} weight_source;

/* The numbers of the file.  D stays the caller's.  part dies, naming the tensor, at a number that is not finite. */
weight_source weights_of_file(const transformer *D);
/* The same for one part, for sources that change a few; over f64 without bounds filled from the mapped file. */
const mat *part_of_file(const transformer *D, scope *s, tensor_role role, long layer, long first, long count);
/* The numbers of that part in doubles, to be freed, and its shape; NULL: the model has none. */
double *doubles_of_part(const transformer *D, tensor_role role, long layer, long first, long count, long *rows,
                        long *cols);
/* The tensor that holds them: of all three where W_Q, W_K, W_V are one, the embedding for a tied head; NULL: none. */
const weight_tensor *tensor_of_part(const transformer *D, tensor_role role, long layer);
/* weight_numbers; dies, naming the tensor, at a number that is not finite. */
void finite_numbers(const weight_tensor *t, size_t from, size_t n, double *x);
/* rows x cols doubles, exactly. */
const mat *mat_of_doubles(scope *s, long rows, long cols, const double *x);

/* Why the function of this model is not computed here, to be freed; NULL: it is. */
char *forward_refuses(const transformer *D);

typedef struct {
    long n;
    const long *token;                   /* in [0, V)                                                   */
    const long *position;                /* increasing, in [0, T) where positions are learned; NULL: 0, 1, 2, ... */
    long logits_from;                    /* the logits of tokens from this one on                       */
} token_list;

/* The residual stream (n x d) after each stage; STAGE_NORM: after the final norm; STAGE_LOGITS: columns first ... of
 * the logits ((n - logits_from) x some), in turn from 0 to V.  X is gone after the call: copy it in another scope. */
typedef enum { STAGE_EMBED, STAGE_ATTENTION, STAGE_MLP, STAGE_NORM, STAGE_LOGITS } forward_stage;
typedef void forward_watch(void *with, forward_stage stage, long layer, long first, const mat *X);

/* s: over f64 without bounds, mpfr or arb; frugal, or all weights stay in memory.  Where mathematics fails (a ball for
 * a variance that reaches 0) s is UNDECIDED and what is computed means nothing.
 * Contract: forward_refuses(W->D) says nothing; tokens and positions are in range. */
typedef struct forward forward;
forward   *forward_open (scope *s, const weight_source *W, const token_list *t);
/* The stream after its next stage, gone after the one behind it; NULL: STAGE_NORM was the last, whose stream stays. */
const mat *forward_next (forward *f, forward_stage *stage, long *layer);
void       forward_close(forward *f, const mat *keep);     /* with all that s made since it was opened, but for that */
/* The logits (rows of X x some) of some rows X of the stream behind the final norm: columns from `first` on, as many
 * as are computed at a time. */
const mat *forward_logits(scope *s, const weight_source *W, const mat *X, long first);
/* All of it, in turn. */
void forward_run(scope *s, const weight_source *W, const token_list *t, forward_watch *watch, void *with);
/* The logits of the last token, V numbers nearest to what s computes; its status is the scope's. */
truth forward_last_logits(const arith *R, const weight_source *W, const token_list *t, double *logits) MUST_USE;

double forward_eps(const transformer *D);            /* the float32 that is added under the root            */
/* How many weights a token meets in that stage, `columns` of the head's: what it costs, to tell how far a run is.
 * STAGE_LOGITS: columns = V for all. */
double forward_cost(const transformer *D, forward_stage stage, long columns);
double forward_whole_cost(const transformer *D);     /* of all stages                                       */
#endif
