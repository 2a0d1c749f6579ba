/* SPDX-License-Identifier: GPL-3.0-or-later
 * expression.c - see expression.h. */
#include "tests/support/expression.h"
#include <stdlib.h>
#include <string.h>

const char expression_assumes[] =
    "invertible 1_1; invertible n_n; invertible d_d; invertible dk_dk; invertible hdk_hdk; invertible m_m; "
    "invertible diag(1_1); invertible diag(n_1); invertible diag(d_1); invertible diag(dk_1); invertible diag(hdk_1); "
    "invertible diag(m_1); half-odd activation; shift-invariant row map; rows sum to 1";
static const char *const size_text[SIZES] = { "1", "n", "d", "dk", "hdk", "m" };
static const char *const op_text[X_OPS] = { "draw", "I", "ones", "add", "sub", "mul", "hadamard", "scale-rows", "times", "t",
    "inv", "cols", "rows", "hcat", "vcat", "blockdiag", "phi", "rowmap", "norm", "rotate" };

/* ---- building ---------------------------------------------------------------------------------------------- */

static int put(expression *x, step s)
{
    if (x->n == MOST_STEPS) return MOST_STEPS - 1;           /* seen by full() */
    x->at[x->n] = s;
    return x->n++;
}

static bool full(const expression *x) { return x->n >= MOST_STEPS; }

static int draw(expression *x, size_name r, size_name c, int name)
{
    return put(x, (step){ .op = X_DRAW, .rows = r, .cols = c, .name = name, .a = -1, .b = -1 });
}
static int identity(expression *x, size_name r) { return put(x, (step){ .op = X_IDENTITY, .rows = r, .cols = r, .a = -1, .b = -1 }); }

static int unary(expression *x, operation op, int a, step more)
{
    more.op = op;
    more.a = a;
    more.b = -1;
    more.rows = op == X_T ? x->at[a].cols : op == X_ROWS ? S_DK : x->at[a].rows;
    more.cols = op == X_T ? x->at[a].rows : op == X_COLS ? S_DK : x->at[a].cols;
    return put(x, more);
}

static int binary(expression *x, operation op, int a, int b)
{
    const bool right = op == X_HCAT || op == X_BLOCKDIAG, down = op == X_VCAT || op == X_BLOCKDIAG;
    return put(x, (step){ .op = op, .a = a, .b = b, .rows = down ? S_HDK : x->at[a].rows,
                          .cols = right ? S_HDK : op == X_MUL || op == X_SCALE_ROWS ? x->at[b].cols : x->at[a].cols });
}
static int mul(expression *x, int a, int b)  { return binary(x, X_MUL, a, b); }
static int turn(expression *x, int a)        { return unary(x, X_T, a, (step){ 0 }); }
static int inverse(expression *x, int a)     { return unary(x, X_INV, a, (step){ 0 }); }
static int half_cols(expression *x, int a, int half) { return unary(x, X_COLS, a, (step){ .half = half }); }
static int half_rows(expression *x, int a, int half) { return unary(x, X_ROWS, a, (step){ .half = half }); }
static int times(expression *x, int a, int64_t c, long e) { return unary(x, X_TIMES, a, (step){ .c = c, .e = e }); }

/* ---- random trees -------------------------------------------------------------------------------------------- */

static const int activations[] = { ACT_GELU, ACT_RELU, ACT_OPAQUE, ACT_HALF_ODD, ACT_IDENTITY };
static const int row_maps[] = { ROWMAP_SOFTMAX, ROWMAP_LINEAR, ROWMAP_OPAQUE, ROWMAP_SHIFT, ROWMAP_STOCHASTIC };
static const int norms[] = { NORM_LAYER, NORM_RMS, NORM_OPAQUE, NORM_RADIAL };

static place somewhere(void) { return (place){ (int)below(2), (int)below(2), (int)below(2) }; }
static int some_size(void)   { return S_N + (int)below(SIZES - S_N); }

static step parameters(operation op)
{
    step s = { .at = somewhere(), .scale = 1 };
    if (op == X_PHI)    s.kind = activations[below(COUNT(activations))];
    if (op == X_ROWMAP) s.kind = row_maps[below(COUNT(row_maps))], s.mask = (int)below(4), s.scale = below(3) ? 1 : 4;
    if (op == X_NORM)   s.kind = norms[below(COUNT(norms))], s.log2eps = below(2) ? -17 : -5;
    return s;
}

