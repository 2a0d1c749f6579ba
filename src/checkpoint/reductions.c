/* reductions.c - see reductions.h; the hypotheses are those of the programs in theorems/. */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/reductions.h"
#include "src/train/spectra.h"

/* LayerNorm with an eps beyond all variances does not divide by the deviation: claims/K-R2. */
static const double eps_without_norm = 1e6;

/* ---- condition numbers ---------------------------------------------------------------------------------------- */

static double condition(long rows, long cols, const double *A)
{
    for (long k = 0; k < rows * cols; k++) if (!isfinite(A[k])) return NAN;
    double *s = singular_values(rows, cols, A);
    const long n = rows < cols ? rows : cols;
    const double least = s[0] * DBL_EPSILON * (double)(rows > cols ? rows : cols);
    const double r = s[n - 1] > least ? s[0] / s[n - 1] : INFINITY;
    free(s);
    return r;
}

/* dk rows of A (d x dk, d >= dk) that pivoting finds far from dependent. */
static double block_condition(long d, long dk, const double *A)
{
    for (long k = 0; k < d * dk; k++) if (!isfinite(A[k])) return NAN;
    double *copy = must_calloc((size_t)(d * dk), sizeof *copy), *tau = must_calloc((size_t)dk, sizeof *tau);
    double *block = must_calloc((size_t)(dk * dk), sizeof *block);
    lapack_int *pivot = must_calloc((size_t)d, sizeof *pivot);
    memcpy(copy, A, (size_t)(d * dk) * sizeof *copy);                  /* row by row: LAPACK's A', dk x d */
    const lapack_int bad = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, (int)dk, (int)d, copy, (int)dk, pivot, tau);
    REQUIRE(!bad, "dgeqp3: %d", (int)bad);
    for (long r = 0; r < dk; r++) memcpy(block + r * dk, A + (pivot[r] - 1) * dk, (size_t)dk * sizeof *block);
    const double c = condition(dk, dk, block);
    free(copy);
    free(tau);
    free(block);
    free(pivot);
    return c;
}

static matrix_condition conditions_of(const transformer *D, projection p, long layer)
{
    matrix_condition c = { .whole = NAN };
    if (D->identity[p]) return c;
    const long d = D->d, dk = D->dk;
    c.heads = projection_heads(D, p);
    c.head = must_calloc((size_t)c.heads, sizeof *c.head);
    c.block = must_calloc((size_t)c.heads, sizeof *c.block);
    double *x = must_calloc((size_t)(d * c.heads * dk), sizeof *x), *one = must_calloc((size_t)(d * dk), sizeof *one);
    projection_columns(D, p, layer, 0, c.heads, x);
    c.whole = condition(d, c.heads * dk, x);
    for (long a = 0; a < c.heads; a++) {
        for (long r = 0; r < d; r++) memcpy(one + r * dk, x + (r * c.heads + a) * dk, (size_t)dk * sizeof *one);
        c.head[a] = condition(d, dk, one);
        c.block[a] = dk <= d ? block_condition(d, dk, one) : NAN;
    }
    free(x);
    free(one);
    return c;
}

layer_condition layer_conditions(const transformer *D, long layer)
{
    REQUIRE(!D->unknown && !D->unreadable && layer >= 0 && layer < D->L, "layer %ld", layer);
    layer_condition c;
    for (int p = 0; p < 3; p++) c.of[p] = conditions_of(D, (projection)p, layer);
    return c;
}

void layer_conditions_free(layer_condition *c)
{
    for (int p = 0; p < 3; p++) {
        free(c->of[p].head);
        free(c->of[p].block);
    }
}

/* ---- the theorems ---------------------------------------------------------------------------------------------- */

typedef struct { const transformer *D; const layer_condition *c; reduction_list list; double number_bytes; } judge;

static void say(judge *j, const char *name, const char *claims, bool applies, double parameters, double bits,
                const char *fmt, ...) __attribute__((format(printf, 7, 8)));
