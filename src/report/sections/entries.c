/* SPDX-License-Identifier: GPL-3.0-or-later
 * entries.c - the claims on the page: a filter, and for each claim an entry that says what `provably show` says, then
 * what is missing, and where everything is.  Words first, figures second. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/collect/answers.h"
#include "src/report/collect/coverage.h"
#include "src/report/collect/in_words.h"
#include "src/report/collect/link.h"
#include "src/report/sections/sections.h"
#include "src/report/sections/shown_claim.h"

static doc_line *add_term(doc_block *terms, const char *name) { return &doc_add_item(terms, name)->text; }

/* ---- what is true, and how we know ---- */

static const char *answer_of(const evidence_set *all, const claim_record *c, bool corrected)
{
    const part_verdict *p = judge_speaker(&c->v, corrected);
    return all->partial ? "" : answer_words(corrected ? c->v.corrected : c->v.as_stated, p ? p->by : E_NONE);
}

static const char *const arith_label[ARITHS] = {
    [A_F64] = "doubles ", [A_MPFR] = "slope ", [A_ARB] = "balls ", [A_FP] = "mod p ", [A_Q] = "rationals ",
    [A_SYM] = "symbols " };

/* "doubles 5e-14, slope -1.00, ..."; returns whether there is a figure. */
static bool add_figures(doc_line *to, answer_cell cell[ARITHS])
{
    bool any = false;
    for (int k = 0; k < ARITHS; k++) {
        if (cell[k].kind == CELL_NONE) continue;
        line_format(to, SPAN_TEXT, "%s%s", any ? ", " : "", arith_label[k]);
        section_add_cell(to, cell[k]);
        any = true;
    }
    return any;
}

/* "doubles 5e-14, ..." of the statement as printed, and of the corrected one. */
static void add_group_figures(doc_block *terms, const evidence_set *all, const claim_record *c)
{
    for (int corrected = 0; corrected < 2 && !all->partial; corrected++) {
        answer_cell cell[ARITHS];
        bool any = false;
        for (int k = 0; k < ARITHS; k++) {
            cell[k] = answer_cell_of_group(&c->v, corrected, k);
            any |= cell[k].kind != CELL_NONE;
        }
        if (any) add_figures(add_term(terms, corrected ? "figures, corrected" : "figures"), cell);
    }
}

/* What keeps a SUPPORTED statement from being proved. */
static void add_missing(doc_block *terms, const evidence_set *all, const claim_record *c)
{
    for (int corrected = 0; corrected < 2; corrected++) {
        const part_verdict *p = all->partial ? NULL : judge_speaker(&c->v, corrected);
        if (p && p->is == V_SUPPORTED && p->missing[0])
            line_add(add_term(terms, corrected ? "missing, corrected" : "missing"), SPAN_MIXED, p->missing);
    }
}

/* ---- parts and negative controls ---- */

static void add_remark(doc_line *to, const char *lead, span_kind kind, const char *text)
{
    line_add(to, SPAN_TEXT, " ");
    line_open(to, STYLE_SOFT);
    line_add(to, SPAN_TEXT, lead);
    line_add(to, kind, text);
    line_add(to, SPAN_TEXT, ".");
    line_close(to, STYLE_SOFT);
}

static void add_part_figures(doc_line *to, const evidence_set *all, const part_verdict *p)
{
    char evidence[64], scope[SCOPE_ROOM];
    answer_cell cell[ARITHS];
    if (all->partial || p->by == E_NONE) return;
    evidence_text(evidence, sizeof evidence, p);
    evidence_scope_text(scope, sizeof scope, p);
    line_add(to, SPAN_TEXT, " ");
    line_open(to, STYLE_SOFT);
    line_format(to, SPAN_TEXT, "%s; %s", evidence, scope);
    if (p->assumes->n) line_format(to, SPAN_TEXT, "; uses: %s", p->assumes->text);
    if (p->is == V_SUPPORTED && p->missing[0]) line_format(to, SPAN_MIXED, "; missing: %s", p->missing);
    if (p->lacks[0]) line_format(to, SPAN_MIXED, "; not shown by its program: %s", p->lacks);
    for (int k = 0; k < ARITHS; k++) cell[k] = answer_cell_of_part(p, k);
    line_add(to, SPAN_TEXT, "; ");
    if (add_figures(to, cell)) line_add(to, SPAN_TEXT, "; ");
    line_format(to, SPAN_TEXT, "controls refuted %ld/%ld.", p->refuted, p->controls);
    line_close(to, STYLE_SOFT);
}

