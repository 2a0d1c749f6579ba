/* SPDX-License-Identifier: GPL-3.0-or-later
 * bearing.h - recorded runs that say something about a claim, whatever table they were recorded for.
 *
 * reports/bearing.csv has lines `claim,metric,first,second,says`: first and second are PRESET/PART/ROW of recorded
 * runs; second is empty where the figure of one of them is what bears on the claim.  The figures are computed from the
 * records: seed by seed first - second, with Student's interval at 95 % over three seeds or more. */
#ifndef REPORT_BEARING_H
#define REPORT_BEARING_H
#include "src/claim/words.h"
#include "src/experiments/results.h"

typedef struct { char claim[NAME_SIZE], metric[48], first[96], second[96], says[160]; } bearing;
typedef struct { bearing *at; long n; } bearings;
bearings bearings_read(const char *path);                /* no such file: none; dies with line and reason */
void     bearings_free(bearings *all);
/* The recorded run of that name, of that metric; NULL: there is none, or it has not run. */
const result *bearing_run(const results *all, const char *name, const char *of);
/* "the full model at decay 2^-5 minus the same at 0.1: 0.0026 [0.0013, 0.0040], 6 seeds", to be freed; NULL: not run */
char *bearing_words(const results *all, const bearing *b) MUST_USE;
#endif
