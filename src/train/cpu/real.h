/* SPDX-License-Identifier: GPL-3.0-or-later
 * real.h - the type of the CPU backend: its files are compiled twice, for float and for double. */
#ifndef CPU_REAL_H
#define CPU_REAL_H
#include "src/train/formula.h"
#include "src/train/ops.h"
#include "src/base/vector.h"

/* The formulas in this file's type, and the names of all that a file of this folder exports. */
#ifdef REAL_IS_DOUBLE
typedef double real;
static inline real exp_nonpositive(real x)              { return exp_nonpositive_f64(x); }
static inline real log_from_one(real x)                 { return log_from_one_f64(x); }
static inline real gelu(real y)                         { return gelu_f64(y); }
static inline real dgelu(real y)                        { return dgelu_f64(y); }
static inline real score_slope(real P, real dP, real delta, real scale) { return score_slope_f64(P, dP, delta, scale); }
static inline void two_normals(real out[2], uint32_t a, uint32_t b) { normal_pair(out, a, b); }
#define ops_cpu             ops_cpu_f64
#define cpu_fill_memory     cpu_fill_memory_f64
#define cpu_fill_product    cpu_fill_product_f64
#define cpu_fill_embed      cpu_fill_embed_f64
#define cpu_fill_norm       cpu_fill_norm_f64
#define cpu_fill_activation cpu_fill_activation_f64
#define cpu_fill_rows       cpu_fill_rows_f64
#define cpu_fill_attn       cpu_fill_attn_f64
#define cpu_fill_loss       cpu_fill_loss_f64
#define cpu_fill_optim      cpu_fill_optim_f64
#define cpu_fill_image      cpu_fill_image_f64
#define cpu_fill_random     cpu_fill_random_f64
#define tile_kernels        tile_kernels_f64
#define tile_best           tile_best_f64
#define pack_panel          pack_panel_f64
#define norm_sets           norm_sets_f64
#define tile_pack           tile_pack_f64
#define tile_product        tile_product_f64
#else
typedef float real;
static inline real exp_nonpositive(real x)              { return exp_nonpositive_f32(x); }
static inline real log_from_one(real x)                 { return log_from_one_f32(x); }
static inline real gelu(real y)                         { return gelu_f32(y); }
static inline real dgelu(real y)                        { return dgelu_f32(y); }
static inline real score_slope(real P, real dP, real delta, real scale) { return score_slope_f32(P, dP, delta, scale); }
static inline void two_normals(real out[2], uint32_t a, uint32_t b) { normal_pair_f32(out, a, b); }
#define ops_cpu             ops_cpu_f32
#define cpu_fill_memory     cpu_fill_memory_f32
#define cpu_fill_product    cpu_fill_product_f32
#define cpu_fill_embed      cpu_fill_embed_f32
#define cpu_fill_norm       cpu_fill_norm_f32
#define cpu_fill_activation cpu_fill_activation_f32
#define cpu_fill_rows       cpu_fill_rows_f32
#define cpu_fill_attn       cpu_fill_attn_f32
#define cpu_fill_loss       cpu_fill_loss_f32
#define cpu_fill_optim      cpu_fill_optim_f32
#define cpu_fill_image      cpu_fill_image_f32
#define cpu_fill_random     cpu_fill_random_f32
#define tile_kernels        tile_kernels_f32
#define tile_best           tile_best_f32
#define pack_panel          pack_panel_f32
#define norm_sets           norm_sets_f32
#define tile_pack           tile_pack_f32
#define tile_product        tile_product_f32
#endif

/* Loops over elements are VECTOR_CLONES.  No contraction and no reordering: the bits do not depend on the choice.
 * (-fno-math-errno, for the whole folder: without errno roots are vectors, too.) */

/* Operations on fewer numbers, and products of fewer multiply-adds, are done by the thread that asks for them: some
 * tens of microseconds, in which to wake others pays little on an idle machine and costs much on a busy one.  So a
 * tiny model runs on one thread, whatever OMP_NUM_THREADS says. */
enum { FORK_NUMBERS = 1 << 15 };
#define FORK_PRODUCTS 2e6

/* Each file fills its slots. */
void cpu_fill_memory(ops *o);
void cpu_fill_product(ops *o);
void cpu_fill_embed(ops *o);
void cpu_fill_norm(ops *o);
void cpu_fill_activation(ops *o);
void cpu_fill_rows(ops *o);
void cpu_fill_attn(ops *o);
void cpu_fill_loss(ops *o);
void cpu_fill_optim(ops *o);
void cpu_fill_image(ops *o);
void cpu_fill_random(ops *o);
#endif
