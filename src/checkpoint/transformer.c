/* SPDX-License-Identifier: GPL-3.0-or-later
 * transformer.c - see transformer.h: every tensor against the configuration. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/compact.h"
#include "src/checkpoint/config.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/names.h"
#include "src/checkpoint/rope.h"

const char *const role_name[ROLES] = {
    [ROLE_UNKNOWN] = "unknown", [ROLE_BUFFER] = "buffer", [ROLE_EMBED] = "embedding", [ROLE_POSITION] = "positions",
    [ROLE_EMBED_GAIN] = "gain of the embedding", [ROLE_EMBED_BIAS] = "norm bias of the embedding",
    [ROLE_HEAD] = "head", [ROLE_HEAD_BIAS] = "head bias", [ROLE_FINAL_GAIN] = "final gain",
    [ROLE_FINAL_BIAS] = "final bias",
    [ROLE_GAIN1] = "gain 1", [ROLE_BIAS1] = "norm bias 1", [ROLE_Q] = "W_Q", [ROLE_K] = "W_K", [ROLE_V] = "W_V",
    [ROLE_QKV] = "W_Q W_K W_V", [ROLE_O] = "W_O", [ROLE_Q_BIAS] = "b_Q", [ROLE_K_BIAS] = "b_K", [ROLE_V_BIAS] = "b_V",
    [ROLE_QKV_BIAS] = "b_Q b_K b_V", [ROLE_O_BIAS] = "b_O", [ROLE_Q_GAIN] = "Q gain", [ROLE_K_GAIN] = "K gain",
    [ROLE_GAIN2] = "gain 2", [ROLE_BIAS2] = "norm bias 2", [ROLE_UP] = "up", [ROLE_GATE] = "gate", [ROLE_DOWN] = "down",
    [ROLE_UP_BIAS] = "b_up", [ROLE_GATE_BIAS] = "b_gate", [ROLE_DOWN_BIAS] = "b_down", [ROLE_GATE_UP] = "gate up",
    [ROLE_POST_GAIN1] = "gain behind attention", [ROLE_POST_GAIN2] = "gain behind the MLP",
    [ROLE_POST_BIAS1] = "norm bias behind attention", [ROLE_POST_BIAS2] = "norm bias behind the MLP",
    [ROLE_TOKEN_TYPE] = "types of tokens", [ROLE_PAD_POSITION] = "position of tokens that pad",
    [ROLE_BUCKETS] = "biases by distance", [ROLE_DENSE] = "dense layer of the head",
    [ROLE_DENSE_BIAS] = "bias of the head's dense layer",
    [ROLE_DENSE_GAIN] = "gain of the head", [ROLE_DENSE_SHIFT] = "norm bias of the head",
    [ROLE_POOL] = "pooler", [ROLE_POOL_BIAS] = "bias of the pooler", [ROLE_NEXT] = "next sentence",
    [ROLE_NEXT_BIAS] = "bias of the next sentence",
    [ROLE_ROUTER] = "router", [ROLE_SHARED_GATE] = "weight of the shared expert",
    [ROLE_EXPERTS_GATE_UP] = "gate up of all experts", [ROLE_EXPERTS_DOWN] = "down of all experts" };

const weight_tensor *tensor_of(const transformer *D, tensor_role role, long layer)
{
    return D->at[(layer + 1) * ROLES + (long)role];
}

bool norms_in_front(const transformer *D) { return D->norms != NORMS_BEHIND && D->norms != NORMS_OF_SUMS; }

bool symmetric_within(const transformer *D)
{
    return D->norms == NORMS_OF_SUMS && D->positions == POSITIONS_LEARNED && D->qk == QK_PLAIN && D->score_cap == 0;
}

bool has_token_logits(const transformer *D) { return !D->headless && D->outputs == D->V; }

const char *own_symmetries(const transformer *D)
{
    if (D->norms == NORMS_OF_SUMS) return "norms stand in the stream itself, behind what layers add to it";
    if (D->offset_gain) return "its gains multiply by 1 + w";
    if (D->norms == NORMS_SHARED) return "attention and MLP read one norm";
    if (D->norms != NORMS_BEFORE) return "norms stand between what layers write and the stream";
    if (D->embed_norm) return "a norm follows the embedding";
    if (D->positions == POSITIONS_ALIBI) return "the scores of each head have biases of their own (ALiBi)";
    if (D->qk == QK_WHOLE) return "all heads of queries and keys are normalised together";
    return D->score_cap > 0 || D->logit_cap > 0 ? "its scores or logits are capped" : NULL;
}

bool has_own_settings(const transformer *D)
{
    return own_symmetries(D) || D->layer || D->embed_factor != 1 || D->added_factor != 1 || D->logit_divisor != 1
           || D->logit_factor != 1 || D->scale != 0 || D->views > 0 || D->local_theta > 0;
}

/* ---- the tensors ------------------------------------------------------------------------------------------------ */

