/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_certificate.c - certificates are accepted as they are written, and what is false is not.
 *
 * proofcheck runs as a child, on many files at once.  Forgeries are small certificates with one thing changed so
 * that the statement, or the proof, is wrong.  The mutation run makes 1,000 single changes of each kind (a digit, a
 * sign, a number, a word or a line that is dropped, doubled, swapped or replaced) and judges what proofcheck
 * accepts by other means (tests/support/decide.c): accepting a false statement fails.  CERTIFICATE_MUTATIONS and
 * CERTIFICATE_FUZZ set other numbers.                                                                      */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <gmp.h>
#include <string.h>
#include <unistd.h>
#include "numerics/record/arith_term.h"
#include "numerics/random.h"
#include "src/claim/certificate/certificate.h"
#include "src/claim/reduce.h"
#include "src/claim/runner/runner.h"
#include "src/methods/relu/relu_certificate.h"
#include "tests/support/decide.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { MUTATIONS = 1000, FUZZ = 1500, MOST_FILES = 4096 };
static char *emitted, *scratch;                      /* folders: what the programs wrote, what we make of it */

static long number_of(const char *variable, long otherwise)
{
    const char *text = getenv(variable);
    return text && atol(text) > 0 ? atol(text) : otherwise;
}

/* ---- files ---- */

static char *contents(const char *path) { return temp_exists(NULL, path) ? temp_read(NULL, path, NULL) : temp_format("%s", ""); }

/* proofcheck on the arguments, run in FOLDER; its exit status and output */
static int proofcheck(const char *folder, const char *arguments, char **output)
{
    char line[512];
    char *built = temp_format("%s/proofcheck", build_folder());
    char *program = realpath(getenv("PROOFCHECK") ? getenv("PROOFCHECK") : built, NULL);
    if (!program) die("no %s", built);
    char *log = temp_path(folder, "out.log");
    const int status = run_command(line, sizeof line, "cd %s && timeout 300 %s %s > out.log 2> err.log", folder, program, arguments);
    *output = contents(log);
    free(program);
    return status;
}

static bool accepts(const char *text, size_t n, char *why, size_t size)       /* one text */
{
    char *output;
    temp_write(scratch, "one.cert", text, n);
    const int status = proofcheck(scratch, "one.cert", &output);
    ck_assert_msg(status == 0 || status == 1, "status %d: %s", status, output);
    ck_assert_msg(strstr(output, status == 0 ? ": accepted: " : ": rejected: line ") != NULL, "output %s", output);
    snprintf(why, size, "%s", output);
    return status == 0;
}

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (!at) die("no `%s` in this certificate", from);
    return must_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* ---- what the programs write ---- */

static void emit_all(void)
{
    char line[512];
    if (emitted) return;
    emitted = temp_folder();
    DIR *folder = opendir("theorems");
    for (struct dirent *e; folder && (e = readdir(folder)); ) {
        const size_t n = strlen(e->d_name);
        if (n < 3 || strcmp(e->d_name + n - 2, ".c") != 0) continue;
        char *command = temp_format("%s/theorems/%.*s --certificates=%s", build_folder(), (int)n - 2, e->d_name, emitted);
        const int status = run_shell(command, line, sizeof line);
        if (status != 0) die("%s: status %d: %s", command, status, line);
    }
    if (folder) closedir(folder);
}

START_TEST(emitted_are_accepted)
{
    char *output;
    const int status = proofcheck(emitted, "*.cert", &output);
    long n = 0;
    for (const char *p = output; (p = strstr(p, ": accepted: ")); p++) n++;
    ck_assert_msg(status == 0, "status %d: %s", status, strstr(output, "rejected") ? strstr(output, "rejected") : output);
    ck_assert_int_ge(n, 200);
    static const char *const wanted[] = { "K-T4.2 as-stated", "K-T4.3 as-stated", "K-T4.4 as-stated", "K-P3.2 as-stated",
        "K-L3.1 as-stated", "K-P4.1 as-stated", "K-LA.1 as-stated", "K-E2 as-stated", "K-E1-001 as-stated" };
    for (size_t k = 0; k < COUNT(wanted); k++) {
        char *line = temp_format(": accepted: %s", wanted[k]);
        ck_assert_msg(strstr(output, line) != NULL, "no certificate of %s", wanted[k]);
    }
}
END_TEST

/* Bad input: one line, exit 2; and nothing is left but certificates. */
START_TEST(option)
{
    char line[2048];
    char *command = temp_format("%s/theorems/k_e2 --certificates=/no/such/folder", build_folder());
    ck_assert_int_eq(run_shell(command, line, sizeof line), 2);
    ck_assert_msg(strstr(line, "/no/such/folder") != NULL, "%s", line);
    command = temp_format("cd %s && ls | grep -v '[.]cert$' | grep -v log$", emitted);
    ck_assert_int_eq(run_shell(command, line, sizeof line), 1);
}
END_TEST

/* ---- forgeries ---- */

