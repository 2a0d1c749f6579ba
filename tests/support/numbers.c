/* SPDX-License-Identifier: GPL-3.0-or-later
 * numbers.c - see numbers.h. */
#include "tests/support/numbers.h"
#include <string.h>

static uint64_t P = ((uint64_t)1 << 61) - 1, table;

void numbers_modulo(uint64_t prime, uint64_t key)
{
    P = prime;
    table = key;
}

uint64_t mod_mul(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b % P); }
uint64_t mod_add(uint64_t a, uint64_t b) { return (a + b) % P; }
uint64_t mod_sub(uint64_t a, uint64_t b) { return (a + P - b) % P; }

uint64_t mod_inverse(uint64_t a)
{
    uint64_t r = 1;
    for (uint64_t e = P - 2; e; e >>= 1, a = mod_mul(a, a))
        if (e & 1) r = mod_mul(r, a);
    return r;
}

uint64_t mod_dyadic(int64_t m, long e)
{
    uint64_t x = (m < 0 ? -(uint64_t)m : (uint64_t)m) % P, two = e < 0 ? mod_inverse(2) : 2;
    if (m < 0) x = mod_sub(0, x);
    for (uint64_t n = (uint64_t)(e < 0 ? -e : e); n; n >>= 1, two = mod_mul(two, two)) if (n & 1) x = mod_mul(x, two);
    return x;
}

static uint64_t random_state;

static uint64_t mix(uint64_t x)          /* the finaliser of SplitMix64 (Steele, Lea & Flood 2014) */
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

void     random_start(uint64_t seed) { random_state = mix(seed + 1); }
uint64_t next_random(void) { return mix(random_state += 0x9e3779b97f4a7c15u); }
long     below(long n)     { return (long)(next_random() % (uint64_t)n); }

uint64_t hash(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    return mix(mix(mix(mix(table + a + 1) + b) + c) + d) % P;
}

static uint64_t *at(numbers *A, long i, long j)            { return &A->x[i * A->cols + j]; }
uint64_t num_value(const numbers *A, long i, long j)       { return A->x[i * A->cols + j]; }
static numbers  blank(long rows, long cols)                { return (numbers){ .rows = rows, .cols = cols }; }

numbers num_draw(uint64_t name, long rows, long cols)
{
    numbers C = blank(rows, cols);
    for (long i = 0; i < rows * cols; i++) C.x[i] = hash(name, (uint64_t)rows, (uint64_t)cols, (uint64_t)i);
    return C;
}

numbers num_mul(const numbers *A, const numbers *B)
{
    numbers C = blank(A->rows, B->cols);
    for (long i = 0; i < C.rows; i++)
        for (long j = 0; j < C.cols; j++) {
            unsigned __int128 sum = 0;                         /* of at most eight products below 2^122 */
            for (long k = 0; k < A->cols; k++) sum += (unsigned __int128)num_value(A, i, k) * num_value(B, k, j);
            *at(&C, i, j) = (uint64_t)(sum % P);
        }
    return C;
}

numbers num_turn(const numbers *A)
{
    numbers C = blank(A->cols, A->rows);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) *at(&C, j, i) = num_value(A, i, j);
    return C;
}

numbers num_entrywise(const numbers *A, const numbers *B, uint64_t (*f)(uint64_t, uint64_t))
{
    numbers C = blank(A->rows, A->cols);
    for (long i = 0; i < A->rows * A->cols; i++) C.x[i] = f(A->x[i], B->x[i]);
    return C;
}

numbers num_constant(long rows, long cols, uint64_t diagonal, uint64_t other)
{
    numbers C = blank(rows, cols);
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < cols; j++) *at(&C, i, j) = i == j ? diagonal : other;
    return C;
}

static void add_row_multiple(numbers *A, long to, long from, uint64_t c)
{
    for (long j = 0; j < A->cols; j++)
        *at(A, to, j) = mod_sub(num_value(A, to, j), mod_mul(c, num_value(A, from, j)));
}

static void swap_rows(numbers *A, long i, long k)
{
    for (long j = 0; j < A->cols; j++) {
        uint64_t x = num_value(A, i, j);
        *at(A, i, j) = num_value(A, k, j);
        *at(A, k, j) = x;
    }
}

bool num_inv(numbers *C, numbers A)                 /* Gauss-Jordan; false = singular */
{
    *C = num_constant(A.rows, A.rows, 1, 0);
    for (long k = 0; k < A.rows; k++) {
        long pivot = k;
        while (pivot < A.rows && num_value(&A, pivot, k) == 0) pivot++;
        if (pivot == A.rows) return false;
        swap_rows(&A, k, pivot);
        swap_rows(C, k, pivot);
        uint64_t scale = mod_sub(1, mod_inverse(num_value(&A, k, k)));   /* row -= (1 - 1/pivot) row */
        add_row_multiple(&A, k, k, scale);
        add_row_multiple(C, k, k, scale);
        for (long i = 0; i < A.rows; i++) {
            uint64_t c = num_value(&A, i, k);
            if (i == k) continue;
            add_row_multiple(&A, i, k, c);
            add_row_multiple(C, i, k, c);
        }
    }
    return true;
}

