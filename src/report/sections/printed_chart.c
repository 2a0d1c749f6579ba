/* SPDX-License-Identifier: GPL-3.0-or-later
 * printed_chart.c - numbers as printed beside the same numbers recounted, as a dot plot of their quotients. */
#include <math.h>
#include <string.h>
#include "src/methods/counts/recount.h"
#include "src/report/sections/sections.h"

/* Values that agree share the first row; of those that do not each claim has one.  A bound, a value of ours, and one
 * that is not positive have no quotient. */
chart chart_recounted(void)
{
    chart c = { .title = "Printed against recomputed numbers", .x_label = "log2 of printed / recomputed",
                .layout = CHART_INTERVALS };
    long agree = 0;
    for (size_t k = 0; k < printed_count(); k++) {
        recounted r = recount(printed_at(k), printed_at(k)->formula);
        const double printed = mpq_get_d(r.printed.value), value = mpq_get_d(r.value);
        if (!r.printed.relation[0] && strcmp(r.row->where, "ours") != 0 && printed > 0 && value > 0) {
            const char *name = r.agrees ? "agree" : r.row->claim;
            agree += r.agrees;
            chart_series *s = chart_add_series(&c, r.agrees ? OF_CLAIM : OF_CONTROL, name);
            chart_add_point(s, log2(printed / value), 0);
        }
        recount_clear(&r);
    }
    for (long k = 0; k < c.n; k++) {
        chart_series *s = &c.at[k];
        if (s->kind == OF_CLAIM) snprintf(s->name, sizeof s->name, "%ld that agree to the printed digit", agree);
        for (long i = 0; i < s->n; i++) s->y[i] = (double)k + 1;
    }
    return c;
}
