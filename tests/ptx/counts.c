/* SPDX-License-Identifier: GPL-3.0-or-later
 * counts.c - whether the performance model counts what the kernels do: launches of a batch, and instructions per number.
 *
 * The kernels are run by the interpreter.  A batch of a small language model and of a vision model launches as many
 * kernels, fills and copies as tally.c says; and for each number that an operation makes, its kernel executes as many
 * instructions, 32 for each one of a warp, as tally_instructions has, within 3 %.  And the device's exponentials and GELU,
 * which differ from the CPU's, are as exact as formula.h says. */
#include <math.h>
#include <stdlib.h>
#include "cuda/backend.h"
#include "src/train/formula.h"
#include "src/train/gpt.h"
#include "src/train/optim.h"
#include "src/train/tally.h"
#include "src/train/vit.h"
#include "tests/ptx/launch.h"
#include "tests/ptx/memory.h"
#include "tests/ptx/ptx.h"

static bool bad;

/* ---- launches -------------------------------------------------------------------------------------------- */

static const ops *kernels;
static long fills;                       /* those and copies, which are no kernels: an embedding's gradient begins with one */
static void zero(void *x, size_t n)
{
    fills += n > 0;
    kernels->zero(x, n);
}
static void copy(void *to, const void *from, size_t n)
{
    fills += n && to != from;
    kernels->copy(to, from, n);
}
static void embed_bwd(void *dwte, void *dwpe, const void *dy, const int32_t *tok, long R, long T, long C, long V)
{
    fills += R > 0;
    kernels->embed_bwd(dwte, dwpe, dy, tok, R, T, C, V);
}
static void cast_to_act(void *to, const void *from, size_t n)
{
    fills += kernels->act == kernels->real && n && to != from;
    kernels->cast_to_act(to, from, n);
}
static ops counted(const ops *o)
{
    ops c = *o;
    kernels = o;
    c.zero = zero;
    c.copy = copy;
    c.embed_bwd = embed_bwd;
    c.cast_to_act = cast_to_act;
    return c;
}

static long launched(void) { return ptx_launches() + fills; }

enum { B = 2, LENGTH = 40 };
static gpt *small_gpt(const ops *o)
{
    const gpt_config c = { .L = 2, .d = 32, .h = 2, .m = 64, .T = LENGTH, .V = 50, .factor = 1, .tied = true, .norm = true,
                           .attn_skip = true, .mlp_skip = false, .init_std = 0.1, .pad = 1 };
    return gpt_create(&c, o, B, 1);
}

/* The norm of the gradient and the update, one launch for all weights, whichever of them decay. */
static void run_update(const ops *o, long *from)
{
    const optim_config c = { .peak = 1e-3, .least = 1e-4, .steps = 9, .beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8,
                             .decay = 0.1 };
    gpt *M = small_gpt(o);
    net *n = gpt_net(M);
    optim s = optim_create(&n->table, o);
    tally_clear();
    *from = launched();
    optim_update(&s, &c, &n->table, o, n->w, n->g);
    optim_free(&s, o);
    gpt_free(M);
}

static void run_gpt(const ops *o, long *from)
{
    static int32_t token[B * LENGTH], target[B * LENGTH];
    static double loss[B * LENGTH];
    gpt *M = small_gpt(o);
    tally_clear();
    *from = launched();
    gpt_loss(M, token, target, B, loss, 1);
    gpt_free(M);
}

static void run_vit(const ops *o, long *from)
{
    enum { SIDE = 8 };
    vit_config c = { .S = 1, .d = 24, .h = 3, .m = 40, .side = SIDE, .channels = 1, .patch = 4, .classes = 10,
                           .norm = VIT_PRE, .skip = true, .token = true, .positions = true };
    static unsigned char image[B * SIDE * SIDE];
    static int32_t label[B];
    static double loss[B], top1[B];
    REQUIRE(vit_variant(&c, "unchanged"), "the variant");
    vit *M = vit_create(&c, o, B, 1);
    tally_clear();
    *from = launched();
    vit_loss(M, image, label, B, loss, top1, 1);
    vit_free(M);
}

