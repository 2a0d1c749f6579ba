/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_interpreter.c - the interpreter of PTX (tests/ptx) itself: that it reports each kind of fault, and does what the ISA
 * says.  t_ptx runs the kernels by it. */
#include <stdio.h>
#include <string.h>
#include "tests/ptx/launch.h"
#include "tests/ptx/memory.h"
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

static uint32_t _Alignas(16) y[128], x[192];
/* 64 threads a block; x is only read. */
static void run(const char *name, const char *body, unsigned blocks, size_t dynamic)
{
    made(name, body);
    ptx_forget();
    memory_buffer(x, sizeof x, false);
    if (strstr(name, "scratch")) memory_scratch(y, sizeof y);
    else                         memory_buffer(y, sizeof y, true);
    void *py = y, *px = x;
    const void *const argument[] = { &py, &px };
    ptx_launch(name, (ptx_dim){ blocks, 1, 1 }, (ptx_dim){ 64, 1, 1 }, dynamic, argument,
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
        ptx_order(order);
        for (size_t k = 0; k < COUNT(broken); k++) {
            memset(y, 0xff, sizeof y);
            for (int i = 0; i < 128; i++) x[i] = (uint32_t)(1000 + i);
            run(temp_format("%s_%u", broken[k].name, order), broken[k].body, broken[k].blocks, 1024);
            if (!broken[k].fault) ck_assert_msg(ptx_faults() == 0, "%s: %s", broken[k].name, ptx_first_fault());
            else ck_assert_msg(ptx_faults() == 1 && strstr(ptx_first_fault(), broken[k].fault), "%s: \"%s\" for \"%s\"",
                               broken[k].name, ptx_first_fault(), broken[k].fault);
            for (uint32_t i = 0; i < 64 && !broken[k].fault; i++) {
                if (strcmp(broken[k].name, "fine") == 0) ck_assert_uint_eq(y[i], i ^ 32);
                if (strcmp(broken[k].name, "copy_in_time") == 0) ck_assert_uint_eq(y[i], 1002 + 4 * (i % 16));
                if (strcmp(broken[k].name, "met_again") == 0) ck_assert_uint_eq(y[i], i % 2 ? 7 : 8);
            }
        }
    }
    ptx_order(0);
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
        ck_assert_msg(ptx_faults() == 0, "%s: %s", single[k].body, ptx_first_fault());
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
        ck_assert_msg(ptx_faults() == 0, "%s", ptx_first_fault());
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

/* A product of 16 x 16 and 16 x 8 numbers: A's rows lie in x, then B's, from row to row, or B''s; lane l gives ldmatrix the
 * address of row l % 16, from column 8 (l / 16).  The sums, from C = 0: lane 4 g + t has (g, 2t), (g, 2t+1), (g + 8, ...). */
START_TEST(a_product_of_a_warp)
{
    static const char *const body =
        "mov.u32 %%r5, dynamic;\nadd.s32 %%r6, %%r5, %%r2;\n"                                   /* x to shared memory */
        "ld.global.u32 %%r7, [%%rd5];\nst.shared.u32 [%%r6], %%r7;\nld.global.u32 %%r7, [%%rd5+256];\nst.shared.u32 [%%r6+256], %%r7;\n"
        "ld.global.u32 %%r7, [%%rd5+512];\nst.shared.u32 [%%r6+512], %%r7;\nbar.sync 0;\nsetp.ge.u32 %%p1, %%r1, 32;\n@%%p1 bra $L_end;\n"
        "and.b32 %%r7, %%r1, 15;\nshl.b32 %%r7, %%r7, 5;\nshr.u32 %%r8, %%r1, 4;\nshl.b32 %%r8, %%r8, 4;\nadd.s32 %%r7, %%r7, %%r8;\n"
        "add.s32 %%r7, %%r7, %%r5;\nldmatrix.sync.aligned.m8n8.x4.shared.b16 {%%r10, %%r11, %%r12, %%r13}, [%%r7];\n"
        "and.b32 %%r8, %%r1, %d;\nshl.b32 %%r8, %%r8, %d;\nshr.u32 %%r9, %%r1, 3;\nand.b32 %%r9, %%r9, %d;\nshl.b32 %%r9, %%r9, 4;\n"
        "add.s32 %%r8, %%r8, %%r9;\nadd.s32 %%r8, %%r8, %%r5;\nadd.s32 %%r8, %%r8, 512;\n"
        "ldmatrix.sync.aligned.m8n8.x2.%sshared.b16 {%%r14, %%r15}, [%%r8];\n"
        "mov.f32 %%f1, 0f00000000;\nmov.f32 %%f2, %%f1;\nmov.f32 %%f3, %%f1;\nmov.f32 %%f4, %%f1;\n"
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%%f1, %%f2, %%f3, %%f4}, {%%r10, %%r11, %%r12, %%r13}, {%%r14, %%r15}, "
        "{%%f1, %%f2, %%f3, %%f4};\nmul.wide.u32 %%rd6, %%r1, 12;\nadd.s64 %%rd7, %%rd4, %%rd6;\n"         /* y + 16 l */
        "st.global.f32 [%%rd7], %%f1;\nst.global.f32 [%%rd7+4], %%f2;\nst.global.f32 [%%rd7+8], %%f3;\nst.global.f32 [%%rd7+12], %%f4;\n"
        "$L_end:\n";
    uint16_t *const number = (uint16_t *)x;
    for (int transposed = 0; transposed < 2; transposed++) {
        float A[16][16], B[16][8];
        for (int i = 0; i < 256 + 128; i++) {                 /* -8, ..., 8: bf16 holds them, float the sums */
            const float z = (float)((i * 7919 + i * i) % 17 - 8);
            const int k = i - 256;
            if (k < 0) A[i / 16][i % 16] = z;
            else if (transposed) B[k / 8][k % 8] = z;
            else B[k % 16][k / 16] = z;
            uint32_t bits;
            memcpy(&bits, &z, sizeof bits);
            number[i] = (uint16_t)(bits >> 16);
        }
        run(temp_format("product_%d", transposed), transposed ? temp_format(body, 15, 4, 0, "trans.") : temp_format(body, 7, 5, 1, ""),
            1, 1024);
        ck_assert_msg(ptx_faults() == 0, "%s", ptx_first_fault());
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 8; j++) {
                float want = 0, got;
                for (int k = 0; k < 16; k++) want += A[i][k] * B[k][j];
                memcpy(&got, y + 4 * (4 * (i % 8) + j / 2) + i / 8 * 2 + j % 2, sizeof got);
                ck_assert_msg(got == want, "%d %d: %g for %g", i, j, (double)got, (double)want);
            }
    }
}
END_TEST

static void too_much(void *with)
{
    contract_set_handler(contract_exits);
    if (with) ck_assert(ptx_large_shared("fine", 50 << 10));
    run("fine", "", 1, 50 << 10);
}
START_TEST(large_shared_memory_is_asked_for)
{
    char output[256];
    made("fine", "");
    ck_assert_int_eq(run_child(too_much, NULL, output, sizeof output), CONTRACT_STATUS);
    ck_assert_msg(strstr(output, "51200 bytes of shared memory, 0 are allowed"), "%s", output);
    ck_assert(!ptx_large_shared("fine", 100 << 10));
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

int main(int argc, char **argv)
{
    base_init(argc, argv);
    TCase *t = tcase_create("interpreter");
    tcase_add_test(t, faults_are_found);
    tcase_add_test(t, instructions_do_what_the_isa_says);
    tcase_add_test(t, shuffles);
    tcase_add_test(t, a_product_of_a_warp);
    tcase_add_test(t, large_shared_memory_is_asked_for);
    tcase_add_test(t, unknown_instructions_end_the_program);
    Suite *suite = suite_create("interpreter");
    suite_add_tcase(suite, t);
    return run_suite(suite, argc, argv);
}
