/* SPDX-License-Identifier: GPL-3.0-or-later
 * stream_found.c - see stream_found.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/stream_fit.h"
#include "src/checkpoint/stream_found.h"

const char *stream_found_refuses(const transformer *A, const transformer *B, const structure *s)
{
    if (s->settings) return s->setting[0];
    if (A->V != B->V || A->m != B->m || (A->positions == POSITIONS_LEARNED && A->T != B->T)) return "the sizes differ";
    if (A->norm == NORM_OF_LAYER) return "a LayerNorm stands between the stream and its readers";
    if (A->norm_bias || B->norm_bias) return "its norms have biases";
    if (!A->attn_skip) return "there is no skip around attention";
    return NULL;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static const mat *plain(scope *s, const transformer *D, tensor_role role, long layer, long first, long count)
{
    long rows, cols;
    double *x = doubles_in_halves(D, role, layer, first, count, &rows, &cols);
    if (!x) return role >= ROLE_Q && role <= ROLE_V ? mat_identity(s, D->d) : NULL;
    const mat *W = mat_of_doubles(s, rows, cols, x);
    free(x);
    return W;
}

static const mat *plain_part(const void *of, scope *s, tensor_role role, long layer, long first, long count)
{
    return plain(s, of, role, layer, first, count);
}

halves_source halves_of_file(const transformer *D) { return (halves_source){ plain_part, D }; }

tensor_role stream_gain_of(tensor_role role)
{
    switch (role) {
    case ROLE_Q: case ROLE_K: case ROLE_V:   return ROLE_GAIN1;
    case ROLE_UP: case ROLE_GATE: case ROLE_ROUTER: case ROLE_SHARED_GATE: return ROLE_GAIN2;
    case ROLE_HEAD:                          return ROLE_FINAL_GAIN;
    default:                                 return ROLE_UNKNOWN;
    }
}

static const mat *gained_from(const stream_found *f, const halves_source *D, scope *s, tensor_role role, long layer,
                              long first, long count)
{
    const mat *W = D->part(D->of, s, role, layer, first, count);
    const long at = role == ROLE_HEAD ? -1 : place_layer(f->A, layer);
    const mat *g = W && f->fold ? D->part(D->of, s, stream_gain_of(role), at, 0, 0) : NULL;
    return g ? mat_scale_rows(s, mat_t(s, g), W) : W;
}

static const mat *gained(const stream_found *f, scope *s, const transformer *D, tensor_role role, long layer,
                         long first, long count)
{
    const halves_source file = halves_of_file(D);
    return gained_from(f, &file, s, role, layer, first, count);
}

tensor_role stream_matrix_of(tensor_role bias)
{
    switch (bias) {
    case ROLE_Q_BIAS: return ROLE_Q;
    case ROLE_K_BIAS: return ROLE_K;
    case ROLE_V_BIAS: return ROLE_V;
    case ROLE_UP_BIAS: return ROLE_UP;
    case ROLE_GATE_BIAS: return ROLE_GATE;
    case ROLE_HEAD_BIAS: return ROLE_HEAD;
    default: return ROLE_UNKNOWN;
    }
}

static const mat *plus(scope *s, const mat *a, const mat *b) { return !a ? b : !b ? a : mat_add_row(s, a, b); }

/* What Theta was made from, in the place of balls around it: units in W, b - c e_k in the bias. */
static const mat *settled(const stream_found *f, scope *s, tensor_role role, long layer, const mat *X)
{
    const bool bias = role >= ROLE_Q_BIAS && role <= ROLE_V_BIAS;
    if (!X || !(bias || (role >= ROLE_Q && role <= ROLE_V))) return X;
    const long *unit = f->unit[3 * layer + (long)role - (bias ? ROLE_Q_BIAS : ROLE_Q)];
    if (!unit) return X;
    const mat *b = bias ? plain(s, f->A, role, layer, 0, 0) : NULL, *c = f->in[layer].shift;
    const mat *one = mat_identity(s, 1);
    mat *to = mat_blank(s, X->rows, X->cols);
    for (long k = 0; k < X->cols; k++) {
        if (unit[k] < 0) mat_put(to, 0, k, X, 0, k, X->rows, 1);
        else if (!bias) mat_put(to, unit[k], k, one, 0, 0, 1, 1);
        else {
            const mat *own = b ? mat_cols(s, b, k, 1) : mat_zero(s, 1, 1);
            mat_put(to, 0, k, c ? mat_sub(s, own, mat_cols(s, c, unit[k], 1)) : own, 0, 0, 1, 1);
        }
    }
    return to;
}

