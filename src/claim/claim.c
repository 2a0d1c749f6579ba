/* claim.c - how a body's statements become checks: see claim.h. */
#include "src/claim/claim.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/claim/certificate.h"

static void record(trial *t, const char *what, bool want_equal, comparison is, certainty by)
{
    if (t->nchecks == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 8;
        t->checks = must_realloc(t->checks, (size_t)t->capacity, sizeof *t->checks);
    }
    t->checks[t->nchecks++] = (check){ what, want_equal, is, by, false };
}

static double log2_bound(const trial *t)
{
    const arith *R = t->s.R;
    if (R->traits & RIGOROUS && !(R->traits & EXACT)) return -64;           /* arb: relative width */
    if (R->traits & BOUNDED) return log2(1e-3);                             /* f64: its widest bound */
    if (R->traits & (EXACT | SYMBOLIC) || !(R->traits & HAS_EXP)) return -INFINITY;
    return -(double)R->bits / 2;               /* mpfr: one rung; the slope over all rungs decides */
}

static void compare_checked(trial *t, const char *what, bool want_equal, const mat *A, const mat *B)
{
    REQUIRE(!t->measuring, "%s: a measurement compares figures, not matrices", what);
    if (t->certifier && t->s.R->traits & SYMBOLIC && want_equal) certifier_equation(t->certifier, what, A, B);
    if (t->s.R->traits & DEGREES && !want_equal) {          /* residues that differ, differ; but formal functions
                                                               that differ say nothing about real ones */
        const bool opaque = arith_deg_opaque(A) || arith_deg_opaque(B);
        record(t, what, false, (comparison){ HOLDS, 0, -INFINITY }, opaque ? BY_SAMPLE : BY_FACT);
        return;
    }
    if (t->s.R->traits & DEGREES) {
        const double before = arith_deg_bound(t->s.R).polynomials;
        const comparison counted = mat_compare(A, B, -INFINITY);
        record(t, what, true, counted, arith_deg_bound(t->s.R).polynomials > before ? BY_CHANCE : BY_NOTHING);
        return;
    }
    comparison is = mat_compare(A, B, log2_bound(t));
    if (!want_equal && is.is != UNDECIDED) is.is = is.is == HOLDS ? REFUTED : HOLDS;
    record(t, what, want_equal, is, want_equal ? BY_CHANCE : BY_FACT);
}

void claim_equal  (trial *t, const char *what, const mat *A, const mat *B) { compare_checked(t, what, true, A, B); }
void claim_differs(trial *t, const char *what, const mat *A, const mat *B) { compare_checked(t, what, false, A, B); }

/* A fact without a size. */
static void fact(trial *t, const char *what, truth is, certainty by)
{
    if (t->certifier) t->certifier->decided++;
    record(t, what, true, (comparison){ is, is == HOLDS ? -INFINITY : is == REFUTED ? 0 : INFINITY, -INFINITY }, by);
}

void claim_decided (trial *t, const char *what, bool is_so)   { fact(t, what, is_so ? HOLDS : REFUTED, BY_FACT); }
void claim_sampled (trial *t, const char *what, bool is_so)   { fact(t, what, is_so ? HOLDS : REFUTED, BY_SAMPLE); }
void claim_minor(trial *t, const char *what, bool is_so)
{
    fact(t, what, is_so || t->s.R->traits & DEGREES ? HOLDS : REFUTED, BY_FACT);
}
void claim_positive(trial *t, const char *what, const mat *A) { fact(t, what, mat_positive(A), BY_SAMPLE); }

void claim_less(trial *t, const char *what, const mat *A, const mat *B)
{
    claim_positive(t, what, mat_sub(&t->s, B, A));
}

/* A rank over F_q is at most the formal one, so only an upper bound below the full rank is left to chance. */
static void rank_fact(trial *t, const char *what, truth is)
{
    if (is != UNDECIDED) fact(t, what, is, BY_CHANCE);
}

void claim_rank(trial *t, const char *what, const mat *A, long expected)
{
    rank_fact(t, what, mat_rank_is(&t->s, A, expected));
}

void claim_rank_at_most(trial *t, const char *what, const mat *A, long most)
{
    rank_fact(t, what, mat_rank_at_most(&t->s, A, most));
}

void claim_enclosed(trial *t, const char *what, comparison is)
{
    REQUIRE(t->s.R->traits & RIGOROUS, "%s is enclosed over %s", what, t->s.R->name);
    record(t, what, true, is, BY_SAMPLE);
}

/* ---- measured figures ---------------------------------------------------------------------- */

void claim_shown(trial *t, const char *what, double x, estimate is, double predicted)
{
    REQUIRE(t->measuring, "%s is measured in a part of another kind", what);
    t->readings = must_realloc(t->readings, (size_t)t->nreadings + 1, sizeof *t->readings);
    t->readings[t->nreadings++] = (reading){ what, x, is, predicted };
}

