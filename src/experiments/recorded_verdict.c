/* SPDX-License-Identifier: GPL-3.0-or-later
 * recorded_verdict.c - what recorded results say about the claims that only runs can decide: see results.h.
 *
 * Strict on purpose: what is missing, has no interval, lacks planned seeds or was run with other options than the
 * preset's leaves the claim PENDING, with words.  Figures with intervals that do not agree with the papers are measured
 * all the same: the claim is MEASURED, and the words say which agree. */
#include <stdlib.h>
#include <string.h>
#include "src/experiments/commands.h"
#include "src/experiments/figures.h"
#include "src/experiments/paper_tables.h"

/* Lines of a part, pointing into `all`. */
static results lines_of(const results *all, const preset *p, const experiment *e)
{
    results mine = { must_calloc((size_t)all->n + 1, sizeof *mine.at), 0 };
    for (long k = 0; k < all->n; k++)
        if (result_is(&all->at[k], R_PRESET, p->name) && result_is(&all->at[k], R_PART, e->name))
            mine.at[mine.n++] = all->at[k];
    return mine;
}

/* ---- claims ---------------------------------------------------------------------------------------------- */

static bool line_shown(const experiment *e, figures_place at, outcome is, const result *r)
{
    if (at.kind == COMPARISON && e->plan[at.plan].claim) return true;             /* of another claim */
    if (at.kind == RUN) return is == OUTCOME_AGREES || (is == OUTCOME_NONE && result_is(r, R_PAPER, ""));
    return is == (at.kind == COMPARISON ? OUTCOME_AS_PRINTED : e->eliminates ? OUTCOME_HOLDS : OUTCOME_ACCEPTED);
}

/* Every line follows from its values and speaks for the papers, and at least one is compared with a printed figure. */
static bool full_agrees(const results *mine, const preset *p, const experiment *e)
{
    char *wrong;
    long at, decide = 0;
    outcome *is = results_part_outcomes(p, e, mine->at, mine->n, &at, &wrong);
    bool shown = is && mine->at[0].seeds >= LEAST_SEEDS;
    for (long k = 0; shown && k < mine->n; k++) {
        decide += is[k] != OUTCOME_NONE;
        shown = line_shown(e, figures_line_place(e, k), is[k], &mine->at[k]);
    }
    free(is);
    free(wrong);
    return shown && decide > 0;
}

/* The part of the record follows from its values. */
static bool believed(const results *all, const record *r)
{
    results mine = lines_of(all, r->p, r->e);
    char *wrong;
    long at;
    outcome *is = results_part_outcomes(r->p, r->e, mine.at, mine.n, &at, &wrong);
    const bool good = is != NULL;
    free(is);
    free(wrong);
    free(mine.at);
    return good;
}

/* Every printed row has runs of the printed model, as long as printed or for a stated length, with an interval. */
static bool all_rows_stated(const results *all, const paper_table *t)
{
    printed_row *row;
    const long rows = paper_table_rows(t, &row);
    bool every = rows > 0;
    for (long k = 0; every && k < rows; k++) {
        record *r;
        const long n = printed_row_records(all, &row[k], 0, &r);
        every = false;
        for (long i = 0; !every && i < n; i++)
            every = record_stated(&r[i]) && record_interval(&r[i]) && believed(all, &r[i]);
        free(r);
    }
    free(row);
    return every;
}

recorded_standing results_standing(const results *all, const char *id)
{
    long full = 0, full_shown = 0;
    bool recorded = false;
    for (const preset *p = presets; p->name; p++)
        for (long k = 0; k < p->parts; k++) {
            const experiment *e = &p->part[k];
            if (!claim_among(e->claim, id)) continue;
            results mine = lines_of(all, p, e);
            recorded |= mine.n > 0;
            full += e->full;
            full_shown += e->full && full_agrees(&mine, p, e);
            free(mine.at);
        }
    const paper_table *t = paper_table_of(id);
    if (full && full_shown == full) return RECORDED_AGREE;
    if (t && all_rows_stated(all, t)) return RECORDED_STATED;
    return recorded ? RECORDED_SOME : RECORDED_NONE;
}

char *results_claim_command(const char *id)
{
    text_buffer all = { 0 };
    for (const preset *p = presets; p->name; p++)
        for (long k = 0; k < p->parts; k++) {
            if (!p->part[k].full || !claim_among(p->part[k].claim, id)) continue;
            text_add(&all, "%sprovably reproduce %s%s", all.length ? "; " : "", p->name,
                     p->part[k].data ? " --data=DIR" : "");
        }
    return all.at;
}

/* "reduced - baseline = 0.031 [0.012, 0.050], n = 3: the opposite order" */
static char *one_figure(const result *r)
{
    const char *const *c = (const char *const *)r->cell;
    char *value = result_interval_text(r);
    char *text = must_format("%s%s%s = %s, n = %s%s%s%s", c[R_ROW], *c[R_METRIC] ? ", " : "", c[R_METRIC], value,
                             c[R_N], *c[R_LOW] ? "" : " (one run, no interval)", *c[R_VERDICT] ? ": " : "",
                             c[R_VERDICT]);
    free(value);
    return text;
}

/* Comparisons say more than losses of another scale; without any, the first metric of each row. */
static void add_part_words(const results *all, const preset *p, const experiment *e, text_buffer *text)
{
    results mine = lines_of(all, p, e);
    bool first = true;
    for (long k = 0; k < mine.n && k < figures_lines(e); k++) {
        const result *r = &mine.at[k];
        const figures_place at = figures_line_place(e, k);
        if (e->plans ? at.kind != COMPARISON : at.kind != RUN || at.metric != 0) continue;
        if (r->made_up || !r->seeds || r->is == OUTCOME_OTHER_OPTIONS) continue;
        char *figure = one_figure(r);
        if (first)
            text_add(text, "%s%s recorded by `%s` (%s, %s): %s", text->length ? ". " : "",
                     e->full ? "At full scale," : e->row[0].run ? "At the papers' size, not their length:"
                     : "Scaled, not the papers' size:", p->name, r->cell[R_SCALE],
                     r->cell[R_HARDWARE], figure);
        else
            text_add(text, "; %s", figure);
        free(figure);
        first = false;
    }
    free(mine.at);
}

char *results_claim_words(const results *all, const char *id)
{
    text_buffer text = { 0 };
    for (const preset *p = presets; p->name; p++)
        for (long k = 0; k < p->parts; k++)
            if (claim_among(p->part[k].claim, id)) add_part_words(all, p, &p->part[k], &text);
    return text_take(&text);
}
