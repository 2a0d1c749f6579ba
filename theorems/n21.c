/* SPDX-License-Identifier: GPL-3.0-or-later
 * n21.c - N21, what is redundant in multi-head latent attention.
 *
 * Statement.  Multi-head latent attention (DeepSeek-V2, arXiv:2405.04434) factors its projections,
 *     C = [N] X W_DQ,  Z = [N] X W_DKV                    latents, n x r_q and n x r; in practice behind RMSNorm, gains
 *     Q^a = C W_UQ^a,  K^a = Z W_UK^a,  V^a = Z W_UV^a    heads of width d_k, values d_v
 *     Q_R^a = rotated(C W_QR^a),  K_R = rotated(X W_KR)   width d_r; one K_R for all heads
 *     S^a = softmax(Q^a K^a' + Q_R^a K_R') V^a,           output (S^1 | .. | S^h) W_O
 * Without the norms GL(r_q) x GL(r) acts inside the factors, with them O(r_q) x O(r) and the gains; in both cases
 * GL(d_k) between W_UQ^a and W_UK^a, GL(d_v) between W_UV^a and W_O^a, and on (W_QR, W_KR) the d_r dimensions of
 * matrices that commute with rotations.  So the redundant parameters of one such attention are, and no more,
 *     r_q^2 + r^2 + h d_k^2 + h d_v^2 + d_r                                   without norms
 *     r_q(r_q+1)/2 + r(r+1)/2 + h d_k^2 + h d_v^2 + d_r                       with them, 2 gain vectors included
 * DeepSeek-V3 (d = 7168, h = 128, d_k = d_v = 128, d_r = 64, r_q = 1536, r = 512): 5,506,112 of 187,107,328, 2.94 %.
 *
 * Construction.  W_DQ M, M^-1 (W_UQ | W_QR);  W_DKV M, M^-1 (W_UK | W_UV): r rows of a down-projection become I (with
 * the norm: triangular).  W_UQ^a A, W_UK^a A^-T;  W_UV^a B, B^-1 W_O^a;  W_QR^a D, W_KR D^-T with one D for all heads.
 *
 * Why it works.  X W_DQ M M^-1 W_UQ = X W_DQ W_UQ; RMSNorm commutes with orthogonal M.  The rest is Proposition 3.2 and
 * N1; a rotated key that all heads share leaves one D for all.
 *
 * Why no more.  The tangents of this group are null vectors of the Jacobian, and a minor that is not 0 meets them (N8).
 * That each W_UK^a may be absorbed into W_UQ^a, and W_UV^a into W_O^a, is DeepSeek-V2's own remark; that saves work
 * with the cache, and no parameters where r > d_k.                                                              */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/methods/rank/free_family.h"
#include "src/methods/rank/gauge_list.h"

typedef struct {
    long n, d, h, dk, dv, dr, rq, r;
    norm_kind norm;
    rowmap how;
    bool forgetful;                                       /* for a control: no null vectors of the rotated part   */
} sizes;
typedef struct {
    sizes z;
    const mat *DQ, *DKV;                                  /* d x rq, d x r                                        */
    const mat *gain_q, *gain_kv;                          /* rq x rq, r x r, diagonal; NULL without norm          */
    const mat *UQ, *QR, *UK, *UV;                         /* rq x h dk, rq x h dr, r x h dk, r x h dv             */
    const mat *KR, *O;                                    /* d x dr, h dv x d                                     */
} latent;

static const mat *gain(scope *s, const char *name, long r)
{
    const mat *I = mat_identity(s, r);
    return mat_add(s, I, mat_hadamard(s, I, mat_draw(s, name, r, r, -2)));
}

static latent latent_random(scope *s, sizes z)
{
    latent W = { .z = z, .DQ = mat_draw_weight(s, "W_DQ", z.d, z.rq), .DKV = mat_draw_weight(s, "W_DKV", z.d, z.r),
                 .UQ = mat_draw_weight(s, "W_UQ", z.rq, z.h * z.dk), .QR = mat_draw_weight(s, "W_QR", z.rq, z.h * z.dr),
                 .UK = mat_draw_weight(s, "W_UK", z.r, z.h * z.dk), .UV = mat_draw_weight(s, "W_UV", z.r, z.h * z.dv),
                 .KR = mat_draw_weight(s, "W_KR", z.d, z.dr), .O = mat_draw_weight(s, "W_O", z.h * z.dv, z.d) };
    if (z.norm != NORM_NONE) {
        W.gain_q = gain(s, "gain_q", z.rq);
        W.gain_kv = gain(s, "gain_kv", z.r);
    }
    return W;
}

