/* claim.h - what a theorem program declares, and what its bodies may say.
 *
 * A claim has parts.  The `as-stated` part is the sentence of the paper; where that is false or
 * needs a repair, a `corrected` part follows.  Each part carries controls: the same body with one
 * hypothesis dropped or one factor of the construction broken, which must be refuted in every
 * decided trial.  The runner adds the control `minimal`: one entry of one reduced matrix times
 * 1 + 2^-40.  A program is one table and its bodies; THEOREM_PROGRAM makes it a main.          */
#ifndef CLAIM_H
#define CLAIM_H
#include "src/claim/induction.h"
#include "numerics/measure.h"
#include "src/model/model.h"
#include "src/claim/papers.h"

/* What a check that holds over fp rests on. */
typedef enum {
    BY_CHANCE,                           /* residues that are equal at a random point: deg counts the error */
    BY_FACT,                             /* no probability: whole numbers, residues that differ             */
    BY_SAMPLE,                           /* a random point of a field, and nobody counts the error          */
    BY_NOTHING,                          /* in deg: not a single event, as for 0 = 0, which says nothing    */
} certainty;

typedef struct {
    const char *what;                    /* static text: "logits"                                */
    bool        want_equal;              /* claim_equal, or claim_differs                        */
    comparison  is;                      /* of this check alone; HOLDS = as wanted               */
    certainty   by;
    bool        whole;                   /* of two whole functions, not of a step or a fact      */
} check;

typedef struct {
    const char *what;                    /* static text: "exponent in d"                         */
    double      x;                       /* what it was measured at; NaN: it stands alone        */
    estimate    is;
    double      predicted;               /* NaN: only shown                                      */
} reading;

typedef struct trial {
    scope   s;
    shape   sh;                          /* completed; what the runner adapted to the arithmetic */
    const char *id, *part;               /* of the claim and the part that runs, for bodies that several share */
    uint64_t seed;
    long     number;
    bool     minimal;                    /* this is the control `minimal`                        */
    bool     minimal_done;
    check   *checks;
    long     nchecks, capacity;
    long     stacks;                     /* whole models compared                                */
    long     inductions;                 /* of the stacks, those that an induction carries to every depth */
    double   log2logit;                  /* log2 max |logit| of the original model, or NaN       */
    bool     measuring;                  /* the part is of kind PART_MEASURED                    */
    reading *readings;
    long     nreadings;
    const induction *induction;          /* the part's table of layers, or NULL               */
    struct certifier *certifier;         /* where this body's certificates go, or NULL           */
} trial;

/* A must equal B.  `what` is static text; several checks may be made, all must hold. */
void claim_equal  (trial *t, const char *what, const mat *A, const mat *B);
/* A must differ from B (for counterexamples); sym answers UNDECIDED. */
void claim_differs(trial *t, const char *what, const mat *A, const mat *B);
/* Every entry of A is > 0; every entry of A is < that of B. */
void claim_positive(trial *t, const char *what, const mat *A);
void claim_less    (trial *t, const char *what, const mat *A, const mat *B);
/* A yes-or-no fact that was decided exactly (indices, shapes) and depends on no residue: deg must find it, too. */
void claim_decided(trial *t, const char *what, bool is_so);
/* The same of something found at a random point of a field, in a way whose error nobody counts. */
void claim_sampled(trial *t, const char *what, bool is_so);
/* A lower bound on a rank, found as a minor that is not 0, or what follows from one: certain over fp.  deg, which sees
 * no residues, takes it as found. */
void claim_minor  (trial *t, const char *what, bool is_so);
/* rank A = expected, rank A <= most, decided exactly over fp and q; elsewhere the trial becomes UNDECIDED.     */
void claim_rank   (trial *t, const char *what, const mat *A, long expected);
void claim_rank_at_most(trial *t, const char *what, const mat *A, long most);
/* Two quantities that were enclosed outside of a matrix; arithmetics that certify, only.        */
void claim_enclosed(trial *t, const char *what, comparison is);

/* A figure and what theory says it should be, in parts of kind PART_MEASURED.  HOLDS if the prediction
 * is in the interval that decides (numerics/measure.h), UNDECIDED if the 95 % interval is wider than
 * `widest`, so that none is met by knowing nothing.                                             */
void claim_measured(trial *t, const char *what, double x, estimate is, double predicted, double widest);
/* A figure that reports show beside the others and that decides nothing; predicted may be NaN.  */
void claim_shown   (trial *t, const char *what, double x, estimate is, double predicted);

