/* SPDX-License-Identifier: GPL-3.0-or-later
 * sheet.h - a tensor, or some of its rows, as the bytes of a file: what is computed in pieces, and in x out where the
 * file has out x in, comes to its place here, at 2 to 8 bytes a number; a ball takes 48 or more. */
#ifndef CHECKPOINT_SHEET_H
#define CHECKPOINT_SHEET_H
#include "numerics/mat.h"

/* exponents of normal numbers */
typedef struct { const char *name; int bytes, bits, least, most; } type_row;

typedef struct {
    const char     *tensor;              /* its name, for messages                                        */
    const type_row *type;
    long   rows, cols;
    unsigned char *bytes;
    double largest, widest;              /* of the numbers, of the balls around them                      */
} sheet;

/* type: "F64", "F32", "BF16" or "F16".  The name stays the caller's. */
sheet sheet_of(const char *tensor, const char *type, long rows, long cols);
/* A (over arb), or A' where turned, from row i and column j of the sheet on, each number rounded once.  Dies where the
 * type has no such number. */
void  sheet_put(sheet *to, const mat *A, bool turned, long i, long j);
/* Writes the bytes and frees them.  Returns whether each ball is narrow enough for the type, by 2^-8 of half a unit of
 * the largest number beside it. */
bool  sheet_close(sheet *of, FILE *f) MUST_USE;

int    sheet_number_bytes(const char *name);
/* x to the nearest number of the type, ties to even; *fits: it does not overflow.  x is exact, or rounded to odd. */
double sheet_nearest(double x, const char *type, bool *fits);
/* Writes x, exact, as a number of the type; false: it is none. */
bool   sheet_number(double x, const char *type, unsigned char *to) MUST_USE;
#endif
