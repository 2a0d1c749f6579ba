/* t_ptx.c - the kernels as nvcc compiles them, run by an interpreter of PTX (tests/ptx): all of gpu-check's operations and
 * all of t_cuda_attn's cases, against the CPU's references; that no kernel is left out; and the interpreter itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/emulate.h"
#include "tests/ptx/launch.h"
#include "tests/ptx/ptx.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- small kernels: y and x are parameters, s an array in shared memory; thread i has word i of each ------------ */

static const char *const head =
    ".version 9.0\n.target sm_80\n.address_size 64\n.extern .shared .align 128 .b8 dynamic[];\n";
/* %rd4, %rd5: the thread's words of y and x; %r1: its number; %r3: s; %r4: its word there */
static const char *const prelude =
    ".visible .entry %s(\n\t.param .u64 %s_param_0,\n\t.param .u64 %s_param_1\n)\n.maxntid 64, 1, 1\n{\n"
    "\t.reg .pred %%p<8>;\n\t.reg .b16 %%rs<8>;\n\t.reg .f32 %%f<40>;\n\t.reg .b32 %%r<40>;\n\t.reg .b64 %%rd<40>;\n"
    "\t.shared .align 16 .b8 s_%s[256];\n"
    "\tld.param.u64 %%rd1, [%s_param_0];\n\tld.param.u64 %%rd2, [%s_param_1];\n"
    "\tmov.u32 %%r1, %%tid.x;\n\tmul.wide.u32 %%rd3, %%r1, 4;\n\tadd.s64 %%rd4, %%rd1, %%rd3;\n\tadd.s64 %%rd5, %%rd2, %%rd3;\n"
    "\tmov.u32 %%r3, s_%s;\n\tshl.b32 %%r2, %%r1, 2;\n\tadd.s32 %%r4, %%r3, %%r2;\n";

static kernel *made(const char *name, const char *body)
{
    char *start = temp_format(prelude, name, name, name, name, name, name, name);
    char *path = temp_text(temp_folder(), "kernel.ptx", temp_format("%s%s%s\n\tret;\n}\n", head, start, body));
    ptx_read(path);
    kernel *k = ptx_kernel(name);
    ck_assert(k);
    return k;
}

static uint32_t _Alignas(16) y[128], x[128];
/* 64 threads a block; x is only read. */
static void run(const char *name, const char *body, unsigned blocks, size_t dynamic)
{
    made(name, body);
    emulate_forget();
    memory_buffer(x, sizeof x, false);
    if (strstr(name, "scratch")) memory_scratch(y, sizeof y);
    else                         memory_buffer(y, sizeof y, true);
    void *py = y, *px = x;
    const void *const argument[] = { &py, &px };
    ptx_launch(name, (emulated_dim){ blocks, 1, 1 }, (emulated_dim){ 64, 1, 1 }, dynamic, argument,
               (const size_t[]){ 8, 8 }, 2);
}

