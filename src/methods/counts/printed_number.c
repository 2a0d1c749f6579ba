/* SPDX-License-Identifier: GPL-3.0-or-later
 * printed_number.c - see printed_number.h. */
#include "src/methods/counts/printed_number.h"
#include <ctype.h>
#include <string.h>

enum { LONGEST_NUMBER = 40 };

const char *printed_digits(mpz_t digits, long *decimals, const char *p, bool commas)
{
    char text[LONGEST_NUMBER + 1];
    size_t n = 0;
    bool point = false;
    *decimals = 0;
    for (; isdigit((unsigned char)*p) || (*p == '.' && !point) || (commas && *p == ',' && n && !point); p++) {
        if (*p == '.') point = true;
        if (!isdigit((unsigned char)*p)) continue;
        if (n == LONGEST_NUMBER) return NULL;
        text[n++] = *p;
        *decimals += point;
    }
    text[n] = '\0';
    return n && mpz_set_str(digits, text, 10) == 0 ? p : NULL;
}

static const char *relation(char to[3], const char *p)
{
    size_t n = 0;
    while (n < 2 && (*p == '<' || *p == '>' || (n == 1 && *p == '='))) to[n++] = *p++;
    to[n] = '\0';
    return p;
}

const char *printed_parse(printed_number *out, const char *text)
{
    long decimals, zeros = 0;
    mpz_t digits, unit;
    *out = (printed_number){ .relation = "" };
    mpq_inits(out->value, out->step, (mpq_ptr)NULL);
    const char *p = relation(out->relation, text);
    while (*p == ' ') p++;
    const bool about = *p == '~', negative = p[about] == '-';
    mpz_inits(digits, unit, (mpz_ptr)NULL);
    p = printed_digits(digits, &decimals, p + about + negative, true);
    const char *why = p ? NULL : "not a number of at most 40 digits";
    if (p) {
        const unsigned long ten = *p == 'k' ? 3 : *p == 'M' ? 6 : *p == 'B' ? 9 : 0;
        p += ten || *p == '%';
        if (*p) why = "unexpected text after the number";
        while (about && !decimals && mpz_sgn(digits) && mpz_divisible_ui_p(digits, 10)) {
            mpz_divexact_ui(digits, digits, 10);
            zeros++;
        }
        mpz_ui_pow_ui(unit, 10, ten + (unsigned long)zeros);
        mpz_ui_pow_ui(mpq_denref(out->step), 10, (unsigned long)decimals);
        mpz_set(mpq_numref(out->step), unit);
        mpq_canonicalize(out->step);
        if (negative) mpz_neg(digits, digits);
        mpq_set_z(out->value, digits);
        mpq_mul(out->value, out->value, out->step);
    }
    mpz_clears(digits, unit, (mpz_ptr)NULL);
    return why;
}

void printed_clear(printed_number *p) { mpq_clears(p->value, p->step, (mpq_ptr)NULL); }

void printed_round(mpz_t out, const printed_number *p, const mpq_t x)
{
    mpq_t y, two;
    mpz_t own;
    mpq_inits(y, two, (mpq_ptr)NULL);
    mpz_init(own);
    mpq_div(y, p->value, p->step);                         /* whole by construction                      */
    mpz_set(own, mpq_numref(y));
    mpq_sub(y, x, p->value);
    mpq_div(y, y, p->step);
    mpq_set_ui(two, 2, 1);
    mpq_mul(y, y, two);                                    /* twice the distance in units                */
    if (mpq_cmp_si(y, 1, 1) <= 0 && mpq_cmp_si(y, -1, 1) >= 0) mpz_set(out, own);
    else {                                                 /* floor((y + 1) / 2) beyond the own number   */
        mpz_add(mpq_numref(y), mpq_numref(y), mpq_denref(y));
        mpz_mul_ui(mpq_denref(y), mpq_denref(y), 2);
        mpz_fdiv_q(out, mpq_numref(y), mpq_denref(y));
        mpz_add(out, out, own);
    }
    mpz_clear(own);
    mpq_clears(y, two, (mpq_ptr)NULL);
}

bool printed_agrees(const printed_number *p, const mpq_t x)
{
    const int side = mpq_cmp(x, p->value);
    if (strcmp(p->relation, "<") == 0)  return side < 0;
    if (strcmp(p->relation, "<=") == 0) return side <= 0;
    if (strcmp(p->relation, ">") == 0)  return side > 0;
    if (strcmp(p->relation, ">=") == 0) return side >= 0;
    mpz_t rounded;
    mpq_t y;
    mpz_init(rounded);
    mpq_init(y);
    printed_round(rounded, p, x);
    mpq_set_z(y, rounded);
    mpq_mul(y, y, p->step);
    const bool same = mpq_equal(y, p->value);
    mpq_clear(y);
    mpz_clear(rounded);
    return same;
}
