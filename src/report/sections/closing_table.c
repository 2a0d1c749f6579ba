/* closing_table.c - what `make check` ends with, at most 100 columns wide.
 *
 * Per claim the verdict, its evidence, and how far it reaches; below it the numbers of each arithmetic and how many
 * broken variants were caught; the same for a corrected statement.  The foot counts the verdicts and says what each
 * word means. */
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/collect/answer_cell.h"
#include "src/report/collect/measured.h"
#include "src/report/document/plain_text.h"
#include "src/report/document/terminal.h"
#include "src/report/sections/sections.h"

enum { INDENT = 4, SCOPE = 29 };
enum { CLAIM, TITLE, VERDICT, EVIDENCE, HOLDS_FOR, CLOSING_COLUMNS };

static void widen(int *width, const char *text, int most)
{
    const int n = (int)strlen(text);
    if (n > *width && n <= most) *width = n;
}

/* The widths of the columns, from what is in them. */
static void measure(doc_column column[CLOSING_COLUMNS], const evidence_set *all)
{
    for (long k = 0; k < all->n; k++) {
        const claim_verdict *v = &all->at[k].v;
        char text[64];
        if (!record_is_built(&all->at[k])) continue;
        widen(&column[CLAIM].chars, all->at[k].id, 14);
        for (int corrected = 0; corrected < 2; corrected++) {
            widen(&column[VERDICT].chars, verdict_shown(all, corrected ? v->corrected : v->as_stated), 11);
            record_group_evidence(text, sizeof text, all, v, corrected);
            widen(&column[EVIDENCE].chars, text, 15);
        }
    }
    column[TITLE].chars = TERMINAL_COLUMNS - (column[CLAIM].chars + 1) - 1 - (column[VERDICT].chars + 1)
                          - (column[EVIDENCE].chars + 1) - SCOPE;
}

/* A verdict longer than its column takes that of the evidence, too. */
static void add_answers(doc_table *t, const evidence_set *all, const claim_record *c, bool corrected)
{
    char evidence[64], scope[128];
    const char *word = verdict_shown(all, corrected ? c->v.corrected : c->v.as_stated);
    record_group_evidence(evidence, sizeof evidence, all, &c->v, corrected);
    record_group_scope(scope, sizeof scope, all, &c->v, corrected);
    table_text(t, word);
    doc_row *r = &t->row[t->n - 1];
    if ((int)strlen(word) > t->column[VERDICT].chars) r->cell[r->n - 1].columns = 2;
    else table_text(t, evidence);
    table_text(t, scope);
}

/* Numbers of the group in each arithmetic, or the measured figure, or how it was decided where nothing is a number. */
static void add_numbers(doc_line *to, const claim_record *c, bool corrected)
{
    static const struct { int over; const char *name; } column[] = {
        { A_F64, "f64" }, { A_MPFR, "mpfr" }, { A_ARB, "arb" }, { A_FP, "F_p" }, { A_Q, "Q" } };
    char headline[TERMINAL_COLUMNS];
    const char *before = "";
    for (size_t k = 0; k < COUNT(column); k++) {
        char text[32];
        const answer_cell x = answer_cell_of_group(&c->v, corrected, column[k].over);
        if (x.kind == CELL_NONE) continue;
        answer_cell_text(text, sizeof text, x);
        line_format(to, SPAN_TEXT, "%s%s %s", before, column[k].name, text);
        before = "  ";
    }
    if (record_headline(c, corrected, headline, sizeof headline)) {
        line_format(to, SPAN_TEXT, "%s%s", before, headline);
        before = "  ";
    }
    const part_verdict *p = judge_speaker(&c->v, corrected);
    if (!*before && p && p->basis[0]) {
        line_format(to, SPAN_TEXT, "%.70s", p->basis);
        before = "  ";
    }
    if (!corrected && c->v.controls)
        line_format(to, SPAN_TEXT, "%sbreaks caught %ld/%ld", before, c->v.refuted, c->v.controls);
}

static void add_below(doc_line *to, const evidence_set *all, const claim_record *c, bool corrected)
{
    char paper[32] = "";
    if (!corrected) record_paper(paper, sizeof paper, c);
    line_format(to, SPAN_TEXT, "%*s%s%s", INDENT, "", paper, *paper ? "  " : "");
    add_numbers(to, c, corrected);
    const part_verdict *p = judge_speaker(&c->v, corrected);
    if (!p || p->is != V_SUPPORTED || !p->missing[0] || all->partial) return;
    line_add(to, SPAN_NEWLINE, "");
    line_format(to, SPAN_LATEX, "%*smissing: %s", INDENT, "", p->missing);
}

static const char *first_statement(const claim_record *c)
{
    for (const part_text *p = c->text.part; p < c->text.part + c->text.parts; p++)
        if (verdict_part_is_corrected(p->name) && p->statement) return p->statement;
    return "";
}

