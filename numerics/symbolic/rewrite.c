/* SPDX-License-Identifier: GPL-3.0-or-later
 * rewrite.c - the rules that reduce two adjacent tokens of a word to none or to one.
 *
 *   A A^-1 -> I                A^-1 A -> I         with (A^-1)' = (A')^-1;  D' = D for diagonals
 *   E(t,o,l)' E(t,p,m)   -> I if both ranges are the same, 0 if they are disjoint,
 *                           E(l,p-o,m) if the second lies in the first, E(m,o-p,l)' if the
 *                           first lies in the second; nothing if they overlap otherwise
 *   E(t,o,l) E(l,p,m)    -> E(t,o+p,m)             and the transpose of this rule
 *   E(t,o,l)' 1_t        -> 1_l                    and the transpose
 *   S 1_c                -> 1_r                    and the transpose; S a value of ROWMAP_STOCHASTIC
 *   U^-1                 -> U'                     for drawn square U named "orthogonal:...": token_inverted
 *
 * Each is an equation between matrices.  No rule looks at a number except to see that it is 1, that two are equal, or
 * where ranges lie. */
#include "numerics/symbolic/sym.h"

/* E(t,o,l)' E(t,p,m) */
static rewriting rewrite_ranges(sym *s, token x, token y, token *z)
{
    atom a = *atom_of(s, x), b = *atom_of(s, y);
    long a_end = a.from + a.cols, b_end = b.from + b.cols;
    if (a.rows != b.rows) return REWRITE_STUCK;
    if (a_end <= b.from || b_end <= a.from) return REWRITE_ZERO;
    if (a.from == b.from && a_end == b_end) return REWRITE_IDENTITY;
    if (a.from <= b.from && b_end <= a_end) {
        *z = token_select(s, a.cols, b.from - a.from, b.cols);
        return REWRITE_TOKEN;
    }
    if (b.from <= a.from && a_end <= b_end) {
        *z = token_select(s, b.cols, a.from - b.from, a.cols) | TOKEN_TRANSPOSED;
        return REWRITE_TOKEN;
    }
    return REWRITE_STUCK;
}

/* E(t,o,l) E(l,p,m) = E(t,o+p,m) */
static token nested_select(sym *s, token outer, token inner)
{
    atom a = *atom_of(s, outer), b = *atom_of(s, inner);
    return token_select(s, a.rows, a.from + b.from, b.cols);
}

/* M 1 = 1 for M = E' and M = S; the result has this many entries. */
static rewriting rewrite_ones(sym *s, long entries, unsigned flags, token *z)
{
    if (entries == 1) return REWRITE_IDENTITY;
    *z = token_ones(s, entries) | flags;
    return REWRITE_TOKEN;
}

rewriting rewrite_pair(sym *s, token x, token y, token *z)
{
    const atom *a = atom_of(s, x), *b = atom_of(s, y);
    if ((a->facts & FACT_INVERTIBLE) && y == token_inverted(s, x)) {
        token_use_inverse(s, x);
        return REWRITE_IDENTITY;
    }

    bool x_turned = x & TOKEN_TRANSPOSED, y_turned = y & TOKEN_TRANSPOSED;
    if (a->kind == ATOM_SELECT && b->kind == ATOM_SELECT) {
        if (x_turned && !y_turned) return rewrite_ranges(s, x, y, z);
        if (x_turned != y_turned) return REWRITE_STUCK;               /* E E' */
        if (x_turned ? b->cols != a->rows : a->cols != b->rows) return REWRITE_STUCK;
        *z = x_turned ? nested_select(s, y, x) | TOKEN_TRANSPOSED : nested_select(s, x, y);
        return REWRITE_TOKEN;
    }
    if (b->kind == ATOM_ONES && !y_turned) {
        if (a->kind == ATOM_SELECT && x_turned) return rewrite_ones(s, a->cols, 0, z);
        if ((a->facts & FACT_STOCHASTIC) && !x_turned) {
            token_use(s, x, FACT_STOCHASTIC);
            return rewrite_ones(s, a->rows, 0, z);
        }
    }
    if (a->kind == ATOM_ONES && x_turned) {
        if (b->kind == ATOM_SELECT && !y_turned) return rewrite_ones(s, b->cols, TOKEN_TRANSPOSED, z);
        if ((b->facts & FACT_STOCHASTIC) && y_turned) {
            token_use(s, y, FACT_STOCHASTIC);
            return rewrite_ones(s, b->rows, TOKEN_TRANSPOSED, z);
        }
    }
    return REWRITE_STUCK;
}
