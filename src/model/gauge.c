/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge.c - changes of basis: see gauge.h. */
#include "src/model/gauge.h"

basis gauge_basis(scope *s, const mat *Theta) { return (basis){ .to = Theta, .from = mat_inv(s, Theta) }; }

basis gauge_identity(scope *s, long d)
{
    const mat *I = mat_identity(s, d);
    return (basis){ I, I };
}

static const mat *read_from(scope *s, basis b, const mat *W)  { return W ? mat_mul(s, b.from, W) : NULL; }
static const mat *write_to(scope *s, const mat *W, basis b)   { return W ? mat_mul(s, W, b.to) : NULL; }

static layer rewrite(scope *s, const shape *sh, const layer *from, basis in, basis mid, basis out)
{
    layer W = *from;
    W.Q = read_from(s, in, W.Q);
    W.K = read_from(s, in, W.K);
    W.V = read_from(s, in, W.V);
    W.O  = write_to(s, W.O, mid);
    W.bO = write_to(s, W.bO, mid);
    W.router = read_from(s, mid, W.router);
    for (long e = 0; e < (sh->experts ? sh->experts : 1); e++) {
        mlp *F = &W.expert[e];
        F->up   = read_from(s, mid, F->up);
        F->gate = read_from(s, mid, F->gate);
        F->down   = write_to(s, F->down, out);
        F->b_down = write_to(s, F->b_down, out);
    }
    return W;
}

/* A parallel block's MLP reads what its attention reads, and both write to the same place. */
static layer rewrite_parallel(scope *s, const shape *sh, const layer *W, basis in, basis out)
{
    layer A = rewrite(s, sh, W, in, out, out), F = rewrite(s, sh, W, in, in, out);
    A.router = F.router;
    for (long e = 0; e < MAX_EXPERTS; e++) A.expert[e] = F.expert[e];
    return A;
}

layer gauge_layer(scope *s, const shape *sh, const layer *W, basis in, basis out)
{
    if (sh->parallel) return rewrite_parallel(s, sh, W, in, out);
    return rewrite(s, sh, W, in, sh->mlp_skip && !sh->attn_skip ? out : in, out);
}

model gauge_stream(scope *s, const model *M, const basis at[])
{
    model R = *M;
    const long L = M->s.L;
    R.E = write_to(s, M->E, at[0]);
    R.P = write_to(s, M->P, at[0]);
    R.head = read_from(s, at[2 * L], M->head);
    for (long i = 0; i < L; i++)
        R.at[i] = M->s.parallel ? rewrite_parallel(s, &M->s, &M->at[i], at[2 * i], at[2 * i + 2])
                                : rewrite(s, &M->s, &M->at[i], at[2 * i], at[2 * i + 1], at[2 * i + 2]);
    return R;
}

model gauge_uniform(scope *s, const model *M, basis Theta)
{
    basis at[2 * MAX_LAYERS + 1] = { Theta };
    for (long i = 1; i <= 2 * M->s.L; i++) at[i] = Theta;
    return gauge_stream(s, M, at);
}

/* W and its bias times diag(D[0], .., D[n-1]) */
static void turn_heads(scope *s, const mat **W, const mat **bias, long n, const mat *const D[])
{
    const mat *all = mat_blockdiag(s, n, D);
    *W = mat_mul(s, *W, all);
    if (*bias) *bias = mat_mul(s, *bias, all);
}

void gauge_query_key(scope *s, const shape *sh, layer *W, const mat *const D[])
{
    const mat *query[MAX_HEADS], *key[MAX_HEADS];
    for (long g = 0; g < sh->h_kv; g++) key[g] = mat_t(s, mat_inv(s, D[g]));
    for (long a = 0; a < sh->h; a++) query[a] = D[a / (sh->h / sh->h_kv)];
    turn_heads(s, &W->Q, &W->bQ, sh->h, query);
    turn_heads(s, &W->K, &W->bK, sh->h_kv, key);
}

void gauge_value_output(scope *s, const shape *sh, layer *W, const mat *const D[])
{
    const mat *back[MAX_HEADS];
    for (long a = 0; a < sh->h; a++) back[a] = mat_inv(s, D[a / (sh->h / sh->h_kv)]);
    turn_heads(s, &W->V, &W->bV, sh->h_kv, D);
    W->O = mat_mul(s, mat_blockdiag(s, sh->h, back), W->O);
}
