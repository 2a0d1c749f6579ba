/* SPDX-License-Identifier: GPL-3.0-or-later
 * stack_family.h - attention stacks of the second paper (no MLP, no biases, unmasked), as functions and as families.
 *
 *     Z = [N] X,   X' = [X +] sum_h softmax((Z Q_h)(Z K_h)') Z V_h O_h,   s = 1 .. S,   tokens are rows of X (T x N)
 *
 * with N a LayerNorm without gains.  Forms of the weights:
 *     STACK_FACTORS    Q, K, V, O of N x N per layer, H heads of width r = N/H
 *     STACK_SHARED     the same with K = Q: symmetric scores
 *     STACK_PRODUCTS   M = Q K', O := V O, both N x N, one head
 *     STACK_COLLAPSED  M in every layer, O = I, and one matrix W (N x N) after the last
 *     STACK_MIRRORED   collapsed with M = B B': symmetric scores
 * As a family the inputs X are arbitrary; its dimension is decided as in dimension.h, by explicit null vectors:
 * a basis change between two layers (no skip, no norm, O free), Q A, -K A' and V B, -B O inside a head, B A with A
 * skew, and for a collapsed stack behind LayerNorm M + 1 v' + w 1', W + 1 v'.                                     */
#ifndef STACK_FAMILY_H
#define STACK_FAMILY_H
#include "src/methods/rank/dimension_claim.h"

typedef enum { STACK_FACTORS, STACK_SHARED, STACK_PRODUCTS, STACK_COLLAPSED, STACK_MIRRORED } stack_form;
enum { MAX_STACK = 8 };
typedef struct { long S, N, H, T; bool skip, norm; stack_form form; rowmap_kind attention; } stack_shape;
typedef struct { const mat *Q, *K, *V, *O; } stack_layer;          /* PRODUCTS: Q = M, K NULL, O; COLLAPSED: Q = M;
                                                                      MIRRORED: Q = B; SHARED: K = Q               */
typedef struct { stack_shape s; stack_layer at[MAX_STACK]; const mat *W; } stack;   /* W: NULL unless collapsed   */

stack stack_random(scope *s, stack_shape sh);
const mat *stack_forward(scope *s, const stack *A, const mat *X);  /* T x N                                       */
/* (P_{s-1} M_s P_{s-1}', I)_s and W = P_S, P_s = O_1 .. O_s, of a stack of products. */
stack stack_collapse(scope *s, const stack *A);

dimension stack_dimension(trial *t, const stack_shape *sh);        /* as claim_find                               */
/* Null vectors are null, the bounds meet, and the rank is as given. */
void claim_stack_rank(trial *t, const char *what, const stack_shape *sh, long expected);
/* The rank is more than `least`: a lower bound alone. */
void claim_stack_exceeds(trial *t, const char *what, const stack_shape *sh, long least);
#endif
