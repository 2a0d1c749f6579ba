/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_tried.c - every size that is shown is one at which that part was tried in that arithmetic: recomputed from the rows. */
#include <stdlib.h>
#include <string.h>
#include "src/claim/evidence/evidence.h"
#include "src/claim/judge/verdict.h"
#include "src/model/drawn_sizes.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { ROOM = 1 << 16, SIZES = 6 };
static const char *const names[SIZES] = { "n", "d", "h", "m", "V", "L" };
static const char *const where[ARITHS] = {
    [A_F64] = "in doubles", [A_MPFR] = "at rising precision", [A_ARB] = "in certified intervals",
    [A_FP] = "modulo random primes", [A_Q] = "over the rationals", [A_SYM] = "in symbols" };
static char output[ROOM];
static const char *root;

static void setup(void)
{
    static const char *const programs[] = { "k_r7", "k_r3", "n9", "n12", "b_28" };
    root = temp_folder();
    for (size_t k = 0; k < COUNT(programs); k++)
        ck_assert_msg(run_command(output, ROOM, "mkdir -p %s/e && cd %s/theorems && ./%s --out=%s/e/%s.csv >/dev/null && "
                                  "./%s --describe > %s/e/%s.meta", root, build_folder()[0] == '/' ? build_folder() :
                                  temp_format("$PWD/%s", build_folder()), programs[k], root, programs[k], programs[k], root,
                                  programs[k]) == 0, "%s", output);
}

/* ---- the sizes, from the text of the rows ------------------------------------------------------------------------- */

static bool number_after(const char *text, const char *name, long *least, long *most)
{
    char *copy = temp_format(" %s", text), *mark = temp_format(" %s=", name), *at = strstr(copy, mark);
    if (!at) return false;
    *least = *most = strtol(at + strlen(mark), &at, 10);
    if (*at == '-') *most = strtol(at + 1, NULL, 10);
    return true;
}

static char *recomputed(const rows *all, const char *part, int over)
{
    long low[SIZES] = { 0 }, high[SIZES] = { 0 }, trials = 0, shapes = 0;
    bool drawn = false;
    char *seen = temp_format("|"), *text = temp_format("%s", "");
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if (strcmp(r->which, "claim") != 0 || strcmp(r->part, part) != 0 || r->over != over || r->verdict == UNDECIDED) continue;
        trials++;
        drawn |= r->drawn->text[0] != '\0';
        if (!strstr(seen, temp_format("|%s|", r->shape->text))) {
            shapes++;
            seen = temp_format("%s%s|", seen, r->shape->text);
        }
        for (int i = 0; i < SIZES; i++) {
            long a, b;
            if (!number_after(r->drawn->text, names[i], &a, &b) && !number_after(r->shape->text, names[i], &a, &b)) continue;
            if (!low[i] || a < low[i]) low[i] = a;
            if (b > high[i]) high[i] = b;
        }
    }
    if (!trials) return NULL;
    for (int i = 0; i < SIZES; i++) {
        if (high[i] == 1 && (i == 3 || i == 4)) continue;                  /* no MLP, no vocabulary */
        else text = high[i] > low[i] ? temp_format("%s%s%s = %ld-%ld", text, *text ? ", " : "", names[i], low[i], high[i])
                                : temp_format("%s%s%s = %ld", text, *text ? ", " : "", names[i], low[i]);
    }
    text = drawn ? temp_format("%s: models of several shapes", text)
                 : temp_format("%s: %ld shape%s", text, shapes, shapes == 1 ? "" : "s");
    return temp_format("%s, %ld decided trial%s", text, trials, trials == 1 ? "" : "s");
}

/* ---- what is shown -------------------------------------------------------------------------------------------------- */

static rows rows_of(const char *program)
{
    rows all = { 0 };
    evidence_rows_read(&all, temp_path(root, temp_format("e/%s.csv", program)));
    ck_assert_int_gt(all.n, 0);
    return all;
}

static void show(const char *id)
{
    ck_assert_msg(run_command(output, ROOM, "%s/provably show %s --json --evidence=%s/e 2>&1", build_folder(), id, root) == 0,
                  "%s", output);
}

/* Is "tried WHERE at SIZES" that of some part in that arithmetic, of the group of the line? */
static bool is_of_rows(const rows *all, const char *line, bool corrected)
{
    for (long k = 0; k < all->n; k++) {
        const row *r = &all->at[k];
        if ((strncmp(r->part, "corrected", 9) == 0) != corrected) continue;
        const char *sizes = recomputed(all, r->part, r->over);
        if (sizes && strcmp(line, temp_format("tried %s at %s", where[r->over], sizes)) == 0) return true;
    }
    return false;
}

static const struct { const char *id, *program; } shown[] = {
    { "K-R7", "k_r7" }, { "K-R3", "k_r3" }, { "N9", "n9" }, { "N12", "n12" }, { "B-28", "b_28" } };

START_TEST(each_line_is_that_of_a_part_and_an_arithmetic)
{
    rows all = rows_of(shown[_i].program);
    long lines = 0;
    show(shown[_i].id);
    for (char *at = output; (at = strstr(at, "tried ")) != NULL; at++) {
        const char *line = temp_format("%.*s", (int)strcspn(at, "\""), at);
        const char *begin = at;
        while (begin > output && begin[-1] != '"') begin--;
        if (strncmp(line, "tried in ", 9) != 0 && strncmp(line, "tried mod", 9) != 0 && strncmp(line, "tried over", 10) != 0
            && strncmp(line, "tried at", 8) != 0) continue;
        lines++;
        ck_assert_msg(is_of_rows(&all, line, strncmp(begin, "the corrected", 13) == 0), "%s: %s", shown[_i].id, line);
    }
    ck_assert_msg(lines >= 1, "%s: %s", shown[_i].id, output);
    evidence_rows_free(&all);
}
END_TEST

