/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_tally.c - operations that count (src/train/tally.h) and what is printed of them; what is usual on a GPU. */
#include <math.h>
#include <string.h>
#include "src/train/estimate.h"
#include "src/train/train.h"
#include "src/train/train_basis.h"
#include "src/train/train_vit.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static train_config gpt_124m(void)
{
    train_config c = { .model = gpt_default(), .optim = { .peak = 1e-3, .steps = 10, .beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8,
                       .decay = 0.1, .clip = 1 }, .batch = 480, .micro = 60, .eval_every = 5, .save_every = 5, .out = "-" };
    c.model.pad = 8;
    return c;
}
static train_config small(long L, long d, long T, long batch)
{
    train_config c = gpt_124m();
    c.model.L = L;
    c.model.d = d;
    c.model.m = 4 * d;
    c.model.h = 4;
    c.model.T = T;
    c.model.V = 500;
    c.batch = c.micro = batch;
    return c;
}
static tally count(const train_config *c, const char *name, gpu_precision p)
{
    return train_gpt_tally(c, tally_ops(gpu_find(name), p));
}

static void near(double a, double b) { ck_assert_msg(fabs(a - b) <= 1e-12 * fabs(b), "%.17g, expected %.17g", a, b); }

/* Products as in the closed formulas by which runs are priced; attention has T (T + 1) / 2 pairs, the formula T T / 2. */
START_TEST(products_are_those_of_the_formulas)
{
    for (int reduced = 0; reduced < 2; reduced++) {
        train_config c = gpt_124m();
        c.model.identity[GPT_QUERY] = reduced;
        const gpt_config *m = &c.model;
        const double units = (double)(c.batch * m->T), attention = 6 * (double)(m->L * m->d);
        const tally t = count(&c, "h200", GPU_BF16);
        near(t.of[TALLY_PRODUCTS].flops, units * (gpt_flops(m) - attention * (double)m->T));
        near(t.of[TALLY_ATTENTION].flops, units * attention * (double)(m->T + 1));
    }
    basis_config b = basis_default(256);
    b.out = "-";
    const tally t = train_basis_tally(&b, tally_ops(gpu_find("a100"), GPU_TF32));
    near(t.of[TALLY_PRODUCTS].flops, (double)b.batch * basis_flops(&b.model));
}
END_TEST

/* By hand: one product, norms, a clipped update of n numbers. */
START_TEST(bytes_by_hand)
{
    const ops *o = tally_ops(gpu_find("h100"), GPU_BF16);
    o->gemm(false, true, 30, 20, 10, 1, NULL, 10, NULL, 10, 1, NULL, NULL, 20, WIDE);
    o->norm_fwd(NULL, NULL, NULL, NULL, NULL, NULL, 100, 8, 1e-5);
    float gain;
    o->norm_bwd(NULL, NULL, &gain, NULL, NULL, NULL, NULL, NULL, NULL, 100, 8);
    o->cast_to_act(NULL, NULL, 1000);
    o->adamw(NULL, NULL, NULL, NULL, 1000, NULL);
    tally t = tally_now();
    near(t.of[TALLY_PRODUCTS].flops, 12000);
    near(t.of[TALLY_PRODUCTS].bytes, 2 * (30 * 10 + 20 * 10) + 2 * 4 * 30 * 20);
    near(t.of[TALLY_NORM].bytes, 800 * (4 + 2) + 800 * (2 + 4 + 8));
    near(t.of[TALLY_COPIES].bytes, 1000 * (4 + 2));
    near(t.of[TALLY_OPTIMIZER].bytes, 28 * 1000);
    ck_assert_int_eq(t.total.launches, 1 + 1 + 2 + 1 + 1);
    tally_clear();
    o->norm_bwd(NULL, &gain, &gain, &gain, NULL, NULL, NULL, NULL, NULL, 10, 2000);    /* narrowed; too wide for one pass */
    t = tally_now();
    near(t.of[TALLY_NORM].bytes, 20000 * (2 + 4 + 8 + 2) + 20000 * (2 + 4));
    ck_assert_int_eq(t.total.launches, 3);
    tally_clear();
    t = tally_now();
    ck_assert_int_eq(t.total.launches, 0);
    ck_assert(t.total.seconds == 0);
}
END_TEST

/* The gradient of the stream is narrowed where it is made: five norms of 64 x 8 rows, four of which are followed by products.
 * Without norms it takes an addition and a copy: the stream is zeroed, and with it a step's gradients of the weights. */
