/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_gpt.c - the language model of the training engine: gradients of the whole model, parameter counts, the
 * papers' elimination of all W_Q as a test of both code paths, and that it learns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/train/decode.h"
#include "src/train/eliminate.h"
#include "tests/support/suite.h"

enum { B = 2, T = 5, V = 17 };

static gpt_config tiny(void)
{
    return (gpt_config){ .L = 2, .d = 12, .h = 3, .m = 20, .T = T, .V = V, .factor = 1, .tied = true, .norm = true,
                         .attn_skip = true, .mlp_skip = true, .init_std = 0.3 };
}

/* Bit k of the mask: projection k is the identity. */
enum { MASKS = 1 << GPT_PROJECTIONS };
static void set_identities(gpt_config *c, int mask)
{
    for (int k = 0; k < GPT_PROJECTIONS; k++) c->identity[k] = mask >> k & 1;
}

/* Every variant that the experiments use, and each switch alone; then all choices of identities, first with all
 * else as usual, then with all else otherwise. */
enum { SWITCHES = 8, VARIANTS = SWITCHES + 2 * MASKS };
static gpt_config variant(int k)
{
    gpt_config c = tiny();
    if (k >= SWITCHES) set_identities(&c, (k - SWITCHES) % MASKS);
    if (k >= SWITCHES + MASKS) {
        c.norm = c.tied = false;
        c.factor = 0.7;
        c.pad = 4;                       /* the width of a head */
    }
    switch (k) {
    case 1: c.identity[GPT_QUERY] = true; c.factor = 0.5; break;
    case 2: c.tied = false; break;
    case 3: c.norm = false; break;
    case 4: c.mlp_skip = false; c.norm = false; c.tied = false; break;
    case 5: c.attn_skip = false; break;
    case 6: c.identity[GPT_QUERY] = true; c.m = 23; c.norm = false; c.mlp_skip = false; c.tied = false; break;
    case 7: c.d = 10; c.h = 2; c.m = 1; c.identity[GPT_QUERY] = true; break;
    default: break;
    }
    return c;
}

static void sample(int32_t *token, int32_t *target, long n, long vocabulary)
{
    const uint64_t key[2] = { 11, 12 };
    for (long i = 0; i <= n; i++) {
        const int32_t t = (int32_t)random_below(key, (uint64_t)i, (uint64_t)vocabulary);
        if (i < n) token[i] = t;
        if (i > 0) target[i - 1] = t;
    }
}

/* ---- gradients ------------------------------------------------------------------------------------------ */

static double loss_along(gpt *M, const double *w0, const double *v, double step, const int32_t *token, const int32_t *target)
{
    const size_t n = gpt_net(M)->table.size;
    double *w = gpt_net(M)->w, loss[B * T];
    for (size_t i = 0; i < n; i++) w[i] = w0[i] + step * v[i];
    return gpt_loss(M, token, target, B, loss, 0);
}

/* Along a random direction the derivative of the mean loss is <gradient, direction>; differences of sixth order. */
START_TEST(directional_derivative)
{
    const gpt_config c = variant(_i / 3);
    gpt *M = gpt_create(&c, ops_cpu_f64(), B, 5);
    const size_t n = gpt_net(M)->table.size;
    int32_t token[B * T], target[B * T];
    double loss[B * T], *w0 = must_calloc(n, sizeof *w0), *v = must_calloc(n, sizeof *v), inner = 0;
    const uint64_t key[2] = { 3, (uint64_t)_i };
    sample(token, target, B * T, V);
    memcpy(w0, gpt_net(M)->w, n * sizeof *w0);
    for (size_t i = 0; i < n; i++) v[i] = (double)random_gauss8(key, i) / 32;
    gpt_loss(M, token, target, B, loss, 1.0 / (B * T));
    for (size_t i = 0; i < n; i++) inner += v[i] * ((double *)gpt_net(M)->g)[i];
    const double h = 2e-4, weight[] = { 45, -9, 1 };
    double slope = 0;
    for (int k = 1; k <= 3; k++)
        slope += weight[k - 1] * (loss_along(M, w0, v, k * h, token, target) - loss_along(M, w0, v, -k * h, token, target));
    slope /= 60 * h;
    ck_assert_msg(fabs(inner / slope - 1) < 1e-8, "variant %d: %.15g and %.15g, relative %g", _i / 3, inner, slope, inner / slope - 1);
    free(w0);
    free(v);
    gpt_free(M);
}
END_TEST

