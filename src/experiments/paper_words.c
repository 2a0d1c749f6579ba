/* SPDX-License-Identifier: GPL-3.0-or-later
 * paper_words.c - sizes and counts of the papers' tables as words: see paper_tables.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/commands.h"
#include "src/experiments/paper_compare.h"
#include "src/experiments/paper_tables.h"

/* ---- sizes ------------------------------------------------------------------------------------------------ */

static char *amount(double x)
{
    static const struct { double from; const char *unit; } scale[] = {
        { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" }, { 0, "" } };
    size_t k = 0;
    while (k + 1 < COUNT(scale) && !(x >= scale[k].from)) k++;
    return must_format("%.3g%s", scale[k].from > 0 ? x / scale[k].from : x, scale[k].unit);
}

/* ", 1000 test images", of a figure whose test set is not the papers' 10,000; "": nothing to say. */
static char *test_images(const record *r)
{
    const bool trained = r->at.kind != CHECK && strncmp(r->e->shown[r->at.metric].name, "running", 7) == 0;
    if (!*r->images || strcmp(r->images, "10000") == 0 || trained) return must_strdup("");
    return must_format(", %s test images", r->images);
}

char *record_size(const record *r)
{
    char *tested = test_images(r);                          /* what else sets it apart                   */
    const char *command = r->line->cell[R_COMMAND];
    char *epochs = command_option(command, "--epochs"), *width = command_option(command, "--width"), *text;
    char *rate = epochs ? command_option(command, "--rate") : NULL;             /* other than 0.001, see presets.c */
    char *batch = command_option(command, "--batch"), *units = amount(strtod(r->line->cell[R_UNITS], NULL));
    const char *as = r->e->full ? ", as printed" : "", *d = width ? width : "?";
    if (r->p->parts > 1) {                                  /* parts of one size differ in their options  */
        char *both = must_format("%s, %s", tested, r->e->set ? r->e->set : r->e->name);
        free(tested);
        tested = both;
    }
    if (epochs) text = must_format("%s epochs%s%s%s%s", epochs, as, rate ? ", rate " : "", rate ? rate : "", tested);
    else if (strcmp(r->e->command, "basis-transfer") == 0)
        text = must_format("width %s, %s steps of %s%s%s", d, r->line->cell[R_STEPS], batch ? batch : "?", as, tested);
    else if (!*r->line->cell[R_UNIT]) text = must_format("d = %s%s%s", d, as, tested);
    else text = must_format("d = %s, %s %s%s%s", d, units, strstr(command, "--data=bytes:") ? "bytes"
                            : r->line->cell[R_UNIT], as, tested);
    free(tested);
    free(rate);
    free(epochs);
    free(width);
    free(batch);
    free(units);
    return text;
}

/* A basis transfer of a width that the papers print, whatever its batch. */
static bool of_printed_width(const record *r)
{
    const paper_table *t = paper_table_of("K-AppD");
    printed_row *list;
    const long n = paper_table_rows(t, &list);
    bool is = false;
    for (long k = 0; k < n; k++)
        is |= strcmp(list[k].e->command, r->e->command) == 0
           && strcmp(list[k].name, experiment_row(r->e, r->at.row)->name) == 0;
    free(list);
    return is;
}

bool record_stated(const record *r)
{
    return r->line->seeds > 0 && !r->line->made_up
        && (r->e->full || experiment_row(r->e, r->at.row)->run || of_printed_width(r));
}

bool record_interval(const record *r)
{
    const bool judged = r->line->seeds >= LEAST_SEEDS || *r->line->cell[R_EVAL_OF];
    return judged && *r->line->cell[R_LOW] && r->is != OUTCOME_PARTIAL;
}

/* ---- counts ----------------------------------------------------------------------------------------------- */

const char *const standing_word[STANDINGS] = {
    [CONSISTENT] = "consistent", [INCONSISTENT] = "inconsistent", [UNRESOLVED] = "unresolved",
    [NOT_JUDGED] = "not judged", [NOT_RUN] = "not run" };

static const char *const answer_word[STANDINGS] = {
    [CONSISTENT] = "answered yes", [INCONSISTENT] = "answered no", [UNRESOLVED] = "unresolved",
    [NOT_JUDGED] = "not judged", [NOT_RUN] = "not run" };

const char *question_standing_word(const question *q, standing is)
{
    return (q->e->full ? standing_word : answer_word)[is];
}

standing standing_of_outcome(outcome is)
{
    switch (is) {
    case OUTCOME_AGREES: case OUTCOME_AS_PRINTED: case OUTCOME_HOLDS: case OUTCOME_ACCEPTED: case OUTCOME_REFUTED:
        return CONSISTENT;
    case OUTCOME_DIFFERS: case OUTCOME_NOT_AS_PRINTED: case OUTCOME_OPPOSITE: case OUTCOME_FAILS:
        return INCONSISTENT;
    case OUTCOME_NOT_RESOLVED: case OUTCOME_SEEDS_ONLY: return UNRESOLVED;
    case OUTCOME_NOT_RUN: return NOT_RUN;
    default: return NOT_JUDGED;
    }
}

static void count_planned(const results *all, const paper_table *t, table_count *c)
{
    question *q;
    const long n = paper_table_questions(t, &q);
    for (long k = 0; k < n; k++) {
        record *r;
        if (!q[k].e->full) continue;
        const long lines = question_records(all, &q[k], &r);
        c->plans++;
        c->planned[lines && r[0].e->full ? standing_of_outcome(r[0].is) : NOT_RUN]++;
        free(r);
    }
    free(q);
}

table_count paper_table_count(const results *all, const paper_table *t)
{
    table_count c = { 0 };
    printed_row *row;
    c.rows = paper_table_rows(t, &row);
    for (long k = 0; k < c.rows; k++)
        for (long m = 0; m < experiment_metrics(row[k].e); m++) {
            record *r;
            const long n = printed_row_records(all, &row[k], m, &r);
            if (m == 0) {
                c.full += n && r[0].e->full;
                c.stated += n && record_stated(&r[0]);
                c.bare += n && record_stated(&r[0]) && !record_interval(&r[0]);
            }
            if (experiment_paper(row[k].e, experiment_row(row[k].e, row[k].row), m)) {
                c.settings++;
                c.of[!n ? NOT_RUN : r[0].e->full ? standing_of_outcome(r[0].is) : NOT_JUDGED]++;
            }
            free(r);
        }
    free(row);
    count_planned(all, t, &c);
    return c;
}

/* What the largest record of a row is of, to be freed; NULL: none, or as printed. */
static char *stated_size(const results *all, const printed_row *row)
{
    record *r;
    const long n = printed_row_records(all, row, 0, &r);
    char *size = n && !r[0].e->full && record_stated(&r[0]) ? record_size(&r[0]) : NULL;
    free(r);
    return size;
}

/* How many rows from k on have its size; their sizes are freed, and NULL from now on. */
static long take_same(char **size, long k, long rows)
{
    char *of = size[k];
    long n = 0;
    for (long i = k; i < rows; i++) {
        if (!size[i] || strcmp(size[i], of) != 0) continue;
        if (i > k) free(size[i]);
        size[i] = NULL;
        n++;
    }
    free(of);
    return n;
}

/* "20 epochs", or "7 rows: 20 epochs; 3 rows: 50 epochs", of the rows that are recorded, but not as printed. */
static char *stated_lengths(const results *all, const paper_table *t)
{
    text_buffer text = { 0 };
    printed_row *row;
    const long rows = paper_table_rows(t, &row);
    char **size = must_calloc((size_t)rows + 1, sizeof *size);
    long some = 0;
    for (long k = 0; k < rows; k++) some += (size[k] = stated_size(all, &row[k])) != NULL;
    for (long k = 0; k < rows; k++) {
        if (!size[k]) continue;
        char *of = must_strdup(size[k]);
        const long same = take_same(size, k, rows);
        if (text.length) text_add(&text, "; ");
        if (same < some) text_add(&text, "%ld row%s: ", same, same == 1 ? "" : "s");
        text_add(&text, "%s", of);
        free(of);
    }
    free(size);
    free(row);
    return text_take(&text);
}

/* Of one size: the comparisons that the papers make, [0], and questions of ours, [1]. */
typedef struct { char *size; long of[2][STANDINGS]; } size_count;

static void count_at_size(size_count **at, long *n, const question *q, const record *r)
{
    char *size = record_size(r);
    long k = 0;
    while (k < *n && strcmp((*at)[k].size, size) != 0) k++;
    if (k == *n) {
        *at = must_realloc(*at, (size_t)++*n, sizeof **at);
        (*at)[k] = (size_count){ .size = must_strdup(size) };
    }
    (*at)[k].of[!q->e->full][standing_of_outcome(r->is)]++;
    free(size);
}

/* How n things stand, in words: "all 4 planned comparisons are inconsistent", "of 6 planned comparisons 1 is consistent
 * and 5 are inconsistent"; a standing that none of them has is not named.  where: after the things, or "". */
static void add_tally(text_buffer *to, const char *thing, const char *where, const char *const word[STANDINGS],
                      const long of[STANDINGS], long n)
{
    long left = n;
    for (standing is = 0; is < STANDINGS; is++) {
        if (of[is] != n) continue;
        const bool done = is != NOT_JUDGED && is != NOT_RUN;
        if (n == 1)              text_add(to, "the one %s%s is %s", thing, where, word[is]);
        else if (n == 2 && done) text_add(to, "both %ss%s are %s", thing, where, word[is]);
        else if (done)           text_add(to, "all %ld %ss%s are %s", n, thing, where, word[is]);
        else                     text_add(to, "none of the %ld %ss%s is %s", n, thing, where,
                                          word[is] + strlen("not "));
        return;
    }
    text_add(to, "of %ld %ss%s", n, thing, where);
    for (standing is = 0; is < STANDINGS; is++) {
        if (!of[is]) continue;
        text_add(to, "%s%ld %s %s", left == n ? " " : of[is] == left ? " and " : ", ", of[is],
                 of[is] == 1 ? "is" : "are", word[is]);
        left -= of[is];
    }
}

/* The same as a sentence after others. */
static void add_tally_sentence(text_buffer *to, const char *thing, const char *where, const long of[STANDINGS], long n)
{
    text_buffer words = { 0 };
    add_tally(&words, thing, where, standing_word, of, n);
    char *text = text_take(&words);
    text_add(to, ".  %c%s", toupper((unsigned char)*text), text + 1);
    free(text);
}

static long judged(const long of[STANDINGS]) { return of[CONSISTENT] + of[INCONSISTENT] + of[UNRESOLVED]; }

/* ".  At smaller sizes, ...: d = 128, 4.1M tokens, tuned: all 4 planned comparisons ..."; "": none is judged there. */
static char *smaller_sizes(const results *all, const paper_table *t)
{
    text_buffer text = { 0 };
    size_count *at = NULL;
    question *q;
    long sizes = 0, n = paper_table_questions(t, &q);
    for (long k = 0; k < n; k++) {
        record *r;
        const long lines = question_records(all, &q[k], &r);
        for (long i = 0; i < lines; i++)
            if (!r[i].e->full && standing_of_outcome(r[i].is) < NOT_JUDGED) count_at_size(&at, &sizes, &q[k], &r[i]);
        free(r);
    }
    free(q);
    for (long k = 0; k < sizes; k++) {
        const long papers = judged(at[k].of[0]), ours = judged(at[k].of[1]);
        text_add(&text, "%s%s: ", k ? "; " : ".  At smaller sizes, which decide nothing about the printed ones: ",
                 at[k].size);
        if (papers) add_tally(&text, "planned comparison", "", standing_word, at[k].of[0], papers);
        if (ours) {
            text_add(&text, "%s", papers ? ", and " : "");
            add_tally(&text, "question", " that we added", answer_word, at[k].of[1], ours);
        }
        free(at[k].size);
    }
    free(at);
    return text_take(&text);
}

/* "3 of the 9 printed rows have been run at the papers' own size and length" */
static void add_full(text_buffer *to, long full, long rows)
{
    static const char at[] = "been run at the papers' own size and length";
    if (full == rows)  text_add(to, "All %ld printed rows have %s", rows, at);
    else if (full)     text_add(to, "%ld of the %ld printed rows %s %s", full, rows, full == 1 ? "has" : "have", at);
    else               text_add(to, "None of the %ld printed rows has %s", rows, at);
}

char *paper_table_words(const results *all, const paper_table *t)
{
    const table_count c = paper_table_count(all, t);
    text_buffer text = { 0 };
    char *stated = stated_lengths(all, t), *smaller = smaller_sizes(all, t);
    add_full(&text, c.full, c.rows);
    if (c.stated > c.full) text_add(&text, ", %ld%s at a stated length (%s)", c.stated - c.full, c.full ? " more" : "",
                                    stated);
    if (c.bare) text_add(&text, "; %ld of these rows %s one run without an interval, or fewer seeds than planned",
                         c.bare, c.bare == 1 ? "has" : "have");
    if (c.full) {                        /* else nothing of the papers' size is judged                  */
        long of[STANDINGS];
        memcpy(of, c.of, sizeof of);
        of[NOT_JUDGED] += of[UNRESOLVED];
        of[UNRESOLVED] = 0;
        add_tally_sentence(&text, "printed figure", "", of, c.settings);
        if (of[NOT_JUDGED]) text_add(&text, " (judging takes %d seeds or more, of the printed length)", LEAST_SEEDS);
        if (c.plans) add_tally_sentence(&text, "planned comparison", " of that size", c.planned, c.plans);
    }
    text_add(&text, "%s", smaller);
    const char *cannot = preset_find(t->preset[0])->part[0].cannot;
    if (cannot) text_add(&text, ".  %.*s", (int)strlen(cannot) - 1, cannot);    /* the caller ends the sentence    */
    free(smaller);
    free(stated);
    return text_take(&text);
}
