/* SPDX-License-Identifier: GPL-3.0-or-later
 * list.c - see list.h. */
#include "src/base/list.h"
#include <string.h>
#include "src/base/intern.h"

void list_add(text_buffer *to, const char *item)
{
    if (to->length && *item) text_add(to, "; ");
    for (; *item; item++) {
        text_bytes(to, item, 1);
        if (*item == ';') text_bytes(to, item, 1);
    }
}

const char *list_next(const char **at)
{
    text_buffer item = { 0 };
    const char *p = *at;
    while (*p == ' ' || (*p == ';' && p[1] != ';')) p++;
    for (; *p && (*p != ';' || p[1] == ';'); p++) {
        text_bytes(&item, p, 1);
        p += *p == ';';
    }
    *at = p;
    const char *kept = item.length ? intern(item.at) : NULL;
    text_clear(&item);
    return kept;
}
