/* checksum.c - see checksum.h. */
#include <nettle/sha2.h>
#include "src/data/checksum.h"

bool checksum_sha256(const char *path, char hex[SHA256_HEX])
{
    FILE *f = fopen(path, "rb");
    if (!f) return false;
    struct sha256_ctx state;
    sha256_init(&state);
    static _Thread_local uint8_t bytes[1 << 16];
    uint8_t sum[SHA256_DIGEST_SIZE];
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;) sha256_update(&state, n, bytes);
    const bool good = !ferror(f);
    fclose(f);
    sha256_digest(&state, sizeof sum, sum);
    for (size_t i = 0; i < sizeof sum; i++) snprintf(hex + 2 * i, 3, "%02x", sum[i]);
    return good;
}