/* rows x cols as Linear stores it (out x in), rows 1: a vector.  0 x 0: any shape.  Stacked experts are one below the
 * other here. */
static void shape_of(const transformer *D, tensor_role role, long layer, long *rows, long *cols)
{
    const long d = D->d, m = place_width(D, layer), q = D->h * D->dk, kv = D->h_kv * D->dk;
    *rows = 1, *cols = d;
    switch (role) {
    case ROLE_EMBED: *rows = D->V; break;
    case ROLE_HEAD: *rows = D->headless ? 0 : D->outputs; break;
    case ROLE_POSITION: *rows = D->T + D->skipped; break;
    case ROLE_TOKEN_TYPE: *rows = D->types; break;
    case ROLE_BUCKETS: *rows = DISTANCE_BUCKETS, *cols = D->h; break;
    case ROLE_DENSE: case ROLE_POOL: *rows = d; break;
    case ROLE_NEXT: *rows = 2; break;
    case ROLE_NEXT_BIAS: *cols = 2; break;
    case ROLE_HEAD_BIAS: *rows = !D->headless, *cols = D->outputs; break;
    case ROLE_Q: *rows = q; break;
    case ROLE_K: *rows = kv; break;
    case ROLE_V: *rows = kv, *cols = D->value_rows ? d - D->dk : d; break;
    case ROLE_QKV: *rows = q + 2 * kv; break;
    case ROLE_O: *rows = d, *cols = q; break;
    case ROLE_Q_BIAS: *cols = q; break;
    case ROLE_K_BIAS: case ROLE_V_BIAS: *cols = kv; break;
    case ROLE_QKV_BIAS: *cols = q + 2 * kv; break;
    case ROLE_Q_GAIN: *rows = D->h, *cols = D->qk == QK_WHOLE ? q : D->dk; break;
    case ROLE_K_GAIN: *rows = D->h_kv, *cols = D->qk == QK_WHOLE ? kv : D->dk; break;
    case ROLE_GATE_UP: *rows = 2 * m; break;
    case ROLE_UP: case ROLE_GATE: *rows = m; break;
    case ROLE_DOWN: *rows = d, *cols = m; break;
    case ROLE_UP_BIAS: case ROLE_GATE_BIAS: *cols = m; break;
    case ROLE_ROUTER: *rows = D->experts; break;
    case ROLE_EXPERTS_GATE_UP: *rows = D->experts * 2 * D->expert_m; break;
    case ROLE_EXPERTS_DOWN: *rows = D->experts * d, *cols = D->expert_m; break;
    case ROLE_UNKNOWN: case ROLE_BUFFER: *rows = *cols = 0; break;
    default: break;
    }
}

static bool turns(tensor_role role)                      /* Conv1D stores these in x out */
{
    return role == ROLE_QKV || role == ROLE_O || role == ROLE_UP || role == ROLE_DOWN;
}

