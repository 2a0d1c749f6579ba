/* SPDX-License-Identifier: GPL-3.0-or-later
 * attn_flash.h - exact attention in tiles (Dao 2023): softmax(scale Q K') V without a T x T matrix in memory.
 *
 * Numbers are bf16, sums float, lse[B,H,T] float (natural log); shapes and strides as in src/train/ops.h.
 * Supported: head sizes D that are multiples of 8 up to 128, every T, scale > 0, and heads with 16-byte aligned
 * addresses and strides that are multiples of 8 numbers.  Otherwise the functions return false and do nothing.
 * No atomics, so the result is deterministic.  dQ, dK and dV may share memory where they are accumulated.
 * CUDA errors end the program.  `work`: attn_flash_work bytes, for the backward pass only. */
#ifndef CUDA_ATTN_FLASH_H
#define CUDA_ATTN_FLASH_H
#ifdef __cplusplus
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#define _Noreturn [[noreturn]]           /* C's word in the headers of C */
extern "C" {
#include "src/train/ops.h"
#undef _Noreturn
#else
#include "src/train/ops.h"
#endif

bool   attn_flash_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work,
                      void *stream);
bool   attn_flash_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                      heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream);
size_t attn_flash_work(const attn_shape *s);     /* 0 when the shape is not supported */

/* What a kernel is launched with, for one tile per block: */
typedef struct {
    int    rows;                         /* queries (or keys, in the kernel of dK and dV) that a block owns      */
    int    step;                         /* the others that it takes in one step                                */
    long   blocks;                       /* ceil(T / rows) B H                                                   */
    size_t shared;                       /* bytes                                                               */
} attn_flash_launch;
typedef enum { ATTN_FLASH_O, ATTN_FLASH_DKV, ATTN_FLASH_DQ } attn_flash_kernel;
attn_flash_launch attn_flash_launch_of(attn_flash_kernel kernel, const attn_shape *s);
#ifdef __cplusplus
}
#endif
#endif
