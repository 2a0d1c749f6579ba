/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_ptx.c - the kernels as nvcc compiles them, run by an interpreter of PTX (tests/ptx): gpu-check's operations, models and
 * training steps and all cases of attention.c, against the CPU's references; and that no kernel is left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/ptx/ptx.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static char *ptx_path, *coverage;
static bool there;                       /* the PTX is of these kernels */

static char report[1 << 16], other[1 << 16];

/* The operations, the gradients of models, and 20 steps of training; with sanitizers, which are slow, the operations. */
START_TEST(the_backend_agrees_with_the_cpu)
{
    if (!there) return;
#ifdef __SANITIZE_ADDRESS__
    const char *how = "--operations";
#else
    const char *how = "--small";
#endif
    ck_assert_msg(run_command(report, sizeof report, "PTX_FILE=%s PTX_COVERAGE=%s %s/ptx/gpu-check %s", ptx_path, coverage,
                              build_folder(), how) == 0, "%s", report);
    ck_assert(strstr(report, "PTX interpreted on the CPU") && strstr(report, "gpu-check: all right"));
    ck_assert(strstr(report, "-- --attn=flash\nok   attention"));
#ifndef __SANITIZE_ADDRESS__
    ck_assert(strstr(report, "ok   gradient of a vision model, collapsed-biases all weights"));
    ck_assert(strstr(report, "stopped after 10 steps and resumed"));
#endif
}
END_TEST

/* Blocks, warps and lanes in the opposite order: every line with a result is among those above. */
START_TEST(the_bits_are_the_same_in_any_order)
{
    if (!there) return;
    ck_assert_msg(*report, "the test above has not run");
    ck_assert_msg(run_command(other, sizeof other, "PTX_DEVICE=reversed PTX_FILE=%s %s/ptx/gpu-check --operations --own", ptx_path,
                              build_folder()) == 0, "%s", other);
    ck_assert_msg(strstr(other, ", small\n-- only our own kernels\n"), "%s", other);
    int lines = 0;
    for (char *line = strtok(other, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "ok ", 3) != 0) continue;
        ck_assert_msg(strstr(report, line), "%s\nin the opposite order, but\n%s", line, report);
        lines++;
    }
    ck_assert_int_gt(lines, 100);
}
END_TEST

START_TEST(attention_agrees_with_double)
{
    if (!there) return;
    ck_assert_msg(run_command(other, sizeof other, "PTX_FILE=%s PTX_COVERAGE=%s %s/ptx/attention", ptx_path, coverage,
                              build_folder()) == 0, "%s", other);
    ck_assert_msg(strstr(other, "100%: Checks: 11,"), "%s", other);
}
END_TEST

/* Launches and instructions as src/train/tally.c has them. */
START_TEST(the_estimate_counts_what_is_run)
{
    if (!there) return;
    ck_assert_msg(run_command(report, sizeof report, "PTX_FILE=%s %s/ptx/counts", ptx_path, build_folder()) == 0, "%s", report);
    ck_assert(strstr(report, "counts: all right"));
}
END_TEST

static void add_coverage(void)
{
    FILE *f = fopen(coverage, "r");
    char *line = NULL, name[128];
    size_t room = 0;
    long times;
    int at;
    ck_assert(f);
    while (getline(&line, &room, f) > 0) {
        ck_assert_int_eq(sscanf(line, "%127s %ld %n", name, &times, &at), 2);
        kernel *k = ptx_kernel(name);
        ck_assert(k && strlen(line + at) == (size_t)k->instructions + 1);
        k->launches += times;
        for (int i = 0; i < k->instructions; i++) k->code[i].reached += line[at + i] == '1';
    }
    free(line);
    fclose(f);
}

