/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_poison.c - text of strangers' files in every language that the suite writes.
 *
 * A poison goes through every column of every list, of evidence and of recorded runs that `report` reads, and through
 * every key of a description.  A reader may refuse it, in one message; what is printed or written never has a character
 * that commands a terminal, and nothing that is written runs a command, has an element or reads a file. */
#include <jansson.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "src/base/admitted.h"
#include "src/base/screen.h"
#include "src/base/shown.h"
#include "src/report/document/chart.h"
#include "src/train/checkpoint.h"
#include "tests/support/evidence.h"
#include "tests/support/files.h"
#include "tests/support/markup.h"
#include "tests/support/small_model.h"
#include "tests/support/suite.h"

static const char *const poisons[] = {
    "zq'`touch PWNED`$(touch PWNED)<img src=x>=cmd",     /* printable: may come through, quoted                   */
    "zq\033[31m\a\x7f",                                  /* commands of terminals                                 */
    ("zq\xc2\x9b" "31m\xe2\x80\xae\xe2\x80\xa8"),          /* U+009B, U+202E, U+2028                                */
    "zq\\input{/etc/passwd}" };
static const char *const folders[] = { "../PWNED", "a/b", "..", "a..b", "-a", "", "a b", "a'b" };

static char *folder, *data;

/* No byte of the text commands a terminal, but newlines. */
static void is_safe(const char *text, const char *of)
{
    char *lines = temp_format("%s", text);
    for (char *p = lines; *p; p++) if (*p == '\n') *p = ' ';
    ck_assert_msg(shown_as_is(lines), "%s: %s", of, shown_text(lines));
}

/* ---- the functions -------------------------------------------------------------------------------------- */

/* What a command prints on a terminal, of 80 columns or so. */
static char *on_a_terminal(char *const argv[])
{
    static char output[1 << 14];
    int from;
    const pid_t child = forkpty(&from, NULL, NULL, NULL);
    if (child < 0) ck_abort_msg("cannot start a process");     /* an assertion would be the child's, too */
    if (child == 0) {
        execv(argv[0], argv);
        _exit(127);
    }
    size_t used = 0;
    for (ssize_t n; used + 1 < sizeof output && (n = read(from, output + used, sizeof output - 1 - used)) > 0; ) used += (size_t)n;
    output[used] = '\0';
    close(from);
    waitpid(child, NULL, 0);
    return output;
}

/* A text of tokens: its bytes to a pipe, escaped on a terminal, where characters of several tokens stay whole. */
START_TEST(text_for_a_pipe_or_a_terminal)
{
    static const char text[] = "one\ttwo \xc3\xa9\n\033[31mred\a\r \xc2\x9b \xe2\x80\xae \xff\n";
    char tokens[2 * sizeof text] = { 0 }, piped[256], *where = temp_folder();
    for (size_t k = 0; k + 1 < sizeof text; k++) tokens[2 * k] = text[k];
    temp_write(where, "x", tokens, 2 * strlen(text));
    char *file = temp_path(where, "x"), *program = temp_format("%s/provably", build_folder());
    run_command(piped, sizeof piped, "%s data decode --in=%s", program, file);
    ck_assert_str_eq(piped, text);
    char *shown = on_a_terminal((char *[]){ program, (char[]){ "data" }, (char[]){ "decode" }, temp_format("--in=%s", file), NULL });
    ck_assert_str_eq(shown, "one\ttwo \xc3\xa9\r\n\\x1b[31mred\\x07\\x0d \\u009b \\u202e \\xff\r\n");
}
END_TEST

START_TEST(a_terminal)
{
    static const struct { const char *text, *shown; } known[] = {
        { "plain \xc3\xa9 \xe2\x82\xac", "plain \xc3\xa9 \xe2\x82\xac" }, { "\033[31m", "\\x1b[31m" }, { "a\nb", "a\\x0ab" },
        { "\x7f", "\\x7f" }, { "\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0", "\\u0080\\u009b\\u009f\xc2\xa0" },
        { "\xe2\x80\x8e\xe2\x80\x8f", "\\u200e\\u200f" }, { "\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xae\xe2\x80\xaf",
          "\xe2\x80\xa7\\u2028\\u202e\xe2\x80\xaf" }, { "\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9", "\xe2\x81\xa5\\u2066\\u2069" },
        { "\xd8\x9c", "\\u061c" }, { "\x9b" "1m", "\\x9b1m" }, { "\xc1\x9b", "\\xc1\\x9b" },
        { "\xe0\x82\x9b", "\\xe0\\x82\\x9b" }, { "\xed\xa0\x80", "\\xed\\xa0\\x80" }, { "\xe2\x80", "\\xe2\\x80" } };
    for (size_t k = 0; k < COUNT(known); k++) {
        char *shown = shown_text(known[k].text);
        ck_assert_str_eq(shown, known[k].shown);
        free(shown);
    }
}
END_TEST

static void dies(void *with) { die("a file\nof %s\n", (const char *)with); }

START_TEST(only_our_newlines)
{
    char output[512];
    ck_assert_int_eq(run_child(dies, "two\nlines \033[1m\001\002", output, sizeof output), 2);
    ck_assert_msg(strstr(output, ": a file\nof two\\x0alines \\x1b[1m\\x01\\x02\n") != NULL, "%s", output);
}
END_TEST

START_TEST(a_shell)
{
    static const char *const words[] = { "plain/a.b-c", "", "a b", "it's", "`touch PWNED`$(touch PWNED)", "a\\b\"c",
                                         "m>=2N", "2^(S-1)", "a\nb'\\c", "\033[31m\xe2\x80\xae", "`id`", "$HOME", "$(id)", "a;id", "a&id", "~", "*", "#a", "(a)",
                                         "<a", "{a,b}", "!a", "a|id", "\033\\n", "\t\\x41", "\"", "?", "[a]", "^a", "=cmd", "-n" };
    for (size_t k = 0; k < COUNT(words); k++) {
        char output[256], *word = shell_word(words[k]), *script = temp_format("f() { printf %%s. $# \"$1\"; }; f %s", word);
        char *path = temp_text(folder, "word.sh", script);
        is_safe(script, "shell_word");
        ck_assert_int_eq(run_command(output, sizeof output, "bash '%s'", path), 0);
        ck_assert_str_eq(output, temp_format("1.%s.", words[k]));
        free(word);
    }
    ck_assert(!temp_exists(NULL, "PWNED"));
}
END_TEST

