/* SPDX-License-Identifier: GPL-3.0-or-later
 * judge_evidence.c - what the rows of a part are worth, and for which inputs they speak: see judge.h. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/intern_values.h"
#include "src/claim/judge/judge.h"

static const double WANTED_LOG2_ERROR = -60;                 /* VERIFIED: at most this               */

bool judge_of_part(const row *r, const char *id, const char *name)
{
    return strcmp(r->id, id) == 0 && strcmp(r->part, name) == 0;
}

bool judge_of_claim(const row *r, const char *id, const char *name)
{
    return judge_of_part(r, id, name) && evidence_row_is_claim(r);
}

/* ---- what each arithmetic says ----------------------------------------------------------------------- */

void judge_note_answer(answer *a, const row *r)
{
    const bool first = a->holds + a->refuted + a->undecided == 0;
    if (first) *a = (answer){ .worst = -INFINITY, .margin = -INFINITY };
    a->holds     += r->verdict == HOLDS;
    a->refuted   += r->verdict == REFUTED;
    a->undecided += r->verdict == UNDECIDED;
    if (r->verdict == UNDECIDED) return;
    if (r->over == A_MPFR) {
        if (isnan(r->slope)) a->exact = true;
        else if (isinf(a->worst) || fabs(r->slope + 1) > fabs(a->worst + 1)) a->worst = r->slope;
        return;
    }
    a->worst = fmax(a->worst, r->over == A_FP ? r->log2bound : r->log2gap);
    if (r->over == A_F64 && r->log2gap > -INFINITY) a->margin = fmax(a->margin, r->log2gap - r->log2bound);
}

/* What a row that holds is worth by itself; a symbolic run is worth what proofcheck says of it. */
static evidence_kind worth(const row *r)
{
    switch (r->over) {
    case A_FP:   return r->log2bound <= WANTED_LOG2_ERROR ? E_VERIFIED : E_NONE;
    case A_Q:    return E_EXACT;
    case A_ARB:  return E_ENCLOSED;
    case A_MPFR: return E_CHECKED;
    case A_F64:  return E_MEASURED;
    default:     return E_NONE;
    }
}

/* Does every trial of this arithmetic hold, and at least one?  Trials that do not apply there do not count. */
bool judge_all_hold(const rows *all, const part_verdict *p, const char *id, int over, evidence_kind at_least)
{
    long holds = 0;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!judge_of_claim(r, id, p->name) || r->over != over || r->skipped) continue;
        if (r->verdict != HOLDS || (over != A_SYM && worth(r) < at_least)) return false;
        holds++;
    }
    return holds > 0;
}

/* Over a prime field, too, some facts need no probability (a minor that is not 0): those are exact. */
static bool all_certain(const rows *all, const part_verdict *p, const char *id)
{
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (judge_of_claim(r, id, p->name) && r->over == A_FP && r->verdict == HOLDS && !r->certain)
            return false;
    }
    return true;
}

/* The strongest arithmetic whose trials all hold, and what they are worth; E_NONE: none. */
voice judge_speaking(const rows *all, const part_verdict *p, const char *id)
{
    static const voice order[] = { { A_FP, E_VERIFIED }, { A_Q, E_EXACT }, { A_ARB, E_ENCLOSED }, { A_MPFR, E_CHECKED },
                                   { A_F64, E_MEASURED } };
    if (p->finite && judge_all_hold(all, p, id, A_Q, E_EXACT)) return (voice){ A_Q, E_EXACT };
    for (size_t k = 0; k < COUNT(order); k++)
        if (judge_all_hold(all, p, id, order[k].over, order[k].is))
            return k == 0 && all_certain(all, p, id) ? (voice){ A_FP, E_EXACT } : order[k];
    return (voice){ A_F64, E_NONE };
}

static int by_shape(const void *s, const void *t)
{
    const row *a = *(const row *const *)s, *b = *(const row *const *)t;
    const uintptr_t x = (uintptr_t)a->shape, y = (uintptr_t)b->shape;            /* shapes are kept once each */
    return x != y ? (x < y ? -1 : 1) : (a > b) - (a < b);
}

