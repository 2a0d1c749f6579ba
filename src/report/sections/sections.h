/* SPDX-License-Identifier: GPL-3.0-or-later
 * sections.h - what each part of the reports says, built once from the evidence; report.c gives it to the writers. */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H
#include "src/base/screen.h"
#include "src/experiments/paper_tables.h"
#include "src/report/collect/answer_cell.h"
#include "src/report/collect/evidence_set.h"
#include "src/report/document/document.h"

typedef void report_section(document *d, const evidence_set *all);

/* ---- the page and the appendix ---- */
report_section section_head;             /* page.c: title and totals                                    */
report_section section_totals;
report_section section_answers;          /* the same: how many claims have which answer                 */
report_section section_notation;         /* the same: symbols and words                                 */
report_section section_problems;         /* failures.c: why the run fails                               */
report_section section_papers;           /* papers.c: authors, titles, versions, dates                      */
report_section section_findings;         /* findings.c: sentences for people                            */
report_section section_verdicts;         /* verdicts.c: one row per claim, in print                   */
report_section section_pending;
report_section section_counts;           /* cite.c: small tables and macros for other people's papers   */
report_section section_short_verdicts;
report_section section_graph;            /* graph.c: which claim uses which                             */
report_section section_claims;           /* claims.c: the entry of each built claim, in print           */
report_section section_entries;          /* entries.c: the same on the page, with a filter              */
report_section section_switches;         /* coverage.c: how many claims were tried with each switch     */
report_section section_plots;            /* charts.c: gap against precision and condition number        */
report_section section_proved_by;        /* proved_by.c: what proves the parts, with and without Coq    */
report_section section_formal;           /* formal.c: how to read a theorem, on the page alone          */
report_section section_slopes;           /* ladders.c: slopes of each claim's ladders                   */
report_section section_tables;           /* tables.c: each table of the papers, row by row              */
report_section section_after;            /* after.c: a sentence for each empirical claim                */
report_section section_experiments;      /* experiments.c: recorded runs beside the papers' figures     */
report_section section_audit;            /* audit.c: the printed numbers, recounted                     */
report_section section_coverage;         /* coverage.c: claim by switch of the model, in print          */
report_section section_tested;           /* tested.c: how the programs are tested, below it             */
report_section section_method;           /* page.c                                                      */

/* ---- tables for machines ---- */
report_section section_summary;          /* summary.c: one row per claim of the index                   */
report_section section_parts;            /* parts.c: each part of a claim and each arithmetic           */
report_section section_coverage_data;    /* coverage.c: claim by switch of the model                    */
report_section section_untried;          /* coverage.c: why a claim was not tried with a switch         */
report_section section_ladder;           /* ladders.c: every rung and the slope of its ladder           */
report_section section_condition;        /* ladders.c: gap and condition number of every trial in f64   */
report_section section_figures;          /* measured.c: measured figures                                */
report_section section_audit_data;       /* audit.c: the printed numbers, recounted                     */
report_section section_runs;             /* runs.c: recorded runs beside the papers' figures            */
report_section section_seeds;            /* runs.c: each seed of them                                   */
report_section section_reductions;       /* reductions.c: what goes from trained weights            */
report_section section_trained;          /* gap_data.c: trained weights on the way to W_Q = I           */

/* ---- a terminal, macros, plots ---- */
/* out: the folder of the reports, for the commands that it ends with. */
void closing_table  (FILE *f, const evidence_set *all, const screen *s, const char *out);
void report_failures(FILE *f, const evidence_set *all, const screen *s);     /* failures.c            */
void report_macros  (FILE *f, const evidence_set *all);              /* macros.tex                    */
void cite_macros    (FILE *f, const evidence_set *all);               /* cite.tex                      */
void audit_macros   (FILE *f);                                       /* audit-macros.tex              */
bool audit_table    (FILE *f, const char *only);                     /* on a terminal; false: no such claim */
void report_plots   (const char *out, const evidence_set *all, bool pdf, bool quiet);

/* paper_names.c: in the text of a page the tags 001, 003, 000 and 002 become what readers call these texts. */
void page_names_papers(document *d);

/* ---- pieces that several sections share ---- */
extern const verdict verdict_order[VERDICTS - 1];        /* closing_table.c: as reports count them      */
char *section_texts(void);               /* verdicts.c: what 001, 003, 000 and 002 are, to be freed     */
chart chart_ladder (const evidence_set *all, const claim_record *only);      /* charts.c; only NULL: all claims */
chart chart_figures(const claim_record *c);
chart chart_recounted(void);             /* printed_chart.c: printed values beside the recomputed ones  */
void  section_add_measured(document *d, const claim_record *c);              /* measured.c: table and plot */
/* gaps.c: trained weights on the way to W_Q = I; its two plots */
void section_add_gaps(document *d, const evidence_set *all);
chart chart_gaps(const evidence_set *all);
chart chart_gaps_in_training(const evidence_set *all);
/* reductions.c: what goes from trained weights, and what cannot */
void section_add_reductions(document *d, const evidence_set *all);
/* after.c: a planned comparison and what is recorded of it, as sentences. */
void section_add_question(doc_line *to, const evidence_set *all, const question *q);
extern const char section_seeds_only[];  /* why a comparison of losses on test images is unresolved       */
/* proved_by.c: "90 parts are proved by theorems ..., 120 by derivations", to be freed. */
char *proved_by_text(const evidence_set *all) MUST_USE;
/* formal.c: the theorem with what its section assumes, its lines kept. */
void  section_add_theorem(doc_line *to, const evidence_set *all, const formal_theorem *t);
/* cells.c: one cell for each arithmetic; a verdict; an id, linked where the claim has an entry. */
void section_add_cell(doc_line *to, answer_cell x);
void section_add_answer(doc_table *t, const claim_verdict *group, bool corrected);
void section_add_answer_of_part(doc_table *t, const part_verdict *p);
/* Terms of a claim's entry: a field, unless it is empty; the complete text of
 * one version, then where the others print it. */
void section_add_field(doc_block *terms, const char *name, const char *latex);
void section_add_quotations(doc_block *terms, const char *name, const quotation *q, long n, const char *note);
void section_add_evidence(doc_line *l, const char *evidence);       /* "verified 2^-89" with its power */
void section_add_verdict(doc_line *l, const evidence_set *all, verdict v);
void section_add_words  (doc_line *l, const char *text);                     /* text in which "2^-71" is a power   */
void section_add_reference(doc_line *l, const evidence_set *all, const char *id);
#endif
