/* SPDX-License-Identifier: GPL-3.0-or-later
 * attack_claims.c - false claims, as many as wanted, and nothing may derive one.
 *
 *   attack_claims [--rounds=N] [--seed=S] [--believe]
 *
 * Where attack.c changes identities, this one leaves them true of what its bodies compute, and false of what their
 * claims say.  A round takes one of
 *   plant     two weights of a layer are one, or one is I or 0, and the reduced model is the same under this alone;
 *             compared as whole models, as attention or as a block
 *   name      matrices that a reader takes for two are drawn under one name
 *   size      AB = BA is compared where a size is k, is r modulo k, exceeds 256, or V is n; elsewhere A + B = B + A
 *   switch    the same where a switch of the model, or its number of heads, is not that of the plan
 * and the runner derives it.  Each has a twin whose part declares the hypothesis, or whose body has no such place: the
 * share of twins that are derived shows that the others fall for their reason.  Exit status 1: a false claim was
 * derived, and is printed with its seed; 2: bad input.  --believe takes the twins for false: then it must fail.    */
#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/libraries.h"
#include "src/base/option.h"
#include "src/claim/reduce.h"
#include "src/claim/runner/runner.h"
#include "src/model/shape_keys.h"
#include "tests/support/expression.h"
#include "tests/support/suite.h"

typedef enum { BY_PLANT, BY_NAME, BY_SIZE, BY_SWITCH, KINDS } attack_kind;
static const char *const kind_names[KINDS] = { "plant", "name", "size", "switch" };

static struct { long rounds; uint64_t seed; bool believe; } opt = { .rounds = 400, .seed = 1 };
static struct { long claims[2], derived[2]; } tally[KINDS];                   /* [1]: the twins                 */

enum { SAME_SLOT, IDENTITY_SLOT, ZERO_SLOT, PLANTS };
enum { AS_MODELS, AS_ATTENTION, AS_BLOCK, ROUTES };
enum { SIZE_IS, SIZE_MODULO, SIZE_LARGE, SIZE_EQUAL, PLACES };
/* The round under way, which its body reads. */
static struct {
    attack_kind kind;
    bool twin;
    int  plant, route;
    int  first, second;                  /* slots */
    int  size, other;                    /* which sizes */
    int  place;
    long k, r;
    long key, value;                     /* of a switch, as the plan has it */
    char what[160];
} now;

/* ---- bodies ---- */

static const char *const slot_names[] = { "W_Q", "W_K", "W_V" };                   /* all d x h d_k                 */
static const mat **slot_of(layer *W, int which) { return which == 0 ? &W->Q : which == 1 ? &W->K : &W->V; }

/* The reduced model: the planted weights change places, or the planted one is written out. */
static void planted(trial *t)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh), R;
    layer *W = &M.at[0];
    const mat **a = slot_of(W, now.first), *B = *slot_of(W, now.second), *I = mat_identity(s, t->sh.d);
    *a = now.plant == SAME_SLOT ? B : now.plant == IDENTITY_SLOT ? I : mat_zero(s, (*a)->rows, (*a)->cols);
    R = M;
    if (now.plant == SAME_SLOT) *slot_of(&R.at[0], now.second) = mat_mul(s, I, *a);
    *slot_of(&R.at[0], now.first) = now.plant == SAME_SLOT ? mat_mul(s, I, B)
                                  : now.plant == IDENTITY_SLOT ? mat_mul(s, *a, I) : mat_scale(s, 2, 0, *a);
    /* By other steps: W_O = D^-1 (D W_O). */
    const mat *D = mat_draw(s, "D", t->sh.d, t->sh.d, 0);
    R.at[0].O = mat_mul(s, mat_inv(s, D), mat_mul(s, D, W->O));
    if (now.route == AS_MODELS) {
        claim_same_function(t, &M, &R);
        return;
    }
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    const bool block = now.route == AS_BLOCK;
    claim_equal(t, block ? "block" : "attention", block ? model_block(s, &M, 0, X) : model_attention(s, &M, 0, X),
                block ? model_block(s, &R, 0, X) : model_attention(s, &R, 0, X));
}

