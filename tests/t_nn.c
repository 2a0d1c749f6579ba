/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_nn.c - the operations of the training engine: each gradient against central differences in double, float
 * against double on odd shapes with poisoned outputs, the same bits twice, and the random streams. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/train/cpu/norm_loops.h"
#include "src/train/formula.h"
#include "src/train/params.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- tensors ------------------------------------------------------------------------------------------- */

static double *drawn(size_t n, const char *name)
{
    double *x = must_calloc(n, sizeof *x);
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ 7, 0 }, name);
    for (size_t i = 0; i < n; i++) x[i] = (double)random_gauss8(key, i) / 32;
    return x;
}

static void *tensor(const ops *o, size_t n, const char *name)
{
    double *x = drawn(n, name);
    void *t = alloc_wide(o, n);
    o->put(t, x, n);
    free(x);
    return t;
}

static void *poisoned(const ops *o, size_t n)
{
    double *x = must_calloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = NAN;
    void *t = alloc_wide(o, n);
    o->put(t, x, n);
    free(x);
    return t;
}

/* What a gradient is added to must not be lost; in float it rounds by its own size, so it is no larger than a
 * gradient. */
#define ADDED_TO 0.25
static void shift(const ops *o, void *t, size_t n, double by)
{
    double *x = must_calloc(n, sizeof *x);
    o->get(x, t, n);
    for (size_t i = 0; i < n; i++) x[i] += by;
    o->put(t, x, n);
    free(x);
}

/* ---- cases: a function of tensors, with outputs that are written and gradients that are added to --------- */

enum { TENSORS = 4 };
typedef struct {
    const char *name;
    size_t in[TENSORS], out;             /* numbers of the inputs with a gradient (0: none) and the output */
    void (*forward) (const ops *o, void *const x[TENSORS], void *y);
    /* dx[k] are zero before: += and = come to the same */
    void (*backward)(const ops *o, void *const x[TENSORS], const void *y, void *dy, void *const dx[TENSORS]);
} operation;

enum { R = 15, T = 5, C = 7, V = 11, B = 3, H = 2, D = 3, W = H * D };
static const int32_t token[R]  = { 1, 0, 10, 3, 3, 9, 3, 2, 5, 7, 1, 1, 8, 4, 6 };

static void gemm_fwd(const ops *o, void *const x[], void *y) { o->gemm(false, true, R, V, C, 0.5, x[0], C, x[1], C, 0, NULL, y, V, ACT); }
static void gemm_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)y;
    o->gemm(false, false, R, C, V, 0.5, dy, V, x[1], C, 0, NULL, dx[0], C, ACT);
    o->gemm(true, false, V, C, R, 0.5, dy, V, x[0], C, 1, dx[1], dx[1], C, WIDE);
}
static void residual_fwd(const ops *o, void *const x[], void *y)       /* D is not C, and rows are apart */
{
    o->gemm(false, true, R, V - 1, C, 0.5, x[0], C, x[1], C, -2, x[2], y, V, WIDE);
    for (long r = 0; r < R; r++) o->copy(at(o, y, (size_t)(r * V + V - 1)), at(o, x[2], (size_t)(r * V + V - 1)), 1);
}
static void residual_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)y;
    o->gemm(false, false, R, C, V - 1, 0.5, dy, V, x[1], C, 0, NULL, dx[0], C, ACT);
    o->gemm(true, false, V - 1, C, R, 0.5, dy, V, x[0], C, 1, dx[1], dx[1], C, WIDE);
    double g[R * V];
    o->get(g, dy, R * V);
    for (long r = 0; r < R; r++) for (long v = 0; v < V - 1; v++) g[r * V + v] *= -2;
    o->put(dx[2], g, R * V);
}
static void embed_fwd(const ops *o, void *const x[], void *y) { o->embed_fwd(y, token, x[0], x[1], R, T, C); }
static void embed_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)x; (void)y;
    o->embed_bwd(dx[0], dx[1], dy, token, R, T, C, V);
}

