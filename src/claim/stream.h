/* SPDX-License-Identifier: GPL-3.0-or-later
 * stream.h - a model and its reduction side by side, a layer at a time, for sizes of which two whole models do not fit.
 *
 * The weights are those of model_random: each matrix is drawn from its own name, so that a layer can be drawn alone.
 * For each layer of a table (induction.h) the original's weights are drawn, the reduced ones constructed, and both
 * layers evaluated on the residual streams; then all of them are freed.  Of the embedding only the rows of the tokens
 * are drawn, of the head a block of columns at a time.  What is claimed is what claim_same_function claims, of the same
 * functions: the logits are equal, for the last token or for all. */
#ifndef CLAIM_STREAM_H
#define CLAIM_STREAM_H
#include "src/claim/claim.h"
#include "src/claim/induction.h"

/* After the embedding (layer 0), each layer, and the head (layer L + 1).  The widths, log2 and relative to the largest
 * entry, are those of the balls or bounds of the residual streams, or of the logits; NaN where there are none. */
typedef struct {
    long   layer;
    double original, reduced;
    double seconds;                      /* since the step before                                        */
} stream_step;

typedef struct stream_plan {
    bool all_positions;                  /* the logits of every token; else of the last                  */
    bool boxes;                          /* balls entry by entry, as those around doubles are: else one error bound
                                          * for each row of a stream where block_rows() can (src/model/block_rows.h) */
    void (*at)(const shape *sh, double done);            /* share of the work that is done, 0 to 1; NULL: not told */
    void (*after)(const trial *t, const shape *sh, const stream_step *step);                   /* NULL: not told */
    /* The logits of both models from column `col` of the vocabulary on, for the time of the call.  NULL: not told. */
    void (*logits)(void *to, long col, const mat *original, const mat *reduced);
    void *to;
} stream_plan;

enum { STREAM_BLOCK = 2048 };            /* columns of the head at a time                                */

/* NULL, or static text: what in the table or the shape cannot be done a layer at a time. */
const char *stream_refuses(const shape *sh, const induction *how) MUST_USE;
/* The models of the table have the same logits; in each layer, the table's facts.  t->stream is not NULL, and
 * stream_refuses(&sh, how) is.  The scope's matrices are freed, but for a few. */
void claim_streamed(trial *t, shape sh, const induction *how);
/* The same where the last layer's W_K stays as it was: a control for every table of bases. */
extern const control stream_control;
#endif
