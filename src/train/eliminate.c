/* eliminate.c - see eliminate.h: weights become matrices of doubles, src/claim/reduce.c rewrites them as it does in the
 * theorems' programs, and the result is written back.  The training engine stores weights as W' (out x in), the theorem
 * as W (in x out). */
#include <math.h>
#include <stdlib.h>
#include "src/claim/reduce.h"
#include "src/train/eliminate.h"

static const struct { const char *name, *missing, *singular; layer_kind kind; } projection[] = {
    [GPT_QUERY] = { "attn.q", "it has no W_Q to eliminate", "a W_Q is singular",
                    { .name = "layer whose W_Q becomes I", .chooses = reduce_query_basis,
                      .reduce = reduce_query_to_identity } },
    [GPT_KEY]   = { "attn.k", "it has no W_K to eliminate", "a W_K is singular",
                    { .name = "layer whose W_K becomes I", .chooses = reduce_key_basis,
                      .reduce = reduce_key_to_identity } },
    [GPT_VALUE] = { "attn.v", "it has no W_V to eliminate", "a W_V is singular",
                    { .name = "layer whose W_V becomes I", .chooses = reduce_value_basis,
                      .reduce = reduce_value_to_identity } },
};

const char *eliminate_hypotheses(const gpt_config *c, gpt_projection which)
{
    if (c->identity[which]) return projection[which].missing;
    if (c->norm)       return "it has LayerNorms, and they do not commute with a change of basis";
    if (c->mlp_skip)   return "it has skips around its MLPs, and they would need the same Theta in all layers";
    if (c->tied)       return "its head is tied to the embedding, which changes its basis";
    return NULL;
}

gpt_config eliminate_config(const gpt_config *c, gpt_projection which)
{
    gpt_config reduced = *c;
    for (int k = 0; k < GPT_PROJECTIONS; k++) reduced.identity[k] = k == (int)which;
    return reduced;
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

/* W_Q, W_K or W_V of block i, as the theorem has it. */
static const mat *projection_matrix(scope *s, gpt *M, const gpt_config *c, gpt_projection k, long i)
{
    return c->identity[k] ? mat_identity(s, c->d) : matrix(s, M, projection[k].name, i);
}

/* The model as the theorem has it, whatever switches *c has: an untied head, no norms, skips around attention only. */
static model model_of(scope *s, gpt *M, const gpt_config *c)
{
    model W = { .s = { .n = c->T, .d = c->d, .h = c->h, .h_kv = c->h, .dk = c->d / c->h, .m = c->m, .V = c->V,
                       .L = c->L, .attn_skip = true },
                .E = stored_matrix(s, M, "wte", -1), .P = stored_matrix(s, M, "wpe", -1),
                .head = matrix(s, M, c->tied ? "wte" : "head", -1) };
    for (long i = 0; i < c->L; i++)
        W.at[i] = (layer){ .Q = projection_matrix(s, M, c, GPT_QUERY, i), .K = projection_matrix(s, M, c, GPT_KEY, i),
                           .V = projection_matrix(s, M, c, GPT_VALUE, i), .O = matrix(s, M, "attn.o", i),
                           .expert[0] = { .up = matrix(s, M, "mlp.fc", i), .down = matrix(s, M, "mlp.proj", i) } };
    return W;
}

static void store_model(scope *s, gpt *N, gpt_projection which, const model *R)
{
    store_matrix(N, "wte", -1, R->E);
    store_matrix(N, "wpe", -1, R->P);
    for (long i = 0; i < R->s.L; i++) {
        const layer *W = &R->at[i];
        const mat *of[] = { [GPT_QUERY] = W->Q, [GPT_KEY] = W->K, [GPT_VALUE] = W->V };
        for (int k = 0; k < GPT_PROJECTIONS; k++)
            if (k != (int)which) store_matrix(N, projection[k].name, i, mat_t(s, of[k]));
        store_matrix(N, "attn.o", i, mat_t(s, W->O));
        store_matrix(N, "mlp.fc", i, mat_t(s, W->expert[0].up));
        store_matrix(N, "mlp.proj", i, mat_t(s, W->expert[0].down));
    }
}

/* Weights that no basis touches: gains, and a head of its own.  The others are written later. */
static void copy_common(gpt *M, gpt *N)
{
    for (long k = 0; k < gpt_net(N)->table.n; k++) {
        const param *to = &gpt_net(N)->table.list[k], *from = params_find(&gpt_net(M)->table, to->name);
        if (!from) continue;
        REQUIRE(from->rows == to->rows && from->cols == to->cols, "%s differs in shape", to->name);
        double *x = must_calloc((size_t)(to->rows * to->cols), sizeof *x);
        params_get(from, gpt_net(M)->o, gpt_net(M)->w, x);
        params_put(to, gpt_net(N)->o, gpt_net(N)->w, x);
        free(x);
    }
}

const char *eliminate_projection(gpt *M, const gpt_config *c, gpt_projection which, gpt *N)
{
    REQUIRE(!c->identity[which], "%s", projection[which].missing);
    if (c->L > MAX_LAYERS) return "it has more than 64 blocks";
    arith f64 = arith_f64();
    scope s = scope_open(&f64, 0, 0);
    const model W = model_of(&s, M, c);
    const induction each = { .kinds = &projection[which].kind, .nkinds = 1, .bases = BASIS_EACH };
    const model_pair pair = induction_build(&s, &W, &each, 0);
    const char *wrong = s.status == HOLDS ? NULL : projection[which].singular;
    copy_common(M, N);
    store_model(&s, N, which, &pair.R);
    net_refresh(gpt_net(N));
    scope_close(&s);
    arith_close(&f64);
    return wrong;
}
