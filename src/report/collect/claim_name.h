/* SPDX-License-Identifier: GPL-3.0-or-later
 * claim_name.h - the names by which people call a claim.
 *
 *   K-T4.4  k-t4.4  T4.4  k_t4_4            its id, the id without the letter of its paper, its program
 *   "Theorem 4.4"  "thm 4.4"  4.4  "App D"   the number that a version prints; another version may use it for
 *                                            another claim
 *   "v7 Theorem 4.2"  "middle Theorem 4.4"   the number in one version: v1, first or 001; middle or 003; v7, latest or
 *                                            000; Bermeitinger or 002.  What the middle version is called in the
 *                                            public record is not known, so that v2 to v6 name none */
#ifndef CLAIM_NAME_H
#define CLAIM_NAME_H
#include "src/claim/judge/verdict.h"

/* The list of all claims: `given`, what --index says, or where data_place finds it. */
claim_index claims_index(const char *given);

/* The claims that may be meant, in the order of the index, as positions in it; *out is to be freed.  Returns how
 * many. */
long claims_called(const claim_index *x, const char *name, long **out);

/* The one claim that is meant.  Dies (exit status 2) where there is none, with what is spelt or titled alike, and where
 * there are several, with all of them. */
const claim_entry *claim_called(const claim_index *x, const char *name);
#endif
