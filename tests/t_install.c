/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_install.c - what is made for others: `make install`, whose programs work from any folder and of which uninstall leaves
 * nothing; manual pages and the completion of shells, which say what the programs say; the tarball of the source.
 *
 * A small tree in a scratch folder has the real Makefile and scripts, two theorems, and the programs of $BUILD. */
#include <stdlib.h>
#include <string.h>
#include "tests/support/files.h"
#include "tests/support/suite.h"

#define MAKE "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u B -u CC -u DESTDIR -u STRIP make"
enum { ROOM = 1 << 18 };
static char output[ROOM];
static char *scratch, *built;

/* In the scratch folder; $built is the folder of the real programs. */
static int shell(const char *command)
{
    return run_command(output, sizeof output, "built='%s'; cd '%s' && { %s\n}", built, scratch, command);
}
static void good(const char *command)
{
    ck_assert_msg(shell(command) == 0, "%s: %.2000s", command, output);
}
static void says(const char *what) { ck_assert_msg(strstr(output, what) != NULL, "missing: %s\nin: %.2000s", what, output); }
static void says_not(const char *what)
{
    ck_assert_msg(strstr(output, what) == NULL, "unwanted: %s\nin: %.2000s", what, output);
}
static void is(const char *what)
{
    ck_assert_msg(strcmp(output, what) == 0, "it says: %.2000s\ninstead of: %.1000s", output, what);
}
static void setup(void)
{
    scratch = temp_folder();
    built = realpath(build_folder(), NULL);
    ck_assert_ptr_nonnull(built);
    ck_assert_int_eq(run_command(output, sizeof output,
        "t='%s/the tree' && mkdir -p \"$t/src\" \"$t/theorems\" \"$t/build/theorems\" && cp -r Makefile LICENSE *.md CITATION.cff \"$t\" &&"
        " mkdir \"$t/tests\" && cp tests/*.sh tests/*.awk \"$t/tests\" && cp -r src/base src/build src/cli src/proofcheck \"$t/src\" && mkdir \"$t/numerics\" \"$t/reports\" && cp numerics/arith.h \"$t/numerics\" && mkdir \"$t/reports/out\" &&"
        " : > \"$t/reports/out/summary.csv\" &&"
        " mkdir \"$t/src/checkpoint\" && cp -r src/checkpoint/architectures \"$t/src/checkpoint\" &&"
        " cp -r reports/*.csv reports/*.md reports/*.tex reports/models reports/results \"$t/reports\" && cd \"$t\" &&"
        " : > theorems/n1.c && : > theorems/k_t4_4.c && ln -s '%s/provably' '%s/libprovably.so' '%s/proofcheck' build/",
        scratch, built, built, built), 0);
}
static void write_manual(void) { good("cd 'the tree' && sh src/cli/manual.sh build build/man 0.1 2026-11-22"); }
static void teardown(void)
{
    free(built);
    ck_assert_int_eq(run_command(output, sizeof output, "rm -rf '%s'", scratch), 0);
}

/* ---- make install ------------------------------------------------------------------------------------------------- */

#define INSTALL "cd 'the tree' && " MAKE " -s install STRIP=: DESTDIR=\"$OLDPWD/a stage\" "

/* What INSTALL.md says of the size, "about": within 15 %. */
START_TEST(the_size_that_is_said)
{
    write_manual();
    good("cd 'the tree' && " MAKE " -s install DESTDIR=\"$OLDPWD/a stage\" PREFIX=/opt/p >/dev/null && du -sb \"$OLDPWD/a stage\" | cut -f1");
    const double bytes = strtod(output, NULL);
    good("sed -n 's/^It takes about \\([0-9]*\\) MB\\..*/\\1/p' 'the tree/INSTALL.md'");
    const double said = 1e6 * strtod(output, NULL);
    ck_assert_msg(said > 0 && bytes > 0.85 * said && bytes < 1.15 * said, "INSTALL.md: about %.0f MB; measured %.1f MB", said / 1e6, bytes / 1e6);
}
END_TEST

