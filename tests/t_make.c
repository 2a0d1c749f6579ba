/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_make.c - the Makefile and its scripts: whose variables are whose, a program that fails fails `make check`, and apt
 * removes nothing without being asked; what README shows is run by CI; the rooms keep their order.  apt, dpkg and the programs are
 * small stand-ins in a scratch folder. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* A make of its own: nothing of the one that runs this test reaches it. */
#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u B -u CC -u WERROR make"
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
                           " | tail -n 6"), 0);
    says_not(scratch);
    says_not("--dance");
    says("--evidence=build/evidence --programs=build/theorems ");
    says("--out=reports/out ");
    ck_assert_int_eq(shell(MAKE " -n check OUT=%1$s/out B=%1$s/b | grep -e --evidence"), 0);
    says(temp_format("%s/b/provably check --evidence=%s/b/evidence --programs=%s/b/theorems ", scratch, scratch, scratch));
    says(temp_format("--out=%s/out ", scratch));
}
END_TEST
/* A user's figures go below the build folder; only RECORD=1 writes records. */
START_TEST(users_results_are_no_records)
{
    ck_assert_int_eq(shell(MAKE " -n reproduce PRESET=quick B=%1$s/b | tail -n 1"), 0);
    char *own = temp_format(" --results=%s/b/reproduce/results ", scratch);
    says(own);
    ck_assert_int_eq(shell("RECORD=1 " MAKE " -n reproduce | tail -n 1"), 0);
    says(" --results=build/reproduce/results --recorded=reports/results ");
    ck_assert_int_eq(shell(MAKE " -n reproduce RECORD=1 | tail -n 1"), 0);
    says(" --results=reports/results ");
    says_not("--recorded");
}
END_TEST
START_TEST(report_adds_the_pdf)
{
    ck_assert_int_eq(shell(MAKE " -n report | grep -e --evidence"), 0);
    says(" --pdf ");
    ck_assert_int_eq(shell(MAKE " -n check recheck | grep -e --evidence"), 0);
    says_not("--pdf");
    says(" --jobs=1 ");
    says(" --all");
    ck_assert_int_eq(shell(MAKE " -n -j3 plain SCALE=quick TRIALS=1 | grep -e --evidence"), 0);
    says("build/provably check --evidence=build/evidence --programs=build/theorems --jobs=3 --seed=20261121 --scale=quick --trials=1  --no-report\n"
         "PROVABLY_REFERENCE=1 build/provably check --evidence=build/plain/evidence --programs=build/theorems --jobs=3 --seed=20261121");
    says("--compare=build/plain/evidence\n");
}
END_TEST
/* A name in capitals that the Makefile sets for itself would be the user's, too: each is announced in `make help`. */
START_TEST(capitals_are_announced)
{
    ck_assert_int_eq(shell("sed -n 's/^\\([A-Z_]*[A-Z]\\) *[:+]\\{0,1\\}= .*/\\1/p' Makefile src/build/*.mk"), 0);
    ck_assert_str_eq(output, "");
    ck_assert_int_eq(shell("env -u MAKEFLAGS -u MAKELEVEL make help > %1$s/help; for v in $(grep -o '$(\\(or $(\\|if $(\\|filter quick,$(\\)*[A-Z_]*)' Makefile src/build/*.mk |"
                           " sed 's/.*(//; s/)//' | grep -v ^MAKE | sort -u); do grep -qw \"$v\" %1$s/help || echo \"$v\"; done"), 0);
    ck_assert_str_eq(output, "");
}
END_TEST

/* ---- make check: a small house, whose four programs end as their names say ------------------------------------- */

/* Its `provably check` is the real one, its reports and its proofcheck are not: proofcheck rejects what BAD states. */
static const char HOUSE[] =
    "real=$(realpath %2$s/provably) && cd '%1$s' && mkdir -p theorems src/cli src/proofcheck src/base src/build src/claim/program numerics tests reports &&\n"
    "cp \"$OLDPWD\"/Makefile \"$OLDPWD\"/CITATION.cff . && cp \"$OLDPWD\"/src/provably.map src/ && cp \"$OLDPWD\"/src/build/* src/build/ && : > src/base/allocator.c && cp \"$OLDPWD\"/tests/*.awk tests/ &&\n"
    "cat > theorem.h <<'END'\n"
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
    "extern int (*house_program)(int, char **);\n"
    "static void file(const char *folder, const char *name, const char *text)\n{\n"
    "    char path[4096];\n"
    "    snprintf(path, sizeof path, \"%%s%%s\", folder, name);\n"
    "    FILE *f = fopen(path, \"w\");\n    fputs(text, f);\n    fclose(f);\n}\n"
    "static int run(int n, char **word)\n{\n"
    "    if (strcmp(word[1], \"--describe\") == 0) return CRASHES == 2 || puts(\"id: \" ID) < 0;\n"
    "    if (CRASHES == 1) abort();\n"
    "    for (int k = 1; k < n; k++) {\n"
    "        if (strncmp(word[k], \"--out=\", 6) == 0) file(word[k] + 6, \"\", \"row\\n\");\n"
    "        if (strncmp(word[k], \"--certificates=\", 15) == 0) file(word[k] + 15, \"/\" ID \"-part.cert\", ID \" states\\n\");\n"
    "    }\n"
    "    while (access(\"stuck\", F_OK) == 0) usleep(20000);\n"
    "    return STATUS && puts(ID \" explains itself\") ? STATUS : 0;\n}\n"
    "static void __attribute__((constructor)) begin(void) { house_program = run; }\n"
    "END\n"
    "theorem() { printf '#define ID \"%%s\"\\n#define CRASHES %%s\\n#define STATUS %%s\\n#include \"theorem.h\"\\n' $2 $3 $4 > theorems/$1.c; }\n"
    "theorem good GOOD 0 0; theorem bad BAD 0 1; theorem crash CRASH 1 0; theorem mute MUTE 2 0\n"
    "printf 'int (*house_program)(int, char **);\\nint main(int n, char **w) { return house_program(n, w); }\\n' > src/claim/program/theorem_program.c\n"
    "{ echo '#include <stdio.h>'; echo '#include <stdlib.h>'; echo '#include <string.h>'; echo '#include <unistd.h>'; echo 'int (*house_program)(int, char **);';\n"
    "  echo \"static const char real[] = \\\"$real\\\";\"; cat <<'END'\n"
    "int main(int n, char **w)\n{\n"
    "    setenv(\"PROVABLY_DATA\", \"reports\", 1);\n"
    "    if (n > 1 && strcmp(w[1], \"check\") == 0) return execv(real, w);\n"
    "    return puts(\"the report\") < 0;\n}\n"
    "END\n"
    "} > src/cli/provably.c\n"
    "cat > src/proofcheck/main.c <<'END'\n"
    "#include <stdio.h>\n#include <string.h>\n"
    "int main(int n, char **w)\n{\n"
    "    int bad = 0;\n"
    "    for (int k = 2; k < n; k++) {\n"
    "        FILE *f = fopen(\"checked\", \"a\");\n        fprintf(f, \"%%s\\n\", w[k]);\n        fclose(f);\n"
    "        bad |= strstr(w[k], \"BAD\") != NULL;\n"
    "        if (strstr(w[k], \"BAD\")) printf(\"%%s: rejected: line 1: no\\n\", w[k]);\n"
    "        else printf(\"%%s: accepted: %%.4s part, sym, 1 equations; heads 1; depth none; assumes: nothing; statement %%064d\\n\",\n"
    "                    w[k], strrchr(w[k], '/') + 1, 7);\n    }\n"
    "    return bad;\n}\n"
    "END\n"
    "echo id,part,certificate,drawn,demands,statement > reports/statements.csv\n"
    "echo 'mkdir -p $2 && : > $2/provably.1' > src/cli/manual.sh; : > src/cli/manual.awk\n"
    "mkdir -p build/evidence; for f in crash.csv good.failed gone.csv gone.done; do echo stale > build/evidence/$f; done\n";

