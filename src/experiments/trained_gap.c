/* SPDX-License-Identifier: GPL-3.0-or-later
 * trained_gap.c - what the curves of trained models say, and their record: see trained_gap.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/outfile.h"
#include "src/experiments/trained_gap.h"

/* ---- verdicts -------------------------------------------------------------------------------------------- */

/* A number with a bound of its error. */
typedef struct { double x, room; } reading;

/* From f(2h), f(h) to f(0), where f = f(0) + c h + ...: order 1; f(0) + c h^2 + ...: order 2. */
static reading extrapolated(reading twice, reading once, double factor)
{
    return (reading){ (factor * once.x - twice.x) / (factor - 1), (factor * once.room + twice.room) / (factor - 1) };
}

/* The value at t = 0 of what was read at t = 8 h, 4 h, 2 h, h (Richardson): two orders are removed, the difference of
 * the last two values bounds what is left of the third, and the readings' own errors are carried. */
static reading limit(const reading at[4])
{
    reading one[3], two[2];
    for (int k = 0; k < 3; k++) one[k] = extrapolated(at[k], at[k + 1], 2);
    for (int k = 0; k < 2; k++) two[k] = extrapolated(one[k], one[k + 1], 4);
    return (reading){ two[1].x, two[1].room + fabs(two[1].x - two[0].x) };
}

/* The gap at t = 2^-k over t; rounding moves each window's loss by at most the bound. */
static reading slope_at(const gap_curve *c, int k)
{
    return (reading){ ldexp(c->at[k].rms, k), ldexp(c->at[k].bound, k) };
}

/* log2 of the ratio of the gaps at 2^-k and half of that: 1 where the gap is proportional to t. */
static reading exponent_at(const gap_curve *c, int k)
{
    const gap_point *twice = &c->at[k], *once = &c->at[k + 1];
    const double relative = twice->bound / twice->rms + once->bound / once->rms;
    return (reading){ log2(twice->rms / once->rms), relative < 1 ? -log2(1 - relative) : INFINITY };
}

/* Both limits, from the four and five smallest t. */
static void measure_growth(const gap_curve *c, gap_judgement *j)
{
    reading slope[4], exponent[4];
    for (int k = 0; k < 4; k++) {
        slope[k] = slope_at(c, GAP_POINTS - 4 + k);
        exponent[k] = exponent_at(c, GAP_POINTS - 5 + k);
    }
    const reading s = limit(slope), e = limit(exponent);
    j->slope = s.x;
    j->slope_room = s.room;
    j->exponent = e.x;
    j->exponent_room = e.room;
}

static const double LARGEST_BOUND = 0x1p-20,             /* a wider bound would say nothing                    */
                    LEAST_GAP = 1e-3,                    /* of one window's loss, all W_Q eliminated           */
                    WIDEST = 0.01;                       /* a wider interval, relative to slope or exponent, likewise */

/* Is the end of the way what the theorems ask for?  A part of the change ends elsewhere. */
static bool ends_at_identity(const gap_curve *c)
{
    const bool whole = !c->allowed || c->away == 0;
    return !whole || c->at[0].query <= 16 * 0x1p-53 * (c->at[0].condition + 16);
}

static const char *wrong_allowed(const gap_curve *c)
{
    if (!ends_at_identity(c)) return "a W_Q is not I";
    for (int k = 0; k < GAP_POINTS; k++) {
        const gap_point *p = &c->at[k];
        if (!(p->bound <= LARGEST_BOUND && p->logits_bound <= LARGEST_BOUND)) return "the bound is too wide";
        if (!(p->largest <= p->bound)) return "a loss differs by more than rounding explains";
        if (!(p->logits <= p->logits_bound)) return "a logit differs by more than rounding explains";
    }
    if (!(c->control > c->at[0].bound)) return "the control is not told from rounding";
    return c->slope <= c->zero ? NULL : "the gradient is not orthogonal to the curve";
}

static const char *wrong_growth(const gap_curve *c, const gap_judgement *j)
{
    if (!ends_at_identity(c)) return "a W_Q is not I";
    if (!(c->at[0].largest >= LEAST_GAP)) return "no loss changes";
    if (!(c->slope > c->zero)) return "no first order is predicted";
    if (!(j->slope_room <= WIDEST * c->slope && j->exponent_room <= WIDEST)) return "the growth is not resolved";
    if (!(fabs(j->slope - c->slope) <= j->slope_room + c->zero)) return "the slope is not the predicted one";
    return fabs(j->exponent - 1) <= j->exponent_room ? NULL : "the gap is not proportional to t";
}

