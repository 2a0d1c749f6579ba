/* base.h - what every file needs: contracts, memory, and the way out.
 *
 * Three kinds of error, three mechanisms, never mixed:
 *   our code broke a contract      REQUIRE -> handler -> abort (tests replace the handler)
 *   mathematics says no            UNDECIDED, sticky in the scope (numerics/mat.h)
 *   the world failed               die(): one clear line on stderr, exit status 2        */
#ifndef BASE_H
#define BASE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
#define _Noreturn [[noreturn]]           /* CUDA's files are C++ */
#endif
#define MUST_USE __attribute__((warn_unused_result))
#define COUNT(a) (sizeof(a) / sizeof *(a))

#define REQUIRE(cond, ...) \
    ((cond) ? (void)0 : contract_broken(__FILE__, __LINE__, #cond, __VA_ARGS__))

typedef void contract_handler(const char *message);   /* must not return */
contract_handler *contract_set_handler(contract_handler *h);   /* returns the old one */
_Noreturn void contract_broken(const char *file, int line, const char *cond,
                               const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* One line "program: message" on stderr, exit status 2.  Say what to do about it. */
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
extern const char *program_name;      /* basename, set by base_init; "provably" until then */

/* Call first in main: sets program_name from argv[0] and routes the allocators of GMP, MPFR
 * and FLINT to ours, so that running out of memory anywhere is one message and exit 2.
 * At exit it sees to it that what was printed has arrived: else one message, exit status 2.
 * Where OPENBLAS_CORETYPE or OPENBLAS_VERBOSE is exported it clears them and executes the
 * program again: OpenBLAS reads them while it is loaded, and a core forced from outside can
 * halve its speed. */
void base_init(int argc, char **argv);

/* Memory comes from here only.  Each exits through die() when there is none. */
void *must_calloc (size_t n, size_t size) MUST_USE;              /* n * size bytes of zeros  */
void *must_realloc(void *p, size_t n, size_t size) MUST_USE;     /* to n * size bytes        */
char *must_strdup (const char *text) MUST_USE;
char *must_format (const char *fmt, ...) MUST_USE __attribute__((format(printf, 1, 2)));
/* For tests: allocation number `nth` from now (1 = the next) fails; 0 = none fails.
 * Returns the number of allocations made since the last call. */
uint64_t memory_fail_at(uint64_t nth);

/* What --out and every other name of the user's is written through.  A regular file or a new name appears whole or not
 * at all: it is written to PATH.part and renamed on close; a symbolic link stays, its target is replaced.  A pipe, a
 * character device and the file that is standard output or error already are written to directly, and `part` is NULL.
 * Anything else is refused.  die() removes what was begun and not closed. */
typedef struct { FILE *f; char *path, *part; } outfile;
outfile outfile_open (const char *path);            /* dies, naming the path          */
void    outfile_sync (outfile *o);                  /* what was written is on the disk, without its name yet; or dies */
void    outfile_close(outfile *o);                  /* sync, rename, fsync of the folder; or dies */
bool    outfile_is_direct(const char *path);        /* whether outfile_open would write there directly */
void    require_file(const char *path);     /* dies unless PATH is a regular file or new: it will be read back */
#endif
