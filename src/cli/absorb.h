/* SPDX-License-Identifier: GPL-3.0-or-later
 * absorb.h - what the files of `provably absorb` share. */
#ifndef CLI_ABSORB_H
#define CLI_ABSORB_H
#include "src/methods/relu/relu_affine.h"

typedef struct { const char *name; const fmpq_mat_struct *A; } named_matrix;    /* "V1"                    */
void absorb_print(long n, const named_matrix list[]);
/* Dies where one of PREFIX-V1.csv, -V2, -c1 and -c2 is there: an input, or an earlier answer, whose files would be
 * taken for parts of this one.  n: of how many files this answer would be; fewer than that, the first ones, may be
 * there: of a call that was killed. */
void absorb_require_new(const char *prefix, long n);
/* PREFIX-NAME.csv for each: all files or none; one that is there must have the same bytes. */
void absorb_write(const char *prefix, long n, const named_matrix list[]);
void absorb_finish(const char *prefix);  /* where nothing was written, dies of any that is there               */
/* Why there is no J: linear algebra (y, out x in, must be printed with it), or the enumeration. */
typedef struct { const char *equation, *term, *skip; } wording;
extern const wording absorb_plain, absorb_lifted;               /* the second without an output bias       */
void absorb_print_no_J(const subset *S, long m, const wording *w);

/* With biases (absorb_affine.c); returns the exit status. */
int absorb_affine(const relu_affine *f, bool output_bias, const char *prefix);
#endif
