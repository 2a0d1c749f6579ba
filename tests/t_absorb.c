/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_absorb.c - matrices from files, and `provably absorb`: exact answers; bad files are one clear line and status 2. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "src/data/matrix_file.h"
#include "src/methods/relu/relu.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static char *folder;

static char *file_of(const char *name) { return temp_path(folder, name); }

static void save(const char *name, const void *bytes, size_t n)
{
    temp_write(folder, name, bytes, n);
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

static void check(const fmpq_mat_t A, long rows, long cols, const char *const *want)
{
    ck_assert_int_eq(fmpq_mat_nrows(A), rows);
    ck_assert_int_eq(fmpq_mat_ncols(A), cols);
    for (long k = 0; k < rows * cols; k++) {
        char *text = fmpq_get_str(NULL, 10, fmpq_mat_entry(A, k / cols, k % cols));
        ck_assert_msg(strcmp(text, want[k]) == 0, "entry %ld is %s, not %s", k, text, want[k]);
        flint_free(text);
    }
}

typedef struct { const char *text; long rows, cols; const char *want[8]; } csv;
static const csv csvs[] = {
    { "1,2\n3,4\n", 2, 2, { "1", "2", "3", "4" } },
    { "-1.25e-3,3/7\n0.1,+5E2", 2, 2, { "-1/800", "3/7", "1/10", "500" } },
    { "# a comment\r\n\r\n 1 ,\t-2/6 \r\n", 1, 2, { "1", "-1/3" } },
    { "1 2   3\n4\t5 6\n\n", 2, 3, { "1", "2", "3", "4", "5", "6" } },
    { "\xef\xbb\xbf" "7", 1, 1, { "7" } },
    { ".5,5.,-0,00.10", 1, 4, { "1/2", "5", "0", "1/10" } },
    { "1606938044258990275541962092341162602522202993782792835301377,1e20", 1, 2,
      { "1606938044258990275541962092341162602522202993782792835301377", "100000000000000000000" } },
    { "0.30000000000000000000000000001", 1, 1, { "30000000000000000000000000001/100000000000000000000000000000" } },
    { "0e4096", 1, 1, { "0" } },
};

START_TEST(csv_is_exact)
{
    const csv *c = &csvs[_i];
    fmpq_mat_t A;
    matrix_parse_csv(A, &(matrix_bytes){ "x.csv", (const unsigned char *)c->text, strlen(c->text) });
    check(A, c->rows, c->cols, c->want);
    fmpq_mat_clear(A);
}
END_TEST

/* What is printed reads back as the same matrix. */
START_TEST(csv_round_trip)
{
    char *text;
    size_t size;
    fmpq_mat_t A, B;
    fmpq_mat_init(A, 7, 5);
    for (long k = 0; k < 35; k++) fmpq_set_si(fmpq_mat_entry(A, k / 5, k % 5), (k * k * 7919) % 401 - 200, (ulong)(1 + k % 9));
    FILE *f = open_memstream(&text, &size);
    matrix_print(f, A);
    fclose(f);
    matrix_parse_csv(B, &(matrix_bytes){ "x.csv", (const unsigned char *)text, size });
    ck_assert(fmpq_mat_equal(A, B));
    fmpq_mat_clear(A);
    fmpq_mat_clear(B);
    free(text);
}
END_TEST

/* ---- .npy ---------------------------------------------------------------------------------------------- */

/* An array file; `major` 2 and 3 have 4 bytes of length. */
static size_t npy(unsigned char *to, int major, const char *header, const void *data, size_t n)
{
    const size_t length = strlen(header), start = major == 1 ? 10 : 12;
    memcpy(to, "\x93NUMPY", 6);
    to[6] = (unsigned char)major;
    to[7] = 0;
    for (size_t k = 8; k < start; k++) to[k] = (unsigned char)(length >> (8 * (k - 8)));
    memcpy(to + start, header, length);
    if (n) memcpy(to + start + length, data, n);
    return start + length + n;
}

typedef struct { const char *name, *header; int major; size_t n; unsigned char data[32]; long rows, cols; const char *want[8]; } array;
#define H(descr, order, shape) "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }   \n"
static const array arrays[] = {
    { "f8", H("<f8", "False", "(1, 2)"), 1, 16, { 0, 0, 0, 0, 0, 0, 0xd0, 0x3f, 0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f },
      1, 2, { "1/4", "3602879701896397/36028797018963968" } },                   /* 0.25; the double nearest to 0.1 */
    { "big-endian f8", H(">f8", "False", "(1, 1)"), 1, 8, { 0xbf, 0xd0, 0, 0, 0, 0, 0, 0 }, 1, 1, { "-1/4" } },
    { "f4", H("<f4", "False", "(2, 1)"), 1, 8, { 0, 0, 0xc0, 0x3f, 1, 0, 0, 0 }, 2, 1,
      { "3/2", "1/713623846352979940529142984724747568191373312" } },            /* 1.5; the least subnormal, 2^-149 */
    { "f2", H("<f2", "False", "(1, 4)"), 1, 8, { 0x00, 0xbe, 0x01, 0x00, 0xff, 0x7b, 0x00, 0x80 }, 1, 4,
      { "-3/2", "1/16777216", "65504", "0" } },
    { "fortran i2", H("<i2", "True", "(2, 3)"), 1, 12, { 1, 0, 2, 0, 3, 0, 4, 0, 0xff, 0xff, 6, 0 }, 2, 3,
      { "1", "3", "-1", "2", "4", "6" } },
    { "big-endian fortran i4", H(">i4", "True", "(2, 2)"), 2, 16, { 0, 0, 1, 0, 0xff, 0xff, 0xff, 0xfe, 0, 0, 0, 3, 0, 0, 0, 4 },
      2, 2, { "256", "3", "-2", "4" } },
    { "u8", H("<u8", "False", "(1,)"), 3, 8, { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }, 1, 1, { "18446744073709551615" } },
    { "i8", H("<i8", "False", "(1,)"), 1, 8, { 0, 0, 0, 0, 0, 0, 0, 0x80 }, 1, 1, { "-9223372036854775808" } },
    { "i1, other order of keys", "{\"shape\":(3,),\"fortran_order\":False,\"descr\":\"|i1\"}", 1, 3, { 0x80, 0x7f, 5 }, 3, 1,
      { "-128", "127", "5" } },
    { "of Python 2", H("<i2", "False", "(1L, 2L)"), 1, 4, { 1, 0, 2, 0 }, 1, 2, { "1", "2" } },
    { "u2", H("=u2", "False", "(1, 2)"), 1, 4, { 0xff, 0xff, 1, 0 }, 1, 2, { "65535", "1" } },
};

START_TEST(npy_is_exact)
{
    const array *a = &arrays[_i];
    unsigned char bytes[512];
    fmpq_mat_t A;
    const size_t n = npy(bytes, a->major, a->header, a->data, a->n);
    save("x.npy", bytes, n);
    char *path = file_of("x.npy");
    matrix_read(A, path);
    check(A, a->rows, a->cols, a->want);
    fmpq_mat_clear(A);
    unlink(path);
}
END_TEST

/* ---- bad files ----------------------------------------------------------------------------------------- */

typedef struct { const char *name, *header; int major; size_t n; const char *says; } bad_array;
static const bad_array bad_arrays[] = {
    { "object", H("|O", "False", "(1, 1)"), 1, 8, "holds no real numbers" },
    { "complex", H("<c16", "False", "(1, 1)"), 1, 16, "holds no real numbers" },
    { "bool", H("|b1", "False", "(1, 1)"), 1, 1, "holds no real numbers" },
    { "text", H("<U4", "False", "(1, 1)"), 1, 16, "holds no real numbers" },
    { "long double", H("<f16", "False", "(1, 1)"), 1, 16, "is not known" },
    { "no such kind", H("<2 ", "False", "(1, 1)"), 1, 16, "is not known" },
    { "no line break", H("\n<8", "False", "(1, 1)"), 1, 16, "dtype \\x0a<8 is not known" },
    { "no order", H("f8", "False", "(1, 1)"), 1, 8, "is not known" },
    { "bytes without order", H("|f8", "False", "(1, 1)"), 1, 8, "has no byte order" },
    { "structured", "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1), }\n", 1, 8, "named fields" },
    { "cut off", H("<f8", "False", "(2, 2)"), 1, 31, "the file is cut off" },
    { "trailing bytes", H("<f8", "False", "(1, 2)"), 1, 17, "1 bytes after the matrix" },
    { "three dimensions", H("<f8", "False", "(1, 1, 1)"), 1, 8, "more than two dimensions" },
    { "no dimension", H("<f8", "False", "()"), 1, 8, "no dimension" },
    { "empty", H("<f8", "False", "(0, 3)"), 1, 0, "the matrix is empty (0 x 3)" },
    { "product overflows", H("<f8", "False", "(1048576, 1048576)"), 1, 8, "more than 1048576" },
    { "size overflows", H("<f8", "False", "(99999999999999999999999, 1)"), 1, 8, "more than 1048576" },
    { "negative size", H("<f8", "False", "(-1, 1)"), 1, 8, "not a tuple of whole numbers" },
    { "no tuple", H("<f8", "False", "3"), 1, 24, "not of the form" },
    { "no shape", "{'descr': '<f8', 'fortran_order': False}", 1, 8, "is incomplete" },
    { "twice", "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", 1, 8, "one twice" },
    { "unknown key", "{'descr': '<f8', 'order': 'C'}", 1, 8, "another key" },
    { "no end of string", "{'descr': '<f8", 1, 0, "without an end" },
    { "long string", "{'a key that is far too long': 1}", 1, 0, "too long" },
    { "continues", "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} + exit()", 1, 8, "continues" },
    { "version", H("<f8", "False", "(1, 1)"), 4, 8, "version 4 is not known" },
    { "infinite", H("<f8", "False", "(1, 1)"), 1, 800, "entry (1, 1) is infinite or no number" },
};

static void read_x(void *unused)
{
    (void)unused;
    fmpq_mat_t A;
    char *path = file_of("x");
    matrix_read(A, path);
    fmpq_mat_clear(A);
}

static void refused(const char *name, const char *says)
{
    char output[1024];
    const int status = run_child(read_x, NULL, output, sizeof output);
    ck_assert_msg(status == 2 && strstr(output, says), "%s: status %d, output: %s", name, status, output);
    ck_assert_msg(strchr(output, '\n') == output + strlen(output) - 1, "%s: more than one line: %s", name, output);
    ck_assert_msg(strstr(output, folder) != NULL, "%s: the file is not named: %s", name, output);
    char *path = file_of("x");
    unlink(path);
}

START_TEST(bad_npy)
{
    const bad_array *b = &bad_arrays[_i];
    unsigned char bytes[2048], data[800] = { 0 };
    const bool infinite = b->n == 800;
    if (infinite) memcpy(data, &(double){ INFINITY }, 8);
    save("x", bytes, npy(bytes, b->major, b->header, data, infinite ? 8 : b->n));
    refused(b->name, b->says);
}
END_TEST

typedef struct { const char *name, *bytes; size_t n; const char *says; } bad_text;
#define T(text) text, sizeof text - 1
static const bad_text bad_texts[] = {
    { "empty file", T(""), "the file is empty" },
    { "only comments", T("# nothing\n\n"), "no numbers" },
    { "not rectangular", T("1,2\n3\n"), "line 2: 1 numbers, but 2" },
    { "too long a row", T("1,2\n3,4,5\n"), "line 2: 3 numbers, but 2" },
    { "nan", T("1,nan\n"), "`nan` is not a number" },
    { "infinity", T("-inf\n"), "`-inf` is not a number" },
    { "word", T("1,two\n"), "line 1, number 2: `two` is not a number" },
    { "empty field", T("1,,2\n"), "number 2: `` is empty" },
    { "comma at the end", T("1,2,\n3,4,\n"), "number 3: `` is empty" },
    { "huge exponent", T("1e999999999\n"), "has an exponent beyond 4096" },
    { "tiny exponent", T("1e-99999999999999999999\n"), "has an exponent beyond 4096" },
    { "no exponent", T("1e\n"), "no digits in its exponent" },
    { "division by zero", T("3/0\n"), "is divided by zero" },
    { "half a fraction", T("3/\n"), "is not a number" },
    { "fraction of decimals", T("3/1.5\n"), "is not a number" },
    { "two signs", T("--1\n"), "is not a number" },
    { "a sign alone", T("-\n"), "is not a number" },
    { "a point alone", T(".\n"), "is not a number" },
    { "hexadecimal", T("0x10\n"), "is not a number" },
    { "a NUL", T("1\0002\n"), "is not a number" },
    { "binary", T("\x89PNG\r\n\x1a\n"), "is not a number" },
    { "header of .npy alone", T("\x93NUMPY"), "header is cut off" },
    { "header of .npy cut off", T("\x93NUMPY\1\0\x76\0{'descr'"), "header is cut off" },
    { "header of .npy too long", T("\x93NUMPY\2\0\xff\xff\xff\xff{'descr'"), "claims 4294967295 bytes" },
};

START_TEST(bad_csv)
{
    const bad_text *b = &bad_texts[_i];
    save("x", b->bytes, b->n);
    refused(b->name, b->says);
}
END_TEST

START_TEST(limits)
{
    char *text = must_calloc(1 << 22, 1);
    memset(text, '1', 5000);
    save("x", text, 5000);
    refused("5000 digits", "more than 4096 characters");
    for (size_t k = 0; k < 1 << 22; k++) text[k] = k % 2 ? ',' : '1';
    save("x", text, (1 << 22) - 1);
    refused("2^21 numbers", "more than 1048576 numbers");
    char *at = text;
    for (long k = 0; k < 40000; k++) at += sprintf(at, "1e4000,");
    save("x", text, (size_t)(at - text));
    refused("40,000 numbers of 4,000 digits", "one digit too many");
    free(text);
}
END_TEST

/* ---- the command --------------------------------------------------------------------------------------- */

static int absorb(const char *arguments, char *output, size_t size)
{
    char *command = temp_format("cd %s && %s/provably absorb %s", folder, getenv("ABSORB_BUILD"), arguments);
    const int status = run_shell(command, output, size);
    return status;
}

static void text(const char *name, const char *content) { save(name, content, strlen(content)); }

typedef struct { const char *W1, *W2, *Z; int status; const char *says[4]; } question;
static const question questions[] = {
    /* rows 1 and 2 with columns -e1, -e2: J = {1, 2} */
    { "1,0\n0,1\n1,1\n1,-1\n", "-1,0,2,1\n0,-1,3,1\n", NULL, 0, { "absorbable\n", "J = {1, 2}", "V1 (4 x 2)\n-1,0\n0,-1\n1,1\n", "V2 (2 x 4)\n-1,0,2,1" } },
    { "1/2\n", "-2\n", NULL, 0, { "absorbable\n", "J = {1}", "V1 (1 x 1)\n-1/2\n", NULL } },
    { "0.5\n", "-2.5\n", NULL, 0, { "not absorbable\n", "0 free columns of 1", NULL, NULL } },
    { "1,2\n", "3\n1\n", NULL, 0, { "not absorbable\n", "Y (2 x 2)", NULL, NULL } },
    { "1,0\n0,1\n0,0\n0,0\n", "1,0,0,0\n0,1,0,0\n", NULL, 0, { "absorbable\n", "without J", "V2 (2 x 4)", "one function" } },
    { "1\n2\n", "1,1\n", NULL, 0, { "absorbable\n", "without J", NULL, NULL } },              /* ReLU(3x) + x */
    { "0\n", "1\n", NULL, 0, { "not absorbable\n", "all choices", NULL, NULL } },
    { "1,1\n", "2\n", "-2,-2\n", 0, { "absorbable\n", "J = {1}", NULL, NULL } },              /* 1 output, 2 inputs */
    /* 0 modulo the prime of the search, but not over Q */
    { "2305843009213693951\n", "1\n", "-2305843009213693951\n", 0, { "absorbable\n", "J = {1}", "V1 (1 x 1)\n-2305843009213693951\n", NULL } },
    { "2305843009213693951\n", "1\n", "2305843009213693951\n", 0, { "not absorbable\n", "is a solution over Q", NULL, NULL } },
    { "1/2305843009213693951\n", "1\n", "-1/2305843009213693951\n", 0, { "absorbable\n", "J = {1}", NULL, NULL } },
    { "2305843009213693951\n", "1\n", "-1\n", 0, { "not absorbable\n", "free columns of 1", NULL, NULL } },
    { "1,1\n", "2\n", NULL, 2, { "W2 is 1 x 1, but must be 2 x 1", "transposed", NULL, NULL } },
    { "1,1\n", "2\n", "1\n", 2, { "the skip is 1 x 1, but must be 1 x 2", NULL, NULL, NULL } },
    { "1,0\n0,1\n", "1\n0\n", NULL, 2, { "W2 is 2 x 1, but must be 2 x 2", NULL, NULL, NULL } },
};

START_TEST(answers)
{
    const question *q = &questions[_i];
    char output[8192];
    text("w1", q->W1);
    text("w2", q->W2);
    if (q->Z) text("z", q->Z);
    const int status = absorb(q->Z ? "w1 w2 --skip=z --out=v" : "w1 w2 --out=v", output, sizeof output);
    ck_assert_msg(status == q->status, "status %d, output: %s", status, output);
    for (int k = 0; k < 4 && q->says[k]; k++) ck_assert_msg(strstr(output, q->says[k]), "not `%s` in: %s", q->says[k], output);
    ck_assert_msg(status != 2 || strchr(output, '\n') == output + strlen(output) - 1, "more than one line: %s", output);
    char *V1 = file_of("v-V1.csv"), *V2 = file_of("v-V2.csv"), *part = file_of("v-V1.csv.part");
    const bool yes = strncmp(output, "absorbable", 10) == 0;
    ck_assert(access(V1, F_OK) == (yes ? 0 : -1) && access(V2, F_OK) == (yes ? 0 : -1) && access(part, F_OK) != 0);
    if (yes) {                                                   /* what was written is the same function */
        relu_net f, g;
        char *w1 = file_of("w1"), *w2 = file_of("w2"), *z = file_of("z");
        matrix_read(f.W1, w1);
        matrix_read(f.W2, w2);
        if (q->Z) matrix_read(f.Z, z);
        else { fmpq_mat_init(f.Z, fmpq_mat_nrows(f.W2), fmpq_mat_ncols(f.W1)); fmpq_mat_one(f.Z); }
        matrix_read(g.W1, V1);
        matrix_read(g.W2, V2);
        fmpq_mat_init(g.Z, fmpq_mat_nrows(g.W2), fmpq_mat_ncols(g.W1));
        ck_assert(relu_same(&f, &g));
        relu_net_clear(&f);
        relu_net_clear(&g);
        unlink(V1);
        unlink(V2);
    }
}
END_TEST

/* Two neurons on the line: W1 = (1; 1), so that the biases make the hyperplanes. */
typedef struct { const char *b1, *W2, *z, *more; int status; const char *says[3]; } biased;
static const biased biases[] = {
    { "0\n1\n", "-1,5\n", "1\n", "", 0, { "J = {1}", "c1 (2 x 1)\n0\n1\n", "c2 (1 x 1)\n0\n" } },
    { "3,1\n", "-1,5\n", "1\n", "", 0, { "J = {1}", "V1 (2 x 1)\n-1\n1\nc1 (2 x 1)\n-3\n1\n", "c2 (1 x 1)\n-3\n" } },
    { "3\n1\n", "-1,5\n", "1\n", "--no-output-bias", 0, { "not absorbable", "-[Z | b2]", "0 free columns of 2" } },
    { "0\n1\n", "-1,5\n", "1\n", "--no-output-bias", 0, { "absorbable\nJ = {1}", "V2 (1 x 2)\n-1,5\n", "one function" } },
    { "0\n1\n", "-1,5\n", "7\n", "", 0, { "not absorbable", "free columns of 2", NULL } },
    { "0\n1\n", "2305843009213693951,5\n", "-2305843009213693951\n", "", 0, { "absorbable\nJ = {1}", "one function", NULL } },
    { "0\n1\n", "2305843009213693951,5\n", "-2305843009213693951\n", "--no-output-bias", 0, { "absorbable\nJ = {1}", NULL } },
    { "1\n1\n", "1,1\n", "1\n", "", 0, { "absorbable\nwithout J", "2 are enough", NULL } },
    { "1\n1\n", "0,3\n", "4\n", "", 0, { "absorbable\nwithout J", "2 are enough", NULL } },
    { "1\n1\n", "0,3\n", "-3\n", "", 0, { "1 are enough", "V1 (2 x 1)\n-1\n0\n", "V2 (1 x 2)\n3,0\n" } },
    { "1\n1\n", "0,3\n", "4\n", "--no-output-bias", 0, { "not absorbable", "least width is 3, not 2", NULL } },
    { "1\n", "0,3\n", "4\n", "", 2, { "b1 is 1 x 1, but must be 2 x 1", NULL, NULL } },
    { "1,2,3\n", "0,3\n", "4\n", "", 2, { "b1 is 3 x 1, but must be 2 x 1", NULL, NULL } },
};

START_TEST(with_biases)
{
    const biased *c = &biases[_i];
    char output[8192];
    text("w1", "1\n1\n");
    text("w2", c->W2);
    text("b1", c->b1);
    text("z", c->z);
    char *arguments = temp_format("w1 w2 --b1=b1 --skip=z --out=v %s", c->more);
    const int status = absorb(arguments, output, sizeof output);
    ck_assert_msg(status == c->status, "status %d, output: %s", status, output);
    for (int k = 0; k < 3 && c->says[k]; k++) ck_assert_msg(strstr(output, c->says[k]), "not `%s` in: %s", c->says[k], output);
    const bool yes = strncmp(output, "absorbable", 10) == 0;
    static const char *const names[] = { "v-V1.csv", "v-V2.csv", "v-c1.csv", "v-c2.csv" };
    for (size_t k = 0; k < COUNT(names); k++) {
        char *path = file_of(names[k]);
        ck_assert_int_eq(unlink(path), yes && (k < 3 || !c->more[0]) ? 0 : -1);
    }
}
END_TEST

typedef struct { const char *arguments; int status; const char *says; } call;
static const call calls[] = {
    { "", 2, "takes two files" },
    { "w1", 2, "takes two files" },
    { "w1 w2 z", 2, "takes two files, W1 and W2, not `z`" },
    { "w1 no-such-file", 2, "cannot read no-such-file" },
    { "w1 .", 2, "cannot read ." },
    { "--help", 0, "1 UNDECIDED" },
    { "w1 w2 --out=/no/such/folder/v", 2, "cannot write /no/such/folder/v-V1.csv" },
    { "w1 w2 --out=full", 2, "cannot write full-V2.csv: it is a folder" },
    { "wide narrow", 1, "UNDECIDED" },
    { "wide narrow --b1=wide", 2, "b1 is 50 x 2, but must be 50 x 1" },
    { "w1 w2 --no-output-bias", 2, "needs --b1 or --b2" },
    { "many many_out --b1=many_b1", 1, "UNDECIDED: neurons share hyperplanes" },
};

START_TEST(command_line)
{
    const call *c = &calls[_i];
    char output[8192];
    text("w1", "1\n");
    text("w2", "-1\n");
    char *taken = file_of("full-V2.csv"), *first = file_of("full-V1.csv"), *parts = file_of("full-V1.csv.part");
    mkdir(taken, 0777);                                          /* the second file cannot get its name */
    if (strncmp(c->arguments, "wide", 4) == 0) {                 /* 46 free columns of 50 */
        char rows[2048] = "", *at = rows;
        for (int k = 0; k < 50; k++) at += sprintf(at, "%d,%d\n", 1 + k * k * 7919 % 99991, 2 + k * 104729 % 99989);
        text("wide", rows);
        at = rows;
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 50; k++) at += sprintf(at, "%d%s", 1 + (k + i) * 15485863 % 99971, k < 49 ? "," : "\n");
        text("narrow", rows);
    }
    text("many", "1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n");           /* 12 neurons on 11 hyperplanes */
    text("many_b1", "0,1,2,3,4,5,6,7,8,9,10,10\n");
    text("many_out", "1,1,1,1,1,1,1,1,1,1,1,1\n");
    const int status = absorb(c->arguments, output, sizeof output);
    ck_assert_msg(status == c->status && strstr(output, c->says), "%s: status %d, output: %s", c->arguments, status, output);
    ck_assert(access(first, F_OK) != 0 && access(parts, F_OK) != 0);
    rmdir(taken);
}
END_TEST

