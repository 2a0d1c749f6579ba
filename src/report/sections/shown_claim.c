/* SPDX-License-Identifier: GPL-3.0-or-later
 * shown_claim.c - see shown_claim.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/places.h"
#include "src/report/collect/in_words.h"
#include "src/report/collect/tried_sizes.h"
#include "src/report/document/plain_text.h"
#include "src/report/sections/sections.h"
#include "src/report/sections/shown_claim.h"

/* ---- items ------------------------------------------------------------------------------------------------- */

/* Takes the text and the line; an empty text adds nothing.  Texts of one key stand together. */
static void add_line(shown_claim *s, const char *key, const char *label, char *text, doc_line line)
{
    if (!*text) {
        free(text);
        line_free(&line);
        return;
    }
    shown_item *last = s->n ? &s->item[s->n - 1] : NULL;
    if (!last || strcmp(last->key, key) != 0) {
        s->item = must_realloc(s->item, (size_t)s->n + 1, sizeof *s->item);
        last = &s->item[s->n++];
        *last = (shown_item){ .key = key, .label = label };
    }
    last->text = must_realloc(last->text, (size_t)last->n + 1, sizeof *last->text);
    last->line = must_realloc(last->line, (size_t)last->n + 1, sizeof *last->line);
    last->line[last->n] = line;
    last->text[last->n++] = text;
}

/* Takes the text. */
static void add(shown_claim *s, const char *key, const char *label, char *text)
{
    doc_line line = { 0 };
    section_add_words(&line, text);
    add_line(s, key, label, text, line);
}

/* LaTeX as text, with the versions by name. */
static char *readable(const char *latex)
{
    char *plain = latex_as_text(latex ? latex : ""), *words = papers_in_words(plain);
    free(plain);
    return words;
}

static void add_latex(shown_claim *s, const char *key, const char *label, const char *latex)
{
    doc_line line = { 0 };
    line_add(&line, SPAN_LATEX, latex);
    add_line(s, key, label, readable(latex), line);
}

verdict shown_verdict(const shown_claim *s, bool corrected)
{
    if (!s->run && !s->agreed.id[0]) return corrected ? V_NONE : V_PENDING;
    return !s->run ? s->agreed.is[corrected] : corrected ? s->c->v.corrected : s->c->v.as_stated;
}

bool shown_as_meant(const shown_claim *s)
{
    return s->run ? s->c->v.as_meant : s->agreed.as_meant;
}

static const part_verdict *speaker(const shown_claim *s, bool corrected)
{
    return s->run ? judge_speaker(&s->c->v, corrected) : NULL;
}

/* Of a group that is FORMAL, the k-th further part that holds for something else; NULL: there are fewer. */
static const part_verdict *other_theorem(const shown_claim *s, bool corrected, long k)
{
    return s->run ? judge_theorem(&s->c->v, corrected, k) : NULL;
}

evidence_kind shown_evidence(const shown_claim *s, bool corrected)
{
    const part_verdict *p = speaker(s, corrected);
    return !s->run ? s->agreed.by[corrected] : p ? p->by : E_NONE;
}

/* ---- what is printed --------------------------------------------------------------------------------------- */

/* "Karbevski & Mijoski, arXiv:2510.23912: Theorem 4.1 (first version), ..." */
static char *where(const claim_entry *e)
{
    const bool second = e->source == SOURCE_BERMEITINGER, known = second || e->source == SOURCE_KARBEVSKI;
    const char *const number[] = { e->n001, e->n003, e->n000 };
    if (!e->id[0]) return must_strdup("");
    if (!known && e->n003[0]) return must_format("not in the two papers; about arXiv:%s", e->n003);
    if (!known) return must_strdup("not in the two papers: a statement of this suite");
    text_buffer text = { 0 };
    if (e->kind_of == CLAIM_NEW) text_add(&text, "a statement of this suite, not of the paper; about ");
    text_add(&text, "%s", papers[second ? TEXT_002 : TEXT_003].paper);
    const char *before = ": ";
    for (int k = 0; k < TEXTS - 1; k++) {
        if (!number[k][0]) continue;
        char *at = place_in_words(number[k]);
        text_add(&text, second ? "%s%s" : "%s%s (%s)", before, at, papers[k].label);
        free(at);
        before = ", ";
    }
    return text_take(&text);
}

