/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_report.c - the reports: numbers come from rows, words are escaped, lines fit, failures say so.
 *
 * Each test makes a small index and evidence by hand in a folder of its own and runs report_main in a
 * child, so that exit statuses, messages and files are those a user sees. */
#include <check.h>
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "numerics/libraries.h"
#include "src/claim/evidence/evidence_end.h"
#include "src/data/checksum.h"
#include "src/report/collect/coverage.h"
#include "src/report/document/html_text.h"
#include "src/report/document/latex_text.h"
#include "src/report/document/plain_text.h"
#include "src/report/report.h"
#include "tests/support/evidence.h"
#include "tests/support/files.h"
#include "tests/support/recorded.h"

/* ---- a folder with an index and evidence ----------------------------------------------------- */

static char root[64], *evidence, *out, *list;

static char *in(const char *folder, const char *name) { return must_format("%s/%s", folder, name); }

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) return NULL;
    char *text = must_calloc(1 << 20, 1);
    text[fread(text, 1, (1 << 20) - 1, f)] = '\0';
    fclose(f);
    return text;
}

static const char index_text[] =
    "id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls\n"
    "K-1,,K,,Thm 4.4,Thm 4.2,theorem,\"all W_Q, and x < y & z\",PROVED,k_1,sym,broken-factor\n"
    "K-2,,K,Prop 4.1,Rem 7,,remark,\"a title that is much longer than its column, so that it must be "
    "cut somewhere\",REFUTED,k_2,none,broken-factor\n"
    "K-long-name-12,,K,,App F,Table 2,lemma,the third,CAVEAT,k_long_name_12,none,broken-factor\n"
    "B-9,,B,,Eq 1,,claim,the fourth,INFORMAL,,none,\n";

/* Their bodies were read: empty programs, where the list of readings looks for them. */
static char *programs, *sources, *of_coq;
typedef struct { const char *claim, *part, *program; } body_of;
static void have_read(const body_of *of, size_t n)
{
    char *read = in(root, "body_read.csv"), *text = must_strdup("claim,part,program,reading,lacks\n"), hex[SHA256_HEX];
    checksum_sha256_bytes("", 0, hex);
    for (size_t k = 0; k < n; k++) {
        char *path = must_format("%s/%s.c", programs, of[k].program);
        char *longer = must_format("%s%s,%s,%s,%s,\n", text, of[k].claim, of[k].part, of[k].program, hex);
        write_text(path, "");
        free(path);
        free(text);
        text = longer;
    }
    write_text(read, text);
    free(text);
    free(read);
}

static void setup(void)
{
    snprintf(root, sizeof root, "/tmp/t_report-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    evidence = in(root, "evidence");
    out = in(root, "out");
    list = in(root, "claims.csv");
    ck_assert_int_eq(mkdir(evidence, 0777), 0);
    write_text(list, index_text);
    programs = in(root, "theorems");
    sources = in(root, "src");
    of_coq = in(root, "src/formal");
    for (char *one[] = { programs, sources, of_coq }, **at = one; at < one + COUNT(one); at++)
        ck_assert_int_eq(mkdir(*at, 0777), 0);
    have_read((body_of[]){ { "K-1", "as-stated", "k_1" }, { "K-2", "as-stated", "k_2" },
                           { "K-long-name-12", "as-stated", "k_long_name_12" } }, 3);
}

static void empty_folder(const char *folder)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d)); ) {
        char *path = in(folder, e->d_name);
        if (e->d_name[0] != '.') unlink(path);
        free(path);
    }
    if (d) closedir(d);
    rmdir(folder);
}

static void teardown(void)
{
    empty_folder(evidence);
    empty_folder(out);
    for (char *one[] = { programs, of_coq, sources }, **at = one; at < one + COUNT(one); at++) {
        empty_folder(*at);
        free(*at);
    }
    empty_folder(root);
    free(evidence);
    free(out);
    free(list);
}

static const char small_shape[] = "n=4 d=4 h=2 dk=2 m=8 V=7 L=2 h_kv=2 attn_skip=1 scale_num=1 scale_den=2";

static row row_of(const char *id, const char *part, const char *kind, const char *which, const char *over,
                  truth is)
{
    row r = evidence_row_blank();
    evidence_row_name(&r, id, part, (part_kind)part_kind_index(kind), which);
    r.shares_side = r.subject == ROW_OF_CONTROL;
    r.seed = 7;
    r.verdict = is;
    r.log2gap = r.log2bound = -INFINITY;
    r.slope = NAN;
    r.checks = 1;
    r.log2logit = 1;
    r.kappa = 10;
    r.seconds = 0.5;
    r.threads = 1;
    r.over = arith_index(over);
    r.param = cell_keep("-");
    r.shape = evidence_sizes(small_shape);
    r.blas = cell_keep("Test");
    r.what = cell_keep("logits");
    r.build = cell_keep("0123abc; Test build; GMP 6; MPFR 4");
    evidence_row_add_truth(&r, is, "logits", 1);
    return r;
}

/* A file of the claim's program: "k_1.ladder.csv" of K-1, to be freed. */
static char *of_program(const char *id, const char *kind)
{
    char *path = must_format("%s/%s%s.csv", evidence, id, kind);
    for (char *at = path + strlen(evidence); strcmp(at, ".csv") != 0 && strcmp(at, kind) != 0; at++)
        *at = *at == '-' ? '_' : (char)tolower((unsigned char)*at);
    return path;
}

static FILE *start(const char *id)
{
    char *path = of_program(id, "");
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    free(path);
    evidence_row_header(f);
    return f;
}

/* What K-1's program says about its claim. */
static void describe(const char *text)
{
    char *path = in(evidence, "k_1.meta");
    write_text(path, text);
    free(path);
}

static void put(FILE *f, row r) { evidence_row_write(f, &r); }

/* A proved part with a double gap of 2^log2gap and three trials of a control. */
static void proved_part(FILE *f, const char *id, const char *part, double log2gap)
{
    row f64  = row_of(id, part, "identity", "claim", "f64", HOLDS);
    row mpfr = row_of(id, part, "identity", "claim", "mpfr", HOLDS);
    row fp   = row_of(id, part, "identity", "claim", "fp", HOLDS);
    f64.log2gap = log2gap;
    f64.log2bound = log2gap + 5;
    mpfr.log2gap = -1020;
    mpfr.slope = -1.001;
    fp.log2bound = -71.5;
    put(f, f64);
    put(f, mpfr);
    put(f, fp);
    put(f, row_of(id, part, "identity", "claim", "sym", HOLDS));
    for (long k = 0; k < 3; k++) {
        row control = row_of(id, part, "identity", "broken-factor", "f64", REFUTED);
        control.trial = k;
        control.log2gap = 0;
        control.log2bound = -40;
        put(f, control);
    }
}

static void proved(const char *id, double log2gap)
{
    FILE *f = start(id);
    proved_part(f, id, "as-stated", log2gap);
    evidence_done(f);
}

static void refuted(const char *id)
{
    FILE *f = start(id);
    row witness = row_of(id, "as-stated", "counterexample", "claim", "q", HOLDS);
    witness.basis = cell_keep("witness: exact ranks of matrices in the certificate");
    put(f, witness);
    proved_part(f, id, "corrected", -43.7);
    evidence_done(f);
}

static void all_three(void)
{
    proved("K-1", -43.7);
    refuted("K-2");
    proved("K-long-name-12", -30);
}

/* ---- running --------------------------------------------------------------------------------- */

static report_options options(void)
{
    return (report_options){ .evidence = evidence, .out = out, .index = list };
}

/* The exit status; what was printed goes to *text. */
static int run(report_options o, char **text)
{
    char *path = in(root, "printed");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen(path, "w", stdout) || dup2(fileno(stdout), 2) < 0) _exit(99);
        const int status = report_main(&o);
        fflush(stdout);
        _exit(status);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    char *printed = read_text(path);
    unlink(path);
    free(path);
    if (text) *text = printed;
    else free(printed);
    return WEXITSTATUS(status);
}

static char *product(const char *name)
{
    char *path = in(out, name), *text = read_text(path);
    ck_assert_msg(text != NULL, "%s was not written", name);
    free(path);
    return text;
}

static void must_have(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "`%s` is missing in:\n%.2000s", part, text);
}

static void must_lack(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) == NULL, "`%s` occurs in:\n%.2000s", part, text);
}

#define PIECES(...) ((const char *const[]){ __VA_ARGS__, NULL })
/* Every piece is in the text, or, after a !, is not. */
static void has(const char *text, const char *const piece[])
{
    for (; piece && *piece; piece++)
        if (**piece == '!') must_lack(text, *piece + 1);
        else must_have(text, *piece);
}

static void file_has(const char *name, const char *const piece[])
{
    char *text = product(name);
    has(text, piece);
    free(text);
}

static void fits(const char *text, int width)
{
    for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        char *line = must_format("%.*s", (int)strcspn(p, "\n"), p);
        ck_assert_msg(screen_length(line) <= width, "longer than %d: %s", width, line);
        free(line);
    }
}

/* Runs the reports: the exit status, and what is printed; that of a report is as wide as it should be, 100 columns where
 * nothing is said. */
static void prints(int status, report_options o, const char *const piece[])
{
    char *text;
    const int is = run(o, &text);
    ck_assert_msg(is == status, "exit status %d, not %d:\n%.2000s", is, status, text);
    if (status != 2) fits(text, o.width ? o.width : SCREEN_USUAL);
    has(text, piece);
    free(text);
}

static long lines(const char *text)
{
    long n = 0;
    for (const char *p = text; *p; p++) n += *p == '\n';
    return n;
}

/* ---- the table ------------------------------------------------------------------------------- */

START_TEST(table_reads_at_a_glance)
{
    static const int widths[] = { 80, 100, 140 };
    all_three();
    for (size_t k = 0; k < COUNT(widths); k++) {
        report_options o = options();
        o.width = widths[k];
        prints(0, o, PIECES(
            "3 of 4 claims built, seed 7", "arb: width", "    Thm 4.4 (middle), Thm 4.2 (latest)  ", "    Prop 4.1 (first), Rem 7 (middle)  ",
            "7e-14", /* 2^-43.7 */ "2^-71", "controls refuted 1/1", "    2 SUPPORTED         every exact test agrees; no ",
            "verified)", "    1 REFUTED           false, by an exact witness\n",
            "    missing: proofcheck has accepted no certificate of the derivation\n",
            "corrected statements: 1 SUPPORTED\n", "negative controls refuted: 3 of 3\n", "provably show K-1 ",
            widths[k] == 140 ? "!exact, a witness" : "    exact, a witness\n", " a witness\n", "!\033"));
    }
}
END_TEST

