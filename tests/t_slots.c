/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_slots.c - mutants of the backends: every slot of every arithmetic broken in three ways must break
 * some law.
 *
 * An arith is a table of functions, so a mutant is a copy of the table with one entry replaced: the
 * result left zero, the result doubled, or one operand taken for the other (or the result moved, where
 * there is one operand).  Survivors are listed with the reason why they are equivalent. */
#include <math.h>
#include <string.h>
#include <unistd.h>
#include "tests/support/laws.h"
#include "tests/support/suite.h"

static arith whole;                      /* the table that was broken */

static mat *scratch(const mat *like)
{
    mat *T = must_calloc(1, sizeof *T);  /* children are short-lived: not freed */
    *T = (mat){ .R = like->R, .rows = like->rows, .cols = like->cols };
    whole.ring.init(T);
    return T;
}

static void doubled(mat *C, const mat *once) { whole.ring.add(C, once, once); }

/* For slots of one operand: the transpose where that fits, otherwise the result doubled twice. */
static void moved(mat *C, const mat *once)
{
    if (C->rows == C->cols) { whole.ring.transpose(C, once); return; }
    mat *T = scratch(once);
    whole.ring.add(T, once, once);
    whole.ring.add(C, T, T);
}

typedef void binary(mat *, const mat *, const mat *);

#define BINARY(slot) \
    static void slot##_zero(mat *C, const mat *A, const mat *B)    { (void)C; (void)A; (void)B; } \
    static void slot##_doubled(mat *C, const mat *A, const mat *B) { mat *T = scratch(C); whole.ring.slot(T, A, B); doubled(C, T); }
BINARY(add) BINARY(sub) BINARY(mul) BINARY(hadamard) BINARY(scale_rows)
#undef BINARY

static void add_first(mat *C, const mat *A, const mat *B)        { (void)B; whole.ring.add(C, A, A); }
static void sub_swapped(mat *C, const mat *A, const mat *B)      { whole.ring.sub(C, B, A); }
static void hadamard_first(mat *C, const mat *A, const mat *B)   { (void)B; whole.ring.hadamard(C, A, A); }
static void mul_swapped(mat *C, const mat *A, const mat *B)
{
    if (A->rows == A->cols && B->rows == B->cols) whole.ring.mul(C, B, A);
    else whole.ring.mul(C, A, B);
}
static void scale_rows_ignored(mat *C, const mat *g, const mat *A)
{
    (void)g;
    whole.ring.copy(C, 0, 0, A, 0, 0, A->rows, A->cols);
}

static void transpose_zero(mat *C, const mat *A)      { (void)C; (void)A; }
static void transpose_doubled(mat *C, const mat *A)   { mat *T = scratch(C); whole.ring.transpose(T, A); doubled(C, T); }
static void transpose_ignored(mat *C, const mat *A)
{
    if (A->rows == A->cols) whole.ring.copy(C, 0, 0, A, 0, 0, A->rows, A->cols);
    else whole.ring.transpose(C, A);
}

static truth inv_zero(mat *C, const mat *A)           { (void)C; (void)A; return HOLDS; }
static truth inv_doubled(mat *C, const mat *A)        { mat *T = scratch(C); truth is = whole.ring.inv(T, A); doubled(C, T); return is; }
static truth inv_moved(mat *C, const mat *A)          { mat *T = scratch(C); truth is = whole.ring.inv(T, A); moved(C, T); return is; }

static truth phi_zero(mat *C, const mat *A, activation k, place at)    { (void)C; (void)A; (void)k; (void)at; return HOLDS; }
static truth phi_doubled(mat *C, const mat *A, activation k, place at) { mat *T = scratch(C); truth is = whole.functions.phi(T, A, k, at); doubled(C, T); return is; }
static truth phi_ignored(mat *C, const mat *A, activation k, place at)
{
    (void)k; (void)at;
    whole.ring.copy(C, 0, 0, A, 0, 0, A->rows, A->cols);
    return HOLDS;
}

static truth rowmap_zero(mat *C, const mat *A, const rowmap *h, place at)    { (void)C; (void)A; (void)h; (void)at; return HOLDS; }
static truth rowmap_ignored(mat *C, const mat *A, const rowmap *h, place at)
{
    (void)h; (void)at;
    whole.ring.copy(C, 0, 0, A, 0, 0, A->rows, A->cols);
    return HOLDS;
}
static truth rowmap_unmasked(mat *C, const mat *A, const rowmap *h, place at)
{
    rowmap all = *h;
    all.visible = NULL;
    return whole.functions.rowmap(C, A, &all, at);
}

