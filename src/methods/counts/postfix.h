/* SPDX-License-Identifier: GPL-3.0-or-later
 * postfix.h - a formula of the table for those who cannot divide: certificates, reports/CERTIFICATES.md.
 *
 * A formula becomes a fraction of two expressions in reverse Polish notation over its names and numbers.  For each
 * divisor it is noted that it is positive, so that numerators may be compared across denominators.  max and min
 * become a value M with the facts that decide it: x_i <= M for each i, and that the product of all x_i - M is 0. */
#ifndef POSTFIX_H
#define POSTFIX_H
#include "src/methods/counts/formula.h"
#include "src/claim/certificate/certificate.h"

typedef struct {
    count_of *value;                     /* names with their numbers                                     */
    long nvalues;
    char **fact;                         /* formulas of a certificate                                    */
    long nfacts, extremes;
} postfix;
typedef struct { char *over, *under; } fraction;

/* `text` is one that formula_value accepts.  False: it has a root, an arc or a z, of which nothing exact is known. */
bool postfix_of(postfix *P, fraction *out, const char *text, name_lookup *names) MUST_USE;
void postfix_fact(postfix *P, char *fact);                         /* takes it over; equal facts are one */
char *postfix_times(const char *a, const char *b) MUST_USE;           /* "a b *", or one if the other is 1 */
void postfix_fraction_clear(fraction *f);
void postfix_clear(postfix *P);
#endif
