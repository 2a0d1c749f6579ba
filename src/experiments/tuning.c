/* SPDX-License-Identifier: GPL-3.0-or-later
 * tuning.c - see tuning.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/tuning.h"

static const experiment *tuner_of(const experiment *e)
{
    const preset *p = preset_find(e->tuned_by);
    REQUIRE(p && p->parts == 1 && p->part[0].axes > 0, "%s is no preset with a grid", e->tuned_by);
    return &p->part[0];
}

/* The first combination of the row of the grid from which row k of e takes its options. */
static long first_combination(const experiment *e, long k)
{
    const char *name = e->tuned_row ? e->tuned_row : experiment_row(e, k)->name;
    const long row = experiment_row_named(tuner_of(e), name);
    REQUIRE(row >= 0, "%s does not tune %s", e->tuned_by, name);
    return row;
}

/* All options of a combination, or the one that e takes. */
static char *options_of(const experiment *e, long combination)
{
    char *all = experiment_combination(tuner_of(e), combination), *mine;
    if (!e->tuned_axis) return all;
    char *option = must_format(" --%s=", e->tuned_axis);
    const char *at = strstr(all, option);
    REQUIRE(at, "%s does not tune --%s", e->tuned_by, e->tuned_axis);
    mine = must_format(" %.*s", (int)strcspn(at + 1, " "), at + 1);
    free(option);
    free(all);
    return mine;
}

/* The recorded figure of a combination; false: it has not been run. */
static bool figure_of(const experiment *tuner, const char *tuned_by, long combination, const results *all, double *x)
{
    char *name = experiment_name(tuner, combination);
    bool found = false;
    for (long k = 0; k < all->n && !found; k++) {
        const result *r = &all->at[k];
        if (!result_is(r, R_PRESET, tuned_by) || !result_is(r, R_KIND, "run") || !result_is(r, R_ROW, name)
            || !result_is(r, R_METRIC, tuner->shown[0].shown)) continue;
        found = r->seeds >= experiment_row_seeds(tuner, combination);
        *x = *r->cell[R_MEAN] ? strtod(r->cell[R_MEAN], NULL) : INFINITY;
        if (!isfinite(*x)) *x = INFINITY;
    }
    free(name);
    return found;
}

/* The combination with the lowest finite figure; -1: none has one, and *complete says whether all have run. */
static long best_combination(const experiment *e, long k, const results *all, bool *complete)
{
    const experiment *tuner = tuner_of(e);
    const long first = first_combination(e, k), each = experiment_rows(tuner) / tuner->rows;
    double least = INFINITY;
    long best = -1;
    *complete = false;
    for (long i = first; i < first + each; i++) {
        double x;
        if (!figure_of(tuner, e->tuned_by, i, all, &x)) return -1;
        if (x < least) { least = x; best = i; }
    }
    *complete = true;
    return best;
}

char *tuning_options(const experiment *e, long k, const results *all)
{
    if (!e->tuned_by) return must_strdup("");
    bool complete;
    const long best = best_combination(e, k, all, &complete);
    return best < 0 ? NULL : options_of(e, best);
}

bool tuning_all_diverged(const experiment *e, long k, const results *all)
{
    bool complete = false;
    return e->tuned_by && best_combination(e, k, all, &complete) < 0 && complete;
}

char *tuning_placeholder(const experiment *e, long k)
{
    return e->tuned_by ? options_of(e, first_combination(e, k)) : must_strdup("");
}

char *tuning_wrong(const experiment *e, long k, const results *all, const char *command)
{
    char *tuned = tuning_options(e, k, all), *rest = NULL, *wrong = NULL;
    if (!tuned && tuning_all_diverged(e, k, all))
        return must_format("is tuned by %s, in which every combination of its grid diverged", e->tuned_by);
    if (!tuned) return must_format("is tuned by %s, of which nothing complete is recorded", e->tuned_by);
    for (char *word = strtok_r(tuned, " ", &rest); word && !wrong; word = strtok_r(NULL, " ", &rest)) {
        const size_t name = strcspn(word, "=") + 1, n = strlen(word);
        long same = 0, other = 0;
        for (const char *at = strchr(command, ' '); at; at = strchr(at + 1, ' '))
            if (strncmp(at + 1, word, name) == 0) {
                if (strcspn(at + 1, " ") == n && strncmp(at + 1, word, n) == 0) same++;
                else other++;
            }
        if (same != 1 || other) wrong = must_format("its command does not have %s, which %s chose", word, e->tuned_by);
    }
    free(tuned);
    return wrong;
}
