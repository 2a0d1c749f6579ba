/* SPDX-License-Identifier: GPL-3.0-or-later
 * optim.c - see optim.h. */
#include <math.h>
#include <stdlib.h>
#include "src/train/optim.h"

const char *optim_config_check(const optim_config *c)
{
    if (!(c->peak > 0) || !(c->least >= 0) || !(c->least <= c->peak)) return "rates: 0 <= least <= peak, 0 < peak";
    if (c->warmup < 0 || c->steps < 1) return "warm-up and steps may not be negative, and one step at least is taken";
    if (c->until < 0 || c->until > c->steps) return "training ends within the steps of the schedule";
    if (!(c->beta1 >= 0 && c->beta1 < 1) || !(c->beta2 >= 0 && c->beta2 < 1)) return "betas: from 0 to less than 1";
    if (!(c->eps > 0) || !(c->decay >= 0) || !(c->clip >= 0)) return "eps > 0, decay >= 0, clip >= 0";
    return NULL;
}

double optim_rate(const optim_config *c, long step)
{
    if (step < c->warmup) return c->peak * (double)(step + 1) / (double)(c->warmup + 1);
    if (step >= c->steps || c->steps == c->warmup) return c->least;
    const double done = (double)(step - c->warmup) / (double)(c->steps - c->warmup);
    return c->least + 0.5 * (1 + cos(3.14159265358979323846 * done)) * (c->peak - c->least);
}

long optim_end(const optim_config *c) { return c->until ? c->until : c->steps; }

/* The offsets at which weights that decay end, and begin again. */
static long edges_of(const param_table *t, size_t *edge)
{
    long n = 0;
    for (long k = 0; k < t->n; k++)
        if (t->list[k].decay != (n % 2 == 0)) edge[n++] = t->list[k].at;
    return n;
}

optim optim_create(const param_table *t, const ops *o)
{
    optim s = { .m = alloc_wide(o, t->size), .v = alloc_wide(o, t->size) };
    size_t *edge = must_calloc((size_t)t->n + 1, sizeof *edge);
    s.edges = edges_of(t, edge);
    s.edge = o->alloc((size_t)s.edges * sizeof *edge);
    if (s.edges) o->upload(s.edge, edge, (size_t)s.edges * sizeof *edge);
    free(edge);
    return s;
}

void optim_free(optim *s, const ops *o)
{
    o->release(s->m);
    o->release(s->v);
    o->release(s->edge);
    *s = (optim){ .m = NULL };
}

double optim_update(optim *s, const optim_config *c, const param_table *t, const ops *o, void *w, const void *g)
{
    const double norm = sqrt(o->sumsq(g, t->size));
    if (!isfinite(norm)) return norm;
    adamw_step a = { .lr = optim_rate(c, s->step), .beta1 = c->beta1, .beta2 = c->beta2, .eps = c->eps, .gradient = 1,
                     .decay = c->decay, .edge = s->edge, .edges = c->decay > 0 ? s->edges : 0 };
    s->step++;
    a.bias1 = 1 - pow(c->beta1, (double)s->step);
    a.bias2 = 1 - pow(c->beta2, (double)s->step);
    if (c->keras) a.eps /= sqrt(a.bias2);
    if (c->clip > 0 && norm > c->clip) a.gradient = c->clip / (norm + 1e-6);
    o->adamw(w, s->m, s->v, g, t->size, &a);
    return norm;
}
