/* SPDX-License-Identifier: GPL-3.0-or-later
 * shape.c - the switches of a model as text, with defaults and checks: see shape.h. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/fields.h"
#include "src/model/shape_keys.h"

#define NUMBER(x)      FIELD_NUMBER(shape, x, 0, LONG_MAX)
#define SWITCH(x)      FIELD_SWITCH(shape, x)
#define WORD(x, words) FIELD_WORD(shape, x, words)
static const field fields[] = {
    NUMBER(n), NUMBER(d), NUMBER(h), NUMBER(dk), NUMBER(m), NUMBER(V), NUMBER(L), NUMBER(h_kv),
    WORD(mask, "causal full arbitrary"), SWITCH(attn_skip), SWITCH(mlp_skip), SWITCH(parallel),
    WORD(norm, "none layer rms opaque radial"), WORD(act, "gelu relu silu tanh identity opaque half-odd"),
    WORD(attention, "softmax linear opaque shift stochastic"), NUMBER(scale_num), NUMBER(scale_den),
    SWITCH(gated), NUMBER(experts), SWITCH(tied), SWITCH(biases), SWITCH(rope), SWITCH(qk_norm),
    SWITCH(no_positions), NUMBER(shared),
};

const char *shape_complete(shape *sh)
{
    if (sh->h < 1 || sh->h > MAX_HEADS) return "h must be between 1 and 64";
    if (sh->L < 1 || sh->L > MAX_LAYERS) return "L must be between 1 and 64";
    if (sh->n < 1 || sh->d < 1 || sh->m < 1 || sh->V < 1) return "n, d, m and V must be at least 1";
    if (sh->n > 65536 || sh->d > 65536 || sh->m > 262144 || sh->V > 1048576)
        return "n, d <= 65536, m <= 262144, V <= 1048576";
    if (sh->dk == 0 && sh->d % sh->h) return "h does not divide d: give dk as well, or another h";
    if (sh->dk == 0) sh->dk = sh->d / sh->h;
    if (sh->dk < 1 || sh->dk > 65536) return "dk must be between 1 and 65536";
    if (sh->h_kv == 0) sh->h_kv = sh->h;
    if (sh->h_kv < 1 || sh->h % sh->h_kv) return "h_kv must divide h";
    if (sh->rope && sh->dk % 2) return "RoPE turns pairs of columns: dk must be even";
    if (sh->experts < 0 || sh->experts > MAX_EXPERTS) return "experts must be between 0 and 8";
    if (sh->shared < 0 || sh->shared > sh->L) return "shared must be between 0 and L";
    if (sh->scale_num < 0 || sh->scale_den < 0) return "scale_num and scale_den must be positive";
    if (sh->scale_num == 0) sh->scale_num = 1;
    if (sh->scale_den == 0) sh->scale_den = sh->dk;
    return NULL;
}

static const char *set_one(shape *sh, char *item)
{
    char *value = strchr(item, '=');
    if (!value) return "a shape is name=value,name=value,...";
    *value++ = '\0';
    const field *f = field_find(fields, COUNT(fields), item);
    if (!f) return "no such name in a shape; `--list` shows shapes that work";
    if (field_parse(f, sh, value)) return NULL;
    return f->type == FIELD_IS_WORD   ? "no such word in the shape; `--list` shows shapes that work"
         : f->type == FIELD_IS_SWITCH ? "a switch of a shape is 0 or 1"
                                      : "a shape takes whole numbers that are not negative";
}

const char *shape_set(shape *sh, const char *text)
{
    char *copy = must_strdup(text), *save = NULL;
    const char *wrong = NULL;
    for (char *item = strtok_r(copy, ", ", &save); item && !wrong; item = strtok_r(NULL, ", ", &save))
        wrong = set_one(sh, item);
    free(copy);
    return wrong;
}

const char *shape_parse(shape *sh, const char *text)
{
    /* Widths and scale that were the defaults of d and h are so again, unless the text gives them. */
    if (sh->scale_den == sh->dk) sh->scale_den = 0;
    if (sh->h_kv == sh->h) sh->h_kv = 0;
    if (sh->dk * sh->h == sh->d) sh->dk = 0;
    const char *wrong = shape_set(sh, text);
    return wrong ? wrong : shape_complete(sh);
}

void shape_print(char *buffer, size_t size, const shape *sh)
{
    text_buffer t = { 0 };
    for (const field *f = fields; f < fields + COUNT(fields); f++) {
        if (f->at > offsetof(shape, L) && field_get(f, sh) == 0) continue;       /* zero is the default there */
        text_add(&t, "%s%s=", t.length ? " " : "", f->name);
        field_print(f, sh, &t);
    }
    REQUIRE(t.length < size, "buffer of %zu for a shape", size);
    memcpy(buffer, t.at, t.length + 1);
    text_clear(&t);
}

long shape_block(const shape *sh, long i) { return sh->shared ? i % sh->shared : i; }

/* ---- keys, one by one -------------------------------------------------------------------------------------- */

long shape_keys(void)                  { return (long)COUNT(fields); }
const char *shape_key_name(long k)     { return fields[k].name; }
bool shape_key_is_size(long k)         { return fields[k].type == FIELD_IS_NUMBER; }
long shape_key_get(const shape *sh, long k)         { return field_get(&fields[k], sh); }
void shape_key_set(shape *sh, long k, long value)   { field_set(&fields[k], sh, value); }

long shape_key_values(long k)
{
    if (fields[k].type != FIELD_IS_WORD) return shape_key_is_size(k) ? 0 : 2;
    long n = 1;
    for (const char *at = fields[k].words; *at; at++) n += *at == ' ';
    return n;
}

char *shape_key_text(const shape *sh, long k)
{
    text_buffer t = { 0 };
    text_add(&t, "%s=", fields[k].name);
    field_print(&fields[k], sh, &t);
    return text_take(&t);
}

bool shape_names(const char *text, long k)
{
    const size_t n = strlen(fields[k].name);
    for (const char *at = text; *at; at += strcspn(at, ", "), at += strspn(at, ", "))
        if (strncmp(at, fields[k].name, n) == 0 && at[n] == '=') return true;
    return false;
}