/* Words are cut nowhere: each cell is broken at blanks, and its column stays its own. */
START_TEST(cells_are_broken_at_blanks)
{
    all_three();
    report_options o = options();
    o.width = 76;
    prints(0, o, PIECES("\nclaim          verdict   statement\n",
                        "\nK-2            REFUTED   a title that is much longer than its column, so\n"
                        "                         that it must be cut somewhere\n"));
    o.width = 110;
    prints(0, o, PIECES("\nclaim          verdict   statement ", " evidence       holds for\n"));
}
END_TEST

START_TEST(colours_only_where_wanted)
{
    all_three();
    report_options o = options();
    prints(0, o, PIECES("!\033"));
    o.colour = COLOUR_ALWAYS;
    prints(0, o, PIECES("\033[31mREFUTED\033[0m", "\033[32mSUPPORTED\033[0m", "!\033[33m"));
}
END_TEST

/* A check that wants two sides to differ holds far above its bound: that is no gap to report. */
START_TEST(a_difference_is_no_gap)
{
    all_three();
    FILE *f = start("K-1");
    proved_part(f, "K-1", "as-stated", -43.7);
    row apart = row_of("K-1", "as-stated-not", "identity", "claim", "f64", HOLDS);
    apart.log2gap = -0.5;
    apart.log2bound = -40;
    put(f, apart);
    evidence_done(f);
    prints(0, options(), PIECES("7e-14", "!7e-01"));
}
END_TEST

START_TEST(the_longest_verdict_fits)
{
    all_three();
    FILE *f = start("K-1");
    row fails = row_of("K-1", "as-stated", "hypothesis", "claim", "fp", REFUTED);
    for (; fails.trial < 3; fails.trial++) put(f, fails);
    proved_part(f, "K-1", "corrected", -40);
    evidence_done(f);
    prints(0, options(), PIECES(" HYPOTHESIS-FAILED "));
}
END_TEST

START_TEST(failure_prints_reason_and_replay)
{
    all_three();
    FILE *f = start("K-1");
    row bad = row_of("K-1", "as-stated", "identity", "claim", "arb", REFUTED);
    bad.trial = 5;
    bad.seed = 12345678901234567890u;
    put(f, bad);
    proved_part(f, "K-1", "as-stated", -40);
    evidence_done(f);
    prints(1, options(), PIECES(
        "INCONSISTENT K-1 as-stated: ",
        "build/theorems/k_1 --part=as-stated --case=claim --arith=arb --shape=\"n=4 d=4",
        "--seed=12345678901234567890 --trial=5"));
}
END_TEST

START_TEST(an_unrefuted_control_fails)
{
    all_three();
    FILE *f = start("K-1");
    proved_part(f, "K-1", "as-stated", -40);
    put(f, row_of("K-1", "as-stated", "identity", "tied", "fp", HOLDS));
    evidence_done(f);
    prints(1, options(), PIECES("UNCONTROLLED", "--case=tied --arith=fp"));
    file_has("claims.tex", PIECES("\nas-{}stated & broken-{}factor & ", "\n & tied & "));       /* each part once */
}
END_TEST

START_TEST(index_and_programs_must_agree)
{
    proved("K-1", -40);
    proved("X-9", -40);
    prints(1, options(), PIECES(
        "X-9 has evidence but no row in the index", "programs without evidence: k_2, k_long_name_12"));
}
END_TEST

START_TEST(partial_gives_no_verdict)
{
    report_options o = options();
    o.partial = true;
    proved("K-1", -40);
    prints(0, o, PIECES("PARTIAL", "!PROVED"));
    file_has("summary.csv", PIECES("!PROVED"));
    file_has("report.html", PIECES("PARTIAL run"));
}
END_TEST

START_TEST(quiet_prints_reasons_only)
{
    char *text;
    report_options o = options();
    o.quiet = true;
    all_three();
    ck_assert_int_eq(run(o, &text), 0);
    ck_assert_str_eq(text, "");
    free(text);
    proved("X-9", -40);
    prints(1, o, PIECES("X-9 has evidence"));
}
END_TEST

/* ---- CSV ------------------------------------------------------------------------------------- */

START_TEST(summary_has_one_row_per_claim)
{
    all_three();
    ck_assert_int_eq(run(options(), NULL), 0);
    char *text = product("summary.csv");
    static const char header[] =
        "id,paper,n001,n003,n000,title,as_stated,evidence,evidence_log2,scope,assumes,missing,as_meant,corrected,"
        "corrected_evidence,corrected_evidence_log2,corrected_scope,corrected_assumes,corrected_missing,f64_gap,"
        "mpfr_slope,arb_log2_width,fp_log2_error,q_holds,q_trials,sym_holds,sym_trials,measured,predicted,"
        "corrected_f64_gap,corrected_mpfr_slope,corrected_arb_log2_width,corrected_fp_log2_error,corrected_q_holds,"
        "corrected_q_trials,corrected_sym_holds,corrected_sym_trials,corrected_measured,corrected_predicted,"
        "controls_refuted,controls,local_failures,broken_trials,seconds,certificates,commit,compiler,libraries\n";
    ck_assert_int_eq(strncmp(text, header, sizeof header - 1), 0);
    ck_assert_int_eq(lines(text), 1 + 4);
    must_have(text, "\nK-1,K,,Thm 4.4,Thm 4.2,\"all W_Q, and x < y & z\",SUPPORTED,verified,-71.5,"
                    "these sizes,,proofcheck has accepted no certificate of the derivation,,,,,,,,6.998e-14,-1.0010,,"
                    "-71.5,,,1,1,,,,,,,,,,,,,1,1,");
    must_have(text, ",REFUTED,exact,,a witness,,,,SUPPORTED,verified,-71.5,these sizes,");
    must_have(text, "\nB-9,B,,Eq 1,,the fourth,PENDING,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,0,0,,,0.000,0,,,\n");
    must_have(text, ",0,0123abc,Test build,GMP 6; MPFR 4\n");
    free(text);
}
END_TEST

/* One space for each run of white space: as if lines were not broken. */
static void unbroken(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        const bool white = *at == ' ' || *at == '\n';
        if (!white || (to > text && to[-1] != ' ')) *to++ = white ? ' ' : *at;
    }
    *to = '\0';
}

/* Rows of two builds are not one run: a report of both fails and names a claim of each. */
START_TEST(two_builds)
{
    char *text;
    all_three();
    FILE *f = start("K-2");
    row r = row_of("K-2", "as-stated", "counterexample", "claim", "q", HOLDS);
    r.build = cell_keep("Another build");
    put(f, r);
    evidence_done(f);
    ck_assert_int_eq(run(options(), &text), 1);
    unbroken(text);
    must_have(text, "FAIL: evidence of two builds: K-1 of `0123abc; Test build; GMP 6; MPFR 4`, K-2 of `Another build`; run `make check` "
                    "again");
    free(text);
}
END_TEST

START_TEST(the_build_is_shown)
{
    all_three();
    prints(0, options(), PIECES("\n0123abc; Test build; GMP 6; MPFR 4\n"));
    file_has("report.html", PIECES("Built from 0123abc; Test build; GMP 6; MPFR 4.</p>"));
    file_has("macros.tex", PIECES("{0123abc; Test build; GMP 6; MPFR 4}"));
}
END_TEST

START_TEST(numbers_come_from_rows)
{
    all_three();
    proved("K-long-name-12", -43.7);
    ck_assert_int_eq(run(options(), NULL), 0);
    file_has("summary.csv", PIECES(",6.998e-14,"));
    file_has("verdicts.tex", PIECES("& verified $2^{-71}$ & ", "$7{\\cdot}10^{-14}$", "\n &  & \\quad corrected statement & "));
    file_has("claims.tex", PIECES("$7{\\cdot}10^{-14}$"));
    file_has("report.html", PIECES("7\u00b710<sup>\u221214"));
    proved("K-1", -30);
    refuted("K-2");
    ck_assert_int_eq(run(options(), NULL), 0);
    file_has("summary.csv", PIECES(",9.313e-10,"));
}
END_TEST

START_TEST(coverage_counts_rows_and_gives_reasons)
{
    all_three();
    FILE *f = start("K-long-name-12");
    proved_part(f, "K-long-name-12", "as-stated", -30);
    row free_of_positions = row_of("K-long-name-12", "as-stated", "identity", "claim", "f64", HOLDS);
    char *sizes = must_format("%s no_positions=1", small_shape);
    free_of_positions.shape = evidence_sizes(sizes);
    free(sizes);
    put(f, free_of_positions);
    row without_model = free_of_positions;
    without_model.shape = evidence_sizes("n=4");             /* no shape of a model: it has no switch */
    put(f, without_model);
    evidence_done(f);
    ck_assert_int_eq(run(options(), NULL), 0);
    char *text = product("coverage.csv"), *pending = strstr(text, "\nB-9,");
    ck_assert_int_eq(lines(text), 1 + 4);
    ck_assert_ptr_nonnull(pending);
    must_have(pending, "\nB-9,,,,");                             /* no program, no counts */
    must_have(text, "\nK-1,4,0,0,");                             /* four claim rows, all causal */
    must_have(text, ",shared_layers,no_positions\n");
    must_have(strstr(text, "\nK-long-name-12,5,"), ",0,1\nB-9");
    free(text);
    file_has("untried.csv", PIECES("\nB-9,causal_mask,program pending\n", "!K-1,causal_mask",
                                   "\nK-1,full_mask,not a switch of this claim\n"));
    row over_q = row_of("K-1", "as-stated", "identity", "claim", "q", HOLDS);
    claim_record rational = { .own = { .at = &over_q, .n = 1 } };
    coverage_count(&rational);
    evidence_set b = evidence_set_read(&(report_options){ .evidence = evidence, .out = out, .index = list });
    const claim_record *c = evidence_set_find(&b, "K-1");
    for (int s = 0; s < SWITCHES; s++) {
        const char *name = coverage_switch_names[s];
        const char *reason;
        long count;
        const coverage_kind kind = coverage_of(c, s, &count, &reason);
        if (strcmp(name, "GELU") == 0)       ck_assert(kind == COVERAGE_TRIED && count == 2);     /* f64 mpfr */
        if (strcmp(name, "opaque phi") == 0) ck_assert(kind == COVERAGE_TRIED && count == 2);     /* fp sym   */
        const coverage_kind alone = coverage_of(&rational, s, &count, &reason);
        if (strcmp(name, "LayerNorm") == 0)  ck_assert(alone == COVERAGE_CANNOT);                   /* q has no roots */
        if (strcmp(name, "opaque norm") == 0) ck_assert(alone == COVERAGE_CANNOT);
        if (strcmp(name, "MQA") == 0)        ck_assert(alone == COVERAGE_NO_SWITCH);
        coverage_of(c, s, &count, &reason);
        if (strcmp(name, "tied head") == 0)  ck_assert(kind == COVERAGE_NO_SWITCH && count == 0);
    }
    evidence_set_free(&b);
}
END_TEST