static int house(const char *more)       /* in the scratch folder, then the lines `more` there */
{
    char *text = temp_format(HOUSE, scratch, build_folder());
    return run_shell(temp_format("%s%s", text, more), output, sizeof output);
}

START_TEST(failing_program)
{
    ck_assert_int_eq(house(""), 0);
    ck_assert_int_eq(shell("cd '%1$s' && " MAKE " -j2 check"), 2);
    says("provably check: failed, see NAME.log in build/evidence: bad.failed bad.unproved crash.failed crash.unproved mute.failed\n");
    says("the report\n");                           /* it is written all the same, of all that ran */
    says("BAD explains itself\nbad: exit status 1\n");
    says("build/certificates/bad/BAD-part.cert: rejected: line 1: no\nbad: if the new statements are meant, run make statements");
    says("crash: exit status 134");
    says("[  4/4] ");
    says("] GOOD\n");
    ck_assert_int_eq(shell("cd '%1$s'/build/evidence && cat bad.failed crash.failed good.csv && test ! -e crash.csv &&"
                           " test ! -e good.failed && ! ls gone.*"), 0);
    ck_assert_int_eq(strncmp(output, "1\n134\nrow\n", 10), 0);
    ck_assert_int_eq(shell("cd '%1$s' && " MAKE " check"), 2);         /* what failed runs again, and fails again */
    says("[  3/3] mute\n");                         /* it does not say its id */
    says_not("GOOD");
    says("in build/evidence: bad.failed bad.unproved crash.failed crash.unproved mute.failed\n");
    ck_assert_int_eq(shell("cd '%1$s' && rm theorems/bad.c theorems/crash.c theorems/mute.c && " MAKE " recheck"), 0);
    says("[  1/1] GOOD\n");
    says_not("failed");
    ck_assert_int_eq(shell("ls '%1$s'/build/evidence"), 0);
    says_not("bad");
}
END_TEST