numbers num_block(long rows, long cols, long ci, long cj, const numbers *A, long ai, long aj,
                         long r, long c)
{
    numbers C = blank(rows, cols);
    for (long i = 0; i < r; i++)
        for (long j = 0; j < c; j++) *at(&C, ci + i, cj + j) = num_value(A, ai + i, aj + j);
    return C;
}

numbers num_phi(const numbers *A, activation kind, uint64_t where)
{
    const uint64_t half = mod_inverse(2);
    numbers C = *A;
    for (long k = 0; k < A->rows * A->cols && kind != ACT_IDENTITY; k++) {
        uint64_t x = A->x[k], even = x < P - x ? x : (P - x) % P;
        if (kind == ACT_HALF_ODD)
            C.x[k] = mod_add(hash(1, where, (uint64_t)k, even), mod_mul(half, x));
        else
            C.x[k] = hash(2 + kind, where, (uint64_t)k, x);
    }
    return C;
}

static uint64_t row_hash(const numbers *A, long i, const unsigned char *visible, uint64_t shift)
{
    uint64_t h = (uint64_t)i;
    for (long j = 0; j < A->cols; j++)
        if (!visible || visible[i * A->cols + j])
            h = hash(3, h, (uint64_t)j, mod_sub(num_value(A, i, j), shift));
    return h;
}

numbers num_rowmap(const numbers *A, rowmap_kind kind, const unsigned char *visible, uint64_t where)
{
    numbers C = blank(A->rows, A->cols);
    bool shifts = kind == ROWMAP_SHIFT || kind == ROWMAP_STOCHASTIC;
    for (long i = 0; i < A->rows; i++) {
        long last = -1;
        uint64_t sum = 0, h;
        for (long j = 0; j < A->cols; j++)
            if (!visible || visible[i * A->cols + j]) last = j;
        if (last < 0) continue;
        h = row_hash(A, i, visible, shifts ? num_value(A, i, last) : 0);
        for (long j = 0; j <= last; j++) {
            if (visible && !visible[i * A->cols + j]) continue;
            *at(&C, i, j) = kind == ROWMAP_LINEAR ? num_value(A, i, j) : hash(4 + kind, where, (uint64_t)j, h);
            if (j < last) sum = mod_add(sum, num_value(&C, i, j));
        }
        if (kind == ROWMAP_STOCHASTIC) *at(&C, i, last) = mod_sub(1, sum);
    }
    return C;
}

numbers num_norm(const numbers *A, norm_kind kind, uint64_t where)
{
    numbers C = blank(A->rows, A->cols), turned = num_turn(A), gram = num_mul(A, &turned);
    for (long i = 0; i < A->rows; i++) {
        uint64_t rho = hash(10, where, (uint64_t)i, num_value(&gram, i, i)), h = row_hash(A, i, NULL, 0);
        for (long j = 0; j < A->cols; j++)
            *at(&C, i, j) = kind == NORM_RADIAL ? mod_mul(rho, num_value(A, i, j))
                                                : hash(11 + kind, where, (uint64_t)j, h);
    }
    return C;
}

/* Row t by the t-th power of a rational rotation; row 0 stays.  The frequency of columns j, j + 1 is that of j/cols;
 * all widths here divide 24. */
numbers num_rotate(const numbers *A)
{
    numbers C = blank(A->rows, A->cols);
    for (long j = 0; j < A->cols; j += 2) {
        const uint64_t u = hash(20, (uint64_t)(24 * j / A->cols), 0, 0), d = mod_inverse(mod_add(1, mod_mul(u, u)));
        const uint64_t cosine = mod_mul(mod_sub(1, mod_mul(u, u)), d), sine = mod_mul(mod_add(u, u), d);
        uint64_t c = 1, s = 0;
        for (long i = 0; i < A->rows; i++) {
            const uint64_t x = num_value(A, i, j), y = num_value(A, i, j + 1);
            *at(&C, i, j)     = mod_sub(mod_mul(c, x), mod_mul(s, y));
            *at(&C, i, j + 1) = mod_add(mod_mul(s, x), mod_mul(c, y));
            const uint64_t next = mod_sub(mod_mul(c, cosine), mod_mul(s, sine));
            s = mod_add(mod_mul(s, cosine), mod_mul(c, sine));
            c = next;
        }
    }
    return C;
}

numbers num_scale_rows(const numbers *g, const numbers *A)
{
    numbers C = *A;
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) *at(&C, i, j) = mod_mul(g->x[i], num_value(A, i, j));
    return C;
}

bool num_equal(const numbers *A, const numbers *B)
{
    return A->rows == B->rows && A->cols == B->cols
        && memcmp(A->x, B->x, (size_t)(A->rows * A->cols) * sizeof *A->x) == 0;
}
