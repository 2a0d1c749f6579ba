/* SPDX-License-Identifier: GPL-3.0-or-later
 * tally.c - see tally.h.  What an operation does was read in cuda/: bytes that a kernel reads again soon come from the
 * GPU's caches and count once. */
#include <math.h>
#include <string.h>
#include "src/train/tally.h"

const char *const tally_name[TALLY_KINDS] = {
    "products", "attention", "norms", "activation", "loss", "embedding", "biases", "copies", "random", "optimizer",
    "transfers", "launches" };

const double tally_instructions[INSTR_KINDS] = {
    [INSTR_GELU] = 27.5, [INSTR_GELU_SLOPE] = 33.1, [INSTR_LOSS] = 27.0, [INSTR_NORM] = 25.9, [INSTR_NORM_SLOPE] = 38.2,
    [INSTR_RANDOM] = 72.5, [INSTR_BIAS] = 8.9, [INSTR_SCORE] = 16.2, [INSTR_SCORE_SLOPE] = 59.2 };

static struct {
    const gpu_model *g;
    gpu_precision p;
    ops           table;
    tally         t;
    char         *next;                  /* the address of the next piece of memory: never read or written */
} C;

/* ---- adding up ------------------------------------------------------------------------------------------- */

typedef struct {
    tally_kind kind;
    double flops, bytes;                 /* as in tally_line                                            */
    double products;                     /* seconds that the products take                              */
    double instructions, doubles;        /* of all threads: any; those on doubles                       */
    long   launches;
} cost;

static void add(const cost *c)
{
    const gpu_model *g = C.g;
    const double memory = c->bytes / (g->bandwidth * GPU_BANDWIDTH), issue = c->instructions / gpu_issue(g);
    const double work = c->kind == TALLY_ATTENTION ? c->products + issue : fmax(c->products, issue);
    tally_line *to = &C.t.of[c->kind];
    to->flops += c->flops;
    to->bytes += c->bytes;
    to->launches += c->launches;
    to->floor += fmax(memory, c->flops / (g->peak[C.p] * GPU_PRODUCTS));
    to->seconds += fmax(memory, fmax(work, c->doubles / (g->fp64 / 2)));
}

/* A kernel that reads and writes so many bytes for each of n numbers. */
static void stream(tally_kind kind, double n, double bytes, double instructions, long launches)
{
    add(&(cost){ .kind = kind, .bytes = n * bytes, .instructions = n * instructions, .launches = launches });
}

static double act(void) { return (double)C.table.act; }
static void scratch(double bytes) { if (bytes > (double)C.t.scratch) C.t.scratch = (size_t)bytes; }

/* ---- memory and transfers -------------------------------------------------------------------------------- */

static void *alloc(size_t bytes)
{
    enum { BOUNDARY = 512 };
    char *x = C.next;
    const size_t taken = (bytes + BOUNDARY - 1) / BOUNDARY * BOUNDARY;
    C.next += taken;
    C.t.memory += taken;
    return x;
}
static void release(void *x) { (void)x; }          /* a step releases nothing */

static void transfer(double bytes)
{
    tally_line *to = &C.t.of[TALLY_TRANSFERS];
    to->bytes += bytes;
    to->launches++;
    to->seconds += GPU_WAIT + bytes / GPU_BUS;
}
static void ones(double *to, size_t n) { for (size_t i = 0; i < n; i++) to[i] = 1; }
static void put(void *to, const double *from, size_t n) { (void)to; (void)from; transfer((double)n * sizeof(float)); }
static void get(double *to, const void *from, size_t n)
{
    (void)from;
    ones(to, n);
    transfer((double)n * sizeof(float));
}
static void upload(void *to, const void *host, size_t bytes) { (void)to; (void)host; transfer((double)bytes); }
static void download(void *host, const void *from, size_t bytes)
{
    (void)from;
    REQUIRE(bytes % sizeof(double) == 0, "only doubles come back, not %zu bytes", bytes);
    ones(host, bytes / sizeof(double));
    transfer((double)bytes);
}
static void zero(void *x, size_t n)
{
    (void)x;
    if (n) stream(TALLY_COPIES, (double)n, sizeof(float), 0, 1);
}
static void copy(void *to, const void *from, size_t n)
{
    if (n && to != from) stream(TALLY_COPIES, (double)n, 2 * sizeof(float), 0, 1);
}
static void cast_to_act(void *to, const void *from, size_t n)
{
    if (C.p != GPU_BF16) copy(to, from, n);
    else if (n)          stream(TALLY_COPIES, (double)n, sizeof(float) + act(), 0, 1);
}
static void graph_run(void **graph, void (*body)(void *self), void *self)
{
    (void)graph;
    body(self);
}
static void graph_free(void **graph) { (void)graph; }

