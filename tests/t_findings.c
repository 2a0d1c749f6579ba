/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_findings.c - the sentences that open the report, against the hypotheses of the claims they name; the numbers in
 * README and INSTALL that speak of the project, against the project. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/claim/claim.h"
#include "src/claim/judge/verdict.h"
#include "src/data/checksum.h"
#include "src/report/report.h"
#include "src/report/collect/evidence_set.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* Words of a hypothesis, and the condition that a sentence has to state where a claim has them. */
static const struct { const char *words, *condition; } conditions[] = {
    { "no normalization", "norm" }, { "no norm,", "norm" }, { "no norms,", "norm" }, { "QK-norm", "qk-norm" },
    { "norm of keys", "qk-norm" }, { "norm of queries", "qk-norm" }, { "norms of keys", "qk-norm" },
    { "norms of queries", "qk-norm" }, { "RoPE", "positions" }, { "no rotations", "positions" }, { "skips", "skips" },
    { "no skip around", "skips" }, { "untied", "head" }, { "tied head", "head" }, { "head of its own", "head" },
    { "h = 1", "heads" }, { "h \\\\ge 2", "heads" }, { "h > 1", "heads" }, { "H \\\\ge 2", "heads" }, { "H > 1", "heads" },
    { "one head", "heads" }, { "general position", "general" }, { "same width", "width" }, { "fixed width", "width" },
    { "no bias", "biases" }, { "GL(", "invertible" } };

typedef struct { long finding; char condition[16], words[80], not_needed[200]; } stated;
static stated *list;
static long listed;

static void read_list(void)
{
    csv_file c = csv_open("tests/findings_conditions.csv", "finding,condition,words,not_needed", "");
    for (stated x; csv_next(&c); ) {
        x.finding = atol(c.cell[0]);
        csv_text(&c, 1, x.condition, sizeof x.condition);
        csv_text(&c, 2, x.words, sizeof x.words);
        csv_text(&c, 3, x.not_needed, sizeof x.not_needed);
        ck_assert_msg(!x.words[0] == !!x.not_needed[0], "%ld %s: either words or a reason", x.finding, x.condition);
        list = must_realloc(list, (size_t)listed + 1, sizeof *list);
        list[listed++] = x;
    }
    csv_close(&c);
}

static bool states(long number, const char *condition)
{
    for (long k = 0; k < listed; k++)
        if (list[k].finding == number && strcmp(list[k].condition, condition) == 0) return true;
    return false;
}

/* What a claim assumes: `.hypotheses` of its program, and what its theorems cannot do without (formal_needed.csv). */
static char *assumed(const claim_index *x, const char *id)
{
    text_buffer all = { 0 };
    const claim_entry *e = index_find(x, id);
    ck_assert_ptr_nonnull(e);
    if (e->program[0]) {
        char *path = must_format("theorems/%s.c", e->program), *source = temp_read(NULL, path, NULL);
        const char *at = strstr(source, "    .hypotheses ="), *end = at ? strstr(at, "\",\n") : NULL;
        if (end) text_bytes(&all, at, (size_t)(end - at));
        free(path);
    }
    char *theorems = temp_read(NULL, "reports/formal.csv", NULL), *header = temp_format("%.*s", (int)strcspn(theorems, "\n"), theorems);
    csv_file t = csv_open("reports/formal.csv", header, "");
    while (csv_next(&t)) {
        if (strcmp(t.cell[0], "theorem") != 0 || strcmp(t.cell[1], id) != 0) continue;
        if (strcmp(t.cell[2], "as-stated") != 0 && strcmp(t.cell[2], "corrected") != 0) continue;
        char *theorem = must_strdup(t.cell[3]), *file = must_strdup(t.cell[5]);
        csv_file n = csv_open("reports/formal_needed.csv", "file,theorem,hypothesis,lemma,lemma_file,sha256,says", "");
        while (csv_next(&n))
            if (n.cell[3][0] && strcmp(n.cell[0], file) == 0 && strcmp(n.cell[1], theorem) == 0)
                text_add(&all, "; %s", n.cell[2]);
        csv_close(&n);
        free(theorem);
        free(file);
    }
    csv_close(&t);
    return text_take(&all);
}

