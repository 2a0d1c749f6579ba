/* SPDX-License-Identifier: GPL-3.0-or-later
 * description_shape.h - a described model as a shape, for the closed formulas of src/methods/rank/dimension.h. */
#ifndef DESCRIPTION_SHAPE_H
#define DESCRIPTION_SHAPE_H
#include "src/methods/counts/describe.h"
#include "src/model/model.h"

bool description_full_matrices(const description *m);      /* Q, K, V and O are matrices of their own      */
bool description_square(const description *m);             /* h d_k = d                                    */
long description_biases(const description *m);             /* how many of the five biases of a layer: 0..5 */
/* *sh as the description says, not completed; NULL, or why it is not all that the description says (static text). */
const char *description_shape(const description *m, shape *sh) MUST_USE;
#endif
