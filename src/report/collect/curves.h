/* SPDX-License-Identifier: GPL-3.0-or-later
 * curves.h - learning curves of recorded runs: reports/results/curves/PRESET-PART.csv, row,seed,step,METRIC... */
#ifndef REPORT_CURVES_H
#define REPORT_CURVES_H
#include "src/experiments/presets.h"

typedef struct { char row[96]; double step, mean, low, high; long seeds; } curve_point;
typedef struct { curve_point *at; long n; } curve_points;  /* row by row, step by step; low, high: of its seeds */
/* The points of metric m of a part, as shown: the mean over the seeds that have the step, and the lowest and highest.
 * No such file, or no such column: none.  Dies with file and line on what it cannot read. */
curve_points curves_read(const char *folder, const preset *p, const experiment *e, const metric *m);
void curves_free(curve_points *c);
#endif
