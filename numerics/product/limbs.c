/* SPDX-License-Identifier: GPL-3.0-or-later
 * limbs.c - see limbs.h.
 *
 * Entries a of A are stored as a' = a + s, s = 2^(52 N - 3), 0 <= a' < 2^(52 N - 2), N limbs below 2^52; those of B as
 * b' = b + t.  Then
 *   sum_k a b = sum_k a' b' - t sum_k a' + K s t - s sum_k b',
 * and only the first sum takes a multiplication for each k.  A column of it, the coefficient of 2^(52 l), collects at
 * most 2 min(N_A, N_B) halves of products for each k, each below 2^52.  After `carry_after` values of k the carries are
 * passed on, so that a column is at most (4094 + 1) (2^52 - 1), and with the carry of the next lower one, below 2^12,
 * less than 2^64: no lane overflows, whatever K is.  The whole sum is less than K 2^(52 (N_A + N_B)), K < 2^50, so
 * one more limb holds it.
 *
 * Where N_A = N_B = 2 H, three products of H limbs do for four (Karatsuba 1962): with a' = a1 2^r + a0,
 * r = 52 H - 1, both parts are below 2^r and a0 + a1 below 2^(52 H), and
 *   a' b' = a0 b0 + ((a0 + a1) (b0 + b1) - a0 b0 - a1 b1) 2^r + a1 b1 2^(2 r). */
#include "numerics/product/limbs.h"
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdatomic.h>
#include <string.h>
#include "numerics/product/workspace.h"

static double most_bytes = 256e6;
static atomic_long done;

void limbs_memory(double bytes) { most_bytes = bytes; }
long limbs_products(void)       { return done; }
enum { ABOVE = LIMBS_ABOVE };
long limbs_for(long bits)       { return (bits + ABOVE + LIMB_BITS - 1) / LIMB_BITS; }

static long larger(long x, long y) { return x < y ? y : x; }

/* Limbs of the operands, more than they need where halves are cheaper then; returns those of a half, 0: no halves. */
static long choose_limbs(long *a, long *b)
{
    const long even = (larger(larger(*a, *b), 6) + 1) / 2 * 2, half = even / 2;
    if (3 * half * half >= *a * *b) return 0;
    *a = *b = even;
    return half;
}

long limbs_pairs(long bits_a, long bits_b)
{
    long a = limbs_for(bits_a), b = limbs_for(bits_b);
    const long half = choose_limbs(&a, &b);
    return half ? 3 * half * half : a * b;
}

static const uint64_t MASK = ((uint64_t)1 << LIMB_BITS) - 1;

void limbs_of(const mp_limb_t *m, long n, long shift, bool negative, long limbs, uint64_t *to, long ld)
{
    const uint64_t offset = (uint64_t)1 << (LIMB_BITS - ABOVE), flip = negative ? MASK : 0;
    if (limbs == 1 && n == 1 && shift > -64 && shift <= 0) {     /* a weight of a few bits */
        const uint64_t x = m[0] >> -shift;
        *to = negative ? offset - x : offset + x;
        return;
    }
    if (n == 0) shift = 0;
    const long cut = shift < 0 ? -shift / 64 : 0;        /* limbs that are 0 */
    const mp_limb_t *const end = m + n;
    m += cut;
    shift += 64 * cut;
    const long first = shift < 0 ? 0 : shift / LIMB_BITS;        /* limbs below are 0 */
    uint64_t rest = 0, carry = negative;                 /* the next bits of the integer, and of -x = ~x + 1 */
    long bits = shift < 0 ? 64 + shift : shift % LIMB_BITS;
    if (shift < 0 && m < end) rest = *m++ >> -shift;
    for (long l = 0; l < limbs; l++) {
        uint64_t x = 0;
        if (l >= first) {
            x = rest & MASK;
            if (bits >= LIMB_BITS) {
                rest >>= LIMB_BITS;
                bits -= LIMB_BITS;
            } else if (m < end) {
                x = (rest | *m << bits) & MASK;
                rest = *m++ >> (LIMB_BITS - bits);
                bits += 64 - LIMB_BITS;
            } else rest = 0;
        }
        x = (x ^ flip) + carry;
        carry = x >> LIMB_BITS;
        to[l * ld] = x & MASK;
    }
    to[(limbs - 1) * ld] = (to[(limbs - 1) * ld] + offset) & MASK;
}

