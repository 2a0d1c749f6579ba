/* SPDX-License-Identifier: GPL-3.0-or-later
 * judge_control.c - was every control of a part refuted, and for the right reason?  See verdict.h. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/list.h"
#include "src/claim/judge/judge.h"

/* ---- what holds of the part itself ------------------------------------------------------------------------ */

/* The first trial, over an arithmetic at a shape, in which the part holds with this check; without a check (`what` is
 * NULL) the first in which it holds. */
typedef struct { int over; const row_sizes *shape; const char *what; const row *first; } held_check;
/* Sorted; `over_reals`: does the part hold over q or in balls? */
typedef struct { long n; held_check *at; bool over_reals; } twins;

/* Texts and shapes are kept once each, so where they lie orders them. */
static int compare_places(const void *a, const void *b)
{
    return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

static int by_check(const void *s, const void *t)
{
    const held_check *a = s, *b = t;
    if (a->over != b->over) return a->over < b->over ? -1 : 1;
    return a->shape != b->shape ? compare_places(a->shape, b->shape) : compare_places(a->what, b->what);
}

static int by_check_then_row(const void *s, const void *t)
{
    const int order = by_check(s, t);
    return order ? order : compare_places(((const held_check *)s)->first, ((const held_check *)t)->first);
}

static int by_truths(const void *s, const void *t)
{
    const row *a = *(const row *const *)s, *b = *(const row *const *)t;
    if (a->over != b->over) return a->over < b->over ? -1 : 1;
    if (a->shape != b->shape) return compare_places(a->shape, b->shape);
    return a->truths != b->truths ? compare_places(a->truths, b->truths) : compare_places(a, b);
}

static void add_twin(twins *to, const row *r, const char *what)
{
    if ((to->n & (to->n - 1)) == 0) to->at = must_realloc(to->at, to->n ? 2 * (size_t)to->n : 1, sizeof *to->at);
    to->at[to->n++] = (held_check){ .over = r->over, .shape = r->shape, .what = what, .first = r };
}

/* Trials of one shape make the same checks: one of them, the first, has all their twins.  To be freed: `at`. */
static twins twins_of(const rows *all, const part_verdict *p, const char *id)
{
    twins held = { .at = NULL };
    const row **of = must_calloc((size_t)all->n + 1, sizeof(const row *));
    long n = 0;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!judge_of_claim(r, id, p->name) || r->verdict != HOLDS) continue;
        held.over_reals |= r->over == A_Q || r->over == A_ARB;
        of[n++] = r;
    }
    qsort(of, (size_t)n, sizeof(const row *), by_truths);
    for (long k = 0; k < n; k++) {
        const row *r = of[k], *before = k ? of[k - 1] : NULL;
        if (before && before->over == r->over && before->shape == r->shape && before->truths == r->truths) continue;
        add_twin(&held, r, NULL);
        for (long i = 0; i < r->truths->n; i++) add_twin(&held, r, r->truths->at[i].what);       /* all of them hold */
    }
    free(of);
    if (held.n) qsort(held.at, (size_t)held.n, sizeof *held.at, by_check_then_row);
    long kept = 0;
    for (long k = 0; k < held.n; k++)
        if (!kept || by_check(&held.at[kept - 1], &held.at[k]) != 0) held.at[kept++] = held.at[k];
    held.n = kept;
    return held;
}

/* The positive twin of a trial that a control refuted.  NULL: none; *held: the part itself holds there all the same. */
static const row *twin_of(const twins *all, const row *broken, bool *held)
{
    held_check like = { .over = broken->over, .shape = broken->shape };
    *held = all->n && bsearch(&like, all->at, (size_t)all->n, sizeof like, by_check);
    like.what = broken->what;
    const held_check *found = *held ? bsearch(&like, all->at, (size_t)all->n, sizeof like, by_check) : NULL;
    return found ? found->first : NULL;
}

/* ---- controls --------------------------------------------------------------------------------------------- */

/* What the trials of one control say. */
typedef struct { long refuted, held; bool over_reals, shares, shares_not; const row *elsewhere; } control_trials;

static void note_refuted(const twins *all, const row *r, control_trials *c, part_verdict *p)
{
    bool held = false;
    const row *twin = r->kind == PART_HYPOTHESIS ? r : twin_of(all, r, &held);     /* that part itself is refuted */
    if (!twin) {
        if (held) c->elsewhere = r;
        return;
    }
    c->refuted++;
    c->shares |= r->shares_side == SIDE_SHARED;
    c->shares_not |= r->shares_side == SIDE_OTHER;
    c->over_reals |= r->over == A_Q || r->over == A_ARB;
    if (twin->depth == DEPTH_NONE) return;
    p->broken++;
    p->local += !r->whole;
}

static void uncontrolled(part_verdict *p, const row *like, char *why)          /* frees `why` */
{
    cell_copy(p->unrefuted, sizeof p->unrefuted, like->which);
    snprintf(p->uncontrolled, sizeof p->uncontrolled, "%s", why);
    free(why);
}

