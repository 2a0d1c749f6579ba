/* laws.c - laws and non-laws of every arithmetic: see laws.h.
 *
 * A law is a pair of matrices; the tables are the test.  sym never refutes, so there a non-law must
 * merely not hold. */
#include "tests/support/laws.h"
#include <math.h>

typedef struct { const char *law; const mat *left, *right; } law;

static const uint64_t key[2] = { 1, 2 };
static arith mpfr_64(void)   { return arith_mpfr(64); }
static arith mpfr_1024(void) { return arith_mpfr(1024); }
static arith arb_256(void)   { return arith_arb(256); }
static arith enclosed(void)  { return arith_f64_enclosed(128); }
static arith fp_61(void)     { return arith_fp(((uint64_t)1 << 61) - 1, key); }
static arith fp_31(void)     { return arith_fp(2147483647, key); }
static arith rational(void)  { return arith_q(key); }

const number_system number_systems[NUMBER_SYSTEMS] = {
    { "f64", arith_f64, -40 },       { "mpfr:64", mpfr_64, -50 }, { "mpfr:1024", mpfr_1024, -1000 },
    { "arb:256", arb_256, -64 },     { "fp:2^61-1", fp_61, -INFINITY }, { "fp:2^31-1", fp_31, -INFINITY },
    { "q", rational, -INFINITY },    { "sym", arith_sym, -INFINITY },
    { "f64 bounded", arith_f64_bounded, -40 }, { "f64 enclosed", enclosed, -40 },
};

/* What a run has found so far. */
typedef struct { const number_system *u; long broken; char *first; size_t size; } finding;

static void found(finding *f, const char *what, const char *law_name)
{
    if (!f->broken++) snprintf(f->first, f->size, "%s: %s %s", f->u->label, law_name, what);
}

static void must_hold(finding *f, const law laws[], size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (mat_compare(laws[k].left, laws[k].right, f->u->log2bound).is != HOLDS)
            found(f, "does not hold", laws[k].law);
}

static void must_fail(finding *f, const law laws[], size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const truth is = mat_compare(laws[k].left, laws[k].right, f->u->log2bound).is;
        const bool symbolic = laws[k].left->R->traits & SYMBOLIC;
        if (is != (symbolic ? UNDECIDED : REFUTED)) found(f, "is not refuted", laws[k].law);
    }
}

static void must_be_decided(finding *f, const scope *s)
{
    if (s->status != HOLDS) found(f, "is undecided", s->why ? s->why : "something");
}

/* The matrices of the laws of algebra. */
typedef struct { const mat *A, *B, *C, *D, *I, *O, *P, *g, *Ai, *Bi, *U; } operands;

static operands draw_operands(scope *s)
{
    operands x = {
        .A = mat_draw(s, "A", 4, 4, -1), .B = mat_draw(s, "B", 4, 4, -1), .C = mat_draw(s, "C", 4, 4, -1),
        .D = mat_draw(s, "D", 3, 3, 0), .P = mat_draw(s, "P", 5, 4, 0), .g = mat_draw(s, "g", 4, 1, 0),
        .I = mat_identity(s, 4), .O = mat_zero(s, 4, 4), .U = mat_draw_orthogonal(s, "U", 4) };
    x.Ai = mat_inv(s, x.A);
    x.Bi = mat_inv(s, x.B);
    return x;
}

