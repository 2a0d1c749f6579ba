/* arith_deg.c - the error bound of arith_nmod.c, computed by running the same program on degrees.
 *
 * Every entry is a rational function N/delta of the weights and of the values that the opaque
 * functions returned.  A matrix is represented by bounds on deg N and deg delta for a denominator
 * common to its entries, and by an identity of that denominator, so that adding two matrices over
 * the same one does not square it.
 *
 * A run over F_q can accept a false identity only if one of these happens at the random point:
 *   two formally different arguments met at one place (probability <= D/q per pair), or
 *   the final matrices agree though they differ formally            (<= D/q per comparison);
 * it stops UNDECIDED if a determinant vanishes (<= deg det / q).  D is the degree of the
 * numerator of the difference, deg N_1 delta_2 - N_2 delta_1.  `events` sums the D, `dets` the
 * degrees of the determinants; (events + dets)/q bounds the error for one prime
 * (Schwartz, J. ACM 27, 1980).  Values of opaque functions are fresh indeterminates: degree 1. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith.h"

typedef struct { double num, den; long id; } degree;     /* num = -INFINITY: the zero matrix */

typedef struct { int function; place at; double calls, num, den; } call_site;
typedef struct { degree_bound sum; long last_id; call_site *site; size_t sites; } ledger;

static degree *deg(const mat *A)     { return A->rep; }
static ledger *book(const mat *A)    { return A->R->state; }

static void init(mat *A)
{
    A->rep = must_calloc(1, sizeof(degree));
    deg(A)->num = -INFINITY;
}

static void clear(mat *A)                             { free(A->rep); }
static void draw(mat *C, const drawing *how)          { (void)how; deg(C)->num = 1; }

static void set_dyadic(mat *C, const int64_t *m, long e)
{
    (void)e;
    for (long k = 0; k < C->rows * C->cols; k++) if (m[k]) deg(C)->num = 0;
}

static bool get_exact(mpq_t x, const mat *A, long i, long j) { (void)x; (void)A; (void)i; (void)j; return false; }
static double get_d(const mat *A, long i, long j)            { (void)A; (void)i; (void)j; return NAN; }
static double log2max(const mat *A)                          { (void)A; return NAN; }

static degree sum(ledger *b, degree x, degree y)
{
    if (x.num < 0) return y;
    if (y.num < 0) return x;
    if (x.den == 0 && y.den == 0) return (degree){ fmax(x.num, y.num), 0, 0 };
    if (x.id == y.id && x.den == y.den) return (degree){ fmax(x.num, y.num), x.den, x.id };
    long id = x.den == 0 ? y.id : y.den == 0 ? x.id : ++b->last_id;
    return (degree){ fmax(x.num + y.den, y.num + x.den), x.den + y.den, id };
}

static degree product(ledger *b, degree x, degree y)
{
    if (x.num < 0 || y.num < 0) return (degree){ -INFINITY, 0, 0 };
    long id = x.den == 0 ? y.id : y.den == 0 ? x.id : ++b->last_id;
    return (degree){ x.num + y.num, x.den + y.den, id };
}

static void copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    (void)ci; (void)cj; (void)ai; (void)aj; (void)r; (void)c;
    *deg(C) = sum(book(C), *deg(C), *deg(A));
}

static void add(mat *C, const mat *A, const mat *B)        { *deg(C) = sum(book(C), *deg(A), *deg(B)); }
static void mul(mat *C, const mat *A, const mat *B)        { *deg(C) = product(book(C), *deg(A), *deg(B)); }
static void transpose(mat *C, const mat *A)                { *deg(C) = *deg(A); }

/* A = N/delta, n x n: A^-1 = delta adj(N)/det(N), deg adj <= (n-1) deg N, deg det <= n deg N. */
static truth inv(mat *C, const mat *A)
{
    const double n = (double)A->rows;
    degree x = *deg(A);
    if (x.num < 0) return UNDECIDED;
    *deg(C) = (degree){ (n - 1) * x.num + x.den, n * x.num, ++book(A)->last_id };
    book(A)->sum.dets += n * x.num;
    return HOLDS;
}

/* A function is called on `times` arguments (rows, or entries) at a place: each may meet the
 * arguments of the earlier calls there. */
static void called(const mat *A, int function, place at, double times)
{
    ledger *b = book(A);
    size_t k = 0;
    while (k < b->sites && (b->site[k].function != function || memcmp(&b->site[k].at, &at, sizeof at) != 0)) k++;
    if (k == b->sites) {
        b->site = must_realloc(b->site, ++b->sites, sizeof *b->site);
        b->site[k] = (call_site){ .function = function, .at = at };
    }
    call_site *s = &b->site[k];
    const double num = fmax(deg(A)->num, 0), den = deg(A)->den;
    b->sum.events += s->calls * times * fmax(num + s->den, s->num + den);
    s->calls += 1;
    s->num = fmax(s->num, num);
    s->den = fmax(s->den, den);
}

enum { FN_PHI = 1, FN_ROWMAP, FN_NORM };

static truth phi(mat *C, const mat *A, activation kind, place at)
{
    *deg(C) = (degree){ 1, 0, 0 };
    if (kind == ACT_IDENTITY) { *deg(C) = *deg(A); return HOLDS; }
    if (kind == ACT_HALF_ODD) *deg(C) = sum(book(C), *deg(C), *deg(A));
    called(A, FN_PHI, at, (kind == ACT_HALF_ODD ? 2.0 : 1.0) * (double)(A->rows * A->cols));   /* x and -x */
    return HOLDS;
}

static truth row_map(mat *C, const mat *A, const rowmap *how, place at)
{
    *deg(C) = (degree){ 1, 0, 0 };
    if (how->kind == ROWMAP_LINEAR) { *deg(C) = *deg(A); return HOLDS; }
    called(A, FN_ROWMAP, at, (double)A->rows);
    return HOLDS;
}

static truth norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    (void)log2eps;
    *deg(C) = (degree){ 1, 0, 0 };
    if (kind == NORM_RADIAL) {                        /* rho(|x|^2) x: arguments of twice the degree */
        called(A, FN_NORM, at, 2.0 * (double)A->rows);
        *deg(C) = product(book(C), *deg(C), *deg(A));
    } else {
        called(A, FN_NORM, at, (double)A->rows);
    }
    return HOLDS;
}

static truth rotate(mat *C, const mat *A) { *deg(C) = *deg(A); return HOLDS; }   /* fixed numbers */

static comparison compare(const mat *A, const mat *B, double log2bound)
{
    (void)log2bound;
    const degree x = *deg(A), y = *deg(B);
    book(A)->sum.events += fmax(fmax(x.num, 0) + y.den, fmax(y.num, 0) + x.den);
    return (comparison){ HOLDS, -INFINITY, -INFINITY };
}

static void close_(arith *R)
{
    ledger *b = R->state;
    free(b->site);
    free(b);
}

degree_bound arith_deg_bound(const arith *R) { return ((const ledger *)R->state)->sum; }

arith arith_deg(void)
{
    return (arith){
        .name = "deg", .traits = OPAQUE, .state = must_calloc(1, sizeof(ledger)), .close = close_,
        .init = init, .clear = clear, .draw = draw, .set_dyadic = set_dyadic,
        .get_exact = get_exact, .get_d = get_d, .copy = copy, .add = add, .sub = add, .mul = mul,
        .hadamard = mul, .scale_rows = mul, .transpose = transpose, .inv = inv,
        .phi = phi, .rowmap = row_map, .norm = norm, .rotate = rotate,
        .compare = compare, .log2max = log2max };
}
