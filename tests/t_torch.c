/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_torch.c - PyTorch's files: what comes back of a pickle, what is refused by its name, damaged archives, and models as
 * nanoGPT, Hugging Face and Meta save them, against the same in safetensors. */
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/weights.h"
#include "src/data/safetensors.h"
#include "src/data/torch_pickle.h"
#include "tests/support/files.h"
#include "tests/support/fuzz.h"
#include "tests/support/small_model.h"
#include "tests/support/suite.h"
#include "tests/support/torch_file.h"

static char said[1 << 16];

static int run(const char *command, const char *options)
{
    const char *wide = strncmp(command, "reduce", 6) == 0 ? "" : "--width=400";
    return run_command(said, sizeof said, "%s/provably %s %s %s", build_folder(), command, wide, options);
}

#define PUT(f, bytes) text_bytes(&(f)->pickle, bytes, sizeof bytes - 1)
#define HAS(words) ck_assert_msg(strstr(said, words), "`%s` is not in: %s", words, said)
#define LACKS(words) ck_assert_msg(!strstr(said, words), "`%s` is in: %s", words, said)

static void open_it(void *path)
{
    weights w = weights_open(path);
    for (long k = 0; k < w.tensors; k++) {
        const weight_tensor *t = &w.tensor[k];
        printf("%s %s %zu:", t->name, t->type, t->n);
        double x;
        for (size_t i = 0; t->numbers != NUMBERS_OTHER && i < t->n; i++) weight_numbers(t, i, 1, &x), printf(" %g", x);
        printf("\n");
    }
    for (long k = 0; k < w.notes; k++) printf("note: %s\n", w.note[k]);
    weights_close(&w);
}

/* One message and status 2, or says NULL: it is taken. */
static void opened(const char *path, const char *says)
{
    const int status = run_child(open_it, (void *)(uintptr_t)path, said, sizeof said);
    ck_assert_msg(status == (says ? 2 : 0), "wanted %s: status %d: %s", says ? says : "it taken", status, said);
    if (!says) return;
    HAS(says);
    ck_assert_msg(strchr(said, '\n') == said + strlen(said) - 1, "more than one line: %s", said);
}

static const float six[] = { 1, 2, 3, 4, 5, 6.5f };
static void one_tensor(torch_file *f, const long *shape, const long *stride, int rank, long first)
{
    torch_file_tensor(f, "w", "FloatStorage", "0", 6, first, rank, shape, stride);
}

static const char *written(torch_file *f)
{
    torch_file_entry(f, "data/0", six, sizeof six);
    const char *path = torch_file_write(f, temp_folder(), "model.pt");
    torch_file_free(f);
    return path;
}

/* ---- tensors ----------------------------------------------------------------------------------------------------- */

START_TEST(tensors_come_back)
{
    static const struct { int rank; long shape[3], stride[3], first; const char *is; } of[] = {
        { 2, { 2, 3 }, { 3, 1 }, 0, "w F32 6: 1 2 3 4 5 6.5\n" },
        { 2, { 3, 2 }, { 1, 3 }, 0, "w F32 6: 1 4 2 5 3 6.5\n" },               /* transposed: copied                  */
        { 1, { 2 }, { 1 }, 4, "w F32 2: 5 6.5\n" },
        { 1, { 3 }, { 2 }, 1, "w F32 3: 2 4 6.5\n" },
        { 0, { 0 }, { 0 }, 3, "w F32 1: 4\n" },
        { 2, { 0, 7 }, { 7, 1 }, 99, "w F32 0:\n" },
        { 2, { 1, 6 }, { 1000, 1 }, 0, "w F32 6: 1 2 3 4 5 6.5\n" },             /* a side of one has any stride         */
        { 3, { 1, 2, 2 }, { 5, 0, 1 }, 1, "w F32 4: 2 3 2 3\n" } };
    for (size_t k = 0; k < COUNT(of); k++)
        for (int wide = 0; wide < 2; wide++) {
            torch_file f = { .zip64 = wide == 1 };
            torch_file_begin(&f);
            one_tensor(&f, of[k].shape, of[k].stride, of[k].rank, of[k].first);
            torch_file_end(&f);
            opened(written(&f), NULL);
            ck_assert_str_eq(said, of[k].is);
        }
}
END_TEST