/* Parts that hold beside slips: the table names the basis, and a recount covers no switch of a model. */
START_TEST(recounts_have_a_basis_and_no_model)
{
    FILE *f = start("K-1");
    char *text;
    row agrees = row_of("K-1", "as-stated", "identity", "claim", "q", HOLDS);
    row slip = row_of("K-1", "as-stated-slips", "counterexample", "claim", "q", HOLDS);
    agrees.basis = cell_keep("plain");
    slip.basis = cell_keep("recount");
    have_read((body_of[]){ { "K-1", "as-stated", "k_1" }, { "K-1", "as-stated-slips", "k_1" } }, 2);
    proved("K-2", -40);
    proved("K-long-name-12", -30);
    put(f, agrees);
    put(f, slip);
    for (int k = 0; k < 3; k++) {
        row control = row_of("K-1", "as-stated", "identity", "broken-factor", "q", REFUTED);
        control.trial = k;
        control.basis = cell_keep("plain");
        put(f, control);
    }
    evidence_done(f);
    ck_assert_int_eq(run(options(), &text), 0);
    char *line = strstr(text, "\nK-1 ");
    ck_assert_ptr_nonnull(line);
    line = must_format("%.*s", (int)(strstr(line, "\nK-2 ") - line), line);
    must_have(line, "exact");
    must_have(line, "REFUTED");
    must_lack(line, "plain");
    free(line);
    free(text);
    file_has("coverage.csv", PIECES(
        "\nK-1,1,")); /* the row with a model, not the recount */
}
END_TEST

static void put_ladder(const char *id, double per_bit)
{
    char *path = of_program(id, ".ladder");
    FILE *f = fopen(path, "w");
    evidence_rung_header(f);
    for (long bits = 64; bits <= 1024; bits *= 2) {
        rung r = { .seed = 7, .bits = bits, .log2gap = 3 + per_bit * (double)bits };
        r.id = cell_keep(id);
        r.part = cell_keep("as-stated");
        r.which = cell_keep("claim");
        r.shape = evidence_sizes(small_shape);
        evidence_rung_write(f, &r);
    }
    evidence_done(f);
    evidence_beside(path);
    free(path);
}

START_TEST(ladders_have_their_slope)
{
    all_three();
    put_ladder("K-1", -1);
    put_ladder("K-long-name-12", -INFINITY);
    ck_assert_int_eq(run(options(), NULL), 0);
    char *text = product("ladder.csv");
    ck_assert_int_eq(lines(text), 1 + 5 + 5);
    must_have(text, ",64,-61,-1.0000,0\n");
    must_have(text, ",1024,-Inf,,1\n");
    free(text);
    file_has("report.html", PIECES("<svg ", "!nan", "!inf "));
}
END_TEST

/* Three trials of one figure and of its values at four sizes, y = 2 x^-1.5. */
static void put_figures(const char *id, double value)
{
    char *path = of_program(id, ".figures");
    FILE *f = fopen(path, "w");
    evidence_figure_header(f);
    for (long trial = 0; trial < 3; trial++)
        for (int k = 0; k < 6; k++) {
            measured m = { .seed = 7, .trial = trial, .x = k < 4 ? 32 << k : NAN };
            m.value = k < 4 ? 2 * pow(m.x, -1.5) : value + 0.01 * (double)(trial - 1);
            m.low = m.value - 0.03;
            m.high = m.value + 0.03;
            m.predicted = k == 4 ? -1.5 : NAN;
            m.id = cell_keep(id);
            m.part = cell_keep("as-stated");
            m.which = cell_keep(k == 5 ? "broken-factor" : "claim");
            m.shape = evidence_sizes(small_shape);
            m.name = cell_keep(k < 4 ? "mean of a & b" : k == 4 ? "exponent in d" : "not claimed");
            evidence_figure_write(f, &m);
        }
    evidence_done(f);
    evidence_beside(path);
    free(path);
}

/* A measured claim: three trials that hold, and its figures; a certified part beside them. */
static void measured_claim(const char *id)
{
    FILE *f = start(id);
    put(f, row_of(id, "as-stated-forms", "identity", "claim", "arb", HOLDS));
    for (long k = 0; k < 3; k++) {
        row claim = row_of(id, "as-stated", "measured", "claim", "f64", HOLDS);
        row control = row_of(id, "as-stated", "measured", "broken-factor", "f64", REFUTED);
        claim.trial = control.trial = k;
        claim.log2gap = -9 - (double)k;              /* no trial draws what another drew */
        claim.log2bound = -5;
        control.log2gap = -1;
        control.log2bound = -5;
        put(f, claim);
        put(f, control);
    }
    evidence_done(f);
    put_figures(id, -1.498);
}

START_TEST(measured_beside_predicted)
{
    all_three();
    measured_claim("K-1");
    char *text;
    prints(0, options(), PIECES("measured -1.498 for -1.5", "MEASURED"));
    text = product("figures.csv");
    /* The mean of three trials; its half-width is 0.03 sqrt(3)/3. */
    must_have(text, ",exponent in d,,3,-1.498,-1.5153205,-1.4806795,-1.5\n");
    must_have(text, ",mean of a & b,64,3,0.00390625,");
    ck_assert_int_eq(lines(text), 1 + 6);
    free(text);
    file_has("claims.tex", PIECES(
        "Each interval is over the samples within the trials: where every trial draws weights of its own, other trials",
        "& predicted & trials\\\\", "$-1.498$ & $-1.515$ to $-1.481$ & $-1.500$ & 3",
        "mean of a \\& b", "\\provablyplot{figures-k_1}", "!not claimed")); /* of controls only what was claimed */
    file_has("report.html", PIECES(
        "<h4>Measured beside predicted</h4>", "mean of a &amp; b", "Each interval is over the samples within the trials: ",
        "\u22121.498</td><td class=\"num\">\u22121.515 to \u22121.481</td>"
        "<td class=\"num\">\u22121.500", "exponent -1.500</title>", /* of the line fitted to the four points */
        "!nan"));
    file_has("summary.csv", PIECES(",,,-Inf,,,,,,-1.498,-1.5,,,,,,,,,,,1,1,"));
    file_has("macros.tex", PIECES(
        "\\providecommand{\\ProvablyWorstGap}{$2^{-30}$}", /* of identities alone */
        "\\providecommand{\\ProvablyControlMargin}{$2^{40}$}"));
    free(product("figures-k_1.svg"));
}
END_TEST

/* A variant of what must differ is caught because its two sides are equal: that gap is far below its bound, and no
 * measure of how sharply variants are caught. */
START_TEST(variants_caught_the_other_way_have_no_margin)
{
    all_three();
    FILE *f = start("K-1");
    proved_part(f, "K-1", "as-stated", -43.7);
    row equal = row_of("K-1", "as-stated", "identity", "broken-factor", "f64", REFUTED);
    equal.trial = 3;
    equal.log2gap = -90;
    equal.log2bound = -40;
    put(f, equal);
    evidence_done(f);
    ck_assert_int_eq(run(options(), NULL), 0);
    file_has("macros.tex", PIECES("\\providecommand{\\ProvablyControlMargin}{$2^{40}$}", "!---"));
    file_has("condition.csv", PIECES(",-90,-40\n"));
    file_has("condition.svg", PIECES("\u221215</tspan>", "!\u221225</tspan>"));   /* 2^-43.7, and not 2^-90 */
}
END_TEST

/* No row at all: nothing is measured, and the macros say so in words. */
START_TEST(no_figure_is_a_dash)
{
    report_options o = options();
    o.partial = true;
    FILE *f = start("K-1");
    put(f, row_of("K-1", "as-stated", "identity", "claim", "q", HOLDS));
    evidence_done(f);
    ck_assert_int_eq(run(o, NULL), 0);
    file_has("macros.tex", PIECES("\\ProvablyControlMargin}{not measured}", "\\ProvablyWorstSlope}{not measured}", "!---"));
}
END_TEST

START_TEST(figures_follow_their_rows)
{
    all_three();
    measured_claim("K-1");
    put_figures("K-1", -1.42);
    ck_assert_int_eq(run(options(), NULL), 0);
    file_has("figures.csv", PIECES(",exponent in d,,3,-1.42,", "!-1.498"));
}
END_TEST

/* ---- words ----------------------------------------------------------------------------------- */

typedef void writer(FILE *f, const char *text);

static void writes(writer *w, const char *from, const char *want)
{
    char *got = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&got, &n);
    w(f, from);
    fclose(f);
    ck_assert_str_eq(got, want);
    free(got);
}

START_TEST(latex_is_escaped)
{
    writes(latex_text, "a_b & 50% #1 {x} $y$ ~^\\ <>",
           "a\\_\\allowbreak{}b \\& 50\\% \\#1 \\{x\\} \\$y\\$ \\textasciitilde{}\\textasciicircum{}"
           "\\textbackslash{} \\textless{}\\textgreater{}");
    writes(latex_text, "--part", "-{}-{}part");
    writes(latex_math, "W_Q is $W_Q^i \\in \\mathrm{GL}(d)$, 5%",
           "W\\_\\allowbreak{}Q is $W_Q^i \\in \\mathrm{GL}(d)$, 5\\%");
    writes(latex_math, "an open $x", "an open \\$x");                   /* never an unfinished formula */
    writes(latex_math, "}{", "\\}\\{");
    writes(latex_mixed, "Theta_1 times $1+2^{-40}$", "Theta\\_\\allowbreak{}1 times $1+2^{-40}$");
    writes(latex_text, "\xc3\xa9", "??");
    writes(latex_text, "run `a_b` now", "run \\texttt{a\\_\\allowbreak{}b} now");
    writes(latex_text, "a ` alone", "a ` alone");
    writes(latex_text, "``so'' and `x`", "``so'' and \\texttt{x}");
}
END_TEST