static bool is_vector(tensor_role role)
{
    static const tensor_role matrix[] = { ROLE_TOKEN_TYPE, ROLE_PAD_POSITION, ROLE_BUCKETS, ROLE_DENSE, ROLE_POOL,
                                          ROLE_NEXT,
                                          ROLE_EMBED, ROLE_POSITION, ROLE_HEAD, ROLE_Q, ROLE_K, ROLE_V, ROLE_QKV,
                                          ROLE_O, ROLE_UP, ROLE_GATE, ROLE_DOWN, ROLE_GATE_UP, ROLE_ROUTER,
                                          ROLE_SHARED_GATE, ROLE_EXPERTS_GATE_UP, ROLE_EXPERTS_DOWN, ROLE_UNKNOWN,
                                          ROLE_BUFFER };
    for (size_t k = 0; k < COUNT(matrix); k++) if (matrix[k] == role) return false;
    return true;
}

/* Queries and keys may have a gain for each head, heads x dk. */
static bool is_gain_by_head(const transformer *D, tensor_role role)
{
    return (role == ROLE_Q_GAIN || role == ROLE_K_GAIN) && D->arch->gains_of_heads;
}

static bool is_stacked(tensor_role role) { return role == ROLE_EXPERTS_GATE_UP || role == ROLE_EXPERTS_DOWN; }

static bool fits(const transformer *D, const weight_tensor *t, long rows, long cols, bool vector)
{
    if (vector) return t->rank == 1 && t->shape[0] == cols;
    if (!is_stacked((tensor_role)t->role)) return t->rank == 2 && t->shape[0] == rows && t->shape[1] == cols;
    return t->rank == 3 && t->shape[0] == D->experts && t->shape[1] == rows / D->experts && t->shape[2] == cols;
}

static char *sizes_in_words(const transformer *D)
{
    if (!D->experts) return must_format("MLP %ld", D->m);
    return must_format("MLP %ld, %ld experts of %ld%s", D->m, D->experts, D->expert_m,
                       D->shared_m ? " beside a shared one" : "");
}

static void check_shape(const transformer *D, const weights *w, const weight_tensor *t)
{
    const tensor_role role = (tensor_role)t->role;
    long rows, cols;
    shape_of(D, role, t->layer, &rows, &cols);
    if (!rows) return;
    if (D->in_out && turns(role)) {
        const long swap = rows;
        rows = cols;
        cols = swap;
    }
    const bool vector = is_vector(role) && !is_gain_by_head(D, role);
    if (fits(D, t, rows, cols, vector)) return;
    char is[64] = "", should[96];
    for (int k = 0, n = 0; k < t->rank && n < 40; k++)
        n += snprintf(is + n, sizeof is - (size_t)n, "%s%ld", k ? ", " : "", t->shape[k]);
    if (vector) snprintf(should, sizeof should, "%ld", cols);
    else if (is_stacked(role))
        snprintf(should, sizeof should, "%ld, %ld, %ld", D->experts, rows / D->experts, cols);
    else snprintf(should, sizeof should, "%ld, %ld", rows, cols);
    die("%s: tensor %s is [%s], but [%s] by the sizes in %s: width %ld, %ld heads, %ld key heads, %s; one of "
        "the two is another model's", w->file[t->file].path, t->name, is, should, w->config_path, D->d, D->h,
        D->h_kv, sizes_in_words(D));
}

static const weight_tensor *need(const transformer *D, const weights *w, tensor_role role, long layer)
{
    const weight_tensor *t = tensor_of(D, role, layer);
    if (t) return t;
    if (layer < 0) die("%s: the %s is missing; the file is not whole, or %s is another model's", w->path,
                       role_name[role], w->config_path);
    die("%s: %s: %s is missing; the file is not whole, or %s is another model's", w->path, place_words(D, layer),
        role_name[role], w->config_path);
}

static bool of_mlp(tensor_role role)
{
    return (role >= ROLE_UP && role <= ROLE_GATE_UP) || role >= ROLE_ROUTER;
}

