/* experiments.c - recorded runs: the papers' figures beside ours, and what they say about the claims that only runs
 * can decide.  Everything comes from reports/results/; no sentence here repeats a recorded figure. */
#include <stdlib.h>
#include <string.h>
#include "src/experiments/commands.h"
#include "src/report/sections/sections.h"

static const char NOTHING[] = "No run is recorded yet: `make reproduce` takes about ten minutes on two cores, "
    "`provably reproduce --list` shows the papers' own tables.";
static const char METHOD[] = "Each figure is the mean over its seeds with a 95 % interval; where the error over test "
    "images or validation windows is known, the interval contains it once, since all seeds share it.  Variants see the "
    "same data in the same order for each seed, and are compared by the differences seed by seed.  Which comparisons "
    "are made was fixed before the runs; with fewer than three seeds none is judged.  p-values are corrected by Holm's "
    "method; equality is decided by two one-sided tests at 5 %, that is by the 90 % interval.  A smaller model than "
    "the papers' speaks for its own size only.";

/* Lines from k on that are of one part of one preset. */
static long group_length(const results *all, long k)
{
    long n = 1;
    while (k + n < all->n && result_is(&all->at[k + n], R_PRESET, all->at[k].cell[R_PRESET])
           && result_is(&all->at[k + n], R_PART, all->at[k].cell[R_PART])) n++;
    return n;
}

static const experiment *part_of(const result *r)          /* NULL: no preset has it                   */
{
    const preset *p = preset_find(r->cell[R_PRESET]);
    return p ? preset_part(p, r->cell[R_PART]) : NULL;
}

static const char *title_of(const result *r)
{
    const experiment *e = part_of(r);
    return e ? e->title : r->cell[R_PART];
}

static const char *limits_of(const result *r)
{
    const experiment *e = part_of(r);
    return e && e->cannot ? e->cannot : "";
}

/* "preset quick, results/quick.csv; scale d = 128; seeds 1337 to 1339; 1300 steps, ...", to be freed */
static char *source_of(const result *r)
{
    const char *const *c = (const char *const *)r->cell;
    return must_format("Preset %s, results/%s.csv; scale: %s; seeds %s; %s steps, %s %s a run; %s; %s, commit "
                       "%s%s%s.", c[R_PRESET], c[R_PRESET], c[R_SCALE], c[R_SEEDS], c[R_STEPS], c[R_UNITS], c[R_UNIT],
                       c[R_HARDWARE], c[R_DATE], c[R_COMMIT], *c[R_DATA] ? "; data " : "", c[R_DATA]);
}

static void add_claim(doc_block *terms, const evidence_set *all, const claim_record *c)
{
    const paper_table *of = paper_table_of(c->id);
    char *words = results_claim_words(&all->results, c->id), *command = results_claim_command(c->id);
    char *missing = of ? paper_table_price_words(&all->results, of, all->kinds) : must_strdup("");
    doc_item *item = doc_add_item(terms, NULL);
    doc_line *to = &item->text;
    item->name = true;
    line_add(&item->term, SPAN_TEXT, c->id);
    section_add_verdict(to, all, c->v.as_stated);
    line_add(to, SPAN_TEXT, " ");
    line_open(to, STYLE_SOFT);
    line_add(to, SPAN_TEXT, words);
    line_format(to, SPAN_TEXT, "%s", *words ? ". " : "");
    if (*missing && c->v.as_stated == V_PENDING) line_add(to, SPAN_TEXT, "Pending: ");
    if (*missing) line_add(to, SPAN_TEXT, missing);
    else line_format(to, SPAN_TEXT, "Run by `%s`", command);
    line_close(to, STYLE_SOFT);
    free(words);
    free(command);
    free(missing);
}

static const doc_column run_columns[] = {
    { .title = "row", .mm = 32 }, { .title = "figure", .mm = 36, .once = true },
    { .title = "paper", .kind = COLUMN_NUMBER, .mm = 17 },
    { .title = "ours, 95\\,\\% interval", .kind = COLUMN_NUMBER, .mm = 38 },
    { .title = "seeds", .kind = COLUMN_NUMBER }, { .title = "", .mm = 30 } };

static void add_group(document *d, const results *all, long from, long n)
{
    char *source = source_of(&all->at[from]);
    line_add(&doc_heading(d, 0, 2, NULL, NULL)->text, SPAN_TEXT, title_of(&all->at[from]));
    doc_block *note = doc_paragraph(d, 0, NULL);
    note->soft = true;
    line_add(&note->text, SPAN_TEXT, source);
    line_add(&note->text, SPAN_TEXT, " ");
    line_add(&note->text, SPAN_TEXT, limits_of(&all->at[from]));
    doc_table *t = doc_add_table(d, 0, TABLE_SCROLLS, run_columns, COUNT(run_columns));
    t->size = "\\footnotesize";
    t->fold = "All figures of these runs";
    for (long k = from; k < from + n; k++) {
        char *value = result_interval_text(&all->at[k]);
        char *const *c = all->at[k].cell;
        const bool made_up = command_made_up(all->at[k].cell[R_COMMAND]);    /* never beside a paper's figure */
        const char *const words[] = { c[R_ROW], c[R_METRIC], made_up ? "" : c[R_PAPER], value, c[R_N],
                                      made_up && !*c[R_VERDICT] ? "made-up data" : c[R_VERDICT] };
        table_row(t)->title = must_strdup(c[R_COMMAND]);
        table_texts(t, words, COUNT(words));
        free(value);
    }
    free(source);
}

void section_experiments(document *d, const evidence_set *all)
{
    doc_section(d, TO_HTML, "experiments", "Experiments", "Experiments");
    line_add(&doc_paragraph(d, 0, NULL)->text, SPAN_TEXT, all->results.n ? METHOD : NOTHING);
    doc_block *terms = doc_add(d, BLOCK_TERMS, 0);
    for (long k = 0; k < all->n; k++) if (record_needs_runs(&all->at[k])) add_claim(terms, all, &all->at[k]);
    for (long k = 0, n; k < all->results.n; k += n) {
        n = group_length(&all->results, k);
        add_group(d, &all->results, k, n);
    }
    section_add_gaps(d, all);
    section_add_reductions(d, all);
}
