/* SPDX-License-Identifier: GPL-3.0-or-later
 * tape_arb.c - the real functions and their derivatives in balls: see tape.h. */
#include "numerics/arith_arb.h"
#include "numerics/flint_compat.h"
#include "numerics/record/tape.h"

static arb_ptr at(const mat *A, long i, long j) { return arb_mat_entry(arith_arb_balls(A), i, j); }
#define EACH(A, i, j) for (long i = 0; i < (A)->rows; i++) for (long j = 0; j < (A)->cols; j++)

/* y' = 1 - y^2 for y = tanh x */
static void slope_tanh(arb_t s, const arb_t x, long p)
{
    arb_tanh(s, x, p);
    arb_mul(s, s, s, p);
    arb_sub_ui(s, s, 1, p);
    arb_neg(s, s);
}

/* (x sigma(x))' = sigma + x sigma (1 - sigma) */
static void slope_silu(arb_t s, const arb_t x, long p)
{
    arb_t sigma;
    arb_init(sigma);
    arb_neg(sigma, x);
    arb_exp(sigma, sigma, p);
    arb_add_ui(sigma, sigma, 1, p);
    arb_inv(sigma, sigma, p);
    arb_sub_ui(s, sigma, 1, p);
    arb_neg(s, s);
    arb_mul(s, s, x, p);
    arb_add_ui(s, s, 1, p);
    arb_mul(s, s, sigma, p);
    arb_clear(sigma);
}

/* (x Phi(x))' = Phi(x) + x exp(-x^2/2)/sqrt(2 pi), Phi = (1 + erf(x/sqrt 2))/2 */
static void slope_gelu(arb_t s, const arb_t x, long p)
{
    arb_t u, v;
    arb_init(u);
    arb_init(v);
    arb_set_ui(u, 2);
    arb_rsqrt(u, u, p);
    arb_mul(u, u, x, p);
    arb_hypgeom_erf(s, u, p);
    arb_add_ui(s, s, 1, p);
    arb_mul_2exp_si(s, s, -1);
    arb_mul(u, u, u, p);
    arb_neg(u, u);
    arb_exp(u, u, p);
    arb_const_pi(v, p);
    arb_mul_2exp_si(v, v, 1);
    arb_rsqrt(v, v, p);
    arb_mul(u, u, v, p);
    arb_addmul(s, u, x, p);
    arb_clear(u);
    arb_clear(v);
}

static truth slope_of(arb_t s, const arb_t x, activation kind, long p)
{
    switch (kind) {
    case ACT_TANH: slope_tanh(s, x, p); return HOLDS;
    case ACT_SILU: slope_silu(s, x, p); return HOLDS;
    case ACT_GELU: slope_gelu(s, x, p); return HOLDS;
    case ACT_IDENTITY: arb_one(s); return HOLDS;
    case ACT_RELU:
        if (arb_contains_zero(x)) return UNDECIDED;
        arb_set_si(s, arb_is_positive(x) ? 1 : 0);
        return HOLDS;
    default: return UNDECIDED;
    }
}

static truth phi(const tape_rules *how, mat *Y, mat *slope, const mat *A, activation kind)
{
    (void)how;
    EACH(A, i, j) if (slope_of(at(slope, i, j), at(A, i, j), kind, A->R->bits) != HOLDS) return UNDECIDED;
    return A->R->functions.phi(Y, A, kind, (place){ 0, 0, 0 });
}

static truth softmax(const tape_rules *how, mat *S, const mat *A, const unsigned char *visible)
{
    (void)how;
    const rowmap plain = { .kind = ROWMAP_SOFTMAX, .visible = visible, .scale_num = 1, .scale_den = 1 };
    return A->R->functions.rowmap(S, A, &plain, (place){ 0, 0, 0 });
}

/* rho(s) = (s/width + eps)^(-1/2), rho' = -rho^3/(2 width) */
static truth radial(const tape_rules *how, mat *rho, mat *slope, const mat *s, norm_kind kind, long width, long log2eps)
{
    (void)how;
    (void)kind;
    const long p = s->R->bits;
    arb_t eps, r3;
    arb_init(eps);
    arb_init(r3);
    arb_one(eps);
    arb_mul_2exp_si(eps, eps, log2eps);
    for (long i = 0; i < s->rows; i++) {
        arb_ptr r = at(rho, i, 0);
        arb_div_ui(r, at(s, i, 0), (ulong)width, p);
        arb_add(r, r, eps, p);
        arb_rsqrt(r, r, p);
        arb_pow_ui(r3, r, 3, p);
        arb_div_si(at(slope, i, 0), r3, -2 * width, p);
    }
    arb_clear(eps);
    arb_clear(r3);
    return HOLDS;
}

static void flip_odd(mat *A)
{
    EACH(A, i, j) if (j % 2) arb_neg(at(A, i, j), at(A, i, j));
}

/* diag(1, -1) R(t) diag(1, -1) = R(-t) */
static truth rotate(mat *Y, const mat *A, bool back)
{
    mat flipped = { .R = A->R, .rows = A->rows, .cols = A->cols };
    A->R->ring.init(&flipped);
    A->R->ring.copy(&flipped, 0, 0, A, 0, 0, A->rows, A->cols);
    if (back) flip_odd(&flipped);
    const truth is = A->R->functions.rotate(Y, &flipped);
    if (back) flip_odd(Y);
    A->R->ring.clear(&flipped);
    return is;
}

static void draw(const tape_rules *how, mat *A, const drawing *d)
{
    (void)how;
    A->R->ring.draw(A, d);
}

const tape_functions tape_arb = { phi, softmax, radial, rotate, draw };
