/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_suite.c - one test for each arithmetic, part and case: see program.h. */
#include <cblas.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/claim/program/program.h"

typedef struct { const part *P; long c; const arith_spec *over; } item;                 /* c: -1 claim, else control */
static item         *items;
static program_test *tests;              /* of the same numbers */
static int           nitems;
static const program_output *output;

/* Over sym a claim is also run with these numbers of heads; the width of a head is a symbol there. */
static const long sym_heads[] = { 1, 2, 3, MAX_SYM_HEADS };

/* ---- the trials of a test, whose rows are written and kept */

/* Of the numbers of heads that sym takes for a part; 0: that of the shape asked for. */
static long least_heads(const part *P)
{
    shape_case s;
    for (size_t k = 0; k < COUNT(sym_heads); k++) if (program_shape_with_heads(P, sym_heads[k], &s)) return s.sh.h;
    long least = 0;
    for (long k = 0; k < program_shape_count(P) && !program.shape; k++) {
        const long h = program_shape_at(k, P).sh.h;
        if (!least || h < least) least = h;
    }
    return least;
}

/* Trials from, from + 1, ... */
static void run_trials(const item *it, const shape *sh, long from, long n, rows *own)
{
    const bool sym = it->over->kind == A_SYM;
    const long least = sym ? least_heads(it->P) : 0;
    const long controls = program_control_count(it->P);
    for (long nth = from; nth < from + n; nth++) {
        const job j = { .claim = program.C, .part = it->P, .sh = *sh, .over = *it->over, .seed = program.seed,
                        .trial = program.only_trial >= 0 ? program.only_trial : nth, .gain = program.gain,
                        .corner = program.corner,
                        .control = it->c >= 0 && it->c < controls ? program_control(it->P, it->c) : NULL,
                        .minimal = it->c == controls, .least_sizes_alone = least && sh->h > least,
                        .stream = program_stream_plan() };
        const row r = runner_run(&j, output->rungs, output->figures);
        evidence_row_write(output->rows, &r);
        evidence_rows_add(own, &r);
        if (program.only_trial >= 0) break;
    }
}

/* The shapes that an arithmetic has seen of an item, adapted, and how many trials each had: those of the plan that
 * differ by what it does not take are one, where the same trials again would show nothing new. */
typedef struct { struct { char text[SHAPE_SIZE]; long trials; } *at; long n; } seen_shapes;

static long *trials_at(seen_shapes *seen, const item *it, shape sh)
{
    char text[sizeof seen->at->text];
    runner_adapt_shape(it->P, it->over->kind, &sh);
    shape_print(text, sizeof text, &sh);
    for (long k = 0; k < seen->n; k++) if (strcmp(seen->at[k].text, text) == 0) return &seen->at[k].trials;
    seen->at = must_realloc(seen->at, (size_t)seen->n + 1, sizeof *seen->at);
    memcpy(seen->at[seen->n].text, text, sizeof text);
    seen->at[seen->n].trials = 0;
    return &seen->at[seen->n++].trials;
}

static void run_item(const item *it, rows *own)
{
    const bool sym = it->over->kind == A_SYM, once = sym || program.only_trial >= 0;
    seen_shapes seen = { 0 };
    for (long k = 0; k < program_shape_count(it->P); k++) {
        const shape_case s = program_shape_at(k, it->P);
        const long n = program_trials(it->P, it->over, it->c < 0, &s, k);
        long *before = trials_at(&seen, it, s.sh);
        if (!n || (once && *before)) continue;
        run_trials(it, &s.sh, *before, n, own);
        *before += n;
    }
    shape_case s;
    for (size_t h = 0; sym && it->c < 0 && h < COUNT(sym_heads); h++) {          /* with the switches of the first */
        if (!program_shape_with_heads(it->P, sym_heads[h], &s) || (*trials_at(&seen, it, s.sh))++) continue;
        run_trials(it, &s.sh, 0, 1, own);
    }
    free(seen.at);
    program_check_written();
}

/* ---- what is expected of the rows of a test */

static const char *const corner_words[] = { "", " --corner=sparse", " --corner=repeated", " --corner=near-singular" };

