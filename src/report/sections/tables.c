/* SPDX-License-Identifier: GPL-3.0-or-later
 * tables.c - a chapter for each empirical table of the papers: every printed row beside what is recorded of it, the
 * planned comparisons, and their figures.
 *
 * Every measured number is a cell of a recorded line, and the file of that line stands beside it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/paper_compare.h"
#include "src/report/collect/table_charts.h"
#include "src/report/sections/sections.h"

static const char INTRODUCTION[] = "Every row that the papers print, beside what is recorded of it: the mean over n "
    "seeds with its 95 % interval; with n = 1 that is of the test images alone, and other seeds may well lie outside "
    "it.  A printed figure is judged only against three seeds or more of the papers' own size and length: it is "
    "consistent within two standard deviations of the seeds, or an accuracy within three standard errors of its test "
    "images, so that runs which scatter more agree more easily.  A run of the printed model for fewer epochs, or of a "
    "smaller model, is shown and not judged against it.  Runs on synthetic pictures or texts are not shown here.";
static const char ROWS[] = "Rows of vision models are named DATA_ENCODERS_HEADS_MLP_ATTENTION, as mnist_6_1_no_wqk: "
    "mlp, with an MLP, or no, without; full, attention as usual; wqk, one matrix for W_Q W_K^T; sym, W_K = W_Q; "
    "min, W_Q W_K^T in one matrix and neither W_V nor W_O.  Language models: reduced, W_Q = I; smaller-mlp, an MLP "
    "of 3.5 d; smaller-d, a narrower model; reduced-larger-mlp, W_Q = I and an MLP of 4.5 d; untied, an output matrix "
    "of its own; tuned, the best of twelve rates, decays and attention factors for each model, on another seed and at "
    "a quarter of the length.  Validation figures are of the end of a run; training figures are running means over its "
    "last epoch, as Keras prints them.  Losses are in nats: a token in the printed language models, a byte in those "
    "trained here, a picture in the vision models.";
const char section_seeds_only[] = "since its interval has no share for the test images, whose losses are not known";

/* "0.87 PFLOP", of all its seeds, to be freed; "" where the record does not say. */
static char *cost(const record *r)
{
    const double flops = strtod(r->line->cell[R_FLOPS], NULL) * (double)r->line->seeds;
    return flops > 0 ? flops_text(flops) : must_strdup("");
}

static char *file_of(const record *r) { return must_format("%s.csv", r->p->name); }

static char *verdict_of(const record *r)
{
    const standing is = standing_of_outcome(r->is);
    const char *says = r->line->cell[R_VERDICT];
    if (!r->e->full && r->at.kind != COMPARISON) {
        const preset_row *of = experiment_row(r->e, r->at.row);
        return must_format("%s: another %s", standing_word[NOT_JUDGED], !record_stated(r) ? "size"
                           : !of->run ? "batch" : strstr(of->options, "--rate=") ? "rate" : "length");
    }
    if (strstr(says, standing_word[NOT_JUDGED])) return must_strdup(says);
    if (r->is == OUTCOME_SEEDS_ONLY) return must_format("%s, %s", standing_word[is], section_seeds_only);
    return *says && is == NOT_JUDGED ? must_format("%s: %s", standing_word[is], says) : must_strdup(standing_word[is]);
}

/* ---- rows ------------------------------------------------------------------------------------------------- */

static const doc_column row_columns[] = {
    { .title = "row", .mm = 24, .once = true }, { .title = "figure", .mm = 20 },
    { .title = "printed", .kind = COLUMN_NUMBER, .mm = 11 }, { .title = "here, 95\\,\\% interval", .mm = 24 },
    { .title = "n", .kind = COLUMN_NUMBER }, { .title = "verdict", .mm = 16 }, { .title = "size", .mm = 16 },
    { .title = "cost, all seeds", .mm = 11 }, { .title = "record", .mm = 17 } };

static void add_record(doc_table *t, const char *name, const char *figure, const char *printed, const record *r)
{
    char *value = result_shown_text(r->line), *says = verdict_of(r), *size = record_size(r), *spent = cost(r);
    char *file = file_of(r);
    const char *const words[] = { name, figure, printed ? printed : "", value, r->line->cell[R_N], says, size, spent,
                                  file };
    doc_row *to = table_row(t);
    to->title = must_format("%s; %s, commit %s", r->line->cell[R_HARDWARE], r->line->cell[R_DATE],
                            r->line->cell[R_COMMIT]);
    table_texts(t, words, COUNT(words));
    free(value);
    free(says);
    free(size);
    free(spent);
    free(file);
}

