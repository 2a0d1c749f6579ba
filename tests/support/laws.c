/* SPDX-License-Identifier: GPL-3.0-or-later
 * laws.c - laws and non-laws of every arithmetic: see laws.h.
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
        if (mat_compare(laws[k].left, laws[k].right, f->u->log2bound).is != HOLDS) found(f, "does not hold", laws[k].law);
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

static void must_hold_and_fail(finding *f, const scope *s, const law laws[], size_t n, const law no_laws[], size_t m)
{
    must_hold(f, laws, n);
    must_be_decided(f, s);
    must_fail(f, no_laws, m);
}

static void sums_and_products(finding *f, scope *s)
{
    const mat *A = mat_draw(s, "A", 4, 4, -1), *B = mat_draw(s, "B", 4, 4, -1);
    const mat *C = mat_draw(s, "C", 4, 4, -1), *I = mat_identity(s, 4), *O = mat_zero(s, 4, 4);
    const mat *P = mat_draw(s, "P", 5, 4, 0), *b = mat_draw(s, "b", 1, 4, 0);
    const law laws[] = {
        { "(AB)C = A(BC)",            mat_mul3(s, A, B, C), mat_mul(s, A, mat_mul(s, B, C)) },
        { "A(B + C) = AB + AC",       mat_mul(s, A, mat_add(s, B, C)), mat_add(s, mat_mul(s, A, B), mat_mul(s, A, C)) },
        { "(A + B)P' = AP' + BP'",    mat_mul(s, mat_add(s, A, B), mat_t(s, P)),
                                      mat_add(s, mat_mul(s, A, mat_t(s, P)), mat_mul(s, B, mat_t(s, P))) },
        { "A + B = B + A",            mat_add(s, A, B), mat_add(s, B, A) },
        { "(A + B) - B = A",          mat_sub(s, mat_add(s, A, B), B), A },
        { "A - A = 0",                mat_sub(s, A, A), O },
        { "A + (-A) = 0",             mat_add(s, A, mat_neg(s, A)), O },
        { "AI = A",                   mat_mul(s, A, I), A },
        { "A 0 = 0",                  mat_mul(s, A, O), mat_zero(s, 4, 4) },
        { "A + 1 b - 1 b = A",        mat_sub(s, mat_add_row(s, A, b), mat_mul(s, mat_ones(s, 4, 1), b)), A },
        { "A + no row = A",           mat_mul(s, mat_add_row(s, A, NULL), I), A },
    };
    const law no_laws[] = {
        { "AB = BA",                  mat_mul(s, A, B), mat_mul(s, B, A) },
        { "A + B = A - B",            mat_add(s, A, B), mat_sub(s, A, B) },
        { "two names, one matrix",    A, B },
        { "A = -A",                   A, mat_neg(s, A) },
        { "A + 1 b = A",              mat_add_row(s, A, b), A },
    };
    must_hold_and_fail(f, s, laws, COUNT(laws), no_laws, COUNT(no_laws));
}

static void scales(finding *f, scope *s)
{
    const mat *A = mat_draw(s, "A", 4, 4, -1);
    const law laws[] = {
        { "5/2 A - 1/2 A = A + A",    mat_sub(s, mat_scale(s, 5, -1, A), mat_scale(s, 1, -1, A)),
                                      mat_add(s, A, A) },
        { "3/4 A + 1/4 A = A",        mat_add(s, mat_scale(s, 3, -2, A), mat_scale(s, 1, -2, A)), A },
        { "3/4 A entry by entry",     mat_scale_entries(s, 3, -2, A), mat_scale(s, 3, -2, A) },
    };
    const law no_laws[] = {
        { "3/4 A = A",                mat_scale(s, 3, -2, A), A },
    };
    must_hold_and_fail(f, s, laws, COUNT(laws), no_laws, COUNT(no_laws));
}

static void transposes_and_inverses(finding *f, scope *s)
{
    const mat *A = mat_draw(s, "A", 4, 4, -1), *B = mat_draw(s, "B", 4, 4, -1), *I = mat_identity(s, 4);
    const mat *P = mat_draw(s, "P", 5, 4, 0), *Ai = mat_inv(s, A), *Bi = mat_inv(s, B);
    const mat *U = mat_draw_orthogonal(s, "U", 4);
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
    must_hold_and_fail(f, s, laws, COUNT(laws), no_laws, COUNT(no_laws));
}

static void entrywise(finding *f, scope *s)
{
    const mat *A = mat_draw(s, "A", 4, 4, -1), *B = mat_draw(s, "B", 4, 4, -1), *O = mat_zero(s, 4, 4);
    const mat *P = mat_draw(s, "P", 5, 4, 0), *g = mat_draw(s, "g", 4, 1, 0);
    const law laws[] = {
        { "hadamard commutes",        mat_hadamard(s, A, B), mat_hadamard(s, B, A) },
        { "A o 1 = A",                mat_hadamard(s, A, mat_ones(s, 4, 4)), A },
        { "diag(g)(AB) = (diag(g)A)B", mat_scale_rows(s, g, mat_mul(s, A, B)), mat_mul(s, mat_scale_rows(s, g, A), B) },
        { "|P|^2 = tr P'P",           mat_square_sum(s, P), mat_mul(s, mat_ones(s, 1, 5), mat_row_squares(s, P)) },
    };
    const law no_laws[] = {
        { "AB = A o B",               mat_mul(s, A, B), mat_hadamard(s, A, B) },
        { "diag(g)A = A",             mat_scale_rows(s, g, A), A },
        { "diag(g)A = 0",             mat_scale_rows(s, g, A), O },
        { "A = A nudged",             A, mat_nudge(s, mat_add(s, A, mat_identity(s, 4)), 0, 0) },
    };
    must_hold_and_fail(f, s, laws, COUNT(laws), no_laws, COUNT(no_laws));
}

static void blocks(finding *f, scope *s)
{
    const mat *A = mat_draw(s, "A", 4, 4, -1), *B = mat_draw(s, "B", 4, 4, -1);
    const mat *D = mat_draw(s, "D", 3, 3, 0), *P = mat_draw(s, "P", 5, 4, 0), *Ai = mat_inv(s, A);
    const law laws[] = {
        { "columns put together",     mat_hcat(s, 2, (const mat *[]){ mat_cols(s, P, 0, 1), mat_cols(s, P, 1, 3) }), P },
        { "rows put together",        mat_vcat(s, 2, (const mat *[]){ mat_rows(s, P, 0, 2), mat_rows(s, P, 2, 3) }), P },
        { "columns of a product",     mat_cols(s, mat_mul(s, P, A), 1, 2), mat_mul(s, P, mat_cols(s, A, 1, 2)) },
        { "rows of a product",        mat_rows(s, mat_mul(s, P, A), 1, 2), mat_mul(s, mat_rows(s, P, 1, 2), A) },
        { "(P|P)(A above B) = PA + PB", mat_mul(s, mat_hcat(s, 2, (const mat *[]){ P, P }), mat_vcat(s, 2, (const mat *[]){ A, B })),
                                      mat_add(s, mat_mul(s, P, A), mat_mul(s, P, B)) },
        { "diag(A, D) inv = diag(inv)", mat_mul(s, mat_blockdiag(s, 2, (const mat *[]){ A, D }),
                                      mat_blockdiag(s, 2, (const mat *[]){ Ai, mat_inv(s, D) })), mat_identity(s, 7) },
    };
    const law no_laws[] = {
        { "first = last columns",     mat_cols(s, P, 0, 2), mat_cols(s, P, 2, 2) },
        { "first = last rows",        mat_rows(s, P, 0, 2), mat_rows(s, P, 3, 2) },
        { "(A|B) = (B|A)",            mat_hcat(s, 2, (const mat *[]){ A, B }), mat_hcat(s, 2, (const mat *[]){ B, A }) },
    };
    must_hold_and_fail(f, s, laws, COUNT(laws), no_laws, COUNT(no_laws));
}

/* Weights are drawn at their scale, and by their names. */
static void drawn_weights(finding *f, scope *s)
{
    const law laws[] = {
        { "a weight and its scale",   mat_draw_weight(s, "D", 9, 3), mat_draw(s, "D", 9, 3, -2) },
        { "name.1 and its name",      mat_draw_at(s, "D", 1, -1, 3, 3, 0), mat_draw(s, "D.1", 3, 3, 0) },
        { "name.1.2 and its name",    mat_draw_at(s, "D", 1, 2, 3, 3, 0), mat_draw(s, "D.1.2", 3, 3, 0) },
    };
    must_hold(f, laws, COUNT(laws));
    must_be_decided(f, s);
}