/* ---- products -------------------------------------------------------------------------------------------- */

/* The share of the multiprocessors that M x N results keep busy, in tiles of up to 128 x 128 numbers, where K may be
 * cut into up to 16 parts: full rounds of tiles, and no numbers of a tile beyond the matrix. */
static double busy(double M, double N, double K)
{
    enum { TILE = 128, LEAST = 64, DEPTH = 512 };
    const double m = M >= TILE ? TILE : LEAST, n = N >= TILE ? TILE : LEAST;
    const double tiles = ceil(M / m) * ceil(N / n), units = (double)C.g->units;
    double best = 0;
    for (double parts = 1; parts <= 16 && (parts == 1 || K / parts >= DEPTH); parts *= 2)
        best = fmax(best, tiles * parts / (ceil(tiles * parts / units) * units));
    return best * M * N / (tiles * m * n);
}

static void gemm(bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda, const void *B,
                 long ldb, double beta, const void *D, void *out, long ldc, number_kind kind)
{
    (void)tA; (void)tB; (void)A; (void)lda; (void)B; (void)ldb; (void)D; (void)out; (void)ldc;
    if (M == 0 || N == 0) return;
    const double m = (double)M, n = (double)N, k = alpha == 0 ? 0 : (double)K, flops = 2 * m * n * k;
    const double result = m * n * (kind == WIDE ? sizeof(float) : act()) * (beta == 0 ? 1 : 2);
    add(&(cost){ .kind = TALLY_PRODUCTS, .flops = flops, .bytes = (m * k + n * k) * act() + result, .launches = 1,
                 .products = flops / (C.g->peak[C.p] * GPU_PRODUCTS * busy(m, n, k)) });
}

