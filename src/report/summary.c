/* summary.c - one CSV row per claim of the index, PENDING ones included. */
#include <math.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/report/book.h"

/* "f64 3e-14; mpfr -1.00; arb 2^-81; fp 2^-78; q 9/9; sym 4/4; measured -1.50 for -1.5", or "" where no part is an
 * identity or a measurement. */
static size_t evidence_of(char *to, size_t size, const chapter *c, bool corrected)
{
    char headline[64];
    size_t used = 0;
    to[0] = '\0';
    for (int k = 0; k < ARITHS; k++) {
        char x[32];
        const figure is = figure_of_group(&c->v, corrected, k);
        if (is.kind == FIG_NONE) continue;
        figure_text(x, sizeof x, is);
        const int n = snprintf(to + used, size - used, "%s%s %s", used ? "; " : "", arith_names[k], x);
        REQUIRE(n > 0 && (size_t)n < size - used, "%zu for the evidence of a claim", size);
        used += (size_t)n;
    }
    if (chapter_headline(c, corrected, headline, sizeof headline)) {
        const int n = snprintf(to + used, size - used, "%s%s", used ? "; " : "", headline);
        REQUIRE(n > 0 && (size_t)n < size - used, "%zu for the evidence of a claim", size);
        used += (size_t)n;
    }
    return used;
}

/* Of both groups: "A; corrected: B". */
static void evidence_words(char *to, size_t size, const chapter *c)
{
    char corrected[256];
    const size_t n = evidence_of(to, size, c, false);
    if (evidence_of(corrected, sizeof corrected, c, true))
        snprintf(to + n, size - n, "%scorrected: %s", n ? "; " : "", corrected);
}

/* Verdict, evidence, its log2, scope, hypotheses, what is missing, how many certificates: of one group. */
static void group_fields(FILE *f, const book *b, const chapter *c, bool corrected)
{
    char scope[128];
    const part_verdict *p = b->partial ? NULL : judge_speaker(&c->v, corrected);
    group_scope(scope, sizeof scope, b, &c->v, corrected);
    csv_field(f, verdict_shown(b, corrected ? c->v.corrected : c->v.as_stated), ',');
    csv_field(f, p ? evidence_word(p->by) : "", ',');
    if (p && isfinite(p->log2)) fprintf(f, "%.6g", p->log2);
    fprintf(f, ",");
    csv_field(f, scope, ',');
    csv_field(f, p ? p->assumes : "", ',');
    csv_field(f, p && p->is == V_SUPPORTED ? p->missing : "", ',');
}

static long certificates_of(const book *b, const char *id)
{
    long n = 0;
    for (long k = 0; k < b->accepted.n; k++) n += strcmp(b->accepted.at[k].id, id) == 0;
    return n;
}

static void summary_row(FILE *f, const book *b, const chapter *c)
{
    const claim_entry *e = c->entry;
    char numbers[640];
    const char *const words[] = {
        c->id, e ? e->paper : "", e ? e->n001 : "", e ? e->n003 : "", e ? e->n000 : "", chapter_title(c) };
    evidence_words(numbers, sizeof numbers, c);
    for (size_t k = 0; k < COUNT(words); k++) csv_field(f, words[k], ',');
    group_fields(f, b, c, false);
    group_fields(f, b, c, true);
    csv_field(f, numbers, ',');
    fprintf(f, "%ld,%ld,", c->v.refuted, c->v.controls);
    if (c->v.broken) fprintf(f, "%ld/%ld", c->v.local, c->v.broken);
    fprintf(f, ",%.3f,%ld,", c->v.seconds, certificates_of(b, c->id));
    csv_field(f, c->own.n ? c->own.at[0].build : "", '\n');
}

void report_summary(const book *b, const char *out)
{
    outfile o = out_open(out, "summary.csv");
    fprintf(o.f, "id,paper,n001,n003,n000,title,as_stated,evidence,evidence_log2,scope,assumes,missing,"
                 "corrected,corrected_evidence,corrected_evidence_log2,corrected_scope,corrected_assumes,"
                 "corrected_missing,numbers,controls_refuted,controls,local_failures,seconds,certificates,build\n");
    for (long k = 0; k < b->n; k++) summary_row(o.f, b, &b->at[k]);
    outfile_close(&o);
}
