/* SPDX-License-Identifier: GPL-3.0-or-later
 * layered.c - a layered layout: a column is the longest path from a node without predecessors.
 *
 * An edge over several columns gets a point in each of them, so that edges run between neighbours only.  The
 * order within columns is improved by barycentres, sweep after sweep, and the best one (fewest crossings) is
 * kept; then heights are pulled towards the mean of the neighbours, with a minimum distance between any two. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/base.h"
#include "src/report/document/diagram.h"

typedef struct { long node, column, order; double y; bool bend; } point;       /* bend: of an edge only */
typedef struct { long from, to; } link;
typedef struct { long first, last; long *way; long n; } route;                    /* points along an edge  */
typedef struct {
    point *at; long n;
    link  *link; long links;                          /* between points of neighbouring columns            */
    route *route; long routes;
    long columns;
} net;

/* ---- columns ----------------------------------------------------------------------- */

/* edge[user n + used]; state: 0 before, 1 during, 2 after the visit of a node. */
typedef struct { long n; bool *edge; const bool *shown; long *column; char *state; } relation;

static bool *edge_of(const relation *r, long user, long used) { return &r->edge[user * r->n + used]; }

/* Longest path to a node that uses none; an edge back into the path itself is dropped. */
static long column_of(relation *r, long k)
{
    if (r->state[k] == 2) return r->column[k];
    r->state[k] = 1;
    for (long i = 0; i < r->n; i++) {
        if (!*edge_of(r, k, i)) continue;
        if (r->state[i] == 1) { *edge_of(r, k, i) = false; continue; }
        const long column = column_of(r, i) + 1;
        if (column > r->column[k]) r->column[k] = column;
    }
    r->state[k] = 2;
    return r->column[k];
}

/* Is there a path from `at` to `used`? */
static bool leads(const relation *r, long at, long used, bool *seen)
{
    seen[at] = true;
    for (long k = 0; k < r->n; k++)
        if (*edge_of(r, at, k) && (k == used || (!seen[k] && leads(r, k, used, seen)))) return true;
    return false;
}

/* Does the edge follow from the other edges of its user? */
static bool follows(const relation *r, long user, long used)
{
    bool found = false;
    for (long k = 0; k < r->n && !found; k++) {
        if (k == used || !*edge_of(r, user, k)) continue;
        bool *seen = must_calloc((size_t)r->n, sizeof *seen);
        found = leads(r, k, used, seen);
        free(seen);
    }
    return found;
}

static bool is_alone(const relation *r, long k)
{
    for (long i = 0; i < r->n; i++) if (*edge_of(r, k, i) || *edge_of(r, i, k)) return false;
    return true;
}

/* ---- points ------------------------------------------------------------------------------------------- */

static long add_point(net *w, long node, long column, bool bend)
{
    w->at = must_realloc(w->at, (size_t)w->n + 1, sizeof *w->at);
    w->at[w->n] = (point){ .node = node, .column = column, .bend = bend };
    for (long k = 0; k < w->n; k++) w->at[w->n].order += w->at[k].column == column;
    if (column + 1 > w->columns) w->columns = column + 1;
    return w->n++;
}

static void add_route(net *w, long from, long to)
{
    const long first = w->at[from].column, last = w->at[to].column;
    route e = { .first = from, .last = to, .way = must_calloc((size_t)(last - first + 1), sizeof *e.way) };
    for (long column = first, before = -1; column <= last; column++) {
        const long now = column == first ? from : column == last ? to : add_point(w, -1, column, true);
        e.way[e.n++] = now;
        if (before >= 0) {
            w->link = must_realloc(w->link, (size_t)w->links + 1, sizeof *w->link);
            w->link[w->links++] = (link){ before, now };
        }
        before = now;
    }
    w->route = must_realloc(w->route, (size_t)w->routes + 1, sizeof *w->route);
    w->route[w->routes++] = e;
}

static net net_of(const relation *r)
{
    net w = { .at = must_calloc(1, sizeof *w.at) };        /* never NULL                                   */
    const long n = r->n;
    long *point_of = must_calloc((size_t)n + 1, sizeof *point_of);
    for (long k = 0; k < n; k++)
        if (r->shown[k] && !is_alone(r, k)) point_of[k] = add_point(&w, k, r->column[k], false);
    for (long user = 0; user < n; user++)
        for (long used = 0; used < n; used++)
            if (*edge_of(r, user, used) && !follows(r, user, used)) add_route(&w, point_of[used], point_of[user]);
    free(point_of);
    return w;
}

