/* gpt.c - see gpt.h.  Shapes in comments: R = B T rows, e = h P numbers of all heads, P = d / h padded. */
#include <math.h>
#include <stdlib.h>
#include "src/train/gpt.h"

static const double EPS = 1e-5;

typedef struct { size_t norm1, qkv, o, norm2, fc, proj; } places;      /* of a block's weights          */

typedef struct {                         /* what a block keeps for the way back; a, qkv, o, b, u, g: ACT  */
    void *x, *a, *mean1, *rstd1;         /* R x d, R x d, R, R; without norms a is x, rounded            */
    void *qkv, *lse, *o;                 /* R x 3e (2e without W_q), B h T, R x e                        */
    void *mid, *b, *mean2, *rstd2;       /* R x d: after attention; ...                                 */
    void *u, *g;                         /* R x m: before and after GELU                                */
} kept;

struct gpt {
    gpt_config  c;
    const ops  *o;
    param_table table;
    places     *at;                      /* [L]                                                         */
    size_t      wte, wpe, normf, head;
    long        B;                       /* room                                                        */
    void       *w, *wa, *g, *pool;       /* weights, rounded to ACT (may be w), gradients, all activations */
    kept       *k;                       /* [L]                                                         */
    int32_t    *token, *target;          /* [R]                                                         */
    double     *loss;                    /* [R]                                                         */
    void       *x, *f, *meanf, *rstdf;   /* R x d: the stream's end, its norm (ACT)                     */
    void       *logits, *work;           /* ACT                                                         */
    void       *dx, *dmid;               /* R x d                                                       */
    void       *dy, *da, *dO, *dwide;    /* R x d, R x d, R x e, R x max(m, 3e); ACT                    */
    long        chunk;                   /* rows of logits at a time                                    */
    void       *recording[2];            /* of full batches: the loss alone, with its gradient          */
    double      recorded_factor;
};

gpt_config gpt_default(void)
{
    return (gpt_config){ .L = 12, .d = 768, .h = 12, .m = 3072, .T = 1024, .V = 50304, .query = true, .factor = 1,
                         .tied = true, .norm = true, .attn_skip = true, .mlp_skip = true, .init_std = 0.02 };
}

const char *gpt_config_check(const gpt_config *c)
{
    if (c->L < 1 || c->L > 1000) return "layers must be from 1 to 1000";
    if (c->h < 1 || c->d < 1 || c->d % c->h) return "the number of heads must divide the width";
    if (c->m < 1 || c->T < 1 || c->V < 2) return "MLP width and positions must be at least 1, the vocabulary 2";
    if (c->d > 1 << 20 || c->m > 1 << 22 || c->T > 1 << 20 || c->V > 1 << 24) return "a size is too large";
    if (c->pad < 0 || c->pad > 1024) return "heads are padded to a multiple of 1 (not at all) to 1024";
    if (!c->query && c->d % (c->h * (c->pad > 1 ? c->pad : 1)))
        return "without W_q the attention reads its input as it is: heads cannot be padded";
    if (!(c->factor > 0) || !(c->init_std > 0)) return "the scale's factor and init_std must be positive";
    return NULL;
}

/* Numbers from one head to the next in the rows of W_q, W_k, W_v and the columns of W_o. */
static long pitch_of(const gpt_config *c)
{
    const long D = c->d / c->h, pad = c->pad > 1 ? c->pad : 1;
    return (D + pad - 1) / pad * pad;
}

