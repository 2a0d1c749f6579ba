/* SPDX-License-Identifier: GPL-3.0-or-later
 * reduce.c - three choices of bases: see reduce.h. */
#include "src/claim/reduce.h"

const shape_case reduce_shapes[3] = {
    { { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL }, false },
    { { .n = 5, .d = 6, .h = 3, .m = 9, .V = 7, .L = 2, .mask = MASK_FULL }, false },
    { { .n = 5, .d = 8, .h = 2, .m = 9, .V = 6, .L = 2, .mask = MASK_ARBITRARY }, false },
};

void reduce_switches(shape *sh, reduction which)
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

const mat *reduce_query_basis(const layer_site *at, const layer *W) { (void)at; return W->Q; }

void reduce_query_to_identity(const layer_site *at, const layer *W, layer *R)
{
    (void)W;
    R->Q = mat_identity(at->s, at->sh.d);
}

void reduce_claim_query_identity(trial *t, const layer_site *at, const layer *R)
{
    claim_equal(t, "W_Q = I", R->Q, mat_identity(at->s, at->sh.d));
}

const mat *reduce_key_basis  (const layer_site *at, const layer *W) { (void)at; return W->K; }
const mat *reduce_value_basis(const layer_site *at, const layer *W) { (void)at; return W->V; }

void reduce_key_to_identity(const layer_site *at, const layer *W, layer *R)
{
    (void)W;
    R->K = mat_identity(at->s, at->sh.d);
}

void reduce_value_to_identity(const layer_site *at, const layer *W, layer *R)
{
    (void)W;
    R->V = mat_identity(at->s, at->sh.d);
}

void reduce_queries_into_keys(const layer_site *at, const layer *W, layer *R)
{
    scope *s = at->s;
    const long dk = at->sh.dk;
    const mat *K[MAX_HEADS];
    (void)W;
    for (long a = 0; a < at->sh.h; a++) {
        const mat *seen = mat_rows(s, mat_cols(s, R->Q, a * dk, dk), a * dk, dk);        /* E_a' Theta^-1 Q^a */
        K[a] = mat_mul(s, mat_cols(s, R->K, a * dk, dk), mat_t(s, seen));
    }
    R->K = mat_hcat(s, at->sh.h, K);
    R->Q = mat_identity(s, at->sh.d);
}

static const layer_kind query_layers[] = { QUERY_LAYER, OTHER_LAYER };
const induction reduction_one_layer      = { .kinds = query_layers, .nkinds = 2, .bases = BASIS_ONE };
const induction reduction_shared_block   = { .kinds = query_layers, .nkinds = 1, .bases = BASIS_ONE };
const induction reduction_attention_skip = { .kinds = query_layers, .nkinds = 1, .bases = BASIS_EACH };

model_pair reduce_model(scope *s, const model *M, reduction which)
{
    static const induction *const table[] = { [ONE_LAYER] = &reduction_one_layer,
        [SHARED_BLOCK] = &reduction_shared_block, [ATTENTION_SKIP] = &reduction_attention_skip };
    return induction_build(s, M, table[which], 0);
}

model_pair reduce_queries(scope *s, const shape *sh, reduction which)
{
    const model M = model_random(s, *sh);
    return reduce_model(s, &M, which);
}

model_pair reduce_by_table(trial *t)
{
    REQUIRE(t->induction, "%s: the part has no table of layers", t->part);
    const model M = model_random(&t->s, t->sh);
    return induction_build(&t->s, &M, t->induction, 0);
}

/* ---- Proposition 3.2, as controls use it ---------------------------------------------------------------- */

/* D[a] for a < h, dk x dk */
static void draw_blocks(scope *s, const shape *sh, const mat *D[])
{
    for (long a = 0; a < sh->h; a++) D[a] = mat_draw_at(s, "D", a, -1, sh->dk, sh->dk, mat_log2_fan_in(sh->dk));
}

void reduce_turn_queries_and_keys(scope *s, const shape *sh, layer *W)
{
    const mat *D[MAX_HEADS];
    draw_blocks(s, sh, D);
    gauge_query_key(s, sh, W, D);
}

void reduce_turn_query_heads(scope *s, const shape *sh, layer *W)
{
    const mat *D[MAX_HEADS], *Q = W->Q;
    draw_blocks(s, sh, D);
    gauge_query_key(s, sh, W, D);
    W->Q = mat_mul(s, Q, mat_blockdiag(s, sh->h, D));
}

/* ---- Proposition 4.1 ---------------------------------------------------------------------------------- */

static void four_to_two(const layer_site *at, const layer *W, layer *R)
{
    R->K = mat_mul(at->s, W->K, mat_t(at->s, W->Q));
    R->V = mat_mul(at->s, W->V, W->O);
    R->Q = R->O = mat_identity(at->s, at->sh.d);
}
static const layer_kind single_head_layers[] = { { .name = "layer with two weights", .reduce = four_to_two } };
const induction reduction_single_head = { .kinds = single_head_layers, .nkinds = 1, .bases = BASIS_NONE };