static void say(judge *j, const char *name, const char *claims, bool applies, double parameters, double bits,
                const char *fmt, ...)
{
    char text[600];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!applies) parameters = 0, bits = NAN;
    j->list.at = must_realloc(j->list.at, (size_t)j->list.n + 1, sizeof *j->list.at);
    j->list.at[j->list.n++] = (reduction_row){ .name = name, .claims = claims, .applies = applies, .why = must_strdup(text),
                                               .parameters = parameters, .flops = 2 * parameters,
                                               .bytes = parameters * j->number_bytes, .bits = bits };
}

/* log2 of the worst condition of the blocks of heads in all layers. */
static double worst_block(const judge *j, projection p)
{
    double worst = 1;
    for (long i = 0; j->c && i < j->D->L; i++)
        for (long a = 0; a < j->c[i].of[p].heads; a++) {
            if (isnan(j->c[i].of[p].block[a])) return NAN;
            worst = fmax(worst, j->c[i].of[p].block[a]);
        }
    return j->c ? log2(worst) : NAN;
}

/* The layer whose W_Q is the best conditioned, or the worst. */
static long query_layer(const judge *j, bool best)
{
    long at = 0;
    for (long i = 1; j->c && i < j->D->L; i++) {
        const double x = j->c[i].of[PROJECT_Q].whole, y = j->c[at].of[PROJECT_Q].whole;
        if (best ? x < y : x > y) at = i;
    }
    return at;
}
static double query_bits(const judge *j, bool best)
{
    return j->c ? log2(j->c[query_layer(j, best)].of[PROJECT_Q].whole) : NAN;
}

static void head_gauges(judge *j)
{
    const transformer *D = j->D;
    const double blocks = (double)(D->L * D->h_kv * D->dk * D->dk);
    static const char value[] = "an identity block in W_V of each head", query[] = "an identity block in W_Q or W_K of each head";
    if (D->identity[PROJECT_V]) say(j, value, "N1 N1b", false, 0, NAN, "W_V is the identity already and not stored");
    else if (D->dk > D->d) say(j, value, "N1 N1b", false, 0, NAN, "a head has more coordinates than the stream");
    else say(j, value, "N1 N1b", true, blocks, worst_block(j, PROJECT_V),
             "nothing but the weights of attention stands between W_V and W_O, whatever the norms, the positions and the tying");
    if (D->identity[PROJECT_Q] || D->identity[PROJECT_K])
        say(j, query, "K-P3.2 N1b", false, 0, NAN, "W_Q or W_K is the identity already and not stored");
    else if (D->qk_norm)
        say(j, query, "K-P3.2 K-X-qknorm", false, 0, NAN, "queries and keys are normalised: only orthogonal changes of a head commute");
    else if (D->dk > D->d)
        say(j, query, "K-P3.2 N1b", false, 0, NAN, "a head has more coordinates than the stream");
    else if (D->positions == POSITIONS_ROTARY)
        say(j, "rotary pairs: one complex number each in W_K", "K-P3.2 K-X-rope K-X-gqa", true,
            (double)(D->L * D->h_kv * D->rotary), NAN,
            "RoPE leaves of GL(dk) what commutes with its rotations, so no identity blocks: one complex number per pair "
            "of a key head");
    else
        say(j, query, "K-P3.2 N1b", true, blocks, worst_block(j, D->h_kv < D->h ? PROJECT_K : PROJECT_Q),
            "nothing stands between W_Q and W_K of a head but their product");
}

static bool whole_layers(const transformer *D) { return D->attn_skip && D->mlp_skip; }

static const char *norm_words(const transformer *D)
{
    return D->norm == NORM_OF_LAYER ? "LayerNorm does not commute with a change of basis (K-R7)"
                                        : "RMSNorm commutes with rotations of the stream only (K-R6-rms)";
}

static bool shared_layers(const transformer *D)
{
    for (long i = 1; i < D->L; i++)
        for (int r = ROLE_GAIN1; r < ROLES; r++) {
            const weight_tensor *a = tensor_of(D, (tensor_role)r, 0), *b = tensor_of(D, (tensor_role)r, i);
            if (a && (a->bytes != b->bytes || memcmp(a->at, b->at, a->bytes) != 0)) return false;
        }
    return D->L > 1;
}