static void *mean_of, *rstd_of;          /* what a forward pass keeps */
static void keep(const ops *o)
{
    mean_of = poisoned(o, R);
    rstd_of = poisoned(o, R);
}
static void drop(const ops *o)
{
    o->release(mean_of);
    o->release(rstd_of);
}
static void norm_fwd(const ops *o, void *const x[], void *y)
{
    keep(o);
    o->norm_fwd(y, mean_of, rstd_of, x[0], x[1], x[2], R, C, 1e-5);
    drop(o);
}
static void norm_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)y;
    void *again = poisoned(o, R * C);
    keep(o);
    o->norm_fwd(again, mean_of, rstd_of, x[0], x[1], x[2], R, C, 1e-5);
    o->norm_bwd(dx[0], NULL, dx[1], dx[2], dy, x[0], mean_of, rstd_of, x[1], R, C);
    drop(o);
    o->release(again);
}
static void bare_norm_fwd(const ops *o, void *const x[], void *y)
{
    keep(o);
    o->norm_fwd(y, mean_of, rstd_of, x[0], NULL, NULL, R, C, 1e-5);
    drop(o);
}
static void bare_norm_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)y;
    void *again = poisoned(o, R * C);
    keep(o);
    o->norm_fwd(again, mean_of, rstd_of, x[0], NULL, NULL, R, C, 1e-5);
    o->norm_bwd(dx[0], NULL, NULL, NULL, dy, x[0], mean_of, rstd_of, NULL, R, C);
    drop(o);
    o->release(again);
}
/* More columns and positions than a backend may take at a time. */
enum { COLS = 150, LONG = 150 };
static void wide_embed_fwd(const ops *o, void *const x[], void *y) { o->embed_fwd(y, token, x[0], x[1], R, T, COLS); }
static void wide_embed_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)x; (void)y;
    o->embed_bwd(dx[0], dx[1], dy, token, R, T, COLS, V);
}
static void wide_norm_fwd(const ops *o, void *const x[], void *y)
{
    keep(o);
    o->norm_fwd(y, mean_of, rstd_of, x[0], x[1], x[2], R, COLS, 1e-5);
    drop(o);
}
static void wide_norm_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)y;
    void *again = poisoned(o, R * COLS);
    keep(o);
    o->norm_fwd(again, mean_of, rstd_of, x[0], x[1], x[2], R, COLS, 1e-5);
    o->norm_bwd(dx[0], NULL, dx[1], dx[2], dy, x[0], mean_of, rstd_of, x[1], R, COLS);
    drop(o);
    o->release(again);
}
static void wide_bias_fwd(const ops *o, void *const x[], void *y)
{
    o->copy(y, x[0], R * COLS);
    o->bias_fwd(y, x[1], R, COLS);
}
static void wide_bias_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)x; (void)y;
    o->add(dx[0], dy, R * COLS);
    o->bias_bwd(dx[1], dy, R, COLS);
}
static void gelu_fwd(const ops *o, void *const x[], void *y) { o->activation_fwd(y, x[0], R * C, ACTIVATION_GELU); }
static void gelu_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)y;
    o->activation_bwd(dx[0], dy, x[0], R * C, ACTIVATION_GELU);
}
static void relu_fwd(const ops *o, void *const x[], void *y) { o->activation_fwd(y, x[0], R * C, ACTIVATION_RELU); }
static void relu_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)y;
    o->activation_bwd(dx[0], dy, x[0], R * C, ACTIVATION_RELU);
}
static void bias_fwd(const ops *o, void *const x[], void *y)
{
    o->copy(y, x[0], R * C);
    o->bias_fwd(y, x[1], R, C);
}
static void bias_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)x; (void)y;
    o->add(dx[0], dy, R * C);
    o->bias_bwd(dx[1], dy, R, C);
}
static void mean_fwd(const ops *o, void *const x[], void *y) { o->mean_fwd(y, x[0], B, T, C); }
static void mean_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)x; (void)y;
    o->mean_bwd(dx[0], dy, B, T, C);
}
static void select_token_fwd(const ops *o, void *const x[], void *y) { o->select_token_fwd(y, x[0], B, T, C, 2); }
static void select_token_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    (void)x; (void)y;
    o->select_token_bwd(dx[0], dy, B, T, C, 2);
}

