/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_cuda.c - the CUDA backend without a GPU: how work is cut, gemm keys, bfloat16, the scripts around gpu-check, and the
 * choice of a backend.  The kernels themselves: t_ptx. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/layout.h"
#include "cuda/gemm_key.h"
#include "src/train/backend.h"
#include "src/train/formula.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- how work is cut ------------------------------------------------------------------------------------- */

START_TEST(rows_are_cut_whole)
{
    for (long R = 1; R < 70000; R += R < 2000 ? 1 : 997) {
        const row_cut c = cut_rows(R);
        ck_assert(c.chunks >= 1 && c.chunks <= CHUNKS && c.rows >= 32);
        ck_assert_msg((c.chunks - 1) * c.rows < R && R <= c.chunks * c.rows, "%ld rows in %ld x %ld", R, c.chunks, c.rows);
        ck_assert((size_t)row_blocks(R) * WARPS >= (size_t)R && ((size_t)row_blocks(R) - 1) * WARPS < (size_t)R);
    }
}
END_TEST

START_TEST(numbers_are_cut_whole)
{
    for (size_t n = 1; n < 1UL << 33; n = n * 5 / 3 + 1) {
        const number_cut c = cut_numbers(n);
        ck_assert(c.parts >= 1 && c.parts <= PARTIALS && c.each % THREADS == 0);
        ck_assert_msg((c.parts - 1) * c.each < n && n <= c.parts * c.each, "%zu in %zu x %zu", n, c.parts, c.each);
        ck_assert((size_t)blocks_of(n) * EACH * THREADS >= n && ((size_t)blocks_of(n) - 1) * EACH * THREADS < n);
    }
}
END_TEST

START_TEST(logits_get_whole_warps)
{
    for (long V = 2; V < 60000; V += V < 1000 ? 1 : 331) {
        const unsigned n = loss_threads(V);
        ck_assert(n % 32 == 0 && n >= 32 && n <= 512);
        ck_assert(n == 512 || (long)n * EACH >= V);
        ck_assert(n == 32 || ((long)n - 32) * EACH < V);
    }
}
END_TEST

START_TEST(scores_stay_small)
{
    ck_assert_int_eq(attn_sequences(60, 1024, 12), 5);
    ck_assert_int_eq(attn_sequences(3, 1024, 12), 3);
    ck_assert_int_eq(attn_sequences(60, 65536, 12), 1);
    for (long T = 1; T < 4000; T = 2 * T + 1) {
        const long n = attn_sequences(1000, T, 6);
        ck_assert(n >= 1 && (n == 1 || n * 6 * T * T * 4 <= 256L << 20));
    }
}
END_TEST

START_TEST(logits_fill_a_part_of_the_memory)
{
    ck_assert_uint_eq(logits_at_once((size_t)24 << 30), 1u << 28);       /* an RTX 4090 */
    ck_assert_uint_eq(logits_at_once((size_t)32 << 30), 1u << 28);       /* an RTX 5090 */
    ck_assert_uint_eq(logits_at_once(42ul * 1000 * 1000 * 1000), 1u << 30);      /* an A100 of 40 GB, in bytes */
}
END_TEST

static void too_many(void *with) { (void)with; contract_set_handler(contract_exits); (void)row_blocks(1L << 40); }
START_TEST(no_launch_beyond_the_grid)
{
    char output[256];
    ck_assert_int_eq(run_child(too_many, NULL, output, sizeof output), CONTRACT_STATUS);
    ck_assert_msg(strstr(output, "rows in one launch"), "%s", output);
}
END_TEST

/* ---- keys of products ---------------------------------------------------------------------------------------- */

static _Alignas(256) char memory[4096];
static product example(void)
{
    return (product){ .tA = false, .tB = true, .in = BF16, .out = F32, .M = 5, .N = 7, .K = 11, .sequences = 1, .heads = 2,
                      .alpha = 1, .beta = 1, .A = memory, .B = memory + 16, .C = memory + 512, .D = memory + 512,
                      .a = { 11, 0, 64 }, .b = { 12, 0, 65 }, .c = { 13, 0, 66 } };
}

