/* SPDX-License-Identifier: GPL-3.0-or-later
 * tensor.h - bfloat16 tensors [B,T,H,D] inside wider rows, for the kernels of attention: whatever lies between the
 * heads is poisoned, so that a store beyond them shows. */
#ifndef TESTS_PTX_TENSOR_H
#define TESTS_PTX_TENSOR_H
#include "src/train/ops.h"

double   tensor_wide  (uint16_t x);
uint16_t tensor_narrow(double x);        /* to nearest, ties to even; not for NaN                       */

typedef struct {
    uint16_t *memory, *p;                /* p: the first number of the first head; memory is the caller's to free */
    size_t numbers;                      /* of memory                                                   */
    long row, head;
} tensor;
enum { TENSOR_POISON = 0x7fc1 };         /* a NaN */

/* All poison, or normal numbers times size, of a stream of that name.  gap: numbers left free after each head and,
 * eight times, after each row. */
tensor tensor_new  (const attn_shape *s, long gap);
tensor tensor_drawn(const attn_shape *s, long gap, const char *name, double size);
uint16_t *tensor_number (const tensor *t, const attn_shape *s, long b, long r, long h, long c);
double   *tensor_numbers(const tensor *t, const attn_shape *s);              /* [B,T,H,D], to be freed */
void tensor_gaps_are_poisoned(const tensor *t, const attn_shape *s);         /* else the test fails     */
#endif
