/* SPDX-License-Identifier: GPL-3.0-or-later
 * residues_lanes.h - the loops of residues.c over vectors of PART doubles, which is what a register holds.
 *
 * residues.c includes this once for each width and names the functions; LANES integers are converted at a time, PARTS
 * vectors of them.  A vector wider than the registers would do without PARTS, but gcc keeps such a one in memory. */
#define PARTS (LANES / PART)
typedef double part_of_lanes __attribute__((vector_size(PART * sizeof(double))));
#define part part_of_lanes

TARGET static void split(const residue_system *s, const double *digit, long digits, long n, double *to, long stride)
{
    const long blocks = (n + LANES - 1) / LANES;
    for (long i = 0; i < s->primes; i += 4) {
        long prime[4];                                   /* four at a time, at the end some of them again */
        const double *power[4];
        for (int k = 0; k < 4; k++) {
            prime[k] = i + k < s->primes ? i + k : s->primes - 1;
            power[k] = s->power + prime[k] * s->read;
        }
        for (long b = 0; b < blocks; b++) {
            part sum[4][PARTS];
            #pragma GCC unroll 4
            for (int k = 0; k < 4; k++)
                #pragma GCC unroll 4
                for (int v = 0; v < PARTS; v++) sum[k][v] = (part){ 0 };
            for (long d = 0; d < digits; d++) {
                const double *x = digit + d * PITCH + b * LANES;
                #pragma GCC unroll 4
                for (int k = 0; k < 4; k++)
                    #pragma GCC unroll 4
                    for (int v = 0; v < PARTS; v++) sum[k][v] += *(const part *)(x + v * PART) * power[k][d];
            }
            #pragma GCC unroll 4
            for (int k = 3; k >= 0; k--)
                #pragma GCC unroll 4
                for (int v = 0; v < PARTS; v++)
                    *(part *)(to + prime[k] * stride + b * LANES + v * PART) =
                        MODULO(sum[k][v], s->p[prime[k]], s->reciprocal[prime[k]]);
        }
    }
}

/* X = sum_i y_i M/p_i - t M,  y_i = X (M/p_i)^-1 mod p_i,  t = the integer nearest to sum_i y_i/p_i: the sum differs
 * from it by X/M, less than 1/4, and is computed with an error below 2^-40. */
TARGET static void join(const residue_system *s, const double *from, long stride, long n, double *digit)
{
    const long blocks = (n + LANES - 1) / LANES, P = s->primes, D = s->digits;
    part y[MOST_PRIMES + 1][PARTS];
    for (long b = 0; b < blocks; b++) {
        part quotient[PARTS], carry[PARTS];
        #pragma GCC unroll 4
        for (int v = 0; v < PARTS; v++) quotient[v] = carry[v] = (part){ 0 };
        for (long i = 0; i < P; i++) {
            const double *at = from + i * stride + b * LANES;
            #pragma GCC unroll 4
            for (int v = 0; v < PARTS; v++) {
                part x = *(const part *)(at + v * PART);
                x = MODULO(x, s->p[i], s->reciprocal[i]) * s->cofactor_inverse[i];
                y[i][v] = MODULO(x, s->p[i], s->reciprocal[i]);
                quotient[v] += y[i][v] * s->reciprocal[i];
            }
        }
        #pragma GCC unroll 4
        for (int v = 0; v < PARTS; v++) y[P][v] = -((quotient[v] + NEAREST) - NEAREST);
        for (long d = 0; d < D; d += 4) {
            const long left = D - d < 4 ? D - d : 4;
            part z[4][PARTS];
            #pragma GCC unroll 4
            for (int k = 0; k < 4; k++)
                #pragma GCC unroll 4
                for (int v = 0; v < PARTS; v++) z[k][v] = (part){ 0 };
            for (long i = 0; i <= P; i++) {              /* rows of cofactor_digit end with 3 numbers to spare */
                const double *m = s->cofactor_digit + i * D + d;
                #pragma GCC unroll 4
                for (int k = 0; k < 4; k++)
                    #pragma GCC unroll 4
                    for (int v = 0; v < PARTS; v++) z[k][v] += y[i][v] * m[k];
            }
            #pragma GCC unroll 4
            for (int k = 0; k < 4; k++) {
                if (k >= left) break;
                #pragma GCC unroll 4
                for (int v = 0; v < PARTS; v++) {
                    const part x = z[k][v] + carry[v];
                    carry[v] = (x * 0x1p-24 + NEAREST) - NEAREST;
                    *(part *)(digit + (d + k) * PITCH + b * LANES + v * PART) = x - carry[v] * 0x1p24;
                }
            }
        }
    }
}
#undef PARTS
#undef PART
#undef TARGET
#undef part
#undef part_of_lanes
#undef split
#undef join