START_TEST(keys_tell_kinds_apart)
{
    enum { KINDS = 21 };
    product p[KINDS];
    for (int k = 0; k < KINDS; k++) p[k] = example();
    int k = 1;
    p[k++].tA = true;
    p[k++].tB = false;
    p[k++].tf32 = true;
    p[k++].in = F32;
    p[k++].out = BF16;
    p[k++].M = 6;
    p[k++].N = 8;
    p[k++].K = 12;
    p[k++].heads = 3;
    p[k++].beta = 0;
    p[k++].beta = 0.5;
    p[k++].A = memory + 2;
    p[k++].B = memory + 8;
    p[k++].C = memory + 4;
    p[k++].D = memory + 64;
    p[k++].a.row = 14;
    p[k++].b.head = 67;
    p[k++].c.row = 15;
    p[k++].bias = memory + 256;
    p[k++].bias = memory + 4;
    ck_assert_int_eq(k, KINDS);
    for (int i = 0; i < KINDS; i++)
        for (int j = 0; j < KINDS; j++) {
            const gemm_key a = gemm_key_of(&p[i]), b = gemm_key_of(&p[j]);
            char x[256], y[256];
            gemm_key_text(&a, x, sizeof x);
            gemm_key_text(&b, y, sizeof y);
            ck_assert_msg((memcmp(&a, &b, sizeof a) == 0) == (i == j), "kinds %d and %d", i, j);
            ck_assert_msg((strcmp(x, y) == 0) == (i == j), "%s and %s", x, y);
        }
    product same = example();                                /* values, and the strides of a single product, do not matter */
    same.alpha = 3;
    same.A = memory + 256;
    const gemm_key a = gemm_key_of(&p[0]), b = gemm_key_of(&same);
    ck_assert_int_eq(memcmp(&a, &b, sizeof a), 0);
    same.heads = p[1].heads = 1;
    p[1].tA = false;
    same.a.head = 1000;
    const gemm_key c = gemm_key_of(&p[1]), d = gemm_key_of(&same);
    ck_assert_int_eq(memcmp(&c, &d, sizeof c), 0);
}
END_TEST

START_TEST(words_are_read_as_written)
{
    const uint64_t word[3] = { 0, 0xffffffffffffffffu, 0x0123456789abcdefu };
    uint64_t again[3] = { 1, 1, 1 };
    char text[64];
    gemm_words(word, 3, text, sizeof text);
    ck_assert_str_eq(text, "0000000000000000 ffffffffffffffff 0123456789abcdef");
    ck_assert(gemm_words_read(text, again, 3));
    ck_assert_int_eq(memcmp(word, again, sizeof word), 0);
    ck_assert(!gemm_words_read("0 1", again, 3));
    ck_assert(!gemm_words_read("", again, 1));
}
END_TEST

/* ---- formulas ------------------------------------------------------------------------------------------------ */

START_TEST(bfloat16_rounds_to_nearest_even)
{
    for (uint32_t bits = 0; bits < 1u << 16; bits++) {
        const float x = bf16_value((uint16_t)bits);
        if (isnan(x)) ck_assert(isnan(bf16_value(bf16_rounded(x))));
        else          ck_assert_uint_eq(bf16_rounded(x), bits);
    }
    const struct { float x, to; } known[] = { { 1 + 0x1p-8f, 1 }, { 1 + 0x1p-8f + 0x1p-20f, 1 + 0x1p-7f },
        { 1 + 3 * 0x1p-8f, 1 + 0x1p-6f }, { -1 - 0x1p-8f, -1 }, { 3.4e38f, INFINITY }, { 0x1p-140f, 0 }, { 0.1f, 0x1.9ap-4f } };
    for (size_t k = 0; k < COUNT(known); k++)
        ck_assert_msg(bf16_value(bf16_rounded(known[k].x)) == known[k].to || known[k].to == 0, "%a", (double)known[k].x);
    ck_assert(fabsf(bf16_value(bf16_rounded(0x1p-130f)) - 0x1p-130f) <= 0x1p-140f);      /* subnormals stay */
}
END_TEST

