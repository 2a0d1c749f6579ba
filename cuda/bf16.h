/* SPDX-License-Identifier: GPL-3.0-or-later
 * bf16.h - a bfloat16: the upper half of a float. */
#ifndef CUDA_BF16_NUMBER_H
#define CUDA_BF16_NUMBER_H
#include <stdint.h>
typedef struct { uint16_t bits; } bf16;
#endif
