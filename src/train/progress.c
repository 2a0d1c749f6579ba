/* progress.c - see progress.h. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include "src/base/clock.h"
#include "src/train/progress.h"
#include "src/train/world.h"

enum { ROWS = 1024, MOST_SIDE = 8192 };

static void *filled(const ops *o, size_t n)
{
    double *x = must_calloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = (double)(i * 2654435761u % 1024) / 512 - 1;
    void *y = alloc_act(o, n);
    o->put_act(y, x, n);
    free(x);
    return y;
}

double progress_products(const ops *o, long N, long K, double seconds)
{
    void *x = filled(o, (size_t)(ROWS * K)), *W = filled(o, (size_t)(N * K)), *y = alloc_act(o, (size_t)(ROWS * N));
    double best = 0, one;
    const double begun = monotonic_seconds();
    for (long times = 1; monotonic_seconds() - begun < seconds;) {
        const double start = monotonic_seconds();
        for (long k = 0; k < times; k++) o->gemm(false, true, ROWS, N, K, 1, x, K, W, K, 0, NULL, y, N, ACT);
        o->get_act(&one, y, 1);          /* waits until asynchronous products have finished            */
        const double used = monotonic_seconds() - start, rate = 2.0 * ROWS * (double)(N * K) * (double)times / used;
        best = rate > best ? rate : best;
        if (used < 2e-3) times *= 2;     /* short enough that some are not disturbed by other programs  */
    }
    o->release(x);
    o->release(W);
    o->release(y);
    return best;
}

double progress_ceiling(const training_task *t, double seconds)
{
    const param *list = t->net->table.list, *largest = list;
    for (long k = 1; k < t->net->table.n; k++)
        if (list[k].rows * list[k].cols > largest->rows * largest->cols) largest = &list[k];
    const long N = largest->rows < MOST_SIDE ? largest->rows : MOST_SIDE;
    const long K = largest->cols < MOST_SIDE ? largest->cols : MOST_SIDE;
    return progress_products(t->net->o, N, K, seconds);
}

static void begin_line(const progress *p, long step, long steps)
{
    fprintf(stderr, "%sstep %ld/%ld", p->terminal ? "\r" : "", step, steps);
}

static void end_line(const progress *p, bool stays)
{
    fprintf(stderr, "%s%s", p->terminal ? "\033[K" : "", stays || !p->terminal ? "\n" : "");
}

progress progress_begin(const training_task *t, bool quiet, long first, long steps)
{
    progress p = { .shown = !quiet && world_rank() == 0, .terminal = isatty(STDERR_FILENO), .first = first };
    if (!quiet && t->flops_per_step > 0) p.ceiling = progress_ceiling(t, 0.3) * (double)world_size();
    if (p.shown) {
        begin_line(&p, first, steps);
        if (p.ceiling > 0) {
            fprintf(stderr, "  at least ");
            clock_put_left(stderr, (double)(steps - first) * t->flops_per_step / p.ceiling);
        }
        end_line(&p, false);
    }
    progress_first_step(&p);
    return p;
}

void progress_first_step(progress *p)
{
    p->begun = monotonic_seconds();
    p->wait = p->terminal ? 0.25 : 1;
    p->next = p->begun + (p->terminal ? 0 : p->wait);
}

bool progress_due(progress *p, double now)
{
    if (now < p->next) return false;
    if (!p->terminal) p->wait = p->wait < 8 ? 8 : 60;
    p->next = now + p->wait;
    return true;
}

void progress_show(progress *p, const training_task *t, long step, long steps, double loss, double metric,
                   double step_seconds)
{
    const double now = monotonic_seconds();
    const bool last = step == steps;
    if (!p->shown || !(last || progress_due(p, now))) return;
    const double steps_done = (double)(step - p->first), rate = steps_done / step_seconds;
    begin_line(p, step, steps);
    fprintf(stderr, "  loss %.4f", loss);
    if (isfinite(metric)) fprintf(stderr, "  %s %.4f", t->metric[0], metric);
    fprintf(stderr, "  %.0f %s/s", rate * t->units_per_step, t->unit);
    if (p->ceiling > 0)
        fprintf(stderr, "  %.0f %% of %.3g GFLOP/s", 100 * rate * t->flops_per_step / p->ceiling, p->ceiling / 1e9);
    fprintf(stderr, "  ");
    clock_put_left(stderr, (double)(steps - step) * (now - p->begun) / steps_done);
    end_line(p, last);
}
