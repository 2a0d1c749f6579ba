/* SPDX-License-Identifier: GPL-3.0-or-later
 * trained_gap_measure.c - the curves of a trained model: see trained_gap_measure.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/experiments/trained_gap_measure.h"
#include "src/model/gauge.h"
#include "src/train/gpt_model.h"
#include "src/train/spectra.h"

static const double NOISE = 0x1p-26, UNIT = 0x1p-53;

/* ---- the function on the windows ------------------------------------------------------------------------- */

typedef struct {
    long     B, T, V;
    int32_t *token, *target;             /* B x T                                                       */
    double  *position;                   /* B x T: losses                                               */
} windows;
typedef struct { double *loss, *logits; } outputs;       /* B; B x T x V                                */

static windows windows_of(const tokens *text, const gpt_config *c, long B)
{
    const long T = c->T;
    windows w = { B, T, c->V, must_calloc((size_t)(B * T), sizeof(int32_t)),
                  must_calloc((size_t)(B * T), sizeof(int32_t)), must_calloc((size_t)(B * T), sizeof(double)) };
    REQUIRE(text->n > (size_t)(B * T), "%zu tokens for %ld windows of %ld", text->n, B, T);
    for (long b = 0; b < B; b++) tokens_window(text, (size_t)(b * T), T, w.token + b * T, w.target + b * T);
    return w;
}

static void windows_free(windows *w)
{
    free(w->token);
    free(w->target);
    free(w->position);
}

static outputs outputs_new(const windows *w)
{
    return (outputs){ must_calloc((size_t)w->B, sizeof(double)),
                      must_calloc((size_t)(w->B * w->T * w->V), sizeof(double)) };
}

static void outputs_free(outputs *y)
{
    free(y->loss);
    free(y->logits);
}

static void run(gpt *M, const windows *w, outputs *y)
{
    gpt_logits(M, w->token, w->B, y->logits);
    gpt_loss(M, w->token, w->target, w->B, w->position, 0);
    for (long b = 0; b < w->B; b++) {
        y->loss[b] = 0;
        for (long t = 0; t < w->T; t++) y->loss[b] += w->position[b * w->T + t] / (double)w->T;
    }
}

static double larger(double a, double b) { return isnan(b) || b > a ? (isnan(b) ? INFINITY : b) : a; }

static gap_point difference(const windows *w, const outputs *a, const outputs *b)
{
    gap_point p = { .condition = 1 };
    double squares = 0;
    for (long k = 0; k < w->B; k++) {
        const double gap = fabs(a->loss[k] - b->loss[k]);
        p.largest = larger(p.largest, gap);
        squares += gap * gap;
    }
    p.rms = sqrt(squares / (double)w->B);
    for (long k = 0; k < w->B * w->T * w->V; k++) p.logits = larger(p.logits, fabs(a->logits[k] - b->logits[k]));
    return p;
}

/* ---- what a model brings ----------------------------------------------------------------------------------- */

typedef enum { TURN_HEAD, ONE_BASIS_EACH, BOTH_SKIPS } way;      /* which of the three kinds of change       */

typedef struct {
    const gpt_config *c;
    gpt_config reduced;                  /* of the models on the way: without gains, W_Q at its place        */
    way      how;
    gpt     *N;
    windows  w;
    outputs  original, now;
    double   sensitivity, logits_sensitivity;            /* A of the estimate of rounding                    */
    double   loss_size, logits_size;     /* the largest of M's: their own rounding                           */
    scope    s;
    model    W;                          /* gains folded, Q of the size of an orthogonal matrix              */
    const mat *A[MAX_LAYERS + 1];        /* the changes at t = 0                                             */
    const mat *allowed[MAX_LAYERS + 1];  /* their projections                                                */
} study;

static double frobenius(const mat *A)
{
    double squares = 0;
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) squares += mat_get_d(A, i, j) * mat_get_d(A, i, j);
    return sqrt(squares);
}

static const mat *times(scope *s, double c, const mat *A) { return mat_scale_by(s, gpt_model_matrix(s, 1, 1, &c), A); }

/* Prop. 3.2 with D = c I: the scores stay as they are. */
static model with_sized_queries(scope *s, const model *M)
{
    model R = *M;
    for (long i = 0; i < M->s.L; i++) {
        const double size = frobenius(M->at[i].Q) / sqrt((double)M->s.d);
        if (!(size > 0)) die("the W_Q of block %ld is 0; train with another seed", i);
        R.at[i].Q = times(s, 1 / size, M->at[i].Q);
        R.at[i].K = times(s, size, M->at[i].K);
    }
    return R;
}

