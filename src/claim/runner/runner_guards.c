/* SPDX-License-Identifier: GPL-3.0-or-later
 * runner_guards.c - models that the runner adds to a derivation, whoever wrote the body: see runner_trial.h.
 *
 * A derivation is recorded at sizes from 7 to 255, of models with the switches that the plan and .prepare set, and is
 * claimed of all.  So the body runs again over F_q, where a false identity is false and a run takes milliseconds:
 *   sizes     the least, at which things vanish or are all one; small ones, drawn; one larger than all that were run,
 *             the others small; sizes in a relation that models have (m = 4d, V = n)
 *   switches  each set otherwise: what fails then is true of this switch alone, "mask = full", a hypothesis; then
 *             many at once, with other numbers of heads, layers and experts, widths and scales: switches that fail
 *             together alone, "gated = 1 with biases = 1" */
#include <stdlib.h>
#include <string.h>
#include "numerics/fingerprint.h"
#include "numerics/random.h"
#include "numerics/refused.h"
#include "src/claim/runner/runner_trial.h"
#include "src/model/drawn_sizes.h"
#include "src/model/shape_keys.h"

enum { LARGE = 257 };                    /* above SIZE_VECTORS', and above a byte                       */
enum { LATER = 1000000 };                /* above the numbers of all trials that are run                */

/* ---- one run ------------------------------------------------------------------------------------------------- */

#define REFUTED_BY "refuted: "

/* A derivation is of all seeds and trials: some runs are of another seed and of a trial that nobody runs.  The others
 * are of the derivation's own, so that by neither does a body know a guard. */
typedef enum { ITS_OWN_TRIAL, ANOTHER_TRIAL } trial_of;
static trial_of in_turn(long k) { return k % 2 ? ANOTHER_TRIAL : ITS_OWN_TRIAL; }

/* Where a part speaks of invertible weights, nothing is asked of models in which these are not square. */
static bool speaks_of(const job *j, const shape *sh)
{
    if (sh->d == sh->h * sh->dk || !inverse_was_refused()) return true;
    const hypotheses *all = hypotheses_of(claim_part_assumes(j->claim, j->part));
    for (long k = 0; k < all->n; k++) if (strncmp(all->at[k].text, "invertible ", 11) == 0) return false;
    return true;
}

/* Over one prime: false is false there, too, and what is true holds at random points.  A body that breaks a contract of
 * the library at `sh` (a matrix that such models lack) fails. */
static bool holds_at(const job *j, const shape *sh, trial_of as, char *why, size_t size)
{
    uint64_t key[2];
    random_key_derive(key, (uint64_t[]){ j->seed, (uint64_t)j->trial }, "functions");
    job over = *j;
    over.over = (arith_spec){ .kind = A_FP };
    if (as == ANOTHER_TRIAL) {
        over.seed = ~j->seed;
        over.trial = j->trial + LATER;
    }
    arith R = arith_fp(runner_field_prime(j->seed, j->trial, 0), key);
    trial t;
    inverse_forget();
    const char *broken = runner_body_may_break(&over, &R, sh, &t);
    if (broken) {
        snprintf(why, size, "%s", broken);
        arith_close(&R);
        return !speaks_of(j, sh);
    }
    row is = evidence_row_blank();
    is.over = A_FP;
    runner_conclude(&is, &t);
    const char *otherwise = runner_first_undeclared(j, hypotheses_of(t.record.constrained));
    if (otherwise) snprintf(why, size, REFUTED_BY "the body sets %s", otherwise);
    else if (is.verdict == REFUTED) snprintf(why, size, REFUTED_BY "%s", is.what);
    else snprintf(why, size, "%s", is.note);
    const bool holds = is.verdict == HOLDS && !otherwise;
    runner_trial_free(&t);
    arith_close(&R);
    return holds;
}

static void undecided(row *r, const char *note)
{
    r->verdict = UNDECIDED;
    r->note = cell_keep(note);
}

/* ---- sizes ----------------------------------------------------------------------------------------------------- */

typedef enum { SIZE_N, SIZE_DK, SIZE_M, SIZE_V, SIZES } size_of;
static const char *const size_names[] = { "n", "d_k", "m", "V" };
typedef struct { long at[SIZES]; } sizes;

/* The least size that a part speaks of: 1, or what it declares, "n >= 2", among its hypotheses or of its models. */
static long least(const job *j, const char *size)
{
    const hypotheses *of_models = hypotheses_of(claim_part_models(j->claim, j->part));
    const hypotheses *all = hypotheses_join(hypotheses_of(claim_part_assumes(j->claim, j->part)), of_models);
    for (long k = 0; k < all->n; k++)
        if (all->at[k].kind == HYPOTHESIS_SIZE && strcmp(all->at[k].size, size) == 0) return all->at[k].least;
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
    to.scale_den = sh->attention == ROWMAP_LINEAR ? 1 : to.dk;
    return to;
}