/* The sum of exponentials over a row, cut in parts in any way, against double. */
START_TEST(softmax_is_put_together)
{
    enum { LENGTH = 999 };
    float x[LENGTH];
    for (int i = 0; i < LENGTH; i++) x[i] = (float)((i * 7919) % 401 - 200) * 0.17f;
    double top = -INFINITY, sum = 0;
    for (int i = 0; i < LENGTH; i++) top = fmax(top, (double)x[i]);
    for (int i = 0; i < LENGTH; i++) sum += exp((double)x[i] - top);
    for (int lanes = 1; lanes <= 256; lanes *= 4) {
        soft_f32 part[256];
        for (int k = 0; k < 256; k++) part[k] = soft_empty_f32();
        for (int i = 0; i < LENGTH; i++) part[i % lanes] = soft_merged_f32(part[i % lanes], (soft_f32){ x[i], 1 });
        for (int o = 128; o > 0; o /= 2) for (int k = 0; k < o; k++) part[k] = soft_merged_f32(part[k], part[k + o]);
        ck_assert_double_eq((double)part[0].top, top);
        ck_assert_msg(fabs((double)part[0].sum / sum - 1) < 2e-6, "%d lanes: %g", lanes, (double)part[0].sum / sum - 1);
    }
    const soft_f32 none = soft_merged_f32(soft_empty_f32(), soft_empty_f32());
    ck_assert(none.sum == 0 && isfinite(none.top));
}
END_TEST

START_TEST(norms_agree_in_both_types)
{
    for (int k = 0; k < 1000; k++) {
        const double x = sin(k), mean = 0.3, rstd = 1.7, e = cos(3 * k), z = sin(5 * k);
        ck_assert(fabs((double)normed_f32((float)x, (float)mean, (float)rstd) - normed_f64(x, mean, rstd)) < 5e-7);
        ck_assert(fabs((double)norm_slope_f32((float)e, (float)z, 0.25f, 0.5f, 2) - norm_slope_f64(e, z, 0.25, 0.5, 2)) < 1e-6);
        ck_assert(fabs(norm_slope_f64(e, z, 0.25, 0.5, 2) - 2 * (e - 0.25 - z * 0.5)) < 1e-15);
        ck_assert(fabs((double)score_slope_f32((float)e, (float)z, 0.5f, 3) - 3 * e * (z - 0.5)) < 1e-6);
    }
}
END_TEST

/* ---- make gpu-check ------------------------------------------------------------------------------------------- */

/* The real run, and the part under a sanitizer, which judges our kernels and not the libraries': stand-ins that say what
 * they were called with. */
START_TEST(sanitizers_see_our_own_kernels)
{
    char *folder = temp_folder(), output[2048];
    temp_text(folder, "gpu-check", "#!/bin/sh\necho gpu-check: \"$@\"\n");
    temp_text(folder, "sanitizer", "#!/bin/sh\necho \"$2 $(basename $5) $6 $7.\" >> $(dirname $5)/calls\n[ $2 != racecheck ]\n");
    ck_assert_int_eq(run_command(output, sizeof output, "chmod +x %s/*; sh src/build/gpu_check.sh %s %s/sanitizer", folder, folder,
                                 folder), 1);
    ck_assert_msg(strstr(output, "gpu-check:\nok   compute-sanitizer memcheck\nBAD  compute-sanitizer racecheck"), "%s", output);
    ck_assert_str_eq(temp_read(folder, "calls", NULL), "memcheck gpu-check --small --own.\nracecheck gpu-check --small --own.\n"
                                                       "initcheck gpu-check --small --own.\n");
}
END_TEST

