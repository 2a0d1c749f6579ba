/* forward.c - see forward.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/experts.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/routing.h"
#include "src/checkpoint/rope.h"

enum { HEAD_COLUMNS = 4096 };            /* of the head at a time                                       */

/* As they are, or: gelu by tanh; with 0.79788456 in it; the square of relu. */
typedef enum { ACTIVATION_PLAIN, ACTIVATION_BY_TANH, ACTIVATION_BY_TANH_SHORT, ACTIVATION_SQUARED } activation_form;

typedef struct forward {
    scope               *s;
    const weight_source *W;
    const transformer   *D;
    const token_list    *t;
    activation           act;
    activation_form      form;
    long                 log2eps;
    const mat           *shrink;         /* 1 x 1: sqrt(2^log2eps / eps); NULL: eps is 2^log2eps        */
    const mat           *cos, *sin;      /* n x rotary/2; NULL: nothing turns                           */
    const mat           *local_cos, *local_sin;      /* of layers within a window that have others; NULL */
    const unsigned char *visible, *all;  /* n x n: within the window; all before                        */
    const mat *start, *before;           /* the newest of s when it began; when its tables were there   */
    const mat *X, *Y;                    /* in front of the layer; behind its attention                 */
    long step;                           /* how many stages are done                                    */
} run;

static long position_of(const token_list *t, long i) { return t->position ? t->position[i] : i; }

/* ---- pieces ----------------------------------------------------------------------------------------------------- */

static const mat *part(scope *s, const run *f, tensor_role role, long layer)
{
    return f->W->part(f->W->of, s, role, layer, 0, 0);
}

/* X W + b, of which the weights are freed; X where the model has no W. */
static const mat *affine(scope *s, const run *f, const mat *X, tensor_role weight, tensor_role bias, long layer)
{
    const mat *before = s->first, *W = part(s, f, weight, layer);
    const mat *Y = mat_add_row(s, W ? mat_mul(s, X, W) : X, part(s, f, bias, layer));
    scope_sweep(s, before, 2, (const mat *[]){ X, Y });
    return Y;
}

static const mat *times_gain(scope *s, const mat *X, const mat *gain)      /* X diag(gain), gain 1 x d */
{
    return gain ? mat_t(s, mat_scale_rows(s, mat_t(s, gain), mat_t(s, X))) : X;
}

/* NULL: none. */
static const mat *gain_of(scope *s, const run *f, tensor_role role, long layer)
{
    const mat *g = part(s, f, role, layer);
    return g && f->D->offset_gain ? mat_add(s, mat_ones(s, g->rows, g->cols), g) : g;
}

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

/* The norm with eps of x is the norm with 2^e of x sqrt(2^e / eps). */
static const mat *standard(scope *s, const run *f, const mat *X, norm_kind kind, place at)
{
    return mat_norm(s, f->shrink ? mat_scale_by(s, f->shrink, X) : X, kind, f->log2eps, at);
}

static const mat *normalise(scope *s, const run *f, const mat *X, tensor_role gain, tensor_role bias, long layer)
{
    if (f->D->norm == NORM_OF_NONE) return X;
    const norm_kind kind = f->D->norm == NORM_OF_LAYER ? NORM_LAYER : NORM_RMS;
    const mat *N = standard(s, f, X, kind, (place){ (int)layer, (int)gain, 0 });
    N = times_gain(s, N, gain_of(s, f, gain, layer));
    return mat_add_row(s, N, part(s, f, bias, layer));
}

/* Columns first, first + step, ... */
static const mat *columns(scope *s, const mat *X, long first, long step, long count)
{
    if (step == 1) return mat_cols(s, X, first, count);
    mat *C = mat_blank(s, X->rows, count);
    for (long j = 0; j < count; j++) mat_put(C, 0, j, X, 0, first + j * step, X->rows, 1);
    return C;
}

static bool layer_has(const transformer *D, long i, int bit) { return D->layer && (D->layer[i] & bit); }

/* A query or a key of one head, normalised and turned.  Pairs of neighbours come out as pairs of halves: the product of
 * a query and a key does not see it. */