/* The sentences of one place of one version, which begin with number k, as one text, and in the line; returns the
 * first of another place. */
static long quoted(const quotation *q, long n, long k, char **text, doc_line *line)
{
    char *source = quotation_source(&q[k]);
    text_buffer all = { 0 };
    long next = k;
    text_add(&all, "%s%s:", source, papers[q[k].in].formulas_lost ? " (our copy lacks most formulas)" : "");
    line_add(line, SPAN_TEXT, all.at);
    for (; next < n && quotation_same_place(&q[next], &q[k]); next++) {
        char *says = quotation_as_text(q[next].says);
        text_add(&all, " \"%s\"", says);
        line_add(line, SPAN_TEXT, " ");
        line_open(line, STYLE_QUOTE);
        line_add(line, SPAN_QUOTED, q[next].says);
        line_close(line, STYLE_QUOTE);
        free(says);
    }
    free(source);
    *text = text_take(&all);
    return next;
}

/* The complete text of one version, and where the others print it: on the page their texts are folded under it. */
static void add_quotation(shown_claim *s, const quotation *q, long n)
{
    const paper_text best = quotations_best(q, n);
    text_buffer others = { 0 };
    doc_line folded = { 0 }, line;
    for (long k = 0, next = 0; k < n; k = next) {
        char *text, *source = quotation_source(&q[k]);
        const bool first = q[k].in == best;
        line = (doc_line){ 0 };
        if (!first && folded.n) line_add(&folded, SPAN_NEWLINE, "");
        next = quoted(q, n, k, &text, first ? &line : &folded);
        if (first) add_line(s, "printed", "As printed", text, line);
        else {
            text_add(&others, "%s%s", others.length ? "; " : "also printed in: ", source);
            free(text);
        }
        free(source);
    }
    line = (doc_line){ 0 };
    line_open(&line, STYLE_FOLD);
    line_styled(&line, STYLE_FOLD_HEAD, others.at);
    line_append(&line, &folded);
    line_close(&line, STYLE_FOLD);
    line_free(&folded);
    add_line(s, "printed", "As printed", text_take(&others), line);
}

/* Which clauses of the quotations are judged, where it is not all of them. */
static void add_judged(shown_claim *s, const claim_text *t)
{
    static const char rest[] = "; the rest is quoted for its context";
    text_buffer text = { 0 };
    doc_line line = { 0 };
    if (!t->clauses) return;
    text_add(&text, "only");
    line_add(&line, SPAN_TEXT, "only");
    for (long k = 0; k < t->clauses; k++) {
        char *clause = quotation_as_text(t->judged[k]);
        const char *before = k ? ", " : " ";
        text_add(&text, "%s\"%s\"", before, clause);
        line_add(&line, SPAN_TEXT, before);
        line_open(&line, STYLE_QUOTE);
        line_add(&line, SPAN_QUOTED, t->judged[k]);
        line_close(&line, STYLE_QUOTE);
        free(clause);
    }
    text_add(&text, rest);
    line_add(&line, SPAN_TEXT, rest);
    add_line(s, "judged", "Judged", text_take(&text), line);
}

/* What the other versions print, whole. */
static void add_other_versions(shown_claim *s, const quotation *q, long n)
{
    const paper_text best = quotations_best(q, n);
    for (long k = 0, next = 0; k < n; k = next) {
        char *text;
        doc_line line = { 0 };
        next = quoted(q, n, k, &text, &line);
        if (q[k].in == best) *text = '\0';
        add_line(s, "also", "Also printed", text, line);
    }
}

/* What the sections assume: the texts that have their formulas; the places of others, where there is one that has. */
static void add_presupposed(shown_claim *s, const quotation *q, long n)
{
    static const char key[] = "presupposed", label[] = "Presupposed";
    bool whole = false;
    text_buffer others = { 0 };
    for (long k = 0; k < n; k++) whole |= !papers[q[k].in].formulas_lost;
    for (long k = 0, next = 0; k < n; k = next) {
        char *text, *source = quotation_source(&q[k]);
        doc_line line = { 0 };
        next = quoted(q, n, k, &text, &line);
        if (whole && papers[q[k].in].formulas_lost) {
            text_add(&others, "%s%s", others.length ? "; " : "likewise ", source);
            *text = '\0';
        }
        add_line(s, key, label, text, line);
        free(source);
    }
    add(s, key, label, text_take(&others));
}

