/* SPDX-License-Identifier: GPL-3.0-or-later
 * nullity.c - the closed formulas: dimension of the gauge group of a transformer, from its shape alone.
 *
 *   stream          (number of independent bases) d^2; 1 with all skips, one more for each sublayer without
 *                   skip, 1 if all blocks are shared.  Tied head: d(d-1)/2 for one basis, else one basis less.
 *   heads           per layer h_kv dk^2 for (W_Q, W_K), h_kv dk^2 for (W_V, W_O); of the first, RoPE leaves h_kv dk,
 *                   QK-norm h_kv dk(dk-1)/2, both h_kv dk/2; with gain vectors dk (RoPE dk/2) and nothing else
 *   positions       if there are any: d (untied): E + 1 c, P - 1 c; causal, without attention skip, 2 h_kv dk < d:
 *                   d - 2 h_kv dk for P_1
 *   ReLU m per layer; gated m; gated ReLU 2m
 *   biases          per layer h_kv dk (key; not with RoPE or QK-norm) + h_kv dk (value) + 2 d (stream; shared d with
 *                   all skips or attention skip; parallel d + d); behind norms no 2 d, but parallel d, LayerNorm 2
 *                   (parallel 1) for constants along 1 and 2 d (parallel d) for beta + c, b - c W
 *   router          d per layer
 *   RMSNorm         d(d-1)/2 for each basis, + (2L+1) d gains
 *   LayerNorm       (d-1)(d-2)/2 for each basis, + (2L+1) d gains, V + n + L(h dk + m) writers,
 *                   L(d_Q + d_K + d_V + m) + V readers (with biases d in place of V), positions d - 1; parallel
 *                   blocks have one norm: (L+1) d gains
 * Tied with a norm: no basis that E writes or reads, no positions, gains 2L d; LayerNorm: n writers of E and P,
 * no readers at the head, but (no biases) E + 1 w', P - 1 w' for w = Gamma_f^-1 1.  LayerNorm leaves d - 1 of d
 * directions, so that heads of width d (h = 1) count d^2 - 1 in place of dk^2.
 * epsilon > 0 in every norm.  Sizes must be generic: V > d, m > d, n >= 2, more sequences than the rank needs. */
#include "src/methods/rank/dimension.h"

static long blocks(const shape *sh) { return sh->shared ? sh->shared : sh->L; }

/* Independent bases of the stream. */
static long bases(const shape *sh)
{
    if (sh->shared) return 1;
    if (sh->parallel) return sh->attn_skip ? 1 : sh->L + 1;
    return 1 + sh->L * (!sh->attn_skip + !sh->mlp_skip);
}

/* GL(dk) acts on heads wider than what they read with a stabilizer of (dk - width)^2 dimensions. */
static long of_head(const shape *sh)
{
    const long width = sh->norm == NORM_LAYER ? sh->d - 1 : sh->d, wide = sh->dk > width ? sh->dk - width : 0;
    return sh->dk * sh->dk - wide * wide;
}

static long of_query_key(const shape *sh, bool unit_gains)
{
    const long dk = sh->dk;
    if (sh->qk_norm && !unit_gains) return sh->rope ? dk / 2 : dk;
    if (sh->qk_norm) return sh->h_kv * (sh->rope ? dk / 2 : dk * (dk - 1) / 2);
    return sh->h_kv * (sh->rope ? dk : of_head(sh));
}

static long of_units(const shape *sh)
{
    const long e = sh->experts ? sh->experts : 1;
    return e * sh->m * ((sh->act == ACT_RELU) + sh->gated);
}

static long norms_of_block(const shape *sh) { return sh->parallel ? 1 : 2; }

static long of_biases(const shape *sh)
{
    const long d = sh->d, heads = (!sh->rope && !sh->qk_norm ? 2 : 1) * sh->h_kv * sh->dk;
    const long between = sh->parallel ? d : 0;                             /* b_O + c, b_d - c */
    if (sh->norm == NORM_NONE)  return heads + between + (sh->shared || sh->parallel ? d : 2 * d);
    if (sh->norm == NORM_RMS)   return heads + between;
    return heads + between + (sh->parallel ? 1 : 2) + norms_of_block(sh) * d;      /* + 1 c; beta + c, b - c W */
}

