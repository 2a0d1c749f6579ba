/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_rank.c - derivatives, ranks and gauges: is the Jacobian right, and do the certificates say no when they must?
 *
 * Gradients are compared with difference quotients in balls, for every switch of the model; ranks with the ledger's
 * numbers, written out; a wrong count of gauge directions must keep the bounds apart.                          */
#include <math.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "numerics/flint_compat.h"
#include "numerics/rank_arb.h"
#include "src/methods/rank/exponential_independence.h"
#include "src/methods/rank/stack_family.h"
#include "tests/support/suite.h"

static const uint64_t key[2] = { 11, 12 };
enum { SEED = 5 };

/* ---- gradients against difference quotients ------------------------------------------------------------------ */

static const char *const switches[] = {
    "all-skip", "attn-skip+tied", "skipless+relu+biases", "mlp-skip+gated", "parallel+moe", "parallel-skipless+gqa",
    "all-skip+rms+rope", "all-skip+layer-norm+biases+gated", "all-skip+qk-gains", "all-skip+shared+rms+tied",
    "all-skip+rope+qk-norm+mqa", "all-skip+linear+full-mask", "attn-skip+layer-norm+moe",
};

static shape small(const char *architecture, bool *unit_gains)
{
    shape sh = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 5, .L = 2, .act = ACT_GELU };
    ck_assert_ptr_null(architecture_parse(&sh, unit_gains, architecture));
    ck_assert_ptr_null(shape_complete(&sh));
    return sh;
}

static void collect(parameters *P, const model *M)
{
    for (long i = 0; i < M->s.L; i++) {
        const layer *W = &M->at[i];
        const mat *own[] = { W->Q, W->K, W->V, W->O, W->bQ, W->bK, W->bV, W->bO, W->bias1, W->bias2, W->router };
        const mat *diagonal[] = { W->gain1, W->gain2, W->gain_q, W->gain_k };
        for (size_t k = 0; k < COUNT(own); k++) parameters_add(P, own[k], false, false);
        for (size_t k = 0; k < COUNT(diagonal); k++) parameters_add(P, diagonal[k], true, false);
        for (long e = 0; e < (M->s.experts ? M->s.experts : 1); e++) {
            const mlp *F = &W->expert[e];
            const mat *of_mlp[] = { F->up, F->gate, F->down, F->b_up, F->b_gate, F->b_down };
            for (size_t k = 0; k < COUNT(of_mlp); k++) parameters_add(P, of_mlp[k], false, false);
        }
    }
    const mat *ends[] = { M->E, M->P, M->head, M->bias_f };
    for (size_t k = 0; k < COUNT(ends); k++) parameters_add(P, ends[k], false, false);
    parameters_add(P, M->gain_f, true, false);
    parameters_place(P);
}

static arb_ptr entry(const mat *A, long i, long j) { return arb_mat_entry(arith_arb_balls(A), i, j); }

/* <seed, model(theta + 2^e D)> where D has one entry of every parameter matrix, chosen by its number */
static void shifted(arb_t y, scope *tape, const model *M, const parameters *P, const mat *seed, int sign)
{
    arb_t h;
    arb_init(h);
    arb_set_si(h, sign);
    arb_mul_2exp_si(h, h, -200);
    scope inner = scope_open(tape->R, SEED, 2);
    for (long k = 0; k < P->n; k++) {
        const mat *W = tape_value(P->at[k].W);
        const long i = k % W->rows, j = P->at[k].diagonal ? i : (k * 7) % W->cols;
        arb_add(entry(W, i, j), entry(W, i, j), h, W->R->bits);
    }
    const mat *Y = tape_value(model_forward(&inner, M));
    arb_zero(y);
    for (long i = 0; i < Y->rows; i++)
        for (long j = 0; j < Y->cols; j++) arb_addmul(y, entry(seed, i, j), entry(Y, i, j), Y->R->bits);
    for (long k = 0; k < P->n; k++) {
        const mat *W = tape_value(P->at[k].W);
        const long i = k % W->rows, j = P->at[k].diagonal ? i : (k * 7) % W->cols;
        arb_sub(entry(W, i, j), entry(W, i, j), h, W->R->bits);
    }
    ck_assert_int_eq(inner.status, HOLDS);
    scope_close(&inner);
    arb_clear(h);
}