/* Each weight has a gradient: none is left out of the backward pass, and the padding of none is. */
START_TEST(no_weight_is_forgotten)
{
    const gpt_config c = variant(_i);
    gpt *M = gpt_create(&c, ops_cpu_f64(), B, 5);
    int32_t token[B * T], target[B * T];
    double loss[B * T];
    sample(token, target, B * T, V);
    gpt_loss(M, token, target, B, loss, 1);
    for (long k = 0; k < gpt_net(M)->table.n; k++) {
        const param *p = &gpt_net(M)->table.list[k];
        const double *g = (const double *)gpt_net(M)->g + p->at;
        ck_assert_msg(ops_cpu_f64()->sumsq(g, (size_t)(p->rows * p->cols)) > 0, "%s", p->name);
    }
    gpt_free(M);
}
END_TEST

START_TEST(float_agrees_with_double)
{
    const gpt_config c = variant(_i);
    gpt *M = gpt_create(&c, ops_cpu_f32(), B, 5), *D = gpt_create(&c, ops_cpu_f64(), B, 5);
    int32_t token[B * T], target[B * T];
    double a[B * T], b[B * T];
    sample(token, target, B * T, V);
    ck_assert_double_le(fabs(gpt_loss(M, token, target, B, a, 1) - gpt_loss(D, token, target, B, b, 1)), 1e-6);
    for (long k = 0; k < gpt_net(M)->table.n; k++) {
        const param *p = &gpt_net(M)->table.list[k];
        const float *x = (const float *)gpt_net(M)->g + p->at;
        const double *y = (const double *)gpt_net(D)->g + p->at;
        double difference = 0, size = 0;
        for (long i = 0; i < p->rows * p->cols; i++) {
            difference += pow((double)x[i] - y[i], 2);
            size += y[i] * y[i];
        }
        ck_assert_msg(difference <= 1e-10 * size, "%s: %g", p->name, sqrt(difference / size));
    }
    gpt_free(M);
    gpt_free(D);
}
END_TEST

/* A model without some of its projections is the model that has the matrix I there: the same loss, and the same
 * gradients of all other weights. */
START_TEST(identities_are_identity_matrices)
{
    gpt_config c = variant(SWITCHES + _i);
    gpt *N = gpt_create(&c, ops_cpu_f64(), B, 5);
    set_identities(&c, 0);
    gpt *M = gpt_create(&c, ops_cpu_f64(), B, 5);
    const ops *o = ops_cpu_f64();
    double I[12 * 12] = { 0 }, a[B * T], b[B * T];
    int32_t token[B * T], target[B * T];
    long missing = 0;
    for (long i = 0; i < c.d; i++) I[i * c.d + i] = 1;
    for (long k = 0; k < gpt_net(M)->table.n; k++) {
        const param *p = &gpt_net(M)->table.list[k];
        if (params_find(&gpt_net(N)->table, p->name)) continue;
        ck_assert(p->rows == c.d && p->cols == c.d);
        params_put(p, o, gpt_net(M)->w, I);
        missing++;
    }
    ck_assert_int_eq(missing, c.L * __builtin_popcount((unsigned)_i % MASKS));
    sample(token, target, B * T, V);
    ck_assert_double_le(fabs(gpt_loss(M, token, target, B, a, 1) - gpt_loss(N, token, target, B, b, 1)), 1e-13);
    for (long k = 0; k < gpt_net(N)->table.n; k++) {
        const param *p = &gpt_net(N)->table.list[k], *q = params_find(&gpt_net(M)->table, p->name);
        const double *x = (const double *)gpt_net(N)->g + p->at, *y = (const double *)gpt_net(M)->g + q->at;
        for (size_t i = 0; i < p->room; i++)
            ck_assert_msg(fabs(x[i] - y[i]) <= 1e-11, "%s: %.17g and %.17g", p->name, x[i], y[i]);
    }
    gpt_free(M);
    gpt_free(N);
}
END_TEST

