/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence_end.c - see evidence_end.h. */
#include "src/claim/evidence/evidence_end.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "src/base/mapped.h"
#include "src/claim/evidence/cells.h"
#include "src/data/checksum.h"

char *evidence_end_of(const void *text, size_t n)
{
    const unsigned char *at = text;
    char hex[SHA256_HEX];
    long lines = 0;
    for (const unsigned char *p = at; p < at + n && (p = memchr(p, '\n', (size_t)(at + n - p))); p++) lines++;
    checksum_sha256_bytes(at, n, hex);
    return must_format("# end of %ld lines with SHA-256 %s\n", lines, hex);
}

void evidence_end_write(FILE *f, const char *path)
{
    struct stat is;
    size_t n = 0;
    if (fflush(f) != 0) return;                              /* whoever closes it says so */
    const bool empty = fstat(fileno(f), &is) == 0 && is.st_size == 0;          /* what cannot be mapped */
    unsigned char *at = empty ? NULL : mapped_open(path, &n, EVIDENCE_REPAIR);
    char *end = empty ? evidence_end_of("", 0) : evidence_end_of(at, n);
    if (at) mapped_close(at, n);
    fputs(end, f);
    free(end);
}

static char *name_of(const char *kind, const char *hex) { return must_format("\n# %s with SHA-256 %s", kind, hex); }

static void hash_file(const char *path, char hex[SHA256_HEX])
{
    size_t n;
    unsigned char *at = mapped_open(path, &n, EVIDENCE_REPAIR);
    checksum_sha256_bytes(at, n, hex);
    mapped_close(at, n);
}

void evidence_end_name_text(FILE *f, const char *kind, const void *text, size_t n)
{
    char hex[SHA256_HEX], *name;
    checksum_sha256_bytes(text, n, hex);
    name = name_of(kind, hex);
    fprintf(f, "%s\n", name + 1);
    free(name);
}

void evidence_end_name(FILE *f, const char *kind, const char *path)
{
    size_t n;
    unsigned char *at = mapped_open(path, &n, EVIDENCE_REPAIR);
    evidence_end_name_text(f, kind, at, n);
    mapped_close(at, n);
}

bool evidence_end_names(const char *path, const char *kind, char hex[65])
{
    size_t n;
    unsigned char *at = mapped_open(path, &n, EVIDENCE_REPAIR);
    char *begin = must_format("\n# %s", kind), *whole = name_of(kind, "");
    const char *line = memmem(at, n, whole, strlen(whole));
    const bool some = memmem(at, n, begin, strlen(begin)) != NULL;
    const size_t left = line ? n - (size_t)(line + strlen(whole) - (const char *)at) : 0;
    snprintf(hex, 65, "%.*s", left >= 64 ? 64 : 0, line ? line + strlen(whole) : "");
    mapped_close(at, n);
    free(whole);
    free(begin);
    return some;
}

bool evidence_end_has(const char *path, const char *kind, const char *beside)
{
    struct stat is;
    const bool exists = lstat(beside, &is) == 0;
    char *begin = name_of(kind, ""), *name = NULL, hex[SHA256_HEX];
    size_t n;
    unsigned char *at = mapped_open(path, &n, EVIDENCE_REPAIR);
    const bool named = memmem(at, n, begin, strlen(begin)) != NULL;
    if (exists && named) {
        hash_file(beside, hex);
        name = name_of(kind, hex);
    }
    const bool agrees = exists == named && (!name || memmem(at, n, name, strlen(name)));
    mapped_close(at, n);
    free(name);
    free(begin);
    if (agrees) return named;
    if (!exists) die("%s: it was written beside %s, which is missing; " EVIDENCE_REPAIR, path, beside);
    die("%s: it is not of the run that wrote %s; " EVIDENCE_REPAIR, beside, path);
}

void evidence_end_require(const char *path)
{
    size_t n;
    unsigned char *at = mapped_open(path, &n, EVIDENCE_REPAIR);
    size_t above = n ? n - 1 : 0;                            /* where the last line begins */
    while (above && at[above - 1] != '\n') above--;
    char *end = evidence_end_of(at, above);
    const bool is = strlen(end) == n - above && memcmp(at + above, end, n - above) == 0;
    mapped_close(at, n);
    free(end);
    if (!is) die("%s: its last lines are missing, or a line was changed; " EVIDENCE_REPAIR, path);
}
