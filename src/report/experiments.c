/* experiments.c - recorded runs: the papers' figures beside ours, and what they say about the claims that only runs
 * can decide.  Everything comes from reports/results/; nothing recorded is said in a sentence. */
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/report/experiments.h"

static const char NOTHING[] = "No run is recorded yet: `make reproduce` takes about ten minutes on two cores, "
    "`provably reproduce --list` shows the papers' own tables.";
static const char METHOD[] = "Each figure is the mean over its seeds with Student's 95 % interval; variants see the "
    "same data in the same order for each seed, and are compared by the differences seed by seed.  Which comparisons "
    "are made was fixed before the runs; p-values are corrected by Holm's method, and equality is tested by two "
    "one-sided tests.  A smaller model than the papers' speaks for its own size only.";

/* Lines from k on that are of one part of one preset. */
static long group_length(const results *all, long k)
{
    long n = 1;
    while (k + n < all->n && result_is(&all->at[k + n], R_PRESET, all->at[k].cell[R_PRESET])
           && result_is(&all->at[k + n], R_PART, all->at[k].cell[R_PART])) n++;
    return n;
}

static const char *title_of(const result *r)
{
    const preset *p = preset_find(r->cell[R_PRESET]);
    for (long k = 0; p && k < p->parts; k++) if (result_is(r, R_PART, p->part[k].name)) return p->part[k].title;
    return r->cell[R_PART];
}

static const char *limits_of(const result *r)
{
    const preset *p = preset_find(r->cell[R_PRESET]);
    for (long k = 0; p && k < p->parts; k++)
        if (result_is(r, R_PART, p->part[k].name)) return p->part[k].cannot ? p->part[k].cannot : "";
    return "";
}

/* "preset quick, scale d = 128; seeds 1337 to 1339; 1300 steps, ...", to be freed */
static char *source_of(const result *r)
{
    const char *const *c = (const char *const *)r->cell;
    return must_format("Preset %s; scale: %s; seeds %s; %s steps, %s %s a run; %s; %s, commit %s%s%s.", c[R_PRESET],
                       c[R_SCALE], c[R_SEEDS], c[R_STEPS], c[R_UNITS], c[R_UNIT], c[R_HARDWARE], c[R_DATE], c[R_COMMIT],
                       *c[R_DATA] ? "; data " : "", c[R_DATA]);
}

/* "2.31 [2.29, 2.33]"; of one seed the figure alone */
static char *ours(const result *r)
{
    return *r->cell[R_LOW] ? must_format("%s [%s, %s]", r->cell[R_MEAN], r->cell[R_LOW], r->cell[R_HIGH])
                           : must_strdup(r->cell[R_MEAN]);
}

/* ---- claims that only runs can decide ------------------------------------------------------------------ */

/* Is the claim one of those, and pending or decided by them? */
static bool by_runs(const chapter *c)
{
    char *command = results_claim_command(c->id);
    const bool is = command && !c->own.n && c->entry;
    free(command);
    return is;
}

void experiments_judge(const book *b, chapter *c)
{
    if (by_runs(c) && results_standing(&b->results, c->id) == SHOWN_FULL) judge_recorded(&c->v);
}

static void claim_sentence(char *to, size_t size, const book *b, const chapter *c)
{
    char *words = results_claim_words(&b->results, c->id), *command = results_claim_command(c->id);
    const bool pending = c->v.as_stated == V_PENDING;
    snprintf(to, size, "%s%s%s`%s`", words, *words ? ". " : "",
             pending ? "The papers' own size is pending; it is run by " : "Run by ", command);
    free(words);
    free(command);
}

/* ---- CSV, LaTeX, HTML ---------------------------------------------------------------------------------- */

void experiments_csv(const book *b, const char *out)
{
    char *path = must_format("%s/experiments.csv", out);
    results_write(&b->results, path);
    free(path);
}

