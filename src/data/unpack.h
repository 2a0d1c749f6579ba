/* SPDX-License-Identifier: GPL-3.0-or-later
 * unpack.h - the bytes of a file, compressed or not.
 *
 * gzip, bzip2 and xz are recognised by their first bytes, not by the name of the file; anything else is read as it is.
 * Concatenated compressed parts are read as one, as the tools of these formats do. */
#ifndef DATA_UNPACK_H
#define DATA_UNPACK_H
#include "src/base/base.h"

typedef struct unpacker unpacker;

/* Where bytes come from: read returns less than n only at the end, and dies when it cannot read. */
typedef struct { size_t (*read)(void *self, void *to, size_t n); void *self; const char *name; } byte_source;

/* Dies, naming the file: no such file, not a regular one, damaged, cut off. */
unpacker *unpack_open  (const char *path);
unpacker *unpack_source(byte_source from);                      /* of anything; from.name for messages */
size_t    unpack_read (unpacker *u, void *to, size_t n);        /* less than n: the end */
size_t    unpack_reads(void *u, void *to, size_t n);            /* the same, for a byte_source */
void      unpack_close(unpacker *u);

/* The whole file and, in *n, its size; the caller frees.  A byte 0 follows the last. */
unsigned char *unpack_file(const char *path, size_t *n) MUST_USE;
#endif
