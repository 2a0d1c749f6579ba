/* SPDX-License-Identifier: GPL-3.0-or-later
 * recount.c - evaluates rows of printed values and compares: see recount.h. */
#include "src/methods/counts/postfix.h"
#include "src/methods/counts/recount.h"
#include <stdlib.h>
#include <string.h>

const shape_case recount_shapes[3] = {
    { .sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 1, .L = 1 } },
    { .sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 1, .L = 2 } },
    { .sh = { .n = 1, .d = 1, .h = 1, .m = 1, .V = 2, .L = 1 } },
};

recounted recount(const printed_value *row, const char *formula)
{
    recounted r = { .row = row };
    size_t at;
    const char *why = printed_parse(&r.printed, row->printed);
    REQUIRE(!why, "%s %s: `%s`: %s", row->claim, row->says, row->printed, why);
    mpq_init(r.value);
    why = formula_value(r.value, formula, printed_name, &at);
    REQUIRE(!why, "%s %s: `%s`, character %zu: %s", row->claim, row->says, formula, at + 1, why);
    r.agrees = printed_agrees(&r.printed, r.value);
    return r;
}

void recount_clear(recounted *r)
{
    printed_clear(&r->printed);
    mpq_clear(r->value);
}

/* ---- as text ---------------------------------------------------------------------------------------- */

/* x in units of `one` with so many decimals, rounded away from zero at a tie; commas from 1,000 on. */
static void decimal_text(char *to, size_t size, const mpq_t x, unsigned long one, unsigned long decimals)
{
    mpz_t n, d, ten;
    char digits[128], whole[96] = "";
    mpz_inits(n, d, ten, (mpz_ptr)NULL);
    mpz_ui_pow_ui(ten, 10, decimals);
    mpz_abs(n, mpq_numref(x));
    mpz_mul(n, n, ten);
    mpz_mul_ui(d, mpq_denref(x), one);
    mpz_mul_ui(n, n, 2);
    mpz_add(n, n, d);
    mpz_mul_ui(d, d, 2);
    mpz_fdiv_q(n, n, d);
    REQUIRE(mpz_sizeinbase(n, 10) < 60, "a number of %zu digits", mpz_sizeinbase(n, 10));
    gmp_snprintf(digits, sizeof digits, "%0*Zd", (int)decimals + 1, n);
    const size_t before = strlen(digits) - decimals;
    size_t used = 0;
    for (size_t k = 0; k < before; k++) {
        if (k && (before - k) % 3 == 0) whole[used++] = ',';
        whole[used++] = digits[k];
    }
    const bool negative = mpq_sgn(x) < 0 && mpz_sgn(n) != 0;
    snprintf(to, size, "%s%s%s%s", negative ? "-" : "", whole, decimals ? "." : "", digits + before);
    mpz_clears(n, d, ten, (mpz_ptr)NULL);
}

/* Decimals of the printed number: its step is 10^-decimals times its unit. */
static unsigned long decimals_of(const char *printed)
{
    const char *point = strchr(printed, '.');
    return point ? (unsigned long)strspn(point + 1, "0123456789") : 0;
}

void recount_text(char *to, size_t size, const recounted *r)
{
    char number[128];
    const size_t length = strlen(r->row->printed);
    const char unit = r->row->printed[length - 1];
    const unsigned long one = unit == 'k' ? 1000 : unit == 'M' ? 1000000 : unit == 'B' ? 1000000000 : 1;
    const bool count = mpz_cmp_ui(mpq_denref(r->value), 1) == 0 && one == 1;
    const bool bound = r->printed.relation[0] != '\0';
    const unsigned long decimals = count ? 0 : bound ? 4 : decimals_of(r->row->printed) + 1;
    decimal_text(number, sizeof number, r->value, one, decimals);
    const bool has_unit = one > 1 || unit == '%';
    snprintf(to, size, "%s%.1s", number, has_unit ? &r->row->printed[length - 1] : "");
}

/* ---- claims ----------------------------------------------------------------------------------------- */

static bool is_of(const printed_value *v, const char *claim_id, const char *part_name)
{
    return strcmp(v->claim, claim_id) == 0 && strcmp(v->part, part_name) == 0;
}

const mat *recount_given(trial *t, long n) { return mat_given(&t->s, mat_from_si(&t->s, 1, 1, &n)); }

static const mat *whole(trial *t, const mpz_t x)
{
    REQUIRE(mpz_fits_slong_p(x), "a count of %zu bits", mpz_sizeinbase(x, 2));
    return recount_given(t, mpz_get_si(x));
}

/* A printed number against its formula: whole numbers of its last place; a bound is kept or not. */
static void compare(trial *t, const recounted *r, bool want_equal)
{
    if (r->printed.relation[0]) {
        claim_decided(t, r->row->says, r->agrees == want_equal);
        return;
    }
    mpq_t y;
    mpz_t rounded;
    mpq_init(y);
    mpz_init(rounded);
    mpq_div(y, r->printed.value, r->printed.step);
    printed_round(rounded, &r->printed, r->value);
    const mat *printed = whole(t, mpq_numref(y)), *recomputed = whole(t, rounded);
    if (want_equal) claim_equal(t, r->row->says, printed, recomputed);
    else            claim_differs(t, r->row->says, printed, recomputed);
    mpz_clear(rounded);
    mpq_clear(y);
}

