/* described_shape.h - a described model as a shape, for the closed formulas of src/methods/rank/dimension.h. */
#ifndef DESCRIBED_SHAPE_H
#define DESCRIBED_SHAPE_H
#include "src/methods/counts/describe.h"
#include "src/model/model.h"

/* *sh as the description says, not completed; NULL, or why it is not all that the description says (static text). */
const char *described_shape(const description *m, shape *sh) MUST_USE;
#endif