static const mat *head_vector(scope *s, const run *f, const mat *x, const mat *gain, place at)
{
    if (gain) x = times_gain(s, standard(s, f, x, NORM_RMS, at), gain);
    if (!f->cos || layer_has(f->D, at.layer, LAYER_DOES_NOT_TURN)) return x;
    const bool local = f->local_cos && !layer_has(f->D, at.layer, LAYER_SEES_ALL);
    const mat *cos = local ? f->local_cos : f->cos, *sin = local ? f->local_sin : f->sin;
    const long k = f->D->rotary / 2, rest = f->D->dk - 2 * k;
    const bool halves = f->D->pairs == PAIRS_HALVES;
    const mat *a = columns(s, x, 0, halves ? 1 : 2, k), *b = columns(s, x, halves ? k : 1, halves ? 1 : 2, k);
    const mat *to[3] = { mat_sub(s, mat_hadamard(s, a, cos), mat_hadamard(s, b, sin)),
                         mat_add(s, mat_hadamard(s, b, cos), mat_hadamard(s, a, sin)), NULL };
    if (rest) to[2] = mat_cols(s, x, 2 * k, rest);
    return mat_hcat(s, rest ? 3 : 2, to);
}

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
    const mat *table = part(s, f, ROLE_BUCKETS, -1);
    const mat *root = mat_reciprocal(s, mat_rsqrt(s, mat_of_doubles(s, 1, 1, &dk)));
    mat *B = mat_blank(s, n, n);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) mat_put(B, i, j, table, distance_bucket(j - i), a, 1, 1);
    return mat_add(s, X, mat_scale_by(s, root, B));
}

/* Scores in front of the softmax, which divides them by sqrt(dk) where they have no scale of their own. */
static const mat *score_of(scope *s, const transformer *D, const mat *X, place at)
{
    if (D->factor != 1) X = times_number(s, D->factor, X);
    return capped(s, D->score_cap, D->scale == 0 ? X : times_number(s, D->scale, X), at);
}

static const mat *attention(scope *s, const run *f, const mat *N, long i)
{
    const transformer *D = f->D;
    const long dk = D->dk, group = D->h / D->h_kv;
    const mat *Q = affine(s, f, N, ROLE_Q, ROLE_Q_BIAS, i), *K = affine(s, f, N, ROLE_K, ROLE_K_BIAS, i);
    const mat *V = affine(s, f, D->slim ? K : N, ROLE_V, ROLE_V_BIAS, i);
    const mat *gain_q = gain_of(s, f, ROLE_Q_GAIN, i), *gain_k = gain_of(s, f, ROLE_K_GAIN, i);
    const rowmap how = { .kind = ROWMAP_SOFTMAX, .visible = layer_has(D, i, LAYER_SEES_ALL) ? f->all : f->visible,
                         .scale_num = 1, .scale_den = D->scale == 0 ? dk : 1 };
    if (D->qk == QK_WHOLE) {
        Q = times_gain(s, standard(s, f, Q, NORM_RMS, (place){ (int)i, PLACE_QUERY, 0 }), gain_q);
        K = times_gain(s, standard(s, f, K, NORM_RMS, (place){ (int)i, PLACE_KEY, 0 }), gain_k);
        gain_q = gain_k = NULL;
    }
    const mat **head = must_calloc((size_t)D->h, sizeof(const mat *)), *k = NULL;
    for (long a = 0; a < D->h; a++) {
        const long g = a / group;                        /* the key head that head a reads */
        const place query = { (int)i, PLACE_QUERY, (int)a }, key = { (int)i, PLACE_KEY, (int)g };
        if (a % group == 0) k = head_vector(s, f, mat_cols(s, K, g * dk, dk), gain_k, key);
        const mat *before = s->first;
        const mat *q = head_vector(s, f, mat_cols(s, Q, a * dk, dk), gain_q, query);
        const mat *scores = mat_mul(s, q, mat_t(s, k));
        if (D->positions == POSITIONS_ALIBI) scores = biased(s, f, scores, a);
        if (D->buckets) scores = biased_by_distance(s, f, scores, a);
        scores = score_of(s, D, scores, (place){ (int)i, PLACE_ATTENTION, (int)a });
        head[a] = mat_mul(s, mat_rowmap(s, scores, &how, (place){ (int)i, PLACE_ATTENTION, (int)a }),
                          mat_cols(s, V, g * dk, dk));
        scope_sweep(s, before, 1, &head[a]);
    }
    const mat *S = mat_hcat(s, D->h, head);
    free(head);
    return affine(s, f, S, ROLE_O, ROLE_O_BIAS, i);
}

