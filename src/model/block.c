/* SPDX-License-Identifier: GPL-3.0-or-later
 * block.c - see block.h. */
#include <stdlib.h>
#include "src/model/block.h"
#include "src/model/routing.h"

static const mat *part(scope *s, const transformer_block *B, tensor_role role, long where)
{
    return B->view.part(B->view.of, s, role, where, 0, 0);
}

/* Z W + b. */
static const mat *applied(scope *s, const transformer_block *B, const mat *Z, const mat *W, tensor_role bias,
                          long where)
{
    return mat_add_row(s, W ? mat_mul(s, Z, W) : Z, part(s, B, bias, where));
}

const mat *block_affine(scope *s, const transformer_block *B, const mat *Z, tensor_role weight, tensor_role bias,
                        long where)
{
    const mat *before = s->first, *Y = applied(s, B, Z, part(s, B, weight, where), bias, where);
    scope_sweep(s, before, 2, (const mat *[]){ Z, Y });
    return Y;
}

/* ---- norms ------------------------------------------------------------------------------------------------------ */

/* NULL: none. */
static const mat *gain_of(scope *s, const transformer_block *B, tensor_role role, long where)
{
    const mat *g = part(s, B, role, where);
    return g && B->offset_gain ? mat_add(s, mat_ones(s, g->rows, g->cols), g) : g;
}

/* X diag(g); the gain is that matrix, or g alone. */
static const mat *times_gain(scope *s, const mat *X, const mat *gain)
{
    if (!gain) return X;
    return gain->rows == X->cols ? mat_mul(s, X, gain) : mat_t(s, mat_scale_rows(s, mat_t(s, gain), mat_t(s, X)));
}

/* The norm with eps of x is the norm with 2^e of x sqrt(2^e / eps). */
static const mat *standard(scope *s, const transformer_block *B, const mat *X, norm_kind kind, place at)
{
    return mat_norm(s, B->shrink ? mat_scale_by(s, B->shrink, X) : X, kind, B->log2eps, at);
}

const mat *block_norm(scope *s, const transformer_block *B, const mat *X, tensor_role gain, tensor_role bias,
                      long where, place at)
{
    if (B->norm == NORM_NONE) return X;
    const mat *N = standard(s, B, X, B->norm, at);
    N = times_gain(s, N, gain_of(s, B, gain, where));
    return mat_add_row(s, N, part(s, B, bias, where));
}

/* ---- attention -------------------------------------------------------------------------------------------------- */

/* Columns first, first + step, ... */
static const mat *columns(scope *s, const mat *X, long first, long step, long count)
{
    if (step == 1) return mat_cols(s, X, first, count);
    mat *C = mat_blank(s, X->rows, count);
    for (long j = 0; j < count; j++) mat_put(C, 0, j, X, 0, first + j * step, X->rows, 1);
    return C;
}

/* Pairs of neighbours come out as pairs of halves: the product of a query and a key does not see it. */
static const mat *turned(scope *s, const transformer_block *B, const mat *x)
{
    if (B->turn == TURN_NOT) return x;
    if (B->turn == TURN_ROTATE) return mat_rotate(s, x);
    const long k = B->cos->cols, rest = x->cols - 2 * k;
    const bool halves = B->turn == TURN_HALVES;
    const mat *a = columns(s, x, 0, halves ? 1 : 2, k), *b = columns(s, x, halves ? k : 1, halves ? 1 : 2, k);
    const mat *to[3] = { mat_sub(s, mat_hadamard(s, a, B->cos), mat_hadamard(s, b, B->sin)),
                         mat_add(s, mat_hadamard(s, b, B->cos), mat_hadamard(s, a, B->sin)), NULL };
    if (rest) to[2] = mat_cols(s, x, 2 * k, rest);
    return mat_hcat(s, rest ? 3 : 2, to);
}

/* A query or a key of one head, or of all of them: behind a norm, where there is a gain. */
static const mat *vector_of(scope *s, const transformer_block *B, const mat *x, const mat *gain, place at)
{
    return gain ? times_gain(s, standard(s, B, x, NORM_RMS, at), gain) : x;
}

