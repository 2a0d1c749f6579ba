/* n16.c - N16, which axioms of the softmax each result needs.
 *
 * Statement.  Let attention use any map from the visible scores of a row to weights.
 *   Level 0, no axiom: Observation 3.1, Lemma 3.1, Propositions 3.2 and 4.1, Theorems 4.2, 4.3, 4.4, N1.
 *   Level 1, invariance under adding a constant to the row: the key bias is redundant, b_K~ = 0.
 *   Level 2, and weights that sum to 1: the value bias moves to the output, b_V~ = 0, b_O~ = b_O + b_V W_O.
 * Each level is needed: with an axiom less the statement fails.
 *
 * Why it works.  Level 0: the two models have equal scores, entry by entry.  Level 1: q (k_j + b_K)' = q k_j' + q
 * b_K', and
 * the last term is the same for all j.  Level 2: A (V + 1 b_V) = A V + (A 1) b_V = A V + 1 b_V.
 * The query bias is not redundant: (q + b_Q) k_j' = q k_j' + b_Q k_j' depends on j.
 *
 * A row map without the axiom is opaque where functions are opaque (fp, sym), and linear attention, which has
 * neither axiom, where they are known.                                                                    */
#include "src/reduce.h"

static void free_map(shape *sh, reduction which)
{
    reduction_switches(sh, which);
    sh->attention = ROWMAP_OPAQUE;
}
static void one_layer(shape *sh)      { free_map(sh, ONE_LAYER); }
static void shared_block(shape *sh)   { free_map(sh, SHARED_BLOCK); }
static void attention_skip(shape *sh) { free_map(sh, ATTENTION_SKIP); }
static void one_head(shape *sh)       { one_layer(sh); sh->h = sh->h_kv = 1; sh->dk = sh->scale_den = sh->d; }
static void shift(shape *sh)          { one_layer(sh); sh->attention = ROWMAP_SHIFT;      sh->biases = true; }
static void stochastic(shape *sh)     { one_layer(sh); sh->attention = ROWMAP_STOCHASTIC; sh->biases = true; }

static void compare(trial *t, const model *M, const model *R)
{
    const basis I = basis_identity(&t->s, M->s.d);
    claim_same_function(t, M, R);
    for (long i = 0; i < M->s.L; i++) claim_step(t, M, R, i, I, I);
}

/* ---- level 0 --------------------------------------------------------------------------------------------- */

/* Proposition 3.2 and N1 in every layer; `transposed`: D^-1 in place of D^-T for the keys */
static void pairs(trial *t, bool transposed)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    for (long i = 0; i < M.s.L; i++) {
        const mat *D[2][MAX_HEADS];
        for (long a = 0; a < 2 * M.s.h; a++) {
            char name[48];
            snprintf(name, sizeof name, "D.%ld.%ld", i, a);
            D[a % 2][a / 2] = mat_draw(s, name, M.s.dk, M.s.dk, log2_fan_in(M.s.dk));
        }
        gauge_query_key(s, &R, i, D[0]);
        gauge_value_output(s, &R, i, D[1]);
        if (transposed) R.at[i].K = mat_mul(s, M.at[i].K, mat_inv(s, mat_blockdiag(s, M.s.h, D[0])));
    }
    compare(t, &M, &R);
}

static void single_head(trial *t)                        /* Proposition 4.1 */
{
    const model M = model_random(&t->s, t->sh), R = reduce_single_head(&t->s, &M);
    compare(t, &M, &R);
}

/* ---- levels 1 and 2 ------------------------------------------------------------------------------------------- */

typedef enum { KEY_BIAS, QUERY_BIAS, VALUE_BIAS } which_bias;

/* `less`: an axiom less than the level has */
static void drop_bias(trial *t, which_bias which, bool less)
{
    scope *s = &t->s;
    shape sh = t->sh;
    if (less)
        sh.attention = !(s->R->traits & OPAQUE) ? ROWMAP_LINEAR : which == VALUE_BIAS ? ROWMAP_SHIFT : ROWMAP_OPAQUE;
    const model M = model_random(s, sh);
    model R = M;
    for (long i = 0; i < M.s.L; i++) {
        layer *W = &R.at[i];
        if (which == VALUE_BIAS) W->bO = mat_add(s, W->bO, mat_mul(s, W->bV, W->O));
        *(which == KEY_BIAS ? &W->bK : which == QUERY_BIAS ? &W->bQ : &W->bV) = NULL;
    }
    compare(t, &M, &R);
}

