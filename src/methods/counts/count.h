/* SPDX-License-Identifier: GPL-3.0-or-later
 * count.h - what a described model holds and does: parameters by kind, operations per token, gauge
 * dimension, and what each theorem could remove. */
#ifndef COUNT_H
#define COUNT_H
#include "src/methods/counts/describe.h"

typedef struct {
    long query, key, value, output;      /* matrices, over all layers                                   */
    long up, gate, down, router;
    long attention_bias, mlp_bias;
    long norm;                           /* gains and biases of all norms                               */
    long tokens, patch, positions, extra, head;            /* outside the layers, biases included       */
} counts;
counts count_parameters(const description *m);
long count_attention(const counts *c);   /* the four matrices                                           */
long count_mlp      (const counts *c);   /* matrices of the MLPs and routers                            */
long count_embedding(const counts *c);   /* tokens, patches, positions, further vectors and the head    */
long count_total    (const counts *c);

/* One count by its name ("query", "nonembedding", ...); false: no such name. */
bool count_named(const description *m, const char *name, long *out);

/* Multiplications and additions of a forward pass for one token (2 per product): with the matrices, and
 * with the other tokens of a full context (scores and their mix; causal models need half of it). */
typedef struct { long matrices, context; } operations;
operations count_operations(const description *m);

/* The dimension of the set of weights with the same function, the formula of N8; -1 and a reason where the
 * model is not one of those it was certified for.  `least` is what K-P3.2 and N1 alone give. */
typedef struct { long dimension, least; const char *why; } gauge_count;
gauge_count count_gauge(const description *m);

/* The weights of W_Q in all layers, and of the dimensions of functions those that are lost with W_Q = I in all of
 * them (N9, N18, N19, N20); -1 and a reason. */
typedef struct { long weights, lost; const char *why; } query_count;
query_count count_query(const description *m);

/* What one theorem could remove from the model without changing its function. */
typedef struct {
    const char *claim, *what;
    long removed;                        /* parameters; 0 where it does not apply                       */
    const char *why_not;                 /* NULL: it applies                                            */
} removal;
enum { COUNT_REMOVALS = 11 };
void count_removals(const description *m, removal out[COUNT_REMOVALS]);
#endif
