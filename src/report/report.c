/* SPDX-License-Identifier: GPL-3.0-or-later
 * report.c - all reports in order: see report.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/base/file.h"
#include "src/report/document/data.h"
#include "src/report/document/html.h"
#include "src/report/document/latex.h"
#include "src/report/document/latex_head.h"
#include "src/report/document/output.h"
#include "src/report/sections/sections.h"

/* In the order of the page; the first one is its head. */
static report_section *const page[] = {
    section_head, section_problems, section_findings, section_answers, section_proved_by, section_notation,
    section_entries, section_formal, section_plots, section_graph, section_after, section_tables, section_experiments,
    section_audit, section_switches, section_method, section_tested, section_totals };

/* In print: the file, and what it is. */
static const struct { report_section *build; const char *latex, *about; } sections[] = {
    { section_findings, "findings.tex", "what is true in these papers, in sentences" },
    { section_verdicts, "verdicts.tex",
      "the verdict on each claim, with the figures of each arithmetic; for a page on its side" },
    { section_graph, "graph.tex", "which claim uses which; 244 mm wide, for a page on its side" },
    { section_claims, "claims.tex", "the entry of each claim: quotations, verdict, evidence" },
    { section_after, "after.tex", "what the papers' tables look like after all evidence" },
    { section_tables, "tables.tex", "the papers' tables, row by row, beside recorded runs" },
    { section_experiments, "experiments.tex", "recorded runs" },
    { section_audit, "audit.tex", "every printed number, recounted" },
    { section_coverage, "coverage.tex", "with which switches of the model each claim was tried" },
    { section_pending, "pending.tex", "claims without a verdict" },
    { section_slopes, "slopes.tex", "slopes of the gap against the precision" },
    { section_papers, "papers.tex", "which texts these are" },
    { section_proved_by, "proved-by.tex", "what proves the parts of the claims, with and without Coq" },
    { section_counts, "counts.tex", "how many claims have each verdict" },
    { section_short_verdicts, "verdicts-short.tex",
      "the verdict on each claim, how far it reaches, and the evidence" } };

/* Each is NAME.csv, and NAME in JSON. */
static const struct { report_section *build; const char *name; } data[] = {
    { section_summary, "summary" }, { section_parts, "parts" }, { section_coverage_data, "coverage" },
    { section_untried, "untried" }, { section_ladder, "ladder" }, { section_condition, "condition" },
    { section_figures, "figures" }, { section_audit_data, "audit" }, { section_runs, "experiments" },
    { section_seeds, "seeds" }, { section_trained, "trained" }, { section_reductions, "reductions" } };
static const char DICTIONARY[] = "data-dictionary";

static void write_latex(const char *out, const char *name, const char *about, const document *d)
{
    outfile o = output_open(out, name);
    latex_file(o.f, name, about, d);
    outfile_close(&o);
}

static void write_sections(const char *out, const evidence_set *all)
{
    for (size_t k = 0; k < COUNT(sections); k++) {
        document d = { 0 };
        sections[k].build(&d, all);
        write_latex(out, sections[k].latex, sections[k].about, &d);
        doc_free(&d);
    }
}

static void write_page(const char *out, const evidence_set *all)
{
    document part[COUNT(page)] = { { 0 } };
    for (size_t k = 0; k < COUNT(page); k++) {
        page[k](&part[k], all);
        page_names_papers(&part[k]);
    }
    outfile o = output_open(out, "report.html");
    html_page(o.f, "Provably: verdicts", part, COUNT(part));
    outfile_close(&o);
    for (size_t k = 0; k < COUNT(part); k++) doc_free(&part[k]);
}

/* ---- for machines ---- */

static void write_csv(const char *out, const char *name, const doc_table *t)
{
    char *file = must_format("%s.csv", name);
    outfile o = output_open(out, file);
    csv_table(o.f, t);
    outfile_close(&o);
    free(file);
}

static json_t *json_head(const evidence_set *all)
{
    json_t *json = json_object(), *problems = json_array();
    for (long k = 0; k < all->problems; k++) json_array_append_new(problems, json_string(all->problem[k]));
    json_object_set_new(json, "schema", json_string(REPORT_SCHEMA));
    json_object_set_new(json, "version", json_string(all->version));
    json_object_set_new(json, "partial", json_boolean(all->partial));
    json_object_set_new(json, "problems", problems);
    return json;
}

