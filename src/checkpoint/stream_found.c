/* stream_found.c - see stream_found.h. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "src/checkpoint/stream_found.h"

enum { SAMPLE = 2, AT_ONCE = 1024 };     /* rows that a fit takes, times d, of embedding, positions, and all of W_down;
                                            that are read at a time */

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
    case ROLE_UP: case ROLE_GATE:            return ROLE_GAIN2;
    case ROLE_HEAD:                          return ROLE_FINAL_GAIN;
    default:                                 return ROLE_UNKNOWN;
    }
}

static const mat *gained_from(const stream_found *f, const halves_source *D, scope *s, tensor_role role, long layer,
                              long first, long count)
{
    const mat *W = D->part(D->of, s, role, layer, first, count);
    const mat *g = W && f->fold ? D->part(D->of, s, stream_gain_of(role), role == ROLE_HEAD ? -1 : layer, 0, 0) : NULL;
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

/* shifts: with those that embedding, positions and b_down take. */
static const mat *image_of(const stream_found *f, const halves_source *from, bool shifts, scope *s, tensor_role role,
                           long layer, long first, long count)
{
    const transformer *D = f->A;
    const bool head = role == ROLE_HEAD || role == ROLE_HEAD_BIAS;
    const bool leaves = !D->mlp_skip && (role == ROLE_DOWN || role == ROLE_DOWN_BIAS);
    const bool enters = role == ROLE_EMBED || role == ROLE_POSITION;
    const stream_basis *b = &f->in[enters ? 0 : head ? D->L : leaves ? layer + 1 : layer];
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

bool stream_keeps(const stream_found *f, tensor_role role) { return !f->fold || !stream_gain_of(role); }

/* ---- least squares ----------------------------------------------------------------------------------------------- */

/* X (rows x (d + 2)) and Y (rows x d): what writes to the stream; two columns say which rows are tokens, positions. */
typedef struct { long rows, room, d; double *x, *y, most; bool same; } equations;        /* most: the largest |y| */

static void add_equation(equations *e, const double *x, const double *y, double weight, int shifted)
{
    const long d = e->d, wide = d + 2;
    if (e->rows == e->room) {
        e->room = 2 * e->room + 64;
        e->x = must_realloc(e->x, (size_t)(e->room * wide), sizeof *e->x);
        e->y = must_realloc(e->y, (size_t)(e->room * d), sizeof *e->y);
    }
    double *row = e->x + e->rows * wide;
    for (long k = 0; k < d; k++) {
        row[k] = weight * x[k];
        e->y[e->rows * d + k] = weight * y[k];
        e->same = e->same && x[k] == y[k];
        e->most = fmax(e->most, fabs(y[k]));
    }
    row[d] = shifted == 0 ? weight : 0;
    row[d + 1] = shifted == 1 ? weight : 0;
    e->rows++;
}

/* Rows of a matrix of n of them, one of `matrices` of its kind, read a range at a time; shifted: -1, 0, 1. */
static void add_matrix(equations *e, const stream_found *f, tensor_role role, long layer, long n, long matrices,
                       int shifted)
{
    const bool ranges = role == ROLE_EMBED || role == ROLE_POSITION;
    const long most = SAMPLE * e->d / matrices + 1, step = n > most ? n / most : 1;
    const long each = ranges && n > AT_ONCE ? AT_ONCE : n;
    for (long first = 0; first < n; first += each) {
        const long count = n - first < each ? n - first : each;
        long rows, cols;
        double *x = doubles_of_part(f->A, role, layer, ranges ? first : 0, ranges ? count : 0, &rows, &cols);
        double *y = doubles_of_part(f->B, role, layer, ranges ? first : 0, ranges ? count : 0, &rows, &cols);
        double size = 0;
        for (long k = 0; x && y && k < count * e->d; k++) size = fmax(size, fabs(x[k]));
        for (long r = 0; x && y && size > 0 && r < count; r++)
            if ((first + r) % step == 0) add_equation(e, x + r * e->d, y + r * e->d, 1 / size, shifted);
        free(x);
        free(y);
    }
}

/* Theta (d x d, row by row) and the shifts of tokens and positions (2 x d); NULL: too few rows. */
static double *solution(const equations *e, double *shift)
{
    const long d = e->d;
    bool of[2] = { false, false };
    for (long r = 0; r < e->rows; r++)
        for (int k = 0; k < 2; k++) of[k] = of[k] || e->x[r * (d + 2) + d + k] != 0;
    const long n = d + of[0] + of[1];
    if (e->rows < n) return NULL;
    double *x = must_calloc((size_t)(e->rows * n), sizeof *x), *y = must_calloc((size_t)(e->rows * d), sizeof *y);
    for (long r = 0; r < e->rows; r++) {
        memcpy(x + r * n, e->x + r * (d + 2), (size_t)d * sizeof *x);
        for (int k = 0, at = 0; k < 2; k++) if (of[k]) x[r * n + d + at++] = e->x[r * (d + 2) + d + k];
    }
    memcpy(y, e->y, (size_t)(e->rows * d) * sizeof *y);
    const lapack_int bad = LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', (lapack_int)e->rows, (lapack_int)n, (lapack_int)d, x,
                                         (lapack_int)n, y, (lapack_int)d);
    double *Theta = must_calloc((size_t)(d * d), sizeof *Theta);
    memcpy(Theta, y, (size_t)(d * d) * sizeof *Theta);
    for (int k = 0, at = 0; k < 2; k++)
        if (of[k]) memcpy(shift + k * d, y + (d + at++) * d, (size_t)d * sizeof *shift);
    free(x);
    free(y);
    bool finite = bad == 0;
    for (long k = 0; k < d * d; k++) finite = finite && isfinite(Theta[k]);
    if (finite) return Theta;
    free(Theta);
    return NULL;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { FAR = 8, ROUNDS = 6 };            /* medians of the misses; times that rows are left out             */

/* Leaves out the rows that the solution misses by more than FAR times the median: a tensor that is broken somewhere
 * must not spoil the basis of all others.  Returns whether there were any. */
static bool leave_out(equations *e, const double *Theta, const double *shift)
{
    const long d = e->d, wide = d + 2;
    double *miss = must_calloc((size_t)e->rows, sizeof *miss), *sorted = must_calloc((size_t)e->rows, sizeof *sorted);
    double *all = must_calloc((size_t)(wide * d), sizeof *all);         /* Theta above the two shifts */
    memcpy(all, Theta, (size_t)(d * d) * sizeof *all);
    memcpy(all + d * d, shift, (size_t)(2 * d) * sizeof *all);
    double *off = must_calloc((size_t)(e->rows * d), sizeof *off);      /* X (Theta; shifts) - Y */
    memcpy(off, e->y, (size_t)(e->rows * d) * sizeof *off);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint)e->rows, (blasint)d, (blasint)wide, 1, e->x,
                (blasint)wide, all, (blasint)d, -1, off, (blasint)d);
    for (long r = 0; r < e->rows; r++) for (long c = 0; c < d; c++) miss[r] = fmax(miss[r], fabs(off[r * d + c]));
    memcpy(sorted, miss, (size_t)e->rows * sizeof *sorted);
    qsort(sorted, (size_t)e->rows, sizeof *sorted, by_size);
    const double most = FAR * sorted[e->rows / 2];
    long kept = 0;
    for (long r = 0; r < e->rows; r++) {
        if (!(miss[r] <= most)) continue;
        memmove(e->x + kept * wide, e->x + r * wide, (size_t)wide * sizeof *e->x);
        memmove(e->y + kept * d, e->y + r * d, (size_t)d * sizeof *e->y);
        kept++;
    }
    const bool some = kept < e->rows;
    e->rows = kept;
    free(miss);
    free(sorted);
    free(all);
    free(off);
    return some;
}

