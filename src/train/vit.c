/* vit.c - see vit.h.  Shapes in comments: P patches, T = P positions (P + 1 with a class token), R = B T rows.
 *
 * An encoder is two halves of one form: a = LN(x), y = f(a), x + y, where f is attention, the MLP or nothing. */
#include <math.h>
#include <stdlib.h>
#include "src/train/vit.h"

static const double EPS = 1e-6;          /* of Keras' vision example                                    */

typedef struct { bool there, bias; long out, in; size_t w, b; } linear;      /* y = x W' + b             */
typedef enum { ATTENTION, MLP, NOTHING } half_kind;

typedef struct {
    half_kind kind;
    size_t gain;                         /* of the norm; its bias follows                               */
    linear q, k, v, o, fc, proj;
    void *x, *t;                         /* R x d, WIDE: the stream; before the norm where that is last */
    void *mean, *rstd;                   /* R, WIDE                                                     */
    void *a;                             /* R x d, ACT: what f reads; may be x                          */
    void *Q, *K, *V, *lse, *O;           /* R x d; lse: B h T, WIDE                                     */
    void *u, *g;                         /* R x m: before and after GELU                                */
} half;

struct vit {
    vit_config  c;
    const ops  *o;
    param_table table;
    linear      patch, head;             /* the class token follows the bias of `patch`                 */
    half       *half;
    long        halves, B, P, T;
    void       *w, *wa, *g, *pool;       /* weights, rounded to ACT (may be w), gradients, activations  */
    unsigned char *image;                /* B pictures                                                  */
    int32_t    *label, *origin;          /* B; T: 1 for the class token, 0 for a patch                  */
    double     *loss, *right;            /* B                                                           */
    void       *patches, *embedded;      /* R x patch patch channels, R x d, ACT                        */
    void       *sines, *shift, *dshift, *dsines;       /* T x d, WIDE: positions; all that is added to a patch's row */
    void       *x, *pooled, *logits;     /* R x d, WIDE: the stream's end; B x d, B x classes, ACT      */
    void       *y, *work;
    void       *dx, *dt;                 /* R x d, WIDE                                                 */
    void       *dy, *da, *dO, *dQ, *dK, *dV, *du;      /* ACT: R x d, du: R x m                         */
    void       *recording[2];            /* of full batches: the loss alone, with its gradient          */
    double      recorded_factor;
};

/* ---- weights --------------------------------------------------------------------------------------------- */

enum { NAME = 64 };
static const char *named(char name[NAME], long encoder, const char *what)
{
    if (encoder < 0) snprintf(name, NAME, "%s", what);
    else             snprintf(name, NAME, "h.%ld.%s", encoder, what);
    return name;
}

/* Glorot & Bengio 2010: uniform within sqrt(6 / (in + out)). */
static linear add_linear(param_table *t, long encoder, const char *what, const char *bias, long out, long in,
                         bool there, bool has_bias)
{
    char name[NAME];
    linear l = { .there = there, .bias = has_bias, .out = out, .in = in };
    const double limit = sqrt(6.0 / (double)(in + out));
    if (there)    l.w = params_add(t, named(name, encoder, what), out, in, true, INIT_UNIFORM, limit);
    if (has_bias) l.b = params_add(t, named(name, encoder, bias), 1, out, false, INIT_ZERO, 0);
    return l;
}

static size_t add_norm(param_table *t, long encoder, const char *gain, const char *bias, const vit_config *c)
{
    char name[NAME];
    if (c->norm == VIT_BARE) return 0;
    const size_t at = params_add(t, named(name, encoder, gain), 1, c->d, false, INIT_ONE, 0);
    params_add(t, named(name, encoder, bias), 1, c->d, false, INIT_ZERO, 0);
    return at;
}

