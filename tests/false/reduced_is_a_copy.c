/* reduced_is_a_copy.c - every weight of the reduced model is the original's times I: nothing was eliminated.
 * Caught by comparing the weights: the reduced model is the original */
#include "tests/false/false.h"

static void copied(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    model R = M;
    R.at[0].Q = mat_mul(&t->s, M.at[0].Q, mat_identity(&t->s, M.at[0].Q->cols));
    claim_same_function(t, &M, &R);
}
static void other_values(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    model R = M;
    R.at[0].V = drawn(t, "other", M.at[0].V->rows, M.at[0].V->cols);
    claim_same_function(t, &M, &R);
}
static const control controls[] = { { "other-values", other_values, "another $W_V$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .prepare = attention_skip_only, .assumes = "invertible W_Q",
      .run = copied, .statement = "$\\tilde W_Q = I$ in all layers", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-COPY", "every weight of the reduced model is the original's times I", small, parts)
