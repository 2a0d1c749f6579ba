/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_relu.c - how long the decision takes whether a ReLU network absorbs its skip, by size and kind of input.
 *
 * Printed: seconds of one core, the answer, the free columns and the choices looked at.  Figures are for reading,
 * never for passing a test. */
#include <time.h>
#include "numerics/libraries.h"
#include "numerics/random.h"
#include "src/methods/relu/relu.h"

static const uint64_t key[2] = { 20261121, 61 };
static uint64_t counter;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill(fmpq_mat_t A, ulong bits)                       /* odd integers of that many bits */
{
    fmpz_t x;
    fmpz_init(x);
    for (long i = 0; i < fmpq_mat_nrows(A); i++)
        for (long j = 0; j < fmpq_mat_ncols(A); j++) {
            fmpz_zero(x);
            for (ulong b = 0; b < bits; b += 32) {
                fmpz_mul_2exp(x, x, bits < 32 ? bits : 32);
                fmpz_add_ui(x, x, (ulong)random_below(key, counter++, (uint64_t)1 << (bits < 32 ? bits : 32)));
            }
            fmpz_mul_2exp(x, x, 1);
            fmpz_add_ui(x, x, 1);
            if (random_below(key, counter++, 2)) fmpz_neg(x, x);
            fmpq_set_fmpz(fmpq_mat_entry(A, i, j), x);
        }
    fmpz_clear(x);
}

typedef struct { const char *what; long h, m; ulong bits; long zero; bool planted; } row_of_bench;

/* The last `zero` columns of W2 are 0; planted: W2[:,J] W1[J,:] = -I by Z = -W2[:,J] W1[J,:] on half the neurons. */
static relu_net network(const row_of_bench *b)
{
    relu_net f;
    relu_net_init(&f, b->h, b->m, b->h);
    fill(f.W1, b->bits);
    fill(f.W2, b->bits);
    fmpq_mat_one(f.Z);
    for (long i = 0; i < b->h; i++)
        for (long j = b->m - b->zero; j < b->m; j++) fmpq_zero(fmpq_mat_entry(f.W2, i, j));
    if (!b->planted) return f;
    fmpq_mat_zero(f.Z);
    fmpq_t x;
    fmpq_init(x);
    for (long i = 0; i < b->h; i++)
        for (long l = 0; l < b->h; l++)
            for (long j = 0; j < b->m; j += 2) {
                fmpq_mul(x, fmpq_mat_entry(f.W2, i, j), fmpq_mat_entry(f.W1, j, l));
                fmpq_sub(fmpq_mat_entry(f.Z, i, l), fmpq_mat_entry(f.Z, i, l), x);
            }
    fmpq_clear(x);
    return f;
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    libraries_init();
    static const row_of_bench table[] = {
        { "generic", 4, 16, 7, 0, false },         { "generic", 12, 48, 7, 0, false },
        { "generic", 32, 128, 7, 0, false },       { "planted", 12, 48, 7, 0, true },
        { "planted", 32, 128, 7, 0, true },        { "200 bits", 12, 48, 200, 0, false },
        { "m - rank = 30", 2, 34, 10, 0, false },  { "all columns zero", 12, 48, 7, 48, false },
        { "two columns zero", 12, 48, 7, 2, false },
    };
    static const char *const answer[] = { [HOLDS] = "absorbable", [REFUTED] = "not absorbable", [UNDECIDED] = "UNDECIDED" };
    printf("%-18s %4s %5s %10s  %-15s %6s %8s\n", "skip absorption", "h", "m", "seconds", "answer", "free", "choices");
    for (size_t k = 0; k < COUNT(table); k++) {
        relu_net f = network(&table[k]);
        const double start = now();
        absorption a = relu_absorb(&f);
        printf("%-18s %4ld %5ld %10.4f  %-15s %6ld %8ld\n", table[k].what, table[k].h, table[k].m, now() - start,
               answer[a.is], a.free, a.cases);
        absorption_clear(&a);
        relu_net_clear(&f);
    }
    libraries_clear();
    return 0;
}
