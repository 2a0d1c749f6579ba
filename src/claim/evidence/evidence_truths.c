/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence_truths.c - the truths of all checks of a row: a list of "holds logits", "holds*2 one block". */
#include "src/claim/evidence/evidence.h"
#include <stdlib.h>
#include <string.h>
#include "src/base/intern_values.h"
#include "src/base/list.h"

static const truth truths[] = { HOLDS, REFUTED, UNDECIDED };

/* "holds*2 one block"; false: it is none. */
static bool read_one(check_truth *to, const char *item)
{
    for (size_t k = 0; k < COUNT(truths); k++) {
        const char *word = truth_word(truths[k]);
        const size_t n = strlen(word), beside = strlen(DECIDED_BESIDE);
        if (strncmp(item, word, n) != 0) continue;
        const char *space = item + n;
        *to = (check_truth){ .is = truths[k], .times = 1 };
        if (*space == '*') {
            const size_t places = strspn(space + 1, "0123456789");
            if (places > 9) return false;                /* no program makes so many checks */
            to->times = atol(space + 1);
            space += 1 + places;
        }
        if (*space != ' ' || to->times <= 0) return false;
        to->what = intern(space + 1);
        if (strncmp(to->what, DECIDED_BESIDE, beside) == 0) to->decided = intern(to->what + beside);
        return true;
    }
    return false;
}

static check_truths *read_all(const char *text)
{
    check_truths *all = must_calloc(1, sizeof *all);
    check_truth *at = NULL;
    all->text = text;
    for (const char *item; (item = list_next(&text)) != NULL; all->at = at) {
        at = must_realloc(at, (size_t)all->n + 1, sizeof *at);
        if (read_one(&at[all->n++], item)) continue;
        free(at);
        free(all);
        return NULL;
    }
    return all;
}

const check_truths *evidence_truths(const char *text)
{
    static intern_values known;
    const char *kept = intern(text);
    void **at = intern_value(&known, kept);
    if (!*at) *at = read_all(kept);
    return *at;
}

static void write_one(text_buffer *to, truth is, long times, const char *what)
{
    char *item = times > 1 ? must_format("%s*%ld %s", truth_word(is), times, what)
                           : must_format("%s %s", truth_word(is), what);
    list_add(to, item);
    free(item);
}

void evidence_row_add_truth(row *r, truth is, const char *what, long times)
{
    const char *name = cell_keep(what);
    text_buffer text = { 0 };
    bool found = false;
    for (const check_truth *c = r->truths->at; c < r->truths->at + r->truths->n; c++) {
        const bool same = c->is == is && c->what == name;
        write_one(&text, c->is, c->times + (same ? times : 0), c->what);
        found |= same;
    }
    if (!found) write_one(&text, is, times, name);
    r->truths = evidence_truths(text.at);
    text_clear(&text);
}

long evidence_row_count_truths(const row *r, truth is)
{
    long n = 0;
    for (long k = 0; k < r->truths->n; k++) n += r->truths->at[k].is == is ? r->truths->at[k].times : 0;
    return n;
}

bool evidence_row_shows(const row *r, const char *what)
{
    for (long k = 0; k < r->truths->n; k++)
        if (r->truths->at[k].is == HOLDS && strcmp(r->truths->at[k].what, what) == 0) return true;
    return false;
}

bool evidence_row_agrees(const row *r)
{
    const long holds = evidence_row_count_truths(r, HOLDS), refuted = evidence_row_count_truths(r, REFUTED);
    if (holds + refuted + evidence_row_count_truths(r, UNDECIDED) != r->checks) return false;
    return r->verdict == HOLDS ? holds > 0 && holds == r->checks : r->verdict == REFUTED ? refuted > 0 : true;
}
