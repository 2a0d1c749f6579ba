/* shape.c - the switches of a model as text, with defaults and checks: see model.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/model/model.h"

static const char *const mask_names[]      = { "causal", "full", "arbitrary" };
static const char *const norm_names[]      = { "none", "layer", "rms", "opaque", "radial" };
static const char *const act_names[]       = { "gelu", "relu", "silu", "tanh", "identity", "opaque", "half-odd" };
static const char *const attention_names[] = { "softmax", "linear", "opaque", "shift", "stochastic" };

/* One row per switch: how it is called, where it lives, and the words it takes (NULL: a number). */
typedef struct { const char *name; size_t offset, size; const char *const *words; size_t nwords; } field;
#define NUMBER(x)        { #x, offsetof(shape, x), sizeof ((shape *)0)->x, NULL, 0 }
#define WORD(x, names)   { #x, offsetof(shape, x), sizeof ((shape *)0)->x, names, COUNT(names) }
static const field fields[] = {
    NUMBER(n), NUMBER(d), NUMBER(h), NUMBER(dk), NUMBER(m), NUMBER(V), NUMBER(L), NUMBER(h_kv),
    WORD(mask, mask_names), NUMBER(attn_skip), NUMBER(mlp_skip), NUMBER(parallel), WORD(norm, norm_names),
    WORD(act, act_names), WORD(attention, attention_names), NUMBER(scale_num), NUMBER(scale_den),
    NUMBER(gated), NUMBER(experts), NUMBER(tied), NUMBER(biases), NUMBER(rope), NUMBER(qk_norm),
    NUMBER(no_positions), NUMBER(shared),
};

static long get(const shape *sh, const field *f)
{
    const char *at = (const char *)sh + f->offset;
    long value;
    unsigned word;
    bool flag;
    if (f->size == sizeof value) return memcpy(&value, at, sizeof value), value;
    if (f->size == sizeof word)  return memcpy(&word, at, sizeof word), (long)word;
    return memcpy(&flag, at, sizeof flag), flag;
}

static void set(shape *sh, const field *f, long value)
{
    char *at = (char *)sh + f->offset;
    const unsigned word = (unsigned)value;
    const bool flag = value != 0;
    if (f->size == sizeof value) memcpy(at, &value, sizeof value);
    else if (f->size == sizeof word) memcpy(at, &word, sizeof word);
    else memcpy(at, &flag, sizeof flag);
}

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

static const char *parse_one(shape *sh, char *item)
{
    char *value = strchr(item, '='), *end;
    if (!value) return "a shape is name=value,name=value,...";
    *value++ = '\0';
    for (const field *f = fields; f < fields + COUNT(fields); f++) {
        if (strcmp(f->name, item) != 0) continue;
        for (size_t w = 0; f->words && w < f->nwords; w++)
            if (strcmp(f->words[w], value) == 0) { set(sh, f, (long)w); return NULL; }
        if (f->words) return "no such word in the shape; `--list` shows shapes that work";
        errno = 0;
        long x = strtol(value, &end, 10);
        if (end == value || *end || errno || x < 0) return "a shape takes whole numbers that are not negative";
        if (f->size == sizeof(bool) && x > 1) return "a switch of a shape is 0 or 1";
        set(sh, f, x);
        return NULL;
    }
    return "no such name in a shape; `--list` shows shapes that work";
}

const char *shape_parse(shape *sh, const char *text)
{
    char *copy = must_strdup(text), *save = NULL;
    const char *wrong = NULL;
    /* Widths and scale that were the defaults of d and h are so again, unless the text gives them. */
    if (sh->scale_den == sh->dk) sh->scale_den = 0;
    if (sh->h_kv == sh->h) sh->h_kv = 0;
    if (sh->dk * sh->h == sh->d) sh->dk = 0;
    for (char *item = strtok_r(copy, ", ", &save); item && !wrong; item = strtok_r(NULL, ", ", &save))
        wrong = parse_one(sh, item);
    free(copy);
    if (wrong) return wrong;
    return shape_complete(sh);
}

void shape_print(char *buffer, size_t size, const shape *sh)
{
    size_t used = 0;
    for (const field *f = fields; f < fields + COUNT(fields); f++) {
        long x = get(sh, f);
        if (f->offset > offsetof(shape, L) && x == 0) continue;      /* zero is the default there */
        int wrote = f->words ? snprintf(buffer + used, size - used, "%s%s=%s", used ? " " : "", f->name, f->words[x])
                             : snprintf(buffer + used, size - used, "%s%s=%ld", used ? " " : "", f->name, x);
        REQUIRE(wrote > 0 && (size_t)wrote < size - used, "buffer of %zu for a shape", size);
        used += (size_t)wrote;
    }
}

long shape_block(const shape *sh, long i) { return sh->shared ? i % sh->shared : i; }