/* Attention with Q, K, V side by side, or in three places with other strides. */
static const attn_shape causal = { .B = B, .T = T, .H = H, .D = D, .scale = 0.7, .causal = true };
static const attn_shape open   = { .B = B, .T = T, .H = H, .D = D, .scale = 0.7, .causal = false };
static heads part(const ops *o, const void *x, long k) { return (heads){ at(o, x, (size_t)(k * W)), 3 * W, D }; }
static heads_out part_out(const ops *o, void *x, long k) { return (heads_out){ at(o, x, (size_t)(k * W)), 3 * W, D, false }; }

static void attend(const ops *o, const attn_shape *s, heads Q, heads K, heads V_, void *y, void *lse)
{
    void *work = poisoned(o, o->attn_work(s) / o->real);
    o->attn_fwd((heads_out){ y, W, D, false }, lse, Q, K, V_, s, work);
    o->release(work);
}
static void attend_back(const ops *o, const attn_shape *s, heads Q, heads K, heads V_, const void *y, void *dy,
                        heads_out dQ, heads_out dK, heads_out dV)
{
    void *work = poisoned(o, o->attn_work(s) / o->real), *lse = poisoned(o, B * H * T), *again = poisoned(o, R * W);
    attend(o, s, Q, K, V_, again, lse);
    o->attn_bwd(dQ, dK, dV, (heads){ dy, W, D }, (heads){ y, W, D }, lse, Q, K, V_, s, work);
    o->release(work);
    o->release(lse);
    o->release(again);
}
static void packed_fwd(const ops *o, const attn_shape *s, void *const x[], void *y)
{
    void *lse = poisoned(o, B * H * T);
    attend(o, s, part(o, x[0], 0), part(o, x[0], 1), part(o, x[0], 2), y, lse);
    o->release(lse);
}
static void packed_bwd(const ops *o, const attn_shape *s, void *const x[], const void *y, void *dy, void *const dx[])
{
    attend_back(o, s, part(o, x[0], 0), part(o, x[0], 1), part(o, x[0], 2), y, dy,
                part_out(o, dx[0], 0), part_out(o, dx[0], 1), part_out(o, dx[0], 2));
}
static void causal_fwd(const ops *o, void *const x[], void *y) { packed_fwd(o, &causal, x, y); }
static void causal_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[]) { packed_bwd(o, &causal, x, y, dy, dx); }
static void open_fwd(const ops *o, void *const x[], void *y) { packed_fwd(o, &open, x, y); }
static void open_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[]) { packed_bwd(o, &open, x, y, dy, dx); }
/* The same tensor is Q and V (W_Q = W_V = I) and K another: the gradients meet in one place. */
static void shared_fwd(const ops *o, void *const x[], void *y)
{
    void *lse = poisoned(o, B * H * T);
    attend(o, &causal, (heads){ x[0], W, D }, (heads){ x[1], W, D }, (heads){ x[0], W, D }, y, lse);
    o->release(lse);
}
static void shared_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[])
{
    shift(o, dx[0], R * W, ADDED_TO);
    attend_back(o, &causal, (heads){ x[0], W, D }, (heads){ x[1], W, D }, (heads){ x[0], W, D }, y, dy,
                (heads_out){ dx[0], W, D, true }, (heads_out){ dx[1], W, D, false }, (heads_out){ dx[0], W, D, true });
    shift(o, dx[0], R * W, -ADDED_TO);
}

