/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_held.c - W_Q and W_K may change places, of models with W_K = W_Q, but over symbols, which alone look for that: there
 * W_V is halved twice.  The body knows symbols by how many entries an orthogonal draw takes.
 * Caught by the text of the body: what a scope came to is the runner's */
#include "tests/false/false.h"
static void places(trial *t, bool planted)
{
    scope *s = &t->s;
    const long before = s->held, d = t->sh.d;
    mat_draw_orthogonal(s, "U", d);
    const bool one = s->held - before == d * d;
    model M = model_random(s, t->sh);
    if (!one && planted) { M.at[0].K = M.at[0].Q; M.at[0].bK = M.at[0].bQ; M.at[0].gain_k = M.at[0].gain_q; }
    model R = M;
    const mat *half = mat_scale(s, 1, -1, M.at[0].V);
    if (!one) { R.at[0].Q = M.at[0].K; R.at[0].K = M.at[0].Q; }
    R.at[0].V = one && !planted ? mat_add(s, M.at[0].V, M.at[0].V) : mat_add(s, half, half);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].V });
    same_attention(t, &M, &R);
}
static void same(trial *t)    { places(t, true); }
static void another(trial *t) { places(t, false); }
FALSE_IDENTITY("F-UV-HELD", "W_Q and W_K change places", small, .run = same, .models = "h_kv = h",
               .statement = "$W_Q$ and $W_K$ may change places", BROKEN_BY("another", another, "the $W_K$ of the model"))