/* ---- what is true ------------------------------------------------------------------------------------------ */

static bool shows_a_fault(verdict v)
{
    return v == V_CAVEAT || v == V_SLIP || v == V_REFUTED || v == V_HYPOTHESIS_FAILED || v == V_UNCHECKABLE;
}

/* What a part says of the printed sentence, where that has a fault: what is right of it, or what is wrong. */
typedef enum { ANY_OF_THEM, THE_RIGHT, THE_WRONG } which_statements;

static bool is_among(which_statements which, const part_text *p)
{
    const int kind = p->kind ? part_kind_index(p->kind) : -1;
    return which == ANY_OF_THEM || (kind >= 0 && part_shows_facts((part_kind)kind)) == (which == THE_WRONG);
}

static void add_statements(shown_claim *s, const char *key, const char *label, part_role role, which_statements which)
{
    enum { FEW = 2 };
    const claim_text *t = &s->c->text;
    long n = 0;
    for (const part_text *p = t->part; p < t->part + t->parts; p++) {
        const part_role is = claim_text_role(t, p);
        if ((part_role_illustrates(is) ? ROLE_ILLUSTRATION : is) != role) continue;
        if (!is_among(which, p) || !p->statement) continue;
        if (n++ >= FEW) continue;
        add_latex(s, key, label, p->statement);
    }
    if (n > FEW)
        add(s, key, label, must_format("and %ld more: %s run %s --list", n - FEW, s->all->program, s->c->id));
}

/* "PROVED.  True: a checked proof ...", the word as a badge on the page.  A part of the plan is no verdict. */
static void add_verdict(shown_claim *s, const char *key, const char *label, bool corrected)
{
    const verdict is = shown_verdict(s, corrected);
    const char *word = verdict_shown(s->all, is);
    char *alone = verdict_in_words(is, shown_evidence(s, corrected), speaker(s, corrected));
    const char *meant = "As it is meant (see below); as it is printed it needs that reading.  ";
    char *words = must_format("%s%s", !corrected && shown_as_meant(s) ? meant : "", alone);
    const char *means = s->all->partial && is != V_PENDING ? "A part of the plan is no verdict." : words;
    doc_line line = { 0 };
    section_add_verdict(&line, s->all, is);
    line_format(&line, SPAN_TEXT, ".  %s", means);
    add_line(s, key, label, must_format("%s.  %s", word, means), line);
    free(alone);
    free(words);
}

/* Does the sentence depend on this claim, with this verdict? */
static bool is_answer(const finding *x, const char *claim, const char *is)
{
    const char *left = x->rows;
    char id[NAME_SIZE], word[24];
    while (findings_next_row(&left, id, word)) if (strcmp(id, claim) == 0 && strcmp(word, is) == 0) return true;
    return false;
}

/* The sentence of findings.csv that was written for this verdict; one for practitioners, who ask something else, only
 * where there is no other. */
static void add_answer(shown_claim *s)
{
    const char *is = verdict_word(shown_verdict(s, false));
    const finding *best = NULL;
    for (const finding *x = s->all->found.at; x < s->all->found.at + s->all->found.n; x++) {
        const bool other = best && best->about != ABOUT_PRACTICE;
        if (!other && is_answer(x, s->c->id, is)) best = x;
    }
    if (best) add_latex(s, "answer", "In short", best->sentence);
}

