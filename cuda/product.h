/* SPDX-License-Identifier: GPL-3.0-or-later
 * product.h - matrix products on the device: one, or a batch over sequences and heads.  The description of a product
 * needs no CUDA header, so it is tested on machines without CUDA. */
#ifndef CUDA_PRODUCT_H
#define CUDA_PRODUCT_H
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

/* C = alpha op(A) op(B) + beta D for every sequence and head; strides between them count numbers.  A and B have
 * the type `in`, C and D `out`.  Row-major, all leading dimensions given.  Where there is a bias, N numbers of the type
 * `out`, it is added to every row: of one product, not of a batch. */
typedef enum { F32, BF16 } number_type;
typedef struct { long row, sequence, head; } strides;
typedef struct {
    bool        tA, tB, tf32;
    number_type in, out;
    long        M, N, K, sequences, heads;
    double      alpha, beta;
    const void *A, *B, *D, *bias;        /* D where beta is not 0; bias or NULL                          */
    void       *C;
    strides     a, b, c;                 /* D has the strides of C                                       */
} product;

void product_run  (const product *p);    /* cuBLASLt, or product_plain where it declines                  */
bool product_lt   (const product *p);    /* cuBLASLt; false: it has no algorithm, nothing was launched    */
void product_own_only(void);             /* from now on product_run takes product_plain, for a sanitizer  */
void product_plain(const product *p);    /* our own kernel: any shape and alignment, in float             */
#ifdef __cplusplus
}
#endif
#endif
