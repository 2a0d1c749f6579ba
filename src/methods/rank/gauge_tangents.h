/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_tangents.h - the directions in which a transformer's weights move without changing its function, as tangent
 * vectors of the orbits of its gauge group, and a model's parameters in the same order.
 *
 * The group, by factors (X, A, B, c, v, w are Lie algebra elements; S is the stream, s = 0 .. 2L its stages):
 *   stream       writers W X_s, readers -X_s W; a skip makes X equal on its two sides, sharing as well;
 *                tied head: X_2L = -X_0'.  RMSNorm: X skew; LayerNorm: skew and X 1 = 0; -Gamma^-1 X Gamma W.
 *   query-key    W_Q A, -W_K A' per key head; A commutes with RoPE, A is skew under QK-norm
 *   value-output W_V B, -B W_O per key head
 *   position     E + 1 c, P - 1 c
 *   units        a neuron's scale (ReLU, gated); GL(m) for an MLP without activation
 *   biases       key bias; value bias into b_O; stream translated at one stage
 *   norms        gain against the rows it multiplies; LayerNorm: writers + v 1', readers + Gamma^-1 1 w'
 *   router       + v 1' (softmax)
 * Tangents that depend on each other are all listed; their rank is what counts.                               */
#ifndef GAUGE_TANGENTS_H
#define GAUGE_TANGENTS_H
#include "src/methods/rank/jacobian.h"
#include "src/model/model.h"

enum {                                   /* factors of the group, to leave some out                              */
    GAUGE_STREAM = 1, GAUGE_QUERY_KEY = 2, GAUGE_VALUE_OUTPUT = 4, GAUGE_POSITION = 8, GAUGE_UNITS = 16,
    GAUGE_BIASES = 32, GAUGE_NORMS = 64, GAUGE_ROUTER = 128, GAUGE_ALL = 255,
};
/* tangents x (P->free + P->frozen) over base->R; M over the tape, P of M.  unit_gains: the gains of
 * QK-norm are fixed at 1. */
const mat *gauge_tangents(scope *base, const model *M, const parameters *P, unsigned factors, bool unit_gains);
#endif
