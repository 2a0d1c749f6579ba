/* SPDX-License-Identifier: GPL-3.0-or-later
 * matrix.c - matrices of rational numbers. */
#include "src/proofcheck/proofcheck.h"

matrix matrix_zero(checker *c, long rows, long cols)
{
    matrix A = { "", rows, cols, check_alloc(c, (size_t)(rows * cols) * sizeof(mpq_t)) };
    check_spend(c, 10 * rows * cols);
    for (long k = 0; k < rows * cols; k++) mpq_init(A.at[k]);
    return A;
}

void check_bits(checker *c, const mpq_t q)
{
    const size_t bits = mpz_sizeinbase(mpq_numref(q), 2) + mpz_sizeinbase(mpq_denref(q), 2);
    check_that(c, bits <= BITS, "a number of too many bits");
    check_spend(c, 10 + (long)(bits / 64 * bits / 64));
}

static void add_product(checker *c, mpq_t sum, const mpq_t a, const mpq_t b)
{
    check_spend(c, 1);
    if (mpq_sgn(a) == 0 || mpq_sgn(b) == 0) return;
    mpq_mul(c->z, a, b);
    mpq_add(sum, sum, c->z);
    check_bits(c, sum);
}

matrix matrix_product(checker *c, matrix A, matrix B)
{
    check_that(c, A.c == B.r, "a product of shapes that do not fit");
    matrix C = matrix_zero(c, A.r, B.c);
    for (long i = 0; i < A.r; i++)
        for (long j = 0; j < B.c; j++)
            for (long k = 0; k < A.c; k++) add_product(c, AT(C, i, j), AT(A, i, k), AT(B, k, j));
    return C;
}

matrix matrix_transposed(checker *c, matrix A)
{
    matrix B = matrix_zero(c, A.c, A.r);
    for (long i = 0; i < A.r; i++)
        for (long j = 0; j < A.c; j++) mpq_set(AT(B, j, i), AT(A, i, j));
    return B;
}

matrix matrix_stacked(checker *c, matrix A, matrix B)
{
    matrix C = matrix_zero(c, A.r + B.r, A.c);
    for (long i = 0; i < C.r; i++)
        for (long j = 0; j < C.c; j++) mpq_set(AT(C, i, j), i < A.r ? AT(A, i, j) : AT(B, i - A.r, j));
    return C;
}

matrix matrix_plus(checker *c, matrix A, matrix B, long sign)
{
    check_that(c, A.r == B.r && A.c == B.c, "a sum of different shapes");
    matrix C = matrix_zero(c, A.r, A.c);
    mpq_set_si(c->x, sign, 1);
    for (long k = 0; k < C.r * C.c; k++) {
        mpq_set(C.at[k], A.at[k]);
        add_product(c, C.at[k], c->x, B.at[k]);
    }
    return C;
}

matrix matrix_row(matrix A, long i)
{
    return (matrix){ "", 1, A.c, A.at + i * A.c };
}

bool matrix_is_zero(matrix A)
{
    for (long k = 0; k < A.r * A.c; k++)
        if (mpq_sgn(A.at[k]) != 0) return false;
    return true;
}

matrix matrix_read(checker *c, const char *called, long rows, long cols)
{
    if (!text_line_is(c, "matrix", 4) || (*called && !text_equal(c->word[1], called)))
        check_reject(c, "expected a line `matrix`", called);
    char *name = text_line_name(c, 1);
    const long r = text_read_whole(c, c->word[2], DIM), s = text_read_whole(c, c->word[3], DIM);
    check_that(c, r && s && (!rows || r == rows) && (!cols || s == cols), "a matrix of the wrong shape");
    matrix A = matrix_zero(c, r, s);
    A.name = name;
    const bool drawn = list_draws(c, name);
    for (long i = 0; i < r; i++) {
        text_next_row(c, !drawn);
        check_that(c, c->words == s, "wrong number of entries in a row");
        for (long j = 0; j < s; j++) text_read_rational(c, AT(A, i, j), c->word[j]);
        c->drawn_zero_row |= drawn && matrix_is_zero(matrix_row(A, i));
    }
    c->drawn_zero |= drawn && matrix_is_zero(A);
    return A;
}

matrix matrix_read_next(checker *c, const char *called, long rows, long cols)
{
    text_next_line(c);
    return matrix_read(c, called, rows, cols);
}
