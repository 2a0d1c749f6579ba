/* SPDX-License-Identifier: GPL-3.0-or-later
 * gpt_config.c - a configuration of the language model: as text, its constraints, and its cost. */
#include <limits.h>
#include "src/base/fields.h"
#include "src/train/gpt.h"

gpt_config gpt_default(void)
{
    return (gpt_config){ .L = 12, .d = 768, .h = 12, .m = 3072, .T = 1024, .V = 50304, .factor = 1, .tied = true,
                         .norm = true, .attn_skip = true, .mlp_skip = true, .init_std = 0.02 };
}

long gpt_identities(const gpt_config *c)
{
    return c->identity[GPT_QUERY] + c->identity[GPT_KEY] + c->identity[GPT_VALUE];
}

/* 1: trained, 0: the identity. */
#define PROJECTION(k) .type = FIELD_IS_WORD, .words = "1 0", FIELD_AT(gpt_config, identity[k])

/* As the headers of logs and checkpoints have it. */
static const field fields[] = {
    FIELD_NUMBER(gpt_config, L, 1, LONG_MAX), FIELD_NUMBER(gpt_config, d, 1, LONG_MAX),
    FIELD_NUMBER(gpt_config, h, 1, LONG_MAX), FIELD_NUMBER(gpt_config, m, 1, LONG_MAX),
    FIELD_NUMBER(gpt_config, T, 1, LONG_MAX), FIELD_NUMBER(gpt_config, V, 1, LONG_MAX),
    { .name = "query", PROJECTION(GPT_QUERY) },
    { .name = "key",   PROJECTION(GPT_KEY),   .optional = true },
    { .name = "value", PROJECTION(GPT_VALUE), .optional = true },
    FIELD_REAL(gpt_config, factor), FIELD_SWITCH(gpt_config, tied), FIELD_SWITCH(gpt_config, norm),
    { .name = "skips", .type = FIELD_IS_SWITCH, FIELD_AT(gpt_config, attn_skip) },
    { .join = "", .type = FIELD_IS_SWITCH, FIELD_AT(gpt_config, mlp_skip) },
    { .name = "std", .type = FIELD_IS_REAL, FIELD_AT(gpt_config, init_std) },
};

char *gpt_config_print(const gpt_config *c)
{
    text_buffer text = { 0 };
    fields_print(fields, COUNT(fields), c, &text);
    return text_take(&text);
}

char *gpt_config_parse(gpt_config *c, const char *text)
{
    char *wrong = fields_parse(fields, COUNT(fields), c, text);
    if (wrong) return wrong;
    c->pad = 1;
    const char *why = gpt_config_check(c);
    return why ? must_strdup(why) : NULL;
}

const char *gpt_config_check(const gpt_config *c)
{
    if (c->L < 1 || c->L > 1000) return "layers must be from 1 to 1000";
    if (c->h < 1 || c->d < 1 || c->d % c->h) return "the number of heads must divide the width";
    if (c->m < 1 || c->T < 1 || c->V < 2) return "MLP width and positions must be at least 1, the vocabulary 2";
    if (c->d > 1 << 20 || c->m > 1 << 22 || c->T > 1 << 20 || c->V > 1 << 24) return "a size is too large";
    if (c->pad < 0 || c->pad > 1024) return "heads are padded to a multiple of 1 (not at all) to 1024";
    if (gpt_identities(c) > 0 && c->d % (c->h * (c->pad > 1 ? c->pad : 1)))
        return "without W_q, W_k or W_v the attention reads its input as it is: heads cannot be padded";
    if (!(c->factor > 0) || !(c->init_std > 0)) return "the scale's factor and init_std must be positive";
    return NULL;
}

double gpt_flops(const gpt_config *c)
{
    const double inner = (double)(c->L * ((4 - gpt_identities(c)) * c->d * c->d + 2 * c->d * c->m));
    return 6 * (inner + (double)(c->V * c->d)) + 6 * (double)(c->L * c->d * c->T);
}
