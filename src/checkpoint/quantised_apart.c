/* SPDX-License-Identifier: GPL-3.0-or-later
 * quantised_apart.c - see quantised_apart.h. */
#include <math.h>
#include <stdlib.h>
#include "src/checkpoint/quantised_apart.h"

/* ---- one number -------------------------------------------------------------------------------------------------- */

enum { OPEN_CUT_OFF = 4 };
static const double KEPT = 0.5;          /* of the squares of a block's numbers, at most, its error     */

typedef struct { quantised_is is; bool cut_off; double steps; } judged;

/* c: its code, of B. */
static judged judge(const block_type *type, const block_group *g, int c, double a)
{
    const double step = fabs(g->step), b = g->step * c + g->offset, off = fabs(b - a);
    const double one = g->step * type->least + g->offset, other = g->step * type->most + g->offset;
    const double low = fmin(one, other), high = fmax(one, other);
    const double beyond = fmax(0, fmax(low - a, a - high)), nearest = fmax(step / 2, beyond);
    const double margin = (abs(c) + 0.5) * g->scale_error + g->offset_error + 0x1p-20 * step
                        + 0x1p-22 * (fabs(a) + fabs(g->offset));
    const int codes = abs(type->least) > abs(type->most) ? abs(type->least) : abs(type->most);
    const double explained = 2 * step + (codes + 2) * (g->scale_unit + g->scale_error) + g->offset_unit
                           + g->offset_error;
    const double unit = step > 0 ? step : g->scale_unit > 0 ? 2 * g->scale_unit : 0x1p-24;
    const double chosen_again = type->group == type->numbers && type->most < 127 ? step / 2 : 0;
    const bool cut_off = beyond > step / 2 + fmin(margin, step / 4);
    judged is = { QUANTISED_OTHER, cut_off, off / unit };
    if (!isfinite(off) || beyond > OPEN_CUT_OFF * explained) return is;
    if (off <= nearest + fmin(margin, step / 4)) is.is = beyond <= explained ? QUANTISED_NEAREST : QUANTISED_OPEN;
    else if (off <= nearest + fmax(margin, chosen_again)) is.is = QUANTISED_OPEN;
    return is;
}

bool quantised_fits(block_reader *r, size_t k, double a)
{
    const block_type *type = r->t->blocks;
    const size_t first = k / type->group * type->group;
    if (!r->any || r->first != first) {
        quantised_group(type, r->t->at, k, &r->group);
        r->first = first;
        r->any = true;
    }
    return judge(type, &r->group, r->group.code[k - first], a).is != QUANTISED_OTHER;
}

/* ---- all numbers ------------------------------------------------------------------------------------------------- */

/* Of equal ones the first, in whatever order the threads came. */
static void farther(far_number *to, double steps, size_t at)
{
    if (steps > to->steps || (steps == to->steps && at < to->at)) *to = (far_number){ steps, at };
}

static void take(quantised_gap *g, const judged *is, size_t at)
{
    if (is->is > g->is) {
        g->is = is->is;
        g->other = (far_number){ is->steps, at };
    } else if (is->is == g->is && is->is != QUANTISED_NEAREST) farther(&g->other, is->steps, at);
    farther(is->cut_off ? &g->beyond : &g->within, is->steps, at);
    g->cut_off += is->cut_off;
}

static void add(quantised_gap *to, const quantised_gap *g)
{
    if (g->lost && (!to->lost || g->lost_at < to->lost_at)) to->lost_at = g->lost_at;
    to->lost = to->lost || g->lost;
    if (g->is > to->is) to->is = g->is, to->other = g->other;
    else if (g->is == to->is) farther(&to->other, g->other.steps, g->other.at);
    farther(&to->within, g->within.steps, g->within.at);
    farther(&to->beyond, g->beyond.steps, g->beyond.at);
    to->cut_off += g->cut_off;
}

/* Is a scale of the group below the least normal half float, so that its rounding may lose all of it? */
static bool hardly_scaled(const block_group *g) { return g->scale_error > 0x1p-11 * (1 + 0x1p-20) * fabs(g->step); }

