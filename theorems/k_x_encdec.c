/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_x_encdec.c - K-X-encdec, encoder-decoder models with cross attention.
 *
 * Statement.  Query weight elimination extends to encoder-decoder models: each of the two streams has a basis of its
 * own, so one matrix can go in each.
 *
 * Construction.  X = encoder(tokens), all skips, no mask.  Decoder layer, all skips, causal self-attention:
 *     Y1 = Y + Attn(Y),   Y2 = Y1 + S(Y1 W_Q, X W_K, X W_V) W_O  (cross),   Y' = Y2 + MLP(Y2).
 * Theta_e for the encoder, Theta_d for the decoder:
 *     cross:   W_Q~ = Theta_d^-1 W_Q,   W_K~ = Theta_e^-1 W_K,   W_V~ = Theta_e^-1 W_V,   W_O~ = W_O Theta_d,
 * and every other weight in the basis of its own stream; W_LM~ = Theta_d^-1 W_LM.
 *
 * Why it works.  Cross attention reads queries from one stream, keys and values from the other, and each
 * projection undoes the basis of the stream it reads.  Nothing ties the two bases: with Theta_d = W_Q and
 * Theta_e = W_K of one cross attention both of them become I at once, which no self-attention allows.
 *
 * The decoder reads one token less than the encoder, so that a mixed-up length would show.                    */
#include "src/claim/reduce.h"

typedef struct { model enc, dec; layer cross[2]; } pair;                      /* two layers each */

static void one_layer(shape *sh) { reduce_switches(sh, ONE_LAYER); }
static void rotary(shape *sh)    { one_layer(sh); sh->rope = true; }

static const mat *weight(scope *s, const char *what, long i, long rows, long cols)
{
    return mat_draw_at(s, what, i, -1, rows, cols, mat_log2_fan_in(rows));
}

static const unsigned char *causal_mask(scope *s, long n)
{
    unsigned char *visible = scope_alloc(s, (size_t)(n * n));
    for (long i = 0; i < n; i++)
        for (long j = 0; j <= i; j++) visible[i * n + j] = 1;
    return visible;
}

static pair random_pair(scope *s, const shape *sh)
{
    const long d = sh->d, n = sh->n - 1;
    pair p = { .enc = model_random(s, *sh) };
    p.enc.visible = NULL;
    p.dec = p.enc;
    p.dec.s.n = n;
    p.dec.visible = causal_mask(s, n);
    p.dec.tokens = mat_draw(s, "T dec", n, sh->V, 0);                                /* any rows: one-hot ones, too */
    p.dec.E = mat_draw(s, "E dec", sh->V, d, 0);
    p.dec.P = mat_draw(s, "P dec", n, d, 0);
    for (long i = 0; i < 2; i++) {
        p.dec.at[i] = (layer){ .Q = weight(s, "Q dec", i, d, d), .K = weight(s, "K dec", i, d, d),
                               .V = weight(s, "V dec", i, d, d), .O = weight(s, "O dec", i, d, d),
                               .expert = { { .up = weight(s, "up dec", i, d, sh->m),
                                             .down = weight(s, "down dec", i, sh->m, d) } } };
        p.cross[i] = (layer){ .Q = weight(s, "Q cross", i, d, d), .K = weight(s, "K cross", i, d, d),
                              .V = weight(s, "V cross", i, d, d), .O = weight(s, "O cross", i, d, d) };
    }
    return p;
}

static const mat *cross_attention(scope *s, const pair *p, long i, const mat *Y, const mat *X)
{
    const layer *W = &p->cross[i];
    const mat *Q = mat_mul(s, Y, W->Q), *K = mat_mul(s, X, W->K), *V = mat_mul(s, X, W->V);
    return mat_mul(s, model_attention_of(s, &p->enc, i, Q, K, V), W->O);             /* no mask, as in the encoder */
}

