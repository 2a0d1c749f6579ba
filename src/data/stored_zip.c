/* SPDX-License-Identifier: GPL-3.0-or-later
 * stored_zip.c - see stored_zip.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/data/stored_zip.h"

/* Bytes of the headers without names; of the end, at least; and what stands where a number is in the zip64 field. */
enum { LOCAL = 30, CENTRAL = 46, END = 22, LOCATOR = 20, END64 = 56, MOST_COMMENT = 0xffff, ZIP64 = 1 };
enum { ENCRYPTED = 1 };
#define ELSEWHERE 0xffffffffu

typedef struct { const unsigned char *at; size_t n; const char *path; } archive;

static _Noreturn void damaged(const archive *z, const char *why)
{
    die("%s: %s; the file is cut off, damaged or of another kind", z->path, why);
}

static uint16_t u16_at(const unsigned char *at) { uint16_t x; memcpy(&x, at, 2); return x; }
static uint32_t u32_at(const unsigned char *at) { uint32_t x; memcpy(&x, at, 4); return x; }
static uint64_t u64_at(const unsigned char *at) { uint64_t x; memcpy(&x, at, 8); return x; }

/* So many bytes from there on. */
static const unsigned char *bytes_at(const archive *z, uint64_t from, uint64_t n, const char *what)
{
    if (from > z->n || n > z->n - from) damaged(z, what);
    return z->at + from;
}

typedef struct { uint64_t entries, bytes, from; } directory;

/* The last place at which an end with a comment up to the end of the file stands. */
static size_t find_end(const archive *z)
{
    for (size_t comment = 0; comment <= MOST_COMMENT && z->n >= END + comment; comment++) {
        const unsigned char *at = z->at + z->n - END - comment;
        if (memcmp(at, "PK\5\6", 4) == 0 && u16_at(at + 20) == comment) return z->n - END - comment;
    }
    damaged(z, "no directory of a zip file is at its end");
}

static directory find_directory(const archive *z)
{
    const size_t end = find_end(z);
    const unsigned char *at = z->at + end;
    directory d = { u16_at(at + 10), u32_at(at + 12), u32_at(at + 16) };
    if (u16_at(at + 4) || u16_at(at + 6) || u16_at(at + 8) != d.entries) damaged(z, "it is a part of a zip file");
    if (end < LOCATOR || memcmp(at - LOCATOR, "PK\6\7", 4) != 0) return d;
    const unsigned char *more = bytes_at(z, u64_at(at - LOCATOR + 8), END64, "its zip64 directory is not in the file");
    if (memcmp(more, "PK\6\6", 4) != 0) damaged(z, "its zip64 directory is not where it should be");
    return (directory){ u64_at(more + 32), u64_at(more + 40), u64_at(more + 48) };
}

typedef struct { uint64_t packed, bytes, from; } sizes;

/* Numbers that do not fit in 32 bits: in the zip64 field of the `n` bytes, in this order, those alone. */
static void take_zip64(const archive *z, const unsigned char *field, size_t n, sizes *s)
{
    uint64_t *const of[] = { &s->bytes, &s->packed, &s->from };
    while (n >= 4) {
        const size_t size = u16_at(field + 2);
        if (size > n - 4) damaged(z, "a field of its directory leads out of it");
        size_t at = 0;
        for (size_t k = 0; k < COUNT(of) && u16_at(field) == ZIP64; k++) {
            if (*of[k] != ELSEWHERE) continue;
            if (at + 8 > size) damaged(z, "a zip64 field of its directory is too short");
            *of[k] = u64_at(field + 4 + at);
            at += 8;
        }
        field += 4 + size;
        n -= 4 + size;
    }
}

static void require_stored(const archive *z, const char *name, const unsigned char *flags_and_method)
{
    if (u16_at(flags_and_method) & ENCRYPTED) die("%s: its entry %s is encrypted, which is not read", z->path, name);
    if (u16_at(flags_and_method + 2))
        die("%s: its entry %s is compressed, which torch.save does not do; unpack it, and store it uncompressed",
            z->path, name);
}

/* The entry that the directory has at `at`; *length: of what it has of it. */
static zip_entry take_entry(const archive *z, const unsigned char *at, size_t left, size_t *length)
{
    if (left < CENTRAL || memcmp(at, "PK\1\2", 4) != 0) damaged(z, "its directory ends too early");
    const size_t name = u16_at(at + 28), more = u16_at(at + 30);
    *length = CENTRAL + name + more + u16_at(at + 32);
    if (*length > left) damaged(z, "its directory ends too early");
    if (!name || memchr(at + CENTRAL, 0, name)) damaged(z, "an entry has no name");
    sizes s = { u32_at(at + 20), u32_at(at + 24), u32_at(at + 42) };
    take_zip64(z, at + CENTRAL + name, more, &s);
    char *shown = shown_bytes((const char *)at + CENTRAL, name);         /* for messages                        */
    require_stored(z, shown, at + 8);
    if (s.packed != s.bytes) damaged(z, "an entry that is stored has two lengths");
    const unsigned char *local = bytes_at(z, s.from, LOCAL, "an entry is not in the file");
    if (memcmp(local, "PK\3\4", 4) != 0) damaged(z, "an entry does not begin where its directory says");
    require_stored(z, shown, local + 6);
    free(shown);
    if (u16_at(local + 26) != name) damaged(z, "an entry has another name than in the directory");
    const uint64_t from = s.from + LOCAL + name + u16_at(local + 28);
    if (memcmp(bytes_at(z, s.from + LOCAL, name, "an entry is not in the file"), at + CENTRAL, name) != 0)
        damaged(z, "an entry has another name than in the directory");
    return (zip_entry){ must_format("%.*s", (int)name, (const char *)at + CENTRAL),
                        bytes_at(z, from, s.bytes, "an entry is not in the file"), s.bytes };
}

static int by_place(const void *a, const void *b)
{
    const zip_entry *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const zip_entry *)a)->name, ((const zip_entry *)b)->name);
}

stored_zip stored_zip_of(const unsigned char *bytes, size_t n, const char *path)
{
    const archive z = { bytes, n, path };
    const directory d = find_directory(&z);
    const unsigned char *at = bytes_at(&z, d.from, d.bytes, "its directory is not in the file");
    if (d.entries > d.bytes / CENTRAL) damaged(&z, "its directory has more entries than bytes for them");
    stored_zip all = { must_calloc(d.entries, sizeof *all.at), (long)d.entries };
    size_t left = d.bytes, length;
    for (long k = 0; k < all.n; k++, at += length, left -= length) all.at[k] = take_entry(&z, at, left, &length);
    qsort(all.at, d.entries, sizeof *all.at, by_place);
    for (long k = 1; k < all.n; k++)
        if (all.at[k - 1].at + all.at[k - 1].bytes > all.at[k].at) damaged(&z, "two of its entries overlap");
    qsort(all.at, d.entries, sizeof *all.at, by_name);
    for (long k = 1; k < all.n; k++)
        if (strcmp(all.at[k - 1].name, all.at[k].name) == 0) damaged(&z, "two of its entries have one name");
    return all;
}

void stored_zip_free(stored_zip *z)
{
    for (long k = 0; k < z->n; k++) free(z->at[k].name);
    free(z->at);
    *z = (stored_zip){ .n = 0 };
}

const zip_entry *stored_zip_find(const stored_zip *z, const char *name)
{
    const zip_entry key = { .name = (char *)(uintptr_t)name };
    return z->n ? bsearch(&key, z->at, (size_t)z->n, sizeof *z->at, by_name) : NULL;
}