/* A change: from, to, and words of the reason for the rejection; without: any reason but that something is not used */
enum { FROM, TO, SAYS };
typedef struct { const char *text, *change[24][3]; } forgery;
#define HEAD(kind) "provably-certificate 2\nclaim X\npart as-stated\nkind " kind "\nsays test\n"
#define SYM "provably-certificate 2\nclaim X\npart as-stated\nkind sym\nheads 1\ndepth none\nsays test\n"
/* Nodes a and b once more, so that an equation can be changed and all nodes are still used */
#define AGAIN(a, b) #b " sum 1 " #a "\n"
#define USED(a, b) "equal " #a " " #b "\n"
static const char *const not_used[] = { "no equation needs", "no block uses", "no value uses", "used in no formula" };
static const forgery forgeries[] = {
    { SYM "size d k k\n0 matrix X n d\n1 matrix Q d d\n2 matrix Q_inv d d inverse Q\n3 product 0 1\n4 product 3 2\n"
      "5 block d 0\n6 transpose 5\n7 block d 1\n8 transpose 7\n9 product 5 6\n10 product 7 8\n11 sum 1 9 1 10\n"
      "12 product 0 11\n13 value f n n 4\n14 value f n n 12\n15 product 13 0\n16 product 14 4\nequal 15 16 all\nend\n",
      { { "inverse Q", "inverse X" }, { " inverse Q", "" }, { "size d k k", "size d k k k" }, { "block d 1", "block d 0" },
        { "sum 1 9 1 10", "sum 1 9 2 10" }, { "sum 1 9 1 10", "sum 1 9" }, { "value f n n 12", "value g n n 12" },
        { "value f n n 12", "value f n n 0 0" }, { "4 product 3 2", "4 product 3 1" }, { "equal 15 16", "equal 15 15" },
        { "equal 15 16", "equal 13 15" }, { "16 product 14 4", "16 product 14 14" }, { "size d k k", "size d d k" },
        { "equal 15 16 all\n", "" }, { "1 matrix Q d d", "1 matrix Q d k" }, { "16 product 14 4", "16 product 14 16" } } },
    { HEAD("relu-eq") "matrix W1 2 2\n1 2\n-1 1/2\nmatrix W2 1 2\n3 1\nmatrix Z 1 2\n0 1\n"
      "matrix V1 3 2\n-1/2 -1\n-2 1\n0 0\nmatrix V2 1 3\n6 1/2 7\nmatrix Y 1 2\n3 7\nend\n",
      { { "3 7", "3 8" }, { "6 1/2 7", "-6 1/2 7" }, { "6 1/2 7", "6 1 7" }, { "0 0", "1 0" }, { "-1/2 -1", "1/2 1" },
        { "-1/2 -1", "-1/2 1" }, { "3 1\n", "3 2\n" }, { "-1 1/2", "-1 1/3" }, { "0 1", "0 2" }, { "kind relu-eq", "kind relu-neq" },
        { "matrix V1", "matrix V2" }, { "matrix V2 1 3", "matrix V2 3 1" }, { "3 7\nend", "3 7\n3 7\nend" }, { "1/2 7", "1/0 7" },
        { "6 1/2 7\nmatrix Y 1 2\n3 7", "8 1/2 7\nmatrix Y 1 2\n7/2 8" } } },
    { HEAD("relu-neq") "matrix W1 1 1\n1\nmatrix W2 1 1\n1\nmatrix Z 1 1\n0\n"
      "matrix V1 2 1\n1\n-1\nmatrix V2 1 2\n1 5\nmatrix Y 1 1\n0\nmatrix x 1 1\n-3\nend\n",
      { { "-3", "3" }, { "-3", "0" }, { "-3", "1/7" }, { "-3", "-0/1" }, { "1 5", "1 0" }, { "kind relu-neq", "kind relu-eq" },
        { "matrix x 1 1", "matrix x 1 2" }, { "matrix x", "matrix y" }, { "matrix x 1 1\n-3\n", "" }, { "-1\n", "1/-1\n" },
        { "-3", "-3 1" }, { "matrix Y 1 1\n0\n", "matrix Y 1 1\n5\n" } } },
    { HEAD("no-j") "matrix W1 3 2\n1 0\n0 1\n1 1\nmatrix W2 2 3\n1 0 1\n0 1 2\nmatrix Z 2 2\n0 1\n0 0\nmatrix y 2 2\n0 2\n-1 0\nend\n",
      { { "0 2\n-1 0", "0 2\n1 0" }, { "0 2\n-1 0", "0 0\n0 0" }, { "0 2\n-1 0", "1 2\n-1 0" }, { "0 2\n-1 0", "0 2\n-1 1" },
        { "matrix y", "matrix z" }, { "matrix y 2 2\n0 2\n-1 0\n", "" }, { "0 2\n-1 0", "0 3\n-1 0" }, { "1 1\nm", "1 2\nm" },
        { "matrix y 2 2\n0 2\n-1 0\n", "enumerate 3\n" }, { "matrix y 2 2\n0 2\n-1 0\n", "matrix y 1 2\n0 2\n" },
        { "0 1\n0 0\nmatrix y", "1 0\n0 1\nmatrix y" }, { "1 0 1\n0 1 2", "1 0 1\n1 1 2" } } },
    { HEAD("no-j") "matrix W1 2 2\n1 0\n0 1\nmatrix W2 2 2\n-1 0\n0 1\nmatrix Z 2 2\n1 0\n0 1\nenumerate\nend\n",
      { { "-1 0\n0 1", "-1 0\n0 -1" }, { "1 0\n0 1\nenum", "1 0\n0 0\nenum" }, { "1 0\n0 1\nenum", "0 0\n0 -1\nenum" },
        { "1 0\n0 1\nenum", "0 0\n0 0\nenum" }, { "1 0\n0 1\nenum", "1 0\n0 -1\nenum" }, { "enumerate", "enumerated" } } },
    { HEAD("matrix") "matrix A 2 2\n0 1\n1 0\nmatrix B 2 1\n1\n2\nmatrix c 1 1\n4\nformula A A * B * = B\nformula A B * != B\n"
      "formula B ' A * B * = c\nformula c 5 < \nend\n",
      { { "formula c 5 < \n", "" } } },
    { HEAD("matrix") "matrix A 2 2\n0 1\n1 0\nmatrix B 2 1\n1\n2\nmatrix c 1 1\n4\nformula A A * B * = B\nformula A B * != B\n"
      "formula B ' A * B * = c\nformula c < 5\nend\n",
      { { "0 1", "0 2" }, { "c < 5", "c < 4" }, { "!= B", "= B" }, { "= c", "= 5" }, { "B ' A * B *", "B A * B *" }, { "A A * B *", "A A B *" },
        { "A A * B * = B", "A A * B * != B" }, { "= B", "= A" }, { "matrix B 2 1", "matrix A 2 1" }, { "c < 5", "c < 5 5" },
        { "c < 5", "A < 5" }, { "c < 5", "B < A B *" }, { "c < 5", "c > 5" }, { "= c", "=" }, { "c < 5", "c 2 / < 5" }, { "1\n2", "1\n2/0" },
        { "formula A A * B * = B\nformula A B * != B\nformula B ' A * B * = c\nformula c < 5\n", "" } } },
    { HEAD("recount") "value h 12\nvalue k 64\nvalue d 768\nformula h k * = d\nformula 100 k * = 25/3 d *\nformula d != 769\n"
      "formula h 1/2 - <= 12\nend\n",
      { { "h 12", "h 13" }, { "k 64", "k 65" }, { "d 768", "d 0" }, { "= 25/3", "= 8" }, { "!= 769", "!= 768" }, { "<= 12", "<= 11" },
        { "h k *", "h k +" }, { "h k *", "h k" }, { "= d", "= e" }, { "<= 12", "<= 12 13" }, { "value k", "value h" }, { "100", "0100" },
        { "25/3", "8.3" }, { "768", "768 1" },
        { "value d 768", "value d 768\nvalue d 768" } } },
    /* 8: X (n x d), A, A^-1; values v (n x k), w (n x m) of X; zeros of two shapes */
    { SYM "size d k k\n0 matrix X n d\n1 matrix A d d\n2 matrix B d d inverse A\n3 block d 0\n4 block d 1\n"
      "5 transpose 3\n6 product 5 4\n7 product 5 3\n8 sum 0 7\n9 transpose 1\n10 transpose 2\n11 product 9 10\n12 identity d\n"
      "13 product 1 10\n14 value f n k 0\n15 value f n m 0\n16 transpose 14\n17 transpose 15\n18 product 14 16\n19 product 15 17\n"
      "20 sum 0 14\n21 sum 0 15\n22 value g n n 20\n23 value g n n 21\n24 sum 2 0\n25 sum 3 0\n26 sum 1 0 1 0\n27 identity n\n"
      "28 matrix U d d orthogonal\n29 transpose 28\n30 product 28 29\n31 product 28 28\n"
      AGAIN(2, 32) AGAIN(6, 33) AGAIN(7, 34) AGAIN(8, 35) AGAIN(11, 36) AGAIN(12, 37) AGAIN(13, 38) AGAIN(18, 39) AGAIN(19, 40)
      AGAIN(20, 41) AGAIN(21, 42) AGAIN(22, 43) AGAIN(23, 44) AGAIN(24, 45) AGAIN(25, 46) AGAIN(26, 47) AGAIN(27, 48)
      AGAIN(30, 49) AGAIN(31, 50) AGAIN(9, 51) AGAIN(10, 52) AGAIN(0, 53) AGAIN(29, 54)
      USED(2, 32) USED(6, 33) USED(7, 34) USED(8, 35) USED(11, 36) USED(12, 37) USED(13, 38) USED(18, 39) USED(19, 40)
      USED(20, 41) USED(21, 42) USED(22, 43) USED(23, 44) USED(24, 45) USED(25, 46) USED(26, 47) USED(27, 48)
      USED(30, 49) USED(31, 50) USED(9, 51) USED(10, 52) USED(0, 53) USED(29, 54)
      "equal 6 8 zero\nequal 11 12 inverse\nequal 26 24 sum\nequal 30 12 orthogonal\nend\n",
      { { "equal 6 8", "equal 6 7" }, { "equal 6 8", "equal 7 8" }, { "equal 11 12", "equal 13 12" }, { "equal 6 8", "equal 18 19" },
        { "equal 6 8", "equal 22 23" }, { "equal 6 8", "equal 20 21" }, { "equal 6 8", "equal 12 27" }, { "equal 26 24", "equal 26 25" },
        { "6 product 5 4", "6 product 4 5" }, { "26 sum 1 0 1 0", "26 sum 1 0 1 1" }, { "size d k k\n", "size d k k\nsize d k\n" },
        { "size d k k\n", "size d k k\nsize k m m\n" }, { "equal 30 12", "equal 31 12" }, { "equal 11 12", "equal 9 10" },
        { "5 transpose 3\n6 product", "5 transpose 3\n4 product" }, { "orthogonal\n29", "inverse A\n29" }, { "25 sum 3 0", "25 sum 3 0 1 1" }, { "31 product 28 28", "31 product 0 0" } } },
    /* 9: what may be declared */
    { SYM "0 matrix X n d\n1 matrix A d d\n2 matrix B d d inverse A\n3 product 1 2\n4 identity d\n5 product 0 3\n"
      "6 transpose 1\n7 transpose 6\n8 product 6 1\n9 transpose 8\n10 product 0 1\n11 transpose 10\n12 transpose 0\n13 product 6 12\n"
      "14 product 1 12\n15 matrix C d d\n16 matrix D d d inverse C\n"
      AGAIN(3, 17) AGAIN(4, 18) AGAIN(5, 19) AGAIN(8, 20) AGAIN(9, 21) AGAIN(11, 22) AGAIN(13, 23) AGAIN(14, 24) AGAIN(16, 25)
      AGAIN(10, 26) AGAIN(6, 27) AGAIN(1, 28) AGAIN(0, 29) AGAIN(7, 30)
      USED(3, 17) USED(4, 18) USED(5, 19) USED(8, 20) USED(9, 21) USED(11, 22) USED(13, 23) USED(14, 24) USED(16, 25)
      USED(10, 26) USED(6, 27) USED(1, 28) USED(0, 29) USED(7, 30)
      "equal 3 4\nequal 5 0\nequal 9 8\nequal 11 13\nend\n",
      { { "0 matrix X n d\n1 matrix A d d\n2 matrix B d d inverse A", "0 matrix X n d\n1 matrix A d d\n2 matrix B d d inverse C" },
        { "1 matrix A d d", "1 matrix X d d" }, { "2 matrix B d d inverse A", "2 matrix B d d" }, { "B d d inverse A", "B d e inverse A" },
        { "D d d inverse C", "D e e inverse C" }, { "15 matrix C d d\n16 matrix D d d", "15 matrix C d n\n16 matrix D d n" },
        { "D d d inverse C", "D d d inverse A" }, { "16 matrix D d d inverse C", "16 matrix A d d" }, { "equal 11 13", "equal 11 14" }, { "equal 11 13", "equal 10 13" },
        { "B d d inverse A", "B d d inverse X" }, { "B d d inverse A", "B d d inverse B" }, { "matrix A d d", "matrix A d d orthogonal" },
        { "14 product 1 12\n", "" }, { "equal 9 8", "equal 6 1" }, { "equal 3 4", "equal 99 4" }, { "equal 3 4", "equal 3" } } },
    /* 10: a half-odd phi: phi(Y) = phi(-Y) + Y, also where Y is a product and in the other order of signs */
    { SYM "function phi half-odd\n0 matrix X n d\n1 matrix W d d\n2 product 0 1\n3 sum -1 2\n4 value phi n d 2\n"
      "5 value phi n d 3\n6 sum 1 4 -1 5\n7 sum 1 5 1 2\n8 value phi n d 0\n9 sum 2 8\n10 sum 1 8 1 8\n11 sum 0 0\n12 value phi n d 11\n"
      "13 sum 1 12\n14 sum 1 5 -1 4\nequal 6 2 odd\nequal 4 7 turned\nequal 9 10 twice\nequal 12 13 at zero\nequal 14 3 odd\nend\n",
      { { "function phi half-odd\n", "" }, { "function phi half-odd", "function psi half-odd" }, { "5 value phi n d 3", "5 value psi n d 3" },
        { "5 value phi n d 3", "5 value phi n d 2" }, { "sum -1 2", "sum -2 2" }, { "function phi half-odd", "function phi shift-invariant" },
        { "function phi half-odd", "function phi half-odd half-odd", "twice" }, { "function phi half-odd", "function phi", "too few words" },
        { "function phi half-odd", "function phi odd", "unknown property" }, { "13 sum 1 12", "13 sum -1 12" },
        { "function phi half-odd", "function phi half-odd stochastic", "no other property" }, { "4 value phi n d 2", "4 value phi n d 2 2", "has one operand" },
        { "4 value phi n d 2", "4 value phi n n 2", "another shape" }, { "function phi half-odd\n", "function phi half-odd\nfunction phi half-odd\n", "twice" },
        { "function phi half-odd\n", "function phi half-odd\nfunction psi half-odd\n", "no value uses" }, { "5 value phi n d 3", "5 value phi n d 0" },
        { "function phi half-odd", "function phi half-odd shift-invariant", "no other property" }, { "7 sum 1 5 1 2", "7 sum 1 5 1/2 2" } } },
    /* 11: a row map that ignores w 1' and has rows of sum 1; blocks of columns of ones */
    { SYM "size d k l\nsize e p p\nfunction f shift-invariant stochastic\n0 matrix S n m\n1 matrix w n 1\n2 ones m\n3 transpose 2\n4 product 1 3\n"
      "5 sum 1 0 1 4\n6 value f n m 0\n7 value f n m 5\n8 product 7 2\n9 ones n\n10 transpose 8\n11 transpose 9\n12 block d 1\n"
      "13 transpose 12\n14 ones d\n15 product 13 14\n16 ones l\n17 transpose 14\n18 product 17 12\n19 transpose 16\n20 ones 1\n21 identity 1\n"
      "22 matrix v m n\n23 product 22 6\n24 product 23 2\n25 product 22 9\n26 matrix C n m\n27 sum 1 0 1 26\n28 value f n m 27\n29 sum 1 28\n"
      "30 matrix T n n\n31 value f n n 30\n32 transpose 31\n33 product 32 9\n34 product 31 9\n35 product 11 31\n36 product 11 32\n"
      "37 block e 0\n38 block e 1\n39 ones p\n40 product 37 39\n41 product 38 39\n"
      AGAIN(33, 42) AGAIN(34, 43) AGAIN(35, 44) AGAIN(36, 45) AGAIN(40, 46) AGAIN(41, 47)
      "48 matrix D m n\n49 transpose 48\n50 sum 1 0 1 49\n51 value f n m 50\n" AGAIN(51, 52)
      USED(33, 42) USED(34, 43) USED(35, 44) USED(36, 45) USED(40, 46) USED(41, 47) USED(51, 52)
      "equal 34 9 square\nequal 36 11 square\n"
      "equal 6 7 shift\nequal 8 9 rows\nequal 10 11 rows\nequal 15 16 block\nequal 18 19 block\nequal 20 21 one\nequal 24 25 rows\n"
      "equal 28 29 used\nequal 28 29 again\nend\n",
      { { "equal 28 29 used", "equal 6 51 no constant" }, { "f shift-invariant stochastic", "f stochastic" }, { "f shift-invariant stochastic", "f shift-invariant" },
        { "function f", "function g" }, { "equal 34 9", "equal 33 9" }, { "equal 36 11", "equal 35 11" },
        { "equal 34 9", "equal 40 41" }, { "equal 34 9", "equal 46 47" }, { "function f shift-invariant stochastic\n", "" }, { "2 ones m", "2 matrix e m 1" },
        { "equal 28 29 used", "equal 6 28 no constant" }, { "equal 28 29 used", "equal 7 28 no constant" }, { "9 ones n", "9 matrix e n 1" },
        { "equal 15 16", "equal 15 9" }, { "14 ones d", "14 matrix e d 1" }, { "16 ones l", "16 ones k" }, { "12 block d 1", "12 block d 0" },
        { "20 ones 1", "20 ones 2" }, { "8 product 7 2", "8 product 6 5", "do not fit" }, { "7 value f n m 5", "7 value f m n 5", "do not fit" },
        { "8 product 7 2", "8 product 2 7", "do not fit" }, { "3 transpose 2", "3 matrix e 1 m" }, { "25 product 22 9", "25 product 22 1" },
        { "7 value f n m 5", "7 value f n m 5 5", "has one operand" } } },
    /* 13: each line of the head and each thing that is declared */
    { SYM "size d k k\n0 matrix A d k\n1 block d 0\n2 transpose 1\n3 product 2 0\n4 product 1 3\n5 block d 1\n6 transpose 5\n7 product 6 0\n"
      "8 product 5 7\n9 sum 1 4 1 8\nequal 9 0 blocks\nend\n",
      { { "claim X", "claim X Y", "number of words" }, { "part as-stated", "part as-stated too", "number of words" },
        { "kind sym", "kind sym sym", "number of words" }, { "heads 1", "heads 1 2", "number of words" }, { "depth none", "depth 1 2", "number of words" },
        { "heads 1\n", "", "expected a line: heads" }, { "depth none\n", "", "expected a line: depth" }, { "heads 1\n", "heads 1\nheads 1\n", "expected a line: depth" },
        { "heads 1", "heads 0", "heads must be" }, { "heads 1", "heads every", "shortest form" }, { "depth none", "depth 0", "depth must be" }, { "depth none", "depth some", "shortest form" },
        { "claim X", "claim X,Y", "not a label" }, { "part as-stated", "part a;b", "not a label" }, { "says test", "says", "expected a line: says" },
        { "end\n", "end end\n", "or `end`" }, { "size d k k\n", "size d k k\nsize e k k\n", "no block uses" },
        { "equal 9 0 blocks", "equal 0 0 blocks", "itself" }, { "9 sum 1 4 1 8\n", "9 sum 1 4 1 8\n10 matrix B d k\n", "no equation needs" },
        { "0 matrix A d k", "0 matrix A d k inverse", "square" }, { "size d k k", "size d k 0", "a size of 0" }, { "5 block d 1", "5 block d 1 1", "number of words" } } },
    { HEAD("matrix") "matrix A 1 1\n2\nmatrix B 1 1\n3\nformula A B * = 6\nend\n",
      { { "A B * = 6", "A 3 * = 6", "used in no formula" }, { "end\n", "end now\n", "or `end`" }, { "matrix A 1 1", "matrix A 1 1 1", "expected a line `matrix`" } } },
    { HEAD("relu-eq") "matrix W1 1 1\n1\nmatrix W2 1 1\n1\nmatrix Z 1 1\n0\nmatrix V1 1 1\n2\nmatrix V2 1 1\n1/2\nmatrix Y 1 1\n0\nend\n",
      { { "\nend\n", "\nend now\n", "number of words" }, { "kind relu-eq\n", "kind relu-eq\nheads 1\n", "expected a line: says" } } },
};

/* The row's text is accepted, and each change of it is rejected; one run of proofcheck for all. */
START_TEST(forgeries_are_rejected)
{
    const forgery *f = &forgeries[_i];
    char name[32], *output;
    temp_write(scratch, "g-as-it-is.cert", f->text, strlen(f->text));
    const bool first_is_bad = !f->change[1][FROM];            /* a row with one change: the text itself is bad */
    for (size_t k = 0; k < COUNT(f->change) && f->change[k][FROM]; k++) {
        char *text = replaced(f->text, f->change[k][FROM], f->change[k][TO]);
        snprintf(name, sizeof name, "g%02zu.cert", k);
        temp_write(scratch, name, text, strlen(text));
        free(text);
    }
    ck_assert_int_eq(proofcheck(scratch, "g*.cert", &output), 1);
    const bool accepted = strstr(output, "g-as-it-is.cert: accepted: ") != NULL;
    ck_assert_msg(accepted != first_is_bad, "%s", output);
    for (size_t k = 0; k < COUNT(f->change) && f->change[k][FROM] && !first_is_bad; k++) {
        const char *from = f->change[k][FROM], *to = f->change[k][TO], *says = f->change[k][SAYS];
        snprintf(name, sizeof name, "g%02zu.cert: ", k);
        const char *line = strstr(output, name);
        ck_assert_msg(line, "nothing is said about `%s` -> `%s`", from, to);
        char *why = temp_format("%.*s", (int)strcspn(line, "\n"), line);
        ck_assert_msg(strstr(why, ": rejected: ") != NULL, "`%s` -> `%s`: %s", from, to, why);
        ck_assert_msg(!says || strstr(why, says), "`%s` -> `%s`: output %s, expected %s", from, to, why, says);
        for (size_t i = 0; !says && i < COUNT(not_used); i++)
            ck_assert_msg(!strstr(why, not_used[i]), "`%s` -> `%s`: %s", from, to, why);
    }
    run_command(NULL, 0, "rm -f %s/g*.cert", scratch);
}
END_TEST