static int leaf(expression *x, size_name r, size_name c)
{
    if (x->n && below(4) == 0)                               /* an earlier step, so that subexpressions recur */
        for (int tries = 0; tries < 8; tries++) {
            const int k = (int)below(x->n);
            if (x->at[k].rows == r && x->at[k].cols == c) return k;
        }
    if (r == c && below(8) == 0) return identity(x, r);
    if (below(16) == 0) return put(x, (step){ .op = X_ONES, .rows = r, .cols = c, .a = -1, .b = -1 });
    return draw(x, r, c, (int)below(3));
}

static int grow(expression *x, size_name r, size_name c, int depth)
{
    if (depth == 0 || x->n > MOST_STEPS / 3) return leaf(x, r, c);
    const int d = depth - 1;
    switch (below(16)) {
    case 0: case 1: {
        const int a = grow(x, r, c, d), b = grow(x, r, c, d);
        return binary(x, below(2) ? X_ADD : X_SUB, a, b);
    }
    case 2: {
        const int a = grow(x, r, c, d), b = grow(x, r, c, d);
        return binary(x, X_HADAMARD, a, b);
    }
    case 3: {
        const int g = grow(x, r, S_ONE, d), a = grow(x, r, c, d);
        return binary(x, X_SCALE_ROWS, g, a);
    }
    case 4: return turn(x, grow(x, c, r, d));
    case 5: return r == c ? inverse(x, below(2) ? draw(x, r, r, (int)below(3)) : grow(x, r, r, d < 1 ? d : 1)) : leaf(x, r, c);
    case 6: return unary(x, X_PHI, grow(x, r, c, d), parameters(X_PHI));
    case 7: case 8: return c != S_ONE ? unary(x, X_ROWMAP, grow(x, r, c, d), parameters(X_ROWMAP)) : leaf(x, r, c);
    case 9: return c != S_ONE ? unary(x, X_NORM, grow(x, r, c, d), parameters(X_NORM)) : leaf(x, r, c);
    case 10: return times(x, grow(x, r, c, d), below(2) ? -1 : 3, below(2) ? 0 : -1);
    case 11:
        if (c == S_HDK) {
            if (below(2)) return unary(x, X_ROTATE, grow(x, r, c, d), (step){ 0 });
            const int a = grow(x, r, S_DK, d), b = grow(x, r, S_DK, d);
            return binary(x, X_HCAT, a, b);
        }
        if (c == S_DK) {
            if (below(3) == 0) return unary(x, X_ROTATE, grow(x, r, S_DK, d), (step){ 0 });
            return half_cols(x, grow(x, r, S_HDK, d), (int)below(2));
        }
        if (r == S_DK) return half_rows(x, grow(x, S_HDK, c, d), (int)below(2));
        return leaf(x, r, c);
    default: {
        const int inner = some_size(), a = grow(x, r, inner, d), b = grow(x, inner, c, d);
        return mul(x, a, b);
    }
    }
}

void expression_random(expression *x)
{
    int root;
    do {
        x->n = 0;
        root = grow(x, some_size(), below(6) ? some_size() : S_ONE, 3 + (int)below(3));
    } while (x->n < 6);
    if (root != x->n - 1) times(x, root, 1, 0);              /* the value is that of the last step */
}

/* ---- blocks of a transformer ------------------------------------------------------------------------------------ */

typedef struct { int Q, K, V, O, up, down; } weights;
typedef struct { bool attn_skip, mlp_skip, rotated; int map, act, norm, mask; long scale; } switches;

static weights plain(expression *x)
{
    const int Q = draw(x, S_D, S_HDK, 0), K = draw(x, S_D, S_HDK, 1), V = draw(x, S_D, S_HDK, 2), O = draw(x, S_HDK, S_D, 0);
    const int up = draw(x, S_D, S_M, 0), down = draw(x, S_M, S_D, 0);
    return (weights){ Q, K, V, O, up, down };
}

