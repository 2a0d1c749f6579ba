/* SPDX-License-Identifier: GPL-3.0-or-later
 * fact_beside.c - AB = BA is said by a word, beside a derivation of A + B = B + A.
 * Stays below proved, for a fact beside the derivation: the derivation leaves out ` */
#include "tests/false/false.h"
static void word(trial *t, bool is)
{
    claim_sum(t, "sum");
    claim_decided(t, "AB = BA", is);
}
static void so(trial *t)     { word(t, true); }
static void not_so(trial *t) { word(t, false); }
FALSE_IDENTITY("F-WORD-BESIDE", "AB = BA, by a word beside a derivation", small, .run = so, .statement = "$AB = BA$",
               BROKEN_BY("not-so", not_so, "it is denied"))
