/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner.c - one trial becomes one row: see runner.h. */
#include "src/claim/runner/runner_trial.h"
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "numerics/libraries.h"
#include "src/base/clock.h"
#include "src/claim/stream.h"
#include "src/model/drawn_sizes.h"

const char *runner_case_name(const job *j) { return j->minimal ? "minimal" : j->control ? j->control->name : "claim"; }

const char *claim_part_assumes(const claim *C, const part *P)
{
    return P->assumes ? P->assumes : C->assumes ? C->assumes : "";
}

const char *claim_part_models(const claim *C, const part *P)
{
    return P->models ? P->models : C->models ? C->models : "";
}

bool claim_part_declares(const claim *C, const part *P, const char *word)
{
    return hypotheses_have(hypotheses_of(claim_part_assumes(C, P)), word)
        || hypotheses_have(hypotheses_of(claim_part_models(C, P)), word);
}

void runner_q(const job *j, const shape *sh, row *r)
{
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ j->seed, (uint64_t)j->trial }, "functions");
    arith R = arith_q(key);
    trial t = runner_body(j, &R, sh);
    runner_conclude(r, &t);
    runner_trial_free(&t);
}

row runner_run(const job *j, FILE *rungs, FILE *figures)
{
    char sizes[SHAPE_SIZE];
    shape sh = j->sh;
    row r = evidence_row_blank();
    evidence_row_name(&r, j->claim->id, j->part->name, j->part->kind, runner_case_name(j));
    r.over = j->over.kind;
    r.seed = j->seed;
    r.trial = j->trial;
    r.verdict = UNDECIDED;
    r.log2gap = INFINITY;
    r.log2bound = -INFINITY;
    r.slope = r.log2logit = NAN;
    r.threads = openblas_get_num_threads();
    r.scope = j->over.kind == A_FP ? SCOPE_SIZE : SCOPE_INSTANCE;
    r.finite = j->part->about == ABOUT_FINITE;
    r.param = intern("-");
    r.blas = cell_keep(openblas_get_corename());
    r.build = cell_keep(libraries_text());
    r.basis = cell_keep(j->part->basis);
    r.recount = strcmp(r.basis, BASIS_RECOUNT) == 0;
    r.by_proof = cell_keep(j->part->by_proof);
    const bool sensible = runner_adapt_shape(j->part, j->over.kind, &sh);
    shape_print(sizes, sizeof sizes, &sh);
    r.shape = evidence_sizes(sizes);
    if (!sensible) {
        r.note = cell_keep(reason_text(REASON_TOO_LARGE));
        r.skipped = true;
        return r;
    }
    const double start = monotonic_seconds();
    drawn_sizes_forget();
    switch (j->over.kind) {
    case A_F64:
        if (part_measures(j->part->kind)) runner_measure(j, &sh, &r, figures);
        else runner_f64(j, &sh, &r);
        break;
    case A_MPFR: runner_mpfr(j, &sh, &r, rungs); break;
    case A_ARB:  runner_arb(j, &sh, &r); break;
    case A_FP:   runner_fp(j, &sh, &r); break;
    case A_Q:    runner_q(j, &sh, &r); break;
    case A_SYM:  runner_sym(j, &sh, &r); break;
    default:     REQUIRE(false, "arithmetic %d", j->over.kind);
    }
    r.seconds = monotonic_seconds() - start;
    sizes[0] = '\0';
    if (j->over.kind == A_SYM) drawn_sizes_print_counts(sizes, sizeof sizes, &sh);
    else if (!j->stream) drawn_sizes_print(sizes, sizeof sizes, &sh);
    r.drawn = evidence_sizes(sizes);
    if (j->control && !j->trial && r.verdict == REFUTED) r.shares_side = runner_shares_side(j, &sh, &r);
    if (j->stream && !r.note[0]) {
        char *text = must_format("a layer at a time; weights of 24 bits; logits of %s; at most %ld MB in memory",
                                 j->stream->all_positions ? "all tokens" : "the last token", memory_peak());
        r.note = cell_keep(text);
        free(text);
    }
    return r;
}
