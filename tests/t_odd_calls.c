/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_odd_calls.c - src/base and src/data at the edge of what they may be asked: contracts that a caller breaks, numbers that
 * fit into nothing, options written in every way, texts that are hardly texts. */
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/crew.h"
#include "src/base/csv.h"
#include "src/base/escape.h"
#include "src/base/fields.h"
#include "src/base/list.h"
#include "src/base/option.h"
#include "src/base/screen.h"
#include "src/base/shown.h"
#include "src/data/encode.h"
#include "src/data/images.h"
#include "src/data/merges.h"
#include "src/data/safetensors.h"
#include "src/data/tokens.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

static char output[4096];
static void ends(void (*f)(void *), void *with, int status, const char *says)
{
    const int is = run_child(f, with, output, sizeof output);
    ck_assert_msg(is == status && strstr(output, says), "status %d instead of %d, wanted %s: %s", is, status, says, output);
}

/* ---- contracts --------------------------------------------------------------------------------------------------------- */

static tokens five(void)
{
    static const uint16_t at[5] = { 1, 2, 3, 4, 5 };
    return (tokens){ .at = at, .n = 5, .V = 6 };
}
static void no_tokens(void)      { tokens_synthetic(1, 0); }
static void part_below(void)     { tokens t = five(); tokens_part(&t, -0.5, 1); }
static void part_empty(void)     { tokens t = five(); tokens_part(&t, 0.5, 0.5); }
static void part_above(void)     { tokens t = five(); tokens_part(&t, 0.5, 1.5); }
static void window_behind(void)  { tokens t = five(); int32_t a[8], b[8]; tokens_window(&t, 2, 3, a, b); }
static void place_in_few(void)   { tokens t = five(); tokens_place(&t, 1, 0, 0, 5); }
static void row_behind(void)     { tokens t = five(); tokens_order o = tokens_order_torch(1, 2); tokens_order_at(&o, &t, 0, 2, 3); }
static void row_before(void)     { tokens t = five(); tokens_order o = tokens_order_torch(1, 2); tokens_order_at(&o, &t, 0, -1, 3); }
static void order_in_few(void)   { tokens t = five(); tokens_order o = tokens_order_torch(1, 2); tokens_order_at(&o, &t, 0, 0, 5); }
static void digits_before(void)  { images_digits(1, -1, 1); }
static void no_digits(void)      { images_digits(1, 0, 0); }
static void image_behind(void)
{
    unsigned char image[64 * 64];
    int32_t label, order = 1;
    images x = images_digits(1, 0, 1);
    images_pick(&x, &order, 1, image, &label);
}
static void image_before(void)
{
    unsigned char image[64 * 64];
    int32_t label, order = -1;
    images x = images_digits(1, 0, 1);
    images_pick(&x, &order, 1, image, &label);
}
static void no_word(void)
{
    uint16_t token;
    merges *m = merges_read(temp_text(temp_folder(), "m", "#version: 0.2\nt r\n"));
    merges_apply(m, "", 0, &token);
}
static void no_places(void)      { crew_begin(0); }
static void sleeper(const void *of)
{
    execlp("sleep", "sleep", "60", NULL);
    (void)of;
}
static void kill_one(crew *c) { kill(c->pid[0], SIGKILL); }
static void crew_is_full(void)
{
    crew c = crew_begin(1);
    crew_start(&c, sleeper, NULL);
    kill_one(&c);
    crew_start(&c, sleeper, NULL);
}
static void crew_is_active(void)
{
    crew c = crew_begin(1);
    crew_start(&c, sleeper, NULL);
    kill_one(&c);
    crew_end(&c);
}
static void two_lines(void)      { csv_field(stderr, "a\nb", ','); }
static void share_of_nothing(void)
{
    const encode_config c = { .in = "x", .out = "y", .level = LEVEL_BYTES, .val = 0.5 };
    encode_text(&c);
}
static void share_of_all(void)
{
    const encode_config c = { .in = "x", .out = "y", .level = LEVEL_BYTES, .val = 1, .val_out = "z" };
    encode_text(&c);
}
static void share_below(void)
{
    const encode_config c = { .in = "x", .out = "y", .level = LEVEL_BYTES, .val = -1, .val_out = "z" };
    encode_text(&c);
}
static void no_text(void)
{
    safetensors s = { 0 };
    safetensors_text(&s, "a", "\xff");
    safetensors_write(&s, temp_path(temp_folder(), "f"));
}
typedef struct { double real; long whole; } two;
static const field a_real = FIELD_REAL(two, real);
static void real_as_whole(void)  { two t = { 1, 1 }; field_get(&a_real, &t); }
static void whole_as_real(void)  { two t = { 1, 1 }; field_set(&a_real, &t, 1); }
static void large_member(void)
{
    struct { char large[64]; } t = { "" };
    const field f = { .name = "x", .type = FIELD_IS_NUMBER, .size = sizeof t };
    if (field_parse(&f, &t, "1")) fprintf(stderr, "taken\n");
}

