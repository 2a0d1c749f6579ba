/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_subset.c - which columns of A sum to b?  Linear algebra modulo a prime, then enumeration.
 *
 * A subset over Q is a 0/1 solution of A x = b modulo every prime that divides no denominator, so nothing is lost
 * modulo one.  What is found is verified over Q, and where nothing is found, that is proved over Q, too: by a vector
 * y with y A = 0 and y b = 1 (relu_subset_echelon.c), or over the integers (relu_subset_integers.c).  The reduced
 * echelon form leaves k free columns in {0,1}, whose 2^k choices are met in the middle (relu_subset_meet.c); a column
 * that is 0 modulo the prime, but not over Q, is free. */
#include <stdlib.h>
#include <string.h>
#include "src/methods/relu/relu_subset.h"

enum { PRIMES = 4 };
const int64_t RELU_WORK = (int64_t)1 << 30;

static uint64_t next_prime(uint64_t below)                      /* from 2^61 - 1 downwards */
{
    uint64_t p = below ? below - 2 : ((uint64_t)1 << 61) - 1;
    while (!n_is_prime((ulong)p)) p -= 2;
    return p;
}

typedef enum { DONE, AGAIN } next_step;

/* What is proved over Q stays; a later prime may only add a vector y. */
static void answer(subset *S, truth is, const char *why)
{
    if (S->is != UNDECIDED) return;
    S->is = is;
    S->why = why;
}

/* There is none modulo the prime: by y, which the next prime may give, or over the integers. */
static next_step prove_none(subset *S, const subset_echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, int64_t *work)
{
    long *rows = must_calloc((size_t)e->rank + 1, sizeof *rows);
    subset_independent_rows(rows, e, A, b);
    const bool by_y = !e->consistent && subset_certify(S, e, A, b, rows);
    if (by_y) {
        S->is = REFUTED;
        S->why = "the linear system has no solution";
    } else if (S->is == UNDECIDED) {
        const truth is = subset_over_integers(S->chosen, &S->free, A, b, rows, e->rank, work);
        REQUIRE(is != HOLDS, "a subset that was not found modulo %lu", (unsigned long)e->mod.n);
        answer(S, is, is == REFUTED ? "enumeration over the free columns"
                                    : "none modulo a prime, but more candidates than can be tried over Q");
    }
    free(rows);
    return by_y || e->consistent ? DONE : AGAIN;
}

static next_step decide(subset *S, const subset_echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, int64_t *work)
{
    if (S->is == UNDECIDED) S->free = e->k;
    if (!e->consistent) return prove_none(S, e, A, b, work);
    if (S->is == REFUTED) return DONE;                          /* proved already; this prime gives no y */
    switch (subset_meet(e, A, b, S->chosen, work)) {
    case MEET_FOUND:
        answer(S, HOLDS, "a subset was found and verified over Q");
        return DONE;
    case MEET_NONE: return prove_none(S, e, A, b, work);
    case MEET_TOO_MANY:
        answer(S, UNDECIDED, "more candidates than can be tried");
        return DONE;
    default:
        answer(S, UNDECIDED, "too many solutions hold modulo primes only");
        return AGAIN;
    }
}

subset subset_sum(const fmpq_mat_t A, const fmpq_mat_t b, int64_t *work)
{
    const long N = fmpq_mat_nrows(A), m = fmpq_mat_ncols(A);
    subset S = { .is = UNDECIDED, .chosen = must_calloc((size_t)m + 1, 1), .why = "more work than is allowed" };
    uint64_t prime = 0;
    for (int tries = 0; tries < PRIMES; ) {
        subset_echelon e;
        prime = next_prime(prime);
        *work -= N * (m + 1) * (m + 32);
        if (*work < 0) break;
        if (!subset_echelon_of(&e, A, b, prime)) continue;             /* it divides a denominator: no try */
        tries++;
        const next_step then = decide(&S, &e, A, b, work);
        subset_echelon_clear(&e);
        if (then == DONE) break;
    }
    if (S.is != HOLDS) memset(S.chosen, 0, (size_t)m);
    return S;
}

void subset_clear(subset *S)
{
    free(S->chosen);
    S->chosen = NULL;
    if (S->has_y) fmpq_mat_clear(S->y);
    S->has_y = false;
}
