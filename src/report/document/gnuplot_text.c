/* gnuplot_text.c - text in gnuplot: see chart.h. */
#include <string.h>
#include "src/base/escape.h"
#include "src/report/document/chart.h"

/* One character; `?` in place of one that shown.h escapes, as an escape would be a command of gnuplot's own. */
static size_t put_character(FILE *f, const char *p)
{
    char shown[SHOWN_LONGEST];
    const size_t n = shown_character(shown, p);
    const bool same = strlen(shown) == n && memcmp(shown, p, n) == 0;
    fputs(same ? shown : "?", f);
    return n;
}

void gnuplot_quoted(FILE *f, const char *text)
{
    fputc('\'', f);
    for (const char *p = text; *p; ) {
        if (*p == '\'') {
            fputs("\u2019", f);                       /* '''x''' was refused by gnuplot */
            p++;
        } else p += put_character(f, p);
    }
    fputc('\'', f);
}

void gnuplot_comment(FILE *f, const char *text)
{
    fputs("# ", f);
    for (const char *p = text; *p; ) p += put_character(f, strchr("`'\"\\$@", *p) ? "?" : p);
    fputc('\n', f);
}
