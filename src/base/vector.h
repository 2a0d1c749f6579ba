/* SPDX-License-Identifier: GPL-3.0-or-later
 * vector.h - loops over numbers, compiled for several vector widths; the widest that the machine has is chosen when the
 * program starts. */
#ifndef VECTOR_H
#define VECTOR_H
#ifdef VECTOR_CLONES                                   /* make ISA=avx2 */
#elif defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
#define VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define VECTOR_CLONES
#endif
#endif