static bool holds_of(const job *j, const shape *sh, sizes s, trial_of as, row *r)
{
    char why[400];
    const shape at = of_sizes(j, sh, s);
    if (at.d < 1 || holds_at(j, &at, as, why, sizeof why)) return true;
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
        if (!holds_of(j, sh, s, in_turn((long)k), r)) return false;
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
        if (!holds_of(j, sh, at, in_turn((long)k), r)) return false;
    }
    return true;
}

static bool holds_at_sizes(const job *j, const shape *sh, row *r)
{
    if (!holds_of(j, sh, least_sizes(j), ITS_OWN_TRIAL, r)) return false;
    for (long k = 0; k < SMALL; k++) if (!holds_of(j, sh, small_sizes(j, k), in_turn(k), r)) return false;
    return holds_at_related_sizes(j, sh, r) && holds_at_large_sizes(j, sh, r);
}

/* ---- switches ---------------------------------------------------------------------------------------------------- */

/* The values of each switch that are tried.  `formal`: values whose functions are more general than these, or have
 * facts that the derivation notes where it uses them, so that from them nothing is tried. */
typedef struct { const char *key, *values, *formal; } alternatives;
static const alternatives tried[] = {
    { "mask", "causal full arbitrary", "" }, { "norm", "none layer rms", "opaque" },
    { "act", "gelu relu silu tanh identity", "opaque half-odd" },
    { "attention", "softmax linear", "opaque shift stochastic" },
    { "h", "1 2 3 4 5", "" }, { "h_kv", "1 h", "" }, { "experts", "1 2 3", "" }, { "shared", "0 1", "" },
    { "attn_skip", "0 1", "" }, { "mlp_skip", "0 1", "" }, { "parallel", "0 1", "" }, { "gated", "0 1", "" },
    { "tied", "0 1", "" }, { "biases", "0 1", "" }, { "rope", "0 1", "" }, { "qk_norm", "0 1", "" },
    { "no_positions", "0 1", "" },
};

/* "mask = full" of sh; of key heads, whether there are fewer than heads.  rho(|x|^2) x stands for RMSNorm. */
static char *switch_word(const shape *sh, const char *key)
{
    if (strcmp(key, "norm") == 0 && sh->norm == NORM_RADIAL) return must_strdup("norm = rms");
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
        needs = set_otherwise(j, sh, of->key, value, &to) && !holds_at(j, &to, ITS_OWN_TRIAL, said, sizeof said);
        if (needs) snprintf(why, size, "with %s = %s over F_q: %s", of->key, value, said);
    }
    free(copy);
    return needs;
}

/* ---- many at once ------------------------------------------------------------------------------------------------ */

enum { TOGETHER = 32, MOST_HEADS = 12, MOST_LAYERS = 12, MOST_EXPERTS = 5 };
enum { LAYERS = COUNT(tried), WIDTH, SCALE, SETTINGS };                /* settings: after the switches of `tried`     */

/* Settings that are wanted together, with numbers to draw from; other_shape makes the model that comes next. */
typedef struct {
    shape sh;
    sizes s;
    long wider;                                                        /* d - h d_k                                   */
    bool scaled;                                                       /* sh's scale, not 1/sqrt(d_k)                 */
    trial_of as;
    uint64_t key[2], drawn;
} other_model;

static long below(other_model *to, long bound) { return (long)random_below(to->key, to->drawn++, (uint64_t)bound); }

static char *setting_word(const shape *sh, int k)
{
    if (k <= LAYERS) return switch_word(sh, k < LAYERS ? tried[k].key : "L");
    return must_strdup(k == WIDTH ? "d = h d_k" : "scale = 1/sqrt(d_k)");
}

/* Is a model of this shape what its setting_word says? */
static bool is_so(const shape *sh, int k)
{
    if (k == WIDTH) return sh->d == sh->h * sh->dk;
    return k != SCALE || (sh->scale_num == 1 && sh->scale_den == sh->dk);
}

/* Does the part leave this setting open? */
static bool is_open(const job *j, const shape *sh, int k)
{
    char *word = setting_word(sh, k);
    bool open = !claim_part_declares(j->claim, j->part, word) && !(k < LAYERS && is_formal(&tried[k], word));
    if (k == WIDTH) open = open && is_so(sh, k);
    if (k == SCALE) open = open && sh->attention != ROWMAP_LINEAR;
    if (k == LAYERS) open = open && sh->L > 1;                         /* of one layer: a body about a block          */
    free(word);
    return open;
}

