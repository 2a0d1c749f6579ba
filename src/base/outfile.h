/* outfile.h - files that appear whole or not at all.
 *
 * What --out and every other name of the user's is written through.  A regular file or a new name is written to
 * PATH.part and renamed on close; a symbolic link stays, its target is replaced.  A pipe, a character device and the
 * file that is standard output or error already are written to directly, and `part` is NULL.  Anything else is refused.
 * die() removes the parts that were not closed.  A part that another process is writing is left to it. */
#ifndef OUTFILE_H
#define OUTFILE_H
#include "src/base/base.h"

typedef struct { FILE *f; char *path, *part; } outfile;
outfile outfile_open (const char *path);            /* dies, naming the path          */
void    outfile_input(const char *path);            /* a file that is read: outfile_open refuses to replace it   */
void    outfile_sync (outfile *o);                  /* the bytes are on the disk, not yet under their name; or dies */
void    outfile_abandon(outfile *o);                /* no file, or the one that was there before */
void    outfile_close(outfile *o);                  /* sync, rename, fsync of the folder; or dies */
void    outfile_folder(const char *path);           /* makes it and all above it; die() removes what was made and is
                                                       still empty                   */
bool    outfile_is_direct(const char *path);        /* whether outfile_open would write there directly */
#endif
