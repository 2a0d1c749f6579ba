/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_vit.c - the vision transformer: gradients of the whole model, the paper's parameter counts, its theorems as tests
 * of the variants' code, and that it learns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/methods/counts/printed.h"
#include "src/train/train_vit.h"
#include "src/train/vit.h"
#include "tests/support/suite.h"

enum { B = 3, SIDE = 6, CHANNELS = 2, PATCH = 2, P = 9, PIXELS = SIDE * SIDE * CHANNELS, CLASSES = 5 };

static vit_config tiny(const char *variant)
{
    vit_config c = { .S = 2, .d = 8, .h = 1, .m = 11, .side = SIDE, .channels = CHANNELS, .patch = PATCH, .classes = CLASSES,
                     .positions = true, .skip = true, .norm = VIT_PRE };
    ck_assert_msg(vit_variant(&c, variant), "%s", variant);
    return c;
}

/* Every variant of attention, then each switch alone and in company. */
enum { KINDS = 8, CASES = KINDS + 12 };
static vit_config chosen(int k)
{
    vit_config c = tiny(k < KINDS ? vit_variants[k] : "unchanged");
    switch (k - KINDS) {
    case 0: c.h = 4; c.token = true; break;
    case 1: c.m = 0; c.positions = false; break;
    case 2: c.norm = VIT_POST; break;
    case 3: c.norm = VIT_POST; c.m = 0; c.skip = false; break;
    case 4: c.norm = VIT_BARE; c.token = true; break;
    case 5: c.norm = VIT_BARE; c.m = 0; break;
    case 6: c.skip = false; break;
    case 7: c = tiny("symmetric"); c.h = 2; c.m = 0; c.token = true; break;
    case 8: c = tiny("minimum"); c.m = 0; break;
    case 9: c = tiny("wqk"); c.norm = VIT_POST; c.token = true; break;
    case 10: c = tiny("minimum"); c.norm = VIT_BARE; c.skip = false; c.m = 0; break;
    case 11: c.value = VIT_INPUT; c.value_bias = c.key_bias = false; break;
    default: break;
    }
    return c;
}

static void sample(unsigned char *image, int32_t *label)
{
    const uint64_t key[2] = { 21, 22 };
    for (long i = 0; i < B * PIXELS; i++) image[i] = (unsigned char)random_below(key, (uint64_t)i, 256);
    for (long b = 0; b < B; b++) label[b] = (int32_t)(2 * b);
}

/* Biases and gains do not stay at 0 and 1, where half of the errors would hide. */
static void shake(vit *M)
{
    const size_t n = vit_net(M)->table.size;
    double *w = vit_net(M)->w;
    const uint64_t key[2] = { 31, 32 };
    for (size_t i = 0; i < n; i++) w[i] += (double)random_gauss8(key, i) / 160;
}

/* ---- gradients ------------------------------------------------------------------------------------------ */

static double loss_along(vit *M, const double *w0, const double *v, double step, const unsigned char *image, const int32_t *label)
{
    double *w = vit_net(M)->w, loss[B], right[B];
    for (size_t i = 0; i < vit_net(M)->table.size; i++) w[i] = w0[i] + step * v[i];
    return vit_loss(M, image, label, B, loss, right, 0);
}

/* Along a random direction the derivative of the mean loss is <gradient, direction>; differences of eighth order. */
START_TEST(directional_derivative)
{
    const vit_config c = chosen(_i / 3);
    vit *M = vit_create(&c, ops_cpu_f64(), B, 5);
    const size_t n = vit_net(M)->table.size;
    unsigned char image[B * PIXELS];
    int32_t label[B];
    double loss[B], right[B], *w0 = must_calloc(n, sizeof *w0), *v = must_calloc(n, sizeof *v), inner = 0;
    const uint64_t key[2] = { 3, (uint64_t)_i };
    sample(image, label);
    shake(M);
    memcpy(w0, vit_net(M)->w, n * sizeof *w0);
    for (size_t i = 0; i < n; i++) v[i] = (double)random_gauss8(key, i) / 32;
    vit_loss(M, image, label, B, loss, right, 1.0 / B);
    for (size_t i = 0; i < n; i++) inner += v[i] * ((double *)vit_net(M)->g)[i];
    const double h = 4e-4, weight[] = { 672, -168, 32, -3 };
    double slope = 0;
    for (int k = 1; k <= 4; k++)
        slope += weight[k - 1] * (loss_along(M, w0, v, k * h, image, label) - loss_along(M, w0, v, -k * h, image, label));
    slope /= 840 * h;
    ck_assert_msg(fabs(inner / slope - 1) < 1e-8, "case %d: %.15g and %.15g, relative %g", _i / 3, inner, slope, inner / slope - 1);
    free(w0);
    free(v);
    vit_free(M);
}
END_TEST