/* ---- files that are no certificates ---- */

static void rejected(const char *text, size_t n, const char *says)
{
    char why[4096];
    ck_assert_msg(!accepts(text, n, why, sizeof why), "accepted: %.200s", text);
    ck_assert_msg(strstr(why, says) != NULL, "output %s, expected %s", why, says);
}

static void changed(const char *from, const char *to, const char *says)
{
    char *text = replaced(forgeries[1].text, from, to);
    rejected(text, strlen(text), says);
    free(text);
}

START_TEST(malformed)
{
    const char *text = forgeries[1].text;
    char buffer[1024];
    changed("certificate 2", "certificate 1", "version");
    changed("certificate 2", "certificate 2 2", "number of words");
    changed("certificate 2", "certificate", "number of words");
    changed("kind relu-eq", "kind relu", "unknown kind");
    changed("claim X\n", "", "expected a line: claim");
    changed("matrix W1 2 2", "matrix W1 2000000000 2", "whole number");
    changed("matrix W1 2 2", "matrix W1 99999999999999999999 2", "whole number");
    changed("matrix W1 2 2", "matrix W1 257 2", "whole number");
    changed("matrix W1 2 2", "matrix W1 0 2", "wrong shape");
    changed("1 2\n", "1  2\n", "empty");
    changed("1 2\n", " 1 2\n", "empty");
    changed("1 2\n", "1 2 \n", "empty");
    changed("1 2\n", "1\t2\n", "printable");
    changed("1 2\n", "1 2\r\n", "printable");
    changed("1 2\n", "01 2\n", "shortest");
    changed("1 2\n", "+1 2\n", "shortest");
    changed("1 2\n", "1e3 2\n", "not a number");
    changed("says test", "says caf\xc3\xa9", "printable");
    changed("\nend\n", "\nend\n\n", "after");
    changed("\nend\n", "\nend\nend\n", "after");
    changed("\nend\n", "\nend", "ends");
    memcpy(buffer, text, strlen(text) + 1);
    buffer[40] = '\0';
    rejected(buffer, strlen(text), "printable");
    memcpy(buffer, text, strlen(text) + 1);
    rejected(buffer, strlen(text) + 1, "after");                       /* a NUL at the end */
    rejected("", 0, "ends");
}
END_TEST

START_TEST(truncated)                                /* every prefix, in one run */
{
    char name[32], *output;
    const char *text = forgeries[0].text;
    for (size_t n = 0; n < strlen(text); n++) {
        snprintf(name, sizeof name, "p%04zu.cert", n);
        temp_write(scratch, name, text, n);
    }
    ck_assert_int_eq(proofcheck(scratch, "p*.cert", &output), 1);
    ck_assert_msg(!strstr(output, "accepted"), "%s", strstr(output, "accepted"));
    run_command(NULL, 0, "rm -f %s/p*.cert", scratch);
}
END_TEST

/* ---- statements ---- */

static char *statement_of(const char *text, const char *assumed)     /* the hash; `assumed` must stand before it */
{
    char why[4096];
    ck_assert_msg(accepts(text, strlen(text), why, sizeof why), "%s", why);
    const char *at = strstr(why, "; statement ");
    ck_assert_msg(at && strlen(at) == 12 + 64 + 1, "%s", why);
    char *wanted = temp_format("; assumes: %s; statement ", assumed);
    ck_assert_msg(strstr(why, wanted) != NULL, "output %s, expected %s", why, wanted);
    return must_format("%.64s", at + 12);
}

#define LIST_HEADER "id,part,certificate,drawn,demands,statement\n"
static void list_of(const char *lines)
{
    char *text = temp_format(LIST_HEADER "%s", lines);
    temp_write(scratch, "list.csv", text, strlen(text));
}

static void listed(const char *name, const char *text, bool accepted)
{
    char *output, *arguments = temp_format("--statements=list.csv %s", name);
    temp_write(scratch, name, text, strlen(text));
    const int status = proofcheck(scratch, arguments, &output);
    ck_assert_msg(status == !accepted && strstr(output, accepted ? ": accepted: " : "the list does not have this statement"), "%s", output);
}

#define LITTLE SYM "0 matrix W d d\n1 matrix W_inv d d inverse W\n2 matrix U d d orthogonal\n3 product 0 1\n4 identity d\n" \
               "5 transpose 2\n6 product 2 5\n7 product 3 2\nequal 3 4 one\nequal 6 4 two\nequal 7 2 three\nend\n"

/* The list has one statement of one claim, part and name; nothing else passes, though it may be true. */
START_TEST(statements)
{
    char *hash = statement_of(LITTLE, "invertible W; orthogonal U");
    char *line = temp_format("X,as-stated,X-as-stated,,,%s\n", hash);
    list_of(line);
    listed("X-as-stated.cert", LITTLE, true);
    listed("Y-as-stated.cert", LITTLE, false);
    list_of(temp_format("X,as-stated,X@b,,,%s\n", hash));                 /* no name, though it is the list's */
    listed("X@b.cert", LITTLE, false);
    static const char *const no_names[][3] = { { "claim X", "claim X@b", "X@b,as-stated" }, { "part as-stated", "part a@b", "X,a@b" } };
    for (size_t k = 0; k < COUNT(no_names); k++) {                      /* nor where claim or part is none */
        char *text = replaced(LITTLE, no_names[k][0], no_names[k][1]), *of_text = statement_of(text, "invertible W; orthogonal U");
        list_of(temp_format("%s,X-as-stated,,,%s\n", no_names[k][2], of_text));
        listed("X-as-stated.cert", text, false);
        free(text);
        free(of_text);
    }
    list_of(line);
    static const char *const others[][2] = {
        { "claim X", "claim K-T4.4" }, { "part as-stated", "part corrected" }, { "equal 7 2 three\n", "equal 3 4 three\n" },
        { "equal 7 2 three\n", "equal 7 2 three\nequal 7 2 three\n" }, { "4 one", "4 another" }, { "heads 1", "heads 2" },
        { "depth none", "depth every" }, { "depth none", "depth 1" }, { "matrix U d d", "matrix V d d" } };
    for (size_t k = 0; k < COUNT(others); k++) {
        char *text = replaced(LITTLE, others[k][0], others[k][1]), why[4096];
        if (strstr(others[k][1], "equal 3 4")) {                     /* what node 7 was for is gone, too */
            char *less = replaced(text, "7 product 3 2\n", "");
            free(text);
            text = less;
        }
        ck_assert_msg(accepts(text, strlen(text), why, sizeof why), "%s", why);
        listed("X-as-stated.cert", text, false);
        free(text);
    }
    char *text = replaced(LITTLE, "says test", "says the same in other words");
    listed("X-as-stated.cert", text, false);
    free(text);
    listed("X-as-stated.cerf", LITTLE, false);
    listed("x", LITTLE, false);
    char *said;
    listed("X-as-stated.cert", LITTLE, true);
    ck_assert_int_eq(proofcheck(scratch, "--statements=list.csv ./X-as-stated.cert", &said), 0);    /* in a folder */
    list_of(temp_format("X,as-stated,X-as-stated,,,%s0\n", hash));      /* a hash that only begins with it */
    listed("X-as-stated.cert", LITTLE, false);
    list_of(temp_format("KX,as-stated,X-as-stated,,,%s\n", hash));      /* a claim that only ends with it */
    listed("X-as-stated.cert", LITTLE, false);
    list_of("");
    listed("X-as-stated.cert", LITTLE, false);
    list_of(temp_format("X,as-stated,X-as-stated,%s\n", hash));        /* columns that are missing, or one more */
    listed("X-as-stated.cert", LITTLE, false);
    list_of(temp_format("X,as-stated,X-as-stated,,,%s,\n", hash));
    listed("X-as-stated.cert", LITTLE, false);
    char *output;
    temp_write(scratch, "list.csv", "something else\n", 15);
    ck_assert_int_eq(proofcheck(scratch, "--statements=list.csv X-as-stated.cert", &output), 2);
    ck_assert_int_eq(proofcheck(scratch, "--statements=no-such-list X-as-stated.cert", &output), 2);
    free(hash);
}
END_TEST

/* One equation less: what is left is true, and states something else, or has a node that nothing needs. */
START_TEST(deleted_equation)
{
    char why[4096], *hash = statement_of(LITTLE, "invertible W; orthogonal U");
    char *line = temp_format("X,as-stated,X-as-stated,,,%s\n", hash), *text = replaced(LITTLE, "equal 7 2 three\n", "");
    ck_assert_msg(!accepts(text, strlen(text), why, sizeof why) && strstr(why, "no equation needs"), "%s", why);
    free(text);
    list_of(line);
    text = replaced(LITTLE, "equal 3 4 one\n", "");                 /* its nodes serve the others */
    ck_assert_msg(accepts(text, strlen(text), why, sizeof why) && strstr(why, ", 2 equations; "), "%s", why);
    listed("X-as-stated.cert", text, false);
    free(text);
    free(hash);
}
END_TEST

/* Of a file alone the hash is that of the file, as another program computes it. */
START_TEST(hash_of_the_statement)
{
    const char *const of[] = { LITTLE, forgeries[7].text, forgeries[1].text };
    for (size_t k = 0; k < COUNT(of); k++) {
        char line[128], *hash = statement_of(of[k], k == 0 ? "invertible W; orthogonal U" : "nothing");
        char *command = temp_format("cd %s && sha256sum one.cert", scratch);
        ck_assert_int_eq(run_shell(command, line, sizeof line), 0);
        ck_assert_msg(strncmp(line, hash, 64) == 0, "%s is not %s", hash, line);
        free(hash);
    }
    enum { LENGTHS = 66 };                                           /* all of the last block of 64 bytes */
    char name[32], *output, hashes[LENGTHS * 80], *hash = hashes;
    for (int n = 0; n < LENGTHS; n++) {
        char *label = temp_format("4 one %0*d", n + 1, 7), *text = replaced(LITTLE, "4 one", label);
        snprintf(name, sizeof name, "h%03d.cert", n);
        temp_write(scratch, name, text, strlen(text));
        free(text);
    }
    char *command = temp_format("cd %s && for f in h*.cert; do sha256sum < $f; done; rm h*.cert", scratch);
    ck_assert_int_eq(proofcheck(scratch, "h*.cert", &output), 0);
    ck_assert_int_eq(run_shell(command, hashes, sizeof hashes), 0);
    const char *at = output;
    for (int n = 0; n < LENGTHS; n++, hash = strchr(hash, '\n') + 1) {
        at = strstr(at, "; statement ");
        ck_assert_msg(at && strncmp(at += 12, hash, 64) == 0, "%d: not %.64s: %s", n, hash, output);
    }
}
END_TEST

/* ---- numbers that are drawn ---- */

/* The list has this statement, of which the rows of these matrices are drawn. */
static void list_drawn(const char *text, const char *drawn, const char *demands)
{
    char line[128];
    temp_write(scratch, "one.cert", text, strlen(text));
    char *command = temp_format("awk -v without='%s' -f src/build/drawn.awk %s/one.cert | sha256sum",
                                *drawn ? drawn : "-", scratch);
    ck_assert_int_eq(run_shell(command, line, sizeof line), 0);
    list_of(temp_format("X,as-stated,X-as-stated,%s,%s,%.64s\n", drawn, demands, line));
}

static void refused(const char *text, const char *says)              /* by the list; true as it is */
{
    char why[4096], *output;
    ck_assert_msg(accepts(text, strlen(text), why, sizeof why), "%s", why);
    temp_write(scratch, "X-as-stated.cert", text, strlen(text));
    const int status = proofcheck(scratch, "--statements=list.csv X-as-stated.cert", &output);
    ck_assert_msg(status == 1 && strstr(output, says), "%s: %s", says, output);
}

/* W2 ReLU(W1 x) + Z x = V2 ReLU(V1 x) + Y x */
#define NET(W1, W2, Z) HEAD("relu-eq") "matrix W1 3 2\n" W1 "matrix W2 1 3\n" W2 "matrix Z 1 2\n" Z
#define IS(V1, V2, Y) "matrix V1 3 2\n" V1 "matrix V2 1 3\n" V2 "matrix Y 1 2\n" Y "end\n"
#define TURNED NET("1 2\n3 4\n1 0\n", "1 1 1\n", "5 6\n") IS("-1 -2\n-3 -4\n-1 0\n", "1 1 1\n", "10 12\n")

