/* SPDX-License-Identifier: GPL-3.0-or-later
 * tensors.c - see weights.h: the list of tensors, and their numbers. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/weights.h"
#include "src/data/safetensors.h"

static numbers_type numbers_of(const char *type)
{
    static const char *const name[] = { [NUMBERS_F32] = "F32", [NUMBERS_F64] = "F64", [NUMBERS_F16] = "F16",
                                        [NUMBERS_BF16] = "BF16" };
    for (size_t k = 1; k < COUNT(name); k++) if (strcmp(type, name[k]) == 0) return (numbers_type)k;
    return block_type_of(type) ? NUMBERS_QUANTISED : NUMBERS_OTHER;
}

weight_tensor *weights_add(weights *w, const char *name, const char *type, int rank, const long *shape, long file,
                           size_t from, size_t bytes)
{
    REQUIRE(rank >= 0 && rank <= WEIGHT_RANK && from + bytes <= w->file[file].bytes, "tensor %s", name);
    if (w->tensors % 256 == 0) w->tensor = must_realloc(w->tensor, (size_t)w->tensors + 256, sizeof *w->tensor);
    weight_tensor *t = &w->tensor[w->tensors++];
    *t = (weight_tensor){ .name = must_strdup(name), .numbers = numbers_of(type), .blocks = block_type_of(type),
                          .rank = rank, .n = 1, .bytes = bytes, .at = w->file[file].at + from, .file = file,
                          .path = w->file[file].path, .layer = -1 };
    snprintf(t->type, sizeof t->type, "%s", type);
    for (int k = 0; k < rank; k++) t->n *= (size_t)(t->shape[k] = shape[k]);
    return t;
}

unsigned char *weights_own(weights *w, size_t bytes)
{
    w->own = must_realloc(w->own, (size_t)w->owns + 1, sizeof *w->own);
    return w->own[w->owns++] = must_calloc(bytes, 1);
}

void weights_note(weights *w, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    w->note = must_realloc(w->note, (size_t)w->notes + 1, sizeof *w->note);
    w->note[w->notes++] = must_strdup(text);
}

bool weights_of_class(const weights *w)
{
    return strcmp(w->format, "safetensors") == 0 || strcmp(w->format, "PyTorch") == 0;
}

const weight_tensor *weights_find(const weights *w, const char *name)
{
    long from = 0, to = w->tensors;
    while (from < to) {
        const long k = (from + to) / 2;
        const int order = strcmp(name, w->tensor[k].name);
        if (order == 0) return &w->tensor[k];
        if (order < 0) to = k;
        else from = k + 1;
    }
    return NULL;
}

void weight_numbers(const weight_tensor *t, size_t from, size_t n, double *x)
{
    static const size_t size[] = { [NUMBERS_F32] = 4, [NUMBERS_F64] = 8, [NUMBERS_F16] = 2, [NUMBERS_BF16] = 2 };
    REQUIRE(t->numbers != NUMBERS_OTHER && from <= t->n && n <= t->n - from, "%zu numbers of %s", n, t->name);
    if (t->numbers == NUMBERS_QUANTISED) {
        quantised_numbers(t->blocks, t->at, from, n, x);
        return;
    }
    const unsigned char *at = t->at + from * size[t->numbers];         /* need not be aligned */
    switch (t->numbers) {
    case NUMBERS_F64: memcpy(x, at, n * sizeof *x); return;
    case NUMBERS_F32:
        #pragma omp simd
        for (size_t k = 0; k < n; k++) {
            float single;
            memcpy(&single, at + 4 * k, 4);
            x[k] = (double)single;
        }
        return;
    case NUMBERS_BF16:                                   /* the upper half of a float: safetensors_brain */
        #pragma omp simd
        for (size_t k = 0; k < n; k++) {
            uint16_t half;
            float single;
            memcpy(&half, at + 2 * k, 2);
            const uint32_t bits = (uint32_t)half << 16;
            memcpy(&single, &bits, 4);
            x[k] = (double)single;
        }
        return;
    default:
        for (size_t k = 0; k < n; k++) {
            uint16_t bits;
            memcpy(&bits, at + 2 * k, 2);
            x[k] = (double)safetensors_half(bits);
        }
    }
}