/* ---- certificates ----------------------------------------------------------------------------------- */

/* v = over/under keeps the relation, or is within half a step of the printed number; or not. */
static void state(postfix *P, const recounted *r, const fraction *v, bool agrees)
{
    static const struct { const char *relation; bool above; const char *as; } bounds[] = {
        { "<", false, "<" }, { "<=", false, "<=" }, { ">", true, "<" }, { ">=", true, "<=" } };
    mpq_t half, low, high;
    mpq_inits(half, low, high, (mpq_ptr)NULL);
    if (!r->printed.relation[0]) mpq_div_2exp(half, r->printed.step, 1);
    mpq_sub(low, r->printed.value, half);
    mpq_add(high, r->printed.value, half);
    char below[128], beyond[128];
    gmp_snprintf(below, sizeof below, "%Qd", low);
    gmp_snprintf(beyond, sizeof beyond, "%Qd", high);
    char *least = postfix_times(below, v->under), *most = postfix_times(beyond, v->under);
    if (!r->printed.relation[0] && agrees) {
        postfix_fact(P, must_format("%s <= %s", least, v->over));
        postfix_fact(P, must_format("%s <= %s", v->over, most));
    } else if (!r->printed.relation[0]) {
        const bool less = mpq_cmp(r->value, low) < 0;
        postfix_fact(P, less ? must_format("%s < %s", v->over, least) : must_format("%s < %s", most, v->over));
    }
    for (size_t k = 0; k < COUNT(bounds); k++) {
        if (strcmp(r->printed.relation, bounds[k].relation) != 0) continue;
        const bool left = bounds[k].above == agrees;             /* the bound is on the left        */
        const char *as = agrees ? bounds[k].as : strcmp(bounds[k].as, "<") == 0 ? "<=" : "<";
        postfix_fact(P, must_format("%s %s %s", left ? least : v->over, as, left ? v->over : least));
    }
    free(least);
    free(most);
    mpq_clears(half, low, high, (mpq_ptr)NULL);
}

/* All rows of the part, or none: a formula with a root, an arc or a z has no exact fraction. */
static void certify_all(trial *t, bool agree)
{
    if (!claim_certifies(t)) return;
    postfix P = { 0 };
    bool exact = true;
    for (size_t k = 0; exact && k < printed_count(); k++) {
        const printed_value *row = printed_at(k);
        if (!is_of(row, t->id, t->part)) continue;
        recounted r = recount(row, row->formula);
        fraction v;
        exact = postfix_of(&P, &v, row->formula, printed_name);
        if (exact) state(&P, &r, &v, agree);
        postfix_fraction_clear(&v);
        recount_clear(&r);
    }
    if (exact) certify_recount(t, NULL, P.nvalues, P.value, P.nfacts, (const char *const *)P.fact);
    postfix_clear(&P);
}

static void compare_all(trial *t, bool want_equal)
{
    long rows = 0;
    certify_all(t, want_equal);
    for (size_t k = 0; k < printed_count(); k++) {
        if (!is_of(printed_at(k), t->id, t->part)) continue;
        recounted r = recount(printed_at(k), printed_at(k)->formula);
        compare(t, &r, want_equal);
        recount_clear(&r);
        rows++;
    }
    REQUIRE(rows > 0, "%s has no printed value in part %s", t->id, t->part);
}

void recount_agrees(trial *t) { compare_all(t, true); }
void recount_slips (trial *t) { compare_all(t, false); }

/* The checks of the part with `wrong` for every formula.  Each of them must break; where one does not, the control is
 * UNDECIDED, whatever the others say. */
static void compare_wrong(trial *t, bool want_equal)
{
    for (size_t k = 0; k < printed_count(); k++) {
        const printed_value *v = printed_at(k);
        if (!is_of(v, t->id, t->part)) continue;
        REQUIRE(*v->wrong && strcmp(v->wrong, v->formula) != 0, "%s %s has no control", v->claim, v->says);
        recounted r = recount(v, v->wrong);
        if (r.agrees == want_equal)
            scope_undecided(&t->s, REASON_INVALID, "the control of some printed value breaks nothing");
        compare(t, &r, want_equal);
        recount_clear(&r);
    }
}

static void term_changed(trial *t) { compare_wrong(t, true); }
static void explained   (trial *t) { compare_wrong(t, false); }

const control recount_term[1] = {
    { "term-changed", term_changed, "another formula in place of each: other terms, other runs or the sign "
                                    "turned, as in the column of audit.csv" } };
const control recount_explanation[1] = {
    { "explained", explained, "another formula in place of each slip's, of which what is printed is true" } };