#if defined(__x86_64__)
#include <immintrin.h>
#define WITH_IFMA __attribute__((target("avx512f,avx512ifma")))
#define INLINE    static inline __attribute__((always_inline))
typedef __m512i eight;

enum { LANES_OF = 8, TILE = 6, MOST_ROWS = 8, COLUMNS = 2 * LIMBS_MOST + 1,
       PARTS = 3 };                      /* of an operand that is multiplied by halves: low, high and their sum */

static long smaller(long x, long y) { return x < y ? x : y; }

bool limbs_available(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512ifma");
}

/* ---- the kernel -------------------------------------------------------------------------------------------- */

/* Sums of `rows` neighbouring rows of A' times eight columns of B', `columns` limbs of each row. */
typedef struct {
    const uint64_t *a[MOST_ROWS], *b;    /* [k][step_a] of each row; [k][step_b][8] */
    long limbs_a, limbs_b;               /* the first of them that are multiplied   */
    long step_a, step_b, columns;
    eight *sum;                          /* [rows][columns] */
} panel;

/* The product of P limbs of A', from limb p on, and Q of B', from q on, for `terms` values of k from `first` on.  Each
 * sum has one register; with R rows there are enough of them to hide the time that a multiplication takes. */
WITH_IFMA INLINE void
tile(const panel *s, long p, long q, long first, long terms, const int P, const int Q, const int R)
{
    eight c[MOST_ROWS][2 * TILE];
    const uint64_t *a[MOST_ROWS], *b = s->b + (first * s->step_b + q) * LANES_OF;
#pragma GCC unroll 12
    for (int r = 0; r < R; r++) {
        a[r] = s->a[r] + first * s->step_a + p;
#pragma GCC unroll 12
        for (int l = 0; l < P + Q; l++) c[r][l] = s->sum[r * s->columns + p + q + l];
    }
    for (; terms; terms--, b += s->step_b * LANES_OF) {
#pragma GCC unroll 12
        for (int j = 0; j < Q; j++) {
            const eight y = _mm512_load_si512(b + j * LANES_OF);
#pragma GCC unroll 12
            for (int i = 0; i < P; i++)
#pragma GCC unroll 12
                for (int r = 0; r < R; r++) {
                    const eight x = _mm512_set1_epi64((long long)a[r][i]);
                    c[r][i + j] = _mm512_madd52lo_epu64(c[r][i + j], x, y);
                    c[r][i + j + 1] = _mm512_madd52hi_epu64(c[r][i + j + 1], x, y);
                }
        }
#pragma GCC unroll 12
        for (int r = 0; r < R; r++) a[r] += s->step_a;
    }
#pragma GCC unroll 12
    for (int r = 0; r < R; r++)
#pragma GCC unroll 12
        for (int l = 0; l < P + Q; l++) s->sum[r * s->columns + p + q + l] = c[r][l];
}

typedef void tile_function(const panel *s, long p, long q, long first, long terms);
#define TILE_OF(P, Q, R) \
    WITH_IFMA static void tile_##P##_##Q##_##R(const panel *s, long p, long q, long first, long terms) \
    { tile(s, p, q, first, terms, P, Q, R); }
#define TILES_OF(P) \
    TILE_OF(P, 1, 2) TILE_OF(P, 2, 2) TILE_OF(P, 3, 2) TILE_OF(P, 4, 2) TILE_OF(P, 5, 2) TILE_OF(P, 6, 2)
TILES_OF(1) TILES_OF(2) TILES_OF(3) TILES_OF(4) TILES_OF(5) TILES_OF(6)
TILE_OF(1, 1, 8) TILE_OF(1, 2, 4) TILE_OF(2, 1, 4) TILE_OF(2, 2, 4)
TILE_OF(1, 3, 3) TILE_OF(2, 3, 3) TILE_OF(3, 3, 3) TILE_OF(3, 2, 3) TILE_OF(3, 1, 3)

#define NAMES_OF(P) { tile_##P##_1_2, tile_##P##_2_2, tile_##P##_3_2, tile_##P##_4_2, tile_##P##_5_2, tile_##P##_6_2 }
static tile_function *const tiles[TILE][TILE] = { NAMES_OF(1), NAMES_OF(2), NAMES_OF(3),
                                                  NAMES_OF(4), NAMES_OF(5), NAMES_OF(6) };
