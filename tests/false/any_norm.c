/* SPDX-License-Identifier: GPL-3.0-or-later
 * any_norm.c - an orthogonal basis goes through any norm: true of RMS norms, false of LayerNorm; the part's switches
 * make it radial.
 * Caught by what it sets: hypothesis that is not declared: norm = rms */
#include "tests/false/false.h"
static void radial(shape *sh) { reduce_switches(sh, ONE_LAYER); sh->norm = NORM_RADIAL; sh->mlp_skip = true; sh->act = ACT_SILU; }
static void turned(trial *t, bool turn)
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0), *U = mat_draw_orthogonal(s, "U", t->sh.d);
    const place at = { 0, PLACE_ATTENTION, 0 };
    const norm_kind norm = t->sh.norm;
    const mat *XU = mat_mul(s, X, U), *left = mat_norm(s, XU, norm, -17, at);
    const mat *right = mat_norm(s, X, norm, -17, at);
    claim_reduced(t, 1, (const mat **[]){ &left });
    claim_equal(t, "norm", left, turn ? mat_mul(s, right, U) : mat_add(s, right, X));
}
static void good(trial *t) { turned(t, true); }
static void bad(trial *t)  { turned(t, false); }
FALSE_IDENTITY("F-ZZ-NORM", "an orthogonal basis goes through any norm", small, .run = good, .prepare = radial,
               .assumes = "orthogonal U", .without = "q", .why_without = "q has no square roots",
               .statement = "$\\mathrm{norm}(XU) = \\mathrm{norm}(X)U$ for orthogonal $U$, LayerNorm and RMSNorm alike",
               BROKEN_BY("kept", bad, "$X$ is added"))
