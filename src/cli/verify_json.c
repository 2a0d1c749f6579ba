/* SPDX-License-Identifier: GPL-3.0-or-later
 * verify_json.c - `provably verify --json`: one object.  A number that is infinite or not a number is null. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/experts.h"
#include "src/cli/inspect.h"
#include "src/cli/json.h"
#include "src/cli/verify.h"

static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

static json_t *model(const opened *m)
{
    json_t *o = json_object();
    json_put(o, "file", json_string(m->w.path));
    json_put(o, "format", json_string(m->w.format));
    json_put(o, "files", verify_files(m));
    json_put(o, "parameters", json_integer((json_int_t)m->D.parameters));
    json_put(o, "architecture", m->why ? json_null() : inspect_architecture(&m->D));
    json_put(o, "why_not_computed", text_or_null(m->why));
    return o;
}

/* ---- tensors ----------------------------------------------------------------------------------------------------- */

static const char *const relations[] = {
    [RELATION_EQUAL] = "equal", [RELATION_ROUNDED] = "rounded", [RELATION_QUANTISED] = "quantised",
    [RELATION_COARSER] = "coarser",
    [RELATION_TRANSPOSED] = "transposed", [RELATION_OFFSET] = "offset", [RELATION_PAIRS] = "rotary pairs",
    [RELATION_HEADS] = "heads", [RELATION_SHIFTED] = "positions", [RELATION_SCALED] = "scaled",
    [RELATION_ROWS_SCALED] = "inputs scaled", [RELATION_COLUMNS_SCALED] = "outputs scaled",
    [RELATION_CONSTANTS] = "constants", [RELATION_PERMUTED] = "permuted", [RELATION_NONE] = "different" };

/* The layer of a part, and the expert: of a layer's others, null; the shared one is the last. */
static void put_place(json_t *o, const transformer *D, long at)
{
    const long e = at < 0 ? -1 : place_expert(D, at);
    json_put(o, "layer", at < 0 ? json_null() : json_integer(place_layer(D, at)));
    json_put(o, "expert", e < 0 ? json_null() : json_integer(e));
}

static json_t *layer_or_null(const verified *v, long at)
{
    return at < 0 ? json_null() : json_integer(place_layer(v->of[0], at));
}

static json_t *found(const transformer *D, const finding *f)
{
    if (!f) return json_null();
    json_t *o = json_object();
    json_put(o, "tensor", json_string(f->tensor));
    json_put(o, "role", json_string(role_name[f->role]));
    put_place(o, D, f->layer);
    json_put(o, "relation", json_string(f->open ? "undecided" : relations[f->kind]));
    json_put(o, "words", json_string(f->text));
    json_put(o, "gap", json_of_real(f->gap));
    json_put(o, "units", json_of_real(f->units));
    json_put(o, "same_function", json_boolean(f->harmless));
    return o;
}

static json_t *texts(char *const *text, long n)
{
    json_t *list = json_array();
    for (long k = 0; k < n; k++) json_array_append_new(list, json_string(text[k]));
    return list;
}

static json_t *found_by_name(const listed *f)
{
    static const char *const kinds[] = { [LISTED_ROUNDED] = "rounded", [LISTED_QUANTISED] = "quantised",
        [LISTED_DIFFERENT] = "different",
        [LISTED_TRANSPOSED] = "transposed", [LISTED_SHAPE] = "shape", [LISTED_MISSING] = "missing",
        [LISTED_EXTRA] = "extra", [LISTED_OPEN] = "undecided" };
    json_t *o = json_object();
    json_put(o, "tensor", json_string(f->tensor));
    json_put(o, "role", json_null());
    json_put(o, "layer", json_null());
    json_put(o, "expert", json_null());
    json_put(o, "relation", json_string(kinds[f->kind]));
    json_put(o, "words", json_string(f->text));
    json_put(o, "gap", json_of_real(f->gap));
    json_put(o, "units", json_of_real(f->units));
    json_put(o, "same_function", json_false());
    return o;
}

