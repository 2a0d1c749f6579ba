/* report.c - all reports in order: see report.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/report/audit.h"
#include "src/report/experiments.h"
#include "src/report/graph.h"

outfile out_open(const char *out, const char *name)
{
    char *path = must_format("%s/%s", out, name);
    outfile o = outfile_open(path);
    free(path);
    return o;
}

int report_main(const report_options *o)
{
    const char *out = o->out ? o->out : "reports/out";
    book b = book_read(o);
    make_folder(out);
    report_summary(&b, out);
    report_coverage(&b, out);
    report_ladders(&b, out);
    report_figures(&b, out);
    report_plots(&b, out, o->quiet);
    experiments_csv(&b, out);
    experiments_latex(&b, out);
    audit_csv(out);
    audit_latex(&b, out);
    graph_tikz(&b, out);
    report_latex(&b, out);
    report_html(&b, out);
    if (o->agree) book_write_agreed(&b, o->agree);
    if (!o->quiet) report_table(stdout, &b);
    report_problems(stdout, &b);
    const int status = b.problems ? 1 : 0;
    book_free(&b);
    return status;
}
