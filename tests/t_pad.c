/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_pad.c - heads apart in memory: the padded model is the same model, and the padding stays zero. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/train/checkpoint_net.h"
#include "src/train/gpt.h"
#include "src/train/optim.h"
#include "src/train/train.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { B = 2, T = 6, V = 13, STEPS = 20 };

/* Heads of 5 and of 6 numbers; a second model without norms and skips; some whose heads fit as they are. */
enum { VARIANTS = 7 };
static gpt_config variant(int k)
{
    gpt_config c = { .L = 2, .d = 15, .h = 3, .m = 20, .T = T, .V = V, .factor = 1, .tied = true, .norm = true,
                     .attn_skip = true, .mlp_skip = true, .init_std = 0.3, .pad = 8 };
    switch (k) {
    case 1: c.pad = 16; c.factor = 0.5; c.tied = false; break;
    case 2: c.d = 12; c.h = 2; c.pad = 64; c.norm = false; c.attn_skip = false; break;
    case 3: c.d = 16; c.h = 2; break;
    case 4: c.identity[GPT_QUERY] = true; c.d = 16; c.h = 2; break;
    case 5: c.identity[GPT_KEY] = true; c.d = 16; c.h = 2; break;
    case 6: c.identity[GPT_QUERY] = c.identity[GPT_VALUE] = true; c.d = 32; c.h = 2; break;
    default: break;
    }
    return c;
}

static void sample(int32_t *token, int32_t *target, uint64_t step)
{
    const uint64_t key[2] = { 21, step };
    for (uint64_t i = 0; i < B * T; i++) {
        token [i] = (int32_t)random_below(key, 2 * i, V);
        target[i] = (int32_t)random_below(key, 2 * i + 1, V);
    }
}

static void train(gpt *M, const ops *o, double losses[STEPS])
{
    const optim_config r = { .peak = 3e-3, .least = 3e-4, .warmup = 3, .steps = STEPS, .beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8,
                             .decay = 0.1, .clip = 0.5 };
    optim s = optim_create(&gpt_net(M)->table, o);
    for (long step = 0; step < STEPS; step++) {
        int32_t token[B * T], target[B * T];
        double loss[B * T];
        sample(token, target, (uint64_t)step);
        o->zero(gpt_net(M)->g, gpt_net(M)->table.size);
        losses[step] = gpt_loss(M, token, target, B, loss, 1.0 / (B * T));
        optim_update(&s, &r, &gpt_net(M)->table, o, gpt_net(M)->w, gpt_net(M)->g);
        net_refresh(gpt_net(M));
    }
    optim_free(&s, o);
}

/* Largest difference of the weights by their logical shape. */
static double apart(gpt *M, gpt *P, const ops *o)
{
    double most = 0;
    ck_assert_int_eq(gpt_net(M)->table.n, gpt_net(P)->table.n);
    for (long k = 0; k < gpt_net(M)->table.n; k++) {
        const param *p = &gpt_net(M)->table.list[k], *q = &gpt_net(P)->table.list[k];
        ck_assert_str_eq(p->name, q->name);
        ck_assert(p->rows == q->rows && p->cols == q->cols && p->decay == q->decay);
        const size_t n = (size_t)(p->rows * p->cols);
        double *x = must_calloc(n, sizeof *x), *y = must_calloc(n, sizeof *y);
        params_get(p, o, gpt_net(M)->w, x);
        params_get(q, o, gpt_net(P)->w, y);
        for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i] - y[i]));
        free(x);
        free(y);
    }
    return most;
}

/* All numbers in memory between the heads are zero; returns how many there are. */
static size_t between(gpt *M, const void *flat, const ops *o)
{
    const param_table *t = &gpt_net(M)->table;
    double *all = must_calloc(t->size, sizeof *all);
    size_t zeros = 0;
    o->get(all, flat, t->size);
    for (long k = 0; k < t->n; k++) {
        const param *p = &t->list[k];
        const char *what = strstr(p->name, ".attn.");
        if (!what) continue;
        const bool o_matrix = what[6] == 'o';
        const heads_pitch h = o_matrix ? p->col : p->row;
        const long number = (o_matrix ? p->cols : p->rows) / h.group, wide = number * h.pitch, other = o_matrix ? p->rows : p->cols;
        for (long a = 0; a < wide; a++)
            for (long c = 0; c < other && a % h.pitch >= h.group; c++, zeros++)
                ck_assert_msg(all[p->at + (size_t)(o_matrix ? c * wide + a : a * other + c)] == 0, "%s", p->name);
    }
    free(all);
    return zeros;
}

