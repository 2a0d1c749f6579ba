/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_fuzz.c - mutated input to every parser: an answer or one clear message, never a crash.
 *
 * FUZZ_ROUNDS (default 300) mutated texts each; run under sanitizers by `make fuzz`. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "numerics/random.h"
#include "src/methods/counts/count.h"
#include "src/methods/counts/formula.h"
#include "src/data/matrix_file.h"
#include "src/claim/runner/runner.h"
#include "src/experiments/sweep.h"
#include "tests/support/files.h"
#include "src/methods/counts/printed_number.h"
#include "tests/support/suite.h"

static const uint64_t key[2] = { 20261121, 9 };
static uint64_t counter;
static uint64_t below(uint64_t n) { return random_below(key, counter++, n); }

static long rounds(void)
{
    const char *text = getenv("FUZZ_ROUNDS");
    const long n = text ? strtol(text, NULL, 10) : 300;
    return n > 0 ? n : 300;
}

/* Some bytes changed, removed, doubled, or a piece copied elsewhere; capacity bytes in all. */
static void mutate(char *text, size_t capacity)
{
    static const char spice[] = "\0\n,\"=:-+.0919e%sxnaninf\x80\xff";
    for (uint64_t edits = 1 + below(4); edits > 0; edits--) {
        const size_t n = strlen(text);
        const size_t at = n ? below(n) : 0;
        switch (below(4)) {
        case 0: if (n) text[at] = spice[below(sizeof spice)]; break;
        case 1: if (n) memmove(text + at, text + at + 1, n - at); break;
        case 2: if (n + 2 < capacity) { memmove(text + at + 1, text + at, n - at + 1); text[at] = spice[below(sizeof spice - 1)]; } break;
        default: if (n > 8 && n + 8 < capacity) { char piece[8]; memcpy(piece, text + below(n - 8), 8); memmove(text + at + 8, text + at, n - at + 1); memcpy(text + at, piece, 8); }
        }
    }
}

START_TEST(shapes)
{
    for (long k = 0; k < rounds() * 20; k++) {
        char text[256] = "n=4 d=8 h=2 dk=4 m=16 V=7 L=2 h_kv=1 mask=full norm=rms act=gelu attention=softmax tied=1 rope=1", printed[512];
        mutate(text, sizeof text);
        shape sh = { .n = 2, .d = 4, .h = 2, .m = 4, .V = 3, .L = 1 }, again = { 0 };
        if (shape_parse(&sh, text)) continue;
        shape_print(printed, sizeof printed, &sh);              /* what was accepted prints and parses back */
        ck_assert_msg(shape_parse(&again, printed) == NULL, "%s printed as %s", text, printed);
        char second[512];
        shape_print(second, sizeof second, &again);
        ck_assert_str_eq(printed, second);
    }
}
END_TEST

START_TEST(arithmetics)
{
    for (long k = 0; k < rounds() * 20; k++) {
        const char *const good[] = { "f64", "mpfr:256", "arb:4096", "fp:2305843009213693951", "q", "sym" };
        char text[64];
        snprintf(text, sizeof text, "%s", good[below(COUNT(good))]);
        mutate(text, sizeof text);
        arith_spec a;
        if (arith_spec_parse(&a, text)) continue;
        ck_assert(a.kind >= 0 && a.kind < ARITHS && (!a.bits || (a.bits >= 24 && a.bits <= 65536)));
    }
}
END_TEST

static const char good_row[] =
    "K-T4.4,corrected,identity,claim,arb,256 bits,n=4 d=4 h=2 dk=2,20261121,0,holds,-181.2,-64,nan,2,1.5,0,0.01,1,Haswell,"
    "this instance,none,,0,0,all,logits,,,\n";
static const char good_index[] =
    "id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls\n"
    "K-T4.4,,K,Thm 4.1,Thm 4.4,Thm 4.2,theorem,\"elimination, all layers\",PROVED,k_t4_4,sym,\n";

