/* SPDX-License-Identifier: GPL-3.0-or-later
 * check.c - `make gpu-check`: compares every operation of the GPU with the CPU's in double.
 *
 *   operations   every slot of the table on odd and on aligned shapes, with outputs poisoned first; run twice, bits
 *                must be equal.  Error |a - b| / |b| of each output, at most 1e-5 (fp32), 1e-3 (tf32), 1e-2 (bf16).
 *   gradients    of a small GPT, of a small vision model and of their variants, against double
 *   steps        20 steps of training: fp32 against the CPU's float, bf16 against fp32; and stopped after 10, with
 *                all state saved and reloaded: bits must be equal
 *   graph        a step replayed from a CUDA graph gives the same bits as the step itself
 *
 * Exit status: 0 all right, 1 something is wrong, 2 no device.  The report goes to stdout, with commit, device and
 * time; `--small` omits what is slow under a memory checker, `--operations` also omits the models. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "cuda/attn.h"
#include "cuda/backend.h"
#include "cuda/product.h"
#include "numerics/random.h"
#include "src/train/gpt.h"
#include "src/train/optim.h"
#include "src/train/vit.h"
#include "src/base/version.h"

/* ---- one trial: inputs of a backend by name, and the outputs ---------------------------------------------- */

enum { MOST = 96 };
typedef struct {
    const ops *o;
    void   *tensor[MOST];
    int     tensors;
    double *out;                         /* all outputs, one after the other                             */
    size_t  n, begin[MOST];
    const char *name[MOST];
    int     outputs;
} trial;

static void *keep(trial *t, void *x)
{
    REQUIRE(t->tensors < MOST, "%d tensors", t->tensors);
    return t->tensor[t->tensors++] = x;
}

/* Normal numbers rounded to bfloat16, so that every backend starts from the same ones: each array is drawn once, and
 * kept for the next trial until it is forgotten. */
static struct { const char *name; size_t n; double *x; } known[MOST];
static int drawings;
static void forget_drawn(void) { while (drawings) free(known[--drawings].x); }

static const double *drawn(const char *name, size_t n)
{
    for (int k = 0; k < drawings; k++) if (known[k].n == n && strcmp(known[k].name, name) == 0) return known[k].x;
    REQUIRE(drawings < MOST, "%d arrays", drawings);
    double *x = must_calloc(n + 1, sizeof *x);
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ 11, 0 }, name);
    const uint32_t k[2] = { (uint32_t)key[0], (uint32_t)(key[0] >> 32) };
    #pragma omp parallel for
    for (size_t i = 0; i < n; i += 4) {
        const uint32_t counter[4] = { (uint32_t)i, (uint32_t)(i >> 32), 0, 0 };
        uint32_t word[4];
        double z[4];
        philox4x32(word, counter, k);
        normal_pair(z, word[0], word[1]);
        normal_pair(z + 2, word[2], word[3]);
        for (size_t j = 0; j < 4 && i + j < n; j++) x[i + j] = (double)bf16_value(bf16_rounded((float)z[j]));
    }
    known[drawings].name = name;
    known[drawings].n = n;
    known[drawings++].x = x;
    return x;
}

static void *wide_of(trial *t, const char *name, size_t n)
{
    void *to = keep(t, alloc_wide(t->o, n));
    t->o->put(to, drawn(name, n), n);
    return to;
}
static void *act_of(trial *t, const char *name, size_t n)
{
    void *to = keep(t, alloc_act(t->o, n));
    t->o->put_act(to, drawn(name, n), n);
    return to;
}
/* Memory whose every byte is 0xff: NaN in all three types. */
static void *poisoned(trial *t, size_t bytes)
{
    unsigned char *x = must_calloc(bytes + 1, 1);
    memset(x, 0xff, bytes);
    void *to = keep(t, t->o->alloc(bytes));
    t->o->upload(to, x, bytes);
    free(x);
    return to;
}
static void *no_wide(trial *t, size_t n) { return poisoned(t, n * t->o->real); }
static void *no_act (trial *t, size_t n) { return poisoned(t, n * t->o->act); }
static int32_t *choices(trial *t, const char *name, size_t n, long below)
{
    int32_t *x = must_calloc(n + 1, sizeof *x);
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ 12, 0 }, name);
    /* every third is 0, so that one index is frequent */
    for (size_t i = 0; i < n; i++) x[i] = i % 3 == 0 ? 0 : (int32_t)random_below(key, i, (uint64_t)below);
    int32_t *to = keep(t, t->o->alloc(n * sizeof *x));
    t->o->upload(to, x, n * sizeof *x);
    free(x);
    return to;
}

static double *room_for(trial *t, const char *name, size_t n)
{
    REQUIRE(t->outputs < MOST - 1, "%d outputs", t->outputs);
    t->out = must_realloc(t->out, t->n + n + 1, sizeof *t->out);
    t->name[t->outputs] = name;
    t->begin[t->outputs++] = t->n;
    t->n += n;
    t->begin[t->outputs] = t->n;
    return t->out + t->n - n;
}
static void show_wide(trial *t, const char *name, const void *x, size_t n) { t->o->get(room_for(t, name, n), x, n); }
static void show_act(trial *t, const char *name, const void *x, size_t n)
{
    t->o->get_act(room_for(t, name, n), x, n);
}
static void show_f64 (trial *t, const char *name, const double *x, size_t n)
{
    t->o->download(room_for(t, name, n), x, n * sizeof *x);
}
static void trial_free(trial *t)
{
    for (int k = 0; k < t->tensors; k++) t->o->release(t->tensor[k]);
    free(t->out);
}

