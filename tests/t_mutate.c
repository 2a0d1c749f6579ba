/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_mutate.c - deliberate changes of C sources: statements are found, each kind of change is made where it can be, and
 * two texts are one program only if they are. */
#include <stdlib.h>
#include <string.h>
#include "tests/support/files.h"
#include "tests/support/mutations.h"
#include "tests/support/suite.h"

/* ---- changes of one function's body, as "operator: old -> new" in their order */

static char *changes_of(const char *body)
{
    char *text = temp_format("static int f(int a, int b[4])\n{\n%s\n}\n", body), *all = temp_format("%s", "");
    c_source s = c_source_of(text, strlen(text));
    mutations m = mutations_of(&s);
    for (long k = 0; k < m.n; k++) {
        const mutation *c = &m.at[k];
        all = temp_format("%s%s: %.*s -> %s\n", all, c->operator, (int)c->length, text + c->at, c->text);
    }
    mutations_free(&m);
    c_source_free(&s);
    return all;
}

static void expect(const char *body, const char *changes) { ck_assert_str_eq(changes_of(body), changes); }

START_TEST(conditions)
{
    expect("    if (!a) return;",
           "negate: !a -> a\nnegate: !a -> false\nnegate: !a -> true\nsign: ! ->  \nstatement: return; -> ;\n");
    expect("    if (a < 7) return;",
           "negate: a < 7 -> a >= 7\nnegate: a < 7 -> false\nnegate: a < 7 -> true\nrelation: < -> <=\nrelation: < -> >\n"
           "constant: 7 -> 8\nconstant: 7 -> 6\nstatement: return; -> ;\n");
    expect("    while (a == b[a])\n        ;",
           "negate: a == b[a] -> a != b[a]\nnegate: a == b[a] -> false\nrelation: == -> !=\nindex: a -> a + 1\nindex: a -> 0\n");
    expect("    for (; a && *b; ) ;",
           "negate: a && *b -> !(a && *b)\nnegate: a && *b -> false\nlogic: && -> ||\noperand: && *b ->  \noperand: a && ->  \n");
    expect("    a = a ? *b : -a;",
           "statement: a = a ? *b : -a; -> ;\nnegate: *b : -a -> -a : *b\nnegate: a ? *b : -a -> *b\nnegate: a ? *b : -a -> -a\nsign: - ->  \n");
    expect("    return a > *b;",
           "statement: return a > *b; -> ;\nresult: a > *b -> 0\nresult: a > *b -> 1\nnegate: a > *b -> a <= *b\n"
           "relation: > -> >=\nrelation: > -> <\n");
}
END_TEST

START_TEST(operators_and_operands)
{
    expect("    a += a - a * *b;",
           "statement: a += a - a * *b; -> ;\nsign: += -> -=\nsign: += -> =\nsign: - -> +\noperand: - a * *b ->  \noperand: a - ->  \n"
           "sign: * -> /\noperand: * *b ->  \noperand: a * ->  \n");
    expect("    a = (double)-a || b || f;",
           "statement: a = (double)-a || b || f; -> ;\nsign: - ->  \nlogic: || -> &&\noperand: || b ->  \noperand: (double)-a || ->  \n"
           "logic: || -> &&\noperand: || f ->  \n");
    expect("    const int c = 0x10, *p = &b[2];",
           "constant: 0x10 -> (0x10 + 1)\nconstant: 0x10 -> (0x10 - 1)\nconstant: 2 -> 3\nconstant: 2 -> 1\n");
}
END_TEST

START_TEST(arguments_and_indices)
{
    expect("    f(a, g(a, a), *b);",
           "statement: f(a, g(a, a), *b); -> ;\narguments: a, g(a, a) -> g(a, a), a\narguments: g(a, a), *b -> *b, g(a, a)\n");
    expect("    b[a < 0] = b[0];",
           "statement: b[a < 0] = b[0]; -> ;\nindex: a < 0 -> (a < 0) + 1\nindex: a < 0 -> 0\nrelation: < -> <=\nrelation: < -> >\n"
           "constant: 0 -> 1\nconstant: 0 -> 1\n");
}
END_TEST

/* What is said in comments, texts and preprocessor lines, and what a declaration declares, stays. */
START_TEST(what_is_left)
{
    expect("    /* a < 1 */ int c[3];   // a < 1\n#if A < 1\n    const char *t = \"a < 1\";\n#endif\n    goto end;\nend: ;",
           "statement: goto end; -> ;\n");
    const char *outside = "enum { A = 3, B = A + 1 };\nstatic const int table[2] = { 5,\n true };\nstruct s { int bits[8]; };\n";
    c_source s = c_source_of(outside, strlen(outside));
    mutations m = mutations_of(&s);
    ck_assert_int_eq(m.n, 7);                                /* 3, 1 and 5 both ways, true */
    ck_assert_int_eq(m.at[4].line, 2);
    ck_assert_str_eq(m.at[6].text, "false");
    ck_assert_int_eq(m.at[6].line, 3);
    mutations_free(&m);
    c_source_free(&s);
}
END_TEST

