/* SPDX-License-Identifier: GPL-3.0-or-later
 * denorm.c - models that have lost the division of LayerNorm: see denorm.h. */
#include "src/model/denorm.h"

static const mat *plus(scope *s, const mat *b, const mat *beta, const mat *W)               /* b + beta W */
{
    return mat_add(s, b, mat_mul(s, beta, W));
}

model denorm_random(scope *s, shape sh)
{
    REQUIRE(sh.biases && !sh.tied && !sh.gated && !sh.experts && !sh.shared && !sh.parallel
            && sh.attn_skip && sh.mlp_skip,
            "all skips, biases, a head of its own, layers of their own and plain MLPs are asked for");
    sh.norm = NORM_LAYER;
    model M = model_random(s, sh);
    M.s.norm = NORM_NONE;
    return M;
}

static const mat *without_division(scope *s, const mat *X, const mat *gain, const mat *bias)       /* X C g + 1 b */
{
    const mat *centred = mat_mul3(s, X, mat_centering(s, X->cols), gain);
    return mat_add_row(s, centred, bias);
}

const mat *denorm_forward(scope *s, const model *M)
{
    const mat *X = model_embed(s, M);
    model_note_depth(s, M->s.L);
    for (long i = 0; i < M->s.L; i++) {
        const layer *W = &M->at[i];
        const mat *A = model_attention(s, M, i, without_division(s, X, W->gain1, W->bias1)), *Y = mat_add(s, X, A);
        X = mat_add(s, Y, model_mlp(s, M, i, without_division(s, Y, W->gain2, W->bias2)));
    }
    return model_note_end(s, M, true, mat_mul(s, without_division(s, X, M->gain_f, M->bias_f), M->head));
}

model denorm_folded(scope *s, const model *raw, denorm_slip how)
{
    model M = *raw;
    for (long i = 0; i < M.s.L; i++) {
        layer *W = &M.at[i];
        mlp *F = &W->expert[0];
        if (how != BIAS_LEFT) W->bQ = plus(s, W->bQ, W->bias1, W->Q);
        W->bK = plus(s, W->bK, W->bias1, W->K);
        W->bV = plus(s, W->bV, W->bias1, W->V);
        F->b_up = plus(s, F->b_up, W->bias2, F->up);
        W->Q = mat_mul(s, W->gain1, W->Q);
        W->K = mat_mul(s, W->gain1, W->K);
        W->V = mat_mul(s, W->gain1, W->V);
        F->up = mat_mul(s, W->gain2, F->up);
    }
    M.head = mat_mul(s, M.gain_f, M.head);
    return M;
}