#define STORE "\tst.shared.u32 [%r4], %r1;\n"
#define BARRIER "\tbar.sync 0;\n"
static const struct { const char *name, *body, *fault; unsigned blocks; } broken[] = {
    { "fine", STORE BARRIER "xor.b32 %r5, %r2, 128;\nadd.s32 %r5, %r5, %r3;\nld.shared.u32 %r6, [%r5];\n"
              "st.global.u32 [%rd4], %r6;\n", NULL, 1 },
    { "no_barrier", STORE "xor.b32 %r5, %r2, 128;\nadd.s32 %r5, %r5, %r3;\nld.shared.u32 %r6, [%r5];\n",
      "shared memory is read", 1 },
    { "no_warp_barrier", STORE "xor.b32 %r5, %r2, 4;\nadd.s32 %r5, %r5, %r3;\nld.shared.u32 %r6, [%r5];\n",
      "race: shared memory is read after a write", 1 },
    { "warp_barrier", STORE "bar.warp.sync -1;\nxor.b32 %r5, %r2, 4;\nadd.s32 %r5, %r5, %r3;\nld.shared.u32 %r6, [%r5];\n",
      NULL, 1 },
    { "write_and_read", STORE BARRIER "xor.b32 %r5, %r2, 128;\nadd.s32 %r5, %r5, %r3;\nsetp.lt.s32 %p1, %r1, 32;\n"
                        "@%p1 bra $L_read;\nst.shared.u32 [%r5], %r1;\nbra.uni $L_end;\n$L_read:\nld.shared.u32 %r6, [%r4];\n$L_end:\n",
      "race: shared memory is", 1 },                         /* the second warp writes what the first one reads */
    { "write_and_read_in_a_warp", STORE BARRIER "ld.shared.u32 %r6, [%r4];\nxor.b32 %r5, %r2, 4;\nadd.s32 %r5, %r5, %r3;\n"
                                  "st.shared.u32 [%r5], %r6;\n", "race: shared memory is written after a read", 1 },
    { "written_twice", "and.b32 %r5, %r2, 127;\nadd.s32 %r5, %r5, %r3;\nst.shared.u32 [%r5], %r1;\n", "is written twice", 1 },
    { "one_word", "st.shared.u32 [%r3], %r1;\n", "is written twice", 1 },
    { "never_written", "ld.shared.u32 %r6, [%r4];\n", "shared memory is read before it is written", 1 },
    { "outside_shared", "st.shared.u32 [%r4+4], %r1;\n", "outside shared memory", 1 },
    { "shared_alignment", "st.shared.u32 [%r4+2], %r1;\n", "is not aligned", 1 },
    { "vector_alignment", "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd5];\n", "is not aligned", 1 },
    { "outside", "ld.global.u32 %r6, [%rd5+65536];\n", "outside all buffers", 1 },
    { "before", "ld.global.u32 %r6, [%rd5+-65536];\n", "outside all buffers", 1 },
    { "read_only", "st.global.u32 [%rd5], %r1;\n", "only read", 1 },
    { "scratch", "ld.global.u32 %r6, [%rd4];\n", "global memory is read before it is written", 1 },
    { "two_blocks", "st.global.u32 [%rd4], %r1;\n", "two blocks store", 2 },
    { "another_block", "mov.u32 %r5, %ctaid.x;\nmul.wide.u32 %rd6, %r5, 256;\nadd.s64 %rd7, %rd4, %rd6;\n"
                       "st.global.u32 [%rd7], %r1;\nxor.b32 %r6, %r5, 1;\nmul.wide.u32 %rd6, %r6, 256;\n"
                       "add.s64 %rd7, %rd4, %rd6;\nld.global.u32 %r6, [%rd7];\n", "what another block writes", 2 },
    { "register_stored", "st.global.u32 [%rd4], %r9;\n", "reads a register that was never written", 1 },
    { "register_sum", "add.s32 %r8, %r9, %r1;\nst.global.u32 [%rd4], %r8;\n", "reads a register that was never written", 1 },
    { "register_address", "ld.global.u32 %r8, [%rd9];\n", "reads a register that was never written", 1 },
    { "register_condition", "setp.eq.s32 %p1, %r9, 0;\n@%p1 bra $L_end;\nmov.u32 %r8, 1;\n$L_end:\n",
      "by a predicate that was never written", 1 },
    { "register_of_some", "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra $L_set;\nmov.u32 %r8, 1;\n$L_set:\nst.global.u32 [%rd4], %r8;\n",
      "reads a register that was never written", 1 },
    { "register_not_taken", "setp.ge.s32 %p1, %r1, 0;\nselp.b32 %r8, %r1, %r9, %p1;\nst.global.u32 [%rd4], %r8;\n", NULL, 1 },
    { "copy_in_time", "and.b32 %r5, %r1, 15;\nmul.wide.u32 %rd6, %r5, 16;\nadd.s64 %rd7, %rd2, %rd6;\nshl.b32 %r6, %r1, 4;\n"
                      "mov.u32 %r7, dynamic;\nadd.s32 %r7, %r7, %r6;\ncp.async.cg.shared.global [%r7], [%rd7], 16, 16;\n"
                      "cp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r7];\n"
                      "st.global.u32 [%rd4], %r10;\n", NULL, 1 },
    { "copy_too_early", "and.b32 %r5, %r1, 15;\nmul.wide.u32 %rd6, %r5, 16;\nadd.s64 %rd7, %rd2, %rd6;\nshl.b32 %r6, %r1, 4;\n"
                        "mov.u32 %r7, dynamic;\nadd.s32 %r7, %r7, %r6;\ncp.async.cg.shared.global [%r7], [%rd7], 16, 16;\n"
                        "cp.async.commit_group;\ncp.async.wait_group 1;\nld.shared.v4.u32 {%r8, %r9, %r10, %r11}, [%r7];\n",
      "while a copy to it is under way", 1 },
    { "copy_not_waited", "shl.b32 %r6, %r1, 4;\nmov.u32 %r7, dynamic;\nadd.s32 %r7, %r7, %r6;\n"
                         "cp.async.cg.shared.global [%r7], [%rd2], 16, 16;\ncp.async.commit_group;\n",
      "ends while its copies", 1 },
    { "copy_beyond", "shl.b32 %r6, %r1, 4;\nmov.u32 %r7, dynamic;\nadd.s32 %r7, %r7, %r6;\n"
                     "cp.async.cg.shared.global [%r7+16], [%rd2], 16, 0;\ncp.async.wait_all;\n", "outside shared memory", 1 },
    { "diverged", "and.b32 %r5, %r1, 1;\nsetp.eq.s32 %p1, %r5, 0;\n@%p1 bra $L_even;\nbar.warp.sync -1;\nbra.uni $L_done;\n$L_even:\n"
                  "shfl.sync.bfly.b32 %r6|%p2, %r1, 1, 31, -1;\n$L_done:\n", "wait for others that never come", 1 },
    { "met_again", "and.b32 %r5, %r1, 1;\nsetp.eq.s32 %p1, %r5, 0;\nmov.u32 %r6, 7;\n@%p1 bra $L_even;\nmov.u32 %r6, 8;\n$L_even:\n"
                   "shfl.sync.bfly.b32 %r7|%p2, %r6, 1, 31, -1;\nst.global.u32 [%rd4], %r7;\n", NULL, 1 },
    { "returned", "setp.eq.s32 %p1, %r1, 3;\n@%p1 ret;\nshfl.sync.bfly.b32 %r6|%p2, %r1, 1, 31, -1;\n",
      "with lanes that have returned", 1 },
    { "jumped_over", "setp.eq.s32 %p1, %r1, 3;\n@%p1 bra $L_end;\nshfl.sync.bfly.b32 %r6|%p2, %r1, 1, 31, -1;\n$L_end:\n",
      "wait for others that never come", 1 },
    { "missed_barrier", "setp.eq.s32 %p1, %r1, 40;\n@%p1 bra $L_end;\nbar.sync 0;\n$L_end:\n", "does not reach", 1 },
};