/* Entries and units: what numbers have, and symbols of unknown size have not. */
static void entries(finding *f, scope *s)
{
    if (s->R->traits & SYMBOLIC) return;
    const mat *A = mat_draw(s, "A", 4, 4, -1), *P = mat_draw(s, "P", 5, 4, 0);
    const mat *nudged = mat_nudge(s, A, 0, 0), *change = mat_rows(s, mat_sub(s, nudged, A), 0, 1);
    const mat *up = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, 40), *first = mat_entry(s, A, 0, 0);
    mat *copied = mat_blank(s, 5, 4);
    mat_put(copied, 0, 0, P, 0, 0, 2, 4);
    mat_put(copied, 2, 0, P, 2, 0, 3, 1);
    mat_put(copied, 2, 1, P, 2, 1, 3, 3);
    const law laws[] = {
        { "nudged by 2^-40",         mat_mul(s, up, mat_cols(s, change, 0, 1)), first },
        { "nudged: no other rows",   mat_rows(s, nudged, 1, 3), mat_rows(s, A, 1, 3) },
        { "e_1' A e_2 = A_12",       mat_mul3(s, mat_unit(s, 1, 4, 0, 1), A, mat_unit(s, 4, 1, 2, 0)),
                                     mat_entry(s, A, 1, 2) },
        { "E_12 A: row 2 in row 1",  mat_rows(s, mat_mul(s, mat_unit(s, 4, 4, 1, 2), A), 1, 1),
                                     mat_rows(s, A, 2, 1) },
        { "the entries as one row",  mat_as_row(s, mat_dyadic(s, 2, 2, (int64_t[]){ 1, 2, 3, 4 }, 0)),
                                     mat_dyadic(s, 1, 4, (int64_t[]){ 1, 2, 3, 4 }, 0) },
        { "blocks put together",     mat_mul(s, copied, mat_identity(s, 4)), P },
    };
    const law no_laws[] = {
        { "A_12 = A_21",             mat_entry(s, A, 1, 2), mat_entry(s, A, 2, 1) },
        { "E_12 = E_21",             mat_unit(s, 4, 4, 1, 2), mat_unit(s, 4, 4, 2, 1) },
    };
    must_hold_and_fail(f, s, laws, COUNT(laws), no_laws, COUNT(no_laws));
}

