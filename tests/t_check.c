/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_check.c - `provably check`: what runs and what does not, what fails, hangs or is stopped, and what then counts.
 *
 * The programs are small scripts x_a, x_b and x_c in a folder of their own; do_NAME there is what one does besides.  `ran`
 * has a line for each run of one. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/support/files.h"
#include "tests/support/suite.h"

static char output[1 << 16];
static char *house, *programs;

static const char SCRIPT[] =
    "#!/bin/sh\n"
    "H=%s name=${0##*/} out= certificates=\n"
    "for w in \"$@\"; do case $w in\n"
    "--describe) echo \"id: $(echo $name | tr a-z_ A-Z-)\"; exit ;;\n"
    "--out=*) out=${w#*=} ;;\n--certificates=*) certificates=${w#*=} ;;\nesac; done\n"
    "echo \"$name $*\" >> $H/ran\n"
    "[ ! -e $H/do_$name ] || . $H/do_$name\n"
    "[ -z \"$out\" ] || echo row of $name > $out\n"
    "echo $name states > $certificates/$name.cert\n"
    "echo $name says\n";
static const char PROOFCHECK[] =
    "#!/bin/sh\nshift\n"
    "for f; do echo read >> %s/read; if grep -q wrong $f; then echo \"$f: rejected: line 1: no\"; s=1; else "
    "echo \"$f: accepted: X-A part, sym, 1 equations; heads 1; depth none; assumes: nothing; statement $(printf %%064d 7)\"; fi; done\n"
    "exit ${s:-0}\n";

static int shell(const char *command)                    /* in the house */
{
    return run_command(output, sizeof output, "cd %s; %s", house, command);
}
static int check(const char *options)
{
    return run_command(output, sizeof output, "cd %s; : > ran; : > read; PROVABLY_DATA=data %s/provably check --programs=theorems"
                       " --evidence=b/evidence --no-report --jobs=1 %s", house, programs, options);
}
static void says(const char *what) { ck_assert_msg(strstr(output, what) != NULL, "missing: %s\nin: %s", what, output); }
static void says_not(const char *what) { ck_assert_msg(!strstr(output, what), "unwanted: %s\nin: %s", what, output); }

/* It ends with the status, and these programs have run, in whatever order. */
static void checks(const char *options, int status, const char *ran)
{
    char names[64];
    const int is = check(options);
    ck_assert_int_eq(run_command(names, sizeof names, "echo $(cut -c1-3 %s/ran | sort)", house), 0);
    names[strcspn(names, "\n")] = '\0';
    ck_assert_msg(is == status && strcmp(names, ran) == 0, "check %s: status %d, ran `%s` instead of `%s`: %s", options, is, names, ran, output);
}

static void setup(void)
{
    house = temp_folder();
    programs = realpath(build_folder(), NULL);
    temp_text(house, "script", temp_format(SCRIPT, house));
    temp_text(house, "proofcheck", temp_format(PROOFCHECK, house));
    ck_assert_int_eq(shell("chmod +x script proofcheck; mkdir theorems data; for p in x_a x_b x_c; do cp script theorems/$p; done;"
                           " echo id,part,certificate,drawn,demands,statement > data/statements.csv; : > theorems/x_a.o"), 0);
}
static void teardown(void) { free(programs); }

/* ---- what runs ----------------------------------------------------------------------------------------------- */

