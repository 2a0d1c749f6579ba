/* SPDX-License-Identifier: GPL-3.0-or-later
 * dependencies.c - what a claim uses, by its description: see evidence_set.h. */
#include <stdlib.h>
#include <string.h>
#include "src/report/collect/evidence_set.h"

void record_each_use(const claim_record *of, bool (*each)(void *, const char *), void *with)
{
    if (!of->text.depends) return;
    char *copy = must_strdup(of->text.depends), *save = NULL;
    for (char *id = strtok_r(copy, " ,", &save); id; id = strtok_r(NULL, " ,", &save)) if (!each(with, id)) break;
    free(copy);
}

typedef struct { const evidence_set *all; long *at, n; const claim_record *of; char *problem; } collector;

static bool collect(void *with, const char *id)
{
    collector *c = with;
    const claim_record *used = evidence_set_find(c->all, id);
    if (!used || used == c->of) return true;
    for (long k = 0; k < c->n; k++) if (c->at[k] == used - c->all->at) return true;
    c->at = must_realloc(c->at, (size_t)c->n + 1, sizeof *c->at);
    c->at[c->n++] = used - c->all->at;
    return true;
}

long record_uses(const evidence_set *all, const claim_record *of, long **out)
{
    collector c = { .all = all, .of = of };
    record_each_use(of, collect, &c);
    *out = c.at;
    return c.n;
}

/* Is there a path from `at` to `goal` along uses?  `seen` has one entry per claim. */
static bool leads_to(const evidence_set *all, long at, long goal, bool *seen)
{
    long *used;
    const long n = record_uses(all, &all->at[at], &used);
    bool found = false;
    seen[at] = true;
    for (long k = 0; k < n && !found; k++)
        found = used[k] == goal || (!seen[used[k]] && leads_to(all, used[k], goal, seen));
    free(used);
    return found;
}

static bool check_name(void *with, const char *id)
{
    collector *c = with;
    const claim_record *used = evidence_set_find(c->all, id);
    if (!used) c->problem = must_format("%s uses %.40s, which is no claim of the index", c->of->id, id);
    else if (used == c->of) c->problem = must_format("%s uses itself", c->of->id);
    return !c->problem;
}

char *record_dependency_problem(const evidence_set *all, const claim_record *of)
{
    collector c = { .all = all, .of = of };
    record_each_use(of, check_name, &c);
    if (c.problem) return c.problem;
    bool *seen = must_calloc((size_t)all->n, sizeof *seen);
    const long at = of - all->at;
    if (leads_to(all, at, at, seen)) c.problem = must_format("%s uses itself through the claims that it uses", of->id);
    free(seen);
    return c.problem;
}