/* Writes the names in the order of the flat arrays; at NULL: the table alone. */
static param_table lay_out(const vit_config *c, vit *M)
{
    param_table t = { NULL, 0, 0 };
    const long d = c->d;
    const linear patch = add_linear(&t, -1, "patch.w", "patch.b", d, c->patch * c->patch * c->channels, true, true);
    if (c->token) params_add(&t, "token", 1, d, false, INIT_NORMAL, 0.02);
    for (long i = 0; i < c->S; i++) {
        half a = { .kind = ATTENTION }, b = { .kind = c->m ? MLP : NOTHING };
        a.gain = add_norm(&t, i, "norm1.g", "norm1.b", c);
        a.q = add_linear(&t, i, "attn.q", "attn.q.b", d, d, true, c->query_bias);
        a.k = add_linear(&t, i, "attn.k", "attn.k.b", d, d, c->key == VIT_OWN, c->key_bias);
        a.v = add_linear(&t, i, "attn.v", "attn.v.b", d, d, c->value == VIT_OWN, c->value_bias);
        a.o = add_linear(&t, i, "attn.o", "attn.o.b", d, d, c->output, c->output_bias);
        b.gain = add_norm(&t, i, "norm2.g", "norm2.b", c);
        if (c->m) {
            b.fc   = add_linear(&t, i, "mlp.fc", "mlp.fc.b", c->m, d, true, true);
            b.proj = add_linear(&t, i, "mlp.proj", "mlp.proj.b", d, c->m, true, true);
        }
        if (!M) continue;
        M->half[M->halves++] = a;
        if (c->m || c->norm != VIT_BARE) M->half[M->halves++] = b;
    }
    const linear head = add_linear(&t, -1, "head.w", "head.b", c->classes, d, true, true);
    if (M) { M->patch = patch; M->head = head; }
    return t;
}

param_table vit_params(const vit_config *c) { return lay_out(c, NULL); }

/* ---- memory ---------------------------------------------------------------------------------------------- */

/* Hands out the pool, 128 bytes by 128; with pool NULL it only counts them. */
static void *take(const vit *M, size_t *used, size_t bytes)
{
    void *x = M->pool ? (char *)M->pool + *used : NULL;
    *used += (bytes + 127) / 128 * 128;
    return x;
}

static attn_shape attention(const vit *M, long B)
{
    const long D = M->c.d / M->c.h;
    return (attn_shape){ .B = B, .T = M->T, .H = M->c.h, .D = D, .causal = false, .scale = 1 / sqrt((double)D) };
}

static void share_out_half(vit *M, half *k, size_t *used)
{
    const vit_config *c = &M->c;
    const bool two = M->o->act != M->o->real;              /* wide and act numbers are two types */
    const size_t R = (size_t)(M->B * M->T), wide = M->o->real, act = M->o->act, d = (size_t)c->d, m = (size_t)c->m;
    k->x    = take(M, used, R * d * wide);
    k->t    = c->norm == VIT_POST ? take(M, used, R * d * wide) : NULL;
    k->mean = take(M, used, R * wide);
    k->rstd = take(M, used, R * wide);
    k->a    = c->norm == VIT_PRE || two ? take(M, used, R * d * act) : k->x;
    if (k->kind == ATTENTION) {
        k->Q = take(M, used, R * d * act);
        k->K = k->k.there || k->k.bias ? take(M, used, R * d * act) : c->key == VIT_QUERY ? k->Q : k->a;
        k->V = k->v.there ? take(M, used, R * d * act) : k->a;
        k->O = take(M, used, R * d * act);
        k->lse = take(M, used, R * (size_t)c->h * wide);
    }
    if (k->kind == MLP) {
        k->u = take(M, used, R * m * act);
        k->g = take(M, used, R * m * act);
    }
}

