/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_minimal.c - the control `minimal`: one entry of one reduced matrix times 1 + 2^-40. */
#include <math.h>
#include "numerics/random.h"
#include "src/claim/check_record.h"

/* Does entry (i, j) matter?  Not where it is 0, or the rounding of one: far below the others.  Balls must be apart:
 * an entry like 0 +- 2^-200 moves, but may be 0. */
static bool entry_matters(scope *s, const mat *A, const mat *nudged, long i, long j)
{
    const mat *a = mat_cols(s, mat_rows(s, A, i, 1), j, 1), *b = mat_cols(s, mat_rows(s, nudged, i, 1), j, 1);
    const comparison moved = mat_compare_quietly(a, b, -INFINITY);
    const bool apart = s->R->traits & SYMBOLIC ? moved.log2gap > -INFINITY : moved.is == REFUTED;
    return apart && !(mat_log2max_quietly(a) < mat_log2max_quietly(A) - 40);
}

/* Other matrices for all of them: what is computed from them is then computed from something else. */
static void replace(trial *t, long n, const mat **const reduced[])
{
    const drawn_by whose = scope_draws(&t->s, DRAWN_BY_SUITE);
    for (long k = 0; k < n; k++)
        *reduced[k] = mat_draw_at(&t->s, "replaced", t->record.replaced++, -1, (*reduced[k])->rows,
                                  (*reduced[k])->cols, 0);
    t->s.draws = whose;
}

static void nudge(trial *t, long n, const mat **const reduced[])
{
    if (t->record.mode == TRIAL_REPLACES) replace(t, n, reduced);
    if (t->record.mode != TRIAL_MINIMAL || t->record.nudged) return;
    REQUIRE(n > 0, "%ld reduced matrices", n);
    uint64_t key[2];
    random_key_derive(key, t->s.key, "minimal");
    for (uint64_t attempt = 0; attempt < 64 && !t->record.nudged; attempt++) {
        const mat **A = reduced[random_below(key, 3 * attempt, (uint64_t)n)];
        const long i = (long)random_below(key, 3 * attempt + 1, (uint64_t)(*A)->rows);
        const long j = (long)random_below(key, 3 * attempt + 2, (uint64_t)(*A)->cols);
        const mat *nudged = mat_nudge(&t->s, *A, i, j);
        if (entry_matters(&t->s, *A, nudged, i, j)) {
            *A = nudged;
            t->record.nudged = true;
        }
    }
}

/* What was drawn is no reduction, and may be a weight of the original, too; models at other settings lack some. */
void claim_reduced(trial *t, long n, const mat **const reduced[])
{
    for (long k = 0; k < n && t->s.plan; k++)
        if (*reduced[k] && !(*reduced[k])->drawn) mat_mark(*reduced[k], MARK_REDUCED);
    nudge(t, n, reduced);
}

void check_replace_model(trial *t, model *R)
{
    const mat **all[4 + 5 * MAX_LAYERS + 3 * MAX_EXPERTS * MAX_LAYERS], **named[COUNT(all)];
    const long count = model_weights(R, all, COUNT(all));
    long n = 0;
    if (t->record.mode != TRIAL_REPLACES) return;
    for (long k = 0; k < count; k++) if (*all[k]) named[n++] = all[k];
    replace(t, n, named);
}

/* The weights of which every entry changes the logits: an untied embedding has rows no token uses, and
 * over q (ReLU) a neuron may be dead for all tokens. */
void check_nudge_model(trial *t, model *R)
{
    if (t->record.mode == TRIAL_REPLACES) {
        check_replace_model(t, R);
        return;
    }
    const mat **all[4 + 5 * MAX_LAYERS + 3 * MAX_EXPERTS * MAX_LAYERS], **named[COUNT(all)];
    const bool dead_neurons = t->s.R->traits & ORDERED && R->s.act == ACT_RELU;
    const long count = model_weights(R, all, COUNT(all));
    long n = 0;
    for (long k = 0; k < count; k++) {
        bool mlp_weight = false;
        for (long i = 0; i < R->s.L; i++)
            for (long e = 0; e < MAX_EXPERTS; e++) {
                const mlp *F = &R->at[i].expert[e];
                mlp_weight |= all[k] == &F->up || all[k] == &F->gate || all[k] == &F->down;
            }
        if ((all[k] == &R->E && R->head) || (dead_neurons && mlp_weight)) continue;
        named[n++] = all[k];
    }
    nudge(t, n, named);
}