/* ---- the operations ----------------------------------------------------------------------------------------- */

typedef struct { long R, T, C, V, H; } shape;        /* R rows in sequences of T, width C, V kinds, H heads    */

#define N(a, b) ((size_t)((a) * (b)))

static void check_memory(trial *t, const shape *s)
{
    const size_t n = N(s->R, s->C);
    void *x = wide_of(t, "x", n), *y = no_wide(t, n), *a = no_act(t, n), *z = wide_of(t, "z", n);
    t->o->copy(y, x, n);
    t->o->cast_to_act(a, x, n);
    t->o->zero(z, n - 1);
    show_wide(t, "copy", y, n);
    show_act(t, "cast_to_act", a, n);
    show_wide(t, "zero", z, n);
}

static void product_of(trial *t, const shape *s, bool tA, bool tB, double beta, number_kind kind, const char *name)
{
    const long M = s->R, P = s->V, K = s->C, ldc = P + 3;
    void *A = act_of(t, "A", N(M, K)), *B = act_of(t, "B", N(P, K));
    void *D = kind == WIDE ? wide_of(t, "D", N(M, ldc)) : act_of(t, "D", N(M, ldc));
    void *C = beta != 0 ? D : kind == WIDE ? wide_of(t, "C", N(M, ldc)) : act_of(t, "C", N(M, ldc));
    t->o->gemm(tA, tB, M, P, K, 0.5, A, tA ? M : K, B, tB ? K : P, beta, beta == 0 ? NULL : D, C, ldc, kind);
    if (kind == WIDE) show_wide(t, name, C, N(M, ldc));
    else              show_act(t, name, C, N(M, ldc));
}
/* x0: NULL, another array, or y itself; the CPU has no such operation. */
static void linear_of(trial *t, const shape *s, int residual, const char *name)
{
    const long R = s->R, out = s->V, in = s->C;
    const ops *o = t->o;
    void *x = act_of(t, "x", N(R, in)), *W = act_of(t, "W", N(out, in));
    void *x0 = residual ? act_of(t, "x0", N(R, out)) : NULL;
    void *y = residual == 2 ? x0 : no_act(t, N(R, out));
    if (o->linear_fwd) {
        o->linear_fwd(y, x, W, act_of(t, "b", (size_t)out), x0, R, out, in);
    } else {
        o->gemm(false, true, R, out, in, 1, x, in, W, in, x0 ? 1 : 0, x0, y, out, ACT);
        o->bias_fwd(y, wide_of(t, "b", (size_t)out), R, out);
    }
    show_act(t, name, y, N(R, out));
}
static void check_gemm(trial *t, const shape *s)
{
    linear_of(t, s, 0, "y = x W' + b");
    linear_of(t, s, 1, "y = x W' + b + x0");
    linear_of(t, s, 2, "y += x W' + b");
    product_of(t, s, false, true,  0, ACT, "y = x W'");
    product_of(t, s, false, false, 1, ACT, "dx += dy W");
    product_of(t, s, true,  false, 1, WIDE, "dW += dy' x");
    product_of(t, s, true,  true,  0, WIDE, "both transposed");
    void *A = act_of(t, "A", N(s->R, s->C)), *B = act_of(t, "B", N(s->V, s->C)), *D = wide_of(t, "D", N(s->R, s->V));
    void *C = no_wide(t, N(s->R, s->V));
    t->o->gemm(false, true, s->R, s->V, s->C, 1, A, s->C, B, s->C, -2, D, C, s->V, WIDE);
    show_wide(t, "C = A B' + D", C, N(s->R, s->V));
    void *a = no_act(t, N(s->R, s->C)), *b = no_act(t, N(s->V, s->C)), *only = no_wide(t, N(s->R, s->V));
    t->o->gemm(false, true, s->R, s->V, s->C, 0, a, s->C, b, s->C, -2, D, only, s->V, WIDE);
    show_wide(t, "C = -2 D", only, N(s->R, s->V));
}

static void check_embed(trial *t, const shape *s)
{
    const int32_t *tok = choices(t, "tok", (size_t)s->R, s->V);
    void *wte = wide_of(t, "wte", N(s->V, s->C)), *wpe = wide_of(t, "wpe", N(s->T, s->C));
    void *y = no_wide(t, N(s->R, s->C));
    void *dy = wide_of(t, "dy", N(s->R, s->C)), *dwte = wide_of(t, "dwte", N(s->V, s->C));
    void *dwpe = wide_of(t, "dwpe", N(s->T, s->C));
    t->o->embed_fwd(y, tok, wte, wpe, s->R, s->T, s->C);
    t->o->embed_bwd(dwte, dwpe, dy, tok, s->R, s->T, s->C, s->V);
    show_wide(t, "y", y, N(s->R, s->C));
    show_wide(t, "dwte", dwte, N(s->V, s->C));
    show_wide(t, "dwpe", dwpe, N(s->T, s->C));
}