/* Few limbs: more rows at a time, for enough sums that do not wait for each other. */
enum { SMALL = 3 };
static tile_function *const small[SMALL][SMALL] = { { tile_1_1_8, tile_1_2_4, tile_1_3_3 },
                                                    { tile_2_1_4, tile_2_2_4, tile_2_3_3 },
                                                    { tile_3_1_3, tile_3_2_3, tile_3_3_3 } };

static long rows_at_a_time(long limbs_a, long limbs_b)
{
    static const long rows[] = { 8, 4, 3 };
    const long most = larger(limbs_a, limbs_b);
    return most <= SMALL ? rows[most - 1] : 2;
}

/* The parts of n limbs, as equal as they can be, none longer than TILE. */
static long next_part(long n, long at)
{
    const long parts = (n + TILE - 1) / TILE;
    return n * (at + 1) / parts - n * at / parts;
}

WITH_IFMA static void pass_carries(eight *sum, long columns)
{
    const eight mask = _mm512_set1_epi64((long long)MASK);
    eight carry = _mm512_setzero_si512();
    for (long l = 0; l < columns; l++) {
        const eight x = _mm512_add_epi64(sum[l], carry);
        sum[l] = _mm512_and_si512(x, mask);
        carry = _mm512_srli_epi64(x, LIMB_BITS);
    }
}

static long carry_after(long limbs_a, long limbs_b) { return 4094 / (2 * smaller(limbs_a, limbs_b)); }

WITH_IFMA static void multiply(const panel *s, long K, long rows)
{
    const long step = carry_after(s->limbs_a, s->limbs_b);
    const bool few = larger(s->limbs_a, s->limbs_b) <= SMALL;
    memset(s->sum, 0, (size_t)(rows * s->columns) * sizeof *s->sum);
    for (long first = 0; first < K; first += step) {
        const long terms = smaller(step, K - first);
        for (long i = 0, p = 0, P; p < s->limbs_a; i++, p += P) {
            P = next_part(s->limbs_a, i);
            for (long j = 0, q = 0, Q; q < s->limbs_b; j++, q += Q) {
                Q = next_part(s->limbs_b, j);
                (few ? small[P - 1][Q - 1] : tiles[P - 1][Q - 1])(s, p, q, first, terms);
            }
        }
        for (long r = 0; r < rows; r++) pass_carries(s->sum + r * s->columns, s->columns);
    }
}

/* ---- what the offsets add ---------------------------------------------------------------------------------- */

/* to[l][lane], l < columns: 2^(52 other - 3) sum_k x'_k for each of `lanes` lines x'[k][step][lane], in limbs. */
static void offset_sums(int64_t *to, long columns, const uint64_t *x, long K, long limbs, long step, long other,
                        long lanes)
{
    uint64_t sum[(LIMBS_MOST + 1) * LANES_OF] = { 0 };
    const long size = limbs * lanes;
    for (long first = 0; first < K; first += 4000) {             /* 4001 limbs and a carry are less than 2^64 */
        for (long k = first; k < smaller(first + 4000, K); k++)
            for (long i = 0; i < size; i++) sum[i] += x[k * step * lanes + i];
        for (long i = 0; i < size; i++) {
            sum[i + lanes] += sum[i] >> LIMB_BITS;
            sum[i] &= MASK;
        }
    }
    memset(to, 0, (size_t)(columns * lanes) * sizeof *to);
    for (long l = 0; l <= limbs; l++)                            /* up a limb and down three bits */
        for (long lane = 0; lane < lanes; lane++) {
            const uint64_t limb = sum[l * lanes + lane], low = limb & ((1u << ABOVE) - 1);
            to[(other - 1 + l) * lanes + lane] |= (int64_t)(low << (LIMB_BITS - ABOVE));
            if (other + l < columns) to[(other + l) * lanes + lane] |= (int64_t)(limb >> ABOVE);
        }
}

/* ---- halves ------------------------------------------------------------------------------------------------ */

/* x[k][3 H][lane]: the first 2 H limbs become the low half, of 52 H - 1 bits, the high one and their sum. */
static void take_apart(uint64_t *x, long K, long H, long lanes)
{
    const long half = H * lanes;
    for (; K; K--, x += PARTS * half) {
        for (long i = 2 * half; i-- > half;) x[i] = (x[i] << 1 | x[i - lanes] >> (LIMB_BITS - 1)) & MASK;
        for (long i = half - lanes; i < half; i++) x[i] &= MASK >> 1;
        for (long lane = 0; lane < lanes; lane++) {
            uint64_t carry = 0;
            for (long i = lane; i < half; i += lanes) {
                const uint64_t sum = x[i] + x[half + i] + carry;
                x[2 * half + i] = sum & MASK;
                carry = sum >> LIMB_BITS;
            }
        }
    }
}

