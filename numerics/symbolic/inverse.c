/* SPDX-License-Identifier: GPL-3.0-or-later
 * inverse.c - inverses of words, and of block-diagonal sums of words. */
#include <stdlib.h>
#include "numerics/symbolic/sym.h"

/* A word  u E W E' v  with u, W, v products of invertible tokens: u is w[0 .. first-1], E is w[first],
 * E' is w[last].  No E: first = last = len. */
typedef struct { size_t first, last; } block;

static bool is_invertible(const sym *s, token w) { return atom_of(s, w)->facts & FACT_INVERTIBLE; }

static bool find_block(const sym *s, const token *w, size_t len, block *b)
{
    *b = (block){ 0, len };
    while (b->first < len && is_invertible(s, w[b->first])) b->first++;
    if (b->first == len) return true;
    while (is_invertible(s, w[--b->last])) {}              /* stops at first, the latest */
    for (size_t i = b->first + 1; i < b->last; i++)
        if (!is_invertible(s, w[i])) return false;
    return token_is_select(s, w[b->first], 0) && w[b->last] == (w[b->first] | TOKEN_TRANSPOSED);
}

static int compare_ranges(const void *x, const void *y)
{
    const atom *a = x, *b = y;
    return (a->from > b->from) - (a->from < b->from);
}

/* Do the ranges cover 0 .. t-1, each number once?  Sorts them. */
static bool is_partition(atom *ranges, size_t n)
{
    long end = 0;
    qsort(ranges, n, sizeof *ranges, compare_ranges);
    for (size_t i = 0; i < n; i++) {
        if (ranges[i].from != end || ranges[i].rows != ranges[0].rows) return false;
        end += ranges[i].cols;
    }
    return end == ranges[0].rows;
}

/* Is p = sum_a c_a u E_a W_a E_a' v, with the same u and v in all terms and a partition E_a? */
static bool is_block_diagonal(const sym *s, const poly *p, block *blocks, atom *ranges)
{
    const token *w0 = poly_word(p, &p->terms[0]);
    for (size_t k = 0; k < p->n; k++) {
        const term *t = &p->terms[k];
        const token *w = poly_word(p, t);
        block *b = &blocks[k];
        if (!find_block(s, w, t->len, b) || b->first == t->len) return false;
        if (word_compare(w0, blocks[0].first, w, b->first) != 0) return false;
        size_t v0 = blocks[0].last + 1, v = b->last + 1;
        if (word_compare(w0 + v0, p->terms[0].len - v0, w + v, t->len - v) != 0) return false;
        ranges[k] = *atom_of(s, w[b->first]);
    }
    return is_partition(ranges, p->n);
}

/* q = sum_a (1/c_a) v^-1 E_a W_a^-1 E_a' u^-1, and without the E where there is none */
static bool add_inverse(sym *s, poly *q, const poly *p, const block *blocks)
{
    for (size_t k = 0; k < p->n; k++) {
        const term *t = &p->terms[k];
        const token *w = poly_word(p, t);
        size_t at = q->used, first = blocks[k].first, last = blocks[k].last;
        bool nonzero = true;
        if (first < t->len)
            nonzero = poly_push_inverse(s, q, at, w + last + 1, t->len - last - 1) && poly_push(s, q, at, w[first])
                   && poly_push_inverse(s, q, at, w + first + 1, last - first - 1) && poly_push(s, q, at, w[last]);
        nonzero = nonzero && poly_push_inverse(s, q, at, w, first);
        if (!poly_end(q, at, ratio_inverse(t->c), nonzero)) return false;
    }
    return true;
}

truth sym_inv(mat *C, const mat *A)
{
    sym *s = sym_of(C);
    const poly *a = poly_of(A);
    if (a->n == 0) return UNDECIDED;
    block *blocks = must_calloc(a->n, sizeof *blocks);
    atom *ranges = must_calloc(a->n, sizeof *ranges);
    bool one_word = a->n == 1 && find_block(s, poly_word(a, a->terms), a->terms[0].len, blocks)
                 && blocks[0].first == a->terms[0].len;
    bool found = one_word || is_block_diagonal(s, a, blocks, ranges);
    if (found) {
        poly p = { 0 };
        bool fits = add_inverse(s, &p, a, blocks);
        sym_set_result(C, &p, fits);
    }
    free(blocks);
    free(ranges);
    return found ? HOLDS : UNDECIDED;
}
