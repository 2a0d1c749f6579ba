/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_safetensors.c - weights for other programs: what comes back, and that no file can hurt the reader. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "numerics/random.h"
#include "src/train/checkpoint.h"
#include "src/data/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/fuzz.h"
#include "tests/support/suite.h"

/* A file of `n` header bytes, `claimed` as their number, and the numbers. */
static void write_file(const char *path, const char *header, size_t n, uint64_t claimed, const void *numbers, size_t bytes)
{
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(&claimed, 1, 8, f), 8);
    ck_assert_uint_eq(fwrite(header, 1, n, f), n);
    ck_assert_uint_eq(fwrite(numbers, 1, bytes, f), bytes);
    fclose(f);
}

static void index_it(void *path)
{
    safetensors s = safetensors_index(path);
    for (long k = 0; k < s.tensors; k++) printf("%s %s %zu\n", s.tensor[k].name, s.tensor[k].type, s.tensor[k].bytes);
    safetensors_free(&s);
}

static void read_it(void *path)
{
    safetensors s = safetensors_read(path);
    double sum = 0;
    for (long k = 0; k < s.tensors; k++) for (size_t i = 0; i < s.tensor[k].n; i++) sum += (double)s.tensor[k].x[i];
    printf("%ld tensors, %g\n", s.tensors, sum);
    safetensors_free(&s);
}

static safetensors small(void)
{
    safetensors s = { .tensor = NULL };
    safetensors_text(&s, "model", "say \"hi\"\nto \xc3\xa4");
    safetensors_tensor(&s, "h.0.w", 2, (long[]){ 2, 3 }, (float[]){ 1, 2, 3, 4, 5, 6.5f });
    safetensors_tensor(&s, "none", 2, (long[]){ 0, 7 }, NULL);
    safetensors_tensor(&s, "one \"\\", 0, NULL, (float[]){ -0.0f });
    return s;
}

START_TEST(files_come_back)
{
    char *folder = temp_folder(), *path = temp_path(folder, "x.safetensors");
    safetensors s = small();
    safetensors_write(&s, path);
    safetensors_free(&s);
    safetensors t = safetensors_read(path);
    ck_assert_int_eq(t.tensors, 3);
    ck_assert_str_eq(safetensors_value(&t, "model"), "say \"hi\"\nto \xc3\xa4");
    ck_assert_ptr_null(safetensors_value(&t, "nothing"));
    const safetensor *w = safetensors_find(&t, "h.0.w"), *none = safetensors_find(&t, "none"), *one = safetensors_find(&t, "one \"\\");
    ck_assert(w && w->rank == 2 && w->shape[0] == 2 && w->shape[1] == 3 && w->n == 6 && w->x[5] == 6.5f && w->x[0] == 1);
    ck_assert(none && none->rank == 2 && none->shape[1] == 7 && none->n == 0);
    ck_assert(one && one->rank == 0 && one->n == 1 && signbit(one->x[0]));
    ck_assert(t.tensor[0].x == w->x && t.tensor[2].x == one->x);
    safetensors_free(&t);
}
END_TEST

/* The format's own example, to the byte: length, compact JSON, blanks up to a multiple of 8, numbers. */
START_TEST(bytes_of_a_file)
{
    static const char wanted[] = "{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}} ";
    char *folder = temp_folder(), *path = temp_path(folder, "x.safetensors");
    const float x[] = { 1, 2 };
    safetensors s = { .tensor = NULL };
    safetensors_text(&s, "format", "pt");
    safetensors_tensor(&s, "w", 1, (long[]){ 2 }, x);
    safetensors_write(&s, path);
    safetensors_free(&s);
    size_t n;
    const char *bytes = temp_read(NULL, path, &n);
    const size_t header = (strlen(wanted) + 7) / 8 * 8;
    uint64_t length;
    memcpy(&length, bytes, 8);
    ck_assert_uint_eq(length, header);
    ck_assert_uint_eq(n, 8 + header + 8);
    ck_assert_int_eq(memcmp(bytes + 8, wanted, strlen(wanted)), 0);
    for (size_t k = strlen(wanted); k < header; k++) ck_assert_int_eq(bytes[8 + k], ' ');
    ck_assert_int_eq(memcmp(bytes + 8 + header, x, 8), 0);
}
END_TEST