/* sum = low + (both - low - high) 2^r + high 2^(2 r), r = 52 H - 1, columns that may be negative; the others of 2 H + 1
 * limbs. */
WITH_IFMA static void put_together(eight *sum, long H, const eight *low, const eight *high, const eight *both)
{
    const eight one = _mm512_set1_epi64(1), three = _mm512_set1_epi64(3);
    for (long l = 0; l <= 4 * H; l++) sum[l] = l <= 2 * H ? low[l] : _mm512_setzero_si512();
    for (long l = 0; l <= 2 * H; l++) {
        const eight middle = _mm512_sub_epi64(_mm512_sub_epi64(both[l], low[l]), high[l]);
        eight *at = sum + H + l;
        at[-1] = _mm512_add_epi64(at[-1], _mm512_slli_epi64(_mm512_and_si512(middle, one), LIMB_BITS - 1));
        at[0] = _mm512_add_epi64(at[0], _mm512_srai_epi64(middle, 1));
        at += H;
        at[-1] = _mm512_add_epi64(at[-1], _mm512_slli_epi64(_mm512_and_si512(high[l], three), LIMB_BITS - 2));
        at[0] = _mm512_add_epi64(at[0], _mm512_srai_epi64(high[l], 2));
    }
}

/* ---- a product --------------------------------------------------------------------------------------------- */

/* A block of each operand. */
typedef struct {
    const integer_result *C;
    const limb_matrix *A, *B;
    long i0, j0, rows, cols, K;
    long limbs_a, limbs_b, columns;
    long half;                           /* limbs of a half; 0: not by halves             */
    long step_a, step_b;                 /* limbs with those of the sum of the halves     */
    uint64_t *a, *b;                     /* [rows][K][step_a]; [panel][K][step_b][8]      */
    int64_t *of_a, *of_b;                /* [rows][columns], t sum a' - K s t; [panel][columns][8], s sum b' */
} block;

static void read_row(const block *x, long i)
{
    uint64_t *a = x->a + i * x->K * x->step_a;
    int64_t *sum = x->of_a + i * x->columns;
    x->A->read(x->A->of, x->i0 + i, 0, x->K, x->limbs_a, a, 1, x->step_a);
    offset_sums(sum, x->columns, a, x->K, x->limbs_a, x->step_a, x->limbs_b, 1);
    if (x->half) take_apart(a, x->K, x->half, 1);
    const uint64_t low = (uint64_t)x->K & ((1u << 2 * ABOVE) - 1);      /* s t = 2^(52 (N_A + N_B) - 6) */
    sum[x->columns - 2] -= (int64_t)(low << (LIMB_BITS - 2 * ABOVE));
    sum[x->columns - 1] -= x->K >> 2 * ABOVE;
}

/* Row k of B, which lies in one piece, to all panels. */
static void read_row_of_panels(const block *x, long k)
{
    const long size = x->step_b * LANES_OF;
    uint64_t *b = x->b + k * size;
    for (long j = 0; j < x->cols; j += LANES_OF, b += x->K * size) {
        const long n = smaller(LANES_OF, x->cols - j);
        if (n < LANES_OF) memset(b, 0, (size_t)size * sizeof *b);
        x->B->read(x->B->of, k, x->j0 + j, n, x->limbs_b, b, LANES_OF, 1);
    }
}

static void finish_panel(const block *x, long p)
{
    uint64_t *b = x->b + p * x->K * x->step_b * LANES_OF;
    offset_sums(x->of_b + p * x->columns * LANES_OF, x->columns, b, x->K, x->limbs_b, x->step_b, x->limbs_a, LANES_OF);
    if (x->half) take_apart(b, x->K, x->half, LANES_OF);
}

