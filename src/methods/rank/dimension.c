/* SPDX-License-Identifier: GPL-3.0-or-later
 * dimension.c - a transformer as a family of functions: its parameters, its output for one sequence, its rank and
 * its gauge: see dimension.h. */
#include "src/methods/rank/dimension.h"
#include <stdlib.h>
#include "numerics/random.h"

enum { SPARE_ROWS = 12, PER_SEQUENCE = 4, MAX_RANGE = 100 };

typedef struct { const model *M; uint64_t key[2]; long sequences; } tokens;

/* Token i of sequence number k.  Where there are few sequences they are all taken in turn (k written in base V, after
 * a step prime to V^n); otherwise tokens are random. */
static long token(const tokens *T, uint64_t k, long i)
{
    const uint64_t V = (uint64_t)T->M->s.V;
    uint64_t all = 1, digit = k * 1000003;
    for (long j = 0; j < T->M->s.n; j++) all = all < 1000000 ? all * V : all;
    if (all >= 1000000) return (long)random_below(T->key, k * (uint64_t)T->M->s.n + (uint64_t)i, V);
    digit %= all;
    for (long j = 0; j < i; j++) digit /= V;
    return (long)(digit % V);
}

/* Logits of M for sequence number k. */
static const mat *logits(scope *s, const void *with, long k)
{
    const tokens *T = with;
    model M = *T->M;
    const long n = M.s.n, V = M.s.V;
    int64_t *one_hot = scope_alloc(s, (size_t)(n * V) * sizeof *one_hot);
    for (long i = 0; i < n; i++) one_hot[i * V + token(T, (uint64_t)(k % T->sequences), i)] = 1;
    M.tokens = mat_dyadic(s, n, V, one_hot, 0);
    return model_forward(s, &M);
}

/* ---- parameters --------------------------------------------------------------------------------------------- */

static bool in_layer(uint64_t layers, long i) { return layers >> i & 1; }

static void add_layer(parameters *P, const layer *W, const shape *sh, const dimension_of *what, long i)
{
    const bool others = what->only_query_key;
    parameters_add(P, W->Q, false, in_layer(what->without_query, i));
    parameters_add(P, W->K, false, in_layer(what->without_key, i));
    parameters_add(P, W->V, false, others || in_layer(what->without_value, i));
    parameters_add(P, W->bQ, false, others);
    parameters_add(P, W->bK, false, others);
    parameters_add_all(P, 5, (const mat *const[]){ W->O, W->router, W->bV, W->bO, W->bias1 }, others);
    if (!sh->parallel) parameters_add(P, W->bias2, false, others);         /* a parallel block has one norm */
    if (!what->folded_gains) {
        parameters_add(P, W->gain1, true, others);
        if (!sh->parallel) parameters_add(P, W->gain2, true, others);
    }
    if (!what->unit_gains) {
        parameters_add(P, W->gain_q, true, others);
        parameters_add(P, W->gain_k, true, others);
    }
    for (long e = 0; e < (sh->experts ? sh->experts : 1); e++) {
        const mlp *F = &W->expert[e];
        const mat *of_mlp[] = { F->up, F->gate, F->down, F->b_up, F->b_gate, F->b_down };
        parameters_add_all(P, 6, of_mlp, others);
    }
}

static void all_parameters(parameters *P, const model *M, const dimension_of *what)
{
    const bool others = what->only_query_key;
    for (long i = 0; i < M->s.L; i++) add_layer(P, &M->at[i], &M->s, what, i);
    parameters_add(P, M->E, false, others);
    parameters_add(P, M->P, false, others);
    parameters_add(P, M->head, false, others);
    if (!what->folded_gains || M->s.tied) parameters_add(P, M->gain_f, true, others);
    parameters_add(P, M->bias_f, false, others);
    parameters_place(P);
}

/* ---- the field's rules ------------------------------------------------------------------------------------------ */

/* kappa clears the denominators of RoPE in first-layer scores, 5^((dk/2)(n-1)); range is the largest for which they
 * stay below p/2: |u| <= 2R, |q|, |k| <= 2 d R^2 + R, |score| <= dk |q||k|.  Range 0: there is none. */
static tape_rules rules(const arith *over, const shape *sh, uint64_t seed, uint64_t stream)
{
    tape_rules how = { .range = MAX_RANGE, .kappa = 1 };
    double kappa = 1;
    random_key_derive(how.key, (uint64_t[]){ seed, stream }, "opaque functions");
    if (over->kind != A_FP) return how;
    for (long k = 0; sh->rope && k < sh->dk / 2 * (sh->n - 1); k++) kappa *= 5;
    for (; how.range > 0; how.range--) {
        const double R = (double)how.range, q = 2 * (double)sh->d * R * R + R;
        if (kappa * (double)sh->dk * q * q < (double)over->prime / 4) break;
    }
    how.kappa = how.range ? (int64_t)kappa : 1;
    return how;
}

/* ---- rank and gauge ---------------------------------------------------------------------------------- */

