/* SPDX-License-Identifier: GPL-3.0-or-later
 * guided.c - each reader of tests/readers under libFuzzer: READER=NAME, and the folder GUIDED, which must exist, for its
 * files.
 *
 * die() is a refusal: it comes back here by longjmp, and what the reader had open is closed; its memory is lost, so a
 * process makes some twenty thousand executions and no more (tests/guided.sh).  What is taken must give back all its
 * memory: of those inputs the first fifty and then every thousandth are read once more under LeakSanitizer. */
#include <fcntl.h>
#include <sanitizer/lsan_interface.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/readers/readers.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { FIRST = 50, EVERY = 1000 };

static const file_reader *reader;
static const char *folder;
static char *path;
static jmp_buf refused;
static long taken;

static void back(void) { longjmp(refused, 1); }

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *name = getenv("READER");
    folder = getenv("GUIDED");
    for (int list = 0; list < READER_LISTS && name; list++)
        for (const file_reader *r = reader_lists[list]; r->name; r++) if (strcmp(r->name, name) == 0) reader = r;
    if (!reader || !folder) die("READER=%s is none of tests/readers, or GUIDED= is no folder", name ? name : "");
    if (reader->beside) reader->beside(folder);
    path = must_format("%s/%s", folder, reader->file);
    die_after(back);
    __lsan_disable();                    /* refusals lose what they had */
    return 0;
}

static bool is_taken(const uint8_t *bytes, size_t n)
{
    static int spare = -1;
    if (spare < 0) {
        spare = dup(STDERR_FILENO);
        close(spare);
    }
    if (setjmp(refused) == 0) {
        reader_put(folder, reader->file, bytes, n);
        reader->read(path);
        return true;
    }
    close_range((unsigned)spare, ~0U, 0);
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (!is_taken(bytes, n) || (++taken > FIRST && taken % EVERY)) return 0;
    __lsan_enable();
    (void)is_taken(bytes, n);
    __lsan_disable();
    if (__lsan_do_recoverable_leak_check()) abort();
    return 0;
}
