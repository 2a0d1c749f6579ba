/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_base.c - texts, tables of fields, and CSV. */
#include <errno.h>
#include <math.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/base/blas_core.h"
#include "src/base/child.h"
#include "src/base/csv.h"
#include "src/base/fields.h"
#include "src/base/file.h"
#include "src/base/intern.h"
#include "src/base/list.h"
#include "src/base/progress.h"
#include "src/base/shown.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- the kernels of OpenBLAS -------------------------------------------------------------- */

/* A name from outside is dropped, a library that does not know the CPU is told, and processes below keep that. */
START_TEST(blas_core)
{
    static const struct { const char *named, *chosen, *loaded, *best; blas_core_action is; } at[] = {
        { NULL, NULL, "Prescott", "Cooperlake", BLAS_CORE_SET },
        { NULL, NULL, "Nehalem", "Haswell", BLAS_CORE_SET },
        { NULL, NULL, "Haswell", "SkylakeX", BLAS_CORE_SET },
        { NULL, NULL, "SkylakeX", "Cooperlake", BLAS_CORE_SET },
        { NULL, NULL, "Cooperlake", "Cooperlake", BLAS_CORE_KEEP },
        { NULL, NULL, "SapphireRapids", "Cooperlake", BLAS_CORE_KEEP },
        { NULL, NULL, "Zen", "Haswell", BLAS_CORE_KEEP },
        { NULL, NULL, "Prescott", NULL, BLAS_CORE_KEEP },
        { NULL, NULL, NULL, "Cooperlake", BLAS_CORE_KEEP },                 /* before it is loaded */
        { "Haswell", NULL, "Haswell", "Cooperlake", BLAS_CORE_UNSET },
        { "Haswell", "Cooperlake", "Haswell", "Cooperlake", BLAS_CORE_UNSET },
        { "Cooperlake", NULL, "Cooperlake", "Cooperlake", BLAS_CORE_UNSET },
        { "Cooperlake", "Cooperlake", "Cooperlake", "Cooperlake", BLAS_CORE_KEEP },
        { "Cooperlake", "Cooperlake", "Prescott", "Cooperlake", BLAS_CORE_KEEP },
    };
    for (size_t k = 0; k < COUNT(at); k++)
        ck_assert_msg(blas_core_decide(at[k].named, at[k].chosen, at[k].loaded, at[k].best) == at[k].is, "case %zu", k);
}
END_TEST

/* ---- texts ----------------------------------------------------------------------------- */

START_TEST(text_grows)
{
    text_buffer t = { 0 };
    for (int k = 0; k < 1000; k++) {
        text_add(&t, "%d,", k % 10);
        ck_assert_uint_eq(t.length, 2 * ((size_t)k + 1));
        ck_assert_uint_eq(strlen(t.at), t.length);
    }
    text_bytes(&t, "end and more", 3);
    char *text = text_take(&t);
    ck_assert_int_eq(memcmp(text, "0,1,2,3,4,5,6,7,8,9,0,", 22), 0);
    ck_assert_str_eq(text + 2000, "end");
    ck_assert_ptr_null(t.at);
    free(text);
    text = text_take(&t);
    ck_assert_str_eq(text, "");
    free(text);
}
END_TEST

START_TEST(long_messages_keep_both_ends)       /* Check would end the whole program */
{
    char *long_text = must_calloc(30001, 1);
    memset(long_text, 'x', 30000);
    const char *shown = suite_message("begin %s end", long_text);
    ck_assert(strlen(shown) < 3100 && strncmp(shown, "begin xx", 8) == 0 && strstr(shown, "x\n... x") != NULL);
    ck_assert_str_eq(shown + strlen(shown) - 5, "x end");
    ck_assert_str_eq(suite_message("%d", 7), "7");
    ck_assert_msg(*suite_message(NULL), "a plain assertion has no message");
    free(long_text);
}
END_TEST

