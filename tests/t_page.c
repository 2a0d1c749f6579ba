/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_page.c - the page for readers: every link has its target, every count is that of summary.csv, the script does what
 * the address says (in a browser, where one is installed), texts and charts say what their data say. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "src/base/file.h"
#include "src/claim/certificate/formal_text.h"
#include "src/report/collect/answers.h"
#include "src/report/collect/formal_guide.h"
#include "src/report/collect/in_words.h"
#include "src/report/collect/link.h"
#include "src/report/document/html.h"
#include "src/report/document/html_text.h"
#include "src/report/report.h"
#include "src/report/sections/sections.h"
#include "src/data/checksum.h"
#include "tests/support/evidence.h"
#include "tests/support/files.h"
#include "tests/support/kernel_log.h"
#include "tests/support/markup.h"
#include "tests/support/suite.h"

static char *root, *page;

static void must_hold(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "`%s` is missing in:\n%.3000s", part, text);
}

static long count(const char *text, const char *what)
{
    long n = 0;
    for (const char *at = text; (at = strstr(at, what)); at++) n++;
    return n;
}

/* ---- a small report: five programs with evidence, two claims that wait ------------------------------------- */

static const char index_text[] =
    "id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls\n"
    "K-1,,K,Thm 4.1,Thm 4.4,Thm 4.2,theorem,all of W_Q,,k_1,sym,broken\n"
    "K-2,,K,,Rem 7,,remark,the second,,k_2,none,broken\n"
    "K-3,,K,,5.1,,number,the third,,k_3,none,broken\n"
    "B-1,,B,,Eq 1,,equation,the fourth,,b_1,none,broken\n"
    "N1,,new,,2604.23705,,new,the fifth,,n1,none,\n"
    "B-8,,B,,2,,claim,the sixth,,,none,\n"
    "B-9,,B,,3,,claim,the seventh,,,none,\n";

static void put_part(FILE *f, const char *id, const char *part, part_kind kind, const char *which, arith_kind over, truth is,
                     long trial)
{
    row r = evidence_row_blank();
    evidence_row_name(&r, id, part, kind, which);
    r.shares_side = r.subject == ROW_OF_CONTROL;
    r.seed = 7;
    r.trial = trial;
    r.over = over;
    r.verdict = is;
    r.log2gap = -43;
    r.log2bound = -40;
    r.slope = NAN;
    r.checks = 1;
    r.log2logit = 1;
    r.kappa = 10;
    r.threads = 1;
    if (over == A_FP) r.log2bound = -71.5;
    if (is == REFUTED) r.log2gap = 0;
    r.param = cell_keep("-");
    r.shape = evidence_sizes("n=4 d=4 h=2 dk=2 m=8 V=7 L=2 h_kv=2 attn_skip=1 scale_num=1 scale_den=2");
    r.blas = cell_keep("Test");
    r.what = cell_keep("logits");
    r.build = cell_keep("Test build");
    evidence_row_add_truth(&r, is, "logits", 1);
    evidence_row_write(f, &r);
}

static void put(FILE *f, const char *id, part_kind kind, const char *which, arith_kind over, truth is, long trial)
{
    put_part(f, id, "as-stated", kind, which, over, is, trial);
}

static FILE *start(const char *id)
{
    char *program = temp_format("%s", id);                               /* k_1 of K-1, n1 of N1 */
    for (char *at = program; *at; at++) *at = *at == '-' ? '_' : (char)tolower((unsigned char)*at);
    FILE *f = fopen(temp_format("%s/evidence/%s.csv", root, program), "w");
    ck_assert_ptr_nonnull(f);
    evidence_row_header(f);
    return f;
}

static void supported(const char *id, arith_kind over)
{
    FILE *f = start(id);
    put(f, id, PART_IDENTITY, "claim", over, HOLDS, 0);
    put(f, id, PART_IDENTITY, "claim", A_F64, HOLDS, 0);
    for (long k = 0; k < 3; k++) put(f, id, PART_IDENTITY, "broken", over == A_FP ? A_F64 : over, REFUTED, k);
    evidence_done(f);
}

/* A theorem that a kernel has accepted of K-1, and one of K-2 whose file has changed since. */
static void formal_proof(void)
{
    char output[256];
    const char *folder = strrchr(root, '/') + 1;
    temp_text(root, "k.v", "(* ours *)\n"
              "(* Provably: claim=K-1 part=as-stated theorem=queries_gone quantifiers=every n, d *)\nVariable n : nat.\nTheorem queries_gone :\n  n < n.+1.\nProof. by []. Qed.\n");
    ck_assert_int_eq(run_command(output, sizeof output, "sha256sum < '%s/k.v'", root), 0);
    const char *line = kernel_line(temp_format("%s/k.v", folder), output, "-", "queries_gone", "none");
    temp_text(root, "formal_log.txt", temp_format("%s%s", KERNEL_SUMMARY, line));
    temp_text(root, "formal.csv", temp_format(
        "kind,claim,part,theorem,quantifiers,file,sha256,needs,needs_sha256,axioms,log_sha256\n"
        "theorem,K-1,as-stated,queries_gone,\"every n, d\",%s/k.v,%.64s,,,none,%s\n"
        "theorem,K-2,as-stated,second_gone,every n,%s/k.v,%064d,,,none,\n", folder, output, kernel_hash(line), folder, 0));
    temp_text(root, "formal_needed.csv", temp_format(
        "file,theorem,hypothesis,lemma,lemma_file,sha256,says\n%s/k.v,queries_gone,no norm,needs_none,%s/k.v,%.64s,A norm: 1 < 2.\n"
        "%s/k.v,queries_gone,sizes,,,,there is no other.\n", folder, folder, output, folder));
}

