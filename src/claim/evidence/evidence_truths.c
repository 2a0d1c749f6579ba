/* evidence_truths.c - the truths of all checks of a row, as one text: "holds logits; holds*2 one block". */
#include "src/claim/evidence/evidence.h"
#include <stdlib.h>
#include <string.h>

static const truth truths[] = { HOLDS, REFUTED, UNDECIDED };

static const char *text_of(const row *r) { return r->truths ? r->truths : ""; }

/* An item "holds*2 one block" at `at`: its truth, how often, where its name begins; false: it is none. */
typedef struct { truth is; long times; const char *name; } item;
static bool item_at(item *to, const char *at)
{
    for (size_t k = 0; k < COUNT(truths); k++) {
        const char *word = truth_word(truths[k]);
        const size_t n = strlen(word);
        if (strncmp(at, word, n) != 0) continue;
        const char *space = at + n;
        *to = (item){ .is = truths[k], .times = 1 };
        if (*space == '*') to->times = atol(space + 1), space += 1 + strspn(space + 1, "0123456789");
        to->name = space + 1;
        return *space == ' ' && to->times > 0;
    }
    return false;
}

/* Where the item that begins at `at` ends: names may hold "; ", but not before a truth. */
static const char *item_end(const char *at)
{
    item next;
    const char *end = strstr(at, "; ");
    while (end && !item_at(&next, end + 2)) end = strstr(end + 2, "; ");
    return end ? end : at + strlen(at);
}

static void put_item(FILE *f, bool first, truth is, long times, const char *name, int length)
{
    fprintf(f, "%s%s", first ? "" : "; ", truth_word(is));
    if (times > 1) fprintf(f, "*%ld", times);
    fprintf(f, " %.*s", length, name);
}

void evidence_row_add_truth(row *r, truth is, const char *what, long times)
{
    char name[128], *text = NULL;
    size_t size;
    bool found = false;
    FILE *f = open_memstream(&text, &size);
    if (!f) die("no memory for the truths of a row");
    cell_copy(name, sizeof name, what);
    for (const char *at = text_of(r), *end; *at; at = *end ? end + 2 : end) {
        item old;
        REQUIRE(item_at(&old, at), "no truths: %s", r->truths);
        end = item_end(at);
        const int length = (int)(end - old.name);
        const bool same = old.is == is && (size_t)length == strlen(name)
                       && strncmp(old.name, name, (size_t)length) == 0;
        put_item(f, at == r->truths, old.is, old.times + (same ? times : 0), old.name, length);
        found |= same;
    }
    if (!found) put_item(f, !*text_of(r), is, times, name, (int)strlen(name));
    if (fclose(f) != 0) die("no memory for the truths of a row");
    r->truths = intern(text);
    free(text);
}

long evidence_row_count_truths(const row *r, truth is)
{
    long n = 0;
    for (const char *at = text_of(r); *at; ) {
        item one;
        if (!item_at(&one, at)) return -1;
        if (one.is == is) n += one.times;
        at = item_end(at);
        at += *at ? 2 : 0;
    }
    return n;
}

bool evidence_row_shows(const row *r, const char *what)
{
    const size_t n = strlen(what), most = 39;      /* row.what may have been cut */
    for (const char *at = text_of(r), *end; *at; at = *end ? end + 2 : end) {
        item one;
        if (!item_at(&one, at)) return false;
        end = item_end(at);
        const size_t length = (size_t)(end - one.name);
        if (one.is != HOLDS || strncmp(one.name, what, n) != 0) continue;
        if (length == n || (n == most && length > n)) return true;
    }
    return false;
}

bool evidence_row_next(const row *r, const char **at, char *name, size_t size)
{
    item one;
    if (!*at) *at = text_of(r);
    if (!item_at(&one, *at)) return false;
    const char *end = item_end(*at);
    snprintf(name, size, "%.*s", (int)(end - one.name), one.name);
    *at = *end ? end + 2 : end;
    return true;
}

bool evidence_row_agrees(const row *r)
{
    const long holds = evidence_row_count_truths(r, HOLDS), refuted = evidence_row_count_truths(r, REFUTED);
    const long undecided = evidence_row_count_truths(r, UNDECIDED);
    if (holds < 0 || holds + refuted + undecided != r->checks) return false;
    return r->verdict == HOLDS ? holds > 0 && holds == r->checks : r->verdict == REFUTED ? refuted > 0 : true;
}
