/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_term.c - records what a body computes, without computing it: the source of symbolic certificates.
 *
 * A matrix is the number of the step that made it.  Steps are named matrices, identities, columns of identities,
 * columns of ones, sums, products, transposes, inverses, and values of functions, which get a name for each kind and
 * place.  A constant that is no multiple of an identity, a selection of its columns or all ones becomes a named
 * matrix: what holds for every matrix holds for it.  Likewise a value is known only by its function, its argument and
 * the facts that term_facts lists.
 * Nothing is compared: the answer is always UNDECIDED, so a recording proves nothing by itself. */
#include "numerics/record/arith_term.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/selection.h"

typedef struct { unsigned char *key; size_t n; char *text; term_op op; unsigned facts; } label;
typedef struct {
    term_step  *step;
    long        n, room;
    label      *labels;
    long        nlabels;
    const char *failed;
} tape;

static tape *tape_of(const mat *A) { return A->R->state; }
static long *rep(const mat *A) { return A->rep; }

long term_of(const mat *A) { return *rep(A); }
term_list term_steps(const arith *R)
{
    const tape *t = R->state;
    return (term_list){ t->step, t->n, t->failed };
}

const char *term_name(const arith *R, term_op op, long name)
{
    const tape *t = R->state;
    REQUIRE(0 <= name && name < t->nlabels && t->labels[name].op == op, "name %ld of %ld", name, t->nlabels);
    return t->labels[name].text;
}

unsigned term_facts(const arith *R, long name)
{
    const tape *t = R->state;
    REQUIRE(0 <= name && name < t->nlabels && t->labels[name].op == TERM_VALUE, "function %ld of %ld", name,
            t->nlabels);
    return t->labels[name].facts;
}

static long step(tape *t, term_step s)
{
    if (t->n == t->room) {
        t->room = 2 * t->room + 64;
        t->step = must_realloc(t->step, (size_t)t->room, sizeof *t->step);
    }
    t->step[t->n] = s;
    return t->n++;
}

/* The name of what this key describes: `text`, or text:2, text:3 .. where that is taken already. */
static long named(tape *t, term_op op, const char *text, const void *key, size_t n)
{
    long same = 0;
    for (long k = 0; k < t->nlabels; k++) {
        label *l = &t->labels[k];
        if (l->op == op && l->n == n && memcmp(l->key, key, n) == 0) return k;
        const size_t length = strlen(text);
        same += l->op == op && strncmp(l->text, text, length) == 0 && (!l->text[length] || l->text[length] == ':');
    }
    t->labels = must_realloc(t->labels, (size_t)t->nlabels + 1, sizeof *t->labels);
    label *l = &t->labels[t->nlabels];
    *l = (label){ .key = must_calloc(n, 1), .n = n, .op = op,
                  .text = same ? must_format("%s:%ld", text, same + 1) : must_strdup(text) };
    memcpy(l->key, key, n);
    for (char *p = l->text; *p; p++) if (*p == ' ' || *p == '\'') *p = '_';
    return t->nlabels++;
}

static void term_init(mat *A)
{
    A->rep = must_calloc(1, sizeof(long));
    *rep(A) = -1;
}

static void term_clear(mat *A)
{
    free(A->rep);
    A->rep = NULL;
}

/* ---- algebra; zero is -1, and I A = A ---- */

static bool is_identity(const tape *t, long a) { return a >= 0 && t->step[a].op == TERM_IDENTITY; }

static long product(tape *t, long a, long b)
{
    if (a < 0 || b < 0) return -1;
    if (is_identity(t, a)) return b;
    if (is_identity(t, b)) return a;
    return step(t, (term_step){ TERM_PRODUCT, .rows = t->step[a].rows, .cols = t->step[b].cols, .a = a, .b = b });
}

static long sum(tape *t, long a, long b, int64_t cb)
{
    if (b < 0) return a;
    const long r = t->step[b].rows, c = t->step[b].cols;
    if (a < 0) return cb == 1 ? b : step(t, (term_step){ TERM_SUM, .rows = r, .cols = c, .a = b, .b = -1, .ca = cb });
    return step(t, (term_step){ TERM_SUM, .rows = r, .cols = c, .a = a, .b = b, .ca = 1, .cb = cb });
}

static long transpose(tape *t, long a)
{
    if (a < 0 || is_identity(t, a)) return a;
    if (t->step[a].op == TERM_TRANSPOSE) return t->step[a].a;
    return step(t, (term_step){ TERM_TRANSPOSE, .rows = t->step[a].cols, .cols = t->step[a].rows, .a = a, .b = -1 });
}

