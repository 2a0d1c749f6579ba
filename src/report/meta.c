/* meta.c - reads what `PROGRAM --describe` prints: lines `key: value`, parts begin with `part:`. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/book.h"

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

static bool take_line(claim_text *t, char *line)
{
    char *colon = strchr(line, ':');
    if (!colon || (colon[1] != ' ' && colon[1] != '\0')) return false;
    const char *value = colon + 1 + (colon[1] == ' ');
    *colon = '\0';
    if (strcmp(line, "part") == 0) return add_part(t, value), true;
    if (strcmp(line, "control") == 0) return t->parts > 0 && add_control(&t->part[t->parts - 1], value);
    char **field = field_of(t, line);
    if (!field || *field) return false;                       /* unknown, misplaced or said twice */
    if (*value) *field = must_strdup(value);
    return true;
}

claim_text meta_read(const char *path)
{
    claim_text t = { 0 };
    char *line = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "r");
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    for (long number = 1; getline(&line, &room, f) >= 0; number++) {
        line[strcspn(line, "\n")] = '\0';
        if (*line && !take_line(&t, line))
            die("%s:%ld: not a line of a description; remove the file and run `make check` again",
                path, number);
    }
    if (ferror(f)) die("cannot read %s: %s", path, strerror(errno));
    free(line);
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

void meta_free(claim_text *t)
{
    char *const own[] = { t->id, t->title, t->where, t->hypotheses, t->construction, t->why, t->depends };
    for (size_t k = 0; k < COUNT(own); k++) free(own[k]);
    for (long k = 0; k < t->parts; k++) free_part(&t->part[k]);
    free(t->part);
    *t = (claim_text){ 0 };
}

const part_text *meta_part(const claim_text *t, const char *name)
{
    for (long k = 0; k < t->parts; k++) if (strcmp(t->part[k].name, name) == 0) return &t->part[k];
    return NULL;
}

const char *meta_control_why(const claim_text *t, const char *part, const char *name)
{
    const part_text *p = meta_part(t, part);
    for (long k = 0; p && k < p->controls; k++)
        if (strcmp(p->control[k].name, name) == 0) return p->control[k].why;
    return "";
}
