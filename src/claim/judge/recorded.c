/* SPDX-License-Identifier: GPL-3.0-or-later
 * recorded.c - the verdict of a claim that only recorded runs decide: see verdict.h. */
#include <math.h>
#include "src/claim/judge/judge.h"

void judge_recorded(claim_verdict *c, recorded_standing runs)
{
    REQUIRE(c->parts == 0, "%s has %ld parts", c->id, c->parts);
    if (runs != RECORDED_AGREE && runs != RECORDED_STATED) return;      /* PENDING stays */
    part_verdict p = { .is = V_MEASURED, .kind = PART_MEASURED, .trained = true, .by = E_MEASURED, .log2 = -INFINITY,
                       .smallest_control = INFINITY, .assumes = hypotheses_of("") };
    cell_copy(p.name, sizeof p.name, "runs");
    cell_copy(p.basis, sizeof p.basis, runs == RECORDED_AGREE ? "recorded runs at full scale"
                                                      : "recorded runs at the stated sizes, not all as printed");
    c->as_stated = V_NONE;
    judge_add_part(c, &p);
}
