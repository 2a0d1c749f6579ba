/* small_sizes.c - the first five tokens are all tokens: true for n <= 5, and no shape has more.
 * Stays below proved, for the derivation at other sizes: no derivation for all sizes */
#include "tests/false/false.h"

/* X with what comes after the fifth row cut off, or after the first */
static void first_rows(trial *t, long most)
{
    scope *s = &t->s;
    const long n = t->sh.n, d = t->sh.d, some = n < most ? n : most;
    const mat *X = mat_draw(s, "X", n, d, 0), *top = mat_rows(s, X, 0, some), *both = top;
    if (some < n) both = mat_vcat(s, 2, (const mat *[]){ top, mat_zero(s, n - some, d) });
    const mat *A = mat_draw(s, "A", d, d, 0), *B = mat_draw(s, "B", d, d, 0), *AB = mat_mul(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &AB });
    claim_equal(t, "the first tokens", mat_mul(s, both, AB), mat_mul(s, mat_mul(s, X, A), B));
}
static void five(trial *t) { first_rows(t, 5); }
static void one(trial *t)  { first_rows(t, 1); }
FALSE_IDENTITY("F-N-5", "the first five tokens are all tokens", small,
               .run = five, .statement = "five tokens are all", BROKEN_BY("one", one, "one token"))