const row **judge_rows_by_shape(const rows *all, const char *id, const char *name, long *n)
{
    const row **of = must_calloc((size_t)all->n + 1, sizeof(const row *));
    *n = 0;
    for (long k = 0; k < all->n; k++) if (judge_of_claim(&all->at[k], id, name)) of[(*n)++] = &all->at[k];
    qsort(of, (size_t)*n, sizeof(const row *), by_shape);
    return of;
}

/* Is there a shape that no trial decided?  A trial that holds for its shape decides it, and so does a derivation. */
bool judge_shape_undecided(const rows *all, const char *id, const char *name)
{
    long n;
    const row **of = judge_rows_by_shape(all, id, name, &n);
    bool undecided = false;
    for (long k = 0, end; k < n && !undecided; k = end) {
        bool asked = false, decided = false;
        for (end = k; end < n && of[end]->shape == of[k]->shape; end++) {
            const row *r = of[end];
            asked |= r->over != A_SYM && !r->skipped && r->verdict != HOLDS;
            decided |= r->verdict == HOLDS && (r->over == A_SYM || worth(r) > E_NONE);
        }
        undecided = asked && !decided;
    }
    free(of);
    return undecided;
}

/* ---- scopes -------------------------------------------------------------------------------------------- */

enum { MOST_HEADS = 64 };                /* that a scope names */

/* A trial that drew models with several numbers of heads says the least and the most: only these are certain. */
static void add_heads(evidence_scope *s, size_range h)
{
    if (h.least >= 1 && h.most <= MOST_HEADS) s->heads |= 1UL << (h.least - 1) | 1UL << (h.most - 1);
}

static void add_depth(evidence_scope *s, long depth)               /* one shape that was run at its L narrows all */
{
    if (depth > 0) s->depth = depth > s->depth ? depth : s->depth;
    else if (s->depth <= 0 && depth < 0) s->depth = depth;
}

void judge_set_scope(const rows *all, part_verdict *p, const char *id, int over)
{
    p->scope = (evidence_scope){ .sizes = false };
    p->over = over;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!judge_of_claim(r, id, p->name) || r->over != over || r->verdict != HOLDS) continue;
        p->scope.trials++;
        add_heads(&p->scope, evidence_row_size(r, DRAWN_H));
        if (r->depth == DEPTH_RUN) add_depth(&p->scope, evidence_row_size(r, DRAWN_L).most);
        if (r->depth == DEPTH_EVERY) add_depth(&p->scope, -1);
        if (over == A_FP)  p->log2 = fmax(p->log2, r->log2bound);
        if (over == A_ARB) p->log2 = fmax(p->log2, r->log2gap);
    }
}

/* ---- derivations ---------------------------------------------------------------------------------------- */

/* The number of heads among its hypotheses, "h = 1"; NULL: there is none. */
static const char *assumed_heads(const row *r)
{
    for (long k = 0; k < r->uses->n; k++) if (r->uses->at[k].kind == HYPOTHESIS_HEADS) return r->uses->at[k].text;
    return NULL;
}

/* Rows that symbols show count without a certificate, too: it says nothing else of another number of heads. */
heads_shown judge_heads_shown(const rows *all, const char *id, const char *name, long *h)
{
    heads_shown is = HEADS_UNKNOWN;
    long skipped = 0;
    *h = 0;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!judge_of_claim(r, id, name) || r->over != A_SYM) continue;
        const size_range heads = evidence_row_size(r, DRAWN_H);
        if (r->skipped && !skipped) skipped = heads.most;
        if (r->verdict != HOLDS) continue;
        if (assumed_heads(r)) return HEADS_DECLARED;
        if (heads.least != heads.most || (*h && heads.most != *h)) is = HEADS_SEVERAL;
        else if (is == HEADS_UNKNOWN) is = HEADS_ONE;
        *h = heads.most;
    }
    if (!skipped) return is;
    *h = skipped;
    return HEADS_SKIPPED;
}

