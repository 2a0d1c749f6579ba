/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu.c - kinds `relu-eq`, `relu-neq`, `no-j`: networks  W2 ReLU(W1 x) + Z x  on columns x, over Q.
 *
 * ReLU(s u.x) = (|s| |u.x| + s u.x) / 2, and the functions |u.x| of different directions u are linearly independent
 * of each other and of linear functions.  So sum_j w2_j ReLU(w1_j x) + Z x = 0 for all x if and only if
 *     for each direction u of rows w1_j = s_j u the sum of |s_j| w2_j is 0,  and  Z + W2 W1 / 2 = 0.
 * Two networks are the same function where their difference is such a network. */
#include "src/proofcheck/proofcheck.h"

typedef struct {
    matrix W1, W2, Z;
} net;

static net read_net(checker *c, const char *const names[3], long rows, long cols)
{
    net f;
    f.W1 = matrix_read_next(c, names[0], 0, cols);
    f.W2 = matrix_read_next(c, names[1], rows, f.W1.r);
    f.Z = matrix_read_next(c, names[2], f.W2.r, f.W1.c);
    return f;
}

/* Row j of W1 becomes w1_j / s_j, s_j its first entry that is not 0; row j of W2, which is w2_j', times |s_j|. */
static void make_directions(checker *c, matrix W1, matrix W2)
{
    for (long j = 0; j < W1.r; j++) {
        long l = 0;
        while (l < W1.c && mpq_sgn(AT(W1, j, l)) == 0) l++;
        if (l == W1.c) continue;
        mpq_set(c->x, AT(W1, j, l));
        for (; l < W1.c; l++) mpq_div(AT(W1, j, l), AT(W1, j, l), c->x);
        mpq_abs(c->x, c->x);
        for (long i = 0; i < W2.c; i++) mpq_mul(AT(W2, j, i), AT(W2, j, i), c->x);
    }
}

static bool same_rows(checker *c, matrix A, long i, long j)
{
    for (long l = 0; l < A.c; l++) {
        check_spend(c, 1);
        if (!mpq_equal(AT(A, i, l), AT(A, j, l))) return false;
    }
    return true;
}

/* How many directions of rows of W1 have a sum of |s_j| w2_j that is not 0; W2t = W2'.  Both are overwritten. */
static long kinks(checker *c, matrix W1, matrix W2t)
{
    long n = 0;
    make_directions(c, W1, W2t);
    for (long j = 0; j < W1.r; j++) {
        if (matrix_is_zero(matrix_row(W1, j))) continue;
        matrix total = matrix_row(W2t, j);
        for (long k = j + 1; k < W1.r; k++) {
            if (!same_rows(c, W1, j, k)) continue;
            total = matrix_plus(c, total, matrix_row(W2t, k), 1);
            for (long l = 0; l < W1.c; l++) mpq_set_ui(AT(W1, k, l), 0, 1);          /* counted */
        }
        if (!matrix_is_zero(total)) n++;
    }
    return n;
}

/* As many as neurons: no row of W1 is 0, no two are collinear, and no column of W2 is 0, the conditions of E.1.
 * W1 is overwritten. */
static void count_kinks(checker *c, net f)
{
    c->neurons = f.W1.r;
    c->kinks = kinks(c, f.W1, matrix_transposed(c, f.W2));
}

static matrix value_at(checker *c, net f, matrix point)
{
    matrix hidden = matrix_product(c, f.W1, point);
    for (long i = 0; i < hidden.r; i++)
        if (mpq_sgn(hidden.at[i]) < 0) mpq_set_ui(hidden.at[i], 0, 1);
    return matrix_plus(c, matrix_product(c, f.W2, hidden), matrix_product(c, f.Z, point), 1);
}