static void norm_with(trial *t, const shape *s, bool gain, bool bias)
{
    const size_t n = N(s->R, s->C), C = (size_t)s->C, R = (size_t)s->R;
    void *x = wide_of(t, "x", n), *g = gain ? wide_of(t, "g", C) : NULL, *b = bias ? wide_of(t, "b", C) : NULL;
    void *y = no_act(t, n), *mean = no_wide(t, R), *rstd = no_wide(t, R), *dy = act_of(t, "dy", n);
    void *dx = wide_of(t, "dx", n), *dg = gain ? wide_of(t, "dg", C) : NULL, *db = bias ? wide_of(t, "db", C) : NULL;
    t->o->norm_fwd(y, mean, rstd, x, g, b, s->R, s->C, 1e-5);
    void *dx_act = bias ? NULL : no_act(t, n);
    t->o->norm_bwd(dx, dx_act, dg, db, dy, x, mean, rstd, g, s->R, s->C);
    show_act(t, "y", y, n);
    if (dx_act) show_act(t, "dx, rounded", dx_act, n);
    show_wide(t, "mean", mean, R);
    show_wide(t, "rstd", rstd, R);
    show_wide(t, "dx", dx, n);
    if (gain) show_wide(t, "dg", dg, C);
    if (bias) show_wide(t, "db", db, C);
}
static void check_norm(trial *t, const shape *s)
{
    norm_with(t, s, true, true);
    norm_with(t, s, true, false);
    norm_with(t, s, false, false);
    if (s->R > 6) return;
    norm_with(t, &(shape){ .R = 9, .C = 1024 }, true, true);            /* wide rows, whose sums registers keep, */
    norm_with(t, &(shape){ .R = 5, .C = 259 }, true, false);
    norm_with(t, &(shape){ .R = 3, .C = 640 }, true, true);
    norm_with(t, &(shape){ .R = 4, .C = 1025 }, true, false);           /* wider ones, and sums of many parts    */
    norm_with(t, &(shape){ .R = 300, .C = 4 }, true, true);
}

static void check_activation(trial *t, const shape *s)
{
    const size_t n = N(s->R, s->C);
    void *x = act_of(t, "x", n), *dy = act_of(t, "dy", n);
    static const char *const name[ACTIVATION_KINDS][3] = { { "GELU", "GELU'", "in place" },
                                                            { "ReLU", "ReLU'", "in place" } };
    for (int k = 0; k < ACTIVATION_KINDS; k++) {
        void *y = no_act(t, n), *dx = no_act(t, n), *here = act_of(t, "dy", n);
        t->o->activation_fwd(y, x, n, (activation_kind)k);
        t->o->activation_bwd(dx, dy, x, n, (activation_kind)k);
        t->o->activation_bwd(here, here, x, n, (activation_kind)k);
        show_act(t, name[k][0], y, n);
        show_act(t, name[k][1], dx, n);
        show_act(t, name[k][2], here, n);
    }
}

static void check_rows(trial *t, const shape *s)
{
    const long B = s->R / s->T;
    const size_t n = N(s->R, s->C), C = (size_t)s->C, few = N(B, s->C);
    void *y = wide_of(t, "y", n), *x = act_of(t, "x", n), *b = wide_of(t, "b", C), *db = wide_of(t, "db", C);
    void *mean = no_act(t, few), *pick = no_act(t, few), *d = act_of(t, "d", few);
    void *dmean = wide_of(t, "dmean", n), *dpick = wide_of(t, "dpick", n);
    t->o->add(y, x, n);
    t->o->bias_bwd(db, x, s->R, s->C);
    t->o->bias_fwd(x, b, s->R, s->C);
    void *part = act_of(t, "part", n);                      /* whole words of eight numbers, but not in each row */
    t->o->bias_fwd(part, b, s->R - s->R % 8, s->C);
    show_act(t, "bias of a part", part, n);
    show_wide(t, "add", y, n);
    show_act(t, "bias", x, n);
    show_wide(t, "dbias", db, C);
    t->o->mean_fwd(mean, y, B, s->T, s->C);
    t->o->mean_bwd(dmean, d, B, s->T, s->C);
    t->o->select_token_fwd(pick, y, B, s->T, s->C, s->T - 1);
    t->o->select_token_bwd(dpick, d, B, s->T, s->C, s->T - 1);
    show_act(t, "mean", mean, few);
    show_wide(t, "dmean", dmean, n);
    show_act(t, "select", pick, few);
    show_wide(t, "dselect", dpick, n);
}

static void square_of(trial *t, long R, long C)
{
    const size_t n = N(R, C), rows = (size_t)R;
    void *p = act_of(t, "p", n), *y = act_of(t, "y", n);
    double *error = poisoned(t, rows * sizeof *error), *size = poisoned(t, rows * sizeof *size);
    t->o->square_fwdbwd(p, error, size, y, R, C, 0.5);
    show_f64(t, "square", error, rows);
    show_f64(t, "norm", size, rows);
    show_act(t, "dsquare", p, n);
    t->o->square_fwdbwd(p, error, size, y, R, C, 0);
    show_f64(t, "square without gradient", error, rows);
    show_act(t, "what it leaves", p, n);
}

