/* SPDX-License-Identifier: GPL-3.0-or-later
 * claim_text.c - reads what `PROGRAM --describe` prints: lines `key: value`, parts begin with `part:`. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/admitted.h"
#include "src/base/base.h"
#include "src/report/collect/claim_text.h"
#include "src/report/document/plain_text.h"
#include "src/base/file.h"
#include "src/base/lines.h"

/* The field a key fills; NULL: no such key at this place. */
static char **field_of(claim_text *t, const char *key)
{
    part_text *p = t->parts ? &t->part[t->parts - 1] : NULL;
    const struct { const char *key; char **field; } known[] = {
        { "id", &t->id }, { "title", &t->title }, { "where", &t->where }, { "hypotheses", &t->hypotheses },
        { "construction", &t->construction }, { "why", &t->why }, { "depends", &t->depends },
        { "kind", p ? &p->kind : NULL }, { "statement", p ? &p->statement : NULL },
        { "about", p ? &p->about : NULL }, { "assumes", p ? &p->assumes : NULL },
        { "models", p ? &p->models : NULL }, { "basis", p ? &p->basis : NULL }, { "by-proof", p ? &p->by_proof : NULL },
        { "quantity", p ? &p->quantity : NULL }, { "shown-by", p ? &p->shown_by : NULL },
        { "without", p ? &p->without : NULL }, { "why-without", p ? &p->why_without : NULL },
        { "sets", p ? &p->sets : NULL }, { "sets-reduced", p ? &p->sets_reduced : NULL },
    };
    for (size_t k = 0; k < COUNT(known); k++) if (strcmp(known[k].key, key) == 0) return known[k].field;
    return NULL;
}

static bool add_part(claim_text *t, const char *name)
{
    if (!admitted_name(name)) return false;
    t->part = must_realloc(t->part, (size_t)t->parts + 1, sizeof *t->part);
    t->part[t->parts++] = (part_text){ .name = must_strdup(name) };
    return true;
}

/* "NAME: WHY" */
static bool add_control(part_text *p, const char *value)
{
    const char *colon = strstr(value, ": ");
    if (!colon) return false;
    p->control = must_realloc(p->control, (size_t)p->controls + 1, sizeof *p->control);
    p->control[p->controls++] = (control_text){ must_format("%.*s", (int)(colon - value), value),
                                                   must_strdup(colon + 2) };
    return true;
}

/* "003 | Theorem 4.4 | TEXT" */
static bool add_quotation(quotation **all, long *n, const char *value)
{
    static const char apart[] = " | ";
    enum { APART = sizeof apart - 1 };
    const char *first = strstr(value, apart), *second = first ? strstr(first + APART, apart) : NULL;
    if (!second || second == first + APART || !second[APART]) return false;
    char *tag = must_format("%.*s", (int)(first - value), value);
    quotation q = { 0 };
    const bool known = papers_find_tag(&q.in, tag);
    free(tag);
    if (!known) return false;
    q.place = must_format("%.*s", (int)(second - first) - APART, first + APART);
    q.says = must_strdup(second + APART);
    *all = must_realloc(*all, (size_t)*n + 1, sizeof **all);
    (*all)[(*n)++] = q;
    return true;
}

/* A clause of a sentence that was quoted before it. */
static bool add_judged(claim_text *t, const char *clause)
{
    bool quoted = false;
    for (long k = 0; k < t->quotes; k++) quoted |= strstr(t->quote[k].says, clause) != NULL;
    if (!quoted || !*clause) return false;
    t->judged = must_realloc(t->judged, (size_t)t->clauses + 1, sizeof *t->judged);
    t->judged[t->clauses++] = must_strdup(clause);
    return true;
}

static bool take_line(claim_text *t, char *line)
{
    char *colon = strchr(line, ':');
    if (!colon || (colon[1] != ' ' && colon[1] != '\0')) return false;
    const char *value = colon + 1 + (colon[1] == ' ');
    *colon = '\0';
    if (strcmp(line, "part") == 0) return add_part(t, value);
    if (strcmp(line, "control") == 0) return t->parts > 0 && add_control(&t->part[t->parts - 1], value);
    if (strcmp(line, "quote") == 0) return !t->parts && add_quotation(&t->quote, &t->quotes, value);
    if (strcmp(line, "judged") == 0) return !t->parts && add_judged(t, value);
    if (strcmp(line, "standing") == 0) return !t->parts && add_quotation(&t->standing, &t->standings, value);
    char **field = field_of(t, line);
    if (!field || *field) return false;                       /* unknown, misplaced or repeated */
    if (*value) *field = must_strdup(value);
    return true;
}

