/* SPDX-License-Identifier: GPL-3.0-or-later
 * drawn_sizes.c - see drawn_sizes.h. */
#include <string.h>
#include "src/base/text.h"
#include "src/model/drawn_sizes.h"

const char *const drawn_size_names[DRAWN_SIZES] = { "n", "d", "h", "m", "V", "L" };
static drawn_sizes seen;

static long size_of(const shape *sh, int k)
{
    const long sizes[DRAWN_SIZES] = { sh->n, sh->d, sh->h, sh->m, sh->V, sh->L };
    return sizes[k];
}

void drawn_sizes_forget(void)
{
    seen = (drawn_sizes){ .least = { 0 } };
}

drawn_sizes drawn_sizes_noted(void)          { return seen; }
void drawn_sizes_restore(drawn_sizes noted) { seen = noted; }

void drawn_sizes_note(const shape *sh)
{
    for (int k = 0; k < DRAWN_SIZES; k++) {
        const long x = size_of(sh, k);
        if (!x) continue;
        if (!seen.least[k] || x < seen.least[k]) seen.least[k] = x;
        if (x > seen.most[k]) seen.most[k] = x;
    }
}

static void print(char *buffer, size_t size, const shape *sh, const char *only)
{
    text_buffer t = { 0 };
    text_add(&t, "%s", "");
    for (int k = 0; k < DRAWN_SIZES; k++) {
        const long x = size_of(sh, k);
        if (!strstr(only, drawn_size_names[k]) || !seen.least[k] || (seen.least[k] == x && seen.most[k] == x)) continue;
        text_add(&t, "%s%s=%ld", t.length ? " " : "", drawn_size_names[k], seen.least[k]);
        if (seen.most[k] > seen.least[k]) text_add(&t, "-%ld", seen.most[k]);
    }
    REQUIRE(t.length < size, "buffer of %zu for sizes", size);
    memcpy(buffer, t.length ? t.at : "", t.length + 1);
    text_clear(&t);
}

void drawn_sizes_print(char *buffer, size_t size, const shape *sh)        { print(buffer, size, sh, "n d h m V L"); }
void drawn_sizes_print_counts(char *buffer, size_t size, const shape *sh) { print(buffer, size, sh, "h L"); }
