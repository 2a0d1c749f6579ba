/* SPDX-License-Identifier: GPL-3.0-or-later
 * certificate_inverse.c - the term that is inverse to a recorded step: a product, a multiple, or diagonal blocks.
 *
 * (A B)^-1 = B^-1 A^-1;  (c A)^-1 = A^-1 / c;  (sum_a E_a X_a E_a')^-1 = sum_a E_a X_a^-1 E_a', where the E_a are all
 * columns of the identity one after another.  An equation A A^-1 = I states that it is right: see certificate_sym.h. */
#include <stdlib.h>
#include "src/claim/certificate/certificate_sym.h"

static bool is_square(const export_work *w, long k) { return tuple_equal(ROWS(w, k), COLS(w, k)); }

/* E(t,o,l) X E(t,o,l)' with square X: its range, and the inverse of X between the same columns; -1: it is not */
static long inverse_block(export_work *w, long k, long *from, long *to)
{
    const term_step *at = w->steps[0].at, *s = &at[k];
    if (s->op != TERM_PRODUCT || at[s->b].op != TERM_TRANSPOSE || at[at[s->b].a].op != TERM_COLUMNS) return -1;
    const term_step *left = &at[s->a], *right = &at[at[s->b].a];
    const term_step *E = left->op == TERM_PRODUCT ? &at[left->a] : left;
    if (E->op != TERM_COLUMNS || E->from != right->from || E->cols != right->cols || E->rows != right->rows) return -1;
    const long E_node = export_step(w, E - at);
    const long X = left->op == TERM_PRODUCT ? export_inverse(w, left->b) : -1;
    *from = E->from;
    *to = E->from + E->cols;
    const long back = export_transpose(w, E_node);
    return export_product(w, X < 0 ? E_node : export_product(w, E_node, X), back);
}

/* sum_a E_a X_a E_a', where the E_a are all columns one after another; the terms come last first */
static long inverse_of_blocks(export_work *w, long k)
{
    const term_step *at = w->steps[0].at;
    export_sum all = { .n = 0 };
    long end = at[k].rows, from = 0, to = 0;
    for (long rest = k; rest >= 0 && !w->failed; ) {
        const term_step *s = &at[rest];
        const bool more = s->op == TERM_SUM && s->b >= 0 && s->ca == 1 && s->cb == 1 && !s->e;
        const long N = inverse_block(w, more ? at[rest].b : rest, &from, &to);
        if (N < 0 || to != end) { w->failed = "an inverse that is neither of a product nor of diagonal blocks"; break; }
        export_sum_more(w, &all, N);
        end = from;
        rest = more ? at[rest].a : -1;
    }
    if (!w->failed && end != 0) w->failed = "an inverse of diagonal blocks that are not all there";
    return export_sum_end(w, &all);
}

/* (c 2^e A)^-1 = (1/c) 2^-e A^-1 */
static long inverse_of_multiple(export_work *w, const term_step *s)
{
    const long a = export_inverse(w, s->a);
    char *c = export_scalar(1, s->ca, -s->e);
    char *text = must_format("sum %s #", c);
    free(c);
    return node_add(&w->nodes, text, 1, &a);
}

long export_inverse(export_work *w, long k)
{
    const term_step *s = &w->steps[0].at[k];
    switch (s->op) {
    case TERM_IDENTITY:  return export_step(w, k);
    case TERM_INVERSE:   return export_step(w, s->a);
    case TERM_TRANSPOSE: return export_transpose(w, export_inverse(w, s->a));
    case TERM_MATRIX: {
        const char *name = term_name(&w->R[0], TERM_MATRIX, s->name), *d = export_size_name(w, ROWS(w, k));
        const long A = export_step(w, k);
        if (export_is_orthogonal(name)) return export_transpose(w, A);
        return node_add(&w->nodes, must_format("matrix %s_inv %s %s inverse %s", name, d, d, name), 1, &A);
    }
    case TERM_SUM:
        if (s->b < 0 && s->ca != 0) return inverse_of_multiple(w, s);
        break;
    case TERM_PRODUCT:
        if (is_square(w, s->a) && is_square(w, s->b)) {
            const long b = export_inverse(w, s->b), a = export_inverse(w, s->a);
            return export_product(w, b, a);
        }
        break;
    default: break;
    }
    return inverse_of_blocks(w, k);
}

long export_inverse_stated(export_work *w, long k)
{
    const long N = export_inverse(w, k), A = export_step(w, k);
    if (w->steps[0].at[k].op == TERM_MATRIX || w->failed) return N;
    const long I = export_node(w, must_format("identity %s", export_size_name(w, ROWS(w, k))));
    export_state(w, export_product(w, A, N), I, "an inverse used");
    return N;
}