/* Writes the names in the order of the flat arrays; at NULL: the table alone. */
static param_table lay_out(const gpt_config *c, gpt *M)
{
    param_table t = { NULL, 0, 0 };
    const double std = c->init_std, narrow = c->init_std / sqrt(2.0 * (double)c->L);
    const heads_pitch pitch = { c->d / c->h, pitch_of(c) }, one = { 1, 1 };
    const size_t wte = params_add(&t, "wte", c->V, c->d, true, INIT_NORMAL, std);
    const size_t wpe = params_add(&t, "wpe", c->T, c->d, true, INIT_NORMAL, std);
    for (long i = 0; i < c->L; i++) {
        char name[32];
        places p = { 0 };
#define NAMED(what) (snprintf(name, sizeof name, "h.%ld.%s", i, what), name)
        if (c->norm) p.norm1 = params_add(&t, NAMED("norm1"), 1, c->d, false, INIT_ONE, 0);
        p.qkv = t.size;
        if (c->query) params_add_heads(&t, NAMED("attn.q"), c->d, c->d, pitch, one, true, INIT_NORMAL, std);
        params_add_heads(&t, NAMED("attn.k"), c->d, c->d, pitch, one, true, INIT_NORMAL, std);
        params_add_heads(&t, NAMED("attn.v"), c->d, c->d, pitch, one, true, INIT_NORMAL, std);
        p.o = params_add_heads(&t, NAMED("attn.o"), c->d, c->d, one, pitch, true, INIT_NORMAL, narrow);
        if (c->norm) p.norm2 = params_add(&t, NAMED("norm2"), 1, c->d, false, INIT_ONE, 0);
        p.fc   = params_add(&t, NAMED("mlp.fc"), c->m, c->d, true, INIT_NORMAL, std);
        p.proj = params_add(&t, NAMED("mlp.proj"), c->d, c->m, true, INIT_NORMAL, narrow);
#undef NAMED
        if (M) M->at[i] = p;
    }
    const size_t normf = c->norm ? params_add(&t, "normf", 1, c->d, false, INIT_ONE, 0) : 0;
    const size_t head  = c->tied ? wte : params_add(&t, "head", c->V, c->d, true, INIT_NORMAL, std);
    if (M) { M->wte = wte; M->wpe = wpe; M->normf = normf; M->head = head; }
    return t;
}

param_table gpt_params(const gpt_config *c) { return lay_out(c, NULL); }

double gpt_flops(const gpt_config *c)
{
    const double inner = (double)(c->L * ((c->query ? 4 : 3) * c->d * c->d + 2 * c->d * c->m));
    return 6 * (inner + (double)(c->V * c->d)) + 6 * (double)(c->L * c->d * c->T);
}

/* Hands out the pool, 128 bytes by 128; with pool NULL it only counts them. */
static void *take(const gpt *M, size_t *used, size_t bytes)
{
    void *x = M->pool ? (char *)M->pool + *used : NULL;
    *used += (bytes + 127) / 128 * 128;
    return x;
}

static attn_shape attention(const gpt *M, long B)
{
    const gpt_config *c = &M->c;
    const long D = c->d / c->h;
    return (attn_shape){ .B = B, .T = c->T, .H = c->h, .D = pitch_of(c), .causal = true,
                         .scale = c->factor / sqrt((double)D) };
}

static size_t share_out(gpt *M)
{
    const gpt_config *c = &M->c;
    const bool two = M->o->act != M->o->real;              /* wide and act numbers are two types */
    const size_t R = (size_t)(M->B * c->T), wide = M->o->real, act = M->o->act;
    const size_t d = (size_t)c->d, m = (size_t)c->m, e = (size_t)(c->h * pitch_of(c)), qkv = c->query ? 3 * e : 2 * e;
    size_t used = 0;
    for (long i = 0; i < c->L; i++) {
        kept *k = &M->k[i];
        k->x     = take(M, &used, R * d * wide);
        k->a     = c->norm || two ? take(M, &used, R * d * act) : k->x;
        k->mean1 = take(M, &used, R * wide);
        k->rstd1 = take(M, &used, R * wide);
        k->qkv   = take(M, &used, R * qkv * act);
        k->lse   = take(M, &used, R * (size_t)c->h * wide);
        k->o     = take(M, &used, R * e * act);
        k->mid   = take(M, &used, R * d * wide);
        k->b     = c->norm || two ? take(M, &used, R * d * act) : k->mid;
        k->mean2 = take(M, &used, R * wide);
        k->rstd2 = take(M, &used, R * wide);
        k->u     = take(M, &used, R * m * act);
        k->g     = take(M, &used, R * m * act);
    }
    M->token  = take(M, &used, R * sizeof *M->token);
    M->target = take(M, &used, R * sizeof *M->target);
    M->loss   = take(M, &used, R * sizeof *M->loss);
    M->x      = take(M, &used, R * d * wide);
    M->f      = c->norm || two ? take(M, &used, R * d * act) : M->x;
    M->meanf  = take(M, &used, R * wide);
    M->rstdf  = take(M, &used, R * wide);
    M->dx     = take(M, &used, R * d * wide);
    M->dmid   = take(M, &used, R * d * wide);
    M->dy     = two ? take(M, &used, R * d * act) : NULL;
    M->da     = take(M, &used, R * d * act);
    M->dO     = take(M, &used, R * e * act);
    M->dwide  = take(M, &used, R * (m > 3 * e ? m : 3 * e) * act);
    M->logits = take(M, &used, (size_t)M->chunk * (size_t)c->V * act);
    const attn_shape s = attention(M, M->B);
    M->work   = take(M, &used, M->o->attn_work(&s));
    return used;
}