static char *replay_line(const row *r)
{
    const char *scale = program_streams() ? " --scale=gpt2-small" : "";
    char gain[24] = "";
    if (program.gain) snprintf(gain, sizeof gain, " --gain=%d", program.gain);
    return must_format("%s%s --part=%s --case=%s --arith=%s --shape=\"%s\" --seed=%llu --trial=%ld%s%s", program_name,
                       scale, r->part, r->which, arith_names[r->over], r->shape->text, (unsigned long long)r->seed,
                       r->trial, gain, corner_words[program.corner]);
}

/* A trial that is skipped where another of the same shape is not: the question arises or it does not.  NULL: none. */
static const row *skipped_alone(const rows *own)
{
    for (long k = 0; k < own->n; k++)
        for (long i = 0; i < own->n && own->at[k].skipped; i++)
            if (!own->at[i].skipped && own->at[i].shape == own->at[k].shape) return &own->at[k];
    return NULL;
}

/* NULL: everything is as expected; else what is not, to be freed. */
static char *unexpected(const item *it, const rows *own)
{
    const row *bad = NULL, *undeclared = NULL, *skipped = skipped_alone(own);
    const char *name = program_case_name(it->P, it->c), *over = arith_names[it->over->kind], *note = "";
    const bool must_hold = it->c < 0 && it->P->kind != PART_HYPOTHESIS;
    long holds = 0, decidable = 0;
    for (long k = 0; k < own->n; k++) {
        const row *r = &own->at[k];
        holds += r->verdict == HOLDS;
        decidable += !r->skipped;
        if (r->verdict == UNDECIDED && !r->skipped) note = r->note;
        if (r->undeclared) undeclared = r;
        if (r->verdict == (must_hold ? REFUTED : HOLDS)) bad = r;
    }
    if (skipped)
        return must_format("%s %s over %s: trial %ld is skipped and another of its shape is not", it->P->name, name,
                           over, skipped->trial);
    if (undeclared)
        return must_format("%s over sym %s; say so in its statement and in .assumes or .models", it->P->name,
                           undeclared->note);
    if (bad) {
        char *replay = replay_line(bad), *why = must_format("%s %s over %s %s; replay: %s", it->P->name, name, over,
                                                            must_hold ? "is refuted" : "holds although it is broken",
                                                            replay);
        free(replay);
        return why;
    }
    if (must_hold && decidable && !holds && it->over->kind != A_SYM && program.corner == CORNER_NONE)
        return must_format("%s %s over %s: no trial was decided%s%s", it->P->name, name, over, *note ? ": " : "", note);
    return NULL;
}

char *program_test_run(int k)
{
    rows own = { 0 };
    run_item(&items[k], &own);
    char *why = unexpected(&items[k], &own);
    evidence_rows_free(&own);
    return why;
}

/* ---- the suite */

static void add_test(const part *P, long c, const arith_spec *over)
{
    const char *name = program_case_name(P, c);
    if (!program_has_case(P, c, over) || !program_runs_over(P, over->kind)) return;
    if (program.part && strcmp(program.part, P->name) != 0) return;
    if (program_streams() && !program_streams_part(P)) return;
    if (program.which && strcmp(program.which, name) != 0) return;
    items[nitems] = (item){ P, c, over };
    tests[nitems++] = (program_test){ arith_names[over->kind], must_format("%s %s", P->name, name) };
}

static void build_suite(const claim *C)
{
    size_t most = 0;
    for (size_t p = 0; p < C->nparts; p++) most += (size_t)program_control_count(&C->parts[p]) + 2;
    items = must_calloc(most * (size_t)program.arithmetics, sizeof *items);
    tests = must_calloc(most * (size_t)program.arithmetics, sizeof *tests);
    for (int a = 0; a < program.arithmetics; a++)
        for (size_t p = 0; p < C->nparts; p++)
            for (long c = -1; c <= program_control_count(&C->parts[p]); c++)
                add_test(&C->parts[p], c, &program.over[a]);
}

int program_run_suite(const program_output *to)
{
    output = to;
    outfile_remove_at_signals();
    build_suite(program.C);
    if (program.fork) {                             /* BLAS makes its threads before the first fork */
        double one = 1;
        cblas_dscal(1, 1.0, &one, 1);
    }
    const int failed = program_tests_run(program.C->id, tests, nitems, program.fork);
    for (int k = 0; k < nitems; k++) free((char *)tests[k].name);
    free(tests);
    free(items);
    tests = NULL;
    items = NULL;
    nitems = 0;
    return failed;
}
