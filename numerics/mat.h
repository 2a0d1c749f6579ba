/* SPDX-License-Identifier: GPL-3.0-or-later
 * mat.h - matrices over any arith, written so that theorems read like theorems.
 *
 * Every function allocates its result in the scope and never frees: the scope owns all,
 * scope_close frees all.  Shapes are given as (rows x cols); a shape or an arithmetic that does
 * not match is a broken contract.  A mathematical failure (no inverse, no such function here)
 * makes the scope UNDECIDED, which sticks; later results are zero matrices of the right shape,
 * so callers need not test each step.  A matrix never changes once it is returned, except mat_blank's. */
#ifndef MAT_H
#define MAT_H
#include "numerics/arith.h"
#include "numerics/reason.h"

/* Whose a draw is: a body's own; that of a model, whose names are its slots and layers; one of the suite, which draws
 * again what it needs again; a basis between layers (src/claim/induction.c). */
typedef enum { DRAWN_BY_SUITE, DRAWN_BY_BODY, DRAWN_BY_MODEL, DRAWN_AS_INTERFACE } drawn_by;
#define INTERFACE_NAME "interface"            /* begins the names of bases between layers, and no other names  */

/* slot, layer, expert: of a body's draw, the place of a model in which it was seen first (src/model/constrained.c). */
typedef struct drawn_name {
    struct drawn_name *next;
    const mat *A;
    drawn_by   by;
    const void *slot;
    long       layer, expert;
    char       name[];
} drawn_name;
struct layer_seen;

typedef enum { APPLIED_ROWMAP, APPLIED_PHI, APPLIED_NORM, APPLIED_ROTATION } function_applied;

typedef struct scope scope;
struct scope {
    const arith *R;
    uint64_t     key[2];                 /* of the draws: (seed, stream)                         */
    drawn_by     draws;
    /* Told of each function of a model that a body applies itself, of which kind, and to what it came; NULL: nobody. */
    void       (*applied)(scope *s, const mat *is, function_applied what, int kind);
    drawn_name  *drawn;                  /* over symbols: the names so far, each of which is one matrix */
    struct layer_seen *seen;             /* over symbols: the layers that were evaluated: src/model/constrained.h */
    bool         reduced;                /* what is evaluated is a reduced model: src/claim/check_model.c */
    const void  *plan;                   /* the shape of the models that are asked for, where it is compared; or NULL */
    int          gain;                   /* every drawn weight is scaled by 2^gain               */
    corner       shape_of_draws;
    bool         fp32;                   /* drawn weights have 24 bits, as a checkpoint's do     */
    bool         frugal;                 /* scope_sweep frees; false: all is kept to the end     */
    mat         *first;
    void        *buffers;                /* of scope_alloc                                       */
    truth        status;                 /* HOLDS until something failed                         */
    reason       reason;                 /* of the first failure                                 */
    const char  *why;                    /* the same as static text; NULL while it holds         */
    double       kappa;                  /* largest condition number inverted so far (f64)       */
    long         depth;                  /* of the deepest model evaluated in it: model_note_depth */
    long         held, most_held;        /* entries of its matrices, now and at most so far      */
};

/* From here on the draws are whose; returns whose they were.  What a model's function or a body calls for the suite
 * stays the suite's. */
drawn_by scope_draws(scope *s, drawn_by whose);

scope scope_open (const arith *R, uint64_t seed, uint64_t stream);
void  scope_close(scope *s);             /* frees all its matrices; may be called twice          */
void *scope_alloc(scope *s, size_t bytes);           /* zeros, freed by scope_close              */
/* Frees the matrices that s made since its newest was `since` (s->first at that time; NULL: all), but for the n of
 * `keep`, of which some may be older or NULL.  Where s is not frugal nothing is freed: a record of the run may refer to
 * what it computed. */
void  scope_sweep(scope *s, const mat *since, long n, const mat *const keep[]);
/* Mathematics failed in s, for a reason that does not skip the trial; only the first failure is kept.
 * detail: static text that says more than reason_text(why); NULL: that. */
void  scope_undecided(scope *s, reason why, const char *detail);
/* The same where nothing failed: this arithmetic has no such function, or the question does not arise here.
 * Such a trial speaks neither for nor against: reason_skips(why). */
void  scope_not_here (scope *s, reason why, const char *detail);

