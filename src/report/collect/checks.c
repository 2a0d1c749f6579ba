/* SPDX-License-Identifier: GPL-3.0-or-later
 * checks.c - the verdict of each claim, and what is wrong with a run: see checks.h. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/text.h"
#include "src/data/checksum.h"
#include "src/report/collect/checks.h"
#include "src/report/collect/coverage.h"

void evidence_set_add_problem(evidence_set *all, char *text)
{
    all->problem = must_realloc(all->problem, (size_t)all->problems + 1, sizeof *all->problem);
    all->problem[all->problems++] = text;
}

/* The position of a part in the description; parts that it does not name come last, corrected ones after all. */
static long place_of(const claim_record *c, const part_verdict *p)
{
    for (long k = 0; k < c->text.parts; k++) if (strcmp(c->text.part[k].name, p->name) == 0) return k;
    return p->role == ROLE_CORRECTED || p->role == ROLE_CORRECTED_ILLUSTRATION ? LONG_MAX : LONG_MAX - 1;
}

static void sort_parts(claim_record *c)
{
    for (long k = 1; k < c->v.parts; k++)
        for (long i = k; i > 0 && place_of(c, &c->v.part[i]) < place_of(c, &c->v.part[i - 1]); i--) {
            const part_verdict later = c->v.part[i];
            c->v.part[i] = c->v.part[i - 1];
            c->v.part[i - 1] = later;
        }
}

/* The controls that ran, each name once, but for `minimal`, which the runner adds everywhere. */
static char *controls_that_ran(const claim_record *c)
{
    char *names = must_strdup("");
    control_count *all;
    const long n = record_controls(c, &all);
    for (long k = 0; k < n; k++) {
        bool named = strcmp(all[k].name, "minimal") == 0;
        for (long i = 0; i < k && !named; i++) named = strcmp(all[i].name, all[k].name) == 0;
        if (named) continue;
        char *longer = must_format("%s%s%s", names, names[0] ? ";" : "", all[k].name);
        free(names);
        names = longer;
    }
    free(all);
    return names;
}

static void check_controls(evidence_set *all, const claim_record *c)
{
    if (!c->own.n || !c->entry) return;
    char *names = controls_that_ran(c);
    if (strcmp(names, c->entry->controls) != 0)
        evidence_set_add_problem(all, must_format("%s: the index should name its controls as %s", c->id, names));
    free(names);
}

/* Every part that the program declares must have a row. */
static void check_parts(evidence_set *all, const claim_record *c)
{
    for (long k = 0; k < c->text.parts; k++) {
        bool seen = false;
        for (long p = 0; p < c->v.parts; p++) seen |= strcmp(c->v.part[p].name, c->text.part[k].name) == 0;
        if (!seen)
            evidence_set_add_problem(all, must_format("%s: the part %s is declared, and no row decides it", c->id,
                                                      c->text.part[k].name));
    }
}

static bool same_run(const row *a, const row *b)
{
    return a->part == b->part && a->which == b->which && a->over == b->over && a->shape == b->shape;
}

/* Rows of one case at one shape together, by trial, then as they stand in the file: their texts are interned. */
static int by_run(const void *s, const void *t)
{
    const row *a = *(const row *const *)s, *b = *(const row *const *)t;
    const uintptr_t x[] = { (uintptr_t)a->part, (uintptr_t)a->which, (uintptr_t)a->over, (uintptr_t)a->shape };
    const uintptr_t y[] = { (uintptr_t)b->part, (uintptr_t)b->which, (uintptr_t)b->over, (uintptr_t)b->shape };
    for (size_t k = 0; k < COUNT(x); k++) if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    if (a->trial != b->trial) return a->trial < b->trial ? -1 : 1;
    return (a > b) - (a < b);
}

/* The trials of a case at a shape are 0, 1, ..., each once: one that is there twice would count twice, and one that
 * is left out may be the one that fails.  The first row of the file that is wrong is named. */
static void check_trials(evidence_set *all, const claim_record *c)
{
    const row **in_order = must_calloc((size_t)c->own.n + 1, sizeof(const row *)), *first = NULL;
    bool first_twice = false;
    for (long k = 0; k < c->own.n; k++) in_order[k] = &c->own.at[k];
    qsort(in_order, (size_t)c->own.n, sizeof(const row *), by_run);
    for (long k = 0; k < c->own.n; k++) {
        const row *r = in_order[k], *before = k && same_run(in_order[k - 1], r) ? in_order[k - 1] : NULL;
        const bool twice = before && before->trial == r->trial;
        if ((!twice && r->trial == (before ? before->trial + 1 : 0)) || (first && first < r)) continue;
        first = r;
        first_twice = twice;
    }
    if (first)
        evidence_set_add_problem(all, must_format("%s %s %s over %s: trial %ld %s, at %s; run `make check` again",
                                                  c->id, first->part, first->which, arith_names[first->over],
                                                  first_twice ? first->trial : first->trial - 1,
                                                  first_twice ? "is there twice" : "is missing",
                                                  first->shape->text));
    free(in_order);
}

