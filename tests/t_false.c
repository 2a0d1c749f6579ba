/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_false.c - false theorems (tests/false/) go the way of a user's: nothing false is proved, and what is caught is
 * caught for the reason that the file gives.
 *
 * Each program runs at full scale and writes its certificates, proofcheck reads them, and `provably report` judges a
 * folder of this evidence alone beside an index of one row.  Beside agreed statements and verdicts that do not name it,
 * as in a tree where somebody has added the file, none is PROVED and none is green: somebody has to read what the
 * certificates state, and to agree on the verdict.  False.h explains the last line of each first
 * comment. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "tests/support/files.h"
#include "tests/support/suite.h"

typedef enum { CAUGHT, STAYS, NOT_CAUGHT, IS_TRUE } fate;
static const char *const fates[] = { " * Caught by ", " * Stays below proved, for ", " * Not caught, for ", " * True: " };

static glob_t files;

/* ---- what a file says of itself ----------------------------------------------------------------------------- */

typedef struct { fate is; char name[64], text[160]; } expectation;

static expectation read_expectation(const char *path)
{
    char line[512];
    expectation e = { .name = "" };
    bool found = false;
    const char *slash = strrchr(path, '/');
    snprintf(e.name, sizeof e.name, "%.*s", (int)(strlen(slash + 1) - 2), slash + 1);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    while (!found && fgets(line, sizeof line, f))
        for (int k = CAUGHT; k <= IS_TRUE && !found; k++) {
            char *colon = strrchr(line, ':'), *end = strstr(line, " */");
            found = strncmp(line, fates[k], strlen(fates[k])) == 0 && colon && end && end > colon;
            if (!found) continue;
            e.is = (fate)k;
            snprintf(e.text, sizeof e.text, "%.*s", (int)(end - colon - 2), colon + 2);
        }
    fclose(f);
    ck_assert_msg(found, "%s: its first comment does not say what becomes of it", path);
    return e;
}

/* Does `output` contain one of the texts, separated by " or "? */
static bool one_of(const char *output, const char *texts)
{
    bool found = false;
    char *copy = must_strdup(texts);
    for (char *one = copy, *next; one && !found; one = next) {
        next = strstr(one, " or ");
        if (next) { *next = '\0'; next += 4; }
        found = strstr(output, one) != NULL;
    }
    free(copy);
    return found;
}

/* ---- the way of a user's theorem -------------------------------------------------------------------------------- */

/* good: no step complained; agreed: nor did the report beside statements and verdicts that were agreed on for other
 * claims, where the verdict is `beside`. */
typedef struct { char output[65536], verdict[32], evidence[32], missing[256], beside[32]; bool good, agreed; } outcome;

static int run_in(const char *folder, const char *format, const char *name, char *output, size_t size)
{
    return run_command(output, size, format, folder, build_folder(), name, build_folder());
}

/* Columns of the one row of OUT/summary.csv: 7 the verdict, 8 its evidence, 12 what is missing. */
static void read_summary(const char *folder, const char *out, outcome *is)
{
    char line[4096] = "", *path = temp_format("%s/%s/summary.csv", folder, out);
    FILE *f = fopen(path, "r");
    if (!f) return;
    for (int k = 0; k < 2; k++) if (!fgets(line, sizeof line, f)) line[0] = '\0';
    fclose(f);
    char *at = line;
    for (int column = 1; column <= 12 && at; column++) {
        char *end = at + strcspn(at, *at == '"' ? "\n" : ",\n");
        if (*at == '"' && strchr(at + 1, '"')) end = strchr(++at, '"');
        const int n = (int)(end - at);
        if (column == 7)  snprintf(is->verdict, sizeof is->verdict, "%.*s", n, at);
        if (column == 8)  snprintf(is->evidence, sizeof is->evidence, "%.*s", n, at);
        if (column == 12) snprintf(is->missing, sizeof is->missing, "%.*s", n, at);
        end += *end == '"';
        at = *end == ',' ? end + 1 : NULL;
    }
}

