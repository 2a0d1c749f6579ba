/* SPDX-License-Identifier: GPL-3.0-or-later
 * stream_basis.c - bases of the residual stream that make W_Q of one layer, of all, or W_K and W_V, identities.
 *
 * Theta = (W | rest), so that Theta^-1 W are the first columns of the identity; `rest` is empty for a square W. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/conditions.h"
#include "src/checkpoint/rewrite.h"

/* Unit vectors that complete the columns of W (d x n, n <= d): those of the rows that pivoting leaves. */
static const mat *completed(scope *s, const mat *W)
{
    const long d = W->rows, n = W->cols;
    if (n == d) return W;
    double *x = must_calloc((size_t)(d * n), sizeof *x);
    long *row = must_calloc((size_t)n, sizeof *row);
    bool *taken = must_calloc((size_t)d, sizeof *taken);
    for (long i = 0; i < d; i++) for (long j = 0; j < n; j++) x[i * n + j] = mat_get_d(W, i, j);
    pivoted_rows(d, n, x, row);
    for (long k = 0; k < n; k++) taken[row[k]] = true;
    mat *C = mat_blank(s, d, d);
    mat_put(C, 0, 0, W, 0, 0, d, n);
    const mat *one = mat_identity(s, 1);
    for (long i = 0, j = n; i < d; i++) if (!taken[i]) mat_put(C, i, j++, one, 0, 0, 1, 1);
    free(x);
    free(row);
    free(taken);
    return C;
}

/* write: C Theta, its rows less their mean: C Theta = Theta - 1 (1'Theta)/d. */
static stream_basis basis_of(rewrite *r, const mat *Theta, const mat *shift)
{
    scope *s = &r->keep;
    const long d = r->D->d;
    stream_basis b = { .back = mat_inv(s, Theta), .write = Theta, .shift = shift };
    if (r->plan.stream == STREAM_NO_LAYERNORM) {
        const mat *mean = mat_mul3(s, mat_ratio(s, 1, d), mat_ones(s, 1, d), Theta);
        b.write = mat_sub(s, Theta, mat_mul(s, mat_ones(s, d, 1), mean));
    }
    if (shift) b.read_shift = mat_mul(s, shift, b.back);
    return b;
}

/* b, without what it was made from. */
static stream_basis alone(scope *s, const mat *before, stream_basis b)
{
    scope_sweep(s, before, 4, (const mat *[]){ b.back, b.write, b.shift, b.read_shift });
    return b;
}

/* The shift c makes a bias of all that reads the stream: have they one in the file?  The head's is written then. */
static bool biases_take_a_shift(const transformer *D)
{
    static const tensor_role readers[] = { ROLE_Q_BIAS, ROLE_K_BIAS, ROLE_V_BIAS, ROLE_UP_BIAS, ROLE_GATE_BIAS };
    for (long i = 0; i < D->L; i++)
        for (size_t k = 0; k < COUNT(readers); k++)
            if ((readers[k] != ROLE_GATE_BIAS || D->gated) && !tensor_of_part(D, readers[k], i)) return false;
    return true;
}

/* Theta = G W_Q, or (W_Q | ...); c = b_Q + beta W_Q, so that c Theta^-1 G W_Q = c is the new bias; where other readers
 * have no place for what that makes of theirs (Qwen2's up and gate), c = 0 and b_Q stays: x Theta^-1 W_Q + b_Q. */
static stream_basis query_basis(rewrite *r, long layer)
{
    scope *s = &r->keep;
    const mat *before = s->first;
    const transformer *D = r->D;
    const mat *W = part_of_file(D, s, ROLE_Q, layer, 0, 0), *g = rewrite_folded_gain(r, s, ROLE_GAIN1, layer);
    const mat *b = part_of_file(D, s, ROLE_Q_BIAS, layer, 0, 0), *beta = part_of_file(D, s, ROLE_BIAS1, layer, 0, 0);
    if (r->fold && beta) b = b ? mat_add(s, b, mat_mul(s, beta, W)) : mat_mul(s, beta, W);
    const mat *Theta = completed(s, g ? mat_scale_rows(s, g, W) : W);
    if (!biases_take_a_shift(D)) b = NULL;
    if (b && b->cols < D->d) b = mat_hcat(s, 2, (const mat *const[]){ b, mat_zero(s, 1, D->d - b->cols) });
    scope_sweep(s, before, 2, (const mat *[]){ Theta, b });              /* the inverse takes room */
    return alone(s, before, basis_of(r, Theta, b));
}

static stream_basis key_value_basis(rewrite *r, long layer)
{
    scope *s = &r->keep;
    const mat *before = s->first, *g = rewrite_folded_gain(r, s, ROLE_GAIN1, layer);
    const mat *both = mat_hcat(s, 2, (const mat *const[]){ part_of_file(r->D, s, ROLE_K, layer, 0, 0),
                                                           part_of_file(r->D, s, ROLE_V, layer, 0, 0) });
    return alone(s, before, basis_of(r, completed(s, g ? mat_scale_rows(s, g, both) : both), NULL));
}

void rewrite_choose_basis(rewrite *r)
{
    const transformer *D = r->D;
    if (r->plan.stream == STREAM_NO_LAYERNORM) {         /* 1 / sqrt(var + eps) = 1 / sqrt(eps) but for var / (2 eps) */
        const double eps = (double)(float)D->eps;
        r->scale = mat_rsqrt(&r->keep, mat_of_doubles(&r->keep, 1, 1, &eps));
    }
    r->held = -1;
    if (r->plan.stream == STREAM_EVERY_QUERY) {
        rewrite_basis(r, 0);
        return;
    }
    const long layer = r->plan.stream == STREAM_SHARED_QUERY ? 0 : r->plan.layer;
    const stream_basis b = r->plan.stream == STREAM_STACKED ? key_value_basis(r, layer) : query_basis(r, layer);
    for (long i = 0; i <= D->L; i++) r->in[i] = b;
}

/* ---- a basis in front of each layer ------------------------------------------------------------------------------ */

/* In front of the head the old basis is kept; tied: Theta_L = (Theta_0')^-1, head~ = Theta_0' E' = E~'. */
static stream_basis last_basis(rewrite *r)
{
    scope *s = &r->keep;
    if (!r->model.tied) return (stream_basis){ .back = NULL };
    const stream_basis b = { .write = mat_t(s, query_basis(r, 0).back) };
    return alone(s, NULL, b);
}

const stream_basis *rewrite_basis(rewrite *r, long layer)
{
    if (r->plan.stream != STREAM_EVERY_QUERY || layer == r->held) return &r->in[layer];
    if (r->held >= 0) r->in[r->held] = (stream_basis){ .back = NULL };
    scope_sweep(&r->keep, NULL, 0, NULL);                /* bases are all that it has */
    r->held = layer;
    r->in[layer] = layer < r->D->L ? query_basis(r, layer) : last_basis(r);
    if (r->told) gauge_file_take_basis(r->told, layer, r->in[layer].write, r->in[layer].shift);
    return &r->in[layer];
}

const mat *rewrite_writer(rewrite *r, scope *s, long layer)
{
    const bool own = r->plan.stream == STREAM_EVERY_QUERY && layer != r->held && layer < r->D->L;
    return own ? part_of_file(r->D, s, ROLE_Q, layer, 0, 0) : rewrite_basis(r, layer)->write;
}
