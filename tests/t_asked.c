/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_asked.c - every program is given every key of --shape: what it asks for is what runs, or it is refused with the
 * reason; it is never dropped, and no claim is called refuted for a switch that its hypotheses exclude.
 *
 * All pairs of a program and a key take half an hour of one core: ASKED=all asks them.  Without it each program is given
 * a few of the keys, and each key is given to some of the programs. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "src/claim/evidence/evidence.h"
#include "src/claim/judge/verdict.h"
#include "src/model/shape_keys.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { ROOM = 1 << 16 };
static char output[ROOM];

/* A value of each key that few plans have. */
static const char *const asked[] = {
    "n=7", "d=10", "h=5 d=10", "dk=3", "m=11", "V=9", "L=4", "h_kv=1", "mask=full", "attn_skip=1", "mlp_skip=1", "parallel=1",
    "norm=layer", "act=tanh", "attention=linear", "scale_num=3", "scale_den=7", "gated=1", "experts=2", "tied=1", "biases=1",
    "rope=1", "qk_norm=1", "no_positions=1", "shared=1",
};

static bool has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
    return false;
}

static glob_t programs;
static void find_programs(void)
{
    char *pattern = temp_format("%s/theorems/*.o", build_folder());
    ck_assert_int_eq(glob(pattern, 0, NULL, &programs), 0);
    ck_assert_int_ge((long)programs.gl_pathc, 100);
}

/* The rows of the claim: each has the value, but where q or sym take others, which the end of the run says. */
static void value_is_in_rows(const char *program, const char *value, const char *file)
{
    rows all = { 0 };
    long with = 0, adapted = 0;
    evidence_rows_read(&all, file);
    for (long k = 0; k < all.n; k++) {
        const bool here = has_word(all.at[k].shape->text, strrchr(value, ' ') ? strrchr(value, ' ') + 1 : value);
        with += here;
        adapted += !here && (all.at[k].over == A_Q || all.at[k].over == A_SYM);
        ck_assert_msg(here || all.at[k].over == A_Q || all.at[k].over == A_SYM, "%s --shape=\"%s\": a row over %s ran at \"%s\"",
                      program, value, arith_names[all.at[k].over], all.at[k].shape->text);
    }
    ck_assert_msg(with + adapted == all.n && with > 0, "%s --shape=\"%s\": no row has it", program, value);
    evidence_rows_free(&all);
}

/* The shape is for the program: its rows have it, in the first arithmetic of these that it runs over. */
static void runs_as_asked(const char *program, const char *value, const char *key)
{
    static const char *const over[] = { "f64", "fp", "arb", "q", "sym" };
    char *file = temp_path(temp_folder(), "rows.csv");
    for (size_t k = 0; k < sizeof over / sizeof *over; k++) {
        const int status = run_command(output, ROOM, "OMP_NUM_THREADS=1 timeout 300 '%s' --case=claim --trial=0 --arith=%s --shape='%s' "
                                       "--out='%s' 2>&1", program, over[k], value, file);
        if (status == 2) continue;                                     /* not over that one, or not this value there */
        ck_assert_msg(status == 0 || status == 1, "%s --shape=\"%s\": status %d\n%s", program, value, status, output);
        ck_assert_msg(!strstr(output, "is refuted"), "%s --shape=\"%s\": %s", program, value, output);
        value_is_in_rows(program, key, file);
        return;
    }
    ck_abort_msg("%s takes --shape=\"%s\" and runs over no arithmetic: %s", program, value, output);
}