static void sums_and_products(finding *f, scope *s, const operands *x)
{
    const mat *A = x->A, *B = x->B, *C = x->C, *I = x->I, *O = x->O, *Pt = mat_t(s, x->P);
    const law laws[] = {
        { "(AB)C = A(BC)",            mat_mul3(s, A, B, C), mat_mul(s, A, mat_mul(s, B, C)) },
        { "A(B + C) = AB + AC",       mat_mul(s, A, mat_add(s, B, C)), mat_add(s, mat_mul(s, A, B), mat_mul(s, A, C)) },
        { "(A + B)P' = AP' + BP'",    mat_mul(s, mat_add(s, A, B), Pt),
                                      mat_add(s, mat_mul(s, A, Pt), mat_mul(s, B, Pt)) },
        { "A + B = B + A",            mat_add(s, A, B), mat_add(s, B, A) },
        { "(A + B) - B = A",          mat_sub(s, mat_add(s, A, B), B), A },
        { "A - A = 0",                mat_sub(s, A, A), O },
        { "AI = A",                   mat_mul(s, A, I), A },
        { "5/2 A - 1/2 A = A + A",    mat_sub(s, mat_times(s, 5, -1, A), mat_times(s, 1, -1, A)), mat_add(s, A, A) },
        { "A 0 = 0",                  mat_mul(s, A, O), mat_zero(s, 4, 4) },
    };
    const law no_laws[] = {
        { "AB = BA",                  mat_mul(s, A, B), mat_mul(s, B, A) },
        { "A + B = A - B",            mat_add(s, A, B), mat_sub(s, A, B) },
        { "A = A nudged",             A, mat_nudge(s, mat_add(s, A, I), 0, 0) },
        { "two names, one matrix",    A, B },
    };
    must_hold(f, laws, COUNT(laws));
    must_fail(f, no_laws, COUNT(no_laws));
}

static void transposes_and_inverses(finding *f, scope *s, const operands *x)
{
    const mat *A = x->A, *B = x->B, *I = x->I, *P = x->P, *U = x->U, *Ai = x->Ai, *Bi = x->Bi;
    const law laws[] = {
        { "(AB)' = B'A'",             mat_t(s, mat_mul(s, A, B)), mat_mul(s, mat_t(s, B), mat_t(s, A)) },
        { "P'' = P",                  mat_t(s, mat_t(s, P)), P },
        { "A inv(A) = I",             mat_mul(s, A, Ai), I },
        { "inv(A) A = I",             mat_mul(s, Ai, A), I },
        { "inv(AB) = inv(B) inv(A)",  mat_inv(s, mat_mul(s, A, B)), mat_mul(s, Bi, Ai) },
        { "inv(A') = inv(A)'",        mat_inv(s, mat_t(s, A)), mat_t(s, Ai) },
        { "U U' = I",                 mat_mul(s, U, mat_t(s, U)), I },
        { "U' U = I",                 mat_mul(s, mat_t(s, U), U), I },
    };
    const law no_laws[] = {
        { "A = A'",                   A, mat_t(s, A) },
        { "(AB)' = A'B'",             mat_t(s, mat_mul(s, A, B)), mat_mul(s, mat_t(s, A), mat_t(s, B)) },
        { "inv(A) = A'",              Ai, mat_t(s, A) },
        { "U = I",                    U, I },
        { "U = U'",                   U, mat_t(s, U) },
    };
    must_hold(f, laws, COUNT(laws));
    must_fail(f, no_laws, COUNT(no_laws));
}

static void entrywise_products(finding *f, scope *s, const operands *x)
{
    const mat *A = x->A, *B = x->B, *g = x->g;
    const law laws[] = {
        { "hadamard commutes",        mat_hadamard(s, A, B), mat_hadamard(s, B, A) },
        { "A o 1 = A",                mat_hadamard(s, A, mat_ones(s, 4, 4)), A },
        { "diag(g)(AB) = (diag(g)A)B", mat_scale_rows(s, g, mat_mul(s, A, B)), mat_mul(s, mat_scale_rows(s, g, A), B) },
    };
    const law no_laws[] = {
        { "AB = A o B",               mat_mul(s, A, B), mat_hadamard(s, A, B) },
        { "diag(g)A = A",             mat_scale_rows(s, g, A), A },
        { "diag(g)A = 0",             mat_scale_rows(s, g, A), x->O },
    };
    must_hold(f, laws, COUNT(laws));
    must_fail(f, no_laws, COUNT(no_laws));
}

