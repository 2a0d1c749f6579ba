/* index.c - reports/claims.csv, the list of all claims: see verdict.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/claim/verdict.h"

enum { FIELDS = 12 };
static const char header[] = "id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls";

bool csv_next(const char **line, char *to, size_t size)
{
    const char *p = *line;
    size_t n = 0;
    if (!p) return false;
    const bool quoted = *p == '"';
    p += quoted;
    for (; *p && *p != '\n'; p++) {
        if (quoted && *p == '"' && p[1] == '"') p++;
        else if (quoted ? *p == '"' : *p == ',') break;
        if (n + 1 >= size) return false;
        to[n++] = *p;
    }
    to[n] = '\0';
    if (quoted && *p++ != '"') return false;
    if (*p != ',' && *p != '\n' && *p != '\0') return false;
    *line = *p == ',' ? p + 1 : NULL;
    return true;
}

claim_index index_read(const char *path)
{
    claim_index x = { 0 };
    char line[2048];
    FILE *f = fopen(path, "r");
    if (!f) die("cannot read %s: %s; name the list of claims with --index", path, strerror(errno));
    for (long number = 1; fgets(line, sizeof line, f); number++) {
        if (number == 1) {
            line[strcspn(line, "\n")] = '\0';
            if (strcmp(line, header) != 0) die("%s: the first line must be %s", path, header);
            continue;
        }
        claim_entry e = { .id = "" };
        char *const to[FIELDS] = { e.id, e.alias, e.paper, e.n001, e.n003, e.n000, e.kind, e.title, e.expected,
                                   e.program, e.certificate, e.controls };
        const size_t size[FIELDS] = { sizeof e.id, sizeof e.alias, sizeof e.paper, sizeof e.n001, sizeof e.n003,
                                      sizeof e.n000, sizeof e.kind, sizeof e.title, sizeof e.expected,
                                      sizeof e.program, sizeof e.certificate, sizeof e.controls };
        const char *rest = line;
        for (int k = 0; k < FIELDS; k++)
            if (!csv_next(&rest, to[k], size[k])) die("%s:%ld: field %d is missing or too long", path, number, k + 1);
        if (rest) die("%s:%ld: more than %d fields", path, number, FIELDS);
        if (index_find(&x, e.id)) die("%s:%ld: duplicate claim id %s", path, number, e.id);
        x.at = must_realloc(x.at, (size_t)x.n + 1, sizeof *x.at);
        x.at[x.n++] = e;
    }
    fclose(f);
    return x;
}

void index_free(claim_index *x)
{
    free(x->at);
    *x = (claim_index){ 0 };
}

const claim_entry *index_find(const claim_index *x, const char *id)
{
    for (long k = 0; k < x->n; k++) if (strcmp(x->at[k].id, id) == 0) return &x->at[k];
    return NULL;
}
