/* SPDX-License-Identifier: GPL-3.0-or-later
 * ladders.h - log2 gap against bits: which rung_list are one ladder, and the straight line through it. */
#ifndef LADDERS_H
#define LADDERS_H
#include "src/report/collect/evidence_set.h"

/* Slope over the finite gaps of n rung_list; NaN where fewer than two are finite. */
double ladder_slope(const rung *at, long n);
bool   ladder_shows_difference(const claim_record *c, const rung *at, long n);
long   ladder_length(const rung_list *all, long from);       /* how many from `from` on are one ladder      */
#endif
