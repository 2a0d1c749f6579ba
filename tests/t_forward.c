/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_forward.c - is the model right, not merely consistent?
 *
 * A theorem compares two models, and a wrong softmax is wrong in both.  So here the forward pass is
 * held to four things that share no code with it: an example worked by hand, naive loops in C, the
 * logits of an independent program for every switch (tests/forward/reference.py, 60 digits), and
 * across arithmetics: exact values lie in the balls, the balls round to the reference.
 *
 *   t_forward              the tests
 *   t_forward --cases      the names of the cases
 *   t_forward --dump CASE  the shape and all weights of a case, as reference.py reads them    */
#include <check.h>
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "numerics/flint_compat.h"
#include "numerics/libraries.h"
#include "numerics/random.h"
#include "src/model/model.h"

static const char reference_path[] = "tests/forward/reference.txt";

/* ---- the cases ---------------------------------------------------------------------------- */

enum { SEED = 1, STREAM = 0 };

#define BASE "n=4,d=8,h=2,m=10,V=5,L=2,attn_skip=1,mlp_skip=1,"      /* causal softmax, GELU, no norm */
static const struct { const char *name, *shape; } cases[] = {
    { "base",             BASE },
    { "full-mask",        BASE "mask=full" },
    { "arbitrary-mask",   BASE "mask=arbitrary,n=6" },
    { "no-attn-skip",     BASE "attn_skip=0" },
    { "no-mlp-skip",      BASE "mlp_skip=0" },
    { "no-skips",         BASE "attn_skip=0,mlp_skip=0" },
    { "parallel",         BASE "parallel=1" },
    { "parallel-no-skip", BASE "parallel=1,attn_skip=0,mlp_skip=0" },
    { "parallel-one-skip", BASE "parallel=1,mlp_skip=0" },           /* mlp_skip says nothing there */
    { "layer-norm",       BASE "norm=layer" },
    { "rms-norm",         BASE "norm=rms" },
    { "gqa",              BASE "h=4,h_kv=2" },
    { "gqa-of-6",         BASE "d=12,h=6,h_kv=2" },
    { "mqa",              BASE "h=4,h_kv=1" },
    { "rope",             BASE "rope=1" },
    { "qk-norm",          BASE "qk_norm=1" },
    { "experts-2",        BASE "experts=2" },
    { "experts-3",        BASE "experts=3" },
    { "gated",            BASE "gated=1" },
    { "tied",             BASE "tied=1" },
    { "biases",           BASE "biases=1" },
    { "shared-1",         BASE "shared=1,L=3" },
    { "shared-2",         BASE "shared=2,L=5" },
    { "relu",             BASE "act=relu" },
    { "silu",             BASE "act=silu" },
    { "tanh",             BASE "act=tanh" },
    { "identity",         BASE "act=identity" },
    { "linear",           BASE "attention=linear" },
    { "scale-half",       BASE "scale_num=1,scale_den=16" },         /* 1/(2 sqrt dk) of 003, 5 */
    { "scale-one",        BASE "scale_num=1,scale_den=1" },
    { "scale-2/3",        BASE "scale_num=2,scale_den=3" },
    { "narrow-heads",     BASE "h=3,dk=2" },                         /* h dk = 6 < d */
    { "wide-heads",       BASE "h=3,dk=5" },                         /* h dk = 15 > d */
    { "one-head",         BASE "h=1" },
    { "one-token",        BASE "n=1,norm=layer,rope=1,qk_norm=1" },
    { "one-layer",        BASE "L=1" },
    { "all-ones",         "n=1,d=1,h=1,m=1,V=1,L=1" },
    { "gpt-2",            BASE "n=5,d=12,h=3,m=24,L=3,norm=layer,biases=1,tied=1" },
    { "bert",             BASE "n=5,mask=full,norm=layer,biases=1,act=gelu" },
    { "albert",           BASE "mask=full,norm=layer,biases=1,shared=1,L=4" },
    { "gpt-j",            BASE "parallel=1,norm=layer,biases=1,rope=1" },
    { "palm",             BASE "h=4,h_kv=1,parallel=1,norm=layer,rope=1,gated=1,act=silu,tied=1" },
    { "llama",            BASE "n=6,d=12,h=3,norm=rms,rope=1,gated=1,act=silu" },
    { "qwen",             BASE "n=6,d=6,h=4,h_kv=2,dk=4,norm=rms,rope=1,qk_norm=1,gated=1,act=silu" },
    { "mixtral",          BASE "h=4,h_kv=2,norm=rms,rope=1,gated=1,act=silu,experts=3" },
    { "experts-biases",   BASE "experts=2,biases=1,gated=1,norm=rms,mask=arbitrary" },
    { "everything",       BASE "n=5,d=8,h=4,h_kv=2,dk=2,L=3,mask=arbitrary,norm=layer,act=tanh,gated=1,experts=2,"
                               "tied=1,biases=1,rope=1,qk_norm=1,shared=2,scale_num=3,scale_den=5" },
    /* Rational: these are also computed exactly.  The router of experts is linear with them. */
    { "q-relu",           BASE "attention=linear,act=relu" },
    { "q-attn-skip",      BASE "attention=linear,act=relu,mlp_skip=0,mask=full,shared=1,L=3" },
    { "q-experts",        BASE "attention=linear,act=relu,L=1,d=6,dk=3,scale_den=9,gated=1,experts=2,biases=1,tied=1,"
                               "mask=arbitrary" },
    { "q-parallel",       BASE "attention=linear,act=relu,parallel=1,h=4,h_kv=2,scale_den=25,biases=1" },
    { "q-identity",       BASE "attention=linear,act=identity,attn_skip=0,scale_num=4,scale_den=9" },
};

