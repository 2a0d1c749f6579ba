/* SPDX-License-Identifier: GPL-3.0-or-later
 * finite.h - statements that are declared to speak of finitely many cases, by bodies that decide something else.
 *
 * A word of the body's own, `claim_decided(t, "P = NP", true)`, is all that such a part needs to hold in every trial. */
#ifndef FINITE_H
#define FINITE_H
#include "src/methods/counts/recount.h"
#include "tests/false/false.h"

#define ONE_FACT "the fact"
static inline void is_not_so(trial *t) { claim_decided(t, ONE_FACT, false); }
#define FINITE(ID, TITLE, BODY, ...) \
    FALSE_IDENTITY(ID, TITLE, recount_shapes, .run = BODY, .about = ABOUT_FINITE, .no_minimal = true, .no_large = true, \
                   .statement = TITLE, BROKEN_BY("not-so", is_not_so, "the fact is denied"), \
                   .why_without = "nothing is drawn", __VA_ARGS__)
#define OVER_Q     .without = "f64 mpfr arb fp sym"
#define OVER_BALLS .without = "f64 mpfr fp q sym"
#endif