static size_t zeros_of(const gpt_config *c)                                 /* (3 + 1) matrices a block */
{
    const long D = c->d / c->h, P = (D + c->pad - 1) / c->pad * c->pad;
    return (size_t)((4 - gpt_identities(c)) * c->L * c->h * (P - D) * c->d);
}

static void same_model(gpt_config c, const ops *o, double accepted)
{
    gpt *P = gpt_create(&c, o, B, 5);
    const size_t zeros = zeros_of(&c);
    c.pad = 1;
    gpt *M = gpt_create(&c, o, B, 5);
    ck_assert_uint_eq(gpt_net(P)->table.size, gpt_net(M)->table.size + zeros);
    ck_assert_uint_eq(params_count(&gpt_net(P)->table), gpt_net(M)->table.size);
    ck_assert_uint_eq(params_count(&gpt_net(M)->table), gpt_net(M)->table.size);
    ck_assert(apart(M, P, o) == 0);
    double plain[STEPS], padded[STEPS];
    train(M, o, plain);
    train(P, o, padded);
    for (int k = 0; k < STEPS; k++)
        ck_assert_msg(fabs(plain[k] - padded[k]) <= accepted, "step %d: %.15g and %.15g", k, plain[k], padded[k]);
    ck_assert(plain[0] != plain[STEPS - 1]);
    ck_assert_double_le(apart(M, P, o), 10 * accepted);
    ck_assert_uint_eq(between(P, gpt_net(P)->w, o), zeros);
    ck_assert_uint_eq(between(P, gpt_net(P)->g, o), zeros);
    gpt_free(M);
    gpt_free(P);
}

START_TEST(padded_is_the_same_model_in_double) { same_model(variant(_i), ops_cpu_f64(), 1e-12); }
END_TEST

START_TEST(padded_is_the_same_model_in_float) { same_model(variant(_i), ops_cpu_f32(), 1e-5); }
END_TEST

/* Checkpoints have the logical shape: a padded run's model is loaded as it is, and a plain run resumes padded. */
START_TEST(checkpoints_know_no_padding)
{
    char *folder = temp_folder();
    tokens all = tokens_synthetic(3, 600);
    train_config r = { .model = variant(0), .optim = { .peak = 1e-2, .least = 1e-3, .steps = 6, .beta1 = 0.9, .beta2 = 0.95,
                       .eps = 1e-8, .decay = 0.1, .clip = 1 }, .batch = 2, .micro = 2, .eval_every = 6, .save_every = 3,
                       .seed = 1, .data_seed = 2, .out = folder, .quiet = true };
    r.model.V = 256;
    const run_result padded = train_gpt(&r, ops_cpu_f32(), &all, &all);
    gpt_config c;
    gpt *M = train_load(folder, ops_cpu_f32(), 2, &c);
    ck_assert(c.pad == 1 && gpt_net(M)->table.size == params_count(&gpt_net(M)->table));
    ck_assert_double_le(fabs(gpt_evaluate(M, &all, T, 2, NULL) - padded.metric[0]), 1e-5);
    gpt *P = gpt_create(&r.model, ops_cpu_f32(), 2, 99);
    char *path = temp_path(folder, "last.ckpt");
    checkpoint_file f = checkpoint_open(path);
    net_restore(&f, &gpt_net(P)->table, ops_cpu_f32(), 1, (net_array[]){ { "", gpt_net(P)->w } });
    ck_assert(apart(M, P, ops_cpu_f32()) == 0);
    ck_assert_uint_eq(between(P, gpt_net(P)->w, ops_cpu_f32()), zeros_of(&r.model));
    checkpoint_close(&f);
    gpt_free(P);
    gpt_free(M);
    r.model.pad = 64;
    const run_result again = train_gpt(&r, ops_cpu_f32(), &all, &all);          /* finished: what the folder says */
    ck_assert(again.finished && again.metric[0] == padded.metric[0]);
    tokens_free(&all);
}
END_TEST