START_TEST(what_is_unchanged_does_not_run)
{
    checks("", 0, "x_a x_b x_c");
    ck_assert_str_eq(output, "[  1/3] X-A\n[  2/3] X-B\n[  3/3] X-C\n");
    ck_assert_int_eq(shell("cat ran; ls b/evidence b/certificates/*"), 0);
    says("x_b --suite --seed=20261121 --certificates=b/certificates/x_b --out=b/evidence/x_b.csv --scale=default\n");
    says("x_b.accepted\nx_b.certified\nx_b.csv\nx_b.done\nx_b.log\nx_b.meta\nx_b.proved\n");
    says("x_b.cert\n");
    checks("", 0, "");
    ck_assert_str_eq(output, "");
    ck_assert_int_eq(shell("test ! -s read && touch theorems/* data/* proofcheck"), 0);
    checks("", 0, "");                              /* times are no changes */
    checks("--all", 0, "x_a x_b x_c");
    ck_assert_int_eq(shell("echo '# changed' >> theorems/x_b"), 0);
    checks("", 0, "x_b");
    ck_assert_str_eq(output, "[  1/1] X-B\n");
    checks("--seed=7", 0, "x_a x_b x_c");           /* each parameter counts */
    checks("--seed=7 --trials=2", 0, "x_a x_b x_c");
    ck_assert_int_eq(shell("cat ran"), 0);
    says("--seed=7 --certificates=b/certificates/x_b --out=b/evidence/x_b.csv --scale=default --trials=2\n");
    checks("--seed=7 --trials=2 --scale=quick", 0, "x_a x_b x_c");
    setenv("PROVABLY_REFERENCE", "1", 1);
    checks("--seed=7 --trials=2 --scale=quick", 0, "x_a x_b x_c");
    setenv("PROVABLY_REFERENCE", "0", 1);
    checks("--seed=7 --trials=2 --scale=quick", 0, "x_a x_b x_c");
    unsetenv("PROVABLY_REFERENCE");
    checks("--seed=7 --trials=2 --scale=quick", 0, "");
    ck_assert_int_eq(shell("echo library > libprovably.so"), 0);
    checks("--seed=7 --trials=2 --scale=quick", 0, "x_a x_b x_c");
    ck_assert_int_eq(shell("cp b/evidence/x_a.done a.done; rm b/evidence/x_a.done; rm b/evidence/x_b.csv"), 0);
    checks("--seed=7 --trials=2 --scale=quick", 0, "x_a x_b");
    ck_assert_int_eq(shell("head -c 40 a.done > b/evidence/x_a.done; echo more >> b/evidence/x_b.done"), 0);
    checks("--seed=7 --trials=2 --scale=quick", 0, "x_a x_b");       /* records that are cut off, or go on, count as none */
}
END_TEST

START_TEST(only_some)
{
    checks("--only=X-B --only=x_c --quiet", 0, "x_b x_c");
    ck_assert_str_eq(output, "");
    checks("--only=x_b", 0, "");
    checks("", 0, "x_a");
    ck_assert_int_eq(shell("rm theorems/x_a; echo mine > b/evidence/data.csv; echo mine > b/evidence/x_d.csv"), 0);
    checks("--only=x_b", 0, "");
    ck_assert_int_eq(shell("ls b/evidence/x_a.done"), 0);                   /* who asks for some says nothing of the others */
    checks("", 0, "");
    ck_assert_int_eq(shell("! ls b/evidence/x_a.* b/certificates/x_a/x_a.cert && cat b/evidence/data.csv b/evidence/x_d.csv"), 0);
    says("mine\nmine\n");
}
END_TEST

