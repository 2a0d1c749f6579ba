/* t_make.c - the Makefile and its scripts: whose variables are whose, a program that fails fails `make check`, and apt
 * removes nothing without being asked; what README shows is run by CI; the rooms keep their order.  apt, dpkg and the programs are
 * small stand-ins in a scratch folder. */
#include <stdlib.h>
#include <string.h>
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* A make of its own: nothing of the one that runs this test reaches it. */
#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u B -u CC make"
enum { ROOM = 1 << 18 };
static char output[ROOM];
static char *scratch;

static void setup(void) { scratch = temp_folder(); }
static void teardown(void)
{
    ck_assert_int_eq(run_command(output, sizeof output, "rm -rf '%s'", scratch), 0);
}
static int shell(const char *format)                /* %s is the scratch folder, as often as it occurs, up to 4 times */
{
    const int status = run_command(output, sizeof output, format, scratch, scratch, scratch, scratch);
    return status;
}
static void says(const char *what) { ck_assert_msg(strstr(output, what) != NULL, "missing: %s\nin: %.2000s", what, output); }
static void says_not(const char *what)
{
    ck_assert_msg(strstr(output, what) == NULL, "unwanted: %s\nin: %.2000s", what, output);
}

/* ---- variables -------------------------------------------------------------------------------------------- */

START_TEST(reproduce_without_data)
{
    ck_assert_int_eq(shell(MAKE " -n reproduce ARGS=--dry-run | tail -n 1"), 0);
    says("/provably reproduce quick ");
    says("--dry-run");
    says_not("--data");
    says_not("-l");
}
END_TEST
START_TEST(reproduce_with_data)
{
    ck_assert_int_eq(shell(MAKE " -n -W src/cli/data.c reproduce DATA=%1$s ARGS=--dry-run"), 0);
    char *option = temp_format("--data=%s --out=", scratch), *linked = temp_format(" %s", scratch);
    says(option);
    says("-lcurl");
    says_not(linked);                               /* as a word of its own: in the linker's list */
}
END_TEST
START_TEST(environment_is_not_read)
{
    ck_assert_int_eq(shell("env B=%1$s/b OUT=%1$s/out DATA=%1$s CUDA=/usr MPI=1 SEED=no ARGS=--dance " MAKE " -n check reproduce"
                           " | tail -n 3"), 0);
    says_not(scratch);
    says_not("--dance");
    says("--evidence=build/evidence --out=reports/out");
    ck_assert_int_eq(shell(MAKE " -n check OUT=%1$s/out B=%1$s/b | grep -e --evidence"), 0);
    char *told = temp_format("--evidence=%s/b/evidence --out=%s/out", scratch, scratch);
    says(told);
}
END_TEST
/* A name in capitals that the Makefile sets for itself would be the user's, too: each is announced in `make help`. */
START_TEST(capitals_are_announced)
{
    ck_assert_int_eq(shell("sed -n 's/^\\([A-Z_]*[A-Z]\\) *[:+]\\{0,1\\}= .*/\\1/p' Makefile"), 0);
    ck_assert_str_eq(output, "");
    ck_assert_int_eq(shell("env -u MAKEFLAGS -u MAKELEVEL make help > %1$s/help; for v in $(grep -o '$(\\(or $(\\|if $(\\|filter quick,$(\\)*[A-Z_]*)' Makefile |"
                           " sed 's/.*(//; s/)//' | grep -v ^MAKE | sort -u); do grep -qw \"$v\" %1$s/help || echo \"$v\"; done"), 0);
    ck_assert_str_eq(output, "");
}
END_TEST

/* ---- make check: a small house, whose four programs end as their names say ------------------------------------- */

