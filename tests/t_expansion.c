/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_expansion.c - what is left of a transformer without what does nothing: that it is the same function, enclosed in
 * balls; its sizes; and what is left alone because it does something, or because a sum would be rounded. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/compare.h"
#include "src/checkpoint/expansion.h"
#include "tests/support/files.h"
#include "tests/support/small_grown.h"
#include "tests/support/suite.h"

typedef struct { weights w; transformer D; } model;

static model model_of(const small_model *m, numbers_type type)
{
    model o = { .w = weights_open(small_model_save(m, type)) };
    o.D = transformer_of(&o.w);
    char *why = forward_refuses(&o.D);
    ck_assert_msg(!why, "%s", why);
    return o;
}

static void model_free(model *o)
{
    transformer_free(&o->D);
    weights_close(&o->w);
}

/* On some tokens, at most 2^-200 apart. */
static void same_function(const transformer *A, const transformer *B)
{
    static const long token[] = { 3, 1, 20, 7, 7 };
    const token_list list = { .n = 5, .token = token };
    const certified_gaps c = compare_certified(A, B, 320, 1, &list, (compare_watch){ NULL, NULL, 0 });
    ck_assert_msg(!c.why && c.high < 0x1p-200, "%s, gap %g to %g", c.why ? c.why : "enclosed", c.low, c.high);
}

static const undone *undone_of(const contracted *c, undone_kind kind)
{
    for (long k = 0; k < c->n; k++) if (c->at[k].kind == kind) return &c->at[k];
    return NULL;
}

static bool says(const contracted *c, const char *words)
{
    bool there = false;
    for (long k = 0; k < c->n; k++) {
        char *text = undone_words(&c->at[k]);
        there = there || strcmp(text, words) == 0;
        free(text);
    }
    return there;
}

/* Undoes A against B; checks that what is left of each is what it was. */
static bool undo(const model *A, const model *B, contracted to[2])
{
    if (!expansions_undo(&A->D, &B->D, to)) return false;
    same_function(&A->D, &to[0].D);
    same_function(&B->D, &to[1].D);
    return true;
}

static void undo_free(contracted to[2], model *A, model *B)
{
    for (int k = 0; k < 2; k++) contracted_free(&to[k]);
    model_free(A);
    model_free(B);
}

/* ---- what goes --------------------------------------------------------------------------------------------------- */

START_TEST(what_is_left_is_the_same_function)
{
    const small_architecture of = (small_architecture)(_i / 2);
    const numbers_type type = _i % 2 ? NUMBERS_BF16 : NUMBERS_F64;
    const bool grouped = of != SMALL_GPT2 && of != SMALL_NEOX;
    small_model a = small_model_draw(of, type), b = small_model_copy(&a);
    small_layer_added(&b, 2);
    small_neurons_doubled(&b, true);
    small_neurons_added(&b, 5);
    small_part_fill(&b, ROLE_DOWN, 1, b.m - 5, 0, 2, b.d);
    if (grouped) {
        small_key_heads_added(&b, 1);
        small_part_fill(&b, ROLE_Q, 0, 0, 4 * b.dk, b.d, 2 * b.dk);
        small_part_fill(&b, ROLE_V, 0, 0, 2 * b.dk, b.d, b.dk);
        small_key_heads_repeated(&b, b.h);
    }
    model A = model_of(&a, type), B = model_of(&b, type);
    contracted to[2];
    ck_assert(undo(&A, &B, to));
    const transformer *D = &to[1].D;
    ck_assert_int_eq(to[0].n, 0);
    ck_assert_int_eq(D->L, 3);
    ck_assert_int_eq(D->m, 48);
    ck_assert_int_eq(D->h, 4);
    ck_assert_int_eq(D->h_kv, grouped ? 2 : 4);
    structure s = structure_of(&to[0].D, D, NULL);
    ck_assert_msg(structure_same(&s), "%s", s.n ? s.at[0].text : s.settings ? s.setting[0] : "no finding");
    structure_free(&s);
    ck_assert(says(&to[1], "layer 2 adds nothing to the stream"));
    ck_assert(says(&to[1], "layers 0 to 1, in each: 5 of 101 neurons do nothing"));
    ck_assert(says(&to[1], "layer 3: 48 of 101 neurons repeat others"));
    ck_assert(!grouped || says(&to[1], "layers 0 to 1, in each: 2 of 6 heads do nothing"));
    ck_assert(!grouped || says(&to[1], "layer 3: 2 of 6 key heads repeat others"));
    ck_assert_ptr_null(undone_of(&to[1], UNDONE_EQUAL_HEADS));
    undo_free(to, &A, &B);
    small_model_free(&a);
    small_model_free(&b);
}
END_TEST

