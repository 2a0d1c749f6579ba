/* SPDX-License-Identifier: GPL-3.0-or-later
 * rotation.c - RMSNorm models: a rotation of the stream that makes W_Q of one layer triangular (N7, N20).
 *
 * G W_Q = Omega U, Omega orthogonal, U upper triangular with a positive diagonal; Theta = Omega, for
 * N(x Omega) = N(x) Omega once no gain stands behind the norm.  Both are enclosed by narrow balls: Cholesky's W'W = U'U
 * about, then what is missing.  That costs products and inverses, and twice the bits of W_Q's condition number.
 *
 * The first query head of each group of heads that share keys has its blocks on the diagonal made simple by a gauge of
 * the group: the identity without RoPE, D = (U_aa)^-1; with it diag(1, c) at each rotary pair, by the (x, y; -y, x)
 * that makes the two columns of the pair's 2 x 2 block orthogonal and the first a unit vector.  Then G W_Q D is
 * decomposed once more.  With RoPE the columns are in the order of their pairs. */
#include "numerics/arith_arb.h"
#include "src/checkpoint/rewrite.h"

/* ---- W = Omega U ------------------------------------------------------------------------------------------------ */

static const mat *quarter(scope *s, const mat *A, long i, long j, long rows, long cols)
{
    return mat_rows(s, mat_cols(s, A, j, cols), i, rows);
}

static const mat *upper(scope *s, const mat *a, const mat *b, const mat *c)      /* (a, b; 0, c) */
{
    mat *C = mat_blank(s, a->rows + c->rows, a->cols + c->cols);
    mat_put(C, 0, 0, a, 0, 0, a->rows, a->cols);
    mat_put(C, 0, a->cols, b, 0, 0, b->rows, b->cols);
    mat_put(C, a->rows, a->cols, c, 0, 0, c->rows, c->cols);
    return C;
}

/* About U^-1, A = U'U, by halves: U_12 = (U_11^-1)' A_12, and U_22 is that of A_22 - U_12' U_12.  Balls would double
 * from row to row: midpoints are numbers as good as any, and exact. */
static const mat *about_inverse(scope *s, const mat *A)
{
    const long n = A->rows, k = n / 2;
    const mat *before = s->first;
    A = arith_arb_midpoints(s, A);
    if (n == 1) return arith_arb_midpoints(s, mat_rsqrt(s, A));
    const mat *first = about_inverse(s, quarter(s, A, 0, 0, k, k));
    const mat *beside = arith_arb_midpoints(s, mat_mul(s, mat_t(s, first), quarter(s, A, 0, k, k, n - k)));
    const mat *rest = mat_sub(s, quarter(s, A, k, k, n - k, n - k), mat_mul(s, mat_t(s, beside), beside));
    const mat *last = about_inverse(s, rest);
    const mat *side = arith_arb_midpoints(s, mat_neg(s, mat_mul3(s, first, beside, last)));
    const mat *U = upper(s, first, side, last);
    scope_sweep(s, before, 1, &U);
    return U;
}

/* V of I + H = V'V, V = I + Y upper triangular: Y + Y' + Y'Y = H, so Y = F(H - Y'Y), F(X) the part of X above its
 * diagonal and half of that.  |F(X)| <= |X| (Frobenius), so that |H| <= 1/4 gives |Y| <= 2 |H|, the map's fixed point,
 * and |Y - F(H)| <= |Y'Y| <= 4 |H|^2. */
static const mat *near_identity(scope *s, const mat *H)
{
    const long n = H->rows;
    const mat *square = mat_square_sum(s, H);
    if (mat_positive(mat_sub(s, mat_ratio(s, 1, 16), square)) != HOLDS)
        scope_undecided(s, REASON_TOO_WIDE, "the precision does not reach an orthogonal matrix");
    const mat *wide = arith_arb_widened(s, H, mat_scale_entries(s, 4, 0, square));
    const mat *half = arith_arb_widened(s, mat_scale_entries(s, 1, -1, H), mat_scale_entries(s, 4, 0, square));
    mat *Y = mat_blank(s, n, n);
    for (long i = 0; i < n; i++) {
        mat_put(Y, i, i, half, i, i, 1, 1);
        if (i + 1 < n) mat_put(Y, i, i + 1, wide, i, i + 1, 1, n - i - 1);
    }
    return mat_add(s, mat_identity(s, n), Y);
}

