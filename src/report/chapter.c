/* chapter.c - how a claim is named and where it stands; its controls; sums over the book. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/report/book.h"

const char *chapter_title(const chapter *c)
{
    return c->entry ? c->entry->title : c->text.title ? c->text.title : c->id;
}

bool chapter_is_identity(const chapter *c, const char *part)
{
    for (long p = 0; p < c->v.parts; p++)
        if (strcmp(c->v.part[p].name, part) == 0) return strcmp(c->v.part[p].kind, "identity") == 0;
    return false;
}

void chapter_program(char *to, size_t size, const chapter *c)
{
    evidence_row_text(to, size, c->entry && c->entry->program[0] ? c->entry->program : c->id);
    for (char *p = to; *p; p++) *p = isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : '_';
}

/* "Thm 4.4" -> "4.4", "Rem 7" -> "R7", "Table 2" -> "T2", "App F" -> "F" */
static void short_number(char *to, size_t size, const char *number)
{
    const char *last = strrchr(number, ' '), *mark = "";
    if (strncmp(number, "Rem ", 4) == 0) mark = "R";
    if (strncmp(number, "Table", 5) == 0) mark = "T";
    snprintf(to, size, "%s%s", last ? mark : "", last ? last + 1 : number);
}

void chapter_paper(char *to, size_t size, const chapter *c)
{
    const claim_entry *e = c->entry;
    to[0] = '\0';
    if (!e) return;
    if (strcmp(e->paper, "B") == 0) { snprintf(to, size, "002 %s", e->n003); return; }
    if (strcmp(e->paper, "K") != 0) { evidence_row_text(to, size, e->paper); return; }
    const char *const number[] = { [TEXT_001] = e->n001, [TEXT_003] = e->n003, [TEXT_000] = e->n000 };
    size_t used = 0;
    for (size_t k = e->n003[0] && e->n000[0] ? TEXT_003 : TEXT_001; k < COUNT(number); k++) {    /* two of three */
        char few[24];
        if (!number[k][0]) continue;
        short_number(few, sizeof few, number[k]);
        const int n = snprintf(to + used, size - used, "%s%s %s", used ? " " : "", papers[k].tag, few);
        if (n < 0 || (size_t)n >= size - used) { to[used] = '\0'; return; }         /* only what fits whole */
        used += (size_t)n;
    }
}

void group_evidence(char *to, size_t size, const book *b, const claim_verdict *v, bool corrected)
{
    const part_verdict *p = judge_speaker(v, corrected);
    to[0] = '\0';
    if (p && !b->partial) evidence_text(to, size, p);
}

void group_scope(char *to, size_t size, const book *b, const claim_verdict *v, bool corrected)
{
    const part_verdict *p = judge_speaker(v, corrected);
    to[0] = '\0';
    if (p && !b->partial) evidence_scope_text(to, size, p);
}

const char *verdict_shown(const book *b, verdict v)
{
    return b->partial && v != V_NONE && v != V_PENDING ? "PARTIAL" : verdict_word(v);
}

/* ---- controls -------------------------------------------------------------------------------- */

static control_count *count_of(control_count **all, long *n, const chapter *c, const row *r)
{
    for (long k = 0; k < *n; k++)
        if (strcmp((*all)[k].part, r->part) == 0 && strcmp((*all)[k].name, r->which) == 0) return &(*all)[k];
    *all = must_realloc(*all, (size_t)*n + 1, sizeof **all);
    (*all)[*n] = (control_count){ .part = r->part, .name = r->which,
                                  .why = meta_control_why(&c->text, r->part, r->which), .margin = INFINITY,
                                  .slope = NAN };
    return &(*all)[(*n)++];
}

/* In the order of the parts, within one in the order of the rows. */
long chapter_controls(const chapter *c, control_count **out)
{
    long n = 0;
    *out = NULL;
    for (long p = 0; p < c->v.parts; p++)
        for (long k = 0; k < c->own.n; k++) {
            const row *r = &c->own.at[k];
            if (strcmp(r->part, c->v.part[p].name) != 0 || strcmp(r->which, "claim") == 0) continue;
            control_count *at = count_of(out, &n, c, r);
            at->refuted += r->verdict == REFUTED;
            at->decided += r->verdict != UNDECIDED;
            if (r->verdict != REFUTED) continue;
            if (strcmp(r->arith, "f64") == 0) at->margin = fmin(at->margin, r->log2gap - r->log2bound);
            if (!isnan(r->slope) && !(fabs(r->slope) <= fabs(at->slope))) at->slope = r->slope;
        }
    return n;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void sum_row(totals *t, const row *r)
{
    const bool is_claim = strcmp(r->which, "claim") == 0;
    t->rows++;
    t->decided += r->verdict != UNDECIDED;
    t->seconds += r->seconds;
    t->kappa = fmax(t->kappa, r->kappa);
    if (is_claim && strcmp(r->arith, "f64") == 0 && r->log2logit > t->log2logit) t->log2logit = r->log2logit;
    if (!t->seeds || r->seed != t->seed) t->seeds++;
    t->seed = r->seed;
    t->threads = r->threads > t->threads ? r->threads : t->threads;
    if (!t->blas[0]) evidence_row_text(t->blas, sizeof t->blas, r->blas);
    if (!t->build[0]) evidence_row_text(t->build, sizeof t->build, r->build);
    const bool stopped = !is_claim && r->verdict == REFUTED && r->slope > -0.5;     /* it fell no more */
    if (stopped && !(fabs(r->slope) <= fabs(t->control_slope))) t->control_slope = r->slope;
}

static void sum_part(totals *t, const part_verdict *p)
{
    if (strcmp(p->kind, "identity") == 0) {
        const answer *f64 = &p->by_arith[A_F64], *mpfr = &p->by_arith[A_MPFR];
        const answer *arb = &p->by_arith[A_ARB], *fp = &p->by_arith[A_FP];
        if (f64->holds && !answer_shows_difference(f64, A_F64))
            t->gap = fmax(t->gap, f64->worst), t->margin = fmax(t->margin, f64->margin);
        if (arb->holds && !answer_shows_difference(arb, A_ARB)) t->width = fmax(t->width, arb->worst);
        if (fp->holds) t->error = fmax(t->error, fp->worst);
        const bool sloped = mpfr->holds && isfinite(mpfr->worst);
        if (sloped && !(fabs(mpfr->worst + 1) <= fabs(t->slope + 1))) t->slope = mpfr->worst;
    }
    if (strcmp(p->kind, "measured") != 0) t->control_margin = fmin(t->control_margin, p->smallest_control);
}

totals book_totals(const book *b)
{
    totals t = { .log2logit = -INFINITY, .margin = -INFINITY, .gap = -INFINITY, .width = -INFINITY,
                 .error = -INFINITY, .slope = NAN, .control_slope = NAN, .control_margin = INFINITY };
    for (long k = 0; k < b->n; k++) {
        const chapter *c = &b->at[k];
        t.with[c->v.as_stated]++;
        t.corrected_with[c->v.corrected]++;
        t.controls += c->v.controls;
        t.refuted += c->v.refuted;
        for (long i = 0; i < c->ladder.n; i += ladder_length(&c->ladder, i)) t.ladders++;
        for (long i = 0; i < c->own.n; i++) sum_row(&t, &c->own.at[i]);
        for (long p = 0; p < c->v.parts; p++) sum_part(&t, &c->v.part[p]);
    }
    return t;
}
