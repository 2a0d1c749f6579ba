/* SPDX-License-Identifier: GPL-3.0-or-later
 * outfile.h - files that appear whole or not at all.
 *
 * What --out and every other name of the user's is written through.  A regular file or a new name is written to
 * PATH.part and renamed on close; a symbolic link stays, its target is replaced.  A pipe, a character device and the
 * file that is standard output or error already are written to directly, and `part` is NULL.  Anything else is refused.
 * die() and the signals INT, TERM and HUP remove the parts that were not closed.  A part that another process is
 * writing is left to it.  A part that a killed process left is replaced; a file of that name that this program did not
 * begin is refused. */
#ifndef OUTFILE_H
#define OUTFILE_H
#include "src/base/base.h"

typedef struct { FILE *f; char *path, *part, *folder; } outfile;     /* folder: of the path, for outfile_close */
outfile outfile_open (const char *path);            /* dies, naming the path          */
void    outfile_input(const char *path);            /* a file that is read: outfile_open refuses to replace it   */
void    outfile_sync (outfile *o);                  /* the bytes are on the disk, not yet under their name; or dies */
void    outfile_abandon(outfile *o);                /* no file, or the one that was there before */
void    outfile_close(outfile *o);                  /* sync, rename, fsync of the folder; or dies */
void    outfile_folder(const char *path);           /* makes it and all above it; die() removes what was made and is
                                                       still empty                   */
void    outfile_remove_at_signals(void);            /* INT, TERM and HUP, unless ignored or handled, end the process and
                                                       remove its parts; outfile_open does it, too */
bool    outfile_is_direct(const char *path);        /* whether outfile_open would write there directly */

/* The file PART, which this call creates or an earlier one of this program began, as a descriptor that is locked until
 * it is closed.  flags: O_WRONLY or O_RDWR, and O_APPEND; nothing is truncated.  -1: *why says what is there instead,
 * the end of a sentence that begins with PART, or is outfile_busy, or is NULL: then errno says why. */
int     outfile_part_open(const char *part, int flags, const char **why) MUST_USE;
void    outfile_part_renamed(const char *path);     /* after rename(PART, PATH): PATH is a part no more */
bool    outfile_sync_folder(const char *folder);    /* so that new names in it are on the disk; false: errno says why */
extern const char *const outfile_busy;              /* "another process is writing it; wait until it has ended" */
#endif
