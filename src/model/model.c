/* model.c - random models and their forward pass: see model.h. */
#include "src/model/drawn_sizes.h"
#include "src/model/constrained.h"
#include <string.h>
#include "numerics/random.h"

/* A diagonal gain near 1: I + I * D, D drawn with standard deviation 1/4. */
static const mat *draw_gain(scope *s, const char *what, long block_index, long d)
{
    const mat *I = mat_identity(s, d);
    return mat_add(s, I, mat_hadamard(s, I, mat_draw_at(s, what, block_index, -1, d, d, -2)));
}

static mlp random_mlp(scope *s, const shape *sh, long b, long e)
{
    const int in = mat_log2_fan_in(sh->d), out = mat_log2_fan_in(sh->m);
    mlp F = { .up = mat_draw_at(s, "W_up", b, e, sh->d, sh->m, in),
              .down = mat_draw_at(s, "W_down", b, e, sh->m, sh->d, out),
              .function = (int)e };
    if (sh->gated) F.gate = mat_draw_at(s, "W_gate", b, e, sh->d, sh->m, in);
    if (sh->biases) {
        F.b_up   = mat_draw_at(s, "b_up", b, e, 1, sh->m, -2);
        F.b_down = mat_draw_at(s, "b_down", b, e, 1, sh->d, -2);
        if (sh->gated) F.b_gate = mat_draw_at(s, "b_gate", b, e, 1, sh->m, -2);
    }
    return F;
}

layer model_layer(scope *s, const shape *sh, long b)
{
    const long d = sh->d, q = sh->h * sh->dk, kv = sh->h_kv * sh->dk;
    const int in = mat_log2_fan_in(d);
    const drawn_by whose = scope_draws(s, DRAWN_BY_MODEL);
    layer W = { .Q = mat_draw_at(s, "W_Q", b, -1, d, q, in), .K = mat_draw_at(s, "W_K", b, -1, d, kv, in),
                .V = mat_draw_at(s, "W_V", b, -1, d, kv, in),
                .O = mat_draw_at(s, "W_O", b, -1, q, d, mat_log2_fan_in(q)) };
    if (sh->biases) {
        W.bQ = mat_draw_at(s, "b_Q", b, -1, 1, q, -2);
        W.bK = mat_draw_at(s, "b_K", b, -1, 1, kv, -2);
        W.bV = mat_draw_at(s, "b_V", b, -1, 1, kv, -2);
        W.bO = mat_draw_at(s, "b_O", b, -1, 1, d, -2);
    }
    if (sh->norm != NORM_NONE) {
        W.gain1 = draw_gain(s, "gain1", b, d);
        W.gain2 = draw_gain(s, "gain2", b, d);
    }
    if (sh->norm == NORM_LAYER && sh->biases) {
        W.bias1 = mat_draw_at(s, "bias1", b, -1, 1, d, -2);
        W.bias2 = mat_draw_at(s, "bias2", b, -1, 1, d, -2);
    }
    if (sh->qk_norm) {
        W.gain_q = draw_gain(s, "gain_q", b, sh->dk);
        W.gain_k = draw_gain(s, "gain_k", b, sh->dk);
    }
    if (sh->experts) W.router = mat_draw_at(s, "W_router", b, -1, d, sh->experts, in);
    for (long e = 0; e < (sh->experts ? sh->experts : 1); e++) W.expert[e] = random_mlp(s, sh, b, e);
    s->draws = whose;
    if (s->plan && whose != DRAWN_BY_SUITE) constrained_see_drawn(s, sh, &W);
    return W;
}

static const unsigned char *visible_entries(scope *s, const shape *sh)
{
    if (sh->mask == MASK_FULL) return NULL;
    unsigned char *visible = scope_alloc(s, (size_t)(sh->n * sh->n));
    uint64_t key[2];
    random_key_derive(key, s->key, "mask");
    for (long i = 0; i < sh->n; i++)
        for (long j = 0; j < sh->n; j++)
            visible[i * sh->n + j] = sh->mask == MASK_CAUSAL ? j <= i
                                   : i == j || random_below(key, (uint64_t)(i * sh->n + j), 2);
    return visible;
}