/* Three good programs; `ran` counts the lines of the log of a make that name one. */
#define GOOD_HOUSE "rm theorems/bad.c theorems/crash.c theorems/mute.c; theorem better BETTER 0 0; theorem best BEST 0 0\n"
static void runs(const char *command, long programs)
{
    char *line = temp_format("cd '%s' && " MAKE " %s > log 2>&1; s=$?; cat log; exit $s", scratch, command);
    ck_assert_msg(run_shell(line, output, sizeof output) == 0, "%s: %s", command, output);
    long n = 0;
    for (const char *at = output; (at = strstr(at, "[  ")) != NULL; at++) n++;
    ck_assert_msg(n == programs, "make %s ran %ld programs, not %ld: %s", command, n, programs, output);
}
START_TEST(nothing_runs_twice)
{
    ck_assert_int_eq(house(GOOD_HOUSE), 0);
    runs("-j2 check", 3);
    says_not("nchanged");
    runs("check", 0);
    says("the report\nUnchanged and not run again: 3 of 3 programs, evidence of 20");
    says(" (`make recheck` runs all)\n");
    runs("report", 0);
    runs("bench", 0);
    runs("check report", 0);
    runs("-j2 recheck", 3);
    runs("check SEED=7", 3);                        /* each parameter counts */
    runs("report SEED=7", 0);
    runs("check SEED=7 TRIALS=2", 3);
    runs("check SEED=7 TRIALS=2 SCALE=quick", 3);
    runs("bench SEED=7 TRIALS=2 SCALE=quick", 0);
    runs("check SEED=7 TRIALS=2 SCALE=quick PROVABLY_REFERENCE=0", 0);
    runs("check SEED=7 TRIALS=2 SCALE=quick PROVABLY_REFERENCE=1", 3);
    runs("check SEED=7 TRIALS=2 SCALE=quick", 3);
    runs("check", 3);
    ck_assert_int_eq(shell("cd %1$s && echo '/* changed */' >> theorems/best.c && touch src/base/allocator.c theorem.h"), 0);
    runs("check", 0);                               /* a comment, a time: it is built again, and is what it was */
    says("cc theorems/best.c");
    ck_assert_int_eq(shell("cd %1$s && echo 'int changed = 3;' >> theorems/best.c"), 0);
    runs("check", 1);
    says("[  1/1] BEST\n");
    says("\nUnchanged and not run again: 2 of 3 programs");
    ck_assert_int_eq(shell("cd %1$s && git init -q . && git add theorems && git -c user.name=n -c user.email=e commit -qm one"), 0);
    runs("check", 0);                               /* another commit, the same programs: they name no commit */
    ck_assert_int_eq(shell("cd %1$s && echo 'int library = 3;' > numerics/of_all.c"), 0);
    runs("check", 3);                               /* the library is part of each */
    ck_assert_int_eq(shell("cd %1$s && rm build/evidence/good.done && touch build/evidence/better.failed"), 0);
    runs("check", 1);
}
END_TEST
/* What a document, a record or a commit changes is no program: nothing is linked, and nothing runs. */
START_TEST(documents_and_records_build_nothing)
{
    ck_assert_int_eq(house(GOOD_HOUSE), 0);
    ck_assert_int_eq(shell("cd %1$s && mkdir -p reports/results && echo a > README.md && echo b > reports/results/quick.csv &&"
                           " printf '/build/\n/log\n' > .gitignore && git init -q . && git add . && git -c user.name=n -c user.email=e commit -qm one"), 0);
    runs("check", 3);
    ck_assert_int_eq(shell("cd %1$s && cat build/commit && git rev-parse --short=12 HEAD"), 0);
    ck_assert_msg(strncmp(output, output + 13, 13) == 0, "%s", output);
    ck_assert_int_eq(shell("cd %1$s && echo more >> README.md && echo more >> reports/results/quick.csv"), 0);
    runs("check", 0);
    says_not("link");
    says_not("cc ");
    ck_assert_int_eq(shell("cd %1$s && cp build/commit before && git -c user.name=n -c user.email=e commit -qam two && rm before"), 0);
    runs("check", 0);
    says_not("link");
    ck_assert_int_eq(shell("cd %1$s && cat build/commit && git rev-parse --short=12 HEAD"), 0);
    ck_assert_msg(strncmp(output, output + 13, 13) == 0, "%s", output);
    ck_assert_int_eq(shell("cd %1$s && echo 'int changed = 3;' >> theorems/best.c"), 0);
    runs("check", 1);
    ck_assert_int_eq(shell("cd %1$s && cat build/commit"), 0);
    says("-dirty\n");
}
END_TEST
START_TEST(dry_runs_write_nothing)
{
    ck_assert_int_eq(house(GOOD_HOUSE), 0);
    ck_assert_int_eq(shell("cd %1$s && rm -rf build && for g in '' check 'check report' 'certificates' 'reproduce' 'install' 'clean'; do"
                           " " MAKE " -n $g >/dev/null 2>&1; done; " MAKE " -q check; ls -d build reports/out"), 2);
    says_not("build\n");
    runs("check", 3);
    ck_assert_int_eq(shell("cd %1$s && touch stamp && sleep 0.05 && " MAKE " -n check SEED=7 CFLAGS=-O1 > log &&"
                           " grep -c '^echo cc theorems' log; find build -newer stamp"), 0);
    ck_assert_str_eq(output, "3\n");                /* it says what would be done, and does none of it */
    runs("check", 0);
}
END_TEST
/* Other options of the compiler or the linker: what was made with them is made again, once. */
START_TEST(other_flags_build_again)
{
    static const struct { const char *flags; bool compiles, links; } try[] = {
        { "", true, true }, { "CFLAGS=-O1", true, true }, { "CFLAGS=-O1 CPPFLAGS=-DX=2", true, true },
        { "CFLAGS=-O1 CPPFLAGS=-DX=2 LDFLAGS=-Wl,-z,now", false, true }, { "CFLAGS=-O1 CPPFLAGS=-DX=2 LDFLAGS=-Wl,-z,now WERROR=-Werror", false, false },
        { "CC=gcc CFLAGS=-O1 CPPFLAGS=-DX=2 LDFLAGS=-Wl,-z,now", true, true }, { "", true, true } };
    ck_assert_int_eq(house(GOOD_HOUSE), 0);
    for (size_t k = 0; k < COUNT(try); k++) {
        for (int again = 0; again < 2; again++) {
            char *line = temp_format("cd %s && " MAKE " %s build/proofcheck", scratch, try[k].flags);
            ck_assert_int_eq(run_shell(line, output, sizeof output), 0);
            ck_assert_msg((strstr(output, "cc src") != NULL) == (try[k].compiles && !again), "%s: %s", try[k].flags, output);
            ck_assert_msg((strstr(output, "link build") != NULL) == (try[k].links && !again), "%s: %s", try[k].flags, output);
        }
    }
    ck_assert_int_eq(shell("cd %1$s && printf '#ifndef X\\n#error no X\\n#endif\\nint main(void) { return 0; }\\n' > src/proofcheck/main.c;"
                           " CPPFLAGS='-DX=\"it is\"' LDFLAGS=-Wl,-z,now " MAKE " build/proofcheck && readelf -d build/proofcheck | grep -w NOW &&"
                           " ! " MAKE " build/proofcheck"), 0);      /* the environment's, too */
    says("no X");
}
END_TEST

/* ---- the environment ---------------------------------------------------------------------------------------- */

#define HOSTILE "env CDPATH=.:/tmp POSIXLY_CORRECT=1 IFS=t GIT_DIR=/nowhere GIT_WORK_TREE=/nowhere GIT_INDEX_FILE=/nowhere/i GREP_OPTIONS=-v " \
    "BASH_ENV=%1$s/env ENV=%1$s/env TMPDIR= LC_ALL=tr_TR.UTF-8 LANGUAGE=tr ARGP_HELP_FMT=rmargin=20 "
