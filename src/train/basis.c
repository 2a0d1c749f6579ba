/* SPDX-License-Identifier: GPL-3.0-or-later
 * basis.c - see basis.h.  Shapes in comments: R = rows at a time. */
#include <limits.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/base/fields.h"
#include "src/train/basis.h"
#include "src/train/layers.h"

enum { SCALE = 4096 };                   /* samples for E|Y|^2                                          */

struct basis_task {
    net         net;                     /* of the student                                              */
    basis_shape c;
    mlp         student;                 /* W_fc = V1, W_proj = V2; u, g: room for the target's, too    */
    long        rows;
    uint32_t    key[SAMPLE_STREAMS][2];
    double     *target;                  /* W1, W2, L on the host                                       */
    void       *W1, *W2, *L;             /* act                                                         */
    void       *A;                       /* d x d act, in x out: the linear map                         */
    void       *x, *y, *p;               /* R x d act: inputs, targets, a model's predictions           */
    double     *row[2], *host[2];        /* [R] of the backend and here: per-sample sums                */
    double      size;                    /* E|Y|^2                                                      */
};

const char *basis_shape_check(const basis_shape *c)
{
    if (c->d < 4 || c->d % 4 || c->d > 1 << 14) return "the width must be a multiple of 4, at most 16384";
    if (c->m < 1 || c->m > 1 << 18) return "the student needs from 1 to 262144 neurons";
    return NULL;
}

/* As the headers of logs and checkpoints have it. */
static const field fields[] = {
    FIELD_NUMBER(basis_shape, d, 4, LONG_MAX), FIELD_NUMBER(basis_shape, m, 1, LONG_MAX),
    FIELD_SWITCH(basis_shape, less_x), FIELD_SWITCH(basis_shape, shuffled),
};

char *basis_shape_print(const basis_shape *c)
{
    text_buffer text = { 0 };
    text_add(&text, "basis ");
    fields_print(fields, COUNT(fields), c, &text);
    return text_take(&text);
}

static double mean_size(basis_task *M);

void basis_set_target(basis_task *M, const basis_target *T)
{
    const size_t square = (size_t)(M->c.d * M->c.d);
    memmove(M->target, T->W1, 4 * square * sizeof *T->W1);
    memmove(M->target + 4 * square, T->W2, 4 * square * sizeof *T->W2);
    memmove(M->target + 8 * square, T->L, square * sizeof *T->L);
    const ops *o = M->net.o;
    o->put_act(M->W1, T->W1, 4 * square);
    o->put_act(M->W2, T->W2, 4 * square);
    o->put_act(M->L, T->L, square);
    M->size = mean_size(M);
}

/* W1, W2, Z from streams of their own, so that they do not depend on the student's width. */
static void draw_target(basis_task *M, uint64_t seed)
{
    const ops *o = M->net.o;
    const long d = M->c.d;
    param_table t = { NULL, 0, 0 };
    const size_t W1 = params_add(&t, "target.W1", 4 * d, d, false, INIT_NORMAL, 1 / sqrt(4.0 * (double)d));
    const size_t W2 = params_add(&t, "target.W2", d, 4 * d, false, INIT_NORMAL, 1 / sqrt(4.0 * (double)d));
    const size_t Z  = params_add(&t, "target.Z", d, d, false, INIT_NORMAL, 1 / sqrt((double)d));
    void *w = alloc_wide(o, t.size);
    double *drawn = must_calloc(t.size, sizeof *drawn);
    params_init(&t, o, w, seed);
    o->get(drawn, w, t.size);
    for (long i = 0; M->c.less_x && i < d; i++) drawn[Z + (size_t)(i * d + i)] -= 1;
    basis_set_target(M, &(basis_target){ drawn + W1, drawn + W2, drawn + Z });
    o->release(w);
    free(drawn);
    params_free(&t);
}

basis_target basis_target_of(const basis_task *M)
{
    const size_t wide = (size_t)(4 * M->c.d * M->c.d);
    return (basis_target){ M->target, M->target + wide, M->target + 2 * wide };
}

static void draw_keys(basis_task *M, uint64_t data_seed)
{
    static const char *const name[SAMPLE_STREAMS] = { "basis.train", "basis.fit", "basis.test", "basis.other" };
    for (int s = 0; s < SAMPLE_STREAMS; s++) {
        uint64_t key[2];
        random_key_derive(key, (uint64_t[]){ data_seed, 0 }, name[s]);
        M->key[s][0] = (uint32_t)key[0];
        M->key[s][1] = (uint32_t)(key[0] >> 32);
    }
}

/* PyTorch's initial values of a linear layer: U(-1/sqrt(in), 1/sqrt(in)). */
static linear add_linear(param_table *t, const char *name, long out, long in)
{
    return (linear){ .weight = true, .out = out, .in = in,
                     .w = params_add(t, name, out, in, true, INIT_UNIFORM, 1 / sqrt((double)in)) };
}

