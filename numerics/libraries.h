/* SPDX-License-Identifier: GPL-3.0-or-later
 * libraries.h - GMP, MPFR, FLINT, GSL and OpenBLAS as a whole: their memory, their caches, their versions. */
#ifndef LIBRARIES_H
#define LIBRARIES_H
#include <stdio.h>

/* After base_init, before any number: GMP, MPFR and FLINT allocate through src/base/memory.h, so that running out of
 * memory anywhere is one message and exit status 2. */
void libraries_init(void);
/* At the end, for checkers of memory: frees the caches of MPFR and FLINT. */
void libraries_clear(void);
/* What the program was built from and with, "1a2b3c4d5e6f; gcc 12.2.0; FLINT 2.9.0; ...": the commit, the compiler, and
 * the libraries that it runs with.  No commas.  Static. */
const char *libraries_text(void);
/* The same for --version: "PROGRAM 0.1 (1a2b3c4d5e6f)", and in a second line the compiler and the libraries. */
void libraries_print_version(FILE *f, const char *program);
#endif