START_TEST(types_have_their_names)
{
    static const struct { const char *storage, *type; size_t size; } of[] = {
        { "FloatStorage", "F32", 4 }, { "DoubleStorage", "F64", 8 }, { "HalfStorage", "F16", 2 }, { "BFloat16Storage", "BF16", 2 },
        { "ByteStorage", "U8", 1 }, { "CharStorage", "I8", 1 }, { "ShortStorage", "I16", 2 }, { "IntStorage", "I32", 4 },
        { "LongStorage", "I64", 8 }, { "BoolStorage", "BOOL", 1 }, { "ComplexFloatStorage", "C64", 8 } };
    static const unsigned char zeros[64] = { 0 };
    for (size_t k = 0; k < COUNT(of); k++) {
        torch_file f = { 0 };
        torch_file_begin(&f);
        torch_file_tensor(&f, "t", of[k].storage, "7", 3, 0, 1, (long[]){ 3 }, (long[]){ 1 });
        torch_file_end(&f);
        torch_file_entry(&f, "data/7", zeros, 3 * of[k].size);
        opened(torch_file_write(&f, temp_folder(), "x.bin"), NULL);
        HAS(temp_format("t %s 3:", of[k].type));
        torch_file_free(&f);
    }
}
END_TEST

/* As torch writes the types that have no storage of their own. */
START_TEST(untyped_storages_have_the_type_of_their_tensor)
{
    torch_file f = { 0 };
    torch_file_begin(&f);
    torch_file_text(&f, "q");
    torch_file_global(&f, "torch._utils", "_rebuild_tensor_v3");
    PUT(&f, "((");
    torch_file_text(&f, "storage");
    torch_file_global(&f, "torch.storage", "UntypedStorage");
    torch_file_text(&f, "0");
    torch_file_text(&f, "cpu");
    torch_file_whole(&f, 24);
    PUT(&f, "tQK\4K\2\x85K\1\x85\x89}");
    torch_file_global(&f, "torch", "float8_e4m3fn");
    PUT(&f, "tR");
    torch_file_end(&f);
    opened(written(&f), NULL);
    ck_assert_str_eq(said, "q F8_E4M3 2:\n");
}
END_TEST

START_TEST(shared_and_wrapped)
{
    torch_file f = { 0 };
    torch_file_begin(&f);
    torch_file_tensor(&f, "module._orig_mod.a", "FloatStorage", "0", 6, 0, 1, (long[]){ 6 }, (long[]){ 1 });
    torch_file_tensor(&f, "module._orig_mod.b", "FloatStorage", "0", 6, 0, 2, (long[]){ 3, 2 }, (long[]){ 2, 1 });
    torch_file_tensor(&f, "module._orig_mod.c", "FloatStorage", "0", 6, 4, 1, (long[]){ 2 }, (long[]){ 1 });
    torch_file_end(&f);
    opened(written(&f), NULL);
    ck_assert_str_eq(said, "a F32 6: 1 2 3 4 5 6.5\nb F32 6: 1 2 3 4 5 6.5\nc F32 2: 5 6.5\n"
                           "note: a and b share their numbers\nnote: a and c share some of their numbers\n");
    torch_file_begin(&f);                                                        /* not of all: names stay              */
    torch_file_tensor(&f, "module.a", "FloatStorage", "0", 6, 0, 1, (long[]){ 3 }, (long[]){ 1 });
    torch_file_tensor(&f, "b", "FloatStorage", "0", 6, 3, 1, (long[]){ 3 }, (long[]){ 1 });
    torch_file_end(&f);
    opened(written(&f), NULL);
    ck_assert_str_eq(said, "b F32 3: 4 5 6.5\nmodule.a F32 3: 1 2 3\n");
}
END_TEST

/* What torch.save writes around tensors, and the opcodes of later protocols. */
START_TEST(what_is_around_tensors)
{
    torch_file f = { 0 };
    torch_file_begin(&f);
    torch_file_text(&f, "model");
    torch_file_global(&f, "collections", "OrderedDict");
    PUT(&f, ")R(");
    torch_file_text(&f, "w");
    torch_file_global(&f, "torch._utils", "_rebuild_parameter");
    torch_file_tensor(&f, NULL, "FloatStorage", "0", 6, 0, 1, (long[]){ 6 }, (long[]){ 1 });
    PUT(&f, "\x88");
    torch_file_global(&f, "collections", "OrderedDict");
    PUT(&f, ")R\x87Ru}");
    torch_file_text(&f, "_metadata");
    PUT(&f, "}sb");                                             /* attributes of the OrderedDict       */
    torch_file_text(&f, "optimizer");
    PUT(&f, "\x95\0\0\0\0\0\0\0\0](K\1G?\xf0\0\0\0\0\0\0N\x8a\1\xff\x8c\2hi\x94\x8d\2\0\0\0\0\0\0\0yoe20");
    PUT(&f, "X\4\0\0\0iter]K\5" "a");
    torch_file_end(&f);
    opened(written(&f), NULL);
    HAS("w F32 6: 1 2 3 4 5 6.5\n");
    HAS("note: the tensors are those of model; not read: optimizer, iter");
}
END_TEST

/* ---- refused ----------------------------------------------------------------------------------------------------- */

