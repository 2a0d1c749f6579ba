/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_products.c - what an exact product of balls costs by residues, by limbs of 52 bits and as product_arb() chooses,
 * beside Arb's own product of the same operands, in one run.
 *
 * Printed: nanoseconds per multiply-add, the best of some rounds in which all ways take turns, how many times Arb takes
 * that, the limit of this machine, measured in the same run (limits.h; numbers of 256 bits, or of 24, each weight read once),
 * and what share of it that is.  With the name of a file the same goes there as CSV, as reports/results/bench_products_KIND.csv was made
 * (KIND: of machine, as in bench_peers.sh).  Seconds are the processor's for one thread, the wall's for several.
 * Figures are for reading, never for passing a test. */
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "numerics/libraries.h"
#include "numerics/product/dyadic.h"
#include "numerics/product/limbs.h"
#include "numerics/product/product_arb.h"
#include "numerics/random.h"
#include "src/base/version.h"
#include "tests/support/limits.h"

extern void omp_set_num_threads(int n) __attribute__((weak));

enum { BITS = 256, WEIGHT = 24 };
typedef struct { const char *name; long m, K, n, bits_b; int rounds; } shape;
static const shape shapes[] = {
    { "square",                64,   64,    64, BITS, 15 }, { "square",               256, 256,   256, BITS,   4 },
    { "square",               768,  768,   768, BITS,  1 }, { "layer by fp32",         64, 768,   768, WEIGHT, 3 },
    { "layer by fp32",         64, 3072,   768, WEIGHT, 1 }, { "logits of one token",   1, 768, 50257, WEIGHT, 1 },
};

enum { ARB, RESIDUES, LIMBS, CHOSEN, CENTRES, WAYS };    /* CENTRES: as chosen, all radii 0 */
static const char *const names[WAYS] = { "Arb", "residues", "limbs", "chosen", "chosen, no radii" };

/* One thread: of the processor, so that other work on the machine disturbs less; several: of the wall. */
static double now(int threads)
{
    struct timespec t;
    clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Entries as those of a weight of a file, or as those of an activation after some products. */
static void draw_entries(arb_mat_t A, long bits, uint64_t stream)
{
    const uint64_t key[2] = { 16, stream };
    const long cols = arb_mat_ncols(A);
    for (long k = 0; k < arb_mat_nrows(A) * cols; k++) {
        arb_ptr x = arb_mat_entry(A, k / cols, k % cols);
        const double value = (double)random_gauss8(key, (uint64_t)k) +
                             (double)random_below(key, (uint64_t)k, 1 << 20) * 0x1p-20;
        arb_set_d(x, bits <= WEIGHT ? (double)(float)(value * 0x1p-10) : value);
        if (bits <= WEIGHT || arb_is_zero(x)) continue;
        arb_set_round(x, x, 30);
        arb_div_ui(x, x, 4294967291u, bits);
        arf_get_mag(arb_radref(x), arb_midref(x));
        mag_mul_2exp_si(arb_radref(x), arb_radref(x), 6 - bits);
    }
}

static void multiply(int way, arb_mat_t C, const arb_mat_t A, const arb_mat_t B)
{
    dyadic_force(way == RESIDUES ? DYADIC_RESIDUES : way == LIMBS ? DYADIC_LIMBS : DYADIC_CHEAPEST);
    if (way == ARB) arb_mat_mul(C, A, B, BITS);
    else            product_arb(C, A, B, BITS);
}

static void set_threads(int threads)
{
    if (omp_set_num_threads) omp_set_num_threads(threads);
    openblas_set_num_threads(threads);
    flint_set_num_threads(threads);
}

static const char *features(void)
{
    static char text[200];
#if defined(__x86_64__)
    snprintf(text, sizeof text, "%s%s%s", __builtin_cpu_supports("avx2") ? "avx2" : "no avx2",
             __builtin_cpu_supports("avx512f") ? " avx512f" : "", limbs_available() ? " avx512ifma" : "");
#else
    snprintf(text, sizeof text, "no x86-64");
#endif
    return text;
}

static void hardware(char *name, size_t size)
{
    char line[300];
    snprintf(name, size, "unknown");
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon) continue;
        snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (f) fclose(f);
}