/* 8 heads of 4, 1 key head; 2 of them, then 4: what is left has the 1. */
START_TEST(key_heads_in_part)
{
    small_model a = small_model_draw(SMALL_LLAMA, NUMBERS_F32);
    a.h = 8, a.kv = 4, a.dk = 4;
    small_model c = small_model_copy(&a);
    for (long i = 0; i < c.L; i++) {
        small_heads_from(&c, ROLE_K, i, 1, (long[]){ 2 });
        small_heads_from(&c, ROLE_V, i, 1, (long[]){ 2 });
    }
    c.kv = 1;
    small_model b = small_model_copy(&c);
    small_key_heads_repeated(&b, 2);
    small_key_heads_repeated(&c, 4);
    model B = model_of(&b, NUMBERS_F32), C = model_of(&c, NUMBERS_F32);
    contracted to[2];
    ck_assert(undo(&B, &C, to));
    ck_assert_int_eq(to[0].D.h_kv, 1);
    ck_assert_int_eq(to[1].D.h_kv, 1);
    ck_assert_int_eq(to[1].D.h, 8);
    ck_assert(says(&to[1], "layers 0 to 2, in each: 3 of 4 key heads repeat others"));
    same_function(&to[0].D, &to[1].D);
    undo_free(to, &B, &C);
    model A = model_of(&a, NUMBERS_F32);
    B = model_of(&a, NUMBERS_F32);
    ck_assert(!expansions_undo(&A.D, &B.D, to));                         /* no two of its own are equal         */
    model_free(&A);
    model_free(&B);
    small_model_free(&a);
    small_model_free(&b);
    small_model_free(&c);
}
END_TEST

/* In one layer only: the others keep their numbers, this one is filled up with zeros. */
START_TEST(layers_of_other_sizes)
{
    small_model a = small_model_draw((small_architecture)_i, NUMBERS_F16);
    memset(small_part(&a, ROLE_DOWN, 1)->x + 3 * a.d, 0, (size_t)(2 * a.d) * sizeof(double));
    memset(small_part(&a, ROLE_O, 2)->x, 0, (size_t)(a.dk * a.d) * sizeof(double));
    model A = model_of(&a, NUMBERS_F16), B = model_of(&a, NUMBERS_F16);
    contracted to[2];
    ck_assert(undo(&A, &B, to));
    ck_assert_int_eq(to[0].D.m, 48);
    ck_assert_int_eq(to[0].D.h, 4);
    ck_assert(says(&to[0], "layer 1: 2 of 48 neurons do nothing"));
    ck_assert(says(&to[0], "layer 2: 1 of 4 heads do nothing"));
    ck_assert_int_eq(to[0].n, 2);
    ck_assert_ptr_eq(tensor_of(&to[0].D, ROLE_UP, 0), tensor_of(&A.D, ROLE_UP, 0));
    ck_assert_ptr_ne(tensor_of(&to[0].D, ROLE_UP, 1), tensor_of(&A.D, ROLE_UP, 1));
    ck_assert_int_eq(tensor_of(&to[0].D, ROLE_UP, 1)->numbers, NUMBERS_F16);
    long rows, cols;
    double *up = doubles_of_part(&to[0].D, ROLE_UP, 1, 0, 0, &rows, &cols);
    for (long r = 0; r < rows; r++) {
        ck_assert(up[r * cols + 2] == small_part(&a, ROLE_UP, 1)->x[r * 48 + 2]);
        ck_assert(up[r * cols + 3] == small_part(&a, ROLE_UP, 1)->x[r * 48 + 5]);
        ck_assert(up[r * cols + 46] == 0 && up[r * cols + 47] == 0);
    }
    free(up);
    undo_free(to, &A, &B);
    small_model_free(&a);
}
END_TEST

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* Neuron 1 repeats neuron 0 in layer 1, and its row of down is what is given. */
static model of_rows(numbers_type type, double first, double second)
{
    small_model a = small_model_draw(SMALL_LLAMA, type);
    static const tensor_role in[] = { ROLE_UP, ROLE_GATE };
    for (size_t k = 0; k < COUNT(in); k++)
        for (long r = 0; r < a.d; r++) small_part(&a, in[k], 1)->x[r * a.m + 1] = small_part(&a, in[k], 1)->x[r * a.m];
    for (long c = 0; c < a.d; c++) {
        small_part(&a, ROLE_DOWN, 1)->x[c] = first;
        small_part(&a, ROLE_DOWN, 1)->x[a.d + c] = second;
    }
    model m = model_of(&a, type);
    small_model_free(&a);
    return m;
}