gap_judgement trained_gap_judge(const gap_curve *c)
{
    gap_judgement j = { .slope = NAN, .slope_room = NAN, .exponent = NAN, .exponent_room = NAN };
    if (!c->allowed) measure_growth(c, &j);
    j.why = c->allowed ? wrong_allowed(c) : wrong_growth(c, &j);
    j.is = j.why ? OUTCOME_FAILS : c->allowed ? OUTCOME_HOLDS : OUTCOME_REFUTED;
    return j;
}

/* ---- the record -------------------------------------------------------------------------------------------- */

static const char HEADER[] = "setting,step,curve,log2t,rms,largest,logits,bound,logits_bound,condition,query,slope,"
                             "zero,away,spread,control";
static const char *const curve_name[] = { "all", "allowed" };
enum { NUMBERS = 12 };

/* The numbers of point k in the order of the columns, from the fifth on. */
static void numbers_of(const gap_curve *c, int k, double x[NUMBERS])
{
    const gap_point *p = &c->at[k];
    const double all[NUMBERS] = { p->rms, p->largest, p->logits, p->bound, p->logits_bound, p->condition, p->query,
                                  c->slope, c->zero, c->away, c->spread, c->control };
    memcpy(x, all, sizeof all);
}

void trained_gap_write(const gap_curves *all, const record_note *notes, long n, const char *path)
{
    outfile o = outfile_open(path);
    record_begin(o.f, "trained-gap", n, notes, HEADER);
    for (long i = 0; i < all->n; i++)
        for (int k = 0; k < GAP_POINTS; k++) {
            const gap_curve *c = &all->at[i];
            double x[NUMBERS];
            numbers_of(c, k, x);
            csv_field(o.f, c->setting, ',');
            fprintf(o.f, "%ld,%s,%d", c->step, curve_name[c->allowed], -k);
            for (int j = 0; j < NUMBERS; j++) fprintf(o.f, ",%.17g", x[j]);
            fprintf(o.f, "\n");
        }
    outfile_close(&o);
}

static gap_curve *next_curve(gap_curves *all)
{
    all->at = must_realloc(all->at, (size_t)all->n + 1, sizeof *all->at);
    all->at[all->n] = (gap_curve){ .step = 0 };
    return &all->at[all->n++];
}

static bool same(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

/* Line k of a curve; the first begins it. */
static void take_point(const csv_file *f, gap_curve *c, int k)
{
    char setting[sizeof c->setting], name[8];
    csv_text(f, 0, setting, sizeof setting);
    csv_text(f, 2, name, sizeof name);
    const bool allowed = strcmp(name, curve_name[1]) == 0;
    if (!allowed && strcmp(name, curve_name[0]) != 0) csv_wrong(f, "no curve is called `%s`", name);
    double x[NUMBERS];
    for (int j = 0; j < NUMBERS; j++) x[j] = csv_double(f, 4 + j);
    if (k == 0) {
        memcpy(c->setting, setting, sizeof setting);
        c->step = csv_long(f, 1);
        c->allowed = allowed;
        c->slope = x[7];
        c->zero = x[8];
        c->away = x[9];
        c->spread = x[10];
        c->control = x[11];
    }
    if (strcmp(c->setting, setting) != 0 || c->step != csv_long(f, 1) || c->allowed != allowed || csv_long(f, 3) != -k
        || !same(c->slope, x[7]) || !same(c->zero, x[8]) || !same(c->away, x[9]) || !same(c->spread, x[10])
        || !same(c->control, x[11]))
        csv_wrong(f, "a curve has %d lines of one setting, step and curve, log2t from 0 down", GAP_POINTS);
    c->at[k] = (gap_point){ x[0], x[1], x[2], x[3], x[4], x[5], x[6] };
}

gap_curves trained_gap_read(const char *path)
{
    gap_curves all = { NULL, 0 };
    csv_file csv;
    if (!record_open(&csv, path, HEADER, "run the preset again, or remove the file")) return all;
    int k = 0;
    for (gap_curve *c = NULL; csv_next(&csv); k = (k + 1) % GAP_POINTS) {
        if (k == 0) c = next_curve(&all);
        take_point(&csv, c, k);
    }
    if (k != 0) csv_wrong(&csv, "the last curve is cut off");
    csv_close(&csv);
    return all;
}

void trained_gap_free(gap_curves *all)
{
    free(all->at);
    *all = (gap_curves){ NULL, 0 };
}
