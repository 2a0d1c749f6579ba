/* SPDX-License-Identifier: GPL-3.0-or-later
 * names.c - see names.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/names.h"

/* Whether `name` is `pattern` with whole numbers of at most four digits at #: that of the layer, then of the expert. */
static bool matches(const char *pattern, const char *name, long number[2])
{
    long n = 0;
    number[0] = number[1] = -1;
    for (; *pattern; pattern++) {
        if (*pattern != '#') {
            if (*name++ != *pattern) return false;
            continue;
        }
        const char *end = name;
        while (isdigit((unsigned char)*end)) end++;
        if (n == 2 || end == name || end - name > 4 || (*name == '0' && end - name > 1)) return false;
        number[n++] = strtol(name, NULL, 10);
        name = end;
    }
    return !*name;
}

/* What other programs apply to the stream; under another name they miss it. */
static const struct { const char *stock, *slim; } slim_names[] = {
    { ".v_proj.", ".v_from_k_proj." }, { ".c_attn.", ".c_attn_v_from_k." },
    { ".query_key_value.", ".query_key_value_v_from_k." } };
static const char own_values[] = ".attn.v", own_slim[] = ".attn.v_from_k";      /* of provably train: their end  */

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), k = strlen(end);
    return n >= k && strcmp(name + n - k, end) == 0;
}

bool name_is_slim(const char *name)
{
    for (size_t k = 0; k < COUNT(slim_names); k++) if (strstr(name, slim_names[k].slim)) return true;
    return ends_with(name, own_slim);
}

char *name_slim(const char *name)
{
    for (size_t k = 0; k < COUNT(slim_names); k++) {
        const char *at = strstr(name, slim_names[k].stock);
        if (!at) continue;
        return must_format("%.*s%s%s", (int)(at - name), name, slim_names[k].slim, at + strlen(slim_names[k].stock));
    }
    return ends_with(name, own_values) ? must_format("%s%s", name, own_slim + strlen(own_values)) : NULL;
}

/* The name as other programs have it, to be freed. */
static char *name_not_slim(const char *name)
{
    for (size_t k = 0; k < COUNT(slim_names); k++) {
        const char *at = strstr(name, slim_names[k].slim);
        if (!at) continue;
        return must_format("%.*s%s%s", (int)(at - name), name, slim_names[k].stock, at + strlen(slim_names[k].slim));
    }
    if (!ends_with(name, own_slim)) return must_strdup(name);
    return must_format("%.*s%s", (int)(strlen(name) - strlen(own_slim)), name, own_values);
}

const char *name_without_prefixes(const architecture *A, const char *name)
{
    size_t k;
    json_t *x;
    json_array_foreach(A->prefixes, k, x) {
        const char *before = json_string_value(x);
        if (strncmp(name, before, strlen(before)) == 0) name += strlen(before);
    }
    return name;
}

/* As TensorFlow called the weights of a LayerNorm, and old files of BERT do: transformers renames them as it loads. */
static const struct { const char *old, *now; } renamed[] = {
    { ".LayerNorm.gamma", ".LayerNorm.weight" }, { ".LayerNorm.beta", ".LayerNorm.bias" } };

/* The name as the library that defines the model has it, before its prefixes; to be freed. */
static char *stock_name(const char *name)
{
    static const char compiled[] = "_orig_mod.";
    if (strncmp(name, compiled, strlen(compiled)) == 0) name += strlen(compiled);
    for (size_t k = 0; k < COUNT(renamed); k++)
        if (ends_with(name, renamed[k].old))
            return must_format("%.*s%s", (int)(strlen(name) - strlen(renamed[k].old)), name, renamed[k].now);
    return name_not_slim(name);
}

static const tensor_name *called_in(const architecture *A, const char *stock, long number[2])
{
    const char *is = name_without_prefixes(A, stock);
    for (long k = 0; k < A->tensors; k++) if (matches(A->tensor[k].bare, is, number)) return &A->tensor[k];
    number[0] = number[1] = -1;
    return NULL;
}

tensor_role role_of_name(const architecture *A, const char *name, long *layer, long *expert)
{
    long number[2];
    char *stock = stock_name(name);
    const tensor_name *is = called_in(A, stock, number);
    *layer = number[0];
    *expert = is && is->of == NAMES_SHARED ? SHARED_EXPERT : number[1];
    free(stock);
    return is ? is->role : ROLE_UNKNOWN;
}

bool name_is_known(const char *name)
{
    const architecture *A;
    long number[2];
    bool known = false;
    char *stock = stock_name(name);
    for (long k = 0; !known && (A = architecture_at(k)); k++) known = called_in(A, stock, number) != NULL;
    free(stock);
    return known;
}

char *name_of_role(const architecture *A, tensor_role role, long layer)
{
    for (long k = 0; k < A->tensors; k++) {
        const char *pattern = A->tensor[k].name, *at = strchr(pattern, '#');
        if (A->tensor[k].role != role || A->tensor[k].of != NAMES_LAYER) continue;
        return at ? must_format("%.*s%ld%s", (int)(at - pattern), pattern, layer, at + 1) : must_strdup(pattern);
    }
    return NULL;
}
