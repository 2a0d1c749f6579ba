/* SPDX-License-Identifier: GPL-3.0-or-later
 * writer.h - writes a rewritten checkpoint: tensor by tensor, each number rounded once from its ball, and the files
 * that belong beside it. */
#ifndef CHECKPOINT_WRITER_H
#define CHECKPOINT_WRITER_H
#include "src/checkpoint/layout.h"

typedef struct {
    const char *folder;                  /* is made; format_file in it, and config.json where it has one  */
    const char *reduced, *source;        /* what was done, and to which file: for __metadata__ and config.json, GGUF's
                                            keys, or WRITER_NOTE beside llama2.c's                        */
    char *const *copy;                   /* paths of files that are copied into the folder               */
    long beside;                         /* how many                                                     */
    void (*at)(double share);            /* of the work that is done, 0 to 1; NULL: not told              */
    long block;                          /* numbers of a matrix that are computed at a time; 0: 2^18      */
    const char *original;                /* SHA-256 of the original's files, for GAUGE_FILE; NULL: none is written */
} writer_task;

/* Whether each ball is narrow enough for its type, by 2^-8 of half a unit of the largest number beside it; if not,
 * nothing was written: try again with more bits.  Dies where the disk or a number's range does not allow it.  No file
 * is there under its name before all are on the disk; the numbers get theirs last, but for GAUGE_FILE, which nothing
 * needs, and which is written where r consists of gauges.  r is over arb. */
bool writer_write(rewrite *r, const file_layout *l, const writer_task *task) MUST_USE;

#define WRITER_NOTE "provably.json"
#endif
