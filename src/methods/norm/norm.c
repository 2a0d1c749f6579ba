/* SPDX-License-Identifier: GPL-3.0-or-later
 * norm.c - LayerNorm, RMSNorm and their inverses: see norm.h. */
#include "src/methods/norm/norm.h"

enum { SQUARINGS = 7 };
static const place FORTH = { 0, PLACE_MLP, 0 }, BACK = { 1, PLACE_MLP, 0 };

static bool opaque(const scope *s)   { return s->R->traits & OPAQUE; }
static bool symbolic(const scope *s) { return s->R->traits & SYMBOLIC; }

const mat *norm_apply(scope *s, const mat *M, const mat *X) { return mat_mul(s, X, mat_t(s, M)); }

const mat *norm_gain(scope *s, const mat *A)
{
    return mat_mul(s, mat_t(s, mat_inv(s, A)), mat_ones(s, A->rows, 1));
}

const mat *norm_planted(scope *s, const char *name, const mat *v)
{
    const long d = v->rows;
    REQUIRE(d > 1, "a planted matrix of size %ld", d);
    const mat *below = mat_draw(s, name, d - 1, d, mat_log2_fan_in(d)), *rest = mat_t(s, mat_rows(s, v, 1, d - 1));
    const mat *first = mat_sub(s, mat_ones(s, 1, d), mat_mul(s, rest, below));
    return mat_vcat(s, 2, (const mat *[]){ first, below });
}

const mat *norm_d_eps(scope *s, long d) { return mat_dyadic(s, 1, 1, (int64_t[]){ d }, NORM_LOG2_EPS); }

const mat *norm_plane(scope *s, long d)
{
    REQUIRE(d > 1, "H has no basis for d = %ld", d);
    const mat *last = mat_neg(s, mat_ones(s, 1, d - 1));
    return mat_vcat(s, 2, (const mat *[]){ mat_identity(s, d - 1), last });
}

const mat *norm_layer(scope *s, const mat *X)
{
    if (!opaque(s)) return mat_norm(s, X, NORM_LAYER, NORM_LOG2_EPS, FORTH);
    return norm_rms(s, symbolic(s) ? X : mat_mul(s, X, mat_centering(s, X->cols)));
}

const mat *norm_rms(scope *s, const mat *X)
{
    return mat_norm(s, X, opaque(s) ? NORM_RADIAL : NORM_RMS, NORM_LOG2_EPS, FORTH);
}

const mat *norm_back(trial *t, const mat *Z)
{
    scope *s = &t->s;
    if (opaque(s)) return mat_norm(s, Z, NORM_RADIAL, NORM_LOG2_EPS, BACK);
    const mat *d = mat_scale_by(s, mat_ratio(s, Z->cols, 1), mat_ones(s, Z->rows, 1));
    const mat *room = mat_sub(s, d, mat_row_squares(s, Z));
    claim_positive(t, "inside the ball of radius sqrt d", room);
    if (mat_positive(room) == REFUTED) return mat_zero(s, Z->rows, Z->cols);
    const mat *per_d_eps = mat_reciprocal(s, norm_d_eps(s, Z->cols));
    return mat_scale_rows(s, mat_rsqrt(s, mat_scale_by(s, per_d_eps, room)), Z);
}

const mat *norm_mlp(scope *s, const mat *W1, const mat *W2, activation phi, const mat *X)
{
    return norm_apply(s, W2, mat_phi(s, norm_apply(s, W1, X), phi, FORTH));
}

const mat *norm_inputs(scope *s, const char *name, long d)
{
    const int64_t length[] = { 1, 1 << 7, 1 << 14, 1 << 21, 1 << 28 };
    return mat_scale_rows(s, mat_dyadic(s, 5, 1, length, -14), mat_draw(s, name, 5, d, mat_log2_fan_in(d)));
}

const mat *norm_rotation(scope *s, const char *name, long d)
{
    if (symbolic(s)) return mat_draw_orthogonal(s, name, d);
    const mat *G = mat_draw_weight(s, name, d, d), *P = mat_centering(s, d), *I = mat_identity(s, d);
    const mat *S = mat_mul3(s, P, mat_sub(s, G, mat_t(s, G)), P);
    return mat_mul(s, mat_sub(s, I, S), mat_inv(s, mat_add(s, I, S)));
}

const mat *norm_map(scope *s, const char *name, long d)
{
    const mat *G = mat_draw(s, name, d, d, mat_log2_fan_in(d) - 3);
    return symbolic(s) ? G : mat_mul3(s, mat_centering(s, d), G, mat_centering(s, d));
}

