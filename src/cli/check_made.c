/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_made.c - what a program is made from, and the records of it: see check.h. */
#include <elf.h>
#include <errno.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/cli/check.h"

enum { MOST_BYTES = 1 << 30 };

/* Adds n bytes at `from` of the file's, as far as it has them. */
static void add_bytes(struct sha256_ctx *state, const char *file, size_t size, size_t from, size_t n)
{
    if (from >= size) return;
    sha256_update(state, n < size - from ? n : size - from, (const uint8_t *)file + from);
}

/* The segments that the system loads.  The header of the file, which comes before the first of them, says where the
 * tables for debuggers are. */
static bool add_segments(struct sha256_ctx *state, const char *file, size_t size)
{
    Elf64_Ehdr head;
    if (size < sizeof head) return false;
    memcpy(&head, file, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64) return false;
    for (size_t k = 0; k < head.e_phnum; k++) {
        Elf64_Phdr segment;
        const size_t at = head.e_phoff + k * sizeof segment;
        if (at + sizeof segment > size) return false;
        memcpy(&segment, file + at, sizeof segment);
        if (segment.p_type != PT_LOAD) continue;
        const size_t skip = segment.p_offset < sizeof head ? sizeof head - segment.p_offset : 0;
        const uint64_t place[] = { segment.p_vaddr, segment.p_memsz, segment.p_flags };
        sha256_update(state, sizeof place, (const uint8_t *)place);
        if (skip < segment.p_filesz)
            add_bytes(state, file, size, segment.p_offset + skip, segment.p_filesz - skip);
    }
    return true;
}

char *made_of(const char *path)
{
    struct sha256_ctx state;
    uint8_t sum[SHA256_DIGEST_SIZE];
    text_buffer hex = { 0 };
    size_t size;
    FILE *f = file_open(path);
    if (!f && errno == ENOENT) return must_strdup("none");
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    char *file = file_read_open(f, path, MOST_BYTES, &size);
    fclose(f);
    sha256_init(&state);
    if (!add_segments(&state, file, size)) {
        sha256_init(&state);
        add_bytes(&state, file, size, 0, size);
    }
    free(file);
    sha256_digest(&state, sizeof sum, sum);
    for (size_t k = 0; k < sizeof sum; k++) text_add(&hex, "%02x", sum[k]);
    return text_take(&hex);
}

char *evidence_path(const check_suite *s, const char *name, const char *kind)
{
    return must_format("%s/%s.%s", s->o->evidence, name, kind);
}

bool record_says(const check_suite *s, const check_program *p, const char *kind, const char *text)
{
    const size_t n = strlen(text);
    char *path = evidence_path(s, p->name, kind), *is = must_calloc(n + 1, 1);
    FILE *f = file_open(path);
    const bool same = f && fread(is, 1, n + 1, f) == n && memcmp(is, text, n) == 0;
    if (f) fclose(f);
    free(is);
    free(path);
    return same;
}

/* On the disk before anything else is done: a record that outlives what it is a record of would be believed. */
void record_write(const check_suite *s, const check_program *p, const char *kind, const char *text)
{
    char *path = evidence_path(s, p->name, kind);
    outfile o = outfile_open(path);
    fputs(text, o.f);
    outfile_close(&o);
    free(path);
}
