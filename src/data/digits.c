/* SPDX-License-Identifier: GPL-3.0-or-later
 * digits.c - synthetic digits, to train on without a download.
 *
 * A glyph is a few quadratic curves in the unit square.  Each image takes one, turns, stretches, slants, bends and
 * shifts it, draws it with a pen of some width, and adds a stray stroke and noise.  Only + - * / and square roots
 * are used, which IEEE 754 rounds the same everywhere, so that a seed gives the same bytes on every machine. */
#include <math.h>
#include <stdlib.h>
#include "numerics/random.h"
#include "src/data/images.h"

enum { SIDE = 28, PIXELS = SIDE * SIDE, CURVES = 7, STEPS = 6 };
typedef struct { double x, y; } point;
typedef struct { point from, towards, to; } curve;         /* (1-t)^2 from + 2 t (1-t) towards + t^2 to */

/* Down is positive; a curve that bends nowhere is a line. */
static const curve glyph[10][CURVES] = {
    { { { .50, .05 }, { .90, .05 }, { .90, .50 } }, { { .90, .50 }, { .90, .95 }, { .50, .95 } },
      { { .50, .95 }, { .10, .95 }, { .10, .50 } }, { { .10, .50 }, { .10, .05 }, { .50, .05 } } },
    { { { .30, .25 }, { .45, .20 }, { .55, .05 } }, { { .55, .05 }, { .55, .50 }, { .55, .95 } } },
    { { { .15, .30 }, { .15, .05 }, { .50, .05 } }, { { .50, .05 }, { .85, .05 }, { .85, .30 } },
      { { .85, .30 }, { .85, .50 }, { .12, .95 } }, { { .12, .95 }, { .50, .95 }, { .90, .95 } } },
    { { { .15, .12 }, { .85, .00 }, { .80, .28 } }, { { .80, .28 }, { .78, .47 }, { .40, .48 } },
      { { .40, .48 }, { .88, .50 }, { .85, .74 } }, { { .85, .74 }, { .80, 1.02 }, { .15, .90 } } },
    { { { .65, .05 }, { .40, .35 }, { .10, .65 } }, { { .10, .65 }, { .50, .65 }, { .92, .65 } },
      { { .68, .40 }, { .68, .70 }, { .68, .97 } } },
    { { { .82, .06 }, { .50, .06 }, { .22, .06 } }, { { .22, .06 }, { .20, .25 }, { .18, .45 } },
      { { .18, .45 }, { .88, .30 }, { .86, .68 } }, { { .86, .68 }, { .82, 1.05 }, { .14, .90 } } },
    { { { .75, .05 }, { .15, .20 }, { .14, .65 } }, { { .14, .65 }, { .14, .95 }, { .50, .95 } },
      { { .50, .95 }, { .86, .95 }, { .86, .68 } }, { { .86, .68 }, { .84, .44 }, { .50, .45 } },
      { { .50, .45 }, { .20, .46 }, { .14, .65 } } },
    { { { .10, .07 }, { .50, .07 }, { .88, .07 } }, { { .88, .07 }, { .55, .45 }, { .40, .95 } } },
    { { { .50, .05 }, { .85, .05 }, { .82, .27 } }, { { .82, .27 }, { .80, .42 }, { .50, .48 } },
      { { .50, .48 }, { .10, .55 }, { .12, .74 } }, { { .12, .74 }, { .15, .96 }, { .50, .96 } },
      { { .50, .96 }, { .87, .96 }, { .88, .74 } }, { { .88, .74 }, { .88, .56 }, { .50, .48 } },
      { { .50, .48 }, { .10, .30 }, { .50, .05 } } },
    { { { .25, .95 }, { .85, .80 }, { .86, .35 } }, { { .86, .35 }, { .86, .05 }, { .50, .05 } },
      { { .50, .05 }, { .14, .05 }, { .14, .32 } }, { { .14, .32 }, { .16, .56 }, { .50, .55 } },
      { { .50, .55 }, { .80, .54 }, { .86, .35 } } },
};

typedef struct { uint64_t key[2], counter; } dice;
/* A multiple of 2^-20 of the range. */
static double between(dice *d, double least, double most)
{
    return least + (most - least) * (double)random_below(d->key, d->counter++, 1 << 20) / (1 << 20);
}

typedef struct { double xx, xy, yx, yy, bend_x, bend_y, shift_x, shift_y; } placing;

