/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_files.c - the files that a user names: whole or not at all, while pipes, devices, links and folders stay what they
 * are; and a standard output that fails.
 *
 * Each pipe is read by the test itself, so that no one blocks: what is written fits into the pipe. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "src/base/file.h"
#include "src/base/outfile.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static char *folder;

static char *in_folder(const char *name) { return temp_path(folder, name); }

static void write_file(const char *name, const char *text)
{
    char *path = in_folder(name);
    outfile o = outfile_open(path);
    fputs(text, o.f);
    outfile_close(&o);
}

static void holds(const char *name, const char *text)
{
    const char *bytes = temp_read(folder, name, NULL);
    ck_assert_msg(strcmp(bytes, text) == 0, "%s: `%s`, not `%s`", name, bytes, text);
}

static mode_t kind_of(const char *name)
{
    struct stat s;
    char *path = in_folder(name);
    const int there = lstat(path, &s);
    return there == 0 ? s.st_mode & S_IFMT : 0;
}

static void link_to(const char *target, const char *name)
{
    char *path = in_folder(name);
    ck_assert_int_eq(symlink(target, path), 0);
}

static void new_folder(void) { folder = temp_folder(); }

/* ---- kinds of names ------------------------------------------------------------------------------------ */

START_TEST(whole_or_not_at_all)
{
    temp_text(folder, "old", "old");
    char *path = in_folder("old");
    outfile o = outfile_open(path);
    fputs("half", o.f);
    outfile_sync(&o);
    holds("old", "old");
    holds("old.part", "half");
    fputs(" and whole", o.f);
    outfile_close(&o);
    holds("old", "half and whole");
    ck_assert(kind_of("old.part") == 0);
    write_file("new", "new");
    holds("new", "new");
    ck_assert(!outfile_is_direct(path));
}
END_TEST

START_TEST(a_pipe_is_written_to)
{
    char *path = in_folder("pipe"), bytes[64] = "";
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    const int reader = open(path, O_RDONLY | O_NONBLOCK);
    ck_assert_int_ge(reader, 0);
    ck_assert(outfile_is_direct(path));
    outfile o = outfile_open(path);
    ck_assert_ptr_null(o.part);
    fputs("through the pipe", o.f);
    outfile_close(&o);
    ck_assert_int_eq(read(reader, bytes, sizeof bytes - 1), 16);
    ck_assert_str_eq(bytes, "through the pipe");
    ck_assert(kind_of("pipe") == S_IFIFO && kind_of("pipe.part") == 0);
    close(reader);
}
END_TEST

START_TEST(a_link_stays)
{
    char *far = in_folder("far");
    ck_assert_int_eq(mkdir(far, 0700), 0);
    temp_text(folder, "old", "old");
    link_to("old", "link");
    link_to("not-yet", "dangling");
    link_to("../further", "far/link");
    link_to("far/link", "twice");
    char *absolute = in_folder("absolute-target");
    link_to(absolute, "absolute");
    static const char *const names[][2] = { { "link", "old" }, { "dangling", "not-yet" }, { "twice", "further" },
                                            { "absolute", "absolute-target" } };
    for (size_t k = 0; k < COUNT(names); k++) {
        write_file(names[k][0], names[k][1]);
        holds(names[k][1], names[k][1]);
        ck_assert_msg(kind_of(names[k][0]) == S_IFLNK && kind_of(names[k][1]) == S_IFREG, "%s", names[k][0]);
    }
    ck_assert(kind_of("far/link") == S_IFLNK);
}
END_TEST

/* Standard output that is a regular file: what is written there joins what is printed, in this order. */
static void print_around(void *unused)
{
    (void)unused;
    char *path = in_folder("log");
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) _exit(9);
    close(fd);
    printf("before ");
    write_file("log", "file ");
    printf("after");
    fflush(stdout);
    _exit(kind_of("log.part") != 0);
}

START_TEST(standard_output_by_name)
{
    char output[256];
    ck_assert_int_eq(run_child(print_around, NULL, output, sizeof output), 0);
    holds("log", "before file after");
}
END_TEST

static void write_it(void *name) { write_file(name, "new"); }

static void refused(const char *name, const char *says)
{
    char output[1024];
    const int status = run_child(write_it, (void *)(uintptr_t)name, output, sizeof output);
    ck_assert_msg(status == 2 && strstr(output, says), "%s: status %d, output: %s", name, status, output);
    ck_assert_msg(strchr(output, '\n') == output + strlen(output) - 1, "%s: more than one line: %s", name, output);
}