START_TEST(the_streams_gradient_is_narrowed_once)
{
    train_config c = small(2, 128, 64, 8);
    const double n = 64 * 8 * 128;
    tally t = count(&c, "h200", GPU_BF16);
    near(t.of[TALLY_NORM].bytes, 5 * n * (4 + 2) + 5 * n * (3 * 4 + 2) + 4 * n * 2);
    const long with_norms = t.of[TALLY_COPIES].launches;
    c.model.norm = false;
    t = count(&c, "h200", GPU_BF16);
    ck_assert_int_eq(t.of[TALLY_COPIES].launches, with_norms + 5 + 5 + 4);
}
END_TEST

/* A step of one batch that memory does not bound takes the time of its products. */
START_TEST(time_is_that_of_the_scarcest)
{
    const gpu_model *g = gpu_find("h100");
    const ops *o = tally_ops(g, GPU_BF16);
    const long n = 128 * g->units;                                           /* 128 x 128 tiles fill it without a rest */
    o->gemm(false, true, n, 128, 128, 1, NULL, 128, NULL, 128, 0, NULL, NULL, 128, ACT);
    const double bytes = 2.0 * (double)(n * 128 + 128 * 128 + n * 128);
    near(tally_now().of[TALLY_PRODUCTS].seconds, bytes / (3.35e12 * GPU_BANDWIDTH));
    tally_clear();
    o->gemm(false, true, n, 128, 1 << 20, 1, NULL, 1 << 20, NULL, 1 << 20, 0, NULL, NULL, 128, ACT);
    const double flops = 2.0 * (double)n * 128 * (1 << 20);
    ck_assert(tally_now().of[TALLY_PRODUCTS].seconds > 0.999 * (2.0 * (double)n * (1 << 20)) / (3.35e12 * GPU_BANDWIDTH));
    ck_assert(tally_now().of[TALLY_PRODUCTS].floor >= flops / (989.4e12 * GPU_PRODUCTS));
    tally_clear();
    o->gemm(false, true, 8 * n, 8192, 8192, 1, NULL, 8192, NULL, 8192, 0, NULL, NULL, 8192, ACT);
    near(tally_now().of[TALLY_PRODUCTS].seconds, 2.0 * 8 * (double)n * 8192 * 8192 / (989.4e12 * GPU_PRODUCTS));
    tally_clear();                                    /* eight rounds of tiles, and one with 8 of 132: K is too short to cut */
    o->gemm(false, true, n + 128, 1024, 1023, 1, NULL, 1023, NULL, 1023, 0, NULL, NULL, 1024, ACT);
    near(tally_now().of[TALLY_PRODUCTS].seconds,
         2.0 * (double)(n + 128) * 1024 * 1023 / (989.4e12 * GPU_PRODUCTS) * (9 * 132) / (133 * 8));
    tally_clear();
    o->randn(NULL, 1 << 20, NULL, 0);
    near(tally_now().of[TALLY_RANDOM].seconds, (1 << 20) * tally_instructions[INSTR_RANDOM] / (66.9e12 / 2));
    near(tally_now().of[TALLY_LAUNCHES].seconds, GPU_NODE);
}
END_TEST

START_TEST(more_takes_longer)
{
    const train_config base = small(2, 128, 64, 8), more[] = { small(3, 128, 64, 8), small(2, 256, 64, 8),
        small(2, 128, 128, 8), small(2, 128, 64, 16) };
    for (gpu_precision p = GPU_FP32; p < GPU_PRECISIONS; p++)
        for (const gpu_model *g = gpus; g->name; g++) {
            const tally t = count(&base, g->name, p);
            for (int k = 0; k < TALLY_KINDS; k++)
                ck_assert_msg(t.of[k].floor <= t.of[k].seconds * (1 + 1e-12), "%s %s: %g beyond %g", g->name, tally_name[k],
                              t.of[k].floor, t.of[k].seconds);
            for (size_t k = 0; k < COUNT(more); k++) {
                const tally m = count(&more[k], g->name, p);
                ck_assert(m.total.flops > t.total.flops && m.total.bytes > t.total.bytes);
                ck_assert(m.total.seconds > t.total.seconds && m.memory > t.memory);
            }
        }
    const train_config c = gpt_124m();
    ck_assert(count(&c, "h200", GPU_BF16).total.seconds < count(&c, "h100", GPU_BF16).total.seconds);
    ck_assert(count(&c, "h100", GPU_BF16).total.seconds < count(&c, "a100", GPU_BF16).total.seconds);
    ck_assert(count(&c, "h100", GPU_BF16).total.seconds < count(&c, "h100", GPU_TF32).total.seconds);
    ck_assert(count(&c, "h100", GPU_TF32).total.seconds < count(&c, "h100", GPU_FP32).total.seconds);
}
END_TEST