static int block_of(expression *x, const switches *is, int X, weights w)
{
    const step normed = { .kind = is->norm, .log2eps = -17, .at = { 0, PLACE_ATTENTION, 0 } };
    const int in = is->norm != NORM_NONE ? unary(x, X_NORM, X, normed) : X;
    int Q = mul(x, in, w.Q), K = mul(x, in, w.K), V = mul(x, in, w.V), head[2];
    if (is->rotated) Q = unary(x, X_ROTATE, Q, (step){ 0 }), K = unary(x, X_ROTATE, K, (step){ 0 });
    for (int a = 0; a < 2; a++) {
        const int q = half_cols(x, Q, a), k = half_cols(x, K, a), scores = mul(x, q, turn(x, k));
        const step map = { .kind = is->map, .mask = is->mask, .scale = is->scale, .at = { 0, PLACE_ATTENTION, a } };
        head[a] = mul(x, unary(x, X_ROWMAP, scores, map), half_cols(x, V, a));
    }
    int Y = mul(x, binary(x, X_HCAT, head[0], head[1]), w.O);
    if (is->attn_skip) Y = binary(x, X_ADD, X, Y);
    const int F = unary(x, X_PHI, mul(x, Y, w.up), (step){ .kind = is->act, .at = { 0, PLACE_MLP, 0 } });
    const int Z = mul(x, F, w.down);
    return is->mlp_skip ? binary(x, X_ADD, Y, Z) : Z;
}

static int diagonal(expression *x, int name)
{
    const int a = draw(x, S_DK, S_DK, name), b = draw(x, S_DK, S_DK, name + 1);
    return binary(x, X_BLOCKDIAG, a, b);
}

void expression_block(expression *x, expression *rewritten)
{
    switches is = { .attn_skip = below(2), .mlp_skip = below(2), .map = row_maps[below(COUNT(row_maps))],
                    .act = activations[below(COUNT(activations))], .mask = (int)below(2), .scale = below(2) ? 1 : 4,
                    .norm = below(3) ? NORM_NONE : norms[below(COUNT(norms))] };
    const bool heads = below(3) > 0, values = below(3) > 0, bases = is.norm == NORM_NONE && below(3) > 0;
    is.rotated = !heads && below(4) == 0;
    x->n = rewritten->n = 0;
    const int X0 = draw(x, S_N, S_D, 0);
    block_of(x, &is, X0, plain(x));
    int X = draw(rewritten, S_N, S_D, 0);
    weights w = plain(rewritten);
    if (heads) {
        const int D = diagonal(rewritten, 0);
        w.Q = mul(rewritten, w.Q, D);
        w.K = mul(rewritten, w.K, turn(rewritten, inverse(rewritten, D)));
    }
    if (values) {
        const int D = diagonal(rewritten, 1);
        w.V = mul(rewritten, w.V, D);
        w.O = mul(rewritten, inverse(rewritten, D), w.O);
    }
    const int to = bases ? draw(rewritten, S_D, S_D, 0) : -1, from = bases ? inverse(rewritten, to) : -1;
    if (bases) {
        int *const reads[] = { &w.Q, &w.K, &w.V, &w.up }, *const writes[] = { &w.O, &w.down };
        for (size_t k = 0; k < COUNT(reads); k++) *reads[k] = mul(rewritten, from, *reads[k]);
        for (size_t k = 0; k < COUNT(writes); k++) *writes[k] = mul(rewritten, *writes[k], to);
        X = mul(rewritten, X, to);
    }
    const int Y = block_of(rewritten, &is, X, w);
    if (bases) mul(rewritten, Y, from);
}

/* ---- other steps for the same value ----------------------------------------------------------------------------- */

static int rewritten_product(expression *to, int a, int b)
{
    const step A = to->at[a];
    const size_name inner = A.cols;
    switch (below(6)) {
    case 0: if (A.op == X_MUL) return mul(to, A.a, mul(to, A.b, b)); break;
    case 1: if (A.op == X_ADD || A.op == X_SUB) return binary(to, A.op, mul(to, A.a, b), mul(to, A.b, b)); break;
    case 2:
        if (inner != S_ONE) {
            const int T = draw(to, inner, inner, (int)below(3));
            return mul(to, mul(to, a, T), mul(to, inverse(to, T), b));
        }
        break;
    case 3:
        if (inner == S_HDK) {
            const int first = mul(to, half_cols(to, a, 0), half_rows(to, b, 0));
            return binary(to, X_ADD, first, mul(to, half_cols(to, a, 1), half_rows(to, b, 1)));
        }
        break;
    case 4: return turn(to, mul(to, turn(to, b), turn(to, a)));
    default: break;
    }
    return mul(to, a, b);
}

