/* SPDX-License-Identifier: GPL-3.0-or-later
 * html.h - the HTML writer: one self-contained page, nothing fetched; narrow and wide, light and dark.
 *
 * Everything is in the page: the script opens the entry that the address names, and hides entries that a search or a
 * filter does not want.  The address says which: report.html#K-T4.4, report.html#verdict=PROVED&q=LayerNorm. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H
#include "src/report/document/document.h"

/* The first document is the head of the page; below it are links to all headings with a short title. */
void html_page(FILE *f, const char *window_title, const document *part, long parts);
void html_document(FILE *f, const document *d);
extern const char svg_colours[], svg_rules[], html_style[], html_script[];
#endif