static void make_page(void)
{
    static char evidence[256], out[256], list[256];
    char *above = temp_folder(), hex[SHA256_HEX];
    root = temp_path(above, "reports");
    make_folder(root);
    make_folder(temp_path(root, "evidence"));
    make_folder(temp_path(above, "theorems"));
    temp_text(above, "theorems/k_1.c", "");
    temp_text(above, "theorems/n1.c", "");                               /* a witness counts once its body was read */
    checksum_sha256_bytes("", 0, hex);
    temp_text(root, "body_read.csv", temp_format("claim,part,program,reading,lacks\nN1,as-stated,n1,%s,\n"
                                                "K-1,as-quoted,k_1,%s,\n", hex, hex));
    temp_text(root, "claims.csv", index_text);
    temp_text(root, "evidence/k_1.meta",
              "id: K-1\ntitle: all of W_Q\nwhere: 003 Theorem 4.4\nquote: 001 | Theorem 4.1 | the earlier words\n"
              "quote: 003 | Theorem 4.4 | the unheard-of sentence\nquote: 003 | Theorem 4.4 | and its end\n"
              "quote: 000 | Theorem 4.2 | the later words\n"
              "hypotheses: Section 3 of 003 has them\nconstruction: $\\tilde E = E\\Theta_1$\nwhy: it telescopes\n"
              "depends: K-2 B-9\npart: as-stated\nkind: identity\nstatement: $W_Q = I$\ncontrol: broken: a factor\n");
    supported("K-1", A_FP);
    supported("K-2", A_FP);
    supported("K-3", A_ARB);
    supported("B-1", A_Q);
    FILE *f = start("N1");
    put(f, "N1", PART_COUNTEREXAMPLE, "claim", A_Q, HOLDS, 0);
    evidence_done(f);
    formal_proof();
    snprintf(evidence, sizeof evidence, "%s/evidence", root);
    snprintf(out, sizeof out, "%s/out", root);
    snprintf(list, sizeof list, "%s/claims.csv", root);
    const report_options o = { .evidence = evidence, .out = out, .index = list, .quiet = true };
    ck_assert_int_eq(report_main(&o), 0);
    page = temp_read(root, "out/report.html", NULL);
}

/* The k-th value of an attribute, from *at on, which is moved behind it; NULL: there is none. */
static char *next_attribute(const char **at, const char *name)
{
    char *begin = temp_format(" %s=\"", name);
    const char *from = strstr(*at, begin);
    if (!from) return NULL;
    from += strlen(begin);
    *at = from + strcspn(from, "\"");
    return temp_format("%.*s", (int)(*at - from), from);
}

/* ---- structure ------------------------------------------------------------------------------------------------ */

START_TEST(ids_are_unique_and_links_lead_somewhere)
{
    char *name;
    long ids = 0, links = 0;
    for (const char *at = page; (name = next_attribute(&at, "id")); ids++)
        ck_assert_msg(count(page, temp_format(" id=\"%s\"", name)) == 1, "id %s is there twice", name);
    for (const char *at = page; (name = next_attribute(&at, "href")); links++) {
        if (*name != '#' || strchr(name, '=')) continue;
        ck_assert_msg(count(page, temp_format(" id=\"%s\"", name + 1)) == 1, "%s leads nowhere", name);
    }
    ck_assert_int_gt(ids, 7);
    ck_assert_int_gt(links, 20);
}
END_TEST

static void sound(const char *text)
{
    char *fault = markup_fault(text);
    ck_assert_msg(fault == NULL, "%s, in:\n%.400s", fault, text);
}

/* The reader of tests/support/markup.h finds what a browser would repair. */
START_TEST(faults_of_markup)
{
    static const char *const bad[] = { "<i>Y<sub>s\u22121<i></sub></i>", "<sub><i>s</sub></i>", "<p>a<pre>b</pre></p>", "<p>a<p>b</p></p>",
        "<b>", "</b>", "a < b", "a & b", "&nonsense;", "&#x;", "<a href=x>b</a>", "<a href=\"x\" href=\"y\">b</a>",
        "<div/>", "<a href=\"x>b</a>", "<a href='x\">b</a>", "<a href=\"&\">b</a>", "\x01", "<script>", "<b", "<td></th>" };
    static const char *const good[] = { "", "<p class=\"soft\">a &amp; b<br>&#8212;</p>", "<i>W<sub>Q</sub></i>", "<svg><path d=\"M0 0\"/></svg>",
        "<details open><summary>x</summary></details>", "<script>a < b && c</script>", "<g id='a \"b\"'></g>", "<div>a<pre>b</pre></div>", "<!doctype html><html lang=\"en\"></html>" };
    for (size_t k = 0; k < COUNT(bad); k++) {
        char *fault = markup_fault(bad[k]);
        ck_assert_msg(fault != NULL, "no fault in %s", bad[k]);
        free(fault);
    }
    for (size_t k = 0; k < COUNT(good); k++) sound(good[k]);
}
END_TEST

static char *as_html(void (*write)(FILE *f, const char *text), const char *text)
{
    FILE *f = fopen(temp_path(root, "piece.html"), "w");
    ck_assert_ptr_nonnull(f);
    write(f, text);
    fclose(f);
    return temp_read(root, "piece.html", NULL);
}

/* The page, and every text with formulas that a claim's program or findings.csv has. */
START_TEST(markup_is_strict)
{
    static const char *const formulas[] = { "$Y_{s-1}$", "$A_{a-b}^{c+1}d_{ij}$", "$x^{-T}y_{\\alpha}$", "$P_{s-1}Z_{\\Theta s}'$" };
    sound(page);
    for (size_t k = 0; k < COUNT(formulas); k++) sound(as_html(html_math, formulas[k]));
    char *all = temp_path(root, "all");
    ck_assert_int_eq(run_command(NULL, 0, "for p in '%s'/theorems/*; do case $p in *.*) ;; *) if test -f $p && test -x $p; then $p --describe; fi ;; "
                                 "esac; done >'%s'; cat reports/findings.csv >>'%s'", build_folder(), all, all), 0);
    char *texts = temp_read(NULL, all, NULL), *save = NULL;
    long n = 0;
    for (char *line = strtok_r(texts, "\n", &save); line; line = strtok_r(NULL, "\n", &save), n++) {
        sound(as_html(html_math, line));
        sound(as_html(html_mixed, line));
        sound(as_html(html_quoted, line));
    }
    ck_assert_int_gt(n, 20);
}
END_TEST

/* Without the script everything is there: each claim has an entry, and what only the script can use is hidden until it
 * runs. */
START_TEST(readable_without_scripts)
{
    static const char *const ids[] = { "K-1", "K-2", "K-3", "B-1", "N1", "B-8", "B-9" };
    for (size_t k = 0; k < COUNT(ids); k++) must_hold(page, temp_format("<div id=\"%s\">", ids[k]));
    ck_assert_int_eq(count(page, "<details class=\"entry\""), COUNT(ids));
    ck_assert_int_eq(count(page, " hidden>"), 1);
    must_hold(page, "<form id=\"filter\" role=\"search\" hidden>");
    static const char *const creates[] = { "innerHTML", "createElement", "document.write", "fetch(", "import(" };
    for (size_t k = 0; k < COUNT(creates); k++)
        ck_assert_msg(!strstr(page, creates[k]), "the script contains %s", creates[k]);
}
END_TEST