static void one_query(judge *j)
{
    const transformer *D = j->D;
    static const char name[] = "W_Q of one layer becomes the identity", id[] = "K-T4.2";
    const double removed = (double)(D->h * D->dk * D->d), bits = query_bits(j, true);
    if (D->identity[PROJECT_Q]) say(j, name, id, false, 0, NAN, "W_Q is the identity already and not stored");
    else if (D->norm != NORM_OF_NONE) say(j, name, id, false, 0, NAN, "%s", norm_words(D));
    else if (!whole_layers(D)) say(j, name, id, false, 0, NAN, "it takes skips around attention and MLP");
    else if (D->h * D->dk > D->d) say(j, name, id, false, 0, NAN, "W_Q has more columns than rows");
    else if (D->tied)
        say(j, name, "K-T4.2 K-R4", false, 0, NAN, "the head is tied: one of its own would cost %ld parameters, %ld go",
            D->V * D->d, D->h * D->dk * D->d);
    else if (isinf(bits)) say(j, name, id, false, 0, NAN, "every W_Q is singular");
    else say(j, name, id, true, removed, bits, "no norms, all skips, a head of its own; layer %ld has the best conditioned W_Q",
             query_layer(j, true));
}

static void shared_query(judge *j)
{
    const transformer *D = j->D;
    static const char name[] = "W_Q that all layers share becomes the identity", id[] = "K-T4.3";
    if (!shared_layers(D)) say(j, name, id, false, 0, NAN, D->L > 1 ? "the layers have weights of their own" : "there is one layer");
    else if (D->norm != NORM_OF_NONE) say(j, name, id, false, 0, NAN, "%s", norm_words(D));
    else if (!whole_layers(D) || D->tied || D->identity[PROJECT_Q] || D->h * D->dk != D->d || isinf(query_bits(j, true)))
        say(j, name, id, false, 0, NAN, "it takes all skips, a head of its own and a stored, square, invertible W_Q");
    else say(j, name, id, true, (double)(D->d * D->d), query_bits(j, true), "one block for all layers, no norms, a head of its own");
}

static void every_query(judge *j)
{
    const transformer *D = j->D;
    static const char name[] = "W_Q of every layer becomes the identity", id[] = "K-T4.4";
    if (D->identity[PROJECT_Q]) say(j, name, id, false, 0, NAN, "W_Q is the identity already and not stored");
    else if (D->norm != NORM_OF_NONE) say(j, name, id, false, 0, NAN, "%s", norm_words(D));
    else if (!D->attn_skip || D->mlp_skip)
        say(j, name, id, false, 0, NAN, D->mlp_skip ? "the skips around the MLPs carry one basis through all layers"
                                                    : "it takes skips around attention");
    else if (D->h * D->dk != D->d) say(j, name, id, false, 0, NAN, "W_Q is not square");
    else if (isinf(query_bits(j, false)))
        say(j, name, id, false, 0, NAN, "W_Q of layer %ld is singular (N12 says when it may go all the same)", query_layer(j, false));
    else say(j, name, id, true, (double)(D->L * D->d * D->d), query_bits(j, false),
             "no norms, skips around attention alone; layer %ld has the worst conditioned W_Q", query_layer(j, false));
}

static void without_layernorm(judge *j)
{
    const transformer *D = j->D;
    static const char name[] = "W_Q of one layer where LayerNorm was removed", id[] = "K-R2";
    const double head = D->tied ? (double)(D->V * D->d) : 0;
    if (D->norm != NORM_OF_LAYER) say(j, name, id, false, 0, NAN, "it is about LayerNorm, and there is none");
    else if (!(D->eps >= eps_without_norm))
        say(j, name, id, false, 0, NAN, "its LayerNorms divide by the deviation (eps = %g; without it, eps is 1e12 or so)", D->eps);
    else if (!whole_layers(D) || D->identity[PROJECT_Q] || D->h * D->dk != D->d)
        say(j, name, id, false, 0, NAN, "it takes all skips and a stored, square W_Q");
    else say(j, name, "K-R2 K-R4", true, (double)(D->d * D->d) - head, NAN,
             "eps = %g leaves LayerNorm without its division: the writers take its centring%s; W_Q with the gains folded in "
             "must be invertible", D->eps, D->tied ? ", and the head, tied so far, is stored for itself" : "");
}

