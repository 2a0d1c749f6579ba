/* SPDX-License-Identifier: GPL-3.0-or-later
 * poly.c - words, reduced as they are written, and linear combinations of words.
 *
 * Nothing here depends on the rules: rewrite.c reduces two tokens, and join.c several terms. */
#include <stdlib.h>
#include <string.h>
#include "numerics/symbolic/sym.h"

/* Results of more tokens become ATOM_UNKNOWN: a proof that needs them is not one we want to wait for. */
enum { TOKENS_MAX = 1 << 23 };

void poly_free(poly *p)
{
    free(p->terms);
    free(p->pool);
    *p = (poly){ 0 };
}

static void make_room(poly *p, size_t more)
{
    if (p->used + more <= p->pool_room) return;
    p->pool_room = 2 * (p->used + more) + 16;
    p->pool = must_realloc(p->pool, p->pool_room, sizeof *p->pool);
}

bool poly_push(sym *s, poly *p, size_t at, token w)
{
    while (p->used > at) {
        token z = 0;
        rewriting r = rewrite_pair(s, p->pool[p->used - 1], w, &z);
        if (r == REWRITE_STUCK) break;
        if (r == REWRITE_ZERO) return false;
        p->used--;
        if (r == REWRITE_IDENTITY) return true;
        w = z;                                             /* it may reduce with what is before it */
    }
    make_room(p, 1);
    p->pool[p->used++] = w;
    return true;
}

/* No two neighbours in w reduce: behind the first token that stays as it is, so do all others. */
bool poly_push_word(sym *s, poly *p, size_t at, const token *w, size_t n)
{
    size_t i = 0;
    for (bool stays = false; i < n && !stays && p->used > at; i++) {
        const size_t before = p->used;
        if (!poly_push(s, p, at, w[i])) return false;
        stays = p->used > before;
    }
    make_room(p, n - i);
    if (i < n) memcpy(p->pool + p->used, w + i, (n - i) * sizeof *w);
    p->used += n - i;
    return true;
}

static bool poly_push_transposed(sym *s, poly *p, size_t at, const token *w, size_t n)
{
    for (size_t i = n; i-- > 0; )
        if (!poly_push(s, p, at, token_transposed(s, w[i]))) return false;
    return true;
}

bool poly_push_inverse(sym *s, poly *p, size_t at, const token *w, size_t n)
{
    for (size_t i = n; i-- > 0; ) {
        token_use_inverse(s, w[i]);
        if (!poly_push(s, p, at, token_inverted(s, w[i]))) return false;
    }
    return true;
}

bool poly_end(poly *p, size_t at, ratio c, bool nonzero)
{
    if (!nonzero) {
        p->used = at;
        return true;
    }
    if (p->used > TOKENS_MAX) return false;
    if (p->n == p->terms_room) {
        p->terms_room = 2 * p->terms_room + 4;
        p->terms = must_realloc(p->terms, p->terms_room, sizeof *p->terms);
    }
    p->terms[p->n++] = (term){ c, at, p->used - at };
    return true;
}

bool poly_add_multiple(sym *s, poly *p, ratio c, const token *left, size_t n_left, const poly *a,
                       const token *right, size_t n_right)
{
    for (size_t i = 0; i < a->n; i++) {
        const term *t = &a->terms[i];
        size_t at = p->used;
        bool nonzero = poly_push_word(s, p, at, left, n_left) && poly_push_word(s, p, at, poly_word(a, t), t->len)
                    && poly_push_word(s, p, at, right, n_right);
        ratio product;
        if (!ratio_mul(&product, c, t->c) || !poly_end(p, at, product, nonzero)) return false;
    }
    return true;
}

bool poly_add_copy(sym *s, poly *p, ratio c, const poly *a)
{
    return poly_add_multiple(s, p, c, NULL, 0, a, NULL, 0);
}

int word_compare(const token *v, size_t n_v, const token *w, size_t n_w)
{
    for (size_t i = 0; i < n_v && i < n_w; i++)
        if (v[i] != w[i]) return v[i] < w[i] ? -1 : 1;
    return (n_v > n_w) - (n_v < n_w);
}

static int compare_terms(const void *x, const void *y, void *context)
{
    const poly *p = context;
    const term *t = x, *u = y;
    return word_compare(poly_word(p, t), t->len, poly_word(p, u), u->len);
}

static bool in_order(const poly *p)
{
    for (size_t k = 1; k < p->n; k++)
        if (word_compare(poly_word(p, &p->terms[k - 1]), p->terms[k - 1].len, poly_word(p, &p->terms[k]),
                         p->terms[k].len) > 0) return false;
    return true;
}

bool poly_collect(poly *p)
{
    if (!in_order(p)) qsort_r(p->terms, p->n, sizeof *p->terms, compare_terms, p);
    size_t kept = 0;
    for (size_t i = 0, next; i < p->n; i = next) {
        term sum = p->terms[i];
        for (next = i + 1; next < p->n && compare_terms(&sum, &p->terms[next], p) == 0; next++)
            if (!ratio_add(&sum.c, sum.c, p->terms[next].c)) return false;
        if (sum.c.num) p->terms[kept++] = sum;
    }
    p->n = kept;
    return true;
}

bool poly_add_transpose(sym *s, poly *p, const poly *a)
{
    for (size_t i = 0; i < a->n; i++) {
        const term *t = &a->terms[i];
        size_t at = p->used;
        if (!poly_end(p, at, t->c, poly_push_transposed(s, p, at, poly_word(a, t), t->len))) return false;
    }
    return true;
}

bool poly_equal(const poly *a, const poly *b)
{
    if (a->n != b->n) return false;
    for (size_t k = 0; k < a->n; k++) {
        const term *t = &a->terms[k], *u = &b->terms[k];
        if (t->c.num != u->c.num || t->c.den != u->c.den) return false;
        if (word_compare(poly_word(a, t), t->len, poly_word(b, u), u->len) != 0) return false;
    }
    return true;
}
