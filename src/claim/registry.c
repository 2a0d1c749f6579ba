/* SPDX-License-Identifier: GPL-3.0-or-later
 * registry.c - the claims that are linked into this program: see claim.h. */
#include <string.h>
#include "src/base/base.h"
#include "src/claim/claim.h"

static struct { const claim *C; const char *file; } *known;
static long n_known;

/* A second claim of a file, or of an id, would be run and shown for the first. */
void claim_register(const claim *C, const char *file)
{
    for (long k = 0; k < n_known; k++)
        REQUIRE(strcmp(known[k].C->id, C->id) != 0 && strcmp(known[k].file, file) != 0,
                "%s registers %s, where %s is the claim of %s", file, C->id, known[k].C->id, known[k].file);
    known = must_realloc(known, (size_t)n_known + 1, sizeof *known);
    known[n_known].C = C;
    known[n_known++].file = file;
}

/* Is "theorems/k_t4_4.c" the source of the program `name`? */
static bool is_source_of(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/'), *stem = slash ? slash + 1 : file;
    const size_t n = strlen(name);
    return strncmp(stem, name, n) == 0 && strcmp(stem + n, ".c") == 0;
}

const claim *claim_of_program(const char *program)
{
    if (!program || !*program) return n_known == 1 ? known[0].C : NULL;
    for (long k = 0; k < n_known; k++) if (is_source_of(known[k].file, program)) return known[k].C;
    return NULL;
}