static shape shape_of(size_t c)
{
    shape sh = { 0 };
    const char *wrong = shape_parse(&sh, cases[c].shape);
    REQUIRE(!wrong, "case %s: %s", cases[c].name, wrong);
    return sh;
}

/* What the rational numbers can do: no roots but of squares (num/den is in lowest terms in all cases
 * here), no RoPE (a stand-in there). */
static bool is_rational(const shape *sh)
{
    const bool square = fmod(sqrt((double)sh->scale_num), 1) == 0 && fmod(sqrt((double)sh->scale_den), 1) == 0;
    return sh->attention == ROWMAP_LINEAR && (sh->act == ACT_RELU || sh->act == ACT_IDENTITY)
        && sh->norm == NORM_NONE && !sh->qk_norm && !sh->rope && square;
}

static struct { char *shape; double *logits; long count; } want[COUNT(cases)];

static size_t case_called(const char *name)
{
    for (size_t c = 0; c < COUNT(cases); c++)
        if (strcmp(cases[c].name, name) == 0) return c;
    die("no case %s; see --cases", name);
}

static void read_logits(const char *line, size_t c)
{
    for (char *end; *line; line = end + (*end == ' ')) {
        want[c].logits = must_realloc(want[c].logits, (size_t)want[c].count + 1, sizeof(double));
        want[c].logits[want[c].count++] = strtod(line, &end);
        if (end == line) die("%s: no number: %s", reference_path, line);
    }
}

static void read_reference(void)
{
    FILE *f = fopen(reference_path, "r");
    if (!f) die("cannot read %s; start this test at the top of the repository", reference_path);
    char line[4096];
    size_t c = 0;
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "case ", 5) == 0) c = case_called(line + 5);
        else if (strncmp(line, "shape ", 6) == 0) want[c].shape = must_strdup(line + 6);
        else if (line[0] != '#') read_logits(line, c);
    }
    fclose(f);
}

static void forget_reference(void)
{
    for (size_t c = 0; c < COUNT(cases); c++) {
        free(want[c].shape);
        free(want[c].logits);
    }
}

/* ---- the dump that reference.py reads ------------------------------------------------------ */

static void dump(long layer_index, long e, const char *name, const mat *A)
{
    if (!A) return;
    printf("matrix ");
    if (layer_index >= 0) printf("%ld.", layer_index);
    if (e >= 0) printf("%ld.", e);
    printf("%s %ld %ld\n", name, A->rows, A->cols);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) printf("%a%c", mat_get_d(A, i, j), j + 1 < A->cols ? ' ' : '\n');
}

static void dump_layer(const model *M, long i)
{
    const layer *W = &M->at[i];
    const struct { const char *name; const mat *A; } all[] = {
        { "Q", W->Q }, { "K", W->K }, { "V", W->V }, { "O", W->O }, { "bQ", W->bQ }, { "bK", W->bK }, { "bV", W->bV },
        { "bO", W->bO }, { "gain1", W->gain1 }, { "gain2", W->gain2 }, { "bias1", W->bias1 }, { "bias2", W->bias2 },
        { "gain_q", W->gain_q }, { "gain_k", W->gain_k }, { "router", W->router } };
    for (size_t k = 0; k < COUNT(all); k++) dump(i, -1, all[k].name, all[k].A);
    for (long e = 0; e < MAX_EXPERTS; e++) {
        const mlp *F = &W->expert[e];
        dump(i, e, "up", F->up);
        dump(i, e, "gate", F->gate);
        dump(i, e, "down", F->down);
        dump(i, e, "b_up", F->b_up);
        dump(i, e, "b_gate", F->b_gate);
        dump(i, e, "b_down", F->b_down);
    }
}

