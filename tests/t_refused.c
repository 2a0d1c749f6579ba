/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_refused.c - what src/base and src/data do where the system refuses a call: fsync, rename, fork, waitpid, mmap and others
 * are this program's own here, and one of them, the n-th, answers with an error.
 *
 * t_calls does this to whole commands; here each call has the message, or the way round it, that its place has. */
#include <check.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/base/admitted.h"
#include "src/base/blas_core.h"
#include "src/base/child.h"
#include "src/base/crew.h"
#include "src/base/file.h"
#include "src/base/mapped.h"
#include "src/base/option.h"
#include "src/base/outfile.h"
#include "src/base/screen.h"
#include "src/base/shown.h"
#include "src/data/checksum.h"
#include "src/data/safetensors.h"
#include "src/data/unpack.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- the calls --------------------------------------------------------------------------------------------------------- */

static struct { const char *call; long nth, seen; int error; } now;       /* nth: 0: none */
static int terminal_columns = -1;                                         /* -1: no file is a terminal */

static bool refused(const char *call)
{
    if (!now.nth || strcmp(call, now.call) != 0 || ++now.seen != now.nth) return false;
    errno = now.error;
    return true;
}
#define REAL(name) __typeof__(name) *real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
int fsync(int fd) { REAL(fsync); return refused("fsync") ? -1 : real(fd); }
int ftruncate(int fd, off_t n) { REAL(ftruncate); return refused("ftruncate") ? -1 : real(fd, n); }
int flock(int fd, int how) { REAL(flock); return refused("flock") ? -1 : real(fd, how); }
int fstat(int fd, struct stat *s) { REAL(fstat); return refused("fstat") ? -1 : real(fd, s); }
int lstat(const char *path, struct stat *s)
{
    REAL(lstat);
    return refused("lstat") ? -1 : real(path, s);
}
int rename(const char *from, const char *to)
{
    REAL(rename);
    return refused("rename") ? -1 : real(from, to);
}
int open(const char *path, int flags, ...)
{
    REAL(open);
    va_list ap;
    va_start(ap, flags);
    const mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    return refused(flags & O_DIRECTORY ? "open folder" : "open") ? -1 : real(path, flags, mode);
}
int pipe2(int ends[2], int flags) { REAL(pipe2); return refused("pipe2") ? -1 : real(ends, flags); }
FILE *fdopen(int fd, const char *how) { REAL(fdopen); return refused("fdopen") ? NULL : real(fd, how); }
int fclose(FILE *f)
{
    REAL(fclose);
    const bool no = refused("fclose");
    const int is = real(f);
    if (no) errno = now.error;
    return no ? EOF : is;
}
pid_t fork(void) { REAL(fork); return refused("fork") ? -1 : real(); }
pid_t waitpid(pid_t p, int *status, int how)
{
    REAL(waitpid);
    return refused("waitpid") ? -1 : real(p, status, how);
}
int sigaction(int which, const struct sigaction *to, struct sigaction *from)
{
    REAL(sigaction);
    return refused("sigaction") ? -1 : real(which, to, from);
}
void *mmap(void *at, size_t n, int how, int flags, int fd, off_t from)
{
    REAL(mmap);
    return fd >= 0 && refused("mmap") ? MAP_FAILED : real(at, n, how, flags, fd, from);
}
ssize_t getrandom(void *to, size_t n, unsigned flags)
{
    REAL(getrandom);
    return refused("getrandom") ? -1 : real(to, n, flags);
}
int isatty(int fd)
{
    REAL(isatty);
    return terminal_columns >= 0 ? 1 : real(fd);
}
int ioctl(int fd, unsigned long what, ...)
{
    REAL(ioctl);
    va_list ap;
    va_start(ap, what);
    void *to = va_arg(ap, void *);
    va_end(ap);
    if (what != TIOCGWINSZ || terminal_columns < 0) return real(fd, what, to);
    if (refused("ioctl")) return -1;
    *(struct winsize *)to = (struct winsize){ .ws_col = (unsigned short)terminal_columns };
    return 0;
}

/* ---- one function, one refusal -------------------------------------------------------------------------------------------- */

typedef struct { void (*act)(const char *path); const char *path, *call; long nth; int error; } refusal;
static void act(void *with)
{
    const refusal *r = with;
    now.call = r->call, now.nth = r->nth, now.error = r->error, now.seen = 0;
    r->act(r->path);
    const bool met = now.seen >= now.nth;
    now.nth = 0;
    if (!met) die("%s was called %ld times", r->call, now.seen);
}