static void write_json(const char *to, const json_t *json)
{
    const size_t how = JSON_INDENT(1) | JSON_REAL_PRECISION(15);
    const bool printed = strcmp(to, "-") == 0;
    outfile o = { .f = stdout };
    if (!printed) o = outfile_open(to);
    char *text = json_dumps(json, how);
    if (!text) die("cannot write the JSON to %s", printed ? "standard output" : to);
    shown_json(o.f, text);
    fputc('\n', o.f);
    free(text);
    if (!printed) outfile_close(&o);
}

/* All tables as CSV and, where `json` names a file, as one JSON object, with the dictionary of their columns. */
static void write_data(const char *out, const evidence_set *all, const char *json)
{
    document words = { 0 };
    doc_table *dictionary = dictionary_new(&words);
    json_t *object = json_head(all);
    char *own = must_format("%s.csv", DICTIONARY);
    for (size_t k = 0; k < COUNT(data); k++) {
        document d = { 0 };
        char *file = must_format("%s.csv", data[k].name);
        data[k].build(&d, all);
        const doc_table *t = &d.at[0]->table;
        write_csv(out, data[k].name, t);
        dictionary_add(dictionary, file, t);
        if (json) json_object_set_new(object, data[k].name, json_table(t));
        doc_free(&d);
        free(file);
    }
    dictionary_add(dictionary, own, dictionary);
    write_csv(out, DICTIONARY, dictionary);
    if (json) {
        json_object_set_new(object, "dictionary", json_table(dictionary));
        write_json(json, object);
    }
    json_decref(object);
    doc_free(&words);
    free(own);
}

/* ---- LaTeX macros ---- */

static const char use_of_macros[] = "% and in the text, for example: \\ProvablyClaimsBuilt{} claims are decided.\n";
static const char use_of_audit[] = "% and in the text, for example: \\ProvablyAuditAgree{} numbers agree.\n";
static const char use_of_cite[] =
    "% in the preamble, and in the text:\n"
    "%     Theorem~4.4: \\provablyclaim{K-T4.4}{verdict} (\\provablyclaim{K-T4.4}{evidence}, "
    "\\provablyclaim{K-T4.4}{scope})\n"
    "% or a row of a table:\n"
    "%     \\begin{tabular}{lp{5cm}lll} \\provablyrow{K-T4.4}\\\\ \\end{tabular}\n"
    "% Fields: title, printed-as, verdict, scope, evidence; where there is a corrected statement, also corrected,\n"
    "% corrected-scope, corrected-evidence.  A row: claim, title, verdict, scope, evidence.\n";

static void write_macros(const char *out, const evidence_set *all)
{
    outfile o = output_open(out, "macros.tex");
    latex_head(o.f, "macros.tex", "the numbers of the report as macros", use_of_macros, "");
    report_macros(o.f, all);
    outfile_close(&o);
    o = output_open(out, "audit-macros.tex");
    latex_head(o.f, "audit-macros.tex", "how many printed numbers agree", use_of_audit, "");
    audit_macros(o.f);
    outfile_close(&o);
    o = output_open(out, "cite.tex");
    latex_head(o.f, "cite.tex", "each claim's verdict as a macro, to be quoted in a paper", use_of_cite, "");
    cite_macros(o.f, all);
    outfile_close(&o);
}

int report_main(const report_options *o)
{
    const char *out = o->out ? o->out : "reports/out";
    const screen s = screen_of(stdout, o->width, o->colour);
    evidence_set all = evidence_set_read(o);
    all.out = out;
    if (!o->out) make_parents(out);
    make_folder(out);
    report_plots(out, &all, o->pdf, o->quiet || (o->json && strcmp(o->json, "-") == 0));
    write_macros(out, &all);
    write_sections(out, &all);
    write_page(out, &all);
    write_data(out, &all, o->json);
    if (o->agree) evidence_set_write_agreed(&all, o->agree);
    const bool only_json = o->json && strcmp(o->json, "-") == 0;
    if (!o->quiet && !only_json) closing_table(stdout, &all, &s, out);
    report_failures(only_json ? stderr : stdout, &all, &s);
    const int status = all.problems ? 1 : 0;
    evidence_set_free(&all);
    return status;
}
