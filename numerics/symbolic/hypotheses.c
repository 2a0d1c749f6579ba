/* SPDX-License-Identifier: GPL-3.0-or-later
 * hypotheses.c - the facts about atoms and functions that a proof has used, in words. */
#include <stdlib.h>
#include <string.h>
#include "numerics/symbolic/arith_sym.h"
#include "numerics/symbolic/sym.h"

/* The name that atom `number` was drawn under, which follows the head of its key; of diag(g) the name of g. */
static const char *drawn_name(const sym *s, size_t number, bool *diagonal)
{
    const unsigned char *key = s->atom_keys.entries[number].bytes;
    int64_t head[ATOM_HEAD];
    token w;
    *diagonal = s->atoms[number].kind == ATOM_DIAGONAL;
    if (*diagonal) {                                       /* its argument is one term of one token, g */
        memcpy(head, key, sizeof head);
        memcpy(&w, s->arguments.entries[head[3]].bytes + 3 * sizeof(int64_t), sizeof w);
        key = s->atom_keys.entries[w >> 2].bytes;
    }
    return (const char *)key + sizeof head;                /* entries end in a 0 */
}

/* W_Q of W_Q.0, *n characters: a hypothesis is about all layers.  *orthogonal: it was drawn as such. */
static const char *common_name(const char *name, size_t *n, bool *orthogonal)
{
    static const char prefix[] = ORTHOGONAL_NAME;
    *orthogonal = strncmp(name, prefix, sizeof prefix - 1) == 0;
    if (*orthogonal) name += sizeof prefix - 1;
    for (*n = 0; name[*n] && !(name[*n] == '.' && '0' <= name[*n + 1] && name[*n + 1] <= '9'); ) ++*n;
    return name;
}

static char *fact_text(const sym *s, size_t number, const char *word)
{
    bool diagonal, orthogonal;
    size_t n;
    const char *name = common_name(drawn_name(s, number, &diagonal), &n, &orthogonal);
    return diagonal ? must_format("%s diag(%.*s)", word, (int)n, name) : must_format("%s %.*s", word, (int)n, name);
}

/* Was a matrix that is not orthogonal drawn under the name of atom `number`, which is?  Then `orthogonal A` would be
 * read of both. */
static bool is_ambiguous(const sym *s, size_t number)
{
    bool diagonal, orthogonal, other;
    size_t n, m;
    const char *name = common_name(drawn_name(s, number, &diagonal), &n, &orthogonal);
    for (size_t k = 0; k < s->atom_keys.n && orthogonal; k++) {
        if (s->atoms[k].kind != ATOM_NAMED) continue;
        const char *second = common_name(drawn_name(s, k, &diagonal), &m, &other);
        if (!other && m == n && strncmp(name, second, n) == 0) return true;
    }
    return false;
}

static int compare_texts(const void *x, const void *y) { return strcmp(*(char *const *)x, *(char *const *)y); }

const char *arith_sym_uses(const arith *R)
{
    sym *s = R->state;
    char **fact = must_calloc(2 * s->atom_keys.n + 3, sizeof *fact);
    size_t n = 0, length = 1;
    bool stochastic = false;
    for (size_t k = 0; k < s->atom_keys.n; k++) {
        if (s->atoms[k].used & FACT_INVERTIBLE) fact[n++] = fact_text(s, k, "invertible");
        if (s->atoms[k].used & FACT_ORTHOGONAL)
            fact[n++] = fact_text(s, k, is_ambiguous(s, k) ? "two matrices called" : "orthogonal");
        stochastic |= s->atoms[k].used & FACT_STOCHASTIC;
    }
    if (s->half_odd)        fact[n++] = must_strdup("half-odd activation");
    if (s->shift_invariant) fact[n++] = must_strdup("shift-invariant row map");
    if (stochastic)         fact[n++] = must_strdup("rows sum to 1");
    qsort(fact, n, sizeof *fact, compare_texts);
    for (size_t k = 0; k < n; k++) length += strlen(fact[k]) + 2;
    free(s->uses);
    s->uses = must_calloc(length, 1);
    for (size_t k = 0, used = 0; k < n; k++) {
        if (k && strcmp(fact[k], fact[k - 1]) == 0) continue;
        used += (size_t)snprintf(s->uses + used, length - used, "%s%s", k ? "; " : "", fact[k]);
    }
    for (size_t k = 0; k < n; k++) free(fact[k]);
    free(fact);
    return s->uses;
}
