/* SPDX-License-Identifier: GPL-3.0-or-later
 * functions.c - functions of which nothing is known but their axioms: each value is an atom, known by the argument. */
#include <stdlib.h>
#include "numerics/symbolic/sym.h"

static void set_atom(mat *C, const atom_description *d, unsigned facts)
{
    sym_set_word(C, ratio_one, (token[]){ atom_token(sym_of(C), d, facts) }, 1);
}

/* C = D A, D a token */
static void set_scaled(mat *C, token D, const mat *A)
{
    poly p = { 0 };
    bool fits = poly_add_multiple(sym_of(C), &p, ratio_one, &D, 1, poly_of(A), NULL, 0);
    sym_set_result(C, &p, fits);
}

/* Entrywise product: commutative, and all-ones is its unit. */
void sym_hadamard(mat *C, const mat *A, const mat *B)
{
    ratio c;
    if (poly_of(A)->n == 0 || poly_of(B)->n == 0) { sym_set_poly(C, &(poly){ 0 }); return; }
    if (sym_is_ones(A, &c)) { sym_set_multiple(C, c, B); return; }
    if (sym_is_ones(B, &c)) { sym_set_multiple(C, c, A); return; }
    int64_t a = poly_argument(sym_of(A), poly_of(A)), b = poly_argument(sym_of(B), poly_of(B));
    set_atom(C, &(atom_description){ .kind = ATOM_HADAMARD, .rows = C->rows, .cols = C->cols,
                                     .param = { a < b ? a : b, a < b ? b : a } }, 0);
}

/* diag(g) is invertible by hypothesis, like a drawn square matrix, when g is drawn itself */
static bool is_drawn(const mat *g)
{
    const poly *p = poly_of(g);
    return p->n == 1 && p->terms[0].len == 1 && atom_of(sym_of(g), poly_word(p, p->terms)[0])->kind == ATOM_NAMED;
}

void sym_scale_rows(mat *C, const mat *g, const mat *A)
{
    sym *s = sym_of(C);
    ratio c;
    if (poly_of(g)->n == 0) { sym_set_poly(C, &(poly){ 0 }); return; }
    if (sym_is_ones(g, &c)) { sym_set_multiple(C, c, A); return; }
    atom_description d = { .kind = ATOM_DIAGONAL, .rows = g->rows, .cols = g->rows,
                           .param = { poly_argument(s, poly_of(g)) } };
    set_scaled(C, atom_token(s, &d, FACT_SYMMETRIC | (is_drawn(g) ? FACT_INVERTIBLE : 0)), A);
}

/* phi(X) = e(X) + X/2 with e(-X) = e(X), so e is known by X up to sign */
static void set_half_odd(mat *C, const mat *A, place at)
{
    sym *s = sym_of(C);
    const poly *a = poly_of(A);
    poly positive = { 0 }, p = { 0 };
    bool flip = a->n && a->terms[0].c.num < 0;
    bool fits = poly_add_copy(s, &positive, flip ? ratio_minus_one : ratio_one, a);   /* stays in normal form */
    atom_description d = { .kind = ATOM_EVEN_PART, .rows = C->rows, .cols = C->cols,
                           .param = { at.layer, at.sublayer, at.head, fits ? poly_argument(s, &positive) : -1 } };
    token e = atom_token(s, &d, 0);
    fits = fits && poly_push(s, &p, 0, e) && poly_end(&p, 0, ratio_one, true)
        && poly_add_copy(s, &p, (ratio){ 1, 2 }, a);
    sym_set_result(C, &p, fits);
    poly_free(&positive);
}

truth sym_phi(mat *C, const mat *A, activation kind, place at)
{
    if (kind == ACT_IDENTITY)
        sym_set_multiple(C, ratio_one, A);
    else if (kind == ACT_HALF_ODD) {
        sym_of(C)->half_odd = true;
        set_half_odd(C, A, at);
    } else
        set_atom(C, &(atom_description){ .kind = ATOM_PHI, .rows = C->rows, .cols = C->cols,
                 .param = { kind, at.layer, at.sublayer, at.head, poly_argument(sym_of(A), poly_of(A)) } }, 0);
    return HOLDS;
}