static long identity(tape *t, long n)
{
    return step(t, (term_step){ TERM_IDENTITY, .rows = n, .cols = n, .a = -1, .b = -1 });
}

static long columns(tape *t, long n, long from, long count)
{
    if (count == n) return identity(t, n);
    return step(t, (term_step){ TERM_COLUMNS, .rows = n, .cols = count, .from = from, .a = -1, .b = -1 });
}

/* C += E(C.rows,ci,r) E(A.rows,ai,r)' A E(A.cols,aj,c) E(C.cols,cj,c)' */
static void term_copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    tape *t = tape_of(C);
    long x = product(t, transpose(t, columns(t, A->rows, ai, r)), term_of(A));
    x = product(t, x, columns(t, A->cols, aj, c));
    x = product(t, columns(t, C->rows, ci, r), x);
    x = product(t, x, transpose(t, columns(t, C->cols, cj, c)));
    *rep(C) = sum(t, term_of(C), x, 1);
}

static void term_add(mat *C, const mat *A, const mat *B) { *rep(C) = sum(tape_of(C), term_of(A), term_of(B), 1); }
static void term_sub(mat *C, const mat *A, const mat *B) { *rep(C) = sum(tape_of(C), term_of(A), term_of(B), -1); }
static void term_mul(mat *C, const mat *A, const mat *B) { *rep(C) = product(tape_of(C), term_of(A), term_of(B)); }
static void term_transpose(mat *C, const mat *A)         { *rep(C) = transpose(tape_of(C), term_of(A)); }

static truth term_inv(mat *C, const mat *A)
{
    tape *t = tape_of(C);
    if (term_of(A) < 0) return UNDECIDED;
    *rep(C) = is_identity(t, term_of(A)) ? term_of(A)
            : step(t, (term_step){ TERM_INVERSE, .rows = A->rows, .cols = A->cols, .a = term_of(A), .b = -1 });
    return HOLDS;
}

/* ---- named matrices ---- */

static long matrix(tape *t, long rows, long cols, const char *text, const void *key, size_t n)
{
    const long name = named(t, TERM_MATRIX, text, key, n);
    return step(t, (term_step){ TERM_MATRIX, .rows = rows, .cols = cols, .a = -1, .b = -1, .name = name });
}

static long column_of_ones(tape *t, long n)
{
    return n == 1 ? identity(t, 1) : step(t, (term_step){ TERM_ONES, .rows = n, .cols = 1, .a = -1, .b = -1 });
}

static long ones(tape *t, long rows, long cols)      /* 1_rows 1_cols' */
{
    const long left = column_of_ones(t, rows);
    return product(t, left, transpose(t, column_of_ones(t, cols)));
}

static void term_draw(mat *C, const drawing *how)
{
    const size_t length = strlen(how->name);
    struct { uint64_t key[2]; int64_t shape[4]; } head = { { how->key[0], how->key[1] },
        { C->rows, C->cols, how->log2scale, how->shape } };
    unsigned char *key = must_calloc(sizeof head + length, 1);
    memcpy(key, &head, sizeof head);
    memcpy(key + sizeof head, how->name, length);
    *rep(C) = matrix(tape_of(C), C->rows, C->cols, how->name, key, sizeof head + length);
    free(key);
}

static void term_set_dyadic(mat *C, const int64_t *m, long e)
{
    tape *t = tape_of(C);
    const long r = C->rows, c = C->cols;
    int64_t scale = m[0];
    long o = 0, x = -1;
    bool zero = true, uniform = true;
    for (long k = 0; k < r * c; k++) {
        zero &= m[k] == 0;
        uniform &= m[k] == m[0];
    }
    if (zero) return;
    if (r >= c && selection_find(m, r, c, c, 1, &scale, &o)) x = columns(t, r, o, c);
    else if (r < c && selection_find(m, c, r, 1, c, &scale, &o)) x = transpose(t, columns(t, c, o, r));
    else if (uniform) x = ones(t, r, c);
    if (x < 0) {
        int64_t *key = must_calloc((size_t)(r * c) + 3, sizeof *key);
        key[0] = r;
        key[1] = c;
        key[2] = e;
        memcpy(key + 3, m, (size_t)(r * c) * sizeof *m);
        *rep(C) = matrix(t, r, c, "constant", key, ((size_t)(r * c) + 3) * sizeof *key);
        free(key);
        return;
    }
    if (scale != 1 || e != 0)
        x = step(t, (term_step){ TERM_SUM, .rows = r, .cols = c, .a = x, .b = -1, .ca = scale, .e = e });
    *rep(C) = x;
}