START_TEST(numbers_drawn)
{
    static const char other[] = NET("1 0\n0 2\n1 1\n", "3 4 1\n", "5 6\n")
        IS("-1 0\n0 -2\n-1 -1\n", "3 4 1\n", "9 15\n");
    static const char fixed[] = NET("1 2\n3 4\n1 0\n", "1 1 1\n", "5 7\n")
        IS("-1 -2\n-3 -4\n-1 0\n", "1 1 1\n", "10 13\n");
    static const char zeros[] = NET("0 0\n0 0\n0 0\n", "0 0 0\n", "5 6\n")
        IS("0 0\n0 0\n0 0\n", "0 0 0\n", "5 6\n");
    static const char linear[] = NET("1 2\n-1 -2\n0 0\n", "1 -1 1\n", "5 6\n")
        IS("1 1\n-1 -1\n0 0\n", "1 -1 1\n", "5 7\n");
    static const char alike[] = NET("1 2\n3 4\n1 0\n", "1 1 1\n", "5 6\n")
        IS("1 2\n3 4\n1 0\n", "1 1 1\n", "5 6\n");
    static const char a_row[] = NET("1 2\n0 0\n1 0\n", "1 1 1\n", "5 6\n")
        IS("-1 -2\n0 0\n-1 0\n", "1 1 1\n", "7 8\n");
    static const char lines[] = NET("1 2\n2 4\n1 0\n", "1 1 1\n", "5 6\n")
        IS("-1 -2\n-2 -4\n-1 0\n", "1 1 1\n", "9 12\n");
    static const char bent[] = NET("1 2\n0 0\n2 4\n", "1 1 1\n", "5 6\n")
        IS("-1 -2\n0 0\n-2 -4\n", "1 1 1\n", "8 12\n");
    static const char unlisted[] = "the list does not have this statement";
    list_drawn(TURNED, "W1 W2 V1 V2 Y", "regular");                   /* Z is fixed */
    listed("X-as-stated.cert", TURNED, true);
    listed("X-as-stated.cert", other, true);
    refused(fixed, unlisted);
    refused(zeros, "a matrix whose numbers are drawn is 0");
    refused(linear, "the first network is drawn and linear");
    refused(alike, "networks that are drawn have the same skip");
    refused(a_row, "violates the conditions of E.1");
    refused(lines, "violates the conditions of E.1");
    list_drawn(TURNED, "W1 W2 V1 V2 Y", "rows");
    listed("X-as-stated.cert", lines, true);
    refused(a_row, "has a row of zeros");
    list_drawn(TURNED, "W1 W2 V1 V2 Y", "half");
    listed("X-as-stated.cert", a_row, true);
    refused(bent, "the first network is drawn and has too few kinks");
    list_drawn(TURNED, "W1 W2 V1 V2 Y", "");
    listed("X-as-stated.cert", bent, true);
    refused(linear, "the first network is drawn and linear");
    list_drawn(TURNED, "W1 W2 V1 V2 Y", "little");
    refused(TURNED, "the list demands something unknown");
    static const char *const no_V2[] = { "W1 W2 V1 V20 Y", "W1 W2 V1 W_V2 Y" };     /* names are whole words */
    for (size_t k = 0; k < COUNT(no_V2); k++) {
        list_drawn(TURNED, no_V2[k], "");
        listed("X-as-stated.cert", TURNED, true);
        refused(other, unlisted);
    }
    list_drawn(TURNED, "", "");
    listed("X-as-stated.cert", TURNED, true);
    refused(other, unlisted);
}
END_TEST

/* What is given may be 0, and networks that differ may have one skip. */
START_TEST(numbers_given)
{
    static const char no_skip[] = NET("1 2\n3 4\n1 0\n", "1 1 1\n", "0 0\n")
        IS("-1 -2\n-3 -4\n-1 0\n", "1 1 1\n", "5 6\n");
    list_drawn(no_skip, "W1 W2 V1 V2 Y", "rows");
    listed("X-as-stated.cert", no_skip, true);
    list_drawn(forgeries[2].text, "W1 W2 V1 V2 x", "regular");
    listed("X-as-stated.cert", forgeries[2].text, true);
}
END_TEST

/* What was true of one file is not said of the next. */
START_TEST(one_after_the_other)
{
    static const char alike[] = NET("1 2\n0 0\n1 0\n", "0 0 0\n", "5 6\n")
        IS("1 2\n0 0\n1 0\n", "0 0 0\n", "5 6\n");
    static const char files[] = "--statements=list.csv one/X-as-stated.cert X-as-stated.cert Y-as-stated.cert";
    char *output, *first = temp_path(scratch, "one");
    ck_assert_int_eq(run_command(NULL, 0, "mkdir -p %s", first), 0);
    temp_write(first, "X-as-stated.cert", alike, strlen(alike));
    temp_write(scratch, "X-as-stated.cert", TURNED, strlen(TURNED));
    temp_write(scratch, "Y-as-stated.cert", TURNED, strlen(TURNED));
    list_drawn(TURNED, "W1 W2 V1 V2 Z Y", "rows");
    ck_assert_int_eq(proofcheck(scratch, files, &output), 1);
    ck_assert_msg(strstr(output, "one/X-as-stated.cert: rejected: ") && strstr(output, "\nX-as-stated.cert: accepted: ")
                  && strstr(output, "\nY-as-stated.cert: rejected: "), "%s", output);
}
END_TEST

#define WRITTEN_BY "%s/theorems/k_e2 --certificates=%s --suite --seed=%d"

/* The list calls drawn what another seed of a program changes. */
START_TEST(numbers_of_a_program)
{
    char *folder = temp_folder(), *list = realpath("reports/statements.csv", NULL), *output;
    char *all = temp_format("--statements=%s *.cert", list), line[512];
    ck_assert_int_eq(run_command(line, sizeof line, WRITTEN_BY, build_folder(), folder, 7), 0);
    ck_assert_int_eq(proofcheck(folder, all, &output), 0);
    static const char *const drawn[][2] = { { "explicit", "" }, { "random", "W1 W2 Z V1 V2 Y" } };
    char *again = temp_folder();                                      /* another seed */
    ck_assert_int_eq(run_command(line, sizeof line, WRITTEN_BY, build_folder(), again, 8), 0);
    for (size_t k = 0; k < COUNT(drawn); k++) {
        char *name = temp_format("K-E2-as-stated-%s", drawn[k][0]);
        ck_assert_int_eq(run_command(line, sizeof line, "awk -f src/build/drawn.awk %s/%s.cert %s/%s.cert",
                                     folder, name, again, name), 0);
        ck_assert_str_eq(line, temp_format("%s\n", drawn[k][1]));
        ck_assert_int_eq(run_command(line, sizeof line, "grep -q '^K-E2,as-stated,%s,%s,' reports/statements.csv", name,
                                     drawn[k][1]), 0);
    }
    free(list);
}
END_TEST