/* The skew part of P A P, P = I - 11'/d: rotations that fix the mean direction. */
static const mat *rotation_part(scope *s, const mat *A)
{
    const mat *P = mat_centering(s, A->rows), *B = mat_mul3(s, P, A, P);
    return mat_scale(s, 1, -1, mat_sub(s, B, mat_t(s, B)));
}

static bool has_same_basis_everywhere(const study *y) { return y->how == BOTH_SKIPS; }

static void set_changes(study *y)
{
    scope *s = &y->s;
    const long L = y->W.s.L, d = y->W.s.d;
    const mat *one = mat_identity(s, d), *sum = mat_zero(s, d, d);
    for (long i = 0; i < L; i++) {
        const mat *Q = y->W.at[i].Q;
        y->A[i] = mat_sub(s, y->how == TURN_HEAD ? mat_inv(s, Q) : Q, one);
        sum = mat_add(s, sum, y->A[i]);
    }
    y->A[L] = mat_zero(s, d, d);
    const mat *mean = times(s, 1 / (double)(L + 1), sum);
    for (long i = 0; i <= L; i++) {
        y->allowed[i] = has_same_basis_everywhere(y) ? mean : y->A[i];
        if (y->c->norm && y->how != TURN_HEAD) y->allowed[i] = rotation_part(s, y->allowed[i]);
    }
}

static bool all_is_allowed(const study *y) { return y->how == TURN_HEAD || (!y->c->norm && y->how == ONE_BASIS_EACH); }

/* ---- one point of a curve ------------------------------------------------------------------------------------ */

/* Theta(2^-k), on the straight line or, for rotations, Cayley's curve. */
static const mat *basis_at(scope *s, const mat *A, int k, bool rotation)
{
    const mat *one = mat_identity(s, A->rows);
    if (!rotation) return mat_add(s, one, mat_scale(s, 1, -k, A));
    const mat *half = mat_scale(s, 1, -k - 1, A);
    return mat_mul(s, mat_inv(s, mat_sub(s, one, half)), mat_add(s, one, half));
}

/* at[2i] in front of block i, at[2i+1] between its attention and its MLP, at[2L] before the head. */
static long place_of_middle(const gpt_config *c, long i) { return c->mlp_skip && !c->attn_skip ? i + 1 : i; }

static model in_bases(scope *s, const study *y, const mat *const A[], int k, bool rotation)
{
    basis at[2 * MAX_LAYERS + 1] = { { NULL, NULL } };
    const long L = y->W.s.L;
    for (long i = 0; i <= L; i++) at[2 * i] = gauge_basis(s, basis_at(s, A[i], k, rotation));
    if (y->W.s.tied) at[2 * L] = gauge_basis(s, mat_t(s, at[0].from));
    for (long i = 0; i < L; i++) at[2 * i + 1] = at[2 * place_of_middle(y->c, i)];
    return gauge_stream(s, &y->W, at);
}

/* One head: W_Q D and W_K D'^-1. */
static model turned(scope *s, const study *y, const mat *const A[], int k)
{
    model R = y->W;
    for (long i = 0; i < R.s.L; i++) {
        const mat *D = basis_at(s, A[i], k, false);
        gauge_query_key(s, &R.s, &R.at[i], &D);
    }
    return R;
}

static double away_from_identity(const model *R)
{
    double most = 0;
    for (long l = 0; l < R->s.L; l++)
        for (long i = 0; i < R->s.d; i++)
            for (long j = 0; j < R->s.d; j++) most = larger(most, fabs(mat_get_d(R->at[l].Q, i, j) - (i == j)));
    return most;
}

static gap_point point_at(study *y, const mat *const A[], int k, bool rotation, bool keys_left)
{
    scope s = scope_open(y->s.R, 0, 0);
    model R = y->how == TURN_HEAD ? turned(&s, y, A, k) : in_bases(&s, y, A, k, rotation);
    if (s.status != HOLDS) die("a basis on the way to W_Q = I is singular; train with another seed");
    for (long i = 0; keys_left && i < R.s.L; i++) R.at[i].K = y->W.at[i].K;
    gpt_from_model(y->N, &y->reduced, &R);
    run(y->N, &y->w, &y->now);
    gap_point p = difference(&y->w, &y->original, &y->now);
    p.condition = fmax(1, s.kappa);
    p.query = away_from_identity(&R);
    p.bound = 16 * UNIT * ((p.condition + 16) * y->sensitivity + y->loss_size);
    p.logits_bound = 16 * UNIT * ((p.condition + 16) * y->logits_sensitivity + y->logits_size);
    scope_close(&s);
    return p;
}