/* ---- values of functions ---- */

/* The step of a matrix; a zero matrix has none, so it becomes 0 times a matrix of its shape. */
static long step_of(tape *t, const mat *A)
{
    if (term_of(A) >= 0) return term_of(A);
    const long shape[] = { A->rows, A->cols };
    const long any = step(t, (term_step){ TERM_MATRIX, .rows = A->rows, .cols = A->cols, .a = -1, .b = -1,
                                          .name = named(t, TERM_MATRIX, "any", shape, sizeof shape) });
    return step(t, (term_step){ TERM_SUM, .rows = A->rows, .cols = A->cols, .a = any, .b = -1, .ca = 0 });
}

static const char *const sublayers[] = {
    [PLACE_ATTENTION] = "attention", [PLACE_MLP] = "mlp", [PLACE_GATE] = "gate", [PLACE_ROUTER] = "router",
    [PLACE_FINAL] = "final", [PLACE_QUERY] = "query", [PLACE_KEY] = "key" };

static long value(tape *t, const char *kind, const place *at, const void *extra, size_t n, unsigned facts,
                  long rows, long cols, long a, long b)
{
    char text[64];
    if (at) snprintf(text, sizeof text, "%s.%s.%d.%d", kind, sublayers[at->sublayer], at->layer, at->head);
    else    snprintf(text, sizeof text, "%s", kind);
    const size_t length = strlen(text) + 1;
    unsigned char *key = must_calloc(length + n, 1);
    memcpy(key, text, length);
    if (n) memcpy(key + length, extra, n);
    const long name = named(t, TERM_VALUE, text, key, length + n);
    t->labels[name].facts = facts;
    free(key);
    return step(t, (term_step){ TERM_VALUE, .rows = rows, .cols = cols, .a = a, .b = b, .name = name });
}

static void term_hadamard(mat *C, const mat *A, const mat *B)
{
    tape *t = tape_of(C);
    const long a = step_of(t, A), b = step_of(t, B);
    *rep(C) = value(t, "hadamard", NULL, NULL, 0, 0, C->rows, C->cols, a, b);
}

static bool is_column_of_ones(const tape *t, long a)
{
    const term_step *s = &t->step[a];
    return s->op == TERM_ONES || (s->op == TERM_IDENTITY && s->rows == 1);
}

/* diag(g) A; the multiple c 2^e A where g is c 2^e times all ones */
static void term_scale_rows(mat *C, const mat *g, const mat *A)
{
    tape *t = tape_of(C);
    const term_step *s = term_of(g) < 0 ? NULL : &t->step[term_of(g)];
    if (s && is_column_of_ones(t, term_of(g))) { *rep(C) = term_of(A); return; }
    if (s && s->op == TERM_SUM && s->b < 0 && is_column_of_ones(t, s->a)) {
        const term_step multiple = { TERM_SUM, .rows = A->rows, .cols = A->cols, .a = term_of(A), .b = -1,
                                     .ca = s->ca, .e = s->e };
        *rep(C) = term_of(A) < 0 ? -1 : step(t, multiple);
        return;
    }
    const long D = value(t, "diag", NULL, NULL, 0, 0, g->rows, g->rows, step_of(t, g), -1);
    *rep(C) = product(t, D, term_of(A));
}

static truth term_phi(mat *C, const mat *A, activation kind, place at)
{
    tape *t = tape_of(C);
    const unsigned facts = kind == ACT_HALF_ODD ? TERM_HALF_ODD : 0;
    *rep(C) = kind == ACT_IDENTITY ? term_of(A)
            : value(t, "phi", &at, &kind, sizeof kind, facts, C->rows, C->cols, step_of(t, A), -1);
    return HOLDS;
}

static bool some_visible_in_each_row(const unsigned char *visible, long rows, long cols)
{
    for (long i = 0; visible && i < rows; i++)
        if (!memchr(visible + i * cols, 1, (size_t)cols)) return false;
    return true;
}