static truth norm_zero(mat *C, const mat *A, norm_kind k, long e, place at)    { (void)C; (void)A; (void)k; (void)e; (void)at; return HOLDS; }
static truth norm_doubled(mat *C, const mat *A, norm_kind k, long e, place at) { mat *T = scratch(C); truth is = whole.functions.norm(T, A, k, e, at); doubled(C, T); return is; }
static truth norm_ignored(mat *C, const mat *A, norm_kind k, long e, place at)
{
    (void)k; (void)e; (void)at;
    whole.ring.copy(C, 0, 0, A, 0, 0, A->rows, A->cols);
    return HOLDS;
}

static truth rotate_zero(mat *C, const mat *A)        { (void)C; (void)A; return HOLDS; }
static truth rotate_doubled(mat *C, const mat *A)     { mat *T = scratch(C); truth is = whole.functions.rotate(T, A); doubled(C, T); return is; }
static truth rotate_ignored(mat *C, const mat *A)
{
    whole.ring.copy(C, 0, 0, A, 0, 0, A->rows, A->cols);
    return HOLDS;
}

static truth partial_zero(mat *C, const mat *A, partial_function k)    { (void)C; (void)A; (void)k; return HOLDS; }
static truth partial_doubled(mat *C, const mat *A, partial_function k)
{
    if (!whole.functions.partial) return HOLDS;
    mat *T = scratch(C);
    truth is = whole.functions.partial(T, A, k);
    doubled(C, T);
    return is;
}
static truth partial_ignored(mat *C, const mat *A, partial_function k)
{
    (void)k;
    whole.ring.copy(C, 0, 0, A, 0, 0, A->rows, A->cols);
    return HOLDS;
}

static truth positive_holds(const mat *A)             { (void)A; return HOLDS; }
static truth positive_refutes(const mat *A)           { (void)A; return REFUTED; }
static truth positive_undecided(const mat *A)         { (void)A; return UNDECIDED; }

static void copy_nothing(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    (void)C; (void)ci; (void)cj; (void)A; (void)ai; (void)aj; (void)r; (void)c;
}
static void copy_from_start(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    (void)ai; (void)aj;
    whole.ring.copy(C, ci, cj, A, 0, 0, r, c);
}
static void copy_to_start(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    (void)ci; (void)cj;
    whole.ring.copy(C, 0, 0, A, ai, aj, r, c);
}

static void set_nothing(mat *C, const int64_t *m, long e)      { (void)C; (void)m; (void)e; }
static void set_twice(mat *C, const int64_t *m, long e)        { whole.ring.set_dyadic(C, m, e + 1); }
static void set_negated(mat *C, const int64_t *m, long e)
{
    int64_t *n = must_calloc((size_t)(C->rows * C->cols), sizeof *n);
    for (long k = 0; k < C->rows * C->cols; k++) n[k] = -m[k];
    whole.ring.set_dyadic(C, n, e);
}

static void draw_nothing(mat *C, const drawing *how)           { (void)C; (void)how; }
static void draw_one_name(mat *C, const drawing *how)
{
    drawing same = *how;
    same.name = "A";
    same.key[0] = same.key[1] = 0;
    whole.ring.draw(C, &same);
}

static comparison with(truth is)                               { return (comparison){ is, is == HOLDS ? -INFINITY : 0, -INFINITY }; }
static comparison compare_holds(const mat *A, const mat *B, double b)     { (void)A; (void)B; (void)b; return with(HOLDS); }
static comparison compare_refutes(const mat *A, const mat *B, double b)   { (void)A; (void)B; (void)b; return with(REFUTED); }
static comparison compare_undecided(const mat *A, const mat *B, double b) { (void)A; (void)B; (void)b; return with(UNDECIDED); }

typedef struct { const char *slot; arith broken; } mutant;
#define M(slot, how) { #slot " = " #how, { .slot = how } }
static const mutant mutants[] = {
    M(ring.add, add_zero), M(ring.add, add_doubled), M(ring.add, add_first),
    M(ring.sub, sub_zero), M(ring.sub, sub_doubled), M(ring.sub, sub_swapped),
    M(ring.mul, mul_zero), M(ring.mul, mul_doubled), M(ring.mul, mul_swapped),
    M(ring.hadamard, hadamard_zero), M(ring.hadamard, hadamard_doubled), M(ring.hadamard, hadamard_first),
    M(ring.scale_rows, scale_rows_zero), M(ring.scale_rows, scale_rows_doubled), M(ring.scale_rows, scale_rows_ignored),
    M(ring.transpose, transpose_zero), M(ring.transpose, transpose_doubled), M(ring.transpose, transpose_ignored),
    M(ring.inv, inv_zero), M(ring.inv, inv_doubled), M(ring.inv, inv_moved),
    M(functions.phi, phi_zero), M(functions.phi, phi_doubled), M(functions.phi, phi_ignored),
    M(functions.rowmap, rowmap_zero), M(functions.rowmap, rowmap_ignored), M(functions.rowmap, rowmap_unmasked),
    M(functions.norm, norm_zero), M(functions.norm, norm_doubled), M(functions.norm, norm_ignored),
    M(functions.rotate, rotate_zero), M(functions.rotate, rotate_doubled), M(functions.rotate, rotate_ignored),
    M(functions.partial, partial_zero), M(functions.partial, partial_doubled), M(functions.partial, partial_ignored),
    M(ring.positive, positive_holds), M(ring.positive, positive_refutes), M(ring.positive, positive_undecided),
    M(ring.copy, copy_nothing), M(ring.copy, copy_from_start), M(ring.copy, copy_to_start),
    M(ring.set_dyadic, set_nothing), M(ring.set_dyadic, set_twice), M(ring.set_dyadic, set_negated),
    M(ring.draw, draw_nothing), M(ring.draw, draw_one_name),
    M(ring.compare, compare_holds), M(ring.compare, compare_refutes), M(ring.compare, compare_undecided),
};
#undef M

