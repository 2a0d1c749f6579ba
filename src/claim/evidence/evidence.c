/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence.c - rows as CSV: see evidence.h. */
#include "src/claim/evidence/evidence.h"
#include <stdlib.h>
#include <string.h>
#include "src/base/csv.h"
#include "src/base/intern.h"

static const char header[] =
    "id,part,kind,case,arith,param,shape,seed,trial,verdict,log2gap,log2bound,slope,checks,log2logit,"
    "kappa,seconds,threads,blas,scope,depth,uses,undeclared,skipped,about,what,whole,shares_side,unbroken,note,basis,"
    "by_proof,drawn,truths,build";

bool evidence_row_is_claim(const row *r) { return r->subject == ROW_OF_CLAIM; }

row_subject evidence_subject(const char *which)
{
    return strcmp(which, CASE_CLAIM) == 0 ? ROW_OF_CLAIM : strcmp(which, CASE_MINIMAL) == 0 ? ROW_OF_MINIMAL
                                                                                            : ROW_OF_CONTROL;
}

void evidence_row_name(row *r, const char *id, const char *part, part_kind kind, const char *which)
{
    r->id = intern(id);
    r->part = intern(part);
    r->kind = kind;
    r->which = intern(which);
    r->subject = evidence_subject(which);
}

row evidence_row_blank(void)
{
    const char *none = intern("");
    const row_sizes *nothing = evidence_sizes("");
    return (row){ .id = none, .part = none, .which = none, .subject = ROW_OF_CONTROL, .param = none, .shape = nothing,
                  .blas = none, .what = none, .note = none, .basis = none, .by_proof = none, .drawn = nothing,
                  .build = none, .unbroken = none, .uses = hypotheses_of(""), .truths = evidence_truths("") };
}

void evidence_row_header(FILE *f) { fprintf(f, "%s\n", header); }

void evidence_row_write(FILE *f, const row *r)
{
    fprintf(f, "%s,%s,%s,%s,%s,%s,%s,%llu,%ld,%s,%a,%a,%a,%ld,%a,%a,%a,%d,%s,%s,%s,%s,%d,%d,%s,%s,%d,"
               "%s,%s,%s,%s,%s,%s,%s,%s\n",
            r->id, r->part, part_kind_word(r->kind), r->which, arith_names[r->over], r->param, r->shape->text,
            (unsigned long long)r->seed, r->trial, truth_word(r->verdict),
            r->log2gap, r->log2bound, r->slope, r->checks,
            r->log2logit, r->kappa, r->seconds, r->threads, r->blas, trial_scope_word(r->scope), depth_word(r->depth),
            r->uses->text, r->undeclared, r->skipped, quantifier_word(r->finite ? ABOUT_FINITE : ABOUT_ALL), r->what,
            r->whole, shared_side_word(r->shares_side), r->unbroken, r->note, r->basis, r->by_proof, r->drawn->text,
            r->truths->text, r->build);
    fflush(f);
}

static row row_of(const csv_file *c)
{
    row r = evidence_row_blank();
    long k = 0;
    r.id = csv_kept_name(c, k++);
    r.part = csv_kept_name(c, k++);
    r.kind = (part_kind)csv_word(c, k++, part_kind_index);
    r.which = csv_kept_label(c, k++);
    r.over = csv_word(c, k++, arith_index);
    r.param = csv_kept_label(c, k++);
    r.shape = evidence_sizes(csv_kept_label(c, k++));
    r.seed = csv_u64(c, k++);
    r.trial = csv_long(c, k++);
    r.verdict = (truth)csv_word(c, k++, truth_index);
    r.log2gap = csv_double(c, k++);
    r.log2bound = csv_double(c, k++);
    r.slope = csv_double(c, k++);
    r.checks = csv_long(c, k++);
    r.log2logit = csv_double(c, k++);
    r.kappa = csv_double(c, k++);
    r.seconds = csv_double(c, k++);
    r.threads = (int)csv_long(c, k++);
    r.blas = csv_kept_label(c, k++);
    r.scope = (trial_scope)csv_word(c, k++, trial_scope_index);
    r.depth = (model_depth)csv_word(c, k++, depth_index);
    r.uses = hypotheses_of(csv_kept(c, k++));
    r.undeclared = csv_flag(c, k++);
    r.skipped = csv_flag(c, k++);
    r.finite = csv_word(c, k++, quantifier_index) == ABOUT_FINITE;
    r.what = csv_kept(c, k++);
    r.whole = csv_flag(c, k++);
    r.shares_side = (shared_side)csv_word(c, k++, shared_side_index);
    r.unbroken = csv_kept(c, k++);
    r.note = csv_kept(c, k++);
    r.basis = csv_kept(c, k++);
    r.by_proof = csv_kept(c, k++);
    r.drawn = evidence_sizes(csv_kept_label(c, k++));
    r.truths = evidence_truths(csv_kept(c, k++));
    if (!r.truths) csv_wrong(c, "column truths is no list of checks");
    r.build = csv_kept_label(c, k++);
    r.subject = evidence_subject(r.which);
    r.recount = strcmp(r.basis, BASIS_RECOUNT) == 0;
    r.certain = r.over == A_FP && strcmp(r.param, PARAM_CERTAIN) == 0;
    if (!evidence_row_agrees(&r)) csv_wrong(c, "the verdict is not that of the checks");
    return r;
}

void evidence_rows_add(rows *all, const row *r)
{
    if ((all->n & (all->n - 1)) == 0)                     /* grow at powers of two */
        all->at = must_realloc(all->at, all->n ? 2 * (size_t)all->n : 1, sizeof *all->at);
    all->at[all->n++] = *r;
}

void evidence_rows_read(rows *all, const char *path)
{
    csv_file c = csv_open(path, header, EVIDENCE_REPAIR);
    c.passes = true;                                      /* the line of evidence_end.h */
    while (csv_next(&c)) {
        const row r = row_of(&c);
        evidence_rows_add(all, &r);
    }
    csv_close(&c);
}

void evidence_rows_free(rows *all)
{
    free(all->at);
    *all = (rows){ 0 };
}