/* Each sentence for practitioners and of the theory states every condition of the claims that it names, or the list says why it need not. */
START_TEST(sentences_state_their_conditions)
{
    findings all = findings_read("reports/findings.csv");
    claim_index x = index_read("reports/claims.csv");
    long required = 0;
    read_list();
    ck_assert_int_ge(all.n, 20);
    for (long f = 0; f < all.n; f++) {
        const char *left = all.at[f].rows;
        char id[NAME_SIZE], word[24];
        while (all.at[f].about != ABOUT_EXPERIMENTS && findings_next_row(&left, id, word)) {
            char *text = assumed(&x, id);
            for (size_t k = 0; k < COUNT(conditions); k++) {
                if (!strstr(text, conditions[k].words)) continue;
                required++;
                ck_assert_msg(states(f + 1, conditions[k].condition), "sentence %ld names %s, which assumes `%s`: it has to "
                              "state that (%s), or tests/findings_conditions.csv to say why not", f + 1, id,
                              conditions[k].words, conditions[k].condition);
            }
            free(text);
        }
    }
    ck_assert_int_ge(required, 40);
    for (long k = 0; k < listed; k++) {
        ck_assert_int_le(list[k].finding, all.n);
        ck_assert_msg(strstr(all.at[list[k].finding - 1].sentence, list[k].words) != NULL, "sentence %ld does not say `%s`",
                      list[k].finding, list[k].words);
    }
    findings_free(&all);
    index_free(&x);
}
END_TEST

static long number_before(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    ck_assert_msg(at != NULL, "`%s` is not there", words);
    while (at > text && strchr("0123456789,", at[-1])) at--;
    long n = 0;
    for (; *at != ' '; at++) if (*at != ',') n = n * 10 + *at - '0';
    return n;
}

#define DESCRIBED "for p in $B/theorems/*; do case $p in *.*) ;; *) test -f $p && test -x $p && $p --describe ;; esac; done | "

static long counted(const char *command)
{
    char output[64];
    ck_assert_int_eq(run_command(output, sizeof output, "B='%s'; %s", build_folder(), command), 0);
    return atol(output);
}

/* README: variants with a deliberate error are the controls that the programs describe; sentences those of
 * findings.csv; the lines of proofcheck, to hundreds. */
START_TEST(numbers_of_readme)
{
    char *readme = temp_read(NULL, "README.md", NULL), *install = temp_read(NULL, "INSTALL.md", NULL);
    const long programs = counted("ls theorems/*.c | wc -l"), described = counted(DESCRIBED "grep -c '^id:'"),
               said_programs = number_before(install, " programs of the claims");
    ck_assert_int_eq(said_programs, programs);
    if (described == programs) ck_assert_int_eq(number_before(readme, " variants with a"), counted(DESCRIBED "grep -c '^control:'"));
    else printf("%ld of %ld programs are built: README's number of variants was not compared\n", described, programs);
    findings all = findings_read("reports/findings.csv");
    ck_assert_int_eq(all.n, 26);
    ck_assert_ptr_nonnull(strstr(readme, "opens with twenty-six sentences"));
    findings_free(&all);
    const long lines = counted("cat src/proofcheck/*.[ch] | wc -l"), said = number_before(readme, " lines of C on GMP");
    ck_assert_msg(labs(lines - said) <= 50, "README: %ld lines, proofcheck has %ld", said, lines);
}
END_TEST

/* What a command prints, without the end of the line. */
static const char *printed(const char *command)
{
    char output[256];
    ck_assert_int_eq(run_command(output, sizeof output, "cd reports/results && %s", command), 0);
    output[strcspn(output, "\n")] = '\0';
    ck_assert_msg(output[0] != '\0', "no record: %s", command);
    return temp_format("%s", output);
}

