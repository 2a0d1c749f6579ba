/* forward_weights.c - the weights of a file as exact matrices, in x out, whatever the layout they are stored in. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include "src/checkpoint/forward.h"

/* ---- doubles as matrices ---------------------------------------------------------------------------------------- */

enum { CHUNK = 61 };                     /* bits of a dyadic part: |m| < 2^61                           */

static int exponent(double x)            /* |x| < 2^e                                                   */
{
    int e;
    frexp(x, &e);
    return e;
}

/* x is the sum of parts m 2^e, where e falls by CHUNK bits from part to part: for float32 two nearly always do. */
const mat *mat_of_doubles(scope *s, long rows, long cols, const double *x)
{
    const long n = rows * cols;
    int top = INT_MIN;
    for (long k = 0; k < n; k++) if (x[k] != 0 && exponent(x[k]) > top) top = exponent(x[k]);
    if (top == INT_MIN) return mat_zero(s, rows, cols);
    double *left = must_calloc((size_t)n, sizeof *left);
    int64_t *m = must_calloc((size_t)n, sizeof *m);
    for (long k = 0; k < n; k++) left[k] = x[k];
    const mat *sum = NULL;
    for (bool more = true; more; top -= CHUNK) {
        const int e = top - CHUNK;
        bool any = false;
        more = false;
        for (long k = 0; k < n; k++) {
            m[k] = (int64_t)ldexp(left[k], -e);          /* towards zero: what remains has the sign of x */
            left[k] -= ldexp((double)m[k], e);           /* exact: the tail of 53 bits                   */
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
    die("tensor %s holds %s; the model is damaged: fetch it, or train it, again", t->name,
        isnan(x) ? "NaN" : "an infinity");
}

static void read_finite(const weight_tensor *t, size_t from, size_t n, double *x)
{
    weight_numbers(t, from, n, x);
    for (size_t k = 0; k < n; k++) if (!isfinite(x[k])) not_finite(t, x[k]);
}

static const mat *range(scope *s, const weight_tensor *t, long rows, long cols, long from)
{
    double *x = must_calloc((size_t)(rows * cols), sizeof *x);
    read_finite(t, (size_t)from, (size_t)(rows * cols), x);
    const mat *A = mat_of_doubles(s, rows, cols, x);
    free(x);
    return A;
}

/* Rows first ... first + out - 1 of a tensor out x in, as in x out. */
static const mat *turned(scope *s, const weight_tensor *t, long first, long out, long in)
{
    double *x = must_calloc((size_t)(out * in), sizeof *x), *row = must_calloc((size_t)in, sizeof *row);
    for (long c = 0; c < out; c++) {
        read_finite(t, (size_t)((first + c) * in), (size_t)in, row);
        for (long r = 0; r < in; r++) x[r * out + c] = row[r];
    }
    const mat *A = mat_of_doubles(s, in, out, x);
    free(x);
    free(row);
    return A;
}

static const mat *projected(const transformer *D, scope *s, projection p, long layer)
{
    if (D->identity[p]) return NULL;
    const weight_tensor *t = tensor_of(D, D->fused ? ROLE_QKV : (tensor_role)(ROLE_Q + (int)p), layer);
    const long heads = projection_heads(D, p), n = D->d * heads * D->dk;
    double *x = must_calloc((size_t)n, sizeof *x);
    projection_columns(D, p, layer, 0, heads, x);
    for (long k = 0; k < n; k++)
        if (!isfinite(x[k])) not_finite(t, x[k]);
    const mat *A = mat_of_doubles(s, D->d, heads * D->dk, x);
    free(x);
    return A;
}

/* b_Q, b_K or b_V, which the tensor of all three holds as it holds their columns. */
static const mat *projected_bias(const transformer *D, scope *s, projection p, long layer)
{
    const weight_tensor *t = tensor_of(D, D->fused ? ROLE_QKV_BIAS : (tensor_role)(ROLE_Q_BIAS + (int)p), layer);
    if (!t) return NULL;
    const long heads = projection_heads(D, p), dk = D->dk;
    if (D->fused != FUSED_HEADS)
        return range(s, t, 1, heads * dk, D->fused == FUSED_NOT || p == PROJECT_Q ? 0
                     : p == PROJECT_K ? D->h * dk : (D->h + D->h_kv) * dk);
    double *x = must_calloc((size_t)(heads * dk), sizeof *x);
    for (long a = 0; a < heads; a++) read_finite(t, (size_t)((3 * a + (long)p) * dk), (size_t)dk, x + a * dk);
    const mat *b = mat_of_doubles(s, 1, heads * dk, x);
    free(x);
    return b;
}

const mat *part_of_file(const transformer *D, scope *s, tensor_role role, long layer, long first, long count)
{
    const weight_tensor *t = tensor_of(D, role, layer);
    switch (role) {
    case ROLE_Q: case ROLE_K: case ROLE_V: return projected(D, s, (projection)(role - ROLE_Q), layer);
    case ROLE_Q_BIAS: case ROLE_K_BIAS: case ROLE_V_BIAS:
        return projected_bias(D, s, (projection)(role - ROLE_Q_BIAS), layer);
    case ROLE_EMBED: case ROLE_POSITION: return range(s, t, count, D->d, first * D->d);
    case ROLE_HEAD: return turned(s, D->tied ? tensor_of(D, ROLE_EMBED, -1) : t, first, count, D->d);
    case ROLE_HEAD_BIAS: return t ? range(s, t, 1, count, first) : NULL;
    case ROLE_O: case ROLE_UP: case ROLE_GATE: case ROLE_DOWN: {
        const long rows = t->shape[0], cols = t->shape[1];
        return D->in_out && role != ROLE_GATE ? range(s, t, rows, cols, 0) : turned(s, t, 0, rows, cols);
    }
    default: return t ? range(s, t, 1, (long)t->n, 0) : NULL;
    }
}

static const mat *from_file(void *of, scope *s, tensor_role role, long layer, long first, long count)
{
    return part_of_file(of, s, role, layer, first, count);
}

weight_source weights_of_file(const transformer *D)
{
    return (weight_source){ .D = D, .part = from_file, .of = (void *)(uintptr_t)D };
}