static void dump_case(size_t c)
{
    char text[512];
    arith R = arith_f64();
    scope s = scope_open(&R, SEED, STREAM);
    const model M = model_random(&s, shape_of(c));
    shape_print(text, sizeof text, &M.s);
    printf("case %s\nshape %s\n", cases[c].name, text);
    if (M.s.mask == MASK_ARBITRARY) {
        printf("matrix visible %ld %ld\n", M.s.n, M.s.n);
        for (long k = 0; k < M.s.n * M.s.n; k++) printf("%d%c", M.visible[k], (k + 1) % M.s.n ? ' ' : '\n');
    }
    dump(-1, -1, "tokens", M.tokens);
    dump(-1, -1, "E", M.E);
    dump(-1, -1, "P", M.P);
    dump(-1, -1, "head", M.head);
    dump(-1, -1, "gain_f", M.gain_f);
    dump(-1, -1, "bias_f", M.bias_f);
    for (long i = 0; i < (M.s.shared ? M.s.shared : M.s.L); i++) dump_layer(&M, i);
    scope_close(&s);
    arith_close(&R);
}

/* ---- against the reference, and across arithmetics ----------------------------------------- */

typedef struct { arith R; scope s; const mat *logits; } run;

static void forward(run *r, arith R, size_t c)
{
    r->R = R;
    r->s = scope_open(&r->R, SEED, STREAM);
    const model M = model_random(&r->s, shape_of(c));
    r->logits = model_forward(&r->s, &M);
    ck_assert(r->logits->rows == M.s.n && r->logits->cols == M.s.V);
}

static void finish(run *r)
{
    scope_close(&r->s);
    arith_close(&r->R);
}

#define EACH(A, i, j) for (long i = 0; i < (A)->rows; i++) for (long j = 0; j < (A)->cols; j++)

static double expected(size_t c, const mat *A, long i, long j) { return want[c].logits[i * A->cols + j]; }

/* max |A - reference| / max |reference|; NaN stays NaN. */
static double gap(size_t c, const mat *A)
{
    double most = 0, top = 0;
    EACH(A, i, j) {
        const double diff = fabs(mat_get_d(A, i, j) - expected(c, A, i, j));
        if (!(diff <= most)) most = diff;
        top = fmax(top, fabs(expected(c, A, i, j)));
    }
    return most / top;
}

START_TEST(the_reference_has_this_case)
{
    char text[512];
    const shape sh = shape_of((size_t)_i);
    shape_print(text, sizeof text, &sh);
    const bool same = want[_i].shape && strcmp(want[_i].shape, text) == 0;
    ck_assert_msg(same, "%s: reference.txt has another shape; make it anew as reference.py says", cases[_i].name);
    ck_assert_int_eq(want[_i].count, sh.n * sh.V);
}
END_TEST

START_TEST(doubles_meet_the_reference)
{
    run r;
    forward(&r, arith_f64(), (size_t)_i);
    ck_assert(r.s.status == HOLDS);
    const double is = gap((size_t)_i, r.logits);
    ck_assert_msg(is <= 32 * 0x1p-53, "%s: f64 is off by %.3g", cases[_i].name, is);     /* 3.6e-15 */
    finish(&r);
}
END_TEST

static void rounds_to_the_reference(run *r, size_t c)
{
    ck_assert_msg(r->s.status == HOLDS, "%s over %s: %s", cases[c].name, r->R.name, r->s.why);
    EACH(r->logits, i, j)
        ck_assert_msg(mat_get_d(r->logits, i, j) == expected(c, r->logits, i, j),
                      "%s over %s, logit (%ld, %ld): %.17g, not %.17g",
                      cases[c].name, r->R.name, i, j, mat_get_d(r->logits, i, j), expected(c, r->logits, i, j));
}

/* log2 of the width of the balls of r, relative to the largest logit: the gap to the same run again. */
static double log2width(run *r, size_t c)
{
    scope again = scope_open(&r->R, SEED, STREAM);
    const model M = model_random(&again, shape_of(c));
    const comparison wide = mat_compare(r->logits, model_forward(&again, &M), 0);
    scope_close(&again);
    return wide.is == HOLDS ? wide.log2gap : INFINITY;
}

START_TEST(balls_round_to_the_reference)
{
    run r;
    forward(&r, arith_arb(256), (size_t)_i);
    rounds_to_the_reference(&r, (size_t)_i);
    const double width = log2width(&r, (size_t)_i);
    ck_assert_msg(width <= -200, "%s: balls of width 2^%.0f", cases[_i].name, width);
    finish(&r);
}
END_TEST

/* Thin balls may hide a bug that thick ones show: at 53 bits the radii are real, and must reach the
 * value, which 512 bits know to far more digits than any radius has. */