/* phi(y) = phi(-y) + y of a half-odd function; f(S + u 1') = f(S) of a map that no shift of a row changes */
static int rewritten_function(expression *to, const step *s, int a)
{
    const bool shifts = s->op == X_ROWMAP && (s->kind == ROWMAP_SHIFT || s->kind == ROWMAP_STOCHASTIC);
    if (s->op == X_PHI && s->kind == ACT_HALF_ODD && below(2))
        return binary(to, X_ADD, unary(to, X_PHI, times(to, a, -1, 0), *s), a);
    if (shifts && below(2)) {
        const int u = draw(to, to->at[a].rows, S_ONE, (int)below(3));
        const int ones = put(to, (step){ .op = X_ONES, .rows = S_ONE, .cols = to->at[a].cols, .a = -1, .b = -1 });
        a = binary(to, X_ADD, a, mul(to, u, ones));
    }
    return unary(to, s->op, a, *s);
}

bool expression_rewritten(expression *to, const expression *x)
{
    int now[MOST_STEPS];
    to->n = 0;
    for (int k = 0; k < x->n; k++) {
        const step *s = &x->at[k];
        const int a = s->a < 0 ? -1 : now[s->a], b = s->b < 0 ? -1 : now[s->b];
        step same = *s;
        same.a = a;
        same.b = b;
        if (to->n > MOST_STEPS - 12) return false;
        if (s->op == X_MUL) now[k] = rewritten_product(to, a, b);
        else if (s->op == X_PHI || s->op == X_ROWMAP) now[k] = rewritten_function(to, s, a);
        else if (s->op == X_COLS && to->at[a].op == X_ROTATE && below(2))      /* equal for the first pair of columns alone */
            now[k] = unary(to, X_ROTATE, half_cols(to, to->at[a].a, s->half), (step){ 0 });
        else if (s->op == X_ADD && below(2)) now[k] = binary(to, X_ADD, b, a);
        else if (s->op == X_SUB && below(2)) now[k] = binary(to, X_ADD, a, times(to, b, -1, 0));
        else if (s->op == X_T && below(2)) now[k] = turn(to, turn(to, turn(to, a)));
        else if (s->op == X_DRAW && s->cols == S_HDK && below(3) == 0) {
            const int whole = put(to, same), left = half_cols(to, whole, 0);
            now[k] = binary(to, X_HCAT, left, half_cols(to, whole, 1));
        } else now[k] = put(to, same);
    }
    if (now[x->n - 1] != to->n - 1) times(to, now[x->n - 1], 1, 0);
    return !full(to);
}

/* ---- one change ---------------------------------------------------------------------------------------------------- */

static void mark(const expression *x, int k, bool *used)
{
    if (k < 0 || used[k]) return;
    used[k] = true;
    mark(x, x->at[k].a, used);
    mark(x, x->at[k].b, used);
}

/* Another step before k of the same shape as `old`, or -1. */
static int like(const expression *x, int k, int old)
{
    for (int tries = 0; tries < 12; tries++) {
        const int other = (int)below(k);
        if (other != old && x->at[other].rows == x->at[old].rows && x->at[other].cols == x->at[old].cols) return other;
    }
    return -1;
}

static const char *change_operand(expression *x, int k)
{
    step *s = &x->at[k];
    int *which = s->b >= 0 && below(2) ? &s->b : &s->a;
    const int other = *which >= 0 ? like(x, k, *which) : -1;
    if (other < 0) return NULL;
    *which = other;
    return "another operand";
}

