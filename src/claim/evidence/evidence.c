/* evidence.c - rows as CSV: see evidence.h. */
#include "src/claim/evidence/evidence.h"
#include <stdlib.h>
#include <string.h>
#include "src/base/admitted.h"

static const char header[] =
    "id,part,kind,case,arith,param,shape,seed,trial,verdict,log2gap,log2bound,slope,checks,log2logit,"
    "kappa,seconds,threads,blas,scope,depth,uses,undeclared,skipped,about,what,whole,note,basis,by_proof,drawn,truths,"
    "build";

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
                  .build = none, .uses = hypotheses_of(""), .truths = evidence_truths("") };
}

void evidence_row_header(FILE *f) { fprintf(f, "%s\n", header); }

void evidence_row_write(FILE *f, const row *r)
{
    fprintf(f, "%s,%s,%s,%s,%s,%s,%s,%llu,%ld,%s,%a,%a,%a,%ld,%a,%a,%a,%d,%s,%s,%s,%s,%d,%d,%s,%s,%d,"
               "%s,%s,%s,%s,%s,%s\n",
            r->id, r->part, part_kind_word(r->kind), r->which, arith_names[r->over], r->param, r->shape->text,
            (unsigned long long)r->seed, r->trial, truth_word(r->verdict),
            r->log2gap, r->log2bound, r->slope, r->checks,
            r->log2logit, r->kappa, r->seconds, r->threads, r->blas, trial_scope_word(r->scope), depth_word(r->depth),
            r->uses->text, r->undeclared, r->skipped, quantifier_word(r->finite ? ABOUT_FINITE : ABOUT_ALL), r->what,
            r->whole, r->note, r->basis, r->by_proof, r->drawn->text, r->truths->text, r->build);
    fflush(f);
}

static bool take_uses(char **line, const hypotheses **to)
{
    const char *text;
    const bool good = cell_interned(line, &text);
    if (good) *to = hypotheses_of(text);
    return good;
}

static bool take_truths(char **line, const check_truths **to)
{
    const char *text;
    *to = cell_interned(line, &text) ? evidence_truths(text) : NULL;
    return *to != NULL;
}

static bool take_sizes(char **line, const row_sizes **to)
{
    const char *text;
    const bool good = cell_interned(line, &text) && admitted_label(text);
    if (good) *to = evidence_sizes(text);
    return good;
}

static bool parse(row *r, char *line)
{
    long threads = 0;
    int kind, verdict, scope, depth, about;
    const bool ok = cell_interned_name(&line, &r->id) && cell_interned_name(&line, &r->part)
        && cell_word(&line, part_kind_index, &kind) && cell_interned_label(&line, &r->which)
        && cell_word(&line, arith_index, &r->over) && cell_interned_label(&line, &r->param)
        && take_sizes(&line, &r->shape) && cell_u64(&line, &r->seed) && cell_long(&line, &r->trial)
        && cell_word(&line, truth_index, &verdict) && cell_double(&line, &r->log2gap)
        && cell_double(&line, &r->log2bound) && cell_double(&line, &r->slope) && cell_long(&line, &r->checks)
        && cell_double(&line, &r->log2logit) && cell_double(&line, &r->kappa) && cell_double(&line, &r->seconds)
        && cell_long(&line, &threads) && cell_interned_label(&line, &r->blas)
        && cell_word(&line, trial_scope_index, &scope) && cell_word(&line, depth_index, &depth)
        && take_uses(&line, &r->uses) && cell_flag(&line, &r->undeclared)
        && cell_flag(&line, &r->skipped) && cell_word(&line, quantifier_index, &about)
        && cell_interned(&line, &r->what) && cell_flag(&line, &r->whole)
        && cell_interned(&line, &r->note) && cell_interned(&line, &r->basis)
        && cell_interned(&line, &r->by_proof) && take_sizes(&line, &r->drawn)
        && take_truths(&line, &r->truths) && cell_interned_label(&line, &r->build) && line == NULL;
    if (!ok) return false;
    r->kind = (part_kind)kind;
    r->verdict = (truth)verdict;
    r->scope = (trial_scope)scope;
    r->depth = (model_depth)depth;
    r->finite = about == ABOUT_FINITE;
    r->threads = (int)threads;
    r->subject = evidence_subject(r->which);
    r->recount = strcmp(r->basis, BASIS_RECOUNT) == 0;
    r->certain = r->over == A_FP && strcmp(r->param, PARAM_CERTAIN) == 0;
    return evidence_row_agrees(r);
}

void evidence_rows_add(rows *all, const row *r)
{
    if ((all->n & (all->n - 1)) == 0)                     /* grow at powers of two */
        all->at = must_realloc(all->at, all->n ? 2 * (size_t)all->n : 1, sizeof *all->at);
    all->at[all->n++] = *r;
}

static bool take_row(void *all, char *line)
{
    row r = { .verdict = UNDECIDED };
    if (!parse(&r, line)) return false;
    evidence_rows_add(all, &r);
    return true;
}

void evidence_rows_read(rows *all, const char *path) { cell_read_lines(path, header, "row", take_row, all); }

void evidence_rows_free(rows *all)
{
    free(all->at);
    *all = (rows){ 0 };
}
