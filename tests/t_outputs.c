/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_outputs.c - what other programs and other people's papers take from the reports: CSV, JSON, LaTeX.
 *
 * A report is made once, from two programs of the suite and a recorded preset.  LaTeX is compiled where it is installed;
 * everywhere each command in it must be known: TeX's own, of a package that the file names, or defined by the file. */
#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/experiments/results.h"
#include "src/report/report.h"
#include "tests/support/files.h"
#include "tests/support/markup.h"
#include "tests/support/recorded.h"
#include "tests/support/suite.h"

static char *root, *out;                 /* of all tests: nothing changes them after setup */

static void must_run(int status, const char *format, const char *a, const char *b)
{
    char said[8192];
    const int is = run_command(said, sizeof said, format, a, b, build_folder());
    ck_assert_msg(is == status, "%s: exit status %d:\n%.2000s", format, is, said);
}

static void setup(void)
{
    static const char *const programs[] = { "k_p4_1", "k_e2" };
    results all = { NULL, 0 };
    root = temp_folder();
    out = temp_path(root, "out");
    for (size_t k = 0; k < COUNT(programs); k++) {
        if (!k) must_run(0, "mkdir %1$s/e %1$s/results", root, "");
        must_run(0, "%3$s/theorems/%2$s --describe > %1$s/e/%2$s.meta", root, programs[k]);
        must_run(0, "%3$s/theorems/%2$s --scale=quick --out=%1$s/e/%2$s.csv", root, programs[k]);
    }
    must_run(0, "awk -F, 'NR == 1 || /^(K-P4.1|K-E2|K-T2-100k),/' reports/claims.csv > %1$s/claims.csv", root, "");
    must_run(0, "mkdir -p %1$s/src/formal %1$s/theorems && cp theorems/k_e2.c %1$s/theorems && "
             "sed -n '1p; /^K-E2,/p' reports/body_read.csv > %1$s/body_read.csv", root, "");
    temp_text(root, "findings.csv", "about,sentence,rows\ntheory,\"$W_Q$ goes, as 100 % of readers say\",K-E2=REFUTED\n");
    add_recorded(&all, "gpt-100k", (recorded_runs){ .seeds = 3, .spread = 1e-5, .row = -1 });
    results_write(&all, temp_path(root, "results/gpt-100k.csv"));
    results_free(&all);
    /* Exit status 1: K-P4.1 uses claims that are not here. */
    must_run(1, "%3$s/provably report --quiet --evidence=%1$s/e --index=%1$s/claims.csv --out=%2$s --json=%1$s/r.json",
             root, out);
}

/* ---- tables ---- */

typedef struct { char *cell[64]; long n; } line_of_cells;        /* cells in the text that was given */

/* Cuts one line of CSV into cells; returns what follows it. */
static char *cut(line_of_cells *to, char *at)
{
    to->n = 0;
    for (;;) {
        char *end = at, *write = at;
        const bool quoted = *at == '"';
        ck_assert_int_lt(to->n, 64);
        to->cell[to->n++] = at;
        if (quoted) {
            for (end++; *end != '"' || end[1] == '"'; end += *end == '"' ? 2 : 1) *write++ = *end;
            end++;
        } else {
            end += strcspn(end, ",\n");
            write = end;
        }
        const char after = *end;
        *write = '\0';
        at = end + 1;
        if (after != ',') return at;
    }
}

typedef struct { line_of_cells head, row[512]; long rows; } table;

/* A whole file of the report; only its first 512 rows are kept. */
static table *table_of(const char *name)
{
    static table t;
    char *text = temp_read(out, name, NULL);
    t.rows = 0;
    text = cut(&t.head, text);
    while (*text && t.rows < 512) {
        text = cut(&t.row[t.rows], text);
        ck_assert_msg(t.row[t.rows].n == t.head.n, "%s:%ld: %ld cells, not %ld", name, t.rows + 2, t.row[t.rows].n, t.head.n);
        t.rows++;
    }
    return &t;
}

