/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_spec.c - "mpfr:1024" as an arithmetic to run over: see runner.h. */
#include <stdlib.h>
#include <string.h>
#include "numerics/flint_compat.h"
#include "src/claim/runner/runner.h"

enum { MIN_BITS = 24, MAX_BITS = 65536 };

const char *arith_spec_parse(arith_spec *out, const char *text)
{
    const char *colon = strchr(text, ':');
    char name[8], *end = NULL;
    const int n = (int)(colon ? colon - text : (long)strnlen(text, sizeof name));
    if (n >= (int)sizeof name || snprintf(name, sizeof name, "%.*s", n, text) != n) name[0] = '\0';
    *out = (arith_spec){ .kind = arith_index(name) };
    if (out->kind < 0) return "no such arithmetic: choose among f64 mpfr[:bits] arb[:bits] fp[:prime] q sym";
    if (!colon) return NULL;
    const unsigned long long value = strtoull(colon + 1, &end, 10);
    if (end == colon + 1 || *end) return "after the colon comes one whole number";
    switch (out->kind) {
    case A_MPFR: case A_ARB:
        if (value < MIN_BITS || value > MAX_BITS) return "precision must be between 24 and 65536 bits";
        out->bits = (long)value;
        return NULL;
    case A_FP:
        if (value < 3 || value >> 62 || !n_is_prime((ulong)value)) return "fp needs an odd prime below 2^62";
        out->prime = value;
        return NULL;
    default:
        return "only mpfr, arb and fp take a number after a colon";
    }
}
