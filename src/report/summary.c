/* summary.c - one CSV row per claim of the index, PENDING ones included. */
#include <string.h>
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

static void scope_words(char *to, size_t size, const claim_verdict *v)
{
    snprintf(to, size, "%s", group_scope(v, false));
    if (v->corrected == V_NONE) return;
    const size_t n = strlen(to);
    snprintf(to + n, size - n, "%scorrected: %s", n ? "; " : "", group_scope(v, true));
}

static void summary_row(FILE *f, const book *b, const chapter *c)
{
    const claim_entry *e = c->entry;
    char evidence[640], scope[96];
    scope_words(scope, sizeof scope, &c->v);
    const char *const words[] = {
        c->id, e ? e->paper : "", e ? e->n003 : "", e ? e->n000 : "", e ? e->n001 : "", chapter_title(c),
        verdict_shown(b, c->v.as_stated), verdict_shown(b, c->v.corrected), scope };
    evidence_words(evidence, sizeof evidence, c);
    for (size_t k = 0; k < COUNT(words); k++) csv_field(f, words[k], ',');
    csv_field(f, evidence, ',');
    fprintf(f, "%ld,%ld,%.3f,", c->v.refuted, c->v.controls, c->v.seconds);
    csv_field(f, e ? e->certificate : "", '\n');
}

void report_summary(const book *b, const char *out)
{
    outfile o = out_open(out, "summary.csv");
    fprintf(o.f, "id,paper,n003,n000,n001,title,as_stated,corrected,scope,evidence,controls_refuted,controls,"
                 "seconds,certificate\n");
    for (long k = 0; k < b->n; k++) summary_row(o.f, b, &b->at[k]);
    outfile_close(&o);
}
