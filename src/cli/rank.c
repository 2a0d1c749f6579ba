/* SPDX-License-Identifier: GPL-3.0-or-later
 * rank.c - `provably rank --arch=attn-skip+tied --d=4 --h=2 --L=3`: parameters, rank modulo two primes (and
 * in balls, on request), nullity, gauge directions and closed formula, each on a line of its own; nothing is
 * inferred from another.  Without query weights in some layers it prints what is lost, too.  */
#include "src/cli/command.h"
#include "src/cli/cli.h"
#include <stdlib.h>
#include <string.h>
#include "numerics/flint_compat.h"
#include "numerics/random.h"
#include "src/base/option.h"
#include "src/methods/rank/dimension.h"

enum { MOST_PARAMETERS = 4000, MOST_IN_BALLS = 400, BALL_BITS = 512, MOST_BITS = 4096 };

enum { OPT_ARCH = 256, OPT_D, OPT_H, OPT_L, OPT_M, OPT_N, OPT_V, OPT_DK, OPT_HKV, OPT_WITHOUT, OPT_SEED, OPT_REAL };
static const struct argp_option flags[] = {
    { "arch", OPT_ARCH, "WORD[+WORD...]", 0, "residual pattern and switches (all-skip); `--arch=help` lists them", 0 },
    { "d", OPT_D, "D", 0, "width (4)", 0 },
    { "h", OPT_H, "H", 0, "heads (2)", 0 },
    { "L", OPT_L, "L", 0, "layers (2)", 0 },
    { "m", OPT_M, "M", 0, "neurons of the MLP (d + 2)", 0 },
    { "n", OPT_N, "N", 0, "tokens of a sequence (3)", 0 },
    { "V", OPT_V, "V", 0, "vocabulary (d + 2)", 0 },
    { "dk", OPT_DK, "DK", 0, "width of a head (d/h)", 0 },
    { "h-kv", OPT_HKV, "H", 0, "key and value heads (h)", 0 },
    { "without-query", OPT_WITHOUT, "LIST", 0, "also count with W_Q = I in these layers: 1,3 or all", 0 },
    { "seed", OPT_SEED, "N", 0, "seed of the weights and functions (20261121)", 0 },
    { "real", OPT_REAL, NULL, 0, "also bound the rank for the real functions (GELU, ReLU, softmax, norms) in ball "
      "arithmetic", 0 },
    { 0 } };

