/* SPDX-License-Identifier: GPL-3.0-or-later
 * f1.c - F1, MLPs of degree two never absorb their skip: squared ReLU, ReGLU, and GLU without an activation.
 *
 * Statement.  Columns x, any widths.  Let f(x) = W2 (ReLU(W1 x))^2 (squares by entry), or f(x) = Wd (ReLU(Wg x) *
 * (Wu x)), or f(x) = Wd ((Wg x) * (Wu x)).  If f(x) + Z x = g(x) for all x, with g of the same kind and of any
 * width, then Z = 0.
 *
 * Why it is true.  f(2x) = 4 f(x), and so for g.  Where f + Z = g, the same holds for the sum:
 *     f(2x) + 2 Z x = 4 (f(x) + Z x),     so     2 Z x = 4 Z x,     Z x = 0,     for every x.
 *
 * How it is decided.  F = f + Z fails the equation F(2x) = 4 F(x) by exactly -2 Z x, which is not 0 at the drawn x:
 * one point is a certificate against every g at once, whatever its width.  That each g fulfils it is homogeneity,
 * and is shown on a drawn g of another width, at t = 2 and t = 3.                                            */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"

typedef enum { SQUARED, REGLU, BILINEAR, PLAIN } mlp_kind;
typedef struct { const mat *gate, *up, *down; } weights;         /* m x d, m x d, d x m                   */

static weights drawn(scope *s, const char *const name[3], long d, long m)
{
    return (weights){ mat_draw(s, name[0], m, d, mat_log2_fan_in(d)), mat_draw(s, name[1], m, d, mat_log2_fan_in(d)),
                      mat_draw(s, name[2], d, m, mat_log2_fan_in(m)) };
}

static const mat *value(scope *s, mlp_kind kind, const weights *w, const mat *X)
{
    const mat *a = mat_mul(s, w->gate, X), *r = mat_phi(s, a, ACT_RELU, (place){ 0, PLACE_MLP, 0 });
    const mat *H = kind == SQUARED ? mat_hadamard(s, r, r)
                 : kind == PLAIN   ? r : mat_hadamard(s, kind == REGLU ? r : a, mat_mul(s, w->up, X));
    return mat_mul(s, w->down, H);
}

static void never(trial *t, mlp_kind kind, bool skip)
{
    scope *s = &t->s;
    const long d = t->sh.d, m = t->sh.m, n = t->sh.n;
    const weights f = drawn(s, (const char *const[]){ "Wg", "Wu", "Wd" }, d, m);
    const weights g = drawn(s, (const char *const[]){ "Vg", "Vu", "Vd" }, d, m + 3);
    const mat *X = mat_draw(s, "X", d, n, 1), *Z = skip ? mat_draw(s, "Z", d, d, 0) : mat_zero(s, d, d);
    const mat *ZX = mat_mul(s, Z, X), *zero = mat_zero(s, d, n);
    claim_differs(t, "Z x is not 0", ZX, zero);
    for (long c = 2; c <= 3; c++) {
        const mat *cX = mat_scale_entries(s, c, 0, X), *skipped = mat_scale_entries(s, c * c - c, 0, ZX);
        const mat *left = mat_add(s, value(s, kind, &f, cX), mat_mul(s, Z, cX));
        const mat *right = mat_scale_entries(s, c * c, 0, mat_add(s, value(s, kind, &f, X), ZX));
        claim_equal(t, "f + Z misses degree two by (t^2 - t) Z x", mat_add(s, left, skipped), right);
        claim_differs(t, "so f + Z is not g", left, right);
        claim_equal(t, "g has degree two", value(s, kind, &g, cX),
                    mat_scale_entries(s, c * c, 0, value(s, kind, &g, X)));
    }
}

static void squared(trial *t)  { never(t, SQUARED, true); }
static void reglu(trial *t)    { never(t, REGLU, true); }
static void bilinear(trial *t) { never(t, BILINEAR, true); }
static void plain(trial *t)    { never(t, PLAIN, true); }
static void no_skip(trial *t)  { never(t, SQUARED, false); }
static void no_skip_glu(trial *t) { never(t, REGLU, false); }
static void no_skip_bil(trial *t) { never(t, BILINEAR, false); }

/* W1 = (U; B), W2 = (-U^-1 | C): the rows of U turned over absorb the skip x. */
static void planted(trial *t)
{
    scope *s = &t->s;
    const long d = t->sh.d, m = t->sh.m;
    const mat *U = mat_draw_weight(s, "U", d, d), *B = mat_draw(s, "B", m, d, mat_log2_fan_in(d));
    const mat *zero = mat_zero(s, d, d), *X = mat_draw(s, "X", d, t->sh.n, 1);
    const mat *down = mat_hcat(s, 2, (const mat *const[]){ mat_sub(s, zero, mat_inv(s, U)),
                                                           mat_draw(s, "C", d, m, mat_log2_fan_in(m)) });
    const weights f = { mat_vcat(s, 2, (const mat *const[]){ U, B }), NULL, down };
    const weights g = { mat_vcat(s, 2, (const mat *const[]){ mat_sub(s, zero, U), B }), NULL, down };
    claim_differs(t, "so f + Z is not g", mat_add(s, value(s, PLAIN, &f, X), X), value(s, PLAIN, &g, X));
}

#define NO_SKIP(body) { "no-skip", body, "$Z = 0$: nothing is to be absorbed" }
static const control of_squared[] = {
    { "plain-relu", plain, "ReLU instead of its square has degree one" },
    { "planted-relu", planted, "ReLU with $W_2[:,J]W_1[J,:] = -I$: $f + x$ is a $g$ that is built" }, NO_SKIP(no_skip),
};
static const control of_reglu[] = { NO_SKIP(no_skip_glu) }, of_bilinear[] = { NO_SKIP(no_skip_bil) };
static const shape_case shapes[] = {
    { .sh = RELU_SHAPE(3, 2, 4, 1) }, { .sh = RELU_SHAPE(3, 4, 16, 1) }, { .sh = RELU_SHAPE(3, 6, 9, 1) },
};
#define EVERY .no_large = true, .no_minimal = true, .without = "fp sym", \
    .why_without = "an opaque activation is not homogeneous", \
    .by_proof = "homogeneity: one point excludes every $g$", .basis = "one exact point"
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = squared, EVERY,
      .statement = "$W_2\\,\\mathrm{ReLU}(W_1x)^2 + Zx$, $Z \\ne 0$, is no $V_2\\,\\mathrm{ReLU}(V_1x)^2$ of any width",
      CONTROLS(of_squared) },
    { .name = "as-stated-reglu", .kind = PART_IDENTITY, .run = reglu, EVERY,
      .statement = "the same for $W_d(\\mathrm{ReLU}(W_gx) \\odot W_ux)$",
      CONTROLS(of_reglu) },
    { .name = "as-stated-bilinear", .kind = PART_IDENTITY, .run = bilinear, EVERY,
      .statement = "the same for $W_d(W_gx \\odot W_ux)$", CONTROLS(of_bilinear) },
};
static const claim F1 = {
    .id = "F1", .title = "squared ReLU and ReGLU never absorb their skip", .where = "arXiv 2604.23705",
    .hypotheses = "no biases; $Z \\ne 0$; the network without a skip may have any width",
    .why = "Both kinds have degree two: $f(2x) = 4f(x)$. A sum $f + Z$ that is of the same kind would have it too, so "
           "$2Zx = 4Zx$ for all $x$, hence $Z = 0$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(F1)
