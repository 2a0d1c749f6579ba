/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_vit.c - training steps of the second paper's rows on synthetic digits, batch 256: seconds, images per second, and
 * flops beside the same run's large product.
 *
 *     b_vit                                the rows of `make bench`
 *     b_vit steps ROW STEPS                seconds of each step after one that is not counted, for bench_peers.sh */
#include <stdlib.h>
#include <string.h>
#include "src/base/clock.h"
#include "src/data/images.h"
#include "src/train/ceiling.h"
#include "src/train/vit.h"

enum { BATCH = 256, MICRO = 64 };

/* Seconds of each of the steps 1 .. `steps`, after step 0; a step is forward, backward and update. */
static void time_steps(const ops *o, const vit_config *c, const images *x, long steps, double *seconds)
{
    vit *M = vit_create(c, o, MICRO, 1);
    const size_t n = vit_net(M)->table.size;
    const long pixels = c->side * c->side * c->channels;
    void *m = alloc_wide(o, n), *v = alloc_wide(o, n);
    int32_t label[BATCH];
    double loss[MICRO], right[MICRO];
    for (long i = 0; i < BATCH; i++) label[i] = x->label[i];
    const adamw_step s = { .lr = 1e-3, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-7, .bias1 = 0.1, .bias2 = 0.001, .gradient = 1 };
    for (long k = 0; k <= steps; k++) {
        const double start = monotonic_seconds();
        o->zero(vit_net(M)->g, n);
        for (long i = 0; i < BATCH; i += MICRO)
            vit_loss(M, x->pixel + i * pixels, label + i, MICRO, loss, right, 1.0 / BATCH);
        o->adamw(vit_net(M)->w, m, v, vit_net(M)->g, n, &s);
        if (k) seconds[k - 1] = monotonic_seconds() - start;
    }
    o->release(m);
    o->release(v);
    vit_free(M);
}

static vit_config row_config(const char *name)
{
    vit_config c;
    if (!vit_row(&c, name)) die("no row is called %s", name);
    return c;
}

/* Beside the product measured just before: on a busy machine both are slow. */
static void row(const ops *o, const char *name, const images *x)
{
    enum { STEPS = 5 };
    /* Half a second: the first products of an idle processor are slow. */
    const double ceiling = 1e-9 * ceiling_products(o, 1024, 1024, 0.5);
    const vit_config c = row_config(name);
    double seconds[STEPS], best = 1e30;
    time_steps(o, &c, x, STEPS, seconds);
    for (int k = 0; k < STEPS; k++) best = seconds[k] < best ? seconds[k] : best;
    const double rate = 3e-9 * BATCH * vit_operations(&c) / best;
    printf("%-22s %7.4f s a step %8.0f images/s   %6.0f GFLOP/s  %3.0f %% of sgemm's %.0f\n", name, best, BATCH / best, rate,
           100 * rate / ceiling, ceiling);
}

static void steps_alone(const ops *o, const images *x, const char *name, long steps)
{
    const vit_config c = row_config(name);
    if (steps < 1 || c.side != 28) die("STEPS is at least 1, and ROW one of MNIST");
    double *seconds = must_calloc((size_t)steps, sizeof *seconds);
    time_steps(o, &c, x, steps, seconds);
    for (long k = 0; k < steps; k++) printf("%.6f\n", seconds[k]);
    free(seconds);
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    static const char *const rows[] = { "mnist_6_1_mlp_full", "mnist_6_4_mlp_full", "mnist_6_1_no_full", "mnist_6_4_no_sym",
                                        "mnist_6_1_no_min", "mnist_12_4_mlp_full" };
    const ops *o = ops_cpu_f32();
    images x = images_digits(1, 0, BATCH);
    if (argc == 4 && strcmp(argv[1], "steps") == 0) {
        steps_alone(o, &x, argv[2], strtol(argv[3], NULL, 10));
        images_free(&x);
        return 0;
    }
    if (argc != 1) die("give nothing, or: steps ROW STEPS");
    for (size_t k = 0; k < COUNT(rows); k++) row(o, rows[k], &x);
    images_free(&x);
    return 0;
}
