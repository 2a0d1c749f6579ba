/* SPDX-License-Identifier: GPL-3.0-or-later
 * experiments.c - recorded runs, preset by preset: the papers' figures and those of the runs.  Everything comes from
 * reports/results/; no sentence here repeats a recorded figure. */
#include <stdlib.h>
#include <string.h>
#include "src/experiments/commands.h"
#include "src/report/sections/sections.h"

static const char NOTHING[] = "No run is recorded yet: `make reproduce` takes about ten minutes on two cores, "
    "`provably reproduce --list` shows the papers' own tables.";
static const char METHOD[] = "Each figure is the mean over its seeds with a 95 % interval; where the error over test "
    "images is known, the interval contains it once, since all seeds share it, and with one seed it is of them alone; "
    "where it is not, the interval is of the seeds alone.  An interval of a figure that cannot be negative is cut at "
    "0, that of an accuracy also at 100 %.  Validation windows that are drawn from a text are drawn anew for each "
    "seed, so that the seeds' spread has their error; of runs that see all of the text, the interval of the loss says "
    "nothing about other texts.  Variants see the same data in the same order for each seed, and are "
    "compared by the differences seed by seed.  The comparisons are preregistered; with fewer than "
    "three seeds none is judged.  p-values of orders are corrected by Holm's method, over the orders of a part; "
    "equality is decided by two one-sided tests at 5 %, that is by the 90 % interval, each alone.  The name of "
    "a backend is followed by the kernels that OpenBLAS chose for the processor.  A smaller model than the "
    "papers' is evidence for its own size only.  What the runs say about the papers' claims is above, table by table; "
    "here is all that was recorded, preset by preset.";

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

/* The texts of one cell of n lines, each once: "A and B".  A cell of several seeds is such a list itself. */
static char *each_once(const result *line, long n, result_cell cell)
{
    static const char and[] = " and ";
    text_buffer all = { 0 };
    for (long k = 0; k < n; k++)
        for (const char *at = line[k].cell[cell]; *at; ) {
            const char *end = strstr(at, and);
            char *word = end ? must_format("%.*s", (int)(end - at), at) : must_strdup(at);
            bool said = false;
            for (const char *is = all.at; is && !said; is = strstr(is, and), is = is ? is + strlen(and) : NULL)
                said = strncmp(is, word, strlen(word)) == 0
                    && (!is[strlen(word)] || strncmp(is + strlen(word), and, strlen(and)) == 0);
            if (!said) text_add(&all, "%s%s", all.length ? and : "", word);
            free(word);
            at = end ? end + strlen(and) : at + strlen(at);
        }
    return text_take(&all);
}

/* Of n lines, the one with the most seeds. */
static const result *fullest(const result *line, long n)
{
    const result *best = line;
    for (long k = 1; k < n; k++) if (line[k].seeds > best->seeds) best = &line[k];
    return best;
}

/* "2026-11-24 to 2026-11-26" */
static char *days_of(const result *line, long n)
{
    const char *first = "", *last = "";
    for (long k = 0; k < n; k++) {
        const char *day = line[k].cell[R_DATE];
        if (!*day) continue;
        if (!*first || strcmp(day, first) < 0) first = day;
        if (strcmp(day, last) > 0) last = day;
    }
    return strcmp(first, last) == 0 ? must_strdup(first) : must_format("%s to %s", first, last);
}

/* "30 to 600", of a whole number that each of n lines has, to be freed. */
static char *range_of(const result *line, long n, result_cell cell)
{
    long least = strtol(line->cell[cell], NULL, 10), most = least;
    for (long k = 1; k < n; k++) {
        const long x = strtol(line[k].cell[cell], NULL, 10);
        if (x < least) least = x;
        if (x > most) most = x;
    }
    return least == most ? must_format("%ld", least) : must_format("%ld to %ld", least, most);
}

/* "Preset quick, results/quick.csv; scale: d = 128; seeds 1337 to 1339; 1300 steps, ...", to be freed; of all lines of
 * a part, since its rows may have run on different days and machines. */
