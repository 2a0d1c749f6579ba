/* SPDX-License-Identifier: GPL-3.0-or-later
 * dyadic.c - see dyadic.h. */
#include "numerics/product/dyadic.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/product/integers.h"
#include "numerics/product/limbs.h"

static const long NONE = LONG_MIN;                       /* all entries of the line are 0 */
enum { RADIUS_BITS = 30, AT_ONCE = 8 };

static long lowest_bit(const dyadic *x)                  /* the number is an odd integer times 2^this */
{
    long zeros = 0;
    while (!x->m[zeros]) zeros++;
    return x->exponent - 64 * (x->n - zeros) + __builtin_ctzl(x->m[zeros]);
}

static void widen(long *top, long *low, long new_top, long new_low)
{
    if (*top == NONE || new_top > *top) *top = new_top;
    if (*low == NONE || (new_low != NONE && new_low < *low)) *low = new_low;
}

enum { UNIT, TOP, RADIUS_TOP, SIZE_TOP, ALL };           /* arrays of a line each, one behind the other */

/* Row i; false: see get. */
static bool measure_row(const dyadic_matrix *A, bool by_column, long i, long *line, long lines)
{
    for (long j = 0; j < A->cols; j += AT_ONCE) {
        dyadic some[AT_ONCE];
        const long n = A->cols - j < AT_ONCE ? A->cols - j : AT_ONCE;
        if (!A->get(some, A->of, i, j, n)) return false;
        for (long k = 0; k < n; k++) {
            const dyadic *x = some + k;
            long *at = line + (by_column ? j + k : i);
            if (x->n) widen(at + TOP * lines, at + UNIT * lines, x->exponent, lowest_bit(x));
            if (x->radius && x->radius_exponent + RADIUS_BITS > at[RADIUS_TOP * lines])
                at[RADIUS_TOP * lines] = x->radius_exponent + RADIUS_BITS;
        }
    }
    return true;
}

static uint64_t size_of(int64_t m) { return m < 0 ? -(uint64_t)m : (uint64_t)m; }

/* The highest and the lowest bit of a line are those of all its entries together. */
static void measure_whole(const dyadic_matrix *A, bool by_column, long *line, long lines)
{
    uint64_t *any = must_calloc((size_t)lines, sizeof *any);
    for (long i = 0; i < A->rows; i++) {
        const int64_t *m = A->whole + i * A->pitch;
        uint64_t row = 0;
        if (by_column) for (long j = 0; j < A->cols; j++) any[j] |= size_of(m[j]);
        else           for (long j = 0; j < A->cols; j++) row |= size_of(m[j]);
        if (!by_column) any[i] = row;
    }
    for (long k = 0; k < lines; k++)
        if (any[k])
            widen(line + TOP * lines + k, line + UNIT * lines + k, A->exponent + 64 - __builtin_clzl(any[k]),
                  A->exponent + __builtin_ctzl(any[k]));
    free(any);
}

static long *no_lines(long lines)
{
    long *line = must_calloc((size_t)(ALL * lines), sizeof *line);
    for (long k = 0; k < ALL * lines; k++) line[k] = NONE;
    return line;
}

bool dyadic_lines_open(dyadic_lines *L, const dyadic_matrix *A, bool by_column)
{
    const long lines = by_column ? A->cols : A->rows;
    long *line = no_lines(lines);
    *L = (dyadic_lines){ .A = A, .by_column = by_column, .unit = line, .top = line + TOP * lines,
                         .radius_top = line + RADIUS_TOP * lines, .size_top = line + SIZE_TOP * lines, .exact = true };
    bool finite = true;
    if (A->whole) measure_whole(A, by_column, line, lines);
    #pragma omp parallel if (!A->whole && A->rows * A->cols > 100000)
    {
        long *own = by_column ? no_lines(lines) : line;  /* a row belongs to one thread, a column to all */
        bool own_finite = true;
        #pragma omp for schedule(static)
        for (long i = 0; i < (A->whole ? 0 : A->rows); i++)
            if (own_finite) own_finite = measure_row(A, by_column, i, own, lines);
        #pragma omp critical
        {
            finite &= own_finite;
            for (long k = 0; own != line && k < lines; k++) {
                widen(line + TOP * lines + k, line + k, own[TOP * lines + k], own[k]);
                if (own[RADIUS_TOP * lines + k] > L->radius_top[k]) L->radius_top[k] = own[RADIUS_TOP * lines + k];
            }
        }
        if (own != line) free(own);
    }
    if (!finite) return false;
    for (long k = 0; k < lines; k++) {
        if (L->unit[k] == NONE) L->unit[k] = L->top[k] = 0;
        if (L->top[k] - L->unit[k] > L->bits) L->bits = L->top[k] - L->unit[k];
        if (L->radius_top[k] != NONE) L->exact = false;
        else L->radius_top[k] = L->top[k];
    }
    return true;
}

