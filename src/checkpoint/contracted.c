/* SPDX-License-Identifier: GPL-3.0-or-later
 * contracted.c - see expansion.h: the model that is left, with tensors of its own where numbers went or moved. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/expansion_plan.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/sheet.h"

/* ---- tensors ----------------------------------------------------------------------------------------------------- */

static weight_tensor *own(contracted *c, const weight_tensor *like)
{
    weight_tensor *t = must_calloc(1, sizeof *t);
    *t = *like;
    t->at = NULL;
    t->sizes = NULL;                                                     /* those of `like` are its own         */
    c->tensor = must_realloc(c->tensor, (size_t)c->tensors + 1, sizeof(weight_tensor *));
    return c->tensor[c->tensors++] = t;
}

static const weight_tensor **place_of(const contracted *c, tensor_role role, long layer)
{
    return &c->D.at[(layer + 1) * ROLES + (long)role];
}

static bool encoded(const char *type, size_t n, const double *x, unsigned char *to)
{
    const size_t each = (size_t)sheet_number_bytes(type);
    for (size_t k = 0; k < n; k++) if (!sheet_number(x[k], type, to + k * each)) return false;
    return true;
}

/* rows x cols numbers in the type of `like`; a sum that this type does not have makes them doubles. */
static weight_tensor *tensor_of_numbers(contracted *c, const weight_tensor *like, long rows, long cols, const double *x)
{
    weight_tensor *t = own(c, like);
    unsigned char *bytes = must_calloc((size_t)(rows * cols), sizeof(double));
    t->rank = rows > 1 || like->rank == 2 ? 2 : 1;
    t->shape[0] = t->rank == 2 ? rows : cols;
    if (t->rank == 2) t->shape[1] = cols;
    t->n = (size_t)(rows * cols);
    if (like->blocks || !encoded(t->type, t->n, x, bytes)) {
        snprintf(t->type, sizeof t->type, "F64");
        t->numbers = NUMBERS_F64;
        t->blocks = NULL;
        memcpy(bytes, x, t->n * sizeof *x);
    }
    t->bytes = t->n * (size_t)sheet_number_bytes(t->type);
    t->at = bytes;
    t->file = -1;                                                        /* in none                             */
    return t;
}

/* A matrix in x out as the file stores that part, which stays the model's; x is freed. */
static void put_matrix(contracted *c, tensor_role role, long layer, const weight_tensor *like, long rows, long cols,
                       double *x)
{
    const bool as_stored = c->D.in_out && role != ROLE_GATE;
    double *y = x;
    if (!as_stored) {
        y = must_calloc((size_t)(rows * cols), sizeof *y);
        for (long r = 0; r < rows; r++) for (long k = 0; k < cols; k++) y[k * rows + r] = x[r * cols + k];
    }
    *place_of(c, role, layer) = tensor_of_numbers(c, like, as_stored ? rows : cols, as_stored ? cols : rows, y);
    if (y != x) free(y);
    free(x);
}

/* ---- slots ------------------------------------------------------------------------------------------------------ */

/* rows x n things of `wide` columns, each at its slot among `slots`; equal ones share one. */
static double *columns_placed(const double *x, long rows, long n, long wide, const long *slot, long slots)
{
    double *y = must_calloc((size_t)(rows * slots * wide), sizeof *y);
    for (long r = 0; r < rows; r++)
        for (long j = 0; j < n; j++)
            if (slot[j] >= 0)
                memcpy(y + (r * slots + slot[j]) * wide, x + (r * n + j) * wide, (size_t)wide * sizeof *y);
    return y;
}

/* n things of `each` numbers, one behind the other; those of one slot are added up, exactly (expansion.c).  *added: how
 * many at most; sizes: as weight_tensor has them, zeros before; of: those of x, NULL: it has none. */
