/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_sym.c - linear combinations of words in named matrices: a proof, for all sizes.
 *
 * Every operation keeps the combination in the normal form of sym.h: words are rewritten (rewrite.c), equal words are
 * collected, and adjacent ranges are joined (join.c).
 *
 * What answers mean.  Each rule is an equation between matrices, so equal normal forms prove equality: HOLDS.  Unequal
 * ones prove nothing, for the rules are not complete (overlapping ranges, 1_n' 1_n = n, commuting diagonals and more
 * are left alone): UNDECIDED, never REFUTED.  A coincidence of sizes can make two matrices equal, so callers choose
 * representative sizes that are > 1 and differ wherever the symbolic ones may. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/symbolic/sym.h"

static void sym_init(mat *A) { A->rep = must_calloc(1, sizeof(poly)); }

static void sym_clear(mat *A)
{
    poly_free(A->rep);
    free(A->rep);
    A->rep = NULL;
}

/* One atom per drawn matrix: name and shape, and whatever else makes other backends draw other
 * numbers under this name.  Scale is not a coefficient: powers of two would soon overflow. */
static void sym_draw(mat *C, const drawing *how)
{
    static const char prefix[] = ORTHOGONAL_NAME;
    atom_description d = { .kind = ATOM_NAMED, .rows = C->rows, .cols = C->cols,
                           .param = { (int64_t)how->key[0], (int64_t)how->key[1], how->log2scale, how->shape },
                           .tail = how->name, .n_tail = strlen(how->name) };
    unsigned facts = C->rows == C->cols ? FACT_INVERTIBLE : 0;
    if (facts && strncmp(how->name, prefix, sizeof prefix - 1) == 0) facts |= FACT_ORTHOGONAL;
    sym_set_word(C, ratio_one, (token[]){ atom_token(sym_of(C), &d, facts) }, 1);
}

static bool sym_get_exact(mpq_t x, const mat *A, long i, long j)
{
    (void)x, (void)A, (void)i, (void)j;
    return false;
}

static double sym_get_d(const mat *A, long i, long j)
{
    (void)A, (void)i, (void)j;
    return NAN;
}

static double sym_log2max(const mat *A)
{
    (void)A;
    return NAN;
}

/* Append E(t,o,l), or nothing for the identity; returns the new length. */
static size_t append_select(sym *s, token *w, size_t n, long t, long o, long l, unsigned flags)
{
    if (l == t) return n;
    w[n] = token_select(s, t, o, l) | flags;
    return n + 1;
}

/* C += E(C.rows,ci,r) E(A.rows,ai,r)' A E(A.cols,aj,c) E(C.cols,cj,c)' */
static void sym_copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    sym *s = sym_of(C);
    token left[2], right[2];
    size_t n_left  = append_select(s, left,  0,       C->rows, ci, r, 0);
    n_left         = append_select(s, left,  n_left,  A->rows, ai, r, TOKEN_TRANSPOSED);
    size_t n_right = append_select(s, right, 0,       A->cols, aj, c, 0);
    n_right        = append_select(s, right, n_right, C->cols, cj, c, TOKEN_TRANSPOSED);
    poly p = { 0 };
    bool fits = poly_add_copy(s, &p, ratio_one, poly_of(C))
             && poly_add_multiple(s, &p, ratio_one, left, n_left, poly_of(A), right, n_right);
    sym_set_result(C, &p, fits);
}

static void sym_add(mat *C, const mat *A, const mat *B)
{
    poly p = { 0 };
    bool fits = poly_add_copy(sym_of(C), &p, ratio_one, poly_of(A))
             && poly_add_copy(sym_of(C), &p, ratio_one, poly_of(B));
    sym_set_result(C, &p, fits);
}

static void sym_sub(mat *C, const mat *A, const mat *B)
{
    poly p = { 0 };
    bool fits = poly_add_copy(sym_of(C), &p, ratio_one, poly_of(A))
             && poly_add_copy(sym_of(C), &p, ratio_minus_one, poly_of(B));
    sym_set_result(C, &p, fits);
}

static void sym_mul(mat *C, const mat *A, const mat *B)
{
    poly p = { 0 };
    bool fits = poly_add_product(sym_of(C), &p, poly_of(A), poly_of(B), A->rows, A->cols, B->cols);
    sym_set_result(C, &p, fits);
}

static void sym_transpose(mat *C, const mat *A)
{
    poly p = { 0 };
    bool fits = poly_add_transpose(sym_of(C), &p, poly_of(A));
    sym_set_result(C, &p, fits);
}

static comparison sym_compare(const mat *A, const mat *B, double log2bound)
{
    (void)log2bound;
    if (poly_equal(poly_of(A), poly_of(B))) return (comparison){ HOLDS, -INFINITY, -INFINITY };
    return (comparison){ UNDECIDED, INFINITY, -INFINITY };
}

static void sym_close(arith *R)
{
    sym *s = R->state;
    if (!s) return;
    free(s->uses);
    registry_free(&s->atom_keys);
    registry_free(&s->arguments);
    free(s->atoms);
    free(s);
}

arith arith_sym(void)
{
    return (arith){
        .name = "sym", .kind = A_SYM, .traits = SYMBOLIC | OPAQUE, .default_log2bound = -INFINITY,
        .state = must_calloc(1, sizeof(sym)), .close = sym_close,
        .ring = { .init = sym_init, .clear = sym_clear, .draw = sym_draw,
                  .set_dyadic = sym_set_dyadic, .get_exact = sym_get_exact, .get_d = sym_get_d,
                  .copy = sym_copy, .add = sym_add, .sub = sym_sub, .mul = sym_mul,
                  .hadamard = sym_hadamard, .scale_rows = sym_scale_rows,
                  .transpose = sym_transpose, .inv = sym_inv, .compare = sym_compare,
                  .log2max = sym_log2max },
        .functions = { .phi = sym_phi, .rowmap = sym_rowmap, .norm = sym_norm,
                       .rotate = sym_rotate },
    };
}
