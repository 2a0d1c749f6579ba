/* SPDX-License-Identifier: GPL-3.0-or-later
 * words.h - the closed sets of this room, each an enum with one table of the words that files and reports use. */
#ifndef WORDS_H
#define WORDS_H
#include "numerics/arith.h"

/* Characters of the name of a claim, a part or a case; and the room it takes. */
enum { NAME_MOST = 40, NAME_SIZE = NAME_MOST + 1 };

/* The arithmetics that decide trials. */
extern const char *const arith_names[ARITHS];
int arith_index(const char *name);       /* "f64" -> A_F64; -1: no such arithmetic                        */

const char *truth_word (truth is);       /* "holds" "refuted" "undecided"                                 */
int         truth_index(const char *word);

/* What the body of a part shows, hence what follows for the statement. */
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
    PART_BESIDE,           /* the body shows exact facts that only illustrate: they decide nothing */
    PART_MEASURED_BESIDE,  /* the body measures figures that only illustrate                      */
    PART_KINDS
} part_kind;
const char *part_kind_word (part_kind kind);             /* "identity"                            */
int         part_kind_index(const char *word);           /* -1: no such kind                      */
/* The body shows facts beside a sentence, not the sentence: it must say what they have to do with it. */
bool        part_shows_facts(part_kind kind);
bool        part_measures(part_kind kind);               /* figures, in doubles                   */
bool        part_illustrates(part_kind kind);            /* decides nothing                       */

/* What a part is to its claim. */
typedef enum {
    ROLE_SENTENCE,         /* it says the printed sentence, or what is wrong with it               */
    ROLE_CORRECTED,        /* its name begins with "corrected"                                     */
    ROLE_ILLUSTRATION,     /* beside the printed sentence                                          */
    ROLE_CORRECTED_ILLUSTRATION  /* beside what it is corrected to                                 */
} part_role;
/* Of a part as it is declared, or read: whoever judges or shows one has its role. */
part_role part_role_of(const char *name, part_kind kind);
bool      part_role_illustrates(part_role role);
/* What a row of symbols calls a fact that its body decided: no equation shows it, nor does a certificate. */
#define DECIDED_BESIDE "decided by the body: "

/* What a part speaks about, hence what evidence can prove it: src/claim/judge/verdict.h. */
typedef enum {
    ABOUT_ALL,             /* all sizes, heads, depths, and almost all weights                     */
    ABOUT_FINITE,          /* finitely many cases, all of which are decided: counts, printed numbers, given matrices */
    ABOUTS
} quantifier;
const char *quantifier_word (quantifier about);          /* "all" "finite"                        */
int         quantifier_index(const char *word);

/* For which inputs a trial speaks when it holds. */
typedef enum { SCOPE_INSTANCE, SCOPE_SIZE, SCOPE_ALL_SIZES, SCOPES } trial_scope;
const char *trial_scope_word (trial_scope is);           /* "this instance" "this size" "all sizes" */
int         trial_scope_index(const char *word);

/* How deep the models were that a trial compared. */
typedef enum {
    DEPTH_NONE,            /* no whole models were compared, nor evaluated for a check              */
    DEPTH_RUN,             /* at the L of the shape alone                                           */
    DEPTH_EVERY,           /* at every L, by the induction of the runner                           */
    DEPTHS
} model_depth;
const char *depth_word (model_depth is);                 /* "none" "run" "every"                  */
int         depth_index(const char *word);

/* What a trial of a control has of its claim's equation (src/claim/runner/runner_sides.c). */
typedef enum {
    SIDE_UNASKED,          /* in this trial nobody compares them                                    */
    SIDE_SHARED,           /* one side, of each check of that name: the control breaks the other    */
    SIDE_OTHER,            /* neither                                                               */
    SIDES
} shared_side;
const char *shared_side_word (shared_side is);           /* "unasked" "shared" "other"            */
int         shared_side_index(const char *word);
#endif