static size_t share_out(vit *M)
{
    const vit_config *c = &M->c;
    const bool two = M->o->act != M->o->real;
    const size_t B = (size_t)M->B, T = (size_t)M->T, R = B * T, wide = M->o->real, act = M->o->act;
    const size_t d = (size_t)c->d, pixels = (size_t)(c->side * c->side * c->channels);
    size_t used = 0;
    for (long i = 0; i < M->halves; i++) share_out_half(M, &M->half[i], &used);
    M->x        = take(M, &used, R * d * wide);
    M->image    = take(M, &used, B * pixels);
    M->label    = take(M, &used, B * sizeof *M->label);
    M->origin   = take(M, &used, T * sizeof *M->origin);
    M->loss     = take(M, &used, B * sizeof *M->loss);
    M->right    = take(M, &used, B * sizeof *M->right);
    M->patches  = take(M, &used, R * (size_t)M->patch.in * act);
    M->embedded = two ? take(M, &used, R * d * act) : M->half[0].x;
    M->sines    = take(M, &used, T * d * wide);
    M->shift    = take(M, &used, T * d * wide);
    M->dshift   = take(M, &used, T * d * wide);
    M->dsines   = take(M, &used, T * d * wide);
    M->pooled   = take(M, &used, B * d * act);
    M->logits   = take(M, &used, B * (size_t)c->classes * act);
    M->y        = take(M, &used, R * d * act);
    M->dx       = take(M, &used, R * d * wide);
    M->dt       = take(M, &used, R * d * wide);
    M->dy       = two ? take(M, &used, R * d * act) : NULL;
    M->da       = take(M, &used, R * d * act);
    M->dO       = take(M, &used, R * d * act);
    M->dQ       = take(M, &used, R * d * act);
    M->dK       = take(M, &used, R * d * act);
    M->dV       = take(M, &used, R * d * act);
    M->du       = take(M, &used, R * (size_t)c->m * act);
    const attn_shape s = attention(M, M->B);
    M->work     = take(M, &used, M->o->attn_work(&s));
    return used;
}

/* Vaswani et al. 2017: coordinates 2i and 2i + 1 of position t are sine and cosine of t / 10000^(2i/d). */
static void fill_positions(vit *M)
{
    const long d = M->c.d;
    double *x = must_calloc((size_t)(M->T * d), sizeof *x);
    int32_t *origin = must_calloc((size_t)M->T, sizeof *origin);
    for (long t = 0; t < M->T; t++)
        for (long c = 0; c < d && M->c.positions; c++) {
            const double angle = (double)t / pow(10000, (double)(c - c % 2) / (double)d);
            x[t * d + c] = c % 2 ? cos(angle) : sin(angle);
        }
    origin[0] = M->c.token;
    M->o->put(M->sines, x, (size_t)(M->T * d));
    M->o->upload(M->origin, origin, (size_t)M->T * sizeof *origin);
    free(x);
    free(origin);
}

vit *vit_create(const vit_config *c, const ops *o, long B, uint64_t seed)
{
    const char *wrong = vit_config_check(c);
    REQUIRE(!wrong, "%s", wrong);
    REQUIRE(B > 0, "room for %ld pictures", B);
    vit *M = must_calloc(1, sizeof *M);
    *M = (vit){ .c = *c, .o = o, .B = B, .P = (c->side / c->patch) * (c->side / c->patch) };
    M->T = M->P + c->token;
    M->half = must_calloc((size_t)(2 * c->S), sizeof *M->half);
    M->table = lay_out(c, M);
    M->w = alloc_wide(o, M->table.size);
    M->g = alloc_wide(o, M->table.size);
    M->wa = o->act != o->real ? alloc_act(o, M->table.size) : M->w;
    M->pool = o->alloc(share_out(M));
    share_out(M);
    fill_positions(M);
    params_init(&M->table, o, M->w, seed);
    vit_refresh(M);
    return M;
}

void vit_free(vit *M)
{
    if (!M) return;
    for (int k = 0; k < 2; k++) M->o->graph_free(&M->recording[k]);
    if (M->wa != M->w) M->o->release(M->wa);
    M->o->release(M->w);
    M->o->release(M->g);
    M->o->release(M->pool);
    params_free(&M->table);
    free(M->half);
    free(M);
}

const param_table *vit_table(const vit *M) { return &M->table; }
void *vit_weights(vit *M)   { return M->w; }
void *vit_gradients(vit *M) { return M->g; }
void vit_refresh(vit *M)    { if (M->wa != M->w) M->o->cast_to_act(M->wa, M->w, M->table.size); }

static void *w (const vit *M, size_t place) { return at(M->o, M->w, place); }
static void *wa(const vit *M, size_t place) { return at_act(M->o, M->wa, place); }
static void *g (const vit *M, size_t place) { return at(M->o, M->g, place); }

/* ---- forward ---------------------------------------------------------------------------------------------- */

