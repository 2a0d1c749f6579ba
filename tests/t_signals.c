/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_signals.c - INT, TERM and HUP at commands that take long, on a terminal of their own: the command ends long before it
 * would by itself, with the documented status; its terminal, its process group and a witness in that group outlive it;
 * no process and no unfinished file is left.
 *
 * The witness leads a session with a pseudo-terminal, starts the command in its own process group, reports its status
 * through a pipe, and waits.  Nobody but the kernel's Ctrl-C and we may signal it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { ALONE, GROUP, KEY };              /* who is signalled: the command, its group, or the terminal's by Ctrl-C */
enum { PATIENCE = 30 };                  /* seconds until a command that should end has hung: machines are busy   */
typedef struct { pid_t witness, command; int status_from, terminal; } session;

/* ---- the witness ----------------------------------------------------------------------------------------- */

static void tell(int to, int number)
{
    if (write(to, &number, sizeof number) != sizeof number) _exit(9);
}

/* spared: the signals to the group, which are meant for the command. */
static _Noreturn void be_witness(const char *command, int terminal, int to, bool spared)
{
    static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
    setsid();
    ioctl(terminal, TIOCSCTTY, 0);
    tcsetpgrp(terminal, getpid());
    for (size_t k = 0; k < COUNT(ending); k++) signal(ending[k], spared ? SIG_IGN : SIG_DFL);
    const pid_t child = fork();
    if (child < 0) _exit(9);
    if (child == 0) {
        for (size_t k = 0; k < COUNT(ending); k++) signal(ending[k], SIG_DFL);
        dup2(terminal, STDIN_FILENO);
        unsetenv("CK_RUN_CASE");
        unsetenv("CK_FORK");
        unsetenv("MAKEFLAGS");
        unsetenv("MAKELEVEL");
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(9);
    }
    tell(to, child);
    int status;
    while (waitpid(child, &status, 0) < 0) if (errno != EINTR) _exit(9);
    tell(to, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    for (;;) pause();
}

static session begin(const char *command, bool spared)
{
    int master, terminal, ends[2], child;
    ck_assert(openpty(&master, &terminal, NULL, NULL, NULL) == 0 && pipe(ends) == 0);
    fflush(NULL);
    const pid_t witness = fork();
    if (witness < 0) ck_abort_msg("cannot start a process");
    if (witness == 0) {
        close(master);
        close(ends[0]);
        be_witness(command, terminal, ends[1], spared);
    }
    close(terminal);
    close(ends[1]);
    ck_assert(read(ends[0], &child, sizeof child) == sizeof child);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return (session){ witness, child, ends[0], master };
}

/* How many processes of the session there are besides the witness; it prints them where `show`. */
static int others(const session *s, bool show)
{
    int n = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *e; (e = readdir(proc));) {
        const pid_t id = (pid_t)strtol(e->d_name, NULL, 10);
        if (id <= 0 || id == s->witness || getsid(id) != s->witness) continue;
        n++;
        if (show) fprintf(stderr, "left: %d\n", id);
    }
    closedir(proc);
    return n;
}

/* The status, or -1 when the command has not ended in time. */
static int status_of(const session *s)
{
    int status = -1;
    for (int tries = 0; tries < PATIENCE * 50; tries++) {
        if (read(s->status_from, &status, sizeof status) == sizeof status) return status;
        usleep(20000);
    }
    return -1;
}

static void end(session *s)
{
    for (int tries = 0; tries < PATIENCE * 50 && others(s, false); tries++) usleep(20000);
    const int left = others(s, true);
    int status;
    const bool lives = waitpid(s->witness, &status, WNOHANG) == 0;
    if (left) kill(-s->witness, SIGKILL);
    kill(s->witness, SIGKILL);
    if (lives) waitpid(s->witness, &status, 0);
    close(s->status_from);
    close(s->terminal);
    ck_assert_msg(lives, "the witness has ended, %x", status);
    ck_assert_msg(left == 0, "%d processes are left", left);
}

/* ---- the commands ---------------------------------------------------------------------------------------- */

/* What is run below the folder %1$s with the programs of %2$s; when it has begun; its status at a signal, 0: the
 * signal's; a shell command that succeeds where nothing is left that should not be, and all is there that should be;
 * whether the first FEW signals are enough. */
