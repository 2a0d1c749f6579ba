/* eliminate.c - see eliminate.h: weights become matrices of doubles, src/claim/reduce.c rewrites them as it does in the
 * theorems' programs, and the result is written back.  The training engine stores weights as W' (out x in), the theorem
 * as W (in x out). */
#include <math.h>
#include <stdlib.h>
#include "src/claim/reduce.h"
#include "src/train/eliminate.h"

const char *eliminate_hypotheses(const gpt_config *c)
{
    if (!c->query)     return "it has no W_Q to eliminate";
    if (c->norm)       return "it has LayerNorms, and they do not commute with a change of basis";
    if (c->mlp_skip)   return "it has skips around its MLPs, and they would need W_Q^i = W_Q^(i+1)";
    if (c->tied)       return "its head is tied to the embedding, which changes its basis";
    return NULL;
}

/* Weight `what` of block i; of no block where i is -1. */
static const param *weight_of(gpt *M, const char *what, long i)
{
    char name[48];
    if (i < 0) snprintf(name, sizeof name, "%s", what);
    else       snprintf(name, sizeof name, "h.%ld.%s", i, what);
    const param *p = params_find(&gpt_net(M)->table, name);
    REQUIRE(p, "the model has no %s", name);
    return p;
}

/* The weight as it is stored, rows x cols.  Numbers below 2^-62 of the largest are rounded to a multiple of that. */
static const mat *stored_matrix(scope *s, gpt *M, const char *what, long i)
{
    const param *p = weight_of(M, what, i);
    const long n = p->rows * p->cols;
    double *x = must_calloc((size_t)n, sizeof *x), largest = 0;
    int64_t *mantissa = must_calloc((size_t)n, sizeof *mantissa);
    params_get(p, gpt_net(M)->o, gpt_net(M)->w, x);
    for (long k = 0; k < n; k++) largest = fmax(largest, fabs(x[k]));
    int log2largest;
    frexp(largest, &log2largest);
    for (long k = 0; k < n; k++) mantissa[k] = llrint(ldexp(x[k], 62 - log2largest));
    const mat *W = mat_dyadic(s, p->rows, p->cols, mantissa, log2largest - 62);
    free(x);
    free(mantissa);
    return W;
}

static const mat *matrix(scope *s, gpt *M, const char *what, long i) { return mat_t(s, stored_matrix(s, M, what, i)); }

static void store_matrix(gpt *N, const char *what, long i, const mat *W)
{
    const param *p = weight_of(N, what, i);
    REQUIRE(W->rows == p->rows && W->cols == p->cols, "%s is %ldx%ld", p->name, W->rows, W->cols);
    double *x = must_calloc((size_t)(p->rows * p->cols), sizeof *x);
    for (long r = 0; r < p->rows; r++)
        for (long c = 0; c < p->cols; c++) x[r * p->cols + c] = mat_get_d(W, r, c);
    params_put(p, gpt_net(N)->o, gpt_net(N)->w, x);
    free(x);
}

/* The model as the theorem has it, whatever switches *c has: an untied head, no norms, skips around attention only. */
static model model_of(scope *s, gpt *M, const gpt_config *c)
{
    model W = { .s = { .n = c->T, .d = c->d, .h = c->h, .h_kv = c->h, .dk = c->d / c->h, .m = c->m, .V = c->V,
                       .L = c->L, .attn_skip = true },
                .E = stored_matrix(s, M, "wte", -1), .P = stored_matrix(s, M, "wpe", -1),
                .head = matrix(s, M, c->tied ? "wte" : "head", -1) };
    for (long i = 0; i < c->L; i++)
        W.at[i] = (layer){ .Q = matrix(s, M, "attn.q", i), .K = matrix(s, M, "attn.k", i),
                           .V = matrix(s, M, "attn.v", i), .O = matrix(s, M, "attn.o", i),
                           .expert[0] = { .up = matrix(s, M, "mlp.fc", i), .down = matrix(s, M, "mlp.proj", i) } };
    return W;
}

static void store_model(scope *s, gpt *N, const model *R)
{
    store_matrix(N, "wte", -1, R->E);
    store_matrix(N, "wpe", -1, R->P);
    for (long i = 0; i < R->s.L; i++) {
        const layer *W = &R->at[i];
        store_matrix(N, "attn.k", i, mat_t(s, W->K));
        store_matrix(N, "attn.v", i, mat_t(s, W->V));
        store_matrix(N, "attn.o", i, mat_t(s, W->O));
        store_matrix(N, "mlp.fc", i, mat_t(s, W->expert[0].up));
        store_matrix(N, "mlp.proj", i, mat_t(s, W->expert[0].down));
    }
}

/* Weights that no basis touches: gains, and a head of its own. */
static void copy_common(gpt *M, gpt *N)
{
    for (long k = 0; k < gpt_net(N)->table.n; k++) {
        const param *to = &gpt_net(N)->table.list[k], *from = params_find(&gpt_net(M)->table, to->name);
        REQUIRE(from && from->rows == to->rows && from->cols == to->cols, "%s differs in shape", to->name);
        double *x = must_calloc((size_t)(to->rows * to->cols), sizeof *x);
        params_get(from, gpt_net(M)->o, gpt_net(M)->w, x);
        params_put(to, gpt_net(N)->o, gpt_net(N)->w, x);
        free(x);
    }
}

const char *eliminate_queries(gpt *M, const gpt_config *c, gpt *N)
{
    REQUIRE(c->query, "a model with %ld blocks without W_Q", c->L);
    if (c->L > MAX_LAYERS) return "it has more than 64 blocks";
    arith f64 = arith_f64();
    scope s = scope_open(&f64, 0, 0);
    const model W = model_of(&s, M, c);
    const model_pair pair = reduce_model(&s, &W, ATTENTION_SKIP);
    const char *wrong = s.status == HOLDS ? NULL : "a W_Q is singular";
    copy_common(M, N);
    store_model(&s, N, &pair.R);
    net_refresh(gpt_net(N));
    scope_close(&s);
    arith_close(&f64);
    return wrong;
}