/* How many claims of summary.csv have these two cells; a word "none" is an empty cell, NULL any. */
static long summary_count(const char *verdict_is, const char *evidence_is)
{
    char *text = temp_read(root, "out/summary.csv", NULL), *save = NULL;
    long n = 0, column[2] = { -1, -1 };
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        const bool head = column[0] < 0;
        char *cell[2] = { NULL, NULL };
        long k = 0;
        for (char *at = line, *next = at; next; at = next + 1, k++) {
            if ((next = strchr(at, ','))) *next = '\0';
            if (head && strcmp(at, "as_stated") == 0) column[0] = k;
            if (head && strcmp(at, "evidence") == 0) column[1] = k;
            for (int i = 0; i < 2; i++) if (!head && k == column[i]) cell[i] = at;
            if (!next) break;
        }
        if (head) continue;
        ck_assert(cell[0] && cell[1]);
        n += strcmp(cell[0], verdict_is) == 0
          && (!evidence_is || strcmp(cell[1], strcmp(evidence_is, "none") == 0 ? "" : evidence_is) == 0);
    }
    return n;
}

/* "verdict=SUPPORTED&amp;evidence=exact", split. */
static void split_filter(const char *filter, char verdict_is[32], char evidence_is[32])
{
    *evidence_is = '\0';
    ck_assert_int_ge(sscanf(filter, "verdict=%31[A-Z-]&amp;evidence=%31[a-z]", verdict_is, evidence_is), 1);
}

START_TEST(counts_are_those_of_the_summary)
{
    const char *table = strstr(page, "<h2 id=\"answers\">"), *end = strstr(table, "</table>");
    char *link;
    long lines = 0, sum = 0;
    for (const char *at = table; (link = next_attribute(&at, "href")) && at < end; ) {
        char is[32], by[32];
        if (!strchr(link, '=')) continue;
        split_filter(link + 1, is, by);
        const long shown = strtol(at + 2, NULL, 10);
        ck_assert_msg(shown == summary_count(is, *by ? by : NULL), "%s: %ld", link, shown);
        lines++;
        sum += shown;
    }
    ck_assert_int_eq(lines, 5);                /* verified, enclosed, exact, REFUTED, PENDING */
    ck_assert_int_eq(sum, 7);
    must_hold(page, "<td>holds at the sizes tried</td><td class=\"num\">"
                    "<a href=\"#verdict=SUPPORTED&amp;evidence=verified\">2</a></td>"
                    "<td><a href=\"#K-1\">K-1</a> <a href=\"#K-2\">K-2</a></td>");
    must_hold(page, "<option value=\"SUPPORTED\">SUPPORTED (4)</option>");
    must_hold(page, "<option value=\"bermeitinger\">Bermeitinger et al. (3)</option>");
    must_hold(page, "<option value=\"none\">none yet (2)</option>");
    must_hold(page, "<option value=\"theorem\">theorems and lemmas (1)</option>");
}
END_TEST

START_TEST(formal_theorems_stand_beside_their_parts)
{
    ck_assert_int_eq(count(page, "kernel accepts theorem "), 1);
    must_hold(page, "FORMAL: Coq's kernel accepts theorem queries_gone of ");
    must_hold(page, ", for every n, d; axioms: none (<a href=\"#formal\">how to read it</a>). It does not count here: no "
                    "reading records that it says all of the sentence.<pre>");
    must_hold(page, "Proved, and not counted: 1 theorem of Coq of which no reading records that it says all of the sentence "
                    "beside it. What each leaves out: K-1 as-stated (queries_gone of ");
    must_hold(page, "<pre>Variable n : nat.\n\nTheorem queries_gone :\n  n &lt; n.+1.</pre>");        /* its lines are kept */
    const char *printed = strstr(page, "the unheard-of sentence"), *formally = strstr(page, "<dt>formally</dt>");
    ck_assert(printed && formally && printed < formally && strstr(formally, "queries_gone"));
    must_hold(page, "n.+1.</pre><span class=\"soft\">Without &ldquo;no norm&rdquo;: A norm: 1 &lt; 2. (lemma needs_none)<br>"
                    "Hypothesis &ldquo;sizes&rdquo;: there is no other.</span>");
    must_hold(page, "Its formal statement is shown above.");
    ck_assert_int_eq(count(page, "second_gone"), 0);
    must_hold(page, "/k.v, or what it needs, has changed since Coq's kernel read it; run <code>make formal</code>");
}
END_TEST
START_TEST(what_goes_wrong_is_shown)
{
    char said[4096];
    ck_assert_int_eq(run_command(said, sizeof said, "cd '%s' && mkdir of && cp evidence/k_1.csv evidence/k_1.meta of", root), 0);
    ck_assert_int_eq(run_command(said, sizeof said, "'%s/provably' show K-1 --evidence='%s/of' --index='%s/claims.csv' --width=200",
                                 build_folder(), root, root), 0);
    ck_assert_msg(strstr(said, "Without       no norm: A norm: 1 < 2. (lemma needs_none of ") != NULL, "%s", said);
    ck_assert_ptr_null(strstr(said, "there is no other"));
}
END_TEST
/* Every piece that the guide explains is one of the theorem, in its order. */
START_TEST(the_guide_is_about_the_theorem)
{
    char *text = temp_read(".", "theorems/k_t4_4.v", NULL), *said = must_strdup("");
    char *part[] = { formal_setting(text, "as_stated"), formal_statement(text, "as_stated") };
    for (size_t k = 0; k < COUNT(part); k++) {
        for (char *word = strtok(part[k], " \n"); word; word = strtok(NULL, " \n")) {
            char *longer = must_format("%s %s", said, word);
            free(said);
            said = longer;
        }
        free(part[k]);
    }
    const char *at = said;
    for (size_t k = 0; k < formal_guide_rows; k++) {
        const char *found = strstr(said, formal_guide[k].piece);
        ck_assert_msg(found != NULL, "%s is not in %s", formal_guide[k].piece, said);
        if (strncmp(formal_guide[k].piece, "(", 1) != 0) {
            ck_assert_msg(found >= at, "%s comes earlier", formal_guide[k].piece);
            at = found;
        }
    }
    const char *statement = strstr(said, "Theorem as_stated");                     /* nothing of it is left out */
    size_t explained = 0;
    for (size_t k = 0; k < formal_guide_rows; k++)
        if (strstr(statement, formal_guide[k].piece)) explained += strlen(formal_guide[k].piece) + 1;
    ck_assert_int_eq(explained, strlen(statement) + 1);
    free(said);
}
END_TEST
START_TEST(an_entry_says_how_we_know)
{
    const char *entry = strstr(page, "data-is=\"paper=karbevski verdict=SUPPORTED evidence=verified family=theorem\"");
    ck_assert_ptr_nonnull(entry);
    must_hold(entry, "<span class=\"soft\">Theorem 4.4: holds at the sizes tried</span></summary>");
    must_hold(entry, "<dt>as printed</dt><dd>middle version, Theorem 4.4: &ldquo;the unheard-of sentence&rdquo; &ldquo;and its end&rdquo;<br>");
    must_hold(entry, "<details class=\"also\"><summary>also printed in: first version, Theorem 4.1; latest version, "
                     "Theorem 4.2</summary>first version, Theorem 4.1 (our copy lacks most formulas): &ldquo;the earlier words&rdquo;");
    must_hold(entry, "the chance of an error is at most 2<sup>\u221271</sup>.  In doubles the largest gap is ");
    must_hold(entry, "<br>The variant with a deliberate error was caught.</dd>");
    must_hold(entry, "<dt>figures</dt><dd>doubles 1\u00b710<sup>\u221213</sup>, mod p 2<sup>\u221271</sup>");
    must_hold(entry, "<dt>missing</dt>");
    must_hold(entry, "<dt>hypotheses</dt><dd>Section 3 of the middle version has them</dd>");
    must_hold(entry, "<mo stretchy=\"false\">~</mo>");
    must_hold(entry, "<li>broken: a factor, caught 3/3</li>");
    must_hold(entry, "<code>provably run K-1</code>");
    must_hold(page, "By an exact witness.");
    must_hold(page, "<span class=\"soft\">Equation 1: holds on exact instances</span></summary>");
    must_hold(page, "<span class=\"soft\">Section 5.1: holds on instances, in certified intervals</span></summary>");
    must_hold(page, "<span class=\"soft\">arXiv:2604.23705: false</span></summary>");
    must_hold(page, "<a href=\"https://arxiv.org/abs/2510.23912\">arXiv:2510.23912</a>");
    must_hold(page, "in our files 003)");
}
END_TEST

