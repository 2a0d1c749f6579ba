/* SPDX-License-Identifier: GPL-3.0-or-later
 * gaussian.c - Gaussian expectations of GELU and of its even part: see integral.h.
 *
 * s = sqrt(a) x with x of variance 1.  Given s, t has mean mu = c s/a and variance v = b - c^2/a, and by parts
 *     E (g(t) | s) = mu (Phi(mu/r) - 1/2) + v phi(mu/r)/r,    r = sqrt(1 + v),
 * so that every expectation is an integral over x alone.  From -N to N it is enclosed.  Beyond, for |s| >= 1,
 * |s GELU(s)| and g(s)^2 are at most s^2, and |g(s) E (g(t) | s)| <= s^2 (|c|/(4a) + v/2); the integral of
 * x^2 phi(x) from N on is at most (N + 1/N) phi(N).                                                        */
#include <math.h>
#include "src/methods/measure/integral_balls.h"

typedef struct { gaussian which; arb_t a, sd, slope, v, r; } integrand;   /* slope: mu = slope s             */

/* y = Phi(z) - 1/2 = erf(z/sqrt2)/2 */
static void half_odd_cdf(acb_t y, const acb_t z, long bits)
{
    arb_t root;
    arb_init(root);
    arb_sqrt_ui(root, 2, bits);
    acb_div_arb(y, z, root, bits);
    acb_hypgeom_erf(y, y, bits);
    acb_mul_2exp_si(y, y, -1);
    arb_clear(root);
}

/* y = phi(z) = e^(-z^2/2)/sqrt(2 pi) */
static void density(acb_t y, const acb_t z, long bits)
{
    arb_t root;
    arb_init(root);
    arb_const_pi(root, bits);
    arb_mul_2exp_si(root, root, 1);
    arb_sqrt(root, root, bits);
    acb_mul(y, z, z, bits);
    acb_mul_2exp_si(y, y, -1);
    acb_neg(y, y);
    acb_exp(y, y, bits);
    acb_div_arb(y, y, root, bits);
    arb_clear(root);
}

/* y = E (g(t) | s) */
static void conditional(acb_t y, const acb_t s, const integrand *f, long bits)
{
    acb_t mu, z;
    acb_init(mu);
    acb_init(z);
    acb_mul_arb(mu, s, f->slope, bits);
    acb_div_arb(z, mu, f->r, bits);
    half_odd_cdf(y, z, bits);
    acb_mul(y, y, mu, bits);
    density(z, z, bits);
    acb_mul_arb(z, z, f->v, bits);
    acb_div_arb(z, z, f->r, bits);
    acb_add(y, y, z, bits);
    acb_clear(mu);
    acb_clear(z);
}

static int at(acb_ptr y, const acb_t x, void *with, slong order, slong bits)
{
    const integrand *f = with;
    (void)order;                                            /* everything here is entire */
    acb_t s, g, other;
    acb_init(s);
    acb_init(g);
    acb_init(other);
    acb_mul_arb(s, x, f->sd, bits);
    half_odd_cdf(g, s, bits);
    acb_mul(g, g, s, bits);                                 /* g(s) */
    switch (f->which) {
    case G_STEIN:                                           /* s (s/2 + g(s)) */
        acb_mul_2exp_si(other, s, -1);
        acb_add(g, g, other, bits);
        acb_set(other, s);
        break;
    case G_SQUARE: acb_set(other, g); break;
    case G_PAIR:   conditional(other, s, f, bits); break;
    }
    density(y, x, bits);
    acb_mul(y, y, g, bits);
    acb_mul(y, y, other, bits);
    acb_clear(s);
    acb_clear(g);
    acb_clear(other);
    return 0;
}

/* |f| <= c x^2 wherever |s| >= 1 */
static void tail_constant(arb_t c, const integrand *f, long bits)
{
    arb_one(c);
    if (f->which == G_PAIR) {
        arb_abs(c, f->slope);
        arb_mul_2exp_si(c, c, -1);
        arb_add(c, c, f->v, bits);
        arb_mul_2exp_si(c, c, -1);
    }
    arb_mul(c, c, f->a, bits);
}

static void tail(arb_t sum, const integrand *f, long N, long bits)
{
    arb_t c, t;
    acb_t z;
    mag_t radius;
    arb_init(c);
    arb_init(t);
    acb_init(z);
    mag_init(radius);
    tail_constant(c, f, bits);
    acb_set_si(z, N);
    density(z, z, bits);
    arb_mul(c, c, acb_realref(z), bits);
    arb_set_si(t, N * N + 1);
    arb_div_si(t, t, N, bits);
    arb_mul(c, c, t, bits);
    arb_mul_2exp_si(c, c, 1);                               /* both sides */
    arb_get_mag(radius, c);
    arb_add_error_mag(sum, radius);
    arb_clear(c);
    arb_clear(t);
    acb_clear(z);
    mag_clear(radius);
}

