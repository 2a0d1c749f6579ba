/* SPDX-License-Identifier: GPL-3.0-or-later
 * fused.c - see fused.h. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/fused.h"

enum { KINDS = 3 };
/* In the order in which the whole has them, where that is known (fused_order.h). */
static const struct { const char *whole, *kind[KINDS]; } fused_names[] = {
    { "qkv_proj", { "q_proj", "k_proj", "v_proj" } }, { "attn_qkv", { "attn_q", "attn_k", "attn_v" } },
    { "kv_proj", { "k_proj", "v_proj", NULL } }, { "gate_up_proj", { "gate_proj", "up_proj", NULL } },
    { "ffn_gate_up", { "ffn_gate", "ffn_up", NULL } }, { "w13", { "w1", "w3", NULL } },
};
/* That of experts are stacked one by one. */
static const char *const stacked_names[] = { "gate_proj", "up_proj", "down_proj", "w1", "w2", "w3" };

/* Where the word stands in the name, between dots or ends; NULL: nowhere. */
static const char *word_in(const char *name, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = name; (at = strstr(at, word)); at++)
        if ((at == name || at[-1] == '.') && (at[n] == '.' || !at[n])) return at;
    return NULL;
}

static bool of_experts(const char *name, const char *at)
{
    static const char before[] = "experts.";
    const size_t n = strlen(before), k = (size_t)(at - name);
    return k >= n && strncmp(at - n, before, n) == 0 && (k == n || at[-(long)n - 1] == '.');
}

/* The kind of that expert (-1: there are none) in place of the word; what is stacked may lack its ".weight". */
static const weight_tensor *part_of(const char *name, const char *at, const char *word, const char *kind, long expert,
                                    const named_tensors *others)
{
    static const char *const ends[] = { "", ".weight" };
    const weight_tensor *found = NULL;
    for (size_t k = 0; k < (expert < 0 ? 1 : COUNT(ends)) && !found; k++) {
        char *number = expert < 0 ? must_strdup("") : must_format("%ld.", expert);
        char *full = must_format("%.*s%s%s%s%s", (int)(at - name), name, number, kind, at + strlen(word), ends[k]);
        found = names_find(others, full);
        free(number);
        free(full);
    }
    return found;
}

/* Along one side of the whole the parts' lengths add up, and all else is the same. */
static bool shapes_fit(fused_tensor *f)
{
    const weight_tensor *w = f->whole;
    const int before = f->stacked ? 1 : 0, rank = w->rank - before;
    if (rank < 1) return false;
    for (long k = 0; k < f->experts * f->kinds; k++) {
        const weight_tensor *p = f->part[k];
        if (p->rank != rank || p->numbers == NUMBERS_OTHER || w->numbers == NUMBERS_OTHER) return false;
    }
    for (f->side = before; f->side < w->rank; f->side++) {
        bool fits = true;
        for (long e = 0; e < f->experts && fits; e++) {
            long sum = 0;
            for (long k = 0; k < f->kinds; k++) {
                const weight_tensor *p = f->part[e * f->kinds + k];
                sum += p->shape[f->side - before];
                for (int i = 0; i < rank; i++)
                    fits = fits && p->shape[i] == (i == f->side - before ? f->part[k]->shape[i] : w->shape[i + before]);
            }
            fits = fits && sum == w->shape[f->side];
        }
        if (fits) return true;
    }
    return false;
}

static bool take(fused_tensor *f, const char *name, const char *at, const char *word, long kinds,
                 const char *const *kind, const named_tensors *others)
{
    f->kinds = kinds;
    f->word = word;
    f->stacked = of_experts(name, at);
    f->experts = f->stacked ? f->whole->shape[0] : 1;
    if (f->whole->n == 0 || f->experts > others->n || (f->stacked && f->whole->rank < 2)) return false;
    f->part = must_calloc((size_t)(f->experts * kinds), sizeof(const weight_tensor *));
    bool all = !f->stacked || !part_of(name, at, word, kind[0], f->experts, others);
    for (long e = 0; e < f->experts && all; e++)
        for (long k = 0; k < kinds && all; k++)
            all = (f->part[e * kinds + k] = part_of(name, at, word, kind[k], f->stacked ? e : -1, others)) != NULL;
    if (all && shapes_fit(f)) return true;
    fused_free(f);
    return false;
}

bool fused_of(const named_tensor *whole, const named_tensors *others, fused_tensor *to)
{
    const char *name = whole->name, *at;
    *to = (fused_tensor){ .whole = whole->tensor };
    for (size_t k = 0; k < COUNT(fused_names); k++)
        if ((at = word_in(name, fused_names[k].whole)))
            return take(to, name, at, fused_names[k].whole, fused_names[k].kind[2] ? 3 : 2, fused_names[k].kind,
                        others);
    for (size_t k = 0; k < COUNT(stacked_names); k++)
        if ((at = word_in(name, stacked_names[k])) && of_experts(name, at))
            return take(to, name, at, stacked_names[k], 1, &stacked_names[k], others);
    return false;
}

void fused_free(fused_tensor *f)
{
    free(f->part);
    f->part = NULL;
}

/* Of a tensor without its side of experts. */
static long product(const weight_tensor *t, int from, int to)
{
    long n = 1;
    for (int k = from; k < to; k++) n *= t->shape[k];
    return n;
}

static long length_of(const fused_tensor *f, int kind) { return f->part[kind]->shape[f->side - (f->stacked ? 1 : 0)]; }

/* A line of the tensor's last side; first: where the numbers begin. */
static tensor_lines lines_of(const fused_tensor *f, const weight_tensor *t, int kind, long outer_pitch, size_t first)
{
    const weight_tensor *w = f->whole;
    const long outer = product(w, f->stacked ? 1 : 0, f->side), inner = product(w, f->side + 1, w->rank);
    const long length = length_of(f, kind);
    if (f->side == w->rank - 1)
        return (tensor_lines){ .t = t, .lines = outer, .wide = length, .pitch = outer_pitch, .group = outer,
                               .first = first };
    const long wide = w->shape[w->rank - 1], lines = length * (inner / wide);
    return (tensor_lines){ .t = t, .lines = outer * lines, .wide = wide, .pitch = wide, .group = lines,
                           .group_pitch = outer_pitch, .first = first };
}

tensor_lines fused_place(const fused_tensor *f, long expert, const int *order, int kind)
{
    const weight_tensor *w = f->whole;
    const long outer = product(w, f->stacked ? 1 : 0, f->side), inner = product(w, f->side + 1, w->rank);
    const long pitch = w->shape[f->side] * inner;
    long before = 0;
    for (int k = 0; order[k] != kind; k++) before += length_of(f, order[k]);
    return lines_of(f, w, kind, pitch, (size_t)(expert * outer * pitch + before * inner));
}

tensor_lines fused_part(const fused_tensor *f, long expert, int kind)
{
    const long pitch = length_of(f, kind) * product(f->whole, f->side + 1, f->whole->rank);
    return lines_of(f, f->part[expert * f->kinds + kind], kind, pitch, 0);
}