START_TEST(sums_of_rows)
{
    static const struct { numbers_type type; double a, b; bool merged; numbers_type stays; double sum; } of[] = {
        { NUMBERS_F64, 0.25, 0.5, true, NUMBERS_F64, 0.75 },
        { NUMBERS_F64, 1, 0x1p-53, false, NUMBERS_F64, 0 },                    /* 1 + 2^-53 is no double        */
        { NUMBERS_F32, 1, 0x1p-23, true, NUMBERS_F32, 1 + 0x1p-23 },
        { NUMBERS_F32, 1, 0x1p-24, true, NUMBERS_F64, 1 + 0x1p-24 },           /* no float, but a double        */
        { NUMBERS_BF16, 1, 0x1p-8, true, NUMBERS_F64, 1 + 0x1p-8 },
        { NUMBERS_F16, 1, -1, true, NUMBERS_F16, 0 },
        { NUMBERS_F64, 0x1.8p1023, 0x1.8p1023, false, NUMBERS_F64, 0 } };      /* beyond all doubles            */
    for (size_t k = 0; k < COUNT(of); k++) {
        model A = of_rows(of[k].type, of[k].a, of[k].b), B = of_rows(of[k].type, of[k].a, of[k].b);
        contracted to[2];
        const bool any = expansions_undo(&A.D, &B.D, to);
        ck_assert_msg(any == of[k].merged, "case %zu", k);
        if (any) {
            ck_assert(says(&to[0], "layer 1: 1 of 48 neurons repeat others"));
            ck_assert_int_eq(tensor_of(&to[0].D, ROLE_DOWN, 1)->numbers, of[k].stays);
            ck_assert_int_eq(tensor_of(&to[0].D, ROLE_DOWN, 1)->added, of[k].sum == 0 ? 0 : 2);
            long rows, cols;
            double *down = doubles_of_part(&to[0].D, ROLE_DOWN, 1, 0, 0, &rows, &cols);
            if (of[k].sum != 0) for (long c = 0; c < cols; c++) ck_assert(down[c] == of[k].sum);
            same_function(&A.D, &to[0].D);
            free(down);
        }
        if (any) for (int m = 0; m < 2; m++) contracted_free(&to[m]);
        model_free(&A);
        model_free(&B);
    }
}
END_TEST