/* A = W X with X about U^-1, upper triangular and exact; A'A = I + H = V'V; then W = (A V^-1)(V X^-1) and no other. */
typedef struct { const mat *U, *Omega; } factor;

static factor factor_of(scope *s, const mat *W)
{
    const mat *before = s->first;
    const mat *X = about_inverse(s, mat_mul(s, mat_t(s, W), W)), *A = mat_mul(s, W, X);
    scope_sweep(s, before, 2, (const mat *[]){ X, A });
    const mat *H = mat_sub(s, mat_mul(s, mat_t(s, A), A), mat_identity(s, W->cols)), *V = near_identity(s, H);
    scope_sweep(s, before, 3, (const mat *[]){ X, A, V });
    const factor f = { mat_mul(s, V, mat_inv(s, X)), mat_mul(s, A, mat_inv(s, V)) };
    scope_sweep(s, before, 2, (const mat *[]){ f.U, f.Omega });
    return f;
}

const mat *orthogonal_factor(scope *s, const mat *W) { return factor_of(s, W).Omega; }

/* ---- the gauge of the first head of each group ------------------------------------------------------------------ */

/* Column of the order of pairs that column j of the file comes to. */
static long paired_place(const transformer *D, long j)
{
    const long a = j / D->dk, i = j % D->dk, half = D->rotary / 2;
    if (D->positions != POSITIONS_ROTARY || D->pairs != PAIRS_HALVES) return j;
    return a * D->dk + (i < half ? 2 * i : 2 * (i - half) + 1);
}

static const mat *reordered(const transformer *D, scope *s, const mat *W, bool to_pairs)
{
    mat *C = mat_blank(s, W->rows, W->cols);
    for (long j = 0; j < W->cols; j++) {
        const long k = paired_place(D, j);
        mat_put(C, 0, to_pairs ? k : j, W, 0, to_pairs ? j : k, W->rows, 1);
    }
    return C;
}

/* B = (p, q; 0, r) for each pair, B'B = (a, b; b, c).  Its eigenvector (cos f, sin f) with cos 2f = +-(a - c) / R >= 0,
 * sin 2f = +-2b / R, R^2 = (a - c)^2 + 4b^2; sigma = |B (cos f, sin f)'|:
 * D = (cos f, -sin f; sin f, cos f) / sigma, and D^-T = sigma^2 D. */
static void pair_gauge(rewrite *r, const mat *U, long head, long g)
{
    scope *s = &r->keep;
    const long n = r->D->rotary / 2, first = head * r->D->dk;
    mat *p = mat_blank(s, n, 1), *q = mat_blank(s, n, 1), *t = mat_blank(s, n, 1);
    for (long k = 0; k < n; k++) {
        const long i = first + 2 * k;
        mat_put(p, k, 0, U, i, i, 1, 1);
        mat_put(q, k, 0, U, i, i + 1, 1, 1);
        mat_put(t, k, 0, U, i + 1, i + 1, 1, 1);
    }
    const mat *a = mat_hadamard(s, p, p), *b = mat_hadamard(s, p, q);
    const mat *c = mat_add(s, mat_hadamard(s, q, q), mat_hadamard(s, t, t));
    const mat *off = mat_sub(s, a, c), *b2 = mat_add(s, b, b);
    const mat *over = mat_rsqrt(s, mat_add(s, mat_hadamard(s, off, off), mat_hadamard(s, b2, b2)));
    long *sign = scope_alloc(s, (size_t)n * sizeof *sign);
    for (long k = 0; k < n; k++) sign[k] = mat_get_d(off, k, 0) < 0 ? -1 : 1;
    over = mat_hadamard(s, over, mat_from_si(s, n, 1, sign));
    const mat *half = mat_scale_entries(s, 1, -1, mat_add(s, mat_ones(s, n, 1), mat_hadamard(s, off, over)));
    const mat *secant = mat_rsqrt(s, half), *cosine = mat_hadamard(s, half, secant);
    const mat *sine = mat_scale_entries(s, 1, -1, mat_hadamard(s, mat_hadamard(s, b2, over), secant));
    const mat *left = mat_add(s, mat_hadamard(s, a, cosine), mat_hadamard(s, b, sine));
    const mat *right = mat_add(s, mat_hadamard(s, b, cosine), mat_hadamard(s, c, sine));
    const mat *square = mat_add(s, mat_hadamard(s, left, cosine), mat_hadamard(s, right, sine));
    const mat *less = mat_rsqrt(s, square), *more = mat_hadamard(s, square, less), *down = mat_neg(s, sine);
    r->turn[g] = rotary_blocks(r->D, s, mat_hadamard(s, cosine, less), mat_hadamard(s, down, less));
    r->turn_back[g] = rotary_blocks(r->D, s, mat_hadamard(s, cosine, more), mat_hadamard(s, down, more));
}