/* Neither the matrices that are read nor those of an earlier answer are written over, or taken for parts of a new one. */
START_TEST(nothing_is_mixed)
{
    static const char *const names[] = { "v-V1.csv", "v-V2.csv", "v-c1.csv", "v-c2.csv" };
    char output[8192];
    text("w1", "1\n");
    text("w2", "-1\n");
    text("w3", "1\n");                                                          /* not absorbable */
    for (size_t k = 0; k < COUNT(names); k++)
        for (int yes = 0; yes < 2; yes++) {
            text(names[k], "7\n");
            ck_assert_int_eq(absorb(yes ? "w1 w2 --out=v" : "w1 w3 --out=v", output, sizeof output), 2);
            ck_assert_msg(strstr(output, temp_format("%s is there already; choose another prefix", names[k])) != NULL, "%s", output);
            ck_assert_str_eq(temp_read(folder, names[k], NULL), "7\n");
            unlink(file_of(names[k]));
            for (size_t i = 0; i < COUNT(names); i++) ck_assert(!temp_exists(folder, names[i]));
        }
    text("b0", "0\n");
    /* What a call left that was killed among its renames: the next one completes it. */
    static const struct { const char *arguments; int n; const char *order[4]; } left[] = {
        { "w1 w2 --out=v", 2, { "v-V1.csv", "v-V2.csv" } },
        { "w1 w2 --b1=b0 --no-output-bias --out=v", 3, { "v-V1.csv", "v-c1.csv", "v-V2.csv" } },
        { "w1 w2 --b1=b0 --out=v", 4, { "v-V1.csv", "v-c1.csv", "v-V2.csv", "v-c2.csv" } },
    };
    for (size_t l = 0; l < COUNT(left); l++) {
        const char *whole[4];
        ck_assert_msg(absorb(left[l].arguments, output, sizeof output) == 0 && strstr(output, "wrote "), "%zu: %s", l, output);
        ck_assert_msg(absorb(left[l].arguments, output, sizeof output) == 2, "whole, and not refused: %s", output);
        for (int i = 0; i < left[l].n; i++) whole[i] = temp_read(folder, left[l].order[i], NULL);
        for (int has = 1; has < left[l].n; has++) {
            for (int i = has; i < left[l].n; i++) ck_assert_int_eq(unlink(file_of(left[l].order[i])), 0);
            ck_assert_msg(absorb(left[l].arguments, output, sizeof output) == 0, "%zu, %d: %s", l, has, output);
            for (int i = 0; i < left[l].n; i++) ck_assert_str_eq(temp_read(folder, left[l].order[i], NULL), whole[i]);
        }
        ck_assert_int_eq(unlink(file_of(left[l].order[0])), 0);                  /* not what such a call leaves */
        ck_assert_int_eq(absorb(left[l].arguments, output, sizeof output), 2);
        for (int i = 1; i < left[l].n; i++) ck_assert_int_eq(unlink(file_of(left[l].order[i])), 0);
    }
    text("v-V1.csv", "1\n");
    text("v-V2.csv", "-1\n");
    ck_assert_int_eq(absorb("v-V1.csv v-V2.csv --out=v", output, sizeof output), 2);
    unlink(file_of("v-V1.csv"));
    unlink(file_of("v-V2.csv"));
}
END_TEST