static const mat *beside(scope *s, const mat *A, const mat *B) { return mat_hcat(s, 2, (const mat *[]){ A, B }); }
static const mat *above(scope *s, const mat *A, const mat *B)  { return mat_vcat(s, 2, (const mat *[]){ A, B }); }

static const mat *diagonal(scope *s, const mat *A, const mat *B)
{
    return mat_blockdiag(s, 2, (const mat *[]){ A, B });
}

static void blocks(finding *f, scope *s, const operands *x)
{
    const mat *A = x->A, *B = x->B, *P = x->P, *PA = mat_mul(s, P, A), *PB = mat_mul(s, P, B);
    const law laws[] = {
        { "columns put together",     beside(s, mat_cols(s, P, 0, 1), mat_cols(s, P, 1, 3)), P },
        { "rows put together",        above(s, mat_rows(s, P, 0, 2), mat_rows(s, P, 2, 3)), P },
        { "columns of a product",     mat_cols(s, PA, 1, 2), mat_mul(s, P, mat_cols(s, A, 1, 2)) },
        { "rows of a product",        mat_rows(s, PA, 1, 2), mat_mul(s, mat_rows(s, P, 1, 2), A) },
        { "(P|P)(A above B) = PA + PB", mat_mul(s, beside(s, P, P), above(s, A, B)), mat_add(s, PA, PB) },
        { "diag(A, D) inv = diag(inv)", mat_mul(s, diagonal(s, A, x->D), diagonal(s, x->Ai, mat_inv(s, x->D))),
                                      mat_identity(s, 7) },
    };
    const law no_laws[] = {
        { "first = last columns",     mat_cols(s, P, 0, 2), mat_cols(s, P, 2, 2) },
        { "first = last rows",        mat_rows(s, P, 0, 2), mat_rows(s, P, 3, 2) },
        { "(A|B) = (B|A)",            beside(s, A, B), beside(s, B, A) },
    };
    must_hold(f, laws, COUNT(laws));
    must_fail(f, no_laws, COUNT(no_laws));
}

/* What only an arithmetic with numbers can show: diag(1) and the nudge by 2^-40. */
static void scaling_and_nudging(finding *f, scope *s, const operands *x)
{
    const mat *A = x->A, *nudged = mat_nudge(s, A, 0, 0), *change = mat_rows(s, mat_sub(s, nudged, A), 0, 1);
    const mat *up = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, 40), *first = mat_cols(s, mat_rows(s, A, 0, 1), 0, 1);
    const law laws[] = {
        { "diag(1)A = A",             mat_scale_rows(s, mat_ones(s, 4, 1), A), A },
        { "nudged by 2^-40",          mat_mul(s, up, mat_cols(s, change, 0, 1)), first },
        { "nudged: no other rows",    mat_rows(s, nudged, 1, 3), mat_rows(s, A, 1, 3) },
    };
    must_hold(f, laws, COUNT(laws));
}

static void algebra(finding *f, const arith *R, uint64_t seed)
{
    scope s = scope_open(R, seed, 0);
    const operands x = draw_operands(&s);
    sums_and_products(f, &s, &x);
    transposes_and_inverses(f, &s, &x);
    entrywise_products(f, &s, &x);
    blocks(f, &s, &x);
    must_be_decided(f, &s);
    if (!(R->traits & SYMBOLIC)) scaling_and_nudging(f, &s, &x);
    scope_close(&s);
}

static const unsigned char causal[] = { 1, 0, 0, 1, 1, 0, 1, 1, 1 };

static activation activation_of(const arith *R) { return R->kind == A_Q ? ACT_RELU : ACT_GELU; }
static rowmap_kind attention_of(const arith *R) { return R->kind == A_Q ? ROWMAP_LINEAR : ROWMAP_SOFTMAX; }

