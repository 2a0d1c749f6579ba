/* gauge_found.c - see gauge_found.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/gauge_fit.h"
#include "src/checkpoint/gauge_found.h"
#include "src/checkpoint/stream_found.h"

enum { ROUNDINGS = 256 };                /* a fit that misses by more units of the types is none        */

typedef struct { block of[ROLES]; scope s; } layer_parts;                     /* x NULL: not there        */
typedef struct { tensor_role role; long layer; double distance; } part_distance;
typedef struct {
    const transformer *A, *B;
    const arith *R;
    double within;
    const stream_found *stream;          /* NULL: the basis of A                                        */
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

static block exact_block(const search *f, scope *s, const transformer *D, tensor_role role, long layer, long first,
                         long count)
{
    if (D == f->B && stream_keeps(f->stream, role)) {    /* the numbers of the file */
        block b = { .exact = NULL };
        b.x = doubles_in_halves(D, role, layer, first, count, &b.rows, &b.cols);
        if (b.x) return b;
    }
    const mat *W = exact_part(f, s, D, role, layer, first, count);
    if (!W) return (block){ NULL, 0, 0, NULL };
    block b = { must_calloc((size_t)(W->rows * W->cols), sizeof(double)), W->rows, W->cols, W };
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
        *b = (block){ must_calloc((size_t)(D->d * D->d), sizeof(double)), D->d, D->d, NULL };    /* W = I */
        for (long i = 0; i < D->d; i++) b->x[i * D->d + i] = 1;
    }
    return p;
}

static void free_parts(layer_parts *p)
{
    for (int r = 0; r < ROLES; r++) free(p->of[r].x);
    scope_close(&p->s);
}

/* Columns (rows for W_O) first ... first + n - 1 as a matrix of its own, an exact one in s. */
static block slice(scope *s, const block *from, long first, long n, bool rows)
{
    if (!from->x) return (block){ NULL, 0, 0, NULL };
    block b = { NULL, rows ? n : from->rows, rows ? from->cols : n, NULL };
    b.x = must_calloc((size_t)(b.rows * b.cols), sizeof *b.x);
    for (long r = 0; r < b.rows; r++)
        memcpy(b.x + r * b.cols, from->x + (rows ? first + r : r) * from->cols + (rows ? 0 : first),
               (size_t)b.cols * sizeof *b.x);
    if (s && from->exact) b.exact = rows ? mat_rows(s, from->exact, first, n) : mat_cols(s, from->exact, first, n);
    return b;
}

/* ---- enclosing --------------------------------------------------------------------------------------------------- */

static void note(search *f, tensor_role role, long layer, double distance)
{
    if (isnan(distance)) distance = INFINITY;
    long k = f->parts;
    while (k > 0 && (f->part[k - 1].role != role || f->part[k - 1].layer != layer)) k--;
    if (k == 0) {
        f->part = must_realloc(f->part, (size_t)f->parts + 1, sizeof *f->part);
        f->part[f->parts++] = (part_distance){ role, layer, distance };
    } else f->part[k - 1].distance = fmax(f->part[k - 1].distance, distance);
    if (!(distance > f->found.distance)) return;
    f->found.distance = distance;
    f->found.role = role;
    f->found.layer = layer;
}

static const mat *as_mat(scope *s, const block *b)
{
    return b->exact ? b->exact : mat_of_doubles(s, b->rows, b->cols, b->x);
}

/* The distance of B's block from the image. */
static void enclose(search *f, scope *s, tensor_role role, long layer, const mat *image, const block *B)
{
    const mat *off = B->exact ? mat_sub(s, B->exact, image) : image;
    double most = s->status == HOLDS ? 0 : INFINITY;
    for (long i = 0; i < off->rows; i++)
        for (long j = 0; j < off->cols; j++)
            most = fmax(most, arith_arb_farthest(off, i, j, B->exact ? 0 : B->x[i * B->cols + j]));
    const double size = block_largest(B);
    note(f, role, layer, most > 0 ? size > 0 ? most / size * (1 + 0x1p-50) : INFINITY : 0);
}

/* Two heads: image(A's) against B's. */
typedef struct { const layer_parts *A, *B; long layer, dk; } heads;

static void enclose_right(search *f, scope *s, const heads *h, tensor_role role, long a, long b, const mat *G)
{
    block x = slice(s, &h->A->of[role], a * h->dk, h->dk, false);
    block y = slice(s, &h->B->of[role], b * h->dk, h->dk, false);
    if (x.x) enclose(f, s, role, h->layer, mat_mul(s, as_mat(s, &x), G), &y);
    free(x.x);
    free(y.x);
}

static void enclose_left(search *f, scope *s, const heads *h, long a, long b, const mat *back)
{
    block x = slice(s, &h->A->of[ROLE_O], a * h->dk, h->dk, true);
    block y = slice(s, &h->B->of[ROLE_O], b * h->dk, h->dk, true);
    enclose(f, s, ROLE_O, h->layer, mat_mul(s, back, as_mat(s, &x)), &y);
    free(x.x);
    free(y.x);
}

