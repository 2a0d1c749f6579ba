/* SPDX-License-Identifier: GPL-3.0-or-later
 * readers.h - every reader of a file in the tree, as a table: what takes one file of bytes that nobody vouches for.
 *
 * A reader is given a path and reads what is there as the commands do; it returns, having given back all it took, or calls
 * die().  t_readers runs each on the seeds in tests/guided/seeds/NAME; tests/guided/guided.c gives each to libFuzzer. */
#ifndef READERS_H
#define READERS_H
#include "src/base/base.h"

typedef struct {
    const char *name;                    /* READER= of guided.c, and the folder of its seeds                */
    const char *file;                    /* the name of its input in a folder of its own                    */
    void (*beside)(const char *folder);  /* writes what must stand beside the input; NULL: nothing          */
    void (*read)(const char *path);
} file_reader;

/* Each ends with a name that is NULL. */
extern const file_reader readers_of_models[], readers_of_data[], readers_of_rows[], readers_of_runs[];
enum { READER_LISTS = 4 };
extern const file_reader *const reader_lists[READER_LISTS];

/* DIR of a path "DIR/NAME", to be freed. */
char *reader_folder(const char *path) MUST_USE;
/* Writes n bytes to FOLDER/NAME. */
void  reader_put(const char *folder, const char *name, const void *bytes, size_t n);
#endif