/* Enough of them that the table grows; each is the beginning of another. */
START_TEST(equal_texts_share_one_copy)
{
    enum { MANY = 3000 };
    static const char *kept[MANY];
    for (int k = 0; k < MANY; k++) {
        kept[k] = intern(temp_format("text %d", k));
        ck_assert_str_eq(kept[k], temp_format("text %d", k));
    }
    for (int k = 0; k < MANY; k++) {
        ck_assert_ptr_eq(intern(temp_format("text %d", k)), kept[k]);
        ck_assert_ptr_eq(intern_bytes(temp_format("text %d0", k), strlen(kept[k])), kept[k]);
    }
    ck_assert_ptr_ne(intern("text"), kept[0]);
    ck_assert_str_eq(intern(""), "");
}
END_TEST

START_TEST(lists_come_back)
{
    static const char *const items[] = { "a", "b; c", ";", "holds f(x;;y); z", " d" };
    text_buffer list = { 0 };
    list_add(&list, "");                                             /* none */
    for (size_t k = 0; k < COUNT(items); k++) list_add(&list, items[k]);
    ck_assert_str_eq(list.at, "a; b;; c; ;;; holds f(x;;;;y);; z;  d");
    const char *at = list.at;
    for (size_t k = 0; k + 1 < COUNT(items); k++) ck_assert_str_eq(list_next(&at), items[k]);
    ck_assert_str_eq(list_next(&at), "d");                           /* blanks between items are none of theirs */
    ck_assert_ptr_null(list_next(&at));
    text_clear(&list);
    at = "a; ; b;";
    ck_assert_ptr_eq(list_next(&at), intern("a"));
    ck_assert_ptr_eq(list_next(&at), intern("b"));
    ck_assert_ptr_null(list_next(&at));
}
END_TEST

START_TEST(text_is_trimmed)
{
    char blanks[] = " \t\n", padded[] = "  a b \n", bare[] = "a";
    ck_assert_str_eq(text_trim(blanks), "");
    ck_assert_str_eq(text_trim(padded), "a b");
    ck_assert_str_eq(text_trim(bare), "a");
}
END_TEST

/* ---- fields ---------------------------------------------------------------------------- */

typedef struct {
    long   width;
    double rate;
    bool   tied, first, second;
    enum { PLAIN, LAYER, RMS } norm;
    long   side, patch;
} config;
static const field fields[] = {
    FIELD_NUMBER(config, width, 1, 100), FIELD_REAL(config, rate), FIELD_SWITCH(config, tied),
    FIELD_WORD(config, norm, "none layer rms"),
    { .name = "skips", .type = FIELD_IS_SWITCH, FIELD_AT(config, first) },
    { .join = "", .type = FIELD_IS_SWITCH, FIELD_AT(config, second) },
    { .name = "size", .type = FIELD_IS_NUMBER, FIELD_AT(config, side), .most = 99 },
    { .join = "/", .type = FIELD_IS_NUMBER, FIELD_AT(config, patch), .most = 99 },
};
static const config sample = { .width = 12, .rate = 0.1, .second = true, .norm = RMS, .side = 28, .patch = 7 };
static const char sample_text[] = "width=12 rate=0.10000000000000001 tied=0 norm=rms skips=01 size=28/7";

START_TEST(fields_round_trip)
{
    text_buffer t = { 0 };
    config c = { 0 };
    fields_print(fields, COUNT(fields), &sample, &t);
    ck_assert_str_eq(t.at, sample_text);
    ck_assert_ptr_null(fields_parse(fields, COUNT(fields), &c, t.at));
    ck_assert_ptr_null(fields_difference(fields, COUNT(fields), &c, &sample));
    text_clear(&t);
}
END_TEST

START_TEST(fields_that_differ)
{
    config c = sample;
    c.second = false;
    ck_assert_ptr_eq(fields_difference(fields, COUNT(fields), &c, &sample), &fields[5]);
    c.rate = 0.2;
    ck_assert_ptr_eq(fields_difference(fields, COUNT(fields), &c, &sample), &fields[1]);
}
END_TEST

