/* SPDX-License-Identifier: GPL-3.0-or-later
 * reference.c - see reference.h. */
#include <math.h>
#include <stdlib.h>
#include "tests/ptx/reference.h"

/* Its place in an array [B,T,H,D]. */
static size_t i_of(const attn_shape *s, long b, long r, long h, long c)
{
    return (size_t)(((b * s->T + r) * s->H + h) * s->D + c);
}

attention_reference attention_in_double(const attn_shape *s, const double *Q, const double *K, const double *V,
                                        const double *dO, const double *rounded)
{
    const size_t n = (size_t)(s->B * s->T * s->H * s->D);
    attention_reference r = { .lse = must_calloc((size_t)(s->B * s->H * s->T), sizeof *r.lse) };
    double **all[] = { &r.O, &r.dQ, &r.dK, &r.dV };
    for (size_t k = 0; k < COUNT(all); k++) *all[k] = must_calloc(n, sizeof **all[k]);
    double *p = must_calloc((size_t)s->T, sizeof *p);
    for (long b = 0; b < s->B; b++) for (long h = 0; h < s->H; h++) for (long q = 0; q < s->T; q++) {
        const long seen = s->causal ? q + 1 : s->T;
        double most = -INFINITY, sum = 0, delta = 0;
        for (long k = 0; k < seen; k++) {
            p[k] = 0;
            for (long c = 0; c < s->D; c++) p[k] += Q[i_of(s, b, q, h, c)] * K[i_of(s, b, k, h, c)];
            p[k] *= s->scale;
            most = fmax(most, p[k]);
        }
        for (long k = 0; k < seen; k++) sum += p[k] = exp(p[k] - most);
        r.lse[(b * s->H + h) * s->T + q] = most + log(sum);
        for (long k = 0; k < seen; k++) {
            p[k] /= sum;
            for (long c = 0; c < s->D; c++) r.O[i_of(s, b, q, h, c)] += p[k] * V[i_of(s, b, k, h, c)];
        }
        for (long c = 0; c < s->D; c++)
            delta += dO[i_of(s, b, q, h, c)] * (rounded ? rounded : r.O)[i_of(s, b, q, h, c)];
        for (long k = 0; k < seen; k++) {
            double dp = 0;
            for (long c = 0; c < s->D; c++) dp += dO[i_of(s, b, q, h, c)] * V[i_of(s, b, k, h, c)];
            const double ds = s->scale * p[k] * (dp - delta);
            for (long c = 0; c < s->D; c++) {
                r.dV[i_of(s, b, k, h, c)] += p[k] * dO[i_of(s, b, q, h, c)];
                r.dQ[i_of(s, b, q, h, c)] += ds * K[i_of(s, b, k, h, c)];
                r.dK[i_of(s, b, k, h, c)] += ds * Q[i_of(s, b, q, h, c)];
            }
        }
    }
    free(p);
    return r;
}

void attention_reference_free(attention_reference r)
{
    free(r.O); free(r.lse); free(r.dQ); free(r.dK); free(r.dV);
}
