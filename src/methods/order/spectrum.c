/* SPDX-License-Identifier: GPL-3.0-or-later
 * spectrum.c - eigenvalues by Sturm's theorem over q, by enclosures over arb: see spectrum.h. */
#include "src/methods/order/spectrum.h"
#include "numerics/arith_arb.h"
#include "src/methods/order/order.h"

/* ---- over q ------------------------------------------------------------------------------------------------ */

/* The squarefree part of the characteristic polynomial of A. */
static void squarefree(fmpz_poly_t p, const mat *A)
{
    fmpq_mat_t Q;
    fmpq_poly_t full;
    fmpz_poly_t slope;
    fmpq_mat_init(Q, A->rows, A->cols);
    fmpq_poly_init(full);
    fmpz_poly_init(slope);
    order_rationals(Q, A);
    fmpq_mat_charpoly(full, Q);
    fmpq_poly_get_numerator(p, full);
    fmpz_poly_primitive_part(p, p);
    fmpz_poly_derivative(slope, p);
    fmpz_poly_gcd(slope, p, slope);
    fmpz_poly_div(p, p, slope);
    fmpq_mat_clear(Q);
    fmpq_poly_clear(full);
    fmpz_poly_clear(slope);
}

static bool all_real(const fmpz_poly_t p) { return fmpz_poly_num_real_roots(p) == fmpz_poly_degree(p); }

/* For p with real roots only: p(sign x + shift) has no root > 0 iff no two of its coefficients differ in sign. */
static bool none_beyond(const fmpz_poly_t p, long shift, long sign)
{
    fmpz_poly_t line, q;
    fmpz_poly_init(line);
    fmpz_poly_init(q);
    fmpz_poly_set_coeff_si(line, 0, shift);
    fmpz_poly_set_coeff_si(line, 1, sign);
    fmpz_poly_compose(q, p, line);
    int seen = 0;
    bool one_sign = true;
    for (long k = 0; k <= fmpz_poly_degree(q); k++) {
        const int now = fmpz_sgn(fmpz_poly_get_coeff_ptr(q, k));
        one_sign &= !(seen && now && now != seen);
        if (now) seen = now;
    }
    fmpz_poly_clear(line);
    fmpz_poly_clear(q);
    return one_sign;
}

/* ---- both ---------------------------------------------------------------------------------------------------- */

typedef struct { truth real, unit; } place_of_spectrum;

static place_of_spectrum over_q(const mat *A)
{
    fmpz_poly_t p;
    fmpz_poly_init(p);
    squarefree(p, A);
    const bool real = all_real(p);
    const bool unit = real && none_beyond(p, 0, -1) && none_beyond(p, 1, 1);     /* no root < 0, none > 1 */
    fmpz_poly_clear(p);
    return (place_of_spectrum){ real ? HOLDS : REFUTED, unit ? HOLDS : REFUTED };
}

/* Rows of A sum to 1 where `unit` is asked for, so that 1 is an eigenvalue, the one that its ball cannot exclude from
 * [0, 1] nor put there: a largest eigenvalue whose ball holds 1 counts as 1. */
static place_of_spectrum over_arb(scope *s, const mat *A)
{
    const long n = A->rows;
    eigenvalue *e = scope_alloc(s, (size_t)n * sizeof *e);
    place_of_spectrum is = { HOLDS, HOLDS };
    if (!arith_arb_eigenvalues(A, e)) return (place_of_spectrum){ UNDECIDED, UNDECIDED };
    for (long k = 0; k < n; k++) {
        const bool one = k == n - 1 && e[k].low <= 1 && 1 <= e[k].high;
        const bool inside = e[k].real && e[k].low >= 0 && (one || e[k].high <= 1);
        const bool outside = e[k].not_real || e[k].high < 0 || e[k].low > 1;
        if (e[k].not_real) is.real = REFUTED;
        else if (!e[k].real && is.real == HOLDS) is.real = UNDECIDED;
        if (outside) is.unit = REFUTED;
        else if (!inside && is.unit == HOLDS) is.unit = UNDECIDED;
    }
    return is;
}

static place_of_spectrum decide(scope *s, const mat *A)
{
    REQUIRE(A->rows == A->cols, "spectrum of %ldx%ld", A->rows, A->cols);
    if (A->R->kind == A_Q) return over_q(A);
    if (A->R->kind == A_ARB) return over_arb(s, A);
    scope_not_here(s, REASON_NO_ORDER, NULL);
    return (place_of_spectrum){ UNDECIDED, UNDECIDED };
}

static void report(trial *t, const char *what, truth is)
{
    if (is == UNDECIDED) scope_undecided(&t->s, REASON_TOO_WIDE, "balls too wide for the eigenvalues");
    else claim_decided(t, what, is == HOLDS);
}

void claim_real_spectrum(trial *t, const mat *A) { report(t, "real eigenvalues", decide(&t->s, A).real); }
void claim_unit_spectrum(trial *t, const mat *A) { report(t, "eigenvalues in [0; 1]", decide(&t->s, A).unit); }