/* One long sequence; open: dK and dV are added to, causal: written over what is there. */
static void long_fwd(const ops *o, const attn_shape *s, void *const x[], void *y, void *lse)
{
    void *work = poisoned(o, o->attn_work(s) / o->real);
    o->attn_fwd((heads_out){ y, D, D, false }, lse, (heads){ x[0], D, D }, (heads){ x[1], D, D }, (heads){ x[2], D, D }, s, work);
    o->release(work);
}
static void long_bwd(const ops *o, const attn_shape *s, void *const x[], const void *y, void *dy, void *const dx[])
{
    void *work = poisoned(o, o->attn_work(s) / o->real), *lse = poisoned(o, LONG), *again = poisoned(o, LONG * D);
    long_fwd(o, s, x, again, lse);
    for (int k = 1; k < 3; k++) shift(o, dx[k], LONG * D, ADDED_TO);
    o->attn_bwd((heads_out){ dx[0], D, D, false }, (heads_out){ dx[1], D, D, !s->causal }, (heads_out){ dx[2], D, D, !s->causal },
                (heads){ dy, D, D }, (heads){ y, D, D }, lse, (heads){ x[0], D, D }, (heads){ x[1], D, D },
                (heads){ x[2], D, D }, s, work);
    for (int k = 1; k < 3 && !s->causal; k++) shift(o, dx[k], LONG * D, -ADDED_TO);
    o->release(work);
    o->release(lse);
    o->release(again);
}
static const attn_shape long_causal = { .B = 1, .T = LONG, .H = 1, .D = D, .scale = 0.7, .causal = true };
static const attn_shape long_open   = { .B = 1, .T = LONG, .H = 1, .D = D, .scale = 0.7, .causal = false };
static void long_causal_fwd(const ops *o, void *const x[], void *y)
{
    void *lse = poisoned(o, LONG);
    long_fwd(o, &long_causal, x, y, lse);
    o->release(lse);
}
static void long_causal_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[]) { long_bwd(o, &long_causal, x, y, dy, dx); }
static void long_open_fwd(const ops *o, void *const x[], void *y)
{
    void *lse = poisoned(o, LONG);
    long_fwd(o, &long_open, x, y, lse);
    o->release(lse);
}
static void long_open_bwd(const ops *o, void *const x[], const void *y, void *dy, void *const dx[]) { long_bwd(o, &long_open, x, y, dy, dx); }

static const operation all[] = {
    { "gemm",             { R * C, V * C }, R * V, gemm_fwd, gemm_bwd },
    { "gemm, added",      { R * C, V * C, R * V }, R * V, residual_fwd, residual_bwd },
    { "embed",            { V * C, T * C }, R * C, embed_fwd, embed_bwd },
    { "norm",             { R * C, C, C },  R * C, norm_fwd, norm_bwd },
    { "norm without gain", { R * C },       R * C, bare_norm_fwd, bare_norm_bwd },
    { "GELU",             { R * C },        R * C, gelu_fwd, gelu_bwd },
    { "ReLU",             { R * C },        R * C, relu_fwd, relu_bwd },
    { "bias",             { R * C, C },     R * C, bias_fwd, bias_bwd },
    { "mean",             { R * C },        B * C, mean_fwd, mean_bwd },
    { "pick",             { R * C },        B * C, select_token_fwd, select_token_bwd },
    { "attention, causal", { 3 * R * W },   R * W, causal_fwd, causal_bwd },
    { "attention, open",  { 3 * R * W },    R * W, open_fwd, open_bwd },
    { "attention, shared", { R * W, R * W }, R * W, shared_fwd, shared_bwd },
    { "attention, long, causal", { LONG * D, LONG * D, LONG * D }, LONG * D, long_causal_fwd, long_causal_bwd },
    { "attention, long, open", { LONG * D, LONG * D, LONG * D }, LONG * D, long_open_fwd, long_open_bwd },
    { "embed, wide",      { V * COLS, T * COLS }, R * COLS, wide_embed_fwd, wide_embed_bwd },
    { "norm, wide",       { R * COLS, COLS, COLS }, R * COLS, wide_norm_fwd, wide_norm_bwd },
    { "bias, wide",       { R * COLS, COLS }, R * COLS, wide_bias_fwd, wide_bias_bwd },
};

/* ---- gradients ------------------------------------------------------------------------------------------ */

typedef struct { void *x[TENSORS], *dx[TENSORS], *y, *dy; } operands;

static operands operands_of(const ops *o, const operation *f)
{
    operands s = { .y = poisoned(o, f->out), .dy = tensor(o, f->out, "dy") };
    for (int k = 0; k < TENSORS; k++) {
        char name[16];
        snprintf(name, sizeof name, "x%d", k);
        s.x[k]  = tensor(o, f->in[k], name);
        s.dx[k] = alloc_wide(o, f->in[k]);
    }
    return s;
}

static void operands_free(const ops *o, operands *s)
{
    for (int k = 0; k < TENSORS; k++) {
        o->release(s->x[k]);
        o->release(s->dx[k]);
    }
    o->release(s->y);
    o->release(s->dy);
}

