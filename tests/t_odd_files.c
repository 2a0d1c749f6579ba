/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_odd_files.c - files of data that are nearly right: each way in which a reader of src/data refuses one has a file here,
 * and so has what it takes though it is rare. */
#include <flint/fmpq_mat.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/data/bpe.h"
#include "src/data/images.h"
#include "src/data/matrix_file.h"
#include "src/data/merges.h"
#include "src/data/safetensors.h"
#include "src/data/tar.h"
#include "src/data/tokens.h"
#include "src/data/unpack.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

typedef void reader(const char *path);
typedef struct { reader *read; const char *path; } call;
static void do_call(void *with)
{
    const call *c = with;
    c->read(c->path);
}

/* In a child, so that what it takes is counted, too; says: NULL, it is taken. */
static void given(reader *read, const void *bytes, size_t n, const char *says)
{
    char output[2048];
    char *path = temp_write(temp_folder(), "file", bytes, n);
    call c = { read, path };
    const int status = run_child(do_call, &c, output, sizeof output);
    ck_assert_msg(status == (says ? 2 : 0), "wanted %s: status %d: %s", says ? says : "it taken", status, output);
    ck_assert_msg(!says || strstr(output, says), "missing: %s\nin: %s", says, output);
    ck_assert_msg(!says || strchr(output, '\n') == output + strlen(output) - 1, "more than a line: %s", output);
}
#define WORDS(...) (const uint32_t[]){ __VA_ARGS__ }, sizeof(const uint32_t[]){ __VA_ARGS__ }
static void text(reader *read, const char *bytes, const char *says) { given(read, bytes, strlen(bytes), says); }

/* ---- tokens -------------------------------------------------------------------------------------------------------- */

static void bytes_tokens(const char *path)   { tokens t = tokens_bytes(path); tokens_free(&t); }
static void chars_tokens(const char *path)   { tokens t = tokens_chars(path); tokens_free(&t); }
static void nanogpt_tokens(const char *path) { tokens t = tokens_nanogpt(path, 100); tokens_free(&t); }
static void llmc_tokens(const char *path)    { tokens t = tokens_llmc(path, 100); tokens_free(&t); }

START_TEST(token_files)
{
    uint32_t shard[257] = { 20240520, 1, 2, [256] = 0x00050007 };
    text(bytes_tokens, "", "is empty");
    text(chars_tokens, "aaaa", "has only one character");
    text(chars_tokens, "ab", NULL);
    text(nanogpt_tokens, "abc", "not a file of 16-bit tokens (3 bytes)");
    given(nanogpt_tokens, WORDS(0x00040063), NULL);
    given(nanogpt_tokens, WORDS(0x00640004), "token 1 is 100, the vocabulary is 100");
    given(llmc_tokens, shard, sizeof shard, NULL);
    given(llmc_tokens, shard, 1000, "not a token shard of version 1");
    given(llmc_tokens, shard, sizeof shard - 2, "cut off or too long: 2 tokens announced, 1026 bytes");
    shard[2] = 0;
    given(llmc_tokens, shard, 1024, "cut off or too long: 0 tokens announced");
    shard[1] = 2;
    given(llmc_tokens, shard, sizeof shard, "not a token shard of version 1");
    shard[0] = 1;
    given(llmc_tokens, shard, sizeof shard, "not a token shard of version 1");
}
END_TEST

/* ---- images ---------------------------------------------------------------------------------------------------------- */

static unsigned char idx[16 + 2 * 4], labels[8 + 2];         /* two images of 2 x 2 */
static void word(unsigned char *at, long x) { for (int k = 0; k < 4; k++) at[k] = (unsigned char)(x >> (24 - 8 * k)); }
static void good_images(void)
{
    memset(idx, 7, sizeof idx);
    memset(labels, 9, sizeof labels);
    word(idx, 2051), word(idx + 4, 2), word(idx + 8, 2), word(idx + 12, 2);
    word(labels, 2049), word(labels + 4, 2);
}
static size_t label_size;
static void idx_images(const char *path)
{
    char *beside = must_format("%s.labels", path);
    FILE *f = fopen(beside, "w");
    if (!f || fwrite(labels, 1, label_size, f) != label_size || fclose(f) != 0) die("no labels");
    images x = images_idx(path, beside);
    images_free(&x);
    free(beside);
}
static void cifar_images(const char *path)
{
    images x = images_cifar((char *const[]){ (char *)(uintptr_t)path }, 1);
    images_free(&x);
}

