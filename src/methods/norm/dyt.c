/* SPDX-License-Identifier: GPL-3.0-or-later
 * dyt.c - Dynamic Tanh: see dyt.h. */
#include "src/methods/norm/dyt.h"

enum { MOST = 8 };
static const place HERE = { 0, PLACE_MLP, 0 };

static const mat *each_row(scope *s, const mat *X, const mat *b)         /* b' in every row, as many as X has */
{
    return mat_mul(s, mat_ones(s, X->rows, 1), mat_t(s, b));
}

static const mat *reciprocal(scope *s, const mat *g)                     /* g / g^2, of any sign              */
{
    return mat_hadamard(s, g, mat_reciprocal(s, mat_hadamard(s, g, g)));
}

static const mat *over(scope *s, const mat *X, const mat *g)             /* column j divided by g_j           */
{
    return norm_apply(s, mat_diag(s, reciprocal(s, g)), X);
}

static const mat *absolute(scope *s, const mat *A)                       /* ReLU(a) + ReLU(-a)                */
{
    const mat *minus = mat_neg(s, A);
    return mat_add(s, mat_phi(s, A, ACT_RELU, HERE), mat_phi(s, minus, ACT_RELU, HERE));
}

static const mat *signs(scope *s, long d)                                /* 1, -1, 1, ...                     */
{
    long *x = scope_alloc(s, (size_t)d * sizeof *x);
    for (long i = 0; i < d; i++) x[i] = i % 2 ? -1 : 1;
    return mat_from_si(s, d, 1, x);
}

static const mat *near_one(scope *s, const char *name, const char *what, long d)       /* between 1/2 and 3/2 */
{
    char full[48];
    snprintf(full, sizeof full, "%s %s", name, what);
    return norm_near_one(s, full, d);
}

dyt dyt_random(scope *s, const char *name, long d)
{
    return (dyt){ mat_hadamard(s, signs(s, d), near_one(s, name, "gamma", d)), near_one(s, name, "alpha", d),
                  mat_draw(s, name, d, 1, 0) };
}

dyt dyt_target(scope *s, const mat *Theta, const dyt *T, const mat *o, long tenths)
{
    const long d = Theta->rows;
    const mat *least = mat_add(s, absolute(s, o), mat_mul(s, absolute(s, Theta), absolute(s, T->gamma)));
    const mat *box = mat_scale_by(s, mat_ratio(s, tenths, 10), least);
    return (dyt){ mat_hadamard(s, signs(s, d), box), near_one(s, "T'", "alpha", d),
                  mat_add(s, mat_mul(s, Theta, T->beta), o) };
}

const mat *dyt_apply(scope *s, const dyt *T, const mat *X)
{
    const mat *y = mat_phi(s, norm_apply(s, mat_diag(s, T->alpha), X), ACT_TANH, HERE);
    return mat_add(s, norm_apply(s, mat_diag(s, T->gamma), y), each_row(s, X, T->beta));
}

const mat *dyt_solve(trial *t, const mat *Theta, const dyt *T, const dyt *to, const mat *X)
{
    scope *s = &t->s;
    const mat *image = norm_apply(s, Theta, dyt_apply(s, T, X));
    const mat *y = over(s, mat_sub(s, image, each_row(s, X, to->beta)), to->gamma);
    const mat *room = mat_sub(s, mat_ones(s, y->rows, y->cols), mat_hadamard(s, y, y));
    claim_positive(t, "inside the box", room);
    if (mat_positive(room) == REFUTED) return mat_zero(s, X->rows, X->cols);
    return over(s, mat_artanh(s, y), to->alpha);
}

const mat *dyt_inputs(scope *s, const mat *Theta)
{
    const long d = Theta->cols;
    const mat *tiny = mat_scale_by(s, mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, -20), mat_ones(s, 1, d));
    const mat *row = mat_add(s, mat_rows(s, Theta, 0, 1), tiny);         /* draws are coarser: no entry is 0  */
    const mat *sign = mat_hadamard(s, row, mat_rsqrt(s, mat_hadamard(s, row, row)));
    const mat *extreme = mat_scale_by(s, mat_ratio(s, 6, 1), mat_hadamard(s, sign, mat_t(s, signs(s, d))));
    const mat *length = mat_dyadic(s, 3, 1, (int64_t[]){ 1, 1 << 7, 1 << 15 }, -14);
    const mat *X = mat_scale_rows(s, length, mat_draw(s, "X", 3, d, mat_log2_fan_in(d)));
    return mat_vcat(s, 3, (const mat *[]){ X, extreme, mat_neg(s, extreme) });
}

const mat *dyt_monomial(scope *s, long d)
{
    REQUIRE(d > 1, "a cycle of %ld", d);
    const mat *I = mat_identity(s, d), *entry = mat_hadamard(s, signs(s, d), near_one(s, "monomial", "entries", d));
    return mat_scale_rows(s, entry, mat_vcat(s, 2, (const mat *[]){ mat_rows(s, I, 1, d - 1), mat_rows(s, I, 0, 1) }));
}

const mat *dyt_slopes(scope *s, const mat *Theta, const dyt *T, const dyt *to)
{
    const mat *rows = mat_scale_rows(s, reciprocal(s, mat_hadamard(s, to->gamma, to->alpha)), Theta);
    return mat_t(s, mat_scale_rows(s, mat_hadamard(s, T->gamma, T->alpha), mat_t(s, rows)));
}

dyt_corners dyt_count(scope *s, const mat *Theta, const dyt *T, const dyt *to)
{
    const long d = Theta->cols;
    REQUIRE(d <= MOST, "2^%ld corners", d);
    dyt_corners n = { .all = 1L << d };
    bool reached[MOST] = { false };
    const mat *o = mat_sub(s, to->beta, mat_mul(s, Theta, T->beta)), *box = absolute(s, to->gamma);
    for (long bits = 0; bits < n.all; bits++) {
        long sigma[MOST];
        for (long j = 0; j < d; j++) sigma[j] = bits >> j & 1 ? -1 : 1;
        const mat *at = mat_hadamard(s, T->gamma, mat_from_si(s, d, 1, sigma));
        const mat *beyond = mat_sub(s, absolute(s, mat_sub(s, mat_mul(s, Theta, at), o)), box);
        const mat *short_of = mat_neg(s, beyond);
        bool leaves = false;
        for (long i = 0; i < d; i++) {
            leaves |= mat_positive(mat_rows(s, beyond, i, 1)) == HOLDS;
            reached[i] |= mat_positive(mat_rows(s, short_of, i, 1)) != HOLDS;
        }
        n.outside += leaves;
    }
    for (long i = 0; i < d; i++) n.rows += reached[i];
    return n;
}
