/* SPDX-License-Identifier: GPL-3.0-or-later
 * routing.c - see routing.h. */
#include <math.h>
#include <stdlib.h>
#include "numerics/arith_arb.h"
#include "src/model/routing.h"

/* The entry lies in [*low, *high]. */
static void bounds(const mat *R, long t, long e, double *low, double *high)
{
    const double x = mat_get_d(R, t, e), radius = arith_arb_farthest(R, t, e, x);
    *low = nextafter(x - radius, -INFINITY);
    *high = nextafter(x + radius, INFINITY);
}

/* The k largest middles of a row; of equal ones the first. */
static void choose(const mat *R, long t, long k, unsigned char *chosen)
{
    for (long n = 0; n < k; n++) {
        long best = -1;
        for (long e = 0; e < R->cols; e++)
            if (!chosen[e] && (best < 0 || mat_get_d(R, t, e) > mat_get_d(R, t, best))) best = e;
        chosen[best] = 1;
    }
}

static bool is_certain(const mat *R, long t, const unsigned char *chosen)
{
    double least = INFINITY, most = -INFINITY, low, high;
    for (long e = 0; e < R->cols; e++) {
        bounds(R, t, e, &low, &high);
        if (isnan(low) || isnan(high)) return false;
        if (chosen[e]) least = fmin(least, low);
        else most = fmax(most, high);
    }
    return most < least;
}

routing routing_of(scope *s, const mat *R, long k, bool of_chosen, rowmap_kind kind, place at)
{
    const long n = R->rows, E = R->cols;
    unsigned char *chosen = k < E ? scope_alloc(s, (size_t)(n * E)) : NULL;
    for (long t = 0; chosen && t < n; t++) {
        choose(R, t, k, chosen + t * E);
        if (s->R->kind == A_ARB && s->status == HOLDS && !is_certain(R, t, chosen + t * E))
            scope_undecided(s, REASON_TOO_WIDE, "which experts a token meets is not certain within the balls");
    }
    const rowmap how = { .kind = kind, .visible = of_chosen ? chosen : NULL, .scale_num = 1, .scale_den = 1 };
    return (routing){ chosen, mat_rowmap(s, R, &how, at) };
}

/* The softmax of (x, 0) has it in front. */
const mat *routing_sigmoid(scope *s, const mat *X)
{
    const rowmap how = { .kind = ROWMAP_SOFTMAX, .scale_num = 1, .scale_den = 1 };
    mat *to = mat_blank(s, X->rows, X->cols);
    for (long c = 0; c < X->cols; c++) {
        const mat *column = mat_cols(s, X, c, 1);
        const mat *both = mat_hcat(s, 2, (const mat *[]){ column, mat_zero(s, X->rows, 1) });
        mat_put(to, 0, c, mat_rowmap(s, both, &how, (place){ 0, PLACE_ROUTER, 0 }), 0, 0, X->rows, 1);
    }
    return to;
}
