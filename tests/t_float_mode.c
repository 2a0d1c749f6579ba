/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_float_mode.c - a program does not start where the processor rounds otherwise than to nearest or drops subnormal numbers. */
#include <fenv.h>
#include <string.h>
#include "src/base/float_mode.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"
#if defined __x86_64__
#include <xmmintrin.h>
#endif

static char output[1 << 14];
static void require(void *with)
{
    (void)with;
    float_mode_require();
}

START_TEST(rounding)
{
    static const struct { int mode; const char *says; } other[] = {
        { FE_UPWARD, "the processor rounds upwards: intervals would be false" },
        { FE_DOWNWARD, "the processor rounds downwards: intervals would be false" },
        { FE_TOWARDZERO, "the processor rounds towards zero: intervals would be false" } };
    ck_assert_ptr_null(float_mode_wrong());
    for (size_t k = 0; k < COUNT(other); k++) {
        ck_assert_int_eq(fesetround(other[k].mode), 0);
        const char *wrong = float_mode_wrong();
        const int status = run_child(require, NULL, output, sizeof output);
        fesetround(FE_TONEAREST);
        ck_assert_ptr_nonnull(wrong);
        ck_assert_int_eq(status, 2);
        ck_assert_msg(strstr(output, other[k].says) != NULL, "%s", output);
    }
    ck_assert_ptr_null(float_mode_wrong());
}
END_TEST

#if defined __x86_64__
/* Each register and each flag alone: the x87's rounding, that of SSE, results and operands that are subnormal. */
START_TEST(each_flag)
{
    const unsigned before = _mm_getcsr();
    static const struct { unsigned flag; const char *says; } other[] = {
        { 0x2000, "rounds downwards" }, { 0x4000, "rounds upwards" }, { 0x6000, "rounds towards zero" },
        { 0x8000, "turns results that are subnormal numbers into zero" }, { 0x0040, "takes subnormal numbers for zero" } };
    for (size_t k = 0; k < COUNT(other); k++) {
        _mm_setcsr(before | other[k].flag);
        const char *wrong = float_mode_wrong();
        _mm_setcsr(before);
        ck_assert_msg(wrong && strstr(wrong, other[k].says), "%x: %s", other[k].flag, wrong ? wrong : "nothing");
    }
    fesetround(FE_UPWARD);                          /* both; then SSE alone as before */
    _mm_setcsr(before);
    const char *wrong = float_mode_wrong();
    fesetround(FE_TONEAREST);
    ck_assert_msg(wrong && strstr(wrong, "does not round long doubles to nearest"), "%s", wrong ? wrong : "nothing");
}
END_TEST
#endif

#ifndef __SANITIZE_ADDRESS__
/* A library that is loaded first and changes it: every command and every claim's program stops, proofcheck needs no doubles. */
START_TEST(programs_stop)
{
    char *root = temp_folder();
    temp_text(root, "up.c", "#include <fenv.h>\n__attribute__((constructor)) static void up(void) { fesetround(FE_UPWARD); }\n");
    ck_assert_int_eq(run_command(output, sizeof output, "cc -shared -fPIC '%s/up.c' -o '%s/up.so' -lm", root, root), 0);
    static const char *const program[] = { "provably list", "provably verify a b --certified", "provably rank --d=4", "provably run K-T4.4",
                                           "theorems/k_t4_4 --list", "theorems/k_e2" };
    for (size_t k = 0; k < COUNT(program); k++) {
        const int status = run_command(output, sizeof output, "LD_PRELOAD='%s/up.so' %s/%s", root, build_folder(), program[k]);
        ck_assert_msg(status == 2 && strstr(output, ": the processor rounds upwards") && !strstr(output, "error"), "%s: %d %s", program[k], status, output);
        ck_assert_msg(strchr(output, '\n') == strrchr(output, '\n'), "more than a line: %s", output);
    }
    ck_assert_int_eq(run_command(output, sizeof output, "LD_PRELOAD='%s/up.so' %s/proofcheck --version", root, build_folder()), 0);
}
END_TEST
#endif

int main(int argc, char **argv)
{
    Suite *suite = suite_create("float_mode");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_test(all, rounding);
#if defined __x86_64__
    tcase_add_test(all, each_flag);
#endif
#ifndef __SANITIZE_ADDRESS__
    tcase_add_test(all, programs_stop);
#endif
    return run_suite(suite, argc, argv);
}
