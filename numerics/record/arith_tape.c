/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_tape.c - reverse mode over matrices: each slot computes by the base and records one step; tape_backward.c
 * walks the steps back. */
#include <math.h>
#include <stdlib.h>
#include "numerics/random.h"
#include "numerics/record/tape_steps.h"

static const mat *val(const mat *A)         { return &tape_node_of(A)->value; }
static mat *value(mat *A)                   { return &tape_node_of(A)->value; }

static tape_step *record(tape_operation op, mat *C, const mat *A, const mat *B)
{
    tape *T = tape_of(C->R);
    if (T->n == T->capacity) {
        T->capacity = T->capacity ? 2 * T->capacity : 256;
        T->at = must_realloc(T->at, (size_t)T->capacity, sizeof *T->at);
    }
    T->at[T->n] = (tape_step){ .op = op, .C = C, .A = A, .B = B };
    return &T->at[T->n++];
}

static void init(mat *A)
{
    A->rep = must_calloc(1, sizeof(tape_node));
    *value(A) = tape_base_mat(tape_of(A->R)->base, A->rows, A->cols);
}

static void clear(mat *A)
{
    if (tape_node_of(A)->has_grad) tape_drop(&tape_node_of(A)->grad);
    tape_drop(value(A));
    free(A->rep);
}

static void draw(mat *C, const drawing *how)
{
    const tape *T = tape_of(C->R);
    T->f->draw(&T->how, value(C), how);
}

static void set_dyadic(mat *C, const int64_t *m, long e)        { value(C)->R->ring.set_dyadic(value(C), m, e); }
static bool get_exact(mpq_t x, const mat *A, long i, long j)    { return val(A)->R->ring.get_exact(x, val(A), i, j); }
static double get_d(const mat *A, long i, long j)               { return val(A)->R->ring.get_d(val(A), i, j); }
static double log2max(const mat *A)                             { return val(A)->R->ring.log2max(val(A)); }
static comparison compare(const mat *A, const mat *B, double log2bound)
{
    return val(A)->R->ring.compare(val(A), val(B), log2bound);
}

static void copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    tape_step *s = record(TAPE_COPY, C, A, NULL);
    s->ci = ci; s->cj = cj; s->ai = ai; s->aj = aj; s->r = r; s->c = c;
    value(C)->R->ring.copy(value(C), ci, cj, val(A), ai, aj, r, c);
}

static void add(mat *C, const mat *A, const mat *B)
{
    record(TAPE_ADD, C, A, B);
    value(C)->R->ring.add(value(C), val(A), val(B));
}

static void sub(mat *C, const mat *A, const mat *B)
{
    record(TAPE_SUB, C, A, B);
    value(C)->R->ring.sub(value(C), val(A), val(B));
}

static void mul(mat *C, const mat *A, const mat *B)
{
    record(TAPE_MUL, C, A, B);
    value(C)->R->ring.mul(value(C), val(A), val(B));
}

static void hadamard(mat *C, const mat *A, const mat *B)
{
    record(TAPE_HADAMARD, C, A, B);
    value(C)->R->ring.hadamard(value(C), val(A), val(B));
}

static void scale_rows(mat *C, const mat *g, const mat *A)
{
    record(TAPE_SCALE_ROWS, C, A, g);
    value(C)->R->ring.scale_rows(value(C), val(g), val(A));
}

static void transpose(mat *C, const mat *A)
{
    record(TAPE_TRANSPOSE, C, A, NULL);
    value(C)->R->ring.transpose(value(C), val(A));
}

static truth inv(mat *C, const mat *A) { (void)C; (void)A; return UNDECIDED; }

/* The rules of this call: where functions answer afresh, each step has a key of its own. */
static tape_rules rules(const tape *T)
{
    tape_rules how = T->how;
    const uint64_t salt = (uint64_t)T->n;
    if (how.afresh) random_key_salt(how.key, T->how.key, 1, &salt);
    return how;
}

