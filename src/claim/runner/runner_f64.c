/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner_f64.c - doubles: a bound beside every entry, or figures with intervals of their own. */
#include <string.h>
#include "src/claim/check_figures.h"
#include "src/claim/evidence/evidence_figures.h"
#include "src/claim/runner/runner_trial.h"

enum { MOST_BITS = 512 };

/* The running error analysis; where its bound is too wide the same doubles with their errors enclosed by balls. */
void runner_f64(const job *j, const shape *sh, row *r)
{
    const row blank = *r;
    const long first = j->over.bits ? j->over.bits : 256, most = j->stream ? first : MOST_BITS;
    for (long bits = 0; bits <= most; bits = bits ? 2 * bits : first) {
        arith R = bits ? arith_f64_enclosed(bits) : arith_f64_bounded();
        trial t = runner_body(j, &R, sh);
        *r = blank;
        runner_conclude(r, &t);
        runner_trial_free(&t);
        arith_close(&R);
        if (bits) runner_param(r, "53 bits in arb:%ld", bits);
        else      runner_param(r, "53 bits");
        if (r->verdict != UNDECIDED || r->skipped) break;
    }
}

/* Figures of a measurement have intervals of their own, so their matrices carry no bounds. */
void runner_measure(const job *j, const shape *sh, row *r, FILE *figures)
{
    arith R = arith_f64();
    trial t = runner_body(j, &R, sh);
    runner_conclude(r, &t);
    for (long k = 0; figures && k < t.record.nreadings; k++) {
        const reading *is = &t.record.readings[k];
        const measured m = { .id = r->id, .part = r->part, .which = r->which, .shape = r->shape, .seed = j->seed,
                             .trial = j->trial, .name = cell_keep(is->what), .x = is->x, .value = is->is.value,
                             .low = is->is.low, .high = is->is.high, .predicted = is->predicted };
        evidence_figure_write(figures, &m);
    }
    runner_trial_free(&t);
}
