/* SPDX-License-Identifier: GPL-3.0-or-later
 * judge_claim.c - the parts of a claim together: see verdict.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/claim/judge/judge.h"

bool judge_speaks_for(const claim_verdict *c, const part_verdict *p, bool corrected)
{
    return !part_role_illustrates(p->role) && (p->role == ROLE_CORRECTED && !c->as_meant) == corrected;
}

/* Parts of one group are judged together.  A witness speaks for its group; otherwise the weakest counts; a verdict
 * that fails the run always wins.  A part that only illustrates is in no group, unless it fails. */
static verdict combine(verdict a, verdict b)
{
    if (a == V_NONE) return b;
    if (b == V_NONE) return a;
    if (verdict_fails(a) || verdict_fails(b)) return verdict_fails(a) ? a : b;
    const bool a_ordered = a >= V_MEASURED && a <= V_PROVED, b_ordered = b >= V_MEASURED && b <= V_PROVED;
    if (a_ordered && b_ordered) return a < b ? a : b;
    if (a_ordered || b_ordered) return a_ordered ? b : a;
    return a > b ? a : b;                    /* a refutation says more than a slip, a slip than a caveat */
}

static bool all_are_of(const rows *all, const char *id)
{
    long k = 0;
    while (k < all->n && strcmp(all->at[k].id, id) == 0) k++;
    return k == all->n;
}

/* Only the rows of one claim; to be freed. */
static rows rows_of(const rows *all, const char *id)
{
    rows own = { .at = must_calloc((size_t)all->n + 1, sizeof *own.at) };
    for (long k = 0; k < all->n; k++) if (strcmp(all->at[k].id, id) == 0) own.at[own.n++] = all->at[k];
    return own;
}

static bool known_part(const claim_verdict *c, const char *name)
{
    for (long p = 0; p < c->parts; p++) if (strcmp(c->part[p].name, name) == 0) return true;
    return false;
}

void judge_add_part(claim_verdict *c, const part_verdict *p)
{
    verdict *group = p->role == ROLE_CORRECTED ? &c->corrected : &c->as_stated;
    c->part[c->parts++] = *p;
    if (!part_role_illustrates(p->role) || verdict_fails(p->is)) *group = combine(*group, p->is);
    c->controls += p->controls;
    c->refuted  += p->refuted;
    c->broken   += p->broken;
    c->local    += p->local;
    c->seconds  += p->seconds;
}

static bool illustrates_as_stated(const claim_verdict *c)
{
    bool any = false;
    for (long k = 0; k < c->parts; k++) any |= c->part[k].role == ROLE_ILLUSTRATION;
    return any;
}

/* Where all that is said of the printed sentence only illustrates, and somebody read the parts called corrected beside
 * it as what its authors mean, it is true as these say it; unread, there is no statement to decide. */
static void judge_as_meant(claim_verdict *c, const readings *read)
{
    const bool shown = c->corrected == V_PROVED || c->corrected == V_SUPPORTED;
    if (c->as_stated != V_NONE || !illustrates_as_stated(c)) return;
    const body_reading *meant = readings_find(read, c->id, READ_AS_MEANT);
    c->as_meant = shown && meant && !*meant->lacks;
    c->as_stated = c->as_meant ? c->corrected : shown || c->corrected == V_NONE ? V_INFORMAL : V_UNDECIDED;
    if (c->as_meant) c->corrected = V_NONE;
}

