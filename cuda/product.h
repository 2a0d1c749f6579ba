/* product.h - matrix products on the device, one or a batch of them over sequences and heads.  What describes one
 * needs no header of CUDA, so that it is tested on machines that have none. */
#ifndef CUDA_PRODUCT_H
#define CUDA_PRODUCT_H
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

/* C = alpha op(A) op(B) + beta D for every sequence and head; strides between them count numbers.  A and B have
 * the type `in`, C and D `out`.  Row-major, all leading dimensions given. */
typedef enum { F32, BF16 } number_type;
typedef struct { long row, sequence, head; } strides;
typedef struct {
    bool        tA, tB, tf32;
    number_type in, out;
    long        M, N, K, sequences, heads;
    double      alpha, beta;
    const void *A, *B, *D;
    void       *C;
    strides     a, b, c;                 /* D lies as C does                                             */
} product;

void product_run  (const product *p);    /* cuBLASLt's, or the plain one for what that does not take      */
bool product_lt   (const product *p);    /* false: no algorithm; nothing has happened                     */
void product_plain(const product *p);    /* our own kernel: any shape and alignment, in float             */
#ifdef __cplusplus
}
#endif
#endif