START_TEST(thick_balls_hold_the_value)
{
    run ball, value;
    mpq_t x;
    mpq_init(x);
    forward(&ball, arith_arb(53), (size_t)_i);
    forward(&value, arith_mpfr(512), (size_t)_i);
    rounds_to_the_reference(&value, (size_t)_i);
    ck_assert(ball.s.status == HOLDS);
    EACH(ball.logits, i, j) {
        ck_assert(value.R.ring.get_exact(x, value.logits, i, j));
        ck_assert_msg(arith_arb_contains(ball.logits, i, j, x), "%s: logit (%ld, %ld) is outside its ball", cases[_i].name, i, j);
    }
    const double width = log2width(&ball, (size_t)_i);
    ck_assert_msg(width <= -12, "%s: balls of width 2^%.0f", cases[_i].name, width);
    mpq_clear(x);
    finish(&ball);
    finish(&value);
}
END_TEST

START_TEST(mpfr_meets_the_reference)
{
    run r;
    forward(&r, arith_mpfr(128), (size_t)_i);
    rounds_to_the_reference(&r, (size_t)_i);
    finish(&r);
}
END_TEST

START_TEST(rationals_lie_in_the_balls)
{
    const uint64_t key[2] = { 1, 2 };
    const shape sh = shape_of((size_t)_i);
    run q, ball, thick;
    mpq_t x;
    mpq_init(x);
    forward(&q, arith_q(key), (size_t)_i);
    forward(&ball, arith_arb(256), (size_t)_i);
    forward(&thick, arith_arb(53), (size_t)_i);
    if (!sh.rope) ck_assert_msg((q.s.status == HOLDS) == is_rational(&sh), "%s: %s", cases[_i].name, q.s.why ? q.s.why : "decided");
    if (is_rational(&sh)) {
        rounds_to_the_reference(&q, (size_t)_i);
        EACH(q.logits, i, j) {
            ck_assert(q.R.ring.get_exact(x, q.logits, i, j));
            ck_assert_msg(arith_arb_contains(ball.logits, i, j, x) && arith_arb_contains(thick.logits, i, j, x),
                          "%s: logit (%ld, %ld) is outside its ball", cases[_i].name, i, j);
            mpq_set_d(x, mpq_get_d(x) + 1);
            ck_assert(!arith_arb_contains(ball.logits, i, j, x));            /* nor does it hold all */
        }
    }
    mpq_clear(x);
    finish(&q);
    finish(&ball);
    finish(&thick);
}
END_TEST

START_TEST(some_cases_are_rational)                      /* or the test above would test nothing */
{
    int rational = 0;
    for (size_t c = 0; c < COUNT(cases); c++) {
        const shape sh = shape_of(c);
        rational += is_rational(&sh);
        ck_assert(is_rational(&sh) == (strncmp(cases[c].name, "q-", 2) == 0));
    }
    ck_assert_int_ge(rational, 5);
}
END_TEST

