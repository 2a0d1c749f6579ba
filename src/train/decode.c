/* SPDX-License-Identifier: GPL-3.0-or-later
 * decode.c - see decode.h.
 *
 * Shapes: R new rows, at first up to T, then 1; n tokens in all.  Width d, heads of P numbers in memory, E = h P. */
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include "src/train/decode.h"
#include "src/train/layers.h"

typedef struct {
    layernorm norm1, norm2;
    linear    in_proj, out_proj, fc, proj;
    void     *x_norm, *qkv;              /* T x d, T x 3E (less where W = I): of all tokens so far, queries included */
} block;

struct decoder {
    net        net;                      /* the caller's, with an arena of our own                      */
    gpt_config c;
    long       P, seen;
    block     *block;                    /* [L]                                                         */
    size_t     wte, wpe;
    layernorm  final_norm;
    linear     head;
    int32_t   *token;                    /* [T]                                                         */
    void      *x, *mid, *x_norm;         /* T x d: the stream (WIDE), and its norm                      */
    void      *heads, *u, *g, *lse;      /* T x E, T x m, T x m, h x T                                  */
    void      *scores, *logits, *work;   /* h x T, V; of the attention                                  */
    size_t     room;                     /* bytes of `work`                                             */
    double    *row;                      /* [h T] on the host                                           */
};

/* ---- weights, by their names ------------------------------------------------------------------------------ */

static const param *weight_of(const decoder *D, long i, const char *what)
{
    char name[LAYER_NAME];
    const param *p = params_find(&D->net.table, layer_name(name, i, what));
    REQUIRE(p, "no weight %s", name);
    return p;
}

static linear matrix(const decoder *D, long i, const char *what, long out, long in)
{
    return (linear){ .weight = true, .out = out, .in = in, .w = weight_of(D, i, what)->at };
}

static layernorm norm(const decoder *D, long i, const char *what)
{
    if (!D->c.norm) return (layernorm){ .width = D->c.d };
    return (layernorm){ .present = true, .width = D->c.d, .eps = GPT_NORM_EPS, .gain = weight_of(D, i, what)->at };
}

/* W_q over W_k over W_v, without those that are the identity. */
static linear projection(const decoder *D, long i)
{
    static const char *const name[] = { [GPT_QUERY] = "attn.q", [GPT_KEY] = "attn.k", [GPT_VALUE] = "attn.v" };
    const gpt_config *c = &D->c;
    const long trained = GPT_PROJECTIONS - gpt_identities(c);
    for (int k = 0; k < GPT_PROJECTIONS; k++)
        if (!c->identity[k]) return matrix(D, i, name[k], trained * c->h * D->P, c->d);
    return (linear){ .in = c->d };
}

