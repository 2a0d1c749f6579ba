/* SPDX-License-Identifier: GPL-3.0-or-later
 * weight_matrix.c - see weight_matrix.h. */
#include <stdlib.h>
#include "src/checkpoint/forward.h"
#include "src/checkpoint/weight_matrix.h"

/* ---- the order of halves ----------------------------------------------------------------------------------------- */

/* Columns (or places of a vector) of neighbouring pairs in the order of halves, head by head. */
static void to_halves(double *x, long rows, long cols, long dk, long rotary)
{
    double *head = must_calloc((size_t)dk, sizeof *head);
    for (double *at = x; at < x + rows * cols; at += dk) {
        for (long i = 0; i < dk; i++) head[i] = at[i];
        for (long i = 0; i < rotary / 2; i++) {
            at[i] = head[2 * i];
            at[rotary / 2 + i] = head[2 * i + 1];
        }
    }
    free(head);
}

bool role_turns(tensor_role role)
{
    return role == ROLE_Q || role == ROLE_K || role == ROLE_Q_BIAS || role == ROLE_K_BIAS || role == ROLE_Q_GAIN
           || role == ROLE_K_GAIN;
}

double *doubles_in_halves(const transformer *D, tensor_role role, long layer, long first, long count, long *rows,
                          long *cols)
{
    double *x = doubles_of_part(D, role, layer, first, count, rows, cols);
    if (x && role_turns(role) && D->pairs == PAIRS_ADJACENT) to_halves(x, *rows, *cols, D->dk, D->rotary);
    return x;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

tensor_lines lines_of_tensor(const weight_tensor *t)
{
    const long wide = t->rank > 1 && t->n ? t->shape[t->rank - 1] : (long)t->n, lines = wide ? (long)t->n / wide : 1;
    return (tensor_lines){ .t = t, .lines = lines, .wide = wide, .pitch = wide, .group = lines };
}

/* Of a head of rotary / 2 neighbouring pairs: what becomes coordinate k in the order of halves. */
static long before_halves(long k, long rotary)
{
    return k >= rotary ? k : k < rotary / 2 ? 2 * k : 2 * (k - rotary / 2) + 1;
}

size_t tensor_line(const tensor_lines *l, long k)
{
    if (l->dk) k += before_halves(k % l->dk, l->rotary) - k % l->dk;
    return l->first + (size_t)(k / l->group * l->group_pitch + k % l->group * l->pitch);
}

/* Columns of W_Q, W_K, W_V; of all three together those of heads of this one (transformer.h). */
static bool lines_of_projection(const transformer *D, projection p, bool halves, tensor_lines *to)
{
    const long d = D->d, dk = D->dk, cols = projection_heads(D, p) * dk;
    const long before = p == PROJECT_Q ? 0 : p == PROJECT_K ? D->h * dk : (D->h + D->h_kv) * dk;
    if (p == PROJECT_V && D->value_rows) return false;
    if (D->in_out) {                                     /* Q|K|V beside each other */
        *to = (tensor_lines){ .t = to->t, .lines = d, .wide = cols, .first = (size_t)before, .pitch = to->t->shape[1],
                              .group = d };
        return !halves;
    }
    const bool by_head = D->fused == FUSED_HEADS;
    const long share = p == PROJECT_Q ? D->h / D->h_kv : 1, first = by_head ? fused_head(D, p, 0) * dk * d : before * d;
    *to = (tensor_lines){ .t = to->t, .lines = cols, .wide = d, .turned = true, .pitch = d,
                          .group = by_head ? share * dk : cols, .group_pitch = (D->h / D->h_kv + 2) * dk * d,
                          .first = (size_t)(D->fused ? first : 0) };
    if (halves) to->dk = dk, to->rotary = D->rotary;
    return true;
}

/* A row for each token, position, kind of tokens or bucket of distances. */
static bool is_table(tensor_role role)
{
    return role == ROLE_EMBED || role == ROLE_POSITION || role == ROLE_TOKEN_TYPE || role == ROLE_PAD_POSITION
           || role == ROLE_BUCKETS;
}

bool lines_of_part(const transformer *D, tensor_role role, long layer, bool halves, tensor_lines *to)
{
    const weight_tensor *t = tensor_of_part(D, role, layer);
    if (!t || t->numbers == NUMBERS_OTHER) return false;
    *to = (tensor_lines){ .t = t, .lines = 1, .wide = (long)t->n, .group = 1 };
    halves = halves && role_turns(role) && D->pairs == PAIRS_ADJACENT;
    switch (role) {
    case ROLE_Q: case ROLE_K: case ROLE_V: return lines_of_projection(D, (projection)(role - ROLE_Q), halves, to);
    case ROLE_Q_BIAS: case ROLE_K_BIAS: case ROLE_V_BIAS: return !D->fused && !halves;
    case ROLE_Q_GAIN: case ROLE_K_GAIN: return !halves;
    case ROLE_HEAD: case ROLE_EMBED: case ROLE_POSITION: case ROLE_O: case ROLE_UP: case ROLE_GATE: case ROLE_DOWN:
    case ROLE_ROUTER: case ROLE_SHARED_GATE: case ROLE_DENSE: case ROLE_POOL: case ROLE_NEXT:
    case ROLE_TOKEN_TYPE: case ROLE_PAD_POSITION: case ROLE_BUCKETS:
        if (t->rank != 2) return false;
        to->lines = to->group = role == ROLE_POSITION ? D->T : t->shape[0];
        to->wide = to->pitch = t->shape[1];
        to->turned = role == ROLE_HEAD
                     || (!is_table(role) && !(D->in_out && role != ROLE_GATE));
        return true;
    default: return true;
    }
}

/* ---- some of them ------------------------------------------------------------------------------------------------ */

enum { BLOCK = 1 << 18, FEW = 4 };       /* numbers at a time; lines at first, for who stops at them    */

long lines_at_a_time(long block, long wide) { return (block ? block : BLOCK) / wide + 1; }

weight_matrix weight_matrix_whole(long rows, long cols, double *x, numbers_type type)
{
    return (weight_matrix){ .rows = rows, .cols = cols, .x = x, .type = type, .count = rows };
}

static weight_matrix some_lines(const tensor_lines *from, long block)
{
    const long lines = from->lines, most = lines_at_a_time(block, from->wide);
    weight_matrix m = { .rows = from->turned ? from->wide : lines, .cols = from->turned ? lines : from->wide,
                        .type = from->t->numbers, .from = *from, .turned = from->turned,
                        .most = most < lines ? most : lines };
    m.x = must_calloc((size_t)(m.most * from->wide), sizeof *m.x);
    return m;
}

weight_matrix weight_matrix_by_lines(const transformer *D, tensor_role role, long layer, bool halves, long block)
{
    tensor_lines from;
    return lines_of_part(D, role, layer, halves, &from) ? some_lines(&from, block)
                                                        : weight_matrix_of(D, role, layer, halves, block);
}

weight_matrix weight_matrix_of(const transformer *D, tensor_role role, long layer, bool halves, long block)
{
    const weight_tensor *t = tensor_of_part(D, role, layer);
    REQUIRE(t, "%s of layer %ld", role_name[role], layer);
    tensor_lines from;
    const bool large = role == ROLE_EMBED || role == ROLE_POSITION || role == ROLE_HEAD;
    if (large && lines_of_part(D, role, layer, false, &from))
        return some_lines(&from, block);
    long rows, cols, lines = role == ROLE_HEAD_BIAS ? D->outputs : 0;
    double *x = halves ? doubles_in_halves(D, role, layer, 0, lines, &rows, &cols)
                       : doubles_of_part(D, role, layer, 0, lines, &rows, &cols);
    return weight_matrix_whole(rows, cols, x, t->numbers);
}

void weight_matrix_free(weight_matrix *m)
{
    free(m->x);
    m->x = NULL;
}

double weight_matrix_read(weight_matrix *m, long r, long c)
{
    const long lines = m->turned ? m->cols : m->rows, line = m->turned ? c : r, k = m->turned ? r : c;
    const tensor_lines *from = &m->from;
    REQUIRE(from->t && line >= 0 && line < lines, "line %ld of %ld", line, lines);
    if (line != 0 && line != m->first + m->count) {
        double x;
        finite_numbers(from->t, tensor_line(from, line) + (size_t)k, 1, &x);
        return x;
    }
    const long more = line == 0 ? FEW : 2 * m->count, some = more < m->most ? more : m->most;
    m->count = lines - line < some ? lines - line : some;
    m->first = line;
    for (long i = 0; i < m->count; i++)
        finite_numbers(from->t, tensor_line(from, line + i), (size_t)from->wide, m->x + i * from->wide);
    return m->x[k];
}