static void check_loss(trial *t, const shape *s)
{
    const size_t n = N(s->R, s->V), R = (size_t)s->R;
    void *logits = act_of(t, "logits", n), *same = act_of(t, "logits", n);
    const int32_t *target = choices(t, "target", R, s->V);
    double *loss = poisoned(t, R * sizeof *loss), *right = poisoned(t, R * sizeof *right);
    double *again = poisoned(t, R * sizeof *again);
    t->o->top1(right, logits, target, s->R, s->V);
    t->o->loss_fwdbwd(same, again, target, s->R, s->V, 0);
    t->o->loss_fwdbwd(logits, loss, target, s->R, s->V, 0.25);
    show_f64(t, "right", right, R);
    show_f64(t, "loss", loss, R);
    show_f64(t, "loss without gradient", again, R);
    show_act(t, "dlogits", logits, n);
    double *few = must_calloc(n, sizeof *few), *first = poisoned(t, R * sizeof *first);
    for (size_t i = 0; i < n; i++) few[i] = (double)(i * 7919 % 3);          /* many ties for the maximum */
    t->o->put_act(same, few, n);
    free(few);
    t->o->top1(first, same, target, s->R, s->V);
    show_f64(t, "top-1 of equal logits", first, R);
    square_of(t, s->R, s->C);
    if (s->R <= 6) square_of(t, 3, 1000);                   /* several turns of a warp, the last one not whole */
}

/* Q, K, V side by side as in a model; or Q the input itself, its gradient accumulated. */
static void attention_of(trial *t, const shape *s, bool causal, bool shared)
{
    const long D = s->C / s->H, C = D * s->H, row = shared ? 2 * C : 3 * C, first = shared ? 0 : C;
    const size_t R = (size_t)s->R;
    attn_shape a = { .B = s->R / s->T, .T = s->T, .H = s->H, .D = D, .causal = causal, .scale = 1 / sqrt((double)D) };
    const ops *o = t->o;
    a.room = o->attn_work(&a);
    void *qkv = act_of(t, "qkv", R * (size_t)row), *x = act_of(t, "x", R * (size_t)C), *O = no_act(t, R * (size_t)C);
    void *dqkv = no_act(t, R * (size_t)row), *dx = act_of(t, "dx", R * (size_t)C), *dO = act_of(t, "dO", R * (size_t)C);
    void *lse = no_wide(t, R * (size_t)s->H), *work = poisoned(t, a.room);
    const heads Q = shared ? (heads){ x, C, D } : (heads){ qkv, row, D };
    const heads K = { at_act(o, qkv, (size_t)first), row, D }, V = { at_act(o, qkv, (size_t)(first + C)), row, D };
    const heads_out dQ = shared ? (heads_out){ dx, C, D, true } : (heads_out){ dqkv, row, D, false };
    const heads_out dK = { at_act(o, dqkv, (size_t)first), row, D, false };
    const heads_out dV = { at_act(o, dqkv, (size_t)(first + C)), row, D, false };
    o->attn_fwd((heads_out){ O, C, D, false }, lse, Q, K, V, &a, work);
    show_act(t, causal ? "causal O" : "O", O, R * (size_t)C);
    show_wide(t, "lse", lse, R * (size_t)s->H);
    o->attn_bwd(dQ, dK, dV, (heads){ dO, C, D }, (heads){ O, C, D }, lse, Q, K, V, &a, work);
    show_act(t, shared ? "dK dV" : "dQ dK dV", dqkv, R * (size_t)row);
    if (shared) show_act(t, "dQ +=", dx, R * (size_t)C);
}
static void check_attention(trial *t, const shape *s)
{
    attention_of(t, s, true, false);
    attention_of(t, s, false, false);
    attention_of(t, s, true, true);
}

static void check_update(trial *t, const shape *s)
{
    const size_t n = N(s->R, s->C);
    void *w = wide_of(t, "w", n), *m = wide_of(t, "m", n), *v = wide_of(t, "v", n), *g = wide_of(t, "g", n);
    double *square = must_calloc(n, sizeof *square);
    t->o->get(square, v, n);
    for (size_t i = 0; i < n; i++) square[i] *= square[i];
    t->o->put(v, square, n);
    free(square);
    const size_t edge[] = { 0, 1, n / 3, n / 3 + 1, n / 2, n - 1 };
    size_t *there = keep(t, t->o->alloc(sizeof edge));
    const adamw_step a = { .lr = 1e-2, .beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8, .decay = 10, .bias1 = 0.1,
                           .bias2 = 0.05, .gradient = 0.5, .edge = there, .edges = COUNT(edge) };
    t->o->upload(there, edge, sizeof edge);
    *room_for(t, "sumsq", 1) = t->o->sumsq(g, n);
    t->o->adamw(w, m, v, g, n, &a);
    show_wide(t, "w", w, n);
    show_wide(t, "m", m, n);
    show_wide(t, "v", v, n);
}

static void check_random(trial *t, const shape *s)
{
    const size_t n = N(s->R, s->C);
    void *y = no_act(t, n), *odd = no_act(t, n);
    t->o->randn(y, n, (uint32_t[]){ 5, 6 }, 7);
    t->o->randn(odd, n - 1, (uint32_t[]){ 5, 6 }, (1UL << 32) - 2);          /* the counter crosses 2^32 */
    show_act(t, "randn", y, n);
    show_act(t, "randn, one less", odd, n - 1);
}

