/* table.c - the closing table: what `make check` ends with, at most 100 columns wide.
 *
 * Per claim what we say (verdict) and what stands behind it (evidence, and how far it reaches); below it the numbers of
 * each arithmetic and how many broken variants were caught; the same for a corrected statement.  The foot counts the
 * verdicts and says what each word means.  What fails, and why, is in failures.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/book.h"

enum { WIDE = REPORT_COLUMNS, INDENT = 4, SCOPE = 29 };
static const struct { int over; const char *name; } column[] = {
    { A_F64, "f64" }, { A_MPFR, "mpfr" }, { A_ARB, "ball" }, { A_FP, "F_q" }, { A_Q, "Q" } };

typedef struct { FILE *f; const book *b; int claim, title, verdict, evidence; } sheet;    /* widths of columns */

static void widen(int *width, const char *text, int most)
{
    const int n = (int)strlen(text);
    if (n > *width && n <= most) *width = n;
}

static sheet measure(FILE *f, const book *b)
{
    sheet s = { .f = f, .b = b, .claim = 5, .verdict = 7, .evidence = 8 };
    for (long k = 0; k < b->n; k++) {
        const claim_verdict *v = &b->at[k].v;
        char text[64];
        if (!b->at[k].own.n) continue;
        widen(&s.claim, b->at[k].id, 14);
        for (int corrected = 0; corrected < 2; corrected++) {
            widen(&s.verdict, verdict_shown(b, corrected ? v->corrected : v->as_stated), 11);
            group_evidence(text, sizeof text, b, v, corrected);
            widen(&s.evidence, text, 15);
        }
    }
    s.title = WIDE - (s.claim + 1) - 1 - (s.verdict + 1) - (s.evidence + 1) - SCOPE;
    return s;
}

/* Cut to its column; ".." says so. */
static void cell(FILE *f, const char *text, int width)
{
    if ((int)strlen(text) <= width) fprintf(f, "%-*s ", width, text);
    else fprintf(f, "%.*s.. ", width - 2, text);
}

/* A verdict longer than its column takes that of the evidence, too. */
static void answers(const sheet *s, const chapter *c, bool corrected)
{
    char behind[64], scope[128];
    const verdict is = corrected ? c->v.corrected : c->v.as_stated;
    const char *word = verdict_shown(s->b, is);
    group_evidence(behind, sizeof behind, s->b, &c->v, corrected);
    group_scope(scope, sizeof scope, s->b, &c->v, corrected);
    if ((int)strlen(word) > s->verdict) cell(s->f, word, s->verdict + 1 + s->evidence);
    else {
        cell(s->f, word, s->verdict);
        cell(s->f, behind, s->evidence);
    }
    if ((int)strlen(scope) > SCOPE) fprintf(s->f, "%.*s..\n", SCOPE - 2, scope);
    else fprintf(s->f, "%s\n", scope);
}

/* Numbers of the group in each arithmetic, or the measured figure, or how it was decided where nothing is a number. */
static int numbers(const sheet *s, const chapter *c, bool corrected)
{
    char headline[WIDE];
    int used = 0;
    for (size_t k = 0; k < COUNT(column); k++) {
        char text[32];
        const figure x = figure_of_group(&c->v, corrected, column[k].over);
        if (x.kind == FIG_NONE) continue;
        figure_text(text, sizeof text, x);
        used += fprintf(s->f, "%s%s %s", used ? "  " : "", column[k].name, text);
    }
    if (chapter_headline(c, corrected, headline, sizeof headline))
        used += fprintf(s->f, "%s%s", used ? "  " : "", headline);
    const part_verdict *p = judge_speaker(&c->v, corrected);
    if (!used && p && p->basis[0]) used += fprintf(s->f, "%.70s", p->basis);
    return used;
}

static void numbers_line(const sheet *s, const chapter *c, bool corrected)
{
    char paper[32] = "";
    if (!corrected) chapter_paper(paper, sizeof paper, c);
    fprintf(s->f, "%*s%s%s", INDENT, "", paper, *paper ? "  " : "");
    const int used = numbers(s, c, corrected);
    if (!corrected && c->v.controls)
        fprintf(s->f, "%sbreaks caught %ld/%ld", used ? "  " : "", c->v.refuted, c->v.controls);
    fprintf(s->f, "\n");
    const part_verdict *p = judge_speaker(&c->v, corrected);
    if (p && p->is == V_SUPPORTED && p->missing[0] && !s->b->partial) {
        char *text = must_format("    missing: %s", p->missing), plain[256];
        ascii_math(plain, sizeof plain, text + 4);
        report_wrapped(s->f, "    ", plain, "");
        free(text);
    }
}

