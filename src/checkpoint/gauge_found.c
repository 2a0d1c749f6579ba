/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_found.c - see gauge_found.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/gauge_fit.h"
#include "src/checkpoint/gauge_form.h"
#include "src/checkpoint/gauge_found.h"
#include "src/checkpoint/lost.h"
#include "src/checkpoint/stream_found.h"

typedef struct { block of[ROLES]; scope s; } layer_parts;                     /* x NULL: not there        */
typedef struct { tensor_role role; long layer; double distance, units, allowed; bool lost; } part_distance;
typedef struct {
    const transformer *A, *B;
    const arith *R;
    const stream_found *stream;          /* NULL: the basis of A                                        */
    const gauge_file *given;             /* NULL: gauges are fitted                                     */
    part_distance *part;
    long parts;
    gauge_found found;
} search;

static const tensor_role attention_roles[] = { ROLE_Q, ROLE_K, ROLE_V, ROLE_O, ROLE_Q_BIAS, ROLE_K_BIAS, ROLE_V_BIAS };
static const tensor_role mlp_roles[] = { ROLE_UP, ROLE_GATE, ROLE_DOWN, ROLE_UP_BIAS, ROLE_GATE_BIAS };

static bool in_list(tensor_role role, size_t n, const tensor_role roles[])
{
    for (size_t k = 0; k < n; k++) if (roles[k] == role) return true;
    return false;
}

/* A vector that is added: where only one model has it, the other's is 0. */
static bool is_bias(tensor_role role)
{
    static const tensor_role biases[] = { ROLE_Q_BIAS, ROLE_K_BIAS, ROLE_V_BIAS, ROLE_O_BIAS, ROLE_UP_BIAS,
        ROLE_GATE_BIAS, ROLE_DOWN_BIAS, ROLE_HEAD_BIAS };
    return in_list(role, COUNT(biases), biases);
}

/* The part of the image of A, or of B; zeros for a bias that only the other has.  NULL: neither has it. */
static const mat *exact_part(const search *f, scope *s, const transformer *D, tensor_role role, long layer, long first,
                             long count)
{
    const mat *own = D == f->A ? stream_image(f->stream, s, role, layer, first, count)
                               : stream_target(f->stream, s, role, layer, first, count);
    if (own || !is_bias(role)) return own;
    const mat *other = D == f->A ? stream_target(f->stream, s, role, layer, first, count)
                                 : stream_image(f->stream, s, role, layer, first, count);
    return other ? mat_zero(s, 1, other->cols) : NULL;
}

/* One rounding to the coarser of the part's types in A and in B. */
static rounding rounding_of_part(const search *f, tensor_role role, long layer)
{
    const weight_tensor *a = tensor_of_part(f->A, role, layer), *b = tensor_of_part(f->B, role, layer);
    return rounding_of(a ? a->numbers : b ? b->numbers : NUMBERS_F64, b ? b->numbers : a ? a->numbers : NUMBERS_F64);
}

/* Roundings that a part of A* may be off.  size: of its products and sums; NULL: it has none. */
static double units_in(const search *f, tensor_role role, long layer, const double *size)
{
    const rounding by = rounding_of_part(f, role, layer);
    if (size) return product_units(&by, f->stream->condition, f->stream->bases ? f->A->d : 0);
    return ROUNDING_UNITS + (f->stream ? (double)stream_factors(f->stream, role, layer) * FACTOR_UNITS : 0);
}

static block exact_block(const search *f, scope *s, const transformer *D, tensor_role role, long layer, long first,
                         long count)
{
    if (D == f->B && stream_keeps(f->stream, role)) {    /* the numbers of the file */
        block b = { .exact = NULL };
        b.x = doubles_in_halves(D, role, layer, first, count, &b.rows, &b.cols);
        if (b.x) return b;
    }
    const mat *W = exact_part(f, s, D, role, layer, first, count);
    if (!W) return (block){ .x = NULL };
    block b = { .x = must_calloc((size_t)(W->rows * W->cols), sizeof(double)), .rows = W->rows, .cols = W->cols,
                .exact = W };
    if (D == f->A) b.size = stream_sizes(f->stream, role, layer, first, count);
    if (b.size) b.condition = f->stream->condition, b.terms = f->stream->bases ? f->A->d : 0;
    if (D == f->A) b.units = units_in(f, role, layer, b.size);
    for (long r = 0; r < W->rows; r++) arith_arb_row(W, r, true, b.x + r * W->cols);
    return b;
}

static layer_parts read_parts(const search *f, const transformer *D, long layer, size_t n, const tensor_role roles[])
{
    layer_parts p = { .s = scope_open(f->R, 0, 0) };
    for (size_t k = 0; k < n; k++) {
        block *b = &p.of[roles[k]];
        if (f->stream) {
            *b = exact_block(f, &p.s, D, roles[k], layer, 0, 0);
            continue;
        }
        b->x = doubles_in_halves(D, roles[k], layer, 0, 0, &b->rows, &b->cols);
        if (b->x || roles[k] < ROLE_Q || roles[k] > ROLE_V) continue;
        /* W = I */
        *b = (block){ .x = must_calloc((size_t)(D->d * D->d), sizeof(double)), .rows = D->d, .cols = D->d };
        for (long i = 0; i < D->d; i++) b->x[i * D->d + i] = 1;
    }
    return p;
}

static void free_parts(layer_parts *p)
{
    for (int r = 0; r < ROLES; r++) {
        free(p->of[r].x);
        free(p->of[r].size);
    }
    scope_close(&p->s);
}

static double *cut(const block *from, const double *x, long first, const block *to, bool rows)
{
    if (!x) return NULL;
    double *y = must_calloc((size_t)(to->rows * to->cols), sizeof *y);
    for (long r = 0; r < to->rows; r++)
        memcpy(y + r * to->cols, x + (rows ? first + r : r) * from->cols + (rows ? 0 : first),
               (size_t)to->cols * sizeof *y);
    return y;
}