/* From the unit square to pixels: bent, then turned and stretched about the middle, then shifted. */
static point placed(const placing *p, point at)
{
    const double x = at.x - 0.5, y = at.y - 0.5;
    const double u = x + p->bend_x * (y * y - 0.08), v = y + p->bend_y * (x * x - 0.08);
    return (point){ 20 * (p->xx * u + p->xy * v) + p->shift_x, 20 * (p->yx * u + p->yy * v) + p->shift_y };
}

static double distance(double x, double y, point a, point b)
{
    const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    double t = length > 0 ? ((x - a.x) * dx + (y - a.y) * dy) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    const double ex = x - a.x - t * dx, ey = y - a.y - t * dy;
    return sqrt(ex * ex + ey * ey);
}

/* Ink within half a pen's width of the line; a pixel's width of grey at its border. */
static void draw(double *ink, point a, point b, double pen, double strength)
{
    const double reach = pen / 2 + 1;
    const long top = (long)fmax(0, fmin(a.y, b.y) - reach), bottom = (long)fmin(SIDE - 1, fmax(a.y, b.y) + reach);
    const long left = (long)fmax(0, fmin(a.x, b.x) - reach), right = (long)fmin(SIDE - 1, fmax(a.x, b.x) + reach);
    for (long i = top; i <= bottom; i++)
        for (long j = left; j <= right; j++) {
            const double grey = pen / 2 + 0.5 - distance((double)j, (double)i, a, b);
            const double here = strength * (grey < 0 ? 0 : grey > 1 ? 1 : grey);
            if (here > ink[i * SIDE + j]) ink[i * SIDE + j] = here;
        }
}

static void draw_glyph(double *ink, int digit, const placing *p, double pen, double strength)
{
    for (long k = 0; k < CURVES; k++) {
        const curve *c = &glyph[digit][k];
        if (c->from.x == 0 && c->to.x == 0) return;        /* no more curves */
        point last = placed(p, c->from);
        for (long s = 1; s <= STEPS; s++) {
            const double t = (double)s / STEPS, a = (1 - t) * (1 - t), b = 2 * t * (1 - t), e = t * t;
            const point next = placed(p, (point){ a * c->from.x + b * c->towards.x + e * c->to.x,
                                                  a * c->from.y + b * c->towards.y + e * c->to.y });
            draw(ink, last, next, pen, strength);
            last = next;
        }
    }
}

static int draw_digit(unsigned char *pixel, uint64_t seed, long number)
{
    dice d = { .counter = 0 };
    double ink[PIXELS] = { 0 };
    random_key_derive(d.key, (uint64_t[]){ seed, (uint64_t)number }, "digit");
    const int digit = (int)random_below(d.key, d.counter++, 10);
    const double turn = between(&d, -0.25, 0.25), slant = between(&d, -0.25, 0.25);
    const double wide = between(&d, 0.55, 1.05), high = between(&d, 0.7, 1.1);
    const placing p = { .xx = wide, .xy = slant - turn, .yx = turn, .yy = high, .bend_x = between(&d, -0.6, 0.6),
                        .bend_y = between(&d, -0.4, 0.4), .shift_x = between(&d, 10.5, 16.5),
                        .shift_y = between(&d, 11, 16) };
    const double pen = between(&d, 0.8, 3.2), strength = between(&d, 120, 255), noise = between(&d, 0, 45);
    draw_glyph(ink, digit, &p, pen, strength);
    const point a = { between(&d, 0, 27), between(&d, 0, 27) };
    const point b = { a.x + between(&d, -7, 7), a.y + between(&d, -7, 7) };
    draw(ink, a, b, between(&d, 0.5, 1.8), between(&d, 0.3, 1) * strength);
    for (long i = 0; i < PIXELS; i++) {
        const double x = ink[i] + between(&d, -noise, noise);
        pixel[i] = (unsigned char)(x < 0 ? 0 : x > 255 ? 255 : x);
    }
    return digit;
}

images images_digits(uint64_t seed, long first, long n)
{
    REQUIRE(first >= 0 && n > 0, "digits %ld and %ld more", first, n);
    images x = { .n = n, .side = SIDE, .channels = 1, .classes = 10, .pixel = must_calloc((size_t)n, PIXELS),
                 .label = must_calloc((size_t)n, 1) };
    #pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++) x.label[i] = (unsigned char)draw_digit(x.pixel + i * PIXELS, seed, first + i);
    return images_hashed(x);
}
