/* SPDX-License-Identifier: GPL-3.0-or-later
 * bench.c - `make bench-gpu`: throughput of the GPU's operations and training steps, relative to ceilings measured
 * in the same run: a product of large bf16 matrices, and a copy.  Medians of ROUNDS after a warm-up, inputs random.
 * --operations: no training steps.  --tiny runs everything once on small shapes, only to test the program: its figures
 * are meaningless. */
#include <stdlib.h>
#include <string.h>
#include "cuda/attn.h"
#include "cuda/backend.h"
#include "cuda/device.h"
#include "src/train/gpt.h"
#include "src/train/optim.h"
#include "src/base/clock.h"
#include "src/base/version.h"

enum { ROUNDS = 5 };
static bool tiny;

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds of one call: the median of ROUNDS of so many that they take a hundredth of a second. */
static double seconds_of(void (*f)(void *), void *with)
{
    double round[ROUNDS];
    f(with);
    cuda_wait();
    double start = monotonic_seconds();
    f(with);
    cuda_wait();
    const double once = monotonic_seconds() - start;
    if (tiny) return once;
    const long n = once > 0.01 ? 1 : (long)(0.01 / once) + 1;
    for (int k = 0; k < ROUNDS; k++) {
        start = monotonic_seconds();
        for (long i = 0; i < n; i++) f(with);
        cuda_wait();
        round[k] = (monotonic_seconds() - start) / (double)n;
    }
    qsort(round, ROUNDS, sizeof *round, ascending);
    return round[ROUNDS / 2];
}

/* ---- operations at the shapes of the 124M model ------------------------------------------------------------ */

typedef struct {
    const ops *o;
    long   R, T, C, M, V, H;
    void  *x, *dx, *w, *m, *v, *g;       /* wide, R M numbers each                                       */
    void  *a, *da, *b;                   /* act, R M                                                     */
    void  *logits, *work, *mean, *rstd, *lse;
    int32_t *token;
    double *loss;
    long   rows;                         /* of logits                                                    */
    attn_shape s;
} tensors;

static void *filled(const ops *o, size_t n, bool wide, uint64_t counter)
{
    const uint32_t key[2] = { 1, 2 };
    void *act = alloc_act(o, n);
    o->randn(act, n, key, counter);
    if (!wide) return act;
    void *x = alloc_wide(o, n);
    o->add(x, act, n);
    o->release(act);
    return x;
}

static tensors tensors_of(const ops *o)
{
    tensors t = { .o = o, .R = tiny ? 32 : 16384, .T = tiny ? 16 : 1024, .C = tiny ? 32 : 768, .V = tiny ? 64 : 50304,
                  .H = tiny ? 2 : 12 };
    t.M = 4 * t.C;
    const size_t n = (size_t)(t.R * t.M);
    void **wide[] = { &t.x, &t.dx, &t.w, &t.m, &t.v, &t.g }, **act[] = { &t.a, &t.da, &t.b };
    for (size_t k = 0; k < COUNT(wide); k++) *wide[k] = filled(o, n, true, k << 32);
    for (size_t k = 0; k < COUNT(act); k++)  *act[k] = filled(o, n, false, (k + 8) << 32);
    o->zero(t.v, n);
    t.rows = (long)(o->logits / (size_t)t.V) < t.R ? (long)(o->logits / (size_t)t.V) : t.R;
    t.logits = filled(o, (size_t)(t.rows * t.V), false, 20UL << 32);
    t.s = (attn_shape){ .B = t.R / t.T, .T = t.T, .H = t.H, .D = t.C / t.H, .scale = 0.125, .causal = true };
    t.work = o->alloc(t.s.room = o->attn_work(&t.s));
    t.mean = alloc_wide(o, (size_t)t.R);
    t.rstd = alloc_wide(o, (size_t)t.R);
    t.lse = alloc_wide(o, (size_t)(t.R * t.H));
    t.loss = o->alloc((size_t)t.R * sizeof *t.loss);
    t.token = o->alloc((size_t)t.R * sizeof *t.token);
    int32_t *token = must_calloc((size_t)t.R, sizeof *token);
    for (long r = 0; r < t.R; r++) token[r] = (int32_t)(r * r % 7919 % t.V);
    o->upload(t.token, token, (size_t)t.R * sizeof *token);
    free(token);
    return t;
}

