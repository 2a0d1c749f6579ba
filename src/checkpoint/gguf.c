/* SPDX-License-Identifier: GPL-3.0-or-later
 * gguf.c - GGUF, versions 2 and 3, as llama.cpp writes it.
 *
 *   "GGUF", uint32 version, uint64 tensors, uint64 keys
 *   keys      text name, uint32 type, value; a text is a uint64 length and its bytes
 *   tensors   text name, uint32 rank, uint64 sides (the contiguous one first), uint32 type, uint64 offset
 *   numbers   from the next multiple of general.alignment (32), the offsets count from there
 *
 * A model may be split into files NAME-00001-of-00003.gguf, ...: the first has all keys, each says which one it is
 * (split.no, from 0), of how many (split.count), and how many tensors all have (split.tensors.count).
 *
 * Every length comes from the file, so each is compared with what is left of it before it is used. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/checkpoint/python_json.h"
#include "src/checkpoint/weights.h"
#include "src/data/checksum.h"

enum { KEY_U8, KEY_I8, KEY_U16, KEY_I16, KEY_U32, KEY_I32, KEY_F32, KEY_BOOL, KEY_TEXT, KEY_ARRAY, KEY_U64, KEY_I64,
       KEY_F64 };

/* Numbers of a block and bytes of a block, by the type's number in the file. */
static const struct { const char *name; size_t numbers, bytes; } block_of[] = {
    [0] = { "F32", 1, 4 },       [1] = { "F16", 1, 2 },       [2] = { "Q4_0", 32, 18 },    [3] = { "Q4_1", 32, 20 },
    [6] = { "Q5_0", 32, 22 },    [7] = { "Q5_1", 32, 24 },    [8] = { "Q8_0", 32, 34 },    [9] = { "Q8_1", 32, 36 },
    [10] = { "Q2_K", 256, 84 },  [11] = { "Q3_K", 256, 110 }, [12] = { "Q4_K", 256, 144 }, [13] = { "Q5_K", 256, 176 },
    [14] = { "Q6_K", 256, 210 }, [15] = { "Q8_K", 256, 292 }, [24] = { "I8", 1, 1 },       [25] = { "I16", 1, 2 },
    [26] = { "I32", 1, 4 },      [27] = { "I64", 1, 8 },      [28] = { "F64", 1, 8 },      [30] = { "BF16", 1, 2 } };

long weights_gguf_type(const char *type)
{
    for (size_t k = 0; k < COUNT(block_of); k++)
        if (block_of[k].name && strcmp(block_of[k].name, type) == 0) return (long)k;
    return -1;
}

typedef struct { const mapped_file *f; size_t at; } cursor;

static _Noreturn void damaged(const cursor *c, const char *why)
{
    die("%s: offset %zu: %s; the file is damaged or of another kind", c->f->path, c->at, why);
}

static const unsigned char *take(cursor *c, uint64_t n)
{
    if (n > c->f->bytes - c->at) damaged(c, "unexpected end of file");
    const unsigned char *at = c->f->at + c->at;
    c->at += n;
    return at;
}

static uint32_t take_u32(cursor *c) { uint32_t x; memcpy(&x, take(c, 4), 4); return x; }
static uint64_t take_u64(cursor *c) { uint64_t x; memcpy(&x, take(c, 8), 8); return x; }

/* A name, to be freed: 1 to 255 bytes without control characters. */
static char *take_name(cursor *c)
{
    const size_t begin = c->at;
    const uint64_t n = take_u64(c);
    const unsigned char *text = n && n < 256 ? take(c, n) : NULL;
    json_t *utf8 = text && !memchr(text, 0, n) ? json_stringn((const char *)text, n) : NULL;
    const bool plain = utf8 && shown_as_is(json_string_value(utf8));
    c->at = plain ? c->at : begin;
    if (!plain) damaged(c, "a name is empty, too long, not UTF-8, or has control characters");
    json_decref(utf8);
    return must_format("%.*s", (int)n, (const char *)text);
}

static size_t bytes_of_key(const cursor *c, uint32_t type)
{
    static const size_t bytes[] = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8 };
    if (type < COUNT(bytes)) return bytes[type];
    damaged(c, "a key of a type that GGUF does not have");
}

