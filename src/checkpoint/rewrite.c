/* SPDX-License-Identifier: GPL-3.0-or-later
 * rewrite.c - see rewrite.h. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/experts.h"
#include "src/checkpoint/rewrite.h"

/* ---- sums with what is not there ------------------------------------------------------------------------------- */

static const mat *plus(scope *s, const mat *a, const mat *b) { return !a ? b : !b ? a : mat_add(s, a, b); }
static const mat *minus(scope *s, const mat *a, const mat *b)
{
    return !b ? a : !a ? mat_neg(s, b) : mat_sub(s, a, b);
}
static const mat *times(scope *s, const mat *a, const mat *b) { return a && b ? mat_mul(s, a, b) : a; }

/* ---- reads and writes -------------------------------------------------------------------------------------------- */

/* Of the norm in front of W: W~ = (Theta^-1 G) W, b~ = b + beta W - (c Theta^-1 G) W.  The first factor is made once,
 * and W has few bits. */
static stream_reader reader_of(rewrite *r, tensor_role gain, long layer)
{
    const stream_basis *b = gain == ROLE_FINAL_GAIN ? &r->in[r->D->L] : rewrite_basis(r, layer);
    stream_reader *to = &r->reader;
    if (!r->fold || !tensor_of(r->D, gain, layer)) return (stream_reader){ .back = b->back, .shift = b->read_shift };
    if (to->gain == gain && to->layer == layer) return *to;
    scope *s = &r->read;
    scope_close(s);
    *s = scope_open(r->R, 0, 0);
    s->frugal = true;
    *to = (stream_reader){ .gain = gain, .layer = layer, .g = rewrite_folded_gain(r, s, gain, layer) };
    if (b->back) to->back = mat_t(s, mat_scale_rows(s, to->g, mat_t(s, b->back)));
    if (b->read_shift) to->shift = mat_t(s, mat_scale_rows(s, to->g, mat_t(s, b->read_shift)));
    scope_sweep(s, NULL, 3, (const mat *[]){ to->g, to->back, to->shift });
    return *to;
}

static const mat *read_matrix(scope *s, const stream_reader *to, const mat *W)
{
    return to->back ? mat_mul(s, to->back, W) : to->g ? mat_scale_rows(s, to->g, W) : W;
}

static const mat *read_bias(rewrite *r, scope *s, const stream_reader *to, const mat *beta, const mat *W,
                            const mat *bias)
{
    if (r->fold && beta) bias = plus(s, bias, mat_mul(s, beta, W));
    return to->shift ? minus(s, bias, mat_mul(s, to->shift, W)) : bias;
}

static const mat *file_part(const rewrite *r, scope *s, tensor_role role, long layer)
{
    return part_of_file(r->D, s, role, layer, 0, 0);
}

static const mat *read_up(rewrite *r, scope *s, tensor_role role, long layer, long first, long count)
{
    const stream_reader to = reader_of(r, ROLE_GAIN2, layer);
    return read_matrix(s, &to, part_of_file(r->D, s, role, layer, first, count));
}

enum { NEURONS = 256 };                  /* at a time: all of them in balls would be more than the layer's attention */

static const mat *read_up_bias(rewrite *r, scope *s, tensor_role matrix, tensor_role bias, long layer)
{
    const transformer *D = r->D;
    const stream_reader to = reader_of(r, ROLE_GAIN2, layer);
    const mat *own = file_part(r, s, bias, layer), *beta = r->fold ? file_part(r, s, ROLE_BIAS2, layer) : NULL;
    if (!to.shift && !beta) return own;
    mat *all = mat_blank(s, 1, D->m);
    for (long i = 0; i < D->m; i += NEURONS) {
        const long n = D->m - i < NEURONS ? D->m - i : NEURONS;
        const mat *before = s->first, *W = part_of_file(D, s, matrix, layer, i, n);
        mat_put(all, 0, i, read_bias(r, s, &to, beta, W, own ? mat_cols(s, own, i, n) : NULL), 0, 0, 1, n);
        scope_sweep(s, before, 0, NULL);
    }
    return all;
}

/* ---- embeddings and head ---------------------------------------------------------------------------------------- */

static const mat *embedded(rewrite *r, scope *s, tensor_role role, long first, long count)
{
    const stream_basis *b = rewrite_basis(r, 0);
    const bool shifts = b->shift && (role == ROLE_POSITION || r->D->positions != POSITIONS_LEARNED);
    const mat *E = times(s, part_of_file(r->D, s, role, -1, first, count), b->write);
    return shifts ? mat_add_row(s, E, b->shift) : E;
}

static const mat *head(rewrite *r, scope *s, bool bias, long first, long count)
{
    const mat *own = bias ? part_of_file(r->D, s, ROLE_HEAD_BIAS, -1, first, count) : NULL;
    if (r->model.tied) return bias ? own : mat_t(s, embedded(r, s, ROLE_EMBED, first, count));
    const mat *W = part_of_file(r->D, s, ROLE_HEAD, -1, first, count);
    const stream_reader to = reader_of(r, ROLE_FINAL_GAIN, -1);
    if (!bias) return read_matrix(s, &to, W);
    return read_bias(r, s, &to, file_part(r, s, ROLE_FINAL_BIAS, -1), W, own);
}