/* Of a program's certificates: what is given is fixed, what is drawn is worth something, the sentence is agreed on. */
START_TEST(numbers_agreed)
{
    char *folder = temp_folder(), *list = realpath("reports/statements.csv", NULL), *output;
    char *all = temp_format("--statements=%s *.cert", list), line[512];
    ck_assert_int_eq(run_command(line, sizeof line, WRITTEN_BY, build_folder(), folder, 7), 0);
    static const struct { const char *name, *sed, *says; } of[] = {
        { "explicit", "/^[a-z]/!s/[-0-9/]*[1-9][-0-9/]*/0/g", "the list does not have this statement" },
        { "random", "/^[a-z]/!s/[-0-9/]*[1-9][-0-9/]*/0/g", "a matrix whose numbers are drawn is 0" },
        { "random", "s/^says .*/says every ReLU network absorbs its skip/", "the list does not have this" },
        { "explicit", "s/^says .*/says every ReLU network absorbs its skip/", "the list does not have this" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        char *name = temp_format("K-E2-as-stated-%s.cert", of[k].name), *path = temp_path(folder, name);
        char *kept = temp_read(folder, name, NULL);
        ck_assert_int_eq(run_command(line, sizeof line, "sed -i '%s' %s", of[k].sed, path), 0);
        ck_assert_int_eq(proofcheck(folder, name, &output), 0);                      /* true as it is */
        ck_assert_int_eq(proofcheck(folder, all, &output), 1);
        char *said = temp_format("%s: rejected: line ", name), *at = strstr(output, said);
        ck_assert_msg(at && strstr(at, of[k].says), "%s: %s", of[k].says, at ? at : output);
        temp_write(folder, name, kept, strlen(kept));
    }
    ck_assert_int_eq(proofcheck(folder, all, &output), 0);
    free(list);
}
END_TEST

/* ---- limits: the largest that is taken, and one more ---- */

typedef void writes(FILE *f, long n);
static void of_neurons(FILE *f, long n)                 /* sums of ones are never -1 */
{
    fprintf(f, HEAD("no-j") "matrix W1 %ld 1\n", n);
    for (long k = 0; k < n; k++) fputs("1\n", f);
    fprintf(f, "matrix W2 1 %ld\n", n);
    for (long k = 0; k < n; k++) fputs(k ? " 1" : "1", f);
    fputs("\nmatrix Z 1 1\n1\nenumerate\nend\n", f);
}
static void sum_of_all(FILE *f, long first, long n)  /* twice, so that there is an equation */
{
    for (int twice = 0; twice < 2; twice++) {
        fprintf(f, "%ld sum", first + n + twice);
        for (long k = 0; k < n; k++) fprintf(f, " 1 %ld", first + k);
        fputc('\n', f);
    }
    fprintf(f, "equal %ld %ld\nend\n", first + n, first + n + 1);
}
static void of_sizes(FILE *f, long n)
{
    fputs(SYM, f);
    for (long k = 0; k < n; k++) fprintf(f, "size d%ld k k\n", k);
    for (long k = 0; k < n; k++) fprintf(f, "%ld block d%ld 0\n%ld sum 1 %ld\n", 2 * k, k, 2 * k + 1, 2 * k);
    for (long k = 0; k < n; k++) fprintf(f, "equal %ld %ld\n", 2 * k, 2 * k + 1);
    fputs("end\n", f);
}
static void of_names(FILE *f, long n)
{
    fputs(HEAD("recount"), f);
    for (long k = 0; k < n; k++) fprintf(f, "value a%ld 1\n", k);
    fputs("formula a0", f);
    for (long k = 1; k < n; k++) fprintf(f, " a%ld +", k);
    fprintf(f, " = %ld\nend\n", n);
}
static void of_functions(FILE *f, long n)
{
    fputs(SYM, f);
    for (long k = 0; k < n; k++) fprintf(f, "function f%ld stochastic\n", k);
    fputs("0 matrix X n n\n", f);
    for (long k = 0; k < n; k++) fprintf(f, "%ld value f%ld n n 0\n", k + 1, k);
    sum_of_all(f, 1, n);
}
static void of_words(FILE *f, long n)
{
    fputs("provably-certificate 2\nclaim X\npart as-stated\nkind recount\nsays", f);
    for (long k = 1; k < n; k++) fputs(" w", f);
    fputs("\nformula 1 = 1\nend\n", f);
}
static void of_long_number(FILE *f, long n)
{
    fputs(HEAD("recount") "value a ", f);
    for (long k = 0; k < n; k++) fputc('7', f);
    fputs("\nformula 0 < a\nend\n", f);
}
static void of_dimension(FILE *f, long n)
{
    fprintf(f, HEAD("matrix") "matrix A %ld 1\n", n);
    for (long k = 0; k < n; k++) fputs("1\n", f);
    fprintf(f, "formula A ' A * = %ld\nend\n", n);
}
static void of_bits(FILE *f, long n)                    /* 2^n, of n + 1 bits above a denominator of one */
{
    mpz_t a;
    mpz_init(a);
    mpz_ui_pow_ui(a, 2, 8191);
    fputs(HEAD("recount") "value a ", f);
    mpz_out_str(f, 10, a);
    fprintf(f, "\nformula a a * a a * * %d * != 0\nend\n", 1 << (n - 4 * 8191));
    mpz_clear(a);
}
static void of_nodes(FILE *f, long n)
{
    fputs(SYM "0 matrix X n d\n", f);
    for (long k = 1; k < n; k++) fprintf(f, "%ld sum 1 %ld\n", k, k - 1);
    fprintf(f, "equal 0 %ld\nend\n", n - 1);
}
static void of_factors(FILE *f, long n)                 /* A^n = A A^(n-1), for n = 2^12 and above */
{
    fputs(SYM "0 matrix A d d\n", f);
    for (int k = 1; k <= 12; k++) fprintf(f, "%d product %d %d\n", k, k - 1, k - 1);
    int last = 12;
    for (long k = 1 << 12; k < n; k++, last++) fprintf(f, "%d product %d 0\n", last + 1, last);
    fprintf(f, "%d sum 1 %d\nequal %d %d\nend\n", last + 1, last, last, last + 1);
}
static void of_bytes(FILE *f, long n)
{
    static const char *const after = "\nformula 1 = 1\nend\n";
    const long head = fprintf(f, HEAD("recount")) - 1;
    fseek(f, -1, SEEK_CUR);
    for (long k = head; k < n - (long)strlen(after); k++) fputc('w', f);
    fputs(after, f);
}
static void of_label(FILE *f, long n)
{
    fprintf(f, "provably-certificate 2\nclaim %0*d\npart as-stated\nkind recount\nsays test\nformula 1 = 1\nend\n",
        (int)n, 1);
}
static void of_matrix_name(FILE *f, long n)
{
    fprintf(f, SYM "0 matrix A%0*d n d\n1 sum 1 0\nequal 0 1\nend\n", (int)n - 1, 1);
}
static void of_heads(FILE *f, long n)
{
    fprintf(f, "provably-certificate 2\nclaim X\npart as-stated\nkind sym\nheads %ld\ndepth none\nsays test\n"
            "0 matrix A %ld d\n1 sum 1 0\nequal 0 1\nend\n", n, n);
}

START_TEST(limits)
{
    static const struct { writes *f; long most; const char *says; } of[] = {
        { of_neurons, 16, "too many neurons" }, { of_sizes, 64, "too many sizes" }, { of_names, 1024,
          "too many names" },
        { of_functions, 1024, "too many functions" }, { of_words, 4096, "too many words" }, { of_long_number, 4096,
          "shortest form" },
        { of_dimension, 256, "whole number, or too large" }, { of_bits, 32766, "too many bits" }, { of_nodes, 1 << 14,
          "too many nodes" },
        { of_factors, 1 << 12, "too many factors" }, { of_bytes, 1 << 24, "too many bytes" }, { of_label, 40,
          "not a label" },
        { of_matrix_name, 40, "not a name" }, { of_heads, 999999, "too large" } };
    for (int more = 0; more < 2; more++) {
        char *text = NULL, why[4096];
        size_t n = 0;
        FILE *f = open_memstream(&text, &n);
        of[_i].f(f, of[_i].most + more);
        fclose(f);
        ck_assert_msg(accepts(text, n, why, sizeof why) == !more, "%ld: %s", of[_i].most + more, why);
        ck_assert_msg(!more || strstr(why, of[_i].says), "output %s, expected %s", why, of[_i].says);
        free(text);
    }
}
END_TEST

/* Shapes and spellings in which one rule alone says no. */
START_TEST(one_rule_alone)
{
    static const struct { const char *text, *says; } of[] = {
        { HEAD("matrix") "matrix B 2 1\n1\n1\nformula B = B '\nend\n", "different shapes" },
        { HEAD("matrix") "matrix A 2 1\n1\n2\nmatrix B 2 2\n1 2\n0 0\nformula A = B\nend\n", "different shapes" },
        { HEAD("matrix") "matrix A 1 2\n1 2\nmatrix B 2 2\n1 2\n0 0\nformula A = B\nend\n", "different shapes" },
        { HEAD("matrix") "matrix A 1 3\n1 1 1\nformula A A ' * = 2\nend\n", "does not hold" },
        { HEAD("relu-eq") "matrix W1 1 2\n1 1\nmatrix W2 1 1\n1\nmatrix Z 1 2\n0 0\nmatrix V1 1 2\n1 2\n"
          /* directions (1, 1), (1, 2) */
          "matrix V2 1 1\n1\nmatrix Y 1 2\n0 -1/2\nend\n", "their kinks do" },
        { HEAD("relu-eq") "matrix W1 1 1\n1\nmatrix W2 1 2\n1 1\nmatrix Z 1 1\n0\nend\n", "wrong shape" },
        { HEAD("relu-eq") "matrix W1 1 1\n1\nmatrix W2 1 1\n1\nmatrix Z 2 1\n0\n0\nend\n", "wrong shape" },
        { SYM "size d\n0 block d 0\n1 sum 1 0\nequal 0 1\nend\n", "too few words" },
        { SYM "size d k k\n0 block d 2\n1 sum 1 0\nequal 0 1\nend\n", "too large" },
        { SYM "0 matrix A 1000000 d\n1 sum 1 0\nequal 0 1\nend\n", "too large" },
        { SYM "0 matrix A d d\n1 value f d d\nequal 0 1\nend\n", "one or two operands" },
        { SYM "0 matrix A d d\n1 value f d d 0 0 0\n2 sum 1 1\nequal 1 2\nend\n", "one or two operands" },
        { SYM "0 matrix A d d\n1 sum 1 0 1\nequal 0 1\nend\n", "wrong number of words" },
        { SYM "0 matrix A d d\n1 product 0 0 0\n2 sum 1 1\nequal 1 2\nend\n", "wrong number of words" },
        { SYM "0 matrix A d d\n1 transpose 0 0\n2 sum 1 1\nequal 1 2\nend\n", "wrong number of words" },
        { SYM "0 identity d d\n1 sum 1 0\nequal 0 1\nend\n", "wrong number of words" },
        { SYM "0 ones d d\n1 sum 1 0\nequal 0 1\nend\n", "wrong number of words" },
        { SYM "size d k k\n0 block d 0 0\n1 sum 1 0\nequal 0 1\nend\n", "wrong number of words" },
        { SYM "0 block d 0\n1 sum 1 0\nequal 0 1\nend\n", "no parts" },
        { HEAD("recount") "formula ' = 1\nend\n", "without operands" },
        { SYM "0 matrix A -1 d\n1 sum 1 0\nequal 0 1\nend\n", "not a name" },
        { SYM "0 matrix A d d\n1 sum 1\nequal 0 1\nend\n", "wrong number of words" },
        { HEAD("relu-eq") "matrix W1 2 0\n", "wrong shape" },
        { HEAD("recount") "formula 1 + = 1\nend\n", "without operands" },
        { HEAD("recount") "formula 2 3 *x = 6\nend\n", "not a number" },
        { HEAD("recount") "formula 1\nend\n", "expected a relation" },
        { SYM "0 matrix A d d symmetric\n1 sum 1 0\nequal 0 1\nend\n", "expected `orthogonal`" },
        { SYM "0 matrix A d d\n1 matrix B d d opposite A\n2 sum 1 1\nequal 1 2\nend\n", "expected `orthogonal`" },
        { SYM "0 matrix A d d inverse B C\n1 sum 1 0\nequal 0 1\nend\n", "wrong number of words" },
        { SYM "function phi half-odd\n0 matrix Y n d\n1 value phi d d 0\n2 sum 1 1\nequal 1 2\nend\n",
          "another shape" },
        { SYM "0 matrix A n d\n1 matrix B n k\n2 sum 1 0 1 1\n3 sum 1 2\nequal 2 3\nend\n", "different shapes" },
        { SYM "0 matrix A n d\n1 matrix B k d\n2 sum 1 0 1 1\n3 sum 1 2\nequal 2 3\nend\n", "different shapes" },
        /* a matrix that is called as a size is no block of it */
        { SYM "size d k k\n0 block d 0\n1 matrix d d k\nequal 0 1\nend\n", "normal forms differ" },
        /* E(d,0) E(k,0) and E(d,0)' E(e,0)' are not 0 */
        { SYM "size k m m\nsize d k k\n0 block d 0\n1 block k 0\n2 product 0 1\n3 sum 0 2\nequal 2 3\nend\n",
          "normal forms differ" },
        { SYM "size d k k\nsize e d d\n0 block d 0\n1 transpose 0\n2 block e 0\n3 transpose 2\n4 product 1 3\n"
          "5 sum 0 4\nequal 4 5\nend\n",
          "normal forms differ" },
        /* 1' E(d,0)' E(d,1) is 0 and not 1' */
        { SYM "size d k k\n0 block d 0\n1 transpose 0\n2 ones k\n3 transpose 2\n4 product 3 1\n5 block d 1\n"
          "6 product 4 5\nequal 6 3\nend\n",
          "normal forms differ" },
        /* F 1_d' 1_d F' is not F 1_e' 1_e F', one multiplied out from the middle, one from its halves */
        { SYM "function f stochastic\n0 matrix X r 1\n1 value f r 1 0\n2 transpose 1\n3 ones d\n4 ones e\n"
          "5 product 3 2\n6 product 4 2\n"
          "7 transpose 5\n8 transpose 6\n9 product 7 5\n10 product 8 6\nequal 9 10\nend\n", "normal forms differ" },
        { SYM "function f stochastic\n0 matrix X r 1\n1 value f r 1 0\n2 transpose 1\n3 ones d\n4 ones e\n"
          "5 product 3 2\n6 product 4 2\n"
          "7 transpose 5\n8 transpose 6\n9 transpose 7\n10 transpose 8\n11 product 7 9\n12 product 8 10\nequal 11 12\n"
              "end\n",
          "normal forms differ" },
        { HEAD("matrix") "matrix A 1 2\n1 0\nmatrix B 1 2\n5 7\nformula A B * = B\nend\n", "do not fit" },
        { SYM "0 matrix A- n d\n1 sum 1 0\nequal 0 1\nend\n", "not a name" },
        { SYM "0 matrix _A n d\n1 sum 1 0\nequal 0 1\nend\n", "not a name" },
        { SYM "0 matrix A n d\n1 sum 1 0\n2\nequal 0 1\nend\n", "too few words" },
        { "provably-certificate 2\nclaim X\npart as-stated\nkind sym\nheads 1x\ndepth none\nsays test\n0 matrix A n d\n"
          "1 sum 1 0\nequal 0 1\nend\n", "not a whole number" },
        { "provably-certificate 2\nclaim X\npart as-stated\nkind recount\nsays \x7f\nformula 1 = 1\nend\n",
          "printable" },
        { "provably-certificate 2\nclaim X\npart as-stated\nkind recount\nsays \x1f\nformula 1 = 1\nend\n",
          "printable" },
    };
    for (size_t k = 0; k < COUNT(of); k++) rejected(of[k].text, strlen(of[k].text), of[k].says);
    char why[4096];
    static const struct { const char *text, *says; bool regular; } right[] = {
        { SYM "0 matrix A n d\n1 sum 2/4 0\n2 sum 1/2 0\nequal 1 2\nend\n", "1 equation;", false },
        { SYM "0 matrix A n d\n1 sum 1 0 1 0 1 0\n2 sum 3 0\nequal 1 2\nend\n", "1 equation;", false },
        { HEAD("recount") "value a 1\nvalue ab 2\nformula ab a + = 3\nformula ab = 2\nformula 5 -5 + = 0\nend\n",
          "3 formulas over 2 given matrices and numbers", false },
        { SYM "size d k k\nfunction phi half-odd\n0 block d 0\n1 transpose 0\n2 block d 1\n3 product 1 2\n"
          "4 value phi k k 3\n5 sum 1 4\n"
          "equal 4 5\nend\n", "half-odd phi", false },                                             /* phi(0) */
        { HEAD("relu-eq") "matrix W1 2 1\n0\n2\nmatrix W2 1 2\n5 1\nmatrix Z 1 1\n0\nmatrix V1 1 1\n1\nmatrix V2 1 1\n"
          "2\n"
          "matrix Y 1 1\n0\nend\n", "2 and 1 neurons are the same function", false },
        { HEAD("no-j") "matrix W1 2 2\n1 0\n0 1\nmatrix W2 1 2\n1 1\nmatrix Z 1 2\n3 3\nenumerate\nend\n",
          "trying all J", true },
        { HEAD("no-j") "matrix W1 1 2\n1 0\nmatrix W2 1 1\n1\nmatrix Z 1 2\n0 1\nmatrix y 1 2\n0 -1\nend\n", "by y",
          true },
        { SYM "function f shift-invariant\n0 identity d\n1 value f d d 0\n2 sum 1 1\nequal 1 2\nend\n",
          "shift-invariant f", false },
        { SYM "size d k k\n0 block d 0\n1 matrix A d d\n2 matrix B d d inverse A\n3 product 1 2\n4 product 3 0\n"
          "equal 4 0\nend\n",
          "invertible A", false },
        { SYM "0 matrix A d d\n1 matrix B d d\n2 sum 1 0 1 1\n3 product 2 0\n4 product 0 0\n5 product 1 0\n"
          "6 sum 1 4 1 5\nequal 3 6\nend\n",
          "1 equation;", false },
        { SYM "size d 1 k\n0 block d 0\n1 transpose 0\n2 ones d\n3 product 1 2\n4 ones 1\nequal 3 4\nend\n",
          "1 equation;", false },
        { HEAD("no-j") "matrix W1 2 2\n1 1\n2 2\nmatrix W2 1 2\n1 1\nmatrix Z 1 2\n3 4\nenumerate\nend\n",
          "no J among 2 neurons has W2[:.J] W1[J.:] + Z = 0 by trying all J", false },
    };
    for (size_t k = 0; k < COUNT(right); k++) {
        ck_assert_msg(accepts(right[k].text, strlen(right[k].text), why, sizeof why), "%s", why);
        ck_assert_msg(strstr(why, right[k].says) != NULL, "output %s, expected %s", why, right[k].says);
        ck_assert_msg((strstr(why, "where the conditions of E.1 hold") != NULL) == right[k].regular, "%s", why);
    }
}
END_TEST

/* What cannot be read or said is no rejection, and none is called accepted. */
START_TEST(reading_and_writing)
{
    char *output, line[512], *built = getenv("PROOFCHECK") ? getenv("PROOFCHECK") : temp_format("%s/proofcheck",
        build_folder());
    temp_write(scratch, "good.cert", forgeries[1].text, strlen(forgeries[1].text));
    ck_assert_int_eq(proofcheck(scratch, "/proc/self/mem", &output), 2);             /* a regular file that gives EIO */
    ck_assert_int_eq(run_command(line, sizeof line, "%s %s/good.cert > /dev/full", built, scratch), 2);
    ck_assert_ptr_nonnull(strstr(line, "cannot write to standard output"));
    ck_assert_int_eq(run_command(line, sizeof line, "%s --help > /dev/full", built), 2);
    ck_assert_int_eq(run_command(line, sizeof line, "%s --version > /dev/full", built), 2);
    ck_assert_int_eq(proofcheck(scratch, "-h", &output), 0);
    ck_assert_int_eq(proofcheck(scratch, "-x", &output), 2);
    ck_assert_int_eq(proofcheck(scratch, "--version", &output), 0);
    ck_assert_int_eq(strncmp(output, "proofcheck ", 11), 0);
    char *long_list = must_calloc(((size_t)1 << 24) + 2, 1);
    memset(long_list, '\n', ((size_t)1 << 24) + 1);
    memcpy(long_list, LIST_HEADER, strlen(LIST_HEADER));
    temp_write(scratch, "list.csv", long_list, ((size_t)1 << 24) + 1);
    free(long_list);
    ck_assert_int_eq(proofcheck(scratch, "--statements=list.csv good.cert", &output), 2);
}
END_TEST

/* Names of files that would command a terminal, or turn a line around, are written as what they are. */
START_TEST(names_of_files)
{
    static const struct { const char *name, *said; } of[] = {
        { "\xc3\xa9", NULL }, { "\xe2\x82\xac", NULL }, { "\xf0\x9f\x98\x80", NULL }, { "\xd8\x9d", NULL },
          { "\xc2\xa0", NULL },
        { "\xe2\x80\x90", NULL }, { "\xe2\x80\xaf", NULL }, { "\xe2\x81\xa5", NULL }, { "\xe2\x81\xaa", NULL },
          { "\xe2\x84\xa8", NULL },
        { "\x1b[2J", "\\x1b[2J" }, { "\x7f", "\\x7f" }, { "a\nb", "a\\x0ab" }, { "\xff", "\\xff" }, { "\xc1\xbf",
          "\\xc1\\xbf" },
        { "\x80", "\\x80" }, { "\xc3", "\\xc3" }, { "\xc3(", "\\xc3(" }, { "\xe2\x82(", "\\xe2\\x82(" },
          { "\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80" },
        { "\xc2\x9b", "\\xc2\\x9b" }, { "\xd8\x9c", "\\xd8\\x9c" }, { "\xe2\x80\x8e", "\\xe2\\x80\\x8e" },
        { "\xe2\x80\x8f", "\\xe2\\x80\\x8f" }, { "\xe2\x80\xa8", "\\xe2\\x80\\xa8" }, { "\xe2\x80\xae",
          "\\xe2\\x80\\xae" },
        { "\xe2\x81\xa6", "\\xe2\\x81\\xa6" }, { "\xe2\x81\xa9", "\\xe2\\x81\\xa9" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        char *output, *argument = temp_format("'%s'", of[k].name), *said = temp_format("%s: accepted", of[k].said
            ? of[k].said : of[k].name);
        temp_write(scratch, of[k].name, forgeries[1].text, strlen(forgeries[1].text));
        ck_assert_int_eq(proofcheck(scratch, argument, &output), 0);
        ck_assert_msg(strncmp(output, said, strlen(said)) == 0, "%zu: %s, expected %s", k, output, said);
        unlink(temp_path(scratch, of[k].name));
    }
}
END_TEST

START_TEST(hypotheses_of_a_part)
{
    static const struct { const char *text, *assumes; } of[] = {
        { LITTLE, "invertible W; orthogonal U" },
        { SYM "function f half-odd\nfunction g shift-invariant stochastic\n0 matrix X d d\n1 value f d d 0\n2 value g d d 1\n3 sum 1 2\n"
          "equal 2 3\nend\n", "half-odd f; shift-invariant g; stochastic g" },
        { SYM "0 matrix X d d\n1 matrix Y d d inverse X\n2 sum 1 1\nequal 1 2\nend\n", "invertible X" },  /* it exists, though nothing cancels */
        { SYM "0 matrix X d d\n1 sum 1 0\nequal 0 1\nend\n", "nothing" },
    };
    for (size_t k = 0; k < COUNT(of); k++) free(statement_of(of[k].text, of[k].assumes));
}
END_TEST

START_TEST(usage)
{
    char *output;
    temp_write(scratch, "good.cert", forgeries[1].text, strlen(forgeries[1].text));
    temp_write(scratch, "bad.cert", "bad\n", 4);
    ck_assert_int_eq(proofcheck(scratch, "", &output), 2);
    ck_assert_int_eq(proofcheck(scratch, "--help", &output), 0);
    ck_assert_int_eq(strncmp(output, "Usage: proofcheck ", 18), 0);
    ck_assert_int_eq(proofcheck(scratch, "--help good.cert", &output), 2);
    ck_assert_int_eq(proofcheck(scratch, "--dance", &output), 2);
    ck_assert_int_eq(proofcheck(scratch, "no-such-file", &output), 2);
    ck_assert_int_eq(proofcheck(scratch, ".", &output), 2);
    ck_assert_int_eq(proofcheck(scratch, "bad.cert good.cert", &output), 1);
    ck_assert_msg(strstr(output, "good.cert: accepted") && strstr(output, "bad.cert: rejected: line 1"), "%s", output);
    ck_assert_int_eq(proofcheck(scratch, "good.cert no-such-file bad.cert", &output), 2);
    ck_assert_int_eq(proofcheck(scratch, "good.cert good.cert", &output), 0);
}
END_TEST

/* Factors of products that are not multiplied out: S = (A + B)^8 has 256 terms, S S' would have 65,536. */
START_TEST(abbreviations)
{
    static const struct { const char *lines; bool accepted; } of[] = {
        { "11 product 9 10\n12 transpose 11\nequal 11 12 S S' is symmetric\n", true },
        { "11 matrix M d d\n12 matrix N d d\n13 product 11 12\n14 product 13 9\n15 product 14 10\n16 product 9 10\n"
          "17 product 13 16\nequal 15 17 (M N S) S' = M N (S S')\n", true },
        { "11 matrix M d d\n12 product 9 11\n13 transpose 12\n14 product 12 13\n15 transpose 11\n16 product 15 10\n"
          "17 product 12 16\nequal 14 17 (S M) (S M)' = (S M) (M' S')\n", true },
        { "11 transpose 10\n12 product 9 11\n13 product 9 9\nequal 12 13 S S'' = S S\n", true },
        { "11 product 9 10\n12 product 9 9\nequal 11 12 S S' = S S\n", false },
        { "11 product 9 10\n12 product 10 9\nequal 11 12 S S' = S'S\n", false },
        { "11 sum 1 9 1 0\n12 product 11 10\n13 product 9 10\nequal 12 13 (S + A) S' = S S'\n", false },
        { "11 sum 2 9\n12 product 11 10\n13 product 9 10\nequal 12 13 2 S S' = S S'\n", false },
    };
    for (size_t k = 0; k < COUNT(of); k++) {
        char why[4096], *text = temp_format(SYM "0 matrix A d d\n1 matrix B d d\n2 sum 1 0 1 1\n3 product 2 2\n4 product 3 2\n"
            "5 product 4 2\n6 product 5 2\n7 product 6 2\n8 product 7 2\n9 product 8 2\n10 transpose 9\n%send\n", of[k].lines);
        ck_assert_msg(accepts(text, strlen(text), why, sizeof why) == of[k].accepted, "%s%s", of[k].lines, why);
        ck_assert_msg(of[k].accepted || strstr(why, "normal forms differ"), "%s%s", of[k].lines, why);
    }
}
END_TEST

/* Small files that ask for much: rejected within the limits, not by running out of memory or time. */
START_TEST(greedy)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    fputs(SYM "0 matrix A d d\n1 matrix B d d\n2 sum 1 0 1 1\n", f);             /* (A + B)^(2^k) */
    for (int k = 3; k < 40; k++) fprintf(f, "%d product %d %d\n", k, k - 1, k - 1);
    fputs("equal 38 39\nend\n", f);
    fclose(f);
    rejected(text, n, "too many factors");                                               /* of abbreviations */
    free(text);
    f = open_memstream(&text, &n);                                                       /* C_j (A + B)^13 */
    fputs(SYM "0 matrix A d d\n1 matrix B d d\n2 sum 1 0 1 1\n", f);
    for (int k = 3; k < 15; k++) fprintf(f, "%d product %d 2\n", k, k - 1);
    for (int k = 15; k < 5000; k += 2) fprintf(f, "%d matrix C%d d d\n%d product %d 14\n", k, k, k + 1, k);
    fputs("equal 15 16\nend\n", f);
    fclose(f);
    rejected(text, n, "too much");
    free(text);
    f = open_memstream(&text, &n);
    fputs(SYM "0 matrix A d d\n", f);                                            /* A^(2^k) */
    for (int k = 1; k < 40; k++) fprintf(f, "%d product %d %d\n", k, k - 1, k - 1);
    fputs("equal 38 39\nend\n", f);
    fclose(f);
    rejected(text, n, "too many factors");
    free(text);
    f = open_memstream(&text, &n);
    fputs(HEAD("recount") "value a 123456789123456789123456789\nformula a", f);          /* a^(2^k) */
    for (int k = 1; k < 2000; k++) fputs(" a *", f);
    fputs(" = 1\nend\n", f);
    fclose(f);
    rejected(text, n, "too many bits");
    free(text);
}
END_TEST

/* ---- the API of bodies ---- */

START_TEST(bodies_write)
{
    static const part P = { .name = "as-stated", .statement = "counts  and\nothers" };
    arith R = arith_q((uint64_t[2]){ 1, 2 });
    certifier c = { .folder = scratch, .id = "TEST", .part = &P };
    trial t = { .s = scope_open(&R, 1, 1), .record = { .mode = TRIAL_CERTIFIES, .certifier = &c } };
    scope *s = &t.s;
    const mat *A = mat_from_si(s, 2, 2, (long[]){ 2, 1, 1, 1 }), *half = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, -1);
    certify_recount(&t, "n", 2, (const count_of[]){ { "h", "12" }, { "k", "64" } }, 1, (const char *const[]){ "h k * = 768" });
    certify_matrix(&t, "m", 3, (const given[]){ { "A", A }, { "B", mat_inv(s, A) }, { "e", half } }, 2,
                   (const char *const[]){ "A B * = B A *", "e = 1/2" });
    certify_matrix(&t, "m", 1, (const given[]){ { "A", A } }, 1, (const char *const[]){ "A = A '" });
    certify_matrix(&t, "m", 1, (const given[]){ { "A", A } }, 1, (const char *const[]){ "A = A '" });
    const mat *W1 = mat_from_si(s, 1, 1, (long[]){ 1 }), *minus = mat_sub(s, mat_zero(s, 1, 1), W1);
    certify_relu_equal(&t, "r", W1, W1, NULL, minus, W1, W1);
    certify_relu_differ(&t, "d", W1, W1, NULL, minus, W1, NULL);
    certify_relu_differ(&t, "same", W1, W1, NULL, W1, W1, NULL);        /* no point: nothing is written */
    certify_no_j(&t, "j", W1, W1, half);
    ck_assert_int_eq(c.written, 7);
    t.record.certifier = NULL;
    certify_no_j(&t, "none", W1, W1, half);
    scope_close(s);
    char *output, line[256], *command = temp_format("cd %s && ls TEST-* | wc -l", scratch);
    ck_assert_msg(proofcheck(scratch, "TEST-*.cert", &output) == 0, "%s", output);
    ck_assert_int_eq(run_shell(command, line, sizeof line), 0);
    ck_assert_int_eq(atol(line), 6);
}
END_TEST