/* Certificates are read again, and no program runs. */
START_TEST(certificates_are_read_again)
{
    checks("", 0, "x_a x_b x_c");
    ck_assert_int_eq(shell("echo '# another' >> proofcheck"), 0);
    checks("", 0, "");
    ck_assert_int_eq(shell("grep -c . read; echo X-B,part,x_b,,,1 >> data/statements.csv"), 0);
    ck_assert_str_eq(output, "3\n");
    checks("", 0, "");
    ck_assert_int_eq(shell("grep -c . read; echo X-B,part,x_b-other,,,1 >> data/statements.csv"), 0);
    ck_assert_str_eq(output, "3\n");
    checks("", 1, "");
    says("x_b: data/statements.csv has a statement of x_b-other, but there is no such certificate\n");
    says("x_b: if the new statements are meant, run make statements and read the difference\n");
    says("provably check: failed, see NAME.log in b/evidence: x_b.unproved\n");
    checks("", 1, "");                              /* and again, alone */
    ck_assert_int_eq(shell("grep -c . read; cat b/evidence/x_b.unproved; sed -i /other/d data/statements.csv;"
                           " echo 'echo wrong > $certificates/$name.cert; exit' > do_x_c; echo '# 2' >> theorems/x_c"), 0);
    ck_assert_str_eq(output, "1\n1\n");
    checks("", 1, "x_c");
    says("b/certificates/x_c/x_c.cert: rejected: line 1: no\nx_c: if the new");
    says("in b/evidence: x_c.unproved\n");          /* its rows count; x_b was read before */
    ck_assert_int_eq(shell("rm do_x_c; echo '# 3' >> theorems/x_c; rm -r b/certificates/x_a"), 0);
    checks("", 0, "x_a x_c");
    ck_assert_int_eq(shell("cat ran"), 0);
    says("x_a --suite --seed=20261121 --certificates=b/certificates/x_a\n");       /* no rows again */
}
END_TEST

/* The certificates alone: no suite runs for them. */
START_TEST(certificates_alone)
{
    ck_assert_int_eq(shell("echo kind,file,sha256 > data/formal.csv; echo id,alias,paper,n001,n003,n000,kind,title,expected,program,"
                           "certificate,controls > data/claims.csv; echo 'X,,K,,,,new,\"a, b\",PROVED,,\"none: why\",' >> data/claims.csv"), 0);
    checks("--certificates --seed=5", 0, "x_a x_b x_c");
    ck_assert_str_eq(output, "certificates: 3 accepted: 3 sym\n");
    ck_assert_int_eq(shell("cat ran; ls b/evidence"), 0);
    says("x_a --suite --seed=5 --certificates=b/certificates/x_a\n");
    says_not("x_a.csv");
    says_not("x_a.done");
    checks("--certificates --seed=5", 0, "");
    ck_assert_int_eq(shell("grep -c . read"), 0);
    ck_assert_str_eq(output, "3\n");                /* each is read, whatever is known */
    checks("--certificates", 1, "x_a x_b x_c");     /* Coq's kernel has read those of the planned seed */
    says("data/formal.csv: not the certificate that Coq's kernel has accepted: x_b.cert\n");
    ck_assert_int_eq(shell("for p in x_a x_b x_c; do echo certificate,$p.cert,$(sha256sum < b/certificates/$p/$p.cert | cut -c1-64) >> data/formal.csv; done"), 0);
    checks("--certificates", 0, "");
    ck_assert_int_eq(shell("echo another >> b/certificates/x_b/x_b.cert"), 0);
    checks("--certificates", 1, "");
    says("accepted: x_b.cert\n");
    says_not("x_a");
    checks("--seed=5", 0, "x_a x_b x_c");
    ck_assert_int_eq(shell("echo wrong > b/certificates/x_b/x_b.cert"), 0);
    checks("--certificates --seed=5", 1, "");
    says("x_b.cert: rejected");
    says("in b/evidence: x_b.unproved\n");
}
END_TEST

