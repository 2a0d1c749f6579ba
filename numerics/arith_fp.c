/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_fp.c - integers modulo a prime p < 2^62, by FLINT's nmod_mat; functions are uninterpreted.
 *
 * Activations, row maps and norms are keyed hashes (SipHash, taken as a random function) of all that they depend on:
 * kind, place, parameters such as the scale of the scores, and argument.  Equal arguments give equal values, and
 * nothing else is known about them.  Weights are uniform, times 2^log2scale.  All hashes are salted with p.  An
 * identity that holds here at random weights therefore holds formally, for every activation, mask, scale and position,
 * unless one of the coincidences counted by arith_deg.c happened (Schwartz 1980, Zippel 1979).  A difference proves
 * that the construction fails for some functions; it says nothing about the particular function GELU. */
#include <math.h>
#include <stdlib.h>
#include "numerics/arith.h"
#include "numerics/flint_compat.h"
#include "numerics/inverse_fp.h"
#include "numerics/product/product_fp.h"
#include "numerics/random.h"
#include "numerics/rank_fp.h"

static nmod_mat_struct *residues(const mat *A) { return A->rep; }
static mp_limb_t get(const mat *A, long i, long j)     { return nmod_mat_entry(residues(A), i, j); }
static void set(mat *A, long i, long j, mp_limb_t x)   { nmod_mat_entry(residues(A), i, j) = x; }
static nmod_t field(const mat *A)                      { return residues(A)->mod; }
#define EACH(A, i, j) for (long i = 0; i < (A)->rows; i++) for (long j = 0; j < (A)->cols; j++)

static void init(mat *A)
{
    A->rep = must_calloc(1, sizeof(nmod_mat_struct));
    nmod_mat_init(residues(A), A->rows, A->cols, A->R->prime);
}

static void clear(mat *A)
{
    nmod_mat_clear(residues(A));
    free(A->rep);
}

static mp_limb_t signed_residue(int64_t x, nmod_t F)
{
    mp_limb_t r = (x < 0 ? -(mp_limb_t)x : (mp_limb_t)x) % F.n;
    return x < 0 ? nmod_neg(r, F) : r;
}

static mp_limb_t power_of_2(long e, nmod_t F)
{
    return nmod_pow_ui(e < 0 ? nmod_inv(2 % F.n, F) : 2 % F.n, (ulong)labs(e), F);
}

static void set_dyadic(mat *C, const int64_t *m, long e)
{
    const nmod_t F = field(C);
    const mp_limb_t unit = power_of_2(e, F);
    EACH(C, i, j) set(C, i, j, nmod_mul(signed_residue(m[i * C->cols + j], F), unit, F));
}

enum { SALT_DRAW = 1, FN_PHI, FN_ROWMAP, FN_NORM, FN_ROTATE };

/* Corner shapes keep their meaning, including the zeros of random_gauss8; every entry that they leave free is
 * uniform. */
static void draw(mat *C, const drawing *how)
{
    const nmod_t F = field(C);
    const mp_limb_t unit = power_of_2(how->log2scale, F), little = power_of_2(-20, F);
    uint64_t key[2];
    random_key_salt(key, how->key, 2, (uint64_t[]){ SALT_DRAW, F.n });
    for (long i = 0; i < C->rows && C->cols; i++)
        random_below_run(&nmod_mat_entry(residues(C), i, 0), key, random_number(how, C->cols, i, 0), C->cols, F.n);
    EACH(C, i, j) {
        const uint64_t k = random_number(how, C->cols, i, j);
        mp_limb_t x = nmod_mul(unit, get(C, i, j), F);
        if (how->shape == CORNER_SPARSE && random_gauss8(how->key, k) & 3) x = 0;
        if (how->shape == CORNER_REPEATED && i % 2) x = get(C, i - 1, j);
        if (how->shape == CORNER_NEAR_SINGULAR && i && i == C->rows - 1)
            x = nmod_add(get(C, 0, j), nmod_mul(little, x, F), F);
        set(C, i, j, x);
    }
}

static bool get_exact(mpq_t x, const mat *A, long i, long j)
{
    mpq_set_ui(x, get(A, i, j), 1);
    return true;
}

static double get_d(const mat *A, long i, long j) { return (double)get(A, i, j); }
static double log2max(const mat *A)               { (void)A; return NAN; }

static void copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    for (long i = 0; i < r; i++)
        for (long j = 0; j < c; j++) set(C, ci + i, cj + j, get(A, ai + i, aj + j));
}