/* Of n bytes with zeros, of a text that is cut, and in JSON, which gives back what was put in. */
START_TEST(pieces_of_text)
{
    char *zeros = shown_bytes("a\0\xc2\x9b\xc2", 5), *cut, *read, *text = NULL;
    ck_assert_str_eq(zeros, "a\\x00\\u009b\\xc2");
    for (size_t most = 3; most < 16; most++) {
        cut = shown_short("ab\xc3\xa9\033\xe2\x82\xac" "z", most);
        ck_assert_str_eq(cut, most < 5 ? temp_format("%.*s...", (int)(most - 3), "a") : most < 7 ? "ab..." : most < 11 ? "ab\xc3\xa9..."
                              : most == 11 ? "ab\xc3\xa9\\x1b..." : "ab\xc3\xa9\\x1b\xe2\x82\xac" "z");
        ck_assert(strlen(cut) <= most);
        free(cut);
    }
    static const char bad[] = "a\"\\\n\t\x7f\xc2\x9b\xe2\x80\xae\xc3\xa9";
    json_t *o = json_pack("{s:s}", "k", bad);
    char *plain = json_dumps(o, JSON_INDENT(1));
    size_t n;
    FILE *f = open_memstream(&text, &n);
    shown_json(f, plain);
    fclose(f);
    is_safe(text, "JSON");
    ck_assert_ptr_nonnull(strstr(text, "\\u007f\\u009b\\u202e\xc3\xa9"));
    json_t *back = json_loads(text, 0, NULL);
    read = (char *)(uintptr_t)json_string_value(json_object_get(back, "k"));
    ck_assert_str_eq(read, bad);
    json_decref(o);
    json_decref(back);
    free(zeros);
    free(plain);
    free(text);
}
END_TEST

START_TEST(a_screen)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    screen_wrapped(f, 80, "", "a\033[31mb\xe2\x80\xae", 0, "");
    fclose(f);
    ck_assert_str_eq(text, "a\\x1b[31mb\\u202e\n");
    free(text);
}
END_TEST

START_TEST(names)
{
    ck_assert(admitted_program("k_o3_1") && !admitted_program("") && !admitted_program("K") && !admitted_program("a/b"));
    ck_assert(!admitted_program("../a") && !admitted_program("a.b") && !admitted_program("a-b"));
    ck_assert(admitted_name("K-T4.4") && admitted_name("a+b=c_d"));
    ck_assert(admitted_path("a/b.c/d") && admitted_path("a") && !admitted_path("") && !admitted_path("/a") && !admitted_path("a/"));
    ck_assert(!admitted_path("a..b/c") && !admitted_path("a/b..") && !admitted_path("a//b") && !admitted_path("a/../b") && !admitted_path("../a") && !admitted_path("a/-b") && !admitted_path("a b"));
    for (size_t k = 0; k < COUNT(folders); k++) ck_assert_msg(!admitted_name(folders[k]), "%s", folders[k]);
    static const char *const refused[] = { "\\input{x}", "\\write18{x}", "^^5c", "\\catcode", "a\\", "\\def\\a{}", "\\\\",
                                           "\\begin{x}", "\\inputs", "\\alphabet", "\\openout", "a\tb" };
    char fault[128];
    for (size_t k = 0; k < COUNT(refused); k++)
        ck_assert_msg(admitted_latex(refused[k], fault, sizeof fault) != NULL, "%s", refused[k]);
    ck_assert_ptr_null(admitted_latex("$\\alpha^\\top \\text{a}\\,\\{b\\}\\%$", fault, sizeof fault));
}
END_TEST

/* A chart whose every text is poison is a picture, and its texts are texts. */
START_TEST(texts_of_a_chart_stay_text)
{
    static const char *const bad[] = { "<script>alert(1)</script>", "\"/><script>", "\" onload=\"x", "]]>&<!--", "</svg><x>", "</title><b>" };
    static const chart_layout layouts[] = { CHART_POINTS, CHART_INTERVALS, CHART_CURVES };
    for (size_t layout = 0; layout < COUNT(layouts); layout++)
        for (size_t k = 0; k < COUNT(bad); k++) {
            chart c = { .file = "poison", .title = bad[k], .x_label = bad[k], .layout = layouts[layout],
                        .kind_name = { bad[k], bad[k], bad[k] } };
            snprintf(c.y_label, sizeof c.y_label, "%s", bad[k]);
            chart_series *s = chart_add_series(&c, OF_CLAIM, bad[k]);
            for (int i = 1; i < 4; i++) {
                if (layouts[layout] == CHART_POINTS) chart_add_point(s, i, i);
                else chart_add_interval(s, i, i, i - 0.5, i + 0.5);
            }
            ck_assert(chart_files(folder, &c, false));
            char *svg = temp_read(folder, "poison.svg", NULL), *fault = markup_fault(svg);
            ck_assert_msg(!fault && !strstr(svg, bad[k]), "%zu %s: %s", layout, bad[k], fault ? fault : "as it is");
            chart_free(&c);
        }
}
END_TEST

/* ---- the files ------------------------------------------------------------------------------------------ */

/* The command's answer: it ended by itself in 0 or 2, and what it printed is safe. */
static int answers(const char *of, const char *command)
{
    static char output[1 << 17];
    const int status = run_command(output, sizeof output, "cd '%s' && PROVABLY_DATA='%s' %s", folder, data, command);
    ck_assert_msg(status == 0 || status == 1 || status == 2, "%s: status %d: %s", of, status, output);
    is_safe(output, of);
    ck_assert_msg(!temp_exists(folder, "PWNED"), "%s ran a command", of);
    return status;
}

