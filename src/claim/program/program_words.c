/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_words.c - what a run came to, in plain text: see program.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/text.h"
#include "src/claim/program/program.h"

/* ---- what was left undecided --------------------------------------------------------------------------------- */

static bool left_open(const row *r, int over)
{
    return evidence_row_is_claim(r) && r->over == over && !r->skipped && r->verdict == UNDECIDED;
}

/* "f64: 1 of 16 undecided: no inverse found", for each arithmetic and each reason. */
static void print_undecided(const rows *all)
{
    for (int over = 0; over < ARITHS; over++) {
        long trials = 0;
        for (long k = 0; k < all->n; k++)
            trials += evidence_row_is_claim(&all->at[k]) && all->at[k].over == over && !all->at[k].skipped;
        for (long k = 0; k < all->n; k++) {
            const row *r = &all->at[k];
            long same = 0, first = -1;
            if (!left_open(r, over)) continue;
            for (long i = 0; i < all->n; i++) {
                if (!left_open(&all->at[i], over) || strcmp(all->at[i].note, r->note) != 0) continue;
                if (first < 0) first = i;
                same++;
            }
            if (first != k) continue;
            printf("%s: %ld of %ld undecided: %s.\n", arith_names[over], same, trials,
                   r->note[0] ? r->note : "its numbers are too coarse to tell");
        }
    }
}

/* ---- a whole run ----------------------------------------------------------------------------------------------- */

static const agreed *agreed_of(const ratchet *list, const char *id)
{
    for (long k = 0; k < list->n; k++) if (strcmp(list->at[k].id, id) == 0) return &list->at[k];
    return NULL;
}

/* What tests find where the proofs give this verdict: a proof lifts what is supported, and so does a reading. */
static bool is_expected(verdict tests, verdict with_proofs)
{
    return tests == with_proofs || (with_proofs == V_PROVED && tests == V_SUPPORTED);
}

static void print_answer(const claim_verdict *c, const agreed *a, bool corrected, bool good)
{
    const verdict is = corrected ? c->corrected : c->as_stated;
    const char *whose = c->corrected == V_NONE ? "" : corrected ? "Corrected: " : "As printed: ";
    if (is == V_NONE) return;
    printf("%sTests alone: %s", whose, verdict_word(is));
    if (!a || a->is[corrected] == V_NONE) {
        printf(".  `provably show %s` has the verdict with the proofs.\n", c->id);
        return;
    }
    const verdict proved = a->is[corrected];
    if (!is_expected(is, proved)) printf(", not as expected.  Recorded");
    else printf("%s.  With the proofs", good ? ", as expected" : "");
    printf(": %s (provably show %s).\n", verdict_word(proved), c->id);
}

static void print_whole(const claim_verdict *c, bool good)
{
    ratchet list = { 0 };
    if (program.agreed) list = ratchet_read(program.agreed);
    for (int corrected = 0; corrected < 2; corrected++) print_answer(c, agreed_of(&list, c->id), corrected, good);
    ratchet_free(&list);
}

/* ---- a part of a run --------------------------------------------------------------------------------------------- */

/* Largest log2 of the chance that a test modulo random primes errs; -inf: there is none. */
static double largest_error(const rows *all)
{
    double most = -INFINITY;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (evidence_row_is_claim(r) && r->over == A_FP && r->verdict == HOLDS && !r->certain)
            most = fmax(most, r->log2bound);
    }
    return most;
}

/* "q took n=3 d=4 .. instead": where an arithmetic takes other sizes or functions than were asked for. */
static void print_taken(const rows *all)
{
    if (!program.shape) return;
    for (int over = A_Q; over <= A_SYM; over++)
        for (long k = 0; k < all->n; k++) {
            const row *r = &all->at[k];
            if (!evidence_row_is_claim(r) || r->over != over || r->verdict == UNDECIDED) continue;
            if (over == A_SYM) printf("sym took symbols for the sizes: it speaks of every size.\n");
            else printf("q ran at \"%s\": it takes small sizes, ReLU and linear attention.\n", r->shape->text);
            break;
        }
}

/* Of a run without decided trials of the claim: of one control alone, which is judged only beside the claim, or of
 * trials that all were skipped. */
static void print_others(const rows *all, const char *at, const char *so)
{
    long trials = 0, refuted = 0;
    for (long k = 0; k < all->n; k++) {
        trials += !all->at[k].skipped && !evidence_row_is_claim(&all->at[k]);
        refuted += all->at[k].verdict == REFUTED;
    }
    if (program.which && trials)
        printf("%s was refuted in %ld of %ld trials %s.  %s\n", program.which, refuted, trials, at, so);
    else printf("Nothing was decided %s: %s.\n", at, all->at[0].note);
}

/* Parts that were chosen and run over none of the arithmetics. */
static void print_left_out(void)
{
    text_buffer names = { 0 };
    for (size_t p = 0; p < program.C->nparts; p++) {
        bool runs = !program_chooses(&program.C->parts[p]);
        for (int a = 0; a < program.arithmetics; a++)
            runs |= program_runs_over(&program.C->parts[p], program.over[a].kind);
        if (!runs) text_add(&names, "%s%s", names.length ? ", " : "", program.C->parts[p].name);
    }
    if (names.length) printf("Not run, because --arith leaves them nothing: %s.\n", names.at);
    text_clear(&names);
}

static void print_part(const claim_verdict *c, const rows *all, bool good)
{
    long trials = 0, held = 0, refuted = 0;
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (!evidence_row_is_claim(r) || r->skipped) continue;
        trials++;
        held += r->verdict == HOLDS;
        refuted += r->verdict == REFUTED;
    }
    const char *at = program.shape ? "at this shape" : "in this part of the plan",
               *so = program.shape ? "One shape is no verdict." : "A part of the plan is no verdict.";
    const double error = largest_error(all);
    if (!good || refuted)
        printf("PARTIAL run of %s: not everything is as expected %s, see above; no verdict.\n", c->id, at);
    else if (!trials) print_others(all, at, so);
    else {
        if (held == trials) printf("All held %s", at);
        else printf("%ld of %ld trials held %s", held, trials, at);
        if (isfinite(error)) printf("; chance of an error at most 2^%.0f", ceil(error));
        printf(".  %s\n", so);
    }
    print_left_out();
    print_taken(all);
}

void program_print_words(const claim_verdict *c, const rows *all, bool good)
{
    print_undecided(all);
    if (program_is_partial()) print_part(c, all, good);
    else print_whole(c, good);
}
