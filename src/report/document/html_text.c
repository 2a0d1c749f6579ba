/* SPDX-License-Identifier: GPL-3.0-or-later
 * html_text.c - what HTML must escape; numbers that must not be broken. */
#include <ctype.h>
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

/* The length of a number with a negative exponent that begins here, as 1.5e-09, else 0: browsers break a line after the
 * hyphen. */
static size_t small_number(const char *text, const char *p)
{
    if (!isdigit((unsigned char)*p) || (p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '.'))) return 0;
    size_t n = strspn(p, "0123456789");
    if (p[n] == '.') n += 1 + strspn(p + n + 1, "0123456789");
    if (p[n] != 'e' || p[n + 1] != '-' || !isdigit((unsigned char)p[n + 2])) return 0;
    return n + 2 + strspn(p + n + 2, "0123456789");
}

void html_ticked(FILE *f, const char *text)
{
    const bool pairs = ticks_pair(text);
    bool code = false, quoted = false;
    for (const char *p = text; p && *p; p++) {
        const size_t number = small_number(text, p);
        const bool opens = strncmp(p, "``", 2) == 0, closes = quoted && strncmp(p, "''", 2) == 0;
        if (opens || closes) {
            fputs(opens ? "&ldquo;" : "&rdquo;", f);
            quoted = opens;
            p++;
        } else if (pairs && tick_of_code(text, p)) {
            fputs(code ? "</code>" : "<code>", f);
            code = !code;
        } else if (number) {
            fprintf(f, "<span class=\"one\">%.*s</span>", (int)number, p);
            p += number - 1;
        } else html_char(f, *p);
    }
}
