/* SPDX-License-Identifier: GPL-3.0-or-later
 * abbreviate.c - normal forms as arguments of functions, and atoms for long combinations.
 *
 * Scores (X Q)(X K)' square the number of terms, which skip connections make grow with every layer.  Where there would
 * be more than POLY_LONG terms, factors are abbreviated: the words of p have a longest common beginning u and end v, so
 * p = u q v, and q becomes one atom, known by its normal form.  So p and p T keep the same core q, and the product
 * cancels as if written out. */
#include <stdlib.h>
#include <string.h>
#include "numerics/symbolic/sym.h"

int64_t poly_argument(sym *s, const poly *p)
{
    size_t n = 0, size = p->n * 3 * sizeof(int64_t) + p->used * sizeof(token);
    unsigned char *bytes = must_calloc(size + 1, 1);
    for (size_t k = 0; k < p->n; k++) {
        const term *t = &p->terms[k];
        int64_t head[3] = { t->c.num, t->c.den, (int64_t)t->len };
        memcpy(bytes + n, head, sizeof head);
        n += sizeof head;
        if (t->len) memcpy(bytes + n, poly_word(p, t), t->len * sizeof(token));
        n += t->len * sizeof(token);
    }
    size_t number = registry_number(&s->arguments, bytes, n);
    free(bytes);
    return (int64_t)number;
}

/* Lengths of the longest common beginning and, in what is left of the words, end. */
static void common_ends(const poly *p, size_t *begin, size_t *end)
{
    const term *t = &p->terms[0];
    const token *v = poly_word(p, t);
    size_t shortest = t->len;
    *begin = t->len;
    for (size_t k = 1; k < p->n; k++) {
        const token *w = poly_word(p, &p->terms[k]);
        size_t n = 0;
        while (n < *begin && n < p->terms[k].len && v[n] == w[n]) n++;
        *begin = n;
        if (p->terms[k].len < shortest) shortest = p->terms[k].len;
    }
    *end = shortest - *begin;
    for (size_t k = 1; k < p->n; k++) {
        const term *u = &p->terms[k];
        size_t n = 0;
        while (n < *end && v[t->len - 1 - n] == poly_word(p, u)[u->len - 1 - n]) n++;
        *end = n;
    }
}

/* The atom of a core (rows x cols), or the transpose of the atom of its transpose: whichever has the
 * smaller number, so that X X' is a word in one atom. */
static token core_token(sym *s, const poly *core, long rows, long cols)
{
    poly turned = { 0 };
    int64_t here = poly_argument(s, core), there = here;
    if (poly_add_transpose(s, &turned, core) && poly_normalise(s, &turned)) there = poly_argument(s, &turned);
    poly_free(&turned);
    atom_description d = { .kind = ATOM_CORE, .rows = rows, .cols = cols, .param = { here } };
    if (there < here) d = (atom_description){ .kind = ATOM_CORE, .rows = cols, .cols = rows, .param = { there } };
    return atom_token(s, &d, 0) | (there < here ? TOKEN_TRANSPOSED : 0);
}

bool poly_abbreviate(sym *s, poly *q, const poly *p, long rows, long cols)
{
    poly core = { 0 };
    size_t begin, end, len = p->terms[0].len;
    const token *w = poly_word(p, &p->terms[0]);
    common_ends(p, &begin, &end);
    bool fits = true;
    for (size_t k = 0; k < p->n && fits; k++) {
        const term *t = &p->terms[k];
        size_t at = core.used;
        fits = poly_end(&core, at, t->c, poly_push_word(s, &core, at, poly_word(p, t) + begin, t->len - begin - end));
    }
    fits = fits && poly_normalise(s, &core);
    if (fits) {
        long core_rows = begin ? token_cols(s, w[begin - 1]) : rows;
        long core_cols = end ? token_rows(s, w[len - end]) : cols;
        token q_core = core_token(s, &core, core_rows, core_cols);
        bool nonzero = poly_push_word(s, q, 0, w, begin) && poly_push(s, q, 0, q_core)
                    && poly_push_word(s, q, 0, w + len - end, end);
        fits = poly_end(q, 0, ratio_one, nonzero);
    }
    poly_free(&core);
    return fits;
}

bool poly_add_product(sym *s, poly *p, const poly *a, const poly *b, long rows, long middle, long cols)
{
    poly short_a = { 0 }, short_b = { 0 };
    bool fits = true;
    if (a->n > 1 && b->n > 1 && a->n * b->n > POLY_LONG) {
        fits = poly_abbreviate(s, &short_a, a, rows, middle) && poly_abbreviate(s, &short_b, b, middle, cols);
        a = &short_a;
        b = &short_b;
    }
    for (size_t i = 0; fits && i < a->n; i++)
        fits = poly_add_multiple(s, p, a->terms[i].c, poly_word(a, &a->terms[i]), a->terms[i].len, b, NULL, 0);
    poly_free(&short_a);
    poly_free(&short_b);
    return fits;
}
