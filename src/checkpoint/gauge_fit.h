/* gauge_fit.h - the gauge G of one head, X G = Y, fitted in doubles.  Nothing follows from a bad fit but a large
 * distance. */
#ifndef CHECKPOINT_GAUGE_FIT_H
#define CHECKPOINT_GAUGE_FIT_H
#include "numerics/mat.h"

typedef struct { double *x; long rows, cols; const mat *exact; } block;       /* exact NULL: x            */

double block_largest(const block *b);    /* of |x|                                                      */
/* max |X G - Y| <= within max |Y|, in doubles. */
bool   gauge_maps(const block *X, const double *G, const block *Y, double within);
/* G (k x k), to be freed, by which X becomes Y, as gauge_maps says; turning: coordinates of rotary pairs, with which it
 * commutes; fixed: G = I.  NULL: there is none. */
double *gauge_fit(const block *X, const block *Y, long turning, bool fixed, double within);
bool    gauge_is_identity(const double *G, long k);
double *gauge_inverse_transposed(const double *G, long k);               /* to be freed; NULL: singular */
#endif