START_TEST(a_vision_step_is_counted)
{
    vit_training c = vit_training_default();
    ck_assert(vit_row(&c.model, "mnist_6_1_mlp_full"));
    c.model.patch = 7;
    c.out = "-";
    const ops *o = tally_ops(gpu_find("h100"), GPU_FP32);
    c.micro = vit_micro(&c, o);
    ck_assert_int_eq(c.micro, c.batch);
    ck_assert_int_eq(vit_micro(&c, ops_cpu_f32()), 64);
    const tally whole = train_vit_tally(&c, o);
    c.micro = 64;
    const tally pieces = train_vit_tally(&c, tally_ops(gpu_find("h100"), GPU_FP32));
    ck_assert(pieces.total.launches > 3 * whole.total.launches && pieces.total.seconds > 2 * whole.total.seconds);
    near(pieces.of[TALLY_PRODUCTS].flops, whole.of[TALLY_PRODUCTS].flops);
    const double formula = 3 * (double)c.batch * vit_operations(&c.model);
    ck_assert(0.9 * formula < whole.total.flops && whole.total.flops < 1.1 * formula);
}
END_TEST

static long narrowed;
static void counted_cast(void *to, const void *from, size_t n)
{
    (void)to; (void)from; (void)n;
    narrowed++;
}
/* The norms' gradients narrow the stream's, which is narrowed apart only where it begins; so are the weights, twice: when they
 * are drawn and after the update.  A sublayer without a norm before it narrows on its way forward and back. */
START_TEST(a_vision_streams_gradient_is_narrowed_once)
{
    vit_training c = vit_training_default();
    ck_assert(vit_row(&c.model, "mnist_6_1_mlp_full"));
    c.model.patch = 7;
    c.out = "-";
    c.micro = c.batch;
    for (int post = 0; post < 2; post++) {
        ops o = *tally_ops(gpu_find("h100"), GPU_BF16);
        o.cast_to_act = counted_cast;
        c.model.norm = post ? VIT_POST : VIT_PRE;
        narrowed = 0;
        train_vit_tally(&c, &o);
        ck_assert_int_eq(narrowed, 1 + 2 + (post ? 2 * 2 * c.model.S : 0));
    }
}
END_TEST

/* Within products biases are read and nothing more: q, k, v, o and two of the MLP in each layer, and the head's. */
START_TEST(a_vision_steps_biases_are_within_products)
{
    for (int p = 0; p < 2; p++) {
        vit_training c = vit_training_default();
        ck_assert(vit_row(&c.model, "mnist_6_1_mlp_full"));
        c.model.patch = 7;
        c.out = "-";
        c.micro = c.batch;
        const gpu_precision precision = p ? GPU_BF16 : GPU_FP32;
        const tally within = train_vit_tally(&c, tally_ops(gpu_find("h100"), precision));
        ops o = *tally_ops(gpu_find("h100"), precision);
        o.linear_fwd = NULL;
        const tally apart = train_vit_tally(&c, &o);
        const long layers = 6 * c.model.S + 1, numbers = c.model.S * (5 * c.model.d + c.model.m) + c.model.classes;
        ck_assert_int_eq(apart.of[TALLY_BIAS].launches - within.of[TALLY_BIAS].launches, layers);
        ck_assert_int_eq(apart.total.launches - within.total.launches, layers);
        near(within.of[TALLY_PRODUCTS].bytes - apart.of[TALLY_PRODUCTS].bytes, (double)numbers * (p ? 2 : 4));
        near(within.of[TALLY_PRODUCTS].flops, apart.of[TALLY_PRODUCTS].flops);
        ck_assert(within.total.seconds < apart.total.seconds);
    }
}
END_TEST

/* ---- what is usual ----------------------------------------------------------------------------------------- */

START_TEST(memory_is_what_is_allocated)
{
    train_config c = gpt_124m();
    const ops *o = tally_ops(gpu_find("h200"), GPU_BF16);
    const double room = (double)gpt_room(&c.model, o, c.micro);
    const double taken = (double)train_gpt_tally(&c, o).memory;
    ck_assert_msg(room <= taken && taken < room + 8 * 512, "%.0f bytes of %.0f", room, taken);
}
END_TEST