/* z = the size of sum - row - col, in limbs of 52 bits; returns which lanes are negative. */
WITH_IFMA static __mmask8
without_offsets(eight *z, const eight *sum, const int64_t *row, const int64_t *col, long columns)
{
    const eight mask = _mm512_set1_epi64((long long)MASK);
    eight carry = _mm512_setzero_si512();
    for (long l = 0; l < columns; l++) {
        const eight off = _mm512_add_epi64(_mm512_set1_epi64(row[l]), _mm512_load_si512(col + l * LANES_OF));
        const eight x = _mm512_add_epi64(_mm512_sub_epi64(sum[l], off), carry);
        z[l] = _mm512_and_si512(x, mask);
        carry = _mm512_srai_epi64(x, LIMB_BITS);
    }
    const __mmask8 negative = _mm512_cmplt_epi64_mask(carry, _mm512_setzero_si512());
    if (!negative) return 0;
    eight borrow = _mm512_setzero_si512();
    for (long l = 0; l < columns; l++) {
        const eight x = _mm512_sub_epi64(borrow, z[l]);
        z[l] = _mm512_mask_and_epi64(z[l], negative, x, mask);
        borrow = _mm512_srai_epi64(x, LIMB_BITS);
    }
    return negative;
}

/* x[limb][lane], limbs of 64 bits, of z in limbs of 52 bits; returns how many. */
WITH_IFMA static long join(uint64_t x[][LANES_OF], const eight *z, long columns)
{
    long limb = 0, bit = 0;                              /* where z[l] begins */
    eight low = _mm512_setzero_si512();
    for (long l = 0; l < columns; l++) {
        low = _mm512_or_si512(low, _mm512_sll_epi64(z[l], _mm_cvtsi32_si128((int)bit)));
        if (bit + LIMB_BITS >= 64) {
            _mm512_store_si512(x[limb++], low);
            low = _mm512_srl_epi64(z[l], _mm_cvtsi32_si128((int)(64 - bit)));
            bit -= 64;
        }
        bit += LIMB_BITS;
    }
    if (bit > 0) _mm512_store_si512(x[limb++], low);
    return limb;
}

WITH_IFMA static void write_row(const block *x, long i, long p, const eight *sum)
{
    enum { MOST = (COLUMNS * LIMB_BITS + 63) / 64 };
    eight z[COLUMNS];
    uint64_t limb[MOST][LANES_OF] __attribute__((aligned(64)));
    mp_limb_t one[MOST];
    const int64_t *row = x->of_a + i * x->columns, *col = x->of_b + p * x->columns * LANES_OF;
    const __mmask8 negative = without_offsets(z, sum, row, col, x->columns);
    const long limbs = join(limb, z, x->columns), n = smaller(LANES_OF, x->cols - p * LANES_OF);
    for (long lane = 0; lane < n; lane++) {
        for (long l = 0; l < limbs; l++) one[l] = limb[l][lane];
        x->C->write(x->C->of, x->i0 + i, x->j0 + p * LANES_OF + lane, one, limbs, negative >> lane & 1);
    }
}

WITH_IFMA static void multiply_halves(const panel *s, long K, long rows, long half)
{
    eight sum[PARTS][MOST_ROWS * COLUMNS];
    panel part = *s;
    part.limbs_a = part.limbs_b = half;
    part.columns = 2 * half + 1;
    for (long k = 0; k < PARTS; k++) {
        part.sum = sum[k];
        multiply(&part, K, rows);
        for (long r = 0; r < rows; r++) part.a[r] += half;
        part.b += half * LANES_OF;
    }
    for (long r = 0; r < rows; r++) {
        const long at = r * part.columns;
        put_together(s->sum + r * s->columns, half, sum[0] + at, sum[1] + at, sum[2] + at);
    }
}

/* Rows first ... of eight columns; the last one is computed again where fewer are left than a kernel takes. */
WITH_IFMA static void multiply_rows(const block *x, long first, long last, long p)
{
    eight sum[MOST_ROWS * COLUMNS];
    const long R = x->half ? rows_at_a_time(x->half, x->half) : rows_at_a_time(x->limbs_a, x->limbs_b);
    for (long i = first; i < last; i += R) {
        panel s = { .b = x->b + p * x->K * x->step_b * LANES_OF, .limbs_a = x->limbs_a, .limbs_b = x->limbs_b,
                    .step_a = x->step_a, .step_b = x->step_b, .columns = x->columns, .sum = sum };
        for (long r = 0; r < R; r++) s.a[r] = x->a + smaller(i + r, last - 1) * x->K * x->step_a;
        for (long r = 0; x->C->soon && r < R && i + r < last; r++)
            x->C->soon(x->C->of, x->i0 + i + r, x->j0 + p * LANES_OF, smaller(LANES_OF, x->cols - p * LANES_OF));
        if (x->half) multiply_halves(&s, x->K, R, x->half);
        else         multiply(&s, x->K, R);
        for (long r = 0; r < R && i + r < last; r++) write_row(x, i + r, p, sum + r * x->columns);
    }
}