/* Rows in blocks of one: what a batch gives, its sequences give alone. */
START_TEST(batches_are_independent)
{
    const gpt_config c = tiny();
    gpt *M = gpt_create(&c, ops_cpu_f64(), B, 5);
    int32_t token[B * T], target[B * T];
    double together[B * T], alone[T];
    sample(token, target, B * T, V);
    gpt_loss(M, token, target, B, together, 0);
    for (long b = 0; b < B; b++) {
        gpt_loss(M, token + b * T, target + b * T, 1, alone, 0);
        for (long t = 0; t < T; t++) ck_assert_double_le(fabs(alone[t] - together[b * T + t]), 1e-12);
    }
    double last[V], all[B * T * V];
    gpt_logits(M, token, B, all);
    gpt_last_logits(M, token, 3, last);                                    /* causal: the first three tokens decide */
    for (long v = 0; v < V; v++) ck_assert_double_le(fabs(last[v] - all[2 * V + v]), 1e-12);
    gpt_free(M);
}
END_TEST

/* ---- one token after another ----------------------------------------------------------------------------- */

enum { LONGER = 37 };                    /* more than a block of queries */

static void same_logits(gpt *M, const gpt_config *c, double tolerance)
{
    int32_t token[LONGER], target[LONGER];
    double whole[LONGER][V], one[V];
    sample(token, target, LONGER, V);
    decoder *D = decoder_create(c, gpt_net(M));
    for (long n = 1; n <= LONGER; n++) gpt_last_logits(M, token, n, whole[n - 1]);
    for (long given = 1; given <= LONGER; given += 12) {           /* the prompt at once, then token by token */
        decoder_restart(D);
        ck_assert_int_eq(decoder_seen(D), 0);
        for (long n = given; n <= LONGER; n++) {
            const long known = decoder_seen(D);
            decode(D, token + known, n - known, one);
            ck_assert_int_eq(decoder_seen(D), n);
            double size = 0, gap = 0;
            for (long v = 0; v < V; v++) {
                size = fmax(size, fabs(whole[n - 1][v]));
                gap = fmax(gap, fabs(one[v] - whole[n - 1][v]));
            }
            ck_assert_msg(gap <= tolerance * size, "%ld tokens after %ld at once: %g of %g", n, given, gap, size);
        }
    }
    decoder_restart(D);
    decode(D, token, 3, one);
    decode(D, token + 3, 4, one);                                  /* some more at once */
    for (long v = 0; v < V; v++) ck_assert_double_le(fabs(one[v] - whole[6][v]), tolerance * 10);
    decoder_free(D);
}

START_TEST(decoding_agrees)              /* with the full forward pass, at every position, padded and not */
{
    for (long pad = 0; pad <= 8; pad += 8) {
        gpt_config c = variant(_i);
        c.T = LONGER;
        c.pad = pad;
        if (gpt_config_check(&c)) continue;                        /* no W_q: no padding */
        gpt *M = gpt_create(&c, ops_cpu_f64(), 1, 5), *N = gpt_create(&c, ops_cpu_f32(), 1, 5);
        same_logits(M, &c, 1e-12);
        same_logits(N, &c, 1e-5);
        gpt_free(M);
        gpt_free(N);
    }
}
END_TEST

/* ---- the papers' numbers --------------------------------------------------------------------------------- */

