/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence.h - evidence files that a test writes row by row. */
#ifndef SUPPORT_EVIDENCE_H
#define SUPPORT_EVIDENCE_H
#include <stdio.h>

/* Writes the last line of the file (src/claim/evidence/evidence_end.h) and closes it. */
void evidence_done(FILE *f);
/* Writes it under a text that a test wrote by hand, or altered; an earlier one is taken out. */
void evidence_done_at(const char *path);
/* `path`, which may stand beside rows, is as it is: the rows name it. */
void evidence_beside(const char *path);
#endif
