/* SPDX-License-Identifier: GPL-3.0-or-later
 * bearing.c - see bearing.h. */
#include "src/report/collect/bearing.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/admitted.h"
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/experiments/statistics.h"

static const char header[] = "claim,metric,first,second,says";
enum { CLAIM, METRIC, FIRST, SECOND, SAYS };

/* PRESET/PART/ROW? */
static bool is_run_name(const char *name)
{
    const char *part = strchr(name, '/'), *row = part ? strchr(part + 1, '/') : NULL;
    return row && part > name && row > part + 1 && row[1] && !strchr(row + 1, '/');
}

bearings bearings_read(const char *path)
{
    bearings all = { 0 };
    FILE *f = file_open(path);
    if (!f && errno == ENOENT) return all;
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    csv_file c = csv_from(f, path, header, "correct the line");
    while (csv_next(&c)) {
        bearing b = { .claim = "" };
        csv_name(&c, CLAIM, b.claim, sizeof b.claim);
        csv_text(&c, METRIC, b.metric, sizeof b.metric);
        csv_text(&c, FIRST, b.first, sizeof b.first);
        csv_text(&c, SECOND, b.second, sizeof b.second);
        csv_text(&c, SAYS, b.says, sizeof b.says);
        if (!is_run_name(b.first) || (b.second[0] && !is_run_name(b.second))) csv_wrong(&c, "a run is PRESET/PART/ROW");
        if (!b.metric[0] || !b.says[0]) csv_wrong(&c, "the metric, or what is compared, is missing");
        all.at = must_realloc(all.at, (size_t)all.n + 1, sizeof *all.at);
        all.at[all.n++] = b;
    }
    csv_close(&c);
    return all;
}

void bearings_free(bearings *all)
{
    free(all->at);
    *all = (bearings){ 0 };
}

const result *bearing_run(const results *all, const char *name, const char *of)
{
    for (const result *r = all->at; r < all->at + all->n; r++) {
        char *own = must_format("%s/%s/%s", r->cell[R_PRESET], r->cell[R_PART], r->cell[R_ROW]);
        const bool is = strcmp(own, name) == 0 && result_is(r, R_KIND, "run") && result_is(r, R_METRIC, of);
        free(own);
        if (is) return r->cell[R_VALUES][0] ? r : NULL;
    }
    return NULL;
}

enum { SEEDS_MOST = 64 };
static long values_of(const result *r, double *to)
{
    long n = 0;
    char *end;
    for (const char *at = r->cell[R_VALUES]; n < SEEDS_MOST; at = end, n++) {
        to[n] = strtod(at, &end);
        if (end == at) break;
    }
    return n;
}

char *bearing_words(const results *all, const bearing *b)
{
    enum { INTERVAL_SEEDS = 3 };
    double x[SEEDS_MOST], y[SEEDS_MOST];
    const result *first = bearing_run(all, b->first, b->metric),
                 *second = b->second[0] ? bearing_run(all, b->second, b->metric) : NULL;
    if (!first || (b->second[0] && !second)) return NULL;
    const long n = values_of(first, x);
    /* Differences are those of the same seeds. */
    if (second && (values_of(second, y) != n || strcmp(first->cell[R_SEEDS], second->cell[R_SEEDS]) != 0)) return NULL;
    for (long k = 0; k < n && second; k++) x[k] -= y[k];
    if (n < 1) return NULL;
    if (n < INTERVAL_SEEDS)
        return must_format("%s: %.4f, %ld seed%s, no interval", b->says, stats_mean(x, n), n, n == 1 ? "" : "s");
    const stats_interval i = stats_mean_interval(x, n, 0.95);
    return must_format("%s: %.4f [%.4f, %.4f], %ld seeds", b->says, i.mean, i.low, i.high, n);
}
