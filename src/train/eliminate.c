/* eliminate.c - see eliminate.h: weights become matrices of doubles, src/claim/reduce.c rewrites them as it does in the
 * theorems' programs, and the result is written back. */
#include "src/claim/reduce.h"
#include "src/train/eliminate.h"
#include "src/train/gpt_model.h"

const char *eliminate_hypotheses(const gpt_config *c)
{
    if (!c->query)     return "it has no W_Q to eliminate";
    if (c->h == 1)     return NULL;
    if (c->norm)       return "it has LayerNorms, and they do not commute with a change of basis";
    if (c->attn_skip && c->mlp_skip)
        return "it has skips around attention and MLPs, and the latter would need W_Q^i = W_Q^(i+1)";
    return NULL;
}

const char *eliminate_queries(gpt *M, const gpt_config *c, gpt *N)
{
    REQUIRE(c->query, "a model with %ld blocks without W_Q", c->L);
    if (c->L > MAX_LAYERS) return "it has more than 64 blocks";
    arith f64 = arith_f64();
    scope s = scope_open(&f64, 0, 0);
    const model W = gpt_to_model(&s, M, c);
    const model_pair pair = c->h == 1 ? induction_build(&s, &W, &reduction_single_head, 0)
                                      : reduce_model(&s, &W, ATTENTION_SKIP);
    const char *wrong = s.status == HOLDS ? NULL : "a W_Q is singular";
    gpt_config reduced = *c;
    reduced.query = false;
    if (!wrong) gpt_from_model(N, &reduced, &pair.R);
    scope_close(&s);
    arith_close(&f64);
    return wrong;
}