/* A claim quotes the sentence that it judges; a claim that quotes none must be of kind `new`, our own. */
static void check_quotes(evidence_set *all, const claim_record *c)
{
    if (!c->text.id || c->text.quotes || !c->entry || c->entry->kind_of == CLAIM_NEW) return;
    evidence_set_add_problem(all, must_format("%s quotes no sentence of a paper: add it to .quotes of its program, "
                                              "or make the claim of kind `new` in the index", c->id));
}

static void check_agreed(evidence_set *all, const claim_record *c)
{
    char *differs = all->agreed.n ? ratchet_differs(&all->agreed, &c->v) : NULL;
    if (!differs) return;
    char *stale = must_strdup("");
    for (long k = 0; k < c->v.parts && !*stale; k++)
        if (c->v.part[k].stale) {
            free(stale);
            stale = evidence_formal_text(&c->v.part[k]);
        }
    evidence_set_add_problem(all, *stale ? must_format("%s; %s", differs, stale) : must_strdup(differs));
    free(differs);
    free(stale);
}

static void judge(evidence_set *all, claim_record *c)
{
    c->v = judge_claim(&c->own, &all->accepted, &all->formal, &all->read, c->id);
    sort_parts(c);
    coverage_count(c);
    if (record_needs_runs(c)) judge_recorded(&c->v, results_standing(&all->results, c->id));
    all->built += c->own.n > 0 || c->v.as_stated != V_PENDING;
    check_quotes(all, c);
    if (all->partial) return;
    check_controls(all, c);
    check_parts(all, c);
    check_trials(all, c);
    check_agreed(all, c);
    if (c->own.n && (verdict_fails(c->v.as_stated) || verdict_fails(c->v.corrected)))
        evidence_set_add_problem(all, must_format("%s: verdict %s", c->id,
                    verdict_word(verdict_fails(c->v.as_stated) ? c->v.as_stated : c->v.corrected)));
    if (c->v.log2logit > 12)                            /* beyond that softmax saturates and hides errors */
        evidence_set_add_problem(all, must_format("%s: logits reach 2^%.0f; scale the draws down", c->id,
                                                  c->v.log2logit));
    if (c->v.corrected == V_REFUTED || c->v.corrected == V_CAVEAT)
        evidence_set_add_problem(all, must_format("%s: the corrected statement is refuted", c->id));
}

/* Rows of two builds are two runs: no report may mix them. */
static void check_builds(evidence_set *all)
{
    const row *first = NULL;
    for (long k = 0; k < all->n; k++)
        for (long i = 0; i < all->at[k].own.n; i++) {
            const row *r = &all->at[k].own.at[i];
            if (!first) first = r;
            if (strcmp(r->build, first->build) == 0) continue;
            evidence_set_add_problem(all, must_format("evidence of two builds: %s of `%s`, %s of `%s`; run "
                                                      "`make check` again",
                                       first->id, first->build, r->id, r->build));
            return;
        }
}

static void check_dependencies(evidence_set *all)
{
    for (long k = 0; k < all->n; k++) {
        char *problem = record_dependency_problem(all, &all->at[k]);
        if (problem) evidence_set_add_problem(all, problem);
    }
}

/* The next finding whose verdicts are no longer those of the run, to be freed; NULL: no more.  *k is 0 at first. */
static char *findings_problem(const evidence_set *all, long *k)
{
    for (; *k < all->found.n; ++*k) {
        const char *left = all->found.at[*k].rows;
        char id[NAME_SIZE], word[24];
        while (findings_next_row(&left, id, word)) {
            const claim_record *c = evidence_set_find(all, id);
            if (c && c->v.as_stated == verdict_of_word(word)) continue;
            ++*k;
            return must_format("findings.csv:%ld: the sentence was written for %s %s, and %s; read it again",
                               *k + 1, id, word, c ? verdict_word(c->v.as_stated) : "there is no such claim");
        }
    }
    return NULL;
}

static void check_findings(evidence_set *all)
{
    long k = 0;
    for (char *problem; (problem = findings_problem(all, &k)); ) evidence_set_add_problem(all, problem);
}

static void check_missing(evidence_set *all)
{
    char *names = NULL;
    for (long k = 0; k < all->index.n; k++) {
        const char *program = all->index.at[k].program;
        if (!program[0] || evidence_set_find(all, all->index.at[k].id)->own.n) continue;
        char *longer = must_format("%s%s%s", names ? names : "", names ? ", " : "", program);
        free(names);
        names = longer;
    }
    if (names) evidence_set_add_problem(all, must_format("the index names programs without evidence: %s", names));
    free(names);
}

