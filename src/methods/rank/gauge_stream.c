/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_stream.c - tangents from changes of the stream's basis: writers W X, readers -Gamma^-1 X Gamma W. */
#include "src/methods/rank/gauge_list.h"

static void write_in(tangents *g, const mat *W, const mat *gain, const mat *X)    /* W X */
{
    (void)gain;
    if (W) tangent_put(g, W, mat_mul(g->s, tangent_value(W), X));
}

static const mat *conjugate(tangents *g, const mat *X, const mat *gain)    /* Gamma^-1 X Gamma */
{
    return gain ? mat_mul3(g->s, mat_inv(g->s, tangent_value(gain)), X, tangent_value(gain)) : X;
}

static void read_from(tangents *g, const mat *W, const mat *gain, const mat *X)    /* -Gamma^-1 X Gamma W */
{
    if (W) tangent_put(g, W, mat_neg(g->s, mat_mul(g->s, conjugate(g, X, gain), tangent_value(W))));
}

static void turn_class(tangents *g, long klass, const mat *X)
{
    for (long s = 0; s <= 2 * g->M->s.L; s++) {
        const mat *gain, *bias;
        if (g->klass[s] != klass) continue;
        tangent_each_writer(g, s, write_in, X);
        tangent_each_reader(g, s, read_from, X);
        tangent_norm_at(g->M, s, &gain, &bias);
        if (bias) tangent_put(g, bias, mat_mul(g->s, tangent_value(bias), conjugate(g, X, gain)));
    }
}

/* Element (i, j) of a spanning set of the algebra at one class; NULL: none. */
static const mat *stream_element(tangents *g, long i, long j, bool orthogonal)
{
    const long d = g->M->s.d;
    scope *s = g->s;
    if (!orthogonal) return mat_unit(s, d, d, i, j);
    if (i >= j) return NULL;
    if (g->M->s.norm != NORM_LAYER) return tangent_skew(s, d, i, j);
    long *m = scope_alloc(s, (size_t)(d * d) * sizeof *m);    /* d I - 1 1' */
    for (long r = 0; r < d; r++) for (long c = 0; c < d; c++) m[r * d + c] = r == c ? d - 1 : -1;
    const mat *C = mat_from_si(s, d, d, m);
    return mat_mul3(s, C, tangent_skew(s, d, i, j), C);
}

void gauge_stream_tangents(tangents *g)
{
    const shape *sh = &g->M->s;
    const long last = 2 * sh->L;
    tangent_classes(g, true);
    for (long s = 0; s <= last; s++) {
        if (g->klass[s] != s || (sh->parallel && s % 2)) continue;    /* not a representative */
        const bool first = g->klass[0] == s, end = g->klass[last] == s, one = first && end;
        if (sh->tied && sh->norm != NORM_NONE && (first || end)) continue;    /* Gamma_f is in the way */
        if (sh->tied && end && !one) continue;    /* moves with stage 0 */
        for (long i = 0; i < sh->d; i++)
            for (long j = 0; j < sh->d; j++) {
                const mat *X = stream_element(g, i, j, sh->norm != NORM_NONE || (sh->tied && one));
                if (!X) continue;
                tangent_next(g);
                turn_class(g, s, X);
                if (sh->tied && first && !one) turn_class(g, g->klass[last], mat_neg(g->s, mat_t(g->s, X)));
            }
    }
}

