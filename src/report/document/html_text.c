/* html_text.c - what HTML must escape. */
#include <string.h>
#include "src/report/document/html_text.h"
#include "src/report/document/ticks.h"

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
    const bool pairs = ticks_pair(text);
    bool code = false, quoted = false;
    for (const char *p = text; p && *p; p++) {
        const bool opens = strncmp(p, "``", 2) == 0, closes = quoted && strncmp(p, "''", 2) == 0;
        if (opens || closes) {
            fputs(opens ? "&ldquo;" : "&rdquo;", f);
            quoted = opens;
            p++;
        } else if (pairs && tick_of_code(text, p)) {
            fputs(code ? "</code>" : "<code>", f);
            code = !code;
        } else html_char(f, *p);
    }
}
