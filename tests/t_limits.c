/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_limits.c - a machine that says no: little memory, no /proc, closed streams, odd names and surroundings.
 *
 * Every command ends, with a status that its --help names.  LIMITS_ALL=1 tries all steps and surroundings of each; without
 * it each command has some of them, so that all are tried on some. */
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tests/support/every_command.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { SECONDS = 10 };                    /* of the processor: what takes more spins */

static bool all_of_them(void) { return getenv("LIMITS_ALL"); }

static void ends_by_itself(void)
{
    setrlimit(RLIMIT_CPU, &(struct rlimit){ SECONDS, SECONDS + 1 });
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

static const long steps[] = { 10, 40, 80, 120, 160, 200, 300, 400, 600, 1500 };       /* MB of addresses */

static void with_little_memory(void *with)
{
    const rlim_t bytes = (rlim_t)*(const long *)with << 20;
    ends_by_itself();
    unsetenv("OMP_NUM_THREADS");                      /* threads on all cores need more */
    unsetenv("OPENBLAS_NUM_THREADS");
    setrlimit(RLIMIT_AS, &(struct rlimit){ bytes, bytes });
}

/* A run that another one starts is a process of its own: that it failed is status 1. */
static bool starts_runs(const every_command *c)
{
    return strcmp(c->name, "sweep") == 0 || strcmp(c->name, "reproduce") == 0 || strcmp(c->name, "check") == 0;
}

START_TEST(little_memory)
{
    const every_command *c = &every_commands[_i];
    long refused = 0;
    for (size_t k = all_of_them() ? 0 : (size_t)_i % 5; k < COUNT(steps); k += all_of_them() ? 1 : 5) {
        long mb = steps[k];
        const command_end e = every_command_run(c, with_little_memory, &mb);
        const bool loader = e.status == 127 && strstr(e.errors, "shared librar"), whole = e.status == c->status;
        const bool said = e.status == 2 && strstr(e.errors, "memory"), run_failed = e.status == 1 && starts_runs(c);
        ck_assert_msg(loader || whole || said || run_failed, "%s in %ld MB: status %d: %s%s", c->name, mb, e.status, e.output, e.errors);
        if (!whole) every_command_nothing_left(c, "little memory");
        every_command_empty();
        refused += !whole;
        ck_assert_msg(mb < steps[COUNT(steps) - 1] || whole, "%s in %ld MB: status %d: %s", c->name, mb, e.status, e.errors);
    }
    ck_assert(refused > 0 || !all_of_them());
}
END_TEST

/* ---- threads ----------------------------------------------------------------------------------------------- */

static char *library;                     /* loaded first: no thread is started */

static void without_threads(void *unused)
{
    (void)unused;
    ends_by_itself();
    setenv("LD_PRELOAD", library, 1);
    setenv("OMP_NUM_THREADS", "4", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

/* OpenMP ends the program by exit(1), which is the answer "different" of verify and "stopped" of train. */
START_TEST(no_threads)
{
    const every_command *c = &every_commands[_i];
    const command_end e = every_command_run(c, without_threads, NULL);
    const bool said = e.status == 2 && strstr(e.errors, "OMP_NUM_THREADS=1"), run_failed = e.status == 1 && starts_runs(c);
    ck_assert_msg(e.status == c->status || said || run_failed, "%s: status %d: %s%s", c->name, e.status, e.output, e.errors);
    ck_assert(said || (strcmp(c->name, "verify") != 0 && strcmp(c->name, "train") != 0));
    if (e.status != c->status) every_command_nothing_left(c, "no threads");
    every_command_empty();
}
END_TEST

/* ---- surroundings ------------------------------------------------------------------------------------------ */

static void without_input(void)    { close(STDIN_FILENO); }
static void without_output(void)   { close(STDOUT_FILENO); }
static void without_errors(void)   { close(STDERR_FILENO); }
static void without_streams(void)  { for (int fd = 0; fd < 3; fd++) close(fd); }
static void full_output(void)      { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); }
static void odd_environment(void)
{
    setenv("TMPDIR", "", 1);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    setenv("POSIXLY_CORRECT", "1", 1);
    unsetenv("HOME");
    unsetenv("PATH");
    umask(077);
}
static void without_proc(void)
{
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0
        || mount("none", "/proc", "tmpfs", 0, NULL) != 0) _exit(77);
}
static const struct { const char *name; void (*is)(void); bool prints; } surroundings[] = {      /* prints: it may fail by that */
    { "standard input closed", without_input, false }, { "standard output closed", without_output, true },
    { "standard error closed", without_errors, false }, { "all streams closed", without_streams, true },
    { "a full standard output", full_output, true }, { "an odd environment", odd_environment, false },
    { "no /proc", without_proc, true } };

static void surrounded(void *with)
{
    ends_by_itself();
    surroundings[*(const size_t *)with].is();
}

START_TEST(odd_surroundings)
{
    const every_command *c = &every_commands[_i];
    for (size_t k = all_of_them() ? 0 : (size_t)_i % 7; k < COUNT(surroundings); k += all_of_them() ? 1 : 7) {
        const command_end e = every_command_run(c, surrounded, &k);
        const bool no_namespace = e.status == 77 && surroundings[k].is == without_proc;
        /* without /proc the loader does not know where the program is, and finds no library beside it */
        const bool lost = e.status == 127 && surroundings[k].is == without_proc && strstr(e.errors, "libprovably.so");
        const bool refused = lost || ((e.status == 2 || (e.status == 1 && starts_runs(c))) && surroundings[k].prints);
        ck_assert_msg(e.status == c->status || refused || no_namespace, "%s with %s: status %d: %s%s", c->name, surroundings[k].name, e.status, e.output, e.errors);
        every_command_empty();
    }
}
END_TEST

/* The folder of everything that is read and written has blanks, quotes, a new line and what shells expand. */
START_TEST(odd_names)
{
    const every_command *c = &every_commands[_i];
    if (!_i) every_command_renamed("it's \"a\" $(name)\n`of` a; folder \\ & *");
    const command_end e = every_command_run(c, NULL, NULL);
    ck_assert_msg(e.status == c->status, "%s: status %d: %s%s", c->name, e.status, e.output, e.errors);
    every_command_empty();
}
END_TEST

static void setup(void)
{
    char said[1024];
    const char *root = every_command_folder();
    library = temp_path(temp_folder(), "threads.so");
    temp_text(root, "threads.c", "int pthread_create(void *a, const void *b, void *(*c)(void *), void *d)\n"
                                 "{ (void)a; (void)b; (void)c; (void)d; return 11; }\n");
    ck_assert_msg(run_command(said, sizeof said, "cc -w -shared -fPIC %s/threads.c -o %s", root, library) == 0, "%s", said);
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create("limits");
    TCase *all = tcase_create("commands");
    suite_add_tcase(suite, all);
    tcase_add_unchecked_fixture(all, setup, NULL);
    tcase_set_timeout(all, 0);
#ifndef __SANITIZE_ADDRESS__                             /* it wants all addresses, and to be loaded first */
    tcase_add_loop_test(all, little_memory, 0, every_commands_n);
    tcase_add_loop_test(all, no_threads, 0, every_commands_n);
#endif
    tcase_add_loop_test(all, odd_surroundings, 0, every_commands_n);
    tcase_add_loop_test(all, odd_names, 0, every_commands_n);
    return run_suite(suite, argc, argv);
}
