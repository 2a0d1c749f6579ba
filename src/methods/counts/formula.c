/* SPDX-License-Identifier: GPL-3.0-or-later
 * formula.c - evaluates formulas over Q by recursive descent. */
#include "src/methods/counts/formula.h"
#include <ctype.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>
#include "src/methods/counts/printed_number.h"

enum { BITS = 256, LONGEST_NAME = 64, DEEPEST = 100, LARGEST_POWER = 64 };
typedef struct {
    const char *p, *wrong;               /* wrong: the first thing that is; then all else is 0           */
    name_lookup *names;
    int depth;
} reader;

static void sum(reader *r, mpq_t out);

static void fail(reader *r, const char *why) { if (!r->wrong) r->wrong = why; }
static void blanks(reader *r) { while (*r->p == ' ') r->p++; }
static bool accept(reader *r, char c)
{
    blanks(r);
    if (*r->p != c) return false;
    r->p++;
    return true;
}

/* ---- numbers -------------------------------------------------------------------------------------- */

static void number(reader *r, mpq_t out)
{
    long decimals;
    const char *end = printed_digits(mpq_numref(out), &decimals, r->p, false);
    if (!end) { fail(r, "a number of at most 40 digits was expected"); return; }
    mpz_ui_pow_ui(mpq_denref(out), 10, (unsigned long)decimals);
    mpq_canonicalize(out);
    r->p = end;
}

/* ---- functions ------------------------------------------------------------------------------------ */

static void from_mpfr(mpq_t out, const mpfr_t x)
{
    if (mpfr_zero_p(x)) { mpq_set_ui(out, 0, 1); return; }
    const mpfr_exp_t e = mpfr_get_z_2exp(mpq_numref(out), x);
    mpz_set_ui(mpq_denref(out), 1);
    if (e < 0) mpq_div_2exp(out, out, (mp_bitcnt_t)-e);
    else       mpq_mul_2exp(out, out, (mp_bitcnt_t)e);
}

static void square_root(reader *r, mpq_t out, const mpq_t x)
{
    mpfr_t y;
    if (mpq_sgn(x) < 0) { fail(r, "the square root of a negative number"); return; }
    mpfr_init2(y, BITS);
    mpfr_set_q(y, x, MPFR_RNDN);
    mpfr_sqrt(y, y, MPFR_RNDN);
    from_mpfr(out, y);
    mpfr_clear(y);
}

static void arc_cosine(reader *r, mpq_t out, const mpq_t x)
{
    mpfr_t y, pi;
    if (mpq_cmp_si(x, 1, 1) > 0 || mpq_cmp_si(x, -1, 1) < 0) { fail(r, "no angle has this cosine"); return; }
    mpfr_inits2(BITS, y, pi, (mpfr_ptr)NULL);
    mpfr_set_q(y, x, MPFR_RNDN);
    mpfr_acos(y, y, MPFR_RNDN);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul_ui(y, y, 180, MPFR_RNDN);
    mpfr_div(y, y, pi, MPFR_RNDN);
    from_mpfr(out, y);
    mpfr_clears(y, pi, (mpfr_ptr)NULL);
}

/* z = (p - q) / sqrt((p (1 - p) + q (1 - q)) / n),  n = 10,000, p = a/100, q = b/100:  that is
 * (a - b) 100 / sqrt(a (100 - a) + b (100 - b)) */
static void two_proportions(reader *r, mpq_t out, const mpq_t a, const mpq_t b)
{
    mpq_t hundred, x, y;
    mpq_inits(hundred, x, y, (mpq_ptr)NULL);
    mpq_set_ui(hundred, 100, 1);
    mpq_sub(x, hundred, a);
    mpq_mul(x, x, a);
    mpq_sub(y, hundred, b);
    mpq_mul(y, y, b);
    mpq_add(x, x, y);
    if (mpq_sgn(x) <= 0) fail(r, "z needs accuracies between 0 and 100 per cent");
    else {
        square_root(r, y, x);
        mpq_sub(x, a, b);
        mpq_mul(x, x, hundred);
        mpq_div(out, x, y);
    }
    mpq_clears(hundred, x, y, (mpq_ptr)NULL);
}

static void extreme(mpq_t out, const mpq_t x, bool is_first, bool largest)
{
    if (is_first || (mpq_cmp(x, out) > 0) == largest) mpq_set(out, x);
}

