/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_calls.c - faults at the calls of every command: an open, read, map, write, fsync, rename, close, unlink, mkdir, flock,
 * ftruncate or fork is refused, or is the last thing that the command does.
 *
 * Each call stops in the kernel (seccomp's notifications) until a thread of this test has answered.  What comes before
 * base_init, which looks at the standard streams, is the loader's.  A command that was refused something ends with status
 * 2 and a message, or says and writes what it always does; given again, it ends as if nothing had been.
 * CALLS_POINTS=N faults of each kind are tried of each command; without it each command has one fault of some kinds.
 * CALLS_OF=NAME: that command alone.  CALLS_RECORD=FILE: a line is added there for each. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tests/support/answered.h"
#include "tests/support/every_command.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { KINDS = 12 };
static const struct { const char *name; int error, call[5]; } kinds[KINDS] = {
    { "open", EMFILE, { __NR_openat
#ifdef __NR_open
      , __NR_open
#endif
    } },
    { "read", EIO, { __NR_read, __NR_pread64 } }, { "mmap", ENOMEM, { __NR_mmap } },
    { "write", ENOSPC, { __NR_write, __NR_pwrite64 } }, { "fsync", EIO, { __NR_fsync } },
    { "rename", EIO, { __NR_renameat2, __NR_renameat
#ifdef __NR_rename
      , __NR_rename
#endif
    } },
    { "close", EIO, { __NR_close } },
    { "unlink", EIO, { __NR_unlinkat
#ifdef __NR_unlink
      , __NR_unlink
#endif
    } },
    { "mkdir", EIO, { __NR_mkdirat
#ifdef __NR_mkdir
      , __NR_mkdir
#endif
    } },
    { "flock", EIO, { __NR_flock } }, { "ftruncate", EIO, { __NR_ftruncate } },
    { "fork", EAGAIN, { __NR_clone
#ifdef __NR_fork
      , __NR_fork, __NR_vfork
#endif
    } } };

typedef struct { int kind; long nth; bool kills; } fault;          /* nth from 1; 0: none                        */
typedef struct {
    fault f;
    pid_t first;                         /* the command itself, not what it starts                               */
    bool  begun, happened;
    long  calls[KINDS];
} answers;

/* ---- the thread that answers ------------------------------------------------------------------------------- */

static int kind_of(long call)
{
    for (int k = 0; k < KINDS; k++) for (int i = 0; i < 5; i++) if (kinds[k].call[i] == call && call) return k;
    return -1;
}

/* One that is refused is not closed here, as the system would: then nothing may wait for the other end. */
static bool closes_a_file(const struct seccomp_notif *n)
{
    char link[64], to[2] = "";
    snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)n->pid, (int)n->data.args[0]);
    return readlink(link, to, 1) == 1 && to[0] == '/';
}

static void answer(void *with, const struct seccomp_notif *n, struct seccomp_notif_resp *r)
{
    answers *a = with;
    const int kind = n->data.nr == __NR_read ? 1 : kind_of(n->data.nr);        /* 0 is read on some machines */
    if (!a->first) a->first = (pid_t)n->pid;
    if ((pid_t)n->pid != a->first) return;
    if (n->data.nr == __NR_fcntl) {
        a->begun = a->begun || (n->data.args[0] == STDERR_FILENO && n->data.args[1] == F_GETFD);
        return;
    }
    if (!a->begun || kind < 0) return;
    if (kind == 3 && n->data.args[0] <= STDERR_FILENO) return;                 /* words, no files */
    if (kind == 6 && !closes_a_file(n)) return;
    if (++a->calls[kind] != a->f.nth || kind != a->f.kind) return;
    a->happened = true;
    if (a->f.kills) kill((pid_t)n->pid, SIGKILL);
    r->flags = 0;
    r->error = -kinds[kind].error;
}

static command_end run_with(const every_command *c, answers *a)
{
    int stops[5 * KINDS + 1];
    answered calls = { .call = stops, .answer = answer, .with = a };
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < 5; i++) if (!i || kinds[k].call[i]) stops[calls.calls++] = kinds[k].call[i];
    stops[calls.calls++] = __NR_fcntl;
    answered_begin(&calls);
    const command_end e = every_command_run(c, answered_child, &calls);
    answered_end(&calls);
    return e;
}

/* ---- what was written --------------------------------------------------------------------------------------- */

static const char *root;

/* Commands whose files say neither when they were made nor how long it took. */
static bool always_the_same(const every_command *c)
{
    static const char *const all[] = { "reduce", "reduce to GGUF", "verify --certified", "absorb", "train", "train-vision", "basis-transfer",
                                       "export", "data encode", "certificates" };
    for (size_t k = 0; k < COUNT(all); k++) if (strcmp(c->name, all[k]) == 0) return true;
    return false;
}

