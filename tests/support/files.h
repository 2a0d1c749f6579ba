/* SPDX-License-Identifier: GPL-3.0-or-later
 * files.h - temporary folders, the files in them, and strings.
 *
 * What these functions return belongs to the test program: when the process that asked for it exits, its folders are
 * removed with everything in them and its strings are freed.  A function that cannot do what it says fails the test.
 * Where a file is named by a folder and a name, the folder may be NULL: then the name is the whole path. */
#ifndef FILES_H
#define FILES_H
#include <stdbool.h>
#include <stddef.h>

char *temp_folder(void);                                             /* a new empty folder, for instance in /tmp */
char *temp_path  (const char *folder, const char *name);             /* FOLDER/NAME */
char *temp_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *temp_write (const char *folder, const char *name, const void *bytes, size_t n);      /* returns the path */
char *temp_text  (const char *folder, const char *name, const char *text);                 /* likewise */
char *temp_read  (const char *folder, const char *name, size_t *n);  /* the whole file, and a NUL; n may be NULL */
bool  temp_exists(const char *folder, const char *name);
void  temp_equal (const char *a, const char *b, const char *name);   /* A/NAME and B/NAME have the same bytes */
/* Every file in FOLDER matches the pattern, "@(last.ckpt|kept.*)" in the notation of fnmatch's FNM_EXTMATCH. */
void  temp_only  (const char *folder, const char *pattern);
#endif
