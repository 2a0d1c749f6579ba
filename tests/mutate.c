/* SPDX-License-Identifier: GPL-3.0-or-later
 * mutate.c - deliberate changes of C sources, for `make mutants` (tests/mutants.sh).
 *
 *   mutate FILE...       each change as a line KIND <tab> FILE <tab> LINE <tab> AT <tab> LENGTH <tab> TEXT: LENGTH bytes at
 *                        AT become TEXT; KIND is lang:OPERATOR (tests/support/mutations.h)
 *   mutate --strikes     for lines as of --compare, every change that strikes the statement, and BROKEN as a last field
 *   mutate --compare     for lines ORIGINAL <tab> BROKEN on standard input, files both, whether a change of ORIGINAL is
 *                        like BROKEN: CLASS <tab> NUMBER <tab> BROKEN, and the fields of a change that is identical
 *
 * CLASS is `identical` where NUMBER changes make the same program as BROKEN (c_source_same), `statement` where NUMBER
 * changes strike a statement that BROKEN changes, or, outside of functions, its line; `none` where there is none,
 * `void` where BROKEN is ORIGINAL. */
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/base/text.h"
#include "tests/support/mutations.h"

enum { MOST = 16 << 20 };

typedef struct { char *path, *text; c_source source; mutations all; } original;

static original read_original(const char *path)
{
    size_t length;
    char *text = file_read(path, MOST, &length);
    original o = { .path = must_strdup(path), .text = text, .source = c_source_of(text, length) };
    o.all = mutations_of(&o.source);
    return o;
}

static void forget(original *o)
{
    mutations_free(&o->all);
    c_source_free(&o->source);
    free(o->text);
    free(o->path);
    *o = (original){ 0 };
}

static void show(const char *path, const mutation *m)
{
    printf("lang:%s\t%s\t%ld\t%zu\t%zu\t%s", m->operator, path, m->line, m->at, m->length, m->text);
}

static void list(const char *path)
{
    original o = read_original(path);
    for (long k = 0; k < o.all.n; k++) {
        show(path, &o.all.at[k]);
        putchar('\n');
    }
    forget(&o);
}

/* ---- compared with a file that is broken otherwise */

static bool same_at(const c_source *a, long i, const c_source *b, long j)
{
    return a->at[i].length == b->at[j].length && !memcmp(a->text + a->at[i].at, b->text + b->at[j].at, a->at[i].length);
}

typedef struct { long first, last; } changed;                /* tokens of the original; the nearest ones of an insertion */
static changed changed_tokens(const c_source *a, const c_source *b)
{
    const long least = a->n < b->n ? a->n : b->n;
    long head = 0, tail = 0;
    while (head < least && same_at(a, head, b, head)) head++;
    while (tail < least - head && same_at(a, a->n - 1 - tail, b, b->n - 1 - tail)) tail++;
    changed c = { head, a->n - 1 - tail };
    if (c.last < c.first) { c.first = head ? head - 1 : 0; c.last = c.first; }
    return c;
}

static bool strikes(const original *o, const mutation *m, changed c)
{
    const token *ends[2] = { &o->source.at[c.first], &o->source.at[c.last] };
    for (int k = 0; k < 2; k++)
        if (m->statement == ends[k]->statement && (ends[k]->in_function || m->line == ends[k]->line)) return true;
    return false;
}

static bool makes(const original *o, const mutation *m, const c_source *broken)
{
    size_t length;
    char *text = mutation_apply(&o->source, m, &length);
    c_source s = c_source_of(text, length);
    const bool same = c_source_same(&s, broken);
    c_source_free(&s);
    free(text);
    return same;
}

static void compare(const original *o, const char *path, const c_source *broken, changed c)
{
    long identical = 0, striking = 0;
    const mutation *shown = NULL;
    const bool unchanged = o->source.length == broken->length && !memcmp(o->source.text, broken->text, broken->length);
    const size_t from = o->source.at[c.first ? c.first - 1 : 0].at, to = o->source.at[c.last].at + o->source.at[c.last].length;
    for (long k = 0; k < o->all.n; k++) {
        const mutation *m = &o->all.at[k];
        striking += strikes(o, m, c);
        if (m->at <= to && m->at + m->length >= from && makes(o, m, broken) && !identical++) shown = m;
    }
    printf("%s\t%ld\t%s", unchanged ? "void" : identical ? "identical" : striking ? "statement" : "none", identical ? identical : striking, path);
    if (shown) {
        putchar('\t');
        show(o->path, shown);
    }
    putchar('\n');
}

static void print_striking(const original *o, const char *path, const c_source *broken, changed c)
{
    (void)broken;
    for (long k = 0; k < o->all.n; k++) {
        if (!strikes(o, &o->all.at[k], c)) continue;
        show(o->path, &o->all.at[k]);
        printf("\t%s\n", path);
    }
}

typedef void answer(const original *o, const char *path, const c_source *broken, changed c);

static void each_pair(answer *say)
{
    original o = { 0 };
    text_line l = { 0 };
    while (line_next(&l, stdin, "standard input")) {
        char *broken_path = strchr(l.at, '\t');
        if (!broken_path) die("standard input: no ORIGINAL and BROKEN with a tab between: %s", l.at);
        *broken_path++ = 0;
        if (!o.path || strcmp(o.path, l.at)) {
            if (o.path) forget(&o);
            o = read_original(l.at);
        }
        size_t length;
        char *text = file_read(broken_path, MOST, &length);
        c_source broken = c_source_of(text, length);
        if (!o.source.n || !broken.n) die("%s: no C source", o.source.n ? broken_path : o.path);
        say(&o, broken_path, &broken, changed_tokens(&o.source, &broken));
        c_source_free(&broken);
        free(text);
    }
    if (o.path) forget(&o);
    text_line_free(&l);
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    if (argc < 2) die("no FILE; write mutate FILE..., mutate --compare or mutate --strikes");
    if (!strcmp(argv[1], "--compare")) each_pair(compare);
    else if (!strcmp(argv[1], "--strikes")) each_pair(print_striking);
    else for (int k = 1; k < argc; k++) list(argv[k]);
    return 0;
}
