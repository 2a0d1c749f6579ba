/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner.h - one trial of one case in one arithmetic becomes one evidence row. */
#ifndef RUNNER_H
#define RUNNER_H
#include "src/claim/claim.h"
#include "src/claim/evidence/evidence.h"
#include "src/claim/judge/verdict.h"

/* "f64", "mpfr[:bits]", "arb[:bits]", "fp[:prime]", "q", "sym"; bits or prime 0: the runner chooses.
 *   mpfr  a ladder of five precisions bits * 1, 2, 4, 8, 16 (default 64 .. 1024)
 *   arb   starts at bits (default 256) and doubles while undecided, up to 4096 bits
 *   fp    random primes of 61 bits, so many that the error is <= 2^-60, or the one given         */
typedef struct { int kind; long bits; uint64_t prime; } arith_spec;
const char *arith_spec_parse(arith_spec *out, const char *text) MUST_USE;   /* NULL, or what is wrong */

typedef struct {
    const claim   *claim;
    const part    *part;
    const control *control;              /* NULL: the claim itself, or `minimal`                  */
    bool           minimal;
    shape          sh;                   /* completed, not yet adapted to the arithmetic          */
    arith_spec     over;
    uint64_t       seed;
    long           trial;
    int            gain;                 /* log2 of a factor on all draws                         */
    corner         corner;
    bool           least_sizes_alone;    /* over sym: more heads than another trial, which takes large ones, too  */
    bool           certifies;            /* over sym: runner_guards.c has had its say in the evidence    */
    bool           sides, entries;       /* the checks note their sides; and these entry by entry        */
    bool           replaces;             /* what claim_reduced names is drawn anew                       */
    const struct stream_plan *stream;    /* NULL, or whole models a layer at a time: src/claim/stream.h   */
} job;

/* rungs: where mpfr writes its ladder; figures: where a measurement writes them; both may be NULL */
row  runner_run(const job *j, FILE *rungs, FILE *figures);
const char *runner_case_name(const job *j);            /* "claim", "minimal", or the control's name        */
/* Some shapes make no sense over some arithmetics: q takes small models with ReLU and linear attention, sym takes
 * pairwise different representatives of the sizes.  A part with a row map of its own keeps it over q; facts that no
 * other arithmetic with the real functions shows are of these functions, or are not shown.  False: not run there. */
bool runner_adapt_shape(const part *P, int kind, shape *sh);

/* The k-th different prime of a trial over fp: uniform among those in [2^60, 2^61) that came before it in no run. */
uint64_t runner_field_prime(uint64_t seed, long number, long k);
/* Witnesses are about real functions; a formal difference over fp refutes nothing about them. */
bool runner_decides_over_fp(part_kind kind);
/* The representatives of the sizes that sym takes: n, d_k, m, V and, where h d_k is not d, their difference.  A row
 * of sym holds if the derivation does at every one of SIZE_VECTORS; runner_adapt_shape takes the first.          */
enum { SIZE_VECTORS = 6 };
void runner_sym_sizes(shape *sh, int which);
#endif
