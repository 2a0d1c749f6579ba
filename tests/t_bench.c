/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_bench.c - src/build/bench_numerics.sh, bench_reduce.sh, bench_verify.sh and bench_peers.sh record what b_numerics, b_reduce and the timed steps
 * print, and nothing where that fails; src/build/machine.sh names the machine; EXPERIMENTS.md has the recorded speeds. */
#include <stdlib.h>
#include <string.h>
#include "numerics/product/limbs.h"
#include "src/base/csv.h"
#include "src/base/file.h"
#include "tests/support/files.h"
#include "tests/support/limits.h"
#include "tests/support/suite.h"

/* Runs the script in a folder where b_numerics is these lines of shell. */
static int recorded(const char *folder, const char *lines, char *output, size_t size)
{
    temp_text(folder, "b_numerics", temp_format("#!/bin/sh\n%s", lines));
    return run_command(output, size, "cd %s && mkdir -p build/tests && mv b_numerics build/tests && "
                       "chmod +x build/tests/b_numerics && sh \"$OLDPWD\"/src/build/bench_numerics.sh build record && "
                       "cut -d , -f 5,6,8- record/bench_numerics_*.csv", folder);
}

START_TEST(figures_are_recorded)
{
    static const char printed[] =
        "cat <<END\n"
        "OpenBLAS core Haswell, ${OMP_NUM_THREADS} thread(s)\n"
        "arithmetic       n        ns/op   bare ns/op   ratio\n"
        "fp, 61 bits     64       0.5000       1.5000    0.33       0.1250  25.0 %\n"
        "mpfr:64         16      35.2122\n"
        "function      bits     ns/value Arb ns/value   ratio\n"
        "exp            256        200.0        900.0    4.50\n"
        "END\n";
    static const char *const lines[] = {
        "blas,threads,what,size,unit,ours,library,library_over_ours,limit\n",
        "Haswell,1,\"fp, 61 bits\",64,ns/op,0.5000,1.5000,3.00,0.1250\n",
        "Haswell,3,\"fp, 61 bits\",64,ns/op,0.5000,1.5000,3.00,0.1250\n",
        "Haswell,3,mpfr:64,16,ns/op,35.2122,,,\n",
        "Haswell,3,exp,256,ns/value,200.0,900.0,4.50,\n" };
    char output[4000];
    const char *folder = temp_folder();
    setenv("OMP_NUM_THREADS", "3", 1);
    const int status = recorded(folder, printed, output, sizeof output);
    unsetenv("OMP_NUM_THREADS");
    ck_assert_msg(status == 0, "%s", output);
    for (size_t k = 0; k < COUNT(lines); k++) ck_assert_msg(strstr(output, lines[k]), "%s: %s", lines[k], output);
}
END_TEST

/* Where there is one thread alone, one run. */
START_TEST(one_thread_once)
{
    char output[4000];
    setenv("OMP_NUM_THREADS", "1", 1);
    const int status = recorded(temp_folder(), "echo OpenBLAS core A, $OMP_NUM_THREADS 'thread(s)'\necho t n s/op\n"
                                "echo 'exp          256 1 2 2'\n", output, sizeof output);
    unsetenv("OMP_NUM_THREADS");
    ck_assert_msg(status == 0, "%s", output);
    const char *row = strstr(output, "A,1,");
    ck_assert_msg(row && !strstr(row + 1, "A,1,"), "%s", output);
}
END_TEST

