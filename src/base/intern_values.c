/* SPDX-License-Identifier: GPL-3.0-or-later
 * intern_values.c - a hash table with open addressing, by where a text lies: see intern_values.h. */
#include "src/base/intern_values.h"
#include <stdint.h>
#include <stdlib.h>
#include "src/base/memory.h"

static struct intern_value *place_of(intern_values *all, const char *text)
{
    const uint64_t mixed = (uint64_t)(uintptr_t)text * 0x9E3779B97F4A7C15u;          /* Fibonacci hashing */
    size_t k = (size_t)(mixed >> 32) & (all->capacity - 1);
    for (all->steps++; all->at[k].text && all->at[k].text != text; all->steps++) k = (k + 1) & (all->capacity - 1);
    return &all->at[k];
}

static void grow(intern_values *all)
{
    struct intern_value *old = all->at;
    const size_t n = all->capacity;
    all->capacity = n ? 2 * n : 64;
    all->at = must_calloc(all->capacity, sizeof *all->at);
    for (size_t k = 0; k < n; k++) if (old[k].text) *place_of(all, old[k].text) = old[k];
    free(old);
}

void **intern_value(intern_values *all, const char *text)
{
    if (2 * all->used >= all->capacity) grow(all);
    struct intern_value *at = place_of(all, text);
    all->used += !at->text;
    at->text = text;
    return &at->value;
}

void intern_values_free(intern_values *all)
{
    free(all->at);
    *all = (intern_values){ 0 };
}