/* Diagonal matrices, ratios and squares of rows: of numbers alone as well. */
static void diagonals_and_ratios(finding *f, scope *s)
{
    if (s->R->traits & SYMBOLIC) return;
    const mat *one = mat_ones(s, 4, 1), *A = mat_draw(s, "A", 4, 4, -1), *g = mat_draw(s, "g", 4, 1, 0);
    const mat *two_thirds = mat_ratio(s, 2, 3), *positive = mat_add(s, mat_hadamard(s, g, g), one);
    const law laws[] = {
        { "diag(1)A = A",            mat_scale_rows(s, one, A), A },
        { "diag(g) A",               mat_mul(s, mat_diag(s, g), A), mat_scale_rows(s, g, A) },
        { "diag(3/2, 4/2) 1",        mat_mul(s, mat_diag_dyadic(s, 2, (int64_t[]){ 3, 4 }, -1), mat_ones(s, 2, 1)),
                                     mat_dyadic(s, 2, 1, (int64_t[]){ 3, 4 }, -1) },
        { "3 (2/3) A = A + A",       mat_scale(s, 3, 0, mat_scale_by(s, two_thirds, A)), mat_add(s, A, A) },
        { "(I - 11'/4) 1 = 0",       mat_add(s, one, mat_mul(s, mat_centering(s, 4), one)), one },
        { "x (1/x) = 1",             mat_hadamard(s, positive, mat_reciprocal(s, positive)), one },
        { "|row i|^2",               mat_row_squares(s, mat_dyadic(s, 2, 2, (int64_t[]){ 3, 4, 1, -2 }, -1)),
                                     mat_dyadic(s, 2, 1, (int64_t[]){ 25, 5 }, -2) },
    };
    const law no_laws[] = {
        { "1/x = x",                 mat_reciprocal(s, positive), positive },
    };
    must_hold_and_fail(f, s, laws, COUNT(laws), no_laws, COUNT(no_laws));
}