/* Model M and its reduction R have the same logits.  Also the place of the minimal control. */
void claim_same_function(trial *t, const model *M, const model *R);
/* The eliminated A is the identity: what the statement says of it, beside that the function is the same. */
void claim_eliminated(trial *t, const char *what, const mat *A);
/* The same of whole stacks that are no `model`: Y must equal Z, at this depth. */
void claim_whole(trial *t, const char *what, const mat *Y, const mat *Z);
/* The models of the part's table (src/claim/induction.h) have the same logits at this depth; one layer of each kind, the
 * embedding and the head are what the table says.  Over sym that proves every depth.  A body by itself.        */
void claim_by_induction(trial *t);
/* For controls: the models of some table at some shape have the same logits. */
void claim_built(trial *t, shape sh, const induction *how);
/* On a free input X (n x d), block i of R sends X in.to to (block i of M)(X) out.to. */
void claim_step(trial *t, const model *M, const model *R, long i, basis in, basis out);
/* Bodies that compare no whole models name their reduced matrices here, before using them. */
void claim_reduced(trial *t, long n, const mat **const reduced[]);

typedef void body(trial *t);
typedef struct { const char *name; body *run; const char *why; } control;   /* why: what is broken */

typedef enum {
    PART_IDENTITY,         /* the statement itself: must hold                                     */
    PART_COUNTEREXAMPLE,   /* the body shows exact facts that contradict the statement: REFUTED   */
    PART_SLIP,             /* the same, of a misprint or a recount that its context corrects: SLIP */
    PART_GAP,              /* the body shows that a hypothesis is missing: CAVEAT                 */
    PART_HYPOTHESIS,       /* the statement's own hypotheses fail where the paper applies it; the
                              construction, run all the same, must be refuted: HYPOTHESIS-FAILED  */
    PART_MEASURED,         /* the body measures figures, in doubles alone: MEASURED, never more   */
    PART_INFORMAL,         /* no statement to decide; the body shows facts beside it: INFORMAL    */
    PART_UNCHECKABLE,      /* the paper does not say enough to check it; the body shows what is missing:
                              UNCHECKABLE                                                          */
} part_kind;

/* What a part speaks about, hence what evidence can prove it: src/claim/verdict.h. */
typedef enum {
    ABOUT_ALL,             /* all sizes, heads, depths, and almost all weights                     */
    ABOUT_FINITE,          /* finitely many cases, all of which are decided: counts, printed numbers, given matrices */
} quantifier;

/* large: 0; 1: claim only, one trial, f64 fp arb, controls over fp; ONLY_AT_LARGE: so, and only with
 * --scale=large                                                                                  */
enum { ONLY_AT_LARGE = 2 };
typedef struct { shape sh; int large; } shape_case;

typedef struct {
    const char *name;                    /* begins with "as-stated" or "corrected"; several such
                                            parts (variants) are judged together, weakest counts  */
    part_kind   kind;
    const char *statement;               /* LaTeX                                                 */
    quantifier  about;
    const char *assumes;                 /* the hypotheses a derivation may use, "invertible W_Q; orthogonal U":
                                            names without their numbers; NULL: the claim's         */
    const char *basis;                   /* how it is decided where that is not plain equality;
                                            NULL, or "witness", "rank"                            */
    const char *by_proof;                /* the step that no program of this suite checks, "Dobrushin's inequality";
                                            NULL: every step is computed                          */
    body       *run;
    const induction *induction;          /* NULL, or the table that claim_by_induction proves     */
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
    const quotation *standing; size_t nstanding;         /* what the section assumes for all of its sentences */
    const char *hypotheses;              /* LaTeX                                                 */
    const char *assumes;                 /* the same as a machine reads it, for all parts that say nothing else */
    const char *construction;            /* LaTeX; NULL where there is none                       */
    const char *why;                     /* LaTeX, one paragraph: why it works, or why it is false */
    void      (*prepare)(shape *sh);     /* NULL: nothing to set                                  */
    const shape_case *shapes; size_t nshapes;            /* NULL, 0: the standard shapes          */
    const part *parts; size_t nparts;
    const char *depends;                 /* ids of the claims it uses, "K-L3.1 K-P3.2"; may be "" */
} claim;

int theorem_main(const claim *C, int argc, char **argv);
#define THEOREM_PROGRAM(C) int main(int argc, char **argv) { return theorem_main(&(C), argc, argv); }
#endif