static json_t *tensors_by_name(const listing *l)
{
    json_t *o = json_object(), *list = json_array();
    json_put(o, "compared", json_integer(l->compared));
    json_put(o, "equal", json_integer(l->equal));
    json_put(o, "equal_to_rounding", json_integer(l->rounded));
    json_put(o, "settings", texts(l->setting, l->settings));
    for (long k = 0; k < l->n; k++) json_array_append_new(list, found_by_name(&l->at[k]));
    json_put(o, "not_equal", list);
    json_t *remarks = json_array();
    char *fused = verify_fused_words(l);
    if (fused) json_array_append_new(remarks, json_string(fused));
    free(fused);
    if (l->tied) json_array_append_new(remarks, json_string(l->tied));
    json_put(o, "remarks", remarks);
    json_put(o, "first", l->n ? found_by_name(&l->at[0]) : json_null());
    return o;
}

static json_t *tensors(const verified *v)
{
    const structure *t = &v->t;
    if (v->by_name) return tensors_by_name(&v->listed);
    if (!v->sizes) return json_null();
    json_t *o = json_object(), *list = json_array();
    json_put(o, "compared", json_integer(t->compared));
    json_put(o, "equal", json_integer(t->equal));
    json_put(o, "equal_to_rounding", json_integer(t->rounded));
    json_put(o, "settings", texts(t->setting, t->settings));
    for (long k = 0; k < t->n; k++) json_array_append_new(list, found(v->of[0], &t->at[k]));
    json_put(o, "not_equal", list);
    json_put(o, "remarks", texts(t->remark, t->remarks));
    json_put(o, "first", found(v->of[0], verify_first_tensor(v)));
    return o;
}

static void put_undone(json_t *list, const contracted *c)
{
    for (long k = 0; k < c->n; k++) {
        const undone *u = &c->at[k];
        char *words = undone_words(u);
        json_t *o = json_object();
        json_put(o, "what", json_string(undone_name[u->kind]));
        json_put(o, "first_layer", u->first < 0 ? json_null() : json_integer(u->first));
        json_put(o, "last_layer", u->last < 0 ? json_null() : json_integer(u->last));
        json_put(o, "count", json_integer(u->n));
        json_put(o, "of", json_integer(u->of));
        json_put(o, "words", json_string(words));
        json_array_append_new(list, o);
        free(words);
    }
}

/* Number and place of one that is far, in steps of its block; null: none. */
static json_t *far_in(const finding *f, const far_number *is)
{
    if (!f) return json_null();
    json_t *o = json_object();
    char *entry = quantised_place(f->blocks, is->at);
    json_put(o, "tensor", json_string(f->tensor));
    json_put(o, "entry", json_string(entry));
    json_put(o, "steps", json_of_real(is->steps));
    free(entry);
    return o;
}

/* Of parts that are A's rounded to blocks; null: there are none. */
static json_t *quantised(const verified *v)
{
    if (v->by_name || !v->sizes || !v->t.quantised) return json_null();
    quantised_parts q = verify_quantised_parts(&v->t);
    json_t *o = json_object();
    json_put(o, "types", json_string(q.types));
    json_put(o, "parts", json_integer(q.parts));
    json_put(o, "farthest", far_in(q.within, &q.within->quantised.within));
    json_put(o, "cut_off", json_integer((json_int_t)q.cut_off));
    json_put(o, "farthest_cut_off", far_in(q.beyond, q.beyond ? &q.beyond->quantised.beyond : NULL));
    free(q.types);
    return o;
}

/* What both were compared without, and what of A in another order. */
static json_t *left_out(const verified *v)
{
    if (!v->undone && !v->in_common && !v->in_order) return json_null();
    json_t *o = json_object();
    for (int k = 0; k < 2; k++) {
        json_t *list = json_array();
        put_undone(list, &v->common[k]);
        put_undone(list, &v->left[k]);
        if (k == 0) put_undone(list, &v->ordered);
        json_put(o, k ? "B" : "A", list);
    }
    return o;
}

