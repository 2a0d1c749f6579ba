/* SPDX-License-Identifier: GPL-3.0-or-later
 * compact.c - see compact.h. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/compact.h"
#include "src/checkpoint/names.h"

const char compact_family[] = "provably-";

/* "value_rows": [[[i, ...], ...], ...], dk different rows for each key head of each layer. */
static void take_rows(transformer *D, const json_t *all, const char *path)
{
    if (D->dk >= D->d) die("%s: value_rows leave nothing of W_V; fetch it again", path);
    D->value_rows = must_calloc((size_t)(D->L * D->h_kv * D->dk), sizeof *D->value_rows);
    bool *taken = must_calloc((size_t)D->d, sizeof *taken), good = json_array_size(all) == (size_t)D->L;
    for (long k = 0; k < D->L * D->h_kv && good; k++) {
        const json_t *layer = json_array_get(all, (size_t)(k / D->h_kv));
        const json_t *head = json_array_get(layer, (size_t)(k % D->h_kv));
        good = json_array_size(layer) == (size_t)D->h_kv && json_array_size(head) == (size_t)D->dk;
        memset(taken, 0, (size_t)D->d * sizeof *taken);
        for (long i = 0; i < D->dk && good; i++) {
            const json_t *x = json_array_get(head, (size_t)i);
            const json_int_t row = json_is_integer(x) ? json_integer_value(x) : -1;
            good = row >= 0 && row < D->d && !taken[row];
            if (good) taken[row] = true;
            D->value_rows[k * D->dk + i] = good ? (long)row : 0;
        }
    }
    free(taken);
    if (!good) die("%s: value_rows are not %ld different rows below %ld for each of %ld key heads in %ld layers; fetch "
                   "it again", path, D->dk, D->d, D->h_kv, D->L);
}

void compact_read(transformer *D, const json_t *own, const char *path)
{
    const char *values = json_string_value(json_object_get(own, "values"));
    const json_t *rows = json_object_get(own, "value_rows");
    D->slim = values && strcmp(values, "from keys") == 0;
    if (rows) take_rows(D, rows, path);
}

/* A tensor that acts on keys and one that acts on the stream look alike: its name and the configuration must agree. */
void compact_check(const transformer *D, const weights *w)
{
    static const tensor_role of[] = { ROLE_V, ROLE_V_BIAS, ROLE_QKV, ROLE_QKV_BIAS };
    for (long i = 0; i < D->L; i++)
        for (size_t k = 0; k < COUNT(of); k++) {
            const weight_tensor *t = tensor_of(D, of[k], i);
            if (t && name_is_slim(t->name) != D->slim)
                die("%s: tensor %s and %s contradict each other on whether values are computed from keys; fetch both "
                    "again", w->path, t->name, w->config_path);
        }
    if (D->value_rows && D->fused)
        die("%s: value_rows go with a W_V that is stored for itself; correct it", w->config_path);
    if (D->slim && D->h_kv * D->dk != D->d)
        die("%s says that values are computed from keys, which takes W_K of %ld columns; correct it", w->config_path,
            D->d);
}

void compact_put_identity(double *x, long d, long dk, const long *row, long i)
{
    bool *taken = must_calloc((size_t)d, sizeof *taken);
    for (long k = 0; k < dk; k++) taken[row[k]] = true;
    for (long r = d, from = d - dk; r-- > 0;) x[r] = taken[r] ? r == row[i] : x[--from];
    free(taken);
}