static void ask(const char *program, const char *value)
{
    const int status = run_command(output, ROOM, "OMP_NUM_THREADS=1 timeout 300 '%s' --list --shape='%s' 2>&1", program, value);
    const char *key = strrchr(value, ' ') ? strrchr(value, ' ') + 1 : value;
    ck_assert_msg(status == 0 || status == 2, "%s --shape=\"%s\": status %d\n%s", program, value, status, output);
    if (status == 0) {
        runs_as_asked(program, value, key);
        return;
    }
    ck_assert_msg(strstr(output, ": --shape: ") != NULL, "%s --shape=\"%s\": %s", program, value, output);
    ck_assert_int_eq(strcspn(output, "\n") + 1, strlen(output));        /* one line */
}
START_TEST(every_program_is_given_every_key)
{
    enum { APART = 24 };
    const char *all = getenv("ASKED");
    find_programs();
    for (size_t k = 0; k < programs.gl_pathc; k++) {
        char *program = temp_format("%.*s", (int)strlen(programs.gl_pathv[k]) - 2, programs.gl_pathv[k]);
        if ((all && strcmp(all, "all") == 0) || (k + (size_t)_i) % APART == 0) ask(program, asked[_i]);
    }
    globfree(&programs);
}
END_TEST

/* ---- the words --------------------------------------------------------------------------------------------------- */

static void run_says(const char *options, int status, const char *what)
{
    ck_assert_msg(run_command(output, ROOM, "'%s/provably' run %s 2>&1", build_folder(), options) == status, "%s: %s", options, output);
    ck_assert_msg(strstr(output, what) != NULL, "%s\nis missing for %s in\n%s", what, options, output);
}
#define FULL "n=4 d=6 h=2 m=8 V=7 L=2 attn_skip=1 "
START_TEST(a_hypothesis_is_named)
{
    run_says("K-T4.4 --shape=norm=layer", 2, "--shape: norm=layer is outside K-T4.4 as-stated, which has norm=none (hypothesis: "
             "no normalization); K-R7 speaks of norms; the control norm-present shows what happens\n");
    run_says("K-T4.4 --part=as-stated --shape='" FULL "mlp_skip=1 norm=rms'", 2, "mlp_skip=1 is outside K-T4.4 as-stated");
    run_says("K-T4.4 --part=as-stated --shape='" FULL "mlp_skip=1 norm=rms'", 2, "; refused as well: norm=rms\n");
    run_says("K-T4.4 --part=as-stated --shape='" FULL "mlp_skip=0 norm=none' --arith=f64 --case=claim", 0, "All held at this shape");
    run_says("K-T4.2 --shape=tied=1 --part=as-stated", 2, "with it the part fails, without it it holds; its hypotheses exclude it, or this is a counterexample "
             "(hypothesis: untied head)");
    run_says("K-T4.2 --shape=dk=3 --part=as-stated", 2, "dk=3 does not fit K-T4.2 as-stated");
    run_says("K-T4.4 --shape=tied=1", 2, "this shape is for --part=as-stated, --part=as-stated-tied, --part=as-stated-mixed\n");
}
END_TEST
START_TEST(what_is_not_used_is_refused)
{
    run_says("B-1 --shape=V=50", 2, "V=50 is not used by B-1 as-stated: nothing that it checks depends on V; leave it out\n");
    run_says("B-1 --shape=V=7", 0, "All held at this shape");            /* as in its plan */
    run_says("K-T4.4 --shape=n=9 --arith=q", 2, "n=9 is not used by K-T4.4 as-stated: sym takes symbols for sizes, and q at most");
    run_says("K-T4.4 --shape=n=9 --arith=sym,q", 2, "n=9 is not used");
    run_says("K-T4.4 --part=as-stated --shape=n=9 --arith=f64,q --trials=1 --case=claim", 0, "q ran at \"n=3 d=4 ");
}
END_TEST

/* ---- options of the draws ---------------------------------------------------------------------------------------- */

