/* SPDX-License-Identifier: GPL-3.0-or-later
 * bf16_table.c - the CPU's table of operations with products of bfloat16 numbers: mixed precision.  Weights, gradients
 * and activations are floats, as in cpu-f32, whose other operations these are, attention among them: its products are
 * too small to gain from packing.  Operands of the slot `gemm` are rounded. */
#include <stdlib.h>
#include <string.h>
#include "src/train/cpu/bf16.h"

static bool always(void) { return true; }

static const bf16_method methods[] = {
    { "amx",    bf16_amx_usable,    always,           bf16_product_amx },
    { "avx512", bf16_avx512_usable, bf16_avx512_fast, bf16_product_avx512 },
    { "sgemm",  always,             always,           bf16_product_sgemm },
};

const bf16_method *bf16_method_at(size_t k) { return k < COUNT(methods) ? &methods[k] : NULL; }

const bf16_method *bf16_method_chosen(void)
{
    const char *named = getenv("PROVABLY_BF16");
    for (size_t k = 0; k < COUNT(methods); k++) {
        if (named && strcmp(named, methods[k].name) != 0) continue;
        if (methods[k].usable() && (named || methods[k].fast())) return &methods[k];
        if (named) die("PROVABLY_BF16=%s: this CPU or system cannot do it; unset it, or take sgemm", named);
    }
    die("PROVABLY_BF16 takes amx, avx512 or sgemm, not `%s`", named);
}

static const bf16_method *method;

static void product(bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda, const void *B,
                    long ldb, double beta, const void *D, void *C, long ldc, number_kind kind)
{
    (void)kind;
    method->product(tA, tB, M, N, K, alpha, A, lda, B, ldb, beta, D, C, ldc);
}

const ops *ops_cpu_bf16(void)
{
    static ops table;
    static char name[32];
    if (!table.name) {
        method = bf16_method_chosen();
        snprintf(name, sizeof name, "cpu-bf16 %s", method->name);
        table = *ops_cpu_f32();
        table.name = name;
        table.gemm = product;
    }
    return &table;
}
