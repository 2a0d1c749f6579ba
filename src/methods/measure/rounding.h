/* SPDX-License-Identifier: GPL-3.0-or-later
 * rounding.h - how the rounding error of a reduced model depends on the matrix that was eliminated. */
#ifndef ROUNDING_H
#define ROUNDING_H
#include "numerics/measure.h"
#include "src/model/model.h"

/* W_Q = A diag(1, .., 1/kappa) B, A and B orthogonal, entries of the diagonal in geometric progression, for seven kappa
 * from 2^8 to 2^32; the stream in the basis W_Q, or in one basis whatever kappa is. */
typedef enum { ROUNDING_QUERY, ROUNDING_OTHER } rounding_basis;
/* b of error = c kappa^b, error the largest gap of the logits over the largest logit, mean over 32 random models of
 * shape sh.  f64; sh without norm, d > 1. */
estimate rounding_exponent(scope *s, shape sh, rounding_basis which);
#endif
