/* SPDX-License-Identifier: GPL-3.0-or-later
 * step.c - one step of training: see run.h. */
#include <math.h>
#include "src/train/run.h"
#include "src/train/world.h"

training_step run_step(const optim_config *c, const training_task *t, optim *s, bool stop)
{
    net *n = t->net;
    n->o->zero(n->g, n->table.size);
    double sum[] = { t->step(t->self, s->step), stop };
    world_sum_wide(n->o, n->g, n->table.size);
    world_sum_doubles(sum, COUNT(sum));
    training_step is = { .mean = sum[0], .norm = NAN, .stopped = sum[1] > 0 };
    if (isfinite(is.mean)) is.norm = optim_update(s, c, &n->table, n->o, n->w, n->g);
    if (isfinite(is.norm)) net_refresh(n);
    return is;
}

tally run_tally(const optim_config *c, const training_task *t)
{
    optim s = optim_create(&t->net->table, t->net->o);
    tally_clear();
    run_step(c, t, &s, false);
    const tally is = tally_now();
    optim_free(&s, t->net->o);
    return is;
}