static void latex_group(FILE *f, const results *all, long from, long n)
{
    char *source = source_of(&all->at[from]);
    fprintf(f, "\\subsection*{");
    latex_plain(f, title_of(&all->at[from]));
    fprintf(f, "}\n");
    latex_plain(f, source);
    fprintf(f, " ");
    latex_plain(f, limits_of(&all->at[from]));
    fprintf(f, "\n{\\footnotesize\n\\begin{longtable}{@{}L{33mm}L{36mm}L{17mm}L{38mm}rL{30mm}@{}}\n"
               "\\toprule row & figure & paper & ours, 95\\,\\%% interval & seeds & \\\\\\midrule\n"
               "\\endhead\\bottomrule\\endfoot\n");
    for (long k = from; k < from + n; k++) {
        char *value = ours(&all->at[k]);
        char *const *c = all->at[k].cell;
        const char *const words[] = { c[R_ROW], c[R_METRIC], c[R_PAPER], value, c[R_N], c[R_VERDICT] };
        for (size_t i = 0; i < COUNT(words); i++) {
            if (i) fprintf(f, " & ");
            latex_plain(f, words[i]);
        }
        fprintf(f, "\\\\\n");
        free(value);
    }
    fprintf(f, "\\end{longtable}}\n");
    free(source);
}

void experiments_latex(const book *b, const char *out)
{
    outfile o = out_open(out, "experiments.tex");
    latex_plain(o.f, b->results.n ? METHOD : NOTHING);
    fprintf(o.f, "\n\\begin{description}[style=nextline,leftmargin=28mm,labelwidth=26mm]\n");
    bool any = false;
    for (long k = 0; k < b->n; k++) {
        char text[4096];
        if (!by_runs(&b->at[k])) continue;
        any = true;
        claim_sentence(text, sizeof text, b, &b->at[k]);
        fprintf(o.f, "\\item[");
        latex_plain(o.f, b->at[k].id);
        fprintf(o.f, "]\\verdict{%s} ", verdict_shown(b, b->at[k].v.as_stated));
        fprintf(o.f, "\\quad ");
        latex_plain(o.f, text);
        fprintf(o.f, "\n");
    }
    if (!any) fprintf(o.f, "\\item[]\n");
    fprintf(o.f, "\\end{description}\n");
    for (long k = 0; k < b->results.n; k += group_length(&b->results, k))
        latex_group(o.f, &b->results, k, group_length(&b->results, k));
    outfile_close(&o);
}

static void html_group(FILE *f, const results *all, long from, long n)
{
    char *source = source_of(&all->at[from]);
    fprintf(f, "<h4>");
    html_plain(f, title_of(&all->at[from]));
    fprintf(f, "</h4>\n<div class=\"scroll\" tabindex=\"0\"><table>");
    html_head(f, "row|figure|#paper|#ours, 95 % interval|#seeds|");
    for (long k = from; k < from + n; k++) {
        char *value = ours(&all->at[k]);
        char *const *c = all->at[k].cell;
        const struct { const char *text; bool number; } cell[] = { { c[R_ROW], false }, { c[R_METRIC], false },
            { c[R_PAPER], true }, { value, true }, { c[R_N], true }, { c[R_VERDICT], false } };
        fprintf(f, "<tr title=\"");
        html_plain(f, c[R_COMMAND]);
        fprintf(f, "\">");
        for (size_t i = 0; i < COUNT(cell); i++) {
            fprintf(f, "<td%s>", cell[i].number ? " class=\"num\"" : "");
            html_plain(f, cell[i].text);
            fprintf(f, "</td>");
        }
        fprintf(f, "</tr>\n");
        free(value);
    }
    fprintf(f, "</tbody></table></div>\n<p class=\"soft\">");
    html_plain(f, source);
    fprintf(f, " ");
    html_plain(f, limits_of(&all->at[from]));
    fprintf(f, "</p>\n");
    free(source);
}

void experiments_html(FILE *f, const book *b)
{
    fprintf(f, "<h2 id=\"experiments\">Experiments</h2>\n<p>");
    html_plain(f, b->results.n ? METHOD : NOTHING);
    fprintf(f, "</p>\n<dl>\n");
    for (long k = 0; k < b->n; k++) {
        char text[4096];
        if (!by_runs(&b->at[k])) continue;
        claim_sentence(text, sizeof text, b, &b->at[k]);
        fprintf(f, "<dt>%s</dt><dd>", b->at[k].id);
        html_verdict(f, b, b->at[k].v.as_stated);
        fprintf(f, " <span class=\"soft\">");
        html_plain(f, text);
        fprintf(f, "</span></dd>\n");
    }
    fprintf(f, "</dl>\n");
    for (long k = 0; k < b->results.n; k += group_length(&b->results, k))
        html_group(f, &b->results, k, group_length(&b->results, k));
}
