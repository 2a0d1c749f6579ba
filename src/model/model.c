/* SPDX-License-Identifier: GPL-3.0-or-later
 * model.c - random models, and the view of their weights that a block is evaluated from: see model.h. */
#include "src/model/block.h"
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

/* ---- notes ------------------------------------------------------------------------------- */

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

/* ---- the view of a block: where: i MAX_EXPERTS + e ---- */

static const mlp *mlp_at(const model *M, long where)
{
    return &M->at[where / MAX_EXPERTS].expert[where % MAX_EXPERTS];
}

static const mat *part_of(void *of, scope *s, tensor_role role, long where, long first, long count)
{
    (void)s, (void)first, (void)count;
    const model *M = of;
    const layer *W = &M->at[where / MAX_EXPERTS];
    const mlp *F = mlp_at(M, where);
    switch (role) {
    case ROLE_GAIN1:  return W->gain1;     case ROLE_BIAS1:      return W->bias1;
    case ROLE_GAIN2:  return W->gain2;     case ROLE_BIAS2:      return W->bias2;
    case ROLE_Q:      return W->Q;         case ROLE_Q_BIAS:     return W->bQ;
    case ROLE_K:      return W->K;         case ROLE_K_BIAS:     return W->bK;
    case ROLE_V:      return W->V;         case ROLE_V_BIAS:     return W->bV;
    case ROLE_O:      return W->O;         case ROLE_O_BIAS:     return W->bO;
    case ROLE_Q_GAIN: return W->gain_q;    case ROLE_K_GAIN:     return W->gain_k;
    case ROLE_UP:     return F->up;        case ROLE_UP_BIAS:    return F->b_up;
    case ROLE_GATE:   return F->gate;      case ROLE_GATE_BIAS:  return F->b_gate;
    case ROLE_DOWN:   return F->down;      case ROLE_DOWN_BIAS:  return F->b_down;
    case ROLE_FINAL_GAIN: return M->gain_f;  case ROLE_FINAL_BIAS: return M->bias_f;
    case ROLE_ROUTER: return W->router;
    default:          return NULL;
    }
}

static int function_of(const void *of, long where) { return mlp_at(of, where)->function; }

static const mat *seen_by(const void *of, scope *s, long where, layer_half half, long tokens, const mat *is)
{
    const model *M = of;
    return model_note_layer(s, M, where / MAX_EXPERTS, half, tokens ? tokens : M->s.n, is);
}

enum { LOG2_EPS = -17 };                                /* epsilon of the norms: 7.6e-6 */

static transformer_block block_of(const model *M, long i)
{
    const shape *sh = &M->s;
    return (transformer_block){
        .view = { .of = (void *)(uintptr_t)M, .part = part_of, .function = function_of, .seen = seen_by },
        .layer = i * MAX_EXPERTS, .mlp = i * MAX_EXPERTS, .at = (int)(M->first + shape_block(sh, i)),
        .h = sh->h, .h_kv = sh->h_kv, .dk = sh->dk,
        .map = { .kind = sh->attention, .visible = M->visible, .scale_num = sh->scale_num, .scale_den = sh->scale_den },
        .norm = sh->norm, .log2eps = LOG2_EPS, .norms = NORMS_BEFORE,
        .turn = sh->rope ? TURN_ROTATE : TURN_NOT, .act = sh->act, .gated = true,
        .experts = sh->experts, .chosen = sh->experts,
        .parallel = sh->parallel, .attn_skip = sh->attn_skip, .mlp_skip = sh->mlp_skip };
}

/* ---- forward: what a block applies, the model does, not a body ---- */

static const mat *evaluate(scope *s, const model *M, long i,
                           const mat *(*f)(scope *, const transformer_block *, const mat *), const mat *X)
{
    const transformer_block B = block_of(M, i);
    const drawn_by whose = scope_draws(s, DRAWN_BY_MODEL);
    const mat *is = f(s, &B, X);
    s->draws = whose;
    // cppcheck-suppress returnDanglingLifetime ; f returns a matrix of s, never its block
    return is;
}

const mat *model_attention_of(scope *s, const model *M, long i, const mat *Q, const mat *K, const mat *V)
{
    const transformer_block B = block_of(M, i);
    const drawn_by whose = scope_draws(s, DRAWN_BY_MODEL);
    const mat *is = block_heads(s, &B, Q, K, V);
    s->draws = whose;
    if (s->applied && s->draws == DRAWN_BY_BODY) constrained_see_given(s, is);
    return is;
}

const mat *model_self_attention(scope *s, const model *M, long i, const mat *X)
{
    return evaluate(s, M, i, block_self_attention, X);
}

const mat *model_attention(scope *s, const model *M, long i, const mat *X)
{
    return evaluate(s, M, i, block_attention, X);
}

const mat *model_mlp(scope *s, const model *M, long i, const mat *Y) { return evaluate(s, M, i, block_mlp, Y); }

const mat *model_input(scope *s, const model *M, long i, const mat *X) { return evaluate(s, M, i, block_input, X); }

/* Parallel: X + (A + F), of one N; programs that run files add (X + A) + F. */
static const mat *block_of_stream(scope *s, const transformer_block *B, const mat *X)
{
    if (!B->parallel) return block_after_mlp(s, B, X, block_after_attention(s, B, X));
    const mat *before = s->first, *N = block_input(s, B, X), *A = block_attention(s, B, N);
    scope_sweep(s, before, 2, (const mat *[]){ N, A });
    const mat *both = mat_add(s, A, block_mlp(s, B, N));
    return B->attn_skip ? mat_add(s, X, both) : both;
}

const mat *model_block(scope *s, const model *M, long i, const mat *X)
{
    return evaluate(s, M, i, block_of_stream, X);
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

static const mat *head_of_stream(scope *s, const transformer_block *B, const mat *X)
{
    const model *M = B->view.of;
    const mat *N = block_norm(s, B, X, ROLE_FINAL_GAIN, ROLE_FINAL_BIAS, 0, (place){ 0, PLACE_FINAL, 0 });
    return model_note_end(s, M, true, mat_mul(s, N, M->head ? M->head : mat_t(s, M->E)));
}

const mat *model_head(scope *s, const model *M, const mat *X)
{
    return evaluate(s, M, 0, head_of_stream, X);
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