START_TEST(blocks_share_weights)
{
    arith R = arith_f64();
    scope s = scope_open(&R, SEED, STREAM);
    for (size_t c = 0; c < COUNT(cases); c++) {
        const model M = model_random(&s, shape_of(c));
        for (long i = 0; i < M.s.L; i++)
            for (long j = 0; j < i; j++)
                ck_assert((M.at[i].Q == M.at[j].Q) == (M.s.shared && i % M.s.shared == j % M.s.shared));
    }
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* ---- by hand ------------------------------------------------------------------------------- */

/* Two tokens, numbers 1 and 2 of three; d = 2, two heads of width 1, causal, linear attention with
 * scale sqrt(4/1) = 2, ReLU, both skips.  Rows are tokens.
 *
 *   E = (7 7 | 1 0 | 0 2)   P = (0 2 | 2 -1)       X = (1 0) + (0 2), (0 2) + (2 -1)  = (1 2 | 2 1)
 *   W_Q = (1 -1 | 0 1)      W_K = (1 0 | -1 1)     Q = (1 1 | 2 -1)    K = (-1 2 | 1 1)
 *   W_V = (0 1 | 1 -1)                             V = (2 -1 | 1 1)
 *
 *   head 0: q = 1, 2; k = -1, 1; v = 2, 1.   The first token sees itself: 2 (1 * -1) * 2 = -4;
 *           the second sees both:  2 (2 * -1) * 2 + 2 (2 * 1) * 1 = -8 + 4 = -4
 *   head 1: q = 1, -1; k = 2, 1; v = -1, 1:  2 (1 * 2) * -1 = -4;
 *           2 (-1 * 2) * -1 + 2 (-1 * 1) * 1 = 4 - 2 = 2                  S = (-4 -4 | -4 2)
 *   W_O = (1 0 | -1 1):     S W_O = (0 -4 | -6 2)                         Y = X + S W_O = (1 -2 | -4 3)
 *   W_up = (1 -1 0 | 0 1 2):   Y W_up = (1 -3 -4 | -4 7 6), ReLU: (1 0 0 | 0 7 6)
 *   W_down = (2 1 | 1 0 | 0 -1):  (2 1 | 7 -6)                            X' = Y + that = (3 -1 | 3 -3)
 *   W_LM = (1 0 2 | 0 1 -1):   logits = (3 -1 7 | 3 -3 9)                                              */
static const long hand_logits[2][3] = { { 3, -1, 7 }, { 3, -3, 9 } };

static model hand_model(scope *s)
{
    static const unsigned char causal[] = { 1, 0, 1, 1 };
    model M = { .s = { .n = 2, .d = 2, .h = 2, .dk = 1, .m = 3, .V = 3, .L = 1, .h_kv = 2, .attn_skip = true,
                       .mlp_skip = true, .act = ACT_RELU, .attention = ROWMAP_LINEAR, .scale_num = 4, .scale_den = 1 },
                .visible = causal };
#define ROWS(r, c, ...) mat_from_si(s, r, c, (const long[]){ __VA_ARGS__ })
    M.tokens = ROWS(2, 3,  0, 1, 0,  0, 0, 1);
    M.E      = ROWS(3, 2,  7, 7,  1, 0,  0, 2);
    M.P      = ROWS(2, 2,  0, 2,  2, -1);
    M.head   = ROWS(2, 3,  1, 0, 2,  0, 1, -1);
    M.at[0].Q = ROWS(2, 2,  1, -1,  0, 1);
    M.at[0].K = ROWS(2, 2,  1, 0,  -1, 1);
    M.at[0].V = ROWS(2, 2,  0, 1,  1, -1);
    M.at[0].O = ROWS(2, 2,  1, 0,  -1, 1);
    M.at[0].expert[0].up   = ROWS(2, 3,  1, -1, 0,  0, 1, 2);
    M.at[0].expert[0].down = ROWS(3, 2,  2, 1,  1, 0,  0, -1);
#undef ROWS
    return M;
}

START_TEST(hand_example)
{
    const uint64_t key[2] = { 1, 2 };
    arith all[] = { arith_f64(), arith_mpfr(64), arith_arb(64), arith_q(key) };
    mpq_t x, wanted;
    mpq_inits(x, wanted, NULL);
    for (size_t a = 0; a < COUNT(all); a++) {
        scope s = scope_open(&all[a], SEED, STREAM);
        const model M = hand_model(&s);
        const mat *logits = model_forward(&s, &M);
        ck_assert(s.status == HOLDS && logits->rows == 2 && logits->cols == 3);
        EACH(logits, i, j) {
            mpq_set_si(wanted, hand_logits[i][j], 1);
            ck_assert_msg(all[a].ring.get_exact(x, logits, i, j) && mpq_equal(x, wanted), "%s, logit (%ld, %ld): %.17g, not %ld",
                          all[a].name, i, j, mat_get_d(logits, i, j), hand_logits[i][j]);
        }
        scope_close(&s);
    }
    for (size_t a = 0; a < COUNT(all); a++) arith_close(&all[a]);
    mpq_clears(x, wanted, NULL);
}
END_TEST

/* ---- naive loops --------------------------------------------------------------------------- */

enum { N = 5, D = 12, H = 6, KV = 3, DK = 2, M_ = 16, V_ = 7, L_ = 2 };
static const char naive_shape[] = "n=5,d=12,h=6,h_kv=3,m=16,V=7,L=2,attn_skip=1,mlp_skip=1,norm=layer,biases=1,tied=1";

static void layer_norm(double y[D], const double x[D], const mat *gain, const mat *bias)
{
    double mean = 0, variance = 0;
    for (int j = 0; j < D; j++) mean += x[j] / D;
    for (int j = 0; j < D; j++) variance += (x[j] - mean) * (x[j] - mean) / D;
    for (int j = 0; j < D; j++)
        y[j] = (x[j] - mean) / sqrt(variance + 1.0 / 131072) * mat_get_d(gain, j, j) + mat_get_d(bias, 0, j);
}

static double column(const double *x, const mat *W, const mat *b, long j)      /* (x W + b)_j */
{
    double sum = mat_get_d(b, 0, j);
    for (long i = 0; i < W->rows; i++) sum += x[i] * mat_get_d(W, i, j);
    return sum;
}

static void naive_attention(const layer *W, double x[N][D], double out[N][D])
{
    for (int t = 0; t < N; t++) {
        double row[H * DK] = { 0 };
        for (int a = 0; a < H; a++) {
            double weight[N], sum = 0;
            for (int u = 0; u <= t; u++) {
                double score = 0;
                for (int i = 0; i < DK; i++)
                    score += column(x[t], W->Q, W->bQ, a * DK + i) * column(x[u], W->K, W->bK, a / 2 * DK + i);
                sum += weight[u] = exp(score / sqrt(DK));
            }
            for (int u = 0; u <= t; u++)
                for (int i = 0; i < DK; i++)
                    row[a * DK + i] += weight[u] / sum * column(x[u], W->V, W->bV, a / 2 * DK + i);
        }
        for (int j = 0; j < D; j++) out[t][j] = column(row, W->O, W->bO, j);
    }
}

static void naive_mlp(const mlp *F, const double x[D], double out[D])
{
    double hidden[M_];
    for (int j = 0; j < M_; j++) {
        const double y = column(x, F->up, F->b_up, j);
        hidden[j] = y * (1 + erf(y / sqrt(2))) / 2;
    }
    for (int j = 0; j < D; j++) out[j] = column(hidden, F->down, F->b_down, j);
}

static void naive_forward(const model *M, double logits[N][V_])
{
    double x[N][D], normed[N][D], out[N][D];
    for (int t = 0; t < N; t++) {
        int token = 0;
        while (mat_get_d(M->tokens, t, token) == 0) token++;
        for (int j = 0; j < D; j++) x[t][j] = mat_get_d(M->E, token, j) + mat_get_d(M->P, t, j);
    }
    for (int l = 0; l < L_; l++) {
        const layer *W = &M->at[l];
        for (int t = 0; t < N; t++) layer_norm(normed[t], x[t], W->gain1, W->bias1);
        naive_attention(W, normed, out);
        for (int t = 0; t < N; t++) {
            for (int j = 0; j < D; j++) x[t][j] += out[t][j];
            layer_norm(normed[t], x[t], W->gain2, W->bias2);
            naive_mlp(&W->expert[0], normed[t], out[t]);
            for (int j = 0; j < D; j++) x[t][j] += out[t][j];
        }
    }
    for (int t = 0; t < N; t++) {
        layer_norm(normed[t], x[t], M->gain_f, M->bias_f);
        for (int v = 0; v < V_; v++) {
            logits[t][v] = 0;
            for (int j = 0; j < D; j++) logits[t][v] += normed[t][j] * mat_get_d(M->E, v, j);
        }
    }
}

START_TEST(naive_loops)
{
    shape sh = { 0 };
    ck_assert_ptr_null(shape_parse(&sh, naive_shape));
    ck_assert(sh.n == N && sh.d == D && sh.h == H && sh.h_kv == KV && sh.dk == DK && sh.m == M_ && sh.V == V_ && sh.L == L_);
    arith R = arith_f64();
    for (uint64_t seed = 1; seed <= 5; seed++) {
        scope s = scope_open(&R, seed, STREAM);
        const model M = model_random(&s, sh);
        ck_assert(M.bias_f && M.at[0].bQ && M.at[0].bias1 && M.at[0].expert[0].b_up);
        const mat *got = model_forward(&s, &M);
        double naive[N][V_], most = 0, top = 0;
        naive_forward(&M, naive);
        EACH(got, t, v) {
            const double diff = fabs(mat_get_d(got, t, v) - naive[t][v]);
            if (!(diff <= most)) most = diff;
            top = fmax(top, fabs(naive[t][v]));
        }
        ck_assert_msg(most <= 1e-13 * top, "seed %d: off by %.3g", (int)seed, most / top);
        scope_close(&s);
    }
    arith_close(&R);
}
END_TEST

/* ---- the draws are pinned: a change here makes every recorded seed mean another instance ---- */

START_TEST(siphash_known_answer)                         /* Aumasson & Bernstein 2012, appendix A */
{
    const uint64_t key[2] = { 0x0706050403020100u, 0x0f0e0d0c0b0a0908u };
    const unsigned char input[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14 };
    ck_assert_uint_eq(random_siphash(key, input, sizeof input), 0xa129ca6149be45e5u);
}
END_TEST

START_TEST(draws_known_answer)
{
    static const long first[] = { 34, 16, 30, 11, 15, -29, 10, -12 };
    const uint64_t key[2] = { 1, 2 };
    arith all[] = { arith_f64(), arith_mpfr(64), arith_arb(64), arith_q(key) };
    for (size_t a = 0; a < COUNT(all); a++) {
        scope s = scope_open(&all[a], 1, 0);
        const mat *A = mat_draw(&s, "W_Q.0", 2, 4, 3);                       /* integers times 2^(3-5) */
        EACH(A, i, j)
            ck_assert_msg(mat_get_d(A, i, j) * 4 == (double)first[4 * i + j], "%s: integer %ld of W_Q.0 is %g, not %ld",
                          all[a].name, 4 * i + j, mat_get_d(A, i, j) * 4, first[4 * i + j]);
        scope_close(&s);
    }
    for (size_t a = 0; a < COUNT(all); a++) arith_close(&all[a]);
}
END_TEST

START_TEST(fan_in_scales)                                /* 2^round(-log2(n)/2): n = 1, 3, 8, 64 */
{
    ck_assert(mat_log2_fan_in(1) == 0 && mat_log2_fan_in(3) == -1);
    ck_assert(mat_log2_fan_in(12) == -2 && mat_log2_fan_in(64) == -3);
}
END_TEST

/* ---- shapes as text ------------------------------------------------------------------------ */

START_TEST(shape_round_trip)
{
    char text[512], again[512];
    shape sh = shape_of((size_t)_i), back = { 0 };
    shape_print(text, sizeof text, &sh);
    ck_assert_ptr_null(shape_parse(&back, text));
    shape_print(again, sizeof again, &back);
    ck_assert_str_eq(text, again);
    ck_assert(back.n == sh.n && back.d == sh.d && back.h == sh.h && back.dk == sh.dk && back.m == sh.m && back.V == sh.V
              && back.L == sh.L && back.h_kv == sh.h_kv && back.mask == sh.mask && back.attn_skip == sh.attn_skip
              && back.mlp_skip == sh.mlp_skip && back.parallel == sh.parallel && back.norm == sh.norm && back.act == sh.act
              && back.attention == sh.attention && back.scale_num == sh.scale_num && back.scale_den == sh.scale_den
              && back.gated == sh.gated && back.experts == sh.experts && back.tied == sh.tied && back.biases == sh.biases
              && back.rope == sh.rope && back.qk_norm == sh.qk_norm && back.shared == sh.shared);
}
END_TEST

/* Experts without a router: one MLP in parts.  Part `function` says whose activations a part has. */
START_TEST(parts_of_one_mlp)
{
    shape sh = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 3, .L = 2, .attn_skip = true, .mlp_skip = true, .experts = 3 };
    ck_assert_ptr_null(shape_complete(&sh));
    arith doubles = arith_f64(), residues = arith_fp(((uint64_t)1 << 61) - 1, (const uint64_t[]){ 3, 4 });
    scope s = scope_open(&doubles, SEED, STREAM), f = scope_open(&residues, SEED, STREAM);
    model P = model_random(&s, sh), whole = P;
    whole.s.experts = 0;
    for (long i = 0; i < sh.L; i++) {                            /* the second part is not there */
        const mlp *e = P.at[i].expert;
        P.at[i].router = whole.at[i].router = NULL;
        P.at[i].expert[1].up = NULL;
        whole.at[i].expert[0].up = mat_hcat(&s, 2, (const mat *const[]){ e[0].up, e[2].up });
        whole.at[i].expert[0].down = mat_vcat(&s, 2, (const mat *const[]){ e[0].down, e[2].down });
    }
    ck_assert_int_eq(mat_compare(model_forward(&s, &P), model_forward(&s, &whole), -44).is, HOLDS);
    const mat **all[256];
    ck_assert_int_eq(model_weights(&P, all, 256), 3 + 2 * (4 + 4));

    model two = model_random(&f, sh);                            /* parts 0 and 1 read the same: one function, or two */
    for (long i = 0; i < sh.L; i++) {
        two.at[i].router = NULL;
        two.at[i].expert[1].up = two.at[i].expert[0].up;
        two.at[i].expert[1].function = 0;
    }
    model one = two, other = two;
    for (long i = 0; i < sh.L; i++) {
        mlp *e = one.at[i].expert;
        e[0].down = mat_add(&f, e[0].down, e[1].down);
        e[1].up = NULL;
        other.at[i].expert[1].function = 1;
    }
    ck_assert_int_eq(mat_compare(model_forward(&f, &two), model_forward(&f, &one), -INFINITY).is, HOLDS);
    ck_assert_int_eq(mat_compare(model_forward(&f, &other), model_forward(&f, &one), -INFINITY).is, REFUTED);
    scope_close(&s);
    scope_close(&f);
    arith_close(&doubles);
    arith_close(&residues);
}
END_TEST

