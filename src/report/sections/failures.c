/* SPDX-License-Identifier: GPL-3.0-or-later
 * failures.c - why a run fails; for each verdict that fails its reason, and the command that reproduces it. */
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/base/base.h"
#include "src/report/sections/sections.h"

static const row *culprit(const claim_record *c, const part_verdict *p)
{
    const row *any = NULL;
    for (long k = 0; k < c->own.n; k++) {
        const row *r = &c->own.at[k];
        const bool is_claim = evidence_row_is_claim(r), fails = p->kind == PART_HYPOTHESIS;
        if (strcmp(r->part, p->name) != 0) continue;
        if (p->is == V_UNCONTROLLED && strcmp(r->which, p->unrefuted) != 0) continue;
        if (p->is != V_UNCONTROLLED && !is_claim) continue;
        if (!any) any = r;
        if (r->verdict == (!is_claim || fails ? HOLDS : REFUTED)) return r;
    }
    return any;
}

static void replay(FILE *f, const screen *s, const claim_record *c, const row *r)
{
    char program[32];
    record_program(program, sizeof program, c);
    char *which = shell_word(r->which);
    char *text = must_format("build/theorems/%s --part=%s --case=%s --arith=%s --shape=\"%s\" --seed=%llu "
                             "--trial=%ld", program, r->part, which, arith_names[r->over], r->shape->text,
                             (unsigned long long)r->seed, r->trial);
    screen_wrapped(f, s->width, "    ", text, 6, " \\");
    free(which);
    free(text);
}

static void failures(FILE *f, const screen *s, const claim_record *c)
{
    for (long k = 0; k < c->v.parts; k++) {
        const part_verdict *p = &c->v.part[k];
        if (!verdict_fails(p->is)) continue;
        const char *why = p->why[0] ? p->why : "no reason was given";
        char *text = must_format("%s %s %s: %s", verdict_word(p->is), c->id, p->name, why);
        screen_wrapped(f, s->width, "", text, 6, "");
        free(text);
        const row *r = culprit(c, p);
        if (r) replay(f, s, c, r);
    }
}

void report_failures(FILE *f, const evidence_set *all, const screen *s)
{
    for (long k = 0; k < all->n && !all->partial; k++) failures(f, s, &all->at[k]);
    for (long k = 0; k < all->problems; k++) screen_wrapped(f, s->width, "FAIL: ", all->problem[k], 6, "");
}

void section_problems(document *d, const evidence_set *all)
{
    if (!all->problems) return;
    doc_heading(d, TO_HTML, 1, NULL, "What fails");
    doc_block *list = doc_add(d, BLOCK_BULLETS, TO_HTML);
    for (long k = 0; k < all->problems; k++) line_add(&doc_add_item(list, NULL)->text, SPAN_TEXT, all->problem[k]);
}