START_TEST(html_is_escaped)
{
    writes(html_text, "x < y & \"z\" > 0", "x &lt; y &amp; &quot;z&quot; &gt; 0");
    writes(html_math, "<b> & $a<b$", "&lt;b&gt; &amp; <i>a</i> &lt; <i>b</i>");
    writes(html_ticked, "run `a < b` & `c`", "run <code>a &lt; b</code> &amp; <code>c</code>");
    writes(html_ticked, "a ` alone", "a ` alone");
    writes(html_ticked, "-1.5e-09 [2e-10, x1e-3, 1.e, 3e-], `4e-2`", "-<span class=\"one\">1.5e-09</span> [<span class=\"one\">2e-10"
           "</span>, x1e-3, 1.e, 3e-], <code><span class=\"one\">4e-2</span></code>");
    writes(html_ticked, "``so'' and `x` isn''t", "&ldquo;so&rdquo; and <code>x</code> isn''t");
    writes(html_mixed, "`a's b'", "&lsquo;a's b&rsquo;");
    writes(html_mixed, "`A -> B' reads `if A', M' is $c_d$", "&lsquo;A -&gt; B&rsquo; reads &lsquo;if A&rsquo;, M' is "
           "<i>c<sub>d</sub></i>");
    writes(html_mixed, "a_b < $c_d$ and $5", "a_b &lt; <i>c<sub>d</sub></i> and $5");
}
END_TEST

/* A formula of one line is text; whatever comes in, what goes out is well-formed. */
START_TEST(latex_becomes_html)
{
    writes(html_math, "``one'' of $1{,}000$, $a,b$", "\u201cone\u201d of 1,000, <i>a</i>, <i>b</i>");
    writes(html_math, "$W_Q = I$, $\\Theta_{L+1}$", "<i>W<sub>Q</sub></i> = <i>I</i>, \u0398<sub><i>L</i>+1</sub>");
    writes(html_math, "$\\Theta_{L}W$", "\u0398<sub><i>L</i></sub><i>W</i>");
    writes(html_math, "$W \\in \\mathrm{GL}(d)$", "<i>W</i> \u2208 GL(<i>d</i>)");
    writes(html_math, "$-2^{-40} - x'$", "\u22122<sup>\u221240</sup> \u2212 <i>x</i>\u200a\u2032");
    writes(html_math, "$a \\ne b$, $a\\le b$, $a\\cdot b,\\ldots$",
           "<i>a</i> \u2260 <i>b</i>, <i>a</i> \u2264 <i>b</i>, <i>a</i>\u22c5<i>b</i>, \u2026");
    writes(html_math, "\\emph{not $x$} \\texttt{a_b} {c} \\strange x~y",
           "<em>not <i>x</i></em> <code>a_b</code> c  strange  x\u00a0y");
    writes(html_math, "\\", "");
    writes(html_math, "}{", "");
}
END_TEST

/* Accents, fractions, roots, and a script above another: MathML. */
START_TEST(latex_becomes_mathml)
{
    writes(html_math, "$\\tilde E = E\\Theta_1$",
           "<math><mover accent=\"true\"><mi>E</mi><mo stretchy=\"false\">~</mo></mover><mo>=</mo><mi>E</mi>"
           "<msub><mi mathvariant=\"normal\">\u0398</mi><mn>1</mn></msub></math>");
    writes(html_math, "$W_Q^i$", "<math><msubsup><mi>W</mi><mi>Q</mi><mi>i</mi></msubsup></math>");
    writes(html_math, "$W^i_Q$", "<math><msubsup><mi>W</mi><mi>Q</mi><mi>i</mi></msubsup></math>");
    writes(html_math, "$\\frac{a}{-2b}$",
           "<math><mfrac><mi>a</mi><mrow><mo form=\"prefix\">\u2212</mo><mn>2</mn><mi>b</mi></mrow></mfrac></math>");
    writes(html_math, "$\\sqrt{d}$", "<math><msqrt><mi>d</mi></msqrt></math>");
    writes(html_math, "$(\\Theta_1^\\top)^{-1}$",
           "<math><mo stretchy=\"false\">(</mo><msubsup><mi mathvariant=\"normal\">\u0398</mi><mn>1</mn>"
           "<mi mathvariant=\"normal\">\u22a4</mi></msubsup><msup><mo stretchy=\"false\">)</mo><mrow>"
           "<mo form=\"prefix\">\u2212</mo><mn>1</mn></mrow></msup></math>");
    writes(html_math, "$\\mathrm{rank of}\\ \\hat A$",
           "<math><mtext>rank\u00a0of</mtext><mover accent=\"true\"><mi>A</mi><mo stretchy=\"false\">^</mo></mover>"
           "</math>");
    writes(html_math, "$\\strange{x}$", "<math><mtext>strange</mtext><mi>x</mi></math>");
    writes(html_math, "$x^{y", "<math><msup><mi>x</mi><mi>y</mi></msup></math>");
    writes(html_math, "$x_", "<math><msub><mi>x</mi><mrow></mrow></msub></math>");
    writes(html_math, "$a}b$", "<math><mi>a</mi><mi>b</mi></math>");
    writes(html_math, "$a < b_{c_d}$",
           "<math><mi>a</mi><mo>&lt;</mo><msub><mi>b</mi><msub><mi>c</mi><mi>d</mi></msub></msub></math>");
}
END_TEST

START_TEST(titles_and_terminals)
{
    static const struct { const char *latex, *text; } lines[] = {
        { "$W_Q^i \\in \\mathrm{GL}(d)$", "W_Q^i in GL(d)" }, { "$\\Theta_{L+1}$ and more", "Theta_(L+1) and more" },
        { "$\\tilde W_{MLP_u}^i$, $\\tilde{E}_P$", "W~_MLP_u^i, E~_P" }, { "$2^{-40}$, $(A^\\top)^{-1}$", "2^-40, (A^T)^-1" },
        { "$W_2\\mathrm{ReLU}(W_1x)$", "W_2 ReLU(W_1 x)" }, { "$W_2W_1$, $2h_{kv}d_k$", "W_2 W_1, 2h_kv d_k" },
        { "$\\frac12x$, $\\frac{a+b}{2}$", "1/2x, (a+b)/2" }, { "$0 \\le h\\varepsilon \\ne \\sqrt{d_k}$", "0 <= h eps != sqrt(d_k)" },
        { "$|w|_*$, $\\{1, \\dots, m\\}$", "|w|_*, {1, ..., m}" }, { "k_t4_4 of 25\\,\\%", "k_t4_4 of 25 %" } };
    char *title = record_title_as_latex("pair (W_Q W_KV) of d_k^2, _x_");
    ck_assert_str_eq(title, "pair ($W_{Q}$ $W_{KV}$) of $d_{k}^2$, _x_");
    free(title);
    for (size_t k = 0; k < COUNT(lines); k++) {
        char *text = latex_as_text(lines[k].latex);
        ck_assert_str_eq(text, lines[k].text);
        free(text);
    }
    char *quote = quotation_as_text("the *well-known* $A*B*C$ of 2 * 3");
    ck_assert_str_eq(quote, "the well-known A*B*C of 2 * 3");
    free(quote);
}
END_TEST

START_TEST(descriptions_reach_the_pages)
{
    all_three();
    describe(
        "id: K-1\ntitle: t\nwhere: 003 Theorem 4.4\nquote: 003 | Theorem 4.4 | all is well\n"
        "hypotheses: $W_Q \\in \\mathrm{GL}(d)$\nconstruction: \n"
        "why: a < b\ndepends: K-2 B-9\n"
        "part: as-stated\nkind: identity\nstatement: $\\tilde W = I$\nbasis: \nwithout: q\n"
        "why-without: no <exp>\n"
        "control: broken-factor: a factor_x: dropped & gone\n");
    ck_assert_int_eq(run(options(), NULL), 0);
    file_has("report.html", PIECES(
        "<i>W<sub>Q</sub></i> \u2208 GL(<i>d</i>)", "a &lt; b", "no &lt;exp&gt;",
        "a factor_x: dropped &amp; gone", "<a href=\"#K-2\">K-2</a>"));
    file_has("claims.tex", PIECES(
        "\\provablylink{K-2}{K-{}2}, B-{}9 (pending)", "a factor\\_\\allowbreak{}x: dropped \\& gone"));
}
END_TEST

static void in_order(const char *text, const char *first, const char *second)
{
    const char *a = strstr(text, first), *b = strstr(text, second);
    ck_assert_msg(a && b && a < b, "`%s` does not come before `%s` in:\n%.2000s", first, second, text);
}

/* Commands on the page are those of any machine, however `provably` was called. */
START_TEST(a_page_names_no_folder_of_this_machine)
{
    all_three();
    report_options o = options();
    o.program = "/somewhere/build/provably";
    ck_assert_int_eq(run(o, NULL), 0);
    char *html = product("report.html");
    must_have(html, "provably run K-1");
    must_lack(html, "/somewhere");
    free(html);
    o.program = "build/provably";
    ck_assert_int_eq(run(o, NULL), 0);
    html = product("report.html");
    must_have(html, "build/provably run K-1");
    free(html);
}
END_TEST

