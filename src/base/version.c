/* version.c - see version.h. */
#include "src/base/version.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/places.h"

const char *version_number(void) { return "0.1"; }

enum { DIGITS = 12, LONGEST = 40 };

/* `text` begins with a line that is a commit as tests/commit.sh prints it; the line's end is cut off. */
static bool is_commit(char *text)
{
    const size_t n = strspn(text, "0123456789abcdef");
    text[strcspn(text, "\n")] = '\0';
    return n >= DIGITS && n <= LONGEST && (!text[n] || strcmp(text + n, "-dirty") == 0);
}

const char *version_commit(void)
{
    static char commit[64];
    if (commit[0]) return commit;
    char *path = commit_place();
    FILE *f = path ? fopen(path, "r") : NULL;
    if (!f || !fgets(commit, sizeof commit, f) || !is_commit(commit)) strcpy(commit, "unknown");
    if (f) fclose(f);
    free(path);
    return commit;
}
