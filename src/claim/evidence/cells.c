/* cells.c - see cells.h. */
#include "src/claim/evidence/cells.h"

void cell_copy(char *to, size_t size, const char *from)
{
    size_t n = 0;
    for (; from && *from && n + 1 < size; from++)
        to[n++] = *from == ',' || *from == '"' || *from == '\n' ? ';' : *from;
    to[n] = '\0';
}
