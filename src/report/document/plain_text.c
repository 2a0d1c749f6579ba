/* plain_text.c - see plain_text.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/plain_text.h"

/* The letters of a command, without those that only change a font or an accent. */
static size_t command_as_text(char *to, size_t size, const char *name, size_t length)
{
    static const char *const dropped[] = {
        "mathrm", "text", "operatorname", "tilde", "hat", "bar", "left", "right", "emph" };
    for (size_t k = 0; k < COUNT(dropped); k++)
        if (strlen(dropped[k]) == length && strncmp(dropped[k], name, length) == 0) return 0;
    const size_t n = length < size ? length : size;
    memcpy(to, name, n);
    return n;
}

/* "$W_Q^i \\in \\mathrm{GL}(d)$" -> "W_Q^i in GL(d)": dollars, fonts and accents go, names stay. */
void latex_as_text(char *to, size_t size, const char *text)
{
    size_t n = 0;
    while (*text && n + 1 < size) {
        const bool command = *text == '\\' && text[1];
        size_t letters = 0;
        while (command && isalpha((unsigned char)text[1 + letters])) letters++;
        if (letters) n += command_as_text(to + n, size - 1 - n, text + 1, letters);
        else if (command) to[n++] = strchr(",;:! ", text[1]) ? ' ' : text[1];
        else if (!strchr("${}", *text)) to[n++] = *text;
        text += command ? 1 + (letters ? letters : 1) : 1;
    }
    to[n] = '\0';
}

char *plain_text(const doc_line *l, unsigned writer)
{
    char *all = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&all, &size);
    if (!f) die("out of memory");
    for (long k = 0; k < l->n; k++) {
        const doc_span *s = &l->at[k];
        char text[1024];
        if (!doc_is_for(s->to, writer)) continue;
        if (s->kind == SPAN_DASH) fputs(writer == TO_DATA ? "" : "-", f);
        else if (s->kind == SPAN_POWER) fprintf(f, "2^%s", s->text);
        else if (s->kind == SPAN_NEWLINE) fputc('\n', f);
        else if (writer == TO_TERMINAL && (s->kind == SPAN_LATEX || s->kind == SPAN_MIXED)) {
            latex_as_text(text, sizeof text, s->text);
            fputs(text, f);
        } else fputs(s->text, f);
    }
    fclose(f);
    return all;
}
