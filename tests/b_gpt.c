/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_gpt.c - tokens per second of the training step, beside the matrix product of the same run.
 *
 *     b_gpt                                the rows of `make bench`
 *     b_gpt steps L d h T V B STEPS        seconds of each step after one that is not counted, for bench_peers.sh */
#include <stdlib.h>
#include <string.h>
#include "src/base/clock.h"
#include "src/train/gpt.h"
#include "src/train/ceiling.h"

/* Seconds of each of the steps 1 .. `steps`, after step 0; a step is forward, backward and update. */
static void time_steps(const gpt_config *c, long B, long steps, double *seconds)
{
    const ops *o = ops_cpu_f32();
    gpt *M = gpt_create(c, o, B, 1);
    const size_t n = gpt_net(M)->table.size;
    const long R = B * c->T;
    void *m = alloc_wide(o, n), *v = alloc_wide(o, n);
    int32_t *token = must_calloc((size_t)R, sizeof *token);
    double *loss = must_calloc((size_t)R, sizeof *loss);
    for (long r = 0; r < R; r++) token[r] = (int32_t)(r * 7919 % c->V);
    const adamw_step s = { .lr = 1e-4, .beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8, .decay = 0.1, .bias1 = 0.1,
                           .bias2 = 0.05, .gradient = 1 };
    for (long k = 0; k <= steps; k++) {
        const double start = monotonic_seconds();
        o->zero(gpt_net(M)->g, n);
        gpt_loss(M, token, token, B, loss, 1.0 / (double)R);
        o->adamw(gpt_net(M)->w, m, v, gpt_net(M)->g, n, &s);
        net_refresh(gpt_net(M));
        if (k) seconds[k - 1] = monotonic_seconds() - start;
    }
    free(token);
    free(loss);
    o->release(m);
    o->release(v);
    gpt_free(M);
}

/* Beside the product measured just before: on a busy machine both are slow. */
static void row(const char *name, const gpt_config *c, long B)
{
    enum { STEPS = 3 };
    double seconds[STEPS], best = 1e30;
    /* Half a second: the first products of an idle processor are slow. */
    const double ceiling = 1e-9 * ceiling_products(ops_cpu_f32(), 1024, 1024, 0.5);
    time_steps(c, B, STEPS, seconds);
    for (int k = 0; k < STEPS; k++) best = seconds[k] < best ? seconds[k] : best;
    param_table t = gpt_params(c);
    const long R = B * c->T;
    /* 6 flops per weight and token, attention counted whole: 12 L d T */
    const double flops = 6 * (double)(params_count(&t) - (size_t)(c->T * c->d)) + 12 * (double)(c->L * c->d * c->T);
    printf("%-28s %8.0f tokens/s %6.0f GFLOP/s  %3.0f %% of sgemm's %.0f\n", name, (double)R / best,
           1e-9 * flops * (double)R / best, 1e-7 * flops * (double)R / best / ceiling, ceiling);
    params_free(&t);
}

static void steps_alone(char **size)
{
    long number[7];
    for (int k = 0; k < 7; k++) number[k] = strtol(size[k], NULL, 10);
    gpt_config c = gpt_default();
    c.L = number[0]; c.d = number[1]; c.h = number[2]; c.T = number[3]; c.V = number[4];
    c.m = 4 * c.d;
    const char *wrong = gpt_config_check(&c);
    if (wrong || number[5] < 1 || number[6] < 1) die("%s", wrong ? wrong : "B and STEPS are at least 1");
    double *seconds = must_calloc((size_t)number[6], sizeof *seconds);
    time_steps(&c, number[5], number[6], seconds);
    for (long k = 0; k < number[6]; k++) printf("%.6f\n", seconds[k]);
    free(seconds);
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    if (argc == 9 && strcmp(argv[1], "steps") == 0) {
        steps_alone(argv + 2);
        return 0;
    }
    if (argc != 1) die("give nothing, or: steps L d h T V B STEPS");
    gpt_config c = gpt_default();
    c.L = 6; c.d = 384; c.h = 6; c.m = 1536; c.T = 256; c.V = 256;
    row("L6 d384 T256 V256 B12", &c, 12);
    c.d = 192; c.m = 768;
    row("L6 d192 T256 V256 B12", &c, 12);
    c.L = 4; c.d = 128; c.h = 4; c.m = 512; c.T = 128;
    row("L4 d128 T128 V256 B12", &c, 12);
    c = gpt_default();
    c.T = 64;
    row("GPT-2 124M T64 B4", &c, 4);
    return 0;
}