START_TEST(short_floats)                 /* widened exactly, at the corners of both formats */
{
    static const char header[] = "{\"h\":{\"dtype\":\"F16\",\"shape\":[7],\"data_offsets\":[0,14]},"
                                 "\"b\":{\"dtype\":\"BF16\",\"shape\":[4],\"data_offsets\":[14,22]}}";
    const uint16_t x[] = { 0x3c00, 0xc000, 0x7bff, 0x0001, 0x03ff, 0x8000, 0xfc00, 0x3f80, 0xc049, 0x0001, 0x7f80 };
    char *folder = temp_folder(), *path = temp_path(folder, "x.safetensors");
    write_file(path, header, strlen(header), strlen(header), x, sizeof x);
    safetensors s = safetensors_read(path);
    const float *h = safetensors_find(&s, "h")->x, *b = safetensors_find(&s, "b")->x;
    ck_assert(h[0] == 1 && h[1] == -2 && h[2] == 65504 && h[3] == 0x1p-24f && h[4] == 1023 * 0x1p-24f);
    ck_assert(h[5] == 0 && signbit(h[5]) && h[6] == -INFINITY);
    ck_assert(b[0] == 1 && b[1] == -3.140625f && b[2] == 0x1p-133f && b[3] == INFINITY);
    safetensors_free(&s);
}
END_TEST

#define TWO(a, b) "{\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":" a "},\"y\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":" b "}}"
#define ONE(type, shape, offsets) "{\"x\":{\"dtype\":\"" type "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

/* 16 bytes of numbers follow each header. */
static const struct { const char *header, *says; } bad[] = {
    { "", "would be 0 bytes" }, { "[]", "does not begin with {" }, { "{}", "its length is not" },
    { "{\"x\"", "header: " }, { "{\"x\":1} x", "header: " }, { "{\"\":1}", "empty" }, { "{\"x\":7}", "tensor x: it does not have" },
    { "{\"x\":{\"dtype\":\"F32\",\"shape\":[4]}}", "it does not have" },
    { "{\"x\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16],\"more\":1}}", "nothing else" },
    { "{\"x\":{\"dtype\":4,\"shape\":[4],\"data_offsets\":[0,16]}}", "it does not have" },
    { "{\"__metadata__\":[]}", "not an object" }, { "{\"__metadata__\":{\"a\":1}}", "more than named texts" },
    { ONE("F64", "[2]", "[0,16]"), "`F64`; F32, F16 and BF16" }, { ONE("F33", "[4]", "[0,16]"), "`F33`" },
    { ONE("\\u001b[2J", "[4]", "[0,16]"), "`?`" },
    { ONE("F32", "[4.0]", "[0,16]"), "not a whole number" }, { ONE("F32", "[-4]", "[0,16]"), "not a whole number" },
    { ONE("F32", "[\"4\"]", "[0,16]"), "not a whole number" },
    { ONE("F32", "[1,1,1,1,1,1,1,1,4]", "[0,16]"), "more than 8 sides" },
    { ONE("F32", "[18446744073709551616]", "[0,16]"), "header: too big" },
    { ONE("F32", "[4611686018427387904,4611686018427387904]", "[0,16]"), "larger than any file" },
    { ONE("F32", "[4294967296,4294967296]", "[0,0]"), "larger than any file" },
    { ONE("F32", "[4611686018427387904,4]", "[0,16]"), "larger than any file" },
    { ONE("F32", "[4]", "[0,16,16]"), "not two whole numbers" }, { ONE("F32", "[4]", "[0]"), "not two whole numbers" },
    { ONE("F32", "[4]", "[-16,0]"), "not two whole numbers" }, { ONE("F32", "[4]", "[0,1e1]"), "not two whole numbers" },
    { ONE("F32", "[4]", "[4,20]"), "lead out of the file" }, { ONE("F32", "[4]", "[16,0]"), "lead out of the file" },
    { ONE("F32", "[4]", "[0,4611686018427387904]"), "lead out of the file" },
    { ONE("F32", "[3]", "[0,16]"), "do not fit" }, { ONE("F16", "[4]", "[0,16]"), "do not fit" },
    { ONE("F32", "[3]", "[0,12]"), "its length is not" }, { ONE("F32", "[3]", "[4,16]"), "a gap before it" },
    { TWO("[0,8]", "[4,12]"), "overlap" }, { TWO("[0,8]", "[0,8]"), "overlap" },
    { "{\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}}", "duplicate" },
    { "{\"a\\u0007\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}", "control characters" },
    { "{\"a\\u0000\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}", "header: " },
    { "{\"\xff\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}", "header: " },
};

