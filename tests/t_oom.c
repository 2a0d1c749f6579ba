/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_oom.c - out of memory: an allocation of a command is refused, once, or that and all after it.
 *
 * Whatever asked for it, ours or a library, the command ends with status 2 and one line, never by a signal; no file is
 * left, and where there are many no unfinished one.
 * OOM_POINTS=N allocations are tried of each command, in both ways (0: all); with OOM_RECORD=FILE a line is added there
 * for each. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/support/every_command.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static const char *root;
static const char *library;

typedef struct { long at; bool on, others; } refusal;              /* at 0: none, they are counted              */
typedef struct { command_end is; bool refused; long made; } ending;

/* In the child: what tests/faults/memory.c is told; its descriptor is closed by no program that is executed. */
typedef struct { refusal r; pid_t parent; int tell[2]; } preload;
static void load_first(void *with)
{
    const preload *p = with;
    setenv("MEMORY_PARENT", must_format("%ld", (long)p->parent), 1);
    setenv("MEMORY_AT", must_format("%ld", p->r.at), 1);
    setenv("MEMORY_ON", p->r.on ? "1" : "0", 1);
    setenv("MEMORY_TELL", must_format("%d", p->tell[1]), 1);
    if (p->r.others) setenv("MEMORY_OF", "others", 1);
    setenv("LD_PRELOAD", library, 1);
    fcntl(p->tell[1], F_SETFD, 0);
}

static ending call(const every_command *c, refusal r)
{
    preload p = { .r = r, .parent = getpid() };
    char told[4096];
    ck_assert_int_eq(pipe2(p.tell, O_CLOEXEC | O_NONBLOCK), 0);
    ending e = { .is = every_command_run(c, load_first, &p) };
    const ssize_t n = read(p.tell[0], told, sizeof told - 1);
    told[n > 0 ? n : 0] = '\0';
    close(p.tell[0]);
    close(p.tell[1]);
    e.refused = told[0] == '.';
    for (const char *line = told; *line; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL)) {
        const long made = strtol(line, NULL, 10);
        if (made > e.made) e.made = made;
    }
    return e;
}

/* ---- the walk ---------------------------------------------------------------------------------------------- */

static long points(void)
{
    const char *text = getenv("OOM_POINTS");
    return text ? strtol(text, NULL, 10) : 3;
}

/* The k-th of n points of [1, made]: the first ones all, then spread by the golden ratio, where no period of the program
 * can hide. */
static long point(long k, long n, long made)
{
    const long first = n / 2;
    if (n >= made || k < first) return k + 1;
    const double share = (double)k * 0.6180339887498949;
    return first + 1 + (long)((share - (double)(long)share) * (double)(made - first));
}

START_TEST(every_allocation)
{
    const every_command *c = &every_commands[_i];
    const ending whole = call(c, (refusal){ 0 });
    ck_assert_msg(whole.is.status == c->status, "%s: status %d: %s", c->name, whole.is.status, whole.is.errors);
    ck_assert_msg(whole.made > 0, "%s: no allocation was seen", c->name);
    every_command_empty();
    const long asked = points(), n = asked && asked < whole.made ? asked : whole.made;
    long tried = 0, refused = 0;
    for (long k = 0; k < 2 * n; k++) {
        const refusal r = { .at = point(k / 2, n, whole.made), .on = k % 2 };
        char *where = must_format("allocation %ld of %ld%s", r.at, whole.made, r.on ? " and all after it" : "");
        const ending e = call(c, r);
        tried++;
        refused += e.refused;
        const char *line = strchr(e.is.errors, '\n');
        /* how far its runs are, and what one of them says, may stand before */
        while (c->is == MANY && line && line[1]) line = strchr(line + 1, '\n');
        if (e.refused && e.is.status == c->status && c->is == GOES_ON) {
            ck_assert_msg(strcmp(e.is.output, whole.is.output) == 0 && !line, "%s, %s: it says %s%s", c->name, where, e.is.output, e.is.errors);
        } else if (e.refused) {
            ck_assert_msg(e.is.status == 2, "%s, %s: status %d: %s", c->name, where, e.is.status, e.is.errors);
            ck_assert_msg(line && !line[1] && strstr(e.is.errors, "memory"), "%s, %s: not one line: %s", c->name, where, e.is.errors);
            every_command_nothing_left(c, where);
        } else {
            ck_assert_msg(e.is.status == c->status, "%s, %s: status %d: %s", c->name, where, e.is.status, e.is.errors);
            every_command_empty();
        }
        free(where);
    }
    ck_assert_msg(10 * refused >= 9 * tried, "%s: %ld of %ld allocations were refused", c->name, refused, tried);
    if (getenv("OOM_RECORD")) {
        FILE *f = fopen(getenv("OOM_RECORD"), "a");
        ck_assert(f && fprintf(f, "%s\t%ld\t%ld\n", c->name, whole.made, refused) > 0 && fclose(f) == 0);
    }
}
END_TEST

/* What a command calls may find no memory, either. */
START_TEST(children)
{
    static const char *const calls[] = { "reproduce", "sweep" };
    const every_command *c = every_commands;
    while (strcmp(c->name, calls[_i]) != 0) c++;
    const ending whole = call(c, (refusal){ .others = true });
    ck_assert_msg(whole.is.status == c->status && whole.made > 0, "%s: status %d, %ld allocations", c->name, whole.is.status, whole.made);
    every_command_empty();
    long refused = 0;
    for (long k = 0; k < points(); k++) {
        const refusal r = { .at = point(k, points(), whole.made), .on = k % 2, .others = true };
        const ending e = call(c, r);
        refused += e.refused;
        ck_assert_msg(!e.refused || e.is.status == 1 || e.is.status == 2,
                      "%s, allocation %ld of a child: status %d: %s%s", c->name, r.at, e.is.status, e.is.output, e.is.errors);
        every_command_nothing_left(c, "a child");
    }
    ck_assert_int_gt(refused, 0);
}
END_TEST

/* What `provably help` lists is above. */
START_TEST(no_command_is_missing)
{
    char said[16384];
    long found = 0;
    ck_assert_int_eq(run_command(said, sizeof said, "%s/provably help | sed -n '/^Claims/,$s/^  \\([a-z][a-z-]*\\) .*/\\1/p'", build_folder()), 0);
    for (char *save = NULL, *name = strtok_r(said, "\n", &save); name; name = strtok_r(NULL, "\n", &save), found++) {
        char *want = temp_format("%%2$s/provably %s", name);
        const size_t n = strlen(want);
        bool is = strcmp(name, "help") == 0;
        for (int k = 0; k < every_commands_n; k++)
            is = is || (strncmp(every_commands[k].command, want, n) == 0 && strchr(" ", every_commands[k].command[n]));
        ck_assert_msg(is, "no allocation of `provably %s` is refused here", name);
    }
    ck_assert_int_gt(found, 15);
}
END_TEST

static void setup(void)
{
    root = every_command_folder();
    library = every_command_library("memory");
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create("oom");
    TCase *all = tcase_create("commands");
    suite_add_tcase(suite, all);
    tcase_add_unchecked_fixture(all, setup, NULL);
    tcase_set_timeout(all, 0);
#ifndef __SANITIZE_ADDRESS__                             /* it has a malloc of its own */
    tcase_add_loop_test(all, every_allocation, 0, every_commands_n);
    tcase_add_loop_test(all, children, 0, 2);
#endif
    tcase_add_test(all, no_command_is_missing);
    return run_suite(suite, argc, argv);
}