/* An entry quotes one version whole, with the others folded behind it, then what the sentences presuppose. */
START_TEST(quotations_open_the_entry)
{
    all_three();
    describe(
        "id: K-1\ntitle: t\nwhere: 003 Theorem 4.4\n"
        "quote: 001 | Theorem 4.1 | such that and 25% of W_Q | is\n"
        "quote: 003 | Section 4 | the first of two\n"
        "quote: 003 | Section 4 | the second of two\n"
        "quote: 000 | Theorem 4.2 | such that and 25% of W_Q | is\n"
        "quote: 003 | Theorem 4.4 | *only* if $$W_Q \\in \\text{GL}(d)$$ the \u201cfirst\u201d \u03c3 \u2014 of "
        "$a * b$ & *half\nquote: 003 | Section 4 | a *bold and* a \\mathcal{S}_c is\n"
        "quote: 003 | Section 4 | a \\checkmark \\times or \\tilde{B}_{i 2}^\\alpha of E \\leftrightarrow H\n"
        "quote: 003 | Section 4 | as \\text{this one $x_i$ is\n"
        "standing: 002 | Eq. (1) | as is common\n"
        "part: as-stated\nkind: identity\nstatement: s\n");
    ck_assert_int_eq(run(options(), NULL), 0);
    char *html = product("report.html");
    char *tex = product("claims.tex");
    must_have(html, "<summary>also printed in: first version, Theorem 4.1; latest version, Theorem 4.2</summary>first "
                    "version, Theorem 4.1 (our copy lacks most formulas): &ldquo;such that and 25% of W_Q | is&rdquo;<br>latest");
    must_have(html, "&ldquo;only if <i>W<sub>Q</sub></i> \u2208 GL(<i>d</i>) the \u201cfirst\u201d \u03c3 "
                    "\u2014 of ");
    must_have(html, " &amp; half&rdquo;");
    must_have(html, "&ldquo;a <em>bold and</em> a <math><msub><mi>S</mi><mi>c</mi></msub></math> is&rdquo;");
    must_have(html, "&ldquo;a \u2713 ");
    must_have(html, "<mrow><mi>i</mi><mn>2</mn></mrow><mi>\u03b1</mi></msubsup></math> of E ");
    must_have(html, "&ldquo;as \\text{this one <i>x<sub>i</sub></i> is&rdquo;");
    must_have(html, "<dt>as printed</dt><dd>middle version, Section 4: &ldquo;the first of two&rdquo; &ldquo;the second of "
                    "two&rdquo;<br>middle version, Theorem 4.4: &ldquo;only if");
    must_have(tex, "``the first of two'' ``the second of two'' \\textcolor");
    must_have(html, "<br><span class=\"soft\">Our copies of the first and of the latest version lack");
    must_have(html, "<dt>presupposed</dt><dd>&ldquo;as is common&rdquo; <span class=\"soft\">"
                    "Bermeitinger et al., arXiv:2410.13732, Eq. (1)</span><br>");
    must_have(html, "<dt>verdict</dt><dd><span class=\"v SUPPORTED\">SUPPORTED</span>.  Every exact test agrees, but");
    in_order(html, "<dt>verdict</dt>", "<dt>presupposed</dt>");
    in_order(html, "<dt>verdict</dt>", "<dt>how we know</dt>");
    must_have(tex, "\\item[Quoted] ``the first of two''");
    must_have(tex, "also printed in: first version, Theorem 4.1; latest version, Theorem 4.2");
    ck_assert_ptr_null(strstr(tex, "such that and"));
    must_have(tex, "\\newline ``only if $W_Q \\in \\text{GL}(d)$ the ``first'' $\\sigma$ --- of $a * b$ \\& half''");
    must_have(tex, "``a \\emph{bold and} a $\\mathcal{S}_c$ is''");
    must_have(tex, "``a $\\checkmark$ $\\times$ or $\\tilde{B}_{i 2}^\\alpha$ of E $\\leftrightarrow$ H''");
    must_have(tex, "``as \\textbackslash{}text\\{this one \\$x\\_\\allowbreak{}i\\$ is''");
    must_have(tex, "\\item[Presupposed] ``as is common''");
    in_order(tex, "\\item[Verdict] \\provablyverdict{provablySUPPORTED}{SUPPORTED} verified", "\\item[Presupposed]");
    must_have(tex, "\\providecommand{\\provablyverdict}[2]{");           /* a document may have one of its own */
    in_order(tex, "\\item[Verdict]", "\\item[Where]");
    free(html);
    free(tex);
    file_has("papers.tex", PIECES(
        "{001, v1}] Marko Karbevski and Antonij Mijoski, \\emph{$W_K$, $W_V$ Is Probably All You Need: ",
        "arXiv:2510.23912, first version (2025-{}10-{}27).", "arXiv:2510.23912, a middle version.",
        "Siegfried Handschuh, \\emph{Reducing the Transformer Architecture to a Minimum}, arXiv:2410.13732 (2024-"));
}
END_TEST

START_TEST(a_claim_may_not_use_unknown_claims)
{
    all_three();
    describe("id: K-1\ntitle: t\nwhere: w\ndepends: K-2 N9\npart: as-stated\nkind: identity\n");
    prints(1, options(), PIECES("FAIL: K-1 uses N9, which is no claim of the index"));
}
END_TEST

START_TEST(numbers_and_graph_reach_the_pages)
{
    all_three();
    ck_assert_int_eq(run(options(), NULL), 0);
    file_has("report.html", PIECES(
        "id=\"numbers\"", "<a href=\"#numbers\">Numbers</a>", "title=\"mnist_6_4_mlp_full.count",
        "<a href=\"#K-1\"><g><title>K-1: SUPPORTED"));
    file_has("graph.tex", PIECES("\\provablylink{K-1}"));
    file_has("audit.tex", PIECES("287,746 & 279,166 & differs"));
    file_has("audit.csv", PIECES(
        "\"287,746\",=,287746,279166,,differs,mnist_6_4_mlp_full.count,cifar_6_4_mlp_full.count",
        ",8%,=,8,8.33144995796,%,agrees,", ",> 8,>,8,", ",117.30M,=,117300000,117295872,,agrees,"));
    char *csv = product("audit.csv"), *tex = product("audit.tex");
    long printed = 0;
    for (const char *p = tex; (p = strstr(p, "\\\\\n")); p++) printed++;
    ck_assert_int_eq(lines(csv) - 1, printed);
    free(csv);
    free(tex);
}
END_TEST

START_TEST(the_page_is_self_contained)
{
    all_three();
    put_ladder("K-1", -1);
    ck_assert_int_eq(run(options(), NULL), 0);
    file_has("report.html", PIECES(
        "! src=", "!<link", "!@import", "!url(", "!<iframe", "name=\"viewport\"", "x &lt; y &amp; z"));
}
END_TEST

/* ---- the world fails ------------------------------------------------------------------------- */

static void dies(report_options o, const char *message)
{
    char *text;
    ck_assert_int_eq(run(o, &text), 2);
    must_have(text, message);
    ck_assert_int_eq(lines(text), 1);
    free(text);
}

static void dies_on(const char *name, const char *content, const char *message)
{
    char *path = in(evidence, name);
    write_text(path, content);
    evidence_beside(path);
    dies(options(), message);
    ck_assert_int_ne(access(out, F_OK), 0);                    /* nothing was written */
    unlink(path);
    evidence_beside(path);
    free(path);
}

START_TEST(bad_evidence_is_refused)
{
    all_three();
    dies_on("K-9.csv", "not a header\n", "K-9.csv:1: the first line must be id,part,kind,");
    dies_on("k_1.ladder.csv", "id,part\n", "k_1.ladder.csv:1: the first line must be");
    dies_on("k_1.ladder.csv", "id,part,case,shape,seed,trial,bits,log2gap\nK-1,p,claim,n=4,7,0,64,-6x\n",
            "ladder.csv:2: column log2gap, `-6x`, is not a number; remove the file");
    dies_on("k_1.figures.csv", "id,part\n", "k_1.figures.csv:1: the first line must be");
    dies_on("k_1.figures.csv", "id,part,case,shape,seed,trial,figure,x,value,low,high,predicted\n"
            "K-1,p,claim,n=4,7,0,mean,nan,0.1,0,0.2\n", "figures.csv:2: 11 columns, not the 12");
    dies_on("k_1.figures.csv", "id,part,case,shape,seed,trial,figure,x,value,low,high,predicted\n"
            "K-1,p,claim,n=4,7,0,mean,nan,0.1x,0,0.2,1\n", "figures.csv:2: column value, `0.1x`, is not a number");
    dies_on("k_1.figures.csv", "id,part,case,shape,seed,trial,figure,x,value,low,high,predicted\nK-1,p",
            "figures.csv:2: the line is cut off");
    dies_on("k_1.ladder.csv", "id,part,case,shape,seed,trial,bits,log2gap\nK-1,p,claim,n=4,7,0,64,-6\n",
            "k_1.ladder.csv: its last lines are missing, or a line was changed; remove the file");
    dies_on("k_1.figures.csv", "id,part,case,shape,seed,trial,figure,x,value,low,high,predicted\n"
            "K-1,p,claim,n=4,7,0,mean,nan,0.1,0,0.2,1\n", "k_1.figures.csv: its last lines are missing");
    dies_on("k_1.meta", "id: K-1\nnonsense\n", "k_1.meta:2: not a line of a description");
    dies_on("k_1.meta", "statement: without a part\n", "k_1.meta:1: not a line");
    dies_on("k_1.meta", "control: x: without a part\n", "k_1.meta:1: not a line");
    dies_on("k_1.meta", "quote: 004 | Section 1 | of an unknown text\n", "k_1.meta:1: not a line");
    dies_on("k_1.meta", "quote: 003 | Section 1\n", "k_1.meta:1: not a line");
    dies_on("k_1.meta", "quote: 003 |  | without a place\n", "k_1.meta:1: not a line");
    dies_on("k_1.meta", "standing: 003 | Section 1 | \n", "k_1.meta:1: not a line");
    dies_on("k_1.meta", "part: as-stated\nquote: 003 | Section 1 | too late\n", "k_1.meta:2: not a line");
    dies_on("k_1.meta", "quote: 003 | Section 1 | one two three\njudged: one three\n", "k_1.meta:2: not a line");
    dies_on("k_1.meta", "quote: 003 | Section 1 | one two three\njudged: \n", "k_1.meta:2: not a line");
}
END_TEST

START_TEST(rows_that_were_taken_away_are_missed)
{
    all_three();
    char *path = of_program("K-1", ""), *text = read_text(path), *last = strstr(text, "# end of ");
    ck_assert_ptr_nonnull(last);
    char *shorter = must_format("%.*s", (int)(last - text), text);
    *strrchr(shorter, ',') = '\0';
    strrchr(shorter, '\n')[1] = '\0';
    char *both = must_format("%s%s", shorter, last);
    for (int k = 0; k < 2; k++) {                        /* with the last line, and without */
        write_text(path, k ? shorter : both);
        dies(options(), "k_1.csv: its last lines are missing, or a line was changed; remove the file and run `make check`");
    }
    free(both);
    free(shorter);
    free(text);
    free(path);
}
END_TEST

/* A ladder that is missing, that nobody names, or that is another one; what proofcheck accepted and was changed. */
START_TEST(files_beside_the_rows_are_of_their_run)
{
    all_three();
    put_ladder("K-1", -1);
    char *path = of_program("K-1", ".ladder"), *other = of_program("K-2", ".ladder"), *text = read_text(path);
    unlink(path);
    dies(options(), "k_1.csv: it was written beside ");
    put_ladder("K-2", -2);
    ck_assert_int_eq(rename(other, path), 0);
    dies(options(), "k_1.ladder.csv: it is not of the run that wrote ");
    write_text(path, text);
    dies(options(), "k_2.csv: it was written beside ");
    write_text(other, text);
    dies(options(), "k_2.ladder.csv: it is not of the run that wrote ");
    put_ladder("K-2", -1);
    ck_assert_int_eq(run(options(), NULL), 0);
    free(text);
    free(other);
    free(path);
}
END_TEST

