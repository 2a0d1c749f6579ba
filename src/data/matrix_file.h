/* SPDX-License-Identifier: GPL-3.0-or-later
 * matrix_file.h - matrices from files, exactly: CSV with decimals and fractions, or NumPy's .npy.
 *
 * CSV: one row a line; numbers are separated by commas or, in a line without commas, by blanks; empty lines and
 * lines that begin with # are skipped.  A number is 12, -1.25e-3 (which is -1/800, no double) or 3/7.
 * .npy: versions 1 to 3; float16, float32, float64 and integers of 8 to 64 bits, signed or not, of either byte
 * order; C or Fortran order.  One dimension is read as a column.  A finite float is an integer times a power of 2.
 *
 * Files are untrusted: whatever is wrong with one ends in one message that names the file, the place and the
 * remedy, and exit status 2 (die).  The limits below bound memory and time.                                 */
#ifndef MATRIX_FILE_H
#define MATRIX_FILE_H
#include "numerics/flint_compat.h"
#include "src/base/base.h"

enum { MATRIX_MAX_ENTRIES = 1 << 20, MATRIX_MAX_DIGITS = 4096, MATRIX_MAX_EXPONENT = 4096,
       MATRIX_MAX_HEADER = 1 << 16, MATRIX_MAX_ALL_DIGITS = 1 << 27 /* exponents count as so many */ };
static const size_t MATRIX_MAX_BYTES = (size_t)1 << 28;

void matrix_read(fmpq_mat_t A, const char *path);                /* initialises A; then fmpq_mat_clear    */
void matrix_print(FILE *f, const fmpq_mat_t A);                  /* CSV with exact fractions              */

/* The same for bytes in memory, which came from `path`; for the two formats, and for tests. */
typedef struct { const char *path; const unsigned char *at; size_t n; } matrix_bytes;
void matrix_parse_csv(fmpq_mat_t A, const matrix_bytes *b);
void matrix_parse_npy(fmpq_mat_t A, const matrix_bytes *b);      /* src/data/matrix_npy.c                      */
bool matrix_is_npy(const matrix_bytes *b);
#endif
