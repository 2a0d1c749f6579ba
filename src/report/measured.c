/* measured.c - measured beside predicted: the figures of a claim, pooled over its trials, in CSV, LaTeX and HTML.
 *
 * Trials are independent, so their mean has the half-width sqrt(sum of squared half-widths)/trials, on each side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/report/book.h"

static bool same_figure(const pooled *p, const measured *m)
{
    return strcmp(p->part, m->part) == 0 && strcmp(p->which, m->which) == 0 && strcmp(p->shape, m->shape) == 0
        && strcmp(p->name, m->name) == 0 && (p->x == m->x || (isnan(p->x) && isnan(m->x)));
}

static pooled *pool_of(pooled **all, long *n, const measured *m)
{
    for (long k = 0; k < *n; k++) if (same_figure(&(*all)[k], m)) return &(*all)[k];
    *all = must_realloc(*all, (size_t)*n + 1, sizeof **all);
    (*all)[*n] = (pooled){ .part = m->part, .which = m->which, .shape = m->shape, .name = m->name, .x = m->x };
    return &(*all)[(*n)++];
}

long chapter_figures(const chapter *c, pooled **out)
{
    long n = 0;
    *out = NULL;
    for (long p = 0; p < c->v.parts; p++)
        for (long k = 0; k < c->figures.n; k++) {
            const measured *m = &c->figures.at[k];
            if (strcmp(m->part, c->v.part[p].name) != 0) continue;
            pooled *at = pool_of(out, &n, m);
            at->trials++;
            at->value += m->value;
            at->predicted += m->predicted;
            at->low  += (m->value - m->low) * (m->value - m->low);         /* squares until the end */
            at->high += (m->high - m->value) * (m->high - m->value);
        }
    for (long k = 0; k < n; k++) {
        pooled *at = &(*out)[k];
        const double trials = (double)at->trials;
        at->value /= trials;
        at->predicted /= trials;
        at->low  = at->value - sqrt(at->low) / trials;
        at->high = at->value + sqrt(at->high) / trials;
    }
    return n;
}

/* Two digits of the interval's half-width decide how many are shown; four where there is no width. */
static void number(char *to, size_t size, double x, const pooled *p)
{
    const double half = (p->high - p->low) / 2;
    if (!(half > 0)) snprintf(to, size, "%.4g", x);
    else {
        const double places = 1 - floor(log10(half));
        snprintf(to, size, "%.*f", (int)fmin(fmax(places, 0), 9), x);
    }
}

bool chapter_headline(const chapter *c, bool corrected, char *to, size_t size)
{
    pooled *all;
    const long n = chapter_figures(c, &all);
    const pooled *best = NULL;
    for (long k = 0; k < n; k++) {
        const pooled *p = &all[k];
        if (part_is_corrected(p->part) != corrected || strcmp(p->which, "claim") != 0 || isnan(p->predicted)) continue;
        if (!best || (!isnan(best->x) && (isnan(p->x) || p->x > best->x))) best = p;
    }
    if (best) {
        char value[32], predicted[32];
        number(value, sizeof value, best->value, best);
        snprintf(predicted, sizeof predicted, "%.4g", best->predicted);
        snprintf(to, size, "measured %s for %s", value, predicted);
    }
    free(all);
    return best != NULL;
}

/* Of controls only what was claimed of them; the rest is for the plot. */
static bool in_table(const pooled *p) { return strcmp(p->which, "claim") == 0 || !isnan(p->predicted); }

/* ---- CSV --------------------------------------------------------------------------------------------- */

void report_figures(const book *b, const char *out)
{
    outfile o = out_open(out, "figures.csv");
    fprintf(o.f, "id,part,case,shape,figure,x,trials,value,low,high,predicted\n");
    for (long k = 0; k < b->n; k++) {
        pooled *all;
        const long n = chapter_figures(&b->at[k], &all);
        for (long i = 0; i < n; i++)
            fprintf(o.f, "%s,%s,%s,%s,%s,%.6g,%ld,%.8g,%.8g,%.8g,%.8g\n", b->at[k].id, all[i].part, all[i].which,
                    all[i].shape, all[i].name, all[i].x, all[i].trials, all[i].value, all[i].low, all[i].high,
                    all[i].predicted);
        free(all);
    }
    outfile_close(&o);
}

