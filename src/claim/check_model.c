/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_model.c - two whole models are the same function: see check.h. */
#include <math.h>
#include <string.h>
#include "numerics/fingerprint.h"
#include "src/claim/check_record.h"

/* Weights that were not touched, or were multiplied by I: nothing was reduced. */
static bool same_weights(const model *M, const model *R)
{
    const mat **of_M[4 + 5 * MAX_LAYERS + 3 * MAX_EXPERTS * MAX_LAYERS], **of_R[COUNT(of_M)];
    model N = *M, S = *R;
    const long n = model_weights(&N, of_M, COUNT(of_M));
    char shape_M[256], shape_R[256];
    shape_print(shape_M, sizeof shape_M, &M->s);
    shape_print(shape_R, sizeof shape_R, &R->s);
    if (strcmp(shape_M, shape_R) != 0 || M->P != R->P) return false;
    if (model_weights(&S, of_R, COUNT(of_R)) != n) return false;
    for (long i = 0; i < M->s.L; i++) {                     /* gains and biases: the same matrices or not */
        const layer *a = &M->at[i], *b = &R->at[i];
        if (a->bQ != b->bQ || a->bK != b->bK || a->bV != b->bV || a->bO != b->bO || a->gain1 != b->gain1
            || a->gain2 != b->gain2 || a->bias1 != b->bias1 || a->bias2 != b->bias2 || a->gain_q != b->gain_q
            || a->gain_k != b->gain_k) return false;
    }
    for (long k = 0; k < n; k++) {
        const mat *A = *of_M[k], *B = *of_R[k];
        if (A == B) continue;
        if (A->rows != B->rows || A->cols != B->cols || mat_compare_quietly(A, B, -INFINITY).is != HOLDS) return false;
    }
    return true;
}

void check_whole(trial *t, const char *what, long before, const mat *Y, const mat *Z)
{
    const long first = t->record.nchecks;
    t->s.depth = before;
    t->record.stacks++;
    claim_equal(t, what, Y, Z);
    if (t->record.nchecks > first) t->record.checks[first].whole = true;
}

model_depth check_depth(const trial *t)
{
    const trial_record *r = &t->record;
    if (t->s.depth || r->inductions < r->stacks) return DEPTH_RUN;
    return r->stacks ? DEPTH_EVERY : DEPTH_NONE;
}

long check_layers(const trial *t) { return t->s.depth > t->sh.L ? t->s.depth : t->sh.L; }

void check_constrained(trial *t, const model *M)
{
    if (t->s.R->kind != A_SYM) return;
    const bool noted = fingerprint_pause();                 /* the body asks none of this */
    const drawn_by whose = scope_draws(&t->s, DRAWN_BY_SUITE);
    constrained_model(&t->s, M, t->record.constrained);
    t->s.draws = whose;
    fingerprint_resume(noted);
}

void check_constrained_layer(trial *t, const layer *W, const layer *drawn)
{
    if (t->s.R->kind != A_SYM) return;
    const bool noted = fingerprint_pause();
    constrained_layer(&t->s, W, drawn, t->record.constrained);
    fingerprint_resume(noted);
}

void claim_same_function(trial *t, const model *M, const model *R)
{
    check_constrained(t, M);
    if (t->s.R->kind != A_DEG && same_weights(M, R))
        scope_undecided(&t->s, REASON_INVALID, "the reduced model is the original");
    model reduced = *R;
    check_nudge_model(t, &reduced);
    const long before = t->s.depth;
    const mat *Y = model_forward(&t->s, M);
    t->s.reduced = true;
    const mat *Z = mat_mark(model_forward(&t->s, &reduced), MARK_REDUCED);
    t->s.reduced = false;
    if (t->s.R->traits & HAS_EXP && isnan(t->record.log2logit)) t->record.log2logit = mat_log2max_quietly(Y);
    check_whole(t, "logits", before, Y, Z);
}

void claim_whole(trial *t, const char *what, const mat *Y, const mat *Z)
{
    check_whole(t, what, t->s.depth, Y, Z);
}

void claim_step(trial *t, const model *M, const model *R, long i, basis in, basis out)
{
    scope *s = &t->s;
    check_constrained(t, M);
    const drawn_by whose = scope_draws(s, DRAWN_BY_SUITE);
    const mat *X = mat_draw(s, "X", M->s.n, M->s.d, 0);
    s->draws = whose;
    s->reduced = true;
    const mat *here = mat_mark(model_block(s, R, i, mat_mul(s, X, in.to)), MARK_REDUCED);
    s->reduced = false;
    claim_equal(t, "one block", mat_mul(s, model_block(s, M, i, X), out.to), here);
}
