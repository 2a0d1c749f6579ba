/* cpu_linear.c - memory, products, embeddings, sums and the update, on the CPU. */
#include <cblas.h>
#include <stdlib.h>
#include <string.h>
#include "src/train/cpu/real.h"

static void *cpu_alloc(size_t bytes) { return must_calloc(bytes ? bytes : 1, 1); }
static void cpu_release(void *x) { free(x); }
static void cpu_move(void *to, const void *from, size_t bytes) { if (bytes) memcpy(to, from, bytes); }

static void cpu_graph_run(void **recording, void (*body)(void *self), void *self)
{
    (void)recording;
    body(self);
}
static void cpu_graph_free(void **recording) { (void)recording; }

enum { PIECE = 4096 };                   /* numbers per task: results do not depend on the thread count */
static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void cpu_zero(void *to, size_t n)
{
    real *x = to;
    #pragma omp parallel for schedule(static)
    for (size_t at = 0; at < n; at += PIECE) memset(x + at, 0, least(n - at, PIECE) * sizeof *x);
}

static void cpu_copy(void *to, const void *from, size_t n)
{
    real *y = to;
    const real *x = from;
    if (to == from) return;
    #pragma omp parallel for schedule(static)
    for (size_t at = 0; at < n; at += PIECE) memcpy(y + at, x + at, least(n - at, PIECE) * sizeof *x);
}

static void cpu_put(void *to, const double *from, size_t n)
{
    real *x = to;
    for (size_t i = 0; i < n; i++) x[i] = (real)from[i];
}

static void cpu_get(double *to, const void *from, size_t n)
{
    const real *x = from;
    for (size_t i = 0; i < n; i++) to[i] = (double)x[i];
}

void cpu_gemm(bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda,
              const void *B, long ldb, double beta, void *C, long ldc)
{
    const enum CBLAS_TRANSPOSE a = tA ? CblasTrans : CblasNoTrans, b = tB ? CblasTrans : CblasNoTrans;
#ifdef REAL_IS_DOUBLE
    cblas_dgemm(CblasRowMajor, a, b, (int)M, (int)N, (int)K, alpha, A, (int)lda, B, (int)ldb, beta, C, (int)ldc);
#else
    cblas_sgemm(CblasRowMajor, a, b, (int)M, (int)N, (int)K, (float)alpha, A, (int)lda, B, (int)ldb, (float)beta,
                C, (int)ldc);
#endif
}

static void cpu_gemm_add(bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda,
                         const void *B, long ldb, double beta, const void *D, void *C, long ldc, number_kind kind)
{
    (void)kind;
    if (beta != 0 && D != C) {
        const real *from = D;
        real *to = C;
        #pragma omp parallel for schedule(static)
        for (long r = 0; r < M; r++) memcpy(to + r * ldc, from + r * ldc, (size_t)N * sizeof *to);
    }
    cpu_gemm(tA, tB, M, N, K, alpha, A, lda, B, ldb, beta, C, ldc);
}

enum { COLUMNS = 64 };                   /* columns per task where rows are summed in their order */

/* ---- embeddings ---------------------------------------------------------------------------------------- */

WIDE static void sum_of(real *restrict y, const real *restrict a, const real *restrict b, long C)
{
    for (long c = 0; c < C; c++) y[c] = a[c] + b[c];
}

WIDE static void add_row(real *restrict y, const real *restrict x, long C)
{
    for (long c = 0; c < C; c++) y[c] += x[c];
}

static void cpu_embed_fwd(void *to, const int32_t *tok, const void *wte, const void *wpe, long R, long T, long C)
{
    real *y = to;
    const real *token = wte, *position = wpe;
    #pragma omp parallel for schedule(static)
    for (long r = 0; r < R; r++) sum_of(y + r * C, token + tok[r] * C, position + r % T * C, C);
}

