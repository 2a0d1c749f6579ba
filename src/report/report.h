/* report.h - from a folder of evidence to everything a reader sees.
 *
 * The evidence folder holds, per program, NAME.csv (rows), NAME.ladder.csv (rungs), NAME.figures.csv (measured
 * figures, where there are some) and NAME.meta (what `PROGRAM --describe` prints); which claim they speak of
 * stands in them.  Every number is computed from these; every verdict comes from verdict.h.  Written into the
 * output folder, each file whole or not at all:
 *   summary.csv coverage.csv ladder.csv condition.csv figures.csv   the figures, for machines
 *   ladder.gp condition.gp figures-NAME.gp, and their .pdf and .svg   plots, where gnuplot is installed
 *   experiments.csv experiments.tex                       recorded runs beside the papers' figures
 *   audit.csv audit.tex audit-macros.tex                  the printed numbers, recounted
 *   graph.tex                                             which claim uses which
 *   macros.tex verdicts.tex claims.tex slopes.tex coverage.tex pending.tex   for reports/report.tex
 *   report.html                                           one self-contained page
 * The closing table goes to stdout. */
#ifndef REPORT_H
#define REPORT_H
#include "src/base/base.h"

typedef struct {
    const char *evidence;                /* NULL: build/evidence                                  */
    const char *out;                     /* NULL: reports/out; created if missing, one level      */
    const char *index;                   /* NULL: reports/claims.csv                              */
    const char *results;                 /* recorded runs; NULL: the folder results beside index  */
    const char *version;                 /* NULL: 0.1                                             */
    const char *agree;                   /* where the verdicts are written as the agreed ones; NULL: nowhere */
    bool quiet;                          /* no table; reasons of a failure are printed all the same */
    bool partial;                        /* the evidence is of a filtered run: PARTIAL, no verdicts,
                                            and a missing program is no failure                   */
} report_options;

/* 0; 1 when a verdict fails, a corrected statement is refuted, a claim uses an unknown one or, through others, itself,
 * a claim that is not of kind `new` quotes no sentence, a program has no row in the index, or a row of the index names
 * a program without evidence.  Dies (exit 2) on what it cannot read or write. */
int report_main(const report_options *o);
#endif
