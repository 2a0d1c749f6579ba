/* SPDX-License-Identifier: GPL-3.0-or-later
 * gpt.c - see gpt.h.
 *
 * Shapes: B sequences of T positions, R = B T rows; width d, MLP m, vocabulary V; h heads of D = d / h coordinates,
 * P apart in memory (P = D without padding), E = h P numbers of all heads. */
#include <math.h>
#include <stdlib.h>
#include "src/train/gpt.h"
#include "src/train/layers.h"

static const double EPS = GPT_NORM_EPS;

typedef struct {
    layernorm norm1, norm2;
    linear    in_proj, out_proj;         /* those of W_q, W_k, W_v that are trained, one over the other: nE x d, n from
                                          * 0 to 3; W_o: d x E */
    mlp       mlp;
    /* Saved for the backward pass; ACT but x, mid and lse. */
    void *x, *x_norm;                    /* R x d: the stream, and its norm; without norms the same     */
    void *qkv, *lse, *heads;             /* R x nE, B h T, R x E: the heads' results                    */
    void *mid, *mid_norm;                /* R x d: the stream after attention, and its norm             */
} block;

struct gpt {
    net        net;
    gpt_config c;
    long       B;                        /* room                                                        */
    block     *block;                    /* [L]                                                         */
    size_t     wte, wpe;                 /* V x d, T x d                                                */
    layernorm  final_norm;
    linear     head;                     /* V x d                                                       */
    int32_t   *token, *target;           /* [R]                                                         */
    double    *loss;                     /* [R]                                                         */
    void      *x, *x_norm;               /* R x d: the stream's end, and its norm (ACT)                 */
    long       chunk;                    /* rows of logits at a time                                    */
    void      *logits, *work;            /* chunk x V, ACT; of the attention                            */
    size_t     room;                     /* bytes of `work`                                             */
    void      *dx;                       /* R x d, WIDE                                                 */
    void      *dy, *dnorm, *dheads;      /* R x d, R x d, R x E, ACT                                    */
    void      *dwide;                    /* R x max(m, 3E), ACT                                         */
};

/* ---- weights --------------------------------------------------------------------------------------------- */

/* P: numbers from one head to the next in the rows of W_q, W_k, W_v and the columns of W_o. */
static long head_pitch(const gpt_config *c)
{
    const long D = c->d / c->h, pad = c->pad > 1 ? c->pad : 1;
    return (D + pad - 1) / pad * pad;
}

static size_t add_matrix(param_table *t, long i, const char *what, long rows, long cols, double std)
{
    char name[LAYER_NAME];
    return params_add(t, layer_name(name, i, what), rows, cols, true, INIT_NORMAL, std);
}

static size_t add_heads(param_table *t, long i, const char *what, long d, heads_pitch row, heads_pitch col, double std)
{
    char name[LAYER_NAME];
    return params_add_heads(t, layer_name(name, i, what), d, d, row, col, true, INIT_NORMAL, std);
}

static layernorm add_norm(param_table *t, const gpt_config *c, long i, const char *what)
{
    return c->norm ? layernorm_add(t, i, what, NULL, c->d, EPS) : (layernorm){ .width = c->d };
}

static void add_block(param_table *t, const gpt_config *c, long i, block *b)
{
    const double std = c->init_std, residual_std = c->init_std / sqrt(2.0 * (double)c->L);
    const long d = c->d, P = head_pitch(c), E = c->h * P;
    const heads_pitch pitch = { d / c->h, P }, one = { 1, 1 };
    b->norm1 = add_norm(t, c, i, "norm1");
    const long trained = GPT_PROJECTIONS - gpt_identities(c);
    b->in_proj = (linear){ .weight = trained > 0, .out = trained * E, .in = d, .w = t->size };
    static const char *const name[] = { [GPT_QUERY] = "attn.q", [GPT_KEY] = "attn.k", [GPT_VALUE] = "attn.v" };
    for (int k = 0; k < GPT_PROJECTIONS; k++) if (!c->identity[k]) add_heads(t, i, name[k], d, pitch, one, std);
    b->out_proj = (linear){ .weight = true, .out = d, .in = E };
    b->out_proj.w = add_heads(t, i, "attn.o", d, one, pitch, residual_std);
    b->norm2 = add_norm(t, c, i, "norm2");
    b->mlp.fc   = (linear){ .weight = true, .out = c->m, .in = d, .w = add_matrix(t, i, "mlp.fc", c->m, d, std) };
    b->mlp.proj = (linear){ .weight = true, .out = d, .in = c->m };
    b->mlp.proj.w = add_matrix(t, i, "mlp.proj", d, c->m, residual_std);
}

