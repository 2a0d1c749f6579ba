/* SPDX-License-Identifier: GPL-3.0-or-later
 * blas.h - OpenBLAS and LAPACKE, opened when the first of their functions is called.
 *
 * blas.c defines the functions of <cblas.h> and <lapacke.h> that this project calls; each passes its arguments on to
 * the library's.  So a command that multiplies nothing starts without OpenBLAS, and the core that it uses is chosen
 * before it is loaded (src/base/blas_core.h).  Callers include <cblas.h> or <lapacke.h> as if they were linked with
 * them.  Any thread may be the first to call.  Dies where the libraries are not installed. */
#ifndef BLAS_H
#define BLAS_H
#include <stdbool.h>

/* Whether OpenBLAS has been opened in this process. */
bool blas_is_open(void);
#endif