static const mat *latents(scope *s, const latent *W, const mat *X, const mat *down, const mat *g, int where)
{
    const mat *C = mat_mul(s, X, down);
    return g ? mat_mul(s, mat_norm(s, C, W->z.norm, -17, (place){ 0, where, 0 }), g) : C;
}

/* Attention of X (n x d); n x d. */
static const mat *attend(scope *s, const latent *W, const mat *X)
{
    const sizes *z = &W->z;
    const mat *C = latents(s, W, X, W->DQ, W->gain_q, PLACE_QUERY);
    const mat *Z = latents(s, W, X, W->DKV, W->gain_kv, PLACE_KEY);
    const mat *Q = mat_mul(s, C, W->UQ), *QR = mat_mul(s, C, W->QR);
    const mat *K = mat_mul(s, Z, W->UK), *V = mat_mul(s, Z, W->UV);
    const mat *KRt = mat_t(s, mat_rotate(s, mat_mul(s, X, W->KR))), *head[MAX_HEADS];
    for (long a = 0; a < z->h; a++) {
        const mat *plain = mat_mul(s, mat_cols(s, Q, a * z->dk, z->dk), mat_t(s, mat_cols(s, K, a * z->dk, z->dk)));
        const mat *turned = mat_mul(s, mat_rotate(s, mat_cols(s, QR, a * z->dr, z->dr)), KRt);
        const mat *A = mat_rowmap(s, mat_add(s, plain, turned), &z->how, (place){ 0, PLACE_ATTENTION, (int)a });
        head[a] = mat_mul(s, A, mat_cols(s, V, a * z->dv, z->dv));
    }
    return mat_mul(s, mat_hcat(s, z->h, head), W->O);
}

/* ---- what changes nothing ------------------------------------------------------------------------------------ */

/* rq = m and r = V of the shape; all three widths of a head are dk. */
static sizes of_shape(const shape *sh)
{
    return (sizes){ .n = sh->n, .d = sh->d, .h = sh->h, .dk = sh->dk, .dv = sh->dk, .dr = sh->dk, .rq = sh->m,
                    .r = sh->V, .norm = sh->norm, .how = { .kind = sh->attention, .scale_num = sh->scale_num,
                                               .scale_den = sh->scale_den } };
}
static void no_norm(shape *sh)  { sh->rope = true; sh->norm = NORM_NONE; }
static void rms_norm(shape *sh) { sh->rope = true; sh->norm = NORM_RADIAL; }    /* RMSNorm where roots are known */

static void same_attention(trial *t, const latent *W, latent *R)
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", W->z.n, W->z.d, 0);
    claim_reduced(t, 6, (const mat **const[]){ &R->DQ, &R->DKV, &R->UQ, &R->UK, &R->UV, &R->O });
    claim_equal(t, "latent attention", attend(s, W, X), attend(s, R, X));
}

typedef enum { SAME, TRANSPOSED, ROTATED_KEPT, VALUES_KEPT } slip;

/* W_DQ M, M^-1 (W_UQ | W_QR); the same for keys and values. */
static void turn_latents(trial *t, norm_kind norm, bool orthogonal, slip how)
{
    scope *s = &t->s;
    sizes z = of_shape(&t->sh);
    z.norm = norm;
    latent W = latent_random(s, z);
    if (norm != NORM_NONE) {                              /* gains folded */
        W.gain_q = mat_identity(s, z.rq);
        W.gain_kv = mat_identity(s, z.r);
    }
    latent R = W;
    const mat *M = orthogonal ? mat_draw_orthogonal(s, "M_q", z.rq) : mat_draw_weight(s, "M_q", z.rq, z.rq);
    const mat *N = orthogonal ? mat_draw_orthogonal(s, "M", z.r) : mat_draw_weight(s, "M", z.r, z.r);
    const mat *M_back = mat_inv(s, M), *N_back = mat_inv(s, N);
    R.DQ = mat_mul(s, W.DQ, M);
    R.UQ = mat_mul(s, how == TRANSPOSED ? mat_t(s, M) : M_back, W.UQ);
    if (how != ROTATED_KEPT) R.QR = mat_mul(s, M_back, W.QR);
    R.DKV = mat_mul(s, W.DKV, N);
    R.UK = mat_mul(s, N_back, W.UK);
    if (how != VALUES_KEPT) R.UV = mat_mul(s, N_back, W.UV);
    same_attention(t, &W, &R);
}
static void any_latents(trial *t)    { turn_latents(t, NORM_NONE, false, SAME); }
static void normed_latents(trial *t) { turn_latents(t, t->sh.norm, true, SAME); }
static void transposed(trial *t)     { turn_latents(t, NORM_NONE, false, TRANSPOSED); }
static void rotated_kept(trial *t)   { turn_latents(t, NORM_NONE, false, ROTATED_KEPT); }
static void values_kept(trial *t)    { turn_latents(t, NORM_NONE, false, VALUES_KEPT); }
static void oblique(trial *t)        { turn_latents(t, t->sh.norm, false, SAME); }
static void layer_norm(trial *t)     { turn_latents(t, NORM_LAYER, true, SAME); }

