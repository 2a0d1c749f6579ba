/* SPDX-License-Identifier: GPL-3.0-or-later
 * documents.c - see documents.h. */
#include <stdlib.h>
#include <string.h>
#include "src/data/bpe.h"
#include "src/data/documents.h"
#include "src/data/tar.h"

enum { PIECE = 1 << 22, DEPTH = 4 };

typedef struct {
    document_sink *sink;
    void *self;
    char *text;                          /* [room]; text[at .. end) is read and not given on yet; it
                                            begins a text, or follows a separator, or with a blank */
    size_t at, end, room, enough;        /* enough: bytes to look at before the next attempt to give    */
} reader;

/* A source with its first bytes read already. */
typedef struct { unsigned char head[TAR_BLOCK]; size_t from, to; unpacker *u; } peeked;

static size_t read_peeked(void *self, void *to, size_t n)
{
    peeked *p = self;
    const size_t first = p->to - p->from < n ? p->to - p->from : n;
    memcpy(to, p->head + p->from, first);
    p->from += first;
    return first + unpack_read(p->u, (char *)to + first, n - first);
}

static size_t read_member(void *self, void *to, size_t n) { return tar_read(self, to, n); }

/* The first separator line not given on yet, or NULL; *next: behind its line break.  At the end of a text the line
 * break may be missing; else a separator without one is left for later. */
static char *find_separator(const reader *r, bool at_end, char **next)
{
    enum { LENGTH = sizeof END_OF_TEXT - 1 };
    char *const begin = r->text + r->at, *const end = r->text + r->end;
    for (char *s = begin; (s = memmem(s, (size_t)(end - s), END_OF_TEXT, LENGTH)); s++) {
        *next = s + LENGTH;
        if (s > begin && s[-1] != '\n') continue;
        if (*next == end && at_end) return s;
        if (*next < end && **next == '\n') { ++*next; return s; }
    }
    return NULL;
}

static bool blank(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

/* Gives text[at .. upto) on and goes to `next`. */
static void give(reader *r, const char *upto, const char *next, bool ends)
{
    const char *from = r->text + r->at;
    if (upto > from || ends) r->sink(r->self, from, (size_t)(upto - from), ends);
    r->at = (size_t)(next - r->text);
}

/* What can be given on before more is read: documents that have ended, and of a long one up to a word of its last
 * two megabytes.  If there is no such place, twice as much is read before the next attempt. */
static void give_some(reader *r, bool at_end)
{
    if (!at_end && r->end - r->at < r->enough) return;
    char *next, *separator;
    while ((separator = find_separator(r, at_end, &next))) give(r, separator, next, true);
    r->enough = PIECE;
    if (at_end || r->end - r->at < PIECE) return;
    size_t cut = r->end - PIECE / 2;
    while (cut > r->at && !(blank(r->text[cut]) && '!' <= r->text[cut - 1] && r->text[cut - 1] <= '~')) cut--;
    if (cut > r->at) give(r, r->text + cut, r->text + cut, false);
    else r->enough = 2 * (r->end - r->at);
}

static void read_text(reader *r, byte_source from, bool is_document)
{
    r->at = r->end = 0;
    r->enough = PIECE;
    for (size_t got = PIECE; got == PIECE;) {
        memmove(r->text, r->text + r->at, r->end - r->at);
        r->end -= r->at, r->at = 0;
        if (r->end + PIECE > r->room) r->text = must_realloc(r->text, r->room = 2 * (r->end + PIECE), 1);
        got = from.read(from.self, r->text + r->end, PIECE);
        r->end += got;
        give_some(r, got < PIECE);
    }
    give(r, r->text + r->end, r->text + r->end, is_document);
}

/* depth 0: a file; more: within archives. */
static void read_any(reader *r, unpacker *u, const char *name, int depth)
{
    peeked p = { .u = u };
    p.to = unpack_read(u, p.head, sizeof p.head);
    const byte_source from = { read_peeked, &p, name };
    if (!tar_begins(p.head, p.to)) {
        read_text(r, from, depth > 0);
        return;
    }
    if (depth == DEPTH) die("%s: archives within archives within archives; unpack it first", name);
    tar_reader t = { .from = from };
    while (tar_next(&t)) {
        char *member = must_format("%s: %s", name, t.name);
        unpacker *inner = unpack_source((byte_source){ read_member, &t, member });
        read_any(r, inner, member, depth + 1);
        unpack_close(inner);
        free(member);
    }
}

void documents_read(const char *path, document_sink *sink, void *self)
{
    reader r = { .sink = sink, .self = self, .text = must_calloc(2 * PIECE, 1), .room = 2 * PIECE };
    unpacker *u = unpack_open(path);
    read_any(&r, u, path, 0);
    unpack_close(u);
    free(r.text);
}