START_TEST(faults_are_found)
{
    for (unsigned order = 0; order < 3; order++) {
        emulate_order(order);
        for (size_t k = 0; k < COUNT(broken); k++) {
            memset(y, 0xff, sizeof y);
            for (int i = 0; i < 128; i++) x[i] = (uint32_t)(1000 + i);
            run(temp_format("%s_%u", broken[k].name, order), broken[k].body, broken[k].blocks, 1024);
            if (!broken[k].fault) ck_assert_msg(emulate_faults() == 0, "%s: %s", broken[k].name, emulate_fault());
            else ck_assert_msg(emulate_faults() == 1 && strstr(emulate_fault(), broken[k].fault), "%s: \"%s\" for \"%s\"",
                               broken[k].name, emulate_fault(), broken[k].fault);
            for (uint32_t i = 0; i < 64 && !broken[k].fault; i++) {
                if (strcmp(broken[k].name, "fine") == 0) ck_assert_uint_eq(y[i], i ^ 32);
                if (strcmp(broken[k].name, "copy_in_time") == 0) ck_assert_uint_eq(y[i], 1002 + 4 * (i % 16));
                if (strcmp(broken[k].name, "met_again") == 0) ck_assert_uint_eq(y[i], i % 2 ? 7 : 8);
            }
        }
    }
    emulate_order(0);
}
END_TEST

/* ---- single instructions: y = f(x), of 32 bits; what the ISA says it is ----------------------------------------- */