START_TEST(the_environment_decides_nothing)
{
    ck_assert_int_eq(house(GOOD_HOUSE "echo 'echo hostile; exit 3' > env\n"), 0);
    ck_assert_int_eq(shell("cd %1$s && git init -q . && git add theorems && git -c user.name=n -c user.email=e commit -qm one;"
                           HOSTILE MAKE " -j2 check"), 0);
    says("[  3/3] ");
    says("the report\n");
    says_not("hostile");
    ck_assert_int_eq(shell("cd %1$s && cat build/commit"), 0);
    says_not("unknown");
    static const char *const script[] = {
        "sh src/build/commit.sh", "sh tests/layers.sh", "sh tests/bodies.sh", "sh tests/lines.sh",
        "sh tests/readme.sh check",
        "%2$s/provably check --only=K-E2 --scale=quick --quiet --evidence=%1$s/e/evidence && tail -n 1 %1$s/e/evidence/k_e2.accepted | grep '^# end of [1-9]'",
        "sh src/cli/manual.sh %2$s %1$s/man 0.1 2026-11-22 && cat %1$s/man/*", "%2$s/provably run K-T4.4 --list",
        "make -s dist B=%1$s/dist && sha256sum < %1$s/dist/provably-0.1.tar.gz" };
    static char plain[ROOM];
    for (size_t k = 0; k < COUNT(script); k++) {
        char *asks = temp_format(script[k], scratch, build_folder());
        if (strstr(asks, "dist") && access(".git", F_OK) != 0) continue;
        const int status = run_shell(asks, plain, sizeof plain);
        ck_assert_msg(status == 0 && (strstr(asks, "readme") || strstr(asks, "layers")
                      || strstr(asks, "bodies") || strstr(asks, "lines") || *plain), "%s: %s", asks, plain);
        char *hostile = temp_format(HOSTILE "sh -c '%2$s'", scratch, asks);
        ck_assert_int_eq(run_shell(hostile, output, sizeof output), 0);
        ck_assert_msg(strcmp(output, plain) == 0, "%s: %.1000s\nin another environment: %.1000s", asks, plain, output);
    }
}
END_TEST
/* git refuses a folder of somebody else: the commit is unknown, and why is told. */
START_TEST(an_unknown_commit_is_explained)
{
    ck_assert_int_eq(shell("mkdir %1$s/bin && printf '#!/bin/sh\\necho fatal: detected dubious ownership in repository >&2; exit 128\\n' > %1$s/bin/git &&"
                           " chmod +x %1$s/bin/git && PATH=%1$s/bin:\"$PATH\" sh src/build/commit.sh"), 0);
    says("the commit of the source is unknown: git says: fatal: detected dubious ownership in repository\n");
    says("unknown\n");
    ck_assert_int_eq(shell("r=$PWD; cd %1$s && sh \"$r/src/build/commit.sh\""), 0);
    ck_assert_str_eq(output, "unknown\n");
}
END_TEST
START_TEST(one_claim_alone)
{
    ck_assert_int_eq(house(GOOD_HOUSE), 0);
    ck_assert_int_eq(shell("cd %1$s && ls build/evidence > before && " MAKE " check CLAIM=G-OOD"), 2);
    says("CLAIM=G-OOD: no program of that name; write an id");
    ck_assert_int_eq(shell("cd %1$s && " MAKE " check CLAIM=GOOD SCALE=gpt2-small && cat build/claims/good.gpt2-small.csv"), 0);
    says("row\n");
    ck_assert_int_eq(shell("cd %1$s && " MAKE " check CLAIM=good && ls build/evidence > after && cmp before after &&"
                           " ls build/claims build/reports reports/out build/check"), 2);
    says("good.default.csv\n");                     /* no report was written, and no evidence touched */
    says_not("the report");
    says_not("parameters");
    ck_assert_int_eq(shell("cd %1$s && " MAKE " check SCALE=gpt2-small"), 2);
    says("SCALE=gpt2-small is for one claim: make check SCALE=gpt2-small CLAIM=K-T4.4");
}
END_TEST
/* The list of statements and the checker: certificates are read again, programs do not run. */
START_TEST(certificates_are_read_again)
{
    ck_assert_int_eq(house(GOOD_HOUSE), 0);
    runs("check", 3);
    ck_assert_int_eq(shell("cd %1$s && sort checked && rm checked"), 0);
    ck_assert_str_eq(output, "build/certificates/best/BEST-part.cert\nbuild/certificates/better/BETTER-part.cert\n"
                             "build/certificates/good/GOOD-part.cert\n");
    runs("check", 0);
    ck_assert_int_eq(shell("cd %1$s && ! ls checked && echo GOOD,part,GOOD-part,,,1 >> reports/statements.csv"), 0);
    runs("check", 0);
    ck_assert_int_eq(shell("cd %1$s && grep -c . checked && rm checked && touch reports/statements.csv build/proofcheck"), 0);
    ck_assert_str_eq(output, "3\n");
    runs("check", 0);                               /* a time is no change */
    ck_assert_int_eq(shell("cd %1$s && ! ls checked && echo 'int changed = 3;' >> src/proofcheck/main.c"), 0);
    runs("check", 0);
    ck_assert_int_eq(shell("cd %1$s && grep -c . checked"), 0);
    ck_assert_str_eq(output, "3\n");
    runs("recheck", 3);
    ck_assert_int_eq(shell("cd %1$s && grep -c . checked && echo GOOD,other,GOOD-other,,,1 >> reports/statements.csv && " MAKE " check"), 2);
    says("6\n");
    says("good: reports/statements.csv has a statement of GOOD-other, but there is no such certificate\n");
    says("failed, see NAME.log in build/evidence: good.unproved\n");
}
END_TEST
/* What Coq's kernel has accepted is a list of hashes: another text of a certificate is told without Coq, unless the draws
 * are others than those of the list. */
START_TEST(kernel_has_accepted_other_certificates)
{
    ck_assert_int_eq(house(GOOD_HOUSE), 0);
    ck_assert_int_eq(shell("cd %1$s && echo id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls > reports/claims.csv &&"
                           " " MAKE " check && c=build/certificates/good/GOOD-part.cert &&"
                           " { echo kind,claim,part,theorem,quantifiers,file,sha256,needs; for c in build/certificates/*/*.cert; do"
                           " echo 'certificate,GOOD,part,checker,\"heads 1, 2\",'$(basename $c),$(sha256sum < $c | cut -c1-64),needs; done; }"
                           " > reports/formal.csv"), 0);
    ck_assert_int_eq(shell("cd '%1$s' && " MAKE " certificates"), 0);
    says("certificates: 3 accepted: 3 sym\n");
    ck_assert_int_eq(shell("cd '%1$s' && echo GOOD states that > build/certificates/good/GOOD-part.cert && " MAKE " certificates"), 2);
    says("reports/formal.csv: not the certificate that Coq's kernel has accepted: GOOD-part.cert\n");
    says_not("BEST-part.cert");
    says("make deps-formal formal");
    ck_assert_int_eq(shell("cd '%1$s' && " MAKE " certificates SEED=5"), 0);
    ck_assert_int_eq(shell("cd '%1$s' && " MAKE " certificates"), 0);       /* which wrote it again */
    ck_assert_int_eq(shell("cd '%1$s' && : > reports/formal.csv && " MAKE " certificates"), 2);
    says("GOOD-part.cert");
}
END_TEST
/* Stopped while one program runs: of the three only what had ended counts, and nothing of the others is left. */
START_TEST(interrupted_evidence_does_not_count)
{
    ck_assert_int_eq(house(GOOD_HOUSE), 0);
    runs("check", 3);
    ck_assert_int_eq(shell("cd %1$s && touch stuck && for p in good best; do echo \"int changed_$p = 3;\" >> theorems/$p.c; done;"
                           " setsid " MAKE " check >/dev/null 2>&1 & make=$!; cd %1$s;"
                           " until [ -e build/evidence/best.csv ] && [ ! -e build/evidence/best.done ]; do sleep 0.05; done;"
                           " kill -TERM -$make; wait $make; rm stuck;"
                           " ls build/evidence | grep -e done -e csv"), 0);
    says("better.csv\nbetter.done\n");
    says_not("best.done");
    says_not("good");
    runs("check", 2);
    says("\nUnchanged and not run again: 1 of 3 programs");
}
END_TEST

