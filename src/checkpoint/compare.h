/* SPDX-License-Identifier: GPL-3.0-or-later
 * compare.h - two checkpoints on given tokens: the gap of the residual stream after each stage, and of the logits.
 *
 * What counts as equal is derived from the types.  Rounding changes each weight w by at most u |w|, where u is the unit
 * roundoff of the type that stores it; so each model is run again with every weight times 1 +- u, the signs drawn, and
 * how far its streams and logits move is what rounding explains.  Parts that are equal number by number move by what
 * the evaluation in doubles explains alone: 2^-53 for each term of the longest sum.  The tolerance is COMPARE_FACTOR
 * times the largest movement of A plus that of B.  It is an estimate; gaps that are certified need none.  It is a
 * figure: that a part is off by more than rounding, the tensors show, and no tolerance here excuses it. */
#ifndef CHECKPOINT_COMPARE_H
#define CHECKPOINT_COMPARE_H
#include "src/checkpoint/forward.h"
#include "src/checkpoint/structure.h"

enum { COMPARE_DRAWS = 2, COMPARE_FACTOR = 4, COMPARE_TOP = 5 };

typedef struct { forward_stage stage; long layer; double gap, tolerance; } stage_gap;    /* of max |entry| */

typedef struct {
    stage_gap *at;                       /* embedding, attention 0, MLP 0, ..., final norm, logits; NULL: other sizes */
    long   stages;
    double unit[2];                      /* u of A and of B: the largest                                */
    double most;                         /* largest |logit|                                             */
    double logits, logits_tolerance;     /* max |a - b|                                                 */
    double shift, shift_tolerance;       /* the same up to one constant per token: half of max - min of a - b */
    double divergence, mean_divergence;  /* KL of softmax(A) and softmax(B), largest and mean over tokens */
    long   tokens, same_first;           /* tokens whose logits were compared; with the same largest logit */
    long   near_ties, computed_ties;     /* with another, where the token's own gap is at most the tolerance; at most
                                            what evaluation in doubles explains: then A's lead is at most twice that */
    double moved[2];                     /* of the logits of A and of B by rounding: their largest movement */
    double computing;                    /* errors of the logits that evaluation in doubles may make    */
    double top;                          /* mean share of the COMPARE_TOP largest that both have        */
    long   list, token, position;        /* where logits differ first by more than the tolerance; list -1: nowhere */
} token_gaps;

typedef struct {
    void (*tell)(void *with, double share);      /* is told how much of the work is done, in [0, 1]; NULL: nobody is */
    void *with;
    long logits;                         /* of a run that are in memory at a time, at least those of a token; 0: 2^24 */
} compare_watch;

/* lists: of n.  parts: which parts are not equal number by number; NULL: all.  Contract: equal V; forward_refuses() is
 * silent for both; tokens and positions are in range for both. */
token_gaps compare_on_tokens(const transformer *A, const transformer *B, const structure *parts, long n,
                             const token_list *lists, uint64_t seed, compare_watch watch);
void token_gaps_free(token_gaps *g);

/* The same gaps enclosed: low <= max |a - b| <= high for the functions of the two files, on those tokens.  Balls of
 * `bits` bits. */
typedef struct {
    const char *why;                     /* NULL, or why nothing could be enclosed                      */
    bool   wide;                         /* then: more bits may help                                    */
    double low, high;                    /* of the logits                                               */
    double shift_low, shift_high;        /* up to one constant per token                                */
    long   tokens, same_first, other_first;      /* whose largest logits certainly are the same, certainly are not */
} certified_gaps;
certified_gaps compare_certified(const transformer *A, const transformer *B, long bits, long n,
                                 const token_list *lists, compare_watch watch);

/* ---- between compare.c and certified.c ----------------------------------------------------------------------- */

typedef struct { compare_watch watch; double done, all; } compare_work;
/* Runs of A and of B, `runs` each, on the n lists. */
compare_work compare_work_of(const transformer *A, const transformer *B, double runs, long n, const token_list *lists,
                             compare_watch watch);
/* `tokens` of a list went through that stage. */
void compare_work_done(compare_work *w, const transformer *D, long tokens, forward_stage stage, long columns);
#endif
