/* SPDX-License-Identifier: GPL-3.0-or-later
 * closing_table.c - what `make check` ends with, as wide as the screen.
 *
 * Per claim the verdict, its evidence, and how far it reaches; below it the numbers of each arithmetic and how many
 * negative controls were refuted; the same for a corrected statement.  The foot counts the verdicts, says what each
 * word means, and what to do next. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/shown.h"
#include "src/base/base.h"
#include "src/report/collect/answer_cell.h"
#include "src/report/collect/measured.h"
#include "src/report/document/plain_text.h"
#include "src/report/document/terminal.h"
#include "src/report/sections/sections.h"

/* On a narrow screen evidence and scope stand below the statement. */
enum { INDENT = 4, SCOPE = 29, WIDE = 110, CORRECTED_MOST = 150 };
enum { CLAIM, VERDICT, TITLE, EVIDENCE, HOLDS_FOR, CLOSING_COLUMNS };
typedef struct { const evidence_set *all; const screen *s; doc_column column[CLOSING_COLUMNS]; long columns; } layout;

static bool is_wide(const layout *l) { return l->columns == CLOSING_COLUMNS; }

static void widen(int *width, const char *text, int most)
{
    const int n = (int)strlen(text);
    if (n > *width && n <= most) *width = n;
}

/* The widths of the columns, from what is in them. */
static void measure(layout *l)
{
    doc_column *column = l->column;
    for (long k = 0; k < l->all->n; k++) {
        const claim_verdict *v = &l->all->at[k].v;
        char text[64];
        if (!record_is_built(&l->all->at[k])) continue;
        widen(&column[CLAIM].chars, l->all->at[k].id, 14);
        for (int corrected = 0; corrected < 2; corrected++) {
            widen(&column[VERDICT].chars, verdict_shown(l->all, corrected ? v->corrected : v->as_stated), 11);
            record_group_evidence(text, sizeof text, l->all, v, corrected);
            widen(&column[EVIDENCE].chars, text, 15);
        }
    }
    const int before = column[CLAIM].chars + 1 + column[VERDICT].chars + 1;
    const int after = is_wide(l) ? 1 + column[EVIDENCE].chars + 1 + SCOPE : 0;
    column[TITLE].chars = l->s->width - before - after;
}

static void add_verdict(doc_table *t, const layout *l, const claim_record *c, bool corrected)
{
    const verdict v = corrected ? c->v.corrected : c->v.as_stated;
    const char *word = verdict_shown(l->all, v);
    line_badge(table_cell(t), word, verdict_fails(v) ? "bad" : word);
}

/* Evidence and scope: in their columns, or as the first line below the row. */
static void add_evidence(doc_table *t, const layout *l, const claim_record *c, bool corrected)
{
    char evidence[64], scope[SCOPE_ROOM];
    record_group_evidence(evidence, sizeof evidence, l->all, &c->v, corrected);
    record_group_scope(scope, sizeof scope, l->all, &c->v, corrected);
    if (is_wide(l)) {
        table_text(t, evidence);
        table_text(t, scope);
    } else if (*evidence || *scope) {
        doc_line *below = &t->row[t->n - 1].below;
        line_format(below, SPAN_TEXT, "%*s%s%s%s", INDENT, "", evidence, *evidence && *scope ? ", " : "", scope);
        line_add(below, SPAN_NEWLINE, "");
    }
}

/* Numbers of the group in each arithmetic, or the measured figure, or how it was decided where nothing is a number. */
static void add_numbers(doc_line *to, const claim_record *c, bool corrected)
{
    static const struct { int over; const char *name; } column[] = {
        { A_F64, "f64" }, { A_MPFR, "mpfr" }, { A_ARB, "arb" }, { A_FP, "F_p" }, { A_Q, "Q" } };
    char headline[SCREEN_USUAL];
    const char *before = "";
    for (size_t k = 0; k < COUNT(column); k++) {
        char text[32];
        const answer_cell x = answer_cell_of_group(&c->v, corrected, column[k].over);
        if (x.kind == CELL_NONE) continue;
        answer_cell_text(text, sizeof text, x);
        line_format(to, SPAN_TEXT, "%s%s" NO_BREAK "%s", before, column[k].name, text);
        before = "  ";
    }
    if (record_headline(c, corrected, headline, sizeof headline)) {
        line_format(to, SPAN_TEXT, "%s%s", before, headline);
        before = "  ";
    }
    const part_verdict *p = judge_speaker(&c->v, corrected);
    if (!*before && p && p->basis[0]) {
        line_add(to, SPAN_MIXED, p->basis);
        before = "  ";
    }
    if (!corrected && c->v.controls)
        line_format(to, SPAN_TEXT, "%scontrols" NO_BREAK "refuted" NO_BREAK "%ld/%ld", before, c->v.refuted,
                    c->v.controls);
}