static void one_failure(void *nth)
{
    memory_fail_at(*(uint64_t *)nth);
    read_x(NULL);
    _exit(0);
}

/* Every allocation of reading either format may fail. */
START_TEST(out_of_memory)
{
    unsigned char bytes[512];
    if (_i) save("x", bytes, npy(bytes, 1, arrays[0].header, arrays[0].data, arrays[0].n));
    else text("x", "1.5,2/3\n-1e30,123456789012345678901234567890\n");
    read_x(NULL);
    memory_fail_at(0);
    read_x(NULL);
    const uint64_t made = memory_fail_at(0);
    ck_assert_uint_gt(made, 3);
    for (uint64_t nth = 1; nth <= made; nth++) {
        char output[512];
        const int status = run_child(one_failure, &nth, output, sizeof output);
        ck_assert_msg(status == 2 && strstr(output, "out of memory"), "allocation %d: %d, output: %s", (int)nth, status, output);
    }
}
END_TEST

int main(int argc, char **argv)
{
    folder = temp_folder();
    char *absolute = realpath(build_folder(), NULL);
    setenv("ABSORB_BUILD", absolute ? absolute : build_folder(), 1);
    Suite *suite = suite_create("absorb");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, csv_is_exact, 0, COUNT(csvs));
    tcase_add_test(all, csv_round_trip);
    tcase_add_loop_test(all, npy_is_exact, 0, COUNT(arrays));
    tcase_add_loop_test(all, bad_npy, 0, COUNT(bad_arrays));
    tcase_add_loop_test(all, bad_csv, 0, COUNT(bad_texts));
    tcase_add_test(all, limits);
    tcase_add_loop_test(all, answers, 0, COUNT(questions));
    tcase_add_loop_test(all, with_biases, 0, COUNT(biases));
    tcase_add_loop_test(all, command_line, 0, COUNT(calls));
    tcase_add_test(all, nothing_is_mixed);
    tcase_add_loop_test(all, out_of_memory, 0, 2);
    const int status = run_suite(suite, argc, argv);
    free(absolute);
    return status;
}