/* FORMAL: the theorems that a kernel has accepted of this part, with what it read; `shown`: one that is above
 * already. */
static void add_formal(doc_line *to, const evidence_set *all, const claim_record *c, const part_verdict *p,
                       const formal_theorem *shown)
{
    for (long k = 0; k < all->formal.n; k++) {
        const formal_theorem *t = &all->formal.at[k];
        if (strcmp(t->claim, c->id) != 0 || strcmp(t->part, p->name) != 0 || !t->current) continue;
        line_add(to, SPAN_TEXT, " ");
        if (t == shown) {
            line_styled(to, STYLE_SOFT, "Its formal statement is shown above.");
            continue;
        }
        section_add_theorem(to, all, t);
    }
    char *stale = p->stale ? evidence_formal_text(p) : must_strdup("");
    if (*stale) add_remark(to, "", SPAN_TEXT, stale);
    free(stale);
}

/* Beside the printed sentence: the theorem of the part that speaks for the statement as printed, else for the repaired
 * one.  NULL: there is none. */
static const formal_theorem *add_statement(doc_block *terms, const evidence_set *all, const claim_record *c)
{
    for (int corrected = 0; corrected < 2 && !all->partial; corrected++) {
        const part_verdict *p = judge_speaker(&c->v, corrected);
        if (!p || !p->theorem) continue;
        section_add_theorem(add_term(terms, corrected ? "formally, corrected" : "formally"), all, p->theorem);
        return p->theorem;
    }
    return NULL;
}

static void add_part(doc_block *terms, const evidence_set *all, const claim_record *c, const part_verdict *p,
                     const formal_theorem *shown)
{
    const part_text *t = claim_text_part(&c->text, p->name);
    doc_item *item = doc_add_item(terms, NULL);
    doc_line *to = &item->text;
    item->name = true;
    line_add(&item->term, SPAN_TEXT, p->name);
    section_add_verdict(to, all, p->is);
    line_add(to, SPAN_TEXT, " ");
    if (t && t->statement) {
        line_add(to, SPAN_LATEX, t->statement);
        line_add(to, SPAN_TEXT, ".");
    }
    add_part_figures(to, all, p);
    if (t && t->sets) add_remark(to, "The models have ", SPAN_TEXT, t->sets);
    if (t && t->sets_reduced) add_remark(to, "The reduced models have ", SPAN_TEXT, t->sets_reduced);
    char *subject = part_text_subject(t);
    if (subject) add_remark(to, "Facts about ", SPAN_TEXT, subject);
    free(subject);
    if (t && t->basis) add_remark(to, "Decided by ", SPAN_LATEX, t->basis);
    if (t && t->without) {
        char *lead = must_format("Not over %s: ", t->without);
        add_remark(to, lead, SPAN_LATEX, t->why_without);
        free(lead);
    }
    if (verdict_fails(p->is) && p->why[0]) add_remark(to, "Fails: ", SPAN_TEXT, p->why);
    add_formal(to, all, c, p, shown);
}

/* Variants that several parts share are one: how often each was caught, of its decided trials. */
static void add_controls(document *d, const claim_record *c)
{
    control_count *all;
    const long n = record_controls(c, &all);
    doc_block *list = NULL;
    for (long k = 0; k < n; k++) {
        long refuted = 0, decided = 0, first = k;
        for (long i = n - 1; i >= 0; i--) {
            if (strcmp(all[i].name, all[k].name) != 0 || strcmp(all[i].why, all[k].why) != 0) continue;
            refuted += all[i].refuted;
            decided += all[i].decided;
            first = i;
        }
        if (first < k) continue;
        if (!list) {
            line_add(&doc_add(d, BLOCK_FOLD, TO_HTML)->text, SPAN_TEXT, "Variants with a deliberate error");
            list = doc_add(d, BLOCK_BULLETS, TO_HTML);
        }
        doc_line *to = &doc_add_item(list, NULL)->text;
        line_format(to, SPAN_TEXT, "%s: ", all[k].name);
        line_add(to, SPAN_MIXED, all[k].why);
        line_format(to, SPAN_TEXT, ", caught %ld/%ld", refuted, decided);
    }
    if (list) doc_add(d, BLOCK_FOLD_END, TO_HTML);
    free(all);
}

/* ---- where everything is ---- */

