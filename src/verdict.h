/* verdict.h - from evidence rows to verdicts; nothing else decides anything.
 *
 * Per part and shape the strongest of
 *   PROVED     equal over sym (all sizes), over fp with error <= 2^-60 (this size), or over q (this instance)
 *   CERTIFIED  balls that meet, relative width <= 2^-64
 *   CHECKED    mpfr gaps that fall with slope -1, or are exactly 0
 *   MEASURED   a double gap under the bound measured on the instance; a figure whose interval has its
 *              prediction, which is all that a part of kind `measured` can come to
 * and per part the weakest over its shapes.  An opposite answer of another arithmetic on the same part
 * is INCONSISTENT, whatever the rest says.  A control that was not refuted in each decided trial, or
 * in fewer than three, makes the part UNCONTROLLED.  A tolerance never upgrades a verdict. */
#ifndef VERDICT_H
#define VERDICT_H
#include "src/evidence.h"

typedef enum {                           /* from the weakest to the strongest, then those outside the order */
    V_NONE,                              /* no such part                                                    */
    V_UNDECIDED, V_MEASURED, V_CHECKED, V_CERTIFIED, V_PROVED,
    V_PENDING, V_CAVEAT, V_REFUTED, V_HYPOTHESIS_FAILED, V_INFORMAL, V_UNCHECKABLE,
    V_UNCONTROLLED, V_INCONSISTENT, V_FAILED     /* these three fail the run                                 */
} verdict;
const char *verdict_word(verdict v);     /* "PROVED", "HYPOTHESIS-FAILED", "" for V_NONE                     */
bool        verdict_fails(verdict v);    /* UNDECIDED too: a program that decides nothing fails               */

typedef struct {                         /* what one arithmetic says about a part (claim rows only)           */
    long   holds, refuted, undecided;
    double worst;                        /* f64: largest log2 gap; arb: largest log2 width; fp: largest log2 error;
                                            mpfr: slope furthest from -1 (NaN: all exact); q, sym: -inf       */
    double margin;                       /* f64: largest log2(gap/bound)                                      */
    bool   exact;                        /* mpfr: some check was exact at every precision and none had a slope */
} answer;

enum { A_F64, A_MPFR, A_ARB, A_FP, A_Q, A_SYM, ARITHS };
int arith_index(const char *name);       /* "f64" -> A_F64; -1: no such arithmetic                            */
extern const char *const arith_names[ARITHS];

typedef struct {
    char    name[16], kind[16];
    verdict is;
    char    scope[40];                   /* of the weakest shape; "all sizes" when sym proved it              */
    char    basis[96];
    char    why[160];                    /* for verdicts that fail: what to look at                           */
    answer  by[ARITHS];
    long    controls, refuted;           /* controls that were refuted in every decided trial, of how many    */
    char    unrefuted[40];               /* one that was not, or ""                                           */
    double  smallest_control;            /* smallest log2(gap/bound) of a control in f64; +inf: none          */
    double  seconds;
} part_verdict;

enum { MAX_PARTS = 16 };
typedef struct {
    char         id[16];
    verdict      as_stated, corrected;   /* corrected: V_NONE where the claim has no such part                */
    part_verdict part[MAX_PARTS];
    long         parts;
    long         controls, refuted;
    char         scope[40];
    double       seconds, log2logit;     /* log2logit: largest over the claim's own rows              */
} claim_verdict;

/* Verdict of one part from all its rows (claim and control cases). */
part_verdict  judge_part (const rows *all, const char *id, const char *part);
/* 0 this instance, 1 this size, 2 all sizes at one depth, 3 all sizes; 4: no scope was said. */
int           scope_width(const char *scope);
claim_verdict judge_claim(const rows *all, const char *id);      /* V_PENDING when it has no rows             */

/* ---- the index of all claims, reports/claims.csv ---------------------------------------------------------- */
typedef struct {
    char id[16], alias[32], paper[16], n003[24], n000[24], n001[24], kind[16], title[128], expected[128],
         program[24], certificate[96], controls[512];
} claim_entry;
typedef struct { claim_entry *at; long n; } claim_index;
claim_index index_read(const char *path);                        /* dies with line and reason                 */
void        index_free(claim_index *x);
const claim_entry *index_find(const claim_index *x, const char *id);           /* NULL: no such claim          */
#endif