/* What was written for people, `report` with data as CSV aside: no poison stands in it as it was. */
static void is_written_safely(const char *of)
{
    static const char *const suffix[] = { "tex", "html", "svg", "gp", "json" };
    for (size_t k = 0; k < COUNT(suffix); k++) {
        char list[1 << 13];
        run_command(list, sizeof list, "cd '%s' && find . -path './out/*' -name '*.%s'", folder, suffix[k]);
        for (char *next, *name = list; *name; name = next) {
            next = name + strcspn(name, "\n");
            if (*next) *next++ = '\0';
            char *text = temp_read(folder, name, NULL);
            for (char *p = text; *p; p++) if (*p == '\t') *p = ' ';
            is_safe(text, temp_format("%s: %s", of, name));
            if (k < 4) ck_assert_msg(!strstr(text, "<img src=x"), "%s: %s has an element", of, name);
            ck_assert_msg(!strstr(text, "\\input{/etc"), "%s: %s reads a file", of, name);
            if (k == 3) ck_assert_msg(!strstr(text, "`touch"), "%s: %s runs a command", of, name);
        }
    }
}

/* The text with `cell` in one column of the second line, which is lengthened to a line of its own. */
static char *poisoned(const char *csv, long column, const char *cell)
{
    const char *line = strchr(csv, '\n') + 1, *p = line;
    for (bool in = false; *p && (column || in); p++) {
        if (*p == '"') in = !in;
        column -= *p == ',' && !in;
        ck_assert(*p != '\n' || in);
    }
    const char *after = p;
    for (bool in = false; *after && ((*after != ',' && *after != '\n') || in); after++) if (*after == '"') in = !in;
    return temp_format("%.*s%s%s", (int)(p - csv), csv, cell, after);
}

/* Every column of the header, each poison in its second line. */
static void through_columns(const char *in, const char *name, const char *command)
{
    size_t n;
    char *whole = temp_read(in, name, &n);
    long columns = 1;
    for (const char *p = whole; *p != '\n'; p++) columns += *p == ',';
    ck_assert_msg(strchr(strchr(whole, '\n') + 1, '\n') != NULL, "%s has no second line", name);
    for (long c = 0; c < columns; c++)
        for (size_t k = 0; k < COUNT(poisons); k++) {
            if (k && k < 3 && (long)k != 1 + c % 2) continue;            /* these two by turns */
            const char *of = temp_format("%s, column %ld, poison %zu", name, c + 1, k);
            temp_text(in, name, poisoned(whole, c, poisons[k]));
            if (strstr(whole, "\n# end of ")) evidence_done_at(temp_path(in, name));         /* so that it is the poison that is refused */
            const int status = answers(of, command);
            /* what no text of ours may hold is refused wherever it stands */
            if (k) ck_assert_msg(status == 2, "%s is taken", of);
            else is_written_safely(of);
        }
    temp_write(in, name, whole, n);
    evidence_beside(temp_path(in, name));
}

static char *show_command(void)
{
    char *built = realpath(build_folder(), NULL), *command;
    command = temp_format("'%s/provably' show K-A-slice --evidence=evidence", built);
    free(built);
    return command;
}

static char *report_command(void)
{
    char *built = realpath(build_folder(), NULL), *command;
    command = temp_format("sh -c \"rm -rf out; '%s/provably' report --evidence=evidence --out=out --json=out/all.json\"", built);
    free(built);
    return command;
}

START_TEST(every_column_of_the_evidence)
{
    static const char *const names_of[] = { "own_slice.csv", "own_slice.ladder.csv", "own_slice.figures.csv" };
    for (size_t k = 0; k < COUNT(names_of); k++)
        through_columns(temp_path(folder, "evidence"), names_of[k], report_command());
}
END_TEST

START_TEST(every_column_of_the_lists)
{
    static const char *const lists[] = { "claims.csv", "findings.csv", "formal.csv", "formal_cases.csv", "formal_needed.csv",
                                         "formal_read.csv", "verdicts.csv" };
    for (size_t k = 0; k < COUNT(lists); k++) through_columns(data, lists[k], report_command());
}
END_TEST

/* What lists the claims, and what starts a program. */
START_TEST(every_column_through_list_and_run)
{
    char *built = realpath(build_folder(), NULL);
    through_columns(data, "claims.csv", temp_format("sh -c 'for c in list \"list O3.1\" \"run K-O3.1 --list\" \"run O3.1 --describe\"; do %s/provably $c || exit 2; done'",
                                                    built));
    through_columns(data, "verdicts.csv", temp_format("'%s/provably' list --verdict=PROVED", built));
    free(built);
}
END_TEST

/* Ids, parts, presets and files of the lists become paths: what leads out of a folder is refused by their readers. */
START_TEST(no_name_leads_out_of_its_folder)
{
    static const struct { const char *list; long column; } names_of[] = {
        { "claims.csv", 0 }, { "verdicts.csv", 0 }, { "formal.csv", 1 }, { "formal.csv", 2 }, { "formal.csv", 5 }, { "formal.csv", 7 },
        { "formal_needed.csv", 4 }, { "results/basis-rate.csv", 0 }, { "results/basis-rate.csv", 1 }, { "findings.csv", 2 } };
    static const char *const paths[] = { "../PWNED", "/etc/passwd", "a/../b", "-a" };
    for (size_t k = 0; k < COUNT(names_of); k++) {
        char *whole = temp_read(data, names_of[k].list, NULL);
        for (size_t i = 0; i < COUNT(paths); i++) {
            static char output[1 << 16];
            const char *row = strncmp(names_of[k].list, "findings", 8) == 0 ? "=PROVED" : "";
            temp_text(data, names_of[k].list, poisoned(whole, names_of[k].column, temp_format("%s%s", paths[i], row)));
            const int status = run_command(output, sizeof output, "cd '%s' && PROVABLY_DATA='%s' %s", folder, data, report_command());
            const char *list = strrchr(names_of[k].list, '/'), *said = temp_format("%s:2: ", list ? list + 1 : names_of[k].list);
            ck_assert_msg(status == 2 && strstr(output, said) && (strstr(output, "is not a name") || strstr(output, "is not the name") || strstr(output, "is not a file below")),
                          "%s, column %ld, `%s`: %d: %s", names_of[k].list, names_of[k].column, paths[i], status, output);
        }
        temp_text(data, names_of[k].list, whole);
    }
}
END_TEST