START_TEST(installed_programs_work_anywhere)
{
    write_manual();
    good(INSTALL "PREFIX=/opt/p");
    says(" files in ");
    good("cd /; at=$OLDPWD/'a stage'/opt/p; \"$at/bin/provably\" list | grep -c '^K-T4.4 ' && \"$at/bin/provably\" run N1 --arith=q --scale=quick");
    says("1\n");
    says("N1 ");
    good("cd /; at=$OLDPWD/'a stage'/opt/p; cp -r \"$at\" \"$at.moved\"; \"$at.moved/bin/provably\" run K-T4.4 --list");
    says("as-stated-tied");
    good("cd /; at=$OLDPWD/'a stage'/opt/p; \"$at/bin/provably\" show T4.4");
    says("K-T4.4");
    says("PROVED");                                 /* nothing was run there: the verdict that was agreed on */
    good("find 'a stage/opt/p' ! -type d | sed 's|^a stage/opt/p/||' | sort");
    says("bin/proofcheck\nbin/provably\nlib/provably/libprovably.so\nlibexec/provably/theorems/k_t4_4\nlibexec/provably/theorems/n1\n");
    good("cd /; at=$OLDPWD/'a stage'/opt/p; \"$at/libexec/provably/theorems/k_t4_4\" --list");        /* a link to provably */
    says("K-T4.4  ");
    good("cd /; at=$OLDPWD/'a stage'/opt/p; \"$at/bin/provably\" check --only=K-T4.4 --scale=quick --trials=1 --evidence=\"$at/e/evidence\" &&"
         " ls \"$at/e/evidence/k_t4_4.accepted\" && \"$at/bin/provably\" check --only=K-T4.4 --scale=quick --trials=1 --evidence=\"$at/e/evidence\"; rm -r \"$at/e\"");
    says("[  1/1] K-T4.4\n");
    says("k_t4_4.accepted\n");
    good("find 'a stage/opt/p' ! -type d | sed 's|^a stage/opt/p/||' | sort");
    says("share/bash-completion/completions/provably\n");
    says("share/doc/provably/CERTIFICATES.md\n");
    says("share/doc/provably/LICENSE\n");
    says("share/fish/vendor_completions.d/provably.fish\n");
    says("share/man/man1/proofcheck.1\n");
    says("share/man/man1/provably-train.1\n");
    says("share/provably/architectures/README.md\n");
    says("share/provably/architectures/llama.json\n");
    says("share/provably/claims.csv\n");
    says("share/provably/models/theorem-4.4.conf\n");
    says("share/provably/report.tex\n");
    says("share/provably/results/quick.csv\n");
    says("share/provably/verdicts.csv\n");
    says("share/zsh/site-functions/_provably\n");
    says_not("summary.csv");
    good("cd /; at=$OLDPWD/'a stage'/opt/p; f=$OLDPWD/x.safetensors; h='{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}';"
         " { printf '\\066\\0\\0\\0\\0\\0\\0\\0%s\\0\\0\\0\\0' \"$h\"; } > \"$f\"; \"$at/bin/provably\" inspect \"$f\";"
         " rm \"$at/share/provably/architectures/llama.json\"; \"$at/bin/provably\" inspect \"$f\" || echo status $?");
    says("no tensor has a name of an architecture");
    says("architectures/llama.json");                /* what is missing there is no weaker answer            */
    says("status 2\n");
}
END_TEST
START_TEST(uninstall_leaves_nothing)
{
    write_manual();
    good("mkdir -p 'a stage/opt/p/bin' && echo mine > 'a stage/opt/p/bin/mine'");
    good(INSTALL "PREFIX=/opt/p");
    good("cd 'the tree' && rm theorems/n1.c");        /* a version without it: the old program goes, its folder is known still */
    good(INSTALL "PREFIX=/opt/p");
    good("! ls 'a stage/opt/p/libexec/provably/theorems/n1' && ls 'a stage/opt/p/libexec/provably/theorems/k_t4_4'");
    good("cd 'the tree' && " MAKE " -s uninstall DESTDIR=\"$OLDPWD/a stage\" PREFIX=/opt/p; cd .. && find 'a stage' | sort");
    says("a stage\na stage/opt\na stage/opt/p\na stage/opt/p/bin\na stage/opt/p/bin/mine\n");
    says_not("provably\n");
    good(INSTALL "PREFIX=/usr");
    good("cd 'the tree' && " MAKE " -s uninstall DESTDIR=\"$OLDPWD/a stage\" PREFIX=/usr && ls \"$OLDPWD/a stage\"");
    says("\nopt\n");
    says_not("\nusr\n");
    ck_assert_int_eq(shell("cd 'the tree' && " MAKE " uninstall DESTDIR=\"$OLDPWD/a stage\""), 2);
    says("make uninstall: nothing is installed in ");
}
END_TEST
START_TEST(install_builds_and_half_writes_nothing)
{
    write_manual();
    ck_assert_int_eq(shell("cd 'the tree' && rm build/libprovably.so && cd .. && " INSTALL), 2);
    says("make install: build/libprovably.so is not built; run make check first\n");
    ck_assert_int_eq(shell("ls 'a stage'"), 2);
    ck_assert_int_eq(shell("ln -s \"$built/libprovably.so\" 'the tree/build/' && : > file && " INSTALL "PREFIX=\"$OLDPWD/file\" DESTDIR="), 2);
    says("make install: cannot make ");
    says("install as root, or say PREFIX=$HOME/.local\n");
    ck_assert_int_eq(shell(INSTALL "PREFIX=here"), 2);
    says("PREFIX must begin with /, not 'here'");
    good("touch stamp; sleep 0.01; umask 027; " INSTALL "; cd ..; find 'the tree' -newer stamp -type f");
    says_not("the tree");                           /* nothing was written there */
    good("stat -c '%a %n' 'a stage'/usr/local/bin/provably 'a stage'/usr/local/share/provably/claims.csv 'a stage'/usr/local/bin");
    says("750 a stage/usr/local/bin/provably\n640 a stage/usr/local/share/provably/claims.csv\n750 a stage/usr/local/bin\n");
    good("cp \"$built/proofcheck\" stripped && strip stripped && cd 'the tree' && " MAKE " -s install DESTDIR=\"$OLDPWD/a stage\" && cd .. &&"
         " cmp stripped 'a stage/usr/local/bin/proofcheck'");
}
END_TEST