static const char *first_statement(const chapter *c)
{
    for (const part_text *p = c->text.part; p < c->text.part + c->text.parts; p++)
        if (part_is_corrected(p->name) && p->statement) return p->statement;
    return "";
}

static void claim_lines(const sheet *s, const chapter *c)
{
    char statement[WIDE], words[2 * WIDE];
    cell(s->f, c->id, s->claim);
    cell(s->f, chapter_title(c), s->title);
    answers(s, c, false);
    if (!c->own.n) return;                                     /* decided by recorded runs */
    numbers_line(s, c, false);
    if (c->v.corrected == V_NONE) return;
    ascii_math(statement, sizeof statement, first_statement(c));
    snprintf(words, sizeof words, "corrected: %s", statement);
    fprintf(s->f, "%*s", INDENT, "");
    cell(s->f, words, s->claim + 1 + s->title - INDENT);
    answers(s, c, true);
    numbers_line(s, c, true);
}

/* ---- head and foot --------------------------------------------------------------------------- */

static void head(const sheet *s, const totals *t)
{
    const book *b = s->b;
    char left[2 * WIDE], right[32];
    snprintf(right, sizeof right, "%.0f s", t->seconds);
    snprintf(left, sizeof left, "Provably %s   %ld of %ld claims built, seed %llu%s, %d thread%s, BLAS %s",
             b->version, b->built, b->n, (unsigned long long)t->seed, t->seeds > 1 ? " and others" : "",
             t->threads, t->threads == 1 ? "" : "s", t->blas);
    fprintf(s->f, "%-*.*s%s\n", WIDE - (int)strlen(right), WIDE - (int)strlen(right), left, right);
    if (t->build[0]) fprintf(s->f, "%s\n", t->build);
    cell(s->f, "claim", s->claim);
    cell(s->f, "statement", s->title);
    cell(s->f, "verdict", s->verdict);
    cell(s->f, "evidence", s->evidence);
    fprintf(s->f, "holds for\n");
}

/* "28 derived, 13 exact" of the claims as stated with this verdict, to be freed */
static char *evidence_counts(const book *b, verdict is)
{
    long n[EVIDENCES] = { 0 };
    for (long k = 0; k < b->n; k++) {
        const part_verdict *p = judge_speaker(&b->at[k].v, false);
        if (p && b->at[k].v.as_stated == is) n[p->by]++;
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

static void verdict_counts(const sheet *s, const totals *t)
{
    for (size_t k = 0; k < COUNT(verdict_order); k++) {
        const verdict v = verdict_order[k];
        if (!t->with[v]) continue;
        char *counts = v == V_PROVED || v == V_SUPPORTED ? evidence_counts(s->b, v) : must_strdup("");
        char *text = must_format("%s%s%s%s", verdict_means(v), *counts ? " (" : "", counts, *counts ? ")" : "");
        char *first = must_format("%5ld %-22s ", t->with[v], verdict_word(v));
        report_wrapped(s->f, first, text, "");
        free(first);
        free(text);
        free(counts);
    }
}

/* "53 PROVED, 9 SUPPORTED", to be freed */
static char *corrected_counts(const totals *t)
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

static void foot(const sheet *s, const totals *t)
{
    if (s->b->partial) {
        fprintf(s->f, "%ld built: PARTIAL run, no verdicts; %ld PENDING\n", s->b->built, t->with[V_PENDING]);
        return;
    }
    fprintf(s->f, "\n");
    verdict_counts(s, t);
    char *corrected = corrected_counts(t);
    if (*corrected) fprintf(s->f, "      corrected statements: %s\n", corrected);
    fprintf(s->f, "      broken variants caught: %ld of %ld\n", t->refuted, t->controls);
    free(corrected);
}

void report_table(FILE *f, const book *b)
{
    const totals t = book_totals(b);
    const sheet s = measure(f, b);
    head(&s, &t);
    for (long k = 0; k < b->n; k++) {
        if (!b->at[k].own.n && b->at[k].v.as_stated == V_PENDING) continue;
        claim_lines(&s, &b->at[k]);
    }
    foot(&s, &t);
}
