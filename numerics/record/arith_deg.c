/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_deg.c - the error bound of arith_fp.c, computed by running the same program on degrees and heights.
 *
 * The formal run.  Let the entries of all drawn matrices (in units of 2^log2scale), the half-angle tangents of the
 * rotations, and one value for each different argument of each opaque function be indeterminates.  The program then
 * computes rational functions N/(2^s delta) of them, N and delta with integer coefficients.  What holds in the formal
 * run holds for all functions and all weights at which the denominators are not 0.
 *
 * The run over F_p is the image of the formal run at a uniform point, as long as no two formally different
 * arguments meet; for equal arguments give equal values, and the oracle gives a new argument a new uniform value.
 * So a conjunction of checks that does not hold formally passes at p only if some polynomial of a list vanishes there:
 *   - N_1 delta_2 - N_2 delta_1, in units of 2, for two formally different arguments of one function, or for
 *     the two sides of an equality that does not hold formally;
 *   - an (r+1) x (r+1) minor, where `rank = r` is claimed and the formal rank is larger.  (A smaller one is
 *     always seen: the rank over F_p is at most the formal one.)
 * Each polynomial P of the list is formally not 0, and does not depend on p.  Let D be its degree and H the sum of
 * the absolute values of its coefficients; H is at least as large as each, and is easy to bound for sums and products.
 *   - P is the zero polynomial mod p only if p divides a fixed nonzero coefficient, which is at most H; that is true
 *     of at most log2 H / 60 primes p >= 2^60.
 *   - Otherwise it vanishes at a uniform point with probability at most D/(p - 2) (Schwartz, J. ACM 27, 1980; Zippel
 *     1979): one coordinate of a rotation leaves out the two roots of 1 + u^2, all others leave out nothing.
 * Hence, by the union bound over the list, one prime that is uniform among the primes in [2^60, 2^61) errs with
 * probability at most  (sum of D)/(2^60 - 2) + (sum of log2 H)/(60 * 2^54).  There are more than 2^54 such primes:
 * pi(x) > x/ln x for x >= 17 and pi(x) < 1.25506 x/ln x (Rosser & Schoenfeld, Illinois J. Math. 6, 1962, (3.5), (3.6))
 * give pi(2^61) - pi(2^60) > 0.0171 * 2^60.  Draws and oracles are salted with the prime, so k different primes are k
 * independent experiments, and the bounds multiply.  (Primes are drawn without repetition, which divides by the
 * number of the remaining ones; the difference between 0.0171 and 2^-6 = 0.0156 covers that and
 * rounding.)
 *
 * The probability is over the primes, the draws and the values of the functions, all hashes of the public
 * seed, with SipHash taken as a random function.  The mask, the tokens and the zeros of sparse draws are
 * part of the instance.  A determinant that vanishes makes a run UNDECIDED, which accepts nothing.
 *
 * degree.h bounds the entries of a matrix; this file bounds the operations and keeps the list. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/record/arith_deg.h"
#include "numerics/record/degree.h"

/* The calls of a function at one place: how many, and bounds for all of their arguments. */
typedef struct { int function; place at; double calls, least_two, two, num, log2num, den, log2den; } call_site;
typedef struct { degrees *dens; degree_bound sum; call_site *site; size_t sites; } ledger;

static degree *deg(const mat *A)     { return degree_of(A); }
static ledger *book(const mat *A)    { return A->R->state; }
degrees *degrees_of(const mat *A)    { return book(A)->dens; }

static degree sum(const mat *A, degree x, degree y)     { return degree_sum(degrees_of(A), x, y); }
static degree product(const mat *A, degree x, degree y) { return degree_product(degrees_of(A), x, y); }

static void init(mat *A)
{
    A->rep = must_calloc(1, sizeof(degree));
    *deg(A) = degree_zero;
}

static void clear(mat *A) { free(A->rep); }

static double log2_factorial(double n) { return lgamma(n + 1) / log(2); }

static void draw(mat *C, const drawing *how)
{
    *deg(C) = (degree){ .num = 1, .two = -how->log2scale };
    if (how->shape == CORNER_NEAR_SINGULAR) {             /* x + 2^-20 y */
        deg(C)->log2num = log2(exp2(20) + 1);
        deg(C)->two += 20;
    }
}

