/* full_d.c - the same with two heads.
 * Caught by the run at h = 2: INCONSISTENT or FAILED */
#include "tests/false/false.h"

static void full(trial *t, bool inverse)
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
static void any_D(trial *t)     { full(t, true); }
static void transpose(trial *t) { full(t, false); }
static const control controls[] = { { "transpose", transpose, "$D^\\top$ for $D^{-\\top}$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .assumes = "invertible D", .run = any_D,
      .statement = "any $D \\in \\mathrm{GL}(h d_k)$ changes nothing", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-FULL-D2", "the same with two heads", small, parts)
