/* SPDX-License-Identifier: GPL-3.0-or-later
 * vit.c - see vit.h.
 *
 * Shapes: B images, each T positions (its patches, after a class token if there is one), R = B T rows; width d, MLP m;
 * h heads of d / h coordinates.
 * An encoder is two sublayers of one form: x + f(LN(x)), where f is attention, the MLP or nothing. */
#include <math.h>
#include <stdlib.h>
#include "src/train/layers.h"
#include "src/train/vit.h"

static const double EPS = 1e-6;          /* of Keras' vision example                                    */

typedef enum { ATTENTION, MLP, NOTHING } sublayer_kind;

typedef struct {
    sublayer_kind kind;
    layernorm before, after;             /* of what f reads; of the sum: one of the two is the identity */
    linear q, k, v, o;
    mlp    mlp;
    /* Saved for the backward pass; ACT but x, sum and lse. */
    void *x, *sum;                       /* R x d: the stream; before a norm that comes last            */
    void *a;                             /* R x d: what f reads; may be x                               */
    void *Q, *K, *V, *lse, *O;           /* R x d; K may be Q or a, V may be a; lse: B h T              */
} sublayer;

struct vit {
    net         net;
    vit_config  c;
    long        B, P, T;                 /* room; patches of an image                                   */
    linear      patch, head;             /* d x patch patch channels, classes x d; the class token follows the
                                          * bias of `patch` in the table */
    sublayer   *sublayer;
    long        sublayers;
    unsigned char *image;                /* B images                                                    */
    int32_t    *label, *origin;          /* [B]; [T]: 1 for the class token, 0 for a patch              */
    double     *loss, *top1;             /* [B]                                                         */
    void       *patches, *embedded;      /* R x patch patch channels, R x d, ACT                        */
    void       *sines, *shift, *dshift, *dsines;   /* T x d, WIDE: positions; all that is added to a patch's row */
    void       *x, *pooled, *logits;     /* R x d, WIDE: the stream's end; B x d, B x classes, ACT      */
    void       *y, *work;                /* R x d, ACT: what f returns; of the attention                */
    size_t      room;                    /* bytes of `work`                                             */
    void       *dx, *dsum;               /* R x d, WIDE                                                 */
    void       *dy, *da, *dO, *dQ, *dK, *dV, *du;  /* ACT: R x d, du: R x m                             */
    void       *dsum_act;                          /* ACT: R x d, as dy; it changes places with it, and dsum with dx */
};

/* ---- weights --------------------------------------------------------------------------------------------- */

/* Glorot & Bengio 2010: uniform within sqrt(6 / (in + out)). */
static linear add_linear(param_table *t, long encoder, const char *what, const char *bias, long out, long in,
                         bool weight, bool has_bias)
{
    char name[LAYER_NAME];
    linear l = { .weight = weight, .bias = has_bias, .out = out, .in = in };
    const double limit = sqrt(6.0 / (double)(in + out));
    if (weight)   l.w = params_add(t, layer_name(name, encoder, what), out, in, true, INIT_UNIFORM, limit);
    if (has_bias) l.b = params_add(t, layer_name(name, encoder, bias), 1, out, false, INIT_ZERO, 0);
    return l;
}

static void add_norm(param_table *t, long encoder, const char *gain, const char *bias, const vit_config *c, sublayer *s)
{
    s->before = s->after = (layernorm){ .width = c->d };
    if (c->norm == VIT_BARE) return;
    *(c->norm == VIT_PRE ? &s->before : &s->after) = layernorm_add(t, encoder, gain, bias, c->d, EPS);
}

