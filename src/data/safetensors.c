/* SPDX-License-Identifier: GPL-3.0-or-later
 * safetensors.c - see safetensors.h; the header is Jansson's work. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "src/base/shown.h"
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "src/data/safetensors.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written in the byte order of memory");
enum { MOST_HEADER = 100000000 };        /* bytes; the format's own limit                               */

static void *json_memory(size_t n) { return must_calloc(n, 1); }

/* 1 to 255 bytes that a terminal shows as they are. */
static bool is_name(const char *name)
{
    const size_t n = strlen(name);
    return n > 0 && n < 256 && shown_as_is(name);
}

/* The product of a shape; false when it is beyond any file. */
static bool count_of(const safetensor *t, size_t *n)
{
    *n = 1;
    for (int k = 0; k < t->rank; k++) if (__builtin_mul_overflow(*n, (size_t)t->shape[k], n)) return false;
    return *n < (size_t)1 << 48;
}

void safetensors_text(safetensors *s, const char *name, const char *value)
{
    REQUIRE(is_name(name) && !safetensors_value(s, name), "text %s", name);
    s->note = must_realloc(s->note, (size_t)s->notes + 1, sizeof *s->note);
    s->note[s->notes++] = (safetensors_note){ must_strdup(name), must_strdup(value) };
}

void safetensors_tensor(safetensors *s, const char *name, int rank, const long *shape, const float *x)
{
    REQUIRE(is_name(name) && strcmp(name, "__metadata__") != 0 && !safetensors_find(s, name), "tensor %s", name);
    REQUIRE(rank >= 0 && rank <= SAFETENSORS_RANK, "tensor %s of rank %d", name, rank);
    safetensor t = { .rank = rank };
    for (int k = 0; k < rank; k++) {
        REQUIRE(shape[k] >= 0, "tensor %s: a side of %ld", name, shape[k]);
        t.shape[k] = shape[k];
    }
    REQUIRE(count_of(&t, &t.n), "tensor %s is too large", name);
    t.name = must_strdup(name);
    t.x = must_calloc(t.n, sizeof *t.x);
    if (t.n) memcpy(t.x, x, t.n * sizeof *t.x);
    s->tensor = must_realloc(s->tensor, (size_t)s->tensors + 1, sizeof *s->tensor);
    s->tensor[s->tensors++] = t;
}

const char *safetensors_value(const safetensors *s, const char *name)
{
    for (long k = 0; k < s->notes; k++) if (strcmp(s->note[k].name, name) == 0) return s->note[k].value;
    return NULL;
}

const safetensor *safetensors_find(const safetensors *s, const char *name)
{
    for (long k = 0; k < s->tensors; k++) if (strcmp(s->tensor[k].name, name) == 0) return &s->tensor[k];
    return NULL;
}

void safetensors_free(safetensors *s)
{
    for (long k = 0; k < s->tensors; k++) {
        free(s->tensor[k].name);
        free(s->tensor[k].x);
    }
    for (long k = 0; k < s->notes; k++) {
        free(s->note[k].name);
        free(s->note[k].value);
    }
    free(s->tensor);
    free(s->note);
    *s = (safetensors){ .tensor = NULL };
}

/* ---- writing --------------------------------------------------------------------------------------------- */

static char *header_of(const safetensors *s)
{
    json_t *root = json_object();
    int failed = 0;
    if (s->notes) {
        json_t *notes = json_object();
        for (long k = 0; k < s->notes; k++)
            failed |= json_object_set_new(notes, s->note[k].name, json_string(s->note[k].value));
        failed |= json_object_set_new(root, "__metadata__", notes);
    }
    size_t at = 0;
    for (long k = 0; k < s->tensors; k++) {
        const safetensor *t = &s->tensor[k];
        const size_t end = at + t->n * sizeof *t->x;
        json_t *shape = json_array();
        for (int i = 0; i < t->rank; i++) failed |= json_array_append_new(shape, json_integer(t->shape[i]));
        json_t *entry = json_pack("{s:s, s:o, s:[I, I]}", "dtype", "F32", "shape", shape, "data_offsets",
                                  (json_int_t)at, (json_int_t)end);
        failed |= json_object_set_new(root, t->name, entry);
        at = end;
    }
    char *text = json_dumps(root, JSON_COMPACT);
    REQUIRE(!failed && text, "a name or a text is not UTF-8");
    json_decref(root);
    return text;
}

static void put(outfile *o, const void *data, size_t n)
{
    if (fwrite(data, 1, n, o->f) != n) die("cannot write %s: %s; %s", o->path, strerror(errno), file_advice(errno));
}

