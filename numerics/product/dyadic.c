/* dyadic.c - see dyadic.h. */
#include "numerics/product/dyadic.h"
#include <stdlib.h>
#include "numerics/product/integers.h"

static const long NONE = LONG_MIN;                       /* all entries of the line are 0 */

static long lowest_bit(const dyadic *x)                  /* the number is an odd integer times 2^this */
{
    long zeros = 0;
    while (!x->m[zeros]) zeros++;
    return x->exponent - 64 * (x->n - zeros) + __builtin_ctzl(x->m[zeros]);
}

bool dyadic_lines_open(dyadic_lines *L, const dyadic_matrix *A, bool by_column)
{
    const long lines = by_column ? A->cols : A->rows;
    *L = (dyadic_lines){ .A = A, .by_column = by_column, .unit = must_calloc((size_t)(2 * lines), sizeof *L->unit) };
    L->top = L->unit + lines;
    for (long k = 0; k < 2 * lines; k++) L->unit[k] = NONE;
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            dyadic x;
            if (!A->get(&x, A->of, i, j)) return false;
            if (!x.n) continue;
            const long line = by_column ? j : i, low = lowest_bit(&x);
            if (L->top[line] == NONE || x.exponent > L->top[line]) L->top[line] = x.exponent;
            if (L->unit[line] == NONE || low < L->unit[line]) L->unit[line] = low;
        }
    for (long k = 0; k < lines; k++) {
        if (L->unit[k] == NONE) L->unit[k] = L->top[k] = 0;
        if (L->top[k] - L->unit[k] > L->bits) L->bits = L->top[k] - L->unit[k];
    }
    return true;
}

void dyadic_lines_close(dyadic_lines *L)
{
    free(L->unit);
    *L = (dyadic_lines){ 0 };
}

static void read_line(const void *of, long i, long j, long n, long digits, double *to, long ld)
{
    const dyadic_lines *L = of;
    for (long k = 0; k < n; k++) {
        dyadic x;
        const bool finite = L->A->get(&x, L->A->of, i, j + k);
        REQUIRE(finite, "entry (%ld, %ld) was finite before", i, j + k);
        const long unit = L->unit[L->by_column ? j + k : i];
        integers_digits(x.m, x.n, x.exponent - 64 * x.n - unit, x.negative, digits, to + k, ld);
    }
}

typedef struct { const dyadic_result *C; const dyadic_lines *A, *B; } target;

static void write_entry(void *of, long i, long j, mp_limb_t *x, long limbs, bool negative)
{
    const target *t = of;
    mpz_t X;
    while (limbs && !x[limbs - 1]) limbs--;
    t->C->write(t->C->of, i, j, mpz_roinit_n(X, x, negative ? -limbs : limbs), t->A->unit[i] + t->B->unit[j]);
}

/* Nanoseconds measured on one thread of a processor with AVX-512: for each prime to convert an entry of an operand and
 * one of the result, and a multiply-add of doubles. */
static const double IN = 2, OUT = 6, MULTIPLY_ADD = 0.025;

bool dyadic_product(const dyadic_result *C, const dyadic_lines *A, const dyadic_lines *B, double nanoseconds)
{
    const integer_matrix x = { A->A->rows, A->A->cols, A->bits, A, read_line },
                         y = { B->A->rows, B->A->cols, B->bits, B, read_line };
    target to = { C, A, B };
    const double m = (double)x.rows, K = (double)x.cols, n = (double)y.cols, primes = (double)integers_primes(&x, &y);
    const double ours = primes * (IN * (m * K + K * n) + OUT * m * n + MULTIPLY_ADD * m * K * n);
    if (primes == 0 || ours > nanoseconds * m * K * n) return false;
    return integers_product(&(integer_result){ &to, write_entry }, &x, &y);
}