static param_table build_param_table(basis_task *M)
{
    param_table t = { NULL, 0, 0 };
    M->student.fc   = add_linear(&t, "up", M->c.m, M->c.d);
    M->student.proj = add_linear(&t, "down", M->c.d, M->c.m);
    return t;
}

static void assign_buffers(void *self)
{
    basis_task *M = self;
    net *n = &M->net;
    const long d = M->c.d, m = M->c.m, R = M->rows, widest = m > 4 * d ? m : 4 * d;
    M->W1 = arena_take_act(n, 4 * d * d);
    M->W2 = arena_take_act(n, 4 * d * d);
    M->L  = arena_take_act(n, d * d);
    M->A  = arena_take_act(n, d * d);
    M->x  = arena_take_act(n, R * d);
    M->y  = arena_take_act(n, R * d);
    M->p  = arena_take_act(n, R * d);
    M->student.u = arena_take_act(n, R * widest);
    M->student.g = arena_take_act(n, R * widest);
    for (int k = 0; k < 2; k++) M->row[k] = arena_take(n, (size_t)R * sizeof *M->row[k]);
}

basis_task *basis_create(const basis_shape *c, const ops *o, long rows, uint64_t seed, uint64_t data_seed)
{
    const char *wrong = basis_shape_check(c);
    REQUIRE(!wrong, "%s", wrong);
    REQUIRE(rows > 0, "%ld rows at a time", rows);
    basis_task *M = must_calloc(1, sizeof *M);
    *M = (basis_task){ .c = *c, .rows = rows };
    M->net = net_create(o, build_param_table(M), seed);
    net_assign_buffers(&M->net, assign_buffers, M);
    M->target = must_calloc((size_t)(9 * c->d * c->d), sizeof *M->target);
    for (int k = 0; k < 2; k++) M->host[k] = must_calloc((size_t)rows, sizeof *M->host[k]);
    draw_keys(M, data_seed);
    draw_target(M, seed);
    return M;
}

void basis_free(basis_task *M)
{
    if (!M) return;
    net_free(&M->net);
    free(M->host[0]);
    free(M->host[1]);
    free(M->target);
    free(M);
}

net *basis_net(basis_task *M) { return &M->net; }

/* ---- samples and models: n <= R rows --------------------------------------------------------------------- */

/* Sample i has the d/4 blocks of its stream from i d/4 on. */
static void inputs(basis_task *M, sample_stream s, uint64_t first, long n)
{
    M->net.o->randn(M->x, (size_t)(n * M->c.d), M->key[s], first * (uint64_t)(M->c.d / 4));
}

/* y = GELU(x W1') W2' + x L' */
static void targets(basis_task *M, long n)
{
    const ops *o = M->net.o;
    const long d = M->c.d, m = 4 * d;
    o->gemm(false, true, n, m, d, 1, M->x, d, M->W1, d, 0, NULL, M->student.u, m, ACT);
    o->activation_fwd(M->student.g, M->student.u, (size_t)(n * m), ACTIVATION_GELU);
    o->gemm(false, true, n, d, d, 1, M->x, d, M->L, d, 0, NULL, M->y, d, ACT);
    o->gemm(false, true, n, d, m, 1, M->student.g, m, M->W2, m, 1, M->y, M->y, d, ACT);
}

static void samples(basis_task *M, sample_stream s, uint64_t first, long n)
{
    inputs(M, M->c.shuffled ? SAMPLES_OTHER : s, first, n);
    targets(M, n);
    if (M->c.shuffled) inputs(M, s, first, n);
}

static long piece(const basis_task *M, long left) { return left < M->rows ? left : M->rows; }

void basis_samples(basis_task *M, sample_stream s, uint64_t first, long n, double *x, double *y)
{
    const long d = M->c.d;
    for (long from = 0; from < n; from += M->rows) {
        const long now = piece(M, n - from);
        samples(M, s, first + (uint64_t)from, now);
        M->net.o->get_act(x + from * d, M->x, (size_t)(now * d));
        M->net.o->get_act(y + from * d, M->y, (size_t)(now * d));
    }
}

/* p = GELU(x V1') V2' + x */
static void student_forward(basis_task *M, long n)
{
    mlp_forward(&M->net, &M->student, n, M->x, M->x, M->p, ACT);
}

/* p is the gradient at P. */
static void student_backward(basis_task *M, long n)
{
    mlp_backward(&M->net, &M->student, n, M->p, M->x, M->student.g, NULL);
}

/* row[0] = |p - y|^2, row[1] = |y|^2 per sample; p becomes factor (p - y) when factor is not 0 */
static void square(basis_task *M, const void *y, long n, double factor)
{
    M->net.o->square_fwdbwd(M->p, M->row[0], M->row[1], y, n, M->c.d, factor);
}

static void fetch_sums(basis_task *M, int k, long n)
{
    M->net.o->download(M->host[k], M->row[k], (size_t)n * sizeof(double));
}

/* host[0] = |p - y|^2, host[1] = |y|^2 per sample */
static void compare(basis_task *M, const void *y, long n)
{
    square(M, y, n, 0);
    for (int k = 0; k < 2; k++) fetch_sums(M, k, n);
}

