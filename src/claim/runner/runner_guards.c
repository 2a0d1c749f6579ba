/* runner_guards.c - models that the runner adds to a derivation, whoever wrote the body: see runner_trial.h.
 *
 * A derivation is recorded at sizes from 7 to 255, of models with the switches that the plan and .prepare set, and is
 * claimed of all.  So the body runs again over F_q, where a false identity is false and a run takes milliseconds:
 *   sizes     the least, at which things vanish or are all one; small ones, drawn; one larger than all that were run,
 *             the others small; sizes in a relation that models have (m = 4d, V = n)
 *   switches  each set otherwise: what fails then is true of this switch alone, "mask = full", a hypothesis */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/fingerprint.h"
#include "numerics/random.h"
#include "src/claim/runner/runner_trial.h"
#include "src/model/shape_keys.h"

enum { LARGE = 257 };                    /* above SIZE_VECTORS', and above a byte                       */

/* ---- one run ------------------------------------------------------------------------------------------------- */

static jmp_buf broken;
static char broken_says[256];
static void note_broken(const char *message)
{
    snprintf(broken_says, sizeof broken_says, "%s", message);
    longjmp(broken, 1);
}

/* Over one prime: false is false there, too, and what is true holds at random points.  A body that breaks a contract
 * of the library at `sh` (a matrix that such models lack) fails; what it held is left. */
static bool holds_at(const job *j, const shape *sh, char *why, size_t size)
{
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ j->seed, (uint64_t)j->trial }, "functions");
    job over = *j;
    over.over = (arith_spec){ .kind = A_FP };
    contract_handler *handler = contract_set_handler(note_broken);
    if (setjmp(broken)) {
        contract_set_handler(handler);
        snprintf(why, size, "%s", broken_says);
        return false;
    }
    arith R = arith_fp(runner_field_prime(j->seed, j->trial, 0), key);
    trial t = runner_body(&over, &R, sh);
    contract_set_handler(handler);
    row is = { .over = A_FP, .verdict = UNDECIDED };
    runner_conclude(&is, &t);
    snprintf(why, size, "%s%s", is.verdict == REFUTED ? "refuted: " : "", is.verdict == REFUTED ? is.what : is.note);
    runner_trial_free(&t);
    arith_close(&R);
    return is.verdict == HOLDS;
}

static void undecided(row *r, const char *note)
{
    r->verdict = UNDECIDED;
    cell_copy(r->note, sizeof r->note, note);
}

/* ---- sizes ----------------------------------------------------------------------------------------------------- */

typedef enum { SIZE_N, SIZE_DK, SIZE_M, SIZE_V, SIZES } size_of;
static const char *const size_names[] = { "n", "d_k", "m", "V" };
typedef struct { long at[SIZES]; } sizes;

/* The least size that a part speaks of: 1, or what it declares, "n >= 2", among its hypotheses or of its models. */
static long least(const job *j, const char *size)
{
    const size_t n = strlen(size), of = strlen(SIZE_ASSUMED);
    const char *const lists[] = { claim_part_assumes(j->claim, j->part), claim_part_models(j->claim, j->part) };
    for (size_t k = 0; k < COUNT(lists); k++)
        for (const char *at = lists[k]; *at; at += strcspn(at, ";"), at += strspn(at, "; "))
            if (strncmp(at, size, n) == 0 && strncmp(at + n, SIZE_ASSUMED, of) == 0)
                return strtol(at + n + of, NULL, 10);
    return 1;
}

static sizes least_sizes(const job *j)
{
    sizes s;
    for (size_of k = 0; k < SIZES; k++) s.at[k] = least(j, size_names[k]);
    return s;
}

/* sh with these sizes; what h d_k is more, or less, than d keeps its sign. */
static shape of_sizes(const job *j, const shape *sh, sizes s)
{
    shape to = *sh;
    const long between = sh->d - sh->h * sh->dk;
    to.n = s.at[SIZE_N];
    to.dk = s.at[SIZE_DK];
    to.m = s.at[SIZE_M];
    to.V = s.at[SIZE_V];
    while (to.h * to.dk < least(j, "d")) to.dk++;
    to.dk += sh->rope && to.dk % 2;
    to.d = to.h * to.dk + (between > 0) - (between < 0);
    to.scale_num = 1;
    to.scale_den = to.dk;
    return to;
}