/* Types whose numbers are not read are listed, with the bytes that the format gives them. */
START_TEST(all_types_are_listed)
{
    static const struct { const char *type; int sides, bytes; } c[] = {
        { "C64", 3, 24 }, { "F64", 3, 24 }, { "BOOL", 3, 3 }, { "F8_E4M3", 3, 3 }, { "F8_E5M2", 3, 3 }, { "F8_E8M0", 3, 3 },
        { "F8_E4M3FNUZ", 3, 3 }, { "F8_E5M2FNUZ", 3, 3 }, { "F4", 4, 2 }, { "F6_E2M3", 4, 3 }, { "F6_E3M2", 4, 3 } };
    char *folder = temp_folder(), *path = temp_path(folder, "x.safetensors"), output[1024];
    const char zero[32] = { 0 };
    for (size_t k = 0; k < COUNT(c); k++)
        for (int more = 0; more < 2; more++) {                          /* and with a byte too many */
            char *header = temp_format("{\"x\":{\"dtype\":\"%s\",\"shape\":[%d],\"data_offsets\":[0,%d]}}", c[k].type, c[k].sides, c[k].bytes + more);
            write_file(path, header, strlen(header), strlen(header), zero, (size_t)(c[k].bytes + more));
            const int status = run_child(index_it, path, output, sizeof output);
            ck_assert_msg(more ? status == 2 && strstr(output, "do not fit its shape") : status == 0 && strstr(output, c[k].type), "%s: %d: %s", header, status, output);
        }
    static const struct { const char *header, *says; } wrong[] = {
        { ONE("F4", "[3]", "[0,1]"), "do not fill whole bytes" }, { ONE("F6_E2M3", "[2]", "[0,1]"), "do not fill whole bytes" },
        { ONE("F5", "[4]", "[0,4]"), "`F5`, which is not a type of safetensors" } };
    for (size_t k = 0; k < COUNT(wrong); k++) {
        write_file(path, wrong[k].header, strlen(wrong[k].header), strlen(wrong[k].header), zero, 4);
        ck_assert(run_child(index_it, path, output, sizeof output) == 2 && strstr(output, wrong[k].says));
    }
}
END_TEST

