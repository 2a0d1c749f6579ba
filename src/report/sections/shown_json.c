/* SPDX-License-Identifier: GPL-3.0-or-later
 * shown_json.c - a claim as JSON: the items of the screen under `words`, and what they are made of as data. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/report/collect/in_words.h"
#include "src/report/sections/shown_claim.h"
#include "src/report/show.h"

static json_t *text_or_null(const char *text) { return text && *text ? json_string(text) : json_null(); }

/* What a library of JSON refuses (memory, bytes that are no UTF-8) ends the program. */
static void set(json_t *to, const char *key, json_t *value)
{
    if (!value || json_object_set_new(to, key, value) != 0) die("cannot write %s as JSON", key);
}

static void append(json_t *to, json_t *value)
{
    if (!value || json_array_append_new(to, value) != 0) die("cannot write a list as JSON");
}

static json_t *quotations(const quotation *q, long n)
{
    json_t *list = json_array();
    for (long k = 0; k < n; k++) {
        const paper_entry *p = &papers[q[k].in];
        json_t *one = json_object();
        set(one, "text", json_string(q[k].says));
        set(one, "place", json_string(q[k].place));
        set(one, "paper", json_string(p->paper));
        set(one, "version", text_or_null(p->label));
        set(one, "tag", json_string(p->tag));
        append(list, one);
    }
    return list;
}

/* The two answers about a group; null: there is no corrected statement. */
static json_t *answers(const shown_claim *s, bool corrected)
{
    const part_verdict *p = s->run ? judge_speaker(&s->c->v, corrected) : NULL;
    const verdict v = shown_verdict(s, corrected);
    const evidence_kind by = shown_evidence(s, corrected);
    char scope[SCOPE_ROOM] = "", *words = verdict_in_words(v, by, p);
    if (v == V_NONE) { free(words); return json_null(); }
    const double log2 = p ? judge_log2(&s->c->v, corrected) : NAN;
    if (p) judge_scope_text(scope, sizeof scope, &s->c->v, corrected);
    json_t *one = json_object();
    set(one, "verdict", json_string(verdict_word(v)));
    set(one, "means", json_string(words));
    set(one, "as_meant", json_boolean(!corrected && shown_as_meant(s)));
    set(one, "evidence", text_or_null(evidence_word(by)));
    set(one, "evidence_log2", isfinite(log2) ? json_real(log2) : json_null());
    set(one, "scope", text_or_null(scope));
    set(one, "assumes", text_or_null(p ? p->assumes->text : ""));
    set(one, "missing", text_or_null(p && p->is == V_SUPPORTED ? p->missing : ""));
    free(words);
    return one;
}

static json_t *parts(const shown_claim *s)
{
    json_t *list = json_array();
    for (long k = 0; k < s->c->text.parts; k++) {
        const part_text *t = &s->c->text.part[k];
        const part_verdict *p = NULL;
        for (long i = 0; i < s->c->v.parts && !p; i++)
            if (strcmp(s->c->v.part[i].name, t->name) == 0) p = &s->c->v.part[i];
        json_t *one = json_object();
        set(one, "name", json_string(t->name));
        set(one, "kind", text_or_null(t->kind));
        set(one, "statement_latex", text_or_null(t->statement));
        set(one, "verdict", p ? json_string(verdict_word(p->is)) : json_null());
        set(one, "evidence", p ? text_or_null(evidence_word(p->by)) : json_null());
        set(one, "decided_by", text_or_null(t->basis));
        set(one, "unchecked_step", text_or_null(t->by_proof));
        set(one, "theorem", p && p->theorem ? json_string(p->theorem->theorem) : json_null());
        set(one, "quantifiers", p && p->theorem ? json_string(p->theorem->quantifiers) : json_null());
        set(one, "breaks", p ? json_integer(p->controls) : json_null());
        set(one, "breaks_caught", p ? json_integer(p->refuted) : json_null());
        append(list, one);
    }
    return list;
}

static json_t *certificates(const shown_claim *s)
{
    json_t *list = json_array();
    for (long k = 0; k < s->all->accepted.n; k++) {
        const proof *a = &s->all->accepted.at[k];
        if (strcmp(a->id, s->c->id) != 0) continue;
        json_t *one = json_object();
        char *path = must_format("%s/%s.cert", s->certificates, a->certificate);
        set(one, "part", json_string(a->part));
        set(one, "kind", json_string(a->kind));
        set(one, "path", json_string(path));
        set(one, "proved", json_string(a->proved));
        set(one, "assumes", text_or_null(a->assumes->text));
        set(one, "statement_sha256", json_string(a->statement));
        append(list, one);
        free(path);
    }
    return list;
}

static json_t *words(const shown_claim *s)
{
    json_t *all = json_object();
    for (long k = 0; k < s->n; k++) {
        json_t *list = json_array();
        for (long i = 0; i < s->item[k].n; i++) append(list, json_string(s->item[k].text[i]));
        set(all, s->item[k].key, list);
    }
    return all;
}

void shown_claim_json(FILE *f, const shown_claim *s)
{
    const claim_record *c = s->c;
    json_t *all = json_object();
    set(all, "schema", json_integer(SHOW_SCHEMA));
    set(all, "id", json_string(c->id));
    set(all, "title", json_string(record_title(c)));
    set(all, "kind", json_string(c->entry->kind));
    set(all, "run_here", json_boolean(s->run));
    set(all, "as_stated", answers(s, false));
    set(all, "corrected", answers(s, true));
    set(all, "quoted", quotations(c->text.quote, c->text.quotes));
    json_t *judged = json_array();
    for (long k = 0; k < c->text.clauses; k++) append(judged, json_string(c->text.judged[k]));
    set(all, "judged", judged);
    set(all, "presupposed", quotations(c->text.standing, c->text.standings));
    set(all, "hypotheses_latex", text_or_null(c->text.hypotheses));
    set(all, "construction_latex", text_or_null(c->text.construction));
    set(all, "why_latex", text_or_null(c->text.why));
    set(all, "parts", parts(s));
    set(all, "breaks", json_integer(c->v.controls));
    set(all, "breaks_caught", json_integer(c->v.refuted));
    set(all, "certificates", certificates(s));
    set(all, "program", text_or_null(c->entry->program));
    set(all, "seconds", s->run ? json_real(c->v.seconds) : json_null());
    set(all, "build", c->own.n ? json_string(c->own.at[0].build) : json_null());
    set(all, "words", words(s));
    char *text = json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    if (!text) die("out of memory");
    shown_json(f, text);
    fputc('\n', f);
    free(text);
    json_decref(all);
}
