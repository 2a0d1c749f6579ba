/* SPDX-License-Identifier: GPL-3.0-or-later
 * lost.c - see lost.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/memory.h"
#include "src/checkpoint/lost.h"

enum { SWEEPS = 4 };                     /* factors of rows and columns are gone after one */

/* of_rows, of_cols: factors of the squares.  size, lost: a row. */
typedef struct { const lost_numbers *n; double *of_rows, *of_cols, *size, *lost, *sum; } balance;

static double inverse(double sum) { return sum > 0 ? 1 / sum : 0; }

static void sweep(balance *b)
{
    const long cols = b->n->cols;
    for (long j = 0; j < cols; j++) b->sum[j] = 0;
    for (long i = 0; i < b->n->rows; i++) {
        double row = 0;
        b->n->row(b->n->of, i, b->size, b->lost);
        for (long j = 0; j < cols; j++) row += b->size[j] * b->size[j] * b->of_cols[j];
        b->of_rows[i] = inverse(row);
        for (long j = 0; j < cols; j++) b->sum[j] += b->of_rows[i] * b->size[j] * b->size[j];
    }
    for (long j = 0; j < cols; j++) b->of_cols[j] = inverse(b->sum[j]);
}

/* A line: of balanced squares all and what is lost; numbers that are not zero, and those that are gone. */
typedef struct { double all, lost; long numbers, gone; } line_sum;

static void add_number(line_sum *l, double weight, double size, double lost)
{
    l->all += weight * size * size;
    l->lost += weight * lost * lost;
    l->numbers += size > 0;
    l->gone += lost > LOST_ENTRY * size;
}

/* Lines that are zero in both have lost nothing. */
static bool too_much(const line_sum *l, double unit)
{
    const double most = fmin(LOST_MOST, LOST_UNITS * unit);
    return !(l->lost <= most * most * l->all) || (double)l->gone > fmax(2, LOST_SHARE * (double)l->numbers);
}

static bool some_line_lost(balance *b)
{
    const long rows = b->n->rows, cols = b->n->cols;
    line_sum *col = must_calloc((size_t)cols, sizeof *col);
    bool found = false;
    for (long i = 0; i < rows && !found; i++) {
        line_sum row = { 0, 0, 0, 0 };
        b->n->row(b->n->of, i, b->size, b->lost);
        for (long j = 0; j < cols; j++) {
            const double w = b->of_rows[i] * b->of_cols[j];
            line_sum one = { 0, 0, 0, 0 };
            add_number(&row, w, b->size[j], b->lost[j]);
            add_number(&col[j], w, b->size[j], b->lost[j]);
            add_number(&one, 1, b->size[j], b->lost[j]);
            found = found || (b->n->each && too_much(&one, b->n->unit));
        }
        found = found || (cols > 1 && too_much(&row, b->n->unit));
    }
    for (long j = 0; j < cols && rows > 1 && !found; j++) found = too_much(&col[j], b->n->unit);
    free(col);
    return found;
}

bool numbers_lost(const lost_numbers *n)
{
    balance b = { .n = n, .of_rows = must_calloc((size_t)(n->rows + 4 * n->cols), sizeof(double)) };
    b.of_cols = b.of_rows + n->rows;
    b.size = b.of_cols + n->cols;
    b.lost = b.size + n->cols;
    b.sum = b.lost + n->cols;
    for (long i = 0; i < n->rows; i++) b.of_rows[i] = 1;
    for (long j = 0; j < n->cols; j++) b.of_cols[j] = 1;
    for (int k = 0; k < SWEEPS && n->rows > 1 && n->cols > 1; k++) sweep(&b);
    const bool found = some_line_lost(&b);
    free(b.of_rows);
    return found;
}

/* ---- in memory --------------------------------------------------------------------------------------------------- */

typedef struct { long cols; const double *size, *lost; } in_memory;

static void row_in_memory(void *of, long k, double *size, double *lost)
{
    const in_memory *m = of;
    memcpy(size, m->size + k * m->cols, (size_t)m->cols * sizeof *size);
    memcpy(lost, m->lost + k * m->cols, (size_t)m->cols * sizeof *lost);
}

bool numbers_lost_in(long rows, long cols, double unit, const double *size, const double *lost)
{
    bool some = false;
    for (long k = 0; k < rows * cols && !some; k++) some = lost[k] != 0;
    in_memory m = { cols, size, lost };
    return some && numbers_lost(&(lost_numbers){ rows, cols, unit, false, row_in_memory, &m });
}