/* What is left of a norm: gains 1, biases 0; a tied head keeps what stands in front of it, which is 1. */
static const mat *norm_part(const rewrite *r, scope *s, tensor_role role, long layer)
{
    if (r->model.norm == NORM_OF_NONE) return NULL;
    const mat *x = file_part(r, s, role, layer);
    const bool final = role == ROLE_FINAL_GAIN || role == ROLE_FINAL_BIAS;
    if (!x || !r->fold || (final && r->model.tied)) return x;
    const bool gain = role == ROLE_GAIN1 || role == ROLE_GAIN2 || role == ROLE_FINAL_GAIN;
    return gain ? mat_ones(s, 1, x->cols) : mat_zero(s, 1, x->cols);
}

/* ---- attention -------------------------------------------------------------------------------------------------- */

/* Frees what the last step left over. */
static void sweep(rewrite *r) { scope_sweep(&r->layer, NULL, ROLES, r->of); }

/* W~ that is 0 and 1 by construction, as these numbers, not balls around them; NULL: another. */
static const mat *settled(rewrite *r, projection p, long layer)
{
    const long d = r->D->d, kv = r->D->h_kv * r->D->dk;
    if (p == PROJECT_Q && rewrite_query_is_one(r, layer)) return unit_columns(&r->layer, d, 0, r->D->h * r->D->dk);
    if (p == PROJECT_Q || !rewrite_keys_are_ones(r, layer)) return NULL;
    return unit_columns(&r->layer, d, p == PROJECT_K ? 0 : kv, kv);
}

static void read_projection(rewrite *r, projection p, long layer)
{
    scope *s = &r->layer;
    const stream_reader to = reader_of(r, ROLE_GAIN1, layer);
    const tensor_role matrix = ROLE_Q + (tensor_role)p, bias = ROLE_Q_BIAS + (tensor_role)p;
    const mat *W = file_part(r, s, matrix, layer), *b = file_part(r, s, bias, layer);
    if (!W) {                                            /* the identity: heads have gauges of their own only */
        r->of[matrix] = NULL;
        r->of[bias] = b;
        return;
    }
    const mat *one = settled(r, p, layer);
    const bool zero = p == PROJECT_Q && one && to.shift;
    r->of[bias] = zero ? mat_zero(s, 1, W->cols) : read_bias(r, s, &to, file_part(r, s, ROLE_BIAS1, layer), W, b);
    r->of[matrix] = one ? one : read_matrix(s, &to, W);
}

static void build_attention(rewrite *r, long layer)
{
    scope_close(&r->layer);
    r->layer = scope_open(r->R, 0, 0);
    r->layer.frugal = true;
    r->at = layer;
    memset(r->of, 0, sizeof r->of);
    for (int p = 0; p < 3; p++) {
        read_projection(r, (projection)p, layer);
        sweep(r);
    }
    scope_close(&r->read);                               /* room for W_O */
    r->reader = (stream_reader){ .back = NULL };
    r->of[ROLE_O] = file_part(r, &r->layer, ROLE_O, layer);
    if (r->plan.row) rewrite_zero_row(r, layer);
    sweep(r);
    rewrite_head_gauges(r, layer);
    sweep(r);
    r->of[ROLE_O] = times(&r->layer, r->of[ROLE_O], rewrite_basis(r, layer)->write);
    if (r->plan.collapse) rewrite_collapse(r, layer);
    if (r->plan.slim) rewrite_slim(r, layer);
    sweep(r);
}

static const mat *attention_part(rewrite *r, scope *s, tensor_role role, long layer)
{
    if (r->at != layer) build_attention(r, layer);
    const mat *A = r->of[role];
    return A ? mat_cols(s, A, 0, A->cols) : NULL;        /* a copy, in the caller's scope */
}

/* ---- parts ------------------------------------------------------------------------------------------------------ */

/* Parts of a mixture of experts, which stay as they are. */
static bool of_mixture(tensor_role role)
{
    return role == ROLE_UP || role == ROLE_GATE || role == ROLE_DOWN || role == ROLE_ROUTER || role == ROLE_SHARED_GATE;
}