static double mean_size(basis_task *M)
{
    double sum = 0;
    for (long from = 0; from < SCALE; from += M->rows) {
        const long n = piece(M, SCALE - from);
        samples(M, SAMPLES_TEST, (uint64_t)from, n);
        compare(M, M->y, n);
        for (long r = 0; r < n; r++) sum += M->host[1][r];
    }
    return sum / SCALE;
}

/* A batch but where its samples are in their stream, so that it can be recorded. */
typedef struct { basis_task *M; long n; double factor; } batch;
static void run_batch(void *self)
{
    const batch *b = self;
    basis_task *M = b->M;
    if (!M->c.shuffled) targets(M, b->n);
    student_forward(M, b->n);
    square(M, M->y, b->n, b->factor);
    if (b->factor != 0) student_backward(M, b->n);
}

double basis_loss(basis_task *M, sample_stream s, uint64_t first, long n, double factor)
{
    REQUIRE(n > 0, "a batch of %ld samples", n);
    const double all = (double)n * M->size;
    double sum = 0;
    for (long from = 0; from < n; from += M->rows) {
        batch b = { M, piece(M, n - from), 2 * factor / all };
        const uint64_t place = first + (uint64_t)from;
        if (M->c.shuffled) samples(M, s, place, b.n);
        else               inputs(M, s, place, b.n);
        net_run_batch(&M->net, b.n == M->rows, b.factor, run_batch, &b);
        fetch_sums(M, 0, b.n);
        for (long r = 0; r < b.n; r++) sum += M->host[0][r];
    }
    return sum / all;
}

/* ---- measures ---------------------------------------------------------------------------------------------- */

/* With |P|^2, |Y|^2 and |P - Y|^2:  P.Y = (|P|^2 + |Y|^2 - |P - Y|^2) / 2. */
basis_distance basis_measure(basis_task *M, basis_model which, uint64_t first, long n)
{
    REQUIRE(n > 0, "measured on %ld samples", n);
    const long d = M->c.d;
    double missing = 0, size = 0;
    basis_distance is = { 0 };
    double *miss = must_calloc((size_t)M->rows, sizeof *miss), *y2 = must_calloc((size_t)M->rows, sizeof *y2);
    for (long from = 0; from < n; from += M->rows) {
        const long now = piece(M, n - from);
        samples(M, SAMPLES_TEST, first + (uint64_t)from, now);
        if (which == MODEL_STUDENT) student_forward(M, now);
        else M->net.o->gemm(false, false, now, d, d, 1, M->x, d, M->A, d, 0, NULL, M->p, d, ACT);
        compare(M, M->y, now);
        memcpy(miss, M->host[0], (size_t)now * sizeof *miss);
        memcpy(y2, M->host[1], (size_t)now * sizeof *y2);
        compare(M, M->p, now);
        for (long r = 0; r < now; r++) {
            const double p2 = M->host[1][r];
            missing += miss[r];
            size += y2[r];
            is.sample_error += sqrt(miss[r] / y2[r]) / (double)n;
            is.cosine += (1 - (p2 + y2[r] - miss[r]) / (2 * sqrt(p2 * y2[r]))) / (double)n;
        }
    }
    free(miss);
    free(y2);
    is.error = sqrt(missing / size);
    return is;
}

/* ---- the linear map ---------------------------------------------------------------------------------------- */

/* to += a' b over n rows, in double; `wide` d x d is room for the product */
static void add_gram(basis_task *M, double *to, const void *a, const void *b, long n, void *wide, double *host)
{
    const long d = M->c.d;
    M->net.o->gemm(true, false, d, d, n, 1, a, d, b, d, 0, NULL, wide, d, WIDE);
    M->net.o->get(host, wide, (size_t)(d * d));
    for (long k = 0; k < d * d; k++) to[k] += host[k];
}

void basis_fit_linear(basis_task *M, long n, double lambda)
{
    const long d = M->c.d;
    const size_t square = (size_t)(d * d);
    REQUIRE(n >= d && lambda > 0, "a ridge regression on %ld samples with lambda = %g", n, lambda);
    double *G = must_calloc(square, sizeof *G), *C = must_calloc(square, sizeof *C);
    double *host = must_calloc(square, sizeof *host);
    void *wide = alloc_wide(M->net.o, square);
    for (long from = 0; from < n; from += M->rows) {
        const long now = piece(M, n - from);
        samples(M, SAMPLES_FIT, (uint64_t)from, now);
        add_gram(M, G, M->x, M->x, now, wide, host);
        add_gram(M, C, M->x, M->y, now, wide, host);
    }
    for (long i = 0; i < d; i++) G[i * d + i] += lambda;
    const lapack_int bad = LAPACKE_dposv(LAPACK_ROW_MAJOR, 'U', (int)d, (int)d, G, (int)d, C, (int)d);
    REQUIRE(bad == 0, "X'X + lambda I is not positive: %d", (int)bad);
    M->net.o->put_act(M->A, C, square);
    M->net.o->release(wide);
    free(G);
    free(C);
    free(host);
}
