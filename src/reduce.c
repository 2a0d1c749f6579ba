/* reduce.c - three choices of bases: see reduce.h. */
#include "src/reduce.h"

const shape_case reduce_shapes[3] = {
    { { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL }, false },
    { { .n = 5, .d = 6, .h = 3, .m = 9, .V = 7, .L = 2, .mask = MASK_FULL }, false },
    { { .n = 5, .d = 8, .h = 2, .m = 9, .V = 6, .L = 2, .mask = MASK_ARBITRARY }, false },
};

void reduction_switches(shape *sh, reduction which)
{
    sh->norm = NORM_NONE;
    sh->act = ACT_SILU;                                  /* any will do; the error function is slow */
    sh->attn_skip = true;
    sh->mlp_skip = which != ATTENTION_SKIP;
    sh->shared = which == SHARED_BLOCK;
    sh->tied = false;
    sh->L = 2;
    if (sh->m > 9) sh->m = 9;
}

reduced reduce_model(scope *s, const model *M, reduction which)
{
    reduced r = { .M = *M };
    const shape *sh = &r.M.s;
    const long d = sh->d, L = sh->L;
    for (long i = 0; i < L; i++)
        r.at[2 * i] = r.at[2 * i + 1] = which == ATTENTION_SKIP || i == 0 ? basis_of(s, r.M.at[i].Q) : r.at[0];
    r.at[2 * L] = which != ATTENTION_SKIP ? r.at[0]
                : sh->tied ? basis_of(s, mat_t(s, r.at[0].from)) : basis_identity(s, d);
    r.R = gauge_stream(s, &r.M, r.at);
    for (long i = 0; i < L; i++) {
        if (which == SHARED_BLOCK) r.R.at[i] = r.R.at[shape_block(sh, i)];      /* the reduced model shares, too */
        if (which != ONE_LAYER || i == 0) r.R.at[i].Q = mat_identity(s, d);
    }
    return r;
}

reduced reduce_queries(scope *s, const shape *sh, reduction which)
{
    const model M = model_random(s, *sh);
    return reduce_model(s, &M, which);
}

model reduce_single_head(scope *s, const model *M)
{
    model R = *M;
    for (long i = 0; i < M->s.L; i++) {
        layer *W = &R.at[i];
        W->K = mat_mul(s, W->K, mat_t(s, W->Q));
        W->V = mat_mul(s, W->V, W->O);
        W->Q = W->O = mat_identity(s, M->s.d);
    }
    return R;
}

void claim_reduction(trial *t, const reduced *r)
{
    const long distinct = r->M.s.shared ? r->M.s.shared : r->M.s.L < 2 ? r->M.s.L : 2;
    claim_same_function(t, &r->M, &r->R);
    for (long i = 0; i < distinct; i++) claim_step(t, &r->M, &r->R, i, r->at[2 * i], r->at[2 * i + 2]);
}

static void reduce(trial *t, reduction which)
{
    const reduced r = reduce_queries(&t->s, &t->sh, which);
    claim_reduction(t, &r);
}

void reduce_one_layer(trial *t)      { reduce(t, ONE_LAYER); }
void reduce_shared_block(trial *t)   { reduce(t, SHARED_BLOCK); }
void reduce_attention_skip(trial *t) { reduce(t, ATTENTION_SKIP); }
