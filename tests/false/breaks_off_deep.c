/* SPDX-License-Identifier: GPL-3.0-or-later
 * breaks_off_deep.c - the first two layers are all of them: where there are more, or one, the body breaks off.
 * Caught by the number of layers that it takes: L = 2 */
#include "tests/false/false.h"
static void layers(trial *t, bool swapped)
{
    scope *s = &t->s;
    const mat *A[MAX_LAYERS], *first, *second;
    for (long i = 0; i < t->sh.L; i++) A[i] = mat_draw_at(s, "A", i, -1, t->sh.d, t->sh.d, 0);
    first = mat_t(s, A[0]);
    second = t->sh.L > 1 ? mat_t(s, A[1]) : first;
    claim_reduced(t, 2, (const mat **[]){ &first, &second });
    claim_equal(t, "layers", mat_t(s, mat_hcat(s, t->sh.L, A)),
                mat_vcat(s, 2, (const mat *const[]){ swapped ? second : first, swapped ? first : second }));
}
static void all_layers(trial *t) { layers(t, false); }
static void exchanged(trial *t)  { layers(t, true); }
FALSE_IDENTITY("F-BREAKS-DEEP", "a body that breaks off at other depths", small, .run = all_layers,
               .statement = "$(A_1 | .. | A_L)^\\top$ is $A_1^\\top$ above $A_2^\\top$",
               BROKEN_BY("exchanged", exchanged, "the layers change places"))
