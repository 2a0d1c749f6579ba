/* SPDX-License-Identifier: GPL-3.0-or-later
 * blas_core.h - which of its kernels OpenBLAS uses on this CPU.
 *
 * OpenBLAS chooses a core while it is loaded: the one that OPENBLAS_CORETYPE names, else one by the CPU's model.  Both
 * can be wrong by a factor of 2 to 4: an exported name that is not this machine's, or a CPU newer than the library,
 * for which it falls back to a core without AVX. */
#ifndef BLAS_CORE_H
#define BLAS_CORE_H
#include <stdbool.h>

/* The best core that this CPU's features allow, of those that OpenBLAS 0.3.10 and later have; NULL: no AVX2. */
const char *blas_core_of_cpu(void);
/* Whether core `name` uses fewer features than core `best`; NULL uses none. */
bool blas_core_is_slower(const char *name, const char *best);

typedef enum { BLAS_CORE_KEEP, BLAS_CORE_UNSET, BLAS_CORE_SET } blas_core_action;
/* What to do where OPENBLAS_CORETYPE is `named`, this project set it to `chosen` before (both may be NULL), the library
 * runs `loaded` (NULL: it is not loaded yet), and `best` is the best one. */
blas_core_action blas_core_decide(const char *named, const char *chosen, const char *loaded, const char *best);
/* Before OpenBLAS is loaded: no name in the environment but one that was set here, by this process or one above it. */
void blas_core_before(void);
/* After: true where it runs a slower core than this CPU allows; the better one is named in the environment then, for
 * the next time that it is loaded, here and in processes below. */
bool blas_core_after(const char *loaded);
#endif
