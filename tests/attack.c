/* SPDX-License-Identifier: GPL-3.0-or-later
 * attack.c - false identities, as many as wanted, and nothing may accept one.
 *
 *   attack [--rounds=N] [--seed=S] [--proofcheck=FILE] [--believe]
 *
 * A round takes a random expression or block of a transformer, writes it in other steps, and makes one change.
 * Whether the two are equal is decided by tests/support/numbers.h, modulo fresh random primes, with a table for each
 * opaque function.  Then the identity is a theorem: the runner decides it by symbols and modulo primes, its
 * certificate is recorded, and proofcheck reads it.  N false identities are tried; how many of the true ones are
 * proved is counted.  Exit status 1: a false identity was accepted, and is printed with its seed; 2: bad input.
 * --believe takes every identity for false: then a true one is caught, which shows that the attack can fail.    */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "numerics/flint_compat.h"
#include "numerics/libraries.h"
#include "src/claim/certificate/certificate.h"
#include "src/base/option.h"
#include "src/claim/runner/runner.h"
#include "tests/support/expression.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { BY_SYM, BY_FP, BY_PROOFCHECK, JUDGES, CHANGES = 4, BATCH = 500, SHOWN = 64 };
static const char *const judge_names[JUDGES] = { "sym", "fp", "proofcheck" };
static const double WANTED_LOG2_ERROR = -60;                  /* of a row over fp that is believed            */

typedef struct {
    expression left, right;
    uint64_t seed;                                           /* of its round                                 */
    const char *what;                                        /* was changed, or NULL                         */
    long    dk;                                              /* its width of a head                          */
    bool    is_true, certified;
} identity;

static struct { long rounds, most; uint64_t seed; const char *proofcheck; bool believe; } opt = { .rounds = 20000, .seed = 1 };
typedef struct { int judge; const char *what; long times; } kind;
static struct { long pairs[2], accepted[2][JUDGES], certificates[2]; kind show[SHOWN]; int shown; } tally;   /* [1]: true */
static identity batch[BATCH];
static long batched;
static char *folder;

/* ---- an identity as a theorem ------------------------------------------------------------------------- */

static const identity *current;

static void compare(trial *t)
{
    const drawn_by whose = scope_draws(&t->s, DRAWN_BY_SUITE);       /* both sides draw what they have in common */
    const mat *A = expression_value(&t->s, &t->sh, &current->left), *B = expression_value(&t->s, &t->sh, &current->right);
    t->s.draws = whose;
    claim_equal(t, "identity", A, B);
}

static const part P = { .name = "as-stated", .kind = PART_IDENTITY, .run = compare, .no_minimal = true,
                        .assumes = expression_assumes };
static const claim C = { .id = "ATTACK", .title = "a random identity", .where = "", .parts = &P, .nparts = 1 };

static shape sizes(void)                                     /* rope: heads have an even width */
{
    return (shape){ .n = 3, .d = 5, .dk = current->dk, .h = 2, .h_kv = 2, .m = 6, .V = 7, .L = 1, .scale_num = 1,
                    .scale_den = 1, .rope = true };
}

static bool decided(int over)
{
    const job j = { .claim = &C, .part = &P, .sh = sizes(), .over = { .kind = over }, .seed = current->seed };
    const row r = runner_run(&j, NULL, NULL);
    return r.verdict == HOLDS && (over != A_FP || r.log2bound <= WANTED_LOG2_ERROR);
}

/* Writes the certificate FOLDER/ATTACK-K.cert; false: there is none. */
static bool certify(long k)
{
    char name[16];
    snprintf(name, sizeof name, "%ld", k);
    part named = P;
    named.name = name;
    certifier c = { .folder = folder, .id = "ATTACK", .part = &named };
    const char *why = certify_symbolic(&c, &C, &named, sizes());
    certifier_clear(&c);
    return !why && c.written == 1;
}

/* ---- what was accepted ------------------------------------------------------------------------------------ */

static void accepted(const identity *x, int judge)
{
    tally.accepted[x->is_true][judge]++;
    if (x->is_true && !opt.believe) return;
    for (int k = 0; k < tally.shown; k++)                   /* one of each kind */
        if (tally.show[k].judge == judge && tally.show[k].what == x->what) { tally.show[k].times++; return; }
    if (tally.shown == SHOWN) return;
    tally.show[tally.shown++] = (kind){ judge, x->what, 1 };
    printf("%s accepted a false identity: seed %llu, changed: %s\n left:\n", judge_names[judge],
           (unsigned long long)x->seed, x->what ? x->what : "nothing");
    expression_print(stdout, &x->left);
    printf(" right:\n");
    expression_print(stdout, &x->right);
    fflush(stdout);
}

static void check_certificates(void)
{
    char *log = must_format("%s/log", folder), why[512], *line = NULL, *command;
    size_t size = 0;
    command = must_format("cd %s && { ls | grep -q cert && ls *.cert | xargs %s > log || [ $? -ne 127 ]; } && rm -f *.cert",
                          folder, opt.proofcheck);
    if (run_shell(command, why, sizeof why) != 0) die("proofcheck did not run: %s: %s", command, why);
    FILE *f = fopen(log, "r");
    while (f && getline(&line, &size, f) > 0) {                 /* a line names every hypothesis: it may be long */
        const char *number = strstr(line, "ATTACK-");
        const long k = number ? atol(number + 7) : -1;
        if (k < 0 || k >= batched || !batch[k].certified) die("not a line of proofcheck: %s", line);
        if (strstr(line, ": accepted: ")) accepted(&batch[k], BY_PROOFCHECK);
        else if (!strstr(line, ": rejected: ")) die("not a line of proofcheck: %s", line);
    }
    if (f) fclose(f);
    unlink(log);
    free(line);
    free(command);
    free(log);
    certificates_forget();
    batched = 0;
}