START_TEST(what_is_no_file_is_refused)
{
    char *path = in_folder("folder");
    ck_assert_int_eq(mkdir(path, 0700), 0);
    refused("folder", "it is a folder; name a file in it");
    refused("missing/x", "make the folder");
    link_to("b", "a");
    link_to("a", "b");
    refused("a", "Too many levels");
    refused(temp_format("%0300d", 0), "choose a shorter name");
    ck_assert(kind_of("folder") == S_IFDIR && kind_of("a") == S_IFLNK && kind_of("folder.part") == 0);
}
END_TEST

/* What to do is said of what went wrong. */
START_TEST(advice_follows_the_error)
{
    static const struct { int why; const char *says; } all[] = {
        { ENOENT, "make the folder" }, { EACCES, "in which you may write" }, { EROFS, "in which you may write" },
        { ENOSPC, "free some space" }, { EDQUOT, "free some space" }, { EFBIG, "raise the limit (ulimit -f)" }, { EIO, "health of the disk" },
        { EISDIR, "it is a folder" }, { ELOOP, "lead in a circle" }, { ENXIO, "nothing reads it" }, { ENOMEM, "free some memory" },
        { EMFILE, "ulimit -n" }, { 0, "free some space" } };
    for (size_t k = 0; k < COUNT(all); k++)
        for (size_t i = 0; i < COUNT(all); i++) {
            const bool same = strcmp(all[i].says, all[k].says) == 0 ||
                              (all[i].why == EIO && strcmp(all[k].says, "free some space") == 0);   /* errno may be lost */
            ck_assert_msg((strstr(file_advice(all[i].why), all[k].says) != NULL) == same, "%s: %s", strerror(all[i].why), file_advice(all[i].why));
        }
}
END_TEST

/* Nodes of our own: what is wrong here could replace the system's. */
START_TEST(devices_stay)
{
    char *full = in_folder("full"), *block = in_folder("block");
    const bool can = mknod(full, S_IFCHR | 0600, makedev(1, 7)) == 0 && mknod(block, S_IFBLK | 0600, makedev(7, 200)) == 0;
    const int try_it = can ? open(full, O_WRONLY) : -1;
    if (try_it < 0) fprintf(stderr, "t_files: no devices can be made here: they are not tried\n");
    else {
        close(try_it);
        refused("full", "cannot write to");
        refused("full", strerror(ENOSPC));
        refused("block", "it is not a file, pipe or character device");
        ck_assert(kind_of("full") == S_IFCHR && kind_of("block") == S_IFBLK && kind_of("full.part") == 0);
    }
}
END_TEST

/* ---- what was begun is removed ------------------------------------------------------------------------- */

static void begin_and_die(void *unused)
{
    (void)unused;
    char *one = in_folder("one"), *two = in_folder("two"), *three = in_folder("three");
    outfile a = outfile_open(one), b = outfile_open(two), c = outfile_open(three);
    fputs("whole", b.f);
    outfile_close(&b);
    fputs("half", a.f);
    fputs("half", c.f);
    die("enough");
}

START_TEST(begun_files_do_not_stay)
{
    char output[256];
    ck_assert_int_eq(run_child(begin_and_die, NULL, output, sizeof output), 2);
    ck_assert(kind_of("one") == 0 && kind_of("one.part") == 0 && kind_of("three.part") == 0);
    holds("two", "whole");
}
END_TEST

/* ---- what must not be written over ---------------------------------------------------------------------- */

static void write_new(void *name) { write_file(name, "new"); }

