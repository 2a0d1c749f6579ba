/* SPDX-License-Identifier: GPL-3.0-or-later
 * odd_part.h - GELU(x) - GELU(-x) and x, which a formal function in GELU's place tells apart. */
#ifndef FALSE_ODD_PART_H
#define FALSE_ODD_PART_H
#include "tests/false/false.h"

/* GELU(x) - GELU(-x) = x is true: the body shows that a formal function in GELU's place does otherwise. */
static inline void odd_part(trial *t)
{
    scope *s = &t->s;
    const place at = { 0, PLACE_MLP, 0 };
    const mat *x = mat_draw(s, "x", 1, 1, 0), *minus_x = mat_scale(s, -1, 0, x);
    const mat *plus = mat_phi(s, x, ACT_GELU, at), *minus = mat_phi(s, minus_x, ACT_GELU, at);
    claim_differs(t, "GELU(x) - GELU(-x) and x", mat_sub(s, plus, minus), x);
}
#endif