void safetensors_write(const safetensors *s, const char *path)
{
    json_set_alloc_funcs(json_memory, free);
    char *header = header_of(s);
    const size_t used = strlen(header);
    const uint64_t length = (used + 7) / 8 * 8;
    if (length > MOST_HEADER) die("cannot write %s: too many tensors for this format", path);
    outfile o = outfile_open(path);
    put(&o, &length, sizeof length);
    put(&o, header, used);
    put(&o, "       ", length - used);
    for (long k = 0; k < s->tensors; k++) put(&o, s->tensor[k].x, s->tensor[k].n * sizeof(float));
    outfile_close(&o);
    free(header);
}

/* ---- reading --------------------------------------------------------------------------------------------- */

typedef struct { size_t from, to, tensor; int bits; } place;       /* of a tensor's numbers */

/* The format's types and their bits; safetensors_read takes the first few.  Numbers of less than a byte are packed. */
enum { READ_HERE = 3 };
static const struct { const char *name; int bits; } types[] = {
    { "F32", 32 }, { "F16", 16 }, { "BF16", 16 }, { "F64", 64 }, { "I64", 64 }, { "U64", 64 }, { "I32", 32 },
    { "U32", 32 }, { "I16", 16 }, { "U16", 16 }, { "I8", 8 }, { "U8", 8 }, { "BOOL", 8 }, { "F8_E4M3", 8 },
    { "F8_E5M2", 8 }, { "F8_E8M0", 8 }, { "F8_E4M3FNUZ", 8 }, { "F8_E5M2FNUZ", 8 }, { "C64", 64 }, { "F4", 4 },
    { "F6_E2M3", 6 }, { "F6_E3M2", 6 } };

static int bits_of(const char *type, bool any)           /* 0: not a type that is wanted */
{
    for (size_t k = 0; k < (any ? COUNT(types) : READ_HERE); k++)
        if (strcmp(types[k].name, type) == 0) return types[k].bits;
    return 0;
}

static _Noreturn void damaged(const char *path, const char *name, const char *why)
{
    if (name) die("%s: tensor %s: %s; the file is damaged or of another kind", path, name, why);
    die("%s: %s; the file is damaged or of another kind", path, why);
}

static void read_notes(safetensors *s, json_t *notes, const char *path)
{
    const char *name;
    json_t *value;
    if (!json_is_object(notes)) damaged(path, NULL, "__metadata__ is not an object");
    json_object_foreach(notes, name, value) {
        if (!is_name(name) || !json_is_string(value)) damaged(path, NULL, "__metadata__ holds more than named texts");
        safetensors_text(s, name, json_string_value(value));
    }
}

/* An element of an array that is a whole number from 0 to 2^62. */
static bool whole_number(const json_t *array, size_t k, size_t *n)
{
    const json_t *x = json_array_get(array, k);
    const json_int_t i = json_integer_value(x);
    *n = (size_t)i;
    return json_is_integer(x) && i >= 0 && i <= (json_int_t)1 << 62;
}

/* One tensor of the header without its numbers. */
static safetensor read_entry(const json_t *entry, const char *name, bool any, place *p, size_t size, const char *path)
{
    if (!is_name(name)) damaged(path, NULL, "a tensor's name is empty, too long, or has control characters");
    const json_t *shape = json_object_get(entry, "shape"), *offsets = json_object_get(entry, "data_offsets");
    const char *type = json_string_value(json_object_get(entry, "dtype"));
    if (!type || !json_is_array(shape) || !json_is_array(offsets) || json_object_size(entry) != 3)
        damaged(path, name, "it does not have dtype, shape and data_offsets, and nothing else");
    p->bits = bits_of(type, any);
    if (!p->bits && any)
        die("%s: tensor %s: its numbers are `%.16s`, which is not a type of safetensors; the file is damaged, or newer "
            "than this program", path, name, is_name(type) ? type : "?");
    if (!p->bits)
        die("%s: tensor %s: its numbers are `%.16s`; F32, F16 and BF16 are read here, convert it first", path, name,
            is_name(type) ? type : "?");
    if (json_array_size(shape) > SAFETENSORS_RANK) damaged(path, name, "its shape has more than 8 sides");
    safetensor t = { .rank = (int)json_array_size(shape) };
    snprintf(t.type, sizeof t.type, "%s", type);
    for (int k = 0; k < t.rank; k++) {
        size_t side;
        if (!whole_number(shape, (size_t)k, &side)) damaged(path, name, "a side is not a whole number");
        t.shape[k] = (long)side;
    }
    if (!count_of(&t, &t.n)) damaged(path, name, "its shape is larger than any file");
    if (json_array_size(offsets) != 2 || !whole_number(offsets, 0, &p->from) || !whole_number(offsets, 1, &p->to))
        damaged(path, name, "its offsets are not two whole numbers");
    if (p->from > p->to || p->to > size) damaged(path, name, "its offsets lead out of the file");
    if (t.n * (size_t)p->bits % 8) damaged(path, name, "its numbers do not fill whole bytes");
    if (p->to - p->from != t.n * (size_t)p->bits / 8) damaged(path, name, "its offsets do not fit its shape");
    t.name = must_strdup(name);
    return t;
}

