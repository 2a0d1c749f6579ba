/* SPDX-License-Identifier: GPL-3.0-or-later
 * ops.h - what a training backend can do: one table of operations; models are written on it.
 *
 * All tensors are row-major arrays in memory of the backend, of one of two kinds of number.  WIDE numbers are
 * weights, gradients, the optimizer's means, the residual stream and statistics of rows; ACT numbers are
 * activations: what products read.  On the CPU both are one type (float, or double in the reference); on a GPU
 * wide may be float and act bfloat16, the mixed precision of the papers' training.  Leading dimensions and strides
 * count numbers.  R = rows = B T: batch times positions.  Every operation runs in order, never allocates, and
 * gives the same bits for the same arguments and thread count.  A gradient argument marked += is added to, all
 * others are written.  Weights are stored as W (out x in), so that y = x W': matrices that read the same rows are
 * adjacent in memory and become one product.  Tokens (int32), losses (double) and images (bytes) are
 * in memory of the backend, too, moved by upload and download.                                             */
#ifndef TRAIN_OPS_H
#define TRAIN_OPS_H
#include "src/base/base.h"

typedef enum { ACTIVATION_GELU, ACTIVATION_RELU, ACTIVATION_KINDS } activation_kind;   /* GELU: y Phi(y) */
typedef enum { ACT, WIDE } number_kind;

/* Layout of heads in memory: row r, head a, coordinate c is p[r*row + a*head + c]; ACT. */
typedef struct { const void *p; long row, head; } heads;
typedef struct { void *p; long row, head; bool add; } heads_out;   /* add: accumulate, else write       */

typedef struct {                         /* attention: B sequences of T positions, H heads of D coordinates */
    long   B, T, H, D;
    double scale;                        /* softmax(scale q.k)                                          */
    bool   causal;
    size_t room;                         /* bytes that a call's `work` has; attn_work and attn_method do not read it */
} attn_shape;

typedef struct {                         /* AdamW (Loshchilov & Hutter 2019), decoupled decay           */
    double lr, beta1, beta2, eps, decay;
    double bias1, bias2;                 /* 1 - beta^t                                                  */
    double gradient;                     /* factor on the gradient: clipping                            */
    const size_t *edge;                  /* [edges], ascending, in memory of the backend: weights before the  */
    long   edges;                        /* first decay, those up to the next do not, and so on; none: all do */
} adamw_step;