static void tensors_free(tensors *t)
{
    void *all[] = { t->x, t->dx, t->w, t->m, t->v, t->g, t->a, t->da, t->b, t->logits, t->work, t->mean, t->rstd,
                    t->lse, t->token, t->loss };
    for (size_t k = 0; k < COUNT(all); k++) t->o->release(all[k]);
}

#define T(name) static void name(void *self) { const tensors *t = self; const ops *o = t->o;
T(b_gemm_fwd) o->gemm(false, true, t->R, t->M, t->C, 1, t->a, t->C, t->b, t->C, 0, NULL, t->da, t->M, ACT); }
T(b_gemm_dx)  o->gemm(false, false, t->R, t->C, t->M, 1, t->a, t->M, t->b, t->C, 0, NULL, t->da, t->C, ACT); }
T(b_gemm_dw)  o->gemm(true, false, t->M, t->C, t->R, 1, t->a, t->M, t->b, t->C, 1, t->g, t->g, t->C, WIDE); }
T(b_gemm_add) o->gemm(false, true, t->R, t->C, t->M, 1, t->a, t->M, t->b, t->M, 1, t->x, t->dx, t->C, WIDE); }
T(b_head)     o->gemm(false, true, t->rows, t->V, t->C, 1, t->a, t->C, t->b, t->C, 0, NULL, t->logits, t->V, ACT); }
T(b_norm)     o->norm_fwd(t->a, t->mean, t->rstd, t->x, t->w, NULL, t->R, t->C, 1e-5); }
T(b_norm_bwd) o->norm_bwd(t->dx, t->da, t->g, NULL, t->a, t->x, t->mean, t->rstd, t->w, t->R, t->C); }
T(b_gelu)     o->activation_fwd(t->da, t->a, (size_t)(t->R * t->M), ACTIVATION_GELU); }
T(b_gelu_bwd) o->activation_bwd(t->da, t->da, t->a, (size_t)(t->R * t->M), ACTIVATION_GELU); }
T(b_add)      o->add(t->dx, t->a, (size_t)(t->R * t->C)); }
T(b_embed)    o->embed_fwd(t->x, t->token, t->w, t->m, t->R, t->T, t->C); }
T(b_embed_bwd) o->embed_bwd(t->g, t->m, t->dx, t->token, t->R, t->T, t->C, t->V); }
T(b_loss)     o->loss_fwdbwd(t->logits, t->loss, t->token, t->rows, t->V, 1e-5); }
T(b_cast_to_act)   o->cast_to_act(t->a, t->w, (size_t)(t->R * t->M)); }
T(b_randn)    o->randn(t->a, (size_t)(t->R * t->M), (uint32_t[]){ 1, 2 }, 3); }
T(b_square)   o->square_fwdbwd(t->da, t->loss, t->loss, t->a, t->R, t->C, 1e-9); }
T(b_sumsq)    (void)o->sumsq(t->g, (size_t)(t->R * t->M)); }
T(b_adamw)
    const adamw_step s = { .lr = 1e-4, .beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8, .decay = 0.1, .bias1 = 0.1,
                           .bias2 = 0.05, .gradient = 1 };
    o->adamw(t->w, t->m, t->v, t->g, (size_t)(t->R * t->M), &s);
}
static heads part(const tensors *t, const void *x, long k)
{
    return (heads){ at_act(t->o, x, (size_t)(k * t->C)), 3 * t->C, t->C / t->H };
}
static heads_out part_out(const tensors *t, void *x, long k)
{
    return (heads_out){ at_act(t->o, x, (size_t)(k * t->C)), 3 * t->C, t->C / t->H, false };
}
T(b_attn)
    o->attn_fwd((heads_out){ t->b, t->C, t->C / t->H, false }, t->lse, part(t, t->a, 0), part(t, t->a, 1),
                part(t, t->a, 2), &t->s, t->work);
}
T(b_attn_bwd)
    const heads O = { t->b, t->C, t->C / t->H };
    o->attn_bwd(part_out(t, t->da, 0), part_out(t, t->da, 1), part_out(t, t->da, 2), O, O, t->lse, part(t, t->a, 0),
                part(t, t->a, 1), part(t, t->a, 2), &t->s, t->work);
}

typedef struct { double flops, bytes; } ceiling;     /* per second */

