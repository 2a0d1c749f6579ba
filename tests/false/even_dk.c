/* SPDX-License-Identifier: GPL-3.0-or-later
 * even_dk.c - every head has a middle coordinate: false for even d_k, and the sizes of symbols and guards are odd.
 * Stays below proved, for no certificate, whose steps depend on the sizes: no derivation for all sizes */
#include "tests/false/rows.h"
static void odd(trial *t) { first_rows(t, t->sh.dk, t->sh.dk % 2 ? t->sh.dk : t->sh.dk - 1); }
static void one(trial *t) { first_rows(t, t->sh.dk, 1); }
static const shape_case three[] = { { { .n = 3, .d = 3, .h = 1, .m = 4, .V = 5, .L = 2 }, 0 } };
FALSE_IDENTITY("F-EVEN", "a head is two halves and its middle", three, .run = odd,
               .statement = "a head is two halves of equal width and its middle", BROKEN_BY("one", one, "one row"))
