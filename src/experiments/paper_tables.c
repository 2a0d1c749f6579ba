/* SPDX-License-Identifier: GPL-3.0-or-later
 * paper_tables.c - the rows of the papers' tables, and the recorded lines about each: see paper_tables.h. */
#include <stdlib.h>
#include <string.h>
#include "src/experiments/commands.h"
#include "src/experiments/paper_tables.h"
#include "src/methods/counts/printed.h"

const paper_table paper_tables[] = {
    { "t2-003", "003 Table 2: five language models after 100k steps", "K-T2-100k", "003 Table 2",
      { "gpt-100k", NULL } },
    { "t2-000", "000 Table 2: five language models after 60k steps", "K-T2-60k", "000 Table 2", { "gpt-60k", NULL } },
    { "t2-001", "001 Table 2: tied and untied language models", "K-T2-001", NULL, { "gpt-tied", NULL } },
    { "basis", "003 Figure 2 and 001 Section 5.1: an MLP learns a basis change", "K-AppD", NULL,
      { "basis-transfer", NULL } },
    { "t1-002", "002 Table 1: vision transformers of 6 and 12 encoders", "B-T1", "Table 1",
      { "vit-mnist", "vit-cifar10" } },
    { "t2-002", "002 Table 2: vision transformers on MNIST", "B-T2", "Table 2", { "vit-mnist", NULL } },
    { "t3-002", "002 Table 3: vision transformers on CIFAR-10", "B-T3", "Table 3", { "vit-cifar10", NULL } },
};
const long paper_tables_count = COUNT(paper_tables);

const paper_table *paper_table_of(const char *claim)
{
    for (size_t k = 0; k < COUNT(paper_tables); k++)
        if (strcmp(paper_tables[k].claim, claim) == 0) return &paper_tables[k];
    return NULL;
}

/* ---- printed rows ---------------------------------------------------------------------------------------- */

/* The rows of 003 Table 2 and 000 Table 2 by the models of runs.c. */
static const struct { const char *model, *row; } row_of_model[] = {
    { "gpt_mlp3_5", "smaller-mlp" }, { "gpt_d744", "smaller-d" }, { "gpt_noq", "reduced" }, { "gpt", "baseline" },
    { "gpt_noq_mlp4_5", "reduced-larger-mlp" } };

static const char *row_name(const char *model)
{
    for (size_t k = 0; k < COUNT(row_of_model); k++)
        if (strcmp(row_of_model[k].model, model) == 0) return row_of_model[k].row;
    REQUIRE(false, "no row of a preset is the model %s", model);
    return NULL;
}

static void add_row(const paper_table *t, const char *name, printed_row **rows, long *n)
{
    for (size_t i = 0; i < COUNT(t->preset) && t->preset[i]; i++) {
        const preset *p = preset_find(t->preset[i]);
        for (long k = 0; p && k < p->parts; k++)
            for (long row = 0; row < experiment_rows(&p->part[k]); row++) {
                if (strcmp(experiment_row(&p->part[k], row)->name, name) != 0) continue;
                *rows = must_realloc(*rows, (size_t)*n + 1, sizeof **rows);
                (*rows)[(*n)++] = (printed_row){ experiment_row(&p->part[k], row)->name, t, p, &p->part[k], row };
                return;
            }
    }
    REQUIRE(false, "%s prints the row %s, and no preset of its own size has it", t->title, name);
}

long paper_table_rows(const paper_table *t, printed_row **out)
{
    long n = 0;
    *out = NULL;
    for (size_t k = 0; t->table && k < printed_gpt_runs_count; k++)
        if (strcmp(printed_gpt_runs[k].table, t->table) == 0) add_row(t, row_name(printed_gpt_runs[k].model), out, &n);
    for (size_t k = 0; t->table && k < printed_runs_count; k++)
        if (strcmp(printed_runs[k].table, t->table) == 0) add_row(t, printed_runs[k].name, out, &n);
    if (t->table) return n;
    const preset *p = preset_find(t->preset[0]);
    for (long row = 0; row < experiment_rows(&p->part[0]); row++)
        add_row(t, experiment_row(&p->part[0], row)->name, out, &n);
    return n;
}

/* ---- recorded lines --------------------------------------------------------------------------------------- */

/* Of the part whose first line is `first`, the lines of a row's runs: the test images of one that has them. */
static const char *images_of(const experiment *e, const result *first, long row)
{
    if (!e) return "";
    const long rows = experiment_rows(e), runs = e->eliminates ? 0 : experiment_metrics(e) * rows;
    for (long k = row; k < runs; k += rows)
        if (result_is(&first[k], R_EVAL_OF, "test images")) return first[k].cell[R_EVAL_N];
    return "";
}

bool record_find(const results *all, long k, record *r)
{
    const result *line = &all->at[k];
    *r = (record){ .line = line, .p = line->p, .e = line->e, .is = line->is };
    const long lines = r->e ? figures_lines(r->e) : 0;
    if (line->line >= lines || k - line->line + lines > all->n) return false;
    r->at = figures_line_place(r->e, line->line);
    r->images = images_of(r->e, line - line->line, r->at.row);
    return true;
}

