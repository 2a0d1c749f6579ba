/* SPDX-License-Identifier: GPL-3.0-or-later
 * degree.c - see degree.h. */
#include "numerics/record/degree.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double degree, log2sum; } factor;               /* a polynomial with integer coefficients */
typedef struct { long factor, power; } power;
typedef struct { power *at; long n; double degree, log2sum; } denominator;      /* factors ascending */
typedef struct { long x, y, is; } merged;                        /* `is` of x and y; x = 0: nothing is kept here */

enum { KEPT = 1024 };                    /* a power of 2 */

struct degrees {
    factor *factors;
    denominator *dens;                   /* dens[0] = 1 */
    long nfactors, ndens, room;
    merged kept[2][KEPT];                /* of the last merges: least common multiples, products */
};

const degree degree_zero = { .num = -INFINITY, .log2num = -INFINITY };
const degree degree_value = { .num = 1, .opaque = true };

double degree_log2_sum(double x, double y)
{
    const double most = fmax(x, y);
    return most == -INFINITY ? most : most + log2(exp2(x - most) + exp2(y - most));
}

static long den_add(degrees *b, denominator d)
{
    if (b->ndens == b->room) {
        b->room = b->room ? 2 * b->room : 64;
        b->dens = must_realloc(b->dens, (size_t)b->room, sizeof *b->dens);
    }
    for (long k = 0; k < d.n; k++) {
        const factor *f = &b->factors[d.at[k].factor];
        d.degree += (double)d.at[k].power * f->degree;
        d.log2sum += (double)d.at[k].power * f->log2sum;
    }
    b->dens[b->ndens] = d;
    return b->ndens++;
}

degrees *degrees_new(void)
{
    degrees *b = must_calloc(1, sizeof *b);
    (void)den_add(b, (denominator){ 0 });
    return b;
}

void degrees_free(degrees *b)
{
    for (long k = 0; k < b->ndens; k++) free(b->dens[k].at);
    free(b->dens);
    free(b->factors);
    free(b);
}

double den_degree (const degrees *b, long den) { return b->dens[den].degree; }
double den_log2sum(const degrees *b, long den) { return b->dens[den].log2sum; }

long den_new(degrees *b, double its_degree, double log2sum)
{
    b->factors = must_realloc(b->factors, (size_t)b->nfactors + 1, sizeof *b->factors);
    b->factors[b->nfactors] = (factor){ its_degree, log2sum };
    denominator d = { .at = must_calloc(1, sizeof *d.at), .n = 1 };
    d.at[0] = (power){ b->nfactors++, 1 };
    return den_add(b, d);
}

/* The next factor of X or Y, or of both, after i and j of their factors, with its power in each. */
static long next_factor(const denominator *X, const denominator *Y, long *i, long *j, long *p, long *q)
{
    const bool of_x = *j == Y->n || (*i < X->n && X->at[*i].factor <= Y->at[*j].factor);
    const bool of_y = *i == X->n || (*j < Y->n && Y->at[*j].factor <= X->at[*i].factor);
    const long which = of_x ? X->at[*i].factor : Y->at[*j].factor;
    *p = of_x ? X->at[(*i)++].power : 0;
    *q = of_y ? Y->at[(*j)++].power : 0;
    return which;
}

static long den_merge_new(degrees *b, long x, long y, bool product)
{
    const denominator *X = &b->dens[x], *Y = &b->dens[y];
    bool is_x = !product, is_y = !product;
    long p, q;
    for (long i = 0, j = 0; (is_x || is_y) && (i < X->n || j < Y->n);) {
        next_factor(X, Y, &i, &j, &p, &q);
        is_x &= p >= q;
        is_y &= q >= p;
    }
    if (is_x || is_y) return is_x ? x : y;
    denominator d = { .at = must_calloc((size_t)(X->n + Y->n), sizeof *d.at) };
    for (long i = 0, j = 0; i < X->n || j < Y->n; d.n++) {
        const long which = next_factor(X, Y, &i, &j, &p, &q);
        d.at[d.n] = (power){ which, product ? p + q : p > q ? p : q };
    }
    return den_add(b, d);
}

/* The product of two denominators, or their least common multiple.  Entries of a matrix share their denominators, so
 * the same two meet again and again. */
static long den_merge(degrees *b, long x, long y, bool product)
{
    if (!x || !y || (x == y && !product)) return x ? x : y;
    merged *kept = &b->kept[product][(31 * x + y) & (KEPT - 1)];
    if (kept->x != x || kept->y != y) *kept = (merged){ x, y, den_merge_new(b, x, y, product) };
    return kept->is;
}

degree degree_sum(degrees *b, degree x, degree y)
{
    if (x.num < 0) return y;
    if (y.num < 0) return x;
    const double two = fmax(x.two, y.two);
    const long den = den_merge(b, x.den, y.den, false);
    const denominator *D = &b->dens[den], *X = &b->dens[x.den], *Y = &b->dens[y.den];
    return (degree){ .num = fmax(x.num + D->degree - X->degree, y.num + D->degree - Y->degree),
                     .log2num = degree_log2_sum(x.log2num + D->log2sum - X->log2sum + two - x.two,
                                         y.log2num + D->log2sum - Y->log2sum + two - y.two),
                     .two = two, .den = den, .opaque = x.opaque || y.opaque };
}

degree degree_product(degrees *b, degree x, degree y)
{
    if (x.num < 0 || y.num < 0) return degree_zero;
    return (degree){ .num = x.num + y.num, .log2num = x.log2num + y.log2num, .two = x.two + y.two,
                     .den = den_merge(b, x.den, y.den, true), .opaque = x.opaque || y.opaque };
}
