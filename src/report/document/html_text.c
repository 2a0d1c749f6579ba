/* html_text.c - what HTML must escape. */
#include "src/report/document/html_text.h"

static void html_char(FILE *f, char c)
{
    switch (c) {
    case '<': fputs("&lt;", f); break;
    case '>': fputs("&gt;", f); break;
    case '&': fputs("&amp;", f); break;
    case '"': fputs("&quot;", f); break;
    default:  fputc(c, f);
    }
}

void html_text(FILE *f, const char *text)
{
    for (const char *p = text; p && *p; p++) html_char(f, *p);
}

void html_ticked(FILE *f, const char *text)
{
    long ticks = 0;
    for (const char *p = text; p && *p; p++) ticks += *p == '`';
    bool code = false;
    for (const char *p = text; p && *p; p++) {
        if (*p == '`' && ticks % 2 == 0) {
            fputs(code ? "</code>" : "<code>", f);
            code = !code;
        } else html_char(f, *p);
    }
}