static json_t *image(const verified *v)
{
    const gauge_found *g = &v->image;
    if (!v->sizes || v->alike) return json_null();
    json_t *o = json_object();
    json_put(o, "found", json_boolean(g->found));
    json_put(o, "why_not", text_or_null(g->why));
    json_put(o, "stream_bases", json_integer(g->found ? g->bases : 0));
    json_put(o, "gains_folded", json_boolean(g->found && g->folded));
    json_put(o, "head_gauges", json_integer(g->found ? g->gauges : 0));
    json_put(o, "orders", json_integer(g->found ? g->orders : 0));
    json_put(o, "zero_rows", json_integer(g->found ? g->zero_rows : 0));
    json_put(o, "distance", g->found ? json_of_real(g->distance) : json_null());
    json_put(o, "units", g->found ? json_of_real(g->units) : json_null());
    json_put(o, "units_allowed", g->found ? json_of_real(g->allowed) : json_null());
    json_put(o, "unit_roundoff", json_of_real(g->unit));
    json_put(o, "farthest", g->found && g->distance > 0 ? json_string(role_name[g->role]) : json_null());
    json_put(o, "farthest_layer", layer_or_null(v, g->found ? g->layer : -1));
    return o;
}

/* Of the file that came with B; null: none did. */
static json_t *gauges(const verified *v)
{
    if (!v->gauges.path && !v->passed) return json_null();
    json_t *o = json_object();
    json_put(o, "file", text_or_null(v->gauges.path));
    json_put(o, "used", json_boolean(v->image.found && v->image.given));
    json_put(o, "why_not", text_or_null(v->passed ? v->passed : v->gauges_why));
    return o;
}

/* Not sought where the numbers are the same, or B is another exact image. */
static json_t *symmetries(const verified *v)
{
    const symmetry_found *g = &v->scaled;
    if (!v->sizes || v->alike || (v->image.found && v->image.distance == 0)) return json_null();
    const bool is = g->found || g->up_to_a_constant;
    json_t *o = json_object();
    json_put(o, "found", json_boolean(g->found));
    json_put(o, "up_to_a_constant", json_boolean(g->up_to_a_constant));
    json_put(o, "exact", json_boolean(g->exact));
    const struct { const char *name; long n; } count[] = { { "gains", g->gains }, { "neurons", g->neurons },
        { "values", g->values }, { "queries_and_keys", g->keys }, { "norm_biases", g->norm_biases },
        { "value_biases", g->value_biases }, { "key_biases", g->key_biases }, { "readers_centred", g->readers },
        { "writers_centred", g->writers }, { "routers_moved", g->routers } };
    for (size_t k = 0; k < COUNT(count); k++) json_put(o, count[k].name, json_integer(is ? count[k].n : 0));
    json_put(o, "factor_of_scores", json_boolean(is && g->factor));
    json_put(o, "units", is ? json_of_real(g->units) : json_null());
    json_put(o, "units_allowed", is ? json_of_real(g->allowed) : json_null());
    json_put(o, "no_image", is || g->role == ROLE_UNKNOWN ? json_null() : json_string(role_name[g->role]));
    json_put(o, "no_image_layer", layer_or_null(v, is ? -1 : g->layer));
    return o;
}

