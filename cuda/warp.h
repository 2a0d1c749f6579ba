/* SPDX-License-Identifier: GPL-3.0-or-later
 * warp.h - the instructions that the kernels of attention are made of.
 *
 * Fragments of a warp's product D[16,8] = A[16,16] B[16,8] + C (PTX ISA, "Matrix Fragments for mma.m16n8k16"), lane
 * l = 4 g + t, pairs of bf16 in a register with the lower column (for B: row) in the lower half:
 *   A  register 0: row g, columns 2t, 2t+1;  1: row g+8;  2: row g, columns 2t+8, 2t+9;  3: row g+8, these
 *   B  register 0: rows 2t, 2t+1 of column g;  1: rows 2t+8, 2t+9
 *   C  numbers 0, 1: row g, columns 2t, 2t+1;  2, 3: row g+8
 * ldmatrix reads four 8 x 8 matrices of 16-bit numbers: lane l gives the address of row l % 8 of matrix l / 8;
 * register j of lane 4 g + t then has the numbers (g, 2t), (g, 2t+1) of matrix j; transposed: (2t, g), (2t+1, g).
 * So two registers of C, rounded and packed, are one register of A: products chain without shared memory.   */
#ifndef CUDA_WARP_H
#define CUDA_WARP_H
#include <stdint.h>
#include "cuda/bf16.h"
#include "cuda/launch.h"

#define INSTRUCTION static __device__ __forceinline__

INSTRUCTION unsigned char *dynamic_shared(void)
{
    extern __shared__ __align__(128) unsigned char dynamic_bytes[];
    return dynamic_bytes;
}
INSTRUCTION unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

INSTRUCTION uint4  load_16 (const void *p)            { return *(const uint4 *)p; }          /* global memory */
INSTRUCTION float  load_f32(const float *p)           { return *p; }
INSTRUCTION float2 load_f32x2(const float2 *p)        { return *p; }
INSTRUCTION void   store_16 (void *p, uint4 x)        { *(uint4 *)p = x; }
INSTRUCTION void   store_f32(float *p, float x)       { *p = x; }
INSTRUCTION void   store_f32x2(float2 *p, float2 x)   { *p = x; }
INSTRUCTION uint4  shared_load_16(const void *p)      { return *(const uint4 *)p; }
INSTRUCTION float4 shared_load_f32x4(const void *p)   { return *(const float4 *)p; }
INSTRUCTION void   shared_store_4(void *p, uint32_t x) { *(uint32_t *)p = x; }

/* Copies 16 or 8 bytes to shared memory, later; zeros when not `valid` (`from` is not read then). */
INSTRUCTION void copy_async_16(void *to, const void *from, bool valid)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :: "r"(shared_address(to)), "l"(from), "r"(valid ? 16 : 0) : "memory");
}
INSTRUCTION void copy_async_8(void *to, const void *from, bool valid)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;"
                 :: "r"(shared_address(to)), "l"(from), "r"(valid ? 8 : 0) : "memory");
}
INSTRUCTION void copy_commit(void) { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int GROUPS> INSTRUCTION void copy_wait(void)   /* until only the last GROUPS groups are under way */
{
    asm volatile("cp.async.wait_group %0;" :: "n"(GROUPS) : "memory");
}

INSTRUCTION void ldmatrix(uint32_t (&r)[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(row)) : "memory");
}
INSTRUCTION void ldmatrix_transposed(uint32_t (&r)[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(row)) : "memory");
}
INSTRUCTION void mma_bf16(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)      /* c += a b */
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
INSTRUCTION uint32_t pack_bf16(float low, float high)                        /* each to nearest, ties to even */
{
    uint32_t both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}
INSTRUCTION float exp2_fast(float x)                                         /* relative error below 2^-22 */
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

INSTRUCTION float bf16_low (uint32_t both) { return __uint_as_float(both << 16); }
INSTRUCTION float bf16_high(uint32_t both) { return __uint_as_float(both & 0xffff0000u); }
INSTRUCTION int   lane_index(void) { return (int)(threadIdx.x % 32); }
INSTRUCTION int   warp_index(void) { return (int)(threadIdx.x / 32); }
#endif