typedef struct { const char *name; void (*run)(void *); double flops, bytes; } operation;
static void show(const operation *row, tensors *t, ceiling most)
{
    const double s = seconds_of(row->run, t), by_bytes = row->bytes / s / most.bytes;
    const double by_flops = row->flops / s / most.flops;
    printf("%-18s %10.1f %10.1f %10.2f %12.0f %%\n", row->name, 1e6 * s, 1e-9 * row->bytes / s, 1e-12 * row->flops / s,
           100 * (by_bytes > by_flops ? by_bytes : by_flops));
}

/* Is there a cuDNN that takes the attention of this shape? */
static bool has_cudnn(const attn_shape *s)
{
    const bool takes = attn_cudnn_work(s) > 0;
    if (!takes) printf("-- --attn=cudnn: %s\n", attn_cudnn_why());
    return takes;
}

static void operations_of(const ops *o, ceiling most)
{
    attn_choose("flash");
    tensors t = tensors_of(o);
    const double R = (double)t.R, C = (double)t.C, M = (double)t.M, V = (double)t.V;
    const double rows = (double)t.rows, T = (double)t.T;
    const double a = (double)o->act, w = (double)o->real;
    const operation row[] = {
        { "gemm y = x W'", b_gemm_fwd, 2 * R * M * C, a * (R * C + M * C + R * M) },
        { "gemm dx = dy W", b_gemm_dx, 2 * R * M * C, a * (R * C + M * C + R * M) },
        { "gemm dW += dy' x", b_gemm_dw, 2 * R * M * C, a * (R * C + R * M) + 2 * w * M * C },
        { "gemm x + g W'", b_gemm_add, 2 * R * M * C, a * (R * M + M * C) + 2 * w * R * C },
        { "gemm logits", b_head, 2 * rows * V * C, a * (rows * C + V * C + rows * V) },
        { "attn_fwd", b_attn, 2 * R * T * C, a * 4 * R * C },
        { "attn_bwd", b_attn_bwd, 5 * R * T * C, a * 8 * R * C },
        { "norm_fwd", b_norm, 0, (w + a) * R * C },
        { "norm_bwd", b_norm_bwd, 0, (3 * w + 2 * a) * R * C },
        { "GELU", b_gelu, 0, 2 * a * R * M },
        { "GELU'", b_gelu_bwd, 0, 3 * a * R * M },
        { "add", b_add, 0, (2 * w + a) * R * C },
        { "embed_fwd", b_embed, 0, 2 * w * R * C },
        { "embed_bwd", b_embed_bwd, 0, 3 * w * R * C },
        { "loss_fwdbwd", b_loss, 0, 2 * a * rows * V },
        { "square_fwdbwd", b_square, 0, 3 * a * R * C },
        { "cast_to_act", b_cast_to_act, 0, (w + a) * R * M },
        { "randn", b_randn, 0, a * R * M },
        { "sumsq", b_sumsq, 0, w * R * M },
        { "adamw", b_adamw, 0, 7 * w * R * M },
    };
    printf("-- %s: %ld rows, width %ld, vocabulary %ld\n%-18s %10s %10s %10s %14s\n", o->name, t.R, t.C, t.V,
           "operation", "us", "GB/s", "TFLOP/s", "of its ceiling");
    for (size_t k = 0; k < COUNT(row); k++) show(&row[k], &t, most);
    if (has_cudnn(&t.s)) {
        attn_choose("cudnn");
        show(&(operation){ "attn_fwd, cuDNN", b_attn, 2 * R * T * C, a * 4 * R * C }, &t, most);
        show(&(operation){ "attn_bwd, cuDNN", b_attn_bwd, 5 * R * T * C, a * 8 * R * C }, &t, most);
    }
    attn_choose("best");
    tensors_free(&t);
}

/* ---- ceilings ---------------------------------------------------------------------------------------------- */

typedef struct { const ops *o; long n; void *A, *B, *C; } square;
static void multiply(void *self)
{
    const square *q = self;
    q->o->gemm(false, true, q->n, q->n, q->n, 1, q->A, q->n, q->B, q->n, 0, NULL, q->C, q->n, ACT);
}
static void duplicate(void *self)
{
    const square *q = self;
    q->o->copy(q->C, q->A, (size_t)(q->n * q->n) * q->o->act / q->o->real);
}
static ceiling ceilings(const ops *o)
{
    const long n = tiny ? 64 : 8192;
    const size_t all = (size_t)(n * n);
    square q = { o, n, filled(o, all, false, 0), filled(o, all, false, 1UL << 32), alloc_act(o, all) };
    const ceiling c = { 2 * (double)n * (double)n * (double)n / seconds_of(multiply, &q),
                        2 * (double)(all * o->act) / seconds_of(duplicate, &q) };
    o->release(q.A);
    o->release(q.B);
    o->release(q.C);
    printf("ceilings: %s product of %ld x %ld %.0f TFLOP/s, copy %.0f GB/s\n", o->name, n, n, 1e-12 * c.flops,
           1e-9 * c.bytes);
    return c;
}

