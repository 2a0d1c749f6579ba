/* t_certificate.c - certificates are accepted as they are written, and what is false is not.
 *
 * proofcheck runs as a child, on many files at once.  Forgeries are small certificates with one thing changed so
 * that the statement, or the proof, is wrong.  The mutation run makes 1,000 single changes of each kind (a digit, a
 * sign, a number, a word or a line that is dropped, doubled, swapped or replaced) and judges what proofcheck
 * accepts by other means (tests/support/decide.c): accepting a false statement fails.  CERTIFICATE_MUTATIONS and
 * CERTIFICATE_FUZZ set other numbers.                                                                      */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "numerics/arith_term.h"
#include "numerics/random.h"
#include "src/certificate.h"
#include "src/runner.h"
#include "tests/support/decide.h"
#include "tests/support/suite.h"

enum { MUTATIONS = 1000, FUZZ = 1500, MOST_FILES = 4096 };
static char *emitted, *scratch;                      /* folders: what the programs wrote, what we make of it */

static long number_of(const char *variable, long otherwise)
{
    const char *text = getenv(variable);
    return text && atol(text) > 0 ? atol(text) : otherwise;
}

/* ---- files ---- */

static char *contents(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f) return must_strdup("");
    size_t n = 0;
    char *text = must_calloc(1 << 22, 1);
    n = fread(text, 1, (1 << 22) - 1, f);
    text[n] = '\0';
    fclose(f);
    return text;
}

static void put(const char *name, const char *text, size_t n)        /* SCRATCH/NAME */
{
    char *path = must_format("%s/%s", scratch, name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(text, 1, n, f) != n || fclose(f) != 0) die("cannot write %s", path);
    free(path);
}

/* proofcheck on the arguments, run in FOLDER; its exit status and what it said */
static int proofcheck(const char *folder, const char *arguments, char **said)
{
    char line[512];
    char *built = must_format("%s/proofcheck", build_folder());
    char *program = realpath(getenv("PROOFCHECK") ? getenv("PROOFCHECK") : built, NULL);
    if (!program) die("no %s", built);
    char *command = must_format("cd %s && timeout 300 %s %s > out.log 2> err.log", folder, program, arguments);
    free(built);
    char *log = must_format("%s/out.log", folder);
    const int status = run_shell(command, line, sizeof line);
    *said = contents(log);
    free(program);
    free(command);
    free(log);
    return status;
}

static bool accepts(const char *text, size_t n, char *why, size_t size)       /* one text */
{
    char *said;
    put("one.cert", text, n);
    const int status = proofcheck(scratch, "one.cert", &said);
    ck_assert_msg(status == 0 || status == 1, "status %d: %s", status, said);
    ck_assert_msg(strstr(said, status == 0 ? ": accepted: " : ": rejected: line ") != NULL, "said %s", said);
    snprintf(why, size, "%s", said);
    free(said);
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
    emitted = scratch_folder();
    DIR *folder = opendir("theorems");
    for (struct dirent *e; folder && (e = readdir(folder)); ) {
        const size_t n = strlen(e->d_name);
        if (n < 3 || strcmp(e->d_name + n - 2, ".c") != 0) continue;
        char *command = must_format("%s/theorems/%.*s --certificates=%s", build_folder(), (int)n - 2, e->d_name, emitted);
        const int status = run_shell(command, line, sizeof line);
        if (status != 0) die("%s: status %d: %s", command, status, line);
        free(command);
    }
    if (folder) closedir(folder);
}

static void remove_folders(void)
{
    char line[64], *command = must_format("rm -rf %s %s", emitted ? emitted : "", scratch);
    run_shell(command, line, sizeof line);
    free(command);
    free(emitted);
    free(scratch);
}

START_TEST(emitted_are_accepted)
{
    char *said;
    const int status = proofcheck(emitted, "*.cert", &said);
    long n = 0;
    for (const char *p = said; (p = strstr(p, ": accepted: ")); p++) n++;
    ck_assert_msg(status == 0, "status %d: %s", status, strstr(said, "rejected") ? strstr(said, "rejected") : said);
    ck_assert_int_ge(n, 200);
    static const char *const wanted[] = { "K-T4.2 as-stated", "K-T4.3 as-stated", "K-T4.4 corrected", "K-P3.2 as-stated",
        "K-L3.1 as-stated", "K-P4.1 as-stated", "K-LA.1 as-stated", "K-E2 as-stated", "K-E1-001 as-stated" };
    for (size_t k = 0; k < COUNT(wanted); k++) {
        char *line = must_format(": accepted: %s", wanted[k]);
        ck_assert_msg(strstr(said, line) != NULL, "no certificate of %s", wanted[k]);
        free(line);
    }
    free(said);
}
END_TEST

