/* SPDX-License-Identifier: GPL-3.0-or-later
 * tar.h - the files of a tar archive, one after the other, from a stream of bytes. */
#ifndef DATA_TAR_H
#define DATA_TAR_H
#include "src/data/unpack.h"

enum { TAR_BLOCK = 512, TAR_NAME = 256 };

typedef struct {
    byte_source from;
    char name[TAR_NAME + 1];             /* of the current file, with its folders                       */
    uint64_t left, padding;              /* its bytes not read yet; zeros behind it                     */
} tar_reader;

bool tar_begins(const unsigned char *block, size_t n);         /* is this the first block of an archive? */
/* The next regular file; folders, links and comments are skipped.  false: the end.  Dies where the archive is
 * damaged or cut off. */
bool   tar_next(tar_reader *t);
size_t tar_read(tar_reader *t, void *to, size_t n);            /* less than n: the end of the file */
#endif