/* The MLPs of layers and experts are whole, and no layer has parts of the other kind, which programs do not load. */
static void require_mlps(const transformer *D, const weights *w)
{
    for (long p = place_next_mlp(D, -1); p >= 0; p = place_next_mlp(D, p)) {
        need(D, w, ROLE_UP, p);
        need(D, w, ROLE_DOWN, p);
        if (D->gated) need(D, w, ROLE_GATE, p);
    }
    for (long i = 0; i < D->L && D->experts; i++) {
        const bool has = experts_in_layer(D, i);
        if (has) need(D, w, ROLE_ROUTER, i);
        if (has && D->shared_m) need(D, w, ROLE_SHARED_GATE, i);
        for (int r = 1; r < ROLES; r++) {
            const bool of_experts = r >= ROLE_ROUTER;
            const weight_tensor *t = tensor_of(D, (tensor_role)r, i);
            if (t && of_mlp((tensor_role)r) && of_experts != has)
                die("%s: layer %ld has %s, but %.200s; one of the two is another model's", w->config_path, i,
                    has ? "experts" : "none", t->name);
        }
    }
}

static void require_all(const transformer *D, const weights *w)
{
    const bool norm = D->norm != NORM_OF_NONE;
    static const tensor_role of[] = { ROLE_Q, ROLE_K, ROLE_V }, of_head[] = { ROLE_DENSE, ROLE_DENSE_GAIN };
    need(D, w, ROLE_EMBED, -1);
    if (D->positions == POSITIONS_LEARNED) need(D, w, ROLE_POSITION, -1);
    if (norm && D->norms != NORMS_OF_SUMS) need(D, w, ROLE_FINAL_GAIN, -1);
    if (norm && D->embed_norm) need(D, w, ROLE_EMBED_GAIN, -1);
    if (D->types) need(D, w, ROLE_TOKEN_TYPE, -1);
    if (D->buckets) need(D, w, ROLE_BUCKETS, -1);
    if (!D->tied && !D->headless) need(D, w, ROLE_HEAD, -1);
    for (size_t k = 0; k < COUNT(of_head) && !D->headless; k++)
        if (architecture_has(D->arch, of_head[k])) need(D, w, of_head[k], -1);
    for (long i = 0; i < D->L; i++) {
        if (norm && norms_in_front(D)) need(D, w, ROLE_GAIN1, i);
        if (norm && norms_in_front(D) && D->norms != NORMS_SHARED) need(D, w, ROLE_GAIN2, i);
        if (norm && D->norms >= NORMS_BEHIND) need(D, w, ROLE_POST_GAIN1, i), need(D, w, ROLE_POST_GAIN2, i);
        if (D->fused) need(D, w, ROLE_QKV, i);
        for (int p = 0; p < 3 && !D->fused; p++) if (!D->identity[p]) need(D, w, of[p], i);
        need(D, w, ROLE_O, i);
        if (D->qk != QK_PLAIN) need(D, w, ROLE_Q_GAIN, i), need(D, w, ROLE_K_GAIN, i);
        for (int r = 1; r < ROLES && i > 0; r++)                       /* biases in all layers or in none */
            if (r != ROLE_BUFFER && !(D->experts && of_mlp((tensor_role)r))
                && !tensor_of(D, (tensor_role)r, i) != !tensor_of(D, (tensor_role)r, 0))
                need(D, w, (tensor_role)r, tensor_of(D, (tensor_role)r, i) ? 0 : i);
    }
    require_mlps(D, w);
}

/* Where an expert's tensors stand; its layer has experts, or require_mlps says so. */
static long place_of_tensor(const transformer *D, const weights *w, const weight_tensor *t, long expert)
{
    const bool shared = expert == SHARED_EXPERT, has = experts_in_layer(D, t->layer);
    if (expert == -1) return t->layer;
    if (!has || (shared ? !D->shared_m : expert >= D->experts))
        die("%s: tensor %s is of an expert that %s does not have: layer %ld has %ld%s; one of the two is another "
            "model's", w->file[t->file].path, t->name, w->config_path, t->layer, has ? D->experts : 0,
            has && D->shared_m ? " and a shared one" : "");
    return experts_place(D, t->layer, shared ? D->experts : expert);
}