/* ---- to first order -------------------------------------------------------------------------------------------- */

/* The derivative of the weights along a curve at t = 0, in place of the weights. */
static model derivative(scope *s, const study *y, const mat *const A[])
{
    model D = y->W;
    const long L = D.s.L;
    const bool stream = y->how != TURN_HEAD;
    const mat *none = mat_zero(s, D.s.d, D.s.d);
    if (stream) {
        D.E = mat_mul(s, D.E, A[0]);
        D.P = mat_mul(s, D.P, A[0]);
        if (!D.s.tied) D.head = mat_neg(s, mat_mul(s, A[L], D.head));
    } else {
        D.E = mat_zero(s, D.E->rows, D.E->cols);
        D.P = mat_zero(s, D.P->rows, D.P->cols);
        if (!D.s.tied) D.head = mat_zero(s, D.head->rows, D.head->cols);
    }
    if (D.gain_f) D.gain_f = none;
    for (long i = 0; i < L; i++) {
        layer *W = &D.at[i];
        mlp *F = &W->expert[0];
        const mat *in = stream ? A[i] : none, *out = stream ? A[i + 1] : none;
        if (i + 1 == L && stream && D.s.tied) out = mat_neg(s, mat_t(s, A[0]));
        const mat *mid = place_of_middle(y->c, i) == i ? in : out;
        const mat *read = mat_neg(s, in), *read_mid = mat_neg(s, mid);
        const mat *Q = W->Q, *K = W->K;
        W->Q = stream ? mat_mul(s, read, Q) : mat_mul(s, Q, A[i]);
        W->K = stream ? mat_mul(s, read, K) : mat_neg(s, mat_mul(s, K, mat_t(s, A[i])));
        W->V = mat_mul(s, read, W->V);
        W->O = mat_mul(s, W->O, mid);
        F->up = mat_mul(s, read_mid, F->up);
        F->down = mat_mul(s, F->down, out);
        if (W->gain1) W->gain1 = W->gain2 = none;
    }
    return D;
}

