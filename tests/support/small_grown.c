/* SPDX-License-Identifier: GPL-3.0-or-later
 * small_grown.c - see small_grown.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/support/small_grown.h"

void small_part_resize(small_model *m, tensor_role role, long layer, long rows, long cols)
{
    small_matrix *p = small_part(m, role, layer), old = *p;
    if (!old.x) return;
    *p = (small_matrix){ .x = NULL };
    p = small_part_new(m, role, layer, rows, cols);
    for (long r = 0; r < rows && r < old.rows; r++)
        memcpy(p->x + r * cols, old.x + r * old.cols, (size_t)(cols < old.cols ? cols : old.cols) * sizeof(double));
    free(old.x);
}

void small_heads_from(small_model *m, tensor_role role, long layer, long to, const long *from)
{
    small_matrix *p = small_part(m, role, layer), old = *p;
    if (!old.x) return;
    *p = (small_matrix){ .x = NULL };
    p = small_part_new(m, role, layer, old.rows, to * m->dk);
    for (long r = 0; r < old.rows; r++)
        for (long a = 0; a < to; a++)
            if (from[a] >= 0)
                memcpy(p->x + r * p->cols + a * m->dk, old.x + r * old.cols + from[a] * m->dk, (size_t)m->dk * sizeof(double));
    free(old.x);
}

static const tensor_role of_keys[] = { ROLE_K, ROLE_V, ROLE_K_BIAS, ROLE_V_BIAS };

void small_key_heads_repeated(small_model *m, long kv)
{
    long *from = must_calloc((size_t)kv, sizeof *from);
    for (long g = 0; g < kv; g++) from[g] = g * m->kv / kv;
    for (long i = 0; i < m->L; i++)
        for (size_t k = 0; k < COUNT(of_keys); k++) small_heads_from(m, of_keys[k], i, kv, from);
    m->kv = kv;
    free(from);
}

void small_key_heads_added(small_model *m, long n)
{
    const long group = m->h / m->kv, kv = m->kv + n, h = kv * group;
    for (long i = 0; i < m->L; i++) {
        for (size_t k = 0; k < COUNT(of_keys); k++)
            small_part_resize(m, of_keys[k], i, small_part(m, of_keys[k], i)->rows, kv * m->dk);
        small_part_resize(m, ROLE_Q, i, m->d, h * m->dk);
        small_part_resize(m, ROLE_Q_BIAS, i, 1, h * m->dk);
        small_part_resize(m, ROLE_O, i, h * m->dk, m->d);
    }
    m->kv = kv;
    m->h = h;
}

static const tensor_role into_neurons[] = { ROLE_UP, ROLE_GATE, ROLE_UP_BIAS };

void small_neurons_added(small_model *m, long n)
{
    m->m += n;
    for (long i = 0; i < m->L; i++) {
        for (size_t k = 0; k < COUNT(into_neurons); k++)
            small_part_resize(m, into_neurons[k], i, small_part(m, into_neurons[k], i)->rows, m->m);
        small_part_resize(m, ROLE_DOWN, i, m->m, m->d);
    }
}

void small_neurons_doubled(small_model *m, bool halves)
{
    const long n = m->m;
    small_neurons_added(m, n);
    for (long i = 0; i < m->L; i++) {
        for (size_t k = 0; k < COUNT(into_neurons); k++) {
            const small_matrix *p = small_part(m, into_neurons[k], i);
            for (long r = 0; p->x && r < p->rows; r++)
                memcpy(p->x + r * p->cols + n, p->x + r * p->cols, (size_t)n * sizeof(double));
        }
        double *down = small_part(m, ROLE_DOWN, i)->x;
        for (long k = 0; k < n * m->d && halves; k++) down[k] /= 2;
        memcpy(down + n * m->d, down, (size_t)(n * m->d) * sizeof(double));
    }
}

void small_neuron_split(small_model *m, long layer, long j, long n, const double *share)
{
    const long first = m->m;
    small_neurons_added(m, n - 1);
    for (size_t k = 0; k < COUNT(into_neurons); k++) {
        const small_matrix *p = small_part(m, into_neurons[k], layer);
        for (long r = 0; p->x && r < p->rows; r++)
            for (long i = 1; i < n; i++) p->x[r * p->cols + first + i - 1] = p->x[r * p->cols + j];
    }
    double *down = small_part(m, ROLE_DOWN, layer)->x;
    for (long c = 0; c < m->d; c++) {
        for (long i = 1; i < n; i++) down[(first + i - 1) * m->d + c] = share[i] * down[j * m->d + c];
        down[j * m->d + c] *= share[0];
    }
}

void small_layer_added(small_model *m, long at)
{
    static const tensor_role writes[] = { ROLE_O, ROLE_O_BIAS, ROLE_DOWN, ROLE_DOWN_BIAS };
    memmove(m->part[at + 2], m->part[at + 1], (size_t)(m->L - at) * sizeof m->part[0]);
    m->L++;
    memset(m->part[at + 1], 0, sizeof m->part[0]);
    for (int r = 0; r < ROLES; r++) {
        const small_matrix *p = &m->part[at + 2][r];
        if (!p->x) continue;
        small_part_new(m, (tensor_role)r, at, p->rows, p->cols);
        memcpy(m->part[at + 1][r].x, p->x, (size_t)(p->rows * p->cols) * sizeof(double));
    }
    for (size_t k = 0; k < COUNT(writes); k++) {
        const small_matrix *p = small_part(m, writes[k], at);
        if (p->x) memset(p->x, 0, (size_t)(p->rows * p->cols) * sizeof(double));
    }
}

void small_part_fill(small_model *m, tensor_role role, long layer, long row, long col, long rows, long cols)
{
    const small_matrix *p = small_part(m, role, layer);
    for (long r = row; p->x && r < row + rows; r++)
        for (long c = col; c < col + cols; c++) p->x[r * p->cols + c] = ldexp((double)(1 + (3 * r + 5 * c) % 7), -6);
}

void small_tokens_added(small_model *m, long n)
{
    const long V = m->V;
    small_part_resize(m, ROLE_EMBED, -1, V + n, m->d);
    small_part_resize(m, ROLE_HEAD, -1, m->d, V + n);
    small_part_fill(m, ROLE_EMBED, -1, V, 0, n, m->d);
    small_part_fill(m, ROLE_HEAD, -1, 0, V, m->d, n);
    m->V += n;
}

void small_positions_added(small_model *m, long n)
{
    const long T = m->T;
    small_part_resize(m, ROLE_POSITION, -1, T + n, m->d);
    small_part_fill(m, ROLE_POSITION, -1, T, 0, n, m->d);
    m->T += n;
}