/* y = x W' + b on R rows, ACT. */
static void linear_fwd(vit *M, const linear *l, long R, const void *x, void *y)
{
    M->o->gemm(false, true, R, l->out, l->in, 1, x, l->in, wa(M, l->w), l->in, 0, NULL, y, l->out, ACT);
    if (l->bias) M->o->bias_fwd(y, w(M, l->b), R, l->out);
}

/* to = factor * from, ACT, R x d: a product whose own part is left out. */
static void copy_act(vit *M, void *to, const void *from, long R, double factor)
{
    const long d = M->c.d;
    M->o->gemm(false, true, R, d, d, 0, from, d, wa(M, M->half[0].q.w), d, factor, from, to, d, ACT);
}

static heads heads_of(const vit *M, const void *x) { return (heads){ x, M->c.d, M->c.d / M->c.h }; }
static heads_out heads_to(const vit *M, void *x, bool add) { return (heads_out){ x, M->c.d, M->c.d / M->c.h, add }; }

static const void *attention_fwd(vit *M, half *k, long B)
{
    const long R = B * M->T;
    const attn_shape s = attention(M, B);
    linear_fwd(M, &k->q, R, k->a, k->Q);
    if (k->k.there) linear_fwd(M, &k->k, R, k->a, k->K);
    else if (k->k.bias) {                                  /* W_k = I, with a bias */
        copy_act(M, k->K, k->a, R, 1);
        M->o->bias_fwd(k->K, w(M, k->k.b), R, M->c.d);
    }
    if (k->v.there) linear_fwd(M, &k->v, R, k->a, k->V);
    M->o->attn_fwd(heads_to(M, k->O, false), k->lse, heads_of(M, k->Q), heads_of(M, k->K), heads_of(M, k->V), &s,
                   M->work);
    if (!k->o.there) return k->O;
    linear_fwd(M, &k->o, R, k->O, M->y);
    return M->y;
}

static const void *mlp_fwd(vit *M, half *k, long B)
{
    const long R = B * M->T;
    linear_fwd(M, &k->fc, R, k->a, k->u);
    M->o->activation_fwd(k->g, k->u, (size_t)(R * M->c.m), ACTIVATION_GELU);
    linear_fwd(M, &k->proj, R, k->g, M->y);
    return M->y;
}

/* to = [x +] y;  to, x WIDE, y ACT. */
static void sum(vit *M, void *to, const void *x, const void *y, size_t n)
{
    if (x) M->o->copy(to, x, n);
    else   M->o->zero(to, n);
    if (y) M->o->add(to, y, n);
}

static void half_forward(vit *M, half *k, long B, void *next)
{
    const vit_config *c = &M->c;
    const ops *o = M->o;
    const long R = B * M->T;
    const size_t n = (size_t)(R * c->d);
    void *gain = w(M, k->gain), *bias = w(M, k->gain + (size_t)c->d);
    if (c->norm == VIT_PRE)  o->norm_fwd(k->a, k->mean, k->rstd, k->x, gain, bias, R, c->d, EPS);
    else if (k->a != k->x)   o->cast_to_act(k->a, k->x, n);
    const void *y = k->kind == ATTENTION ? attention_fwd(M, k, B) : k->kind == MLP ? mlp_fwd(M, k, B) : k->a;
    if (c->norm != VIT_POST) {
        sum(M, next, c->skip ? k->x : NULL, y, n);
        return;
    }
    if (k->kind == NOTHING) sum(M, k->t, k->x, NULL, n);
    else                    sum(M, k->t, c->skip ? k->x : NULL, y, n);
    o->norm_fwd(M->y, k->mean, k->rstd, k->t, gain, bias, R, c->d, EPS);
    sum(M, next, NULL, M->y, n);
}

static void send_pictures(vit *M, const unsigned char *image, long B)
{
    const vit_config *c = &M->c;
    REQUIRE(0 < B && B <= M->B, "%ld pictures, room for %ld", B, M->B);
    M->o->upload(M->image, image, (size_t)(B * c->side * c->side * c->channels));
}

