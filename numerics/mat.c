/* SPDX-License-Identifier: GPL-3.0-or-later
 * mat.c - the only caller of the backends: contracts, ownership, dispatch. */
#include "numerics/fingerprint.h"
#include "numerics/mat.h"
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "numerics/refused.h"

scope scope_open(const arith *R, uint64_t seed, uint64_t stream)
{
    return (scope){ .R = R, .key = { seed, stream }, .status = HOLDS };
}

void scope_close(scope *s)
{
    for (mat *A = s->first, *next; A; A = next) {
        next = A->next;
        fingerprint_matrix(A);
        A->R->ring.clear(A);
        free(A);
    }
    s->first = NULL;
    for (void **b = s->buffers, **next; b; b = next) {
        next = *b;
        free(b);
    }
    s->buffers = NULL;
}

void *scope_alloc(scope *s, size_t bytes)               /* each buffer is headed by the next one's address */
{
    const size_t head = _Alignof(max_align_t);
    void **b = must_calloc(1, head + bytes);
    *b = s->buffers;
    s->buffers = b;
    return (char *)b + head;
}

void scope_sweep(scope *s, const mat *since, long n, const mat *const keep[])
{
    if (!s->frugal) return;
    for (mat **at = &s->first; *at && *at != since;) {
        mat *A = *at;
        bool kept = false;
        for (long k = 0; k < n; k++) kept |= keep[k] == A;
        if (kept) {
            at = &A->next;
            continue;
        }
        *at = A->next;
        s->held -= A->rows * A->cols;
        A->R->ring.clear(A);
        free(A);
    }
}

static void fail(scope *s, reason why, const char *detail)
{
    const bool first = s->status == HOLDS;                  /* the first failure counts */
    if (first) s->reason = why;
    if (first) s->why = detail ? detail : reason_text(why);
    s->status = UNDECIDED;
}

void scope_undecided(scope *s, reason why, const char *detail)
{
    REQUIRE(why != REASON_NONE && !reason_skips(why), "undecided without a failure: %s", reason_text(why));
    fail(s, why, detail);
}

void scope_not_here(scope *s, reason why, const char *detail)
{
    REQUIRE(reason_skips(why), "skipped although something failed: %s", reason_text(why));
    fail(s, why, detail);
}

static mat *fresh(scope *s, long rows, long cols)
{
    REQUIRE(rows > 0 && cols > 0, "%ld x %ld", rows, cols);
    mat *A = must_calloc(1, sizeof *A);
    *A = (mat){ .R = s->R, .rows = rows, .cols = cols, .next = s->first };
    s->R->ring.init(A);
    s->held += rows * cols;
    if (s->held > s->most_held) s->most_held = s->held;
    return s->first = A;
}

static void same_arith(const scope *s, const mat *A)
{
    REQUIRE(A && A->R == s->R, "a matrix over %s in a scope over %s", A ? A->R->name : "nothing", s->R->name);
}

/* A enters C. */
static void enters(mat *C, const mat *A)
{
    C->given |= A->given;
    for (size_t k = 0; k < COUNT(C->marks.bits); k++) C->marks.bits[k] |= A->marks.bits[k];
    for (int k = 0; k < CHAINS; k++) if (A->chain[k] > C->chain[k]) C->chain[k] = A->chain[k];
}

/* A fresh result for an operation on A and B (B may be A), after their common contract. */
static mat *result(scope *s, const mat *A, const mat *B, long rows, long cols)
{
    same_arith(s, A);
    same_arith(s, B);
    mat *C = fresh(s, rows, cols);
    enters(C, A);
    if (B != A) enters(C, B);
    return C;
}

static void equal_shapes(const mat *A, const mat *B)
{
    REQUIRE(A && B && A->rows == B->rows && A->cols == B->cols, "%ldx%ld and %ldx%ld",
            A ? A->rows : 0, A ? A->cols : 0, B ? B->rows : 0, B ? B->cols : 0);
}

const mat *mat_draw(scope *s, const char *name, long rows, long cols, int log2scale)
{
    return mat_draw_part(s, name, cols, 0, 0, rows, cols, log2scale);
}

/* ---- names of draws: a name is one matrix, so a body that draws it twice has one where a reader sees two ------- */