START_TEST(every_column_of_recorded_runs)
{
    through_columns(temp_path(data, "results"), "basis-rate.csv", report_command());
    through_columns(temp_path(data, "results/curves"), "basis-rate-basis.csv", report_command());
}
END_TEST

START_TEST(every_key_of_a_description)
{
    char *in = temp_path(folder, "evidence");
    size_t n;
    char *whole = temp_read(in, "own_slice.meta", &n);
    evidence_done_at(temp_path(in, "own_slice.csv"));          /* rows that name no description take any */
    for (char *line = whole; line && *line; line = strchr(line, '\n'), line += line != NULL)
        for (size_t k = 0; k < COUNT(poisons); k++) {
            const char *colon = strstr(line, ": "), *end = strchr(line, '\n');
            if (!colon || !end || colon > end) continue;
            const char *of = temp_format("%.*s, poison %zu", (int)(colon - line), line, k);
            temp_text(in, "own_slice.meta", temp_format("%.*s %s%s", (int)(end - whole), whole, poisons[k], end));
            if (k) ck_assert_int_eq(answers(of, show_command()), 2);
            else {
                answers(of, show_command());
                answers(of, report_command());
                is_written_safely(of);
            }
        }
    temp_write(in, "own_slice.meta", whole, n);
}
END_TEST

/* ---- checkpoints ----------------------------------------------------------------------------------------- */

/* What inspect, verify and reduce say of the model in m/, beside its original in o/; what reduce writes is data. */
static void judged_safely(const char *of)
{
    char *built = realpath(build_folder(), NULL);
    answers(of, temp_format("sh -c 'rm -rf out; for c in \"inspect m\" \"inspect m --json\" \"verify m o\" \"verify o m\" "
                            "\"verify m o --json\" \"reduce m --out=out\"; do %s/provably $c; test $? -lt 4 || exit 99; done'", built));
    free(built);
}

static void make_models(void)
{
    small_model m = small_model_draw(SMALL_LLAMA, NUMBERS_F32);
    char output[1024], *at = small_model_save(&m, NUMBERS_F32);
    ck_assert_int_eq(run_command(output, sizeof output, "cd '%s' && rm -rf m o && cp -r '%s' m && cp -r '%s' o", folder, at, at), 0);
    small_model_free(&m);
}

/* Each value of config.json becomes a poison, and each key. */
START_TEST(every_string_of_a_configuration)
{
    static const char *const texts[] = { "zq'`touch PWNED`<img src=x>", "zq\\u001b[31m\\u007f\\u009b\\u202e\\n", "zq\\\\input{/etc/passwd}" };
    make_models();
    char *in = temp_path(folder, "m"), *whole = temp_read(in, "config.json", NULL);
    long tried = 0;
    for (char *p = whole; (p = strchr(p, ':')); p++)
        for (size_t k = 0; k < COUNT(texts); k++, tried++) {
            const char *value = p + 1, *end = value + strcspn(value, *value == '[' || value[1] == '[' ? "]" : ",}\n");
            if (*end == ']') end++;
            temp_text(in, "config.json", temp_format("%.*s: \"%s\"%s", (int)(p - whole), whole, texts[k], end));
            judged_safely(temp_format("config.json at %ld, text %zu", (long)(p - whole), k));
            const char *key = p - 1;
            while (key > whole && *key != '{' && *key != ',') key--;
            temp_text(in, "config.json", temp_format("%.*s \"%s\"%s", (int)(key + 1 - whole), whole, texts[k], p));
            judged_safely(temp_format("config.json, key at %ld, text %zu", (long)(p - whole), k));
        }
    ck_assert_int_gt(tried, 20);
}
END_TEST

/* The beginning of every name of a tensor, as bytes and as an escape of JSON: it is refused. */
START_TEST(names_of_tensors)
{
    static const char *const starts[] = { "\\u001b", "\xc2\x9b\xe2\x80\xae", "\\u202e" };
    make_models();
    char *in = temp_path(folder, "m"), *built = realpath(build_folder(), NULL);
    size_t n;
    char *whole = temp_read(in, "model.safetensors", &n);
    long tried = 0;
    for (char *p = whole + 8; (p = strstr(p, "\":{")) && tried < 40; p++, tried++) {
        char *name = p - 1;
        while (*name != '"') name--;
        const char *start = starts[tried % (long)COUNT(starts)];
        char kept[8];
        memcpy(kept, name + 1, 6);
        memcpy(name + 1, start, strlen(start));
        temp_write(in, "model.safetensors", whole, n);
        ck_assert_int_eq(answers("a name", temp_format("'%s/provably' inspect m", built)), 2);
        memcpy(name + 1, kept, 6);
    }
    ck_assert_int_gt(tried, 10);
    free(built);
}
END_TEST

/* `text` with the n bytes at `at` replaced by the m at `by`; *size becomes its length. */
static char *replaced(const char *text, size_t *size, size_t at, size_t n, const void *by, size_t m)
{
    const size_t behind = *size - at - n;
    char *made = temp_format("%*s", (int)(*size - n + m), "");
    memcpy(made, text, at);
    memcpy(made + at, by, m);
    memcpy(made + at + m, text + at + n, behind);
    *size = at + m + behind;
    return made;
}