static void attack_with(identity *x)
{
    const int is_true = x->is_true;
    current = x;
    tally.pairs[is_true]++;
    if (decided(A_SYM)) accepted(x, BY_SYM);
    if (decided(A_FP))  accepted(x, BY_FP);
    x->certified = certify(batched);
    tally.certificates[is_true] += x->certified;
    batch[batched++] = *x;
    if (batched == BATCH) check_certificates();
}

/* ---- truth ---------------------------------------------------------------------------------------------------- */

static uint64_t fresh_prime(void)
{
    uint64_t q;
    do q = ((uint64_t)1 << 60) + next_random() % ((uint64_t)1 << 60); while (!n_is_prime((ulong)q));
    return q;
}

/* 1: equal at two fresh primes; 0: different at one of them; -1: something singular is inverted. */
static int truth_of(const identity *x)
{
    for (int k = 0; k < 2; k++) {
        numbers a, b;
        numbers_modulo(fresh_prime(), next_random());
        if (!expression_numbers(&a, &x->left, x->dk) || !expression_numbers(&b, &x->right, x->dk)) return -1;
        if (!num_equal(&a, &b)) return 0;
    }
    return 1;
}

static void try_identity(identity *x)
{
    const int is = truth_of(x);
    if (is < 0) return;
    x->is_true = is == 1;
    attack_with(x);
}

static void play(uint64_t seed)
{
    static identity x;
    expression other;
    random_start(seed);
    x = (identity){ .seed = seed, .dk = below(4) ? 2 : 4 };
    if (below(3) == 0) {
        expression_block(&x.left, &x.right);
    } else {
        expression_random(&x.left);
        if (!expression_rewritten(&x.right, &x.left)) return;
    }
    if (below(2) && !expression_rewritten(&other, &x.right)) return;
    try_identity(&x);
    other = x.right;
    for (int k = 0; k < CHANGES && tally.pairs[0] < opt.rounds; k++) {
        x.what = expression_changed(&x.right, &other);
        if (x.what) try_identity(&x);
    }
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static const struct argp_option options[] = {
    { "rounds", 'r', "N", 0, "false identities to try (default 20000)", 0 },
    { "seed", 's', "S", 0, "the first seed (default 1)", 0 },
    { "proofcheck", 'p', "FILE", 0, "the checker (default BUILD/proofcheck)", 0 },
    { "believe", 'b', NULL, 0, "take every identity for false: must fail", 0 },
    { 0 } };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)state;
    switch (key) {
    case 'r': opt.rounds = option_whole(arg, "--rounds", 1, 1000000000); break;
    case 's': opt.seed = option_seed(arg, "--seed"); break;
    case 'p': opt.proofcheck = arg; break;
    case 'b': opt.believe = true; break;
    case ARGP_KEY_ARG: die("no arguments are taken, only options: see --help (`%s`)", arg);
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static long percent(long part_of, long all) { return all ? (100 * part_of + all / 2) / all : 0; }

int main(int argc, char **argv)
{
    static const struct argp parser = { options, parse, NULL, "Attacks sym, fp and proofcheck with false identities.",
                                        NULL, NULL, NULL };
    base_init(argc, argv);
    libraries_init();
    argp_err_exit_status = 2;
    argp_parse(&parser, argc, argv, 0, NULL, NULL);
    char *beside = must_format("%s/proofcheck", build_folder());
    char *checker = realpath(opt.proofcheck ? opt.proofcheck : beside, NULL);
    if (!checker) die("no proofcheck: %s; name it with --proofcheck", strerror(errno));
    free(beside);
    opt.proofcheck = checker;
    folder = temp_folder();
    uint64_t seed = opt.seed;
    for (; tally.pairs[0] < opt.rounds; seed++) play(seed);
    check_certificates();
    printf("attack: seeds %llu to %llu\n", (unsigned long long)opt.seed, (unsigned long long)seed - 1);
    bool good = true;
    for (int k = 0; k < tally.shown; k++)
        printf("  %s accepted %ld false ones after a change of: %s\n", judge_names[tally.show[k].judge], tally.show[k].times,
               tally.show[k].what ? tally.show[k].what : "nothing");
    for (int k = 0; k < JUDGES; k++) {
        const long *all = k == BY_PROOFCHECK ? tally.certificates : tally.pairs;
        printf("  %-10s %ld false identities, %ld accepted; %ld true ones, %ld accepted (%ld %%)\n", judge_names[k], all[0],
               tally.accepted[0][k], all[1], tally.accepted[1][k], percent(tally.accepted[1][k], all[1]));
        good &= tally.accepted[0][k] == 0 && !(opt.believe && tally.accepted[1][k]);
        if (!tally.accepted[1][k]) {
            printf("  %s accepted nothing true either: the attack decides nothing\n", judge_names[k]);
            good = false;
        }
    }
    libraries_clear();
    return good ? 0 : 1;
}
