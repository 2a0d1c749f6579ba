/* SPDX-License-Identifier: GPL-3.0-or-later
 * file.h - files and folders that the user names: each function dies where the system refuses. */
#ifndef FILE_H
#define FILE_H
#include "src/base/base.h"

/* fopen(path, "r") for what is read: NULL, and errno.  Dies where PATH is a named pipe or a device, which would be
 * waited for, or read, without end; a pipe that is open already (/dev/stdin, bash's <(...)) is read. */
FILE *file_open(const char *path) MUST_USE;

/* All bytes of the file and a zero, to be freed; *length (if not NULL): without the zero.  Dies if there are more than
 * `most`. */
char *file_read(const char *path, size_t most, size_t *length) MUST_USE;
char *file_read_open(FILE *f, const char *path, size_t most, size_t *length) MUST_USE;     /* the rest of f */
bool  make_folder (const char *path);       /* unless it exists; whether it did not */
void  make_parents(const char *path);       /* all folders above PATH */
bool  file_is_regular(const char *path);    /* links followed                                               */
void  file_require(const char *path);       /* dies unless PATH is a regular file or new: it will be read back */
const char *file_advice(int why);           /* what to do where errno says why a file cannot be written: the end of a
                                               message */
#endif
