/* SPDX-License-Identifier: GPL-3.0-or-later
 * spectrum.h - where the eigenvalues of a real matrix lie, decided.
 *
 *   over q    from the characteristic polynomial p: its real roots are counted by Sturm's theorem; where all roots are
 *             real, none is negative if and only if the coefficients of p(-x) all have one sign (Descartes)
 *   over arb  from certified enclosures, one ball per eigenvalue; UNDECIDED where they cannot be told apart
 *
 * Elsewhere UNDECIDED. */
#ifndef SPECTRUM_H
#define SPECTRUM_H
#include "src/claim/check.h"

/* All eigenvalues of A (n x n) are real. */
void claim_real_spectrum(trial *t, const mat *A);
/* All are real and lie in [0, 1].  Contract: rows of A sum to 1. */
void claim_unit_spectrum(trial *t, const mat *A);
#endif