/* 003 and 000, Table 2: total and non-embedding parameters, in millions. */
static const struct { bool query; long d, m; double total, inner; } printed[] = {
    { true, 768, 3072, 124.37, 84.95 }, { false, 768, 3072, 117.30, 77.88 }, { false, 768, 3456, 124.37, 84.95 },
    { true, 768, 2688, 117.30, 77.88 }, { true, 744, 2976, 117.92, 79.73 },
};
START_TEST(parameter_counts)
{
    gpt_config c = gpt_default();
    c.identity[GPT_QUERY] = !printed[_i].query;
    c.d = printed[_i].d;
    c.m = printed[_i].m;
    param_table t = gpt_params(&c);
    const double total = (double)t.size * 1e-6, outer = (double)((c.V + c.T) * c.d) * 1e-6;
    ck_assert_double_le(fabs(total - printed[_i].total), 0.005);
    ck_assert_double_le(fabs(total - outer - printed[_i].inner), 0.005);
    params_free(&t);
}
END_TEST

/* Each identity spares L d^2 parameters, and the flops of as many. */
START_TEST(identities_cost_nothing)
{
    const gpt_config full = tiny();
    gpt_config c = tiny();
    set_identities(&c, _i);
    const long spared = full.L * full.d * full.d * __builtin_popcount((unsigned)_i);
    param_table t = gpt_params(&c), all = gpt_params(&full);
    ck_assert_int_eq(gpt_identities(&c), __builtin_popcount((unsigned)_i));
    ck_assert_uint_eq(params_count(&t) + (size_t)spared, params_count(&all));
    ck_assert(gpt_flops(&c) + 6 * (double)spared == gpt_flops(&full));
    params_free(&t);
    params_free(&all);
}
END_TEST

/* ---- Theorem 4.4 on both code paths: with skips around attention only, Theta_i = W_Q^i --------------------- */

static double *weight(gpt *M, const char *fmt, long i)
{
    char name[32];
    snprintf(name, sizeof name, fmt, i);
    const param *p = params_find(&gpt_net(M)->table, name);
    ck_assert_msg(p != NULL, "%s", name);
    return (double *)gpt_net(M)->w + p->at;
}

/* One projection of all blocks, of models that have all three or had another one eliminated before. */
static const struct { gpt_projection which; int before; char letter; } eliminations[] = {
    { GPT_QUERY, 0, 'q' }, { GPT_KEY, 0, 'k' }, { GPT_VALUE, 0, 'v' }, { GPT_QUERY, 1 << GPT_KEY, 'q' },
    { GPT_VALUE, 1 << GPT_QUERY | 1 << GPT_KEY, 'v' } };
START_TEST(all_of_a_kind_eliminated)
{
    const gpt_projection which = eliminations[_i].which;
    gpt_config c = variant(4);
    set_identities(&c, eliminations[_i].before);
    ck_assert_ptr_null(eliminate_hypotheses(&c, which));
    gpt *M = gpt_create(&c, ops_cpu_f64(), B, 9);
    const gpt_config reduced = eliminate_config(&c, which);
    gpt *N = gpt_create(&reduced, ops_cpu_f64(), B, 8);
    ck_assert_ptr_null(eliminate_projection(M, &c, which, N));
    char name[32];
    for (const char *l = "qkv"; *l; l++) {
        snprintf(name, sizeof name, "h.0.attn.%c", *l);
        ck_assert((*l == eliminations[_i].letter) == !params_find(&gpt_net(N)->table, name));
    }
    int32_t token[B * T], target[B * T];
    double a[B * T * V], b[B * T * V], gap = 0, top = 0;
    sample(token, target, B * T, V);
    gpt_logits(M, token, B, a);
    gpt_logits(N, token, B, b);
    for (long k = 0; k < B * T * V; k++) {
        gap = fmax(gap, fabs(a[k] - b[k]));
        top = fmax(top, fabs(a[k]));
    }
    ck_assert_msg(gap <= 1e-10 * top, "gap %g of %g", gap, top);
    snprintf(name, sizeof name, "h.%%ld.attn.%c", eliminations[_i].letter);
    memset(weight(M, name, 1), 0, (size_t)(c.d * c.d) * sizeof(double));
    const char *why = eliminate_projection(M, &c, which, N);
    ck_assert_msg(why && strstr(why, "singular"), "%s", why ? why : "done");
    gpt_free(M);
    gpt_free(N);
}
END_TEST