/* A disk that is full, or a limit on the size of files: what was installed is whole, the list names all there is. */
START_TEST(a_full_disk_loses_nothing)
{
    write_manual();
    ck_assert_int_eq(shell("ulimit -f 2000; " INSTALL "PREFIX=/opt/p"), 2);         /* 1 MB */
    says("make install: cannot write ");
    says("/opt/p/bin/provably.provably-new, and nothing was replaced: File too large; raise `ulimit -f`\n");
    good("find 'a stage' -type f");
    is("a stage/opt/p/share/provably/installed\n");
    good("cd 'the tree' && " MAKE " -s uninstall DESTDIR=\"$OLDPWD/a stage\" PREFIX=/opt/p; cd .. && find 'a stage'");
    says("\na stage\n");
    says_not("stage/opt\n");
    good(INSTALL "PREFIX=/opt/p; cd ..; find 'a stage' -type f | sort | tr '\\n' '\\0' | xargs -0 sha256sum > before");
    good("echo '#!/bin/sh' > 'the tree/build/new' && cd 'the tree' && rm reports/verdicts.csv && rm build/proofcheck && mv build/new build/proofcheck");
    ck_assert_int_eq(shell("ulimit -f 2000; " INSTALL "PREFIX=/opt/p"), 2);
    good("sha256sum --quiet --check before 2>&1 | grep -v installed; find 'a stage' -name '*-new'");
    says_not("FAILED\na stage");
    says_not("provably-new");
    says_not("bin/");
    good(INSTALL "PREFIX=/opt/p; cd ..; cat 'a stage/opt/p/bin/proofcheck'; ls 'a stage/opt/p/share/provably'");
    says("#!/bin/sh\n");
    says_not("verdicts.csv");
}
END_TEST
START_TEST(paths_may_have_blanks_and_quotes)
{
    write_manual();
    good("cd 'the tree' && " MAKE " -s install STRIP=: DESTDIR=\"$OLDPWD/it's \\\"a\\\" stage\" PREFIX=\"/o  p't\" && cd .. &&"
         " \"it's \\\"a\\\" stage/o  p't/bin/provably\" list | grep -c '^K-T4.4 '");
    says("\n1\n");
    good("cd 'the tree' && " MAKE " -s uninstall DESTDIR=\"$OLDPWD/it's \\\"a\\\" stage\" PREFIX=\"/o  p't\" && find .. -name \"*p't*\"");
    says("removed from");
    says_not("\n..");
}
END_TEST
START_TEST(installed_programs_name_their_commit)
{
    write_manual();
    good("echo 0123456789ab-dirty > 'the tree/build/commit' && " INSTALL "PREFIX=/opt/p; cd ..; at='a stage/opt/p';"
         " for p in bin/provably libexec/provably/theorems/n1; do \"$at/$p\" --version | head -n 1; done; \"$at/bin/proofcheck\" --version;"
         " echo 'not a commit' > \"$at/share/provably/commit\"; \"$at/bin/provably\" --version | head -n 1;"
         " rm \"$at/share/provably/commit\"; \"$at/bin/provably\" --version | head -n 1");
    says("\nprovably 0.1 (0123456789ab-dirty)\nn1 0.1 (0123456789ab-dirty)\nproofcheck 0.1\nprovably 0.1 (unknown)\nprovably 0.1 (unknown)\n");
    good("cd 'the tree' && sed -n 's/^version: \"\\(.*\\)\"/proofcheck \\1/p' CITATION.cff");
    is("proofcheck 0.1\n");
}
END_TEST

