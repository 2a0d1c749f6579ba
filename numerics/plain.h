/* SPDX-License-Identifier: GPL-3.0-or-later
 * plain.h - a switch that leaves all arithmetic to the libraries. */
#ifndef PLAIN_H
#define PLAIN_H
#include <stdbool.h>
/* Is PROVABLY_REFERENCE set to anything but nothing and 0?  Then products, inverses and functions are done by FLINT,
 * Arb and MPFR alone, none by the fast paths of numerics/product and numerics/elementary.  Read once. */
bool plain_only(void);
#endif
