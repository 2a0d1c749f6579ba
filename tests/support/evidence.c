/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence.c - see evidence.h. */
#include "tests/support/evidence.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/base.h"
#include "tests/support/files.h"
#include "src/claim/evidence/evidence_end.h"

void evidence_done(FILE *f)
{
    evidence_end_write(f, temp_format("/proc/self/fd/%d", fileno(f)));
    ck_assert_int_eq(fclose(f), 0);
}

static const char *const kinds[] = { "ladder", "figures" };

/* The rows beside which PATH/NAME.ladder.csv stands; NULL: it is none that stands beside any. */
static char *rows_beside(const char *path)
{
    for (size_t k = 0; k < COUNT(kinds); k++) {
        const char *end = temp_format(".%s.csv", kinds[k]), *at = strstr(path, end);
        if (at && !at[strlen(end)]) return temp_format("%.*s.csv", (int)(at - path), path);
    }
    return NULL;
}

void evidence_done_at(const char *path)
{
    char *text = temp_read(NULL, path, NULL), *rows;
    for (char *at = text; *at; ) {                           /* a comment is no row */
        const size_t n = strcspn(at, "\n"), line = n + (at[n] == '\n');
        if (*at == '#') memmove(at, at + line, strlen(at + line) + 1);
        else at += line;
    }
    temp_text(NULL, path, text);
    FILE *f = fopen(path, "a");
    ck_assert_ptr_nonnull(f);
    for (size_t k = 0; k < COUNT(kinds) && !rows_beside(path); k++) {
        char *beside = temp_format("%.*s.%s.csv", (int)strlen(path) - 4, path, kinds[k]);
        if (access(beside, F_OK) == 0) evidence_end_name(f, kinds[k], beside);
    }
    evidence_done(f);
    if ((rows = rows_beside(path)) && access(rows, F_OK) == 0) evidence_done_at(rows);
}

void evidence_beside(const char *path)
{
    char *rows = rows_beside(path);
    if (rows && access(rows, F_OK) == 0) evidence_done_at(rows);
}
