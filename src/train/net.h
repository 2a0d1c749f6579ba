/* SPDX-License-Identifier: GPL-3.0-or-later
 * net.h - what every model of the training engine has: weights and gradients, one arena for the buffers of a batch,
 * and the recorded graphs of full batches.  A model is a net and its layers (layers.h). */
#ifndef TRAIN_NET_H
#define TRAIN_NET_H
#include "src/train/params.h"

typedef struct {
    const ops  *o;
    param_table table;                   /* names, shapes and offsets of the weights                    */
    void  *w, *g;                        /* [table.size], WIDE: weights, gradients                      */
    void  *w_act;                        /* [table.size], ACT: weights as products read them; may be w  */
    char  *arena;
    size_t arena_used;                   /* bytes                                                       */
    void  *graph[2];                     /* of full batches: the loss alone, with its gradient          */
    double graph_factor;
} net;

/* Weights at their initial values.  The net frees the table.  Dies when memory runs out. */
net  net_create(const ops *o, param_table table, uint64_t seed);
/* The same without gradients, to be read only; all weights are 0.  g is NULL. */
net  net_of_weights(const ops *o, param_table table);
void net_free(net *n);
void net_refresh(net *n);                /* to be called after the weights were changed                 */

/* Calls assign(self) twice: to count what it takes from the arena (every pointer is NULL), and to hand it out. */
void  net_assign_buffers(net *n, void (*assign)(void *self), void *self);
void *arena_take     (net *n, size_t bytes);                  /* on a boundary of 128 bytes             */
void *arena_take_wide(net *n, long numbers);
void *arena_take_act (net *n, long numbers);

/* Runs body(self), the operations of a batch (ops.h, graph_run).  Full batches with the same factor on the gradient are
 * recorded; a batch that is not full is only run. */
void   net_run_batch(net *n, bool full, double factor, void (*body)(void *self), void *self);
double net_mean_loss(const net *n, const double *from, double *loss, long rows);      /* loss[rows], and their mean */

static inline bool  net_has_two_types(const net *n)                { return n->o->act != n->o->real; }
static inline void *net_weight    (const net *n, size_t offset)    { return at(n->o, n->w, offset); }
static inline void *net_weight_act(const net *n, size_t offset)    { return at_act(n->o, n->w_act, offset); }
static inline void *net_gradient  (const net *n, size_t offset)    { return at(n->o, n->g, offset); }
#endif