/* Somebody has read the control, or nobody has asked. */
static bool control_read(const readings *read, const row *like)
{
    char *name = must_format("%s" READ_CONTROL "%s", like->part, like->which);
    const bool is = !read || readings_find(read, like->id, name);
    free(name);
    return is;
}

/* The rows of one control, in their order in the file. */
typedef struct { const row **at; long n; } control_rows;

static void judge_control(const twins *all, const readings *read, const control_rows *of, part_verdict *p)
{
    const row *like = of->at[0];
    control_trials c = { .refuted = 0 };
    for (long k = 0; k < of->n; k++) {
        const row *r = of->at[k];
        c.held += r->verdict == HOLDS;
        if (r->verdict != REFUTED) continue;
        note_refuted(all, r, &c, p);
        if (r->over == A_F64) p->smallest_control = fmin(p->smallest_control, r->log2gap - r->log2bound);
    }
    p->controls++;
    if (c.elsewhere)
        uncontrolled(p, like, must_format("control %s over %s breaks `%s`, which is none of the claim's checks",
                                          like->which, arith_names[c.elsewhere->over], c.elsewhere->what));
    else if (c.held || c.refuted < 3)
        uncontrolled(p, like, must_format("control %s was not refuted in every decided trial, or in fewer than three",
                                          like->which));
    else if (!c.over_reals && like->kind != PART_HYPOTHESIS && all->over_reals)
        uncontrolled(p, like, must_format("control %s was refuted over prime fields or doubles alone; break it over q "
                                          "or in balls", like->which));
    else if (like->subject == ROW_OF_CONTROL && (!c.shares || c.shares_not) && !control_read(read, like))
        uncontrolled(p, like, must_format("control %s shares no side of each equation of that name with the claim, and "
                                          "nobody has read it; add a line to reports/body_read.csv", like->which));
    else p->refuted++;
}

/* ---- equations that nothing breaks ------------------------------------------------------------------------- */

static bool lists(const char *all, const char *name)
{
    for (const char *item; (item = list_next(&all)) != NULL; ) if (strcmp(item, name) == 0) return true;
    return false;
}

/* Is the equation, which this row leaves unbroken, broken at another shape? */
static bool broken_elsewhere(const rows *all, const part_verdict *p, const char *id, const char *name)
{
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (r->over == A_SYM && r->verdict == HOLDS && judge_of_claim(r, id, p->name) && evidence_row_shows(r, name)
            && !lists(r->unbroken, name)) return true;
    }
    return false;
}

/* Somebody has read them, or what holds of nothing else is asked of a reader. */
static void judge_unbroken(const rows *all, const readings *read, part_verdict *p, const char *id)
{
    char *name = must_format("%s" READ_CONTROL READ_UNBROKEN, p->name);
    const char *unbroken = NULL;
    for (long k = 0; k < all->n && !unbroken; k++) {
        const row *r = &all->at[k];
        if (r->over != A_SYM || r->verdict != HOLDS || !judge_of_claim(r, id, p->name)) continue;
        const char *at = r->unbroken;
        for (const char *item; !unbroken && (item = list_next(&at)) != NULL; )
            if (!broken_elsewhere(all, p, id, item)) unbroken = item;
    }
    if (unbroken && read && !readings_find(read, id, name)) {
        p->controls++;
        cell_copy(p->unrefuted, sizeof p->unrefuted, READ_UNBROKEN);
        snprintf(p->uncontrolled, sizeof p->uncontrolled, "no control breaks all of `%s`, nor does another reduced "
                 "matrix, and nobody has read it; add a line to reports/body_read.csv", unbroken);
    }
    free(name);
}

static int by_control(const void *s, const void *t)
{
    const row *a = *(const row *const *)s, *b = *(const row *const *)t;
    return a->which != b->which ? compare_places(a->which, b->which) : compare_places(a, b);
}

static int by_first_row(const void *s, const void *t)
{
    return compare_places(((const control_rows *)s)->at[0], ((const control_rows *)t)->at[0]);
}

void judge_controls(const rows *all, const readings *read, part_verdict *p, const char *id)
{
    const row **of = must_calloc((size_t)all->n + 1, sizeof(const row *));
    control_rows *control = NULL;
    long n = 0, controls = 0;
    for (long k = 0; k < all->n; k++)
        if (judge_of_part(&all->at[k], id, p->name) && !evidence_row_is_claim(&all->at[k])) of[n++] = &all->at[k];
    qsort(of, (size_t)n, sizeof(const row *), by_control);
    for (long k = 0; k < n; k++) {
        if (k && of[k]->which == of[k - 1]->which) { control[controls - 1].n++; continue; }
        control = must_realloc(control, (size_t)controls + 1, sizeof *control);
        control[controls++] = (control_rows){ .at = &of[k], .n = 1 };
    }
    if (controls) {                      /* in the order of the file: the last that fails is named */
        twins held = twins_of(all, p, id);
        qsort(control, (size_t)controls, sizeof *control, by_first_row);
        for (long k = 0; k < controls; k++) judge_control(&held, read, &control[k], p);
        free(held.at);
    }
    judge_unbroken(all, read, p, id);
    free(control);
    free(of);
}
