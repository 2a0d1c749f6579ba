/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_fmpq.c - rational numbers, by FLINT's fmpq_mat.
 *
 * What the answers mean.  Nothing is rounded: HOLDS is equality of this instance, REFUTED a
 * witness over the rationals, so over the reals too; an inverse that is not found does not
 * exist.  The price is that only what is rational can be asked.  ReLU and identity are, and softmax of rows
 * of equal scores; other softmaxes, norms and smooth activations answer UNDECIDED.  RoPE is replaced by
 * rotations with rational sine and cosine, a stand-in for theorems that use only R_s' R_t = R_(t-s). */
#include "numerics/arith.h"
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include "numerics/flint_compat.h"
#include "numerics/random.h"

static fmpq *entry(const mat *A, long i, long j)
{
    const fmpq_mat_struct *M = A->rep;
    return fmpq_mat_entry(M, i, j);
}

static void init(mat *A)
{
    A->rep = must_calloc(1, sizeof(fmpq_mat_struct));
    fmpq_mat_init(A->rep, A->rows, A->cols);
}

static void clear(mat *A)
{
    fmpq_mat_clear(A->rep);
    free(A->rep);
}

static void set_dyadic(mat *C, const int64_t *m, long e)
{
    for (long i = 0; i < C->rows; i++)
        for (long j = 0; j < C->cols; j++) {
            fmpq *c = entry(C, i, j);
            fmpq_set_si(c, m[i * C->cols + j], 1);
            if (e >= 0) fmpq_mul_2exp(c, c, (flint_bitcnt_t)e);
            else        fmpq_div_2exp(c, c, -(flint_bitcnt_t)e);
        }
}

static bool get_exact(mpq_t x, const mat *A, long i, long j)
{
    fmpq_get_mpq(x, entry(A, i, j));
    return true;
}

static double get_d(const mat *A, long i, long j)       /* mpq_get_d would truncate */
{
    mpq_t x;
    mpfr_t nearest;
    mpq_init(x);
    mpfr_init2(nearest, 53);
    fmpq_get_mpq(x, entry(A, i, j));
    mpfr_set_q(nearest, x, MPFR_RNDN);
    double d = mpfr_get_d(nearest, MPFR_RNDN);
    mpfr_clear(nearest);
    mpq_clear(x);
    return d;
}

static void copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    for (long i = 0; i < r; i++)
        for (long j = 0; j < c; j++) fmpq_set(entry(C, ci + i, cj + j), entry(A, ai + i, aj + j));
}

static void  add(mat *C, const mat *A, const mat *B) { fmpq_mat_add(C->rep, A->rep, B->rep); }
static void  sub(mat *C, const mat *A, const mat *B) { fmpq_mat_sub(C->rep, A->rep, B->rep); }
static void  mul(mat *C, const mat *A, const mat *B) { fmpq_mat_mul(C->rep, A->rep, B->rep); }
static void  transpose(mat *C, const mat *A)         { fmpq_mat_transpose(C->rep, A->rep); }
static truth inv(mat *C, const mat *A) { return fmpq_mat_inv(C->rep, A->rep) ? HOLDS : UNDECIDED; }

static void hadamard(mat *C, const mat *A, const mat *B)
{
    for (long i = 0; i < C->rows; i++)
        for (long j = 0; j < C->cols; j++) fmpq_mul(entry(C, i, j), entry(A, i, j), entry(B, i, j));
}

static void scale_rows(mat *C, const mat *g, const mat *A)
{
    for (long i = 0; i < C->rows; i++)
        for (long j = 0; j < C->cols; j++) fmpq_mul(entry(C, i, j), entry(g, i, 0), entry(A, i, j));
}

/* ---- functions of a model ----------------------------------------------------------------- */

static void relu(mat *C, const mat *A)
{
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++)
            if (fmpq_sgn(entry(A, i, j)) > 0) fmpq_set(entry(C, i, j), entry(A, i, j));
}

