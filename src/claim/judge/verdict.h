/* SPDX-License-Identifier: GPL-3.0-or-later
 * verdict.h - from evidence to verdicts; nothing else decides anything.
 *
 * Two answers for each part and each claim: what we say about the sentence (verdict), and the evidence for it
 * (evidence).
 *
 *   PROVED             true: a theorem covers what the sentence quantifies over; or a derivation does, or it is finite
 *                      and decided exactly, and somebody has read the body beside it
 *   SUPPORTED          universal, every exact test agrees, and no checked proof of the whole statement exists yet
 *   CAVEAT             true after a stated repair, whose own verdict stands beside it; a witness shows the need
 *   SLIP               a misprint, a miscount or a wrong reference that its context corrects; both forms are shown
 *   REFUTED            false, by an exact witness
 *   HYPOTHESIS-FAILED  the paper applies a theorem where its hypotheses do not hold, and the construction fails there
 *   MEASURED           a figure, with its interval
 *   INFORMAL, UNCHECKABLE, PENDING                        nothing to decide; too vague; not run
 * A part that only illustrates (kinds beside and measured-beside) decides nothing, but must not fail.
 *   UNDECIDED, UNCONTROLLED, INCONSISTENT, HYPOTHESIS-UNDECLARED, FAILED       these fail the run
 *
 * Evidence, weakest first: MEASURED (doubles), CHECKED (gaps fall with slope -1 over five precisions), ENCLOSED
 * (balls meet), EXACT (over Q), VERIFIED (over F_p, error at most 2^-60), DERIVED (a symbolic derivation that
 * proofcheck has accepted), FORMAL (a theorem that the kernel of a proof assistant has accepted; judge_formal.c).
 * An arithmetic counts as evidence of a part only if each of its trials holds.  A symbolic
 * run that proofcheck has not accepted is no evidence, and no derivation suffices without another arithmetic beside
 * it, nor one that leaves out a check which another arithmetic makes.  A witness is exact, derived, or made of facts
 * in balls (signs, ranks, differences); an equality that balls alone decided is none.
 *
 * No check of what a body does says what it means: whatever a program shows counts once somebody has read its body
 * beside the sentence (readings.h).  Until then what holds is SUPPORTED, a witness or a figure UNDECIDED.  A theorem of
 * Coq was compared with the sentence by itself.
 *
 * An opposite answer of another arithmetic on the same part is INCONSISTENT, whatever the rest says.  A control that
 * was not refuted in each decided trial, or in fewer than three, makes the part UNCONTROLLED.  A refuted trial counts
 * only where it has a positive twin: a trial of the part itself, of the same shape and arithmetic, that holds and
 * makes the check that the control breaks.  A twin that does not make it makes the part UNCONTROLLED, and so does a
 * control that is refuted over prime fields and doubles alone where the part itself holds over q or in balls.  A
 * tolerance never upgrades a verdict.  No word of prose is read here: a step that no program checks is the column
 * `by_proof`. */
#ifndef VERDICT_H
#define VERDICT_H
#include "src/claim/evidence/evidence.h"
#include "src/claim/certificate/formal.h"
#include "src/claim/certificate/proofs.h"
#include "src/claim/judge/readings.h"
#include "src/claim/judge/recorded.h"

typedef enum {
    V_NONE,                              /* no such part                                                    */
    V_PENDING, V_UNCHECKABLE, V_INFORMAL,
    V_MEASURED, V_SUPPORTED, V_PROVED,   /* these three from the weakest to the strongest                   */
    V_CAVEAT, V_SLIP, V_REFUTED, V_HYPOTHESIS_FAILED,
    V_UNDECIDED, V_UNCONTROLLED, V_INCONSISTENT, V_HYPOTHESIS_UNDECLARED, V_FAILED, /* these fail the run    */
    VERDICTS
} verdict;
const char *verdict_word (verdict v);    /* "PROVED", "HYPOTHESIS-FAILED", "" for V_NONE                    */
const char *verdict_means(verdict v);    /* a clause for legends: "a checked proof covers the whole statement" */
verdict     verdict_of_word(const char *word);           /* V_NONE where there is no such verdict           */
bool        verdict_fails(verdict v);

typedef enum {
    E_NONE, E_MEASURED, E_CHECKED, E_ENCLOSED, E_EXACT, E_VERIFIED, E_DERIVED, E_FORMAL, EVIDENCES
} evidence_kind;
const char *evidence_word(evidence_kind e);   /* "derived", "" for E_NONE                                        */