static double size_of(const void *flat, const param *p)
{
    return sqrt(ops_cpu_f64()->sumsq((const double *)flat + p->at, (size_t)(p->rows * p->cols)));
}

static bool is_dead(const param *p)      /* softmax does not see what all keys have in common */
{
    return strstr(p->name, "attn.k.b") != NULL;
}

START_TEST(no_weight_is_forgotten)       /* and the bias of the keys, alone, is dead: claim B-10 */
{
    const vit_config c = chosen(_i);
    vit *M = vit_create(&c, ops_cpu_f64(), B, 5);
    unsigned char image[B * PIXELS];
    int32_t label[B];
    double loss[B], right[B];
    sample(image, label);
    shake(M);
    vit_loss(M, image, label, B, loss, right, 1);
    for (long k = 0; k < vit_net(M)->table.n; k++) {
        const param *p = &vit_net(M)->table.list[k];
        const double size = size_of(vit_net(M)->g, p);
        if (is_dead(p)) ck_assert_msg(size <= 1e-14, "%s: %g", p->name, size);
        else            ck_assert_msg(size > 1e-8, "%s: %g", p->name, size);
    }
    vit_free(M);
}
END_TEST

START_TEST(float_agrees_with_double)
{
    const vit_config c = chosen(_i);
    vit *M = vit_create(&c, ops_cpu_f32(), B, 5), *D = vit_create(&c, ops_cpu_f64(), B, 5);
    unsigned char image[B * PIXELS];
    int32_t label[B];
    double a[B], b[B], right[B];
    sample(image, label);
    ck_assert_double_le(fabs(vit_loss(M, image, label, B, a, right, 1) - vit_loss(D, image, label, B, b, right, 1)), 2e-6);
    /* scores of tokens that are almost alike cancel: their rounding is that of the whole */
    const double whole = sqrt(ops_cpu_f64()->sumsq(vit_net(D)->g, vit_net(D)->table.size));
    for (long k = 0; k < vit_net(M)->table.n; k++) {
        const param *p = &vit_net(M)->table.list[k];
        const float *x = (const float *)vit_net(M)->g + p->at;
        const double *y = (const double *)vit_net(D)->g + p->at;
        double difference = 0;
        for (long i = 0; i < p->rows * p->cols; i++) difference += pow((double)x[i] - y[i], 2);
        const double size = size_of(vit_net(D)->g, p);
        ck_assert_msg(sqrt(difference) <= 1e-5 * size + 1e-7 * whole, "%s: %g", p->name, sqrt(difference) / size);
    }
    vit_free(M);
    vit_free(D);
}
END_TEST

/* Operations that add a bias within the product, as a GPU's do: the same bits where rounding is the same, and no bias
 * but those of positions and of W_k = I is added apart. */
static long within, apart;
static void product_with_bias(void *y, const void *x, const void *W, const void *b, const void *x0, long R, long out,
                              long in)
{
    const ops *o = ops_cpu_f64();
    o->gemm(false, true, R, out, in, 1, x, in, W, in, x0 ? 1 : 0, x0, y, out, ACT);
    o->bias_fwd(y, b, R, out);
    within++;
}
static void bias_apart(void *y, const void *b, long R, long C)
{
    ops_cpu_f64()->bias_fwd(y, b, R, C);
    apart++;
}
START_TEST(biases_within_products)
{
    const vit_config c = chosen(_i);
    ops o = *ops_cpu_f64();
    o.linear_fwd = product_with_bias;
    o.bias_fwd = bias_apart;
    within = apart = 0;
    vit *M[2] = { vit_create(&c, ops_cpu_f64(), B, 5), vit_create(&c, &o, B, 5) };
    unsigned char image[B * PIXELS];
    int32_t label[B];
    double loss[2][B], right[B];
    sample(image, label);
    long biases = 0;
    for (int k = 0; k < 2; k++) {
        shake(M[k]);
        vit_loss(M[k], image, label, B, loss[k], right, 1);
    }
    const param_table *t = &vit_net(M[0])->table;
    for (long k = 0; k < t->n; k++) {
        const char *name = t->list[k].name, *end = strrchr(name, '.');
        biases += end && strcmp(end, ".b") == 0 && !strstr(name, "norm") && !strstr(name, "patch");
    }
    const long of_positions = 1, of_keys = c.key == VIT_INPUT && c.key_bias ? c.S : 0;
    ck_assert_int_eq(apart, of_positions + of_keys);
    ck_assert_int_eq(within, biases - of_keys);
    ck_assert_int_gt(within, 0);
    ck_assert_mem_eq(loss[0], loss[1], sizeof loss[0]);
    ck_assert_mem_eq(vit_net(M[0])->g, vit_net(M[1])->g, t->size * sizeof(double));
    vit_free(M[0]);
    vit_free(M[1]);
}
END_TEST

