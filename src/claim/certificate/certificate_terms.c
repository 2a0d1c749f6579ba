/* SPDX-License-Identifier: GPL-3.0-or-later
 * certificate_terms.c - the nodes from which steps and inverses are built: see certificate_sym.h. */
#include <gmp.h>
#include <stdlib.h>
#include <string.h>
#include "src/claim/certificate/certificate_sym.h"

static const char orthogonal[] = ORTHOGONAL_NAME;

bool export_is_orthogonal(const char *name) { return strncmp(name, orthogonal, sizeof orthogonal - 1) == 0; }

size_tuple export_tuple(const export_work *w, long k, size_t field)
{
    size_tuple t;
    for (int r = 0; r < EXPORT_RUNS; r++) t.v[r] = *(const long *)((const char *)&w->steps[r].at[k] + field);
    return t;
}

const char *export_size_name(export_work *w, size_tuple is) { return w->sizes.at[sizes_find(&w->sizes, is)].name; }

long export_node(export_work *w, char *text) { return node_add(&w->nodes, text, 0, NULL); }

long export_transpose(export_work *w, long a) { return node_add(&w->nodes, must_strdup("transpose #"), 1, &a); }

long export_product(export_work *w, long a, long b)
{
    return node_add(&w->nodes, must_strdup("product # #"), 2, (const long[]){ a, b });
}

void export_sum_more(export_work *w, export_sum *s, long k)
{
    if (s->n == MOST_OPERANDS) { w->failed = "a sum of too many blocks"; return; }
    s->operand[s->n++] = k;
}

long export_sum_end(export_work *w, const export_sum *s)
{
    text_buffer t = { 0 };
    text_add(&t, "sum");
    for (long k = 0; k < s->n; k++) text_add(&t, " 1 #");
    return node_add(&w->nodes, text_take(&t), s->n, s->operand);
}

char *export_scalar(int64_t c, int64_t below, long e)
{
    mpq_t x;
    mpq_init(x);
    mpz_set_si(mpq_numref(x), below > 0 ? c : -c);
    mpz_set_si(mpq_denref(x), below > 0 ? below : -below);
    if (e > 0) mpz_mul_2exp(mpq_numref(x), mpq_numref(x), (mp_bitcnt_t)e);
    if (e < 0) mpz_mul_2exp(mpq_denref(x), mpq_denref(x), (mp_bitcnt_t)-e);
    mpq_canonicalize(x);
    char *gmp = mpq_get_str(NULL, 10, x), *text = must_strdup(gmp);
    void (*release)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &release);
    release(gmp, strlen(gmp) + 1);
    mpq_clear(x);
    return text;
}

void export_state(export_work *w, long left, long right, const char *what)
{
    w->lines = must_realloc(w->lines, (size_t)w->nlines + 1, sizeof *w->lines);
    w->lines[w->nlines++] = (line_equal){ left, right, what };
    node_need(&w->nodes, left);
    node_need(&w->nodes, right);
}