/* Line k is what a preset's own command measured on data that are not made up. */
static bool is_record(const results *all, long k, record *r)
{
    const result *line = &all->at[k];
    return line->seeds && !line->made_up && line->is != OUTCOME_OTHER_OPTIONS && record_find(all, k, r);
}

/* What a row of a part about 001 Table 2 is called there: its tied models are the baseline and the reduced one. */
static const char *canonical(const char *claims, const char *name)
{
    if (!claim_among(claims, "K-T2-001")) return name;
    return strcmp(name, "baseline") == 0 ? "tied" : strcmp(name, "reduced") == 0 ? "tied-reduced" : name;
}

/* A row of another part is this printed row: of 002, the same model by its name; else the same name, or in a table of
 * the papers' own size one of the rates tried for it, "reduced-1.2e-3". */
static bool same_row(const printed_row *r, const experiment *e, long row)
{
    const preset_row *mine = experiment_row(r->e, r->row), *its = experiment_row(e, row);
    const char *name = canonical(e->claim, its->name);
    const size_t n = strlen(r->name);
    if (mine->run) return its->run && strcmp(mine->run, its->run) == 0;
    if (!claim_among(e->claim, r->table->claim) || strncmp(name, r->name, n) != 0) return false;
    return !name[n] || (e->full && name[n] == '-' && name[n + 1] >= '0' && name[n + 1] <= '9');
}

static double training_data(const record *r) { return strtod(r->line->cell[R_UNITS], NULL); }

static bool larger(const record *a, const record *b)
{
    if (a->e->full != b->e->full) return a->e->full;
    if (training_data(a) != training_data(b)) return training_data(a) > training_data(b);
    return a->line->seeds > b->line->seeds;
}

static void insert(record **list, long *n, record r)
{
    *list = must_realloc(*list, (size_t)*n + 1, sizeof **list);
    long at = (*n)++;
    for (; at > 0 && larger(&r, &(*list)[at - 1]); at--) (*list)[at] = (*list)[at - 1];
    (*list)[at] = r;
}

long printed_row_records(const results *all, const printed_row *of, long m, record **out)
{
    long n = 0;
    *out = NULL;
    for (long k = 0; k < all->n; k++) {
        record r;
        if (!is_record(all, k, &r)) continue;
        if (r.at.kind == RUN && r.at.metric == m && same_row(of, r.e, r.at.row)) insert(out, &n, r);
    }
    return n;
}

/* Any table prints the row. */
static bool is_printed(const record *r)
{
    bool found = false;
    for (size_t k = 0; k < paper_tables_count && !found; k++) {
        printed_row *rows;
        const long n = paper_table_rows(&paper_tables[k], &rows);
        for (long row = 0; row < n && !found; row++) found = same_row(&rows[row], r->e, r->at.row);
        free(rows);
    }
    return found;
}

long paper_table_others(const results *all, const paper_table *t, record **out)
{
    long n = 0;
    *out = NULL;
    for (long k = 0; k < all->n; k++) {
        record r;
        if (!is_record(all, k, &r)) continue;
        if (r.at.kind != RUN || r.at.metric != 0 || !claim_among(r.e->claim, t->claim)) continue;
        if (!is_printed(&r)) insert(out, &n, r);
    }
    return n;
}

/* ---- planned comparisons ---------------------------------------------------------------------------------- */

/* The ids that a planned comparison is about, NULL: none. */
static const char *claim_of(const experiment *e, const planned *plan) { return plan->claim ? plan->claim : e->claim; }
static const metric *metric_of(const experiment *e, const planned *plan) { return &e->shown[plan->metric]; }
static const char *first_of (const experiment *e, const planned *plan) { return canonical(e->claim, plan->first); }
static const char *second_of(const experiment *e, const planned *plan) { return canonical(e->claim, plan->second); }

static bool same_question(const question *a, const experiment *e, const planned *plan)
{
    return a->plan->kind == plan->kind && strcmp(first_of(a->e, a->plan), first_of(e, plan)) == 0
        && strcmp(second_of(a->e, a->plan), second_of(e, plan)) == 0
        && strcmp(metric_of(a->e, a->plan)->shown, metric_of(e, plan)->shown) == 0;
}

typedef bool chooses(const experiment *e, const planned *plan, const void *with);

/* The presets of the papers' own size come first: they have the printed figures. */
static long questions_that(chooses *chosen, const void *with, question **out)
{
    long n = 0;
    *out = NULL;
    for (int full = 1; full >= 0; full--)
        for (const preset *p = presets; p->name; p++)
            for (long k = 0; k < p->parts; k++)
                for (long i = 0; i < p->part[k].plans; i++) {
                    const experiment *e = &p->part[k];
                    bool known = e->full != full || !chosen(e, &e->plan[i], with);
                    for (long j = 0; !known && j < n; j++) known = same_question(&(*out)[j], e, &e->plan[i]);
                    if (known) continue;
                    *out = must_realloc(*out, (size_t)n + 1, sizeof **out);
                    (*out)[n++] = (question){ p, e, &e->plan[i] };
                }
    return n;
}