/* ---- make gpu-day: stand-ins again --------------------------------------------------------------------------- */

/* In `folder`: gpu-check, gpu-bench, provably, compute-sanitizer, nvidia-smi and MPS.  The bench fails, one of the models
 * side by side under MPS, too, and racecheck never ends. */
static void first_day(char *folder)
{
    temp_text(folder, "gpu-check", "#!/bin/sh\necho \"checked$*\"\n[ ! -e ${0%/*}/bare ] || { echo 'x: no GPU to check (no driver); run' >&2; exit 2; }\n");
    temp_text(folder, "gpu-bench", "#!/bin/sh\necho half a figure\nexit 3\n");
    temp_text(folder, "provably", "#!/bin/sh\nfor a; do case $a in --out=*) o=${a#*=} ;; esac; done\nmkdir -p $o && echo \"$@\" > $o/steps.csv\n"
                                  "echo 'cuda-bf16 on H0, attention: flash' >&2\n"
                                  "[ ! \"${CUDA_MPS_PIPE_DIRECTORY:-}\" ] || [ ${o##*/} != 5 ] || { echo launch failure; exit 2; }\n");
    temp_text(folder, "nvidia-cuda-mps-control", "#!/bin/sh\n[ ! \"${1:-}\" ] || echo the server says > $CUDA_MPS_LOG_DIRECTORY/server.log\n"
                                                 "[ \"${1:-}\" ] || echo \"MPS: $(cat)\"\n");
    temp_text(folder, "sanitizer", "#!/bin/sh\n[ $2 != racecheck ] || sleep 1000\necho \"$@\"\n");
    temp_text(folder, "nvidia-smi", "#!/bin/sh\necho H0, 580.1\n");
}
#define DAY "cd %1$s && chmod +x gpu-check gpu-bench provably sanitizer nvidia-smi nvidia-cuda-mps-control && cd $OLDPWD && " \
            "PATH=%1$s:$PATH LIMITS=racecheck=1 sh src/build/gpu_day.sh %1$s %2$s; s=$?; "

START_TEST(the_first_day_survives_its_steps)
{
    static const char *const steps[] = { "ok   hardware ", "ok   operations ", "ok   check ", "ok   train ", "ok   cudnn ", "ok   turns ",
                                         "BAD  mps ", "BAD  bench ", "ok   memcheck ", "LATE racecheck ", "ok   initcheck " };
    char *folder = temp_folder(), output[8192];
    first_day(folder);
    ck_assert_int_eq(run_command(output, sizeof output, DAY "cd %1$s; echo \"[$(ls -d gpu-day*)]\"; tar -xzf gpu-day-*.tar.gz && cd gpu-day-*[!z] && ls"
                                 " && cat summary.txt *-hardware.log *-bench.log *-train.log flash-steps.csv; exit $s", folder,
                                 temp_format("%s/sanitizer", folder)), 1);
    long limits = 0;
    const char *at = output;
    for (size_t k = 0; k < COUNT(steps); k++) {               /* in this order, as they run and in the summary */
        at = strstr(at, steps[k]);
        ck_assert_msg(at, "%s in\n%s", steps[k], output);
        const char *of = strstr(at, " s of ");
        ck_assert(of);
        limits += strtol(of + 6, NULL, 10);
    }
    ck_assert_int_eq(limits, 1500 - 200 + 1);                 /* 25 minutes, without what LIMITS has changed */
    ck_assert_msg(strstr(output, "gpu-day: 3 of 11 steps failed\ngpu-day: please send us "), "%s", output);
    ck_assert_msg(strstr(output, ".tar.gz]\n01-hardware.log\n02-operations.log\n03-check.log\n04-train.log\n05-cudnn.log\n06-turns.log\n"
                                 "07-mps.log\n08-bench.log\n09-memcheck.log\n10-racecheck.log\n11-initcheck.log\ncudnn-steps.csv\nflash-steps.csv\nsummary.txt\n"), "%s", output);
    ck_assert_msg(strstr(output, "H0, 580.1\n") && strstr(output, "commit ") && strstr(output, "half a figure\n") &&
                  strstr(output, "attention: flash\n") && strstr(output, "train --quiet --backend=cuda-bf16 "), "%s", output);
    char *mps = temp_format("cd %s && tar -xzf gpu-day-*.tar.gz && cat gpu-day-*/07-mps.log", folder);
    ck_assert_int_eq(run_command(output, sizeof output, "%s", mps), 0);
    ck_assert_msg(strstr(output, "launch failure\n") && strstr(output, "MPS: quit\n") && strstr(output, "the server says\n"), "%s", output);
}
END_TEST

