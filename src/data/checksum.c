/* SPDX-License-Identifier: GPL-3.0-or-later
 * checksum.c - see checksum.h. */
#include <nettle/sha2.h>
#include "src/data/checksum.h"
#include "src/base/file.h"

static bool add_file(struct sha256_ctx *state, const char *path)
{
    FILE *f = file_open(path);
    if (!f) return false;
    static _Thread_local uint8_t bytes[1 << 16];
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;) sha256_update(state, n, bytes);
    const bool good = !ferror(f);
    fclose(f);
    return good;
}

static void finish(struct sha256_ctx *state, char hex[SHA256_HEX])
{
    uint8_t sum[SHA256_DIGEST_SIZE];
    sha256_digest(state, sizeof sum, sum);
    for (size_t i = 0; i < sizeof sum; i++) snprintf(hex + 2 * i, 3, "%02x", sum[i]);
}

bool checksum_sha256_of(const char *const *path, long n, char hex[SHA256_HEX])
{
    struct sha256_ctx state;
    sha256_init(&state);
    for (long k = 0; k < n; k++)
        if (!add_file(&state, path[k])) return false;
    finish(&state, hex);
    return true;
}

void checksum_sha256_bytes(const void *at, size_t n, char hex[SHA256_HEX])
{
    struct sha256_ctx state;
    sha256_init(&state);
    sha256_update(&state, n, at);
    finish(&state, hex);
}

bool checksum_sha256(const char *path, char hex[SHA256_HEX])
{
    return checksum_sha256_of(&path, 1, hex);
}
