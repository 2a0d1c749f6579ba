/* SPDX-License-Identifier: GPL-3.0-or-later
 * expansion.h - parts of a transformer that do nothing, or what another part does as well, undone.
 *
 *   a neuron whose row of down is 0, or whose activation is 0 for every input, and a head whose rows of W_O are 0, or
 *   whose columns of W_V and b_V are, add 0 to the stream; a layer of such parts with b_O = b_down = 0 is the identity
 *   between its skips;
 *   neurons with equal columns (and biases) have equal activations a: a v + a w = a (v + w), so one of them does with
 *   the sum of the rows of down; heads with equal W_Q, W_K, W_V and biases likewise with the sum of their rows of W_O;
 *   key heads with equal W_K, W_V and biases are one: a key head repeated for its query heads (GQA written as MHA).
 *
 * All of it is exact: numbers are equal where they compare as equal, and rows are added up only where every sum is a
 * double.  What is left has its sizes from both models, so that the two can be compared; layers with less are filled up
 * with heads and neurons of zeros, behind the others. */
#ifndef CHECKPOINT_EXPANSION_H
#define CHECKPOINT_EXPANSION_H
#include "src/checkpoint/transformer.h"

typedef enum {
    UNDONE_LAYERS, UNDONE_SILENT_HEADS, UNDONE_EQUAL_HEADS, UNDONE_EQUAL_KEYS, UNDONE_SILENT_NEURONS,
    UNDONE_EQUAL_NEURONS, UNDONE_MOVED_HEADS, UNDONE_MOVED_NEURONS, UNDONE_MOVED_EXPERTS, UNDONE_TOKENS,
    UNDONE_POSITIONS, UNDONE_KINDS
} undone_kind;
/* n of `of`, in each of the layers first ... last; -1: of none. */
typedef struct { undone_kind kind; long first, last, n, of; } undone;

/* Its numbers lie in the file, or in `tensor`. */
typedef struct {
    transformer D;
    weight_tensor **tensor;
    long tensors;
    undone *at;
    long n;
} contracted;

/* Of both what is left.  false: nothing can be undone, or other numbers of layers are left; then nothing is to free.
 * Contract: forward_refuses() is silent for both. */
bool  expansions_undo(const transformer *A, const transformer *B, contracted to[2]);
/* The first V tokens and the first T positions of a learned table, where it has more; 0: all positions. */
contracted contracted_tokens(const transformer *D, long V, long T);
/* from[layer E + e]: which expert of that layer is the one at e; the shared one stays. */
contracted contracted_experts(const transformer *D, const long *from);
void  contracted_free(contracted *c);
char *undone_words(const undone *u);     /* "layer 3: 24 of 88 neurons do nothing", to be freed */
extern const char *const undone_name[UNDONE_KINDS];
#endif
