/* claim_text.c - reads what `PROGRAM --describe` prints: lines `key: value`, parts begin with `part:`. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/collect/claim_text.h"

/* The field a key fills; NULL: no such key at this place. */
static char **field_of(claim_text *t, const char *key)
{
    part_text *p = t->parts ? &t->part[t->parts - 1] : NULL;
    const struct { const char *key; char **field; } known[] = {
        { "id", &t->id }, { "title", &t->title }, { "where", &t->where }, { "hypotheses", &t->hypotheses },
        { "construction", &t->construction }, { "why", &t->why }, { "depends", &t->depends },
        { "kind", p ? &p->kind : NULL }, { "statement", p ? &p->statement : NULL },
        { "about", p ? &p->about : NULL }, { "assumes", p ? &p->assumes : NULL },
        { "basis", p ? &p->basis : NULL }, { "by-proof", p ? &p->by_proof : NULL },
        { "without", p ? &p->without : NULL }, { "why-without", p ? &p->why_without : NULL },
    };
    for (size_t k = 0; k < COUNT(known); k++) if (strcmp(known[k].key, key) == 0) return known[k].field;
    return NULL;
}

static void add_part(claim_text *t, const char *name)
{
    t->part = must_realloc(t->part, (size_t)t->parts + 1, sizeof *t->part);
    t->part[t->parts++] = (part_text){ .name = must_strdup(name) };
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

static bool take_line(claim_text *t, char *line)
{
    char *colon = strchr(line, ':');
    if (!colon || (colon[1] != ' ' && colon[1] != '\0')) return false;
    const char *value = colon + 1 + (colon[1] == ' ');
    *colon = '\0';
    if (strcmp(line, "part") == 0) return add_part(t, value), true;
    if (strcmp(line, "control") == 0) return t->parts > 0 && add_control(&t->part[t->parts - 1], value);
    if (strcmp(line, "quote") == 0) return !t->parts && add_quotation(&t->quote, &t->quotes, value);
    if (strcmp(line, "standing") == 0) return !t->parts && add_quotation(&t->standing, &t->standings, value);
    char **field = field_of(t, line);
    if (!field || *field) return false;                       /* unknown, misplaced or repeated */
    if (*value) *field = must_strdup(value);
    return true;
}

claim_text claim_text_from(FILE *f, const char *path)
{
    claim_text t = { 0 };
    char *line = NULL;
    size_t room = 0;
    for (long number = 1; getline(&line, &room, f) >= 0; number++) {
        line[strcspn(line, "\n")] = '\0';
        if (*line && !take_line(&t, line))
            die("%s:%ld: not a line of a description; remove the file and run `make check` again",
                path, number);
    }
    if (ferror(f)) die("cannot read %s: %s", path, strerror(errno));
    free(line);
    return t;
}

claim_text claim_text_read(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    const claim_text t = claim_text_from(f, path);
    fclose(f);
    return t;
}

static void free_part(part_text *p)
{
    char *const own[] = { p->name, p->kind, p->statement, p->about, p->assumes, p->basis, p->by_proof,
                          p->without, p->why_without };
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

const char *claim_text_control(const claim_text *t, const char *part, const char *name)
{
    const part_text *p = claim_text_part(t, part);
    for (long k = 0; p && k < p->controls; k++)
        if (strcmp(p->control[k].name, name) == 0) return p->control[k].why;
    return "";
}

long quotation_next(const quotation *q, long n, long k)
{
    for (; k < n; k++) {
        long first = 0;
        while (strcmp(q[first].says, q[k].says) != 0) first++;
        if (first == k) break;
    }
    return k;
}

static char *sources_of(const quotation *q, long n, const char *says)
{
    char *text = must_strdup("");
    const char *named = NULL;
    for (long k = 0; k < n; k++) {
        const paper_entry *p = &papers[q[k].in];
        if (strcmp(q[k].says, says) != 0) continue;
        const bool again = named && strcmp(named, p->paper) == 0;
        char *longer = must_format("%s%s%s%s%s%s%s", text, named ? "; " : "", again ? "" : p->paper,
                                   again ? "" : p->version[0] ? ": " : ", ", p->version, p->version[0] ? ", " : "",
                                   q[k].place);
        free(text);
        text = longer;
        named = p->paper;
    }
    return text;
}

char *quotation_sources(const quotation *q, long n, long k)
{
    const long next = quotation_next(q, n, k + 1);
    char *text = sources_of(q, n, q[k].says), *following = next < n ? sources_of(q, n, q[next].says) : must_strdup("");
    const bool same = strcmp(text, following) == 0;
    free(following);
    if (!same) return text;
    free(text);
    return NULL;
}

const char *quotations_note(const claim_text *t)
{
    bool lost = false;
    for (long k = 0; k < t->quotes; k++) lost |= papers[t->quote[k].in].formulas_lost;
    for (long k = 0; k < t->standings; k++) lost |= papers[t->standing[k].in].formulas_lost;
    return lost ? "Our copies of the first and of the latest version lack most formulas: such gaps are ours." : "";
}
