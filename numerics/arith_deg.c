/* arith_deg.c - the error bound of arith_nmod.c, computed by running the same program on degrees and heights.
 *
 * The formal run.  Let the entries of all drawn matrices (in units of 2^log2scale), the half-angle tangents of the
 * rotations, and one value for each different argument of each opaque function be indeterminates.  The program then
 * computes rational functions N/(2^s delta) of them, N and delta with integer coefficients.  What holds in the formal
 * run holds for all functions and all weights at which the denominators are not 0.
 *
 * The run over F_q is the image of the formal run at a uniform point, as long as no two formally different
 * arguments meet; for equal arguments give equal values, and the oracle answers a new argument by a new uniform value.
 * So a conjunction of checks that does not hold formally passes at q only if some polynomial of a list vanishes there:
 *   - N_1 delta_2 - N_2 delta_1, in units of 2, for two formally different arguments of one function, or for
 *     the two sides of an equality that does not hold formally;
 *   - an (r+1) x (r+1) minor, where `rank = r` is claimed and the formal rank is larger.  (A smaller one shows
 *     always: the rank over F_q is at most the formal one.)
 * Each polynomial P of the list is formally not 0, and does not depend on q.  Let D be its degree and H the sum of
 * the absolute values of its coefficients; H does not fall below any of them, and sums and products bound it simply.
 *   - P is the zero polynomial mod q only if q divides a fixed nonzero coefficient, of at most H: at most
 *     log2 H / 60 primes q >= 2^60 do.
 *   - Otherwise it vanishes at a uniform point with probability at most D/(q - 2) (Schwartz, J. ACM 27, 1980; Zippel
 *     1979): one coordinate of a rotation leaves out the two roots of 1 + u^2, all others leave out nothing.
 * Hence, by the union bound over the list, one prime that is uniform among the primes in [2^60, 2^61) errs with
 * probability at most  (sum of D)/(2^60 - 2) + (sum of log2 H)/(60 * 2^54).  There are more than 2^54 such primes:
 * pi(x) > x/ln x for x >= 17 and pi(x) < 1.25506 x/ln x (Rosser & Schoenfeld, Illinois J. Math. 6, 1962, (3.5),
 * (3.6)) give pi(2^61) - pi(2^60) > 0.0171 * 2^60.  Draws and oracles are salted with the prime, so k different primes are
 * k independent experiments, and the bounds multiply.  (Primes are drawn without repetition, which divides by
 * the number of the remaining ones; the figures 0.0171 and 2^-6 = 0.0156 leave room for that and for rounding.)
 *
 * The probability is over the primes, the draws and the values of the functions, all hashes of the public
 * seed, with SipHash taken as a random function.  The mask, the tokens and the zeros of sparse draws belong to the
 * instance.  A determinant that vanishes makes a run UNDECIDED, which accepts nothing.
 *
 * A matrix is represented by bounds for one denominator common to its entries, and by an identity of that denominator,
 * so that adding two matrices over the same one does not square it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith.h"

/* Of N/(2^two delta): degrees; log2 of the sums of absolute values; id 0: delta = 1. */
typedef struct { double num, den, log2num, log2den, two; long id; bool opaque; } degree;   /* num -INFINITY: zero */

typedef struct { int function; place at; double calls, least_two; degree most; } call_site;
typedef struct { degree_bound sum; long last_id; call_site *site; size_t sites; } ledger;

static degree *deg(const mat *A)     { return A->rep; }
static ledger *book(const mat *A)    { return A->R->state; }

static const degree zero = { .num = -INFINITY, .log2num = -INFINITY };
static const degree fresh_value = { .num = 1, .opaque = true };

static void init(mat *A)
{
    A->rep = must_calloc(1, sizeof(degree));
    *deg(A) = zero;
}

static void clear(mat *A) { free(A->rep); }

static double log2_sum(double x, double y)               /* log2(2^x + 2^y) */
{
    const double most = fmax(x, y);
    return most == -INFINITY ? most : most + log2(exp2(x - most) + exp2(y - most));
}

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

static degree sum(ledger *b, degree x, degree y)
{
    if (x.num < 0) return y;
    if (y.num < 0) return x;
    const double two = fmax(x.two, y.two);
    const bool same = x.id == y.id;
    const degree x_den = same ? (degree){ 0 } : x, y_den = same ? (degree){ 0 } : y;
    return (degree){
        .num = fmax(x.num + y_den.den, y.num + x_den.den), .den = x.den + y_den.den,
        .log2num = log2_sum(x.log2num + y_den.log2den + two - x.two, y.log2num + x_den.log2den + two - y.two),
        .log2den = x.log2den + y_den.log2den, .two = two,
        .id = same || !y.id ? x.id : !x.id ? y.id : ++b->last_id, .opaque = x.opaque || y.opaque };
}

static degree product(ledger *b, degree x, degree y)
{
    if (x.num < 0 || y.num < 0) return zero;
    return (degree){ .num = x.num + y.num, .den = x.den + y.den, .log2num = x.log2num + y.log2num,
                     .log2den = x.log2den + y.log2den, .two = x.two + y.two,
                     .id = !y.id ? x.id : !x.id ? y.id : ++b->last_id, .opaque = x.opaque || y.opaque };
}

static void copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    (void)ci; (void)cj; (void)ai; (void)aj; (void)r; (void)c;
    *deg(C) = sum(book(C), *deg(C), *deg(A));
}

