/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_form.h - gauges with few numbers, whose images are copies, times a factor or not, for the most part.
 *
 * A fit by least squares has small numbers everywhere, and so everything would be a sum: these say what the gauge is
 * before its numbers are measured.  F: the fit, in which turning / 2 pairs i, i + turning / 2 are there already. */
#ifndef CHECKPOINT_GAUGE_FORM_H
#define CHECKPOINT_GAUGE_FORM_H
#include "src/checkpoint/gauge_fit.h"

/* G: one number in each row and column.  Column c of Y is a multiple of that column of X which points its way. */
void gauge_match(const block *X, const block *Y, long turning, const rounding *r, const double *F, double *G);
/* G: F where its numbers are not small, fitted again block by block.  false: there are no blocks. */
bool gauge_blocks(const block *X, const block *Y, long turning, const rounding *r, const double *F, double *G);
bool gauge_adds_nothing(const double *G, long k);        /* one number in each row and column                   */
#endif