static void place(transformer *D, const weights *w, weight_tensor *t)
{
    long expert;
    t->role = (int)role_of_name(D->arch, t->name, &t->layer, &expert);
    if (t->role == ROLE_UNKNOWN) {
        if (!D->unknown_tensors++) D->first_unknown = t;
        return;
    }
    if (t->role == ROLE_BUFFER) return;
    if (t->layer >= D->L) die("%s: tensor %s is of a layer that %s does not have: %ld layers; one of the two is "
                              "another model's", w->file[t->file].path, t->name, w->config_path, D->L);
    t->layer = place_of_tensor(D, w, t, expert);
    if (is_vector((tensor_role)t->role) && strcmp(w->format, "GGUF") == 0 && t->rank == 2 && t->shape[0] == 1) {
        t->rank = 1;                                                   /* there, a side of 1 is none      */
        t->shape[0] = t->shape[1];
    }
    const weight_tensor **at = &D->at[(t->layer + 1) * ROLES + t->role];
    if (*at && t->role == ROLE_HEAD_BIAS && (*at)->bytes == t->bytes && memcmp((*at)->at, t->at, t->bytes) == 0) {
        t->role = ROLE_BUFFER;                                         /* tied, and stored under both names    */
        return;
    }
    if (*at) die("%s: tensors %s and %s are both %s; remove one", w->path, (*at)->name, t->name, role_name[t->role]);
    *at = t;
}

/* Programs apply the norms whose gains they find, so a configuration without norms is not theirs. */
static void require_no_norms(const transformer *D, const weights *w)
{
    static const tensor_role of[] = { ROLE_EMBED_GAIN, ROLE_EMBED_BIAS, ROLE_GAIN1, ROLE_BIAS1, ROLE_GAIN2,
                                      ROLE_BIAS2, ROLE_FINAL_GAIN, ROLE_FINAL_BIAS };
    for (long i = -1; i < D->L; i++)
        for (size_t k = 0; k < COUNT(of); k++) {
            const weight_tensor *t = tensor_of(D, of[k], i);
            if (t) die("%s says that the model has no norms, but tensor %.200s is the %s of one; one of the two is "
                       "another model's", w->config_path, t->name, role_name[of[k]]);
        }
}

/* Programs for some of GGUF's architectures read it, and those for its others load no file that has it. */
static void read_rope_table(transformer *D, const weights *w)
{
    const weight_tensor *t = weights_find(w, "rope_freqs.weight");
    if (!t || D->beyond) return;
    if (D->arch->rope_table) D->beyond = rope_read_table(D, t);
    else D->beyond = must_strdup("its rotary angles are scaled by a table that others ignore (rope_freqs.weight)");
}

