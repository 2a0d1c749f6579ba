/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_numerics.c - what products and inverses cost in each arithmetic, beside the bare library call, in one run.
 *
 * Printed: nanoseconds per multiply-add of an n x n x n product through mat_mul, and the ratio to the
 * library's own routine on the same operands ("fp, no 512": modulo a prime of 61 bits, as on a processor without AVX-512); the same for inverses, in seconds; then what exp and erfc cost in balls,
 * and how many times Arb's functions take that.  Beside products of which a limit of the machine is known it stands with the
 * share that is reached: a multiply-add of doubles, or of integers as large as the numbers are (limits.h).  Figures are for reading, never for passing a test. */
#include <cblas.h>
#include <stdlib.h>
#include <time.h>
#include "numerics/arith_arb.h"
#include "numerics/elementary/elementary.h"
#include "numerics/f64_error.h"
#include "numerics/flint_compat.h"
#include "numerics/inverse_arb.h"
#include "numerics/inverse_fp.h"
#include "numerics/libraries.h"
#include "numerics/mat.h"
#include "numerics/product/product_fp.h"
#include "tests/support/limits.h"

/* One thread: of the processor, so that other work on the machine disturbs less; several: of the wall. */
static double now(void)
{
    struct timespec t;
    clock_gettime(openblas_get_num_threads() == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bare_f64(const mat *A, const mat *B, mat *C)
{
    const int n = (int)A->rows;
    const f64_matrix *a = A->rep, *b = B->rep, *c = C->rep;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a->x, n, b->x, n, 0, c->x, n);
}
static void bare_arb(const mat *A, const mat *B, mat *C) { arb_mat_mul(arith_arb_balls(C), arith_arb_balls(A), arith_arb_balls(B), A->R->bits); }
static void bare_fp(const mat *A, const mat *B, mat *C)  { nmod_mat_mul(C->rep, A->rep, B->rep); }

typedef struct { const char *name; arith R; void (*bare)(const mat *, const mat *, mat *); long most; bool narrow; long bits; } row_of_bench;

/* The best of some repetitions, in nanoseconds per multiply-add. */
static double best(const row_of_bench *b, long n, bool bare)
{
    double least = 1e300;
    for (int k = 0; k < 7; k++) {
        scope s = scope_open(&b->R, 1, (uint64_t)k);
        const mat *A = mat_inv(&s, mat_draw(&s, "A", n, n, 0)), *B = mat_t(&s, A);      /* full precision */
        mat *C = (mat *)(uintptr_t)mat_zero(&s, n, n);
        const double start = now();
        if (bare) b->bare(A, B, C);
        else (void)mat_mul(&s, A, B);
        const double t = (now() - start) * 1e9 / ((double)n * (double)n * (double)n);
        if (t < least) least = t;
        scope_close(&s);
    }
    return least;
}

static bool ours_arb(mat *C, const mat *A) { return inverse_arb(arith_arb_balls(C), arith_arb_balls(A), A->R->bits); }
static bool libs_arb(mat *C, const mat *A) { return arb_mat_inv(arith_arb_balls(C), arith_arb_balls(A), A->R->bits); }
static bool ours_fp(mat *C, const mat *A)  { return inverse_fp(C->rep, A->rep); }
static bool libs_fp(mat *C, const mat *A)  { return nmod_mat_inv(C->rep, A->rep); }

/* The best of some repetitions, of one where it takes longer, in seconds. */
static double inverted(const arith *R, long n, bool (*invert)(mat *, const mat *))
{
    double least = 1e300;
    for (int k = 0; k < (n < 256 ? 5 : 1); k++) {
        scope s = scope_open(R, 1, (uint64_t)k);
        const mat *A = mat_draw(&s, "A", n, n, 0), *B = mat_mul(&s, A, mat_t(&s, mat_draw(&s, "B", n, n, 0)));
        mat *C = (mat *)(uintptr_t)mat_zero(&s, n, n);
        const double start = now();
        if (!invert(C, B)) die("a random matrix of %ld rows was not inverted", n);
        if (now() - start < least) least = now() - start;
        scope_close(&s);
    }
    return least;
}

static void inverses(const arith *R, const char *name, long most, bool (*ours)(mat *, const mat *),
                     bool (*library)(mat *, const mat *))
{
    static const long sizes[] = { 16, 64, 256, 768 };
    for (size_t k = 0; k < COUNT(sizes) && sizes[k] <= most; k++) {
        const double t = inverted(R, sizes[k], ours), bare = inverted(R, sizes[k], library);
        printf("%-12s %5ld %12.5f %12.5f %7.2f\n", name, sizes[k], t, bare, t / bare);
    }
}

/* Nanoseconds a value of exp and of GELU's erfc, in balls, ours beside Arb's at the same points: the best of some repetitions. */
enum { VALUES = 1000 };
static void arb_exps (arb_ptr y, arb_srcptr x, long n, long bits) { for (long k = 0; k < n; k++) arb_exp(y + k, x + k, bits); }
static void arb_erfcs(arb_ptr y, arb_srcptr x, long n, long bits) { for (long k = 0; k < n; k++) arb_hypgeom_erfc(y + k, x + k, bits); }

static double per_value(void (*f)(arb_ptr, arb_srcptr, long, long), arb_srcptr x, long bits)
{
    double least = 1e300;
    arb_ptr y = _arb_vec_init(VALUES);
    for (int k = 0; k < 15; k++) {
        const double start = now();
        f(y, x, VALUES, bits);
        const double t = (now() - start) * 1e9 / VALUES;
        if (t < least) least = t;
    }
    _arb_vec_clear(y, VALUES);
    return least;
}

static void bench_elementary(void)
{
    printf("%-12s %5s %12s %12s %7s\n", "function", "bits", "ns/value", "Arb ns/value", "ratio");
    arb_ptr x = _arb_vec_init(VALUES), scaled = _arb_vec_init(VALUES);
    arb_t root;
    arb_init(root);
    for (long bits = 64; bits <= 512; bits *= 2) {
        arb_sqrt_ui(root, 2, bits);
        for (long k = 0; k < VALUES; k++) {             /* -4, ..., 4, all bits in use */
            arb_set_si(x + k, 8 * k + 1 - 4 * VALUES);
            arb_div_ui(x + k, x + k, VALUES + 7, bits);
            arb_div(scaled + k, x + k, root, bits);     /* erfc(-x / sqrt 2)/2 */
            arb_neg(scaled + k, scaled + k);
        }
        const double e = per_value(elementary_exp, x, bits), arb_e = per_value(arb_exps, x, bits);
        const double g = per_value(elementary_normal, x, bits), arb_g = per_value(arb_erfcs, scaled, bits);
        printf("%-12s %5ld %12.1f %12.1f %7.2f\n", "exp", bits, e, arb_e, arb_e / e);
        printf("%-12s %5ld %12.1f %12.1f %7.2f\n", "erfc", bits, g, arb_g, arb_g / g);
    }
    arb_clear(root);
    _arb_vec_clear(x, VALUES);
    _arb_vec_clear(scaled, VALUES);
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    libraries_init();
    const uint64_t key[2] = { 0, 0 };
    row_of_bench table[] = {
        { "f64", arith_f64(), bare_f64, 768, false, 53 },
        { "fp, 61 bits", arith_fp(((uint64_t)1 << 61) - 1, key), bare_fp, 768, false, 61 },
        { "fp, 50 bits", arith_fp(((uint64_t)1 << 50) - 27, key), bare_fp, 768, false, 50 },
        { "fp, no 512", arith_fp(((uint64_t)1 << 61) - 1, key), bare_fp, 768, true, 61 },
        { "arb:256", arith_arb(256), bare_arb, 256, false, 256 },
        { "arb:512", arith_arb(512), bare_arb, 256, false, 512 },
        { "mpfr:64", arith_mpfr(64), NULL, 64, false, 0 },
        { "mpfr:256", arith_mpfr(256), NULL, 64, false, 0 },
        { "mpfr:1024", arith_mpfr(1024), NULL, 64, false, 0 },
    };
    const machine_limits at = limits_measured(openblas_get_num_threads());
    printf("OpenBLAS core %s, %d thread(s)\n%-12s %5s %12s %12s %7s %12s %7s\n", openblas_get_corename(),
           openblas_get_num_threads(), "arithmetic", "n", "ns/op", "bare ns/op", "ratio", "limit", "of it");
    for (size_t k = 0; k < COUNT(table); k++)
        for (long n = 16; n <= table[k].most; n = n < 64 ? 64 : n < 256 ? 256 : 3 * n) {
            product_fp_narrow(table[k].narrow);
            const double ours = best(&table[k], n, false), bare = table[k].bare ? best(&table[k], n, true) : 0;
            const double limit = !table[k].bits ? 0 : table[k].bare == bare_f64 ? 1 / at.fma64
                               : limit_of_integers(&at, table[k].bits, table[k].bits, n);
            if (bare > 0) printf("%-12s %5ld %12.4f %12.4f %7.2f %12.4f %5.1f %%\n", table[k].name, n, ours, bare,
                                 ours / bare, limit, 100 * limit / ours);
            else          printf("%-12s %5ld %12.4f\n", table[k].name, n, ours);
        }
    product_fp_narrow(false);
    const arith balls = arith_arb(256), field = arith_fp(((uint64_t)1 << 61) - 1, key);
    printf("%-12s %5s %12s %12s %7s\n", "inverses", "n", "seconds", "library's", "ratio");
    inverses(&balls, "arb:256", 256, ours_arb, libs_arb);
    inverses(&field, "fp, 61 bits", 768, ours_fp, libs_fp);
    bench_elementary();
    libraries_clear();
    return 0;
}