/* Random matrices.  The same (seed, stream, name) gives the same matrix in every arithmetic that
 * holds dyadic numbers: 8-bit Gaussian integers times 2^(log2scale - 5), see random.h.  Over fp
 * the entries are uniform, over sym the matrix is a fresh symbol called `name`.  Drawing a name
 * twice gives equal matrices. */
const mat *mat_draw(scope *s, const char *name, long rows, long cols, int log2scale);
/* A random orthogonal matrix (n x n): Cayley's (I - S)(I + S)^-1 of a drawn skew S; over sym a symbol
 * U with U' = U^-1.  UNDECIDED where I + S is singular (never over the reals). */
const mat *mat_draw_orthogonal(scope *s, const char *name, long n);
const mat *mat_draw_weight(scope *s, const char *name, long rows, long cols);    /* its fan-in is `rows` */
/* mat_draw of the name "name.i", or "name.i.j" where j >= 0. */
const mat *mat_draw_at(scope *s, const char *name, long i, long j, long rows, long cols, int log2scale);
/* The rows x cols entries from (i, j) on of the matrix with `width` columns that mat_draw gives this name. */
const mat *mat_draw_part(scope *s, const char *name, long width, long i, long j, long rows, long cols, int log2scale);
int mat_log2_fan_in(long fan_in);                   /* round(-log2(fan_in) / 2): scale of a weight */

const mat *mat_zero    (scope *s, long rows, long cols);
const mat *mat_identity(scope *s, long n);
const mat *mat_ones    (scope *s, long rows, long cols);
const mat *mat_from_si (scope *s, long rows, long cols, const long *row_major);
const mat *mat_dyadic  (scope *s, long rows, long cols, const int64_t *m, long e);  /* m_ij 2^e  */

/* A, as a number or matrix that the sentence itself gives, "25 %".  What was drawn and a matrix that is written out
 * are given; 0, 1, c I and single numbers are not, nor is what is computed from these alone: A->given. */
const mat *mat_given   (scope *s, const mat *A);

/* A, which was just made, and from then on whatever is computed from it, is of origin number k < MARKS. */
const mat *mat_mark    (const mat *A, long k);
bool       mat_is_of   (const mat *A, long k);
/* A, which was just made, came out of one more attention (CHAIN_ATTENTION) or MLP: the longest chain of these that
 * leads to a matrix is how deep it is. */
void       mat_lengthen(const mat *A, int half);
long       mat_chain   (const mat *A);

const mat *mat_scalar  (scope *s, long n, int64_t c, long e);            /* c 2^e I             */
const mat *mat_diag_dyadic(scope *s, long n, const int64_t *m, long e);   /* diag(m_i 2^e)       */
const mat *mat_unit    (scope *s, long rows, long cols, long i, long j);  /* E_ij: 1 at (i, j)   */
const mat *mat_centering(scope *s, long n);                  /* I - 11'/n: X times it has rows of mean 0 */
const mat *mat_ratio   (scope *s, long num, long den);      /* num/den (1 x 1); den > 0          */

const mat *mat_add (scope *s, const mat *A, const mat *B);  /* (r x c) + (r x c)                 */
const mat *mat_sub (scope *s, const mat *A, const mat *B);  /* (r x c) - (r x c)                 */
const mat *mat_neg (scope *s, const mat *A);                /* 0 - A                             */
const mat *mat_add_row(scope *s, const mat *A, const mat *b);    /* A + 1 b, b (1 x c); A if b is NULL */
const mat *mat_mul (scope *s, const mat *A, const mat *B);  /* (r x k)(k x c) = r x c            */
const mat *mat_mul3(scope *s, const mat *A, const mat *B, const mat *C);          /* (A B) C     */
const mat *mat_hadamard(scope *s, const mat *A, const mat *B);   /* entrywise, equal shapes      */
const mat *mat_scale_rows(scope *s, const mat *g, const mat *A); /* diag(g) A; g (r x 1)         */
const mat *mat_diag(scope *s, const mat *x);                /* diag(x), x (n x 1); not for sym   */
/* c 2^e A, as the product A (c 2^e I): what certificates record. */
const mat *mat_scale(scope *s, int64_t c, long e, const mat *A);
/* The same entry by entry: cheaper, and doubles with error bounds stay tighter. */
const mat *mat_scale_entries(scope *s, int64_t c, long e, const mat *A);
const mat *mat_scale_by(scope *s, const mat *c, const mat *A);   /* c A, c (1 x 1)               */
const mat *mat_reciprocal(scope *s, const mat *x);          /* entrywise 1/x, x (n x 1), x > 0   */
const mat *mat_row_squares(scope *s, const mat *A);         /* |row i|^2, r x 1                  */
const mat *mat_square_sum(scope *s, const mat *A);          /* |A|^2 of Frobenius, 1 x 1         */
const mat *mat_t   (scope *s, const mat *A);                /* (r x c)' = c x r                  */
const mat *mat_inv (scope *s, const mat *A);                /* n x n, or UNDECIDED               */
const mat *mat_cols(scope *s, const mat *A, long j, long n);     /* columns j .. j+n-1           */
const mat *mat_rows(scope *s, const mat *A, long i, long n);     /* rows    i .. i+n-1           */
const mat *mat_entry(scope *s, const mat *A, long i, long j);    /* A_ij, 1 x 1                  */
const mat *mat_as_row(scope *s, const mat *A);              /* all entries, row by row: 1 x r c  */
const mat *mat_hcat(scope *s, long n, const mat *const part[]);  /* (part[0] | part[1] | ...)    */
const mat *mat_vcat(scope *s, long n, const mat *const part[]);  /* part[0] above part[1] ...    */
const mat *mat_blockdiag(scope *s, long n, const mat *const part[]);
const mat *mat_nudge(scope *s, const mat *A, long i, long j);    /* A_ij times 1 + 2^-40         */

