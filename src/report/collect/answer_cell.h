/* SPDX-License-Identifier: GPL-3.0-or-later
 * answer_cell.h - what one arithmetic says about a part or a group of parts, as one cell of a table. */
#ifndef ANSWER_CELL_H
#define ANSWER_CELL_H
#include "src/claim/judge/verdict.h"

typedef enum {
    CELL_NONE, CELL_UNDECIDED, CELL_DIFFERENT, CELL_EQUAL, CELL_DECIMAL, CELL_POWER, CELL_SLOPE, CELL_COUNT
} answer_cell_kind;
typedef struct { answer_cell_kind kind; double x; long of; } answer_cell;    /* DECIMAL and POWER: x is a log2 */
bool        answer_shows_difference(const answer *a, int over);
answer_cell answer_cell_of(const answer *a, int over);
answer_cell answer_cell_of_part(const part_verdict *p, int over);
/* The weakest answer of the parts of one group that are identities. */
answer_cell answer_cell_of_group(const claim_verdict *c, bool corrected, int over);
void        answer_cell_text(char *to, size_t size, answer_cell x);      /* 3e-14  -1.00  2^-81  exact  9/9  - */
#endif