void dyadic_lines_close(dyadic_lines *L)
{
    free(L->unit);
    *L = (dyadic_lines){ 0 };
}

/* ---- bounds ------------------------------------------------------------------------------------------------ */

/* 2^k, -1022 <= k <= 1023 */
static double power_of_2(long k)
{
    const uint64_t bits = (uint64_t)(k + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* mantissa 2^(exponent - e), which is at most 2; 0 where it is less than 2^-968. */
static inline double scaled(uint64_t mantissa, long exponent, long e)
{
    const long by = exponent - e;
    return by < -1000 ? 0 : (double)(int64_t)mantissa * power_of_2(by);
}

/* Sets the exponents that bounds are scaled by. */
static void choose_scales(const dyadic_lines *L)
{
    const long lines = L->by_column ? L->A->cols : L->A->rows;
    for (long k = 0; k < lines; k++)
        L->size_top[k] = L->with_radius && L->radius_top[k] > L->top[k] ? L->radius_top[k] : L->top[k];
}

static inline void bound(const dyadic_lines *L, long line, long at, const dyadic *x)
{
    if (L->size) {                                       /* the highest 32 bits of the number, rounded up */
        const long e = L->size_top[line];
        double size = x->n ? scaled((x->m[x->n - 1] >> 32) + 1, x->exponent - 32, e) : 0;
        if (L->with_radius && x->radius) size += scaled(x->radius, x->radius_exponent, e);
        L->size[at] = size;
    }
    if (L->radius) L->radius[at] = x->radius ? scaled(x->radius, x->radius_exponent, L->radius_top[line]) : 0;
}

/* ---- the integers ------------------------------------------------------------------------------------------ */

/* x[k] = entry (i, j + k), k < n <= AT_ONCE, shift[k] the exponent of its lowest limb in the integer. */
static void get_integers(dyadic *x, long *shift, const dyadic_lines *L, long i, long j, long n)
{
    const bool finite = L->A->get(x, L->A->of, i, j, n);
    REQUIRE(finite, "row %ld was finite before", i);
    for (long k = 0; k < n; k++) {
        const long line = L->by_column ? j + k : i;
        shift[k] = x[k].exponent - 64 * x[k].n - L->unit[line];
        if (L->size || L->radius) bound(L, line, i * L->A->cols + j + k, x + k);
    }
}

static void read_digits(const void *of, long i, long j, long n, long digits, double *to, long ld)
{
    dyadic x[AT_ONCE];
    long shift[AT_ONCE];
    for (long first = 0; first < n; first += AT_ONCE) {
        const long some = n - first < AT_ONCE ? n - first : AT_ONCE;
        get_integers(x, shift, of, i, j + first, some);
        for (long k = 0; k < some; k++)
            integers_digits(x[k].m, x[k].n, shift[k], x[k].negative, digits, to + first + k, ld);
    }
}

/* Integers in one limb each; as bound() has it, the highest 32 bits of each number, rounded up. */
static void read_whole(const dyadic_lines *L, long i, long j, long n, uint64_t *to, long step)
{
    const dyadic_matrix *A = L->A;
    const int64_t *m = A->whole + i * A->pitch + j;
    for (long k = 0; k < n; k++) {
        const long line = L->by_column ? j + k : i;
        to[k * step] = limbs_of_one(m[k] ? m[k] >> (L->unit[line] - A->exponent) : 0);
    }
    for (long k = 0; L->size && k < n; k++) {
        const uint64_t size = size_of(m[k]);
        const int zeros = size ? __builtin_clzl(size) : 0;
        L->size[i * A->cols + j + k] = size ? scaled((size << zeros >> 32) + 1, A->exponent + 32 - zeros,
                                                     L->size_top[L->by_column ? j + k : i]) : 0;
    }
}

static void read_limbs(const void *of, long i, long j, long n, long limbs, uint64_t *to, long ld, long step)
{
    const dyadic_lines *L = of;
    dyadic x[AT_ONCE];
    long shift[AT_ONCE];
    if (L->A->whole && limbs == 1 && !L->radius) {
        read_whole(L, i, j, n, to, step);
        return;
    }
    for (long first = 0; first < n; first += AT_ONCE) {
        const long some = n - first < AT_ONCE ? n - first : AT_ONCE;
        get_integers(x, shift, of, i, j + first, some);
        for (long k = 0; k < some; k++)
            limbs_of(x[k].m, x[k].n, shift[k], x[k].negative, limbs, to + (first + k) * step, ld);
    }
}

typedef struct { const dyadic_result *C; const dyadic_lines *A, *B; } target;

static void write_entry(void *of, long i, long j, mp_limb_t *x, long limbs, bool negative)
{
    const target *t = of;
    while (limbs && !x[limbs - 1]) limbs--;
    t->C->write(t->C->of, i, j, x, limbs, negative, t->A->unit[i] + t->B->unit[j]);
}

static void write_soon(void *of, long i, long j, long n)
{
    const target *t = of;
    t->C->soon(t->C->of, i, j, n);
}

static dyadic_way forced;
void dyadic_force(dyadic_way way) { forced = way; }

/* Nanoseconds of one thread: of an entry of an operand and one of the result, more of each prime or limb, and of a
 * multiply-add modulo a prime or of two limbs. */
typedef struct { double in, in_each, out, out_each, multiply_add; } costs;
/* Whether to do it at all; results depend on this, so it stays as it was measured first. */
static const costs RESIDUES = { 23, 4.9, 100, 1.9, 0.05 };
/* By which way: fitted to 66 products of 16 to 512 rows and 24 to 550 bits on a quiet AMD Zen 4 (AVX-512 IFMA); of
 * these none would have been more than 6 % faster the other way. */
static const costs BY_RESIDUES = { 11, 1.6, 2.2, 3.2, 0.052 }, BY_LIMBS = { 10, 3.8, 10, 2.0, 0.073 };

static double cost_of_residues(const costs *c, const integer_matrix *A, const integer_matrix *B)
{
    const double m = (double)A->rows, K = (double)A->cols, n = (double)B->cols, P = (double)integers_primes(A, B);
    if (P == 0) return INFINITY;
    return (c->in + c->in_each * P) * (m * K + K * n) + (c->out + c->out_each * P) * m * n +
           c->multiply_add * P * m * K * n;
}

static double cost_of_limbs(const limb_matrix *A, const limb_matrix *B)
{
    const double m = (double)A->rows, K = (double)A->cols, n = (double)B->cols;
    const double a = (double)limbs_for(A->bits), b = (double)limbs_for(B->bits);
    const costs *c = &BY_LIMBS;
    if (!limbs_available() || fmax(a, b) > LIMBS_MOST) return INFINITY;
    return (c->in + c->in_each * a) * m * K + (c->in + c->in_each * b) * K * n +
           (c->out + c->out_each * (a + b)) * m * n +
           c->multiply_add * (double)limbs_pairs(A->bits, B->bits) * m * K * n;
}

/* What residues cost decides whether to do it, and limbs only take their place: no result depends on the processor. */
bool dyadic_product(const dyadic_result *C, const dyadic_lines *A, const dyadic_lines *B, double nanoseconds)
{
    const integer_matrix x = { A->A->rows, A->A->cols, A->bits, A, read_digits },
                         y = { B->A->rows, B->A->cols, B->bits, B, read_digits };
    const limb_matrix u = { x.rows, x.cols, x.bits, A, read_limbs }, v = { y.rows, y.cols, y.bits, B, read_limbs };
    target to = { C, A, B };
    const integer_result result = { &to, write_entry, C->soon ? write_soon : NULL };
    const double residues = cost_of_residues(&RESIDUES, &x, &y);
    if (residues == INFINITY || (!forced && residues > nanoseconds)) return false;
    choose_scales(A);
    choose_scales(B);
    const bool by_limbs = forced == DYADIC_LIMBS ||
                          (!forced && cost_of_limbs(&u, &v) < cost_of_residues(&BY_RESIDUES, &x, &y));
    return (by_limbs && limbs_product(&result, &u, &v)) || integers_product(&result, &x, &y);
}
