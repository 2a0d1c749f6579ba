/* SPDX-License-Identifier: GPL-3.0-or-later
 * atoms.c - the atoms of one arithmetic, and the tokens that stand for them in words. */
#include <stdlib.h>
#include <string.h>
#include "numerics/symbolic/sym.h"

token atom_token(sym *s, const atom_description *d, unsigned facts)
{
    int64_t head[ATOM_HEAD] = { d->kind, d->rows, d->cols };
    memcpy(head + 3, d->param, sizeof d->param);
    unsigned char *key = must_calloc(sizeof head + d->n_tail, 1);
    memcpy(key, head, sizeof head);
    if (d->n_tail) memcpy(key + sizeof head, d->tail, d->n_tail);
    size_t before = s->atom_keys.n, number = registry_number(&s->atom_keys, key, sizeof head + d->n_tail);
    free(key);
    REQUIRE(number < UINT32_MAX >> 2, "%zu atoms", number);
    if (number == before) {
        if (s->atoms_room <= number) {
            s->atoms_room = 2 * number + 64;
            s->atoms = must_realloc(s->atoms, s->atoms_room, sizeof *s->atoms);
        }
        long from = d->kind == ATOM_SELECT ? (long)d->param[0] : 0;
        s->atoms[number] = (atom){ .kind = d->kind, .facts = facts, .rows = d->rows, .cols = d->cols, .from = from };
    }
    return (token)(number << 2);
}

token token_transposed(const sym *s, token w)
{
    return atom_of(s, w)->facts & FACT_SYMMETRIC ? w : w ^ TOKEN_TRANSPOSED;
}

token token_inverted(const sym *s, token w)
{
    return atom_of(s, w)->facts & FACT_ORTHOGONAL ? w ^ TOKEN_TRANSPOSED : w ^ TOKEN_INVERSE;
}

void token_use(sym *s, token w, unsigned fact) { s->atoms[w >> 2].used |= fact; }

void token_use_inverse(sym *s, token w)
{
    token_use(s, w, atom_of(s, w)->facts & FACT_ORTHOGONAL ? FACT_ORTHOGONAL : FACT_INVERTIBLE);
}

token token_ones(sym *s, long n)
{
    return atom_token(s, &(atom_description){ .kind = ATOM_ONES, .rows = n, .cols = 1 }, 0);
}

token token_select(sym *s, long t, long o, long l)
{
    return atom_token(s, &(atom_description){ .kind = ATOM_SELECT, .rows = t, .cols = l, .param = { o } }, 0);
}

long token_rows(const sym *s, token w)
{
    return w & TOKEN_TRANSPOSED ? atom_of(s, w)->cols : atom_of(s, w)->rows;
}

long token_cols(const sym *s, token w) { return token_rows(s, w ^ TOKEN_TRANSPOSED); }
