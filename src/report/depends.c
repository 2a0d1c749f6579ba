/* depends.c - what a claim uses, by its description: see graph.h. */
#include <stdlib.h>
#include <string.h>
#include "src/report/graph.h"

/* Calls `each` with every name in the description's list until it answers false. */
static void for_each_name(const chapter *of, bool (*each)(void *, const char *), void *with)
{
    if (!of->text.depends) return;
    char *copy = must_strdup(of->text.depends), *save = NULL;
    for (char *id = strtok_r(copy, " ,", &save); id; id = strtok_r(NULL, " ,", &save)) if (!each(with, id)) break;
    free(copy);
}

typedef struct { const book *b; long *at, n; const chapter *of; char *problem; } collector;

static bool collect(void *with, const char *id)
{
    collector *c = with;
    const chapter *used = book_find(c->b, id);
    if (!used || used == c->of) return true;
    for (long k = 0; k < c->n; k++) if (c->at[k] == used - c->b->at) return true;
    c->at = must_realloc(c->at, (size_t)c->n + 1, sizeof *c->at);
    c->at[c->n++] = used - c->b->at;
    return true;
}

long chapter_uses(const book *b, const chapter *of, long **out)
{
    collector c = { .b = b, .of = of };
    for_each_name(of, collect, &c);
    *out = c.at;
    return c.n;
}

/* Is there a way from `at` to `goal` along uses?  `seen` has one entry per chapter. */
static bool leads_to(const book *b, long at, long goal, bool *seen)
{
    long *used;
    const long n = chapter_uses(b, &b->at[at], &used);
    bool found = false;
    seen[at] = true;
    for (long k = 0; k < n && !found; k++)
        found = used[k] == goal || (!seen[used[k]] && leads_to(b, used[k], goal, seen));
    free(used);
    return found;
}

static bool check_name(void *with, const char *id)
{
    collector *c = with;
    const chapter *used = book_find(c->b, id);
    if (!used) c->problem = must_format("%s uses %.40s, which is no claim of the index", c->of->id, id);
    else if (used == c->of) c->problem = must_format("%s uses itself", c->of->id);
    return !c->problem;
}

char *depends_problem(const book *b, const chapter *of)
{
    collector c = { .b = b, .of = of };
    for_each_name(of, check_name, &c);
    if (c.problem) return c.problem;
    bool *seen = must_calloc((size_t)b->n, sizeof *seen);
    const long at = of - b->at;
    if (leads_to(b, at, at, seen)) c.problem = must_format("%s uses itself through the claims that it uses", of->id);
    free(seen);
    return c.problem;
}