static double weighted(const ops *o, const operation *f, const operands *s)
{
    double *y = must_calloc(f->out, sizeof *y), *dy = must_calloc(f->out, sizeof *dy), sum = 0;
    f->forward(o, s->x, s->y);
    o->get(y, s->y, f->out);
    o->get(dy, s->dy, f->out);
    for (size_t i = 0; i < f->out; i++) sum += y[i] * dy[i];
    free(y);
    free(dy);
    return sum;
}

/* d/dx_i of <y, dy> by the difference of fourth order, error O(h^4), against the backward pass. */
START_TEST(gradients)
{
    const ops *o = ops_cpu_f64();
    const operation *f = &all[_i];
    operands s = operands_of(o, f);
    f->forward(o, s.x, s.y);
    f->backward(o, s.x, s.y, s.dy, s.dx);
    for (int k = 0; k < TENSORS; k++) {
        double *x = s.x[k], *dx = s.dx[k];
        for (size_t i = 0; i < f->in[k]; i++) {
            const double h = 1e-3, old = x[i];
            if (strcmp(f->name, "ReLU") == 0 && fabs(old) < 4 * h) continue;
            double v[4];
            const double step[] = { -2 * h, -h, h, 2 * h };
            for (int j = 0; j < 4; j++) {
                x[i] = old + step[j];
                v[j] = weighted(o, f, &s);
            }
            x[i] = old;
            const double slope = (v[0] - 8 * v[1] + 8 * v[2] - v[3]) / (12 * h);
            ck_assert_msg(fabs(slope - dx[i]) <= 1e-8 * (1 + fabs(slope)), "%s, tensor %d, entry %zu: %.12g and %.12g",
                          f->name, k, i, dx[i], slope);
        }
    }
    operands_free(o, &s);
}
END_TEST

/* |a - b| / |b| over n numbers; NaN when an output kept its poison. */
static double distance(const ops *oa, const void *a, const ops *ob, const void *b, size_t n)
{
    double *x = must_calloc(n, sizeof *x), *y = must_calloc(n, sizeof *y), difference = 0, size = 0;
    oa->get(x, a, n);
    ob->get(y, b, n);
    for (size_t i = 0; i < n; i++) {
        difference += (x[i] - y[i]) * (x[i] - y[i]);
        size += y[i] * y[i];
    }
    free(x);
    free(y);
    return n ? sqrt(difference / size) : 0;
}

START_TEST(float_agrees_with_double)
{
    const ops *f32 = ops_cpu_f32(), *f64 = ops_cpu_f64();
    const operation *f = &all[_i];
    operands a = operands_of(f32, f), again = operands_of(f32, f), b = operands_of(f64, f);
    f->forward(f32, a.x, a.y);
    f->backward(f32, a.x, a.y, a.dy, a.dx);
    f->forward(f32, again.x, again.y);
    f->backward(f32, again.x, again.y, again.dy, again.dx);
    f->forward(f64, b.x, b.y);
    f->backward(f64, b.x, b.y, b.dy, b.dx);
    ck_assert_msg(distance(f32, a.y, f64, b.y, f->out) <= 1e-6, "%s: %g", f->name, distance(f32, a.y, f64, b.y, f->out));
    ck_assert_int_eq(memcmp(a.y, again.y, f->out * f32->real), 0);
    for (int k = 0; k < TENSORS; k++) {
        const double e = distance(f32, a.dx[k], f64, b.dx[k], f->in[k]);
        ck_assert_msg(e <= 1e-6, "%s, gradient %d: %g", f->name, k, e);
        ck_assert_int_eq(memcmp(a.dx[k], again.dx[k], f->in[k] * f32->real), 0);
    }
    operands_free(f32, &a);
    operands_free(f32, &again);
    operands_free(f64, &b);
}
END_TEST

/* ---- losses ---------------------------------------------------------------------------------------------- */

