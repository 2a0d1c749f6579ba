/* readings.h - bodies that somebody has read beside the printed sentence of their part: reports/finite_read.csv.
 *
 * A part about finitely many cases is decided by its body, and no derivation says that the body decides the sentence:
 * `claim_decided(t, "P = NP", true)` holds.  Such a part is PROVED only where proofcheck accepts a certificate of it,
 * or where this list says that the body shows the sentence.  The hash of a line is that of the whole source of the
 * program, theorems/PROGRAM.c, so that it changes with the body, with all that the body calls in that file, and with
 * the statement.  Functions of the suite that a body calls are not in it: they have their tests.  Who has read is the
 * author of the commit that writes the line. */
#ifndef READINGS_H
#define READINGS_H
#include "src/claim/words.h"

typedef struct { char claim[NAME_SIZE], part[NAME_SIZE], program[24]; } body_reading;
typedef struct {
    body_reading *at;                    /* those whose program is unchanged since                            */
    long  n;
    char **reread;                       /* the other lines, as sentences                                     */
    long  rereads;
} readings;

/* An empty list where there is no such file; dies with line and reason on a malformed one.  `root`: the folder above
 * theorems/. */
readings readings_read(const char *path, const char *root);
void     readings_free(readings *r);
/* NULL, as nobody has asked, has no line. */
bool     readings_have(const readings *r, const char *claim, const char *part);
#endif