/* Sets the layers' offsets, in the order of the flat arrays. */
static param_table build_param_table(vit *M)
{
    const vit_config *c = &M->c;
    param_table t = { NULL, 0, 0 };
    const long d = c->d;
    M->patch = add_linear(&t, -1, "patch.w", "patch.b", d, c->patch * c->patch * c->channels, true, true);
    M->patch.bias = false;               /* its bias is added with the positions: class tokens have none */
    if (c->token) params_add(&t, "token", 1, d, false, INIT_NORMAL, 0.02);
    for (long i = 0; i < c->S; i++) {
        sublayer a = { .kind = ATTENTION }, b = { .kind = c->m ? MLP : NOTHING };
        add_norm(&t, i, "norm1.g", "norm1.b", c, &a);
        a.q = add_linear(&t, i, "attn.q", "attn.q.b", d, d, true, c->query_bias);
        a.k = add_linear(&t, i, "attn.k", "attn.k.b", d, d, c->key == VIT_OWN, c->key_bias);
        a.v = add_linear(&t, i, "attn.v", "attn.v.b", d, d, c->value == VIT_OWN, c->value_bias);
        a.o = add_linear(&t, i, "attn.o", "attn.o.b", d, d, c->output, c->output_bias);
        add_norm(&t, i, "norm2.g", "norm2.b", c, &b);
        if (c->m) {
            b.mlp.fc   = add_linear(&t, i, "mlp.fc", "mlp.fc.b", c->m, d, true, true);
            b.mlp.proj = add_linear(&t, i, "mlp.proj", "mlp.proj.b", d, c->m, true, true);
        }
        M->sublayer[M->sublayers++] = a;
        if (c->m || c->norm != VIT_BARE) M->sublayer[M->sublayers++] = b;
    }
    M->head = add_linear(&t, -1, "head.w", "head.b", c->classes, d, true, true);
    return t;
}