const mat *block_heads(scope *s, const transformer_block *B, const mat *Q, const mat *K, const mat *V)
{
    const long dk = B->dk, group = B->h / B->h_kv;
    const mat *gain_q = gain_of(s, B, ROLE_Q_GAIN, B->layer), *gain_k = gain_of(s, B, ROLE_K_GAIN, B->layer);
    if (B->qk_whole) {
        Q = vector_of(s, B, Q, gain_q, (place){ B->at, PLACE_QUERY, 0 });
        K = vector_of(s, B, K, gain_k, (place){ B->at, PLACE_KEY, 0 });
        gain_q = gain_k = NULL;
    }
    const mat **head = must_calloc((size_t)B->h, sizeof(const mat *)), *k = NULL;
    for (long a = 0; a < B->h; a++) {
        const mat *before = s->first;
        const long g = a / group;                        /* the key-value head that head a reads */
        const place query = { B->at, PLACE_QUERY, (int)a }, key = { B->at, PLACE_KEY, (int)g };
        const mat *q = turned(s, B, vector_of(s, B, mat_cols(s, Q, a * dk, dk), gain_q, query));
        if (a % group == 0) k = turned(s, B, vector_of(s, B, mat_cols(s, K, g * dk, dk), gain_k, key));
        const mat *scores = mat_mul(s, q, mat_t(s, k));
        if (B->view.scores) scores = B->view.scores(B->view.of, s, scores, a);
        const mat *weights = mat_rowmap(s, scores, &B->map, (place){ B->at, PLACE_ATTENTION, (int)a });
        head[a] = mat_mul(s, weights, mat_cols(s, V, g * dk, dk));
        scope_sweep(s, before, 2, (const mat *[]){ head[a], k });
    }
    const mat *S = mat_hcat(s, B->h, head);
    free(head);
    return B->view.seen ? B->view.seen(B->view.of, s, B->layer, HALF_ATTENTION, K->rows, S) : S;
}

const mat *block_self_attention(scope *s, const transformer_block *B, const mat *Z)
{
    const mat *K = block_affine(s, B, Z, ROLE_K, ROLE_K_BIAS, B->layer);
    const mat *V = block_affine(s, B, B->slim ? K : Z, ROLE_V, ROLE_V_BIAS, B->layer);
    return block_heads(s, B, block_affine(s, B, Z, ROLE_Q, ROLE_Q_BIAS, B->layer), K, V);
}

const mat *block_attention(scope *s, const transformer_block *B, const mat *Z)
{
    return block_affine(s, B, block_self_attention(s, B, Z), ROLE_O, ROLE_O_BIAS, B->layer);
}

/* ---- MLPs ------------------------------------------------------------------------------------------------------- */

/* x/2 (1 + tanh(a (x + b x^3))) */
static const mat *gelu_by_tanh(scope *s, const mat *X, bool is_short, place at)
{
    static const int64_t root = 0x19884533d43651, less = 0x1988453365de00, b = 0x16e4e26d4801f7;   /* b: 0.044715    */
    const int64_t a = is_short ? less : root;            /* 0.79788456, 0.7978845608028654              */
    const mat *cube = mat_hadamard(s, mat_hadamard(s, X, X), X);
    const mat *u = mat_scale_entries(s, a, -53, mat_add(s, X, mat_scale_entries(s, b, -57, cube)));
    return mat_scale_entries(s, 1, -1, mat_add(s, X, mat_hadamard(s, X, mat_phi(s, u, ACT_TANH, at))));
}

const mat *block_activate(scope *s, const transformer_block *B, const mat *X, place at)
{
    if (B->form == ACTIVATION_BY_TANH || B->form == ACTIVATION_BY_TANH_SHORT)
        return gelu_by_tanh(s, X, B->form == ACTIVATION_BY_TANH_SHORT, at);
    const mat *Y = mat_phi(s, X, B->act, at);
    return B->form == ACTIVATION_SQUARED ? mat_hadamard(s, Y, Y) : Y;
}

static const mat *mlp_of(scope *s, const transformer_block *B, const mat *Z, long at)
{
    const int function = B->view.function ? B->view.function(B->view.of, at) : 0;
    const mat *before = s->first, *H = block_affine(s, B, Z, ROLE_UP, ROLE_UP_BIAS, at), *behind = s->first;
    const mat *gate = B->gated ? part(s, B, ROLE_GATE, at) : NULL;
    if (gate) {
        const mat *G = applied(s, B, Z, gate, ROLE_GATE_BIAS, at);
        scope_sweep(s, behind, 1, &G);
        H = mat_hadamard(s, block_activate(s, B, G, (place){ B->at, PLACE_GATE, function }), H);
    } else H = block_activate(s, B, H, (place){ B->at, PLACE_MLP, function });
    scope_sweep(s, before, 2, (const mat *[]){ Z, H });
    return block_affine(s, B, H, ROLE_DOWN, ROLE_DOWN_BIAS, at);
}

/* X diag(w), w n x 1, in rows chosen[0] < chosen[1] < ... of n, zeros in the others. */
static const mat *put_rows(scope *s, const mat *Y, const mat *w, long n, const long *chosen)
{
    const mat *scaled = mat_scale_rows(s, w, Y);
    mat *to = mat_blank(s, n, Y->cols);
    for (long k = 0; k < Y->rows; k++) mat_put(to, chosen[k], 0, scaled, k, 0, 1, Y->cols);
    return to;
}