/* says: NULL: it finds a way round. */
static void refuse(void (*f)(const char *), const char *path, const char *call, long nth, int error, const char *says)
{
    char output[2048];
    refusal r = { f, path, call, nth, error };
    const int status = run_child(act, &r, output, sizeof output);
    ck_assert_msg(status == (says ? 2 : 0), "%s %ld, %s: status %d: %s", call, nth, strerror(error), status, output);
    ck_assert_msg(!says || (strstr(output, says) && strstr(output, strerror(error))), "%s %ld, %s: missing: %s\nin: %s", call, nth,
                  strerror(error), says, output);
}

static void write_one(const char *path)
{
    outfile o = outfile_open(path);
    fputs("new", o.f);
    outfile_close(&o);
}
static void begin_one(const char *path)
{
    outfile o = outfile_open(path);
    outfile_abandon(&o);
    outfile_remove_at_signals();
}

START_TEST(files_that_are_written)
{
    static const struct { const char *call; long nth; int error; const char *says; } all[] = {
        { "fsync", 1, EIO, "cannot finish " }, { "fsync", 1, ENOSPC, "cannot finish " }, { "fsync", 1, EINVAL, NULL }, { "fsync", 1, EROFS, NULL },
        { "fsync", 1, ENOTSUP, NULL }, { "fsync", 2, EIO, "its folder is not safe on the disk" }, { "fsync", 2, EBADF, NULL }, { "fsync", 2, EINVAL, NULL },
        { "fsync", 2, EROFS, NULL }, { "fsync", 2, ENOTSUP, NULL }, { "open folder", 1, EACCES, NULL },
        { "open folder", 1, EMFILE, "its folder is not safe on the disk" }, { "rename", 1, EXDEV, "cannot finish " }, { "fclose", 1, EDQUOT, "cannot finish " },
        { "ftruncate", 1, EIO, "cannot write " }, { "fdopen", 1, ENOMEM, "cannot write " }, { "fstat", 1, EIO, NULL }, { "fstat", 3, EIO, "cannot write " },
        { "open", 1, EACCES, "cannot write " }, { "flock", 1, ENOLCK, NULL }, { "lstat", 1, ENOENT, NULL } };
    for (size_t k = 0; k < COUNT(all); k++) {
        char *folder = temp_folder(), *path = temp_path(folder, "f");
        temp_text(folder, "f", "old");
        refuse(write_one, path, all[k].call, all[k].nth, all[k].error, all[k].says);
        const bool renamed = !all[k].says || strstr(all[k].says, "folder");
        ck_assert_str_eq(temp_read(NULL, path, NULL), renamed ? "new" : "old");
        ck_assert_msg(!temp_exists(folder, "f.part"), "%s %ld: a part is left", all[k].call, all[k].nth);
    }
    char output[2048], *path = temp_path(temp_folder(), "f");
    refusal busy = { write_one, path, "flock", 1, EWOULDBLOCK };
    ck_assert_int_eq(run_child(act, &busy, output, sizeof output), 2);
    ck_assert_msg(strstr(output, outfile_busy), "%s", output);
    refuse(begin_one, path, "sigaction", 1, EINVAL, NULL);
    refuse(begin_one, "/dev/null", "fclose", 1, EIO, NULL);
}
END_TEST

static void ask(const char *program)
{
    char line[16] = "";
    child c = child_begin((const char *const[]){ program, "said", NULL }, true);
    if (!fgets(line, sizeof line, c.f) || strcmp(line, "said\n") != 0) die("it says `%s`", line);
    if (child_end(&c) != 0) die("it has failed");
}
static void ask_to_end(const char *program) { if (child_run((const char *const[]){ program, NULL }) != 0) die("it has failed"); }
static void become_true(const void *of)
{
    execlp("true", "true", NULL);
    (void)of;
}
static void work_side_by_side(const char *path)
{
    int status;
    long at;
    (void)path;
    crew c = crew_begin(1);
    crew_start(&c, become_true, NULL);
    while ((at = crew_wait(&c, &status)) < 0) {}
    crew_end(&c);
    if (at != 0 || status != 0) die("place %ld, status %d", at, status);
}