START_TEST(micro_batches_fill_the_memory)
{
    train_config c = gpt_124m();
    c.micro = 0;
    ck_assert_int_eq(train_micro(&c, ops_cpu_f32()), 16);               /* 16,384 tokens */
    ck_assert_int_eq(train_micro(&c, tally_ops(gpu_find("h200"), GPU_BF16)), 60);     /* 61,440 of 65,536 */
    const ops *o = tally_ops(gpu_find("4090"), GPU_BF16);
    const long micro = train_micro(&c, o);
    long next = micro + 1;
    while (c.batch % next) next++;
    ck_assert_msg(1 < micro && micro < 60 && c.batch % micro == 0, "%ld", micro);
    const double room = 0.85 * 24e9;
    ck_assert((double)gpt_room(&c.model, o, micro) <= room && (double)gpt_room(&c.model, o, next) > room);
    c.batch = 7;
    ck_assert_int_eq(train_micro(&c, ops_cpu_f32()), 7);
    c.model.T = 4096;
    ck_assert_int_eq(train_micro(&c, ops_cpu_f32()), 1);
}
END_TEST

/* ---- the commands ------------------------------------------------------------------------------------------ */

static char said[1 << 15];
static int run(const char *options)
{
    return run_command(said, sizeof said, "%s/provably %s", build_folder(), options);
}

START_TEST(what_is_printed)
{
    ck_assert_int_eq(run("train --estimate --gpu=4090 --layers=2 --batch=24"), 0);
    ck_assert(strstr(said, "Nothing was measured") && strstr(said, "GeForce RTX 4090, 24 GB; cuda-bf16; 24 of 24 sequences"));
    ck_assert(strstr(said, "\nproducts ") && strstr(said, "\na step ") && strstr(said, "tokens/s, at the floor"));
    ck_assert(!strstr(said, "DOES NOT FIT"));
    ck_assert_int_eq(run("train --estimate --gpu=4090 --batch=4096 --micro=4096 --window=1024 --width=1024"), 0);
    ck_assert(strstr(said, "DOES NOT FIT"));
    ck_assert_int_eq(run("train-vision --row=mnist_6_1_no_min --estimate --gpu=h100"), 0);
    ck_assert(strstr(said, "cuda-fp32; 256 of 256 images at a time"));
    ck_assert_int_eq(run("basis-transfer --width=512 --estimate=csv --gpu=all"), 0);
    ck_assert(strstr(said, ",estimate,") && strstr(said, "date,status,commit,gpu,") == said && strstr(said, ",b200,cuda-bf16,65536 of 65536 samples at a time,step,"));
}
END_TEST

START_TEST(bad_input)
{
    static const struct { const char *options, *says; } all[] = {
        { "train --estimate", "--estimate needs --gpu=NAME, one of h100, h200, a100, 4090, b200 or all" },
        { "train --estimate --gpu=v100", "or all, not `v100`" }, { "train --gpu=h100", "give both, or neither" },
        { "train --estimate --gpu=h100 --backend=cpu", "--backend takes cuda, cuda-tf32 or cuda-bf16 with it" },
        { "train --estimate=xml --gpu=h100", "--estimate" }, { "train --estimate --gpu=h100 --micro=5", "must divide" },
        { "train-vision --estimate --gpu=h100 --width=61 --heads=2", "heads" },
        { "basis-transfer --estimate --gpu=h100 --width=61", "multiple of 4" } };
    for (size_t k = 0; k < COUNT(all); k++) {
        ck_assert_msg(run(all[k].options) == 2, "%s: %s", all[k].options, said);
        ck_assert_msg(strstr(said, all[k].says), "%s: %s", all[k].options, said);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("tally");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 120);
    tcase_add_test(all, products_are_those_of_the_formulas);
    tcase_add_test(all, bytes_by_hand);
    tcase_add_test(all, the_streams_gradient_is_narrowed_once);
    tcase_add_test(all, time_is_that_of_the_scarcest);
    tcase_add_test(all, more_takes_longer);
    tcase_add_test(all, a_vision_step_is_counted);
    tcase_add_test(all, a_vision_streams_gradient_is_narrowed_once);
    tcase_add_test(all, a_vision_steps_biases_are_within_products);
    tcase_add_test(all, memory_is_what_is_allocated);
    tcase_add_test(all, micro_batches_fill_the_memory);
    tcase_add_test(all, what_is_printed);
    tcase_add_test(all, bad_input);
    return run_suite(suite, argc, argv);
}