START_TEST(applied)
{
    const char *text = "int f(int a)\n{\n    return g(a,\n             1);\n}\n";
    c_source s = c_source_of(text, strlen(text));
    mutations m = mutations_of(&s);
    long swapped = 0;
    for (long k = 0; k < m.n; k++) {
        if (strcmp(m.at[k].operator, "arguments")) continue;
        size_t length;
        char *now = mutation_apply(&s, &m.at[k], &length);
        ck_assert_str_eq(now, "int f(int a)\n{\n    return g(1, a);\n}\n");
        ck_assert_uint_eq(length, strlen(now));
        free(now);
        swapped++;
    }
    ck_assert_int_eq(swapped, 1);
    mutations_free(&m);
    c_source_free(&s);
}
END_TEST

/* ---- equal programs */

static bool same(const char *a, const char *b)
{
    char *x = temp_format("void f(void)\n{\n%s\n}\n", a), *y = temp_format("void f(void)\n{\n%s\n}\n", b);
    c_source s = c_source_of(x, strlen(x)), t = c_source_of(y, strlen(y));
    const bool is = c_source_same(&s, &t);
    ck_assert(is == c_source_same(&t, &s));
    c_source_free(&s);
    c_source_free(&t);
    return is;
}

START_TEST(equal_programs)
{
    static const char *const equal[][2] = {
        { "x = 1;", "x  =  1; /* so */" }, { "if (true) x();", "if (1) x();" }, { "a(); if (0) x(1, 2); b();", "a(); b();" },
        { "a(); if (false) { x(); y(); } b();", "a(); ; b();" }, { "if (!(a)) x();", "if (!a) x();" }, { "a(); b();", "a(); ;; b();" },
        { "x = (n);", "x = n;" },
    };
    static const char *const other[][2] = {
        { "x = 1;", "x = 2;" }, { "x();", "" }, { "if (0) x(); else y();", "y();" }, { "if (0) x(); b();", "if (1) x(); b();" },
        { "x = (n) - 1;", "x = n - 2;" }, { "x = (int)n;", "x = int n;" }, { "if (a) ; b();", "if (a) b();" },
        { "for (;;) a();", "for (;) a();" }, { "x = \"true\";", "x = \"1\";" }, { "#if 1\nx();", "#if 0\nx();" }, { "x(a, b);", "x(b, a);" },
        { "if (0) if (a) x(); b();", "b();" }, { "while (a) ; b();", "while (a) b();" },
        { "if (!(a) && b) x();", "if (!(a && b)) x();" }, { "f(x)(y);", "f x(y);" }, { "x();", "x(); y();" },
        { "if (a) if (0) x(); b();", "if (a) b();" }, { "if (a) b(); if (0) x(); else y();", "if (a) b(); else y();" },
        { "else if (0) x(); b();", "else b();" }, { "do if (0) x(); while (a);", "do while (a);" }, { "if (0) x: y(); b();", "b();" },
    };
    for (size_t k = 0; k < COUNT(equal); k++) ck_assert_msg(same(equal[k][0], equal[k][1]), "%s | %s", equal[k][0], equal[k][1]);
    for (size_t k = 0; k < COUNT(other); k++) ck_assert_msg(!same(other[k][0], other[k][1]), "%s | %s", other[k][0], other[k][1]);
}
END_TEST

/* ---- the program: a break beside what is generated */

START_TEST(classes)
{
    char *folder = temp_folder(), output[2000];
    const char *a = temp_text(folder, "a.c", "int f(int a)\n{\n    if (a < 1) g(a);\n    return h(a) + h(2);\n}\n");
    static const struct { const char *expression, *line; } breaks[] = {
        { "s/a < 1/a <= 1/", "identical\t1\t" }, { "s/if (a < 1) g(a);/;/", "identical\t1\t" },
        { "s/a < 1/a < 5/", "statement\t7\t" }, { "s/g(a)/k(a)/", "statement\t1\t" }, { "s/int a/long a/", "none\t0\t" },
    };
    for (size_t k = 0; k < COUNT(breaks); k++) {
        ck_assert_int_eq(run_command(output, sizeof output, "sed '%s' %s > %s/b.c && printf '%%s\\t%%s\\n' %s %s/b.c | %s/tests/mutate --compare",
                                     breaks[k].expression, a, folder, a, folder, build_folder()), 0);
        ck_assert_msg(!strncmp(output, breaks[k].line, strlen(breaks[k].line)), "%s: %s", breaks[k].expression, output);
    }
    ck_assert_int_eq(run_command(output, sizeof output, "%s/tests/mutate %s | grep -c '^lang:[a-z]*\t%s\t3\t'", build_folder(), a, a), 0);
    ck_assert_str_eq(output, "8\n");
    ck_assert_int_eq(run_command(output, sizeof output, "echo nothing | %s/tests/mutate --compare", build_folder()), 2);
}
END_TEST

/* ---- what a run of them comes to */