/* README's figures of speed and memory are those of the records; the length of a program is the median. */
START_TEST(figures_of_readme)
{
    static const struct { const char *before, *command, *after; } figures[] = {
        { "where a step is ", "awk -F, '$3 ~ /^torch/ { if (!($2 in x) || $NF < x[$2]) x[$2] = $NF } END { for (m in x) { if (!n++ || x[m] < a) "
          "a = x[m]; if (x[m] > b) b = x[m] } printf \"%.1f to %.1f\", a, b }' bench_peers_avx512_bf16_zen5.csv", " times as fast as PyTorch's (Zen 5" },
        { "124M trains at ", "awk -F, '/training step,(\"GPT-2 124M|\"the same, attention)/ && !/PyTorch/ && $(NF-1) > x { x = $(NF-1) } "
          "END { printf \"%.0f\", x / 1000 }' bench_gpu_h200.csv", " thousand tokens a second (H200; " },
        { " thousand tokens a second (H200; ", "awk -F, '/training step,\"GPT-2 124M/ && !/PyTorch/ && $(NF-1) > x { x = $(NF-1) } "
          "END { printf \"%.0f\", x / 1000 }' bench_gpu_h100.csv", " on an H100" },
        { "`verify` takes ", "awk -F, '$6 == 24 && $7 == 1024 && $12 == \"verify\" { x = $(NF-3) } END { printf \"%.1f\", x / 1000 }' bench_reduce.csv",
          " GB of memory of its own" },
        { "and `reduce` ", "awk -F, '$6 == 24 && $7 == 1024 && $12 == \"reduce\" { x = $(NF-3) } END { printf \"%.1f\", x / 1000 }' bench_reduce.csv",
          " GB with one" },
    };
    char *readme = temp_read(NULL, "README.md", NULL);
    for (char *p = readme; *p; p++) if (*p == '\n') *p = ' ';
    for (char *p; (p = strstr(readme, "   ")) != NULL; ) memmove(p, p + 2, strlen(p + 2) + 1);
    for (size_t k = 0; k < COUNT(figures); k++) {
        const char *is = temp_format("%s%s%s", figures[k].before, printed(figures[k].command), figures[k].after);
        ck_assert_msg(strstr(readme, is) != NULL, "README does not say `%s`", is);
    }
    const long lines = counted("wc -l theorems/*.c | grep -v total | sort -n | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }'"),
               said = number_before(readme, " lines and one row of the index");
    ck_assert_msg(20 * labs(lines - said) <= 3 * said, "README: about %ld lines, the median of the programs has %ld", said, lines);
}
END_TEST