static bool final_gain_is_one(const transformer *D)
{
    const weight_tensor *g = tensor_of(D, ROLE_FINAL_GAIN, -1);
    double *x = must_calloc((size_t)D->d, sizeof *x);
    weight_numbers(g, 0, (size_t)D->d, x);
    bool one = true;
    for (long k = 0; k < D->d; k++) one = one && x[k] == 1;
    free(x);
    return one;
}

/* Free entries in the forms of N7 and N20; a number for each W_Q. */
static double triangle_removes(const transformer *D)
{
    const double d = (double)D->d, h = (double)D->h, kv = (double)D->h_kv, dk = (double)D->dk;
    if (D->positions == POSITIONS_ROTARY) return d * d - (d * (d + 1) / 2 - kv * dk);
    if (kv < h) return d * (d - 1) / 2 + kv * dk * (dk + 1) / 2;
    return d * d - h * (h - 1) / 2 * dk * dk;
}

static void rms_triangles(judge *j)
{
    const transformer *D = j->D;
    const bool rotary = D->positions == POSITIONS_ROTARY, grouped = D->h_kv < D->h;
    const char *name = rotary ? "W_Q of one layer becomes triangular" : "W_Q of one layer becomes block triangular";
    const char *id = rotary || grouped ? "N20" : "N7", *why = NULL;
    if (D->norm != NORM_OF_RMS) why = D->norm == NORM_OF_LAYER ? "it takes RMSNorm: a rotation does not keep LayerNorm's mean"
                                                                       : "it takes RMSNorm; without norms more goes";
    else if (D->identity[PROJECT_Q]) why = "W_Q is the identity already and not stored";
    else if (D->qk_norm) why = "queries and keys are normalised, which N7 and N20 do not cover";
    else if (rotary && D->rotary < D->dk) why = "a part of each head is not rotated, which N20 does not cover";
    else if (D->h * D->dk != D->d) why = "W_Q is not square";
    else if (!whole_layers(D)) why = "it takes skips around attention and MLP";
    char tied[200];
    snprintf(tied, sizeof tied, "the head is tied and the gain in front of it cannot be folded into it: a head of its own would "
             "cost %ld parameters, %.0f go", D->V * D->d, triangle_removes(D));
    if (!why && D->tied && !final_gain_is_one(D)) why = tied;
    if (why) {
        say(j, name, id, false, 0, NAN, "%s", why);
        say(j, "W_Q of every layer becomes block triangular", "N19", false, 0, NAN, "%s",
            D->norm != NORM_OF_RMS ? "it takes RMSNorm" : D->mlp_skip ? "the skips around the MLPs carry one basis through all layers" : why);
        return;
    }
    say(j, name, id, true, triangle_removes(D), NAN, rotary
        ? "RMSNorm, all skips: the stream is rotated by the Q of W_Q = QR, which loses no bits; RoPE leaves 2 x 2 blocks in the "
          "first head of each group" : "RMSNorm, all skips: the stream is rotated by the Q of W_Q = QR, which loses no bits");
    say(j, "W_Q of every layer becomes block triangular", "N19", false, 0, NAN,
        "the skips around the MLPs carry one basis through all layers");
}

static void stacked_identities(judge *j)
{
    const transformer *D = j->D;
    static const char name[] = "W_K and W_V of one layer become stacked identities", id[] = "N4";
    const long columns = 2 * D->h_kv * D->dk;
    if (columns > D->d) say(j, name, id, false, 0, NAN, D->h_kv == D->h ? "heads do not share keys: W_K and W_V have 2 d columns together"
                                                                        : "W_K and W_V have more columns together than the stream is wide");
    else if (D->norm != NORM_OF_NONE) say(j, name, id, false, 0, NAN, "%s", norm_words(D));
    else if (!whole_layers(D) || D->tied) say(j, name, id, false, 0, NAN, "it takes all skips and a head of its own");
    else say(j, name, id, true, (double)(columns * D->d), NAN, "heads share keys, and there are no norms");
}

