/* SPDX-License-Identifier: GPL-3.0-or-later
 * matrix_npy.c - NumPy's array files.
 *
 *     \x93NUMPY major minor, length of the header (2 bytes; 4 from version 2 on; little-endian), header, data
 *
 * The header is a Python dictionary, {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }, padded by blanks
 * and ended by a newline.  No more of Python is read than that; keys come in any order, each once.           */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/data/matrix_file.h"
#include "src/data/safetensors.h"

typedef struct { const char *path, *at, *end; } cursor;
typedef struct { char order, kind; long size; bool fortran; long rows, cols; } layout;

bool matrix_is_npy(const matrix_bytes *b) { return b->n >= 6 && memcmp(b->at, "\x93NUMPY", 6) == 0; }

/* ---- the header ---------------------------------------------------------------------------------------- */

_Noreturn static void no_header(const cursor *c, const char *what)
{
    die("%s: the .npy header %s; save the matrix again with numpy.save", c->path, what);
}

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t')) c->at++;
}

static bool take(cursor *c, const char *text)                    /* blanks, then `text`, if it is there */
{
    skip_blanks(c);
    const size_t n = strlen(text);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, text, n) != 0) return false;
    c->at += n;
    return true;
}

static void expect(cursor *c, const char *text)
{
    if (!take(c, text)) no_header(c, "is not of the form {'descr': ..., 'fortran_order': ..., 'shape': (...), }");
}

static void take_string(cursor *c, char *to, size_t size)
{
    skip_blanks(c);
    const char quote = c->at < c->end ? *c->at : '\0';
    if (quote == '[') die("%s: the array has named fields (a structured dtype); save one numeric matrix", c->path);
    if (quote != '\'' && quote != '"') no_header(c, "lacks a quoted string");
    const char *from = ++c->at;
    while (c->at < c->end && *c->at != quote) c->at++;
    if (c->at == c->end) no_header(c, "has a string without an end");
    if ((size_t)(c->at - from) >= size) no_header(c, "has a string that is too long");
    memcpy(to, from, (size_t)(c->at - from));
    to[c->at - from] = '\0';
    c->at++;
}

_Noreturn static void too_many(const cursor *c)
{
    die("%s: the shape says more than 1048576 numbers; give a smaller matrix", c->path);
}

static long take_size(cursor *c)
{
    skip_blanks(c);
    long value = 0;
    const char *from = c->at;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        value = 10 * value + (*c->at - '0');
        if (value > MATRIX_MAX_ENTRIES) too_many(c);
    }
    if (c->at == from) no_header(c, "has a shape that is not a tuple of whole numbers");
    if (c->at < c->end && *c->at == 'L') c->at++;                /* Python 2 writes a long integer so */
    return value;
}

static void take_shape(cursor *c, layout *l)
{
    long size[3] = { 0, 1 }, n = 0;
    expect(c, "(");
    while (!take(c, ")")) {
        if (n == 2) die("%s: the array has more than two dimensions; give a matrix", c->path);
        size[n++] = take_size(c);
        if (!take(c, ",")) { expect(c, ")"); break; }
    }
    if (n == 0) die("%s: the array has no dimension; give a matrix", c->path);
    if (size[0] == 0 || size[1] == 0) die("%s: the matrix is empty (%ld x %ld)", c->path, size[0], size[1]);
    if (size[0] > MATRIX_MAX_ENTRIES / size[1]) too_many(c);
    l->rows = size[0];
    l->cols = size[1];
}

/* '<f8': byte order, kind, bytes */
static void take_descr(cursor *c, layout *l)
{
    static const char *const known[] = { "f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8" };
    char text[16];
    bool is_known = false;
    take_string(c, text, sizeof text);
    if (text[0] && strchr("OVSUabcmM?", text[1] && strchr("<>=|", text[0]) ? text[1] : text[0]))
        die("%s: dtype %s holds no real numbers; convert it with .astype(float)", c->path, text);
    for (size_t k = 0; text[0] && strchr("<>=|", text[0]) && k < COUNT(known); k++)
        is_known |= strcmp(text + 1, known[k]) == 0;
    if (!is_known)
        die("%s: dtype %s is not known; use float64, float32, float16 or an integer of up to 64 bits", c->path, text);
    *l = (layout){ text[0], text[1], text[2] - '0', l->fortran, l->rows, l->cols };
    if (l->order == '|' && l->size > 1) die("%s: dtype %s has no byte order; save the matrix again", c->path, text);
}

