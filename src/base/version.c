/* SPDX-License-Identifier: GPL-3.0-or-later
 * version.c - see version.h. */
#include "src/base/version.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/lines.h"
#include "src/base/places.h"

const char *version_number(void) { return "0.1"; }

enum { DIGITS = 12, LONGEST = 40 };

/* `text` is a commit as src/build/commit.sh prints it. */
static bool is_commit(const char *text)
{
    const size_t n = strspn(text, "0123456789abcdef");
    return n >= DIGITS && n <= LONGEST && (!text[n] || strcmp(text + n, "-dirty") == 0);
}

const char *version_commit(void)
{
    static char commit[64];
    if (commit[0]) return commit;
    char *path = commit_place();
    FILE *f = path ? fopen(path, "r") : NULL;
    if (path && !f && errno != ENOENT) die("cannot read %s: %s", path, strerror(errno));
    text_line line = { 0 };
    const bool known = f && line_next(&line, f, path) && is_commit(line.at);
    snprintf(commit, sizeof commit, "%s", known ? line.at : "unknown");
    text_line_free(&line);
    if (f) fclose(f);
    free(path);
    return commit;
}