START_TEST(bad_fields)
{
    static const struct { const char *from, *to, *why; } bad[] = {
        { "width=12", "width=101", "width is a whole number from 1 to 100" },
        { "width=12", "width=", "width is a whole number from 1 to 100" },
        { "width=12", "width=1x", "expected rate=" },
        { "rate=0", "rate=nan", "rate is a number" },
        { "tied=0", "tied=2", "tied is 0 or 1" },
        { "tied=0 ", "", "expected tied=" },
        { "norm=rms", "norm=batch", "norm is one of: none layer rms" },
        { "skips=01", "skips=0", "a part of skips is missing or wrong" },
        { "28/7", "28x7", "expected size=" },
        { "28/7", "28/7 more=1", "more than is expected after size" },
    };
    for (size_t k = 0; k < COUNT(bad); k++) {
        const char *at = strstr(sample_text, bad[k].from);
        ck_assert_ptr_nonnull(at);
        config c;
        char *text = must_format("%.*s%s%s", (int)(at - sample_text), sample_text, bad[k].to, at + strlen(bad[k].from));
        char *why = fields_parse(fields, COUNT(fields), &c, text);
        ck_assert_msg(why && strcmp(why, bad[k].why) == 0, "%s: %s", text, why ? why : "accepted");
        free(text);
        free(why);
    }
}
END_TEST

/* Texts from before the optional rows are read, and records that do not use them have the text that they had. */
START_TEST(optional_fields)
{
    static const field later[] = {
        FIELD_NUMBER(config, width, 1, 100),
        { .name = "norm", .type = FIELD_IS_WORD, FIELD_AT(config, norm), .words = "none layer rms", .fallback = LAYER,
          .optional = true },
        { .name = "tied", .type = FIELD_IS_SWITCH, FIELD_AT(config, tied), .most = 1, .optional = true },
        { .name = "s", .type = FIELD_IS_SWITCH, FIELD_AT(config, second), .most = 1, .optional = true },
        FIELD_NUMBER(config, side, 0, 99),               /* s begins it                                  */
    };
    static const struct { const char *text; long norm; bool tied; } good[] = {
        { "width=12 side=28", LAYER, false }, { "width=12 norm=rms side=28", RMS, false },
        { "width=12 tied=1 side=28", LAYER, true }, { "width=12 norm=none tied=1 side=28", PLAIN, true } };
    for (size_t k = 0; k < COUNT(good); k++) {
        config c = { .norm = RMS, .tied = true };
        text_buffer t = { 0 };
        ck_assert_ptr_null(fields_parse(later, COUNT(later), &c, good[k].text));
        ck_assert(c.width == 12 && (long)c.norm == good[k].norm && c.tied == good[k].tied && c.side == 28);
        fields_print(later, COUNT(later), &c, &t);
        ck_assert_str_eq(t.at, good[k].text);
        text_clear(&t);
    }
    static const char *const bad[] = { "width=12 norm=batch side=28", "width=12 tied=1 norm=rms side=28",
                                       "width=12 normal=rms side=28", "width=12norm=rms side=28" };
    for (size_t k = 0; k < COUNT(bad); k++) {
        config c;
        char *why = fields_parse(later, COUNT(later), &c, bad[k]);
        ck_assert_msg(why, "%s is accepted", bad[k]);
        free(why);
    }
}
END_TEST

START_TEST(one_field)
{
    config c = sample;
    const field *f = field_find(fields, COUNT(fields), "norm");
    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_null(field_find(fields, COUNT(fields), "nor"));
    ck_assert(field_parse(f, &c, "layer") && c.norm == LAYER);
    ck_assert(!field_parse(f, &c, "layer more") && c.norm == LAYER);
    f = field_find(fields, COUNT(fields), "width");
    ck_assert(!field_parse(f, &c, "7x") && c.width == 12);
    ck_assert(!field_parse(f, &c, " 7") && c.width == 12);
    ck_assert(field_parse(f, &c, "7") && c.width == 7);
}
END_TEST

/* ---- CSV ------------------------------------------------------------------------------- */

static char *csv_path;