/* A program without its tables for debuggers is the same; another constant in it is not. */
START_TEST(what_is_loaded_counts)
{
    static const char RUN[] = "--only=K-E2 --scale=quick --trials=1 --programs=p/theorems --evidence=p/evidence";
    ck_assert_int_eq(run_command(output, sizeof output, "cd %1$s && mkdir -p p/theorems && cp %2$s/theorems/k_e2 p/theorems/ &&"
                                 " ln -s %2$s/libprovably.so p/ && cp proofcheck p/", house, programs), 0);
    ck_assert_int_eq(check(RUN), 0);
    says("[  1/1] K-E2\n");
    ck_assert_int_eq(shell("grep '^K-E2,' p/evidence/k_e2.csv | head -n 1; ls p/evidence p/certificates/k_e2; before=$(wc -c < p/theorems/k_e2); strip -g p/theorems/k_e2;"
                           " test $before -gt $(wc -c < p/theorems/k_e2)"), 0);
    says("K-E2,");
    says("K-E2-as-stated-explicit.cert\n");         /* by the same run */
    says_not("k_e2.meta");                          /* it is linked into provably */
    ck_assert_int_eq(check(RUN), 0);
    ck_assert_str_eq(output, "");
    ck_assert_int_eq(shell("sed -i 's/As printed/as printed/; s/as-stated/as-stAted/' p/theorems/k_e2"), 0);
    const int is = check(RUN);
    ck_assert_msg(is != 0 || strstr(output, "[  1/1]"), "%s", output);
}
END_TEST

/* The columns of the index that are generated: compared, and written. */
START_TEST(the_index)
{
    ck_assert_int_eq(run_command(output, sizeof output, "cd %1$s && mkdir -p p/theorems && for f in theorems/k_e2 libprovably.so proofcheck; do"
                                 " ln -s %2$s/$f p/$f; done; cp $OLDPWD/reports/statements.csv $OLDPWD/reports/formal.csv data/;"
                                 " sed -n '1p;/^K-E2,/p' $OLDPWD/reports/claims.csv > data/claims.csv; cp data/claims.csv kept", house, programs), 0);
    static const char RUN[] = "--certificates --programs=p/theorems --evidence=p/evidence";
    ck_assert_msg(check(RUN) == 0, "%s", output);
    says("certificates: ");
    ck_assert_int_eq(shell("sed -i '2s/[^,]*$/none-of-these/' data/claims.csv; ! cmp -s data/claims.csv kept"), 0);
    ck_assert_int_eq(check(RUN), 1);
    says("the index should say: K-E2,");
    says("data/claims.csv: its columns certificate and controls are generated: run make index\n");
    ck_assert_int_eq(check("--write-index --programs=p/theorems --evidence=p/evidence"), 0);
    ck_assert_int_eq(shell("cmp data/claims.csv kept"), 0);
}
END_TEST

/* ---- what fails ---------------------------------------------------------------------------------------------- */

START_TEST(a_program_that_crashes)
{
    ck_assert_int_eq(shell("echo 'echo before; kill -SEGV $$' > do_x_a; echo 'echo refuted; echo rows > $out; exit 1' > do_x_b"), 0);
    checks("", 1, "x_a x_b x_c");
    says("before\nx_a: exit status 139\n");
    says("refuted\nx_b: exit status 1\n");
    says("[  3/3] X-C\n");
    says("in b/evidence: x_a.failed x_a.unproved x_b.failed\n");
    ck_assert_int_eq(shell("cat b/evidence/x_a.failed b/evidence/x_b.failed b/evidence/x_b.csv; ls b/evidence/x_c.done &&"
                           " ! ls b/evidence/x_a.csv && ! ls b/evidence/x_a.done && ! ls b/evidence/x_b.done"), 0);
    says("139\n1\nrows\n");
    ck_assert_int_eq(shell("rm do_x_a"), 0);
    checks("", 1, "x_a x_b");                       /* what failed runs again */
    says("in b/evidence: x_b.failed\n");
    ck_assert_int_eq(shell("rm do_x_b theorems/x_c"), 0);
    checks("", 0, "x_b");
    ck_assert_int_eq(shell("! ls b/evidence/*.failed"), 0);
}
END_TEST

/* One that ends when it is told, and one that has to be ended. */
START_TEST(a_program_that_hangs)
{
    ck_assert_int_eq(shell("echo \"trap 'echo told; exit' TERM; while :; do sleep 0.1; done\" > do_x_a; echo \"trap '' TERM; while :; do sleep 1; done\" > do_x_b"), 0);
    ck_assert_int_eq(check("--limit=1 --jobs=3"), 1);
    says("told\nx_a: exit status 124: more than 1 s, see --limit\n");
    says("x_b: exit status 124: more than 1 s, see --limit\n");
    says("in b/evidence: x_a.failed x_a.unproved x_b.failed x_b.unproved\n");
}
END_TEST

