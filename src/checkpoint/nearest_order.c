/* SPDX-License-Identifier: GPL-3.0-or-later
 * nearest_order.c - see nearest_order.h: directions of columns, candidates by projections, the nearest in turn. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/expansion_plan.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/nearest_order.h"
#include "src/checkpoint/relation.h"

/* ---- directions -------------------------------------------------------------------------------------------------- */

/* n columns as vectors of length 1, one behind the other; 0 stays 0. */
typedef struct { long n, d; double *x, *length; } directions;

static void directions_free(directions *v)
{
    free(v->x);
    free(v->length);
}

/* The gain of the norm in front; NULL: 1. */
static double *gain_of(const transformer *D, tensor_role role, long layer)
{
    long rows, cols;
    return doubles_in_halves(D, role, layer, 0, 0, &rows, &cols);
}

static void to_direction(directions *v, long j, bool centred)
{
    double *x = v->x + j * v->d, mean = 0, squares = 0;
    for (long r = 0; r < v->d; r++) mean += x[r] / (double)v->d;
    for (long r = 0; r < v->d; r++) {
        if (centred) x[r] -= mean;
        squares += x[r] * x[r];
    }
    v->length[j] = sqrt(squares);
    for (long r = 0; r < v->d && v->length[j] > 0; r++) x[r] /= v->length[j];
}

static directions directions_new(long n, long d)
{
    return (directions){ n, d, must_calloc((size_t)(n * d), sizeof(double)), must_calloc((size_t)n, sizeof(double)) };
}

/* Of rows that write to the stream. */
static directions directions_of_rows(const transformer *D, tensor_role role, long layer)
{
    long n, d;
    double *W = doubles_in_halves(D, role, layer, 0, 0, &n, &d);
    directions v = directions_new(n, d);
    memcpy(v.x, W, (size_t)(n * d) * sizeof *W);
    for (long j = 0; j < n; j++) to_direction(&v, j, D->norm == NORM_OF_LAYER);
    free(W);
    return v;
}

/* Of columns that read it; x NULL: the model has no such part. */
static directions directions_of(const transformer *D, tensor_role role, tensor_role gain, long layer)
{
    long n, d;
    double *W = doubles_in_halves(D, role, layer, 0, 0, &d, &n);
    if (!W) return (directions){ .x = NULL };
    double *g = gain_of(D, gain, layer);
    directions v = directions_new(n, d);
    for (long r = 0; r < v.d; r++) for (long j = 0; j < n; j++) v.x[j * v.d + r] = W[r * n + j] * (g ? g[r] : 1);
    for (long j = 0; j < n; j++) to_direction(&v, j, D->norm == NORM_OF_LAYER);
    free(W);
    free(g);
    return v;
}

/* The cosine of the angle between two columns; 1 between zeros. */
static double cosine(const directions *a, long i, const directions *b, long j)
{
    const double *x = a->x + i * a->d, *y = b->x + j * b->d;
    double sum = 0;
    if (a->length[i] == 0 && b->length[j] == 0) return 1;
    for (long r = 0; r < a->d; r++) sum += x[r] * y[r];
    return sum;
}

/* ---- neurons ----------------------------------------------------------------------------------------------------- */

/* main: what keeps its direction and its sign: the gate, or up.  down tells neurons apart that read the same. */
typedef struct { directions main, up, down; bool gated, any_length; } neurons;

static neurons neurons_of(const transformer *D, long layer)
{
    neurons v = { .gated = D->gated, .any_length = !D->gated && strcmp(D->activation, "relu") == 0 };
    v.main = directions_of(D, D->gated ? ROLE_GATE : ROLE_UP, ROLE_GAIN2, layer);
    if (D->gated) v.up = directions_of(D, ROLE_UP, ROLE_GAIN2, layer);
    v.down = directions_of_rows(D, ROLE_DOWN, layer);
    return v;
}

static void neurons_free(neurons *v)
{
    directions_free(&v->main);
    directions_free(&v->up);
    directions_free(&v->down);
}