static const char *const csv_files[] = { "summary", "parts", "coverage", "untried", "ladder", "condition", "figures",
                                         "audit", "experiments", "seeds", "trained", "reductions", "data-dictionary" };

static bool is_number(const char *text)
{
    char *end;
    if (strcmp(text, "Inf") == 0 || strcmp(text, "-Inf") == 0) return true;
    const double x = strtod(text, &end);
    return end != text && !*end && isfinite(x) && (isdigit((unsigned char)*text) || *text == '-');
}

static bool is_of_type(const char *text, const char *type)
{
    if (strcmp(type, "text") == 0 || !*text) return true;
    if (strcmp(type, "flag") == 0) return strcmp(text, "0") == 0 || strcmp(text, "1") == 0;
    if (strcmp(type, "integer") == 0) return strspn(text, "-0123456789") == strlen(text);
    ck_assert_str_eq(type, "number");
    return is_number(text);
}

/* Each column of each file has its line in the dictionary, in order, and nothing else has; each cell has its type. */
START_TEST(the_dictionary_is_the_data)
{
    table words = *table_of("data-dictionary.csv");
    long at = 0;
    for (size_t f = 0; f < COUNT(csv_files); f++) {
        char *name = temp_format("%s.csv", csv_files[f]);
        const table *t = table_of(name);
        for (long k = 0; k < t->head.n; k++, at++) {
            const char *column = t->head.cell[k];
            ck_assert_msg(at < words.rows, "the dictionary ends before %s", name);
            char *const *says = words.row[at].cell;
            ck_assert_str_eq(says[0], name);
            ck_assert_str_eq(says[1], column);
            ck_assert_msg(*says[4], "%s of %s has no meaning", column, name);
            ck_assert_msg(islower((unsigned char)*column) && strspn(column, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(column),
                          "`%s` is no name of a column", column);
            for (long r = 0; r < t->rows; r++)
                ck_assert_msg(is_of_type(t->row[r].cell[k], says[2]), "%s:%ld: %s `%s` is no %s", name, r + 2, column,
                              t->row[r].cell[k], says[2]);
        }
    }
    ck_assert_int_eq(at, words.rows);
    const char *guide = temp_read(NULL, "reports/DATA.md", NULL);
    for (size_t f = 0; f < COUNT(csv_files); f++)
        ck_assert_msg(strstr(guide, temp_format("`%s.csv`", csv_files[f])), "reports/DATA.md does not name %s", csv_files[f]);
    ck_assert_ptr_nonnull(strstr(guide, "`" REPORT_SCHEMA "`"));
    DIR *d = opendir(out);
    long files = 0;
    for (struct dirent *e; (e = readdir(d)); ) files += strstr(e->d_name, ".csv") != NULL;
    closedir(d);
    ck_assert_int_eq(files, COUNT(csv_files));
}
END_TEST

/* ---- each file by the rules of its language ---- */

/* The first fault by RFC 4180 of a table, to be freed; NULL: there is none.  A quote begins and ends its cell and is
 * doubled inside; every row has as many cells as the first; the last row has its end. */
static char *csv_fault(const char *text, size_t length)
{
    long row = 1, cells = 1, wanted = 0;
    if (!length) return must_strdup("an empty file");
    if (strlen(text) != length) return must_strdup("a byte 0");
    for (const char *at = text; *at; ) {
        if (*at == '"') {
            for (at++; *at && (*at != '"' || at[1] == '"'); ) at += *at == '"' ? 2 : 1;
            if (!*at++) return must_format("row %ld: a quote does not end", row);
        } else at += strcspn(at, "\",\r\n");
        if (*at == ',') cells++, at++;
        else if (*at == '\n' || (*at == '\r' && at[1] == '\n')) {
            if (wanted && cells != wanted) return must_format("row %ld: %ld cells, not %ld", row, cells, wanted);
            wanted = cells, cells = 1, row++;
            at += *at == '\r' ? 2 : 1;
            if (!*at) return NULL;
        } else return must_format("row %ld: %s", row, *at ? "a quote or CR inside a cell" : "the last row has no end");
    }
    return must_strdup("the file ends in a comma");
}

static char *json_fault(const char *text, size_t length)
{
    json_error_t e;
    json_t *is = json_loadb(text, length, JSON_REJECT_DUPLICATES, &e);
    if (!is) return must_format("line %d: %s", e.line, e.text);
    json_decref(is);
    return NULL;
}

static char *text_fault(const char *text, size_t length)
{
    return strlen(text) == length ? markup_fault(text) : must_strdup("a byte 0");
}

typedef struct { const char *ending; char *(*fault)(const char *text, size_t length); long seen, least; } language;

static void must_parse(const char *folder, language *as, size_t n)
{
    DIR *d = opendir(folder);
    ck_assert_ptr_nonnull(d);
    for (struct dirent *e; (e = readdir(d)); ) {
        char *path = temp_format("%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.' && e->d_type == DT_DIR) must_parse(path, as, n);
        for (size_t k = 0; k < n; k++) {
            const char *end = strrchr(e->d_name, '.');
            if (!end || strcmp(end, as[k].ending) != 0) continue;
            size_t length;
            char *text = temp_read(NULL, path, &length), *fault = as[k].fault(text, length);
            ck_assert_msg(fault == NULL, "%s: %s", path, fault);
            as[k].seen++;
        }
    }
    closedir(d);
}

/* Every table, JSON, chart and page below the folder of the report, and the JSON that was asked for beside it. */
START_TEST(every_file_is_strictly_what_it_says)
{
    language as[] = { { ".csv", csv_fault, 0, COUNT(csv_files) }, { ".json", json_fault, 0, 1 }, { ".svg", text_fault, 0, 1 },
                      { ".html", text_fault, 0, 1 } };
    must_run(0, "cp %1$s/r.json %2$s/r.json", root, out);
    must_parse(out, as, COUNT(as));
    must_run(0, "rm %2$s/r.json", root, out);
    for (size_t k = 0; k < COUNT(as); k++)
        ck_assert_msg(as[k].seen >= as[k].least, "%ld files end in %s", as[k].seen, as[k].ending);
    static const char *const bad[] = { "", "a,b\n1\n", "a\n1,2\n", "a,b\n1,\"2\n", "a\nb", "a\n\"b\"c\n", "a\nb\"c\n", "a\nb\rc\n", "a," };
    static const char *const good[] = { "a,b\n1,2\n", "a\r\n1\r\n", "a,b\n\"1\n,\"\"\",\n" };
    for (size_t k = 0; k < COUNT(bad); k++) ck_assert_msg(csv_fault(bad[k], strlen(bad[k])) != NULL, "no fault in %s", bad[k]);
    for (size_t k = 0; k < COUNT(good); k++) ck_assert_msg(csv_fault(good[k], strlen(good[k])) == NULL, "a fault in %s", good[k]);
}
END_TEST

/* One column may not hold two names: a key is called the same in every file. */
START_TEST(one_name_for_one_thing)
{
    for (size_t f = 0; f < COUNT(csv_files); f++) {
        const table *t = table_of(temp_format("%s.csv", csv_files[f]));
        for (long k = 0; k < t->head.n; k++) {
            ck_assert_str_ne(t->head.cell[k], "claim");
            ck_assert_msg(!strstr(t->head.cell[k], "ball"), "%s", t->head.cell[k]);
            for (long i = 0; i < k; i++) ck_assert_str_ne(t->head.cell[k], t->head.cell[i]);
        }
    }
}
END_TEST

START_TEST(exact_ladders_have_no_slope)
{
    const table *t = table_of("ladder.csv");
    long slope = 0, exact = 0;
    ck_assert_str_eq(t->head.cell[8], "slope");
    ck_assert_str_eq(t->head.cell[9], "exact");
    for (long r = 0; r < t->rows; r++) {
        ck_assert((t->row[r].cell[8][0] == '\0') == (t->row[r].cell[9][0] == '1'));
        slope += t->row[r].cell[8][0] != '\0';
        exact += t->row[r].cell[9][0] == '1';
    }
    ck_assert(slope > 0 && exact >= 0);
}
END_TEST

/* "3.018" is a number with two equal ends; seeds.csv has one row for each value of a line. */
START_TEST(recorded_runs_are_tidy)
{
    table runs = *table_of("experiments.csv");
    long n = 0;
    unsigned kinds = 0;
    for (long r = 0; r < runs.rows; r++) {
        char *const *c = runs.row[r].cell;
        ck_assert_str_eq(c[4], "K-T2-100k");
        n += strtol(c[14], NULL, 10);
        if (strcmp(c[7], "below 0") == 0) ck_assert(strcmp(c[8], "below") == 0 && !*c[9] && strcmp(c[10], "0") == 0);
        if (strcmp(c[7], "0 within 0.005") == 0)
            ck_assert(strcmp(c[8], "between") == 0 && strcmp(c[9], "-0.005") == 0 && strcmp(c[10], "0.005") == 0);
        ck_assert_str_ne(c[8], "other");
        kinds |= 1 << (strcmp(c[8], "below") == 0) << 2 * (strcmp(c[8], "between") == 0);
        if (strcmp(c[8], "equal") != 0) continue;
        ck_assert_str_eq(c[9], c[7]);
        ck_assert_str_eq(c[10], c[7]);
    }
    ck_assert_msg(kinds == 7, "equal, below and between must all be there: %x", kinds);
    ck_assert_int_eq(table_of("seeds.csv")->rows, n);
    ck_assert_str_eq(table_of("seeds.csv")->row[0].cell[6 - 1], "1337");
    ck_assert_str_eq(table_of("seeds.csv")->row[2].cell[6 - 1], "1339");
}
END_TEST

/* ---- JSON ---- */

static void same_value(const json_t *x, const char *text, const char *where)
{
    if (!*text) ck_assert_msg(json_is_null(x), "%s", where);
    else if (json_is_string(x)) ck_assert_str_eq(json_string_value(x), text);
    else if (json_is_boolean(x)) ck_assert_str_eq(json_is_true(x) ? "1" : "0", text);
    else ck_assert_msg(json_is_number(x) && json_number_value(x) == strtod(text, NULL), "%s: `%s`", where, text);
}

/* The same cells as the files, under the same names. */
static void same_as_files(const json_t *all)
{
    ck_assert_str_eq(json_string_value(json_object_get(all, "schema")), REPORT_SCHEMA);
    ck_assert(json_is_false(json_object_get(all, "partial")));
    ck_assert(json_array_size(json_object_get(all, "problems")) > 0);
    ck_assert_int_eq(json_object_size(all), 4 + COUNT(csv_files));
    for (size_t f = 0; f < COUNT(csv_files); f++) {
        const bool words = f + 1 == COUNT(csv_files);
        const json_t *list = json_object_get(all, words ? "dictionary" : csv_files[f]);
        const table *t = table_of(temp_format("%s.csv", csv_files[f]));
        ck_assert_msg(json_is_array(list), "%s", csv_files[f]);
        ck_assert_msg((long)json_array_size(list) == t->rows || t->rows == 512, "%s", csv_files[f]);
        for (long r = 0; r < t->rows; r++) {
            const json_t *row = json_array_get(list, (size_t)r);
            ck_assert_int_eq(json_object_size(row), t->head.n);
            for (long k = 0; k < t->head.n; k++)
                same_value(json_object_get(row, t->head.cell[k]), t->row[r].cell[k], t->head.cell[k]);
        }
    }
}

START_TEST(json_is_the_same_data)
{
    json_error_t error;
    json_t *all = json_load_file(temp_path(root, "r.json"), JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(all != NULL, "%d: %s", error.line, error.text);
    same_as_files(all);
    const json_t *row = json_array_get(json_object_get(all, "summary"), 0);
    ck_assert(json_is_string(json_object_get(row, "id")) && json_is_integer(json_object_get(row, "controls")));
    ck_assert(json_is_real(json_object_get(row, "seconds")));
    json_decref(all);
}
END_TEST

/* --json alone: JSON and nothing else on standard output. */
START_TEST(json_goes_to_standard_output)
{
    json_error_t error;
    must_run(1, "%3$s/provably report --evidence=%1$s/e --index=%1$s/claims.csv --out=%2$s --json > %1$s/said 2> %1$s/why",
             root, out);
    json_t *all = json_load_file(temp_path(root, "said"), JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(all != NULL, "%d: %s", error.line, error.text);
    json_decref(all);
    ck_assert_ptr_nonnull(strstr(temp_read(root, "why", NULL), "FAIL"));
    must_run(2, "%3$s/provably report --quiet --evidence=%1$s/e --index=%1$s/claims.csv --out=%2$s --json=%1$s/no/such",
             root, out);
    must_run(2, "%3$s/provably report --evidence=%1$s/e --index=%1$s/claims.csv --out=%2$s --json > /dev/full", root, out);
}
END_TEST

/* ---- LaTeX ---- */

/* Commands that need no package, and those of packages that a file must name. */
static const struct { const char *package, *commands; } known[] = {
    { "", " Delta Gamma IfFileExists Omega PackageError Phi Pi Psi Sigma Theta allowbreak alpha approx arccos begin beta "
      "bfseries bmod caption cdot cdots centering chi circ cos csname def delta det detokenize dim dot dots ell else emph emptyset "
      "end endcsname exp expandafter fi fontsize footnotesize forall frac gamma gdef ge geq gg hat hspace hyperref ifcsname "
      "in infty input int item kappa ker label lambda large ldots le left leq linewidth ll ln mapsto mathbf mathcal "
      "mathrm max mbox medskip mid min multicolumn ne neq newline ni noindent normalfont notin odot omega par phi pi pm "
      "prod providecommand quad raggedright rho right rightarrow section selectfont setlength sigma sim sin small sqrt "
      "subsection subset sum tabcolsep tanh textasciicircum textasciitilde textbackslash textbar textbf textbullet "
      "textgreater textless texttt theta tilde times to top usepackage varepsilon varphi widetilde " },
    { "longtable", " endhead endfoot " }, { "booktabs", " toprule midrule bottomrule cmidrule " },
    { "array", " arraybackslash " }, { "amsmath", " text operatorname implies " }, { "amssymb", " mathbb boxtimes " },
    { "xcolor", " providecolor textcolor " }, { "graphicx", " includegraphics rotatebox " },
    { "tikz", " draw fill node tikzset " } };

static bool names_package(const char *text, const char *package)
{
    const char *at = strstr(text, "%     \\usepackage{"), *end = at ? strchr(at, '}') : NULL;
    const size_t n = strlen(package);
    if (!n) return true;
    for (at = at ? strchr(at, '{') + 1 : NULL; at && at < end; at += strcspn(at, ",}") + 1)
        if (strcspn(at, ",}") == n && strncmp(at, package, n) == 0) return true;
    return false;
}

static bool is_known(const char *text, const char *command)
{
    char *word = temp_format(" %s ", command), *defines = temp_format("providecommand{\\%s}", command);
    if (strncasecmp(command, "provably", 8) == 0)
        return strstr(text, defines) != NULL;
    for (size_t k = 0; k < COUNT(known); k++)
        if (strstr(known[k].commands, word) && names_package(text, known[k].package)) return true;
    return false;
}

static void check_commands(const char *name, const char *text)
{
    for (const char *at = text; (at = strchr(at, '\\')); ) {
        size_t n = 0;
        while (isalpha((unsigned char)at[1 + n])) n++;
        if (n) {
            char *command = temp_format("%.*s", (int)n, at + 1);
            ck_assert_msg(is_known(text, command), "%s: \\%s is of no package that it names", name, command);
        }
        at += n ? 1 + n : 2;
    }
    ck_assert_msg(!strstr(text, "{tikzpicture}") || names_package(text, "tikz"), "%s", name);
    ck_assert_msg(!strstr(text, "{longtable}") || names_package(text, "longtable"), "%s", name);
    ck_assert_msg(!strstr(text, "\\newcommand") && !strstr(text, "\\definecolor") && !strstr(text, "newenvironment"),
                  "%s may clash with what a document defines", name);
}

/* The line "%     \usepackage{...}" of a file, without what makes it a comment; "": it needs none. */
static char *packages_of(const char *text)
{
    const char *at = strstr(text, "%     \\usepackage{");
    return at ? temp_format("%.*s", (int)strcspn(at + 6, "}") + 1, at + 6) : temp_format("%s", "");
}

static const char *end_of(const char *said) { return strlen(said) > 1500 ? said + strlen(said) - 1500 : said; }

static bool have_tex(void) { return system("command -v pdflatex > /dev/null 2>&1") == 0; }

/* The exit status of pdflatex on this document, in the folder of the reports. */
static int typeset(const char *preamble, const char *body, char *said, size_t size)
{
    temp_text(out, "paper.tex", temp_format("\\documentclass{article}\n%s\n\\begin{document}\n%s\n\\end{document}\n", preamble,
                                            body));
    return run_command(said, size, "cd %s && pdflatex -draftmode -interaction=nonstopmode -halt-on-error paper.tex", out);
}

START_TEST(every_file_can_be_read_by_a_paper)
{
    static char said[1 << 16];
    const bool tex = have_tex();
    const char *report = temp_read(NULL, "reports/report.tex", NULL);
    long files = 0;
    if (!tex) printf("no LaTeX is installed: the commands of the .tex files are looked up, nothing is typeset\n");
    DIR *d = opendir(out);
    for (struct dirent *e; (e = readdir(d)); ) {
        const size_t n = strlen(e->d_name);
        if (n < 5 || strcmp(e->d_name + n - 4, ".tex") != 0 || strcmp(e->d_name, "paper.tex") == 0) continue;
        const char *text = temp_read(out, e->d_name, NULL);
        check_commands(e->d_name, text);
        ck_assert_msg(strcmp(e->d_name, "cite.tex") == 0 || strstr(report, temp_format("\\input{%s}", e->d_name)),
                      "reports/report.tex leaves out %s", e->d_name);
        files++;
        if (!tex) continue;
        const int status = typeset(packages_of(text), temp_format("Before. \\input{%s} After.", e->d_name), said, sizeof said);
        ck_assert_msg(status == 0, "%s: %s", e->d_name, end_of(said));
    }
    closedir(d);
    ck_assert_int_eq(files, 18);
}
END_TEST

/* All in one document, twice, beside commands of the author's own. */
START_TEST(files_do_not_clash)
{
    static char said[1 << 16];
    if (!have_tex()) return;
    ck_assert_msg(typeset("\\usepackage{longtable,booktabs,array,amsmath,amssymb,xcolor,graphicx,tikz,hyperref}\n"
                          "\\newcommand{\\verdict}{mine}\\newcommand{\\plot}{mine}\\newcommand{\\Seed}{mine}\n"
                          "\\input{cite.tex}\\input{macros.tex}\\input{audit-macros.tex}\\input{cite.tex}",
                          "\\input{claims.tex}\\input{verdicts.tex}\\input{verdicts-short.tex}\\input{counts.tex}"
                          "\\input{findings.tex}\\input{graph.tex}\\input{coverage.tex}\\input{verdicts.tex}"
                          "\\verdict\\plot\\Seed\\ProvablySeed", said, sizeof said) == 0, "%s", end_of(said));
}
END_TEST

/* The lines that cite.tex shows at its head, as a paper would have them. */
START_TEST(a_paper_cites_a_verdict)
{
    static char said[1 << 16];
    const char *text = temp_read(out, "cite.tex", NULL);
    ck_assert_ptr_nonnull(strstr(text, "%     \\input{cite.tex}\n% in the preamble, and in the text:\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n\\provablyset{K-E2}{verdict}{REFUTED}\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n\\provablyset{K-E2}{scope}{a witness}\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n\\provablyset{K-T2-100k}{verdict}{"));
    text = temp_read(out, "counts.tex", NULL);              /* a table in one piece, for papers of two columns */
    ck_assert(strstr(text, "\\begin{tabular}") && !strstr(text, "longtable"));
    if (!have_tex()) return;
    static const char body[] = "\\typeout{SAYS \\provablyclaim{K-E2}{verdict} \\provablyclaim{K-E2}{scope}}"
        "\\begin{tabular}{lp{5cm}lll} \\provablyrow{K-E2}\\\\ \\provablyrow{K-P4.1}\\\\ \\end{tabular}";
    ck_assert_msg(typeset("\\input{cite.tex}", body, said, sizeof said) == 0, "%s", end_of(said));
    ck_assert_msg(strstr(said, "SAYS REFUTED a witness") != NULL, "%s", end_of(said));
    ck_assert_int_ne(typeset("\\input{cite.tex}", "\\provablyclaim{K-X}{verdict}", said, sizeof said), 0);
    ck_assert_ptr_nonnull(strstr(said, "No claim K-X with verdict"));
}
END_TEST

/* ---- records of other programs ---- */

/* A user's figures, beside the evidence in reproduce/results: on the page under a heading of their own, below the record; no
 * verdict and no other file changes. */
START_TEST(own_runs_are_beside_the_records)
{
    results own = { NULL, 0 };
    add_recorded(&own, "gpt-100k", (recorded_runs){ .seeds = 3, .spread = 1e-5, .row = 0, .shift = 0.5 });
    must_run(0, "mkdir -p %1$s/reproduce/results", root, "");
    results_write(&own, temp_path(root, "reproduce/results/gpt-100k.csv"));
    results_free(&own);
    must_run(1, "%3$s/provably report --quiet --evidence=%1$s/e --index=%1$s/claims.csv --out=%1$s/%2$s", root, "own");
    must_run(0, "cmp %1$s/out/summary.csv %1$s/own/summary.csv && cmp %1$s/out/experiments.csv %1$s/own/experiments.csv", root, "");
    must_run(1, "grep -q 'own-runs' %1$s/out/report.html", root, "");
    must_run(0, "tr '\\n' ' ' < %1$s/own/report.html | grep -q 'Preset gpt-100k, results/gpt-100k[.]csv; .*>Your own runs<.*"
             "Preset gpt-100k, %1$s/reproduce/results/gpt-100k[.]csv; '", root, "");
    must_run(0, "rm -r %1$s/reproduce", root, "");
}
END_TEST
START_TEST(other_records_are_skipped)
{
    char *folder = temp_folder();
    temp_text(folder, "reference.csv", "date,commit,difference\n2026-11-22,c0ffee,1e-9\n");
    temp_text(folder, "trained.csv", "# record trained-gap\n");
    results all = results_folder(folder);
    ck_assert_int_eq(all.n, 0);
    results_free(&all);
    all = results_folder("reports/results");
    ck_assert_int_gt(all.n, 0);
    results_free(&all);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("outputs");
    TCase *all = tcase_create("outputs");
    const TTest *const tests[] = { the_dictionary_is_the_data, every_file_is_strictly_what_it_says, one_name_for_one_thing, exact_ladders_have_no_slope,
        recorded_runs_are_tidy, json_is_the_same_data, json_goes_to_standard_output, every_file_can_be_read_by_a_paper,
        files_do_not_clash, a_paper_cites_a_verdict, other_records_are_skipped, own_runs_are_beside_the_records };
    tcase_add_unchecked_fixture(all, setup, NULL);
    tcase_set_timeout(all, 300);
    for (size_t k = 0; k < COUNT(tests); k++) tcase_add_test(all, tests[k]);
    suite_add_tcase(suite, all);
    return run_suite(suite, argc, argv);
}