static void check_image(trial *t, const shape *s)
{
    const long B = s->T, side = 28, channels = s->H % 2 ? 1 : 3, patch = 7, lead = s->H % 2;
    const long P = (side / patch) * (side / patch);
    const size_t bytes = N(B * side, side * channels), n = N(B * (lead + P), patch * patch * channels);
    unsigned char *host = must_calloc(bytes, 1);
    for (size_t i = 0; i < bytes; i++) host[i] = (unsigned char)(i * 7919 % 256);
    unsigned char *image = keep(t, t->o->alloc(bytes));
    t->o->upload(image, host, bytes);
    free(host);
    void *y = no_act(t, n);
    t->o->patch_fwd(y, image, B, side, channels, patch, lead);
    show_act(t, "patches", y, n);
}

#define SLOT(name) (offsetof(ops, name) / sizeof(void *))
typedef struct { const char *name; void (*run)(trial *t, const shape *s); size_t covers[8]; } operation;
static const operation operations[] = {
    { "memory",    check_memory,    { SLOT(copy), SLOT(cast_to_act), SLOT(zero) } },
    { "gemm",      check_gemm,      { SLOT(gemm), SLOT(linear_fwd) } },
    { "embed",     check_embed,     { SLOT(embed_fwd), SLOT(embed_bwd) } },
    { "norm",      check_norm,      { SLOT(norm_fwd), SLOT(norm_bwd) } },
    { "activation",      check_activation,      { SLOT(activation_fwd), SLOT(activation_bwd) } },
    { "rows",      check_rows,      { SLOT(add), SLOT(bias_fwd), SLOT(bias_bwd), SLOT(mean_fwd), SLOT(mean_bwd),
                                      SLOT(select_token_fwd), SLOT(select_token_bwd) } },
    { "loss",      check_loss,      { SLOT(loss_fwdbwd), SLOT(top1), SLOT(square_fwdbwd) } },
    { "attention", check_attention, { SLOT(attn_fwd), SLOT(attn_bwd), SLOT(attn_work), SLOT(attn_method) } },
    { "random",    check_random,    { SLOT(randn) } },
    { "image",     check_image,     { SLOT(patch_fwd) } },
    { "update",    check_update,    { SLOT(sumsq), SLOT(adamw) } },
};
/* Slots that every trial uses, and those that graph_agrees checks. */
static const size_t everywhere[] = { SLOT(alloc), SLOT(release), SLOT(put), SLOT(get), SLOT(put_act), SLOT(get_act),
                                     SLOT(upload), SLOT(download), SLOT(graph_run), SLOT(graph_free) };

static const shape shapes[] = {
    { 15, 5, 6, 11, 2 },                 /* no size is aligned                                           */
    { 34, 17, 62, 65, 1 },               /* positions of the vision models, an odd head size             */
    { 64, 32, 64, 104, 4 },              /* every size is aligned                                        */
    { 150, 150, 8, 9, 2 },               /* long sequences, and rows of several warps of logits: loops   */
    { 6, 3, 2, 3000, 1 },                /* that the compiler has unrolled                               */
    { 300, 100, 744, 257, 12 },
    { 256, 128, 768, 50304, 12 },        /* vocabulary and context length of the paper's model           */
    { 2048, 1024, 768, 256, 12 },
    { 4096, 256, 384, 1024, 6 },
    { 512, 256, 186, 256, 6 },           /* the narrower model of d = 192: heads of 31 numbers            */
};
enum { SMALL = 5 };                      /* the first five also run under a memory checker               */

/* ---- judging ---------------------------------------------------------------------------------------------- */

static bool right = true;

static void line(bool ok, const char *what, const char *where, double error, double limit)
{
    printf("%-4s %-44s %-38s %10.2e  at most %.0e\n", ok ? "ok" : "BAD", what, where, error, limit);
    right = right && ok;
}

static double distance(const double *a, const double *b, size_t n)
{
    double difference = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return n == 0 || difference == 0 ? 0 : sqrt(difference / size);
}

/* tf32 differs from fp32 only where there are matrix products. */
static bool differs(const operation *f, const ops *o)
{
    return strcmp(o->name, "cuda-tf32") != 0 || f->run == check_gemm || f->run == check_attention;
}

typedef struct { const ops *o; double limit, gradient, vision; } candidate;      /* and the largest errors allowed */

static void trial_agrees(const operation *f, const shape *s, const candidate *c, const trial *want)
{
    trial once = { .o = c->o }, twice = { .o = c->o };
    f->run(&once, s);
    f->run(&twice, s);
    char where[96], what[96];
    snprintf(where, sizeof where, "%s R%ld T%ld C%ld V%ld H%ld", c->o->name, s->R, s->T, s->C, s->V, s->H);
    int worst = 0;
    double most = -1;
    for (int j = 0; j < want->outputs; j++) {
        const size_t from = want->begin[j], n = want->begin[j + 1] - from;
        const double e = distance(once.out + from, want->out + from, n);
        if (!(e <= most)) {
            worst = j;
            most = e;
        }
        if (!(e <= e)) break;                           /* NaN: nothing is worse */
    }
    snprintf(what, sizeof what, "%s: %d outputs, worst %s", f->name, want->outputs, want->name[worst]);
    line(most <= c->limit, what, where, most, c->limit);
    if (memcmp(once.out, twice.out, once.n * sizeof *once.out) != 0)
        line(false, "not deterministic: the second run differs", where, distance(twice.out, once.out, once.n), 0);
    trial_free(&once);
    trial_free(&twice);
}

