/* SPDX-License-Identifier: GPL-3.0-or-later
 * intern.c - a hash table with open addressing: see intern.h. */
#include "src/base/intern.h"
#include "src/base/memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { uint64_t hash; char *text; } entry;
static entry *table;
static size_t capacity, used;                            /* capacity: a power of two, or 0 */

static uint64_t hash_of(const char *text, size_t n)      /* FNV-1a */
{
    uint64_t h = 14695981039346656037u;
    for (size_t k = 0; k < n; k++) h = (h ^ (unsigned char)text[k]) * 1099511628211u;
    return h;
}

/* The entry of the text, or the free one where it belongs. */
static entry *place_of(const char *text, size_t n, uint64_t hash)
{
    size_t k = hash & (capacity - 1);
    for (; table[k].text; k = (k + 1) & (capacity - 1))
        if (table[k].hash == hash && strncmp(table[k].text, text, n) == 0 && !table[k].text[n]) break;
    return &table[k];
}

static void grow(void)
{
    entry *old = table;
    const size_t n = capacity;
    capacity = n ? 2 * n : 1024;
    table = must_calloc(capacity, sizeof *table);
    for (size_t k = 0; k < n; k++)
        if (old[k].text) *place_of(old[k].text, strlen(old[k].text), old[k].hash) = old[k];
    free(old);
}

const char *intern_bytes(const char *text, size_t n)
{
    const uint64_t hash = hash_of(text, n);
    if (2 * used >= capacity) grow();
    entry *at = place_of(text, n, hash);
    if (at->text) return at->text;
    at->hash = hash;
    at->text = must_calloc(n + 1, 1);
    memcpy(at->text, text, n);
    used++;
    return at->text;
}

const char *intern(const char *text) { return intern_bytes(text, strlen(text)); }