static void add_printed(doc_table *t, const evidence_set *all, const printed_row *of)
{
    for (long m = 0; m < PRESET_METRICS && of->e->shown[m].name; m++) {
        const char *figure = of->e->shown[m].shown;
        const char *printed = experiment_paper(of->e, experiment_row(of->e, of->row), m);
        record *r;
        const long n = printed_row_records(&all->results, of, m, &r);
        const char *const missing[] = { of->name, figure, printed ? printed : "", "", "0", standing_word[NOT_RUN], "",
                                        "", "" };
        for (long k = 0; k < n; k++) add_record(t, of->name, figure, printed, &r[k]);
        if (!n && printed) {
            table_row(t);
            table_texts(t, missing, COUNT(missing));
        }
        free(r);
    }
}

static void add_rows(document *d, const evidence_set *all, const paper_table *t)
{
    printed_row *list;
    record *other;
    const long printed_rows = paper_table_rows(t, &list), others = paper_table_others(&all->results, t, &other);
    doc_table *to = doc_add_table(d, 0, TABLE_SCROLLS, row_columns, COUNT(row_columns));
    to->size = "\\footnotesize";
    to->fold = "Row by row: as printed, and as run here";
    for (long k = 0; k < printed_rows; k++) add_printed(to, all, &list[k]);
    for (long k = 0; k < others; k++) {
        char *name = must_format("%s (not printed)", other[k].line->cell[R_ROW]);
        add_record(to, name, other[k].line->cell[R_METRIC], NULL, &other[k]);
        free(name);
    }
    free(other);
    free(list);
}

/* ---- planned comparisons ---------------------------------------------------------------------------------- */

static const doc_column question_columns[] = {
    { .title = "planned comparison", .mm = 35, .once = true }, { .title = "of", .mm = 18 },
    { .title = "first less second, 95\\,\\% interval", .mm = 26 }, { .title = "p", .kind = COLUMN_NUMBER, .mm = 11 },
    { .title = "n", .kind = COLUMN_NUMBER }, { .title = "verdict", .mm = 17 }, { .title = "size", .mm = 16 },
    { .title = "record", .mm = 17 } };

static char *asked(const question *q)
{
    return q->plan->kind == BELOW ? must_format("%s below %s", q->plan->first, q->plan->second)
                                  : must_format("%s the same as %s within %g", q->plan->first, q->plan->second,
                                                q->plan->margin);
}

static void add_answer(doc_table *t, const char *what, const question *q, const record *r)
{
    const standing is = standing_of_outcome(r->is);
    char *value = result_shown_text(r->line), *size = record_size(r), *file = file_of(r);
    char *says = q->e->full || is >= UNRESOLVED ? verdict_of(r) : must_strdup(question_standing_word(q, is));
    const char *const words[] = { what, question_metric(q), value, r->line->cell[R_P_HOLM], r->line->cell[R_N],
                                  says, size, file };
    table_row(t)->title = must_strdup(r->line->cell[R_VERDICT]);
    table_texts(t, words, COUNT(words));
    free(value);
    free(says);
    free(size);
    free(file);
}

static void add_questions(document *d, const evidence_set *all, const paper_table *t)
{
    const paper_table *shown = paper_table_answered_with(&all->results, t);
    if (shown) {
        line_format(&doc_paragraph(d, 0, NULL)->text, SPAN_TEXT, "The runs that answer these planned comparisons "
                    "stand above with their curves, under %s.", shown->title);
        return;
    }
    question *q;
    const long n = paper_table_questions(t, &q);
    if (n) {
        doc_table *to = doc_add_table(d, 0, TABLE_SCROLLS, question_columns, COUNT(question_columns));
        to->size = "\\footnotesize";
        to->fold = "Planned comparisons";
        for (long k = 0; k < n; k++) {
            record *r;
            const long lines = question_records(&all->results, &q[k], &r);
            char *what = asked(&q[k]);
            const char *const missing[] = { what, question_metric(&q[k]), "", "", "0", "no record", "", "" };
            for (long i = 0; i < lines; i++) add_answer(to, what, &q[k], &r[i]);
            if (!lines) {
                table_row(to);
                table_texts(to, missing, COUNT(missing));
            }
            free(what);
            free(r);
        }
    }
    free(q);
}

