/* SPDX-License-Identifier: GPL-3.0-or-later
 * result_words.c - a mean and its interval as a reader wants them: see results.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/results.h"

enum { DIGITS = 6,                       /* of each number in a line (figures.c)                         */
       ALONE = 4 };                      /* of a mean whose error is not known                           */
static const double SMALL = 1e-4;        /* below it numbers have exponents, as %g shows them            */
static const result_cell shown[] = { R_MEAN, R_LOW, R_HIGH };

/* Decimals with which x shows so many digits. */
static double decimals_of(double x, int digits) { return digits - 1 - floor(log10(x)); }

/* Of a mean and its interval; -1: there is none, or it has no width. */
static int shown_decimals(const result *r)
{
    const double low = strtod(r->cell[R_LOW], NULL), high = strtod(r->cell[R_HIGH], NULL), half = (high - low) / 2;
    const double largest = fmax(fmax(fabs(low), fabs(high)), fabs(strtod(r->cell[R_MEAN], NULL)));
    if (!*r->cell[R_LOW] || !isfinite(half) || !(half > 0)) return -1;
    double decimals = decimals_of(half / 30, 1);                          /* its first digit               */
    if (low != 0) decimals = fmax(decimals, decimals_of(fabs(low), 1));
    if (high != 0) decimals = fmax(decimals, decimals_of(fabs(high), 1));
    return (int)fmax(0, fmin(decimals, decimals_of(largest, DIGITS)));
}

/* x with d decimals, as 1.07e-09. */
static char *with_exponent(double x, int d)
{
    return x == 0 ? must_strdup("0") : must_format("%.*e", (int)fmax(0, d + floor(log10(fabs(x)))), x);
}

/* What a figure can be: no loss or error is below 0, no accuracy above 100; a difference can be anything. */
static double possible(const result *r, double x)
{
    const char *of = r->cell[R_METRIC];
    if (!result_is(r, R_KIND, "run") || strstr(of, " - ")) return x;
    return fmax(0, strstr(of, "accuracy, %") ? fmin(x, 100) : x);
}

char *result_interval_text(const result *r)
{
    const int d = shown_decimals(r);
    double x[COUNT(shown)], largest = 0;
    for (size_t k = 0; k < COUNT(shown); k++)
        largest = fmax(largest, fabs(x[k] = possible(r, strtod(r->cell[shown[k]], NULL))));
    if (d >= 0 && largest < SMALL) {
        char *one[COUNT(shown)];
        for (size_t k = 0; k < COUNT(shown); k++) one[k] = with_exponent(x[k], d);
        char *all = must_format("%s [%s, %s]", one[0], one[1], one[2]);
        for (size_t k = 0; k < COUNT(shown); k++) free(one[k]);
        return all;
    }
    if (d >= 0) return must_format("%.*f [%.*f, %.*f]", d, x[0], d, x[1], d, x[2]);
    if (*r->cell[R_LOW]) return must_format("%s [%s, %s]", r->cell[R_MEAN], r->cell[R_LOW], r->cell[R_HIGH]);
    return *r->cell[R_MEAN] ? must_format("%.*g", ALONE, x[0]) : must_strdup("");
}

static bool is_over_images(const result *r)
{
    static const char difference[] = "difference of ";
    const preset *p = preset_find(r->cell[R_PRESET]);
    const experiment *e = p ? preset_part(p, r->cell[R_PART]) : NULL;
    const char *name = r->cell[R_METRIC];
    if (strncmp(name, difference, strlen(difference)) == 0) name += strlen(difference);
    for (long m = 0; e && m < experiment_metrics(e); m++)
        if (strcmp(e->shown[m].shown, name) == 0) return e->shown[m].over_images;
    return false;
}

char *result_shown_text(const result *r)
{
    char *interval = result_interval_text(r);
    if (!*r->cell[R_LOW] || !result_is(r, R_INTERVAL, "seeds") || !is_over_images(r)) return interval;
    char *text = must_format("%s, of the seeds alone", interval);
    free(interval);
    return text;
}