static const char *change_function(step *s)
{
    const step before = *s;
    switch (below(5)) {
    case 0:
        if (s->op == X_PHI)    s->kind = activations[below(COUNT(activations))];
        if (s->op == X_ROWMAP) s->kind = row_maps[below(COUNT(row_maps))];
        if (s->op == X_NORM)   s->kind = norms[below(COUNT(norms))];
        return s->kind != before.kind ? "another function" : NULL;
    case 1: s->at = somewhere(); return memcmp(&s->at, &before.at, sizeof s->at) ? "another place" : NULL;
    case 2: if (s->op != X_ROWMAP) return NULL; s->mask = (int)below(11); return s->mask != before.mask ? "another mask" : NULL;
    case 3: if (s->op != X_ROWMAP) return NULL; s->scale *= 49; return "scale of a row map";
    default: if (s->op != X_NORM) return NULL; s->log2eps += 22; return "epsilon of a norm";
    }
}

static const char *change_constant(step *s)
{
    switch (below(4)) {
    case 0: s->c += 1; return "a constant";
    case 1: s->e -= 1; return "a constant";
    case 2: if (s->c > 3 || s->c < -3) return NULL; s->c *= ((int64_t)1 << 61) - 1; return "a multiple of a prime";
    default: s->c = -s->c; return "a sign";
    }
}

/* The step k times 1 + 2^-e, or with another sign: the steps after it move up by the new ones. */
static const char *insert_factor(expression *x, int k, int64_t c, long e, const char *what)
{
    if (x->n + 1 > MOST_STEPS) return NULL;
    memmove(&x->at[k + 2], &x->at[k + 1], (size_t)(x->n - k - 1) * sizeof *x->at);
    x->n++;
    x->at[k + 1] = (step){ .op = X_TIMES, .a = k, .b = -1, .c = c, .e = e, .rows = x->at[k].rows, .cols = x->at[k].cols };
    for (int i = k + 2; i < x->n; i++) {
        if (x->at[i].a >= k) x->at[i].a++;
        if (x->at[i].b >= k) x->at[i].b++;
    }
    return what;
}

static const char *change_step(expression *x, int k)
{
    step *s = &x->at[k];
    const bool square = s->rows == s->cols;
    if (below(8) == 0) return insert_factor(x, k, ((int64_t)1 << 40) + 1, -40, "a factor 1 + 2^-40");
    if (below(16) == 0) return insert_factor(x, k, ((int64_t)1 << 61) - 1, 0, "a factor that is a prime");
    if (s->op != X_DRAW && below(3) == 0) return change_operand(x, k);
    switch (s->op) {
    case X_DRAW:
        if (below(2)) { s->name = (s->name + 1 + (int)below(2)) % 3; return "another matrix"; }
        s->log2scale += 3;
        return "scale of a draw";
    case X_IDENTITY: *s = (step){ .op = X_ONES, .rows = s->rows, .cols = s->cols, .a = -1, .b = -1 }; return "ones for I";
    case X_ONES: s->op = X_DRAW; return "a matrix for ones";
    case X_ADD: case X_SUB: case X_HADAMARD:
        s->op = s->op == X_ADD ? below(2) ? X_SUB : X_HADAMARD : s->op == X_SUB ? X_ADD : below(2) ? X_ADD : X_SUB;
        return "another operation";
    case X_MUL: case X_HCAT: case X_VCAT: case X_BLOCKDIAG: {
        const step *A = &x->at[s->a], *B = &x->at[s->b];
        if (A->rows != B->rows || A->cols != B->cols) return NULL;
        const int a = s->a;
        s->a = s->b;
        s->b = a;
        return a != s->a ? "factors in the other order" : NULL;
    }
    case X_T: if (!square) return NULL; s->op = X_TIMES; s->c = 1; s->e = 0; return "no transpose";
    case X_INV: s->op = below(2) ? X_T : X_TIMES; s->c = 1; s->e = 0; return "no inverse";
    case X_COLS: case X_ROWS: s->half ^= 1; return "the other head";
    case X_TIMES: return change_constant(s);
    case X_PHI: case X_ROWMAP: case X_NORM: return change_function(s);
    case X_ROTATE: s->op = X_TIMES; s->c = 1; s->e = 0; return "no rotation";
    default: return NULL;
    }
}

