/* SPDX-License-Identifier: GPL-3.0-or-later
 * sym.h - how the arithmetic `sym` represents a matrix; shared by the files of this folder only.
 *
 * A matrix is  sum_i c_i w_i,  c_i rational and w_i a word: a product of tokens, each an atom (a named matrix), its
 * transpose, its inverse, or both.  The empty word is the identity.  From the ground up:
 *
 *   ratio.c       the coefficients
 *   registry.c    byte strings and their numbers
 *   atoms.c       atoms and tokens
 *   rewrite.c     which two adjacent tokens reduce to none or one
 *   poly.c        words and linear combinations of them
 *   join.c        the one rule that sees several terms; the normal form
 *   abbreviate.c  long combinations
 *   result.c      a matrix of a scope from a combination
 *   constants.c, inverse.c, functions.c, arith_sym.c   the slots
 *   hypotheses.c  which facts a proof has used
 */
#ifndef SYM_H
#define SYM_H
#include "numerics/arith.h"

/* ---- ratio.c: lowest terms, den > 0, |num| <= INT64_MAX; false: the result does not fit -------------------- */

typedef struct { int64_t num, den; } ratio;

extern const ratio ratio_one, ratio_minus_one;

bool  ratio_add(ratio *c, ratio a, ratio b) MUST_USE;
bool  ratio_mul(ratio *c, ratio a, ratio b) MUST_USE;
bool  ratio_dyadic(ratio *c, int64_t m, long e) MUST_USE;             /* c = m 2^e */
ratio ratio_inverse(ratio a);                                         /* a != 0    */

/* ---- registry.c -------------------------------------------------------------------------------------------- */

typedef struct { unsigned char *bytes; size_t n; uint64_t hash; } registry_entry;
typedef struct {
    registry_entry *entries;             /* bytes are followed by a 0                            */
    size_t  n, room;
    size_t *slot;                        /* open addressing; number + 1, or 0 = free             */
    size_t  slots;                       /* a power of 2, at least 2 n                           */
} registry;

/* The number of this string: 0, 1, 2, ... in order of arrival. */
size_t registry_number(registry *r, const void *bytes, size_t n);
void   registry_free(registry *r);

/* ---- atoms.c ----------------------------------------------------------------------------------------------- */

typedef enum {
    ATOM_NAMED,          /* a drawn matrix.  Drawn square matrices are invertible: the hypothesis of every proof made
                            here is "for all weights for which the inverses taken exist" */
    ATOM_CONSTANT,       /* an integer matrix times a power of two, known by its contents; nothing else is used */
    ATOM_ONES,           /* 1_n, the n x 1 matrix of ones, n > 1 (1_1 is the identity); all-ones is 1_r 1_c' */
    ATOM_SELECT,         /* E(t,o,l), columns o .. o+l-1 of the identity of size t, l < t */
    ATOM_CORE,           /* a long combination, by its normal form: abbreviate.c */
    ATOM_UNKNOWN,        /* a result whose coefficients or length did not fit: some matrix of that shape, a fresh one
                            each time, so it equals nothing but itself */
    ATOM_DIAGONAL,       /* diag(g), by the normal form of g; symmetric */
    ATOM_RADIAL,         /* diag(rho(X X')), by the normal form of X X'; symmetric */
    /* The others are values of opaque functions: one atom per (function, its parameters, normal form of the argument,
     * shape), so equal arguments give equal values and nothing more is known. */
    ATOM_PHI, ATOM_EVEN_PART, ATOM_ROWMAP, ATOM_NORM, ATOM_ROTATE, ATOM_HADAMARD
} atom_kind;

enum { FACT_INVERTIBLE = 1, FACT_SYMMETRIC = 2, FACT_ORTHOGONAL = 4, FACT_STOCHASTIC = 8 };

/* Of E(t,o,l): rows = t, cols = l, from = o.  All fields but `used` follow from the atom's key. */
typedef struct {
    atom_kind kind;
    unsigned  facts;
    unsigned  used;                      /* those of its facts that some rule has used           */
    long      rows, cols, from;
} atom;

/* What an atom is; two atoms are the same when all of this is.  The tail has a fixed format per kind. */
enum { ATOM_PARAMS = 8 };
typedef struct {
    atom_kind   kind;
    long        rows, cols;
    int64_t     param[ATOM_PARAMS];
    const void *tail;
    size_t      n_tail;
} atom_description;

/* The key of an atom in the registry: kind, rows, cols, param, then the tail. */
enum { ATOM_HEAD = 3 + ATOM_PARAMS };

typedef struct {                         /* arith.state */
    registry atom_keys, arguments;       /* arguments: normal forms that opaque functions were given */
    atom    *atoms;
    size_t   atoms_room;
    int64_t  unknowns;
    bool     half_odd, shift_invariant;  /* hypotheses about functions that were used            */
    char    *uses;                       /* of arith_sym_uses                                    */
} sym;

typedef uint32_t token;                  /* 4 atom + TOKEN_INVERSE + TOKEN_TRANSPOSED */
enum { TOKEN_TRANSPOSED = 1, TOKEN_INVERSE = 2 };

static inline sym *sym_of(const mat *A) { return A->R->state; }