/* Bad input: one line, exit 2; and nothing is left but certificates. */
START_TEST(option)
{
    char line[2048];
    char *command = must_format("%s/theorems/k_e2 --certificates=/no/such/folder", build_folder());
    ck_assert_int_eq(run_shell(command, line, sizeof line), 2);
    ck_assert_msg(strstr(line, "/no/such/folder") != NULL, "%s", line);
    free(command);
    command = must_format("cd %s && ls | grep -v '[.]cert$' | grep -v log$", emitted);
    ck_assert_int_eq(run_shell(command, line, sizeof line), 1);
    free(command);
}
END_TEST

/* ---- forgeries ---- */

typedef struct { const char *text; struct { const char *from, *to; } change[20]; } forgery;
#define HEAD(kind) "provably-certificate 1\nclaim X\npart as-stated\nkind " kind "\nsays test\n"
static const forgery forgeries[] = {
    { HEAD("sym") "size d k k\n0 matrix X n d\n1 matrix Q d d\n2 matrix Q_inv d d inverse Q\n3 product 0 1\n4 product 3 2\n"
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
        { "c < 5", "A < 5" }, { "c < 5", "c > 5" }, { "= c", "=" }, { "c < 5", "c 2 / < 5" }, { "1\n2", "1\n2/0" },
        { "formula A A * B * = B\nformula A B * != B\nformula B ' A * B * = c\nformula c < 5\n", "" } } },
    { HEAD("recount") "value h 12\nvalue k 64\nvalue d 768\nformula h k * = d\nformula 100 k * = 25/3 d *\nformula d != 769\n"
      "formula h 1/2 - <= 12\nend\n",
      { { "h 12", "h 13" }, { "k 64", "k 65" }, { "d 768", "d 0" }, { "= 25/3", "= 8" }, { "!= 769", "!= 768" }, { "<= 12", "<= 11" },
        { "h k *", "h k +" }, { "h k *", "h k" }, { "= d", "= e" }, { "<= 12", "<= 12 13" }, { "value k", "value h" }, { "100", "0100" },
        { "25/3", "8.3" }, { "768", "768 1" },
        { "value d 768", "value d 768\nvalue d 768" } } },
    /* 8: X (n x d), A, A^-1; values v (n x k), w (n x m) of X; zeros of two shapes */
    { HEAD("sym") "size d k k\n0 matrix X n d\n1 matrix A d d\n2 matrix B d d inverse A\n3 block d 0\n4 block d 1\n"
      "5 transpose 3\n6 product 5 4\n7 product 5 3\n8 sum 0 7\n9 transpose 1\n10 transpose 2\n11 product 9 10\n12 identity d\n"
      "13 product 1 10\n14 value f n k 0\n15 value f n m 0\n16 transpose 14\n17 transpose 15\n18 product 14 16\n19 product 15 17\n"
      "20 sum 0 14\n21 sum 0 15\n22 value g n n 20\n23 value g n n 21\n24 sum 2 0\n25 sum 3 0\n26 sum 1 0 1 0\n27 identity n\n"
      "28 matrix U d d orthogonal\n29 transpose 28\n30 product 28 29\n31 product 28 28\n"
      "equal 6 8 zero\nequal 11 12 inverse\nequal 26 24 sum\nequal 30 12 orthogonal\nend\n",
      { { "equal 6 8", "equal 6 7" }, { "equal 6 8", "equal 7 8" }, { "equal 11 12", "equal 13 12" }, { "equal 6 8", "equal 18 19" },
        { "equal 6 8", "equal 22 23" }, { "equal 6 8", "equal 20 21" }, { "equal 6 8", "equal 12 27" }, { "equal 26 24", "equal 26 25" },
        { "6 product 5 4", "6 product 4 5" }, { "26 sum 1 0 1 0", "26 sum 1 0 1 1" }, { "size d k k\n", "size d k k\nsize d k\n" },
        { "size d k k\n", "size d k k\nsize k m m\n" }, { "equal 30 12", "equal 31 12" }, { "equal 11 12", "equal 9 10" },
        { "5 transpose 3\n6 product", "5 transpose 3\n4 product" }, { "orthogonal\n29", "inverse A\n29" }, { "25 sum 3 0", "25 sum 3 0 1 1" }, { "31 product 28 28", "31 product 0 0" } } },
    /* 9: what may be declared */
    { HEAD("sym") "size d k k\n0 matrix X n d\n1 matrix A d d\n2 matrix B d d inverse A\n3 product 1 2\n4 identity d\n5 product 0 3\n"
      "6 transpose 1\n7 transpose 6\n8 product 6 1\n9 transpose 8\n10 product 0 1\n11 transpose 10\n12 transpose 0\n13 product 6 12\n"
      "14 product 1 12\n15 matrix C d d\n16 matrix D d d inverse C\nequal 3 4\nequal 5 0\nequal 9 8\nequal 11 13\nend\n",
      { { "0 matrix X n d\n1 matrix A d d\n2 matrix B d d inverse A", "0 matrix X n d\n1 matrix A d d\n2 matrix B d d inverse C" },
        { "1 matrix A d d", "1 matrix X d d" }, { "2 matrix B d d inverse A", "2 matrix B d d" }, { "B d d inverse A", "B d e inverse A" },
        { "D d d inverse C", "D e e inverse C" }, { "15 matrix C d d\n16 matrix D d d", "15 matrix C d n\n16 matrix D d n" },
        { "D d d inverse C", "D d d inverse A" }, { "16 matrix D d d inverse C", "16 matrix A d d" }, { "equal 11 13", "equal 11 14" }, { "equal 11 13", "equal 10 13" },
        { "B d d inverse A", "B d d inverse X" }, { "B d d inverse A", "B d d inverse B" }, { "matrix A d d", "matrix A d d orthogonal" },
        { "14 product 1 12\n", "" }, { "equal 9 8", "equal 6 1" }, { "equal 3 4", "equal 99 4" }, { "equal 3 4", "equal 3" } } },
};

