/* SPDX-License-Identifier: GPL-3.0-or-later
 * memory.c - preloaded into a command: one of its allocations is refused, or that and all after it.
 *
 *   MEMORY_PARENT the process whose child it is meant for, whatever that executes
 *   MEMORY_OF     others: it is meant for the children of that child instead
 *   MEMORY_AT     which allocation, from 1; 0: none
 *   MEMORY_ON     1: those after it are refused, too
 *   MEMORY_TELL   a descriptor that is told `.` where one is refused, and at the end how many there were
 * Programs of the suite have a malloc of their own, which asks __libc_malloc (src/base/memory.c); others do not. */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long made, at, tell_to = -1;
static bool active, from_then_on, told;

static long number(const char *name) { const char *text = getenv(name); return text ? strtol(text, NULL, 10) : -1; }

__attribute__((constructor)) static void begin(void)
{
    const bool others = getenv("MEMORY_OF"), child = getppid() == number("MEMORY_PARENT");
    at = number("MEMORY_AT");
    from_then_on = number("MEMORY_ON") == 1;
    tell_to = number("MEMORY_TELL");
    active = others != child;
}

static bool refused(void)
{
    if (!active) return false;
    const long k = __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED);
    if (at <= 0 || (from_then_on ? k < at : k != at)) return false;
    if (!told && write((int)tell_to, ".", 1) == 1) told = true;
    errno = ENOMEM;
    return true;
}

__attribute__((destructor)) static void end(void)
{
    char text[32];
    const int n = snprintf(text, sizeof text, "%ld\n", made);
    if (active && at == 0 && write((int)tell_to, text, (size_t)n) != n) _exit(99);
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

/* The first call finds the function of the C library. */
#define REAL(type, name) static type *real; if (!real) real = (type *)next(name)
typedef void *of_one(size_t), *of_two(size_t, size_t), *of_block(void *, size_t);

void *__libc_malloc(size_t n), *__libc_calloc(size_t n, size_t m), *__libc_realloc(void *p, size_t n),
     *__libc_memalign(size_t to, size_t n);
void *__libc_malloc(size_t n)             { REAL(of_one, "__libc_malloc");     return refused() ? NULL : real(n); }
void *__libc_calloc(size_t n, size_t m)   { REAL(of_two, "__libc_calloc");     return refused() ? NULL : real(n, m); }
void *__libc_realloc(void *p, size_t n)   { REAL(of_block, "__libc_realloc");  return refused() ? NULL : real(p, n); }
void *__libc_memalign(size_t to, size_t n){ REAL(of_two, "__libc_memalign");   return refused() ? NULL : real(to, n); }
void *malloc(size_t n)                    { return __libc_malloc(n); }
void *calloc(size_t n, size_t m)          { return __libc_calloc(n, m); }
void *realloc(void *p, size_t n)          { return __libc_realloc(p, n); }
void *memalign(size_t to, size_t n)       { return __libc_memalign(to, n); }
void *aligned_alloc(size_t to, size_t n)  { return __libc_memalign(to, n); }
int   posix_memalign(void **p, size_t to, size_t n)
{
    *p = __libc_memalign(to, n);
    return *p ? 0 : ENOMEM;
}