/* diag(D_1, .., D_h), one drawn block for each head, and its inverse. */
typedef struct { const mat *there, *back; } head_gauges;
static head_gauges for_heads(scope *s, const char *name, long h, long width)
{
    const mat *D[MAX_HEADS], *inverse[MAX_HEADS];
    for (long a = 0; a < h; a++) {
        D[a] = mat_draw_at(s, name, a, -1, width, width, mat_log2_fan_in(width));
        inverse[a] = mat_inv(s, D[a]);
    }
    return (head_gauges){ mat_blockdiag(s, h, D), mat_blockdiag(s, h, inverse) };
}

static void turn_heads(trial *t, slip how)
{
    scope *s = &t->s;
    const latent W = latent_random(s, of_shape(&t->sh));
    const sizes *z = &W.z;
    latent R = W;
    const head_gauges A = for_heads(s, "A", z->h, z->dk), B = for_heads(s, "B", z->h, z->dv);
    R.UQ = mat_mul(s, W.UQ, A.there);
    R.UK = mat_mul(s, W.UK, how == TRANSPOSED ? A.back : mat_t(s, A.back));
    R.UV = mat_mul(s, W.UV, B.there);
    if (how != VALUES_KEPT) R.O = mat_mul(s, B.back, W.O);
    same_attention(t, &W, &R);
}
static void heads(trial *t)          { turn_heads(t, SAME); }
static void not_transposed(trial *t) { turn_heads(t, TRANSPOSED); }
static void output_kept(trial *t)    { turn_heads(t, VALUES_KEPT); }

/* (a, b; -b, a) for every pair of columns: commutes with the rotations. */
static const mat *commuting(scope *s, long a, long width)
{
    const mat *J = mat_from_si(s, 2, 2, (long[]){ 0, 1, -1, 0 });
    const mat **pair = scope_alloc(s, (size_t)width * sizeof *pair);
    for (long k = 0; k < width / 2; k++) {
        const mat *top = mat_draw_at(s, "turn", a, k, 1, 2, 0);
        pair[k] = mat_vcat(s, 2, (const mat *const[]){ top, mat_mul(s, top, J) });
    }
    return mat_blockdiag(s, width / 2, pair);
}

static void turn_rotated(trial *t, bool each_head, bool any)
{
    scope *s = &t->s;
    const latent W = latent_random(s, of_shape(&t->sh));
    const sizes *z = &W.z;
    latent R = W;
    const mat *D[MAX_HEADS];
    for (long a = 0; a < z->h; a++)
        D[a] = any ? mat_draw_weight(s, "any", z->dr, z->dr) : commuting(s, each_head ? a : 0, z->dr);
    R.QR = mat_mul(s, W.QR, mat_blockdiag(s, z->h, D));
    R.KR = mat_mul(s, W.KR, mat_t(s, mat_inv(s, D[0])));
    const mat *X = mat_draw(s, "X", z->n, z->d, 0);
    claim_reduced(t, 2, (const mat **const[]){ &R.QR, &R.KR });
    claim_equal(t, "latent attention", attend(s, &W, X), attend(s, &R, X));
}
static void rotated(trial *t)    { turn_rotated(t, false, false); }
static void per_head(trial *t)   { turn_rotated(t, true, false); }
static void not_commuting(trial *t) { turn_rotated(t, false, true); }

/* ---- how much it is ------------------------------------------------------------------------------------------ */

static long redundant(const sizes *z)
{
    const bool normed = z->norm != NORM_NONE;
    const long of_q = normed ? z->rq * (z->rq + 1) / 2 : z->rq * z->rq;
    const long of_kv = normed ? z->r * (z->r + 1) / 2 : z->r * z->r;
    return of_q + of_kv + z->h * (z->dk * z->dk + z->dv * z->dv) + z->dr;
}