/* Numbers of key heads divide that of heads, and no more layers share weights than there are. */
static shape other_shape(const job *j, const shape *sh, const other_model *to)
{
    shape is = to->sh;
    const bool fewer = claim_part_declares(j->claim, j->part, "h_kv < h");
    if (fewer && is.h == 1) is.h = 2;
    while (is.h_kv > is.h || is.h % is.h_kv || (fewer && is.h_kv == is.h)) is.h_kv--;
    if (claim_part_declares(j->claim, j->part, "h_kv = h")) is.h_kv = is.h;
    if (is.shared > is.L) is.shared = is.L;
    if (sh->shared && !is.shared) is.shared = 1;
    is.d = is.h * is.dk + to->wider;
    is = of_sizes(j, &is, to->s);
    if (to->scaled) {
        is.scale_num = to->sh.scale_num;
        is.scale_den = to->sh.scale_den;
    }
    return is;
}

static void draw_word(other_model *to, const alternatives *of)
{
    char *values = must_strdup(of->values), *save = NULL, text[64];
    long n = 1;
    for (const char *at = values; *at; at++) n += *at == ' ';
    const char *value = strtok_r(values, " ", &save);
    for (long which = below(to, n); which > 0; which--) value = strtok_r(NULL, " ", &save);
    snprintf(text, sizeof text, "%s=%s", of->key, value);
    const char *wrong = shape_set(&to->sh, text);
    REQUIRE(!wrong, "%s: %s", text, wrong);
    free(values);
}

static void draw_setting(const job *j, other_model *to, int k)
{
    static const long scales[][2] = { { 4, 9 }, { 1, 1 }, { 9, 1 }, { 1, 16 } };
    const char *key = k < LAYERS ? tried[k].key : "";
    shape *sh = &to->sh;
    if (k == SCALE) {
        const long *scale = scales[below(to, COUNT(scales))];
        sh->scale_num = scale[0];
        sh->scale_den = scale[1];
        to->scaled = true;
    } else if (k == WIDTH)                to->wider = below(to, 3) - 1;
    else if (k == LAYERS)                 sh->L = below(to, 4) ? 1 + below(to, 3) : MOST_LAYERS;
    else if (strcmp(key, "h") == 0)       sh->h = least(j, "h") + below(to, MOST_HEADS);
    else if (strcmp(key, "h_kv") == 0)    sh->h_kv = below(to, 2) ? sh->h : 1 + below(to, sh->h);
    else if (strcmp(key, "shared") == 0)  sh->shared = below(to, 2) ? 1 + below(to, sh->L) : 0;
    else if (strcmp(key, "experts") == 0) sh->experts = below(to, 2) ? 2 + below(to, MOST_EXPERTS - 1) : 0;
    else draw_word(to, &tried[k]);               /* one expert has a router of one column, which chooses nothing      */
}

/* False: it is as it was. */
static bool set_back(const shape *sh, other_model *to, int k)
{
    const other_model was = *to;
    if (k == WIDTH) to->wider = 0;
    if (k == SCALE) to->scaled = false;
    if (k > LAYERS) return was.wider != to->wider || was.scaled != to->scaled;
    long i = 0;
    while (strcmp(shape_key_name(i), k < LAYERS ? tried[k].key : "L") != 0) i++;
    shape_key_set(&to->sh, i, shape_key_get(sh, i));
    return shape_key_get(&was.sh, i) != shape_key_get(sh, i);
}

/* Does the body fail: is a check refuted, or does it break off, so that nothing is shown? */
static bool fails_as(const job *j, const shape *sh, const other_model *to, char *why, size_t size)
{
    const shape is = other_shape(j, sh, to);
    return is.d >= 1 && !holds_at(j, &is, to->as, why, size);
}

/* What a body has no room for (heads and layers by the dozen, rotations of odd width) is no counterexample where many
 * settings are tried at once: those are set back first.  One at a time they are. */
static bool fails_together(const job *j, const shape *sh, other_model *to, char *why, size_t size)
{
    static const char *const rooms[] = { "h", "h_kv", "rope", "shared", "experts" };
    if (!fails_as(j, sh, to, why, size)) return false;
    if (strncmp(why, REFUTED_BY, strlen(REFUTED_BY)) == 0) return true;
    for (int i = 0; i < SETTINGS; i++) {
        bool of_room = i >= LAYERS;
        for (size_t k = 0; k < COUNT(rooms); k++) of_room |= i < LAYERS && strcmp(tried[i].key, rooms[k]) == 0;
        if (of_room) set_back(sh, to, i);
    }
    return fails_as(j, sh, to, why, size);
}

/* Width and depth, which no key of `tried` sets, set otherwise alone: does the body fail, or break off?  Then `why`
 * says where. */
