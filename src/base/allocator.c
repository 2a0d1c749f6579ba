/* SPDX-License-Identifier: GPL-3.0-or-later
 * allocator.c - what the libraries ask for.
 *
 * Some of them end the program by a signal where there is no memory, some print less, some follow a null pointer: argp,
 * GMP, Jansson, OpenMP's threads.  The C library lets a program have its own functions; these never return without
 * memory.  Each of this project's programs is linked with them; libprovably.so is not, whose users keep their own.  A
 * sanitizer brings others. */
#include <malloc.h>
#include <stdlib.h>
#include "src/base/memory.h"

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ && defined __GLIBC__
extern void *__libc_malloc(size_t n), *__libc_calloc(size_t n, size_t size), *__libc_realloc(void *p, size_t n),
            *__libc_memalign(size_t to, size_t n);

void *malloc(size_t n)                      { return memory_checked(__libc_malloc(n), n); }
void *calloc(size_t n, size_t size)
{
    size_t bytes;
    return memory_checked(__libc_calloc(n, size), __builtin_mul_overflow(n, size, &bytes) ? SIZE_MAX : bytes);
}
void *memalign(size_t to, size_t n)         { return memory_checked(__libc_memalign(to, n), n); }
void *aligned_alloc(size_t to, size_t n)    { return memory_checked(__libc_memalign(to, n), n); }
int   posix_memalign(void **p, size_t to, size_t n)
{
    *p = memory_checked(__libc_memalign(to, n), n);
    return 0;
}
void *realloc(void *p, size_t n)
{
    void *moved = __libc_realloc(p, n);
    return n || !p ? memory_checked(moved, n) : moved;              /* realloc(p, 0) frees */
}
#endif
