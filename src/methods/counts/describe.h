/* SPDX-License-Identifier: GPL-3.0-or-later
 * describe.h - a model as a description says it is: sizes and switches, no weights.
 *
 * A description is a text of lines `name=value`; `#` begins a comment.  The names, their meaning and their defaults are
 * in one table, describe.c: the reader, the writer and the help text all come from it. */
#ifndef DESCRIBE_H
#define DESCRIBE_H
#include <stdio.h>
#include "src/base/base.h"

enum { POSITIONS_NONE, POSITIONS_LEARNED, POSITIONS_FIXED, POSITIONS_ROPE };
enum { PROJECTION_OWN, PROJECTION_IDENTITY, PROJECTION_SAME_AS_QUERY };        /* whose weights a projection has */
enum { DESCRIBED_NONE, DESCRIBED_LAYER, DESCRIBED_RMS };   /* the norm                                 */
enum { DESCRIBED_GELU, DESCRIBED_RELU, DESCRIBED_SILU, DESCRIBED_TANH };

typedef struct {
    long layers, width, heads, kv_heads, head_width;       /* L, d, h, h_kv, d_k                        */
    long mlp, gated, experts, active, activation;          /* mlp: hidden width, 0 without MLP          */
    long vocabulary, patch, classes;                       /* tokens, or patches and classes            */
    long context, positions, extra, tied;                  /* extra: further vectors (class token)      */
    long query, key, value, output;
    long biases, query_bias, key_bias, value_bias, output_bias, mlp_bias, patch_bias, head_bias;
    long norm, norm_bias, norms, final_norm, qk_norm;      /* norms: per layer                          */
    long attention_skip, mlp_skip, parallel, shared;
} description;

/* NULL, or what is wrong with line *line of `text` (to be freed); `text` is not changed. */
char *describe_parse(description *out, const char *text, long *line) MUST_USE;
description description_of(const char *text);              /* contract: the text is right             */
description describe_read(const char *path);               /* dies with file:line and the reason        */
void describe_write(FILE *f, const description *m);        /* every line that differs from its default  */
void describe_help (FILE *f);                              /* every name: values, default, meaning      */
#endif