claim_verdict judge_claim(const rows *every, const proofs *accepted, const formal_list *formal, const readings *read,
                          const char *id)
{
    const bool others = !all_are_of(every, id);
    rows own = others ? rows_of(every, id) : *every;
    claim_verdict c = { .as_stated = V_NONE, .corrected = V_NONE, .log2logit = -INFINITY };
    cell_copy(c.id, sizeof c.id, id);
    for (long k = 0; k < own.n; k++) {
        const row *r = &own.at[k];
        if (evidence_row_is_claim(r) && r->log2logit > c.log2logit) c.log2logit = r->log2logit;
        if (known_part(&c, r->part)) continue;
        if (c.parts == MAX_PARTS) {
            c.as_stated = V_FAILED;
            snprintf(c.part[0].why, sizeof c.part[0].why, "more than %d parts", MAX_PARTS);
            c.part[0].is = V_FAILED;
            break;
        }
        const part_verdict p = judge_part(&own, accepted, formal, read, id, r->part);
        judge_add_part(&c, &p);
    }
    if (others) evidence_rows_free(&own);
    if (!c.parts) c.as_stated = V_PENDING;
    judge_as_meant(&c, read);
    /* The repair of a caveat must have been shown. */
    if (c.as_stated == V_CAVEAT && c.corrected != V_PROVED && c.corrected != V_SUPPORTED) c.as_stated = V_UNDECIDED;
    return c;
}

/* A case that was decided says nothing of the rest, which a part beside it covers: those speak. */
static bool is_a_case(const claim_verdict *c, const part_verdict *p)
{
    bool universal = false;
    for (const part_verdict *q = c->part; q < c->part + c->parts; q++)
        universal |= !q->finite && q->is == p->is && judge_speaks_for(c, q, judge_speaks_for(c, p, true));
    return p->is == V_PROVED && p->finite && universal;
}

const part_verdict *judge_speaker(const claim_verdict *c, bool corrected)
{
    const verdict is = corrected ? c->corrected : c->as_stated;
    const part_verdict *best = NULL;
    for (int deciding = 1; deciding >= 0 && !best; deciding--)
        for (long k = 0; k < c->parts; k++) {
            const part_verdict *p = &c->part[k];
            if (!judge_speaks_for(c, p, corrected) || (deciding && p->is != is)) continue;
            if (is_a_case(c, p)) continue;
            const int narrower = best ? evidence_scope_compare(&p->scope, &best->scope) : -1;
            if (!best || p->by < best->by || (p->by == best->by && narrower < 0)) best = p;
        }
    return best;
}

double judge_log2(const claim_verdict *c, bool corrected)
{
    const part_verdict *speaker = judge_speaker(c, corrected);
    if (!speaker) return -INFINITY;
    double worst = speaker->log2;
    for (long k = 0; k < c->parts && isfinite(worst); k++) {
        const part_verdict *p = &c->part[k];
        if (judge_speaks_for(c, p, corrected) && p->by == speaker->by) worst = fmax(worst, p->log2);
    }
    return worst;
}

/* Is it the first of its group with these quantifiers? */
static bool speaks_anew(const claim_verdict *c, const part_verdict *speaker, const part_verdict *p)
{
    if (p->by != E_FORMAL || strcmp(p->theorem->quantifiers, speaker->theorem->quantifiers) == 0) return false;
    for (const part_verdict *q = c->part; q < p; q++)
        if (judge_speaks_for(c, q, judge_speaks_for(c, p, true)) && q->by == E_FORMAL
            && strcmp(q->theorem->quantifiers, p->theorem->quantifiers) == 0) return false;
    return true;
}

const part_verdict *judge_theorem(const claim_verdict *c, bool corrected, long k)
{
    const part_verdict *speaker = judge_speaker(c, corrected);
    if (!speaker || speaker->by != E_FORMAL || k == 0) return speaker && speaker->by == E_FORMAL ? speaker : NULL;
    for (const part_verdict *p = c->part; p < c->part + c->parts; p++)
        if (judge_speaks_for(c, p, corrected) && speaks_anew(c, speaker, p) && --k == 0) return p;
    return NULL;
}

void judge_scope_text(char *to, size_t size, const claim_verdict *c, bool corrected)
{
    evidence_scope_text(to, size, judge_speaker(c, corrected));
    const size_t used = strlen(to);
    if (judge_theorem(c, corrected, 1)) snprintf(to + used, size - used, "; other parts: by theorems of their own");
}
