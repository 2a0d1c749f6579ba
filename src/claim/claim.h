/* SPDX-License-Identifier: GPL-3.0-or-later
 * claim.h - what a theorem program declares: a claim, its parts and their controls.
 *
 * A claim has parts.  The `as-stated` part is the sentence of the paper; where that is false or
 * needs a repair, a `corrected` part follows.  Each part carries controls: the same body with one
 * hypothesis dropped or one factor of the construction broken, which must be refuted in every
 * decided trial.  The runner adds the control `minimal`: one entry of one reduced matrix times
 * 1 + 2^-40.  A program is one table and its bodies; THEOREM_PROGRAM registers it, and
 * src/claim/program/theorem_program.c, which each is linked with, has the main. */
#ifndef CLAIM_H
#define CLAIM_H
#include "src/claim/check.h"
#include "src/claim/papers.h"
#include "src/claim/words.h"

typedef struct { const char *name; body *run; const char *why; } control;   /* why: what is broken */

/* large: 0; 1: claim only, one trial, f64 fp arb, controls over fp; ONLY_AT_LARGE: so, and only with
 * --scale=large                                                                                  */
enum { ONLY_AT_LARGE = 2 };
typedef struct { shape sh; int large; } shape_case;

/* An interval as wide as its prediction shows nothing. */
#define WIDEST_MOST 0.25

typedef struct {
    const char *name;                    /* begins with "as-stated" or "corrected"; several such
                                            parts (variants) are judged together, weakest counts; those that only
                                            illustrate (part_illustrates) decide nothing; where all of "as-stated"
                                            do, "corrected" is the sentence as its authors mean it */
    part_kind   kind;
    const char *statement;               /* LaTeX                                                 */
    quantifier  about;
    const char *assumes;                 /* the hypotheses a derivation may use, "invertible W_Q; orthogonal U":
                                            names without their numbers; "h = 1" where it speaks of models with
                                            so many heads alone; NULL: the claim's                 */
    const char *models;                  /* the switches of the models that it speaks of, where it needs them:
                                            "norm = none; tied = 0; h_kv = h"; NULL: the claim's          */
    const char *basis;                   /* how it is decided where that is not plain equality;
                                            NULL, or "witness", "rank"                            */
    const char *by_proof;                /* the step that no program of this suite checks, "Dobrushin's inequality";
                                            NULL: every step is computed                          */
    const char *quantity;                /* where the body shows facts (part_shows_facts): the quantity of the sentence
                                            that they are about, as `statement` writes it         */
    const char *shown_by;                /* there: the check that speaks of it, or how several begin */
    double      widest;                  /* PART_MEASURED: the widest 95 % interval of a figure, as a part of its
                                            prediction (of 1 where that is 0): at most WIDEST_MOST */
    body       *run;
    const struct induction *induction;   /* NULL, or the table that claim_by_induction proves     */
    const control *controls; size_t ncontrols;
    bool        no_large;                /* leave out the large shapes                            */
    bool        no_minimal;              /* nothing is reduced, so there is no minimal control    */
    bool        certifies;               /* over q the body writes certificates: certificate.h    */
    bool        own_row_map;             /* over q, too, the row map is the shape's own: exact where the scores
                                            of a row are equal, skipped elsewhere; false: linear  */
    const char *without;                 /* arithmetics it cannot run over, "q sym"; NULL: none   */
    const char *why_without;             /* mandatory where `without` is set                      */
    void      (*prepare)(shape *sh);     /* sets the hypotheses' switches; NULL: claim's          */
    const shape_case *shapes; size_t nshapes;            /* of this part alone; NULL, 0: claim's  */
} part;

typedef struct {
    const char *id, *title;              /* "K-T4.4"                                              */
    const char *where;                   /* "001 Theorem 4.1; 003 Theorem 4.4; 000 Theorem 4.2"   */
    const quotation *quotes; size_t nquotes;             /* the sentences judged, one for each version that has it;
                                            only a claim of kind `new` quotes none                */
    const char *const *judged; size_t njudged;           /* the clauses of them that it judges, word for word, where
                                            the rest is only quoted with them; none: all of them */
    const quotation *standing; size_t nstanding;         /* what the section assumes for all of its sentences */
    const char *hypotheses;              /* LaTeX                                                 */
    const char *assumes;                 /* the same as a machine reads it, for all parts that say nothing else */
    const char *models;                  /* the switches that all parts need which say nothing else         */
    const char *construction;            /* LaTeX; NULL where there is none                       */
    const char *why;                     /* LaTeX, one paragraph: why it works, or why it is false */
    void      (*prepare)(shape *sh);     /* NULL: nothing to set                                  */
    const shape_case *shapes; size_t nshapes;            /* NULL, 0: the standard shapes          */
    const part *parts; size_t nparts;
    const char *depends;                 /* ids of the claims it uses, "K-L3.1 K-P3.2"; may be "" */
} claim;

/* The controls of a part, from its table. */
#define CONTROLS(table) .controls = table, .ncontrols = COUNT(table)

/* Its own list of hypotheses, its claim's, or "". */
const char *claim_part_assumes(const claim *C, const part *P);
/* The same of the switches that it needs. */
const char *claim_part_models(const claim *C, const part *P);
/* Is `word` in one of these lists? */
bool claim_part_declares(const claim *C, const part *P, const char *word);

/* Runs the program of a claim with these arguments: its exit status. */
int theorem_main(const claim *C, int argc, char **argv);

/* Every claim that is linked into a program registers itself before main: one in a theorem program, all of them in
 * `provably`.  file: its source, "theorems/k_t4_4.c", which names its program. */
void claim_register(const claim *C, const char *file);
/* The claim of this program ("k_t4_4"); NULL: none.  "" and NULL: that of the only one that there is. */
const claim *claim_of_program(const char *program);
#define THEOREM_PROGRAM(C) \
    static void __attribute__((constructor)) register_claim(void) { claim_register(&(C), __FILE__); }
#endif