static double *rows_placed(const double *x, const double *of, long n, long each, const long *slot, long slots,
                           long *added, double *sizes)
{
    double *y = must_calloc((size_t)(slots * each), sizeof *y);
    long *count = must_calloc((size_t)slots, sizeof *count);
    *added = 0;
    for (long j = 0; j < n; j++) {
        if (slot[j] < 0) continue;
        double *to = y + slot[j] * each;
        const bool first = !count[slot[j]]++;                            /* -0 stays -0                         */
        for (long k = 0; k < each; k++) to[k] = first ? x[j * each + k] : to[k] + x[j * each + k];
        for (long k = 0; k < each; k++) {
            const long from = j * each + k;
            sizes[slot[j] * each + k] += of && of[from] > 0 ? of[from] : fabs(x[from]);
        }
        if (count[slot[j]] > *added) *added = count[slot[j]];
    }
    for (long j = 0; j < n; j++) {                                       /* alone: a sum already, or of one part */
        if (slot[j] < 0 || count[slot[j]] > 1) continue;
        for (long k = 0; k < each; k++) sizes[slot[j] * each + k] = of ? of[j * each + k] : 0;
    }
    free(count);
    return y;
}

/* down or W_O: its rows go where the things go that write them. */
static void put_rows(contracted *c, const transformer *D, tensor_role role, long from, long to, long n, long wide,
                     const long *slot, long slots)
{
    long rows, cols, added;
    double *x = doubles_of_part(D, role, from, 0, 0, &rows, &cols);
    double *sizes = must_calloc((size_t)(slots * wide * cols), sizeof *sizes);
    const weight_tensor *like = tensor_of_part(D, role, from);
    double *y = rows_placed(x, like->sizes, n, wide * cols, slot, slots, &added, sizes);
    put_matrix(c, role, to, like, slots * wide, cols, y);
    weight_tensor *t = c->tensor[c->tensors - 1];
    if (added > 1 && !like->sizes) t->parts = like->numbers;
    if (added > 1) t->added = added * (like->sizes ? like->added : 1);
    if (added > 1 || like->sizes) t->sizes = sizes;
    else free(sizes);
    free(x);
}

static double *part_placed(const transformer *D, tensor_role role, long layer, long n, long wide, const long *slot,
                           long slots, long *rows)
{
    long cols;
    double *x = doubles_of_part(D, role, layer, 0, 0, rows, &cols);
    if (!x) return NULL;
    REQUIRE(cols == n * wide, "%s of layer %ld: %ld columns", role_name[role], layer, cols);
    double *y = columns_placed(x, *rows, n, wide, slot, slots);
    free(x);
    return y;
}

/* ---- the MLP ----------------------------------------------------------------------------------------------------- */

static bool in_place(const long *slot, long n, long slots)
{
    for (long j = 0; j < n; j++) if (slot[j] != j) return false;
    return n == slots;
}

static void contract_mlp(contracted *c, const transformer *D, long from, long to, const layer_plan *p, long m)
{
    static const tensor_role in[] = { ROLE_UP, ROLE_GATE, ROLE_UP_BIAS, ROLE_GATE_BIAS };
    long rows;
    for (size_t k = 0; k < COUNT(in); k++) {
        const weight_tensor *t = tensor_of_part(D, in[k], from);
        double *x = part_placed(D, in[k], from, D->m, 1, p->neuron, m, &rows);
        if (!x) continue;
        if (k < 2) put_matrix(c, in[k], to, t, rows, m, x);
        else {
            *place_of(c, in[k], to) = tensor_of_numbers(c, t, 1, m, x);
            free(x);
        }
    }
    put_rows(c, D, ROLE_DOWN, from, to, D->m, 1, p->neuron, m);
}

/* ---- attention --------------------------------------------------------------------------------------------------- */

typedef struct { long heads, slots; const long *slot; } head_places;

/* Q, K and V of one tensor beside each other, whatever their order in the file: FUSED_BLOCKS. */
static void put_fused(contracted *c, const transformer *D, bool bias, long from, long to, const head_places of[3])
{
    const tensor_role first = bias ? ROLE_Q_BIAS : ROLE_Q, role = bias ? ROLE_QKV_BIAS : ROLE_QKV;
    const weight_tensor *t = tensor_of(D, role, from);
    if (!t) return;
    const long all = (of[0].slots + of[1].slots + of[2].slots) * D->dk, rows = bias ? 1 : D->d;
    double *y = must_calloc((size_t)(rows * all), sizeof *y);
    long before = 0, n;
    for (int k = 0; k < 3; k++) {
        const long wide = of[k].slots * D->dk;
        const tensor_role apart = (tensor_role)(first + (tensor_role)k);
        double *x = part_placed(D, apart, from, of[k].heads, D->dk, of[k].slot, of[k].slots, &n);
        for (long r = 0; r < rows; r++) memcpy(y + r * all + before, x + r * wide, (size_t)wide * sizeof *y);
        before += wide;
        free(x);
    }
    if (!bias) put_matrix(c, role, to, t, rows, all, y);
    else {
        *place_of(c, role, to) = tensor_of_numbers(c, t, 1, all, y);
        free(y);
    }
}

