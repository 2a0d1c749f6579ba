/* SPDX-License-Identifier: GPL-3.0-or-later
 * cudnn_check.c - builds the attention graphs for an H100 and an H200 without a GPU and asks cuDNN for engines.
 *
 * The device is a JSON description (public figures of the cards; sm_90).  libcuda.so.1 is the toolkit's stub: the
 * machine code of a plan is generated and compiled, and only loading it fails.  Run by `make cudnn-check`.
 * Exit status 0: all as expected; 1: not; 77: no cuDNN here.                                                 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/attn_cudnn.h"

static const char *const H200 =
    "{\"maxGridSize\":[2147483647,65535,65535],\"maxBlockSize\":[1024,1024,64],\"regsPerBlock\":65536,"
    "\"multiProcessorCount\":132,\"warpSize\":32,\"maxSharedMemoryPerBlock\":49152,\"maxSharedMemoryPerBlockOptin\":232448,"
    "\"reservedSharedMemoryPerBlock\":1024,\"maxRegistersPerSM\":65536,\"maxCtasPerSM\":32,\"maxThreadsPerBlock\":1024,"
    "\"maxThreadsPerSM\":2048,\"pciDeviceId\":9013,\"isTccDriver\":0,\"supportCoopLaunch\":1,\"smClockRateKHz\":1980000,"
    "\"memClockRateKHz\":3201000,\"l2CacheSize\":52428800,\"deviceName\":\"NVIDIA H200\",\"cudaDeviceId\":0,\"deviceVer\":900,"
    "\"driverVer\":13000,\"totalGlobalMem\":150109880320}";

static heads strides(long row, long head) { return (heads){ NULL, row, head }; }

static int failures;

static void expect(bool back, long B, long T, long H, long D, bool causal, int parts, int want_nodes, bool wanted)
{
    const attn_shape s = { .B = B, .T = T, .H = H, .D = D, .scale = 1 / sqrt((double)D), .causal = causal };
    const heads packed = strides(parts * H * D, D), thin = strides(H * D, D), Q = parts == 3 ? packed : thin;
    const attn_cudnn_layout at = { Q, packed, packed, thin, thin, Q, packed, packed };
    int nodes, compiled;
    const int offers = attn_cudnn_try(H200, back, &s, &at, &nodes, &compiled);
    const bool good = wanted ? offers > 0 && compiled > 0 && nodes == want_nodes : offers == 0 || compiled == 0;
    failures += !good;
    printf("%s %s B %ld T %ld H %ld D %ld %s inside (B,T,%d,H,D): %d nodes, %d engine configurations, %d compiled%s%s\n",
           good ? "ok  " : "FAIL", back ? "backward" : "forward ", B, T, H, D, causal ? "causal" : "open  ", parts, nodes,
           offers, compiled, !wanted || !good ? "; " : "", !wanted || !good ? attn_cudnn_why() : "");
}

int main(void)
{
    int nodes, compiled;
    const attn_shape s = { .B = 1, .T = 64, .H = 1, .D = 64, .scale = 1, .causal = true };
    const heads x = strides(64, 64);
    const attn_cudnn_layout at = { x, x, x, x, x, x, x, x };
    if (!attn_cudnn_try(H200, false, &s, &at, &nodes, &compiled) && nodes == 0) {
        printf("cudnn-check: skipped: %s\n", attn_cudnn_why());
        return 77;
    }
    for (int back = 0; back < 2; back++) {
        expect(back, 24, 1024, 12, 64, true, 3, back ? 21 : 14, true);
        expect(back, 64, 1024, 12, 64, true, 2, back ? 21 : 14, true);
        expect(back, 12, 1024, 12, 128, true, 3, back ? 21 : 14, true);
        expect(back, 8, 64, 4, 16, false, 3, back ? 17 : 10, true);
        expect(back, 8, 17, 3, 64, false, 3, back ? 17 : 10, true);
        expect(back, 8, 17, 3, 64, true, 3, back ? 21 : 14, true);
        expect(back, 8, 64, 1, 62, true, 3, 0, false);
        expect(back, 8, 64, 1, 60, false, 3, 0, false);
        expect(back, 8, 64, 4, 15, false, 3, 0, false);
    }
    printf("cudnn-check: %s\n", failures ? "FAILED" : "all graphs as expected");
    return failures > 0;
}
