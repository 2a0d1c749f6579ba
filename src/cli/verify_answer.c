/* SPDX-License-Identifier: GPL-3.0-or-later
 * verify_answer.c - the answer of `provably verify`: from what tensors and settings prove, or, where behaviour was
 * asked for, from what was counted on the token sequences.  Nothing here excuses a part that is off by more than
 * rounding. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/cli/verify.h"

bool verify_asked(const verified *v) { return v->relation != UP_TO_LOGITS || v->asked_tolerance >= 0; }

static void answer_is(verified *v, answer is, char *because)
{
    free(v->because);
    v->is = is;
    v->because = because;
}

/* Why the function of one of them is not known here; NULL: both are. */
static char *not_known(const verified *v)
{
    for (int k = 0; k < 2; k++) {
        const opened *m = &v->m[k];
        if (m->why) return must_format("the function of %s is not computed here: %s", k ? "B" : "A", m->why);
        if (m->D.own_code) return must_format("%s has code of its own, %s (auto_map)", k ? "B" : "A", m->D.own_code);
        if (m->D.unknown_keys)
            return must_format("%s is a key of %s's configuration that is not known here and may change the function",
                               m->D.unknown_key[0], k ? "B" : "A");
    }
    return NULL;
}

/* What one of them has more of, and what that means; NULL: nothing. */
static char *more_of_one(const verified *v)
{
    const transformer *A = &v->m[0].D, *B = &v->m[1].D;
    if (!v->in_common) return NULL;
    char *tokens = A->V == B->V ? must_strdup("")
                 : must_format("; %s has %ld more tokens, whose logits are not compared and over which its softmax "
                               "runs, too", A->V < B->V ? "B" : "A", labs(A->V - B->V));
    char *all = v->on[0]->positions != POSITIONS_LEARNED || A->T == B->T ? must_strdup(tokens)
              : must_format("%s; %s has %ld more positions", tokens, A->T < B->T ? "B" : "A", labs(A->T - B->T));
    free(tokens);
    return all;
}

/* ---- tensors and settings ---------------------------------------------------------------------------------------- */

enum { NAMED = 3 };                      /* parts that the answer names                                 */

/* Parts that differ by more than rounding, in order of depth; NULL: none. */
static char *parts_that_differ(const structure *t)
{
    text_buffer to = { 0 };
    long n = 0;
    for (long k = 0; k < t->n; k++) {
        const finding *f = &t->at[k];
        if (f->harmless || f->kind == RELATION_ROUNDED || f->kind == RELATION_QUANTISED) continue;
        if (++n > NAMED) continue;
        text_add(&to, "%s%s: %s", n > 1 ? "; " : "", f->tensor, f->text);
    }
    if (n > NAMED) text_add(&to, "; and %ld more", n - NAMED);
    return n ? text_take(&to) : NULL;
}

/* B's blocks hold what rounding A to them gives. */
static void answer_quantised(verified *v, const char *unknown)
{
    quantised_parts q = verify_quantised_parts(&v->t);
    char *entry = quantised_place(q.within->blocks, q.within->quantised.within.at), *cut = must_strdup("");
    if (q.beyond) {
        char *at = quantised_place(q.beyond->blocks, q.beyond->quantised.beyond.at);
        free(cut);
        cut = must_format("; %zu numbers lie beyond the ends of their blocks and were cut off, the farthest, %s, %s, "
                          "is %.3g steps away", q.cut_off, q.beyond->tensor, at, q.beyond->quantised.beyond.steps);
        free(at);
    }
    v->of_numbers = true;
    answer_is(v, ANSWER_QUANTISED, must_format("%ld parts are A's rounded to the nearest numbers of B's blocks: within "
              "half a step of its block, and what rounding of its scale explains, the farthest, %s, %s, is %.4g "
              "steps away%s; the other parts hold A's numbers%s, and the settings agree; another function than A's, as "
              "near as the type allows%s%s", q.parts, q.within->tensor, entry, q.within->quantised.within.steps, cut,
              v->t.rounded ? " up to rounding" : "", unknown ? ", but " : "", unknown ? unknown : ""));
    free(entry);
    free(cut);
    free(q.types);
}

