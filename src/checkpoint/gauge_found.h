/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_found.h - is B, up to the rounding of its numbers, an exact image of A under the symmetries of a transformer?
 *
 * Tried, layer by layer: another order of key heads, of the query heads of each, and of the neurons of the MLP;
 *   W_V^g H, H^-1 W_O^a, b_V H   and   W_K^g G, W_Q^a G^-T, b_K G, b_Q G^-T   for all query heads a of key head g,
 * H and G invertible; with rotary positions G commutes with them: r (cos, sin; -sin, cos) on each pair, any matrix on
 * the coordinates that do not turn; with normalised queries and keys G = I.  The claims are N1 and K-P3.2.
 * Behind LayerNorm a row of W_Q may have become 0, with what it did in the others and in b_Q (N18).
 * Where that does not explain B, the same is tried in other bases of the residual stream: stream_found.h.
 *
 * Where a gauge_file came with B, its gauges are taken instead of fitted ones: gauge_check.
 * G and H are fitted in doubles and then taken as they are, exactly.  The image A* of A is the same function as A for
 * all inputs; how far B is from A* is enclosed in balls.  Found: no entry is further than ROUNDING_UNITS roundings, or,
 * where it was multiplied by a number that is no power of 2, FACTOR_UNITS more, or, where products were added, than
 * product_units of them (gauge_fit.h): each column of a gauge says which of these its image is. */
#ifndef CHECKPOINT_GAUGE_FOUND_H
#define CHECKPOINT_GAUGE_FOUND_H
#include "src/checkpoint/gauge_file.h"
#include "src/checkpoint/structure.h"

/* Key head g of B is key head `from` of A; query head g group + k of B is query head query[k] of A. */
typedef struct { long layer, g, from, *query; double *H, *G; } head_map;
/* Neuron j of B is neuron from[j] of A; layer: or the place of an expert. */
typedef struct { long layer, *from; } neuron_order;

typedef struct {
    bool   found;
    double distance;                     /* max over parts of max |B - A*| / max |B|, an upper bound; 0: B is A* */
    double unit;                         /* the largest unit roundoff of the types of B                 */
    tensor_role role;                    /* the part that is farthest                                   */
    long   layer;
    double units, allowed;               /* of the part that comes nearest to what it is allowed:
                                            max |B - A*| / (u s + least) over its entries; u of the coarser
                                            type, s the entry of |B|, or of |G| |A| |G'| where matrices
                                            were multiplied in                                          */
    long   gauges, orders;               /* key heads with a G or an H that is not I; layers with another order */
    char  *why;                          /* not found: why                                              */
    long   zero_rows;                    /* layers where a row of W_Q behind LayerNorm became 0 (N18)   */
    long   bases;                        /* bases of the residual stream that are not A's (stream_found.h) */
    bool   folded;                       /* B's norms have other gains: distances are of matrices times their gains */
    head_map *map;                       /* of the layers whose attention does not hold the same numbers */
    long   maps;
    neuron_order *order;                 /* of the layers whose neurons are in another order           */
    long   layers;
    int    basis;                        /* 0: A's own basis of the stream; else 1 + the basis_way of stream_between */
    double within;                       /* of the search, relative to the largest number               */
    const gauge_file *given;             /* NULL: gauges were sought; else they are these               */
    bool   singular;                     /* one of them is; then `why` says which                       */
} gauge_found;

/* s: of A and B.  Contract: as structure_of. */
gauge_found gauge_between(const transformer *A, const transformer *B, const structure *s, long bits);
/* The same with the gauges of `given` in the place of fitted ones, key heads and query heads in their own order.  given
 * stays the caller's.  Contract: it was read for A. */
gauge_found gauge_check(const transformer *A, const transformer *B, const structure *s, long bits,
                        const gauge_file *given);
void        gauge_found_free(gauge_found *g);
#endif
