/* SPDX-License-Identifier: GPL-3.0-or-later
 * totals.c - sums over all rows: see evidence_set.h. */
#include <math.h>
#include <string.h>
#include "src/report/collect/answer_cell.h"
#include "src/report/collect/ladders.h"

bool evidence_row_is_conditioned(const row *r)
{
    return r->over == A_F64 && r->kappa >= 1 && r->verdict != UNDECIDED && !part_measures(r->kind);
}

static void sum_row(evidence_totals *t, const row *r)
{
    const bool is_claim = evidence_row_is_claim(r);
    t->rows++;
    t->decided += r->verdict != UNDECIDED;
    t->seconds += r->seconds;
    if (evidence_row_is_conditioned(r)) t->kappa = fmax(t->kappa, r->kappa);
    if (is_claim && r->over == A_F64 && r->log2logit > t->log2logit) t->log2logit = r->log2logit;
    if (!t->seeds || r->seed != t->seed) t->seeds++;
    t->seed = r->seed;
    t->threads = r->threads > t->threads ? r->threads : t->threads;
    if (!t->blas[0]) t->blas = r->blas;
    if (!t->build[0]) t->build = r->build;
    /* Caught because its gap exceeds the bound; a variant of what must differ is caught the other way round. */
    if (!is_claim && r->over == A_F64 && r->verdict == REFUTED && r->kind == PART_IDENTITY && r->log2gap > r->log2bound)
        t->control_margin = fmin(t->control_margin, r->log2gap - r->log2bound);
    const bool gap_levels_off = !is_claim && r->verdict == REFUTED && r->slope > -0.5;
    if (gap_levels_off && !(fabs(r->slope) <= fabs(t->control_slope))) t->control_slope = r->slope;
}

static void sum_part(evidence_totals *t, const part_verdict *p)
{
    if (p->kind == PART_IDENTITY) {
        const answer *f64 = &p->by_arith[A_F64], *mpfr = &p->by_arith[A_MPFR];
        const answer *arb = &p->by_arith[A_ARB], *fp = &p->by_arith[A_FP];
        if (f64->holds && !answer_shows_difference(f64, A_F64))
            t->gap = fmax(t->gap, f64->worst), t->margin = fmax(t->margin, f64->margin);
        if (arb->holds && !answer_shows_difference(arb, A_ARB)) t->width = fmax(t->width, arb->worst);
        if (fp->holds) t->error = fmax(t->error, fp->worst);
        const bool sloped = mpfr->holds && isfinite(mpfr->worst);
        if (sloped && !(fabs(mpfr->worst + 1) <= fabs(t->slope + 1))) t->slope = mpfr->worst;
    }
}

evidence_totals evidence_totals_of(const evidence_set *all)
{
    evidence_totals t = { .blas = "", .build = "", .log2logit = -INFINITY, .margin = -INFINITY, .gap = -INFINITY,
                          .width = -INFINITY, .error = -INFINITY, .slope = NAN, .control_slope = NAN,
                          .control_margin = INFINITY };
    for (long k = 0; k < all->n; k++) {
        const claim_record *c = &all->at[k];
        t.with[c->v.as_stated]++;
        t.corrected_with[c->v.corrected]++;
        t.controls += c->v.controls;
        t.refuted += c->v.refuted;
        for (long i = 0; i < c->ladder.n; i += ladder_length(&c->ladder, i)) t.ladders++;
        for (long i = 0; i < c->own.n; i++) sum_row(&t, &c->own.at[i]);
        for (long p = 0; p < c->v.parts; p++) sum_part(&t, &c->v.part[p]);
    }
    return t;
}
