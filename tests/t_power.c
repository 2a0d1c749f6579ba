/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_power.c - the power fails: what a command has written since its last fsync is lost.
 *
 * tests/faults/power.c notes what fsync has seen and kills the command at one of its fsyncs or renames, or not at all.  Then
 * what no fsync has seen is taken away, as if the power had failed there: either the names are all there (a file that was
 * renamed before it was synced is then empty), or those that no fsync of their folder has seen are not.
 *   - a command that has ended well has lost nothing
 *   - no file with its final name has lost anything, at any time
 *   - the command given again ends well, with the files of a command that nobody disturbed
 *   - the same where of what no fsync has seen one file alone is kept: no record may outlive what it is a record of
 * Unlinks are forgotten as renames are.  What starts processes (sweep, reproduce, check) loses them all at once; its clocks
 * stand still, since its files say when they were made, or how long it took.
 * POWER_POINTS=N moments are tried of each command (3; 0: all); POWER_OF=NAME: of that command alone. */
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/base/file.h"
#include "tests/support/every_command.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static const char *root;
static const char *library;
static char *store;

/* still: it starts others, or its files say when they were made. */
static const struct { const char *name; bool still; } commands[] = {
    { "reduce", false }, { "reduce to GGUF", false }, { "verify --certified", false }, { "absorb", false }, { "train", false },
    { "train-vision", false }, { "basis-transfer", false }, { "export", false }, { "data encode", false }, { "certificates", false },
    { "run", true }, { "check", true }, { "report", true }, { "reproduce", true }, { "sweep", true } };
static bool still;                       /* of the command that is tried */

static const every_command *called(const char *name)
{
    const every_command *c = every_commands;
    while (strcmp(c->name, name) != 0) c++;
    return c;
}

typedef struct { long at; pid_t parent; } moment;
static void load_first(void *with)
{
    const moment *m = with;
    setenv("POWER_PARENT", must_format("%ld", (long)m->parent), 1);
    setenv("POWER_AT", must_format("%ld", m->at), 1);
    setenv("POWER_OUT", must_format("%s/out", root), 1);
    setenv("POWER_STORE", store, 1);
    setenv("LD_PRELOAD", library, 1);
    if (!still) return;
    setenv("POWER_ALL", "1", 1);
    setsid();
}

static command_end run_on(const every_command *c, long at)          /* the disk that is there */
{
    moment m = { at, getpid() };
    return every_command_run(c, load_first, &m);
}

static command_end run_until(const every_command *c, long at)
{
    char said[64];
    store = temp_path(root, "store");
    ck_assert_int_eq(run_command(said, sizeof said, "rm -rf '%s' && mkdir '%s'", store, store), 0);
    return run_on(c, at);
}

static command_end run_again(const every_command *c) { return still ? run_until(c, 0) : every_command_run(c, NULL, NULL); }

/* Logs, locks and how long a program took the last time are no results. */
#define RESULTS "! -name log ! -name '*.log' ! -name '*.certificates' ! -name lock ! -name took"
static bool is_result(const char *path)
{
    static const char *const names[] = { "log", "lock", "took" };
    const char *name = strrchr(path, '/') + 1, *end = strrchr(name, '.');
    for (size_t k = 0; k < COUNT(names); k++) if (strcmp(name, names[k]) == 0) return false;
    return !end || (strcmp(end, ".log") != 0 && strcmp(end, ".certificates") != 0);
}

static char *written(void)               /* a line for each file, with a hash */
{
    char said[8192];
    ck_assert_int_eq(run_command(said, sizeof said, "cd '%s/out' && find . -type f " RESULTS " | sort | xargs -r sha256sum", root), 0);
    return temp_format("%s", said);
}

/* ---- what is lost -------------------------------------------------------------------------------------------------- */

static char damaged[2048];               /* files with their final names that have lost something */
static long lost, spared;                /* how many files; the one among them that is kept all the same, from 1 */

