/* SPDX-License-Identifier: GPL-3.0-or-later
 * measured.c - see measured.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/collect/measured.h"

static bool same_figure(const pooled_figure *p, const measured *m)
{
    return strcmp(p->part, m->part) == 0 && strcmp(p->which, m->which) == 0 && p->shape == m->shape
        && strcmp(p->name, m->name) == 0 && (p->x == m->x || (isnan(p->x) && isnan(m->x)));
}

static pooled_figure *pool_of(pooled_figure **all, long *n, const measured *m)
{
    for (long k = 0; k < *n; k++) if (same_figure(&(*all)[k], m)) return &(*all)[k];
    *all = must_realloc(*all, (size_t)*n + 1, sizeof **all);
    (*all)[*n] = (pooled_figure){ .part = m->part, .which = m->which, .subject = m->subject, .shape = m->shape,
                                  .name = m->name, .x = m->x };
    return &(*all)[(*n)++];
}

long record_figures(const claim_record *c, pooled_figure **out)
{
    long n = 0;
    *out = NULL;
    for (long p = 0; p < c->v.parts; p++)
        for (long k = 0; k < c->figures.n; k++) {
            const measured *m = &c->figures.at[k];
            if (strcmp(m->part, c->v.part[p].name) != 0) continue;
            pooled_figure *at = pool_of(out, &n, m);
            at->trials++;
            at->value += m->value;
            at->predicted += m->predicted;
            at->low  += (m->value - m->low) * (m->value - m->low);         /* squares until the end */
            at->high += (m->high - m->value) * (m->high - m->value);
        }
    for (long k = 0; k < n; k++) {
        pooled_figure *at = &(*out)[k];
        const double trials = (double)at->trials;
        at->value /= trials;
        at->predicted /= trials;
        at->low  = at->value - sqrt(at->low) / trials;
        at->high = at->value + sqrt(at->high) / trials;
    }
    return n;
}

/* Two digits of the interval's half-width decide how many are shown; four where there is no width. */
void measured_pooled_number(char *to, size_t size, double x, const pooled_figure *p)
{
    const double half = (p->high - p->low) / 2;
    if (!(half > 0)) snprintf(to, size, "%.4g", x);
    else {
        const double places = 1 - floor(log10(half));
        snprintf(to, size, "%.*f", (int)fmin(fmax(places, 0), 9), x);
    }
}

static bool is_of_group(const claim_verdict *v, const char *part, bool corrected)
{
    for (const part_verdict *p = v->part; p < v->part + v->parts; p++)
        if (strcmp(p->name, part) == 0) return judge_speaks_for(v, p, corrected);
    return false;
}

bool record_headline_figure(const claim_record *c, bool corrected, pooled_figure *to)
{
    pooled_figure *all;
    const long n = record_figures(c, &all);
    const pooled_figure *best = NULL;
    for (long k = 0; k < n; k++) {
        const pooled_figure *p = &all[k];
        if (!is_of_group(&c->v, p->part, corrected) || p->subject != ROW_OF_CLAIM) continue;
        if (isnan(p->predicted)) continue;
        if (!best || (!isnan(best->x) && (isnan(p->x) || p->x > best->x))) best = p;
    }
    const bool found = best != NULL;
    if (found) *to = *best;
    free(all);
    return found;
}

bool record_headline(const claim_record *c, bool corrected, char *to, size_t size)
{
    pooled_figure best;
    char value[32], predicted[32];
    if (!record_headline_figure(c, corrected, &best)) return false;
    measured_pooled_number(value, sizeof value, best.value, &best);
    snprintf(predicted, sizeof predicted, "%.4g", best.predicted);
    snprintf(to, size, "measured %s for %s", value, predicted);
    return true;
}
