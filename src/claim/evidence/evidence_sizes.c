/* evidence_sizes.c - the sizes at which a trial was run: see evidence.h. */
#include <stdio.h>
#include <string.h>
#include "src/claim/evidence/evidence.h"

size_range evidence_shape_size(const char *text, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = text; *at; at += strcspn(at, " "), at += *at == ' ') {
        size_range r = { 0 };
        if (strncmp(at, name, n) != 0 || at[n] != '=') continue;
        const int read = sscanf(at + n + 1, "%ld-%ld", &r.least, &r.most);
        if (read == 1) r.most = r.least;
        return r;
    }
    return (size_range){ 0 };
}

size_range evidence_row_size(const row *r, const char *name)
{
    const size_range drawn = evidence_shape_size(r->drawn, name);
    return drawn.most ? drawn : evidence_shape_size(r->shape, name);
}