START_TEST(forgeries_are_rejected)
{
    const forgery *f = &forgeries[_i];
    char why[4096];
    const bool first_is_bad = !f->change[1].from;             /* a row with one change: the text itself is bad */
    ck_assert_msg(accepts(f->text, strlen(f->text), why, sizeof why) != first_is_bad, "%s", why);
    for (size_t k = 0; k < COUNT(f->change) && f->change[k].from && !first_is_bad; k++) {
        char *text = replaced(f->text, f->change[k].from, f->change[k].to);
        ck_assert_msg(!accepts(text, strlen(text), why, sizeof why), "`%s` -> `%s`: %s", f->change[k].from,
                      f->change[k].to, why);
        free(text);
    }
}
END_TEST

/* ---- files that are no certificates ---- */

static void rejected(const char *text, size_t n, const char *says)
{
    char why[4096];
    ck_assert_msg(!accepts(text, n, why, sizeof why), "accepted: %.200s", text);
    ck_assert_msg(strstr(why, says) != NULL, "said %s, not %s", why, says);
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
    changed("certificate 1", "certificate 2", "version");
    changed("certificate 1", "certificate", "too few words");
    changed("kind relu-eq", "kind relu", "no such kind");
    changed("claim X\n", "", "no such line: claim");
    changed("matrix W1 2 2", "matrix W1 2000000000 2", "whole number");
    changed("matrix W1 2 2", "matrix W1 99999999999999999999 2", "whole number");
    changed("matrix W1 2 2", "matrix W1 257 2", "whole number");
    changed("matrix W1 2 2", "matrix W1 0 2", "another shape");
    changed("1 2\n", "1  2\n", "empty");
    changed("1 2\n", " 1 2\n", "empty");
    changed("1 2\n", "1 2 \n", "empty");
    changed("1 2\n", "1\t2\n", "printable");
    changed("1 2\n", "1 2\r\n", "printable");
    changed("1 2\n", "01 2\n", "shortest");
    changed("1 2\n", "+1 2\n", "shortest");
    changed("1 2\n", "1e3 2\n", "no number");
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
    char name[32], *said, *command = must_format("rm -f %s/p*.cert", scratch), line[64];
    const char *text = forgeries[0].text;
    for (size_t n = 0; n < strlen(text); n++) {
        snprintf(name, sizeof name, "p%04zu.cert", n);
        put(name, text, n);
    }
    ck_assert_int_eq(proofcheck(scratch, "p*.cert", &said), 1);
    ck_assert_msg(!strstr(said, "accepted"), "%s", strstr(said, "accepted"));
    run_shell(command, line, sizeof line);
    free(command);
    free(said);
}
END_TEST