/* a/2 + a/2 is off by up to two halves of the least number of the type, each half by one: a rounding of each. */
START_TEST(halves_that_are_rounded)
{
    small_model a = small_model_draw(SMALL_LLAMA, NUMBERS_F16), b = small_model_copy(&a);
    double *down = small_part(&a, ROLE_DOWN, 1)->x;
    down[0] = ldexp(3, -24);                                             /* 3/2 is rounded to 2: 2 + 2 for 3    */
    memcpy(small_part(&b, ROLE_DOWN, 1)->x, down, (size_t)a.d * sizeof *down);
    small_neurons_doubled(&b, true);
    model A = model_of(&a, NUMBERS_F16), B = model_of(&b, NUMBERS_F16);
    contracted to[2];
    ck_assert(undo(&A, &B, to));
    structure s = structure_of(&to[0].D, &to[1].D, NULL);
    double units;
    ck_assert(!structure_same(&s));
    ck_assert(structure_rounded(&s, &units));
    ck_assert_msg(units > 0.9 && units <= 1.1, "%g", units);
    structure_free(&s);
    for (int k = 0; k < 2; k++) contracted_free(&to[k]);
    model_free(&B);
    memset(small_part(&b, ROLE_DOWN, 1)->x, 0, (size_t)a.d * sizeof *down);        /* and half of it is lost: 3 for 1.5 */
    B = model_of(&b, NUMBERS_F16);
    ck_assert(undo(&A, &B, to));
    s = structure_of(&to[0].D, &to[1].D, NULL);
    ck_assert(!structure_rounded(&s, &units));
    structure_free(&s);
    undo_free(to, &A, &B);
    small_model_free(&a);
    small_model_free(&b);
}
END_TEST

/* A neuron of layer 1 in parts that are each rounded: exact, up to their roundings; one that is off by 3 % is no rounding of
 * it, and parts far larger than their sum decide nothing. */
START_TEST(neurons_in_rounded_parts)
{
    static const struct { long n; double share[3], off; char is; } of[] = {
        { 2, { 1.7, -0.7 }, 1, 'R' }, { 2, { 0.3, 0.7 }, 1, 'R' }, { 2, { 7.3, -6.3 }, 1, '4' }, { 3, { 1.9, -0.6, -0.3 }, 1, 'R' },
        { 2, { 1.7, -0.7 }, 1.03, 'X' }, { 2, { 1.7, -0.7 }, 0.97, 'X' }, { 2, { 0.3, 0.7 }, 1.03, 'X' }, { 2, { 7.3, -6.3 }, 1.03, 'X' },
        { 3, { 1.9, -0.6, -0.3 }, 1.03, 'X' }, { 2, { 1.7, -0.7 }, -1, 'X' }, { 2, { 400.7, -399.7 }, 1, '?' }, { 2, { 400.7, -399.7 }, 1.03, 'X' },
        { 3, { 400.7, -400.2, 0.5 }, 1.03, 'N' }, { 3, { 3.4, -3.4, 1 }, 1.03, 'N' } };      /* refused, or decides nothing  */
    const numbers_type type = (numbers_type[]){ NUMBERS_F32, NUMBERS_F16, NUMBERS_BF16 }[_i / 2];
    for (size_t k = 0; k < COUNT(of); k++) {
        small_model a = small_model_draw(SMALL_LLAMA, type), b = small_model_copy(&a);
        small_neuron_split(&b, 1, 3, of[k].n, of[k].share);
        double *last = small_part(&b, ROLE_DOWN, 1)->x + (b.m - 1) * b.d;
        for (long c = 0; c < b.d; c++) last[c] *= of[k].off;
        model A = model_of(_i % 2 ? &b : &a, type), B = model_of(_i % 2 ? &a : &b, type);
        contracted to[2];
        double units;
        ck_assert(undo(&A, &B, to));
        structure s = structure_of(&to[0].D, &to[1].D, NULL);
        const bool rounded = structure_rounded(&s, &units);
        ck_assert_int_eq(s.n, 1);
        const char is = rounded ? 'R' : s.at[0].open ? '?' : 'X';
        const char should = of[k].is != '4' ? of[k].is : type == NUMBERS_BF16 ? '?' : 'R';       /* too large in BF16            */
        ck_assert_msg(is == should || (should == 'N' && is != 'R'), "case %zu: %c, %g units: %s", k, is, units, s.at[0].text);
        ck_assert_msg((structure_alone(&s) != NULL) == (is == 'X'), "case %zu", k);
        structure_free(&s);
        undo_free(to, &A, &B);
        small_model_free(&a);
        small_model_free(&b);
    }
}
END_TEST