START_TEST(gradients)
{
    bool unit_gains = false;
    const shape sh = small(switches[_i], &unit_gains);
    arith base = arith_arb(1024), R = tape_over(&base, (tape_rules){ .range = 1, .kappa = 1 });
    scope s = scope_open(&base, SEED, 1), tape = scope_open(&R, SEED, 1);
    const model M = model_random(&tape, sh);
    static parameters P;
    P = (parameters){ 0 };
    collect(&P, &M);
    ck_assert_int_eq(P.free, parameters_stored(&sh, false));
    const mat *seed = mat_draw(&s, "seed", sh.n, sh.V, 0);
    const long mark = tape_mark(&R);
    arb_t up, down, sum;
    arb_init(up);
    arb_init(down);
    arb_init(sum);
    shifted(up, &tape, &M, &P, seed, 1);
    tape_forget(&R, mark);
    shifted(down, &tape, &M, &P, seed, -1);
    tape_forget(&R, mark);
    arb_sub(up, up, down, 1024);
    arb_mul_2exp_si(up, up, 199);                            /* the difference quotient */
    tape_backward(&R, model_forward(&tape, &M), seed);
    long nonzero = 0;
    for (long k = 0; k < P.n; k++) {
        const mat *G = tape_gradient(P.at[k].W);
        if (!G) continue;
        const long i = k % G->rows, j = P.at[k].diagonal ? i : (k * 7) % G->cols;
        nonzero += !arb_contains_zero(entry(G, i, j));
        arb_add(sum, sum, entry(G, i, j), 1024);
    }
    ck_assert_int_gt(nonzero, P.n / 2);
    arb_sub(up, up, sum, 1024);
    arb_get_mag_lower(arb_radref(down), up);
    arb_abs(up, up);
    arb_set_ui(down, 1);
    arb_mul_2exp_si(down, down, -250);                       /* the quotient's own error is of order 2^-400 */
    ck_assert_msg(arb_lt(up, down), "%s: gradient and quotient differ by 2^%g", switches[_i],
                  arf_get_d(arb_midref(up), ARF_RND_NEAR) > 0 ? log2(arf_get_d(arb_midref(up), ARF_RND_NEAR)) : -1e9);
    arb_clear(up);
    arb_clear(down);
    arb_clear(sum);
    tape_forget(&R, 0);
    scope_close(&tape);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* The gauge's tangents are null vectors for every switch, whether a formula covers them or not. */
START_TEST(tangents_are_null)
{
    dimension_of what = { .sh = small(switches[_i], &what.unit_gains) };
    if (what.sh.act == ACT_RELU) what.sh.act = ACT_GELU;
    arith R = arith_fp(2305843009213693921u, key);
    const dimension D = dimension_find(&R, &what, SEED, 3);
    arith_close(&R);
    ck_assert_int_eq(D.is, HOLDS);
    ck_assert(D.null);
    ck_assert_int_gt(D.gauge, 0);
    ck_assert_int_le(D.rank + D.gauge, D.parameters);
}
END_TEST

/* Rules that no model of above needs: A - B, and the activation y over a field. */
START_TEST(single_rules)
{
    arith base = arith_fp(2305843009213693951u, key), R = tape_over(&base, (tape_rules){ .key = { 3, 4 }, .range = 100, .kappa = 1 });
    scope s = scope_open(&base, SEED, 1), tape = scope_open(&R, SEED, 1);
    const mat *A = mat_draw(&tape, "A", 2, 3, 0), *B = mat_draw(&tape, "B", 2, 3, 0), *G = mat_draw(&s, "G", 2, 3, 0);
    tape_backward(&R, mat_sub(&tape, A, mat_phi(&tape, B, ACT_IDENTITY, (place){ 0, 0, 0 })), G);
    const mat *sum = mat_add(&s, tape_gradient(B), G), *copy = mat_add(&s, G, mat_zero(&s, 2, 3));
    ck_assert_int_eq(mat_compare(sum, mat_zero(&s, 2, 3), 0).is, HOLDS);
    ck_assert_int_eq(mat_compare(tape_gradient(A), copy, 0).is, HOLDS);
    ck_assert_ptr_null(tape_gradient(mat_identity(&tape, 2)));
    tape_forget(&R, 0);
    scope_close(&tape);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* ---- the formal functions ----------------------------------------------------------------------------------------- */

START_TEST(exponential_is_formal)
{
    arith base = arith_fp(2305843009213693951u, key), R = tape_over(&base, (tape_rules){ .key = { 3, 4 }, .range = 100, .kappa = 1 });
    scope s = scope_open(&R, SEED, 1);
    /* S of a row (0, l) is exp(l)/(1 + exp(l)); so exp(l) = S_2/S_1, and exp(5) exp(-3) = exp(2) */
    const mat *A = mat_from_si(&s, 4, 2, (long[]){ 0, 5, 0, -3, 0, 2, 0, 0 });
    const rowmap how = { .kind = ROWMAP_SOFTMAX, .scale_num = 1, .scale_den = 1 };
    const mat *S = tape_value(mat_rowmap(&s, A, &how, (place){ 0, 0, 0 }));
    mp_limb_t e[4];
    for (long i = 0; i < 4; i++)
        e[i] = nmod_div(nmod_mat_entry((nmod_mat_struct *)S->rep, i, 1), nmod_mat_entry((nmod_mat_struct *)S->rep, i, 0),
                        ((nmod_mat_struct *)S->rep)->mod);
    ck_assert(nmod_mul(e[0], e[1], ((nmod_mat_struct *)S->rep)->mod) == e[2]);
    ck_assert(e[3] == 1 && e[2] != 1);
    const mat *relu = mat_phi(&s, A, ACT_RELU, (place){ 0, 0, 0 });
    (void)relu;
    ck_assert_int_eq(s.status, UNDECIDED);                   /* no signs in a field */
    tape_forget(&R, 0);
    scope_close(&s);
    arith_close(&R);
    arith three = arith_fp(3, key), over = tape_over(&three, (tape_rules){ .key = { 3, 4 }, .range = 1, .kappa = 1 });
    scope small_field = scope_open(&over, SEED, 1);
    (void)mat_rowmap(&small_field, mat_identity(&small_field, 2), &how, (place){ 0, 0, 0 });
    ck_assert_int_eq(small_field.status, UNDECIDED);         /* units 1 and -1 are too few */
    tape_forget(&over, 0);
    scope_close(&small_field);
    arith_close(&over);
}
END_TEST

/* A random 60 x 3k times a random 3k x 70 one, times powers of two by rows and columns up to 2^+-s, in the fast way and
 * by elimination alone; and matrices whose entries doubles do not hold or whose rank they do not see. */
START_TEST(large_ranks_in_balls)
{
    arith R = arith_arb(320);
    for (long k = 1; k <= 20; k += 3)
        for (long spread = 0; spread <= 60; spread += 30) {
            scope s = scope_open(&R, SEED, (uint64_t)(k + spread));
            const mat *C = mat_mul(&s, mat_draw(&s, "A", 60, 3 * k, 0), mat_draw(&s, "B", 3 * k, 70, 0));
            arb_mat_struct *balls = arith_arb_balls(C);
            for (long i = 0; i < 60; i++)
                for (long j = 0; j < 70; j++)
                    arb_mul_2exp_si(arb_mat_entry(balls, i, j), arb_mat_entry(balls, i, j),
                                    spread / 4 * (i * 7 % 5 - j * 3 % 5));
            ck_assert_int_eq(rank_arb(balls, 320), 3 * k);
            ck_assert_int_eq(rank_at_least(&s, mat_t(&s, C)), 3 * k);
            arb_mul_2exp_si(arb_mat_entry(balls, 0, 0), arb_mat_entry(balls, 0, 0), 4000);     /* no double */
            ck_assert_int_eq(rank_arb(balls, 320), 3 * k + 1);
            scope_close(&s);
        }
    arb_mat_t D;                                            /* ones and 2^-100, then wider balls */
    arb_mat_init(D, 70, 70);
    for (long i = 0; i < 50; i++) {
        arb_ptr x = arb_mat_entry(D, i, 69 - i);
        arb_one(x);
        arb_mul_2exp_si(x, x, -100 * (i % 2));
    }
    ck_assert_int_eq(rank_arb(D, 128), 50);
    for (long i = 50; i < 70; i++) arb_add_error_2exp_si(arb_mat_entry(D, i, 69 - i), -20);
    ck_assert_int_eq(rank_arb(D, 128), 50);
    for (long i = 0; i < 50; i++) arb_add_error_2exp_si(arb_mat_entry(D, i, 69 - i), -50);
    ck_assert_int_eq(rank_arb(D, 128), 25);                 /* of 2^-100 no more is known */
    for (long i = 0; i < 70; i++)
        for (long j = 0; j < 70; j++) {
            arb_set_si(arb_mat_entry(D, i, j), i * j % 71);
            arb_add_error_2exp_si(arb_mat_entry(D, i, j), 8);
        }
    ck_assert_int_eq(rank_arb(D, 128), 0);                  /* regular midpoints, every ball with 0 */
    arb_mat_clear(D);
}
END_TEST

START_TEST(ranks_in_balls)
{
    arith R = arith_arb(128), doubles = arith_f64();
    scope s = scope_open(&R, SEED, 1), f = scope_open(&doubles, SEED, 1);
    const mat *A = mat_draw(&s, "A", 7, 3, 0), *B = mat_draw(&s, "B", 3, 6, 0);
    ck_assert_int_eq(rank_at_least(&s, mat_mul(&s, A, B)), 3);
    ck_assert_int_eq(rank_at_least(&s, mat_zero(&s, 3, 3)), 0);
    ck_assert_int_eq(rank_at_least(&f, mat_identity(&f, 3)), -1);
    ck_assert_int_eq(f.status, UNDECIDED);
    scope_close(&s);
    scope_close(&f);
}
END_TEST

/* ---- the ledger's numbers, written out: d = 4, h = 2, L = 2, m = 6 ---------------------------------------------------- */

typedef struct { const char *architecture; long nullity; } known;
static const known ledger[] = {
    { "all-skip", 52 }, { "attn-skip", 84 }, { "mlp-skip", 84 }, { "skipless", 116 }, { "attn-skip+tied", 64 },
    { "all-skip+tied", 38 }, { "all-skip+shared", 36 }, { "all-skip+rope", 44 }, { "all-skip+qk-norm", 40 },
    { "all-skip+gqa", 36 }, { "all-skip+biases", 84 }, { "all-skip+rms", 62 }, { "all-skip+layer-norm", 129 },
    { "parallel", 52 }, { "parallel-skipless", 84 }, { "all-skip+no-positions", 48 }, { "all-skip+rms+shared", 38 },
    { "all-skip+layer-norm+tied+no-positions", 104 }, { "skipless+biases+no-positions", 144 },
    { "attn-skip+rms+no-positions", 70 },
};

static dimension find(const dimension_of *what)
{
    arith R = arith_fp(2305843009213693921u, key);
    const dimension D = dimension_find(&R, what, SEED, 3);
    arith_close(&R);
    return D;
}

START_TEST(nullities)
{
    dimension_of what = { .sh = { .n = 3, .d = 4, .h = 2, .m = 6, .V = 6, .L = 2, .act = ACT_GELU } };
    ck_assert_ptr_null(architecture_parse(&what.sh, &what.unit_gains, ledger[_i].architecture));
    ck_assert_ptr_null(shape_complete(&what.sh));
    const dimension D = find(&what);
    ck_assert_int_eq(D.is, HOLDS);
    ck_assert(D.null);
    ck_assert_int_eq(D.parameters, parameters_stored(&what.sh, what.unit_gains));
    ck_assert_int_eq(D.parameters - D.rank, ledger[_i].nullity);
    ck_assert_int_eq(D.gauge, ledger[_i].nullity);
    ck_assert_int_eq(nullity_predicted(&what.sh, what.unit_gains), ledger[_i].nullity);
}
END_TEST

/* What is lost with W_Q = I, written out, d = 4, h = 2, m = V = 6: in all layers, or in the first. */
static const struct { const char *architecture; long L, layers, lost; } deficits[] = {
    { "all-skip", 2, 2, 8 }, { "all-skip", 3, 2, 8 }, { "attn-skip", 2, 2, 0 }, { "all-skip+tied", 2, 2, 12 },
    { "attn-skip+tied", 2, 2, 0 }, { "all-skip+rms", 2, 1, 4 }, { "all-skip+rms", 2, 2, 12 }, { "attn-skip+rms", 2, 2, 8 },
    { "all-skip+rms+shared", 3, 3, 4 }, { "all-skip+rms+tied", 2, 2, 16 }, { "all-skip+layer-norm", 2, 1, 1 },
    { "attn-skip+layer-norm", 2, 2, 2 }, { "all-skip+layer-norm+tied", 3, 3, 12 }, { "all-skip+layer-norm+gqa", 2, 2, 9 },
    { "all-skip+rms+gqa", 2, 2, 14 }, { "all-skip+tied+gqa", 2, 2, 19 }, { "all-skip+rms+rope", 1, 1, 4 },
    { "all-skip+rms+rope+gqa", 2, 2, 16 }, { "all-skip+tied+rope", 2, 2, 20 }, { "all-skip+qk-norm", 2, 2, 14 },
    { "all-skip+layer-norm+qk-norm", 2, 2, 9 }, { "all-skip+rms+rope+qk-norm+gqa", 2, 2, 16 },
    { "all-skip+rms+qk-gains", 2, 2, 18 }, { "parallel+layer-norm+tied", 2, 2, 8 }, { "all-skip+rms+no-positions", 2, 2, 12 },
};
START_TEST(what_identity_queries_lose)
{
    dimension_of what = { .sh = small(deficits[_i].architecture, &what.unit_gains) };
    what.sh.m = what.sh.V = 6;
    what.sh.L = deficits[_i].L;
    const dimension full = find(&what);
    what.without_query = ((uint64_t)1 << deficits[_i].layers) - 1;
    const dimension reduced = find(&what);
    ck_assert(full.rank + full.gauge == full.parameters && reduced.rank + reduced.gauge == reduced.parameters);
    ck_assert_int_eq(full.rank - reduced.rank, deficits[_i].lost);
    ck_assert_int_eq(deficit_predicted(&what.sh, what.unit_gains, deficits[_i].layers), deficits[_i].lost);
}
END_TEST

/* Where E alone reaches a norm, any table N(E) can be reached, so GL(d) moves it: the formulas must not speak. */
START_TEST(what_no_formula_covers)
{
    static const char *const uncovered[] = { "skipless+rms+no-positions", "mlp-skip+layer-norm+no-positions" };
    for (size_t k = 0; k < COUNT(uncovered); k++) {
        dimension_of what = { .sh = small(uncovered[k], &what.unit_gains) };
        what.sh.m = what.sh.V = 6;
        const dimension D = find(&what);
        ck_assert_int_gt(D.parameters - D.rank, D.gauge);
        ck_assert_int_eq(nullity_predicted(&what.sh, false), -1);
        ck_assert_int_eq(deficit_predicted(&what.sh, false, 2), -1);
    }
}
END_TEST

/* Gains that the readers of a norm took are no parameters, and the functions are as many. */
START_TEST(folded_gains)
{
    dimension_of what = { .sh = small("all-skip+rms", &what.unit_gains) };
    what.sh.m = what.sh.V = 6;
    const dimension free = find(&what);
    what.folded_gains = true;
    const dimension folded = find(&what);
    ck_assert_int_eq(free.rank, folded.rank);
    ck_assert_int_eq(free.parameters - folded.parameters, 5 * 4);
    ck_assert_int_eq(folded.rank + folded.gauge, folded.parameters);
    what.without_query = 3;
    what.frozen_query = true;
    ck_assert_int_eq(folded.rank - find(&what).rank, 2 * (16 - 8) - 6);      /* no X is diag(A) at a general W_Q */
}
END_TEST

/* Without any one factor of the gauge the bounds stay apart, by the factor's dimension. */
START_TEST(every_factor_counts)
{
    static const struct { unsigned factor; const char *architecture; long dimension; } factors[] = {
        { GAUGE_STREAM, "all-skip", 16 },        { GAUGE_QUERY_KEY, "all-skip", 16 },
        { GAUGE_VALUE_OUTPUT, "all-skip", 16 },  { GAUGE_POSITION, "all-skip", 4 },
        { GAUGE_UNITS, "all-skip+gated", 12 },   { GAUGE_BIASES, "all-skip+biases", 32 },
        { GAUGE_NORMS, "all-skip+rms", 20 },     { GAUGE_ROUTER, "all-skip+moe", 8 },
    };
    dimension_of what = { .sh = small(factors[_i].architecture, &what.unit_gains) };
    what.sh.m = 6;
    what.sh.V = 6;
    what.gauge = GAUGE_ALL & ~factors[_i].factor;
    const dimension D = find(&what);
    ck_assert(D.null);
    ck_assert_int_eq(D.parameters - D.rank - D.gauge, factors[_i].dimension);
}
END_TEST

/* Holding W_Q of one layer fixed spends d^2; too few sequences give a false nullity. */
START_TEST(what_is_fixed)
{
    dimension_of what = { .sh = small("all-skip", &what.unit_gains), .without_query = 1, .frozen_query = true };
    what.sh.V = 6;
    const dimension fixed = find(&what);
    ck_assert_int_eq(fixed.parameters - fixed.rank, 52 - 16);
    ck_assert_int_eq(fixed.gauge, 52 - 16);
    ck_assert_int_eq(fixed.fixed_directions, 16);
    what.without_query = 0;
    what.sequences = 6;
    const dimension few = find(&what);
    ck_assert_int_gt(few.parameters - few.rank, 52);
    ck_assert_int_eq(few.gauge, 52);
}
END_TEST

/* W_K or W_V of a layer can be I as W_Q can; with both d^2 - h dk^2 = 8 dimensions are lost, with W_Q and W_K 10. */
START_TEST(key_and_value_are_fixed)
{
    static const struct { uint64_t query, key, value; long lost; } cases[] = {
        { 0, 0, 0, 0 }, { 2, 0, 0, 0 }, { 0, 2, 0, 0 }, { 0, 0, 2, 0 }, { 0, 2, 2, 8 }, { 2, 2, 0, 10 }, { 2, 2, 2, 18 },
        { 0, 3, 0, 8 } };
    dimension_of what = { .sh = small("all-skip", &what.unit_gains) };
    what.sh.V = 6;
    const dimension all = find(&what);
    what.without_query = cases[_i].query;
    what.without_key = cases[_i].key;
    what.without_value = cases[_i].value;
    const dimension fixed = find(&what);
    const long matrices = __builtin_popcountll(cases[_i].query) + __builtin_popcountll(cases[_i].key)
                        + __builtin_popcountll(cases[_i].value);
    ck_assert(fixed.null);
    ck_assert_int_eq(fixed.parameters, all.parameters - 16 * matrices);
    ck_assert_int_eq(fixed.rank + fixed.gauge, fixed.parameters);
    ck_assert_int_eq(all.rank - fixed.rank, cases[_i].lost);
}
END_TEST

START_TEST(no_room)
{
    dimension_of what = { .sh = { .n = 9, .d = 16, .h = 1, .m = 2, .V = 2, .L = 1, .rope = true } };
    const dimension D = find(&what);                         /* 5^(8 * 8) is beyond the field */
    ck_assert_int_eq(D.is, UNDECIDED);
    ck_assert_ptr_nonnull(strstr(D.why, "RoPE"));
    bool unit_gains;
    ck_assert_ptr_null(architecture_parse(&what.sh, &unit_gains, "skipless+qk-norm"));
    ck_assert(unit_gains && what.sh.qk_norm);
    ck_assert_ptr_null(architecture_parse(&what.sh, &unit_gains, "skipless+qk-gains"));
    ck_assert(!unit_gains);
    arith small_prime = arith_fp(10007, key), own;
    trial t = { .s = scope_open(&small_prime, 1, 1) };
    ck_assert(!claim_field(&t, &own));
    ck_assert_int_eq(t.s.status, UNDECIDED);                 /* a low rank there would say nothing */
    scope_close(&t.s);
    ck_assert_ptr_eq(architecture_parse(&what.sh, &unit_gains, "all-skip+nonsense"), architecture_words);
}
END_TEST

/* ---- contracts ---------------------------------------------------------------------------------------------------------- */

typedef struct { arith base, R; scope s, tape; const mat *A; } world;
typedef struct { const char *says; void (*breaks)(world *w); } contract;

static void over_doubles(world *w)     { (void)w; arith f = arith_f64(); tape_over(&f, (tape_rules){ .range = 1, .kappa = 1 }); }
static void no_range(world *w)         { tape_over(&w->base, (tape_rules){ .range = 0, .kappa = 1 }); }
static void seed_of_tape(world *w)     { tape_backward(&w->R, w->A, w->A); }
static void seed_too_small(world *w)   { tape_backward(&w->R, w->A, mat_identity(&w->s, 3)); }
static void future(world *w)           { tape_forget(&w->R, 1000); }
static void no_samples(world *w)       { jacobian(&w->s, &w->tape, &(family){ .samples = 0, .per_sample = 1 }); }
static void bad_shape(world *w)        { dimension_find(&w->base, &(dimension_of){ .sh = { .n = 1 } }, 1, 1); }
static void narrow_key(world *w)
{
    const shape two_to_a_key = { .n = 2, .d = 4, .h = 2, .h_kv = 1, .m = 2, .V = 3, .L = 1 };
    dimension_find(&w->base, &(dimension_of){ .sh = two_to_a_key, .without_key = 1 }, 1, 1);
}
static void unknown_family(world *w)   { (void)w; dimension_family_named((shape){ .n = 2 }, "all-skip+nothing"); }
static void no_layers(world *w)        { stack_random(&w->s, (stack_shape){ .N = 2, .T = 2, .H = 1 }); }
static void odd_heads(world *w)        { stack_random(&w->s, (stack_shape){ .S = 1, .N = 3, .T = 2, .H = 2 }); }
static void collapsed_twice(world *w)  { stack_collapse(&w->s, &(stack){ .s = { .form = STACK_COLLAPSED } }); }
static void too_many(world *w)
{
    static parameters P;
    P.n = MAX_PARAMETERS;
    parameters_add(&P, w->A, false, false);
}
static void no_parameter(world *w)
{
    static parameters P;
    parameters_add(&P, w->A, false, false);
    parameters_place(&P);
    const model M = model_random(&w->tape, (shape){ .n = 2, .d = 2, .h = 1, .m = 2, .V = 3, .L = 1 });
    gauge_tangents(&w->s, &M, &P, GAUGE_POSITION, false);
}
static void licence_of(world *w, shape sh)
{
    trial t = { .s = w->s, .sh = sh };
    ck_assert_ptr_null(shape_complete(&t.sh));
    claim_exponential_independence(&t, true);
}
static void many_scores(world *w)    { licence_of(w, (shape){ .n = 2, .d = 64, .h = 64, .m = 1, .V = 3, .L = 3 }); }
static void many_arguments(world *w) { licence_of(w, (shape){ .n = 4, .d = 2, .h = 1, .m = 1, .V = 50, .L = 1 }); }

static const contract contracts[] = {
    { "a tape over f64", over_doubles }, { "range 0, kappa 1", no_range }, { "its seed over tape", seed_of_tape },
    { "2x2 seeded by 3x3", seed_too_small }, { "mark 1000 of", future }, { "0 samples, 1 functionals", no_samples },
    { "h must be", bad_shape }, { "W_K and W_V of 2 columns", narrow_key }, { "all-skip+nothing: all-skip", unknown_family }, { "S=0 N=2 T=2", no_layers }, { "2 heads of 3", odd_heads }, { "form 3", collapsed_twice },
    { "4096 parameter matrices", too_many }, { "that is no parameter", no_parameter },
    { "1024 matrices of scores", many_scores }, { "2000 arguments", many_arguments },
};

static void provoke(void *which)
{
    const contract *c = which;
    static world w;
    w.base = arith_fp(2305843009213693951u, key);
    w.R = tape_over(&w.base, (tape_rules){ .range = 9, .kappa = 1 });
    w.s = scope_open(&w.base, 1, 1);
    w.tape = scope_open(&w.R, 1, 1);
    w.A = mat_identity(&w.tape, 2);
    contract_set_handler(contract_exits);
    c->breaks(&w);
}

START_TEST(contract_fires)
{
    char output[1024];
    const int status = run_child(provoke, (void *)(uintptr_t)&contracts[_i], output, sizeof output);
    ck_assert_msg(status == CONTRACT_STATUS, "%s: status %d, output: %s", contracts[_i].says, status, output);
    ck_assert_msg(strstr(output, contracts[_i].says) != NULL, "%s: output: %s", contracts[_i].says, output);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("rank");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 0);
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, gradients, 0, COUNT(switches));
    tcase_add_loop_test(all, tangents_are_null, 0, COUNT(switches));
    tcase_add_test(all, single_rules);
    tcase_add_test(all, exponential_is_formal);
    tcase_add_test(all, ranks_in_balls);
    tcase_add_test(all, large_ranks_in_balls);
    tcase_add_loop_test(all, nullities, 0, COUNT(ledger));
    tcase_add_loop_test(all, every_factor_counts, 0, 8);
    tcase_add_test(all, what_is_fixed);
    tcase_add_loop_test(all, what_identity_queries_lose, 0, COUNT(deficits));
    tcase_add_test(all, what_no_formula_covers);
    tcase_add_test(all, folded_gains);
    tcase_add_loop_test(all, key_and_value_are_fixed, 0, 8);
    tcase_add_test(all, no_room);
    tcase_add_loop_test(all, contract_fires, 0, COUNT(contracts));
    return run_suite(suite, argc, argv);
}
