/* SPDX-License-Identifier: GPL-3.0-or-later
 * torch_file.c - see torch_file.h. */
#include "tests/support/torch_file.h"
#include <stdlib.h>
#include <string.h>
#include "src/data/safetensors.h"
#include "tests/support/files.h"

static void put(text_buffer *t, uint64_t x, size_t bytes) { text_bytes(t, (const char *)&x, bytes); }

/* ---- the pickle -------------------------------------------------------------------------------------------------- */

static void opcode(torch_file *f, unsigned char code) { put(&f->pickle, code, 1); }

void torch_file_begin(torch_file *f)
{
    text_bytes(&f->pickle, "\x80\2}q\0(", 6);
}

void torch_file_end(torch_file *f) { text_bytes(&f->pickle, "u.", 2); }

void torch_file_text(torch_file *f, const char *text)
{
    opcode(f, 'X');
    put(&f->pickle, strlen(text), 4);
    text_bytes(&f->pickle, text, strlen(text));
}

void torch_file_whole(torch_file *f, long x)
{
    opcode(f, x < 0 || x > 0x7fffffff ? 0x8a : x < 256 ? 'K' : 'J');
    if (x < 0 || x > 0x7fffffff) put(&f->pickle, 8, 1);
    put(&f->pickle, (uint64_t)x, x < 0 || x > 0x7fffffff ? 8 : x < 256 ? 1 : 4);
}

void torch_file_global(torch_file *f, const char *module, const char *name)
{
    text_add(&f->pickle, "c%s\n%s\n", module, name);
}

static void sides(torch_file *f, int rank, const long *of)
{
    opcode(f, '(');
    for (int k = 0; k < rank; k++) torch_file_whole(f, of[k]);
    opcode(f, 't');
}

void torch_file_tensor(torch_file *f, const char *name, const char *type, const char *key, long numbers, long first,
                       int rank, const long *shape, const long *stride)
{
    if (name) torch_file_text(f, name);
    torch_file_global(f, "torch._utils", "_rebuild_tensor_v2");
    text_bytes(&f->pickle, "((", 2);
    torch_file_text(f, "storage");
    torch_file_global(f, "torch", type);
    torch_file_text(f, key);
    torch_file_text(f, "cpu");
    torch_file_whole(f, numbers);
    text_bytes(&f->pickle, "tQ", 2);
    torch_file_whole(f, first);
    sides(f, rank, shape);
    sides(f, rank, stride);
    opcode(f, 0x89);
    torch_file_global(f, "collections", "OrderedDict");
    text_bytes(&f->pickle, ")RtR", 4);
}

/* ---- the archive ------------------------------------------------------------------------------------------------- */

void torch_file_entry(torch_file *f, const char *name, const void *bytes, size_t n)
{
    char *copy = must_calloc(n + 1, 1);
    if (n) memcpy(copy, bytes, n);
    f->entry[f->entries].name = must_strdup(name);
    f->entry[f->entries].bytes = copy;
    f->entry[f->entries++].n = n;
}

/* method, times and checksum 0 */
static void header(text_buffer *t, const char *begin, size_t n, size_t name, size_t more, bool wide)
{
    text_bytes(t, begin, 4);
    if (begin[2] == 1) put(t, 45, 2);
    put(t, 45, 2);
    put(t, 0, 12);
    for (int k = 0; k < 2; k++) put(t, wide ? 0xffffffff : n, 4);
    put(t, name, 2);
    put(t, more, 2);
}