/* ---- attention --------------------------------------------------------------------------------------------------- */

/* The query head of A in key head `from` that becomes head b of B; -1: none. */
static long query_of(const search *f, const heads *h, long b, long from, const double *turn, const bool *taken)
{
    const long group = f->A->h / f->A->h_kv;
    block y = slice(NULL, &h->B->of[ROLE_Q], b * h->dk, h->dk, false);
    long found = -1;
    for (long k = 0; k < group && found < 0; k++) {
        const long a = from * group + (b % group + k) % group;           /* first the one at the same place */
        if (taken[a]) continue;
        block x = slice(NULL, &h->A->of[ROLE_Q], a * h->dk, h->dk, false);
        if (gauge_maps(&x, turn, &y, f->within)) found = a;
        free(x.x);
    }
    free(y.x);
    return found;
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
    double *H = gauge_fit(&v, &w, 0, false, f->within);
    double *G = H ? gauge_fit(&k, &l, turning, D->qk_norm, f->within) : NULL;
    double *turn = G ? gauge_inverse_transposed(G, dk) : NULL;
    bool good = turn != NULL;
    long *query = must_calloc((size_t)group, sizeof *query);
    scope s = scope_open(f->R, 0, 0);
    if (good) {
        const mat *Hm = mat_of_doubles(&s, dk, dk, H), *Gm = mat_of_doubles(&s, dk, dk, G);
        const mat *H_back = gauge_is_identity(H, dk) ? Hm : mat_inv(&s, Hm);
        const mat *G_turn = gauge_is_identity(G, dk) ? Gm : mat_t(&s, mat_inv(&s, Gm));
        enclose_right(f, &s, h, ROLE_V, from, g, Hm);
        enclose_right(f, &s, h, ROLE_V_BIAS, from, g, Hm);
        enclose_right(f, &s, h, ROLE_K, from, g, Gm);
        enclose_right(f, &s, h, ROLE_K_BIAS, from, g, Gm);
        for (long b = g * group; b < (g + 1) * group && good; b++) {
            const long a = query_of(f, h, b, from, turn, taken);
            good = a >= 0;
            if (!good) break;
            taken[a] = true;
            query[b - g * group] = a;
            f->found.orders += a != b;
            enclose_right(f, &s, h, ROLE_Q, a, b, G_turn);
            enclose_right(f, &s, h, ROLE_Q_BIAS, a, b, G_turn);
            enclose_left(f, &s, h, a, b, H_back);
        }
        f->found.gauges += !gauge_is_identity(H, dk) || !gauge_is_identity(G, dk);
    }
    scope_close(&s);
    free(v.x); free(w.x); free(k.x); free(l.x);
    free(turn);
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
    long parts, layer, gauges, orders;
    double distance;
    tensor_role role;
} saved_parts;

static saved_parts save_parts(const search *f)
{
    const gauge_found *g = &f->found;
    const saved_parts s = { must_calloc((size_t)f->parts + 1, sizeof *s.part), f->parts, g->layer, g->gauges,
                            g->orders, g->distance, g->role };
    if (f->parts) memcpy(s.part, f->part, (size_t)f->parts * sizeof *s.part);
    return s;
}

static void restore_parts(search *f, const saved_parts *s)
{
    if (s->parts) memcpy(f->part, s->part, (size_t)s->parts * sizeof *s->part);
    f->parts = s->parts;
    f->found.distance = s->distance;
    f->found.role = s->role;
    f->found.layer = s->layer;
    f->found.gauges = s->gauges;
    f->found.orders = s->orders;
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
        if (x->x && y->x && x->rows == y->rows && x->cols == y->cols) enclose(f, &s, roles[k], layer, as_mat(&s, x), y);
        else if (x->x || y->x) note(f, roles[k], layer, INFINITY);
        scope_close(&s);
    }
}