static bool is_about(const experiment *e, const planned *plan, const void *claim)
{
    return claim_among(claim_of(e, plan), claim);
}
long questions_about(const char *claim, question **out) { return questions_that(is_about, claim, out); }

static bool row_is_printed(const paper_table *t, const char *name)
{
    printed_row *row;
    const long n = paper_table_rows(t, &row);
    bool is = false;
    for (long k = 0; k < n; k++) is |= strcmp(row[k].name, name) == 0;
    free(row);
    return is;
}

static bool asks_about(const experiment *e, const planned *plan, const void *with)
{
    const paper_table *t = with;
    if (!claim_among(e->claim, t->claim)) return false;
    return !e->row[0].run || (row_is_printed(t, plan->first) && row_is_printed(t, plan->second));
}
long paper_table_questions(const paper_table *t, question **out) { return questions_that(asks_about, t, out); }

const char *question_metric(const question *q) { return metric_of(q->e, q->plan)->shown; }

static bool share_a_claim(const question *q, const experiment *e, const planned *plan)
{
    const char *ids = claim_of(e, plan), *mine = claim_of(q->e, q->plan);
    bool share = false;
    char *copy = must_strdup(ids ? ids : ""), *rest = NULL;
    for (char *id = strtok_r(copy, " ", &rest); id; id = strtok_r(NULL, " ", &rest)) share |= claim_among(mine, id);
    free(copy);
    return share;
}

long question_records(const results *all, const question *q, record **out)
{
    long n = 0;
    *out = NULL;
    for (long k = 0; k < all->n; k++) {
        record r;
        if (!is_record(all, k, &r)) continue;
        const planned *plan = r.at.kind == COMPARISON ? &r.e->plan[r.at.plan] : NULL;
        if (plan && same_question(q, r.e, plan) && share_a_claim(q, r.e, plan)) insert(out, &n, r);
    }
    return n;
}

/* How many lines answer a, all of which answer one of n others; -1: not all do. */
static long answered_among(const results *all, const question *a, const question *other, long n)
{
    record *of_a, *of_b;
    const long lines = question_records(all, a, &of_a);
    long found = -1;
    for (long i = 0; i < n && found < 0; i++) {
        if (!same_question(a, other[i].e, other[i].plan)) continue;
        const long m = question_records(all, &other[i], &of_b);
        found = 0;
        for (long k = 0; k < lines; k++)
            for (long j = 0; j < m; j++) found += of_a[k].line == of_b[j].line;
        if (found < lines) found = -1;
        free(of_b);
    }
    free(of_a);
    return found;
}

const paper_table *paper_table_answered_with(const results *all, const paper_table *t)
{
    question *mine, *its;
    const long n = paper_table_questions(t, &mine);
    const paper_table *found = NULL;
    for (const paper_table *other = paper_tables; other < t && !found; other++) {
        long lines = 0;
        const long others = paper_table_questions(other, &its);
        bool among = true;
        for (long k = 0; among && k < n; k++) {
            const long both = answered_among(all, &mine[k], its, others);
            among = both >= 0;
            lines += both;
        }
        if (among && lines > 0) found = other;
        free(its);
    }
    free(mine);
    return found;
}

/* Metric m of a row as the papers print it, to be freed; NULL: not printed.  Of a difference of two printed columns,
 * their difference. */
static char *printed_of(const experiment *e, const preset_row *r, const metric *m)
{
    const char *own = experiment_paper(e, r, m - e->shown), *plus = NULL, *less = NULL;
    if (own) return must_strdup(own);
    for (long k = 0; m->minus && k < PRESET_METRICS && e->shown[k].name; k++) {
        if (e->shown[k].minus) continue;
        if (strcmp(e->shown[k].name, m->name) == 0) plus = experiment_paper(e, r, k);
        if (strcmp(e->shown[k].name, m->minus) == 0) less = experiment_paper(e, r, k);
    }
    return plus && less ? must_format("%.4f", strtod(plus, NULL) - strtod(less, NULL)) : NULL;
}

static char *printed_for(const question *q, const char *name)
{
    const long row = experiment_row_named(q->e, name);
    return row < 0 ? NULL : printed_of(q->e, experiment_row(q->e, row), metric_of(q->e, q->plan));
}

char *question_printed(const question *q)
{
    char *first = q->e->full ? printed_for(q, q->plan->first) : NULL;
    char *second = q->e->full ? printed_for(q, q->plan->second) : NULL;
    char *text = !first || !second ? must_strdup("")
               : must_format("Printed in %s: %s for %s and %s for %s (%s)", q->e->table, first, q->plan->first, second,
                             q->plan->second, metric_of(q->e, q->plan)->shown);
    free(first);
    free(second);
    return text;
}
