/* SPDX-License-Identifier: GPL-3.0-or-later
 * refused.h - was the inverse of a matrix asked for that is not square?  Then a model was asked for in which what a
 * hypothesis calls invertible cannot be: such a model is none of those that are spoken of. */
#ifndef REFUSED_H
#define REFUSED_H
#include <stdbool.h>

bool inverse_was_refused(void);          /* since inverse_forget */
void inverse_forget(void);
#endif