static int lose(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)at;
    if (kind != FTW_F) return 0;
    const char *kept = temp_format("%s/%lld-%lld", store, (long long)s->st_dev, (long long)s->st_ino);
    size_t now = 0, then = 0;
    const char *is = temp_read(NULL, path, &now), *was = access(kept, F_OK) == 0 ? temp_read(NULL, kept, &then) : "";
    if (now == then && memcmp(is, was, now) == 0) return 0;
    if (is_result(path) && ++lost == spared) return 0;
    const size_t n = strlen(path), used = strlen(damaged);
    if (is_result(path) && strcmp(path + n - 5, ".part") != 0)
        snprintf(damaged + used, sizeof damaged - used, "%s ", path + strlen(root) + 1);
    temp_write(NULL, path, was, then);
    return 0;
}

static bool same_folder(const char *path, const char *folder)
{
    const size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && path[n] == '/' && !strchr(path + n + 1, '/');
}

/* Renames and unlinks that no fsync of their folder came behind are undone, the last first. */
static void forget_names(void)
{
    char *line[1024], *save = NULL;
    long n = 0;
    if (access(temp_path(store, "log"), F_OK) != 0) return;
    for (char *l = strtok_r(temp_read(store, "log", NULL), "\n", &save); l && n < (long)COUNT(line); l = strtok_r(NULL, "\n", &save)) line[n++] = l;
    for (long k = n; k-- > 0; ) {
        if (line[k][0] == 'S') continue;
        char *from = strchr(line[k] + 2, ' ') + 1, *to = strchr(from, '\t') + 1;
        bool safe = false;
        for (long i = k + 1; i < n; i++) safe |= line[i][0] == 'S' && same_folder(to, line[i] + 2);
        if (safe) continue;
        to[-1] = '\0';
        if (line[k][0] == 'R') ck_assert_int_eq(rename(to, from), 0);
        char *old = temp_format("%s/old.%ld", store, strtol(line[k] + 2, NULL, 10));
        if (access(old, F_OK) == 0) ck_assert_int_eq(rename(old, to), 0);
    }
}

static void power_fails(bool names_too)
{
    damaged[0] = '\0';
    lost = 0;
    nftw(temp_path(root, "out"), lose, 16, FTW_PHYS);
    if (names_too) forget_names();
}

/* ---- the walk ------------------------------------------------------------------------------------------------------ */

/* Given again, it ends as it does, with the files that it has where nothing happened. */
static void ends_as_ever(const every_command *c, const char *where, const char *files)
{
    const command_end again = run_again(c);
    if (again.status == 2 && strstr(again.errors, "is there already")) {           /* the last file had its name */
        for (char *save = NULL, *line = strtok_r(written(), "\n", &save); line; line = strtok_r(NULL, "\n", &save))
            ck_assert_msg(strstr(files, line), "%s: another file: %s", where, line);
    } else {
        ck_assert_msg(again.status == c->status, "%s: status %d: %s", where, again.status, again.errors);
        ck_assert_msg(strcmp(written(), files) == 0, "%s: other files:\n%s\ninstead of\n%s", where, written(), files);
    }
    every_command_empty();
}

/* The command has ended in SIGKILL, and what it had started has, too. */
static void all_killed(const command_end e, const char *where)
{
    char said[4096];
    ck_assert_msg(e.status == 128 + SIGKILL, "%s: status %d: %s", where, e.status, e.errors);
    for (int tries = 0; still && run_command(said, sizeof said, "grep -lsz '^POWER_STORE=%s' /proc/[0-9]*/environ", store) == 0; tries++) {
        ck_assert_msg(tries < 1000, "%s: what it started lives on: %s", where, said);
        usleep(10000);
    }
}

