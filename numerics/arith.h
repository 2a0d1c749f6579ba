/* arith.h - what a number system must provide, once per matrix operation.
 *
 * A theorem is written once, against mat.h; which numbers it runs on is the arith its scope was
 * opened with.  Each backend is one file that fills one table of typed functions:
 *
 *   f64     doubles; products by BLAS, inverses by LAPACK         approximate
 *   mpfr:p  p-bit floats of GNU MPFR, correctly rounded           approximate, p at will
 *   arb:p   p-bit balls of Arb                                    enclosures: disjoint = refuted
 *   fp:q    integers modulo a prime q < 2^62, by FLINT            exact
 *   q       rational numbers, by FLINT                            exact
 *   sym     linear combinations of words in named matrices        a proof, for all sizes
 *   deg     bounds on degree and height of each entry as a        (not a number system: the
 *           rational function of the weights                       error bound of fp)
 *
 * Only mat.c calls the slots; it has checked shapes and that all operands share the arith, so
 * backends need not.  C is always fresh (the zero matrix) and never aliases an operand. */
#ifndef ARITH_H
#define ARITH_H
#include <gmp.h>
#include "src/base/base.h"

typedef struct arith arith;
typedef struct mat   mat;

/* The answer to a mathematical question.  UNDECIDED is an answer: the balls were too wide, the
 * matrix was singular, the number system has no such function. */
typedef enum { HOLDS, REFUTED, UNDECIDED } truth;

/* Sizes are kept as log2: a gap of 2^-3000 is no double.  -INFINITY means equal. */
typedef struct {
    truth  is;
    double log2gap;        /* max |A - B| / max(|A|, |B|) over entries; for balls an upper bound */
    double log2bound;      /* what log2gap was judged against; -INFINITY for exact systems       */
} comparison;

enum {                                   /* traits */
    EXACT    = 1 << 0,                   /* equality is decided                                  */
    RIGOROUS = 1 << 1,                   /* REFUTED is a proof of inequality over the reals      */
    ORDERED  = 1 << 2,                   /* has <, so ReLU means ReLU                            */
    HAS_EXP  = 1 << 3,                   /* has exp and sqrt, so softmax means softmax           */
    OPAQUE   = 1 << 4,                   /* activations, row maps and norms are uninterpreted    */
    SYMBOLIC = 1 << 5,                   /* HOLDS is a proof for all sizes; never refutes        */
    DEGREES  = 1 << 6,                   /* no numbers: counts what could go wrong over fp       */
    BOUNDED  = 1 << 7,                   /* doubles whose errors are bounded entry by entry      */
};

typedef enum { ACT_GELU, ACT_RELU, ACT_SILU, ACT_TANH, ACT_IDENTITY, ACT_OPAQUE,
               ACT_HALF_ODD    /* opaque, but phi(y) - phi(-y) = y: phi = even + y/2 */ } activation;

/* A row map sends each row of scores, restricted to its visible entries, to a row of weights;
 * entries that are not visible become 0. */
typedef enum { ROWMAP_SOFTMAX, ROWMAP_LINEAR /* the masked scores themselves */, ROWMAP_OPAQUE,
               ROWMAP_SHIFT        /* opaque, invariant under adding a constant to the row */,
               ROWMAP_STOCHASTIC   /* ROWMAP_SHIFT whose visible weights sum to 1          */ } rowmap_kind;
typedef struct {
    rowmap_kind kind;
    const unsigned char *visible;        /* rows x cols of 0 or 1, row-major; NULL = all visible */
    long scale_num, scale_den;           /* scores are multiplied by sqrt(num/den)               */
} rowmap;

/* eps = 2^log2eps is added under the root.  NORM_RADIAL: opaque, rho(|x|^2) x. */
typedef enum { NORM_NONE, NORM_LAYER, NORM_RMS, NORM_OPAQUE, NORM_RADIAL } norm_kind;

/* Entrywise functions that are not defined everywhere: 1/sqrt(x) for x > 0, artanh(x) for |x| < 1. */
typedef enum { PARTIAL_RSQRT, PARTIAL_ARTANH } partial_function;

/* Where a function sits in a model.  Original and reduced model share the function at a place;
 * the backends add the row (and the column of an activation).  Blocks that share weights share
 * the layer index, hence their functions. */
enum { PLACE_ATTENTION, PLACE_MLP, PLACE_GATE, PLACE_ROUTER, PLACE_FINAL, PLACE_QUERY, PLACE_KEY };
typedef struct { int layer, sublayer, head; } place;

/* Keyed description of a random matrix: entry k is a function of (key, k) alone. */
typedef enum { CORNER_NONE, CORNER_SPARSE, CORNER_REPEATED, CORNER_NEAR_SINGULAR } corner;
typedef struct {
    const char *name;                    /* "W_Q.0"; what sym calls it                           */
    uint64_t key[2];                     /* of this matrix                                       */
    int      log2scale;                  /* standard deviation 2^log2scale                       */
    corner   shape;
} drawing;

struct mat {
    const arith *R;
    long   rows, cols;
    void  *rep;                          /* owned by the backend                                 */
    mat   *next;                         /* owned by the scope                                   */
};

struct arith {
    const char *name;                    /* "arb", as in reports                                 */
    unsigned    traits;
    long        bits;                    /* precision of mpfr and arb, 53 for f64, else 0        */
    uint64_t    prime;                   /* of fp, else 0                                        */
    uint64_t    key[2];                  /* of the opaque functions and random rotations         */
    void       *state;                   /* the backend's own, freed by close                    */
    void (*close)(arith *R);             /* may be NULL                                          */