static bool holds_of(const job *j, const shape *sh, sizes s, row *r)
{
    char why[400];
    const shape at = of_sizes(j, sh, s);
    if (at.d < 1 || holds_at(j, &at, why, sizeof why)) return true;
    char *note = must_format("at n = %ld, d = %ld, h = %ld, d_k = %ld, m = %ld, V = %ld over F_q: %s", at.n, at.d, at.h,
                             at.dk, at.m, at.V, why);
    undecided(r, note);
    free(note);
    return false;
}

/* Each size at most five above the least, beside others that are drawn for this seed; among SMALL with numbers one
 * after the other it takes all of these values. */
enum { SMALL = 6 };
static sizes small_sizes(const job *j, long which)
{
    uint64_t key[2];
    sizes s = least_sizes(j);
    random_key_derive(key, (uint64_t[]){ j->seed, (uint64_t)j->trial }, "small sizes");
    for (size_of k = 0; k < SIZES; k++) s.at[k] += (which + (long)random_below(key, (uint64_t)k, SMALL)) % SMALL;
    return s;
}

static bool holds_at_large_sizes(const job *j, const shape *sh, row *r)
{
    for (size_of k = 0; k < SIZES; k++) {
        if (k == SIZE_DK && j->least_sizes_alone) continue;              /* d would be h times as large */
        sizes s = small_sizes(j, (long)k);
        s.at[k] = least(j, size_names[k]) + LARGE - 1;
        if (!holds_of(j, sh, s, r)) return false;
    }
    return true;
}

static bool holds_at_related_sizes(const job *j, const shape *sh, row *r)
{
    sizes s = small_sizes(j, SIZES);
    const long d = of_sizes(j, sh, s).d;
    if (d < 1) return true;
    const sizes related[] = {
        { { s.at[SIZE_N], s.at[SIZE_DK], 4 * d, s.at[SIZE_V] } }, { { s.at[SIZE_N], s.at[SIZE_DK], d, s.at[SIZE_N] } },
        { { d, s.at[SIZE_DK], s.at[SIZE_N] + 1, d } },
        { { s.at[SIZE_DK], s.at[SIZE_DK], s.at[SIZE_M], s.at[SIZE_DK] } },
    };
    for (size_t k = 0; k < COUNT(related); k++) {
        sizes at = related[k];
        for (size_of i = 0; i < SIZES; i++) if (at.at[i] < least(j, size_names[i])) at.at[i] = least(j, size_names[i]);
        if (!holds_of(j, sh, at, r)) return false;
    }
    return true;
}

static bool holds_at_sizes(const job *j, const shape *sh, row *r)
{
    if (!holds_of(j, sh, least_sizes(j), r)) return false;
    for (long k = 0; k < SMALL; k++) if (!holds_of(j, sh, small_sizes(j, k), r)) return false;
    return holds_at_related_sizes(j, sh, r) && holds_at_large_sizes(j, sh, r);
}

/* ---- switches ---------------------------------------------------------------------------------------------------- */

/* The values of each switch that are tried.  `formal`: values whose functions are more general than these, or have
 * facts that the derivation notes where it uses them, so that from them nothing is tried. */
typedef struct { const char *key, *values, *formal; } alternatives;
static const alternatives tried[] = {
    { "mask", "causal full arbitrary", "" }, { "norm", "none layer rms", "opaque radial" },
    { "act", "gelu identity", "opaque half-odd" }, { "attention", "softmax", "opaque shift stochastic" },
    { "h", "1 2 3 4 5", "" }, { "h_kv", "1 h", "" }, { "experts", "1 2 3", "" }, { "shared", "0 1", "" },
    { "attn_skip", "0 1", "" }, { "mlp_skip", "0 1", "" }, { "parallel", "0 1", "" }, { "gated", "0 1", "" },
    { "tied", "0 1", "" }, { "biases", "0 1", "" }, { "rope", "0 1", "" }, { "qk_norm", "0 1", "" },
    { "no_positions", "0 1", "" },
};

