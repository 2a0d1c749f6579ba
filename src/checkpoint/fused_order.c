/* SPDX-License-Identifier: GPL-3.0-or-later
 * fused_order.c - see fused_order.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/fused_order.h"

/* ---- what is known ----------------------------------------------------------------------------------------------- */

const char *fused_type(const weights *w)
{
    const char *type = json_string_value(json_object_get(w->config, "model_type"));
    return type ? type : json_string_value(json_object_get(w->config, "general.architecture"));
}

bool fused_order_known(const fused_tensor *f, const weights *of_whole)
{
    const char *type = fused_type(of_whole);
    if (!type || f->side != (f->stacked ? 1 : 0)) return false;      /* rows are outputs                        */
    char *called = must_format("%s%s", strcmp(of_whole->format, "GGUF") == 0 ? "gguf:" : "", type);
    char *word = must_format("%s%s", f->stacked ? "experts." : "", f->word);
    const architecture *A = architecture_called(called);
    const bool known = A && text_among(A->whole, word);
    free(called);
    free(word);
    return known;
}

/* ---- what is certain where it is not ----------------------------------------------------------------------------- */

/* By size, and NaN behind all others. */
static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    if (isnan(x) || isnan(y)) return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

/* All numbers behind x + n, of which there are `n` then. */
static void collect(const tensor_lines *from, double *x, size_t *n)
{
    for (long k = 0; k < from->lines; k++, *n += (size_t)from->wide)
        weight_numbers(from->t, tensor_line(from, k), (size_t)from->wide, x + *n);
}

static void take(numbers_apart *to, const rounding *by, double a, double b)
{
    const double off = a == b ? 0 : fabs(a - b);
    to->most = fmax(to->most, fmax(fabs(a), fabs(b)));
    if (isnan(off)) to->off = to->units = INFINITY;
    else to->off = fmax(to->off, off);
    to->units = fmax(to->units, rounding_units(by, off, fabs(b)));
}

numbers_apart fused_in_any_order(const fused_tensor *f, bool whole_is_b)
{
    static const int order[] = { 0, 1, 2 };
    numbers_apart is = { .finite = true };
    const size_t all = f->whole->n / (size_t)f->experts;
    double *x = must_calloc(all, sizeof *x), *y = must_calloc(all, sizeof *y);
    for (long e = 0; e < f->experts; e++) {
        size_t of_whole = 0, of_parts = 0;
        numbers_type coarsest = f->whole->numbers;
        for (int k = 0; k < f->kinds; k++) {
            const tensor_lines place = fused_place(f, e, order, k), part = fused_part(f, e, k);
            collect(&place, x, &of_whole);
            collect(&part, y, &of_parts);
            if (unit_roundoff(part.t->numbers) > unit_roundoff(coarsest)) coarsest = part.t->numbers;
        }
        const rounding by = rounding_of(coarsest, coarsest);
        qsort(x, all, sizeof *x, by_size);
        qsort(y, all, sizeof *y, by_size);
        for (size_t k = 0; k < all; k++) take(&is, &by, whole_is_b ? y[k] : x[k], whole_is_b ? x[k] : y[k]);
    }
    is.equal = is.off == 0;
    free(x);
    free(y);
    return is;
}