/* That in which the part reads or writes. */
static const stream_basis *basis_at(const stream_found *f, tensor_role role, long layer)
{
    const bool head = role == ROLE_HEAD || role == ROLE_HEAD_BIAS, enters = role == ROLE_EMBED || role == ROLE_POSITION;
    const bool leaves = !f->A->mlp_skip && (role == ROLE_DOWN || role == ROLE_DOWN_BIAS);
    layer = place_layer(f->A, layer);
    return &f->in[enters ? 0 : head ? f->A->L : leaves ? layer + 1 : layer < 0 ? 0 : layer];
}

/* shifts: with those that embedding, positions and b_down take. */
static const mat *image_of(const stream_found *f, const halves_source *from, bool shifts, scope *s, tensor_role role,
                           long layer, long first, long count)
{
    const transformer *D = f->A;
    const bool leaves = !D->mlp_skip && (role == ROLE_DOWN || role == ROLE_DOWN_BIAS);
    const bool enters = role == ROLE_EMBED || role == ROLE_POSITION;
    const stream_basis *b = basis_at(f, role, layer);
    if (stream_gain_of(role)) {
        const mat *W = gained_from(f, from, s, role, layer, first, count);
        return b->back && W ? mat_mul(s, b->back, W) : W;
    }
    const mat *W = from->part(from->of, s, role, layer, first, count);
    const tensor_role matrix = stream_matrix_of(role);
    if (matrix) {
        const mat *read = b->shift ? gained_from(f, from, s, matrix, layer, first, count) : NULL;
        if (!read) return W;
        const mat *less = mat_neg(s, mat_mul(s, b->read_shift, read));
        return W ? mat_add(s, W, less) : less;
    }
    const bool writes = enters || role == ROLE_O || role == ROLE_DOWN || role == ROLE_O_BIAS || role == ROLE_DOWN_BIAS;
    if (!writes) return W;
    if (W && b->back) W = mat_mul(s, W, b->write);
    const mat *shift = !shifts ? NULL : role == ROLE_EMBED ? f->embed_shift : role == ROLE_POSITION ? f->position_shift
                     : role == ROLE_DOWN_BIAS && leaves ? b->shift : NULL;
    return role == ROLE_DOWN_BIAS ? plus(s, W, shift) : W ? mat_add_row(s, W, shift) : NULL;
}

const mat *stream_step_of(const stream_found *f, const halves_source *from, scope *s, tensor_role role, long layer,
                          long first, long count)
{
    return image_of(f, from, false, s, role, layer, first, count);
}

const mat *stream_image(const stream_found *f, scope *s, tensor_role role, long layer, long first, long count)
{
    const halves_source file = halves_of_file(f->A);
    return settled(f, s, role, layer, image_of(f, &file, true, s, role, layer, first, count));
}

const mat *stream_target(const stream_found *f, scope *s, tensor_role role, long layer, long first, long count)
{
    return stream_gain_of(role) ? gained(f, s, f->B, role, layer, first, count)
                                : plain(s, f->B, role, layer, first, count);
}

/* ---- what roundings are measured by ------------------------------------------------------------------------------ */

/* Gains of B that are neither A's in the order of the stream nor powers of 2: they were rounded, beside their
 * readers. */
static bool gains_are_factors(const stream_found *f, tensor_role gain, long layer, const long *order)
{
    long rows, cols;
    double *a = doubles_of_part(f->A, gain, layer, 0, 0, &rows, &cols);
    double *b = doubles_of_part(f->B, gain, layer, 0, 0, &rows, &cols);
    bool are = false;
    for (long j = 0; b && j < f->A->d; j++) {
        int e;
        are = are || (fabs(frexp(b[j], &e)) != 0.5 && !(a && a[order ? order[j] : j] == b[j]));
    }
    free(a);
    free(b);
    return are;
}