static const char *path;
static void read_rows(void *unused)
{
    (void)unused;
    rows all = { 0 };
    evidence_rows_read(&all, path);
    (void)judge_claim(&all, NULL, NULL, NULL, "K-T4.4");
    evidence_rows_free(&all);
}
static void read_index(void *unused)
{
    (void)unused;
    claim_index x = index_read(path);
    index_free(&x);
}

static const char good_model[] = "# a model\nlayers=2\nwidth=8\nheads=4\nkv_heads=2\nmlp=16\nvocabulary=50\ncontext=4\n"
                                 "positions=rope\nnorm=rms\ngated=yes\n";
static void read_model(void *unused)
{
    (void)unused;
    removal all[COUNT_REMOVALS];
    const description m = describe_read(path);
    const counts c = count_parameters(&m);
    const operations op = count_operations(&m);
    const gauge_count g = count_gauge(&m);
    count_removals(&m, all);
    if (count_total(&c) <= 0 || op.matrices < 0 || op.context <= 0 || g.least < 0 || g.dimension < -1) _exit(3);
    for (int k = 0; k < COUNT_REMOVALS; k++) if (all[k].removed < 0) _exit(4);
}

static void hammer(void (*reader)(void *), const char *head, const char *valid)
{
    char *folder = temp_folder(), *file = temp_path(folder, "input.csv"), output[2048];
    path = file;
    for (long k = 0; k < rounds(); k++) {
        char text[2048];
        snprintf(text, sizeof text, "%s", valid);
        mutate(text, sizeof text);
        temp_text(NULL, file, temp_format("%s%s", head, text));
        const int status = run_child(reader, NULL, output, sizeof output);
        ck_assert_msg(status == 0 || status == 2, "status %d on:\n%s%s\nsaid: %s", status, head, text, output);
        ck_assert_msg(status == 0 || strchr(output, '\n') == output + strlen(output) - 1, "more than one line: %s", output);
    }
}

static run_cost no_cost(int argc, char **argv)
{
    (void)argc, (void)argv;
    return (run_cost){ .steps = 1, .unit = "tokens" };
}

static void read_worklist(void *unused)
{
    static const run_kind kinds[] = { { "train", no_cost }, { NULL, NULL } };
    (void)unused;
    worklist w = worklist_read(path, kinds);
    worklist_free(&w);
}

START_TEST(lists_of_runs)
{
    hammer(read_worklist, "", "a train --data-seed=1 --seed 2 --data=x\nb train --dat random # why\nc train --ou\nd train --da");
}
END_TEST

START_TEST(evidence)
{
    char *head = NULL;
    size_t size;
    FILE *f = open_memstream(&head, &size);
    ck_assert_ptr_nonnull(f);
    evidence_row_header(f);
    fclose(f);
    hammer(read_rows, head, good_row);
    free(head);
}
END_TEST

/* ---- matrices: bytes, not text -------------------------------------------------------------------------- */

static size_t mutate_bytes(unsigned char *at, size_t n, size_t capacity)
{
    static const unsigned char spice[] = "\0\n,\"'()<>|=:-+./019efiuO \x80\xff\x93";
    for (uint64_t edits = 1 + below(4); edits > 0; edits--) {
        const size_t k = n ? below(n) : 0;
        switch (below(4)) {
        case 0: if (n) at[k] = below(2) ? spice[below(sizeof spice)] : (unsigned char)below(256); break;
        case 1: if (n) { memmove(at + k, at + k + 1, n - k - 1); n--; } break;
        case 2: if (n + 1 < capacity) { memmove(at + k + 1, at + k, n - k); at[k] = spice[below(sizeof spice)]; n++; } break;
        default: if (below(4) == 0) n = k;                      /* cut off */
        }
    }
    return n;
}

