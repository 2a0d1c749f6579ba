/* SPDX-License-Identifier: GPL-3.0-or-later
 * numbers.h - matrices modulo a prime, and a table for each opaque function: an evaluator that shares no code with
 * any arithmetic of the suite.  What is equal as expressions is equal here at every prime and every table; what is
 * equal here at a random prime is equal as expressions, but with a chance of less than 2^-50.                      */
#ifndef NUMBERS_H
#define NUMBERS_H
#include <stdbool.h>
#include <stdint.h>
#include "numerics/arith.h"

enum { MOST_NUMBERS = 8 };                                  /* rows, and columns                                 */
typedef struct { long rows, cols; uint64_t x[MOST_NUMBERS * MOST_NUMBERS]; } numbers;

/* The field and the tables: a prime of 61 bits, and a key of all hashes.  At first 2^61 - 1 and 0. */
void numbers_modulo(uint64_t prime, uint64_t key);

uint64_t mod_mul(uint64_t a, uint64_t b);
uint64_t mod_add(uint64_t a, uint64_t b);
uint64_t mod_sub(uint64_t a, uint64_t b);
uint64_t mod_inverse(uint64_t a);                           /* a != 0                                            */
uint64_t mod_dyadic(int64_t m, long e);                     /* m 2^e                                             */
uint64_t hash(uint64_t a, uint64_t b, uint64_t c, uint64_t d);

/* A counter that is mixed (SplitMix64): the same everywhere. */
void     random_start(uint64_t seed);
uint64_t next_random(void);
long     below(long n);                                     /* 0 .. n - 1                                        */

uint64_t num_value(const numbers *A, long i, long j);
numbers num_draw(uint64_t name, long rows, long cols);
numbers num_constant(long rows, long cols, uint64_t diagonal, uint64_t other);
numbers num_mul(const numbers *A, const numbers *B);
numbers num_turn(const numbers *A);                         /* the transpose                                     */
numbers num_entrywise(const numbers *A, const numbers *B, uint64_t (*f)(uint64_t, uint64_t));
numbers num_scale_rows(const numbers *g, const numbers *A); /* diag(g) A                                         */
bool    num_inv(numbers *C, numbers A);                     /* false: singular                                   */
/* Rows ai.. and columns aj.. of A (r x c) as the block at (ci, cj) of zeros (rows x cols). */
numbers num_block(long rows, long cols, long ci, long cj, const numbers *A, long ai, long aj, long r, long c);
/* Functions of the entry or the visible part of the row, and of where they stand; `where` says place and parameters. */
numbers num_phi(const numbers *A, activation kind, uint64_t where);
numbers num_rowmap(const numbers *A, rowmap_kind kind, const unsigned char *visible, uint64_t where);
numbers num_norm(const numbers *A, norm_kind kind, uint64_t where);
/* Row t, columns (2i, 2i+1), by the t-th power of a rational rotation for the frequency 2i/cols. */
numbers num_rotate(const numbers *A);
bool    num_equal(const numbers *A, const numbers *B);
#endif
