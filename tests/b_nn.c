/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_nn.c - each operation of the training engine: time, and what that is in GFLOP/s or GB/s beside the machine's
 * product and copy of the same run.  Shapes: the rows of a step of L6 d384 T256 B12. */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/base/clock.h"
#include "src/train/ops.h"

enum { B = 12, T = 256, R = B * T, C = 384, H = 6, D = C / H, M = 4 * C, V = 256, N = 6 * 12 * C * C };

typedef struct { void *x, *y, *z, *wide, *other, *row, *g; int32_t *token; double *loss; void *work; } operands;
static const attn_shape shape = { .B = B, .T = T, .H = H, .D = D, .scale = 0.125, .causal = true };

static void gemm(const ops *o, operands *s) { o->gemm(false, true, R, M, C, 1, s->x, C, s->y, C, 0, NULL, s->wide, M, ACT); }
static void embed_fwd(const ops *o, operands *s) { o->embed_fwd(s->z, s->token, s->x, s->y, R, T, C); }
static void embed_bwd(const ops *o, operands *s) { o->embed_bwd(s->x, s->y, s->z, s->token, R, T, C, V); }
static void add(const ops *o, operands *s) { o->add(s->x, s->y, (size_t)R * C); }
static void norm_fwd(const ops *o, operands *s) { o->norm_fwd(s->y, s->row, at(o, s->row, R), s->x, s->g, NULL, R, C, 1e-5); }
static void norm_bwd(const ops *o, operands *s)
{
    o->norm_bwd(s->z, NULL, s->g, NULL, s->y, s->x, s->row, at(o, s->row, R), at(o, s->g, C), R, C);
}
static void gelu_fwd(const ops *o, operands *s) { o->activation_fwd(s->other, s->wide, (size_t)R * M, ACTIVATION_GELU); }
static void gelu_bwd(const ops *o, operands *s) { o->activation_bwd(s->other, s->wide, s->wide, (size_t)R * M, ACTIVATION_GELU); }
static void bias_fwd(const ops *o, operands *s) { o->bias_fwd(s->x, s->g, R, C); }
static void bias_bwd(const ops *o, operands *s) { o->bias_bwd(s->g, s->x, R, C); }
static heads part(const ops *o, const void *x, size_t k) { return (heads){ at_act(o, x, k * C), 3 * C, D }; }
static void attn_fwd(const ops *o, operands *s)
{
    o->attn_fwd((heads_out){ s->y, C, D, false }, s->row, part(o, s->wide, 0), part(o, s->wide, 1), part(o, s->wide, 2),
                &shape, s->work);
}
static void attn_bwd(const ops *o, operands *s)
{
    const heads_out d = { s->z, C, D, false };
    o->attn_bwd(d, d, d, (heads){ s->x, C, D }, (heads){ s->y, C, D }, s->row, part(o, s->wide, 0), part(o, s->wide, 1),
                part(o, s->wide, 2), &shape, s->work);
}
static void loss(const ops *o, operands *s) { o->loss_fwdbwd(s->wide, s->loss, s->token, R, V, 1e-9); }
static void mean_fwd(const ops *o, operands *s) { o->mean_fwd(s->y, s->x, B, T, C); }
static void mean_bwd(const ops *o, operands *s) { o->mean_bwd(s->x, s->y, B, T, C); }
static void select_token_fwd(const ops *o, operands *s) { o->select_token_fwd(s->y, s->x, B, T, C, 0); }
static void select_token_bwd(const ops *o, operands *s) { o->select_token_bwd(s->x, s->y, B, T, C, 0); }
static void top1(const ops *o, operands *s) { o->top1(s->loss, s->wide, s->token, R, V); }
static void zero(const ops *o, operands *s) { o->zero(s->z, (size_t)R * C); }
static void copy(const ops *o, operands *s) { o->copy(s->z, s->x, (size_t)R * C); }
static void square(const ops *o, operands *s) { o->square_fwdbwd(s->x, s->loss, s->loss + R, s->y, R, C, 1e-9); }
static void patch_fwd(const ops *o, operands *s) { o->patch_fwd(s->x, s->z, R * C / 3072, 32, 3, 8, 0); }   /* any bytes */
static void randn(const ops *o, operands *s) { o->randn(s->wide, (size_t)R * M, (uint32_t[]){ 1, 2 }, 3); }
static void sumsq(const ops *o, operands *s) { s->loss[0] += o->sumsq(s->wide, (size_t)R * M); }
static void adamw(const ops *o, operands *s)
{
    const adamw_step a = { .lr = 1e-9, .beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8, .bias1 = 1, .bias2 = 1, .gradient = 1 };
    o->adamw(s->x, s->y, s->z, s->wide, (size_t)R * C, &a);
}