static double *robust_solution(equations *e, double *shift)
{
    double *Theta = solution(e, shift);
    for (int k = 0; k < ROUNDS && Theta && leave_out(e, Theta, shift); k++) {
        free(Theta);
        Theta = solution(e, shift);
    }
    return Theta;
}

void snap_to_powers(double *G, long k)
{
    double *to = must_calloc((size_t)(k * k), sizeof *to);
    bool *taken = must_calloc((size_t)k, sizeof *taken), good = true;
    for (long r = 0; r < k && good; r++) {
        long at = 0;
        for (long c = 1; c < k; c++) if (fabs(G[r * k + c]) > fabs(G[r * k + at])) at = c;
        const double g = G[r * k + at];
        int e;
        const double m = frexp(fabs(g), &e), nearest = copysign(ldexp(1, m > 0.75 ? e : e - 1), g);
        good = g != 0 && !taken[at] && fabs(g - nearest) <= 1e-5 * fabs(g);
        for (long c = 0; c < k; c++) good = good && (c == at || fabs(G[r * k + c]) <= 1e-5 * fabs(g));
        taken[at] = true;
        to[r * k + at] = nearest;
    }
    if (good) memcpy(G, to, (size_t)(k * k) * sizeof *G);
    free(to);
    free(taken);
}

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
        const tensor_role role = ROLE_Q + (tensor_role)p;
        const mat *X = gained(f, s, f->A, role, layer, 0, 0), *Y = gained(f, s, f->B, role, layer, 0, 0);
        const mat *x = plain(s, f->A, ROLE_Q_BIAS + (tensor_role)p, layer, 0, 0);
        const mat *y = plain(s, f->B, ROLE_Q_BIAS + (tensor_role)p, layer, 0, 0);
        const mat *off = !x && !y ? NULL : mat_sub(s, x ? x : mat_zero(s, 1, Y->cols), y ? y : mat_zero(s, 1, Y->cols));
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

