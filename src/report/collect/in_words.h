/* SPDX-License-Identifier: GPL-3.0-or-later
 * in_words.h - what a verdict, its evidence and its scope mean, as sentences for somebody who reads them for the first
 * time.  Everything that is returned is to be freed; "" where there is nothing to say. */
#ifndef IN_WORDS_H
#define IN_WORDS_H
#include "src/report/collect/evidence_set.h"

/* "True: a checked proof covers the whole statement."  p: the part that speaks; NULL: not known, as where only the
 * agreed verdict is. */
char *verdict_in_words(verdict v, evidence_kind by, const part_verdict *p) MUST_USE;

/* How one kind of evidence makes known what it does, with the sizes and the bound. */
char *evidence_in_words(const claim_record *c, const part_verdict *p) MUST_USE;
/* The same of an agreed verdict, of which only the kind of evidence is known. */
char *evidence_kind_in_words(evidence_kind by) MUST_USE;

/* What the other arithmetics found of a group, and how many deliberate breaks were caught. */
char *arithmetics_in_words(const claim_record *c, bool corrected) MUST_USE;
char *breaks_in_words(const claim_record *c) MUST_USE;

/* "every size and every depth, with 1 to 4 heads" */
char *scope_in_words(const part_verdict *p) MUST_USE;
/* "modulo random primes" */
const char *arithmetic_in_words(int over);

/* What somebody who believes this evidence still trusts. */
const char *trust_in_words(evidence_kind by);

/* The tags of the four texts in a text become names: "003 Theorem 4.4" is "middle version, Theorem 4.4", and "Section 3
 * of 003" is "Section 3 of the middle version".  A tag stands alone: 0.003, 1,000 and K-E1-001 have none. */
char *papers_in_words(const char *text) MUST_USE;
/* "Theorem 4.4" -> "Theorem 4.4", "Thm 4.4" -> "Theorem 4.4", "5.1" -> "Section 5.1" */
char *place_in_words(const char *number) MUST_USE;
#endif
