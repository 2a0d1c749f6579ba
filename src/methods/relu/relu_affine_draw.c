/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_affine_draw.c - drawn ReLU networks with biases and integer weights: see relu_affine.h. */
#include "src/methods/relu/relu_affine.h"

enum { REDRAWS = 64 };

bool relu_affine_regular_weights(const relu_affine_weights *w)
{
    relu_affine f = relu_affine_of(w->W1, w->W2, NULL, w->b1, w->b2);
    const bool is = relu_affine_regular(&f);
    relu_affine_clear(&f);
    return is;
}

static const mat *named(scope *s, const char *what, long attempt, long rows, long cols, long bound)
{
    char name[32];
    snprintf(name, sizeof name, "%s %ld", what, attempt);
    return relu_draw(s, name, rows, cols, bound);
}

relu_affine_weights relu_affine_drawn(scope *s, long h, long m)
{
    REQUIRE(h > 0 && m > 1, "%ld neurons on %ld inputs", m, h);
    relu_affine_weights w = { 0 };
    for (long k = 0; k == 0 || (k < REDRAWS && !relu_affine_regular_weights(&w)); k++) {
        const mat *first = named(s, "w1", k, 1, h, 9), *rows[] = { first, first, NULL };
        if (m > 2) rows[2] = named(s, "W1", k, m - 2, h, 9);
        w = (relu_affine_weights){ mat_vcat(s, m > 2 ? 3 : 2, rows), named(s, "W2", k, h, m, 99),
                                   named(s, "Z", k, h, h, 99), named(s, "b1", k, m, 1, 999),
                                   named(s, "b2", k, h, 1, 99) };
    }
    if (!relu_affine_regular_weights(&w)) scope_undecided(s, REASON_DRAW, "no different hyperplanes were drawn");
    return w;
}

const unsigned char *relu_drawn_J(scope *s, const char *name, long m)
{
    unsigned char *J = scope_alloc(s, (size_t)m);
    const mat *coins = relu_draw(s, name, 1, m, 1L << 20);
    for (long j = 0; j < m; j++) J[j] = j == 0 || mat_get_d(coins, 0, j) > 0;
    return J;
}