/* x/2 (1 + tanh(a (x + b x^3))) */
static const mat *gelu_by_tanh(scope *s, const mat *X, bool is_short)
{
    static const int64_t root = 0x19884533d43651, less = 0x1988453365de00, b = 0x16e4e26d4801f7;   /* b: 0.044715    */
    const int64_t a = is_short ? less : root;            /* 0.79788456, 0.7978845608028654              */
    const mat *cube = mat_hadamard(s, mat_hadamard(s, X, X), X);
    const mat *u = mat_scale_entries(s, a, -53, mat_add(s, X, mat_scale_entries(s, b, -57, cube)));
    const mat *T = mat_phi(s, u, ACT_TANH, (place){ 0, PLACE_MLP, 0 });
    return mat_scale_entries(s, 1, -1, mat_add(s, X, mat_hadamard(s, X, T)));
}

static const mat *activate(scope *s, const run *f, const mat *X, place at)
{
    if (f->form == ACTIVATION_BY_TANH || f->form == ACTIVATION_BY_TANH_SHORT)
        return gelu_by_tanh(s, X, f->form == ACTIVATION_BY_TANH_SHORT);
    const mat *Y = mat_phi(s, X, f->act, at);
    return f->form == ACTIVATION_SQUARED ? mat_hadamard(s, Y, Y) : Y;
}

static const mat *mlp(scope *s, const run *f, const mat *N, long i)
{
    const mat *before = s->first, *H = affine(s, f, N, ROLE_UP, ROLE_UP_BIAS, i);
    if (f->D->gated) {
        const mat *G = affine(s, f, N, ROLE_GATE, ROLE_GATE_BIAS, i);
        H = mat_hadamard(s, activate(s, f, G, (place){ (int)i, PLACE_GATE, 0 }), H);
    } else H = activate(s, f, H, (place){ (int)i, PLACE_MLP, 0 });
    scope_sweep(s, before, 2, (const mat *[]){ N, H });
    return affine(s, f, H, ROLE_DOWN, ROLE_DOWN_BIAS, i);
}

/* X diag(w), w n x 1, in rows chosen[0] < chosen[1] < ... of n, zeros in the others. */
static const mat *put_rows(scope *s, const mat *Y, const mat *w, long n, const long *chosen)
{
    const mat *scaled = mat_scale_rows(s, w, Y);
    mat *to = mat_blank(s, n, Y->cols);
    for (long k = 0; k < Y->rows; k++) mat_put(to, chosen[k], 0, scaled, k, 0, 1, Y->cols);
    return to;
}

/* w_e MLP_e(x) of the rows that chose the expert; NULL: none did. */
static const mat *one_expert(scope *s, const run *f, const mat *N, const routing *r, long i, long e)
{
    const long n = N->rows;
    long *at = must_calloc((size_t)n, sizeof *at), count = 0;
    for (long t = 0; t < n; t++) if (r->chosen[t * f->D->experts + e]) at[count++] = t;
    const mat *Y = NULL;
    if (count) {
        mat *X = mat_blank(s, count, N->cols), *w = mat_blank(s, count, 1);
        for (long k = 0; k < count; k++) {
            mat_put(X, k, 0, N, at[k], 0, 1, N->cols);
            mat_put(w, k, 0, r->weight, at[k], e, 1, 1);
        }
        Y = put_rows(s, mlp(s, f, X, experts_place(f->D, i, e)), w, n, at);
    }
    free(at);
    return Y;
}

static const mat *experts(scope *s, const run *f, const mat *N, long i)
{
    const transformer *D = f->D;
    const mat *before = s->first, *sum = NULL;
    const mat *R = affine(s, f, N, ROLE_ROUTER, ROLE_UNKNOWN, i);
    const routing r = routing_of(s, D, R);
    for (long e = 0; e < D->experts; e++) {
        const mat *Y = one_expert(s, f, N, &r, i, e);
        if (!Y) continue;
        sum = sum ? mat_add(s, sum, Y) : Y;
        scope_sweep(s, before, 3, (const mat *[]){ N, r.weight, sum });
    }
    if (D->shared_m) {
        const mat *gate = affine(s, f, N, ROLE_SHARED_GATE, ROLE_UNKNOWN, i);
        const mat *F = mlp(s, f, N, experts_place(D, i, D->experts));
        sum = mat_add(s, sum, mat_scale_rows(s, routing_sigmoid(s, gate), F));
    }
    scope_sweep(s, before, 2, (const mat *[]){ N, sum });
    return sum;
}