typedef struct { void (*act)(void); } broken;
static void break_contract(void *with)
{
    contract_set_handler(contract_exits);
    ((broken *)with)->act();
}

START_TEST(contracts)
{
    static broken all[] = { { no_tokens }, { part_below }, { part_empty }, { part_above }, { window_behind }, { place_in_few }, { row_behind }, { row_before },
        { order_in_few }, { digits_before }, { no_digits }, { image_behind }, { image_before }, { no_word }, { no_places }, { crew_is_full }, { crew_is_active },
        { two_lines }, { share_of_nothing }, { share_of_all }, { share_below }, { no_text }, { real_as_whole }, { whole_as_real }, { large_member } };
    for (size_t k = 0; k < COUNT(all); k++) {
        const int status = run_child(break_contract, &all[k], output, sizeof output);
        ck_assert_msg(status == CONTRACT_STATUS, "contract %zu: status %d: %s", k, status, output);
    }
}
END_TEST

/* ---- memory that nothing has ---------------------------------------------------------------------------------------------- */

static void too_many(void *with) { (void)with; free(must_calloc(SIZE_MAX / 2, 3)); }
static void too_much(void *with) { (void)with; free(must_calloc(1, SIZE_MAX / 2)); }
static void too_much_more(void *with) { free(must_realloc(NULL, SIZE_MAX / 4, 2)); (void)with; }

START_TEST(memory)
{
    ends(too_many, NULL, 2, "out of memory (9223372036854775807 objects of 3 bytes wanted)");
    ends(too_much, NULL, 2, "out of memory (9223372036854775807 bytes wanted)");
    ends(too_much_more, NULL, 2, "out of memory (9223372036854775806 bytes wanted)");
    void *p = must_calloc(0, 8);
    ck_assert_ptr_nonnull(p);
    free(must_realloc(p, 0, 1));
}
END_TEST

/* ---- numbers --------------------------------------------------------------------------------------------------------------- */

static void whole(void *with)  { fprintf(stderr, "%ld\n", option_whole(with, "--x", -5, 5)); }
static void number(void *with) { fprintf(stderr, "%g\n", option_number(with, "--x", -5, 5)); }
static void seed(void *with)   { fprintf(stderr, "%llu\n", (unsigned long long)option_seed(with, "--x")); }

START_TEST(numbers)
{
    static char *const no_whole[] = { "", "x", "1x", "6", "-6", "99999999999999999999", "1.5" };
    static char *const no_number[] = { "", "x", "1x", "5.1", "-5.1", "nan", "inf" };
    static char *const no_seed[] = { "", "x", "-1", "1x", "99999999999999999999999", ":" };
    for (size_t k = 0; k < COUNT(no_whole); k++) ends(whole, no_whole[k], 2, "--x takes a whole number");
    for (size_t k = 0; k < COUNT(no_number); k++) ends(number, no_number[k], 2, "--x takes a number from -5 to 5");
    for (size_t k = 0; k < COUNT(no_seed); k++) ends(seed, no_seed[k], 2, "--x takes a whole number or `random`");
    ends(whole, "-5", 0, "-5\n");
    ends(number, "-.5e1", 0, "-5\n");
    ends(seed, "18446744073709551615", 0, "18446744073709551615\n");
    ends(seed, "random", 0, "--x=");
    two t = { 2, 3 };
    static const field n = { .name = "n", .type = FIELD_IS_NUMBER, FIELD_AT(two, whole), .least = -5, .most = 5 };
    static const char *const no_field[] = { "", "-", "6", "-6", "99999999999999999999", "1x", "x" };
    for (size_t k = 0; k < COUNT(no_field); k++) ck_assert_msg(!field_parse(&n, &t, no_field[k]) && t.whole == 3, "%s", no_field[k]);
    ck_assert(field_parse(&n, &t, "-5") && t.whole == -5);
    static const char *const no_real[] = { "", "-", "1e999", "x", "1x" };
    for (size_t k = 0; k < COUNT(no_real); k++) ck_assert_msg(!field_parse(&a_real, &t, no_real[k]) && t.real == 2, "%s", no_real[k]);
    ck_assert(field_parse(&a_real, &t, "-1e-3") && t.real == -1e-3);
}
END_TEST