/* The file with one more line of what its run wrote, and a last line that covers it. */
static void names_also(const char *path, const char *line)
{
    evidence_done_at(path);
    char *text = read_text(path), *end = strstr(text, "# end of ");
    char *all = must_format("%.*s%s\n", (int)(end - text), text, line), *last = evidence_end_of(all, strlen(all));
    char *whole = must_format("%s%s", all, last);
    write_text(path, whole);
    free(whole);
    free(last);
    free(all);
    free(text);
}

#define SHA_OF(kind, digit) "# " kind " with SHA-256 " digit digit digit digit digit digit digit digit
START_TEST(what_the_rows_name_is_beside_them)
{
    static const char described[] = "id: K-1\n", line[] = "K-1.cert: accepted: K-1 as-stated, sym, 1 equation; heads 2; depth none; "
        "assumes: nothing; statement 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n";
    char hex[SHA256_HEX];
    all_three();
    char *of_rows = of_program("K-1", ""), *accepted = in(evidence, "k_1.accepted"), *meta = in(evidence, "k_1.meta");
    describe(described);
    ck_assert_int_ne(run(options(), NULL), 2);                  /* rows that name none */
    checksum_sha256_bytes(described, strlen(described), hex);
    names_also(of_rows, temp_format("# description with SHA-256 %s", hex));
    ck_assert_int_ne(run(options(), NULL), 2);
    describe("id: K-1\nwhy: it is so\n");
    dies(options(), "k_1.meta: it is not the description of the run that wrote ");
    unlink(meta);
    ck_assert_int_eq(run(options(), NULL), 0);

    write_text(accepted, line);
    names_also(accepted, SHA_OF("certificate K-1.cert", "01234567"));
    ck_assert_int_eq(run(options(), NULL), 0);                  /* a run without certificates */
    names_also(of_rows, SHA_OF("certificate K-1.cert", "01234567"));
    ck_assert_int_eq(run(options(), NULL), 0);
    names_also(of_rows, SHA_OF("certificate K-1.cert", "01234568"));
    dies(options(), "k_1.accepted: K-1 is not the certificate that the run of ");
    names_also(of_rows, SHA_OF("certificate K-1.cert", "01234567"));
    write_text(accepted, line);                                 /* named by the rows alone */
    evidence_done_at(accepted);
    dies(options(), "k_1.accepted: K-1 is not the certificate that the run of ");
    names_also(accepted, SHA_OF("certificate K-1.cert", "01234567"));
    names_also(of_rows, SHA_OF("certificate K-2.cert", "01234567"));
    dies(options(), "k_1.accepted: K-1 is not the certificate that the run of ");
    evidence_done_at(of_rows);
    static const char *const others[][2] = { { "heads 2", "heads 3" }, { "depth none", "depth every" }, { "depth none", "depth 2" } };
    for (size_t k = 0; k < COUNT(others); k++) {
        const char *at = strstr(line, others[k][0]);
        write_text(accepted, temp_format("%.*s%s%s", (int)(at - line), line, others[k][1], at + strlen(others[k][0])));
        evidence_done_at(accepted);
        dies(options(), " heads and a depth that no row of ");
    }
    unlink(accepted);

    char *elsewhere = in(root, "elsewhere.csv");
    ck_assert_int_eq(rename(of_rows, elsewhere), 0);
    ck_assert_int_eq(symlink(elsewhere, of_rows), 0);
    dies(options(), "k_1.csv: evidence is a file, not a link or a folder; remove the file");
    free(elsewhere);
    free(meta);
    free(accepted);
    free(of_rows);
}
END_TEST

START_TEST(what_was_accepted_has_its_last_line)
{
    static const char line[] = "K-1.cert: accepted: K-1 as-stated, sym, 1 equation; heads 2; depth none; assumes: nothing; statement "
                               "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n";
    all_three();
    char *path = in(evidence, "k_1.accepted");
    write_text(path, "");
    dies(options(), "k_1.accepted is empty");
    evidence_done_at(path);                                    /* of a program without certificates */
    ck_assert_int_eq(run(options(), NULL), 0);
    write_text(path, line);
    dies(options(), "k_1.accepted: its last lines are missing, or a line was changed; remove the file and run `make check`");
    evidence_done_at(path);
    ck_assert_int_eq(run(options(), NULL), 0);
    char *text = read_text(path);
    memcpy(strstr(text, "heads 2"), "heads 3", 7);
    write_text(path, text);
    dies(options(), "k_1.accepted: its last lines are missing, or a line was changed");
    char *other = in(evidence, "k_2.accepted");
    write_text(other, line);                                   /* of another claim */
    evidence_done_at(other);
    unlink(path);
    dies(options(), "k_2.accepted: a certificate of K-1 beside rows of K-2; remove the file");
    unlink(other);
    free(other);
    unlink(path);
    ck_assert_int_eq(symlink("k_1.accepted", path), 0);        /* what cannot be opened is not absent */
    dies(options(), "k_1.accepted: ");
    free(text);
    free(path);
}
END_TEST

START_TEST(rows_of_another_claim_are_refused)
{
    FILE *f = start("K-1");
    proved_part(f, "K-2", "as-stated", -40);
    put(f, row_of("K-1", "as-stated", "identity", "claim", "f64", HOLDS));
    evidence_done(f);
    dies(options(), "k_1.csv:9: a row of K-1 among rows of K-2");
}
END_TEST

/* A reading is of the program that the index names, so that another one is no evidence of the claim. */
START_TEST(files_have_the_name_of_the_program)
{
    all_three();
    char *from = in(evidence, "k_1.csv"), *to = in(evidence, "other.csv");
    ck_assert_int_eq(rename(from, to), 0);
    prints(1, options(), PIECES("FAIL: K-1: its evidence is of the program other, and the index names k_1"));
    proved("K-1", -40);
    dies(options(), "a second file of evidence of K-1");
    free(from);
    free(to);
}
END_TEST

/* Each trial once, and none is left out. */
START_TEST(trials_are_counted_once)
{
    static const struct { long number[3]; const char *says; } of[] = {
        { { 1, 2, 3 }, "" },
        { { 1, 1, 2 }, "FAIL: K-1 as-stated claim over f64: trial 1 is there twice" },
        { { 1, 0, 2 }, "FAIL: K-1 as-stated claim over f64: trial 0 is there twice" },
        { { 1, 3, 4 }, "FAIL: K-1 as-stated claim over f64: trial 2 is missing" },
    };
    for (size_t k = 0; k < COUNT(of); k++) {
        all_three();
        char *path = of_program("K-1", "");
        FILE *f = fopen(path, "a");
        ck_assert_ptr_nonnull(f);
        row r = row_of("K-1", "as-stated", "identity", "claim", "f64", HOLDS);        /* beside trial 0 */
        for (size_t i = 0; i < COUNT(of[k].number); i++) {
            r.trial = of[k].number[i];
            put(f, r);
        }
        fclose(f);
        evidence_done_at(path);
        free(path);
        prints(*of[k].says != '\0', options(), PIECES(of[k].says));
    }
}
END_TEST

START_TEST(folders_that_cannot_be_used)
{
    report_options o = options();
    all_three();
    o.evidence = "/nonexistent/folder";
    dies(o, "cannot read /nonexistent/folder");
    o = options();
    o.index = "/nonexistent/claims.csv";
    dies(o, "cannot read /nonexistent/claims.csv");
    o = options();
    o.out = "/nonexistent/out";
    dies(o, "cannot make the folder /nonexistent/out");
    o.out = list;                                               /* a file where the folder should be */
    dies(o, "cannot write");
}
END_TEST

START_TEST(a_program_that_wrote_nothing_fails)
{
    all_three();
    evidence_done(start("K-1"));
    prints(1, options(), PIECES("k_1: the program wrote no evidence"));
}
END_TEST

/* Charts are written as PDF with --pdf alone, and those of an earlier run are removed. */
START_TEST(plots_as_pdf)
{
    static const char missing[] = "no plots in the PDF: rsvg-convert is missing or failed (`make deps-report`)";
    char *stale = in(out, "ladder.pdf"), *bin = in(root, "bin"), *program = in(root, "bin/rsvg-convert");
    report_options o = options();
    all_three();
    put_ladder("K-1", -1);
    ck_assert_int_eq(mkdir(out, 0777), 0);
    write_text(stale, "of an earlier run");
    prints(0, o, PIECES("!rsvg"));
    ck_assert_int_ne(access(stale, F_OK), 0);
    o.pdf = true;
    prints(0, o, PIECES(missing));                              /* PATH is empty */
    ck_assert_int_ne(access(stale, F_OK), 0);
    ck_assert_int_eq(mkdir(bin, 0777), 0);
    write_text(program, "#!/bin/sh\n[ \"$#$1$2\" = 3--format=pdf-- ] && printf '%%PDF ' && exec /bin/cat \"$3\"\n");
    ck_assert_int_eq(chmod(program, 0777), 0);
    setenv("PATH", bin, 1);
    prints(0, o, PIECES("!rsvg"));
    char *svg = product("ladder.svg"), *pdf = must_format("%%PDF %s", svg), *is = product("ladder.pdf");
    ck_assert_str_eq(is, pdf);
    write_text(program, "#!/bin/sh\necho half of it; exit 1\n");
    prints(0, o, PIECES(missing));
    ck_assert_int_ne(access(stale, F_OK), 0);
    setenv("PATH", "/nonexistent", 1);
    free(stale), free(bin), free(program), free(svg), free(pdf), free(is);
}
END_TEST

START_TEST(nothing_half_written_stays)
{
    all_three();
    ck_assert_int_eq(run(options(), NULL), 0);
    DIR *d = opendir(out);
    for (struct dirent *e; (e = readdir(d)); )
        ck_assert_msg(!strstr(e->d_name, ".part"), "%s is left", e->d_name);
    closedir(d);
}
END_TEST

