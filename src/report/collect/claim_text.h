/* SPDX-License-Identifier: GPL-3.0-or-later
 * claim_text.h - how a program describes its claim: taken from the claim itself where it is linked in, else from the
 * output of `PROGRAM --describe`. */
#ifndef CLAIM_TEXT_H
#define CLAIM_TEXT_H
#include <stdio.h>
#include "src/claim/papers.h"
#include "src/claim/words.h"

typedef struct { char *name, *why; } control_text;
typedef struct {
    char *name, *kind, *statement, *about, *assumes, *basis, *by_proof, *quantity, *shown_by, *without, *why_without;
    char *models, *sets, *sets_reduced;
    control_text *control;
    long controls;
} part_text;
typedef struct {
    char *id, *title, *where, *hypotheses, *construction, *why, *depends;     /* NULL: not given          */
    quotation *quote, *standing;         /* the sentences judged, and what their section assumes          */
    long quotes, standings;
    char **judged;                       /* the clauses of the quotations that are judged; none: all      */
    long clauses;
    part_text *part;
    long parts;
} claim_text;
/* What the claim of PROGRAM ("k_t4_4") says of itself, where it is linked into this program; else false, and *to is as
 * before. */
bool       claim_text_linked(claim_text *to, const char *program);
claim_text claim_text_read(const char *path);            /* dies with line and reason on a malformed one */
claim_text claim_text_from(FILE *f, const char *path);   /* likewise; path: what messages call it        */
void       claim_text_free(claim_text *t);
const part_text *claim_text_part(const claim_text *t, const char *name);                /* NULL: no such part */
/* As judge_speaks_for has it: where all of "as-stated" only illustrate, those called "corrected" say the sentence. */
part_role claim_text_role(const claim_text *t, const part_text *p);
/* What the facts of a part are about and which check speaks of it, to be freed: "W_Q, by `logits`"; NULL: no facts. */
char *part_text_subject(const part_text *p);
const char *claim_text_control(const claim_text *t, const char *part, const char *name);   /* why it must fail, or "" */

/* The version that is quoted whole: one whose copy has its formulas, where there is one. */
paper_text quotations_best(const quotation *q, long n);
bool  quotation_same_place(const quotation *a, const quotation *b);
char *quotation_source(const quotation *q);              /* "middle version, Theorem 4.4", to be freed   */
const char *quotations_note(const claim_text *t);        /* what our copies of the quoted texts lack, or "" */
#endif
