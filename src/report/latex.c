/* latex.c - the tables of the appendix that reports/report.tex puts together.
 *
 * findings.tex  sentences for people (findings.c)
 * verdicts.tex  the table of built claims     pending.tex   the list of the others
 * coverage.tex  the grid of switches         slopes.tex    the ladders of each claim */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/report/book.h"

static void verdict_cell(FILE *f, const book *b, verdict v)
{
    const char *word = verdict_shown(b, v);
    if (*word) fprintf(f, "\\verdict{%s}", word);
}

static void figures(FILE *f, const claim_verdict *v, bool corrected)
{
    for (int k = 0; k < ARITHS; k++) {
        fprintf(f, " & ");
        figure_latex(f, figure_of_group(v, corrected, k));
    }
}

static void claim_name(FILE *f, const char *id, bool built)
{
    if (built) fprintf(f, "\\hyperref[claim:%s]{", id);
    latex_plain(f, id);
    if (built) fprintf(f, "}");
}

void latex_title(FILE *f, const chapter *c)
{
    char *title = title_math(chapter_title(c));
    latex_math(f, title);
    free(title);
}

/* Evidence and scope of a group, and the separator of the next cell. */
static void group_cells(FILE *f, const book *b, const chapter *c, bool corrected)
{
    char behind[64], scope[128];
    group_evidence(behind, sizeof behind, b, &c->v, corrected);
    group_scope(scope, sizeof scope, b, &c->v, corrected);
    fprintf(f, " & ");
    latex_plain(f, scope);
    fprintf(f, " & ");
    latex_plain(f, behind);
    fprintf(f, " & ");
}

static void verdict_row(FILE *f, const book *b, const chapter *c)
{
    char paper[32];
    chapter_paper(paper, sizeof paper, c);
    claim_name(f, c->id, true);
    fprintf(f, " & ");
    latex_plain(f, paper);
    fprintf(f, " & ");
    latex_title(f, c);
    figures(f, &c->v, false);
    group_cells(f, b, c, false);
    verdict_cell(f, b, c->v.as_stated);
    fprintf(f, "\\\\\n");
    if (c->v.corrected == V_NONE) return;
    fprintf(f, " & & \\quad corrected statement");
    figures(f, &c->v, true);
    group_cells(f, b, c, true);
    verdict_cell(f, b, c->v.corrected);
    fprintf(f, "\\\\\n");
}

static void write_verdicts(const book *b, const char *out)
{
    outfile o = out_open(out, "verdicts.tex");
    for (long k = 0; k < b->n; k++) if (b->at[k].own.n) verdict_row(o.f, b, &b->at[k]);
    outfile_close(&o);
}

static void write_pending(const book *b, const char *out)
{
    outfile o = out_open(out, "pending.tex");
    for (long k = 0; k < b->n; k++) {
        const chapter *c = &b->at[k];
        char paper[32];
        if (c->own.n || !c->entry || c->v.as_stated != V_PENDING) continue;
        char *command = results_claim_command(c->id);
        chapter_paper(paper, sizeof paper, c);
        latex_plain(o.f, c->id);
        fprintf(o.f, " & ");
        latex_plain(o.f, paper);
        fprintf(o.f, " & ");
        latex_title(o.f, c);
        fprintf(o.f, " & ");
        latex_plain(o.f, c->entry->expected);
        fprintf(o.f, " & ");
        latex_plain(o.f, command);
        fprintf(o.f, "\\\\\n");
        free(command);
    }
    outfile_close(&o);
}

static void write_grid(const book *b, const char *out)
{
    outfile o = out_open(out, "coverage.tex");
    fprintf(o.f, "\\begin{longtable}{@{}l*{%d}{@{\\hspace{0.55mm}}>{\\centering\\arraybackslash}p{3.2mm}}@{}}\n"
                 "\\toprule\nclaim", SWITCHES);
    for (int s = 0; s < SWITCHES; s++) {
        fprintf(o.f, " & \\upright{");
        latex_plain(o.f, switch_names[s]);
        fprintf(o.f, "}");
    }
    fprintf(o.f, "\\\\\n\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n");
    for (long k = 0; k < b->n; k++) {
        if (!b->at[k].own.n) continue;
        claim_name(o.f, b->at[k].id, true);
        for (int s = 0; s < SWITCHES; s++) {
            const bool own = strncmp(coverage_reason(&b->at[k], s), "not a switch", 12) != 0;
            fprintf(o.f, " & \\%s", coverage_count(&b->at[k], s) ? "tried" : own ? "cannot" : "untried");
        }
        fprintf(o.f, "\\\\\n");
    }
    fprintf(o.f, "\\end{longtable}\n");
    outfile_close(&o);
}

static void write_slopes(const book *b, const char *out)
{
    outfile o = out_open(out, "slopes.tex");
    for (long k = 0; k < b->n; k++) {
        if (!b->at[k].ladder.n) continue;
        double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
        long count[2] = { 0, 0 }, exact = 0;
        const rungs *all = &b->at[k].ladder;
        for (long i = 0, n; i < all->n; i += n) {
            n = ladder_length(all, i);
            if (!chapter_is_identity(&b->at[k], all->at[i].part)) continue;
            if (ladder_shows_difference(&b->at[k], &all->at[i], n)) continue;
            const double x = ladder_slope(&all->at[i], n);
            const int control = strcmp(all->at[i].which, "claim") != 0;
            if (isnan(x)) { exact++; continue; }
            count[control]++;
            low[control] = fmin(low[control], x);
            high[control] = fmax(high[control], x);
        }
        claim_name(o.f, b->at[k].id, true);
        for (int control = 0; control < 2; control++) {
            fprintf(o.f, " & %ld & ", count[control]);
            if (count[control]) fprintf(o.f, "\\num{%.4f} & \\num{%.4f}", low[control], high[control]);
            else fprintf(o.f, "-- & --");
        }
        fprintf(o.f, " & %ld\\\\\n", exact);
    }
    outfile_close(&o);
}

void report_latex(const book *b, const char *out)
{
    latex_macros(b, out);
    findings_latex(b, out);
    write_verdicts(b, out);
    write_pending(b, out);
    write_grid(b, out);
    write_slopes(b, out);
    latex_claims(b, out);
}