#define LOAD "ld.global.u32 %r8, [%rd5];\nld.global.u32 %r9, [%rd5+4];\nld.global.f32 %f1, [%rd5];\nld.global.f32 %f2, [%rd5+4];\n"
#define KEEP "st.global.u32 [%rd4], %r10;\n"
#define KEEP_F "st.global.f32 [%rd4], %f3;\n"

static const struct { const char *body; uint32_t a, b, want; } single[] = {
    { "add.s32 %r10, %r8, %r9;\n" KEEP, 0xffffffff, 3, 2 },
    { "mul.lo.s32 %r10, %r8, %r9;\n" KEEP, 0x10001, 0x10001, 0x20001 },
    { "mul.hi.u32 %r10, %r8, %r9;\n" KEEP, 0xffffffff, 0xfffffffe, 0xfffffffd },
    { "shr.s32 %r10, %r8, %r9;\n" KEEP, 0x80000000, 99, 0xffffffff },
    { "shr.u32 %r10, %r8, %r9;\n" KEEP, 0x80000000, 32, 0 },
    { "shl.b32 %r10, %r8, %r9;\n" KEEP, 3, 31, 0x80000000 },
    { "shl.b32 %r10, %r8, %r9;\n" KEEP, 3, 33, 0 },
    { "div.s32 %r10, %r8, %r9;\n" KEEP, (uint32_t)-7, 2, (uint32_t)-3 },
    { "rem.s32 %r10, %r8, %r9;\n" KEEP, (uint32_t)-7, 2, (uint32_t)-1 },
    { "div.u32 %r10, %r8, %r9;\n" KEEP, 0xfffffff9, 2, 0x7ffffffc },
    { "bfi.b32 %r10, %r8, %r9, 8, 4;\n" KEEP, 0xabc, 0x11111111, 0x11111c11 },
    { "bfi.b32 %r10, %r8, %r9, 28, 16;\n" KEEP, 0xabc, 0x11111111, 0xc1111111 },
    { "prmt.b32 %r10, %r8, %r9, 0x7610;\n" KEEP, 0x33221100, 0x77665544, 0x77661100 },
    { "prmt.b32 %r10, %r8, %r9, 0x8c41;\n" KEEP, 0x80221180, 0x776655c4, 0xffffc411 },
    { "lop3.b32 %r10, %r8, %r9, 0xf0f0f0f0, 0x96;\n" KEEP, 0x0000ffff, 0x00ff00ff, 0xf00f0ff0 },
    { "lop3.b32 %r10, %r8, %r9, 0xf0f0f0f0, 0xe8;\n" KEEP, 0x0000ffff, 0x00ff00ff, 0x00f0f0ff },
    { "cvt.s64.s32 %rd8, %r8;\nshr.u64 %rd9, %rd8, 32;\ncvt.u32.u64 %r10, %rd9;\n" KEEP, 0x80000000, 0, 0xffffffff },
    { "cvt.u64.u32 %rd8, %r8;\nshr.u64 %rd9, %rd8, 32;\ncvt.u32.u64 %r10, %rd9;\n" KEEP, 0x80000000, 0, 0 },
    { "mov.b64 %rd8, {%r8, %r9};\nmov.b64 {%r11, %r10}, %rd8;\n" KEEP, 5, 6, 6 },
    { "cvt.u16.u32 %rs1, %r8;\nmul.wide.u16 %r10, %rs1, 3;\n" KEEP, 0x1ffff, 0, 0x2fffd },
    { "cvt.rn.bf16.f32 %rs1, %f1;\ncvt.u32.u16 %r10, %rs1;\n" KEEP, 0x3f808000, 0, 0x3f80 },         /* ties to even */
    { "cvt.rn.bf16.f32 %rs1, %f1;\ncvt.u32.u16 %r10, %rs1;\n" KEEP, 0x3f818000, 0, 0x3f82 },
    { "cvt.rn.bf16.f32 %rs1, %f1;\ncvt.u32.u16 %r10, %rs1;\n" KEEP, 0x7f7fffff, 0, 0x7f80 },
    { "cvt.rn.bf16.f32 %rs1, %f1;\ncvt.u32.u16 %r10, %rs1;\n" KEEP, 0xff800001, 0, 0x7fff },         /* NaN */
    { "cvt.rn.bf16x2.f32 %r10, %f1, %f2;\n" KEEP, 0x3f800000, 0x40000000, 0x3f804000 },              /* the first is above */
    { "fma.rn.f32 %f3, %f1, %f1, %f2;\n" KEEP_F, 0x3f800001, 0xbf800002, 0x28800000 },               /* 2^-46: one rounding */
    { "mul.f32 %f3, %f1, %f1;\nadd.f32 %f3, %f3, %f2;\n" KEEP_F, 0x3f800001, 0xbf800002, 0 },
    { "max.f32 %f3, %f1, %f2;\n" KEEP_F, 0x7fc00000, 0x40000000, 0x40000000 },
    { "max.f32 %f3, %f1, %f2;\n" KEEP_F, 0x80000000, 0, 0 },
    { "min.f32 %f3, %f1, %f2;\n" KEEP_F, 0, 0x80000000, 0x80000000 },
    { "ex2.approx.ftz.f32 %f3, %f1;\n" KEEP_F, 0xff800000, 0, 0 },
    { "ex2.approx.ftz.f32 %f3, %f1;\n" KEEP_F, 0xc0400000, 0, 0x3e000000 },                          /* 2^-3 */
    { "ex2.approx.ftz.f32 %f3, %f1;\n" KEEP_F, 0xc3000000, 0, 0 },                                   /* 2^-128: flushed */
    { "setp.ne.f32 %p1, %f1, %f2;\nselp.b32 %r10, 1, 0, %p1;\n" KEEP, 0x7fc00000, 0, 0 },
    { "setp.neu.f32 %p1, %f1, %f2;\nselp.b32 %r10, 1, 0, %p1;\n" KEEP, 0x7fc00000, 0, 1 },
    { "setp.geu.f32 %p1, %f1, %f2;\nselp.b32 %r10, 1, 0, %p1;\n" KEEP, 0x7fc00000, 0, 1 },
    { "setp.ge.f32 %p1, %f1, %f2;\nselp.b32 %r10, 1, 0, %p1;\n" KEEP, 0x7fc00000, 0, 0 },
    { "setp.lt.u32 %p1, %r8, %r9;\n@!%p1 bra $L_no;\nmov.u32 %r10, 1;\nbra.uni $L_end;\n$L_no:\nmov.u32 %r10, 2;\n$L_end:\n" KEEP,
      0xffffffff, 1, 2 },
    { "setp.lt.s32 %p1, %r8, %r9;\nmov.u32 %r10, 2;\n@%p1 mov.u32 %r10, 1;\n" KEEP, 0xffffffff, 1, 1 },
    { "cvt.rn.f32.u32 %f3, %r8;\n" KEEP_F, 0xffffffff, 0, 0x4f800000 },
    { "cvt.rn.f32.s32 %f3, %r8;\n" KEEP_F, 0xffffffff, 0, 0xbf800000 },
    { "vote.sync.ballot.b32 %r10, %p0, -1;\n" KEEP, 0, 0, 0x0000000f },                              /* see below */
    { "shfl.sync.idx.b32 %r10, %r1, 2, 0x1c1f, -1;\nand.b32 %r10, %r10, 3;\n" KEEP, 0, 0, 2 },
};