static long parameters_of(const sizes *z)
{
    return z->d * (z->rq + z->r + z->dr) + z->rq * z->h * (z->dk + z->dr) + z->r * z->h * (z->dk + z->dv)
         + z->h * z->dv * z->d + (z->norm != NORM_NONE ? z->rq + z->r : 0);
}

static const void *add_weights(scope *tape, const void *of, parameters *P)
{
    latent *W = scope_alloc(tape, sizeof *W);
    *W = latent_random(tape, *(const sizes *)of);
    parameters_add_all(P, 8, (const mat *const[]){ W->DQ, W->DKV, W->UQ, W->QR, W->UK, W->UV, W->KR, W->O }, false);
    parameters_add(P, W->gain_q, true, false);
    parameters_add(P, W->gain_kv, true, false);
    return W;
}

static const mat *output(scope *s, const void *with, long k)
{
    const latent *W = with;
    return attend(s, W, mat_draw_at(s, "X", k, -1, W->z.n, W->z.d, 0));
}

/* down E and -Gamma^-1 E Gamma up for the E of gl(r), or of so(r); gains against the rows of `up`. */
static void latent_tangents(tangents *g, const mat *down, const mat *gains, const mat *const up[2])
{
    scope *s = g->s;
    const long r = down->cols;
    for (long i = 0; i < r; i++)
        for (long j = 0; j < r; j++) {
            if (gains && i > j) continue;
            const mat *E = gains && i < j ? tangent_skew(s, r, i, j) : mat_unit(s, r, r, i, j), *read = E;
            tangent_next(g);
            if (gains && i == j) tangent_put(g, gains, mat_mul(s, tangent_value(gains), E));
            else tangent_put(g, down, mat_mul(s, tangent_value(down), E));
            if (gains && i < j) read = mat_mul3(s, mat_inv(s, tangent_value(gains)), E, tangent_value(gains));
            for (int k = 0; k < 2; k++) tangent_put(g, up[k], mat_neg(s, mat_mul(s, read, tangent_value(up[k]))));
        }
}

static void columns(tangents *g, const mat *W, long at, const mat *A)         /* W_a A */
{
    tangent_put_at(g, W, mat_mul(g->s, mat_cols(g->s, tangent_value(W), at, A->rows), A), 0, at);
}

static void head_tangents(tangents *g, const latent *W)
{
    scope *s = g->s;
    const sizes *z = &W->z;
    for (long a = 0; a < z->h; a++) {
        for (long k = 0; k < z->dk * z->dk; k++) {
            const mat *A = mat_unit(s, z->dk, z->dk, k / z->dk, k % z->dk);
            tangent_next(g);
            columns(g, W->UQ, a * z->dk, A);
            columns(g, W->UK, a * z->dk, mat_neg(s, mat_t(s, A)));
        }
        for (long k = 0; k < z->dv * z->dv; k++) {
            const mat *B = mat_unit(s, z->dv, z->dv, k / z->dv, k % z->dv);
            const mat *own = mat_rows(s, tangent_value(W->O), a * z->dv, z->dv);
            tangent_next(g);
            columns(g, W->UV, a * z->dv, B);
            tangent_put_at(g, W->O, mat_neg(s, mat_mul(s, B, own)), a * z->dv, 0);
        }
    }
}

static void rotated_tangents(tangents *g, const latent *W)
{
    scope *s = g->s;
    const sizes *z = &W->z;
    for (long k = 0; k < z->dr; k++) {                    /* 1 and i on each pair */
        const long i = k - k % 2;
        const mat *ones = mat_add(s, mat_unit(s, z->dr, z->dr, i, i), mat_unit(s, z->dr, z->dr, i + 1, i + 1));
        const mat *D = k % 2 ? tangent_skew(s, z->dr, i, i + 1) : ones;
        tangent_next(g);
        for (long a = 0; a < z->h; a++) columns(g, W->QR, a * z->dr, D);
        columns(g, W->KR, 0, mat_neg(s, mat_t(s, D)));
    }
}

static const mat *null_vectors(scope *s, const void *of, const parameters *P)
{
    const latent *W = of;
    tangents g = { .s = s, .P = P };
    latent_tangents(&g, W->DQ, W->gain_q, (const mat *const[2]){ W->UQ, W->QR });
    latent_tangents(&g, W->DKV, W->gain_kv, (const mat *const[2]){ W->UK, W->UV });
    head_tangents(&g, W);
    if (!W->z.forgetful) rotated_tangents(&g, W);
    return mat_vcat(s, g.n, (const mat *const *)g.row);
}

