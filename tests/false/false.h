/* false.h - what the false theorems share: small shapes, draws, and a program of one claim.
 *
 * The first comment of each file says what is false and, in its last line, what becomes of it:
 *   Caught by REASON: TEXT        the program or the report fails, and TEXT stands in what they say
 *   Stays below proved, for REASON: TEXT      SUPPORTED, for want of a proof: TEXT is what is missing
 *   Not caught, for REASON: VERDICT           a gap that is known; it fails the test as soon as it is closed
 *   True: VERDICT                 nothing is false: the same path ends well.   TEXT may be `this or that`.    */
#ifndef FALSE_H
#define FALSE_H
#include "src/claim/reduce.h"

static const shape_case small[] = { { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 2 }, 0 } };
static const shape_case one_head[] = { { { .n = 3, .d = 3, .h = 1, .m = 4, .V = 5, .L = 2 }, 0 } };
static const shape_case deeper[] = { { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 2 }, 0 },
                                     { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 3 }, 0 } };

static inline const mat *drawn(trial *t, const char *name, long rows, long cols)
{
    return mat_draw(&t->s, name, rows, cols, mat_log2_fan_in(rows));
}
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
    claim_equal(t, "self-attention", self_attention(s, M, 0, X), self_attention(s, R, 0, X));
}

#define FALSE_CLAIM(ID, TITLE, SHAPES, PARTS) \
    static const claim THE_CLAIM = { .id = ID, .title = TITLE, .where = "", .shapes = SHAPES, .nshapes = COUNT(SHAPES), \
                                     .parts = PARTS, .nparts = COUNT(PARTS) }; \
    THEOREM_PROGRAM(THE_CLAIM)
#endif