/* Each hypothesis is needed: without it the same construction gives another function. */
START_TEST(hypotheses_of_the_elimination)
{
    gpt_config c = variant(4);
    static const char *const says[] = { "LayerNorm", "MLP" };
    if (_i == 0) c.norm = true;
    if (_i == 1) c.mlp_skip = true;
    const char *why = eliminate_hypotheses(&c, GPT_QUERY);
    ck_assert_msg(why && strstr(why, says[_i]), "%s", why ? why : "accepted");
    gpt *M = gpt_create(&c, ops_cpu_f64(), B, 9);
    const gpt_config reduced = eliminate_config(&c, GPT_QUERY);
    ck_assert_ptr_nonnull(strstr(eliminate_hypotheses(&reduced, GPT_QUERY), "no W_Q"));
    gpt *N = gpt_create(&reduced, ops_cpu_f64(), B, 9);
    ck_assert_ptr_null(eliminate_projection(M, &c, GPT_QUERY, N));
    int32_t token[B * T], target[B * T];
    double loss[B * T];
    sample(token, target, B * T, V);
    ck_assert_double_ge(fabs(gpt_loss(M, token, target, B, loss, 0) - gpt_loss(N, token, target, B, loss, 0)), 1e-3);
    gpt_free(M);
    gpt_free(N);
}
END_TEST

START_TEST(factor_of_the_scale)          /* half the scale and twice W_Q are the same */
{
    gpt_config c = tiny();
    gpt *M = gpt_create(&c, ops_cpu_f64(), B, 9);
    c.factor = 0.5;
    gpt *N = gpt_create(&c, ops_cpu_f64(), B, 9);
    int32_t token[B * T], target[B * T];
    double a[B * T], b[B * T];
    sample(token, target, B * T, V);
    const double whole = gpt_loss(M, token, target, B, a, 0);
    ck_assert_double_ge(fabs(whole - gpt_loss(N, token, target, B, b, 0)), 1e-6);
    for (long i = 0; i < c.L; i++) for (long k = 0; k < c.d * c.d; k++) weight(N, "h.%ld.attn.q", i)[k] *= 2;
    ck_assert_double_le(fabs(whole - gpt_loss(N, token, target, B, b, 0)), 1e-13);
    gpt_free(M);
    gpt_free(N);
}
END_TEST

/* The headers of runs have it, and old checkpoints are read by it: identities that they could not have are said only
 * where there are some. */
START_TEST(configurations_as_text)
{
    const gpt_config c = variant(_i);
    gpt_config d = { .identity = { true, true, true } };
    char *text = gpt_config_print(&c);
    if (_i == 4)
        ck_assert_str_eq(text, "L=2 d=12 h=3 m=20 T=5 V=17 query=1 factor=1 tied=0 norm=0 skips=10 "
                               "std=0.29999999999999999");
    static const char *const says[MASKS] = { "V=17 query=1 factor", "V=17 query=0 factor", "V=17 query=1 key=0 factor",
        "V=17 query=0 key=0 factor", "V=17 query=1 value=0 factor", "V=17 query=0 value=0 factor",
        "V=17 query=1 key=0 value=0 factor", "V=17 query=0 key=0 value=0 factor" };
    if (_i >= SWITCHES) ck_assert_ptr_nonnull(strstr(text, says[(_i - SWITCHES) % MASKS]));
    ck_assert_ptr_null(gpt_config_parse(&d, text));
    ck_assert(d.L == c.L && d.d == c.d && d.h == c.h && d.m == c.m && d.T == c.T && d.V == c.V);
    ck_assert_int_eq(memcmp(d.identity, c.identity, sizeof d.identity), 0);
    ck_assert(d.factor == c.factor && d.tied == c.tied && d.norm == c.norm && d.attn_skip == c.attn_skip);
    ck_assert(d.mlp_skip == c.mlp_skip && d.init_std == c.init_std && d.pad == 1);
    free(text);
}
END_TEST

