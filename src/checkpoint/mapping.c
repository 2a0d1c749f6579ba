/* mapping.c - files of weights in memory.  A mapped file that another program cuts short, or whose disk fails, ends the
 * program that reads it with SIGBUS: here with one message that names the file, and status 2. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/base/outfile.h"
#include "src/checkpoint/weights.h"

enum { MOST_NAMED = 256 };               /* files beyond it are mapped, too, and not named              */
static mapped_file named[MOST_NAMED];
static volatile sig_atomic_t names;

/* Only what a handler may call: write, sigaction, raise, _exit. */
static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0) _exit(2);
}

static void on_bus_error(int signal, siginfo_t *info, void *context)
{
    (void)context;
    const unsigned char *at = info->si_addr;
    for (int k = 0; k < names; k++)
        if (at >= named[k].at && at < named[k].at + named[k].bytes) {
            say(program_name);
            say(": ");
            say(named[k].path);
            say(": it became shorter while it was read, or its disk cannot be read; nothing was written: try again "
                "when nothing else changes it\n");
            _exit(2);
        }
    struct sigaction usual = { .sa_handler = SIG_DFL };
    sigaction(signal, &usual, NULL);
    raise(signal);
}

static void name_file(const mapped_file *f)
{
    static bool watching;
    if (!watching) {
        struct sigaction ours = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_NODEFER };
        sigemptyset(&ours.sa_mask);
        REQUIRE(sigaction(SIGBUS, &ours, NULL) == 0, "sigaction: %s", strerror(errno));
        watching = true;
    }
    if (names < MOST_NAMED) {
        named[names] = *f;
        names = names + 1;
    }
}

long weights_map(weights *w, const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat s;
    if (fd < 0 || fstat(fd, &s) != 0) die("cannot read %s: %s", path, strerror(errno));
    if (!S_ISREG(s.st_mode)) die("%s is not a regular file", path);
    if (s.st_size < 8) die("%s: it is shorter than 8 bytes; the file is cut off or of another kind", path);
    mapped_file f = { .bytes = (size_t)s.st_size, .path = must_strdup(path) };
    f.at = mmap(NULL, f.bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (f.at == MAP_FAILED) die("cannot read %s: %s", path, strerror(errno));
    close(fd);
    outfile_input(path);
    name_file(&f);
    w->file = must_realloc(w->file, (size_t)w->files + 1, sizeof *w->file);
    w->file[w->files] = f;
    return w->files++;
}

void weights_unmap(weights *w)
{
    for (long k = 0; k < w->files; k++) {
        for (int i = 0; i < names; i++) {
            if (named[i].at != w->file[k].at) continue;
            named[i] = named[names - 1];
            names = names - 1;
        }
        munmap(w->file[k].at, w->file[k].bytes);
        free(w->file[k].path);
    }
    w->files = 0;
}

void weights_sha256(const weights *w, long file, char hex[SHA256_HEX])
{
    checksum_sha256_bytes(w->file[file].at, w->file[file].bytes, hex);
}