/* Names and values that safetensors' __metadata__ may have, poisoned; as JSON. */
START_TEST(metadata_of_safetensors)
{
    static const char *const texts[] = { "zq'`touch PWNED`<img src=x>", "zq\\u001b[31m\\u007f\\u009b\\u202e\\n", "zq\\\\input{/etc/passwd}" };
    static const char *const names_of[] = { "format", "model", "provably.values", "provably.reduced", "zq" };
    make_models();
    char *in = temp_path(folder, "m");
    size_t n;
    char *whole = temp_read(in, "model.safetensors", &n);
    for (size_t k = 0; k < COUNT(texts); k++)
        for (size_t i = 0; i <= COUNT(names_of); i++) {
            uint64_t length, room;
            char *more = i < COUNT(names_of) ? temp_format("\"__metadata__\":{\"%s\":\"%s\"},", names_of[i], texts[k])
                                             : temp_format("\"__metadata__\":{\"%s\":\"one\"},", texts[k]);
            memcpy(&length, whole, sizeof length);
            room = (strlen(more) + 7) / 8 * 8;
            more = temp_format("%*s", -(int)room, more);
            size_t size = n;
            char *made = replaced(whole, &size, 9, 0, more, room);
            length += room;
            memcpy(made, &length, sizeof length);
            temp_write(in, "model.safetensors", made, size);
            judged_safely(temp_format("__metadata__ %s, text %zu", i < COUNT(names_of) ? names_of[i] : "name", k));
        }
    temp_write(in, "model.safetensors", whole, n);
    temp_text(folder, "odd", poisons[2]);                                /* a folder that is called so */
    char *built = realpath(build_folder(), NULL);
    static const char *const commands[] = { "inspect \"$N\"", "inspect \"$N\" --json", "verify o \"$N\" --json", "verify \"$N.d/$N\" o -o certificate", "reduce \"$N\" --out=\"$N/out\"" };
    for (size_t k = 0; k < COUNT(commands); k++)
        ck_assert_int_eq(answers(commands[k], temp_format("sh -c 'N=$(cat odd); test -e \"$N\" || { cp -r m \"$N\" && mkdir \"$N.d\" && "
                                                  "cp m/config.json \"$N.d\" && cp m/model.safetensors \"$N.d/$N\"; }; %s/provably %s'", built, commands[k])), 0);
    is_safe(temp_read(folder, "certificate", NULL), "a certificate");
    free(built);
}
END_TEST

/* Where the next text of a GGUF file begins, its length before it; *at is put behind a key's value. */
static void skip_gguf_value(const char *text, size_t *at, uint32_t type)
{
    static const size_t bytes[] = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8 };
    uint64_t n;
    ck_assert(type < COUNT(bytes) && type != 9);                         /* the small model has no array */
    if (type != 8) {
        *at += bytes[type];
        return;
    }
    memcpy(&n, text + *at, sizeof n);
    *at += 8 + n;
}

/* Every key of GGUF and every value that is a text, longer by a multiple of the alignment, so that the numbers stay aligned. */
START_TEST(keys_of_gguf)
{
    make_models();
    char output[2048], *built = realpath(build_folder(), NULL);
    ck_assert_msg(run_command(output, sizeof output, "cd '%s' && rm -rf g && %s/provably reduce m --format=gguf --out=g && "
                              "rm -r m && mv g m", folder, built) == 0, "%s", output);
    char *in = temp_path(folder, "m");
    size_t n, at = 24, tried = 0;
    uint64_t keys;
    char *whole = temp_read(in, "model.gguf", &n);
    memcpy(&keys, whole + 16, sizeof keys);
    for (uint64_t key = 0; key < keys; key++) {
        uint64_t length;
        uint32_t type;
        memcpy(&length, whole + at, sizeof length);
        memcpy(&type, whole + at + 8 + length, sizeof type);
        const size_t value = at + 12 + length;
        for (size_t k = 0; k < COUNT(poisons); k++)
            for (size_t from = at; from <= value; from += value - at) {
                if (from == value && type != 8) break;
                uint64_t was, is;
                memcpy(&was, whole + from, sizeof was);
                is = was + 96;
                char *made = temp_format("%*s%*s", 8, "", -(int)is, poisons[k]);
                memcpy(made, &is, sizeof is);
                size_t size = n;
                made = replaced(whole, &size, from, 8 + was, made, 8 + is);
                temp_write(in, "model.gguf", made, size);
                judged_safely(temp_format("GGUF %.*s, %s, poison %zu", (int)length, whole + at + 8, from == at ? "name" : "value", k));
                tried++;
            }
        at = value;
        skip_gguf_value(whole, &at, type);
    }
    ck_assert_int_gt((long)tried, 40);
    free(built);
}
END_TEST

/* ---- lists of runs, and what a run leaves -------------------------------------------------------------------- */

#define SMALL "--steps=2 --layers=1 --heads=1 --width=16 --window=16 --batch=2 --mlp=16 --save-every=1 --eval-every=1 --quiet"

START_TEST(lists_of_runs)
{
    static const char *const lines[] = { "%s train " SMALL "\n", "a %s\n", "a %s " SMALL "\n", "a train --%s " SMALL "\n", "a train --data=%s " SMALL "\n",
                                         "a train --data=bytes:%s " SMALL "\n", "a train --steps=%s\n", "a train -%s\n", "a train %s\n", "%s\n",
                                         "a train --variant --out=%s\n", "a train --seed=random%s\n", "a train-vision --row=%s\n", "a basis-transfer --width=%s\n" };
    char *built = realpath(build_folder(), NULL);
    for (size_t k = 0; k < COUNT(lines); k++)
        for (size_t i = 0; i < COUNT(poisons); i++) {
            text_buffer t = { 0 };
            const char *hole = strstr(lines[k], "%s");
            text_add(&t, "# %s\n%.*s%s%s", poisons[i], (int)(hole - lines[k]), lines[k], poisons[i], hole + 2);
            temp_text(folder, "list", t.at);
            const int status = answers(t.at, temp_format("'%s/provably' sweep list --out=runs", built));
            ck_assert_msg(status == 2 || (status == 1 && strstr(lines[k], "--data")), "%s: %d", t.at, status);
            text_clear(&t);
        }
    free(built);
}
END_TEST