START_TEST(bad_headers)
{
    char *folder = temp_folder(), *path = temp_path(folder, "x.safetensors"), output[1024];
    const char zero[16] = { 0 }, good[] = TWO("[8,16]", "[0,8]");
    write_file(path, good, strlen(good), strlen(good), zero, sizeof zero);
    ck_assert_int_eq(run_child(read_it, path, output, sizeof output), 0);
    for (size_t k = 0; k < COUNT(bad); k++) {
        const size_t n = strlen(bad[k].header);
        write_file(path, bad[k].header, n, n, zero, sizeof zero);
        const int status = run_child(read_it, path, output, sizeof output);
        ck_assert_msg(status == 2 && strstr(output, bad[k].says) && strstr(output, path), "%s: status %d, %s", bad[k].header, status, output);
        for (const char *c = output; *c && *c != '\n'; c++) ck_assert_msg((unsigned char)*c >= 32, "%s", bad[k].header);
    }
    const uint64_t claims[] = { 1, strlen(good) + 17, 1ULL << 40, UINT64_MAX, UINT64_MAX - 7, INT64_MAX };
    for (size_t k = 0; k < COUNT(claims); k++) {
        write_file(path, good, strlen(good), claims[k], zero, sizeof zero);
        ck_assert_int_eq(run_child(read_it, path, output, sizeof output), 2);
        ck_assert_msg(strstr(output, "its header would be") != NULL, "%zu: %s", k, output);
    }
    char *deep = must_calloc(200001, 1);                           /* 100,000 brackets: no deep recursion */
    memset(deep, '[', 100000);
    memcpy(deep, "{\"x\":", 5);
    write_file(path, deep, 100000, 100000, zero, sizeof zero);
    ck_assert_int_eq(run_child(read_it, path, output, sizeof output), 2);
    free(deep);
    ck_assert_int_eq(run_child(read_it, "/no/such/file", output, sizeof output), 2);
    ck_assert_int_eq(run_child(read_it, "/", output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "Is a directory"));
}
END_TEST

START_TEST(every_cut_is_noticed)
{
    char *folder = temp_folder(), *path = temp_path(folder, "x.safetensors"), output[512];
    safetensors s = small();
    safetensors_write(&s, path);
    safetensors_free(&s);
    size_t n;
    char *bytes = temp_read(NULL, path, &n);
    for (size_t k = 0; k < n + 1; k++) {                           /* and one byte too many */
        temp_write(NULL, path, bytes, k < n ? k : n + 1);
        const int status = run_child(read_it, path, output, sizeof output);
        ck_assert_msg(status == 2 && strstr(output, "damaged"), "%zu bytes: status %d, %s", k, status, output);
    }
}
END_TEST

enum { ENOUGH = 600 };                   /* headers, a few in a thousand of them harmless: some are taken */

/* Whatever the header says: the reader takes the file or exits with 2 and one line. */
START_TEST(no_header_hurts)
{
    char *folder = temp_folder(), *path = temp_path(folder, "x.safetensors"), output[1024], header[4096];
    const char *rounds = getenv("FUZZ_ROUNDS");
    const long most = rounds ? atol(rounds) : ENOUGH;
    const char zero[16] = { 0 }, good[] = "{\"__metadata__\":{\"a\":\"b\"},\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
                                          "\"y\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_offsets\":[8,16]}}";
    const uint64_t key[2] = { 5, 19 };
    long taken = 0;
    for (long k = 0; k < most; k++) {
        size_t n = strlen(good);
        memcpy(header, good, n);
        const uint64_t changes = 1 + random_below(key, (uint64_t)k, 3);
        for (uint64_t j = 0; j < changes && n > 0; j++) n = fuzz_text(header, n, (uint64_t[]){ 6, 19 }, (uint64_t)k * 4 + j);
        write_file(path, header, n, k % 8 ? n : strlen(good), zero, sizeof zero);
        const int status = run_child(read_it, path, output, sizeof output);
        header[n] = '\0';
        ck_assert_msg(status == 0 || status == 2, "status %d: %s\n%s", status, header, output);
        ck_assert_msg(strlen(output) > 10 && strchr(output, '\n') == output + strlen(output) - 1, "%s\n%s", header, output);
        taken += status == 0;
    }
    ck_assert_msg((taken > 0 || most < ENOUGH) && taken < most / 2, "%ld of %ld taken", taken, most);
}
END_TEST

