/* report.c - all reports in order: see report.h. */
#include <stdlib.h>
#include "src/base/file.h"
#include "src/report/document/csv.h"
#include "src/report/document/html.h"
#include "src/report/document/latex.h"
#include "src/report/document/output.h"
#include "src/report/sections/sections.h"

/* In the order of the page; the first one is its head. */
static const struct { report_section *build; const char *latex, *csv; } sections[] = {
    { section_head, NULL, NULL }, { section_totals, NULL, NULL }, { section_problems, NULL, NULL },
    { section_findings, "findings.tex", NULL }, { section_verdicts, "verdicts.tex", NULL },
    { section_graph, "graph.tex", NULL }, { section_claims, "claims.tex", NULL }, { section_plots, NULL, NULL },
    { section_after, "after.tex", NULL }, { section_tables, "tables.tex", NULL },
    { section_experiments, "experiments.tex", NULL }, { section_audit, "audit.tex", "audit.csv" },
    { section_coverage, "coverage.tex", "coverage.csv" }, { section_pending, "pending.tex", NULL },
    { section_method, NULL, NULL }, { section_slopes, "slopes.tex", NULL }, { section_summary, NULL, "summary.csv" },
    { section_ladder, NULL, "ladder.csv" }, { section_condition, NULL, "condition.csv" },
    { section_figures, NULL, "figures.csv" } };

static void write_csv(const char *out, const char *name, const document *d)
{
    outfile o = output_open(out, name);
    for (long k = 0; k < d->n; k++) if (d->at[k]->kind == BLOCK_TABLE) csv_table(o.f, &d->at[k]->table);
    outfile_close(&o);
}

static void write_latex(const char *out, const char *name, const document *d)
{
    outfile o = output_open(out, name);
    latex_document(o.f, d);
    outfile_close(&o);
}

static void write_sections(const char *out, const evidence_set *all)
{
    document part[COUNT(sections)] = { { 0 } };
    for (size_t k = 0; k < COUNT(sections); k++) {
        sections[k].build(&part[k], all);
        if (sections[k].csv) write_csv(out, sections[k].csv, &part[k]);
        if (sections[k].latex) write_latex(out, sections[k].latex, &part[k]);
    }
    outfile o = output_open(out, "report.html");
    html_page(o.f, "Provably: verdicts", part, COUNT(part));
    outfile_close(&o);
    for (size_t k = 0; k < COUNT(part); k++) doc_free(&part[k]);
}

static void write_macros(const char *out, const evidence_set *all)
{
    outfile o = output_open(out, "macros.tex");
    report_macros(o.f, all);
    outfile_close(&o);
    o = output_open(out, "audit-macros.tex");
    audit_macros(o.f);
    outfile_close(&o);
}

static void write_experiments(const char *out, const evidence_set *all)
{
    char *path = must_format("%s/experiments.csv", out);
    results_write(&all->results, path);
    free(path);
}

int report_main(const report_options *o)
{
    const char *out = o->out ? o->out : "reports/out";
    const screen s = screen_of(stdout, o->width, o->colour);
    evidence_set all = evidence_set_read(o);
    if (!o->out) make_parents(out);
    make_folder(out);
    report_plots(out, &all, o->quiet);
    write_macros(out, &all);
    write_experiments(out, &all);
    write_sections(out, &all);
    if (o->agree) evidence_set_write_agreed(&all, o->agree);
    if (!o->quiet) closing_table(stdout, &all, &s, out);
    report_failures(stdout, &all, &s);
    const int status = all.problems ? 1 : 0;
    evidence_set_free(&all);
    return status;
}
