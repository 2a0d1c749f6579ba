/* SPDX-License-Identifier: GPL-3.0-or-later
 * postfix.c - formulas as fractions in reverse Polish notation: see postfix.h. */
#include "src/methods/counts/postfix.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    postfix *P;
    name_lookup *names;
    const char *p;
    bool inexact;
} reader;

static fraction sum(reader *r);

static bool accept(reader *r, char c)
{
    while (*r->p == ' ') r->p++;
    if (*r->p != c) return false;
    r->p++;
    return true;
}

void postfix_fraction_clear(fraction *f)
{
    free(f->over);
    free(f->under);
    *f = (fraction){ NULL, NULL };
}

char *postfix_times(const char *a, const char *b)
{
    return strcmp(a, "1") == 0 ? must_strdup(b) : strcmp(b, "1") == 0 ? must_strdup(a) : must_format("%s %s *", a, b);
}

void postfix_fact(postfix *P, char *fact)
{
    for (long k = 0; k < P->nfacts; k++)
        if (strcmp(P->fact[k], fact) == 0) { free(fact); return; }
    P->fact = must_realloc(P->fact, (size_t)P->nfacts + 1, sizeof *P->fact);
    P->fact[P->nfacts++] = fact;
}

static fraction combine(reader *r, fraction a, char op, fraction b)
{
    fraction c;
    if (op == '*') c = (fraction){ postfix_times(a.over, b.over), postfix_times(a.under, b.under) };
    else if (op == '/') {
        postfix_fact(r->P, must_format("0 < %s", b.over));
        c = (fraction){ postfix_times(a.over, b.under), postfix_times(a.under, b.over) };
    } else if (strcmp(a.under, b.under) == 0) {
        c = (fraction){ must_format("%s %s %c", a.over, b.over, op), must_strdup(a.under) };
    } else {
        char *left = postfix_times(a.over, b.under), *right = postfix_times(b.over, a.under);
        c = (fraction){ must_format("%s %s %c", left, right, op), postfix_times(a.under, b.under) };
        free(left);
        free(right);
    }
    postfix_fraction_clear(&a);
    postfix_fraction_clear(&b);
    return c;
}

static char *canonical(const mpq_t x)
{
    const size_t room = mpz_sizeinbase(mpq_numref(x), 10) + mpz_sizeinbase(mpq_denref(x), 10) + 3;
    return mpq_get_str(must_calloc(room, 1), 10, x);
}

static void value_is(postfix *P, const char *name, const mpq_t x)
{
    for (long k = 0; k < P->nvalues; k++) if (strcmp(P->value[k].name, name) == 0) return;
    P->value = must_realloc(P->value, (size_t)P->nvalues + 1, sizeof *P->value);
    P->value[P->nvalues++] = (count_of){ must_strdup(name), canonical(x) };
}

static void evaluate(mpq_t x, const reader *r, const char *from)   /* the text from there up to here */
{
    size_t at;
    char *text = must_format("%.*s", (int)(r->p - from), from);
    const char *why = formula_value(x, text, r->names, &at);
    REQUIRE(!why, "`%s`: %s", text, why);
    free(text);
}

static fraction extreme(reader *r, const char *from, bool largest)
{
    char *name = must_format("M%ld", ++r->P->extremes), *product = NULL;
    do {
        fraction f = sum(r);
        char *bound = postfix_times(name, f.under);
        postfix_fact(r->P, largest ? must_format("%s <= %s", f.over, bound) : must_format("%s <= %s", bound, f.over));
        char *longer = product ? must_format("%s %s %s - *", product, f.over, bound)
                               : must_format("%s %s -", f.over, bound);
        free(product);
        free(bound);
        product = longer;
        postfix_fraction_clear(&f);
    } while (!r->inexact && accept(r, ','));
    accept(r, ')');
    mpq_t x;
    mpq_init(x);
    if (!r->inexact) {
        evaluate(x, r, from);
        value_is(r->P, name, x);
        postfix_fact(r->P, must_format("%s = 0", product));
    }
    mpq_clear(x);
    free(product);
    return (fraction){ name, must_strdup("1") };
}

static fraction atom(reader *r)
{
    const char *from;
    if (accept(r, '(')) {
        const fraction f = sum(r);
        accept(r, ')');
        return f;
    }
    for (from = r->p; isalnum((unsigned char)*r->p) || *r->p == '_' || *r->p == '.'; r->p++) {}
    char *word = must_format("%.*s", (int)(r->p - from), from);
    if (accept(r, '(')) {
        const bool largest = strcmp(word, "max") == 0, smallest = strcmp(word, "min") == 0;
        if (!largest && !smallest) r->inexact = true;
        free(word);
        return r->inexact ? (fraction){ must_strdup("1"), must_strdup("1") } : extreme(r, from, largest);
    }
    mpq_t x;
    mpq_init(x);
    evaluate(x, r, from);
    if (isalpha((unsigned char)*word)) value_is(r->P, word, x);
    else {
        free(word);
        word = canonical(x);
    }
    mpq_clear(x);
    return (fraction){ word, must_strdup("1") };
}

static fraction power(reader *r)
{
    const bool negative = accept(r, '-');
    fraction f = atom(r);
    if (!r->inexact && accept(r, '^')) {
        fraction base = f;
        char *end = NULL;
        f = (fraction){ must_strdup("1"), must_strdup("1") };
        for (unsigned long n = strtoul(r->p, &end, 10); n; n--)
            f = combine(r, f, '*', (fraction){ must_strdup(base.over), must_strdup(base.under) });
        r->p = end;
        postfix_fraction_clear(&base);
    }
    return negative ? combine(r, (fraction){ must_strdup("0"), must_strdup("1") }, '-', f) : f;
}

static fraction product(reader *r)
{
    fraction f = power(r);
    for (accept(r, ' '); !r->inexact && (*r->p == '*' || *r->p == '/'); accept(r, ' ')) {
        const char op = *r->p++;
        f = combine(r, f, op, power(r));
    }
    return f;
}

static fraction sum(reader *r)
{
    fraction f = product(r);
    for (accept(r, ' '); !r->inexact && (*r->p == '+' || *r->p == '-'); accept(r, ' ')) {
        const char op = *r->p++;
        f = combine(r, f, op, product(r));
    }
    return f;
}

bool postfix_of(postfix *P, fraction *out, const char *text, name_lookup *names)
{
    reader r = { .P = P, .names = names, .p = text };
    *out = sum(&r);
    return !r.inexact;
}

void postfix_clear(postfix *P)
{
    for (long k = 0; k < P->nvalues; k++) {
        free((char *)(uintptr_t)P->value[k].name);
        free((char *)(uintptr_t)P->value[k].number);
    }
    for (long k = 0; k < P->nfacts; k++) free(P->fact[k]);
    free(P->value);
    free(P->fact);
    *P = (postfix){ 0 };
}