/* As `show` has it: the verdict, the reason, one whole text with the others behind it, and only then the rest. */
START_TEST(an_entry_begins_with_its_verdict)
{
    static const char *const order[] = { "<dl>\n<dt>verdict</dt>", "<dt>why</dt>", "<dt>as printed</dt>", "and its end",
        "<details class=\"also\">", "the earlier words", "the later words", "<dt>formally</dt>", "<dt>construction</dt>",
        "<dt>how we know</dt>", "<dt>hypotheses</dt>", "<dt>holds for</dt>", "<dt>do it again</dt>", "<dt>missing</dt>" };
    const char *at = strstr(page, "<div id=\"K-1\">");
    ck_assert_ptr_nonnull(at);
    ck_assert_int_eq(strncmp(at + strlen("<div id=\"K-1\">\n"), order[0], strlen(order[0])), 0);
    for (size_t k = 0; k < COUNT(order); k++) {
        const char *found = strstr(at, order[k]);
        ck_assert_msg(found != NULL, "%s is not behind what comes before it:\n%.3000s", order[k], at);
        at = found;
    }
    char *print = temp_read(root, "out/claims.tex", NULL);
    const char *why = strstr(print, "it telescopes"), *text = strstr(print, "and its end");
    ck_assert_msg(why && text && why < text, "in print the reason does not stand before the text");
    must_hold(text, "also printed in: first version, Theorem 4.1; latest version, Theorem 4.2");
    ck_assert_ptr_null(strstr(print, "the earlier words"));
}
END_TEST

/* ---- the page and `provably show` ------------------------------------------------------------------------------ */