/* The bias is read, and added where the product is written. */
static void linear_fwd(void *y, const void *x, const void *W, const void *b, const void *x0, long R, long out, long in)
{
    (void)b;
    if (R && out) stream(TALLY_PRODUCTS, (double)out, act(), 0, 0);
    gemm(false, true, R, out, in, 1, x, in, W, in, x0 ? 1 : 0, x0, y, out, ACT);
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

static void embed_fwd(void *y, const int32_t *tok, const void *wte, const void *wpe, long R, long T, long c)
{
    (void)y; (void)tok; (void)wte; (void)wpe;
    if (R) stream(TALLY_EMBEDDING, (double)(2 * R + T) * (double)c, sizeof(float), 0, 1);
}
/* A fill, four kernels that sort, two that add: counts[blocks][V] are written, read and written, and read; dy is read
 * twice. */
static void embed_bwd(void *dwte, void *dwpe, const void *dy, const int32_t *tok, long R, long T, long c, long V)
{
    (void)dwte; (void)dwpe; (void)dy; (void)tok;
    const double blocks = ceil((double)R / 512), counts = blocks * (double)V, touched = R < V ? (double)R : (double)V;
    if (R) stream(TALLY_EMBEDDING, 4 * counts + 2 * (double)(R * c) + 2 * (touched + (double)T) * (double)c,
                  sizeof(float), 0, 7);
    scratch((counts + 2 * (double)V + (double)R) * sizeof(int32_t));
}
static void sum(void *y, const void *x, size_t n)
{
    (void)y; (void)x;
    if (n) stream(TALLY_COPIES, (double)n, 2 * sizeof(float) + act(), 0, 1);
}
static void norm_fwd(void *y, void *mean, void *rstd, const void *x, const void *g, const void *b, long R, long c,
                     double eps)
{
    (void)y; (void)mean; (void)rstd; (void)x; (void)g; (void)b; (void)eps;
    if (R) stream(TALLY_NORM, (double)(R * c), sizeof(float) + act(), tally_instructions[INSTR_NORM], 1);
}
/* dx is read and written.  The sums of gains and biases take a launch for the blocks' parts; in rows of more than 1,024
 * numbers another one for the sums themselves, which reads dy and x once more. */
static void norm_bwd(void *dx, void *dx_act, void *dg, void *db, const void *dy, const void *x, const void *mean,
                     const void *rstd, const void *g, long R, long c)
{
    (void)dx; (void)dy; (void)x; (void)mean; (void)rstd; (void)g;
    const bool sums = dg || db, again = sums && c > 1024;
    const double bytes = 3 * sizeof(float) + act() + (dx_act ? act() : 0) + (again ? sizeof(float) + act() : 0);
    if (R) stream(TALLY_NORM, (double)(R * c), bytes, tally_instructions[INSTR_NORM_SLOPE], 1 + sums + again);
    if (sums) scratch(2 * 256.0 * (double)c * sizeof(float));
}
static void activation_fwd(void *y, const void *x, size_t n, activation_kind kind)
{
    (void)y; (void)x;
    const double each = kind == ACTIVATION_GELU ? tally_instructions[INSTR_GELU] : 0;
    if (n) stream(TALLY_ACTIVATION, (double)n, 2 * act(), each, 1);
}
static void activation_bwd(void *dx, const void *dy, const void *x, size_t n, activation_kind kind)
{
    (void)dx; (void)dy; (void)x;
    const double each = kind == ACTIVATION_GELU ? tally_instructions[INSTR_GELU_SLOPE] : 0;
    if (n) stream(TALLY_ACTIVATION, (double)n, 3 * act(), each, 1);
}
static void bias_fwd(void *y, const void *b, long R, long c)
{
    (void)y; (void)b;
    if (R && c) stream(TALLY_BIAS, (double)(R * c), 2 * act(), tally_instructions[INSTR_BIAS], 1);
}
static void bias_bwd(void *db, const void *dy, long R, long c)
{
    (void)db; (void)dy;
    if (R) stream(TALLY_BIAS, (double)(R * c), act(), 0, 2);
    scratch(2 * 256.0 * (double)c * sizeof(float));
}
static void loss_fwdbwd(void *logits, double *loss, const int32_t *target, long R, long V, double factor)
{
    (void)logits; (void)loss; (void)target;
    const double part = factor == 0 ? 0.5 : 1;                          /* the second pass writes the gradient */
    if (R) stream(TALLY_LOSS, (double)(R * V) * part, 2 * act(), tally_instructions[INSTR_LOSS], 1);
}
static void top1(double *right, const void *logits, const int32_t *target, long R, long V)
{
    (void)right; (void)logits; (void)target;
    if (R) stream(TALLY_LOSS, (double)(R * V), act(), 0, 1);
}
static void mean_fwd(void *y, const void *x, long B, long T, long c)
{
    (void)y; (void)x;
    if (B) stream(TALLY_COPIES, (double)(B * T * c), sizeof(float), 0, 1);
}
static void mean_bwd(void *dx, const void *dy, long B, long T, long c)
{
    (void)dx; (void)dy;
    if (B) stream(TALLY_COPIES, (double)(B * T * c), 2 * sizeof(float), 0, 1);
}
static void select_fwd(void *y, const void *x, long B, long T, long c, long t)
{
    (void)y; (void)x; (void)T; (void)t;
    if (B) stream(TALLY_COPIES, (double)(B * c), sizeof(float) + act(), 0, 1);
}
static void select_bwd(void *dx, const void *dy, long B, long T, long c, long t)
{
    (void)dx; (void)dy; (void)T; (void)t;
    if (B) stream(TALLY_COPIES, (double)(B * c), 2 * sizeof(float) + act(), 0, 1);
}
/* Squares of both in double, and two conversions to it. */
static void square_fwdbwd(void *p, double *loss, double *norm, const void *y, long R, long c, double factor)
{
    (void)p; (void)loss; (void)norm; (void)y;
    const double n = (double)(R * c), bytes = n * act() * (factor == 0 ? 2 : 3);
    if (R) add(&(cost){ .kind = TALLY_LOSS, .bytes = bytes, .doubles = 4 * n, .launches = 1 });
}
static void patch_fwd(void *y, const unsigned char *image, long B, long side, long channels, long patch, long lead)
{
    (void)y; (void)image; (void)patch; (void)lead;
    if (B) stream(TALLY_EMBEDDING, (double)(B * side * side * channels), 1 + act(), 0, 1);
}
static void randn(void *y, size_t n, const uint32_t key[2], uint64_t counter)
{
    (void)y; (void)key; (void)counter;
    if (n) stream(TALLY_RANDOM, (double)n, act(), tally_instructions[INSTR_RANDOM], 1);
}

/* ---- the optimizer, in double ----------------------------------------------------------------------------- */

static double sumsq(const void *x, size_t n)
{
    (void)x;
    const double count = (double)n;
    add(&(cost){ .kind = TALLY_OPTIMIZER, .bytes = count * sizeof(float), .doubles = 2 * count, .launches = 2 });
    transfer(sizeof(double));
    return 1;
}
/* w, m, v are read and written, g is read; 16 products and sums, 6 conversions, a root and a division of about 10
 * each. */
static void adamw(void *w, void *m, void *v, const void *g, size_t n, const adamw_step *s)
{
    (void)w; (void)m; (void)v; (void)g; (void)s;
    const double count = (double)n, bytes = 7 * count * sizeof(float);
    if (n) add(&(cost){ .kind = TALLY_OPTIMIZER, .bytes = bytes, .doubles = 42 * count, .launches = 1 });
}

/* ---- attention ------------------------------------------------------------------------------------------- */

static double pairs(const attn_shape *s)
{
    const double T = (double)s->T;
    return (double)(s->B * s->H) * (s->causal ? T * (T + 1) / 2 : T * T);
}
static bool flash(const attn_shape *s) { return C.p == GPU_BF16 && s->D % 8 == 0 && s->D <= 128; }

/* Scores that the flash kernels compute: whole tiles of `rows` x `step`, and none that lies above the diagonal. */
static double scores(const attn_shape *s, long rows, long step)
{
    double sum = 0;
    for (long from = 0; from < s->T; from += rows) {
        const long end = s->causal && from + rows < s->T ? from + rows : s->T;
        const long steps = (end + step - 1) / step;
        sum += (double)rows * (double)(steps * step);
    }
    return sum * (double)(s->B * s->H);
}

/* flops and products: 2 D for each score and product.  tensors: of B T H D numbers, read or written. */
static void flash_cost(const attn_shape *s, double needed, double products, double computed, double instructions,
                       double tensors, long launches)
{
    const double width = s->D <= 16 ? 16 : s->D <= 32 ? 32 : s->D <= 64 ? 64 : 128, rows = (double)(s->B * s->T * s->H);
    add(&(cost){ .kind = TALLY_ATTENTION, .flops = needed * 2 * (double)s->D * pairs(s), .launches = launches,
                 .products = products * 2 * width * computed / (C.g->peak[GPU_BF16] * C.g->mma * GPU_PRODUCTS),
                 .bytes = rows * (tensors * (double)s->D * act() + 8), .instructions = instructions * computed });
}

/* Sequences at a time, for 256 MiB of scores. */
static double sequences(const attn_shape *s)
{
    return fmax(1, floor((double)(64L << 20) / (double)(s->T * s->T * s->H)));
}

/* Products for each sequence, T x T numbers in memory between them. */
static void simple_cost(const attn_shape *s, double products, double bytes, long kernels)
{
    const double T = (double)s->T, all = T * T * (double)(s->B * s->H), flops = 2 * products * (double)s->D * all;
    const bool small = s->T * s->T * s->D < 128L * 128 * 64;           /* one launch of the plain kernel */
    const long parts = (long)ceil((double)s->B / sequences(s));
    const double rate = small ? C.g->peak[GPU_FP32] / 4 : C.g->peak[C.p] * GPU_PRODUCTS;
    add(&(cost){ .kind = TALLY_ATTENTION, .flops = products * 2 * (double)s->D * pairs(s), .products = flops / rate,
                 .launches = small ? parts * kernels : (long)products * s->B + parts * (kernels - (long)products),
                 .bytes = all * bytes, .instructions = all * tally_instructions[INSTR_SCORE] });
}

static void attn_fwd(heads_out O, void *lse, heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)work;
    if (flash(s)) flash_cost(s, 2, 2, scores(s, s->D <= 64 ? 128 : 64, 64), tally_instructions[INSTR_SCORE], 4, 1);
    else          simple_cost(s, 2, 3 * sizeof(float) + 2 * act(), 3);
}
/* Seven products instead of the four that are needed: the scores and dP are made twice, once more than the result needs
 * if the forward pass kept them. */
