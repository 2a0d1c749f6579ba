/* SPDX-License-Identifier: GPL-3.0-or-later
 * certificate_steps.c - a recorded step as a node of the certificate: see certificate_sym.h. */
#include <stdlib.h>
#include "src/claim/certificate/certificate_sym.h"

static long one_block(export_work *w, const cert_size *t, long p)
{
    const long k = export_node(w, must_format("block %s %ld", t->name, p));
    w->nodes.at[k].block_of = t->name;
    return k;
}

static long columns(export_work *w, size_tuple wide, size_tuple from, size_tuple cols)     /* E(t,from,l) */
{
    const cert_size *t = &w->sizes.at[sizes_find(&w->sizes, wide)], *l = &w->sizes.at[sizes_find(&w->sizes, cols)];
    long first = 0, last;
    export_sum all = { .n = 0 };
    while (!tuple_equal(cert_size_end(t, first - 1), from)) first++;
    for (last = first; !tuple_equal(cert_size_end(t, last), tuple_add(from, cols, 1)); last++) {}
    if (first == last) return one_block(w, t, first);
    for (long p = first; p <= last; p++) {
        const long back = export_transpose(w, one_block(w, l, p - first));
        export_sum_more(w, &all, export_product(w, one_block(w, t, p), back));
    }
    return export_sum_end(w, &all);
}

static long emit_value(export_work *w, long k)
{
    const term_step *s = &w->steps[0].at[k];
    const char *f = term_name(&w->R[0], TERM_VALUE, s->name);
    const char *r = export_size_name(w, ROWS(w, k)), *c = export_size_name(w, COLS(w, k));
    long operand[2] = { export_step(w, s->a) };
    if (s->b >= 0) operand[1] = export_step(w, s->b);
    const long N = node_add(&w->nodes, must_format("value %s %s %s #%s", f, r, c, s->b < 0 ? "" : " #"),
                            s->b < 0 ? 1 : 2, operand);
    w->nodes.at[N].function = f;
    w->nodes.at[N].facts = term_facts(&w->R[0], s->name);
    return N;
}

static long emit_sum(export_work *w, const term_step *s)
{
    long operand[2] = { export_step(w, s->a) };
    if (s->b >= 0) operand[1] = export_step(w, s->b);
    char *ca = export_scalar(s->ca, 1, s->e), *cb = export_scalar(s->cb, 1, s->e);
    char *text = s->b < 0 ? must_format("sum %s #", ca) : must_format("sum %s # %s #", ca, cb);
    free(ca);
    free(cb);
    return node_add(&w->nodes, text, s->b < 0 ? 1 : 2, operand);
}

static long emit_new(export_work *w, long k)
{
    const term_step *s = &w->steps[0].at[k];
    const char *r = export_size_name(w, ROWS(w, k)), *c = export_size_name(w, COLS(w, k));
    switch (s->op) {
    case TERM_IDENTITY:  return export_node(w, must_format("identity %s", r));
    case TERM_ONES:      return export_node(w, must_format("ones %s", r));
    case TERM_COLUMNS:   return columns(w, ROWS(w, k), FROM(w, k), COLS(w, k));
    case TERM_TRANSPOSE: return export_transpose(w, export_step(w, s->a));
    case TERM_INVERSE:   return export_inverse_stated(w, s->a);
    case TERM_VALUE:     return emit_value(w, k);
    case TERM_SUM:       return emit_sum(w, s);
    case TERM_PRODUCT: {
        const long a = export_step(w, s->a), b = export_step(w, s->b);
        return export_product(w, a, b);
    }
    case TERM_MATRIX: {
        const char *name = term_name(&w->R[0], TERM_MATRIX, s->name);
        const char *property = export_is_orthogonal(name) ? " orthogonal" : "";
        return export_node(w, must_format("matrix %s %s %s%s", name, r, c, property));
    }
    }
    REQUIRE(false, "step of kind %d", (int)s->op);
    return -1;
}

long export_step(export_work *w, long k)
{
    if (w->node_of[k] < 0) w->node_of[k] = emit_new(w, k);
    return w->node_of[k];
}
