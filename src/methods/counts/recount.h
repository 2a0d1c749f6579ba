/* SPDX-License-Identifier: GPL-3.0-or-later
 * recount.h - the bodies of claims about printed numbers, and what an audit says about each of them. */
#ifndef RECOUNT_H
#define RECOUNT_H
#include "src/methods/counts/printed.h"
#include "src/claim/claim.h"

/* A row of the table and what its formula gives. */
typedef struct {
    const printed_value *row;
    printed_number printed;
    mpq_t value;
    bool  agrees;
} recounted;
recounted recount(const printed_value *row, const char *formula);      /* of the row: its own, or `wrong`   */
void recount_clear(recounted *r);
/* The value with one digit more than is printed, thousands separated: "84.954M", "279,166". */
void recount_text(char *to, size_t size, const recounted *r);

/* A number that is counted off the printed tables, or a whole number that is printed: given (mat_given). */
const mat *recount_given(trial *t, long n);

/* Bodies, for the part that runs: every printed value of it is what its formula gives, in units of its last
 * place; none of them is.  RECOUNT_SUPPORTS is for a sentence about all sizes that is recounted at some, or where a
 * number is rounded on the way (an arc cosine); a mere list of numbers is finite.                          */
body recount_agrees, recount_slips;
/* Their controls: the same checks with another formula in place of each; in place of each slip's with one of which
 * what is printed is true.  Every check must break: where one does not, the control is UNDECIDED.                */
extern const control recount_term[1], recount_explanation[1];

/* A recount has no model, hence no shape: three of them, since controls are decided once per shape. */
extern const shape_case recount_shapes[3];
#define RECOUNT_AGREES   .about = ABOUT_FINITE, RECOUNT_SUPPORTS
#define RECOUNT_SUPPORTS .run = recount_agrees, .controls = recount_term, .ncontrols = 1, RECOUNT_ONLY_Q, \
    .basis = "recount", .certifies = true
#define RECOUNT_SLIPS  .run = recount_slips, .controls = recount_explanation, .ncontrols = 1, RECOUNT_ONLY_Q, \
    .basis = "recount", .certifies = true
#define RECOUNT_ONLY_Q .no_minimal = true, .no_large = true, .without = "f64 mpfr arb fp sym", \
    .why_without = "numbers of a recount are rational: over q they are decided, elsewhere nothing would be added"
#endif
