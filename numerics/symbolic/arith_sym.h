/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_sym.h - what only the symbolic arithmetic can answer. */
#ifndef ARITH_SYM_H
#define ARITH_SYM_H
#include "numerics/arith.h"

/* The hypotheses that what was computed over this sym has used: "invertible W_K; orthogonal U", sorted, each once,
 * names without their numbers.  An inverse is used where it is taken.  Valid until the next call or arith_close. */
const char *arith_sym_uses(const arith *R);
#endif