/* Of the parts that decide a group the one with the weakest evidence speaks, then the narrowest scope. */
START_TEST(the_weakest_part_speaks)
{
    char text[128];
    const evidence_set b = { .partial = false };
    claim_verdict v = { .as_stated = V_PROVED, .corrected = V_SUPPORTED, .parts = 5, .part = {
        { .name = "as-stated",   .is = V_PROVED, .by = E_DERIVED, .scope = { .sizes = true, .depth = -1, .heads = 3 } },
        { .name = "as-stated-2", .is = V_PROVED, .by = E_DERIVED, .scope = { .sizes = true, .depth = -1, .heads = 1 } },
        { .name = "as-stated-3", .is = V_SUPPORTED, .by = E_EXACT, .scope = { .trials = 9 } },
        { .name = "corrected",   .role = ROLE_CORRECTED, .is = V_SUPPORTED, .by = E_VERIFIED, .log2 = -71.5 },
        { .name = "corrected-2", .role = ROLE_CORRECTED, .is = V_PROVED, .by = E_EXACT, .finite = true } } };
    record_group_scope(text, sizeof text, &b, &v, false);
    ck_assert_str_eq(text, "any size and depth, h = 1");
    record_group_evidence(text, sizeof text, &b, &v, true);
    ck_assert_str_eq(text, "verified 2^-71");
    v.as_stated = V_SUPPORTED;
    record_group_evidence(text, sizeof text, &b, &v, false);
    ck_assert_str_eq(text, "exact x9");
    v.corrected = V_PROVED;
    record_group_scope(text, sizeof text, &b, &v, true);
    ck_assert_str_eq(text, "all cases");
    record_group_scope(text, sizeof text, &(evidence_set){ .partial = true }, &v, true);
    ck_assert_str_eq(text, "");
}
END_TEST

/* A claim of a paper must quote the sentence that it judges. */
START_TEST(claims_of_papers_quote_them)
{
    static const char described[] = "id: K-1\ntitle: t\nwhere: w\n%spart: as-stated\nkind: identity\n";
    char *silent = must_format(described, ""),
         *quoting = must_format(described, "quote: 003 | Theorem 4.4 | all is well\n"),
         *only_standing = must_format(described, "standing: 003 | Section 3 | all is well\n");
    static const char must[] = "FAIL: K-1 quotes no sentence of a paper";
    all_three();
    describe(quoting);
    ck_assert_int_eq(run(options(), NULL), 0);
    describe(silent);
    prints(1, options(), PIECES(must));
    report_options partial = options();
    partial.partial = true;
    prints(1, partial, PIECES(must));
    describe(only_standing);
    prints(1, options(), PIECES(must));
    char *ours = must_strdup(index_text), *kind = strstr(ours, "theorem");
    memcpy(kind, "new", 3);
    memmove(kind + 3, kind + 7, strlen(kind + 7) + 1);
    write_text(list, ours);
    describe(silent);
    prints(0, options(), NULL);
    free(ours);
    free(silent);
    free(quoting);
    free(only_standing);
}
END_TEST

/* A part that the program declares and that no row decides fails the run; so do agreed verdicts that change. */
START_TEST(declared_parts_are_decided)
{
    all_three();
    describe("id: K-1\ntitle: t\nwhere: w\nquote: 003 | 1 | all is well\npart: as-stated\nkind: identity\n"
                     "part: as-stated-b\nkind: identity\n");
    prints(1, options(), PIECES("FAIL: K-1: the part as-stated-b is declared, and no row decides it"));
}
END_TEST

START_TEST(agreed_verdicts_hold)
{
    char *path = in(root, "verdicts.csv");
    report_options o = options();
    all_three();
    o.agree = path;
    ck_assert_int_eq(run(o, NULL), 0);
    o.agree = NULL;
    ck_assert_int_eq(run(o, NULL), 0);
    refuted("K-1");
    prints(1, o, PIECES("FAIL: K-1, as stated: REFUTED exact, but SUPPORTED"));
    o.agree = path;                                         /* to agree on it is no failure */
    ck_assert_int_eq(run(o, NULL), 0);
    o.agree = NULL;
    ck_assert_int_eq(run(o, NULL), 0);
    write_text(path, "id,as_stated,evidence,corrected,corrected_evidence,as_meant\nK-1,SUPPORTED,proved,,,\n");
    ck_assert_int_eq(run(o, NULL), 2);
    unlink(path);
    free(path);
}
END_TEST

static void write_findings(const char *lines_of_it)
{
    char *path = in(root, "findings.csv"), *text = must_format("about,sentence,rows\n%s", lines_of_it);
    write_text(path, text);
    free(text);
    free(path);
}

/* Sentences for people come first, with the verdicts that this run came to. */
START_TEST(findings_open_the_report)
{
    char *text;
    all_three();
    write_findings("theory,\"$W_Q$ can go, always\",K-1=SUPPORTED K-2=REFUTED\n"
                   "experiments,Nothing was run again,B-9=PENDING\n");
    prints(0, options(), NULL);
    text = product("report.html");
    const char *sentences = strstr(text, "<h2 id=\"findings\">"), *table = strstr(text, "<h2 id=\"answers\">");
    ck_assert(sentences && table && sentences < table);
    must_have(text, "<li><i>W<sub>Q</sub></i> can go, always <span class=\"row\"><a href=\"#K-1\">K-1</a> "
                    "<span class=\"v SUPPORTED\">SUPPORTED</span></span> <span class=\"row\"><a href=\"#K-2\">K-2</a> "
                    "<span class=\"v SUPPORTED\">SUPPORTED</span> (paper: refuted)</span></li>");
    must_have(text, "Nothing was run again <span class=\"row\"><a href=\"#B-9\">B-9</a> "
                    "<span class=\"v PENDING\">PENDING</span>");
    free(text);
    file_has("findings.tex", PIECES(
        "\\subsection*{The theory}",
        "\\item $W_Q$ can go, always \\mbox{\\provablylink{K-1}{K-{}1} \\provablyverdict{provablySUPPORTED}{SUPPORTED}}",
        "\\item Nothing was run again \\mbox{B-{}9 \\provablyverdict{provablyother}{PENDING}}"));
}
END_TEST

/* A sentence that was written for another verdict fails the run; in a partial one there are no sentences. */
START_TEST(findings_follow_their_rows)
{
    char *text;
    all_three();
    write_findings("theory,It holds,K-2=REFUTED K-1=PROVED\ntheory,So does this,K-7=PROVED\n");
    prints(1, options(), PIECES(
        "findings.csv:2: the sentence was written for K-1 PROVED, and SUPPORTED; read it again",
        "findings.csv:3: the sentence was written for K-7 PROVED, and there is no such claim",
        "!written for K-2"));
    report_options partial = options();
    partial.partial = true;
    ck_assert_int_eq(run(partial, NULL), 0);
    file_has("report.html", PIECES("!findings\">"));
    text = product("findings.tex");
    must_lack(text, "\\item");
    must_lack(text, "\\section");
    free(text);
}
END_TEST

START_TEST(bad_findings_are_refused)
{
    static const struct { const char *line, *why; } bad[] = {
        { "hearsay,It holds,K-1=PROVED\n", "findings.csv:2: a sentence is about practice, theory or experiments" },
        { "theory,,K-1=PROVED\n", "the sentence is missing" },
        { "theory,It holds,\n", "a sentence depends on rows" },
        { "theory,It holds,K-1\n", "a sentence depends on rows" },
        { "theory,It holds,K-1=TRUE\n", "there is no such verdict" },
        { "theory,It holds,K-1=PROVED K-2\n", "separated by spaces" },
        { "theory,It holds\n", "findings.csv:2: 2 columns, not the 3" },
        { "theory,It holds,K-1=PROVED,more\n", "findings.csv:2: more than the 3 columns" },
    };
    all_three();
    for (size_t k = 0; k < COUNT(bad); k++) {
        write_findings(bad[k].line);
        prints(2, options(), PIECES(bad[k].why));
    }
}
END_TEST

/* Beyond 2^12 softmax saturates and hides errors. */
START_TEST(large_logits_fail)
{
    all_three();
    FILE *f = start("K-1");
    proved_part(f, "K-1", "as-stated", -40);
    row large = row_of("K-1", "as-stated", "identity", "claim", "f64", HOLDS);
    large.log2gap = -40;
    large.log2bound = -35;
    large.log2logit = 18;
    put(f, large);
    evidence_done(f);
    prints(1, options(), PIECES("FAIL: K-1: logits reach 2^18"));
}
END_TEST

/* ---- recorded runs ----------------------------------------------------------------------------- */

static void record(const char *preset_name, recorded_runs of, void (*change)(results *all))
{
    results all = { NULL, 0 };
    add_recorded(&all, preset_name, of);
    if (change) change(&all);
    char *folder = in(root, "results"), *path = must_format("%s/%s.csv", folder, preset_name);
    mkdir(folder, 0777);
    results_write(&all, path);
    results_free(&all);
    free(folder);
    free(path);
}
static void set_cell(result *r, result_cell cell, const char *text)
{
    free(r->cell[cell]);
    r->cell[cell] = must_strdup(text);
}

/* `reduced` ran on another machine, at two commits, on a later day. */
static void elsewhere(results *all)
{
    for (long k = 0; k < all->n; k++) {
        if (!result_is(&all->at[k], R_ROW, "reduced")) continue;
        set_cell(&all->at[k], R_HARDWARE, "another machine");
        set_cell(&all->at[k], R_COMMIT, "beef and c0ffee");
        set_cell(&all->at[k], R_DATE, "2026-12-24");
    }
}

static const recorded_runs as_printed = { .seeds = 6, .spread = 1e-5, .row = -1 };

static void record_no_more(void)
{
    char *folder = in(root, "results");
    empty_folder(folder);
    free(folder);
}

static void pending_index(void)
{
    char *text = must_format("%sK-T2-100k,,K,Table 2,,,table,losses,MEASURED (scaled) or PENDING at full scale,,none,\n"
                             "B-T2,,B,Table 2,,,table,runs,MEASURED,,none,\n", index_text);
    write_text(list, text);
    free(text);
    all_three();
}

START_TEST(no_run_is_recorded)
{
    pending_index();
    prints(0, options(), PIECES("    3 PENDING "));
    file_has("report.html", PIECES(
        "No run is recorded yet", "To complete the table, <code>provably reproduce gpt-100k --data=DIR --seeds=3</code> runs what is missing: 15 runs"));
    char *tex = product("experiments.tex");
    file_has("pending.tex", PIECES("provably reproduce gpt-{}100k", "provably reproduce vit-{}mnist"));
    char *csv = product("experiments.csv");
    must_have(tex, "No run is recorded yet");
    ck_assert_int_eq(lines(csv), 1);
    free(tex);
    free(csv);
}
END_TEST

