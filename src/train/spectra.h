/* SPDX-License-Identifier: GPL-3.0-or-later
 * spectra.h - singular values of a language model's weights, computed in double.
 *
 * The change of basis that makes W_Q the identity (eliminate.h) asks for an invertible W_Q; the condition number says
 * how near to a singular matrix training takes it.                                                        */
#ifndef TRAIN_SPECTRA_H
#define TRAIN_SPECTRA_H
#include <stdio.h>
#include "src/train/gpt.h"

typedef struct {
    double largest, smallest;            /* singular values: s_1, and s_n with n = min(rows, columns)   */
    double stable_rank;                  /* sum of s_k^2 / s_1^2, from 1 to n; 0 of the matrix 0        */
} spectrum;
/* The singular values of A[rows, cols], row by row, largest first; as many as the shorter side, to be freed.  Dies on a
 * number that is not finite. */
double  *singular_values(long rows, long cols, const double *A);
/* The same in short. */
spectrum spectrum_of(long rows, long cols, const double *A);
/* Of A' B for A, B[D, d] with D <= d: the D singular values that need not be 0. */
spectrum spectrum_of_product(long D, long d, const double *A, const double *B);
double   spectrum_condition(spectrum s);                      /* s_1 / s_n; infinite where s_n is 0      */

typedef struct { long layer, head; const char *matrix; spectrum s; } spectra_row;      /* head -1: the whole matrix */
typedef struct { spectra_row *row; long n; } spectra;
/* Of each block: the matrices q, k, v that are trained, o, fc and proj; and for each head qk, the product W_Q^a W_K^a'
 * that its scores have, W_Q or W_K the identity or not.  To be freed. */
spectra spectra_of(gpt *M, const gpt_config *c);
void    spectra_free(spectra *s);
/* The geometric mean over the blocks of the condition number of W_Q; 1 where it is the identity. */
double  spectra_query_condition(const spectra *s);

#define SPECTRA_COLUMNS "step,layer,matrix,head,largest,smallest,condition,stable_rank"
/* Rows of these columns; the head of a whole matrix is empty. */
void    spectra_write(FILE *f, const spectra *s, long step);
#endif