static const sizes small[] = {
    { .n = 3, .d = 4, .h = 2, .dk = 2, .dv = 2, .dr = 2, .rq = 3, .r = 3 },
    { .n = 3, .d = 5, .h = 2, .dk = 2, .dv = 1, .dr = 2, .rq = 4, .r = 3 },
    { .n = 3, .d = 4, .h = 3, .dk = 1, .dv = 2, .dr = 2, .rq = 2, .r = 4 },
};

/* 5^((dr/2)(n-1)) = 25 clears the denominators of rotated scores, which stay below q/4 for these ranges. */
static void nullity_of(trial *t, sizes z, norm_kind norm, long error)
{
    z.norm = norm;
    z.how = (rowmap){ .kind = ROWMAP_SOFTMAX, .scale_num = 1, .scale_den = 1 };
    const free_family F = { .sizes = &z, .weights = add_weights, .output = output, .null_vectors = null_vectors,
                            .range = 50, .kappa = 25 };
    claim_family_nullity(t, "redundant parameters", &F, redundant(&z) + error);
}
static void nullity(trial *t, norm_kind norm, long error) { nullity_of(t, small[t->number % 3], norm, error); }

static void forgotten(trial *t)
{
    sizes z = small[t->number % 3];
    z.forgetful = true;
    nullity_of(t, z, NORM_NONE, 0);
}
static void count_plain(trial *t)   { nullity(t, NORM_NONE, 0); }
static void count_normed(trial *t)  { nullity(t, NORM_RMS, 0); }
static void one_more(trial *t)      { nullity(t, NORM_NONE, 1); }
static void each_rotated(trial *t)  { nullity(t, NORM_NONE, small[t->number % 3].dr); }

static void gl_behind_norm(trial *t)
{
    const sizes *z = &small[t->number % 3];
    nullity(t, NORM_RMS, z->rq * (z->rq - 1) / 2 + z->r * (z->r - 1) / 2);
}

static void deepseek(trial *t, long rq)
{
    const sizes z = { .d = 7168, .h = 128, .dk = 128, .dv = 128, .dr = 64, .rq = rq, .r = 512, .norm = NORM_RMS };
    const long all = parameters_of(&z), gone = redundant(&z);
    claim_decided(t, "187,107,328 parameters", all == 187107328);
    claim_decided(t, "5,506,112 redundant", gone == 5506112);
    claim_decided(t, "2.94 %", 100000 * gone >= 2935 * all && 100000 * gone < 2945 * all);
}
static void v3(trial *t)     { deepseek(t, 1536); }
static void narrow(trial *t) { deepseek(t, 512); }

static const control of_latents[] = {
    { "transposed",   transposed,   "$M^\\top W_{UQ}$ instead of $M^{-1}W_{UQ}$" },
    { "rotated-kept", rotated_kept, "$W_{QR}$ reads the latent, too, and is not turned" },
    { "values-kept",  values_kept,  "$W_{UV}$ reads the latent, too, and is not turned" },
};
static const control of_normed[]  = {
    { "oblique",    oblique,    "$M$ not orthogonal behind RMSNorm" },
    { "layer-norm", layer_norm, "LayerNorm: $M$ moves the mean" },
};
static const control of_heads[]   = {
    { "not-transposed", not_transposed, "$W_{UK}^aA^{-1}$" },
    { "output-kept",    output_kept,    "$W_O$ is not turned along" },
};
static const control of_rotated[] = {
    { "per-head",      per_head,      "a $D_a$ for each head: they share one rotated key" },
    { "not-commuting", not_commuting, "any $D$: rotations stand between" },
};
static const control of_count[]   = {
    { "one-more",     one_more,     "the formula plus 1" },
    { "each-rotated", each_rotated, "$2d_r$: a $D$ more than there is" },
    { "forgotten",    forgotten,    "null vectors of the rotated part are forgotten: the bounds do not meet" },
};
static const control of_norms[]   = { { "GL-behind-norm", gl_behind_norm, "$\\mathrm{GL}(r)$ behind RMSNorm" } };
static const control of_v3[]      = { { "narrow", narrow, "$r_q = 512$" } };
#define RANKS .no_minimal = true, .no_large = true, .shapes = one_shape, .nshapes = 1, .prepare = no_norm, \
    PRIME_FIELD_ONLY("ranks over F_p, where exponentials and norms are formal"), .basis = BY_A_MINOR