static void try_moment(const every_command *c, long at, bool names_too, const char *files)
{
    char *where = temp_format("%s, at moment %ld, %s", c->name, at, names_too ? "without names" : "with names");
    all_killed(run_until(c, at), where);
    power_fails(names_too);
    ck_assert_msg(c->is != WHOLE || !damaged[0], "%s: lost of files with their final names: %s", where, damaged);
    ends_as_ever(c, where, files);
    spared = 1;
    for (long files_lost = lost; still && !names_too && spared <= files_lost; spared++) {
        where = temp_format("%s, at moment %ld, file %ld kept", c->name, at, spared);
        all_killed(run_until(c, at), where);
        power_fails(false);
        ends_as_ever(c, where, files);
    }
    spared = 0;
}

static long moments_so_far(void)
{
    size_t n = 0;
    temp_read(store, "moments", &n);
    return (long)n;
}

START_TEST(every_moment)
{
    const every_command *c = called(commands[_i].name);
    const char *asked = getenv("POWER_POINTS");
    const long points = asked ? strtol(asked, NULL, 10) : 3;
    char *files = NULL;
    long moments = 0;
    if (getenv("POWER_OF") && strcmp(getenv("POWER_OF"), c->name) != 0) return;
    still = commands[_i].still;
    every_command_empty();
    for (int names_too = 0; names_too < 2; names_too++) {                           /* it has ended, and the power fails */
        const command_end e = run_until(c, 0);
        ck_assert_msg(e.status == c->status, "%s: status %d: %s", c->name, e.status, e.errors);
        files = written();
        moments = moments_so_far();
        power_fails(names_too);
        ck_assert_msg(strcmp(written(), files) == 0, "%s has ended, and of its files this is lost: %s", c->name, damaged);
        every_command_empty();
    }
    ck_assert_int_gt(moments, 1);
    const long tried = points && points < moments ? points : moments;
    for (long k = 0; k < tried; k++) {
        const long at = tried == moments ? k + 1 : 1 + (2 * k + 1) * moments / (2 * tried);
        try_moment(c, at, false, files);
        try_moment(c, at, true, files);
    }
}
END_TEST

/* Certificates from one number are replaced by those from another, and the power fails: what an old stamp speaks of is gone, so
 * the stamp must not come back, and the first certificates are made again. */
START_TEST(no_stamp_comes_back)
{
    static const every_command one = { "%2$s/provably check --only=K-E2 --scale=quick --seed=1 --quiet --evidence=%1$s/out/evidence", "seed 1", 0, MANY },
                               two = { "%2$s/provably check --only=K-E2 --scale=quick --certificates --seed=2 --quiet --evidence=%1$s/out/evidence", "seed 2", 0, MANY };
    enum { TIMES = 6 };
    still = true;
    every_command_empty();
    ck_assert_int_eq(run_until(&one, 0).status, 0);
    const long first = moments_so_far();
    char *files = written();
    ck_assert_int_eq(run_on(&two, 0).status, 0);
    const long moments = moments_so_far() - first;
    ck_assert_msg(strcmp(written(), files) != 0 && moments > TIMES, "%ld moments, and the same certificates", moments);
    for (int k = 0; k < TIMES; k++) {
        char *where = temp_format("moment %ld of %ld", 1 + (2 * k + 1) * moments / (2 * TIMES), moments);
        every_command_empty();
        ck_assert_int_eq(run_until(&one, 0).status, 0);
        all_killed(run_on(&two, first + 1 + (2 * k + 1) * moments / (2 * TIMES)), where);
        power_fails(true);
        ends_as_ever(&one, where, files);
    }
}
END_TEST

static void setup(void)
{
    root = every_command_folder();
    library = every_command_library("power");
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create("power");
    TCase *all = tcase_create("commands");
    suite_add_tcase(suite, all);
    tcase_add_unchecked_fixture(all, setup, NULL);
    tcase_set_timeout(all, 0);
#ifndef __SANITIZE_ADDRESS__                             /* it must be loaded first itself */
    tcase_add_loop_test(all, every_moment, 0, (int)COUNT(commands));
    tcase_add_test(all, no_stamp_comes_back);
#endif
    return run_suite(suite, argc, argv);
}
