/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_attack.c - a short attack (tests/attack.c) finds nothing, and the attack fails when there is something to find. */
#include <stdlib.h>
#include <string.h>
#include "tests/support/expression.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static int attack(const char *options, char *output, size_t size)
{
    const int status = run_command(output, size, "BUILD=%s %s/tests/attack %s", build_folder(), build_folder(), options);
    return status;
}

START_TEST(nothing_false_is_accepted)
{
    char output[16384];
    const int status = attack("--rounds=3000 --seed=5", output, sizeof output);
    ck_assert_msg(status == 0, "status %d: %.2000s", status, output);
    for (const char *judge[] = { "sym ", "fp ", "proofcheck " }, **j = judge; j < judge + COUNT(judge); j++) {
        const char *line = strstr(output, *j), *count = line ? strstr(line, " false identities, 0 accepted; ") : NULL;
        ck_assert_msg(count != NULL, "%s in: %.2000s", *j, output);
        ck_assert_int_gt(strtol(line + strcspn(line, "0123456789"), NULL, 10), 1000);
    }
}
END_TEST

/* Claims that say more than their bodies compute: by what they plant, names, sizes and switches. */
START_TEST(no_false_claim_is_derived)
{
    static const char *const kinds[] = { "plant ", "name ", "size ", "switch " };
    char output[16384];
    const int status = run_command(output, sizeof output, "%s/tests/attack_claims --rounds=80 --seed=7", build_folder());
    ck_assert_msg(status == 0, "status %d: %.2000s", status, output);
    for (size_t k = 0; k < COUNT(kinds); k++) {
        const char *line = strstr(output, kinds[k]), *count = line ? strstr(line, " false claims, 0 derived; ") : NULL;
        ck_assert_msg(count != NULL, "%s in: %.2000s", kinds[k], output);
        ck_assert_int_gt(strtol(line + strcspn(line, "0123456789"), NULL, 10), 5);
    }
    ck_assert_int_eq(run_command(output, sizeof output, "%s/tests/attack_claims --rounds=8 --believe", build_folder()), 1);
    ck_assert_ptr_nonnull(strstr(output, "derived a false claim by a "));
    ck_assert_int_eq(run_command(output, sizeof output, "%s/tests/attack_claims --rounds=0", build_folder()), 2);
}
END_TEST

/* Certificates altered at random places state something else, or what the list has of them is as it was. */
START_TEST(no_altered_statement_is_accepted)
{
    char output[16384];
    ck_assert_int_eq(run_command(output, sizeof output, "sh tests/attack_statements.sh %s 300 7", build_folder()), 0);
    const char *line = strstr(output, "  statements 3"), *same = line ? strstr(line, " that state something else accepted; ") : NULL;
    ck_assert_msg(same && strstr(line, " 0 that state something else"), "%.2000s", output);
    ck_assert_int_gt(atol(same + strcspn(same, "0123456789")), 0);
    ck_assert_int_eq(run_command(output, sizeof output, "sh tests/attack_statements.sh %s 60 7 believe", build_folder()), 1);
}
END_TEST

/* The same with every identity taken for false: the true ones are accepted, so it must fail and print one. */
START_TEST(it_can_fail)
{
    char output[65536];
    ck_assert_int_eq(attack("--rounds=40 --believe", output, sizeof output), 1);
    for (const char *judge[] = { "sym", "fp", "proofcheck" }, **j = judge; j < judge + COUNT(judge); j++) {
        char *line = temp_format("%s accepted a false identity: seed ", *j);
        ck_assert_msg(strstr(output, line), "no `%s` in: %.2000s", line, output);
    }
}
END_TEST

START_TEST(the_seed_decides)
{
    char first[16384], second[16384], other[16384];
    attack("--rounds=60 --believe --seed=3", first, sizeof first);
    attack("--rounds=60 --believe --seed=3", second, sizeof second);
    attack("--rounds=60 --believe --seed=4", other, sizeof other);
    ck_assert_str_eq(first, second);
    ck_assert_str_ne(first, other);
}
END_TEST

START_TEST(bad_options)
{
    char output[4096];
    ck_assert_int_eq(attack("--rounds=0", output, sizeof output), 2);
    ck_assert_int_eq(attack("--rounds=many", output, sizeof output), 2);
    ck_assert_int_eq(attack("--proofcheck=/no/such/file", output, sizeof output), 2);
    ck_assert_int_eq(attack("word", output, sizeof output), 2);
}
END_TEST

