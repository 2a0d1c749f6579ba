/* evidence.c - see evidence.h. */
#include "tests/support/evidence.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "tests/support/files.h"
#include "src/claim/evidence/evidence_end.h"

void evidence_done(FILE *f)
{
    evidence_end_write(f, temp_format("/proc/self/fd/%d", fileno(f)));
    ck_assert_int_eq(fclose(f), 0);
}

void evidence_done_at(const char *path)
{
    char *text = temp_read(NULL, path, NULL), *end = strstr(text, "# end of ");
    if (end) memmove(end, strchr(end, '\n') + 1, strlen(strchr(end, '\n')));
    temp_text(NULL, path, text);
    FILE *f = fopen(path, "a");
    ck_assert_ptr_nonnull(f);
    evidence_done(f);
}
