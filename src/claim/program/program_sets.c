/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_sets.c - what the functions of a part set in a shape, value by value, for `--describe`: see program.h.
 *
 * `prepare` sets the switches that the hypotheses ask for, and the `reshape` of a table those of the reduced model.
 * Both are code; what they do is found by comparing the part's first shape before and after. */
#include <stdlib.h>
#include "src/base/text.h"
#include "src/claim/induction.h"
#include "src/claim/program/program.h"
#include "src/model/shape_keys.h"

/* "norm=none; mlp_skip=0": every value in which `after` differs; to be freed. */
static char *differences(const shape *before, const shape *after)
{
    text_buffer all = { 0 };
    for (long k = 0; k < shape_keys(); k++) {
        if (shape_key_get(before, k) == shape_key_get(after, k)) continue;
        char *one = shape_key_text(after, k);
        text_add(&all, "%s%s", all.length ? "; " : "", one);
        free(one);
    }
    return text_take(&all);
}

/* The plan's first shape without the hypotheses of the part, complete where that is possible. */
static shape plain(const part *P)
{
    shape sh = program_plain_shape(P);
    return shape_complete(&sh) ? program_plain_shape(P) : sh;
}

static shape prepared(const part *P)
{
    shape sh = plain(P);
    void (*prepare)(shape *) = P->prepare ? P->prepare : program.C->prepare;
    if (prepare) prepare(&sh);
    return sh;
}

char *program_prepares(const part *P)
{
    const shape before = plain(P), after = prepared(P);
    return differences(&before, &after);
}

char *program_reshapes(const part *P)
{
    const shape before = prepared(P);
    shape after = before;
    if (P->induction && P->induction->reshape) P->induction->reshape(&after);
    return differences(&before, &after);
}