static const shape_case one_shape[] = {
    { .sh = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 6, .L = 1, .mask = MASK_FULL } } };
static const shape_case shapes[] = {
    { .sh = { .n = 3, .d = 6, .h = 2, .dk = 2, .m = 4, .V = 3, .L = 1, .mask = MASK_FULL } },
    { .sh = { .n = 4, .d = 5, .h = 3, .dk = 2, .m = 3, .V = 4, .L = 1, .mask = MASK_FULL } },
    { .sh = { .n = 3, .d = 8, .h = 2, .dk = 4, .m = 5, .V = 6, .L = 1, .mask = MASK_FULL } },
};
#define IDENTITY(title, body, setting, list) .name = title, .kind = PART_IDENTITY, .run = body, .prepare = setting, \
    .no_large = true, CONTROLS(list)
static const part parts[] = {
    { IDENTITY("as-stated", any_latents, no_norm, of_latents), .assumes = "invertible M_q; invertible M",
      .statement = "no norms: $W_{DQ}M_q$, $M_q^{-1}(W_{UQ}|W_{QR})$ and $W_{DKV}M$, $M^{-1}(W_{UK}|W_{UV})$, $M_q$ "
                   "and $M$ invertible, are the same attention ($d_v = d_r = d_k$)" },
    { IDENTITY("as-stated-norm", normed_latents, rms_norm, of_normed), .models = "norm = rms",
      .assumes = "orthogonal M_q; orthogonal M",
      .without = "q", .why_without = "q has no square roots",
      .statement = "behind RMSNorm, gains folded, the same for orthogonal $M_q$ and $M$" },
    { IDENTITY("as-stated-heads", heads, no_norm, of_heads), .assumes = "invertible A; invertible B",
      .statement = "$W_{UQ}^aA_a$, $W_{UK}^aA_a^{-\\top}$ and $W_{UV}^aB_a$, $B_a^{-1}W_O^a$ for invertible $A_a$, "
                   "$B_a$" },
    { IDENTITY("as-stated-rope", rotated, no_norm, of_rotated), .without = "sym",
      .why_without = "rotations are opaque there, so nothing commutes with them",
      .statement = "$W_{QR}^aD$, $W_{KR}D^{-\\top}$, $D$ of blocks $(a, b; -b, a)$, one for all heads" },
    { .name = "as-stated-count", .kind = PART_IDENTITY, .run = count_plain, RANKS,
      .statement = "no norms: $r_q^2 + r^2 + hd_k^2 + hd_v^2 + d_r$ parameters are redundant, and no more",
      CONTROLS(of_count) },
    { .name = "as-stated-rmsnorm", .kind = PART_IDENTITY, .run = count_normed, RANKS,
      .statement = "with RMSNorm and gains: $r_q(r_q+1)/2 + r(r+1)/2 + hd_k^2 + hd_v^2 + d_r$",
      CONTROLS(of_norms) },
    { .name = "as-stated-deepseek-v3", .kind = PART_IDENTITY, .run = v3, .prepare = no_norm, .no_large = true,
      .no_minimal = true, .about = ABOUT_FINITE, .without = "f64 mpfr arb sym", .why_without = "whole numbers",
      .statement = "DeepSeek-V3: by the formula $5506112$ of $187107328$ parameters of one attention are redundant, "
                   "2.94 \\%",
      CONTROLS(of_v3) },
};
static const claim N21 = {
    .id = "N21", .title = "redundant parameters of multi-head latent attention", .where = "new; beside 003 Section 6",
    .hypotheses = "latents without norm, or RMSNorm behind them; for the counts weights in general position, $n \\ge "
                  "2$, $d_k \\le \\min(r_q, r)$, $d_v \\le r$, $r_q, r \\le d$; without norms $r \\le h(d_k + d_v)$, "
                  "$r_q \\le h(d_k + d_r)$",
    .construction = "$M_q, M$ inside the two low-rank factors; $A_a$, $B_a$ of each head; one $D$ that commutes with "
                    "rotations",
    .why = "A product of two factors has a basis between them; RMSNorm there leaves its rotations.  The rest is "
           "Proposition 3.2 and N1, head by head.  That a factorization has this freedom is common knowledge; the "
           "count says that there is no other.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-P3.2 N1 N8 K-X-rope",
};
THEOREM_PROGRAM(N21)