/* No relation was found.  The gap of the logits decides whether one is excluded. */
static void no_relation(verified *v)
{
    const token_gaps *g = &v->g;
    char *parts = v->sizes ? parts_that_differ(&v->t) : must_strdup("the sizes differ");
    const finding *alone = v->sizes ? structure_alone(&v->t) : NULL;
    const bool moved = v->figures && !(g->logits <= g->computing);
    bool may = false;
    if (v->sizes) structure_quantised(&v->t, &may);
    if (v->scaled.up_to_a_constant)
        answer_is(v, moved ? ANSWER_DIFFERENT : ANSWER_UNDECIDED, must_format("B is an image of A but for one constant "
                  "of the logits for each token, so that softmax is the same and logits are not (--up-to=softmax asks "
                  "for that): %s",
                  parts));
    else if (v->sizes && v->t.settings > v->t.forms) answer_is(v, ANSWER_DIFFERENT, must_strdup(v->t.setting[0]));
    else if (may)
        answer_is(v, ANSWER_UNDECIDED, must_format("B's blocks may hold A's numbers, and do not tell: %s", parts));
    else if (moved && v->sizes && structure_not_quantised(&v->t))
        answer_is(v, ANSWER_DIFFERENT, must_format("parts differ by more than rounding to their blocks: %s", parts));
    else if (alone && moved)
        answer_is(v, ANSWER_DIFFERENT, must_format("parts differ by more than rounding: %s; no symmetry changes %s and "
                                                   "leaves what it goes with as it is", parts, alone->tensor));
    else if (v->figures && !(g->logits <= g->logits_tolerance))
        answer_is(v, ANSWER_DIFFERENT, must_format("parts differ by more than rounding: %s", parts ? parts
                                                   : v->t.settings ? v->t.setting[0] : "none"));
    else {
        char *unknown = not_known(v);
        answer_is(v, ANSWER_UNDECIDED, must_format("no relation between B and A was found, and none is excluded: "
                                                   "%s%s%s",
                  unknown ? unknown : "", unknown ? "; " : "", parts ? parts : v->t.settings ? v->t.setting[0]
                  : "none differs by more than rounding"));
        free(unknown);
    }
    free(parts);
}

/* Settings agree and every number of B is A's, rounded once: whatever the function is, both have the same one up to
 * that. */
static void rounded_numbers(verified *v, const char *unknown)
{
    v->of_numbers = true;
    answer_is(v, ANSWER_ROUNDED, must_format("the settings agree, and each number of B is within %.3g units of its "
                                             "type of A's, and %.3g are allowed, but %s", v->units, v->allowed,
                                                 unknown));
}