static void add_claim(doc_table *t, const evidence_set *all, const claim_record *c)
{
    doc_row *r = table_row(t);
    table_text(t, c->id);
    table_text(t, record_title(c));
    add_answers(t, all, c, false);
    if (!record_is_built(c)) return;                             /* decided by recorded runs */
    add_below(&r->below, all, c, false);
    if (c->v.corrected == V_NONE) return;
    r = table_row(t);
    r->cell[0].columns = 2;
    doc_line *words = table_cell(t);
    line_format(words, SPAN_TEXT, "%*scorrected: ", INDENT, "");
    line_add(words, SPAN_LATEX, first_statement(c));
    add_answers(t, all, c, true);
    add_below(&r->below, all, c, true);
}

/* ---- head and foot --------------------------------------------------------------------------- */

static void write_head(FILE *f, const evidence_set *all, const evidence_totals *t)
{
    char left[2 * TERMINAL_COLUMNS], right[32];
    const int room = TERMINAL_COLUMNS - snprintf(right, sizeof right, "%.0f s", t->seconds);
    snprintf(left, sizeof left, "Provably %s   %ld of %ld claims built, seed %llu%s, %d thread%s, BLAS %s",
             all->version, all->built, all->n, (unsigned long long)t->seed, t->seeds > 1 ? " and others" : "",
             t->threads, t->threads == 1 ? "" : "s", t->blas);
    fprintf(f, "%-*.*s%s\n", room, room, left, right);
    if (t->build[0]) fprintf(f, "%s\n", t->build);
}

/* "28 derived, 13 exact" of the claims as stated with this verdict, to be freed */
static char *evidence_counts(const evidence_set *all, verdict is)
{
    long n[EVIDENCES] = { 0 };
    for (long k = 0; k < all->n; k++) {
        const part_verdict *p = judge_speaker(&all->at[k].v, false);
        if (p && all->at[k].v.as_stated == is) n[p->by]++;
    }
    char *text = must_strdup("");
    for (int e = EVIDENCES - 1; e > E_NONE; e--) {
        if (!n[e]) continue;
        char *longer = must_format("%s%s%ld %s", text, *text ? ", " : "", n[e], evidence_word((evidence_kind)e));
        free(text);
        text = longer;
    }
    return text;
}

const verdict verdict_order[VERDICTS - 1] = {
    V_PROVED, V_SUPPORTED, V_CAVEAT, V_SLIP, V_REFUTED, V_HYPOTHESIS_FAILED, V_MEASURED, V_INFORMAL, V_UNCHECKABLE,
    V_PENDING, V_UNDECIDED, V_UNCONTROLLED, V_INCONSISTENT, V_HYPOTHESIS_UNDECLARED, V_FAILED };

static void verdict_counts(FILE *f, const evidence_set *all, const evidence_totals *t)
{
    for (size_t k = 0; k < COUNT(verdict_order); k++) {
        const verdict v = verdict_order[k];
        if (!t->with[v]) continue;
        char *counts = v == V_PROVED || v == V_SUPPORTED ? evidence_counts(all, v) : must_strdup("");
        char *text = must_format("%s%s%s%s", verdict_means(v), *counts ? " (" : "", counts, *counts ? ")" : "");
        char *first = must_format("%5ld %-22s ", t->with[v], verdict_word(v));
        terminal_wrapped(f, first, text, "");
        free(first);
        free(text);
        free(counts);
    }
}

/* "53 PROVED, 9 SUPPORTED", to be freed */
static char *corrected_counts(const evidence_totals *t)
{
    char *text = must_strdup("");
    for (size_t k = 0; k < COUNT(verdict_order); k++) {
        if (!t->corrected_with[verdict_order[k]]) continue;
        char *longer = must_format("%s%s%ld %s", text, *text ? ", " : "", t->corrected_with[verdict_order[k]],
                                   verdict_word(verdict_order[k]));
        free(text);
        text = longer;
    }
    return text;
}

static void write_foot(FILE *f, const evidence_set *all, const evidence_totals *t)
{
    if (all->partial) {
        fprintf(f, "%ld built: PARTIAL run, no verdicts; %ld PENDING\n", all->built, t->with[V_PENDING]);
        return;
    }
    fprintf(f, "\n");
    verdict_counts(f, all, t);
    char *corrected = corrected_counts(t);
    if (*corrected) fprintf(f, "      corrected statements: %s\n", corrected);
    fprintf(f, "      broken variants caught: %ld of %ld\n", t->refuted, t->controls);
    free(corrected);
}

void closing_table(FILE *f, const evidence_set *all)
{
    const evidence_totals t = evidence_totals_of(all);
    doc_column column[CLOSING_COLUMNS] = {
        [CLAIM] = { .title = "claim", .chars = 5 }, [TITLE] = { .title = "statement" },
        [VERDICT] = { .title = "verdict", .chars = 7 }, [EVIDENCE] = { .title = "evidence", .chars = 8 },
        [HOLDS_FOR] = { .title = "holds for", .chars = SCOPE } };
    document d = { 0 };
    measure(column, all);
    doc_table *table = doc_add_table(&d, TO_TERMINAL, TABLE_PLAIN, column, CLOSING_COLUMNS);
    for (long k = 0; k < all->n; k++)
        if (record_is_built(&all->at[k]) || all->at[k].v.as_stated != V_PENDING) add_claim(table, all, &all->at[k]);
    write_head(f, all, &t);
    terminal_table(f, table);
    write_foot(f, all, &t);
    doc_free(&d);
}