static const char HOUSE[] =
    "cd '%1$s' && mkdir -p theorems src/cli numerics tests && cp \"$OLDPWD/Makefile\" . &&\n"
    "cat > theorem.h <<'END'\n"
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "int main(int n, char **word)\n{\n"
    "    if (strcmp(word[1], \"--describe\") == 0) return CRASHES == 2 || puts(\"id: \" ID) < 0;\n"
    "    if (CRASHES == 1) abort();\n"
    "    for (int k = 1; k < n; k++)\n"
    "        if (strncmp(word[k], \"--out=\", 6) == 0) { FILE *f = fopen(word[k] + 6, \"w\"); fputs(\"row\\n\", f); fclose(f); }\n"
    "    return STATUS;\n}\n"
    "END\n"
    "theorem() { printf '#define ID \"%%s\"\\n#define CRASHES %%s\\n#define STATUS %%s\\n#include \"theorem.h\"\\n' $2 $3 $4 > theorems/$1.c; }\n"
    "theorem good GOOD 0 0; theorem bad BAD 0 1; theorem crash CRASH 1 0; theorem mute MUTE 2 0\n"
    "printf '#include <stdio.h>\\nint main(void) { return puts(\"the report\") < 0; }\\n' > src/cli/provably.c\n"
    "mkdir -p src/proofcheck tests; printf 'int main(void) { return 0; }\\n' > src/proofcheck/main.c\n"
    "printf '[ \"$2\" != bad ]\\n' > tests/prove.sh\n"
    "mkdir -p build/evidence; echo stale > build/evidence/crash.csv; echo stale > build/evidence/good.failed\n";

START_TEST(failing_program)
{
    ck_assert_int_eq(shell(HOUSE), 0);
    ck_assert_int_eq(shell("cd '%1$s' && " MAKE " -j2 check"), 2);
    says("make check: failed, see NAME.log and NAME.certificates in build/evidence: bad.failed bad.unproved crash.failed mute.failed\n");
    says("the report\n");                           /* it is written all the same, of all that ran */
    says("bad: exit status 1");
    says("crash: exit status 134");
    says("[  4/4] ");
    says("] GOOD\n");
    ck_assert_int_eq(shell("cd '%1$s'/build/evidence && cat bad.failed crash.failed good.csv && test ! -e crash.csv && test ! -e good.failed"), 0);
    ck_assert_str_eq(output, "1\n134\nrow\n");
    ck_assert_int_eq(shell("cd '%1$s' && rm theorems/bad.c theorems/crash.c theorems/mute.c && " MAKE " check"), 0);
    says("[  1/1] GOOD\n");
    says_not("failed");
}
END_TEST

/* ---- make deps -------------------------------------------------------------------------------------------------- */

static const char APT[] =
    "mkdir -p %1$s/bin && cd %1$s &&\n"
    "printf '#!/bin/sh\\necho 0\\n' > bin/id &&\n"
    "cat > bin/dpkg-query <<'END' &&\n"
    "#!/bin/sh\n"
    "for p in \"$@\"; do :; done\n"
    "grep -qx \"$p\" %1$s/absent || echo installed\n"
    "END\n"
    "cat > bin/apt-get <<'END' &&\n"
    "#!/bin/sh\n"
    "mkdir %1$s/lock 2>/dev/null || echo 'two at once' >> %1$s/log\n"
    "case \"$*\" in '-s '*) cat %1$s/plan ;; *) echo \"$*\" >> %1$s/log; sleep 0.2 ;; esac\n"
    "rmdir %1$s/lock\n"
    "END\n"
    "chmod +x bin/* && : > log && : > plan && : > absent\n";
#define DEPS "PATH=%1$s/bin:\"$PATH\" "

START_TEST(removal_is_asked_for)
{
    ck_assert_int_eq(shell(APT), 0);
    ck_assert_int_eq(shell("echo nettle-dev > %1$s/absent; echo 'Remv libfoo-dev [1.0]' > %1$s/plan; " DEPS MAKE " deps"), 2);
    says("nothing was changed: to install nettle-dev, apt would remove libfoo-dev");
    says("DEPS_REMOVE=yes make deps");
    ck_assert_int_eq(shell("cat %1$s/log"), 0);
    says_not("install");
    ck_assert_int_eq(shell(DEPS "DEPS_REMOVE=yes " MAKE " deps"), 0);
    says("installing nettle-dev, removing libfoo-dev");
    ck_assert_int_eq(shell("cat %1$s/log"), 0);
    says("install -y -qq --no-install-recommends nettle-dev\n");
}
END_TEST
START_TEST(any_curl_will_do)
{
    ck_assert_int_eq(shell(APT), 0);
    ck_assert_int_eq(shell("printf 'libcurl4-gnutls-dev\\nlibcurl4-nss-dev\\n' > %1$s/absent; " DEPS MAKE " deps"), 0);
    ck_assert_str_eq(output, "");
    ck_assert_int_eq(shell("printf 'libcurl4-openssl-dev\\n' >> %1$s/absent; " DEPS MAKE " deps"), 0);
    ck_assert_str_eq(output, "make deps: installing libcurl4-gnutls-dev\n");
}
END_TEST
START_TEST(one_apt_at_a_time)
{
    ck_assert_int_eq(shell(APT), 0);
    ck_assert_int_eq(shell("printf 'lmodern\\nnettle-dev\\nvalgrind\\n' > %1$s/absent; "
                           DEPS MAKE " -j4 deps-dev deps-report deps"), 0);
    ck_assert_int_eq(shell("cat %1$s/log"), 0);
    says("install -y -qq --no-install-recommends nettle-dev\n");
    says("install -y -qq --no-install-recommends lmodern\n");
    says("install -y -qq --no-install-recommends valgrind\n");
    says_not("two at once");
}
END_TEST