/* f - g is the network of (W1; V1), (W2, -V2) and Z - Y. */
static void require_equal(checker *c, net f, net g)
{
    const matrix minus = matrix_plus(c, matrix_zero(c, g.W2.c, g.W2.r), matrix_transposed(c, g.W2), -1);
    const matrix W1 = matrix_stacked(c, f.W1, g.W1), W2t = matrix_stacked(c, matrix_transposed(c, f.W2), minus);
    const matrix D = matrix_product(c, matrix_transposed(c, W2t), W1), T = matrix_plus(c, f.Z, g.Z, -1);
    const matrix twice = matrix_plus(c, matrix_plus(c, D, T, 1), T, 1);              /* W2 W1 + 2 Z */
    check_that(c, matrix_is_zero(twice), "the networks differ: their linear parts do");
    check_that(c, kinks(c, W1, W2t) == 0, "the networks differ: their kinks do");
}

void check_relu(checker *c, bool want_equal)
{
    const net f = read_net(c, (const char *const[]){ "W1", "W2", "Z" }, 0, 0);
    const net g = read_net(c, (const char *const[]){ "V1", "V2", "Y" }, f.W2.r, f.W1.c);
    const long neurons = f.W1.r, others = g.W1.r;
    if (want_equal) {
        require_equal(c, f, g);
    } else {
        const matrix point = matrix_read_next(c, "x", f.W1.c, 1);
        const matrix difference = matrix_plus(c, value_at(c, f, point), value_at(c, g, point), -1);
        check_that(c, !matrix_is_zero(difference), "the networks agree at x");
    }
    text_next_line_is(c, "end", 1);
    c->one_skip = want_equal && matrix_is_zero(matrix_plus(c, f.Z, g.Z, -1));
    if (*c->drawn) count_kinks(c, f);
    snprintf(c->proved, sizeof c->proved, "two ReLU networks of %ld and %ld neurons %s", neurons, others,
             want_equal ? "are the same function" : "differ at the point x");
}

/* ---- no set J of neurons with W2[:,J] W1[J,:] + Z = 0 ---- */

/* Is Z + the sum of some of the first m matrices 0? */
static bool some_J(checker *c, matrix Z, const matrix *each, long m)
{
    if (m == 0) return matrix_is_zero(Z);
    return some_J(c, Z, each, m - 1) || some_J(c, matrix_plus(c, Z, each[m - 1], 1), each, m - 1);
}

static void try_all_J(checker *c, net f)
{
    matrix each[SUBSETS_OF] = { { "", 0, 0, NULL } };
    const matrix W2t = matrix_transposed(c, f.W2);
    check_that(c, f.W1.r <= SUBSETS_OF, "too many neurons to enumerate");
    for (long j = 0; j < f.W1.r; j++) {
        const matrix column = matrix_transposed(c, matrix_row(W2t, j));
        each[j] = matrix_product(c, column, matrix_row(f.W1, j));
    }
    check_that(c, !some_J(c, f.Z, each, f.W1.r), "there is such a J");
}

/* <y, w2_j w1_j> = 0 for each j, the diagonal of W1 y' W2; and <y, Z>, the trace of y' Z, is not 0. */
static void use_y(checker *c, net f, matrix y)
{
    const matrix yt = matrix_transposed(c, y), P = matrix_product(c, f.W1, matrix_product(c, yt, f.W2));
    const matrix T = matrix_product(c, yt, f.Z);
    for (long j = 0; j < P.r; j++) check_that(c, mpq_sgn(AT(P, j, j)) == 0, "<y, w2_j w1_j> is not 0 for some j");
    for (long l = 1; l < T.r; l++) mpq_add(T.at[0], T.at[0], AT(T, l, l));
    check_that(c, mpq_sgn(T.at[0]) != 0, "<y, Z> is 0");
}

void check_no_j(checker *c)
{
    const net f = read_net(c, (const char *const[]){ "W1", "W2", "Z" }, 0, 0);
    text_next_line(c);
    const bool all = text_line_is(c, "enumerate", 1);
    if (all) try_all_J(c, f);
    else use_y(c, f, matrix_read(c, "y", f.Z.r, f.Z.c));
    text_next_line_is(c, "end", 1);
    count_kinks(c, f);
    snprintf(c->proved, sizeof c->proved, "no J among %ld neurons has W2[:.J] W1[J.:] + Z = 0 by %s%s", f.W1.r,
             all ? "trying all J" : "y", c->kinks == c->neurons ? " where the conditions of E.1 hold" : "");
}
