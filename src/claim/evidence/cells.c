/* SPDX-License-Identifier: GPL-3.0-or-later
 * cells.c - see cells.h. */
#include "src/claim/evidence/cells.h"
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/base/intern.h"

void cell_copy(char *to, size_t size, const char *from)
{
    size_t n = 0;
    for (; from && *from && n + 1 < size; from++)
        to[n++] = *from == ',' || *from == '"' || *from == '\n' ? ';' : *from;
    to[n] = '\0';
}

const char *cell_keep(const char *from)
{
    const size_t size = (from ? strlen(from) : 0) + 1;
    char *text = must_calloc(size, 1);
    cell_copy(text, size, from);
    const char *kept = intern(text);
    free(text);
    return kept;
}