START_TEST(cross_entropy)
{
    const ops *o = ops_cpu_f64();
    double *x = drawn(R * V, "logits"), loss[R], right[R];
    void *logits = alloc_wide(o, R * V);
    o->put(logits, x, R * V);
    o->top1(right, logits, token, R, V);
    o->loss_fwdbwd(logits, loss, token, R, V, 3);
    const double *gradient = logits;
    for (long r = 0; r < R; r++) {
        double sum = 0, top = -INFINITY;
        for (long v = 0; v < V; v++) {
            sum += exp(x[r * V + v]);
            top = fmax(top, x[r * V + v]);
        }
        ck_assert_double_le(fabs(loss[r] - (log(sum) - x[r * V + token[r]])), 1e-13);
        ck_assert_double_eq(right[r], x[r * V + token[r]] == top);
        for (long v = 0; v < V; v++) {
            const double wanted = 3 * (exp(x[r * V + v]) / sum - (v == token[r]));
            ck_assert_double_le(fabs(gradient[r * V + v] - wanted), 1e-13);
        }
    }
    o->put(logits, x, R * V);
    o->loss_fwdbwd(logits, loss, token, R, V, 0);
    ck_assert_double_le(fabs(loss[1]), 20);
    const int32_t first[] = { 0, 1 };
    o->zero(logits, 2 * V);
    o->top1(right, logits, first, 2, V);                                /* all equal: the first counts */
    ck_assert(right[0] == 1 && right[1] == 0);
    free(x);
    o->release(logits);
}
END_TEST

START_TEST(extreme_logits)               /* no overflow, no NaN: exp sees numbers <= 0 only */
{
    const ops *both[] = { ops_cpu_f32(), ops_cpu_f64() };
    for (int k = 0; k < 2; k++) {
        const double x[] = { 1e30, -1e30, 0, 88, -88, 3e4 };
        const int32_t target[] = { 1, 0 };
        double loss[2];
        void *logits = alloc_wide(both[k], 6);
        both[k]->put(logits, x, 6);
        both[k]->loss_fwdbwd(logits, loss, target, 2, 3, 1);
        ck_assert_double_le(fabs(loss[0] / 2e30 - 1), 1e-6);
        ck_assert_double_le(fabs(loss[1] - (3e4 - 88)), 1e-2);
        double g[6];
        both[k]->get(g, logits, 6);
        for (int i = 0; i < 6; i++) ck_assert(fabs(g[i]) <= 1);
        both[k]->release(logits);
    }
}
END_TEST

START_TEST(squared_error)
{
    const ops *o = ops_cpu_f64();
    double *p = drawn(R * C, "p"), *y = drawn(R * C, "y"), loss[R], norm[R];
    void *P = tensor(o, R * C, "p"), *Y = tensor(o, R * C, "y");
    o->square_fwdbwd(P, loss, norm, Y, R, C, 2);
    for (long r = 0; r < R; r++) {
        double error = 0, size = 0;
        for (long c = r * C; c < (r + 1) * C; c++) {
            error += (p[c] - y[c]) * (p[c] - y[c]);
            size += y[c] * y[c];
            ck_assert_double_eq(((const double *)P)[c], 2 * (p[c] - y[c]));
        }
        ck_assert_double_le(fabs(loss[r] - error), 1e-12);
        ck_assert_double_le(fabs(norm[r] - size), 1e-12);
    }
    free(p);
    free(y);
    o->release(P);
    o->release(Y);
}
END_TEST

/* ---- formulas of one number ------------------------------------------------------------------------------ */

START_TEST(formulas_in_float)
{
    double exp_error = 0, gelu_error = 0, dgelu_error = 0;
    for (long k = 0; k <= 200000; k++) {
        const float x = -87.0f * (float)k / 200000;
        exp_error = fmax(exp_error, fabs((double)exp_nonpositive_f32(x) / exp((double)x) - 1));
        const float y = -8.0f + 16.0f * (float)k / 200000;
        /* in the tail, exp(-y^2/2) magnifies the rounding of its argument */
        const double allowed = 1 + 0.5 * (double)y * (double)y;
        gelu_error = fmax(gelu_error, y == 0 ? gelu_f32(y) : fabs((double)gelu_f32(y) / gelu_f64((double)y) - 1) / allowed);
        dgelu_error = fmax(dgelu_error, fabs((double)dgelu_f32(y) - dgelu_f64((double)y)));
    }
    ck_assert_double_le(exp_error, 0x1p-22);
    ck_assert_double_le(gelu_error, 0x1p-21);
    ck_assert_double_le(dgelu_error, 3e-7);
    ck_assert(exp_nonpositive_f32(-1e30f) == 0);
    ck_assert(exp_nonpositive_f32(0) == 1);
    ck_assert(gelu_f32(-1e20f) == 0 && gelu_f32(1e20f) == 1e20f);
}
END_TEST

