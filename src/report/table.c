/* table.c - the closing table: what `make check` ends with, at most 100 columns wide.
 *
 * One line per built claim, one for its controls, one for the corrected statement; then the count of
 * verdicts.  What fails, and why, is in failures.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/book.h"

enum { WIDE = REPORT_COLUMNS, INDENT = 8, NUMBERS = 5 };
static const struct { int over; const char *name; } column[NUMBERS] = {
    { A_F64, "f64" }, { A_MPFR, "mpfr" }, { A_ARB, "ball" }, { A_FP, "F_q" }, { A_Q, "Q" } };

/* Widths of the columns: what the book needs; the title has the rest of the line. */
typedef struct {
    FILE *f;
    const book *b;
    int claim, paper, title, number[NUMBERS], numbers, scope, verdict;     /* numbers: all five together */
} sheet;

static const char *short_scope(const char *scope)
{
    return strncmp(scope, "this ", 5) == 0 ? scope + 5 : scope;
}

static void widen(int *width, const char *text)
{
    const int n = (int)strlen(text);
    if (n > *width) *width = n;
}

/* A verdict longer than this reaches into the column of the scope, which is empty then. */
enum { LONG_VERDICT = 12 };

static void widen_verdict(sheet *s, verdict v)
{
    const char *word = verdict_shown(s->b, v);
    if (strlen(word) <= LONG_VERDICT) widen(&s->verdict, word);
}

static void measure_claim(sheet *s, const chapter *c)
{
    char text[32];
    chapter_paper(text, 16, c);
    widen(&s->paper, text);
    widen(&s->claim, c->id);
    for (int corrected = 0; corrected < 2; corrected++) {
        widen_verdict(s, corrected ? c->v.corrected : c->v.as_stated);
        for (int k = 0; k < NUMBERS; k++) {
            figure_text(text, sizeof text, figure_of_group(&c->v, corrected, column[k].over));
            widen(&s->number[k], text);
        }
    }
}

static sheet measure(FILE *f, const book *b)
{
    sheet s = { .f = f, .b = b, .claim = 5, .paper = 5, .scope = 9, .verdict = 8, .number = { 5, 5, 5, 5, 1 } };
    for (long k = 0; k < b->n; k++) if (b->at[k].own.n) measure_claim(&s, &b->at[k]);
    for (int k = 0; k < NUMBERS; k++) s.numbers += s.number[k] + 1;
    s.title = WIDE - (s.claim + 1) - (s.paper + 1) - 1 - s.numbers - (s.scope + 1) - s.verdict;
    return s;
}

/* Cut to its column; ".." says so. */
static void cell(FILE *f, const char *text, int width)
{
    if ((int)strlen(text) <= width) fprintf(f, "%-*s ", width, text);
    else fprintf(f, "%.*s.. ", width - 2, text);
}

static void numbers(const sheet *s, const claim_verdict *v, bool corrected)
{
    for (int k = 0; k < NUMBERS; k++) {
        char text[32];
        figure_text(text, sizeof text, figure_of_group(v, corrected, column[k].over));
        fprintf(s->f, "%*s ", s->number[k], text);
    }
}

static bool has_numbers(const claim_verdict *v, bool corrected)
{
    for (int k = 0; k < ARITHS; k++) if (figure_of_group(v, corrected, k).kind != FIG_NONE) return true;
    return false;
}

/* The first part of a group that does not rest on plain equality; of those that decide it, if there are any. */
static const char *basis_of(const claim_verdict *v, bool corrected)
{
    const verdict is = corrected ? v->corrected : v->as_stated;
    for (int deciding = 1; deciding >= 0; deciding--)
        for (long k = 0; k < v->parts; k++) {
            const part_verdict *p = &v->part[k];
            if (part_is_corrected(p->name) == corrected && p->basis[0] && (!deciding || p->is == is)) return p->basis;
        }
    return "";
}

/* Numbers; or a measured figure; or where there are none, or where parts that hold stand beside a witness, how it
 * was decided. */
static void evidence(const sheet *s, const chapter *c, bool corrected)
{
    char headline[WIDE];
    const verdict is = corrected ? c->v.corrected : c->v.as_stated;
    const char *basis = basis_of(&c->v, corrected);
    const bool counted = has_numbers(&c->v, corrected), by_witness = (is == V_REFUTED || is == V_CAVEAT) && *basis;
    const bool measured_here = chapter_headline(c, corrected, headline, sizeof headline);
    if (measured_here && (is == V_MEASURED || (!counted && !by_witness))) cell(s->f, headline, s->numbers - 1);
    else if (counted && !by_witness)                     numbers(s, &c->v, corrected);
    else                                                 cell(s->f, basis, s->numbers - 1);
}