static void block_gauge(rewrite *r, const mat *U, long head, long g)
{
    scope *s = &r->keep;
    const long dk = r->D->dk;
    const mat *block = quarter(s, U, head * dk, head * dk, dk, dk);
    r->turn[g] = mat_inv(s, block);
    r->turn_back[g] = mat_t(s, block);
}

/* ---- the form --------------------------------------------------------------------------------------------------- */

/* U with what is 0 and 1 by construction as these numbers. */
static const mat *formed(const rewrite *r, scope *s, const mat *U)
{
    const transformer *D = r->D;
    const long d = D->d, dk = D->dk, each = D->h / D->h_kv;
    const bool rotary = D->positions == POSITIONS_ROTARY;
    const mat *one = mat_identity(s, 1);
    mat *C = mat_blank(s, d, d);
    for (long i = 0; i < d; i++) {
        const bool leads = i / dk % each == 0;
        long from = i;
        if (leads && (!rotary || i % 2 == 0)) {
            mat_put(C, i, i, one, 0, 0, 1, 1);
            from = rotary ? i + 2 : (i / dk + 1) * dk;
        }
        if (from < d) mat_put(C, i, from, U, i, from, 1, d - from);
    }
    return C;
}

/* Frees what was made since, but for the gauges, the triangle and these two. */
static void keep_gauges(rewrite *r, const mat *before, const mat *a, const mat *b)
{
    const long n = r->D->h_kv;
    const mat **keep = scope_alloc(&r->keep, (2 * (size_t)n + 3) * sizeof(const mat *));
    for (long g = 0; g < n; g++) {
        keep[g] = r->turn[g];
        keep[n + g] = r->turn_back[g];
    }
    keep[2 * n] = r->triangle;
    keep[2 * n + 1] = a;
    keep[2 * n + 2] = b;
    scope_sweep(&r->keep, before, 2 * n + 3, keep);
}

void rewrite_rotate(rewrite *r)
{
    scope *s = &r->keep;
    const transformer *D = r->D;
    const long each = D->h / D->h_kv, i = r->plan.layer;
    const mat *before = s->first;
    const mat *g = rewrite_folded_gain(r, s, ROLE_GAIN1, i), *W = part_of_file(D, s, ROLE_Q, i, 0, 0);
    r->turn = scope_alloc(s, (size_t)D->h_kv * sizeof(const mat *));
    r->turn_back = scope_alloc(s, (size_t)D->h_kv * sizeof(const mat *));
    const mat **all = scope_alloc(s, (size_t)D->h * sizeof(const mat *));
    W = g ? mat_scale_rows(s, g, W) : W;
    const factor plain = factor_of(s, reordered(D, s, W, true));
    for (long k = 0; k < D->h_kv; k++) {
        if (D->positions == POSITIONS_ROTARY) pair_gauge(r, plain.U, k * each, k);
        else block_gauge(r, plain.U, k * each, k);
    }
    for (long a = 0; a < D->h; a++) all[a] = r->turn[a / each];
    W = reordered(D, s, mat_mul(s, W, mat_blockdiag(s, D->h, all)), true);
    keep_gauges(r, before, W, NULL);
    const factor last = factor_of(s, W);
    r->triangle = reordered(D, s, formed(r, s, last.U), false);
    const mat *Omega = last.Omega, *back = mat_t(s, Omega);
    keep_gauges(r, before, Omega, back);
    for (long k = 0; k <= D->L; k++) r->in[k] = (stream_basis){ .back = back, .write = Omega };
}
