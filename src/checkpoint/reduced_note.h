/* SPDX-License-Identifier: GPL-3.0-or-later
 * reduced_note.h - which constructions `provably reduce` applied, as the file that it wrote says. */
#ifndef CHECKPOINT_REDUCED_NOTE_H
#define CHECKPOINT_REDUCED_NOTE_H
#include "src/checkpoint/weights.h"

enum { REDUCED_MOST_NOTE = 1 << 20 };    /* bytes of a note beside the file                             */

/* The words of --apply, with commas between them, to be freed; NULL: another program's file.  The file says so itself:
 * nothing is proved by it. */
char *reduced_note(const weights *w);
#endif