int stream_factors(const stream_found *f, tensor_role role, long layer)
{
    const stream_basis *b = basis_at(f, role, layer);
    const tensor_role gain = stream_gain_of(role);
    const long at = role == ROLE_HEAD ? -1 : place_layer(f->A, layer), *order = f->order[b - f->in];
    return (b->back && f->scaled) + (gain && f->fold && gains_are_factors(f, gain, at, order));
}

/* |W|; X W: the norm of each row of X times that of each column of W. */
static double *sizes_of(const mat *W)
{
    double *x = must_calloc((size_t)(W->rows * W->cols), sizeof *x);
    for (long i = 0; i < W->rows; i++) for (long j = 0; j < W->cols; j++) x[i * W->cols + j] = fabs(mat_get_d(W, i, j));
    return x;
}

static double *sizes_of_product(const mat *X, const mat *W)
{
    double *to = must_calloc((size_t)(X->rows * W->cols), sizeof *to);
    double *row = must_calloc((size_t)X->rows, sizeof *row), *column = must_calloc((size_t)W->cols, sizeof *column);
    for (long i = 0; i < X->rows; i++) for (long k = 0; k < X->cols; k++) {
        const double x = mat_get_d(X, i, k);
        row[i] += x * x;
    }
    for (long k = 0; k < W->rows; k++) for (long j = 0; j < W->cols; j++) {
        const double x = mat_get_d(W, k, j);
        column[j] += x * x;
    }
    for (long i = 0; i < X->rows; i++)
        for (long j = 0; j < W->cols; j++) to[i * W->cols + j] = sqrt(row[i]) * sqrt(column[j]);
    free(row);
    free(column);
    return to;
}

/* Adds |row|. */
static void add_row(double *to, long rows, const mat *row)
{
    for (long c = 0; c < row->cols; c++) {
        const double x = fabs(mat_get_d(row, 0, c));
        for (long r = 0; r < rows; r++) to[r * row->cols + c] += x;
    }
}

double *stream_sizes(const stream_found *f, tensor_role role, long layer, long first, long count)
{
    const stream_basis *b = basis_at(f, role, layer);
    scope s = scope_open(f->s.R, 0, 0);
    double *to = NULL;
    const tensor_role matrix = stream_matrix_of(role);
    const bool enters = role == ROLE_EMBED || role == ROLE_POSITION, another = b->back && !f->copies;
    const bool writes = enters || role == ROLE_O || role == ROLE_DOWN || role == ROLE_O_BIAS || role == ROLE_DOWN_BIAS;
    if (stream_gain_of(role) && another) {
        const mat *W = gained(f, &s, f->A, role, layer, first, count);
        if (W) to = sizes_of_product(b->back, W);
    } else if (matrix && b->shift) {                     /* |b| + |c Theta^-1| |G W| */
        const mat *W = gained(f, &s, f->A, matrix, layer, first, count);
        const mat *own = plain(&s, f->A, role, layer, first, count);
        if (W) to = sizes_of_product(b->read_shift, W);
        if (W && own) add_row(to, 1, own);
    } else if (writes && (another || b->shift)) {
        const mat *W = plain(&s, f->A, role, layer, first, count);
        if (W) to = another ? sizes_of_product(W, b->write) : sizes_of(W);
        else if (b->shift) to = must_calloc((size_t)f->A->d, sizeof *to);          /* a bias that only B has */
        if (to && b->shift) add_row(to, W ? W->rows : 1, b->shift);
    }
    scope_close(&s);
    return to;
}

bool stream_keeps(const stream_found *f, tensor_role role) { return !f->fold || !stream_gain_of(role); }

/* ---- columns that are unit vectors ------------------------------------------------------------------------------- */

/* Theta = the columns of A's readers of that layer that are unit vectors in B, each at its place; NULL: not all are.
 * shift: (1 x d) what A's biases there have more than B's, for the image's are b - c e_k. */