START_TEST(usage)
{
    char *said;
    put("good.cert", forgeries[1].text, strlen(forgeries[1].text));
    put("bad.cert", "bad\n", 4);
    ck_assert_int_eq(proofcheck(scratch, "", &said), 2);
    free(said);
    ck_assert_int_eq(proofcheck(scratch, "--help", &said), 2);
    free(said);
    ck_assert_int_eq(proofcheck(scratch, "no-such-file", &said), 2);
    free(said);
    ck_assert_int_eq(proofcheck(scratch, ".", &said), 2);
    free(said);
    ck_assert_int_eq(proofcheck(scratch, "bad.cert good.cert", &said), 1);
    ck_assert_msg(strstr(said, "good.cert: accepted") && strstr(said, "bad.cert: rejected: line 1"), "%s", said);
    free(said);
    ck_assert_int_eq(proofcheck(scratch, "good.cert no-such-file bad.cert", &said), 2);
    free(said);
    ck_assert_int_eq(proofcheck(scratch, "good.cert good.cert", &said), 0);
    free(said);
}
END_TEST

/* Small files that ask for much: rejected within the limits, not by running out of memory or time. */
START_TEST(greedy)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    fputs(HEAD("sym") "0 matrix A d d\n1 matrix B d d\n2 sum 1 0 1 1\n", f);             /* (A + B)^(2^k) */
    for (int k = 3; k < 40; k++) fprintf(f, "%d product %d %d\n", k, k - 1, k - 1);
    fputs("equal 38 39\nend\n", f);
    fclose(f);
    rejected(text, n, "too much");
    free(text);
    f = open_memstream(&text, &n);
    fputs(HEAD("sym") "0 matrix A d d\n", f);                                            /* A^(2^k) */
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
    trial t = { .s = scope_open(&R, 1, 1), .certifier = &c };
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
    t.certifier = NULL;
    certify_no_j(&t, "none", W1, W1, half);
    scope_close(s);
    char *said, line[256], *command = must_format("cd %s && ls TEST-* | wc -l", scratch);
    ck_assert_msg(proofcheck(scratch, "TEST-*.cert", &said) == 0, "%s", said);
    ck_assert_int_eq(run_shell(command, line, sizeof line), 0);
    ck_assert_int_eq(atol(line), 6);
    free(command);
    free(said);
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
    const mat *of[2][9];
    for (int k = 0; k < 2; k++) {
        const mat *Z = mat_mul(s, k ? Y : X, scaled), *column = mat_cols(s, Z, 0, 1);
        of[k][0] = mat_phi(s, Z, ACT_GELU, (place){ 0, PLACE_MLP, 0 });
        of[k][1] = mat_phi(s, mat_sub(s, Z, Z), ACT_GELU, (place){ 1, PLACE_GATE, 0 });
        of[k][2] = mat_mul(s, mat_rowmap(s, mat_mul(s, Z, mat_t(s, Z)), &how, (place){ 0, PLACE_ATTENTION, 1 }), Z);
        of[k][3] = mat_norm(s, Z, NORM_RMS, -17, (place){ 0, PLACE_QUERY, 0 });
        of[k][4] = mat_norm(s, Z, NORM_RADIAL, -17, (place){ 0, PLACE_KEY, 0 });
        of[k][5] = mat_hadamard(s, Z, mat_phi(s, zero, ACT_GELU, (place){ 0, PLACE_ROUTER, 0 }));
        of[k][6] = mat_scale_rows(s, column, mat_add(s, Z, mat_mul(s, mat_ones(s, n, 1), mat_draw(s, "b", 1, d, 0))));
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

static void sum_inverse(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", t->sh.d, t->sh.d, 0), *N = mat_inv(s, mat_add(s, A, mat_identity(s, t->sh.d)));
    claim_equal(t, "commute", mat_mul(s, A, N), mat_mul(s, N, A));
}

static void nothing_said(trial *t)
{
    const mat *A = mat_draw(&t->s, "A", 2, 2, 0), *B = mat_draw(&t->s, "A", 2, 2, 0);
    claim_equal(t, "the same draw", A, B);
}

typedef struct { body *run; long equations; const char *failed; } recording;
static const recording recordings[] = {
    { ranges, 6, NULL }, { functions, 11, NULL }, { too_long, 0, "too many terms" }, { by_size, 0, "depends on the sizes" },
    { sum_inverse, 0, "neither of a product" }, { nothing_said, 0, "the same steps" },
};

START_TEST(recorded)
{
    const recording *r = &recordings[_i];
    const part P = { .name = "as-stated", .run = r->run };
    certifier c = { .folder = scratch, .id = "REC", .part = &P };
    shape sh = { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 1 };
    char said[4096], *text, *path = must_format("%s/REC-as-stated.cert", scratch);
    ck_assert_ptr_null(shape_complete(&sh));
    unlink(path);
    const char *why = certify_symbolic(&c, NULL, &P, sh);
    certifier_clear(&c);
    if (r->failed) {
        ck_assert_msg(why && strstr(why, r->failed), "said %s, not %s", why ? why : "nothing", r->failed);
        ck_assert_int_eq(c.written, 0);
    } else {
        ck_assert_msg(!why, "%s", why);
        char *name = must_format("%s/REC-as-stated%s.cert", scratch, _i ? "-2" : "");
        text = contents(name);
        ck_assert_msg(accepts(text, strlen(text), said, sizeof said), "%s\n%s", said, text);
        ck_assert_msg(statement_is_true(text), "not true:\n%s", text);
        long n = 0;
        for (const char *p = text; (p = strstr(p, "\nequal ")); p++) n++;
        ck_assert_msg(n == r->equations, "%ld equations:\n%s", n, text);
        free(text);
        free(name);
    }
    free(path);
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
    trial t = { .s = scope_open(&R, 1, 1), .certifier = &c };
    const mat *A = mat_identity(&t.s, 2);
    R.get_exact = no_value;
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
    char said[1024];
    ck_assert_int_eq(run_child(inexact, NULL, said, sizeof said), CONTRACT_STATUS);
    ck_assert_msg(strstr(said, "no exact value") != NULL, "%s", said);
    ck_assert_int_eq(run_child(no_such_name, NULL, said, sizeof said), CONTRACT_STATUS);
    ck_assert_msg(strstr(said, "name 0 of 0") != NULL, "%s", said);
    arith R = arith_term();
    scope s = scope_open(&R, 1, 1);
    const mat *A = mat_draw(&s, "A", 2, 2, 0), *B = mat_draw(&s, "A", 2, 2, 0);
    mpq_t x;
    mpq_init(x);
    ck_assert_int_eq(mat_compare(A, B, 0).is, UNDECIDED);              /* though they are equal */
    ck_assert(!R.get_exact(x, A, 0, 0));
    ck_assert(R.get_d(A, 0, 0) != R.get_d(A, 0, 0) && mat_log2max(A) != mat_log2max(A));
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
    key_derive(key, seed, "mutant");
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
    { "sym", { "K-P3.2-as-stated", "K-LA.1-as-stated", "K-P4.1-as-stated", "K-L3.1-as-stated", "K-T4.4-corrected-tied",
               "N13-as-stated-if-3" }, 0 },
    { "relu-eq", { "K-E2-as-stated-explicit", "K-E1-001-as-stated-lines", "K-E-disjoint-as-stated-wider",
                   "K-E1-suff-as-stated-least-J" }, 1 },
    { "relu-neq", { "K-E-disjoint-corrected-signs", "K-E-disjoint-corrected-signs-4", "K-E-disjoint-corrected-signs-8" }, 2 },
    { "no-j", { "K-E1-nec-as-stated-no-J-generic", "K-E1-001-as-stated-rows-no-J", "K-E1-R8-as-stated-generic-5",
                "K-E1-R8-as-stated-m_h-generic" }, 3 },
    { "matrix", { "N13-as-stated-U-images", "N12-as-stated-not-same-image", "K-A-slice-as-stated-outside" }, 6 },
    { "recount", { "K-N-params-as-stated", "B-13-as-stated-gap", "B-41-as-stated", "K-N-wd-as-stated" }, 7 },
};

START_TEST(mutations)
{
    const corpus *c = &corpora[_i];
    const long wanted = number_of("CERTIFICATE_MUTATIONS", MUTATIONS);
    char *base[8], **text = must_calloc((size_t)wanted, sizeof *text), name[32], *said;
    long bases = 0, accepted = 0, rejected_ones = 0;
    base[bases++] = must_strdup(forgeries[c->text].text);
    for (int k = 0; k < 6 && c->file[k]; k++) {
        char *path = must_format("%s/%s.cert", emitted, c->file[k]);
        base[bases] = contents(path);
        ck_assert_msg(base[bases][0], "no file %s", path);
        ck_assert_msg(statement_is_true(base[bases]), "%s is not true", path);
        bases++;
        free(path);
    }
    uint64_t counter = 0;
    for (long k = 0; k < wanted; k++) {
        const char *from = base[k % bases];
        do {
            free(text[k]);
            text[k] = mutant(from, counter++ + 1000003 * (uint64_t)_i);
        } while (strcmp(text[k], from) == 0);
        snprintf(name, sizeof name, "m%05ld.cert", k);
        put(name, text[k], strlen(text[k]));
    }
    const int status = proofcheck(scratch, "m*.cert", &said);
    ck_assert_msg(status == 0 || status == 1, "%s: status %d", c->kind, status);
    for (long k = 0; k < wanted; k++) {
        snprintf(name, sizeof name, "m%05ld.cert: ", k);
        const char *line = strstr(said, name);
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
    free(said);
    while (bases > 0) free(base[--bases]);
    char line[64], *command = must_format("rm -f %s/m*.cert", scratch);
    run_shell(command, line, sizeof line);
    free(command);
}
END_TEST

/* ---- fuzzing: random bytes, and certificates with bytes flipped, cut or repeated ---- */

START_TEST(fuzz)
{
    const long rounds = number_of("CERTIFICATE_FUZZ", FUZZ);
    char name[32], *said, *folder = must_format("rm -f %s/f*.cert", scratch), line[64];
    for (long k = 0; k < rounds; k++) {
        const uint64_t seed[2] = { (uint64_t)k, 11 };
        uint64_t key[2];
        key_derive(key, seed, "fuzz");
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
        put(name, text, n);
        free(text);
    }
    const int status = proofcheck(scratch, "f*.cert", &said);
    ck_assert_msg(status == 0 || status == 1, "status %d", status);
    long seen = 0;
    for (const char *p = said; (p = strchr(p, '\n')); p++) seen++;
    ck_assert_int_eq(seen, rounds);
    run_shell(folder, line, sizeof line);
    free(folder);
    free(said);
}
END_TEST

int main(int argc, char **argv)
{
    scratch = scratch_folder();
    Suite *suite = suite_create("certificate");
    static const char *const names[] = { "checker", "writer", "programs", "fuzz" };         /* CK_RUN_CASE chooses one */
    TCase *of[COUNT(names)];
    for (size_t k = 0; k < COUNT(names); k++) {
        of[k] = tcase_create(names[k]);
        tcase_set_timeout(of[k], 600);
        suite_add_tcase(suite, of[k]);
    }
    tcase_add_loop_test(of[0], forgeries_are_rejected, 0, COUNT(forgeries));
    tcase_add_test(of[0], malformed);
    tcase_add_test(of[0], truncated);
    tcase_add_test(of[0], usage);
    tcase_add_test(of[0], greedy);
    tcase_add_test(of[1], bodies_write);
    tcase_add_loop_test(of[1], recorded, 0, COUNT(recordings));
    tcase_add_test(of[1], recorder_and_contracts);
    tcase_add_unchecked_fixture(of[2], emit_all, NULL);
    tcase_add_test(of[2], emitted_are_accepted);
    tcase_add_test(of[2], option);
    tcase_add_loop_test(of[2], mutations, 0, COUNT(corpora));
    tcase_add_test(of[3], fuzz);
    const int status = run_suite(suite, argc, argv);
    remove_folders();
    return status;
}
