/* SPDX-License-Identifier: GPL-3.0-or-later
 * hypotheses.c - see hypotheses.h. */
#include "src/claim/hypotheses.h"
#include <stdlib.h>
#include <string.h>
#include "src/base/intern.h"
#include "src/base/intern_values.h"
#include "src/base/list.h"
#include "src/model/constrained.h"

static const char heads[] = "h = ", at_least[] = " >= ", another[] = "another ", given[] = "given ";

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static hypothesis read_one(const char *text)
{
    hypothesis one = { .text = text };
    const char *least = strstr(text, at_least);
    if (begins(text, CONSTRAINED)) one.kind = HYPOTHESIS_CONSTRAINED;
    else if (begins(text, heads)) one.kind = HYPOTHESIS_HEADS;
    else if (least) {
        one.kind = HYPOTHESIS_SIZE;
        one.size = intern_bytes(text, (size_t)(least - text));
        one.least = strtol(least + strlen(at_least), NULL, 10);
    } else if (strstr(text, " = ") || strstr(text, " < ") || begins(text, another) || begins(text, given))
        one.kind = HYPOTHESIS_SWITCH;
    return one;
}

static hypotheses *read_set(const char *list)
{
    hypotheses *set = must_calloc(1, sizeof *set);
    hypothesis *at = NULL;
    text_buffer text = { 0 };
    for (const char *one; (one = list_next(&list)) != NULL; ) {
        if (hypotheses_have(set, one)) continue;
        list_add(&text, one);
        at = must_realloc(at, (size_t)set->n + 1, sizeof *at);
        at[set->n++] = read_one(one);
        set->at = at;
    }
    set->text = intern(text.at ? text.at : "");
    text_clear(&text);
    return set;
}

const hypotheses *hypotheses_of(const char *list)
{
    static intern_values known;
    const char *kept = intern(list);
    void **at = intern_value(&known, kept);
    if (!*at) *at = read_set(kept);
    return *at;
}

const hypotheses *hypotheses_join(const hypotheses *a, const hypotheses *b)
{
    if (!a->n || !b->n) return a->n ? a : b;
    char *both = must_format("%s; %s", a->text, b->text);
    const hypotheses *set = hypotheses_of(both);
    free(both);
    return set;
}

bool hypotheses_have(const hypotheses *set, const char *one)
{
    for (long k = 0; k < set->n; k++) if (strcmp(set->at[k].text, one) == 0) return true;
    return false;
}