claim_text claim_text_from(FILE *f, const char *path)
{
    claim_text t = { 0 };
    text_line line = { 0 };
    for (long number = 1; line_next(&line, f, path); number++) {
        char fault[128];
        if (admitted_latex(line.at, fault, sizeof fault))
            die("%s:%ld: the description has %s; remove the file and run `make check` again", path, number, fault);
        if (*line.at && !take_line(&t, line.at))
            die("%s:%ld: not a line of a description; remove the file and run `make check` again",
                path, number);
    }
    text_line_free(&line);
    return t;
}

claim_text claim_text_read(const char *path)
{
    FILE *f = file_open(path);
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    const claim_text t = claim_text_from(f, path);
    fclose(f);
    return t;
}

static void free_part(part_text *p)
{
    char *const own[] = { p->name, p->kind, p->statement, p->about, p->assumes, p->models, p->basis, p->by_proof,
                          p->quantity, p->shown_by, p->without, p->why_without, p->sets, p->sets_reduced };
    for (size_t k = 0; k < COUNT(own); k++) free(own[k]);
    for (long k = 0; k < p->controls; k++) {
        free(p->control[k].name);
        free(p->control[k].why);
    }
    free(p->control);
}

static void free_quotations(quotation *all, long n)
{
    for (long k = 0; k < n; k++) {
        free((char *)all[k].place);
        free((char *)all[k].says);
    }
    free(all);
}

void claim_text_free(claim_text *t)
{
    free_quotations(t->quote, t->quotes);
    free_quotations(t->standing, t->standings);
    for (long k = 0; k < t->clauses; k++) free(t->judged[k]);
    free(t->judged);
    char *const own[] = { t->id, t->title, t->where, t->hypotheses, t->construction, t->why, t->depends };
    for (size_t k = 0; k < COUNT(own); k++) free(own[k]);
    for (long k = 0; k < t->parts; k++) free_part(&t->part[k]);
    free(t->part);
    *t = (claim_text){ 0 };
}

const part_text *claim_text_part(const claim_text *t, const char *name)
{
    for (long k = 0; k < t->parts; k++) if (strcmp(t->part[k].name, name) == 0) return &t->part[k];
    return NULL;
}

static part_role role_by_name(const part_text *p)
{
    const int kind = p->kind ? part_kind_index(p->kind) : -1;
    return part_role_of(p->name, kind < 0 ? PART_IDENTITY : (part_kind)kind);
}

part_role claim_text_role(const claim_text *t, const part_text *p)
{
    bool stated = false;
    for (long k = 0; k < t->parts; k++) stated |= role_by_name(&t->part[k]) == ROLE_SENTENCE;
    const part_role role = role_by_name(p);
    return role == ROLE_CORRECTED && !stated ? ROLE_SENTENCE : role;
}

char *part_text_subject(const part_text *p)
{
    if (!p || !p->quantity || !p->shown_by) return NULL;
    const bool words = strchr(p->quantity, '$') || !strpbrk(p->quantity, "\\_^");       /* no formula cut out of one */
    char *latex = must_format(words ? "%s" : "$%s$", p->quantity), *quantity = latex_as_text(latex);
    char *subject = must_format("%s, by `%s`", quantity, p->shown_by);
    free(quantity);
    free(latex);
    return subject;
}

const char *claim_text_control(const claim_text *t, const char *part, const char *name)
{
    const part_text *p = claim_text_part(t, part);
    for (long k = 0; p && k < p->controls; k++)
        if (strcmp(p->control[k].name, name) == 0) return p->control[k].why;
    return "";
}

paper_text quotations_best(const quotation *q, long n)
{
    for (long k = 0; k < n; k++) if (!papers[q[k].in].formulas_lost) return q[k].in;
    return n ? q[0].in : TEXT_003;
}

bool quotation_same_place(const quotation *a, const quotation *b)
{
    return a->in == b->in && strcmp(a->place, b->place) == 0;
}

char *quotation_source(const quotation *q)
{
    const paper_entry *p = &papers[q->in];
    return must_format("%s%s%s", p->label, p->label[0] ? " version, " : "", q->place);
}

const char *quotations_note(const claim_text *t)
{
    bool lost = false;
    for (long k = 0; k < t->quotes; k++) lost |= papers[t->quote[k].in].formulas_lost;
    for (long k = 0; k < t->standings; k++) lost |= papers[t->standing[k].in].formulas_lost;
    return lost ? "Our copies of the first and of the latest version lack most formulas: quotations have gaps." : "";
}