static double best_of(const ops *o, void (*f)(const ops *, operands *), operands *s)
{
    double best = 1e30;
    for (int k = 0; k < 7; k++) {
        const double start = monotonic_seconds();
        f(o, s);
        const double time = monotonic_seconds() - start;
        if (time < best) best = time;
    }
    return best;
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    const ops *o = ops_cpu_f32();
    const double rows = R, c = C, m = M, bytes = (double)o->real;
    const size_t wide = (size_t)R * M;
    operands s = { .x = alloc_act(o, (size_t)R * C), .y = alloc_act(o, (size_t)R * C), .z = alloc_act(o, (size_t)R * C),
                   .wide = alloc_act(o, wide), .other = alloc_act(o, wide), .row = alloc_wide(o, (size_t)R * H), .g = alloc_wide(o, 2 * M),
                   .token = must_calloc(R, sizeof *s.token), .loss = must_calloc(2 * R, sizeof *s.loss),
                   .work = o->alloc(o->attn_work(&shape)) };
    double *x = must_calloc(wide, sizeof *x);
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ 1, 0 }, "bench");
    for (size_t i = 0; i < wide; i++) x[i] = (double)random_gauss8(key, i) / 32;
    for (long r = 0; r < R; r++) s.token[r] = (int32_t)(r * 7919 % V);
    void *const filled[] = { s.x, s.y, s.z };
    for (size_t k = 0; k < COUNT(filled); k++) o->put_act(filled[k], x, (size_t)R * C);
    o->put_act(s.wide, x, wide);
    /* flops: multiply-adds count 2, causal attention half; bytes: each operand once */
    const double scores = 2 * rows * (double)T / 2 * c;
    const struct { const char *name; void (*f)(const ops *, operands *); double flops, moved; } row[] = {
        { "gemm", gemm, 2 * rows * c * m, 0 }, { "attn_fwd", attn_fwd, 2 * scores, 0 },
        { "attn_bwd", attn_bwd, 5 * scores, 0 }, { "embed_fwd", embed_fwd, 0, 3 * rows * c },
        { "embed_bwd", embed_bwd, 0, 5 * rows * c }, { "add", add, 0, 3 * rows * c },
        { "norm_fwd", norm_fwd, 0, 2 * rows * c }, { "norm_bwd", norm_bwd, 0, 4 * rows * c },
        { "activation_fwd", gelu_fwd, 0, 2 * rows * m }, { "activation_bwd", gelu_bwd, 0, 3 * rows * m },
        { "bias_fwd", bias_fwd, 0, 2 * rows * c }, { "bias_bwd", bias_bwd, 0, rows * c },
        { "loss_fwdbwd", loss, 0, 2 * rows * V }, { "mean_fwd", mean_fwd, 0, rows * c },
        { "mean_bwd", mean_bwd, 0, 2 * rows * c }, { "select_token_fwd", select_token_fwd, 0, 2 * B * c },
        { "select_token_bwd", select_token_bwd, 0, 3 * B * c }, { "top1", top1, 0, rows * V }, { "zero", zero, 0, rows * c },
        { "copy", copy, 0, 2 * rows * c }, { "square_fwdbwd", square, 0, 3 * rows * c },
        { "patch_fwd", patch_fwd, 0, 1.25 * rows * c }, { "randn", randn, 0, rows * m },
        { "sumsq", sumsq, 0, rows * m }, { "adamw", adamw, 0, 7 * rows * c },
    };
    double start = monotonic_seconds();
    for (int k = 0; k < 5; k++) memcpy(s.wide, x, wide * o->real);
    const double copied = 1e-9 * 10 * (double)(wide * o->real) / (monotonic_seconds() - start);
    o->put_act(s.wide, x, wide);
    const double ceiling = 1e-9 * row[0].flops / best_of(o, gemm, &s);
    printf("%-14s %10s %10s\n", "operation", "ms", "rate");
    for (size_t k = 0; k < COUNT(row); k++) {
        const double time = best_of(o, row[k].f, &s);
        if (row[k].flops > 0)
            printf("%-14s %10.3f %8.0f GFLOP/s  %4.0f %% of gemm\n", row[k].name, 1e3 * time, 1e-9 * row[k].flops / time,
                   1e-7 * row[k].flops / time / ceiling);
        else
            printf("%-14s %10.3f %8.1f GB/s     %4.0f %% of memcpy\n", row[k].name, 1e3 * time,
                   1e-9 * bytes * row[k].moved / time, 1e-7 * bytes * row[k].moved / time / copied);
    }
    void *const all[] = { s.x, s.y, s.z, s.wide, s.other, s.row, s.g, s.token, s.loss, s.work, x };
    for (size_t k = 0; k < COUNT(all); k++) o->release(all[k]);
    return 0;
}
