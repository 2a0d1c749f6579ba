/* SPDX-License-Identifier: GPL-3.0-or-later
 * width_only.c - Proposition 4.1 for one head, d_k = d, claimed for any d_k; the shapes have one head of the
 * full width.
 * Caught by a number of heads: h = 1 (with h = 2 */
#include "tests/false/false.h"

static void single(trial *t, bool transposed)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    R.at[0].K = mat_mul(s, M.at[0].K, transposed ? mat_t(s, M.at[0].Q) : M.at[0].Q);
    R.at[0].Q = mat_identity(s, t->sh.d);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].K });
    same_attention(t, &M, &R);
}
static void all_widths(trial *t)   { single(t, true); }
static void untransposed(trial *t) { single(t, false); }
FALSE_IDENTITY("F-DK-IS-D", "Proposition 4.1 for any $d_k$", one_head,
               .run = all_widths, .models = "biases = 0; rope = 0; qk_norm = 0",
               .statement = "$\\tilde W_K = W_K W_Q^\\top$, $\\tilde W_Q = I$ for all $h$ and $d_k$",
               BROKEN_BY("untransposed", untransposed, "$W_K W_Q$"))
