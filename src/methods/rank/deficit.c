/* SPDX-License-Identifier: GPL-3.0-or-later
 * deficit.c - the closed formula of the dimensions that are lost with W_Q = I: N9, and N18 to N20 for its cases.
 *
 * In n layers n d^2 weights are fixed.  What the gauge can do about that is the rank of its components there: with X of
 * the stream, A of the pair (W_Q, W_K), e of the gains, w of LayerNorm they are, at W_Q = I,
 *     -Gamma^-1 X Gamma + diag(A) - diag(e) + Gamma^-1 1 w'        in each layer,
 * where A runs through h_kv dk^2 dimensions (one element for the query heads of a group; RoPE h_kv dk, QK-norm
 * h_kv dk(dk-1)/2, both h_kv dk/2, none with gain vectors), e through d of which diag(A) has some already, and w
 * through d.  X is counted once per basis of the stream, less those X that every layer's own directions reach.
 * Without a norm these are all diag(A); skew ones where the head is tied; behind gains, diag(A) with one key head for
 * each query head, skew (LayerNorm: and A_a 1 = 0).                                                             */
#include "src/methods/rank/dimension.h"

static bool plain_pair(const shape *sh) { return !sh->rope && !sh->qk_norm; }

/* Dimensions of diag(A), of the skew ones in it, and of the diagonal ones. */
typedef struct { long all, skew, diagonal; } pair_algebra;
static pair_algebra of_pair(const shape *sh, bool unit_gains)
{
    const long g = sh->h_kv, dk = sh->dk;
    if (sh->qk_norm && !unit_gains) return (pair_algebra){ 0 };
    if (sh->rope) return (pair_algebra){ g * (sh->qk_norm ? dk / 2 : dk), g * dk / 2, sh->qk_norm ? 0 : g * dk / 2 };
    if (sh->qk_norm) return (pair_algebra){ g * dk * (dk - 1) / 2, g * dk * (dk - 1) / 2, 0 };
    return (pair_algebra){ g * dk * dk, g * dk * (dk - 1) / 2, g * dk };
}

/* What a layer reaches by itself. */
static long own_directions(const shape *sh, pair_algebra A)
{
    const long gains = sh->norm == NORM_NONE ? 0 : sh->d - A.diagonal, centre = sh->norm == NORM_LAYER ? sh->d : 0;
    return A.all + gains + centre;
}

/* Dimensions of the X of one basis, and of those that all layers in it reach by themselves. */
typedef struct { long all, reached; } stream_algebra;
static stream_algebra of_basis(const shape *sh, pair_algebra A, bool skew)
{
    const long d = sh->d, dk = sh->dk;
    const bool alone = plain_pair(sh) && sh->h_kv == sh->h;
    if (sh->norm == NORM_RMS)   return (stream_algebra){ d * (d - 1) / 2, alone ? A.skew : 0 };
    if (sh->norm == NORM_LAYER)
        return (stream_algebra){ (d - 1) * (d - 2) / 2, alone ? sh->h * (dk - 1) * (dk - 2) / 2 : 0 };
    return skew ? (stream_algebra){ d * (d - 1) / 2, A.skew } : (stream_algebra){ d * d, A.all };
}

static bool one_basis(const shape *sh)
{
    return sh->shared || (sh->attn_skip && (sh->mlp_skip || sh->parallel));
}

static bool covered(const shape *sh)
{
    if (sh->norm != NORM_NONE && sh->norm != NORM_RMS && sh->norm != NORM_LAYER) return false;
    if (sh->h * sh->dk != sh->d || sh->shared > 1 || (sh->shared && sh->tied)) return false;
    if (sh->act == ACT_IDENTITY || sh->mask == MASK_ARBITRARY) return false;
    if (sh->norm != NORM_NONE && !one_basis(sh) && (sh->tied || (sh->no_positions && !sh->attn_skip))) return false;
    return sh->V > sh->d && sh->m > sh->d && sh->n >= 2;
}

long deficit_predicted(const shape *sh, bool unit_gains, long layers)
{
    if (!covered(sh)) return -1;
    if (sh->h == 1 && plain_pair(sh)) return 0;                            /* W_K takes all: Proposition 4.1 */
    const long n = sh->shared ? 1 : layers;
    const pair_algebra A = of_pair(sh, unit_gains);
    const bool head_in_the_way = sh->tied && sh->norm != NORM_NONE;        /* the final gain */
    stream_algebra X = { 0 };
    if (!head_in_the_way) X = of_basis(sh, A, sh->tied && one_basis(sh));
    return n * (sh->d * sh->d - own_directions(sh, A)) - (one_basis(sh) ? 1 : n) * (X.all - X.reached);
}
