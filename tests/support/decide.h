/* SPDX-License-Identifier: GPL-3.0-or-later
 * decide.h - is what a certificate states true?  Decided without proofcheck and from other arithmetic, for the
 * mutation run of t_certificate: canonical forms of src/methods/relu/relu.h, FLINT's rational matrices, all subsets one by one,
 * and for symbolic certificates random matrices over F_p at random sizes.                                       */
#ifndef DECIDE_H
#define DECIDE_H
#include <stdbool.h>

/* The text must be well-formed, as proofcheck says it is; what cannot be read is not true. */
bool statement_is_true(const char *text);
#endif