/* ---- the formula of 003 ------------------------------------------------------------------------------------ */

enum { TRAINED, LINEAR, CLOSED, SHOWN };          /* metrics of the basis transfer that are shown         */
/* Records of a printed width; of them those with three seeds or more; of these those whose linear map, and those whose
 * trained MLP, has the printed error. */
typedef struct { long shown, judged, inside, trained; } target_records;

static bool in_range(const result *of, const char *range)
{
    const double sd = strtod(of->cell[R_SE_SEEDS], NULL) * sqrt((double)of->seeds);
    return paper_holds(range, strtod(of->cell[R_MEAN], NULL), sd, 0);
}

static const record *of_part(const record *r, long n, const record *other)
{
    for (long i = 0; i < n; i++) if (r[i].e == other->e) return &r[i];
    return NULL;
}

static const doc_column target_columns[] = {
    { .title = "target", .mm = 23, .once = true }, { .title = "row", .mm = 15 }, { .title = "size", .mm = 25 },
    { .title = "n", .kind = COLUMN_NUMBER }, { .title = "best linear map, \\%", .kind = COLUMN_NUMBER, .mm = 20 },
    { .title = "untrained closed form, \\%", .kind = COLUMN_NUMBER, .mm = 20 },
    { .title = "trained MLP, \\%", .kind = COLUMN_NUMBER, .mm = 20 }, { .title = "record", .mm = 15 } };

/* All records of a printed row at its width, the largest first. */
static void add_targets(doc_table *to, const results *all, const printed_row *printed, const char *target,
                        const char *const range[SHOWN], target_records *c)
{
    record *r[SHOWN];
    long n[SHOWN];
    for (long m = 0; m < SHOWN; m++) n[m] = printed_row_records(all, printed, m, &r[m]);
    for (long i = 0; i < n[LINEAR]; i++) {
        const record *one[SHOWN];
        bool all_there = record_stated(&r[LINEAR][i]);
        for (long m = 0; m < SHOWN; m++) all_there &= (one[m] = of_part(r[m], n[m], &r[LINEAR][i])) != NULL;
        if (!all_there) continue;
        char *size = record_size(one[LINEAR]), *file = file_of(one[LINEAR]), *mean[SHOWN];
        for (long m = 0; m < SHOWN; m++) mean[m] = result_interval_text(one[m]->line);
        const char *const words[] = { target, printed->name, size, one[LINEAR]->line->cell[R_N], mean[LINEAR],
                                      mean[CLOSED], mean[TRAINED], file };
        table_row(to);
        table_texts(to, words, COUNT(words));
        c->shown++;
        if (one[LINEAR]->line->seeds >= LEAST_SEEDS) {
            c->judged++;
            c->inside += in_range(one[LINEAR]->line, range[LINEAR]);
            c->trained += in_range(one[TRAINED]->line, range[TRAINED]);
        }
        for (long m = 0; m < SHOWN; m++) free(mean[m]);
        free(size);
        free(file);
    }
    for (long m = 0; m < SHOWN; m++) free(r[m]);
}

/* What 003 prints with its formula, or 001 with a formula that our copy has lost; first: a row with these figures. */
static void add_target_printed(doc_table *to, const printed_row *first, const char *target, const char *where)
{
    const char *paper[SHOWN];
    for (long m = 0; m < SHOWN; m++) paper[m] = experiment_paper(first->e, experiment_row(first->e, first->row), m);
    const char *const words[] = { target, "", where, "", paper[LINEAR] ? paper[LINEAR] : "",
                                  paper[CLOSED] ? paper[CLOSED] : "", paper[TRAINED] ? paper[TRAINED] : "", "" };
    table_row(to);
    table_texts(to, words, COUNT(words));
}

static bool less_x(const printed_row *of)
{
    return strstr(experiment_row(of->e, of->row)->options, "--less-x") != NULL;
}

