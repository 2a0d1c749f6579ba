/* SPDX-License-Identifier: GPL-3.0-or-later
 * attention.c - the kernels of attention as nvcc compiles them, run by the interpreter, against plain loops in double: odd
 * shapes, strides and head sizes, masks, outputs that are poisoned or added to, every access inside its buffer, no race, the
 * same bits in every order of threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/attn_flash.h"
#include "tests/ptx/launch.h"
#include "tests/ptx/memory.h"
#include "tests/ptx/reference.h"
#include "tests/ptx/tensor.h"
#include "tests/support/suite.h"

static heads in(const tensor *t) { return (heads){ t->p, t->row, t->head }; }
static heads_out out(const tensor *t, bool add) { return (heads_out){ t->p, t->row, t->head, add }; }

/* |x - y| / |y|, with room for a y that is all but 0. */
static double distance(const double *x, const double *y, size_t n)
{
    double d = 0, size = 1e-30;
    for (size_t i = 0; i < n; i++) {
        d += (x[i] - y[i]) * (x[i] - y[i]);
        size += y[i] * y[i];
    }
    return sqrt(d / size);
}

/* ---- one case ---------------------------------------------------------------------------------------------- */

static double worst_O, worst_lse, worst_gradient;     /* over all cases; printed when the tests are verbose */

/* Rounding to bf16 has a relative error of at most 2^-9 = 2e-3 a number; P, dS and the result are rounded. */
static const double LIMIT_O = 3e-3, LIMIT_LSE = 2e-6, LIMIT_GRADIENT = 4e-3;

typedef struct { tensor Q, K, V, dO, O, dQ, dK, dV; float *lse; void *work; } operands;

static void name_buffers(const attn_shape *s, const operands *x)
{
    ptx_forget();
    const tensor *read[] = { &x->Q, &x->K, &x->V, &x->dO }, *written[] = { &x->O, &x->dQ, &x->dK, &x->dV };
    for (int i = 0; i < 4; i++) memory_buffer(read[i]->memory, read[i]->numbers * 2, false);
    for (int i = 0; i < 4; i++) memory_buffer(written[i]->memory, written[i]->numbers * 2, true);
    memory_buffer(x->lse, (size_t)(s->B * s->H * s->T) * sizeof(float), true);
    memory_buffer(x->work, attn_flash_work(s), true);
}

static operands operands_of(const attn_shape *s, long gap, double size)
{
    operands x = { tensor_drawn(s, gap, "Q", size), tensor_drawn(s, gap, "K", size), tensor_drawn(s, 0, "V", 1),
                   tensor_drawn(s, gap, "dO", 1), tensor_new(s, 0), tensor_new(s, gap), tensor_new(s, gap), tensor_new(s, 8),
                   NULL, NULL };
    x.lse = must_calloc((size_t)(s->B * s->H * s->T), sizeof *x.lse);
    x.work = must_calloc(attn_flash_work(s), 1);
    memset(x.lse, 0xff, (size_t)(s->B * s->H * s->T) * sizeof *x.lse);
    memset(x.work, 0xff, attn_flash_work(s));
    return x;
}
static void operands_free(operands x)
{
    tensor *all[] = { &x.Q, &x.K, &x.V, &x.dO, &x.O, &x.dQ, &x.dK, &x.dV };
    for (int i = 0; i < 8; i++) free(all[i]->memory);
    free(x.lse);
    free(x.work);
}

static void no_faults(const attn_shape *s)
{
    ck_assert_msg(ptx_faults() == 0, "T %ld D %ld causal %d: %ld faults: %s", s->T, s->D, s->causal, ptx_faults(),
                  ptx_first_fault());
}

static void close_to(const tensor *t, const double *want, const attn_shape *s, double limit, double *worst, const char *what)
{
    double *got = tensor_numbers(t, s);
    const double d = distance(got, want, (size_t)(s->B * s->T * s->H * s->D));
    ck_assert_msg(d <= limit, "%s: T %ld D %ld causal %d: off by %.3g", what, s->T, s->D, s->causal, d);
    *worst = fmax(*worst, d);
    tensor_gaps_are_poisoned(t, s);
    free(got);
}

/* When O is known, the gradients are those of the rounded O. */
static attention_reference reference_of(const attn_shape *s, const operands *x, bool known)
{
    double *Q = tensor_numbers(&x->Q, s), *K = tensor_numbers(&x->K, s), *V = tensor_numbers(&x->V, s);
    double *dO = tensor_numbers(&x->dO, s), *O = known ? tensor_numbers(&x->O, s) : NULL;
    const attention_reference r = attention_in_double(s, Q, K, V, dO, O);
    free(Q); free(K); free(V); free(dO); free(O);
    return r;
}

