/* SPDX-License-Identifier: GPL-3.0-or-later
 * places.h - where a program finds what it reads, from whatever folder it is started: the data of the suite and the
 * evidence.
 *
 * The data are the files of reports/: claims.csv, verdicts.csv, findings.csv, bearing.csv, statements.csv, report.tex,
 * the folders results and models.  They are looked up in this order:
 *   1. where an option says                  there and nowhere else: --index=FILE, --results=DIR
 *   2. the folder in PROVABLY_DATA           there and nowhere else, where the variable is set and not empty
 *   3. PROGRAM/../reports                    in a tree that was built: build/provably, reports/
 *   4. PROGRAM/../share/provably             installed: PREFIX/bin/provably, PREFIX/share/provably
 *   5. reports                               in the current folder
 * PROGRAM is the folder of the running program, links followed. */
#ifndef PLACES_H
#define PLACES_H
#include "src/base/base.h"

/* The path of a file or folder of the data, to be freed.  given: what an option said, or NULL.  Dies, naming the places
 * where it looked, where places 3 to 5 do not have it; in places 1 and 2 it may be missing. */
char *data_place(const char *given, const char *name) MUST_USE;

/* The folder of the evidence, to be freed: given, if not NULL; PROGRAM/evidence, if there is one; else build/evidence
 * in the current folder, which may be missing. */
char *evidence_place(const char *given) MUST_USE;

/* The folder of the theorem programs, to be freed: given, if not NULL; PROGRAM/theorems; or
 * PROGRAM/../libexec/provably/theorems.  Dies, naming both, where there is none. */
char *programs_place(const char *given) MUST_USE;

/* The file that names the commit of the running program, to be freed: `commit` in the build folder, or in
 * PREFIX/share/provably where it is installed.  NULL: there is none. */
char *commit_place(void) MUST_USE;

/* The folder of the architectures of checkpoints, to be freed: src/checkpoint/architectures of the tree in which the
 * running program was built, PREFIX/share/provably/architectures where it is installed, or that of the tree that is the
 * current folder.  Dies, naming the first two, where there is none: less would be known of files of weights. */
char *architectures_place(void) MUST_USE;
#endif
