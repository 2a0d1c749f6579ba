/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence_sizes.c - the sizes at which a trial was run, read once for each text: see evidence.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/intern_values.h"
#include "src/claim/evidence/evidence.h"

/* The size behind NAME= in a text of sizes, "d=4-6 L=3". */
static size_range size_in(const char *text, const char *name)
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

const row_sizes *evidence_sizes(const char *text)
{
    static intern_values known;
    const char *kept = intern(text);
    void **at = intern_value(&known, kept);
    row_sizes *s = *at;
    if (s) return s;
    *at = s = must_calloc(1, sizeof *s);
    s->text = kept;
    s->is_model = shape_parse(&s->model, kept) == NULL;
    for (int k = 0; k < DRAWN_SIZES; k++) s->size[k] = size_in(kept, drawn_size_names[k]);
    return s;
}

size_range evidence_row_size(const row *r, int which)
{
    const size_range drawn = r->drawn->size[which];
    return drawn.most ? drawn : r->shape->size[which];
}