static void check_case(const attn_shape *s, long gap, double size)
{
    operands x = operands_of(s, gap, size);
    name_buffers(s, &x);
    ck_assert(attn_flash_fwd(out(&x.O, false), x.lse, in(&x.Q), in(&x.K), in(&x.V), s, NULL, NULL));
    no_faults(s);
    const attention_reference want = reference_of(s, &x, true);
    close_to(&x.O, want.O, s, LIMIT_O, &worst_O, "O");
    for (long i = 0; i < s->B * s->H * s->T; i++) {
        const double d = fabs((double)x.lse[i] - want.lse[i]) / fmax(1, fabs(want.lse[i]));
        ck_assert_msg(d <= LIMIT_LSE, "lse[%ld]: T %ld D %ld: %.8g for %.8g", i, s->T, s->D, (double)x.lse[i], want.lse[i]);
        worst_lse = fmax(worst_lse, d);
    }
    ck_assert(attn_flash_bwd(out(&x.dQ, false), out(&x.dK, false), out(&x.dV, false), in(&x.dO), in(&x.O), x.lse,
                             in(&x.Q), in(&x.K), in(&x.V), s, x.work, NULL));
    no_faults(s);
    /* One key: the gradient of its score is 0, and what is left is the rounding of O. */
    const bool alone = s->T == 1;
    if (!alone) close_to(&x.dQ, want.dQ, s, LIMIT_GRADIENT, &worst_gradient, "dQ");
    if (!alone) close_to(&x.dK, want.dK, s, LIMIT_GRADIENT, &worst_gradient, "dK");
    close_to(&x.dV, want.dV, s, LIMIT_GRADIENT, &worst_gradient, "dV");
    if (alone) tensor_gaps_are_poisoned(&x.dQ, s);
    attention_reference_free(want);
    operands_free(x);
}

static attn_shape shape(long B, long T, long H, long D, bool causal)
{
    return (attn_shape){ .B = B, .T = T, .H = H, .D = D, .scale = 1 / sqrt((double)D), .causal = causal };
}

/* ---- tests ------------------------------------------------------------------------------------------------- */

static const long lengths[] = { 1, 5, 17, 64, 77, 130 };

static void lengths_at(long D)
{
    ptx_order(0);
    for (size_t i = 0; i < COUNT(lengths); i++)
        for (int causal = 0; causal < 2; causal++) {
            const attn_shape s = shape(lengths[i] > 64 ? 1 : 2, lengths[i], lengths[i] > 64 ? 1 : 2, D, causal);
            check_case(&s, 8 * (long)(i % 2), 1);
        }
}
START_TEST(heads_of_16)  { lengths_at(16); }  END_TEST
START_TEST(heads_of_32)  { lengths_at(32); }  END_TEST
START_TEST(heads_of_64)  { lengths_at(64); }  END_TEST
START_TEST(heads_of_128) { lengths_at(128); } END_TEST

/* Head sizes between: columns past D are never touched. */
START_TEST(heads_between)
{
    static const long sizes[] = { 8, 24, 40, 72, 120 };
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const attn_shape s = shape(1, 35, 3, sizes[i], i % 2);
        check_case(&s, 8, 1);
    }
}
END_TEST

/* Scores so large that some exponentials are 0, and maxima that move from tile to tile. */
START_TEST(peaked)
{
    const attn_shape s = shape(1, 150, 1, 32, true);
    operands x = operands_of(&s, 0, 6);
    name_buffers(&s, &x);
    ck_assert(attn_flash_fwd(out(&x.O, false), x.lse, in(&x.Q), in(&x.K), in(&x.V), &s, NULL, NULL));
    const attention_reference want = reference_of(&s, &x, true);
    no_faults(&s);
    double worst = 0;
    close_to(&x.O, want.O, &s, LIMIT_O, &worst, "O, peaked");
    attention_reference_free(want);
    operands_free(x);
}
END_TEST

/* All scores near -128: 2^(-lse) of a key past T would be infinite.  Keys (queries) are -4 (4) and noise of 1/4, and
 * the rows of dS sum to 0: in dQ (dK) its rounding weighs 4 / (1/4) = 16 times as much as it does elsewhere. */
