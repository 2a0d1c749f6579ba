/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_memory.c - every allocation may fail: the program says so in one line and exits with status 2.
 *
 * GMP, MPFR and FLINT allocate through ours, so the walk covers them: allocation 1, 2, 3, ... of a whole
 * claim in every arithmetic fails, each in a child of its own. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/claim/runner/runner.h"
#include "tests/support/suite.h"

static void body_of_walk(trial *t)
{
    model M = model_random(&t->s, t->sh), R = gauge_uniform(&t->s, &M, gauge_basis(&t->s, mat_draw(&t->s, "Theta", t->sh.d, t->sh.d, 0)));
    claim_same_function(t, &M, &R);
}

static const part walk_part = { .name = "as-stated", .kind = PART_IDENTITY, .run = body_of_walk,
                                .assumes = "invertible Theta" };
static const claim walk_claim = { .id = "K-WALK", .parts = &walk_part, .nparts = 1 };

static row run_one(int over)
{
    job j = { .claim = &walk_claim, .part = &walk_part, .over = { .kind = over, .bits = over == A_MPFR ? 64 : 0 }, .seed = 1, .certifies = true,      /* over sym one model, not those of runner_guards.c */
              .sh = { .n = 2, .d = 2, .h = 1, .m = 2, .V = 2, .L = 1, .attn_skip = true, .mlp_skip = true } };
    const char *wrong = shape_complete(&j.sh);
    ck_assert_msg(!wrong, "%s", wrong);
    return runner_run(&j, NULL, NULL);
}

typedef struct { int over; uint64_t nth; } failure;

static void fail_at(void *with)
{
    const failure *f = with;
    memory_fail_at(f->nth);
    (void)run_one(f->over);
    _exit(0);                                         /* the failure was not reached, or was ignored */
}

/* All of the first 400 allocations, then every k-th, so that about 400 more are tried. */
START_TEST(every_failure_is_one_message)
{
    ck_assert_int_eq(run_one(_i).verdict, HOLDS);     /* fills the libraries' caches, as every child inherits them */
    memory_fail_at(0);
    ck_assert_int_eq(run_one(_i).verdict, HOLDS);
    uint64_t made = memory_fail_at(0);                /* the least of some runs: MPFR keeps some of its integers for later */
    for (int again = 0; again < 8; again++) {
        (void)run_one(_i);
        const uint64_t n = memory_fail_at(0);
        if (n < made) made = n;
    }
    const uint64_t step = made > 800 ? (made - 400) / 400 + 1 : 1;
    ck_assert_uint_gt(made, 20);
    long tried = 0;
    for (uint64_t nth = 1; nth <= made; nth += nth < 400 ? 1 : step) {
        char output[512];
        failure f = { _i, nth };
        const int status = run_child(fail_at, &f, output, sizeof output);
        ck_assert_msg(status == 2, "%s: allocation %llu of %llu: status %d, output: %s", arith_names[_i],
                      (unsigned long long)nth, (unsigned long long)made, status, output);
        ck_assert_msg(strstr(output, "out of memory") && strchr(output, '\n') == output + strlen(output) - 1,
                      "%s: allocation %llu: output: %s", arith_names[_i], (unsigned long long)nth, output);
        tried++;
    }
    ck_assert_int_ge(tried, 20);
}
END_TEST

/* Sizes that overflow are refused before they are multiplied. */
static void ask_for_too_much(void *unused)
{
    (void)unused;
    free(must_calloc(SIZE_MAX / 2, 3));
}
static void ask_in_vain(void *unused)
{
    (void)unused;
    memory_fail_at(1);
    free(must_calloc(1, 1));
}
START_TEST(overflow)                     /* the message names what the program has */
{
    char output[512];
    ck_assert_int_eq(run_child(ask_for_too_much, NULL, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "out of memory"));
    memory_advice("a smaller --width");
    ck_assert_int_eq(run_child(ask_for_too_much, NULL, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "try a smaller --width\n"));
    ck_assert_int_eq(run_child(ask_in_vain, NULL, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "try a smaller --width\n"));
}
END_TEST

#ifndef __SANITIZE_ADDRESS__                             /* it has a malloc of its own */
/* What libraries ask for ends in the same way: they see no null pointer. */
typedef struct { const char *of; void *(*ask)(size_t n); } library_call;
static void *by_malloc(size_t n)          { return malloc(n); }
static void *by_calloc(size_t n)          { return calloc(n, 1); }
static void *by_calloc_overflow(size_t n) { return calloc(n, 8); }
static void *by_realloc(size_t n)         { return realloc(NULL, n); }
static void *by_realloc_of(size_t n)      { return realloc(malloc(1), n); }
static void *by_memalign(size_t n)        { return memalign(64, n); }
static void *by_aligned_alloc(size_t n)   { return aligned_alloc(64, n); }
static void *by_posix_memalign(size_t n)
{
    void *p;
    return posix_memalign(&p, 64, n) == 0 ? p : NULL;
}
static const library_call library_calls[] = {
    { "malloc", by_malloc }, { "calloc", by_calloc }, { "calloc, overflow", by_calloc_overflow }, { "realloc", by_realloc },
    { "realloc of a block", by_realloc_of }, { "memalign", by_memalign }, { "aligned_alloc", by_aligned_alloc },
    { "posix_memalign", by_posix_memalign } };

static void ask_library(void *with)
{
    const library_call *c = with;
    free(c->ask(SIZE_MAX / 4));
}

START_TEST(libraries_see_no_null_pointer)
{
    char output[512];
    const library_call *c = &library_calls[_i];
    ck_assert_int_eq(run_child(ask_library, (void *)(uintptr_t)c, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "out of memory (") && strchr(output, '\n') == output + strlen(output) - 1, "%s: %s", c->of, output);
    char *p = c->ask(c->ask == by_calloc_overflow ? 12 : 100);
    ck_assert_ptr_nonnull(p);
    memset(p, 1, 96);
    ck_assert(((uintptr_t)p & 63) == 0 || !strstr(c->of, "align"));
    p = realloc(p, 0);                                /* frees it, and is no lack of memory */
    free(p);
}
END_TEST
#endif

int main(int argc, char **argv)
{
    Suite *suite = suite_create("memory");
    TCase *all = tcase_create("walk");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, every_failure_is_one_message, 0, ARITHS);
    tcase_add_test(all, overflow);
#ifndef __SANITIZE_ADDRESS__
    tcase_add_loop_test(all, libraries_see_no_null_pointer, 0, COUNT(library_calls));
#endif
    return run_suite(suite, argc, argv);
}
