/* real.h - the type of the CPU backend: its files are compiled twice, for float and for double. */
#ifndef NN_REAL_H
#define NN_REAL_H
#include "src/train/formula.h"
#include "src/train/ops.h"

#ifdef REAL_IS_DOUBLE
typedef double real;
#define ops_cpu         ops_cpu_f64
#define cpu_fill_linear cpu_fill_linear_f64
#define cpu_fill_rows   cpu_fill_rows_f64
#define cpu_fill_attn   cpu_fill_attn_f64
#define cpu_fill_loss   cpu_fill_loss_f64
#define cpu_fill_image  cpu_fill_image_f64
#define cpu_fill_random cpu_fill_random_f64
#define cpu_gemm        cpu_gemm_f64
#define exp_nonpositive exp_nonpositive_f64
#define gelu            gelu_f64
#define dgelu           dgelu_f64
#define normed          normed_f64
#define norm_slope      norm_slope_f64
#define score_slope     score_slope_f64
#define two_normals     normal_pair
#else
typedef float real;
#define ops_cpu         ops_cpu_f32
#define cpu_fill_linear cpu_fill_linear_f32
#define cpu_fill_rows   cpu_fill_rows_f32
#define cpu_fill_attn   cpu_fill_attn_f32
#define cpu_fill_loss   cpu_fill_loss_f32
#define cpu_fill_image  cpu_fill_image_f32
#define cpu_fill_random cpu_fill_random_f32
#define cpu_gemm        cpu_gemm_f32
#define exp_nonpositive exp_nonpositive_f32
#define gelu            gelu_f32
#define dgelu           dgelu_f32
#define normed          normed_f32
#define norm_slope      norm_slope_f32
#define score_slope     score_slope_f32
#define two_normals     normal_pair_f32
#endif

/* Loops over elements are compiled for several vector widths and chosen when the program starts.  No
 * contraction and no reordering: the bits do not depend on the choice.  (-fno-math-errno, for the
 * whole folder: without errno roots are vectors, too.) */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define WIDE
#endif

/* Each file fills its slots. */
void cpu_fill_linear(ops *o);
void cpu_fill_rows  (ops *o);
void cpu_fill_attn  (ops *o);
void cpu_fill_loss  (ops *o);
void cpu_fill_image (ops *o);
void cpu_fill_random(ops *o);
void cpu_gemm(bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda,
              const void *B, long ldb, double beta, void *C, long ldc);
#endif