static void find_weights(decoder *D)
{
    const gpt_config *c = &D->c;
    const long d = c->d;
    D->P = weight_of(D, 0, "attn.o")->col.pitch;
    const long E = c->h * D->P;
    D->wte = weight_of(D, -1, "wte")->at;
    D->wpe = weight_of(D, -1, "wpe")->at;
    for (long i = 0; i < c->L; i++)
        D->block[i] = (block){
            .norm1 = norm(D, i, "norm1"), .norm2 = norm(D, i, "norm2"),
            .in_proj = projection(D, i), .out_proj = matrix(D, i, "attn.o", d, E),
            .fc = matrix(D, i, "mlp.fc", c->m, d), .proj = matrix(D, i, "mlp.proj", d, c->m) };
    D->final_norm = norm(D, -1, "normf");
    D->head = matrix(D, -1, c->tied ? "wte" : "head", c->V, d);
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

static attn_shape attention_shape(const decoder *D, long R)
{
    const gpt_config *c = &D->c;
    const long width = c->d / c->h;
    return (attn_shape){ .B = 1, .T = R, .H = c->h, .D = D->P, .causal = true, .room = D->room,
                         .scale = c->factor / sqrt((double)width) };
}

static void assign_buffers(void *self)
{
    decoder *D = self;
    net *n = &D->net;
    const gpt_config *c = &D->c;
    const long T = c->T, E = c->h * D->P;
    for (long i = 0; i < c->L; i++) {
        block *b = &D->block[i];
        b->x_norm = arena_take_act(n, T * c->d);
        b->qkv = arena_take_act(n, T * b->in_proj.out);
        layernorm_buffers(n, &b->norm1, T);
        layernorm_buffers(n, &b->norm2, T);
    }
    layernorm_buffers(n, &D->final_norm, T);
    D->token  = arena_take(n, (size_t)T * sizeof *D->token);
    D->x      = arena_take_wide(n, T * c->d);
    D->mid    = arena_take_wide(n, T * c->d);
    D->x_norm = arena_take_act(n, T * c->d);
    D->heads  = arena_take_act(n, T * E);
    D->u      = arena_take_act(n, T * c->m);
    D->g      = arena_take_act(n, T * c->m);
    D->lse    = arena_take_wide(n, T * c->h);
    D->scores = arena_take_act(n, T * c->h);
    D->logits = arena_take_act(n, c->V);
    const attn_shape s = attention_shape(D, T);
    D->room   = n->o->attn_work(&s);
    D->work   = arena_take(n, D->room);
}

decoder *decoder_create(const gpt_config *c, const net *n)
{
    const char *wrong = gpt_config_check(c);
    REQUIRE(!wrong, "%s", wrong);
    decoder *D = must_calloc(1, sizeof *D);
    *D = (decoder){ .net = { .o = n->o, .table = n->table, .w = n->w, .w_act = n->w_act }, .c = *c,
                    .block = must_calloc((size_t)c->L, sizeof *D->block),
                    .row = must_calloc((size_t)(c->h * c->T), sizeof *D->row) };
    find_weights(D);
    net_assign_buffers(&D->net, assign_buffers, D);
    return D;
}

void decoder_free(decoder *D)
{
    if (!D) return;
    D->net.o->release(D->net.arena);
    free(D->block);
    free(D->row);
    free(D);
}

void decoder_restart(decoder *D)    { D->seen = 0; }
long decoder_seen(const decoder *D) { return D->seen; }

/* ---- products -------------------------------------------------------------------------------------------- */

/* y = alpha A x, or alpha A' x: A rows x cols, lda apart.  A product reads A twice, to arrange it for many rows; on the
 * CPU, where the matrix does not fit into the caches, that is what it costs. */
static void times_vector(const ops *o, bool transposed, long rows, long cols, double alpha, const void *A, long lda,
                         const void *x, const void *residual, void *y, number_kind kind)
{
    const enum CBLAS_TRANSPOSE t = transposed ? CblasTrans : CblasNoTrans;
    const long out = transposed ? cols : rows, in = transposed ? rows : cols;
    const bool f32 = o == ops_cpu_f32(), f64 = o == ops_cpu_f64();
    if ((f32 || f64) && residual) o->copy(y, residual, (size_t)out);
    if (f32)
        cblas_sgemv(CblasRowMajor, t, (int)rows, (int)cols, (float)alpha, A, (int)lda, x, 1, residual ? 1 : 0, y, 1);
    else if (f64)
        cblas_dgemv(CblasRowMajor, t, (int)rows, (int)cols, alpha, A, (int)lda, x, 1, residual ? 1 : 0, y, 1);
    else
        o->gemm(false, !transposed, 1, out, in, alpha, x, in, A, lda, residual ? 1 : 0, residual, y, out, kind);
}

static void apply(const decoder *D, const linear *l, long R, const void *x, const void *residual, void *y,
                  number_kind kind)
{
    if (R > 1) linear_forward(&D->net, l, R, x, residual, y, kind);
    else times_vector(D->net.o, false, l->out, l->in, 1, net_weight_act(&D->net, l->w), l->in, x, residual, y, kind);
}

/* ---- layers ---------------------------------------------------------------------------------------------- */

static void softmax(double *x, long n)
{
    double top = x[0], sum = 0;
    for (long i = 1; i < n; i++) top = fmax(top, x[i]);
    for (long i = 0; i < n; i++) sum += x[i] = exp(x[i] - top);
    for (long i = 0; i < n; i++) x[i] /= sum;
}

/* One query on the keys and values of n tokens. */
static void attend(decoder *D, heads Q, heads K, heads V, long n)
{
    const ops *o = D->net.o;
    const long H = D->c.h, P = D->P, T = D->c.T;
    const double scale = attention_shape(D, 1).scale;
    for (long h = 0; h < H; h++)
        times_vector(o, false, n, P, scale, at_act(o, K.p, (size_t)(h * K.head)), K.row,
                     at_act(o, Q.p, (size_t)(h * Q.head)), NULL, at_act(o, D->scores, (size_t)(h * T)), ACT);
    o->get_act(D->row, D->scores, (size_t)(H * T));
    for (long h = 0; h < H; h++) softmax(D->row + h * T, n);
    o->put_act(D->scores, D->row, (size_t)(H * T));
    for (long h = 0; h < H; h++)
        times_vector(o, true, n, P, 1, at_act(o, V.p, (size_t)(h * V.head)), V.row,
                     at_act(o, D->scores, (size_t)(h * T)), NULL, at_act(o, D->heads, (size_t)(h * P)), ACT);
}

/* heads = attention of R new rows; Q, K, V are side by side in qkv, or where W = I x_norm itself. */
static void attention(decoder *D, block *b, long R)
{
    const gpt_config *c = &D->c;
    const ops *o = D->net.o;
    const long P = D->P, E = c->h * P, row = b->in_proj.out;
    if (b->in_proj.weight)
        apply(D, &b->in_proj, R, at_act(o, b->x_norm, (size_t)(D->seen * c->d)), NULL,
              at_act(o, b->qkv, (size_t)(D->seen * row)), ACT);
    heads of[GPT_PROJECTIONS];
    long column = 0;
    for (int k = 0; k < GPT_PROJECTIONS; k++) {
        of[k] = c->identity[k] ? (heads){ b->x_norm, E, P } : (heads){ at_act(o, b->qkv, (size_t)column), row, P };
        if (!c->identity[k]) column += E;
    }
    heads Q = of[GPT_QUERY];
    Q.p = at_act(o, Q.p, (size_t)(D->seen * Q.row));
    const attn_shape s = attention_shape(D, R);
    if (D->seen) attend(D, Q, of[GPT_KEY], of[GPT_VALUE], D->seen + 1);
    else o->attn_fwd((heads_out){ D->heads, E, P, false }, D->lse, Q, of[GPT_KEY], of[GPT_VALUE], &s, D->work);
}

static void block_forward(decoder *D, block *b, long R)
{
    const net *n = &D->net;
    const gpt_config *c = &D->c;
    layernorm_forward(n, &b->norm1, R, D->x, at_act(n->o, b->x_norm, (size_t)(D->seen * c->d)));
    attention(D, b, R);
    apply(D, &b->out_proj, R, D->heads, c->attn_skip ? D->x : NULL, D->mid, WIDE);
    layernorm_forward(n, &b->norm2, R, D->mid, D->x_norm);
    apply(D, &b->fc, R, D->x_norm, NULL, D->u, ACT);
    n->o->activation_fwd(D->g, D->u, (size_t)(R * c->m), ACTIVATION_GELU);
    apply(D, &b->proj, R, D->g, c->mlp_skip ? D->mid : NULL, D->x, WIDE);
}

/* R more rows; logits, where they are wanted, of the last. */
static void forward(decoder *D, const int32_t *token, long R, double *logits)
{
    const gpt_config *c = &D->c;
    const net *n = &D->net;
    const ops *o = n->o;
    for (long r = 0; r < R; r++) REQUIRE(token[r] >= 0 && token[r] < c->V, "token %ld of %ld", (long)token[r], c->V);
    o->upload(D->token, token, (size_t)R * sizeof *token);
    o->embed_fwd(D->x, D->token, net_weight(n, D->wte), net_weight(n, D->wpe + (size_t)(D->seen * c->d)), R, R, c->d);
    for (long i = 0; i < c->L; i++) block_forward(D, &D->block[i], R);
    D->seen += R;
    if (!logits) return;
    layernorm_forward(n, &D->final_norm, 1, at(o, D->x, (size_t)((R - 1) * c->d)), D->x_norm);
    apply(D, &D->head, 1, D->x_norm, NULL, D->logits, ACT);
    o->get_act(logits, D->logits, (size_t)c->V);
}

void decode(decoder *D, const int32_t *token, long n, double *logits)
{
    REQUIRE(0 < n && n + D->seen <= D->c.T, "%ld more tokens after %ld, room for %ld", n, D->seen, D->c.T);
    const long first = D->seen ? 1 : n;
    forward(D, token, first, first == n ? logits : NULL);
    for (long k = first; k < n; k++) forward(D, token + k, 1, k == n - 1 ? logits : NULL);
}
