/* SPDX-License-Identifier: GPL-3.0-or-later
 * chart_files.c - a chart as files, which stand in documents: see chart.h. */
#include <stdlib.h>
#include <unistd.h>
#include "src/base/child.h"
#include "src/base/file.h"
#include "src/report/document/chart.h"
#include "src/report/document/output.h"

enum { MOST_PDF = 1 << 26 };

bool chart_files_remove(const char *out, const char *file)
{
    static const char *const kinds[] = { "pdf", "svg" };
    bool was = false;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        char *path = must_format("%s/%s.%s", out, file, kinds[k]);
        was |= unlink(path) == 0;
        free(path);
    }
    return was;
}

static bool write_pdf(const char *out, const char *file)
{
    char *svg = must_format("%s/%s.svg", out, file), *name = must_format("%s.pdf", file);
    child c = child_begin((const char *const[]){ "rsvg-convert", "--format=pdf", "--", svg, NULL }, true);
    size_t n;
    char *bytes = file_read_open(c.f, "what rsvg-convert writes", MOST_PDF, &n);
    const bool good = child_end(&c) == 0 && n;
    if (good) {
        outfile o = output_open(out, name);
        fwrite(bytes, 1, n, o.f);
        outfile_close(&o);
    }
    free(bytes);
    free(name);
    free(svg);
    return good;
}

bool chart_files(const char *out, const chart *c, bool pdf)
{
    chart_files_remove(out, c->file);                           /* no plot may outlive its data */
    if (chart_empty(c)) return true;
    char *name = must_format("%s.svg", c->file);
    outfile o = output_open(out, name);
    svg_chart(o.f, c, SVG_PRINT);
    outfile_close(&o);
    free(name);
    return !pdf || write_pdf(out, c->file);
}
