/* forward_weights.c - the weights of a file as exact matrices, in x out, whatever the layout they are stored in. */
#include <math.h>
#include <stdlib.h>
#include "numerics/arith_arb.h"
#include "numerics/f64_error.h"
#include "src/checkpoint/forward.h"

/* ---- doubles as matrices ---------------------------------------------------------------------------------------- */

enum { CHUNK = 61 };                     /* bits of a dyadic part: |m| < 2^61                           */

/* x is the sum of parts m 2^e, where e falls by CHUNK bits from part to part: for float32 two nearly always do. */
const mat *mat_of_doubles(scope *s, long rows, long cols, const double *x)
{
    if (s->R->kind == A_ARB) return arith_arb_of_doubles(s, rows, cols, x);
    if (s->R->kind == A_F64 && !(s->R->traits & BOUNDED)) {
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

static double *range(const weight_tensor *t, long rows, long cols, long from)
{
    double *x = must_calloc((size_t)(rows * cols), sizeof *x);
    finite_numbers(t, (size_t)from, (size_t)(rows * cols), x);
    return x;
}

enum { TURNED = 16, ACROSS = 256,        /* rows and columns at a time: of each row of x a line of the cache */
       FORK_NUMBERS = 1 << 16 };

/* Columns first ... first + count - 1 of a tensor of `rows` rows, row by row. */
static double *columns(const weight_tensor *t, long rows, long first, long count)
{
    double *x = must_calloc((size_t)(rows * count), sizeof *x);
    for (long r = 0; r < rows; r++)
        finite_numbers(t, (size_t)(r * t->shape[1] + first), (size_t)count, x + r * count);
    return x;
}

/* Rows first ... first + out - 1 of a tensor out x in, as in x out, some rows on each core. */
static double *turned(const weight_tensor *t, long first, long out, long in)
{
    double *x = must_calloc((size_t)(out * in), sizeof *x);
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
    return x;
}

static double *projected(const transformer *D, projection p, const weight_tensor *t, long layer, long cols)
{
    double *x = must_calloc((size_t)(D->d * cols), sizeof *x);
    projection_columns(D, p, layer, 0, projection_heads(D, p), x);
    for (long k = 0; k < D->d * cols; k++) if (!isfinite(x[k])) not_finite(t, x[k]);
    return x;
}

/* b_Q, b_K or b_V, which the tensor of all three holds as it holds their columns. */
static double *projected_bias(const transformer *D, projection p, const weight_tensor *t)
{
    const long heads = projection_heads(D, p), dk = D->dk;
    if (D->fused != FUSED_HEADS)
        return range(t, 1, heads * dk, D->fused == FUSED_NOT || p == PROJECT_Q ? 0
                     : p == PROJECT_K ? D->h * dk : (D->h + D->h_kv) * dk);
    double *x = must_calloc((size_t)(heads * dk), sizeof *x);
    for (long a = 0; a < heads; a++) finite_numbers(t, (size_t)(fused_head(D, p, a) * dk), (size_t)dk, x + a * dk);
    return x;
}

const weight_tensor *tensor_of_part(const transformer *D, tensor_role role, long layer)
{
    if (role == ROLE_HEAD && D->tied) return tensor_of(D, ROLE_EMBED, -1);
    if (role >= ROLE_Q && role <= ROLE_V && D->identity[role - ROLE_Q]) return NULL;
    if (D->fused && role >= ROLE_Q && role <= ROLE_V) return tensor_of(D, ROLE_QKV, layer);
    if (D->fused && role >= ROLE_Q_BIAS && role <= ROLE_V_BIAS) return tensor_of(D, ROLE_QKV_BIAS, layer);
    return tensor_of(D, role, layer);
}

/* W_O or a matrix of the MLP; with a count: those columns of up and gate, those rows of down. */
static double *matrix(const transformer *D, tensor_role role, const weight_tensor *t, long first, long count,
                      long *rows, long *cols)
{
    const bool as_stored = D->in_out && role != ROLE_GATE;
    *rows = t->shape[as_stored ? 0 : 1];
    *cols = t->shape[as_stored ? 1 : 0];
    if (count == 0) return as_stored ? range(t, *rows, *cols, 0) : turned(t, 0, *cols, *rows);
    if (role == ROLE_DOWN) {
        *rows = count;
        if (as_stored) return range(t, count, *cols, first * *cols);
        double *across = columns(t, *cols, first, count), *x = must_calloc((size_t)(count * *cols), sizeof *x);
        for (long c = 0; c < *cols; c++) for (long r = 0; r < count; r++) x[r * *cols + c] = across[c * count + r];
        free(across);
        return x;
    }
    *cols = count;
    return as_stored ? columns(t, *rows, first, count) : turned(t, first, count, *rows);
}

double *doubles_of_part(const transformer *D, tensor_role role, long layer, long first, long count, long *rows,
                        long *cols)
{
    const weight_tensor *t = tensor_of_part(D, role, layer);
    if (!t) return NULL;
    *rows = 1;
    switch (role) {
    case ROLE_Q: case ROLE_K: case ROLE_V:
        *rows = D->d;
        *cols = projection_heads(D, (projection)(role - ROLE_Q)) * D->dk;
        return projected(D, (projection)(role - ROLE_Q), t, layer, *cols);
    case ROLE_Q_BIAS: case ROLE_K_BIAS: case ROLE_V_BIAS:
        *cols = projection_heads(D, (projection)(role - ROLE_Q_BIAS)) * D->dk;
        return projected_bias(D, (projection)(role - ROLE_Q_BIAS), t);
    case ROLE_TOKEN_TYPE: case ROLE_PAD_POSITION:
        if (count == 0) count = t->shape[0];
        *rows = count;
        *cols = D->d;
        return range(t, count, D->d, first * D->d);
    case ROLE_BUCKETS:
        *rows = t->shape[0];
        *cols = t->shape[1];
        return range(t, *rows, *cols, 0);
    case ROLE_EMBED: case ROLE_POSITION:
        *rows = count;
        *cols = D->d;
        return range(t, count, D->d, first * D->d);
    case ROLE_HEAD:
        *rows = D->d;
        *cols = count;
        return turned(t, first, count, D->d);
    case ROLE_HEAD_BIAS:
        *cols = count;
        return range(t, 1, count, first);
    case ROLE_O: case ROLE_UP: case ROLE_GATE: case ROLE_DOWN: case ROLE_ROUTER: case ROLE_SHARED_GATE:
    case ROLE_DENSE: case ROLE_POOL: case ROLE_NEXT:
        return matrix(D, role, t, first, count, rows, cols);
    default:
        *cols = (long)t->n;
        return range(t, 1, *cols, 0);
    }
}

const mat *part_of_file(const transformer *D, scope *s, tensor_role role, long layer, long first, long count)
{
    long rows, cols;
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