static void read_matrix(void *rectangle)
{
    fmpq_mat_t A, B;
    char *printed;
    size_t size;
    matrix_read(A, path);
    FILE *f = open_memstream(&printed, &size);
    matrix_print(f, A);
    fclose(f);
    matrix_parse_csv(B, &(matrix_bytes){ "printed", (unsigned char *)printed, size });
    if (!fmpq_mat_equal(A, B)) abort();                         /* what was accepted prints and reads back */
    fmpq_mat_clear(A);
    fmpq_mat_clear(B);
    free(printed);
    (void)rectangle;
}

static void hammer_matrix(const unsigned char *valid, size_t length)
{
    char *folder = temp_folder(), *file = temp_path(folder, "matrix"), output[2048];
    path = file;
    long accepted = 0;
    for (long k = 0; k < rounds(); k++) {
        unsigned char bytes[512];
        memcpy(bytes, valid, length);
        const size_t n = k ? mutate_bytes(bytes, length, sizeof bytes) : length;
        temp_write(NULL, file, bytes, n);
        const int status = run_child(read_matrix, NULL, output, sizeof output);
        ck_assert_msg(status == 0 || status == 2, "round %ld: status %d, output: %s", k, status, output);
        ck_assert_msg(status == 0 || strchr(output, '\n') == output + strlen(output) - 1, "more than one line: %s", output);
        ck_assert_msg(k || status == 0, "the valid matrix is refused: %s", output);
        accepted += status == 0;
    }
    ck_assert_int_lt(accepted, rounds());
}

START_TEST(csv_matrix)
{
    static const char valid[] = "# three columns\n1,-2.5e-3,3/7\n12345678901234567890,.5,0\r\n\n+7,8.,1E4\n";
    hammer_matrix((const unsigned char *)valid, sizeof valid - 1);
}
END_TEST

START_TEST(npy_matrix)
{
    static const char valid[] = "\x93NUMPY\1\0\x45\0{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }          \n"
                                "\0\0\x80\x3f\0\0\0\x40\x01\0\0\0\0\0\x80\xbf\xcd\xcc\xcc\x3d\0\0\xc8\x42";
    hammer_matrix((const unsigned char *)valid, sizeof valid - 1);
}
END_TEST

START_TEST(index_of_claims) { hammer(read_index, "", good_index); } END_TEST
START_TEST(models) { hammer(read_model, "", good_model); } END_TEST

static bool seven(mpq_t out, const char *name)
{
    mpq_set_ui(out, 7, 1);
    return strlen(name) < 4;
}

/* Formulas and printed numbers: a value or a reason, whatever the input. */
START_TEST(formulas)
{
    for (long k = 0; k < rounds() * 20; k++) {
        const char *const good[] = { "100*(a + 1)/(4*b) - 2^3", "max(a, b, 0.5) - z(98.3, 97.1)", "sqrt(acosd(0.999))" };
        const char *const numbers[] = { "~1,490k", "<= -0.25%", "29.5B" };
        char text[128], cut[64];
        size_t at;
        mpq_t x;
        printed_number p;
        snprintf(text, sizeof text, "%s", good[below(COUNT(good))]);
        snprintf(cut, sizeof cut, "%s", numbers[below(COUNT(numbers))]);
        mutate(text, sizeof text);
        mutate(cut, sizeof cut);
        mpq_init(x);
        const char *why = formula_value(x, text, seven, &at);
        ck_assert_msg(at <= strlen(text), "%zu of `%s`: %s", at, text, why ? why : "fine");
        if (!printed_parse(&p, cut) && !why) (void)printed_agrees(&p, x);
        printed_clear(&p);
        mpq_clear(x);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("fuzz");
    TCase *all = tcase_create("parsers");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, shapes);
    tcase_add_test(all, arithmetics);
    tcase_add_test(all, evidence);
    tcase_add_test(all, lists_of_runs);
    tcase_add_test(all, index_of_claims);
    tcase_add_test(all, csv_matrix);
    tcase_add_test(all, npy_matrix);
    tcase_add_test(all, models);
    tcase_add_test(all, formulas);
    return run_suite(suite, argc, argv);
}