const char *expression_changed(expression *to, const expression *x)
{
    bool used[MOST_STEPS] = { false };
    mark(x, x->n - 1, used);
    for (int tries = 0; tries < 40; tries++) {
        const int k = (int)below(x->n);
        if (!used[k]) continue;
        *to = *x;
        const char *what = change_step(to, k);
        if (what) return what;
    }
    return NULL;
}

/* ---- values -------------------------------------------------------------------------------------------------------- */

/* Row maps see only the first part of a row's length where the matrix is wide; every row sees its first entry. */
static bool sees(int mask, long i, long j)
{
    const bool causal = mask == 0 || j <= i;
    return j == 0 || (mask >= 2 && i == (mask - 2) / 3 && j == (mask - 2) % 3 ? !causal : causal);
}

static unsigned char *mask_of(unsigned char *to, const step *s, long rows, long cols)
{
    for (long i = 0; i < rows; i++) for (long j = 0; j < cols; j++) to[i * cols + j] = sees(s->mask, i, j);
    return s->mask ? to : NULL;
}

static const mat *value_of_step(scope *s, const step *x, const mat *const v[], const long size[SIZES])
{
    const long r = size[x->rows], c = size[x->cols];
    const mat *A = x->a < 0 ? NULL : v[x->a], *B = x->b < 0 ? NULL : v[x->b];
    const mat *const both[2] = { A, B };
    char name[32];
    switch (x->op) {
    case X_DRAW:
        snprintf(name, sizeof name, "%s_%s.%d", size_text[x->rows], size_text[x->cols], x->name);
        return mat_draw(s, name, r, c, x->log2scale);
    case X_IDENTITY:   return mat_identity(s, r);
    case X_ONES:       return mat_ones(s, r, c);
    case X_ADD:        return mat_add(s, A, B);
    case X_SUB:        return mat_sub(s, A, B);
    case X_MUL:        return mat_mul(s, A, B);
    case X_HADAMARD:   return mat_hadamard(s, A, B);
    case X_SCALE_ROWS: return mat_scale_rows(s, A, B);
    case X_TIMES:      return mat_scale(s, x->c, x->e, A);
    case X_T:          return mat_t(s, A);
    case X_INV:        return mat_inv(s, A);
    case X_COLS:       return mat_cols(s, A, x->half * size[S_DK], size[S_DK]);
    case X_ROWS:       return mat_rows(s, A, x->half * size[S_DK], size[S_DK]);
    case X_HCAT:       return mat_hcat(s, 2, both);
    case X_VCAT:       return mat_vcat(s, 2, both);
    case X_BLOCKDIAG:  return mat_blockdiag(s, 2, both);
    case X_PHI:        return mat_phi(s, A, (activation)x->kind, x->at);
    case X_NORM:       return mat_norm(s, A, (norm_kind)x->kind, x->log2eps, x->at);
    case X_ROTATE:     return mat_rotate(s, A);
    case X_ROWMAP: {
        unsigned char *visible = scope_alloc(s, (size_t)(r * c));
        const rowmap how = { (rowmap_kind)x->kind, mask_of(visible, x, r, c), x->scale, 1 };
        return mat_rowmap(s, A, &how, x->at);
    }
    case X_OPS: break;
    }
    return NULL;
}

const mat *expression_value(scope *s, const shape *sh, const expression *x)
{
    const long size[SIZES] = { [S_ONE] = 1, [S_N] = sh->n, [S_D] = sh->d, [S_DK] = sh->dk, [S_HDK] = 2 * sh->dk, [S_M] = sh->m };
    const mat *v[MOST_STEPS];
    for (int k = 0; k < x->n; k++) v[k] = value_of_step(s, &x->at[k], v, size);
    return v[x->n - 1];
}

static long root_of(long square)
{
    long r = 1;
    while (r * r < square) r++;
    return r;
}

static numbers scaled(const numbers *A, uint64_t c)
{
    numbers C = *A;
    for (long k = 0; k < A->rows * A->cols; k++) C.x[k] = mod_mul(c, A->x[k]);
    return C;
}

