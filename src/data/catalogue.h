/* SPDX-License-Identifier: GPL-3.0-or-later
 * catalogue.h - the data sets that `provably data` downloads: their publishers, sizes and checksums. */
#ifndef DATA_CATALOGUE_H
#define DATA_CATALOGUE_H
#include "src/base/base.h"

typedef struct {
    const char *file, *url[3];           /* publisher first; ended by NULL                              */
    uint64_t bytes;                      /* 0: not known                                                */
    const char *sha256;
    bool inside;                         /* a member of the archive listed before it; no url            */
} data_file;

typedef struct {
    const char *name, *what, *from, *licence;
    data_file file[8];                   /* ended by file = NULL                                        */
} data_set;

enum { DATA_SETS = 5 };
extern const data_set data_sets[DATA_SETS];
const data_set *data_set_find(const char *name);                /* NULL: no such set */
#endif
