/* SPDX-License-Identifier: GPL-3.0-or-later
 * symmetry_parts.c - see symmetry_parts.h. */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include "src/checkpoint/forward.h"
#include "src/checkpoint/symmetry_parts.h"

bool is_power_of_two(factor x)
{
    int e;
    return x == 1 || fabsl(frexpl(x, &e)) == 0.5L;
}

double times_computed(double unit) { return unit <= 0x1p-53 ? 4 : 1; }

double products_explain(const rounding *by, double sum, double squares)
{
    return by->unit * fmin(sum, 3 * sqrt(squares)) + fmin(by->unit, 0x1p-24) * sum;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static bool is_bias(tensor_role role)
{
    static const tensor_role of[] = { ROLE_HEAD_BIAS, ROLE_FINAL_BIAS, ROLE_BIAS1, ROLE_BIAS2, ROLE_Q_BIAS, ROLE_K_BIAS,
                                      ROLE_V_BIAS, ROLE_O_BIAS, ROLE_UP_BIAS, ROLE_GATE_BIAS, ROLE_DOWN_BIAS };
    for (size_t k = 0; k < COUNT(of); k++) if (of[k] == role) return true;
    return false;
}

bool beside_open(const symmetry_pair *p, tensor_role role, long layer, beside *m)
{
    const bool in_a = tensor_of_part(p->A, role, layer), in_b = tensor_of_part(p->B, role, layer);
    if ((!in_a && !in_b) || (in_a != in_b && !is_bias(role))) return false;
    const bool halves = p->A->pairs != p->B->pairs;
    if (in_a) m->a = weight_matrix_of(p->A, role, layer, halves, 0);
    if (in_b) m->b = weight_matrix_of(p->B, role, layer, halves, 0);
    const weight_matrix *there = in_a ? &m->a : &m->b;
    double *zero = in_a && in_b ? NULL : must_calloc((size_t)there->cols, sizeof *zero);
    if (!in_a) m->a = weight_matrix_whole(1, there->cols, zero, there->type);
    if (!in_b) m->b = weight_matrix_whole(1, there->cols, zero, there->type);
    m->by = rounding_of(m->a.type, m->b.type);
    if (m->a.rows == m->b.rows && m->a.cols == m->b.cols) return true;
    beside_free(m);
    return false;
}

beside beside_zeros(const beside *like)
{
    const long n = like->b.cols;
    return (beside){ weight_matrix_whole(1, n, must_calloc((size_t)n, sizeof(double)), like->a.type),
                     weight_matrix_whole(1, n, must_calloc((size_t)n, sizeof(double)), like->b.type),
                     { like->by.unit, 0 } };
}

void beside_free(beside *m)
{
    weight_matrix_free(&m->a);
    weight_matrix_free(&m->b);
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

void factor_meet(factor_range *c, factor_range x)
{
    c->low = fmaxl(c->low, fminl(x.low, x.high));
    c->high = fminl(c->high, fmaxl(x.low, x.high));
}

void factor_narrow(factor_range *c, factor a, factor b, double off, bool inverse)
{
    if (a == 0 || fabsl(b) <= 2 * off) return;           /* says nothing about c; the entries are compared later */
    factor_meet(c, inverse ? (factor_range){ a / (b - off), a / (b + off) }
                           : (factor_range){ (b - off) / a, (b + off) / a });
}

factor factor_in(const factor_range *c)
{
    if (c->low <= 1 && 1 <= c->high) return 1;
    if (!(c->low <= c->high) || c->low * c->high <= 0 || !isfinite(c->low) || !isfinite(c->high)) return 0;
    const factor sign = c->high < 0 ? -1 : 1, high = fmaxl(fabsl(c->low), fabsl(c->high));
    int e;
    frexpl(high, &e);
    const factor power = sign * ldexpl(0.5L, e);         /* the largest one that is at most `high` */
    return c->low <= power && power <= c->high ? power : c->low / 2 + c->high / 2;
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/* Of sizes whose median is 1 the root mean square, if they are those of a normal distribution; roundings of a rest that
 * one entry may be off. */
static const double USUAL = 1.4826, REST_MOST = 4;

line_pair line_pair_new(long n, double u)
{
    factor *x = must_calloc((size_t)(3 * n), sizeof *x);
    double *y = must_calloc((size_t)(4 * n), sizeof *y);
    return (line_pair){ n, u, x, x + n, x + 2 * n, y, y + n, y + 2 * n, y + 3 * n };
}

void line_pair_free(line_pair *l)
{
    free(l->by);
    free(l->size);
    *l = (line_pair){ .n = 0 };
}

static line_answer with_constant(const line_pair *l, factor v)
{
    line_answer x = { .holds = true, .v = v, .units = 0, .allowed = ROUNDING_UNITS };
    for (long k = 0; k < l->n && x.holds; k++) {
        const factor off = fabsl(l->by[k] - (v != 0 ? v * l->slope[k] : 0));
        if (off == 0) continue;
        /* NaN and infinity do not hold */
        const double units = (double)off / (l->u * l->size[k] + l->apart[k] + (v != 0 ? l->before[k] : 0));
        x.holds = units <= l->allowed[k];
        if (!x.holds || units / l->allowed[k] <= x.units / x.allowed) continue;
        x.units = units;
        x.allowed = l->allowed[k];
    }
    return x;
}

factor line_pair_mean(const line_pair *l)
{
    factor mean = 0;
    for (long k = 0; k < l->n; k++) mean += l->image[k] / l->slope[k] / (factor)l->n;
    return mean;
}

/* What is left without the constants is rounded as if there were none: each entry beside its own size, or what is usual
 * in the line, which a few large ones are not. */
static bool rest_holds(const line_pair *l)
{
    const factor mean = line_pair_mean(l);
    double *rest = must_calloc((size_t)(2 * l->n), sizeof *rest), *sorted = rest + l->n, squares = 0;
    factor mean_by = 0;
    for (long k = 0; k < l->n; k++) {
        mean_by += l->by[k] / l->slope[k] / (factor)l->n;
        sorted[k] = rest[k] = (double)fabsl(l->image[k] / l->slope[k] - mean);
    }
    gsl_sort(sorted, 1, (size_t)l->n);
    const double usual = USUAL * sorted[l->n / 2], times = times_computed(l->u);
    bool holds = true;
    for (long k = 0; k < l->n && holds; k++) {
        const double off = (double)fabsl(l->by[k] / l->slope[k] - mean_by) / l->allowed[k] / times;
        const double may = l->u * fmax(rest[k], usual) + l->apart[k] / (double)fabsl(l->slope[k]);
        holds = off == 0 || off <= REST_MOST * may;
        if (off > 0) squares += off / may * (off / may);
    }
    free(rest);
    return holds && sqrt(squares) <= sqrt((double)l->n);
}

line_answer line_pair_answer(const line_pair *l, bool constant)
{
    const line_answer plain = with_constant(l, 0);
    if (plain.holds || !constant || l->n < 2) return plain;
    factor_range v = ANY_FACTOR;
    for (long k = 0; k < l->n; k++) {
        const double off = l->allowed[k] * (l->u * l->size[k] + l->apart[k] + l->before[k]);
        factor_meet(&v, (factor_range){ (l->by[k] - off) / l->slope[k], (l->by[k] + off) / l->slope[k] });
    }
    if (!(v.low <= v.high)) return plain;
    line_answer moved = with_constant(l, v.low / 2 + v.high / 2);
    moved.holds = moved.holds && rest_holds(l);
    return moved;
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

column_sums column_sums_new(long n, const double *b)
{
    column_sums s = { n, must_calloc((size_t)n, sizeof *s.is), must_calloc((size_t)(2 * n), sizeof *s.size), NULL };
    s.squares = s.size + n;
    for (long c = 0; c < n; c++) s.is[c] = b[c], s.size[c] = fabs(b[c]), s.squares[c] = b[c] * b[c];
    return s;
}

column_sums column_sums_of(weight_matrix *W, const double *v, const double *b)
{
    column_sums s = column_sums_new(W->cols, b);
    const long lines = W->turned ? W->cols : W->rows, wide = W->turned ? W->rows : W->cols;
    for (long line = 0; line < lines; line++)
        for (long k = 0; k < wide; k++) {
            const long r = W->turned ? k : line, c = W->turned ? line : k;
            if (v[r] == 0) continue;
            const factor term = (factor)v[r] * weight_matrix_at(W, r, c);
            s.is[c] += term;
            s.size[c] += (double)fabsl(term);
            s.squares[c] += (double)(term * term);
        }
    return s;
}

void column_sums_free(column_sums *s)
{
    free(s->is);
    free(s->size);
    *s = (column_sums){ .n = 0 };
}