START_TEST(options_of_draws)
{
    static const struct { const char *options, *says; } none[] = {
        { "B-13 --seed=5", "--seed is not used by B-13: it draws no numbers; leave it out\n" },
        { "B-13 --part=corrected --gain=2", "--gain is not used by B-13 corrected: it draws no matrices; leave it out\n" },
        { "B-13 --corner=sparse", "--corner is not used by B-13: it draws no matrices; leave it out\n" },
        { "B-13 --trials=2", "--trials is not used by B-13: it draws no numbers, so every trial is the same; leave it out\n" },
        { "B-13 --trial=0 --seed=5", "--seed is not used" },
        { "B-13 --seed=20261121", "--seed is not used" },
        { "B-18 --gain=2", "--gain is not used by B-18: the matrices that it draws have a size of their own; leave it out\n" },
        { "K-T4.4 --arith=sym --gain=2", "--gain is not used by K-T4.4: sym takes symbols for what is drawn; leave it out\n" },
        { "K-T4.4 --arith=sym --seed=2", "--seed is not used by K-T4.4: sym takes symbols" },
        { "K-T4.4 --arith=sym --trials=2", "--trials is not used by K-T4.4" },
        { "K-T4.4 --certificates=/nonexistent --seed=2", "--seed is not used by K-T4.4: no number of its certificates is drawn" },
        { "K-T4.4 --list --seed=2", "--list does not use --seed" },
        { "K-T4.4 --describe --seed=2", "--describe does not use --seed" },
    };
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) run_says(none[k].options, 2, none[k].says);
    static const char *const used[] = { "--seed=2", "--trials=2", "--gain=1", "--corner=repeated", "--seed=2 --gain=1" };
    for (size_t k = 0; k < sizeof used / sizeof *used; k++)
        run_says(temp_format("K-T4.4 --part=as-stated --case=claim --arith=f64,sym --shape=n=3 %s", used[k]), 0, "PARTIAL");
    run_says("B-13 --part=corrected --case=claim --arith=q --shape='n=1 d=1 h=1 dk=1 m=1 V=1 L=1 h_kv=1 scale_num=1 scale_den=1' --seed=5 "
             "--trial=0", 0, "PARTIAL");                                   /* a row is replayed with its seed */
    run_says("B-13 --suite --seed=5 --gain=2 --corner=sparse --trials=3", 0, "B-13 ");
}
END_TEST

/* The part, the case, the arithmetic and the shape of a row, without what no outcome depends on. */
static char *outcomes(const char *program, const char *option, const char *file)
{
    rows all = { 0 };
    char *text = temp_format("%s", "");
    const int status = run_command(output, ROOM, "OMP_NUM_THREADS=1 timeout 300 '%s' --suite --scale=quick --case=claim --arith=f64,q,arb "
                                   "%s --out='%s' 2>&1", program, option, file);
    if (status == 2) return text;
    evidence_rows_read(&all, file);
    for (long k = 0; k < all.n; k++) {
        const row *r = &all.at[k];
        text = temp_format("%s%s %s %s %d %ld %a %s\n", text, r->part, arith_names[r->over], r->shape->text, (int)r->verdict, r->checks,
                           r->over == A_ARB ? 0 : r->log2gap, r->truths->text);
    }
    evidence_rows_free(&all);
    return text;
}