    void (*init) (mat *A);                                       /* rep of a zero matrix         */
    void (*clear)(mat *A);
    void (*draw) (mat *C, const drawing *how);
    void (*set_dyadic)(mat *C, const int64_t *m, long e);        /* C_ij = m[i cols + j] 2^e     */
    bool (*get_exact)(mpq_t x, const mat *A, long i, long j);    /* false: no exact value        */
    double (*get_d)  (const mat *A, long i, long j);             /* nearest double; NaN: none    */
    void (*copy) (mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c);
                                                                 /* block of A into a zero block of C */
    void (*add)  (mat *C, const mat *A, const mat *B);
    void (*sub)  (mat *C, const mat *A, const mat *B);
    void (*mul)  (mat *C, const mat *A, const mat *B);
    void (*hadamard)  (mat *C, const mat *A, const mat *B);      /* entrywise product            */
    void (*scale_rows)(mat *C, const mat *g, const mat *A);      /* diag(g) A, g (rows x 1)      */
    void (*transpose) (mat *C, const mat *A);
    truth (*inv)   (mat *C, const mat *A);                       /* HOLDS, or UNDECIDED          */
    /* The functions below answer HOLDS, or UNDECIDED where the system has no such function. */
    truth (*phi)   (mat *C, const mat *A, activation kind, place at);       /* entrywise         */
    truth (*rowmap)(mat *C, const mat *A, const rowmap *how, place at);
    truth (*norm)  (mat *C, const mat *A, norm_kind kind, long log2eps, place at);  /* each row  */
    truth (*rotate)(mat *C, const mat *A);   /* RoPE: row t, columns (2i, 2i+1), by angle t th_i, th_i =
                                                10000^(-2i/cols); fp and q: a random rational rotation
                                                per pair to the power t, a stand-in                 */
    truth (*partial)(mat *C, const mat *A, partial_function kind);   /* UNDECIDED: an entry may lie outside
                                            the domain.  NULL: no such functions here            */
    truth (*positive)(const mat *A);     /* every A_ij > 0: HOLDS; some A_ij <= 0: REFUTED; NULL: no order */
    comparison (*compare)(const mat *A, const mat *B, double log2bound);
    double (*log2max)(const mat *A);     /* log2 max |A_ij|; NaN where it makes no sense         */
    double (*cond)(const mat *A, const mat *inverse);            /* f64: |A|_1 |A^-1|_1; else NULL */
    long   (*rank)(const mat *A);        /* exact systems; else NULL                             */
    truth  (*rank_at_most)(const mat *A, long r);                /* deg; else NULL               */
};

arith arith_f64 (void);
/* The same, and a bound on the error of each entry: numerics/f64_error.h.  REFUTED is a proof up to what it assumes. */
arith arith_f64_bounded(void);
/* The same, its errors enclosed by balls of that many bits: tight at every depth, and as slow as arb. */
arith arith_f64_enclosed(long bits);                             /* 24 <= bits <= 65,536         */
double f64_error(const mat *A, long i, long j);            /* >= |A_ij - exact|; NaN or infinite: unknown */
arith arith_mpfr(long bits);                                     /* 24 <= bits <= 65,536 * 16    */
arith arith_arb (long bits);                                     /* 24 <= bits <= 65,536         */
/* Draws, functions and rotations are salted with the prime: two primes are two independent experiments. */
arith arith_fp  (uint64_t prime, const uint64_t key[2]);
arith arith_q   (const uint64_t key[2]);
arith arith_sym (void);
arith arith_deg (void);
void  arith_close(arith *R);             /* frees the state; all scopes over R must be closed    */

/* The hypotheses that what was computed over this sym has used: "invertible W_K; orthogonal U", sorted, each once,
 * names without their numbers.  An inverse is used where it is taken.  Valid until the next call or arith_close. */
const char *arith_sym_uses(const arith *R);

/* Does the ball A_ij (over arb) contain x? */
bool arith_arb_contains(const mat *A, long i, long j, const mpq_t x);
/* At least |x - y| for every y in the ball A_ij (over arb); infinite: unknown. */
double arith_arb_farthest(const mat *A, long i, long j, double x);

/* The n eigenvalues of a square A over arb, each enclosed, in the order of their real parts; false: they could not
 * be told apart.  `real`: it certainly is; `not_real`: it certainly is not. */
typedef struct { double low, high; bool real, not_real; } eigenvalue;    /* of the real part */
bool arith_arb_eigenvalues(const mat *A, eigenvalue to[]) MUST_USE;

/* deg: what has been gathered since the arith was opened, over all polynomials whose vanishing could make a run over
 * fp accept what does not hold formally; see arith_deg.c. */
typedef struct {
    double polynomials;                  /* how many can vanish somewhere                        */
    double degrees;                      /* sum of their degrees                                 */
    double heights, highest;             /* sum and maximum of log2 of a bound on their coefficients */
} degree_bound;
degree_bound arith_deg_bound(const arith *R);
/* Does A depend on values of opaque functions, or on the stand-ins for rotations? */
bool arith_deg_opaque(const mat *A);

/* A set of at least `count` primes, none below `least`. */
typedef struct { double least, count; } prime_range;
#define PRIMES_61 ((prime_range){ 0x1p60, 0x1p54 })      /* those of 61 bits: [2^60, 2^61)       */
/* log2 of the error of one run at a prime drawn uniformly from that set; not cut off at 0. */
double degree_bound_log2(degree_bound b, prime_range from);
/* The same at a prime that somebody chose: no more than 0 where a coefficient could be a multiple of it. */
double degree_bound_log2_at(degree_bound b, double q);
#endif