static const mat *of_units(stream_found *f, long layer, const mat **shift)
{
    scope *s = &f->s;
    const long d = f->A->d;
    mat *Theta = mat_blank(s, d, d), *c_ = mat_blank(s, 1, d);
    bool *there = must_calloc((size_t)d, sizeof *there);
    long n = 0;
    for (int p = 0; p < 3 && n < d; p++) {
        const tensor_role role = ROLE_Q + (tensor_role)p, bias = ROLE_Q_BIAS + (tensor_role)p;
        scope read = scope_open(s->R, 0, 0);             /* Theta alone is kept */
        const mat *X = gained(f, &read, f->A, role, layer, 0, 0), *Y = gained(f, &read, f->B, role, layer, 0, 0);
        const mat *x = plain(&read, f->A, bias, layer, 0, 0), *y = plain(&read, f->B, bias, layer, 0, 0);
        const mat *none = x && y ? NULL : mat_zero(&read, 1, Y->cols);
        const mat *off = !x && !y ? NULL : mat_sub(&read, x ? x : none, y ? y : none);
        long *unit = f->unit[3 * layer + p] = must_calloc((size_t)Y->cols, sizeof *unit);
        for (long c = 0; c < Y->cols; c++) {
            unit[c] = -1;
            long at = -1, others = 0;
            for (long r = 0; r < d && !others; r++) {
                const double z = mat_get_d(Y, r, c);
                if (z == 1 && at < 0) at = r;
                else others += z != 0;
            }
            if (at < 0 || others || there[at]) continue;
            there[at] = true;
            unit[c] = at;
            mat_put(Theta, 0, at, X, 0, c, d, 1);
            if (off) mat_put(c_, 0, at, off, 0, c, 1, 1);
            n++;
        }
        scope_close(&read);
    }
    free(there);
    if (n == d) {
        *shift = c_;
        return Theta;
    }
    for (int p = 0; p < 3; p++) {
        free(f->unit[3 * layer + p]);
        f->unit[3 * layer + p] = NULL;
    }
    return NULL;
}

/* ---- bases ------------------------------------------------------------------------------------------------------- */

static bool is_identity(const mat *Theta)
{
    for (long i = 0; i < Theta->rows; i++)
        for (long j = 0; j < Theta->cols; j++) if (mat_get_d(Theta, i, j) != (i == j)) return false;
    return true;
}

/* Each row and each column has one number: where that of column j is, in s; NULL: not so. */
static const long *order_of(scope *s, const mat *Theta)
{
    const long d = Theta->rows;
    long *order = scope_alloc(s, (size_t)d * sizeof *order);
    bool *taken = must_calloc((size_t)d, sizeof *taken), good = true;
    for (long j = 0; j < d && good; j++) {
        long n = 0;
        for (long i = 0; i < d; i++) if (mat_get_d(Theta, i, j) != 0) order[j] = i, n++;
        good = n == 1 && !taken[order[j]];
        if (good) taken[order[j]] = true;
    }
    free(taken);
    return good ? order : NULL;
}

/* 1 or -1: orthogonal as it is; powers of 2: exact. */
static bool numbers_are(const mat *Theta, const long *order, bool signs)
{
    bool are = true;
    for (long j = 0; j < Theta->rows; j++) {
        int e;
        const double x = fabs(mat_get_d(Theta, order[j], j));
        are = are && (signs ? x == 1 : frexp(x, &e) == 0.5);
    }
    return are;
}

static const mat *shift_of(stream_found *f, const double *shift, double within, double size)
{
    double most = 0;
    for (long k = 0; k < f->A->d; k++) most = fmax(most, fabs(shift[k]));
    return most > within * size ? mat_of_doubles(&f->s, 1, f->A->d, shift) : NULL;
}

static double condition_of(const mat *Theta, const mat *back)
{
    double of = 0, of_back = 0;
    for (long i = 0; i < Theta->rows; i++)
        for (long j = 0; j < Theta->cols; j++) {
            const double x = mat_get_d(Theta, i, j), y = mat_get_d(back, i, j);
            of += x * x;
            of_back += y * y;
        }
    const double condition = sqrt(of * of_back) / (double)Theta->rows;
    return isfinite(condition) ? condition : INFINITY;
}