static bool step_numbers(numbers *to, const step *x, const numbers v[], const long size[SIZES])
{
    const long r = size[x->rows], c = size[x->cols], dk = size[S_DK];
    const numbers *A = x->a < 0 ? NULL : &v[x->a], *B = x->b < 0 ? NULL : &v[x->b];
    const uint64_t where = hash((uint64_t)x->at.layer, (uint64_t)x->at.sublayer, (uint64_t)x->at.head, (uint64_t)x->log2eps);
    unsigned char visible[MOST_NUMBERS * MOST_NUMBERS];
    numbers first, second;
    switch (x->op) {
    case X_DRAW: first = num_draw((uint64_t)(x->name + 10 * x->rows + 100 * x->cols), r, c);
                 *to = scaled(&first, mod_dyadic(1, x->log2scale)); break;
    case X_IDENTITY:   *to = num_constant(r, c, 1, 0); break;
    case X_ONES:       *to = num_constant(r, c, 1, 1); break;
    case X_ADD:        *to = num_entrywise(A, B, mod_add); break;
    case X_SUB:        *to = num_entrywise(A, B, mod_sub); break;
    case X_HADAMARD:   *to = num_entrywise(A, B, mod_mul); break;
    case X_MUL:        *to = num_mul(A, B); break;
    case X_SCALE_ROWS: *to = num_scale_rows(A, B); break;
    case X_TIMES:      *to = scaled(A, mod_dyadic(x->c, x->e)); break;
    case X_T:          *to = num_turn(A); break;
    case X_INV:        return num_inv(to, *A);
    case X_COLS:       *to = num_block(r, c, 0, 0, A, 0, x->half * dk, r, c); break;
    case X_ROWS:       *to = num_block(r, c, 0, 0, A, x->half * dk, 0, r, c); break;
    case X_HCAT: case X_VCAT: case X_BLOCKDIAG:
        first = num_block(r, c, 0, 0, A, 0, 0, A->rows, A->cols);
        second = num_block(r, c, x->op == X_HCAT ? 0 : A->rows, x->op == X_VCAT ? 0 : A->cols, B, 0, 0, B->rows, B->cols);
        *to = num_entrywise(&first, &second, mod_add);
        break;
    case X_PHI:        *to = num_phi(A, (activation)x->kind, where); break;
    case X_NORM:       *to = num_norm(A, (norm_kind)x->kind, where); break;
    case X_ROTATE:     *to = num_rotate(A); break;
    case X_ROWMAP:
        first = scaled(A, (uint64_t)root_of(x->scale));
        *to = num_rowmap(&first, (rowmap_kind)x->kind, mask_of(visible, x, r, c), where);
        break;
    case X_OPS: return false;
    }
    return true;
}

bool expression_numbers(numbers *to, const expression *x, long dk)
{
    const long size[SIZES] = { [S_ONE] = 1, [S_N] = 3, [S_D] = 5, [S_DK] = dk, [S_HDK] = 2 * dk, [S_M] = 6 };
    numbers v[MOST_STEPS];
    for (int k = 0; k < x->n; k++) if (!step_numbers(&v[k], &x->at[k], v, size)) return false;
    *to = v[x->n - 1];
    return true;
}

void expression_print(FILE *f, const expression *x)
{
    for (int k = 0; k < x->n; k++) {
        const step *s = &x->at[k];
        fprintf(f, "  %3d %s x %s  %s", k, size_text[s->rows], size_text[s->cols], op_text[s->op]);
        if (s->a >= 0) fprintf(f, " %d", s->a);
        if (s->b >= 0) fprintf(f, " %d", s->b);
        if (s->op == X_DRAW) fprintf(f, " name %d, times 2^%d", s->name, s->log2scale);
        if (s->op == X_TIMES) fprintf(f, " by %lld 2^%ld", (long long)s->c, s->e);
        if (s->op == X_COLS || s->op == X_ROWS) fprintf(f, " half %d", s->half);
        if (s->op == X_PHI || s->op == X_ROWMAP || s->op == X_NORM)
            fprintf(f, " kind %d at %d %d %d", s->kind, s->at.layer, s->at.sublayer, s->at.head);
        if (s->op == X_ROWMAP) fprintf(f, " mask %d scale %ld", s->mask, s->scale);
        if (s->op == X_NORM) fprintf(f, " eps 2^%ld", s->log2eps);
        fputc('\n', f);
    }
}
