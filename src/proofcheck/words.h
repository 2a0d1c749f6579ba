/* SPDX-License-Identifier: GPL-3.0-or-later
 * words.h - symbolic matrices in normal form: see words.c. */
#ifndef WORDS_H
#define WORDS_H
#include "src/proofcheck/proofcheck.h"

/* d = part[0] + part[1] + ..; names or numbers.  A size that is not declared is any positive number. */
typedef struct {
    char  *name;
    char **part;
    int    parts;
    bool   used;                         /* by a block                                   */
} size;

/* What is known of a function besides its name; each is a hypothesis. */
typedef struct {
    char *name;
    bool  half_odd;                      /* phi(Y) - phi(-Y) = Y                         */
    bool  shift_invariant;               /* f(S + c 1') = f(S) for columns c             */
    bool  stochastic;                    /* f(S) 1 = 1                                   */
    bool  used;
} function;

/* A token is 2 times the number of an atom, plus 1 where that is transposed.  Token 0 is none. */
typedef uint32_t token;

typedef enum { NAMED, BLOCK, ONES, VALUE, CORE } atom_kind;
typedef struct node node;

typedef struct {
    atom_kind   kind;
    char       *name;                    /* of the matrix, the size, or the function     */
    char       *r, *c;                   /* rows and columns                             */
    int         size, part;              /* BLOCK: E(sizes[size], part)                  */
    int         args;                    /* VALUE: one or two; CORE: one                 */
    const node *arg[2];
    bool        stochastic;              /* VALUE: times a column of ones, it is one     */
    token       inverse;                 /* NAMED: 0, or its inverse by hypothesis       */
    long        node;                    /* NAMED: where it was declared                 */
} atom;

/* k times the product of the n tokens at w; n = 0: the identity */
typedef struct {
    mpq_t        k;
    long         n;
    const token *w;
} term;

/* The sum of n terms.  In normal form they are sorted, their words differ and no k is 0. */
struct node {
    char *r, *c;
    long  n, room;
    term *t;
    bool  used;                          /* by a later node, or an equation              */
};

typedef struct symbols {
    size     sizes[SIZES];
    function functions[NAMES];
    atom     atoms[NODES];
    node     nodes[NODES];
    long     nsizes, nfunctions, natoms, nnodes;
    token    word[FACTORS];              /* the one that is being multiplied out         */
} symbols;

extern const term words_none;                        /* the word I */

token words_token    (checker *c, const atom *a);              /* equal atoms, one token           */
const term *words_end(const node *a);        /* behind its terms; of none: where they would begin, which may be NULL */
/* p += k a b, where the coefficients of a and b do not count; p is then no normal form */
void  words_add      (checker *c, node *p, const mpq_t k, const term *a, const term *b);
void  words_normalise(checker *c, node *p);
void  words_transpose(checker *c, node *p, const node *a);           /* p = a', which is normal again after normalise */
const node *words_abbreviated(checker *c, const node *a);     /* one term: u q v with a core q            */
bool  words_equal    (checker *c, const node *a, const node *b);      /* of normal forms  */
#endif
