/* SPDX-License-Identifier: GPL-3.0-or-later
 * rewrite_pieces.c - see rewrite.h: what every construction takes. */
#include "src/checkpoint/rewrite.h"
#include "src/checkpoint/weight_matrix.h"

const mat *rewrite_folded_gain(rewrite *r, scope *s, tensor_role gain, long layer)
{
    const mat *g = r->fold ? part_of_file(r->D, s, gain, layer, 0, 0) : NULL;
    if (!g) return NULL;
    g = mat_t(s, g);
    return r->scale ? mat_scale_by(s, r->scale, g) : g;
}

const mat *unit_columns(scope *s, long d, long first, long n)
{
    if (n == d) return mat_identity(s, d);
    mat *C = mat_blank(s, d, n);
    mat_put(C, first, 0, mat_identity(s, n), 0, 0, n, n);
    return C;
}

bool rewrite_query_is_one(const rewrite *r, long layer)
{
    const stream_change c = r->plan.stream;
    return c == STREAM_EVERY_QUERY || c == STREAM_SHARED_QUERY
           || ((c == STREAM_ONE_QUERY || c == STREAM_NO_LAYERNORM) && layer == r->plan.layer);
}
bool rewrite_keys_are_ones(const rewrite *r, long layer)
{
    return r->plan.stream == STREAM_STACKED && layer == r->plan.layer;
}

/* Pairs (2i, 2i + 1) of each head to (i, i + rotary/2), or back; W of any number of rows. */
static const mat *paired(const transformer *D, scope *s, const mat *W, rotary_pairs to)
{
    mat *C = mat_blank(s, W->rows, W->cols);
    const long half = D->rotary / 2;
    for (long j = 0; j < W->cols; j++) {
        const long i = j % D->dk, halves = i % 2 ? i / 2 + half : i / 2;
        const long neighbours = i < half ? 2 * i : 2 * (i - half) + 1;
        const long at = i >= D->rotary ? i : to == PAIRS_HALVES ? halves : neighbours;
        mat_put(C, 0, j - i + at, W, 0, j, W->rows, 1);
    }
    return C;
}

const mat *rewrite_pairs(const rewrite *r, scope *s, const mat *W, tensor_role role, rotary_pairs to)
{
    return to == r->D->pairs || !role_turns(role) ? W : paired(r->D, s, W, to);
}
