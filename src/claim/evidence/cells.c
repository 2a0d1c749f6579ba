/* cells.c - cells of evidence files: see cells.h. */
#include "src/claim/evidence/cells.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/admitted.h"
#include "src/base/base.h"
#include "src/base/file.h"
#include "src/base/intern.h"
#include "src/base/lines.h"

enum { MOST_LINE = 16384 };                /* of a row with the truths of all its checks */

char *cell_next(char **line)
{
    char *start = *line, *comma;
    if (!start) return NULL;
    comma = strchr(start, ',');
    if (comma) *comma++ = '\0';
    *line = comma;
    return start;
}

bool cell_text(char **line, char *to, size_t size)
{
    const char *text = cell_next(line);
    if (!text || strlen(text) >= size) return false;
    memcpy(to, text, strlen(text) + 1);
    return true;
}

bool cell_name (char **line, char *to, size_t size) { return cell_text(line, to, size) && admitted_name(to); }
bool cell_label(char **line, char *to, size_t size) { return cell_text(line, to, size) && admitted_label(to); }

bool cell_interned(char **line, const char **to)
{
    const char *text = cell_next(line);
    if (text) *to = intern(text);
    return text != NULL;
}

bool cell_interned_name (char **line, const char **to) { return cell_interned(line, to) && admitted_name(*to); }
bool cell_interned_label(char **line, const char **to) { return cell_interned(line, to) && admitted_label(*to); }

bool cell_double(char **line, double *x)
{
    char *text = cell_next(line), *end;
    if (!text || !*text) return false;
    *x = strtod(text, &end);
    return *end == '\0';
}

bool cell_long(char **line, long *x)
{
    char *text = cell_next(line), *end;
    if (!text || !*text) return false;
    errno = 0;
    *x = strtol(text, &end, 10);
    return *end == '\0' && !errno;
}

bool cell_u64(char **line, uint64_t *x)
{
    char *text = cell_next(line), *end;
    if (!text || !*text || *text == '-') return false;
    errno = 0;
    *x = strtoull(text, &end, 10);
    return *end == '\0' && !errno;
}

bool cell_flag(char **line, bool *is)
{
    const char *text = cell_next(line);
    if (!text || (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)) return false;
    *is = *text == '1';
    return true;
}

bool cell_word(char **line, int (*index)(const char *word), int *is)
{
    const char *text = cell_next(line);
    *is = text ? index(text) : -1;
    return *is >= 0;
}

void cell_read_lines(const char *path, const char *header, const char *what, bool (*take)(void *to, char *line),
                     void *to)
{
    text_line line = { 0 };
    FILE *f = file_open(path);
    if (!f) die("cannot read %s: %s; run `make check` first", path, strerror(errno));
    for (long number = 1; line_next(&line, f, path); number++) {
        if (!line.whole || line.length >= MOST_LINE - 1 || line_has_zero(&line))
            die("%s:%ld: malformed %s, too long or cut off; remove the file and run `make check` again", path, number,
                what);
        if (number == 1 && strcmp(line.at, header) != 0)
            die("%s:1: malformed %s header: another version wrote this file; remove it and run `make check` again",
                path, what);
        char fault[128];
        if (admitted_latex(line.at, fault, sizeof fault))
            die("%s:%ld: the %s has %s; remove the file and run `make check` again", path, number, what, fault);
        if (number > 1 && !take(to, line.at))
            die("%s:%ld: malformed %s; remove the file and run `make check` again", path, number, what);
    }
    text_line_free(&line);
    fclose(f);
}

void cell_copy(char *to, size_t size, const char *from)
{
    size_t n = 0;
    for (; from && *from && n + 1 < size; from++)
        to[n++] = *from == ',' || *from == '"' || *from == '\n' ? ';' : *from;
    to[n] = '\0';
}

const char *cell_keep(const char *from)
{
    const size_t size = (from ? strlen(from) : 0) + 1;
    char *text = must_calloc(size, 1);
    cell_copy(text, size, from);
    const char *kept = intern(text);
    free(text);
    return kept;
}
