/* cpu_norm.c - LayerNorm (Ba, Kiros, Hinton 2016) with optional gain and bias, and the gradient of a bias, on the
 * CPU.  Sums over a row run in LANES lanes, sums over rows in their order: no bit depends on the vectors' width or on
 * the number of threads. */
#include <math.h>
#include <string.h>
#include "src/train/cpu/lanes.h"
#include "src/train/cpu/share.h"


enum { ROWS = 64 };                      /* of a task, at most */

/* Rows of C numbers as vectors: the last of a row may be a part of one. */
typedef struct { long C, rest; lane_bits own; } columns;         /* rest: numbers of the last vector, and their bits */
INSIDE void columns_of(columns *k, long C)
{
    k->C = C;
    k->rest = (C - 1) % LANES + 1;
    lanes_of_part(&k->own, k->rest);
}

/* y = x from column c on, after which the matrix has `spare` more rows of `row` numbers. */
INSIDE void load(lanes *y, const real *x, long c, long spare, long row, const columns *k)
{
    if (c + LANES <= k->C) *y = *(const lanes *)(x + c);
    else                   load_part(y, x + c, k->rest, spare * row, &k->own);
}
INSIDE void save(real *y, const lanes *x, long c, const columns *k)
{
    if (c + LANES <= k->C) *(lanes *)(y + c) = *x;
    else                   store_part(y + c, x, k->rest);
}
/* x - mean; 0 where the row is over. */
INSIDE void centred(lanes *z, const real *x, long c, long spare, long row, const columns *k, real mean)
{
    load(z, x, c, spare, row, k);
    *z -= mean;
    if (c + LANES > k->C) *(lane_bits *)z &= k->own;
}

INSIDE real row_mean(const real *x, long spare, const columns *k)
{
    lanes sum = { 0 }, v;
    for (long c = 0; c < k->C; c += LANES) {
        load(&v, x, c, spare, k->C, k);
        sum += v;
    }
    return sum_of_lanes(&sum) / (real)k->C;
}

INSIDE real row_variance(const real *x, long spare, const columns *k, real mean)
{
    lanes sum = { 0 }, v;
    for (long c = 0; c < k->C; c += LANES) {
        centred(&v, x, c, spare, k->C, k, mean);
        sum += v * v;
    }
    return sum_of_lanes(&sum) / (real)k->C;
}

/* The last vectors of gain and bias, which no row follows; 0 where there are none. */
INSIDE void load_last(lanes *y, const real *x, const columns *k)
{
    if (x) load_part(y, x + k->C - k->rest, k->rest, 0, &k->own);
}

VECTOR_CLONES
static void norm_rows(real *restrict y, real *restrict mean, real *restrict rstd, const real *restrict x,
                      const real *restrict g, const real *restrict b, long R, long C, double eps)
{
    columns k;
    columns_of(&k, C);
    lanes last_g = { 0 }, last_b = { 0 };
    load_last(&last_g, g, &k);
    load_last(&last_b, b, &k);
    real variance[ROWS];
    for (long r = 0; r < R; r++) {
        mean[r] = row_mean(x + r * C, R - 1 - r, &k);
        variance[r] = row_variance(x + r * C, R - 1 - r, &k, mean[r]);
    }
    for (long r = 0; r < R; r++) rstd[r] = (real)(1 / sqrt((double)variance[r] + eps));
    for (long r = 0; r < R; r++, x += C, y += C)
        for (long c = 0; c < C; c += LANES) {
            const bool whole = c + LANES <= C;
            lanes z;
            centred(&z, x, c, R - 1 - r, C, &k, mean[r]);
            z *= rstd[r];
            if (g) {
                if (whole) z *= *(const lanes *)(g + c);
                else       z *= last_g;
            }
            if (b) {
                if (whole) z += *(const lanes *)(b + c);
                else       z += last_b;
            }
            save(y, &z, c, &k);
        }
}

static void cpu_norm_fwd(void *to, void *means, void *rstds, const void *from, const void *g, const void *b,
                         long R, long C, double eps)
{
    real *y = to, *mean = means, *rstd = rstds;
    const real *x = from;
    #pragma omp parallel for schedule(static) if (R * C > FORK_NUMBERS)
    for (long r = 0; r < R; r += ROWS)
        norm_rows(y + r * C, mean + r, rstd + r, x + r * C, g, b, fewer(ROWS, R - r), C, eps);
}

/* e = dy g from column c on, or dy where g is NULL; last_g: g's last numbers as a vector. */
INSIDE void load_scaled(lanes *e, const real *dy, const real *g, const lanes *last_g, long c, long spare, long row,
                        const columns *k)
{
    load(e, dy, c, spare, row, k);
    if (g) *e *= c + LANES <= k->C ? *(const lanes *)(g + c) : *last_g;
}