static long of_stream(const shape *sh)
{
    const long d = sh->d, k = bases(sh);
    const long turned = !sh->tied ? k : k > 2 ? k - 2 : 0;   /* tied: neither what E writes nor what it reads */
    if (sh->norm == NORM_RMS)   return turned * d * (d - 1) / 2;
    if (sh->norm == NORM_LAYER) return turned * (d - 1) * (d - 2) / 2;
    return !sh->tied ? k * d * d : k == 1 ? d * (d - 1) / 2 : (k - 1) * d * d;
}

static long of_positions(const shape *sh)
{
    const bool first_alone = sh->mask == MASK_CAUSAL && !sh->attn_skip && !sh->parallel && sh->norm == NORM_NONE;
    const long free = sh->d - 2 * sh->h_kv * sh->dk, of_first = first_alone && free > 0 ? free : 0;
    if (sh->no_positions) return 0;
    if (sh->norm == NORM_LAYER) return sh->tied ? !sh->biases : sh->d - 1;
    return of_first + (sh->tied ? 0 : sh->d);
}

static long of_P(const shape *sh) { return sh->no_positions ? 0 : sh->n; }     /* rows                            */

static long of_norms(const shape *sh)
{
    const long d = sh->d, L = blocks(sh), q = sh->h * sh->dk, kv = sh->h_kv * sh->dk;
    const long up = sh->gated ? 2 * sh->m : sh->m;
    if (sh->norm == NORM_NONE) return 0;
    const long gains = (norms_of_block(sh) * L + !sh->tied) * d;
    if (sh->norm == NORM_RMS) return gains;
    const long writers = (sh->tied ? 0 : sh->V) + of_P(sh) + L * (q + sh->m), readers = L * (q + 2 * kv + up);
    return gains + writers + readers + (sh->tied ? 0 : sh->biases ? d : sh->V);
}

static bool covered(const shape *sh)
{
    const bool normed = sh->norm != NORM_NONE;
    if (sh->norm != NORM_NONE && sh->norm != NORM_RMS && sh->norm != NORM_LAYER) return false;
    if (sh->act == ACT_IDENTITY || sh->mask == MASK_ARBITRARY) return false;
    if (normed && (sh->experts || (sh->shared && (sh->biases || !sh->attn_skip)))) return false;
    if (sh->biases && (sh->experts || (sh->shared && (sh->parallel || !sh->attn_skip)))) return false;
    if (sh->norm == NORM_LAYER && sh->tied && bases(sh) > 1) return false;
    if (sh->no_positions && normed && !sh->attn_skip) return false;           /* N(E) is any table: GL(d) acts there */
    if (sh->no_positions && sh->biases && sh->tied && !normed) return false;
    if (sh->shared > 1 || (sh->shared && sh->tied)) return false;
    return sh->V > sh->d && sh->m > sh->d && sh->n >= 2;
}

long nullity_predicted(const shape *sh, bool unit_gains)
{
    if (!covered(sh)) return -1;
    const long per_block = of_query_key(sh, unit_gains) + sh->h_kv * of_head(sh) + of_units(sh)
                         + (sh->biases ? of_biases(sh) : 0) + (sh->experts ? sh->d : 0);
    return of_stream(sh) + blocks(sh) * per_block + of_positions(sh) + of_norms(sh);
}

long parameters_stored(const shape *sh, bool unit_gains)
{
    const long d = sh->d, q = sh->h * sh->dk, kv = sh->h_kv * sh->dk, m = sh->m, e = sh->experts ? sh->experts : 1;
    const bool beta = sh->norm == NORM_LAYER && sh->biases;
    long block = d * (2 * q + 2 * kv) + e * m * d * (sh->gated ? 3 : 2) + sh->experts * d;
    if (sh->biases) block += q + 2 * kv + d + e * (m * (sh->gated ? 2 : 1) + d);
    if (sh->norm != NORM_NONE) block += norms_of_block(sh) * d * (beta ? 2 : 1);
    if (sh->qk_norm && !unit_gains) block += 2 * sh->dk;
    return blocks(sh) * block + (sh->V + of_P(sh)) * d + (sh->tied ? 0 : d * sh->V)
         + (sh->norm != NORM_NONE ? d * (beta ? 2 : 1) : 0);
}