START_TEST(damaged_configurations)       /* cut off, not a number, too long, heads that do not divide the width */
{
    static const char *const damaged[] = {
        "L=2 d=12 h=3 m=20 T=5 V=17 query=1 factor=1 tied=0 norm=0 skips=1 std=0.3",
        "L=2 d=x h=3 m=20 T=5 V=17 query=1 factor=1 tied=0 norm=0 skips=10 std=0.3",
        "L=2 d=12 h=3 m=20 T=5 V=17 query=1 factor=1 tied=0 norm=0 skips=10 std=0.3 more",
        "L=2 d=12 h=5 m=20 T=5 V=17 query=1 factor=1 tied=0 norm=0 skips=10 std=0.3",
        "L=2 d=12 h=3 m=20 T=5 V=17 query=1 key=2 factor=1 tied=0 norm=0 skips=10 std=0.3",
        "L=2 d=12 h=3 m=20 T=5 V=17 query=1 value=0 key=0 factor=1 tied=0 norm=0 skips=10 std=0.3",
    };
    gpt_config c = { 0 };
    char *why = gpt_config_parse(&c, damaged[_i]);
    ck_assert_ptr_nonnull(why);
    free(why);
}
END_TEST

START_TEST(matrices_decay)               /* and gains do not: nanoGPT's groups */
{
    const gpt_config c = gpt_default();
    param_table t = gpt_params(&c);
    for (long k = 0; k < t.n; k++) ck_assert_msg(t.list[k].decay == (t.list[k].rows > 1), "%s", t.list[k].name);
    params_free(&t);
}
END_TEST

/* ---- learning -------------------------------------------------------------------------------------------- */

START_TEST(overfits_one_batch)
{
    gpt_config c = variant(_i);
    c.init_std = 0.1;
    const ops *o = ops_cpu_f32();
    gpt *M = gpt_create(&c, o, B, 5);
    const size_t n = gpt_net(M)->table.size;
    void *m = alloc_wide(o, n), *v = alloc_wide(o, n);
    int32_t token[B * T], target[B * T];
    double loss[B * T], first = 0, last = 0;
    sample(token, target, B * T, V);
    adamw_step s = { .lr = 1e-2, .beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8, .gradient = 1 };
    for (int t = 1; t <= 300; t++) {
        o->zero(gpt_net(M)->g, n);
        last = gpt_loss(M, token, target, B, loss, 1.0 / (B * T));
        if (t == 1) first = last;
        s.bias1 = 1 - pow(s.beta1, t);
        s.bias2 = 1 - pow(s.beta2, t);
        o->adamw(gpt_net(M)->w, m, v, gpt_net(M)->g, n, &s);
    }
    ck_assert_msg(first > 2 && last < 0.05, "variant %d: from %g to %g", _i, first, last);
    o->release(m);
    o->release(v);
    gpt_free(M);
}
END_TEST

START_TEST(bad_configurations)
{
    static const struct { long L, d, h, m, T, V; double factor; const char *says; } bad[] = {
        { 0, 12, 3, 4, 5, 6, 1, "layers" }, { 1, 12, 5, 4, 5, 6, 1, "divide" }, { 1, 12, 3, 0, 5, 6, 1, "at least 1" },
        { 1, 12, 3, 4, 5, 1, 1, "vocabulary" }, { 1, 12, 3, 4, 5, 6, 0, "positive" }, { 1, 12, 3, 4, 5, 6, NAN, "positive" },
        { 1, 1L << 40, 1, 4, 5, 6, 1, "too large" },
    };
    for (size_t k = 0; k < COUNT(bad); k++) {
        gpt_config c = tiny();
        c.L = bad[k].L; c.d = bad[k].d; c.h = bad[k].h; c.m = bad[k].m; c.T = bad[k].T; c.V = bad[k].V;
        c.factor = bad[k].factor;
        const char *why = gpt_config_check(&c);
        ck_assert_msg(why && strstr(why, bad[k].says), "case %zu: %s", k, why ? why : "accepted");
    }
    const gpt_config good = tiny();
    ck_assert_ptr_null(gpt_config_check(&good));
}
END_TEST

/* ---- nothing is moved that can stay ---------------------------------------------------------------------- */