static int by_place(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* IEEE half precision: 1 sign, 5 exponent, 10 fraction; 0x7c00 and above are infinity and NaN. */
float safetensors_half(uint16_t h)
{
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    const float x = exponent == 31 ? (fraction ? NAN : INFINITY)
                  : exponent ? ldexpf((float)(1024 + fraction), exponent - 25) : ldexpf((float)fraction, -24);
    return h & 0x8000 ? -x : x;
}

float safetensors_brain(uint16_t h)      /* the upper half of a float                                   */
{
    const uint32_t bits = (uint32_t)h << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void read_numbers(safetensor *t, const place *p, FILE *f, const char *path)
{
    t->x = must_calloc(t->n, sizeof *t->x);
    if (p->bits == 32) {
        if (fread(t->x, 4, t->n, f) != t->n) damaged(path, t->name, "unexpected end of file");
        return;
    }
    uint16_t *h = must_calloc(t->n, sizeof *h);
    if (fread(h, 2, t->n, f) != t->n) damaged(path, t->name, "unexpected end of file");
    const bool brain = strcmp(t->type, "BF16") == 0;
    for (size_t i = 0; i < t->n; i++) t->x[i] = brain ? safetensors_brain(h[i]) : safetensors_half(h[i]);
    free(h);
}

/* The header as JSON; *size becomes the number of bytes behind it. */
static json_t *read_header(FILE *f, const char *path, size_t *size)
{
    struct stat s;
    if (fstat(fileno(f), &s) != 0) die("cannot read %s: %s", path, strerror(errno));
    uint64_t length;
    *size = (size_t)s.st_size;
    if (*size < 8 || fread(&length, sizeof length, 1, f) != 1) {
        if (ferror(f)) die("cannot read %s: %s", path, strerror(errno));
        damaged(path, NULL, "it is shorter than 8 bytes");
    }
    if (length > *size - 8 || length > MOST_HEADER || length < 2)
        die("%s: its header would be %llu bytes long, %zu follow; the file is cut off, damaged or of another kind",
            path, (unsigned long long)length, *size - 8);
    char *text = must_calloc(length, 1);
    if (fread(text, 1, length, f) != length) damaged(path, NULL, "unexpected end of file");
    *size -= 8 + length;
    json_error_t wrong;
    json_t *root = text[0] == '{' ? json_loadb(text, length, JSON_REJECT_DUPLICATES, &wrong) : NULL;
    if (!root && text[0] != '{') damaged(path, NULL, "its header does not begin with {");
    if (!root)
        die("%s: header: %s (byte %d); the file is damaged or of another kind", path, wrong.text, wrong.position);
    free(text);
    return root;
}

/* Everything but the numbers; f stands at their beginning, (*p)[k] says where those of tensor k lie behind it. */
static safetensors read_places(FILE *f, const char *path, bool any, place **places)
{
    json_set_alloc_funcs(json_memory, free);
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    safetensors s = { .tensor = NULL };
    size_t size;
    json_t *root = read_header(f, path, &size), *entry;
    place *p = must_calloc(json_object_size(root), sizeof *p);
    s.tensor = must_calloc(json_object_size(root), sizeof *s.tensor);
    const char *name;
    json_object_foreach(root, name, entry) {
        if (strcmp(name, "__metadata__") == 0) {
            read_notes(&s, entry, path);
            continue;
        }
        const size_t k = (size_t)s.tensors++;
        s.tensor[k] = read_entry(entry, name, any, &p[k], size, path);
        p[k].tensor = k;
    }
    json_decref(root);
    qsort(p, (size_t)s.tensors, sizeof *p, by_place);
    size_t at = 0;
    for (long k = 0; k < s.tensors; k++) {
        const char *owner = s.tensor[p[k].tensor].name;
        if (p[k].from != at) damaged(path, owner, p[k].from < at ? "its numbers overlap another's" : "a gap before it");
        at = p[k].to;
    }
    if (at != size) damaged(path, NULL, "its length is not what its header says");
    *places = p;
    return s;
}

safetensors safetensors_read(const char *path)
{
    FILE *f = file_open(path);
    place *p;
    safetensors s = read_places(f, path, false, &p);
    for (long k = 0; k < s.tensors; k++) read_numbers(&s.tensor[p[k].tensor], &p[k], f, path);
    free(p);
    fclose(f);
    return s;
}

safetensors safetensors_index(const char *path)
{
    FILE *f = file_open(path);
    place *p;
    safetensors s = read_places(f, path, true, &p);
    const size_t begin = (size_t)ftell(f);
    for (long k = 0; k < s.tensors; k++) {
        s.tensor[p[k].tensor].from = begin + p[k].from;
        s.tensor[p[k].tensor].bytes = p[k].to - p[k].from;
    }
    free(p);
    fclose(f);
    return s;
}