/* What is recorded on one of the two targets, row by row. */
static target_records add_target(doc_table *to, const results *all, const paper_table *t, bool less,
                                 const char *const range[SHOWN])
{
    const char *target = less ? "W2 GELU(W1 x) + Z x - x, the formula of 003" : "without the last term";
    target_records c = { 0 };
    printed_row *list;
    const long n = paper_table_rows(t, &list);
    const printed_row *with = NULL;                        /* of 003 without the last term, as presets have it */
    for (long k = 0; k < n && !with; k++) if (less_x(&list[k]) != less) with = &list[k];
    if (with && less) add_target_printed(to, with, target, "printed in 003");
    for (long k = 0; k < n; k++) if (less_x(&list[k]) == less) add_targets(to, all, &list[k], target, range, &c);
    if (with && !less) add_target_printed(to, with, "a formula that our copy has lost", "printed in 001");
    free(list);
    if (c.shown) return c;
    const char *const nothing[] = { target, "", "nothing is recorded at a printed width", "0", "", "", "", "" };
    table_row(to);
    table_texts(to, nothing, COUNT(nothing));
    return c;
}

/* The linear map of the printed formula misses the printed range in every record, that of the other target in none; to
 * be freed. */
static char *formula_conclusion(target_records printed, target_records other)
{
    if (!printed.judged || !other.judged)
        return must_strdup("Whether the formula and the numbers of 003 belong together is not measured at the printed "
                           "widths, with three seeds");
    if (printed.inside || other.inside < other.judged)
        return must_strdup("These records do not show that the numbers of 003 go with another target than its formula");
    return must_format("So where there are three seeds, and with weights of the size that N14 assumes, the best linear "
                       "map has the error printed in 003 for the other target, and not for its formula.  The trained "
                       "MLP has its printed error in %ld of %ld with the formula, and in %ld of %ld without the last "
                       "term.  Weights of another size could change this", printed.trained, printed.judged,
                       other.trained, other.judged);
}

static void add_formula(document *d, const evidence_set *all, const paper_table *t)
{
    const preset *p = preset_find(t->preset[0]);
    const char *range[SHOWN];
    for (long m = 0; m < SHOWN; m++) range[m] = experiment_paper(&p->part[0], experiment_row(&p->part[0], 0), m);
    line_format(&doc_paragraph(d, 0, NULL)->text, SPAN_TEXT, "003 prints the target W2 GELU(W1 x) + Z x - x, and %s %% "
                "for the best linear map; 001, whose formula our text has lost, prints 9 to 10 %%.  Relative errors "
                "with that target, and with the one without its last term:", range[LINEAR]);
    doc_table *to = doc_add_table(d, 0, TABLE_SCROLLS, target_columns, COUNT(target_columns));
    to->size = "\\footnotesize";
    const target_records printed = add_target(to, &all->results, t, true, range);
    const target_records other = add_target(to, &all->results, t, false, range);
    char *conclusion = formula_conclusion(printed, other);
    line_format(&doc_paragraph(d, 0, NULL)->text, SPAN_TEXT, "%s.  The rows NAME-less-x have the printed formula.",
                conclusion);
    free(conclusion);
}

/* ---- chapters ---------------------------------------------------------------------------------------------- */

static void add_charts(document *d, const evidence_set *all, const paper_table *t)
{
    table_chart *c;
    const long n = table_charts(all, t, &c);
    for (long k = 0; k < n; k++) {
        doc_block *b = doc_add(d, BLOCK_CHART, 0);
        b->chart = c[k].at;
        b->beside = true;
        line_add(&b->text, SPAN_TEXT, c[k].caption);
        free(c[k].caption);
    }
    free(c);
}

static void add_chapter(document *d, const evidence_set *all, const paper_table *t)
{
    const claim_record *c = evidence_set_find(all, t->claim);
    line_add(&doc_heading(d, 0, 2, t->id, NULL)->text, SPAN_TEXT, t->title);
    doc_line *to = &doc_paragraph(d, 0, NULL)->text;
    section_add_reference(to, all, t->claim);
    if (c) {
        line_add(to, SPAN_TEXT, " ");
        section_add_verdict(to, all, c->v.as_stated);
    }
    if (strcmp(t->claim, "K-AppD") == 0) add_formula(d, all, t);
    add_rows(d, all, t);
    add_questions(d, all, t);
    add_charts(d, all, t);
}

void section_tables(document *d, const evidence_set *all)
{
    doc_section(d, TO_HTML, "tables", "The papers' tables, row by row", "Tables");
    line_add(&doc_paragraph(d, 0, NULL)->text, SPAN_TEXT, INTRODUCTION);
    line_add(&doc_paragraph(d, 0, NULL)->text, SPAN_TEXT, ROWS);
    for (long k = 0; k < paper_tables_count; k++) add_chapter(d, all, &paper_tables[k]);
}
