/* SPDX-License-Identifier: GPL-3.0-or-later
 * record_notes.c - see record_notes.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/record_notes.h"
#include "src/base/file.h"
#include "src/base/lines.h"

void record_begin(FILE *f, const char *kind, long n, const record_note *notes, const char *header)
{
    fprintf(f, "# record %s\n", kind);                   /* `#` first: no lines of results, see results.h */
    for (long k = 0; k < n; k++) fprintf(f, "# %s %s\n", notes[k].name, notes[k].value);
    fprintf(f, "%s\n", header);
}

bool record_open(csv_file *c, const char *path, const char *header, const char *repair)
{
    FILE *f = file_open(path);
    if (!f && errno == ENOENT) return false;
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    text_line line = { 0 };
    long at = 0;
    while (line_next(&line, f, path) && *line.at == '#') at = ftell(f);
    text_line_free(&line);
    if (fseek(f, at, SEEK_SET) != 0) die("cannot read %s: %s", path, strerror(errno));
    *c = csv_from(f, path, header, repair);
    return true;
}
