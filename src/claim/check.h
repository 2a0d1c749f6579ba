/* SPDX-License-Identifier: GPL-3.0-or-later
 * check.h - one trial of a body, and the checks that the body may make.
 *
 * A body draws or builds matrices in t->s, a scope over some arithmetic, and says what must hold of them.  The runner
 * repeats it over other arithmetics, shapes and draws, and judges the checks.                                */
#ifndef CLAIM_CHECK_H
#define CLAIM_CHECK_H
#include "src/model/constrained.h"
#include "src/model/gauge.h"

/* What a check that holds over fp rests on. */
typedef enum {
    BY_CHANCE,                           /* residues that are equal at a random point: deg counts the error */
    BY_FACT,                             /* no probability: whole numbers, residues that differ             */
    BY_SAMPLE,                           /* a random point of a field, without a bound on the error         */
    BY_NOTHING,                          /* in deg: not a single event, as for 0 = 0, which says nothing    */
} certainty;

/* Of one entry of an equation, the two sides: equal, both 0, or apart. */
typedef enum { ENTRY_EQUAL, ENTRY_ZERO, ENTRY_APART } entry_is;

typedef struct {
    const char *what;                    /* static text: "logits"                                */
    bool        want_equal;              /* claim_equal, or claim_differs                        */
    comparison  is;                      /* of this check alone; HOLDS = as wanted               */
    certainty   by;
    bool        whole;                   /* of two whole functions, not of a step or a fact      */
    bool        given;                   /* of something that was drawn or given, not of literals alone */
    bool        decided;                 /* a fact that the body decided: no certificate of equations has it */
    uint64_t    side[2];                 /* where the runner asks for them: what fingerprint_of says of each; 0: none */
    entry_is   *entry;                   /* there, of an equation: how its two sides are, row by row; else NULL */
    long        rows, cols;              /* of these                                              */
    bool        mirrored;                /* and one side is the other transposed: it says nothing of the diagonal */
} check;

typedef enum {
    TRIAL_CHECKS,                        /* the claim or a control                               */
    TRIAL_MINIMAL,                       /* the control `minimal`                                */
    TRIAL_REPLACES,                      /* what claim_reduced names is drawn anew: runner_unbroken.c */
    TRIAL_MEASURES,                      /* a part of kind PART_MEASURED                         */
    TRIAL_CERTIFIES,                     /* certificates are written: certificate.h              */
} trial_mode;

/* What the checks leave for the runner. */
typedef struct {
    trial_mode mode;
    bool    nudged;                      /* TRIAL_MINIMAL: an entry was changed                  */
    bool    sides, entries;              /* checks note their sides; and these entry by entry    */
    long    replaced;                    /* TRIAL_REPLACES: matrices that were drawn anew        */
    check  *checks;
    long    nchecks, capacity;
    bool    asked;                       /* claim_over gave another answer than over sym         */
    long    stacks;                      /* whole models compared                                */
    long    inductions;                  /* of the stacks, those that an induction carries to every depth */
    char    constrained[CONSTRAINED_SIZE];   /* over sym: weights of the original models that are not drawn */
    double  log2logit;                   /* log2 max |logit| of the original model, or NaN       */
    struct reading *readings;            /* TRIAL_MEASURES: check_figures.h                      */
    long    nreadings;
    struct certifier *certifier;         /* TRIAL_CERTIFIES                                      */
} trial_record;

typedef struct trial {
    scope   s;
    shape   sh;                          /* completed; what the runner adapted to the arithmetic */
    const char *id, *part;               /* of the claim and the part that runs, for bodies that several share */
    uint64_t seed;
    long     number;
    double   widest;                     /* of a figure's interval: the part's                   */
    const struct induction *induction;   /* the part's table of layers, or NULL                  */
    const struct stream_plan *stream;    /* whole models are evaluated a layer at a time: stream.h; NULL: at once */
    trial_record record;                 /* the runner's: bodies leave it alone                  */
} trial;
typedef void body(trial *t);