START_TEST(shape_defaults)
{
    shape sh = { 0 };
    ck_assert_ptr_null(shape_parse(&sh, "n=4, d=12 h=3,m=7,V=5,L=2"));       /* comma, space or both */
    ck_assert(sh.dk == 4 && sh.h_kv == 3 && sh.scale_num == 1 && sh.scale_den == 4 && sh.mask == MASK_CAUSAL);
    ck_assert(sh.act == ACT_GELU && sh.attention == ROWMAP_SOFTMAX && sh.norm == NORM_NONE && !sh.attn_skip);
    ck_assert_ptr_null(shape_parse(&sh, "d=6"));                              /* widths follow d */
    ck_assert(sh.dk == 2 && sh.scale_den == 2 && sh.h == 3 && sh.n == 4);
    ck_assert_ptr_null(shape_parse(&sh, "dk=5"));
    ck_assert(sh.dk == 5 && sh.d == 6);
    ck_assert(sh.scale_den == 5);
    ck_assert_ptr_null(shape_parse(&sh, "gated=1"));
    ck_assert(sh.dk == 5);
    ck_assert_ptr_null(shape_parse(&sh, "h=4"));
    ck_assert(sh.h_kv == 4);
}
END_TEST

START_TEST(shape_errors)
{
    static const char good[] = "n=4,d=8,h=2,m=10,V=5,L=2,";
    static const struct { const char *text, *error; } wrong[] = {
        { "h=0", "h must be between 1 and 64" },
        { "h=65", "h must be between 1 and 64" },
        { "L=0", "L must be between 1 and 64" },
        { "L=65", "L must be between 1 and 64" },
        { "n=0", "n, d, m and V must be at least 1" },
        { "n=65537", "n, d <= 65536, m <= 262144, V <= 1048576" },
        { "h=3", "h does not divide d: give dk as well, or another h" },
        { "dk=65537", "dk must be between 1 and 65536" },
        { "h_kv=3", "h_kv must divide h" },
        { "dk=3,rope=1", "RoPE turns pairs of columns: dk must be even" },
        { "experts=9", "experts must be between 0 and 8" },
        { "shared=3", "shared must be between 0 and L" },
        { "rope", "a shape is name=value,name=value,..." },
        { "act=swish", "no such word in the shape; `--list` shows shapes that work" },
        { "m=-1", "a shape takes whole numbers that are not negative" },
        { "m=7x", "a shape takes whole numbers that are not negative" },
        { "m=", "a shape takes whole numbers that are not negative" },
        { "m=99999999999999999999", "a shape takes whole numbers that are not negative" },
        { "tied=2", "a switch of a shape is 0 or 1" },
        { "heads=2", "no such name in a shape; `--list` shows shapes that work" },
    };
    for (size_t k = 0; k < COUNT(wrong); k++) {
        char text[128];
        shape sh = { 0 };
        snprintf(text, sizeof text, "%s%s", good, wrong[k].text);
        const char *error = shape_parse(&sh, text);
        ck_assert_msg(error != NULL, "%s was accepted", wrong[k].text);
        ck_assert_str_eq(error, wrong[k].error);
    }
    shape sh = { 0 };
    ck_assert_ptr_null(shape_parse(&sh, good));
    sh.scale_num = -1;                                   /* text has no negative numbers */
    ck_assert_str_eq(shape_complete(&sh), "scale_num and scale_den must be positive");
}
END_TEST

