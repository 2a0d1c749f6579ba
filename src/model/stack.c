/* SPDX-License-Identifier: GPL-3.0-or-later
 * stack.c - attention without MLPs: see stack.h. */
#include "src/model/stack.h"

void stack_multi_head(shape *sh)
{
    sh->scale_num = sh->scale_den = 1;
    sh->attn_skip = sh->mlp_skip = false;
    sh->norm = NORM_NONE;
    sh->rope = sh->qk_norm = false;
    sh->h_kv = sh->h;
}

void stack_single_head(shape *sh)
{
    stack_multi_head(sh);
    sh->h = sh->h_kv = 1;
    sh->dk = sh->d;
}

const mat *stack_columns(scope *s, const model *M, const mat *W, long a)
{
    return mat_cols(s, W, a * M->s.dk, M->s.dk);
}

const mat *stack_rows(scope *s, const model *M, const mat *W, long a)
{
    return mat_rows(s, W, a * M->s.dk, M->s.dk);
}

const mat *stack_input(scope *s, const model *M, long i, const mat *X) { return model_input(s, M, i, X); }

/* Rows `from`, ... of A_a(N), as many as `rows`; N (n x N) normalised. */
static const mat *weights_of(scope *s, const model *M, long i, long a, const mat *N, long from, long rows)
{
    const layer *W = &M->at[i];
    const rowmap how = { .kind = M->s.attention, .visible = M->visible ? M->visible + from * N->rows : NULL,
                         .scale_num = M->s.scale_num, .scale_den = M->s.scale_den };
    const place at = { (int)shape_block(&M->s, i), PLACE_ATTENTION, (int)a };
    const mat *Q = mat_add_row(s, mat_mul(s, mat_rows(s, N, from, rows), W->Q), W->bQ);
    const mat *K = mat_add_row(s, mat_mul(s, N, W->K), W->bK);
    const mat *scores = mat_mul(s, stack_columns(s, M, Q, a), mat_t(s, stack_columns(s, M, K, a)));
    const drawn_by whose = scope_draws(s, DRAWN_BY_MODEL);
    const mat *A = mat_rowmap(s, scores, &how, at);
    s->draws = whose;
    return model_note_layer(s, M, i, HALF_ATTENTION, N->rows, A);
}

const mat *stack_weights(scope *s, const model *M, long i, long a, const mat *X)
{
    return weights_of(s, M, i, a, stack_input(s, M, i, X), 0, X->rows);
}

const mat *stack_token(scope *s, const model *M, long i, long row, const mat *X)
{
    const layer *W = &M->at[i];
    const mat *N = stack_input(s, M, i, X), *V = mat_add_row(s, mat_mul(s, N, W->V), W->bV);
    const mat *z = mat_zero(s, 1, X->cols);
    for (long a = 0; a < M->s.h; a++) {
        const mat *seen = mat_mul(s, weights_of(s, M, i, a, N, row, 1), stack_columns(s, M, V, a));
        z = mat_add(s, z, mat_mul(s, seen, stack_rows(s, M, W->O, a)));
    }
    z = mat_add_row(s, z, W->bO);
    return M->s.attn_skip ? mat_add(s, mat_rows(s, X, row, 1), z) : z;
}

const mat *stack_layer(scope *s, const model *M, long i, const mat *X)
{
    const mat *Z = model_attention(s, M, i, stack_input(s, M, i, X));
    return M->s.attn_skip ? mat_add(s, X, Z) : Z;
}

const mat *stack_output(scope *s, const model *M, const mat *X)
{
    model_note_depth(s, M->s.L);
    for (long i = 0; i < M->s.L; i++) X = stack_layer(s, M, i, X);
    return X;
}
