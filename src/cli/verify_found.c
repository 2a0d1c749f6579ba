/* verify_found.c - what is read off a comparison: see verify.h. */
#include <math.h>
#include "src/cli/verify.h"

const char *const up_to_name[UP_TOS] = { "logits", "softmax", "argmax" };

const finding *verify_first_tensor(const verified *v)
{
    for (long k = 0; k < v->t.n; k++)
        if (v->t.at[k].kind != RELATION_ROUNDED && !v->t.at[k].harmless) return &v->t.at[k];
    return NULL;
}

const stage_gap *verify_first_stage(const verified *v)
{
    for (long k = 0; k < v->g.stages && v->figures; k++) if (v->g.at[k].gap > v->g.at[k].tolerance) return &v->g.at[k];
    return NULL;
}

bool verify_in_common(const verified *v) { return v->in_common && (v->is == ANSWER_SAME || v->is == ANSWER_ROUNDED); }

bool verify_same_gradient(const gradient_gap *g) { return fabs(g->of_a - g->of_b) <= g->tolerance; }
