/* SPDX-License-Identifier: GPL-3.0-or-later
 * macros.c - macros.tex: every number that the prose of the appendix mentions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/latex.h"
#include "src/report/sections/sections.h"

static void add_macro(FILE *f, const char *name, char *value)          /* takes the value */
{
    latex_macro(f, name, value);
    free(value);
}

/* 2^x, rounded up; in words where there is none: no sentence may hold a dash for a figure. */
static char *power(double x)
{
    return isfinite(x) ? must_format("$2^{%ld}$", (long)ceil(x)) : must_strdup("not measured");
}

static char *slope(double x)
{
    return isnan(x) ? must_strdup("not measured") : must_format("$%.3f$", fabs(x) < 0.0005 ? 0 : x);
}

static void verdict_macros(FILE *f, const evidence_totals *t)
{
    for (int v = V_NONE + 1; v < VERDICTS; v++) {
        char letters[32], name[64];
        size_t n = 0;
        for (const char *p = verdict_word((verdict)v); *p; p++) if (*p != '-') letters[n++] = *p;
        letters[n] = '\0';
        snprintf(name, sizeof name, "Count%s", letters);
        add_macro(f, name, must_format("%ld", t->with[v]));
        snprintf(name, sizeof name, "Corrected%s", letters);
        add_macro(f, name, must_format("%ld", t->corrected_with[v]));
    }
}

void report_macros(FILE *f, const evidence_set *all)
{
    const evidence_totals t = evidence_totals_of(all);
    add_macro(f, "Version", must_strdup(all->version));
    add_macro(f, "ClaimsTotal", must_format("%ld", all->n));
    add_macro(f, "ClaimsBuilt", must_format("%ld", all->built));
    add_macro(f, "ClaimsPending", must_format("%ld", all->n - all->built));
    add_macro(f, "RowsTotal", must_format("%ld", t.rows));
    add_macro(f, "RowsDecided", must_format("%ld", t.decided));
    add_macro(f, "LaddersTotal", must_format("%ld", t.ladders));
    add_macro(f, "Seed", must_format("%llu%s", (unsigned long long)t.seed, t.seeds > 1 ? " and others" : ""));
    add_macro(f, "Threads", must_format("%d", t.threads));
    add_macro(f, "Build", must_strdup(t.build[0] ? t.build : "unknown"));
    add_macro(f, "Blas", must_strdup(t.blas[0] ? t.blas : "unknown"));
    add_macro(f, "Seconds", must_format("%.0f", t.seconds));
    add_macro(f, "ControlsTotal", must_format("%ld", t.controls));
    add_macro(f, "ControlsRefuted", must_format("%ld", t.refuted));
    add_macro(f, "WorstGap", power(t.gap));
    add_macro(f, "WorstMargin", power(t.margin));
    add_macro(f, "WorstWidth", power(t.width));
    add_macro(f, "WorstError", power(t.error));
    add_macro(f, "WorstSlope", slope(t.slope));
    add_macro(f, "ControlSlope", slope(t.control_slope));
    add_macro(f, "ControlMargin", power(t.control_margin));
    add_macro(f, "LargestLogit", power(t.log2logit));
    add_macro(f, "LargestCondition", power(log2(t.kappa)));
    add_macro(f, "RuleError", must_strdup("$2^{-60}$"));               /* as verdict.h has them */
    add_macro(f, "RuleWidth", must_strdup("$2^{-64}$"));
    add_macro(f, "RuleTrials", must_strdup("three"));
    add_macro(f, "PartialRun", must_strdup(!all->partial ? "" :
          "PARTIAL RUN: a part of the evidence was left out, so there are no verdicts. "));
    add_macro(f, "Problems", must_format("%ld", all->problems));
    verdict_macros(f, &t);
}
