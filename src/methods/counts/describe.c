/* SPDX-License-Identifier: GPL-3.0-or-later
 * describe.c - reads and writes descriptions of models from one table of names: see describe.h. */
#include "src/methods/counts/describe.h"
#include <stdlib.h>
#include <string.h>
#include "src/base/fields.h"
#include "src/base/file.h"

/* What a field is when it is not given. */
enum { NEEDED = -1, OF_HEADS = -2, OF_WIDTH = -3, OF_EXPERTS = -4, OF_BIASES = -5, OF_NORM = -6, OF_NORM_BIAS = -7 };
/* Limits keep every count below 2^62: experts L d m 3 <= 2^10 2^12 2^17 2^20 3. */
#define NUMBER(word, lo, hi, otherwise, text) \
    { .name = #word, .type = FIELD_IS_NUMBER, FIELD_AT(description, word), .least = lo, .most = hi, \
      .fallback = otherwise, .help = text }
#define CHOICE(word, list, otherwise, text) \
    { .name = #word, .type = FIELD_IS_WORD, FIELD_AT(description, word), .words = list, .fallback = otherwise, \
      .help = text }
/* A fallback below 0 depends on other fields: see the enum. */
static const field fields[] = {
    NUMBER(layers, 1, 1 << 12, NEEDED, "L, number of layers"),
    NUMBER(width, 1, 1 << 17, NEEDED, "d, width of the residual stream"),
    NUMBER(heads, 1, 1 << 10, NEEDED, "h, query heads"),
    NUMBER(kv_heads, 1, 1 << 10, OF_HEADS, "h_kv, key and value heads; divides heads"),
    NUMBER(head_width, 1, 1 << 14, OF_WIDTH, "d_k, width of one head; width / heads if not given"),
    NUMBER(mlp, 0, 1 << 20, NEEDED, "m, hidden width of the MLP; 0: no MLP"),
    CHOICE(gated, "no yes", 0, "a third matrix, the gate, as in SwiGLU"),
    NUMBER(experts, 0, 1 << 10, 0, "MLPs behind a router; 0: one MLP, no router"),
    NUMBER(active, 0, 1 << 10, OF_EXPERTS, "experts that are evaluated for one token"),
    CHOICE(activation, "gelu relu silu tanh", 0, "of the MLP"),
    NUMBER(vocabulary, 0, 1 << 24, 0, "V, tokens; 0: there are patches and classes instead"),
    NUMBER(patch, 0, 1 << 20, 0, "numbers in a patch, embedded by one matrix (patch x d)"),
    NUMBER(classes, 0, 1 << 24, 0, "outputs of a classifier (d x classes)"),
    NUMBER(context, 1, 1 << 22, NEEDED, "T, tokens of a full sequence"),
    CHOICE(positions, "none learned fixed rope", 0, "position code; learned: T x d parameters"),
    NUMBER(extra, 0, 1 << 12, 0, "further learned vectors of width d, such as a class token"),
    CHOICE(tied, "no yes", 0, "the head is the transposed embedding"),
    CHOICE(query, "own identity", 0, "W_Q"),
    CHOICE(key, "own identity query", 0, "W_K; query: W_K = W_Q"),
    CHOICE(value, "own identity", 0, "W_V"),
    CHOICE(output, "own identity", 0, "W_O"),
    CHOICE(biases, "no yes", 0, "default of the six lines below and of norm_bias"),
    CHOICE(query_bias, "no yes", OF_BIASES, "b_Q"),
    CHOICE(key_bias, "no yes", OF_BIASES, "b_K"),
    CHOICE(value_bias, "no yes", OF_BIASES, "b_V"),
    CHOICE(output_bias, "no yes", OF_BIASES, "b_O"),
    CHOICE(mlp_bias, "no yes", OF_BIASES, "of both layers of the MLP"),
    CHOICE(patch_bias, "no yes", OF_BIASES, "of the embedding of patches"),
    CHOICE(head_bias, "no yes", 0, "of the head"),
    CHOICE(norm, "none layer rms", 0, "normalization, with one gain per coordinate"),
    CHOICE(norm_bias, "no yes", OF_NORM_BIAS, "a bias beside each gain; the default of LayerNorm is biases"),
    NUMBER(norms, 0, 4, OF_NORM, "norms in a layer: 2, or 0 without a norm"),
    CHOICE(final_norm, "no yes", OF_NORM, "one more before the head"),
    CHOICE(qk_norm, "no yes", 0, "norms of queries and keys, with gains of width d_k"),
    CHOICE(attention_skip, "no yes", 1, "skip connection around attention"),
    CHOICE(mlp_skip, "no yes", 1, "skip connection around the MLP"),
    CHOICE(parallel, "no yes", 0, "attention and MLP side by side"),
    CHOICE(shared, "no yes", 0, "all layers have the same weights"),
};

static long fallback(const description *m, const field *f)
{
    switch (f->fallback) {
    case OF_HEADS:     return m->heads;
    case OF_WIDTH:     return m->width / m->heads;
    case OF_EXPERTS:   return m->experts;
    case OF_BIASES:    return m->biases;
    case OF_NORM:      return m->norm == DESCRIBED_NONE ? 0 : f->type == FIELD_IS_NUMBER ? 2 : 1;
    case OF_NORM_BIAS: return m->norm == DESCRIBED_LAYER && m->biases;
    default:           return f->fallback;
    }
}