/* Sets the layers' offsets, in the order of the flat arrays. */
static param_table build_param_table(gpt *M)
{
    const gpt_config *c = &M->c;
    param_table t = { NULL, 0, 0 };
    M->wte = add_matrix(&t, -1, "wte", c->V, c->d, c->init_std);
    M->wpe = add_matrix(&t, -1, "wpe", c->T, c->d, c->init_std);
    for (long i = 0; i < c->L; i++) add_block(&t, c, i, &M->block[i]);
    M->final_norm = add_norm(&t, c, -1, "normf");
    M->head = (linear){ .weight = true, .out = c->V, .in = c->d, .w = M->wte };
    if (!c->tied) M->head.w = add_matrix(&t, -1, "head", c->V, c->d, c->init_std);
    return t;
}

param_table gpt_params(const gpt_config *c)
{
    gpt M = { .c = *c, .block = must_calloc((size_t)c->L, sizeof *M.block) };
    const param_table t = build_param_table(&M);
    free(M.block);
    return t;
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

static attn_shape attention_shape(const gpt *M, long B)
{
    const gpt_config *c = &M->c;
    const long D = c->d / c->h;
    return (attn_shape){ .B = B, .T = c->T, .H = c->h, .D = head_pitch(c), .causal = true, .room = M->room,
                         .scale = c->factor / sqrt((double)D) };
}

/* Room for the norm of x, or x itself where it is the same numbers. */
static void *take_norm(gpt *M, void *x, long R)
{
    return M->c.norm || net_has_two_types(&M->net) ? arena_take_act(&M->net, R * M->c.d) : x;
}

static void assign_buffers(void *self)
{
    gpt *M = self;
    net *n = &M->net;
    const gpt_config *c = &M->c;
    const long R = M->B * c->T, d = c->d, E = c->h * head_pitch(c);
    for (long i = 0; i < c->L; i++) {
        block *b = &M->block[i];
        b->x = arena_take_wide(n, R * d);
        b->x_norm = take_norm(M, b->x, R);
        layernorm_buffers(n, &b->norm1, R);
        b->qkv = arena_take_act(n, R * b->in_proj.out);
        b->lse = arena_take_wide(n, R * c->h);
        b->heads = arena_take_act(n, R * E);
        b->mid = arena_take_wide(n, R * d);
        b->mid_norm = take_norm(M, b->mid, R);
        layernorm_buffers(n, &b->norm2, R);
        mlp_buffers(n, &b->mlp, R);
    }
    M->token  = arena_take(n, (size_t)R * sizeof *M->token);
    M->target = arena_take(n, (size_t)R * sizeof *M->target);
    M->loss   = arena_take(n, (size_t)R * sizeof *M->loss);
    M->x      = arena_take_wide(n, R * d);
    M->x_norm = take_norm(M, M->x, R);
    layernorm_buffers(n, &M->final_norm, R);
    M->dx     = arena_take_wide(n, R * d);
    M->dy     = net_has_two_types(n) ? arena_take_act(n, R * d) : NULL;
    M->dnorm  = arena_take_act(n, R * d);
    M->dheads = arena_take_act(n, R * E);
    M->dwide  = arena_take_act(n, R * (c->m > 3 * E ? c->m : 3 * E));
    M->logits = arena_take_act(n, M->chunk * c->V);
    const attn_shape s = attention_shape(M, M->B);
    M->room   = n->o->attn_work(&s);
    M->work   = arena_take(n, M->room);
}

/* A GPU's products take whole tiles of 128 rows. */
static long logits_rows(const gpt_config *c, const ops *o, long rows)
{
    long most = (long)o->logits / c->V;
    if (o->device && most > 128) most -= most % 128;
    if (most < 1) most = 1;
    return most < rows ? most : rows;
}

size_t gpt_room(const gpt_config *c, const ops *o, long B)
{
    gpt M = { .c = *c, .B = B, .block = must_calloc((size_t)c->L, sizeof *M.block), .net = { .o = o } };
    M.chunk = logits_rows(c, o, B * c->T);
    param_table t = build_param_table(&M);
    assign_buffers(&M);                                                 /* without an arena it is only counted */
    const size_t weight = 4 * o->real + (net_has_two_types(&M.net) ? o->act : 0);       /* w, g, m, v; as ACT */
    const size_t bytes = M.net.arena_used + t.size * weight;
    params_free(&t);
    free(M.block);
    return bytes;
}

gpt *gpt_create(const gpt_config *c, const ops *o, long B, uint64_t seed)
{
    const char *wrong = gpt_config_check(c);
    REQUIRE(!wrong, "%s", wrong);
    REQUIRE(B > 0, "room for %ld sequences", B);
    gpt *M = must_calloc(1, sizeof *M);
    *M = (gpt){ .c = *c, .B = B, .block = must_calloc((size_t)c->L, sizeof *M->block) };
    M->chunk = logits_rows(c, o, B * c->T);
    M->net = net_create(o, build_param_table(M), seed);
    net_assign_buffers(&M->net, assign_buffers, M);
    return M;
}

void gpt_free(gpt *M)
{
    if (!M) return;
    net_free(&M->net);
    free(M->block);
    free(M);
}

net *gpt_net(gpt *M) { return &M->net; }
attn_shape gpt_attention(const gpt *M) { return attention_shape(M, M->B); }

/* ---- forward --------------------------------------------------------------------------------------------- */

/* Q, K, V as the attention sees them: side by side in qkv, or where W = I the block's input x_norm itself. */
typedef struct { heads of[GPT_PROJECTIONS]; } projections;
static projections projections_of(const gpt *M, const void *qkv, const void *x_norm)
{
    const gpt_config *c = &M->c;
    const long P = head_pitch(c), E = c->h * P, row = (GPT_PROJECTIONS - gpt_identities(c)) * E;
    projections p = { 0 };
    long column = 0;
    for (int k = 0; k < GPT_PROJECTIONS; k++) {
        p.of[k] = c->identity[k] ? (heads){ x_norm, E, P } : (heads){ at_act(M->net.o, qkv, (size_t)column), row, P };
        if (!c->identity[k]) column += E;
    }
    return p;
}

static void attention_forward(gpt *M, block *b, long B)
{
    const net *n = &M->net;
    const long R = B * M->c.T, P = head_pitch(&M->c), E = M->c.h * P;
    const attn_shape s = attention_shape(M, B);
    if (b->in_proj.weight) linear_forward(n, &b->in_proj, R, b->x_norm, NULL, b->qkv, ACT);
    const projections p = projections_of(M, b->qkv, b->x_norm);
    n->o->attn_fwd((heads_out){ b->heads, E, P, false }, b->lse, p.of[GPT_QUERY], p.of[GPT_KEY], p.of[GPT_VALUE], &s,
                   M->work);
    linear_forward(n, &b->out_proj, R, b->heads, M->c.attn_skip ? b->x : NULL, b->mid, WIDE);
}

static void block_forward(gpt *M, block *b, long B, void *next)
{
    const net *n = &M->net;
    const long R = B * M->c.T;
    layernorm_forward(n, &b->norm1, R, b->x, b->x_norm);
    attention_forward(M, b, B);
    layernorm_forward(n, &b->norm2, R, b->mid, b->mid_norm);
    mlp_forward(n, &b->mlp, R, b->mid_norm, M->c.mlp_skip ? b->mid : NULL, next, WIDE);
}

static void upload_tokens(gpt *M, int32_t *to, const int32_t *host, long B)
{
    const gpt_config *c = &M->c;
    const long R = B * c->T;
    REQUIRE(0 < B && B <= M->B, "%ld sequences, room for %ld", B, M->B);
    for (long r = 0; r < R; r++) REQUIRE(host[r] >= 0 && host[r] < c->V, "token %ld of %ld", (long)host[r], c->V);
    M->net.o->upload(to, host, (size_t)R * sizeof *host);
}

/* From the tokens to the norm before the head. */
static void forward(gpt *M, long B)
{
    const gpt_config *c = &M->c;
    const net *n = &M->net;
    const long R = B * c->T;
    n->o->embed_fwd(M->block[0].x, M->token, net_weight(n, M->wte), net_weight(n, M->wpe), R, c->T, c->d);
    for (long i = 0; i < c->L; i++) block_forward(M, &M->block[i], B, i + 1 < c->L ? M->block[i + 1].x : M->x);
    layernorm_forward(n, &M->final_norm, R, M->x, M->x_norm);
}

static void head_forward(gpt *M, long from, long rows)
{
    const net *n = &M->net;
    linear_forward(n, &M->head, rows, at_act(n->o, M->x_norm, (size_t)(from * M->c.d)), NULL, M->logits, ACT);
}

/* ---- backward: dx is the gradient at the current position of the stream, dy the same as ACT ------------------- */

/* Losses of all rows, some logits at a time; with a factor also dnorm, the gradient before the head. */
static void head_loss(gpt *M, long B, double factor)
{
    const net *n = &M->net;
    const long R = B * M->c.T;
    for (long from = 0; from < R; from += M->chunk) {
        const long rows = R - from < M->chunk ? R - from : M->chunk;
        const size_t first = (size_t)(from * M->c.d);
        head_forward(M, from, rows);
        n->o->loss_fwdbwd(M->logits, M->loss + from, M->target + from, rows, M->c.V, factor);
        if (factor != 0)
            linear_backward(n, &M->head, rows, M->logits, at_act(n->o, M->x_norm, first),
                            at_act(n->o, M->dnorm, first), NULL);
    }
}

/* Where both kinds of number are one type there is no dy: it is dx. */
static const void *stream_gradient(const gpt *M) { return M->dy ? M->dy : M->dx; }

/* dx = the gradient that passes by a layer: itself with a skip around it, else 0. */
static void skip_backward(const gpt *M, bool skip, long R)
{
    if (!skip) M->net.o->zero(M->dx, (size_t)(R * M->c.d));
}

static heads_out heads_to(heads x, bool add) { return (heads_out){ (void *)(uintptr_t)x.p, x.row, x.head, add }; }

/* dnorm = 0: a product whose own part is left out. */
static void zero_dnorm(gpt *M, const block *b, long R)
{
    const net *n = &M->net;
    const linear *l = &b->out_proj;
    n->o->gemm(false, true, R, l->out, l->in, 0, M->dheads, l->in, net_weight_act(n, l->w), l->in, 0, NULL, M->dnorm,
               l->out, ACT);
}

/* From dx to dnorm, the gradient at x_norm.  Where W = I the gradient of Q, K or V is a part of it as it is; two or
 * three of them meet there: it is 0 before, and they are added. */
static void attention_backward(gpt *M, const block *b, long B)
{
    const net *n = &M->net;
    const long R = B * M->c.T, P = head_pitch(&M->c), E = M->c.h * P;
    const attn_shape s = attention_shape(M, B);
    linear_backward(n, &b->out_proj, R, stream_gradient(M), b->heads, M->dheads, NULL);
    const projections p = projections_of(M, b->qkv, b->x_norm), d = projections_of(M, M->dwide, M->dnorm);
    const long identities = gpt_identities(&M->c);
    if (identities > 1) zero_dnorm(M, b, R);
    heads_out to[GPT_PROJECTIONS] = { 0 };
    for (int k = 0; k < GPT_PROJECTIONS; k++) to[k] = heads_to(d.of[k], M->c.identity[k] && identities > 1);
    n->o->attn_bwd(to[GPT_QUERY], to[GPT_KEY], to[GPT_VALUE], (heads){ M->dheads, E, P }, (heads){ b->heads, E, P },
                   b->lse, p.of[GPT_QUERY], p.of[GPT_KEY], p.of[GPT_VALUE], &s, M->work);
    if (b->in_proj.weight)
        linear_backward(n, &b->in_proj, R, M->dwide, b->x_norm, M->dnorm, identities > 0 ? M->dnorm : NULL);
}

static void block_backward(gpt *M, const block *b, long B)
{
    const net *n = &M->net;
    const long R = B * M->c.T;
    mlp_backward(n, &b->mlp, R, stream_gradient(M), b->mid_norm, M->dwide, M->dnorm);
    skip_backward(M, M->c.mlp_skip, R);
    layernorm_backward(n, &b->norm2, R, M->dnorm, b->mid, M->dx, M->dy);
    attention_backward(M, b, B);
    skip_backward(M, M->c.attn_skip, R);
    layernorm_backward(n, &b->norm1, R, M->dnorm, b->x, M->dx, b == M->block ? NULL : M->dy);
}

static void backward(gpt *M, long B)
{
    const net *n = &M->net;
    const gpt_config *c = &M->c;
    const long R = B * c->T;
    n->o->zero(M->dx, (size_t)(R * c->d));
    layernorm_backward(n, &M->final_norm, R, M->dnorm, M->x, M->dx, M->dy);
    for (long i = c->L - 1; i >= 0; i--) block_backward(M, &M->block[i], B);
    n->o->embed_bwd(net_gradient(n, M->wte), net_gradient(n, M->wpe), M->dx, M->token, R, c->T, c->d, c->V);
}

/* ---- batches --------------------------------------------------------------------------------------------- */

typedef struct { gpt *M; long B; double factor; } batch;
static void run_batch(void *self)
{
    const batch *b = self;
    forward(b->M, b->B);
    head_loss(b->M, b->B, b->factor);
    if (b->factor != 0) backward(b->M, b->B);
}

double gpt_loss(gpt *M, const int32_t *token, const int32_t *target, long B, double *loss, double factor)
{
    upload_tokens(M, M->token, token, B);
    upload_tokens(M, M->target, target, B);
    batch b = { M, B, factor };
    net_run_batch(&M->net, B == M->B, factor, run_batch, &b);
    return net_mean_loss(&M->net, M->loss, loss, B * M->c.T);
}

void gpt_logits(gpt *M, const int32_t *token, long B, double *logits)
{
    const long R = B * M->c.T;
    upload_tokens(M, M->token, token, B);
    forward(M, B);
    for (long from = 0; from < R; from += M->chunk) {
        const long rows = R - from < M->chunk ? R - from : M->chunk;
        head_forward(M, from, rows);
        M->net.o->get_act(logits + from * M->c.V, M->logits, (size_t)(rows * M->c.V));
    }
}

/* Causal attention: what follows the last token does not matter; it is filled with token 0. */
void gpt_last_logits(gpt *M, const int32_t *token, long n, double *logits)
{
    REQUIRE(0 < n && n <= M->c.T, "%ld tokens, room for %ld", n, M->c.T);
    int32_t *padded = must_calloc((size_t)M->c.T, sizeof *padded);
    for (long t = 0; t < n; t++) padded[t] = token[t];
    upload_tokens(M, M->token, padded, 1);
    forward(M, 1);
    head_forward(M, n - 1, 1);
    M->net.o->get_act(logits, M->logits, (size_t)M->c.V);
    free(padded);
}