static void has(const char *what) { ck_assert_msg(strstr(output, what) != NULL, "%s is missing in\n%s", what, output); }

/* The corrected statement of K-R7 was decided at one shape; N9 goes through widths, heads and depths in its trials. */
START_TEST(as_many_as_there_were)
{
    show("K-R7");
    has("the corrected statement: the sizes that were tried, for almost all weights; tried modulo random primes at n = 3, d = 4, h = 2, m = 5, V = 6, L = 2: 1 shape, ");
    show("N9");
    has("tried modulo random primes at n = 3, d = 4-6, h = 1-3, m = 5-7, V = 6-8, L = 2-3: models of several shapes, ");
    show("N12");
    has("tried over the rationals at ");
    has(": 3 shapes, 9 decided trials");
}
END_TEST

/* parts.csv has the same for each part and arithmetic. */
START_TEST(data_have_them_too)
{
    run_command(output, ROOM, "%s/provably report --quiet --evidence=%s/e --out=%s/out", build_folder(), root, root);
    char *text = temp_read(root, "out/parts.csv", NULL);
    for (size_t p = 0; p < COUNT(shown); p++) {
        rows all = rows_of(shown[p].program);
        for (long k = 0; k < all.n; k++) {
            const row *r = &all.at[k];
            const char *sizes = recomputed(&all, r->part, r->over);
            if (sizes && (k == 0 || strcmp(all.at[k - 1].part, r->part) != 0))
                ck_assert_msg(strstr(text, temp_format("\"%s\"", sizes)) != NULL, "%s %s: %s", r->id, r->part, sizes);
        }
        evidence_rows_free(&all);
    }
}
END_TEST

/* The numbers of heads of a scope, too: the least and the most of them are those that the rows say. */
START_TEST(the_scope_has_them_too)
{
    long compared = 0;
    for (size_t p = 0; p < COUNT(shown); p++) {
        rows all = rows_of(shown[p].program);
        const claim_verdict v = judge_claim(&all, NULL, NULL, NULL, shown[p].id);
        for (long k = 0; k < v.parts; k++) {
            long low = 0, high = 0;
            for (long i = 0; i < all.n; i++) {
                const row *r = &all.at[i];
                long a, b;
                if (strcmp(r->which, "claim") != 0 || strcmp(r->part, v.part[k].name) != 0 || r->over != v.part[k].over || r->verdict != HOLDS
                    || (!number_after(r->drawn->text, "h", &a, &b) && !number_after(r->shape->text, "h", &a, &b))) continue;
                if (!low || a < low) low = a;
                if (b > high) high = b;
            }
            if (!low || !v.part[k].scope.heads || v.part[k].scope.witness) continue;  /* a witness may be found in symbols */
            const long least = __builtin_ctzl(v.part[k].scope.heads) + 1, most = 64 - __builtin_clzl(v.part[k].scope.heads);
            ck_assert_msg(least == low && most == high, "%s %s over %s: h = %ld-%ld, the rows have %ld-%ld", shown[p].id, v.part[k].name,
                          arith_names[v.part[k].over], least, most, low, high);
            compared++;
        }
        evidence_rows_free(&all);
    }
    ck_assert_int_ge(compared, 8);
}
END_TEST

/* ---- the record of what was drawn --------------------------------------------------------------------------------- */

START_TEST(what_was_drawn)
{
    char text[96];
    const shape sh = { .n = 3, .d = 4, .h = 2, .m = 5, .V = 6, .L = 2 };
    shape other = sh;
    drawn_sizes_forget();
    drawn_sizes_print(text, sizeof text, &sh);
    ck_assert_str_eq(text, "");                                           /* nothing was */
    drawn_sizes_note(&sh);
    drawn_sizes_print(text, sizeof text, &sh);
    ck_assert_str_eq(text, "");                                           /* the shape itself */
    other.d = 6;
    other.L = 1;
    drawn_sizes_note(&other);
    drawn_sizes_print(text, sizeof text, &sh);
    ck_assert_str_eq(text, "d=4-6 L=1-2");
    drawn_sizes_print_counts(text, sizeof text, &sh);
    ck_assert_str_eq(text, "L=1-2");                                      /* over sym d is a symbol */
    drawn_sizes_forget();
    drawn_sizes_note(&(shape){ .d = 3, .n = 3 });                         /* no other sizes; d is another one */
    drawn_sizes_print(text, sizeof text, &sh);
    ck_assert_str_eq(text, "d=3");
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("tried");
    TCase *c = tcase_create("all");
    suite_add_tcase(suite, c);
    tcase_set_timeout(c, 600);
    tcase_add_unchecked_fixture(c, setup, NULL);
    tcase_add_loop_test(c, each_line_is_that_of_a_part_and_an_arithmetic, 0, (int)COUNT(shown));
    tcase_add_test(c, as_many_as_there_were);
    tcase_add_test(c, data_have_them_too);
    tcase_add_test(c, the_scope_has_them_too);
    tcase_add_test(c, what_was_drawn);
    return run_suite(suite, argc, argv);
}