gpt *gpt_create(const gpt_config *c, const ops *o, long B, uint64_t seed)
{
    const char *wrong = gpt_config_check(c);
    REQUIRE(!wrong, "%s", wrong);
    REQUIRE(B > 0, "room for %ld sequences", B);
    gpt *M = must_calloc(1, sizeof *M);
    *M = (gpt){ .c = *c, .o = o, .B = B };
    M->at = must_calloc((size_t)c->L, sizeof *M->at);
    M->k  = must_calloc((size_t)c->L, sizeof *M->k);
    const long most = (long)o->logits / c->V < 1 ? 1 : (long)o->logits / c->V;
    M->chunk = most < B * c->T ? most : B * c->T;
    M->table = lay_out(c, M);
    M->w = alloc_wide(o, M->table.size);
    M->g = alloc_wide(o, M->table.size);
    M->wa = o->act != o->real ? alloc_act(o, M->table.size) : M->w;
    M->pool = o->alloc(share_out(M));
    share_out(M);
    params_init(&M->table, o, M->w, seed);
    gpt_refresh(M);
    return M;
}

void gpt_free(gpt *M)
{
    if (!M) return;
    for (int k = 0; k < 2; k++) M->o->graph_free(&M->recording[k]);
    if (M->wa != M->w) M->o->release(M->wa);
    M->o->release(M->w);
    M->o->release(M->g);
    M->o->release(M->pool);
    params_free(&M->table);
    free(M->at);
    free(M->k);
    free(M);
}

const param_table *gpt_table(const gpt *M) { return &M->table; }
void *gpt_weights(gpt *M)   { return M->w; }
void *gpt_gradients(gpt *M) { return M->g; }
void gpt_refresh(gpt *M)    { if (M->wa != M->w) M->o->cast_to_act(M->wa, M->w, M->table.size); }

static void *w(const gpt *M, size_t place)  { return at(M->o, M->w, place); }
static void *wa(const gpt *M, size_t place) { return at_act(M->o, M->wa, place); }
static void *g(const gpt *M, size_t place) { return at(M->o, M->g, place); }

/* Q, K, V of a block as the attention sees them: side by side in qkv, or Q the block's input itself. */
typedef struct { heads Q, K, V; } projections;
static projections heads_of(const gpt *M, const void *qkv, const void *a)
{
    const long P = pitch_of(&M->c), e = M->c.h * P, row = M->c.query ? 3 * e : 2 * e, first = M->c.query ? e : 0;
    return (projections){ M->c.query ? (heads){ qkv, row, P } : (heads){ a, e, P },
                          { at_act(M->o, qkv, (size_t)first), row, P },
                          { at_act(M->o, qkv, (size_t)(first + e)), row, P } };
}

/* ---- forward -------------------------------------------------------------------------------------------- */

/* y = LN(x), or x itself, rounded. */
static void norm(gpt *M, void *y, void *mean, void *rstd, const void *x, size_t gain, long R)
{
    if (M->c.norm)   M->o->norm_fwd(y, mean, rstd, x, w(M, gain), NULL, R, M->c.d, EPS);
    else if (y != x) M->o->cast_to_act(y, x, (size_t)(R * M->c.d));
}

static void block_forward(gpt *M, long i, long B, void *next)
{
    const ops *o = M->o;
    const gpt_config *c = &M->c;
    const places *p = &M->at[i];
    kept *k = &M->k[i];
    const long R = B * c->T, d = c->d, P = pitch_of(c), e = c->h * P, qkv = (c->query ? 3 : 2) * e;
    const attn_shape s = attention(M, B);
    norm(M, k->a, k->mean1, k->rstd1, k->x, p->norm1, R);
    o->gemm(false, true, R, qkv, d, 1, k->a, d, wa(M, p->qkv), d, 0, NULL, k->qkv, qkv, ACT);
    const projections q = heads_of(M, k->qkv, k->a);
    o->attn_fwd((heads_out){ k->o, e, P, false }, k->lse, q.Q, q.K, q.V, &s, M->work);
    o->gemm(false, true, R, d, e, 1, k->o, e, wa(M, p->o), e, c->attn_skip ? 1 : 0, k->x, k->mid, d, WIDE);
    norm(M, k->b, k->mean2, k->rstd2, k->mid, p->norm2, R);
    o->gemm(false, true, R, c->m, d, 1, k->b, d, wa(M, p->fc), d, 0, NULL, k->u, c->m, ACT);
    o->activation_fwd(k->g, k->u, (size_t)(R * c->m), ACTIVATION_GELU);
    o->gemm(false, true, R, d, c->m, 1, k->g, c->m, wa(M, p->proj), c->m, c->mlp_skip ? 1 : 0, k->mid, next, d, WIDE);
}

