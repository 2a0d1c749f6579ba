/* arith_nmod.c - integers modulo a prime q near 2^61, by FLINT; functions are uninterpreted.
 *
 * Activations, row maps and norms are keyed hashes of place and argument (SipHash, taken as a
 * random function): equal arguments give equal values, and nothing else is known about them.
 * Weights are uniform.  An identity that holds here at random weights therefore holds formally,
 * for every activation, mask, scale and position, unless one of the coincidences counted by
 * arith_deg.c happened (Schwartz 1980, Zippel 1979).  A difference proves that the construction
 * fails for some functions; it says nothing about the particular function GELU. */
#include <math.h>
#include <stdlib.h>
#include "numerics/arith.h"
#include "numerics/flint_compat.h"
#include "numerics/random.h"

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

/* Corner shapes keep their meaning (repeated rows, zeros); otherwise entries are uniform. */
static void draw(mat *C, const drawing *how)
{
    if (how->shape != CORNER_NONE) { draw_by_dyadic(C, how); return; }
    EACH(C, i, j) set(C, i, j, random_below(how->key, (uint64_t)(i * C->cols + j), C->R->prime));
}

static mp_limb_t signed_residue(int64_t x, nmod_t F)
{
    mp_limb_t r = (x < 0 ? -(mp_limb_t)x : (mp_limb_t)x) % F.n;
    return x < 0 ? nmod_neg(r, F) : r;
}

