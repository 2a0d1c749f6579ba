/* SPDX-License-Identifier: GPL-3.0-or-later
 * design.c - see design.h. */
#include <string.h>
#include "src/methods/counts/design.h"

void design_add(design *D, unsigned changed)
{
    REQUIRE(D->n < MAX_DESIGN_RUNS, "more than %d runs", MAX_DESIGN_RUNS);
    D->run[D->n++] = changed;
}

design design_of_table(const char *table)
{
    design D = { .n = 0 };
    for (size_t k = 0; k < printed_gpt_runs_count; k++) {
        const printed_gpt_run *r = &printed_gpt_runs[k];
        if (strcmp(r->table, table) != 0) continue;
        design_add(&D, (r->no_query ? CHANGE_NO_QUERY : 0) | (r->other_scale ? CHANGE_SCALE : 0)
                       | (r->lower_decay ? CHANGE_DECAY : 0) | (r->higher_rate ? CHANGE_RATE : 0));
    }
    REQUIRE(D.n > 0, "no runs of %s", table);
    return D;
}

long design_count(const design *D, unsigned among, unsigned made)
{
    long n = 0;
    for (long k = 0; k < D->n; k++) n += (D->run[k] & among) == made;
    return n;
}

const mat *design_matrix(scope *s, const design *D, unsigned of)
{
    long entries[MAX_DESIGN_RUNS * 5], cols = 0;
    for (long k = 0; k < D->n; k++) {
        const long from = cols;
        entries[cols++] = 1;
        for (unsigned c = CHANGE_NO_QUERY; c <= CHANGE_RATE; c <<= 1)
            if (of & c) entries[cols++] = (D->run[k] & c) != 0;
        REQUIRE(cols - from <= 5, "%ld columns", cols - from);
    }
    return mat_from_si(s, D->n, cols / D->n, entries);
}