static void set_dyadic(mat *C, const int64_t *m, long e)
{
    double top = 0;
    for (long k = 0; k < C->rows * C->cols; k++) top = fmax(top, fabs((double)m[k]));
    if (top > 0) *deg(C) = (degree){ .log2num = log2(top), .two = (double)-e };
}

static bool get_exact(mpq_t x, const mat *A, long i, long j) { (void)x; (void)A; (void)i; (void)j; return false; }
static double get_d(const mat *A, long i, long j)            { (void)A; (void)i; (void)j; return NAN; }
static double log2max(const mat *A)                          { (void)A; return NAN; }

static void copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    (void)ci; (void)cj; (void)ai; (void)aj; (void)r; (void)c;
    *deg(C) = sum(C, *deg(C), *deg(A));
}

static void add(mat *C, const mat *A, const mat *B)        { *deg(C) = sum(C, *deg(A), *deg(B)); }
static void entrywise(mat *C, const mat *A, const mat *B)  { *deg(C) = product(C, *deg(A), *deg(B)); }
static void transpose(mat *C, const mat *A)                { *deg(C) = *deg(A); }

static void mul(mat *C, const mat *A, const mat *B)
{
    entrywise(C, A, B);
    deg(C)->log2num += log2((double)A->cols);
}

/* A = N/(2^s delta), n x n: A^-1 = 2^s delta adj(N)/det(N); det has n! terms of n factors, each cofactor (n-1)!. */
static truth inv(mat *C, const mat *A)
{
    const double n = (double)A->rows;
    const degree x = *deg(A);
    degrees *b = degrees_of(A);
    if (x.num < 0) return UNDECIDED;
    *deg(C) = (degree){ .num = (n - 1) * x.num + den_degree(b, x.den),
                        .log2num = log2_factorial(n - 1) + (n - 1) * x.log2num + den_log2sum(b, x.den), .two = -x.two,
                        .den = den_new(b, n * x.num, log2_factorial(n) + n * x.log2num), .opaque = x.opaque };
    return HOLDS;
}

/* Add a polynomial to the list, `times` times. */
static void count(ledger *b, double times, double degree_of_it, double log2height)
{
    if (degree_of_it > 0 || log2height > 0) b->sum.polynomials += times;
    b->sum.degrees += times * fmax(degree_of_it, 0);
    b->sum.heights += times * fmax(log2height, 0);
    if (times > 0) b->sum.highest = fmax(b->sum.highest, log2height);
}

/* A function is called on `times` arguments (rows, or entries) at a place: each may meet the
 * arguments of the earlier calls there. */
static void called(const mat *A, int function, place at, double times, degree x)
{
    ledger *b = book(A);
    size_t k = 0;
    if (x.num < 0) x = (degree){ 0 };
    const double den = den_degree(b->dens, x.den), log2den = den_log2sum(b->dens, x.den);
    while (k < b->sites && (b->site[k].function != function || memcmp(&b->site[k].at, &at, sizeof at) != 0)) k++;
    if (k == b->sites) {
        b->site = must_realloc(b->site, ++b->sites, sizeof *b->site);
        b->site[k] = (call_site){ .function = function, .at = at, .least_two = x.two, .two = x.two };
    }
    call_site *y = &b->site[k];
    count(b, y->calls * times, fmax(x.num + y->den, y->num + den),
          degree_log2_sum(x.log2num + y->log2den + fmax(y->two - x.two, 0),
                   y->log2num + log2den + fmax(x.two - y->least_two, 0)));
    y->calls += 1;
    y->least_two = fmin(y->least_two, x.two);
    y->two = fmax(y->two, x.two);
    y->num = fmax(y->num, x.num);
    y->log2num = fmax(y->log2num, x.log2num);
    y->den = fmax(y->den, den);
    y->log2den = fmax(y->log2den, log2den);
}

enum { FN_PHI = 1, FN_ROWMAP, FN_NORM };

static truth phi(mat *C, const mat *A, activation kind, place at)
{
    *deg(C) = *deg(A);
    if (kind == ACT_IDENTITY) return HOLDS;
    *deg(C) = degree_value;
    if (kind == ACT_HALF_ODD) {                           /* even + x/2 */
        degree half = *deg(A);
        half.two += 1;
        *deg(C) = sum(C, degree_value, half);
    }
    called(A, FN_PHI, at, (kind == ACT_HALF_ODD ? 2.0 : 1.0) * (double)(A->rows * A->cols), *deg(A));   /* x and -x */
    return HOLDS;
}