long model_token(const scope *s, const shape *sh, long i)
{
    uint64_t key[2];
    random_key_derive(key, s->key, "tokens");
    return (long)random_below(key, (uint64_t)i, (uint64_t)sh->V);
}

static const mat *random_tokens(scope *s, const shape *sh)
{
    int64_t *m = scope_alloc(s, (size_t)(sh->n * sh->V) * sizeof *m);
    for (long i = 0; i < sh->n; i++) m[i * sh->V + model_token(s, sh, i)] = 1;
    return mat_dyadic(s, sh->n, sh->V, m, 0);
}

model model_bare(scope *s, shape sh)
{
    const char *wrong = shape_complete(&sh);
    REQUIRE(!wrong, "%s", wrong);
    return (model){ .s = sh, .visible = visible_entries(s, &sh) };
}

model model_random(scope *s, shape sh)
{
    model M = model_bare(s, sh);
    const drawn_by whose = scope_draws(s, DRAWN_BY_MODEL);
    sh = M.s;
    drawn_sizes_note(&sh);
    M.tokens = random_tokens(s, &sh);
    M.E = mat_draw(s, "E", sh.V, sh.d, 0);
    if (!sh.no_positions) M.P = mat_draw(s, "P", sh.n, sh.d, 0);
    if (!sh.tied) M.head = mat_draw_weight(s, "W_LM", sh.d, sh.V);
    if (sh.norm != NORM_NONE) M.gain_f = draw_gain(s, "gain_f", 0, sh.d);
    if (sh.norm == NORM_LAYER && sh.biases) M.bias_f = mat_draw(s, "bias_f", 1, sh.d, -2);
    for (long i = 0; i < sh.L; i++)
        M.at[i] = i == shape_block(&sh, i) ? model_layer(s, &sh, i) : M.at[shape_block(&sh, i)];
    s->draws = whose;
    if (s->plan && whose != DRAWN_BY_SUITE) constrained_see_drawn_ends(s, &M);
    return M;
}

/* ---- forward ----------------------------------------------------------------------------- */

void model_note_depth(scope *s, long layers)
{
    if (layers > s->depth) s->depth = layers;
}

static const mat *of_settings(scope *s, const model *M, long tokens, const mat *is)
{
    return s->plan && s->draws != DRAWN_BY_SUITE ? constrained_see_settings(s, M, tokens, is) : is;
}

const mat *model_note_layer(scope *s, const model *M, long i, layer_half half, long tokens, const mat *is)
{
    const long number = i + (s->draws == DRAWN_BY_SUITE ? 0 : M->first);     /* fresh layers have large ones */
    mat_lengthen(is, half == HALF_ATTENTION ? CHAIN_ATTENTION : CHAIN_MLP);
    if (number > 0) model_note_depth(s, number + 1);
    if (mat_chain(is) > 1) model_note_depth(s, mat_chain(is));
    of_settings(s, M, tokens, is);
    return s->R->traits & SYMBOLIC && s->draws != DRAWN_BY_SUITE ? constrained_see_layer(s, M, i, half, is) : is;
}

/* Where the functions of layer i sit. */
static int layer_place(const model *M, long i) { return (int)(M->first + shape_block(&M->s, i)); }

static const mat *affine(scope *s, const mat *X, const mat *W, const mat *b)
{
    return mat_add_row(s, mat_mul(s, X, W), b);
}

enum { LOG2_EPS = -17 };                                /* epsilon of the norms: 7.6e-6 */

/* What the functions below apply, the model does, not a body. */
static const mat *normalise(scope *s, const model *M, const mat *X, const mat *gain, const mat *bias, place at)
{
    if (M->s.norm == NORM_NONE) return X;
    const drawn_by whose = scope_draws(s, DRAWN_BY_MODEL);
    const mat *N = affine(s, mat_norm(s, X, M->s.norm, LOG2_EPS, at), gain, bias);
    s->draws = whose;
    return N;
}