/* `read`: somebody has read the controls; nobody has read a part. */
static void judge(const char *name, bool read, outcome *is)
{
    char *folder = temp_folder(), *output = is->output, *end = is->output + sizeof is->output;
    bool good = true;
#define END_ACCEPTED " n=%1$s/e/%3$s.accepted; [ ! -f $n ] || printf '# end of %%d lines with SHA-256 %%s\\n' $(wc -l < $n)" \
                     " $(sha256sum $n | cut -c1-64) >> $n;"
    static const char copies[] = "cp tests/false/%3$s.c %1$s/theorems/ && { head -n 1 reports/body_read.csv; awk -F, -v program=%3$s"
               " -v hash=$(sha256sum tests/false/%3$s.c | cut -c1-64) 'NR > 1 && NF > 4 && $4 != \"claim\" && $4 != \"minimal\""
               " && !seen[$2, $4]++ { print $1 \",\" $2 \"+\" $4 \",\" program \",\" hash \",\" }' %1$s/e/%3$s.csv; }"
               " > %1$s/reports/body_read.csv 2> /dev/null";
    const char *const steps[] = {
        "cd %1$s && mkdir e c reports theorems",
        "%2$s/tests/false/%3$s --describe > %1$s/e/%3$s.meta",
        "sh tests/bodies.sh %4$s tests/false/%3$s.c",                             /* as `make lint` does */
        "timeout 120 %2$s/tests/false/%3$s --out=%1$s/e/%3$s.csv",
        "timeout 120 %2$s/tests/false/%3$s --strict --certificates=%1$s/c",
        "cd %1$s && set -- c/*.cert && [ ! -e \"$1\" ] || { cd - > /dev/null; %4$s/proofcheck %1$s/c/*.cert > %1$s/said;"
        " s=$?; cat %1$s/said; grep ': accepted: ' %1$s/said > %1$s/e/%3$s.accepted;"
        END_ACCEPTED " exit $s; }",
        read ? copies : "true",
        /* the index: one row, with the controls that ran */
        "{ echo id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls;"
        " printf '%%s,,,,,,new,a false theorem,,%3$s,none,%%s\\n' \"$(sed -n 's/^id: //p' %1$s/e/%3$s.meta)\""
        " \"$(awk -F, 'NR > 1 && NF > 4 && $4 != \"claim\" && $4 != \"minimal\" && !seen[$4]++ { printf \"%%s%%s\", (n++ ? \";\" : \"\"), $4 }'"
        " %1$s/e/%3$s.csv 2> /dev/null)\"; } > %1$s/reports/claims.csv",
        "%2$s/provably report --evidence=%1$s/e --index=%1$s/reports/claims.csv --out=%1$s/out --quiet",
    };
    for (size_t k = 0; k < COUNT(steps); k++) {
        good &= run_in(folder, steps[k], name, output, (size_t)(end - output)) == 0;
        output += strlen(output);
    }
    is->good = good;
    read_summary(folder, "out", is);
    is->agreed = run_in(folder, "{ head -n 1 reports/verdicts.csv; echo OTHER,PROVED,exact,,,; } > %1$s/reports/verdicts.csv;"
                        " ls %1$s/c/*.cert > /dev/null 2>&1 && %4$s/proofcheck --statements=reports/statements.csv %1$s/c/*.cert"
                        " | grep ': accepted: ' > %1$s/e/%3$s.accepted;" END_ACCEPTED
                        " %2$s/provably report --evidence=%1$s/e --index=%1$s/reports/claims.csv --out=%1$s/agreed --quiet",
                        name, output, (size_t)(end - output)) == 0;
    static outcome other;
    other = (outcome){ .good = false };
    read_summary(folder, "agreed", &other);
    memcpy(is->beside, other.verdict, sizeof is->beside);
}

START_TEST(ends_as_it_must)
{
    const expectation e = read_expectation(files.gl_pathv[_i]);
    static outcome is;
    is = (outcome){ .good = false, .agreed = true };
    judge(e.name, !strstr(e.text, "shares no side of each equation"), &is);
    ck_assert_msg(!is.agreed && (!is.good || strstr(is.output, "no agreed verdict")),
                  "%s passes although its verdict is not agreed: %.3000s", e.name, is.output);
    ck_assert_msg(e.is == IS_TRUE || strcmp(is.beside, "PROVED") != 0, "%s is false and PROVED: %.3000s", e.name, is.output);
    printf("%-22s %-24s %-10s %s\n", e.name, is.verdict[0] ? is.verdict : "(none)", is.evidence, is.good ? "passes" : "fails");
    switch (e.is) {
    case CAUGHT:
        ck_assert_msg(!is.good, "%s is false and passes as %s", e.name, is.verdict);
        ck_assert_msg(one_of(is.output, e.text), "%s: no `%s` in: %.3000s", e.name, e.text, is.output);
        break;
    case STAYS:
        ck_assert_msg(is.good && strcmp(is.verdict, "SUPPORTED") == 0, "%s is %s %s: %.3000s", e.name, is.verdict,
                      is.evidence, is.output);
        ck_assert_msg(one_of(is.missing, e.text), "%s: what is missing is `%s`, not `%s`", e.name, is.missing, e.text);
        break;
    case NOT_CAUGHT:
        printf("t_false: %s is false and passes as %s: a known gap\n", e.name, is.verdict);
        ck_assert_msg(is.good && is.verdict[0] && one_of(e.text, is.verdict),
                      "%s is %s now: a gap is closed, say so in its first comment: %.3000s", e.name, is.verdict, is.output);
        break;
    case IS_TRUE:
        ck_assert_msg(is.good && is.verdict[0] && one_of(e.text, is.verdict), "%s is true and is %s: %.3000s", e.name, is.verdict, is.output);
        break;
    }
}
END_TEST

START_TEST(there_are_enough)
{
    long n[4] = { 0 };
    for (size_t k = 0; k < files.gl_pathc; k++) n[read_expectation(files.gl_pathv[k]).is]++;
    ck_assert_int_ge(n[CAUGHT] + n[STAYS], 237);
    ck_assert_int_ge(n[CAUGHT], 180);
    ck_assert_int_ge(n[IS_TRUE], 3);
}
END_TEST

int main(int argc, char **argv)
{
    if (glob("tests/false/*.c", 0, NULL, &files) != 0) die("no tests/false/*.c here; run from the folder of the sources");
    Suite *suite = suite_create("false");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 600);
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, ends_as_it_must, 0, (int)files.gl_pathc);
    tcase_add_test(all, there_are_enough);
    return run_suite(suite, argc, argv);
}
