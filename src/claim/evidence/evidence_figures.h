/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence_figures.h - the details behind a row: the precisions of an mpfr ladder, the figures of a measurement.
 *
 * NAME.ladder.csv and NAME.figures.csv beside NAME.csv: one line for each precision, and for each figure. */
#ifndef EVIDENCE_FIGURES_H
#define EVIDENCE_FIGURES_H
#include "src/claim/evidence/evidence.h"

/* The gap at one precision; the other cells are those of the trial's row. */
typedef struct {
    const char *id, *part, *which;
    row_subject subject;
    const row_sizes *shape;
    uint64_t seed;
    long   trial, bits;
    double log2gap;
} rung;
typedef struct { rung *at; long n; } rung_list;
void evidence_rung_header(FILE *f);
void evidence_rung_write (FILE *f, const rung *r);
void evidence_rungs_read (rung_list *all, const char *path);         /* as evidence_rows_read        */

/* A figure, and what was predicted. */
typedef struct {
    const char *id, *part, *which;
    row_subject subject;
    const row_sizes *shape;
    uint64_t seed;
    long   trial;
    const char *name;                    /* "exponent in d"                                      */
    double x;                            /* NaN: the figure stands alone                         */
    double value, low, high;             /* with its 95 % interval                               */
    double predicted;                    /* NaN: only shown                                      */
} measured;
typedef struct { measured *at; long n; } measures;
void evidence_figure_header(FILE *f);
void evidence_figure_write (FILE *f, const measured *m);
void evidence_figures_read (measures *all, const char *path);    /* as evidence_rows_read        */
#endif