/* What only the tensors say. */
static void settle(transformer *D, const weights *w)
{
    const weight_tensor *E = tensor_of(D, ROLE_EMBED, -1), *P = tensor_of(D, ROLE_POSITION, -1);
    const weight_tensor *head = tensor_of(D, ROLE_HEAD, -1), *qkv = tensor_of(D, ROLE_QKV, 0);
    if (!D->V && E && E->rank == 2) D->V = E->shape[0];
    if (!D->T && P && P->rank == 2) D->T = P->shape[0];
    const bool gguf = strcmp(w->format, "GGUF") == 0;
    if (!D->headless && D->arch->headless_name && !json_is_array(json_object_get(w->config, "architectures")))
        D->headless = !tensor_of(D, ROLE_DENSE, -1);
    if (D->headless) D->tied = false;
    D->outputs = D->headless ? D->d : D->arch->one_logit ? 1 : D->V;
    D->in_out = D->fused == FUSED_BLOCKS && !gguf && qkv && qkv->rank == 2 && qkv->shape[0] == D->d
                && qkv->shape[1] != D->d;
    if (gguf) D->tied = !head;
    else if (D->tied && head && E && (head->bytes != E->bytes || memcmp(head->at, E->at, E->bytes) != 0))
        config_not_known(D, "%s says that the head is tied to the embedding, but %s differs from it", w->config_path,
                         head->name);
    read_rope_table(D, w);
    if (D->norm == NORM_OF_NONE) require_no_norms(D, w);
    D->norm_bias = tensor_of(D, ROLE_BIAS1, 0) || tensor_of(D, ROLE_POST_BIAS1, 0);
    D->biases = tensor_of(D, ROLE_QKV_BIAS, 0) || tensor_of(D, ROLE_Q_BIAS, 0) || tensor_of(D, ROLE_UP_BIAS, 0);
    D->qk_norm = tensor_of(D, ROLE_Q_GAIN, 0) || tensor_of(D, ROLE_K_GAIN, 0);
}

/* A model that other programs compute without one of its tensors is not the function of all of them.  Those whose norms
 * `provably reduce` left out are no stock models. */
static void require_loaded(transformer *D, const weights *w)
{
    if (!weights_of_class(w) || D->arch->run || D->norm == NORM_OF_NONE) return;
    for (int r = 1; r < ROLES; r++) {
        const weight_tensor *t = tensor_of(D, (tensor_role)r, -1);
        const char *key;
        if (!t) t = tensor_of(D, (tensor_role)r, 0);
        if (!t || config_lets_load(D, w, (tensor_role)r, &key)) continue;
        if (key)
            config_not_known(D, "%s does not say that %s is true, so programs compute without %.200s: let it say so, "
                             "or remove such tensors", w->config_path, key, t->name);
        else config_not_known(D, "programs for %s compute without %.200s: correct model_type in %s, or remove such "
                              "tensors", D->family, t->name, w->config_path);
    }
}

/* As vLLM stores the layers of Llama and of its relatives: queries, keys and values, gate and up as one tensor. */
static const weight_tensor *fused_by_vllm(const weights *w)
{
    for (long k = 0; k < w->tensors; k++) {
        const weight_tensor *t = &w->tensor[k];
        if (strstr(t->name, ".qkv_proj.") || strstr(t->name, ".gate_up_proj.")) return t;
    }
    return NULL;
}

/* Rows first ... first + rows - 1 of a matrix that is stored out x in, or of several one below the other, as a tensor
 * of that role and place. */
static void add_view(transformer *D, const weights *w, const weight_tensor *of, tensor_role role, long layer,
                     long first, long rows)
{
    weight_tensor *v = &D->view[D->views++];
    const long cols = of->shape[of->rank - 1];
    const size_t all = of->n / (size_t)cols;
    const weight_tensor **at = &D->at[(layer + 1) * ROLES + (long)role];
    if (*at && *at != of) die("%s: tensors %s and %s are both %s; remove one", w->path, (*at)->name, of->name,
                              role_name[role]);
    *v = *of;
    char *where = place_words(D, layer);
    v->name = must_format("%s (%s%s%s)", of->name, layer < D->L ? "" : where, layer < D->L ? "" : ": ",
                          role_name[role]);
    free(where);
    v->role = (int)role;
    v->layer = layer;
    v->rank = 2;
    v->shape[0] = rows;
    v->shape[1] = cols;
    v->n = of->n / all * (size_t)rows;
    v->at = of->at + of->bytes / all * (size_t)first;
    v->bytes = of->bytes / all * (size_t)rows;
    *at = v;
}