/* With z = (x - mean) rstd and e = dy g:  dx += rstd (e - mean(e) - z mean(e z)). */
VECTOR_CLONES
static void norm_rows_bwd(real *restrict dx, const real *restrict dy, const real *restrict x, const real *restrict g,
                          const real *restrict mean, const real *restrict rstd, long R, long C)
{
    columns k;
    columns_of(&k, C);
    lanes last_g = { 0 };
    load_last(&last_g, g, &k);
    for (long r = 0; r < R; r++, dx += C, dy += C, x += C) {
        const long spare = R - 1 - r;
        lanes e_sum = { 0 }, ez_sum = { 0 }, e, z, v;
        for (long c = 0; c < C; c += LANES) {
            load_scaled(&e, dy, g, &last_g, c, spare, C, &k);
            centred(&z, x, c, spare, C, &k, mean[r]);
            e_sum += e;
            ez_sum += e * (z * rstd[r]);
        }
        const real e_mean = sum_of_lanes(&e_sum) / (real)C, ez_mean = sum_of_lanes(&ez_sum) / (real)C;
        for (long c = 0; c < C; c += LANES) {
            load_scaled(&e, dy, g, &last_g, c, spare, C, &k);
            centred(&z, x, c, spare, C, &k, mean[r]);
            load(&v, dx, c, spare, C, &k);
            v += rstd[r] * (e - e_mean - z * rstd[r] * ez_mean);
            save(dx, &v, c, &k);
        }
    }
}

/* ---- sums over rows: of PARTS pieces of the rows, added in their order -------------------------------------- */

enum { PARTS = 16, COLUMNS = 4 * LANES };
typedef struct { real g[PARTS][COLUMNS], b[PARTS][COLUMNS]; } part_sums;

/* b = the sums of dy, and g, where x is given, of dy (x - mean) rstd, over R rows and C <= COLUMNS columns, some of
 * `row`. */
VECTOR_CLONES
static void sum_rows(real *restrict g, real *restrict b, const real *restrict dy, const real *restrict x,
                     const real *restrict mean, const real *restrict rstd, long R, long C, long row)
{
    columns k;
    columns_of(&k, C);
    for (long c = 0; c < C; c += LANES) {
        lanes of_g = { 0 }, of_b = { 0 }, e, z;
        for (long r = 0; r < R; r++) {
            load(&e, dy + r * row, c, R - 1 - r, row, &k);
            of_b += e;
            if (!x) continue;
            centred(&z, x + r * row, c, R - 1 - r, row, &k, mean[r]);
            of_g += e * z * rstd[r];
        }
        *(lanes *)(b + c) = of_b;
        *(lanes *)(g + c) = of_g;
    }
}

static void sum_columns(real *dg, real *db, const real *dy, const real *x, const real *mean, const real *rstd, long R,
                        long C)
{
    const long part = (R + PARTS - 1) / PARTS;
    for (long from = 0; from < C; from += COLUMNS) {
        const long n = fewer(COLUMNS, C - from);
        part_sums s;
        #pragma omp parallel for schedule(static) if (R * C > FORK_NUMBERS)
        for (long k = 0; k < PARTS; k++) {
            const long first = fewer(k * part, R), rows = fewer(part, R - first), at = first * C + from;
            sum_rows(s.g[k], s.b[k], dy + at, x ? x + at : NULL, x ? mean + first : NULL, x ? rstd + first : NULL,
                     rows, n, C);
        }
        for (long k = 0; k < PARTS; k++)
            for (long c = 0; c < n; c++) {
                if (dg) dg[from + c] += s.g[k][c];
                if (db) db[from + c] += s.b[k][c];
            }
    }
}

static void cpu_norm_bwd(void *dxs, void *rounded, void *dg, void *db, const void *dys, const void *from,
                         const void *means, const void *rstds, const void *g, long R, long C)
{
    real *dx = dxs;
    const real *dy = dys, *x = from, *mean = means, *rstd = rstds;
    #pragma omp parallel for schedule(static) if (R * C > FORK_NUMBERS)
    for (long r = 0; r < R; r += ROWS)
        norm_rows_bwd(dx + r * C, dy + r * C, x + r * C, g, mean + r, rstd + r, fewer(ROWS, R - r), C);
    if (rounded) memcpy(rounded, dx, (size_t)(R * C) * sizeof *dx);
    if (dg || db) sum_columns(dg, db, dy, dg ? x : NULL, mean, rstd, R, C);
}

static void cpu_bias_bwd(void *db, const void *dy, long R, long C)
{
    sum_columns(NULL, db, dy, NULL, NULL, NULL, R, C);
}

void cpu_fill_norm(ops *o)
{
    o->norm_fwd = cpu_norm_fwd;
    o->norm_bwd = cpu_norm_bwd;
    o->bias_bwd = cpu_bias_bwd;
}