/* So many rows of A' stay in the second cache while the panels of B' go by: a multiple of what the kernels take. */
static long rows_of_a_part(const block *x)
{
    const long R = x->half ? rows_at_a_time(x->half, x->half) : rows_at_a_time(x->limbs_a, x->limbs_b);
    return larger((1l << 19) / (8 * x->K * x->step_a) / R, 1) * R;
}

static bool several_threads(double multiplications)
{
#ifdef _OPENMP
    return multiplications > 4e6 && omp_get_max_threads() > 1 && !omp_in_parallel();
#else
    (void)multiplications;
    return false;
#endif
}

/* first: not all rows of these were read yet. */
static void multiply_block(const block *x, bool first, bool fork)
{
    (void)fork;                                          /* read by OpenMP alone */
    const long panels = (x->cols + LANES_OF - 1) / LANES_OF;
    const long some = rows_of_a_part(x), parts = (x->rows + some - 1) / some;
    #pragma omp parallel if (fork)
    {
        if (first) {
            #pragma omp for schedule(static) nowait
            for (long i = 0; i < x->rows; i++) read_row(x, i);
        }
        #pragma omp for schedule(static)
        for (long k = 0; k < x->K; k++) read_row_of_panels(x, k);
        #pragma omp for schedule(static)
        for (long p = 0; p < panels; p++) finish_panel(x, p);
        #pragma omp for schedule(dynamic)
        for (long t = 0; t < panels * parts; t++) {
            const long i = t / panels * some;
            multiply_rows(x, i, smaller(i + some, x->rows), t % panels);
        }
    }
}

bool limbs_product(const integer_result *C, const limb_matrix *A, const limb_matrix *B)
{
    REQUIRE(A->cols == B->rows, "%ld x %ld times %ld x %ld", A->rows, A->cols, B->rows, B->cols);
    block x = { .C = C, .A = A, .B = B, .K = A->cols, .limbs_a = limbs_for(A->bits), .limbs_b = limbs_for(B->bits) };
    if (!limbs_available() || x.limbs_a > LIMBS_MOST || x.limbs_b > LIMBS_MOST || x.K > 1l << 40 || x.K < 1)
        return false;
    x.half = choose_limbs(&x.limbs_a, &x.limbs_b);
    x.columns = x.limbs_a + x.limbs_b + 1;
    x.step_a = x.half ? PARTS * x.half : x.limbs_a;
    x.step_b = x.half ? PARTS * x.half : x.limbs_b;
    const double per_row = 8 * (double)(x.K * x.step_a), per_panel = 64 * (double)(x.K * x.step_b);
    const long rows = smaller(A->rows, larger((long)(most_bytes / per_row), 1)),  /* each block reads B again */
               cols = smaller(B->cols, larger((long)(most_bytes / 16 / per_panel), 1) * LANES_OF),
               panels = (cols + LANES_OF - 1) / LANES_OF;
    x.a = (uint64_t *)workspace_take((size_t)(rows * x.K * x.step_a));
    x.b = (uint64_t *)workspace_take((size_t)(panels * x.K * x.step_b * LANES_OF));
    x.of_a = (int64_t *)workspace_take((size_t)(rows * x.columns));
    x.of_b = (int64_t *)workspace_take((size_t)(panels * x.columns * LANES_OF));
    const double multiply_adds = (double)A->rows * (double)x.K * (double)B->cols;
    const bool fork = several_threads((double)limbs_pairs(A->bits, B->bits) * multiply_adds);
    for (x.i0 = 0; x.i0 < A->rows; x.i0 += rows) {
        x.rows = smaller(rows, A->rows - x.i0);
        for (x.j0 = 0; x.j0 < B->cols; x.j0 += cols) {
            x.cols = smaller(cols, B->cols - x.j0);
            multiply_block(&x, x.j0 == 0, fork);
        }
    }
    workspace_give((double *)x.a);
    workspace_give((double *)x.b);
    workspace_give((double *)x.of_a);
    workspace_give((double *)x.of_b);
    done++;
    return true;
}
#else
bool limbs_available(void) { return false; }

bool limbs_product(const integer_result *C, const limb_matrix *A, const limb_matrix *B)
{
    (void)C, (void)A, (void)B;
    return false;
}
#endif
