/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner_sym.c - symbols: a derivation at every vector of sizes, and the hypotheses that it uses. */
#include <stdlib.h>
#include <string.h>
#include "numerics/symbolic/arith_sym.h"
#include "src/claim/runner/runner_trial.h"

const char *runner_first_undeclared(const job *j, const hypotheses *used)
{
    for (long k = 0; k < used->n; k++)
        if (!claim_part_declares(j->claim, j->part, used->at[k].text)) return used->at[k].text;
    return NULL;
}

void runner_add_uses(row *r, const char *list) { r->uses = hypotheses_join(r->uses, hypotheses_of(list)); }

/* The bases between fresh layers (src/claim/induction.c) stand for those of the whole model, which are counted too. */
static void copy_uses(row *r, const hypotheses *uses)
{
    const hypotheses *of_bases = hypotheses_of("invertible " INTERFACE_NAME "; orthogonal " INTERFACE_NAME);
    for (long k = 0; k < uses->n; k++)
        if (!hypotheses_have(of_bases, uses->at[k].text)) runner_add_uses(r, uses->at[k].text);
}

/* A number of heads that the part declares, "h = 1", is a hypothesis where the model has just as many. */
static void note_heads(const job *j, const shape *sh, row *r)
{
    char *heads = must_format("h = %ld", sh->h);
    if (hypotheses_have(hypotheses_of(claim_part_assumes(j->claim, j->part)), heads)) runner_add_uses(r, heads);
    free(heads);
}

/* Sizes that the list leaves out, "n >= 2", which runner_guards reads. */
static void note_sizes(const char *list, row *r)
{
    const hypotheses *all = hypotheses_of(list);
    for (long k = 0; k < all->n; k++) if (all->at[k].kind == HYPOTHESIS_SIZE) runner_add_uses(r, all->at[k].text);
}

static void note_uses(const job *j, const arith *R, const shape *sh, const trial *t, row *r)
{
    note_heads(j, sh, r);
    copy_uses(r, hypotheses_of(arith_sym_uses(R)));
    note_sizes(claim_part_assumes(j->claim, j->part), r);
    note_sizes(claim_part_models(j->claim, j->part), r);
    if (j->part->kind == PART_IDENTITY) runner_add_uses(r, t->record.constrained);
    const char *missing = j->control ? NULL : runner_first_undeclared(j, r->uses);
    if (!missing) return;
    char *text = must_format("uses a hypothesis that is not declared: %s", missing);
    r->note = cell_keep(text);
    free(text);
    r->undeclared = true;
    r->verdict = UNDECIDED;
}

/* At one vector of sizes; *r becomes what it says. */
static void run_sym_at(const job *j, const shape *sh, row *r)
{
    arith R = arith_sym();
    trial t = runner_body(j, &R, sh);
    runner_conclude(r, &t);
    if (r->verdict == REFUTED) r->verdict = UNDECIDED;      /* normal forms that differ prove nothing */
    if (r->verdict == HOLDS) note_uses(j, &R, sh, &t, r);
    runner_trial_free(&t);
    arith_close(&R);
}

/* The claim must be derived at every vector of sizes, with the same checks; elsewhere nothing is proved, and one
 * look is enough. */
void runner_sym(const job *j, const shape *sh, row *r)
{
    const row blank = *r;
    const int vectors = !j->control && !j->minimal ? SIZE_VECTORS : 1;
    run_sym_at(j, sh, r);
    for (int v = 1; v < vectors && r->verdict == HOLDS; v++) {
        shape other = *sh;
        row next = blank;
        runner_sym_sizes(&other, v);
        run_sym_at(j, &other, &next);
        if (next.verdict == HOLDS && next.checks != r->checks) {
            next.verdict = UNDECIDED;
            next.note = intern("not the same checks at every size");
        }
        if (next.verdict != HOLDS || next.depth < r->depth) *r = next;
    }
    const bool guards = vectors > 1 && !j->certifies && runner_decides_over_fp(j->part->kind);
    if (guards && r->verdict == HOLDS) runner_guards(j, sh, r);
    if (guards && r->verdict == HOLDS && j->part->kind == PART_IDENTITY) r->unbroken = runner_unbroken(j);
    runner_param(r, "%d sizes", vectors);
    r->scope = vectors > 1 ? SCOPE_ALL_SIZES : SCOPE_SIZE;
}