START_TEST(far_below_zero)
{
    const attn_shape s = shape(1, 70, 1, 64, false);
    operands x = operands_of(&s, 0, 0.25);
    for (long r = 0; r < s.T; r++) for (long c = 0; c < s.D; c++) {
        uint16_t *q = tensor_number(&x.Q, &s, 0, r, 0, c), *k = tensor_number(&x.K, &s, 0, r, 0, c);
        *q = tensor_narrow(4 + tensor_wide(*q));
        *k = tensor_narrow(tensor_wide(*k) - 4);
    }
    name_buffers(&s, &x);
    ck_assert(attn_flash_fwd(out(&x.O, false), x.lse, in(&x.Q), in(&x.K), in(&x.V), &s, NULL, NULL));
    ck_assert_double_lt((double)x.lse[0], -100);
    const attention_reference want = reference_of(&s, &x, true);
    ck_assert(attn_flash_bwd(out(&x.dQ, false), out(&x.dK, false), out(&x.dV, false), in(&x.dO), in(&x.O), x.lse,
                             in(&x.Q), in(&x.K), in(&x.V), &s, x.work, NULL));
    no_faults(&s);
    double worst = 0;
    close_to(&x.O, want.O, &s, LIMIT_O, &worst, "O, far below zero");
    close_to(&x.dQ, want.dQ, &s, 16 * LIMIT_GRADIENT, &worst, "dQ, far below zero");
    close_to(&x.dK, want.dK, &s, 16 * LIMIT_GRADIENT, &worst, "dK, far below zero");
    attention_reference_free(want);
    operands_free(x);
}
END_TEST

/* Added to: what was there, plus the same gradient; dQ and dV in one place as where W_Q = W_V = I, dK and dV as with
 * W_K = W_V, and O. */
START_TEST(added)
{
    const attn_shape s = shape(1, 70, 2, 16, true);
    const size_t n = (size_t)(s.B * s.T * s.H * s.D);
    operands x = operands_of(&s, 0, 1);
    name_buffers(&s, &x);
    ck_assert(attn_flash_fwd(out(&x.O, false), x.lse, in(&x.Q), in(&x.K), in(&x.V), &s, NULL, NULL));
    const attention_reference want = reference_of(&s, &x, true);
    for (int which = 0; which < 2; which++) {
        tensor before = tensor_drawn(&s, 0, "before", 1), shared = tensor_drawn(&s, 0, "before", 1);
        tensor O = tensor_drawn(&s, 0, "before", 1);
        double *start = tensor_numbers(&before, &s);
        name_buffers(&s, &x);
        memory_buffer(shared.memory, shared.numbers * 2, true);
        memory_buffer(O.memory, O.numbers * 2, true);
        ck_assert(attn_flash_fwd(out(&x.O, false), x.lse, in(&x.Q), in(&x.K), in(&x.V), &s, NULL, NULL));
        ck_assert(attn_flash_fwd(out(&O, true), x.lse, in(&x.Q), in(&x.K), in(&x.V), &s, NULL, NULL));
        ck_assert(attn_flash_bwd(out(which ? &x.dQ : &shared, !which), out(which ? &shared : &x.dK, which), out(&shared, true),
                                 in(&x.dO), in(&x.O), x.lse, in(&x.Q), in(&x.K), in(&x.V), &s, x.work, NULL));
        no_faults(&s);
        double *sum = must_calloc(n, sizeof *sum), worst = 0;
        for (size_t i = 0; i < n; i++) sum[i] = start[i] + want.O[i];
        close_to(&O, sum, &s, LIMIT_O, &worst, "O, added");
        for (size_t i = 0; i < n; i++) sum[i] = start[i] + (which ? want.dK[i] : want.dQ[i]) + want.dV[i];
        close_to(&shared, sum, &s, LIMIT_GRADIENT, &worst, which ? "dK and dV in one place" : "dQ and dV in one place");
        close_to(which ? &x.dQ : &x.dK, which ? want.dQ : want.dK, &s, LIMIT_GRADIENT, &worst, "the other");
        free(sum);
        free(start);
        free(before.memory);
        free(shared.memory);
        free(O.memory);
    }
    attention_reference_free(want);
    operands_free(x);
}
END_TEST

/* The same bits whatever order blocks, warps and lanes run in, and on a second run. */
START_TEST(orders)
{
    static const long sizes[] = { 16, 64, 128 };
    for (size_t k = 0; k < COUNT(sizes); k++) {
        const attn_shape s = shape(1, 100, 1, sizes[k], true);
        operands first = { 0 };
        for (unsigned order = 0; order < 4; order++) {
            operands x = operands_of(&s, 0, 1);
            name_buffers(&s, &x);
            ptx_order(order);
            ck_assert(attn_flash_fwd(out(&x.O, false), x.lse, in(&x.Q), in(&x.K), in(&x.V), &s, NULL, NULL));
            ck_assert(attn_flash_bwd(out(&x.dQ, false), out(&x.dK, false), out(&x.dV, false), in(&x.dO), in(&x.O), x.lse,
                                     in(&x.Q), in(&x.K), in(&x.V), &s, x.work, NULL));
            no_faults(&s);
            if (order == 0) { first = x; continue; }
            ck_assert_mem_eq(first.lse, x.lse, (size_t)(s.B * s.H * s.T) * sizeof(float));
            const tensor *a[] = { &first.O, &first.dQ, &first.dK, &first.dV }, *b[] = { &x.O, &x.dQ, &x.dK, &x.dV };
            for (int i = 0; i < 4; i++) ck_assert_mem_eq(a[i]->memory, b[i]->memory, a[i]->numbers * 2);
            operands_free(x);
        }
        operands_free(first);
    }
    ptx_order(0);
}
END_TEST

