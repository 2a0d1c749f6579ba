/* gpt_config.c - what a configuration of the language model must fulfil, and what it costs. */
#include "src/train/gpt.h"

gpt_config gpt_default(void)
{
    return (gpt_config){ .L = 12, .d = 768, .h = 12, .m = 3072, .T = 1024, .V = 50304, .query = true, .factor = 1,
                         .tied = true, .norm = true, .attn_skip = true, .mlp_skip = true, .init_std = 0.02 };
}

const char *gpt_config_check(const gpt_config *c)
{
    if (c->L < 1 || c->L > 1000) return "layers must be from 1 to 1000";
    if (c->h < 1 || c->d < 1 || c->d % c->h) return "the number of heads must divide the width";
    if (c->m < 1 || c->T < 1 || c->V < 2) return "MLP width and positions must be at least 1, the vocabulary 2";
    if (c->d > 1 << 20 || c->m > 1 << 22 || c->T > 1 << 20 || c->V > 1 << 24) return "a size is too large";
    if (c->pad < 0 || c->pad > 1024) return "heads are padded to a multiple of 1 (not at all) to 1024";
    if (!c->query && c->d % (c->h * (c->pad > 1 ? c->pad : 1)))
        return "without W_q the attention reads its input as it is: heads cannot be padded";
    if (!(c->factor > 0) || !(c->init_std > 0)) return "the scale's factor and init_std must be positive";
    return NULL;
}

double gpt_flops(const gpt_config *c)
{
    const double inner = (double)(c->L * ((c->query ? 4 : 3) * c->d * c->d + 2 * c->d * c->m));
    return 6 * (inner + (double)(c->V * c->d)) + 6 * (double)(c->L * c->d * c->T);
}