static void net_free(net *w)
{
    for (long k = 0; k < w->routes; k++) free(w->route[k].way);
    free(w->route);
    free(w->link);
    free(w->at);
}

/* ---- order within columns ---------------------------------------------------------------------------- */

static long crossings(const net *w)
{
    long n = 0;
    for (long i = 0; i < w->links; i++)
        for (long k = 0; k < i; k++) {
            const point *a = &w->at[w->link[i].from], *b = &w->at[w->link[i].to];
            const point *c = &w->at[w->link[k].from], *d = &w->at[w->link[k].to];
            n += a->column == c->column && (a->order - c->order) * (b->order - d->order) < 0;
        }
    return n;
}

/* Mean of `value` over the neighbours of point k on one side, or on both (side 0); its own without any. */
static double mean(const net *w, long k, int side, bool of_order)
{
    double sum = 0;
    long n = 0;
    for (long i = 0; i < w->links; i++) {
        const bool before = w->link[i].to == k && side <= 0, after = w->link[i].from == k && side >= 0;
        if (!before && !after) continue;
        const point *other = &w->at[before ? w->link[i].from : w->link[i].to];
        sum += of_order ? (double)other->order : other->y;
        n++;
    }
    return n ? sum / (double)n : of_order ? (double)w->at[k].order : w->at[k].y;
}

typedef struct { long at; double key; } ranked;
static int by_key(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->at > y->at) - (x->at < y->at);
}

/* The points of a column in their order; returns how many. */
static long column_points(const net *w, long column, ranked *out)
{
    long n = 0;
    for (long k = 0; k < w->n; k++)
        if (w->at[k].column == column) out[n++] = (ranked){ k, (double)w->at[k].order };
    qsort(out, (size_t)n, sizeof *out, by_key);
    return n;
}

static void sweep(net *w, int side, ranked *scratch)
{
    for (long step = 0; step < w->columns; step++) {
        const long column = side < 0 ? step : w->columns - 1 - step, n = column_points(w, column, scratch);
        for (long k = 0; k < n; k++) scratch[k].key = mean(w, scratch[k].at, side, true);
        qsort(scratch, (size_t)n, sizeof *scratch, by_key);
        for (long k = 0; k < n; k++) w->at[scratch[k].at].order = k;
    }
}

enum { SWEEPS = 40 };
static void order_columns(net *w, ranked *scratch)
{
    long *best = must_calloc((size_t)w->n + 1, sizeof *best), fewest = crossings(w);
    for (long k = 0; k < w->n; k++) best[k] = w->at[k].order;
    for (int s = 0; s < SWEEPS && fewest; s++) {
        sweep(w, s % 2 ? 1 : -1, scratch);
        const long now = crossings(w);
        if (now >= fewest) continue;
        fewest = now;
        for (long k = 0; k < w->n; k++) best[k] = w->at[k].order;
    }
    for (long k = 0; k < w->n; k++) w->at[k].order = best[k];
    free(best);
}

/* ---- heights ------------------------------------------------------------------------------------------ */

static double distance(const point *a, const point *b)
{
    return a->bend && b->bend ? 0.3 : a->bend || b->bend ? 0.7 : 1;
}

/* Wishes become heights: what would be too near is moved apart, half of it up and half of it down. */
static void settle(net *w, const ranked *in, long n, double *down, double *up)
{
    for (long k = 0; k < n; k++) {
        const point *p = &w->at[in[k].at];
        down[k] = k ? fmax(in[k].key, down[k - 1] + distance(&w->at[in[k - 1].at], p)) : in[k].key;
    }
    for (long k = n - 1; k >= 0; k--) {
        const point *p = &w->at[in[k].at];
        up[k] = k + 1 < n ? fmin(in[k].key, up[k + 1] - distance(p, &w->at[in[k + 1].at])) : in[k].key;
    }
    for (long k = 0; k < n; k++) w->at[in[k].at].y = (down[k] + up[k]) / 2;
}