START_TEST(image_files)
{
    static const struct { int at; long is; const char *says; } wrong[] = {
        { 0, 2049, "not an IDX file of images" }, { 12, 3, "images of 2 x 3, not square" }, { 4, 0, "cut off or too long: 0 images" },
        { 4, 3, "cut off or too long: 3 images" } };
    static unsigned char record[3073];
    label_size = sizeof labels;
    for (size_t k = 0; k < COUNT(wrong); k++) {
        good_images();
        word(idx + wrong[k].at, wrong[k].is);
        given(idx_images, idx, sizeof idx, wrong[k].says);
    }
    good_images();
    given(idx_images, idx, sizeof idx, NULL);
    given(idx_images, idx, 15, "not an IDX file of images");
    word(idx + 8, 0), word(idx + 12, 0);
    given(idx_images, idx, sizeof idx, "images of 0 x 0, not square");
    word(idx + 8, 5000), word(idx + 12, 5000);
    given(idx_images, idx, sizeof idx, "images of 5000 x 5000, not square");
    good_images();
    word(labels, 2051);
    given(idx_images, idx, sizeof idx, "not an IDX file of labels");
    word(labels, 2049), word(labels + 4, 1);
    given(idx_images, idx, sizeof idx, "labels of other images: 1 labels announced");
    word(labels + 4, 2);
    label_size = 9;
    given(idx_images, idx, sizeof idx, "cut off, or labels of other images");
    label_size = 7;
    given(idx_images, idx, sizeof idx, "not an IDX file of labels");
    label_size = sizeof labels, labels[9] = 10;
    given(idx_images, idx, sizeof idx, "label 1 is 10, not a digit");
    given(cifar_images, record, sizeof record, NULL);
    given(cifar_images, record, 0, "not whole CIFAR-10 records");
    given(cifar_images, record, 3072, "not whole CIFAR-10 records");
    record[0] = 10;
    given(cifar_images, record, sizeof record, "label 0 is 10; CIFAR-10 has 0 to 9");
}
END_TEST

/* ---- matrices -------------------------------------------------------------------------------------------------------- */

static void matrix(const char *path)
{
    fmpq_mat_t A;
    matrix_read(A, path);
    fmpq_mat_clear(A);
    flint_cleanup();
}

/* A .npy file of this version whose header this is, and 8 bytes of zeros. */
static void npy(int version, const char *header, const char *says)
{
    unsigned char file[512] = "\x93NUMPY";
    const size_t n = strlen(header), start = version == 1 ? 10 : 12;
    file[6] = (unsigned char)version;
    file[8] = (unsigned char)n;
    memcpy(file + start, header, n);
    given(matrix, file, start + n + 8, says);
}
#define NPY(descr, shape) "{'descr': " descr ", 'fortran_order': False, 'shape': " shape ", }\n"