static const mat *head_vector(scope *s, const model *M, const mat *A, const mat *gain, place at)
{
    if (gain) A = mat_mul(s, mat_norm(s, A, NORM_RMS, LOG2_EPS, at), gain);
    return M->s.rope ? mat_rotate(s, A) : A;
}

static const mat *attention_of(scope *s, const model *M, long i, const mat *Q, const mat *K, const mat *V)
{
    const shape *sh = &M->s;
    const layer *W = &M->at[i];
    const int b = layer_place(M, i);
    const rowmap how = { .kind = sh->attention, .visible = M->visible,
                         .scale_num = sh->scale_num, .scale_den = sh->scale_den };
    const mat *head[MAX_HEADS];
    const drawn_by whose = scope_draws(s, DRAWN_BY_MODEL);
    for (long a = 0; a < sh->h; a++) {
        const mat *before = s->first;
        const long g = a / (sh->h / sh->h_kv);          /* the key-value head that head a reads */
        const place query = { b, PLACE_QUERY, (int)a }, key = { b, PLACE_KEY, (int)g };
        const mat *q = head_vector(s, M, mat_cols(s, Q, a * sh->dk, sh->dk), W->gain_q, query);
        const mat *k = head_vector(s, M, mat_cols(s, K, g * sh->dk, sh->dk), W->gain_k, key);
        const mat *scores = mat_mul(s, q, mat_t(s, k));
        head[a] = mat_mul(s, mat_rowmap(s, scores, &how, (place){ b, PLACE_ATTENTION, (int)a }),
                          mat_cols(s, V, g * sh->dk, sh->dk));
        scope_sweep(s, before, 1, &head[a]);
    }
    s->draws = whose;
    return model_note_layer(s, M, i, HALF_ATTENTION, K->rows, mat_hcat(s, sh->h, head));
}

const mat *model_attention_of(scope *s, const model *M, long i, const mat *Q, const mat *K, const mat *V)
{
    const mat *is = attention_of(s, M, i, Q, K, V);
    if (s->applied && s->draws == DRAWN_BY_BODY) constrained_see_given(s, is);
    return is;
}

const mat *model_self_attention(scope *s, const model *M, long i, const mat *X)
{
    const layer *W = &M->at[i];
    return attention_of(s, M, i, affine(s, X, W->Q, W->bQ), affine(s, X, W->K, W->bK), affine(s, X, W->V, W->bV));
}

const mat *model_attention(scope *s, const model *M, long i, const mat *X)
{
    return affine(s, model_self_attention(s, M, i, X), M->at[i].O, M->at[i].bO);
}

static const mat *expert_of(scope *s, const model *M, long i, long e, const mat *Y)
{
    const mlp *F = &M->at[i].expert[e];
    const int b = layer_place(M, i);
    const mat *H = affine(s, Y, F->up, F->b_up);
    const drawn_by whose = scope_draws(s, DRAWN_BY_MODEL);
    if (F->gate) {
        const mat *g = mat_phi(s, affine(s, Y, F->gate, F->b_gate), M->s.act, (place){ b, PLACE_GATE, F->function });
        H = mat_hadamard(s, g, H);
    } else {
        H = mat_phi(s, H, M->s.act, (place){ b, PLACE_MLP, F->function });
    }
    s->draws = whose;
    return affine(s, H, F->down, F->b_down);
}

static const mat *sum_of_parts(scope *s, const model *M, long i, const mat *Y)
{
    const mat *sum = expert_of(s, M, i, 0, Y);
    for (long e = 1; e < M->s.experts; e++)
        if (M->at[i].expert[e].up) sum = mat_add(s, sum, expert_of(s, M, i, e, Y));
    return sum;
}

