/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_figures.h - the checks of parts that measure: figures with intervals, beside what theory predicts. */
#ifndef CHECK_FIGURES_H
#define CHECK_FIGURES_H
#include "numerics/measure.h"
#include "src/claim/check.h"

typedef struct reading {
    const char *what;                    /* static text: "exponent in d"                         */
    double      x;                       /* what it was measured at; NaN: it stands alone        */
    estimate    is;
    double      predicted;               /* NaN: only shown                                      */
} reading;

/* A figure and what theory says it should be, in parts of kind PART_MEASURED.  HOLDS if the prediction is in the
 * interval that decides (numerics/measure.h), UNDECIDED if the 95 % interval is wider than the part's
 * `widest`, so that a vacuously wide one does not pass. */
void claim_measured(trial *t, const char *what, double x, estimate is, double predicted);
/* A figure that reports show beside the others and that decides nothing; predicted may be NaN. */
void claim_shown   (trial *t, const char *what, double x, estimate is, double predicted);
#endif
