/* SPDX-License-Identifier: GPL-3.0-or-later
 * coverage.h - with which switches of the model a claim was tried.
 *
 * Over fp and sym, activations, row maps and norms are opaque functions whatever the shape names, so these rows count
 * as opaque: that a claim was tried with GELU means rows over f64, mpfr or arb. */
#ifndef REPORT_COVERAGE_H
#define REPORT_COVERAGE_H
#include "src/report/collect/evidence_set.h"

extern const char *const coverage_switch_names[SWITCHES];
void coverage_switch_column(char *to, size_t size, int which);         /* "causal_mask": as a column of data */
typedef enum { COVERAGE_TRIED, COVERAGE_CANNOT, COVERAGE_NO_SWITCH, COVERAGE_PENDING } coverage_kind;
/* Fills c->tried from its rows. */
void coverage_count(claim_record *c);
/* COVERAGE_TRIED: *count decided rows of the claim itself; otherwise *why is the reason. */
coverage_kind coverage_of(const claim_record *c, int which, long *count, const char **why);
#endif