typedef struct { const char *command, *begun, *left; int status; bool few; } long_command;
static const long_command commands[] = {
    { "TMPDIR=%1$s/t exec %2$s/theorems/k_t4_4 --scale=large --out=%1$s/x.csv", "test -s %1$s/x.csv.part", "test -z \"$(ls %1$s | grep -v -x -e t -e log)\" && test -z \"$(ls -A %1$s/t)\"", 0, false },
    { "TMPDIR=%1$s/t exec %2$s/theorems/k_t4_4 --scale=large --out=%1$s/x.csv --fork", "test -s %1$s/x.csv.part", "test -z \"$(ls %1$s | grep -v -x -e t -e log)\" && test -z \"$(ls -A %1$s/t)\"", 0, false },
    { "TMPDIR=%1$s/t exec %2$s/provably check --only=K-T4.4 --scale=large --evidence=%1$s/b/evidence", "test -s %1$s/b/evidence/k_t4_4.csv.part", "test \"$(ls %1$s/b/evidence | tr '\\n' ' ')\" = 'lock took ' && test -z \"$(ls %1$s/b/certificates/k_t4_4)\"", 0, false },
    { "TMPDIR=%1$s/t exec %2$s/provably run K-T4.4 --scale=large", "sleep 0.5", "test -z \"$(ls -A %1$s/t)\"", 0, false },
    { "exec %2$s/provably train --steps=100000000 --width=32 --heads=2 --layers=1 --window=16 --out=%1$s/run", "test $(wc -l < %1$s/run/steps.csv) -gt 9", "test -s %1$s/run/last.ckpt && test -z \"$(ls %1$s/run | grep -e part -e done)\"", 1, false },
    { "printf 'a train --steps=100000000 --width=32 --heads=2 --layers=1 --window=16\\nb basis-transfer --steps=100000000 --width=32\\n' > %1$s/list && exec %2$s/provably sweep %1$s/list --jobs=2 --out=%1$s/runs", "grep -q ^0, %1$s/runs/a/evals.csv && grep -q ^0, %1$s/runs/b/evals.csv",
      "test -s %1$s/runs/a/last.ckpt && test -s %1$s/runs/b/last.ckpt && ! ls %1$s/runs/?/done %1$s/runs/?/*.part", 1, false },
    { "exec %2$s/provably train-vision --data=digits:1 --backend=cpu --epochs=100000 --encoders=1 --batch=16 --quiet --out=%1$s/run", "grep -q ^0, %1$s/run/evals.csv", "test -s %1$s/run/last.ckpt && test -z \"$(ls %1$s/run | grep -e part -e done)\"", 1, true },
    { "exec %2$s/provably basis-transfer --steps=100000000 --width=32 --backend=cpu --quiet --out=%1$s/run", "grep -q ^0, %1$s/run/evals.csv", "test -s %1$s/run/last.ckpt && test -z \"$(ls %1$s/run | grep -e part -e done)\"", 1, true },
    { "exec %2$s/provably reproduce small-basis --seeds=1 --rows=128 --out=%1$s/runs --results=%1$s/results", "grep -q ^0, %1$s/runs/basis-128-1/evals.csv", "ls %1$s/runs/*/last.ckpt && ! ls %1$s/runs/*/done %1$s/runs/*/*.part", 1, false },
    { "%2$s/provably train --quiet --steps=1 --width=128 --layers=2 --window=64 --out=%1$s/m && %2$s/provably export --from=%1$s/m --out=%1$s/a && touch %1$s/ready && "
      "exec %2$s/provably verify %1$s/a %1$s/a --certified --bits=4096 --length=64 --output=%1$s/cert", "test -e %1$s/ready && sleep 0.3", "! ls %1$s/cert*", 0, false },
};
static const struct { int who, number; } signals[] = {
    { ALONE, SIGHUP }, { KEY, SIGINT }, { ALONE, SIGINT }, { ALONE, SIGTERM }, { GROUP, SIGHUP } };
enum { FEW = 2 };                        /* of them at a command that shares the loop of another one above */

static void wait_until(const char *begun)
{
    char output[4096];
    for (int tries = 0; tries < 300; tries++) {
        if (run_shell(begun, output, sizeof output) == 0) return;
        usleep(100000);
    }
    ck_abort_msg("it has not begun: %s", begun);
}