param_table vit_params(const vit_config *c)
{
    vit M = { .c = *c, .sublayer = must_calloc((size_t)(2 * c->S), sizeof *M.sublayer) };
    const param_table t = build_param_table(&M);
    free(M.sublayer);
    return t;
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

static attn_shape attention_shape(const vit *M, long B)
{
    const long D = M->c.d / M->c.h;
    return (attn_shape){ .B = B, .T = M->T, .H = M->c.h, .D = D, .causal = false, .room = M->room,
                         .scale = 1 / sqrt((double)D) };
}

static void assign_sublayer_buffers(vit *M, sublayer *k)
{
    net *n = &M->net;
    const vit_config *c = &M->c;
    const long R = M->B * M->T, d = c->d;
    k->x   = arena_take_wide(n, R * d);
    k->sum = c->norm == VIT_POST ? arena_take_wide(n, R * d) : NULL;
    layernorm_buffers(n, &k->before, R);
    layernorm_buffers(n, &k->after, R);
    k->a = c->norm == VIT_PRE || net_has_two_types(n) ? arena_take_act(n, R * d) : k->x;
    if (k->kind == MLP) mlp_buffers(n, &k->mlp, R);
    if (k->kind != ATTENTION) return;
    k->Q = arena_take_act(n, R * d);
    k->K = k->k.weight || k->k.bias ? arena_take_act(n, R * d) : c->key == VIT_QUERY ? k->Q : k->a;
    k->V = k->v.weight ? arena_take_act(n, R * d) : k->a;
    k->O = arena_take_act(n, R * d);
    k->lse = arena_take_wide(n, R * c->h);
}

static void assign_buffers(void *self)
{
    vit *M = self;
    net *n = &M->net;
    const vit_config *c = &M->c;
    const long B = M->B, T = M->T, R = B * T, d = c->d;
    for (long i = 0; i < M->sublayers; i++) assign_sublayer_buffers(M, &M->sublayer[i]);
    M->x        = arena_take_wide(n, R * d);
    M->image    = arena_take(n, (size_t)(B * c->side * c->side * c->channels));
    M->label    = arena_take(n, (size_t)B * sizeof *M->label);
    M->origin   = arena_take(n, (size_t)T * sizeof *M->origin);
    M->loss     = arena_take(n, (size_t)B * sizeof *M->loss);
    M->top1     = arena_take(n, (size_t)B * sizeof *M->top1);
    M->patches  = arena_take_act(n, R * M->patch.in);
    M->embedded = net_has_two_types(n) ? arena_take_act(n, R * d) : M->sublayer[0].x;
    M->sines    = arena_take_wide(n, T * d);
    M->shift    = arena_take_wide(n, T * d);
    M->dshift   = arena_take_wide(n, T * d);
    M->dsines   = arena_take_wide(n, T * d);
    M->pooled   = arena_take_act(n, B * d);
    M->logits   = arena_take_act(n, B * c->classes);
    M->y        = arena_take_act(n, R * d);
    M->dx       = arena_take_wide(n, R * d);
    M->dsum     = arena_take_wide(n, R * d);
    M->dy       = net_has_two_types(n) ? arena_take_act(n, R * d) : NULL;
    M->dsum_act = net_has_two_types(n) ? arena_take_act(n, R * d) : NULL;
    M->da       = arena_take_act(n, R * d);
    M->dO       = arena_take_act(n, R * d);
    M->dQ       = arena_take_act(n, R * d);
    M->dK       = arena_take_act(n, R * d);
    M->dV       = arena_take_act(n, R * d);
    M->du       = arena_take_act(n, R * c->m);
    const attn_shape s = attention_shape(M, B);
    M->room     = n->o->attn_work(&s);
    M->work     = arena_take(n, M->room);
}

/* Vaswani et al. 2017: coordinates 2i and 2i + 1 of position t are sine and cosine of t / 10000^(2i/d). */
static void fill_positions(vit *M)
{
    const long d = M->c.d;
    const ops *o = M->net.o;
    double *x = must_calloc((size_t)(M->T * d), sizeof *x);
    int32_t *origin = must_calloc((size_t)M->T, sizeof *origin);
    for (long t = 0; t < M->T; t++)
        for (long c = 0; c < d && M->c.positions; c++) {
            const double angle = (double)t / pow(10000, (double)(c - c % 2) / (double)d);
            x[t * d + c] = c % 2 ? cos(angle) : sin(angle);
        }
    origin[0] = M->c.token;
    o->put(M->sines, x, (size_t)(M->T * d));
    o->upload(M->origin, origin, (size_t)M->T * sizeof *origin);
    free(x);
    free(origin);
}

vit *vit_create(const vit_config *c, const ops *o, long B, uint64_t seed)
{
    const char *wrong = vit_config_check(c);
    REQUIRE(!wrong, "%s", wrong);
    REQUIRE(B > 0, "room for %ld images", B);
    vit *M = must_calloc(1, sizeof *M);
    *M = (vit){ .c = *c, .B = B, .P = (c->side / c->patch) * (c->side / c->patch) };
    M->T = M->P + c->token;
    M->sublayer = must_calloc((size_t)(2 * c->S), sizeof *M->sublayer);
    M->net = net_create(o, build_param_table(M), seed);
    net_assign_buffers(&M->net, assign_buffers, M);
    fill_positions(M);
    return M;
}

void vit_free(vit *M)
{
    if (!M) return;
    net_free(&M->net);
    free(M->sublayer);
    free(M);
}

net *vit_net(vit *M) { return &M->net; }
attn_shape vit_attention(const vit *M) { return attention_shape(M, M->B); }

/* ---- forward ---------------------------------------------------------------------------------------------- */

/* to = factor * from, ACT, R x d: a product whose own part is left out. */
static void scale_act(vit *M, void *to, const void *from, long R, double factor)
{
    const long d = M->c.d;
    M->net.o->gemm(false, true, R, d, d, 0, from, d, net_weight_act(&M->net, M->sublayer[0].q.w), d, factor, from, to,
                   d, ACT);
}

static heads heads_of(const vit *M, const void *x) { return (heads){ x, M->c.d, M->c.d / M->c.h }; }
static heads_out heads_to(const vit *M, void *x, bool add) { return (heads_out){ x, M->c.d, M->c.d / M->c.h, add }; }

/* What a layer returns is added to `x` (or 0, where that is NULL) in the layer's own last product, where both kinds of
 * number are one type.  Returns NULL then: `to` has it; else y, which is still to be added. */
static const void *attention_forward(vit *M, sublayer *k, long B, const void *x, void *to)
{
    const net *n = &M->net;
    const long R = B * M->T;
    const attn_shape s = attention_shape(M, B);
    linear_forward(n, &k->q, R, k->a, NULL, k->Q, ACT);
    if (k->k.weight) linear_forward(n, &k->k, R, k->a, NULL, k->K, ACT);
    else if (k->k.bias) {                                  /* W_k = I, with a bias */
        scale_act(M, k->K, k->a, R, 1);
        n->o->bias_fwd(k->K, net_weight(n, k->k.b), R, M->c.d);
    }
    if (k->v.weight) linear_forward(n, &k->v, R, k->a, NULL, k->V, ACT);
    n->o->attn_fwd(heads_to(M, k->O, false), k->lse, heads_of(M, k->Q), heads_of(M, k->K), heads_of(M, k->V), &s,
                   M->work);
    if (!k->o.weight) return k->O;
    const bool at_once = !net_has_two_types(n);
    linear_forward(n, &k->o, R, k->O, at_once ? x : NULL, at_once ? to : M->y, ACT);
    return at_once ? NULL : M->y;
}

static const void *mlp_sublayer_forward(vit *M, sublayer *k, long B, const void *x, void *to)
{
    const bool at_once = !net_has_two_types(&M->net);
    mlp_forward(&M->net, &k->mlp, B * M->T, k->a, at_once ? x : NULL, at_once ? to : M->y, ACT);
    return at_once ? NULL : M->y;
}

/* to = [x +] y;  to, x WIDE, y ACT. */
static void add_residual(vit *M, void *to, const void *x, const void *y, size_t numbers)
{
    const ops *o = M->net.o;
    if (x) o->copy(to, x, numbers);
    else   o->zero(to, numbers);
    if (y) o->add(to, y, numbers);
}

static void sublayer_forward(vit *M, sublayer *k, long B, void *next)
{
    const vit_config *c = &M->c;
    const net *n = &M->net;
    const long R = B * M->T;
    const size_t numbers = (size_t)(R * c->d);
    layernorm_forward(n, &k->before, R, k->x, k->a);
    const void *x = c->skip ? k->x : NULL;
    void *to = c->norm == VIT_POST ? k->sum : next;
    if (k->kind == NOTHING && c->norm == VIT_POST) add_residual(M, to, k->x, NULL, numbers);
    else {
        const void *y = k->kind == ATTENTION ? attention_forward(M, k, B, x, to)
                      : k->kind == MLP ? mlp_sublayer_forward(M, k, B, x, to) : k->a;
        if (y) add_residual(M, to, x, y, numbers);
    }
    if (c->norm != VIT_POST) return;
    void *y = net_has_two_types(n) ? M->y : next;
    layernorm_forward(n, &k->after, R, k->sum, y);
    if (y != next) add_residual(M, next, NULL, y, numbers);
}

static void upload_images(vit *M, const unsigned char *image, long B)
{
    const vit_config *c = &M->c;
    REQUIRE(0 < B && B <= M->B, "%ld images, room for %ld", B, M->B);
    M->net.o->upload(M->image, image, (size_t)(B * c->side * c->side * c->channels));
}

static void embed_forward(vit *M, long B)
{
    const vit_config *c = &M->c;
    const net *n = &M->net;
    const ops *o = n->o;
    const long R = B * M->T, d = c->d;
    o->patch_fwd(M->patches, M->image, B, c->side, c->channels, c->patch, c->token);
    linear_forward(n, &M->patch, R, M->patches, NULL, M->embedded, ACT);
    o->embed_fwd(M->shift, M->origin, net_weight(n, M->patch.b), M->sines, M->T, M->T, d);
    o->bias_fwd(M->embedded, M->shift, B, M->T * d);
    if (M->embedded != M->sublayer[0].x) add_residual(M, M->sublayer[0].x, NULL, M->embedded, (size_t)(R * d));
}

static void forward(vit *M, long B)
{
    const net *n = &M->net;
    embed_forward(M, B);
    for (long i = 0; i < M->sublayers; i++)
        sublayer_forward(M, &M->sublayer[i], B, i + 1 < M->sublayers ? M->sublayer[i + 1].x : M->x);
    if (M->c.token) n->o->select_token_fwd(M->pooled, M->x, B, M->T, M->c.d, 0);
    else            n->o->mean_fwd(M->pooled, M->x, B, M->T, M->c.d);
    linear_forward(n, &M->head, B, M->pooled, NULL, M->logits, ACT);
}

/* ---- backward: dx is the gradient at the current position of the stream ------------------------------------- */

/* As products read it: dy, which is made with dx, or NULL where both kinds of number are one type. */
static const void *stream_gradient(const vit *M) { return M->dy ? M->dy : M->dx; }

static void swap(void **x, void **y)
{
    void *swapped = *x;
    *x = *y;
    *y = swapped;
}

/* Where two gradients meet in one buffer it is 0 before, and both are added. */
static void attention_backward(vit *M, sublayer *k, long B, const void *dy)
{
    const vit_config *c = &M->c;
    const net *n = &M->net;
    const long R = B * M->T;
    const attn_shape s = attention_shape(M, B);
    const void *dO = dy;
    if (k->o.weight) {
        linear_backward(n, &k->o, R, dy, k->O, M->dO, NULL);
        dO = M->dO;
    }
    void *dK = k->K == k->Q ? M->dQ : k->K == k->a ? M->da : M->dK;
    void *dV = k->V == k->a ? M->da : M->dV;
    if (dK == M->dQ) scale_act(M, M->dQ, M->dQ, R, 0);
    if (dK == dV)    scale_act(M, M->da, M->da, R, 0);
    n->o->attn_bwd(heads_to(M, M->dQ, dK == M->dQ), heads_to(M, dK, dK == M->dQ || dK == dV),
                   heads_to(M, dV, dK == dV), heads_of(M, dO), heads_of(M, k->O), k->lse, heads_of(M, k->Q),
                   heads_of(M, k->K), heads_of(M, k->V), &s, M->work);
    const void *plus = c->key == VIT_INPUT ? dK : dV == M->da ? dV : NULL;
    linear_backward(n, &k->q, R, M->dQ, k->a, M->da, plus);
    if (k->k.weight)    linear_backward(n, &k->k, R, dK, k->a, M->da, M->da);
    else if (k->k.bias) n->o->bias_bwd(net_gradient(n, k->k.b), dK, R, c->d);
    if (k->v.weight) linear_backward(n, &k->v, R, dV, k->a, M->da, M->da);
}

static void sublayer_backward(vit *M, sublayer *k, long B)
{
    const vit_config *c = &M->c;
    const net *n = &M->net;
    const ops *o = n->o;
    const long R = B * M->T, numbers = R * c->d;
    if (c->norm == VIT_POST) {
        o->zero(M->dsum, (size_t)numbers);
        layernorm_backward(n, &k->after, R, stream_gradient(M), k->sum, M->dsum, M->dsum_act);
        swap(&M->dx, &M->dsum);
        swap(&M->dy, &M->dsum_act);
        if (k->kind == NOTHING) return;
    }
    const void *dy = stream_gradient(M);
    if (k->kind == ATTENTION) attention_backward(M, k, B, dy);
    else if (k->kind == MLP)  mlp_backward(n, &k->mlp, R, dy, k->a, M->du, M->da);
    else                      scale_act(M, M->da, dy, R, 1);
    if (!c->skip) o->zero(M->dx, (size_t)numbers);
    layernorm_backward(n, &k->before, R, M->da, k->x, M->dx, M->dy);
}

static void embed_backward(vit *M, long B)
{
    const net *n = &M->net;
    const ops *o = n->o;
    const long R = B * M->T, d = M->c.d;
    const void *dy = stream_gradient(M);
    linear_backward(n, &M->patch, R, dy, M->patches, NULL, NULL);
    o->zero(M->dshift, (size_t)(M->T * d));
    o->bias_bwd(M->dshift, dy, B, M->T * d);
    o->embed_bwd(net_gradient(n, M->patch.b), M->dsines, M->dshift, M->origin, M->T, M->T, d, 1 + M->c.token);
}

static void backward(vit *M, long B)
{
    const net *n = &M->net;
    linear_backward(n, &M->head, B, M->logits, M->pooled, M->y, NULL);
    n->o->zero(M->dx, (size_t)(B * M->T * M->c.d));
    if (M->c.token) n->o->select_token_bwd(M->dx, M->y, B, M->T, M->c.d, 0);
    else            n->o->mean_bwd(M->dx, M->y, B, M->T, M->c.d);
    if (M->dy) n->o->cast_to_act(M->dy, M->dx, (size_t)(B * M->T * M->c.d));
    for (long i = M->sublayers - 1; i >= 0; i--) sublayer_backward(M, &M->sublayer[i], B);
    embed_backward(M, B);
}

/* ---- batches ---------------------------------------------------------------------------------------------- */

typedef struct { vit *M; long B; double factor; } batch;
static void run_batch(void *self)
{
    const batch *b = self;
    vit *M = b->M;
    const ops *o = M->net.o;
    forward(M, b->B);
    o->top1(M->top1, M->logits, M->label, b->B, M->c.classes);
    o->loss_fwdbwd(M->logits, M->loss, M->label, b->B, M->c.classes, b->factor);
    if (b->factor != 0) backward(M, b->B);
}

double vit_loss(vit *M, const unsigned char *image, const int32_t *label, long B, double *loss, double *top1,
                double factor)
{
    const ops *o = M->net.o;
    for (long b = 0; b < B; b++)
        REQUIRE(label[b] >= 0 && label[b] < M->c.classes, "label %ld of %ld", (long)label[b], M->c.classes);
    upload_images(M, image, B);
    o->upload(M->label, label, (size_t)B * sizeof *label);
    batch b = { M, B, factor };
    net_run_batch(&M->net, B == M->B, factor, run_batch, &b);            /* an epoch's last batch may be smaller */
    o->download(top1, M->top1, (size_t)B * sizeof *top1);
    return net_mean_loss(&M->net, M->loss, loss, B);
}

void vit_logits(vit *M, const unsigned char *image, long B, double *logits)
{
    upload_images(M, image, B);
    forward(M, B);
    M->net.o->get_act(logits, M->logits, (size_t)(B * M->c.classes));
}
