/* b_vit.c - training steps of the second paper's rows on synthetic digits, batch 256: seconds, images per second, and
 * flops beside the same run's large product. */
#include <stdlib.h>
#include "src/data/images.h"
#include "src/base/clock.h"
#include "src/train/vit.h"

enum { BATCH = 256, MICRO = 64 };

static double product_rate(const ops *o)
{
    enum { N = 1024 };
    void *A = alloc_act(o, N * N), *C = alloc_act(o, N * N);
    double best = 0;
    for (int k = 0; k < 5; k++) {
        const double start = monotonic_seconds();
        o->gemm(false, true, N, N, N, 1, A, N, A, N, 0, NULL, C, N, ACT);
        const double rate = 2e-9 * N * N * N / (monotonic_seconds() - start);
        best = rate > best ? rate : best;
    }
    o->release(A);
    o->release(C);
    return best;
}

/* Beside the product measured just before: on a busy machine both are slow. */
static void row(const ops *o, const char *name, const images *x)
{
    const double ceiling = product_rate(o);
    vit_config c;
    if (!vit_row(&c, name)) die("no row is called %s", name);
    vit *M = vit_create(&c, o, MICRO, 1);
    const size_t n = vit_net(M)->table.size;
    void *m = alloc_wide(o, n), *v = alloc_wide(o, n);
    int32_t label[BATCH];
    double loss[MICRO], right[MICRO], best = 1e30;
    for (long i = 0; i < BATCH; i++) label[i] = x->label[i];
    const adamw_step s = { .lr = 1e-3, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-7, .bias1 = 0.1, .bias2 = 0.001, .gradient = 1 };
    for (int k = 0; k < 6; k++) {
        const double start = monotonic_seconds();
        o->zero(vit_net(M)->g, n);
        for (long i = 0; i < BATCH; i += MICRO)
            vit_loss(M, x->pixel + i * 784, label + i, MICRO, loss, right, 1.0 / BATCH);
        o->adamw(vit_net(M)->w, m, v, vit_net(M)->g, n, &s);
        if (k && monotonic_seconds() - start < best) best = monotonic_seconds() - start;
    }
    const double rate = 3e-9 * BATCH * vit_operations(&c) / best;
    printf("%-22s %7.4f s a step %8.0f images/s   %6.0f GFLOP/s  %3.0f %% of sgemm's %.0f\n", name, best, BATCH / best, rate,
           100 * rate / ceiling, ceiling);
    o->release(m);
    o->release(v);
    vit_free(M);
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    static const char *const rows[] = { "mnist_6_1_mlp_full", "mnist_6_4_mlp_full", "mnist_6_1_no_full", "mnist_6_4_no_sym",
                                        "mnist_6_1_no_min", "mnist_12_4_mlp_full" };
    const ops *o = ops_cpu_f32();
    images x = images_digits(1, 0, BATCH);
    for (size_t k = 0; k < COUNT(rows); k++) row(o, rows[k], &x);
    images_free(&x);
    return 0;
}