static void put_entry(text_buffer *all, text_buffer *directory, const char *name, const char *bytes, size_t n, bool wide)
{
    char *whole = must_format("archive/%s", name);
    const size_t at = all->length, length = strlen(whole);
    size_t pad = (64 - (at + 30 + length + 4) % 64) % 64;                /* torch.save begins numbers at 64 k    */
    header(all, "PK\3\4", n, length, 4 + pad, false);
    text_bytes(all, whole, length);
    put(all, 'F' | 'B' << 8, 2);
    put(all, pad, 2);
    for (; pad; pad--) put(all, 'Z', 1);
    text_bytes(all, bytes, n);
    header(directory, "PK\1\2", n, length, wide ? 4 + 24 : 0, wide);
    put(directory, 0, 10);
    put(directory, wide ? 0xffffffff : at, 4);
    text_bytes(directory, whole, length);
    if (wide) {
        put(directory, 1 | 24 << 16, 4);
        put(directory, n, 8);
        put(directory, n, 8);
        put(directory, at, 8);
    }
    free(whole);
}

char *torch_file_bytes(const torch_file *f, size_t *n)
{
    text_buffer all = { 0 }, directory = { 0 };
    put_entry(&all, &directory, "data.pkl", f->pickle.at, f->pickle.length, f->zip64);
    for (int k = 0; k < f->entries; k++)
        put_entry(&all, &directory, f->entry[k].name, f->entry[k].bytes, f->entry[k].n, f->zip64);
    const size_t at = all.length, entries = (size_t)f->entries + 1, end = at + directory.length;
    text_bytes(&all, directory.at, directory.length);
    if (f->zip64) {
        text_bytes(&all, "PK\6\6", 4);
        put(&all, 44, 8);
        put(&all, 45 | 45 << 16, 4);
        put(&all, 0, 8);
        put(&all, entries, 8);
        put(&all, entries, 8);
        put(&all, directory.length, 8);
        put(&all, at, 8);
        text_bytes(&all, "PK\6\7", 4);
        put(&all, 0, 4);
        put(&all, end, 8);
        put(&all, 1, 4);
    }
    text_bytes(&all, "PK\5\6", 4);
    put(&all, 0, 4);
    for (int k = 0; k < 2; k++) put(&all, f->zip64 ? 0xffff : entries, 2);
    put(&all, f->zip64 ? 0xffffffff : directory.length, 4);
    put(&all, f->zip64 ? 0xffffffff : at, 4);
    put(&all, 0, 2);
    text_clear(&directory);
    *n = all.length;
    return text_take(&all);
}

char *torch_file_write(const torch_file *f, const char *folder, const char *name)
{
    size_t n;
    char *bytes = torch_file_bytes(f, &n), *path = temp_write(folder, name, bytes, n);
    free(bytes);
    return path;
}

void torch_file_free(torch_file *f)
{
    for (int k = 0; k < f->entries; k++) {
        free(f->entry[k].name);
        free(f->entry[k].bytes);
    }
    text_clear(&f->pickle);
    *f = (torch_file){ .entries = 0 };
}

static const char *storage_of(const char *type)
{
    static const char *const of[][2] = { { "F32", "FloatStorage" }, { "F64", "DoubleStorage" }, { "F16", "HalfStorage" } };
    for (size_t k = 0; k < COUNT(of); k++) if (strcmp(of[k][0], type) == 0) return of[k][1];
    return "BFloat16Storage";
}

void torch_file_take(torch_file *f, const char *safetensors_path, const char *prefix, long from, long end)
{
    size_t length;
    char *bytes = temp_read(NULL, safetensors_path, &length);
    safetensors s = safetensors_index(safetensors_path);
    for (long k = from; k < s.tensors && k < end; k++) {
        const safetensor *t = &s.tensor[k];
        long stride[SAFETENSORS_RANK], wide = 1;
        for (int i = t->rank; i-- > 0; wide *= t->shape[i]) stride[i] = wide;
        char *key = must_format("%d", f->entries), *name = must_format("data/%s", key), *called = must_format("%s%s", prefix, t->name);
        torch_file_tensor(f, called, storage_of(t->type), key, (long)t->n, 0, t->rank, t->shape, stride);
        torch_file_entry(f, name, bytes + t->from, t->bytes);
        free(key);
        free(name);
        free(called);
    }
    safetensors_free(&s);
}