/* What a matrix says of its entries. */
static void read_entries(finding *f, scope *s)
{
    if (s->R->traits & SYMBOLIC) return;
    const mat *known = mat_dyadic(s, 1, 2, (int64_t[]){ 3, -5 }, 2);
    if (!(mat_get_d(known, 0, 0) == 12)) found(f, "is wrong", "mat_get_d");
    mpq_t x;
    mpq_init(x);
    if (mat_get_exact(x, known, 0, 0) && mpq_cmp_si(x, 12, 1)) found(f, "is wrong", "mat_get_exact");
    mpq_clear(x);
}

/* What is known of the functions, free or not. */
static void functions(finding *f, scope *s)
{
    const arith *R = s->R;
    const bool rational_only = R->traits & EXACT && R->traits & ORDERED;
    const activation act = rational_only ? ACT_RELU : ACT_GELU;
    const rowmap_kind attention = rational_only ? ROWMAP_LINEAR : ROWMAP_SOFTMAX;
    const unsigned char causal[] = { 1, 0, 0, 1, 1, 0, 1, 1, 1 };
    const rowmap free_map = { attention, NULL, 1, 4 }, masked = { attention, causal, 1, 4 };
    const place here = { 0, PLACE_MLP, 0 }, there = { 1, PLACE_MLP, 0 };
    const mat *X = mat_draw(s, "X", 3, 4, 0), *S = mat_draw(s, "S", 3, 3, 0), *Y = mat_mul(s, X, mat_identity(s, 4));
    const mat *W = mat_mul(s, S, mat_identity(s, 3));
    const mat *hidden = mat_hadamard(s, mat_draw(s, "H", 3, 3, 0), mat_from_si(s, 3, 3, (long[]){ 0, 1, 1, 0, 0, 1, 0, 0, 0 }));
    const mat *minus = mat_sub(s, mat_zero(s, 3, 4), X);
    const mat *half = mat_phi(s, X, ACT_HALF_ODD, here), *other = mat_phi(s, minus, ACT_HALF_ODD, here);
    const law laws[] = {
        { "phi(X) = phi(X)",          mat_phi(s, X, act, here), mat_phi(s, Y, act, here) },
        { "identity activation",      mat_phi(s, X, ACT_IDENTITY, here), X },
        { "phi(X) - phi(-X) = X",     mat_sub(s, half, other), X },
        { "rowmap(S) = rowmap(S)",    mat_rowmap(s, S, &masked, here), mat_rowmap(s, W, &masked, here) },
        { "rotate(X) = rotate(X)",    mat_rotate(s, X), mat_rotate(s, Y) },
    };
    must_hold(f, laws, COUNT(laws));
    const law no_laws[] = {
        { "phi(X) = X",               mat_phi(s, X, act, here), X },
        { "phi(X) = phi(-X)",         mat_phi(s, X, act, here), mat_phi(s, minus, act, here) },
        { "rowmap(S) = S",            mat_rowmap(s, S, &free_map, here), S },
        { "the mask does nothing",    mat_rowmap(s, S, &masked, here), mat_rowmap(s, S, &free_map, here) },
        { "rotate(X) = X",            mat_rotate(s, X), X },
        { "rotate(X) = 0",            mat_rotate(s, X), mat_zero(s, 3, 4) },
    };
    must_fail(f, no_laws, COUNT(no_laws));
    if (!(R->traits & SYMBOLIC)) {
        const law local[] = { { "hidden scores do not matter", mat_rowmap(s, S, &masked, here),
                                mat_rowmap(s, mat_add(s, S, hidden), &masked, here) },
                              { "row 0 is not rotated", mat_rows(s, mat_rotate(s, X), 0, 1), mat_rows(s, X, 0, 1) } };
        must_hold(f, local, COUNT(local));
    }
    if (R->traits & OPAQUE) {
        const law places[] = {
            { "one function at two places", mat_phi(s, X, act, here), mat_phi(s, X, act, there) },
            { "one norm at two places",     mat_norm(s, X, NORM_RMS, -17, here), mat_norm(s, X, NORM_RMS, -17, there) },
            { "one row map at two places",  mat_rowmap(s, S, &masked, here), mat_rowmap(s, S, &masked, there) } };
        must_fail(f, places, COUNT(places));
    }
    must_be_decided(f, s);
}