static long copies;
static void counted_copy(void *to, const void *from, size_t n)
{
    copies++;
    ops_cpu_f32()->copy(to, from, n);
}
START_TEST(the_stream_stays_where_it_is)
{
    int32_t token[B * T], target[B * T];
    double loss[B * T];
    ops o = *ops_cpu_f32();
    o.copy = counted_copy;
    sample(token, target, B * T, V);
    for (int k = 0; k < VARIANTS; k++) {
        const gpt_config c = variant(k);
        gpt *M = gpt_create(&c, &o, B, 1);
        copies = 0;
        gpt_loss(M, token, target, B, loss, 1.0 / (B * T));
        ck_assert_msg(copies == 0, "variant %d: %ld copies of the stream's gradient", k, copies);
        gpt_free(M);
    }
}
END_TEST

/* ---- logits at a time ------------------------------------------------------------------------------------------ */

static long pieces[8], count;
static void counted_loss(void *logits, double *loss, const int32_t *target, long R, long vocabulary, double factor)
{
    if (count < (long)COUNT(pieces)) pieces[count++] = R;
    ops_cpu_f32()->loss_fwdbwd(logits, loss, target, R, vocabulary, factor);
}
START_TEST(a_gpu_takes_whole_tiles_of_logits)
{
    enum { MANY = 80, ROWS = MANY * T };                    /* 400 */
    static const struct { const char *device; size_t logits; long rows[4]; } all[] = {
        { NULL, 150 * V + 3, { 150, 150, 100, 0 } }, { "Mock, sm_90", 150 * V + 3, { 128, 128, 128, 16 } },
        { "Mock, sm_90", 300 * V, { 256, 144, 0, 0 } }, { "Mock, sm_90", 1000 * V, { 400, 0, 0, 0 } },
        { "Mock, sm_90", 100 * V, { 100, 100, 100, 100 } } };
    int32_t token[ROWS], target[ROWS];
    double loss[ROWS];
    sample(token, target, ROWS, V);
    for (size_t k = 0; k < COUNT(all); k++) {
        ops o = *ops_cpu_f32();
        o.device = all[k].device;
        o.logits = all[k].logits;
        o.loss_fwdbwd = counted_loss;
        const gpt_config c = tiny();
        gpt *M = gpt_create(&c, &o, MANY, 1);
        count = 0;
        for (int i = 0; i < 8; i++) pieces[i] = 0;
        gpt_loss(M, token, target, MANY, loss, 0);
        for (int i = 0; i < 4; i++) ck_assert_int_eq(pieces[i], all[k].rows[i]);
        gpt_free(M);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("gpt");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, directional_derivative, 0, 3 * VARIANTS);
    tcase_add_loop_test(all, no_weight_is_forgotten, 0, VARIANTS);
    tcase_add_loop_test(all, float_agrees_with_double, 0, VARIANTS);
    tcase_add_loop_test(all, identities_are_identity_matrices, 0, 2 * MASKS);
    tcase_add_test(all, batches_are_independent);
    tcase_add_loop_test(all, decoding_agrees, 0, VARIANTS);
    tcase_add_loop_test(all, parameter_counts, 0, COUNT(printed));
    tcase_add_loop_test(all, identities_cost_nothing, 0, MASKS);
    tcase_add_loop_test(all, configurations_as_text, 0, VARIANTS);
    tcase_add_loop_test(all, damaged_configurations, 0, 6);
    tcase_add_loop_test(all, all_of_a_kind_eliminated, 0, COUNT(eliminations));
    tcase_add_loop_test(all, hypotheses_of_the_elimination, 0, 2);
    tcase_add_test(all, factor_of_the_scale);
    tcase_add_test(all, matrices_decay);
    tcase_add_loop_test(all, overfits_one_batch, 0, VARIANTS);
    tcase_add_test(all, bad_configurations);
    tcase_add_test(all, the_stream_stays_where_it_is);
    tcase_add_test(all, a_gpu_takes_whole_tiles_of_logits);
    return run_suite(suite, argc, argv);
}
