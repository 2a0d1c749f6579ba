/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner_arb.c - balls: the precision doubles while the answer is open; a stream is run once. */
#include "src/claim/runner/runner_trial.h"

enum { MOST_BITS = 4096 };

void runner_arb(const job *j, const shape *sh, row *r)
{
    long bits = j->over.bits ? j->over.bits : 256;
    for (;; bits *= 2) {
        arith R = arith_arb(bits);
        trial t = runner_body(j, &R, sh);
        runner_conclude(r, &t);
        runner_trial_free(&t);
        if (r->verdict != UNDECIDED || 2 * bits > MOST_BITS || r->skipped || j->stream) break;
        r->note = intern("");
    }
    if (r->verdict == UNDECIDED && !r->note[0]) r->note = cell_keep(reason_text(REASON_TOO_WIDE));
    runner_param(r, "%ld bits", bits);
}
