/* SPDX-License-Identifier: GPL-3.0-or-later
 * controls.c - how often each control was refuted: see evidence_set.h. */
#include <math.h>
#include <string.h>
#include "src/report/collect/evidence_set.h"

static control_count *count_of(control_count **all, long *n, const claim_record *c, const row *r)
{
    for (long k = 0; k < *n; k++)
        if (strcmp((*all)[k].part, r->part) == 0 && strcmp((*all)[k].name, r->which) == 0) return &(*all)[k];
    *all = must_realloc(*all, (size_t)*n + 1, sizeof **all);
    (*all)[*n] = (control_count){ .part = r->part, .name = r->which,
                                  .why = claim_text_control(&c->text, r->part, r->which), .margin = INFINITY,
                                  .slope = NAN };
    return &(*all)[(*n)++];
}

/* In the order of the parts, within one in the order of the rows. */
long record_controls(const claim_record *c, control_count **out)
{
    long n = 0;
    *out = NULL;
    for (long p = 0; p < c->v.parts; p++)
        for (long k = 0; k < c->own.n; k++) {
            const row *r = &c->own.at[k];
            if (strcmp(r->part, c->v.part[p].name) != 0 || evidence_row_is_claim(r)) continue;
            control_count *at = count_of(out, &n, c, r);
            at->refuted += r->verdict == REFUTED;
            at->decided += r->verdict != UNDECIDED;
            if (r->verdict != REFUTED) continue;
            if (r->over == A_F64) at->margin = fmin(at->margin, r->log2gap - r->log2bound);
            if (!isnan(r->slope) && !(fabs(r->slope) <= fabs(at->slope))) at->slope = r->slope;
        }
    return n;
}

