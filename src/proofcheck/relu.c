/* relu.c - kinds `relu-eq`, `relu-neq`, `no-j`: networks  W2 ReLU(W1 x) + Z x  on columns x, over Q.
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
    f.W1 = next_matrix(c, names[0], 0, cols);
    f.W2 = next_matrix(c, names[1], rows, f.W1.r);
    f.Z = next_matrix(c, names[2], f.W2.r, f.W1.c);
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
        spend(c, 1);
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
        if (is_zero(row_of(W1, j))) continue;
        matrix total = row_of(W2t, j);
        for (long k = j + 1; k < W1.r; k++) {
            if (!same_rows(c, W1, j, k)) continue;
            total = plus(c, total, row_of(W2t, k), 1);
            for (long l = 0; l < W1.c; l++) mpq_set_ui(AT(W1, k, l), 0, 1);          /* counted */
        }
        if (!is_zero(total)) n++;
    }
    return n;
}

static matrix value_at(checker *c, net f, matrix point)
{
    matrix hidden = product(c, f.W1, point);
    for (long i = 0; i < hidden.r; i++)
        if (mpq_sgn(hidden.at[i]) < 0) mpq_set_ui(hidden.at[i], 0, 1);
    return plus(c, product(c, f.W2, hidden), product(c, f.Z, point), 1);
}

/* f - g is the network of (W1; V1), (W2, -V2) and Z - Y. */
static void require_equal(checker *c, net f, net g)
{
    const matrix minus = plus(c, zero(c, g.W2.c, g.W2.r), transposed(c, g.W2), -1);
    const matrix W1 = stacked(c, f.W1, g.W1), W2t = stacked(c, transposed(c, f.W2), minus);
    const matrix D = product(c, transposed(c, W2t), W1), T = plus(c, f.Z, g.Z, -1);
    require(c, is_zero(plus(c, plus(c, D, T, 1), T, 1)), "the networks differ: their linear parts do");
    require(c, kinks(c, W1, W2t) == 0, "the networks differ: their kinks do");
}

void check_relu(checker *c, bool want_equal)
{
    const net f = read_net(c, (const char *const[]){ "W1", "W2", "Z" }, 0, 0);
    const net g = read_net(c, (const char *const[]){ "V1", "V2", "Y" }, f.W2.r, f.W1.c);
    const long neurons = f.W1.r, others = g.W1.r;
    if (want_equal) {
        require_equal(c, f, g);
    } else {
        const matrix point = next_matrix(c, "x", f.W1.c, 1);
        const matrix difference = plus(c, value_at(c, f, point), value_at(c, g, point), -1);
        require(c, !is_zero(difference), "the networks agree at x");
    }
    next_is(c, "end", 1);
    snprintf(c->proved, sizeof c->proved, "two ReLU networks of %ld and %ld neurons %s", neurons, others,
             want_equal ? "are the same function" : "differ at the point x");
}

/* ---- no set J of neurons with W2[:,J] W1[J,:] + Z = 0 ---- */

/* Is Z + the sum of some of the first m matrices 0? */
static bool some_J(checker *c, matrix Z, const matrix *each, long m)
{
    if (m == 0) return is_zero(Z);
    return some_J(c, Z, each, m - 1) || some_J(c, plus(c, Z, each[m - 1], 1), each, m - 1);
}

static void try_all_J(checker *c, net f)
{
    matrix each[SUBSETS_OF] = { { "", 0, 0, NULL } };
    const matrix W2t = transposed(c, f.W2);
    require(c, f.W1.r <= SUBSETS_OF, "too many neurons to enumerate");
    for (long j = 0; j < f.W1.r; j++) each[j] = product(c, transposed(c, row_of(W2t, j)), row_of(f.W1, j));
    require(c, !some_J(c, f.Z, each, f.W1.r), "there is such a J");
}

/* <y, w2_j w1_j> = 0 for each j, the diagonal of W1 y' W2; and <y, Z>, the trace of y' Z, is not 0. */
static void use_y(checker *c, net f, matrix y)
{
    const matrix yt = transposed(c, y), P = product(c, f.W1, product(c, yt, f.W2)), T = product(c, yt, f.Z);
    for (long j = 0; j < P.r; j++) require(c, mpq_sgn(AT(P, j, j)) == 0, "<y, w2_j w1_j> is not 0 for some j");
    for (long l = 1; l < T.r; l++) mpq_add(T.at[0], T.at[0], AT(T, l, l));
    require(c, mpq_sgn(T.at[0]) != 0, "<y, Z> is 0");
}

void check_no_j(checker *c)
{
    const net f = read_net(c, (const char *const[]){ "W1", "W2", "Z" }, 0, 0);
    next_line(c);
    const bool all = is(c, "enumerate", 1);
    if (all) try_all_J(c, f);
    else use_y(c, f, read_matrix(c, "y", f.Z.r, f.Z.c));
    next_is(c, "end", 1);
    const bool regular = kinks(c, f.W1, transposed(c, f.W2)) == f.W1.r;
    snprintf(c->proved, sizeof c->proved, "no J among %ld neurons has W2[:.J] W1[J.:] + Z = 0 by %s%s", f.W1.r,
             all ? "trying all J" : "y", regular ? " where the conditions of E.1 hold" : "");
}