typedef struct { const char *bytes; size_t n; const char *says; } program;
#define PROGRAM(bytes, says) { bytes, sizeof bytes - 1, says }

/* In place of a tensor, behind an open dictionary with the key "w". */
START_TEST(everything_else_is_refused_by_its_name)
{
    static const program of[] = {
        PROGRAM("cposix\nsystem\n(X\4\0\0\0exittR", "it wants posix.system, which tensors do not need and which is never executed"),
        PROGRAM("c__builtin__\neval\n", "it wants __builtin__.eval"),
        PROGRAM("ccollections\nOrderedDict2\n", "it wants collections.OrderedDict2"),
        PROGRAM("ctorch._utils\n_rebuild_tensor_v2\x1b[31m\n", "it wants torch._utils._rebuild_tensor_v2\\x1b[31m"),
        PROGRAM("X\5\0\0\0posixX\6\0\0\0system\x93", "it wants posix.system"),
        PROGRAM("(iposix\nsystem\n", "the opcode INST"),
        PROGRAM("(o", "the opcode OBJ"), PROGRAM("))\x81", "the opcode NEWOBJ,"), PROGRAM("\x92", "the opcode NEWOBJ_EX"),
        PROGRAM("\x82\1", "the opcode EXT1"), PROGRAM("\x84\1", "the opcode EXT4"), PROGRAM("Pkey\n", "the opcode PERSID"),
        PROGRAM("\x8f", "the opcode EMPTY_SET"), PROGRAM("\x97", "the opcode NEXT_BUFFER"), PROGRAM("I01\n", "the opcode INT"),
        PROGRAM("p1\n", "the opcode PUT"), PROGRAM("U\1a", "the opcode SHORT_BINSTRING"), PROGRAM("\xff", "a byte that is no opcode"),
        PROGRAM("N}b", "to set the attributes of an object (BUILD)"), PROGRAM("}Nb", "to set the attributes of an object (BUILD)"),
        PROGRAM("))R", "it calls what is no function"), PROGRAM("ctorch\nFloatStorage\n)R", "it calls what is no function"),
        PROGRAM("ccollections\nOrderedDict\n]R", "it calls what is no function"),
        PROGRAM("ccollections\nOrderedDict\nN\x85R", "an OrderedDict is made of something"),
        PROGRAM("ctorch._utils\n_rebuild_parameter\nNNN\x87R", "a parameter is made of no tensor"),
        PROGRAM("ctorch._utils\n_rebuild_tensor_v2\n(NK\0)))NtR", "a tensor is made of no storage"),
        PROGRAM("NQ", "a storage is not"), PROGRAM("NNa", "it appends to what is no list"), PROGRAM("NNNs", "it sets items of what is no"),
        PROGRAM("]NNs", "it sets items of what is no"), PROGRAM("}(Nu", "it sets items of what is no"), PROGRAM("0000", "its stack is empty"),
        PROGRAM("1u", "a mark is missing"), PROGRAM("h\7", "it recalls what it has not memorised"),
        PROGRAM("r\xff\xff\xff\xff", "its memo has more places"), PROGRAM("\x80\6", "a protocol of the future"),
        PROGRAM("\x8a\x09" "123456789", "a whole number beyond 2^63"), PROGRAM("X\xff\xff\xff\xff", "it ends too early"),
        PROGRAM("\x8d\xff\xff\xff\xff\xff\xff\xff\xff", "it ends too early"), PROGRAM("NN", "it sets items of what is no"),
        PROGRAM("K\3", "w is beside its tensors, and none itself"), PROGRAM("N", "w is beside its tensors") };
    for (size_t k = 0; k < COUNT(of); k++) {
        torch_file f = { 0 };
        torch_file_begin(&f);
        torch_file_tensor(&f, "v", "FloatStorage", "0", 6, 0, 1, (long[]){ 6 }, (long[]){ 1 });
        torch_file_text(&f, "w");
        text_bytes(&f.pickle, of[k].bytes, of[k].n);
        torch_file_end(&f);
        opened(written(&f), of[k].says);
    }
}
END_TEST

/* What torch does to the numbers as it reads them (conjugation, negation) is no property of the storage. */
START_TEST(tensors_that_are_more_than_their_storage)
{
    for (int k = 0; k < 2; k++) {
        torch_file f = { 0 };
        torch_file_begin(&f);
        one_tensor(&f, (long[]){ 6 }, (long[]){ 1 }, 1, 0);
        f.pickle.length -= 2;                                                    /* before its arguments end            */
        if (k) PUT(&f, "}X\3\0\0\0neg\x88stR");
        else PUT(&f, "}tR");
        torch_file_end(&f);
        opened(written(&f), k ? "it wants a tensor with properties of its own" : NULL);
    }
}
END_TEST

