/* SPDX-License-Identifier: GPL-3.0-or-later
 * program_asked.c - what --shape asks for is what runs, or it is refused: see program.h.
 *
 * A key of the text is refused where
 *   - the hypotheses of a part set it to something else (`prepare`): it is outside the claim;
 *   - every arithmetic that was chosen takes another value (q takes small sizes, sym takes symbols);
 *   - the part does not use it: with other values of the key nothing that the body checks changes;
 *   - the part fails with it and not without it (its hypotheses exclude it, or it is a counterexample: the message says
 *   so);
 *   - its construction is not defined at the shape.
 * The last three are found by running the body, in processes of its own (program_probe.c), at the shape and at others
 * that differ in that key.  A key with a value that the plan of the part has, too, is let pass: there it changes
 * nothing, and rows of evidence are replayed with all keys. */
#include <stdlib.h>
#include <string.h>
#include "src/base/text.h"
#include "src/claim/program/program.h"
#include "src/model/shape_keys.h"

/* ---- words of a refusal ------------------------------------------------------------------------------------ */

/* What hypotheses call a key, and the claims that speak of it. */
static const struct { const char *key, *called[3], *see; } topics[] = {
    { "norm",         { "norm" },                       "K-R7 speaks of norms" },
    { "attn_skip",    { "skip" },                       "K-T4.2, K-T4.3 and K-R3 speak of skips" },
    { "mlp_skip",     { "skip" },                       "K-T4.2, K-T4.3 and K-R3 speak of skips" },
    { "parallel",     { "parallel" },                   "K-X-parallel speaks of parallel blocks" },
    { "tied",         { "tied", "head" },               "K-X-tied speaks of tied heads" },
    { "rope",         { "RoPE", "rotary", "position" }, "K-X-rope speaks of rotary positions" },
    { "qk_norm",      { "QK" },                         "K-X-qknorm speaks of norms of queries and keys" },
    { "biases",       { "bias" },                       "K-X-bias speaks of biases" },
    { "h",            { "head" },                       NULL },
    { "h_kv",         { "head", "GQA", "group" },       "K-X-gqa speaks of grouped heads" },
    { "experts",      { "expert" },                     "K-X-moe speaks of mixtures of experts" },
    { "gated",        { "gated" },                      NULL },
    { "shared",       { "shar" },                       "K-S2-albert speaks of shared layers" },
    { "act",          { "activation", "ReLU", "GELU" }, NULL },
    { "attention",    { "softmax", "row map" },         NULL },
    { "no_positions", { "position" },                   "K-X-sinus speaks of positions" },
    { "mask",         { "mask", "causal" },             "K-X-mask speaks of masks" },
};

static bool speaks_of(const char *text, size_t topic)
{
    for (size_t k = 0; k < COUNT(topics[topic].called) && topics[topic].called[k]; k++)
        if (strstr(text, topics[topic].called[k])) return true;
    return false;
}

/* " (hypothesis: no normalization)": those of the claim's that speak of the topic, else all of them. */
static void add_hypotheses(text_buffer *to, size_t topic)
{
    const char *all = program.C->hypotheses ? program.C->hypotheses : "";
    char *copy = must_strdup(all), *rest = copy;
    long n = 0;
    for (char *one; (one = strtok_r(rest, ";", &rest)) != NULL; ) {
        one += strspn(one, " ");
        if (topic < COUNT(topics) && speaks_of(one, topic)) text_add(to, "%s%s", n++ ? "; " : " (hypothesis: ", one);
    }
    if (n) text_add(to, ")");
    else if (*all && strcmp(all, "none") != 0) text_add(to, " (hypotheses: %s)", all);
    free(copy);
}

/* "; K-R7 speaks of norms; the control norm-present shows what happens" */
static void add_where_to_look(text_buffer *to, const part *P, size_t topic)
{
    if (topic >= COUNT(topics)) return;
    const char *see = topics[topic].see;
    if (see && strncmp(see, program.C->id, strlen(program.C->id)) != 0) text_add(to, "; %s", see);
    for (size_t c = 0; c < P->ncontrols; c++)
        if (speaks_of(P->controls[c].name, topic) || speaks_of(P->controls[c].why, topic)) {
            text_add(to, "; the control %s shows what happens", P->controls[c].name);
            return;
        }
}

