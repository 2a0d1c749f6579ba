/* SPDX-License-Identifier: GPL-3.0-or-later
 * stored_zip.h - a zip archive whose entries are stored, not compressed, where it lies in memory: what torch.save
 * writes.
 *
 *   entries     "PK\3\4", header and name of each, its bytes
 *   directory   "PK\1\2", header and name of each, with the place of the entry
 *   end         with more than 2^32 bytes: "PK\6\6" and "PK\6\7" (zip64); "PK\5\6"
 *
 * The directory counts.  Each entry must begin as the directory says, under the same name, and entries must not
 * overlap.  Checksums are not compared: torch.save may leave them out. */
#ifndef DATA_STORED_ZIP_H
#define DATA_STORED_ZIP_H
#include "src/base/base.h"

typedef struct { char *name; const unsigned char *at; size_t bytes; } zip_entry;         /* at: in the archive  */
typedef struct { zip_entry *at; long n; } stored_zip;                    /* sorted by name; no two have the same */

/* Dies, naming the path, where the archive is damaged, compressed or encrypted. */
stored_zip stored_zip_of(const unsigned char *archive, size_t n, const char *path);
void       stored_zip_free(stored_zip *z);
const zip_entry *stored_zip_find(const stored_zip *z, const char *name);         /* NULL: it is not there       */
#endif
