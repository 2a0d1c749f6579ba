/* latex_macros.c - macros.tex: every number that the prose of the appendix mentions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/report/book.h"

static void macro(FILE *f, const char *name, char *value)          /* takes the value over */
{
    fprintf(f, "\\newcommand{\\%s}{", name);
    latex_math(f, value);
    fprintf(f, "}\n");
    free(value);
}

/* 2^x; a dash where nothing was measured. */
static char *power(double x) { return isfinite(x) ? must_format("$2^{%.0f}$", ceil(x)) : must_strdup("---"); }

static char *slope(double x)
{
    return isnan(x) ? must_strdup("---") : must_format("$%.3f$", fabs(x) < 0.0005 ? 0 : x);
}

static void verdict_macros(FILE *f, const totals *t)
{
    for (int v = V_NONE + 1; v < VERDICTS; v++) {
        char letters[32], name[64];
        size_t n = 0;
        for (const char *p = verdict_word((verdict)v); *p; p++) if (*p != '-') letters[n++] = *p;
        letters[n] = '\0';
        snprintf(name, sizeof name, "Count%s", letters);
        macro(f, name, must_format("%ld", t->with[v]));
        snprintf(name, sizeof name, "Corrected%s", letters);
        macro(f, name, must_format("%ld", t->corrected_with[v]));
    }
}

/* What 001, 003, 000 and 002 are: "001: Karbevski & Mijoski, ..., first version; ..." */
static void texts_macro(FILE *f)
{
    fprintf(f, "\\newcommand{\\TheTexts}{");
    for (int k = 0; k < TEXTS; k++) {
        fprintf(f, "%s%s: ", k ? "; " : "", papers[k].tag);
        latex_plain(f, papers[k].paper);
        fprintf(f, "%s%s", papers[k].version[0] ? ", " : "", papers[k].version);
    }
    fprintf(f, "}\n");
}

void latex_macros(const book *b, const char *out)
{
    const totals t = book_totals(b);
    outfile o = out_open(out, "macros.tex");
    macro(o.f, "ProvablyVersion", must_strdup(b->version));
    macro(o.f, "ClaimsTotal", must_format("%ld", b->n));
    macro(o.f, "ClaimsBuilt", must_format("%ld", b->built));
    macro(o.f, "ClaimsPending", must_format("%ld", b->n - b->built));
    macro(o.f, "RowsTotal", must_format("%ld", t.rows));
    macro(o.f, "RowsDecided", must_format("%ld", t.decided));
    macro(o.f, "LaddersTotal", must_format("%ld", t.ladders));
    macro(o.f, "Seed", must_format("%llu%s", (unsigned long long)t.seed, t.seeds > 1 ? " and others" : ""));
    macro(o.f, "Threads", must_format("%d", t.threads));
    macro(o.f, "Build", must_strdup(t.build[0] ? t.build : "unknown"));
    macro(o.f, "Blas", must_strdup(t.blas[0] ? t.blas : "---"));
    macro(o.f, "Seconds", must_format("%.0f", t.seconds));
    macro(o.f, "ControlsTotal", must_format("%ld", t.controls));
    macro(o.f, "ControlsRefuted", must_format("%ld", t.refuted));
    macro(o.f, "WorstGap", power(t.gap));
    macro(o.f, "WorstMargin", power(t.margin));
    macro(o.f, "WorstWidth", power(t.width));
    macro(o.f, "WorstError", power(t.error));
    macro(o.f, "WorstSlope", slope(t.slope));
    macro(o.f, "ControlSlope", slope(t.control_slope));
    macro(o.f, "ControlMargin", power(t.control_margin));
    macro(o.f, "LargestLogit", power(t.log2logit));
    macro(o.f, "LargestCondition", power(log2(t.kappa)));
    macro(o.f, "RuleError", must_strdup("$2^{-60}$"));               /* as verdict.h has them */
    macro(o.f, "RuleWidth", must_strdup("$2^{-64}$"));
    macro(o.f, "RuleTrials", must_strdup("three"));
    macro(o.f, "PartialRun", must_strdup(!b->partial ? "" :
          "PARTIAL RUN: a part of the evidence was left out, so there are no verdicts. "));
    macro(o.f, "Problems", must_format("%ld", b->problems));
    verdict_macros(o.f, &t);
    texts_macro(o.f);
    outfile_close(&o);
}