/* Scaled runs are shown and decide nothing, whatever the index expects of them. */
START_TEST(scaled_runs)
{
    pending_index();
    record("small-gpt", as_printed, NULL);
    prints(0, options(), PIECES("    3 PENDING "));
    file_has("summary.csv", PIECES("K-T2-100k,K,Table 2,,,losses,PENDING,"));
    file_has("report.html", PIECES(
        "a machine &amp; &lt;b&gt;", "3.01800 [3.01797, 3.01803]", "as printed: reduced is lower (p = ",
        "commit c0ffee",
        "Preset small-gpt, results/small-gpt.csv; scale: d = 384, 160M tokens; ", "; seeds 1337 to 1342; a machine",
        "To complete the table, <code>provably reproduce gpt-100k --data=DIR --seeds=3</code>"));
    char *tex = product("experiments.tex");
    file_has("pending.tex", PIECES("K-{}T2"));
    must_have(tex, "a machine \\& \\textless{}b");
    free(tex);
    record("small-gpt", (recorded_runs){ .seeds = 6, .spread = 1e-5, .row = 2, .shift = 0.5 }, NULL);
    prints(0, options(), PIECES("    3 PENDING "));
    file_has("report.html", PIECES("the opposite order: reduced is higher"));
    record("small-gpt", as_printed, elsewhere);
    prints(0, options(), PIECES("    3 PENDING "));
    file_has("report.html", PIECES(" and another machine; ", " to 2026-12-24, commit c0ffee and beef."));
    record("small-gpt", (recorded_runs){ .seeds = 6, .spread = 1e-5, .row = -1, .only = "reduced" }, NULL);
    prints(0, options(), PIECES("    3 PENDING "));                        /* the first row has not run     */
    file_has("report.html", PIECES("; seeds 1337 to 1342; a machine"));
    record("small-gpt", (recorded_runs){ .seeds = 6, .row = -1, .only = "no row" }, NULL);
    prints(0, options(), PIECES("    3 PENDING "));
    file_has("report.html", PIECES("; no run is recorded yet. A tenth of the papers' size"));
    record_no_more();
}
END_TEST

/* A gap of 2 t + t^2 where the slope is said to be `slope`, or rounding. */
static gap_curve made_curve(const char *setting, long step, bool allowed, double slope)
{
    gap_curve c = { .step = step, .allowed = allowed, .slope = slope, .zero = 1e-9, .control = 1 };
    snprintf(c.setting, sizeof c.setting, "%s", setting);
    for (int k = 0; k < GAP_POINTS; k++) {
        const double t = ldexp(1, -k), gap = allowed ? 1e-14 : 2 * t + t * t;
        c.at[k] = (gap_point){ gap, gap, gap, 1e-13, 1e-13, 30, 0 };
    }
    return c;
}

static reduction_finding made_reduction(const char *setting, bool applies, double gap, const char *why)
{
    reduction_finding f = { .step = 9, .what = "an identity <block>", .claims = "K-1", .word = "values", .applies = applies,
                            .parameters = 12, .of = 48, .bits = 3, .gap = gap, .rounding = 1e-6, .largest = 1,
                            .tokens = 8, .same_first = 7 };
    snprintf(f.setting, sizeof f.setting, "%s", setting);
    snprintf(f.why, sizeof f.why, "%s", why);
    return f;
}

/* What was written stands with its gap, what was not with one row for each reason. */
START_TEST(reductions_of_trained_weights)
{
    reduction_finding is[] = { made_reduction("alpha", true, 1e-7, "so"), made_reduction("beta", false, 0.5, "no skips"),
                               made_reduction("gamma", false, NAN, "one head"), made_reduction("delta", false, NAN, "one head"),
                               made_reduction("eps", true, 1e-3, "so") };
    const reduction_findings all = { is, COUNT(is) };
    char *folder = in(root, "results"), *path = must_format("%s/trained-theorems-reductions.csv", folder);
    pending_index();
    mkdir(folder, 0777);
    trained_reductions_write(&all, NULL, 0, path);
    prints(0, options(), PIECES("    3 PENDING "));
    char *page = product("report.html"), *csv = product("reductions.csv");
    must_have(page, "What goes from trained weights, and what cannot");
    must_have(page, "an identity &lt;block&gt;");
    must_have(page, "25.0 %");
    must_have(page, "7 of 8");
    must_have(page, "forced: an identity");
    must_have(page, "refuted, as expected");
    must_have(page, "a logit differs by more than rounding explains");
    must_have(page, "gamma, delta");
    must_have(csv, "alpha,9,");
    free(page);
    free(csv);
    remove(path);
    free(folder);
    free(path);
}
END_TEST

START_TEST(trained_weights)
{
    gap_curve is[] = { made_curve("one skip", 9, true, 1e-10), made_curve("with <norm>", 9, false, 2),
                       made_curve("other slope", 9, false, 3), made_curve("early", 4, false, 2) };
    const gap_curves all = { is, COUNT(is) };
    char *folder = in(root, "results"), *path = must_format("%s/trained-theorems-gaps.csv", folder);
    pending_index();
    mkdir(folder, 0777);
    trained_gap_write(&all, NULL, 0, path);
    prints(0, options(), PIECES("    3 PENDING "));
    char *page = product("report.html"), *tex = product("experiments.tex");
    must_have(page, "Trained weights on the way to the theorems");
    must_have(page, "with &lt;norm&gt;");
    must_have(page, "the slope is not the predicted one");
    must_have(page, "refuted, as expected");
    must_have(page, "with &lt;norm&gt;: predicted slope");
    ck_assert_ptr_null(strstr(page, "one skip: predicted slope"));
    must_have(tex, "\\provablyplot{trained-gap}");
    must_have(tex, "\\provablyplot{trained-gap-steps}");
    must_have(tex, "one skip");
    const char *second = strstr(page, "early: predicted slope<");            /* in the second chart alone */
    ck_assert(second && !strstr(second + 1, "early: predicted slope<"));
    second = strstr(tex, "early");                                         /* in the second table alone */
    ck_assert(second && !strstr(second + 1, "early"));
    free(page);
    free(tex);
    record_no_more();
    prints(0, options(), PIECES("    3 PENDING "));
    tex = product("experiments.tex");
    ck_assert_ptr_null(strstr(tex, "trained-gap"));
    free(tex);
    free(folder);
    free(path);
}
END_TEST

static void keep_words_only(results *all)
{
    for (long k = 0; k < all->n; k++) {
        free(all->at[k].cell[R_VALUES]);
        all->at[k].cell[R_VALUES] = must_strdup("");
    }
}

/* At full scale the values decide, one way or the other; the words alone are refused. */
START_TEST(full_runs)
{
    pending_index();
    record("gpt-100k", as_printed, NULL);
    prints(0, options(), PIECES("    2 PENDING "));
    file_has("summary.csv", PIECES("K-T2-100k,K,Table 2,,,losses,MEASURED,"));
    file_has("report.html", PIECES("Preset gpt-100k, results/gpt-100k.csv; scale: full; "));
    record("gpt-100k", (recorded_runs){ .seeds = 6, .spread = 1e-5, .row = 0, .shift = 0.01 }, NULL);
    prints(0, options(), PIECES("    2 PENDING "));                        /* measured, and said to differ */
    file_has("report.html", PIECES("differs", "Of 5 printed figures 4 are consistent and 1 is inconsistent"));
    record("gpt-100k", as_printed, keep_words_only);
    prints(2, options(), PIECES(
        "results/gpt-100k.csv:2: values `` are not 6 numbers, one per seed that the first lines of the part name; "
        "run the preset again, or remove the file"));
    record_no_more();
}
END_TEST

/* The column `expected` of the index is read by people alone: every verdict is the same whatever it holds. */
START_TEST(expectations_decide_nothing)
{
    static const char *const words[] = { "PROVED", "REFUTED", "MEASURED (scaled) or PENDING at full scale", "" };
    char *first = NULL;
    for (size_t k = 0; k < COUNT(words); k++) {
        char *text = must_format("id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls\n"
                                 "K-1,,K,,Thm 4.4,,theorem,t,%s,k_1,sym,broken-factor\n"
                                 "K-T2-100k,,K,Table 2,,,table,losses,%s,,none,\n", words[k], words[k]), *summary;
        write_text(list, text);
        free(text);
        have_read((body_of[]){ { "K-1", "as-stated", "k_1" } }, 1);
        proved("K-1", -40);
        record("small-gpt", as_printed, NULL);
        record("gpt-100k", as_printed, NULL);
        ck_assert_int_eq(run(options(), NULL), 0);
        summary = product("summary.csv");
        if (first) ck_assert_str_eq(summary, first);
        else first = must_strdup(summary);
        free(summary);
    }
    free(first);
    record_no_more();
}
END_TEST

int main(int argc, char **argv)
{
    base_init(argc, argv);
    libraries_init();
    setenv("PATH", "/nonexistent", 1);
    Suite *suite = suite_create("report");
    TCase *all = tcase_create("report");
    const TTest *const tests[] = {
        table_reads_at_a_glance, cells_are_broken_at_blanks, colours_only_where_wanted, a_difference_is_no_gap, the_longest_verdict_fits,
        failure_prints_reason_and_replay, an_unrefuted_control_fails,
        index_and_programs_must_agree, partial_gives_no_verdict, quiet_prints_reasons_only,
        summary_has_one_row_per_claim, numbers_come_from_rows, two_builds, the_build_is_shown,
        recounts_have_a_basis_and_no_model,
        coverage_counts_rows_and_gives_reasons,
        ladders_have_their_slope, measured_beside_predicted, figures_follow_their_rows,
        variants_caught_the_other_way_have_no_margin, no_figure_is_a_dash,
        latex_is_escaped, html_is_escaped, latex_becomes_html, latex_becomes_mathml, titles_and_terminals,
        descriptions_reach_the_pages, quotations_open_the_entry, a_page_names_no_folder_of_this_machine,
        claims_of_papers_quote_them,
        a_claim_may_not_use_unknown_claims,
        numbers_and_graph_reach_the_pages, the_page_is_self_contained, bad_evidence_is_refused,
        rows_that_were_taken_away_are_missed, files_beside_the_rows_are_of_their_run, what_was_accepted_has_its_last_line, what_the_rows_name_is_beside_them, rows_of_another_claim_are_refused, files_have_the_name_of_the_program, trials_are_counted_once,
        folders_that_cannot_be_used, a_program_that_wrote_nothing_fails, plots_as_pdf,
        nothing_half_written_stays, the_weakest_part_speaks, declared_parts_are_decided,
        agreed_verdicts_hold, findings_open_the_report, findings_follow_their_rows,
        bad_findings_are_refused, large_logits_fail,
        no_run_is_recorded, scaled_runs, trained_weights, reductions_of_trained_weights, full_runs, expectations_decide_nothing };
    tcase_add_checked_fixture(all, setup, teardown);
    for (size_t k = 0; k < COUNT(tests); k++) tcase_add_test(all, tests[k]);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
