/* SPDX-License-Identifier: GPL-3.0-or-later
 * numbers_apart.c - see numbers_apart.h. */
#include <math.h>
#include <string.h>
#include "src/checkpoint/lost.h"
#include "src/checkpoint/numbers_apart.h"

enum { BLOCK = 1 << 16, SOME = 1 << 10, LANES = 8 };     /* numbers: of a thread, decoded together; side by side */

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

/* Numbers `from` ... of a line of both, which a thread takes together; or `lines` whole lines, where they are short. */
typedef struct { long pieces, in_line, lines; } pieces;

static pieces pieces_of(const tensor_lines *a)
{
    const long in_line = (a->wide + BLOCK - 1) / BLOCK, lines = a->wide < BLOCK && a->wide > 0 ? BLOCK / a->wide : 1;
    return (pieces){ in_line > 1 ? a->lines * in_line : (a->lines + lines - 1) / lines, in_line, lines };
}

typedef struct { size_t a, b; long n; } run;

/* Runs of a piece: one of a long line, or its lines. */
static bool next_run(const tensor_lines *a, const tensor_lines *b, const pieces *p, long piece, long k, run *to)
{
    if (p->in_line > 1) {
        const long line = piece / p->in_line, from = piece % p->in_line * BLOCK;
        *to = (run){ tensor_line(a, line) + (size_t)from, tensor_line(b, line) + (size_t)from,
                     a->wide - from < BLOCK ? a->wide - from : BLOCK };
        return k == 0;
    }
    const long line = piece * p->lines + k;
    if (k >= p->lines || line >= a->lines) return false;
    *to = (run){ tensor_line(a, line), tensor_line(b, line), a->wide };
    return true;
}

/* ---- the same bytes ---------------------------------------------------------------------------------------------- */

static size_t size_of(const weight_tensor *t) { return t->n ? t->bytes / t->n : 0; }

/* The exponent, in the last two bytes of a number, is nowhere all ones. */
static bool finite_bytes(const weight_tensor *t, size_t from, long n)
{
    static const uint16_t exponent[] = { [NUMBERS_F32] = 0x7f80, [NUMBERS_F64] = 0x7ff0, [NUMBERS_F16] = 0x7c00,
                                         [NUMBERS_BF16] = 0x7f80 };
    const size_t size = size_of(t);
    if (n == 0) return true;
    const uint16_t ones = exponent[t->numbers];
    const unsigned char *at = t->at + from * size + size - 2;
    unsigned not_finite = 0;
    if (size == 2)                                       /* one behind the other: some at a time */
        for (long k = 0; k < n; k++) {
            uint16_t bits;
            memcpy(&bits, at + 2 * k, 2);
            not_finite |= (bits & ones) == ones;
        }
    else
        for (long k = 0; k < n; k++) {
            uint16_t bits;
            memcpy(&bits, at + size * (size_t)k, 2);
            not_finite |= (bits & ones) == ones;
        }
    return !not_finite;
}

