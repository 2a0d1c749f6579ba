/* SPDX-License-Identifier: GPL-3.0-or-later
 * tape_fp.c - formal functions with formal derivatives over F_p: see tape.h. */
#include "numerics/flint_compat.h"
#include "numerics/random.h"
#include "numerics/record/tape.h"

static nmod_mat_struct *residues(const mat *A)         { return A->rep; }
static mp_limb_t get(const mat *A, long i, long j)     { return nmod_mat_entry(residues(A), i, j); }
static void set(mat *A, long i, long j, mp_limb_t x)   { nmod_mat_entry(residues(A), i, j) = x; }
static nmod_t field(const mat *A)                      { return residues(A)->mod; }
#define EACH(A, i, j) for (long i = 0; i < (A)->rows; i++) for (long j = 0; j < (A)->cols; j++)

enum { FN_PHI = 1, FN_RADIAL, FN_BASE, FN_EXP };

/* Two independent residues: value and derivative at this argument; afresh: at this entry of this call. */
static void opaque(const tape_rules *how, uint64_t function, mp_limb_t x, long entry, nmod_t F, mp_limb_t *y,
                   mp_limb_t *slope)
{
    uint64_t key[2];
    random_key_salt(key, how->key, 3, (uint64_t[]){ F.n, function, how->afresh ? (uint64_t)entry : x });
    *y = random_below(key, 0, F.n);
    *slope = random_below(key, 1, F.n);
}

static truth phi(const tape_rules *how, mat *Y, mat *slope, const mat *A, activation kind)
{
    if (kind == ACT_RELU || kind == ACT_HALF_ODD) return UNDECIDED;     /* no order; no such derivative rule here */
    EACH(A, i, j) {
        mp_limb_t y = get(A, i, j), s = 1;
        if (kind != ACT_IDENTITY) opaque(how, FN_PHI, get(A, i, j), i * A->cols + j, field(A), &y, &s);
        set(Y, i, j, y);
        set(slope, i, j, s);
    }
    return HOLDS;
}

/* g^(kappa x), kappa x read between -p/2 and p/2 */
static mp_limb_t formal_exp(const tape_rules *how, mp_limb_t g, mp_limb_t x, nmod_t F)
{
    const mp_limb_t l = nmod_mul((mp_limb_t)how->kappa % F.n, x, F);
    return l <= F.n / 2 ? nmod_pow_ui(g, l, F) : nmod_pow_ui(nmod_inv(g, F), F.n - l, F);
}

static truth softmax(const tape_rules *how, mat *S, const mat *A, const unsigned char *visible)
{
    const nmod_t F = field(A);
    if (F.n < 5) return UNDECIDED;                                                /* no unit but 1 and -1        */
    uint64_t key[2];
    random_key_salt(key, how->key, 2, (uint64_t[]){ F.n, how->afresh ? FN_EXP : FN_BASE });
    const mp_limb_t g = 2 + random_below(key, 0, F.n - 3);                        /* not 0, 1 or -1              */
    for (long i = 0; i < A->rows; i++) {
        mp_limb_t sum = 0;
        bool sees = false;
        for (long j = 0; j < A->cols; j++) {
            if (visible && !visible[i * A->cols + j]) continue;
            set(S, i, j, how->afresh ? 1 + random_below(key, (uint64_t)(i * A->cols + j), F.n - 1)
                                     : formal_exp(how, g, get(A, i, j), F));
            sum = nmod_add(sum, get(S, i, j), F);
            sees = true;
        }
        if (sees && sum == 0) return UNDECIDED;
        const mp_limb_t inverse = sees ? nmod_inv(sum, F) : 0;
        for (long j = 0; j < A->cols; j++) set(S, i, j, nmod_mul(inverse, get(S, i, j), F));
    }
    return HOLDS;
}

static truth radial(const tape_rules *how, mat *rho, mat *slope, const mat *s, norm_kind kind, long width, long log2eps)
{
    (void)log2eps;
    for (long i = 0; i < s->rows; i++) {
        mp_limb_t y, dy;
        opaque(how, FN_RADIAL + 8 * (uint64_t)kind + 64 * (uint64_t)width, get(s, i, 0), i, field(s), &y, &dy);
        set(rho, i, 0, y);
        set(slope, i, 0, dy);
    }
    return HOLDS;
}

/* Pair f of row t by the power (f + 1) t of (3 + 4i)/5, or of its conjugate. */
static truth rotate(mat *Y, const mat *A, bool back)
{
    const nmod_t F = field(A);
    const mp_limb_t fifth = nmod_inv(5 % F.n, F), c1 = nmod_mul(3, fifth, F);
    const mp_limb_t s1 = back ? nmod_neg(nmod_mul(4, fifth, F), F) : nmod_mul(4, fifth, F);
    for (long j = 0; j < A->cols; j += 2) {
        mp_limb_t c = 1, s = 0;
        for (long i = 0; i < A->rows; i++) {
            const mp_limb_t x = get(A, i, j), y = get(A, i, j + 1);
            set(Y, i, j,     nmod_sub(nmod_mul(x, c, F), nmod_mul(y, s, F), F));
            set(Y, i, j + 1, nmod_add(nmod_mul(x, s, F), nmod_mul(y, c, F), F));
            for (long f = 0; f <= j / 2; f++) {
                const mp_limb_t next = nmod_sub(nmod_mul(c, c1, F), nmod_mul(s, s1, F), F);
                s = nmod_add(nmod_mul(s, c1, F), nmod_mul(c, s1, F), F);
                c = next;
            }
        }
    }
    return HOLDS;
}

/* -1 is left out: gains are 1 + a draw, and must not be 0. */
static void draw(const tape_rules *how, mat *A, const drawing *d)
{
    const nmod_t F = field(A);
    const mp_limb_t range = (mp_limb_t)how->range;
    uint64_t key[2];
    if (how->afresh) { A->R->ring.draw(A, d); return; }
    const uint64_t salt = F.n;
    random_key_salt(key, d->key, 1, &salt);
    EACH(A, i, j) {
        const mp_limb_t x = random_below(key, (uint64_t)(i * A->cols + j), 2 * range + 1);
        set(A, i, j, x >= range ? (x - range) % F.n : x == range - 1 ? 1 : nmod_neg((range - x) % F.n, F));
    }
}

const tape_functions tape_fp = { phi, softmax, radial, rotate, draw };