/* Each row and each column has one entry that is not 0, 1 or -1: orthogonal as it is. */
static bool is_signed_order(const mat *Theta)
{
    const long d = Theta->rows;
    for (long i = 0; i < d; i++) {
        long row = 0, col = 0;
        for (long j = 0; j < d; j++) {
            const double x = mat_get_d(Theta, i, j);
            row += x != 0;
            col += mat_get_d(Theta, j, i) != 0;
            if (x != 0 && fabs(x) != 1) return false;
        }
        if (row != 1 || col != 1) return false;
    }
    return true;
}

static const mat *shift_of(stream_found *f, const double *shift, double within, double size)
{
    double most = 0;
    for (long k = 0; k < f->A->d; k++) most = fmax(most, fabs(shift[k]));
    return most > within * size ? mat_of_doubles(&f->s, 1, f->A->d, shift) : NULL;
}

/* The basis in front of layer i, of all layers where the MLPs have skips. */
static void find_basis(stream_found *f, long i, basis_way way, double within)
{
    scope *s = &f->s;
    const transformer *D = f->A;
    const long d = D->d, last = D->mlp_skip ? D->L - 1 : i;
    equations e = { .d = d, .same = true };
    if (i == 0) {
        add_matrix(&e, f, ROLE_EMBED, -1, D->V, 1, 0);
        if (D->positions == POSITIONS_LEARNED) add_matrix(&e, f, ROLE_POSITION, -1, D->T, 1, 1);
        for (long k = 0; D->mlp_skip && k < D->L; k++) add_matrix(&e, f, ROLE_DOWN, k, D->m, D->L, -1);
    } else add_matrix(&e, f, ROLE_DOWN, i - 1, D->m, 1, -1);
    double *shift = must_calloc((size_t)(2 * d), sizeof *shift), *fitted = e.same ? NULL : robust_solution(&e, shift);
    const mat *Theta = NULL, *exact = NULL;
    const bool read = way == BASIS_OF_UNITS && D->norm == NORM_OF_NONE && !e.same;       /* Omega has other columns */
    for (long k = i; read && k <= last && k < D->L && !Theta; k++) Theta = of_units(f, k, &exact);
    f->units = f->units || Theta;
    if (!e.same && !Theta && fitted) {
        snap_to_powers(fitted, d);
        Theta = mat_of_doubles(s, d, d, fitted);
    }
    stream_basis b = { .back = NULL };
    if (!e.same && !Theta) f->why = must_format("too few rows write to the stream in front of layer %ld", i);
    else if (Theta && !is_identity(Theta)) {
        if (D->norm != NORM_OF_NONE && !is_signed_order(Theta)) Theta = orthogonal_factor(s, Theta);
        b.write = Theta;
        b.back = D->norm != NORM_OF_NONE ? mat_t(s, Theta) : mat_inv(s, Theta);
        f->bases++;
    }
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
    free(e.x);
    free(e.y);
    free(shift);
    free(fitted);
    f->in[i] = b;
    for (long k = i + 1; D->mlp_skip && k <= D->L; k++) f->in[k] = b;
}

stream_found stream_between(const transformer *A, const transformer *B, basis_way way, const arith *R, double within)
{
    stream_found f = { .A = A, .B = B, .s = scope_open(R, 0, 0), .fold = A->norm != NORM_OF_NONE };
    f.in = must_calloc((size_t)A->L + 1, sizeof *f.in);
    f.unit = must_calloc((size_t)(3 * A->L), sizeof *f.unit);
    for (long i = 0; i <= (A->mlp_skip ? 0 : A->L) && !f.why; i++) find_basis(&f, i, way, within);
    if (!f.why && f.s.status != HOLDS) f.why = must_strdup(f.s.why);
    return f;
}

stream_found stream_none(const transformer *A, const transformer *B, const arith *R)
{
    stream_found f = { .A = A, .B = B, .s = scope_open(R, 0, 0) };
    f.in = must_calloc((size_t)A->L + 1, sizeof *f.in);
    f.unit = must_calloc((size_t)(3 * A->L), sizeof *f.unit);
    return f;
}

void stream_found_free(stream_found *f)
{
    scope_close(&f->s);
    for (long k = 0; k < 3 * f->A->L; k++) free(f->unit[k]);
    free(f->unit);
    free(f->in);
    free(f->why);
    *f = (stream_found){ .why = NULL };
}
