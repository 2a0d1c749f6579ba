/* SPDX-License-Identifier: GPL-3.0-or-later
 * link.c - see link.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/text.h"
#include "src/report/collect/link.h"

char *link_from(const char *folder, const char *file)
{
    char *from = folder ? realpath(folder, NULL) : NULL, *to = from ? realpath(file, NULL) : NULL;
    size_t shared = 0;                                     /* up to the last folder that both are in */
    text_buffer t = { 0 };
    for (size_t k = 0; to && (k == 0 || from[k - 1]); k++) {
        const bool ends = (from[k] == '/' || !from[k]) && (to[k] == '/' || !to[k]);
        if (ends) shared = k;
        if (from[k] != to[k]) break;
    }
    for (const char *p = to ? from + shared : ""; *p; p++) if (*p == '/') text_add(&t, "../");
    if (to) text_add(&t, "%s", to + shared + (to[shared] == '/'));
    free(from);
    free(to);
    if (t.length) return text_take(&t);
    text_clear(&t);
    return NULL;
}
