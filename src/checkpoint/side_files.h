/* SPDX-License-Identifier: GPL-3.0-or-later
 * side_files.h - what lies beside the weights in a Hugging Face folder and belongs to the rewritten model as well: the
 * tokenizer, and how text is generated.  The result may be published: a symbolic link is followed only to a file below
 * the folder itself, or below ../../blobs of a folder snapshots/REVISION, as the Hugging Face hub's cache has them. */
#ifndef CHECKPOINT_SIDE_FILES_H
#define CHECKPOINT_SIDE_FILES_H
#include "src/checkpoint/weights.h"

typedef struct {
    char **copy;                         /* paths, in the order of a fixed list                          */
    long   n;
    char  *left;                         /* names of the other files there, with commas, and of links that
                                            lead elsewhere; NULL: none                                   */
} side_files;
/* None where the weights have no config.json beside them.  same_format: else all are left, for they are not of the
 * format that is written. */
side_files side_files_of(const weights *w, bool same_format);
void       side_files_free(side_files *s);
#endif