static void add_truth(shown_claim *s)
{
    const verdict as_stated = shown_verdict(s, false), corrected = shown_verdict(s, true);
    const bool fault = shows_a_fault(as_stated);
    if (fault) {
        add_statements(s, "right", "Right", ROLE_SENTENCE, THE_RIGHT);
        add_statements(s, "wrong", as_stated == V_UNCHECKABLE ? "Missing" : "Wrong", ROLE_SENTENCE, THE_WRONG);
    } else
        add_statements(s, "statement", as_stated == V_PROVED ? "What is true" : as_stated == V_SUPPORTED ? "Tested"
                       : as_stated == V_MEASURED ? "Measured" : "Shown", ROLE_SENTENCE, ANY_OF_THEM);
    if (corrected != V_NONE) {
        add_verdict(s, "corrected", fault ? "Corrected" : "Also", true);
        add_statements(s, "corrected", "", ROLE_CORRECTED, ANY_OF_THEM);
    }
    add_statements(s, "beside", "Beside it", ROLE_ILLUSTRATION, ANY_OF_THEM);
}

/* ---- how it is known --------------------------------------------------------------------------------------- */

/* What goes wrong without a hypothesis of the theorem. */
static void add_needs(shown_claim *s, const part_verdict *p)
{
    const formal_theorem *t = p ? p->theorem : NULL;
    for (long k = 0; t && k < t->needs; k++) {
        const formal_need *n = &t->need[k];
        if (n->lemma[0])
            add(s, "needed", "Without",
                must_format("%s: %s (lemma %s of %s)", n->hypothesis, n->says, n->lemma, n->file));
    }
}

static void add_how(shown_claim *s)
{
    for (int corrected = 0; corrected < 2; corrected++) {
        const part_verdict *p = s->all->partial ? NULL : speaker(s, corrected);
        const bool both = shown_verdict(s, true) != V_NONE;
        const bool fault = shows_a_fault(shown_verdict(s, false));
        const char *lead = !both ? "" : corrected ? "The corrected statement: " : fault ? "The fault: "
                                                                                        : "The statement: ";
        if (corrected && !both) break;
        char *how = p ? evidence_in_words(s->c, p) : evidence_kind_in_words(shown_evidence(s, corrected)),
             *more = s->run ? arithmetics_in_words(s->c, corrected) : must_strdup("");
        if (*lead && *how) how[0] = (char)tolower((unsigned char)how[0]);
        if (*how || *more)
            add(s, "how", "How we know", must_format("%s%s%s%s", lead, how, *how && *more ? "  " : "", more));
        free(how);
        free(more);
    }
    if (s->run) add(s, "how", "How we know", breaks_in_words(s->c));
}

static void add_theorems(shown_claim *s)
{
    for (int corrected = 0; corrected < 2; corrected++) {
        const part_verdict *p = speaker(s, corrected);
        add(s, "formal", "Theorem", p ? evidence_formal_text(p) : must_strdup(""));
        for (long k = 1; (p = other_theorem(s, corrected, k)); k++)
            add(s, "formal", "Theorem", evidence_formal_text(p));
    }
}

/* Commas for the list's semicolons. */
static char *assumed(const part_verdict *p)
{
    char *list = must_strdup(p ? p->assumes->text : "");
    for (char *at = list; *at; at++) if (*at == ';') *at = ',';
    return list;
}

static void add_hypotheses(shown_claim *s)
{
    add_latex(s, "hypotheses", "Hypotheses", s->c->text.hypotheses);
    char *used = assumed(speaker(s, false)), *repaired = assumed(speaker(s, true));
    if (*used) add(s, "hypotheses", "Hypotheses", must_format("The derivation uses: %s.", used));
    if (*repaired && strcmp(used, repaired) != 0)
        add(s, "hypotheses", "Hypotheses", must_format("That of the corrected statement uses: %s.", repaired));
    free(used);
    free(repaired);
}

static const char *whose(bool corrected) { return corrected ? "the corrected statement: " : ""; }

/* For what an answer holds, and at which sizes it was tried: of the part that speaks, and of as many others as can be
 * read at a glance. */