typedef struct {                         /* what one arithmetic says about a part (claim rows only)           */
    long   holds, refuted, undecided;
    double worst;                        /* f64: largest log2 gap; arb: largest log2 width; fp: largest log2 error;
                                            mpfr: slope furthest from -1 (NaN: all exact); q, sym: -inf       */
    double margin;                       /* f64: largest log2(gap/bound)                                      */
    bool   exact;                        /* mpfr: some check was exact at every precision and none had a slope */
} answer;

/* The numbers of heads, depth and sizes for which evidence speaks. */
typedef struct {
    unsigned long heads;                 /* bit h - 1: h heads                                                */
    long     depth;                      /* 0: no whole models; -1: every depth; else the largest L           */
    bool     sizes;                      /* n, d, d_k, m and V are any                                        */
    bool     witness;                    /* one instance that shows something                                 */
    long     trials;                     /* trials that hold, of the arithmetic that speaks                   */
} evidence_scope;

typedef struct {
    char     name[NAME_SIZE];
    part_kind kind;
    part_role role;
    verdict  is;
    evidence_kind by;
    double   log2;                       /* of VERIFIED the error, of ENCLOSED the width; else -inf           */
    evidence_scope scope;
    int      over;                       /* the arithmetic in which it was tried that counts: the strongest, apart from
                                            sym, where it holds; of a witness the one that shows it          */
    bool     finite;                     /* speaks of finitely many cases                                     */
    bool     shown;                      /* somebody has read the body beside the sentence, or nobody was asked */
    char     lacks[320];                 /* what of the sentence its reader does not find in the body             */
    char     basis[96], by_proof[96];
    bool     trained;                    /* decided by recorded runs                                          */
    const hypotheses *assumes;           /* DERIVED: hypotheses used, as proofcheck names them, and the weights that are
                                            set, not drawn; else as sym does                                  */
    char     missing[160];               /* SUPPORTED: what keeps it from PROVED                              */
    char     why[320];                   /* verdicts that fail: what to look at                               */
    answer   by_arith[ARITHS];
    long     controls, refuted;          /* controls that were refuted in every decided trial, of how many    */
    char     unrefuted[NAME_SIZE];              /* one that was not, or ""                                           */
    char     uncontrolled[200];          /* why it was not                                                    */
    long     broken, local;              /* trials of controls that were refuted, of parts that compare whole
                                            functions; of these, where a step or a fact failed, but no whole
                                            function                                                          */
    const formal_theorem *theorem;       /* one that the kernel accepts of this part; NULL: none.  It lives as long as
                                            the list                                                          */
    const formal_theorem *stale;         /* there is none, but this one would be if its files were unchanged  */
    verdict  unformal;                   /* what the part comes to without the theorem, and by what           */
    evidence_kind unformal_by;
    double   smallest_control;           /* smallest log2(gap/bound) of a control in f64; +inf: none          */
    double   seconds;
} part_verdict;

enum { MAX_PARTS = 32 };
typedef struct {
    char         id[NAME_SIZE];
    verdict      as_stated, corrected;   /* corrected: V_NONE where the claim has no such part                */
    bool         as_meant;               /* every part "as-stated" only illustrates, so that those called "corrected"
                                            say the sentence as its authors mean it: as_stated is their verdict   */
    part_verdict part[MAX_PARTS];
    long         parts;
    long         controls, refuted;
    long         broken, local;          /* as in part_verdict                                                */
    double       seconds, log2logit;     /* log2logit: largest over the claim's own rows                      */
} claim_verdict;

/* Verdict of one part from all its rows (claim and control cases), and of a claim from all its parts.  `accepted`:
 * what proofcheck has accepted; NULL: it has not been asked, so nothing is DERIVED.  `formal`: what a kernel has
 * accepted; NULL: nothing is FORMAL.  `read`: the parts whose bodies somebody has read; NULL: nobody was asked.  Rows
 * of more than MAX_PARTS parts are FAILED; a claim without rows is PENDING.  */
part_verdict  judge_part (const rows *all, const proofs *accepted, const formal_list *formal, const readings *read,
                          const char *id, const char *part);
claim_verdict judge_claim(const rows *all, const proofs *accepted, const formal_list *formal, const readings *read,
                          const char *id);