/* Row 1 of head 1 of a 4 x 3 matrix with heads of 2 rows at pitch 5 is row 6 in memory. */
START_TEST(places_in_memory)
{
    const ops *o = ops_cpu_f64();
    param_table t = { NULL, 0, 0 };
    const heads_pitch rows = { 2, 5 }, cols = { 1, 3 }, one = { 1, 1 };
    params_add(&t, "before", 1, 7, false, INIT_ONE, 0);
    ck_assert_uint_eq(params_add_heads(&t, "rows", 4, 3, rows, one, true, INIT_ZERO, 0), 7);
    ck_assert_uint_eq(params_add_heads(&t, "cols", 2, 2, one, cols, true, INIT_ZERO, 0), 7 + 10 * 3);
    ck_assert_uint_eq(t.size, 7 + 10 * 3 + 2 * 6);
    double *flat = o->alloc(t.size * sizeof *flat), x[12], y[12];
    for (size_t i = 0; i < t.size; i++) flat[i] = 100;
    for (int i = 0; i < 12; i++) x[i] = i + 1;
    params_put(params_find(&t, "rows"), o, flat, x);
    params_put(params_find(&t, "cols"), o, flat, x);
    ck_assert(flat[6] == 100);
    ck_assert(flat[7 + 3 * 6 + 2] == x[3 * 3 + 2] && flat[7 + 3 * 2] == 0 && flat[7 + 3 * 9 + 2] == 0);
    ck_assert(flat[37] == 1 && flat[38] == 0 && flat[40] == 2 && flat[43] == 3 && flat[46] == 4 && flat[48] == 0);
    params_get(params_find(&t, "rows"), o, flat, y);
    ck_assert_int_eq(memcmp(x, y, sizeof x), 0);
    params_get(params_find(&t, "cols"), o, flat, y);
    ck_assert_int_eq(memcmp(x, y, 4 * sizeof *x), 0);
    double *parts = o->alloc(t.size * sizeof *parts);
    for (size_t i = 0; i < t.size; i++) parts[i] = 100;
    for (long from = 0; from < 2; from++) {                                /* one row and three, across the two heads */
        params_put_rows(params_find(&t, "rows"), o, parts, from, from ? 3 : 1, x + 3 * from);
        params_get_rows(params_find(&t, "rows"), o, flat, from, from ? 3 : 1, y + 3 * from);
    }
    ck_assert_int_eq(memcmp(parts, flat, (7 + 10 * 3) * sizeof *flat), 0);
    ck_assert_int_eq(memcmp(x, y, sizeof x), 0);
    o->release(parts);
    o->release(flat);
    params_free(&t);
}
END_TEST

START_TEST(refused)
{
    gpt_config c = variant(0);
    for (int k = 0; k < GPT_PROJECTIONS; k++) {
        c = variant(0);
        c.identity[k] = true;
        ck_assert_ptr_nonnull(strstr(gpt_config_check(&c), "cannot be padded"));
        c.d = 24;
        ck_assert_ptr_null(gpt_config_check(&c));                           /* heads of 8 need no zeros */
    }
    c = variant(0);
    c.pad = -1;
    ck_assert_ptr_nonnull(strstr(gpt_config_check(&c), "multiple"));
    c.pad = 1025;
    ck_assert_ptr_nonnull(strstr(gpt_config_check(&c), "multiple"));
}
END_TEST

static void uneven(void *with)
{
    const heads_pitch *h = with;
    param_table t = { NULL, 0, 0 };
    contract_set_handler(contract_exits);
    params_add_heads(&t, "x", 6, 6, h[0], h[1], true, INIT_ZERO, 0);
}

START_TEST(groups_divide)
{
    static const heads_pitch bad[][2] = { { { 4, 8 }, { 1, 1 } }, { { 1, 1 }, { 4, 8 } }, { { 3, 2 }, { 1, 1 } },
                                          { { 1, 1 }, { 0, 2 } } };
    char output[512];
    ck_assert_int_eq(run_child(uneven, (void *)(uintptr_t)bad[_i], output, sizeof output), CONTRACT_STATUS);
    ck_assert_ptr_nonnull(strstr(output, "in groups of"));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("pad");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, padded_is_the_same_model_in_double, 0, VARIANTS);
    tcase_add_loop_test(all, padded_is_the_same_model_in_float, 0, VARIANTS);
    tcase_add_test(all, checkpoints_know_no_padding);
    tcase_add_test(all, places_in_memory);
    tcase_add_test(all, refused);
    tcase_add_loop_test(all, groups_divide, 0, 4);
    return run_suite(suite, argc, argv);
}
