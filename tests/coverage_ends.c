/* SPDX-License-Identifier: GPL-3.0-or-later
 * coverage_ends.c - linked into the library and each program of `make coverage`: counters are written by _exit and _Exit,
 * too, where refusals end, those of the program and those of the library.
 *
 * The array is one for both, the program's; each adds what writes its own. */
#include <stdlib.h>
#include <unistd.h>

enum { MODULES = 8 };
typedef void counters_write(void);
extern counters_write *counters_of[MODULES];
counters_write *counters_of[MODULES];

extern void __gcov_dump(void);
static void write_own(void) { __gcov_dump(); }

__attribute__((constructor)) static void join(void)
{
    int k = 0;
    while (k < MODULES && counters_of[k] && counters_of[k] != write_own) k++;
    if (k < MODULES) counters_of[k] = write_own;
}

static void write_all(void) { for (int k = 0; k < MODULES && counters_of[k]; k++) counters_of[k](); }

_Noreturn void __real__Exit(int status);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__Exit(int status);
_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap__Exit(int status) { write_all(); __real__Exit(status); }
_Noreturn void __wrap__exit(int status) { write_all(); __real__exit(status); }