/* A text of the run's checkpoint, changed with its sums in order. */
static void poison_checkpoint(const char *name, const char *poison)
{
    char *path = temp_path(folder, "runs/a/last.ckpt");
    checkpoint c = checkpoint_read(path, CHECKPOINT_ALL);
    for (long k = 0; k < c.texts; k++)
        if (strcmp(c.text[k].name, name) == 0) snprintf(c.text[k].value, sizeof c.text[k].value, "%s", poison);
    checkpoint_write(&c, path);
    checkpoint_free(&c);
}

/* What every command that reads the folder of a run says of it; the first three alone look at more than the checkpoint.
 * At least one says no where `refused`. */
static void run_is_read_safely(const char *of, bool logs, bool refused)
{
    static const char *const commands[] = { "sweep list --out=runs", "train " SMALL " --out=runs/a", "train " SMALL " --steps=3 --out=runs/a",
                                            "inspect runs/a", "inspect runs/a --json", "verify runs/a o", "sample --from=runs/a --length=3 --seed=1 --backend=cpu",
                                            "export --from=runs/a --out=out.safetensors", "inspect out.safetensors", "reduce runs/a --out=out" };
    char *built = realpath(build_folder(), NULL);
    bool no = false;
    for (size_t k = 0; k < (logs ? 3 : COUNT(commands)); k++) {
        static char output[1 << 16];
        const int status = run_command(output, sizeof output, "cd '%s' && rm -rf out && '%s/provably' %s %s", folder, built, commands[k],
                                       strncmp(commands[k], "sample", 6) == 0 ? ">sampled" : "");
        ck_assert_msg(status >= 0 && status < 4, "%s: %s: status %d: %s", of, commands[k], status, output);
        is_safe(output, temp_format("%s: %s", of, commands[k]));
        no |= status == 2 && k + 2 != COUNT(commands);
    }
    ck_assert_msg(!temp_exists(folder, "PWNED"), "%s ran a command", of);
    ck_assert_msg(no || !refused, "%s is taken", of);
    free(built);
}

START_TEST(folders_of_runs)
{
    static const char *const texts[] = { "model", "recipe", "sources", "machine", "commit", "step", "val_loss", "finished" };
    static const char *const files[] = { "done", "evals.csv", "steps.csv", "log" };
    char output[4096], *built = realpath(build_folder(), NULL);
    make_models();
    temp_text(folder, "list", "a train " SMALL "\n");
    ck_assert_msg(run_command(output, sizeof output, "cd '%s' && rm -rf runs && '%s/provably' sweep list --out=runs && cp -r runs whole", folder, built) == 0,
                  "%s", output);
    run_is_read_safely("a run", false, false);
    #define AGAIN "cd '%s' && rm -rf runs && cp -r whole runs", folder
    for (size_t k = 0; k < COUNT(texts); k++)
        for (size_t i = 0; i < COUNT(poisons); i++) {
            ck_assert_int_eq(run_command(output, sizeof output, AGAIN), 0);
            poison_checkpoint(texts[k], poisons[i]);
            if (i == 1 || i == 2) ck_assert_int_eq(answers(texts[k], temp_format("'%s/provably' inspect runs/a", built)), 2);
            run_is_read_safely(temp_format("%s of a checkpoint, poison %zu", texts[k], i), false, i == 1 || i == 2);
        }
    char *in = temp_path(folder, "runs/a");
    for (size_t k = 0; k < COUNT(files); k++)
        for (size_t i = 0; i < COUNT(poisons); i++) {
            ck_assert_int_eq(run_command(output, sizeof output, AGAIN), 0);
            const char *whole = temp_read(in, files[k], NULL), *line = whole;
            for (long number = 0; *line; line += strcspn(line, "\n") + 1, number++) {
                if (i && i < 3 && number % 2 == (long)i % 2) {             /* these two by turns */
                    if (!strchr(line, '\n')) break;
                    continue;
                }
                const char *words = *line == '#' ? line + 2 + strcspn(line + 2, " ") : line;
                temp_text(in, files[k], temp_format("%.*s %s%s", (int)(words - whole), whole, poisons[i], line + strcspn(line, "\n")));
                run_is_read_safely(temp_format("%s at %ld, poison %zu", files[k], (long)(line - whole), i), true, false);
                if (!strchr(line, '\n')) break;
            }
        }
    free(built);
}
END_TEST

/* ---- other data ---------------------------------------------------------------------------------------------- */

/* Every command that reads a text of its own kind, with a poison wherever a word may stand. */
START_TEST(files_of_other_kinds)
{
    static const struct { const char *text, *commands; } kinds[] = {
        { "layers=2\nwidth=4\nheads=%s\nmlp=8\ncontext=4\nvocabulary=8\n", "audit --model=x" }, { "%s=2\n", "audit --model=x" }, { "layers=2 %s\n", "audit --model=x" },
        { "1,%s\n2,3\n", "absorb x x" }, { "%s\n", "absorb x x" },
        { "#version: 0.2\n%s a\n", "data encode --bpe=x --in=y --out=z" }, { "%s\n", "data encode --bpe=x --in=y --out=z" },
        { "#version: 0.2\na %s b\n", "data decode --bpe=x --in=y" }, { "%s\n", "data decode --chars=x --format=llmc --in=y" },
        { "%s", "data decode --format=llmc --in=x" }, { "%s", "data encode --in=x --level=chars --chars-out=z --out=z" },
        { "%s", "verify x y" }, { "%s", "verify m o --tokens=x" }, { "%s", "verify m o --text=x" }, { "[[1,%s]]", "verify m o --tokens=x" }, { "{\"%s\":1}", "verify m o --certificate=x" },
        { "%s", "verify m o --certificate=x" }, { "{\"%s\":1}", "inspect x" }, { "{\"weight_map\":{\"%s\":\"%s\"}}", "inspect x" }, { "%s", "inspect x" },
        { "%s", "train --data=nanogpt:x --steps=1 --out=z" }, { "%s", "train --data=llmc:x --steps=1 --out=z" }, { "%s", "train --data=chars:x --steps=1 --out=z" },
        { "%s", "train-vision --data=mnist:x --out=z" }, { "%s", "data check x" }, { "%s", "list --index=x" }, { "%s", "show K-O3.1 --evidence=x" } };
    char *built = realpath(build_folder(), NULL);
    make_models();
    temp_text(folder, "y", "some text\n");
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t i = 0; i < COUNT(poisons); i++) {
            text_buffer t = { 0 };
            for (const char *p = kinds[k].text; *p; p++) {
                if (strncmp(p, "%s", 2) == 0) text_add(&t, "%s", poisons[i]), p++;
                else text_bytes(&t, p, 1);
            }
            temp_text(folder, "x", t.at);
            answers(temp_format("%s, %s, poison %zu", kinds[k].text, kinds[k].commands, i), temp_format("'%s/provably' %s", built, kinds[k].commands));
            text_clear(&t);
        }
    free(built);
}
END_TEST