/* ---- the manual and completion ---------------------------------------------------------------------------------------- */

/* Every command and every option that --help shows is in the manual, and every page is well formed. */
START_TEST(the_manual_says_what_help_says)
{
    write_manual();
    good("cd 'the tree/build' && for c in $(./provably complete ''); do test -s man/provably-$c.1 || echo \"no page: $c\";"
         " ./provably $c --help 2>/dev/null | grep -oE '^ +(-., )?--[a-z][a-z0-9-]*' | grep -o -e '--.*' | while read -r o; do"
         " sed 's/[\\]//g' man/provably-$c.1 | grep -qF -- \"$o\" || echo \"not in the manual: $c $o\"; done; done");
    is("");
    good("cd 'the tree' && sed -n 's/^version: \"\\(.*\\)\"/provably \\1/p' CITATION.cff; build/provably --version | sed '1s/ (.*//;1q'");
    is("provably 0.1\nprovably 0.1\n");            /* the pages' version is the program's */
    good("cd 'the tree/build/man' && grep -c '' provably-train.1 && cat provably-report.1 proofcheck.1 provably.1");
    says(".TH PROVABLY\\-REPORT 1 2026-11-22 \"provably 0.1\" \"User Commands\"\n.SH NAME\nprovably\\-report \\- write the verdict table");
    says(".SH SYNOPSIS\n.B provably report\n[OPTION...]\n.SH DESCRIPTION\nWrites the verdict table");
    says(".TP\n.B \\-\\-quiet\ndo not print the table\n");
    says(".TP\n.B \\-\\-partial\nthe evidence comes from a filtered run: give no\nverdicts\n.TP\n");
    says(".B \\-\\-statements=LIST\n");
    says(".SH EXIT STATUS\n0 all are accepted, 1 some are rejected, 2 some cannot be read.\n");
    says(".BR provably\\-train (1)");
    good("printf 'Usage: x y [-a]\\n             [-b] NAME\\nSays.\\n\\n  one   1\\n\\n  two   .2\\n\\n Group\\n  -q\\n' |"
         " awk -f 'the tree/src/cli/manual.awk' -v name=x-y -v does=d -v see=s | sed '1,/^x/d'");
    is(".SH SYNOPSIS\n.B x y\n[\\-a]\n[\\-b]\nNAME\n.SH DESCRIPTION\nSays.\n.PP\n.RS 4\n.nf\n  one   1\n\n  two   .2\n"
       ".fi\n.RE\n.SH OPTIONS\n.SS Group\n.TP\n.B \\-q\n.SH SEE ALSO\ns\n");
    /* NAME is one line, `page \- words`, as lexgrog reads it; each page has an example, whose options it explains. */
    good("cd 'the tree/build/man' && for f in *.1; do name=$(sed -n '/^.SH NAME/,/^.SH SYN/p' $f | sed '/^[.]SH/d;s/[\\\\]//g' | tr '\\n' ' ');"
         " echo \"$name\" | grep -q \"^${f%.1} - [a-zA-Z].*[a-z)] *$\" || echo \"no name: $f: $name\";"
         " ! command -v lexgrog >/dev/null || lexgrog $f >/dev/null || echo \"lexgrog: $f\";"
         " example=$(sed -n '/^.SH EXAMPLES/,/^.fi/p' $f | sed 1,2d\\;s/[\\\\]//g\\;/^.fi/d); [ -n \"$example\" ] || echo \"no example: $f\";"
         " for o in $(echo \"$example\" | grep -o -e '--[a-z][a-z-]*'); do sed 's/[\\\\]//g' $f | grep -c -e \"$o\" | grep -qx 1 && echo \"$f: $o\"; done; done; true");
    is("");
    good("command -v mandoc >/dev/null || exit 0; for f in 'the tree'/build/man/*.1; do mandoc -Tlint \"$f\"; done");
    is("");
}
END_TEST
START_TEST(the_program_completes)
{
    static const struct { const char *words, *prints; } line[] = {
        { "rep", "report\nreproduce\n" },        { "zzz", "" },                 { "zzz x", "" },
        { "run K-T4.", "K-T4.2\nK-T4.3\nK-T4.4\n" },
        { "run K-T4.4 --tri", "--trial=\n--trials=\n" },
        { "run K-T4.4 --li", "--list\n" },
        { "run K-T4.4 x", "" },
        { "report --p", "--partial\n--pdf\n" },
        { "report x", "" },
        { "audit --claim=K-T4.", "--claim=K-T4.2\n--claim=K-T4.3\n--claim=K-T4.4\n" },
        { "reproduce gpt-1", "gpt-100k\n" },
        { "data en", "encode\n" },               { "data encode --bp", "--bpe=\n" },
        { "run 'x;echo \"  --loud\"' --l", "" } };
    for (size_t k = 0; k < COUNT(line); k++) {
        char *command = temp_format("'the tree/build/provably' complete %s", line[k].words);
        good(command);
        ck_assert_msg(strcmp(output, line[k].prints) == 0, "%s: %s", line[k].words, output);
    }
}
END_TEST
START_TEST(shells_complete)
{
    good("wc -l < 'the tree/reports/claims.csv'");
    const long claims = strtol(output, NULL, 10) - 1;
    good("export PATH=\"$PWD/the tree/build:$PATH\"; command -v bash >/dev/null || exit 0; cat > try.bash <<'END'\n"
         "source 'the tree/src/cli/complete.bash'\n"
         "try() { COMP_LINE=$1 COMP_POINT=${#1}; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _provably; echo \"${COMPREPLY[*]}\"; }\n"
         "try 'provably rep' provably rep\n"
         "try 'provably run K-T4.' provably run K-T4.\n"
         "try 'provably run ' provably run '' | wc -w\n"
         "try 'provably audit --claim=K-T4.' provably audit --claim = K-T4.\n"
         "try 'provably audit --claim=' provably audit --claim = | wc -w\n"
         "try 'provably absorb W' provably absorb W\n"
         "END\nbash try.bash");
    says("report reproduce\nK-T4.2 K-T4.3 K-T4.4\n");
    char *all = temp_format("\nK-T4.2 K-T4.3 K-T4.4\n%ld\n\n", claims);
    says(all);
    good("export PATH=\"$PWD/the tree/build:$PATH\"; command -v zsh >/dev/null || exit 0; cat > try.zsh <<'END'\n"
         "compadd() { local a=${@[-1]}; print -l -- ${(P)a} } ; _files() { print files }\n"
         "try() { words=(\"$@\"); CURRENT=$#; source 'the tree/src/cli/complete.zsh' }\n"
         "try provably run K-T4.\ntry provably report --o\ntry provably absorb W\n"
         "END\n"
         "zsh -f try.zsh | tr '\\n' ' '");
    if (*output) is("K-T4.2 K-T4.3 K-T4.4 --out= files ");
    good("export PATH=\"$PWD/the tree/build:$PATH\"; command -v fish >/dev/null || exit 0; export HOME=$PWD;"
         " fish -N -c 'source \"the tree/src/cli/complete.fish\"; complete -C \"provably run K-T4.\"; complete -C \"provably rep\"'");
    if (*output) is("K-T4.2\nK-T4.3\nK-T4.4\nreport\nreproduce\n");
}
END_TEST