/* ---- what is under way --------------------------------------------------------------------------------------------- */

#define ON_A_TERMINAL "script -qec \"env -u MAKE_TERMOUT -u CI TERM=xterm " MAKE " -j2 check\" /dev/null </dev/null"
START_TEST(progress_on_a_terminal)
{
    ck_assert_int_eq(house(GOOD_HOUSE), 0);
    ck_assert_int_eq(shell("cd %1$s && env -u CI " MAKE " -j2 check"), 0);        /* not one */
    says("cc theorems/good.c\n");
    says("link build/theorems/good\n");
    says("[  3/3] ");
    says("[  1/3] ");
    says_not("\r");
    says_not("\033");
    const int cleaned = shell("cd %1$s && " MAKE " clean && " ON_A_TERMINAL);
    ck_assert_msg(cleaned == 0, "%d: %s", cleaned, output);
    says("\r\033[K[1/13] cc ");                     /* three programs, their main, provably, proofcheck, the allocator; the library */
    says("\r\033[K[13/13] link ");
    says("\r[0/3] ");
    says("\r[2/3] ");
    says("\r\033[K\rwriting the reports\033[K\r\nthe report\r\n");
    says_not("\ncc ");
    ck_assert_int_eq(shell("cd %1$s && " ON_A_TERMINAL), 0);
    says_not("[0/");                                /* nothing is to be done */
    says_not("[1/");
    ck_assert_int_eq(shell("cd %1$s && CI=true script -qec '" MAKE " recheck' /dev/null </dev/null"), 0);
    says("[  3/3] ");
    says_not("\033");
    ck_assert_int_eq(shell("cd %1$s && " MAKE " -s clean && " MAKE " -s check"), 0);
    ck_assert_str_eq(output, "the report\n");
}
END_TEST
/* What is left is known from the pace, or nothing is said; the line is never longer than the terminal. */
START_TEST(what_is_left)
{
    static const struct { const char *words, *says; } line[] = {
        { "80 3 10 '' cc a.c", "[3/10] cc a.c" },        { "80 3 10 95 cc a.c", "[3/10, about 2 min left] cc a.c" },
        { "80 3 10 42 cc a.c", "[3/10, about 50 s left] cc a.c" },           { "80 0 0 '' report", "report" },
        { "25 3 10 '' cc long/name/of/a/file.c", "[3/10] cc long/name/of/a" },
        { "80 20 40 @$(($(date +%s) - 55)) link", "[20/40, about 60 s left] link" },
        { "80 9 40 @$(($(date +%s) - 60)) link", "[9/40] link" },            /* too few to know */
        { "80 41 40 @$(($(date +%s) - 60)) link", "[41/40] link" } };
    for (size_t k = 0; k < COUNT(line); k++) {
        char *command = temp_format("sh src/build/progress.sh %s", line[k].words), *all = temp_format("\r\033[K%s", line[k].says);
        ck_assert_int_eq(run_shell(command, output, sizeof output), 0);
        ck_assert_str_eq(output, all);
    }
}
END_TEST
/* A compiler's message is whole, at the beginning of a line of its own, on a terminal and in a log. */
START_TEST(errors_are_whole)
{
    ck_assert_int_eq(house(GOOD_HOUSE), 0);
    ck_assert_int_eq(shell("cd %1$s && printf '#error the first\\n#error the second\\n' >> theorems/best.c; ! " ON_A_TERMINAL), 0);
    says("\r\033[Ktheorems/best.c:");
    says("the second");
    says("Error 1");
    ck_assert_int_eq(shell("cd %1$s && ! " MAKE " -s check"), 0);
    says("the second");
    ck_assert_int_eq(shell("cd %1$s && printf '#warning dangerous\\n#include \"theorem.h\"\\n' > theorems/best.c;"
                           " sed -i '1i #define ID \"BEST\"\\n#define CRASHES 0\\n#define STATUS 1' theorems/best.c; ! " ON_A_TERMINAL), 0);
    says("\r\033[Ktheorems/best.c:");
    says("dangerous");
    says("\r\033[KBEST explains itself\r\nbest: exit status 1\r\n");
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
/* What apt is going to do is one line; on a terminal so is what it does, and what it says is shown when it fails. */
START_TEST(apt_is_announced)
{
    ck_assert_int_eq(shell(APT), 0);
    ck_assert_int_eq(shell("echo nettle-dev > %1$s/absent; cd %1$s && printf 'Inst %%s\n' 'nettle-dev (3 x)' 'libb (2 x)'"
                           " 'liba (1 x)' 'libc6 [1] (2 x)' > plan; cd - >/dev/null; " DEPS MAKE " deps"), 0);
    ck_assert_str_eq(output, "make deps: installing nettle-dev and 2 that they need, upgrading 1\n");
    ck_assert_int_eq(shell("printf '#!/bin/sh\ncase $1 in -s) cat %1$s/plan ;; install) echo Reading; echo Unpacking liba;"
                           " echo Setting up liba; echo E: no space >&2; exit 100 ;; esac\n' > %1$s/bin/apt-get; "
                           DEPS "script -qec \"env -u MAKE_TERMOUT -u CI TERM=xterm " MAKE " deps\" /dev/null </dev/null"), 2);
    says("\r\033[K[1/9] Unpacking liba\r\033[K[2/9] Setting up liba\r\033[K");
    says("\r\033[KReading\r\n");
    says("E: no space\r\n");
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

START_TEST(packages_come_first)                     /* once, and before anything else is a job */
{
    ck_assert_int_eq(shell(APT), 0);
    ck_assert_int_eq(shell("printf 'nettle-dev\\n' > %1$s/absent; " DEPS MAKE " -j4 B=%1$s/b deps %1$s/b/src/base/text.o"), 0);
    const char *apt = strstr(output, "nettle-dev"), *cc = strstr(output, "cc src/base/text.c");
    ck_assert_msg(apt && cc && apt < cc, "%s", output);
    ck_assert_int_eq(shell("grep -c 'install -y' %1$s/log"), 0);
    ck_assert_str_eq(output, "1\n");
    ck_assert_int_eq(shell("printf 'nettle-dev\\n' > %1$s/absent; printf '#!/bin/sh\\nexit 1\\n' > %1$s/bin/apt-get; "
                           DEPS MAKE " B=%1$s/c deps %1$s/c/src/base/text.o"), 2);
    says("make deps has failed");
    says_not("cc src");
}
END_TEST

/* ---- README ----------------------------------------------------------------------------------------------------- */

static const char COPY[] = "mkdir -p %1$s/tests %1$s/.ci %1$s/src/build && cp src/build/*.mk %1$s/src/build/ && cp README.md EXPERIMENTS.md INSTALL.md WALKTHROUGHS.md Makefile %1$s/ && cp .ci/run %1$s/.ci/ &&"
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
    ck_assert_int_eq(shell("cd %1$s && sed -i 's/SAMPLE=4\t.*/SAMPLE=4/' tests/readme_commands.txt && " README), 1);
    says("no reason why not literally: make mutants\n");
}
END_TEST

/* README's picture of the page: what the browser drew, and of which sentences; nothing where there is none. */
START_TEST(picture_of_the_page)
{
#define PICTURE "env -u MAKEFLAGS sh src/build/picture.sh %1$s/page.html %1$s/page.png %1$s/list"
    ck_assert_int_eq(shell("mkdir -p %1$s/bin && echo page > %1$s/page.html && printf 'about\npractice,a\ntheory,b\npractice,c\n' > %1$s/list"), 0);
    ck_assert_int_eq(shell("mkdir -p %1$s/none && for p in dirname basename mktemp rm sh env; do ln -sf $(command -v $p) %1$s/none/; done; "
                           "env PATH=%1$s/none sh src/build/picture.sh %1$s/page.html %1$s/page.png %1$s/list"), 2);
    says("make picture: chromium or google-chrome is missing");
    ck_assert_int_eq(shell("printf '#!/bin/sh\nexit 0\n' > %1$s/bin/chromium && chmod +x %1$s/bin/chromium; PATH=%1$s/bin:$PATH; " PICTURE), 1);
    says("make picture: chromium has drawn no picture of ");
    ck_assert_int_eq(shell("printf '#!/bin/sh\nfor a; do case $a in --screenshot=*) echo drawn > \"${a#*=}\" ;; file://*) cat \"${a#file://}\" ;; "
                           "esac; done\n' > %1$s/bin/chromium; PATH=%1$s/bin:$PATH; " PICTURE " && cat %1$s/page.png %1$s/page.png.sha256"), 0);
    says("page.png: 0 kB, by chromium\ndrawn\n");
    ck_assert_int_eq(shell("cd %1$s && [ \"$(cat page.png.sha256)\" = \"$(sha256sum < page.png | cut -c1-64)  picture\n"
                           "$(printf 'practice,a\npractice,c\n' | sha256sum | cut -c1-64)  shows\" ]"), 0);
    ck_assert_int_eq(shell("rm %1$s/page.html; PATH=%1$s/bin:$PATH; " PICTURE), 2);
    says("page.html; run make check");
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

/* What no theorem may use, in whatever place; what looks like it in a text or a comment is no use. */
START_TEST(what_no_body_uses_is_named)
{
    static const struct { const char *line, *says; } no[] = {
        { "#include \"src/claim/induction_layer.h\"", "no theorem includes it" },
        { "#include <time.h>", "no theorem includes it" },
        { "long f(trial *t) { return t -> record.nchecks; }", "what was checked is the runner's" },
        { "bool f(trial *t) { return t->s.R->prime; }", "claim_over asks for the arithmetic" },
        { "bool f(const mat *A) { return A->R->kind == 5; }", "claim_over asks for the arithmetic" },
        { "const char *f(const mat *A) { return A->R->name; }", "claim_over asks for the arithmetic" },
        { "int f(void) { return SYMBOLIC; }", "claim_over asks for the arithmetic" },
        { "bool f(scope *s) { return s->status == HOLDS; }", "what a scope came to is the runner's" },
        { "void f(scope *s) { s->draws = 0; }", "what a scope came to is the runner's" },
        { "long f(const layer_site *at) { return at->number->is; }", "which layer it is in" },
        { "void f(trial *t) { scope own = t->s; }", "one trial and one scope" },
        { "void f(scope *s) { scope_close(s); }", "one scope, the trial's" },
        { "void f(trial *t) { t->number = 3; }", "the runner sets it" },
        { "void f(trial *t) { t->widest = 1; }", "the runner sets it" },
        { "estimate is = { 3, 2, 4, 1, 5 };", "a figure comes from measure_*" },
        { "void f(trial *t) { g(t, (estimate){ 3, 2, 4, 1, 5 }); }", "a figure comes from measure_*" },
        { "void f(estimate e) { e.least = -1e9; }", "a figure comes from measure_*" },
        { "void f(trial *t) { claim_enclosed(t, \"pi\", (comparison){ 0 }); }", "what two quantities came to" },
        { "extern long hidden;", "a theorem is what its text says" },
        { "#  ifdef OTHER", "a theorem is what its text says" },
        /* the same by another spelling, beside what looks like a text or a comment, or by another name */
        { "/* */ #include \"src/claim/induction_layer.h\"", "no theorem includes it" },
        { "#include \"tests/false/false.h\"", "no theorem includes it" },
        { "%:include <time.h>", "a token has one spelling" },
        { "?\?=include <time.h>", "a token has one spelling" },
        { "long f(trial *t) { return t->rec\\\nord.nchecks; }", "a token has one spelling" },
        { "long f(trial *t) { char c = '\"'; t->record.nchecks = 0; c = '\"'; }", "what was checked is the runner's" },
        { "/* \" */ void f(trial *t) { t->record.nchecks = 0; } /* \" */", "what was checked is the runner's" },
        { "// /*", "comments are /* */" },
        { "const char *f(void) { return \"a\\", "a text ends in its line" },
        { "#define mat_mul mat_add", "a theorem is what its text says" },
        { "const mat *f(scope *s) __asm__(\"mat_add\");", "a theorem is what its text says" },
        { "long \xce\x91 = 3;", "a theorem is what its text says" },
        { "void f(trial *t) { memset(t, 0, 8); }", "it takes no object by its bytes" },
        { "bool *f(const mat *A) { return (bool *)A; }", "for one of another type" },
        { "void f(trial *t) { void *p = t; }", "for one of another type" },
        { "void f(void) { random_forget(); }", "what a body drew or asked is the runner's" },
        { "void f(void) { mat_forget_values(); }", "what a body drew or asked is the runner's" },
        { "bool f(trial *t) { return t->s.plan != NULL; }", "the models that are asked for are t->sh" },
        { "bool f(mat *A) { return A->given; }", "the library keeps it" },
        { "bool f(trial *t) { return t->seed == 1; }", "a body is the same for every run" },
        { "void f(trial *t) { trial *before = t; }", "one trial and one scope" },
        { "void f(trial *t) { *t = g(); }", "one trial and one scope" },
    };
    temp_text(scratch, "good.c", "#include \"src/claim/claim.h\"\n/* t->record\n * s->status */\n"
              "void f(trial *t) { g(t, \"scope_open\"); }\n"
              "/* a \" and a ' */ static const char c = '\"', *const d = \"/* t->record '\"; /* // */\n"
              "static long e(const char *of, ...) { return *(const long *)of; }\n"
              "#define ALL(...) \\\n    __VA_ARGS__\n"
              "static const part parts[] = { { .kind = PART_GAP } };\n");
    ck_assert_int_eq(shell("sh tests/bodies.sh '' %1$s/good.c"), 0);
    ck_assert_str_eq(output, "");
    for (size_t k = 0; k < COUNT(no); k++) {
        temp_text(scratch, "bad.c", temp_format("/* one\n * two */ /* three */\n%s\n", no[k].line));
        ck_assert_int_eq(shell("sh tests/bodies.sh '' %1$s/bad.c"), 1);
        says("bad.c:3: ");
        says(no[k].says);
    }
}
END_TEST

/* Calls that end early without a word, in whatever file of the product. */
START_TEST(what_ends_early_is_named)
{
    static const char *const no[] = { "getline(&line, &room, f)", "fgets (line, 9, f)", "getdelim(&line, &room, 0, f)",
                                      "argp_parse(&parser, argc, argv, 0, NULL, NULL)", "popen(\"ls\", \"r\")" };
    ck_assert_int_eq(shell("cd %1$s && mkdir -p src/base numerics theorems cuda"), 0);
    for (size_t k = 0; k < COUNT(no); k++) {
        temp_text(scratch, "cuda/x.cu", temp_format("void f(void)\n{\n    if (%s) g();\n}\n", no[k]));
        ck_assert_int_eq(shell("sh tests/lines.sh %1$s"), 1);
        says("cuda/x.cu:3:");
    }
    temp_text(scratch, "cuda/x.cu", "void f(void) { my_getline(x); line_next(&l, f, path); }\n");
    temp_text(scratch, "src/base/option.c", "    const error_t why = argp_parse(parser, argc, argv, flags, NULL, input);\n");
    ck_assert_int_eq(shell("sh tests/lines.sh %1$s"), 0);
    ck_assert_str_eq(output, "");
}
END_TEST

/* A source file that names no licence is an error of `make lint`, whatever its kind; a file of Coq may do without. */
START_TEST(licence_of_each_file)
{
#define LICENCE "SPDX-License-Identifier: GPL-3.0-or-later"
    static const char *const file[] = { "src/base/x.c", "numerics/x.h", "cuda/x.cu", "tests/x.sh", "tests/x.awk", "tests/x.py", "src/build/x.mk" };
    ck_assert_int_eq(shell("cd %1$s && mkdir -p src/base src/build numerics theorems cuda tests .ci && "
                           "echo '# " LICENCE "' > Makefile && echo 'Theorem.' > theorems/x.v"), 0);
    for (size_t k = 0; k < COUNT(file); k++) temp_text(scratch, file[k], "/* " LICENCE "\n * x. */\n");
    ck_assert_int_eq(shell("sh tests/licence.sh %1$s"), 0);
    ck_assert_str_eq(output, "");
    for (size_t k = 0; k < COUNT(file); k++) {
        temp_text(scratch, file[k], "one\ntwo\nthree\n/* " LICENCE " */\n");
        ck_assert_int_eq(shell("sh tests/licence.sh %1$s"), 1);
        says(file[k]);
        temp_text(scratch, file[k], "#!/bin/sh\n# " LICENCE "\n");
    }
}
END_TEST

/* Nothing is kept from one trial to the next: not in a variable of a file, nor in one of a function. */
START_TEST(what_a_body_keeps_is_named)
{
    static const struct { const char *text, *says; } of[] = {
        { "static const char *const names[] = { \"a\" }; const char *f(int i) { return names[i]; }", "" },
        { "static long kept; long f(void) { return kept++; }", "kept keeps something" },
        { "long f(void) { static long first = 7; return first++; }", "keeps something" },
        { "static const char *last = \"a\"; void g(const char *to) { last = to; } const char *f(void) { return last; }",
          "last keeps something" },
        { "long all;", "all keeps something" },
    };
    for (size_t k = 0; k < COUNT(of); k++) {
        temp_text(scratch, "body.c", of[k].text);
        ck_assert_int_eq(shell("cd %1$s && mkdir -p b && cc -O1 -c body.c -o b/body.o &&"
                               " sh \"$OLDPWD/tests/bodies.sh\" b body.c"),
                         *of[k].says != '\0');
        says(of[k].says);
    }
}
END_TEST

/* By whatever name its text calls it: what is not the library's and remembers something, and what no text may name. */
START_TEST(what_a_body_calls_is_named)
{
    static const struct { const char *text, *says; } of[] = {
        { "int mat_add(int); unsigned long strlen(const char *); long f(void) { return mat_add(1) + (long)strlen(\"\"); }", "" },
        { "int rand(void); long f(void) { return rand(); }", "body.c: calls rand\n" },
        { "int sum(int) __asm__(\"check_record\"); long f(void) { return sum(1); }", "body.c: calls check_record\n" },
        { "int mat_of_a_later_library(int); long f(void) { return mat_of_a_later_library(1); }", "body.c: calls mat_of_a_later" },
    };
    ck_assert_int_eq(shell("cd %1$s && mkdir -p b && echo 'int mat_add(int x) { return x; } int check_record(int x) { return x; }' > all.c"
                           " && cc -shared -fPIC all.c -o b/libprovably.so"), 0);
    for (size_t k = 0; k < COUNT(of); k++) {
        temp_text(scratch, "body.c", of[k].text);
        ck_assert_int_eq(shell("cd %1$s && cc -O1 -fno-builtin -c body.c -o b/body.o && sh \"$OLDPWD/tests/bodies.sh\" b body.c"),
                         *of[k].says != '\0');
        says(of[k].says);
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
    static const char GOOD[] = "100%: Checks: 5, Failures: 0, Errors: 0\n", BAD[] = "tests/t_x.c:12:F:core:name:0: it is 3\n50%: Checks: 2, Failures: 1, Errors: 0\n";
    static const char SUM[] = "cd %1$s && awk -f \"$OLDPWD/tests/sum.awk\" ";
    temp_text(scratch, "good", GOOD);
    temp_text(scratch, "bad", BAD);
    temp_text(scratch, "died", "Running suite(s): died\n");
    temp_text(scratch, "silent", "");
    static const struct { const char *files, *says; int status; } try[] = {
        { "good good", "100%: Checks: 10, Failures: 0, Errors: 0\n", 0 },
        { "good bad", "bad: tests/t_x.c:12:F:core:name:0: it is 3\n85%: Checks: 7, Failures: 1, Errors: 0\n", 1 },
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

static TCase *add_case(Suite *suite, const char *name)
{
    TCase *tests = tcase_create(name);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    return tests;
}

/* ---- CUDA: a compiler that only says what it could do ----------------------------------------------------------- */

#define NVCC(lists) "printf '%%s\\n' '#!/bin/sh' '[ \"$1\" != --list-gpu-code ] || echo " lists "' > '%1$s/nvcc'; chmod +x '%1$s/nvcc'; "
#define KERNEL " -n CUDA=1 B='%1$s/b' NVCC='%1$s/nvcc' %1$s/b/cuda/norm.cu.o"

START_TEST(kernels_are_for_what_the_toolkit_knows)
{
    static const char *const image[] = { "sm_80", "sm_90", "sm_100", "sm_120" };
    ck_assert_int_eq(shell(NVCC("sm_75 sm_80 sm_86 sm_90 sm_100 sm_103 sm_120 sm_121") MAKE KERNEL), 0);
    for (size_t k = 0; k < COUNT(image); k++)
        says(temp_format("-gencode arch=compute_%s,code=%s ", image[k] + 3, image[k]));
    says("-gencode arch=compute_80,code=compute_80 ");       /* for a GPU of tomorrow */
    says_not("sm_75");
    ck_assert_int_eq(shell(NVCC("sm_80 sm_90") MAKE KERNEL), 0);
    says("-gencode arch=compute_90,code=sm_90 ");
    says_not("_120");
    ck_assert_int_eq(shell(NVCC("sm_80 sm_90") MAKE KERNEL " CUDA_ARCH=sm_89"), 0);
    says("-gencode arch=compute_89,code=sm_89 -gencode arch=compute_89,code=compute_89 ");
    says_not("_90");
    ck_assert_int_eq(shell(NVCC("sm_60") MAKE " CUDA=1 B='%1$s/b' NVCC='%1$s/nvcc' toolkit"), 2);
    says("/nvcc compiles for none of the GPUs that can be used (sm_80 and later)");
}
END_TEST

#if defined __x86_64__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
START_TEST(programs_without_avx512)
{
    ck_assert_int_eq(shell(MAKE " -n ISA=sse all"), 2);
    says("ISA=sse: the only choice is avx2");
    ck_assert_int_eq(shell(MAKE " -s ISA=avx2 B='%1$s/b' '%1$s/b/src/train/cpu/cpu_activation.o' && nm '%1$s/b/src/train/cpu/cpu_activation.o'"), 0);
    says("activation_piece.avx2");
    says_not("avx512");
    temp_text(scratch, "has.c", "#include <stdio.h>\nint main(void) { printf(\"%d %d\", __builtin_cpu_supports(\"avx512f\") != 0, "
              "__builtin_cpu_supports(\"sse2\") != 0); return 0; }\n");
    ck_assert_int_eq(shell("cc -include tests/support/avx2_alone.h '%1$s/has.c' -o '%1$s/has' && '%1$s/has'"), 0);
    says("0 1");
}
END_TEST
#endif

START_TEST(warnings_are_errors_for_developers)
{
    ck_assert_int_eq(shell(NVCC("sm_80") MAKE KERNEL), 0);
    says_not("-Werror");
    ck_assert_int_eq(shell(NVCC("sm_80") MAKE KERNEL " WERROR=-Werror"), 0);
    says("-Werror all-warnings ");
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("make");
    TCase *tests;
    tests = add_case(suite, "variables");
    tcase_add_test(tests, reproduce_without_data);
    tcase_add_test(tests, reproduce_with_data);
    tcase_add_test(tests, environment_is_not_read);
    tcase_add_test(tests, users_results_are_no_records);
    tcase_add_test(tests, report_adds_the_pdf);
    tcase_add_test(tests, capitals_are_announced);
    tests = add_case(suite, "check");
    tcase_add_test(tests, failing_program);
    tcase_add_test(tests, nothing_runs_twice);
    tcase_add_test(tests, documents_and_records_build_nothing);
    tcase_add_test(tests, dry_runs_write_nothing);
    tcase_add_test(tests, other_flags_build_again);
    tcase_add_test(tests, the_environment_decides_nothing);
    tcase_add_test(tests, an_unknown_commit_is_explained);
    tcase_add_test(tests, one_claim_alone);
    tcase_add_test(tests, certificates_are_read_again);
    tcase_add_test(tests, kernel_has_accepted_other_certificates);
    tcase_add_test(tests, interrupted_evidence_does_not_count);
    tcase_add_test(tests, progress_on_a_terminal);
    tcase_add_test(tests, what_is_left);
    tcase_add_test(tests, errors_are_whole);
    tests = add_case(suite, "deps");
    tcase_add_test(tests, removal_is_asked_for);
    tcase_add_test(tests, apt_is_announced);
    tcase_add_test(tests, any_curl_will_do);
    tcase_add_test(tests, one_apt_at_a_time);
    tcase_add_test(tests, packages_come_first);
    tests = add_case(suite, "rules");
    tcase_add_test(tests, what_is_shown_is_run);
    tcase_add_test(tests, picture_of_the_page);
    tcase_add_test(tests, an_upward_include_is_named);
    tcase_add_test(tests, circles_are_named);
    tcase_add_test(tests, what_ends_early_is_named);
    tcase_add_test(tests, licence_of_each_file);
    tcase_add_test(tests, suites_that_die_are_counted);
    tcase_add_test(tests, kernels_are_for_what_the_toolkit_knows);
#if defined __x86_64__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
    tcase_add_test(tests, programs_without_avx512);
#endif
    tcase_add_test(tests, warnings_are_errors_for_developers);
    tests = add_case(suite, "bodies");
    tcase_add_test(tests, what_no_body_uses_is_named);
    tcase_add_test(tests, what_a_body_keeps_is_named);
    tcase_add_test(tests, what_a_body_calls_is_named);
    return run_suite(suite, argc, argv);
}
