/* cuda_kernels.cu - two warps a block; thread i has word i of shared memory and of y, in blocks of 64. */
#include "cuda/warp.h"
#include "tests/support/cuda_kernels.h"

typedef unsigned char byte;

enum { FINE, NO_BARRIER, NEVER_WRITTEN, OUTSIDE, NOT_ALIGNED, READ_ONLY, TWO_BLOCKS, OTHERS_WORK, TOO_EARLY,
       OVERWRITTEN, DIVERGED, MISSED_BARRIER, NOT_WAITED, IN_A_WARP, ORDERED_IN_A_WARP, WRITTEN_TWICE, OUTSIDE_SHARED,
       WRITTEN_AFTER_READ };

__global__ void broken(int which, float *y, const float *x, const bool skip)
{
    byte *s = dynamic_shared();
    const int i = (int)threadIdx.x, n = 64;
    float *mine = y + (int)blockIdx.x * n + i;
    switch (which) {
    case FINE: case NO_BARRIER:
        for (int round = 0; round < 2; round++) {
            shared_store_4(s + 4 * i, (uint32_t)(i + round));
            if (which != NO_BARRIER) __syncthreads();
            const uint4 other = shared_load_16(s + 4 * ((i + 32) % n / 4 * 4));
            store_f32(mine, (float)other.x);
            __syncthreads();
        }
        break;
    case OVERWRITTEN:
        if (i < 32) shared_store_4(s + 4 * i, 1);
        __syncthreads();
        if (i < 32) shared_load_16(s + 4 * (i / 4 * 4));                           /* by the first warp */
        else {
            shared_load_16(s);
            shared_store_4(s + 4 * (i - 32), 2);                                   /* by the second */
        }
        break;
    case NEVER_WRITTEN: if (i < 4) shared_load_16(s + 16 * i); break;
    case OUTSIDE:     load_f32(x + 64 + i); break;
    case NOT_ALIGNED: load_f32((const float *)((const char *)x + 2)); break;
    case READ_ONLY:   store_f32((float *)x + i, 1); break;
    case TWO_BLOCKS:  store_f32(y + i, 1); break;
    case OTHERS_WORK:
        store_f32(mine, 1);
        load_f32(y + (n * (int)blockIdx.x + n + i) % (2 * n));
        break;
    case TOO_EARLY: case NOT_WAITED:
        copy_async_16(s + 16 * i, x + 4 * (i % 16), true);
        copy_commit();
        if (which == TOO_EARLY) shared_load_16(s + 16 * i), copy_wait<0>();
        break;
    case DIVERGED:
        if (i % 2) __syncwarp();
        else (void)__shfl_xor_sync(~0u, 1.0f, 1);
        break;
    case MISSED_BARRIER: if (!skip || i != 5) __syncthreads(); break;
    case IN_A_WARP: case ORDERED_IN_A_WARP:
        shared_store_4(s + 4 * i, (uint32_t)i);
        if (which == ORDERED_IN_A_WARP) __syncwarp();
        shared_load_16(s + 4 * (i / 32 * 32 + (i + 7) % 32 / 4 * 4));
        break;
    case WRITTEN_TWICE:  shared_store_4(s + 4 * (i % 32), 1); break;
    case OUTSIDE_SHARED: shared_store_4(s + 1024 + 4 * i, 1); break;
    case WRITTEN_AFTER_READ:                            /* in order, nothing but the write can tell */
        if (i < 32) shared_store_4(s + 4 * i, 1);
        __syncthreads();
        if (i < 32) shared_load_16(s + 4 * (i / 4 * 4));
        else shared_store_4(s + 4 * (i - 32), 2);
        break;
    default: break;
    }
}

const char *cuda_broken_run(int which)
{
    alignas(16) static float x[64], y[128];
    static const char *const report[CUDA_BROKEN] = {
        NULL, "before it is written", "before it is written", "outside all buffers", "not aligned", "only read",
        "two blocks store", "another block", "under way", "race", "different instructions",
        "does not reach", "ends while its copies", "before it is written", NULL, "written twice", "outside shared",
        "race",
    };
    emulate_forget();
    emulate_buffer(x, sizeof x, false);
    emulate_buffer(y, sizeof y, true);
    LAUNCH(broken, 2, 64, 1024, nullptr, which, y, x, true);
    return report[which];
}

__global__ void one_product(float *got, const bf16 *A, const bf16 *B, const float *C, bool transposed)
{
    byte *a = dynamic_shared(), *b = a + 512;
    const int l = lane_index(), g = l / 4, t = l % 4;
    copy_async_16(a + 16 * l, A + 8 * l, true);
    if (l < 16) copy_async_16(b + 16 * l, B + 8 * l, true);
    copy_commit();
    copy_wait<0>();
    __syncthreads();
    uint32_t left[4], right[4];
    ldmatrix(left, a + 32 * (l % 16) + 16 * (l / 16));
    if (transposed) ldmatrix_transposed(right, b + 16 * (l % 16));                  /* B: 16 rows of 8 */
    else ldmatrix(right, b + 32 * (l % 8) + 16 * (l / 8 % 2));                      /* B': 8 rows of 16 */
    float c[4];
    for (int i = 0; i < 4; i++) c[i] = load_f32(C + 8 * (g + i / 2 * 8) + 2 * t + i % 2);
    mma_bf16(c, left, right[0], right[1]);
    for (int i = 0; i < 4; i++) store_f32(got + 8 * (g + i / 2 * 8) + 2 * t + i % 2, c[i]);
}

void cuda_one_product(double got[16][8], double A[16][16], double B[16][8], double C[16][8], int transposed)
{
    alignas(16) static bf16 a[256], b[128];
    static float c[128], y[128];
    for (int i = 0; i < 256; i++) a[i] = bf16{ (uint16_t)pack_bf16((float)A[i / 16][i % 16], 0) };
    for (int k = 0; k < 16; k++)
        for (int j = 0; j < 8; j++) b[transposed ? 8 * k + j : 16 * j + k] = bf16{ (uint16_t)pack_bf16((float)B[k][j], 0) };
    for (int i = 0; i < 128; i++) c[i] = (float)C[i / 8][i % 8];
    emulate_forget();
    emulate_buffer(a, sizeof a, false);
    emulate_buffer(b, sizeof b, false);
    emulate_buffer(c, sizeof c, false);
    emulate_buffer(y, sizeof y, true);
    LAUNCH(one_product, 1, 32, 1024, nullptr, y, a, b, c, transposed != 0);
    for (int i = 0; i < 128; i++) got[i / 8][i % 8] = (double)y[i];
}
