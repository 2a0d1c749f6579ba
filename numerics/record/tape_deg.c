/* SPDX-License-Identifier: GPL-3.0-or-later
 * tape_deg.c - degrees and heights of what tape_fp.c computes where functions answer afresh: see tape.h. */
#include <math.h>
#include "numerics/record/degree.h"
#include "numerics/record/tape.h"

static truth phi(const tape_rules *how, mat *Y, mat *slope, const mat *A, activation kind)
{
    (void)how;
    if (kind == ACT_RELU || kind == ACT_HALF_ODD) return UNDECIDED;
    const bool identity = kind == ACT_IDENTITY;
    *degree_of(Y) = identity ? *degree_of(A) : degree_value;
    const degree none = { 0 };
    *degree_of(slope) = identity ? none : degree_value;
    return HOLDS;
}

/* E_ij / sum_k E_ik over the product of the sums of all rows */
static truth softmax(const tape_rules *how, mat *S, const mat *A, const unsigned char *visible)
{
    (void)how; (void)visible;
    const double rows = (double)A->rows, sum = log2((double)A->cols);
    *degree_of(S) = (degree){ .num = rows, .log2num = (rows - 1) * sum, .den = den_new(degrees_of(S), rows, rows * sum),
                              .opaque = true };
    return HOLDS;
}

static truth radial(const tape_rules *how, mat *rho, mat *slope, const mat *s, norm_kind kind, long width, long log2eps)
{
    (void)how; (void)s; (void)kind; (void)width; (void)log2eps;
    *degree_of(rho) = *degree_of(slope) = degree_value;
    return HOLDS;
}

/* x c - y s with c, s of at most 5^p over 5^p, p the highest power */
static truth rotate(mat *Y, const mat *A, bool back)
{
    (void)back;
    const long pairs = A->cols / 2, turns = (A->rows - 1) * pairs;          /* cols is even */
    const double fives = (double)turns * log2(5);
    const degree turn = { .log2num = 1 + fives, .den = den_new(degrees_of(A), 0, fives) };
    *degree_of(Y) = degree_product(degrees_of(A), *degree_of(A), turn);
    return HOLDS;
}

static void draw(const tape_rules *how, mat *A, const drawing *d)
{
    (void)how;
    A->R->ring.draw(A, d);
}

const tape_functions tape_deg = { phi, softmax, radial, rotate, draw };