/* Recorded here, not by a program: nested ranges, inverses of products and of blocks, orthogonal matrices, constants,
 * zeros, functions of all kinds.  Each body's equations must be accepted, with that many lines `equal`. */
static void ranges(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", t->sh.n, t->sh.d, 0), *right = mat_cols(s, A, t->sh.dk, t->sh.dk);
    const mat *ends[] = { mat_cols(s, right, 0, t->sh.dk - 1), mat_cols(s, A, 2 * t->sh.dk - 1, 1) };
    claim_equal(t, "columns of columns", mat_hcat(s, 2, ends), right);
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    int64_t *one = scope_alloc(s, (size_t)(t->sh.d * t->sh.d) * sizeof *one);
    for (long i = 0; i < t->sh.d; i++) one[i * t->sh.d + i] = 1;
    const mat *half = mat_mul(s, A, mat_dyadic(s, t->sh.d, t->sh.d, one, -1));
    claim_equal(t, "halves", mat_add(s, half, half), A);
    claim_equal(t, "rows", mat_t(s, mat_rows(s, mat_t(s, A), t->sh.dk, t->sh.dk)), right);
    claim_equal(t, "difference", mat_add(s, mat_sub(s, A, X), X), A);
    const mat *B[] = { mat_draw(s, "B", t->sh.dk, t->sh.dk, 0), mat_draw(s, "C", t->sh.dk, t->sh.dk, 0) };
    const mat *D = mat_blockdiag(s, 2, B), *E = mat_draw(s, "E", t->sh.d, t->sh.d, 0), *U = mat_draw_orthogonal(s, "U", t->sh.d);
    const mat *P = mat_mul(s, mat_mul3(s, D, mat_t(s, E), U), mat_inv(s, mat_draw(s, "F", t->sh.d, t->sh.d, 0)));
    claim_equal(t, "inverse", mat_mul(s, mat_inv(s, P), P), mat_identity(s, t->sh.d));
}