static truth phi(mat *C, const mat *A, activation kind, place at)
{
    (void)at;
    tape *T = tape_of(C->R);
    tape_step *s = record(TAPE_PHI, C, A, NULL);
    const tape_rules how = rules(T);
    s->saved[s->nsaved++] = tape_base_mat(T->base, A->rows, A->cols);
    return T->f->phi(&how, value(C), &s->saved[0], val(A), kind);
}

static truth row_map(mat *C, const mat *A, const rowmap *how, place at)
{
    (void)at;
    tape *T = tape_of(C->R);
    if (how->kind != ROWMAP_SOFTMAX) return UNDECIDED;
    record(TAPE_SOFTMAX, C, A, NULL);
    const tape_rules rule = rules(T);
    return T->f->softmax(&rule, value(C), val(A), how->visible);
}

static truth norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    (void)at;
    tape *T = tape_of(C->R);
    const arith *base = T->base;
    if (kind != NORM_RMS && kind != NORM_LAYER) return UNDECIDED;
    tape_step *s = record(TAPE_RADIAL, C, A, NULL);
    s->centred = kind == NORM_LAYER;
    s->nsaved = 3;
    mat *z = &s->saved[0], *rho = &s->saved[1], *slope = &s->saved[2];
    *z = s->centred ? tape_centred(base, val(A)) : tape_same(base, val(A));
    *rho = tape_base_mat(base, A->rows, 1);
    *slope = tape_base_mat(base, A->rows, 1);
    mat square = tape_row_products(base, z, z);
    const tape_rules how = rules(T);
    const truth is = T->f->radial(&how, rho, slope, &square, kind, A->cols, log2eps);
    base->ring.scale_rows(value(C), rho, z);
    tape_drop(&square);
    return is;
}

static truth rotate(mat *C, const mat *A)
{
    record(TAPE_ROTATE, C, A, NULL);
    return tape_of(C->R)->f->rotate(value(C), val(A), false);
}

const mat *tape_value(const mat *A) { return val(A); }
long tape_mark(const arith *R)      { return tape_of(R)->n; }

void tape_forget(const arith *R, long mark)
{
    tape *T = tape_of(R);
    REQUIRE(mark >= 0 && mark <= T->n, "mark %ld of %ld steps", mark, T->n);
    while (T->n > mark) {
        tape_step *s = &T->at[--T->n];
        for (int k = 0; k < s->nsaved; k++) tape_drop(&s->saved[k]);
    }
}

static void close_tape(arith *R)
{
    tape_forget(R, 0);
    free(tape_of(R)->at);
    free(R->state);
}

arith tape_over(const arith *base, tape_rules how)
{
    const bool field = base->kind == A_FP, balls = base->kind == A_ARB;
    const bool degrees = base->kind == A_DEG && how.afresh;
    REQUIRE(field || degrees || balls, "a tape over %s", base->name);
    REQUIRE(how.range >= 1 && how.kappa >= 1, "range %lld, kappa %lld", (long long)how.range, (long long)how.kappa);
    tape *T = must_calloc(1, sizeof *T);
    *T = (tape){ .base = base, .f = field ? &tape_fp : degrees ? &tape_deg : &tape_arb, .how = how };
    return (arith){
        .name = "tape", .kind = base->kind, .traits = base->traits, .bits = base->bits,
        .prime = base->prime, .default_log2bound = base->default_log2bound,
        .key = { how.key[0], how.key[1] }, .state = T, .close = close_tape,
        .ring = { .init = init, .clear = clear, .draw = draw, .set_dyadic = set_dyadic,
                  .get_exact = get_exact, .get_d = get_d, .copy = copy, .add = add, .sub = sub,
                  .mul = mul, .hadamard = hadamard, .scale_rows = scale_rows,
                  .transpose = transpose, .inv = inv, .compare = compare, .log2max = log2max },
        .functions = { .phi = phi, .rowmap = row_map, .norm = norm, .rotate = rotate },
    };
}