/* Fixed weights: W_Q, W_K, W_V = I; unit gains of QK-norm; gains that are folded into what reads the norm. */
static void fix(scope *s, model *M, const dimension_of *what)
{
    for (long i = 0; i < M->s.L; i++) {
        layer *W = &M->at[i];
        if (what->unit_gains && W->gain_q) W->gain_q = W->gain_k = mat_identity(s, M->s.dk);
        if (what->folded_gains && W->gain1) W->gain1 = W->gain2 = mat_identity(s, M->s.d);
        if (in_layer(what->without_query, i) && !what->frozen_query) W->Q = mat_identity(s, M->s.d);
        if (in_layer(what->without_key, i))   W->K = mat_identity(s, M->s.d);
        if (in_layer(what->without_value, i)) W->V = mat_identity(s, M->s.d);
        const long b = shape_block(&M->s, i);
        if (b < i) *W = M->at[b];
    }
    if (what->folded_gains && M->gain_f && !M->s.tied) M->gain_f = mat_identity(s, M->s.d);
}

static long rank_of_columns(scope *s, const mat *N, long from, long n)
{
    return n ? rank_at_least(s, mat_cols(s, N, from, n)) : 0;
}

typedef struct { const mat *J, *N; } rows_of;        /* of the Jacobian, of the gauge's tangents; NULL: undecided */

static rows_of jacobian_and_tangents(scope *s, scope *tape, const dimension_of *what, parameters *P, long per_sequence)
{
    model M = model_random(tape, what->sh);
    fix(tape, &M, what);
    all_parameters(P, &M, what);
    tokens T = { .M = &M, .key = { tape->key[0] ^ 1, tape->key[1] } };
    const long wanted = (P->free + SPARE_ROWS) / (PER_SEQUENCE - 1) + 1;
    T.sequences = what->sequences && what->sequences < wanted ? what->sequences : wanted;
    const family F = { .P = P, .output = logits, .with = &T, .samples = wanted, .per_sample = per_sequence };
    const mat *J = jacobian(s, tape, &F);
    if (s->status != HOLDS) return (rows_of){ 0 };
    return (rows_of){ J, gauge_tangents(s, &M, P, what->gauge ? what->gauge : GAUGE_ALL, what->unit_gains) };
}

/* J N' times two random columns: 0 if J N' is; and over fp only then, up to an error that deg counts. */
static const mat *image(scope *s, rows_of A)
{
    return mat_mul(s, A.J, mat_mul(s, mat_t(s, A.N), mat_draw(s, "combinations", A.N->rows, 2, 0)));
}

static dimension measure(scope *s, scope *tape, const dimension_of *what, parameters *P)
{
    dimension D = { .is = HOLDS, .prime = s->R->prime };
    const rows_of A = jacobian_and_tangents(s, tape, what, P, PER_SEQUENCE);
    if (!A.J) return D;
    const mat *zero = image(s, A);
    D.parameters = P->free;
    D.rank = rank_of_columns(s, A.J, 0, P->free);
    D.null = mat_compare(zero, mat_zero(s, zero->rows, zero->cols), 0).is != REFUTED;
    D.fixed_directions = rank_of_columns(s, A.N, P->free, P->frozen);
    D.gauge = rank_at_least(s, A.N) - D.fixed_directions;    /* those that leave fixed weights alone */
    return D;
}

/* The family over a field: functions are opaque there. */
static dimension_of over_field(const dimension_of *what, bool field)
{
    dimension_of w = *what;
    const char *wrong = shape_complete(&w.sh);
    REQUIRE(!wrong, "%s", wrong);
    const long columns = w.sh.h_kv * w.sh.dk;
    REQUIRE(!(what->without_key | what->without_value) || columns == w.sh.d,
            "W_K and W_V of %ld columns cannot be the identity", columns);
    w.sh.attention = ROWMAP_SOFTMAX;
    if (field && w.sh.act != ACT_IDENTITY && w.sh.act != ACT_RELU) w.sh.act = ACT_OPAQUE;
    return w;
}

gauge_image dimension_image(scope *s, const dimension_of *what)
{
    const dimension_of w = over_field(what, true);
    tape_rules how = { .range = 1, .kappa = 1, .afresh = true };
    random_key_derive(how.key, s->key, "opaque functions, afresh");
    arith R = tape_over(s->R, how);
    scope tape = scope_open(&R, s->key[0], s->key[1]);
    parameters *P = must_calloc(1, sizeof *P);
    const rows_of A = jacobian_and_tangents(s, &tape, &w, P, 1);      /* a random functional will do */
    gauge_image G = { 0 };
    if (A.J) {
        G.of_all = image(s, A);
        if (P->frozen) G.fixed = mat_cols(s, A.N, P->free, P->frozen);
    }
    free(P);
    tape_forget(&R, 0);
    scope_close(&tape);
    arith_close(&R);
    return G;
}

dimension dimension_find(const arith *over, const dimension_of *what, uint64_t seed, uint64_t stream)
{
    const dimension_of w = over_field(what, over->kind == A_FP);
    const tape_rules how = rules(over, &w.sh, seed, stream);
    if (!how.range)
        return (dimension){ .is = UNDECIDED, .why = "RoPE's scores do not fit into the field: take smaller dk or n" };
    arith R = tape_over(over, how);
    scope s = scope_open(over, seed, stream), tape = scope_open(&R, seed, stream);
    parameters *P = must_calloc(1, sizeof *P);
    dimension D = measure(&s, &tape, &w, P);
    if (s.status != HOLDS || tape.status != HOLDS) {
        D.is = UNDECIDED;
        D.why = s.status != HOLDS ? s.why : tape.why;
    }
    free(P);
    tape_forget(&R, 0);
    scope_close(&tape);
    scope_close(&s);
    arith_close(&R);
    return D;
}
