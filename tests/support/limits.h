/* SPDX-License-Identifier: GPL-3.0-or-later
 * limits.h - what this machine does at most, measured: the limit that a bench prints beside its figure (a roofline). */
#ifndef TESTS_LIMITS_H
#define TESTS_LIMITS_H

/* All per nanosecond, of all threads together; 0: the processor has none. */
typedef struct {
    double fma64, fma32;                 /* multiply-adds of doubles and of floats                      */
    double ifma;                         /* 52-bit multiply-adds: one half of a product of two words    */
    double bf16;                         /* multiply-adds of bfloat16 into floats, AVX-512's            */
    double tile_bf16, tile_int8;         /* the same, and of bytes into integers, AMX's                 */
    double read;                         /* bytes of memory that no cache holds                         */
} machine_limits;

/* The best of some rounds of some milliseconds each.  Arithmetic is of registers alone and counts seconds of the
 * processor, so that other work disturbs less; memory counts those of the wall. */
machine_limits limits_measured(int threads);

/* The least nanoseconds of one multiply-add of integers of a and b bits in sums of K of them, by one of two ways:
 * words of 52 bits, two halves of each product (schoolbook); or doubles that add K products of digits exactly, as many
 * products as the product of the polynomials has coefficients (Toom and Cook's count; residues come near it). */
double limit_of_integers(const machine_limits *at, long a, long b, long K);
/* The larger of both: a roofline.  bytes: that are read for one multiply-add. */
double limit_with_memory(const machine_limits *at, double compute, double bytes);
#endif