/* Theta, or behind a norm Omega of Theta = Omega U. */
static stream_basis basis_from(stream_found *f, long i, const mat *Theta)
{
    scope *s = &f->s;
    stream_basis b = { .back = NULL };
    if (is_identity(Theta)) return b;
    const transformer *D = f->A;
    const long *order = order_of(s, Theta);
    const bool signs = order && numbers_are(Theta, order, true);
    if (D->norm != NORM_OF_NONE && !signs) Theta = orthogonal_factor(s, Theta);
    b.write = Theta;
    b.back = signs || D->norm != NORM_OF_NONE ? mat_t(s, Theta) : mat_inv(s, Theta);
    f->copies = f->copies && order && (signs || D->norm == NORM_OF_NONE);
    f->scaled = f->scaled || (order && !numbers_are(Theta, order, false));
    f->order[i] = order;
    f->condition = fmax(f->condition, condition_of(Theta, b.back));
    f->bases++;
    return b;
}

/* In front of layer i, where the MLPs have skips in front of all. */
static void put_basis(stream_found *f, long i, stream_basis b)
{
    f->in[i] = b;
    for (long k = i + 1; f->A->mlp_skip && k <= f->A->L; k++) f->in[k] = b, f->order[k] = f->order[i];
}

/* The basis in front of layer i, of all layers where the MLPs have skips. */
static void find_basis(stream_found *f, long i, basis_way way, double within)
{
    scope *s = &f->s;
    const transformer *D = f->A;
    const long d = D->d, last = D->mlp_skip ? D->L - 1 : i;
    equations e = { .d = d };
    if (i == 0) {
        equations_add(&e, D, f->B, ROLE_EMBED, -1, D->V, 1, 0);
        if (D->positions == POSITIONS_LEARNED) equations_add(&e, D, f->B, ROLE_POSITION, -1, D->T, 1, 1);
        long mlps = 0;
        for (long k = place_next_mlp(D, -1); k >= 0; k = place_next_mlp(D, k)) mlps++;
        for (long k = place_next_mlp(D, -1); D->mlp_skip && k >= 0; k = place_next_mlp(D, k))
            equations_add(&e, D, f->B, ROLE_DOWN, k, place_width(D, k), mlps, -1);
    } else equations_add(&e, D, f->B, ROLE_DOWN, i - 1, D->m, 1, -1);
    const bool same = equations_same(&e);
    double *shift = must_calloc((size_t)(2 * d), sizeof *shift);
    double *fitted = same ? NULL : equations_solution(&e, shift);
    const mat *Theta = NULL, *exact = NULL;
    const bool read = way == BASIS_OF_UNITS && D->norm == NORM_OF_NONE && !same;       /* Omega has other columns */
    for (long k = i; read && k <= last && k < D->L && !Theta; k++) Theta = of_units(f, k, &exact);
    f->units = f->units || Theta;
    if (!same && !Theta && fitted) {
        snap_to_order(fitted, d, fmax(1e-5, within / 4), D->norm != NORM_OF_NONE);
        Theta = mat_of_doubles(s, d, d, fitted);
    }
    stream_basis b = { .back = NULL };
    if (!same && !Theta) f->why = must_format("too few rows write to the stream in front of layer %ld", i);
    else if (Theta) b = basis_from(f, i, Theta);
    if (D->norm == NORM_OF_NONE && !f->why) {
        if (i == 0 && fitted) {
            f->embed_shift = shift_of(f, shift, within, e.most);
            f->position_shift = shift_of(f, shift + d, within, e.most);
            b.shift = plus(s, f->embed_shift, f->position_shift);
            if (exact && b.shift) {                      /* known exactly; fitted is only who adds which part */
                if (f->position_shift) f->position_shift = f->embed_shift ? mat_sub(s, exact, f->embed_shift) : exact;
                else f->embed_shift = exact;
            }
        } else if (i > 0) {                              /* what B's b_down has more than the image of A's */
            const mat *y = plain(s, f->B, ROLE_DOWN_BIAS, i - 1, 0, 0), *x = plain(s, D, ROLE_DOWN_BIAS, i - 1, 0, 0);
            if (x && b.back) x = mat_mul(s, x, b.write);
            if (y) b.shift = x ? mat_sub(s, y, x) : y;
        }
        if (exact && b.shift) b.shift = exact;
        if (b.shift) b.read_shift = b.back ? mat_mul(s, b.shift, b.back) : b.shift;
    }
    equations_free(&e);
    free(shift);
    free(fitted);
    put_basis(f, i, b);
}