/* Columns (rows for W_O) first ... first + n - 1 as a matrix of its own, an exact one in s. */
static block slice(scope *s, const block *from, long first, long n, bool rows)
{
    if (!from->x) return (block){ .x = NULL };
    block b = { .rows = rows ? n : from->rows, .cols = rows ? from->cols : n };
    b.x = cut(from, from->x, first, &b, rows);
    b.size = cut(from, from->size, first, &b, rows);
    b.condition = from->condition;
    b.terms = from->terms;
    b.units = from->units;
    if (s && from->exact) b.exact = rows ? mat_rows(s, from->exact, first, n) : mat_cols(s, from->exact, first, n);
    return b;
}

/* ---- enclosing --------------------------------------------------------------------------------------------------- */

static void free_block(block *b)
{
    free(b->x);
    free(b->size);
}

/* units: of roundings, `allowed` of them; lost: see lost.h */
typedef struct { double distance, units, allowed; bool lost; } how_far;

static void note(search *f, tensor_role role, long layer, how_far is)
{
    if (isnan(is.distance) || isnan(is.units)) is.distance = is.units = INFINITY;
    long k = f->parts;
    while (k > 0 && (f->part[k - 1].role != role || f->part[k - 1].layer != layer)) k--;
    if (k == 0) {
        f->part = must_realloc(f->part, (size_t)f->parts + 1, sizeof *f->part);
        f->part[f->parts++] = (part_distance){ role, layer, is.distance, is.units, is.allowed, is.lost };
    } else {
        part_distance *p = &f->part[k - 1];
        p->distance = fmax(p->distance, is.distance);
        p->lost = p->lost || is.lost;
        if (is.units * p->allowed > p->units * is.allowed) p->units = is.units, p->allowed = is.allowed;
    }
    gauge_found *to = &f->found;
    if (is.units * to->allowed > to->units * is.allowed) to->units = is.units, to->allowed = is.allowed;
    if (!(is.distance > to->distance)) return;
    to->distance = is.distance;
    to->role = role;
    to->layer = layer;
}

static const mat *as_mat(scope *s, const block *b)
{
    return b->exact ? b->exact : mat_of_doubles(s, b->rows, b->cols, b->x);
}

/* Roundings that entries may be off: those of a column, or of a row; NULL: all of them `all`, and their root mean
 * square `all` times share.  noise: see gauge_noise.  given: of sizes, what given_noise says. */
typedef struct { const double *of; bool rows; double all, share, noise, given; } allowance;

/* Gauges of a file are rounded to doubles, once: where a sum of products of B is 0, that of the image is this share of
 * its size, of which no more counts than B's largest number.  A fit is done with B's own numbers and needs none. */
static double given_noise(const search *f, double condition)
{
    return f->given ? fmin(4 * 0x1p-53 * condition * (f->stream ? f->stream->condition : 1), 0x1p-40) : 0;
}

/* The largest of rounding_units_of_all of a row, or of a column. */
static double units_of_lines(const rounding *by, long rows, long cols, const double *off, const double *size)
{
    double units = 0, *x = must_calloc((size_t)(2 * rows), sizeof *x), *y = x + rows;
    for (long r = 0; r < rows && cols > 1; r++)
        units = fmax(units, rounding_units_of_all(by, cols, off + r * cols, size + r * cols));
    for (long c = 0; c < cols; c++) {
        for (long r = 0; r < rows; r++) x[r] = off[r * cols + c], y[r] = size[r * cols + c];
        units = fmax(units, rounding_units_of_all(by, rows, x, y));
    }
    free(x);
    return units;
}

/* The distance of B's block from the image.  size: what roundings of each entry are measured by; NULL: B's own. */
static void enclose(search *f, scope *s, tensor_role role, long layer, const mat *image, const block *B,
                    const double *size, allowance may)
{
    REQUIRE(B->x, "layer %ld, %s", layer, role_name[role]);
    const mat *off = B->exact ? mat_sub(s, B->exact, image) : image;
    const rounding by = rounding_of_part(f, role, layer);
    const long n = off->rows * off->cols;
    const double largest = block_largest(B);
    double most = s->status == HOLDS ? 0 : INFINITY, units = most, allowed = may.of ? may.of[0] : may.all;
    double *far = must_calloc((size_t)(4 * n), sizeof *far), *larger = far + n, *lost = far + 2 * n, *is = far + 3 * n;
    for (long i = 0; i < off->rows; i++)
        for (long j = 0; j < off->cols; j++) {
            const long k = i * B->cols + j;
            far[k] = arith_arb_farthest(off, i, j, B->exact ? 0 : B->x[k]);
            if (isnan(far[k])) far[k] = INFINITY;
            most = fmax(most, far[k]);
            const double of_size = size ? size[k] : fabs(B->x[k]), own = rounding_units(&by, far[k], of_size);
            const double own_allowed = may.of ? may.of[may.rows ? i : j] : may.all;
            larger[k] = fmax(fabs(B->x[k]), far[k]);
            lost[k] = lost_of(far[k], own_allowed, by.unit, of_size);
            is[k] = B->x[k] != 0 ? fabs(B->x[k]) : fmin(may.given * (size ? size[k] : 0) / by.unit, largest);
            if (own * allowed > units * own_allowed) units = own, allowed = own_allowed;
            far[k] /= own_allowed * may.share;
        }
    double too_far = 0;                                                  /* a bias may cancel                   */
    if (off->rows > 1) {
        const double of_all = rounding_units_of_all(&by, n, far, is);
        const double of_line = units_of_lines(&by, off->rows, off->cols, far, is) * may.share;
        too_far = fmax(fmax(of_all, of_line), may.noise / NOISE_UNITS);
    }
    if (too_far * allowed > units) units = too_far * allowed;
    const bool gone = units <= allowed && numbers_lost_in(off->rows, off->cols, by.unit, larger, lost);
    free(far);
    note(f, role, layer, (how_far){ most > 0 ? largest > 0 ? most / largest * (1 + 0x1p-50) : INFINITY : 0,
                                    units * (1 + 0x1p-50), allowed, gone });
}