/* A file that is read, by whatever name; a part that is a link, a pipe, or another process's. */
START_TEST(what_must_stay_stays)
{
    char output[512];
    temp_text(folder, "text", "text");
    link_to("text", "alias");
    outfile_input(in_folder("text"));
    outfile_input(in_folder("not there"));
    for (int k = 0; k < 100; k++) outfile_input(temp_text(folder, temp_format("shard%d", k), "shard"));
    static char *const names[] = { "text", "alias", "shard0", "shard99" };
    for (size_t k = 0; k < COUNT(names); k++) {
        ck_assert_int_eq(run_child(write_new, names[k], output, sizeof output), 2);
        ck_assert_msg(strstr(output, "it is what is read; choose another name") != NULL, "%s", output);
    }
    holds("text", "text");
    temp_text(folder, "precious", "precious");
    link_to("precious", "a.part");
    ck_assert_int_eq(run_child(write_new, "a", output, sizeof output), 2);
    holds("precious", "precious");
    ck_assert_int_eq(mkfifo(in_folder("b.part"), 0600), 0);
    ck_assert_int_eq(run_child(write_new, "b", output, sizeof output), 2);
    const int reader = open(in_folder("b.part"), O_RDONLY | O_NONBLOCK);
    ck_assert_int_eq(run_child(write_new, "b", output, sizeof output), 2);
    ck_assert_msg(strstr(output, "b.part is not a file; remove it") != NULL, "%s", output);
    close(reader);
    temp_text(folder, "d.part", "precious");                              /* called like a part, and somebody's own */
    ck_assert_int_eq(run_child(write_new, "d", output, sizeof output), 2);
    ck_assert_msg(strstr(output, "d.part was not begun by this program and would be lost; move it away or remove it") != NULL, "%s", output);
    holds("d.part", "precious");
    ck_assert_int_eq(link(in_folder("precious"), in_folder("e.part")), 0);
    ck_assert_int_eq(run_child(write_new, "e", output, sizeof output), 2);
    ck_assert_int_eq(chmod(in_folder("d.part"), 01644), 0);               /* a part that a killed process left */
    ck_assert_int_eq(link(in_folder("d.part"), in_folder("d2")), 0);      /* and that has another name */
    ck_assert_int_eq(run_child(write_new, "d", output, sizeof output), 2);
    holds("d2", "precious");
    ck_assert_int_eq(unlink(in_folder("d2")), 0);
    ck_assert_int_eq(run_child(write_new, "d", output, sizeof output), 0);
    holds("d", "new");
    struct stat s;
    ck_assert(stat(in_folder("d"), &s) == 0 && (s.st_mode & S_ISVTX) == 0 && kind_of("d.part") == 0);
    holds("precious", "precious");
    outfile mine = outfile_open(in_folder("c"));
    fputs("mine", mine.f);
    ck_assert_int_eq(run_child(write_new, "c", output, sizeof output), 2);
    ck_assert_msg(strstr(output, "another process is writing it; wait until it has ended") != NULL, "%s", output);
    outfile_close(&mine);
    holds("c", "mine");
    ck_assert_int_eq(run_child(write_new, "c", output, sizeof output), 0);
    holds("c", "new");
}
END_TEST

static void (*before_signal)(int) = SIG_DFL;

static void end_by_signal(void *with)
{
    const int number = *(const int *)with;
    signal(number, before_signal);
    outfile_folder(in_folder("made/below"));
    outfile o = outfile_open(in_folder("made/below/x"));
    fputs("half", o.f);
    raise(number);
    fputs(" and whole", o.f);
    outfile_close(&o);
    _exit(0);
}

/* What ends a process removes its parts; what it ignores does not touch them. */
START_TEST(signals_remove_parts)
{
    static int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    char output[256];
    for (size_t k = 0; k < COUNT(numbers); k++) {
        before_signal = SIG_DFL;
        ck_assert_int_eq(run_child(end_by_signal, &numbers[k], output, sizeof output), 128 + numbers[k]);
        ck_assert(kind_of("made") == 0);
        before_signal = SIG_IGN;
        ck_assert_int_eq(run_child(end_by_signal, &numbers[k], output, sizeof output), 0);
        holds("made/below/x", "half and whole");
        ck_assert(unlink(in_folder("made/below/x")) == 0 && rmdir(in_folder("made/below")) == 0 && rmdir(in_folder("made")) == 0);
    }
}
END_TEST

static void die_at_once(void *unused) { (void)unused; die("a child"); }

START_TEST(a_child_leaves_its_parents_files)
{
    char output[256], *path = in_folder("mine");
    outfile o = outfile_open(path);
    ck_assert_int_eq(run_child(die_at_once, NULL, output, sizeof output), 2);
    fputs("mine", o.f);
    outfile_close(&o);
    holds("mine", "mine");
}
END_TEST

static void require_it(void *path) { file_require(path); }

START_TEST(files_that_are_read_again)
{
    char output[512], *pipe_name = in_folder("pipe"), *file = in_folder("file"), *missing = in_folder("missing");
    ck_assert_int_eq(mkfifo(pipe_name, 0600), 0);
    temp_text(folder, "file", "");
    ck_assert_int_eq(run_child(require_it, pipe_name, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "it is not a regular file"));
    ck_assert_int_eq(run_child(require_it, file, output, sizeof output), 0);
    ck_assert_int_eq(run_child(require_it, missing, output, sizeof output), 0);
}
END_TEST