static void add(mat *C, const mat *A, const mat *B) { nmod_mat_add(residues(C), residues(A), residues(B)); }
static void sub(mat *C, const mat *A, const mat *B) { nmod_mat_sub(residues(C), residues(A), residues(B)); }
static void mul(mat *C, const mat *A, const mat *B) { product_fp(residues(C), residues(A), residues(B)); }
static void transpose(mat *C, const mat *A)         { nmod_mat_transpose(residues(C), residues(A)); }
static truth inv(mat *C, const mat *A)  { return inverse_fp(residues(C), residues(A)) ? HOLDS : UNDECIDED; }
static long rank_(const mat *A)         { return rank_fp(residues(A)); }

static void hadamard(mat *C, const mat *A, const mat *B)
{
    EACH(C, i, j) set(C, i, j, nmod_mul(get(A, i, j), get(B, i, j), field(C)));
}

static void scale_rows(mat *C, const mat *g, const mat *A)
{
    EACH(C, i, j) set(C, i, j, nmod_mul(get(g, i, 0), get(A, i, j), field(C)));
}

/* ---- uninterpreted functions ------------------------------------------------------------- */

/* The key of a function: everything it depends on but its argument; `first` and `second` are parameters of its
 * kind. */
static void function_key(uint64_t key[2], const mat *A, int function, int kind, place at, long first, long second)
{
    random_key_salt(key, A->R->key, 7, (uint64_t[]){ (uint64_t)function, (uint64_t)kind, (uint64_t)at.layer,
             (uint64_t)at.sublayer, (uint64_t)at.head, (uint64_t)first, (uint64_t)second });
}

static truth phi(mat *C, const mat *A, activation kind, place at)
{
    const nmod_t F = field(A);
    const mp_limb_t half = nmod_inv(2 % F.n, F);
    uint64_t of[2], key[2];
    if (kind == ACT_IDENTITY) { nmod_mat_set(residues(C), residues(A)); return HOLDS; }
    function_key(of, A, FN_PHI, (int)kind, at, 0, 0);
    EACH(A, i, j) {
        mp_limb_t x = get(A, i, j), even = kind == ACT_HALF_ODD && x > F.n / 2 ? F.n - x : x;
        random_key_salt(key, of, 3, (uint64_t[]){ (uint64_t)i, (uint64_t)j, even });
        mp_limb_t y = random_below(key, 0, F.n);
        set(C, i, j, kind == ACT_HALF_ODD ? nmod_add(y, nmod_mul(half, x, F), F) : y);
    }
    return HOLDS;
}

/* A key that depends on the function, the row's number and its visible entries, less a constant; how: NULL, all are. */
static void row_key(uint64_t key[2], const mat *A, const uint64_t of[2], long i, const rowmap *how,
                    mp_limb_t less)
{
    size_t n = 0;
    uint64_t *word = must_calloc((size_t)(2 * A->cols + 1), sizeof *word);
    word[n++] = (uint64_t)i;
    for (long j = 0; j < A->cols; j++) {
        if (how && !rowmap_sees(how, i * A->cols + j)) continue;
        word[n++] = (uint64_t)j;
        word[n++] = nmod_sub(get(A, i, j), less, field(A));
    }
    random_key_salt(key, of, n, word);
    free(word);
}

static long gcd(long a, long b) { return b ? gcd(b, a % b) : a; }

static truth linear(mat *C, const mat *A, const rowmap *how)    /* visible scores times sqrt(num/den) */
{
    const nmod_t F = field(A);
    const long num = lround(sqrt((double)how->scale_num)), den = lround(sqrt((double)how->scale_den));
    if (num * num != how->scale_num || den * den != how->scale_den || (mp_limb_t)den % F.n == 0) return UNDECIDED;
    const mp_limb_t scale = nmod_div((mp_limb_t)num % F.n, (mp_limb_t)den % F.n, F);
    EACH(A, i, j)
        if (rowmap_sees(how, i * A->cols + j)) set(C, i, j, nmod_mul(scale, get(A, i, j), F));
    return HOLDS;
}

static truth row_map(mat *C, const mat *A, const rowmap *how, place at)
{
    const nmod_t F = field(A);
    const bool shift = how->kind == ROWMAP_SHIFT || how->kind == ROWMAP_STOCHASTIC;
    if (how->kind == ROWMAP_LINEAR) return linear(C, A, how);
    const long common = gcd(how->scale_num, how->scale_den);
    uint64_t of[2];
    function_key(of, A, FN_ROWMAP, (int)how->kind, at, how->scale_num / common, how->scale_den / common);
    for (long i = 0; i < A->rows; i++) {
        long first = 0, last = A->cols - 1;
        while (first < A->cols && !rowmap_sees(how, i * A->cols + first)) first++;
        while (last >= 0 && !rowmap_sees(how, i * A->cols + last)) last--;
        if (last < first) continue;                     /* nothing is visible: a row of zeros */
        uint64_t key[2];
        row_key(key, A, of, i, how, shift ? get(A, i, first) : 0);
        mp_limb_t rest = 1;
        for (long j = first; j <= last; j++) {
            if (!rowmap_sees(how, i * A->cols + j)) continue;
            mp_limb_t y = how->kind == ROWMAP_STOCHASTIC && j == last ? rest : random_below(key, (uint64_t)j, F.n);
            rest = nmod_sub(rest, y, F);
            set(C, i, j, y);
        }
    }
    return HOLDS;
}