/* Two heads: image(A's) against B's. */
typedef struct { const layer_parts *A, *B; long layer, dk; } heads;

/* A gauge, and what it is multiplied by exactly; factor: units that its numbers are off, where it was not fitted to the
 * part. */
typedef struct { const double *x; const mat *exact; double factor; } applied;

static double *transposed(const block *b)
{
    double *x = must_calloc((size_t)(b->rows * b->cols), sizeof *x);
    for (long r = 0; r < b->rows; r++) for (long c = 0; c < b->cols; c++) x[c * b->rows + r] = b->x[r * b->cols + c];
    return x;
}

/* Where the gauge adds anything, and numbers are not stored in doubles, in which a fit is no better than they are. */
static double noise_between(const block *x, const block *y, const applied *G, bool left, const rounding *by)
{
    const long k = left ? x->rows : x->cols, n = left ? x->cols : x->rows;
    if (by->unit <= 0x1p-53 || n < 2 * k || gauge_adds_nothing(G->x, k)) return 0;
    if (!left) return gauge_noise(x, y, by);
    block a = { .x = transposed(x), .rows = n, .cols = k }, b = { .x = transposed(y), .rows = n, .cols = k };
    const double noise = gauge_noise(&a, &b, by);
    free(a.x);
    free(b.x);
    return noise;
}

static void enclose_right(search *f, scope *s, const heads *h, tensor_role role, long a, long b, const applied *G)
{
    block x = slice(s, &h->A->of[role], a * h->dk, h->dk, false);
    if (!x.x) return;
    block y = slice(s, &h->B->of[role], b * h->dk, h->dk, false);
    const rounding by = rounding_of_part(f, role, h->layer);
    double *size = gauge_sizes(&x, G->x, false), *allowed = gauge_allowed(&x, G->x, false, G->factor, &by);
    enclose(f, s, role, h->layer, mat_mul(s, as_mat(s, &x), G->exact), &y, size,
            (allowance){ allowed, false, 0, 1, noise_between(&x, &y, G, false, &by),
                         given_noise(f, gauge_condition(G->x, h->dk)) });
    free(size);
    free(allowed);
    free_block(&x);
    free_block(&y);
}

static void enclose_left(search *f, scope *s, const heads *h, long a, long b, const applied *back)
{
    block x = slice(s, &h->A->of[ROLE_O], a * h->dk, h->dk, true);
    block y = slice(s, &h->B->of[ROLE_O], b * h->dk, h->dk, true);
    const rounding by = rounding_of_part(f, ROLE_O, h->layer);
    double *size = gauge_sizes(&x, back->x, true), *allowed = gauge_allowed(&x, back->x, true, back->factor, &by);
    enclose(f, s, ROLE_O, h->layer, mat_mul(s, back->exact, as_mat(s, &x)), &y, size,
            (allowance){ allowed, true, 0, 1, noise_between(&x, &y, back, true, &by),
                         given_noise(f, gauge_condition(back->x, h->dk)) });
    free(size);
    free(allowed);
    free_block(&x);
    free_block(&y);
}

/* ---- attention --------------------------------------------------------------------------------------------------- */

/* The query head of A in key head `from` that becomes head b of B; -1: none. */
static long query_of(const search *f, const heads *h, long b, long from, const double *turn, const bool *taken)
{
    const long group = f->A->h / f->A->h_kv;
    block y = slice(NULL, &h->B->of[ROLE_Q], b * h->dk, h->dk, false);
    const rounding by = rounding_of_part(f, ROLE_Q, h->layer);
    long found = -1;
    for (long k = 0; k < group && found < 0; k++) {
        const long a = from * group + (b % group + k) % group;           /* first the one at the same place */
        if (taken[a]) continue;
        block x = slice(NULL, &h->A->of[ROLE_Q], a * h->dk, h->dk, false);
        double *allowed = gauge_allowed(&x, turn, false, FACTOR_UNITS, &by);
        if (gauge_maps(&x, turn, &y, &by, allowed)) found = a;
        free(allowed);
        free_block(&x);
    }
    free_block(&y);
    return found;
}

static double *inverse_of(const double *H, long k)              /* H^-1                         */
{
    double *turned = gauge_inverse_transposed(H, k);
    for (long r = 0; turned && r < k; r++)
        for (long c = 0; c < r; c++) {
            const double keep = turned[r * k + c];
            turned[r * k + c] = turned[c * k + r];
            turned[c * k + r] = keep;
        }
    return turned;
}

/* Of that key head, to be freed; NULL in gauges: the identity. */
static double *given_gauge(const search *f, double *const gauges[], long layer, long g)
{
    const long dk = f->given->dk;
    double *G = must_calloc((size_t)(dk * dk), sizeof *G);
    if (gauges[layer]) memcpy(G, gauges[layer] + g * dk * dk, (size_t)(dk * dk) * sizeof *G);
    else for (long i = 0; i < dk; i++) G[i * dk + i] = 1;
    return G;
}

static void note_singular(search *f, long layer, const char *which)
{
    f->found.singular = true;
    if (!f->found.why) f->found.why = must_format("layers.%ld.%s is singular", layer, which);
}

/* Behind a worse one everything is a sum of large numbers, and a file could choose them so that nothing is excluded. */
#define GIVEN_CONDITION 0x1p16