/* A matrix that is filled block by block: zeros at first, to be used as an operand only once it is complete. */
mat *mat_blank(scope *s, long rows, long cols);
/* Writes the block of A that begins at (ai, aj) to (ci, cj), where C is still 0. */
void mat_put(mat *C, long ci, long cj, const mat *A, long ai, long aj, long rows, long cols);

/* Functions of a model; see arith.h for the kinds.  UNDECIDED where the arithmetic has none. */
const mat *mat_phi   (scope *s, const mat *A, activation kind, place at);     /* entrywise       */
const mat *mat_rowmap(scope *s, const mat *A, const rowmap *how, place at);   /* row by row      */
const mat *mat_norm  (scope *s, const mat *A, norm_kind kind, long log2eps, place at);
const mat *mat_rotate(scope *s, const mat *A);              /* RoPE; even number of columns      */
/* n x 2k: cosines, then sines, of position[t] theta^(-i/k) / divide[i], i < k; divide NULL: all 1.  theta and divide[i]
 * are positive and finite; f64, mpfr and arb. */
const mat *mat_angles(scope *s, long n, const long *position, long k, double theta, const double *divide);

/* Entrywise 1/sqrt(A_ij) and artanh(A_ij); UNDECIDED where an entry may lie outside the domain, or where
 * the arithmetic has no such function. */
const mat *mat_rsqrt (scope *s, const mat *A);
const mat *mat_artanh(scope *s, const mat *A);
/* Since mat_forget_values: was a question asked of numbers that symbols answer otherwise (an entry, a sign, a rank, a
 * size, are two equal)?  A body that asks may do otherwise over symbols.  Who asks for a claim puts back what was. */
bool mat_value_was_read(void);
void mat_forget_values(void);
void mat_note_numbers(const scope *s);       /* numbers of this trial were given out beside its matrices */
/* Is every entry > 0?  UNDECIDED: a ball touches 0, NaN, or no order here. */
truth mat_positive(const mat *A) MUST_USE;

/* A and B must be different objects: comparing a matrix with itself proves nothing.
 * log2bound: the largest accepted log2 gap (f64, mpfr) or relative width (arb,
 * bounded f64). */
comparison mat_compare(const mat *A, const mat *B, double log2bound) MUST_USE;
long mat_rank(scope *s, const mat *A);       /* -1 and UNDECIDED where ranks are not decidable   */
bool mat_ranks(const scope *s);              /* are they?  The same for fp and its deg           */
/* The same as questions, which deg answers, too: there HOLDS means counted. */
truth mat_rank_is     (scope *s, const mat *A, long r) MUST_USE;
truth mat_rank_at_most(scope *s, const mat *A, long r) MUST_USE;
double mat_log2max(const mat *A);
/* The same where the suite asks, and no body: no value counts as read. */
comparison mat_compare_quietly(const mat *A, const mat *B, double log2bound) MUST_USE;
double     mat_log2max_quietly(const mat *A);
double mat_get_d    (const mat *A, long i, long j);            /* nearest double to A_ij; NaN: none */
bool   mat_get_exact(mpq_t x, const mat *A, long i, long j);   /* false: A_ij has no exact value    */
#endif