static void read_it(void *path)
{
    alarm(20);
    FILE *f = file_open(path);
    char text[16] = "";
    if (!f) _exit(errno == ENOENT ? 7 : 9);
    _exit(fgets(text, sizeof text, f) && strcmp(text, "text") == 0 ? 0 : 9);
}

/* A named pipe that nobody writes to and a device are not waited for; a pipe that is open is read. */
START_TEST(files_that_never_end)
{
    char output[512], *pipe_name = in_folder("pipe"), *file = temp_text(folder, "file", "text");
    int ends[2];
    ck_assert(mkfifo(pipe_name, 0600) == 0 && pipe(ends) == 0 && write(ends[1], "text", 4) == 4 && close(ends[1]) == 0);
    ck_assert_int_eq(run_child(read_it, file, output, sizeof output), 0);
    ck_assert_int_eq(run_child(read_it, in_folder("missing"), output, sizeof output), 7);
    ck_assert_int_eq(run_child(read_it, temp_format("/dev/fd/%d", ends[0]), output, sizeof output), 0);
    ck_assert_int_eq(run_child(read_it, pipe_name, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "pipe: it is a named pipe, not a file; name a file\n") != NULL, "%s", output);
    ck_assert_int_eq(run_child(read_it, (char *)(uintptr_t)"/dev/zero", output, sizeof output), 2);
    ck_assert_msg(strstr(output, "cannot read /dev/zero: it is a device") != NULL, "%s", output);
    close(ends[0]);
}
END_TEST

/* ---- standard output ----------------------------------------------------------------------------------- */

/* Output can be lost at the end, midway, or before our code runs; and not at all. */
typedef struct { const char *to; bool closed; long bytes; int status; const char *says; } printing;
static const printing printings[] = {
    { "/dev/full", false, 10, 2, "cannot write to standard output: No space left on device" },
    { "/dev/full", false, 1000000, 2, "cannot write to standard output: " },
    { "/dev/full", false, 0, 0, "" },
    { "/dev/null", false, 1000000, 0, "" },
    { "", true, 10, 2, "cannot write to standard output: Bad file descriptor" },
    { "", true, 0, 0, "" },
};

static void print_to(void *with)
{
    const printing *p = with;
    if (p->closed) close(STDOUT_FILENO);
    else {
        const int fd = open(p->to, O_WRONLY);
        if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) _exit(9);
    }
    base_init(1, (char *[]){ (char *)(uintptr_t)"prints", NULL });
    write_file("beside", "beside");                              /* never mixed up with what is printed */
    for (long k = 0; k < p->bytes; k++) putchar('x');
    exit(0);
}

START_TEST(printed_or_status_2)
{
    char output[1024];
    const printing *p = &printings[_i];
    const int status = run_child(print_to, (void *)(uintptr_t)p, output, sizeof output);
    ck_assert_msg(status == p->status && strstr(output, p->says), "status %d, output: %s", status, output);
    ck_assert_msg(status ? strchr(output, '\n') == output + strlen(output) - 1 : !*output, "output: %s", output);
    holds("beside", "beside");
}
END_TEST

static void lose_errors(void *unused)
{
    (void)unused;
    const int fd = open("/dev/full", O_WRONLY);
    if (fd < 0 || dup2(fd, STDERR_FILENO) < 0) _exit(9);
    fprintf(stderr, "a warning\n");
    exit(0);
}

START_TEST(a_lost_warning_is_status_2)
{
    char output[256];
    ck_assert_int_eq(run_child(lose_errors, NULL, output, sizeof output), 2);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("files");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_checked_fixture(all, new_folder, NULL);
    tcase_add_test(all, whole_or_not_at_all);
    tcase_add_test(all, a_pipe_is_written_to);
    tcase_add_test(all, a_link_stays);
    tcase_add_test(all, standard_output_by_name);
    tcase_add_test(all, what_is_no_file_is_refused);
    tcase_add_test(all, advice_follows_the_error);
    tcase_add_test(all, devices_stay);
    tcase_add_test(all, begun_files_do_not_stay);
    tcase_add_test(all, what_must_stay_stays);
    tcase_add_test(all, a_child_leaves_its_parents_files);
    tcase_add_test(all, signals_remove_parts);
    tcase_add_test(all, files_that_are_read_again);
    tcase_add_test(all, files_that_never_end);
    tcase_add_loop_test(all, printed_or_status_2, 0, COUNT(printings));
    tcase_add_test(all, a_lost_warning_is_status_2);
    return run_suite(suite, argc, argv);
}