/* The part that speaks for a group (as-stated... or corrected...): of those that decide its verdict the one with the
 * weakest evidence, then the narrowest scope, but no finite part of a PROVED group where another is universal; NULL:
 * the group is empty.                                                                                         */
const part_verdict *judge_speaker(const claim_verdict *c, bool corrected);
/* Evidence of the group as a whole: the largest error or width of its parts that are known as the speaker is; of
 * FORMAL the k-th part that a theorem with other quantifiers proves, 0 the speaker itself, NULL: there are fewer. */
double              judge_log2  (const claim_verdict *c, bool corrected);
const part_verdict *judge_theorem(const claim_verdict *c, bool corrected, long k);
/* The speaker's scope, and that other parts have theorems of their own, where they do; contract: there is a speaker. */
void                judge_scope_text(char *to, size_t size, const claim_verdict *c, bool corrected);
/* Is the part of that group: as stated, or corrected?  One that only illustrates is of neither. */
bool judge_speaks_for(const claim_verdict *c, const part_verdict *p, bool corrected);

/* "derived", "verified 2^-89", "exact x9", "enclosed 2^-108"; and "any size and depth, h = 1-4 8", of FORMAL the
 * theorem's own quantifiers. */
enum { SCOPE_ROOM = 256 };               /* holds every scope, and what is said of further theorems         */
void evidence_text(char *to, size_t size, const part_verdict *p);
void evidence_scope_text   (char *to, size_t size, const part_verdict *p);
/* "formal: as_stated (all sizes, heads)", and that it decides nothing where the evidence is other; why a theorem
 * does not count: "theorems/k_1.v has changed since Coq's kernel read
 * it: run `make formal`"; "": there is no theorem.  To be freed. */
char *evidence_formal_text(const part_verdict *p) MUST_USE;
/* Negative, 0 or positive as the scope of a is narrower than, like or wider than that of b. */
int  evidence_scope_compare(const evidence_scope *a, const evidence_scope *b);

/* ---- recorded.c: claims that only recorded runs decide ------------------------------------------------------ */
/* A claim without rows is PENDING, and MEASURED where its runs agree. */
void judge_recorded(claim_verdict *c, recorded_standing runs);

/* ---- ratchet.c: reports/verdicts.csv, what each claim came to when it was last agreed ---------------------- */
typedef struct {
    char id[NAME_SIZE];
    verdict is[2];                       /* [0] as stated, [1] corrected                                      */
    evidence_kind by[2];
    bool as_meant;                       /* as in claim_verdict                                               */
} agreed;
typedef struct { agreed *at; long n; } ratchet;
ratchet ratchet_read(const char *path);                          /* dies with line and reason; no file: n = 0 */
void    ratchet_free(ratchet *r);
/* What differs from the agreed verdict of this claim, to be freed; NULL: nothing. */
char   *ratchet_differs(const ratchet *r, const claim_verdict *c);
void    ratchet_line(FILE *f, const claim_verdict *c);           /* one line of a new file; header with c NULL */

/* ---- the index of all claims, reports/claims.csv ---------------------------------------------------------- */
typedef enum { SOURCE_KARBEVSKI, SOURCE_BERMEITINGER, SOURCE_OURS, SOURCE_OTHER } claim_source;
typedef enum {
    CLAIM_THEOREM, CLAIM_LEMMA, CLAIM_PROPOSITION, CLAIM_COROLLARY, CLAIM_OBSERVATION, CLAIM_DERIVATION, CLAIM_REMARK,
    CLAIM_DEFINITION, CLAIM_EQUATION, CLAIM_CLAIM, CLAIM_TEXT, CLAIM_INFORMAL, CLAIM_NUMBER, CLAIM_TABLE,
    CLAIM_EXPERIMENT, CLAIM_EXTENSION, CLAIM_NEW, CLAIM_OTHER
} claim_kind;
typedef struct {
    claim_source source;                 /* what `paper` says: "K", "B", "new", anything else                */
    claim_kind   kind_of;                /* what `kind` says: "theorem", ...                                 */
    char id[NAME_SIZE], alias[32], paper[16], n001[24], n003[24], n000[24], kind[16], title[128], expected[128],
         program[24], certificate[96], controls[512];
} claim_entry;
typedef struct { claim_entry *at; long n; } claim_index;
claim_index index_read(const char *path);                        /* dies with line and reason                 */
void        index_free(claim_index *x);
const claim_entry *index_find(const claim_index *x, const char *id);           /* NULL: no such claim          */
#endif
