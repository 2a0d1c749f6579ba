/* random.h - counter-based random numbers, the same on every machine.
 *
 * SipHash-2-4 (Aumasson & Bernstein 2012) is the one source: a value is a hash of what it is for
 * (seed, stream, matrix name, entry), so that any trial replays alone, and a control sees the
 * same weights as its claim.  Integer arithmetic only: no libm, no platform. */
#ifndef RANDOM_H
#define RANDOM_H
#include "src/base/base.h"
#include "numerics/arith.h"

uint64_t random_siphash(const uint64_t key[2], const void *data, size_t n);
/* A hash of the words that depends on all of them; for keys and oracles. */
uint64_t random_siphash_words(const uint64_t key[2], size_t n, const uint64_t *word);
void     random_key_derive(uint64_t out[2], const uint64_t key[2], const char *name);
/* Another key for each list of words: 128 bits, so that collisions are rarer than those among residues. */
void     random_key_salt(uint64_t out[2], const uint64_t key[2], size_t n, const uint64_t *word);

uint64_t random_below(const uint64_t key[2], uint64_t counter, uint64_t bound);  /* uniform, by rejection */
/* 8-bit Gaussian: the eight bytes of a hash summed (Irwin-Hall), centred, standard deviation 32,
 * clipped to [-127, 127]. */
int64_t  random_gauss8(const uint64_t key[2], uint64_t counter);

/* Fill m[rows*cols] and *e so that the drawn matrix is m_ij 2^e; includes corner shapes. */
void     random_dyadic(int64_t *m, long *e, long rows, long cols, const drawing *how);
/* The `draw` slot of every backend that holds dyadic numbers: random_dyadic, then set_dyadic. */
void     random_draw(mat *C, const drawing *how);
#endif