START_TEST(processes)
{
    refuse(ask, "echo", "pipe2", 1, EMFILE, "cannot ask echo");
    refuse(ask, "echo", "fdopen", 1, ENOMEM, "cannot ask echo");
    refuse(ask, "echo", "fork", 1, EAGAIN, "cannot ask echo");
    refuse(ask, "echo", "waitpid", 1, EINTR, NULL);
    refuse(ask, "echo", "waitpid", 1, ECHILD, "cannot wait for echo");
    refuse(ask_to_end, "true", "fork", 1, EAGAIN, "cannot start true");
    refuse(ask_to_end, "true", "waitpid", 1, EINTR, NULL);
    refuse(ask_to_end, "true", "waitpid", 1, ECHILD, "cannot wait for true");
    refuse(work_side_by_side, "", "fork", 1, EAGAIN, "cannot start a process");
    refuse(work_side_by_side, "", "waitpid", 1, EINTR, NULL);
    refuse(work_side_by_side, "", "waitpid", 1, ECHILD, "waitpid");
}
END_TEST

static void map(const char *path)
{
    size_t n;
    unsigned char *first = mapped_open(path, &n, "try again"), *at = mapped_open(path, &n, "try again");
    mapped_close(first, n);
    mapped_close(at, n);
}
static void sum(const char *path)
{
    char hex[128];
    if (!checksum_sha256(path, hex)) die("no sum of %s: %s", path, strerror(errno));
}
static void unpack(const char *path)
{
    size_t n;
    free(unpack_file(path, &n));
}
static void draw(const char *path)
{
    (void)path;
    option_seed("random", "--seed");
}
static void read_tensors(const char *path)
{
    safetensors s = safetensors_read(path);
    safetensors_free(&s);
}

START_TEST(files_that_are_read)
{
    char *path = temp_text(temp_folder(), "f", "some text");
    refuse(map, path, "fstat", 1, EIO, "cannot read ");
    refuse(map, path, "mmap", 1, ENOMEM, "cannot read ");
    refuse(map, path, "open", 1, EMFILE, "cannot read ");
    refuse(sum, path, "open", 1, EMFILE, "no sum of ");
    refuse(unpack, path, "fstat", 2, EIO, "cannot read ");
    refuse(unpack, path, "open", 1, EMFILE, "cannot read ");
    refuse(read_tensors, path, "fstat", 2, EIO, "cannot read ");
    refuse(draw, "", "getrandom", 1, ENOSYS, "the system gave no random number");
}
END_TEST

/* ---- terminals and words -------------------------------------------------------------------------------------------------- */

static int width(int columns, const char *named)
{
    terminal_columns = columns;
    if (named) setenv("COLUMNS", named, 1);
    else unsetenv("COLUMNS");
    const int is = screen_of(stdout, 0, COLOUR_NEVER).width;
    terminal_columns = -1;
    return is;
}

START_TEST(widths)
{
    ck_assert_int_eq(width(80, "77"), 80);
    ck_assert_int_eq(width(10, NULL), SCREEN_LEAST);
    ck_assert_int_eq(width(5000, NULL), SCREEN_MOST);
    ck_assert_int_eq(width(0, "77"), 77);
    ck_assert_int_eq(width(0, "-3"), SCREEN_USUAL);
    ck_assert_int_eq(width(0, "77x"), SCREEN_USUAL);
    ck_assert_int_eq(width(0, NULL), SCREEN_USUAL);
    now.call = "ioctl", now.nth = 1, now.seen = 0, now.error = ENOTTY;
    ck_assert_int_eq(width(80, "77"), 77);
    now.nth = 0;
}
END_TEST

START_TEST(what_a_terminal_is_shown)
{
    char *path = temp_path(temp_folder(), "f");
    FILE *f = fopen(path, "w");
    ck_assert_ptr_eq(shown_terminal(f), f);                                /* no terminal: as it is */
    terminal_columns = 80;
    FILE *in_front = shown_terminal(f);
    terminal_columns = -1;
    ck_assert_ptr_ne(in_front, f);
    fprintf(in_front, "a\tb\n%c[31m%c", 27, 0);
    fprintf(in_front, "\n\n");
    ck_assert_int_eq(fclose(in_front), 0);
    ck_assert_int_eq(fclose(f), 0);
    const char *text = temp_read(NULL, path, NULL);
    ck_assert_msg(strncmp(text, "a\tb\n", 4) == 0 && !strchr(text, 27) && strstr(text, "[31m"), "%s", text);
}
END_TEST