/* After the tests above: each kernel of the list was run, there is no other, and no kind of instruction was left out. */
START_TEST(every_kernel_and_every_kind_of_instruction_was_run)
{
    if (!there) return;
    kernel *k;
    const int before = ptx_kernels(&k);
    ptx_read(ptx_path);
    const int n = ptx_kernels(&k);
    add_coverage();
    size_t length;
    char *list = temp_read(NULL, "cuda/kernels.txt", &length);
    long all = 0, reached = 0, listed = 0;
    for (int j = before; j < n; j++) {
        ck_assert_msg(strstr(list, temp_format("\n%s ", k[j].name)), "%s is not in cuda/kernels.txt", k[j].name);
        ck_assert_msg(k[j].launches > 0, "%s was not run", k[j].name);
        long here = 0;
        for (int i = 0; i < k[j].instructions; i++) here += k[j].code[i].reached > 0;
        if (10 * here < 6 * k[j].instructions) printf("%s: %ld of %d instructions were reached\n", k[j].name, here, k[j].instructions);
        all += k[j].instructions;
        reached += here;
    }
    for (const char *s = list; s; s = strchr(s + 1, '\n')) listed += s[1] && s[1] != '#' && s != list && s[1] != '\n';
    ck_assert_int_eq(n - before, listed);
    printf("%d kernels were run, %ld of %ld instructions; never reached:\n", n - before, reached, all);
    for (int j = before; j < n; j++)
        for (int i = 0; i < k[j].instructions; i++) {
            const char *name = k[j].code[i].name;
            bool first = true, ever = false;
            long missed = 0;
            for (int p = before; p < n; p++)
                for (int q = 0; q < k[p].instructions; q++) {
                    if (strcmp(k[p].code[q].name, name) != 0) continue;
                    first &= p > j || (p == j && q >= i);
                    ever |= k[p].code[q].reached > 0;
                    missed += k[p].code[q].reached == 0;
                }
            if (first && missed) printf("  %s%s: %ld\n", name, ever ? "" : " NOWHERE", missed);
            /* divisions of 64 bits, where 32 do not suffice, need arrays of 2^32 numbers */
            const bool large = strstr("div.s64 div.u64 rem.s64 rem.u64", name) != NULL;
            ck_assert_msg(ever || large, "no %s was run", name);
        }
}
END_TEST

static void find_kernels(void)
{
    ptx_path = temp_format("%s/ptx/kernels.ptx", build_folder());
    coverage = temp_path(temp_folder(), "coverage");
    const char *text = temp_read(NULL, ptx_path, NULL);
    there = strncmp(text, "// none", 7) != 0;
    if (!there) printf("t_ptx: THE KERNELS WERE NOT RUN: %.*s\n", (int)strcspn(text, "\n") - 3, text + 3);
    else        printf("t_ptx: PTX: %.*s\n", (int)strcspn(text, "\n") - 3, text + 3);
}

/* What is run where there is no nvcc. */
START_TEST(the_record_is_of_these_kernels)
{
    char made_by[128], recorded[128];
    ck_assert_int_eq(run_command(made_by, sizeof made_by, "head -n 1 %s/ptx/kernels.ptx | cut -d' ' -f3", build_folder()), 0);
    if (strstr(made_by, "there")) return;                   /* "none: there is no ..." */
    ck_assert_int_eq(run_shell("xz -dc tests/ptx/kernels.ptx.xz | head -n 1 | cut -d' ' -f3", recorded, sizeof recorded), 0);
    ck_assert_msg(strcmp(made_by, recorded) == 0, "the kernels are not those of tests/ptx/kernels.ptx.xz: run `make ptx`");
}
END_TEST

int main(int argc, char **argv)
{
    base_init(argc, argv);
    TCase *t = tcase_create("kernels");
    tcase_set_timeout(t, 600);
    tcase_add_unchecked_fixture(t, find_kernels, NULL);
    tcase_add_test(t, the_record_is_of_these_kernels);
    tcase_add_test(t, the_backend_agrees_with_the_cpu);
    tcase_add_test(t, the_bits_are_the_same_in_any_order);
    tcase_add_test(t, attention_agrees_with_double);
    tcase_add_test(t, the_estimate_counts_what_is_run);
    tcase_add_test(t, every_kernel_and_every_kind_of_instruction_was_run);
    Suite *suite = suite_create("ptx");
    suite_add_tcase(suite, t);
    return run_suite(suite, argc, argv);
}
