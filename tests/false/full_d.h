/* SPDX-License-Identifier: GPL-3.0-or-later
 * full_d.h - W_Q D and W_K D^-T with a full D, which mixes heads. */
#ifndef FALSE_FULL_D_H
#define FALSE_FULL_D_H
#include "tests/false/false.h"

static inline void full(trial *t, bool inverse)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    const mat *D = drawn(t, "D", t->sh.h * t->sh.dk, t->sh.h * t->sh.dk);
    R.at[0].Q = mat_mul(s, M.at[0].Q, D);
    R.at[0].K = mat_mul(s, M.at[0].K, inverse ? mat_t(s, mat_inv(s, D)) : mat_t(s, D));
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    same_attention(t, &M, &R);
}
static inline void any_D(trial *t)     { full(t, true); }
static inline void transpose(trial *t) { full(t, false); }
#define FULL_D .assumes = "invertible D", .models = "biases = 0; rope = 0; qk_norm = 0", .run = any_D, \
               .statement = "any $D \\in \\mathrm{GL}(h d_k)$ changes nothing", \
               BROKEN_BY("transpose", transpose, "$D^\\top$ for $D^{-\\top}$")
#endif
