/* SPDX-License-Identifier: GPL-3.0-or-later
 * certificate.h - what a program leaves behind for those who do not trust it: reports/CERTIFICATES.md.
 *
 * The runner opens a certifier for a part and runs its body once more, over q or over arith_term, with
 * trial.certifier set.  Over arith_term every claim_equal is noted and becomes a line of one symbolic
 * certificate.  Over q a body offers what it knows by the functions below; elsewhere they do nothing.
 * Files are FOLDER/ID-PART[-NAME].cert; a second one of that name that differs gets -2, and so on.       */
#ifndef CERTIFICATE_H
#define CERTIFICATE_H
#include "src/claim/claim.h"
#include "src/claim/hypotheses.h"

typedef struct { const char *what; long left, right; } equation;     /* steps of arith_term        */
typedef struct certifier {
    const char *folder, *id;
    const part *part;
    long        written;                 /* files, including those that existed already          */
    equation   *equations;               /* over arith_term                                        */
    long        nequations;
    long        decided;                 /* facts of claim_decided, which no equation shows        */
    const hypotheses *uses;              /* of the derivation over sym; NULL: nobody has asked       */
    long        heads, depth;            /* of the recorded models; depth 0: no whole models are compared,
                                            -1: an induction carries all that are to every depth   */
} certifier;

/* Contract of all: `name` and `kind` are static text of letters, digits and `-`. */

/* Formulas in reverse Polish notation over the given matrices: "A B ' * = C", also !=, and < and <= of 1 x 1. */
typedef struct { const char *name; const mat *A; } given;
void certify_matrix     (trial *t, const char *name, long n, const given matrices[],
                         long nf, const char *const formulas[]);
/* The same over numbers, for the arithmetic of printed counts. */
typedef struct { const char *name, *number; } count_of;          /* "12", "-3/4" */
void certify_recount    (trial *t, const char *name, long n, const count_of values[],
                         long nf, const char *const formulas[]);

/* ---- for the runner ---- */

void certifier_equation(certifier *c, const char *what, const mat *A, const mat *B);
void certifier_clear   (certifier *c);
/* Forgets which files this program has written: the next certificate takes the first name again, and replaces the
 * file. */
void certificates_forget(void);
/* The symbolic certificate of a part at a shape that is complete; NULL, or why there is none (static text). */
const char *certify_symbolic(certifier *c, const claim *C, const part *P, shape sh) MUST_USE;
extern const char certify_same_steps[];              /* the reason why nothing would be stated         */
/* Runs the body over q; it writes what it certifies. */
void certify_exact(certifier *c, const part *P, shape sh, uint64_t seed);

/* A certificate under way: the lines before the data are written by the first, `end` and the file by the second. */
typedef struct { FILE *f; char *text; size_t n; } draft;
void draft_open (draft *d, const certifier *c, const char *kind);
void draft_close(draft *d, certifier *c, const char *name);                      /* name NULL: none    */
void draft_matrix(draft *d, const char *name, const mat *A);                     /* contract: exact    */
bool certify_wanted(const trial *t);     /* this trial is over q and writes certificates               */
#endif
