/* SPDX-License-Identifier: GPL-3.0-or-later
 * reductions.c - see reductions.h; the hypotheses are those of the programs in theorems/. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/reductions.h"

/* LayerNorm with an eps beyond all variances does not divide by the deviation: claims/K-R2. */
static const double eps_without_norm = 1e6;

/* ---- the theorems ---------------------------------------------------------------------------------------------- */

typedef struct { const transformer *D; const layer_condition *c; reduction_list list; double number_bytes; } judge;
typedef struct { const char *name, *claims; } theorem;

static reduction_row *add(judge *j, theorem t, const char *fmt, va_list ap)
{
    char text[600];
    vsnprintf(text, sizeof text, fmt, ap);
    j->list.at = must_realloc(j->list.at, (size_t)j->list.n + 1, sizeof *j->list.at);
    reduction_row *r = &j->list.at[j->list.n++];
    *r = (reduction_row){ .name = t.name, .claims = t.claims, .why = must_strdup(text), .bits = NAN };
    return r;
}

static void not_here(judge *j, theorem t, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void not_here(judge *j, theorem t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    add(j, t, fmt, ap);
    va_end(ap);
}

/* parameters: that go; bits: NAN where nothing is known. */
static void applies(judge *j, theorem t, double parameters, double bits, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
static void applies(judge *j, theorem t, double parameters, double bits, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    reduction_row *r = add(j, t, fmt, ap);
    va_end(ap);
    r->applies = true;
    r->parameters = parameters;
    r->flops = 2 * parameters;
    r->bytes = parameters * j->number_bytes;
    r->bits = bits;
}

/* Identity blocks in the heads of W_V, W_K or W_Q: dk^2 parameters of each head that has a regular block. */
static void identity_blocks(judge *j, theorem t, projection p, const char *why)
{
    const transformer *D = j->D;
    const double each = (double)(D->dk * D->dk);
    const long all = D->L * D->h_kv;
    if (!j->c) {
        applies(j, t, (double)all * each, NAN, "%s", why);
        return;
    }
    const block_conditions b = block_conditions_of(D, j->c, p);
    if (!b.regular) not_here(j, t, "the columns of %s head of %s are dependent, as far as its digits tell",
                             all == 1 ? "the" : "every", role_name[ROLE_Q + p]);
    else if (b.regular < all)
        applies(j, t, (double)b.regular * each, b.bits, "%s; %ld of %ld heads keep their columns, which are dependent "
                "as far as their digits tell", why, all - b.regular, all);
    else applies(j, t, (double)all * each, b.bits, "%s", why);
}

/* The layer whose matrix is the best conditioned, or the worst. */
static long layer_of(const judge *j, projection p, bool best)
{
    long at = 0;
    for (long i = 1; j->c && i < j->D->L; i++) {
        const double x = j->c[i].of[p].whole, y = j->c[at].of[p].whole;
        if (best ? x < y : x > y) at = i;
    }
    return at;
}
static double layer_bits(const judge *j, projection p, bool best)
{
    return j->c ? log2(j->c[layer_of(j, p, best)].of[p].whole) : NAN;
}

/* ---- reasons: NULL, or why not ---- */

static const char *query_is_gone(const transformer *D)
{
    return D->identity[PROJECT_Q] ? "W_Q is the identity already and not stored" : NULL;
}
static const char *square_query(const transformer *D)
{
    return query_is_gone(D) ? query_is_gone(D) : D->h * D->dk != D->d ? "W_Q is not square" : NULL;
}
static const char *no_norms(const transformer *D)
{
    return D->norm == NORM_OF_LAYER ? "LayerNorm does not commute with a change of basis (K-R7)"
         : D->norm == NORM_OF_RMS   ? "RMSNorm commutes with rotations of the stream only (K-R6-rms)" : NULL;
}
static const char *all_skips(const transformer *D)
{
    return D->attn_skip && D->mlp_skip ? NULL : "it takes skips around attention and MLP";
}
/* Gains of 1 + w can be folded, too, but are not written here so. */
static const char *own_basis(const transformer *D)
{
    if (D->offset_gain) return "gains of 1 + w are not folded here";
    if (D->experts) return "experts and their routers read the stream, and are not rotated here";
    if (D->embed_norm) return "a norm behind the embedding does not commute with a change of basis of the stream";
    if (D->norms == NORMS_OF_SUMS) return own_symmetries(D);
    if (D->norms >= NORMS_BEHIND) return "norms behind attention and MLP do not commute with a rotation of the stream";
    return D->norms == NORMS_SHARED ? "attention and MLP read one norm, which is not folded here" : NULL;
}
static const char one_basis[] = "the skips around the MLPs carry one basis through all layers";

/* ---- each theorem ---- */

static void value_gauges(judge *j)
{
    const transformer *D = j->D;
    const theorem t = { "an identity block in W_V of each head", "N1 N1b" };
    if (D->identity[PROJECT_V]) not_here(j, t, "W_V is the identity already and not stored");
    else if (D->dk > D->d) not_here(j, t, "a head has more coordinates than the stream");
    else identity_blocks(j, t, PROJECT_V,
                         "only the weights of attention stand between W_V and W_O, whatever the norms, positions and "
                         "tying");
}

static bool some_do_not_turn(const transformer *D)
{
    for (long i = 0; D->layer && i < D->L; i++) if (D->layer[i] & LAYER_DOES_NOT_TURN) return true;
    return false;
}

static void query_gauges(judge *j)
{
    const transformer *D = j->D;
    const theorem blocks = { "an identity block in W_Q or W_K of each head", "K-P3.2 N1b" };
    const theorem pairs = { "rotary pairs: one complex number each in W_K", "K-P3.2 K-X-rope K-X-gqa" };
    const projection p = D->h_kv < D->h ? PROJECT_K : PROJECT_Q;
    if (D->identity[PROJECT_Q] || D->identity[PROJECT_K])
        not_here(j, blocks, "W_Q or W_K is the identity already and not stored");
    else if (D->qk_norm)
        not_here(j, (theorem){ blocks.name, "K-P3.2 K-X-qknorm" },
                 "queries and keys are normalised: only orthogonal changes of a head commute with that");
    else if (D->positions == POSITIONS_ROTARY)
        applies(j, pairs, (double)(D->L * D->h_kv * D->rotary - (j->c ? 2 * zero_pairs_of(D, j->c) : 0)), NAN,
                "RoPE leaves of GL(dk) what commutes with its rotations, so no identity blocks%s", some_do_not_turn(D)
                ? "; layers that do not turn would have them (K-P3.2), which is not done here" : "");
    else if (D->dk > D->d) not_here(j, blocks, "a head has more coordinates than the stream");
    else identity_blocks(j, blocks, p, "nothing stands between W_Q and W_K of a head but their product");
}

static void one_query(judge *j)
{
    const transformer *D = j->D;
    const theorem t = { "W_Q of one layer becomes the identity", "K-T4.2" };
    const double bits = layer_bits(j, PROJECT_Q, true);
    const char *why = query_is_gone(D);
    if (!why) why = no_norms(D);
    if (!why) why = all_skips(D);
    if (!why && D->h * D->dk > D->d) why = "W_Q has more columns than rows";
    if (why) not_here(j, t, "%s", why);
    else if (D->tied)
        not_here(j, (theorem){ t.name, "K-T4.2 K-R4" }, "the head is tied: one of its own would cost %ld parameters, "
                 "%ld go",
                 D->V * D->d, D->h * D->dk * D->d);
    else if (isinf(bits)) not_here(j, t, "every W_Q is singular");
    else applies(j, t, (double)(D->h * D->dk * D->d), bits,
                 "no norms, all skips, a head of its own; layer %ld has the best conditioned W_Q",
                 layer_of(j, PROJECT_Q, true));
}

static void every_query(judge *j)
{
    const transformer *D = j->D;
    const theorem t = { "W_Q of every layer becomes the identity", "K-T4.4" };
    const long worst = layer_of(j, PROJECT_Q, false);
    const char *why = query_is_gone(D);
    if (!why) why = no_norms(D);
    if (!why && D->mlp_skip) why = one_basis;
    if (!why && !D->attn_skip) why = "it takes skips around attention";
    if (!why) why = square_query(D);
    if (why) not_here(j, t, "%s", why);
    else if (isinf(layer_bits(j, PROJECT_Q, false)))
        not_here(j, t, "W_Q of layer %ld is singular (N12 says when it may go all the same)", worst);
    else applies(j, t, (double)(D->L * D->d * D->d), layer_bits(j, PROJECT_Q, false),
                 "no norms, skips around attention alone; layer %ld has the worst conditioned W_Q", worst);
}

static bool shared_layers(const transformer *D)
{
    for (long i = 1; i < D->L; i++)
        for (int r = ROLE_GAIN1; r < ROLES && !D->experts; r++) {
            const weight_tensor *a = tensor_of(D, (tensor_role)r, 0), *b = tensor_of(D, (tensor_role)r, i);
            if (a && (a->bytes != b->bytes || memcmp(a->at, b->at, a->bytes) != 0)) return false;
        }
    return D->L > 1 && !D->experts;
}

static void shared_query(judge *j)
{
    const transformer *D = j->D;
    const theorem t = { "W_Q that all layers share becomes the identity", "K-T4.3" };
    const char *why = D->L == 1 ? "there is one layer" : shared_layers(D) ? NULL
        : "the layers have weights of their own";
    if (!why) why = no_norms(D);
    if (!why) why = all_skips(D);
    if (!why) why = square_query(D);
    if (!why && D->tied) why = "the head is tied";
    if (!why && isinf(layer_bits(j, PROJECT_Q, true))) why = "W_Q is singular";
    if (why) not_here(j, t, "%s", why);
    else applies(j, t, (double)(D->d * D->d), layer_bits(j, PROJECT_Q, true),
                 "one block for all layers, no norms, a head of its own");
}

static void without_layernorm(judge *j)
{
    const transformer *D = j->D;
    const theorem t = { "W_Q of one layer where LayerNorm was removed", "K-R2" };
    const double head = D->tied ? (double)(D->V * D->d) : 0;
    const char *why = D->norm == NORM_OF_LAYER ? NULL : "it is about LayerNorm, and there is none";
    if (!why && D->eps >= eps_without_norm) {
        why = D->norms == NORMS_OF_SUMS ? own_symmetries(D) : all_skips(D);
        if (!why) why = square_query(D);
    } else if (!why) {
        not_here(j, t, "its LayerNorms divide by the deviation (eps = %g; without it, eps is 1e12 or so)", D->eps);
        return;
    }
    if (why) not_here(j, t, "%s", why);
    else applies(j, (theorem){ t.name, "K-R2 K-R4" }, (double)(D->d * D->d) - head, NAN,
                 "eps = %g leaves LayerNorm without its division: the writers take its centring%s; W_Q with the gains "
                 "folded in must be invertible", D->eps, D->tied ? ", and the head, tied so far, is stored for itself"
                     : "");
}

static void layernorm_row(judge *j)
{
    const transformer *D = j->D;
    const theorem t = { "one row of each W_Q becomes 0", "N18" };
    const bool bias = tensor_of(D, ROLE_QKV_BIAS, 0) || tensor_of(D, ROLE_Q_BIAS, 0);
    const char *why = D->norm == NORM_OF_LAYER ? query_is_gone(D) : "it is about LayerNorm, and there is none";
    if (!why && !norms_in_front(D)) why = "no norm comes before W_Q";
    if (!why && D->offset_gain) why = "gains of 1 + w are not folded here";
    if (!why && D->norm_bias && !bias) why = "LayerNorm has a bias and W_Q has none that could take it up";
    if (why) not_here(j, t, "%s", why);
    else applies(j, t, (double)(D->L * D->h * D->dk), NAN,
                 "what LayerNorm returns has mean 0, so W_Q has a direction that nothing reaches");
}

static bool final_gain_is_one(const transformer *D)
{
    double *x = must_calloc((size_t)D->d, sizeof *x);
    weight_numbers(tensor_of(D, ROLE_FINAL_GAIN, -1), 0, (size_t)D->d, x);
    bool one = true;
    for (long k = 0; k < D->d; k++) one = one && x[k] == 1;
    free(x);
    return one;
}

/* What the forms of N7 and N20 leave out of one W_Q. */
static double triangle_removes(const transformer *D)
{
    const double d = (double)D->d, h = (double)D->h, kv = (double)D->h_kv, dk = (double)D->dk;
    if (D->positions == POSITIONS_ROTARY) return d * d - (d * (d + 1) / 2 - kv * dk);
    if (kv < h) return d * (d - 1) / 2 + kv * dk * (dk + 1) / 2;
    return d * d - h * (h - 1) / 2 * dk * dk;
}

static void rms_triangle(judge *j)
{
    const transformer *D = j->D;
    const bool rotary = D->positions == POSITIONS_ROTARY;
    const theorem t = { rotary ? "W_Q of one layer becomes triangular" : "W_Q of one layer becomes block triangular",
                        rotary || D->h_kv < D->h ? "N20" : "N7" };
    const char *why = D->norm == NORM_OF_LAYER ? "it takes RMSNorm: a rotation does not keep LayerNorm's mean"
                    : D->norm == NORM_OF_NONE  ? "it takes RMSNorm; without norms more goes" : square_query(D);
    if (!why && D->qk_norm) why = "queries and keys are normalised, which N7 and N20 do not cover";
    if (!why && rotary && D->rotary < D->dk) why = "a part of each head is not rotated, which N20 does not cover";
    if (!why) why = all_skips(D);
    if (!why) why = own_basis(D);
    if (why) not_here(j, t, "%s", why);
    else if (D->tied && !final_gain_is_one(D))
        not_here(j, t, "the head is tied and the gain in front of it cannot be folded into it: a head of its own "
                       "would cost %ld parameters, %.0f go", D->V * D->d, triangle_removes(D));
    else applies(j, t, triangle_removes(D), NAN, "RMSNorm, all skips: the stream is rotated by the Q of W_Q = QR%s",
                 rotary ? "; RoPE leaves 2 x 2 blocks in the first head of each group" : "");
}

static void rms_triangles(judge *j)
{
    const transformer *D = j->D;
    const theorem t = { "W_Q of every layer becomes block triangular", "N19" };
    if (D->norm != NORM_OF_RMS) not_here(j, t, "it takes RMSNorm");
    else if (D->mlp_skip) not_here(j, t, "%s", one_basis);
    else not_here(j, t, "no architecture that is read here has RMSNorm and no skips around its MLPs");
}

static void stacked_identities(judge *j)
{
    const transformer *D = j->D;
    const theorem t = { "W_K and W_V of one layer become stacked identities", "N4" };
    const long columns = 2 * D->h_kv * D->dk;
    const char *why = D->h_kv == D->h ? "heads do not share keys: W_K and W_V have more columns than the stream is wide"
                    : columns > D->d  ? "W_K and W_V have more columns together than the stream is wide" : no_norms(D);
    if (!why) why = all_skips(D);
    if (!why && D->tied) why = "the head is tied";
    if (why) not_here(j, t, "%s", why);
    else applies(j, t, (double)(columns * D->d), NAN, "heads share keys, and there are no norms; (W_K | W_V) must "
                 "have full rank");
}

static void one_head(judge *j)
{
    const transformer *D = j->D;
    const theorem t = { "four matrices of attention become two", "K-P4.1" };
    const bool plain = D->positions != POSITIONS_ROTARY && !D->qk_norm;
    if (D->h > 1) not_here(j, t, "it takes one head; there are %ld", D->h);
    else if (D->dk != D->d) not_here(j, t, "the head has %ld coordinates and the stream %ld", D->dk, D->d);
    else if (!plain) not_here(j, t, "it takes plain scores, without RoPE and QK-norm");
    else if (D->biases) not_here(j, t, "it takes attention without biases");
    else if (D->identity[0] || D->identity[1] || D->identity[2]) not_here(j, t,
            "one of the four is the identity already");
    else applies(j, t, (double)(2 * D->L * D->d * D->dk), NAN, "one head: W_Q W_K' and W_V W_O are all that is used");
}

static void slim_attention(judge *j)
{
    const transformer *D = j->D;
    const theorem t = { "values computed from keys: half the cache", "N11" };
    const double bits = layer_bits(j, PROJECT_K, false);
    if (D->identity[PROJECT_K] || D->identity[PROJECT_V])
        not_here(j, t, "W_K or W_V is the identity already and not stored");
    else if (D->encoder) not_here(j, t, "all tokens are computed at once, and no keys are kept");
    else if (D->h_kv * D->dk != D->d)
        not_here(j, t, "W_K is %ld x %ld and has no inverse", D->d, D->h_kv * D->dk);
    else if (isinf(bits)) not_here(j, t, "W_K of layer %ld is singular", layer_of(j, PROJECT_K, false));
    else applies(j, t, 0, bits, "W_K is square%s; no parameters go", D->positions == POSITIONS_ROTARY
                 ? "; the cache must hold keys before their rotation" : "");
}

static char *nothing_because(const transformer *D, const layer_condition *c)
{
    if (D->unknown) return must_strdup(D->unknown);
    if (D->unreadable) return must_format("%ld of its tensors are quantised or of a type that is not read: a gauge "
                                          "would not keep their values", D->unreadable);
    if (D->quantised) return must_format("%ld of its tensors are quantised, and what reduce writes would have to be "
                                         "rounded to blocks again: take the file that they were made from",
                                         D->quantised);
    if (D->slim) return must_strdup("its values are computed from keys (N11), which no construction here takes; take "
                                    "the file that it was made from");
    if (D->value_rows) return must_strdup("the identity blocks of W_V are left out of it; take the file that it was "
                                          "made from");
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
    value_gauges(&j);
    query_gauges(&j);
    one_query(&j);
    every_query(&j);
    shared_query(&j);
    without_layernorm(&j);
    layernorm_row(&j);
    rms_triangle(&j);
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
