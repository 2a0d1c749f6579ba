/* SPDX-License-Identifier: GPL-3.0-or-later
 * to_llama2c.c - see formats.h; the format is described in llama2c.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/formats.h"
#include "src/checkpoint/names.h"
#include "src/checkpoint/rope.h"

/* llama2.c's programs know one model: sizes are all that its header says. */
const char *llama2c_refuses(const transformer *D)
{
    if (D->norm != NORM_OF_RMS || D->positions != POSITIONS_ROTARY || !D->gated || D->fused)
        return "llama2.c's format holds models of Llama's kind only";
    if (D->beyond || rope_scales(D) || has_own_settings(D) || D->window || D->factor != 1 || D->parallel || D->qk_norm)
        return "llama2.c's format has no place for the settings of its angles, scores or window";
    if (D->biases) return "llama2.c's format has no biases";
    if (strcmp(D->activation, "silu") != 0 && strcmp(D->activation, "swish") != 0)
        return "llama2.c's programs compute silu, and it has another activation";
    if ((float)D->eps != 1e-5f) return "llama2.c's programs add 1e-5 under the root of RMSNorm, and its eps is another";
    if (D->theta != 10000) return "llama2.c's programs turn by powers of 10000, and its base is another";
    if (D->rotary != D->dk || D->dk * D->h != D->d)
        return "in llama2.c's format the heads share the width evenly and turn in all coordinates";
    return D->T ? NULL : "it does not say how many positions it has (max_position_embeddings)";
}

/* The order of version 0, and of version 1. */
static long rank_of(const new_tensor *t, int version)
{
    static const tensor_role order[2][13] = {
        { ROLE_EMBED, ROLE_GAIN1, ROLE_Q, ROLE_K, ROLE_V, ROLE_O, ROLE_GAIN2, ROLE_GATE, ROLE_DOWN, ROLE_UP,
          ROLE_FINAL_GAIN, ROLE_BUFFER, ROLE_HEAD },
        { ROLE_GAIN1, ROLE_GAIN2, ROLE_FINAL_GAIN, ROLE_EMBED, ROLE_Q, ROLE_K, ROLE_V, ROLE_O, ROLE_GATE, ROLE_DOWN,
          ROLE_UP, ROLE_BUFFER, ROLE_HEAD } };
    for (long k = 0; k < 13; k++) if (order[version][k] == t->role) return k;
    die("tensor %s has no place in llama2.c's format; choose another with --format", t->name);
}

static int version_sorted;               /* for qsort                                                    */
static int in_order(const void *a, const void *b)
{
    const new_tensor *x = a, *y = b;
    const long i = rank_of(x, version_sorted), j = rank_of(y, version_sorted);
    if (i != j) return i < j ? -1 : 1;
    if (x->layer != y->layer) return x->layer < y->layer ? -1 : 1;
    return strcmp(x->name, y->name);                                   /* freqs_cos, freqs_sin */
}

void llama2c_arrange(file_layout *l, const transformer *D)
{
    static const char *const table[] = { "freqs_cos", "freqs_sin" };
    bool there = l->version > 0;                                       /* version 1 has none */
    for (long k = 0; k < l->tensors; k++) there = there || l->tensor[k].role == ROLE_BUFFER;
    for (size_t k = 0; k < COUNT(table) && !there; k++) {
        l->tensor = must_realloc(l->tensor, (size_t)l->tensors + 1, sizeof *l->tensor);
        l->tensor[l->tensors++] = (new_tensor){ .name = must_strdup(table[k]), .type = "F32", .rank = 2,
            .shape = { D->T, D->dk / 2 }, .role = ROLE_BUFFER, .layer = -1, .n = (size_t)(D->T * (D->dk / 2)) };
    }
    version_sorted = l->version;
    qsort(l->tensor, (size_t)l->tensors, sizeof *l->tensor, in_order);
}

void llama2c_put_header(FILE *f, const file_layout *l, const transformer *D, bool tied)
{
    enum { HEADER1 = 256 };
    const long sign = !tied && l->version == 0 ? -1 : 1;
    const int32_t size[] = { (int32_t)D->d, (int32_t)D->m, (int32_t)D->L, (int32_t)D->h, (int32_t)D->h_kv,
                             (int32_t)(sign * D->V), (int32_t)D->T };
    unsigned char header[HEADER1] = { '2', '4', 'k', 'a', 1 };         /* 0x616b3432; version 1 */
    if (l->version == 0) {
        fwrite(size, sizeof size, 1, f);
        return;
    }
    memcpy(header + 8, size, sizeof size);
    header[8 + sizeof size] = tied;
    fwrite(header, sizeof header, 1, f);
}

void llama2c_angles(const transformer *D, bool sine, long t, float *x)
{
    for (long i = 0; i < D->dk / 2; i++) {
        const double angle = (double)t * pow(D->theta, -2.0 * (double)i / (double)D->dk);
        x[i] = (float)(sine ? sin(angle) : cos(angle));
    }
}
