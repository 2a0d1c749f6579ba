/* SPDX-License-Identifier: GPL-3.0-or-later
 * net.c - see net.h. */
#include "src/train/net.h"

net net_of_weights(const ops *o, param_table table)
{
    net n = { .o = o, .table = table, .w = alloc_wide(o, table.size) };
    n.w_act = net_has_two_types(&n) ? alloc_act(o, table.size) : n.w;
    return n;
}

net net_create(const ops *o, param_table table, uint64_t seed)
{
    net n = net_of_weights(o, table);
    n.g = alloc_wide(o, table.size);
    params_init(&n.table, o, n.w, seed);
    net_refresh(&n);
    return n;
}

void net_free(net *n)
{
    for (int k = 0; k < 2; k++) n->o->graph_free(&n->graph[k]);
    if (n->w_act != n->w) n->o->release(n->w_act);
    n->o->release(n->w);
    n->o->release(n->g);
    n->o->release(n->arena);
    params_free(&n->table);
}

void net_refresh(net *n)
{
    if (n->w_act != n->w) n->o->cast_to_act(n->w_act, n->w, n->table.size);
}

/* ---- buffers --------------------------------------------------------------------------------------------- */

void net_assign_buffers(net *n, void (*assign)(void *self), void *self)
{
    assign(self);
    n->arena = n->o->alloc(n->arena_used);
    n->arena_used = 0;
    assign(self);
}

void *arena_take(net *n, size_t bytes)
{
    void *x = n->arena ? n->arena + n->arena_used : NULL;
    n->arena_used += (bytes + 127) / 128 * 128;
    return x;
}

void *arena_take_wide(net *n, long numbers) { return arena_take(n, (size_t)numbers * n->o->real); }
void *arena_take_act (net *n, long numbers) { return arena_take(n, (size_t)numbers * n->o->act); }

/* ---- batches --------------------------------------------------------------------------------------------- */

void net_run_batch(net *n, bool full, double factor, void (*body)(void *self), void *self)
{
    if (!full) {
        body(self);
        return;
    }
    void **graph = &n->graph[factor != 0];
    if (factor != 0 && factor != n->graph_factor) {
        n->o->graph_free(graph);
        n->graph_factor = factor;
    }
    n->o->graph_run(graph, body, self);
}

double net_mean_loss(const net *n, const double *from, double *loss, long rows)
{
    n->o->download(loss, from, (size_t)rows * sizeof *loss);
    double sum = 0;
    for (long r = 0; r < rows; r++) sum += loss[r];
    return sum / (double)rows;
}