/* One row for each program, and what it says of itself: enough for every text that is shown. */
static char *evidence_of_all(void)
{
    static char said[1 << 16];
    char *folder = temp_folder(), *names = temp_format("%s/names", folder), *save = NULL;
    ck_assert_int_eq(run_command(said, sizeof said, "for p in %s/theorems/*.o; do p=${p%%.o}; n=$(basename $p); $p --describe > %s/$n.meta && "
                                 "echo $n $(sed -n 's/^id: //p;s/^part: //p' %s/$n.meta | head -n 2); done > %s", build_folder(), folder, folder,
                                 names), 0);
    for (char *line = strtok_r(temp_read(folder, "names", NULL), "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char program[64], id[64], part[64];
        ck_assert_int_eq(sscanf(line, "%63s %63s %63s", program, id, part), 3);
        FILE *f = fopen(temp_format("%s/%s.csv", folder, program), "w");
        ck_assert_ptr_nonnull(f);
        evidence_row_header(f);
        put_part(f, id, part, PART_IDENTITY, "claim", A_FP, HOLDS, 0);
        for (long k = 0; k < 3; k++) put_part(f, id, part, PART_IDENTITY, "broken", A_F64, REFUTED, k);
        evidence_done(f);
    }
    return folder;
}

/* The words of a text, of which formulas have few: its runs of four or more small letters, without those that a screen has for
 * a symbol of the page, or the page for one that it does not know. */
static char *prose(const char *text)
{
    static const char *const symbols = " heta mega igma elta amma infinity prod sqrt within contains head theta alpha beta gamma delta "
        "lambda sigma omega kappa varepsilon epsilon zeta tilde mathcal checkmark times ";
    text_buffer words = { 0 };
    text_add(&words, " ");
    for (const char *p = text; *p; p++) {
        const size_t n = strspn(p, "abcdefghijklmnopqrstuvwxyz");
        if (n >= 4 && !strstr(symbols, temp_format(" %.*s ", (int)n, p))) text_add(&words, "%.*s ", (int)n, p);
        if (n) p += n - 1;
    }
    return text_take(&words);
}

/* HTML without its tags, and without the texts that are folded behind a summary. */
static char *as_read(const char *html, size_t n)
{
    char *text = must_calloc(n + 1, 1), *to = text;
    for (const char *p = html; p < html + n; ) {
        if (strncmp(p, "</summary>", 10) == 0) p = strstr(p, "</details>");
        if (*p == '<' || *p == '&') {
            p = strchr(p, *p == '<' ? '>' : ';') + 1;
            *to++ = ' ';
        } else *to++ = *p++;
    }
    *to = '\0';
    return text;
}

/* The next term of the entry and its text, from *at on; false: there is none. */
static bool next_term(const char **at, char **term, char **text)
{
    const char *dt = strstr(*at, "<dt>"), *dd = dt ? strstr(dt, "</dt><dd>") : NULL, *end = dd ? strstr(dd, "</dd>") : NULL;
    if (!end) return false;
    *term = as_read(dt + 4, (size_t)(dd - dt) - 4);
    *text = as_read(dd + 9, (size_t)(end - dd) - 9);
    *at = end;
    return true;
}

/* One item of the terminal is the next of this name on the page, from *at on. */
static void same_item(const char **at, const char *id, char *label, const char *text)
{
    char *term, *read;
    bool found = false;
    while (label[strlen(label) - 1] == ' ') label[strlen(label) - 1] = '\0';
    label[0] = (char)tolower((unsigned char)label[0]);
    while (!found && next_term(at, &term, &read)) {
        found = strcmp(term, label) == 0;
        char *page_says = prose(read), *show_says = prose(text);
        if (found) ck_assert_msg(strcmp(page_says, show_says) == 0, "%s, %s: show says\n%s\nthe page\n%s", id, label, show_says, page_says);
        free(page_says);
        free(show_says);
        free(term);
        free(read);
    }
    ck_assert_msg(found, "%s: the page has no `%s` behind what comes before it: %s", id, label, text);
}

static void same_words(const char *html, const char *id, const char *folder)
{
    static char said[1 << 18];
    const char *at = strstr(html, temp_format("<div id=\"%s\">", id));
    char *save = NULL;
    long items = 0;
    ck_assert_msg(at != NULL, "%s has no entry", id);
    ck_assert_int_eq(run_command(said, sizeof said, "%s/provably show %s --evidence=%s --width=400", build_folder(), id, folder), 0);
    strtok_r(said, "\n", &save);                          /* the title */
    for (char *line = strtok_r(NULL, "\n", &save); line && strncmp(line, "More ", 5) != 0; items++) {
        char *label = temp_format("%.14s", line), *text = temp_format("%s", line + 14);
        while ((line = strtok_r(NULL, "\n", &save)) && line[0] == ' ') text = temp_format("%s %s", text, line + 14);
        same_item(&at, id, label, text);
    }
    ck_assert_int_ge(items, 4);
}

/* The same items in the same order, in the same words, of every claim. */
START_TEST(the_page_says_what_show_says)
{
    char *folder = evidence_of_all(), said[4096];
    run_command(said, sizeof said, "%s/provably report --quiet --evidence=%s --out=%s/out", build_folder(), folder, folder);
    char *html = temp_read(folder, "out/report.html", NULL);
    claim_index x = index_read("reports/claims.csv");
    ck_assert_int_gt(x.n, 150);
    for (long k = 0; k < x.n; k++) same_words(html, x.at[k].id, folder);
    index_free(&x);
}
END_TEST

/* From wherever the report lies to the source of the program; a program without a source is named only. */
START_TEST(programs_are_linked)
{
    const char *at = strstr(page, "theorems/b_1.c\">theorems/b_1.c</a>");
    ck_assert_ptr_nonnull(at);
    while (at[-1] != '"') at--;
    char *path = temp_format("%s/out/%.*s", root, (int)strcspn(at, "\""), at);
    ck_assert_msg(access(path, R_OK) == 0, "%s is not there", path);
    must_hold(page, "<dd>theorems/k_2.c</dd>");
}
END_TEST

START_TEST(links_from_folder_to_file)
{
    make_folder(temp_path(root, "one"));
    make_folder(temp_path(root, "one/two"));
    char *a = temp_text(root, "one/two/a", "a"), *b = temp_text(root, "one/three", "b"), *links[4];
    links[0] = link_from(temp_path(root, "one/two"), a);
    links[1] = link_from(temp_path(root, "one/two"), b);
    links[2] = link_from(temp_path(root, "evidence"), a);
    links[3] = link_from(root, a);
    ck_assert_str_eq(links[0], "a");
    ck_assert_str_eq(links[1], "../three");
    ck_assert_str_eq(links[2], "../one/two/a");
    ck_assert_str_eq(links[3], "one/two/a");
    ck_assert_ptr_null(link_from(root, temp_path(root, "nothing")));
    ck_assert_ptr_null(link_from(NULL, a));
    for (size_t k = 0; k < COUNT(links); k++) free(links[k]);
}
END_TEST

/* ---- in a browser --------------------------------------------------------------------------------------------- */

/* The first one that starts, "" if there is none. */
static const char *browser(void)
{
    static const char *const known[] = { "chromium", "chromium-browser", "google-chrome" };
    static char said[4096];
    for (size_t k = 0; k < COUNT(known); k++)
        if (run_command(said, sizeof said, "timeout 60 %s --headless --no-sandbox --disable-gpu "
                        "--user-data-dir=%s/profile --dump-dom about:blank 2>/dev/null", known[k], root) == 0
            && strstr(said, "<html")) return known[k];
    return "";
}

/* A page as it is when its scripts have had so many milliseconds. */
static char *dom_of(const char *with, const char *name, const char *fragment, int milliseconds)
{
    char said[1024];
    const int status = run_command(said, sizeof said, "timeout 100 %s --headless --no-sandbox --disable-gpu "
                                   "--user-data-dir=%s/profile --virtual-time-budget=%d --dump-dom "
                                   "'file://%s/out/%s#%s' >%s/dom.html 2>%s/browser.log", with, root, milliseconds, root,
                                   name, fragment, root, root);
    ck_assert_msg(status == 0, "%s ends with %d: %s", with, status, said);
    return temp_read(root, "dom.html", NULL);
}

/* The page as it is after the script has read the address. */
static char *dom_at(const char *with, const char *fragment) { return dom_of(with, "report.html", fragment, 2000); }

/* The opening tag of the k-th entry; NULL: there are fewer. */
static char *entry_tag(const char *dom, long k)
{
    const char *at = dom - 1;
    do if (!(at = strstr(at + 1, "<details class=\"entry\""))) return NULL; while (k-- > 0);
    return temp_format("%.*s>", (int)strcspn(at, ">"), at);
}

static long visible(const char *dom)
{
    long n = 0;
    char *tag;
    for (long k = 0; (tag = entry_tag(dom, k)); k++) n += strstr(tag, " hidden") == NULL;
    return n;
}

START_TEST(the_address_opens_and_filters)
{
    const char *with = browser();
    if (!*with) {
        printf("no browser starts here: the script of the page was not run, its structure alone was checked\n");
        return;
    }
    static const struct { const char *verdict, *evidence; } filters[] = {
        { "SUPPORTED", "" }, { "SUPPORTED", "verified" }, { "REFUTED", "" }, { "PENDING", "none" } };
    char *dom = dom_at(with, "K-2");
    ck_assert_int_eq(visible(dom), 7);
    for (long k = 0; k < 7; k++)
        ck_assert_msg(!!strstr(entry_tag(dom, k), " open") == (k == 1), "entry %ld: %s", k, entry_tag(dom, k));
    must_hold(dom, "<form id=\"filter\" role=\"search\">");                       /* no longer hidden */
    must_hold(dom, ">7 of 7 claims</output>");
    for (size_t k = 0; k < COUNT(filters); k++) {
        const char *by = filters[k].evidence;
        dom = dom_at(with, temp_format("verdict=%s%s%s", filters[k].verdict, *by ? "&evidence=" : "", by));
        const long n = summary_count(filters[k].verdict, *by ? by : NULL);
        ck_assert_int_gt(n, 0);
        ck_assert_msg(visible(dom) == n, "%s %s: %ld shown, %ld in summary.csv", filters[k].verdict, by, visible(dom),
                      n);
        must_hold(dom, temp_format(">%ld of 7 claims</output>", n));
    }
    dom = dom_at(with, "q=unheard-OF%20sentence");
    ck_assert_int_eq(visible(dom), 1);
    ck_assert_ptr_null(strstr(entry_tag(dom, 0), " hidden"));
    ck_assert_int_eq(visible(dom_at(with, "paper=bermeitinger&q=fourth")), 1);
    ck_assert_int_eq(visible(dom_at(with, "family=nothing")), 0);
}
END_TEST

/* What a reader does, one line in the page's log for each step: what he did, how many entries he sees, what the form says
 * of it, the address, and which entries are open. */
static const char clicks[] =
    "<pre id=\"log\"></pre>\n"
    "<script>\n"
    "(async () => {\n"
    "const log = document.getElementById('log'), form = document.getElementById('filter'), box = form.elements.q;\n"
    "const entries = [...document.querySelectorAll('details.entry')];\n"
    "const wait = () => new Promise(done => setTimeout(done, 100));\n"
    "const say = what => { log.textContent += what + ': ' + entries.filter(e => e.checkVisibility()).length + ' seen; '\n"
    "  + form.querySelector('output').textContent + '; ' + location.hash + '; open: '\n"
    "  + entries.filter(e => e.open).map(e => e.querySelector('div').id).join(' ') + ';\\n'; };\n"
    "const reset = async () => { form.querySelector('button[type=reset]').click(); await wait(); };\n"
    "await wait(); say('begin');\n"
    "box.focus(); document.execCommand('insertText', false, 'unheard-OF'); await wait(); say('typed');\n"
    "document.execCommand('selectAll'); document.execCommand('insertText', false, 'no such words'); await wait(); say('nothing');\n"
    "await reset(); say('reset');\n"
    "for (const list of form.querySelectorAll('select')) {\n"
    "  for (const option of [...list.options].filter(o => o.value)) {\n"
    "    list.value = option.value;\n"
    "    for (const is of ['input', 'change']) list.dispatchEvent(new Event(is, { bubbles: true }));\n"
    "    await wait(); say('filter ' + list.name + '=' + option.value);\n"
    "  }\n"
    "  await reset();\n"
    "}\n"
    "form.elements.verdict.value = 'REFUTED';\n"
    "form.elements.verdict.dispatchEvent(new Event('input', { bubbles: true })); await wait(); say('before');\n"
    "document.querySelector('a[href=\"#verdict=SUPPORTED&evidence=verified\"]').click(); await wait(); say('count');\n"
    "document.querySelector('a[href=\"#K-2\"]').click(); await wait(); say('link');\n"
    "document.querySelector('a[href=\"#B-9\"]').click(); await wait(); say('deep');\n"
    "history.back(); await wait(); say('back 1');\n"
    "history.back(); await wait(); say('back 2');\n"
    "history.back(); await wait(); say('back 3');\n"
    "history.forward(); await wait(); say('forward');\n"
    "log.textContent += 'done';\n"
    "})();\n"
    "</script>\n</body>";

/* The line of the log that begins with `step`. */
static char *logged(const char *dom, const char *step)
{
    const char *from = strstr(dom, "<pre id=\"log\">"), *at = from ? strstr(from, temp_format("%s: ", step)) : NULL;
    ck_assert_msg(at != NULL, "nothing is logged of `%s`: %.3000s", step, from ? from : "no log");
    return temp_format("%.*s", (int)strcspn(at, "\n"), at);
}

static void must_log(const char *dom, const char *step, const char *wanted)
{
    const char *line = logged(dom, step);
    ck_assert_msg(strstr(line, temp_format("%s: %s", step, wanted)) == line, "`%s`, wanted: %s", line, wanted);
}

START_TEST(a_reader_clicks)
{
    const char *with = browser();
    if (!*with) {
        printf("no browser starts here: nothing was clicked\n");
        return;
    }
    const char *end = strstr(page, "</body>");
    ck_assert_ptr_nonnull(end);
    temp_text(root, "out/clicked.html", temp_format("%.*s%s%s", (int)(end - page), page, clicks, end + strlen("</body>")));
    const char *dom = dom_of(with, "clicked.html", "K-3", 60000);
    must_log(dom, "begin", "7 seen; 7 of 7 claims; #K-3; open: K-3;");
    must_log(dom, "typed", "1 seen; 1 of 7 claims; #q=unheard-OF; ");
    must_log(dom, "nothing", "0 seen; 0 of 7 claims; #q=no+such+words; ");
    must_log(dom, "reset", "7 seen; 7 of 7 claims; ");
    const char *form = strstr(page, "<form id=\"filter\""), *done = strstr(form, "</form>");
    char *key = NULL, *value;
    long filters = 0;
    for (const char *at = form; at < done; ) {                        /* every value of every list */
        const char *list = strstr(at, "<select name=\""), *option = strstr(at, "<option value=\"");
        if (!option || option > done) break;
        if (list && list < option) {
            at = list;
            key = next_attribute(&at, "name");
            continue;
        }
        at = option;
        value = next_attribute(&at, "value");
        if (!*value) continue;
        long n = 0;
        char *facets;
        for (const char *e = page; (facets = next_attribute(&e, "data-is")); )
            n += strstr(temp_format(" %s ", facets), temp_format(" %s=%s ", key, value)) != NULL;
        ck_assert_int_gt(n, 0);
        must_log(dom, temp_format("filter %s=%s", key, value), temp_format("%ld seen; %ld of 7 claims; #%s=%s; ", n, n, key, value));
        filters++;
    }
    ck_assert_int_ge(filters, 12);
    must_log(dom, "before", "1 seen; 1 of 7 claims; #verdict=REFUTED; ");
    must_log(dom, "count", "2 seen; 2 of 7 claims; #verdict=SUPPORTED&amp;evidence=verified; ");
    must_log(dom, "link", "2 seen; 2 of 7 claims; #K-2; open: K-2 K-3;");             /* it was among those shown */
    must_log(dom, "deep", "7 seen; 7 of 7 claims; #B-9; open: K-2 K-3 B-9;");       /* it was hidden */
    must_log(dom, "back 1", "7 seen; 7 of 7 claims; #K-2; ");
    must_log(dom, "back 2", "2 seen; 2 of 7 claims; #verdict=SUPPORTED&amp;evidence=verified; ");
    must_log(dom, "back 3", "1 seen; 1 of 7 claims; #verdict=REFUTED; ");
    must_log(dom, "forward", "2 seen; 2 of 7 claims; #verdict=SUPPORTED&amp;evidence=verified; ");
    must_hold(dom, "done</pre>");
}
END_TEST

/* ---- names, words, charts ------------------------------------------------------------------------------------- */

static void becomes(const char *text, const char *wanted)
{
    document d = { 0 };
    line_add(&doc_paragraph(&d, TO_HTML, NULL)->text, SPAN_TEXT, text);
    page_names_papers(&d);
    ck_assert_str_eq(d.at[0]->text.at[0].text, wanted);
    doc_free(&d);
}

/* In words ` begins code; in a listing it is Coq's absolute value. */
START_TEST(ticks_of_listings)
{
    document d = { 0 };
    doc_line *to = &doc_paragraph(&d, TO_HTML, NULL)->text;
    line_add(to, SPAN_TEXT, "run `a`: ");
    line_styled(to, STYLE_LISTING, "`|y| <= `|z|");
    line_add(to, SPAN_TEXT, "and `b`");
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    html_page(f, "ticks", &d, 1);
    fclose(f);
    must_hold(text, "<div>run <code>a</code>: <pre>`|y| &lt;= `|z|</pre>and <code>b</code></div>");
    sound(text);
    free(text);
    doc_free(&d);
}
END_TEST

START_TEST(tags_become_names)
{
    becomes("003 Theorem 4.4; 000 Table 2", "Middle version, Theorem 4.4; latest version, Table 2");
    becomes("Section 3 of 003 and of 000. 001 does not say it",
            "Section 3 of the middle version and of the latest version. The first version does not say it");
    becomes("Printed in 003 Table 2: 3.018", "Printed in the middle version, Table 2: 3.018");
    becomes("003, 000 5.1", "Middle version, latest version, 5.1");
    becomes("the formula of 003.", "the formula of the middle version.");
    becomes("002 prints", "Bermeitinger et al. prints");
    static const char *const kept[] = { "0.003", "1,000", "K-E1-001", "10 000 tokens", "000x", "T2-003", "003.5",
                                        "gpt_001" };
    for (size_t k = 0; k < COUNT(kept); k++) becomes(kept[k], kept[k]);
}
END_TEST

START_TEST(words_follow_verdict_and_evidence)
{
    ck_assert_str_eq(answer_words(V_PROVED, E_DERIVED), "proved for all sizes");
    ck_assert_str_eq(answer_words(V_PROVED, E_EXACT), "finitely many cases, each decided exactly");
    ck_assert_str_eq(answer_words(V_SUPPORTED, E_VERIFIED), "holds at the sizes tried");
    ck_assert_str_eq(answer_words(V_SUPPORTED, E_EXACT), "holds on exact instances");
    ck_assert_str_eq(answer_words(V_CAVEAT, E_EXACT), "true after a repair");
    ck_assert_str_eq(answer_words(V_FAILED, E_NONE), verdict_means(V_FAILED));
    static const struct { const char *paper, *kind, *family; } claims[] = {
        { "K", "lemma", "theorem" }, { "K", "number", "number" }, { "B", "claim", "text" },
        { "follow-up", "new", "new" }, { "K", "odd", "other" } };
    static const char *const sources[] = { "karbevski", "karbevski", "bermeitinger", "new", "karbevski" };
    char *folder = temp_folder(), *path = temp_path(folder, "claims.csv");
    FILE *f = fopen(path, "w");
    fprintf(f, "id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls\n");
    for (size_t k = 0; k < COUNT(claims); k++)
        fprintf(f, "X-%zu,,%s,,,,%s,a title,,,none,\n", k, claims[k].paper, claims[k].kind);
    fclose(f);
    claim_index read = index_read(path);
    ck_assert_int_eq(read.n, COUNT(claims));
    for (size_t k = 0; k < COUNT(claims); k++) {
        const claim_record c = { .entry = &read.at[k] };
        ck_assert_str_eq(record_family(&c).key, claims[k].family);
        ck_assert_str_eq(record_source(&c).key, sources[k]);
    }
    index_free(&read);
}
END_TEST

/* README's table: each answer with as many claims as the agreed verdicts have, and no other answer. */
START_TEST(readme_counts_the_agreed_verdicts)
{
    ratchet book = ratchet_read("reports/verdicts.csv");
    size_t length;
    char *readme = file_read("README.md", 1 << 20, &length);
    ck_assert_ptr_nonnull(strstr(readme, "| the sentence is |"));
    long all = 0, shown = 0;
    ck_assert_int_ge(book.n, 150);
    for (long k = 0; k < book.n; k++) {
        const char *words = answer_words(book.at[k].is[0], book.at[k].by[0]);
        long n = 0, before = 0;
        for (long i = 0; i < book.n; i++) {
            const bool same = strcmp(words, answer_words(book.at[i].is[0], book.at[i].by[0])) == 0;
            n += same;
            before += same && i < k;
        }
        if (before) continue;
        char *line = must_format("\n| %s | %ld | ", words, n);
        must_hold(readme, line);
        free(line);
        all++;
    }
    for (const char *at = strstr(readme, "| the sentence is |"); at[0] == '|'; at = strchr(at, '\n') + 1) shown++;
    ck_assert_int_eq(shown, all + 2);                                      /* the head, and the line below it */
    free(readme);
    ratchet_free(&book);
}
END_TEST

/* README's picture, which `make verdicts` copies: the style of today's pictures, and in each row as many claims of each
 * verdict as the agreed verdicts have. */
START_TEST(readme_shows_the_agreed_verdicts)
{
    ratchet book = ratchet_read("reports/verdicts.csv");
    size_t length;
    char *picture = file_read("reports/verdicts.svg", 1 << 20, &length);
    long bars = 0;
    must_hold(picture, svg_colours);
    must_hold(picture, svg_rules);
    sound(picture);
    for (long k = 0; k < book.n; k++) {
        const verdict is = book.at[k].is[0];
        const evidence_kind by = book.at[k].by[0];
        long n = 0, before = 0;
        for (long i = 0; i < book.n; i++) {
            const bool same = book.at[i].is[0] == is && book.at[i].by[0] == by;
            n += same;
            before += same && i < k;
        }
        if (before) continue;
        char *label = must_format(">%s</text>", by == E_NONE ? "none yet" : evidence_word(by));
        char *bar = must_format("<title>%ld %s</title>", n, verdict_word(is));
        must_hold(picture, label);
        char *line = must_format("%.*s", (int)strcspn(strstr(picture, label), "\n"), strstr(picture, label));
        must_hold(line, bar);
        free(line), free(bar), free(label);
        bars++;
    }
    ck_assert_int_eq(count(picture, "<title>"), bars);
    free(picture);
    ratchet_free(&book);
}
END_TEST

static char *drawn_for(const chart *c, svg_place to)
{
    FILE *f = fopen(temp_path(root, "chart.svg"), "w");
    ck_assert_ptr_nonnull(f);
    svg_chart(f, c, to);
    fclose(f);
    char *svg = temp_read(root, "chart.svg", NULL);
    sound(svg);
    return svg;
}

static char *drawn(const chart *c) { return drawn_for(c, SVG_PAGE); }

/* In print colours are numbers, powers are raised digits, and all names of a dot plot are as small as the longest; a
 * file for a screen has the page's own style. */
START_TEST(charts_for_print_and_screen)
{
    chart c = { .title = "a < b", .x_label = "x", .y_base = 10, .joined = true, .kind_name = { "claims", "controls", "rules" } };
    snprintf(c.y_label, sizeof c.y_label, "y");
    for (int k = 0; k < 3; k++) chart_add_point(chart_add_series(&c, OF_CLAIM, "line"), k, -k);
    char *svg = drawn_for(&c, SVG_PRINT);
    must_hold(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"480\" height=\"359\" viewBox=\"0 0 480 359\"");
    must_hold(svg, ".s-claim{color:#0072b2;");
    must_hold(svg, "svg text{font:14px system-ui,sans-serif;fill:#1a1d21;stroke:#fff;");
    ck_assert_ptr_null(strstr(svg, "var("));
    must_hold(svg, ">10<tspan dy=\"-5\" style=\"font-size:10px\">\u22121</tspan></text>");
    svg = drawn_for(&c, SVG_SCREEN);
    must_hold(svg, svg_colours);
    must_hold(svg, svg_rules);
    must_hold(svg, ">10\u207b\u00b9</text>");
    svg = drawn(&c);
    must_hold(svg, "<svg viewBox=\"0 0 480 359\" ");
    ck_assert_ptr_null(strstr(svg, "<style>"));
    chart_free(&c);
    chart dots = { .title = "dots", .x_label = "x", .layout = CHART_INTERVALS };
    char *name = temp_format("%0112d", 7);
    chart_add_interval(chart_add_series(&dots, OF_CLAIM, name), 0.5, 1, 0, 1);
    chart_add_interval(chart_add_series(&dots, OF_CLAIM, "short"), 0.5, 2, 0, 1);
    svg = drawn_for(&dots, SVG_PRINT);
    must_hold(svg, temp_format("style=\"font-size:10.5px\">%s</text>", name));
    must_hold(svg, "style=\"font-size:10.5px\">short</text>");
    chart_free(&dots);
}
END_TEST

START_TEST(bars_are_as_long_as_their_numbers)
{
    static const char *const names[] = { "none", "some" };
    chart c = { .title = "bars", .x_label = "things", .layout = CHART_BARS, .row_name = names, .rows = 2 };
    chart_add_point(chart_add_series(&c, OF_CLAIM, "PROVED"), 30, 1);
    chart_add_point(chart_add_series(&c, OF_CLAIM, "SLIP"), 10, 1);
    chart_add_point(chart_add_series(&c, OF_CLAIM, "SLIP"), 4, 0);
    char *svg = drawn(&c);
    must_hold(svg, "class=\"bar PROVED\" x=\"150.0\" y=\"38\" width=\"282.0\"");     /* 376 units for 40 things */
    must_hold(svg, "class=\"bar SLIP\" x=\"432.0\" y=\"38\" width=\"94.0\"");
    must_hold(svg, "class=\"bar SLIP\" x=\"150.0\" y=\"4\" width=\"37.6\"");
    must_hold(svg, ">40</text>");
    must_hold(svg, ">things</text>");
    chart_free(&c);
}
END_TEST

/* What falls on the same place is drawn once; a small chart has half the ticks and no legend. */
START_TEST(a_chart_draws_nothing_twice)
{
    chart c = { .title = "t", .x_label = "bits", .y_label = "gap", .y_base = 2, .joined = true,
                .kind_name = { "the claim", "broken", "rule" } };
    for (int k = 0; k < 3; k++) {
        char name[12];
        snprintf(name, sizeof name, "%d", k);
        chart_series *s = chart_add_series(&c, OF_CLAIM, name);
        chart_add_point(s, 64, -64);
        chart_add_point(s, 1024, k < 2 ? -1024 : -512);
    }
    char *svg = drawn(&c);
    ck_assert_int_eq(count(svg, "L"), 2);
    ck_assert_int_eq(count(svg, "h0"), 3 + 1);                     /* one of them in the legend */
    must_hold(svg, ">the claim</text>");
    must_hold(svg, ">2\u207b\u00b9\u2070\u00b2\u2074</text>");
    const long ticks = count(svg, "<text");
    c.small = true;
    svg = drawn(&c);
    ck_assert_ptr_null(strstr(svg, "the claim"));
    ck_assert_int_lt(count(svg, "<text"), ticks - 4);
    chart_free(&c);
}
END_TEST

int main(int argc, char **argv)
{
    base_init(argc, argv);
    Suite *suite = suite_create("page");
    TCase *all = tcase_create("page");
    const TTest *const tests[] = { faults_of_markup, markup_is_strict, ids_are_unique_and_links_lead_somewhere, readable_without_scripts,
        counts_are_those_of_the_summary, formal_theorems_stand_beside_their_parts, what_goes_wrong_is_shown,
        the_guide_is_about_the_theorem,
        an_entry_says_how_we_know, an_entry_begins_with_its_verdict, the_page_says_what_show_says, programs_are_linked,
        links_from_folder_to_file,
        the_address_opens_and_filters, a_reader_clicks, ticks_of_listings, tags_become_names, words_follow_verdict_and_evidence,
        readme_counts_the_agreed_verdicts, readme_shows_the_agreed_verdicts,
        bars_are_as_long_as_their_numbers, a_chart_draws_nothing_twice, charts_for_print_and_screen };
    tcase_add_checked_fixture(all, make_page, NULL);
    tcase_set_timeout(all, 900);
    for (size_t k = 0; k < COUNT(tests); k++) tcase_add_test(all, tests[k]);
    suite_add_tcase(suite, all);
    return run_suite(suite, argc, argv);
}