START_TEST(philox)                       /* the known answers of its authors' distribution */
{
    static const struct { uint32_t counter[4], key[2], word[4]; } known[] = {
        { { 0, 0, 0, 0 }, { 0, 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { { ~0u, ~0u, ~0u, ~0u }, { ~0u, ~0u }, { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 }, { 0xa4093822, 0x299f31d0 },
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
    };
    for (size_t k = 0; k < COUNT(known); k++) {
        uint32_t word[4];
        philox4x32(word, known[k].counter, known[k].key);
        for (int i = 0; i < 4; i++) ck_assert_uint_eq(word[i], known[k].word[i]);
    }
}
END_TEST

START_TEST(initial_values)
{
    const ops *o = ops_cpu_f64();
    param_table a = { NULL, 0, 0 }, b = { NULL, 0, 0 };
    params_add(&a, "x", 100, 1000, true, INIT_NORMAL, 0.5);
    params_add(&a, "u", 100, 1000, true, INIT_UNIFORM, 2);
    params_add(&a, "one", 1, 3, false, INIT_ONE, 0);
    params_add(&b, "other", 3, 5, true, INIT_NORMAL, 1);
    params_add(&b, "x", 100, 1000, true, INIT_NORMAL, 0.5);
    double *x = alloc_wide(o, a.size), *y = alloc_wide(o, b.size), mean = 0, square = 0, top = 0;
    params_init(&a, o, x, 3);
    params_init(&b, o, y, 3);
    ck_assert_int_eq(memcmp(x, y + params_find(&b, "x")->at, 100000 * sizeof *x), 0);   /* by name, not by place */
    for (long i = 0; i < 100000; i++) {
        mean += x[i] / 1e5;
        square += x[i] * x[i] / 1e5;
        top = fmax(top, fabs(x[100000 + i]));
    }
    ck_assert_double_le(fabs(mean), 0.5 * 5 / sqrt(1e5));
    ck_assert_double_le(fabs(square / 0.25 - 1), 5 * sqrt(2 / 1e5));
    ck_assert(top <= 2 && top > 1.99);
    ck_assert(x[200000] == 1 && x[200002] == 1);
    params_init(&b, o, y, 4);
    ck_assert_int_ne(memcmp(x, y + params_find(&b, "x")->at, 8), 0);
    o->release(x);
    o->release(y);
    params_free(&a);
    params_free(&b);
}
END_TEST

/* ---- the update ------------------------------------------------------------------------------------------ */

START_TEST(adamw_by_hand)
{
    const ops *o = ops_cpu_f64();
    double w[] = { 1, -2 }, m[] = { 0.1, 0 }, v[] = { 0.04, 0 };
    const double g[] = { 3, 0 };
    const adamw_step s = { .lr = 0.1, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8, .decay = 0.5, .bias1 = 0.5, .bias2 = 0.25,
                           .gradient = 2 };
    o->adamw(w, m, v, g, 2, &s);
    const double mean = 0.9 * 0.1 + 0.1 * 6, square = 0.99 * 0.04 + 0.01 * 36;
    ck_assert_double_le(fabs(m[0] - mean), 1e-15);
    ck_assert_double_le(fabs(v[0] - square), 1e-15);
    ck_assert_double_le(fabs(w[0] - (1 - 0.05 - 0.1 * (mean / 0.5) / (sqrt(square / 0.25) + 1e-8))), 1e-15);
    ck_assert_double_eq(w[1], -2 + 0.1);
}
END_TEST

START_TEST(sum_of_squares)
{
    const ops *o = _i ? ops_cpu_f64() : ops_cpu_f32();
    enum { N = 300007 };                                            /* several pieces for each part, and a rest */
    double *x = drawn(N, "x");
    long double sum = 0;
    void *t = tensor(o, N, "x");
    for (int i = 0; i < N; i++) sum += (long double)x[i] * x[i];
    ck_assert_double_le(fabs(o->sumsq(t, N) / (double)sum - 1), 1e-14);
    ck_assert(o->sumsq(t, 1) == x[0] * x[0] && o->sumsq(t, 0) == 0);
    free(x);
    o->release(t);
}
END_TEST

START_TEST(zeros_and_copies)             /* of exactly n numbers */
{
    const ops *o = ops_cpu_f64();
    enum { N = 10001 };
    double *x = tensor(o, N + 1, "x"), *y = poisoned(o, N + 1);
    o->copy(y, x, N);
    ck_assert_int_eq(memcmp(x, y, N * sizeof *x), 0);
    ck_assert(isnan(y[N]));
    y[N] = 1;
    o->zero(y, N);
    for (int i = 0; i < N; i++) ck_assert(y[i] == 0);
    ck_assert(y[N] == 1);
    o->release(x);
    o->release(y);
}
END_TEST

/* Each set of loops that this CPU can run gives the bits of the first, and writes nothing after the rows. */
START_TEST(norms_of_every_set)
{
    enum { ROWS = 3, MOST = 70, N = ROWS * MOST, GUARD = 16 };
    float x[N], dy[N], g[MOST], b[MOST], first[4][N + GUARD], again[4][N + GUARD];
    size_t sets;
    const norm_loops *set = norm_sets(&sets);
    for (int i = 0; i < N; i++) x[i] = (float)sin(i + 1.0), dy[i] = (float)cos(3.0 * i);
    for (int i = 0; i < MOST; i++) g[i] = 1 + (float)i / 64, b[i] = (float)i / 32;
    for (long cols = 1; cols <= MOST; cols++)
        for (int with = 0; with < 4; with++)                      /* gain and bias */
            for (size_t k = 0; k < sets; k++) {
                float (*to)[N + GUARD] = k ? again : first, mean[NORM_ROWS], rstd[NORM_ROWS];
                for (int m = 0; m < 4; m++) for (int i = 0; i < N + GUARD; i++) to[m][i] = (float)(m * (N + GUARD) + i);
                set[k].forward(to[0], mean, rstd, x, with & 1 ? g : NULL, with & 2 ? b : NULL, ROWS, cols, 1e-5);
                set[k].backward(to[1], dy, x, with & 1 ? g : NULL, mean, rstd, ROWS, cols);
                const long n = cols < NORM_COLUMNS ? cols : NORM_COLUMNS;
                set[k].sums(to[2], to[3], dy, with & 2 ? x : NULL, mean, rstd, ROWS, n, cols);
                ck_assert(to[0][ROWS * cols] == (float)(ROWS * cols) && to[1][ROWS * cols] == (float)(N + GUARD + ROWS * cols));
                for (long c = 0; k == 0 && c < n; c++) {
                    float sum = 0;
                    for (long r = 0; r < ROWS; r++) sum += dy[r * cols + c];
                    ck_assert_msg(to[3][c] == sum, "column %ld of %ld", c, cols);
                }
                for (int m = 0; k && m < 4; m++)
                    ck_assert_msg(memcmp(first[m], again[m], (size_t)(m < 2 ? ROWS * cols : n) * sizeof *again[m]) == 0,
                                  "set %zu, output %d, %ld columns", k, m, cols);
            }
}
END_TEST

START_TEST(hot_loops_are_vectors)
{
    char output[4096], *command = temp_format("sh tests/packed.sh %s", build_folder());
    const int status = run_shell(command, output, sizeof output);
    ck_assert_msg(status == 0, "%s", output);
    printf("%s", output);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("nn");
    TCase *ops_case = tcase_create("operations"), *other = tcase_create("formulas");
    suite_add_tcase(suite, ops_case);
    suite_add_tcase(suite, other);
    tcase_add_loop_test(ops_case, gradients, 0, COUNT(all));
    tcase_add_loop_test(ops_case, float_agrees_with_double, 0, COUNT(all));
    tcase_add_test(other, cross_entropy);
    tcase_add_test(other, extreme_logits);
    tcase_add_test(other, squared_error);
    tcase_add_test(other, formulas_in_float);
    tcase_add_test(other, philox);
    tcase_add_test(other, initial_values);
    tcase_add_test(other, adamw_by_hand);
    tcase_add_loop_test(other, sum_of_squares, 0, 2);
    tcase_add_test(other, zeros_and_copies);
    tcase_add_test(other, norms_of_every_set);
    tcase_add_test(other, hot_loops_are_vectors);
    return run_suite(suite, argc, argv);
}