static inline const atom *atom_of(const sym *s, token w) { return &s->atoms[w >> 2]; }

static inline bool token_is_select(const sym *s, token w, unsigned flags)
{
    return atom_of(s, w)->kind == ATOM_SELECT && (w & 3) == flags;
}

token atom_token(sym *s, const atom_description *d, unsigned facts);
token token_ones(sym *s, long n);                          /* 1_n, n > 1        */
token token_select(sym *s, long t, long o, long l);        /* E(t,o,l), l < t   */
token token_transposed(const sym *s, token w);
token token_inverted(const sym *s, token w);               /* of an invertible atom */
long  token_rows(const sym *s, token w);
long  token_cols(const sym *s, token w);
void  token_use(sym *s, token w, unsigned fact);
/* An inverse was taken, or cancelled: it exists by hypothesis. */
void  token_use_inverse(sym *s, token w);

/* ---- rewrite.c --------------------------------------------------------------------------------------------- */

typedef enum { REWRITE_STUCK, REWRITE_ZERO, REWRITE_IDENTITY, REWRITE_TOKEN } rewriting;

/* What two adjacent tokens x y are; *z is set for REWRITE_TOKEN. */
rewriting rewrite_pair(sym *s, token x, token y, token *z);

/* ---- poly.c ------------------------------------------------------------------------------------------------ */

/* In normal form terms are sorted by word, words are reduced and distinct, no coefficient is 0. */
typedef struct { ratio c; size_t at, len; } term;          /* word: pool[at .. at+len-1] */
typedef struct {
    term   *terms;
    size_t  n, terms_room;
    token  *pool;
    size_t  used, pool_room;
} poly;

static inline const token *poly_word(const poly *p, const term *t) { return p->pool + t->at; }

int  word_compare(const token *v, size_t n_v, const token *w, size_t n_w);
void poly_free(poly *p);
bool poly_equal(const poly *a, const poly *b);             /* both in normal form */

/* Append to the last word of p, begun at `at`, and reduce; false: the word is zero. */
bool poly_push        (sym *s, poly *p, size_t at, token w);
/* w: a reduced word, or a part of one. */
bool poly_push_word   (sym *s, poly *p, size_t at, const token *w, size_t n);
bool poly_push_inverse(sym *s, poly *p, size_t at, const token *w, size_t n);
/* That word becomes a term of coefficient c, or is dropped when it is zero; false: p is too long. */
bool poly_end(poly *p, size_t at, ratio c, bool nonzero);

/* Each adds to p, which is then no longer in normal form; false: does not fit. */
bool poly_add_multiple(sym *s, poly *p, ratio c, const token *left, size_t n_left, const poly *a,
                       const token *right, size_t n_right);           /* p += c left a right */
bool poly_add_copy     (sym *s, poly *p, ratio c, const poly *a);      /* p += c a            */
bool poly_add_transpose(sym *s, poly *p, const poly *a);              /* p += a'             */
/* Sort, add the coefficients of equal words, drop zeros; false: does not fit. */
bool poly_collect(poly *p);

/* ---- join.c ------------------------------------------------------------------------------------------------ */

/* Bring p into normal form; false: does not fit. */
bool poly_normalise(sym *s, poly *p);

/* ---- abbreviate.c ------------------------------------------------------------------------------------------ */

enum { POLY_LONG = 1 << 14 };            /* we abbreviate where there would be more terms */

/* A number for this normal form: equal numbers, equal combinations. */
int64_t poly_argument(sym *s, const poly *p);
/* q = u core v, one word, for a normal form p (rows x cols) of two terms or more; false: does not fit */
bool poly_abbreviate(sym *s, poly *q, const poly *p, long rows, long cols);
/* p += a b, (rows x middle)(middle x cols), not yet in normal form; false: does not fit */
bool poly_add_product(sym *s, poly *p, const poly *a, const poly *b, long rows, long middle, long cols);

/* ---- result.c: each sets the matrix C ---------------------------------------------------------------------- */

static inline const poly *poly_of(const mat *A) { return A->rep; }

void sym_set_poly(mat *C, poly *p);                                   /* takes p over              */
void sym_set_word(mat *C, ratio c, const token *w, size_t n);         /* C = c w, a reduced word   */
void sym_set_multiple(mat *C, ratio c, const mat *A);                 /* C = c A                   */
void sym_set_unknown(mat *C);
/* C = p, normalised and abbreviated if need be, or an unknown if p did not fit; takes p over. */
void sym_set_result(mat *C, poly *p, bool fits);

/* ---- constants.c, inverse.c, functions.c: slots of arith.h ------------------------------------------------- */

bool  sym_is_ones(const mat *A, ratio *c);                            /* is A = c times all-ones?  */
void  sym_set_dyadic(mat *C, const int64_t *m, long e);
truth sym_inv(mat *C, const mat *A);
void  sym_hadamard(mat *C, const mat *A, const mat *B);
void  sym_scale_rows(mat *C, const mat *g, const mat *A);
truth sym_phi(mat *C, const mat *A, activation kind, place at);
truth sym_rowmap(mat *C, const mat *A, const rowmap *how, place at);
truth sym_norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at);
truth sym_rotate(mat *C, const mat *A);
#endif
