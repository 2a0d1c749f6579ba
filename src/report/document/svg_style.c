/* SPDX-License-Identifier: GPL-3.0-or-later
 * svg_style.c - how pictures begin and what they look like, in the page and as files of their own: light and dark on a
 * screen, dark on white in print.
 *
 * The colours of verdicts are Okabe and Ito's, which every kind of colour vision tells apart; each verdict also stands
 * in words. */
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/chart.h"
#include "src/report/document/html.h"
#include "src/report/document/html_text.h"

const char svg_colours[] =
    ":root{color-scheme:light dark;--ink:#1a1d21;--soft:#555d67;--paper:#fff;--card:#f5f6f8;\n"
    "--line:#d6dae0;--link:#00558c;--claim:#0072b2;--control:#c24f00;--rule:#6b7280;--halo:#fff}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--soft:#aab3be;--paper:#15181c;\n"
    "--card:#1e2228;--line:#3a414a;--link:#7cc4f5;--claim:#56b4e9;--control:#f0903a;--rule:#9aa3ad;--halo:#15181c}}\n"
    ".PROVED{--v:#0072b2}.SUPPORTED{--v:#56b4e9}.SLIP{--v:#009e73}.MEASURED{--v:#b8a800}\n"
    ".CAVEAT{--v:#e69f00}.REFUTED{--v:#d55e00}.HYPOTHESIS-FAILED{--v:#cc79a7}\n"
    ".INFORMAL{--v:#999}.UNCHECKABLE{--v:#6a51a3}.PENDING{--v:#c4c9d0}.bad{--v:#c00}\n"
    ".bar{fill:var(--v,var(--rule))}\n";

const char svg_rules[] =
    "svg text{font:14px system-ui,sans-serif;fill:var(--ink);stroke:var(--halo);stroke-width:4px;\n"
    "paint-order:stroke}svg .in{fill:#000;stroke:#fff;stroke-width:3px;text-anchor:middle}\n"
    "svg .grid{stroke:var(--line);stroke-width:.6;fill:none}svg .axis{stroke:var(--ink);fill:none}\n"
    ".line{fill:none;stroke-width:1.8;stroke:currentColor}\n"
    ".mark{stroke:currentColor;fill:currentColor;stroke-width:0}\n"
    ".dot{stroke:currentColor;stroke-width:8;stroke-linecap:round}\n"
    ".s-claim{color:var(--claim);fill:currentColor}.s-claim .mark{stroke-width:6;stroke-linecap:round}\n"
    ".s-control{color:var(--control);fill:currentColor}.s-control .line{stroke-dasharray:6 4;stroke-width:1}\n"
    ".s-rule{color:var(--rule)}.s-rule .mark{stroke-width:1.2}.s-rule .line{stroke-dasharray:2 4}\n";

/* The rules with the light colours instead of their names, which rsvg-convert does not know. */
static void put_printed(FILE *f)
{
    static const char use[] = "var(--";
    for (const char *p = svg_rules; *p; p++) {
        if (strncmp(p, use, strlen(use)) != 0) {
            fputc(*p, f);
            continue;
        }
        const int n = (int)strcspn(p, ")");
        char *name = must_format("%.*s:", n - 4, p + 4);
        const char *is = strstr(svg_colours, name);
        REQUIRE(is, "no colour %s", name);
        is += strlen(name);
        fprintf(f, "%.*s", (int)strcspn(is, ";}"), is);
        free(name);
        p += n;
    }
}

void svg_begin(FILE *f, const chart *c, svg_place to, int width, double height)
{
    fprintf(f, "<svg ");
    if (to != SVG_PAGE) fprintf(f, "xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" ", width, height);
    fprintf(f, "viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"", width, height);
    html_text(f, c->title);
    fprintf(f, "\">\n");
    if (to == SVG_PAGE) return;
    fprintf(f, "<style>\n");
    if (to == SVG_SCREEN) fprintf(f, "%s%s</style>\n", svg_colours, svg_rules);
    else {
        put_printed(f);
        fprintf(f, "svg text{font-family:'Latin Modern Sans',sans-serif}</style>\n"
                   "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    }
}