static const mat *drawn(trial *t, const char *name) { return mat_draw(&t->s, name, t->sh.d, t->sh.d, 0); }

static void one_name(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A"), *B = drawn(t, now.twin ? "B" : now.k ? "A" : "A.1");
    const mat *AB = mat_mul(s, A, B), *BA = mat_mul(s, B, A), *I = mat_identity(s, t->sh.d);
    if (now.twin) claim_equal(t, "A + B = B + A", mat_add(s, A, B), mat_add(s, B, A));
    else if (now.k) claim_equal(t, "AB = BA", mat_mul(s, mat_sub(s, AB, I), A), mat_mul(s, A, mat_sub(s, BA, I)));
    else claim_equal(t, "A A^-1 = I", mat_mul(s, B, mat_mul(s, A, mat_inv(s, A))), mat_mul(s, I, B));
}

static long size_of(const shape *sh, int which) { return (const long[]){ sh->n, sh->dk, sh->m, sh->V }[which]; }

static bool in_place(const shape *sh)
{
    const long x = size_of(sh, now.size);
    if (now.kind == BY_SWITCH) return shape_key_get(sh, now.key) != now.value;
    return now.place == SIZE_IS ? x == now.k : now.place == SIZE_MODULO ? x % now.k == now.r
         : now.place == SIZE_LARGE ? x > 256 : x == size_of(sh, now.other);
}

static void somewhere(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A"), *B = drawn(t, "B");
    const bool here = !now.twin && in_place(&t->sh);
    claim_equal(t, "AB = BA or A + B = B + A", here ? mat_mul(s, A, B) : mat_add(s, A, B),
                here ? mat_mul(s, B, A) : mat_add(s, B, A));
}

/* ---- a round ---- */

static shape random_shape(void)
{
    shape sh = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 6, .L = 1, .attn_skip = below(2), .mlp_skip = below(2),
                 .mask = (mask_kind)below(3), .gated = below(2), .tied = below(2) };
    if (now.kind == BY_PLANT) sh.h = 1;                      /* W = I fits */
    REQUIRE(!shape_complete(&sh), "no shape");
    return sh;
}

/* All switches as the plan has them, so that a plant alone is what is missing. */
static char *all_switches(const shape *sh)
{
    char *list = must_format("h = %ld; h_kv = h; d = h d_k", sh->h);
    for (long k = 0; k < shape_keys(); k++) {
        const char *name = shape_key_name(k);
        if (shape_key_is_size(k) && strcmp(name, "experts") != 0 && strcmp(name, "shared") != 0) continue;
        char *text = shape_key_text(sh, k), *value = strchr(text, '=') + 1;
        char *longer = must_format("%s; %s = %s", list, name, value);
        free(list);
        free(text);
        list = longer;
    }
    return list;
}

static void draw_round(const shape *sh)
{
    static const char *const switches[] = { "mask", "attn_skip", "mlp_skip", "gated", "tied", "biases", "rope", "qk_norm",
                                            "parallel", "no_positions", "norm", "h" };
    now.plant = (int)below(PLANTS);
    now.route = (int)below(ROUTES);
    now.first = (int)below(3);
    now.second = (now.first + 1 + (int)below(2)) % 3;
    now.size = (int)below(4);
    now.other = (now.size + 1 + (int)below(3)) % 4;
    now.place = (int)below(PLACES);
    now.k = now.kind == BY_NAME ? (long)below(2) : now.place == SIZE_IS ? 1 + (long)below(6) : 2 + (long)below(5);
    now.r = now.k ? below(now.k) : 0;
    if (now.place == SIZE_EQUAL) now.size = 3, now.other = 0;                 /* V = n, which the runner makes    */
    const char *key = switches[below(COUNT(switches))];
    for (long k = 0; k < shape_keys(); k++) if (strcmp(shape_key_name(k), key) == 0) now.key = k;
    now.value = shape_key_get(sh, now.key);
    snprintf(now.what, sizeof now.what, "plant %d of %s beside %s, route %d; size %d, place %d, %ld, %ld; switch %s",
             now.plant, slot_names[now.first], slot_names[now.second], now.route, now.size, now.place, now.k, now.r, key);
}