/* Equal arguments give equal values, and the value is not the argument. */
static void functions(finding *f, scope *s, const mat *X, const mat *S)
{
    const activation act = activation_of(s->R);
    const rowmap unmasked = { attention_of(s->R), NULL, 1, 4 }, masked = { attention_of(s->R), causal, 1, 4 };
    const place here = { 0, PLACE_MLP, 0 };
    const mat *Y = mat_mul(s, X, mat_identity(s, 4)), *W = mat_mul(s, S, mat_identity(s, 3));
    const mat *zero = mat_zero(s, 3, 4), *minus = mat_sub(s, zero, X), *phi = mat_phi(s, X, act, here);
    const mat *half = mat_phi(s, X, ACT_HALF_ODD, here), *other = mat_phi(s, minus, ACT_HALF_ODD, here);
    const mat *weights = mat_rowmap(s, S, &masked, here), *turned = mat_rotate(s, X);
    const law laws[] = {
        { "phi(X) = phi(X)",          phi, mat_phi(s, Y, act, here) },
        { "identity activation",      mat_phi(s, X, ACT_IDENTITY, here), X },
        { "phi(X) - phi(-X) = X",     mat_sub(s, half, other), X },
        { "rowmap(S) = rowmap(S)",    weights, mat_rowmap(s, W, &masked, here) },
        { "rotate(X) = rotate(X)",    turned, mat_rotate(s, Y) },
    };
    const law no_laws[] = {
        { "phi(X) = X",               phi, X },
        { "phi(X) = phi(-X)",         phi, mat_phi(s, minus, act, here) },
        { "rowmap(S) = S",            mat_rowmap(s, S, &unmasked, here), S },
        { "the mask does nothing",    weights, mat_rowmap(s, S, &unmasked, here) },
        { "rotate(X) = X",            turned, X },
        { "rotate(X) = 0",            turned, zero },
    };
    must_hold(f, laws, COUNT(laws));
    must_fail(f, no_laws, COUNT(no_laws));
}

static void hidden_scores_and_row_0(finding *f, scope *s, const mat *X, const mat *S)
{
    const rowmap masked = { attention_of(s->R), causal, 1, 4 };
    const place here = { 0, PLACE_MLP, 0 };
    const mat *above_diagonal = mat_from_si(s, 3, 3, (long[]){ 0, 1, 1, 0, 0, 1, 0, 0, 0 });
    const mat *hidden = mat_hadamard(s, mat_draw(s, "H", 3, 3, 0), above_diagonal);
    const law laws[] = {
        { "hidden scores do not matter", mat_rowmap(s, S, &masked, here),
                                      mat_rowmap(s, mat_add(s, S, hidden), &masked, here) },
        { "row 0 is not rotated",     mat_rows(s, mat_rotate(s, X), 0, 1), mat_rows(s, X, 0, 1) },
    };
    must_hold(f, laws, COUNT(laws));
}

/* An uninterpreted function is another one at another place. */
static void places(finding *f, scope *s, const mat *X, const mat *S)
{
    const activation act = activation_of(s->R);
    const rowmap masked = { attention_of(s->R), causal, 1, 4 };
    const place here = { 0, PLACE_MLP, 0 }, there = { 1, PLACE_MLP, 0 };
    const law no_laws[] = {
        { "one function at two places", mat_phi(s, X, act, here), mat_phi(s, X, act, there) },
        { "one norm at two places",   mat_norm(s, X, NORM_RMS, -17, here), mat_norm(s, X, NORM_RMS, -17, there) },
        { "one row map at two places", mat_rowmap(s, S, &masked, here), mat_rowmap(s, S, &masked, there) },
    };
    must_fail(f, no_laws, COUNT(no_laws));
}

