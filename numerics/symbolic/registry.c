/* SPDX-License-Identifier: GPL-3.0-or-later
 * registry.c - byte strings, numbered from 0 in order of arrival. */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "numerics/symbolic/sym.h"

static void registry_place(registry *r, size_t number)
{
    size_t i = r->entries[number].hash & (r->slots - 1);
    while (r->slot[i]) i = (i + 1) & (r->slots - 1);
    r->slot[i] = number + 1;
}

static void registry_grow(registry *r)
{
    r->room = r->room ? 2 * r->room : 64;
    r->entries = must_realloc(r->entries, r->room, sizeof *r->entries);
    free(r->slot);
    r->slots = 2 * r->room;
    r->slot = must_calloc(r->slots, sizeof *r->slot);
    for (size_t i = 0; i < r->n; i++) registry_place(r, i);
}

/* A hash only says where to look: equality is of the bytes. */
size_t registry_number(registry *r, const void *bytes, size_t n)
{
    static const uint64_t key[2] = { 0, 0 };
    uint64_t hash = random_siphash(key, bytes, n);
    if (r->n == r->room) registry_grow(r);
    for (size_t i = hash & (r->slots - 1); r->slot[i]; i = (i + 1) & (r->slots - 1)) {
        const registry_entry *e = &r->entries[r->slot[i] - 1];
        if (e->hash == hash && e->n == n && memcmp(e->bytes, bytes, n) == 0) return r->slot[i] - 1;
    }
    registry_entry *fresh = &r->entries[r->n];
    *fresh = (registry_entry){ .bytes = must_calloc(n + 1, 1), .n = n, .hash = hash };
    memcpy(fresh->bytes, bytes, n);
    registry_place(r, r->n);
    return r->n++;
}

void registry_free(registry *r)
{
    for (size_t i = 0; i < r->n; i++) free(r->entries[i].bytes);
    free(r->entries);
    free(r->slot);
}