typedef struct ops {
    const char *name;                    /* "cpu-f32", "cpu-f64", "cpu-bf16 METHOD"                     */
    const char *device;                  /* the GPU, its architecture and driver; NULL: the CPU         */
    size_t real, act;                    /* bytes of a wide number, of an act number                    */
    bool   counts;                       /* computes nothing, and has no memory: tally.h                */
    size_t logits;                       /* preferred number of logits at a time                         */
    size_t memory;                       /* the GPU's, in bytes; 0: the CPU                              */

    void *(*alloc)  (size_t bytes);                               /* zero; dies when there is no memory */
    void  (*release)(void *x);
    void  (*put)    (void *to, const double *from, size_t n);     /* to wide numbers, rounded to nearest */
    void  (*get)    (double *to, const void *from, size_t n);
    void  (*put_act)(void *to, const double *from, size_t n);
    void  (*get_act)(double *to, const void *from, size_t n);
    void  (*upload)   (void *to, const void *host, size_t bytes);   /* as they are                        */
    void  (*download)  (void *host, const void *from, size_t bytes);
    void  (*zero)   (void *x, size_t n);                          /* wide                               */
    void  (*copy)   (void *to, const void *from, size_t n);       /* wide                               */
    void  (*cast_to_act) (void *to, const void *from, size_t n);       /* act = wide, rounded                */
    /* Runs body(self), which calls only operations that neither read from nor write to the host, always with the same
     * arguments; a backend may record them as a graph at one call and replay it at the next ones.  *graph is NULL at
     * first; graph_free frees it. */
    void  (*graph_run) (void **graph, void (*body)(void *self), void *self);
    void  (*graph_free) (void **graph);

    /* C[M,N] = alpha op(A)[M,K] op(B)[K,N] + beta D;  A, B act; C, D of `kind`, both with ldc; D may be C, and NULL
     * when beta is 0.  alpha = 0: A and B are not read, whatever they hold */
    void  (*gemm)   (bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda,
                     const void *B, long ldb, double beta, const void *D, void *C, long ldc, number_kind kind);
    /* y = x W' + b [+ x0], rounded once; y[R,out], x[R,in], W[out,in], b[out] and x0, which may be y, all act.  This
     * slot may be NULL: then gemm and bias_fwd do it. */
    void  (*linear_fwd)(void *y, const void *x, const void *W, const void *b, const void *x0, long R, long out,
                        long in);
    /* y[r] = wte[tok[r]] + wpe[r mod T];  y[R,C], wte[V,C], wpe[T,C], all wide */
    void  (*embed_fwd)(void *y, const int32_t *tok, const void *wte, const void *wpe, long R, long T, long C);
    void  (*embed_bwd)(void *dwte, void *dwpe, const void *dy, const int32_t *tok, long R, long T, long C,
                       long V);                                                               /* += */
    void  (*add)    (void *y, const void *x, size_t n);                    /* y += x; y wide, x act */
    /* y[r] = (x[r] - mean) rstd g + b;  x[R,C] wide, y act; g, b[C] wide, b may be NULL; mean, rstd[R] wide are
     * saved for the backward pass */
    void  (*norm_fwd)(void *y, void *mean, void *rstd, const void *x, const void *g, const void *b,
                      long R, long C, double eps);
    /* dx, dg, db wide +=; dy act.  Where dx_act is not NULL, it becomes dx as it then is, rounded: cast_to_act */
    void  (*norm_bwd)(void *dx, void *dx_act, void *dg, void *db, const void *dy, const void *x, const void *mean,
                      const void *rstd, const void *g, long R, long C);
    void  (*activation_fwd)(void *y, const void *x, size_t n, activation_kind kind);                      /* act */
    void  (*activation_bwd)(void *dx, const void *dy, const void *x, size_t n,
                            activation_kind kind);                                /* act; dx may be dy */
    void  (*bias_fwd)(void *y, const void *b, long R, long C);             /* y[r] += b; y act, b wide */
    void  (*bias_bwd)(void *db, const void *dy, long R, long C);           /* db wide +=; dy act */
    /* O = softmax(scale Q K') V per sequence and head; lse[B,H,T] wide = log of the sum of exponentials */
    void  (*attn_fwd)(heads_out O, void *lse, heads Q, heads K, heads V, const attn_shape *s, void *work);
    void  (*attn_bwd)(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const void *lse,
                      heads Q, heads K, heads V, const attn_shape *s, void *work);
    size_t (*attn_work)(const attn_shape *s);   /* bytes of `work` for heads that begin at multiples of 16 bytes */
    /* How such heads are dealt with, "flash", and in *why, to be freed, why not as was asked, or NULL.  Not every
     * backend has several ways: this slot may be NULL. */
    const char *(*attn_method)(const attn_shape *s, char **why);
    /* loss[r] = -log softmax(logits[r])[target[r]]; logits (act) become factor (softmax - onehot) when factor is
     * not 0 */
    void  (*loss_fwdbwd)(void *logits, double *loss, const int32_t *target, long R, long V, double factor);
    /* top1[r] = 1 where the largest logit is the target's (the first of equal ones counts) */
    void  (*top1)(double *top1, const void *logits, const int32_t *target, long R, long V);
    void  (*mean_fwd)(void *y, const void *x, long B, long T, long C);     /* y[b] = mean x[b,t]; y act, x wide */
    void  (*mean_bwd)(void *dx, const void *dy, long B, long T, long C);   /* dx wide +=; dy act */
    void  (*select_token_fwd)(void *y, const void *x, long B, long T, long C, long t);   /* y[b] = x[b,t]; as above */
    void  (*select_token_bwd)(void *dx, const void *dy, long B, long T, long C, long t); /* dx wide +=; dy act */
    /* loss[r] = |p[r] - y[r]|^2, norm[r] = |y[r]|^2; p (act) becomes factor (p - y) when factor is not 0 */
    void  (*square_fwdbwd)(void *p, double *loss, double *norm, const void *y, long R, long C, double factor);
    /* row lead + k of image b is its patch k, left to right and down, pixels / 255; its first `lead` rows are 0;
     * y[B (lead + (side/patch)^2), patch patch channels] act, image[B, side, side, channels] bytes */
    void  (*patch_fwd)(void *y, const unsigned char *image, long B, long side, long channels, long patch, long lead);
    /* y[i] = standard normal number i of the Philox stream `key`, from block `counter` on, four to a block; act */
    void  (*randn)  (void *y, size_t n, const uint32_t key[2], uint64_t counter);
    double (*sumsq) (const void *x, size_t n);                    /* wide; in double, in a fixed order  */
    void  (*adamw)  (void *w, void *m, void *v, const void *g, size_t n, const adamw_step *s);   /* wide */
} ops;

const ops *ops_cpu_f32(void);            /* OpenBLAS and OpenMP, float                                  */
const ops *ops_cpu_f64(void);            /* the same source in double: the reference                    */
const ops *ops_cpu_bf16(void);           /* cpu-f32 with matrix products of bfloat16 numbers: cpu/bf16.h  */

/* Wide number x + n, act number x + n of a tensor of o; x may be NULL when n is 0. */
static inline void *at    (const ops *o, const void *x, size_t n) { return (char *)(uintptr_t)x + n * o->real; }
static inline void *at_act(const ops *o, const void *x, size_t n) { return (char *)(uintptr_t)x + n * o->act; }
static inline void *alloc_wide(const ops *o, size_t n) { return o->alloc(n * o->real); }
static inline void *alloc_act (const ops *o, size_t n) { return o->alloc(n * o->act); }
#endif
