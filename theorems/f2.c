/* SPDX-License-Identifier: GPL-3.0-or-later
 * f2.c - F2, gated MLPs whose activation vanishes at 0 never absorb their skip: SwiGLU, GeGLU.
 *
 * Statement.  Columns x, any widths, f(x) = Wd (s(Wg x) * (Wu x)) with s(0) = 0 and s differentiable at 0 (SiLU,
 * GELU, tanh).  If f(x) + Z x = g(x) for all x, with g of the same kind, of any width and any number of such layers
 * one after the other, then Z = 0.
 *
 * Why it is true.  By the product rule Df(0) = Wd diag(s(0)) Wu + Wd diag(Wu 0) diag(s'(0)) Wg = Wd diag(s(0)) Wu =
 * 0, and f(0) = 0, so a composition of such layers has derivative 0 at 0, too.  The skip has derivative Z there.
 *
 * How it is decided.  In balls: diag(s(0)) Wu, computed from the activation itself at 0, is exactly 0 for the drawn
 * networks and for each of the three layers of a drawn g, and Z is not.  The values agree with that: at t = 2^-60,
 * f(t x)/t and g(t x)/t are 0 but for 2^-40.
 *
 * Where it ends.  The logistic sigmoid has s(0) = 1/2, Df(0) = Wd Wu / 2, and s(-y) = 1 - s(y) turns a neuron over:
 *     s(-a)(-b) = s(a) b - b,     so rows J of Wg and Wu times -1 absorb Z = -Wd[:,J] Wu[J,:].               */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"

typedef struct { const mat *gate, *up, *down; } weights;         /* m x d, m x d, d x m                   */
typedef const mat *gate_function(scope *s, const mat *A);

static const mat *silu(scope *s, const mat *A) { return mat_phi(s, A, ACT_SILU, (place){ 0, PLACE_GATE, 0 }); }
static const mat *gelu(scope *s, const mat *A) { return mat_phi(s, A, ACT_GELU, (place){ 0, PLACE_GATE, 0 }); }
static const mat *tanh_(scope *s, const mat *A) { return mat_phi(s, A, ACT_TANH, (place){ 0, PLACE_GATE, 0 }); }

/* 1/2 + 1/2 tanh(y/2) = 1 / (1 + e^-y) */
static const mat *sigmoid(scope *s, const mat *A)
{
    const mat *twice = mat_add(s, mat_ones(s, A->rows, A->cols), tanh_(s, mat_scale_entries(s, 1, -1, A)));
    return mat_scale_entries(s, 1, -1, twice);
}

static weights drawn(scope *s, long number, long d, long m)
{
    return (weights){ mat_draw_at(s, "Wg", number, -1, m, d, mat_log2_fan_in(d)),
                      mat_draw_at(s, "Wu", number, -1, m, d, mat_log2_fan_in(d)),
                      mat_draw_at(s, "Wd", number, -1, d, m, mat_log2_fan_in(m)) };
}

static const mat *value(scope *s, gate_function *act, const weights *w, const mat *X)
{
    return mat_mul(s, w->down, mat_hadamard(s, act(s, mat_mul(s, w->gate, X)), mat_mul(s, w->up, X)));
}

/* Wd diag(s(0)) Wu */
static const mat *derivative_at_0(scope *s, gate_function *act, const weights *w)
{
    return mat_mul(s, w->down, mat_scale_rows(s, act(s, mat_zero(s, w->up->rows, 1)), w->up));
}

enum { LAYERS = 3, SMALL = -60, NEARLY_0 = -40 };

static void never(trial *t, gate_function *act, bool skip)
{
    scope *s = &t->s;
    const long d = t->sh.d, m = t->sh.m;
    const mat *X = mat_draw(s, "X", d, t->sh.n, 0), *zero = mat_zero(s, d, d);
    const mat *Z = skip ? mat_draw(s, "Z", d, d, 0) : zero;
    const weights f = drawn(s, 0, d, m);
    const mat *tX = mat_scale_entries(s, 1, SMALL, X), *g = tX, *y = mat_mul(s, f.gate, X);
    claim_differs(t, "s is not linear", act(s, mat_scale_entries(s, 1, 1, y)), mat_scale_entries(s, 1, 1, act(s, y)));
    claim_equal(t, "Df(0) = 0", derivative_at_0(s, act, &f), zero);
    for (long k = 1; k <= LAYERS; k++) {
        const weights w = drawn(s, k, d, m + k);
        claim_equal(t, "each layer of g has derivative 0 at 0", derivative_at_0(s, act, &w), zero);
        g = value(s, act, &w, g);
    }
    claim_differs(t, "the skip has derivative Z, which is not 0", Z, mat_zero(s, d, d));
    const mat *f_over_t = mat_scale_entries(s, 1, -SMALL, value(s, act, &f, tX));
    claim_decided(t, "f(t x)/t is 0 but for 2^-40", mat_log2max(f_over_t) <= NEARLY_0);
    claim_decided(t, "g(t x)/t is 0 but for 2^-40", mat_log2max(mat_scale_entries(s, 1, -SMALL, g)) <= NEARLY_0);
}