static void add_below(doc_line *to, const evidence_set *all, const claim_record *c, bool corrected)
{
    char places[64] = "";
    if (!corrected) record_places(places, sizeof places, c, false);
    line_format(to, SPAN_TEXT, "%*s%s%s", INDENT, "", places, *places ? "  " : "");
    add_numbers(to, c, corrected);
    const part_verdict *p = judge_speaker(&c->v, corrected);
    char *formal = p && !all->partial ? evidence_formal_text(p) : must_strdup("");
    if (*formal) {
        line_add(to, SPAN_NEWLINE, "");
        line_format(to, SPAN_TEXT, "%*s%s", INDENT, "", formal);
    }
    free(formal);
    if (!p || p->is != V_SUPPORTED || !p->missing[0] || all->partial) return;
    line_add(to, SPAN_NEWLINE, "");
    line_format(to, SPAN_LATEX, "%*smissing: %s", INDENT, "", p->missing);
}

static const char *first_statement(const claim_record *c)
{
    for (const part_text *p = c->text.part; p < c->text.part + c->text.parts; p++)
        if (claim_text_role(&c->text, p) == ROLE_CORRECTED && p->statement) return p->statement;
    return "";
}

/* "corrected: ...", cut between words; `provably show` has it whole. */
static void add_corrected(doc_table *t, const char *statement)
{
    char *text = latex_as_text(statement);
    size_t n = strlen(text);
    if (n > CORRECTED_MOST) {
        n = CORRECTED_MOST;
        while (n > 0 && text[n] != ' ') n--;
    }
    table_format(t, "corrected: %.*s%s", (int)n, text, text[n] ? " ..." : "");
    free(text);
}

static void add_claim(doc_table *t, const layout *l, const claim_record *c)
{
    for (int corrected = 0; corrected < (c->v.corrected == V_NONE ? 1 : 2); corrected++) {
        table_row(t);
        table_text(t, corrected ? "" : c->id);
        add_verdict(t, l, c, corrected);
        if (corrected) add_corrected(t, first_statement(c));
        else table_text(t, record_title(c));
        add_evidence(t, l, c, corrected);
        if (record_is_built(c)) add_below(&t->row[t->n - 1].below, l->all, c, corrected);   /* else recorded runs */
    }
}

/* ---- head and foot --------------------------------------------------------------------------- */

static void write_head(FILE *f, const evidence_set *all, const evidence_totals *t, const screen *s)
{
    char *line = must_format("Provably %s: %ld of %ld claims built, seed %llu%s, %d thread%s, BLAS %s, "
                             "%.0f s of computing", all->version, all->built, all->n, (unsigned long long)t->seed,
                             t->seeds > 1 ? " and others" : "", t->threads, t->threads == 1 ? "" : "s", t->blas,
                             t->seconds);
    screen_wrapped(f, s->width, "", line, 0, "");
    if (t->build[0]) screen_wrapped(f, s->width, "", t->build, 0, "");
    free(line);
}