/* Sums over a block, of which the first number looked at is `at`. */
typedef struct { double of_a, off; size_t at; } squares;

static void add_squares(squares *to, const block_group *g, int code, double a)
{
    const double off = g->step * code + g->offset - a;
    to->of_a += a * a;
    to->off += off * off;
}

static void take_block(quantised_gap *g, const squares *block)
{
    if (block->off <= KEPT * block->of_a || g->is == QUANTISED_OTHER) return;
    if (!g->lost || block->at < g->lost_at) g->lost_at = block->at;
    g->lost = true;
    if (g->is == QUANTISED_NEAREST) g->is = QUANTISED_OPEN, g->other = (far_number){ 0, block->at };
}

static quantised_gap gap_of_line(const tensor_lines *b, long line, const double *a)
{
    const block_type *type = b->t->blocks;
    const size_t from = tensor_line(b, line), end = from + (size_t)b->wide;
    quantised_gap g = { .is = QUANTISED_NEAREST };
    block_group group;
    squares block = { .at = from };
    for (size_t k = from; k < end; ) {
        quantised_group(type, b->t->at, k, &group);
        for (const size_t last = (k / type->group + 1) * type->group; k < last && k < end; k++) {
            const int code = group.code[k % type->group];
            const judged is = judge(type, &group, code, a[k - from]);
            take(&g, &is, k);
            if (!hardly_scaled(&group)) add_squares(&block, &group, code, a[k - from]);
        }
        if (k % type->numbers && k < end) continue;
        take_block(&g, &block);
        block = (squares){ .at = k };
    }
    return g;
}

quantised_gap quantised_apart_of(const tensor_lines *b, quantised_line *line, void *of, bool alone)
{
    REQUIRE(b->t->numbers == NUMBERS_QUANTISED, "%s is %s", b->t->name, b->t->type);
    quantised_gap all = { .is = QUANTISED_NEAREST };
    (void)alone;                                             /* read by OpenMP alone */
    #pragma omp parallel if (!alone && b->lines > 1)
    {
        double *a = must_calloc((size_t)b->wide, sizeof *a);
        #pragma omp for schedule(static)
        for (long k = 0; k < b->lines; k++) {
            line(of, k, a);
            const quantised_gap g = gap_of_line(b, k, a);
            #pragma omp critical(quantised_gaps)
            add(&all, &g);
        }
        free(a);
    }
    return all;
}

void quantised_line_of_file(void *of, long k, double *x)
{
    const tensor_lines *a = of;
    weight_numbers(a->t, tensor_line(a, k), (size_t)a->wide, x);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

char *quantised_place(const weight_tensor *t, size_t at)
{
    const size_t wide = t->rank ? (size_t)t->shape[t->rank - 1] : 1;
    return t->rank > 1 ? must_format("[%zu, %zu]", at / wide, at % wide) : must_format("[%zu]", at);
}

char *quantised_words(const quantised_gap *g, const weight_tensor *b)
{
    char *place = quantised_place(b, g->other.at), *text;
    if (g->is == QUANTISED_NEAREST)
        text = must_format("A's rounded to %s, at most %.4g steps of its block away", b->type, g->within.steps);
    else if (g->is == QUANTISED_OPEN && g->lost) {
        free(place);
        place = quantised_place(b, g->lost_at);
        text = must_format("may be A's rounded to %s: the steps of its block at %s are so large that less than half of "
                           "A's numbers is left, by their squares, which no encoder that is known would choose",
                           b->type, place);
    } else if (g->is == QUANTISED_OPEN)
        text = must_format("may be A's rounded to %s: entry %s is %.4g steps of its block away, more than plain "
                           "encoders leave, and not more than some would", b->type, place, g->other.steps);
    else
        text = must_format("not A's rounded to %s: entry %s is %.4g steps of its block away", b->type, place,
                           g->other.steps);
    free(place);
    return text;
}
