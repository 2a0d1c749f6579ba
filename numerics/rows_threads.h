/* SPDX-License-Identifier: GPL-3.0-or-later
 * rows_threads.h - loops over the rows of a matrix on all threads, for files that the Makefile compiles with OpenMP. */
#ifndef ROWS_THREADS_H
#define ROWS_THREADS_H

enum { ROWS_FORK_ENTRIES = 20000 };        /* below, threads cost more than they save */
/* for each row i of A, or of a matrix of r rows and c columns; rows must not depend on each other: the same bits on any
 * number of threads. */
#define EACH_ROW(A, i) EACH_ROW_OF((A)->rows, (A)->cols, i)
#define EACH_ROW_OF(r, c, i) \
    ROWS_PRAGMA(omp parallel for schedule(static) if ((r) * (c) > ROWS_FORK_ENTRIES)) \
    for (long i = 0; i < (r); i++)
#define ROWS_PRAGMA(text) _Pragma(#text)
#endif