/* What is below each claim. */
static void write_legend(FILE *f, const screen *s)
{
    static const char text[] =
        "Below each claim: where the paper has it, and what each arithmetic found. f64: largest gap in doubles. mpfr: "
        "its slope as the precision grows, -1 where it is rounding alone. arb: width of certified intervals that "
        "meet. F_p: chance of an error modulo random primes. Q: instances over the rationals that agree, of all. "
        "controls refuted: variants with a deliberate error that were refuted, of all.";
    screen_wrapped(f, s->width, "", text, 0, "");
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

static void verdict_counts(FILE *f, const evidence_set *all, const evidence_totals *t, const screen *s)
{
    for (size_t k = 0; k < COUNT(verdict_order); k++) {
        const verdict v = verdict_order[k];
        if (!t->with[v]) continue;
        char *counts = v == V_PROVED || v == V_SUPPORTED ? evidence_counts(all, v) : must_strdup("");
        char *text = must_format("%s%s%s%s", verdict_means(v), *counts ? " (" : "", counts, *counts ? ")" : "");
        char *first = must_format("%5ld %-17s ", t->with[v], verdict_word(v));
        screen_wrapped(f, s->width, first, text, 24, "");
        free(first);
        free(text);
        free(counts);
    }
}

/* "53 PROVED, 9 SUPPORTED", to be freed */
static char *corrected_counts(const evidence_totals *t)
{
    text_buffer text = { 0 };
    for (size_t k = 0; k < COUNT(verdict_order); k++) {
        const long n = t->corrected_with[verdict_order[k]];
        if (n) text_add(&text, "%s%ld %s", text.length ? ", " : "", n, verdict_word(verdict_order[k]));
    }
    return text_take(&text);
}

/* The commands that go on from here; those of make where there is a Makefile. */
static void write_next(FILE *f, const evidence_set *all, const screen *s, const char *out)
{
    const bool tree = access("Makefile", F_OK) == 0;
    char *folder = shown_text(out);
    const char *an_id = evidence_set_find(all, "K-T4.4") ? "K-T4.4" : all->n ? all->at[0].id : "NAME";
    const struct { bool shown; char *command; const char *does; } next[] = {
        { true, must_format("%s show %s", all->program, an_id),
          "one claim in plain text: sentence, verdict, evidence" },
        { true, must_format("%s/report.html", folder), "the whole report; open it in a browser" },
        { tree, must_strdup("make report"), "the PDF as well" },
        { tree, must_strdup("make reproduce"), "the papers' experiments again, small: about ten minutes" } };
    fprintf(f, "\nNext:\n");
    for (size_t k = 0; k < COUNT(next); k++) {
        char *first = must_format("  %-28s  ", next[k].command);
        if (next[k].shown) screen_wrapped(f, s->width, first, next[k].does, 32, "");
        free(first);
        free(next[k].command);
    }
    free(folder);
}

static void write_foot(FILE *f, const evidence_set *all, const evidence_totals *t, const screen *s)
{
    if (all->partial) {
        fprintf(f, "%ld built: PARTIAL run, no verdicts; %ld PENDING\n", all->built, t->with[V_PENDING]);
        return;
    }
    fprintf(f, "\n");
    verdict_counts(f, all, t, s);
    char *corrected = corrected_counts(t);
    if (*corrected) {
        char *text = must_format("corrected statements: %s", corrected);
        screen_wrapped(f, s->width, "      ", text, 6, "");
        free(text);
    }
    fprintf(f, "      negative controls refuted: %ld of %ld\n", t->refuted, t->controls);
    char *proved = proved_by_text(all);
    screen_wrapped(f, s->width, "      ", proved, 6, "");
    free(proved);
    free(corrected);
}

void closing_table(FILE *f, const evidence_set *all, const screen *s, const char *out)
{
    const evidence_totals t = evidence_totals_of(all);
    layout l = { .all = all, .s = s, .columns = s->width < WIDE ? TITLE + 1 : CLOSING_COLUMNS, .column = {
        [CLAIM] = { .title = "claim", .chars = 5 }, [VERDICT] = { .title = "verdict", .chars = 7 },
        [TITLE] = { .title = "statement" }, [EVIDENCE] = { .title = "evidence", .chars = 8 },
        [HOLDS_FOR] = { .title = "holds for", .chars = SCOPE } } };
    document d = { 0 };
    measure(&l);
    doc_table *table = doc_add_table(&d, TO_TERMINAL, TABLE_PLAIN, l.column, l.columns);
    for (long k = 0; k < all->n; k++)
        if (record_is_built(&all->at[k]) || all->at[k].v.as_stated != V_PENDING) add_claim(table, &l, &all->at[k]);
    write_head(f, all, &t, s);
    write_legend(f, s);
    fprintf(f, "\n");
    terminal_table(f, table, s);
    write_foot(f, all, &t, s);
    if (!all->partial) write_next(f, all, s, out);
    doc_free(&d);
}
