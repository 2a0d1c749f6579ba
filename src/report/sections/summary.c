/* summary.c - one CSV row per claim of the index, PENDING ones included. */
#include <math.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/collect/answer_cell.h"
#include "src/report/collect/measured.h"
#include "src/report/sections/sections.h"

/* "f64 3e-14; mpfr -1.00; arb 2^-81; fp 2^-78; q 9/9; sym 4/4; measured -1.50 for -1.5", or "" where no part is an
 * identity or a measurement. */
static size_t evidence_of(char *to, size_t size, const claim_record *c, bool corrected)
{
    char headline[64];
    size_t used = 0;
    to[0] = '\0';
    for (int k = 0; k < ARITHS; k++) {
        char x[32];
        const answer_cell is = answer_cell_of_group(&c->v, corrected, k);
        if (is.kind == CELL_NONE) continue;
        answer_cell_text(x, sizeof x, is);
        const int n = snprintf(to + used, size - used, "%s%s %s", used ? "; " : "", arith_names[k], x);
        REQUIRE(n > 0 && (size_t)n < size - used, "%zu for the evidence of a claim", size);
        used += (size_t)n;
    }
    if (record_headline(c, corrected, headline, sizeof headline)) {
        const int n = snprintf(to + used, size - used, "%s%s", used ? "; " : "", headline);
        REQUIRE(n > 0 && (size_t)n < size - used, "%zu for the evidence of a claim", size);
        used += (size_t)n;
    }
    return used;
}

/* Of both groups: "A; corrected: B". */
static void evidence_words(char *to, size_t size, const claim_record *c)
{
    char corrected[256];
    const size_t n = evidence_of(to, size, c, false);
    if (evidence_of(corrected, sizeof corrected, c, true))
        snprintf(to + n, size - n, "%scorrected: %s", n ? "; " : "", corrected);
}

/* Verdict, evidence, its log2, scope, hypotheses and what is missing, of one group. */
static void add_group(doc_table *t, const evidence_set *all, const claim_record *c, bool corrected)
{
    char scope[128];
    const part_verdict *p = all->partial ? NULL : judge_speaker(&c->v, corrected);
    record_group_scope(scope, sizeof scope, all, &c->v, corrected);
    table_text(t, verdict_shown(all, corrected ? c->v.corrected : c->v.as_stated));
    table_text(t, p ? evidence_word(p->by) : "");
    if (p && isfinite(p->log2)) table_format(t, "%.6g", p->log2);
    else table_text(t, "");
    table_text(t, scope);
    table_text(t, p ? p->assumes : "");
    table_text(t, p && p->is == V_SUPPORTED ? p->missing : "");
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
    char numbers[640];
    const char *const words[] = {
        c->id, e ? e->paper : "", e ? e->n001 : "", e ? e->n003 : "", e ? e->n000 : "", record_title(c) };
    evidence_words(numbers, sizeof numbers, c);
    table_row(t);
    table_texts(t, words, COUNT(words));
    add_group(t, all, c, false);
    add_group(t, all, c, true);
    table_text(t, numbers);
    table_format(t, "%ld", c->v.refuted);
    table_format(t, "%ld", c->v.controls);
    if (c->v.broken) table_format(t, "%ld/%ld", c->v.local, c->v.broken);
    else table_text(t, "");
    table_format(t, "%.3f", c->v.seconds);
    table_format(t, "%ld", certificates_of(all, c->id));
    table_text(t, c->own.n ? c->own.at[0].build : "");
}

void section_summary(document *d, const evidence_set *all)
{
    doc_table *t = doc_csv_table(d,
        "id,paper,n001,n003,n000,title,as_stated,evidence,evidence_log2,scope,assumes,missing,corrected,"
        "corrected_evidence,corrected_evidence_log2,corrected_scope,corrected_assumes,corrected_missing,numbers,"
        "controls_refuted,controls,local_failures,seconds,certificates,build");
    for (long k = 0; k < all->n; k++) add_summary(t, all, &all->at[k]);
}