static layout parse_header(cursor *c)
{
    layout l = { 0 };
    unsigned seen = 0;
    expect(c, "{");
    while (!take(c, "}")) {
        char key[16];
        take_string(c, key, sizeof key);
        expect(c, ":");
        const unsigned bit = strcmp(key, "descr") == 0 ? 1 : strcmp(key, "fortran_order") == 0 ? 2
                           : strcmp(key, "shape") == 0 ? 4 : 0;
        if (!bit || seen & bit) no_header(c, "has another key, or one twice");
        seen |= bit;
        if (bit == 1) take_descr(c, &l);
        if (bit == 2) { l.fortran = take(c, "True"); if (!l.fortran) expect(c, "False"); }
        if (bit == 4) take_shape(c, &l);
        if (!take(c, ",")) { expect(c, "}"); break; }
    }
    skip_blanks(c);
    if (seen != 7 || c->at != c->end) no_header(c, "is incomplete, or continues after its end");
    return l;
}

/* ---- the numbers --------------------------------------------------------------------------------------- */

static uint64_t bits_at(const unsigned char *p, const layout *l)
{
    uint64_t x = 0;
    for (long k = 0; k < l->size; k++) x |= (uint64_t)p[l->order == '>' ? l->size - 1 - k : k] << (8 * k);
    return x;
}

static void number(fmpq_t v, uint64_t x, const layout *l, const char *path, long i, long j)
{
    fmpz_t n;
    fmpz_init(n);
    if (l->kind == 'f') {
        const uint32_t low = (uint32_t)x;
        float single;
        double value;
        memcpy(&single, &low, sizeof single);
        memcpy(&value, &x, sizeof value);
        if (l->size < 8) value = l->size == 4 ? (double)single : (double)safetensors_half((uint16_t)x);
        if (!isfinite(value)) die("%s: entry (%ld, %ld) is infinite or no number; remove it", path, i + 1, j + 1);
        mpq_t exact;
        mpq_init(exact);
        mpq_set_d(exact, value);
        fmpq_set_mpq(v, exact);
        mpq_clear(exact);
    } else {
        const int unused = (int)(64 - 8 * l->size);
        if (l->kind == 'u') fmpz_set_ui(n, x);
        else fmpz_set_si(n, (int64_t)(x << unused) >> unused);   /* the sign bit spreads */
        fmpq_set_fmpz(v, n);
    }
    fmpz_clear(n);
}

void matrix_parse_npy(fmpq_mat_t A, const matrix_bytes *b)
{
    const size_t start = b->n > 6 && b->at[6] == 1 ? 10 : 12;
    if (b->n < start) die("%s: the .npy header is cut off; copy or save the file again", b->path);
    if (b->at[6] < 1 || b->at[6] > 3) die("%s: .npy version %d is not known; versions 1 to 3 are", b->path, b->at[6]);
    size_t length = 0;
    for (size_t k = 8; k < start; k++) length |= (size_t)b->at[k] << (8 * (k - 8));
    if (length > MATRIX_MAX_HEADER) die("%s: the .npy header claims %zu bytes, more than 65536", b->path, length);
    if (length > b->n - start) die("%s: the .npy header is cut off; copy or save the file again", b->path);
    cursor c = { b->path, (const char *)b->at + start, (const char *)b->at + start + length };
    const layout l = parse_header(&c);
    const size_t wanted = (size_t)l.rows * (size_t)l.cols * (size_t)l.size, data = b->n - start - length;
    if (data < wanted) die("%s: %zu bytes of data, but a %ld x %ld matrix needs %zu; the file is cut off", b->path,
                           data, l.rows, l.cols, wanted);
    if (data > wanted) die("%s: %zu bytes after the matrix; save it alone", b->path, data - wanted);
    fmpq_mat_init(A, l.rows, l.cols);
    for (long i = 0; i < l.rows; i++)
        for (long j = 0; j < l.cols; j++) {
            const long k = l.fortran ? j * l.rows + i : i * l.cols + j;
            const uint64_t x = bits_at(b->at + start + length + k * l.size, &l);
            number(fmpq_mat_entry(A, i, j), x, &l, b->path, i, j);
        }
}