START_TEST(matrix_files)
{
    static const struct { const char *header, *says; } all[] = {
        { NPY("'<f8'", "(1,)"), NULL }, { NPY("'<f8'", "( \t1L, 1L)"), NULL }, { NPY("\"<i8\"", "(1, 1)"), NULL },
        { NPY("[('a', '<f8')]", "(1,)"), "named fields" }, { NPY("7", "(1,)"), "lacks a quoted string" },
        { "{'descr': '<f8", "has a string without an end" }, { "{'descr':", "lacks a quoted string" }, { "{'descr': ", "lacks a quoted string" },
        { NPY("'<f8aaaaaaaaaaaaaaaaaaaaaaaaa'", "(1,)"), "a string that is too long" }, { "{'shape': (1,)}", "the .npy header " },
        { NPY("'<f8'", "(1,1,1)"), "more than two dimensions" }, { NPY("'<f8'", "()"), "no dimension" }, { NPY("'<f8'", "(0, 1)"), "is empty" },
        { NPY("'<f8'", "(1, 0)"), "is empty" }, { NPY("'<f8'", "(2000000,)"), "more than 1048576 numbers" },
        { NPY("'<f8'", "(1048576, 2)"), "more than 1048576 numbers" }, { NPY("'<f8'", "(x)"), "not a tuple of whole numbers" },
        { NPY("'<f8'", "(-1,)"), "not a tuple of whole numbers" }, { NPY("'<c16'", "(1,)"), "holds no real numbers" }, { NPY("'O'", "(1,)"), "holds no real numbers" },
        { NPY("'?'", "(1,)"), "holds no real numbers" }, { NPY("''", "(1,)"), "is not known" }, { NPY("'xf8'", "(1,)"), "is not known" },
        { NPY("'<'", "(1,)"), "is not known" }, { NPY("'|f8'", "(1,)"), "has no byte order" }, { NPY("'<f8'", "(1"), "the .npy header " },
        { NPY("'<f8'", "(2,)"), "the file is cut off" }, { NPY("'<f4'", "(1,)"), "4 bytes after the matrix" } };
    for (size_t k = 0; k < COUNT(all); k++) npy(1, all[k].header, all[k].says);
    npy(2, NPY("'<f8'", "(1,)"), NULL);
    npy(3, NPY("'<f8'", "(1,)"), NULL);
    npy(4, NPY("'<f8'", "(1,)"), ".npy version 4 is not known");
    npy(0, NPY("'<f8'", "(1,)"), ".npy version 0 is not known");
    given(matrix, "\x93NUMPY\1\0\xff\xff{", 11, "the .npy header is cut off");
    given(matrix, "\x93NUMPY\1", 7, "the .npy header is cut off");
    given(matrix, "\x93NUMPY\2\0\xff\xff\xff\1{", 13, "more than 65536");
    static const struct { const char *csv, *says; } cells[] = {
        { "+1,-2\n", NULL }, { "1.5e-3, 1E+2\n", NULL }, { "-1/3,+2/6\n", NULL }, { "1/0\n", "W" }, { "1.5/2\n", "" }, { "1/\n", "" }, { "1/2x\n", "" },
        { "1/-2\n", "" }, { "e5\n", "" }, { "1e\n", "" }, { "+\n", "" }, { "1e99999\n", "" }, { ".\n", "" }, { ".5,5.\n", NULL } };
    for (size_t k = 0; k < COUNT(cells); k++)
        if (!cells[k].says) text(matrix, cells[k].csv, NULL);
        else text(matrix, cells[k].csv, "file");
}
END_TEST

/* ---- archives --------------------------------------------------------------------------------------------------------- */

static unsigned char archive[5 * 512];
static void seal(unsigned char *block)                        /* its sum */
{
    unsigned sum = 0;
    memset(block + 148, ' ', 8);
    for (int k = 0; k < 512; k++) sum += block[k];
    snprintf((char *)block + 148, 7, "%06o", sum);
}
static void member(unsigned char *block, const char *prefix, const char *name, int kind, const char *size)
{
    memset(block, 0, 512);
    memcpy(block, name, strlen(name));
    memcpy(block + 124, size, strlen(size));
    memcpy(block + 257, "ustar", 6);
    memcpy(block + 345, prefix, strlen(prefix));
    block[156] = (unsigned char)kind;
    seal(block);
}
static void all_members(const char *path)
{
    unpacker *u = unpack_open(path);
    tar_reader t = { .from = { unpack_reads, u, path } };
    char byte[8];
    while (tar_next(&t)) fprintf(stderr, "%s=%zu ", t.name, tar_read(&t, byte, sizeof byte));
    unpack_close(u);
    die("%s: that is all", path);
}

START_TEST(archives)
{
    member(archive, "", "folder/", '5', "00000000000");
    member(archive + 512, "a/b", "one", '0', "00000000003 ");
    memcpy(archive + 1024, "abc", 3);
    member(archive + 1536, "", "two", 0, "      0 ");
    given(all_members, archive, 2048, "a/b/one=3 two=0 ");
    given(all_members, archive, sizeof archive, "a/b/one=3 two=0 ");
    given(all_members, archive, 1030, "cut off within a/b/one");
    given(all_members, archive, 1200, "cut off within a/b/one");
    given(all_members, archive, 1700, "is damaged behind a/b/one");
    memcpy(archive + 512 + 124, "\x80\0\0\0\0\0\0\0\0\0\0\3", 12);       /* sizes above eight gigabytes are written so */
    seal(archive + 512);
    given(all_members, archive, 2048, "a/b/one=3 two=0 ");
    memcpy(archive + 512 + 124, "\x80\0\0\0\2\0\0\0\0\0\0\0", 12);
    seal(archive + 512);
    given(all_members, archive, 2048, "cut off within a/b/one");
    memcpy(archive + 512 + 124, "0000009x003 ", 12);                     /* it ends at what is no octal digit */
    seal(archive + 512);
    given(all_members, archive, 2048, "is damaged behind");
    archive[512 + 148] ^= 1;
    given(all_members, archive, 2048, "is damaged behind");
}
END_TEST