static void note_condition(search *f, double condition)
{
    if (condition > GIVEN_CONDITION && !f->found.why)
        f->found.why = must_format("one of them has the condition number %.3g, and nothing follows from more than %.0f",
                                   condition, GIVEN_CONDITION);
}

/* Key head g of B as the image of key head `from` of A. */
static bool key_head(search *f, const heads *h, long g, long from, bool *taken)
{
    const transformer *D = f->A;
    const long dk = h->dk, group = D->h / D->h_kv;
    block v = slice(NULL, &h->A->of[ROLE_V], from * dk, dk, false);
    block w = slice(NULL, &h->B->of[ROLE_V], g * dk, dk, false);
    block k = slice(NULL, &h->A->of[ROLE_K], from * dk, dk, false);
    block l = slice(NULL, &h->B->of[ROLE_K], g * dk, dk, false);
    const long turning = D->positions == POSITIONS_ROTARY ? D->rotary : 0;
    const rounding of_v = rounding_of_part(f, ROLE_V, h->layer), of_k = rounding_of_part(f, ROLE_K, h->layer);
    double *H = f->given ? given_gauge(f, f->given->values, h->layer, g) : gauge_fit(&v, &w, 0, false, &of_v);
    double *G = f->given ? given_gauge(f, f->given->queries, h->layer, g)
              : H ? gauge_fit(&k, &l, turning, D->qk_norm, &of_k) : NULL;
    double *turn = G ? gauge_inverse_transposed(G, dk) : NULL, *back = turn ? inverse_of(H, dk) : NULL;
    if (f->given && !back) note_singular(f, h->layer, turn ? "values" : "queries");
    if (f->given && back) {
        note_condition(f, gauge_condition(H, dk));
        note_condition(f, gauge_condition(G, dk));
    }
    bool good = back != NULL;
    long *query = must_calloc((size_t)group, sizeof *query);
    for (long b = 0; b < group && good; b++) {
        query[b] = f->given ? from * group + b : query_of(f, h, g * group + b, from, turn, taken);
        good = query[b] >= 0;
        if (good) taken[query[b]] = true;
    }
    scope s = scope_open(f->R, 0, 0);
    if (good) {
        const mat *Hm = mat_of_doubles(&s, dk, dk, H), *Gm = mat_of_doubles(&s, dk, dk, G);
        const applied of_h = { H, Hm, 0 }, of_g = { G, Gm, 0 };
        const applied H_back = { back, gauge_is_identity(H, dk) ? Hm : mat_inv(&s, Hm), FACTOR_UNITS };
        if (f->given && s.status != HOLDS) note_singular(f, h->layer, "values");
        const applied G_turn = { turn, gauge_is_identity(G, dk) ? Gm : mat_t(&s, mat_inv(&s, Gm)), FACTOR_UNITS };
        if (f->given && s.status != HOLDS) note_singular(f, h->layer, "queries");
        enclose_right(f, &s, h, ROLE_V, from, g, &of_h);
        enclose_right(f, &s, h, ROLE_V_BIAS, from, g, &of_h);
        enclose_right(f, &s, h, ROLE_K, from, g, &of_g);
        enclose_right(f, &s, h, ROLE_K_BIAS, from, g, &of_g);
        for (long b = g * group; b < (g + 1) * group; b++) {
            const long a = query[b - g * group];
            f->found.orders += a != b;
            enclose_right(f, &s, h, ROLE_Q, a, b, &G_turn);
            enclose_right(f, &s, h, ROLE_Q_BIAS, a, b, &G_turn);
            enclose_left(f, &s, h, a, b, &H_back);
        }
        f->found.gauges += !gauge_is_identity(H, dk) || !gauge_is_identity(G, dk);
    }
    scope_close(&s);
    free_block(&v);
    free_block(&w);
    free_block(&k);
    free_block(&l);
    free(turn);
    free(back);
    if (good) {
        f->found.map = must_realloc(f->found.map, (size_t)f->found.maps + 1, sizeof *f->found.map);
        f->found.map[f->found.maps++] = (head_map){ h->layer, g, from, query, H, G };
        return true;
    }
    free(H); free(G); free(query);
    return false;
}

static bool same_presence(const layer_parts *a, const layer_parts *b, size_t n, const tensor_role roles[])
{
    for (size_t k = 0; k < n; k++) if (!a->of[roles[k]].x != !b->of[roles[k]].x) return false;
    return true;
}

static bool same_numbers(const layer_parts *a, const layer_parts *b, size_t n, const tensor_role roles[])
{
    for (size_t k = 0; k < n; k++) {
        const block *x = &a->of[roles[k]], *y = &b->of[roles[k]];
        if (!x->x != !y->x || x->rows != y->rows || x->cols != y->cols) return false;
        if (x->x && memcmp(x->x, y->x, (size_t)(x->rows * x->cols) * sizeof(double)) != 0) return false;
    }
    return true;
}

/* What was noted before heads were tried that do not belong together. */
typedef struct {
    part_distance *part;
    long parts;
    gauge_found found;
} saved_parts;

static void take_figures(gauge_found *to, const gauge_found *from)      /* all but the maps             */
{
    to->distance = from->distance;
    to->units = from->units;
    to->allowed = from->allowed;
    to->role = from->role;
    to->layer = from->layer;
    to->gauges = from->gauges;
    to->orders = from->orders;
}

static saved_parts save_parts(const search *f)
{
    const saved_parts s = { must_calloc((size_t)f->parts + 1, sizeof *s.part), f->parts, f->found };
    if (f->parts) memcpy(s.part, f->part, (size_t)f->parts * sizeof *s.part);
    return s;
}

static void restore_parts(search *f, const saved_parts *s)
{
    if (s->parts) memcpy(f->part, s->part, (size_t)s->parts * sizeof *s->part);
    f->parts = s->parts;
    take_figures(&f->found, &s->found);
}