static bool rounded_between(const small_model *a, numbers_type of_a, const small_model *b, numbers_type of_b)
{
    model A = model_of(a, of_a), B = model_of(b, of_b);
    contracted to[2];
    double units;
    ck_assert(undo(&A, &B, to));
    structure s = structure_of(&to[0].D, &to[1].D, NULL);
    const bool rounded = structure_rounded(&s, &units);
    structure_free(&s);
    undo_free(to, &A, &B);
    return rounded;
}

/* In both, 0.3 and 0.7 here, 1.7 and -0.7 there: sums that the type does not have; and next to a finer type. */
START_TEST(both_in_rounded_parts)
{
    small_model a = small_model_draw(SMALL_LLAMA, NUMBERS_BF16), b = small_model_copy(&a), whole = small_model_copy(&a);
    small_neuron_split(&a, 1, 3, 2, (const double[]){ 0.3, 0.7 });
    small_neuron_split(&b, 1, 3, 2, (const double[]){ 1.7, -0.7 });
    ck_assert(rounded_between(&a, NUMBERS_BF16, &b, NUMBERS_BF16));
    ck_assert(rounded_between(&whole, NUMBERS_F32, &b, NUMBERS_BF16) && rounded_between(&b, NUMBERS_BF16, &whole, NUMBERS_F32));
    double *alone = small_part(&b, ROLE_DOWN, 1)->x;                     /* of neuron 0, which is in one part    */
    int e;
    while (fabs(frexp(*alone, &e)) < 0.6 || fabs(frexp(*alone, &e)) > 0.8) alone++;
    ck_assert(alone < small_part(&b, ROLE_DOWN, 1)->x + b.d);
    *alone += ldexp(1, e - 8);                                           /* by more than one unit, less than two */
    ck_assert(!rounded_between(&a, NUMBERS_BF16, &b, NUMBERS_BF16));
    *alone -= ldexp(1, e - 8);
    for (long c = 0; c < b.d; c++) small_part(&b, ROLE_DOWN, 1)->x[3 * b.d + c] *= 1.03;
    ck_assert(!rounded_between(&a, NUMBERS_BF16, &b, NUMBERS_BF16));
    small_model_free(&a);
    small_model_free(&b);
    small_model_free(&whole);
}
END_TEST

/* Heads, too: each twice, with 1.7 and -0.7 of its rows of W_O. */
START_TEST(heads_in_rounded_parts)
{
    static const tensor_role query[] = { ROLE_Q, ROLE_Q_BIAS }, key[] = { ROLE_K, ROLE_V, ROLE_K_BIAS, ROLE_V_BIAS };
    static const long heads[] = { 0, 1, 2, 3, 0, 1, 2, 3 }, keys[] = { 0, 1, 0, 1 };
    small_model a = small_model_draw(SMALL_QWEN2, NUMBERS_BF16), b = small_model_copy(&a);
    ck_assert(a.h == 4 && a.kv == 2);
    for (long i = 0; i < b.L; i++) {
        for (size_t k = 0; k < COUNT(query); k++) small_heads_from(&b, query[k], i, 8, heads);
        for (size_t k = 0; k < COUNT(key); k++) small_heads_from(&b, key[k], i, 4, keys);
        const long n = a.h * a.dk * a.d;
        small_part_resize(&b, ROLE_O, i, 2 * a.h * a.dk, a.d);
        double *O = small_part(&b, ROLE_O, i)->x;
        for (long k = 0; k < n; k++) O[n + k] = -0.7 * O[k], O[k] *= 1.7;
    }
    b.h = 8, b.kv = 4;
    ck_assert(rounded_between(&a, NUMBERS_BF16, &b, NUMBERS_BF16) && rounded_between(&b, NUMBERS_BF16, &a, NUMBERS_BF16));
    for (long c = 0; c < b.d; c++) small_part(&b, ROLE_O, 1)->x[3 * b.d + c] *= 1.03;
    ck_assert(!rounded_between(&a, NUMBERS_BF16, &b, NUMBERS_BF16));
    small_model_free(&a);
    small_model_free(&b);
}
END_TEST