static void cells(void *with)
{
    csv_file c = csv_open(with, "a,b", "write it again");
    while (csv_next(&c)) fprintf(stderr, "%g %ld;", csv_double(&c, 0), csv_long(&c, 1));
    csv_close(&c);
}

START_TEST(cells_of_tables)
{
    static const struct { const char *rows, *says; int status; } all[] = {
        { "1e999,1\n1e-999,-2\n", "inf 1;0 -2;", 0 }, { ",1\n", "is not a number", 2 }, { " 1,1\n", "is not a number", 2 }, { "1x,1\n", "is not a number", 2 },
        { "1,\n", "column", 2 }, { "1, 1\n", "column", 2 }, { "1,1x\n", "column", 2 }, { "1,99999999999999999999\n", "column", 2 } };
    for (size_t k = 0; k < COUNT(all); k++)
        ends(cells, temp_text(temp_folder(), "t.csv", temp_format("a,b\n%s", all[k].rows)), all[k].status, all[k].says);
}
END_TEST

/* ---- options --------------------------------------------------------------------------------------------------------------- */

static error_t take(int key, char *arg, struct argp_state *state)
{
    (void)state;
    if (key == ARGP_KEY_ARG) fprintf(stderr, "[%s]", arg);
    else if (key == 'a' || key == 'b') fprintf(stderr, "<%c=%s>", key, arg ? arg : "");
    else if (key == 300) fprintf(stderr, "<long=%s>", arg);
    else return ARGP_ERR_UNKNOWN;
    return 0;
}
static const struct argp_option of_child[] = { { "long", 300, "N", 0, "has a value", 0 }, { 0 } };
static const struct argp child_parser = { of_child, take, NULL, NULL, NULL, NULL, NULL };
static const struct argp_child children[] = { { &child_parser, 0, NULL, 0 }, { 0 } };
static const struct argp_option of_parser[] = {
    { "alpha", 'a', NULL, 0, "a switch", 0 }, { "alphabet", 'b', "TEXT", 0, "has a value", 0 }, { NULL, 0, NULL, 0, "A heading", 1 }, { 0 } };
static const struct argp parser = { of_parser, take, "WORD...", NULL, children, NULL, NULL };

static void parse(void *with)
{
    char *word[8] = { (char *)(uintptr_t)"program" }, *save = NULL;
    int n = 1;
    for (char *w = strtok_r(must_strdup(with), " ", &save); w; w = strtok_r(NULL, " ", &save)) word[n++] = w;
    option_parse(&parser, n, word, 0, NULL);
}

START_TEST(options)
{
    static const struct { char *line; int status; const char *says; } all[] = {
        { "x - y", 0, "[x][-][y]" }, { "-a x", 0, "<a=>[x]" }, { "-ab1 x", 0, "<a=><b=1>[x]" }, { "-b \x1b x", 0, "<b=\x1b>[x]" }, { "--alphabet=1", 0, "<b=1>" },
        { "--alphabet 1 x", 0, "<b=1>[x]" }, { "--alpha", 0, "<a=>" }, { "--alphab 1", 0, "<b=1>" }, { "--lo 2 x", 0, "<long=2>[x]" }, { "--long=2", 0, "<long=2>" },
        { "-- --\x1b", 0, "[--\x1b]" }, { "--\x1b=1", 2, "no option is called `--\\x1b`" }, { "-\x1b", 2, "no option is called `-\\x1b`" },
        { "-a\x1b", 2, "no option is called `-a\\x1b`" }, { "--alphabet \x1b --\x1b", 2, "no option is called" } };
    for (size_t k = 0; k < COUNT(all); k++) ends(parse, all[k].line, all[k].status, all[k].says);
}
END_TEST