static truth row_map(mat *C, const mat *A, const rowmap *how, place at)
{
    degree x = *deg(A);
    if (how->kind == ROWMAP_LINEAR) {
        const double num = round(sqrt((double)how->scale_num)), den = round(sqrt((double)how->scale_den));
        if (num * num != (double)how->scale_num || den * den != (double)how->scale_den) return UNDECIDED;
        const degree scale = { .log2num = log2(num), .den = den > 1 ? den_new(degrees_of(A), 0, log2(den)) : 0 };
        *deg(C) = product(A, scale, x);
        return HOLDS;
    }
    *deg(C) = degree_value;
    if (how->kind == ROWMAP_STOCHASTIC) deg(C)->log2num = log2((double)A->cols);     /* 1 - the others */
    if (how->kind == ROWMAP_STOCHASTIC || how->kind == ROWMAP_SHIFT) x.log2num += 1; /* less the first */
    called(A, FN_ROWMAP, at, (double)A->rows, x);
    return HOLDS;
}

static truth norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    (void)log2eps;
    degree x = *deg(A);
    *deg(C) = degree_value;
    if (kind == NORM_RADIAL) {                            /* rho(|x|^2) x */
        *deg(C) = product(C, *deg(C), x);
        x = product(C, x, x);
        x.log2num += log2((double)A->cols);
    }
    called(A, FN_NORM, at, (double)A->rows, x);
    return HOLDS;
}

/* Row t by the power t of (1 - u^2 + 2 i u)/(1 + u^2), whose parts have at most 4^t as sums; over the product
 * of (1 + u^2)^(rows - 1) over all pairs. */
static truth rotate(mat *C, const mat *A)
{
    const long half = A->cols / 2;                          /* cols is even */
    const double powers = (double)(A->rows - 1), pairs = (double)half;
    degree turn = { .num = 2 * powers * pairs, .log2num = 1 + powers * (pairs + 1), .opaque = true };
    if (powers > 0) turn.den = den_new(degrees_of(A), 2 * powers * pairs, powers * pairs);
    *deg(C) = product(C, *deg(A), turn);
    return HOLDS;
}

static comparison compare(const mat *A, const mat *B, double log2bound)
{
    (void)log2bound;
    const degree difference = sum(A, *deg(A), *deg(B));   /* one of them may be 0 */
    count(book(A), 1, difference.num, difference.log2num);
    return (comparison){ HOLDS, -INFINITY, -INFINITY };
}

static truth rank_at_most(const mat *A, long r)
{
    if (r >= A->rows || r >= A->cols || deg(A)->num < 0) return HOLDS;
    const double n = (double)r + 1;
    count(book(A), 1, n * deg(A)->num, log2_factorial(n) + n * deg(A)->log2num);
    return HOLDS;
}

static void close_(arith *R)
{
    ledger *b = R->state;
    degrees_free(b->dens);
    free(b->site);
    free(b);
}

degree_bound arith_deg_bound(const arith *R) { return ((const ledger *)R->state)->sum; }

bool arith_deg_opaque(const mat *A) { return deg(A)->opaque; }

double degree_bound_log2(degree_bound b, prime_range from)
{
    const double slack = 1 + exp2(-20);                   /* for the rounding of this file */
    return log2(slack * (b.degrees / (from.least - 2) + b.heights / (log2(from.least) * from.count)));
}

double degree_bound_log2_at(degree_bound b, double p)
{
    return b.highest < log2(p) ? log2((1 + exp2(-20)) * b.degrees / (p - 2)) : 0;
}

arith arith_deg(void)
{
    ledger *b = must_calloc(1, sizeof *b);
    b->dens = degrees_new();
    return (arith){
        .name = "deg", .kind = A_DEG, .traits = OPAQUE, .default_log2bound = -INFINITY,
        .state = b, .close = close_,
        .ring = { .init = init, .clear = clear, .draw = draw, .set_dyadic = set_dyadic,
                  .get_exact = get_exact, .get_d = get_d, .copy = copy, .add = add, .sub = add,
                  .mul = mul, .hadamard = entrywise, .scale_rows = entrywise,
                  .transpose = transpose, .inv = inv, .compare = compare, .log2max = log2max,
                  .rank_at_most = rank_at_most },
        .functions = { .phi = phi, .rowmap = row_map, .norm = norm, .rotate = rotate },
    };
}