static json_t *real_of(double x)
{
    return isfinite(x) ? json_real(x) : json_unreadable(isnan(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity");
}

enum { MOST_TEXT = 1 << 20 };

static json_t *take_text(cursor *c)
{
    const uint64_t n = take_u64(c);
    const char *text = (const char *)take(c, n);
    if (n > MOST_TEXT) return json_unreadable("a text of more than a megabyte");
    if (memchr(text, 0, n)) return json_unreadable("a text with a byte 0");
    json_t *x = json_stringn(text, n);
    return x ? x : json_unreadable("a text that is not UTF-8");
}

/* A number or a truth. */
static json_t *take_number(cursor *c, uint32_t type)
{
    const size_t bytes = bytes_of_key(c, type);
    const unsigned char *at = take(c, bytes);
    uint64_t u = 0;
    memcpy(&u, at, bytes);
    float single;
    double x;
    switch (type) {
    case KEY_F32:  memcpy(&single, at, 4); return real_of((double)single);
    case KEY_F64:  memcpy(&x, at, 8); return real_of(x);
    case KEY_BOOL: return json_boolean(u != 0);
    case KEY_I8:   return json_integer((int8_t)u);
    case KEY_I16:  return json_integer((int16_t)u);
    case KEY_I32:  return json_integer((int32_t)u);
    default:
        if (type == KEY_U64 && u > INT64_MAX) return json_unreadable("a number beyond 2^63");
        return json_integer((json_int_t)u);
    }
}

/* {"length": n, "texts": whether, "from": offset, "bytes": how many, "sha256": type and hash of them}; with "all": x
 * where it has numbers, all of them x.  Arrays are equal where all of this but "from" is. */
static json_t *take_array(cursor *c)
{
    const uint32_t of = take_u32(c);
    const uint64_t n = take_u64(c);
    const size_t each = bytes_of_key(c, of);
    if (of == KEY_ARRAY) damaged(c, "an array of arrays, which is not read");
    cursor first = *c;
    if (of == KEY_TEXT) {
        if (n > c->f->bytes / 8) damaged(c, "an array is longer than the file");
        for (uint64_t k = 0; k < n; k++) take(c, take_u64(c));
    } else {
        if (n > c->f->bytes / each) damaged(c, "an array is longer than the file");
        take(c, n * each);
    }
    json_t *array = json_pack("{s:I, s:b, s:I, s:I}", "length", (json_int_t)n, "texts", of == KEY_TEXT, "from",
                              (json_int_t)first.at, "bytes", (json_int_t)(c->at - first.at));
    const unsigned char *at = c->f->at + first.at;
    char hex[SHA256_HEX];
    checksum_sha256_bytes(at, c->at - first.at, hex);
    json_object_set_new(array, "sha256", json_sprintf("%u:%s", of, hex));
    bool equal = n > 0 && of != KEY_TEXT;
    for (uint64_t k = 1; k < n && equal; k++) equal = memcmp(at, at + k * each, each) == 0;
    if (equal) json_object_set_new(array, "all", take_number(&first, of));
    return array;
}

/* A number, a text or a truth; one that JSON cannot hold is json_unreadable. */
static json_t *take_value(cursor *c, uint32_t type)
{
    return type == KEY_TEXT ? take_text(c) : type == KEY_ARRAY ? take_array(c) : take_number(c, type);
}

typedef struct { char *name, type[16]; int rank; long shape[WEIGHT_RANK]; uint64_t from, bytes; } entry;

static entry take_entry(cursor *c)
{
    entry e = { .name = take_name(c) };
    const uint32_t rank = take_u32(c);
    if (rank > 4) damaged(c, "a tensor has more than 4 sides");
    e.rank = (int)rank;
    size_t n = 1;
    for (uint32_t k = 0; k < rank; k++) {
        const uint64_t side = take_u64(c);
        if (side > (uint64_t)1 << 40 || __builtin_mul_overflow(n, (size_t)side, &n) || n > (size_t)1 << 48)
            die("%s: tensor %s: its shape is larger than any file; the file is damaged", c->f->path, e.name);
        e.shape[rank - 1 - k] = (long)side;
    }
    const uint32_t type = take_u32(c);
    e.from = take_u64(c);
    if (type >= COUNT(block_of) || !block_of[type].name) {
        snprintf(e.type, sizeof e.type, "type %" PRIu32, type);
        return e;
    }
    snprintf(e.type, sizeof e.type, "%s", block_of[type].name);
    if ((rank ? (size_t)e.shape[rank - 1] : 1) % block_of[type].numbers)
        die("%s: tensor %s: its rows are not whole blocks of %s; the file is damaged", c->f->path, e.name, e.type);
    e.bytes = n / block_of[type].numbers * block_of[type].bytes;
    return e;
}

static int by_place(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static void add_entries(weights *w, long file, const cursor *c, entry *e, size_t n, uint64_t alignment)
{
    const size_t begin = (c->at + alignment - 1) / alignment * alignment;
    const char *path = c->f->path;
    qsort(e, n, sizeof *e, by_place);
    uint64_t end = 0;
    for (size_t k = 0; k < n; k++) {
        if (begin > c->f->bytes || e[k].from > c->f->bytes - begin || e[k].bytes > c->f->bytes - begin - e[k].from)
            die("%s: tensor %s: its offset leads out of the file, which is cut off or damaged; fetch it again", path,
                e[k].name);
        if (e[k].from < end) die("%s: tensor %s: its numbers overlap another's; the file is damaged", path, e[k].name);
        if (e[k].from % alignment)
            die("%s: tensor %s: its offset is not a multiple of %" PRIu64 "; the file is damaged", path, e[k].name,
                alignment);
        end = e[k].from + e[k].bytes;
        weights_add(w, e[k].name, e[k].type, e[k].rank, e[k].shape, file, begin + e[k].from, e[k].bytes);
        free(e[k].name);
    }
}

/* The tensors of a file; its keys, of the first file where they stand as well. */
static json_t *read_file(weights *w, long file)
{
    cursor c = { &w->file[file], 4 };
    const uint32_t version = take_u32(&c);
    if (version < 2 || version > 3)
        die("%s: GGUF version %" PRIu32 "; versions 2 and 3 are read here: convert it with a current llama.cpp",
            c.f->path, version);
    const uint64_t tensors = take_u64(&c), keys = take_u64(&c);
    if (tensors > c.f->bytes / 24 || keys > c.f->bytes / 13) damaged(&c, "more tensors or keys than bytes for them");
    json_t *config = json_object();
    const size_t begin = c.at;
    for (uint64_t k = 0; k < keys; k++) {
        char *name = take_name(&c);
        json_t *value = take_value(&c, take_u32(&c));
        if (json_object_get(config, name)) die("%s: key %s is there twice; the file is damaged", c.f->path, name);
        if (json_object_set_new(config, name, value)) damaged(&c, "a key's name is not UTF-8");
        free(name);
    }
    const size_t end = c.at;
    const json_t *said = json_object_get(config, "general.alignment");
    const json_int_t alignment = said ? json_integer_value(said) : 32;           /* 0: of another type */
    if (alignment < 1 || alignment > 1 << 20) damaged(&c, "general.alignment is not from 1 to 1048576");
    if (file == 0) {
        w->keys.at = begin;
        w->keys.bytes = end - begin;
        w->keys.n = keys;
        w->keys.version = version;
        w->keys.alignment = (uint64_t)alignment;
    }
    entry *e = must_calloc(tensors, sizeof *e);
    for (uint64_t k = 0; k < tensors; k++) e[k] = take_entry(&c);
    add_entries(w, file, &c, e, tensors, (uint64_t)alignment);
    free(e);
    return config;
}

/* ---- several files ----------------------------------------------------------------------------------------------- */

static const char split_no[] = "split.no", split_count[] = "split.count", split_tensors[] = "split.tensors.count";
enum { MOST_SPLIT = 99999 };             /* five digits of the name                                     */

/* NAME of NAME-00001-of-00003.gguf, to be freed. */
static char *split_name(const char *path, long count)
{
    char *end = must_format("-%05d-of-%05ld.gguf", 1, count);
    const size_t n = strlen(path), m = strlen(end);
    if (n <= m || strcmp(path + n - m, end) != 0)
        die("%s is the first of %ld files of a model, which are found by its name, NAME%s: give it that name again",
            path, count, end);
    free(end);
    return must_format("%.*s", (int)(n - m), path);
}

static void require_piece(const weights *w, long file, const json_t *config, json_int_t count)
{
    const json_t *no = json_object_get(config, split_no), *of = json_object_get(config, split_count);
    const bool both = json_is_integer(no) && json_is_integer(of);
    if (!both || json_integer_value(no) != file || json_integer_value(of) != count)
        die("%s: it says that it is file %lld of %lld (split.no, from 0, and split.count), not %ld of %lld; fetch it "
            "again", w->file[file].path, json_integer_value(no), json_integer_value(of), file, count);
}

/* The files behind the first one.  Its keys for splitting are no settings of the model. */
static void read_split(weights *w)
{
    const json_int_t count = json_integer_value(json_object_get(w->config, split_count));
    const json_t *no = json_object_get(w->config, split_no), *all = json_object_get(w->config, split_tensors);
    if (count > 1 && count <= MOST_SPLIT && json_integer_value(no) != 0)
        die("%s is file %lld of %lld of a model; give the first one, ...-00001-of-%05lld.gguf", w->file[0].path,
            json_integer_value(no) + 1, count, count);
    if (count < 0 || count > MOST_SPLIT)
        die("%s: split.count is not from 1 to %d; the file is damaged", w->file[0].path, MOST_SPLIT);
    char *name = count > 1 ? split_name(w->file[0].path, (long)count) : NULL;
    if (count > 1) require_piece(w, 0, w->config, count);
    for (long k = 1; k < count; k++) {
        char *path = must_format("%s-%05ld-of-%05lld.gguf", name, k + 1, count);
        if (weights_map(w, path) != k || memcmp(w->file[k].at, "GGUF", 4) != 0)
            die("%s is no GGUF file; fetch it again", path);
        json_t *config = read_file(w, k);
        require_piece(w, k, config, count);
        json_decref(config);
        free(path);
    }
    if (count > 1 && json_is_integer(all) && json_integer_value(all) != w->tensors)
        die("%s: the %lld files of the model hold %ld tensors, and split.tensors.count is %lld; fetch them again",
            w->file[0].path, count, w->tensors, json_integer_value(all));
    free(name);
    if (count > 1) w->split = (long)count;
    json_object_del(w->config, split_no);
    json_object_del(w->config, split_count);
    json_object_del(w->config, split_tensors);
}

void weights_read_gguf(weights *w)
{
    w->config_path = must_strdup(w->file[0].path);
    w->config = read_file(w, 0);
    read_split(w);
}