/* ReLU realises ACT_HALF_ODD: relu(y) - relu(-y) = y. */
static truth phi(mat *C, const mat *A, activation kind, place at)
{
    (void)at;
    switch (kind) {
    case ACT_RELU: case ACT_HALF_ODD: relu(C, A); return HOLDS;
    case ACT_IDENTITY: fmpq_mat_set(C->rep, A->rep); return HOLDS;
    case ACT_GELU: case ACT_SILU: case ACT_TANH: case ACT_OPAQUE: break;
    }
    return UNDECIDED;
}

/* root = sqrt(num/den), if that is rational: both parts of the reduced fraction are squares. */
static bool rational_root(fmpq_t root, long num, long den)
{
    fmpq_set_si(root, num, (ulong)den);                 /* reduces */
    if (!fmpz_is_square(fmpq_numref(root)) || !fmpz_is_square(fmpq_denref(root))) return false;
    fmpz_sqrt(fmpq_numref(root), fmpq_numref(root));
    fmpz_sqrt(fmpq_denref(root), fmpq_denref(root));
    return true;
}

static bool sees(const rowmap *how, const mat *A, long i, long j)
{
    return !how->visible || how->visible[i * A->cols + j];
}

/* The visible scores times the scale. */
static truth linear(mat *C, const mat *A, const rowmap *how)
{
    fmpq_t scale;
    fmpq_init(scale);
    bool rational = rational_root(scale, how->scale_num, how->scale_den);
    for (long i = 0; rational && i < A->rows; i++)
        for (long j = 0; j < A->cols; j++)
            if (sees(how, A, i, j)) fmpq_mul(entry(C, i, j), entry(A, i, j), scale);
    fmpq_clear(scale);
    return rational ? HOLDS : UNDECIDED;
}

/* Row i of softmax has rational weights where its visible scores are equal, one among them: 1 over their number.
 * (Elsewhere it has not: exp(x) is transcendental for rational x != 0.) */
static truth uniform(mat *C, const mat *A, const rowmap *how, long i)
{
    const fmpq *first = NULL;
    long seen = 0;
    for (long j = 0; j < A->cols; j++) {
        if (!sees(how, A, i, j)) continue;
        if (first && !fmpq_equal(entry(A, i, j), first)) return UNDECIDED;
        first = entry(A, i, j);
        seen++;
    }
    for (long j = 0; j < A->cols; j++) if (sees(how, A, i, j)) fmpq_set_si(entry(C, i, j), 1, (ulong)seen);
    return HOLDS;
}

/* As in the other number systems, softmax realises every row map but the linear one. */
static truth map_rows(mat *C, const mat *A, const rowmap *how, place at)
{
    (void)at;
    truth is = how->kind == ROWMAP_LINEAR ? linear(C, A, how) : HOLDS;
    for (long i = 0; how->kind != ROWMAP_LINEAR && is == HOLDS && i < A->rows; i++) is = uniform(C, A, how, i);
    return is;
}

static truth norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    (void)C; (void)A; (void)kind; (void)log2eps; (void)at;
    return UNDECIDED;                                   /* roots are not rational */
}

typedef struct { fmpq_t c, s; } rotation;               /* c^2 + s^2 = 1 */

static void rotation_init(rotation *p)  { fmpq_init(p->c); fmpq_init(p->s); fmpq_one(p->c); }
static void rotation_clear(rotation *p) { fmpq_clear(p->c); fmpq_clear(p->s); }

/* c = (1 - t^2)/(1 + t^2), s = 2t/(1 + t^2) with t = (8 pair + a)/(8 pairs), 1 <= a <= 7 random.
 * So 0 < t < 1, no two pairs turn by the same angle, and none by a rational multiple of pi
 * (those have t = 0, 1 among rational t >= 0): powers never repeat. */
