/* registry.c - the claims that are linked into this program: see claim.h. */
#include <string.h>
#include "src/base/base.h"
#include "src/claim/claim.h"

static claim_node *first;

void claim_register(claim_node *node)
{
    node->next = first;
    first = node;
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
    if (!program || !*program) return first && !first->next ? first->C : NULL;
    for (const claim_node *at = first; at; at = at->next) if (is_source_of(at->file, program)) return at->C;
    return NULL;
}
