/* SPDX-License-Identifier: GPL-3.0-or-later
 * rounding.c - planted condition numbers: see rounding.h. */
#include <math.h>
#include "numerics/random.h"
#include "src/model/gauge.h"
#include "src/methods/measure/rounding.h"

enum { MODELS = 32, KAPPAS = 7, LEAST = 8, STEP = 4 };

/* A diag(2^(-k i/(d-1))) B; exponents are rounded to whole numbers, first and last exact. */
static const mat *planted(scope *s, long d, int k)
{
    const mat *diagonal[MAX_HEADS];
    REQUIRE(1 < d && d <= MAX_HEADS, "d = %ld", d);
    for (long i = 0; i < d; i++)
        diagonal[i] = mat_scale(s, 1, -lround((double)(k * i) / (double)(d - 1)), mat_identity(s, 1));
    return mat_mul3(s, mat_draw_orthogonal(s, "A", d), mat_blockdiag(s, d, diagonal), mat_draw_orthogonal(s, "B", d));
}

static double error(scope *s, const model *M, const mat *Theta)
{
    const model R = gauge_uniform(s, M, gauge_basis(s, Theta));
    return exp2(mat_compare(model_forward(s, M), model_forward(s, &R), 0).log2gap);
}

estimate rounding_exponent(scope *s, shape sh, rounding_basis which)
{
    double slope[MODELS], kappa[KAPPAS], gap[KAPPAS];
    uint64_t key[2];
    random_key_derive(key, s->key, "rounding");
    REQUIRE(s->R->bits == 53 && sh.norm == NORM_NONE, "%s, norm %d", s->R->name, (int)sh.norm);
    for (int b = 0; b < MODELS; b++) {
        scope own = scope_open(s->R, key[0], key[1] + (uint64_t)b);
        own.gain = s->gain;
        model M = model_random(&own, sh);
        for (int k = 0; k < KAPPAS; k++) {
            M.at[0].Q = planted(&own, sh.d, LEAST + STEP * k);
            kappa[k] = exp2(LEAST + STEP * k);
            gap[k] = error(&own, &M, which == ROUNDING_QUERY ? M.at[0].Q : planted(&own, sh.d, LEAST));
        }
        slope[b] = measure_power(KAPPAS, kappa, gap);
        scope_close(&own);
    }
    return measure_mean(MODELS, slope);
}
