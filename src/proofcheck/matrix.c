/* matrix.c - matrices of rational numbers. */
#include "src/proofcheck/proofcheck.h"

matrix zero(checker *c, long rows, long cols)
{
    matrix A = { "", rows, cols, new_bytes(c, (size_t)(rows * cols) * sizeof(mpq_t)) };
    spend(c, 10 * rows * cols);
    for (long k = 0; k < rows * cols; k++) mpq_init(A.at[k]);
    return A;
}

void bounded(checker *c, const mpq_t q)
{
    const size_t bits = mpz_sizeinbase(mpq_numref(q), 2) + mpz_sizeinbase(mpq_denref(q), 2);
    require(c, bits <= BITS, "a number of too many bits");
    spend(c, 10 + (long)(bits / 64 * bits / 64));
}

static void add_product(checker *c, mpq_t sum, const mpq_t a, const mpq_t b)
{
    spend(c, 1);
    if (mpq_sgn(a) == 0 || mpq_sgn(b) == 0) return;
    mpq_mul(c->z, a, b);
    mpq_add(sum, sum, c->z);
    bounded(c, sum);
}

matrix product(checker *c, matrix A, matrix B)
{
    require(c, A.c == B.r, "a product of shapes that do not fit");
    matrix C = zero(c, A.r, B.c);
    for (long i = 0; i < A.r; i++)
        for (long j = 0; j < B.c; j++)
            for (long k = 0; k < A.c; k++) add_product(c, AT(C, i, j), AT(A, i, k), AT(B, k, j));
    return C;
}

matrix transposed(checker *c, matrix A)
{
    matrix B = zero(c, A.c, A.r);
    for (long i = 0; i < A.r; i++)
        for (long j = 0; j < A.c; j++) mpq_set(AT(B, j, i), AT(A, i, j));
    return B;
}

matrix stacked(checker *c, matrix A, matrix B)
{
    matrix C = zero(c, A.r + B.r, A.c);
    for (long i = 0; i < C.r; i++)
        for (long j = 0; j < C.c; j++) mpq_set(AT(C, i, j), i < A.r ? AT(A, i, j) : AT(B, i - A.r, j));
    return C;
}

matrix plus(checker *c, matrix A, matrix B, long sign)
{
    require(c, A.r == B.r && A.c == B.c, "a sum of different shapes");
    matrix C = zero(c, A.r, A.c);
    mpq_set_si(c->x, sign, 1);
    for (long k = 0; k < C.r * C.c; k++) {
        mpq_set(C.at[k], A.at[k]);
        add_product(c, C.at[k], c->x, B.at[k]);
    }
    return C;
}

matrix row_of(matrix A, long i)
{
    return (matrix){ "", 1, A.c, A.at + i * A.c };
}

bool is_zero(matrix A)
{
    for (long k = 0; k < A.r * A.c; k++)
        if (mpq_sgn(A.at[k]) != 0) return false;
    return true;
}

matrix read_matrix(checker *c, const char *called, long rows, long cols)
{
    if (!is(c, "matrix", 4) || (*called && !same(c->word[1], called))) reject(c, "no line `matrix`", called);
    char *name = name_at(c, 1);
    const long r = whole(c, c->word[2], DIM), s = whole(c, c->word[3], DIM);
    require(c, r && s && (!rows || r == rows) && (!cols || s == cols), "a matrix of another shape");
    matrix A = zero(c, r, s);
    A.name = name;
    for (long i = 0; i < r; i++) {
        next_row(c);
        require(c, c->words == s, "another number of entries in a row");
        for (long j = 0; j < s; j++) number(c, AT(A, i, j), c->word[j]);
    }
    return A;
}

matrix next_matrix(checker *c, const char *called, long rows, long cols)
{
    next_line(c);
    return read_matrix(c, called, rows, cols);
}
