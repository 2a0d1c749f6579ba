/* SPDX-License-Identifier: GPL-3.0-or-later
 * measured.h - measured figures of a claim, pooled over its trials, beside what was predicted.
 *
 * Trials are independent, so their mean has the half-width sqrt(sum of squared half-widths)/trials, on each side. */
#ifndef REPORT_MEASURED_H
#define REPORT_MEASURED_H
#include "src/report/collect/evidence_set.h"

typedef struct {                         /* one figure, the mean over its trials                        */
    const char *part, *which, *name;
    row_subject subject;
    const row_sizes *shape;
    double x, value, low, high, predicted;               /* x, predicted: NaN where there is none       */
    long   trials;
} pooled_figure;
long record_figures(const claim_record *c, pooled_figure **out);        /* returns how many; free *out  */
/* x with the digits that the interval of the figure leaves certain. */
void measured_pooled_number(char *to, size_t size, double x, const pooled_figure *p);
/* The figure that stands for a group, or the one at the largest x; false: none. */
bool record_headline_figure(const claim_record *c, bool corrected, pooled_figure *to);
/* The same as "measured -1.502 for -1.5". */
bool record_headline(const claim_record *c, bool corrected, char *to, size_t size);
#endif