static stream_found opened(const transformer *A, const transformer *B, const arith *R)
{
    stream_found f = { .A = A, .B = B, .s = scope_open(R, 0, 0) };
    f.in = must_calloc((size_t)A->L + 1, sizeof *f.in);
    f.order = must_calloc((size_t)A->L + 1, sizeof *f.order);
    f.unit = must_calloc((size_t)(3 * A->L), sizeof *f.unit);
    return f;
}

static stream_found opened_for_bases(const transformer *A, const transformer *B, const arith *R)
{
    stream_found f = opened(A, B, R);
    f.fold = A->norm != NORM_OF_NONE;
    f.copies = true;
    f.condition = 1;
    return f;
}

stream_found stream_between(const transformer *A, const transformer *B, basis_way way, const arith *R, double within)
{
    stream_found f = opened_for_bases(A, B, R);
    for (long i = 0; i <= (A->mlp_skip ? 0 : A->L) && !f.why; i++) find_basis(&f, i, way, within);
    if (!f.why && f.s.status != HOLDS) f.why = must_strdup(f.s.why);
    return f;
}

/* Which columns of W_Q, W_K, W_V of that layer are columns of Theta, number by number. */
static void find_units(stream_found *f, long layer, const double *Theta)
{
    const long d = f->A->d;
    for (int p = 0; p < 3; p++) {
        long rows, cols;
        double *W = doubles_in_halves(f->A, ROLE_Q + (tensor_role)p, layer, 0, 0, &rows, &cols);
        if (!W) continue;
        long *unit = f->unit[3 * layer + p] = must_calloc((size_t)cols, sizeof *unit);
        for (long c = 0; c < cols; c++) {
            unit[c] = -1;
            for (long k = 0; k < d && unit[c] < 0; k++) {
                long r = 0;
                while (r < d && W[r * cols + c] == Theta[r * d + k]) r++;
                if (r == d) unit[c] = k;
            }
        }
        free(W);
    }
}

stream_found stream_given(const transformer *A, const transformer *B, const gauge_file *g, const arith *R)
{
    stream_found f = opened_for_bases(A, B, R);
    const long d = A->d;
    for (long i = 0; i <= (A->mlp_skip ? 0 : A->L) && !f.why; i++) {
        stream_basis b = { .back = NULL };
        if (g->basis[i]) b = basis_from(&f, i, mat_of_doubles(&f.s, d, d, g->basis[i]));
        if (g->shift[i]) b.shift = mat_of_doubles(&f.s, 1, d, g->shift[i]);
        if (b.shift) b.read_shift = b.back ? mat_mul(&f.s, b.shift, b.back) : b.shift;
        if (i == 0) *(A->positions == POSITIONS_LEARNED ? &f.position_shift : &f.embed_shift) = b.shift;
        put_basis(&f, i, b);
        for (long k = i; b.back && A->norm == NORM_OF_NONE && k <= (A->mlp_skip ? A->L : i) && k < A->L; k++)
            find_units(&f, k, g->basis[i]);
        if (f.s.status != HOLDS) f.why = must_format("stream.%ld.basis is singular", i);
    }
    return f;
}

stream_found stream_none(const transformer *A, const transformer *B, const arith *R) { return opened(A, B, R); }

void stream_found_free(stream_found *f)
{
    scope_close(&f->s);
    for (long k = 0; k < 3 * f->A->L; k++) free(f->unit[k]);
    free(f->unit);
    free(f->order);
    free(f->in);
    free(f->why);
    *f = (stream_found){ .why = NULL };
}