static void operation_agrees(const operation *f, const candidate *c, size_t candidates, bool small)
{
    for (size_t k = 0; k < (small ? SMALL : COUNT(shapes)); k++) {
        trial want = { .o = ops_cpu_f64() };
        f->run(&want, &shapes[k]);
        for (size_t i = 0; i < candidates; i++)
            if (differs(f, c[i].o)) trial_agrees(f, &shapes[k], &c[i], &want);
        trial_free(&want);
        forget_drawn();
    }
}

/* Each attention kernel by itself; head sizes that it declines fall back to the simple one. */
static void attention_agrees(const candidate *c, bool small, bool own)
{
    const attn_shape usual = { .B = 1, .T = 64, .H = 2, .D = 64, .scale = 0.125, .causal = true };
    const bool flash = attn_flash_work(&usual) > 0, cudnn = !own && attn_cudnn_work(&usual) > 0;
    const struct { const char *name; bool here; } kernel[] = { { "flash", flash }, { "cudnn", cudnn },
                                                            { "simple", flash || cudnn } };   /* else it ran already */
    for (size_t i = 0; i < COUNT(kernel); i++) {
        printf("-- --attn=%s%s%s\n", kernel[i].name, kernel[i].here ? "" : ": ", kernel[i].here ? "" :
               strcmp(kernel[i].name, "cudnn") == 0 && !own ? attn_cudnn_why() : "not available, or checked above");
        attn_choose(kernel[i].name);
        for (size_t k = 0; kernel[i].here && k < COUNT(operations); k++)
            if (operations[k].run == check_attention) operation_agrees(&operations[k], c, 1, small);
    }
    attn_choose("best");
}

static void every_slot_is_checked(void)
{
    const size_t first = SLOT(alloc), all = sizeof(ops) / sizeof(void *);
    bool seen[64] = { false };
    REQUIRE(all <= 64, "%zu slots", all);
    for (size_t k = 0; k < COUNT(everywhere); k++) seen[everywhere[k]] = true;
    for (size_t i = 0; i < COUNT(operations); i++)
        for (size_t k = 0; k < 8; k++) seen[operations[i].covers[k]] = true;
    for (size_t k = first; k < all; k++) {
        char what[64];
        snprintf(what, sizeof what, "slot %zu of the table has no check", k);
        if (!seen[k]) line(false, what, "", INFINITY, 0);
    }
}

/* ---- a small model ------------------------------------------------------------------------------------------ */

enum { SEQUENCES = 3, STEPS = 20 };
typedef struct { const char *name; gpt_config c; } variant;

static gpt_config small_gpt(void)
{
    gpt_config c = gpt_default();
    c.L = 2; c.d = 48; c.h = 3; c.m = 80; c.T = 12; c.V = 40;
    c.init_std = 0.08;
    return c;
}

static void tokens_of(const gpt_config *c, long step, int32_t *token, int32_t *target)
{
    const uint64_t key[2] = { 3, 4 };
    for (long i = 0; i < SEQUENCES * c->T; i++) {           /* each word is followed by one of a few */
        const uint64_t at = (uint64_t)(step * 1000 + i);
        token[i] = (int32_t)random_below(key, at, (uint64_t)c->V);
        target[i] = (int32_t)((7 * token[i] + (long)random_below(key, at + (1UL << 40), 3)) % c->V);
    }
}

/* Loss and gradients of step 0, as doubles. */
static double *gradients_of(const ops *o, const gpt_config *c, double *mean)
{
    gpt *M = gpt_create(c, o, SEQUENCES, 5);
    const size_t n = gpt_net(M)->table.size, R = (size_t)(SEQUENCES * c->T);
    int32_t *token = must_calloc(R, sizeof *token), *target = must_calloc(R, sizeof *target);
    double *loss = must_calloc(R, sizeof *loss), *g = must_calloc(n, sizeof *g);
    tokens_of(c, 0, token, target);
    *mean = gpt_loss(M, token, target, SEQUENCES, loss, 1 / (double)R);
    o->get(g, gpt_net(M)->g, n);
    gpt_free(M);
    free(token);
    free(target);
    free(loss);
    return g;
}

/* a, a_loss: of the device; b, b_loss: of the CPU in double */
static void gradients_are_near(const char *what, const double *a, const double *b, size_t n, double a_loss,
                               double b_loss, double limit)
{
    const double e = distance(a, b, n), l = fabs(a_loss - b_loss) / b_loss;
    line(e <= limit, what, "all weights", e, limit);
    line(l <= limit, what, "loss", l, limit);
}

static void gradients_agree(const ops *o, double limit)
{
    gpt_config c = small_gpt();
    variant v[] = { { "baseline", c }, { "without W_Q", c }, { "untied, without norms", c }, { "without skips", c },
                    { "without W_K", c }, { "without W_Q and W_V", c }, { "without W_Q, W_K and W_V", c } };
    v[1].c.identity[GPT_QUERY] = v[5].c.identity[GPT_QUERY] = v[6].c.identity[GPT_QUERY] = true;
    v[4].c.identity[GPT_KEY] = v[6].c.identity[GPT_KEY] = true;
    v[5].c.identity[GPT_VALUE] = v[6].c.identity[GPT_VALUE] = true;
    v[1].c.factor = 0.5;
    v[2].c.tied = v[2].c.norm = false;
    v[3].c.attn_skip = v[3].c.mlp_skip = false;
    for (size_t k = 0; k < COUNT(v); k++) {
        param_table t = gpt_params(&v[k].c);
        double a_loss, b_loss, *a = gradients_of(o, &v[k].c, &a_loss);
        double *b = gradients_of(ops_cpu_f64(), &v[k].c, &b_loss);
        char what[96];
        snprintf(what, sizeof what, "gradient of a GPT, %s", v[k].name);
        gradients_are_near(what, a, b, t.size, a_loss, b_loss, limit);
        params_free(&t);
        free(a);
        free(b);
    }
}