/* ---- what stays -------------------------------------------------------------------------------------------------- */

static bool any_undone(const transformer *A)
{
    contracted to[2];
    if (!expansions_undo(A, A, to)) return false;
    for (int k = 0; k < 2; k++) contracted_free(&to[k]);
    return true;
}

START_TEST(what_does_something_stays)
{
    small_model a = small_model_draw(SMALL_GPT2, NUMBERS_F32), b = small_model_copy(&a);
    const struct { tensor_role role; long row, col; } alone[] = { { ROLE_O, 3, 5 }, { ROLE_O_BIAS, 0, 9 }, { ROLE_DOWN, 7, 0 },
                                                                  { ROLE_DOWN_BIAS, 0, 31 } };
    small_layer_added(&b, 1);
    model A = model_of(&a, NUMBERS_F32), B = model_of(&b, NUMBERS_F32);
    ck_assert(!any_undone(&A.D) && any_undone(&B.D));
    contracted to[2];
    ck_assert(undo(&A, &B, to));
    ck_assert_int_eq(to[1].D.L, 3);
    for (int k = 0; k < 2; k++) contracted_free(&to[k]);
    B.D.mlp_skip = false;                                                /* then the stream would be lost       */
    ck_assert(!expansions_undo(&A.D, &B.D, to));
    B.D.mlp_skip = true, B.D.attn_skip = false;
    ck_assert(!expansions_undo(&A.D, &B.D, to));
    B.D.attn_skip = true;
    model_free(&B);
    for (size_t k = 0; k < COUNT(alone); k++) {
        small_model c = small_model_copy(&b);
        small_part_fill(&c, alone[k].role, 1, alone[k].row, alone[k].col, 1, 1);
        B = model_of(&c, NUMBERS_F32);
        ck_assert_msg(!expansions_undo(&A.D, &B.D, to), "%s", role_name[alone[k].role]);
        model_free(&B);
        small_model_free(&c);
    }
    model_free(&A);
    small_model_free(&a);
    small_model_free(&b);
}
END_TEST

/* Values of 0 with a bias; equal values of other keys; equal keys of other values; heads of other queries. */
START_TEST(heads_that_do_something)
{
    small_model a = small_model_draw(SMALL_QWEN2, NUMBERS_F32);
    for (int k = 0; k < 5; k++) {
        small_model b = small_model_copy(&a);
        for (long r = 0; r < b.d; r++)
            for (long c = 0; c < b.dk; c++) {
                double *K = small_part(&b, ROLE_K, 1)->x + r * 16, *V = small_part(&b, ROLE_V, 1)->x + r * 16;
                double *Q = small_part(&b, ROLE_Q, 1)->x + r * 32;
                if (k < 2) V[c] = 0;
                if (k == 2) V[8 + c] = V[c];
                if (k == 3) K[8 + c] = K[c];
                if (k == 4) Q[8 + c] = Q[c];                             /* but not b_Q                         */
            }
        for (long c = 0; c < b.dk; c++) {
            double *of_keys = small_part(&b, ROLE_K_BIAS, 1)->x, *of_values = small_part(&b, ROLE_V_BIAS, 1)->x;
            if (k == 0) of_values[c] = 0;                                /* then they do nothing                */
            if (k == 2) of_values[8 + c] = of_values[c];
            if (k == 3) of_keys[8 + c] = of_keys[c];
        }
        model B = model_of(&b, NUMBERS_F32);
        ck_assert_msg(any_undone(&B.D) == (k == 0), "case %d", k);
        model_free(&B);
        small_model_free(&b);
    }
    small_model_free(&a);
}
END_TEST

