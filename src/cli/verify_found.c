/* SPDX-License-Identifier: GPL-3.0-or-later
 * verify_found.c - what is read off a comparison: see verify.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/cli/verify.h"

const char *const up_to_name[UP_TOS] = { "logits", "softmax", "argmax" };

const finding *verify_first_tensor(const verified *v)
{
    for (long k = 0; k < v->t.n; k++)
        if (v->t.at[k].kind != RELATION_ROUNDED && v->t.at[k].kind != RELATION_QUANTISED && !v->t.at[k].harmless)
            return &v->t.at[k];
    return NULL;
}

const stage_gap *verify_first_stage(const verified *v)
{
    for (long k = 0; k < v->g.stages && v->figures; k++) if (v->g.at[k].gap > v->g.at[k].tolerance) return &v->g.at[k];
    return NULL;
}

bool verify_in_common(const verified *v) { return v->in_common && (v->is == ANSWER_SAME || v->is == ANSWER_ROUNDED); }

/* Types in the order in which a token meets them. */
static void add_type(text_buffer *types, const char **seen, long *n, const char *type)
{
    for (long k = 0; k < *n; k++) if (strcmp(seen[k], type) == 0) return;
    text_add(types, "%s%s", *n ? ", " : "", type);
    seen[(*n)++] = type;
}

quantised_parts verify_quantised_parts(const structure *t)
{
    quantised_parts q = { .parts = 0 };
    text_buffer types = { 0 };
    const char **seen = must_calloc((size_t)t->n + 1, sizeof *seen);
    long n = 0;
    for (long k = 0; k < t->n; k++) {
        const finding *f = &t->at[k];
        if (f->kind != RELATION_QUANTISED) continue;
        add_type(&types, seen, &n, f->blocks->type);
        q.parts++;
        if (!q.within || f->quantised.within.steps > q.within->quantised.within.steps) q.within = f;
        if (f->quantised.cut_off
            && (!q.beyond || f->quantised.beyond.steps > q.beyond->quantised.beyond.steps)) q.beyond = f;
        q.cut_off += f->quantised.cut_off;
    }
    free(seen);
    q.types = n ? text_take(&types) : must_strdup("");
    return q;
}

bool verify_same_gradient(const gradient_gap *g) { return fabs(g->of_a - g->of_b) <= g->tolerance; }