static void embed(vit *M, long B)
{
    const vit_config *c = &M->c;
    const ops *o = M->o;
    const long R = B * M->T, d = c->d, in = M->patch.in;
    o->patch_fwd(M->patches, M->image, B, c->side, c->channels, c->patch, c->token);
    o->gemm(false, true, R, d, in, 1, M->patches, in, wa(M, M->patch.w), in, 0, NULL, M->embedded, d, ACT);
    o->embed_fwd(M->shift, M->origin, w(M, M->patch.b), M->sines, M->T, M->T, d);
    o->bias_fwd(M->embedded, M->shift, B, M->T * d);
    if (M->embedded != M->half[0].x) sum(M, M->half[0].x, NULL, M->embedded, (size_t)(R * d));
}

static void forward(vit *M, long B)
{
    embed(M, B);
    for (long i = 0; i < M->halves; i++)
        half_forward(M, &M->half[i], B, i + 1 < M->halves ? M->half[i + 1].x : M->x);
    if (M->c.token) M->o->select_token_fwd(M->pooled, M->x, B, M->T, M->c.d, 0);
    else            M->o->mean_fwd(M->pooled, M->x, B, M->T, M->c.d);
    linear_fwd(M, &M->head, B, M->pooled, M->logits);
}

/* ---- backward: dx is the gradient at the stream's current place --------------------------------------------- */

/* dW += dy' x, db += dy, dx = dy W [+ plus]. */
static void linear_bwd(vit *M, const linear *l, long R, const void *dy, const void *x, void *dx, const void *plus)
{
    const ops *o = M->o;
    o->gemm(true, false, l->out, l->in, R, 1, dy, l->out, x, l->in, 1, g(M, l->w), g(M, l->w), l->in, WIDE);
    if (l->bias) o->bias_bwd(g(M, l->b), dy, R, l->out);
    o->gemm(false, false, R, l->in, l->out, 1, dy, l->out, wa(M, l->w), l->in, plus ? 1 : 0, plus, dx, l->in, ACT);
}

/* Where two gradients meet in one place it is 0 before, and both are added. */
static void attention_bwd(vit *M, half *k, long B, const void *dy)
{
    const vit_config *c = &M->c;
    const long R = B * M->T;
    const attn_shape s = attention(M, B);
    const void *dO = dy;
    if (k->o.there) {
        linear_bwd(M, &k->o, R, dy, k->O, M->dO, NULL);
        dO = M->dO;
    }
    void *dK = k->K == k->Q ? M->dQ : k->K == k->a ? M->da : M->dK;
    void *dV = k->V == k->a ? M->da : M->dV;
    if (dK == M->dQ) copy_act(M, M->dQ, M->dQ, R, 0);
    if (dK == dV)    copy_act(M, M->da, M->da, R, 0);
    M->o->attn_bwd(heads_to(M, M->dQ, dK == M->dQ), heads_to(M, dK, dK == M->dQ || dK == dV),
                   heads_to(M, dV, dK == dV), heads_of(M, dO), heads_of(M, k->O), k->lse, heads_of(M, k->Q),
                   heads_of(M, k->K), heads_of(M, k->V), &s, M->work);
    const void *plus = c->key == VIT_INPUT ? dK : dV == M->da ? dV : NULL;
    linear_bwd(M, &k->q, R, M->dQ, k->a, M->da, plus);
    if (k->k.there)     linear_bwd(M, &k->k, R, dK, k->a, M->da, M->da);
    else if (k->k.bias) M->o->bias_bwd(g(M, k->k.b), dK, R, c->d);
    if (k->v.there) linear_bwd(M, &k->v, R, dV, k->a, M->da, M->da);
}

static void mlp_bwd(vit *M, half *k, long B, const void *dy)
{
    const long R = B * M->T;
    linear_bwd(M, &k->proj, R, dy, k->g, M->du, NULL);
    M->o->activation_bwd(M->du, M->du, k->u, (size_t)(R * M->c.m), ACTIVATION_GELU);
    linear_bwd(M, &k->fc, R, M->du, k->a, M->da, NULL);
}

/* The gradient of the stream as products read it. */
static const void *rounded(vit *M, const void *dx, size_t n)
{
    if (!M->dy) return dx;
    M->o->cast_to_act(M->dy, dx, n);
    return M->dy;
}