/* argp would print the words themselves. */
START_TEST(options_that_there_are_not)
{
    static const char *const programs[] = { "provably inspect", "provably verify", "provably list", "provably run K-O3.1", "provably data get", "provably sweep", "provably",
                                            "provably data", "theorems/k_l3_1", "proofcheck" };
    static const char *const words[] = { "--\033[31m", "--nope=\033[31m", "-\033[31m", "--zz=\xc2\x9b\xe2\x80\xae", "-z\xe2\x80\xae", "--json=\033[31m", "--help=\033[31m",
                                         "\033[31m", "--nope" };
    char output[8192], *at = temp_folder();
    for (size_t k = 0; k < COUNT(programs); k++)
        for (size_t i = 0; i < COUNT(words); i++) {
            char *path = temp_text(at, "word", words[i]);
            for (int name = 0; name < 2; name++) {
                const int status = run_command(output, sizeof output, "W=$(cat '%s'); E=$(printf 'zq\\033[31m'); B=$(realpath %s); set -- %s; P=\"$B/$1\"; shift; cd '%s' && "
                                               "bash -c 'exec -a \"$0\" \"$@\"' \"$P%s\" \"$P\" \"$@\" \"$W\" </dev/null", path, build_folder(), programs[k], at,
                                               name ? "$E" : "");
                ck_assert_msg(status == 2, "%s %zu: %d %s", programs[k], i, status, output);
                is_safe(output, temp_format("%s, word %zu", programs[k], i));
            }
        }
    static const struct { const char *command, *says; } values[] = {                  /* of options that there are */
        { "provably inspect --width \"$W\"", "--width takes a whole number from" }, { "provably inspect --wid \"$W\"", "--width takes a whole number from" },
        { "provably inspect --width=\"$W\"", "--width takes a whole number from" }, { "provably verify -o \"$W\" x y", "cannot read x" }, { "provably inspect -- \"$W\"", "cannot read --" },
        { "provably verify -o\"$W\" x y", "cannot read x" }, { "theorems/k_l3_1 --part \"$W\"", "part" } };
    temp_text(at, "word", "--\033[31m");
    for (size_t k = 0; k < COUNT(values); k++) {
        const int status = run_command(output, sizeof output, "W=$(cat '%s/word'); B=$(realpath %s); cd '%s'; \"$B\"/%s", at, build_folder(), at, values[k].command);
        ck_assert_msg(status == 2 && strstr(output, values[k].says) && !strstr(output, "no option"), "%s: %d %s", values[k].command, status, output);
        is_safe(output, values[k].command);
    }
}
END_TEST

/* A path that is given is printed by every command. */
START_TEST(names_of_files)
{
    static const char bad[] = "a\x1b[31mb\nc\xc2\x9b" "d\xe2\x80\xae`id`$(id)'<x>";
    static const char *const commands[] = { "provably inspect", "provably verify x", "provably reduce -o y", "provably sample --from", "provably sweep --out=y",
        "provably export --out=y --from", "provably absorb x", "provably show", "provably list", "provably run", "provably report --partial --evidence=/nonexistent --out",
        "provably report --out=y --evidence", "provably reproduce", "provably data get --to=y", "provably data encode --out=y --bpe=x --in",
        "provably train --steps=1 --out=y --data", "provably train-vision --out=y --data", "provably rank --arch", "provably audit --model", "proofcheck", "proofcheck x --statements",
        "theorems/k_l3_1 --part", "theorems/k_l3_1 --shape", "theorems/k_l3_1 --trials=1 --out" };
    char output[8192], *at = temp_folder(), *path = temp_write(temp_folder(), "path", bad, sizeof bad - 1);
    for (size_t k = 0; k < COUNT(commands); k++) {
        const bool joined = strstr(commands[k], "--from") || strstr(commands[k], "--evidence") || strstr(commands[k], "--in") || strstr(commands[k], "--data")
                            || strstr(commands[k], "--arch") || strstr(commands[k], "--model") || strstr(commands[k], "--statements") || strstr(commands[k], "--part")
                            || strstr(commands[k], "--shape") || (strstr(commands[k], "theorems") && strstr(commands[k], "--out")) || strstr(commands[k], "--evidence=/nonexistent");
        run_command(output, sizeof output, "B=$(realpath %s); P=$(cat '%s'); cd '%s' && timeout 60 \"$B\"/%s%s\"$P\" 2>&1 </dev/null", build_folder(), path, at,
                    commands[k], joined ? "=" : " ");
        ck_assert_msg(strlen(output) > 0, "%s", commands[k]);
        for (const char *c = output; *c; c++)
            ck_assert_msg((unsigned char)*c != 0x1b && strncmp(c, "\xc2\x9b", 2) != 0 && strncmp(c, "\xe2\x80\xae", 3) != 0, "%s: %s", commands[k], output);
        ck_assert_msg(!strstr(output, "uid="), "%s: %s", commands[k], output);
    }
}
END_TEST