static void add(mat *C, const mat *A, const mat *B)        { *deg(C) = sum(book(C), *deg(A), *deg(B)); }
static void entrywise(mat *C, const mat *A, const mat *B)  { *deg(C) = product(book(C), *deg(A), *deg(B)); }
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
    if (x.num < 0) return UNDECIDED;
    *deg(C) = (degree){ .num = (n - 1) * x.num + x.den, .den = n * x.num,
                        .log2num = log2_factorial(n - 1) + (n - 1) * x.log2num + x.log2den,
                        .log2den = log2_factorial(n) + n * x.log2num, .two = -x.two,
                        .id = ++book(A)->last_id, .opaque = x.opaque };
    return HOLDS;
}

/* One more polynomial of the list, `times` over. */
static void count(ledger *b, double times, double degree_of_it, double log2height)
{
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
    while (k < b->sites && (b->site[k].function != function || memcmp(&b->site[k].at, &at, sizeof at) != 0)) k++;
    if (k == b->sites) {
        b->site = must_realloc(b->site, ++b->sites, sizeof *b->site);
        b->site[k] = (call_site){ .function = function, .at = at, .least_two = x.two, .most = x };
    }
    call_site *s = &b->site[k];
    degree *y = &s->most;
    count(b, s->calls * times, fmax(x.num + y->den, y->num + x.den),
          log2_sum(x.log2num + y->log2den + fmax(y->two - x.two, 0),
                   y->log2num + x.log2den + fmax(x.two - s->least_two, 0)));
    s->calls += 1;
    s->least_two = fmin(s->least_two, x.two);
    *y = (degree){ .num = fmax(x.num, y->num), .den = fmax(x.den, y->den), .log2num = fmax(x.log2num, y->log2num),
                   .log2den = fmax(x.log2den, y->log2den), .two = fmax(x.two, y->two) };
}

enum { FN_PHI = 1, FN_ROWMAP, FN_NORM };

static truth phi(mat *C, const mat *A, activation kind, place at)
{
    *deg(C) = *deg(A);
    if (kind == ACT_IDENTITY) return HOLDS;
    *deg(C) = fresh_value;
    if (kind == ACT_HALF_ODD) {                           /* even + x/2 */
        degree half = *deg(A);
        half.two += 1;
        *deg(C) = sum(book(C), fresh_value, half);
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
        const degree scale = { .log2num = log2(num), .log2den = log2(den), .id = den > 1 ? ++book(A)->last_id : 0 };
        *deg(C) = product(book(A), scale, x);
        return HOLDS;
    }
    *deg(C) = fresh_value;
    if (how->kind == ROWMAP_STOCHASTIC) deg(C)->log2num = log2((double)A->cols);     /* 1 - the others */
    if (how->kind == ROWMAP_STOCHASTIC || how->kind == ROWMAP_SHIFT) x.log2num += 1; /* less the first */
    called(A, FN_ROWMAP, at, (double)A->rows, x);
    return HOLDS;
}

static truth norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    (void)log2eps;
    degree x = *deg(A);
    *deg(C) = fresh_value;
    if (kind == NORM_RADIAL) {                            /* rho(|x|^2) x */
        *deg(C) = product(book(C), *deg(C), x);
        x = product(book(C), x, x);
        x.log2num += log2((double)A->cols);
    }
    called(A, FN_NORM, at, (double)A->rows, x);
    return HOLDS;
}

/* Row t by the power t of (1 - u^2 + 2 i u)/(1 + u^2), whose parts have at most 4^t as sums; over the product
 * of (1 + u^2)^(rows - 1) over all pairs. */
static truth rotate(mat *C, const mat *A)
{
    const double powers = (double)(A->rows - 1), pairs = (double)(A->cols / 2);
    const degree turn = { .num = 2 * powers * pairs, .den = 2 * powers * pairs, .log2num = 1 + powers * (pairs + 1),
                          .log2den = powers * pairs, .id = powers > 0 ? ++book(A)->last_id : 0, .opaque = true };
    *deg(C) = product(book(A), *deg(A), turn);
    return HOLDS;
}

static comparison compare(const mat *A, const mat *B, double log2bound)
{
    (void)log2bound;
    degree x = *deg(A), y = *deg(B);
    const double two = fmax(x.two, y.two);
    if (x.num < 0) x = (degree){ .log2num = -INFINITY, .two = two };
    if (y.num < 0) y = (degree){ .log2num = -INFINITY, .two = two };
    const degree difference = sum(book(A), x, y);
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

double degree_bound_log2_at(degree_bound b, double q)
{
    return b.highest < log2(q) ? log2((1 + exp2(-20)) * b.degrees / (q - 2)) : 0;
}

arith arith_deg(void)
{
    return (arith){
        .name = "deg", .traits = OPAQUE | DEGREES, .state = must_calloc(1, sizeof(ledger)), .close = close_,
        .init = init, .clear = clear, .draw = draw, .set_dyadic = set_dyadic,
        .get_exact = get_exact, .get_d = get_d, .copy = copy, .add = add, .sub = add, .mul = mul,
        .hadamard = entrywise, .scale_rows = entrywise, .transpose = transpose, .inv = inv,
        .phi = phi, .rowmap = row_map, .norm = norm, .rotate = rotate,
        .compare = compare, .log2max = log2max, .rank_at_most = rank_at_most };
}
