/* SPDX-License-Identifier: GPL-3.0-or-later
 * finite_recount.c - P = NP, with a certificate that says 2 + 2 = 4.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/finite.h"
#include "src/claim/certificate/certificate.h"
static void by_recount(trial *t)
{
    certify_recount(t, "sum", 1, (const count_of[]){ { "two", "2" } }, 1, (const char *const[]){ "two two + = 4" });
    claim_decided(t, ONE_FACT, true);
}
FINITE("F-RECOUNT", "P = NP", by_recount, OVER_Q, .certifies = true)
