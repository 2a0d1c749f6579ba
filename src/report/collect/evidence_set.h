/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence_set.h - a folder of evidence as data: one record per claim, with everything that reports show of it.
 *
 * An evidence_set owns all it holds; nothing in it changes once it has been read. */
#ifndef EVIDENCE_SET_H
#define EVIDENCE_SET_H
#include "src/claim/evidence/evidence_figures.h"
#include "src/claim/judge/verdict.h"
#include "src/experiments/results.h"
#include "src/experiments/sweep.h"
#include "src/experiments/trained_gap.h"
#include "src/experiments/trained_reductions.h"
#include "src/report/collect/bearing.h"
#include "src/report/collect/claim_text.h"
#include "src/report/collect/findings.h"
#include "src/report/report.h"

enum { SWITCHES = 36 };                   /* of a model: coverage.h                                      */
typedef struct {
    char id[NAME_SIZE];
    const claim_entry *entry;            /* NULL: a program that the index does not name                */
    rows     own;                        /* none: PENDING                                               */
    rung_list ladder;
    measures figures;
    claim_text text;
    claim_verdict v;
    long     tried[SWITCHES];            /* decided rows of the claim itself whose model has the switch */
} claim_record;
typedef struct {
    claim_index index;
    claim_record *at;                    /* in the order of the index, then those it does not name      */
    long n, built;
    char **problem;                      /* why report_main returns 1                                   */
    long problems;
    const char *version;
    const char *program;                 /* how `provably` was called                                   */
    bool partial;
    results results;                     /* recorded runs                                               */
    char *results_path;                  /* their folder                                                */
    results own;                         /* the user's own runs: shown beside the recorded ones, and decide nothing  */
    char *own_path;                      /* their folder: reproduce/results beside that of the evidence  */
    gap_curves gaps;                     /* trained-theorems-gaps.csv in it                             */
    reduction_findings reductions;       /* trained-theorems-reductions.csv in it                       */
    const run_kind *kinds;               /* how runs are priced; NULL: they are not                     */
    proofs accepted;                     /* what proofcheck accepted                                    */
    ratchet agreed;                      /* reports/verdicts.csv                                        */
    findings found;                      /* reports/findings.csv                                        */
    bearings bearing;                    /* reports/bearing.csv                                         */
    formal_list formal;                  /* reports/formal.csv                                          */
    readings read;                       /* reports/body_read.csv                                     */
    char *evidence;                      /* the folder of which it is                                   */
    const char *out;                     /* the folder of the reports; NULL: none are written           */
} evidence_set;
evidence_set evidence_set_read(const report_options *o);
/* Only the evidence of `program`, where there is some; its description by the program itself, where that is built and
 * the folder has none.  Everything else is the same, but that no evidence of other claims is no problem of the run. */
evidence_set evidence_set_read_one(const report_options *o, const char *program);
void evidence_set_free(evidence_set *all);
/* Its verdicts as the new agreed ones. */
void evidence_set_write_agreed(const evidence_set *all, const char *path);

/* ---- record.c ---- */
const claim_record *evidence_set_find(const evidence_set *all, const char *id);     /* NULL: no such claim */
bool record_is_built(const claim_record *c);             /* it has rows, and so an entry of its own        */
const char *record_title(const claim_record *c);
/* The title as LaTeX, to be freed: "pair W_Q" -> "pair $W_{Q}$". */
char *record_title_latex(const claim_record *c);
char *record_title_as_latex(const char *title);
/* Is this part an identity?  The gaps of a witness need not fall with the precision. */
bool record_is_identity(const claim_record *c, const char *part);
/* "k_t4_4", from the index or, where it names none, from the id. */
void record_program(char *to, size_t size, const claim_record *c);
/* "mid 4.4, v7 4.2": where the papers have it, abbreviated; two versions at most, 001 only beside one other. */
void record_paper(char *to, size_t size, const claim_record *c);
/* "Thm 4.4 (middle), Thm 4.2 (latest)", "Bermeitinger et al. Eq 1", "ours": the same for a terminal; every: of all
 * versions. */
void record_places(char *to, size_t size, const claim_record *c, bool every);
/* Can only recorded runs decide the claim? */
bool record_needs_runs(const claim_record *c);
/* "exact x9" and "any size and depth" of the part that speaks for a group; "" in a partial run or where none does. */
void record_group_evidence(char *to, size_t size, const evidence_set *all, const claim_verdict *v, bool corrected);
void record_group_scope   (char *to, size_t size, const evidence_set *all, const claim_verdict *v, bool corrected);
/* The name of the verdict as printed: PARTIAL in a partial run. */
const char *verdict_shown(const evidence_set *all, verdict v);

/* ---- controls.c: one control of one part, counted over its rows ---- */
typedef struct {
    const char *part, *name, *why;
    long   refuted, decided;
    double margin;                       /* smallest log2(gap/bound) in f64; +inf: none                 */
    double slope;                        /* mpfr: furthest from 0; NaN: none                            */
} control_count;
long record_controls(const claim_record *c, control_count **out);     /* returns how many; free *out    */

/* ---- dependencies.c: what a claim uses, by its description ---- */
/* The claims that `of` uses, as positions in the set; *out is to be freed.  Returns how many. */
long  record_uses(const evidence_set *all, const claim_record *of, long **out);
/* Calls `each` with every id that the description of the claim names, until it returns false. */
void  record_each_use(const claim_record *of, bool (*each)(void *, const char *), void *with);
/* An id that is no claim, the claim itself, or a cycle; NULL: nothing is wrong.  To be freed. */
char *record_dependency_problem(const evidence_set *all, const claim_record *of) MUST_USE;

/* Has the row a place among gaps against condition numbers?  In doubles, decided, and no gap of statistics. */
bool evidence_row_is_conditioned(const row *r);

/* ---- totals.c: sums over all rows of all built claims ---- */
typedef struct {
    long   rows, decided, ladders, with[VERDICTS], corrected_with[VERDICTS];
    long   controls, refuted, seeds;
    uint64_t seed;
    int    threads;
    const char *blas, *build;            /* of the first row; "" where there is none                    */
    double seconds, log2logit, margin, gap, width, error, slope, control_slope;
    double kappa;                        /* largest of the rows that evidence_row_is_conditioned        */
    double control_margin;               /* smallest log2(gap/bound) of a negative control; inf: none  */
} evidence_totals;
evidence_totals evidence_totals_of(const evidence_set *all);
#endif
