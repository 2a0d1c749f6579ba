/* SPDX-License-Identifier: GPL-3.0-or-later
 * forward.c - see forward.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/experts.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/rope.h"

enum { HEAD_COLUMNS = 4096 };            /* of the head at a time                                       */

typedef struct forward {
    scope               *s;
    const weight_source *W;
    const transformer   *D;
    const token_list    *t;
    transformer_block    B;              /* what all layers have in common, and places of no layer      */
    const mat           *cos, *sin;      /* n x rotary/2; NULL: nothing turns                           */
    const mat           *local_cos, *local_sin;      /* of layers within a window that have others; NULL */
    const unsigned char *visible, *all;  /* n x n: within the window; all before                        */
    const mat *start, *before;           /* the newest of s when it began; when its tables were there   */
    const mat *X, *Y;                    /* in front of the layer; behind its attention                 */
    long step;                           /* how many stages are done                                    */
} run;

static long position_of(const token_list *t, long i) { return t->position ? t->position[i] : i; }

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

static const mat *times_number(scope *s, double c, const mat *X)
{
    return c == 1 ? X : mat_scale_by(s, mat_of_doubles(s, 1, 1, &c), X);
}

/* c tanh(X / c) */
static const mat *capped(scope *s, double c, const mat *X, place at)
{
    if (c == 0) return X;
    const mat *C = mat_of_doubles(s, 1, 1, &c);
    return mat_scale_by(s, C, mat_phi(s, mat_scale_by(s, mat_reciprocal(s, C), X), ACT_TANH, at));
}

static bool layer_has(const transformer *D, long i, int bit) { return D->layer && (D->layer[i] & bit); }

/* 2^(-8/n), 2^(-16/n), ..., 2^-8 for the n first heads, n the largest power of 2, and behind them every other one of
 * twice as many. */
static double slope_of(long heads, long a)
{
    long n = 1;
    while (2 * n <= heads) n *= 2;
    return a < n ? exp2(-8.0 * (double)(a + 1) / (double)n) : exp2(-4.0 * (double)(2 * (a - n) + 1) / (double)n);
}

/* ALiBi's biases of that head, times sqrt(dk), by which scores are divided yet. */
static const mat *biased(scope *s, const run *f, const mat *X, long a)
{
    const long n = f->t->n;
    const double slope = slope_of(f->D->h, a), dk = (double)f->D->dk;
    double *b = must_calloc((size_t)(n * n), sizeof *b);
    for (long i = 0; i < n; i++)
        for (long j = 0; j <= i; j++) b[i * n + j] = slope * (double)(position_of(f->t, j) - position_of(f->t, i));
    const mat *root = mat_reciprocal(s, mat_rsqrt(s, mat_of_doubles(s, 1, 1, &dk)));
    const mat *Y = mat_add(s, X, mat_scale_by(s, root, mat_of_doubles(s, n, n, b)));
    free(b);
    return Y;
}

/* Of a key `by` tokens behind the query 16 ... 31, of one in front 0 ... 15: distances below 8 each for itself, from
 * there on 8 + k where it is at least 8 sqrt(2)^k, up to 15. */
static long distance_bucket(long by)
{
    const long n = by < 0 ? -by : by, before = by > 0 ? DISTANCE_BUCKETS / 2 : 0;
    long k = n < 8 ? n : 8;
    while (n >= 8 && k < DISTANCE_BUCKETS / 2 - 1 && n * n >= 64L << (k - 7)) k++;
    return before + k;
}

/* The same of biases in a table, a row for each bucket of distances between tokens, whatever their positions. */
static const mat *biased_by_distance(scope *s, const run *f, const mat *X, long a)
{
    const long n = f->t->n;
    const double dk = (double)f->D->dk;
    const mat *table = f->W->part(f->W->of, s, ROLE_BUCKETS, -1, 0, 0);
    const mat *root = mat_reciprocal(s, mat_rsqrt(s, mat_of_doubles(s, 1, 1, &dk)));
    mat *B = mat_blank(s, n, n);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) mat_put(B, i, j, table, distance_bucket(j - i), a, 1, 1);
    return mat_add(s, X, mat_scale_by(s, root, B));
}

