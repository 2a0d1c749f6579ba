/* SPDX-License-Identifier: GPL-3.0-or-later
 * quoted.h - for tests: the texts of the papers, and what the programs quote from them.
 *
 * The texts are in the folder PAPERS, files 001_*.txt, 003_*.txt, 000_*.txt and 002_*.txt; where there is no such
 * folder a test checks what it can without them.  Line breaks and runs of blanks count as one blank, in a text as in a
 * quotation. */
#ifndef QUOTED_H
#define QUOTED_H
#include "src/report/collect/claim_text.h"

const char *papers_folder(void);         /* $PAPERS, or "papers" */

/* The paths of the texts, which belong to files.h; false: no text is here, and path is not set.  Fails the test where
 * only some of them are. */
bool papers_paths(char *path[TEXTS]);
/* The texts with runs of white space made one blank, likewise. */
bool papers_read(char *text[TEXTS]);

void text_collapse(char *text);          /* runs of white space become one blank; none at the ends */

/* Where a quotation begins in a text: at a whole word, and it ends with one; NULL: nowhere. */
const char *quoted_at(const char *text, const char *says);
bool quoted_in(const char *text, const char *says);

/* What each theorems/X.c prints with --describe; valid until described_forget().  Dies where a program is missing. */
const claim_text *described_claims(size_t *n);
void described_forget(void);
#endif