/* ---- training steps ------------------------------------------------------------------------------------------ */

typedef struct {
    const ops *o;
    gpt *M;
    optim s;
    optim_config c;
    int32_t *token;
    double *loss;
    long micro, batch;
} stepper;

static void step(void *self)
{
    stepper *t = self;
    t->o->zero(gpt_net(t->M)->g, gpt_net(t->M)->table.size);
    for (long from = 0; from < t->batch; from += t->micro)
        gpt_loss(t->M, t->token, t->token + 1, t->micro, t->loss, 1e-5);
    optim_update(&t->s, &t->c, &gpt_net(t->M)->table, t->o, gpt_net(t->M)->w, gpt_net(t->M)->g);
    net_refresh(gpt_net(t->M));
}

static void training_of(const ops *o, const char *name, gpt_config c, long micro, long batch, ceiling most)
{
    const size_t n = (size_t)(micro * c.T);
    stepper t = { .o = o, .M = gpt_create(&c, o, micro, 1), .micro = micro, .batch = batch,
                  .c = { .peak = 1e-5, .least = 1e-6, .warmup = 10, .steps = 1000, .beta1 = 0.9, .beta2 = 0.95,
                         .eps = 1e-8, .decay = 0.1, .clip = 1 } };
    t.s = optim_create(&gpt_net(t.M)->table, o);
    t.token = must_calloc(n + 1, sizeof *t.token);
    t.loss = must_calloc(n, sizeof *t.loss);
    for (size_t i = 0; i <= n; i++) t.token[i] = (int32_t)(i * i % 7919 % (size_t)c.V);
    const double s = seconds_of(step, &t), tokens = (double)(batch * c.T) / s, flops = tokens * gpt_flops(&c);
    printf("%-40s %10.1f ms %10.0f tokens/s %8.1f TFLOP/s  %3.0f %% of the product's\n", name, 1e3 * s, tokens,
           1e-12 * flops, 100 * flops / most.flops);
    optim_free(&t.s, o);
    gpt_free(t.M);
    free(t.token);
    free(t.loss);
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    tiny = argc == 2 && strcmp(argv[1], "--tiny") == 0;
    const bool steps = argc != 2 || strcmp(argv[1], "--operations") != 0;
    if (argc > 2 || (argc == 2 && steps && !tiny)) die("the only options are --operations and --tiny, one of them");
    const char *why;
    const ops *half = ops_cuda("bf16", &why);
    if (!half) die("no GPU to measure (%s); run this on a machine that has one", why);
    printf("gpu-bench: commit %s, %s\n", version_commit(), cuda_device_name());
    const ceiling most = ceilings(half);
    operations_of(half, most);
    if (!steps) return 0;
    gpt_config c = gpt_default();
    if (tiny) { c.L = 1; c.d = 32; c.h = 2; c.m = 64; c.T = 16; c.V = 64; }
    printf("-- training steps, %s\n", half->name);
    const long micro = tiny ? 2 : 60, batch = 8 * micro;
    training_of(half, "GPT-2 124M, 491520 tokens a step", c, micro, batch, most);
    const attn_shape attention = { .B = micro, .T = c.T, .H = c.h, .D = c.d / c.h, .scale = 0.125,
                                   .causal = true };
    if (has_cudnn(&attention)) {
        attn_choose("flash");
        training_of(half, "the same, attention by flash", c, micro, batch, most);
        attn_choose("best");
    }
    c.identity[GPT_QUERY] = true;
    c.factor = 0.5;
    training_of(half, "the same without W_Q", c, micro, batch, most);
    c = gpt_default();
    c.L = 6; c.d = 384; c.h = 6; c.m = 1536; c.T = 512; c.V = 8192;
    if (tiny) { c.L = 1; c.d = 32; c.h = 2; c.m = 64; c.T = 16; c.V = 64; }
    training_of(half, "L6 d384, 65536 tokens a step", c, tiny ? 2 : 128, tiny ? 2 : 128, most);
    return 0;
}