static void swiglu(trial *t)     { never(t, silu, true); }
static void geglu(trial *t)      { never(t, gelu, true); }
static void tanh_glu(trial *t)   { never(t, tanh_, true); }
static void logistic(trial *t)   { never(t, sigmoid, true); }
static void no_skip(trial *t)    { never(t, silu, false); }
static void no_skip_ge(trial *t) { never(t, gelu, false); }
static void no_skip_th(trial *t) { never(t, tanh_, false); }

/* The sigmoid GLU with Wd = (-Z Wu[J,:]^-1 | C): the rows of J = {1..d} turned over absorb Z. */
static void absorbable(trial *t)
{
    scope *s = &t->s;
    const long d = t->sh.d, m = t->sh.m;
    const mat *Z = mat_draw(s, "Z", d, d, 0), *X = mat_draw(s, "X", d, t->sh.n, 0), *zero = mat_zero(s, d, d);
    const mat *U = mat_draw_weight(s, "U", d, d), *G = mat_draw_weight(s, "G", d, d);
    const weights rest = drawn(s, 0, d, m);
    const mat *down = mat_hcat(s, 2, (const mat *const[]){ mat_sub(s, zero, mat_mul(s, Z, mat_inv(s, U))), rest.down });
    const weights f = { mat_vcat(s, 2, (const mat *const[]){ G, rest.gate }),
                        mat_vcat(s, 2, (const mat *const[]){ U, rest.up }), down };
    const weights g = { mat_vcat(s, 2, (const mat *const[]){ mat_sub(s, zero, G), rest.gate }),
                        mat_vcat(s, 2, (const mat *const[]){ mat_sub(s, zero, U), rest.up }), down };
    claim_equal(t, "f + Z = g", mat_add(s, value(s, sigmoid, &f, X), mat_mul(s, Z, X)), value(s, sigmoid, &g, X));
    claim_equal(t, "Df(0) = 0", derivative_at_0(s, sigmoid, &f), zero);
}

static const control of_silu[] = {
    { "sigmoid-glu", logistic,   "the logistic sigmoid has $s(0) = 1/2$: $Df(0) = W_dW_u/2 \\ne 0$" },
    { "absorbable",  absorbable, "sigmoid GLU with $W_d[:,J]W_u[J,:] = -Z$: $f + Z$ is a $g$, and $Df(0) \\ne 0$" },
    { "no-skip",     no_skip,    "$Z = 0$, which the hypothesis leaves out: all else holds" },
};
static const control of_gelu[] = { { "no-skip", no_skip_ge, "$Z = 0$, which the hypothesis leaves out" } };
static const control of_tanh[] = { { "no-skip", no_skip_th, "$Z = 0$, which the hypothesis leaves out" } };
static const shape_case shapes[] = {
    { .sh = { .n = 3, .d = 2, .h = 1, .m = 4, .V = 1, .L = 1 } },
    { .sh = { .n = 4, .d = 4, .h = 1, .m = 16, .V = 1, .L = 1 } },
    { .sh = { .n = 5, .d = 8, .h = 1, .m = 12, .V = 1, .L = 1 } },
};
#define EVERY .no_large = true, .no_minimal = true, REALS_ONLY("the value of the activation at 0 is used"), \
    .by_proof = "the product rule", .basis = "balls for s(0) and for the quotients"
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = swiglu, EVERY,
      .statement = "SwiGLU: $f + Z$ with $Z \\ne 0$ is no $g$ of the same kind, of any width and depth: $Dg(0) = 0$",
      CONTROLS(of_silu) },
    { .name = "as-stated-geglu", .kind = PART_IDENTITY, .run = geglu, EVERY, .statement = "the same for GeGLU",
      CONTROLS(of_gelu) },
    { .name = "as-stated-tanh", .kind = PART_IDENTITY, .run = tanh_glu, EVERY, .statement = "the same for $s = \\tanh$",
      CONTROLS(of_tanh) },
};
static const claim F2 = {
    .id = "F2", .title = "SwiGLU and GeGLU never absorb their skip", .where = "arXiv 2604.23705",
    .hypotheses = "no biases; $s(0) = 0$, $s$ differentiable at 0; $Z \\ne 0$",
    .why = "$Df(0) = W_d\\,\\mathrm{diag}(s(0))\\,W_u = 0$, and $f(0) = 0$, so every composition of such layers has "
           "derivative 0 at 0; the skip has $Z$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(F2)
