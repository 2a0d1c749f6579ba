/* rewrite_pieces.c - see rewrite.h: what every construction takes. */
#include "src/checkpoint/rewrite.h"

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