const mat *model_mlp(scope *s, const model *M, long i, const mat *Y)
{
    const layer *W = &M->at[i];
    if (!W->router) return model_note_layer(s, M, i, HALF_MLP, M->s.n, sum_of_parts(s, M, i, Y));
    const rowmap how = { .kind = M->s.attention, .scale_num = 1, .scale_den = 1 };
    const drawn_by whose = scope_draws(s, DRAWN_BY_MODEL);
    const mat *weight = mat_rowmap(s, mat_mul(s, Y, W->router), &how,
                                   (place){ layer_place(M, i), PLACE_ROUTER, 0 });
    s->draws = whose;
    const mat *sum = NULL;
    for (long e = 0; e < M->s.experts; e++) {
        const mat *F = mat_scale_rows(s, mat_cols(s, weight, e, 1), expert_of(s, M, i, e, Y));
        sum = sum ? mat_add(s, sum, F) : F;
    }
    return model_note_layer(s, M, i, HALF_MLP, M->s.n, sum);
}

const mat *model_block(scope *s, const model *M, long i, const mat *X)
{
    const shape *sh = &M->s;
    const layer *W = &M->at[i];
    const int b = layer_place(M, i);
    const mat *before = s->first;
    const mat *N = normalise(s, M, X, W->gain1, W->bias1, (place){ b, PLACE_ATTENTION, 0 });
    const mat *A = model_attention(s, M, i, N);
    scope_sweep(s, before, 2, (const mat *[]){ N, A });
    if (sh->parallel) {
        const mat *both = mat_add(s, A, model_mlp(s, M, i, N));
        return sh->attn_skip ? mat_add(s, X, both) : both;
    }
    const mat *Y = sh->attn_skip ? mat_add(s, X, A) : A;
    const mat *F = model_mlp(s, M, i, normalise(s, M, Y, W->gain2, W->bias2, (place){ b, PLACE_MLP, 0 }));
    return sh->mlp_skip ? mat_add(s, Y, F) : F;
}

const mat *model_note_end(scope *s, const model *M, bool head, const mat *is)
{
    of_settings(s, M, M->s.n, is);
    return s->R->traits & SYMBOLIC && s->draws != DRAWN_BY_SUITE ? constrained_see_end(s, M, head, is) : is;
}

const mat *model_embed(scope *s, const model *M)
{
    const mat *X = mat_mul(s, M->tokens, M->E);
    return model_note_end(s, M, false, M->P ? mat_add(s, X, M->P) : X);
}

const mat *model_head(scope *s, const model *M, const mat *X)
{
    const mat *N = normalise(s, M, X, M->gain_f, M->bias_f, (place){ 0, PLACE_FINAL, 0 });
    return model_note_end(s, M, true, mat_mul(s, N, M->head ? M->head : mat_t(s, M->E)));
}

const mat *model_forward(scope *s, const model *M)
{
    const mat *X = model_embed(s, M);
    model_note_depth(s, M->s.L);
    for (long i = 0; i < M->s.L; i++) X = model_block(s, M, i, X);
    return model_head(s, M, X);
}

long model_weights(model *M, const mat **out[], long max)
{
    long count = 0;
    const mat **each[4 + 5 * MAX_LAYERS + 3 * MAX_EXPERTS * MAX_LAYERS];
    each[count++] = &M->E;
    if (M->P) each[count++] = &M->P;
    if (M->head) each[count++] = &M->head;
    for (long i = 0; i < M->s.L; i++) {
        layer *W = &M->at[i];
        const mat **own[] = { &W->Q, &W->K, &W->V, &W->O, &W->router };
        for (size_t k = 0; k < COUNT(own); k++) if (*own[k]) each[count++] = own[k];
        for (long e = 0; e < (M->s.experts ? M->s.experts : 1); e++) {
            mlp *F = &W->expert[e];
            if (!F->up) continue;
            each[count++] = &F->up;
            if (F->gate) each[count++] = &F->gate;
            each[count++] = &F->down;
        }
    }
    for (long k = 0; k < count && k < max; k++) out[k] = each[k];
    return count;
}