/* Scores of head a in front of the softmax, which divides them by sqrt(dk) where they have no scale of their own. */
static const mat *scores_of(const void *of, scope *s, const mat *X, long a)
{
    const run *f = of;
    const transformer *D = f->D;
    if (D->positions == POSITIONS_ALIBI) X = biased(s, f, X, a);
    if (D->buckets) X = biased_by_distance(s, f, X, a);
    if (D->factor != 1) X = times_number(s, D->factor, X);
    if (D->scale != 0) X = times_number(s, D->scale, X);
    return capped(s, D->score_cap, X, (place){ 0, PLACE_ATTENTION, (int)a });
}

static const mat *part_of_source(void *of, scope *s, tensor_role role, long where, long first, long count)
{
    const run *f = of;
    return f->W->part(f->W->of, s, role, where, first, count);
}

static transformer_block layer_of(const run *f, long i)
{
    const transformer *D = f->D;
    const bool mixed = experts_in_layer(D, i), far = layer_has(D, i, LAYER_SEES_ALL), local = f->local_cos && !far;
    transformer_block B = f->B;
    B.layer = i;
    B.at = (int)i;
    B.mlp = mixed ? experts_place(D, i, 0) : i;
    B.experts = mixed ? D->experts : 0;
    B.map.visible = far ? f->all : f->visible;
    B.cos = local ? f->local_cos : f->cos;
    B.sin = local ? f->local_sin : f->sin;
    if (layer_has(D, i, LAYER_DOES_NOT_TURN)) B.turn = TURN_NOT;
    return B;
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static const mat *rows_of(scope *s, const run *f, tensor_role role, const long *which)
{
    mat *X = mat_blank(s, f->t->n, f->D->d);
    for (long k = 0; k < f->t->n; k++) {
        const mat *before = s->first, *row = f->W->part(f->W->of, s, role, -1, which ? which[k] : k, 1);
        mat_put(X, k, 0, row, 0, 0, 1, f->D->d);
        scope_sweep(s, before, 0, NULL);
    }
    return X;
}

/* Row 0 of that table is added to all. */
static const mat *plus_row(scope *s, const run *f, const mat *X, tensor_role role)
{
    return mat_add_row(s, X, f->W->part(f->W->of, s, role, -1, 0, 1));
}

/* Where a token has no position, those of the others are counted without it; given positions are what they are. */
static const mat *positions_of(scope *s, const run *f)
{
    const transformer *D = f->D;
    if (D->pad < 0 || f->t->position) return rows_of(s, f, ROLE_POSITION, f->t->position);
    long *at = must_calloc((size_t)f->t->n, sizeof *at), count = 0;
    for (long k = 0; k < f->t->n; k++) at[k] = f->t->token[k] == D->pad ? 0 : count++;
    mat *X = (mat *)(uintptr_t)rows_of(s, f, ROLE_POSITION, at);
    for (long k = 0; k < f->t->n; k++) {
        if (f->t->token[k] != D->pad) continue;
        const mat *before = s->first;
        mat_put(X, k, 0, f->W->part(f->W->of, s, ROLE_PAD_POSITION, -1, 0, 1), 0, 0, 1, D->d);
        scope_sweep(s, before, 0, NULL);
    }
    free(at);
    return X;
}

const mat *forward_logits(scope *s, const weight_source *W, const mat *X, long first)
{
    const long V = W->D->outputs, count = V - first < HEAD_COLUMNS ? V - first : HEAD_COLUMNS;
    if (W->D->headless) return mat_cols(s, X, first, count);
    const mat *before = s->first, *Y = mat_mul(s, X, W->part(W->of, s, ROLE_HEAD, -1, first, count));
    Y = mat_add_row(s, Y, W->part(W->of, s, ROLE_HEAD_BIAS, -1, first, count));
    const transformer *D = W->D;
    Y = times_number(s, D->logit_factor, Y);
    if (D->logit_divisor != 1)
        Y = mat_scale_by(s, mat_reciprocal(s, mat_of_doubles(s, 1, 1, &D->logit_divisor)), Y);
    Y = capped(s, D->logit_cap, Y, (place){ 0, PLACE_MLP, 0 });
    scope_sweep(s, before, 1, &Y);
    return Y;
}

static void prepare(scope *s, run *f)
{
    const transformer *D = f->D;
    const long n = f->t->n;
    unsigned char *visible = scope_alloc(s, (size_t)(n * n)), *all = scope_alloc(s, (size_t)(n * n));
    for (long i = 0; i < n; i++)
        for (long j = 0; j < (D->encoder ? n : i + 1); j++) {
            visible[i * n + j] = !D->window || position_of(f->t, i) - position_of(f->t, j) < D->window;
            all[i * n + j] = 1;
        }
    f->visible = visible;
    f->all = all;
    const double eps = forward_eps(D);
    if (D->norm != NORM_OF_NONE) {
        int e;
        const double ratio = frexp(eps, &e) * 2;         /* eps = ratio 2^(e-1), 1 <= ratio < 2 */
        f->B.log2eps = e - 1;
        if (ratio != 1) f->B.shrink = mat_rsqrt(s, mat_of_doubles(s, 1, 1, &ratio));
    }
    if (D->added_factor != 1) f->B.added_factor = mat_of_doubles(s, 1, 1, &D->added_factor);
    if (D->positions == POSITIONS_ROTARY) {
        long *at = must_calloc((size_t)n, sizeof *at);
        for (long t = 0; t < n; t++) at[t] = position_of(f->t, t);
        double *divide = rope_scales(D) ? must_calloc((size_t)(D->rotary / 2), sizeof *divide) : NULL;
        if (divide) rope_divisors(D, at[n - 1] + 1, divide);
        const mat *both = mat_angles(s, n, at, D->rotary / 2, D->theta, divide);
        if (divide && D->rope.attention != 1) both = mat_scale_by(s, mat_of_doubles(s, 1, 1, &D->rope.attention), both);
        f->cos = mat_cols(s, both, 0, D->rotary / 2);
        f->sin = mat_cols(s, both, D->rotary / 2, D->rotary / 2);
        if (D->local_theta > 0) {
            const mat *local = mat_angles(s, n, at, D->rotary / 2, D->local_theta, NULL);
            f->local_cos = mat_cols(s, local, 0, D->rotary / 2);
            f->local_sin = mat_cols(s, local, D->rotary / 2, D->rotary / 2);
        }
        free(divide);
        free(at);
    }
}

/* ---- heads ------------------------------------------------------------------------------------------------------- */

static const struct { const char *name; activation act; activation_form form; } activations[] = {
    { "gelu", ACT_GELU, ACTIVATION_PLAIN }, { "gelu_new", ACT_GELU, ACTIVATION_BY_TANH },
    { "gelu_pytorch_tanh", ACT_GELU, ACTIVATION_BY_TANH }, { "gelu_bloom", ACT_GELU, ACTIVATION_BY_TANH_SHORT },
    { "relu", ACT_RELU, ACTIVATION_PLAIN },
    { "relu2", ACT_RELU, ACTIVATION_SQUARED }, { "silu", ACT_SILU, ACTIVATION_PLAIN },
    { "swish", ACT_SILU, ACTIVATION_PLAIN },
};

static long activation_called(const char *name)          /* -1: not known here */
{
    for (size_t k = 0; k < COUNT(activations); k++) if (strcmp(activations[k].name, name) == 0) return (long)k;
    return -1;
}

static long activation_of(const transformer *D) { return activation_called(D->activation); }

/* Behind a norm of no layer. */
static const mat *normalised(scope *s, const run *f, const mat *X, tensor_role gain, tensor_role bias)
{
    return block_norm(s, &f->B, X, gain, bias, -1, (place){ 0, PLACE_FINAL, 0 });
}

/* Of an encoder, whose head has a layer of its own: N(phi(X W + b)), without the norm where it has none. */
static const mat *in_front_of_head(scope *s, run *f, const mat *X)
{
    const transformer *D = f->D;
    if (D->headless || !tensor_of(D, ROLE_DENSE, -1)) return X;
    const long kind = activation_called(D->head_activation);
    transformer_block B = f->B;
    B.act = activations[kind].act, B.form = activations[kind].form;
    const mat *H = block_affine(s, &B, X, ROLE_DENSE, ROLE_DENSE_BIAS, -1);
    H = block_activate(s, &B, H, (place){ 0, PLACE_MLP, 0 });
    return tensor_of(D, ROLE_DENSE_GAIN, -1) ? normalised(s, f, H, ROLE_DENSE_GAIN, ROLE_DENSE_SHIFT) : H;
}

forward *forward_open(scope *s, const weight_source *W, const token_list *t)
{
    const transformer *D = W->D;
    const long kind = activation_of(D);
    REQUIRE(kind >= 0 && t->n > 0 && t->logits_from >= 0 && t->logits_from < t->n, "%ld tokens, logits from %ld, %s",
            t->n, t->logits_from, D->activation);
    run *f = must_calloc(1, sizeof *f);
    *f = (run){ .s = s, .W = W, .D = D, .t = t, .start = s->first };
    f->B = (transformer_block){
        .view = { .of = f, .part = part_of_source, .scores = scores_of }, .layer = -1,
        .h = D->h, .h_kv = D->h_kv, .dk = D->dk,
        .map = { .kind = ROWMAP_SOFTMAX, .scale_num = 1, .scale_den = D->scale == 0 ? D->dk : 1 },
        .norm = D->norm == NORM_OF_NONE ? NORM_NONE : D->norm == NORM_OF_LAYER ? NORM_LAYER : NORM_RMS,
        .offset_gain = D->offset_gain, .norms = D->norms, .qk_whole = D->qk == QK_WHOLE, .slim = D->slim,
        .turn = D->positions != POSITIONS_ROTARY ? TURN_NOT : D->pairs == PAIRS_HALVES ? TURN_HALVES : TURN_PAIRS,
        .act = activations[kind].act, .form = activations[kind].form, .gated = D->gated,
        .chosen = D->chosen, .of_chosen = D->chosen_sum, .shared = D->shared_m > 0,
        .parallel = D->parallel, .attn_skip = D->attn_skip, .mlp_skip = D->mlp_skip };
    prepare(s, f);
    f->before = s->first;
    return f;
}

const mat *forward_next(forward *f, forward_stage *stage, long *layer)
{
    scope *s = f->s;
    const transformer *D = f->D;
    const long step = f->step++, i = *layer = step == 0 || step > 2 * D->L ? -1 : (step - 1) / 2;
    const mat *X = f->X, *to;
    if (step > 2 * D->L + 1) return NULL;
    if (step == 0) {
        *stage = STAGE_EMBED;
        to = times_number(s, D->embed_factor, rows_of(s, f, ROLE_EMBED, f->t->token));
        if (D->types) to = plus_row(s, f, to, ROLE_TOKEN_TYPE);
        if (D->positions == POSITIONS_LEARNED) to = mat_add(s, to, positions_of(s, f));
        if (D->embed_norm) to = normalised(s, f, to, ROLE_EMBED_GAIN, ROLE_EMBED_BIAS);
    } else if (i < 0) {
        *stage = STAGE_NORM;
        to = in_front_of_head(s, f, D->norms == NORMS_OF_SUMS ? X
                              : normalised(s, f, X, ROLE_FINAL_GAIN, ROLE_FINAL_BIAS));
    } else {
        const transformer_block B = layer_of(f, i);
        *stage = step % 2 ? STAGE_ATTENTION : STAGE_MLP;
        to = step % 2 ? block_after_attention(s, &B, X) : block_after_mlp(s, &B, X, f->Y);
    }
    *(*stage == STAGE_ATTENTION ? &f->Y : &f->X) = to;
    scope_sweep(s, f->before, 2, (const mat *[]){ *stage == STAGE_ATTENTION ? X : NULL, to });
    return to;
}

void forward_close(forward *f, const mat *keep)
{
    scope_sweep(f->s, f->start, 1, &keep);
    free(f);
}

void forward_run(scope *s, const weight_source *W, const token_list *t, forward_watch *watch, void *with)
{
    forward *f = forward_open(s, W, t);
    forward_stage stage;
    long layer;
    const mat *N = NULL;
    for (const mat *X; (X = forward_next(f, &stage, &layer)); N = X) watch(with, stage, layer, 0, X);
    N = mat_rows(s, N, t->logits_from, t->n - t->logits_from);
    for (long first = 0; first < W->D->outputs; ) {
        const mat *before = s->first, *Y = forward_logits(s, W, N, first);
        watch(with, STAGE_LOGITS, -1, first, Y);
        first += Y->cols;
        scope_sweep(s, before, 0, NULL);
    }
    forward_close(f, NULL);
}

typedef struct { double *logits; } last_logits;

static void keep_last(void *with, forward_stage stage, long layer, long first, const mat *X)
{
    (void)layer;
    const last_logits *to = with;
    for (long c = 0; stage == STAGE_LOGITS && c < X->cols; c++) to->logits[first + c] = mat_get_d(X, X->rows - 1, c);
}

truth forward_last_logits(const arith *R, const weight_source *W, const token_list *t, double *logits)
{
    scope s = scope_open(R, 0, 0);
    s.frugal = true;
    const token_list last = { t->n, t->token, t->position, t->n - 1 };
    last_logits to = { logits };
    forward_run(&s, W, &last, keep_last, &to);
    const truth is = s.status;
    scope_close(&s);
    return is;
}

/* ---- what is computed here --------------------------------------------------------------------------------------- */

/* In a layer; where some have experts and some have none, of the former. */
static long neurons_met(const transformer *D)
{
    return D->experts ? D->chosen * D->expert_m + D->shared_m : D->m;
}

double forward_cost(const transformer *D, forward_stage stage, long columns)
{
    const double d = (double)D->d;
    switch (stage) {
    case STAGE_ATTENTION: return 2 * d * (double)((D->h + D->h_kv) * D->dk);
    case STAGE_MLP:       return d * ((double)neurons_met(D) * (D->gated ? 3 : 2) + (double)D->experts);
    case STAGE_LOGITS:    return D->headless ? 0 : d * (double)columns;
    default:              return d;
    }
}

double forward_whole_cost(const transformer *D)
{
    const double layer = forward_cost(D, STAGE_ATTENTION, 0) + forward_cost(D, STAGE_MLP, 0);
    return (double)D->L * layer + forward_cost(D, STAGE_LOGITS, D->outputs) + 2 * (double)D->d;
}

double forward_eps(const transformer *D) { return (double)(float)D->eps; }

char *forward_refuses(const transformer *D)
{
    if (D->unknown) return must_strdup(D->unknown);
    if (D->unreadable)
        return must_format("%ld of its tensors are quantised, or integers, in a type that is not read (%s first; Q8_0, "
                           "Q4_0 to Q5_1 and Q2_K to Q6_K are); take the file that they were made from", D->unreadable,
                           D->unreadable_type);
    if (activation_of(D) < 0)
        return must_format("its activation is `%s`; gelu, its form by tanh (gelu_new), relu, relu2 and silu are known",
                           *D->activation ? D->activation : "not said");
    if (!D->headless && tensor_of(D, ROLE_DENSE, -1) && activation_called(D->head_activation) < 0)
        return must_format("the activation of its head is `%s`, which is not known here", D->head_activation);
    if (D->own_code) return must_format("it has code of its own (auto_map: %s), which is not read here", D->own_code);
    if (D->beyond) return must_format("%s, which is not computed here", D->beyond);
    return NULL;
}
