/* SPDX-License-Identifier: GPL-3.0-or-later
 * trained_gap.h - trained weights on the way from their own W_Q to W_Q = I: which changes of basis leave the function
 * of a trained model alone, and how fast the others change it.
 *
 * The way.  Gains are folded into what reads the normalised stream, and W_K takes |W_Q| / sqrt(d), so that the query
 * weights Q_i have the size of an orthogonal matrix.  Block i reads the stream in the basis Theta_i(t) = I + t A_i with
 * A_i = Q_i - I: nothing is changed at t = 0, and at t = 1 all W_Q are I.  The head keeps its basis, or takes
 * Theta_1'^-1 where it stays tied.  A model with one head is turned inside its scores instead (Propositions 3.2 and
 * 4.1): W_Q D(t) and W_K D(t)'^-1, D(t) = I + t (Q^-1 - I).
 *
 * What the theorems allow.  Without norms every A_i, as long as each skip joins equal bases: with both kinds of skip
 * all A_i must be one (Theorem 4.2).  LayerNorm, gains folded, commutes with the orthogonal maps that fix the mean
 * direction 1 (N7): of A_i only the skew part K of P A_i P, P = I - 11'/d, may stay, and (I - tK/2)^-1 (I + tK/2) is
 * the curve of the group that begins with it.  So each model has two curves: `all` of the change, and what of it is
 * `allowed`, its projection.  Where the theorem applies they are one.
 *
 * What is predicted.  On an allowed curve the same function: the difference is rounding, estimated as
 * 16 u ((kappa + 16) A + F), where kappa is the largest condition number (1-norm) inverted, u = 2^-53, A is how far
 * relative noise of 2^-26 in all weights moves the same figure, over 2^-26, and F is the largest such figure, because
 * it is rounded itself.  This is no proved bound: A is seen in one draw of the noise, and the factor 16 was chosen.
 * What lies above it fails.  And the gradient of the loss is orthogonal to the curve.  On the others the loss of window
 * w changes by t s_w to first order, s_w = <gradient of its loss, derivative of the weights at t = 0>: a gap that grows
 * with exponent 1 and slope s, the root mean square of the s_w.  Where the whole change is made, W_Q at t = 1 is I up
 * to 16 u (kappa + 16).
 *
 * A control.  The same end with every W_K left in its old basis must be told from rounding: where it is not, the model
 * does not use its scores, and keeping the function says nothing. */
#ifndef TRAINED_GAP_H
#define TRAINED_GAP_H
#include "src/base/base.h"
#include "src/experiments/outcome.h"
#include "src/experiments/record_notes.h"

enum { GAP_POINTS = 15 };                /* t = 1, 1/2, ..., 2^-14                                      */

typedef struct {
    double rms, largest;                 /* of the differences of the windows' losses                   */
    double logits;                       /* largest difference of a logit                               */
    double bound, logits_bound;          /* estimates of rounding in the latter two                     */
    double condition;                    /* largest condition number inverted; 1: none                  */
    double query;                        /* largest entry of a |W_Q - I|                                */
} gap_point;

typedef struct {
    char   setting[64];
    long   step;
    bool   allowed;                      /* predicted to leave the function alone                       */
    double slope, zero;                  /* predicted: root mean square of s_w; and the size at which it counts as 0:
                                            2^-26 of that of the sums of absolute values                */
    double away;                         /* |A - allowed| / sqrt(L d): root mean square of the singular values */
    double spread;                       /* distance of Q_i / sqrt(d) from the orthogonal matrices, root mean square */
    double control;                      /* at t = 1, W_K left in its old basis: largest change of a window's loss */
    gap_point at[GAP_POINTS];            /* at[k] is for t = 2^-k                                       */
} gap_curve;
typedef struct { gap_curve *at; long n; } gap_curves;

typedef struct {
    outcome is;                          /* HOLDS, REFUTED (as expected), FAILS                         */
    double slope, slope_room;            /* measured, extrapolated to t = 0, and what the extrapolation may err */
    double exponent, exponent_room;
    const char *why;                     /* FAILS: static text                                          */
} gap_judgement;
/* From the figures alone. */
gap_judgement trained_gap_judge(const gap_curve *c);

/* A record (record_notes.h) with a line for each point.  Reading dies on what is no such file; an
 * absent file has no curves. */
void       trained_gap_write(const gap_curves *all, const record_note *notes, long n, const char *path);
gap_curves trained_gap_read (const char *path);
void       trained_gap_free (gap_curves *all);
#endif
