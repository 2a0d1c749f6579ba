/* SPDX-License-Identifier: GPL-3.0-or-later
 * proofs.h - what proofcheck has accepted, one record a certificate.
 *
 * `make check` keeps proofcheck's line of each certificate of a program in BUILD/evidence/PROGRAM.accepted; nothing
 * else makes a derivation count.  The lines are described in reports/CERTIFICATES.md.                         */
#ifndef PROOFS_H
#define PROOFS_H
#include "src/base/base.h"
#include "src/claim/hypotheses.h"
#include "src/claim/words.h"

typedef struct {
    char id[NAME_SIZE], part[NAME_SIZE]; /* K-T4.4, corrected-tied                                        */
    char kind[16];                       /* sym                                                           */
    bool derivation;                     /* of kind sym                                                   */
    long heads, depth;                   /* h; L of the whole models in it, 0: none, -1: every depth.  Kinds other
                                            than sym have 0 and 0                                         */
    const hypotheses *assumes;           /* "invertible W_K; invertible W_Q", sorted, each once; names without the
                                            numbers of layers and heads                                   */
    char proved[224];                    /* "2 equations"                                                 */
    char certificate[104];               /* name of the file, without folder and .cert                    */
    char statement[65];                  /* SHA-256 of the statement, in hexadecimal                      */
} proof;
typedef struct { proof *at; long n; } proofs;

/* Appends the records of a file; dies with line and reason on a malformed one, or one that is no acceptance. */
void proofs_read(proofs *all, const char *path);
void proofs_free(proofs *all);
#endif