/* Number of visible entries of a row; *all is cleared when one is hidden. */
static long count_visible(const unsigned char *row, long cols, bool *all)
{
    long n = 0;
    for (long j = 0; j < cols; j++) n += row[j] != 0;
    if (n < cols) *all = false;
    return n;
}

/* Scores without the terms w 1': they add a constant to each row.  Stays in normal form. */
static void without_row_constants(sym *s, poly *p, const poly *a)
{
    for (size_t k = 0; k < a->n; k++) {
        const term *t = &a->terms[k];
        const token *w = poly_word(a, t);
        bool constant = t->len && atom_of(s, w[t->len - 1])->kind == ATOM_ONES && (w[t->len - 1] & TOKEN_TRANSPOSED);
        if (constant) {
            s->shift_invariant = true;
            continue;
        }
        size_t at = p->used;
        poly_end(p, at, t->c, poly_push_word(s, p, at, w, t->len));       /* no longer than a, so it fits */
    }
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

truth sym_rowmap(mat *C, const mat *A, const rowmap *how, place at)
{
    sym *s = sym_of(C);
    bool all = true, some = true;                          /* all entries visible; some in each row */
    size_t n = (size_t)(C->rows * C->cols);
    for (long i = 0; how->visible && i < C->rows; i++)
        if (count_visible(how->visible + i * C->cols, C->cols, &all) == 0) some = false;
    if (how->kind == ROWMAP_LINEAR && all && how->scale_num == how->scale_den) {
        sym_set_multiple(C, ratio_one, A);
        return HOLDS;
    }
    unsigned char *mask = must_calloc(n, 1);
    for (size_t k = 0; !all && k < n; k++) mask[k] = how->visible[k] != 0;
    poly scores = { 0 };
    if (how->kind == ROWMAP_SHIFT || how->kind == ROWMAP_STOCHASTIC)
        without_row_constants(s, &scores, poly_of(A));
    else
        poly_add_copy(s, &scores, ratio_one, poly_of(A));
    int64_t common = gcd(how->scale_num, how->scale_den);
    atom_description d = { .kind = ATOM_ROWMAP, .rows = C->rows, .cols = C->cols,
                           .param = { how->kind, how->scale_num / common, how->scale_den / common,
                                      at.layer, at.sublayer, at.head, poly_argument(s, &scores) },
                           .tail = mask, .n_tail = all ? 0 : n };
    set_atom(C, &d, how->kind == ROWMAP_STOCHASTIC && some ? FACT_STOCHASTIC : 0);
    poly_free(&scores);
    free(mask);
    return HOLDS;
}

/* rho_i(|x_i|^2) x_i for every row x_i: diag(rho(X X')) X, where rho sees the diagonal of X X' */
static void set_radial(mat *C, const mat *A, long log2eps, place at)
{
    sym *s = sym_of(C);
    poly turned = { 0 }, gram = { 0 };
    bool fits = poly_add_transpose(s, &turned, poly_of(A)) && poly_normalise(s, &turned)
             && poly_add_product(s, &gram, poly_of(A), &turned, A->rows, A->cols, A->rows) && poly_normalise(s, &gram);
    if (fits) {
        atom_description d = { .kind = ATOM_RADIAL, .rows = C->rows, .cols = C->rows,
                               .param = { log2eps, at.layer, at.sublayer, at.head, poly_argument(s, &gram) } };
        set_scaled(C, atom_token(s, &d, FACT_SYMMETRIC), A);
    } else {
        sym_set_unknown(C);
    }
    poly_free(&turned);
    poly_free(&gram);
}

truth sym_norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    if (kind == NORM_NONE)
        sym_set_multiple(C, ratio_one, A);
    else if (kind == NORM_RADIAL)
        set_radial(C, A, log2eps, at);
    else
        set_atom(C, &(atom_description){ .kind = ATOM_NORM, .rows = C->rows, .cols = C->cols,
                 .param = { kind, log2eps, at.layer, at.sublayer, at.head,
                            poly_argument(sym_of(A), poly_of(A)) } }, 0);
    return HOLDS;
}

truth sym_rotate(mat *C, const mat *A)
{
    set_atom(C, &(atom_description){ .kind = ATOM_ROTATE, .rows = C->rows, .cols = C->cols,
                                     .param = { poly_argument(sym_of(A), poly_of(A)) } }, 0);
    return HOLDS;
}