static void *stream(gpt *M, long i) { return i < M->c.L ? M->k[i].x : M->x; }

static void send_tokens(gpt *M, int32_t *to, const int32_t *host, long B)
{
    const gpt_config *c = &M->c;
    const long R = B * c->T;
    REQUIRE(0 < B && B <= M->B, "%ld sequences, room for %ld", B, M->B);
    for (long r = 0; r < R; r++) REQUIRE(host[r] >= 0 && host[r] < c->V, "token %ld of %ld", (long)host[r], c->V);
    M->o->upload(to, host, (size_t)R * sizeof *host);
}

static void forward(gpt *M, long B)
{
    const gpt_config *c = &M->c;
    const long R = B * c->T;
    M->o->embed_fwd(stream(M, 0), M->token, w(M, M->wte), w(M, M->wpe), R, c->T, c->d);
    for (long i = 0; i < c->L; i++) block_forward(M, i, B, stream(M, i + 1));
    norm(M, M->f, M->meanf, M->rstdf, M->x, M->normf, R);
}

static void logits_of(gpt *M, long from, long rows)
{
    const long d = M->c.d;
    M->o->gemm(false, true, rows, M->c.V, d, 1, at_act(M->o, M->f, (size_t)(from * d)), d, wa(M, M->head), d, 0,
               NULL, M->logits, M->c.V, ACT);
}

/* ---- backward: dx is the gradient at the stream's current place ------------------------------------------ */

/* y = x W' on R rows: dW += dy' x and dx = dy W [+ dx]; all ACT but the weights' gradient. */
static void linear_bwd(gpt *M, long R, long out, long in, const void *dy, const void *x, size_t place, void *dx,
                       double beta)
{
    const ops *o = M->o;
    o->gemm(true, false, out, in, R, 1, dy, out, x, in, 1, g(M, place), g(M, place), in, WIDE);
    o->gemm(false, false, R, in, out, 1, dy, out, wa(M, place), in, beta, dx, dx, in, ACT);
}

/* The gradient of the stream as products read it. */
static const void *rounded(gpt *M, const void *dx, long R)
{
    if (!M->dy) return dx;
    M->o->cast_to_act(M->dy, dx, (size_t)(R * M->c.d));
    return M->dy;
}

/* to += the gradient of LN at x, or of the identity. */
static void norm_bwd(gpt *M, void *to, const void *dy, const void *x, const void *mean, const void *rstd,
                     size_t gain, long R)
{
    const ops *o = M->o;
    if (M->c.norm) o->norm_bwd(to, g(M, gain), NULL, dy, x, mean, rstd, w(M, gain), R, M->c.d);
    else           o->add(to, dy, (size_t)(R * M->c.d));
}