static bool fails_alone(const job *j, const shape *sh, int k, char *why, size_t size)
{
    static const long layers[] = { 1, 3 }, wider[] = { 1, -1 };
    const size_t n = k == LAYERS ? COUNT(layers) : COUNT(wider);
    for (size_t i = 0; i < n; i++) {
        other_model to = { .sh = *sh, .wider = k == WIDTH ? wider[i] : sh->d - sh->h * sh->dk,
                           .s = small_sizes(j, (long)i), .as = ITS_OWN_TRIAL };
        if (k == LAYERS) to.sh.L = layers[i];
        if (fails_as(j, sh, &to, why, size)) return true;
    }
    return false;
}

/* Models with all open settings drawn.  Of one that fails each setting is set back that this does not need: the words
 * of the others, "gated = 0 or biases = 0", of which the part has to declare one; NULL: none fails. */
static char *needs_together(const job *j, const shape *sh, char *why, size_t size)
{
    char said[400];
    other_model to;
    bool fails = false, open[SETTINGS];
    for (int i = 0; i < SETTINGS; i++) {
        open[i] = is_open(j, sh, i);
        if (!open[i] || (i != WIDTH && i != LAYERS) || !fails_alone(j, sh, i, said, sizeof said)) continue;
        snprintf(why, size, "%s otherwise over F_q: %s", i == WIDTH ? "width" : "depth", said);
        return setting_word(sh, i);
    }
    for (long k = 0; k < TOGETHER && !fails; k++) {
        to = (other_model){ .sh = *sh, .wider = sh->d - sh->h * sh->dk, .s = small_sizes(j, k),
                            .as = in_turn(k) };
        random_key_derive(to.key, (uint64_t[]){ j->seed, (uint64_t)(j->trial * TOGETHER + k) }, "many settings");
        for (int i = 0; i < SETTINGS; i++)                   /* few bodies take widths that are not h d_k             */
            if (open[i] && below(&to, 3) && (i != WIDTH || k % 4 == 3)) draw_setting(j, &to, i);
        fails = fails_together(j, sh, &to, said, sizeof said);
    }
    if (!fails) return NULL;
    text_buffer missing = { 0 };
    for (int i = 0; i < SETTINGS; i++) {
        other_model back = to;
        if (!open[i] || !set_back(sh, &back, i)) continue;
        if (fails_as(j, sh, &back, said, sizeof said)) to = back;
        else {
            char *word = setting_word(sh, i);
            text_add(&missing, "%s%s", missing.length ? " or " : "", word);
            free(word);
        }
    }
    const shape is = other_shape(j, sh, &to);
    char text[512];
    fails_as(j, sh, &to, said, sizeof said);
    shape_print(text, sizeof text, &is);
    snprintf(why, size, "with %s over F_q: %s", text, said);
    return missing.length ? text_take(&missing) : must_strdup("these sizes");
}

/* A setting that the part declares, and that neither the models of this trial have nor its body sets, would be printed
 * of a trial that says nothing of it; NULL: there is none. */
static const char *declared_in_vain(const job *j, const row *r)
{
    for (int models = 0; models < 2; models++) {
        const hypotheses *list = hypotheses_of(models ? claim_part_models(j->claim, j->part)
                                                      : claim_part_assumes(j->claim, j->part));
        for (long k = 0; k < list->n; k++) {
            const hypothesis *one = &list->at[k];
            if (one->kind == HYPOTHESIS_SWITCH && !hypotheses_have(r->uses, one->text)) return one->text;
        }
    }
    return NULL;
}

/* Declared ones are hypotheses of the row; others that are needed make it undecided: all are named, the first with its
 * reason. */
static void note_switches(const job *j, const shape *sh, row *r)
{
    char *missing = must_strdup(""), why[1024] = "", said[1024];
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
    for (int k = LAYERS; k < SETTINGS; k++) {                          /* "L = 2", "d = h d_k", "scale = 1/sqrt(d_k)" */
        char *word = setting_word(sh, k);
        if (is_so(sh, k) && claim_part_declares(j->claim, j->part, word)) runner_add_uses(r, word);
        free(word);
    }
    if (!*missing) {
        char *more = needs_together(j, sh, why, sizeof why);
        if (more) {
            free(missing);
            missing = more;
        }
    }
    const char *vain = *missing ? NULL : declared_in_vain(j, r);
    if (vain) {
        char *note = must_format("is of other models than those declared: %s", vain);
        undecided(r, note);
        r->undeclared = true;
        free(note);
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
    const drawn_sizes derived = drawn_sizes_noted();      /* the row is of the derivation, not of what is tried here */
    if (holds_at_sizes(j, sh, r)) note_switches(j, sh, r);
    drawn_sizes_restore(derived);
    fingerprint_resume(noted);
}