START_TEST(a_failure_is_not)
{
    static const char *const programs[] = { "echo 'exp  256  1.0  2.0  2.00'; exit 3\n", "echo Nothing.\n" };
    char output[4000];
    const char *folder = temp_folder();
    ck_assert_msg(recorded(folder, programs[_i], output, sizeof output) == 1, "%s", output);
    ck_assert_msg(strstr(output, _i ? "no figures" : "nothing was recorded"), "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "ls %s/record | grep -c .", folder), 1);
}
END_TEST

/* The script beside a b_reduce that is these lines of shell. */
static int recorded_models(const char *folder, const char *lines, char *output, size_t size)
{
    temp_text(folder, "b_reduce", temp_format("#!/bin/sh\n%s", lines));
    return run_command(output, size, "cd %s && mkdir -p build/tests && mv b_reduce build/tests && chmod +x build/tests/b_reduce && "
                       "sh \"$OLDPWD\"/src/build/bench_reduce.sh build record 2 64 4 100 32 && cut -d , -f 6- record/*.csv", folder);
}

START_TEST(models_are_recorded)
{
    char output[4000];
    const char *folder = temp_folder();
    int status = recorded_models(folder, "echo L = $1, d = $2, h = $3, V = $4, T = $5\n"
                                 "echo 'model      command                   s    CPU s   own MB mapped MB       MB status'\n"
                                 "echo 'ln-free    inspect                 1.5      2.0       18        40       58      0'\n"
                                 "echo 'ln-free    verify --certified      2.5      3.0       33        41       74      1'\n", output, sizeof output);
    ck_assert_msg(status == 0, "%s", output);
    ck_assert_msg(strstr(output, "layers,d,heads,vocabulary,positions,model,command,seconds,cpu_seconds,own_mb,mapped_mb,mb,status\n"
                         "2,64,4,100,32,ln-free,inspect,1.5,2.0,18,40,58,0\n2,64,4,100,32,ln-free,verify --certified,2.5,3.0,33,41,74,1\n"),
                  "%s", output);
    status = recorded_models(folder, "echo ln-free inspect 1.0 2.0 3 4 7 0; exit 2\n", output, sizeof output);
    ck_assert_msg(status == 1 && strstr(output, "nothing was recorded"), "%s", output);
    status = recorded_models(folder, "echo Nothing.\n", output, sizeof output);
    ck_assert_msg(status == 1 && strstr(output, "no figures"), "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "grep -c ln-free,inspect,1.5 %s/record/bench_reduce.csv", folder), 0);
}
END_TEST

/* The script beside a b_verify that is these lines of shell: commands, then ratios. */
START_TEST(verify_is_recorded)
{
    char output[4000];
    const char *folder = temp_folder();
    const char *run = "sh \"$OLDPWD\"/src/build/bench_verify.sh build record 2 64 4 3 96 100 5 && cut -d , -f 7- record/bench_verify.csv";
    temp_text(folder, "b_verify", "#!/bin/sh\necho L = $1, d = $2, h = $3, kv = $4, m = $5, V = $6\n"
              "echo 'command                     s    CPU s   own MB mapped MB status'\n"
              "echo 'cmp A copy               0.50     0.25        1         2      0'\n"
              "echo 'ratio: verify A copy / cmp                            1.50   (aim: at most 2)'\n");
    ck_assert_msg(run_command(output, sizeof output, "cd %s && mkdir -p build/tests && mv b_verify build/tests && chmod +x build/tests/b_verify && %s",
                              folder, run) == 0, "%s", output);
    ck_assert_msg(strstr(output, "layers,d,heads,key_heads,mlp,vocabulary,rounds,command,seconds,cpu_seconds,own_mb,mapped_mb,status\n"
                         "2,64,4,3,96,100,5,cmp A copy,0.50,0.25,1,2,0\n2,64,4,3,96,100,5,ratio verify A copy / cmp,1.50,,,,\n"), "%s", output);
    temp_text(folder, "build/tests/b_verify", "#!/bin/sh\necho cmp A copy 1 2 3 4 0; exit 2\n");
    ck_assert_msg(run_command(output, sizeof output, "cd %s && %s", folder, run) == 1 && strstr(output, "nothing was recorded"), "%s", output);
}
END_TEST

/* Processors as /proc/cpuinfo shows them: two of AMD's generations under one name, the same without AVX-512, a later family,
 * Intel's, one that has neither name nor flags.  A feature is a whole word: avx512ifma2 is no avx512ifma. */
START_TEST(machines_have_names)
{
    static const struct { const char *cpuinfo, *said; } machines[] = {
        { "vendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\nflags\t\t: fpu avx2 avx512f avx512ifma "
          "avx512_bf16\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\n",
          "AMD EPYC (Zen 5)|avx2 avx512f avx512ifma|avx512_bf16_zen5|avx512_ifma_zen5\n" },
        { "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel name\t: AMD EPYC\nflags\t\t: avx2 avx512f avx512_bf16\n",
          "AMD EPYC (Zen 4)|avx2 avx512f|avx512_bf16_zen4|avx512_zen4\n" },
        { "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel name\t: AMD EPYC 7763\nflags\t\t: avx2 fma\n",
          "AMD EPYC 7763 (Zen 3)|avx2|avx2_zen3|avx2_zen3\n" },
        { "vendor_id\t: AuthenticAMD\ncpu family\t: 27\nmodel name\t: AMD EPYC\nflags\t\t: avx512_bf16 avx512ifma2 xavx2\n", "AMD EPYC||avx512_bf16|other\n" },
        { "vendor_id\t: GenuineIntel\ncpu family\t: 26\nmodel name\t: Intel(R) Xeon(R) Processor\nflags\t\t: avx2 avx512f amx_bf16\n",
          "Intel(R) Xeon(R) Processor|avx2 avx512f|amx|avx512\n" },
        { "processor\t: 0\nFeatures\t: asimd\n", "unknown||other|other\n" } };
    const char *folder = temp_folder();
    temp_text(folder, "cpuinfo", machines[_i].cpuinfo);
    temp_text(folder, "name.sh", ". \"$1/src/build/machine.sh\"\necho \"$hardware|$features|"
              "$(machine_kind avx2 avx512f avx512_bf16 amx_bf16)|$(machine_kind avx2 avx512f avx512ifma)\"\n");
    char output[1000];
    ck_assert_int_eq(run_command(output, sizeof output, "CPUINFO=%s/cpuinfo sh -eu %s/name.sh .", folder, folder), 0);
    ck_assert_str_eq(output, machines[_i].said);
}
END_TEST

START_TEST(records_name_the_machine)
{
    char output[1000];
    const char *folder = temp_folder();
    temp_text(folder, "cpuinfo", "vendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel name\t: AMD EPYC\nflags\t\t: avx2 avx512f avx512ifma\n");
    setenv("CPUINFO", temp_format("%s/cpuinfo", folder), 1);
    const int numerics = recorded(folder, "echo 'exp  256  1.0  2.0  2.00'\n", output, sizeof output);
    const int reduce = recorded_models(folder, "echo ln-free inspect 1.0 2.0 3 4 7 0\n", output, sizeof output);
    unsetenv("CPUINFO");
    ck_assert_msg(numerics == 0 && reduce == 0, "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "cd %s/record && cut -d , -f 3 bench_numerics_avx512_ifma_zen5.csv bench_reduce.csv",
                                 folder), 0);
    ck_assert_str_eq(output, "hardware\nAMD EPYC (Zen 5)\nAMD EPYC (Zen 5)\nhardware\nAMD EPYC (Zen 5)\n");
}
END_TEST

/* Five words by five, two halves of each; or digits of 23.5 bits: 256 products of their halves fit into 53. */
START_TEST(limits_of_products)
{
    const machine_limits both = { .fma64 = 48, .ifma = 200, .read = 16 }, words = { .fma64 = 1, .ifma = 200 }, none = { .fma64 = 48 };
    ck_assert_double_eq(limit_of_integers(&words, 256, 256, 256), 50 / 200.0);
    ck_assert_double_eq(limit_of_integers(&words, 256, 24, 3072), 10 / 200.0);
    ck_assert_double_eq(limit_of_integers(&none, 256, 256, 256), (512 / 23.5 - 1) / 48);
    ck_assert_double_eq(limit_of_integers(&both, 256, 256, 256), 50 / 200.0);
    ck_assert_double_eq(limit_of_integers(&(machine_limits){ .fma64 = 480, .ifma = 200 }, 256, 256, 256), (512 / 23.5 - 1) / 480);
    ck_assert_double_eq(limit_with_memory(&both, 0.25, 4), 0.25);
    ck_assert_double_eq(limit_with_memory(&both, 0.25, 8), 0.5);
}
END_TEST

/* A rate is there, or the processor has none; how large it is decides nothing. */
START_TEST(limits_are_measured)
{
    const machine_limits at = limits_measured(1);
    ck_assert(at.fma64 > 0 && at.fma32 > 0 && at.read > 0);
    ck_assert_int_eq(at.ifma > 0, limbs_available());
}
END_TEST

/* EXPERIMENTS.md: a column for each record of the kinds of machine, in which a model has ours in units a second, how many times
 * the better of PyTorch's that is, and how many times llm.c's. */
static const char *const peers[] = { "avx512_bf16_zen5", "avx512_bf16_zen4", "amx", "avx2_on_avx512_bf16_zen5" };
static const char *const models[] = { "GPT2-124M-T64-B4", "L6-d384-T256-V256-B12", "L4-d128-T128-V256-B12", "ViT-6-1-mlp-full-B256",
                                      "ViT-6-1-no-min-B256" };

static char *speed(const char *kind, const char *model)
{
    double ours = 0, torch = 0, llmc = 0;
    csv_file c = csv_open(temp_format("reports/results/bench_peers_%s.csv", kind), "date,model,program,version,hardware,threads,load,"
                          "rounds,steps,seconds,unit,units_per_second,ours_over_it", "make bench PEER=...");
    while (csv_next(&c)) {
        char name[100], program[100];
        csv_text(&c, 1, name, sizeof name);
        csv_text(&c, 2, program, sizeof program);
        if (strcmp(name, model) != 0) continue;
        const double times = csv_double(&c, 12);
        if (strcmp(program, "ours") == 0) ours = csv_double(&c, 11);
        if (strncmp(program, "torch", 5) == 0 && (torch == 0 || times < torch)) torch = times;
        if (strcmp(program, "llm.c") == 0) llmc = times;
    }
    csv_close(&c);
    ck_assert_msg(ours > 0 && torch > 0, "%s: %s", kind, model);
    return llmc > 0 ? temp_format("%.0f; %.2f; %.2f", ours, torch, llmc) : temp_format("%.0f; %.2f", ours, torch);
}

/* Our steps beside a peer's, which takes 0.5 seconds: the ratio is recorded; without our programs, and where ours fails,
 * bench_peers.sh says so and records nothing. */
START_TEST(steps_beside_a_peer)
{
    static const char *const ours[] = { "echo 0.25", NULL, "echo lost >&2; exit 3" };
    static const char *const said[] = { "torch-eager", "there is no build/tests/b_gpt", "ours on L4-d128-T128-V256-B12 failed: lost" };
    char output[4000];
    const char *folder = temp_folder();
    if (ours[_i]) temp_text(folder, "ours", temp_format("#!/bin/sh\n%s\n", ours[_i]));
    temp_text(folder, "python", "#!/bin/sh\ncase $2 in version) echo torch 9.9;; eager|compile) echo 0.5;; esac\n");
    const int status = run_command(output, sizeof output, "cd %s && chmod +x * && mkdir -p build/tests && for b in b_gpt b_vit; do "
                                   "[ ! -f ours ] || cp ours build/tests/$b; done && MODELS=L4 sh \"$OLDPWD\"/src/build/bench_peers.sh "
                                   "build ./python record", folder);
    ck_assert_msg(status == (_i ? 2 : 0) && strstr(output, said[_i]), "%d %s", status, output);
    if (_i == 0) {
        ck_assert_int_eq(run_command(output, sizeof output, "cut -d , -f 2,3,10- %s/record/bench_peers_*.csv", folder), 0);
        ck_assert_msg(strstr(output, "L4-d128-T128-V256-B12,ours,0.2500,tokens,6144,1.00\n") &&
                      strstr(output, ",torch-eager,0.5000,tokens,3072,2.00\n"), "%s", output);
    } else {
        ck_assert_int_eq(run_command(output, sizeof output, "ls %s/record 2>&1 | grep -c bench_peers", folder), 1);
    }
}
END_TEST

START_TEST(recorded_speeds_are_told)
{
    size_t length;
    char *text = file_read("EXPERIMENTS.md", 1 << 20, &length), head[1000], output[1000];
    for (size_t k = 0; k < COUNT(peers); k++) {
        const char *column = strstr(text, temp_format("(reports/results/bench_peers_%s.csv)", peers[k]));
        ck_assert_msg(column && (k == 0 || column > strstr(text, temp_format("bench_peers_%s.csv", peers[k - 1]))), "%s", peers[k]);
    }
    for (size_t m = 0; m < COUNT(models); m++) {
        snprintf(head, sizeof head, "\n| %s |", models[m]);
        for (size_t k = 0; k < COUNT(peers); k++)
            snprintf(head + strlen(head), sizeof head - strlen(head), " %s |", speed(peers[k], models[m]));
        ck_assert_msg(strstr(text, head), "EXPERIMENTS.md lacks %s", head);
    }
    free(text);
    ck_assert_int_eq(run_command(output, sizeof output, "ls reports/results/bench_peers_*.csv | wc -l"), 0);
    ck_assert_msg(strtol(output, NULL, 10) == COUNT(peers), "EXPERIMENTS.md needs a column for each of %s", output);
}
END_TEST

/* tests/recorded.sh in a tree of one room, `src/base`, whose record has 80 of 100 branches. */
static int figures_recorded(const char *root, const char *floors, char *said, size_t size)
{
    return run_command(said, size, "mkdir -p '%s'/src/base '%s'/tests '%s'/r && cp tests/recorded.sh tests/sources.sh tests/guided.sh '%s'/tests && "
                       "cd '%s' && { [ -f src/base/x.c ] || echo 'int x;' > src/base/x.c; } && printf '%s' > tests/coverage.floors && { [ -f r/coverage.csv ] || "
                       "printf 'head\\nDAY,c,h,\"cc (a, b)\",9,src/base,%%s,10,9,100,80\\n' $(sh tests/sources.sh src/base) > r/coverage.csv; } && "
                       "sh tests/recorded.sh r 2>&1", root, root, root, root, root, floors);
}

/* A share below its floor, or a room without a record, fails; other sources are said. */
START_TEST(recorded_branches_are_held_to_floors)
{
    char said[4000];
    const char *root = temp_folder();
    ck_assert_msg(figures_recorded(root, "# ROOM\\nsrc/base 80\\n", said, sizeof said) == 0 && !strstr(said, "src/base"), "%s", said);
    ck_assert_msg(strstr(said, "fuzz_guided.csv is missing: make fuzz-long"), "%s", said);
    ck_assert_msg(figures_recorded(root, "src/base 81\\n", said, sizeof said) == 1, "%s", said);
    ck_assert_msg(strstr(said, "80 of 100 branches of src/base are taken, less than 81 %"), "%s", said);
    ck_assert_msg(figures_recorded(root, "src/cli 1\\n", said, sizeof said) == 1, "%s", said);
    ck_assert_msg(strstr(said, "no row of src/cli"), "%s", said);
    ck_assert_int_eq(run_command(said, sizeof said, "echo 'int y;' > '%s'/src/base/x.c", root), 0);
    ck_assert_msg(figures_recorded(root, "src/base 80\\n", said, sizeof said) == 0, "%s", said);
    ck_assert_msg(strstr(said, "the branches of src/base are of DAY, and the sources have changed since: make nightly"), "%s", said);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("bench");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_test(all, figures_are_recorded);
    tcase_add_test(all, one_thread_once);
    tcase_add_loop_test(all, a_failure_is_not, 0, 2);
    tcase_add_test(all, models_are_recorded);
    tcase_add_test(all, verify_is_recorded);
    tcase_add_loop_test(all, machines_have_names, 0, 6);
    tcase_add_test(all, records_name_the_machine);
    tcase_add_test(all, limits_of_products);
    tcase_add_test(all, limits_are_measured);
    tcase_add_loop_test(all, steps_beside_a_peer, 0, 3);
    tcase_add_test(all, recorded_speeds_are_told);
    tcase_add_test(all, recorded_branches_are_held_to_floors);
    return run_suite(suite, argc, argv);
}
