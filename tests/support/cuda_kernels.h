/* cuda_kernels.h - small kernels with one fault each, to see that the emulator reports it, and one matrix product. */
#ifndef CUDA_KERNELS_H
#define CUDA_KERNELS_H
#ifdef __cplusplus
extern "C" {
#endif
enum { CUDA_BROKEN = 18 };
/* Runs kernel `which`; returns a part of what the emulator must report, or NULL if there is nothing to report. */
const char *cuda_broken_run(int which);
/* got = A B + C by one mma; B is read by ldmatrix from its transpose, or `transposed` by it from B itself. */
void cuda_one_product(double got[16][8], double A[16][16], double B[16][8], double C[16][8], int transposed);
#ifdef __cplusplus
}
#endif
#endif