static void ratio_of(arb_t x, long num, long den, long bits)
{
    arb_set_si(x, num);
    arb_div_si(x, x, den, bits);
}

static void integral_of(arb_t sum, gaussian which, covariance s, long bits)
{
    integrand f = { .which = which };
    arb_t c;
    arb_init(c);
    arb_init(f.a);
    arb_init(f.sd);
    arb_init(f.slope);
    arb_init(f.v);
    arb_init(f.r);
    ratio_of(f.a, s.a, s.den, bits);
    ratio_of(f.slope, s.c, s.a, bits);
    ratio_of(c, s.c, s.den, bits);
    ratio_of(f.v, s.b, s.den, bits);
    arb_submul(f.v, c, f.slope, bits);
    arb_add_si(f.r, f.v, 1, bits);
    arb_sqrt(f.r, f.r, bits);
    arb_sqrt(f.sd, f.a, bits);
    long N = 1;                                             /* phi(N) < 2^-bits, and |s| >= 1 beyond N */
    while ((double)(N * N) < 2 * M_LN2 * (double)bits || N * N * s.a < s.den) N++;
    arb_zero(sum);
    balls_integrate(sum, at, &f, -N, N, bits);
    tail(sum, &f, N, bits);
    arb_clear(c);
    arb_clear(f.a);
    arb_clear(f.sd);
    arb_clear(f.slope);
    arb_clear(f.v);
    arb_clear(f.r);
}

static void even_closed(arb_t x, covariance s, long bits)
{
    arb_t a, b, c, t, ab;
    arb_init(a); arb_init(b); arb_init(c); arb_init(t); arb_init(ab);
    ratio_of(a, s.a + s.den, s.den, bits);                  /* 1 + a, 1 + b */
    ratio_of(b, s.b + s.den, s.den, bits);
    ratio_of(c, s.c, s.den, bits);
    arb_inv(x, a, bits);
    arb_inv(t, b, bits);
    arb_add(x, x, t, bits);
    arb_sub_si(x, x, 1, bits);
    arb_mul(x, x, c, bits);
    arb_mul(x, x, c, bits);
    ratio_of(t, s.a, s.den, bits);
    arb_mul_si(t, t, s.b, bits);
    arb_div_si(t, t, s.den, bits);
    arb_add(x, x, t, bits);                                 /* ab + c^2 (1/(1+a) + 1/(1+b) - 1) */
    arb_mul(ab, a, b, bits);
    arb_set(t, ab);
    arb_submul(t, c, c, bits);
    arb_rsqrt(t, t, bits);
    arb_mul(x, x, t, bits);
    arb_rsqrt(ab, ab, bits);
    arb_mul(ab, ab, c, bits);
    arb_asin(ab, ab, bits);
    arb_addmul(x, ab, c, bits);
    arb_const_pi(t, bits);
    arb_div(x, x, t, bits);
    arb_mul_2exp_si(x, x, -1);
    arb_clear(a); arb_clear(b); arb_clear(c); arb_clear(t); arb_clear(ab);
}

static void closed_of(arb_t x, gaussian which, covariance s, long bits)
{
    switch (which) {
    case G_STEIN:  ratio_of(x, s.a, 2 * s.den, bits); break;
    case G_SQUARE: even_closed(x, (covariance){ s.a, s.a, s.a, s.den }, bits); break;
    case G_PAIR:   even_closed(x, s, bits); break;
    }
}

comparison gaussian_compare(gaussian integral, gaussian closed, covariance s, long bits)
{
    REQUIRE(s.a > 0 && s.b > 0 && s.den > 0 && s.c * s.c < s.a * s.b,
            "covariance (%ld %ld; %ld)/%ld", s.a, s.b, s.c, s.den);
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    integral_of(x, integral, s, bits);
    closed_of(y, closed, s, bits);
    const comparison is = balls_meet(x, y, bits);
    arb_clear(x);
    arb_clear(y);
    return is;
}

double gaussian_even(double a, double b, double c)
{
    const double ab = (1 + a) * (1 + b), P = 1 / sqrt(ab - c * c);
    return ((a * b + c * c * (1 / (1 + a) + 1 / (1 + b) - 1)) * P + c * asin(c / sqrt(ab))) / (2 * M_PI);
}

double gaussian_even_mean(double a) { return a / sqrt(2 * M_PI * (1 + a)); }
