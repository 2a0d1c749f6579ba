/* SPDX-License-Identifier: GPL-3.0-or-later
 * gpt_model.c - see gpt_model.h. */
#include <math.h>
#include <stdlib.h>
#include "src/train/gpt_model.h"

/* Weight `what` of block i; of no block where i is -1. */
static const param *weight_of(gpt *M, const char *what, long i)
{
    char name[LAYER_NAME];
    const param *p = params_find(&gpt_net(M)->table, layer_name(name, i, what));
    REQUIRE(p, "the model has no %s", name);
    return p;
}

const mat *gpt_model_matrix(scope *s, long rows, long cols, const double *x)
{
    const long n = rows * cols;
    double largest = 0;
    int64_t *mantissa = must_calloc((size_t)n, sizeof *mantissa);
    for (long k = 0; k < n; k++) largest = fmax(largest, fabs(x[k]));
    int log2largest;
    frexp(largest, &log2largest);
    for (long k = 0; k < n; k++) mantissa[k] = llrint(ldexp(x[k], 62 - log2largest));
    const mat *W = mat_dyadic(s, rows, cols, mantissa, log2largest - 62);
    free(mantissa);
    return W;
}

/* The weight as it is stored, rows x cols. */
static const mat *stored_matrix(scope *s, gpt *M, const char *what, long i)
{
    const param *p = weight_of(M, what, i);
    double *x = must_calloc((size_t)(p->rows * p->cols), sizeof *x);
    params_get(p, gpt_net(M)->o, gpt_net(M)->w, x);
    const mat *W = gpt_model_matrix(s, p->rows, p->cols, x);
    free(x);
    return W;
}

static const mat *matrix(scope *s, gpt *M, const char *what, long i) { return mat_t(s, stored_matrix(s, M, what, i)); }

static const mat *gain(scope *s, gpt *M, const gpt_config *c, const char *what, long i)
{
    return c->norm ? mat_diag(s, matrix(s, M, what, i)) : NULL;
}

static const char *const projection_name[] = { [GPT_QUERY] = "attn.q", [GPT_KEY] = "attn.k", [GPT_VALUE] = "attn.v" };

static const mat *projection(scope *s, gpt *M, const gpt_config *c, gpt_projection k, long i)
{
    return c->identity[k] ? mat_identity(s, c->d) : matrix(s, M, projection_name[k], i);
}

model gpt_to_model(scope *s, gpt *M, const gpt_config *c)
{
    REQUIRE(c->L <= MAX_LAYERS, "%ld blocks", c->L);
    model W = { .s = { .n = c->T, .d = c->d, .h = c->h, .h_kv = c->h, .dk = c->d / c->h, .m = c->m, .V = c->V,
                       .L = c->L, .attn_skip = c->attn_skip, .mlp_skip = c->mlp_skip, .tied = c->tied,
                       .norm = c->norm ? NORM_LAYER : NORM_NONE },
                .E = stored_matrix(s, M, "wte", -1), .P = stored_matrix(s, M, "wpe", -1),
                .head = c->tied ? NULL : matrix(s, M, "head", -1), .gain_f = gain(s, M, c, "normf", -1) };
    for (long i = 0; i < c->L; i++)
        W.at[i] = (layer){ .Q = projection(s, M, c, GPT_QUERY, i), .K = projection(s, M, c, GPT_KEY, i),
                           .V = projection(s, M, c, GPT_VALUE, i), .O = matrix(s, M, "attn.o", i),
                           .gain1 = gain(s, M, c, "norm1", i), .gain2 = gain(s, M, c, "norm2", i),
                           .expert[0] = { .up = matrix(s, M, "mlp.fc", i), .down = matrix(s, M, "mlp.proj", i) } };
    return W;
}

model gpt_model_fold(scope *s, const model *M)
{
    model R = *M;
    if (M->s.norm == NORM_NONE) return R;
    const mat *I = mat_identity(s, M->s.d);
    R.s.tied = false;
    R.head = mat_mul(s, M->gain_f, M->s.tied ? mat_t(s, M->E) : M->head);
    R.gain_f = I;
    for (long i = 0; i < M->s.L; i++) {
        const layer *W = &M->at[i];
        layer *to = &R.at[i];
        to->Q = mat_mul(s, W->gain1, W->Q);
        to->K = mat_mul(s, W->gain1, W->K);
        to->V = mat_mul(s, W->gain1, W->V);
        to->expert[0].up = mat_mul(s, W->gain2, W->expert[0].up);
        to->gain1 = to->gain2 = I;
    }
    return R;
}

static void store(gpt *N, const char *what, long i, const mat *W)
{
    const param *p = weight_of(N, what, i);
    REQUIRE(W->rows == p->rows && W->cols == p->cols, "%s is %ldx%ld", p->name, W->rows, W->cols);
    double *x = must_calloc((size_t)(p->rows * p->cols), sizeof *x);
    for (long r = 0; r < p->rows; r++)
        for (long c = 0; c < p->cols; c++) x[r * p->cols + c] = mat_get_d(W, r, c);
    params_put(p, gpt_net(N)->o, gpt_net(N)->w, x);
    free(x);
}

static void store_gain(gpt *N, const char *what, long i, const mat *diagonal)
{
    const param *p = weight_of(N, what, i);
    double *x = must_calloc((size_t)p->cols, sizeof *x);
    for (long k = 0; k < p->cols; k++) x[k] = mat_get_d(diagonal, k, k);
    params_put(p, gpt_net(N)->o, gpt_net(N)->w, x);
    free(x);
}

void gpt_from_model(gpt *N, const gpt_config *c, const model *R)
{
    scope s = scope_open(R->E->R, 0, 0);                               /* of the transposes */
    store(N, "wte", -1, R->E);
    store(N, "wpe", -1, R->P);
    if (!c->tied) store(N, "head", -1, mat_t(&s, R->head));
    if (c->norm) store_gain(N, "normf", -1, R->gain_f);
    for (long i = 0; i < R->s.L; i++) {
        const layer *W = &R->at[i];
        const mat *of[] = { [GPT_QUERY] = W->Q, [GPT_KEY] = W->K, [GPT_VALUE] = W->V };
        for (int k = 0; k < GPT_PROJECTIONS; k++)
            if (!c->identity[k]) store(N, projection_name[k], i, mat_t(&s, of[k]));
        store(N, "attn.o", i, mat_t(&s, W->O));
        store(N, "mlp.fc", i, mat_t(&s, W->expert[0].up));
        store(N, "mlp.proj", i, mat_t(&s, W->expert[0].down));
        if (c->norm) store_gain(N, "norm1", i, W->gain1);
        if (c->norm) store_gain(N, "norm2", i, W->gain2);
    }
    net_refresh(gpt_net(N));
    scope_close(&s);
}