static void attn_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const void *lse, heads Q, heads K,
                     heads V, const attn_shape *s, void *work)
{
    (void)dQ; (void)dK; (void)dV; (void)dO; (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)work;
    if (flash(s))
        flash_cost(s, 4, 7, scores(s, 64, s->D <= 64 ? 64 : 32), tally_instructions[INSTR_SCORE_SLOPE], 13, 3);
    else
        simple_cost(s, 5, 4 * sizeof(float) + 5 * act(), 6);
}
static size_t attn_work(const attn_shape *s)
{
    const double T = (double)s->T;
    if (flash(s)) return (size_t)(s->B * s->H * s->T) * 8;
    return (size_t)(fmin((double)s->B, sequences(s)) * (double)s->H * T * T) * (C.p == GPU_BF16 ? 12 : 8);
}

/* ---- the table ------------------------------------------------------------------------------------------- */

const ops *tally_ops(const gpu_model *g, gpu_precision p)
{
    static const char *const name[GPU_PRECISIONS] = { "cuda-fp32", "cuda-tf32", "cuda-bf16" };
    enum { FIRST_ADDRESS = 1 << 20 };
    const size_t large = (size_t)36 << 30;
    C.g = g;
    C.p = p;
    C.t = (tally){ .memory = 0 };
    C.next = (char *)(uintptr_t)FIRST_ADDRESS;
    C.table = (ops){ .name = name[p], .device = g->about, .counts = true, .real = sizeof(float),
        .act = p == GPU_BF16 ? 2 : sizeof(float), .memory = (size_t)g->memory,
        .logits = (size_t)1 << (g->memory >= (double)large ? 30 : 28),
        .alloc = alloc, .release = release, .put = put, .get = get, .put_act = put, .get_act = get, .upload = upload,
        .download = download, .zero = zero, .copy = copy, .cast_to_act = cast_to_act, .graph_run = graph_run,
        .graph_free = graph_free, .gemm = gemm, .linear_fwd = linear_fwd, .embed_fwd = embed_fwd,
        .embed_bwd = embed_bwd, .add = sum,
        .norm_fwd = norm_fwd, .norm_bwd = norm_bwd, .activation_fwd = activation_fwd, .activation_bwd = activation_bwd,
        .bias_fwd = bias_fwd, .bias_bwd = bias_bwd, .attn_fwd = attn_fwd, .attn_bwd = attn_bwd, .attn_work = attn_work,
        .loss_fwdbwd = loss_fwdbwd, .top1 = top1, .mean_fwd = mean_fwd, .mean_bwd = mean_bwd,
        .select_token_fwd = select_fwd, .select_token_bwd = select_bwd, .square_fwdbwd = square_fwdbwd,
        .patch_fwd = patch_fwd, .randn = randn, .sumsq = sumsq, .adamw = adamw };
    return &C.table;
}

void tally_clear(void)
{
    memset(C.t.of, 0, sizeof C.t.of);
}

tally tally_now(void)
{
    tally t = C.t;
    tally_line *all = &t.of[TALLY_LAUNCHES];
    for (int k = 0; k < TALLY_TRANSFERS; k++) all->seconds += (double)t.of[k].launches * GPU_NODE;
    for (int k = 0; k < TALLY_KINDS; k++) {
        t.total.flops += t.of[k].flops;
        t.total.bytes += k == TALLY_TRANSFERS ? 0 : t.of[k].bytes;
        t.total.launches += k == TALLY_TRANSFERS ? 0 : t.of[k].launches;
        t.total.floor += t.of[k].floor;
        t.total.seconds += t.of[k].seconds;
    }
    return t;
}