/* slope and zero of a curve: <gradient of a window's loss, derivative>, and the sum of the absolute values. */
static void predict(study *y, gap_curve *curve, const mat *const A[])
{
    scope s = scope_open(y->s.R, 0, 0);
    gpt *D = gpt_create(&y->reduced, ops_cpu_f64(), 1, 0);
    const model along = derivative(&s, y, A);
    gpt_from_model(D, &y->reduced, &along);
    gpt_from_model(y->N, &y->reduced, &y->W);
    const net *n = gpt_net(y->N);
    const double *g = n->g, *v = gpt_net(D)->w;
    double slopes = 0, zeros = 0;
    for (long b = 0; b < y->w.B; b++) {
        double sum = 0, size = 0;
        n->o->zero(n->g, n->table.size);
        gpt_loss(y->N, y->w.token + b * y->w.T, y->w.target + b * y->w.T, 1, y->w.position, 1 / (double)y->w.T);
        for (size_t k = 0; k < n->table.size; k++) {
            sum += g[k] * v[k];
            size += fabs(g[k] * v[k]);
        }
        slopes += sum * sum;
        zeros += size * size;
    }
    curve->slope = sqrt(slopes / (double)y->w.B);
    curve->zero = NOISE * sqrt(zeros / (double)y->w.B);
    gpt_free(D);
    scope_close(&s);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------ */

/* |A - allowed| / sqrt(L d) */
static double away_of(const study *y)
{
    scope s = scope_open(y->s.R, 0, 0);
    double squares = 0;
    for (long i = 0; i <= y->W.s.L; i++) squares += pow(frobenius(mat_sub(&s, y->A[i], y->allowed[i])), 2);
    scope_close(&s);
    return sqrt(squares / (double)(y->W.s.L * y->W.s.d));
}

/* The nearest orthogonal matrix has the same singular vectors: root mean square of sigma - 1. */
static double spread_of(const study *y)
{
    const long d = y->W.s.d;
    double squares = 0, *x = must_calloc((size_t)(d * d), sizeof *x);
    for (long l = 0; l < y->W.s.L; l++) {
        for (long i = 0; i < d; i++) for (long j = 0; j < d; j++) x[i * d + j] = mat_get_d(y->W.at[l].Q, i, j);
        double *sigma = singular_values(d, d, x);
        for (long k = 0; k < d; k++) squares += (sigma[k] - 1) * (sigma[k] - 1);
        free(sigma);
    }
    free(x);
    return sqrt(squares / (double)(y->W.s.L * d));
}

/* How far relative noise in all weights of M moves its outputs, for noise of 1: A of the bound; and their sizes. */
static void measure_sensitivity(study *y, gpt *M)
{
    const uint64_t key[2] = { 26, 53 };
    net *n = gpt_net(M);
    double *w = n->w, *kept = must_calloc(n->table.size, sizeof *kept);
    memcpy(kept, w, n->table.size * sizeof *kept);
    for (size_t k = 0; k < n->table.size; k++)
        w[k] *= 1 + NOISE * (2 * (double)random_below(key, k, 1UL << 30) * 0x1p-30 - 1);
    net_refresh(n);
    run(M, &y->w, &y->now);
    const gap_point p = difference(&y->w, &y->original, &y->now);
    y->sensitivity = p.largest / NOISE;
    y->logits_sensitivity = p.logits / NOISE;
    for (long b = 0; b < y->w.B; b++) y->loss_size = larger(y->loss_size, fabs(y->original.loss[b]));
    for (long k = 0; k < y->w.B * y->w.T * y->w.V; k++)
        y->logits_size = larger(y->logits_size, fabs(y->original.logits[k]));
    memcpy(w, kept, n->table.size * sizeof *kept);
    net_refresh(n);
    free(kept);
}

/* ---- a model ---------------------------------------------------------------------------------------------------- */

static void add_curve(gap_curves *all, study *y, const char *setting, long step, bool allowed)
{
    gap_curve c = { .step = step, .allowed = allowed, .away = away_of(y), .spread = spread_of(y) };
    const mat *const *A = allowed ? (const mat *const *)y->allowed : (const mat *const *)y->A;
    snprintf(c.setting, sizeof c.setting, "%s", setting);
    predict(y, &c, A);
    const bool rotation = allowed && y->c->norm && y->how != TURN_HEAD;
    for (int k = 0; k < GAP_POINTS; k++) c.at[k] = point_at(y, A, k, rotation, false);
    c.control = point_at(y, A, 0, rotation, true).largest;
    all->at = must_realloc(all->at, (size_t)all->n + 1, sizeof *all->at);
    all->at[all->n++] = c;
}

void trained_gap_measure(gap_curves *all, const char *setting, long step, gpt *M, const gpt_config *c,
                         const tokens *text, long B)
{
    REQUIRE(gpt_identities(c) == 0 && c->L <= MAX_LAYERS, "a model of %ld blocks, or without W_Q", c->L);
    arith f64 = arith_f64();
    study y = { .c = c, .reduced = *c, .w = windows_of(text, c, B), .s = scope_open(&f64, 0, 0),
                .how = c->h == 1 ? TURN_HEAD : c->attn_skip && c->mlp_skip ? BOTH_SKIPS : ONE_BASIS_EACH };
    y.reduced.tied = c->tied && !c->norm && y.how != BOTH_SKIPS;
    y.original = outputs_new(&y.w);
    y.now = outputs_new(&y.w);
    run(M, &y.w, &y.original);
    measure_sensitivity(&y, M);
    model W = gpt_to_model(&y.s, M, c);
    W = gpt_model_fold(&y.s, &W);
    if (W.s.tied && !y.reduced.tied) W.head = mat_t(&y.s, W.E);
    W.s.tied = y.reduced.tied;
    y.W = with_sized_queries(&y.s, &W);
    set_changes(&y);
    y.N = gpt_create(&y.reduced, ops_cpu_f64(), B, 0);
    add_curve(all, &y, setting, step, true);
    if (!all_is_allowed(&y)) add_curve(all, &y, setting, step, false);
    gpt_free(y.N);
    outputs_free(&y.original);
    outputs_free(&y.now);
    windows_free(&y.w);
    scope_close(&y.s);
    arith_close(&f64);
}
