/* SPDX-License-Identifier: GPL-3.0-or-later
 * matrix_file.c - matrices from CSV files, exactly: see matrix_file.h. */
#include "src/data/matrix_file.h"
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/shown.h"

void matrix_read(fmpq_mat_t A, const char *path)
{
    matrix_bytes b = { .path = path };
    char *bytes = file_read(path, MATRIX_MAX_BYTES, &b.n);
    b.at = (unsigned char *)bytes;
    if (b.n == 0) die("%s: the file is empty; it must hold a matrix, as CSV or .npy", path);
    if (matrix_is_npy(&b)) matrix_parse_npy(A, &b);
    else matrix_parse_csv(A, &b);
    free(bytes);
}

void matrix_print(FILE *f, const fmpq_mat_t A)
{
    for (long i = 0; i < fmpq_mat_nrows(A); i++)
        for (long j = 0; j < fmpq_mat_ncols(A); j++) {
            char *text = fmpq_get_str(NULL, 10, fmpq_mat_entry(A, i, j));
            fprintf(f, "%s%s", text, j + 1 < fmpq_mat_ncols(A) ? "," : "\n");
            flint_free(text);
        }
}

/* ---- one number ---------------------------------------------------------------------------------------- */

/* A cell of the file: the bytes [at, end), cell number `column` of line `line`. */
typedef struct { const char *path; long line, column; const char *at, *end; long *digits_left; } cell;

_Noreturn static void wrong(const cell *x, const char *what)
{
    const size_t most = 24, n = (size_t)(x->end - x->at);
    die("%s, line %ld, number %ld: `%s%s` %s", x->path, x->line, x->column, shown_bytes(x->at, n < most ? n : most),
        n > most ? "..." : "", what);
}

static bool digit(char c) { return c >= '0' && c <= '9'; }

/* Digits from *at on become decimal digits of `to`, appended; how many there were. */
static long take_digits(fmpz_t to, const char **at, const char *end)
{
    const char *from = *at;
    while (*at < end && digit(**at)) (*at)++;
    const long n = *at - from;
    if (n == 0) return 0;
    char *text = must_calloc((size_t)n + 1, 1);
    memcpy(text, from, (size_t)n);
    fmpz_t more, shift;
    fmpz_init(more);
    fmpz_init(shift);
    fmpz_set_str(more, text, 10);
    fmpz_ui_pow_ui(shift, 10, (ulong)n);
    fmpz_mul(to, to, shift);
    fmpz_add(to, to, more);
    fmpz_clear(more);
    fmpz_clear(shift);
    free(text);
    return n;
}

/* The number after e; *at is past it. */
static long exponent(const cell *x, const char **at)
{
    const bool negative = *at < x->end && **at == '-';
    if (*at < x->end && (**at == '-' || **at == '+')) (*at)++;
    long value = 0, digits = 0;
    for (; *at < x->end && digit(**at); (*at)++, digits++)
        if (value <= MATRIX_MAX_EXPONENT) value = 10 * value + (**at - '0');
    if (!digits) wrong(x, "has no digits in its exponent; write 1.5e-3 or 3/7");
    if (value > MATRIX_MAX_EXPONENT) wrong(x, "has an exponent beyond 4096; scale the matrix");
    return negative ? -value : value;
}

static void scale_by_power_of_10(fmpq_t v, const fmpz_t mantissa, long e)
{
    fmpz_t power, one;
    fmpz_init(power);
    fmpz_init_set_ui(one, 1);
    fmpz_ui_pow_ui(power, 10, (ulong)labs(e));
    if (e < 0) fmpq_set_fmpz_frac(v, mantissa, power);
    else { fmpz_mul(power, power, mantissa); fmpq_set_fmpz_frac(v, power, one); }
    fmpz_clear(power);
    fmpz_clear(one);
}

