/* SPDX-License-Identifier: GPL-3.0-or-later
 * constants.c - matrices of given numbers: identities, selections and all-ones are recognised by their contents. */
#include <stdlib.h>
#include "numerics/selection.h"
#include "numerics/symbolic/sym.h"

/* The word of the all-ones matrix of this shape; returns its length. */
static size_t ones_word(sym *s, long rows, long cols, token w[2])
{
    size_t n = 0;
    if (rows > 1) w[n++] = token_ones(s, rows);
    if (cols > 1) w[n++] = token_ones(s, cols) | TOKEN_TRANSPOSED;
    return n;
}

bool sym_is_ones(const mat *A, ratio *c)
{
    const poly *p = poly_of(A);
    token w[2];
    size_t n = ones_word(sym_of(A), A->rows, A->cols, w);
    if (p->n != 1 || word_compare(poly_word(p, &p->terms[0]), p->terms[0].len, w, n) != 0) return false;
    *c = p->terms[0].c;
    return true;
}

static bool is_uniform(const int64_t *m, long n)
{
    for (long k = 1; k < n; k++)
        if (m[k] != m[0]) return false;
    return true;
}

/* Constants with a known structure: their word, and x such that the matrix is x 2^e times it. */
static bool structured(sym *s, const int64_t *m, long rows, long cols, int64_t *x, token w[2], size_t *n)
{
    long o;
    *n = 0;
    if (is_uniform(m, rows * cols)) {
        *x = m[0];
        *n = ones_word(s, rows, cols, w);
    } else if (rows >= cols && selection_find(m, rows, cols, cols, 1, x, &o)) {
        if (rows > cols) w[(*n)++] = token_select(s, rows, o, cols);
    } else if (rows < cols && selection_find(m, cols, rows, 1, cols, x, &o)) {
        w[(*n)++] = token_select(s, cols, o, rows) | TOKEN_TRANSPOSED;
    } else {
        return false;
    }
    return true;
}

static int trailing_zeros(const int64_t *m, long n)        /* common to all entries; 64 = all are 0 */
{
    uint64_t bits = 0;
    for (long k = 0; k < n; k++) bits |= (uint64_t)m[k];
    return bits ? __builtin_ctzll(bits) : 64;
}

void sym_set_dyadic(mat *C, const int64_t *m, long e)
{
    sym *s = sym_of(C);
    long n = C->rows * C->cols;
    int zeros = trailing_zeros(m, n);
    if (zeros == 64) {
        sym_set_poly(C, &(poly){ 0 });
        return;
    }
    int64_t *odd = must_calloc((size_t)n, sizeof *odd), x;  /* some entry is odd: one m and e per matrix */
    for (long k = 0; k < n; k++) odd[k] = m[k] >> zeros;
    e += zeros;
    token w[2];
    size_t len;
    ratio c = ratio_one;
    if (!structured(s, odd, C->rows, C->cols, &x, w, &len) || !ratio_dyadic(&c, x, e)) {
        atom_description d = { .kind = ATOM_CONSTANT, .rows = C->rows, .cols = C->cols, .param = { e },
                               .tail = odd, .n_tail = (size_t)n * sizeof *odd };
        w[0] = atom_token(s, &d, 0);
        len = 1;
        c = ratio_one;
    }
    sym_set_word(C, c, w, len);
    free(odd);
}
