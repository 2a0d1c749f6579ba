/* SPDX-License-Identifier: GPL-3.0-or-later
 * tried_sizes.c - see tried_sizes.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/intern_values.h"
#include "src/base/text.h"
#include "src/model/drawn_sizes.h"
#include "src/report/collect/in_words.h"
#include "src/report/collect/tried_sizes.h"

static void widen(size_range *to, size_range by)
{
    if (!to->most || by.least < to->least) to->least = by.least;
    if (by.most > to->most) to->most = by.most;
}

static bool is_of(const row *r, const char *part, int over)
{
    return evidence_row_is_claim(r) && r->over == over && r->verdict != UNDECIDED && strcmp(r->part, part) == 0;
}

/* A shape without an MLP or a vocabulary has 1 there: src/claim/shapes.h. */
static bool is_no_size(const char *name, size_range x) { return x.most == 1 && (*name == 'm' || *name == 'V'); }

char *tried_sizes(const claim_record *c, const char *part, int over)
{
    size_range of[DRAWN_SIZES] = { { 0, 0 } };
    intern_values shapes = { 0 };
    long trials = 0;
    bool others = false;
    text_buffer text = { 0 };
    for (long k = 0; k < c->own.n; k++) {
        const row *r = &c->own.at[k];
        if (!is_of(r, part, over)) continue;
        trials++;
        (void)intern_value(&shapes, r->shape->text);
        others |= r->drawn->text[0] != '\0';
        for (int i = 0; i < DRAWN_SIZES; i++) {
            const size_range x = evidence_row_size(r, i);
            if (x.most) widen(&of[i], x);
        }
    }
    const long different = (long)shapes.used;
    intern_values_free(&shapes);
    if (!trials) return must_strdup("");
    for (int i = 0; i < DRAWN_SIZES; i++) {
        if (!of[i].most || is_no_size(drawn_size_names[i], of[i])) continue;
        text_add(&text, "%s%s = %ld", text.length ? ", " : "", drawn_size_names[i], of[i].least);
        if (of[i].most > of[i].least) text_add(&text, "-%ld", of[i].most);
    }
    text_add(&text, "%s", text.length ? ": " : "");
    if (others) text_add(&text, "%s", "models of several shapes, ");
    else text_add(&text, "%ld shape%s, ", different, different == 1 ? "" : "s");
    text_add(&text, "%ld decided trial%s", trials, trials == 1 ? "" : "s");
    return text_take(&text);
}

/* Recounts and designs of tables run at the least shape there is: one token, one number wide. */
static bool computes_no_model(const claim_record *c, const part_verdict *p)
{
    bool none = false;
    for (const row *r = c->own.at; r < c->own.at + c->own.n; r++) {
        if (!is_of(r, p->name, p->over)) continue;
        none = evidence_row_size(r, DRAWN_N).most == 1 && evidence_row_size(r, DRAWN_D).most == 1;
        if (!none) return false;
    }
    return none;
}

/* A part of finitely many cases has no sizes: whatever its program drew, it computed the same numbers.  Nor has one
 * without a model. */
static char *line_of(const claim_record *c, const part_verdict *p)
{
    if (p->finite || computes_no_model(c, p)) return must_strdup("");
    char *sizes = tried_sizes(c, p->name, p->over);
    char *line = *sizes ? must_format("tried %s at %s", arithmetic_in_words(p->over), sizes) : must_strdup("");
    free(sizes);
    return line;
}

/* " as-stated-any, as-stated-tied": the parts of the group of part k with its line, if it is the first of them; "": it
 * is not.  To be freed. */
static char *names_with(const claim_record *c, long k, char *const *line)
{
    text_buffer names = { 0 };
    for (long i = 0; i < c->v.parts; i++) {
        const bool same = judge_speaks_for(&c->v, &c->v.part[i], judge_speaks_for(&c->v, &c->v.part[k], true))
                       && strcmp(line[i], line[k]) == 0;
        if (same && i < k) {
            text_clear(&names);
            return must_strdup("");
        }
        if (same) text_add(&names, "%s%s", names.length ? ", " : " ", c->v.part[i].name);
    }
    return text_take(&names);
}

long tried_lines(const claim_record *c, bool corrected, char ***lines)
{
    const part_verdict *speaker = judge_speaker(&c->v, corrected);
    char **line = must_calloc((size_t)c->v.parts + 1, sizeof *line), *first = NULL;
    long n = 0;
    *lines = must_calloc((size_t)c->v.parts + 1, sizeof **lines);
    for (long k = 0; k < c->v.parts && speaker; k++) {
        line[k] = line_of(c, &c->v.part[k]);
        if (&c->v.part[k] == speaker) first = line[k];
    }
    if (first && *first) (*lines)[n++] = must_strdup(first);
    for (long k = 0; k < c->v.parts && first; k++) {
        const part_verdict *p = &c->v.part[k];
        if (p == speaker || !judge_speaks_for(&c->v, p, corrected)) continue;
        char *names = *line[k] && strcmp(line[k], first) != 0 ? names_with(c, k, line) : must_strdup("");
        if (*names) (*lines)[n++] = must_format("the part%s%s: %s", strchr(names, ',') ? "s" : "", names, line[k]);
        free(names);
    }
    for (long k = 0; k < c->v.parts; k++) free(line[k]);
    free(line);
    return n;
}