static int sum_of(const char *rows, const char *sampled, long chosen, char *output, size_t size)
{
    char *folder = temp_folder();
    temp_text(folder, "floors", "# floors\nsrc/a\t60\nall\t50\n");
    temp_text(folder, "rooms", "src/a/x.c\tsrc/a\nsrc/b/y.c\tsrc/b\n");
    temp_text(folder, "csv", temp_format("verdict\tfile\tline\toriginal\tnew\tkind\tkiller\n%s", rows));
    return run_command(output, size, "awk -f tests/mutants_sum.awk chosen=%ld sampled=%s %s/floors %s/rooms %s/csv", chosen, sampled,
                       folder, folder, folder);
}

/* So many lines of each verdict, all of the language, in one file. */
static char *rows_of(const char *file, long killed, long survived)
{
    char *rows = temp_format("%s", "");
    for (long k = 0; k < killed + survived; k++)
        rows = temp_format("%s%s\t%s\t%ld\told\tnew\tlang:sign\ttests/t_x\n", rows, k < killed ? "killed" : "survived", file, k);
    return rows;
}

START_TEST(survivors_count)
{
    char output[20000];
    ck_assert_int_eq(sum_of(rows_of("src/a/x.c", 3, 0), "", 3, output, sizeof output), 0);
    ck_assert_str_eq(output, "mutants: 3 killed, 0 argued, 0 survived of 3 (0 did not compile, 0 changed nothing, 0 void)\n");
    ck_assert_int_eq(sum_of(rows_of("src/a/x.c", 3, 1), "", 4, output, sizeof output), 1);
    ck_assert_ptr_nonnull(strstr(output, "survived\tsrc/a/x.c\t3\told\tnew\n"));
    ck_assert_int_eq(sum_of(rows_of("src/a/x.c", 3, 0), "", 4, output, sizeof output), 1);
    ck_assert_ptr_nonnull(strstr(output, "a verdict is missing"));
    ck_assert_int_eq(sum_of(rows_of("src/a/x.c", 0, 2), "2", 2, output, sizeof output), 1);        /* none is killed */
    ck_assert_int_eq(sum_of(rows_of("src/a/x.c", 1, 9), "9", 10, output, sizeof output), 0);       /* too few to say */
    ck_assert_ptr_nonnull(strstr(output, "open\tsrc/a/x.c\t9\told\tnew\n"));
    ck_assert_int_eq(sum_of("killed\tsrc/a/x.c\t1\t\t\tsed\t\nsurvived\tsrc/a/x.c\t2\t\t\tsed\t\n", "9", 2, output, sizeof output), 1);
    ck_assert_int_eq(sum_of("killed\tsrc/a/x.c\t1\t\t\tsed\t\nunsound\tsrc/a/x.c\t2\t\t\tnone\t\n", "9", 1, output, sizeof output), 1);
}
END_TEST

START_TEST(floors_of_a_sample)
{
    char output[20000];
    ck_assert_int_eq(sum_of(rows_of("src/a/x.c", 30, 20), "50", 50, output, sizeof output), 0);
    ck_assert_int_eq(sum_of(rows_of("src/a/x.c", 29, 21), "50", 50, output, sizeof output), 1);
    ck_assert_ptr_nonnull(strstr(output, "mutants: of src/a, 58 % of 50 are killed; tests/mutants.floors demands 60 %\n"));
    ck_assert_int_eq(sum_of(rows_of("src/a/x.c", 28, 21), "50", 49, output, sizeof output), 0);
    ck_assert_int_eq(sum_of(rows_of("src/b/y.c", 25, 25), "50", 50, output, sizeof output), 0);
    ck_assert_int_eq(sum_of(rows_of("src/b/y.c", 24, 26), "50", 50, output, sizeof output), 1);
    ck_assert_ptr_nonnull(strstr(output, "mutants: of all, 48 % of 50"));
    ck_assert_int_eq(sum_of(temp_format("%s%s", rows_of("src/a/x.c", 29, 21), rows_of("src/b/y.c", 40, 0)), "50", 90, output, sizeof output), 1);
}
END_TEST

/* Every source of a room has its changes, and each change is another program. */
START_TEST(a_whole_room)
{
    char output[20000];
    ck_assert_int_eq(run_command(output, sizeof output,
        "for f in src/base/*.c; do n=$(%s/tests/mutate $f | wc -l); [ $n -gt 5 ] || echo $f: $n; done", build_folder()), 0);
    ck_assert_str_eq(output, "");
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("mutate");
    TCase *all = tcase_create("all");
    tcase_add_test(all, conditions);
    tcase_add_test(all, operators_and_operands);
    tcase_add_test(all, arguments_and_indices);
    tcase_add_test(all, what_is_left);
    tcase_add_test(all, applied);
    tcase_add_test(all, equal_programs);
    tcase_add_test(all, classes);
    tcase_add_test(all, survivors_count);
    tcase_add_test(all, floors_of_a_sample);
    tcase_add_test(all, a_whole_room);
    suite_add_tcase(suite, all);
    return run_suite(suite, argc, argv);
}