static void add_file(doc_line *to, const evidence_set *all, const char *path)
{
    char *address = link_from(all->out, path);
    line_file(to, path, address);
    free(address);
}

/* Certificates lie beside the evidence. */
static void add_certificates(doc_block *terms, const evidence_set *all, const claim_record *c, const char *program)
{
    const proof *first = NULL;
    long n = 0;
    for (long k = 0; k < all->accepted.n; k++) {
        if (strcmp(all->accepted.at[k].id, c->id) != 0) continue;
        if (!first) first = &all->accepted.at[k];
        n++;
    }
    if (!first) return;
    doc_line *to = add_term(terms, "certificates");
    char *path = must_format("%s/../certificates/%s/%s.cert", all->evidence, program, first->certificate);
    char *shown = must_format("%s.cert", first->certificate), *address = link_from(all->out, path);
    line_file(to, shown, address);
    if (n > 1) line_format(to, SPAN_TEXT, " and %ld more beside it", n - 1);
    line_add(to, SPAN_TEXT, ", accepted by proofcheck");
    free(path);
    free(shown);
    free(address);
}

static void add_files(doc_block *terms, const evidence_set *all, const claim_record *c)
{
    char program[32];
    record_program(program, sizeof program, c);
    if (!c->entry || !c->entry->program[0]) return;
    char *source = must_format("theorems/%s.c", program);
    doc_line *to = add_term(terms, "program");
    add_file(to, all, source);
    add_certificates(terms, all, c, program);
    free(source);
}

/* "causal mask 27, GELU 9": decided trials with each switch of the model. */
static void add_coverage(doc_block *terms, const claim_record *c)
{
    doc_line *to = NULL;
    for (int s = 0; s < SWITCHES; s++) {
        const char *why;
        long count;
        if (coverage_of(c, s, &count, &why) != COVERAGE_TRIED || !count) continue;
        const bool first = !to;
        if (first) to = add_term(terms, "tried with");
        line_format(to, SPAN_TEXT, "%s%s %ld", first ? "" : ", ", coverage_switch_names[s], count);
    }
}

/* ---- the rest of an entry ---- */

static void add_uses(doc_block *terms, const evidence_set *all, const char *ids)
{
    if (!ids || !*ids) return;
    char *copy = must_strdup(ids), *save = NULL;
    doc_line *to = add_term(terms, "uses");
    for (char *id = strtok_r(copy, " ,", &save); id; id = strtok_r(NULL, " ,", &save)) {
        if (to->n) line_add(to, SPAN_TEXT, ", ");
        line_link(to, id, evidence_set_find(all, id) ? id : NULL);
    }
    free(copy);
}

/* Planned comparisons of runs with seeds that are about the claim, beside the recount of what is printed. */
static void add_runs(doc_block *terms, const evidence_set *all, const claim_record *c)
{
    question *q;
    const long n = questions_about(c->id, &q);
    const paper_table *t = paper_table_of(c->id);
    if (t) {
        char *missing = paper_table_price_words(&all->results, t, all->kinds);
        if (*missing) line_format(add_term(terms, "missing runs"), SPAN_TEXT, "%s.", missing);
        free(missing);
    }
    for (long k = 0; k < n; k++) section_add_question(add_term(terms, "comparison"), all, &q[k]);
    free(q);
}

static void add_ladder(document *d, const evidence_set *all, const claim_record *c)
{
    chart plot = chart_ladder(all, c);
    if (!chart_has(&plot, OF_CLAIM)) {                         /* nothing, or exact at every precision */
        chart_free(&plot);
        return;
    }
    doc_block *b = doc_add(d, BLOCK_CHART, TO_HTML);
    plot.small = true;
    b->chart = plot;
    line_add(&b->text, SPAN_TEXT, "Blue dots: the claim, whose gap falls as rounding does (dotted). Orange triangles: "
             "variants with a deliberate error, whose gap stays.");
}

/* "Theorem 4.4" of the middle version where that has it, else of the latest, else of the first; "" of what is new. */
static char *place_of(const claim_record *c)
{
    const claim_entry *e = c->entry;
    const char *at = !e ? "" : e->n003[0] ? e->n003 : e->n000[0] ? e->n000 : e->n001;
    if (strlen(at) == 10 && at[4] == '.') return must_format("arXiv:%s", at);              /* a later text */
    return *at ? place_in_words(at) : must_strdup("");
}

