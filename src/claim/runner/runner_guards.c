/* runner_guards.c - sizes that the runner adds to a derivation, whoever wrote the body: see runner_trial.h.
 *
 * A derivation at sizes from 7 to 255 is claimed of all sizes.  Where a statement is false at other ones, it is at the
 * least, at which things vanish or are all one (n, d_k, m, V = 1, unless it declares more), or at a size that is larger
 * than all that were run. */
#include <stdlib.h>
#include <string.h>
#include "numerics/fingerprint.h"
#include "numerics/random.h"
#include "src/claim/runner/runner_trial.h"

enum { LARGE = 257 };                    /* above SIZE_VECTORS', and above a byte                       */
typedef enum { GUARD_LEAST, GUARD_N, GUARD_DK, GUARD_M, GUARD_V, GUARDS } guard;
static const char *const guard_words[] = { "n = d_k = m = V = 1", "n = 257", "d_k = 257", "m = 257", "V = 257" };

/* The least size that a part speaks of: 1, or what it declares, "n >= 2". */
static long least(const job *j, const char *size)
{
    const size_t n = strlen(size), of = strlen(SIZE_ASSUMED);
    for (const char *at = claim_part_assumes(j->claim, j->part); *at; at += strcspn(at, ";"), at += strspn(at, "; "))
        if (strncmp(at, size, n) == 0 && strncmp(at + n, SIZE_ASSUMED, of) == 0) return strtol(at + n + of, NULL, 10);
    return 1;
}

/* All sizes the least ones but for that of the guard; what h d_k is more, or less, than d keeps its sign. */
static shape guarded(const job *j, const shape *sh, guard g)
{
    shape to = *sh;
    const long between = sh->d - sh->h * sh->dk;
    to.n = g == GUARD_N ? LARGE : least(j, "n");
    to.dk = g == GUARD_DK ? LARGE : least(j, "d_k");
    to.m = g == GUARD_M ? LARGE : least(j, "m");
    to.V = g == GUARD_V ? LARGE : least(j, "V");
    while (to.h * to.dk < least(j, "d")) to.dk++;
    to.dk += sh->rope && to.dk % 2;
    to.d = to.h * to.dk + (between > 0) - (between < 0);
    to.scale_num = 1;
    to.scale_den = to.dk;
    return to;
}

/* Where a matrix that the part assumes to be invertible cannot be, nothing is claimed. */
static bool excluded(const job *j, const trial *t)
{
    return t->s.reason == REASON_SINGULAR && strstr(claim_part_assumes(j->claim, j->part), "invertible");
}

/* Over one prime: false is false there, too, and what is true holds at random points. */
static bool holds_at(const job *j, const shape *sh, guard g, row *r)
{
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ j->seed, (uint64_t)j->trial }, "functions");
    arith R = arith_fp(runner_field_prime(j->seed, j->trial, 0), key);
    job over = *j;
    over.over = (arith_spec){ .kind = A_FP };
    trial t = runner_body(&over, &R, sh);
    row is = { .verdict = UNDECIDED };
    runner_conclude(&is, &t);
    const bool holds = is.verdict == HOLDS || excluded(j, &t);
    if (!holds) {
        char *note = must_format("at %s over F_q: %s%s", guard_words[g], is.verdict == REFUTED ? "refuted: " : "",
                                 is.verdict == REFUTED ? is.what : is.note);
        r->verdict = UNDECIDED;
        cell_copy(r->note, sizeof r->note, note);
        free(note);
    }
    runner_trial_free(&t);
    arith_close(&R);
    return holds;
}

void runner_guards(const job *j, const shape *sh, row *r)
{
    const bool noted = fingerprint_pause();
    for (guard g = 0; g < (j->least_sizes_alone ? GUARD_N : GUARDS); g++) {
        const shape at = guarded(j, sh, g);
        if (at.d >= 1 && !holds_at(j, &at, g, r)) break;
    }
    fingerprint_resume(noted);
}