/* Bands without a point shrink to one row; returns the row after the last. */
static double close_bands(net *w, ranked *all)
{
    double shift = 0, before = 0;
    for (long k = 0; k < w->n; k++) all[k] = (ranked){ k, w->at[k].y };
    qsort(all, (size_t)w->n, sizeof *all, by_key);
    for (long k = 0; k < w->n; k++) {
        const double gap = k ? all[k].key - before : all[k].key;
        shift += k ? fmax(gap - 1, 0) : gap;
        before = all[k].key;
        w->at[all[k].at].y -= shift;
    }
    return w->n ? before - shift + 1 : 0;
}

enum { PULLS = 60 };
static double heights(net *w, ranked *scratch)
{
    double *down = must_calloc((size_t)w->n + 1, sizeof *down), *up = must_calloc((size_t)w->n + 1, sizeof *up);
    for (long k = 0; k < w->n; k++) w->at[k].y = (double)w->at[k].order;
    for (int s = 0; s < PULLS; s++)
        for (long column = 0; column < w->columns; column++) {
            const long n = column_points(w, column, scratch);
            for (long k = 0; k < n; k++) scratch[k].key = mean(w, scratch[k].at, s % 3 - 1, false);
            settle(w, scratch, n, down, up);
        }
    free(down);
    free(up);
    return close_bands(w, scratch);
}

/* ---- the diagram --------------------------------------------------------------------------------------- */

static void add_node(diagram *g, long at, double x, double y)
{
    g->node = must_realloc(g->node, (size_t)g->nodes + 1, sizeof *g->node);
    g->node[g->nodes++] = (diagram_node){ .at = at, .x = x, .y = y };
}

static void add_edge(diagram *g, const net *w, const route *e)
{
    const size_t n = (size_t)e->n;
    diagram_edge to = { .x = must_calloc(n, sizeof *to.x), .y = must_calloc(n, sizeof *to.y), .n = e->n };
    for (long k = 0; k < e->n; k++) {
        to.x[k] = (double)w->at[e->way[k]].column;
        to.y[k] = w->at[e->way[k]].y;
    }
    g->edge = must_realloc(g->edge, (size_t)g->edges + 1, sizeof *g->edge);
    g->edge[g->edges++] = to;
}

/* Nodes without edges, in rows of their own below the rest. */
static void add_alone(diagram *g, const relation *r, bool any_above)
{
    g->alone_from = g->rows + (any_above ? 1 : 0);
    for (long k = 0; k < r->n; k++) {
        if (!r->shown[k] || !is_alone(r, k)) continue;
        const long line = g->alone / g->columns, column = g->alone % g->columns;
        add_node(g, k, (double)column, g->alone_from + (double)line);
        g->rows = g->alone_from + (double)line + 1;
        g->alone++;
    }
}

enum { FEWEST_COLUMNS = 5 };
diagram diagram_layout(long n, bool *edge, const bool *shown)
{
    relation r = { .n = n, .edge = edge, .shown = shown, .column = must_calloc((size_t)n + 1, sizeof *r.column),
                   .state = must_calloc((size_t)n + 1, 1) };
    for (long k = 0; k < n; k++) column_of(&r, k);
    net w = net_of(&r);
    diagram g = { .columns = w.columns > FEWEST_COLUMNS ? w.columns : FEWEST_COLUMNS };
    ranked *scratch = must_calloc((size_t)w.n + 1, sizeof *scratch);
    order_columns(&w, scratch);
    g.rows = heights(&w, scratch);
    for (long k = 0; k < w.n; k++)
        if (!w.at[k].bend) add_node(&g, w.at[k].node, (double)w.at[k].column, w.at[k].y);
    for (long k = 0; k < w.routes; k++) add_edge(&g, &w, &w.route[k]);
    add_alone(&g, &r, w.n > 0);
    free(scratch);
    net_free(&w);
    free(r.column);
    free(r.state);
    return g;
}

void diagram_free(diagram *g)
{
    for (long k = 0; k < g->edges; k++) {
        free(g->edge[k].x);
        free(g->edge[k].y);
    }
    for (long k = 0; k < g->nodes; k++) free(g->node[k].title);
    free(g->edge);
    free(g->node);
    *g = (diagram){ 0 };
}
