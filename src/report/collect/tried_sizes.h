/* SPDX-License-Identifier: GPL-3.0-or-later
 * tried_sizes.h - the sizes at which a part was tried in one arithmetic: what every sentence with a size takes them
 * from. */
#ifndef TRIED_SIZES_H
#define TRIED_SIZES_H
#include "src/report/collect/evidence_set.h"

/* "n = 3-8, d = 3-16, h = 1-4, L = 2-3: 12 shapes, 96 decided trials", of the rows of the part's case `claim` in that
 * arithmetic that were decided; where a trial drew models of other sizes than its shape's, those sizes count; m and V
 * are left out where they are 1, of shapes without an MLP or a vocabulary.  "": there are none.  To be freed. */
char *tried_sizes(const claim_record *c, const char *part, int over) MUST_USE;
/* The lines of a group, as printed or corrected: "tried modulo random primes at ..." of the part that speaks for it,
 * and of the others where they differ, with the names of the parts.  Each is to be freed, and so is *lines; returns how
 * many. */
long  tried_lines(const claim_record *c, bool corrected, char ***lines);
#endif