/* Stacked experts: gate, up of each one below the other, and down. */
static void split_experts(transformer *D, const weights *w, long layer)
{
    const weight_tensor *up = tensor_of(D, ROLE_EXPERTS_GATE_UP, layer), *down = tensor_of(D, ROLE_EXPERTS_DOWN, layer);
    const long m = D->expert_m;
    if (up) check_shape(D, w, up);
    if (down) check_shape(D, w, down);
    for (long e = 0; e < D->experts; e++) {
        const long to = experts_place(D, layer, e);
        if (up) add_view(D, w, up, ROLE_GATE, to, e * 2 * m, m);
        if (up) add_view(D, w, up, ROLE_UP, to, e * 2 * m + m, m);
        if (down) add_view(D, w, down, ROLE_DOWN, to, e * D->d, D->d);
    }
    D->at[(layer + 1) * ROLES + ROLE_EXPERTS_GATE_UP] = D->at[(layer + 1) * ROLES + ROLE_EXPERTS_DOWN] = NULL;
}

/* Q|K|V and gate|up, each one below the other, as the tensors that they hold; the table of positions without the
 * rows that no token reads. */
static void split_tensors(transformer *D, const weights *w)
{
    const bool qkv = D->fused == FUSED_ROWS, both = D->gate_over_up;
    if ((qkv && !tensor_of(D, ROLE_QKV, 0)) || (both && !tensor_of(D, ROLE_GATE_UP, 0))) {
        config_not_known(D, "programs for %s read %s as one tensor%s, which %s not in %s", D->family, !qkv ? "gate|up"
                         : both ? "Q|K|V and gate|up" : "Q|K|V", qkv && both ? " each" : "", qkv && both ? "are" : "is",
                         w->path);
        return;
    }
    const long q = D->h * D->dk, kv = D->h_kv * D->dk;
    D->view = must_calloc((size_t)(5 * D->L + 2 + 3 * D->L * D->experts), sizeof *D->view);
    for (long i = 0; i < D->L; i++) {
        if (qkv) {
            const weight_tensor *t = need(D, w, ROLE_QKV, i);
            check_shape(D, w, t);
            add_view(D, w, t, ROLE_Q, i, 0, q);
            add_view(D, w, t, ROLE_K, i, q, kv);
            add_view(D, w, t, ROLE_V, i, q + kv, kv);
            D->at[(i + 1) * ROLES + ROLE_QKV] = NULL;
        }
        if (both) {
            const weight_tensor *t = need(D, w, ROLE_GATE_UP, i);
            check_shape(D, w, t);
            add_view(D, w, t, ROLE_GATE, i, 0, D->m);
            add_view(D, w, t, ROLE_UP, i, D->m, D->m);
            D->at[(i + 1) * ROLES + ROLE_GATE_UP] = NULL;
        }
        if (experts_in_layer(D, i)) split_experts(D, w, i);
    }
    if (!D->skipped) return;
    const weight_tensor *P = need(D, w, ROLE_POSITION, -1);
    check_shape(D, w, P);
    add_view(D, w, P, ROLE_POSITION, -1, D->skipped, D->T);
    if (D->pad >= 0) add_view(D, w, P, ROLE_PAD_POSITION, -1, D->pad, 1);
}

transformer transformer_of(weights *w)
{
    transformer D = { .at = NULL };
    for (long k = 0; k < w->tensors; k++) {
        D.parameters += w->tensor[k].n;
        D.bytes += w->tensor[k].bytes;
    }
    config_of(&D, w);
    D.at = must_calloc((size_t)((D.unknown ? 1 : transformer_places(&D) + 1) * ROLES), sizeof(const weight_tensor *));
    if (D.unknown) return D;
    for (long k = 0; k < w->tensors; k++) place(&D, w, &w->tensor[k]);
    const weight_tensor *fused = D.fused == FUSED_ROWS || D.gate_over_up ? NULL : fused_by_vllm(w);
    if (D.fused == FUSED_ROWS || D.gate_over_up || D.skipped || D.experts) split_tensors(&D, w);
    if (D.unknown) return D;
    if (D.fused == FUSED_ROWS) D.fused = FUSED_NOT;
    if (fused) {
        config_not_known(&D, "tensor %.200s holds several parts of a layer in one, which is not read here for %s",
                         fused->name, D.family);
        return D;
    }
    settle(&D, w);
    compact_check(&D, w);
    require_all(&D, w);
    require_loaded(&D, w);
    for (long k = 0; k < w->tensors; k++) {
        const weight_tensor *t = &w->tensor[k];
        check_shape(&D, w, t);
        const bool part = t->role != ROLE_UNKNOWN && t->role != ROLE_BUFFER;
        if (part && t->numbers == NUMBERS_OTHER && !D.unreadable++) D.unreadable_type = t->type;
        D.quantised += t->numbers == NUMBERS_QUANTISED;
    }
    if (D.unknown_tensors)
        config_not_known(&D, "%ld tensor%s, %.200s first, %s no name that is known here: who reads and writes the "
                         "stream is not known", D.unknown_tensors, D.unknown_tensors == 1 ? "" : "s",
                         D.first_unknown->name, D.unknown_tensors == 1 ? "has" : "have");
    return D;
}

