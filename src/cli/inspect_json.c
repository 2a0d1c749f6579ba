/* SPDX-License-Identifier: GPL-3.0-or-later
 * inspect_json.c - `provably inspect --json`.  A condition number that is infinite or not a number is null. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/rope.h"
#include "src/cli/inspect.h"
#include "src/cli/json.h"

const char *const inspect_norm_name[] = { [NORM_OF_NONE] = "none", [NORM_OF_LAYER] = "LayerNorm",
                                          [NORM_OF_RMS] = "RMSNorm" };
const char *const inspect_positions_name[] = { [POSITIONS_NONE] = "none", [POSITIONS_LEARNED] = "learned",
                                               [POSITIONS_ROTARY] = "rotary", [POSITIONS_ALIBI] = "ALiBi" };
const char *const inspect_pairs_name[] = { [PAIRS_NONE] = "none", [PAIRS_HALVES] = "(i, i + n/2) of n",
                                           [PAIRS_ADJACENT] = "(2i, 2i + 1)" };

static void set_long(json_t *o, const char *name, double x) { json_put(o, name, json_integer((json_int_t)x)); }

json_t *inspect_architecture(const transformer *D)
{
    json_t *o = json_object();
    json_put(o, "family", json_string(D->family));
    const char *described = architecture_of_user(D);
    if (described) json_put(o, "described_by", json_string(described));
    const struct { const char *name; long value; } size[] = {
        { "layers", D->L }, { "width", D->d }, { "heads", D->h }, { "kv_heads", D->h_kv }, { "head_width", D->dk },
        { "mlp_width", D->m }, { "vocabulary", D->V }, { "positions", D->T }, { "experts", D->experts },
        { "experts_chosen", D->chosen }, { "expert_width", D->expert_m }, { "shared_expert_width", D->shared_m } };
    for (size_t k = 0; k < COUNT(size); k++) json_put(o, size[k].name, json_integer(size[k].value));
    const struct { const char *name; bool value; } truth[] = {
        { "norm_bias", D->norm_bias }, { "offset_gain", D->offset_gain }, { "gated", D->gated }, { "tied", D->tied },
        { "parallel", D->parallel }, { "attention_skip", D->attn_skip }, { "mlp_skip", D->mlp_skip },
        { "qk_norm", D->qk_norm }, { "encoder", D->encoder }, { "headless", D->headless },
        { "distance_biases", D->buckets },
        { "biases", D->biases }, { "stored_in_out", D->in_out },
        { "chosen_weights_sum_to_1", D->chosen_sum },
        { "values_from_keys", D->slim }, { "value_identities_left_out", D->value_rows != NULL } };
    for (size_t k = 0; k < COUNT(truth); k++) json_put(o, truth[k].name, json_boolean(truth[k].value));
    json_put(o, "norm", json_string(inspect_norm_name[D->norm]));
    json_put(o, "norm_eps", json_of_real(D->eps));
    json_put(o, "position_kind", json_string(inspect_positions_name[D->positions]));
    json_put(o, "rotary_pairs", json_string(inspect_pairs_name[D->pairs]));
    json_put(o, "rotary_coordinates", json_integer(D->rotary));
    json_put(o, "rotary_theta", D->theta > 0 ? json_of_real(D->theta) : json_null());
    char *angles = rope_words(D);
    json_put(o, "rotary_scaling", rope_scales(D) ? json_string(angles) : json_null());
    free(angles);
    const struct { const char *name; double value; } factor[] = {
        { "embedding_factor", D->embed_factor }, { "added_factor", D->added_factor }, { "score_scale", D->scale },
        { "score_cap", D->score_cap }, { "logit_factor", D->logit_factor },
        { "logit_divisor", D->logit_divisor }, { "rotary_local_theta", D->local_theta },
        { "logit_cap", D->logit_cap } };
    for (size_t k = 0; k < COUNT(factor); k++) json_put(o, factor[k].name, json_of_real(factor[k].value));
    static const char *const norms[] = { "before", "shared", "behind", "around", "of sums" };
    json_put(o, "norm_places", json_string(norms[D->norms]));
    json_put(o, "qk_norm_whole", json_boolean(D->qk == QK_WHOLE));
    json_t *all = json_array(), *still = json_array(), *dense = json_array();
    for (long i = 0; D->experts && i < D->L; i++)
        if (!experts_in_layer(D, i)) json_array_append_new(dense, json_integer(i));
    for (long i = 0; D->layer && i < D->L; i++) {
        if (D->window && (D->layer[i] & LAYER_SEES_ALL)) json_array_append_new(all, json_integer(i));
        if (D->layer[i] & LAYER_DOES_NOT_TURN) json_array_append_new(still, json_integer(i));
    }
    json_put(o, "layers_without_window", all);
    json_put(o, "layers_without_rotation", still);
    json_put(o, "layers_without_experts", dense);
    json_put(o, "activation", json_string(D->activation));
    json_put(o, "window", D->window ? json_integer(D->window) : json_null());
    json_put(o, "beyond", D->beyond ? json_string(D->beyond) : json_null());
    json_put(o, "own_code", D->own_code ? json_string(D->own_code) : json_null());
    json_t *unknown = json_array();
    for (long k = 0; k < D->unknown_keys; k++) json_array_append_new(unknown, json_string(D->unknown_key[k]));
    json_put(o, "unknown_settings", unknown);
    json_put(o, "fused_qkv", json_string(D->fused == FUSED_NOT ? "no" : D->fused == FUSED_BLOCKS ? "Q|K|V"
                                                             : "by head"));
    return o;
}

static bool reads(int role)
{
    return role == ROLE_Q || role == ROLE_K || role == ROLE_V || role == ROLE_QKV || role == ROLE_UP
        || role == ROLE_GATE || role == ROLE_GATE_UP || role == ROLE_HEAD || role == ROLE_ROUTER
        || role == ROLE_SHARED_GATE || role == ROLE_DENSE || role == ROLE_POOL || role == ROLE_EXPERTS_GATE_UP;
}
static bool writes(int role)
{
    return role == ROLE_EMBED || role == ROLE_TOKEN_TYPE || role == ROLE_POSITION
           || role == ROLE_O || role == ROLE_DOWN || role == ROLE_O_BIAS
           || role == ROLE_DOWN_BIAS || role == ROLE_EXPERTS_DOWN;
}

static json_t *tensors(const inspection *x)
{
    json_t *list = json_array();
    for (long k = 0; k < x->w->tensors; k++) {
        const weight_tensor *t = &x->w->tensor[k];
        json_t *o = json_object(), *shape = json_array();
        for (int i = 0; i < t->rank; i++) json_array_append_new(shape, json_integer(t->shape[i]));
        json_put(o, "name", json_string(t->name));
        json_put(o, "role", json_string(role_name[t->role]));
        const bool placed = !x->D->unknown && t->layer >= 0 && t->role != ROLE_BUFFER;
        const long expert = placed ? place_expert(x->D, t->layer) : -1;
        const long layer = placed ? place_layer(x->D, t->layer) : t->layer;
        json_put(o, "layer", layer < 0 ? json_null() : json_integer(layer));
        json_put(o, "expert", expert < 0 ? json_null() : json_integer(expert));
        json_put(o, "type", json_string(t->type));
        json_put(o, "shape", shape);
        json_put(o, "file", json_string(x->w->file[t->file].path));
        if (t->made) json_put(o, "offset", json_null());
        else set_long(o, "offset", (double)(t->at - x->w->file[t->file].at));
        set_long(o, "bytes", (double)t->bytes);
        const bool head = t->role == ROLE_EMBED && x->D->tied;
        const char *stream = head ? "writes, reads" : reads(t->role) ? "reads" : writes(t->role) ? "writes" : "";
        json_put(o, "stream", json_string(stream));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *conditions(const inspection *x)
{
    json_t *list = json_array();
    for (long i = 0; x->c && i < x->D->L; i++)
        for (int p = 0; p < 3; p++) {
            const matrix_condition *c = &x->c[i].of[p];
            if (!c->heads) continue;
            json_t *o = json_object(), *head = json_array(), *block = json_array();
            for (long a = 0; a < c->heads; a++) {
                json_array_append_new(head, json_of_real(c->head[a]));
                json_array_append_new(block, json_of_real(c->block[a]));
            }
            json_put(o, "layer", json_integer(i));
            json_put(o, "matrix", json_string(role_name[ROLE_Q + p]));
            json_put(o, "whole", json_of_real(c->whole));
            json_put(o, "heads", head);
            json_put(o, "blocks", block);
            json_array_append_new(list, o);
        }
    return list;
}

static json_t *theorems(const reduction_list *r)
{
    json_t *list = json_array();
    for (long k = 0; k < r->n; k++) {
        const reduction_row *t = &r->at[k];
        json_t *o = json_object(), *ids = json_array();
        char *copy = must_strdup(t->claims), *rest = copy, *id;
        while ((id = strsep(&rest, " "))) json_array_append_new(ids, json_string(id));
        free(copy);
        json_put(o, "what", json_string(t->name));
        json_put(o, "claims", ids);
        json_put(o, "applies", json_boolean(t->applies));
        json_put(o, "why", json_string(t->why));
        set_long(o, "parameters_removed", t->parameters);
        set_long(o, "bytes_removed", t->bytes);
        set_long(o, "flops_per_token_removed", t->flops);
        json_put(o, "bits_lost", json_of_real(t->bits));
        json_array_append_new(list, o);
    }
    return list;
}

void inspect_print_json(FILE *f, const inspection *x)
{
    json_t *o = json_object();
    json_put(o, "file", json_string(x->w->path));
    json_put(o, "format", json_string(x->w->format));
    json_t *notes = json_array();
    for (long k = 0; k < x->w->notes; k++) json_array_append_new(notes, json_string(x->w->note[k]));
    json_put(o, "notes", notes);
    set_long(o, "parameters", (double)x->D->parameters);
    set_long(o, "bytes", (double)x->D->bytes);
    json_put(o, "architecture", x->D->L ? inspect_architecture(x->D) : json_null());
    json_put(o, "nothing_applies_because", x->r->nothing ? json_string(x->r->nothing) : json_null());
    json_put(o, "theorems", theorems(x->r));
    json_put(o, "conditions", conditions(x));
    json_put(o, "tensors", tensors(x));
    json_print(f, o, 10);
    json_decref(o);
}