static char *source_of(const result *line, long n, const char *folder)
{
    const result *most = fullest(line, n);
    const char *const *c = (const char *const *)most->cell;
    text_buffer text = { 0 };
    text_add(&text, "Preset %s, %s/%s.csv; scale: %s; ", c[R_PRESET], folder, c[R_PRESET], c[R_SCALE]);
    char *steps = range_of(line, n, R_STEPS), *units = range_of(line, n, R_UNITS);
    text_add(&text, "%s steps, %s %s a run", steps, units, c[R_UNIT]);
    free(steps);
    free(units);
    if (!most->seeds) text_add(&text, "; no run is recorded yet");
    else {
        char *hardware = each_once(line, n, R_HARDWARE), *days = days_of(line, n);
        char *commits = each_once(line, n, R_COMMIT);
        text_add(&text, "; seed%s %s; %s; %s, commit %s%s%s", most->seeds > 1 ? "s" : "", c[R_SEEDS], hardware,
                 days, commits, *c[R_DATA] ? "; data " : "", c[R_DATA]);
        free(hardware);
        free(days);
        free(commits);
    }
    text_add(&text, ".");
    return text_take(&text);
}

static const doc_column run_columns[] = {
    { .title = "row", .mm = 32 }, { .title = "figure", .mm = 36, .once = true },
    { .title = "printed, full size", .kind = COLUMN_NUMBER, .mm = 17 },
    { .title = "here, 95\\,\\% interval", .kind = COLUMN_NUMBER, .mm = 38 },
    { .title = "seeds", .kind = COLUMN_NUMBER }, { .title = "outcome", .mm = 30 } };

/* own: NULL of recorded runs, else the folder of the user's. */
static void add_group(document *d, const results *all, long from, long n, const char *own)
{
    char *source = source_of(&all->at[from], n, own ? own : "results");
    char *id = must_format("%sruns-%s-%s", own ? "own-" : "", all->at[from].cell[R_PRESET], all->at[from].cell[R_PART]);
    line_add(&doc_heading(d, 0, 2, id, NULL)->text, SPAN_TEXT, title_of(&all->at[from]));
    free(id);
    doc_block *note = doc_paragraph(d, 0, NULL);
    note->soft = true;
    line_add(&note->text, SPAN_TEXT, source);
    line_add(&note->text, SPAN_TEXT, " ");
    line_add(&note->text, SPAN_TEXT, limits_of(&all->at[from]));
    doc_table *t = doc_add_table(d, 0, TABLE_SCROLLS, run_columns, COUNT(run_columns));
    t->size = "\\footnotesize";
    t->fold = "All figures of these runs";
    for (long k = from; k < from + n; k++) {
        char *value = result_shown_text(&all->at[k]);
        char *const *c = all->at[k].cell;
        const bool made_up = all->at[k].made_up;    /* never beside a paper's figure */
        const char *const words[] = { c[R_ROW], c[R_METRIC], made_up ? "" : c[R_PAPER], value, c[R_N],
                                      made_up && !*c[R_VERDICT] ? "synthetic data" : c[R_VERDICT] };
        table_row(t)->title = must_strdup(c[R_COMMAND]);
        table_texts(t, words, COUNT(words));
        free(value);
    }
    free(source);
}

/* Runs of `make reproduce` on this machine: beside the records, under a heading of their own. */
static void add_own(document *d, const evidence_set *all)
{
    static const char OWN[] = "Runs that were made here, by `make reproduce`.  No record above is replaced by them, "
        "and no verdict is decided by them; they are in ";
    if (!all->own.n) return;
    line_add(&doc_heading(d, 0, 2, "own-runs", NULL)->text, SPAN_TEXT, "Your own runs");
    doc_block *said = doc_paragraph(d, 0, NULL);
    line_add(&said->text, SPAN_TEXT, OWN);
    line_add(&said->text, SPAN_TEXT, all->own_path);
    line_add(&said->text, SPAN_TEXT, ".");
    for (long k = 0, n; k < all->own.n; k += n) {
        n = group_length(&all->own, k);
        add_group(d, &all->own, k, n, all->own_path);
    }
}

void section_experiments(document *d, const evidence_set *all)
{
    doc_section(d, TO_HTML, "experiments", "Experiments", "Experiments");
    line_add(&doc_paragraph(d, 0, NULL)->text, SPAN_TEXT, all->results.n ? METHOD : NOTHING);
    for (long k = 0, n; k < all->results.n; k += n) {
        n = group_length(&all->results, k);
        add_group(d, &all->results, k, n, NULL);
    }
    add_own(d, all);
    section_add_gaps(d, all);
    section_add_reductions(d, all);
}
