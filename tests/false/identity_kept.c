/* identity_kept.c - the eliminated W_Q is not the identity, but twice it, and W_K is halved: the same function,
 * not the statement.
 * Caught by the check of what was eliminated: FAILED */
#include "tests/false/false.h"

static void twice(trial *t, bool right)
{
    scope *s = &t->s;
    model_pair r = reduce_queries(s, &t->sh, ATTENTION_SKIP);
    for (long i = 0; i < r.M.s.L; i++) {
        r.R.at[i].Q = mat_scale(s, 2, 0, r.R.at[i].Q);
        if (right) r.R.at[i].K = mat_scale(s, 1, -1, r.R.at[i].K);
        claim_eliminated(t, "W_Q = I", r.R.at[i].Q);
    }
    claim_same_function(t, &r.M, &r.R);
}
static void halved(trial *t)     { twice(t, true); }
static void not_halved(trial *t) { twice(t, false); }
static const control controls[] = { { "not-halved", not_halved, "$W_K$ stays" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .prepare = attention_skip_only, .assumes = "invertible W_Q",
      .run = halved, .statement = "$\\tilde W_Q = I$ in all layers", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-KEPT", "the eliminated W_Q is not the identity", small, parts)