/* What is known of the functions, uninterpreted or not. */
static void functions_of_a_model(finding *f, const arith *R, uint64_t seed)
{
    scope s = scope_open(R, seed, 0);
    const mat *X = mat_draw(&s, "X", 3, 4, 0), *S = mat_draw(&s, "S", 3, 3, 0);
    functions(f, &s, X, S);
    if (!(R->traits & SYMBOLIC)) hidden_scores_and_row_0(f, &s, X, S);
    if (R->traits & OPAQUE) places(f, &s, X, S);
    must_be_decided(f, &s);
    scope_close(&s);
}

/* Norms with an epsilon of 2^-3000: mean square 1, and mean 0 for LayerNorm. */
static void norms(finding *f, const arith *R, uint64_t seed)
{
    scope s = scope_open(R, seed, 0);
    const place here = { 0, PLACE_MLP, 0 };
    const mat *X = mat_draw(&s, "X", 3, 4, 0), *ones = mat_ones(&s, 4, 1), *one = mat_ones(&s, 3, 1);
    const mat *four = mat_add(&s, mat_add(&s, one, one), mat_add(&s, one, one));
    const mat *rms = mat_norm(&s, X, NORM_RMS, -3000, here), *layer = mat_norm(&s, X, NORM_LAYER, -3000, here);
    if (R->kind == A_Q) {
        if (s.status != UNDECIDED) found(f, "is decided", "a rational norm");
        scope_close(&s);
        return;
    }
    const law no_laws[] = {
        { "RMSNorm(X) = X",           rms, X },
        { "RMSNorm(X) = 0",           rms, mat_zero(&s, 3, 4) },
        { "RMSNorm = LayerNorm",      rms, layer },
    };
    must_fail(f, no_laws, COUNT(no_laws));
    if (R->traits & HAS_EXP) {
        const law laws[] = {
            { "|RMSNorm(x)|^2 = d",   mat_mul(&s, mat_hadamard(&s, rms, rms), ones), four },
            { "|LayerNorm(x)|^2 = d", mat_mul(&s, mat_hadamard(&s, layer, layer), ones), four },
            { "mean LayerNorm = 0",   mat_add(&s, one, mat_mul(&s, layer, ones)), one },
        };
        must_hold(f, laws, COUNT(laws));
    }
    must_be_decided(f, &s);
    scope_close(&s);
}

/* 1/sqrt and artanh where there are roots, and their domains. */
static void roots(finding *f, const arith *R, uint64_t seed)
{
    scope s = scope_open(R, seed, 0);
    const place here = { 0, PLACE_MLP, 0 };
    const mat *X = mat_draw(&s, "X", 3, 4, -3), *one = mat_ones(&s, 3, 4), *zero = mat_zero(&s, 3, 4);
    const mat *Y = mat_add(&s, mat_hadamard(&s, X, X), one), *r = mat_rsqrt(&s, Y), *a = mat_artanh(&s, X);
    if (!R->functions.partial) {
        if (s.status != UNDECIDED) found(f, "is decided", "a root without roots");
        scope_close(&s);
        return;
    }
    const law laws[] = {
        { "rsqrt(Y)^2 Y = 1",         mat_hadamard(&s, mat_hadamard(&s, r, r), Y), one },
        { "tanh(artanh(X)) = X",      mat_phi(&s, a, ACT_TANH, here), X },
        { "artanh(tanh(X)) = X",      mat_artanh(&s, mat_phi(&s, X, ACT_TANH, here)), X },
    };
    const law no_laws[] = { { "rsqrt(Y) = Y", r, Y }, { "artanh(X) = X", a, X } };
    must_hold(f, laws, COUNT(laws));
    must_fail(f, no_laws, COUNT(no_laws));
    must_be_decided(f, &s);
    if (mat_positive(r) != HOLDS) found(f, "is not positive", "rsqrt(Y)");
    scope_close(&s);
    for (int k = 0; k < 4; k++) {                        /* 0, -Y; 1, -Y: outside the domains */
        s = scope_open(R, seed, 0);
        X = mat_draw(&s, "X", 3, 4, -3);
        one = mat_ones(&s, 3, 4);
        zero = mat_zero(&s, 3, 4);
        Y = mat_sub(&s, zero, mat_add(&s, mat_hadamard(&s, X, X), one));
        (void)(k < 2 ? mat_rsqrt(&s, k ? Y : zero) : mat_artanh(&s, k == 3 ? Y : one));
        if (s.status != UNDECIDED) found(f, "is decided", "a value outside the domain");
        scope_close(&s);
    }
}