static void rotation_of_pair(rotation *p, const arith *R, long pair, long pairs)
{
    uint64_t key[2];
    random_key_derive(key, R->key, "rotation");
    const long a = 8 * pair + 1 + (long)random_below(key, (uint64_t)pair, 7), b = 8 * pairs;
    fmpq_set_si(p->c, b * b - a * a, (ulong)(b * b + a * a));
    fmpq_set_si(p->s, 2 * a * b, (ulong)(b * b + a * a));
}

/* (x', y') = (c x - s y, s x + c y) */
static void turn(fmpq *x2, fmpq *y2, const rotation *p, const fmpq *x, const fmpq *y)
{
    fmpq_mul(x2, p->c, x);
    fmpq_submul(x2, p->s, y);
    fmpq_mul(y2, p->s, x);
    fmpq_addmul(y2, p->c, y);
}

/* Columns 2i, 2i+1 of row r by the r-th power of the pair's rotation. */
static truth rotate(mat *C, const mat *A)
{
    rotation step, power, next;
    rotation_init(&step);
    rotation_init(&next);
    for (long j = 0; j < A->cols; j += 2) {
        rotation_of_pair(&step, A->R, j / 2, A->cols / 2);
        rotation_init(&power);
        for (long r = 0; r < A->rows; r++) {
            turn(entry(C, r, j), entry(C, r, j + 1), &power, entry(A, r, j), entry(A, r, j + 1));
            turn(next.c, next.s, &step, power.c, power.s);
            fmpq_swap(power.c, next.c);
            fmpq_swap(power.s, next.s);
        }
        rotation_clear(&power);
    }
    rotation_clear(&step);
    rotation_clear(&next);
    return HOLDS;
}

/* ---- answers ------------------------------------------------------------------------------ */

static double log2abs(const fmpz *n)                    /* of a nonzero integer of any size */
{
    slong e;
    double m = fmpz_get_d_2exp(&e, n);
    return log2(fabs(m)) + (double)e;
}

static double log2max(const mat *A)
{
    double top = -INFINITY;
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            const fmpq *a = entry(A, i, j);
            if (!fmpq_is_zero(a)) top = fmax(top, log2abs(fmpq_numref(a)) - log2abs(fmpq_denref(a)));
        }
    return top;
}

static truth positive(const mat *A)
{
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) if (fmpq_sgn(entry(A, i, j)) <= 0) return REFUTED;
    return HOLDS;
}

/* Equality decides; log2gap only describes a difference, so doubles will do. */
static comparison compare(const mat *A, const mat *B, double log2bound)
{
    (void)log2bound;
    if (fmpq_mat_equal(A->rep, B->rep)) return (comparison){ HOLDS, -INFINITY, -INFINITY };
    mat D = { .R = A->R, .rows = A->rows, .cols = A->cols };
    init(&D);
    sub(&D, A, B);
    double gap = log2max(&D) - fmax(log2max(A), log2max(B));
    clear(&D);
    return (comparison){ REFUTED, gap, -INFINITY };
}

/* Of the integer matrix den A; den != 0 keeps the rank. */
static long rank(const mat *A)
{
    fmpz_mat_t N;
    fmpz_t den;
    fmpz_mat_init(N, A->rows, A->cols);
    fmpz_init(den);
    fmpq_mat_get_fmpz_mat_matwise(N, den, A->rep);
    long r = fmpz_mat_rank(N);
    fmpz_mat_clear(N);
    fmpz_clear(den);
    return r;
}

arith arith_q(const uint64_t key[2])
{
    return (arith){ .name = "q", .traits = EXACT | RIGOROUS | ORDERED, .key = { key[0], key[1] },
        .init = init, .clear = clear, .draw = random_draw, .set_dyadic = set_dyadic,
        .get_exact = get_exact, .get_d = get_d, .copy = copy, .add = add, .sub = sub, .mul = mul,
        .hadamard = hadamard, .scale_rows = scale_rows, .transpose = transpose, .inv = inv,
        .phi = phi, .rowmap = map_rows, .norm = norm, .rotate = rotate, .positive = positive,
        .compare = compare, .log2max = log2max, .rank = rank };
}
