/* SPDX-License-Identifier: GPL-3.0-or-later
 * check.h - `provably check`: which programs of claims have to run, and running them.
 *
 * The evidence of a program lies in the folder of evidence:
 *     NAME.csv NAME.ladder.csv NAME.figures.csv   what it wrote, and NAME.log, what it said
 *     NAME.accepted     proofcheck's line of each of its certificates, which are in ../certificates/NAME
 *     NAME.failed       the exit status of its run, where that is not 0; NAME.unproved, that of proofcheck
 *     NAME.meta         its description, where it is not linked into this program
 * and three records, each written last:
 *     NAME.done         the run has ended with exit status 0: what it was made from
 *     NAME.certified    the certificates are whole: what they were made from
 *     NAME.proved       proofcheck has accepted them: the same, proofcheck and the list of statements
 * What a program is made from is the SHA-256 of its code and data and of the library's, and its parameters.  A record
 * that is missing or says something else counts as none, so what is interrupted at any moment is done again, and
 * nothing but that. */
#ifndef CHECK_H
#define CHECK_H
#include "src/base/base.h"

typedef struct {
    const char *evidence, *programs;     /* folders */
    const char *plain;                   /* a folder to compare with, and no more; NULL: none */
    const char *out;                     /* of the reports; NULL: the report's own choice */
    const char *scale;                   /* quick, default, large */
    uint64_t seed;
    long     trials, jobs;               /* 0: as planned */
    long     limit;                      /* seconds of a program */
    bool     all, certificates, write_index, no_report, pdf, quiet;
    const char **only;                   /* names of programs, or ids */
    long     onlys;
} check_options;

typedef struct {
    const char *name, *id;               /* k_t4_4, K-T4.4 */
    char       *run, *certified, *proved;        /* what the records have to say */
    bool        runs, certifies, proves; /* what is to be done: all, certificates alone, proofcheck alone */
    double      took;                    /* seconds of its last run; NAN: not known */
} check_program;

typedef struct {
    const check_options *o;
    char *root;                          /* the folder above the evidence */
    char *proofcheck, *statements;
    check_program *at;                   /* sorted by name */
    long  n, all;                        /* chosen; of the suite */
} check_suite;

/* ---- check_made.c: what programs are made from */

/* The SHA-256 of the code and data of a program or a library, without what debuggers read; of a script, of all of it.
 * "none": there is no such file. */
char *made_of(const char *path) MUST_USE;
/* The record of that name, "done", of a program says this text. */
bool  record_says (const check_suite *s, const check_program *p, const char *kind, const char *text);
void  record_write(const check_suite *s, const check_program *p, const char *kind, const char *text);
char *evidence_path(const check_suite *s, const char *name, const char *kind) MUST_USE;      /* EVIDENCE/NAME.KIND */

/* ---- check_suite.c: the programs, and what of them is out of date */

check_suite suite_open (const check_options *o);
void        suite_begin(check_suite *s);                 /* what is out of date is removed, and to be done */
void        suite_close(check_suite *s);
/* Removes the evidence of a program; what proofcheck said of its certificates; that and the certificates. */
void suite_forget_run         (const check_suite *s, const char *name);
void suite_forget_proofs      (const check_suite *s, const char *name);
void suite_forget_certificates(const check_suite *s, const char *name);
char *suite_certificates(const check_suite *s, const char *name) MUST_USE;      /* its folder */
/* The paths of its n certificates, in the order of the alphabet, behind `first` empty places, and NULL; to be freed. */
char **suite_certificate_files(const check_suite *s, const char *name, int first, int *n) MUST_USE;
/* "Unchanged and not run again: ..."; prints nothing where all have run. */
void suite_print_kept(const check_suite *s);
/* "k_e2.failed n13.unproved", or "": to be freed. */
char *suite_failed(const check_suite *s) MUST_USE;

/* ---- check_run.c */

/* Does what is to be done.  The signal that stopped it; 0: none. */
int suite_run(check_suite *s);

/* ---- check_lists.c: the lists beside claims.csv; each says what differs */

/* Whether claims.csv has the certificates and controls that there are; `write`: it gets them. */
bool lists_index (const check_suite *s, bool write);
bool lists_formal(const check_suite *s); /* formal.csv has each certificate */
void lists_count (const check_suite *s); /* "certificates: 261 accepted: 2 matrix, ..." */

/* ---- check_compare.c */

/* Whether the evidence in `folder`, made with the fast paths off, has the same outcomes; says where not. */
bool suite_compare(const check_suite *s, const char *folder);
#endif
