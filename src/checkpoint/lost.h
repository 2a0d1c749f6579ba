/* SPDX-License-Identifier: GPL-3.0-or-later
 * lost.h - have numbers been lost below the least ones of a type?
 *
 * Rounding x makes an error of u |x|, and below the least normal number of the type one of up to half the least number,
 * which may be all of x.  That one number among many is lost so is what every cast does; that a row or a column is, is
 * none.  Factors of rows and of columns, which other parts undo (gains, neurons, coordinates of heads), must not hide
 * it.  So rows and columns are balanced first: r_i |W_ij|^2 c_j with a sum of 1 in each row and each column (Sinkhorn &
 * Knopp, Concerning nonnegative matrices and doubly stochastic matrices, 1967), and the same r and c weigh what was
 * lost. */
#ifndef CHECKPOINT_LOST_H
#define CHECKPOINT_LOST_H
#include <stdbool.h>

/* Root mean square of a balanced row or column: no more is lost than some roundings to the type, or one to bfloat16. */
#define LOST_UNITS 8
#define LOST_MOST 0x1p-8
/* And of the numbers of a line that are not zero, no more than this share are off by more than LOST_ENTRY of their own
 * size: balancing does not know which of them matter. */
#define LOST_SHARE 0.125
#define LOST_ENTRY 0x1p-4

/* Row k, `cols` numbers: *size, that of B or of what A's became, whichever is larger; *lost, what of the distance is
 * not explained by u |x|. */
typedef void lost_row(void *of, long k, double *size, double *lost);

/* unit: of the type, a rounding.  A vector (one row or one column) is not balanced; each: nor is anything averaged,
 * each number is a factor by itself (a gain). */
typedef struct { long rows, cols; double unit; bool each; lost_row *row; void *of; } lost_numbers;
bool numbers_lost(const lost_numbers *n);
/* The same of what lies row by row in memory. */
bool numbers_lost_in(long rows, long cols, double unit, const double *size, const double *lost);

/* Of a distance, what is not explained by `units` roundings of that size. */
static inline double lost_of(double off, double units, double unit, double size)
{
    const double rest = off - units * unit * size;
    return rest > 0 ? rest : 0;
}
#endif
