/* SPDX-License-Identifier: GPL-3.0-or-later
 * fuzz.h - damaged input by the million: what is damaged, and a loop that starts no process for each. */
#ifndef FUZZ_H
#define FUZZ_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One damage of a text of n bytes, which depends on key and number alone: a byte, a word put in or over, a part taken out
 * or doubled.  Contract: n > 0, room for 40 bytes more.  Returns the new length. */
size_t fuzz_text(char *text, size_t n, const uint64_t key[2], uint64_t number);
/* One damage of binary data: a byte, or 4 or 8 bytes that become a number of the kind that overflows.  Within the first
 * `most` bytes; contract: most > 0, room for 8 bytes more. */
void   fuzz_bytes(char *bytes, size_t most, const uint64_t key[2], uint64_t number);

/* Executions from ... from + n - 1 of `run`, which says whether the input was taken, or calls die(): that is a refusal,
 * and the loop goes on.  A child makes a few thousand of them, and what a refusal leaves behind, memory, files, mappings,
 * ends with it, so none meets the remains of many.  A child that ends in any other way, by a sanitizer, a contract, a
 * signal or ten minutes of processor time, fails the test with the number of the execution.  Returns how many were
 * taken. */
typedef bool fuzz_run(void *with, uint64_t number);
uint64_t fuzz_loop(fuzz_run *run, void *with, uint64_t from, uint64_t n);

uint64_t fuzz_number(const char *variable, uint64_t usual);             /* of the environment */
#endif
