/* SPDX-License-Identifier: GPL-3.0-or-later
 * get.h - the data sets in a folder: which of their files exist, and downloading the rest. */
#ifndef DATA_GET_H
#define DATA_GET_H
#include "src/data/catalogue.h"

typedef enum { MISSING, RIGHT, OTHER } presence;               /* OTHER: not the published file */
presence data_file_presence(const data_file *f, const char *path);

/* Whether all files inside the archive exist, so that the archive is not needed. */
bool data_unpacked(const data_set *s, const data_file *archive, const char *folder);

typedef struct {
    const char *to;                      /* the folder; created if it does not exist                    */
    const char *mirror;                  /* MIRROR/FILE instead of the publisher's; NULL: none          */
    double wait;                         /* seconds before the second try of an interrupted transfer    */
    bool quiet;                          /* no progress line                                            */
} data_places;

/* Downloads, checks and unpacks what is missing, and prints what was done for each file.  Dies if a file cannot be
 * downloaded or a different file already exists. */
void data_get(const data_set *s, const data_places *p);

/* A folder as the URL of a mirror; the caller frees. */
char *data_folder_url(const char *folder) MUST_USE;
#endif