/* What is refused, and then untouched. */
START_TEST(refused)
{
    attn_shape s = shape(1, 8, 1, 16, false), odd = s;
    operands x = operands_of(&s, 0, 1);
    const long before = ptx_launches();
    struct { long D, T; double scale; } bad[] = { { 12, 8, 1 }, { 136, 8, 1 }, { 0, 8, 1 }, { 16, 0, 1 }, { 16, 8, 0 },
                                                  { 16, 8, -1 }, { 16, 8, NAN }, { 16, 1L << 31, 1 } };
    for (size_t i = 0; i < COUNT(bad); i++) {
        odd.D = bad[i].D;
        odd.T = bad[i].T;
        odd.scale = bad[i].scale;
        ck_assert(!attn_flash_fwd(out(&x.O, false), x.lse, in(&x.Q), in(&x.K), in(&x.V), &odd, NULL, NULL));
        ck_assert(!attn_flash_bwd(out(&x.dQ, false), out(&x.dK, false), out(&x.dV, false), in(&x.dO), in(&x.O), x.lse,
                                  in(&x.Q), in(&x.K), in(&x.V), &odd, x.work, NULL));
    }
    tensor *each[] = { &x.Q, &x.K, &x.V, &x.O, &x.dO, &x.dQ, &x.dK, &x.dV };
    for (int i = 0; i < 8; i++)
        for (int how = 0; how < 3; how++) {
            const tensor kept = *each[i];
            if (how == 0) each[i]->p += 4;
            if (how == 1) each[i]->row += 4;
            if (how == 2) each[i]->head += 4;
            if (i < 4) ck_assert(!attn_flash_fwd(out(&x.O, false), x.lse, in(&x.Q), in(&x.K), in(&x.V), &s, NULL, NULL));
            ck_assert(!attn_flash_bwd(out(&x.dQ, false), out(&x.dK, false), out(&x.dV, false), in(&x.dO), in(&x.O), x.lse,
                                      in(&x.Q), in(&x.K), in(&x.V), &s, x.work, NULL));
            *each[i] = kept;
        }
    ck_assert_int_eq(ptx_launches(), before);
    operands_free(x);
}
END_TEST

/* Launches: the tiles cover T and no more, and shared memory is what every GPU from sm_80 on can give a block. */
START_TEST(launches)
{
    for (long D = 8; D <= 128; D += 8)
        for (long T = 1; T < 400; T += 7)
            for (int kernel = ATTN_FLASH_O; kernel <= ATTN_FLASH_DQ; kernel++) {
                const attn_shape s = shape(3, T, 5, D, true);
                const attn_flash_launch l = attn_flash_launch_of((attn_flash_kernel)kernel, &s);
                ck_assert(l.blocks % 15 == 0 && l.blocks / 15 * l.rows >= T && (l.blocks / 15 - 1) * l.rows < T);
                ck_assert(l.rows % l.step == 0);
                ck_assert_uint_le(l.shared, 99 * 1024);
            }
    const attn_shape s = shape(64, 1024, 12, 64, true);
    ck_assert_int_eq(attn_flash_launch_of(ATTN_FLASH_O, &s).blocks, 64 * 12 * 8);
    ck_assert_uint_eq(attn_flash_work(&s), 64 * 12 * 1024 * 8);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("attention");
    TCase *kernels = tcase_create("kernels");
    tcase_set_timeout(kernels, 300);
    suite_add_tcase(suite, kernels);
    tcase_add_test(kernels, heads_of_16);
    tcase_add_test(kernels, heads_of_32);
    tcase_add_test(kernels, heads_of_64);
    tcase_add_test(kernels, heads_of_128);
    tcase_add_test(kernels, heads_between);
    tcase_add_test(kernels, peaked);
    tcase_add_test(kernels, far_below_zero);
    tcase_add_test(kernels, added);
    tcase_add_test(kernels, orders);
    tcase_add_test(kernels, refused);
    tcase_add_test(kernels, launches);
    const int status = run_suite(suite, argc, argv);
    if (getenv("VERBOSE")) printf("worst: O %.3g, lse %.3g, gradients %.3g\n", worst_O, worst_lse, worst_gradient);
    return status;
}
