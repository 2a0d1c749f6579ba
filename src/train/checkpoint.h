/* checkpoint.h - named tensors in a file that is either complete or absent.
 *
 *   PROVABLY 1
 *   text NAME VALUE                      any number: configuration, seeds, what a resumed run must agree with
 *   tensor NAME ROWS COLS                any number, float32 in this order
 *   end
 *   the tensors' numbers, little-endian; then the CRC-32 of all before, 4 bytes
 *
 * Written to PATH.part, flushed to the disk and renamed: a run that is killed at any moment leaves the old
 * file or the new one. */
#ifndef TRAIN_CHECKPOINT_H
#define TRAIN_CHECKPOINT_H
#include "src/base/base.h"

typedef struct { char name[48]; long rows, cols; float *x; } stored;
typedef struct { char name[32], value[480]; } stored_text;
typedef struct {
    stored      *tensor;
    long         tensors;
    stored_text *text;
    long         texts;
} checkpoint;

/* Names without blanks, values without newlines; x is copied. */
void checkpoint_text  (checkpoint *c, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void checkpoint_tensor(checkpoint *c, const char *name, long rows, long cols, const float *x);
const char   *checkpoint_value(const checkpoint *c, const char *name);     /* NULL: not there           */
const stored *checkpoint_find (const checkpoint *c, const char *name);     /* NULL: not there           */
void checkpoint_write(const checkpoint *c, const char *path);              /* dies, and PATH is as before */
/* Dies with the reason when the file is damaged: magic, sizes, length, checksum. */
checkpoint checkpoint_read(const char *path);
/* The same for the folder of a run, whose checkpoint is last.ckpt, or for a file. */
checkpoint checkpoint_of(const char *folder_or_file);
void checkpoint_free(checkpoint *c);
uint32_t checkpoint_crc32(uint32_t before, const void *data, size_t n);            /* IEEE 802.3, 0 at the start */
#endif