static double near_neurons(const neurons *a, long i, const neurons *b, long j)
{
    const double x = a->main.length[i], y = b->main.length[j];
    const double apart = a->any_length || x == y ? 0 : fabs(x - y) / (x + y);
    return cosine(&a->main, i, &b->main, j) + (a->gated ? fabs(cosine(&a->up, i, &b->up, j)) : 0)
           + fabs(cosine(&a->down, i, &b->down, j)) - apart;
}

enum { PROJECTIONS = 4 };
/* Roundings, of the numbers and of what they were scaled by, move a projection of a direction by a few units; so many
 * are eight times what they move it by, as the root of a sum of squares. */
static const double PROJECTION_UNITS = 32;
/* What is parallel but for roundings to BF16 is more so. */
static const double PARALLEL = 0.98;
/* There is no nearer one than this; of many equal neurons the first is taken. */
static const double NEAREST = 0x1p-40;

typedef struct { double p[PROJECTIONS]; long at; } projected;

static int by_projection(const void *s, const void *t)
{
    const projected *a = s, *b = t;
    return a->p[0] != b->p[0] ? a->p[0] < b->p[0] ? -1 : 1 : (a->at > b->at) - (a->at < b->at);
}

static projected *projections_of(const directions *v)
{
    projected *to = must_calloc((size_t)v->n, sizeof *to);
    for (long j = 0; j < v->n; j++) {
        uint64_t bits = 0x9e3779b97f4a7c15;
        to[j].at = j;
        for (long r = 0; r < v->d; r++) {
            bits = (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9 + 1;
            for (int k = 0; k < PROJECTIONS; k++) {
                const double x = v->x[j * v->d + r];
                to[j].p[k] += bits >> (40 + k) & 1 ? x : -x;
            }
        }
    }
    qsort(to, (size_t)v->n, sizeof *to, by_projection);
    return to;
}

static bool all_near(const projected *a, const projected *b, double off)
{
    for (int k = 1; k < PROJECTIONS; k++) if (fabs(a->p[k] - b->p[k]) > off) return false;
    return true;
}

/* The first of n whose projection is at least `low`. */
static long first_from(const projected *x, long n, double low)
{
    long from = 0;
    for (long step = n; step > 0; )
        if (x[from + step / 2].p[0] < low) from += step / 2 + 1, step -= step / 2 + 1;
        else step /= 2;
    return from;
}

/* slot[i]: the neuron of B that neuron i of A is nearest to; false: one has none. */
static bool match_neurons(const neurons *a, const neurons *b, double unit, long *slot)
{
    const long n = a->main.n;
    const double full = a->gated ? 3 : 2;
    const double off = PROJECTION_UNITS * unit + 0x1p-40;
    projected *x = projections_of(&a->main), *y = projections_of(&b->main);
    bool good = true;
    for (long i = 0; i < n; i++) slot[i] = -1;
    for (long k = 0; k < n && good; k++) {
        long best = -1;
        double most = -INFINITY;
        for (long i = first_from(x, n, y[k].p[0] - off); i < n && x[i].p[0] <= y[k].p[0] + off && most < full - NEAREST;
             i++) {
            if (slot[x[i].at] >= 0 || !all_near(&x[i], &y[k], off)) continue;
            const double near = near_neurons(a, x[i].at, b, y[k].at);
            if (near > most) most = near, best = x[i].at;
        }
        good = most > full * PARALLEL;
        if (good) slot[best] = y[k].at;
    }
    free(x);
    free(y);
    return good;
}

/* A number in a block is off by half a step, of 1 / most of the block's largest; more than 2^-6 would make of all
 * columns candidates of each other, and what blocks of four bits move a projection by is a fifth of that. */
static double unit_of_tensor(const weight_tensor *t)
{
    return t->blocks ? fmin(0.5 / t->blocks->most, 0x1p-6) : unit_roundoff(t->numbers);
}

static double unit_of(const transformer *A, const transformer *B, tensor_role role, long layer)
{
    const weight_tensor *a = tensor_of_part(A, role, layer), *b = tensor_of_part(B, role, layer);
    return fmax(unit_of_tensor(a), unit_of_tensor(b));
}

/* false: the MLP's neurons have no such order. */
static bool plan_mlp(const transformer *A, const transformer *B, long i, layer_plan *p)
{
    neurons a = neurons_of(A, i), b = neurons_of(B, i);
    p->neurons = A->m;
    p->neuron = must_calloc((size_t)A->m, sizeof *p->neuron);
    const bool good = match_neurons(&a, &b, unit_of(A, B, A->gated ? ROLE_GATE : ROLE_UP, i), p->neuron);
    for (long j = 0; j < A->m && good; j++) p->moved_neurons += p->neuron[j] != j;
    neurons_free(&a);
    neurons_free(&b);
    return good;
}

/* ---- heads ------------------------------------------------------------------------------------------------------- */

/* Of the coordinates of two heads, how parallel they are, whatever their signs: 1 for those of one head. */
static double near_heads(const directions *a, long i, const directions *b, long j, long dk)
{
    double sum = 0;
    for (long k = 0; k < dk; k++) sum += fabs(cosine(a, i * dk + k, b, j * dk + k));
    return sum / (double)dk;
}

/* The place in `to` of each of n heads from `first` on: the heads of B from `other` on, each the nearest that is left,
 * first the one at its own place; false: one has none.  more: NULL, or another part of the same heads. */
static bool match_heads(const directions *a, long first, const directions *b, long other, long n, long dk,
                        const directions more[2], long *to)
{
    for (long i = 0; i < n; i++) to[i] = -1;
    for (long j = 0; j < n; j++) {
        long best = -1;
        double most = 0;
        for (long k = 0; k < n; k++) {
            const long i = (j + k) % n;
            if (to[i] >= 0) continue;
            double near = near_heads(a, first + i, b, other + j, dk);
            if (more) near = (near + near_heads(&more[0], first + i, &more[1], other + j, dk)) / 2;
            if (near > most + 0x1p-20) most = near, best = i;
        }
        if (!(most > PARALLEL)) return false;
        to[best] = j;
    }
    return true;
}

/* false: as they are. */
static bool plan_heads(const transformer *A, const transformer *B, long i, layer_plan *p)
{
    const long group = A->h / A->h_kv;
    directions of[3][2];
    bool good = true;
    for (int k = 0; k < 3; k++) {
        const tensor_role role = (tensor_role)(ROLE_Q + (tensor_role)k);
        of[k][0] = directions_of(A, role, ROLE_GAIN1, i);
        of[k][1] = directions_of(B, role, ROLE_GAIN1, i);
    }
    good = match_heads(&of[2][0], 0, &of[2][1], 0, A->h_kv, A->dk, of[1], p->key);
    for (long g = 0; g < A->h_kv && good; g++) {
        good = match_heads(&of[0][0], g * group, &of[0][1], p->key[g] * group, group, A->dk, NULL,
                           p->among + g * group);
        for (long a = g * group; a < (g + 1) * group; a++) p->of_key[a] = p->key[g];
    }
    p->keys = A->h_kv;
    p->group = group;
    for (long a = 0; a < A->h && good; a++) p->moved_heads += p->of_key[a] * group + p->among[a] != a;
    for (int k = 0; k < 3; k++) for (int m = 0; m < 2; m++) directions_free(&of[k][m]);
    return good;
}

static void plan_attention(const transformer *A, const transformer *B, long i, layer_plan *p)
{
    plan_open_heads(A, p);
    if (plan_has_heads(A) && plan_has_heads(B) && plan_heads(A, B, i, p)) return;
    plan_heads_as_they_are(A, p);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

bool nearest_order(const transformer *A, const transformer *B, contracted *to)
{
    layer_plan *p = must_calloc((size_t)A->L, sizeof *p);
    bool good = A->h == B->h && A->h_kv == B->h_kv && A->dk == B->dk && A->m == B->m && A->gated == B->gated
                && !A->experts && !B->experts;
    bool moved = false;
    for (long i = 0; i < A->L && good; i++) {
        good = plan_mlp(A, B, i, &p[i]);
        if (good) plan_attention(A, B, i, &p[i]);
        moved = moved || p[i].moved_neurons || p[i].moved_heads;
    }
    good = good && moved;
    if (good) *to = contracted_model(A, p, (plan_sizes){ A->m, A->h_kv, A->h / A->h_kv });
    plans_free(A, p);
    return good;
}
