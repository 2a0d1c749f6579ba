/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_norm.c - LayerNorm (Ba, Kiros, Hinton 2016) with optional gain and bias, and the gradient of a bias, on the
 * CPU.  Sums over a row run in LANES lanes, sums over rows in their order: no bit depends on the vectors' width or on
 * the number of threads. */
#include <math.h>
#include <string.h>
#include "src/train/cpu/norm_loops.h"
#include "src/train/cpu/share.h"

enum { PARTS = 16 };                     /* of sums over rows */

#define SHARES 4
#define TARGET
#define NAMED(name) name##_default
#include "src/train/cpu/norm_lanes.h"

#if defined __x86_64__ && defined __GNUC__
#ifdef __clang__
#define FOR(set) __attribute__((target(set)))
#else
#define FOR(set) __attribute__((target(set), optimize("O3")))
#endif
#define SHARES 2
#define TARGET FOR("avx2")
#define NAMED(name) name##_avx2
#include "src/train/cpu/norm_lanes.h"

#define SHARES 1
#define TARGET FOR("avx512f")
#define NAMED(name) name##_avx512f
#include "src/train/cpu/norm_lanes.h"
#endif

const norm_loops *norm_sets(size_t *n)
{
    static const norm_loops all[] = {
#if defined __x86_64__ && defined __GNUC__
        { norm_rows_avx512f, norm_rows_bwd_avx512f, sum_rows_avx512f },
        { norm_rows_avx2, norm_rows_bwd_avx2, sum_rows_avx2 },
#endif
        { norm_rows_default, norm_rows_bwd_default, sum_rows_default },
    };
    size_t first = 0;
#if defined __x86_64__ && defined __GNUC__
    if (!__builtin_cpu_supports("avx512f")) first = __builtin_cpu_supports("avx2") ? 1 : 2;
#endif
    *n = COUNT(all) - first;
    return all + first;
}

static const norm_loops *best(void)
{
    size_t n;
    return norm_sets(&n);
}

static void cpu_norm_fwd(void *to, void *means, void *rstds, const void *from, const void *g, const void *b,
                         long R, long C, double eps)
{
    real *y = to, *mean = means, *rstd = rstds;
    const real *x = from;
    const norm_loops *l = best();
    #pragma omp parallel for schedule(static) if (R * C > FORK_NUMBERS)
    for (long r = 0; r < R; r += NORM_ROWS)
        l->forward(y + r * C, mean + r, rstd + r, x + r * C, g, b, fewer(NORM_ROWS, R - r), C, eps);
}

/* ---- sums over rows: of PARTS pieces of the rows, added in their order -------------------------------------- */

typedef struct { real g[PARTS][NORM_COLUMNS], b[PARTS][NORM_COLUMNS]; } part_sums;

static void sum_columns(real *dg, real *db, const real *dy, const real *x, const real *mean, const real *rstd, long R,
                        long C)
{
    const long part = (R + PARTS - 1) / PARTS;
    const norm_loops *l = best();
    for (long from = 0; from < C; from += NORM_COLUMNS) {
        const long n = fewer(NORM_COLUMNS, C - from);
        part_sums s;
        #pragma omp parallel for schedule(static) if (R * C > FORK_NUMBERS)
        for (long k = 0; k < PARTS; k++) {
            const long first = fewer(k * part, R), rows = fewer(part, R - first), at = first * C + from;
            l->sums(s.g[k], s.b[k], dy + at, x ? x + at : NULL, x ? mean + first : NULL, x ? rstd + first : NULL,
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
    const norm_loops *l = best();
    #pragma omp parallel for schedule(static) if (R * C > FORK_NUMBERS)
    for (long r = 0; r < R; r += NORM_ROWS)
        l->backward(dx + r * C, dy + r * C, x + r * C, g, mean + r, rstd + r, fewer(NORM_ROWS, R - r), C);
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