START_TEST(tensors_that_no_storage_holds)
{
    static const struct { int rank; long shape[2], stride[2], first; const char *says; } of[] = {
        { 1, { 7 }, { 1 }, 0, "leads out of its storage" },      { 1, { 6 }, { 1 }, 1, "leads out of its storage" },
        { 1, { 2 }, { 6 }, 0, "leads out of its storage" },      { 0, { 0 }, { 0 }, 6, "leads out of its storage" },
        { 2, { 1L << 31, 1L << 31 }, { 0, 0 }, 0, "larger than any file" },
        { 2, { 2, 1L << 40 }, { 1L << 40, 1 }, 0, "leads out of its storage" },
        { 1, { -1 }, { 1 }, 0, "is no whole number from 0 to 2^48" },
        { 1, { 2 }, { -1 }, 1, "is no whole number from 0 to 2^48" },
        { 2, { 2, 6 }, { 0, 1 }, 0, "tensor w repeats the numbers of its storage" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        torch_file f = { 0 };
        torch_file_begin(&f);
        one_tensor(&f, of[k].shape, of[k].stride, of[k].rank, of[k].first);
        torch_file_end(&f);
        opened(written(&f), of[k].says);
    }
}
END_TEST

/* Copies cost memory, and many tensors of one storage time: no more than the file is worth. */
START_TEST(bounded_by_the_file)
{
    static const float many[4000] = { 0 };
    for (int copied = 0; copied < 2; copied++) {
        torch_file f = { 0 };
        torch_file_begin(&f);
        for (long k = 0; k < (copied ? 8 : 400); k++)
            torch_file_tensor(&f, temp_format("w%ld", k), "FloatStorage", "0", 4000, 0, 2, (long[]){ 40, 100 },
                              copied ? (long[]){ 1, 40 } : (long[]){ 100, 1 });
        torch_file_end(&f);
        torch_file_entry(&f, "data/0", many, sizeof many);
        opened(torch_file_write(&f, temp_folder(), "x.pt"), copied ? "is one of too many that are copied" : "more than 64 times over");
        torch_file_free(&f);
    }
    torch_file deep = { 0 };
    torch_file_begin(&deep);
    for (long k = 0; k < 70000; k++) PUT(&deep, "(");
    torch_file_end(&deep);
    opened(written(&deep), "it is nested too deeply");
    torch_file lists = { 0 };                                                    /* 2^60 lists, of lists that are shared */
    torch_file_begin(&lists);
    one_tensor(&lists, (long[]){ 6 }, (long[]){ 1 }, 1, 0);
    torch_file_text(&lists, "nested");
    PUT(&lists, "]");
    PUT(&lists, "q\1");
    for (int k = 0; k < 60; k++) PUT(&lists, "0](h\1h\1eq\1");
    torch_file_end(&lists);
    opened(written(&lists), "nested is beside its tensors, and none itself");
}
END_TEST

START_TEST(archives_that_are_no_model)
{
    torch_file f = { 0 };
    torch_file_begin(&f);
    torch_file_end(&f);
    opened(written(&f), "holds no tensors by name, nor under model, state_dict or model_state_dict; it has: ");
    PUT(&f, "\x80\2].");
    opened(written(&f), "holds no dictionary of tensors");
    torch_file_begin(&f);
    for (int k = 0; k < 2; k++) {
        torch_file_text(&f, k ? "state_dict" : "model");
        PUT(&f, "}(");
        one_tensor(&f, (long[]){ 6 }, (long[]){ 1 }, 1, 0);
        PUT(&f, "u");
    }
    torch_file_end(&f);
    opened(written(&f), "holds tensors under model and under state_dict, which may be two models");
    torch_file_begin(&f);
    one_tensor(&f, (long[]){ 6 }, (long[]){ 1 }, 1, 0);
    one_tensor(&f, (long[]){ 6 }, (long[]){ 1 }, 1, 0);
    torch_file_end(&f);
    opened(written(&f), "tensor w is there twice");
    torch_file_begin(&f);
    torch_file_tensor(&f, "a\nb", "FloatStorage", "0", 6, 0, 1, (long[]){ 6 }, (long[]){ 1 });
    torch_file_end(&f);
    opened(written(&f), "a tensor's name is no text, empty, too long");
    torch_file_begin(&f);
    one_tensor(&f, (long[]){ 6 }, (long[]){ 1 }, 1, 0);
    torch_file_end(&f);
    torch_file_entry(&f, "byteorder", "big", 3);
    opened(written(&f), "its numbers are not little-endian");
    torch_file_begin(&f);
    torch_file_tensor(&f, "w", "FloatStorage", "1", 6, 0, 1, (long[]){ 6 }, (long[]){ 1 });
    torch_file_end(&f);
    opened(written(&f), "data.pkl names the entry archive/data/1, which is not there");
    torch_file_begin(&f);
    torch_file_tensor(&f, "w", "FloatStorage", "0", 5, 0, 1, (long[]){ 5 }, (long[]){ 1 });
    torch_file_end(&f);
    opened(written(&f), "entry archive/data/0 has 24 bytes, and data.pkl says 5 numbers of 4");
    static const char legacy[] = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
    opened(temp_write(temp_folder(), "old.pt", legacy, sizeof legacy - 1), "the form from before PyTorch 1.6, which is not read: load it");
    opened(temp_write(temp_folder(), "x.pkl", "\x80\4\x95\xff\0\0\0\0\0\0\0", 11), "this is a pickle of Python's");
}
END_TEST

/* ---- damaged archives -------------------------------------------------------------------------------------------- */

static char *whole_bytes;
static size_t whole_n;

static void make_whole(bool zip64)
{
    torch_file f = { .zip64 = zip64 };
    torch_file_begin(&f);
    one_tensor(&f, (long[]){ 3, 2 }, (long[]){ 1, 3 }, 2, 0);
    torch_file_end(&f);
    torch_file_entry(&f, "byteorder", "little", 6);
    torch_file_entry(&f, "data/0", six, sizeof six);
    free(whole_bytes);
    whole_bytes = torch_file_bytes(&f, &whole_n);
    torch_file_free(&f);
}

static bool read_whole(const unsigned char *bytes, size_t n)
{
    if (!torch_is_archive(bytes, n)) return false;
    torch_object o = torch_read(bytes, n, "x.pt");
    const torch_value *w = torch_find(o.root, "w");
    const bool there = w && w->kind == TORCH_TENSOR;
    torch_free(&o);
    return there;
}

static bool read_begin(void *with, uint64_t number)
{
    (void)with;
    char *bytes = must_calloc(number + 1, 1);                                    /* to the byte, for sanitizers         */
    memcpy(bytes, whole_bytes, number);
    const bool taken = read_whole((unsigned char *)bytes, number);
    free(bytes);
    return taken;
}

START_TEST(no_beginning_is_a_file)
{
    for (int zip64 = 0; zip64 < 2; zip64++) {
        make_whole(zip64 == 1);
        ck_assert(read_begin(NULL, whole_n));
        ck_assert_uint_eq(fuzz_loop(read_begin, NULL, 0, whole_n), 0);
    }
}
END_TEST

static bool read_damaged(void *with, uint64_t number)
{
    (void)with;
    static const uint64_t key[2] = { 3, 4 };
    char *bytes = must_calloc(whole_n + 8, 1);
    memcpy(bytes, whole_bytes, whole_n);
    fuzz_bytes(bytes, whole_n, key, number);
    const bool taken = read_whole((unsigned char *)bytes, whole_n);
    free(bytes);
    return taken;
}

START_TEST(damaged_archives)
{
    const uint64_t n = fuzz_number("FUZZ_ROUNDS", 300) * 40;
    for (int zip64 = 0; zip64 < 2; zip64++) {
        make_whole(zip64 == 1);
        const uint64_t taken = fuzz_loop(read_damaged, NULL, 0, n);              /* paddings, dates and numbers change nothing */
        ck_assert_msg(taken > 0 && taken < n * 9 / 10, "%lu of %lu were taken", (unsigned long)taken, (unsigned long)n);
    }
}
END_TEST

/* One field of the archive: where it stands behind the begin that is searched from the end. */
START_TEST(fields_of_the_archive)
{
    static const struct { const char *begin; size_t at; unsigned char is; const char *says; } of[] = {
        { "PK\5\6", 4, 1, "it is a part of a zip file" },   { "PK\5\6", 10, 9, "it is a part of a zip file" },
        { "PK\5\6", 12, 1, "more entries than bytes for them" }, { "PK\5\6", 18, 9, "its directory is not in the file" },
        { "PK\5\6", 20, 1, "no directory of a zip file is at its end" },
        { "PK\1\2", 8, 1, "is encrypted, which is not read" }, { "PK\1\2", 10, 8, "is compressed, which torch.save does not do" },
        { "PK\1\2", 24, 1, "two lengths" }, { "PK\1\2", 23, 9, "an entry is not in the file" }, { "PK\1\2", 28, 200, "its directory ends too early" },
        { "PK\1\2", 42, 1, "does not begin where its directory says" }, { "PK\1\2", 45, 9, "an entry is not in the file" },
        { "PK\3\4", 8, 8, "is compressed" }, { "PK\3\4", 26, 1, "has another name than in the directory" },
        { "PK\3\4", 30, 'x', "has another name than in the directory" }, { "PK\3\4", 29, 200, "an entry is not in the file" } };
    make_whole(false);
    for (size_t k = 0; k < COUNT(of); k++) {
        char *bytes = must_calloc(whole_n, 1), *at = NULL;
        memcpy(bytes, whole_bytes, whole_n);
        for (size_t i = whole_n - 4; i-- > 0 && !at;) if (memcmp(bytes + i, of[k].begin, 4) == 0) at = bytes + i;
        ck_assert_msg(at, "%zu", k);
        at[of[k].at] = (char)of[k].is;
        if (of[k].at == 23) at[27] = at[23];                                     /* both lengths                        */
        opened(temp_write(temp_folder(), "x.pt", bytes, whole_n), of[k].says);
        free(bytes);
    }
}
END_TEST

/* The directory places the last entry inside of another one. */
START_TEST(entries_that_overlap)
{
    torch_file f = { 0 };
    size_t n;
    torch_file_begin(&f);
    one_tensor(&f, (long[]){ 6 }, (long[]){ 1 }, 1, 0);
    torch_file_end(&f);
    torch_file_entry(&f, "data/0", six, sizeof six);
    char *bytes = torch_file_bytes(&f, &n), *local = memmem(bytes + 4, n - 4, "PK\3\4", 4);
    torch_file_free(&f);
    torch_file_begin(&f);
    one_tensor(&f, (long[]){ 6 }, (long[]){ 1 }, 1, 0);
    torch_file_end(&f);
    torch_file_entry(&f, "data/1", local, 200);                                  /* the other file's entry, whole       */
    torch_file_entry(&f, "data/0", six, sizeof six);
    free(bytes);
    bytes = torch_file_bytes(&f, &n);
    char *inner = memmem(memmem(bytes, n, "data/1", 6), n / 2, "PK\3\4", 4), *last = NULL;
    for (size_t i = 0; i + 4 < n; i++) if (memcmp(bytes + i, "PK\1\2", 4) == 0) last = bytes + i;
    memcpy(last + 42, &(uint32_t){ (uint32_t)(inner - bytes) }, 4);
    opened(temp_write(temp_folder(), "x.pt", bytes, n), "two of its entries overlap");
    torch_file_free(&f);
    free(bytes);
}
END_TEST

/* ---- models ------------------------------------------------------------------------------------------------------ */

/* The same tensors in PyTorch's file beside the same configuration. */
static char *in_torch(const char *folder, const char *name, const char *prefix)
{
    torch_file f = { 0 };
    torch_file_begin(&f);
    torch_file_take(&f, temp_path(folder, "model.safetensors"), prefix, 0, LONG_MAX);
    torch_file_end(&f);
    char *to = temp_folder(), *config = temp_read(folder, "config.json", NULL);
    torch_file_write(&f, to, name);
    torch_file_free(&f);
    temp_text(to, "config.json", config);
    return to;
}

START_TEST(the_same_as_in_safetensors)
{
    static const numbers_type types[] = { NUMBERS_F32, NUMBERS_BF16, NUMBERS_F16 };
    small_model m = small_model_draw(_i, types[_i % 3]);
    const char *A = small_model_save(&m, types[_i % 3]), *B = in_torch(A, "pytorch_model.bin", "module.");
    ck_assert_msg(run("verify", temp_format("%s %s", A, B)) == 0, "%s", said);
    HAS("the same function for all inputs: all parts hold the same numbers");
    ck_assert_msg(run("inspect --no-conditions", temp_format("%s", B)) == 0, "%s", said);
    HAS(": PyTorch, ");
    small_part(&m, ROLE_O, 1)->x[3] += 2;
    const char *C = in_torch(small_model_save(&m, types[_i % 3]), "pytorch_model.bin", "");
    ck_assert_msg(run("verify", temp_format("%s %s", A, C)) == 1, "%s", said);
    HAS("different");
    const char *to = temp_path(temp_folder(), "reduced");
    ck_assert_msg(run("reduce", temp_format("%s -o %s", B, to)) == 0, "%s", said);
    ck_assert(temp_exists(to, "model.safetensors"));
    ck_assert_msg(run("verify", temp_format("%s %s", B, to)) == 0, "%s", said);
    small_model_free(&m);
}
END_TEST

START_TEST(sharded_files)
{
    small_model m = small_model_draw(SMALL_LLAMA, NUMBERS_F32);
    const char *A = small_model_save(&m, NUMBERS_F32), *path = temp_path(A, "model.safetensors");
    char *B = temp_folder(), *config = temp_read(A, "config.json", NULL);
    temp_text(B, "config.json", config);
    safetensors s = safetensors_index(path);
    text_buffer index = { 0 };
    for (long k = 0; k < s.tensors; k++)
        text_add(&index, "%s\"%s\": \"pytorch_model-%d.bin\"", k ? ", " : "{\"weight_map\": {", s.tensor[k].name, k < 10 ? 1 : 2);
    for (int k = 0; k < 2; k++) {
        torch_file f = { 0 };
        torch_file_begin(&f);
        torch_file_take(&f, path, "", k ? 10 : 0, k ? s.tensors : 10);
        torch_file_end(&f);
        torch_file_write(&f, B, k ? "pytorch_model-2.bin" : "pytorch_model-1.bin");
        torch_file_free(&f);
    }
    safetensors_free(&s);
    temp_text(B, "pytorch_model.bin.index.json", temp_format("%s}}", index.at));
    ck_assert_msg(run("verify", temp_format("%s %s", A, B)) == 0, "%s", said);
    HAS("PyTorch, llama");
    HAS("the same function for all inputs");
    temp_text(B, "pytorch_model.bin.index.json", temp_format("%s, \"none\": \"pytorch_model-2.bin\"}}", index.at));
    ck_assert_int_eq(run("inspect", B), 2);
    HAS("tensor none is not in pytorch_model-2.bin");
    temp_write(B, "pytorch_model-2.bin", temp_read(A, "model.safetensors", NULL), 1000);
    ck_assert_int_eq(run("inspect", B), 2);
    HAS("names files of safetensors and of PyTorch");
    text_clear(&index);
    small_model_free(&m);
}
END_TEST

/* nanoGPT's ckpt.pt against its tensors in safetensors beside the same settings: out x in, exact GELU. */
START_TEST(checkpoints_of_nanogpt)
{
    small_model m = small_model_draw(SMALL_GPT2, NUMBERS_F32);
    const char *A = small_model_save(&m, NUMBERS_F32);
    torch_file f = { 0 };
    torch_file_begin(&f);
    torch_file_text(&f, "model");
    PUT(&f, "}(");
    torch_file_take(&f, temp_path(A, "model.safetensors"), "_orig_mod.", 0, LONG_MAX);
    PUT(&f, "u");
    torch_file_text(&f, "best_val_loss");
    torch_file_tensor(&f, NULL, "FloatStorage", "loss", 1, 0, 0, NULL, NULL);
    torch_file_text(&f, "model_args");
    PUT(&f, "}(");
    const struct { const char *key; long is; } args[] = { { "n_layer", m.L }, { "n_head", m.h }, { "n_embd", m.d }, { "block_size", m.T }, { "vocab_size", m.V },
                                                         { "n_inner", m.m } };
    for (size_t k = 0; k < COUNT(args); k++) torch_file_text(&f, args[k].key), torch_file_whole(&f, args[k].is);
    torch_file_text(&f, "bias");
    PUT(&f, "\x88");
    torch_file_text(&f, "unsaid");                                               /* None: as if it were not there       */
    PUT(&f, "N");
    torch_file_text(&f, "dropout");
    PUT(&f, "G\0\0\0\0\0\0\0\0");
    PUT(&f, "u");
    torch_file_end(&f);
    torch_file_entry(&f, "data/loss", six, 4);
    char *folder = temp_folder();
    torch_file_write(&f, folder, "ckpt.pt");
    torch_file_free(&f);
    json_t *config = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:f}", "n_inner", (json_int_t)m.m, "n_layer", (json_int_t)m.L, "n_head", (json_int_t)m.h, "n_embd",
                               (json_int_t)m.d, "block_size", (json_int_t)m.T, "vocab_size", (json_int_t)m.V, "bias", 1, "dropout", 0.0);
    char *text = json_dumps(config, 0);
    temp_text(A, "config.json", text);
    free(text);
    json_decref(config);
    ck_assert_msg(run("verify", temp_format("%s %s", A, folder)) == 0, "%s", said);
    HAS("the same function for all inputs");
    ck_assert_msg(run("inspect --no-conditions", folder) == 0, "%s", said);
    HAS("the tensors are those of model; not read: best_val_loss\n");
    HAS("gelu");
    LACKS("gelu_new");
    small_model_free(&m);
}
END_TEST