static void both_pairs(trial *t)     { pairs(t, false); }
static void untransposed(trial *t)   { pairs(t, true); }
static void key_bias(trial *t)       { drop_bias(t, KEY_BIAS, false); }
static void query_bias(trial *t)     { drop_bias(t, QUERY_BIAS, false); }
static void value_bias(trial *t)     { drop_bias(t, VALUE_BIAS, false); }
static void key_bias_free(trial *t)  { drop_bias(t, KEY_BIAS, true); }
static void value_bias_less(trial *t) { drop_bias(t, VALUE_BIAS, true); }

static const control of_pairs[] = { { "untransposed", untransposed, "$D^{-1}$ in place of $D^{-\\top}$" } };
static const control level_1[] = {
    { "no-axiom",   key_bias_free, "a row map that is not invariant under shifts" },
    { "query-bias", query_bias,    "$b_Q$ is dropped instead" },
};
static const control level_2[] = { { "no-sum", value_bias_less, "weights that do not sum to 1" } };
#define NOT_LINEAR .without = "q", .why_without = "q has linear attention only, which has neither axiom"
static const part parts[] = {
    REDUCED_PART("as-stated-4.2", reduce_one_layer, one_layer, .assumes = "invertible W_Q",
                 .statement = "level 0: Theorem 4.2 for any row map"),
    REDUCED_PART("as-stated-4.3", reduce_shared_block, shared_block, .assumes = "invertible W_Q",
                 .statement = "level 0: Theorem 4.3 for any row "
                                                                                  "map"),
    REDUCED_PART("as-stated-4.4", reduce_attention_skip, attention_skip, .assumes = "invertible W_Q",
                 .statement = "level 0: Theorem 4.4 likewise"),
    REDUCED_PART("as-stated-pair", both_pairs, one_layer, .assumes = "invertible D",
                 .controls = of_pairs, .ncontrols = COUNT(of_pairs),
                 .statement = "level 0: Proposition 3.2 and N1 for any row map"),
    REDUCED_PART("as-stated-4.1", single_head, one_head, .statement = "level 0: Proposition 4.1 for any row map"),
    REDUCED_PART("as-stated-bK", key_bias, shift, .assumes = "shift-invariant row map",
                 .controls = level_1, .ncontrols = COUNT(level_1), NOT_LINEAR,
                 .statement = "level 1: $b_K$ can be dropped if the row map is invariant under shifts"),
    REDUCED_PART("as-stated-bV", value_bias, stochastic, .assumes = "rows sum to 1; shift-invariant row map",
                 .controls = level_2, .ncontrols = COUNT(level_2), NOT_LINEAR,
                 .statement = "level 2: $\\tilde b_V = 0$, $\\tilde b_O = b_O + b_VW_O$ if the map is invariant "
                              "under shifts and the weights sum to 1"),
};
static const claim N16 = {
    .id = "N16", .title = "which axioms of the softmax each result needs", .where = "new",
    .hypotheses = "any map from the visible scores of a row to weights, with no axiom, shift invariance, or that and "
                  "sum 1; the $W_Q$ that become $I$ in $\\mathrm{GL}(d)$, all $D_a \\in \\mathrm{GL}(d_k)$",
    .construction = "$\\tilde b_K = 0$; $\\tilde b_V = 0$, $\\tilde b_O = b_O + b_VW_O$; the others as in their "
                    "programs",
    .why = "Reduced models have the scores of the originals entry by entry, so any row map may follow.  A key bias "
           "adds $qb_K^\\top$ to a whole row of scores; a value bias comes out of $A(V + 1b_V)$ as $(A1)b_V$.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-O3.1 K-L3.1 K-P3.2 K-P4.1 K-T4.2 K-T4.3 K-T4.4 N1",
};
THEOREM_PROGRAM(N16)