START_TEST(the_first_day_without_a_gpu)
{
    char *folder = temp_folder(), output[2048];
    first_day(folder);
    temp_text(folder, "bare", "");
    ck_assert_int_eq(run_command(output, sizeof output, DAY "ls -d %1$s/gpu-day-[0-9]*; exit $s", folder, "''"), 2);
    ck_assert_msg(strstr(output, "gpu-day: no GPU to check (no driver)") && strstr(output, "cannot access"), "%s", output);
    ck_assert_ptr_null(strstr(output, "BAD  check"));
}
END_TEST

START_TEST(the_first_day_without_sanitizer)
{
    char *folder = temp_folder(), output[2048];
    first_day(folder);
    ck_assert_int_eq(run_command(output, sizeof output, DAY "exit $s", folder, "''"), 1);
    ck_assert_msg(strstr(output, "none memcheck ") && strstr(output, "none racecheck ") && strstr(output, "2 of 11 steps failed"), "%s", output);
}
END_TEST

/* ---- the assembler's report ------------------------------------------------------------------------------- */

static int lint(const char *list, const char *spills, char *output, size_t size)
{
    char *folder = temp_folder();
    const int status = run_command(output, size,
        "cd %s && printf '%s' > list && printf \"%%s\\n\" \"ptxas info    : Compiling entry function "
        "'_Z10add_kernelI4bf16EvPf' for 'sm_90a'\" '    0 bytes stack frame, %s' 'ptxas info    : Used 30 registers, used "
        "0 barriers, 64 bytes smem' > log && sh $OLDPWD/src/build/cuda_lint.sh report list log; s=$?; cat report; rm -r %s; "
        "exit $s", folder, list, spills, folder);
    return status;
}

START_TEST(kernels_are_on_the_list)
{
    char output[1024];
    const char *none = "0 bytes spill stores, 0 bytes spill loads", *some = "4 bytes spill stores, 8 bytes spill loads";
    ck_assert_msg(lint("add_kernel<bf16> 0\\n", none, output, sizeof output) == 0, "%s", output);
    ck_assert_msg(strstr(output, "add_kernel<bf16> sm_90a 30 64 0 0"), "%s", output);
    ck_assert_int_eq(lint("# nothing\\n", none, output, sizeof output), 1);
    ck_assert_msg(strstr(output, "add_kernel<bf16> is not in"), "%s", output);
    ck_assert_int_eq(lint("add_kernel<bf16> 11\\n", some, output, sizeof output), 1);
    ck_assert_msg(strstr(output, "spills 12 bytes on sm_90a, allowed are 11"), "%s", output);
    ck_assert_int_eq(lint("add_kernel<bf16> 12\\n", some, output, sizeof output), 0);
    ck_assert_int_eq(lint("add_kernel<bf16> 0\\nold 0\\n", none, output, sizeof output), 1);
    ck_assert_msg(strstr(output, "old is in cuda/kernels.txt and does not exist"), "%s", output);
}
END_TEST

/* ---- the choice of a backend ------------------------------------------------------------------------------ */