START_TEST(a_full_disk)
{
    ck_assert_int_eq(shell("echo 'ln -sf /dev/full $H/b/evidence/x_b.done' > do_x_b"), 0);
    checks("", 2, "x_a x_b");
    says("provably: cannot write to b/evidence/x_b.done: No space left on device\n");
    ck_assert_int_eq(shell("rm do_x_b b/evidence/x_b.done"), 0);
    checks("", 0, "x_b x_c");
}
END_TEST

START_TEST(bad_input)
{
    static const struct { const char *options, *says; } bad[] = {
        { "--jobs=0", "--jobs" }, { "--scale=huge", "--scale" }, { "--trials=x", "--trials" }, { "--seed=no", "--seed" },
        { "--limit=0", "--limit" }, { "X-A", "check takes options only, not `X-A`: --only=X-A checks one claim\n" },
        { "--only=X-", "--only=X-: no program of that name, and none of a claim of that id; did you mean `X-A`?\n" },
        { "--programs=nowhere", "cannot read nowhere: No such file or directory; name the folder" },
        { "--programs=data", "data has no programs of claims" },
        { "--evidence=script/e", "cannot make the folder script/e: Not a directory; choose another\n" } };
    for (size_t k = 0; k < COUNT(bad); k++) {
        checks(bad[k].options, 2, "");
        says(bad[k].says);
        ck_assert_msg(strchr(output, '\n') == output + strlen(output) - 1, "%s: %s", bad[k].options, output);
    }
}
END_TEST

/* ---- side by side, and stopped ------------------------------------------------------------------------------- */

START_TEST(jobs)
{
    static const char ALONE[] = "mkdir $H/here || touch $H/two; sleep 0.1; rmdir $H/here";
    static const char MEET[] = "touch $H/met_$name; until [ -e $H/met_x_a ] && [ -e $H/met_x_b ]; do sleep 0.02; done";
    for (size_t k = 0; k < 3; k++) temp_text(house, (const char *const[]){ "do_x_a", "do_x_b", "do_x_c" }[k], ALONE);
    checks("--jobs=1", 0, "x_a x_b x_c");
    ck_assert(!temp_exists(house, "two"));
    for (size_t k = 0; k < 2; k++) temp_text(house, (const char *const[]){ "do_x_a", "do_x_b" }[k], MEET);
    ck_assert_int_eq(check("--all --jobs=2 --limit=60"), 0);
    says("[  3/3] ");
    ck_assert_int_eq(shell("sed 's/ .*//' ran | sort"), 0);
    ck_assert_str_eq(output, "x_a\nx_b\nx_c\n");
}
END_TEST

/* The second of two calls waits, and has nothing to do. */
START_TEST(two_calls)
{
    temp_text(house, "do_x_a", "until [ -e $H/go ]; do sleep 0.02; done");
    ck_assert_int_eq(run_command(output, sizeof output, "cd %1$s; export PROVABLY_DATA=data; c='%2$s/provably check --programs=theorems --evidence=b/evidence"
                                 " --no-report'; $c > one & until [ -s ran ]; do sleep 0.02; done; $c > two 2>&1 & "
                                 "until grep -q waiting two; do sleep 0.02; done; touch go; wait; cat two; sed 's/ .*//' ran | sort | uniq -c", house, programs), 0);
    says("another process is checking in b/evidence: waiting for it\n");
    says_not("[");
    says("1 x_a\n");
    says("1 x_b\n");
    says("1 x_c\n");
}
END_TEST

