/* SPDX-License-Identifier: GPL-3.0-or-later
 * vit_config.c - a configuration of the vision transformer: the paper's variants and rows, as text, what it must
 * fulfil, and what it costs. */
#include <limits.h>
#include <string.h>
#include "src/base/fields.h"
#include "src/train/vit.h"

static const struct { vit_source key, value; bool output, query_bias, key_bias, value_bias, output_bias; } kinds[] = {
    { VIT_OWN,   VIT_OWN,   true,  true,  true,  true,  true  },
    { VIT_INPUT, VIT_OWN,   true,  false, false, true,  true  },
    { VIT_INPUT, VIT_OWN,   true,  true,  true,  true,  true  },
    { VIT_INPUT, VIT_INPUT, false, false, false, false, false },
    { VIT_QUERY, VIT_OWN,   true,  false, false, false, false },
    { VIT_QUERY, VIT_OWN,   true,  true,  false, true,  true  },
    { VIT_INPUT, VIT_OWN,   false, false, false, false, false },
    { VIT_INPUT, VIT_OWN,   false, true,  false, true,  false },
};
const char *const vit_variants[] = { "unchanged", "wqk", "wqk-biases", "minimum", "symmetric", "symmetric-biases",
                                     "collapsed", "collapsed-biases", NULL };

bool vit_variant(vit_config *c, const char *name)
{
    for (size_t k = 0; k < COUNT(kinds); k++) {
        if (strcmp(vit_variants[k], name) != 0) continue;
        c->key         = kinds[k].key;
        c->value       = kinds[k].value;
        c->output      = kinds[k].output;
        c->query_bias  = kinds[k].query_bias;
        c->key_bias    = kinds[k].key_bias;
        c->value_bias  = kinds[k].value_bias;
        c->output_bias = kinds[k].output_bias;
        return true;
    }
    return false;
}

/* The class token stands for the one further vector of 60 that the counts show with 4 heads or symmetry. */
bool vit_row(vit_config *c, const char *name)
{
    static const char *const variant[][2] = { { "full", "unchanged" }, { "wqk", "wqk" }, { "min", "minimum" },
                                              { "sym", "symmetric" } };
    char data[8], mlp[8], what[8];
    int end = 0;
    vit_config row = { .d = 60, .classes = 10, .positions = true, .skip = true, .norm = VIT_PRE };
    if (sscanf(name, "%7[a-z]_%ld_%ld_%7[a-z]_%7[a-z]%n", data, &row.S, &row.h, mlp, what, &end) != 5 || name[end])
        return false;
    const bool mnist = strcmp(data, "mnist") == 0, wide = strcmp(mlp, "mlp") == 0;
    if ((!mnist && strcmp(data, "cifar") != 0) || (!wide && strcmp(mlp, "no") != 0)) return false;
    row.side     = mnist ? 28 : 32;
    row.channels = mnist ? 1 : 3;
    row.patch    = mnist ? 7 : 8;
    row.m        = wide ? 256 : 0;
    bool known = false;
    for (size_t k = 0; k < COUNT(variant); k++)
        if (strcmp(variant[k][0], what) == 0) known = vit_variant(&row, variant[k][1]);
    row.token = row.h == 4 || row.key == VIT_QUERY;
    if (!known || vit_config_check(&row)) return false;
    *c = row;
    return true;
}

/* As the headers of logs and checkpoints have it. */
#define SIZE(member)   FIELD_NUMBER(vit_config, member, 0, LONG_MAX)
#define SOURCE(member) FIELD_NUMBER(vit_config, member, VIT_OWN, VIT_QUERY)
#define PART(text, member, t) { .join = text, .type = t, FIELD_AT(vit_config, member), .most = LONG_MAX }
static const field fields[] = {
    SIZE(S), SIZE(d), SIZE(h), SIZE(m),
    { .name = "pictures", .type = FIELD_IS_NUMBER, FIELD_AT(vit_config, side), .most = LONG_MAX },
    PART("x", side, FIELD_IS_NUMBER), PART("x", channels, FIELD_IS_NUMBER), PART("/", patch, FIELD_IS_NUMBER),
    SIZE(classes), SOURCE(key), SOURCE(value), FIELD_SWITCH(vit_config, output),
    { .name = "biases", .type = FIELD_IS_SWITCH, FIELD_AT(vit_config, query_bias) },
    PART("", key_bias, FIELD_IS_SWITCH), PART("", value_bias, FIELD_IS_SWITCH), PART("", output_bias, FIELD_IS_SWITCH),
    FIELD_SWITCH(vit_config, token), FIELD_SWITCH(vit_config, positions), FIELD_SWITCH(vit_config, skip),
    FIELD_NUMBER(vit_config, norm, VIT_PRE, VIT_BARE),
};

char *vit_config_print(const vit_config *c)
{
    text_buffer text = { 0 };
    text_add(&text, "vit ");
    fields_print(fields, COUNT(fields), c, &text);
    return text_take(&text);
}

const char *vit_config_check(const vit_config *c)
{
    if (c->S < 1 || c->S > 1000) return "encoders must be from 1 to 1000";
    if (c->h < 1 || c->d < 1 || c->d % c->h) return "the number of heads must divide the width";
    if (c->d > 1 << 16 || c->m < 0 || c->m > 1 << 20) return "a width is too large, or the MLP's is negative";
    if (c->side < 1 || c->side > 4096 || c->patch < 1 || c->side % c->patch)
        return "the patch must divide the image's side";
    if (c->channels < 1 || c->channels > 16 || c->classes < 2 || c->classes > 1 << 16)
        return "channels: 1 to 16, classes: at least 2";
    if (c->h > 1 && (c->key == VIT_INPUT || c->value == VIT_INPUT || !c->output))
        return "matrices are collapsed with one head only";
    if (c->key == VIT_QUERY && c->key_bias) return "keys that are the queries have no bias of their own";
    if (c->value == VIT_QUERY) return "values are the input's, with or without a matrix";
    if (c->value == VIT_INPUT && (c->value_bias || c->key_bias)) return "values without a matrix have no bias";
    if (!c->output && c->output_bias) return "without W_o its bias goes with the values'";
    return NULL;
}

double vit_operations(const vit_config *c)
{
    const long across = c->side / c->patch;
    const double P = (double)(across * across), T = P + c->token, d = (double)c->d;
    const double matrices = 1 + (c->key == VIT_OWN) + (c->value == VIT_OWN) + c->output;
    const double encoder = T * (matrices * d * d + 2 * d * (double)c->m) + 2 * T * T * d;
    return 2 * (P * (double)(c->patch * c->patch * c->channels) * d + (double)c->S * encoder + d * (double)c->classes);
}