START_TEST(instructions_do_what_the_isa_says)
{
    for (size_t k = 0; k < COUNT(single); k++) {
        for (int i = 0; i < 128; i++) x[i] = i % 2 ? single[k].b : single[k].a;
        char *body = temp_format("%s%s", "setp.lt.u32 %p0, %r1, 4;\n" LOAD, single[k].body);
        run(temp_format("single_%zu", k), body, 1, 0);
        ck_assert_msg(emulate_faults() == 0, "%s: %s", single[k].body, emulate_fault());
        ck_assert_msg(y[0] == single[k].want, "%s: %08x for %08x", single[k].body, y[0], single[k].want);
    }
}
END_TEST

START_TEST(shuffles)
{
    static const char *const body =
        "shfl.sync.%s.b32 %%r10|%%p1, %%r1, %d, %d, -1;\nselp.b32 %%r11, 100, 0, %%p1;\nadd.s32 %%r10, %%r10, %%r11;\n"
        "st.global.u32 [%%rd4], %%r10;\n";
    static const struct { const char *how; int b, c; } shuffle[] = { { "bfly", 5, 31 }, { "down", 3, 31 }, { "up", 3, 0 },
        { "idx", 9, 31 }, { "down", 2, 0x181f }, { "up", 2, 0x1800 }, { "idx", 5, 0x181f } };
    for (size_t k = 0; k < COUNT(shuffle); k++) {
        run(temp_format("shuffle_%zu", k), temp_format(body, shuffle[k].how, shuffle[k].b, shuffle[k].c), 1, 0);
        ck_assert_msg(emulate_faults() == 0, "%s", emulate_fault());
        for (int i = 0; i < 64; i++) {
            const int l = i % 32, width = shuffle[k].c & 0x1800 ? 8 : 32, b = shuffle[k].b, begin = l / width * width;
            int from = *shuffle[k].how == 'b' ? l ^ b : *shuffle[k].how == 'd' ? l + b : *shuffle[k].how == 'u' ? l - b : begin + b % width;
            const bool in = from >= begin && from < begin + width;
            if (!in) from = l;
            ck_assert_msg(y[i] == (uint32_t)(i - l + from + 100 * in), "%s %d, lane %d: %u", shuffle[k].how, b, l, y[i]);
        }
    }
}
END_TEST