/* What had ended counts; of what was under way, and of what was to come, nothing is left, and no process. */
START_TEST(stopped)
{
    static const struct { const char *signal; int status; } by[] = { { "INT", 130 }, { "TERM", 143 }, { "HUP", 129 }, { "KILL", 137 } };
    checks("", 0, "x_a x_b x_c");
    temp_text(house, "do_x_b", "echo row > $out; echo x > $certificates/x_b.cert; echo $$ > $H/under_way; exec sleep 1000");
    for (size_t k = 0; k < COUNT(by); k++) {
        ck_assert_int_eq(shell("echo '# changed' >> theorems/x_b; echo '# changed' >> theorems/x_c"), 0);
        ck_assert_int_eq(run_command(output, sizeof output, "cd %1$s; rm -f under_way b/evidence/took; export PROVABLY_DATA=data; setsid %2$s/provably check"
            " --programs=theorems --evidence=b/evidence --no-report --jobs=1 > log 2>&1 & p=$!; cd %1$s; until [ -s under_way ]; do sleep 0.02; done;"
            " kill -%3$s $p; wait $p; s=$?; runs() { grep '^State:.*[SR]' /proc/$(cat under_way)/status 2>/dev/null; };"
            " for k in 1 2 3 4 5 6 7 8 9; do runs && sleep 0.1; done; runs && exit 77; exit $s", house, programs, by[k].signal), by[k].status);
        ck_assert_int_eq(shell("ls b/evidence/*.done b/evidence/*.csv b/certificates/*/*"), 0);
        says("x_a.done");
        if (strcmp(by[k].signal, "KILL") != 0) says_not("x_b");
        says_not("x_b.done");
        says_not("x_c");
    }
    ck_assert_int_eq(shell("rm do_x_b"), 0);
    checks("", 0, "x_b x_c");
}
END_TEST

/* On a terminal: one line, and how long the rest takes where that is known, the longest first. */
START_TEST(what_is_left)
{
    static const char ON_A_TERMINAL[] = "export PROVABLY_DATA=data; for t in '3 s' '600 s'; do sed -i 's/ .*/ 6/;s/^x_c.*/x_c 600/' b/evidence/took;"
        " script -qec \"env -u CI TERM=xterm COLUMNS=99 %2$s/provably check --all --programs=theorems --evidence=b/evidence --no-report --jobs=1\" /dev/null"
        " </dev/null; sed -i /x_b/d b/evidence/took; echo next; done";
    checks("", 0, "x_a x_b x_c");
    char *command = temp_format("cd %%1$s; %s", ON_A_TERMINAL);
    ck_assert_int_eq(run_command(output, sizeof output, command, house, programs), 0);
    says("\r[0/3] x_c\033[K");
    says("\r[1/3] x_a  0 s left\033[K");
    char *unknown = strstr(output, "next\n");
    ck_assert(unknown && strstr(unknown, "\r[1/3] x_c") && !strstr(unknown, "left"));    /* x_b comes first: nobody knows how long it takes */
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("check");
    TCase *all = tcase_create("all"), *slow = tcase_create("slow");
    suite_add_tcase(suite, all);
    suite_add_tcase(suite, slow);
    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_checked_fixture(slow, setup, teardown);
    tcase_set_timeout(all, 120);
    tcase_set_timeout(slow, 120);
    tcase_add_test(all, what_is_unchanged_does_not_run);
    tcase_add_test(all, only_some);
    tcase_add_test(all, certificates_are_read_again);
    tcase_add_test(all, certificates_alone);
    tcase_add_test(all, what_is_loaded_counts);
    tcase_add_test(all, the_index);
    tcase_add_test(all, a_program_that_crashes);
    tcase_add_test(slow, a_program_that_hangs);
    tcase_add_test(all, a_full_disk);
    tcase_add_test(all, bad_input);
    tcase_add_test(all, jobs);
    tcase_add_test(all, two_calls);
    tcase_add_test(all, stopped);
    tcase_add_test(all, what_is_left);
    return run_suite(suite, argc, argv);
}