/* What proofcheck cannot know: which weights of the models are set, not drawn; which switches they need, "norm = none";
 * which sizes are left out. */
static const hypotheses *with_declared(const hypotheses *assumes, const rows *all, const part_verdict *p,
                                       const char *id)
{
    for (long k = 0; k < all->n; k++) {
        const hypotheses *uses = all->at[k].uses;
        for (long i = 0; i < uses->n && judge_of_claim(&all->at[k], id, p->name); i++)
            if (uses->at[i].kind != HYPOTHESIS_OF_NAME)
                assumes = hypotheses_join(assumes, hypotheses_of(uses->at[i].text));
    }
    return assumes;
}

/* The first accepted derivation at each number of heads; NULL: there is none. */
static void accepted_for(const proof *of[MOST_HEADS + 1], const proofs *accepted, const char *id, const char *part)
{
    for (int h = 0; h <= MOST_HEADS; h++) of[h] = NULL;
    for (long k = 0; accepted && k < accepted->n; k++) {
        const proof *q = &accepted->at[k];
        if (!q->derivation || q->heads < 1 || q->heads > MOST_HEADS || of[q->heads]) continue;
        if (strcmp(q->id, id) == 0 && strcmp(q->part, part) == 0) of[q->heads] = q;
    }
}

/* Each symbolic trial holds, and proofcheck has accepted a derivation: at the numbers of heads that the scope names. */
bool judge_set_derived(const rows *all, const proofs *accepted, part_verdict *p, const char *id)
{
    evidence_scope s = { .sizes = true };
    const hypotheses *assumes = hypotheses_of("");
    const proof *at_heads[MOST_HEADS + 1];
    if (!judge_all_hold(all, p, id, A_SYM, E_NONE)) return false;
    accepted_for(at_heads, accepted, id, p->name);
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!judge_of_claim(r, id, p->name) || r->over != A_SYM || r->skipped) continue;
        const long h = r->shape->size[DRAWN_H].most;        /* a certificate has that of its shape */
        const proof *q = h >= 1 && h <= MOST_HEADS ? at_heads[h] : NULL;
        if (!q) continue;
        s.trials++;
        add_heads(&s, evidence_row_size(r, DRAWN_H));
        add_depth(&s, q->depth);
        const char *heads = assumed_heads(r);
        if (heads) assumes = hypotheses_join(assumes, hypotheses_of(heads));
        assumes = hypotheses_join(assumes, q->assumes);
    }
    if (!s.trials) return false;
    p->assumes = with_declared(assumes, all, p, id);
    p->scope = s;
    p->by = E_DERIVED;
    p->log2 = -INFINITY;
    return true;
}

/* What symbols show: by an equation, or in a body that was read by a fact that it decides. */
static void note_shown(intern_values *shown, const row *r, const part_verdict *p)
{
    static char yes;
    for (long k = 0; k < r->truths->n; k++) {
        const check_truth *c = &r->truths->at[k];
        if (c->is != HOLDS) continue;
        *intern_value(shown, c->what) = &yes;
        if (p->shown && c->decided) *intern_value(shown, c->decided) = &yes;
    }
}

const char *judge_left_out(const rows *all, const part_verdict *p, const char *id)
{
    intern_values shown = { 0 };
    const char *left = NULL;
    for (long k = 0; k < all->n; k++)
        if (all->at[k].over == A_SYM && judge_of_claim(&all->at[k], id, p->name)) note_shown(&shown, &all->at[k], p);
    for (long k = 0; k < all->n && !left; k++) {
        const row *r = &all->at[k];
        if (!judge_of_claim(r, id, p->name) || r->over == A_SYM || r->verdict != HOLDS) continue;
        for (long i = 0; i < r->truths->n && !left; i++)
            if (!*intern_value(&shown, r->truths->at[i].what)) left = r->truths->at[i].what;
    }
    intern_values_free(&shown);
    return left;
}