static void function(reader *r, mpq_t out, const char *name)
{
    const bool largest = strcmp(name, "max") == 0, smallest = strcmp(name, "min") == 0, z = strcmp(name, "z") == 0;
    const bool root = strcmp(name, "sqrt") == 0, angle = strcmp(name, "acosd") == 0;
    mpq_t x;
    if (!largest && !smallest && !z && !root && !angle) { fail(r, "unknown function"); return; }
    mpq_init(x);
    sum(r, x);
    if (root && !r->wrong)  square_root(r, out, x);
    if (angle && !r->wrong) arc_cosine(r, out, x);
    if (largest || smallest) {
        extreme(out, x, true, largest);
        while (accept(r, ',')) {
            sum(r, x);
            extreme(out, x, false, largest);
        }
    }
    if (z) {
        mpq_t y;
        mpq_init(y);
        if (!accept(r, ',')) fail(r, "z takes two accuracies");
        else sum(r, y);
        if (!r->wrong) two_proportions(r, out, x, y);
        mpq_clear(y);
    }
    if (!accept(r, ')')) fail(r, "`)` was expected");
    mpq_clear(x);
}

/* ---- the grammar ---------------------------------------------------------------------------------- */

static void name(reader *r, mpq_t out)
{
    char text[LONGEST_NAME + 1];
    size_t n = 0;
    for (; isalnum((unsigned char)*r->p) || *r->p == '_' || *r->p == '.'; r->p++) {
        if (n == LONGEST_NAME) { fail(r, "a name is too long"); return; }
        text[n++] = *r->p;
    }
    text[n] = '\0';
    if (accept(r, '(')) function(r, out, text);
    else if (!r->names(out, text)) fail(r, "no such name");
}

static void atom(reader *r, mpq_t out)
{
    blanks(r);
    if (isdigit((unsigned char)*r->p)) number(r, out);
    else if (isalpha((unsigned char)*r->p)) name(r, out);
    else if (accept(r, '(')) {
        sum(r, out);
        if (!accept(r, ')')) fail(r, "`)` was expected");
    } else fail(r, "a number, a name or `(` was expected");
}

static void power(reader *r, mpq_t out)
{
    const bool negative = accept(r, '-');
    atom(r, out);
    if (accept(r, '^')) {
        blanks(r);
        char *end = NULL;
        const unsigned long n = isdigit((unsigned char)*r->p) ? strtoul(r->p, &end, 10) : LARGEST_POWER + 1;
        if (n > LARGEST_POWER) { fail(r, "powers are whole numbers up to 64"); return; }
        r->p = end;
        mpz_pow_ui(mpq_numref(out), mpq_numref(out), n);
        mpz_pow_ui(mpq_denref(out), mpq_denref(out), n);
    }
    if (negative) mpq_neg(out, out);
}

static void product(reader *r, mpq_t out)
{
    mpq_t x;
    mpq_init(x);
    power(r, out);
    for (blanks(r); !r->wrong && (*r->p == '*' || *r->p == '/'); blanks(r)) {
        const char sign = *r->p++;
        power(r, x);
        if (sign == '*') mpq_mul(out, out, x);
        else if (mpq_sgn(x) == 0) fail(r, "division by zero");
        else mpq_div(out, out, x);
    }
    mpq_clear(x);
}

static void sum(reader *r, mpq_t out)
{
    mpq_t x;
    if (r->wrong) return;
    if (++r->depth > DEEPEST) { fail(r, "too deep"); return; }
    mpq_init(x);
    product(r, out);
    for (blanks(r); !r->wrong && (*r->p == '+' || *r->p == '-'); blanks(r)) {
        const char sign = *r->p++;
        product(r, x);
        if (sign == '+') mpq_add(out, out, x);
        else             mpq_sub(out, out, x);
    }
    mpq_clear(x);
    r->depth--;
}

const char *formula_value(mpq_t out, const char *text, name_lookup *names, size_t *at)
{
    reader r = { .p = text, .names = names };
    sum(&r, out);
    blanks(&r);
    if (!r.wrong && *r.p) r.wrong = "unexpected text after the formula";
    *at = (size_t)(r.p - text);
    return r.wrong;
}
