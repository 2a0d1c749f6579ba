/* eliminate.c - see eliminate.h.  Weights are stored as W' (out x in), so x Theta is x q' with q = attn.q. */
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>
#include "src/train/eliminate.h"

const char *eliminate_hypotheses(const gpt_config *c)
{
    if (!c->query)     return "it has no W_Q to eliminate";
    if (c->norm)       return "it has LayerNorms, and they do not commute with a change of basis";
    if (c->mlp_skip)   return "it has skips around its MLPs, and they would need W_Q^i = W_Q^(i+1)";
    if (c->tied)       return "its head is tied to the embedding, which changes its basis";
    return NULL;
}

/* Weight `part` of block i; of no block where i is -1. */
static double *weight(gpt *M, const char *part, long i)
{
    char name[48];
    if (i < 0) snprintf(name, sizeof name, "%s", part);
    else       snprintf(name, sizeof name, "h.%ld.%s", i, part);
    const param *p = params_find(&gpt_net(M)->table, name);
    REQUIRE(p, "the model has no %s", name);
    return (double *)gpt_net(M)->w + p->at;
}

/* C (m x n) = op(A) op(P), k in between */
static void product(double *C, const double *A, const double *P, bool tP, long m, long n, long k)
{
    ops_cpu_f64()->gemm(false, tP, m, n, k, 1, A, k, P, tP ? k : n, 0, NULL, C, n, ACT);
}

static bool invert(double *x, long n)
{
    lapack_int *pivot = must_calloc((size_t)n, sizeof *pivot);
    const bool good = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, (int)n, (int)n, x, (int)n, pivot) == 0
                   && LAPACKE_dgetri(LAPACK_ROW_MAJOR, (int)n, x, (int)n, pivot) == 0;
    free(pivot);
    return good;
}

/* Weights that both models have and that no basis touches: gains, and a head of its own. */
static void copy_common(gpt *M, gpt *N)
{
    for (long k = 0; k < gpt_net(N)->table.n; k++) {
        const param *to = &gpt_net(N)->table.list[k], *from = params_find(&gpt_net(M)->table, to->name);
        REQUIRE(from && from->rows == to->rows && from->cols == to->cols, "%s differs in shape", to->name);
        memcpy((double *)gpt_net(N)->w + to->at, (double *)gpt_net(M)->w + from->at,
               (size_t)(to->rows * to->cols) * sizeof(double));
    }
}

const char *eliminate_queries(gpt *M, const gpt_config *c, gpt *N)
{
    const long d = c->d, m = c->m;
    const size_t size = (size_t)(d * d) * sizeof(double);
    REQUIRE(c->query, "a model with %ld blocks without W_Q", c->L);
    double *inverse = must_calloc((size_t)(d * d), sizeof *inverse), *next = must_calloc((size_t)(d * d), sizeof *next);
    const char *wrong = NULL;
    copy_common(M, N);
    product(weight(N, "wte", -1), weight(M, "wte", -1), weight(M, "attn.q", 0), true, c->V, d, d);
    product(weight(N, "wpe", -1), weight(M, "wpe", -1), weight(M, "attn.q", 0), true, c->T, d, d);
    for (long i = 0; i < c->L && !wrong; i++) {
        const double *q = weight(M, "attn.q", i);                    /* Theta_i' */
        memcpy(inverse, q, size);
        if (!invert(inverse, d)) wrong = "a W_Q is singular";
        if (i + 1 < c->L) memcpy(next, weight(M, "attn.q", i + 1), size);
        else for (long k = 0; k < d * d; k++) next[k] = k % (d + 1) == 0;
        product(weight(N, "attn.k", i), weight(M, "attn.k", i), inverse, false, d, d, d);
        product(weight(N, "attn.v", i), weight(M, "attn.v", i), inverse, false, d, d, d);
        product(weight(N, "attn.o", i), q, weight(M, "attn.o", i), false, d, d, d);
        product(weight(N, "mlp.fc", i), weight(M, "mlp.fc", i), inverse, false, m, d, d);
        product(weight(N, "mlp.proj", i), next, weight(M, "mlp.proj", i), false, d, m, d);
    }
    net_refresh(gpt_net(N));
    free(inverse);
    free(next);
    return wrong;
}
