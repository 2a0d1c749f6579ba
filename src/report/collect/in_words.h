/* in_words.h - a claim for people who know neither the words of verdicts nor the figures: where it stands, what the
 * answer means, and how we know.  Nothing is decided here: the words follow from verdict, evidence and scope. */
#ifndef REPORT_IN_WORDS_H
#define REPORT_IN_WORDS_H
#include "src/report/collect/evidence_set.h"

/* What a verdict with this evidence says about the sentence: "proved for all sizes", "a misprint". */
const char *words_answer(verdict v, evidence_kind by);
/* How that was found out, of the statement as printed or of its repair, as sentences with $...$; "": it was not.
 * To be freed. */
char *words_known(const evidence_set *all, const claim_record *c, bool corrected) MUST_USE;
/* "Theorem 4.4" of the middle version where that has it, else of the latest, else of the first; "" of what is new.
 * To be freed. */
char *words_place(const claim_record *c) MUST_USE;

/* Claims that belong together: "theorem", and for people "theorems and lemmas". */
typedef struct { const char *key, *words; } claim_family;
claim_family record_family(const claim_record *c);
claim_family record_source(const claim_record *c);       /* "karbevski": who says it                    */
#endif