static json_t *replay(const verified *v)
{
    const replayed *r = &v->replay;
    if (!r->words) return json_null();
    json_t *o = json_object();
    json_put(o, "constructions", json_string(r->words));
    json_put(o, "found", json_boolean(r->found));
    json_put(o, "why_not", text_or_null(r->why));
    json_put(o, "units", r->found ? json_of_real(r->units) : json_null());
    return o;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static json_t *stage(const stage_gap *g)
{
    static const char *const name[] = { [STAGE_EMBED] = "embedding", [STAGE_ATTENTION] = "attention",
                                        [STAGE_MLP] = "MLP", [STAGE_NORM] = "final norm", [STAGE_LOGITS] = "logits" };
    if (!g) return json_null();
    json_t *o = json_object();
    json_put(o, "stage", json_string(name[g->stage]));
    json_put(o, "layer", g->layer < 0 ? json_null() : json_integer(g->layer));
    json_put(o, "gap", json_of_real(g->gap));
    json_put(o, "explained_by_rounding", json_of_real(g->tolerance));
    return o;
}

static json_t *gap_of(double gap, double explained)
{
    json_t *o = json_object();
    json_put(o, "gap", json_of_real(gap));
    json_put(o, "explained_by_rounding", json_of_real(explained));
    return o;
}

static json_t *first_logits(const token_gaps *g)
{
    if (g->list < 0) return json_null();
    json_t *o = json_object();
    json_put(o, "sequence", json_integer(g->list));
    json_put(o, "token", json_integer(g->token));
    json_put(o, "position", json_integer(g->position));
    return o;
}

static json_t *on_tokens(const verified *v)
{
    const token_gaps *g = &v->g;
    if (!v->figures) return json_null();
    json_t *o = json_object(), *stages = json_array();
    json_put(o, "from", json_string(v->tokens));
    json_put(o, "sequences", verify_lists(v->n, v->lists));
    const transformer *D = &v->m[0].D;
    json_put(o, "outputs", json_string(D->headless ? "last stream" : has_token_logits(D) ? "logits" : "one logit"));
    json_put(o, "logits", gap_of(g->logits, g->logits_tolerance));
    json_put(o, "largest_logit", json_of_real(g->most));
    json_put(o, "up_to_a_constant", gap_of(g->shift, g->shift_tolerance));
    json_put(o, "kl_divergence", json_of_real(g->divergence));
    json_put(o, "mean_kl_divergence", json_of_real(g->mean_divergence));
    json_put(o, "tokens", json_integer(g->tokens));
    json_put(o, "same_most_likely", json_integer(g->same_first));
    json_put(o, "ties", json_integer(v->ties));
    json_put(o, "top_k", json_integer(COMPARE_TOP));
    json_put(o, "share_of_top_k", json_of_real(g->top));
    for (long k = 0; k < g->stages; k++) json_array_append_new(stages, stage(&g->at[k]));
    json_put(o, "stages", stages);
    json_put(o, "first_stage", stage(verify_first_stage(v)));
    json_put(o, "first_logits", first_logits(g));
    return o;
}

static json_t *certified(const verified *v)
{
    const certified_gaps *c = &v->c;
    if (!v->certified) return json_null();
    json_t *o = json_object();
    json_put(o, "bits", json_integer(v->bits));
    json_put(o, "why_not", text_or_null(c->why));
    if (c->why) return o;
    const bool shift = v->relation == UP_TO_SOFTMAX;
    json_put(o, "low", json_of_real(shift ? c->shift_low : c->low));
    json_put(o, "high", json_of_real(shift ? c->shift_high : c->high));
    json_put(o, "tokens", json_integer(c->tokens));
    json_put(o, "certainly_same_most_likely", json_integer(c->same_first));
    json_put(o, "certainly_other_most_likely", json_integer(c->other_first));
    return o;
}

static json_t *gradients(const verified *v)
{
    if (!v->differentiated) return json_null();
    json_t *o = json_object(), *list = json_array();
    json_put(o, "correspond", v->gradients ? json_boolean(v->corresponds) : json_null());
    for (long k = 0; k < v->gradients; k++) {
        const gradient_gap *g = &v->gradient[k];
        json_t *one = json_object();
        json_put(one, "role", json_string(role_name[g->role]));
        json_put(one, "in_a", json_of_real(g->of_a));
        json_put(one, "in_b", json_of_real(g->of_b));
        json_put(one, "explained_by_rounding", json_of_real(g->tolerance));
        json_array_append_new(list, one);
    }
    json_put(o, "derivatives", list);
    return o;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

typedef enum { ABOUT_COMMON, ABOUT_NUMBERS, ABOUT_TOKENS, ABOUT_INPUTS } answer_about;
static const char *const about_word[] = {
    [ABOUT_COMMON] = "inputs in common", [ABOUT_NUMBERS] = "numbers and settings",
    [ABOUT_TOKENS] = "these token sequences", [ABOUT_INPUTS] = "all inputs" };

static answer_about about(const verified *v)
{
    const bool tokens = verify_asked(v) && v->is != ANSWER_SAME && v->is != ANSWER_ROUNDED && v->is != ANSWER_NUMBERS;
    if (verify_in_common(v)) return ABOUT_COMMON;
    return v->is == ANSWER_NUMBERS || v->of_numbers ? ABOUT_NUMBERS : tokens ? ABOUT_TOKENS : ABOUT_INPUTS;
}

/* What the answer depends on. */
static json_t *hypotheses(const verified *v)
{
    json_t *list = json_array();
    json_array_append_new(list, json_string("weights are the numbers of the files, and the formulas are over the real "
        "numbers; eps is the float32 next to the configuration's"));
    if (about(v) != ABOUT_TOKENS) return list;
    json_array_append_new(list, json_string("nothing is said about other tokens than those of the sequences"));
    if (!v->certified || v->c.why)
        json_array_append_new(list, json_string("gaps are computed in doubles, and what rounding explains is an "
            "estimate from drawn signs"));
    return list;
}

/* Its form is src/cli/schema/verify.json. */
void verify_print_json(FILE *f, const verified *v)
{
    static const char *const words[ANSWERS] = { [ANSWER_SAME] = "same", [ANSWER_ROUNDED] = "same-up-to-rounding",
        [ANSWER_QUANTISED] = "quantised", [ANSWER_NUMBERS] = "same-numbers",
        [ANSWER_AS_ASKED] = "as-asked", [ANSWER_DIFFERENT] = "different",
        [ANSWER_UNDECIDED] = "undecided" };
    const bool gap = v->figures && v->relation != UP_TO_ARGMAX;
    json_t *o = json_object();
    json_put(o, "provably", json_string("verify"));
    json_put(o, "schema", json_integer(2));
    json_put(o, "A", model(&v->m[0]));
    json_put(o, "B", model(&v->m[1]));
    json_put(o, "base", text_or_null(v->base));
    json_put(o, "adapter", text_or_null(v->adapter));
    json_put(o, "relation", json_string(up_to_name[v->relation]));
    json_put(o, "answer", json_string(!verify_in_common(v) ? words[v->is] : v->is == ANSWER_SAME ? "same-in-common"
                                      : "same-in-common-up-to-rounding"));
    json_put(o, "answer_is_about", json_string(about_word[about(v)]));
    json_put(o, "because", json_string(v->because));
    json_put(o, "byte_identical", json_boolean(v->identical));
    json_put(o, "units", v->is == ANSWER_ROUNDED ? json_of_real(v->units) : json_null());
    json_put(o, "units_allowed", v->is == ANSWER_ROUNDED ? json_of_real(v->allowed) : json_null());
    json_put(o, "hypotheses", hypotheses(v));
    json_put(o, "gap", gap ? json_of_real(v->gap) : json_null());
    json_put(o, "bound", gap ? json_of_real(v->tolerance) : json_null());
    json_put(o, "undone", left_out(v));
    json_put(o, "tensors", tensors(v));
    json_put(o, "quantised", quantised(v));
    json_put(o, "gauges", gauges(v));
    json_put(o, "image", image(v));
    json_put(o, "symmetries", symmetries(v));
    json_put(o, "replay", replay(v));
    json_t *around = json_array();
    for (long k = 0; k < v->arounds; k++) json_array_append_new(around, json_string(v->around[k]));
    json_put(o, "surroundings", around);
    json_put(o, "seed", json_integer((json_int_t)v->seed));
    json_put(o, "on_tokens", on_tokens(v));
    json_put(o, "certified", certified(v));
    json_put(o, "gradients", gradients(v));
    json_put(o, "exit_status", json_integer(v->status));
    json_print(f, o, 17);
    json_decref(o);
}