static void block_backward(gpt *M, long i, long B)
{
    const ops *o = M->o;
    const gpt_config *c = &M->c;
    const places *p = &M->at[i];
    const kept *k = &M->k[i];
    const long R = B * c->T, d = c->d, P = pitch_of(c), e = c->h * P, qkv = (c->query ? 3 : 2) * e;
    const size_t n = (size_t)(R * d);
    const attn_shape s = attention(M, B);

    linear_bwd(M, R, d, c->m, rounded(M, M->dx, R), k->g, p->proj, M->dwide, 0);
    o->activation_bwd(M->dwide, M->dwide, k->u, (size_t)(R * c->m), ACTIVATION_GELU);
    linear_bwd(M, R, c->m, d, M->dwide, k->b, p->fc, M->da, 0);
    if (c->mlp_skip) o->copy(M->dmid, M->dx, n);
    else             o->zero(M->dmid, n);
    norm_bwd(M, M->dmid, M->da, k->mid, k->mean2, k->rstd2, p->norm2, R);

    linear_bwd(M, R, d, e, rounded(M, M->dmid, R), k->o, p->o, M->dO, 0);
    const projections q = heads_of(M, k->qkv, k->a), dq = heads_of(M, M->dwide, M->da);
    const heads_out dQ = { (void *)(uintptr_t)dq.Q.p, dq.Q.row, dq.Q.head, false };
    const heads_out dK = { (void *)(uintptr_t)dq.K.p, dq.K.row, dq.K.head, false };
    const heads_out dV = { (void *)(uintptr_t)dq.V.p, dq.V.row, dq.V.head, false };
    o->attn_bwd(dQ, dK, dV, (heads){ M->dO, e, P }, (heads){ k->o, e, P }, k->lse, q.Q, q.K, q.V, &s, M->work);
    linear_bwd(M, R, qkv, d, M->dwide, k->a, p->qkv, M->da, c->query ? 0 : 1);    /* Q = a: dQ is in da */
    if (c->attn_skip) o->copy(M->dx, M->dmid, n);
    else              o->zero(M->dx, n);
    norm_bwd(M, M->dx, M->da, k->x, k->mean1, k->rstd1, p->norm1, R);
}

/* All of a batch but what comes from the host or goes there. */
typedef struct { gpt *M; long B; double factor; } batch;

static void run_batch(void *self)
{
    const batch *k = self;
    gpt *M = k->M;
    const ops *o = M->o;
    const gpt_config *c = &M->c;
    const long R = k->B * c->T, d = c->d;
    forward(M, k->B);
    for (long from = 0; from < R; from += M->chunk) {
        const long rows = R - from < M->chunk ? R - from : M->chunk;
        const size_t first = (size_t)(from * d);
        logits_of(M, from, rows);
        o->loss_fwdbwd(M->logits, M->loss + from, M->target + from, rows, c->V, k->factor);
        if (k->factor == 0) continue;
        linear_bwd(M, rows, c->V, d, M->logits, at_act(o, M->f, first), M->head, at_act(o, M->da, first), 0);
    }
    if (k->factor == 0) return;
    o->zero(M->dx, (size_t)(R * d));
    norm_bwd(M, M->dx, M->da, M->x, M->meanf, M->rstdf, M->normf, R);
    for (long i = c->L - 1; i >= 0; i--) block_backward(M, i, k->B);
    o->embed_bwd(g(M, M->wte), g(M, M->wpe), M->dx, M->token, R, c->T, d, c->V);
}

double gpt_loss(gpt *M, const int32_t *token, const int32_t *target, long B, double *loss, double factor)
{
    const ops *o = M->o;
    const long R = B * M->c.T;
    send_tokens(M, M->token, token, B);
    send_tokens(M, M->target, target, B);
    batch k = { M, B, factor };
    void **recording = &M->recording[factor != 0];
    if (factor != 0 && factor != M->recorded_factor) {
        o->graph_free(recording);
        M->recorded_factor = factor;
    }
    if (B == M->B) o->graph_run(recording, run_batch, &k);
    else           run_batch(&k);
    o->download(loss, M->loss, (size_t)R * sizeof *loss);
    double sum = 0;
    for (long r = 0; r < R; r++) sum += loss[r];
    return sum / (double)R;
}

void gpt_logits(gpt *M, const int32_t *token, long B, double *logits)
{
    const long R = B * M->c.T;
    send_tokens(M, M->token, token, B);
    forward(M, B);
    for (long from = 0; from < R; from += M->chunk) {
        const long rows = R - from < M->chunk ? R - from : M->chunk;
        logits_of(M, from, rows);
        M->o->get_act(logits + from * M->c.V, M->logits, (size_t)(rows * M->c.V));
    }
}

/* Causal attention: what follows the last token does not matter; it is filled with token 0. */
void gpt_last_logits(gpt *M, const int32_t *token, long n, double *logits)
{
    REQUIRE(0 < n && n <= M->c.T, "%ld tokens, room for %ld", n, M->c.T);
    int32_t *padded = must_calloc((size_t)M->c.T, sizeof *padded);
    for (long t = 0; t < n; t++) padded[t] = token[t];
    send_tokens(M, M->token, padded, 1);
    forward(M, 1);
    logits_of(M, n - 1, 1);
    M->o->get_act(logits, M->logits, (size_t)M->c.V);
    free(padded);
}
