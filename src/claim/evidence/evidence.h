/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence.h - one row per trial: the only source of every verdict and every report.
 *
 * A row is a line of CSV with a header; text fields hold no comma, quote or newline, and numbers that are no whole
 * numbers are hexadecimal (0x1.8p+1), so that they are read back to the bit.  Rows are written as they are measured
 * (before any assertion) and read back by whoever judges them. */
#ifndef EVIDENCE_H
#define EVIDENCE_H
#include "src/base/base.h"
#include "src/base/intern.h"
#include "src/claim/evidence/cells.h"
#include "src/claim/hypotheses.h"
#include "src/claim/words.h"
#include "src/model/drawn_sizes.h"

enum { SHAPE_SIZE = 224 };               /* of a shape as text                                   */

/* From the smallest to the largest; most 0: there is none. */
typedef struct { long least, most; } size_range;
/* A text of sizes and what it says: a shape, "n=4 d=8 h=2 norm=layer", or ranges, "d=4-6 L=3". */
typedef struct {
    const char *text;
    size_range  size[DRAWN_SIZES];       /* n d h m V L                                          */
    bool        is_model;                /* it is a shape, and `model` has all its switches      */
    shape       model;
} row_sizes;

typedef enum { ROW_OF_CLAIM, ROW_OF_MINIMAL, ROW_OF_CONTROL } row_subject;

/* Of some checks with one name: so many are so.  `decided`: the name without DECIDED_BESIDE, where it has that; else
 * NULL. */
typedef struct { truth is; long times; const char *what, *decided; } check_truth;
typedef struct {
    const char *text;                    /* "holds logits; holds*2 one block; refuted step": a list, list.h   */
    long        n;
    const check_truth *at;
} check_truths;

/* Texts are interned, so that equal ones are the same pointer; in a row that was run or read none is NULL. */
typedef struct {
    const char *id, *part;               /* K-T4.4, as-stated                                    */
    part_kind kind;
    const char *which;                   /* "claim", "minimal", or the name of a control         */
    row_subject subject;                 /* which of the three                                   */
    int  over;                           /* A_F64 ... A_SYM                                      */
    const char *param;                   /* 64-1024 of mpfr; 512 of arb; 2 primes; 6 sizes of sym */
    bool certain;                        /* over fp: all checks need no probability; the error is 0, the scope the
                                            instance                                             */
    const row_sizes *shape;              /* shape_print                                          */
    uint64_t seed;
    long   trial;
    truth  verdict;
    double log2gap;                      /* worst over the checks; -inf: equal                   */
    double log2bound;                    /* f64: bound; arb: width asked; fp: log2 error         */
    double slope;                        /* mpfr: of log2 gap against bits; NaN elsewhere or exact */
    long   checks;
    double log2logit, kappa, seconds;    /* NaN or 0 where they make no sense                    */
    int    threads;
    const char *blas;                    /* core name of OpenBLAS                                */
    trial_scope scope;
    model_depth depth;
    const hypotheses *uses;              /* sym: those of the derivation, "invertible W_K; invertible W_Q", sorted;
                                            then the weights that are set, not drawn, "constrained W_V = 0"; elsewhere
                                            none                                                 */
    bool   undeclared;                   /* sym: the derivation uses a hypothesis that neither part nor claim declares:
                                            then UNDECIDED, whatever was proved                  */
    bool   skipped;                      /* UNDECIDED for a reason that skips (numerics/reason.h): neither for nor
                                            against                                              */
    bool   finite;                       /* the part speaks of finitely many cases: ABOUT_FINITE */
    const char *what, *note;             /* the worst check; the reason of UNDECIDED             */
    bool   whole;                        /* some check that was refuted compared whole functions */
    shared_side shares_side;             /* of a control's trial 0                               */
    const char *unbroken;                /* sym: equations that hold whatever a control breaks and whatever stands for
                                            the reduced matrices: a list, list.h                 */
    const char *basis, *by_proof;        /* of the part, as declared                             */
    bool   recount;                      /* its basis: printed numbers, counted again; the shape is a stand-in */
    const row_sizes *drawn;              /* sizes of the models that it drew, where they are others than those of the
                                            shape: "d=4-6 L=3" (src/model/drawn_sizes.h); of sym, which takes the other
                                            sizes as symbols, h and L alone */
    const check_truths *truths;          /* of every check                                       */
    const char *build;                   /* commit, compiler and libraries: libraries_text of numerics/libraries.h */
} row;

/* What a text of sizes says, read once for each text; it lives as long as the program, and equal texts share one. */
const row_sizes *evidence_sizes(const char *text);
/* A size, DRAWN_N to DRAWN_L, of the models that the trial drew, else of its shape: every sentence with a size takes it
 * from here. */
size_range evidence_row_size(const row *r, int which);
row_subject evidence_subject(const char *which);
/* Sets id, part, case and kind of a row. */
void evidence_row_name(row *r, const char *id, const char *part, part_kind kind, const char *which);
/* A row in which no text is NULL: all are empty. */
row  evidence_row_blank(void);

typedef struct { row *at; long n; } rows;

/* The cases that every part may have beside its controls. */
#define CASE_CLAIM   "claim"
#define CASE_MINIMAL "minimal"
bool evidence_row_is_claim(const row *r);
/* The basis of a part that counts printed numbers again. */
#define BASIS_RECOUNT "recount"
/* What `param` says over fp where the row is certain. */
#define PARAM_CERTAIN "certain"

void evidence_row_header(FILE *f);
void evidence_row_write (FILE *f, const row *r);         /* one line, flushed                   */
/* Appends the rows of a file, of which there may be more to come (evidence_end.h); dies with line and reason on a
 * malformed one, and on one whose verdict contradicts its checks: holding where one of them does not, or refuted
 * where none is. Numbers are hexadecimal or decimal. */
void evidence_rows_read(rows *all, const char *path);
void evidence_rows_add (rows *all, const row *r);
void evidence_rows_free(rows *all);

/* ---- evidence_truths.c: the truths of all checks of a row ---------------------------------------------- */

/* What a text of truths says, read once for each text; it lives as long as the program.  NULL: it is no such text. */
const check_truths *evidence_truths(const char *text);
/* Notes `times` more checks of this name with this truth; the name loses its commas. */
void evidence_row_add_truth(row *r, truth is, const char *what, long times);
long evidence_row_count_truths(const row *r, truth is);
/* Did a check of this name, as in row.what, hold? */
bool evidence_row_shows(const row *r, const char *what);
/* Do the verdict and the number of checks agree with the truths? */
bool evidence_row_agrees(const row *r);
#endif
