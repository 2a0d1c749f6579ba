/* SPDX-License-Identifier: GPL-3.0-or-later
 * run_line.c - see run_line.h. */
#include <math.h>
#include <stdlib.h>
#include "src/base/clock.h"
#include "src/train/ceiling.h"
#include "src/train/run_line.h"
#include "src/train/world.h"

run_line run_line_begin(const training_task *t, bool quiet, long first, long steps)
{
    run_line l = { .line = progress_begin(quiet || world_rank() != 0 ? PROGRESS_NONE : PROGRESS_LOG, NULL),
                   .first = first, .steps = steps };
    if (!quiet && t->flops_per_step > 0) l.ceiling = ceiling_of(t, 0.3) * (double)world_size();
    char least[PROGRESS_TIME];
    if (l.ceiling > 0) progress_time(least, (double)(steps - first) * t->flops_per_step / l.ceiling);
    progress_show(&l.line, NAN, l.ceiling > 0 ? "step %ld/%ld  at least %s left" : "step %ld/%ld", first, steps, least);
    progress_restart(&l.line, 0);
    return l;
}

void run_line_show(run_line *l, const training_task *t, long step, double loss, double metric, double step_seconds)
{
    const bool last = step == l->steps;
    if (!progress_due(&l->line, monotonic_seconds()) && !last) return;
    const double done = (double)(step - l->first), rate = done / step_seconds;
    text_buffer s = { 0 };
    if (isfinite(metric)) text_add(&s, "  %s %.4f", t->metric[0], metric);
    text_add(&s, "  %.0f %s/s", rate * t->units_per_step, t->unit);
    if (l->ceiling > 0)
        text_add(&s, "  %.0f %% of %.3g GFLOP/s", 100 * rate * t->flops_per_step / l->ceiling, l->ceiling / 1e9);
    progress_show(&l->line, progress_left(&l->line, done / (double)(l->steps - l->first)), "step %ld/%ld  loss %.4f%s",
                  step, l->steps, loss, s.at);
    text_clear(&s);
    if (last) progress_keep(&l->line);
}
