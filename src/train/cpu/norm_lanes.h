/* SPDX-License-Identifier: GPL-3.0-or-later
 * norm_lanes.h - the loops of norm_loops.h.  cpu_norm.c includes this once for each set of instructions: SHARES, how
 * many vectors of the CPU make up 64 bytes; TARGET, the attribute of functions; NAMED(name), their names.  gcc keeps a
 * vector of 64 bytes in memory where the CPU has no register for it, and each sum then waits for the one before it to
 * come back from there; shares of it stay in registers.  Which numbers are added in which order is the same for all: so
 * are the bits. */

#define share NAMED(share)
#define share_bits NAMED(share_bits)
#define vector NAMED(vector)
#define columns NAMED(columns)
#define SHARE NAMED(SHARE)
#define columns_of NAMED(columns_of)
#define load_last NAMED(load_last)
#define load NAMED(load)
#define save NAMED(save)
#define centred NAMED(centred)
#define total NAMED(total)
#define row_mean NAMED(row_mean)
#define row_variance NAMED(row_variance)
#define last_of NAMED(last_of)
#define norm_rows NAMED(norm_rows)
#define load_scaled NAMED(load_scaled)
#define norm_rows_bwd NAMED(norm_rows_bwd)
#define sum_rows NAMED(sum_rows)

enum { SHARE = LANES / SHARES };
typedef real share __attribute__((vector_size(64 / SHARES), aligned(sizeof(real)), may_alias));
typedef lane_int share_bits __attribute__((vector_size(64 / SHARES), aligned(sizeof(real)), may_alias));
typedef struct { share at[SHARES]; } vector;
#define EACH _Pragma("GCC unroll 4") for (int k = 0; k < SHARES; k++)
#define FROM(x, k) (*(const share *)((x) + (k) * SHARE))
#define HERE __attribute__((always_inline)) TARGET static inline

/* Rows of C numbers as vectors: the last of a row may be a part of one. */
typedef struct { long C, rest; share_bits own[SHARES]; } columns;     /* rest: numbers of the last one; own: its bits */
HERE void columns_of(columns *q, long C)
{
    lane_int own[LANES];
    q->C = C;
    q->rest = (C - 1) % LANES + 1;
    for (int i = 0; i < LANES; i++) own[i] = i < q->rest ? -1 : 0;
    EACH q->own[k] = *(const share_bits *)(own + k * SHARE);
}

/* y = the last numbers of a row, x and on, then 0.  Where the matrix goes on for `spare` numbers after them the whole
 * vector is read, and what is not the row's own cleared: much faster than to put it together. */
HERE void load_last(vector *y, const real *x, long spare, const columns *q)
{
    if (q->rest + spare >= LANES) EACH y->at[k] = (share)(*(const share_bits *)(x + k * SHARE) & q->own[k]);
    else {
        real last[LANES] = { 0 };
        copy_part(last, x, q->rest);
        EACH y->at[k] = FROM(last, k);
    }
}

/* y = x from column c on, after which the matrix has `spare` more rows of `row` numbers. */
HERE void load(vector *y, const real *x, long c, long spare, long row, const columns *q)
{
    if (c + LANES <= q->C) EACH y->at[k] = FROM(x + c, k);
    else                   load_last(y, x + c, spare * row, q);
}
HERE void save(real *y, const vector *x, long c, const columns *q)
{
    if (c + LANES <= q->C) EACH *(share *)(y + c + k * SHARE) = x->at[k];
    else {
        real last[LANES];
        EACH *(share *)(last + k * SHARE) = x->at[k];
        copy_part(y + c, last, q->rest);
    }
}
/* x - mean; 0 where the row is over. */
HERE void centred(vector *z, const real *x, long c, long spare, long row, const columns *q, real mean)
{
    load(z, x, c, spare, row, q);
    EACH z->at[k] -= mean;
    if (c + LANES > q->C) EACH z->at[k] = (share)((share_bits)z->at[k] & q->own[k]);
}

HERE real total(const vector *x)
{
    real all[LANES];
    EACH *(share *)(all + k * SHARE) = x->at[k];
    return sum_of_lanes(all);
}

HERE real row_mean(const real *x, long spare, const columns *q)
{
    vector sum = { 0 }, v;
    for (long c = 0; c < q->C; c += LANES) {
        load(&v, x, c, spare, q->C, q);
        EACH sum.at[k] += v.at[k];
    }
    return total(&sum) / (real)q->C;
}

HERE real row_variance(const real *x, long spare, const columns *q, real mean)
{
    vector sum = { 0 }, v;
    for (long c = 0; c < q->C; c += LANES) {
        centred(&v, x, c, spare, q->C, q, mean);
        EACH sum.at[k] += v.at[k] * v.at[k];
    }
    return total(&sum) / (real)q->C;
}