/* ---- a small vision model, whose biases and gains are not 0 and 1 ------------------------------------------- */

enum { IMAGES = 3, SIDE = 8, CLASSES = 10 };

static double *vision_gradients_of(const ops *o, const vit_config *c, double *mean)
{
    vit *M = vit_create(c, o, IMAGES, 5);
    net *of = vit_net(M);
    const size_t n = of->table.size;
    unsigned char image[IMAGES * SIDE * SIDE];
    int32_t label[IMAGES];
    double loss[IMAGES], top1[IMAGES], *w = must_calloc(n, sizeof *w), *g = must_calloc(n, sizeof *g);
    const double *moved = drawn("moved", n);
    for (size_t i = 0; i < sizeof image; i++) image[i] = (unsigned char)(i * 7919 % 256);
    for (int b = 0; b < IMAGES; b++) label[b] = 3 * b;
    o->get(w, of->w, n);
    for (size_t i = 0; i < n; i++) w[i] += moved[i] / 16;
    o->put(of->w, w, n);
    net_refresh(of);
    *mean = vit_loss(M, image, label, IMAGES, loss, top1, 1.0 / IMAGES);
    o->get(g, of->g, n);
    vit_free(M);
    free(w);
    forget_drawn();
    return g;
}

static void vision_gradients_agree(const ops *o, double limit)
{
    static const char *const variants[] = { "unchanged", "symmetric-biases", "collapsed-biases" };
    for (size_t k = 0; k < COUNT(variants); k++) {
        vit_config c = { .S = 2, .d = 48, .h = 1, .m = 80, .side = SIDE, .channels = 1, .patch = 4, .classes = CLASSES,
                         .norm = k ? VIT_PRE : VIT_POST, .skip = true, .token = k != 1, .positions = true };
        REQUIRE(vit_variant(&c, variants[k]), "%s", variants[k]);
        param_table t = vit_params(&c);
        double a_loss, b_loss, *a = vision_gradients_of(o, &c, &a_loss);
        double *b = vision_gradients_of(ops_cpu_f64(), &c, &b_loss);
        char what[96];
        snprintf(what, sizeof what, "gradient of a vision model, %s", variants[k]);
        gradients_are_near(what, a, b, t.size, a_loss, b_loss, limit);
        params_free(&t);
        free(a);
        free(b);
    }
}

/* ---- steps ---------------------------------------------------------------------------------------------------- */

typedef struct { double loss[STEPS]; double *w; size_t n; } curve;

/* Copies all that a checkpoint holds to the host and into a new model. */
static void reload(gpt **M, optim *s, const gpt_config *c, const ops *o)
{
    const size_t bytes = gpt_net(*M)->table.size * o->real;
    void *host[3];
    void *from[3] = { gpt_net(*M)->w, s->m, s->v };
    for (int k = 0; k < 3; k++) o->download(host[k] = must_calloc(bytes, 1), from[k], bytes);
    const long step = s->step;
    optim_free(s, o);
    gpt_free(*M);
    *M = gpt_create(c, o, SEQUENCES, 99);
    *s = optim_create(&gpt_net(*M)->table, o);
    s->step = step;
    void *to[3] = { gpt_net(*M)->w, s->m, s->v };
    for (int k = 0; k < 3; k++) {
        o->upload(to[k], host[k], bytes);
        free(host[k]);
    }
    net_refresh(gpt_net(*M));
}

static curve trained(const ops *o, bool stopped)
{
    const gpt_config c = small_gpt();
    const optim_config adam = { .peak = 4e-3, .least = 4e-4, .warmup = 3, .steps = STEPS, .beta1 = 0.9, .beta2 = 0.95,
                                .eps = 1e-8, .decay = 0.1, .clip = 1 };
    gpt *M = gpt_create(&c, o, SEQUENCES, 5);
    optim s = optim_create(&gpt_net(M)->table, o);
    const size_t R = (size_t)(SEQUENCES * c.T);
    int32_t *token = must_calloc(R, sizeof *token), *target = must_calloc(R, sizeof *target);
    double *loss = must_calloc(R, sizeof *loss);
    curve r = { .n = gpt_net(M)->table.size };
    for (long k = 0; k < STEPS; k++) {
        if (stopped && k == STEPS / 2) reload(&M, &s, &c, o);
        tokens_of(&c, k, token, target);
        o->zero(gpt_net(M)->g, r.n);
        r.loss[k] = gpt_loss(M, token, target, SEQUENCES, loss, 1 / (double)R);
        optim_update(&s, &adam, &gpt_net(M)->table, o, gpt_net(M)->w, gpt_net(M)->g);
        net_refresh(gpt_net(M));
    }
    r.w = must_calloc(r.n, sizeof *r.w);
    o->get(r.w, gpt_net(M)->w, r.n);
    optim_free(&s, o);
    gpt_free(M);
    free(token);
    free(target);
    free(loss);
    return r;
}

