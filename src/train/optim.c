/* optim.c - see optim.h. */
#include <math.h>
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

optim optim_create(const param_table *t, const ops *o)
{
    return (optim){ alloc_wide(o, t->size), alloc_wide(o, t->size), 0 };
}

void optim_free(optim *s, const ops *o)
{
    o->release(s->m);
    o->release(s->v);
    *s = (optim){ NULL, NULL, 0 };
}

static double decay_of(const optim_config *c, const param *p) { return p->decay ? c->decay : 0; }

double optim_update(optim *s, const optim_config *c, const param_table *t, const ops *o, void *w, const void *g)
{
    const double norm = sqrt(o->sumsq(g, t->size));
    if (!isfinite(norm)) return norm;
    adamw_step a = { .lr = optim_rate(c, s->step), .beta1 = c->beta1, .beta2 = c->beta2, .eps = c->eps, .gradient = 1 };
    s->step++;
    a.bias1 = 1 - pow(c->beta1, (double)s->step);
    a.bias2 = 1 - pow(c->beta2, (double)s->step);
    if (c->keras) a.eps /= sqrt(a.bias2);
    if (c->clip > 0 && norm > c->clip) a.gradient = c->clip / (norm + 1e-6);
    for (long k = 0; k < t->n;) {                           /* neighbours with the same decay in one call */
        const size_t from = t->list[k].at;
        a.decay = decay_of(c, &t->list[k]);
        while (k < t->n && decay_of(c, &t->list[k]) == a.decay) k++;
        o->adamw(at(o, w, from), at(o, s->m, from), at(o, s->v, from), at(o, g, from),
                 (k < t->n ? t->list[k].at : t->size) - from, &a);
    }
    return norm;
}
