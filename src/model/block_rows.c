/* SPDX-License-Identifier: GPL-3.0-or-later
 * block_rows.c - see block_rows.h.
 *
 * With X = X_c + E, the block
 *   Y = [X +] S W_O,   S = attention(X W_Q, X W_K, X W_V),     H = phi(Y W_up),     X' = [Y +] H W_down
 * is followed from E's bound: Q, K and V are boxes, by (1) of rows_arb.h, and so is S.  The rest goes by norms:
 *   Y  = [X_c +] S_c W_O + [E] + (S - S_c) W_O,
 *   |H_i - phi(Y_c W_up)_i|_2 <= LIPSCHITZ |E'_i W_up|_2,   E' = Y - Y_c,
 * and X' as Y.  The centres' products are enclosed by balls, whose radii are rounding errors. */
#include "src/model/block_rows.h"

/* |phi'| of every activation that balls have is at most this: identity, ReLU and tanh 1; SiLU 1.0998...; GELU
 * Phi(x) + x Phi'(x), largest at x^2 = 2: 1.1289... */
static const double LIPSCHITZ = 1.13;

bool block_rows_can(const shape *sh)
{
    return sh->norm == NORM_NONE && !sh->biases && !sh->gated && !sh->experts && !sh->parallel;
}

/* H W [+ X], in the norm `to`: H's error is Euclidean, X's is in `from`. */
static row_balls written(scope *s, row_balls H, const mat *W, bool skip, row_balls X, row_norm from, row_norm to)
{
    const mat *sum = mat_mul(s, H.centre, W);
    rows_part part[2] = { { rows_write(W, to), H.error } };
    if (skip) {
        sum = mat_add(s, sum, X.centre);
        part[1] = (rows_part){ rows_change(from, to), X.error };
    }
    return rows_sum(s, sum, to, skip ? 2 : 1, part);
}

row_balls block_rows(scope *s, const model *M, long i, row_balls X, row_norm in, row_norm out)
{
    const shape *sh = &M->s;
    const layer *W = &M->at[i];
    const mlp *F = &W->expert[0];
    const row_norm mid = sh->attn_skip ? in : out;
    const mat *before = s->first;
    const mat *S = model_attention_of(s, M, i, rows_times(s, X, in, W->Q), rows_times(s, X, in, W->K),
                                      rows_times(s, X, in, W->V));
    const row_balls Y = written(s, rows_enclose(s, S, ROWS_EUCLIDEAN), W->O, sh->attn_skip, X, in, mid);
    scope_sweep(s, before, 2, (const mat *[]){ Y.centre, Y.error });
    const mat *phi = mat_phi(s, mat_mul(s, Y.centre, F->up), sh->act, (place){ 0, PLACE_MLP, F->function });
    const row_balls H = rows_sum(s, phi, ROWS_EUCLIDEAN, 1, &(rows_part){ LIPSCHITZ * rows_read(mid, F->up), Y.error });
    const row_balls after = written(s, H, F->down, sh->mlp_skip, Y, mid, out);
    scope_sweep(s, before, 2, (const mat *[]){ after.centre, after.error });
    return after;
}