/* Meta's names, neighbouring pairs, params.json; and split over files. */
START_TEST(consolidated_files)
{
    static const struct { const char *hf, *meta; } names[] = {
        { "model.embed_tokens.weight", "tok_embeddings.weight" }, { "model.norm.weight", "norm.weight" }, { "lm_head.weight", "output.weight" },
        { "self_attn.q_proj.weight", "attention.wq.weight" }, { "self_attn.k_proj.weight", "attention.wk.weight" },
        { "self_attn.v_proj.weight", "attention.wv.weight" }, { "self_attn.o_proj.weight", "attention.wo.weight" },
        { "mlp.gate_proj.weight", "feed_forward.w1.weight" }, { "mlp.up_proj.weight", "feed_forward.w3.weight" },
        { "mlp.down_proj.weight", "feed_forward.w2.weight" }, { "input_layernorm.weight", "attention_norm.weight" },
        { "post_attention_layernorm.weight", "ffn_norm.weight" } };
    small_model m = small_model_draw(SMALL_LLAMA, NUMBERS_F32);
    const char *A = small_model_save(&m, NUMBERS_F32), *path = temp_path(A, "model.safetensors");
    torch_file f = { 0 };
    torch_file_begin(&f);
    safetensors s = safetensors_read(path);
    for (long k = 0; k < s.tensors; k++) {
        const safetensor *t = &s.tensor[k];
        const char *layer = strstr(t->name, "layers."), *part = layer ? layer + strlen("layers.0.") : t->name, *called = NULL;
        for (size_t i = 0; i < COUNT(names); i++) if (strcmp(part, names[i].hf) == 0) called = names[i].meta;
        ck_assert_msg(called, "%s", t->name);
        if (layer) called = temp_format("%.*s%s", 9, layer, called);
        long stride[2] = { t->rank == 2 ? t->shape[1] : 1, 1 };
        float *x = must_calloc(t->n, sizeof *x);
        const bool turns = strstr(part, "q_proj") || strstr(part, "k_proj");
        for (long r = 0; r < t->shape[0]; r++) {
            const long in = r % m.dk, from = turns ? r - in + in % 2 * (m.dk / 2) + in / 2 : r, wide = t->rank == 2 ? t->shape[1] : 1;
            memcpy(x + r * wide, t->x + from * wide, (size_t)wide * sizeof *x);
        }
        const char *key = temp_format("%ld", k);
        torch_file_tensor(&f, called, "FloatStorage", key, (long)t->n, 0, t->rank, t->shape, stride);
        torch_file_entry(&f, temp_format("data/%ld", k), x, t->n * sizeof *x);
        free(x);
    }
    safetensors_free(&s);
    torch_file_end(&f);
    char *B = temp_folder();
    torch_file_write(&f, B, "consolidated.00.pth");
    const char *params = temp_format("\"dim\": %ld, \"n_layers\": %ld, \"n_heads\": %ld, \"n_kv_heads\": %ld, \"norm_eps\": %.17g, "
                                     "\"vocab_size\": -1, \"multiple_of\": 16", m.d, m.L, m.h, m.kv, m.eps);
    temp_text(B, "params.json", temp_format("{%s, \"rope_theta\": %.17g}", params, m.theta));
    ck_assert_msg(run("verify", temp_format("%s %s", A, B)) == 0, "%s", said);
    HAS("the same function for all inputs");
    ck_assert_msg(run("inspect --no-conditions", B) == 0, "%s", said);
    HAS("pairs (2i, 2i + 1)");
    const char *to = temp_path(temp_folder(), "reduced");
    ck_assert_msg(run("reduce", temp_format("%s -o %s", B, to)) == 0, "%s", said);
    ck_assert_msg(strstr(temp_read(to, "config.json", NULL), "\"model_type\": \"llama\""), "%s", temp_read(to, "config.json", NULL));
    ck_assert_msg(run("verify", temp_format("%s %s", B, to)) == 0, "%s", said);
    temp_text(B, "params.json", temp_format("{%s, \"rope_theta\": %.17g, \"use_scaled_rope\": true}", params, m.theta));
    ck_assert_int_eq(run("verify", temp_format("%s %s", A, B)), 1);
    ck_assert_msg(run("inspect --no-conditions", B) == 0, "%s", said);
    HAS("by a factor that params.json does not say");
    torch_file_write(&f, B, "consolidated.01.pth");
    ck_assert_int_eq(run("inspect", B), 2);
    HAS("is one of several files into which the matrices of a model are split");
    torch_file_free(&f);
    small_model_free(&m);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("torch");
    TCase *all = tcase_create("torch");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, tensors_come_back);
    tcase_add_test(all, types_have_their_names);
    tcase_add_test(all, untyped_storages_have_the_type_of_their_tensor);
    tcase_add_test(all, shared_and_wrapped);
    tcase_add_test(all, what_is_around_tensors);
    tcase_add_test(all, everything_else_is_refused_by_its_name);
    tcase_add_test(all, tensors_that_are_more_than_their_storage);
    tcase_add_test(all, tensors_that_no_storage_holds);
    tcase_add_test(all, bounded_by_the_file);
    tcase_add_test(all, archives_that_are_no_model);
    tcase_add_test(all, no_beginning_is_a_file);
    tcase_add_test(all, damaged_archives);
    tcase_add_test(all, fields_of_the_archive);
    tcase_add_test(all, entries_that_overlap);
    tcase_add_loop_test(all, the_same_as_in_safetensors, 0, SMALL_ARCHITECTURES);
    tcase_add_test(all, sharded_files);
    tcase_add_test(all, checkpoints_of_nanogpt);
    tcase_add_test(all, consolidated_files);
    return run_suite(suite, argc, argv);
}