static size_t topic_of(long k)
{
    size_t topic = 0;
    while (topic < COUNT(topics) && strcmp(topics[topic].key, shape_key_name(k)) != 0) topic++;
    return topic;
}

/* ---- shapes ------------------------------------------------------------------------------------------------ */

/* The shape with what follows from the given keys and the hypotheses of the part; false: there is none. */
static bool prepared(shape *sh, const part *P)
{
    void (*prepare)(shape *) = P->prepare ? P->prepare : program.C->prepare;
    if (shape_complete(sh)) return false;
    if (prepare) prepare(sh);
    return !shape_complete(sh);
}

/* What the user wrote, before anything follows from it. */
static shape as_written(const part *P)
{
    shape sh = program_plain_shape(P);
    const char *wrong = shape_set(&sh, program.shape);
    if (wrong) die("--shape: %s", wrong);
    return sh;
}

static bool equal_after(int kind, shape sh, const part *P, long k, long value)
{
    return (kind == A_F64 || runner_adapt_shape(P, kind, &sh)) && shape_key_get(&sh, k) == value;
}

/* ---- runs of the body at other shapes ----------------------------------------------------------------------- */

enum { PROBES = 3, MOST_OTHERS = 4 };                            /* trials, and other values of a key */

/* trials: so many; some bodies go through a list by their number */
static probe_outcome outcome_of(const part *P, int kind, const shape *sh, long trials)
{
    job j = { .claim = program.C, .part = P, .sh = *sh, .over = { .kind = kind }, .seed = program.seed };
    for (size_t c = 0; c < P->ncontrols; c++)
        if (program.which && strcmp(program.which, P->controls[c].name) == 0) j.control = &P->controls[c];
    return program_probe(&j, trials);
}

/* The i-th other value of a key whose value is x; -1: there are no more. */
static long another_value(long k, long x, const shape *sh, int i)
{
    const long h = sh->h ? sh->h : 1, numbers[] = { x + 1, x - 1, 2 * x, x + h, x - h, x / 2, 1, 2, 3, 4 };
    if (shape_key_values(k)) return i < shape_key_values(k) ? i : -1;
    return i < (int)COUNT(numbers) ? (numbers[i] < 0 ? x : numbers[i]) : -1;
}

/* ---- is a key used? ---------------------------------------------------------------------------------------- */

/* Over one arithmetic: does anything that is checked change with the key? */
static option_use used_over(const part *P, int kind, const shape *written, long k, long trials, bool *slow)
{
    shape base = *written;
    int tried = 0;
    if (!prepared(&base, P)) return UNKNOWN;
    const probe_outcome here = outcome_of(P, kind, &base, trials);
    if (!here.ran || !here.decided) return UNKNOWN;
    *slow = here.seconds > 0.3;
    for (int i = 0; tried < (*slow ? 1 : MOST_OTHERS); i++) {
        shape other = *written;
        const long x = another_value(k, shape_key_get(&base, k), &base, i);
        if (x < 0) break;
        shape_key_set(&other, k, x);
        if (!prepared(&other, P) || shape_key_get(&other, k) != x || x == shape_key_get(&base, k)) continue;
        const probe_outcome there = outcome_of(P, kind, &other, trials);
        if (there.ran && there.fingerprint != here.fingerprint) return USED;
        tried += there.ran;
    }
    return tried ? UNUSED : UNKNOWN;
}

/* A difference in one trial is enough; that there is none is asked of as many as a run has, but where a trial takes
 * long: there one other value and one trial must do. */
static option_use used_in_trials(const part *P, int kind, const shape *written, long k)
{
    bool slow = false;
    const option_use first = used_over(P, kind, written, k, 1, &slow);
    return first != UNUSED || slow ? first : used_over(P, kind, written, k, PROBES, &slow);
}