static void parse_number(fmpq_t v, const cell *x)
{
    static const char *const form = "is not a number; write 12, -1.25e-3 or 3/7 (not nan or inf)";
    const char *at = x->at;
    *x->digits_left -= x->end - x->at;
    if (x->end - x->at > MATRIX_MAX_DIGITS) wrong(x, "has more than 4096 characters; round it");
    const bool negative = at < x->end && *at == '-';
    if (at < x->end && (*at == '-' || *at == '+')) at++;
    fmpz_t mantissa, den;
    fmpz_init(mantissa);
    fmpz_init(den);
    const long whole = take_digits(mantissa, &at, x->end);
    if (at < x->end && *at == '/') {
        at++;
        if (!whole || !take_digits(den, &at, x->end) || at != x->end) wrong(x, form);
        if (fmpz_is_zero(den)) wrong(x, "is divided by zero");
        fmpq_set_fmpz_frac(v, mantissa, den);
    } else {
        long decimals = 0, e = 0;
        if (at < x->end && *at == '.') { at++; decimals = take_digits(mantissa, &at, x->end); }
        if (whole + decimals == 0) wrong(x, x->at == x->end ? "is empty; give every row as many numbers" : form);
        if (at < x->end && (*at == 'e' || *at == 'E')) { at++; e = exponent(x, &at); }
        if (at != x->end) wrong(x, form);
        *x->digits_left -= labs(e);
        if (*x->digits_left < 0) wrong(x, "is one digit too many; give fewer than 2^27 in all");
        scale_by_power_of_10(v, mantissa, e - decimals);
    }
    if (negative) fmpq_neg(v, v);
    fmpz_clear(mantissa);
    fmpz_clear(den);
}

/* ---- lines --------------------------------------------------------------------------------------------- */

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void trim(const char **at, const char **end)
{
    while (*at < *end && blank(**at)) (*at)++;
    while (*at < *end && blank((*end)[-1])) (*end)--;
}

/* The next cell of [*at, end), trimmed; *at is past its separator, or NULL after the last one. */
static void next_cell(cell *x, const char **at, const char *end, bool commas)
{
    const char *stop = *at;
    while (stop < end && (commas ? *stop != ',' : !blank(*stop))) stop++;
    x->at = *at;
    x->end = stop;
    x->column++;
    trim(&x->at, &x->end);
    if (stop == end) { *at = NULL; return; }
    *at = stop + 1;
    while (!commas && blank(**at)) (*at)++;                     /* the line is trimmed: a number follows */
}

/* The next line that holds numbers, without its end and blanks; false: there is none. */
static bool text_next_line(const matrix_bytes *b, size_t *offset, long *line, const char **at, const char **end)
{
    while (*offset < b->n) {
        const char *from = (const char *)b->at + *offset, *stop = memchr(from, '\n', b->n - *offset);
        if (!stop) stop = (const char *)b->at + b->n;
        *offset = (size_t)(stop - (const char *)b->at) + 1;
        ++*line;
        *at = from;
        *end = stop;
        trim(at, end);
        if (*at < *end && **at != '#') return true;
    }
    return false;
}

void matrix_parse_csv(fmpq_mat_t A, const matrix_bytes *b)
{
    static const char bom[] = "\xef\xbb\xbf";
    const char *at, *end;
    long rows = 0, cols = 0, count = 0, room = 64, line = 0, digits_left = MATRIX_MAX_ALL_DIGITS;
    fmpq *v = _fmpq_vec_init(room);
    size_t offset = b->n >= 3 && memcmp(b->at, bom, 3) == 0 ? 3 : 0;
    while (text_next_line(b, &offset, &line, &at, &end)) {
        cell x = { .path = b->path, .line = line, .digits_left = &digits_left };
        const bool commas = memchr(at, ',', (size_t)(end - at)) != NULL;
        while (at) {
            next_cell(&x, &at, end, commas);
            if (count == MATRIX_MAX_ENTRIES) die("%s: more than 1048576 numbers; give a smaller matrix", b->path);
            if (count == room) {
                v = flint_realloc(v, 2 * (size_t)room * sizeof *v);
                for (long k = room; k < 2 * room; k++) fmpq_init(v + k);
                room *= 2;
            }
            parse_number(v + count++, &x);
        }
        if (rows++ == 0) cols = x.column;
        if (x.column != cols) die("%s, line %ld: %ld numbers, but %ld in the first row; rows must have one length",
                                  b->path, line, x.column, cols);
    }
    if (!rows) die("%s: no numbers; it must hold a matrix, one row a line", b->path);
    fmpq_mat_init(A, rows, cols);
    for (long k = 0; k < count; k++) fmpq_swap(fmpq_mat_entry(A, k / cols, k % cols), v + k);
    _fmpq_vec_clear(v, room);
}