/* What is added to the stream: behind a norm, if there is one, and a factor. */
static const mat *added(scope *s, const run *f, const mat *A, tensor_role gain, tensor_role bias, long layer)
{
    const bool behind = f->D->norms == NORMS_BEHIND || f->D->norms == NORMS_AROUND;
    if (behind) A = normalise(s, f, A, gain, bias, layer);
    return times_number(s, f->D->added_factor, A);
}

/* The stream with what was added to it; NORMS_OF_SUMS: behind a norm. */
static const mat *summed(scope *s, const run *f, const mat *X, tensor_role gain, tensor_role bias, long layer)
{
    return f->D->norms == NORMS_OF_SUMS ? normalise(s, f, X, gain, bias, layer) : X;
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
        f->log2eps = e - 1;
        if (ratio != 1) f->shrink = mat_rsqrt(s, mat_of_doubles(s, 1, 1, &ratio));
    }
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

/* Of an encoder, whose head has a layer of its own: N(phi(X W + b)), without the norm where it has none. */
static const mat *in_front_of_head(scope *s, run *f, const mat *X)
{
    const transformer *D = f->D;
    if (D->headless || !tensor_of(D, ROLE_DENSE, -1)) return X;
    const long kind = activation_called(D->head_activation);
    run of_head = *f;
    of_head.act = activations[kind].act, of_head.form = activations[kind].form;
    const mat *H = affine(s, f, X, ROLE_DENSE, ROLE_DENSE_BIAS, -1);
    H = activate(s, &of_head, H, (place){ 0, PLACE_MLP, 0 });
    return tensor_of(D, ROLE_DENSE_GAIN, -1) ? normalise(s, f, H, ROLE_DENSE_GAIN, ROLE_DENSE_SHIFT, -1) : H;
}

forward *forward_open(scope *s, const weight_source *W, const token_list *t)
{
    const transformer *D = W->D;
    const long kind = activation_of(D);
    REQUIRE(kind >= 0 && t->n > 0 && t->logits_from >= 0 && t->logits_from < t->n, "%ld tokens, logits from %ld, %s",
            t->n, t->logits_from, D->activation);
    run *f = must_calloc(1, sizeof *f);
    *f = (run){ .s = s, .W = W, .D = D, .t = t, .act = activations[kind].act, .form = activations[kind].form,
                .start = s->first };
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
        if (D->embed_norm) to = normalise(s, f, to, ROLE_EMBED_GAIN, ROLE_EMBED_BIAS, -1);
    } else if (i < 0) {
        *stage = STAGE_NORM;
        to = in_front_of_head(s, f, D->norms == NORMS_OF_SUMS ? X
                              : normalise(s, f, X, ROLE_FINAL_GAIN, ROLE_FINAL_BIAS, -1));
    } else if (step % 2) {
        *stage = STAGE_ATTENTION;
        const mat *A = attention(s, f, norms_in_front(D) ? normalise(s, f, X, ROLE_GAIN1, ROLE_BIAS1, i) : X, i);
        A = added(s, f, A, ROLE_POST_GAIN1, ROLE_POST_BIAS1, i);
        to = summed(s, f, D->attn_skip ? mat_add(s, X, A) : A, ROLE_POST_GAIN1, ROLE_POST_BIAS1, i);
    } else {
        *stage = STAGE_MLP;
        const mat *from = D->parallel ? X : f->Y;
        const bool shared = D->norms == NORMS_SHARED;
        if (norms_in_front(D))
            from = normalise(s, f, from, shared ? ROLE_GAIN1 : ROLE_GAIN2, shared ? ROLE_BIAS1 : ROLE_BIAS2, i);
        const mat *F = experts_in_layer(D, i) ? experts(s, f, from, i) : mlp(s, f, from, i);
        F = added(s, f, F, ROLE_POST_GAIN2, ROLE_POST_BIAS2, i);
        to = summed(s, f, D->mlp_skip ? mat_add(s, f->Y, F) : F, ROLE_POST_GAIN2, ROLE_POST_BIAS2, i);
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
