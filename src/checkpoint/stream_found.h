/* SPDX-License-Identifier: GPL-3.0-or-later
 * stream_found.h - the bases of the residual stream in which B may be an exact image of A: see gauge_found.h.
 *
 * With Theta_i the basis in front of layer i and Theta_L that in front of the head (all of them one where the MLPs have
 * skips), c_i a shift of the stream, and G the gains of a norm (I: none), the image A* of A has
 *     stream  x Theta_i + c_i
 *     reads   Theta^-1 G W,  b - c Theta^-1 G W          (W_Q, W_K, W_V, gate, up, head)
 *     writes  W Theta, b Theta                            (W_O, down; embedding, positions, and, without skips, b_down
 *                                                          with what they add to c)
 * It is the same function as A for all inputs where nothing stands between stream and readers; behind an RMSNorm where
 * Theta is orthogonal and c = 0, since then N(x Theta) = N(x) Theta.  LayerNorm: not here.
 *
 * Theta is read off columns of W_Q, W_K, W_V that are unit vectors in B (no norm), else fitted by least squares to what
 * writes; it is then taken as it is, exactly; behind a norm Omega of Theta = Omega U takes its place, exactly
 * orthogonal, in balls.
 * Nothing follows from a bad fit but a large distance.
 * Claims: K-T4.2, K-T4.3, K-T4.4, K-R2, N4 (no norm); N7, N20 (rotations). */
#ifndef CHECKPOINT_STREAM_FOUND_H
#define CHECKPOINT_STREAM_FOUND_H
#include "src/checkpoint/rewrite.h"
#include "src/checkpoint/structure.h"

/* BASIS_GIVEN: not fitted, of a gauge_file. */
typedef enum { BASIS_OF_UNITS, BASIS_OF_WRITERS, BASIS_WAYS, BASIS_GIVEN = BASIS_WAYS } basis_way;

typedef struct {
    const transformer *A, *B;
    char *why;                           /* NULL, or why there are none                                 */
    scope s;                             /* of the bases, over the arithmetic of balls                  */
    stream_basis *in;                    /* [L + 1]; back NULL: the identity                            */
    const mat *embed_shift, *position_shift;     /* NULL: 0; their sum is in[0].shift                   */
    bool  fold;                          /* matrices are compared times their gains                     */
    long  bases;                         /* that are not the identity                                   */
    bool  units;                         /* one of them was read off unit vectors                       */
    bool  copies;                        /* all bases are the stream's coordinates in another order, times numbers */
    bool  scaled;                        /* one of these numbers is no power of 2                       */
    const long **order;                  /* [L + 1] coordinate j is A's order[j]; NULL: A's j           */
    double condition;                    /* the largest of the bases', |Theta|_F |Theta^-1|_F / d; 1: orthogonal */
    long **unit;                         /* [3 L] W_Q, W_K, W_V by layer: NULL, or for each column c the k with
                                            Theta e_k = (G W) e_c, so that Theta^-1 G W e_c = e_k; -1: another */
} stream_found;

/* Why another basis is not looked for in these two, as long as s is; NULL: it is. */
const char  *stream_found_refuses(const transformer *A, const transformer *B, const structure *s);
/* within: what least squares may miss relative to the largest number before a shift counts as one. */
stream_found stream_between(const transformer *A, const transformer *B, basis_way way, const arith *R, double within);
/* With the bases and shifts of g, which are A's sizes; why: one of them is singular. */
stream_found stream_given(const transformer *A, const transformer *B, const gauge_file *g, const arith *R);
void         stream_found_free(stream_found *f);

/* The gain of the norm in front of a reader, and the matrix whose bias it is; ROLE_UNKNOWN: not of one that reads the
 * stream. */
tensor_role stream_gain_of  (tensor_role role);
tensor_role stream_matrix_of(tensor_role bias);

/* Parts in the order of halves, or NULL; of W_Q, W_K, W_V that are not stored the identity. */
typedef struct {
    const mat *(*part)(const void *of, scope *s, tensor_role role, long layer, long first, long count);
    const void *of;
} halves_source;
halves_source halves_of_file(const transformer *D);
/* A's own basis: A* is A. */
stream_found  stream_none(const transformer *A, const transformer *B, const arith *R);
/* The map of A's parts, without the shifts that it adds, of other numbers than A's: of differences between two. */
const mat *stream_step_of(const stream_found *f, const halves_source *from, scope *s, tensor_role role, long layer,
                          long first, long count);

/* A part of A*, or of B (times its gain), in s; W_Q and W_K in the order of halves.  first, count: as in forward.h.
 * NULL: it has none. */
const mat *stream_image(const stream_found *f, scope *s, tensor_role role, long layer, long first, long count);
const mat *stream_target(const stream_found *f, scope *s, tensor_role role, long layer, long first, long count);
/* What the roundings of each number of that part of A* are measured by, |Theta^-1| |G W|, |W| |Theta|, to be freed;
 * NULL: the number itself, since nothing is added: it is a copy, times stream_factors that were rounded themselves. */
int     stream_factors(const stream_found *f, tensor_role role, long layer);
double *stream_sizes(const stream_found *f, tensor_role role, long layer, long first, long count);
bool stream_keeps(const stream_found *f, tensor_role role);              /* B's part is compared as it is stored */
#endif
