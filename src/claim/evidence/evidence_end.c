/* evidence_end.c - see evidence_end.h. */
#include "src/claim/evidence/evidence_end.h"
#include <stdlib.h>
#include <string.h>
#include "src/base/mapped.h"
#include "src/claim/evidence/cells.h"
#include "src/data/checksum.h"

static char *end_of(const unsigned char *at, size_t n)
{
    char hex[SHA256_HEX];
    long lines = 0;
    for (const unsigned char *p = at; p < at + n && (p = memchr(p, '\n', (size_t)(at + n - p))); p++) lines++;
    checksum_sha256_bytes(at, n, hex);
    return must_format("# end of %ld lines with SHA-256 %s\n", lines, hex);
}

void evidence_end_write(FILE *f, const char *path)
{
    size_t n;
    if (fflush(f) != 0) return;                              /* whoever closes it says so */
    unsigned char *at = mapped_open(path, &n, EVIDENCE_REPAIR);
    char *end = end_of(at, n);
    mapped_close(at, n);
    fputs(end, f);
    free(end);
}

void evidence_end_require(const char *path)
{
    size_t n;
    unsigned char *at = mapped_open(path, &n, EVIDENCE_REPAIR);
    size_t above = n ? n - 1 : 0;                            /* where the last line begins */
    while (above && at[above - 1] != '\n') above--;
    char *end = end_of(at, above);
    const bool is = strlen(end) == n - above && memcmp(at + above, end, n - above) == 0;
    mapped_close(at, n);
    free(end);
    if (!is) die("%s: its last lines are missing, or a line was changed; " EVIDENCE_REPAIR, path);
}
