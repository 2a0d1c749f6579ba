/* SPDX-License-Identifier: GPL-3.0-or-later
 * sha256.c - SHA-256, as FIPS 180-4 defines it: the names a .. h, W, T1 and T2 are of that standard. */
#include "src/proofcheck/proofcheck.h"

/* Section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes */
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotated(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
    uint32_t W[64];
    for (int t = 0; t < 16; t++, block += 4)
        W[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 | block[3];
    for (int t = 16; t < 64; t++) {
        const uint32_t u = W[t - 15], v = W[t - 2];
        W[t] = W[t - 16] + (rotated(u, 7) ^ rotated(u, 18) ^ u >> 3)
             + W[t - 7] + (rotated(v, 17) ^ rotated(v, 19) ^ v >> 10);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < 64; t++) {
        const uint32_t T1 = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + K[t] + W[t];
        const uint32_t T2 = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + T1;
        d = c;
        c = b;
        b = a;
        a = T1 + T2;
    }
    const uint32_t next[8] = { a, b, c, d, e, f, g, h };
    for (int k = 0; k < 8; k++) state[k] += next[k];
}

void sha256_begin(sha256 *h)
{
    *h = (sha256){ .state = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 } };
}

void sha256_add(sha256 *h, const void *text, size_t n)
{
    const unsigned char *p = text;
    for (; n > 0; n--) {
        h->block[h->bytes++ % 64] = *p++;
        if (h->bytes % 64 == 0) add_block(h->state, h->block);
    }
}

void sha256_end(sha256 *h, char hex[HASH_TEXT])
{
    const uint64_t bits = 8 * h->bytes;
    sha256_add(h, "\x80", 1);
    while (h->bytes % 64 != 56) sha256_add(h, "", 1);        /* zeros */
    for (int k = 56; k >= 0; k -= 8) sha256_add(h, &(unsigned char){ (unsigned char)(bits >> k) }, 1);
    for (int k = 0; k < 8; k++) snprintf(hex + 8 * k, 9, "%08x", (unsigned)h->state[k]);
}