static void send(const session *s, int who, int number)
{
    if (who == KEY) ck_assert(write(s->terminal, "\003", 1) == 1);
    else ck_assert_int_eq(kill(who == ALONE ? s->command : -s->witness, number), 0);
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static char *filled(const char *format, const char *folder)
{
    char *programs = realpath(build_folder(), NULL), *text = temp_format(format, folder, programs);
    free(programs);
    return text;
}

START_TEST(long_commands_end)
{
    const long_command *c = &commands[_i / (int)COUNT(signals)];
    const int who = signals[_i % (int)COUNT(signals)].who, number = signals[_i % (int)COUNT(signals)].number;
    char output[4096], *folder = temp_folder();
    if (c->few && _i % (int)COUNT(signals) >= FEW) return;
    ck_assert_int_eq(mkdir(temp_path(folder, "t"), 0777), 0);
    session s = begin(temp_format("exec > %s/log 2>&1; %s", folder, filled(c->command, folder)), who != ALONE);
    wait_until(filled(c->begun, folder));
    send(&s, who, number);
    const int status = status_of(&s), expected = c->status ? c->status : 128 + number;
    if (status < 0) kill(-s.witness, SIGKILL);
    end(&s);
    ck_assert_msg(status == expected, "%s: status %d, not %d: %s", c->command, status, expected, temp_read(folder, "log", NULL));
    ck_assert_msg(run_shell(filled(c->left, folder), output, sizeof output) == 0, "%s: %s", c->command, output);
}
END_TEST

/* Without --out nothing gets a name in TMPDIR, or in /, where an empty TMPDIR once led. */
START_TEST(no_file_without_out)
{
    char output[4096], *folder = temp_folder(), *programs = realpath(build_folder(), NULL);
    char *const folders[] = { folder, temp_path(folder, "missing"), temp_format("%s", "") };
    for (size_t k = 0; k < COUNT(folders); k++)
        ck_assert_msg(run_command(output, sizeof output, "ls / > %1$s/before && TMPDIR='%2$s' %3$s/theorems/k_e2 --scale=quick --trials=1 > %1$s/log && "
                                  "ls / | cmp - %1$s/before && rm %1$s/before %1$s/log && ls -A %1$s", folder, folders[k], programs) == 0 && !*output, "%s", output);
    free(programs);
}
END_TEST

/* ---- make check ------------------------------------------------------------------------------------------ */

/* A small house with one program, K-T4.4's, which takes long at SCALE=large. */
static const char HOUSE[] =
    "here=$PWD && cd %1$s && mkdir -p theorems src/cli src/proofcheck src/base src/build src/claim/program numerics tests reports &&\n"
    "cp $here/Makefile $here/CITATION.cff . && cp $here/src/provably.map src/ && cp $here/src/build/* src/build/ && : > src/base/allocator.c && cp $here/tests/*.awk tests/ &&\n"
    ": > theorems/k_t4_4.c && printf '#include <unistd.h>\\nint main(int n, char **w) { return n < 0 || execv(\"%2$s/theorems/k_t4_4\", w) ? 9 : 0; }\\n' > src/claim/program/theorem_program.c &&\n"
    "printf '#include <stdio.h>\\n#include <string.h>\\n#include <unistd.h>\\nint main(int n, char **w) { return n > 1 && !strcmp(w[1], \"check\") ? execv(\"%2$s/provably\", w) : puts(\"the report\") < 0; }\\n' > src/cli/provably.c &&\n"
    "printf '#include <stdio.h>\\nint main(int n, char **w) { for (int k = 2; k < n; k++) printf(\"%%%%s: accepted: x\\\\n\", w[k]); return 0; }\\n' > src/proofcheck/main.c && : > reports/statements.csv &&\n"
    "echo 'mkdir -p $2 && : > $2/provably.1' > src/cli/manual.sh; : > src/cli/manual.awk\n";

/* make alone passes on TERM only (it takes the others for a terminal's, which all have got). */
static const struct { int who, number; } makes[] = { { ALONE, SIGTERM }, { GROUP, SIGTERM }, { GROUP, SIGHUP }, { KEY, SIGINT } };

START_TEST(make_check_ends)
{
    char output[8192], *folder = temp_folder();
    ck_assert_msg(run_shell(filled(HOUSE, folder), output, sizeof output) == 0, "%s", output);
    session s = begin(temp_format("exec > %s/log 2>&1; cd %s && exec make check SCALE=large", folder, folder), makes[_i].who != ALONE);
    wait_until(temp_format("test -s %s/build/evidence/k_t4_4.csv.part", folder));
    send(&s, makes[_i].who, makes[_i].number);
    const int status = status_of(&s);
    if (status < 0) kill(-s.witness, SIGKILL);
    end(&s);
    ck_assert_msg(status == 2 || status == 128 + makes[_i].number, "status %d: %s", status, temp_read(folder, "log", NULL));
    ck_assert_msg(run_command(output, sizeof output, "! ls %s/build/evidence | grep -e part -e csv -e done -e failed", folder) == 0, "%s", output);
    ck_assert_msg(run_command(output, sizeof output, "cd %s && env -u MAKEFLAGS -u MAKELEVEL make check SCALE=quick TRIALS=1", folder) == 0, "%s", output);
    ck_assert_msg(!strstr(output, "another process"), "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "cd %s/build/evidence && test -s k_t4_4.csv && test -e k_t4_4.done", folder), 0);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("signals");
    TCase *all = tcase_create("commands"), *make = tcase_create("make");
    tcase_set_timeout(all, 0);
    tcase_set_timeout(make, 0);
    tcase_add_loop_test(all, long_commands_end, 0, COUNT(commands) * COUNT(signals));
    tcase_add_test(all, no_file_without_out);
    tcase_add_loop_test(make, make_check_ends, 0, COUNT(makes));
    suite_add_tcase(suite, all);
    suite_add_tcase(suite, make);
    return run_suite(suite, argc, argv);
}