static void half_backward(vit *M, half *k, long B)
{
    const vit_config *c = &M->c;
    const ops *o = M->o;
    const long R = B * M->T;
    const size_t n = (size_t)(R * c->d);
    void *gain = w(M, k->gain), *dgain = g(M, k->gain), *dbias = g(M, k->gain + (size_t)c->d);
    if (c->norm == VIT_POST) {
        o->zero(M->dt, n);
        o->norm_bwd(M->dt, dgain, dbias, rounded(M, M->dx, n), k->t, k->mean, k->rstd, gain, R, c->d);
        void *swapped = M->dx;
        M->dx = M->dt;
        M->dt = swapped;
        if (k->kind == NOTHING) return;
    }
    const void *dy = rounded(M, M->dx, n);
    if (k->kind == ATTENTION) attention_bwd(M, k, B, dy);
    else if (k->kind == MLP)  mlp_bwd(M, k, B, dy);
    else                      copy_act(M, M->da, dy, R, 1);
    if (!c->skip) o->zero(M->dx, n);
    if (c->norm == VIT_PRE) o->norm_bwd(M->dx, dgain, dbias, M->da, k->x, k->mean, k->rstd, gain, R, c->d);
    else                    o->add(M->dx, M->da, n);
}

static void embed_backward(vit *M, long B)
{
    const ops *o = M->o;
    const long R = B * M->T, d = M->c.d, in = M->patch.in;
    const void *dy = rounded(M, M->dx, (size_t)(R * d));
    o->gemm(true, false, d, in, R, 1, dy, d, M->patches, in, 1, g(M, M->patch.w), g(M, M->patch.w), in, WIDE);
    o->zero(M->dshift, (size_t)(M->T * d));
    o->bias_bwd(M->dshift, dy, B, M->T * d);
    o->embed_bwd(g(M, M->patch.b), M->dsines, M->dshift, M->origin, M->T, M->T, d, 1 + M->c.token);
}

static void backward(vit *M, long B)
{
    linear_bwd(M, &M->head, B, M->logits, M->pooled, M->y, NULL);
    M->o->zero(M->dx, (size_t)(B * M->T * M->c.d));
    if (M->c.token) M->o->select_token_bwd(M->dx, M->y, B, M->T, M->c.d, 0);
    else            M->o->mean_bwd(M->dx, M->y, B, M->T, M->c.d);
    for (long i = M->halves - 1; i >= 0; i--) half_backward(M, &M->half[i], B);
    embed_backward(M, B);
}

typedef struct { vit *M; long B; double factor; } batch;
static void run_batch(void *self)
{
    const batch *k = self;
    vit *M = k->M;
    const ops *o = M->o;
    forward(M, k->B);
    o->top1(M->right, M->logits, M->label, k->B, M->c.classes);
    o->loss_fwdbwd(M->logits, M->loss, M->label, k->B, M->c.classes, k->factor);
    if (k->factor != 0) backward(M, k->B);
}

double vit_loss(vit *M, const unsigned char *image, const int32_t *label, long B, double *loss, double *right,
                double factor)
{
    const ops *o = M->o;
    for (long b = 0; b < B; b++)
        REQUIRE(label[b] >= 0 && label[b] < M->c.classes, "label %ld of %ld", (long)label[b], M->c.classes);
    send_pictures(M, image, B);
    o->upload(M->label, label, (size_t)B * sizeof *label);
    batch k = { M, B, factor };
    if (B < M->B) run_batch(&k);                            /* an epoch's last batch */
    else {
        void **recording = &M->recording[factor != 0];
        if (factor != 0 && factor != M->recorded_factor) {
            o->graph_free(recording);
            M->recorded_factor = factor;
        }
        o->graph_run(recording, run_batch, &k);
    }
    o->download(loss, M->loss, (size_t)B * sizeof *loss);
    o->download(right, M->right, (size_t)B * sizeof *right);
    double all = 0;
    for (long b = 0; b < B; b++) all += loss[b];
    return all / (double)B;
}

void vit_logits(vit *M, const unsigned char *image, long B, double *logits)
{
    send_pictures(M, image, B);
    forward(M, B);
    M->o->get_act(logits, M->logits, (size_t)(B * M->c.classes));
}