static row derive(const shape *sh, const char *assumes, const char *models, uint64_t seed)
{
    body *const run[] = { planted, one_name, somewhere, somewhere };
    const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = run[now.kind], .assumes = assumes,
                     .models = models, .no_minimal = true };
    const claim C = { .id = "ATTACK", .title = "a false claim", .where = "", .parts = &P, .nparts = 1 };
    const job j = { .claim = &C, .part = &P, .sh = *sh, .over = { .kind = A_SYM }, .seed = seed };
    return runner_run(&j, NULL, NULL);
}

/* What the twin of a plant declares: the weights as they are, and that D has an inverse. */
static char *plant_words(void)
{
    char *words = must_strdup("invertible D");
    for (int k = 0; k < 3; k++) {
        const bool set = k == now.first || (now.plant == SAME_SLOT && k == now.second);
        if (!set) continue;
        const char *W = slot_names[k];
        char *longer = must_format("%s; constrained %s = I; constrained %s = 0; constrained %s = W_Q; constrained %s = W_K; "
                                   "constrained %s", words, W, W, W, W, W);
        free(words);
        words = longer;
    }
    return words;
}

static void play(uint64_t seed)
{
    random_start(seed);
    now.kind = (attack_kind)below(KINDS);
    const shape sh = random_shape();
    draw_round(&sh);
    for (int twin = 0; twin < 2; twin++) {
        now.twin = twin;
        char *models = now.kind == BY_PLANT ? all_switches(&sh) : must_strdup("");
        char *assumes = now.kind == BY_PLANT && twin ? plant_words() : must_strdup("invertible D; invertible A");
        const row r = derive(&sh, assumes, models, seed);
        const bool derived = r.verdict == HOLDS;
        tally[now.kind].claims[twin]++;
        tally[now.kind].derived[twin] += derived;
        if (derived && (!twin || opt.believe))
            printf("derived a false claim by a %s: seed %llu: %s\n", kind_names[now.kind], (unsigned long long)seed,
                   now.what);
        free(models);
        free(assumes);
    }
}

/* ---- the program ---- */

static const struct argp_option options[] = {
    { "rounds", 'r', "N", 0, "false claims to try (default 400)", 0 },
    { "seed", 's', "S", 0, "the first seed (default 1)", 0 },
    { "believe", 'b', NULL, 0, "take the true twins for false: must fail", 0 },
    { 0 } };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)state;
    switch (key) {
    case 'r': opt.rounds = option_whole(arg, "--rounds", 1, 1000000000); break;
    case 's': opt.seed = option_seed(arg, "--seed"); break;
    case 'b': opt.believe = true; break;
    case ARGP_KEY_ARG: die("no arguments are taken, only options: see --help (`%s`)", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const struct argp parser = { options, parse, NULL, "Attacks derivations with plants, names, sizes and switches.",
                                        NULL, NULL, NULL };
    base_init(argc, argv);
    libraries_init();
    argp_err_exit_status = 2;
    argp_parse(&parser, argc, argv, 0, NULL, NULL);
    for (long k = 0; k < opt.rounds; k++) play(opt.seed + (uint64_t)k);
    bool good = true;
    for (int k = 0; k < KINDS; k++) {
        printf("  %-7s %ld false claims, %ld derived; %ld twins, %ld derived\n", kind_names[k], tally[k].claims[0],
               tally[k].derived[0], tally[k].claims[1], tally[k].derived[1]);
        good &= tally[k].derived[0] == 0 && tally[k].derived[1] > 0 && !opt.believe;
    }
    libraries_clear();
    return good ? 0 : 1;
}