void transformer_free(transformer *D)
{
    free(D->at);
    free(D->value_rows);
    for (long k = 0; k < D->views; k++) free(D->view[k].name);
    free(D->view);
    free(D->layer);
    free(D->rope.table);
    free(D->rope.far_table);
    free(D->unknown);
    free(D->beyond);
    free((char *)(uintptr_t)D->own_code);
    for (long k = 0; k < D->unknown_keys; k++) free(D->unknown_key[k]);
    free(D->unknown_key);
    *D = (transformer){ .at = NULL };
}

/* ---- numbers ------------------------------------------------------------------------------------------------ */

long projection_heads(const transformer *D, projection p) { return p == PROJECT_Q ? D->h : D->h_kv; }

long fused_head(const transformer *D, projection p, long head)
{
    const long share = D->h / D->h_kv, group = share + 2;
    return p == PROJECT_Q ? head / share * group + head % share : head * group + share + (p == PROJECT_V);
}

enum { TURNED = 16 };                    /* columns at a time: of each row of x a line of the cache */

void projection_columns(const transformer *D, projection p, long layer, long first, long count, double *x)
{
    static const tensor_role role[] = { ROLE_Q, ROLE_K, ROLE_V };
    const weight_tensor *t = tensor_of(D, D->fused ? ROLE_QKV : role[p], layer);
    REQUIRE(t && first >= 0 && count > 0 && first + count <= projection_heads(D, p), "heads %ld + %ld", first, count);
    const long d = D->d, dk = D->dk, cols = count * dk;
    const long before = p == PROJECT_Q ? 0 : p == PROJECT_K ? D->h * dk : (D->h + D->h_kv) * dk;
    if (D->in_out) {                                                   /* Q|K|V beside each other */
        for (long r = 0; r < d; r++)
            weight_numbers(t, (size_t)(r * t->shape[1] + before + first * dk), (size_t)cols, x + r * cols);
        return;
    }
    double *some = must_calloc((size_t)(TURNED * d), sizeof *some);
    for (long c = 0; c < cols; c += TURNED) {
        const long n = cols - c < TURNED ? cols - c : TURNED;
        for (long k = 0; k < n; k++) {
            const long a = first + (c + k) / dk, i = (c + k) % dk;
            const long from = D->fused == FUSED_HEADS ? fused_head(D, p, a) * dk + i
                            : (D->fused == FUSED_BLOCKS ? before : 0) + a * dk + i;
            const long *unit = p == PROJECT_V && D->value_rows ? D->value_rows + (layer * D->h_kv + a) * dk : NULL;
            const long stored = unit ? d - dk : d;
            weight_numbers(t, (size_t)(from * stored), (size_t)stored, some + k * d);
            if (unit) compact_put_identity(some + k * d, d, dk, unit, i);
        }
        for (long r = 0; r < d; r++) for (long k = 0; k < n; k++) x[r * cols + c + k] = some[k * d + r];
    }
    free(some);
}