START_TEST(batches_are_independent)
{
    const vit_config c = chosen(_i);
    vit *M = vit_create(&c, ops_cpu_f64(), B, 5);
    unsigned char image[B * PIXELS];
    int32_t label[B];
    double together[B * CLASSES], alone[CLASSES], loss[B], right[B];
    sample(image, label);
    vit_logits(M, image, B, together);
    vit_loss(M, image, label, B, loss, right, 0);
    for (long b = 0; b < B; b++) {
        const double *z = together + b * CLASSES;
        vit_logits(M, image + b * PIXELS, 1, alone);
        double all = 0, top = -INFINITY;
        for (long k = 0; k < CLASSES; k++) {
            ck_assert_double_le(fabs(alone[k] - z[k]), 1e-12);
            all += exp(z[k]);
            top = fmax(top, z[k]);
        }
        ck_assert_double_le(fabs(loss[b] - (log(all) - z[label[b]])), 1e-12);
        ck_assert_double_eq(right[b], z[label[b]] == top);
    }
    vit_free(M);
}
END_TEST

/* ---- patches ----------------------------------------------------------------------------------------------- */

START_TEST(patches)                      /* each pixel is where it belongs, and the class token's row is 0 */
{
    const ops *both[] = { ops_cpu_f32(), ops_cpu_f64() };
    enum { LEAD = 2, WIDTH = PATCH * PATCH * CHANNELS, N = B * (LEAD + P) * WIDTH };
    unsigned char image[B * PIXELS];
    int32_t label[B];
    double poison[N], y[N];
    sample(image, label);
    for (int i = 0; i < N; i++) poison[i] = NAN;
    for (int k = 0; k < 2; k++) {
        void *rows = alloc_act(both[k], N);
        both[k]->put_act(rows, poison, N);
        both[k]->patch_fwd(rows, image, B, SIDE, CHANNELS, PATCH, LEAD);
        both[k]->get_act(y, rows, N);
        for (long b = 0; b < B; b++) {
            for (long j = 0; j < LEAD * WIDTH; j++) ck_assert_double_eq(y[b * (LEAD + P) * WIDTH + j], 0);
            for (long i = 0; i < SIDE; i++)
                for (long j = 0; j < SIDE; j++)
                    for (long c = 0; c < CHANNELS; c++) {
                        const long patch = i / PATCH * (SIDE / PATCH) + j / PATCH, pixel = i % PATCH * PATCH + j % PATCH;
                        const double got = y[((b * (LEAD + P) + LEAD + patch) * PATCH * PATCH + pixel) * CHANNELS + c];
                        ck_assert_double_le(fabs(got - image[((b * SIDE + i) * SIDE + j) * CHANNELS + c] / 255.0), 1e-7);
                    }
        }
        both[k]->release(rows);
    }
}
END_TEST

static void swap_patches(unsigned char *image, long a, long b)
{
    for (long i = 0; i < PATCH; i++)
        for (long j = 0; j < PATCH * CHANNELS; j++) {
            const long x = ((a / 3 * PATCH + i) * SIDE + a % 3 * PATCH) * CHANNELS + j;
            const long y = ((b / 3 * PATCH + i) * SIDE + b % 3 * PATCH) * CHANNELS + j;
            const unsigned char kept = image[x];
            image[x] = image[y];
            image[y] = kept;
        }
}

