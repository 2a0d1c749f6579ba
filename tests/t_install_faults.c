/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_install_faults.c - `make install` at a system that refuses a call, or kills it there.
 *
 * A small tree's second version is installed over its first.  At one of the calls by which the script, or a program that it
 * starts, changes the folder (open, write, rename, link, unlink, mkdir, chmod) the call is refused, or everything is killed.
 *   - each installed file is wholly the old one or wholly the new one, and none is missing that both versions have
 *   - what was refused says so with status 2, or has done all the same; nothing of it lies beside the files
 *   - installed again, all is there; uninstalled instead, nothing is left
 * INSTALL_POINTS=N calls are tried (8; 0: all), each in both ways. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/support/answered.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static const struct { int call, path, fd, error; } stops[] = {            /* which argument is the path, or the descriptor */
    { __NR_openat, 1, -1, ENOSPC }, { __NR_write, -1, 0, ENOSPC }, { __NR_copy_file_range, -1, 2, ENOSPC },
    { __NR_renameat2, 3, -1, EIO }, { __NR_unlinkat, 1, -1, EIO }, { __NR_mkdirat, 1, -1, ENOSPC }, { __NR_symlinkat, 2, -1, ENOSPC },
    { __NR_fchmodat, 1, -1, EPERM },
#ifdef __NR_open
    { __NR_open, 0, -1, ENOSPC },
#endif
#ifdef __NR_rename
    { __NR_rename, 1, -1, EIO },
#endif
#ifdef __NR_mkdir
    { __NR_mkdir, 0, -1, ENOSPC },
#endif
#ifdef __NR_symlink
    { __NR_symlink, 1, -1, ENOSPC },
#endif
#ifdef __NR_unlink
    { __NR_unlink, 0, -1, EIO }, { __NR_rmdir, 0, -1, EIO },
#endif
#ifdef __NR_chmod
    { __NR_chmod, 0, -1, EPERM },
#endif
};
typedef struct { long at, seen; bool kills; } fault;                      /* at: from 1; 0: none */

static char *root, *stage, output[1 << 16];

/* ---- the thread that answers ------------------------------------------------------------------------------------------ */

static void of_process(pid_t p, const char *what, char *to, size_t size)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/%d/%s", (int)p, what);
    const ssize_t n = readlink(link, to, size - 1);
    to[n > 0 ? n : 0] = '\0';
}

/* The path that an argument of the call points to; one that is not absolute begins where the process is. */
static void path_at(const struct seccomp_notif *n, int argument, char *to, size_t size)
{
    char memory[64], word[512] = "";
    snprintf(memory, sizeof memory, "/proc/%d/mem", (int)n->pid);
    const int f = open(memory, O_RDONLY | O_CLOEXEC);
    for (size_t k = 0; f >= 0 && k + 1 < sizeof word; k++)                /* a page behind it may be missing */
        if (pread(f, word + k, 1, (off_t)(n->data.args[argument] + k)) != 1 || !word[k]) break;
    if (f >= 0) close(f);
    *to = '\0';
    if (*word != '/') of_process((pid_t)n->pid, "cwd", to, size);
    const size_t used = strlen(to);
    snprintf(to + used, size - used, "%s%s", *word == '/' ? "" : "/", word);
}

static bool changes(const struct seccomp_notif *n, int k)
{
    char path[4096], fd[32];
    if (n->data.nr == __NR_openat && !(n->data.args[2] & (O_WRONLY | O_RDWR))) return false;
#ifdef __NR_open
    if (n->data.nr == __NR_open && !(n->data.args[1] & (O_WRONLY | O_RDWR))) return false;
#endif
    if (stops[k].path >= 0) path_at(n, stops[k].path, path, sizeof path);
    else {
        snprintf(fd, sizeof fd, "fd/%d", (int)n->data.args[stops[k].fd]);
        of_process((pid_t)n->pid, fd, path, sizeof path);
    }
    return strncmp(path, stage, strlen(stage)) == 0;
}