static truth norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    const nmod_t F = field(A);
    uint64_t of[2], key[2];
    function_key(of, A, FN_NORM, (int)kind, at, log2eps, A->cols);
    for (long i = 0; i < A->rows; i++) {
        mp_limb_t square = 0, rho = 0;
        if (kind != NORM_RADIAL) row_key(key, A, of, i, NULL, 0);
        else {                                          /* rho(|x|^2) x */
            for (long j = 0; j < A->cols; j++) square = nmod_add(square, nmod_mul(get(A, i, j), get(A, i, j), F), F);
            random_key_salt(key, of, 2, (uint64_t[]){ (uint64_t)i, square });
            rho = random_below(key, 0, F.n);
        }
        for (long j = 0; j < A->cols; j++)
            set(C, i, j, kind == NORM_RADIAL ? nmod_mul(rho, get(A, i, j), F) : random_below(key, (uint64_t)j, F.n));
    }
    return HOLDS;
}

/* Row t is turned by the t-th power of (c, s) = ((1 - u^2)/(1 + u^2), 2u/(1 + u^2)).  RoPE's angle
 * depends on the column as a fraction of the width, and so does the random u. */
static truth rotate(mat *C, const mat *A)
{
    const nmod_t F = field(A);
    for (long j = 0; j < A->cols; j += 2) {
        uint64_t key[2];
        const long common = gcd(j, A->cols);
        random_key_salt(key, A->R->key, 3,
                        (uint64_t[]){ FN_ROTATE, (uint64_t)(j / common), (uint64_t)(A->cols / common) });
        mp_limb_t u, square, c = 1, s = 0;
        uint64_t attempt = 0;
        do {
            u = random_below(key, attempt++, F.n);
            square = nmod_mul(u, u, F);
        } while (nmod_add(1, square, F) == 0);
        const mp_limb_t below = nmod_inv(nmod_add(1, square, F), F);
        const mp_limb_t c1 = nmod_mul(nmod_sub(1, square, F), below, F), s1 = nmod_mul(nmod_add(u, u, F), below, F);
        for (long i = 0; i < A->rows; i++) {
            mp_limb_t x = get(A, i, j), y = get(A, i, j + 1), next;
            set(C, i, j,     nmod_sub(nmod_mul(x, c, F), nmod_mul(y, s, F), F));
            set(C, i, j + 1, nmod_add(nmod_mul(x, s, F), nmod_mul(y, c, F), F));
            next = nmod_sub(nmod_mul(c, c1, F), nmod_mul(s, s1, F), F);
            s    = nmod_add(nmod_mul(s, c1, F), nmod_mul(c, s1, F), F);
            c    = next;
        }
    }
    return HOLDS;
}

static comparison compare(const mat *A, const mat *B, double log2bound)
{
    (void)log2bound;
    bool equal = nmod_mat_equal(residues(A), residues(B));
    return (comparison){ equal ? HOLDS : REFUTED, equal ? -INFINITY : 0, -INFINITY };
}

arith arith_fp(uint64_t p, const uint64_t key[2])
{
    REQUIRE(p > 2 && p >> 62 == 0 && n_is_prime(p), "%llu", (unsigned long long)p);
    uint64_t own[2];
    random_key_salt(own, key, 1, &p);
    return (arith){
        .name = "fp", .kind = A_FP, .traits = EXACT | OPAQUE, .prime = p,
        .default_log2bound = -INFINITY, .key = { own[0], own[1] },
        .ring = { .init = init, .clear = clear, .draw = draw, .set_dyadic = set_dyadic,
                  .get_exact = get_exact, .get_d = get_d, .copy = copy, .add = add, .sub = sub,
                  .mul = mul, .hadamard = hadamard, .scale_rows = scale_rows,
                  .transpose = transpose, .inv = inv, .compare = compare, .log2max = log2max,
                  .rank = rank_ },
        .functions = { .phi = phi, .rowmap = row_map, .norm = norm, .rotate = rotate },
    };
}