/* The first arithmetic that decides something at the shape says. */
static bool is_used(const part *P, const shape *written, long k)
{
    static const int order[] = { A_F64, A_FP, A_Q, A_ARB, A_SYM };
    /* then a trial may take minutes */
    const bool large = written->d > 64 || written->n > 64 || program_streams();
    for (int small = 1; small >= (large ? 1 : 0); small--) {
        shape sh = *written;
        if (small) program_shrink(&sh);
        for (size_t a = 0; a < COUNT(order); a++) {
            const option_use is = program_runs_over(P, order[a]) ? used_in_trials(P, order[a], &sh, k) : UNKNOWN;
            if (is != UNKNOWN) return is == USED;
        }
    }
    return true;
}

/* ---- refusals ---------------------------------------------------------------------------------------------- */

/* Some arithmetic that was chosen runs the part with this value. */
static bool some_arithmetic_takes(const part *P, const shape *sh, long k)
{
    bool any = false;
    for (int a = 0; a < program.arithmetics; a++) {
        const int kind = program.over[a].kind;
        if (!program_runs_over(P, kind)) continue;
        any = true;
        if (equal_after(kind, *sh, P, k, shape_key_get(sh, k))) return true;
    }
    return !any || program_streams();                            /* that no arithmetic runs is another refusal */
}

/* Every arithmetic that was chosen runs the part with this value, whatever the hypotheses set: q with linear attention,
 * sym with its own scale.  A row of evidence is replayed with what its arithmetic took. */
static bool every_arithmetic_takes(const part *P, const shape *sh, long k, long value)
{
    for (int a = 0; a < program.arithmetics; a++)
        if (program_runs_over(P, program.over[a].kind) && !equal_after(program.over[a].kind, *sh, P, k, value))
            return false;
    return true;
}

/* Why this part does not run with the key as asked, to be freed; NULL: it does. */
static char *refusal(const part *P, long k)
{
    const shape written = as_written(P);
    shape completed = written, sh = written;
    const char *wrong = shape_complete(&completed);
    if (wrong) die("--shape: %s", wrong);
    if (!prepared(&sh, P)) return NULL;                          /* program_shape_at has said why */
    const size_t topic = topic_of(k);
    const long asked = shape_key_get(&completed, k);
    char *key = shape_key_text(&completed, k), *takes = shape_key_text(&sh, k);
    text_buffer text = { 0 };
    if (shape_key_get(&sh, k) != asked && every_arithmetic_takes(P, &sh, k, asked)) {
        /* as in the row that is replayed */
    } else if (shape_key_get(&sh, k) != asked) {
        text_add(&text, "%s is outside %s %s, which has %s", key, program.C->id, P->name, takes);
        add_hypotheses(&text, topic);
        add_where_to_look(&text, P, topic);
    } else if (!program_plans_value(P, k, asked) && !some_arithmetic_takes(P, &sh, k)) {
        text_add(&text, "%s is not used by %s %s: sym takes symbols for sizes, and q at most n=3 d=6 V=5 L=2, ReLU and "
                 "linear attention; choose another --arith if the part runs there", key, program.C->id, P->name);
    } else if (!program_plans_value(P, k, asked) && !is_used(P, &written, k)) {
        text_add(&text, "%s is not used by %s %s: nothing that it checks depends on %s; leave it out", key,
                 program.C->id,
                 P->name, shape_key_name(k));
        if (!shape_key_is_size(k)) add_where_to_look(&text, P, topic);
    }
    free(key);
    free(takes);
    return text.length ? text_take(&text) : NULL;
}

/* ---- keys with which the part fails, and shapes for which it is not defined -------------------------------------- */

/* The shape without what the text says; returns how many of its keys change something. */
static long without_keys(const part *P, const shape *sh, shape *plain, bool changes[])
{
    const shape nothing = program_plain_shape(P);
    long n = 0;
    for (long k = 0; k < shape_keys(); k++)
        if (shape_names(program.shape, k)) shape_key_set(plain, k, shape_key_get(&nothing, k));
    shape without = *plain;
    const bool whole = prepared(&without, P);
    for (long k = 0; k < shape_keys(); k++) {
        changes[k] = whole && shape_names(program.shape, k)
                  && shape_key_get(&without, k) != shape_key_get(sh, k);
        n += changes[k];
    }
    return n;
}