static void layernorm_row(judge *j)
{
    const transformer *D = j->D;
    static const char name[] = "one row of each W_Q becomes 0", id[] = "N18";
    const bool bias = tensor_of(D, ROLE_QKV_BIAS, 0) || tensor_of(D, ROLE_Q_BIAS, 0);
    if (D->norm != NORM_OF_LAYER) say(j, name, id, false, 0, NAN, "it is about LayerNorm, and there is none");
    else if (D->identity[PROJECT_Q]) say(j, name, id, false, 0, NAN, "W_Q is the identity already and not stored");
    else if (D->norm_bias && !bias) say(j, name, id, false, 0, NAN, "LayerNorm has a bias and W_Q has none that could take it up");
    else say(j, name, id, true, (double)(D->L * D->h * D->dk), NAN, "what LayerNorm returns has mean 0, so W_Q has a direction that nothing "
             "reaches, where no gain is 0");
}

static void one_head(judge *j)
{
    const transformer *D = j->D;
    static const char name[] = "four matrices of attention become two", id[] = "K-P4.1";
    if (D->h > 1) say(j, name, id, false, 0, NAN, "it takes one head; there are %ld", D->h);
    else if (D->positions == POSITIONS_ROTARY || D->qk_norm) say(j, name, id, false, 0, NAN, "it takes plain scores, without RoPE and QK-norm");
    else if (D->biases) say(j, name, id, false, 0, NAN, "it takes attention without biases");
    else if (D->identity[0] || D->identity[1] || D->identity[2]) say(j, name, id, false, 0, NAN, "one of the four is the identity already");
    else say(j, name, id, true, (double)(2 * D->L * D->d * D->dk), NAN, "one head: W_Q W_K' and W_V W_O are all that is used");
}

static void slim_attention(judge *j)
{
    const transformer *D = j->D;
    static const char name[] = "values computed from keys: half the cache", id[] = "N11";
    if (D->identity[PROJECT_K] || D->identity[PROJECT_V]) say(j, name, id, false, 0, NAN, "W_K or W_V is the identity already and not stored");
    else if (D->h_kv * D->dk != D->d) say(j, name, id, false, 0, NAN, "W_K is %ld x %ld and has no inverse: heads share keys", D->d, D->h_kv * D->dk);
    else {
        double worst = 1;
        for (long i = 0; j->c && i < D->L; i++)
            worst = isnan(j->c[i].of[PROJECT_K].whole) ? NAN : fmax(worst, j->c[i].of[PROJECT_K].whole);
        say(j, name, id, !isinf(worst), 0, j->c ? log2(worst) : NAN, isinf(worst) ? "a W_K is singular" :
            D->positions == POSITIONS_ROTARY ? "W_K is square; the cache must hold keys before their rotation; no parameters go"
                                             : "W_K is square; no parameters go");
    }
}

static char *nothing_because(const transformer *D, const layer_condition *c)
{
    if (D->unknown) return must_strdup(D->unknown);
    if (D->unreadable) return must_format("%ld of its tensors are quantised or of a type that is not read: a gauge would not "
                                          "keep their values", D->unreadable);
    for (long i = 0; c && i < D->L; i++)
        for (int p = 0; p < 3; p++)
            if (c[i].of[p].heads && isnan(c[i].of[p].whole))
                return must_format("layer %ld: %s holds a number that is not finite", i,
                                   role_name[(tensor_role)(ROLE_Q + p)]);
    return NULL;
}

reduction_list reductions_of(const transformer *D, const layer_condition *c)
{
    judge j = { .D = D, .c = c, .list = { .nothing = nothing_because(D, c) } };
    if (j.list.nothing) return j.list;
    const weight_tensor *o = tensor_of(D, ROLE_O, 0);
    j.number_bytes = (double)o->bytes / (double)o->n;
    head_gauges(&j);
    one_query(&j);
    every_query(&j);
    shared_query(&j);
    without_layernorm(&j);
    layernorm_row(&j);
    rms_triangles(&j);
    stacked_identities(&j);
    one_head(&j);
    slim_attention(&j);
    return j.list;
}

void reductions_free(reduction_list *r)
{
    for (long k = 0; k < r->n; k++) free(r->at[k].why);
    free(r->at);
    free(r->nothing);
    *r = (reduction_list){ .at = NULL };
}