static char *written(void)               /* a line for each file, with a hash */
{
    char said[8192];
    ck_assert_int_eq(run_command(said, sizeof said, "cd '%s/out' && find . -type f | sort | xargs -r sha256sum", root), 0);
    return temp_format("%s", said);
}

/* ---- the walk ----------------------------------------------------------------------------------------------- */

static long faults, kills;

static void try_fault(const every_command *c, fault f, const command_end *whole, const char *files)
{
    answers a = { .f = f };
    const command_end e = run_with(c, &a);
    char *where = temp_format("%s %s at call %ld", kinds[f.kind].name, f.kills ? "killed" : "refused", f.nth);
    if (!a.happened) {
        every_command_empty();
        return;
    }
    faults++;
    kills += f.kills;
    if (f.kills) ck_assert_msg(e.status == 128 + SIGKILL, "%s, %s: status %d: %s", c->name, where, e.status, e.errors);
    else if (e.status == c->status) {
        ck_assert_msg(!always_the_same(c) || strcmp(written(), files) == 0, "%s, %s: status %d, other files:\n%s", c->name, where, e.status, written());
        ck_assert_msg(c->is != WHOLE || strcmp(e.output, whole->output) == 0, "%s, %s: status %d, but it says\n%s", c->name, where, e.status, e.output);
    } else if (e.status == 127 && strstr(e.errors, "shared librar")) {         /* of the program that `run` executes */
        every_command_empty();
        return;
    } else {
        ck_assert_msg((e.status == 2 || e.status == 1) && *e.errors, "%s, %s: status %d: %s", c->name, where, e.status, e.errors);
        ck_assert_msg(e.status == 2 || c->is == MANY, "%s, %s: status %d: %s", c->name, where, e.status, e.errors);
    }
    if (e.status != c->status && always_the_same(c)) {
        const command_end again = every_command_run(c, NULL, NULL);
        if (again.status == 2 && strstr(again.errors, "is there already")) {       /* the last file had its name */
            for (char *save = NULL, *line = strtok_r(written(), "\n", &save); line; line = strtok_r(NULL, "\n", &save))
                ck_assert_msg(strstr(files, line), "%s, after %s: another file: %s", c->name, where, line);
            every_command_empty();
            return;
        }
        ck_assert_msg(again.status == c->status, "%s, after %s: status %d: %s", c->name, where, again.status, again.errors);
        ck_assert_msg(strcmp(written(), files) == 0, "%s, after %s: other files:\n%s", c->name, where, written());
    }
    every_command_empty();
}

START_TEST(every_call)
{
    const every_command *c = &every_commands[_i];
#ifdef __SANITIZE_ADDRESS__
    return;                                  /* it ends where it is refused a map, and makes calls of its own */
#endif
    if (getenv("CALLS_OF") && strcmp(getenv("CALLS_OF"), c->name) != 0) return;
    answers whole = { .f = { 0, 0, false } };
    const command_end e = run_with(c, &whole);
    if (e.status == ANSWERED_NOT_HERE) {
        fprintf(stderr, "t_calls: this system has no seccomp notifications: faults are not tried here\n");
        return;
    }
    ck_assert_msg(e.status == c->status, "%s: status %d: %s", c->name, e.status, e.errors);
    char *files = written();
    every_command_empty();
    const char *asked = getenv("CALLS_POINTS");
    const long points = asked ? strtol(asked, NULL, 10) : 1;
    faults = kills = 0;
    for (int k = asked ? 0 : _i % 4; k < KINDS; k += asked ? 1 : 4)
        for (long i = 0; i < points && i < whole.calls[k]; i++) {
            const long nth = points >= whole.calls[k] ? i + 1 : 1 + (2 * i + 1) * whole.calls[k] / (2 * points);
            try_fault(c, (fault){ k, nth, false }, &e, files);
            if (strchr("owfrm", kinds[k].name[0]) && always_the_same(c)) try_fault(c, (fault){ k, nth, true }, &e, files);
        }
    if (getenv("CALLS_RECORD")) {
        long calls = 0;
        for (int k = 0; k < KINDS; k++) calls += whole.calls[k];
        FILE *f = fopen(getenv("CALLS_RECORD"), "a");
        ck_assert(f && fprintf(f, "%s\t%ld\t%ld\t%ld\n", c->name, calls, faults, kills) > 0 && fclose(f) == 0);
    }
}
END_TEST

static void setup(void)
{
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    root = every_command_folder();
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create("calls");
    TCase *all = tcase_create("commands");
    suite_add_tcase(suite, all);
    tcase_add_unchecked_fixture(all, setup, NULL);
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, every_call, 0, every_commands_n);
    return run_suite(suite, argc, argv);
}
