/* SPDX-License-Identifier: GPL-3.0-or-later
 * forward_weights.c - the weights of a file as exact matrices, in x out, whatever the layout they are stored in. */
#include <math.h>
#include <stdlib.h>
#include "numerics/arith_arb.h"
#include "numerics/f64_error.h"
#include "src/checkpoint/forward.h"

/* ---- doubles as matrices ---------------------------------------------------------------------------------------- */

enum { CHUNK = 61 };                     /* bits of a dyadic part: |m| < 2^61                           */

static bool is_plain_f64(const arith *R) { return R->kind == A_F64 && !(R->traits & BOUNDED); }

/* x is the sum of parts m 2^e, where e falls by CHUNK bits from part to part: for float32 two nearly always do. */
const mat *mat_of_doubles(scope *s, long rows, long cols, const double *x)
{
    if (s->R->kind == A_ARB) return arith_arb_of_doubles(s, rows, cols, x);
    if (is_plain_f64(s->R)) {
        mat *A = mat_blank(s, rows, cols);
        arith_f64_set(A, x);
        return A;
    }
    const long n = rows * cols;
    double most = 0;
    for (long k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
    if (most == 0) return mat_zero(s, rows, cols);
    int top;                             /* |x| < 2^top                                                 */
    frexp(most, &top);
    double *left = must_calloc((size_t)n, sizeof *left);
    int64_t *m = must_calloc((size_t)n, sizeof *m);
    for (long k = 0; k < n; k++) left[k] = x[k];
    const mat *sum = NULL;
    for (bool more = true; more; top -= CHUNK) {
        const int e = top - CHUNK;
        const bool factors = -900 < e && e < 900;        /* then 2^e and 2^-e are numbers               */
        const double up = factors ? ldexp(1, -e) : 0, down = factors ? ldexp(1, e) : 0;
        bool any = false;
        more = false;
        for (long k = 0; k < n; k++) {                   /* m towards zero: what remains has the sign of x */
            m[k] = (int64_t)(factors ? left[k] * up : ldexp(left[k], -e));
            left[k] -= factors ? (double)m[k] * down : ldexp((double)m[k], e);     /* exact: the tail of 53 bits */
            any |= m[k] != 0;
            more |= left[k] != 0;
        }
        if (!any) continue;
        const mat *part = mat_dyadic(s, rows, cols, m, e);
        sum = sum ? mat_add(s, sum, part) : part;
    }
    free(left);
    free(m);
    return sum;
}

/* ---- parts of a file -------------------------------------------------------------------------------------------- */

static void not_finite(const weight_tensor *t, double x)
{
    die("%s: tensor %s holds %s; the model is damaged: fetch it, or train it, again", t->path, t->name,
        isnan(x) ? "NaN" : "an infinity");
}

void finite_numbers(const weight_tensor *t, size_t from, size_t n, double *x)
{
    int finite = 1;
    weight_numbers(t, from, n, x);
    #pragma omp simd reduction(&: finite)
    for (size_t k = 0; k < n; k++) finite &= isfinite(x[k]) != 0;
    for (size_t k = 0; k < n && !finite; k++) if (!isfinite(x[k])) not_finite(t, x[k]);
}

enum { TURNED = 16, ACROSS = 256,        /* rows and columns at a time: of each row of x a line of the cache */
       FORK_NUMBERS = 1 << 16 };

/* Columns first ... first + count - 1 of a tensor of `rows` rows, row by row. */
static void columns(const weight_tensor *t, long rows, long first, long count, double *x)
{
    for (long r = 0; r < rows; r++)
        finite_numbers(t, (size_t)(r * t->shape[1] + first), (size_t)count, x + r * count);
}

/* Rows first ... first + out - 1 of a tensor out x in, as in x out, some rows on each core. */
static void turned(const weight_tensor *t, long first, long out, long in, double *x)
{
    int finite = 1;
    #pragma omp parallel for schedule(static) reduction(&: finite) if (out * in > FORK_NUMBERS)
    for (long c = 0; c < out; c += TURNED) {
        const long n = out - c < TURNED ? out - c : TURNED;
        double some[TURNED * ACROSS];
        for (long from = 0; from < in; from += ACROSS) {
            const long wide = in - from < ACROSS ? in - from : ACROSS;
            for (long k = 0; k < n; k++)
                weight_numbers(t, (size_t)((first + c + k) * in + from), (size_t)wide, some + k * ACROSS);
            for (long r = 0; r < wide; r++)
                for (long k = 0; k < n; k++) {
                    x[(from + r) * out + c + k] = some[k * ACROSS + r];
                    finite &= isfinite(some[k * ACROSS + r]) != 0;
                }
        }
    }
    for (long k = 0; k < in * out && !finite; k++) if (!isfinite(x[k])) not_finite(t, x[k]);
}

static void projected(const transformer *D, projection p, const weight_tensor *t, long layer, long cols, double *x)
{
    projection_columns(D, p, layer, 0, projection_heads(D, p), x);
    for (long k = 0; k < D->d * cols; k++) if (!isfinite(x[k])) not_finite(t, x[k]);
}

/* b_Q, b_K or b_V, which the tensor of all three holds as it holds their columns. */
static void projected_bias(const transformer *D, projection p, const weight_tensor *t, double *x)
{
    const long heads = projection_heads(D, p), dk = D->dk, h = D->h;
    const long before = D->fused == FUSED_NOT || p == PROJECT_Q ? 0 : p == PROJECT_K ? h * dk : (h + D->h_kv) * dk;
    if (D->fused != FUSED_HEADS) finite_numbers(t, (size_t)before, (size_t)(heads * dk), x);
    for (long a = 0; a < heads && D->fused == FUSED_HEADS; a++)
        finite_numbers(t, (size_t)(fused_head(D, p, a) * dk), (size_t)dk, x + a * dk);
}

const weight_tensor *tensor_of_part(const transformer *D, tensor_role role, long layer)
{
    if (role == ROLE_HEAD && D->tied) return tensor_of(D, ROLE_EMBED, -1);
    if (role >= ROLE_Q && role <= ROLE_V && D->identity[role - ROLE_Q]) return NULL;
    if (D->fused && role >= ROLE_Q && role <= ROLE_V) return tensor_of(D, ROLE_QKV, layer);
    if (D->fused && role >= ROLE_Q_BIAS && role <= ROLE_V_BIAS) return tensor_of(D, ROLE_QKV_BIAS, layer);
    return tensor_of(D, role, layer);
}

/* Is it stored as in x out? */
static bool as_stored(const transformer *D, tensor_role role) { return D->in_out && role != ROLE_GATE; }

/* W_O or a matrix of the MLP, rows x cols: of W_down rows from `first` on, of others columns. */
static void matrix(const transformer *D, tensor_role role, const weight_tensor *t, long first, long rows, long cols,
                   double *x)
{
    const bool by_rows = role == ROLE_DOWN, stored = as_stored(D, role);
    if (stored && (by_rows || cols == t->shape[1])) finite_numbers(t, (size_t)(first * cols), (size_t)(rows * cols), x);
    else if (stored) columns(t, rows, first, cols, x);
    else if (!by_rows || rows == t->shape[1]) turned(t, first, cols, rows, x);
    else {
        double *across = must_calloc((size_t)(rows * cols), sizeof *across);
        columns(t, cols, first, rows, across);
        for (long c = 0; c < cols; c++) for (long r = 0; r < rows; r++) x[r * cols + c] = across[c * rows + r];
        free(across);
    }
}

/* Its shape, and the tensor that holds it; NULL: the model has none. */
static const weight_tensor *sizes_of_part(const transformer *D, tensor_role role, long layer, long count, long *rows,
                                          long *cols)
{
    const weight_tensor *t = tensor_of_part(D, role, layer);
    if (!t) return NULL;
    *rows = 1;
    switch (role) {
    case ROLE_Q: case ROLE_K: case ROLE_V:
        *rows = D->d;
        *cols = projection_heads(D, (projection)(role - ROLE_Q)) * D->dk;
        break;
    case ROLE_Q_BIAS: case ROLE_K_BIAS: case ROLE_V_BIAS:
        *cols = projection_heads(D, (projection)(role - ROLE_Q_BIAS)) * D->dk;
        break;
    case ROLE_TOKEN_TYPE: case ROLE_PAD_POSITION: case ROLE_EMBED: case ROLE_POSITION:
        *rows = count || role == ROLE_EMBED || role == ROLE_POSITION ? count : t->shape[0];
        *cols = D->d;
        break;
    case ROLE_BUCKETS:
        *rows = t->shape[0];
        *cols = t->shape[1];
        break;
    case ROLE_HEAD:
        *rows = D->d;
        *cols = count;
        break;
    case ROLE_HEAD_BIAS:
        *cols = count;
        break;
    case ROLE_O: case ROLE_UP: case ROLE_GATE: case ROLE_DOWN: case ROLE_ROUTER: case ROLE_SHARED_GATE:
    case ROLE_DENSE: case ROLE_POOL: case ROLE_NEXT:
        *rows = t->shape[as_stored(D, role) ? 0 : 1];
        *cols = t->shape[as_stored(D, role) ? 1 : 0];
        if (count) *(role == ROLE_DOWN ? rows : cols) = count;
        break;
    default:
        *cols = (long)t->n;
    }
    return t;
}

/* Its numbers, row by row, from that row or column of the part on. */
static void fill(const transformer *D, tensor_role role, const weight_tensor *t, long layer, long first, long rows,
                 long cols, double *x)
{
    switch (role) {
    case ROLE_Q: case ROLE_K: case ROLE_V:
        projected(D, (projection)(role - ROLE_Q), t, layer, cols, x);
        break;
    case ROLE_Q_BIAS: case ROLE_K_BIAS: case ROLE_V_BIAS:
        projected_bias(D, (projection)(role - ROLE_Q_BIAS), t, x);
        break;
    case ROLE_HEAD:
        turned(t, first, cols, rows, x);
        break;
    case ROLE_O: case ROLE_UP: case ROLE_GATE: case ROLE_DOWN: case ROLE_ROUTER: case ROLE_SHARED_GATE:
    case ROLE_DENSE: case ROLE_POOL: case ROLE_NEXT:
        matrix(D, role, t, first, rows, cols, x);
        break;
    case ROLE_TOKEN_TYPE: case ROLE_PAD_POSITION: case ROLE_EMBED: case ROLE_POSITION:
        finite_numbers(t, (size_t)(first * cols), (size_t)(rows * cols), x);
        break;
    default:
        finite_numbers(t, (size_t)(role == ROLE_HEAD_BIAS ? first : 0), (size_t)(rows * cols), x);
    }
}

double *doubles_of_part(const transformer *D, tensor_role role, long layer, long first, long count, long *rows,
                        long *cols)
{
    const weight_tensor *t = sizes_of_part(D, role, layer, count, rows, cols);
    if (!t) return NULL;
    double *x = must_calloc((size_t)(*rows * *cols), sizeof *x);
    fill(D, role, t, layer, first, *rows, *cols, x);
    return x;
}

const mat *part_of_file(const transformer *D, scope *s, tensor_role role, long layer, long first, long count)
{
    long rows, cols;
    if (is_plain_f64(s->R)) {                            /* into the matrix itself */
        const weight_tensor *t = sizes_of_part(D, role, layer, count, &rows, &cols);
        if (!t) return NULL;
        mat *A = mat_blank(s, rows, cols);
        double *to = arith_f64_entries(A);
        fill(D, role, t, layer, first, rows, cols, to);
        arith_f64_set(A, to);
        return A;
    }
    double *x = doubles_of_part(D, role, layer, first, count, &rows, &cols);
    const mat *A = x ? mat_of_doubles(s, rows, cols, x) : NULL;
    free(x);
    return A;
}

static const mat *from_file(void *of, scope *s, tensor_role role, long layer, long first, long count)
{
    return part_of_file(of, s, role, layer, first, count);
}

weight_source weights_of_file(const transformer *D)
{
    return (weight_source){ .D = D, .part = from_file, .of = (void *)(uintptr_t)D };
}
