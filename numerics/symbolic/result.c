/* SPDX-License-Identifier: GPL-3.0-or-later
 * result.c - the value of a matrix is set to a linear combination. */
#include "numerics/symbolic/sym.h"

void sym_set_poly(mat *C, poly *p)
{
    poly *old = C->rep;
    poly_free(old);
    *old = *p;
    *p = (poly){ 0 };
}

void sym_set_word(mat *C, ratio c, const token *w, size_t n)
{
    poly p = { 0 };
    poly_push_word(sym_of(C), &p, 0, w, n);
    poly_end(&p, 0, c, true);
    sym_set_poly(C, &p);
}

void sym_set_unknown(mat *C)
{
    sym *s = sym_of(C);
    atom_description d = { .kind = ATOM_UNKNOWN, .rows = C->rows, .cols = C->cols, .param = { s->unknowns++ } };
    sym_set_word(C, ratio_one, (token[]){ atom_token(s, &d, 0) }, 1);
}

void sym_set_result(mat *C, poly *p, bool fits)
{
    poly q = { 0 };
    fits = fits && poly_normalise(sym_of(C), p);
    if (fits && p->n > POLY_LONG) {
        fits = poly_abbreviate(sym_of(C), &q, p, C->rows, C->cols);
        poly_free(p);
        *p = q;
    }
    if (fits) {
        sym_set_poly(C, p);
    } else {
        poly_free(p);
        sym_set_unknown(C);
    }
}

void sym_set_multiple(mat *C, ratio c, const mat *A)
{
    poly p = { 0 };
    bool fits = poly_add_copy(sym_of(C), &p, c, poly_of(A));
    sym_set_result(C, &p, fits);
}