/* ---- README ----------------------------------------------------------------------------------------------------- */

static const char COPY[] = "mkdir -p %1$s/tests %1$s/.ci && cp README.md Makefile %1$s/ && cp .ci/run %1$s/.ci/ &&"
                           " cp tests/readme* %1$s/tests/ && cd %1$s\n";
#define README "env -u MAKEFLAGS -u MAKELEVEL sh tests/readme.sh check"

START_TEST(what_is_shown_is_run)
{
    ck_assert_int_eq(run_shell(README, output, sizeof output), 0);
    ck_assert_str_eq(output, "");
    ck_assert_int_eq(shell(COPY), 0);
    ck_assert_int_eq(shell("cd %1$s && printf '```sh\nbuild/provably dance\n```\n' >> README.md && " README), 1);
    says("shown, but never run: build/provably dance\n");
    ck_assert_int_eq(shell(COPY), 0);
    ck_assert_int_eq(shell("cd %1$s && sed -i '/^#   make lint/d;s/ | lint | / | /' Makefile && " README), 1);
    says("a row that nobody shows any more: make lint\n");
    ck_assert_int_eq(shell(COPY), 0);
    ck_assert_int_eq(shell("cd %1$s && sed -i '/^make deps test$/d' .ci/run && " README), 1);
    says(".ci/run has no line: make deps test\n");
    ck_assert_int_eq(shell(COPY), 0);
    ck_assert_int_eq(shell("cd %1$s && sed -i 's/SAMPLE=24\t.*/SAMPLE=24/' tests/readme_commands.txt && " README), 1);
    says("no reason why not literally: make mutants\n");
}
END_TEST

/* ---- the order of the rooms ------------------------------------------------------------------------------------- */

/* Four rooms, one inside another; every file includes files of its own room or of rooms above. */
static const char ROOMS[] =
    "cd %1$s && rm -rf src && mkdir -p src/low/inner src/high src/proofcheck numerics cuda theorems tests build &&\n"
    "printf '# from the ground up\nsrc/low\nsrc/high\nsrc/low/inner\ntests\n' > src/LAYERS &&\n"
    "touch src/low/a.h src/low/b.h src/high/c.h src/low/inner/d.h src/proofcheck/e.h &&\n"
    "printf '#include \"src/low/b.h\"\n' > src/low/a.c && printf '#include \"src/low/a.h\"\n' > src/high/c.c &&\n"
    "printf '#include \"src/high/c.h\"\n#include \"src/low/a.h\"\n' > src/low/inner/d.c &&\n"
    "printf '#include \"src/proofcheck/e.h\"\n' > src/proofcheck/e.c\n";
#define LAYERS "sh \"$OLDPWD/tests/layers.sh\""

START_TEST(an_upward_include_is_named)
{
    static const struct { const char *file, *include, *says; } up[] = {
        { "src/low/a.c", "src/high/c.h", "src/low/a.c includes src/high/c.h: src/high is a higher room than src/low\n" },
        { "src/high/c.c", "src/low/inner/d.h", "src/low/inner is a higher room than src/high\n" },
        { "src/low/a.h", "src/low/inner/d.h", "src/low/inner is a higher room than src/low\n" },
        { "src/proofcheck/e.c", "src/low/a.h", "proofcheck shares nothing\n" },
        { "src/low/inner/d.c", "src/proofcheck/e.h", "proofcheck shares nothing\n" },
        { "src/low/a.c", "b.h", "src/low/a.c includes b.h: not in src/LAYERS\n" } };
    for (size_t k = 0; k < COUNT(up); k++) {
        ck_assert_int_eq(shell(ROOMS), 0);
        ck_assert_int_eq(shell("cd %1$s && " LAYERS), 0);
        ck_assert_str_eq(output, "");
        char *change = temp_format("cd %s && printf '#include \"%s\"\n' >> %s && " LAYERS, scratch, up[k].include, up[k].file);
        ck_assert_int_eq(run_shell(change, output, sizeof output), 1);
        says(up[k].says);
    }
}
END_TEST

