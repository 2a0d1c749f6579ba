/* rows_threads.h - loops over the rows of a matrix on all threads, for files that the Makefile compiles with OpenMP. */
#ifndef ROWS_THREADS_H
#define ROWS_THREADS_H

enum { ROWS_FORK_ENTRIES = 20000 };        /* below, threads cost more than they save */
/* for each row i of A; rows must not depend on each other: the same bits on any number of threads. */
#define EACH_ROW(A, i) \
    ROWS_PRAGMA(omp parallel for schedule(static) if ((A)->rows * (A)->cols > ROWS_FORK_ENTRIES)) \
    for (long i = 0; i < (A)->rows; i++)
#define ROWS_PRAGMA(text) _Pragma(#text)
#endif