static const mat *part(void *of, scope *s, tensor_role role, long layer, long first, long count)
{
    rewrite *r = of;
    REQUIRE(s->R == r->R, "weights over %s for a scope over %s", r->R->name, s->R->name);
    if (experts_in_layer(r->D, place_layer(r->D, layer)) && of_mixture(role)) {
        REQUIRE(r->plan.stream == STREAM_KEPT, "another basis of the stream");
        return part_of_file(r->D, s, role, layer, first, count);
    }
    switch (role) {
    case ROLE_EMBED: case ROLE_POSITION: return embedded(r, s, role, first, count);
    case ROLE_TOKEN_TYPE: case ROLE_PAD_POSITION: return part_of_file(r->D, s, role, layer, first, count);
    case ROLE_HEAD:      return head(r, s, false, first, count);
    case ROLE_HEAD_BIAS: return head(r, s, true, first, count);
    case ROLE_FINAL_GAIN: case ROLE_FINAL_BIAS: case ROLE_GAIN1: case ROLE_BIAS1: case ROLE_GAIN2: case ROLE_BIAS2:
        return norm_part(r, s, role, layer);
    case ROLE_Q: case ROLE_K: case ROLE_V: case ROLE_O: case ROLE_Q_BIAS: case ROLE_K_BIAS: case ROLE_V_BIAS:
        return attention_part(r, s, role, layer);
    case ROLE_O_BIAS:    return times(s, file_part(r, s, role, layer), rewrite_basis(r, layer)->write);
    case ROLE_UP: case ROLE_GATE: return read_up(r, s, role, layer, first, count);
    case ROLE_UP_BIAS:   return read_up_bias(r, s, ROLE_UP, ROLE_UP_BIAS, layer);
    case ROLE_GATE_BIAS: return read_up_bias(r, s, ROLE_GATE, ROLE_GATE_BIAS, layer);
    case ROLE_DOWN: case ROLE_DOWN_BIAS:
        return times(s, part_of_file(r->D, s, role, layer, first, count),
                     rewrite_writer(r, s, r->D->mlp_skip ? layer : layer + 1));
    default: return file_part(r, s, role, layer);
    }
}

weight_source rewrite_source(rewrite *r) { return (weight_source){ .D = &r->model, .part = part, .of = r }; }
const transformer *rewrite_model(const rewrite *r) { return &r->model; }

bool rewrite_changes(const rewrite *r, tensor_role role)
{
    if (role == ROLE_BUFFER || role == ROLE_Q_GAIN || role == ROLE_K_GAIN) return false;
    if (r->plan.stream != STREAM_KEPT) return true;
    const rewrite_plan *p = &r->plan;
    return role >= ROLE_Q && role <= ROLE_QKV_BIAS && (p->values || p->queries || p->pairs || p->row || p->collapse
                                                        || p->slim);
}

rewrite *rewrite_open(const transformer *D, rewrite_plan plan, const arith *R)
{
    REQUIRE(!D->unknown && !D->unreadable && !D->quantised, "%s", D->unknown ? D->unknown : "quantised");
    REQUIRE(plan.stream == STREAM_KEPT || !(D->identity[0] || D->identity[1] || D->identity[2]), "an identity");
    rewrite *r = must_calloc(1, sizeof *r);
    *r = (rewrite){ .D = D, .model = *D, .plan = plan, .R = R, .at = -1,
                    .fold = plan.stream != STREAM_KEPT && D->norm != NORM_OF_NONE };
    r->keep = scope_open(R, 0, 0);
    r->read = scope_open(R, 0, 0);
    r->keep.frugal = true;
    r->layer = scope_open(R, 0, 0);
    r->model.unknown = NULL;
    r->model.tied = D->tied && !plan.untie;
    r->model.slim = plan.slim;
    r->in = must_calloc((size_t)D->L + 1, sizeof *r->in);
    if (plan.stream == STREAM_NO_LAYERNORM) r->model.norm = NORM_OF_NONE;
    if (plan.stream == STREAM_TRIANGLE) rewrite_rotate(r);
    else if (plan.stream != STREAM_KEPT) rewrite_choose_basis(r);
    return r;
}

const char *rewrite_no_gauges(const rewrite *r)
{
    const rewrite_plan *p = &r->plan;
    if (p->collapse) return "the matrices of a single head become one";
    if (p->slim) return "values are computed from keys";
    if (p->row) return "a row of W_Q becomes 0, which is no change of basis";
    if (p->stream == STREAM_NO_LAYERNORM) return "its LayerNorms are removed";
    if (p->stream != STREAM_KEPT && r->D->norm_bias) return "biases of norms become biases of what reads them";
    return NULL;
}

void rewrite_tell_gauges(rewrite *r, gauge_file *to)
{
    r->told = to;
    const bool every = r->plan.stream == STREAM_EVERY_QUERY;
    for (long i = 0; i <= (r->D->mlp_skip ? 0 : r->D->L) && r->plan.stream != STREAM_KEPT; i++)
        if (!every || i == r->held) gauge_file_take_basis(to, i, r->in[i].write, r->in[i].shift);
}

const char *rewrite_undecided(const rewrite *r)
{
    return r->keep.status != HOLDS ? r->keep.why : r->layer.status != HOLDS ? r->layer.why : NULL;
}

void rewrite_close(rewrite *r)
{
    scope_close(&r->keep);
    scope_close(&r->read);
    scope_close(&r->layer);
    free(r->in);
    free(r);
}