/* ---- contracts -------------------------------------------------------------------------------------------- */

typedef struct { const char *name; int rank; long side; bool note; } wrong;
static void break_contract(void *with)
{
    const wrong *w = with;
    contract_set_handler(contract_exits);
    safetensors s = small();
    const float x[4] = { 0 };
    if (w->note) safetensors_text(&s, w->name, "");
    else safetensors_tensor(&s, w->name, w->rank, (long[]){ w->side, 1L << 40, 1, 1, 1, 1, 1, 1 }, x);
    safetensors_write(&s, "/no/such/folder/never");
}

START_TEST(contracts)
{
    wrong list[] = { { "", 0, 0, false }, { "h.0.w", 0, 0, false }, { "__metadata__", 0, 0, false }, { "a\n", 0, 0, false }, { "a", 9, 1, false },
                     { "a", -1, 1, false }, { "a", 1, -1, false }, { "a", 2, 1L << 40, false }, { "model", 0, 0, true }, { "", 0, 0, true }, { "\xff", 0, 0, false } };
    char output[512];
    for (size_t k = 0; k < COUNT(list); k++) {
        const int status = run_child(break_contract, &list[k], output, sizeof output);
        ck_assert_msg(status == CONTRACT_STATUS, "%zu: status %d, %s", k, status, output);
    }
    wrong fine = { "a", 0, 0, false };
    ck_assert_int_eq(run_child(break_contract, &fine, output, sizeof output), 2);         /* and no folder: bad input */
}
END_TEST

/* ---- checkpoints: their checksum does not make a header right ----------------------------------------------- */

static void read_checkpoint(void *path)
{
    checkpoint c = checkpoint_read(path, CHECKPOINT_ALL);
    printf("%ld tensors\n", c.tensors);
    checkpoint_free(&c);
}

static int checkpoint_with(const char *path, const char *header, size_t n, const void *numbers, size_t bytes, char output[1024])
{
    const uint32_t crc = (uint32_t)crc32_z(crc32_z(0, (const unsigned char *)header, n), numbers, bytes);
    FILE *f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert(fwrite(header, 1, n, f) == n && fwrite(numbers, 1, bytes, f) == bytes && fwrite(&crc, 1, 4, f) == 4);
    fclose(f);
    return run_child(read_checkpoint, (void *)(uintptr_t)path, output, 1024);
}

START_TEST(no_checkpoint_hurts)
{
    static const struct { const char *header, *says; } odd[] = {
        { "PROVABLY 1\ntensor a 8589934592 2147483648\nend\n", "absurd size" }, { "PROVABLY 1\ntensor a 68719476737 1\nend\n", "absurd size" },
        { "PROVABLY 1\ntensor a 1 99999999999999999999\nend\n", "absurd size" }, { "PROVABLY 1\ntensor a -1 -2\nend\n", "absurd size" },
        { "PROVABLY 1\ntensor a 1 1\ntensor a 1 1\nend\n", "given twice" }, { "PROVABLY 1\ntext a b\ntext a c\nend\n", "given twice" },
        { "PROVABLY 1\ntext a\033 b\nend\n", "odd characters" }, { "PROVABLY 1\ntensor a 3 1\nend\n", "length" },
        { "PROVABLY 2\nend\n", "first line" }, { "PROVABLY 1\n", "cut off" }, { "PROVABLY 1\ntensor a 2\nend\n", "neither" },
    };
    char *folder = temp_folder(), *path = temp_path(folder, "x.ckpt"), output[1024], header[4096];
    const float x[2] = { 1, 2 };
    const char good[] = "PROVABLY 1\ntext step 12\ntext note two words\ntensor a 1 1\ntensor b 1 1\nend\n";
    ck_assert_int_eq(checkpoint_with(path, good, strlen(good), x, sizeof x, output), 0);
    for (size_t k = 0; k < COUNT(odd); k++) {
        const int status = checkpoint_with(path, odd[k].header, strlen(odd[k].header), x, sizeof x, output);
        ck_assert_msg(status == 2 && strstr(output, odd[k].says), "%s: status %d, %s", odd[k].header, status, output);
    }
    const char *rounds = getenv("FUZZ_ROUNDS");
    const uint64_t most = rounds ? strtoull(rounds, NULL, 10) : 200;
    for (uint64_t k = 0; k < most; k++) {
        memcpy(header, good, strlen(good));
        const size_t n = fuzz_text(header, strlen(good), (uint64_t[]){ 7, 19 }, k);
        const int status = checkpoint_with(path, header, n, x, sizeof x, output);
        header[n] = '\0';
        ck_assert_msg(status == 0 || status == 2, "status %d: %s\n%s", status, header, output);
    }
}
END_TEST