static struct {
    const char *arch, *without;
    long d, h, L, m, n, V, dk, h_kv;
    uint64_t seed;
    bool real;
} opt;

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)state;
    switch (key) {
    case OPT_ARCH:    opt.arch = arg; return 0;
    case OPT_WITHOUT: opt.without = arg; return 0;
    case OPT_REAL:    opt.real = true; return 0;
    case OPT_D:       opt.d = option_whole(arg, "--d", 1, 1L << 40); return 0;
    case OPT_H:       opt.h = option_whole(arg, "--h", 1, 1L << 40); return 0;
    case OPT_L:       opt.L = option_whole(arg, "--L", 1, 1L << 40); return 0;
    case OPT_M:       opt.m = option_whole(arg, "--m", 1, 1L << 40); return 0;
    case OPT_N:       opt.n = option_whole(arg, "--n", 1, 1L << 40); return 0;
    case OPT_V:       opt.V = option_whole(arg, "--V", 1, 1L << 40); return 0;
    case OPT_DK:      opt.dk = option_whole(arg, "--dk", 1, 1L << 40); return 0;
    case OPT_HKV:     opt.h_kv = option_whole(arg, "--h-kv", 1, 1L << 40); return 0;
    case OPT_SEED:    opt.seed = option_seed(arg, "--seed"); return 0;
    case ARGP_KEY_ARG: die("rank takes options only, not `%s`; see `provably rank --help`", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
}

/* "all", or layer numbers from 1. */
static uint64_t layers_of(const char *text, long L)
{
    if (strcmp(text, "all") == 0) return L == 64 ? ~(uint64_t)0 : ((uint64_t)1 << L) - 1;
    char *copy = must_strdup(text), *save = NULL;
    uint64_t set = 0;
    for (char *item = strtok_r(copy, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
        const long i = option_whole(item, "--without-query", 1, 64);
        if (i > L) die("--without-query: there is no layer %ld of %ld", i, L);
        set |= (uint64_t)1 << (i - 1);
    }
    free(copy);
    if (!set) die("--without-query takes layers as 1,3 or all");
    return set;
}

static dimension_of question(void)
{
    dimension_of what = { .sh = { .n = opt.n ? opt.n : 3, .d = opt.d ? opt.d : 4, .h = opt.h ? opt.h : 2,
                                  .L = opt.L ? opt.L : 2, .dk = opt.dk, .act = ACT_GELU } };
    shape *sh = &what.sh;
    sh->m = opt.m ? opt.m : sh->d + 2;
    sh->V = opt.V ? opt.V : sh->d + 2;
    const char *known = architecture_parse(sh, &what.unit_gains, opt.arch ? opt.arch : "all-skip");
    if (known) die("--arch=%s: the words are %s", opt.arch, known);
    if (opt.h_kv) sh->h_kv = opt.h_kv;
    const char *wrong = shape_complete(sh);
    if (wrong) die("%s", wrong);
    if (opt.without) {
        what.without_query = layers_of(opt.without, sh->L);
        if (sh->h * sh->dk != sh->d) die("--without-query needs h dk = d, for W_Q = I to be square");
        if (sh->shared && what.without_query != layers_of("all", sh->L))
            die("--without-query: shared layers have one W_Q, so it is `all`");
    }
    return what;
}

/* ---- answers -------------------------------------------------------------------------------------------- */

/* The shape is printed before the first answer, not earlier, so that bad input gives one message and nothing else. */
static const shape *waiting;

static void line(const char *what, const char *over, long value)
{
    char text[256];
    if (waiting) {
        shape_print(text, sizeof text, waiting);
        printf("%s\n", text);
        waiting = NULL;
    }
    printf("%-22s %-26s %8ld\n", what, over, value);
}

static dimension over_balls(const dimension_of *what)
{
    dimension D = { .is = UNDECIDED };
    for (long bits = BALL_BITS; bits <= MOST_BITS; bits *= 2) {
        arith R = arith_arb(bits);
        D = dimension_find(&R, what, opt.seed, 0);
        arith_close(&R);
        if (D.is == HOLDS && D.rank + D.gauge == D.parameters) break;
    }
    return D;
}

/* Rank and gauge of one family, printed; false where the bounds do not meet. */
static bool answer(const dimension_of *what, const char *name, dimension *D)
{
    uint64_t q = ((uint64_t)1 << 61) - 1;
    const bool relu = what->sh.act == ACT_RELU;              /* a finite field has no signs */
    bool meets = true;
    for (int k = 0; k < 2 && !relu; k++) {
        uint64_t key[2];
        char over[40];
        random_key_derive(key, (uint64_t[]){ opt.seed, (uint64_t)k }, "field");
        arith R = arith_fp(q, key);
        *D = dimension_find(&R, what, opt.seed, (uint64_t)k);
        arith_close(&R);
        if (D->is != HOLDS) die("%s", D->why);
        snprintf(over, sizeof over, "mod %llu", (unsigned long long)q);
        if (k == 0) line("parameters", name, D->parameters);
        line("rank, at least", over, D->rank);
        meets &= D->null && D->rank + D->gauge == D->parameters;
        do q -= 2; while (!n_is_prime((ulong)q));
    }
    if (relu || opt.real) {
        *D = over_balls(what);
        if (D->is != HOLDS) die("in balls: %s", D->why);
        if (relu) line("parameters", name, D->parameters);
        line("rank, at least", "real functions, in balls", D->rank);
        meets &= D->null && D->rank + D->gauge == D->parameters;
    }
    line("nullity, at most", "parameters - rank", D->parameters - D->rank);
    line("nullity, at least", "gauge directions", D->gauge);
    return meets;
}

/* The formula assumes general position and enough tokens; elsewhere, bounds that meet decide. */
static bool compare_formula(const dimension_of *what, const dimension *D, long formula)
{
    if (formula < 0) { printf("%-22s none covers this shape\n", "nullity, predicted"); return true; }
    line("nullity, predicted", "closed formula", formula);
    return !D || D->parameters - D->rank == formula || what->without_query;
}

int rank_main(int argc, char **argv)
{
    static const struct argp parser = { flags, parse, NULL,
        "Computes the dimension of the functions of a transformer: rank and nullity of its parameter "
        "Jacobian.\nExit status: 0 decided, 1 the bounds do not meet, 2 bad input.",
        NULL, NULL, NULL };
    opt.seed = 20261121;
    command_parse(&parser, argc, argv, 0, NULL, NULL);
    if (opt.arch && strcmp(opt.arch, "help") == 0) { printf("%s\n", architecture_words); return 0; }
    const dimension_of what = question();
    const shape *sh = &what.sh;
    dimension_of full = what;
    full.without_query = 0;
    const long stored = parameters_stored(sh, what.unit_gains), formula = nullity_predicted(sh, what.unit_gains);
    const long most = opt.real || sh->act == ACT_RELU ? MOST_IN_BALLS : MOST_PARAMETERS;
    waiting = sh;
    if (stored > most) {
        line("parameters", "all", stored);
        compare_formula(&full, NULL, formula);
        printf("rank not computed: more than %ld parameters\n", most);
        return 0;
    }
    dimension F, R;
    bool meets = answer(&full, "all", &F);
    bool agrees = compare_formula(&full, &F, formula);
    if (what.without_query) {
        meets &= answer(&what, "with W_Q = I", &R);
        const long lost = deficit_predicted(sh, what.unit_gains, __builtin_popcountll(what.without_query));
        line("dimensions lost", "rank - rank", F.rank - R.rank);
        if (lost >= 0) line("dimensions lost", "closed formula", lost);
        agrees &= lost < 0 || F.rank - R.rank == lost;
    }
    printf("%s\n", !meets ? "the bounds do not meet: undecided (too few sequences, or an unknown gauge direction)"
                 : !agrees ? "decided: the bounds meet; the formula does not hold for this shape"
                           : "decided: the bounds meet");
    return meets && agrees ? 0 : 1;
}