static const mat *decoder_layer(scope *s, const pair *p, long i, const mat *Y, const mat *X)
{
    const mat *Y1 = mat_add(s, Y, model_attention(s, &p->dec, i, Y));
    const mat *Y2 = mat_add(s, Y1, cross_attention(s, p, i, Y1, X));
    return mat_add(s, Y2, model_mlp(s, &p->dec, i, Y2));
}

static const mat *forward(scope *s, const pair *p)
{
    const mat *X = model_embed(s, &p->enc), *Y = model_embed(s, &p->dec);
    for (long i = 0; i < 2; i++) X = model_block(s, &p->enc, i, X);
    for (long i = 0; i < 2; i++) Y = decoder_layer(s, p, i, Y, X);
    return model_head(s, &p->dec, Y);
}

static pair gauge_pair(scope *s, const pair *p, basis enc, basis dec)
{
    pair r = { .enc = gauge_uniform(s, &p->enc, enc), .dec = gauge_uniform(s, &p->dec, dec) };
    for (long i = 0; i < 2; i++) {
        const layer *W = &p->cross[i];
        r.cross[i] = (layer){ .Q = mat_mul(s, dec.from, W->Q), .K = mat_mul(s, enc.from, W->K),
                              .V = mat_mul(s, enc.from, W->V), .O = mat_mul(s, W->O, dec.to) };
    }
    return r;
}

/* ---- the claim, and what breaks it ---------------------------------------------------------------------------- */

typedef enum { SELF, CROSS } chosen;                      /* which matrices become I */
typedef enum { NOTHING, KEY_OF_DECODER, VALUE_LEFT, OUTPUT_OF_ENCODER, ONE_BASIS, SELF_LEFT, MLP_LEFT,
               TURNED } slip;

static void compare(trial *t, chosen which, slip how)
{
    scope *s = &t->s;
    const pair p = random_pair(s, &t->sh);
    const layer *W = &p.cross[1];
    const basis dec = gauge_basis(s, which == SELF ? p.dec.at[0].Q : W->Q);
    const basis enc = how == ONE_BASIS ? dec : gauge_basis(s, which == SELF ? p.enc.at[0].Q : W->K);
    pair r = gauge_pair(s, &p, enc, dec);
    const mat *I = mat_identity(s, t->sh.d);
    *(which == SELF ? &r.dec.at[0].Q : &r.cross[1].Q) = I;
    *(which == SELF ? &r.enc.at[0].Q : &r.cross[1].K) = I;
    if (how == KEY_OF_DECODER)    r.cross[0].K = mat_mul(s, dec.from, p.cross[0].K);
    if (how == VALUE_LEFT)        r.cross[0].V = p.cross[0].V;
    if (how == OUTPUT_OF_ENCODER) r.cross[0].O = mat_mul(s, p.cross[0].O, enc.to);
    if (how == TURNED)            reduce_turn_queries_and_keys(s, &p.enc.s, &r.cross[0]);
    if (how == SELF_LEFT)         r.dec.at[1].V = p.dec.at[1].V;
    if (how == MLP_LEFT)          r.dec.at[1].expert[0] = p.dec.at[1].expert[0];
    claim_reduced(t, 9, (const mat **const[]){ &r.cross[0].Q, &r.cross[0].K, &r.cross[0].V, &r.cross[0].O,
                                               &r.dec.at[0].V, &r.enc.at[0].V, &r.enc.P, &r.dec.P, &r.dec.head });
    claim_reduced(t, 2, (const mat **const[]){ &r.dec.at[1].V, &r.enc.at[1].V });
    claim_whole(t, "logits", forward(s, &p), forward(s, &r));
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0), *Y = mat_draw(s, "Y", t->sh.n - 1, t->sh.d, 0);
    for (long i = 0; i < 2; i++)
        claim_equal(t, "one decoder layer", mat_mul(s, decoder_layer(s, &p, i, Y, X), dec.to),
                    decoder_layer(s, &r, i, mat_mul(s, Y, dec.to), mat_mul(s, X, enc.to)));
    for (long i = 0; i < 2; i++) claim_step(t, &p.enc, &r.enc, i, enc, enc);           /* two layers, no more */
}
static void self(trial *t)              { compare(t, SELF, NOTHING); }
static void cross(trial *t)             { compare(t, CROSS, NOTHING); }
static void key_of_decoder(trial *t)    { compare(t, CROSS, KEY_OF_DECODER); }
static void value_left(trial *t)        { compare(t, CROSS, VALUE_LEFT); }
static void output_of_encoder(trial *t) { compare(t, SELF, OUTPUT_OF_ENCODER); }
static void self_left(trial *t)         { compare(t, SELF, SELF_LEFT); }
static void mlp_left(trial *t)          { compare(t, SELF, MLP_LEFT); }
static void one_basis(trial *t)         { compare(t, SELF, ONE_BASIS); }
static void turned_cross(trial *t)      { compare(t, CROSS, TURNED); }
static void one_basis_cross(trial *t)   { compare(t, CROSS, ONE_BASIS); }