const mat *norm_near_one(scope *s, const char *name, long n)
{
    return mat_add(s, mat_ones(s, n, 1), mat_draw(s, name, n, 1, -3));
}

const mat *norm_contraction(scope *s, const char *name, long d)
{
    char other[32];
    snprintf(other, sizeof other, "%s, the other", name);
    const mat *sum = mat_add(s, norm_rotation(s, name, d), norm_rotation(s, other, d));
    return mat_scale_by(s, mat_ratio(s, 3, 8), sum);
}

const mat *norm_factor_square(scope *s, long d, const mat *y2, const mat *Sy2)
{
    const mat *one = mat_ones(s, y2->rows, 1);
    const mat *eps = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, NORM_LOG2_EPS);
    const mat *r = mat_add(s, mat_scale_by(s, mat_ratio(s, 1, d), y2), mat_scale_by(s, eps, one));
    const mat *per_r = mat_reciprocal(s, r), *z2 = mat_hadamard(s, per_r, Sy2);          /* |Sigma L(y)|^2 */
    const mat *room = mat_sub(s, mat_scale_by(s, mat_ratio(s, d, 1), one), z2);
    return mat_scale_by(s, norm_d_eps(s, d), mat_hadamard(s, per_r, mat_reciprocal(s, room)));
}

void norm_claim_small(trial *t, const mat *Sigma, long denominator)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *length = mat_dyadic(s, 3, 1, (int64_t[]){ 1, 1 << 7, 1 << 14 }, -24);
    const mat *X = mat_scale_rows(s, length, mat_draw(s, "Y", 3, d, mat_log2_fan_in(d)));
    const mat *Y = mat_mul(s, X, mat_centering(s, d)), *y2 = mat_row_squares(s, Y);
    const mat *Sy2 = mat_row_squares(s, norm_apply(s, Sigma, Y));
    const mat *x = mat_scale_by(s, mat_reciprocal(s, norm_d_eps(s, d)), y2), *one = mat_ones(s, 3, 1);
    const mat *alpha2 = norm_factor_square(s, d, y2, Sy2);
    const mat *low = mat_sub(s, one, mat_scale_by(s, mat_ratio(s, 1, denominator), x));
    claim_positive(t, "|y|^2 < 2 d eps", low);
    claim_less(t, "|Sigma y| < |y|", Sy2, y2);
    claim_less(t, "alpha < 1", alpha2, one);
    claim_less(t, "1 - alpha < |y|^2/(2 d eps)", mat_hadamard(s, low, low), alpha2);
}

static const mat *trace(scope *s, const mat *G)
{
    const mat *diagonal = mat_hadamard(s, G, mat_identity(s, G->rows));
    return mat_mul3(s, mat_ones(s, 1, G->rows), diagonal, mat_ones(s, G->rows, 1));
}

/* G_0 = G/u_0, G_k = G_(k-1)^2/u_k, each u_k the trace of what it divides: no power grows, and
 * (tr G^p)^(1/p) = u_0 sqrt(u_1 sqrt(u_2 ... sqrt(u_7))) for p = 2^7. */
norm_top norm_largest(scope *s, const mat *N)
{
    const mat *G = mat_mul(s, mat_t(s, N), N), *u[SQUARINGS + 1];
    for (long k = 0; k <= SQUARINGS; k++) {
        if (k) G = mat_mul(s, G, G);
        u[k] = trace(s, G);
        G = mat_scale_by(s, mat_reciprocal(s, u[k]), G);
    }
    const mat *square = u[SQUARINGS];
    for (long k = SQUARINGS; k-- > 0;)                   /* sqrt(x) = x / sqrt(x) */
        square = mat_mul(s, u[k], mat_mul(s, square, mat_rsqrt(s, square)));
    const mat *along = mat_mul(s, mat_draw(s, "along", 1, N->cols, 0), G);
    return (norm_top){ square, mat_scale_by(s, mat_rsqrt(s, mat_row_squares(s, along)), along) };
}

void norm_claim_top(trial *t, const mat *N, norm_top top)
{
    scope *s = &t->s;
    const mat *reached = mat_row_squares(s, norm_apply(s, N, top.along)), *least = mat_ratio(s, 9, 10);
    claim_less(t, "the norm is met within 6 %", mat_scale_by(s, least, top.square), reached);
    claim_equal(t, "its direction has length 1", mat_row_squares(s, top.along), mat_ratio(s, 1, 1));
}

bool norm_degenerate(scope *s, const mat *A)
{
    const mat *variance = mat_row_squares(s, mat_mul(s, A, mat_centering(s, A->cols)));
    return mat_positive(variance) == REFUTED;
}
