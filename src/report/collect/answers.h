/* SPDX-License-Identifier: GPL-3.0-or-later
 * answers.h - claims by what a reader asks of them: what is the answer, who says it, what kind of sentence is it?
 * Nothing is decided here: the words follow from verdict, evidence and index. */
#ifndef REPORT_ANSWERS_H
#define REPORT_ANSWERS_H
#include "src/report/collect/evidence_set.h"

/* What a verdict with this evidence says about the sentence, in a few words: "proved for all sizes", "false". */
const char *answer_words(verdict v, evidence_kind by);
/* The words of every kind of evidence by which a claim can have the verdict, "...; ...", to be freed. */
char       *answer_classes(verdict v);

/* A key, "theorem", and the same for people, "theorems and lemmas". */
typedef struct { const char *key, *words; } claim_group;
claim_group record_family(const claim_record *c);
claim_group record_source(const claim_record *c);        /* "karbevski": who says it                    */
#endif
