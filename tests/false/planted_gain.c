/* SPDX-License-Identifier: GPL-3.0-or-later
 * planted_gain.c - with a tied head the gain of the last norm becomes I, of models in which the table sets it to I.
 * Caught by what the table sets at the ends: hypothesis that is not declared: constrained gain_f = I */
#include "tests/false/false.h"

static void tied_rms(shape *sh)
{
    attention_skip_only(sh);
    sh->norm = NORM_RADIAL;
    sh->tied = true;
}
static void unit_gain(scope *s, model *M) { M->gain_f = mat_identity(s, M->s.d); }

/* And something that is reduced: gains go into the matrices behind them. */
static void fold_gain(const layer_site *at, const layer *W, layer *R)
{
    R->Q = mat_mul(at->s, W->gain1, W->Q);
    R->K = mat_mul(at->s, W->gain1, W->K);
    R->V = mat_mul(at->s, W->gain1, W->V);
    R->gain1 = mat_identity(at->s, at->sh.d);
}

static void gain_to_identity(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)first; (void)last;
    R->gain_f = mat_identity(s, M->s.d);
}
static const layer_kind kinds[] = { { .name = "layer with a folded gain", .reduce = fold_gain } };
static const induction table = { .kinds = kinds, .nkinds = 1, .bases = BASIS_NONE, .plant_ends = unit_gain,
                                 .ends = gain_to_identity };
static const induction of_drawn = { .kinds = kinds, .nkinds = 1, .bases = BASIS_NONE, .ends = gain_to_identity };
static void not_planted(trial *t) { claim_built(t, t->sh, &of_drawn); }

FALSE_IDENTITY("F-GAIN", "with a tied head the gain of the last norm becomes I", reduce_shapes,
               .run = claim_by_induction, .induction = &table, .no_large = true, .prepare = tied_rms,
               .statement = "$\\tilde g_f = 1$, with a tied head", .without = "q",
               .why_without = "q has no square roots",
               BROKEN_BY("not-planted", not_planted, "the gain is drawn"))