START_TEST(words_of_a_shell)
{
    static const char *const words[] = { "plain", "", "two words", "it's", "a$b`c`", "tab\there", "\x1b[31m'\\x", "\xc3\xa9 \xc2\x9b" };
    for (size_t k = 0; k < COUNT(words); k++) {
        char *word = shell_word(words[k]), said[256] = "";
        ck_assert_int_eq(run_command(said, sizeof said, "command -v bash >/dev/null || exit 9; cat > '%s' <<'END'\nprintf %%s %s\nEND\n",
                                     temp_path(temp_folder(), "x"), word), 0);
        char *script = temp_text(temp_folder(), "s", temp_format("printf %%s %s", word));
        ck_assert_int_eq(run_command(said, sizeof said, "bash '%s'", script), 0);
        ck_assert_msg(strcmp(said, words[k]) == 0, "%s is `%s`", word, said);
        free(word);
    }
}
END_TEST

START_TEST(names_that_may_become_paths)
{
    static const struct { const char *name; bool program, a_name, path; } all[] = {
        { "k_t4_4", true, true, true }, { "", false, false, false }, { "a-b", false, true, true }, { "A.b+c=", false, true, true }, { "-a", false, false, false },
        { "a..b", false, false, false }, { "a/b", false, false, true }, { "a//b", false, false, false }, { "/a", false, false, false }, { "a/", false, false, false },
        { "a/../b", false, false, false }, { "a b", false, false, false }, { "a/b c", false, false, false } };
    for (size_t k = 0; k < COUNT(all); k++) {
        ck_assert_msg(admitted_program(all[k].name) == all[k].program, "%s", all[k].name);
        ck_assert_msg(admitted_name(all[k].name) == all[k].a_name, "%s", all[k].name);
        ck_assert_msg(admitted_path(all[k].name) == all[k].path, "%s", all[k].name);
    }
    char longest[200];
    memset(longest, 'a', sizeof longest);
    longest[127] = '\0';
    ck_assert(admitted_name(longest));
    longest[127] = 'a', longest[128] = '\0';
    ck_assert(!admitted_name(longest));
    static const char *const no_labels[] = { "a\tb", "a\x7f", "'", "\"", "`", "\\", "$" };
    for (size_t k = 0; k < COUNT(no_labels); k++) ck_assert_msg(!admitted_label(no_labels[k]), "%s", no_labels[k]);
    ck_assert(admitted_label("a (b) ~"));
    static const char *const no_latex[] = { "\\input{x}", "\\", "\\def", "a^^5c", "\x1b", "\\writeeighteenandmanymoreletterswhichareverylong", "\xff" };
    char fault[200];
    for (size_t k = 0; k < COUNT(no_latex); k++) ck_assert_msg(admitted_latex(no_latex[k], fault, sizeof fault) == fault, "%s", no_latex[k]);
    static const char *const latex[] = { "$\\alpha^2$", "50 \\%", "\\frac{a}{b}", "a^b", "\xc3\xa9" };
    for (size_t k = 0; k < COUNT(latex); k++) ck_assert_msg(!admitted_latex(latex[k], fault, sizeof fault), "%s: %s", latex[k], fault);
}
END_TEST

/* The core that OpenBLAS is told to use. */
START_TEST(cores)
{
    static const struct { const char *named, *chosen, *loaded, *best; blas_core_action is; } all[] = {
        { NULL, NULL, "Haswell", "Haswell", BLAS_CORE_KEEP }, { NULL, NULL, "Haswell", "SkylakeX", BLAS_CORE_SET }, { NULL, NULL, NULL, "SkylakeX", BLAS_CORE_KEEP },
        { "Zen", NULL, "Zen", "SkylakeX", BLAS_CORE_UNSET }, { "Zen", "Haswell", "Zen", "SkylakeX", BLAS_CORE_UNSET }, { "Zen", "Zen", "Zen", "SkylakeX", BLAS_CORE_KEEP },
        { NULL, NULL, "SapphireRapids", "Cooperlake", BLAS_CORE_KEEP }, { NULL, NULL, "Prescott", "Haswell", BLAS_CORE_SET }, { NULL, NULL, "Zen", NULL, BLAS_CORE_KEEP } };
    for (size_t k = 0; k < COUNT(all); k++)
        ck_assert_msg(blas_core_decide(all[k].named, all[k].chosen, all[k].loaded, all[k].best) == all[k].is, "%zu", k);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("refused");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, files_that_are_written);
    tcase_add_test(all, processes);
    tcase_add_test(all, files_that_are_read);
    tcase_add_test(all, widths);
    tcase_add_test(all, what_a_terminal_is_shown);
    tcase_add_test(all, words_of_a_shell);
    tcase_add_test(all, names_that_may_become_paths);
    tcase_add_test(all, cores);
    return run_suite(suite, argc, argv);
}
