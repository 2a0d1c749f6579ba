/* SPDX-License-Identifier: GPL-3.0-or-later
 * summary.c - one row of data per claim of the index, PENDING ones included. */
#include <math.h>
#include <string.h>
#include "src/report/collect/answer_cell.h"
#include "src/report/collect/measured.h"
#include "src/report/sections/sections.h"

/* Each once for the statement as printed and once, with corrected_ before its name, for the corrected one. */
#define NUMBERS(before, of) \
    { before "f64_gap", DATA_REAL, "", "largest relative gap in doubles" of }, \
    { before "mpfr_slope", DATA_REAL, "log2 per bit", "slope of log2 of the gap against the precision, the one " \
      "furthest from -1; empty where all gaps are 0" of }, \
    { before "arb_log2_width", DATA_REAL, "log2", "largest relative width of balls that meet; -Inf: exact" of }, \
    { before "fp_log2_error", DATA_REAL, "log2", "bound on the probability that equality over F_p is an error" of }, \
    { before "q_holds", DATA_WHOLE, "trials", "trials over the rational numbers that hold" of }, \
    { before "q_trials", DATA_WHOLE, "trials", "of how many" of }, \
    { before "sym_holds", DATA_WHOLE, "trials", "symbolic derivations that succeed" of }, \
    { before "sym_trials", DATA_WHOLE, "trials", "of how many" of }, \
    { before "measured", DATA_REAL, "", "the figure that represents it, where one was predicted" of }, \
    { before "predicted", DATA_REAL, "", "what was predicted of that figure" of }
#define OF_CORRECTED "; of the corrected statement"

static const data_column columns[] = {
    { "id", DATA_TEXT, "", "the claim" },
    { "paper", DATA_TEXT, "", "K: arXiv:2510.23912, B: arXiv:2410.13732, else a claim of this suite" },
    { "n001", DATA_TEXT, "", "its number in the first version of K" },
    { "n003", DATA_TEXT, "", "its number in a middle version of K, or in B" },
    { "n000", DATA_TEXT, "", "its number in the latest version of K" },
    { "title", DATA_TEXT, "", "what it says, in short" },
    { "as_stated", DATA_TEXT, "", "verdict on the statement as printed" },
    { "evidence", DATA_TEXT, "", "the evidence that decides: formal, derived, verified (over F_p), exact (over Q), "
                                 "enclosed (in balls), checked (five precisions) or measured" },
    { "evidence_log2", DATA_REAL, "log2", "of verified: bound on the error; of enclosed: relative width" },
    { "scope", DATA_TEXT, "", "the sizes for which that evidence speaks" },
    { "assumes", DATA_TEXT, "", "hypotheses that the derivation used, separated by `; `" },
    { "missing", DATA_TEXT, "", "of SUPPORTED: what keeps it from PROVED" },
    { "as_meant", DATA_TEXT, "", "yes: as_stated is of the sentence as its authors mean it; as printed it needs that "
                                 "reading (reports/body_read.csv)" },
    { "corrected", DATA_TEXT, "", "verdict on the corrected statement; empty: there is none" },
    { "corrected_evidence", DATA_TEXT, "", "as evidence" OF_CORRECTED },
    { "corrected_evidence_log2", DATA_REAL, "log2", "as evidence_log2" OF_CORRECTED },
    { "corrected_scope", DATA_TEXT, "", "as scope" OF_CORRECTED },
    { "corrected_assumes", DATA_TEXT, "", "as assumes" OF_CORRECTED },
    { "corrected_missing", DATA_TEXT, "", "as missing" OF_CORRECTED },
    NUMBERS("", ""),
    NUMBERS("corrected_", OF_CORRECTED),
    { "controls_refuted", DATA_WHOLE, "controls", "negative controls that were refuted in every decided trial" },
    { "controls", DATA_WHOLE, "controls", "negative controls that were tried" },
    { "local_failures", DATA_WHOLE, "trials", "trials of negative controls where a step failed but no whole function" },
    { "broken_trials", DATA_WHOLE, "trials", "trials of negative controls that compare whole functions; empty: none" },
    { "seconds", DATA_REAL, "s", "time of all trials, summed over programs that run side by side" },
    { "certificates", DATA_WHOLE, "files", "certificates that proofcheck has accepted" },
    { "commit", DATA_TEXT, "", "commit of the source" },
    { "compiler", DATA_TEXT, "", "compiler and its version" },
    { "libraries", DATA_TEXT, "", "libraries and their versions, separated by `; `" } };

