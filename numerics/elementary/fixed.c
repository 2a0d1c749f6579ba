/* fixed.c - see fixed.h. */
#include "numerics/elementary/fixed.h"

void fixed_from_arf(mp_limb_t *z, const arf_t x, int W)
{
    mp_srcptr m;
    mp_size_t n;
    ARF_GET_MPN_READONLY(m, n, x);                      /* |x| = (integer m) 2^(exponent - 64 n) */
    const slong shift = ARF_EXP(x) - 64 * n + 64 * W, skip = shift >> 6;       /* floor */
    const int left = (int)(shift & 63);
    for (int k = 0; k <= W; k++) {
        const slong j = k - skip;
        const mp_limb_t high = j >= 0 && j < n ? m[j] : 0, low = j >= 1 && j <= n ? m[j - 1] : 0;
        z[k] = left ? high << left | low >> (64 - left) : high;
    }
}
