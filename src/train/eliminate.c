/* SPDX-License-Identifier: GPL-3.0-or-later
 * eliminate.c - see eliminate.h: weights become matrices of doubles, src/claim/reduce.c rewrites them as it does in the
 * theorems' programs, and the result is written back. */
#include "src/claim/reduce.h"
#include "src/train/eliminate.h"
#include "src/train/gpt_model.h"

/* Proposition 4.1 for one of the three. */
static void query_into_key(const layer_site *at, const layer *W, layer *R)
{
    R->K = mat_mul(at->s, W->K, mat_t(at->s, W->Q));
    R->Q = mat_identity(at->s, at->sh.d);
}

static void key_into_query(const layer_site *at, const layer *W, layer *R)
{
    R->Q = mat_mul(at->s, W->Q, mat_t(at->s, W->K));
    R->K = mat_identity(at->s, at->sh.d);
}

static void value_into_output(const layer_site *at, const layer *W, layer *R)
{
    R->O = mat_mul(at->s, W->V, W->O);
    R->V = mat_identity(at->s, at->sh.d);
}

static const struct { const char *missing, *singular; layer_kind kind, one_head; } projection[] = {
    [GPT_QUERY] = { "it has no W_Q to eliminate", "a W_Q is singular",
                    { .name = "layer whose W_Q becomes I", .chooses = reduce_query_basis,
                      .reduce = reduce_query_to_identity },
                    { .name = "one head, W_Q in W_K", .reduce = query_into_key } },
    [GPT_KEY]   = { "it has no W_K to eliminate", "a W_K is singular",
                    { .name = "layer whose W_K becomes I", .chooses = reduce_key_basis,
                      .reduce = reduce_key_to_identity },
                    { .name = "one head, W_K in W_Q", .reduce = key_into_query } },
    [GPT_VALUE] = { "it has no W_V to eliminate", "a W_V is singular",
                    { .name = "layer whose W_V becomes I", .chooses = reduce_value_basis,
                      .reduce = reduce_value_to_identity },
                    { .name = "one head, W_V in W_O", .reduce = value_into_output } },
};

const char *eliminate_hypotheses(const gpt_config *c, gpt_projection which)
{
    if (c->identity[which]) return projection[which].missing;
    if (c->h == 1)     return NULL;
    if (c->norm)       return "it has LayerNorms, and they do not commute with a change of basis";
    if (c->attn_skip && c->mlp_skip)
        return "it has skips around attention and MLPs, and the latter would need the same Theta in all layers";
    return NULL;
}

gpt_config eliminate_config(const gpt_config *c, gpt_projection which)
{
    gpt_config reduced = *c;
    for (int k = 0; k < GPT_PROJECTIONS; k++) reduced.identity[k] = k == (int)which;
    return reduced;
}

const char *eliminate_projection(gpt *M, const gpt_config *c, gpt_projection which, gpt *N)
{
    REQUIRE(!c->identity[which], "%s", projection[which].missing);
    if (c->L > MAX_LAYERS) return "it has more than 64 blocks";
    arith f64 = arith_f64();
    scope s = scope_open(&f64, 0, 0);
    const model W = gpt_to_model(&s, M, c);
    const bool one = c->h == 1;
    const induction each = { .kinds = one ? &projection[which].one_head : &projection[which].kind, .nkinds = 1,
                             .bases = one ? BASIS_NONE : BASIS_EACH };
    const model_pair pair = induction_build(&s, &W, &each, 0);
    const gpt_config reduced = eliminate_config(c, which);
    const char *wrong = s.status == HOLDS ? NULL : projection[which].singular;
    if (!wrong) gpt_from_model(N, &reduced, &pair.R);
    scope_close(&s);
    arith_close(&f64);
    return wrong;
}
