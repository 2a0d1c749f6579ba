/* SPDX-License-Identifier: GPL-3.0-or-later
 * checkpoint.h - named tensors in a file that is either complete or absent.
 *
 *   PROVABLY 1
 *   text NAME VALUE                      any number: configuration, seeds, what a resumed run must agree with
 *   tensor NAME ROWS COLS                any number, float32 in this order: the weights, then PREFIX:NAME, what the
 *                                        optimizer knows about them
 *   text sum HEADER N WEIGHTS            two CRC-32: of the lines before this one; of the first N tensors, the weights
 *   end
 *   the tensors' numbers, little-endian; then the CRC-32 of all before, 4 bytes
 *
 * Written to PATH.part, flushed to the disk and renamed: a run that is killed at any moment leaves the old
 * file or the new one.  Neither a writer nor a reader needs room for more than a piece of a tensor.
 *
 * What is checked.  checkpoint_open: the length of the file and the CRC-32 of the header.  Reading the weights: their
 * CRC-32, and nothing of what follows them.  Reading all: the CRC-32 of the whole file.  A file without `sum`, of an
 * earlier version, is checked as a whole when it is opened. */
#ifndef TRAIN_CHECKPOINT_H
#define TRAIN_CHECKPOINT_H
#include "src/base/base.h"

typedef struct { char name[48]; long rows, cols; float *x; } stored;       /* x: NULL when the numbers are elsewhere */
typedef struct { char name[32], value[480]; } stored_text;
typedef struct {
    stored      *tensor;
    long         tensors;
    stored_text *text;
    long         texts;
} checkpoint;

/* Names without blanks, values without newlines; x is copied.  Contract: weights come before PREFIX:NAME, and no text
 * is called sum. */
void checkpoint_text   (checkpoint *c, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void checkpoint_tensor (checkpoint *c, const char *name, long rows, long cols, const float *x);
void checkpoint_declare(checkpoint *c, const char *name, long rows, long cols);    /* x stays NULL          */
const char   *checkpoint_value(const checkpoint *c, const char *name);     /* NULL: not there           */
const stored *checkpoint_find (const checkpoint *c, const char *name);     /* NULL: not there           */
void checkpoint_free(checkpoint *c);

/* ---- writing --------------------------------------------------------------------------------------------- */

/* Fills x with rows from ... from + rows - 1 of tensor k.  Contract: the same numbers whenever it is asked; the weights
 * are asked for twice, first for their checksum. */
typedef void checkpoint_numbers(void *self, long k, long from, long rows, float *x);
/* The numbers are those of `numbers`, or the tensors' own x when it is NULL.  Dies, and PATH is as before. */
void checkpoint_stream(const checkpoint *c, const char *path, checkpoint_numbers *numbers, void *self);
void checkpoint_write (const checkpoint *c, const char *path);             /* the tensors' own x        */

/* ---- reading: each function dies with the reason when the file is damaged --------------------------------- */

typedef enum { CHECKPOINT_WEIGHTS, CHECKPOINT_ALL } checkpoint_part;
typedef struct {
    FILE      *f;
    char      *path;
    checkpoint head;                     /* texts, names and shapes; x is NULL                          */
    long       weights;                  /* the first tensors, with a sum of their own                  */
    bool       has_sum;
    uint32_t   header_crc, weights_crc;  /* of all lines up to `end`; of the weights' numbers, as the file says */
} checkpoint_file;
checkpoint_file checkpoint_open(const char *path);
/* Gets rows from ... from + rows - 1 of tensor k, in the file's order. */
typedef void checkpoint_taker(void *self, long k, long from, long rows, const float *x);
/* Hands the numbers of the weights or of all tensors to `take`.  They are only good when it returns. */
void checkpoint_take (checkpoint_file *f, checkpoint_part part, checkpoint_taker *take, void *self);
void checkpoint_close(checkpoint_file *f);
/* All in memory, or the weights alone, where the other tensors are not in the result. */
checkpoint checkpoint_read(const char *path, checkpoint_part part);
/* The checkpoint of a run's folder, last.ckpt, or the file itself; to be freed.  Dies where the folder has none. */
char *checkpoint_path(const char *folder_or_file) MUST_USE;
#endif