/* Functions that call each other: two in one room may, two in two rooms may not, four files may not. */
START_TEST(circles_are_named)
{
    ck_assert_int_eq(shell(ROOMS), 0);
    ck_assert_int_eq(shell("cd %1$s && mkdir -p build/src/low build/src/high && link() { for f in src/low/a src/low/b src/high/c; do"
                           " cc -c $f.c -o build/$f.o; done; " LAYERS " build; };"
                           " echo 'int b(void); int a(void) { return b(); }' > src/low/a.c;"
                           " echo 'int a(void); int b(void) { return a(); }' > src/low/b.c;"
                           " echo 'int a(void); int c(void) { return a(); }' > src/high/c.c; link &&"
                           " echo 'int a(void), c(void); int b(void) { return a() + c(); }' > src/low/b.c; ! link"), 0);
    ck_assert_int_eq(strncmp(output, "layers: a circle of 2 rooms:\n", 28), 0);
    says("\n  src/low\n");
    says("\n  src/high\n");
    says_not("files");
    static const char CIRCLE[] = "printf '1 2\\n2 3\\n3 %s\\n4 1\\n4 5\\n0 1\\n' | awk -v what=files -v most=3 -f tests/circles.awk";
    ck_assert_int_eq(run_command(output, sizeof output, CIRCLE, "1"), 0);
    ck_assert_str_eq(output, "");
    ck_assert_int_eq(run_command(output, sizeof output, CIRCLE, "4"), 1);
    says("layers: a circle of 4 files:\n");
    says_not("5");
    says_not("0");
}
END_TEST

START_TEST(suites_that_die_are_counted)         /* wherever they stand, also where they wrote nothing */
{
    static const char GOOD[] = "100%: Checks: 5, Failures: 0, Errors: 0\n", BAD[] = "50%: Checks: 2, Failures: 1, Errors: 0\n";
    static const char SUM[] = "cd %1$s && awk -f \"$OLDPWD/tests/sum.awk\" ";
    temp_text(scratch, "good", GOOD);
    temp_text(scratch, "bad", BAD);
    temp_text(scratch, "died", "Running suite(s): died\n");
    temp_text(scratch, "silent", "");
    static const struct { const char *files, *says; int status; } try[] = {
        { "good good", "100%: Checks: 10, Failures: 0, Errors: 0\n", 0 },
        { "good bad", "85%: Checks: 7, Failures: 1, Errors: 0\n", 1 },
        { "died good", "died: ended without a closing line\n80%: Checks: 5, Failures: 0, Errors: 1\n", 1 },
        { "good silent good", "silent: ended without a closing line\n90%: Checks: 10, Failures: 0, Errors: 1\n", 1 },
        { "silent", "silent: ended without a closing line\n0%: Checks: 0, Failures: 0, Errors: 1\n", 1 } };
    for (size_t k = 0; k < COUNT(try); k++) {
        char *command = temp_format("%s%s", SUM, try[k].files);
        ck_assert_int_eq(shell(command), try[k].status);
        ck_assert_str_eq(output, try[k].says);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("make");
    TCase *tests = tcase_create("make");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, reproduce_without_data);
    tcase_add_test(tests, reproduce_with_data);
    tcase_add_test(tests, environment_is_not_read);
    tcase_add_test(tests, capitals_are_announced);
    tcase_add_test(tests, failing_program);
    tcase_add_test(tests, removal_is_asked_for);
    tcase_add_test(tests, any_curl_will_do);
    tcase_add_test(tests, one_apt_at_a_time);
    tcase_add_test(tests, what_is_shown_is_run);
    tcase_add_test(tests, an_upward_include_is_named);
    tcase_add_test(tests, circles_are_named);
    tcase_add_test(tests, suites_that_die_are_counted);
    suite_add_tcase(suite, tests);
    return run_suite(suite, argc, argv);
}