/* w_e F_e(z) of the rows that chose the expert; NULL: none did. */
static const mat *one_expert(scope *s, const transformer_block *B, const mat *Z, const routing *r, long e)
{
    if (!r->chosen) {
        const mat *F = mlp_of(s, B, Z, B->mlp + e);
        return mat_scale_rows(s, mat_cols(s, r->weight, e, 1), F);
    }
    const long n = Z->rows;
    long *at = must_calloc((size_t)n, sizeof *at), count = 0;
    for (long t = 0; t < n; t++) if (r->chosen[t * B->experts + e]) at[count++] = t;
    const mat *Y = NULL;
    if (count) {
        mat *X = mat_blank(s, count, Z->cols), *w = mat_blank(s, count, 1);
        for (long k = 0; k < count; k++) {
            mat_put(X, k, 0, Z, at[k], 0, 1, Z->cols);
            mat_put(w, k, 0, r->weight, at[k], e, 1, 1);
        }
        Y = put_rows(s, mlp_of(s, B, X, B->mlp + e), w, n, at);
    }
    free(at);
    return Y;
}

static const mat *mixture(scope *s, const transformer_block *B, const mat *Z, const mat *router)
{
    const mat *before = s->first, *sum = NULL;
    const mat *R = applied(s, B, Z, router, ROLE_UNKNOWN, B->layer);
    const place at = { B->at, PLACE_ROUTER, 0 };
    const routing r = routing_of(s, R, B->chosen, B->of_chosen, B->map.kind, at);
    for (long e = 0; e < B->experts; e++) {
        const mat *Y = one_expert(s, B, Z, &r, e);
        if (!Y) continue;
        sum = sum ? mat_add(s, sum, Y) : Y;
        scope_sweep(s, before, 3, (const mat *[]){ Z, r.weight, sum });
    }
    if (B->shared) {
        const mat *gate = block_affine(s, B, Z, ROLE_SHARED_GATE, ROLE_UNKNOWN, B->layer);
        const mat *F = mlp_of(s, B, Z, B->mlp + B->experts);
        sum = mat_add(s, sum, mat_scale_rows(s, routing_sigmoid(s, gate), F));
    }
    scope_sweep(s, before, 2, (const mat *[]){ Z, sum });
    return sum;
}

static const mat *sum_of_parts(scope *s, const transformer_block *B, const mat *Z)
{
    const mat *sum = mlp_of(s, B, Z, B->mlp);
    for (long e = 1; e < B->experts; e++)
        if (part(s, B, ROLE_UP, B->mlp + e)) sum = mat_add(s, sum, mlp_of(s, B, Z, B->mlp + e));
    return sum;
}

const mat *block_mlp(scope *s, const transformer_block *B, const mat *Z)
{
    const mat *router = B->experts ? part(s, B, ROLE_ROUTER, B->layer) : NULL;
    const mat *F = router ? mixture(s, B, Z, router) : sum_of_parts(s, B, Z);
    return B->view.seen ? B->view.seen(B->view.of, s, B->layer, HALF_MLP, 0, F) : F;
}

/* ---- the stream ------------------------------------------------------------------------------------------------- */

static const mat *in_front(scope *s, const transformer_block *B, const mat *X, tensor_role gain, tensor_role bias,
                           int sublayer)
{
    if (B->norms == NORMS_BEHIND || B->norms == NORMS_OF_SUMS) return X;
    return block_norm(s, B, X, gain, bias, B->layer, (place){ B->at, sublayer, 0 });
}

/* [X +] c A, with the norm behind A or behind the sum. */
static const mat *joined(scope *s, const transformer_block *B, const mat *X, const mat *A, tensor_role gain,
                         tensor_role bias, int sublayer)
{
    const place at = { B->at, sublayer, 1 };
    if (B->norms == NORMS_BEHIND || B->norms == NORMS_AROUND) A = block_norm(s, B, A, gain, bias, B->layer, at);
    if (B->added_factor) A = mat_scale_by(s, B->added_factor, A);
    if (X) A = mat_add(s, X, A);
    return B->norms == NORMS_OF_SUMS ? block_norm(s, B, A, gain, bias, B->layer, at) : A;
}

const mat *block_input(scope *s, const transformer_block *B, const mat *X)
{
    return in_front(s, B, X, ROLE_GAIN1, ROLE_BIAS1, PLACE_ATTENTION);
}

const mat *block_after_attention(scope *s, const transformer_block *B, const mat *X)
{
    const mat *before = s->first, *A = block_attention(s, B, block_input(s, B, X));
    scope_sweep(s, before, 1, &A);
    return joined(s, B, B->attn_skip ? X : NULL, A, ROLE_POST_GAIN1, ROLE_POST_BIAS1, PLACE_ATTENTION);
}

const mat *block_after_mlp(scope *s, const transformer_block *B, const mat *X, const mat *Y)
{
    const mat *from = B->parallel ? X : Y;
    const bool one = B->norms == NORMS_SHARED;
    from = one ? block_input(s, B, from) : in_front(s, B, from, ROLE_GAIN2, ROLE_BIAS2, PLACE_MLP);
    return joined(s, B, B->mlp_skip ? Y : NULL, block_mlp(s, B, from), ROLE_POST_GAIN2, ROLE_POST_BIAS2, PLACE_MLP);
}