/* Rows of wte may meet in one token: each thread adds them in their order, in columns of its own. */
static void cpu_embed_bwd(void *wte, void *wpe, const void *from, const int32_t *tok, long R, long T, long C, long V)
{
    real *dtoken = wte, *dposition = wpe;
    const real *dy = from;
    for (long r = 0; r < R; r++) REQUIRE(tok[r] >= 0 && tok[r] < V, "token %ld of %ld", (long)tok[r], V);
    #pragma omp parallel for schedule(static)
    for (long c = 0; c < C; c += COLUMNS)
        for (long r = 0; r < R; r++) {
            const long n = C - c < COLUMNS ? C - c : COLUMNS;
            add_row(dtoken + tok[r] * C + c, dy + r * C + c, n);
            add_row(dposition + r % T * C + c, dy + r * C + c, n);
        }
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

static void cpu_add(void *to, const void *from, size_t n)
{
    real *y = to;
    const real *x = from;
    #pragma omp parallel for schedule(static)
    for (size_t at = 0; at < n; at += PIECE) add_row(y + at, x + at, (long)least(n - at, PIECE));
}

static void cpu_bias_fwd(void *to, const void *b, long R, long C)
{
    real *y = to;
    #pragma omp parallel for schedule(static)
    for (long r = 0; r < R; r++) add_row(y + r * C, b, C);
}

static void cpu_bias_bwd(void *db, const void *from, long R, long C)
{
    const real *dy = from;
    real *sum = db;
    #pragma omp parallel for schedule(static)
    for (long c = 0; c < C; c += COLUMNS)
        for (long r = 0; r < R; r++) add_row(sum + c, dy + r * C + c, C - c < COLUMNS ? C - c : COLUMNS);
}

WIDE static double piece_sumsq(const real *x, size_t n)
{
    double sum[8] = { 0 };
    size_t i = 0;
    for (; i + 8 <= n; i += 8) for (size_t k = 0; k < 8; k++) sum[k] += (double)x[i + k] * (double)x[i + k];
    for (; i < n; i++) sum[0] += (double)x[i] * (double)x[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static double cpu_sumsq(const void *from, size_t n)
{
    enum { PARTS = 64 };                 /* one after the other in memory, and added in that order */
    const real *x = from;
    const size_t part = (n + PARTS - 1) / PARTS;
    double sum[PARTS] = { 0 }, all = 0;
    #pragma omp parallel for schedule(static)
    for (size_t k = 0; k < PARTS; k++)
        for (size_t at = k * part; at < n && at < (k + 1) * part; at += PIECE)
            sum[k] += piece_sumsq(x + at, least(least(n, (k + 1) * part) - at, PIECE));
    for (int k = 0; k < PARTS; k++) all += sum[k];
    return all;
}

/* ---- the update ---------------------------------------------------------------------------------------- */

WIDE static void adamw_piece(real *restrict w, real *restrict m, real *restrict v, const real *restrict g, size_t n,
                             const adamw_step *s)
{
    for (size_t i = 0; i < n; i++) {
        double mean = (double)m[i], square = (double)v[i];
        w[i] = (real)adamw_one((double)w[i], &mean, &square, (double)g[i] * s->gradient, s->lr, s->beta1, s->beta2,
                               s->eps, s->decay, s->bias1, s->bias2);
        m[i] = (real)mean;
        v[i] = (real)square;
    }
}

static void cpu_adamw(void *weights, void *means, void *squares, const void *gradient, size_t n, const adamw_step *s)
{
    real *w = weights, *m = means, *v = squares;
    const real *g = gradient;
    #pragma omp parallel for schedule(static)
    for (size_t at = 0; at < n; at += PIECE)
        adamw_piece(w + at, m + at, v + at, g + at, least(n - at, PIECE), s);
}

void cpu_fill_linear(ops *o)
{
    o->alloc = cpu_alloc;
    o->release = cpu_release;
    o->put = cpu_put;
    o->get = cpu_get;
    o->zero = cpu_zero;
    o->put_act = cpu_put;
    o->get_act = cpu_get;
    o->upload = cpu_move;
    o->download = cpu_move;
    o->copy = cpu_copy;
    o->cast_to_act = cpu_copy;
    o->graph_run = cpu_graph_run;
    o->graph_free = cpu_graph_free;
    o->gemm = cpu_gemm_add;
    o->embed_fwd = cpu_embed_fwd;
    o->embed_bwd = cpu_embed_bwd;
    o->add = cpu_add;
    o->bias_fwd = cpu_bias_fwd;
    o->bias_bwd = cpu_bias_bwd;
    o->sumsq = cpu_sumsq;
    o->adamw = cpu_adamw;
}

const ops *ops_cpu(void)
{
    static ops table;
    if (!table.name) {
        table.name = sizeof(real) == sizeof(double) ? "cpu-f64" : "cpu-f32";
        table.real = table.act = sizeof(real);
        table.logits = 1 << 24;
        cpu_fill_linear(&table);
        cpu_fill_rows(&table);
        cpu_fill_attn(&table);
        cpu_fill_loss(&table);
        cpu_fill_image(&table);
        cpu_fill_random(&table);
    }
    return &table;
}