static void free_map(head_map *m)
{
    free(m->query);
    free(m->H);
    free(m->G);
}

static void drop_maps(gauge_found *g, long layer)        /* the last                                    */
{
    while (g->maps > 0 && g->map[g->maps - 1].layer == layer) free_map(&g->map[--g->maps]);
}

/* Where no gauge was found: how far each part is away without one. */
static void enclose_as_they_are(search *f, const layer_parts *a, const layer_parts *b, long layer, size_t n,
                                const tensor_role roles[])
{
    for (size_t k = 0; k < n; k++) {
        const block *x = &a->of[roles[k]], *y = &b->of[roles[k]];
        scope s = scope_open(f->R, 0, 0);
        if (x->x && y->x && x->rows == y->rows && x->cols == y->cols)
            enclose(f, &s, roles[k], layer, as_mat(&s, x), y, x->size,
                    (allowance){ .all = fmax(x->units, ROUNDING_UNITS), .share = 1 });
        else if (x->x || y->x) note(f, roles[k], layer, (how_far){ INFINITY, INFINITY, 1, false });
        scope_close(&s);
    }
}

/* Key heads of B as images of A's, each of another one; false: there are none, and nothing is noted. */
static bool key_heads(search *f, const layer_parts *a, const layer_parts *b, long layer)
{
    const heads h = { a, b, layer, f->A->dk };
    const long group = f->A->h / f->A->h_kv;
    bool good = same_presence(a, b, COUNT(attention_roles), attention_roles);
    const saved_parts saved = save_parts(f);
    const bool in_place = f->given || f->A->buckets;     /* each head has biases of scores of its own           */
    bool *used = must_calloc((size_t)f->A->h_kv, sizeof *used), *taken = must_calloc((size_t)f->A->h, sizeof *taken);
    for (long g = 0; g < f->A->h_kv && good; g++) {
        good = false;
        for (long k = 0; k < (in_place ? 1 : f->A->h_kv) && !good; k++) {
            const long from = (g + k) % f->A->h_kv;
            if (used[from]) continue;
            const gauge_found before = f->found;
            good = used[from] = key_head(f, &h, g, from, taken);
            if (good || f->given) continue;              /* given: there is no other                    */
            f->found = before;
            for (long q = from * group; q < (from + 1) * group; q++) taken[q] = false;
        }
    }
    free(used);
    free(taken);
    if (!good) {
        restore_parts(f, &saved);
        drop_maps(&f->found, layer);
    }
    free(saved.part);
    return good;
}

static long row_of_zeros(const block *W)                 /* -1: none                                    */
{
    for (long r = 0; r < W->rows; r++) {
        bool zeros = true;
        for (long c = 0; c < W->cols; c++) zeros = zeros && W->x[r * W->cols + c] == 0;
        if (zeros) return r;
    }
    return -1;
}

static void put_exact(block *b, const mat *W)
{
    b->exact = W;
    for (long r = 0; r < W->rows; r++) arith_arb_row(W, r, true, b->x + r * W->cols);
}

static const double ROW_MOST = 16;       /* times the gain of any other row                             */

/* W_Q and b_Q of A with that row of W_Q 0 that is 0 in B: behind LayerNorm the same function (N18).  false: there is no
 * such row, or nothing that takes the shift. */
static bool take_zero_row(search *f, layer_parts *a, const layer_parts *b, long layer)
{
    block *Q = &a->of[ROLE_Q], *bias = &a->of[ROLE_Q_BIAS];
    const bool behind = f->A->norm == NORM_OF_LAYER && norms_in_front(f->A);
    const long at = behind && Q->x && b->of[ROLE_Q].x ? row_of_zeros(&b->of[ROLE_Q]) : -1;
    if (at < 0 || f->stream || row_of_zeros(Q) == at) return false;
    scope *s = &a->s;
    const mat *g = part_of_file(f->A, s, ROLE_GAIN1, layer, 0, 0);
    const mat *beta = part_of_file(f->A, s, ROLE_BIAS1, layer, 0, 0);
    if (beta && !bias->x) return false;
    const mat *W = as_mat(s, Q), *to = W, *shifted = bias->x ? as_mat(s, bias) : NULL;
    zero_row_form(s, g, beta, at, &to, &shifted);
    if (s->status != HOLDS || mat_get_d(g, 0, at) == 0) return false;
    for (long r = 0; r < Q->rows; r++)                   /* what is subtracted must not hide the rest    */
        if (fabs(mat_get_d(g, 0, at)) > ROW_MOST * fabs(mat_get_d(g, 0, r))) return false;
    Q->size = must_calloc((size_t)(Q->rows * Q->cols), sizeof *Q->size);
    for (long k = 0; k < Q->rows * Q->cols; k++) Q->size[k] = fabs(Q->x[k]);
    const double own = mat_get_d(g, 0, at);
    for (long r = 0; r < Q->rows; r++)                   /* |W| + |c| |W[at, :]| */
        for (long c = 0; c < Q->cols && r != at; c++)
            Q->size[r * Q->cols + c] += fabs(own / mat_get_d(g, 0, r) * Q->x[at * Q->cols + c]);
    const rounding of_q = rounding_of_part(f, ROLE_Q, layer);
    Q->condition = 1;
    Q->terms = 1;
    Q->units = product_units(&of_q, 1, 1);
    put_exact(Q, to);
    if (beta) {
        bias->size = must_calloc((size_t)bias->cols, sizeof *bias->size);
        for (long c = 0; c < bias->cols; c++)
            for (long r = 0; r < Q->rows; r++)
                bias->size[c] += fabs(mat_get_d(beta, 0, r)) * Q->size[r * Q->cols + c];
        for (long c = 0; c < bias->cols; c++) bias->size[c] += fabs(bias->x[c]);
        const rounding of_bias = rounding_of_part(f, ROLE_Q_BIAS, layer);
        bias->condition = 1;
        bias->terms = Q->rows;
        bias->units = product_units(&of_bias, 1, Q->rows);
        put_exact(bias, shifted);
    }
    return true;
}