static void set_dyadic(mat *C, const int64_t *m, long e)
{
    const nmod_t F = field(C);
    mp_limb_t unit = nmod_pow_ui(e < 0 ? nmod_inv(2 % F.n, F) : 2 % F.n, (ulong)labs(e), F);
    EACH(C, i, j) set(C, i, j, nmod_mul(signed_residue(m[i * C->cols + j], F), unit, F));
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
static void mul(mat *C, const mat *A, const mat *B) { nmod_mat_mul(residues(C), residues(A), residues(B)); }
static void transpose(mat *C, const mat *A)         { nmod_mat_transpose(residues(C), residues(A)); }
static truth inv(mat *C, const mat *A)  { return nmod_mat_inv(residues(C), residues(A)) ? HOLDS : UNDECIDED; }
static long rank_(const mat *A)         { return nmod_mat_rank(residues(A)); }

static void hadamard(mat *C, const mat *A, const mat *B)
{
    EACH(C, i, j) set(C, i, j, nmod_mul(get(A, i, j), get(B, i, j), field(C)));
}

static void scale_rows(mat *C, const mat *g, const mat *A)
{
    EACH(C, i, j) set(C, i, j, nmod_mul(get(g, i, 0), get(A, i, j), field(C)));
}

/* ---- uninterpreted functions ------------------------------------------------------------- */

enum { FN_PHI = 1, FN_ROWMAP, FN_NORM, FN_ROTATE };

static uint64_t where(int function, int kind, place at)
{
    return (uint64_t)function << 56 | (uint64_t)(kind & 255) << 48 | (uint64_t)(at.sublayer & 255) << 40
         | (uint64_t)(at.layer & 0xfffff) << 20 | (uint64_t)(at.head & 0xfffff);
}

/* 128 bits that depend on the words: collisions must be rarer than those among residues. */
static void wide_key(uint64_t key[2], const mat *A, size_t n, const uint64_t *word)
{
    const uint64_t other[2] = { ~A->R->key[0], A->R->key[1] };
    key[0] = siphash_words(A->R->key, n, word);
    key[1] = siphash_words(other, n, word);
}

static truth phi(mat *C, const mat *A, activation kind, place at)
{
    const nmod_t F = field(A);
    const mp_limb_t half = nmod_inv(2 % F.n, F);
    if (kind == ACT_IDENTITY) { nmod_mat_set(residues(C), residues(A)); return HOLDS; }
    EACH(A, i, j) {
        mp_limb_t x = get(A, i, j), even = kind == ACT_HALF_ODD && x > F.n / 2 ? F.n - x : x;
        uint64_t key[2], word[] = { where(FN_PHI, kind, at), (uint64_t)i, (uint64_t)j, even };
        wide_key(key, A, COUNT(word), word);
        mp_limb_t y = random_below(key, 0, F.n);
        set(C, i, j, kind == ACT_HALF_ODD ? nmod_add(y, nmod_mul(half, x, F), F) : y);
    }
    return HOLDS;
}

/* A key that depends on the place, the row's number and the given entries of the row. */
static void row_key(uint64_t key[2], const mat *A, uint64_t tag, long i, const unsigned char *visible,
                    mp_limb_t less)
{
    size_t n = 0;
    uint64_t *word = must_calloc((size_t)(2 * A->cols + 2), sizeof *word);
    word[n++] = tag;
    word[n++] = (uint64_t)i;
    for (long j = 0; j < A->cols; j++) {
        if (visible && !visible[i * A->cols + j]) continue;
        word[n++] = (uint64_t)j;
        word[n++] = nmod_sub(get(A, i, j), less, field(A));
    }
    wide_key(key, A, n, word);
    free(word);
}

static truth linear(mat *C, const mat *A, const rowmap *how)    /* visible scores times sqrt(num/den) */
{
    const nmod_t F = field(A);
    const long num = lround(sqrt((double)how->scale_num)), den = lround(sqrt((double)how->scale_den));
    if (num * num != how->scale_num || den * den != how->scale_den) return UNDECIDED;
    const mp_limb_t scale = nmod_div((mp_limb_t)num % F.n, (mp_limb_t)den % F.n, F);
    EACH(A, i, j)
        if (!how->visible || how->visible[i * A->cols + j]) set(C, i, j, nmod_mul(scale, get(A, i, j), F));
    return HOLDS;
}

static truth row_map(mat *C, const mat *A, const rowmap *how, place at)
{
    const nmod_t F = field(A);
    const bool shift = how->kind == ROWMAP_SHIFT || how->kind == ROWMAP_STOCHASTIC;
    if (how->kind == ROWMAP_LINEAR) return linear(C, A, how);
    for (long i = 0; i < A->rows; i++) {
        const unsigned char *visible = how->visible;
        long first = 0, last = A->cols - 1;
        while (first < A->cols && visible && !visible[i * A->cols + first]) first++;
        while (last >= 0 && visible && !visible[i * A->cols + last]) last--;
        if (last < first) continue;                     /* sees nothing: a row of zeros */
        uint64_t key[2];
        row_key(key, A, where(FN_ROWMAP, (int)how->kind, at), i, visible, shift ? get(A, i, first) : 0);
        mp_limb_t rest = 1;
        for (long j = first; j <= last; j++) {
            if (visible && !visible[i * A->cols + j]) continue;
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
    const uint64_t tag = where(FN_NORM, (int)kind, at);
    (void)log2eps;
    for (long i = 0; i < A->rows; i++) {
        uint64_t key[2];
        if (kind != NORM_RADIAL) row_key(key, A, tag, i, NULL, 0);
        else {                                          /* rho(|x|^2) x */
            mp_limb_t square = 0;
            for (long j = 0; j < A->cols; j++) square = nmod_add(square, nmod_mul(get(A, i, j), get(A, i, j), F), F);
            wide_key(key, A, 3, (uint64_t[]){ tag, (uint64_t)i, square });
        }
        const mp_limb_t rho = random_below(key, 0, F.n);
        for (long j = 0; j < A->cols; j++)
            set(C, i, j, kind == NORM_RADIAL ? nmod_mul(rho, get(A, i, j), F) : random_below(key, (uint64_t)j, F.n));
    }
    return HOLDS;
}

/* Row t is turned by the t-th power of (c, s) = ((1 - u^2)/(1 + u^2), 2u/(1 + u^2)), u random. */
static truth rotate(mat *C, const mat *A)
{
    const nmod_t F = field(A);
    for (long j = 0; j < A->cols; j += 2) {
        uint64_t key[2] = { siphash_words(A->R->key, 2, (uint64_t[]){ FN_ROTATE, (uint64_t)j }), FN_ROTATE };
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

arith arith_fp(uint64_t prime, const uint64_t key[2])
{
    REQUIRE(prime > 2 && prime >> 62 == 0 && n_is_prime(prime), "%llu", (unsigned long long)prime);
    return (arith){
        .name = "fp", .traits = EXACT | OPAQUE, .prime = prime, .key = { key[0], key[1] },
        .init = init, .clear = clear, .draw = draw, .set_dyadic = set_dyadic,
        .get_exact = get_exact, .get_d = get_d, .copy = copy, .add = add, .sub = sub, .mul = mul,
        .hadamard = hadamard, .scale_rows = scale_rows, .transpose = transpose, .inv = inv,
        .phi = phi, .rowmap = row_map, .norm = norm, .rotate = rotate,
        .compare = compare, .log2max = log2max, .rank = rank_ };
}
