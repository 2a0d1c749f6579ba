/* witness_of_nothing.c - a true sentence is refuted by a fact beside it: 1 < 2.
 * Not caught, for a witness whose fact is another one than the words say: REFUTED */
#include "tests/false/false.h"

static void less(trial *t)
{
    claim_less(t, "1 < 2", mat_identity(&t->s, 1), mat_from_si(&t->s, 1, 1, (long[]){ 2 }));
}
FALSE_COUNTEREXAMPLE("F-NOTHING", "a true sentence is refuted by a fact beside it", small,
                     .run = less, .statement = "$(AB)' = B'A'$", .no_minimal = true, .without = "fp sym",
                     .why_without = "an order is needed")
