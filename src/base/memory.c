/* SPDX-License-Identifier: GPL-3.0-or-later
 * memory.c - see memory.h. */
#include "src/base/memory.h"
#include <limits.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "src/base/error.h"

static uint64_t allocations, fail_nth;
static bool     counting;                /* for programs that never ask, it would be a tenth of their time */
static const char *advice = "something smaller, or end other programs";

void memory_advice(const char *what) { advice = what; }

void memory_keep(void)
{
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

uint64_t memory_fail_at(uint64_t nth)
{
    uint64_t made = allocations;
    allocations = 0;
    fail_nth = nth;
    counting = true;
    return made;
}

/* One thread says it; another that finds no memory meanwhile waits for the end of the process.  What the message itself
 * might want is refused. */
void *memory_checked(void *p, size_t bytes)
{
    static atomic_flag said;
    static _Thread_local bool saying;
    if (p || saying) return p;
    saying = true;
    while (atomic_flag_test_and_set(&said)) pause();
    die("out of memory (%zu bytes wanted); try %s", bytes, advice);
}

static size_t product(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        die("out of memory (%zu objects of %zu bytes wanted); try %s", n, size, advice);
    return bytes;
}

static bool refused(void)
{
    return counting && __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) == fail_nth;
}

/* Small blocks come from malloc: calloc of glibc before 2.41 passes by the blocks that a thread has just freed. */
static void *zeroed(size_t bytes)
{
    if (bytes > 1024) return calloc(1, bytes);
    void *p = malloc(bytes ? bytes : 1);
    return p ? memset(p, 0, bytes) : NULL;
}

void *must_calloc(size_t n, size_t size)
{
    const size_t bytes = product(n, size);
    return memory_checked(refused() ? NULL : zeroed(bytes), bytes);
}

void *must_realloc(void *p, size_t n, size_t size)
{
    const size_t bytes = product(n, size);
    return memory_checked(refused() ? NULL : realloc(p, bytes ? bytes : 1), bytes);
}

long memory_peak(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (long)((double)used.ru_maxrss * 1024 / 1e6);             /* Linux counts in units of 1024 bytes */
}
