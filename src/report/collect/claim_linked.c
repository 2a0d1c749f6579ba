/* SPDX-License-Identifier: GPL-3.0-or-later
 * claim_linked.c - what a claim that is linked into this program says of itself: see claim_text.h. */
#include <stdlib.h>
#include "src/base/base.h"
#include "src/claim/program/program.h"
#include "src/report/collect/claim_text.h"

/* "" is as good as nothing. */
static char *copied(const char *text) { return text && *text ? must_strdup(text) : NULL; }
static char *taken(char *text)
{
    if (*text) return text;
    free(text);
    return NULL;
}

static quotation *quotations(const quotation *q, size_t n)
{
    quotation *all = n ? must_calloc(n, sizeof *all) : NULL;
    for (size_t k = 0; k < n; k++) all[k] = (quotation){ q[k].in, must_strdup(q[k].place), must_strdup(q[k].says) };
    return all;
}

static void add_control(part_text *p, const char *name, const char *why)
{
    p->control = must_realloc(p->control, (size_t)p->controls + 1, sizeof *p->control);
    p->control[p->controls++] = (control_text){ must_strdup(name), must_strdup(why) };
}

static part_text part_of(const claim *C, const part *P)
{
    part_text p = { .name = must_strdup(P->name), .kind = copied(part_kind_word(P->kind)),
                    .statement = copied(P->statement), .about = copied(P->about == ABOUT_FINITE ? "finite" : "all"),
                    .assumes = copied(claim_part_assumes(C, P)), .models = copied(claim_part_models(C, P)),
                    .basis = copied(P->basis), .by_proof = copied(P->by_proof),
                    .without = copied(program_left_out(P)),
                    .why_without = program_left_out(P) ? copied(program_why_left_out(P)) : NULL,
                    .sets = taken(program_prepares(P)), .sets_reduced = taken(program_reshapes(P)) };
    if (part_shows_facts(P->kind)) {
        p.quantity = copied(P->quantity);
        p.shown_by = copied(P->shown_by);
    }
    for (size_t c = 0; c < P->ncontrols; c++) add_control(&p, P->controls[c].name, P->controls[c].why);
    if (!P->no_minimal) add_control(&p, "minimal", program_minimal_why);
    return p;
}

static claim_text text_of(const claim *C)
{
    program_begin(C);
    claim_text t = { .id = copied(C->id), .title = copied(C->title), .where = copied(C->where),
                     .hypotheses = copied(C->hypotheses), .construction = copied(C->construction),
                     .why = copied(C->why), .depends = copied(C->depends), .quote = quotations(C->quotes, C->nquotes),
                     .quotes = (long)C->nquotes, .standing = quotations(C->standing, C->nstanding),
                     .standings = (long)C->nstanding, .clauses = (long)C->njudged, .parts = (long)C->nparts };
    if (C->njudged) t.judged = must_calloc(C->njudged, sizeof *t.judged);
    for (size_t k = 0; k < C->njudged; k++) t.judged[k] = must_strdup(C->judged[k]);
    t.part = must_calloc(C->nparts + 1, sizeof *t.part);
    for (size_t p = 0; p < C->nparts; p++) t.part[p] = part_of(C, &C->parts[p]);
    return t;
}

bool claim_text_linked(claim_text *to, const char *stem)
{
    const claim *C = *stem ? claim_of_program(stem) : NULL;
    if (C) *to = text_of(C);
    return C != NULL;
}