static bool attention(search *f, long layer)
{
    layer_parts a = read_parts(f, f->A, layer, COUNT(attention_roles), attention_roles);
    layer_parts b = read_parts(f, f->B, layer, COUNT(attention_roles), attention_roles);
    const heads h = { &a, &b, layer, f->A->dk };
    if (!f->stream && same_numbers(&a, &b, COUNT(attention_roles), attention_roles)) {
        free_parts(&a);
        free_parts(&b);
        return true;
    }
    const long group = f->A->h / f->A->h_kv;
    bool good = same_presence(&a, &b, COUNT(attention_roles), attention_roles);
    const saved_parts saved = save_parts(f);
    bool *used = must_calloc((size_t)f->A->h_kv, sizeof *used), *taken = must_calloc((size_t)f->A->h, sizeof *taken);
    for (long g = 0; g < f->A->h_kv && good; g++) {
        good = false;
        for (long k = 0; k < f->A->h_kv && !good; k++) {
            const long from = (g + k) % f->A->h_kv;
            if (used[from]) continue;
            const gauge_found before = f->found;
            good = used[from] = key_head(f, &h, g, from, taken);
            if (good) continue;
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

static bool mlp(search *f, long layer)
{
    layer_parts a = read_parts(f, f->A, layer, COUNT(mlp_roles), mlp_roles);
    layer_parts b = read_parts(f, f->B, layer, COUNT(mlp_roles), mlp_roles);
    bool good = same_presence(&a, &b, COUNT(mlp_roles), mlp_roles);
    long *from = must_calloc((size_t)f->A->m, sizeof *from);
    bool moved = false;
    if (!good || !neurons(&a.of[ROLE_UP], &b.of[ROLE_UP], from)) for (long j = 0; j < f->A->m; j++) from[j] = j;
    for (long j = 0; j < f->A->m; j++) moved = moved || from[j] != j;
    for (size_t k = 0; k < COUNT(mlp_roles) && good; k++) {
        const tensor_role role = mlp_roles[k];
        const block *x = &a.of[role], *y = &b.of[role];
        double off = 0;
        for (long r = 0; x->x && r < x->rows; r++)
            for (long c = 0; c < x->cols; c++) {
                const double image = role == ROLE_DOWN ? x->x[from[r] * x->cols + c] : x->x[r * x->cols + from[c]];
                off = fmax(off, fabs(image - y->x[r * x->cols + c]));
            }
        if (off > 0) note(f, role, layer, off / block_largest(y) * (1 + 0x1p-50));
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
        else note(f, p->role, p->layer, p->gap * (1 + 0x1p-50));
    }
    for (long i = 0; i < f->A->L && !to->why; i++) {
        if (!attention(f, i)) to->why = must_format("the heads of layer %ld are no image of A's", i);
        else if (!mlp(f, i)) to->why = must_format("the MLP of layer %ld has other parts", i);
    }
    if (!to->why && !(to->distance <= f->within))
        to->why = must_format("layer %ld: %s is no image of A's: it is %.3g of its largest number away", to->layer,
                              role_name[to->role], to->distance);
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
        const block y = exact_block(f, &s, f->B, role, layer, first, count);
        if (x && y.x && x->rows == y.rows && x->cols == y.cols) enclose(f, &s, role, layer, x, &y);
        else if (x || y.x) note(f, role, layer, INFINITY);
        free(y.x);
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
        if (p->distance <= f->within) continue;
        if (++*n > 5) continue;
        text_add(&t, "%s", *n > 1 ? "; " : "");
        if (p->layer >= 0) text_add(&t, "layer %ld, ", p->layer);
        const weight_tensor *tensor = tensor_of_part(f->B, p->role, p->layer);
        text_add(&t, "%s, %s, is %.3g of its largest number away", role_name[p->role],
                 tensor ? tensor->name : "which B does not have", p->distance);
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

/* to: what was found, or, where nearly all parts are images, which are not; else as it was. */
static void seek_in(search *f, const stream_found *stream, int way, const structure *s, gauge_found *to)
{
    static const tensor_role ends[] = { ROLE_EMBED, ROLE_POSITION, ROLE_HEAD, ROLE_HEAD_BIAS };
    static const tensor_role within[] = { ROLE_O_BIAS, ROLE_DOWN_BIAS, ROLE_Q_GAIN, ROLE_K_GAIN };
    const bool folded = stream->fold && folds(s);
    if (!stream->bases && !stream->in[0].shift && !folded) return;      /* nothing else than in A's own basis */
    f->stream = stream;
    f->found.basis = 1 + way;
    f->found.bases = stream->bases;
    f->found.folded = folded;
    for (size_t k = 0; k < COUNT(ends); k++)
        if (tensor_of_part(f->A, ends[k], -1) || tensor_of_part(f->B, ends[k], -1))
            enclose_ranges(f, ends[k], -1, ends[k] == ROLE_POSITION ? f->A->T : f->A->V);
    for (long i = 0; i < f->A->L; i++) {
        attention(f, i);
        for (size_t k = 0; k < COUNT(mlp_roles); k++)
            enclose_ranges(f, mlp_roles[k], i, is_bias(mlp_roles[k]) ? 0 : f->A->m);
        for (size_t k = 0; k < COUNT(within); k++) enclose_ranges(f, within[k], i, 0);
    }
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
    const gauge_found none = { .layer = -1, .unit = unit,
                               .within = ROUNDINGS * (unit + unit_roundoff(s->coarsest[0])) };
    search f = { .A = A, .B = B, .R = &R, .found = none, .within = none.within };
    seek(&f, s);
    gauge_found to = f.found;
    to.found = !to.why;
    free(f.part);
    arith_close(&R);
    R = arith_arb(bits < STREAM_BITS ? bits : STREAM_BITS);
    for (int way = 0; way < BASIS_WAYS && !to.found && !stream_found_refuses(A, B, s); way++) {
        search g = { .A = A, .B = B, .R = &R, .within = f.within, .found = none };
        stream_found stream = stream_between(A, B, (basis_way)way, &R, f.within);
        const bool last = !stream.units;                                 /* then the other way is the same  */
        if (!stream.why) seek_in(&g, &stream, way, s, &to);
        stream_found_free(&stream);
        free(g.part);
        if (last) break;
    }
    arith_close(&R);
    return to;
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