START_TEST(order_of_patches)             /* is seen by positions alone; the mask is open */
{
    vit_config c = tiny("unchanged");
    c.positions = _i & 1;
    c.token = _i & 2;
    vit *M = vit_create(&c, ops_cpu_f64(), B, 5);
    unsigned char image[B * PIXELS];
    int32_t label[B];
    double before[CLASSES], after[CLASSES], gap = 0;
    sample(image, label);
    vit_logits(M, image, 1, before);
    swap_patches(image, 0, 7);
    vit_logits(M, image, 1, after);
    for (long k = 0; k < CLASSES; k++) gap = fmax(gap, fabs(before[k] - after[k]));
    if (c.positions) ck_assert_double_ge(gap, 1e-5);
    else             ck_assert_double_le(gap, 1e-13);
    vit_free(M);
}
END_TEST

/* With no weights but a head that reads coordinate k as logit k, the logits are what the last rows hold: position 0 where
 * there is a class token, the mean over all positions where there is none. */
START_TEST(positions_and_the_class_token)
{
    vit_config c = tiny("unchanged");
    unsigned char image[B * PIXELS] = { 0 };
    double logits[CLASSES];
    c.token = _i;
    c.norm = VIT_BARE;
    c.m = 0;
    vit *M = vit_create(&c, ops_cpu_f64(), B, 5);
    double *w = vit_net(M)->w;
    memset(w, 0, vit_net(M)->table.size * sizeof *w);
    const param *head = params_find(&vit_net(M)->table, "head.w");
    for (long k = 0; k < CLASSES; k++) w[head->at + (size_t)(k * c.d + k)] = 1;
    net_refresh(vit_net(M));
    vit_logits(M, image, 1, logits);
    for (long k = 0; k < CLASSES; k++) {
        const double frequency = pow(10000, -(double)(k - k % 2) / (double)c.d);
        double expected = c.token ? (double)(k % 2) : 0;                     /* sin 0 = 0, cos 0 = 1 */
        for (long t = 0; !c.token && t < P; t++)
            expected += (k % 2 ? cos((double)t * frequency) : sin((double)t * frequency)) / P;
        ck_assert_msg(fabs(logits[k] - expected) <= 1e-12, "logit %ld: %.15g, not %.15g", k, logits[k], expected);
    }
    vit_free(M);
}
END_TEST

START_TEST(what_decays)                  /* matrices, and nothing else: no gain, no bias, no class token */
{
    for (int k = 0; k < CASES; k++) {
        const vit_config c = chosen(k);
        param_table t = vit_params(&c);
        for (long i = 0; i < t.n; i++) {
            const char *name = t.list[i].name;
            const size_t n = strlen(name);
            const char *end = n > 2 ? name + n - 2 : name;
            const bool vector = strcmp(name, "token") == 0 || strcmp(end, ".b") == 0 || strcmp(end, ".g") == 0;
            ck_assert_msg(t.list[i].decay == !vector, "%s %s", name, vector ? "decays" : "does not decay");
        }
        params_free(&t);
    }
}
END_TEST

/* ---- the paper's numbers ------------------------------------------------------------------------------------ */

static long audited(const char *name)
{
    char *text = printed_model_text(name);
    ck_assert_msg(text != NULL, "%s", name);
    description m;
    long line;
    char *why = describe_parse(&m, text, &line);
    ck_assert_msg(!why, "%s: %s", name, why ? why : "");
    const counts n = count_parameters(&m);
    free(text);
    return count_total(&n);
}

/* The model that trains has as many parameters as the one that the audit counts: all rows of Tables 1 to 3. */
START_TEST(counts_of_the_audit)
{
    for (size_t k = 0; k < printed_runs_count; k++) {
        vit_config c;
        ck_assert_msg(vit_row(&c, printed_runs[k].name), "%s", printed_runs[k].name);
        param_table t = vit_params(&c);
        ck_assert_msg((long)t.size == audited(printed_runs[k].name), "%s: %zu", printed_runs[k].name, t.size);
        params_free(&t);
    }
    vit_config c;
    ck_assert(!vit_row(&c, "mnist_6_1_mlp_fuller") && !vit_row(&c, "mnist_6_4_no_wqk") && !vit_row(&c, "emnist_6_1_no_full"));
    ck_assert(!vit_row(&c, "mnist_6_1_some_full") && !vit_row(&c, "mnist_0_1_no_full") && !vit_row(&c, "mnist"));
}
END_TEST

