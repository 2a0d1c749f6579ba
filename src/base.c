/* base.c - contracts, memory and the way out: see base.h. */
#include "src/base.h"
#include <errno.h>
#include <fcntl.h>
#include <gmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "numerics/flint_compat.h"

const char *program_name = "provably";

static void print_and_abort(const char *message)
{
    fprintf(stderr, "%s: internal error: %s\n", program_name, message);
    abort();
}

static contract_handler *handler = print_and_abort;

contract_handler *contract_set_handler(contract_handler *h)
{
    contract_handler *old = handler;
    handler = h ? h : print_and_abort;
    return old;
}

_Noreturn void contract_broken(const char *file, int line, const char *cond, const char *fmt, ...)
{
    char what[256], message[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    snprintf(message, sizeof message, "%s:%d: %s (%s)", file, line, cond, what);
    handler(message);
    abort();                                  /* a handler that returns is itself a bug */
}

_Noreturn void die(const char *fmt, ...)
{
    char what[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", program_name, what);
    _Exit(2);                  /* no atexit work: libraries may be in the middle of a call */
}

/* ---- memory ---------------------------------------------------------------------------- */

static uint64_t allocations, fail_nth;

uint64_t memory_fail_at(uint64_t nth)
{
    uint64_t made = allocations;
    allocations = 0;
    fail_nth = nth;
    return made;
}

static void *checked(void *p, size_t bytes)
{
    if (!p) die("out of memory (%zu bytes wanted); try a smaller --shape or lower precision", bytes);
    return p;
}

static bool refused(void)
{
    return __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) == fail_nth;
}

void *must_calloc(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) die("out of memory (%zu objects of %zu bytes wanted)", n, size);
    return checked(refused() ? NULL : calloc(1, bytes ? bytes : 1), bytes);
}

void *must_realloc(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) die("out of memory (%zu objects of %zu bytes wanted)", n, size);
    return checked(refused() ? NULL : realloc(p, bytes ? bytes : 1), bytes);
}

char *must_strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(must_calloc(n, 1), text, n);
}

char *must_format(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    REQUIRE(n >= 0, "format %s", fmt);
    char *text = must_calloc((size_t)n + 1, 1);
    va_start(ap, fmt);
    vsnprintf(text, (size_t)n + 1, fmt, ap);
    va_end(ap);
    return text;
}

static void *lib_malloc(size_t n)                          { return must_calloc(n, 1); }
static void *lib_calloc(size_t n, size_t size)             { return must_calloc(n, size); }
static void *lib_realloc(void *p, size_t n)                { return must_realloc(p, n, 1); }
static void *gmp_realloc(void *p, size_t old, size_t n)    { (void)old; return must_realloc(p, n, 1); }
static void  gmp_free(void *p, size_t n)                   { (void)n; free(p); }

void base_init(int argc, char **argv)
{
    const char *name = argc > 0 ? argv[0] : "provably", *slash = strrchr(name, '/');
    program_name = slash ? slash + 1 : name;
    if (getenv("OPENBLAS_CORETYPE") || getenv("OPENBLAS_VERBOSE")) {
        unsetenv("OPENBLAS_CORETYPE");
        unsetenv("OPENBLAS_VERBOSE");
        execv("/proc/self/exe", argv);        /* returns only where /proc is missing */
    }
    mp_set_memory_functions(lib_malloc, gmp_realloc, gmp_free);
    __flint_set_memory_functions(lib_malloc, lib_calloc, lib_realloc, free);
}

/* ---- files ----------------------------------------------------------------------------- */

outfile outfile_open(const char *path)
{
    outfile o = { .path = must_strdup(path), .part = must_format("%s.part", path) };
    o.f = fopen(o.part, "w");
    if (!o.f) die("cannot write %s: %s; make the folder or choose another with --out", path, strerror(errno));
    return o;
}

/* The name of a new file is on the disk when its folder is; a folder that may not be read cannot be asked. */
static bool sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? must_format("%.*s", (int)(slash - path + 1), path) : must_strdup(".");
    const int fd = open(folder, O_RDONLY | O_DIRECTORY);
    const bool good = fd >= 0 ? fsync(fd) == 0 || errno == EINVAL || errno == EROFS : errno == EACCES;
    const int why = errno;
    if (fd >= 0) close(fd);
    free(folder);
    errno = why;
    return good;
}

void outfile_close(outfile *o)
{
    bool bad = ferror(o->f) != 0;
    bad |= fflush(o->f) != 0;
    bad |= fsync(fileno(o->f)) != 0 && errno != EINVAL && errno != EROFS;
    int why = errno;
    bad |= fclose(o->f) != 0;
    if (bad || rename(o->part, o->path) != 0) {
        if (!bad) why = errno;
        unlink(o->part);
        die("cannot finish %s: %s; free some space or choose another folder", o->path, strerror(why));
    }
    if (!sync_folder(o->path))
        die("%s is written, but its folder is not safe on the disk: %s", o->path, strerror(errno));
    free(o->path);
    free(o->part);
    *o = (outfile){ 0 };
}
