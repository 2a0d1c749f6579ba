/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner_fp.c - prime fields: equal at random points, with an error that numerics/record/arith_deg.c explains. */
#include <math.h>
#include <string.h>
#include "numerics/record/arith_deg.h"
#include "numerics/flint_compat.h"
#include "numerics/random.h"
#include "src/claim/runner/runner_trial.h"

enum { MAX_PRIMES = 8 };
static const double WANTED_LOG2_ERROR = -60;

uint64_t runner_field_prime(uint64_t seed, long number, long k)
{
    uint64_t key[2], found[MAX_PRIMES], counter = 0;
    const uint64_t least = (uint64_t)1 << 60;
    long n = 0;
    REQUIRE(0 <= k && k < MAX_PRIMES, "prime %ld of a trial", k);
    random_key_derive(key, (uint64_t[]){ seed, (uint64_t)number }, "primes");
    while (n <= k) {
        const uint64_t q = least + random_below(key, counter++, least);
        bool known = false;
        for (long i = 0; i < n; i++) known |= found[i] == q;
        if (!known && n_is_prime((ulong)q)) found[n++] = q;
    }
    return found[k];
}

bool runner_decides_over_fp(part_kind kind)
{
    return kind != PART_COUNTEREXAMPLE && kind != PART_SLIP && kind != PART_GAP && kind != PART_UNCHECKABLE
        && kind != PART_BESIDE;
}

/* The same body on degrees: the checks that it makes, and what could go wrong with them. */
typedef struct { trial run; degree_bound bound; } degree_run;

static degree_run run_degrees(const job *j, const shape *sh)
{
    arith R = arith_deg();
    degree_run d = { .run = runner_body(j, &R, sh) };
    d.bound = arith_deg_bound(&R);
    arith_close(&R);
    return d;
}

/* How many checks its body made: that it asked what symbols do not see is the runner's note of residues, which degrees
 * have none of. */
static long checks_made(const trial *t)
{
    const long n = t->record.nchecks;
    return n - (n && strcmp(t->record.checks[n - 1].what, UNSEEN_BY_SYMBOLS) == 0);
}

/* Check by check: is the error of what t found counted by d?  If not, the row's note says why. */
static bool same_checks(row *r, const trial *t, const degree_run *d)
{
    char note[320] = "";
    const trial *of = &d->run;
    for (long k = 0; k < t->record.nchecks && !note[0]; k++)
        if (t->record.checks[k].by == BY_SAMPLE)
            snprintf(note, sizeof note, "no error bound: %s was found at a random point", t->record.checks[k].what);
    if (!note[0] && of->s.status != HOLDS) snprintf(note, sizeof note, "no error bound: on degrees: %s", of->s.why);
    if (!note[0] && checks_made(t) != checks_made(of))
        snprintf(note, sizeof note, "the degree run makes other checks: %ld instead of %ld", checks_made(of),
                 checks_made(t));
    for (long k = 0; k < checks_made(t) && !note[0]; k++) {
        const check *a = &t->record.checks[k], *b = &of->record.checks[k];
        if (strcmp(a->what, b->what) != 0 || a->want_equal != b->want_equal)
            snprintf(note, sizeof note, "the degree run makes other checks: %s instead of %s", b->what, a->what);
        else if (b->by == BY_SAMPLE)
            snprintf(note, sizeof note, "opaque functions differ and the real ones need not: %s", a->what);
        else if (b->by == BY_NOTHING)
            snprintf(note, sizeof note, "no error bound: nothing was counted for %s", a->what);
        else if (b->by == BY_FACT && b->want_equal && b->is.is != HOLDS)
            snprintf(note, sizeof note, "the degree run finds another fact: %s", a->what);
    }
    r->note = cell_keep(note);
    return !note[0];
}

/* log2 of the error of one prime; not finite: it cannot be told. */
static double log2_error(const job *j, const degree_run *d)
{
    const double log2 = j->over.prime ? degree_bound_log2_at(d->bound, (double)j->over.prime)
                                      : degree_bound_log2(d->bound, PRIMES_61);
    return fmin(0, log2);
}

/* Runs until enough primes agree.  The row's error is that of all its checks together. */
static void run_primes(const job *j, const shape *sh, row *r, const degree_run *d)
{
    const double each = d ? log2_error(j, d) : NAN;
    const bool certain = d && d->bound.polynomials <= 0;     /* all checks are facts, or ranks that are full */
    long k = 0;
    bool counted = true;
    do {
        uint64_t key[2];
        random_key_derive(key, (uint64_t[]){ j->seed, (uint64_t)j->trial }, "functions");
        arith R = arith_fp(j->over.prime ? j->over.prime : runner_field_prime(j->seed, j->trial, k), key);
        trial t = runner_body(j, &R, sh);
        runner_conclude(r, &t);
        if (d && r->verdict == HOLDS) counted = same_checks(r, &t, d);
        runner_trial_free(&t);
        k++;
    } while (d && r->verdict == HOLDS && counted && !certain && !j->over.prime && isfinite(each)
             && (double)k * each > WANTED_LOG2_ERROR && k < MAX_PRIMES);
    if (j->over.prime) runner_param(r, "q=%llu", (unsigned long long)j->over.prime);
    else               runner_param(r, "%ld prime%s", k, k > 1 ? "s" : "");
    r->log2bound = -INFINITY;
    if (!d || r->verdict != HOLDS) return;
    if (counted && certain) {
        runner_param(r, PARAM_CERTAIN);
        r->certain = true;
        r->scope = SCOPE_INSTANCE;
        return;
    }
    r->log2bound = counted && isfinite(each) ? (double)k * each : NAN;
    if (counted && isfinite(each)) return;
    r->verdict = UNDECIDED;
    if (counted) r->note = intern("no error bound: nothing was counted");
}

void runner_fp(const job *j, const shape *sh, row *r)
{
    if (!runner_decides_over_fp(j->part->kind)) {
        r->note = intern("this arithmetic shows no witness: a witness is decided over Q or in balls");
        return;
    }
    if (j->control || j->minimal) {                     /* to be refuted: residues that differ, differ */
        run_primes(j, sh, r, NULL);
        return;
    }
    degree_run d = run_degrees(j, sh);
    run_primes(j, sh, r, &d);
    runner_trial_free(&d.run);
}