/* A must equal B.  `what` is static text; several checks may be made, all must hold. */
void claim_equal  (trial *t, const char *what, const mat *A, const mat *B);
/* A must differ from B (for counterexamples); sym answers UNDECIDED. */
void claim_differs(trial *t, const char *what, const mat *A, const mat *B);
/* Every entry of A is > 0; every entry of A is < that of B. */
void claim_positive(trial *t, const char *what, const mat *A);
void claim_less    (trial *t, const char *what, const mat *A, const mat *B);
/* A yes-or-no fact that was decided exactly (indices, shapes) and depends on no residue: deg must find it, too. */
void claim_decided(trial *t, const char *what, bool is_so);
/* The same of something found at a random point of a field, without a bound on its error. */
void claim_sampled(trial *t, const char *what, bool is_so);
/* A lower bound on a rank, found as a minor that is not 0, or what follows from one: certain over fp.  deg, which sees
 * no residues, takes it as found. */
void claim_minor  (trial *t, const char *what, bool is_so);
/* rank A = expected, rank A <= most, decided exactly over fp and q; elsewhere the trial becomes UNDECIDED.     */
void claim_rank   (trial *t, const char *what, const mat *A, long expected);
void claim_rank_at_most(trial *t, const char *what, const mat *A, long most);
/* Two quantities that were enclosed outside of a matrix; arithmetics that certify, only.        */
void claim_enclosed(trial *t, const char *what, comparison is);

/* Model M and its reduction R have the same logits.  Also the place of the minimal control. */
void claim_same_function(trial *t, const model *M, const model *R);
/* The eliminated A is the identity: what the statement says of it, beside the equality of the functions. */
void claim_eliminated(trial *t, const char *what, const mat *A);
/* The same of whole stacks that are no `model`: Y must equal Z, at this depth. */
void claim_whole(trial *t, const char *what, const mat *Y, const mat *Z);
/* The models of the part's table (src/claim/induction.h) have the same logits at this depth; one layer of each kind,
 * the embedding and the head are what the table says.  Over sym that proves every depth.  A body by itself.      */
void claim_by_induction(trial *t);
/* For controls: the models of some table at some shape have the same logits. */
void claim_built(trial *t, shape sh, const struct induction *how);
/* On a free input X (n x d), block i of R sends X in.to to (block i of M)(X) out.to. */
void claim_step(trial *t, const model *M, const model *R, long i, basis in, basis out);
/* Bodies that compare no whole models name their reduced matrices here, before using them. */
void claim_reduced(trial *t, long n, const mat **const reduced[]);
/* What a body may ask of the arithmetic that it runs over.  A derivation must not show less than the other runs, nor
 * something else: where the answer is not that of symbols, the runner notes one more check of the name below, which
 * symbols never make, so that the derivation leaves something out (judge.h). */
typedef enum {
    OVER_ENTRIES,                        /* entries have values: not over sym                    */
    OVER_REALS,                          /* exp and roots: f64, mpfr, arb                        */
    OVER_BALLS,                          /* arb                                                  */
    OVER_RATIONALS,                      /* q                                                    */
    OVER_EXACT,                          /* equality is decided: q and fp                        */
    OVER_ORDERED,                        /* signs: f64, mpfr, arb, q                             */
    OVER_FORMAL,                         /* functions are formal: sym and fp                     */
    OVER_FUNCTIONS,                      /* row maps are formal, or the model's own: not q       */
} over_what;
#define UNSEEN_BY_SYMBOLS "what symbols do not see"
bool claim_over(trial *t, over_what what);
/* Two numbers that are this trial's own, for a generator that takes seeds.  Asked as by claim_over. */
void claim_seeds(trial *t, uint64_t of[2]);
long claim_bits(trial *t);               /* the precision of its numbers; 0: they are exact.  Asked as by claim_over */
/* Does this run write certificates? */
bool claim_certifies(const trial *t);
#endif
