/* SPDX-License-Identifier: GPL-3.0-or-later
 * exponential_independence.c - see exponential_independence.h. */
#include "src/methods/rank/exponential_independence.h"
#include "numerics/random.h"
#include "src/methods/rank/dimension_claim.h"

enum { MAX_ARGUMENTS = 2000, MAX_SCORES = 1024, UNSPLIT_TOKENS = 3 };

typedef struct { const mat *of[MAX_SCORES]; long n; } score_list;          /* matrices of scores, over a tape */
typedef struct { long list, i, j; } argument;

static const mat *head(scope *s, const model *M, const mat *W, long a) { return mat_cols(s, W, a * M->s.dk, M->s.dk); }

static void scores_of(scope *s, const model *M, long i, const mat *X, score_list *out)
{
    for (long a = 0; a < M->s.h; a++) {
        const mat *Q = mat_mul(s, X, head(s, M, M->at[i].Q, a)), *K = mat_mul(s, X, head(s, M, M->at[i].K, a));
        REQUIRE(out->n < MAX_SCORES, "%ld matrices of scores", out->n);
        out->of[out->n++] = mat_mul(s, Q, mat_t(s, K));
    }
}

/* E_t + P_i for the first tokens and all positions. */
static const mat *sums(scope *s, const model *M)
{
    const mat *of_token[UNSPLIT_TOKENS];
    for (long t = 0; t < UNSPLIT_TOKENS; t++)
        of_token[t] = mat_add(s, mat_mul(s, mat_ones(s, M->s.n, 1), mat_rows(s, M->E, t, 1)), M->P);
    return mat_vcat(s, UNSPLIT_TOKENS, of_token);
}

static long token_of(const model *M, long sequence, long i)           /* the same sequences at every point */
{
    static const uint64_t key[2] = { 1, 2 };
    return (long)random_below(key, (uint64_t)(sequence * M->s.n + i), (uint64_t)M->s.V);
}

static void later_layers(scope *s, const model *M, long sequence, score_list *out)
{
    model of = *M;
    int64_t *one_hot = scope_alloc(s, (size_t)(M->s.n * M->s.V) * sizeof *one_hot);
    for (long i = 0; i < M->s.n; i++) one_hot[i * M->s.V + token_of(M, sequence, i)] = 1;
    of.tokens = mat_dyadic(s, M->s.n, M->s.V, one_hot, 0);
    const mat *X = model_block(s, &of, 0, model_embed(s, &of));
    for (long i = 1; i < M->s.L; i++) {
        scores_of(s, &of, i, X, out);
        X = model_block(s, &of, i, X);
    }
}

static void all_scores(scope *s, const model *M, bool split, score_list *out)
{
    scores_of(s, M, 0, split ? mat_vcat(s, 2, (const mat *const[]){ M->E, M->P }) : sums(s, M), out);
    for (long k = 0; k < INDEPENDENCE_SEQUENCES && split; k++) later_layers(s, M, k, out);
}

/* What argument A is: its kind (layer and head), entry, and the tokens that it sees.  Arguments of one kind, entry and
 * prefix are equal at every point; of all others the test shows that they differ, if it holds. */
static bool same_argument(const model *M, const score_list *S, argument A, argument B)
{
    const long h = M->s.h, kinds = (M->s.L - 1) * h, sees = M->s.mask == MASK_CAUSAL ? A.i + 1 : M->s.n;
    if (A.i != B.i || A.j != B.j || A.list < h || B.list < h) return false;    /* lists below h: the first layer's */
    if ((A.list - h) % kinds != (B.list - h) % kinds) return false;
    REQUIRE(A.list < S->n && B.list < S->n, "lists %ld, %ld of %ld", A.list, B.list, S->n);
    for (long i = 0; i < sees; i++)
        if (token_of(M, (A.list - h) / kinds, i) != token_of(M, (B.list - h) / kinds, i)) return false;
    return true;
}

/* The different arguments; in later layers those that a causal mask shows to a token that sees another one. */
static long choose(const model *M, const score_list *S, argument *A)
{
    long n = 0;
    for (long l = 0; l < S->n; l++)
        for (long i = 0; i < S->of[l]->rows; i++)
            for (long j = 0; j < S->of[l]->cols; j++) {
                const argument next = { l, i, j };
                bool seen = false;
                if (l >= M->s.h && (i == 0 || j > i)) continue;
                for (long k = 0; k < n && !seen; k++) seen = same_argument(M, S, A[k], next);
                if (seen) continue;
                REQUIRE(n < MAX_ARGUMENTS, "%ld arguments", n);
                A[n++] = next;
            }
    return n;
}

void claim_exponential_independence(trial *t, bool split)
{
    static const char what[] = "arguments independent modulo constants";
    arith field;
    if (t->s.R->kind == A_DEG) claim_minor(t, what, true);
    if (!claim_field(t, &field)) return;
    scope base = scope_open(&field, t->seed, (uint64_t)t->number);
    argument *A = scope_alloc(&base, MAX_ARGUMENTS * sizeof *A);
    score_list *S = scope_alloc(&base, sizeof *S);
    shape sh = t->sh;
    sh.act = ACT_OPAQUE;
    sh.attention = ROWMAP_SOFTMAX;
    long n = 1;
    mat *table = NULL;
    for (long point = 0; point <= n; point++) {                /* n + 1 points for n arguments and the constant */
        tape_rules how = { .range = 100, .kappa = 1 };
        random_key_derive(how.key, (uint64_t[]){ t->seed ^ (uint64_t)t->number, (uint64_t)point }, "licence");
        arith R = tape_over(&field, how);
        scope s = scope_open(&R, t->seed, (uint64_t)(t->number * 100000 + point));
        const model M = model_random(&s, sh);
        S->n = 0;
        all_scores(&s, &M, split, S);
        if (!table) {
            n = choose(&M, S, A);
            table = mat_blank(&base, n + 1, n + 1);
        }
        const mat *one = mat_ones(&base, 1, 1);
        mat_put(table, point, n, one, 0, 0, 1, 1);
        for (long k = 0; k < n; k++)
            mat_put(table, point, k, tape_value(S->of[A[k].list]), A[k].i, A[k].j, 1, 1);
        if (s.status != HOLDS) scope_undecided(&t->s, REASON_INNER, s.why);
        tape_forget(&R, 0);
        scope_close(&s);
        arith_close(&R);
    }
    claim_minor(t, what, mat_rank(&base, table) == n + 1);
    scope_close(&base);
    arith_close(&field);
}