static const control of_self[] = {
    { "output-of-encoder", output_of_encoder, "cross attention writes in the basis of the encoder" },
    { "one-basis",         one_basis,         "one $\\Theta$ for both streams and two $W_Q$" },
    { "self-left-alone",   self_left,         "$\\tilde W_V = W_V$ in a self-attention of the decoder" },
    { "MLP-left-alone",    mlp_left,          "an MLP of the decoder is not transformed" },
};
static const control of_cross[] = {
    { "key-of-decoder",   key_of_decoder,  "cross keys undo the basis of the decoder" },
    { "value-left-alone", value_left,      "cross values are not transformed" },
    { "one-basis",        one_basis_cross, "one $\\Theta$ for both streams, as in self-attention" },
};
static const control of_rotated[] = {
    { "key-of-decoder",  key_of_decoder, "cross keys undo the basis of the decoder" },
    { "D-not-commuting", turned_cross,   "cross weights $W_QD$ and $W_KD^{-\\top}$: rotations stand between them" },
};
static const part parts[] = {
    REDUCED_PART("as-stated", self, one_layer, .assumes = "invertible Q dec; invertible W_Q; constrained mask; n >= 2",
                 CONTROLS(of_self),
                 .statement = "one self-attention $W_Q$ of the encoder and one of the decoder become $I$"),
    REDUCED_PART("as-stated-query-and-key", cross, one_layer,
                 .assumes = "invertible K cross; invertible Q cross; constrained mask; n >= 2",
                 CONTROLS(of_cross),
                 .statement = "$W_Q$ and $W_K$ of one cross attention become $I$ together: $\\Theta_d = W_Q$, "
                              "$\\Theta_e = W_K$"),
    REDUCED_PART("as-stated-rope", cross, rotary,
                 .assumes = "invertible K cross; invertible Q cross; constrained mask; n >= 2",
                 CONTROLS(of_rotated),
                 .statement = "the same with rotary positions"),
};
static const claim K_X_ENCDEC = {
    .id = "K-X-encdec", .title = "encoder-decoder models with cross attention",
    .where = "not in the papers",
    .hypotheses = "no normalization; all skips; untied head; the matrices that become $I$ are in $\\mathrm{GL}(d)$",
    .construction = "$\\Theta_e$ and $\\Theta_d$; cross attention $\\tilde W_Q = \\Theta_d^{-1}W_Q$, $\\tilde W_{K,V} "
                    "= \\Theta_e^{-1}W_{K,V}$, $\\tilde W_O = W_O\\Theta_d$",
    .why = "Cross attention reads queries from one stream, keys and values from the other; each projection undoes the "
           "basis of the stream it reads, and nothing ties the two bases.",
    .models = "d = h d_k; L = 2; norm = none; tied = 0; given attention; given layers in one place; another n",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-L3.1 K-T4.2",
};
THEOREM_PROGRAM(K_X_ENCDEC)
