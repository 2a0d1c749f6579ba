/* SPDX-License-Identifier: GPL-3.0-or-later
 * readings.h - bodies that somebody has read beside the printed sentence of their part: reports/body_read.csv.
 *
 * What a program shows and what its sentence says are joined by its body alone, and there is no check of bodies that
 * could not be talked round: `claim_decided(t, "P = NP", true)` holds, a certificate states what was recorded and not
 * what was meant, and a body may be another one at sizes that nobody tries.  So a part counts (PROVED, or a witness or
 * a figure) only where this list says that somebody read its body beside its sentence, and what it does not show of
 * it.  The hash of a line is that of the whole source of the program, theorems/PROGRAM.c, so that it changes with the
 * body, with all that the body calls in that file, and with the statement.  Functions of the suite that a body calls
 * are not in it: they have their tests.  Who has read is the author of the commit that writes the line. */
#ifndef READINGS_H
#define READINGS_H
#include "src/claim/words.h"

/* The name of a part in a line about a claim whose as-stated parts only illustrate: its corrected parts say, all
 * together, what the quoted sentences mean. */
#define READ_AS_MEANT "as-meant"
/* The same of a claim that has no other line, because theorems alone decide it: somebody has read its quotations beside
 * its statements, and the hash, which a theorem's file has not, keeps both as they were. */
#define READ_AS_QUOTED "as-quoted"
/* PART+CONTROL: a line about a control that breaks neither side of an equation of its claim alone (runner_sides.c): its
 * body is the claim's with what its words say dropped or broken, and nothing else. */
#define READ_CONTROL "+"
/* PART+unbroken: a line about the equations of a part that no control breaks and that hold whatever stands for the
 * reduced matrices, or in some entry (runner_unbroken.c): somebody has read that each says what its name says. */
#define READ_UNBROKEN "unbroken"

/* lacks: what of its sentence the body does not show, in words; "": it shows all that the kind of the part claims. */
typedef struct { char claim[NAME_SIZE], part[2 * NAME_SIZE], program[24], lacks[320]; } body_reading;
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
/* The line about the part; NULL: there is none, or nobody has asked (r is NULL). */
const body_reading *readings_find(const readings *r, const char *claim, const char *part);
#endif
