/* SPDX-License-Identifier: GPL-3.0-or-later
 * avx2_alone.h - included before every file of `make ISA=avx2`: the program as a processor without AVX-512 runs it, to
 * test and to measure those paths on one that has it. */
#ifndef AVX2_ALONE_H
#define AVX2_ALONE_H
#define __builtin_cpu_supports(feature) \
    (__builtin_strncmp(feature, "avx512", 6) != 0 && __builtin_cpu_supports(feature))
#if defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
#define VECTOR_CLONES __attribute__((target_clones("avx2", "default"), optimize("O3")))
#endif
#endif