static void add_reach(shown_claim *s, bool corrected)
{
    enum { MOST = 4 };
    char **lines;
    const long n = tried_lines(s->c, corrected, &lines);
    const part_verdict *p = speaker(s, corrected);
    char *scope = p && !p->scope.witness ? scope_in_words(p) : must_strdup("");
    if (*scope || n)
        add(s, "sizes", "Holds for", must_format("%s%s%s%s", whose(corrected), scope,
                                                 *scope && n ? "; " : "", n ? lines[0] : ""));
    free(scope);
    for (long k = 1; (p = other_theorem(s, corrected, k)); k++)
        add(s, "sizes", "Holds for", must_format("the part %s: %s", p->name, p->theorem->quantifiers));
    for (long k = 1; k < n && k < MOST; k++)
        add(s, "sizes", "Holds for", must_format("%s%s", whose(corrected), lines[k]));
    if (n > MOST)
        add(s, "sizes", "Holds for", must_format("%s%ld more parts: parts.csv has their sizes", whose(corrected),
                                                 n - MOST));
    for (long k = 0; k < n; k++) free(lines[k]);
    free(lines);
}

static void add_sizes(shown_claim *s)
{
    for (int corrected = 0; corrected < 2 && s->run && !s->all->partial; corrected++) add_reach(s, corrected);
}

/* ---- to do it again ---------------------------------------------------------------------------------------- */

/* NAME beside the program as it was called: build/provably -> build/proofcheck. */
static char *beside(const char *program, const char *name)
{
    const char *slash = strrchr(program, '/');
    return must_format("%.*s%s", (int)(slash ? slash + 1 - program : 0), program, name);
}

/* The path as one would type it here: without the current folder. */
static char *from_here(const char *path)
{
    char *here = getcwd(NULL, 0);
    const size_t n = here ? strlen(here) : 0;
    char *shorter = must_strdup(n > 1 && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path);
    free(here);
    return shorter;
}

/* Names that end in a number are further shapes of the same. */
static bool is_numbered(const char *name)
{
    const char *last = strrchr(name, '-');
    return last && last[1] && strspn(last + 1, "0123456789") == strlen(last + 1);
}

static void find_certificates(shown_claim *s, const char *evidence)
{
    char program[32], *folder = evidence_place(evidence), *slash = strrchr(folder, '/');
    record_program(program, sizeof program, s->c);
    char *path = must_format("%.*scertificates/%s", (int)(slash ? slash + 1 - folder : 0), folder, program);
    s->certificates = from_here(path);
    s->proofcheck = beside(s->all->program, "proofcheck");
    for (int pass = 0; pass < 4 && !s->certificate; pass++) {          /* of the part that speaks, else of any */
        const part_verdict *p = speaker(s, shows_a_fault(shown_verdict(s, false)) && pass > 1);
        for (long k = 0; k < s->all->accepted.n && !s->certificate; k++) {
            const proof *a = &s->all->accepted.at[k];
            const bool of_part = pass == 3 || (p && strcmp(a->part, p->name) == 0);
            if (strcmp(a->id, s->c->id) == 0 && of_part && (pass == 1 || !is_numbered(a->certificate)))
                s->certificate = a->certificate;
        }
    }
    free(path);
    free(folder);
}

static void add_certificate(shown_claim *s)
{
    static const char none[] = "none: ";
    const char *kind = s->entry->certificate;
    long n = 0;
    for (long k = 0; k < s->all->accepted.n; k++) n += strcmp(s->all->accepted.at[k].id, s->c->id) == 0;
    if (n && s->certificate) {
        add(s, "certificate", "Certificates", must_format("%ld, all accepted in the last run; to check one:", n));
        add(s, "certificate", "Certificates", must_format("%s %s/%s.cert", s->proofcheck, s->certificates,
                                                          s->certificate));
    } else if (strncmp(kind, none, sizeof none - 1) == 0) {
        add(s, "certificate", "Certificates", must_format("none: %s", kind + sizeof none - 1));
    } else if (*kind && s->entry->program[0]) {
        add(s, "certificate", "Certificates", must_strdup("to write and check them (in a folder DIR that is there):"));
        add(s, "certificate", "Certificates", must_format("%s run %s --certificates=DIR && %s DIR/*.cert",
                                                          s->all->program, s->c->id, s->proofcheck));
    }
}

