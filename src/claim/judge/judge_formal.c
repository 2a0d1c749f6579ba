/* SPDX-License-Identifier: GPL-3.0-or-later
 * judge_formal.c - what a theorem that a proof assistant's kernel accepts does for a part.
 *
 * That a theorem names a part does not make it the part's sentence: it counts where somebody has compared it with the
 * printed sentence and found that it says all of it (formal.h).  Then a part that is PROVED or SUPPORTED is PROVED,
 * and its evidence is FORMAL.  Witnesses, figures and parts that fail keep verdict and evidence.  A theorem whose
 * files have changed counts for nothing. */
#include <math.h>
#include <string.h>
#include "src/claim/judge/judge.h"

static bool is_of_part(const formal_theorem *t, const char *id, const char *part)
{
    return strcmp(t->claim, id) == 0 && strcmp(t->part, part) == 0;
}

/* The one that says most: read and found whole, else the first that is as accepted. */
static void find_theorem(part_verdict *p, const formal_list *formal, const char *id)
{
    for (long k = 0; formal && k < formal->n; k++) {
        const formal_theorem *t = &formal->at[k];
        if (!is_of_part(t, id, p->name)) continue;
        if (!t->current) p->stale = t;
        else if (!p->theorem || (t->whole && !p->theorem->whole)) p->theorem = t;
    }
    if (p->theorem) p->stale = NULL;
}

void judge_formal(part_verdict *p, const formal_list *formal, const char *id)
{
    p->unformal = p->is;
    p->unformal_by = p->by;
    find_theorem(p, formal, id);
    if (!p->theorem || !p->theorem->whole || p->kind != PART_IDENTITY) return;
    if (p->is != V_PROVED && p->is != V_SUPPORTED) return;
    p->is = V_PROVED;
    p->by = E_FORMAL;
    p->log2 = -INFINITY;
    p->missing[0] = '\0';
    p->scope = (evidence_scope){ .sizes = true, .depth = -1 };
}