static arith merged(const arith *R, const arith *broken)
{
    arith out = *R;
    if (broken->ring.add) out.ring.add = broken->ring.add;
    if (broken->ring.sub) out.ring.sub = broken->ring.sub;
    if (broken->ring.mul) out.ring.mul = broken->ring.mul;
    if (broken->ring.hadamard) out.ring.hadamard = broken->ring.hadamard;
    if (broken->ring.scale_rows) out.ring.scale_rows = broken->ring.scale_rows;
    if (broken->ring.transpose) out.ring.transpose = broken->ring.transpose;
    if (broken->ring.inv) out.ring.inv = broken->ring.inv;
    if (broken->functions.phi) out.functions.phi = broken->functions.phi;
    if (broken->functions.rowmap) out.functions.rowmap = broken->functions.rowmap;
    if (broken->functions.norm) out.functions.norm = broken->functions.norm;
    if (broken->functions.rotate) out.functions.rotate = broken->functions.rotate;
    if (broken->functions.partial) out.functions.partial = broken->functions.partial;
    if (broken->ring.positive) out.ring.positive = broken->ring.positive;
    if (broken->ring.copy) out.ring.copy = broken->ring.copy;
    if (broken->ring.set_dyadic) out.ring.set_dyadic = broken->ring.set_dyadic;
    if (broken->ring.draw) out.ring.draw = broken->ring.draw;
    if (broken->ring.compare) out.ring.compare = broken->ring.compare;
    return out;
}

/* Equivalent mutants.  Twice an uninterpreted value is another uninterpreted value: where a function is
 * opaque nothing can tell them apart, and no theorem needs to. */
static const struct { const char *system, *slot; } equivalent[] = {
    { "fp:2^61-1", "functions.norm = norm_doubled" }, { "fp:2^31-1", "functions.norm = norm_doubled" }, { "sym", "functions.norm = norm_doubled" },
    { "q", "functions.norm = norm_doubled" } /* q has no norm to double */, { "sym", "functions.rotate = rotate_doubled" }, { "sym", "ring.scale_rows = scale_rows_doubled" },
};

static bool is_equivalent(const char *system_label, const char *slot)
{
    for (size_t k = 0; k < COUNT(equivalent); k++)
        if (strcmp(equivalent[k].system, system_label) == 0 && strcmp(equivalent[k].slot, slot) == 0) return true;
    return false;
}

typedef struct { const number_system *u; const mutant *m; } attempt;

static void hunt(void *with_attempt)
{
    const attempt *a = with_attempt;
    char first[160];
    whole = a->u->open();
    const arith R = merged(&whole, &a->m->broken);
    contract_set_handler(contract_exits);
    _exit(laws_broken(a->u, &R, 5, first, sizeof first) ? 1 : 0);
}

START_TEST(every_broken_slot_breaks_a_law)
{
    const number_system *u = &number_systems[_i];
    char output[4096], survivors[1024] = "";
    for (size_t k = 0; k < COUNT(mutants); k++) {
        attempt a = { u, &mutants[k] };
        if (is_equivalent(u->label, mutants[k].slot) || run_child(hunt, &a, output, sizeof output) != 0) continue;
        const size_t n = strlen(survivors);
        snprintf(survivors + n, sizeof survivors - n, "%s; ", mutants[k].slot);
    }
    ck_assert_msg(!survivors[0], "%s: survivors: %s", u->label, survivors);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("slots");
    TCase *all = tcase_create("mutants");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, every_broken_slot_breaks_a_law, 0, NUMBER_SYSTEMS);
    const int status = run_suite(suite, argc, argv);
    printf("slots: %zu mutants\n", COUNT(mutants) * (size_t)NUMBER_SYSTEMS);
    return status;
}