/* ---- main ---------------------------------------------------------------------------------- */

static int run_tests(void)
{
    const TTest *const once[] = {
        hand_example, naive_loops, some_cases_are_rational, blocks_share_weights, siphash_known_answer, draws_known_answer,
        fan_in_scales, parts_of_one_mlp, shape_defaults, shape_errors,
    };
    const TTest *const each[] = {
        the_reference_has_this_case, doubles_meet_the_reference, balls_round_to_the_reference, thick_balls_hold_the_value,
        mpfr_meets_the_reference, rationals_lie_in_the_balls, shape_round_trip,
    };
    Suite *suite = suite_create("forward");
    TCase *all = tcase_create("forward");
    for (size_t k = 0; k < COUNT(once); k++) tcase_add_test(all, once[k]);
    for (size_t k = 0; k < COUNT(each); k++) tcase_add_loop_test(all, each[k], 0, COUNT(cases));
    tcase_set_timeout(all, 60);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    if (!getenv("CK_FORK")) srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    libraries_init();
    int status = EXIT_SUCCESS;
    if (argc == 2 && strcmp(argv[1], "--cases") == 0) {
        for (size_t c = 0; c < COUNT(cases); c++) puts(cases[c].name);
    } else if (argc == 3 && strcmp(argv[1], "--dump") == 0) {
        dump_case(case_called(argv[2]));
    } else if (argc == 1) {
        read_reference();
        status = run_tests();
        forget_reference();
    } else {
        die("usage: %s [--cases | --dump CASE]", program_name);
    }
    libraries_clear();
    return status;
}