/* "mask = full" of sh; of key heads, whether there are fewer than heads. */
static char *switch_word(const shape *sh, const char *key)
{
    if (strcmp(key, "h_kv") == 0) return must_strdup(sh->h_kv == sh->h ? "h_kv = h" : "h_kv < h");
    for (long k = 0; k < shape_keys(); k++) {
        if (strcmp(shape_key_name(k), key) != 0) continue;
        char *text = shape_key_text(sh, k), *word = must_format("%s = %s", key, text + strlen(key) + 1);
        free(text);
        return word;
    }
    REQUIRE(false, "a shape has no %s", key);
    return NULL;
}

static bool is_formal(const alternatives *of, const char *word)
{
    char *all = must_format(" %s ", of->formal), *one = must_format(" %s ", strrchr(word, ' ') + 1);
    const bool is = strstr(all, one) != NULL;
    free(all);
    free(one);
    return is;
}

/* sh with `key` set to `value`, at small sizes; false: there is no such model, or it is sh. */
static bool set_otherwise(const job *j, const shape *sh, const char *key, const char *value, shape *to)
{
    sizes s = least_sizes(j);
    static const sizes above = { { 2, 3, 4, 3 } };           /* d_k = 4: rotations of two planes */
    for (size_of k = 0; k < SIZES; k++) s.at[k] += above.at[k];
    *to = *sh;
    char text[64];
    snprintf(text, sizeof text, "%s=%s", key, value);
    if (strcmp(key, "h_kv") == 0 && strcmp(value, "h") == 0) to->h_kv = sh->h;
    else if (shape_set(to, text)) return false;
    if (to->h != sh->h) {
        to->h_kv = sh->h_kv == sh->h ? to->h : 1;
        if (sh->h_kv < sh->h && to->h == 1) return false;
        to->d += (to->h - sh->h) * sh->dk;
    }
    *to = of_sizes(j, to, s);
    char *was = switch_word(sh, key), *is = switch_word(to, key);
    const bool another = strcmp(was, is) != 0;
    free(was);
    free(is);
    const bool none = strcmp(key, "experts") == 0 && !sh->experts && to->experts == 1;     /* a router of one column */
    return another && !none && to->h >= least(j, "h") && to->shared <= to->L && to->d >= 1;
}

/* Does the body fail with this switch set otherwise?  Then `why` says with which value. */
static bool needs_switch(const job *j, const shape *sh, const alternatives *of, char *why, size_t size)
{
    char *copy = must_strdup(of->values), *save = NULL;
    bool needs = false;
    for (char *value = strtok_r(copy, " ", &save); value && !needs; value = strtok_r(NULL, " ", &save)) {
        shape to;
        char said[400];
        needs = set_otherwise(j, sh, of->key, value, &to) && !holds_at(j, &to, said, sizeof said);
        if (needs) snprintf(why, size, "with %s = %s over F_q: %s", of->key, value, said);
    }
    free(copy);
    return needs;
}

/* Declared ones are hypotheses of the row; others that are needed make it undecided: all are named, the first with its
 * reason. */
static void note_switches(const job *j, const shape *sh, row *r)
{
    char *missing = must_strdup(""), why[512] = "", said[512];
    for (size_t k = 0; k < COUNT(tried); k++) {
        char *word = switch_word(sh, tried[k].key);
        if (claim_part_declares(j->claim, j->part, word)) {
            if (strcmp(tried[k].key, "h") != 0) runner_add_uses(r, word);               /* heads come first */
        } else if (!is_formal(&tried[k], word) && needs_switch(j, sh, &tried[k], said, sizeof said)) {
            char *more = must_format("%s%s%s", missing, *missing ? "; " : "", word);
            if (!*missing) memcpy(why, said, sizeof why);
            free(missing);
            missing = more;
        }
        free(word);
    }
    if (*missing) {
        char *note = must_format("uses a hypothesis that is not declared: %s (%s)", missing, why);
        undecided(r, note);
        r->undeclared = true;
        free(note);
    }
    free(missing);
}

void runner_guards(const job *j, const shape *sh, row *r)
{
    const bool noted = fingerprint_pause();
    if (holds_at_sizes(j, sh, r)) note_switches(j, sh, r);
    fingerprint_resume(noted);
}
