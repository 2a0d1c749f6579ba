/* SPDX-License-Identifier: GPL-3.0-or-later
 * cuda_bf16.h - as cuda_runtime.h beside it. */
#ifndef MOCK_CUDA_BF16_H
#define MOCK_CUDA_BF16_H
struct __nv_bfloat16;
const __nv_bfloat16 &__float2bfloat16_rn(float x);          /* to nearest, ties to even */
unsigned short __bfloat16_as_ushort(const __nv_bfloat16 &x);
#endif