typedef enum { FITS, FAILS, BREAKS } fit;

static fit fit_of(const part *P, shape written)
{
    fit is = FITS;
    program_shrink(&written);
    if (!prepared(&written, P)) return FITS;
    for (int a = 0; a < program.arithmetics && is == FITS; a++) {
        const int kind = program.over[a].kind == A_MPFR ? A_F64 : program.over[a].kind;
        if (!program_runs_over(P, kind)) continue;
        const probe_outcome here = outcome_of(P, kind, &written, PROBES);
        is = !here.ran && !here.late ? BREAKS : here.fails ? FAILS : FITS;
    }
    return is;
}

/* That the part fails with a key and not without it: its hypotheses exclude it, or it is a counterexample, and who
 * reads them can tell; or that its construction is not defined at the shape.  To be freed; NULL: nothing of the
 * kind. */
static char *refusal_of_shape(const part *P)
{
    enum { MOST_KEYS = 64 };
    bool changes[MOST_KEYS] = { false };
    const shape written = as_written(P);
    shape sh = written, plain = written;
    text_buffer text = { 0 };
    REQUIRE(shape_keys() <= MOST_KEYS, "%ld keys of a shape", shape_keys());
    if (!prepared(&sh, P) || program_plans(P, &sh)) return NULL;
    const long n = without_keys(P, &sh, &plain, changes);
    const fit is = fit_of(P, written);
    if (is == FITS || (is == FAILS && (!n || fit_of(P, plain) != FITS))) return NULL;
    size_t topic = COUNT(topics);
    for (long k = 0; k < shape_keys(); k++) {
        if (is == BREAKS ? !shape_names(program.shape, k) : !changes[k]) continue;
        char *key = shape_key_text(&sh, k);
        text_add(&text, "%s%s", text.length ? " " : "", key);
        free(key);
        if (topic == COUNT(topics)) topic = topic_of(k);
    }
    if (is == BREAKS)
        text_add(&text, " does not fit %s %s: its construction is not defined there", program.C->id, P->name);
    else text_add(&text, " is outside what %s %s was tried for: with it the part fails, without it it holds; its "
                  "hypotheses exclude it, or this is a counterexample", program.C->id, P->name);
    add_hypotheses(&text, topic);
    add_where_to_look(&text, P, topic);
    return text_take(&text);
}

/* The first refusal in full, then the names of the others. */
static char *refusal_of_part(const part *P)
{
    text_buffer text = { 0 };
    shape whole = as_written(P);
    if (!shape_complete(&whole) && program_plans(P, &whole)) return NULL;
    program_shape_at(0, P);                                      /* dies where there is no such shape */
    for (long k = 0, n = 0; k < shape_keys(); k++) {
        char *why = shape_names(program.shape, k) ? refusal(P, k) : NULL;
        if (!why) continue;
        if (n++) text_add(&text, "%s%.*s", n == 2 ? "; refused as well: " : ", ", (int)strcspn(why, " "), why);
        else text_add(&text, "%s", why);
        free(why);
    }
    return text.length ? text_take(&text) : refusal_of_shape(P);
}

void program_refuse_unused_shape(void)
{
    const claim *C = program.C;
    char *first = NULL;
    text_buffer others = { 0 };
    if (!program.shape) return;
    for (size_t p = 0; p < C->nparts; p++) {
        if (!program_chooses(&C->parts[p])) continue;
        char *why = refusal_of_part(&C->parts[p]);
        if (!why) text_add(&others, "%s--part=%s", others.length ? ", " : "", C->parts[p].name);
        else if (!first) first = why;
        else free(why);
    }
    if (first && others.length) die("--shape: %s; this shape is for %s", first, others.at);
    if (first) die("--shape: %s", first);
    text_clear(&others);
}
