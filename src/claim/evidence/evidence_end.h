/* evidence_end.h - the last line of an evidence file: the program ran to its end, and the lines above are those that it
 * wrote.
 *
 *     # end of 512 lines with SHA-256 6fd8...
 *
 * So a file that lost its last rows, or one of whose lines was changed, is not taken for a smaller run that held.  It
 * is no signature: who can write rows can write this line. */
#ifndef EVIDENCE_END_H
#define EVIDENCE_END_H
#include <stdio.h>

/* Appends the line to f, all of whose bytes are at `path`; dies where it cannot be read back. */
void evidence_end_write(FILE *f, const char *path);
/* Dies where the file does not end so. */
void evidence_end_require(const char *path);
#endif
