/* SPDX-License-Identifier: GPL-3.0-or-later
 * false.h - what the false theorems share: small shapes, sums and products, and a program of one claim.
 *
 * The first comment of each file says what is false and, in its last line, what becomes of it:
 *   Caught by REASON: TEXT        the program or the report fails, and TEXT stands in what they say
 *   Stays below proved, for REASON: TEXT      SUPPORTED, for want of a proof: TEXT is what is missing
 *   Not caught, for REASON: VERDICT           a gap that is known; it fails the test as soon as it is closed
 *   True: VERDICT                 nothing is false: the same path ends well.   TEXT may be `this or that`.    */
#ifndef FALSE_H
#define FALSE_H
#include "src/claim/reduce.h"
#include "src/claim/shapes.h"

static const shape_case small[] = { { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 2 }, 0 } };
static const shape_case one_head[] = { { { .n = 3, .d = 3, .h = 1, .m = 4, .V = 5, .L = 2 }, 0 } };
static const shape_case deeper[] = { { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 2 }, 0 },
                                     { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 3 }, 0 } };
static const shape_case never_run[] = { { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 2 }, ONLY_AT_LARGE } };

static inline const mat *drawn(trial *t, const char *name, long rows, long cols)
{
    return mat_draw(&t->s, name, rows, cols, mat_log2_fan_in(rows));
}
static inline const mat *relu(trial *t, const mat *x)
{
    return mat_phi(&t->s, x, ACT_RELU, (place){ 0, PLACE_MLP, 0 });
}

/* A + B = B + A, which is true, and AB = BA, which is false, as the check of that name. */
static inline void claim_sum(trial *t, const char *name)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *left = mat_add(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, name, left, mat_add(s, B, A));
}
static inline void claim_product(trial *t, const char *name)
{
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, name, mat_mul(&t->s, A, B), mat_mul(&t->s, B, A));
}
static inline void sums(trial *t)            { claim_sum(t, "sum"); }
static inline void product_for_sum(trial *t) { claim_product(t, "sum"); }
static inline void swapped(trial *t)         { claim_product(t, "AB = BA"); }

/* Skips around attention only, no norm: K-T4.4. */
static inline void attention_skip_only(shape *sh)
{
    sh->attn_skip = true;
    sh->mlp_skip = false;
    sh->norm = NORM_NONE;
    sh->act = ACT_SILU;
}
/* The attention of layer 0, from the weights of both. */
static inline void same_attention(trial *t, const model *M, const model *R)
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", M->s.n, M->s.d, 0);
    claim_equal(t, "self-attention", model_self_attention(s, M, 0, X), model_self_attention(s, R, 0, X));
}

/* One control, for a part. */
#define BROKEN_BY(name, body, why) .controls = (const control[]){ { name, body, why } }, .ncontrols = 1
#define PRODUCT_FOR_SUM BROKEN_BY("swapped", product_for_sum, "the factors change places")
#define FACTORS_SWAPPED BROKEN_BY("swapped", swapped, "the factors change places")
/* What Theorem 4.4 states and assumes. */
#define QUERIES_ELIMINATED .prepare = attention_skip_only, .assumes = "invertible W_Q", \
                           .models = "norm = none; mlp_skip = 0; parallel = 0", \
                           .statement = "$\\tilde W_Q = I$ in all layers"

#define FALSE_CLAIM(ID, TITLE, SHAPES, PARTS) \
    static const claim THE_CLAIM = { .id = ID, .title = TITLE, .where = "", .shapes = SHAPES, .nshapes = COUNT(SHAPES), \
                                     .parts = PARTS, .nparts = COUNT(PARTS) }; \
    THEOREM_PROGRAM(THE_CLAIM)
/* A claim of one part, whose other members follow. */
#define FALSE_IDENTITY(ID, TITLE, SHAPES, ...)       FALSE_PART(ID, TITLE, SHAPES, PART_IDENTITY, __VA_ARGS__)
#define FALSE_COUNTEREXAMPLE(ID, TITLE, SHAPES, ...) FALSE_PART(ID, TITLE, SHAPES, PART_COUNTEREXAMPLE, __VA_ARGS__)
/* What a body of facts is about, and the check that speaks of it. */
#define ABOUT_QUANTITY(of, check) .quantity = of, .shown_by = check
#define FALSE_PART(ID, TITLE, SHAPES, KIND, ...) \
    static const part THE_PART[] = { { .name = "as-stated", .kind = KIND, __VA_ARGS__ } }; \
    FALSE_CLAIM(ID, TITLE, SHAPES, THE_PART)
#endif