/* Do given gauges move the layer's heads? */
static bool is_gauged(const search *f, long layer)
{
    return f->given && (f->given->values[layer] || f->given->queries[layer]);
}

static bool attention(search *f, long layer)
{
    layer_parts a = read_parts(f, f->A, layer, COUNT(attention_roles), attention_roles);
    layer_parts b = read_parts(f, f->B, layer, COUNT(attention_roles), attention_roles);
    bool good = !f->stream && !is_gauged(f, layer) && same_numbers(&a, &b, COUNT(attention_roles), attention_roles);
    if (!good) good = key_heads(f, &a, &b, layer);
    if (!good && !f->given && take_zero_row(f, &a, &b, layer)) {
        good = key_heads(f, &a, &b, layer);
        f->found.zero_rows += good;
    }
    if (!good && f->stream) enclose_as_they_are(f, &a, &b, layer, COUNT(attention_roles), attention_roles);
    free_parts(&a);
    free_parts(&b);
    return good || f->stream;
}

/* ---- the MLP ----------------------------------------------------------------------------------------------------- */

typedef struct { const double *x; long n, at; } neuron;
static int by_numbers(const void *s, const void *t)
{
    const neuron *a = s, *b = t;
    for (long k = 0; k < a->n; k++) if (a->x[k] != b->x[k]) return a->x[k] < b->x[k] ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* from[j]: the neuron of A that is neuron j of B, number by number in up; false: there is none. */
static bool neurons(const block *A, const block *B, long *from)
{
    const long m = A->cols, d = A->rows;
    neuron *of[2];
    double *copy[2];
    #pragma omp parallel for
    for (int k = 0; k < 2; k++) {
        of[k] = must_calloc((size_t)m, sizeof **of);
        copy[k] = must_calloc((size_t)(m * d), sizeof **copy);
        for (long j = 0; j < m; j++) {
            for (long i = 0; i < d; i++) copy[k][j * d + i] = (k ? B : A)->x[i * m + j];
            of[k][j] = (neuron){ copy[k] + j * d, d, j };
        }
        qsort(of[k], (size_t)m, sizeof **of, by_numbers);
    }
    bool same = true;
    for (long j = 0; j < m && same; j++) {
        same = memcmp(of[0][j].x, of[1][j].x, (size_t)d * sizeof(double)) == 0;
        from[of[1][j].at] = of[0][j].at;
    }
    for (int k = 0; k < 2; k++) {
        free(of[k]);
        free(copy[k]);
    }
    return same;
}

static double image_of_neuron(tensor_role role, const block *x, const long *from, long r, long c)
{
    return role == ROLE_DOWN ? x->x[from[r] * x->cols + c] : x->x[r * x->cols + from[c]];
}

static bool same_image(tensor_role role, const block *x, const block *y, const long *from)
{
    bool same = true;
    #pragma omp parallel for reduction(&&: same)
    for (long r = 0; r < x->rows; r++)
        for (long c = 0; c < x->cols && same; c++) same = image_of_neuron(role, x, from, r, c) == y->x[r * x->cols + c];
    return same;
}

/* Neuron j of B beside neuron from[j] of A. */
static void neurons_apart(search *f, tensor_role role, long layer, const block *x, const block *y, const long *from)
{
    if (same_image(role, x, y, from)) return;
    const rounding by = rounding_of_part(f, role, layer);
    const long n = x->rows * x->cols;
    double *larger = must_calloc((size_t)(2 * n), sizeof *larger), *lost = larger + n, most = 0, units = 0;
    for (long r = 0; r < x->rows; r++)
        for (long c = 0; c < x->cols; c++) {
            const long k = r * x->cols + c;
            const double number = fabs(y->x[k]), off = fabs(image_of_neuron(role, x, from, r, c) - y->x[k]);
            most = fmax(most, off);
            units = fmax(units, rounding_units(&by, off, number));
            larger[k] = fmax(number, off);
            lost[k] = lost_of(off, ROUNDING_UNITS, by.unit, number);
        }
    const bool gone = units <= ROUNDING_UNITS && numbers_lost_in(x->rows, x->cols, by.unit, larger, lost);
    note(f, role, layer, (how_far){ most / block_largest(y) * (1 + 0x1p-50), units, ROUNDING_UNITS, gone });
    free(larger);
}

static bool mlp(search *f, long layer)
{
    layer_parts a = read_parts(f, f->A, layer, COUNT(mlp_roles), mlp_roles);
    layer_parts b = read_parts(f, f->B, layer, COUNT(mlp_roles), mlp_roles);
    bool good = same_presence(&a, &b, COUNT(mlp_roles), mlp_roles);
    const long m = place_width(f->A, layer);
    long *from = must_calloc((size_t)m, sizeof *from);
    bool moved = false;
    if (!good || !neurons(&a.of[ROLE_UP], &b.of[ROLE_UP], from)) for (long j = 0; j < m; j++) from[j] = j;
    for (long j = 0; j < m; j++) moved = moved || from[j] != j;
    for (size_t k = 0; k < COUNT(mlp_roles) && good; k++) {
        const tensor_role role = mlp_roles[k];
        const block *x = &a.of[role], *y = &b.of[role];
        if (x->x) neurons_apart(f, role, layer, x, y, from);
    }
    f->found.orders += moved;
    if (moved && good) {
        f->found.order = must_realloc(f->found.order, (size_t)f->found.layers + 1, sizeof *f->found.order);
        f->found.order[f->found.layers++] = (neuron_order){ layer, from };
    } else free(from);
    free_parts(&a);
    free_parts(&b);
    return good;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static bool is_near(const part_distance *p)
{
    return p->units <= p->allowed && p->distance <= ROUNDING_MOST && !p->lost;
}

/* Nothing of them needs to be read again. */
static bool equal_parts(const structure *s, long layer, size_t n, const tensor_role roles[])
{
    for (size_t k = 0; k < n; k++) if (structure_at(s, roles[k], layer)) return false;
    return true;
}

/* text in front of which it says where; frees it. */
static char *at_place(const transformer *D, long at, char *text)
{
    char *where = place_words(D, at), *to = must_format("%s%s%s", where, *where ? ": " : "", text);
    free(where);
    free(text);
    return to;
}

static char *no_image(const search *f, const part_distance *p)
{
    const char *role = role_name[p->role];
    return at_place(f->A, p->layer, p->lost
        ? must_format("numbers of %s are lost below the least ones of its type", role)
        : must_format("%s is no image of A's: it is %.3g units of its type away, %.3g are allowed", role, p->units,
                      p->allowed));
}

/* In A's own basis. */
static void seek(search *f, const structure *s)
{
    gauge_found *to = &f->found;
    if (s->settings) to->why = must_format("%s", s->setting[0]);
    if (f->A->slim && !to->why) to->why = must_strdup("values are computed from keys, which gauges of keys change");
    for (long k = 0; k < s->n && !to->why; k++) {                       /* parts that no gauge here moves */
        const finding *p = &s->at[k];
        const bool here = in_list(p->role, COUNT(attention_roles), attention_roles)
                          || in_list(p->role, COUNT(mlp_roles), mlp_roles);
        if (p->harmless || (here && !isnan(p->gap))) continue;
        if (p->kind != RELATION_ROUNDED) to->why = must_format("%s is %s", p->tensor, p->text);
        else note(f, p->role, p->layer, (how_far){ p->gap * (1 + 0x1p-50), p->units, ROUNDING_UNITS, false });
    }
    for (long i = 0; i < f->A->L && !to->why; i++) {
        const bool heads_equal = !is_gauged(f, i) && equal_parts(s, i, COUNT(attention_roles), attention_roles);
        if (!heads_equal && !attention(f, i))
            to->why = to->why ? to->why : must_format("the heads of layer %ld are no image of A's", i);
    }
    for (long p = place_next_mlp(f->A, -1); p >= 0 && !to->why; p = place_next_mlp(f->A, p))
        if (!equal_parts(s, p, COUNT(mlp_roles), mlp_roles) && !mlp(f, p))
            to->why = at_place(f->A, p, must_strdup("the MLP has other parts"));
    for (long k = 0; k < f->parts && !to->why; k++) if (!is_near(&f->part[k])) to->why = no_image(f, &f->part[k]);
}

/* ---- in another basis of the stream ------------------------------------------------------------------------------ */

/* Rows of an embedding, columns of a head, neurons at a time; bits, where more are not asked for in vain: products with
 * all matrices take most of the time, and distances are measured beside 2^-53 at most. */
enum { RANGE = 1024, STREAM_BITS = 128 };

static void enclose_ranges(search *f, tensor_role role, long layer, long n)
{
    for (long first = 0; first < n || n == 0; first += RANGE) {
        const long count = n - first < RANGE ? n - first : RANGE;
        scope s = scope_open(f->R, 0, 0);
        const mat *x = exact_part(f, &s, f->A, role, layer, first, count);
        block y = exact_block(f, &s, f->B, role, layer, first, count);
        double *size = x ? stream_sizes(f->stream, role, layer, first, count) : NULL;
        if (x && y.x && x->rows == y.rows && x->cols == y.cols)
            enclose(f, &s, role, layer, x, &y, size,
                    (allowance){ .all = units_in(f, role, layer, size), .share = size ? PRODUCT_SHARE : 1,
                                 .given = size ? given_noise(f, 1) : 0 });
        else if (x || y.x) note(f, role, layer, (how_far){ INFINITY, INFINITY, 1, false });
        free(size);
        free_block(&y);
        scope_close(&s);
        if (n == 0) break;
    }
}

/* Which parts are no image, the first five. */
static char *missed(const search *f, long *n)
{
    text_buffer t = { 0 };
    *n = 0;
    for (long k = 0; k < f->parts; k++) {
        const part_distance *p = &f->part[k];
        if (is_near(p)) continue;
        if (++*n > 5) continue;
        char *where = place_words(f->A, p->layer);
        text_add(&t, "%s%s%s", *n > 1 ? "; " : "", where, *where ? ", " : "");
        free(where);
        const weight_tensor *tensor = tensor_of_part(f->B, p->role, p->layer);
        text_add(&t, "%s, %s, is %.3g units of its type away", role_name[p->role],
                 tensor ? tensor->name : "which B does not have", p->units);
    }
    if (*n > 5) text_add(&t, "; and %ld more", *n - 5);
    return text_take(&t);
}

static bool folds(const structure *s)
{
    for (long k = 0; k < s->n; k++)
        if (in_list(s->at[k].role, 3, (tensor_role[]){ ROLE_GAIN1, ROLE_GAIN2, ROLE_FINAL_GAIN })
            && s->at[k].kind != RELATION_ROUNDED) return true;
    return false;
}

/* How far each part is away there; false: it is nothing else than A's own basis. */
static bool enclose_in(search *f, const stream_found *stream, int way, const structure *s)
{
    static const tensor_role ends[] = { ROLE_EMBED, ROLE_POSITION, ROLE_HEAD, ROLE_HEAD_BIAS };
    static const tensor_role within[] = { ROLE_O_BIAS, ROLE_DOWN_BIAS, ROLE_Q_GAIN, ROLE_K_GAIN, ROLE_ROUTER,
        ROLE_SHARED_GATE };
    const bool folded = stream->fold && folds(s);
    bool shifts = false;
    for (long i = 0; i <= f->A->L; i++) shifts = shifts || (stream->in[i].shift && (i == 0 || f->given));
    if (!stream->bases && !shifts && !folded) return false;
    f->stream = stream;
    f->found.basis = 1 + way;
    f->found.bases = stream->bases;
    f->found.folded = folded;
    for (size_t k = 0; k < COUNT(ends); k++)
        if (tensor_of_part(f->A, ends[k], -1) || tensor_of_part(f->B, ends[k], -1))
            enclose_ranges(f, ends[k], -1, ends[k] == ROLE_POSITION ? f->A->T : f->A->V);
    for (long i = 0; i < f->A->L; i++) {
        attention(f, i);
        for (size_t k = 0; k < COUNT(within); k++) enclose_ranges(f, within[k], i, 0);
    }
    for (long p = place_next_mlp(f->A, -1); p >= 0; p = place_next_mlp(f->A, p))
        for (size_t k = 0; k < COUNT(mlp_roles); k++)
            enclose_ranges(f, mlp_roles[k], p, is_bias(mlp_roles[k]) ? 0 : place_width(f->A, p));
    return true;
}

/* to: what was found, or, where nearly all parts are images, which are not; else as it was. */
static void seek_in(search *f, const stream_found *stream, int way, const structure *s, gauge_found *to)
{
    if (!enclose_in(f, stream, way, s)) return;
    long n;
    char *names = missed(f, &n);
    f->found.found = n == 0;
    if (n) f->found.why = must_format("%s %ld of %ld parts are images of A's, but not: %s", stream->bases
                                      ? "in another basis of the residual stream" : "with the gains of the norms "
                                      "multiplied into the matrices", f->parts - n, f->parts, names);
    free(names);
    if (n == 0 || 2 * n <= f->parts) {
        gauge_found_free(to);
        *to = f->found;
    } else gauge_found_free(&f->found);
}

gauge_found gauge_between(const transformer *A, const transformer *B, const structure *s, long bits)
{
    arith R = arith_arb(bits);
    const double unit = unit_roundoff(s->coarsest[1]);
    const rounding coarser = rounding_of(s->coarsest[0], s->coarsest[1]);
    const gauge_found none = { .layer = -1, .unit = unit, .allowed = ROUNDING_UNITS,
                               .within = search_tolerance(&coarser) };
    search f = { .A = A, .B = B, .R = &R, .found = none };
    seek(&f, s);
    gauge_found to = f.found;
    to.found = !to.why;
    free(f.part);
    arith_close(&R);
    R = arith_arb(bits < STREAM_BITS ? bits : STREAM_BITS);
    for (int way = 0; way < BASIS_WAYS && !to.found && !stream_found_refuses(A, B, s); way++) {
        search g = { .A = A, .B = B, .R = &R, .found = none };
        stream_found stream = stream_between(A, B, (basis_way)way, &R, none.within);
        const bool last = !stream.units;                                 /* then the other way is the same  */
        if (!stream.why) seek_in(&g, &stream, way, s, &to);
        stream_found_free(&stream);
        free(g.part);
        if (last) break;
    }
    arith_close(&R);
    return to;
}

/* Of the parts that are no image the one that is farthest beside what is allowed; NULL: all are images. */
static const part_distance *farthest(const search *f)
{
    const part_distance *to = NULL;
    for (long k = 0; k < f->parts; k++) {
        const part_distance *p = &f->part[k];
        if (!is_near(p) && (!to || p->units * to->allowed > to->units * p->allowed)) to = p;
    }
    return to;
}

static char *far_words(const search *f, const part_distance *p)
{
    const weight_tensor *tensor = tensor_of_part(f->B, p->role, p->layer);
    const char *name = tensor ? tensor->name : role_name[p->role];
    if (p->lost) return must_format("numbers of %s are lost below the least ones of its type", name);
    return must_format("%s is %.3g units of its type away, and %.3g are allowed", name, p->units, p->allowed);
}

static void check_in_bases(search *f, const structure *s)
{
    gauge_found *to = &f->found;
    const char *no = stream_found_refuses(f->A, f->B, s);
    if (no) {
        to->why = must_strdup(no);
        return;
    }
    stream_found stream = stream_given(f->A, f->B, f->given, f->R);
    to->singular = stream.why != NULL;
    if (stream.why) to->why = must_strdup(stream.why);
    else {
        note_condition(f, stream.condition);
        if (!enclose_in(f, &stream, BASIS_GIVEN, s)) seek(f, s);
    }
    stream_found_free(&stream);
    f->stream = NULL;
}

gauge_found gauge_check(const transformer *A, const transformer *B, const structure *s, long bits,
                        const gauge_file *given)
{
    const bool stream = gauge_file_has_stream(given);
    arith R = arith_arb(stream && bits > STREAM_BITS ? STREAM_BITS : bits);
    const rounding coarser = rounding_of(s->coarsest[0], s->coarsest[1]);
    search f = { .A = A, .B = B, .R = &R, .given = given,
                 .found = { .layer = -1, .unit = unit_roundoff(s->coarsest[1]), .allowed = ROUNDING_UNITS,
                            .within = search_tolerance(&coarser), .given = given } };
    if (stream) check_in_bases(&f, s);
    else seek(&f, s);
    gauge_found *to = &f.found;
    const part_distance *far = farthest(&f);
    if (far && !to->singular) {
        free(to->why);
        to->why = far_words(&f, far);
    }
    to->found = !to->why;
    free(f.part);
    arith_close(&R);
    return *to;
}

void gauge_found_free(gauge_found *g)
{
    for (long k = 0; k < g->maps; k++) free_map(&g->map[k]);
    for (long k = 0; k < g->layers; k++) free(g->order[k].from);
    free(g->order);
    free(g->map);
    free(g->why);
    *g = (gauge_found){ .found = false };
}