/* As printed (0: by a slip it is not what was printed, see claim B-P), and the arms that are not in the tables. */
static const struct { const char *row, *variant; long count; } printed[] = {
    { "mnist_6_1_mlp_full", NULL, 279106 }, { "mnist_6_1_mlp_min", NULL, 212866 }, { "mnist_6_1_no_full", NULL, 92890 },
    { "mnist_6_1_no_sym", NULL, 69910 }, { "mnist_6_4_no_sym", NULL, 69910 }, { "mnist_6_1_no_wqk", NULL, 70570 },
    { "mnist_6_1_no_min", NULL, 26650 }, { "cifar_6_1_mlp_full", NULL, 287686 }, { "cifar_6_4_mlp_full", NULL, 287746 },
    { "cifar_6_1_mlp_min", NULL, 221446 }, { "cifar_6_1_no_full", NULL, 101470 }, { "cifar_6_4_no_full", NULL, 101530 },
    { "cifar_6_1_no_sym", NULL, 78490 }, { "cifar_6_4_no_sym", NULL, 78490 }, { "cifar_6_1_no_wqk", NULL, 79150 },
    { "cifar_6_1_no_min", NULL, 35230 }, { "cifar_12_4_mlp_full", NULL, 563242 },
    { "mnist_6_1_mlp_full", "wqk-biases", 257506 }, { "mnist_6_1_mlp_wqk", NULL, 256786 },
    { "mnist_6_1_no_full", "collapsed", 92890 - 6 * (14640 - 2 * 3600) },
    { "mnist_6_1_no_full", "collapsed-biases", 92890 - 6 * (14640 - 2 * 3660) },
    { "mnist_6_1_no_sym", "symmetric-biases", 69910 + 6 * 180 },
};
START_TEST(printed_counts)
{
    vit_config c;
    ck_assert(vit_row(&c, printed[_i].row));
    if (printed[_i].variant) ck_assert(vit_variant(&c, printed[_i].variant));
    param_table t = vit_params(&c);
    ck_assert_int_eq((long)t.size, printed[_i].count);
    params_free(&t);
}
END_TEST

START_TEST(configurations_as_text)       /* the headers of runs have it */
{
    vit_config c;
    ck_assert(vit_row(&c, "cifar_12_4_mlp_sym"));
    c.query_bias = true;
    char *text = vit_config_print(&c);
    ck_assert_str_eq(text, "vit S=12 d=60 h=4 m=256 pictures=32x32x3/8 classes=10 key=2 value=0 output=1 biases=1000 "
                           "token=1 positions=1 skip=1 norm=0");
    free(text);
}
END_TEST

START_TEST(operations_per_image)       /* multiply-adds with 17 tokens, in millions: by hand */
{
    static const struct { const char *row; double million; } row[] = {
        { "mnist_6_4_mlp_full", 4.86 }, { "mnist_6_4_no_full", 1.72 }, { "mnist_6_4_no_sym", 1.36 }, { "cifar_12_4_mlp_full", 9.81 },
    };
    for (size_t k = 0; k < COUNT(row); k++) {
        vit_config c;
        ck_assert(vit_row(&c, row[k].row));
        ck_assert_double_le(fabs(vit_operations(&c) * 0.5e-6 - row[k].million), 0.006);
    }
}
END_TEST

START_TEST(initial_values)               /* Glorot's limits, zero biases; shared names share their values */
{
    vit_config a, b;
    ck_assert(vit_row(&a, "mnist_6_1_mlp_full") && vit_row(&b, "mnist_6_1_no_wqk"));
    vit *M = vit_create(&a, ops_cpu_f64(), 1, 3), *N = vit_create(&b, ops_cpu_f64(), 1, 3);
    for (long k = 0; k < vit_net(M)->table.n; k++) {
        const param *p = &vit_net(M)->table.list[k], *q = params_find(&vit_net(N)->table, p->name);
        const double *w = (const double *)vit_net(M)->w + p->at, limit = sqrt(6.0 / (double)(p->rows + p->cols));
        double top = 0;
        for (long i = 0; i < p->rows * p->cols; i++) top = fmax(top, fabs(w[i]));
        if (p->rows > 1) ck_assert_msg(top <= limit && top > 0.98 * limit, "%s: %g of %g", p->name, top, limit);
        else             ck_assert_double_eq(top, strstr(p->name, ".g") ? 1 : 0);
        if (q) ck_assert_mem_eq(w, (const double *)vit_net(N)->w + q->at, (size_t)(p->rows * p->cols) * sizeof *w);
    }
    vit_free(M);
    vit_free(N);
}
END_TEST

/* ---- theorems: two variants are one function ------------------------------------------------------------------ */

