/* judge_control.c - was every control of a part refuted, and for the right reason?  See verdict.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/claim/judge/judge.h"

/* Does the part itself hold over the reals: over q, or in balls? */
static bool holds_over_reals(const rows *all, const row *like)
{
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (judge_of_claim(r, like->id, like->part) && r->verdict == HOLDS && (r->over == A_Q || r->over == A_ARB))
            return true;
    }
    return false;
}

/* The positive twin of a trial that a control refuted.  NULL: none; *held: the part itself holds there all the same. */
static const row *twin_of(const rows *all, const row *broken, bool *held)
{
    *held = false;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!judge_of_claim(r, broken->id, broken->part) || r->over != broken->over
            || r->shape != broken->shape || r->verdict != HOLDS) continue;
        *held = true;
        if (evidence_row_shows(r, broken->what)) return r;
    }
    return NULL;
}

/* What the trials of one control say. */
typedef struct { long refuted, held; bool over_reals, shares_side; const row *elsewhere; } control_trials;

static void note_refuted(const rows *all, const row *r, control_trials *c, part_verdict *p)
{
    bool held = false;
    const row *twin = r->kind == PART_HYPOTHESIS ? r : twin_of(all, r, &held);     /* that part itself is refuted */
    if (!twin) {
        if (held) c->elsewhere = r;
        return;
    }
    c->refuted++;
    c->shares_side |= r->shares_side;
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

/* Judges the control that `like` is the first row of. */
static void judge_control(const rows *all, const readings *read, const row *like, part_verdict *p)
{
    control_trials c = { .refuted = 0 };
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!judge_of_part(r, like->id, like->part) || strcmp(r->which, like->which) != 0) continue;
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
    else if (!c.over_reals && like->kind != PART_HYPOTHESIS && holds_over_reals(all, like))
        uncontrolled(p, like, must_format("control %s was refuted over prime fields or doubles alone; break it over q "
                                          "or in balls", like->which));
    else if (like->subject == ROW_OF_CONTROL && !c.shares_side && !control_read(read, like))
        uncontrolled(p, like, must_format("control %s shares neither side of its equation with the claim, and nobody has "
                                          "read it; add a line to reports/body_read.csv", like->which));
    else p->refuted++;
}

static bool is_repeated(const rows *all, long k)
{
    const row *r = &all->at[k];
    for (long i = 0; i < k; i++)
        if (judge_of_part(&all->at[i], r->id, r->part) && strcmp(all->at[i].which, r->which) == 0) return true;
    return false;
}

void judge_controls(const rows *all, const readings *read, part_verdict *p, const char *id)
{
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!judge_of_part(r, id, p->name) || evidence_row_is_claim(r) || is_repeated(all, k)) continue;
        judge_control(all, read, r, p);
    }
}