static void answer_by_tensors(verified *v)
{
    char *unknown = not_known(v);
    double units;
    bool may;
    const bool rounded = v->sizes && structure_rounded(&v->t, &units);
    const bool quantised = v->sizes && structure_quantised(&v->t, &may);
    v->units = v->allowed = NAN;
    if (v->alike && unknown && !v->undone && !v->in_order && !v->in_common)
        answer_is(v, ANSWER_NUMBERS, must_format("all parts hold the same numbers and the settings agree, but %s",
                                                 unknown));
    else if (v->alike && !unknown)
        answer_is(v, ANSWER_SAME, must_strdup(v->identical ? "all files are byte-identical"
                                              : "all parts hold the same numbers and the settings agree"));
    else if (v->image.found && !unknown && v->image.distance == 0)
        answer_is(v, ANSWER_SAME, must_strdup("B is an image of A under symmetries, number by number"));
    else if (v->scaled.exact && !unknown)
        answer_is(v, ANSWER_SAME, must_strdup(v->scaled.gains + v->scaled.neurons + v->scaled.values + v->scaled.keys
                  ? "B is an image of A under scalings by powers of two, number by number"
                  : "B differs in biases of keys alone, which softmax does not see where nothing turns"));
    else if (v->replay.found && !unknown && v->replay.units == 0)
        answer_is(v, ANSWER_SAME, must_format("B is what %s makes of A, number by number", v->replay.words));
    else if (quantised) answer_quantised(v, unknown);
    else if ((rounded || v->image.found || v->scaled.found || v->replay.found) && !unknown) {
        v->units = rounded ? units : v->image.found ? v->image.units : v->scaled.found ? v->scaled.units
            : v->replay.units;
        v->allowed = !rounded && v->image.found ? v->image.allowed : !rounded && v->scaled.found ? v->scaled.allowed
            : ROUNDING_UNITS;
        answer_is(v, ANSWER_ROUNDED, must_format("each number of B is within %.3g units of its type of an exact image "
                                                 "of A, and %.3g are allowed; that image is the same function, B is "
                                                 "its rounding",
                                                 v->units, v->allowed));
        if (rounded && v->t.angles_rounded > 0)
            answer_is(v, v->is, must_format("rotary frequencies agree to %.3g roundings to float32; %s",
                                            v->t.angles_rounded, v->because));
    } else if (v->scaled.up_to_a_constant && v->relation == UP_TO_SOFTMAX && !unknown) {
        v->units = v->scaled.units;
        v->allowed = v->scaled.allowed;
        answer_is(v, ANSWER_ROUNDED, must_format("each number of B is within %.3g units of its type of an exact image "
                                                 "of A, and %.3g are allowed; the logits of that image are A's but for "
                                                 "one constant for each token, which softmax does not see", v->units,
                                                     v->allowed));
    } else if (rounded && !v->undone && !v->in_order && !v->in_common) {     /* of a function that is not known here */
        v->units = units;
        v->allowed = ROUNDING_UNITS;
        rounded_numbers(v, unknown);
    } else no_relation(v);
    free(unknown);
    if (v->image.given && !v->alike && !rounded && (v->is == ANSWER_SAME || v->is == ANSWER_ROUNDED))
        answer_is(v, v->is, must_format("%s; its gauges are those of %s, checked, not searched for", v->because,
                                        v->gauges.path));
    if (v->in_order)
        answer_is(v, v->is, must_format("with A's %s in the order of B's: %s", v->of[0]->experts ? "experts"
                                        : "heads and neurons", v->because));
    if (v->undone)
        answer_is(v, v->is, must_format("with what does nothing, or is there twice, left out: %s", v->because));
}

/* What one of two known models does beyond what is computed here and the other does not; NULL: nothing. */
static char *beyond_one(const verified *v)
{
    for (int k = 0; k < 2; k++) {
        const opened *m = &v->m[k], *other = &v->m[1 - k];
        if (m->D.beyond && !other->D.beyond && !m->D.unknown && !other->D.unknown)
            return must_format("in %s %s, and not in %s", k ? "B" : "A", m->D.beyond, k ? "A" : "B");
    }
    return NULL;
}

bool verify_proved(verified *v)
{
    answer_by_tensors(v);
    return v->is == ANSWER_SAME || v->is == ANSWER_NUMBERS;
}

/* The first of them that differs for certain; else the first that is open. */
static const listed *first_listed(const listing *l)
{
    const listed *first = &l->at[0];
    for (long k = l->n - 1; k >= 0; k--)
        if (l->at[k].kind != LISTED_ROUNDED && l->at[k].kind != LISTED_QUANTISED
            && (l->at[k].kind != LISTED_OPEN || listing_open(l))) first = &l->at[k];
    return first;
}

static void answer_by_names(verified *v)
{
    const listing *l = &v->listed;
    char *unknown = not_known(v), *beyond = beyond_one(v);
    v->units = listing_units(l);
    v->allowed = ROUNDING_UNITS;
    v->of_numbers = true;
    if (v->identical || listing_same(l))
        answer_is(v, ANSWER_NUMBERS, must_format("%s, but %s", v->identical ? "all files are byte-identical"
                  : "all tensors hold the same numbers and the configurations agree", unknown));
    else if (listing_rounded(l)) rounded_numbers(v, unknown);
    else if (listing_quantised(l))
        answer_is(v, ANSWER_QUANTISED, must_format("%ld tensors are A's rounded to the nearest numbers of B's blocks, "
                  "the others hold A's numbers%s, and the configurations agree, but %s", l->quantised,
                  l->rounded ? " up to rounding" : "", unknown));
    else {
        const listed *first = l->n ? first_listed(l) : NULL;
        const long others = l->n - l->rounded - l->quantised - (listing_open(l) ? 0 : l->open) - 1;
        const bool open = listing_open(l) && !beyond;
        answer_is(v, open ? ANSWER_UNDECIDED : ANSWER_DIFFERENT, beyond ? must_strdup(beyond)
                  : l->settings || !first ? must_strdup(l->settings ? l->setting[0] : "tensors differ")
                  : must_format("%s: %s%s", first->tensor, first->text, others > 0 ? "; and others" : ""));
    }
    free(beyond);
    free(unknown);
}