static void functions(trial *t)
{
    scope *s = &t->s;
    const long n = t->sh.n, d = t->sh.d;
    const mat *X = mat_draw(s, "X", n, d, 0), *T = mat_draw(s, "T", d, d, 0), *Y = mat_mul3(s, X, T, mat_inv(s, T));
    int64_t *three = scope_alloc(s, (size_t)(d * d) * sizeof *three);
    for (long i = 0; i < d; i++) three[i * d + i] = 3;
    const mat *scaled = mat_dyadic(s, d, d, three, -2), *zero = mat_zero(s, n, d);
    const rowmap how = { .kind = ROWMAP_SOFTMAX, .scale_num = 1, .scale_den = 1 };
    const mat *of[2][9], *b = mat_draw(s, "b", 1, d, 0);
    for (int k = 0; k < 2; k++) {
        const mat *Z = mat_mul(s, k ? Y : X, scaled), *column = mat_cols(s, Z, 0, 1);
        of[k][0] = mat_phi(s, Z, ACT_GELU, (place){ 0, PLACE_MLP, 0 });
        of[k][1] = mat_phi(s, mat_sub(s, Z, Z), ACT_GELU, (place){ 1, PLACE_GATE, 0 });
        of[k][2] = mat_mul(s, mat_rowmap(s, mat_mul(s, Z, mat_t(s, Z)), &how, (place){ 0, PLACE_ATTENTION, 1 }), Z);
        of[k][3] = mat_norm(s, Z, NORM_RMS, -17, (place){ 0, PLACE_QUERY, 0 });
        of[k][4] = mat_norm(s, Z, NORM_RADIAL, -17, (place){ 0, PLACE_KEY, 0 });
        of[k][5] = mat_hadamard(s, Z, mat_phi(s, zero, ACT_GELU, (place){ 0, PLACE_ROUTER, 0 }));
        of[k][6] = mat_scale_rows(s, column, mat_add(s, Z, mat_mul(s, mat_ones(s, n, 1), b)));
        of[k][7] = mat_sub(s, mat_add(s, Z, Z), mat_add(s, Z, zero));
        of[k][8] = mat_rotate(s, Z);
    }
    const mat *U = mat_draw_orthogonal(s, "U", d);
    const place at = { 0, PLACE_FINAL, 0 };
    claim_equal(t, "radial", mat_norm(s, mat_mul(s, X, U), NORM_RADIAL, -17, at),
                mat_mul(s, mat_norm(s, X, NORM_RADIAL, -17, at), U));
    for (int k = 0; k < 9; k++) claim_equal(t, "of equal arguments", of[0][k], of[1][k]);
    const mat *flat = mat_ones(s, 1, 3 * d), *tall = mat_ones(s, 3 * d, 1), *A = mat_draw(s, "A", n, 3 * d, 0);
    claim_equal(t, "(1' A')' = A 1", mat_t(s, mat_mul(s, flat, mat_t(s, A))), mat_mul(s, A, tall));
}

static void too_long(trial *t)                       /* (A + B)^(2^5) has more terms than may be written */
{
    scope *s = &t->s;
    const mat *P = mat_add(s, mat_draw(s, "A", t->sh.d, t->sh.d, 0), mat_draw(s, "B", t->sh.d, t->sh.d, 0));
    for (int k = 0; k < 5; k++) P = mat_mul(s, P, P);
    claim_equal(t, "itself", P, mat_add(s, P, mat_zero(s, t->sh.d, t->sh.d)));
}

static void by_size(trial *t)                        /* as many steps as columns */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", t->sh.d, t->sh.d, 0), *P = A;
    for (long k = 0; k < t->sh.dk; k++) P = mat_mul(s, P, A);
    claim_equal(t, "power", P, mat_mul(s, P, mat_mul(s, A, mat_inv(s, A))));
}

static const mat *power(trial *t, const mat *A, long k)            /* A^k */
{
    const mat *P = A;
    while (--k > 0) P = mat_mul(&t->s, P, A);
    return P;
}

/* k products on one side and as many and one on the other; the certificate would be of one k */
static void by(trial *t, long k)
{
    const mat *A = mat_draw(&t->s, "A", t->sh.d, t->sh.d, 0);
    claim_equal(t, "power", mat_mul(&t->s, power(t, A, k), power(t, A, 1)), power(t, A, k + 1));
}
static void by_n(trial *t) { by(t, t->sh.n); }
static void by_m(trial *t) { by(t, t->sh.m); }
static void by_V(trial *t) { by(t, t->sh.V); }
static void by_d(trial *t) { by(t, t->sh.d - t->sh.h * t->sh.dk); }       /* which no other size changes */

static void other_equation(trial *t)                 /* the same steps, another one compared */
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", t->sh.d, t->sh.d, 0), *B = mat_draw(s, "B", t->sh.d, t->sh.d, 0);
    const mat *sum = mat_add(s, A, B), *difference = mat_sub(s, A, B);
    claim_equal(t, "sum", t->sh.n % 2 == 1 ? sum : difference, mat_add(s, B, A));
}

/* Sizes that are equal at some values and not at others: two products of which one needs an odd n */
static void needs_n(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", t->sh.n, t->sh.d, 0), *X = mat_draw(s, "X", t->sh.n % 2 == 1 ? t->sh.n : t->sh.d, 2, 0);
    const mat *Y = t->sh.n % 2 == 1 ? mat_mul(s, mat_t(s, A), X) : X;
    claim_equal(t, "product", mat_add(s, Y, Y), mat_sub(s, mat_add(s, mat_add(s, Y, Y), Y), Y));
}

/* What is known of functions: each fact is needed */
static void known_functions(trial *t)
{
    scope *s = &t->s;
    const long n = t->sh.n, d = t->sh.d;
    const mat *Y = mat_draw(s, "Y", n, d, 0), *minus = mat_sub(s, mat_zero(s, n, d), Y), *S = mat_draw(s, "S", n, n, 0);
    const place at = { 0, PLACE_MLP, 0 };
    claim_equal(t, "half-odd", mat_sub(s, mat_phi(s, Y, ACT_HALF_ODD, at), mat_phi(s, minus, ACT_HALF_ODD, at)), Y);
    const mat *shifted = mat_add(s, S, mat_mul(s, mat_draw(s, "w", n, 1, 0), mat_ones(s, 1, n)));
    unsigned char *visible = scope_alloc(s, (size_t)(n * n));
    for (long k = 0; k < n * n; k++) visible[k] = k % n <= k / n;
    rowmap how = { .kind = ROWMAP_SHIFT, .scale_num = 1, .scale_den = 1, .visible = visible };
    claim_equal(t, "shift", mat_rowmap(s, S, &how, at), mat_rowmap(s, shifted, &how, at));
    how.kind = ROWMAP_STOCHASTIC;
    claim_equal(t, "shift, too", mat_rowmap(s, S, &how, at), mat_rowmap(s, shifted, &how, at));
    claim_equal(t, "rows", mat_mul(s, mat_rowmap(s, S, &how, at), mat_ones(s, n, 3)), mat_ones(s, n, 3));
    int64_t *thirds = scope_alloc(s, (size_t)n * sizeof *thirds);
    for (long k = 0; k < n; k++) thirds[k] = 3;
    const mat *gain = mat_dyadic(s, n, 1, thirds, -1), *three = mat_add(s, mat_add(s, Y, Y), Y);
    claim_equal(t, "uniform gain", mat_scale_rows(s, gain, mat_add(s, Y, Y)), three);
}

static void hidden_row(trial *t)                     /* a row that sees nothing is zero, and does not sum to 1 */
{
    scope *s = &t->s;
    const long n = t->sh.n;
    unsigned char *visible = scope_alloc(s, (size_t)(n * n));
    for (long k = 0; k < n * n; k++) visible[k] = k % n < k / n;
    const rowmap how = { .kind = ROWMAP_STOCHASTIC, .scale_num = 1, .scale_den = 1, .visible = visible };
    const mat *F = mat_rowmap(s, mat_draw(s, "S", n, n, 0), &how, (place){ 0, PLACE_MLP, 0 });
    claim_equal(t, "rows", mat_mul(s, F, mat_ones(s, n, 1)), mat_ones(s, n, 1));
}

static void opaque_phi(trial *t)                     /* a function of which nothing is known is not half-odd */
{
    scope *s = &t->s;
    const mat *Y = mat_draw(s, "Y", t->sh.n, t->sh.d, 0), *minus = mat_sub(s, mat_zero(s, t->sh.n, t->sh.d), Y);
    const place at = { 0, PLACE_MLP, 0 };
    claim_equal(t, "odd", mat_sub(s, mat_phi(s, Y, ACT_OPAQUE, at), mat_phi(s, minus, ACT_OPAQUE, at)), Y);
}

static void multiples(trial *t)                      /* the inverse of 3/2 A, of a product with it; and of -A */
{
    scope *s = &t->s;
    const long d = t->sh.d;
    int64_t *three = scope_alloc(s, (size_t)(d * d) * sizeof *three);
    for (long i = 0; i < d; i++) three[i * d + i] = 3;
    const mat *A = mat_draw(s, "A", d, d, 0), *B = mat_mul(s, mat_dyadic(s, d, d, three, -1), A), *I = mat_identity(s, d);
    claim_equal(t, "3/2 A", mat_mul(s, mat_inv(s, B), B), I);
    claim_equal(t, "-A", mat_mul(s, A, mat_inv(s, mat_sub(s, mat_zero(s, d, d), A))), mat_sub(s, mat_zero(s, d, d), I));
}

static void by_table(trial *t)
{
    reduce_switches(&t->sh, ATTENTION_SKIP);
    t->induction = &reduction_attention_skip;
    claim_by_induction(t);
}
static void whole_models(trial *t)                   /* E W W^-1 for E */
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const mat *W = mat_draw(s, "W", t->sh.d, t->sh.d, 0);
    model R = M;
    R.E = mat_mul(s, M.E, mat_mul(s, W, mat_inv(s, W)));
    claim_same_function(t, &M, &R);
}

static void sum_inverse(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", t->sh.d, t->sh.d, 0), *N = mat_inv(s, mat_add(s, A, mat_identity(s, t->sh.d)));
    claim_equal(t, "commute", mat_mul(s, A, N), mat_mul(s, N, A));
}

static void nothing_said(trial *t)
{
    const drawn_by whose = scope_draws(&t->s, DRAWN_BY_SUITE);
    const mat *A = mat_draw(&t->s, "A", 2, 2, 0), *B = mat_draw(&t->s, "A", 2, 2, 0);
    t->s.draws = whose;
    claim_equal(t, "the same draw", A, B);
}

static void drawn_again(trial *t)
{
    const mat *A = mat_draw(&t->s, "A", 2, 2, 0), *B = mat_draw(&t->s, "A", 2, 2, 0);
    claim_equal(t, "two draws of one name", mat_mul(&t->s, A, B), mat_mul(&t->s, B, A));
}

/* The body and what it must give: so many equations and the words `has`, or none because of `failed`, or a certificate
 * that proofcheck rejects. */
typedef struct { body *run; long equations; const char *failed, *has; bool rejected, wide; long L; } recording;
static const recording recordings[] = {
    { .run = ranges, .equations = 6, .has = "heads 2\ndepth none\n" }, { .run = functions, .equations = 11 },
    { .run = too_long, .failed = "too many terms" }, { .run = by_size, .failed = "depends on the sizes" },
    { .run = sum_inverse, .failed = "neither of a product" }, { .run = nothing_said, .failed = "the same steps" },
    { .run = drawn_again, .failed = "a step that cannot be recorded" },
    { .run = by_n, .failed = "depends on the sizes" }, { .run = by_m, .failed = "depends on the sizes" },
    { .run = by_V, .failed = "depends on the sizes" }, { .run = by_d, .failed = "depends on the sizes", .wide = true },
    { .run = other_equation, .failed = "depends on the sizes" },
    { .run = needs_n, .failed = "depends on the sizes" },
    { .run = known_functions, .equations = 5,
      .has = "function phi.mlp.0.0 half-odd\nfunction rowmap.mlp.0.0 shift-invariant\n"
             "function rowmap.mlp.0.0:2 shift-invariant stochastic\n" },
    { .run = whole_models, .equations = 1, .has = "heads 2\ndepth 1\n", .L = 1 },
    { .run = whole_models, .equations = 1, .has = "heads 2\ndepth 2\n", .L = 2 },
    { .run = by_table, .equations = 4, .has = "heads 2\ndepth every\n", .L = 2 },
    { .run = hidden_row, .equations = 1, .rejected = true, .has = "function rowmap.mlp.0.0 shift-invariant\n" },
    { .run = opaque_phi, .equations = 1, .rejected = true }, { .run = multiples, .equations = 4 },
};

START_TEST(recorded)
{
    const recording *r = &recordings[_i];
    const part P = { .name = "as-stated", .run = r->run };
    certifier c = { .folder = scratch, .id = "REC", .part = &P };
    shape sh = { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 1 };
    char output[4096], *text, *path = temp_path(scratch, "REC-as-stated.cert");
    if (r->wide) { sh.d = 8; sh.dk = 3; }
    if (r->L) sh.L = r->L;
    ck_assert_ptr_null(shape_complete(&sh));
    unlink(path);
    const char *why = certify_symbolic(&c, NULL, &P, sh);
    certifier_clear(&c);
    if (r->failed) {
        ck_assert_msg(why && strstr(why, r->failed), "output %s, expected %s", why ? why : "nothing", r->failed);
        ck_assert_int_eq(c.written, 0);
    } else {
        ck_assert_msg(!why, "%s", why);
        char number[24] = "";
        static long files;
        if (++files > 1) snprintf(number, sizeof number, "-%ld", files);
        char *name = temp_format("%s/REC-as-stated%s.cert", scratch, number);
        text = contents(name);
        ck_assert_msg(accepts(text, strlen(text), output, sizeof output) != r->rejected, "%s\n%s", output, text);
        ck_assert_msg(!r->rejected || strstr(output, "normal forms differ"), "%s\n%s", output, text);
        ck_assert_msg(statement_is_true(text) != r->rejected, "%s\n%s", output, text);
        ck_assert_msg(!r->has || strstr(text, r->has), "no %s in\n%s", r->has, text);
        ck_assert_msg(!strstr(text, "\nfunction ") || (r->has && strstr(r->has, "function ")), "knows more:\n%s", text);
        long n = 0;
        for (const char *p = text; (p = strstr(p, "\nequal ")); p++) n++;
        ck_assert_msg(n == r->equations, "%ld equations:\n%s", n, text);
    }
}
END_TEST

/* A recording says nothing about equality or entries, and an entry that is not exact cannot be written. */
static bool no_value(mpq_t x, const mat *A, long i, long j)
{
    (void)x, (void)A, (void)i, (void)j;
    return false;
}