static double *weight(vit *M, const char *fmt, long i)
{
    char name[32];
    snprintf(name, sizeof name, fmt, i);
    const param *p = params_find(&vit_net(M)->table, name);
    ck_assert_msg(p != NULL, "%s", name);
    return (double *)vit_net(M)->w + p->at;
}

static void product(double *C, const double *A, bool tA, const double *X, bool tX, long m, long n, long k)
{
    ops_cpu_f64()->gemm(tA, tX, m, n, k, 1, A, tA ? m : k, X, tX ? k : n, 0, NULL, C, n, WIDE);
}

/* A shaken model and one of another variant that has its weights where the names agree. */
typedef struct { vit *M, *N; } pair;
static pair converted(const vit_config *from, const vit_config *to)
{
    pair p = { vit_create(from, ops_cpu_f64(), B, 9), vit_create(to, ops_cpu_f64(), B, 10) };
    shake(p.M);
    for (long k = 0; k < vit_net(p.N)->table.n; k++) {
        const param *new = &vit_net(p.N)->table.list[k], *old = params_find(&vit_net(p.M)->table, new->name);
        if (old) memcpy((double *)vit_net(p.N)->w + new->at, (double *)vit_net(p.M)->w + old->at, (size_t)(new->rows * new->cols) * sizeof(double));
    }
    return p;
}

static double gap_of(const pair *p)      /* of the logits, relative to the largest */
{
    unsigned char image[B * PIXELS];
    int32_t label[B];
    double a[B * CLASSES], b[B * CLASSES], gap = 0, top = 0;
    sample(image, label);
    vit_logits(p->M, image, B, a);
    vit_logits(p->N, image, B, b);
    for (long k = 0; k < B * CLASSES; k++) {
        gap = fmax(gap, fabs(a[k] - b[k]));
        top = fmax(top, fabs(a[k]));
    }
    return gap / top;
}

static void release(pair *p)
{
    vit_free(p->M);
    vit_free(p->N);
}

/* Claim B-10, in rows: (a Wq' + bq) . (a Wk' + bk) = (a (Wk' Wq)' + bq Wk) . a + what all keys have in common, and
 * A (a Wv' + bv) Wo' + bo = A (a (Wo Wv)' + Wo bv + bo).  With skips, norms and MLP: it happens inside one layer. */
START_TEST(one_head_collapses)
{
    vit_config from = tiny("unchanged"), to = tiny("collapsed-biases");
    from.norm = to.norm = (vit_norm)(_i / 2);
    from.token = to.token = _i & 1;
    pair p = converted(&from, &to);
    const long d = from.d;
    for (long i = 0; i < from.S; i++) {
        product(weight(p.N, "h.%ld.attn.q", i), weight(p.M, "h.%ld.attn.k", i), true, weight(p.M, "h.%ld.attn.q", i), false, d, d, d);
        product(weight(p.N, "h.%ld.attn.q.b", i), weight(p.M, "h.%ld.attn.q.b", i), false, weight(p.M, "h.%ld.attn.k", i), false, 1, d, d);
        product(weight(p.N, "h.%ld.attn.v", i), weight(p.M, "h.%ld.attn.o", i), false, weight(p.M, "h.%ld.attn.v", i), false, d, d, d);
        product(weight(p.N, "h.%ld.attn.v.b", i), weight(p.M, "h.%ld.attn.v.b", i), false, weight(p.M, "h.%ld.attn.o", i), true, 1, d, d);
        for (long c = 0; c < d; c++) weight(p.N, "h.%ld.attn.v.b", i)[c] += weight(p.M, "h.%ld.attn.o.b", i)[c];
    }
    ck_assert_double_le(gap_of(&p), 1e-10);
    for (long c = 0; c < d; c++) weight(p.N, "h.%ld.attn.q.b", 0)[c] = 0;  /* what the biases of Q leave is not dead */
    ck_assert_double_ge(gap_of(&p), 1e-4);
    release(&p);
}
END_TEST

/* W_qk alone, and with the values' matrices: the same, all biases 0. */
static void zero(vit *M, const char *fmt)
{
    for (long i = 0; i < 2; i++) memset(weight(M, fmt, i), 0, 8 * sizeof(double));
}
static void no_biases(vit *M)
{
    zero(M, "h.%ld.attn.q.b");
    zero(M, "h.%ld.attn.k.b");
    zero(M, "h.%ld.attn.v.b");
    zero(M, "h.%ld.attn.o.b");
}
static void identity(double *W, long d) { for (long k = 0; k < d * d; k++) W[k] = k % (d + 1) == 0; }

