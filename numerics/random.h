/* SPDX-License-Identifier: GPL-3.0-or-later
 * random.h - counter-based random numbers, the same on every machine.
 *
 * Every value is a SipHash-2-4 (Aumasson & Bernstein 2012) of what it is for (seed, stream, matrix name, entry), so
 * that any trial can be replayed alone, and a control has the same weights as its claim.  Integer arithmetic only: the
 * values depend on no libm and no platform. */
#ifndef RANDOM_H
#define RANDOM_H
#include "numerics/ring.h"
#include "src/base/base.h"

uint64_t random_siphash(const uint64_t key[2], const void *data, size_t n);
/* The same of n words, in this order. */
uint64_t random_siphash_words(const uint64_t key[2], size_t n, const uint64_t *word);
void     random_key_derive(uint64_t out[2], const uint64_t key[2], const char *name);
/* Another key for each list of words: 128 bits, so that keys collide less often than residues do. */
void     random_key_salt(uint64_t out[2], const uint64_t key[2], size_t n, const uint64_t *word);

uint64_t random_below(const uint64_t key[2], uint64_t counter, uint64_t bound);  /* uniform, by rejection */
/* The same of one key for ever, named by two numbers: a constant, which depends on no seed and is no draw. */
uint64_t random_constant(uint64_t first, uint64_t second, uint64_t counter, uint64_t bound);
/* Has anything but constants been drawn, or a key been made for it, since random_forget: on any thread, in any scope,
 * by whatever function? */
bool     random_drew(void);
void     random_forget(void);
/* 8-bit Gaussian: the eight bytes of a hash summed (Irwin-Hall), centred, standard deviation 32,
 * clipped to [-127, 127]. */
int64_t  random_gauss8(const uint64_t key[2], uint64_t counter);

/* The same with 24 significant bits and a standard deviation of 2^35, less than 2^37 in size: an fp32 number times a
 * power of 2.  Four uniform numbers of 16 bits summed, and 20 bits below them. */
int64_t  random_gauss24(const uint64_t key[2], uint64_t counter);

/* to[k] for k < n: random_below(key, first + k, bound), random_gauss8(key, first + k) and random_gauss24(key, first +
 * k), several at a time. */
void random_below_run  (uint64_t *to, const uint64_t key[2], uint64_t first, long n, uint64_t bound);
void random_gauss8_run (int64_t *to, const uint64_t key[2], uint64_t first, long n);
void random_gauss24_run(int64_t *to, const uint64_t key[2], uint64_t first, long n);
/* What they are made of: the numbers that a hash becomes; the bits in which numbers below `bound` are drawn; hashes of
 * one word, or of two where with_attempt, n a multiple of 16. */
int64_t  random_gauss8_of (uint64_t hash);
int64_t  random_gauss24_of(uint64_t hash);
uint64_t random_mask(uint64_t bound);
void     random_note(void);               /* for random_run.c: something is drawn                          */
void     random_hashes(uint64_t *to, const uint64_t key[2], const uint64_t *counter, bool with_attempt,
                       uint64_t attempt, long n);

/* The number of entry (i, j) of a drawn matrix that has `cols` columns. */
uint64_t random_number(const drawing *how, long cols, long i, long j);
/* Fill m[rows*cols] and *e so that the drawn matrix is m_ij 2^e; includes corner shapes. */
void     random_dyadic(int64_t *m, long *e, long rows, long cols, const drawing *how);
/* The `draw` slot of every backend that holds dyadic numbers: random_dyadic, then set_dyadic. */
void     random_draw(mat *C, const drawing *how);
#endif