/* 1: the same bytes, all finite; 0: others; -1: the same, not all finite. */
static int same_bytes(const tensor_lines *a, const tensor_lines *b)
{
    const pieces p = pieces_of(a);
    const size_t size = size_of(a->t);
    int same = 1, finite = 1;
    #pragma omp parallel for schedule(static) reduction(&: same, finite) if (p.pieces > 1)
    for (long piece = 0; piece < p.pieces; piece++) {
        run r;
        for (long k = 0; same && next_run(a, b, &p, piece, k, &r); k++) {
            same = memcmp(a->t->at + r.a * size, b->t->at + r.b * size, (size_t)r.n * size) == 0;
            finite &= finite_bytes(a->t, r.a, r.n);
        }
    }
    return !same ? 0 : finite ? 1 : -1;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Maxima of numbers k, k + LANES, ...: the compiler does not have to keep their order. */
typedef struct {
    double most[LANES], off[LANES], units[LANES];
    uint64_t unequal[LANES], not_a_number[LANES], below[LANES];
} maxima;

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* x, y: LANES numbers, or zeros behind the last ones. */
static void take(maxima *m, const double *x, const double *y, double unit, double least)
{
    for (int l = 0; l < LANES; l++) {
        const double off = fabs(x[l] - y[l]), size = fabs(y[l]), larger = fabs(x[l]) > size ? fabs(x[l]) : size;
        const double units = off / (unit * size + least);     /* 0 / 0 is larger than nothing */
        m->unequal[l] |= bits_of(x[l]) ^ bits_of(y[l]);
        m->not_a_number[l] |= off != off;
        m->below[l] |= off > ROUNDING_UNITS * unit * size;
        m->most[l] = larger > m->most[l] ? larger : m->most[l];
        m->off[l] = off > m->off[l] ? off : m->off[l];
        m->units[l] = units > m->units[l] ? units : m->units[l];
    }
}

static void take_run(maxima *m, const tensor_lines *a, const tensor_lines *b, const run *r, const rounding *by,
                     double *x, double *y)
{
    for (long from = 0; from < r->n; from += SOME) {
        const long n = r->n - from < SOME ? r->n - from : SOME;
        weight_numbers(a->t, r->a + (size_t)from, (size_t)n, x);
        weight_numbers(b->t, r->b + (size_t)from, (size_t)n, y);
        for (long k = n; k % LANES; k++) x[k] = y[k] = 0;
        for (long k = 0; k < n; k += LANES) take(m, x + k, y + k, by->unit, by->least);
    }
}

numbers_apart numbers_apart_of(const tensor_lines *a, const tensor_lines *b)
{
    REQUIRE(a->lines == b->lines && a->wide == b->wide, "%ld of %ld, %ld of %ld", a->lines, a->wide, b->lines, b->wide);
    const bool typed = a->t->numbers == b->t->numbers && a->t->numbers != NUMBERS_QUANTISED;
    const int same = typed ? same_bytes(a, b) : 0;
    if (same) return (numbers_apart){ .equal = true, .finite = same > 0 };
    const rounding by = rounding_of(a->t->numbers, b->t->numbers);
    const pieces p = pieces_of(a);
    double most = 0, off = 0, units = 0;
    uint64_t unequal = 0, not_a_number = 0, below = 0;
    #pragma omp parallel for schedule(static) reduction(max: most, off, units) \
        reduction(|: unequal, not_a_number, below) if (p.pieces > 1)
    for (long piece = 0; piece < p.pieces; piece++) {
        maxima m = { .most = { 0 } };
        double x[SOME], y[SOME];
        run r;
        for (long k = 0; next_run(a, b, &p, piece, k, &r); k++) take_run(&m, a, b, &r, &by, x, y);
        for (int l = 0; l < LANES; l++) {
            most = fmax(most, m.most[l]);
            off = fmax(off, m.off[l]);
            units = fmax(units, m.units[l]);
            unequal |= m.unequal[l];
            not_a_number |= m.not_a_number[l];
            below |= m.below[l];
        }
    }
    if (not_a_number) off = INFINITY;
    if (!(off < INFINITY)) units = INFINITY;
    return (numbers_apart){ .equal = !unequal, .finite = !not_a_number && most < INFINITY, .most = most, .off = off,
                            .units = units, .below = below };
}

/* ---- numbers that were lost -------------------------------------------------------------------------------------- */

typedef struct { const tensor_lines *a, *b; rounding by; } two_tensors;

static void row_of_two(void *of, long k, double *size, double *lost)
{
    const two_tensors *t = of;
    const long n = t->a->wide;
    weight_numbers(t->a->t, tensor_line(t->a, k), (size_t)n, lost);
    weight_numbers(t->b->t, tensor_line(t->b, k), (size_t)n, size);
    for (long j = 0; j < n; j++) {
        const double off = fabs(lost[j] - size[j]), b = fabs(size[j]);
        lost[j] = lost_of(off, ROUNDING_UNITS, t->by.unit, b);
        size[j] = fmax(b, off);
    }
}

bool numbers_apart_lost(const tensor_lines *a, const tensor_lines *b, bool each)
{
    two_tensors t = { a, b, rounding_of(a->t->numbers, b->t->numbers) };
    return numbers_lost(&(lost_numbers){ a->lines, a->wide, t.by.unit, each, row_of_two, &t });
}
