/* SPDX-License-Identifier: GPL-3.0-or-later
 * block_rows.h - a block of a model over balls, with one error bound for each row of the residual stream: see
 * numerics/rows_arb.h.  In a deep model the boxes of model_block() grow by the width of the matrices in every layer. */
#ifndef BLOCK_ROWS_H
#define BLOCK_ROWS_H
#include "numerics/rows_arb.h"
#include "src/model/model.h"

/* Blocks without norms, biases, gates and experts, attention and MLP one after the other. */
bool block_rows_can(const shape *sh);

/* Encloses block i of all points of X, in the norm `in`; the result is in the norm `out`.  Any norms will do; good ones
 * are those of the bases that the weights read and write. */
row_balls block_rows(scope *s, const model *M, long i, row_balls X, row_norm in, row_norm out);
#endif