/* ---- the command ------------------------------------------------------------------------------------------ */

START_TEST(export_of_a_run)
{
    char *folder = temp_folder(), *from = temp_path(folder, "last.ckpt"), *to = temp_path(folder, "x.safetensors"), output[512];
    checkpoint c = { .tensor = NULL };
    checkpoint_text(&c, "step", "12");
    checkpoint_text(&c, "model", "L=1 d=2");
    checkpoint_tensor(&c, "h.0.attn.q", 2, 2, (float[]){ 1, 2, 3, 4.25f });
    checkpoint_tensor(&c, "normf", 1, 2, (float[]){ 5, 6 });
    checkpoint_tensor(&c, "m:normf", 1, 2, (float[]){ 7, 8 });
    checkpoint_write(&c, from);
    char *command = temp_format("%s/provably export --from=%s --out=%s", build_folder(), folder, to);
    ck_assert_int_eq(run_shell(command, output, sizeof output), 0);
    ck_assert_msg(strstr(output, "2 tensors, 6 numbers, after step 12") != NULL, "%s", output);
    safetensors s = safetensors_read(to);
    const safetensor *q = safetensors_find(&s, "h.0.attn.q"), *g = safetensors_find(&s, "normf");
    ck_assert(s.tensors == 2 && q && q->rank == 2 && q->shape[0] == 2 && q->x[3] == 4.25f && g && g->rank == 1 && g->shape[0] == 2 && g->x[1] == 6);
    ck_assert_str_eq(safetensors_value(&s, "model"), "L=1 d=2");
    ck_assert_str_eq(safetensors_value(&s, "format"), "pt");
    safetensors_free(&s);
    checkpoint_free(&c);
    unlink(to);
    for (int k = 0; k < 2; k++) {                                   /* names that mean something else in the format */
        checkpoint_text(&c, k ? "step" : "format", "12");
        checkpoint_tensor(&c, k ? "__metadata__" : "normf", 1, 1, (float[]){ 5 });
        checkpoint_write(&c, from);
        checkpoint_free(&c);
        ck_assert_int_eq(run_shell(command, output, sizeof output), 2);
        ck_assert_msg(strstr(output, k ? "a tensor called `__metadata__`" : "a text called `format`") && access(to, F_OK) != 0, "%s", output);
    }
    unlink(from);
    ck_assert_int_eq(run_shell(command, output, sizeof output), 2);
    ck_assert_msg(strstr(output, "holds no last.ckpt") != NULL, "%s", output);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("safetensors");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 300);
    tcase_add_test(all, files_come_back);
    tcase_add_test(all, bytes_of_a_file);
    tcase_add_test(all, short_floats);
    tcase_add_test(all, all_types_are_listed);
    tcase_add_test(all, bad_headers);
    tcase_add_test(all, every_cut_is_noticed);
    tcase_add_test(all, no_header_hurts);
    tcase_add_test(all, contracts);
    tcase_add_test(all, no_checkpoint_hurts);
    tcase_add_test(all, export_of_a_run);
    return run_suite(suite, argc, argv);
}