/* The last vectors of gain and bias, which no row follows; 0 where there are none. */
HERE void last_of(vector *y, const real *x, const columns *q)
{
    if (x) load_last(y, x + q->C - q->rest, 0, q);
}

TARGET static void norm_rows(real *restrict y, real *restrict mean, real *restrict rstd, const real *restrict x,
                             const real *restrict g, const real *restrict b, long R, long C, double eps)
{
    columns q;
    columns_of(&q, C);
    vector last_g = { 0 }, last_b = { 0 };
    last_of(&last_g, g, &q);
    last_of(&last_b, b, &q);
    real variance[NORM_ROWS];
    for (long r = 0; r < R; r++) {
        mean[r] = row_mean(x + r * C, R - 1 - r, &q);
        variance[r] = row_variance(x + r * C, R - 1 - r, &q, mean[r]);
    }
    for (long r = 0; r < R; r++) rstd[r] = (real)(1 / sqrt((double)variance[r] + eps));
    for (long r = 0; r < R; r++, x += C, y += C)
        for (long c = 0; c < C; c += LANES) {
            const bool whole = c + LANES <= C;
            vector z;
            centred(&z, x, c, R - 1 - r, C, &q, mean[r]);
            EACH z.at[k] *= rstd[r];
            if (g) {
                if (whole) EACH z.at[k] *= FROM(g + c, k);
                else       EACH z.at[k] *= last_g.at[k];
            }
            if (b) {
                if (whole) EACH z.at[k] += FROM(b + c, k);
                else       EACH z.at[k] += last_b.at[k];
            }
            save(y, &z, c, &q);
        }
}

/* e = dy g from column c on, or dy where g is NULL; last_g: g's last numbers as a vector. */
HERE void load_scaled(vector *e, const real *dy, const real *g, const vector *last_g, long c, long spare, long row,
                      const columns *q)
{
    load(e, dy, c, spare, row, q);
    if (!g) return;
    if (c + LANES <= q->C) EACH e->at[k] *= FROM(g + c, k);
    else                   EACH e->at[k] *= last_g->at[k];
}

/* With z = (x - mean) rstd and e = dy g: dx += rstd (e - mean(e) - z mean(e z)). */
TARGET static void norm_rows_bwd(real *restrict dx, const real *restrict dy, const real *restrict x,
                                 const real *restrict g, const real *restrict mean, const real *restrict rstd, long R,
                                 long C)
{
    columns q;
    columns_of(&q, C);
    vector last_g = { 0 };
    last_of(&last_g, g, &q);
    for (long r = 0; r < R; r++, dx += C, dy += C, x += C) {
        const long spare = R - 1 - r;
        vector e_sum = { 0 }, ez_sum = { 0 }, e, z, v;
        for (long c = 0; c < C; c += LANES) {
            load_scaled(&e, dy, g, &last_g, c, spare, C, &q);
            centred(&z, x, c, spare, C, &q, mean[r]);
            EACH e_sum.at[k] += e.at[k];
            EACH ez_sum.at[k] += e.at[k] * (z.at[k] * rstd[r]);
        }
        const real e_mean = total(&e_sum) / (real)C, ez_mean = total(&ez_sum) / (real)C;
        for (long c = 0; c < C; c += LANES) {
            load_scaled(&e, dy, g, &last_g, c, spare, C, &q);
            centred(&z, x, c, spare, C, &q, mean[r]);
            load(&v, dx, c, spare, C, &q);
            EACH v.at[k] += rstd[r] * (e.at[k] - e_mean - z.at[k] * rstd[r] * ez_mean);
            save(dx, &v, c, &q);
        }
    }
}

TARGET static void sum_rows(real *restrict g, real *restrict b, const real *restrict dy, const real *restrict x,
                            const real *restrict mean, const real *restrict rstd, long R, long C, long row)
{
    columns q;
    columns_of(&q, C);
    for (long c = 0; c < C; c += LANES) {
        vector of_g = { 0 }, of_b = { 0 }, e, z;
        for (long r = 0; r < R; r++) {
            load(&e, dy + r * row, c, R - 1 - r, row, &q);
            EACH of_b.at[k] += e.at[k];
            if (!x) continue;
            centred(&z, x + r * row, c, R - 1 - r, row, &q, mean[r]);
            EACH of_g.at[k] += e.at[k] * z.at[k] * rstd[r];
        }
        EACH *(share *)(b + c + k * SHARE) = of_b.at[k];
        EACH *(share *)(g + c + k * SHARE) = of_g.at[k];
    }
}

#undef EACH
#undef FROM
#undef HERE
#undef share
#undef share_bits
#undef vector
#undef columns
#undef SHARE
#undef columns_of
#undef load_last
#undef load
#undef save
#undef centred
#undef total
#undef row_mean
#undef row_variance
#undef last_of
#undef norm_rows
#undef load_scaled
#undef norm_rows_bwd
#undef sum_rows
#undef SHARES
#undef TARGET
#undef NAMED
