/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_tangents.c - all factors of the gauge, one after the other: see gauge_tangents.h. */
#include "src/methods/rank/gauge_list.h"

const mat *gauge_tangents(scope *base, const model *M, const parameters *P, unsigned factors, bool unit_gains)
{
    tangents g = { .s = base, .M = M, .P = P, .unit_gains = unit_gains };
    if (factors & GAUGE_STREAM) gauge_stream_tangents(&g);
    if (factors & GAUGE_QUERY_KEY) gauge_query_key_tangents(&g);
    if (factors & GAUGE_VALUE_OUTPUT) gauge_value_output_tangents(&g);
    if (factors & GAUGE_POSITION) gauge_position_tangents(&g);
    if (factors & GAUGE_UNITS) gauge_unit_tangents(&g);
    if (factors & GAUGE_ROUTER) gauge_router_tangents(&g);
    if (factors & GAUGE_BIASES) gauge_bias_tangents(&g);
    if (factors & GAUGE_NORMS) gauge_norm_tangents(&g);
    if (!g.n) tangent_next(&g);    /* no gauge at all: one zero row */
    return mat_vcat(base, g.n, (const mat *const *)g.row);
}