static void signs(finding *f, const arith *R, uint64_t seed)
{
    scope s = scope_open(R, seed, 0);
    const mat *X = mat_draw(&s, "X", 3, 4, 0), *Y = mat_add(&s, mat_hadamard(&s, X, X), mat_ones(&s, 3, 4));
    const mat *zero = mat_zero(&s, 3, 4), *minus = mat_sub(&s, zero, Y);
    const mat *both = mat_hcat(&s, 2, (const mat *[]){ Y, minus });
    const struct { const char *what; const mat *A; truth is; } facts[] = {
        { "Y > 0", Y, HOLDS }, { "-Y > 0", minus, REFUTED },
        { "0 > 0", zero, REFUTED }, { "(Y|-Y) > 0", both, REFUTED },
    };
    for (size_t k = 0; k < COUNT(facts); k++)
        if (mat_positive(facts[k].A) != (R->ring.positive ? facts[k].is : UNDECIDED))
            found(f, "is wrong", facts[k].what);
    scope_close(&s);
}

/* Modes of the row map: each axiom holds in its mode and fails in the freer one. */
static void row_map_modes(finding *f, const arith *R, uint64_t seed)
{
    scope s = scope_open(R, seed, 0);
    const place here = { 0, PLACE_ATTENTION, 0 };
    const mat *S = mat_draw(&s, "S", 3, 3, 0), *c = mat_draw(&s, "c", 3, 1, 0), *ones = mat_ones(&s, 3, 1);
    const mat *shifted = mat_add(&s, S, mat_mul(&s, c, mat_ones(&s, 1, 3)));
    const rowmap shift = { ROWMAP_SHIFT, causal, 1, 4 }, stochastic = { ROWMAP_STOCHASTIC, causal, 1, 4 };
    const rowmap opaque = { ROWMAP_OPAQUE, causal, 1, 4 };
    const law laws[] = {
        { "shift invariance",         mat_rowmap(&s, S, &shift, here), mat_rowmap(&s, shifted, &shift, here) },
        { "stochastic is shift, too", mat_rowmap(&s, S, &stochastic, here),
                                      mat_rowmap(&s, shifted, &stochastic, here) },
        { "weights sum to 1",         mat_mul(&s, mat_rowmap(&s, S, &stochastic, here), ones), ones },
    };
    if (R->kind == A_Q) {
        if (s.status != UNDECIDED) found(f, "is decided", "a rational softmax");
    } else {
        must_hold(f, laws, COUNT(laws));
        if (R->traits & OPAQUE) {
            const law no_laws[] = {
                { "a free row map is shift-invariant", mat_rowmap(&s, S, &opaque, here),
                                                       mat_rowmap(&s, shifted, &opaque, here) },
                { "shift-invariant weights sum to 1",  mat_mul(&s, mat_rowmap(&s, S, &shift, here), ones), ones } };
            must_fail(f, no_laws, COUNT(no_laws));
        }
    }
    scope_close(&s);
}

long laws_broken(const number_system *u, const arith *R, uint64_t seed, char *first, size_t size)
{
    finding f = { u, 0, first, size };
    algebra(&f, R, seed);
    functions_of_a_model(&f, R, seed);
    norms(&f, R, seed);
    row_map_modes(&f, R, seed);
    roots(&f, R, seed);
    signs(&f, R, seed);
    return f.broken;
}