/* The gap is relative to the prediction, and so is its bound: how far the interval that decides reaches. */
void claim_measured(trial *t, const char *what, double x, estimate is, double predicted, double widest)
{
    claim_shown(t, what, x, is, predicted);
    const double size = predicted != 0 ? fabs(predicted) : 1, away = fabs(is.value - predicted);
    const double reach = predicted < is.value ? is.value - is.least : is.most - is.value;
    comparison c = { UNDECIDED, away > 0 ? log2(away / size) : -INFINITY, reach > 0 ? log2(reach / size) : -INFINITY };
    if (!isfinite(predicted) || !isfinite(is.value)) c.log2gap = INFINITY;
    else if (is.high - is.low <= widest) c.is = is.least <= predicted && predicted <= is.most ? HOLDS : REFUTED;
    record(t, what, true, c, BY_SAMPLE);
}

/* ---- the minimal control ------------------------------------------------------------------ */

/* Does entry (i, j) matter?  Not where it is 0, or the rounding of one: far below the others.  Balls must be apart:
 * an entry like 0 +- 2^-200 moves, but may be 0. */
static bool felt(scope *s, const mat *A, const mat *nudged, long i, long j)
{
    const mat *a = mat_cols(s, mat_rows(s, A, i, 1), j, 1), *b = mat_cols(s, mat_rows(s, nudged, i, 1), j, 1);
    const comparison moved = mat_compare(a, b, -INFINITY);
    const bool apart = s->R->traits & SYMBOLIC ? moved.log2gap > -INFINITY : moved.is == REFUTED;
    return apart && !(mat_log2max(a) < mat_log2max(A) - 40);
}

void claim_reduced(trial *t, long n, const mat **const reduced[])
{
    if (!t->minimal || t->minimal_done) return;
    REQUIRE(n > 0, "%ld reduced matrices", n);
    uint64_t key[2];
    random_key_derive(key, t->s.key, "minimal");
    for (uint64_t attempt = 0; attempt < 64 && !t->minimal_done; attempt++) {
        const mat **A = reduced[random_below(key, 3 * attempt, (uint64_t)n)];
        const long i = (long)random_below(key, 3 * attempt + 1, (uint64_t)(*A)->rows);
        const long j = (long)random_below(key, 3 * attempt + 2, (uint64_t)(*A)->cols);
        const mat *nudged = mat_nudge(&t->s, *A, i, j);
        if (felt(&t->s, *A, nudged, i, j)) {
            *A = nudged;
            t->minimal_done = true;
        }
    }
}

/* The weights whose every entry the logits feel: an untied embedding has rows no token uses, and
 * over q (ReLU) a neuron may be dead for all tokens. */
static void nudge_model(trial *t, model *R)
{
    const mat **all[4 + 5 * MAX_LAYERS + 3 * MAX_EXPERTS * MAX_LAYERS], **felt[COUNT(all)];
    const bool dead_neurons = t->s.R->traits & ORDERED && R->s.act == ACT_RELU;
    const long count = model_weights(R, all, COUNT(all));
    long n = 0;
    for (long k = 0; k < count; k++) {
        bool mlp_weight = false;
        for (long i = 0; i < R->s.L; i++)
            for (long e = 0; e < MAX_EXPERTS; e++) {
                const mlp *F = &R->at[i].expert[e];
                mlp_weight |= all[k] == &F->up || all[k] == &F->gate || all[k] == &F->down;
            }
        if ((all[k] == &R->E && R->head) || (dead_neurons && mlp_weight)) continue;
        felt[n++] = all[k];
    }
    claim_reduced(t, n, felt);
}

void claim_eliminated(trial *t, const char *what, const mat *A)
{
    claim_equal(t, what, A, mat_identity(&t->s, A->rows));
}

/* ---- whole models ------------------------------------------------------------------------- */

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
        if (A->rows != B->rows || A->cols != B->cols || mat_compare(A, B, -INFINITY).is != HOLDS) return false;
    }
    return true;
}

/* Y and Z are the values of two whole functions. */
static void compare_whole(trial *t, const char *what, const mat *Y, const mat *Z)
{
    const long before = t->nchecks;
    t->stacks++;
    claim_equal(t, what, Y, Z);
    if (t->nchecks > before) t->checks[before].whole = true;
}

void claim_same_function(trial *t, const model *M, const model *R)
{
    if (!(t->s.R->traits & DEGREES) && same_weights(M, R)) scope_undecided(&t->s, "the reduced model is the original");
    model reduced = *R;
    nudge_model(t, &reduced);
    const mat *Y = model_forward(&t->s, M), *Z = model_forward(&t->s, &reduced);
    if (t->s.R->traits & HAS_EXP && isnan(t->log2logit)) t->log2logit = mat_log2max(Y);
    compare_whole(t, "logits", Y, Z);
}

void claim_whole(trial *t, const char *what, const mat *Y, const mat *Z) { compare_whole(t, what, Y, Z); }

void claim_step(trial *t, const model *M, const model *R, long i, basis in, basis out)
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", M->s.n, M->s.d, 0);
    claim_equal(t, "one block", mat_mul(s, block(s, M, i, X), out.to), block(s, R, i, mat_mul(s, X, in.to)));
}
