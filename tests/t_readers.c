/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_readers.c - every reader of a file on the seeds of its fuzzing, tests/guided/seeds/READER: what is right is taken, and
 * what libFuzzer once found is refused by one message, or taken, and never more.
 *
 * A seed that must be refused is called bad-...; all others must be taken. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "tests/readers/readers.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

typedef struct { const file_reader *reader; const char *path; } given;

static void read_given(void *with)
{
    const given *g = with;
    g->reader->read(g->path);
}

/* One seed, in a folder of its own. */
static void take(const file_reader *reader, const char *folder, const char *seed)
{
    char output[4096], *bytes, *place = temp_folder();
    size_t n;
    given g = { reader, temp_path(place, reader->file) };
    if (reader->beside) reader->beside(place);
    bytes = file_read(temp_path(folder, seed), 1 << 20, &n);
    temp_write(NULL, g.path, bytes, n);
    free(bytes);
    const int status = run_child(read_given, &g, output, sizeof output), wanted = strncmp(seed, "bad-", 4) == 0 ? 2 : 0;
    ck_assert_msg(status == wanted, "%s/%s: status %d: %s", folder, seed, status, output);
    ck_assert_msg(status == 0 || strchr(output, '\n') == output + strlen(output) - 1, "%s/%s: more than one line: %s",
                  folder, seed, output);
}

static int is_seed(const struct dirent *d) { return d->d_name[0] != '.'; }

START_TEST(seeds_are_read)
{
    long taken = 0, refused = 0;
    for (int list = 0; list < READER_LISTS; list++)
        for (const file_reader *r = reader_lists[list]; r->name; r++) {
            const char *folder = temp_format("tests/guided/seeds/%s", r->name);
            struct dirent **names;
            const int n = scandir(folder, &names, is_seed, alphasort);
            ck_assert_msg(n > 0, "%s: no seed", folder);
            for (int k = 0; k < n; k++) {
                take(r, folder, names[k]->d_name);
                *(strncmp(names[k]->d_name, "bad-", 4) == 0 ? &refused : &taken) += 1;
                free(names[k]);
            }
            free(names);
        }
    ck_assert_msg(taken >= 50 && refused >= 1, "%ld seeds are taken, %ld refused", taken, refused);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("readers");
    TCase *all = tcase_create("readers");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, seeds_are_read);
    return run_suite(suite, argc, argv);
}
