/* SPDX-License-Identifier: GPL-3.0-or-later
 * memory.h - all memory is allocated here (what libraries ask malloc and its kin for: allocator.c).  Where there is
 * none the program ends: die(). */
#ifndef MEMORY_H
#define MEMORY_H
#include "src/base/error.h"

void *must_calloc (size_t n, size_t size) MUST_USE;              /* n * size bytes of zeros  */
void *must_realloc(void *p, size_t n, size_t size) MUST_USE;     /* to n * size bytes        */
/* What the message tells the user to try, as in "a smaller --width": options that the program has.  The text stays
 * the caller's. */
void memory_advice(const char *what);
long memory_peak(void);                  /* the most that this process has had in memory so far, in MB (10^6 bytes) */
/* Blocks that are freed stay with the process, however large, instead of going back to the system page by page: for
 * programs that want the same large blocks again and again. */
void memory_keep(void);
/* For tests: allocation number `nth` from now (1 = the next) fails; 0 = none fails.
 * Returns the number of allocations made since the last call. */
uint64_t memory_fail_at(uint64_t nth);
/* `p`; where it is NULL the program ends, saying that so many bytes were wanted: for allocator.c. */
void *memory_checked(void *p, size_t bytes);
#endif