static void compare_launches(const char *model, void (*run)(const ops *, long *), const char *precision, gpu_precision p)
{
    long from;
    const ops of_kernels = counted(ops_cuda(precision, NULL));
    run(&of_kernels, &from);
    const long n = launched() - from;
    run(tally_ops(gpu_find("h200"), p), &from);
    const tally is = tally_now();
    printf("%s, %s: %ld launches, counted %ld\n", model, precision, n, is.total.launches);
    bad |= n != is.total.launches;
}

/* ---- instructions ---------------------------------------------------------------------------------------- */

static double executed(void)
{
    kernel *k;
    const int n = ptx_kernels(&k);
    double sum = 0;
    for (int j = 0; j < n; j++) for (int i = 0; i < k[j].instructions; i++) sum += (double)k[j].code[i].reached;
    return LANES * sum;
}

static void compare_instructions(const char *what, tally_instruction kind, double before, double numbers)
{
    const double each = (executed() - before) / numbers, said = tally_instructions[kind];
    printf("%-28s %7.2f instructions per number, the model has %g\n", what, each, said);
    bad |= !(fabs(each - said) <= 0.03 * said);
}

enum { T = 256, D = 64, ROWS = 64, WIDTH = 768, NUMBERS = ROWS * WIDTH, VOCABULARY = 50304 };

/* n numbers between -1 and 1, wide or act. */
static void *filled(const ops *o, size_t n, bool is_wide)
{
    double *x = must_calloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = (double)(i * 2654435761u % 1024) / 512 - 1;
    void *y = is_wide ? alloc_wide(o, n) : alloc_act(o, n);
    if (is_wide) o->put(y, x, n);
    else o->put_act(y, x, n);
    free(x);
    return y;
}
static void *act (const ops *o, size_t n) { return filled(o, n, false); }
static void *wide(const ops *o, size_t n) { return filled(o, n, true); }

static void of_numbers(const ops *o)
{
    void *x = act(o, NUMBERS), *y = act(o, NUMBERS), *b = wide(o, WIDTH);
    double at = executed();
    o->activation_fwd(y, x, NUMBERS, ACTIVATION_GELU);
    compare_instructions("GELU", INSTR_GELU, at, NUMBERS);
    at = executed();
    o->activation_bwd(y, y, x, NUMBERS, ACTIVATION_GELU);
    compare_instructions("its slope", INSTR_GELU_SLOPE, at, NUMBERS);
    at = executed();
    o->bias_fwd(y, b, ROWS, WIDTH);
    compare_instructions("a bias", INSTR_BIAS, at, NUMBERS);
    at = executed();
    o->randn(y, NUMBERS, (const uint32_t[]){ 1, 2 }, 0);
    compare_instructions("a random number", INSTR_RANDOM, at, NUMBERS);
}

static void of_rows(const ops *o)
{
    void *y = act(o, NUMBERS), *x = wide(o, NUMBERS), *dx = wide(o, NUMBERS), *g = wide(o, WIDTH), *dg = wide(o, WIDTH);
    void *mean = wide(o, ROWS), *rstd = wide(o, ROWS);
    double at = executed();
    o->norm_fwd(y, mean, rstd, x, g, NULL, ROWS, WIDTH, 1e-5);
    compare_instructions("LayerNorm", INSTR_NORM, at, NUMBERS);
    at = executed();
    o->norm_bwd(dx, y, dg, NULL, y, x, mean, rstd, g, ROWS, WIDTH);
    compare_instructions("its gradient", INSTR_NORM_SLOPE, at, NUMBERS);
    static const int32_t zeros[2];
    int32_t *target = o->alloc(sizeof zeros);
    double *loss = o->alloc(2 * sizeof *loss);
    o->upload(target, zeros, sizeof zeros);
    void *logits = act(o, (size_t)2 * VOCABULARY);
    at = executed();
    o->loss_fwdbwd(logits, loss, target, 2, VOCABULARY, 1);
    compare_instructions("a logit with its gradient", INSTR_LOSS, at, 2.0 * VOCABULARY);
}

