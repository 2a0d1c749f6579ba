/* html_text.c - what HTML must escape. */
#include "src/report/document/html_text.h"

void html_text(FILE *f, const char *text)
{
    for (const char *p = text; p && *p; p++)
        switch (*p) {
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '&': fputs("&amp;", f); break;
        case '"': fputs("&quot;", f); break;
        default:  fputc(*p, f);
        }
}