/* ---- the evaluator ---------------------------------------------------------------------------------------- */

static numbers value_of(const step *steps, int n)
{
    expression x = { .n = n };
    numbers v;
    memcpy(x.at, steps, (size_t)n * sizeof *steps);
    ck_assert(expression_numbers(&v, &x, 2));
    return v;
}

#define A_ { .op = X_DRAW, .rows = S_D, .cols = S_D, .a = -1, .b = -1 }
#define B_ { .op = X_DRAW, .rows = S_D, .cols = S_D, .a = -1, .b = -1, .name = 1 }
#define OF(o, x, y, ...) { .op = o, .rows = S_D, .cols = S_D, .a = x, .b = y, __VA_ARGS__ }
#define VALUE(...) value_of((const step[]){ __VA_ARGS__ }, (int)COUNT(((const step[]){ __VA_ARGS__ })))

START_TEST(what_is_equal)
{
    const numbers AB = VALUE(A_, B_, OF(X_MUL, 0, 1)), BA = VALUE(A_, B_, OF(X_MUL, 1, 0));
    const numbers turned = VALUE(A_, B_, OF(X_T, 0, -1), OF(X_T, 1, -1), OF(X_MUL, 3, 2), OF(X_T, 4, -1));
    const numbers inverse = VALUE(A_, B_, OF(X_INV, 0, -1), OF(X_INV, 1, -1), OF(X_MUL, 3, 2), OF(X_INV, 4, -1));
    ck_assert(!num_equal(&AB, &BA));
    ck_assert(num_equal(&AB, &turned));
    ck_assert(num_equal(&AB, &inverse));
}
END_TEST

/* Every parameter of an opaque function is part of what it is. */
START_TEST(functions_know_their_parameters)
{
    static const step all[][2] = {
        { A_, OF(X_ROWMAP, 0, -1, .kind = ROWMAP_SOFTMAX, .scale = 1) },
        { A_, OF(X_ROWMAP, 0, -1, .kind = ROWMAP_SOFTMAX, .scale = 49) },
        { A_, OF(X_ROWMAP, 0, -1, .kind = ROWMAP_SHIFT, .scale = 1) },
        { A_, OF(X_ROWMAP, 0, -1, .kind = ROWMAP_SOFTMAX, .scale = 1, .mask = 1) },
        { A_, OF(X_ROWMAP, 0, -1, .kind = ROWMAP_SOFTMAX, .scale = 1, .at = { 0, 0, 1 }) },
        { A_, OF(X_NORM, 0, -1, .kind = NORM_LAYER, .log2eps = -17) },
        { A_, OF(X_NORM, 0, -1, .kind = NORM_LAYER, .log2eps = 5) },
        { A_, OF(X_NORM, 0, -1, .kind = NORM_RMS, .log2eps = -17) },
        { A_, OF(X_PHI, 0, -1, .kind = ACT_GELU) },
        { A_, OF(X_PHI, 0, -1, .kind = ACT_RELU) },
        { A_, OF(X_PHI, 0, -1, .kind = ACT_GELU, .at = { 1, 0, 0 }) },
    };
    for (size_t i = 0; i < COUNT(all); i++)
        for (size_t k = 0; k < i; k++) {
            const numbers x = value_of(all[i], 2), y = value_of(all[k], 2);
            ck_assert_msg(!num_equal(&x, &y), "functions %zu and %zu", i, k);
        }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("attack");
    TCase *all = tcase_create("all"), *statements = tcase_create("statements");
    tcase_set_timeout(all, 300);
    tcase_set_timeout(statements, 300);
    suite_add_tcase(suite, all);
    suite_add_tcase(suite, statements);
    tcase_add_test(statements, no_altered_statement_is_accepted);
    tcase_add_test(all, what_is_equal);
    tcase_add_test(all, functions_know_their_parameters);
    tcase_add_test(all, it_can_fail);
    tcase_add_test(all, no_false_claim_is_derived);
    tcase_add_test(all, the_seed_decides);
    tcase_add_test(all, bad_options);
    tcase_add_test(all, nothing_false_is_accepted);
    return run_suite(suite, argc, argv);
}