/* ---- texts ----------------------------------------------------------------------------------------------------------------- */

START_TEST(characters)
{
    static const struct { const char *text, *shown; size_t n; } all[] = {
        { "a", "a", 1 }, { "\x7f", "\\x7f", 1 }, { "\x1b", "\\x1b", 1 }, { "\xc3\xa9", "\xc3\xa9", 2 }, { "\xc3(", "\\xc3", 1 }, { "\x80", "\\x80", 1 },
        { "\xc0\xaf", "\\xc0", 1 }, { "\xe2\x82\xac", "\xe2\x82\xac", 3 }, { "\xe0\x80\xaf", "\\xe0", 1 }, { "\xed\xa0\x80", "\\xed", 1 },
        { "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", 4 }, { "\xf0\x80\x80\xaf", "\\xf0", 1 }, { "\xf4\x90\x80\x80", "\\xf4", 1 }, { "\xf5\x80\x80\x80", "\\xf5", 1 },
        { "\xff", "\\xff", 1 } };
    for (size_t k = 0; k < COUNT(all); k++) {
        char to[SHOWN_LONGEST];
        ck_assert_msg(shown_character(to, all[k].text) == all[k].n && strcmp(to, all[k].shown) == 0, "%s is %s", all[k].shown, to);
    }
    static const char *const commands[] = { "\xc2\x9b", "\xd8\x9c", "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9" };
    for (size_t k = 0; k < COUNT(commands); k++) {
        char to[SHOWN_LONGEST];
        ck_assert_uint_eq(shown_character(to, commands[k]), strlen(commands[k]));
        ck_assert_msg(to[0] == '\\', "%s", to);
    }
    char *path = temp_path(temp_folder(), "json");
    FILE *f = fopen(path, "w");
    shown_json(f, "{\"a\": \"\x7f\xc2\x9b\",\n \"b\": 1}\n");
    shown_write(f, "a\x1b");
    ck_assert_int_eq(fclose(f), 0);
    ck_assert_str_eq(temp_read(NULL, path, NULL), "{\"a\": \"\\u007f\\u009b\",\n \"b\": 1}\na\\x1b");
}
END_TEST

static void long_message(void *with)
{
    char *text = must_calloc(1 << 17, 1);
    memset(text, 'x', (1 << 17) - 1);
    (void)with;
    die("it says %s", text);
}
static void escaped_message(void *with)
{
    char *text = must_calloc(1 << 15, 1);
    memset(text, 27, (1 << 15) - 1);
    (void)with;
    die("it says\n%s", text);
}

START_TEST(messages_are_cut)
{
    ends(long_message, NULL, 2, "it says xxx");
    ends(escaped_message, NULL, 2, "it says\n\\x1b\\x1b");
    ck_assert_ptr_null(strchr(output, 27));
}
END_TEST

START_TEST(lists_and_lines)
{
    text_buffer t = { 0 };
    static const char *const items[] = { "", "a", "", "b;c", ";" };
    for (size_t k = 0; k < COUNT(items); k++) list_add(&t, items[k]);
    const char *at = t.at;
    ck_assert_str_eq(list_next(&at), "a");
    ck_assert_str_eq(list_next(&at), "b;c");
    ck_assert_str_eq(list_next(&at), ";");
    ck_assert_ptr_null(list_next(&at));
    text_clear(&t);
    char *path = temp_path(temp_folder(), "f");
    FILE *f = fopen(path, "w");
    screen_wrapped(f, 12, "first: ", "one two\n three  fourteenletters a" NO_BREAK "b \n", 2, "");
    screen_wrapped(f, 40, "", "", 0, "\n");
    ck_assert_int_eq(fclose(f), 0);
    const char *lines = temp_read(NULL, path, NULL);
    ck_assert_msg(strstr(lines, "first: one\n") && strstr(lines, "\n  fourteenletters") && strstr(lines, "\n  a b\n"), "%s", lines);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("odd_calls");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, contracts);
    tcase_add_test(all, memory);
    tcase_add_test(all, numbers);
    tcase_add_test(all, cells_of_tables);
    tcase_add_test(all, options);
    tcase_add_test(all, characters);
    tcase_add_test(all, messages_are_cut);
    tcase_add_test(all, lists_and_lines);
    return run_suite(suite, argc, argv);
}