START_TEST(variants_are_special_cases)
{
    static const char *const names[] = { "wqk", "wqk-biases", "minimum", "symmetric", "symmetric-biases", "collapsed" };
    const vit_config from = tiny("unchanged"), to = tiny(names[_i]);
    pair p = converted(&from, &to);
    const long d = from.d;
    if (!to.query_bias && !to.value_bias) no_biases(p.M);
    if (!to.query_bias) zero(p.M, "h.%ld.attn.q.b");
    for (long i = 0; i < from.S; i++) {
        double *q = weight(p.M, "h.%ld.attn.q", i), *k = weight(p.M, "h.%ld.attn.k", i);
        if (to.key == VIT_INPUT)   identity(k, d);
        if (to.key == VIT_QUERY)   memcpy(k, q, (size_t)(d * d) * sizeof *k);
        if (to.value == VIT_INPUT) identity(weight(p.M, "h.%ld.attn.v", i), d);
        if (!to.output)            identity(weight(p.M, "h.%ld.attn.o", i), d);
    }
    ck_assert_msg(gap_of(&p) <= 1e-10, "%s: %g", names[_i], gap_of(&p));
    weight(p.M, "h.%ld.attn.q", 1)[3] += 0.5;                              /* and Q matters */
    ck_assert_double_ge(gap_of(&p), 1e-6);
    release(&p);
}
END_TEST

/* Claim B-12: without skips, norms, biases and MLP a stack of one-head layers needs (S + 1) N^2 weights: with P_s the
 * product of the first s value matrices (in rows), scores of layer s by P_{s-1} M_s P_{s-1}', values only at the end,
 * where the head takes them in. */
START_TEST(values_move_to_the_end)
{
    vit_config from = tiny("unchanged"), to = tiny("minimum");
    from.S = to.S = 2;
    from.m = to.m = 0;
    from.norm = to.norm = VIT_BARE;
    from.skip = to.skip = _i;                                              /* with skips it fails */
    pair p = converted(&from, &to);
    enum { D = 8 };
    no_biases(p.M);
    double before[D * D], layer[D * D], next[D * D], score[D * D];         /* before = P_s', out x in */
    identity(before, D);
    for (long i = 0; i < 2; i++) {
        product(score, weight(p.M, "h.%ld.attn.k", i), true, weight(p.M, "h.%ld.attn.q", i), false, D, D, D);
        product(next, before, true, score, false, D, D, D);
        product(weight(p.N, "h.%ld.attn.q", i), next, false, before, false, D, D, D);
        product(layer, weight(p.M, "h.%ld.attn.o", i), false, weight(p.M, "h.%ld.attn.v", i), false, D, D, D);
        product(next, layer, false, before, false, D, D, D);
        memcpy(before, next, sizeof before);
    }
    product(weight(p.N, "head.w", 0), weight(p.M, "head.w", 0), false, before, false, CLASSES, D, D);
    if (from.skip) ck_assert_double_ge(gap_of(&p), 1e-3);
    else           ck_assert_double_le(gap_of(&p), 1e-10);
    release(&p);
}
END_TEST

/* ---- learning -------------------------------------------------------------------------------------------- */

START_TEST(overfits_one_batch)
{
    const vit_config c = chosen(_i);
    const ops *o = ops_cpu_f32();
    vit *M = vit_create(&c, o, B, 5);
    const size_t n = vit_net(M)->table.size;
    void *m = alloc_wide(o, n), *v = alloc_wide(o, n);
    unsigned char image[B * PIXELS];
    int32_t label[B];
    double loss[B], right[B], first = 0, last = 0;
    sample(image, label);
    adamw_step s = { .lr = 1e-2, .beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8, .gradient = 1 };
    for (int t = 1; t <= 300; t++) {
        o->zero(vit_net(M)->g, n);
        last = vit_loss(M, image, label, B, loss, right, 1.0 / B);
        if (t == 1) first = last;
        s.bias1 = 1 - pow(s.beta1, t);
        s.bias2 = 1 - pow(s.beta2, t);
        o->adamw(vit_net(M)->w, m, v, vit_net(M)->g, n, &s);
        net_refresh(vit_net(M));
    }
    ck_assert_msg(first > 1 && last < 0.05, "case %d: from %g to %g", _i, first, last);
    ck_assert(right[0] == 1 && right[1] == 1 && right[2] == 1);
    o->release(m);
    o->release(v);
    vit_free(M);
}
END_TEST

