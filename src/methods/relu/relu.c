/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu.c - the canonical form of a ReLU network over Q: see relu.h. */
#include "src/methods/relu/relu.h"
#include <stdlib.h>

void relu_net_init(relu_net *f, long in, long m, long out)
{
    REQUIRE(in > 0 && m > 0 && out > 0, "a network from %ld over %ld to %ld", in, m, out);
    fmpq_mat_init(f->W1, m, in);
    fmpq_mat_init(f->W2, out, m);
    fmpq_mat_init(f->Z, out, in);
}

void relu_net_clear(relu_net *f)
{
    fmpq_mat_clear(f->W1);
    fmpq_mat_clear(f->W2);
    fmpq_mat_clear(f->Z);
}

void relu_from_mat(fmpq_mat_t to, const mat *A)
{
    mpq_t x;
    mpq_init(x);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            const bool exact = mat_get_exact(x, A, i, j);
            REQUIRE(exact, "entry (%ld, %ld) over %s is not exact", i, j, A->R->name);
            fmpq_set_mpq(fmpq_mat_entry(to, i, j), x);
        }
    mpq_clear(x);
}

relu_net relu_net_of(const mat *W1, const mat *W2, const mat *Z)
{
    REQUIRE(W1->rows == W2->cols, "W1 is %ldx%ld, W2 is %ldx%ld", W1->rows, W1->cols, W2->rows, W2->cols);
    REQUIRE(!Z || (Z->rows == W2->rows && Z->cols == W1->cols), "Z is %ldx%ld", Z ? Z->rows : 0, Z ? Z->cols : 0);
    relu_net f;
    relu_net_init(&f, W1->cols, W1->rows, W2->rows);
    relu_from_mat(f.W1, W1);
    relu_from_mat(f.W2, W2);
    if (Z) relu_from_mat(f.Z, Z);
    return f;
}

/* ---- canonical form ------------------------------------------------------------------------------------ */

/* Row i of U becomes the direction of row i of W1, and size the |s| with w1_i = s u; false: a zero row. */
static bool normalise(fmpq_mat_t U, fmpq_t size, const fmpq_mat_t W1, long i)
{
    long first = 0;
    while (first < fmpq_mat_ncols(W1) && fmpq_is_zero(fmpq_mat_entry(W1, i, first))) first++;
    if (first == fmpq_mat_ncols(W1)) return false;
    for (long j = first; j < fmpq_mat_ncols(W1); j++)
        fmpq_div(fmpq_mat_entry(U, i, j), fmpq_mat_entry(W1, i, j), fmpq_mat_entry(W1, i, first));
    fmpq_abs(size, fmpq_mat_entry(W1, i, first));
    return true;
}

typedef struct { const fmpq_mat_struct *U; long row; } ray;

static int compare_rays(const void *a, const void *b)           /* lexicographic */
{
    const ray *x = a, *y = b;
    for (long j = 0; j < fmpq_mat_ncols(x->U); j++) {
        const int c = fmpq_cmp(fmpq_mat_entry(x->U, x->row, j), fmpq_mat_entry(y->U, y->row, j));
        if (c) return c;
    }
    return 0;
}

static bool zero_column(const fmpq_mat_t A, long j)
{
    for (long i = 0; i < fmpq_mat_nrows(A); i++) if (!fmpq_is_zero(fmpq_mat_entry(A, i, j))) return false;
    return true;
}

/* L = Z + 1/2 W2 W1 */
static void linear_part(fmpq_mat_t L, const relu_net *f)
{
    fmpz_t two;
    fmpz_init_set_ui(two, 2);
    fmpq_mat_mul(L, f->W2, f->W1);
    fmpq_mat_scalar_div_fmpz(L, L, two);
    fmpq_mat_add(L, L, f->Z);
    fmpz_clear(two);
}

/* Columns of C that are not zero, with their rows of U, to F. */
static void keep_live(relu_form *F, const fmpq_mat_t U, const fmpq_mat_t C, const ray *at, long groups)
{
    long live = 0;
    for (long g = 0; g < groups; g++) live += !zero_column(C, g);
    fmpq_mat_init(F->U, live, fmpq_mat_ncols(U));
    fmpq_mat_init(F->C, fmpq_mat_nrows(C), live);
    for (long g = 0, k = 0; g < groups; g++) {
        if (zero_column(C, g)) continue;
        for (long j = 0; j < fmpq_mat_ncols(U); j++)
            fmpq_set(fmpq_mat_entry(F->U, k, j), fmpq_mat_entry(U, at[g].row, j));
        for (long i = 0; i < fmpq_mat_nrows(C); i++) fmpq_set(fmpq_mat_entry(F->C, i, k), fmpq_mat_entry(C, i, g));
        k++;
    }
}

relu_form relu_form_of(const relu_net *f)
{
    const long m = fmpq_mat_nrows(f->W1), in = fmpq_mat_ncols(f->W1), out = fmpq_mat_nrows(f->W2);
    relu_form F;
    fmpq_mat_t U, C;
    ray *at = must_calloc((size_t)m, sizeof *at);
    fmpq *size = _fmpq_vec_init(m);
    fmpq_t half, part;
    long n = 0, groups = 0;
    fmpq_init(half);
    fmpq_init(part);
    fmpq_set_si(half, 1, 2);
    fmpq_mat_init(U, m, in);
    fmpq_mat_init(C, out, m);
    for (long j = 0; j < m; j++)
        if (normalise(U, size + j, f->W1, j)) at[n++] = (ray){ U, j };
    qsort(at, (size_t)n, sizeof *at, compare_rays);
    for (long k = 0; k < n; k++) {                              /* c_u += 1/2 |s_j| w2_j */
        const long j = at[k].row;
        if (k == 0 || compare_rays(&at[k], &at[groups - 1]) != 0) at[groups++] = at[k];
        fmpq_mul(part, half, size + j);
        for (long i = 0; i < out; i++)
            fmpq_addmul(fmpq_mat_entry(C, i, groups - 1), part, fmpq_mat_entry(f->W2, i, j));
    }
    keep_live(&F, U, C, at, groups);
    fmpq_mat_init(F.L, out, in);
    linear_part(F.L, f);
    fmpq_mat_clear(U);
    fmpq_mat_clear(C);
    fmpq_clear(half);
    fmpq_clear(part);
    _fmpq_vec_clear(size, m);
    free(at);
    return F;
}

void relu_form_clear(relu_form *F)
{
    fmpq_mat_clear(F->U);
    fmpq_mat_clear(F->C);
    fmpq_mat_clear(F->L);
}

long relu_kinks(const relu_form *F) { return fmpq_mat_nrows(F->U); }

static bool same_matrix(const fmpq_mat_t A, const fmpq_mat_t B)
{
    return fmpq_mat_nrows(A) == fmpq_mat_nrows(B) && fmpq_mat_ncols(A) == fmpq_mat_ncols(B) && fmpq_mat_equal(A, B);
}

bool relu_form_equal(const relu_form *F, const relu_form *G)
{
    return same_matrix(F->L, G->L) && same_matrix(F->U, G->U) && same_matrix(F->C, G->C);
}

bool relu_same(const relu_net *f, const relu_net *g)
{
    relu_form F = relu_form_of(f), G = relu_form_of(g);
    const bool same = relu_form_equal(&F, &G);
    relu_form_clear(&F);
    relu_form_clear(&G);
    return same;
}