/* What is refused as not used changes no outcome. */
START_TEST(what_is_refused_changes_nothing)
{
    static const char *const options[] = { "--seed=5", "--gain=2", "--corner=sparse" };
    enum { APART = 12 };
    const char *all = getenv("ASKED");
    char *file = temp_path(temp_folder(), "rows.csv");
    find_programs();
    for (size_t k = 0; k < programs.gl_pathc; k++) {
        char *program = temp_format("%.*s", (int)strlen(programs.gl_pathv[k]) - 2, programs.gl_pathv[k]);
        if (!(all && strcmp(all, "all") == 0) && k % APART != 7) continue;
        for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
            const int status = run_command(output, ROOM, "OMP_NUM_THREADS=1 timeout 300 '%s' --scale=quick --case=claim --arith=f64,q,arb %s "
                                           "--out='%s' 2>&1", program, options[o], file);
            if (status != 2 || strstr(output, "does not run there")) continue;
            ck_assert_msg(strstr(output, " is not used by ") && strstr(output, "; leave it out\n"), "%s %s: %s", program, options[o], output);
            ck_assert_str_eq(outcomes(program, options[o], file), outcomes(program, "", file));
        }
    }
    globfree(&programs);
}
END_TEST
START_TEST(choices_that_choose_nothing)
{
    static const struct { const char *options, *says; } none[] = {
        { "K-T4.4 --part=corrected", "--part=corrected: K-T4.4 has no such part; it has as-stated, as-stated-any, " },
        { "K-T4.4 --case=norm", "--case=norm: K-T4.4 has no such case; it has claim, mlp-skip-kept, norm-present, minimal" },
        { "K-T4.4 --part=as-stated-tied --case=norm-present", "it has claim, tied-untransposed, tied-last-identity, minimal\n" },
        { "K-T4.4 --case=minimal --arith=f64", "--arith=f64: the case minimal does not run there" },
        { "N9 --arith=q", "--arith=q: N9 as-stated-more does not run there: ranks over F_p" },
        { "N9 --arith=fp,q", "--arith=q: N9" },
        { "K-T4.4 --list --arith=q", "--list does not use --arith" },
        { "K-T4.4 --list --trials=3", "--list does not use --trials" },
        { "K-T4.4 --describe --part=as-stated", "--describe does not use --part" },
        { "K-T4.4 --certificates=/nonexistent --case=claim", "--certificates does not use --case" },
        { "K-T4.4 --list --describe", "choose one" },
        { "K-T4.4 --strict", "--strict belongs to --certificates=FOLDER" },
        { "K-T4.4 --trial=1 --trials=2", "leave one of them out" },
    };
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) run_says(none[k].options, 2, none[k].says);
}
END_TEST
START_TEST(a_run_ends_in_words)
{
    run_says("K-T4.4", 0, "f64: 4 of 52 undecided: no inverse found.\n");
    ck_assert_ptr_nonnull(strstr(output, "Tests alone: SUPPORTED, as expected.  With the proofs: PROVED (provably show K-T4.4).\n"));
    run_says("K-T4.4 --part=as-stated --shape=n=5 --arith=fp", 0, "All held at this shape; chance of an error at most 2^-");
    ck_assert_ptr_nonnull(strstr(output, ".  One shape is no verdict.\n"));
    ck_assert_ptr_null(strstr(output, "sym took"));
    run_says("K-T4.4 --part=as-stated --case=claim --arith=fp", 0, "A part of the plan is no verdict.\n");
    ck_assert_ptr_null(strstr(output, "controls refuted"));                  /* no control ran */
    run_says("K-T4.4 --part=as-stated --case=norm-present --arith=fp --trials=3", 0, "norm-present was refuted in ");
    run_says("K-E2", 0, "As printed: Tests alone: REFUTED, as expected.");
    ck_assert_ptr_nonnull(strstr(output, "Corrected: Tests alone: "));
    run_says("K-E2 --arith=f64", 0, "Not run, because --arith leaves them nothing: as-stated, ");
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("asked");
    TCase *keys = tcase_create("keys"), *words = tcase_create("words");
    suite_add_tcase(suite, keys);
    suite_add_tcase(suite, words);
    tcase_set_timeout(keys, 1800);
    tcase_set_timeout(words, 600);
    tcase_add_loop_test(keys, every_program_is_given_every_key, 0, (int)(sizeof asked / sizeof *asked));
    tcase_add_test(words, a_hypothesis_is_named);
    tcase_add_test(words, what_is_not_used_is_refused);
    tcase_add_test(words, options_of_draws);
    tcase_add_test(keys, what_is_refused_changes_nothing);
    tcase_add_test(words, choices_that_choose_nothing);
    tcase_add_test(words, a_run_ends_in_words);
    return run_suite(suite, argc, argv);
}
