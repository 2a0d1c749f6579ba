/* t_power.c - the power fails: what a command has written since its last fsync is lost.
 *
 * tests/faults/power.c notes what fsync has seen and kills the command at one of its fsyncs or renames, or not at all.  Then
 * what no fsync has seen is taken away, as if the power had failed there: either the names are all there (a file that was
 * renamed before it was synced is then empty), or those that no fsync of their folder has seen are not.
 *   - a command that has ended well has lost nothing
 *   - no file with its final name has lost anything, at any time
 *   - the command given again ends well, with the files of a command that nobody disturbed
 * POWER_POINTS=N moments are tried of each command (3; 0: all).  What writes in other processes (sweep, reproduce, check) is
 * not among them. */
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

/* Their files say neither when they were made nor how long it took. */
static const char *const commands[] = { "reduce", "reduce to GGUF", "verify --certified", "absorb", "train", "train-vision", "basis-transfer",
                                        "export", "data encode", "certificates" };

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
}

static command_end run_until(const every_command *c, long at)
{
    moment m = { at, getpid() };
    char said[64];
    store = temp_path(root, "store");
    ck_assert_int_eq(run_command(said, sizeof said, "rm -rf '%s' && mkdir '%s'", store, store), 0);
    return every_command_run(c, load_first, &m);
}

static char *written(void)               /* a line for each file, with a hash */
{
    char said[8192];
    ck_assert_int_eq(run_command(said, sizeof said, "cd '%s/out' && find . -type f | sort | xargs -r sha256sum", root), 0);
    return temp_format("%s", said);
}

/* ---- what is lost -------------------------------------------------------------------------------------------------- */

static char damaged[2048];               /* files with their final names that have lost something */

static int lose(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)at;
    if (kind != FTW_F) return 0;
    const char *kept = temp_format("%s/%lld-%lld", store, (long long)s->st_dev, (long long)s->st_ino);
    size_t now = 0, then = 0;
    const char *is = temp_read(NULL, path, &now), *was = access(kept, F_OK) == 0 ? temp_read(NULL, kept, &then) : "";
    if (now == then && memcmp(is, was, now) == 0) return 0;
    const size_t n = strlen(path), used = strlen(damaged);
    if (strcmp(path + n - 5, ".part") != 0) snprintf(damaged + used, sizeof damaged - used, "%s ", path + strlen(root) + 1);
    temp_write(NULL, path, was, then);
    return 0;
}

static bool same_folder(const char *path, const char *folder)
{
    const size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && path[n] == '/' && !strchr(path + n + 1, '/');
}

/* Renames that no fsync of their folder came behind are undone, the last first. */
static void forget_names(void)
{
    char *line[512], *save = NULL;
    long n = 0;
    if (access(temp_path(store, "log"), F_OK) != 0) return;
    for (char *l = strtok_r(temp_read(store, "log", NULL), "\n", &save); l && n < (long)COUNT(line); l = strtok_r(NULL, "\n", &save)) line[n++] = l;
    for (long k = n; k-- > 0; ) {
        if (line[k][0] != 'R') continue;
        char *from = strchr(line[k] + 2, ' ') + 1, *to = strchr(from, '\t') + 1;
        bool safe = false;
        for (long i = k + 1; i < n; i++) safe |= line[i][0] == 'S' && same_folder(to, line[i] + 2);
        if (safe) continue;
        to[-1] = '\0';
        ck_assert_int_eq(rename(to, from), 0);
        char *old = temp_format("%s/old.%ld", store, strtol(line[k] + 2, NULL, 10));
        if (access(old, F_OK) == 0) ck_assert_int_eq(rename(old, to), 0);
    }
}

static void power_fails(bool names_too)
{
    damaged[0] = '\0';
    nftw(temp_path(root, "out"), lose, 16, FTW_PHYS);
    if (names_too) forget_names();
}

/* ---- the walk ------------------------------------------------------------------------------------------------------ */

static void try_moment(const every_command *c, long at, bool names_too, const char *files)
{
    char *where = temp_format("%s, at moment %ld, %s", c->name, at, names_too ? "without names" : "with names");
    const command_end e = run_until(c, at);
    ck_assert_msg(e.status == 128 + SIGKILL, "%s: status %d: %s", where, e.status, e.errors);
    power_fails(names_too);
    ck_assert_msg(c->is != WHOLE || !damaged[0], "%s: lost of files with their final names: %s", where, damaged);
    const command_end again = every_command_run(c, NULL, NULL);
    if (again.status == 2 && strstr(again.errors, "is there already")) {           /* the last file had its name */
        for (char *save = NULL, *line = strtok_r(written(), "\n", &save); line; line = strtok_r(NULL, "\n", &save))
            ck_assert_msg(strstr(files, line), "%s: another file: %s", where, line);
    } else {
        ck_assert_msg(again.status == c->status, "%s: status %d: %s", where, again.status, again.errors);
        ck_assert_msg(strcmp(written(), files) == 0, "%s: other files:\n%s\ninstead of\n%s", where, written(), files);
    }
    every_command_empty();
}

START_TEST(every_moment)
{
    const every_command *c = called(commands[_i]);
    const char *asked = getenv("POWER_POINTS");
    const long points = asked ? strtol(asked, NULL, 10) : 3;
    char *files = NULL;
    long moments = 0;
    every_command_empty();
    for (int names_too = 0; names_too < 2; names_too++) {                           /* it has ended, and the power fails */
        size_t n = 0;
        const command_end e = run_until(c, 0);
        ck_assert_msg(e.status == c->status, "%s: status %d: %s", c->name, e.status, e.errors);
        files = written();
        temp_read(store, "moments", &n);
        moments = (long)n;
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
#endif
    return run_suite(suite, argc, argv);
}