static void unpacked(const char *path)
{
    size_t n;
    free(unpack_file(path, &n));
}

/* A whole file twice, each kind of damage, and the beginnings that are none of an archive's. */
START_TEST(packed_files)
{
    static const char *const kinds[] = { "gz", "bz2", "xz" };
    for (size_t k = 0; k < COUNT(kinds); k++) {
        size_t n;
        char *bytes = temp_read("tests/guided/seeds/packed", kinds[k], &n), *twice = must_calloc(2 * n + 1, 1);
        memcpy(twice, bytes, n);
        memcpy(twice + n, bytes, n);
        given(unpacked, twice, 2 * n, NULL);
        given(unpacked, twice, n, NULL);
        given(unpacked, twice, n - 3, "file");
        given(unpacked, twice, n + 5, "file");
        memset(twice + n, 'x', n);
        given(unpacked, twice, 2 * n, "file");
        twice[n / 2] ^= 0x55, twice[n / 2 + 1] ^= 0x55;
        given(unpacked, twice, n, "file");
        free(twice);
    }
    text(unpacked, "", NULL);
    text(unpacked, "BZ", NULL);
    text(unpacked, "BZhx", NULL);
    text(unpacked, "BZh0 text", NULL);
    text(unpacked, "\x1f", NULL);
}
END_TEST

/* ---- byte pairs ------------------------------------------------------------------------------------------------------- */

static void merges_of(const char *path) { merges_free(merges_read(path)); }

/* Each of these is no UTF-8, at its beginning: the bytes are tokens of one byte each. */
static void encoded(const char *path)
{
    static const char *const not_text[] = {
        "\x80", "\xc1\xbf", "\xf5\x80\x80\x80", "\xe0\x9f\xbf", "\xe0\xa0", "\xf0\x8f\xbf\xbf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3(", "\xe2\x82(" };
    static const char *const is_text[] = { "\xe0\xa0\x80", "\xf0\x90\x80\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf", "\xc3\xa9", "tr" };
    bpe *b = bpe_open(path);
    for (int valid = 0; valid < 2; valid++)
        for (size_t k = 0; k < (valid ? COUNT(is_text) : COUNT(not_text)); k++) {
            const char *word_of = valid ? is_text[k] : not_text[k];
            token_list to = { 0 };
            char back[16] = "";
            size_t used = 0;
            bpe_encode(b, word_of, strlen(word_of), &to);
            for (size_t i = 0; i < to.n; i++) {
                size_t n;
                const char *piece = bpe_decode(b, to.at[i], &n);
                memcpy(back + used, piece, n);
                used += n;
            }
            if (used != strlen(word_of) || memcmp(back, word_of, used) != 0) die("%s: word %zu comes back otherwise", path, k);
            token_list_free(&to);
        }
    char *long_word = must_calloc(5000, 1);
    token_list to = { 0 };
    memset(long_word, 'x', 4999);
    bpe_encode(b, long_word, 4999, &to);                                  /* longer than what is remembered */
    for (int k = 0; k < 3; k++) bpe_encode(b, "tr tr as", 8, &to);
    if (to.n != 4999 + 3 * 5) die("%s: %zu tokens", path, to.n);
    token_list_free(&to);
    free(long_word);
    bpe_close(b);
}

START_TEST(byte_pairs)
{
    text(encoded, "#version: 0.2\nt r\na s\n", NULL);
    text(merges_of, "#version: 0.2\n", "has no merges");
    text(merges_of, "#version: 0.2\nt r\nt r\n", "line 3: not a new merge");
    text(merges_of, "#version: 0.2\ntr s\n", "line 2: not a new merge");
    text(merges_of, "#version: 0.2\nt\n", "line 2: not a new merge");
    text(merges_of, "#version: 0.2\n\xc3 t\n", "line 2: not a new merge");
    text(merges_of, "#version: 0.2\n\xe2\x82\xac t\n", "line 2: not a new merge");
    text(merges_of, "#version: 0.2\n\xc3( t\n", "line 2: not a new merge");
    text(merges_of, "#version: 0.2\n\xdf\xbf t\n", "line 2: not a new merge");
    text(merges_of, "#version: 0.2\n\xc2\x80 t\n", "line 2: not a new merge");
    text(merges_of, "#version: 0.2\n\xc4\xa0 t\n\xc4\xa0t r\n", NULL);
}
END_TEST