/* ---- make dist -------------------------------------------------------------------------------------------------------- */

#define GIT "git -c user.name=n -c user.email=e -c init.defaultBranch=main "
#define DIST "cd 'the tree' && rm -rf build && " GIT "init -q . && printf '/build*/\\n' > .gitignore && git add . && " GIT "commit -qm one && " \
    MAKE " -s dist && cd .. && "

START_TEST(the_tarball_has_the_same_bits)
{
    good(DIST "cp 'the tree/build/provably-0.1.tar.gz' one && cd 'the tree' && touch Makefile && umask 077 &&"
         " TZ=Asia/Tokyo LC_ALL=C.UTF-8 " MAKE " -s dist B=build-two && cmp build-two/provably-0.1.tar.gz ../one && ls build-two");
    is("build/provably-0.1.tar.gz\nbuild-two/provably-0.1.tar.gz\nprovably-0.1.tar.gz\n");
    good("tar -tvzf one | awk '{ print $1, $2 }' | sort -u");
    is("-rw-r--r-- 0/0\n-rwxr-xr-x 0/0\ndrwxr-xr-x 0/0\n");
    good("cd 'the tree' && echo '# changed' >> Makefile && " MAKE " -s dist && cmp build/provably-0.1.tar.gz ../one");
    says("make dist: changes that are not committed are left out\n");
}
END_TEST
/* Built inside another repository it names its own commit; a changed file is told; so is a folder without one. */
START_TEST(the_tarball_names_its_own_commit)
{
    good(DIST "mkdir -p 'another one' && cd 'another one' && " GIT "init -q . && " GIT "commit -q --allow-empty -m other && tar -xzf '../the tree/build/provably-0.1.tar.gz' &&"
         " cd provably-0.1 && : > theorems/n1.c && " MAKE " -s build/proofcheck build/commit && build/proofcheck --help >/dev/null &&"
         " cp \"$built/theorems/k_t4_4\" \"$built/libprovably.so\" build/ && build/k_t4_4 --version | sed 's/.*(//;s/).*//;q' && echo 1 && git -C '../../the tree' rev-parse --short=12 HEAD");
    char commit[13];
    ck_assert_int_eq(sscanf(strrchr(output, '\n') - 12, "%12s", commit), 1);
    char *both = temp_format("%s\n1\n%s\n", commit, commit);
    says(both);
    good("cd 'another one/provably-0.1' && " MAKE " -s build/commit && cat build/commit && echo '/* changed */' >> theorems/n1.c &&"
         " " MAKE " -s build/commit && cat build/commit && rm .commit && " MAKE " -s build/commit && cat build/commit");
    both = temp_format("%s\n%s-dirty\nunknown\n", commit, commit);
    is(both);
    ck_assert_int_eq(shell("cd 'another one/provably-0.1' && " MAKE " -s dist"), 2);
    says("make dist: needs the repository of the suite");
    good("cd 'the tree' && " MAKE " -s build/commit && cat build/commit && echo >> Makefile && " MAKE " -s build/commit && cat build/commit");
    both = temp_format("%s\n%s-dirty\n", commit, commit);
    is(both);
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

int main(int argc, char **argv)
{
    Suite *suite = suite_create("install");
    TCase *tests;
    tests = add_case(suite, "install");
    tcase_add_test(tests, the_size_that_is_said);
    tcase_add_test(tests, installed_programs_work_anywhere);
    tcase_add_test(tests, uninstall_leaves_nothing);
    tcase_add_test(tests, install_builds_and_half_writes_nothing);
    tcase_add_test(tests, a_full_disk_loses_nothing);
    tcase_add_test(tests, paths_may_have_blanks_and_quotes);
    tcase_add_test(tests, installed_programs_name_their_commit);
    tests = add_case(suite, "help");
    tcase_add_test(tests, the_manual_says_what_help_says);
    tcase_add_test(tests, the_program_completes);
    tcase_add_test(tests, shells_complete);
    tests = add_case(suite, "dist");
    tcase_add_test(tests, the_tarball_has_the_same_bits);
    tcase_add_test(tests, the_tarball_names_its_own_commit);
    return run_suite(suite, argc, argv);
}