static void add_head(doc_block *head, const evidence_set *all, const claim_record *c, doc_block *filter)
{
    char *title = record_title_latex(c), *where = place_of(c);
    const part_verdict *p = judge_speaker(&c->v, false);
    const claim_group family = record_family(c), source = record_source(c);
    const char *word = verdict_shown(all, c->v.as_stated), *by = p && !all->partial ? evidence_word(p->by) : "";
    head->id = must_strdup(c->id);
    head->plain = must_strdup(record_title(c));
    head->open = all->built <= 4 && record_is_built(c);
    head->facets = must_format("paper=%s verdict=%s evidence=%s family=%s", source.key, word, *by ? by : "none",
                               family.key);
    line_add(&head->text, SPAN_LATEX, title);
    section_add_verdict(&head->verdict, all, c->v.as_stated);
    line_add(&head->verdict, SPAN_TEXT, " ");
    line_open(&head->verdict, STYLE_SOFT);
    line_format(&head->verdict, SPAN_TEXT, "%s%s%s", where, *where ? ": " : "", answer_of(all, c, false));
    line_close(&head->verdict, STYLE_SOFT);
    doc_add_choice(filter, "paper", "Paper", source.key, source.words);
    doc_add_choice(filter, "verdict", "Verdict", word, word);
    doc_add_choice(filter, "evidence", "Evidence", *by ? by : "none", *by ? by : "none yet");
    doc_add_choice(filter, "family", "Family", family.key, family.words);
    free(title);
    free(where);
}

static void add_item(doc_block *terms, const shown_item *item)
{
    char *name = must_strdup(item->label);
    name[0] = (char)tolower((unsigned char)name[0]);
    doc_line *to = add_term(terms, name);
    for (long k = 0; k < item->n; k++) {
        if (k) line_add(to, SPAN_NEWLINE, "");
        line_append(to, &item->line[k]);
    }
    free(name);
}

/* What `provably show` says, in the same order, and between it what only a page has room for. */
static const formal_theorem *add_shown(doc_block *terms, const evidence_set *all, const claim_record *c)
{
    shown_claim s = shown_claim_of(all, c, all->evidence);
    const formal_theorem *theorem = NULL;
    for (long k = 0; k < s.details; k++) {
        const char *key = s.item[k].key, *next = k + 1 < s.details ? s.item[k + 1].key : "";
        add_item(terms, &s.item[k]);
        if (strcmp(key, "printed") == 0 || (strcmp(key, "where") == 0 && strcmp(next, "printed") != 0))
            theorem = add_statement(terms, all, c);
    }
    shown_claim_free(&s);
    return theorem;
}

static void add_entry(document *d, const evidence_set *all, const claim_record *c, doc_block *filter)
{
    doc_block *head = doc_add(d, BLOCK_ENTRY, TO_HTML), *terms = doc_add(d, BLOCK_TERMS, TO_HTML);
    add_head(head, all, c, filter);
    const formal_theorem *shown = add_shown(terms, all, c);
    add_group_figures(terms, all, c);
    add_missing(terms, all, c);
    section_add_quotations(terms, "presupposed", c->text.standing, c->text.standings, quotations_note(&c->text));
    add_uses(terms, all, c->text.depends);
    add_runs(terms, all, c);
    add_files(terms, all, c);
    if (record_is_built(c)) {
        doc_block *fold = doc_add(d, BLOCK_FOLD, TO_HTML);
        doc_block *parts = doc_add(d, BLOCK_TERMS, TO_HTML);
        line_format(&fold->text, SPAN_TEXT, "Part by part, with figures (%ld)", c->v.parts);
        for (long p = 0; p < c->v.parts; p++) add_part(parts, all, c, &c->v.part[p], shown);
        add_coverage(parts, c);
        doc_add(d, BLOCK_FOLD_END, TO_HTML);
        add_controls(d, c);
    }
    section_add_measured(d, c);
    add_ladder(d, all, c);
    doc_add(d, BLOCK_ENTRY_END, TO_HTML);
}

void section_entries(document *d, const evidence_set *all)
{
    doc_section(d, TO_HTML, "claims", "Claim by claim", "Claims");
    doc_block *filter = doc_add(d, BLOCK_FILTER, TO_HTML);
    evidence_set here = *all;                            /* a page is read on other machines: no folder of this one */
    if (here.program[0] == '/') here.program = "provably";
    for (long k = 0; k < all->n; k++) add_entry(d, &here, &here.at[k], filter);
}