static void bench(const shape *s, int threads, const machine_limits *at, FILE *csv, const char *machine)
{
    double t[WAYS], load = 0;
    const double limit = limit_with_memory(at, limit_of_integers(at, BITS, s->bits_b, s->K),
                                           (double)s->bits_b / 8 / (double)s->m);
    const double ops = (double)s->m * (double)s->K * (double)s->n;
    arb_mat_t A, B, C, A0, B0;
    arb_mat_init(A, s->m, s->K);
    arb_mat_init(B, s->K, s->n);
    arb_mat_init(C, s->m, s->n);
    arb_mat_init(A0, s->m, s->K);
    arb_mat_init(B0, s->bits_b == WEIGHT ? 0 : s->K, s->bits_b == WEIGHT ? 0 : s->n);    /* weights have no radii */
    draw_entries(A, BITS, 1);
    draw_entries(B, s->bits_b, 2);
    arb_mat_get_mid(A0, A);
    if (s->bits_b != WEIGHT) arb_mat_get_mid(B0, B);
    for (int way = 0; way < WAYS; way++) t[way] = INFINITY;
    set_threads(threads);
    for (int round = 0; round < s->rounds; round++)
        for (int way = 0; way < WAYS; way++) {
            if (way == LIMBS && !limbs_available()) continue;
            const double start = now(threads);
            multiply(way, C, way == CENTRES ? A0 : A, way == CENTRES && s->bits_b != WEIGHT ? B0 : B);
            t[way] = fmin(t[way], (now(threads) - start) * 1e9 / ops);
        }
    if (getloadavg(&load, 1) != 1) load = NAN;
    time_t today = time(NULL);
    char date[20];
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&today));
    for (int way = 0; way < WAYS; way++) {
        if (!isfinite(t[way])) continue;
        printf("%-20s %4ld %5ld %6ld %8d %-17s %10.4f %8.2f %10.4f %5.1f %%\n", s->name, s->m, s->K, s->n, threads, names[way],
               t[way], t[ARB] / t[way], limit, 100 * limit / t[way]);
        if (csv)
            fprintf(csv, "%s,git %s,%s,%s,%d,%.2f,%s,%ld,%ld,%ld,%d,%ld,\"%s\",%.4f,%.2f,%.4f\n", date, version_commit(), machine,
                    features(), threads, load, s->name, s->m, s->K, s->n, BITS, s->bits_b, names[way], t[way], t[ARB] / t[way],
                    limit);
    }
    fflush(NULL);
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(C); arb_mat_clear(A0); arb_mat_clear(B0);
}

int main(int argc, char **argv)
{
    char machine[200];
    base_init(argc, argv);
    libraries_init();
    hardware(machine, sizeof machine);
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && !csv) die("cannot write %s", argv[1]);
    if (csv) fprintf(csv, "date,commit,hardware,features,threads,load,product,m,K,n,bits_a,bits_b,way,ns_per_multiply_add,arb_over_it,"
                     "limit_ns\n");
    printf("%s, %s, OpenBLAS core %s\n%-20s %4s %5s %6s %8s %-17s %10s %8s %10s %7s\n", machine, features(),
           openblas_get_corename(), "product", "m", "K", "n", "threads", "way", "ns/op", "Arb/it", "limit", "of it");
    const machine_limits at[2] = { limits_measured(1), limits_measured(2) };
    for (size_t k = 0; k < COUNT(shapes); k++)
        for (int threads = 1; threads <= 2; threads++) bench(&shapes[k], threads, &at[threads - 1], csv, machine);
    if (csv && fclose(csv) != 0) die("cannot write %s", argv[1]);
    libraries_clear();
    return 0;
}