static void put_apart(contracted *c, const transformer *D, bool bias, long from, long to, const head_places of[3])
{
    for (int k = 0; k < 3; k++) {
        const tensor_role role = (tensor_role)((bias ? ROLE_Q_BIAS : ROLE_Q) + (tensor_role)k);
        const weight_tensor *t = tensor_of(D, role, from);
        long rows;
        double *x = part_placed(D, role, from, of[k].heads, D->dk, of[k].slot, of[k].slots, &rows);
        if (x && !bias) put_matrix(c, role, to, t, rows, of[k].slots * D->dk, x);
        else if (x) {
            *place_of(c, role, to) = tensor_of_numbers(c, t, 1, of[k].slots * D->dk, x);
            free(x);
        }
    }
}

/* Query heads at key head times group, behind each other. */
static long *query_places(const transformer *D, const layer_plan *p, long group)
{
    long *slot = must_calloc((size_t)D->h, sizeof *slot);
    for (long a = 0; a < D->h; a++) slot[a] = p->of_key[a] < 0 ? -1 : p->of_key[a] * group + p->among[a];
    return slot;
}

static void contract_attention(contracted *c, const transformer *D, long from, long to, const layer_plan *p,
                               plan_sizes s)
{
    long *query = query_places(D, p, s.group);
    const head_places key = { D->h_kv, s.keys, p->key }, of[3] = { { D->h, s.keys * s.group, query }, key, key };
    for (int bias = 0; bias < 2; bias++) {
        if (D->fused) put_fused(c, D, bias, from, to, of);
        else put_apart(c, D, bias, from, to, of);
    }
    put_rows(c, D, ROLE_O, from, to, D->h, D->dk, query, of[0].slots);
    free(query);
}

