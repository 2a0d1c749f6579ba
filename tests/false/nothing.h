/* SPDX-License-Identifier: GPL-3.0-or-later
 * nothing.h - a true sentence, and facts beside it that are no witness against anything: 1 < 2. */
#ifndef NOTHING_H
#define NOTHING_H
#include "tests/false/false.h"

static inline void less(trial *t)
{
    claim_less(t, "1 < 2", mat_identity(&t->s, 1), mat_from_si(&t->s, 1, 1, (long[]){ 2 }));
}
static inline void more(trial *t)
{
    claim_less(t, "1 < 2", mat_from_si(&t->s, 1, 1, (long[]){ 2 }), mat_identity(&t->s, 1));
}
#define OF_TRANSPOSES .statement = "$(AB)' = B'A'$", .no_minimal = true, .without = "fp sym", \
                      .why_without = "an order is needed"
#define BY_LITERALS ABOUT_QUANTITY("(AB)'", "1 < 2")
#endif