static void write_bytes(const char *text, size_t n)
{
    FILE *f = fopen(csv_path, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(text, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

START_TEST(csv_round_trip)
{
    static const char *const cell[] = { "", "plain", "a,b", "\"", "a \"b\", c\"", " x " };
    FILE *f = fopen(csv_path, "w");
    ck_assert_ptr_nonnull(f);
    fputs("text,number\n", f);
    for (size_t k = 0; k < COUNT(cell); k++) {
        csv_field(f, cell[k], ',');
        fprintf(f, "%zu\n", k);
    }
    ck_assert_int_eq(fclose(f), 0);
    csv_file c = csv_open(csv_path, "text,number", "write it again");
    for (size_t k = 0; k < COUNT(cell); k++) {
        char text[32];
        ck_assert(csv_next(&c));
        csv_text(&c, 0, text, sizeof text);
        ck_assert_str_eq(text, cell[k]);
        ck_assert_int_eq(csv_long(&c, 1), (long)k);
    }
    ck_assert(!csv_next(&c));
    csv_close(&c);
}
END_TEST

static void read_csv(void *with)
{
    (void)with;
    char text[8];
    csv_file c = csv_open(csv_path, "text,number,size,real", "write it again");
    while (csv_next(&c)) {
        csv_text(&c, 0, text, sizeof text);
        printf("%s %ld %lu %g;", text, csv_long(&c, 1), (unsigned long)csv_u64(&c, 2), csv_double(&c, 3));
    }
    csv_close(&c);
}

#define T(text) text, sizeof text - 1
#define HEADER "text,number,size,real\n"
static const struct { const char *text; size_t n; int status; const char *says; } csvs[] = {
    { T(HEADER), 0, "" },
    { T(HEADER "a,-1,1,0.5\n\"b,\"\"\",2,3,-0x1p-3\n"), 0, "a -1 1 0.5;b,\" 2 3 -0.125;" },
    { T(HEADER "a,1,1,inf\n"), 0, "a 1 1 inf;" },
    { T(""), 2, "x.csv:1: the first line must be text,number,size,real; write it again" },
    { T("text,number\n"), 2, "x.csv:1: the first line must be" },
    { T(HEADER "a,1,1\n"), 2, "x.csv:2: 3 columns, not the 4 of the first line; write it again" },
    { T(HEADER "a,1,1,1,\n"), 2, "x.csv:2: more than the 4 columns" },
    { T(HEADER "a,1,1,1\n\n"), 2, "x.csv:3: 1 columns, not the 4" },
    { T(HEADER "a,1,1,1"), 2, "x.csv:2: the line is cut off" },
    { T(HEADER "a,1\0,1,1\n"), 2, "x.csv:2: a zero byte" },
    { T(HEADER "\"a,1,1,1\n"), 2, "x.csv:2: column 1: a quote is not closed" },
    { T(HEADER "a,\"1\"2,1,1\n"), 2, "x.csv:2: column 2: text after the closing quote" },
    { T(HEADER "12345678,1,1,1\n"), 2, "x.csv:2: column text, `12345678`, is too long" },
    { T(HEADER "a,1.5,1,1\n"), 2, "x.csv:2: column number, `1.5`, is not a whole number" },
    { T(HEADER "a,,1,1\n"), 2, "x.csv:2: column number, ``, is not a whole number" },
    { T(HEADER "a,99999999999999999999,1,1\n"), 2, "column number, `99999999999999999999`, is not a whole number" },
    { T(HEADER "a,1,-1,1\n"), 2, "x.csv:2: column size, `-1`, is not a whole number from 0" },
    { T(HEADER "a,1,1,one\n"), 2, "x.csv:2: column real, `one`, is not a number" },
};

START_TEST(csv_is_strict)
{
    char output[1024];
    write_bytes(csvs[_i].text, csvs[_i].n);
    ck_assert_int_eq(run_child(read_csv, NULL, output, sizeof output), csvs[_i].status);
    ck_assert_msg(strstr(output, csvs[_i].says) != NULL, "`%s` is missing in %s", csvs[_i].says, output);
}
END_TEST

static void read_large(void *with) { free(file_read(csv_path, *(size_t *)with, NULL)); }

START_TEST(files_are_read_whole)
{
    static char bytes[100000];
    char output[256];
    size_t n, most = sizeof bytes - 1;
    memset(bytes, 'x', sizeof bytes);
    write_bytes(bytes, sizeof bytes);
    char *text = file_read(csv_path, sizeof bytes, &n);
    ck_assert_uint_eq(n, sizeof bytes);
    ck_assert_int_eq(memcmp(text, bytes, n), 0);
    free(text);
    ck_assert_int_eq(run_child(read_large, &most, output, sizeof output), 2);
    ck_assert_ptr_nonnull(strstr(output, "has more than 99999 bytes"));
}
END_TEST

/* ---- lines ------------------------------------------------------------------------------------------------ */

/* A file of these bytes, 2^27 times if `endless`; then a disk that fails if `fails`, else its end. */
typedef struct { const char *bytes; bool endless, fails; } source;
static long given;                       /* how often                                                   */

static ssize_t give(void *of, char *to, size_t n)
{
    source *s = of;
    const size_t length = s->bytes ? strlen(s->bytes) : 0, some = length < n ? length : n;
    if (!length) {
        errno = EIO;
        return s->fails ? -1 : 0;
    }
    memcpy(to, s->bytes, some);
    if (!s->endless || ++given == 1 << 27) s->bytes += some;
    return (ssize_t)some;
}

static FILE *open_source(source *s) { return fopencookie(s, "r", (cookie_io_functions_t){ .read = give }); }

/* Its lines, each ended by `|`, the last one by `/` where it has no end. */
static void print_lines(void *with)
{
    FILE *f = open_source(with);
    text_line l = { 0 };
    while (line_next(&l, f, "NAME")) printf("%s%s%s", l.at, line_has_zero(&l) ? "0" : "", l.whole ? "|" : "/");
    text_line_free(&l);
    fclose(f);
}

static void print_beginning(void *with)
{
    FILE *f = open_source(with);
    const bool is = line_begins(f, "NAME", "PRO ");
    printf("%s, %ld", is ? "yes" : "no", (long)getc(f));
    fclose(f);
}

static void print_lines_without_memory(void *with)
{
    memory_fail_at(1);
    print_lines(with);
}

START_TEST(lines_end_where_the_file_does)
{
    static char wide[400];
    memset(wide, 'x', 300);
    const struct { void (*print)(void *); source from; int status; const char *says; } all[] = {
        { print_lines, { "a\n\nb", false, false }, 0, "a||b/" },
        { print_lines, { "", false, false }, 0, "" },
        { print_lines, { "\n", false, false }, 0, "|" },
        { print_lines, { wide, false, false }, 0, temp_format("%s/", wide) },
        { print_lines, { "one\ntwo\n", false, true }, 2, "cannot read NAME: Input/output error\n" },
        { print_lines, { "one\ntw", false, true }, 2, "cannot read NAME: Input/output error\n" },
        { print_lines, { "", false, true }, 2, "cannot read NAME: Input/output error\n" },
        { print_lines, { "x", true, false }, 2, "cannot read NAME: it has a line of more than 67108864 bytes" },
        { print_lines_without_memory, { "a\n", false, false }, 2, "out of memory" },
        { print_lines_without_memory, { "", false, false }, 2, "out of memory" },
        { print_beginning, { "PRO x", false, false }, 0, "yes, 120" },
        { print_beginning, { "PRo x", false, false }, 0, "no, 32" },
        { print_beginning, { "PRO", false, false }, 0, "no, -1" },
        { print_beginning, { "PRO", false, true }, 2, "cannot read NAME: Input/output error" },
    };
    char output[1024];
    for (size_t k = 0; k < COUNT(all); k++) {
        source from = all[k].from;
        const int status = run_child(all[k].print, &from, output, sizeof output);
        const bool right = status == 0 ? strcmp(output, all[k].says) == 0 : strstr(output, all[k].says) != NULL;
        ck_assert_msg(status == all[k].status && right, "%zu: status %d, %s", k, status, output);
    }
    write_bytes("a\0b\nc\n", 6);
    FILE *f = fopen(csv_path, "r");
    text_line l = { 0 };
    ck_assert(line_next(&l, f, csv_path) && l.length == 3 && line_has_zero(&l) && l.at[2] == 'b');
    ck_assert(line_next(&l, f, csv_path) && l.length == 1 && !line_has_zero(&l));
    ck_assert(!line_next(&l, f, csv_path));
    text_line_free(&l);
    fclose(f);
}
END_TEST

typedef struct { const char *name, *word; bool quiet; } question;

static void ask_child(void *with)
{
    const question *q = with;
    char text[64];
    child c = child_begin((const char *const[]){ q->name, q->word, NULL }, q->quiet);
    text[fread(text, 1, sizeof text - 1, c.f)] = '\0';
    printf("%d %s", child_end(&c), text);
}

/* What a child says, whatever its name; what it wrote to standard error is lost only where that is asked for. */
START_TEST(children_are_read_whole)
{
    char *folder = temp_folder(), *name = temp_path(folder, "it's a \"name\" $(x)"), output[256];
    temp_text(NULL, name, "#!/bin/sh\necho one $1; echo two >&2; [ \"$1\" != end ] || kill -9 $$; exit 3\n");
    ck_assert_int_eq(chmod(name, 0755), 0);
    run_child(ask_child, &(question){ name, "a  b", false }, output, sizeof output);
    ck_assert_str_eq(output, "two\n3 one a b\n");
    run_child(ask_child, &(question){ name, "a  b", true }, output, sizeof output);
    ck_assert_str_eq(output, "3 one a b\n");
    run_child(ask_child, &(question){ name, "end", true }, output, sizeof output);
    ck_assert_str_eq(output, "137 one end\n");
    child none = child_begin((const char *const[]){ temp_path(folder, "none"), NULL }, true);
    ck_assert_int_eq(child_end(&none), 127);
}
END_TEST

/* ---- the end of a program ---------------------------------------------------------------------------------- */

static void ended_by_a_library(void *status)
{
    base_guard_end();
    exit(*(const int *)status);
}

static void ended_by_main(void *status)
{
    base_guard_end();
    exit(base_end(*(const int *)status));
}

START_TEST(a_library_answers_nothing)
{
    char output[512];
    for (int status = 0; status < 4; status++) {
        ck_assert_int_eq(run_child(ended_by_main, &status, output, sizeof output), status);
        ck_assert_str_eq(output, "");
        ck_assert_int_eq(run_child(ended_by_a_library, &status, output, sizeof output), status == 1 ? 2 : status);
        ck_assert_msg((strstr(output, "a library ended this program") != NULL) == (status == 1), "%d: %s", status, output);
    }
}
END_TEST

/* ---- cells of closed sets --------------------------------------------------------------------------------- */

static int colour_index(const char *word) { return strcmp(word, "red") == 0 ? 0 : strcmp(word, "blue") == 0 ? 1 : -1; }

static void read_closed(void *with)
{
    (void)with;
    char label[8];
    csv_file c = csv_open(csv_path, "label,flag,colour", "write it again");
    while (csv_next(&c)) {
        csv_label(&c, 0, label, sizeof label);
        printf("%s %d %d;", label, csv_flag(&c, 1), csv_word(&c, 2, colour_index));
    }
    csv_close(&c);
}

START_TEST(csv_closed_sets)
{
    static const struct { const char *text; int status; const char *says; } all[] = {
        { "a b,0,red\n,1,blue\n", 0, "a b 0 0; 1 1;" },
        { "a$,0,red\n", 2, "x.csv:2: column label, `a$`, has a quote, a backslash, a dollar or no ASCII; write it again" },
        { "12345678,0,red\n", 2, "x.csv:2: column label, `12345678`, is too long" },
        { "a,2,red\n", 2, "x.csv:2: column flag, `2`, is not 0 or 1" },       { "a,,red\n", 2, "column flag, ``, is not 0 or 1" },
        { "a,10,red\n", 2, "column flag, `10`, is not 0 or 1" },
        { "a,1,green\n", 2, "x.csv:2: column colour, `green`, is not a word that is known here" } };
    char output[512];
    for (size_t k = 0; k < COUNT(all); k++) {
        char *text = temp_format("label,flag,colour\n%s", all[k].text);
        write_bytes(text, strlen(text));
        ck_assert_int_eq(run_child(read_closed, NULL, output, sizeof output), all[k].status);
        ck_assert_msg(strstr(output, all[k].says) != NULL, "`%s` is missing in %s", all[k].says, output);
    }
}
END_TEST

START_TEST(csv_by_names)
{
    static const char *const none[] = { "", "# a comment\n" };
    write_bytes(T("# a comment, \\input\nloss,loss_b,c\n# another\n1,2,3\n"));
    csv_file c = csv_from_named(fopen(csv_path, "r"), csv_path, "write it again");
    ck_assert(csv_column(&c, "loss") == 0 && csv_column(&c, "loss_b") == 1 && csv_column(&c, "c") == 2);
    ck_assert(csv_column(&c, "los") == -1 && csv_column(&c, "loss_bc") == -1 && csv_column(&c, "") == -1);
    ck_assert(csv_next(&c) && csv_long(&c, 1) == 2 && c.number == 4 && !csv_next(&c));
    csv_close(&c);
    for (size_t k = 0; k < COUNT(none); k++) {
        write_bytes(none[k], strlen(none[k]));
        c = csv_from_named(fopen(csv_path, "r"), csv_path, "write it again");
        ck_assert(csv_column(&c, "loss") == -1 && !csv_next(&c));
        csv_close(&c);
    }
}
END_TEST

/* ---- the progress line ---------------------------------------------------------------------------------------- */

typedef struct { progress_kind kind; bool terminal; const char *ci, *says; } watcher;

static void work(const watcher *w)
{
    static const char text[] = "0123456789012345678901234567890123456789 \033[2J";
    if (w->ci) setenv("CI", w->ci, 1);
    else unsetenv("CI");
    progress p = progress_begin(w->kind, "work");
    progress_show(&p, 61, "%s", text);
    progress_clear(&p);
    progress_clear(&p);                  /* of nothing */
    progress_show(&p, NAN, "done");
    progress_keep(&p);
    fputs("|", stderr);
}

static void work_in_a_pipe(void *with) { work(with); }

/* What a terminal of 40 columns gets. */
static void work_on_a_terminal(const watcher *w, char *output, size_t size)
{
    const struct winsize narrow = { .ws_col = 40, .ws_row = 24 };
    int from;
    const pid_t shows = forkpty(&from, NULL, NULL, &narrow);
    if (shows < 0) ck_abort_msg("cannot start a process");     /* an assertion would be the child's, too */
    if (shows == 0) {
        work(w);
        _exit(0);
    }
    size_t used = 0;
    for (ssize_t n; used + 1 < size && (n = read(from, output + used, size - 1 - used)) > 0; ) used += (size_t)n;
    output[used] = '\0';
    close(from);
    waitpid(shows, NULL, 0);
}

/* One line on a terminal, cut to its width but for the time left; lines in a log; nothing else. */
START_TEST(progress_is_shown_where_somebody_looks)
{
    static const char one[] = "\rwork\033[K\r0123456789012345678...  1 min 01 s left\033[K\r\033[K\rdone\033[K\r\n|",
                      lines[] = "0123456789012345678901234567890123456789 \\x1b[2J  1 min 01 s left\ndone\n|";
    static const watcher all[] = {
        { PROGRESS_NONE, true, NULL, "|" },      { PROGRESS_NONE, false, NULL, "|" },
        { PROGRESS_TERMINAL, true, NULL, one },  { PROGRESS_TERMINAL, true, "", one },
        { PROGRESS_TERMINAL, true, "1", "|" },   { PROGRESS_TERMINAL, false, NULL, "|" },
        { PROGRESS_LOG, true, NULL, one },       { PROGRESS_LOG, false, NULL, lines } };
    char output[512];
    for (size_t k = 0; k < COUNT(all); k++) {
        watcher w = all[k];
        if (w.terminal) work_on_a_terminal(&w, output, sizeof output);
        else run_child(work_in_a_pipe, &w, output, sizeof output);
        ck_assert_msg(strcmp(output, w.says) == 0, "%zu: %s", k, shown_text(output));
    }
}
END_TEST

/* In seconds: early, then at most every minute; on a terminal five a second. */
START_TEST(progress_is_due)
{
    static const double at[] = { 1, 3, 7, 15, 31, 63, 123, 183 };
    progress p = progress_begin(PROGRESS_NONE, NULL);
    size_t lines = 0;
    for (double t = 0; t < 200; t += 0.5) {
        if (!progress_due(&p, p.begun + t)) continue;
        ck_assert_msg(lines < COUNT(at) && fabs(t - at[lines]) < 0.1, "line %zu after %g s", lines, t);
        lines++;
    }
    ck_assert_uint_eq(lines, COUNT(at));
    p.terminal = true;
    progress_restart(&p, 0);
    lines = 0;
    for (int k = 0; k < 80; k++) lines += progress_due(&p, p.begun + k * 0.125);
    ck_assert_uint_eq(lines, 40);
}
END_TEST

/* From what was done since the beginning; of little nothing is guessed. */
START_TEST(progress_guesses_what_is_left)
{
    progress p = progress_begin(PROGRESS_NONE, NULL);
    progress_restart(&p, 0.2);
    p.begun -= 8;
    ck_assert(isnan(progress_left(&p, 0.2)) && isnan(progress_left(&p, 0.21)));
    ck_assert_double_eq_tol(progress_left(&p, 0.6), 8, 0.1);
    ck_assert_double_eq(progress_left(&p, 1), 0);
    p.begun -= 8;
    ck_assert_double_eq_tol(progress_left(&p, 0.21), 16 * 79, 16);           /* ten seconds have passed */
    ck_assert(isnan(progress_left(&p, 0.2)));
    static const struct { double seconds; const char *text; } times[] = { { 0.9, "0 s" }, { 59.9, "59 s" }, { 200, "3 min 20 s" },
        { 3725, "1 h 02 min" }, { INFINITY, "8333 h 20 min" } };
    for (size_t k = 0; k < COUNT(times); k++) {
        char text[PROGRESS_TIME];
        progress_time(text, times[k].seconds);
        ck_assert_str_eq(text, times[k].text);
    }
}
END_TEST

int main(int argc, char **argv)
{
    csv_path = temp_path(temp_folder(), "x.csv");
    Suite *suite = suite_create("base");
    TCase *all = tcase_create("all");
    tcase_add_test(all, blas_core);
    tcase_add_test(all, text_grows);
    tcase_add_test(all, text_is_trimmed);
    tcase_add_test(all, equal_texts_share_one_copy);
    tcase_add_test(all, lists_come_back);
    tcase_add_test(all, long_messages_keep_both_ends);
    tcase_add_test(all, fields_round_trip);
    tcase_add_test(all, fields_that_differ);
    tcase_add_test(all, bad_fields);
    tcase_add_test(all, optional_fields);
    tcase_add_test(all, one_field);
    tcase_add_test(all, csv_round_trip);
    tcase_add_loop_test(all, csv_is_strict, 0, COUNT(csvs));
    tcase_add_test(all, csv_closed_sets);
    tcase_add_test(all, csv_by_names);
    tcase_add_test(all, files_are_read_whole);
    tcase_add_test(all, lines_end_where_the_file_does);
    tcase_add_test(all, children_are_read_whole);
    tcase_add_test(all, a_library_answers_nothing);
    tcase_add_test(all, progress_is_shown_where_somebody_looks);
    tcase_add_test(all, progress_is_due);
    tcase_add_test(all, progress_guesses_what_is_left);
    suite_add_tcase(suite, all);
    return run_suite(suite, argc, argv);
}