static void unknown_backend(void *with)  { (void)with; backend_find("gpu", GPU_FP32); }
static void unknown_attention(void *with) { (void)with; backend_attention("fast"); }
START_TEST(backends_have_names)
{
    char output[512];
    ck_assert_str_eq(backend_find("cpu", GPU_FP32)->name, "cpu-f32");
    ck_assert_str_eq(backend_find("cpu-f64", GPU_FP32)->name, "cpu-f64");
    ck_assert_int_eq(run_child(unknown_backend, NULL, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "--backend takes cpu, cpu-bf16, cpu-f64, cuda, cuda-tf32 or cuda-bf16, not `gpu`"), "%s", output);
    ck_assert_int_eq(run_child(unknown_attention, NULL, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "--attn takes simple"), "%s", output);
    backend_attention("simple");
    backend_attention("best");
    ck_assert_str_eq(backend_find(NULL, GPU_FP32)->name, "cuda-fp32");                  /* the interpreted one */
    ck_assert_str_eq(backend_find("cuda-bf16", GPU_FP32)->name, "cuda-bf16");
}
END_TEST

/* Without a GPU the CPU is the default, announced once; it never replaces a GPU that was asked for. */
static void no_gpu(void *name)
{
    setenv("PTX_DEVICE", "missing", 1);
    for (int twice = 0; twice < 2; twice++) printf("%s ", backend_find(name, GPU_FP32)->name);
}
START_TEST(what_was_asked_for_runs)
{
    static const char *const gpu[] = { "cuda", "cuda-tf32", "cuda-bf16" };
    char output[1024];
    ck_assert_int_eq(run_child(no_gpu, NULL, output, sizeof output), 0);
    const char *first = strstr(output, "no usable GPU (the interpreter plays none); falling back to the CPU\n");
    ck_assert_msg(first && !strstr(first + 1, "no usable GPU") && strstr(output, "cpu-f32 cpu-f32 "), "%s", output);
    for (size_t k = 0; k < COUNT(gpu); k++) {
        char *name = must_strdup(gpu[k]), *says = temp_format("--backend=%s: no usable GPU (the interpreter plays none); ", gpu[k]);
        ck_assert_int_eq(run_child(no_gpu, name, output, sizeof output), 2);
        ck_assert_msg(strstr(output, says) && !strstr(output, "cpu-f32"), "%s", output);
        free(name);
    }
    char *cpu = must_strdup("cpu");
    ck_assert_int_eq(run_child(no_gpu, cpu, output, sizeof output), 0);
    ck_assert_str_eq(output, "cpu-f32 cpu-f32 ");
    free(cpu);
}
END_TEST

int main(int argc, char **argv)
{
    base_init(argc, argv);
    TCase *t = tcase_create("cuda");
    tcase_set_timeout(t, 600);
    tcase_add_test(t, rows_are_cut_whole);
    tcase_add_test(t, numbers_are_cut_whole);
    tcase_add_test(t, logits_get_whole_warps);
    tcase_add_test(t, scores_stay_small);
    tcase_add_test(t, logits_fill_a_part_of_the_memory);
    tcase_add_test(t, no_launch_beyond_the_grid);
    tcase_add_test(t, keys_tell_kinds_apart);
    tcase_add_test(t, words_are_read_as_written);
    tcase_add_test(t, bfloat16_rounds_to_nearest_even);
    tcase_add_test(t, softmax_is_put_together);
    tcase_add_test(t, norms_agree_in_both_types);
    tcase_add_test(t, sanitizers_see_our_own_kernels);
    tcase_add_test(t, the_first_day_survives_its_steps);
    tcase_add_test(t, the_first_day_without_a_gpu);
    tcase_add_test(t, the_first_day_without_sanitizer);
    tcase_add_test(t, kernels_are_on_the_list);
    tcase_add_test(t, backends_have_names);
    tcase_add_test(t, what_was_asked_for_runs);
    Suite *suite = suite_create("cuda");
    suite_add_tcase(suite, t);
    return run_suite(suite, argc, argv);
}
