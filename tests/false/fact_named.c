/* SPDX-License-Identifier: GPL-3.0-or-later
 * fact_named.c - all entries of every A are below 1000: a fact that has the name of an equation, so that nothing seems left
 * out.
 * Stays below proved, for what it asks: the derivation leaves out `what symbols do not see` */
#include "tests/false/false.h"
static void below(trial *t, bool small_one)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", t->sh.d, t->sh.d, 0), *B = mat_draw(s, "B", t->sh.d, t->sh.d, 0);
    const mat *bound = mat_scale_entries(s, 1000, 0, mat_ones(s, t->sh.d, t->sh.d));
    const mat *BA = small_one ? mat_mul(s, B, A) : mat_add(s, B, A);
    claim_reduced(t, 1, (const mat **[]){ &BA });
    claim_equal(t, "A < 1000", mat_add(s, A, mat_add(s, B, bound)), mat_add(s, BA, bound));
    claim_decided(t, "A < 1000", mat_positive(mat_sub(s, mat_scale_entries(s, 1000, 0, mat_ones(s, t->sh.d, t->sh.d)), A)) != REFUTED);
}
static void large(trial *t) { below(t, false); }
static void least(trial *t) { below(t, true); }
FALSE_IDENTITY("F-ZZ-FACT", "all entries are below 1000", small, .run = large, .no_minimal = true,
               .statement = "$A_{ij} < 1000$ for all $A$", BROKEN_BY("least", least, "another bound"))