/* Norms with an epsilon of 2^-3000: mean square 1, and mean 0 for LayerNorm. */
static void norms(finding *f, scope *s)
{
    const arith *R = s->R;
    const place here = { 0, PLACE_MLP, 0 };
    const mat *X = mat_draw(s, "X", 3, 4, 0), *ones = mat_ones(s, 4, 1), *one = mat_ones(s, 3, 1);
    const mat *four = mat_add(s, mat_add(s, one, one), mat_add(s, one, one));
    const mat *rms = mat_norm(s, X, NORM_RMS, -3000, here), *layer = mat_norm(s, X, NORM_LAYER, -3000, here);
    if (R->traits & EXACT && R->traits & ORDERED) {
        if (s->status != UNDECIDED) found(f, "is decided", "a rational norm");
        return;
    }
    const law no_laws[] = {
        { "RMSNorm(X) = X",           rms, X },
        { "RMSNorm(X) = 0",           rms, mat_zero(s, 3, 4) },
        { "RMSNorm = LayerNorm",      rms, layer },
    };
    must_fail(f, no_laws, COUNT(no_laws));
    if (R->traits & HAS_EXP) {
        const law laws[] = {
            { "|RMSNorm(x)|^2 = d",   mat_mul(s, mat_hadamard(s, rms, rms), ones), four },
            { "|LayerNorm(x)|^2 = d", mat_mul(s, mat_hadamard(s, layer, layer), ones), four },
            { "mean LayerNorm = 0",   mat_add(s, one, mat_mul(s, layer, ones)), one },
        };
        must_hold(f, laws, COUNT(laws));
    }
    must_be_decided(f, s);
}

/* 1/sqrt and artanh where there are roots, and their domains. */
static void roots(finding *f, scope *s)
{
    const place here = { 0, PLACE_MLP, 0 };
    const mat *X = mat_draw(s, "X", 3, 4, -3), *one = mat_ones(s, 3, 4);
    const mat *Y = mat_add(s, mat_hadamard(s, X, X), one), *r = mat_rsqrt(s, Y), *a = mat_artanh(s, X);
    if (!s->R->functions.partial) {
        if (s->status != UNDECIDED) found(f, "is decided", "a root without roots");
        return;
    }
    const law laws[] = {
        { "rsqrt(Y)^2 Y = 1",         mat_hadamard(s, mat_hadamard(s, r, r), Y), one },
        { "tanh(artanh(X)) = X",      mat_phi(s, a, ACT_TANH, here), X },
        { "artanh(tanh(X)) = X",      mat_artanh(s, mat_phi(s, X, ACT_TANH, here)), X },
    };
    const law no_laws[] = { { "rsqrt(Y) = Y", r, Y }, { "artanh(X) = X", a, X } };
    must_hold_and_fail(f, s, laws, COUNT(laws), no_laws, COUNT(no_laws));
    if (mat_positive(r) != HOLDS) found(f, "is not positive", "rsqrt(Y)");
}