/* Without the causal mask every tile is computed whole. */
static void of_scores(const ops *o)
{
    const attn_shape s = { .B = 1, .T = T, .H = 1, .D = D, .scale = 0.125, .room = 1 << 16 };
    heads in[4];
    for (int k = 0; k < 4; k++) in[k] = (heads){ act(o, T * D), D, D };
    heads_out to[4];
    for (int k = 0; k < 4; k++) to[k] = (heads_out){ act(o, T * D), D, D, false };
    void *lse = wide(o, T), *work = o->alloc(s.room);
    double at = executed();
    o->attn_fwd(to[3], lse, in[0], in[1], in[2], &s, work);
    compare_instructions("a score", INSTR_SCORE, at, (double)T * T);
    at = executed();
    o->attn_bwd(to[0], to[1], to[2], in[3], (heads){ to[3].p, D, D }, lse, in[0], in[1], in[2], &s, work);
    compare_instructions("a score's gradient", INSTR_SCORE_SLOPE, at, (double)T * T);
}

/* ---- exponentials ---------------------------------------------------------------------------------------- */

/* exp(x) is the second number of the softmax of (0, x), times 1 + exp(x): down to -87, where floats end. */
static void compare_exponentials(void)
{
    enum { N = 400 };
    static double x[2 * N];
    static const int32_t zeros[N];
    const ops *o = ops_cuda("fp32", NULL);
    for (int r = 0; r < N; r++) x[2 * r + 1] = (double)((float)-r * 0.2173f);
    void *logits = alloc_act(o, 2 * N);
    int32_t *target = o->alloc(sizeof zeros);
    double *loss = o->alloc(N * sizeof *loss), is[2 * N], worst = 0;
    o->put_act(logits, x, 2 * N);
    o->upload(target, zeros, sizeof zeros);
    o->loss_fwdbwd(logits, loss, target, N, 2, 1);
    o->get_act(is, logits, 2 * N);
    for (int r = 0; r < N; r++) {
        const double want = exp(x[2 * r + 1]) / (1 + exp(x[2 * r + 1]));
        worst = fmax(worst, fabs(is[2 * r + 1] - want) / want);
    }
    printf("exponentials: relative error %.3g\n", worst);
    bad |= !(worst <= 0x1p-21);
}

/* GELU(y) / y = Phi(y): the device's own approximation, as exact as the CPU's (t_nn). */
static void compare_gelu(void)
{
    enum { N = 2048 };
    static double y[N], ones[N], is[N];
    const ops *o = ops_cuda("fp32", NULL);
    for (int k = 0; k < N; k++) {
        y[k] = (double)(-8.0f + ((float)k + 0.5f) / 128);
        ones[k] = 1;
    }
    void *x = alloc_act(o, N), *to = alloc_act(o, N);
    double cdf = 0, slope = 0;
    o->put_act(x, y, N);
    o->activation_fwd(to, x, N, ACTIVATION_GELU);
    o->get_act(is, to, N);
    for (int k = 0; k < N; k++)
        cdf = fmax(cdf, fabs(is[k] / gelu_f64(y[k]) - 1) / (1 + 0.5 * y[k] * y[k]));
    o->put_act(to, ones, N);
    o->activation_bwd(to, to, x, N, ACTIVATION_GELU);
    o->get_act(is, to, N);
    for (int k = 0; k < N; k++) slope = fmax(slope, fabs(is[k] - dgelu_f64(y[k])));
    printf("GELU: relative error %.3g (1 + y^2/2), of its slope %.3g\n", cdf, slope);
    bad |= !(cdf <= 0x1p-21 && slope <= 3e-7);
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    compare_exponentials();
    compare_gelu();
    compare_launches("language model", run_gpt, "bf16", GPU_BF16);
    compare_launches("language model", run_gpt, "fp32", GPU_FP32);
    compare_launches("update", run_update, "bf16", GPU_BF16);
    compare_launches("vision model", run_vit, "bf16", GPU_BF16);
    compare_launches("vision model", run_vit, "fp32", GPU_FP32);
    const ops *o = ops_cuda("bf16", NULL);
    of_numbers(o);
    of_rows(o);
    of_scores(o);
    printf("%s\n", bad ? "counts: WRONG" : "counts: all right");
    return bad;
}