/* A row without visible entries is zero: rows sum to 1 only where there is none. */
static unsigned facts_of(const rowmap *how, long rows, long cols)
{
    if (how->kind == ROWMAP_SHIFT) return TERM_SHIFT_INVARIANT;
    if (how->kind != ROWMAP_STOCHASTIC) return 0;
    return TERM_SHIFT_INVARIANT | (some_visible_in_each_row(how->visible, rows, cols) ? TERM_STOCHASTIC : 0);
}

static truth term_rowmap(mat *C, const mat *A, const rowmap *how, place at)
{
    static const char *const kinds[] = { [ROWMAP_SOFTMAX] = "softmax", [ROWMAP_LINEAR] = "masked",
                                         [ROWMAP_OPAQUE] = "rowmap", [ROWMAP_SHIFT] = "rowmap",
                                         [ROWMAP_STOCHASTIC] = "rowmap" };
    tape *t = tape_of(C);
    const size_t n = (size_t)(C->rows * C->cols);
    if (how->kind == ROWMAP_LINEAR && !how->visible && how->scale_num == how->scale_den) {
        *rep(C) = term_of(A);
        return HOLDS;
    }
    const int64_t head[4] = { how->kind, how->scale_num, how->scale_den, how->visible != NULL };
    unsigned char *extra = must_calloc(sizeof head + n, 1);
    memcpy(extra, head, sizeof head);
    if (how->visible) memcpy(extra + sizeof head, how->visible, n);
    *rep(C) = value(t, kinds[how->kind], &at, extra, sizeof head + n, facts_of(how, C->rows, C->cols), C->rows,
                    C->cols, step_of(t, A), -1);
    free(extra);
    return HOLDS;
}

static truth term_norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    static const char *const kinds[] = { [NORM_NONE] = "", [NORM_LAYER] = "layernorm", [NORM_RMS] = "rmsnorm",
                                         [NORM_OPAQUE] = "norm", [NORM_RADIAL] = "radial" };
    tape *t = tape_of(C);
    const long a = step_of(t, A);
    if (kind == NORM_RADIAL) {                             /* diag(rho(X X')) X */
        const long D = value(t, kinds[kind], &at, &log2eps, sizeof log2eps, 0, C->rows, C->rows,
                             product(t, a, transpose(t, a)), -1);
        *rep(C) = product(t, D, a);
    } else {
        *rep(C) = value(t, kinds[kind], &at, &log2eps, sizeof log2eps, 0, C->rows, C->cols, a, -1);
    }
    return HOLDS;
}

static truth term_rotate(mat *C, const mat *A)
{
    tape *t = tape_of(C);
    *rep(C) = value(t, "rotate", NULL, NULL, 0, 0, C->rows, C->cols, step_of(t, A), -1);
    return HOLDS;
}

/* ---- questions that a recording does not answer ---- */

static comparison term_compare(const mat *A, const mat *B, double log2bound)
{
    (void)A, (void)B, (void)log2bound;
    return (comparison){ UNDECIDED, INFINITY, -INFINITY };
}

static bool term_get_exact(mpq_t x, const mat *A, long i, long j)
{
    (void)x, (void)A, (void)i, (void)j;
    return false;
}

static double term_get_d(const mat *A, long i, long j)
{
    (void)A, (void)i, (void)j;
    return NAN;
}

static double term_log2max(const mat *A)
{
    (void)A;
    return NAN;
}

static void term_close(arith *R)
{
    tape *t = R->state;
    if (!t) return;
    for (long k = 0; k < t->nlabels; k++) {
        free(t->labels[k].key);
        free(t->labels[k].text);
    }
    free(t->labels);
    free(t->step);
    free(t);
}

arith arith_term(void)
{
    return (arith){
        .name = "term", .kind = A_TERM, .traits = SYMBOLIC | OPAQUE,
        .default_log2bound = -INFINITY, .state = must_calloc(1, sizeof(tape)), .close = term_close,
        .ring = { .init = term_init, .clear = term_clear, .draw = term_draw,
                  .set_dyadic = term_set_dyadic, .get_exact = term_get_exact, .get_d = term_get_d,
                  .copy = term_copy, .add = term_add, .sub = term_sub, .mul = term_mul,
                  .hadamard = term_hadamard, .scale_rows = term_scale_rows,
                  .transpose = term_transpose, .inv = term_inv, .compare = term_compare,
                  .log2max = term_log2max },
        .functions = { .phi = term_phi, .rowmap = term_rowmap, .norm = term_norm,
                       .rotate = term_rotate },
    };
}
