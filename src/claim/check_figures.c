/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_figures.c - figures that are measured: see check_figures.h. */
#include "src/claim/check_figures.h"
#include <math.h>
#include <stdlib.h>
#include "src/claim/check_record.h"
#include "numerics/fingerprint.h"

void claim_shown(trial *t, const char *what, double x, estimate is, double predicted)
{
    REQUIRE(t->record.mode == TRIAL_MEASURES, "%s is measured in a part of another kind", what);
    fingerprint_real(x);
    fingerprint_real(is.value);
    fingerprint_real(predicted);
    t->record.readings = must_realloc(t->record.readings, (size_t)t->record.nreadings + 1, sizeof *t->record.readings);
    t->record.readings[t->record.nreadings++] = (reading){ what, x, is, predicted };
}

/* The interval that decides is wider than the one that is shown; for samples as small as ours by less than this. */
static const double DECIDES_MOST = 5;

/* The gap is relative to the prediction, and so are its bound (how far the interval that decides reaches) and the
 * widest interval.  An interval of no width is no measurement. */
void claim_measured(trial *t, const char *what, double x, estimate is, double predicted)
{
    claim_shown(t, what, x, is, predicted);
    const double size = predicted != 0 ? fabs(predicted) : 1, away = fabs(is.value - predicted);
    const double reach = predicted < is.value ? is.value - is.least : is.most - is.value;
    const double widest = t->widest * size;
    comparison c = { UNDECIDED, away > 0 ? log2(away / size) : -INFINITY, reach > 0 ? log2(reach / size) : -INFINITY };
    if (!isfinite(predicted) || !isfinite(is.value)) c.log2gap = INFINITY;
    else if (is.high > is.low && is.high - is.low <= widest && is.most - is.least <= DECIDES_MOST * widest)
        c.is = is.least <= predicted && predicted <= is.most ? HOLDS : REFUTED;
    check_record(t, what, true, c, BY_SAMPLE);
}