/* ---- behaviour on the tokens ------------------------------------------------------------------------------------- */

/* Up to softmax a constant for each input of the head is no difference. */
static bool rounded_up_to_softmax(const verified *v)
{
    bool all = v->sizes && v->t.settings == 0;
    for (long k = 0; k < v->t.n; k++) {
        const finding *f = &v->t.at[k];
        all = all && (f->harmless || f->kind == RELATION_ROUNDED || f->kind == RELATION_CONSTANTS);
    }
    return all;
}

static answer asked_certified(const verified *v)
{
    const certified_gaps *c = &v->c;
    const bool shift = v->relation == UP_TO_SOFTMAX;
    if (c->why) return ANSWER_UNDECIDED;
    if (v->relation == UP_TO_ARGMAX)
        return c->other_first ? ANSWER_DIFFERENT : c->same_first == c->tokens ? ANSWER_AS_ASKED : ANSWER_UNDECIDED;
    if ((shift ? c->shift_high : c->high) <= v->tolerance) return ANSWER_AS_ASKED;
    return (shift ? c->shift_low : c->low) > v->tolerance ? ANSWER_DIFFERENT : ANSWER_UNDECIDED;
}

static void answer_as_asked(verified *v)
{
    v->of_numbers = false;
    const bool excused = v->is == ANSWER_ROUNDED || (v->relation == UP_TO_SOFTMAX && rounded_up_to_softmax(v));
    v->ties = excused ? v->g.near_ties : v->g.computed_ties;
    if (v->asked_tolerance < 0 && !excused) v->tolerance = v->g.computing;
    const bool same = v->relation == UP_TO_ARGMAX ? v->g.same_first + v->ties == v->g.tokens : v->gap <= v->tolerance;
    const answer is = v->certified ? asked_certified(v) : same ? ANSWER_AS_ASKED : ANSWER_DIFFERENT;
    char *because;
    if (is == ANSWER_UNDECIDED) because = must_strdup("the enclosures do not decide it: take more --bits");
    else if (v->relation == UP_TO_ARGMAX && v->certified)
        because = must_format("the most likely token certainly is the same for %ld of %ld, certainly another for %ld",
                              v->c.same_first, v->c.tokens, v->c.other_first);
    else if (v->relation == UP_TO_ARGMAX)
        because = must_format("the most likely token is the same for %ld of %ld; %ld of the others are ties, whose "
                              "gaps rounding explains", v->g.same_first, v->g.tokens, v->ties);
    else
        because = must_format("up to %s: gap %.3g, bound %.3g%s", up_to_name[v->relation], v->gap, v->tolerance,
                              v->asked_tolerance < 0 && !excused ? ", errors of the evaluation alone, since parts "
                              "differ by more than rounding" : "");
    answer_is(v, is, because);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

void verify_answer(verified *v)
{
    static const int status[ANSWERS] = { [ANSWER_DIFFERENT] = 1, [ANSWER_UNDECIDED] = 3 };
    if (v->by_name) answer_by_names(v);
    else {
        answer_by_tensors(v);
        const bool proved = v->is == ANSWER_SAME || v->is == ANSWER_NUMBERS;
        const bool more = v->is == ANSWER_ROUNDED && v->relation == UP_TO_SOFTMAX && v->asked_tolerance < 0;
        if (verify_asked(v) && !proved && !more) answer_as_asked(v);     /* more than was asked for is known */
        if (v->certified && !v->c.why && v->c.other_first && !proved && v->is != ANSWER_DIFFERENT)
            answer_is(v, ANSWER_DIFFERENT, must_format("the most likely token certainly is another for %ld of %ld",
                                                       v->c.other_first, v->c.tokens));
    }
    char *more = more_of_one(v);
    if (more) answer_is(v, v->is, must_format("%s%s", v->because, more));
    free(more);
    v->status = status[v->is];
    if (v->differentiated && !v->corresponds && !v->status) v->status = status[v->gradients ? ANSWER_DIFFERENT
                                                                                            : ANSWER_UNDECIDED];
}