static void inexact(void *unused)
{
    (void)unused;
    contract_set_handler(contract_exits);
    static const part P = { .name = "as-stated" };
    arith R = arith_q((uint64_t[2]){ 1, 2 });
    certifier c = { .folder = scratch, .id = "TEST", .part = &P };
    trial t = { .s = scope_open(&R, 1, 1), .record = { .mode = TRIAL_CERTIFIES, .certifier = &c } };
    const mat *A = mat_identity(&t.s, 2);
    R.ring.get_exact = no_value;
    certify_matrix(&t, "x", 1, (const given[]){ { "A", A } }, 1, (const char *const[]){ "A = A" });
}

static void no_such_name(void *unused)
{
    (void)unused;
    contract_set_handler(contract_exits);
    arith R = arith_term();
    term_name(&R, TERM_VALUE, 0);
}

START_TEST(recorder_and_contracts)
{
    char output[1024];
    ck_assert_int_eq(run_child(inexact, NULL, output, sizeof output), CONTRACT_STATUS);
    ck_assert_msg(strstr(output, "no exact value") != NULL, "%s", output);
    ck_assert_int_eq(run_child(no_such_name, NULL, output, sizeof output), CONTRACT_STATUS);
    ck_assert_msg(strstr(output, "name 0 of 0") != NULL, "%s", output);
    arith R = arith_term();
    scope s = scope_open(&R, 1, 1);
    const mat *A = mat_draw(&s, "A", 2, 2, 0), *B = mat_draw(&s, "A", 2, 2, 0);
    mpq_t x;
    mpq_init(x);
    ck_assert_int_eq(mat_compare(A, B, 0).is, UNDECIDED);              /* though they are equal */
    ck_assert(!R.ring.get_exact(x, A, 0, 0));
    ck_assert(R.ring.get_d(A, 0, 0) != R.ring.get_d(A, 0, 0) && mat_log2max(A) != mat_log2max(A));
    ck_assert_int_eq(mat_inv(&s, mat_zero(&s, 2, 2))->rows, 2);
    ck_assert_int_eq(s.status, UNDECIDED);
    mpq_clear(x);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* ---- mutations ---- */

typedef struct { char *line[4096]; long n; } lines;

static lines split(char *text)
{
    lines l = { .n = 0 };
    for (char *p = text, *stop; *p && (stop = strchr(p, '\n')) && l.n < 4096; p = stop + 1) {
        *stop = '\0';
        l.line[l.n++] = p;
    }
    return l;
}

static const char *const words_like[] = { "0", "1", "-1", "2", "1/2", "end", "matrix", "d", "n", "d_k", "=", "!=", "*", "'" };

/* Writes the line with word w changed in way `how` (7 ways): digit, sign, number +-1, drop, double, swap, replace */
static void change_word(FILE *f, const char *line, const uint64_t key[2], int how)
{
    char copy[8192], *word[512], *save = NULL;
    int n = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *w = strtok_r(copy, " ", &save); w && n < 512; w = strtok_r(NULL, " ", &save)) word[n++] = w;
    const int at = (int)random_below(key, 10, (uint64_t)n);
    for (int k = 0; k < n; k++) {
        char *w = word[k];
        char *digit = strpbrk(w, "0123456789");
        if (k) fputc(' ', f);
        if (k != at) { fputs(how == 5 && k == at + 1 ? word[at] : w, f); continue; }
        switch (how) {
        case 0: if (digit) *digit = (char)('0' + random_below(key, 11, 10)); fputs(w, f); break;
        case 1: fprintf(f, "%s%s", *w == '-' ? "" : "-", *w == '-' ? w + 1 : w); break;
        case 2: if (strspn(w, "-0123456789") == strlen(w)) fprintf(f, "%ld", atol(w) + (random_below(key, 12, 2) ? 1 : -1));
                else fputs(w, f);
                break;
        case 3: break;
        case 4: fprintf(f, "%s %s", w, w); break;
        case 5: fputs(k + 1 < n ? word[k + 1] : w, f); break;
        default: fputs(words_like[random_below(key, 13, COUNT(words_like))], f); break;
        }
    }
    fputc('\n', f);
}

static char *mutant(const char *text, uint64_t counter)
{
    const uint64_t seed[2] = { counter, 7 };
    uint64_t key[2];
    random_key_derive(key, seed, "mutant");
    char *copy = must_strdup(text), *result = NULL;
    size_t size = 0;
    lines l = split(copy);
    FILE *f = open_memstream(&result, &size);
    const int how = (int)random_below(key, 0, 10);
    const long at = how == 9 || random_below(key, 1, 8) == 0 ? (long)random_below(key, 2, (uint64_t)l.n)
                  : 5 + (long)random_below(key, 2, (uint64_t)l.n - 5);          /* rarely in the head */
    for (long k = 0; k < l.n; k++) {
        if (k != at && !(how == 9 && k == at + 1)) { fprintf(f, "%s\n", l.line[k]); continue; }
        if (how < 7) change_word(f, l.line[k], key, how);
        else if (how == 8) fprintf(f, "%s\n%s\n", l.line[k], l.line[k]);
        else if (how == 9) fprintf(f, "%s\n", k == at ? k + 1 < l.n ? l.line[k + 1] : l.line[k] : l.line[at]);
    }
    fclose(f);
    free(copy);
    return result;
}

typedef struct { const char *kind, *file[6]; int text; } corpus;     /* files the programs wrote; text: a forgery's base */
static const corpus corpora[] = {
    { "sym", { "K-P3.2-as-stated", "K-LA.1-as-stated", "K-P4.1-as-stated", "K-L3.1-as-stated", "K-T4.4-as-stated-tied",
               "N13-as-stated-if-3" }, 0 },
    { "relu-eq", { "K-E2-as-stated-explicit", "K-E1-001-as-stated-lines", "K-E-disjoint-corrected-wider",
                   "K-E1-suff-as-stated-least-J" }, 1 },
    { "relu-neq", { "K-E-disjoint-as-stated-signs", "K-E-disjoint-as-stated-signs-4", "K-E-disjoint-as-stated-signs-8" }, 2 },
    { "no-j", { "K-E1-nec-as-stated-no-J-generic", "K-E1-001-as-stated-rows-no-J", "K-E1-R8-corrected-generic-5",
                "K-E1-R8-corrected-m-below-h-generic" }, 3 },
    { "matrix", { "N13-as-stated-orthogonal-U-images", "N12-as-stated-dependent-heads-same-image",
      "K-A-slice-as-stated-outside" }, 6 },
    { "recount", { "K-N-params-as-stated", "B-13-as-stated-gap", "B-41-as-stated", "K-N-wd-as-stated" }, 7 },
};

START_TEST(mutations)
{
    const corpus *c = &corpora[_i];
    const long wanted = number_of("CERTIFICATE_MUTATIONS", MUTATIONS);
    char *base[8], **text = must_calloc((size_t)wanted, sizeof *text), name[32], *output;
    long bases = 0, accepted = 0, rejected_ones = 0;
    base[bases++] = temp_format("%s", forgeries[c->text].text);
    for (int k = 0; k < 6 && c->file[k]; k++) {
        char *path = temp_format("%s/%s.cert", emitted, c->file[k]);
        base[bases] = contents(path);
        ck_assert_msg(base[bases][0], "no file %s", path);
        ck_assert_msg(statement_is_true(base[bases]), "%s is not true", path);
        bases++;
    }
    uint64_t counter = 0;
    for (long k = 0; k < wanted; k++) {
        const char *from = base[k % bases];
        do {
            free(text[k]);
            text[k] = mutant(from, counter++ + 1000003 * (uint64_t)_i);
        } while (strcmp(text[k], from) == 0);
        snprintf(name, sizeof name, "m%05ld.cert", k);
        temp_write(scratch, name, text[k], strlen(text[k]));
    }
    const int status = proofcheck(scratch, "m*.cert", &output);
    ck_assert_msg(status == 0 || status == 1, "%s: status %d", c->kind, status);
    for (long k = 0; k < wanted; k++) {
        snprintf(name, sizeof name, "m%05ld.cert: ", k);
        const char *line = strstr(output, name);
        ck_assert_msg(line, "%s: nothing is said about %s", c->kind, name);
        line += strlen(name);
        if (strncmp(line, "accepted: ", 10) == 0) {
            ck_assert_msg(statement_is_true(text[k]), "%s: accepted, but not true:\n%s", c->kind, text[k]);
            accepted++;
        } else {
            ck_assert_msg(strncmp(line, "rejected: ", 10) == 0, "%s: %.80s", c->kind, line);
            rejected_ones++;
        }
        free(text[k]);
    }
    printf("%-8s %ld single changes: %ld rejected, %ld accepted because the changed statement is true\n", c->kind,
           wanted, rejected_ones, accepted);
    ck_assert_int_gt(rejected_ones, wanted / 4);
    free(text);
    run_command(NULL, 0, "rm -f %s/m*.cert", scratch);
}
END_TEST

/* ---- fuzzing: random bytes, and certificates with bytes flipped, cut or repeated ---- */

START_TEST(fuzz)
{
    const long rounds = number_of("CERTIFICATE_FUZZ", FUZZ);
    char name[32], *output;
    for (long k = 0; k < rounds; k++) {
        const uint64_t seed[2] = { (uint64_t)k, 11 };
        uint64_t key[2];
        random_key_derive(key, seed, "fuzz");
        const corpus *c = &corpora[k % (long)COUNT(corpora)];
        char *text = must_strdup(forgeries[c->text].text);
        size_t n = strlen(text);
        const uint64_t how = random_below(key, 0, 4);
        for (uint64_t i = 0; how == 0 && i < n; i++) text[i] = (char)random_below(key, 10 + i, 256);
        for (uint64_t i = 0; how > 0 && i <= random_below(key, 1, 4); i++)
            text[random_below(key, 20 + 2 * i, n)] = how == 1 ? (char)random_below(key, 21 + 2 * i, 256)
                                                   : "0123456789-/ \nabdW"[random_below(key, 21 + 2 * i, 18)];
        if (how == 3) n = random_below(key, 2, n + 1);
        snprintf(name, sizeof name, "f%05ld.cert", k);
        temp_write(scratch, name, text, n);
        free(text);
    }
    const int status = proofcheck(scratch, "f*.cert", &output);
    ck_assert_msg(status == 0 || status == 1, "status %d", status);
    long seen = 0;
    for (const char *p = output; (p = strchr(p, '\n')); p++) seen++;
    ck_assert_int_eq(seen, rounds);
    run_command(NULL, 0, "rm -f %s/f*.cert", scratch);
}
END_TEST

/* Of models whose weights are set, or of some sizes alone, a derivation says so behind its sentence. */
START_TEST(says_of_which_models)
{
    static const struct { const char *kind, *uses, *says; } of[] = {
        { "sym", "n >= 2; invertible W_Q; constrained W_V = 0; h = 1; norm = none", "says S (models with n >= 2, constrained W_V = 0, norm = none)\n" },
        { "sym", "h = 2; another d_k", "says S (models with h = 2, another d_k)\n" },
        { "sym", "constrained mask", "says S (models with constrained mask)\n" }, { "sym", "invertible W_Q; h = 1", "says S\n" },
        { "sym", NULL, "says S\n" }, { "matrix", "constrained mask", "says S\n" } };
    const part P = { .name = "as-stated", .statement = "S" };
    for (size_t k = 0; k < COUNT(of); k++) {
        const certifier c = { .id = "K-X", .part = &P, .heads = 1, .uses = of[k].uses ? hypotheses_of(of[k].uses) : NULL };
        draft d;
        draft_open(&d, &c, of[k].kind);
        ck_assert_int_eq(fclose(d.f), 0);
        ck_assert_str_eq(strstr(d.text, "says "), of[k].says);
        free(d.text);
    }
}
END_TEST

int main(int argc, char **argv)
{
    scratch = temp_folder();
    Suite *suite = suite_create("certificate");
    /* CK_RUN_CASE chooses one */
    static const char *const names[] = { "checker", "writer", "programs", "fuzz", "rules" };
    TCase *of[COUNT(names)];
    for (size_t k = 0; k < COUNT(names); k++) {
        of[k] = tcase_create(names[k]);
        tcase_set_timeout(of[k], 600);
        suite_add_tcase(suite, of[k]);
    }
    tcase_add_loop_test(of[0], forgeries_are_rejected, 0, COUNT(forgeries));
    tcase_add_test(of[0], malformed);
    tcase_add_test(of[0], truncated);
    tcase_add_test(of[4], says_of_which_models);
    tcase_add_test(of[4], statements);
    tcase_add_test(of[4], numbers_drawn);
    tcase_add_test(of[4], numbers_given);
    tcase_add_test(of[4], one_after_the_other);
    tcase_add_test(of[4], numbers_of_a_program);
    tcase_add_test(of[4], numbers_agreed);
    tcase_add_test(of[0], deleted_equation);
    tcase_add_test(of[0], hash_of_the_statement);
    tcase_add_test(of[0], hypotheses_of_a_part);
    tcase_add_loop_test(of[4], limits, 0, 14);
    tcase_add_test(of[4], one_rule_alone);
    tcase_add_test(of[4], reading_and_writing);
    tcase_add_test(of[4], names_of_files);
    tcase_add_test(of[0], usage);
    tcase_add_test(of[0], abbreviations);
    tcase_add_test(of[0], greedy);
    tcase_add_test(of[1], bodies_write);
    tcase_add_loop_test(of[1], recorded, 0, COUNT(recordings));
    tcase_add_test(of[1], recorder_and_contracts);
    tcase_add_unchecked_fixture(of[2], emit_all, NULL);
    tcase_add_test(of[2], emitted_are_accepted);
    tcase_add_test(of[2], option);
    tcase_add_loop_test(of[2], mutations, 0, COUNT(corpora));
    tcase_add_test(of[3], fuzz);
    return run_suite(suite, argc, argv);
}