drawn_by scope_draws(scope *s, drawn_by whose)
{
    const drawn_by was = s->draws;
    if (was != DRAWN_BY_SUITE) s->draws = whose;
    return was;
}

/* How long W_Q is in W_Q.0: to the first dot before a digit. */
static size_t stem_length(const char *name)
{
    const char *dot = strchr(name, '.');
    while (dot && !(dot[1] >= '0' && dot[1] <= '9')) dot = strchr(dot + 1, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

/* One name; or T and T.0 of one body, of which hypotheses speak as of one. */
static bool names_clash(const drawn_name *of, const char *name, drawn_by by)
{
    const size_t n = stem_length(of->name), m = stem_length(name);
    if (strcmp(of->name, name) == 0) return true;
    return of->by == DRAWN_BY_BODY && by == DRAWN_BY_BODY && n == m && strncmp(of->name, name, n) == 0
        && (of->name[n] == '\0' || name[m] == '\0');
}

static void note_name(scope *s, const char *name, const mat *A)
{
    static char says[192];
    if (s->draws != DRAWN_AS_INTERFACE && strncmp(name, INTERFACE_NAME, strlen(INTERFACE_NAME)) == 0)
        scope_undecided(s, REASON_INVALID, "draws " INTERFACE_NAME ", the name of a basis between layers");
    if (s->draws == DRAWN_BY_SUITE || s->draws == DRAWN_AS_INTERFACE) return;
    for (const drawn_name *at = s->drawn; at; at = at->next) {
        if (!names_clash(at, name, s->draws)) continue;
        snprintf(says, sizeof says, "draws %.40s and %.40s: keep the matrix, or give another one a name of its own",
                 at->name, name);
        scope_undecided(s, REASON_INVALID, says);
        return;
    }
    drawn_name *own = scope_alloc(s, sizeof *own + strlen(name) + 1);
    own->next = s->drawn;
    own->A = A;
    own->by = s->draws;
    memcpy(own->name, name, strlen(name) + 1);
    s->drawn = own;
}

const mat *mat_draw_part(scope *s, const char *name, long width, long i, long j, long rows, long cols, int log2scale)
{
    drawing how = { .name = name, .log2scale = log2scale + s->gain, .shape = s->shape_of_draws, .fp32 = s->fp32,
                    .first = i * width + j, .pitch = width };
    const bool whole = i == 0 && j == 0 && cols == width;
    REQUIRE(i >= 0 && j >= 0 && j + cols <= width, "columns %ld..%ld of %ld", j, j + cols - 1, width);
    REQUIRE(whole || (how.shape == CORNER_NONE && !(s->R->traits & SYMBOLIC)), "a part of %s alone", name);
    random_key_derive(how.key, s->key, name);
    mat *A = fresh(s, rows, cols);
    if (s->R->traits & SYMBOLIC) note_name(s, name, A);
    s->R->ring.draw(A, &how);
    A->given = A->drawn = true;
    fingerprint_draw(s->gain || s->shape_of_draws != CORNER_NONE);
    return A;
}

const mat *mat_draw_orthogonal(scope *s, const char *name, long n)
{
    char full[64];
    snprintf(full, sizeof full, ORTHOGONAL_NAME "%s", name);             /* the name sym knows by */
    const mat *G = mat_draw_weight(s, full, n, n);
    if (s->R->traits & SYMBOLIC) return G;
    const mat *S = mat_sub(s, G, mat_t(s, G)), *I = mat_identity(s, n);
    return mat_mul(s, mat_sub(s, I, S), mat_inv(s, mat_add(s, I, S)));
}

const mat *mat_draw_weight(scope *s, const char *name, long rows, long cols)
{
    return mat_draw(s, name, rows, cols, mat_log2_fan_in(rows));
}

const mat *mat_draw_at(scope *s, const char *name, long i, long j, long rows, long cols, int log2scale)
{
    char full[48];
    const int n = j < 0 ? snprintf(full, sizeof full, "%s.%ld", name, i)
                        : snprintf(full, sizeof full, "%s.%ld.%ld", name, i, j);
    REQUIRE(n < (int)sizeof full, "the name %s.%ld.%ld is too long", name, i, j);
    return mat_draw(s, full, rows, cols, log2scale);
}

int mat_log2_fan_in(long fan_in)
{
    REQUIRE(fan_in > 0, "fan-in %ld", fan_in);
    return (int)lround(-log2((double)fan_in) / 2);
}

/* Numbers that the text of a program contains, and no more. */
static mat *literal(scope *s, long rows, long cols, const int64_t *m, long e)
{
    mat *A = fresh(s, rows, cols);
    s->R->ring.set_dyadic(A, m, e);
    return A;
}

const mat *mat_dyadic(scope *s, long rows, long cols, const int64_t *m, long e)
{
    mat *A = literal(s, rows, cols, m, e);
    A->given = rows * cols > 1;
    return A;
}

const mat *mat_given(scope *s, const mat *A)
{
    mat *C = result(s, A, A, A->rows, A->cols);
    s->R->ring.copy(C, 0, 0, A, 0, 0, A->rows, A->cols);
    C->given = true;
    return C;
}

const mat *mat_mark(const mat *A, long k)
{
    REQUIRE(0 <= k && k < MARKS, "origin %ld", k);
    ((mat *)(uintptr_t)A)->marks.bits[k / 64] |= (uint64_t)1 << k % 64;
    return A;
}

bool mat_is_of(const mat *A, long k)
{
    REQUIRE(0 <= k && k < MARKS, "origin %ld", k);
    return A->marks.bits[k / 64] >> k % 64 & 1;
}

void mat_lengthen(const mat *A, int half)
{
    REQUIRE(0 <= half && half < CHAINS, "half %d of a layer", half);
    ((mat *)(uintptr_t)A)->chain[half]++;
}

long mat_chain(const mat *A)
{
    const long attentions = A->chain[CHAIN_ATTENTION], mlps = A->chain[CHAIN_MLP];
    return attentions > mlps ? attentions : mlps;
}

const mat *mat_zero(scope *s, long rows, long cols) { return fresh(s, rows, cols); }

const mat *mat_from_si(scope *s, long rows, long cols, const long *row_major)
{
    int64_t *m = must_calloc((size_t)(rows * cols), sizeof *m);
    for (long k = 0; k < rows * cols; k++) m[k] = row_major[k];
    const mat *A = mat_dyadic(s, rows, cols, m, 0);
    free(m);
    return A;
}

static mat *diagonal(scope *s, long n, const int64_t *m, long e)
{
    REQUIRE(n > 0, "a diagonal matrix of size %ld", n);
    int64_t *all = must_calloc((size_t)(n * n), sizeof *all);
    for (long i = 0; i < n; i++) all[i * n + i] = m[i];
    mat *A = literal(s, n, n, all, e);
    free(all);
    return A;
}

const mat *mat_diag_dyadic(scope *s, long n, const int64_t *m, long e)
{
    mat *A = diagonal(s, n, m, e);
    A->given = n > 1;
    return A;
}

const mat *mat_scalar(scope *s, long n, int64_t c, long e)
{
    REQUIRE(n > 0, "identity of size %ld", n);
    int64_t *m = must_calloc((size_t)n, sizeof *m);
    for (long i = 0; i < n; i++) m[i] = c;
    const mat *A = diagonal(s, n, m, e);
    free(m);
    return A;
}

const mat *mat_identity(scope *s, long n) { return mat_scalar(s, n, 1, 0); }

const mat *mat_unit(scope *s, long rows, long cols, long i, long j)
{
    REQUIRE(0 <= i && i < rows && 0 <= j && j < cols, "entry (%ld, %ld) of %ldx%ld", i, j, rows, cols);
    int64_t *m = must_calloc((size_t)(rows * cols), sizeof *m);
    m[i * cols + j] = 1;
    const mat *A = literal(s, rows, cols, m, 0);
    free(m);
    return A;
}

const mat *mat_ratio(scope *s, long num, long den)
{
    REQUIRE(den > 0, "the number %ld/%ld", num, den);
    const mat *n = mat_from_si(s, 1, 1, &num), *d = mat_from_si(s, 1, 1, &den);
    return mat_mul(s, n, mat_inv(s, d));
}

const mat *mat_ones(scope *s, long rows, long cols)
{
    REQUIRE(rows > 0 && cols > 0, "%ld x %ld", rows, cols);
    int64_t *m = must_calloc((size_t)(rows * cols), sizeof *m);
    for (long k = 0; k < rows * cols; k++) m[k] = 1;
    const mat *A = literal(s, rows, cols, m, 0);
    free(m);
    return A;
}

const mat *mat_add(scope *s, const mat *A, const mat *B)
{
    equal_shapes(A, B);
    mat *C = result(s, A, B, A->rows, A->cols);
    s->R->ring.add(C, A, B);
    return C;
}

const mat *mat_sub(scope *s, const mat *A, const mat *B)
{
    equal_shapes(A, B);
    mat *C = result(s, A, B, A->rows, A->cols);
    s->R->ring.sub(C, A, B);
    return C;
}

const mat *mat_neg(scope *s, const mat *A)
{
    same_arith(s, A);
    return mat_sub(s, mat_zero(s, A->rows, A->cols), A);
}

const mat *mat_add_row(scope *s, const mat *A, const mat *b)
{
    return b ? mat_add(s, A, mat_mul(s, mat_ones(s, A->rows, 1), b)) : A;
}

const mat *mat_hadamard(scope *s, const mat *A, const mat *B)
{
    equal_shapes(A, B);
    mat *C = result(s, A, B, A->rows, A->cols);
    s->R->ring.hadamard(C, A, B);
    return C;
}

const mat *mat_mul(scope *s, const mat *A, const mat *B)
{
    REQUIRE(A && B && A->cols == B->rows, "%ldx%ld times %ldx%ld",
            A ? A->rows : 0, A ? A->cols : 0, B ? B->rows : 0, B ? B->cols : 0);
    mat *C = result(s, A, B, A->rows, B->cols);
    s->R->ring.mul(C, A, B);
    return C;
}

const mat *mat_mul3(scope *s, const mat *A, const mat *B, const mat *C)
{
    return mat_mul(s, mat_mul(s, A, B), C);
}

const mat *mat_scale_rows(scope *s, const mat *g, const mat *A)
{
    REQUIRE(g && A && g->cols == 1 && g->rows == A->rows, "diag(%ldx%ld) times %ldx%ld",
            g ? g->rows : 0, g ? g->cols : 0, A ? A->rows : 0, A ? A->cols : 0);
    mat *C = result(s, g, A, A->rows, A->cols);
    s->R->ring.scale_rows(C, g, A);
    return C;
}

const mat *mat_diag(scope *s, const mat *x) { return mat_scale_rows(s, x, mat_identity(s, x->rows)); }

const mat *mat_scale(scope *s, int64_t c, long e, const mat *A)
{
    same_arith(s, A);
    return mat_mul(s, A, mat_scalar(s, A->cols, c, e));
}

const mat *mat_scale_entries(scope *s, int64_t c, long e, const mat *A)
{
    int64_t *m = must_calloc((size_t)A->rows, sizeof *m);
    for (long i = 0; i < A->rows; i++) m[i] = c;
    const mat *factor = mat_dyadic(s, A->rows, 1, m, e);
    free(m);
    return mat_scale_rows(s, factor, A);
}

const mat *mat_scale_by(scope *s, const mat *c, const mat *A)
{
    REQUIRE(c && c->rows == 1 && c->cols == 1, "a factor of %ldx%ld", c ? c->rows : 0, c ? c->cols : 0);
    return mat_scale_rows(s, mat_mul(s, mat_ones(s, A->rows, 1), c), A);
}

const mat *mat_centering(scope *s, long n)
{
    return mat_sub(s, mat_identity(s, n), mat_scale_by(s, mat_ratio(s, 1, n), mat_ones(s, n, n)));
}

const mat *mat_reciprocal(scope *s, const mat *x)
{
    if (s->R->functions.partial) {                                 /* no condition number of a matrix is involved */
        const mat *r = mat_rsqrt(s, x);
        return mat_hadamard(s, r, r);
    }
    return mat_mul(s, mat_inv(s, mat_diag(s, x)), mat_ones(s, x->rows, 1));
}

const mat *mat_row_squares(scope *s, const mat *A)
{
    return mat_mul(s, mat_hadamard(s, A, A), mat_ones(s, A->cols, 1));
}

const mat *mat_square_sum(scope *s, const mat *A)
{
    const mat *rows = mat_ones(s, 1, A->rows), *cols = mat_ones(s, A->cols, 1);
    return mat_mul3(s, rows, mat_hadamard(s, A, A), cols);
}

const mat *mat_t(scope *s, const mat *A)
{
    same_arith(s, A);
    mat *C = result(s, A, A, A->cols, A->rows);
    s->R->ring.transpose(C, A);
    return C;
}

static atomic_bool refused;
bool inverse_was_refused(void) { return atomic_load(&refused); }
void inverse_forget(void)      { atomic_store(&refused, false); }

const mat *mat_inv(scope *s, const mat *A)
{
    same_arith(s, A);
    if (A->rows != A->cols) atomic_store(&refused, true);
    REQUIRE(A->rows == A->cols, "inverse of %ldx%ld", A->rows, A->cols);
    mat *C = result(s, A, A, A->rows, A->cols);
    if (s->status != HOLDS) return C;
    if (s->R->ring.inv(C, A) != HOLDS) {
        scope_undecided(s, REASON_SINGULAR, NULL);
        return result(s, A, A, A->rows, A->cols);
    }
    if (s->R->ring.cond) s->kappa = fmax(s->kappa, s->R->ring.cond(A, C));
    return C;
}

const mat *mat_cols(scope *s, const mat *A, long j, long n)
{
    same_arith(s, A);
    REQUIRE(0 <= j && n > 0 && j + n <= A->cols, "columns %ld..%ld of %ld", j, j + n - 1, A->cols);
    mat *C = result(s, A, A, A->rows, n);
    s->R->ring.copy(C, 0, 0, A, 0, j, A->rows, n);
    return C;
}

const mat *mat_rows(scope *s, const mat *A, long i, long n)
{
    same_arith(s, A);
    REQUIRE(0 <= i && n > 0 && i + n <= A->rows, "rows %ld..%ld of %ld", i, i + n - 1, A->rows);
    mat *C = result(s, A, A, n, A->cols);
    s->R->ring.copy(C, 0, 0, A, i, 0, n, A->cols);
    return C;
}

const mat *mat_entry(scope *s, const mat *A, long i, long j) { return mat_cols(s, mat_rows(s, A, i, 1), j, 1); }

/* Blocks placed one after another: to the right (dj = 1), below (di = 1), or both. */
static const mat *place_blocks(scope *s, long n, const mat *const part[], bool down, bool right)
{
    REQUIRE(n > 0, "%ld blocks", n);
    long rows = 0, cols = 0;
    for (long k = 0; k < n; k++) {
        same_arith(s, part[k]);
        REQUIRE((down || part[k]->rows == part[0]->rows) && (right || part[k]->cols == part[0]->cols),
                "block %ld is %ldx%ld, block 0 is %ldx%ld", k, part[k]->rows, part[k]->cols,
                part[0]->rows, part[0]->cols);
        rows = down  ? rows + part[k]->rows : part[k]->rows;
        cols = right ? cols + part[k]->cols : part[k]->cols;
    }
    mat *C = fresh(s, rows, cols);
    for (long k = 0, i = 0, j = 0; k < n; k++) {
        s->R->ring.copy(C, i, j, part[k], 0, 0, part[k]->rows, part[k]->cols);
        enters(C, part[k]);
        i += down  ? part[k]->rows : 0;
        j += right ? part[k]->cols : 0;
    }
    return C;
}

const mat *mat_hcat(scope *s, long n, const mat *const part[])      { return place_blocks(s, n, part, false, true); }
const mat *mat_vcat(scope *s, long n, const mat *const part[])      { return place_blocks(s, n, part, true, false); }
const mat *mat_blockdiag(scope *s, long n, const mat *const part[]) { return place_blocks(s, n, part, true, true); }

const mat *mat_as_row(scope *s, const mat *A)
{
    const mat **row = scope_alloc(s, (size_t)A->rows * sizeof(void *));
    for (long i = 0; i < A->rows; i++) row[i] = mat_rows(s, A, i, 1);
    return mat_hcat(s, A->rows, row);
}

const mat *mat_nudge(scope *s, const mat *A, long i, long j)
{
    same_arith(s, A);
    REQUIRE(0 <= i && i < A->rows && 0 <= j && j < A->cols, "entry (%ld, %ld) of %ldx%ld", i, j, A->rows, A->cols);
    const int64_t one = (int64_t)1 << 40;
    int64_t *m = must_calloc((size_t)(A->rows * A->cols), sizeof *m);
    for (long k = 0; k < A->rows * A->cols; k++) m[k] = one;
    m[i * A->cols + j]++;
    const mat *N = mat_dyadic(s, A->rows, A->cols, m, -40);
    free(m);
    return mat_hadamard(s, A, N);
}

static bool has_block(const mat *A, long i, long j, long rows, long cols)
{
    return 0 <= i && 0 <= j && rows >= 0 && cols >= 0 && i + rows <= A->rows && j + cols <= A->cols;
}

mat *mat_blank(scope *s, long rows, long cols) { return fresh(s, rows, cols); }

void mat_put(mat *C, long ci, long cj, const mat *A, long ai, long aj, long rows, long cols)
{
    REQUIRE(A->R == C->R, "a block over %s into a matrix over %s", A->R->name, C->R->name);
    REQUIRE(has_block(A, ai, aj, rows, cols) && has_block(C, ci, cj, rows, cols),
            "%ldx%ld from (%ld, %ld) of %ldx%ld to (%ld, %ld) of %ldx%ld",
            rows, cols, ai, aj, A->rows, A->cols, ci, cj, C->rows, C->cols);
    C->R->ring.copy(C, ci, cj, A, ai, aj, rows, cols);
    enters(C, A);
}

static const mat *applied(scope *s, const mat *C, function_applied what, int kind)
{
    if (s->applied && s->draws == DRAWN_BY_BODY) s->applied(s, C, what, kind);
    return C;
}

const mat *mat_phi(scope *s, const mat *A, activation kind, place at)
{
    same_arith(s, A);
    mat *C = result(s, A, A, A->rows, A->cols);
    if (s->status == HOLDS && s->R->functions.phi(C, A, kind, at) != HOLDS)
        scope_not_here(s, REASON_NO_FUNCTION, "this arithmetic has no such activation");
    return applied(s, C, APPLIED_PHI, (int)kind);
}

const mat *mat_rowmap(scope *s, const mat *A, const rowmap *how, place at)
{
    same_arith(s, A);
    REQUIRE(how->scale_num > 0 && how->scale_den > 0, "scale sqrt(%ld/%ld)", how->scale_num, how->scale_den);
    mat *C = result(s, A, A, A->rows, A->cols);
    if (s->status == HOLDS && s->R->functions.rowmap(C, A, how, at) != HOLDS)
        scope_not_here(s, REASON_NO_FUNCTION, "this arithmetic has no such row map");
    return applied(s, C, APPLIED_ROWMAP, (int)how->kind);
}

const mat *mat_norm(scope *s, const mat *A, norm_kind kind, long log2eps, place at)
{
    same_arith(s, A);
    if (kind == NORM_NONE) return A;
    mat *C = result(s, A, A, A->rows, A->cols);
    applied(s, C, APPLIED_NORM, (int)kind);
    if (s->status != HOLDS || s->R->functions.norm(C, A, kind, log2eps, at) == HOLDS) return C;
    if (s->R->traits & HAS_EXP) scope_undecided(s, REASON_DOMAIN, "the norm of a row may be 0");
    else                        scope_not_here(s, REASON_NO_FUNCTION, "this arithmetic has no such norm here");
    return C;
}

const mat *mat_rotate(scope *s, const mat *A)
{
    same_arith(s, A);
    REQUIRE(A->cols % 2 == 0, "rotation of %ld columns", A->cols);
    mat *C = result(s, A, A, A->rows, A->cols);
    if (s->status == HOLDS && s->R->functions.rotate(C, A) != HOLDS)
        scope_not_here(s, REASON_NO_FUNCTION, "this arithmetic has no rotations");
    return applied(s, C, APPLIED_ROTATION, 0);
}

const mat *mat_angles(scope *s, long n, const long *position, long k, double theta, const double *divide)
{
    REQUIRE(n >= 0 && k >= 0 && theta > 0 && isfinite(theta), "%ld x %ld angles, theta %g", n, k, theta);
    for (long i = 0; i < k && divide; i++)
        REQUIRE(divide[i] > 0 && isfinite(divide[i]), "frequency %ld divided by %g", i, divide[i]);
    mat *C = fresh(s, n, 2 * k);
    const bool known = s->R->functions.angles != NULL;
    if (s->status == HOLDS && !(known && s->R->functions.angles(C, position, theta, divide) == HOLDS))
        scope_not_here(s, REASON_NO_FUNCTION, "this arithmetic has no sines");
    return C;
}

static const mat *partial(scope *s, const mat *A, partial_function kind)
{
    same_arith(s, A);
    mat *C = result(s, A, A, A->rows, A->cols);
    if (s->status != HOLDS) return C;
    if (s->R->functions.partial && s->R->functions.partial(C, A, kind) == HOLDS) return C;
    if (s->R->functions.partial) scope_undecided(s, REASON_DOMAIN, NULL);
    else               scope_not_here(s, REASON_NO_FUNCTION, "this arithmetic has no roots");
    return result(s, A, A, A->rows, A->cols);
}

const mat *mat_rsqrt (scope *s, const mat *A) { return partial(s, A, PARTIAL_RSQRT); }
const mat *mat_artanh(scope *s, const mat *A) { return partial(s, A, PARTIAL_ARTANH); }

/* What symbols, which have neither values nor order nor ranks, answer otherwise or not at all: it tells them apart. */
static atomic_bool value_read;
static void note_question(const arith *R) { if (!(R->traits & SYMBOLIC)) atomic_store(&value_read, true); }
static void note_value(const mat *A)      { note_question(A->R); }
void mat_note_numbers(const scope *s) { note_question(s->R); }
bool mat_value_was_read(void) { return atomic_load(&value_read); }
void mat_forget_values(void)  { atomic_store(&value_read, false); }

truth mat_positive(const mat *A)
{
    note_value(A);
    fingerprint_matrix(A);
    return A->R->ring.positive ? A->R->ring.positive(A) : UNDECIDED;
}

comparison mat_compare_quietly(const mat *A, const mat *B, double log2bound)
{
    equal_shapes(A, B);
    REQUIRE(A->R == B->R, "a matrix over %s against one over %s", A->R->name, B->R->name);
    REQUIRE(A != B, "a matrix compared with itself proves nothing (%ldx%ld)", A->rows, A->cols);
    fingerprint_matrix(A);
    fingerprint_matrix(B);
    return A->R->ring.compare(A, B, log2bound);
}

comparison mat_compare(const mat *A, const mat *B, double log2bound)
{
    note_value(A);
    return mat_compare_quietly(A, B, log2bound);
}

long mat_rank(scope *s, const mat *A)
{
    same_arith(s, A);
    note_value(A);
    fingerprint_matrix(A);
    if (s->R->ring.rank) return s->R->ring.rank(A);
    scope_not_here(s, REASON_NO_RANKS, NULL);
    return -1;
}

bool mat_ranks(const scope *s)
{
    note_question(s->R);
    return s->R->ring.rank || s->R->ring.rank_at_most;
}

static truth rank_question(scope *s, const mat *A, long least, long most)
{
    same_arith(s, A);
    note_value(A);
    if (s->R->ring.rank_at_most) return s->R->ring.rank_at_most(A, most);
    const long rank = mat_rank(s, A);
    return rank < 0 ? UNDECIDED : least <= rank && rank <= most ? HOLDS : REFUTED;
}

truth mat_rank_is     (scope *s, const mat *A, long r) { return rank_question(s, A, r, r); }
truth mat_rank_at_most(scope *s, const mat *A, long r) { return rank_question(s, A, 0, r); }

static void has_entry(const mat *A, long i, long j)
{
    REQUIRE(0 <= i && i < A->rows && 0 <= j && j < A->cols, "entry (%ld, %ld) of %ldx%ld", i, j, A->rows, A->cols);
}

double mat_get_d(const mat *A, long i, long j)
{
    has_entry(A, i, j);
    note_value(A);
    const double x = A->R->ring.get_d(A, i, j);
    fingerprint_real(x);
    return x;
}

bool mat_get_exact(mpq_t x, const mat *A, long i, long j)
{
    has_entry(A, i, j);
    note_value(A);
    fingerprint_real(A->R->ring.get_d(A, i, j));
    return A->R->ring.get_exact(x, A, i, j);
}

double mat_log2max_quietly(const mat *A)
{
    fingerprint_matrix(A);
    return A->R->ring.log2max(A);
}

double mat_log2max(const mat *A)
{
    note_value(A);
    return mat_log2max_quietly(A);
}
void arith_close(arith *R)       { if (R->close) R->close(R); R->state = NULL; }