/* Where there is evidence of the claim, the part, or PART+CONTROL, must be one of it, or its verdict be that of the
 * sentence as meant. */
static bool has_part(const claim_record *c, const char *name)
{
    if (!c || !c->own.n || (c->v.as_meant && strcmp(name, READ_AS_MEANT) == 0)) return true;
    if (strcmp(name, READ_AS_QUOTED) == 0) return c->text.quotes > 0;
    const char *control = strstr(name, READ_CONTROL);
    for (long p = 0; !control && p < c->v.parts; p++) if (strcmp(c->v.part[p].name, name) == 0) return true;
    for (long k = 0; control && k < c->own.n; k++) {
        const row *r = &c->own.at[k];
        if (!text_is(name, (size_t)(control - name), r->part)) continue;
        const char *which = control + strlen(READ_CONTROL);
        if (strcmp(which, r->which) == 0 || (*r->unbroken && strcmp(which, READ_UNBROKEN) == 0)) return true;
    }
    return false;
}

static bool is_read(const readings *read, const char *claim)
{
    for (long k = 0; k < read->n; k++) if (strcmp(read->at[k].claim, claim) == 0) return true;
    return false;
}

/* The hash in a line is of the program that the line names: this must be the claim's. */
static void check_readings(evidence_set *all)
{
    const readings *read = &all->read;
    for (long k = 0; k < read->rereads; k++) evidence_set_add_problem(all, must_strdup(read->reread[k]));
    for (long k = 0; k < read->n; k++) {
        const body_reading *r = &read->at[k];
        const claim_entry *of = index_find(&all->index, r->claim);
        if (!of || strcmp(of->program, r->program) != 0)
            evidence_set_add_problem(all, must_format("body_read.csv: %s is not the program of %s in the index of "
                                                      "claims", r->program, r->claim));
        if (!has_part(evidence_set_find(all, r->claim), r->part))
            evidence_set_add_problem(all, must_format("body_read.csv: %s has no part %s", r->claim, r->part));
    }
    for (long k = 0; k < all->n; k++) {                          /* a theorem's hash has no quotation in it */
        const claim_record *c = &all->at[k];
        if (c->own.n && c->text.quotes && !is_read(read, c->id))
            evidence_set_add_problem(all, must_format("%s: nobody has read its quotations beside its statements; add a "
                                                      "line of the part " READ_AS_QUOTED " to body_read.csv", c->id));
    }
}

/* ---- theorems that were read ------------------------------------------------------------------------------------- */

/* The sentence of the part as the program describes it, and on a line of its own what it assumes, to be freed; NULL:
 * not known, as where there is no evidence of the claim. */
static char *sentence_of(const claim_record *c, const formal_theorem *t)
{
    const part_text *p = c ? claim_text_part(&c->text, t->part) : NULL;
    if (!p) return NULL;
    return must_format("%s\n%s", p->statement ? p->statement : c->text.title, p->assumes ? p->assumes : "");
}

/* A theorem was compared with one sentence: with another one it is to be compared again. */
static void check_sentence(evidence_set *all, const claim_record *c, formal_theorem *t)
{
    char hex[SHA256_HEX];
    char *sentence = sentence_of(c, t);
    if (!sentence) return;
    checksum_sha256_bytes(sentence, strlen(sentence), hex);
    free(sentence);
    t->whole = strcmp(hex, t->sentence) == 0;
    if (!t->whole)
        evidence_set_add_problem(all, must_format("formal_read.csv: the sentence of %s %s has changed since somebody "
                                                  "compared theorem %s of %s with it; read both again, and if the "
                                                  "theorem says all of it, write %s", t->claim, t->part, t->theorem,
                                                  t->file, hex));
}

/* A theorem of a paper is read twice, the second time without sight of the first reading. */
static void check_formal(evidence_set *all)
{
    for (long k = 0; k < all->formal.rereads; k++) evidence_set_add_problem(all, must_strdup(all->formal.reread[k]));
    for (long k = 0; k < all->formal.n; k++) {
        formal_theorem *t = &all->formal.at[k];
        const claim_record *c = evidence_set_find(all, t->claim);
        if (t->whole) check_sentence(all, c, t);
        if (c && c->entry && c->entry->kind_of == CLAIM_THEOREM) t->whole = t->whole && t->twice;
    }
}

void evidence_set_judge(evidence_set *all)
{
    check_formal(all);
    for (long k = 0; k < all->n; k++) judge(all, &all->at[k]);
    check_readings(all);
    check_builds(all);
    check_dependencies(all);
    if (!all->partial) check_missing(all);
    if (!all->partial) check_findings(all);
}