/* Values from keys, identities that are not stored: their heads are not looked at. */
START_TEST(forms_that_are_left_alone)
{
    small_model a = small_model_draw(SMALL_LLAMA, NUMBERS_F32);
    small_key_heads_repeated(&a, 4);
    model A = model_of(&a, NUMBERS_F32);
    ck_assert(any_undone(&A.D));
    A.D.slim = true;
    ck_assert(!any_undone(&A.D));
    A.D.slim = false;
    A.D.identity[PROJECT_K] = true;
    ck_assert(!any_undone(&A.D));
    model_free(&A);
    small_model_free(&a);
}
END_TEST

/* relu(b) = 0 for b < 0, whatever the input, gelu(b) is not; b_up alone keeps a neuron without up. */
START_TEST(neurons_of_biases)
{
    small_model a = small_model_draw(SMALL_NEOX, NUMBERS_F32);
    for (long r = 0; r < a.d; r++) small_part(&a, ROLE_UP, 0)->x[r * a.m + 6] = r ? -0.0 : -0.5;
    small_part(&a, ROLE_UP_BIAS, 0)->x[6] = 0;
    model C = model_of(&a, NUMBERS_F32);
    ck_assert(!any_undone(&C.D));
    model_free(&C);
    small_part(&a, ROLE_UP, 0)->x[6] = 0;
    for (int k = 0; k < 6; k++) {
        const double bias = k % 3 - 1;
        a.activation = k < 3 ? "relu" : "gelu";
        small_part(&a, ROLE_UP_BIAS, 0)->x[6] = bias;
        model A = model_of(&a, NUMBERS_F32);
        ck_assert_msg(any_undone(&A.D) == (bias == 0 || (k < 3 && bias < 0)), "%s at %g", a.activation, bias);
        model_free(&A);
    }
    small_model_free(&a);
}
END_TEST

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

START_TEST(tokens_and_positions)
{
    small_model a = small_model_draw(SMALL_GPT2, NUMBERS_F32), b = small_model_copy(&a);
    small_tokens_added(&b, 4);
    small_positions_added(&b, 16);
    model A = model_of(&a, NUMBERS_F32), B = model_of(&b, NUMBERS_F32);
    contracted c = contracted_tokens(&B.D, 24, 64), all = contracted_tokens(&B.D, 28, 0);
    ck_assert(says(&c, "4 of 28 tokens are not in the other") && says(&c, "16 of 80 positions are not in the other"));
    ck_assert_int_eq(c.D.V, 24);
    ck_assert_int_eq(c.D.T, 64);
    ck_assert_int_eq(tensor_of(&c.D, ROLE_EMBED, -1)->n, 24 * 32);
    ck_assert_int_eq(tensor_of(&c.D, ROLE_EMBED, -1)->bytes, 24 * 32 * 4);
    structure s = structure_of(&A.D, &c.D, NULL);
    ck_assert(structure_same(&s));
    structure_free(&s);
    same_function(&A.D, &c.D);
    ck_assert_int_eq(all.n, 0);
    ck_assert_int_eq(all.D.T, 80);
    contracted_free(&all);
    contracted_free(&c);
    model_free(&A);
    model_free(&B);
    small_model_free(&a);
    small_model_free(&b);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *s = suite_create("expansion");
    TCase *c = tcase_create("parts that do nothing");
    tcase_set_timeout(c, 300);
    tcase_add_loop_test(c, what_is_left_is_the_same_function, 0, 2 * SMALL_ARCHITECTURES);
    tcase_add_test(c, key_heads_in_part);
    tcase_add_loop_test(c, layers_of_other_sizes, 0, SMALL_ARCHITECTURES);
    tcase_add_test(c, heads_that_do_something);
    tcase_add_test(c, sums_of_rows);
    tcase_add_test(c, halves_that_are_rounded);
    tcase_add_loop_test(c, neurons_in_rounded_parts, 0, 6);
    tcase_add_test(c, both_in_rounded_parts);
    tcase_add_test(c, heads_in_rounded_parts);
    tcase_add_test(c, what_does_something_stays);
    tcase_add_test(c, forms_that_are_left_alone);
    tcase_add_test(c, neurons_of_biases);
    tcase_add_test(c, tokens_and_positions);
    suite_add_tcase(s, c);
    return run_suite(s, argc, argv);
}