/* ---- what must fit together ----------------------------------------------------------------------- */

static const char *wrong(const description *m)
{
    if (m->heads % m->kv_heads) return "kv_heads must divide heads";
    if (m->head_width < 1) return "width / heads is less than 1: give head_width";
    if (!m->vocabulary && !m->patch) return "there is no input: give vocabulary, or patch and classes";
    if (m->vocabulary && m->patch) return "give vocabulary or patch, not both";
    if (m->vocabulary && m->classes) return "classes go with patch, not with vocabulary";
    if (m->patch && !m->classes) return "patch goes with classes";
    if (m->tied && !m->vocabulary) return "tied needs a vocabulary";
    if (m->active > m->experts) return "active is more than experts";
    if (m->experts && !m->mlp) return "experts without an MLP: mlp is 0";
    if (m->norm == DESCRIBED_NONE && (m->norms || m->final_norm || m->norm_bias))
        return "norms, final_norm and norm_bias need norm=layer or norm=rms";
    const bool square = m->heads * m->head_width == m->width;
    const bool identity = m->query == PROJECTION_IDENTITY || m->key == PROJECTION_IDENTITY
                       || m->value == PROJECTION_IDENTITY || m->output == PROJECTION_IDENTITY;
    if (identity && !square) return "an identity needs heads * head_width = width";
    if ((m->key != PROJECTION_OWN || m->value != PROJECTION_OWN) && m->kv_heads != m->heads)
        return "a key or value without a matrix of its own needs kv_heads = heads";
    return NULL;
}

static char *finish(description *m, const bool given[])
{
    for (size_t k = 0; k < COUNT(fields); k++)
        if (!given[k] && fields[k].fallback == NEEDED) return must_format("%s is missing", fields[k].name);
    for (size_t k = 0; k < COUNT(fields); k++) if (!given[k]) field_set(&fields[k], m, fallback(m, &fields[k]));
    const char *why = wrong(m);
    return why ? must_strdup(why) : NULL;
}

/* ---- text ----------------------------------------------------------------------------------------- */

static char *parse_line(description *m, bool given[], char *text)
{
    char *sign = strchr(text, '=');
    if (!sign) return must_strdup("not of the form name=value");
    *sign = '\0';
    const char *name = text_trim(text);
    const field *f = field_find(fields, COUNT(fields), name);
    if (!f) return must_format("no such name: `%.40s`; `provably audit --help` lists them", name);
    if (given[f - fields]) return must_format("%s is given twice", name);
    given[f - fields] = true;
    return field_parse(f, m, text_trim(sign + 1)) ? NULL : field_expected(f);
}

char *describe_parse(description *out, const char *text, long *line)
{
    bool given[COUNT(fields)] = { false };
    char *copy = must_strdup(text), *why = NULL, *rest = copy;
    *out = (description){ 0 };
    for (*line = 0; rest && !why; ) {
        char *next = strchr(rest, '\n'), *own = rest;
        if (next) *next++ = '\0';
        rest = next;
        ++*line;
        own[strcspn(own, "#")] = '\0';
        own = text_trim(own);
        if (*own) why = parse_line(out, given, own);
    }
    free(copy);
    return why ? why : finish(out, given);
}

description description_of(const char *text)
{
    description m;
    long line;
    char *why = describe_parse(&m, text, &line);
    REQUIRE(!why, "line %ld: %s", line, why);
    return m;
}

enum { LARGEST_FILE = 1 << 16 };

description describe_read(const char *path)
{
    size_t n;
    char *text = file_read(path, LARGEST_FILE, &n);
    description m;
    long line;
    if (strlen(text) != n) die("%s: a zero byte; a description is plain text", path);
    char *why = describe_parse(&m, text, &line);
    if (why) die("%s:%ld: %s", path, line, why);
    free(text);
    return m;
}

void describe_write(FILE *f, const description *m)
{
    text_buffer t = { 0 };
    for (const field *it = fields; it < fields + COUNT(fields); it++) {
        if (it->fallback != NEEDED && field_get(it, m) == fallback(m, it)) continue;
        text_add(&t, "%s=", it->name);
        field_print(it, m, &t);
        text_add(&t, "\n");
    }
    fputs(t.at, f);
    text_clear(&t);
}

void describe_help(FILE *f)
{
    fputs("\nA description of a model has lines `name=value`:\n\n", f);
    for (size_t k = 0; k < COUNT(fields); k++) {
        const field *it = &fields[k];
        char values[48];
        if (it->words) snprintf(values, sizeof values, "%s", it->words);
        else snprintf(values, sizeof values, "%ld to %ld", it->least, it->most);
        fprintf(f, "  %-15s %-24s%s%s\n", it->name, values, it->help, it->fallback == NEEDED ? " (needed)" : "");
    }
    fputs("\nA field that is not given is 0 or its first word, or what its line says; norms come with norm, skips\n"
          "exist unless they are switched off.  # begins a comment.  Examples: reports/models/*.conf\n", f);
}