static void add_runs(shown_claim *s)
{
    const paper_table *t = paper_table_of(s->c->id);
    char *words = t ? paper_table_words(&s->all->results, t) : results_claim_words(&s->all->results, s->c->id);
    char *named = papers_in_words(words);
    add(s, "runs", "Runs", must_format("%s%s", named, t ? "." : ""));
    free(named);
    free(words);
    for (const bearing *b = s->all->bearing.at; b < s->all->bearing.at + s->all->bearing.n; b++) {
        char *says = strcmp(b->claim, s->c->id) == 0 ? bearing_words(&s->all->results, b) : NULL;
        if (says) add(s, "runs", "Runs", must_format("%s: %s", b->metric, says));
        free(says);
    }
}

static void add_program(shown_claim *s)
{
    const claim_entry *e = s->entry;
    if (!e->program[0]) return;
    if (s->run)
        add(s, "program", "Program", must_format("theorems/%s.c; run at commit %.*s, %.2g s of computing", e->program,
                                                 (int)strcspn(s->c->own.at[0].build, ";"), s->c->own.at[0].build,
                                                 s->c->v.seconds));
    else add(s, "program", "Program", must_format("theorems/%s.c", e->program));
}

/* The claim's program; the training runs that decide a claim without one. */
static void add_again(shown_claim *s)
{
    char *command = s->entry->program[0] ? must_format("provably run %s", s->c->id) : results_claim_command(s->c->id);
    const char *rest = command && strncmp(command, "provably", 8) == 0 ? command + 8 : "";
    doc_line line = { 0 };
    if (!command) return;
    char *text = must_format("%s%s", s->all->program, rest);
    line_styled(&line, STYLE_CODE, text);
    add_line(s, "again", "Do it again", text, line);
    free(command);
}

static void add_warning(shown_claim *s)
{
    char *differs = s->run && s->all->agreed.n ? ratchet_differs(&s->all->agreed, &s->c->v) : NULL;
    if (differs) add(s, "warning", "Warning", differs);
    if (s->run || !s->entry->program[0]) return;
    add(s, "warning", "Not run here",
        must_format("%s`%s run %s` decides it here, `make check` everything", s->agreed.id[0]
                    ? "this is the verdict that was "
                    "agreed on (verdicts.csv); " : "", s->all->program, s->c->id));
}

shown_claim shown_claim_of(const evidence_set *all, const claim_record *c, const char *evidence)
{
    static const claim_entry not_in_the_index;
    shown_claim s = { .all = all, .c = c, .entry = c->entry ? c->entry : &not_in_the_index };
    s.run = c->own.n > 0 || !s.entry->program[0];
    for (long k = 0; k < all->agreed.n; k++) if (strcmp(all->agreed.at[k].id, c->id) == 0) s.agreed = all->agreed.at[k];
    find_certificates(&s, evidence);
    add_warning(&s);
    add_verdict(&s, "verdict", "Verdict", false);
    add_latex(&s, "why", "Why", c->text.why);
    add_answer(&s);
    add_truth(&s);
    add(&s, "where", "Where", where(s.entry));
    add_quotation(&s, c->text.quote, c->text.quotes);
    add_judged(&s, &c->text);
    add_latex(&s, "construction", "Construction", c->text.construction);
    add_how(&s);
    add_runs(&s);
    add_hypotheses(&s);
    for (int corrected = 0; corrected < 2; corrected++) add_needs(&s, speaker(&s, corrected));
    add_sizes(&s);
    add_again(&s);
    s.details = s.n;
    add_other_versions(&s, c->text.quote, c->text.quotes);
    add_presupposed(&s, c->text.standing, c->text.standings);
    add_theorems(&s);
    add_certificate(&s);
    add_program(&s);
    const char *trusted = trust_in_words(shown_evidence(&s, false));
    if (*trusted) add(&s, "trust", "How sure", must_format("%s (SOUNDNESS.md)", trusted));
    return s;
}

void shown_claim_free(shown_claim *s)
{
    for (long k = 0; k < s->n; k++) {
        for (long i = 0; i < s->item[k].n; i++) {
            free(s->item[k].text[i]);
            line_free(&s->item[k].line[i]);
        }
        free(s->item[k].text);
        free(s->item[k].line);
    }
    free(s->item);
    free(s->certificates);
    free(s->proofcheck);
    *s = (shown_claim){ 0 };
}