/* ---- safetensors -------------------------------------------------------------------------------------------------------- */

static void tensors(const char *path)
{
    safetensors s = safetensors_read(path);
    safetensors_free(&s);
}
static void tensor_index(const char *path)
{
    safetensors s = safetensors_index(path);
    safetensors_free(&s);
}

static void header(reader *read, const char *json, const char *says)      /* and four bytes of numbers */
{
    char file[1024] = "";
    const size_t n = strlen(json);
    memcpy(file, &(const uint64_t){ n }, 8);
    memcpy(file + 8, json, n);
    given(read, file, 8 + n + 4, says);
}
#define TENSOR(dtype, shape, offsets) "{\"a\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

START_TEST(tensor_files)
{
    static const struct { const char *json, *says; } all[] = {
        { TENSOR("\"F32\"", "[1]", "[0,4]"), NULL }, { TENSOR("\"F32\"", "[]", "[0,4]"), NULL }, { TENSOR("\"BF16\"", "[2]", "[0,4]"), NULL },
        { TENSOR("\"F16\"", "[2,1]", "[0,4]"), NULL }, { TENSOR("7", "[1]", "[0,4]"), "nothing else" }, { TENSOR("\"F32\"", "1", "[0,4]"), "nothing else" },
        { TENSOR("\"F32\"", "[1]", "4"), "nothing else" }, { "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4],\"x\":1}}", "nothing else" },
        { "{\"a\":7}", "nothing else" }, { TENSOR("\"I64\"", "[1]", "[0,4]"), "convert it first" }, { TENSOR("\"\\u001b\"", "[1]", "[0,4]"), "`?`" },
        { TENSOR("\"F32\"", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), "more than 8 sides" }, { TENSOR("\"F32\"", "[-1]", "[0,4]"), "a side is not a whole number" },
        { TENSOR("\"F32\"", "[1.0]", "[0,4]"), "a side is not a whole number" }, { TENSOR("\"F32\"", "[5000000000000000000]", "[0,4]"), "a side is not a whole number" },
        { TENSOR("\"F32\"", "[4611686018427387904,4]", "[0,4]"), "larger than any file" }, { TENSOR("\"F32\"", "[1]", "[0]"), "not two whole numbers" },
        { TENSOR("\"F32\"", "[1]", "[-1,4]"), "not two whole numbers" }, { TENSOR("\"F32\"", "[1]", "[0,\"4\"]"), "not two whole numbers" },
        { TENSOR("\"F32\"", "[1]", "[4,0]"), "lead out of the file" }, { TENSOR("\"F32\"", "[2]", "[0,8]"), "lead out of the file" },
        { TENSOR("\"F32\"", "[2]", "[0,4]"), "do not fit its shape" }, { "{\"__metadata__\":7}", "__metadata__ is not an object" },
        { "{\"__metadata__\":{\"a\":7}}", "more than named texts" }, { "{\"__metadata__\":{\"\":\"x\"}}", "more than named texts" },
        { "{\"\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", "a tensor's name is empty" }, { "[]", "file" }, { "{", "file" } };
    for (size_t k = 0; k < COUNT(all); k++) header(tensors, all[k].json, all[k].says);
    header(tensor_index, TENSOR("\"I64\"", "[0]", "[0,0]"), "file");
    header(tensor_index, TENSOR("\"Q9\"", "[1]", "[0,4]"), "which is not a type of safetensors");
    header(tensor_index, TENSOR("\"\\n\"", "[1]", "[0,4]"), "`?`");
    header(tensor_index, TENSOR("\"U8\"", "[4]", "[0,4]"), NULL);
    given(tensors, "\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10, "file");
    given(tensors, "abc", 3, "file");
    ck_assert(isinf(safetensors_half(0x7c00)) && isnan(safetensors_half(0x7c01)) && safetensors_half(0x8001) < 0);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("odd_files");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, token_files);
    tcase_add_test(all, image_files);
    tcase_add_test(all, matrix_files);
    tcase_add_test(all, archives);
    tcase_add_test(all, packed_files);
    tcase_add_test(all, byte_pairs);
    tcase_add_test(all, tensor_files);
    return run_suite(suite, argc, argv);
}