START_TEST(bad_configurations)
{
    vit_config c[12];
    static const char *const says[12] = { "encoders", "divide", "too large", "side", "channels", "one head", "one head", "of their own",
                                          "input's", "no bias", "no bias", "goes with" };
    for (int k = 0; k < 12; k++) c[k] = tiny("unchanged");
    c[0].S = 0;
    c[1].h = 3;
    c[2].m = -1;
    c[3].patch = 4;
    c[4].classes = 1;
    c[5].h = 2; c[5].key = VIT_INPUT;
    c[6].h = 2; c[6].output = false;
    c[7].key = VIT_QUERY;
    c[8].value = VIT_QUERY;
    c[9].value = VIT_INPUT;
    c[10].value = VIT_INPUT; c[10].value_bias = false; c[10].key = VIT_INPUT;
    c[11].output = false;
    for (int k = 0; k < 12; k++) {
        const char *why = vit_config_check(&c[k]);
        ck_assert_msg(why && strstr(why, says[k]), "case %d: %s", k, why ? why : "accepted");
    }
    for (int k = 0; k < CASES; k++) {
        const vit_config good = chosen(k);
        ck_assert_ptr_null(vit_config_check(&good));
    }
    ck_assert(!vit_variant(&c[0], "no such variant"));
    ck_assert_ptr_null(vit_variants[KINDS]);
}
END_TEST

/* Every image of a set is scored, the last one in a batch of its own, too. */
START_TEST(each_image_is_scored)
{
    enum { MOST = 7 };
    const uint64_t key[2] = { 41, 42 };
    unsigned char pixel[MOST * PIXELS];
    unsigned char label[MOST];
    for (long i = 0; i < MOST * PIXELS; i++) pixel[i] = (unsigned char)random_below(key, (uint64_t)i, 256);
    for (long i = 0; i < MOST; i++) label[i] = (unsigned char)(i % CLASSES);
    const vit_config c = tiny("unchanged");
    vit *M = vit_create(&c, ops_cpu_f64(), B, 5);
    shake(M);
    for (long n = 1; n <= MOST; n++)
        for (long batch = 1; batch <= B; batch++) {
            const images x = { .pixel = pixel, .label = label, .n = n, .side = SIDE, .channels = CHANNELS,
                .classes = CLASSES };
            double mean = 0, right = 0;
            for (long i = 0; i < n; i++) {
                double loss, top1;
                const int32_t of = label[i];
                (void)vit_loss(M, pixel + i * PIXELS, &of, 1, &loss, &top1, 0);
                mean += loss / (double)n;
                right += top1 / (double)n;
            }
            const vit_score is = vit_evaluate(M, &x, batch);
            ck_assert_msg(fabs(is.loss / mean - 1) < 1e-12, "%ld images, %ld at a time: %g", n, batch, is.loss);
            ck_assert_double_eq_tol(is.accuracy, right, 1e-12);
        }
    vit_free(M);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("vit");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, directional_derivative, 0, 3 * CASES);
    tcase_add_loop_test(all, no_weight_is_forgotten, 0, CASES);
    tcase_add_loop_test(all, float_agrees_with_double, 0, CASES);
    tcase_add_loop_test(all, biases_within_products, 0, CASES);
    tcase_add_loop_test(all, batches_are_independent, 0, CASES);
    tcase_add_test(all, patches);
    tcase_add_loop_test(all, order_of_patches, 0, 4);
    tcase_add_loop_test(all, positions_and_the_class_token, 0, 2);
    tcase_add_test(all, what_decays);
    tcase_add_test(all, counts_of_the_audit);
    tcase_add_loop_test(all, printed_counts, 0, COUNT(printed));
    tcase_add_test(all, configurations_as_text);
    tcase_add_test(all, operations_per_image);
    tcase_add_test(all, initial_values);
    tcase_add_loop_test(all, one_head_collapses, 0, 6);
    tcase_add_loop_test(all, variants_are_special_cases, 0, 6);
    tcase_add_loop_test(all, values_move_to_the_end, 0, 2);
    tcase_add_loop_test(all, overfits_one_batch, 0, CASES);
    tcase_add_test(all, bad_configurations);
    tcase_add_test(all, each_image_is_scored);
    return run_suite(suite, argc, argv);
}