/* ---- LaTeX ------------------------------------------------------------------------------------------- */

static void latex_number(FILE *f, double x, const pooled *p)
{
    char text[32];
    number(text, sizeof text, x, p);
    if (isnan(x)) fprintf(f, "--");
    else fprintf(f, "\\num{%s}", text);
}

void latex_figures(FILE *f, const chapter *c)
{
    pooled *all;
    const long n = chapter_figures(c, &all);
    if (n) fprintf(f, "\\begin{measured}\n");
    for (long k = 0; k < n; k++) {
        const pooled *p = &all[k];
        if (!in_table(p)) continue;
        latex_plain(f, p->part);
        if (strcmp(p->which, "claim") != 0) {
            fprintf(f, ", control ");
            latex_plain(f, p->which);
        }
        fprintf(f, " & ");
        latex_plain(f, p->name);
        fprintf(f, " & ");
        if (isnan(p->x)) fprintf(f, "--");
        else fprintf(f, "%.4g", p->x);
        fprintf(f, " & ");
        latex_number(f, p->value, p);
        fprintf(f, " & ");
        if (p->high > p->low) {
            latex_number(f, p->low, p);
            fprintf(f, " to ");
            latex_number(f, p->high, p);
        } else fprintf(f, "--");
        fprintf(f, " & ");
        latex_number(f, p->predicted, p);
        fprintf(f, " & %ld\\\\\n", p->trials);
    }
    if (n) fprintf(f, "\\end{measured}\n");
    free(all);
    chart plot = chart_figures(c);
    if (!chart_empty(&plot)) {
        char program[32];
        chapter_program(program, sizeof program, c);
        fprintf(f, "\\plot{figures-%s}{", program);
        latex_plain(f, plot.y_label);
        fprintf(f, ", measured, and the power laws fitted to it: ");
        for (long k = 0, shown = 0; k < plot.n; k++) {
            if (plot.at[k].kind != OF_RULE) continue;
            if (shown++) fprintf(f, "; ");
            latex_plain(f, plot.at[k].name);
        }
        fprintf(f, ".}\n");
    }
    chart_free(&plot);
}

/* ---- HTML -------------------------------------------------------------------------------------------- */

static void html_number(FILE *f, double x, const pooled *p)
{
    char text[32];
    number(text, sizeof text, x, p);
    if (isnan(x)) fprintf(f, "&ndash;");
    else fprintf(f, "%s%s", *text == '-' ? "&minus;" : "", text + (*text == '-'));
}

static void html_row(FILE *f, const pooled *p)
{
    const bool control = strcmp(p->which, "claim") != 0;
    fprintf(f, "<tr><td>%s%s%s</td><td>", p->part, control ? ", control " : "", control ? p->which : "");
    html_plain(f, p->name);
    fprintf(f, "</td><td class=\"num\">");
    if (isnan(p->x)) fprintf(f, "&ndash;");
    else fprintf(f, "%.4g", p->x);
    fprintf(f, "</td><td class=\"num\">");
    html_number(f, p->value, p);
    fprintf(f, "</td><td class=\"num\">");
    if (p->high > p->low) {
        html_number(f, p->low, p);
        fprintf(f, " to ");
        html_number(f, p->high, p);
    } else fprintf(f, "&ndash;");
    fprintf(f, "</td><td class=\"num\">");
    html_number(f, p->predicted, p);
    fprintf(f, "</td><td class=\"num\">%ld</td></tr>\n", p->trials);
}

void html_figures(FILE *f, const chapter *c)
{
    pooled *all;
    const long n = chapter_figures(c, &all);
    if (n) {
        fprintf(f, "<h4>Measured beside predicted</h4><div class=\"scroll\" tabindex=\"0\"><table>");
        html_head(f, "part|figure|#at|#measured|#95 % interval|#predicted|#trials");
        for (long k = 0; k < n; k++) if (in_table(&all[k])) html_row(f, &all[k]);
        fprintf(f, "</tbody></table></div>\n");
    }
    free(all);
    chart plot = chart_figures(c);
    if (!chart_empty(&plot)) {
        fprintf(f, "<h4>%s</h4>\n", plot.title);
        svg_chart(f, &plot);
    }
    chart_free(&plot);
}