/* Verdict, evidence, its log2, scope, hypotheses and what is missing, of one group. */
static void add_group(doc_table *t, const evidence_set *all, const claim_record *c, bool corrected)
{
    char scope[SCOPE_ROOM];
    const part_verdict *p = all->partial ? NULL : judge_speaker(&c->v, corrected);
    record_group_scope(scope, sizeof scope, all, &c->v, corrected);
    table_text(t, verdict_shown(all, corrected ? c->v.corrected : c->v.as_stated));
    table_text(t, p ? evidence_word(p->by) : "");
    const double log2 = p ? judge_log2(&c->v, corrected) : NAN;
    table_real(t, "%.6g", isfinite(log2) ? log2 : NAN);
    table_text(t, scope);
    table_text(t, p ? p->assumes->text : "");
    table_text(t, p && p->is == V_SUPPORTED ? p->missing : "");
}

/* The worst value of an arithmetic over the identities of a group; NaN: there is none, or the answer is a count. */
static double value_of(const claim_record *c, bool corrected, int over)
{
    const answer_cell is = answer_cell_of_group(&c->v, corrected, over);
    if (is.kind == CELL_DECIMAL || is.kind == CELL_POWER || is.kind == CELL_SLOPE) return is.x;
    return is.kind == CELL_EQUAL && over != A_MPFR ? -INFINITY : NAN;
}

static void add_counts(doc_table *t, const claim_record *c, bool corrected, int over)
{
    const answer_cell is = answer_cell_of_group(&c->v, corrected, over);
    const bool counted = is.kind == CELL_COUNT;
    table_real(t, "%.0f", counted ? is.x : NAN);
    table_real(t, "%.0f", counted ? (double)is.of : NAN);
}

static void add_numbers(doc_table *t, const claim_record *c, bool corrected)
{
    pooled_figure headline;
    const bool found = record_headline_figure(c, corrected, &headline);
    table_real(t, "%.4g", exp2(value_of(c, corrected, A_F64)));
    table_real(t, "%.4f", value_of(c, corrected, A_MPFR));
    table_real(t, "%.6g", value_of(c, corrected, A_ARB));
    table_real(t, "%.6g", value_of(c, corrected, A_FP));
    add_counts(t, c, corrected, A_Q);
    add_counts(t, c, corrected, A_SYM);
    table_real(t, "%.8g", found ? headline.value : NAN);
    table_real(t, "%.8g", found ? headline.predicted : NAN);
}

/* "6af997ec2588; gcc 12.2.0; FLINT 2.9.0; GMP 6.2.1": three cells. */
static void add_build(doc_table *t, const char *build)
{
    for (int k = 0; k < 2; k++) {
        const size_t n = strcspn(build, ";");
        table_format(t, "%.*s", (int)n, build);
        build += n + strspn(build + n, "; ");
    }
    table_text(t, build);
}

static long certificates_of(const evidence_set *all, const char *id)
{
    long n = 0;
    for (long k = 0; k < all->accepted.n; k++) n += strcmp(all->accepted.at[k].id, id) == 0;
    return n;
}

static void add_summary(doc_table *t, const evidence_set *all, const claim_record *c)
{
    const claim_entry *e = c->entry;
    const char *const words[] = {
        c->id, e ? e->paper : "", e ? e->n001 : "", e ? e->n003 : "", e ? e->n000 : "", record_title(c) };
    table_row(t);
    table_texts(t, words, COUNT(words));
    add_group(t, all, c, false);
    table_text(t, c->v.as_meant ? "yes" : "");
    add_group(t, all, c, true);
    add_numbers(t, c, false);
    add_numbers(t, c, true);
    table_whole(t, c->v.refuted);
    table_whole(t, c->v.controls);
    table_real(t, "%.0f", c->v.broken ? (double)c->v.local : NAN);
    table_real(t, "%.0f", c->v.broken ? (double)c->v.broken : NAN);
    table_real(t, "%.3f", c->v.seconds);
    table_whole(t, certificates_of(all, c->id));
    add_build(t, c->own.n ? c->own.at[0].build : "");
}

void section_summary(document *d, const evidence_set *all)
{
    doc_table *t = doc_data_table(d, columns, COUNT(columns));
    for (long k = 0; k < all->n; k++) add_summary(t, all, &all->at[k]);
}