START_TEST(unknown_instructions_end_the_program)
{
    char output[512];
    const int status = run_child((void (*)(void *))(void (*)(void))ptx_read,
        temp_text(temp_folder(), "new.ptx", temp_format("%s.visible .entry f(\n)\n{\n\t.reg .b32 %%r<4>;\n\n\tadd.sat.s32 %%r1, %%r2, %%r3;\n"
                                                        "\tret;\n}\n", head)), output, sizeof output);
    ck_assert_int_eq(status, 2);
    ck_assert_msg(strstr(output, "new.ptx:10: unknown instruction: add.sat.s32"), "%s", output);
}
END_TEST

/* ---- every kernel -------------------------------------------------------------------------------------------- */

static char *ptx_path, *coverage;
static bool there;                       /* the PTX is of these kernels */

static char report[1 << 16];
START_TEST(operations_agree_with_the_cpu)
{
    if (!there) return;
    ck_assert_msg(run_command(report, sizeof report, "PTX_FILE=%s PTX_COVERAGE=%s %s/ptx/gpu-check --operations", ptx_path, coverage,
                              build_folder()) == 0, "%s", report);
    ck_assert(strstr(report, "PTX interpreted on the CPU") && strstr(report, "gpu-check: all right"));
    ck_assert(strstr(report, "-- --attn=flash\nok   attention"));
}
END_TEST

START_TEST(attention_agrees_with_double)
{
    if (!there) return;
    ck_assert_msg(run_command(report, sizeof report, "CK_RUN_CASE=kernels PTX_FILE=%s PTX_COVERAGE=%s %s/ptx/attention", ptx_path, coverage,
                              build_folder()) == 0, "%s", report);
    ck_assert_msg(strstr(report, "100%: Checks: 11,"), "%s", report);
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
    Suite *suite = suite_create("ptx");
    TCase *itself = tcase_create("interpreter"), *t = tcase_create("kernels");
    tcase_add_test(itself, faults_are_found);
    tcase_add_test(itself, instructions_do_what_the_isa_says);
    tcase_add_test(itself, shuffles);
    tcase_add_test(itself, unknown_instructions_end_the_program);
    tcase_add_test(itself, the_record_is_of_these_kernels);
    suite_add_tcase(suite, itself);
    tcase_set_timeout(t, 600);
    tcase_add_unchecked_fixture(t, find_kernels, NULL);
    tcase_add_test(t, operations_agree_with_the_cpu);
    tcase_add_test(t, attention_agrees_with_double);
    tcase_add_test(t, the_estimate_counts_what_is_run);
    tcase_add_test(t, every_kernel_and_every_kind_of_instruction_was_run);
    suite_add_tcase(suite, t);
    return run_suite(suite, argc, argv);
}
