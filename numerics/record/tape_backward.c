/* SPDX-License-Identifier: GPL-3.0-or-later
 * tape_backward.c - the steps of a tape from the last to the first, each with the gradient of its result.
 *
 * With G = dY/dC the rules are
 *     C = A B      dA += G B'      dB += A' G            C = A o B      dA += G o B, dB += G o A
 *     C = S(A)     dA += S o (G - (S o G) 1 1')          softmax by rows
 *     C = rho(|z|^2) z by rows: dz += rho G + 2 rho' (G.z) z, z = x or x - mean(x)                             */
#include "numerics/record/tape_steps.h"

static const mat *val(const mat *A) { return &tape_node_of(A)->value; }

/* dA += D; takes D over. */
static void gather(const tape *T, const mat *A, mat D)
{
    tape_node *a = tape_node_of(A);
    if (a->has_grad && a->pass == T->pass) {
        mat sum = tape_base_mat(T->base, A->rows, A->cols);
        T->base->ring.add(&sum, &a->grad, &D);
        tape_drop(&D);
        D = sum;
    }
    if (a->has_grad) tape_drop(&a->grad);
    a->grad = D;
    a->has_grad = true;
    a->pass = T->pass;
}

static void back_copy(const tape *T, const tape_step *s, const mat *G)
{
    const arith *base = T->base;
    mat D = tape_base_mat(base, s->A->rows, s->A->cols);
    base->ring.copy(&D, s->ai, s->aj, G, s->ci, s->cj, s->r, s->c);
    gather(T, s->A, D);
}

static void back_sum(const tape *T, const tape_step *s, const mat *G)
{
    gather(T, s->A, tape_same(T->base, G));
    gather(T, s->B, tape_same(T->base, G));
}

static void back_difference(const tape *T, const tape_step *s, const mat *G)
{
    mat zero = tape_base_mat(T->base, G->rows, G->cols);
    gather(T, s->B, tape_minus(T->base, &zero, G));
    tape_drop(&zero);
    gather(T, s->A, tape_same(T->base, G));
}

static void back_product(const tape *T, const tape_step *s, const mat *G)
{
    mat Bt = tape_transposed(T->base, val(s->B)), At = tape_transposed(T->base, val(s->A));
    gather(T, s->A, tape_product(T->base, G, &Bt));
    gather(T, s->B, tape_product(T->base, &At, G));
    tape_drop(&Bt);
    tape_drop(&At);
}

static void back_hadamard(const tape *T, const tape_step *s, const mat *G)
{
    gather(T, s->A, tape_entrywise(T->base, G, val(s->B)));
    gather(T, s->B, tape_entrywise(T->base, G, val(s->A)));
}

static void back_scale_rows(const tape *T, const tape_step *s, const mat *G)      /* C = diag(B) A */
{
    mat column = tape_row_products(T->base, G, val(s->A));
    gather(T, s->A, tape_scaled(T->base, val(s->B), G));
    gather(T, s->B, column);
}

static void back_transpose(const tape *T, const tape_step *s, const mat *G)
{
    gather(T, s->A, tape_transposed(T->base, G));
}

static void back_phi(const tape *T, const tape_step *s, const mat *G)
{
    gather(T, s->A, tape_entrywise(T->base, G, &s->saved[0]));
}

static void back_softmax(const tape *T, const tape_step *s, const mat *G)
{
    const mat *S = val(s->C);
    mat mean = tape_row_products(T->base, S, G), spread = tape_scaled(T->base, &mean, S);
    mat own = tape_entrywise(T->base, S, G);
    gather(T, s->A, tape_minus(T->base, &own, &spread));         /* S o G - diag((S o G) 1) S */
    tape_drop(&mean);
    tape_drop(&spread);
    tape_drop(&own);
}

static void back_radial(const tape *T, const tape_step *s, const mat *G)
{
    const arith *base = T->base;
    const mat *z = &s->saved[0], *rho = &s->saved[1], *slope = &s->saved[2];
    mat along = tape_row_products(base, G, z), bent = tape_entrywise(base, &along, slope);
    mat twice = tape_plus(base, &bent, &bent), turn = tape_scaled(base, &twice, z);
    mat straight = tape_scaled(base, rho, G), D = tape_plus(base, &straight, &turn);
    gather(T, s->A, s->centred ? tape_centred(base, &D) : tape_same(base, &D));
    tape_drop_all(6, (mat *[]){ &along, &bent, &twice, &straight, &turn, &D });
}

static void back_rotate(const tape *T, const tape_step *s, const mat *G)
{
    mat D = tape_base_mat(T->base, G->rows, G->cols);
    (void)T->f->rotate(&D, G, true);
    gather(T, s->A, D);
}

typedef void rule(const tape *T, const tape_step *s, const mat *G);
static rule *const rules[TAPE_OPERATIONS] = {
    [TAPE_COPY] = back_copy, [TAPE_ADD] = back_sum, [TAPE_SUB] = back_difference, [TAPE_MUL] = back_product,
    [TAPE_HADAMARD] = back_hadamard, [TAPE_SCALE_ROWS] = back_scale_rows, [TAPE_TRANSPOSE] = back_transpose,
    [TAPE_PHI] = back_phi, [TAPE_SOFTMAX] = back_softmax, [TAPE_RADIAL] = back_radial, [TAPE_ROTATE] = back_rotate };

static void back_step(const tape *T, const tape_step *s)
{
    const tape_node *c = tape_node_of(s->C);
    if (!c->has_grad || c->pass != T->pass) return;          /* Y does not depend on it                            */
    rules[s->op](T, s, &c->grad);
}

void tape_backward(const arith *R, const mat *Y, const mat *seed)
{
    tape *T = tape_of(R);
    REQUIRE(Y->R == R && seed->R == T->base, "Y over %s, its seed over %s", Y->R->name, seed->R->name);
    REQUIRE(Y->rows == seed->rows && Y->cols == seed->cols, "%ldx%ld seeded by %ldx%ld", Y->rows, Y->cols, seed->rows,
            seed->cols);
    T->pass++;
    gather(T, Y, tape_same(T->base, seed));
    for (long k = T->n - 1; k >= 0; k--) back_step(T, &T->at[k]);
}

const mat *tape_gradient(const mat *A)
{
    const tape_node *a = tape_node_of(A);
    return a->has_grad && a->pass == tape_of(A->R)->pass ? &a->grad : NULL;
}
