/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_fp_product.c - products modulo p are exact by every way that there is, on whichever processor this is.
 *
 * The judge multiplies the entries as integers of any size and takes the remainder. */
#include <stdlib.h>
#include <string.h>
#include "numerics/plain.h"
#include "numerics/product/fp_lanes.h"
#include "numerics/product/fp_words.h"
#include "numerics/product/product_fp.h"
#include "tests/support/plain_switch.h"
#include "tests/support/suite.h"

extern void omp_set_num_threads(int n) __attribute__((weak));
extern int  omp_get_max_threads(void) __attribute__((weak));

static uint64_t state;
static uint64_t next(void)                              /* the same in every run */
{
    state += 0x9e3779b97f4a7c15;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

/* Primes beside each power of 2 at which the way changes, and other moduli: inverses need a prime, products do not.
 * That of 55 bits: 384 products of p/2 are 3/4 of the product of the first nine primes of fp_words.c, so it takes ten. */
static const mp_limb_t moduli[] = {
    1, 2, 3, 65537, 67108859, 35240836832701345, (mp_limb_t)1 << 26, 67108879, 4503599627370449, (mp_limb_t)1 << 52, 4503599627370517,
    1152921504606846883, ((mp_limb_t)1 << 60) - 1, ((mp_limb_t)1 << 61) - 1, 2305843009213693967, 4611686018427387847,
    9223372036854775783, 18446744073709551557u };
static bool fits(mp_limb_t p) { return p >> 61 == 0; }

/* Entries: what makes sums large, carries long, digits of 15 bits full, signs of representatives change, and residues
 * modulo 8191 and 8101 as large as they can be. */
enum { UNIFORM, LARGEST, MIDDLE, RUNS, FEW, HALF, RESIDUE, LAST_RESIDUE, FILLS };
static mp_limb_t entry(mp_limb_t p, int fill)
{
    const uint64_t x = next();
    const mp_limb_t middle[] = { p / 2, p - p / 2, p / 2 + 1, p - 1 }, few[] = { 0, 0, 1, p - 1 };
    switch (fill) {
    case LARGEST: return p - 1;
    case MIDDLE:  return middle[x % 4] % p;
    case RUNS:    return (((mp_limb_t)1 << x % 64) - ((x >> 8) % 3)) % p;
    case FEW:     return few[x % 4] % p;
    case HALF:    return p / 2;
    case RESIDUE: return (x % (p / 16382 + 1) * 8191 + 4095) % p;
    case LAST_RESIDUE: return (x % (p / 16202 + 1) * 8101 + 4050) % p;
    default:      return x % p;
    }
}

static void random_matrix(nmod_mat_t A, int fill)
{
    for (slong i = 0; i < nmod_mat_nrows(A); i++)
        for (slong j = 0; j < nmod_mat_ncols(A); j++) nmod_mat_entry(A, i, j) = entry(A->mod.n, fill);
}

static void as_integers(fmpz_mat_t Z, const nmod_mat_t A)
{
    for (slong i = 0; i < nmod_mat_nrows(A); i++)
        for (slong j = 0; j < nmod_mat_ncols(A); j++) fmpz_set_ui(fmpz_mat_entry(Z, i, j), nmod_mat_entry(A, i, j));
}

static void exactly(const nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B, const char *way, int fill)
{
    fmpz_mat_t a, b, c;
    fmpz_mat_init(a, nmod_mat_nrows(A), nmod_mat_ncols(A));
    fmpz_mat_init(b, nmod_mat_nrows(B), nmod_mat_ncols(B));
    fmpz_mat_init(c, nmod_mat_nrows(A), nmod_mat_ncols(B));
    as_integers(a, A);
    as_integers(b, B);
    fmpz_mat_mul(c, a, b);
    for (slong i = 0; i < nmod_mat_nrows(C); i++)
        for (slong j = 0; j < nmod_mat_ncols(C); j++)
            if (fmpz_fdiv_ui(fmpz_mat_entry(c, i, j), C->mod.n) != nmod_mat_entry(C, i, j))      /* Check writes each to a file */
                ck_abort_msg("%s, modulo %lu, entries %d, %ld x %ld x %ld: (%ld, %ld)", way, (unsigned long)C->mod.n, fill,
                             (long)nmod_mat_nrows(A), (long)nmod_mat_ncols(A), (long)nmod_mat_ncols(B), (long)i, (long)j);
    fmpz_mat_clear(a);
    fmpz_mat_clear(b);
    fmpz_mat_clear(c);
}

/* All ways; C begins with what must not stay. */
static void every_way(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B, int fill)
{
    random_matrix(C, LARGEST);
    product_fp(C, A, B);
    exactly(C, A, B, "as chosen", fill);
    random_matrix(C, LARGEST);
    if (product_fp_by_residues(C, A, B)) exactly(C, A, B, "by residues", fill);
    random_matrix(C, LARGEST);
    if (fp_words_available(C->mod.n)) {
        fp_words_product(C, A, B);
        exactly(C, A, B, "by words", fill);
    }
    random_matrix(C, LARGEST);
    if (!fp_lanes_available(C->mod.n)) return;
    fp_lanes_product(C, A, B);
    exactly(C, A, B, "by lanes", fill);
}

static const struct { long m, K, n; } shapes[] = {
    { 1, 1, 1 }, { 2, 3, 9 }, { 3, 8, 8 }, { 4, 7, 17 }, { 5, 64, 16 }, { 2, 65, 24 }, { 40, 90, 33 }, { 97, 70, 129 },
    { 200, 20, 270 }, { 8, 193, 20 }, { 3, 1024, 7 }, { 4, 1025, 10 }, { 1, 5000, 12 }, { 2, 50, 7 }, { 1, 200, 5 },
    { 9, 17, 6 }, { 0, 5, 3 }, { 3, 0, 5 }, { 3, 5, 0 } };

START_TEST(exact_modulo)
{
    const mp_limb_t p = moduli[_i];
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (int fill = 0; fill < FILLS; fill++) {
            nmod_mat_t A, B, C;
            nmod_mat_init(A, shapes[s].m, shapes[s].K, p);
            nmod_mat_init(B, shapes[s].K, shapes[s].n, p);
            nmod_mat_init(C, shapes[s].m, shapes[s].n, p);
            random_matrix(A, fill);
            random_matrix(B, fill == RUNS ? LARGEST : fill);
            every_way(C, A, B, fill);
            nmod_mat_clear(A); nmod_mat_clear(B); nmod_mat_clear(C);
        }
}
END_TEST

/* Parts of larger matrices: nothing beside the part of C is written. */
START_TEST(parts_of_matrices)
{
    const mp_limb_t p = moduli[_i];
    enum { N = 60 };
    nmod_mat_t whole[3], A, B, C;
    for (int k = 0; k < 3; k++) {
        nmod_mat_init(whole[k], N, N, p);
        random_matrix(whole[k], UNIFORM);
    }
    nmod_mat_window_init(A, whole[0], 1, 3, 30, 41);
    nmod_mat_window_init(B, whole[1], 5, 2, 43, 29);
    nmod_mat_window_init(C, whole[2], 7, 9, 36, 36);
    nmod_mat_t before;
    nmod_mat_init_set(before, whole[2]);
    every_way(C, A, B, UNIFORM);
    for (slong i = 0; i < N; i++)
        for (slong j = 0; j < N; j++)
            if (i < 7 || i >= 36 || j < 9 || j >= 36)
                if (nmod_mat_entry(whole[2], i, j) != nmod_mat_entry(before, i, j)) ck_abort_msg("(%ld, %ld) was written", (long)i, (long)j);
    nmod_mat_clear(before);
    nmod_mat_window_clear(A); nmod_mat_window_clear(B); nmod_mat_window_clear(C);
    for (int k = 0; k < 3; k++) nmod_mat_clear(whole[k]);
}
END_TEST

/* Large enough for several threads, more of them than blocks. */
START_TEST(any_number_of_threads)
{
    static const mp_limb_t kinds[] = { 67108859, 4503599627370449, ((mp_limb_t)1 << 61) - 1 };
    const int usual = omp_get_max_threads ? omp_get_max_threads() : 1;
    for (size_t k = 0; k < 2 * COUNT(kinds); k++) {
        const mp_limb_t p = kinds[k / 2];
        nmod_mat_t A, B, C, D;
        nmod_mat_init(A, 150, 190, p);
        nmod_mat_init(B, 190, 170, p);
        nmod_mat_init(C, 150, 170, p);
        nmod_mat_init(D, 150, 170, p);
        random_matrix(A, LARGEST);
        random_matrix(B, UNIFORM);
        product_fp_narrow(k % 2);
        for (int threads = 1; threads <= 8; threads *= 2) {
            if (omp_set_num_threads) omp_set_num_threads(threads);
            product_fp(threads == 1 ? D : C, A, B);
            ck_assert_msg(threads == 1 || nmod_mat_equal(C, D), "%d threads, prime %zu", threads, k);
        }
        exactly(D, A, B, "one thread", UNIFORM);
        nmod_mat_clear(A); nmod_mat_clear(B); nmod_mat_clear(C); nmod_mat_clear(D);
    }
    product_fp_narrow(false);
    if (omp_set_num_threads) omp_set_num_threads(usual);
}
END_TEST

/* ---- the choice -------------------------------------------------------------------------------------------- */

/* Did exactly those products go by lanes that should, and as on a processor without them by words: 40^3 does, a column,
 * a modulus of 62 bits and (by words) one of 32 do not. */
static void chosen_products(void *of)
{
    const bool off = *(const bool *)of;
    static const struct { long n; mp_limb_t p; bool lanes, words; } tried[] = {
        { 40, ((mp_limb_t)1 << 61) - 1, true, true },   { 1, ((mp_limb_t)1 << 61) - 1, false, false },
        { 40, 4611686018427387847, false, false },      { 40, 4294967291, true, false }, { 40, 4294967311, true, true },
    };
    int wrong = plain_only() != off;
    for (size_t k = 0; k < 2 * COUNT(tried); k++) {
        const mp_limb_t p = tried[k / 2].p;
        const bool narrow = k % 2, lanes = tried[k / 2].lanes && !off && fp_lanes_available(p) && !narrow;
        const bool words = tried[k / 2].words && !off && fp_words_available(p) && !lanes;
        nmod_mat_t A, B, C;
        nmod_mat_init(A, 40, 40, p);
        nmod_mat_init(B, 40, tried[k / 2].n, p);
        nmod_mat_init(C, 40, tried[k / 2].n, p);
        const long by_lanes = product_fp_by_lanes(), by_words = product_fp_by_words();
        product_fp_narrow(narrow);
        product_fp(C, A, B);
        wrong |= product_fp_by_lanes() - by_lanes != lanes || product_fp_by_words() - by_words != words;
        nmod_mat_clear(A); nmod_mat_clear(B); nmod_mat_clear(C);
    }
    exit(wrong);
}

START_TEST(each_where_it_pays) { check_plain_switch(_i, chosen_products); }
END_TEST

/* A way, and two products that it must refuse: another modulus, other shapes. */
typedef struct { bool (*available)(mp_limb_t); void (*multiply)(nmod_mat_t, const nmod_mat_t, const nmod_mat_t); } way;
static const way ways[] = { { fp_lanes_available, fp_lanes_product }, { fp_words_available, fp_words_product } };
typedef struct { const way *by; bool shape; } refusal;

static void refused(void *of)
{
    const refusal *r = of;
    nmod_mat_t A, C;
    nmod_mat_init(A, 2, 2, r->shape ? 7 : moduli[COUNT(moduli) - 1]);
    nmod_mat_init(C, r->shape ? 3 : 2, 2, A->mod.n);
    r->by->multiply(C, A, A);
    exit(0);
}

/* On a processor without them the first message comes for both. */
START_TEST(what_they_refuse)
{
    char output[400];
    for (size_t k = 0; k < COUNT(ways); k++) {
        const bool some = ways[k].available(7);
        ck_assert(!ways[k].available((mp_limb_t)1 << 61));
        ck_assert(ways[k].available(moduli[_i]) == (some && fits(moduli[_i])));
        for (int shape = 0; shape < 2; shape++) {
            refusal r = { &ways[k], shape };
            const int status = run_child(refused, &r, output, sizeof output);
            ck_assert_msg(status != 0, "nothing was refused");
            ck_assert_msg(strstr(output, shape && some ? "2 x 2 times 2 x 2" : "on this processor"), "%s", output);
        }
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("products modulo p");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 600);
    tcase_add_loop_test(all, each_where_it_pays, 0, PLAIN_VALUES);          /* before this process asks */
    tcase_add_loop_test(all, exact_modulo, 0, COUNT(moduli));
    tcase_add_loop_test(all, parts_of_matrices, 0, COUNT(moduli));
    tcase_add_test(all, any_number_of_threads);
    tcase_add_loop_test(all, what_they_refuse, 0, COUNT(moduli));
    return run_suite(suite, argc, argv);
}