static bool heads_in_place(const transformer *D, const layer_plan *p, plan_sizes s)
{
    long *query = query_places(D, p, s.group);
    const bool is = in_place(query, D->h, s.keys * s.group) && in_place(p->key, D->h_kv, s.keys);
    free(query);
    return is;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Of layers in turn with the same counts one line is made. */
static void note(contracted *c, undone_kind kind, long layer, long n, long of)
{
    if (!n) return;
    for (long k = 0; k < c->n; k++) {
        undone *u = &c->at[k];
        if (u->kind != kind || u->last != layer - 1 || u->n != n || u->of != of || layer < 0) continue;
        u->last = layer;
        return;
    }
    c->at = must_realloc(c->at, (size_t)c->n + 1, sizeof *c->at);
    c->at[c->n++] = (undone){ kind, layer, layer, n, of };
}

static void note_layer(contracted *c, const transformer *D, const layer_plan *p, long i)
{
    if (p->silent) {
        note(c, UNDONE_LAYERS, i, 1, D->L);
        return;
    }
    note(c, UNDONE_SILENT_HEADS, i, p->silent_heads, D->h);
    note(c, UNDONE_EQUAL_HEADS, i, p->equal_heads, D->h);
    note(c, UNDONE_EQUAL_KEYS, i, p->equal_keys, D->h_kv);
    note(c, UNDONE_SILENT_NEURONS, i, p->silent_neurons, D->m);
    note(c, UNDONE_EQUAL_NEURONS, i, p->equal_neurons, D->m);
    note(c, UNDONE_MOVED_HEADS, i, p->moved_heads, D->h);
    note(c, UNDONE_MOVED_NEURONS, i, p->moved_neurons, D->m);
}

/* Contract: L = D->L where D has experts, whose places are behind the layers. */
static contracted views_of(const transformer *D, long L)
{
    contracted c = { .D = *D };
    c.D.L = L;
    c.D.at = must_calloc((size_t)((transformer_places(&c.D) + 1) * ROLES), sizeof(const weight_tensor *));
    memcpy(c.D.at, D->at, ROLES * sizeof(const weight_tensor *));
    return c;
}

contracted contracted_model(const transformer *D, const layer_plan *plan, plan_sizes sizes)
{
    long L = 0;
    bool heads = false;
    for (long i = 0; i < D->L; i++) {
        if (plan[i].silent) continue;
        L++;
        heads = heads || (!plan[i].fixed && !heads_in_place(D, &plan[i], sizes));
    }
    contracted c = views_of(D, L);
    if (heads) {
        c.D.h = sizes.keys * sizes.group;
        c.D.h_kv = sizes.keys;
        if (D->fused) c.D.fused = FUSED_BLOCKS;
    }
    c.D.m = sizes.m;
    for (long i = 0, to = 0; i < D->L; i++) {
        note_layer(&c, D, &plan[i], i);
        if (plan[i].silent) continue;
        memcpy(c.D.at + (to + 1) * ROLES, D->at + (i + 1) * ROLES, ROLES * sizeof(const weight_tensor *));
        if (heads) contract_attention(&c, D, i, to, &plan[i], sizes);
        if (!in_place(plan[i].neuron, D->m, sizes.m)) contract_mlp(&c, D, i, to, &plan[i], sizes.m);
        to++;
    }
    return c;
}

static void cut(contracted *c, tensor_role role, long rows)
{
    const weight_tensor *t = tensor_of(&c->D, role, -1);
    if (!t || t->shape[0] <= rows) return;
    weight_tensor *u = own(c, t);
    u->n = t->n / (size_t)t->shape[0] * (size_t)rows;
    u->bytes = t->bytes / (size_t)t->shape[0] * (size_t)rows;
    u->shape[0] = rows;
    u->at = t->at;
    *place_of(c, role, -1) = u;
}

contracted contracted_tokens(const transformer *D, long V, long T)
{
    static const tensor_role of_tokens[] = { ROLE_EMBED, ROLE_HEAD, ROLE_HEAD_BIAS };
    contracted c = views_of(D, D->L);
    memcpy(c.D.at, D->at, (size_t)((transformer_places(D) + 1) * ROLES) * sizeof(const weight_tensor *));
    if (V < D->V) {
        note(&c, UNDONE_TOKENS, -1, D->V - V, D->V);
        for (size_t k = 0; k < COUNT(of_tokens); k++) cut(&c, of_tokens[k], V);
        if (D->outputs == D->V) c.D.outputs = V;
        c.D.V = V;
    }
    if (T && D->positions == POSITIONS_LEARNED && T < D->T) {
        note(&c, UNDONE_POSITIONS, -1, D->T - T, D->T);
        cut(&c, ROLE_POSITION, T);
        c.D.T = T;
    }
    return c;
}

/* Row k of it is row from[k] of t, byte by byte. */
static weight_tensor *rows_moved(contracted *c, const weight_tensor *t, const long *from)
{
    weight_tensor *to = own(c, t);
    const size_t each = t->bytes / (size_t)t->shape[0];
    unsigned char *bytes = must_calloc(t->bytes, 1);
    for (long k = 0; k < t->shape[0]; k++) memcpy(bytes + (size_t)k * each, t->at + (size_t)from[k] * each, each);
    to->at = bytes;
    to->file = -1;
    return to;
}

contracted contracted_experts(const transformer *D, const long *from)
{
    contracted c = views_of(D, D->L);
    memcpy(c.D.at, D->at, (size_t)((transformer_places(D) + 1) * ROLES) * sizeof(const weight_tensor *));
    for (long i = 0; i < D->L; i++) {
        const long *of = from + i * D->experts;
        if (!experts_in_layer(D, i)) continue;
        long moved = 0;
        for (long e = 0; e < D->experts; e++) moved += of[e] != e;
        note(&c, UNDONE_MOVED_EXPERTS, i, moved, D->experts);
        *place_of(&c, ROLE_ROUTER, i) = rows_moved(&c, tensor_of(D, ROLE_ROUTER, i), of);
        for (long e = 0; e < D->experts; e++)
            memcpy(place_of(&c, ROLE_UNKNOWN, experts_place(D, i, e)),
                   D->at + (experts_place(D, i, of[e]) + 1) * ROLES, ROLES * sizeof(const weight_tensor *));
    }
    return c;
}

void contracted_free(contracted *c)
{
    for (long k = 0; k < c->tensors; k++) {
        if (c->tensor[k]->file < 0) free((void *)(uintptr_t)c->tensor[k]->at);
        free(c->tensor[k]->sizes);
        free(c->tensor[k]);
    }
    free(c->tensor);
    free(c->D.at);
    free(c->at);
    *c = (contracted){ .n = 0 };
}