static void scope_and_verdict(const sheet *s, const claim_verdict *v, bool corrected)
{
    const char *word = verdict_shown(s->b, corrected ? v->corrected : v->as_stated);
    if ((int)strlen(word) > s->verdict) {
        fprintf(s->f, "%*s\n", s->scope + 1 + s->verdict, word);
        return;
    }
    cell(s->f, short_scope(group_scope(v, corrected)), s->scope);
    fprintf(s->f, "%s\n", word);
}

static void claim_line(const sheet *s, const chapter *c)
{
    char paper[16];
    chapter_paper(paper, (size_t)s->paper + 1, c);
    cell(s->f, c->id, s->claim);
    cell(s->f, paper, s->paper);
    cell(s->f, chapter_title(c), s->title);
    evidence(s, c, false);
    scope_and_verdict(s, &c->v, false);
}

static const char *first_statement(const chapter *c)
{
    for (const part_text *p = c->text.part; p < c->text.part + c->text.parts; p++)
        if (part_is_corrected(p->name) && p->statement) return p->statement;
    return "";
}

static void corrected_line(const sheet *s, const chapter *c)
{
    char statement[WIDE], words[2 * WIDE];
    const int indent = s->claim > INDENT ? INDENT : s->claim;
    if (c->v.corrected == V_NONE) return;
    ascii_math(statement, sizeof statement, first_statement(c));
    snprintf(words, sizeof words, "corrected: %s", statement);
    fprintf(s->f, "%*s", indent, "");
    cell(s->f, words, s->claim + 1 + s->paper + 1 + s->title - indent);
    evidence(s, c, true);
    scope_and_verdict(s, &c->v, true);
}

static void controls_line(const sheet *s, const chapter *c)
{
    control_count *all;
    const long n = chapter_controls(c, &all);
    int used = fprintf(s->f, "%*scontrols refuted %ld/%ld", INDENT, "", c->v.refuted, c->v.controls);
    for (long k = 0, shown = 0; k < n; k++) {
        bool before = false;
        for (long i = 0; i < k; i++) before |= strcmp(all[i].name, all[k].name) == 0;
        if (before) continue;
        if (used + 2 + (int)strlen(all[k].name) > WIDE - 5) { fprintf(s->f, ", ..."); break; }
        used += fprintf(s->f, "%s%s", shown++ ? ", " : ": ", all[k].name);
    }
    fprintf(s->f, "\n");
    free(all);
}

/* ---- head and foot --------------------------------------------------------------------------- */

static void head(const sheet *s, const totals *t)
{
    const book *b = s->b;
    char left[WIDE], right[32];
    snprintf(right, sizeof right, "%.0f s", t->seconds);
    snprintf(left, sizeof left, "Provably %s   %ld of %ld claims built, seed %llu%s, %d thread%s, BLAS %s",
             b->version, b->built, b->n, (unsigned long long)t->seed, t->seeds > 1 ? " and others" : "",
             t->threads, t->threads == 1 ? "" : "s", t->blas);
    fprintf(s->f, "%-*.*s%s\n", WIDE - (int)strlen(right), WIDE - (int)strlen(right), left, right);
    cell(s->f, "claim", s->claim);
    cell(s->f, "paper", s->paper);
    cell(s->f, "statement", s->title);
    for (int k = 0; k < NUMBERS; k++) fprintf(s->f, "%*s ", s->number[k], column[k].name);
    cell(s->f, "scope", s->scope);
    fprintf(s->f, "verdict\n");
}

/* "3 PROVED, 1 REFUTED", PENDING left out; what they count is up to the caller. */
static char *counts(const long with[])
{
    char *text = must_strdup("");
    for (int v = V_UNDECIDED; v <= V_FAILED; v++) {
        if (!with[v] || v == V_PENDING) continue;
        char *longer = must_format("%s%s%ld %s", text, *text ? ", " : "", with[v], verdict_word((verdict)v));
        free(text);
        text = longer;
    }
    return text;
}

static void foot(const sheet *s, const totals *t)
{
    char *as_stated = counts(t->with), *corrected = counts(t->corrected_with);
    char *verdicts = s->b->partial ? must_strdup("PARTIAL run, no verdicts")
                   : must_format("%s%s%s%s", *as_stated ? as_stated : "none", *corrected ? " (corrected: " : "",
                                 corrected, *corrected ? ")" : "");
    char *text = must_format("%ld built: %s; %ld PENDING", s->b->built, verdicts, t->with[V_PENDING]);
    report_wrapped(s->f, "", text, "");
    free(text);
    free(verdicts);
    free(as_stated);
    free(corrected);
}

void report_table(FILE *f, const book *b)
{
    const totals t = book_totals(b);
    const sheet s = measure(f, b);
    head(&s, &t);
    for (long k = 0; k < b->n; k++) {
        if (!b->at[k].own.n && b->at[k].v.as_stated == V_PENDING) continue;
        claim_line(&s, &b->at[k]);
        if (!b->at[k].own.n) continue;                          /* decided by recorded runs */
        controls_line(&s, &b->at[k]);
        corrected_line(&s, &b->at[k]);
    }
    foot(&s, &t);
}
