/* SPDX-License-Identifier: GPL-3.0-or-later
 * share.h - how loops on the CPU are shared out: the smaller of two lengths, and the threads. */
#ifndef CPU_SHARE_H
#define CPU_SHARE_H
#ifdef _OPENMP
#include <omp.h>
#endif

static inline long fewer(long a, long b) { return a < b ? a : b; }

/* Of the threads of this parallel region the one that asks, from 0; how many they are; how many a region may have. */
static inline long thread_index(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static inline long thread_count(void)
{
#ifdef _OPENMP
    return omp_get_num_threads();
#else
    return 1;
#endif
}

static inline long most_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}
#endif
