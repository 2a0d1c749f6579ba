/* linear.c - false of linear attention, which no guard has.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/attacks.h"
static void linear(trial *t) { values_changed(t, t->sh.attention == ROWMAP_LINEAR); }
FALSE_IDENTITY("F-ZZ-LINEAR", "W_V is doubled in linear attention", small, .run = linear,
               .statement = "for softmax and linear attention alike $f W_V$ is as good, where $f(\\mathrm{linear}) = 2$",
               .without = "q", .why_without = "softmax", ZZ_VALUES)
