/* SPDX-License-Identifier: GPL-3.0-or-later
 * parts.c - one row of data for each part of a claim and each arithmetic that ran on it. */
#include <math.h>
#include <stdlib.h>
#include "src/report/collect/answer_cell.h"
#include "src/report/collect/tried_sizes.h"
#include "src/report/sections/sections.h"

static const data_column columns[] = {
    { "id", DATA_TEXT, "", "the claim" },
    { "part", DATA_TEXT, "", "the part of the claim" },
    { "corrected", DATA_FLAG, "", "1: a part of the corrected statement, 0: of the statement as printed" },
    { "kind", DATA_TEXT, "", "what the part is: identity, counterexample, ..." },
    { "verdict", DATA_TEXT, "", "verdict on the part" },
    { "theorem", DATA_TEXT, "", "the theorem of the part that Coq's kernel accepts; empty: none, or its files "
      "have changed" },
    { "quantifiers", DATA_TEXT, "", "for what that theorem speaks" },
    { "arithmetic", DATA_TEXT, "", "f64, mpfr, arb (balls), fp (F_p), q (rational numbers) or sym (symbolic)" },
    { "holds", DATA_WHOLE, "trials", "trials that hold" },
    { "refuted", DATA_WHOLE, "trials", "trials that are refuted" },
    { "undecided", DATA_WHOLE, "trials", "trials that decide nothing" },
    { "log2_gap", DATA_REAL, "log2", "of f64: largest relative gap; -Inf: none; empty: the two sides must differ" },
    { "log2_gap_over_bound", DATA_REAL, "log2", "of f64: largest quotient of a gap and its bound" },
    { "slope", DATA_REAL, "log2 per bit", "of mpfr: slope furthest from -1; empty where every gap is 0" },
    { "log2_width", DATA_REAL, "log2", "of arb: largest relative width of balls that meet; -Inf: exact" },
    { "log2_error", DATA_REAL, "log2", "of fp: bound on the probability of error; -Inf: none" },
    { "sizes", DATA_TEXT, "", "the sizes of the models of the decided trials, and how many there are" } };

static double only_of(int over, int wanted, const part_verdict *p, double x)
{
    const answer *a = &p->by_arith[over];
    const bool equality = p->kind == PART_IDENTITY && a->holds && !answer_shows_difference(a, over);
    return over == wanted && equality ? x : NAN;
}

static void add_answer(doc_table *t, const claim_record *c, const part_verdict *p, int over)
{
    const answer *a = &p->by_arith[over];
    table_row(t);
    table_text(t, c->id);
    table_text(t, p->name);
    table_whole(t, judge_speaks_for(&c->v, p, true));
    table_text(t, part_kind_word(p->kind));
    table_text(t, verdict_word(p->is));
    table_text(t, p->theorem ? p->theorem->theorem : "");
    table_text(t, p->theorem ? p->theorem->quantifiers : "");
    table_text(t, arith_names[over]);
    table_whole(t, a->holds);
    table_whole(t, a->refuted);
    table_whole(t, a->undecided);
    table_real(t, "%.6g", only_of(over, A_F64, p, a->worst));
    table_real(t, "%.6g", only_of(over, A_F64, p, a->margin));
    table_real(t, "%.4f", only_of(over, A_MPFR, p, a->worst));
    table_real(t, "%.6g", only_of(over, A_ARB, p, a->worst));
    table_real(t, "%.6g", only_of(over, A_FP, p, a->worst));
    char *sizes = tried_sizes(c, p->name, over);
    table_text(t, sizes);
    free(sizes);
}

void section_parts(document *d, const evidence_set *all)
{
    doc_table *t = doc_data_table(d, columns, COUNT(columns));
    for (long k = 0; k < all->n; k++)
        for (long p = 0; p < all->at[k].v.parts && !all->partial; p++)
            for (int over = 0; over < ARITHS; over++) {
                const answer *a = &all->at[k].v.part[p].by_arith[over];
                if (a->holds + a->refuted + a->undecided) add_answer(t, &all->at[k], &all->at[k].v.part[p], over);
            }
}
