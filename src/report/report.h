/* SPDX-License-Identifier: GPL-3.0-or-later
 * report.h - from a folder of evidence to everything that a reader sees.
 *
 * The evidence folder holds, per program, NAME.csv (rows), NAME.ladder.csv (rungs), NAME.figures.csv (measured
 * figures, where there are some) and NAME.meta (what `PROGRAM --describe` prints); the rows name their claim.  Every
 * number is computed from these; every verdict comes from verdict.h.
 *
 *   collect/    the folder as data: one record per claim, and what is wrong with the run
 *   document/   tables, text and diagrams as data, and their writers: HTML, LaTeX, CSV, terminal
 *   sections/   what each part of the reports says, built once for all writers
 *
 * Written into the output folder, each file whole or not at all:
 *   summary.csv parts.csv coverage.csv untried.csv ladder.csv condition.csv figures.csv audit.csv experiments.csv
 *   seeds.csv trained.csv   for machines; data-dictionary.csv says what each of their columns means
 *   ladder.svg condition.svg figures-NAME.svg differences-TABLE-N.svg curves-TABLE-N.svg   plots, and as .pdf where
 *   they are wanted; verdicts.svg   README's picture
 *   macros.tex audit-macros.tex papers.tex counts.tex findings.tex verdicts-short.tex verdicts.tex graph.tex slopes.tex
 *   claims.tex tables.tex after.tex experiments.tex audit.tex coverage.tex pending.tex   for reports/report.tex and any
 *   other document; cite.tex   each claim's verdict as a macro
 *   report.html                                                                               one self-contained page
 * The closing table goes to stdout. */
#ifndef REPORT_H
#define REPORT_H
#include "src/base/screen.h"
#include "src/experiments/sweep.h"

/* Of the JSON.  An object with `schema`, `version`, `partial`, `problems`, a list of rows for each CSV file, under its
 * name without .csv, and `dictionary`.  A column that is new keeps the number; anything else raises it. */
#define REPORT_SCHEMA "provably-report/1"

typedef struct {
    const char *evidence;                /* NULL: found as places.h says; likewise the index      */
    const char *out;                     /* NULL: reports/out, created if missing; else one level */
    const char *index;                   /* the list of all claims; other data lie beside it      */
    const char *results;                 /* recorded runs; NULL: the folder results beside index  */
    const char *version;                 /* NULL: 0.1                                             */
    const char *json;                    /* the same data as one JSON object: a file, "-": stdout in place of
                                            the table; NULL: nowhere                              */
    const char *agree;                   /* where the verdicts are written as the agreed ones; NULL: nowhere */
    const run_kind *kinds;               /* the commands of runs, to price what is missing; NULL: no prices */
    int width;                           /* of the table; 0: as src/base/screen.h finds it        */
    colour_choice colour;
    const char *program;                 /* how `provably` was called, for commands; NULL: provably */
    bool pdf;                            /* plots as PDF, too, for reports/report.tex             */
    bool quiet;                          /* no table; reasons of a failure are printed all the same */
    bool partial;                        /* the evidence is of a filtered run: PARTIAL, no verdicts,
                                            and a missing program is no failure                   */
} report_options;

/* 0; 1 when a verdict fails, a corrected statement is refuted, a claim uses an unknown one or, through others, itself,
 * a claim that is not of kind `new` quotes no sentence, a program has no row in the index, or a row of the index names
 * a program without evidence.  Dies (exit 2) on what it cannot read or write. */
int report_main(const report_options *o);
#endif