static void answer(void *with, const struct seccomp_notif *n, struct seccomp_notif_resp *r)
{
    fault *f = with;
    size_t k = 0;
    while (k < COUNT(stops) && stops[k].call != n->data.nr) k++;
    if (k == COUNT(stops) || !changes(n, (int)k) || ++f->seen != f->at) return;
    if (f->kills) kill(-getpgid((pid_t)n->pid), SIGKILL);
    r->flags = 0;
    r->error = -stops[k].error;
}

/* ---- the script -------------------------------------------------------------------------------------------------------- */

static int shell(const char *command)
{
    return run_command(output, sizeof output, "cd '%s' && { %s\n}", root, command);
}
static void good(const char *command) { ck_assert_msg(shell(command) == 0, "%s: %.2000s", command, output); }

/* Its exit status; what it and its programs say is in the file `said`. */
static int install(const char *what, fault *f)
{
    int call[COUNT(stops)], status;
    for (size_t k = 0; k < COUNT(stops); k++) call[k] = stops[k].call;
    answered a = { .call = call, .calls = COUNT(stops), .answer = answer, .with = f };
    answered_begin(&a);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        if (chdir(temp_path(root, "tree")) != 0) _exit(126);
        setenv("DESTDIR", stage, 1);
        setenv("STRIP", ":", 1);
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(dup2(open(temp_path(root, "said"), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO), STDERR_FILENO);
        answered_child(&a);
        execlp("sh", "sh", "src/build/install.sh", what, "build", "/opt/p", NULL);
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0) ck_assert_int_eq(errno, EINTR);
    answered_end(&a);                                                      /* all that it started have ended, too */
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A tree with the files of version 1, and from them, in `next`, those of version 2: another content everywhere, a theorem
 * more and a list less. */
static void setup(void)
{
    root = temp_folder();
    stage = temp_path(root, "stage");
    ck_assert_int_eq(run_command(output, sizeof output,
        "d=$PWD; mkdir -p '%s/tree' && cd '%s/tree' && mkdir -p src/build src/cli src/checkpoint/architectures src/formal theorems reports build/man &&"
        " cp \"$d/src/build/install.sh\" src/build && for f in build/provably build/libprovably.so build/proofcheck build/man/provably.1 README.md"
        " LICENSE CITATION.cff reports/claims.csv reports/old.csv reports/DATA.md src/checkpoint/architectures/llama.json src/cli/complete.bash"
        " src/cli/complete.zsh src/cli/complete.fish theorems/n1.c; do echo \"1 $f\" > \"$f\"; done &&"
        " printf 'id,part,program\\nN1,as-stated,n1,x\\n' > reports/body_read.csv && cp -r . ../next && cd ../next && rm reports/old.csv &&"
        " : > theorems/n2.c && sed -i 's/^1 /2 /' build/[lp]* build/man/* *.* LICENSE reports/claims.csv reports/*.md src/checkpoint/architectures/* src/cli/*",
        root, root), 0);
}

static char *listed(const char *folder)                    /* a line for each file and link, with what is in it */
{
    ck_assert_int_eq(run_command(output, sizeof output, "cd '%s' 2>/dev/null || exit 0; find . -type l -printf '%%p %%l\\n' -o -type f"
                                 " -exec sh -c 'for f; do echo \"$f $(cat \"$f\" | tr \"\\n\" \" \")\"; done' sh {} + | sort", folder), 0);
    return temp_format("%s", output);
}

static bool has_line(const char *text, const char *line, size_t n)
{
    for (const char *at = text; (at = strstr(at, "./")); at++)
        if ((at == text || at[-1] == '\n') && strncmp(at, line, n) == 0 && at[n] == '\n') return true;
    return false;
}

static void each_file_is_whole(const char *where, const char *now, const char *first, const char *second)
{
    for (const char *line = now; *line; line += strcspn(line, "\n") + 1) {
        const size_t n = strcspn(line, "\n");
        if (strstr(line, "provably-new") && strstr(line, "provably-new") < line + n) continue;
        if (strncmp(line, "./opt/p/share/provably/installed ", 33) == 0) continue;      /* while it lasts, all of both */
        ck_assert_msg(has_line(first, line, n) || has_line(second, line, n), "%s: neither old nor new: %.*s", where, (int)n, line);
    }
    for (const char *line = first; *line; line += strcspn(line, "\n") + 1) {
        char *name = temp_format("\n%.*s ", (int)strcspn(line, " "), line);
        if (strstr(temp_format("\n%s", second), name))
            ck_assert_msg(strstr(temp_format("\n%s", now), name), "%s: missing: %s", where, name + 1);
    }
}

static void try_fault(fault f, const char *first, const char *second)
{
    char *where = temp_format("%s at call %ld", f.kills ? "killed" : "refused", f.at);
    good("rm -rf stage && cp -r first stage");
    const int status = install("install", &f);
    const char *said = temp_read(root, "said", NULL), *now = listed(stage);
    ck_assert_msg(f.seen >= f.at, "%s: there are %ld", where, f.seen);
    each_file_is_whole(where, now, first, second);
    if (f.kills) ck_assert_msg(status == 128 + SIGKILL, "%s: status %d: %s", where, status, said);
    else {
        ck_assert_msg(status == 2 ? strstr(said, "make install: ") != NULL : status == 0, "%s: status %d: %s", where, status, said);
        ck_assert_msg(status == 2 || strcmp(now, second) == 0, "%s: status 0: %s\n%s", where, said, now);
        ck_assert_msg(!strstr(now, "provably-new"), "%s: left: %s", where, now);
    }
    good("rm -rf copy && cp -a stage copy");
    ck_assert_msg(install("install", &(fault){ 0, 0, false }) == 0, "%s, and again: %s", where, temp_read(root, "said", NULL));
    ck_assert_msg(strcmp(listed(stage), second) == 0, "%s, and again:\n%s\ninstead of\n%s", where, listed(stage), second);
    good("rm -rf stage && mv copy stage");
    ck_assert_msg(install("uninstall", &(fault){ 0, 0, false }) == 0, "%s, uninstalled: %s", where, temp_read(root, "said", NULL));
    ck_assert_msg(!*listed(stage), "%s, uninstalled, and left:\n%s", where, listed(stage));
}

START_TEST(every_call)
{
    fault f = { 0, 0, false };
    const char *asked = getenv("INSTALL_POINTS");
    const long points = asked ? strtol(asked, NULL, 10) : 8;
    const int status = install("install", &f);
    if (status == ANSWERED_NOT_HERE) {
        fprintf(stderr, "t_install_faults: this system has no seccomp notifications: faults are not tried here\n");
        return;
    }
    ck_assert_msg(status == 0, "status %d: %s", status, temp_read(root, "said", NULL));
    const char *first = listed(stage);
    good("cp -r stage first && rm -r tree && cp -r next tree");
    f = (fault){ 0, 0, false };
    ck_assert_msg(install("install", &f) == 0, "%s", temp_read(root, "said", NULL));
    const char *second = listed(stage);
    const long calls = f.seen, tried = points && points < calls ? points : calls;
    ck_assert_msg(calls > 60 && strcmp(first, second) != 0, "%ld calls", calls);
    for (long k = 0; k < tried; k++)
        for (int kills = 0; kills < 2; kills++)
            try_fault((fault){ tried == calls ? k + 1 : 1 + (2 * k + 1) * calls / (2 * tried), 0, kills }, first, second);
    if (asked) printf("make install: %ld calls, %ld faults, %ld of them kills\n", calls, 2 * tried, tried);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("install_faults");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_unchecked_fixture(all, setup, NULL);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, every_call);
    return run_suite(suite, argc, argv);
}
