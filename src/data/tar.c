/* SPDX-License-Identifier: GPL-3.0-or-later
 * tar.c - see tar.h.  A block of 512 bytes before each file: name at 0 (100 bytes), size at 124 (12), sum at 148 (8),
 * kind at 156, "ustar" at 257, the name's beginning at 345 (155); numbers are octal, or binary after a byte 0x80. */
#include <string.h>
#include "src/data/tar.h"

enum { SIZE = 124, SUM = 148, KIND = 156, MAGIC = 257, PREFIX = 345 };

static uint64_t field(const unsigned char *at, size_t n)
{
    uint64_t x = 0;
    if (at[0] & 0x80) {
        for (size_t i = 1; i < n; i++) x = x << 8 | at[i];
        return x;
    }
    for (size_t i = 0; i < n && (at[i] == ' ' || ('0' <= at[i] && at[i] <= '7')); i++)
        if (at[i] != ' ') x = x << 3 | (at[i] - '0');
    return x;
}

/* The sum of all bytes with its own field taken as blanks. */
bool tar_begins(const unsigned char *block, size_t n)
{
    if (n < TAR_BLOCK || memcmp(block + MAGIC, "ustar", 5) != 0) return false;
    uint64_t sum = 0;
    for (int i = 0; i < TAR_BLOCK; i++) sum += SUM <= i && i < SUM + 8 ? ' ' : block[i];
    return sum == field(block + SUM, 8);
}

size_t tar_read(tar_reader *t, void *to, size_t n)
{
    const size_t want = n < t->left ? n : (size_t)t->left;
    const size_t got = want ? t->from.read(t->from.self, to, want) : 0;
    if (got < want) die("%s is cut off within %s; download it again", t->from.name, t->name);
    t->left -= got;
    return got;
}

static void pass_over(tar_reader *t)
{
    unsigned char bytes[1 << 12];
    while (tar_read(t, bytes, sizeof bytes) == sizeof bytes) {}
    t->left = t->padding;
    tar_read(t, bytes, TAR_BLOCK);
}

bool tar_next(tar_reader *t)
{
    for (;;) {
        unsigned char block[TAR_BLOCK];
        pass_over(t);
        const size_t got = t->from.read(t->from.self, block, TAR_BLOCK);
        if (got == 0 || (got == TAR_BLOCK && block[0] == 0)) return false;     /* a block of zeros ends it */
        if (!tar_begins(block, got)) die("%s is damaged behind %s; download it again", t->from.name, t->name);
        snprintf(t->name, sizeof t->name, "%.155s%s%.100s", (const char *)block + PREFIX, block[PREFIX] ? "/" : "",
                 (const char *)block);
        t->left = field(block + SIZE, 12);
        t->padding = (TAR_BLOCK - t->left % TAR_BLOCK) % TAR_BLOCK;
        if (block[KIND] == '0' || block[KIND] == 0) return true;
    }
}
