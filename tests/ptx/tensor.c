/* SPDX-License-Identifier: GPL-3.0-or-later
 * tensor.c - see tensor.h. */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "tests/ptx/tensor.h"
#include "tests/support/suite.h"

double tensor_wide(uint16_t x)
{
    const uint32_t u = (uint32_t)x << 16;
    float f;
    memcpy(&f, &u, 4);
    return (double)f;
}

uint16_t tensor_narrow(double x)
{
    const float f = (float)x;
    uint32_t u;
    memcpy(&u, &f, 4);
    return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

tensor tensor_new(const attn_shape *s, long gap)
{
    tensor t = { .head = s->D + gap, .row = s->H * (s->D + gap) + 8 * gap };
    t.numbers = (size_t)(s->B * s->T * t.row + 8);
    t.memory = aligned_alloc(128, (t.numbers * 2 / 128 + 1) * 128);
    ck_assert_ptr_nonnull(t.memory);
    for (size_t i = 0; i < t.numbers; i++) t.memory[i] = TENSOR_POISON;
    t.p = t.memory + 8;
    return t;
}

uint16_t *tensor_number(const tensor *t, const attn_shape *s, long b, long r, long h, long c)
{
    return t->p + (b * s->T + r) * t->row + h * t->head + c;
}

tensor tensor_drawn(const attn_shape *s, long gap, const char *name, double size)
{
    tensor t = tensor_new(s, gap);
    uint64_t key[2], n = 0;
    random_key_derive(key, (uint64_t[]){ 11, (uint64_t)s->T }, name);
    for (long b = 0; b < s->B; b++) for (long r = 0; r < s->T; r++) for (long h = 0; h < s->H; h++)
        for (long c = 0; c < s->D; c++)
            *tensor_number(&t, s, b, r, h, c) = tensor_narrow(size * (double)random_gauss8(key, n++) / 32);
    return t;
}

double *tensor_numbers(const tensor *t, const attn_shape *s)
{
    double *x = must_calloc((size_t)(s->B * s->T * s->H * s->D), sizeof *x);
    size_t n = 0;
    for (long b = 0; b < s->B; b++) for (long r = 0; r < s->T; r++) for (long h = 0; h < s->H; h++)
        for (long c = 0; c < s->D; c++) x[n++] = tensor_wide(*tensor_number(t, s, b, r, h, c));
    return x;
}

void tensor_gaps_are_poisoned(const tensor *t, const attn_shape *s)
{
    char *mine = must_calloc(t->numbers, 1);
    for (long b = 0; b < s->B; b++) for (long r = 0; r < s->T; r++) for (long h = 0; h < s->H; h++)
        for (long c = 0; c < s->D; c++) mine[tensor_number(t, s, b, r, h, c) - t->memory] = 1;
    for (size_t i = 0; i < t->numbers; i++) if (!mine[i]) ck_assert_uint_eq(t->memory[i], TENSOR_POISON);
    free(mine);
}