/* The program of a claim leads out of its folder: nothing is started. */
START_TEST(no_path_is_a_program)
{
    char *whole = temp_read(data, "claims.csv", NULL), *built = realpath(build_folder(), NULL);
    static const char *const paths[] = { "../evil", "/bin/true", "./b_1", "b_1;id", "B_1", "b 1" };
    temp_text(folder, "evil", "#!/bin/sh\ntouch PWNED\n");
    for (size_t k = 0; k < COUNT(paths); k++) {
        temp_text(data, "claims.csv", poisoned(whole, 9, paths[k]));
        ck_assert_int_eq(answers(paths[k], temp_format("'%s/provably' run K-O3.1", built)), 2);
        ck_assert_int_eq(answers(paths[k], temp_format("'%s/provably' show K-O3.1 --evidence=.", built)), 2);
    }
    temp_text(data, "claims.csv", whole);
    free(built);
}
END_TEST

static void make_folder_of_words(void) { folder = temp_folder(); }

static void make_files(void)
{
    char output[2048];
    folder = temp_folder();
    data = temp_path(folder, "reports");
    const int status = run_command(output, sizeof output,
        "B=$(realpath '%s') && R=$(realpath reports) && S=$(realpath src) && H=$(realpath theorems) && cd '%s' && "
        "mkdir -p evidence reports/results/curves && ln -s $S src && ln -s $H theorems && "
        "for f in claims verdicts formal_read; do sed -n -E '1p; /^(K-A-slice|K-O3.1|B-14),/p' $R/$f.csv >reports/$f.csv; done && "
        "sed -n '1p; /^theorem,B-14,/p' $R/formal.csv >reports/formal.csv && "
        "sed -n '1p; /^theorems.b_14.v,/p' $R/formal_needed.csv >reports/formal_needed.csv && "
        "printf 'file,theorem,of_file,of_theorem\\ntheorems/b_14.v,hull,theorems/b_14.v,hull_skips\\n' >reports/formal_cases.csv && "
        "printf 'about,sentence,rows\\ntheory,\"A sentence, so.\",K-A-slice=SLIP\\n' >reports/findings.csv && "
        "cp $R/formal_log.txt reports && cp $R/results/basis-rate.csv reports/results && cp $R/results/curves/basis-rate-*.csv reports/results/curves && "
        "sed -i 's/,k_a_slice,/,own_slice,/' reports/claims.csv && "           /* a program that is not linked into provably */
        "for t in k_a_slice b_14; do as=$(echo $t | sed s/k_a/own/); $B/theorems/$t --out=evidence/$as.csv --scale=quick >log && "
        "$B/theorems/$t --describe >evidence/$as.meta || exit 1; done && cd evidence && "
        "printf 'id,part,case,shape,seed,trial,figure,x,value,low,high,predicted\\n' >own_slice.figures.csv && "
        "awk -F, 'NR == 2 { print $1 \",\" $2 \",\" $4 \",\" $7 \",\" $8 \",\" $9 \",a figure; one,1,2,1,3,2\" }' own_slice.csv "
        ">>own_slice.figures.csv", build_folder(), folder);
    ck_assert_msg(status == 0, "%s", output);
    evidence_done_at(temp_path(folder, "evidence/own_slice.figures.csv"));
    ck_assert_int_eq(answers("as it is", show_command()), 0);
    ck_assert_int_ne(answers("as it is", report_command()), 2);
    is_written_safely("as it is");
}

int main(int argc, char **argv)
{
    Suite *suite = suite_create("poison");
    TCase *words = tcase_create("words");
    suite_add_tcase(suite, words);
    tcase_set_timeout(words, 0);
    tcase_add_unchecked_fixture(words, make_folder_of_words, NULL);
    tcase_add_test(words, a_terminal);
    tcase_add_test(words, only_our_newlines);
    tcase_add_test(words, a_shell);
    tcase_add_test(words, texts_of_a_chart_stay_text);
    TCase *all = tcase_create("poison");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_unchecked_fixture(all, make_files, NULL);
    tcase_add_test(all, every_column_of_the_evidence);
    tcase_add_test(all, every_column_of_the_lists);
    tcase_add_test(all, every_column_of_recorded_runs);
    tcase_add_test(all, every_key_of_a_description);
    tcase_add_test(all, no_path_is_a_program);
    TCase *lists = tcase_create("lists");
    suite_add_tcase(suite, lists);
    tcase_set_timeout(lists, 0);
    tcase_add_unchecked_fixture(lists, make_files, NULL);
    tcase_add_test(lists, every_column_through_list_and_run);
    tcase_add_test(lists, no_name_leads_out_of_its_folder);
    TCase *quick = tcase_create("quick");
    suite_add_tcase(suite, quick);
    tcase_add_test(quick, a_screen);
    tcase_add_test(quick, pieces_of_text);
    tcase_add_test(quick, text_for_a_pipe_or_a_terminal);
    tcase_add_test(quick, options_that_there_are_not);
    tcase_add_test(quick, names);
    tcase_set_timeout(quick, 600);
    tcase_add_test(quick, names_of_files);
    TCase *models = tcase_create("models");
    suite_add_tcase(suite, models);
    tcase_set_timeout(models, 0);
    tcase_add_unchecked_fixture(models, make_files, NULL);
    tcase_add_test(models, every_string_of_a_configuration);
    tcase_add_test(models, names_of_tensors);
    tcase_add_test(models, metadata_of_safetensors);
    tcase_add_test(models, keys_of_gguf);
    TCase *runs = tcase_create("runs");
    suite_add_tcase(suite, runs);
    tcase_set_timeout(runs, 0);
    tcase_add_unchecked_fixture(runs, make_files, NULL);
    tcase_add_test(runs, lists_of_runs);
    tcase_add_test(runs, folders_of_runs);
    tcase_add_test(runs, files_of_other_kinds);
    return run_suite(suite, argc, argv);
}