/* README's example is what `show` prints, in its order, some of it left out. */
START_TEST(the_example_of_readme)
{
    static char output[1 << 16];
    char *readme = temp_read(NULL, "README.md", NULL), *at = strstr(readme, "```text\nK-T4.4 "), *save = NULL;
    ck_assert_ptr_nonnull(at);
    at += strlen("```text\n");
    *strstr(at, "```") = '\0';
    ck_assert_int_eq(run_command(output, sizeof output, "'%s/provably' show 'Theorem 4.4' --width=100 --evidence=nothing-here --long", build_folder()), 0);
    char *shown = temp_format("%s", output), *from = shown;
    long compared = 0;
    /* How we know and Without need evidence; CI runs the command with it. */
    static const char *const here[] = { "Verdict", "In short", "Why", "As printed", "Construction", "Do it again" };
    for (char *line = strtok_r(at, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        for (size_t k = 0; k < COUNT(here); k++) {
            if (strncmp(line, here[k], strlen(here[k])) != 0) continue;
            char *text = temp_format("%s", line + 14);
            if (k == 5) text = strstr(text, " run ");
            const char *is = strstr(from, text);
            ck_assert_msg(is != NULL, "README shows `%s`, the program not, or earlier:\n%s", text, shown);
            from = (char *)is;
            compared++;
        }
    ck_assert_int_eq(compared, COUNT(here));
}
END_TEST

static void read_index(void *path)
{
    claim_index x = index_read(path);
    index_free(&x);
}

/* Names of a list of claims become paths: each is looked at, and none stands twice. */
START_TEST(lists_of_claims)
{
    static const struct { const char *lines, *says; } bad[] = {
        { "../x,,,,,,identity,t,,,,\n", "is not a name" }, { "K-X,,,,,,identity,t,,../x,,\n",
          "is not the name of a program" },
        { "K-X,,,,,,identity,t,,,,\nK-X,,,,,,identity,t,,,,\n", "duplicate claim id K-X" } };
    char *path = temp_path(temp_folder(), "claims.csv"), said[512];
    static const char *const head = "id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls\n";
    for (size_t k = 0; k < COUNT(bad); k++) {
        char *text = temp_format("%s%s", head, bad[k].lines);
        temp_write(NULL, path, text, strlen(text));
        ck_assert_int_eq(run_child(read_index, path, said, sizeof said), 2);
        ck_assert_msg(strstr(said, bad[k].says) != NULL, "%s: %s", bad[k].lines, said);
    }
    char *text = temp_format("%sK-X,,,,,,identity,t,,k_x,,\nK-Y,,,,,,identity,t,,,,\n", head);
    temp_write(NULL, path, text, strlen(text));
    claim_index x = index_read(path);
    ck_assert(x.n == 2 && index_find(&x, "K-Y") == &x.at[1] && !index_find(&x, "K-Z"));
    index_free(&x);
}
END_TEST

/* ---- words -------------------------------------------------------------------------------------------------------- */

/* Is the phrase in the text, in whole words, whatever its case? */
static bool says_phrase(const char *text, const char *phrase)
{
    const size_t n = strlen(phrase);
    for (const char *at = text; (at = strcasestr(at, phrase)); at++)
        if ((at == text || !isalpha((unsigned char)at[-1])) && !isalpha((unsigned char)at[n])) return true;
    return false;
}

/* The pictures of a document are there, small, and of a form that browsers show. */
static long pictures_of(const char *path)
{
    const char *text = temp_read(NULL, path, NULL), *at = text;
    long n = 0;
    for (; (at = strstr(at, "![")) && (at = strstr(at, "](")); n++) {
        at += 2;
        char *picture = temp_format("%.*s", (int)strcspn(at, ")"), at);
        size_t length;
        char *bytes = file_read(picture, 150000, &length);
        ck_assert_msg((length > 1000 && memcmp(bytes, "\x89PNG\r\n", 6) == 0) || strncmp(bytes, "<svg ", 5) == 0,
                      "%s: %s is no picture", path, picture);
        free(bytes);
    }
    return n;
}

/* The picture of the report is the one that was drawn, of the sentences that open the report now: `make picture`. */
START_TEST(pictures_of_documents)
{
    ck_assert_int_eq(pictures_of("README.md"), 2);
    pictures_of("WALKTHROUGHS.md");
    pictures_of("EXPERIMENTS.md");
    char is[SHA256_HEX], shows[SHA256_HEX], *all = temp_read(NULL, "reports/findings.csv", NULL), *save = NULL;
    text_buffer shown = { 0 };
    for (char *line = strtok_r(all, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        if (strncmp(line, "practice,", 9) == 0) text_add(&shown, "%s\n", line);
    ck_assert_ptr_nonnull(shown.at);
    checksum_sha256_bytes(shown.at, shown.length, shows);
    ck_assert(checksum_sha256("reports/report.png", is));
    text_clear(&shown);
    const char *record = temp_read(NULL, "reports/report.png.sha256", NULL);
    ck_assert_msg(strcmp(record, temp_format("%s  picture\n%s  shows\n", is, shows)) == 0,
                  "reports/report.png shows other sentences than reports/findings.csv opens with: make picture");
}
END_TEST

/* White space is one blank. */
static char *one_blank(char *text)
{
    char *to = text;
    for (const char *p = text; *p; p++) {
        const bool blank = isspace((unsigned char)*p);
        if (!blank || (to > text && to[-1] != ' ')) *to++ = blank ? ' ' : *p;
    }
    *to = '\0';
    return text;
}

/* Behind a comment, a character or a string that begins at p. */
static const char *behind(const char *p)
{
    if (*p == '/') {
        const char *end = strstr(p, p[1] == '*' ? "*/" : "\n");
        return !end ? p + strlen(p) : p[1] == '*' ? end + 2 : end;
    }
    const char mark = *p++;
    while (*p && *p != mark) p += *p == '\\' && p[1] ? 2 : 1;
    return p + (*p != '\0');
}

/* What the strings of a source in C say; those with nothing but white space between them are one, others end in ` | `. */
static char *strings_of(const char *source)
{
    text_buffer all = { 0 };
    bool follows = false;                                                  /* only white space since a string */
    for (const char *p = source; *p; ) {
        const bool comment = *p == '/' && (p[1] == '*' || p[1] == '/');
        if (!comment && *p != '"' && *p != '\'') {
            follows = follows && isspace((unsigned char)*p);
            p++;
            continue;
        }
        const char *end = behind(p);
        if (*p == '"') {
            if (!follows) text_add(&all, " | ");
            for (const char *q = p + 1; q < end - 1; q++)
                if (*q == '\\' && *++q == 'n') text_add(&all, " ");
                else text_bytes(&all, q, 1);
        }
        if (!comment) follows = *p == '"';
        p = end;
    }
    return text_take(&all);
}

/* What users read in a file: of a source its strings, of the Makefile what `make help` prints. */
static char *read_by_users(const char *path)
{
    char *text = temp_read(NULL, path, NULL);
    const char *ending = strrchr(path, '.');
    if (strcmp(path, "Makefile") == 0) {
        *strstr(text, "\nCC ") = '\0';
        for (char *p = text; *p; p++) if (*p == '#') *p = ' ';
    } else if (ending && (strcmp(ending, ".c") == 0 || strcmp(ending, ".h") == 0 || strcmp(ending, ".cu") == 0)) {
        char *strings = strings_of(text);
        text = temp_format("%s", strings);
        free(strings);
    }
    return one_blank(text);
}

/* Blanks in place of a phrase that may stay. */
static void leave_out(char *text, const char *phrase)
{
    for (char *at = text; (at = strstr(at, phrase)); ) memset(at, ' ', strlen(phrase));
}

/* What users read says none of the phrases of tests/dialect.txt. */
START_TEST(plain_words)
{
    static const char *const documents = "README.md CHANGELOG.md INSTALL.md EXPERIMENTS.md SOUNDNESS.md CONTRIBUTING.md "
        "WALKTHROUGHS.md Makefile reports/findings.csv reports/bearing.csv reports/DATA.md reports/CERTIFICATES.md "
        "reports/report.tex src/checkpoint/architectures/README.md";
    static char files[1 << 17];
    ck_assert_int_eq(run_command(files, sizeof files, "for f in %s; do echo $f; done; find src numerics cuda -name '*.[ch]' -o "
                                 "-name '*.cu'", documents), 0);
    long phrases = 0, read = 0;
    char *listed_phrases = temp_read(NULL, "tests/dialect.txt", NULL), *save = NULL;
    for (char *path = strtok_r(files, "\n", &save); path; path = strtok_r(NULL, "\n", &save), read++) {
        char *text = read_by_users(path), *lines = temp_format("%s", listed_phrases), *next = NULL;
        phrases = 0;
        for (char *line = strtok_r(lines, "\n", &next); line; line = strtok_r(NULL, "\n", &next)) {
            char *bar = strchr(line, '|');
            if (*line == '#') continue;
            if (*line == '=') { leave_out(text, line + 1); continue; }
            ck_assert_msg(bar && bar[1], "tests/dialect.txt: no PHRASE|INSTEAD: %s", line);
            *bar = '\0';
            ck_assert_msg(!says_phrase(text, line), "%s says `%s`: write `%s`", path, line, bar + 1);
            phrases++;
        }
    }
    ck_assert_int_ge(phrases, 30);
    ck_assert_int_ge(read, 500);
    char *strings = strings_of("f(\"a\\n\" /* \"b\" */ \"c\", '\"', \"d \\\"e\"); // \"g\"\n");
    ck_assert_str_eq(strings, " | a c | d \"e");
    free(strings);
    ck_assert(says_phrase("It Rests on X.", "rests on") && !says_phrase("arrests on", "rests on") && !says_phrase("rests once", "rests on"));
}
END_TEST

/* ---- recorded runs and the claims on which they bear ------------------------------------------------------------- */

static void read_bearings(void *path)
{
    bearings b = bearings_read(path);
    bearings_free(&b);
}

/* "PRESET/PART/FIRST" and "PRESET/PART/SECOND" of a comparison, among those listed? */
static bool is_listed(const bearings *all, const result *r)
{
    const char *minus = strstr(r->cell[R_ROW], " - ");
    char *prefix = temp_format("%s/%s/", r->cell[R_PRESET], r->cell[R_PART]);
    char *first = temp_format("%s%.*s", prefix, minus ? (int)(minus - r->cell[R_ROW]) : 0, r->cell[R_ROW]);
    char *second = temp_format("%s%s", prefix, minus ? minus + 3 : "");
    for (long k = 0; k < all->n; k++)
        if (strcmp(all->at[k].first, first) == 0 && strcmp(all->at[k].second, second) == 0) return true;
    return false;
}

/* Every recorded preset bears on a claim: by its lines, or by the list.  Two are acceptances of the training engine. */
static bool bears(const bearings *all, const result *r)
{
    static const char *const acceptance[] = { "mnist", "shakespeare" };
    for (size_t k = 0; k < COUNT(acceptance); k++) if (result_is(r, R_PRESET, acceptance[k])) return true;
    if (r->cell[R_CLAIM][0] || is_listed(all, r)) return true;
    char *prefix = temp_format("%s/%s/", r->cell[R_PRESET], r->cell[R_PART]);
    for (long k = 0; k < all->n; k++)
        if (strncmp(all->at[k].first, prefix, strlen(prefix)) == 0 && !result_is(r, R_KIND, "comparison")) return true;
    return false;
}

START_TEST(recorded_runs_are_named)
{
    results all = results_folder("reports/results");
    bearings named = bearings_read("reports/bearing.csv");
    claim_index x = index_read("reports/claims.csv");
    ck_assert_int_ge(all.n, 500);
    ck_assert_int_ge(named.n, 20);
    for (long k = 0; k < all.n; k++)
        ck_assert_msg(bears(&named, &all.at[k]), "no claim names the recorded %s of %s %s: reports/bearing.csv",
                      all.at[k].cell[R_ROW], all.at[k].cell[R_PRESET], all.at[k].cell[R_PART]);
    for (long k = 0; k < named.n; k++) {
        char *words = bearing_words(&all, &named.at[k]);
        ck_assert_msg(words != NULL, "%s: no such recorded runs: %s, %s", named.at[k].claim, named.at[k].first, named.at[k].second);
        ck_assert_ptr_nonnull(index_find(&x, named.at[k].claim));
        free(words);
    }
    const bearings none = { 0 };
    long unnamed = 0;
    for (long k = 0; k < all.n; k++) unnamed += !bears(&none, &all.at[k]);
    ck_assert_int_ge(unnamed, 100);                                        /* the grids of rates: the list is what names them */
    index_free(&x);
    bearings_free(&named);
    results_free(&all);
}
END_TEST

/* Lines of runs of three seeds each, p/part/ROW. */
static void add_run(results *to, const char *name, const char *seeds, const char *values)
{
    const struct { result_cell at; const char *is; } cells[] = { { R_PRESET, "p" }, { R_PART, "part" }, { R_KIND, "run" },
        { R_METRIC, "loss" }, { R_ROW, name }, { R_SEEDS, seeds }, { R_VALUES, values } };
    result r = { .p = NULL };
    for (size_t k = 0; k < COUNT(cells); k++) r.cell[cells[k].at] = must_strdup(cells[k].is);
    results_add(to, r);
}

START_TEST(differences_are_of_the_same_seeds)
{
    results all = { 0 };
    bearing b = { .metric = "loss", .says = "it", .first = "p/part/a", .second = "p/part/b" };
    add_run(&all, "a", "1 to 3", "1 2 3");
    add_run(&all, "b", "1 to 3", "0.5 1.5 2.5");
    add_run(&all, "c", "2 to 4", "0.5 1.5 2.5");
    ck_assert_str_eq(bearing_words(&all, &b), "it: 0.5000 [0.5000, 0.5000], 3 seeds");
    cell_copy(b.second, sizeof b.second, "p/part/c");
    ck_assert_ptr_null(bearing_words(&all, &b));
    results_free(&all);
}
END_TEST

/* A difference of runs is the one that was recorded; of one run there is no interval; a bad line is refused. */
START_TEST(what_runs_say)
{
    results all = results_folder("reports/results");
    bearing b = { .metric = "validation loss", .says = "it", .first = "gpt-d128/as-003/baseline-0.03125", .second = "gpt-d128/as-003/baseline" };
    ck_assert_str_eq(bearing_words(&all, &b), "it: 0.0026 [0.0013, 0.0040], 6 seeds");
    cell_copy(b.second, sizeof b.second, "gpt-d128-tune/tune/baseline-rate=4e-3-decay=0.1-factor=1");
    ck_assert_ptr_null(bearing_words(&all, &b));                           /* of other seeds */
    cell_copy(b.first, sizeof b.first, "gpt-d128-tune/tune/baseline-rate=8e-3-decay=0.1-factor=1");
    ck_assert_str_eq(bearing_words(&all, &b), "it: 0.0282, 1 seed, no interval");
    cell_copy(b.second, sizeof b.second, "gpt-d128/open/no-such-row");
    ck_assert_ptr_null(bearing_words(&all, &b));
    results_free(&all);
    static const struct { const char *line, *says; } bad[] = {
        { "K-X,loss,preset/row,,it\n", ":2: a run is PRESET/PART/ROW" }, { "K-X,loss,a/b/c,a//c,it\n", ":2: a run is PRESET/PART/ROW" },
        { "K-X,,a/b/c,,it\n", ":2: the metric, or what is compared" }, { "K-X,loss,a/b/c,,\n", ":2: the metric, or what is compared" },
        { "../x,loss,a/b/c,,it\n", "is not a name" } };
    char *path = temp_path(temp_folder(), "bearing.csv"), said[512];
    for (size_t k = 0; k < COUNT(bad); k++) {
        char *text = temp_format("claim,metric,first,second,says\n%s", bad[k].line);
        temp_write(NULL, path, text, strlen(text));
        ck_assert_int_eq(run_child(read_bearings, path, said, sizeof said), 2);
        ck_assert_msg(strstr(said, bad[k].says) != NULL, "%s: %s", bad[k].line, said);
    }
}
END_TEST

int main(int argc, char **argv)
{
    base_init(argc, argv);
    Suite *suite = suite_create("findings");
    TCase *all = tcase_create("findings");
    tcase_set_timeout(all, 200);
    tcase_add_test(all, sentences_state_their_conditions);
    tcase_add_test(all, numbers_of_readme);
    tcase_add_test(all, figures_of_readme);
    tcase_add_test(all, the_example_of_readme);
    tcase_add_test(all, lists_of_claims);
    tcase_add_test(all, pictures_of_documents);
    tcase_add_test(all, plain_words);
    tcase_add_test(all, recorded_runs_are_named);
    tcase_add_test(all, what_runs_say);
    tcase_add_test(all, differences_are_of_the_same_seeds);
    suite_add_tcase(suite, all);
    return run_suite(suite, argc, argv);
}
