/* SPDX-License-Identifier: GPL-3.0-or-later
 * findings.h - what is true in these papers, in sentences for people; each depends on the verdicts of some claims.
 *
 * reports/findings.csv has lines `about,sentence,rows`: about is practice, theory or experiments; rows, "K-L3.1=PROVED
 * K-R4=CAVEAT", are the claims on which the sentence depends and the verdicts for which it was written.  A run with
 * another verdict fails until somebody has read the sentence again. */
#ifndef FINDINGS_H
#define FINDINGS_H
#include <stdbool.h>

typedef enum { ABOUT_PRACTICE, ABOUT_THEORY, ABOUT_EXPERIMENTS, FINDING_GROUPS } finding_about;
typedef struct { finding_about about; char sentence[900], rows[256]; } finding;     /* the sentence is LaTeX */
typedef struct { finding *at; long n; } findings;
findings findings_read(const char *path);                /* no such file: none; dies with line and reason */
void     findings_free(findings *all);
/* The next "K-1=PROVED" of *left, split in two; false: none is left, or it is not of this form. */
bool     findings_next_row(const char **left, char id[NAME_SIZE], char word[24]);

typedef struct { const char *about, *title; } finding_group;       /* "practice": as the file has it       */
extern const finding_group finding_groups[FINDING_GROUPS];
#endif
