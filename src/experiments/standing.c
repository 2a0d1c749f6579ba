/* standing.c - what recorded results say about the claims that only runs can decide: see results.h.
 *
 * Strict on purpose: whatever is missing, unresolved or against the papers leaves the claim PENDING, with words. */
#include <stdlib.h>
#include <string.h>
#include "src/experiments/results.h"

static bool about(const experiment *e, const char *id)
{
    const result r = { { [R_CLAIM] = (char *)(uintptr_t)(e->claim ? e->claim : "") } };
    return result_names_claim(&r, id);
}

/* Lines of a part that are good (or all of them, with verdict NULL). */
static long lines(const results *all, const preset *p, const experiment *e, const char *kind, const char *verdict)
{
    long n = 0;
    for (long k = 0; k < all->n; k++) {
        const result *r = &all->at[k];
        const bool mine = result_is(r, R_PRESET, p->name) && result_is(r, R_PART, e->name)
                       && result_is(r, R_KIND, kind);
        n += mine && (!verdict || strncmp(r->cell[R_VERDICT], verdict, strlen(verdict)) == 0);
    }
    return n;
}

/* Figures that the paper prints for a part. */
static long printed(const experiment *e)
{
    long n = 0;
    for (long k = 0; k < e->rows; k++)
        for (long m = 0; m < FIGURES && e->shown[m].name; m++) n += experiment_paper(e, &e->row[k], m) != NULL;
    return n;
}

static bool full_agrees(const results *all, const preset *p, const experiment *e)
{
    return lines(all, p, e, "run", "agrees") >= printed(e) && lines(all, p, e, "run", "differs") == 0
        && lines(all, p, e, "comparison", "as printed") >= e->plans;
}

static bool scaled_agrees(const results *all, const preset *p, const experiment *e)
{
    return e->plans > 0 && lines(all, p, e, "comparison", "as printed") == e->plans
        && lines(all, p, e, "comparison", NULL) == e->plans;
}

standing results_standing(const results *all, const char *id)
{
    long full = 0, full_shown = 0;
    bool recorded = false, scaled = false;
    for (const preset *p = presets; p->name; p++)
        for (long k = 0; k < p->parts; k++) {
            const experiment *e = &p->part[k];
            if (!about(e, id)) continue;
            recorded |= lines(all, p, e, "run", NULL) > 0;
            full += e->full;
            full_shown += e->full && full_agrees(all, p, e);
            scaled |= e->all_rows && scaled_agrees(all, p, e);
        }
    if (full && full_shown == full) return SHOWN_FULL;
    return scaled ? SHOWN_SCALED : recorded ? RECORDED : UNRECORDED;
}

char *claim_command(const char *id)
{
    char *all = NULL;
    for (const preset *p = presets; p->name; p++)
        for (long k = 0; k < p->parts; k++) {
            if (!p->part[k].full || !about(&p->part[k], id)) continue;
            char *longer = must_format("%s%sprovably reproduce %s", all ? all : "", all ? "; " : "", p->name);
            free(all);
            all = longer;
        }
    return all;
}

/* "reduced - baseline = 0.031 [0.012, 0.050], n = 3: the opposite order" */
static char *one_figure(const result *r)
{
    const bool interval = strtol(r->cell[R_N], NULL, 10) > 1;
    return must_format("%s%s%s = %s%s%s%s%s%s, n = %s%s%s", r->cell[R_ROW], *r->cell[R_METRIC] ? ", " : "",
                       r->cell[R_METRIC], r->cell[R_MEAN], interval ? " [" : "", interval ? r->cell[R_LOW] : "",
                       interval ? ", " : "", interval ? r->cell[R_HIGH] : "", interval ? "]" : "", r->cell[R_N],
                       *r->cell[R_VERDICT] ? ": " : "", r->cell[R_VERDICT]);
}

/* Comparisons say more than losses of another scale; without any, the first metric of each row. */
static char *part_words(const results *all, const preset *p, const experiment *e, char *text)
{
    const bool compared = lines(all, p, e, "comparison", NULL) > 0;
    bool first = true;
    for (long k = 0; k < all->n; k++) {
        const result *r = &all->at[k];
        if (!result_is(r, R_PRESET, p->name) || !result_is(r, R_PART, e->name)) continue;
        if (!result_is(r, R_KIND, compared ? "comparison" : "run")) continue;
        if (!compared && !result_is(r, R_METRIC, e->shown[0].shown)) continue;
        char *figure = one_figure(r);
        char *longer = first ? must_format("%s%s%s recorded by `%s` (%s, %s): %s", text, *text ? ". " : "",
                                           e->full ? "At full scale," : "Scaled, not the papers' size:", p->name,
                                           r->cell[R_SCALE], r->cell[R_HARDWARE], figure)
                             : must_format("%s; %s", text, figure);
        free(figure);
        free(text);
        text = longer;
        first = false;
    }
    return text;
}

char *claim_words(const results *all, const char *id)
{
    char *text = must_strdup("");
    for (const preset *p = presets; p->name; p++)
        for (long k = 0; k < p->parts; k++)
            if (about(&p->part[k], id)) text = part_words(all, p, &p->part[k], text);
    return text;
}
