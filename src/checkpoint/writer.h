/* writer.h - writes a rewritten checkpoint as safetensors: tensor by tensor, each number rounded once from its ball. */
#ifndef CHECKPOINT_WRITER_H
#define CHECKPOINT_WRITER_H
#include "src/checkpoint/layout.h"

typedef struct {
    const char *folder;                  /* is made; model.safetensors and config.json in it              */
    const char *reduced, *source;        /* for __metadata__ and config.json: what was done, and to which file */
    void (*at)(double share);            /* of the work that is done, 0 to 1; NULL: not told              */
} writer_task;

/* Whether each ball is narrow enough for its type, by 2^-8 of half a unit of the largest number beside it; if not,
 * nothing was written: try again with more bits.  Dies where the disk or a number's range does not allow it.  Neither
 * file is there under its name before both are on the disk.  r is over arb. */
bool writer_write(rewrite *r, const file_layout *l, const writer_task *task) MUST_USE;

/* x to the nearest number of the type, ties to even; *fits: it does not overflow.  x is exact, or rounded to odd. */
double writer_nearest(double x, const char *type, bool *fits);
#endif