static double furthest(const curve *a, const curve *b, int steps)
{
    double most = 0;
    for (int k = 0; k < steps; k++) {
        const double e = fabs(a->loss[k] - b->loss[k]);
        if (!(e <= most)) most = e;
    }
    return most;
}

/* `other`: the CPU's or the GPU's operations in float. */
static void steps_agree(const ops *o, const ops *other, double first, double all)
{
    curve a = trained(o, false), b = trained(other, false), again = trained(o, true);
    char where[64];
    snprintf(where, sizeof where, "against %s", other->name);
    line(furthest(&a, &b, 1) <= first, "loss of the first step", where, furthest(&a, &b, 1), first);
    line(furthest(&a, &b, STEPS) <= all, "losses of 20 steps", where, furthest(&a, &b, STEPS), all);
    line(a.loss[STEPS - 1] < a.loss[0] - 0.1, "the loss falls", "by", a.loss[0] - a.loss[STEPS - 1], 0);
    const bool same = memcmp(a.w, again.w, a.n * sizeof *a.w) == 0 && memcmp(a.loss, again.loss, sizeof a.loss) == 0;
    line(same, "stopped after 10 steps and resumed", "same bits", distance(again.w, a.w, a.n), 0);
    free(a.w);
    free(b.w);
    free(again.w);
}

/* ---- CUDA graphs -------------------------------------------------------------------------------------------- */

typedef struct { const ops *o; void *w, *g, *y, *mean, *rstd; } body;
static void one_step(void *self)
{
    const body *b = self;
    b->o->norm_fwd(b->y, b->mean, b->rstd, b->w, NULL, NULL, 16, 24, 1e-5);
    b->o->norm_bwd(b->g, NULL, NULL, NULL, b->y, b->w, b->mean, b->rstd, NULL, 16, 24);
    b->o->gemm(true, false, 24, 24, 16, 0.1, b->y, 24, b->y, 24, 1, b->w, b->w, 24, WIDE);
}
static void graph_agrees(const ops *o)
{
    enum { TIMES = 5, SIZE = 24 * 24 };
    trial t = { .o = o };
    for (int k = 0; k < 2; k++) {
        body b = { o, wide_of(&t, "w", SIZE), wide_of(&t, "g", SIZE), no_act(&t, 16 * 24), no_wide(&t, 16),
                   no_wide(&t, 16) };
        void *recording = NULL;
        for (int i = 0; i < TIMES; i++) {
            if (k == 0) one_step(&b);
            else        o->graph_run(&recording, one_step, &b);
        }
        o->graph_free(&recording);
        show_wide(&t, "w", b.w, SIZE);
        show_wide(&t, "g", b.g, SIZE);
    }
    const size_t half = t.n / 2;
    const bool same = memcmp(t.out, t.out + half, half * sizeof *t.out) == 0;
    line(same, "replayed from a CUDA graph", "same bits", distance(t.out + half, t.out, half), 0);
    trial_free(&t);
    forget_drawn();
}

/* ---- all ---------------------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    base_init(argc, argv);
    bool small = false, alone = false, own = false;          /* alone: no models; own: no kernels of libraries */
    for (int k = 1; k < argc; k++) {
        bool *option = strcmp(argv[k], "--small") == 0 ? &small : strcmp(argv[k], "--operations") == 0 ? &alone
                     : strcmp(argv[k], "--own") == 0 ? &own : NULL;
        if (!option) die("the options are --small, --operations and --own, not `%s`", argv[k]);
        *option = true;
    }
    small = small || alone;
    if (own) product_own_only();
    const char *why;
    const ops *fp32 = ops_cuda("fp32", &why);
    if (!fp32) die("no GPU to check (%s); run this on a machine that has one", why);
    const ops *tf32 = ops_cuda("tf32", NULL), *half = ops_cuda("bf16", NULL);
    char when[64];
    const time_t now = time(NULL);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", gmtime(&now));
    printf("gpu-check: commit %s, %s, %s%s\n", version_commit(), cuda_device_name(), when, small ? ", small" : "");
    if (own) printf("-- only our own kernels\n");
    every_slot_is_checked();
    /* vision: rounding to bfloat16 alone makes up to 3e-2 there, with biases within products or apart */
    const candidate all[] = { { fp32, 1e-5, 1e-5, 1e-5 }, { tf32, 1e-3, 5e-3, 5e-3 }, { half, 1e-2, 2e-2, 4e-2 } };
    printf("-- operations\n");
    for (size_t i = 0; i < COUNT(operations); i++) operation_agrees(&operations[i], all, COUNT(all), small);
    for (size_t k = 0; k < COUNT(all); k++) {
        printf("-- %s\n", all[k].o->name);
        graph_agrees(all[k].o);
        if (!alone) gradients_agree(all[k].o, all[k].gradient);
        if (!alone) vision_gradients_agree(all[k].o, all[k].vision);
    }
    attention_agrees(&all[2], small, own);
    if (!alone) {
        printf("-- 20 steps\n");
        steps_agree(fp32, ops_cpu_f32(), 1e-5, 1e-5);
        steps_agree(half, fp32, 2e-3, 2e-2);
    }
    printf("gpu-check: %s\n", right ? "all right" : "SOMETHING IS WRONG");
    return right ? 0 : 1;
}
