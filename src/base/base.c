/* base.c - contracts, memory and the way out: see base.h. */
#include "src/base/base.h"
#include <errno.h>
#include <fcntl.h>
#include <gmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

static void remove_begun(void);

_Noreturn void die(const char *fmt, ...)
{
    char what[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    remove_begun();
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

/* A descriptor that is closed is given to a file that fails: no file of ours gets its number, and what is printed
 * there does not vanish in silence. */
static void fill_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) _Exit(2);
}

/* Some file systems say only when a file is closed that they could not write it. */
static void check_standard_streams(void)
{
    const bool flushed = fflush(stdout) == 0, earlier = ferror(stdout) != 0;
    if (!flushed || earlier)
        die("cannot write to standard output: %s", flushed ? "an earlier write failed" : strerror(errno));
    const int fd = dup(STDOUT_FILENO);
    if (fd < 0 || close(fd) != 0) die("cannot write to standard output: %s", strerror(errno));
    if (ferror(stderr) != 0) _Exit(2);
}

void base_init(int argc, char **argv)
{
    static bool begun_before;
    const char *name = argc > 0 ? argv[0] : "provably", *slash = strrchr(name, '/');
    program_name = slash ? slash + 1 : name;
    if (getenv("OPENBLAS_CORETYPE") || getenv("OPENBLAS_VERBOSE")) {
        unsetenv("OPENBLAS_CORETYPE");
        unsetenv("OPENBLAS_VERBOSE");
        execv("/proc/self/exe", argv);        /* returns only where /proc is missing */
    }
    fill_standard_streams();
    if (!begun_before) atexit(check_standard_streams);
    begun_before = true;
    mp_set_memory_functions(lib_malloc, gmp_realloc, gmp_free);
    __flint_set_memory_functions(lib_malloc, lib_calloc, lib_realloc, free);
}

/* ---- files ----------------------------------------------------------------------------- */

/* Parts begun and not closed; a child that was forked does not own its parent's. */
enum { MOST_OPEN = 16 };
static struct { char *part; pid_t owner; } begun[MOST_OPEN];

static void remove_begun(void)
{
    for (int k = 0; k < MOST_OPEN; k++) if (begun[k].part && begun[k].owner == getpid()) unlink(begun[k].part);
}

static void begin(char *part)
{
    int k = 0;
    while (k < MOST_OPEN && begun[k].part) k++;
    REQUIRE(k < MOST_OPEN, "%d files are open", MOST_OPEN);
    begun[k].part = part;
    begun[k].owner = getpid();
}

static void forget(const char *part)
{
    for (int k = 0; k < MOST_OPEN; k++) if (begun[k].part == part) begun[k].part = NULL;
}

/* Standard output or error, if that is what `s` is; else -1. */
static int standard_stream(const struct stat *s)
{
    struct stat own;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &own) == 0 && own.st_dev == s->st_dev && own.st_ino == s->st_ino) return fd;
    return -1;
}

static bool is_direct(const struct stat *s)
{
    return S_ISFIFO(s->st_mode) || S_ISCHR(s->st_mode) || standard_stream(s) >= 0;
}

bool outfile_is_direct(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && is_direct(&s);
}

void require_file(const char *path)
{
    struct stat s;
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode))
        die("cannot use %s: it is no regular file, and it will be read again; remove it or choose another name", path);
}

/* The name behind all symbolic links. */
static char *followed(const char *path)
{
    char to[4096], *at = must_strdup(path);
    for (int links = 0; links < 40; links++) {
        const ssize_t n = readlink(at, to, sizeof to - 1);
        if (n < 0) return at;
        to[n] = '\0';
        const char *slash = *to == '/' ? NULL : strrchr(at, '/');
        char *next = must_format("%.*s%s", slash ? (int)(slash - at + 1) : 0, at, to);
        free(at);
        at = next;
    }
    die("cannot write %s: %s", path, strerror(ELOOP));
}

static FILE *open_directly(const char *path, const struct stat *s)
{
    const int stream = standard_stream(s);
    if (stream < 0) return fopen(path, "w");
    fflush(stream == STDOUT_FILENO ? stdout : stderr);
    const int fd = dup(stream);
    return fd < 0 ? NULL : fdopen(fd, "w");
}

outfile outfile_open(const char *path)
{
    struct stat s;
    outfile o = { .f = NULL };
    const bool there = stat(path, &s) == 0;
    if (there && S_ISDIR(s.st_mode)) die("cannot write %s: it is a folder; name a file in it", path);
    if (there && is_direct(&s)) {
        o.path = must_strdup(path);
        o.f = open_directly(path, &s);
    } else if (there && !S_ISREG(s.st_mode)) {
        die("cannot write %s: it is no file, pipe or character device; choose another name", path);
    } else {
        o.path = followed(path);
        o.part = must_format("%s.part", o.path);
        o.f = fopen(o.part, "w");
    }
    if (!o.f) die("cannot write %s: %s; make the folder or choose another with --out", path, strerror(errno));
    if (o.part) begin(o.part);
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

_Noreturn static void cannot_finish(const outfile *o, int why)
{
    if (!o->part) die("cannot write to %s: %s", o->path, strerror(why));
    die("cannot finish %s: %s; free some space or choose another folder", o->path, strerror(why));
}

void outfile_sync(outfile *o)
{
    bool bad = ferror(o->f) != 0;
    bad |= fflush(o->f) != 0;
    bad |= o->part && fsync(fileno(o->f)) != 0 && errno != EINVAL && errno != EROFS;
    if (bad) cannot_finish(o, errno);
}

void outfile_close(outfile *o)
{
    outfile_sync(o);
    if (fclose(o->f) != 0) cannot_finish(o, errno);
    if (o->part) {
        if (rename(o->part, o->path) != 0) cannot_finish(o, errno);
        forget(o->part);
        if (!sync_folder(o->path))
            die("%s is written, but its folder is not safe on the disk: %s", o->path, strerror(errno));
    }
    free(o->path);
    free(o->part);
    *o = (outfile){ 0 };
}
