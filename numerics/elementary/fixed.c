/* SPDX-License-Identifier: GPL-3.0-or-later
 * fixed.c - see fixed.h. */
#include "numerics/elementary/fixed.h"

void fixed_from_arf(mp_limb_t *z, const arf_t x, int W)
{
    mp_srcptr m;
    mp_size_t n;
    ARF_GET_MPN_READONLY(m, n, x);                      /* |x| = (integer m) 2^(exponent - 64 n) */
    const slong shift = ARF_EXP(x) - 64 * n + 64 * W, skip = shift >> 6;       /* floor */
    const int left = (int)(shift & 63);
    const slong first = skip > 0 ? skip : 0, last = skip + n < W ? skip + n : W;
    for (slong k = 0; k <= W; k++) z[k] = 0;
    for (slong k = first; k <= last; k++) {
        const slong j = k - skip;
        const mp_limb_t high = j < n ? m[j] : 0, low = j > 0 ? m[j - 1] : 0;
        z[k] = left ? high << left | low >> (64 - left) : high;
    }
}

void fixed_from_fmpz(mp_limb_t *z, const fmpz_t x, int limb_bits, int n)
{
    fmpz_t rest, limb;
    fmpz_init_set(rest, x);
    fmpz_init(limb);
    for (int k = 0; k < n; k++) {
        fmpz_fdiv_r_2exp(limb, rest, (ulong)limb_bits);
        z[k] = fmpz_get_ui(limb);
        fmpz_fdiv_q_2exp(rest, rest, (ulong)limb_bits);
    }
    fmpz_clear(rest);
    fmpz_clear(limb);
}