/* rsqrt of 0 and -Y, artanh of 1 and -Y, Y > 1: outside the domains, and UNDECIDED. */
static void domains(finding *f, scope *s)
{
    if (!s->R->functions.partial) return;
    for (int k = 0; k < 4; k++) {
        scope outside = scope_open(s->R, s->key[0], 0);
        const mat *X = mat_draw(&outside, "X", 3, 4, -3), *one = mat_ones(&outside, 3, 4);
        const mat *zero = mat_zero(&outside, 3, 4);
        const mat *minus_Y = mat_sub(&outside, zero, mat_add(&outside, mat_hadamard(&outside, X, X), one));
        (void)(k < 2 ? mat_rsqrt(&outside, k ? minus_Y : zero) : mat_artanh(&outside, k == 3 ? minus_Y : one));
        if (outside.status != UNDECIDED) found(f, "is decided", "a value outside the domain");
        scope_close(&outside);
    }
}

static void signs(finding *f, scope *s)
{
    const mat *X = mat_draw(s, "X", 3, 4, 0), *Y = mat_add(s, mat_hadamard(s, X, X), mat_ones(s, 3, 4));
    const mat *zero = mat_zero(s, 3, 4), *minus = mat_sub(s, zero, Y);
    const mat *both = mat_hcat(s, 2, (const mat *[]){ Y, minus });
    const struct { const char *what; const mat *A; truth is; } facts[] = {
        { "Y > 0", Y, HOLDS }, { "-Y > 0", minus, REFUTED }, { "0 > 0", zero, REFUTED }, { "(Y|-Y) > 0", both, REFUTED },
    };
    for (size_t k = 0; k < COUNT(facts); k++)
        if (mat_positive(facts[k].A) != (s->R->ring.positive ? facts[k].is : UNDECIDED)) found(f, "is wrong", facts[k].what);
}

/* Modes of the row map: each axiom holds in its mode and fails in the freer one. */
static void row_map_modes(finding *f, scope *s)
{
    const arith *R = s->R;
    const place here = { 0, PLACE_ATTENTION, 0 };
    const unsigned char causal[] = { 1, 0, 0, 1, 1, 0, 1, 1, 1 };
    const mat *S = mat_draw(s, "S", 3, 3, 0), *c = mat_draw(s, "c", 3, 1, 0), *ones = mat_ones(s, 3, 1);
    const mat *shifted = mat_add(s, S, mat_mul(s, c, mat_ones(s, 1, 3)));
    const rowmap shift = { ROWMAP_SHIFT, causal, 1, 4 }, stochastic = { ROWMAP_STOCHASTIC, causal, 1, 4 };
    const rowmap opaque = { ROWMAP_OPAQUE, causal, 1, 4 };
    const law laws[] = {
        { "shift invariance",         mat_rowmap(s, S, &shift, here), mat_rowmap(s, shifted, &shift, here) },
        { "stochastic is shift, too", mat_rowmap(s, S, &stochastic, here), mat_rowmap(s, shifted, &stochastic, here) },
        { "weights sum to 1",         mat_mul(s, mat_rowmap(s, S, &stochastic, here), ones), ones },
    };
    if (R->traits & EXACT && R->traits & ORDERED) {
        if (s->status != UNDECIDED) found(f, "is decided", "a rational softmax");
    } else {
        must_hold(f, laws, COUNT(laws));
        if (R->traits & OPAQUE) {
            const law no_laws[] = {
                { "a free row map is shift-invariant", mat_rowmap(s, S, &opaque, here), mat_rowmap(s, shifted, &opaque, here) },
                { "shift-invariant weights sum to 1",  mat_mul(s, mat_rowmap(s, S, &shift, here), ones), ones } };
            must_fail(f, no_laws, COUNT(no_laws));
        }
    }
}

long laws_broken(const number_system *u, const arith *R, uint64_t seed, char *first, size_t size)
{
    finding f = { u, 0, first, size };
    static void (*const groups[])(finding *, scope *) = {
        sums_and_products, scales, transposes_and_inverses, entrywise, blocks,
        drawn_weights, entries, diagonals_and_ratios, read_entries, functions,
        norms, row_map_modes, roots, domains, signs,
    };
    for (size_t k = 0; k < COUNT(groups); k++) {
        scope s = scope_open(R, seed, 0);
        groups[k](&f, &s);
        scope_close(&s);
    }
    return f.broken;
}
