/* recorded_verdict.c - what recorded results say about the claims that only runs can decide: see results.h.
 *
 * Strict on purpose: whatever is missing, unresolved, against the papers or of other options than the preset's leaves
 * the claim PENDING, with words. */
#include <stdlib.h>
#include <string.h>
#include "src/experiments/figures.h"
#include "src/experiments/paper_tables.h"
#include "src/experiments/tuning.h"

/* `id` is one of the part's claims. */
static bool about(const experiment *e, const char *id)
{
    const size_t n = strlen(id);
    for (const char *p = e->claim ? e->claim : ""; *p; p += strspn(p, " ")) {
        const size_t word = strcspn(p, " ");
        if (word == n && strncmp(p, id, n) == 0) return true;
        p += word;
    }
    return false;
}

/* Lines of a part, pointing into `all`. */
static results lines_of(const results *all, const preset *p, const experiment *e)
{
    results mine = { must_calloc((size_t)all->n + 1, sizeof *mine.at), 0 };
    for (long k = 0; k < all->n; k++)
        if (result_is(&all->at[k], R_PRESET, p->name) && result_is(&all->at[k], R_PART, e->name))
            mine.at[mine.n++] = all->at[k];
    return mine;
}

/* ---- the command of a line ------------------------------------------------------------------------------ */

/* Options that leave the model, its text and its steps as they are. */
static const char *const harmless[] = { "--backend", "--attn", "--pad", "--micro", "--chunk", "--losses",
                                        "--save-every" };

static bool is_harmless(const char *word)
{
    const size_t name = strcspn(word, "= ");
    for (size_t k = 0; k < COUNT(harmless); k++)
        if (strlen(harmless[k]) == name && strncmp(word, harmless[k], name) == 0) return true;
    return false;
}

/* If *text begins with the words of `must`, moves past them. */
static bool begins_with(const char **text, const char *must)
{
    for (must += strspn(must, " "); *must; must += strspn(must, " ")) {
        const size_t n = strcspn(must, " ");
        *text += strspn(*text, " ");
        if (strcspn(*text, " ") != n || strncmp(*text, must, n) != 0) return false;
        *text += n;
        must += n;
    }
    return true;
}

/* The row was run as the preset says: its options, with those that the recorded tuning in `all` gives, its data, its
 * first seed, and nothing that changes them. */
static bool own_command(const results *all, const experiment *e, long row, const char *text)
{
    char *tuned = tuning_options(e, row, all);
    if (!tuned) return false;
    char *options = experiment_options(e, row, tuned, "DATA");
    char *order = e->order ? must_format(" --data-seed=%ld", e->order) : must_strdup("");
    char *must = must_format("provably %s %s --seed=%ld%s", e->command, options, e->seed, order);
    bool own = begins_with(&text, must);
    for (text += strspn(text, " "); own && *text; text += strspn(text, " ")) {
        own = is_harmless(text);
        text += strcspn(text, " ");
    }
    free(tuned);
    free(options);
    free(order);
    free(must);
    return own;
}

/* ---- claims ---------------------------------------------------------------------------------------------- */

static bool line_shown(const results *all, const experiment *e, figures_place at, outcome is, const result *r)
{
    if (at.kind == COMPARISON && e->plan[at.plan].claim) return true;             /* of another claim */
    const bool agrees = is == OUTCOME_AGREES || (is == OUTCOME_NONE && result_is(r, R_PAPER, ""));
    if (at.kind == RUN) return agrees && own_command(all, e, at.row, r->cell[R_COMMAND]);
    return is == (at.kind == COMPARISON ? OUTCOME_AS_PRINTED : e->eliminates ? OUTCOME_HOLDS : OUTCOME_ACCEPTED);
}

/* Every line follows from its values and speaks for the papers, and at least one is compared with a printed figure. */
static bool full_agrees(const results *all, const results *mine, const preset *p, const experiment *e)
{
    char *wrong;
    long at, decide = 0;
    outcome *is = results_part_outcomes(p, e, mine->at, mine->n, &at, &wrong);
    bool shown = is && strtol(mine->at[0].cell[R_N], NULL, 10) >= LEAST_SEEDS;
    for (long k = 0; shown && k < mine->n; k++) {
        decide += is[k] != OUTCOME_NONE;
        shown = line_shown(all, e, figures_line_place(e, k), is[k], &mine->at[k]);
    }
    free(is);
    free(wrong);
    return shown && decide > 0;
}

/* The part of the record follows from its values, and its row was run as its preset says. */
static bool believed(const results *all, const record *r)
{
    results mine = lines_of(all, r->p, r->e);
    char *wrong;
    long at;
    outcome *is = results_part_outcomes(r->p, r->e, mine.at, mine.n, &at, &wrong);
    const bool good = is && own_command(all, r->e, r->at.row, r->line->cell[R_COMMAND]);
    free(is);
    free(wrong);
    free(mine.at);
    return good;
}

/* Every printed row has a run of the printed model, as long as printed or for a stated length. */
static bool all_rows_stated(const results *all, const paper_table *t)
{
    printed_row *row;
    const long rows = paper_table_rows(t, &row);
    bool every = rows > 0;
    for (long k = 0; every && k < rows; k++) {
        record *r;
        const long n = printed_row_records(all, &row[k], 0, &r);
        every = false;
        for (long i = 0; !every && i < n; i++) every = record_stated(&r[i]) && believed(all, &r[i]);
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
            if (!about(e, id)) continue;
            results mine = lines_of(all, p, e);
            recorded |= mine.n > 0;
            full += e->full;
            full_shown += e->full && full_agrees(all, &mine, p, e);
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
            if (!p->part[k].full || !about(&p->part[k], id)) continue;
            text_add(&all, "%sprovably reproduce %s", all.length ? "; " : "", p->name);
        }
    return all.at;
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
static void add_part_words(const results *all, const preset *p, const experiment *e, text_buffer *text)
{
    results mine = lines_of(all, p, e);
    bool first = true;
    for (long k = 0; k < mine.n && k < figures_lines(e); k++) {
        const result *r = &mine.at[k];
        const figures_place at = figures_line_place(e, k);
        if (e->plans ? at.kind != COMPARISON : at.kind != RUN || at.metric != 0) continue;
        if (results_made_up(r->cell[R_COMMAND]) || !record_seeds(r)) continue;
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
    const paper_table *t = paper_table_of(id);
    char *counted = t ? paper_table_words(all, t) : must_strdup("");
    text_add(&text, "%s", counted);
    free(counted);
    for (const preset *p = presets; p->name; p++)
        for (long k = 0; k < p->parts; k++)
            if (about(&p->part[k], id)) add_part_words(all, p, &p->part[k], &text);
    return text_take(&text);
}
