/* runner.c - one trial becomes one row: see runner.h and DESIGN.md 3. */
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
    char *all = must_format("; %s; %s;", claim_part_assumes(C, P), claim_part_models(C, P));
    char *one = must_format("; %s;", word);
    const bool is = strstr(all, one) != NULL;
    free(all);
    free(one);
    return is;
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
    row r = { .kind = j->part->kind, .over = j->over.kind, .seed = j->seed, .trial = j->trial,
              .verdict = UNDECIDED, .log2gap = INFINITY, .log2bound = -INFINITY,
              .slope = NAN, .log2logit = NAN, .threads = openblas_get_num_threads(),
              .scope = j->over.kind == A_FP ? SCOPE_SIZE : SCOPE_INSTANCE,
              .finite = j->part->about == ABOUT_FINITE };
    shape sh = j->sh;
    cell_copy(r.id, sizeof r.id, j->claim->id);
    cell_copy(r.part, sizeof r.part, j->part->name);
    cell_copy(r.which, sizeof r.which, runner_case_name(j));
    cell_copy(r.param, sizeof r.param, "-");
    cell_copy(r.blas, sizeof r.blas, openblas_get_corename());
    cell_copy(r.build, sizeof r.build, libraries_text());
    cell_copy(r.basis, sizeof r.basis, j->part->basis ? j->part->basis : "");
    cell_copy(r.by_proof, sizeof r.by_proof, j->part->by_proof ? j->part->by_proof : "");
    bool sensible = runner_adapt_shape(j->over.kind, &sh);
    if (j->part->own_row_map) sh.attention = j->sh.attention;
    shape_print(r.shape, sizeof r.shape, &sh);
    if (!sensible) {
        cell_copy(r.note, sizeof r.note, reason_text(REASON_TOO_LARGE));
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
    if (j->over.kind == A_SYM) drawn_sizes_print_counts(r.drawn, sizeof r.drawn, &sh);
    else if (!j->stream) drawn_sizes_print(r.drawn, sizeof r.drawn, &sh);
    if (j->stream && !r.note[0]) {
        char text[sizeof r.note];
        snprintf(text, sizeof text, "a layer at a time; weights of 24 bits; logits of %s; at most %ld MB in memory",
                 j->stream->all_positions ? "all tokens" : "the last token", memory_peak());
        cell_copy(r.note, sizeof r.note, text);
    }
    return r;
}
