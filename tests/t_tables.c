/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_tables.c - the chapters of the papers' tables: every printed row stands there, beside what is recorded and nothing
 * else; counts, prices, sentences and figures follow from the records.
 *
 * Each test makes small records in a folder of its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/experiments/paper_tables.h"
#include "src/methods/counts/printed.h"
#include "src/report/collect/curves.h"
#include "src/report/document/chart.h"
#include "src/report/report.h"
#include "src/report/sections/sections.h"
#include "src/train/train_basis.h"
#include "tests/support/files.h"
#include "tests/support/recorded.h"
#include "tests/support/suite.h"

static char *root;                       /* of one test */

static void setup(void)
{
    root = temp_folder();
    static const char *const folders[] = { "evidence", "results", "results/curves", "out", "again" };
    for (size_t k = 0; k < COUNT(folders); k++) make_folder(temp_path(root, folders[k]));
    temp_text(root, "claims.csv", "id,alias,paper,n001,n003,n000,kind,title,expected,program,certificate,controls\n"
               "K-T2-100k,,K,,Table 2,,table,losses,,,none,\nK-T2-60k,,K,,,Table 2,table,losses,,,none,\n"
               "K-T2-001,,K,Table 2,,,table,losses,,,none,\nB-T1,,B,,Table 1,,table,runs,,,none,\n"
               "B-T2,,B,,Table 2,,table,runs,,,none,\nB-T3,,B,,Table 3,,table,runs,,,none,\n");
}

static const recorded_runs as_printed = { .seeds = 3, .spread = 1e-5, .row = -1 };

static results of(const char *name, recorded_runs runs)
{
    results all = { NULL, 0 };
    add_recorded(&all, name, runs);
    return all;
}

static const paper_table *table(const char *claim)
{
    const paper_table *t = paper_table_of(claim);
    ck_assert_ptr_nonnull(t);
    return t;
}

static void must_hold(const char *text, const char *says)
{
    ck_assert_msg(strstr(text, says), "`%s` is missing in: %.3000s", says, text);
}

static void must_lack(const char *text, const char *says)
{
    ck_assert_msg(!strstr(text, says), "`%s` is in: %.3000s", says, text);
}

static void words_hold(const results *all, const char *claim, const char *says)
{
    char *words = paper_table_words(all, table(claim));
    must_hold(words, says);
    free(words);
}

/* ---- rows ------------------------------------------------------------------------------------------------- */

static const printed_row *row_named(const printed_row *list, long n, const char *name)
{
    for (long k = 0; k < n; k++) if (strcmp(list[k].name, name) == 0) return &list[k];
    ck_abort_msg("no row is called %s", name);
    return NULL;
}

static void must_print(const printed_row *r, long m, const char *figure)
{
    const char *is = experiment_paper(r->e, experiment_row(r->e, r->row), m);
    ck_assert_msg(is && strcmp(is, figure) == 0, "%s, %s: %s, not %s", r->name, r->e->shown[m].shown, is, figure);
}

/* Each row of runs.c, with its own figures, in the table that runs.c names. */
START_TEST(every_printed_row_has_its_place)
{
    long all = 0;
    for (long k = 0; k < paper_tables_count; k++) {
        const paper_table *t = &paper_tables[k];
        printed_row *list;
        const long n = paper_table_rows(t, &list);
        long printed = 0;
        for (size_t i = 0; t->table && i < printed_runs_count; i++) {
            if (strcmp(printed_runs[i].table, t->table) != 0) continue;
            const printed_row *r = row_named(list, n, printed_runs[i].name);
            must_print(r, 0, printed_runs[i].val_acc);
            must_print(r, 1, printed_runs[i].val_loss);
            must_print(r, 2, printed_runs[i].train_acc);
            must_print(r, 3, printed_runs[i].train_loss);
            printed++;
        }
        for (size_t i = 0; t->table && i < printed_gpt_runs_count; i++) {
            if (strcmp(printed_gpt_runs[i].table, t->table) != 0) continue;
            must_print(&list[printed++], 0, printed_gpt_runs[i].loss);
        }
        if (t->table) ck_assert_int_eq(n, printed);
        all += printed;
        free(list);
    }
    ck_assert_int_eq(all, (long)(printed_runs_count + printed_gpt_runs_count));
    printed_row *list;
    ck_assert_int_eq(paper_table_rows(table("K-T2-001"), &list), 4);
    must_print(row_named(list, 4, "untied-reduced"), 0, "2.86");
    free(list);
    ck_assert_int_eq(paper_table_rows(table("K-AppD"), &list), 6);
    must_print(row_named(list, 6, "768-less-x"), 1, "9 to 10");
    free(list);
    ck_assert_ptr_null(paper_table_of("K-T4.4"));
}
END_TEST

/* ---- counts ----------------------------------------------------------------------------------------------- */

START_TEST(counts_of_a_table)
{
    results none = { NULL, 0 }, all = of("vit-mnist", as_printed);
    table_count c = paper_table_count(&none, table("B-T2"));
    ck_assert(c.rows == 10 && c.full == 0 && c.stated == 0 && c.settings == 40 && c.of[NOT_RUN] == 40);
    words_hold(&none, "B-T2", "None of the 10 printed rows has been run at the papers' own size and length.  Not stated in 002: the "
                              "optimiser, rate, batch");
    /* What of the model is ours, and what two models that are compared differ in. */
    words_hold(&none, "B-T2", "its equations have no skips, no norms and no factor at the scores, and a token sees the earlier ones alone.  Chosen here");
    words_hold(&none, "B-T3", "Glorot's weights (those that Keras draws for queries, keys and values are smaller), skips, ");
    words_hold(&none, "B-T2", "the symmetric models of one head differ from the unchanged ones in that and in their biases, too.");
    c = paper_table_count(&all, table("B-T2"));
    ck_assert(c.rows == 10 && c.full == 10 && c.stated == 10 && c.of[CONSISTENT] == 40);
    words_hold(&all, "B-T2", "All 10 printed rows have been run at the papers' own size and length.  All 40 printed figures "
                             "are consistent.  Of 10 planned comparisons of that size ");
    results one = of("basis-batch", as_printed);
    words_hold(&one, "K-AppD", "steps of 4096: the one question that we added is answered yes");
    results_free(&one);
    c = paper_table_count(&all, table("B-T1"));                            /* CIFAR-10 is missing           */
    ck_assert(c.rows == 16 && c.full == 8 && c.of[CONSISTENT] == 32 && c.of[NOT_RUN] == 32);
    words_hold(&all, "B-T1", "8 of the 16 printed rows have been run");
    words_hold(&all, "B-T1", "Of 2 planned comparisons of that size 1 is ");
    add_recorded(&all, "vit-cifar10", as_printed);
    words_hold(&all, "B-T1", "Both planned comparisons of that size are ");
    results_free(&all);
    all = of("vit-mnist", as_printed);
    results_free(&all);
    all = of("vit-mnist", (recorded_runs){ .seeds = 3, .spread = 1e-5, .row = 4, .shift = 5 });
    c = paper_table_count(&all, table("B-T2"));
    ck_assert(c.of[CONSISTENT] == 36 && c.of[INCONSISTENT] == 4);
    ck_assert_int_eq(results_standing(&all, "B-T2"), RECORDED_STATED);     /* measured, and not as printed  */
    results_free(&all);
    all = of("vit-mnist", (recorded_runs){ .seeds = 1, .row = -1 });
    c = paper_table_count(&all, table("B-T2"));
    ck_assert(c.full == 10 && c.of[NOT_JUDGED] == 40);
    ck_assert_int_eq(results_standing(&all, "B-T2"), RECORDED_SOME);       /* no row has an interval        */
    words_hold(&all, "B-T2", "own size and length; 10 of these rows have one run without an interval, or fewer seeds than planned.  "
                             "None of the 40 printed figures is judged (judging takes 3 seeds or more, of the printed length)");
    ck_assert_int_eq(results_standing(&all, "B-T1"), RECORDED_SOME);
    results_free(&all);
}
END_TEST

/* Runs of the printed model for fewer epochs are shown with their length, and judged against nothing. */
START_TEST(stated_lengths)
{
    results all = of("small-vit", as_printed);
    const table_count c = paper_table_count(&all, table("B-T2"));
    ck_assert(c.full == 0 && c.stated == 5 && c.of[NOT_JUDGED] == 20 && c.of[NOT_RUN] == 20);
    words_hold(&all, "B-T2", "length, 5 at a stated length (20 epochs).  ");
    ck_assert_int_eq(results_standing(&all, "B-T2"), RECORDED_SOME);
    results_free(&all);
    all = of("small-gpt", as_printed);                                     /* of other models               */
    ck_assert_int_eq(paper_table_count(&all, table("K-T2-100k")).stated, 0);
    ck_assert_int_eq(paper_table_count(&all, table("K-T2-100k")).of[NOT_JUDGED], 5);
    ck_assert_int_eq(results_standing(&all, "K-T2-100k"), RECORDED_SOME);
    results_free(&all);
}
END_TEST

static void set_command(results *all, const char *from, const char *to)
{
    for (long k = 0; k < all->n; k++) {
        const char *command = all->at[k].cell[R_COMMAND], *at = strstr(command, from);
        if (at) set_recorded(all, k, R_COMMAND, temp_format("%.*s%s%s", (int)(at - command), command, to, at + strlen(from)));
    }
}

/* A record in which some rows have not run: with the others at fewer epochs all rows of the table have a run. */
START_TEST(partial_records)
{
    results all = of("vit-mnist", (recorded_runs){ .seeds = 3, .spread = 1e-5, .row = -1, .only = "_no_" });
    table_count c = paper_table_count(&all, table("B-T2"));
    ck_assert(c.full == 6 && c.stated == 6 && c.of[CONSISTENT] == 24 && c.of[NOT_RUN] == 16);
    ck_assert_int_eq(results_standing(&all, "B-T2"), RECORDED_SOME);
    char *missing = paper_table_price_words(&all, table("B-T2"), NULL), *words;
    must_hold(missing, "--rows=mnist_6_1_mlp_full,mnist_6_4_mlp_full,mnist_6_1_mlp_wqk,mnist_6_1_mlp_min --seeds=3` runs "
                       "what is missing: 12 runs");
    must_lack(missing, "dollars");
    free(missing);
    add_recorded(&all, "vit-mnist-50", (recorded_runs){ .seeds = 1, .row = -1, .images = 10000 });
    c = paper_table_count(&all, table("B-T2"));
    ck_assert(c.full == 6 && c.stated == 10 && c.of[CONSISTENT] == 24 && c.of[NOT_JUDGED] == 16 && c.of[NOT_RUN] == 0);
    ck_assert_int_eq(results_standing(&all, "B-T2"), RECORDED_STATED);
    words_hold(&all, "B-T2", "6 of the 10 printed rows have been run at the papers' own size and length, 4 more at a stated "
                             "length (50 epochs)");
    words_hold(&all, "B-T2", "Of 40 printed figures 24 are consistent and 16 are not judged (judging takes 3 seeds or more, of");
    results one = of("vit-mnist", (recorded_runs){ .seeds = 3, .spread = 1e-5, .row = -1, .only = "_6_1_no_min" });
    words_hold(&one, "B-T2", "1 of the 10 printed rows has been run at the papers' own size and length.  Of 40 ");
    results_free(&one);
    set_command(&all, "--row=mnist_6_1_mlp_min", "--row=mnist_6_1_mlp_full");          /* not the row's own run */
    ck_assert_int_eq(results_standing(&all, "B-T2"), RECORDED_SOME);
    results_free(&all);
    all = of("vit-mnist-5", (recorded_runs){ .seeds = 3, .row = -1, .images = 10000 });
    words_hold(&all, "B-T2", "None of the 10 printed rows has been run at the papers' own size and length, 10 at a stated "
                             "length (5 epochs).  Not stated in 002: the ");
    add_recorded(&all, "small-vit", (recorded_runs){ .seeds = 4, .row = -1, .images = 10000 });
    words_hold(&all, "B-T2", "(5 rows: 20 epochs; 5 rows: 5 epochs)");
    results_free(&all);
    all = of("vit-mnist", (recorded_runs){ .seeds = 3, .spread = 1e-5, .row = -1, .only = "_no_" });
    add_recorded(&all, "vit-mnist-50", (recorded_runs){ .seeds = 1, .row = -1 });      /* one run, no interval */
    ck_assert_int_eq(results_standing(&all, "B-T2"), RECORDED_SOME);
    results_free(&all);
    all = of("vit-mnist", (recorded_runs){ .seeds = 2, .row = -1, .images = 10000 });  /* 2 of 3: partial    */
    ck_assert_int_eq(results_standing(&all, "B-T2"), RECORDED_SOME);
    results_free(&all);
    all = of("vit-mnist", (recorded_runs){ .seeds = 3, .spread = 1e-5, .row = -1, .more = "--epochs=5" });
    c = paper_table_count(&all, table("B-T2"));                            /* of other options: no record   */
    ck_assert(c.full == 0 && c.stated == 0 && c.of[NOT_RUN] == 40);
    words = results_claim_words(&all, "B-T2");
    must_lack(words, "At full scale");
    free(words);
    ck_assert_int_eq(results_standing(&all, "B-T2"), RECORDED_SOME);
    results_free(&all);
    all = of("vit-cifar10", (recorded_runs){ .seeds = 1, .row = -1, .images = 1000 });
    printed_row *list;
    record *r;
    const long n = paper_table_rows(table("B-T3"), &list);
    ck_assert_int_eq(printed_row_records(&all, row_named(list, n, "cifar_6_1_no_min"), 0, &r), 1);
    char *size = record_size(&r[0]);
    ck_assert_str_eq(size, "500 epochs, as printed, 1000 test images");
    free(size);
    free(r);
    for (long m = 1; m <= 2; m++) {                        /* a loss, too; but nothing of the training set */
        ck_assert_int_eq(printed_row_records(&all, row_named(list, n, "cifar_6_1_no_min"), m, &r), 1);
        size = record_size(&r[0]);
        ck_assert_str_eq(size, m == 1 ? "500 epochs, as printed, 1000 test images" : "500 epochs, as printed");
        free(size);
        free(r);
    }
    free(list);
    results_free(&all);
}
END_TEST

START_TEST(made_up_pictures_are_no_record)
{
    results all = of("small-vit", as_printed);
    set_command(&all, "--data=mnist:DATA/mnist", "--data=digits");
    const table_count c = paper_table_count(&all, table("B-T2"));
    ck_assert(c.stated == 0 && c.of[NOT_RUN] == 40);
    char *words = results_claim_words(&all, "B-T2");
    must_lack(words, "98.38");
    free(words);
    results_free(&all);
}
END_TEST

/* The largest first: as printed, then by training data; rates that were tried for a row count as the row. */
START_TEST(records_of_a_row)
{
    results all = of("small-vit", as_printed);
    add_recorded(&all, "vit-mnist", as_printed);
    printed_row *list;
    record *r;
    long n = paper_table_rows(table("B-T2"), &list);
    ck_assert_int_eq(printed_row_records(&all, row_named(list, n, "mnist_6_1_no_sym"), 1, &r), 2);
    ck_assert_str_eq(r[0].p->name, "vit-mnist");
    ck_assert_str_eq(r[1].p->name, "small-vit");
    ck_assert_str_eq(r[0].line->cell[R_METRIC], "validation loss");
    char *full = record_size(&r[0]), *small = record_size(&r[1]);
    ck_assert_str_eq(full, "500 epochs, as printed");
    ck_assert_str_eq(small, "20 epochs");
    free(full);
    free(small);
    free(r);
    free(list);
    results_free(&all);
    all = of("gpt-60k", as_printed);
    n = paper_table_rows(table("K-T2-60k"), &list);
    ck_assert_int_eq(printed_row_records(&all, row_named(list, n, "reduced"), 0, &r), 3);
    free(r);
    ck_assert_int_eq(printed_row_records(&all, row_named(list, n, "reduced-larger-mlp"), 0, &r), 3);
    free(r);
    free(list);
    results_free(&all);
    all = of("mnist", as_printed);                                         /* a model by its name, in a preset of its own */
    n = paper_table_rows(table("B-T2"), &list);
    ck_assert_int_eq(printed_row_records(&all, row_named(list, n, "mnist_6_1_mlp_full"), 0, &r), 1);
    free(r);
    free(list);
    results_free(&all);
    all = of("vit-mnist", as_printed);                                     /* what another table prints stands there */
    ck_assert_int_eq(paper_table_others(&all, table("B-T1"), &r), 0);
    ck_assert_int_eq(paper_table_others(&all, table("B-T2"), &r), 0);
    free(r);
    results_free(&all);
    all = of("small-basis", as_printed);                                   /* widths that are not printed   */
    ck_assert_int_eq(paper_table_others(&all, table("K-AppD"), &r), 4);
    full = record_size(&r[0]);
    must_hold(full, " of 1024");
    free(full);
    free(r);
    results_free(&all);
}
END_TEST

/* B-39, B-40 and B-43 are asked by the presets of 002; a gap is the difference of two printed columns. */
START_TEST(questions_of_claims)
{
    question *q;
    record *r;
    long n = questions_about("B-40", &q), gaps = 0;
    for (long k = 0; k < n; k++) {
        char *printed = question_printed(&q[k]);
        gaps += strcmp(printed, "Printed in 002 Tables 1, 2: 0.0746 for mnist_6_1_no_full and 0.0680 for mnist_6_1_mlp_full "
                                "(validation loss - training loss)") == 0;
        free(printed);
    }
    ck_assert_int_eq(gaps, 1);
    free(q);
    n = questions_about("B-39", &q);
    ck_assert_int_eq(n, 8);
    results all = of("vit-mnist", as_printed);
    ck_assert_str_eq(q[0].plan->first, "mnist_6_1_no_sym");
    ck_assert_int_eq(question_records(&all, &q[0], &r), 1);
    ck_assert(standing_of_outcome(r[0].is) == UNRESOLVED);                 /* a loss without its test set's error */
    free(r);
    free(q);
    n = paper_table_questions(table("B-T1"), &q);                          /* of its own rows alone         */
    for (long k = 0; k < n; k++) ck_assert_ptr_null(strstr(q[k].plan->first, "_sym"));
    free(q);
    results_free(&all);
    n = questions_about("K-AppD", &q);                                     /* the papers did not ask these  */
    ck_assert_int_eq(n, 5);
    char *printed = question_printed(&q[0]);
    ck_assert_str_eq(printed, "");
    free(printed);
    free(q);
    all = of("gpt-d128", as_printed);
    ck_assert_int_gt(paper_table_others(&all, table("K-T2-100k"), &r), 0);  /* the arm that the papers lack  */
    ck_assert_str_eq(r[0].line->cell[R_ROW], "baseline-0.03125");
    free(r);
    n = questions_about("K-T2-001", &q);
    for (long k = 0; k < n; k++) {                                         /* the baseline is the tied model */
        ck_assert_str_ne(q[k].plan->second, "baseline-0.03125");
        if (strcmp(q[k].plan->first, "untied") != 0) continue;
        ck_assert_str_eq(q[k].plan->second, "tied");
        ck_assert_int_eq(question_records(&all, &q[k], &r), 1);
        ck_assert_str_eq(r[0].line->cell[R_ROW], "untied - baseline");
        free(r);
        gaps++;
    }
    ck_assert_int_eq(gaps, 2);                                             /* asked once, not twice         */
    free(q);
    results_free(&all);
}
END_TEST

/* ---- prices ----------------------------------------------------------------------------------------------- */

static run_cost petaflop(int argc, char **argv)
{
    (void)argc; (void)argv;
    return (run_cost){ .parameters = 1, .flops = 1e15, .units = 1, .unit = "tokens", .steps = 1 };
}
static const run_kind kinds[] = { { "train", petaflop }, { "basis-transfer", petaflop }, { "train-vision", petaflop },
                                  { NULL, NULL } };

/* The rows of a table that a preset has. */
static long rows_of(const char *name, const paper_table *t)
{
    printed_row *list;
    const long n = paper_table_rows(t, &list);
    long its = 0;
    for (long k = 0; k < n; k++) its += strcmp(list[k].p->name, name) == 0;
    free(list);
    return its;
}

/* TFLOP/s of the lines of bench_gpu_GPU.csv with these words: their mean.  flops: of a unit; 0: the file's own. */
static double teraflops(const char *gpu, const char *words, double flops)
{
    FILE *f = fopen(temp_format("reports/results/bench_gpu_%s.csv", gpu), "r");
    ck_assert_ptr_nonnull(f);
    char *line = NULL;
    size_t room = 0;
    double sum = 0;
    long n = 0;
    while (getline(&line, &room, f) > 0) {
        if (!strstr(line, words) || strstr(line, "PyTorch")) continue;
        char *cell[16], *end = line + strlen(line);               /* the last cells, which hold no comma */
        for (int k = 0; k < 6; k++) {
            while (*--end != ',') ck_assert(end > line);
            cell[k] = end + 1;
            *end = '\0';
        }
        sum += flops != 0 ? strtod(cell[1], NULL) * flops / 1e12 : strtod(cell[3], NULL);
        n++;
    }
    free(line);
    fclose(f);
    ck_assert_msg(n > 0, "no line with %s", words);
    return sum / (double)n;
}

/* EXPERIMENTS.md: what the products of a step reach on the H100, of the run with the faster step. */
START_TEST(products_of_the_h100)
{
    static const char of[] = "96ec2286b843,\"NVIDIA H100 80GB HBM3, sm_90, driver 13.0, runtime 13.0\",%s";
    static const char *const products[] = { "gemm y = x W'", "gemm dx = dy W", "gemm dW += dy' x", "gemm logits" };
    const double most = teraflops("h100", temp_format(of, "ceiling,product of 8192 x 8192"), 0);
    double low = 1, high = 0;
    for (size_t k = 0; k < COUNT(products); k++) {
        const double share = teraflops("h100", temp_format(of, temp_format("operation,%s", products[k])), 0) / most;
        low = fmin(low, share);
        high = fmax(high, share);
    }
    const double residual = teraflops("h100", temp_format(of, "operation,gemm x + g W'"), 0) / most;
    must_hold(temp_read(".", "EXPERIMENTS.md", NULL),
              temp_format("%.0f to %.0f %% of the largest product's rate; %.0f %% where the residual stream is added", 100 * low,
                          100 * high, 100 * residual));
}
END_TEST

/* ---- what reports/findings.csv says of records ----------------------------------------------------------------- */

static const result *line_of(const results *all, const char *part, const char *name, const char *figure)
{
    for (long k = 0; k < all->n; k++)
        if (result_is(&all->at[k], R_PART, part) && result_is(&all->at[k], R_ROW, name)
            && result_is(&all->at[k], R_METRIC, figure)) return &all->at[k];
    ck_abort_msg("no line of %s, %s, %s", part, name, figure);
}

static double number_in(const result *r, result_cell cell)
{
    ck_assert_msg(*r->cell[cell], "%s has no figure", r->cell[R_ROW]);
    return strtod(r->cell[cell], NULL);
}

static double printed_gap(const results *all, const char *model)
{
    return number_in(line_of(all, "vit", model, "validation loss"), R_PAPER) - number_in(line_of(all, "vit", model, "training loss"), R_PAPER);
}

START_TEST(findings_follow_from_the_records)
{
    results all = { NULL, 0 };
    char *says = temp_read("reports", "findings.csv", NULL);
    must_hold(says, "At $d = 128$ and $d = 192$ (2,000 steps, six seeds) they end with a higher loss than the baseline, and than "
                    "baselines with as many parameters as they have, both with settings chosen for each model, the best of a grid "
                    "in runs of 500 steps with one seed, and with the decay and attention factor of the middle version; the "
                    "interval of one of sixteen differences reaches 0.");
    static const char *const of_width[] = { "gpt-d128", "gpt-d192" };
    static const char *const parts[] = { "tuned", "as-003" };
    static const char *const pairs[] = { "reduced - baseline", "reduced-larger-mlp - baseline", "reduced - smaller-d",
                                         "reduced - smaller-mlp" };
    long reach_0 = 0;
    for (int k = 0; k < 16; k++) {
        if (k % 8 == 0) results_read(&all, temp_format("reports/results/%s.csv", of_width[k / 8]));
        const result *r = line_of(&all, parts[k / 4 % 2], pairs[k % 4], "difference of validation loss");
        ck_assert_int_eq(r->seeds, 6);
        ck_assert_double_gt(number_in(r, R_MEAN), 0);
        ck_assert_str_eq(r->cell[R_STEPS], "2000");
        reach_0 += number_in(r, R_LOW) <= 0;
        if (k % 8 == 7) results_free(&all);
    }
    ck_assert_int_eq(reach_0, 1);
    must_hold(says, temp_format("Between independent runs a gap of 0.008 means something only if their standard deviation is at most %.2g, a gap of 0.015 "
                                "only if it is at most %.2g.", 0.008 / (1.96 * sqrt(2)), 0.015 / (1.96 * sqrt(2))));
    must_hold(says, "At width 256 with three seeds, and in single runs at 512 and 768, with rates chosen here and no weight decay, it ends no "
                    "better than a closed form of the same width that needs no training.");
    results_read(&all, "reports/results/basis-transfer.csv");
    printed_row *list;
    const long n = paper_table_rows(table("K-AppD"), &list);
    for (long k = 0; k < n; k++) {
        const metric *const shown = list[k].e->shown;
        const result *trained = line_of(&all, list[k].e->name, list[k].name, shown[0].shown);
        ck_assert_int_eq(trained->seeds, strncmp(list[k].name, "256", 3) == 0 ? 3 : 1);
        ck_assert_double_gt(number_in(trained, R_MEAN),
                            number_in(line_of(&all, list[k].e->name, list[k].name, shown[2].shown), R_MEAN));
    }
    free(list);
    results_free(&all);
    must_hold(says, "the four kinds of attention in six encoders of one head without MLP are right about as often as printed, in "
                    "three seeds, and with one matrix for $W_Q W_K^\\top$ as often as with two, within half a point.  On the first "
                    "1,000 test pictures of CIFAR-10 three of them are right 6 to 10 points less often than printed, and the "
                    "smallest 6 points more often.");
    results_read(&all, "reports/results/vit-mnist.csv");
    results_read(&all, "reports/results/vit-cifar10.csv");
    static const char *const models[] = { "mnist_6_1_no_full", "mnist_6_1_no_wqk", "mnist_6_1_no_sym", "mnist_6_1_no_min",
                                          "cifar_6_1_no_full", "cifar_6_1_no_wqk", "cifar_6_1_no_sym", "cifar_6_1_no_min" };
    for (int k = 0; k < 8; k++) {
        const result *fit = line_of(&all, "vit", models[k], "training loss");
        ck_assert_int_eq(fit->seeds, 3);
        ck_assert_double_lt(number_in(fit, R_HIGH), 0.75 * number_in(fit, R_PAPER));
        const result *right = line_of(&all, "vit", models[k], "validation accuracy, %");
        const double above = number_in(right, R_MEAN) - number_in(right, R_PAPER);
        ck_assert_str_eq(right->cell[R_VERDICT], k < 4 ? "agrees" : "differs");      /* the rule for single printed runs */
        ck_assert_str_eq(right->cell[R_EVAL_N], k < 4 ? "10000" : "1000");
        if (k < 4)       ck_assert_double_le(fabs(above), 0.5);
        else if (k < 7)  ck_assert(-10.5 < above && above < -5.5);
        else             ck_assert(5.5 < above && above < 6.5);
    }
    for (int k = 0; k < 8; k++) {
        const result *gap = line_of(&all, "vit", temp_format("%s - %s_6_1_mlp_full", models[k], k < 4 ? "mnist" : "cifar"),
                                    "difference of validation loss - training loss");
        ck_assert_int_eq(gap->seeds, 3);
        if (k < 4) ck_assert_str_eq(gap->cell[R_EVAL_OF], "paired test images");
        if (k < 4) ck_assert_double_gt(number_in(gap, R_LOW), 0);
        else       ck_assert_double_lt(number_in(gap, R_HIGH), 0);
    }
    double least = INFINITY, most = -INFINITY;           /* the gaps in print, of the four on each data set */
    for (int k = 0; k < 8; k++) {
        const double gap = printed_gap(&all, models[k]);
        if (k < 4) least = fmin(least, gap);
        else       most = fmax(most, gap);
    }
    ck_assert(least < printed_gap(&all, "mnist_6_1_mlp_full") && most < printed_gap(&all, "cifar_6_1_mlp_full"));
    const result *one = line_of(&all, "vit", "mnist_6_1_no_wqk - mnist_6_1_no_full", "difference of validation accuracy, %");
    ck_assert_str_eq(one->cell[R_PAPER], "0 within 0.5");
    ck_assert_msg(strncmp(one->cell[R_VERDICT], "as printed", 10) == 0, "%s", one->cell[R_VERDICT]);
    results_free(&all);
}
END_TEST

START_TEST(sizes_of_one_preset_say_what_sets_them_apart)
{
    results all = { NULL, 0 };
    long of[2] = { 0, 0 };
    results_read(&all, "reports/results/gpt-d128.csv");
    for (long k = 0; k < all.n; k++) {
        record r;
        ck_assert(record_find(&all, k, &r));
        const bool tuned = strcmp(r.e->name, "tuned") == 0;
        char *size = record_size(&r), *set = strrchr(size, ',');
        ck_assert_str_eq(set, tuned ? ", tuned" : ", decay and factor of 003");
        ck_assert_int_eq(strncmp(size, "d = 128, 4.1M bytes, ", 21) == 0, r.at.row != experiment_row_named(r.e, "smaller-d"));
        free(size);
        of[tuned]++;
    }
    ck_assert_int_gt(of[false], 0);
    ck_assert_int_gt(of[true], 0);
    results_free(&all);
}
END_TEST

START_TEST(prices_are_of_the_speed_that_was_measured)
{
    const results none = { NULL, 0 };
    run_price p = paper_table_missing(&none, table("K-T2-100k"), kinds);
    ck_assert_double_eq_tol(p.flops / p.hours / 3600 / 1e12, teraflops("h100", "491520 tokens a step\"", 0), 1);
    p = paper_table_missing(&none, table("K-AppD"), kinds);
    double flops = 0, seconds = 0;
    for (long d = 512; d <= 768; d += 256) {                              /* as many runs of one width as of the other */
        const double sample = basis_flops(&(basis_shape){ .d = d, .m = 4 * d });
        flops += sample;
        seconds += sample / teraflops("h200", temp_format("--width=%ld --steps=20000, two runs at once, start", d), sample);
    }
    ck_assert_double_eq_tol(p.flops / p.hours / 3600 / 1e12, flops / seconds, 1);
    p = paper_table_missing(&none, table("B-T2"), kinds);
    const double image = 8.214e14 / 3e7;                                  /* of that row in vit-mnist.csv  */
    ck_assert_double_eq_tol(p.flops / p.hours / 3600 / 1e12, teraflops("h200", "--row=mnist_6_1_mlp_full", image), 0.1);
}
END_TEST

START_TEST(the_price_of_what_is_missing)
{
    char *flops = flops_text(2.75e21);
    ck_assert_str_eq(flops, "2.75 ZFLOP");
    free(flops);
    results all = { NULL, 0 };
    run_price p = paper_table_missing(&all, table("K-T2-100k"), kinds);
    ck_assert_int_eq(p.runs, 15);                                         /* three seeds, so that they are judged */
    ck_assert_double_eq_tol(p.hours, 15e15 / 406e12 / 3600, 1e-12);
    ck_assert_double_eq_tol(p.dollars, 3 * p.hours, 1e-12);
    char *words = paper_table_price_words(&all, table("B-T2"), kinds);
    must_hold(words, "`provably reproduce vit-mnist --data=DIR --rows=mnist_6_1_mlp_full,mnist_6_4_mlp_full,");
    must_hold(words, "--seeds=3` runs what is missing: 30 runs, 30 PFLOP, about 1.9 GPU hours, 5.8 US dollars");
    must_lack(words, "mnist_12");
    must_lack(words, "basis");
    free(words);
    words = paper_table_price_words(&all, table("K-AppD"), kinds);           /* planned with three          */
    must_hold(words, "`provably reproduce basis-transfer` runs what is missing: 18 runs");
    free(words);
    all = of("vit-mnist", as_printed);
    words = paper_table_price_words(&all, table("B-T2"), kinds);
    ck_assert_str_eq(words, "");
    free(words);
    p = paper_table_missing(&all, table("B-T1"), kinds);           /* CIFAR-10 alone                */
    ck_assert_int_eq(p.runs, 3 * rows_of("vit-cifar10", table("B-T1")));
    words = paper_table_price_words(&all, table("B-T1"), kinds);
    must_hold(words, "cifar_12_4_no_full");
    must_lack(words, "mnist");
    free(words);
    results_free(&all);
    all = of("vit-mnist", (recorded_runs){ .seeds = 1, .row = -1 });
    p = paper_table_missing(&all, table("B-T2"), kinds);
    ck_assert_int_eq(p.runs, 20);                                         /* two seeds of ten rows         */
    results_free(&all);
    all = of("vit-mnist", (recorded_runs){ .seeds = 3, .row = -1, .more = "--epochs=5" });
    p = paper_table_missing(&all, table("B-T2"), kinds);
    ck_assert_int_eq(p.runs, 30);                                         /* what was run is another model's length */
    results_free(&all);
}
END_TEST

/* ---- the report ------------------------------------------------------------------------------------------- */

static void put(const results *all, const char *name)
{
    const char *path = temp_path(root, temp_format("results/%s.csv", name));
    results_write(all, path);
}

static void put_recorded(const char *name, recorded_runs runs)
{
    results all = of(name, runs);
    put(&all, name);
    results_free(&all);
}

static int make_report(const char *folder)
{
    char *evidence = temp_path(root, "evidence"), *out = temp_path(root, folder), *index = temp_path(root, "claims.csv");
    const report_options o = { .evidence = evidence, .out = out, .index = index, .kinds = kinds, .quiet = true };
    const int status = report_main(&o);
    return status;
}

static long count(const char *text, const char *what)
{
    long n = 0;
    for (const char *at = text; (at = strstr(at, what)); at++) n++;
    return n;
}

START_TEST(no_row_is_silent)
{
    ck_assert_int_eq(make_report("out"), 0);
    char *html = temp_read(root, "out/report.html", NULL), *tables = strstr(html, "id=\"tables\"");
    for (size_t k = 0; k < printed_runs_count; k++) {
        char *line = must_format("<td>%s</td><td>validation accuracy, %%</td><td class=\"num\">%s</td><td></td>"
                                "<td class=\"num\">0</td><td>not run</td>", printed_runs[k].name, printed_runs[k].val_acc);
        must_hold(tables, line);
        free(line);
    }
    for (size_t k = 0; k < printed_gpt_runs_count; k++) {
        char *line = must_format("<td>validation loss</td><td class=\"num\">%s</td><td></td><td class=\"num\">0</td>"
                                "<td>not run</td>", printed_gpt_runs[k].loss);
        must_hold(tables, line);
        free(line);
    }
    must_hold(tables, "<td>reduced below smaller-mlp</td><td>validation loss</td><td></td><td class=\"num\"></td>"
                      "<td class=\"num\">0</td><td>no record</td>");
    must_lack(tables, "The runs that answer");
    must_hold(html, "What the papers' claims look like after all evidence");
    must_hold(strstr(html, "id=\"after\""), "within two standard deviations of our seeds from their mean, an accuracy also within "
                    "three standard errors of our test images, which is");
    must_hold(strstr(html, "id=\"after\""), "a comparison is inconsistent if its 95 % interval lies on the other side of 0 or "
                    "beyond the margin, and that is not corrected for the number of comparisons.");
    must_hold(html, "Printed in the middle version, Table 2: 3.018 for reduced and 3.026 for smaller-mlp (validation loss).  Tested: reduced is below "
                    "smaller-mlp in validation loss.  <strong>No record compares them</strong>.");
    must_hold(strstr(html, "id=\"after\""), "<strong>No record</strong> answers the 6 planned comparisons; "
                    "<a href=\"#t2-003\">the table's own chapter</a> lists them.");
    must_hold(html, "To complete the table, <code>provably reproduce gpt-100k --data=DIR --seeds=3</code> runs what is missing: 15 "
                    "runs");
    must_hold(html, "<td>W2 GELU(W1 x) + Z x - x, the formula of the middle version</td><td></td><td>nothing is recorded at a printed width</td>");
    must_hold(html, "<td>without the last term</td><td></td><td>nothing is recorded at a printed width</td>");
    must_hold(html, "is not measured at the printed widths, with three seeds.");
    must_lack(html, "and not for its formula");
}
END_TEST

START_TEST(a_table_with_records)
{
    put_recorded("gpt-100k", as_printed);
    put_recorded("small-gpt", (recorded_runs){ .seeds = 6, .spread = 1e-5, .row = 2, .shift = 0.5 });
    put_recorded("basis-transfer", as_printed);
    put_recorded("vit-mnist-rate", (recorded_runs){ .seeds = 1, .row = -1 });
    ck_assert_int_eq(make_report("out"), 0);
    char *html = temp_read(root, "out/report.html", NULL), *after = strstr(html, "id=\"after\"");
    must_hold(html, "<td>reduced</td><td>validation loss</td><td class=\"num\">3.018</td><td>3.01800 [3.017");
    must_hold(html, "<td>consistent</td><td>d = 768, ");
    must_hold(html, "as printed</td>");
    must_hold(html, "<td>gpt-100k.csv</td>");
    must_hold(html, "not judged: another size");
    must_hold(html, "<td>not judged: another rate</td><td>500 epochs, rate <span class=\"one\">1e-4</span></td>");
    must_hold(after, "Not stated in Bermeitinger et al.: the optimiser, rate, batch");
    must_hold(after, "(gpt-100k.csv): <strong>consistent</strong>");
    must_hold(after, "(small-gpt.csv): <strong>inconsistent</strong> at this size");
    must_hold(after, "<strong>No record</strong> answers the other 2 planned comparisons; ");
    must_hold(after, "All 5 printed rows have been run at the papers' own size and length");
    must_hold(html, "<td>W2 GELU(W1 x) + Z x - x, the formula of the middle version</td><td></td><td>printed in the middle version"
                    "</td><td class=\"num\"></td><td class=\"num\">11 to 14</td><td class=\"num\"></td><td class=\"num\">4 to 6</td>");
    must_hold(html, "<td>a formula that our copy has lost</td><td></td><td>printed in the first version"
                    "</td><td class=\"num\"></td><td class=\"num\">9 to 10</td><td class=\"num\"></td><td class=\"num\">4 to 5</td>");
    must_hold(html, "<td>W2 GELU(W1 x) + Z x - x, the formula of the middle version</td><td>256-less-x</td><td>width 256, ");
    must_hold(html, "as printed</td><td class=\"num\">3</td><td class=\"num\">9.5");
    must_hold(html, "<td>without the last term</td><td>256</td><td>width 256, ");
    must_hold(html, "as printed</td><td class=\"num\">3</td><td class=\"num\">12.5");
    must_hold(html, "the best linear map has the error printed in the middle version for the other target, and not for its formula.  "
                    "The trained MLP has its printed error in 3 of 3 with the formula, and in 3 of 3 without the last term.");
    must_hold(html, "All 4 planned comparisons of that size are consistent");
    must_hold(html, "At smaller sizes, which decide nothing about the printed ones: d = 384: of 4 planned comparisons 1 is "
                    "consistent and 3 are inconsistent");
    must_lack(html, "decide nothing about the printed ones: d = 768");
    must_hold(html, "Measured by training, in the arithmetic that the records name (recorded runs at full scale)");
    html = temp_read(root, "out/tables.tex", NULL);
    must_hold(html, "\\provablyplot{differences-t2-003-1}{");
    html = temp_read(root, "out/differences-t2-003-1.svg", NULL);
    must_hold(html, "reduced - smaller-mlp (d = 768");
    must_hold(html, "<path class=\"dot\"");
    html = temp_read(root, "out/summary.csv", NULL);
    must_hold(html, "K-T2-100k,K,,Table 2,,losses,MEASURED,");
    must_hold(html, "K-T2-60k,K,,,Table 2,losses,PENDING,");
}
END_TEST

/* An interval of one seed, which is of its test images alone, is not taken for one of three. */
START_TEST(plots_say_where_seeds_are_few)
{
    put_recorded("vit-mnist", (recorded_runs){ .seeds = 1, .row = -1, .images = 10000 });
    put_recorded("gpt-100k", as_printed);
    ck_assert_int_eq(make_report("out"), 0);
    must_hold(temp_read(root, "out/differences-t2-002-2.svg", NULL), "(500 epochs, as printed, n = 1)");
    must_lack(temp_read(root, "out/differences-t2-003-1.svg", NULL), "n = ");
    must_hold(temp_read(root, "out/tables.tex", NULL), "n is given where fewer than three seeds are finished, and the interval of one "
              "seed is of its windows or test images alone.");
}
END_TEST

/* Rows of a plot are never closer than their names are high, and a long name is not cut off at the edge. */
START_TEST(plots_of_many_rows_have_room)
{
    put_recorded("gpt-d192-tune", (recorded_runs){ .seeds = 1, .row = -1 });
    put_recorded("gpt-d192", as_printed);
    ck_assert_int_eq(make_report("out"), 0);
    char *plot = temp_read(root, "out/differences-t2-003-1.svg", NULL);
    ck_assert_int_eq(count(plot, "<path class=\"dot\""), 10);
    must_hold(plot, "width=\"560\" height=\"482\" ");
    put_recorded("gpt-d128-tune", (recorded_runs){ .seeds = 1, .row = -1 });
    put_recorded("gpt-d128", (recorded_runs){ .seeds = 6, .spread = 1e-5, .row = -1 });
    ck_assert_int_eq(make_report("out"), 0);
    plot = temp_read(root, "out/differences-t2-003-1.svg", NULL);
    ck_assert_int_eq(count(plot, "<path class=\"dot\""), 20);
    must_hold(plot, "width=\"560\" height=\"742\" ");
    must_hold(plot, ">reduced - smaller-mlp (d = 128, decay and factor of the middle version)</text>");
    char *html = temp_read(root, "out/report.html", NULL);                /* questions that we added are answered */
    must_hold(html, "Asked here, not by the papers: reduced and baseline-0.03125 are the same within 0.005, a margin chosen here, in validation "
                    "loss.  Measured difference: ");
    must_hold(html, "(gpt-d128.csv): <strong>answered yes</strong> at this size");
    must_hold(html, "<td>answered yes</td>");
    must_hold(html, ", and both questions that we added are answered yes");
}
END_TEST

START_TEST(a_long_name_fits_into_its_row)
{
    static const char *const names[] = { "short", "reduced-larger-mlp - baseline (d = 128, 4.1M tokens, decay and factor of the middle version)" };
    chart c = { .layout = CHART_INTERVALS, .title = "Planned differences" };
    for (size_t k = 0; k < COUNT(names); k++)
        chart_add_interval(chart_add_series(&c, OF_CLAIM, names[k]), 0.5, (double)k + 1, 0, 1);
    char *svg;
    size_t size;
    FILE *f = open_memstream(&svg, &size);
    svg_measured_chart(f, &c, SVG_PAGE);
    fclose(f);
    must_hold(svg, "\">short</text>");
    must_lack(svg, "spacingAndGlyphs\">short</text>");
    must_hold(svg, "textLength=\"520\" lengthAdjust=\"spacingAndGlyphs\">reduced-larger-mlp");
    free(svg);
    chart_free(&c);
}
END_TEST

static const char curve_text[] = "row,seed,step,lr,val_loss\nreduced,1337,0,1,11\nreduced,1337,500,1,4\n"
    "reduced,1338,0,1,9\nreduced,1338,500,1,5\nbaseline,1337,0,1,10\nbaseline,1337,500,1,3.5\nbaseline,1338,0,1,\n";

/* The page of what is recorded so far and of these runs. */
static char *report_with(const char *name, recorded_runs runs)
{
    put_recorded(name, runs);
    ck_assert_int_eq(make_report("out"), 0);
    return temp_read(root, "out/report.html", NULL);
}

/* Comparisons that the same runs answer for two tables stand under the first; runs of the second alone bring them back. */
START_TEST(runs_about_two_tables_are_shown_once)
{
    const recorded_runs six = { .seeds = 6, .spread = 1e-5, .row = 2, .shift = 0.5 };
    temp_text(root, "results/curves/small-gpt-gpt.csv", curve_text);
    char *html = report_with("small-gpt", six);
    ck_assert_int_eq(count(html, "from curves/small-gpt-gpt.csv"), 1);
    ck_assert_int_eq(count(html, "The runs that answer these planned comparisons"), 1);
    const char *again = strstr(html, "The runs that answer these planned comparisons");
    ck_assert(again > strstr(html, "id=\"t2-000\"") && again < strstr(html, "id=\"t2-001\""));
    must_hold(again, "under the middle version, Table 2: five language models after 100k steps.");
    must_hold(html, "Middle version, Table 2: five language models after 100k steps: planned differences");
    must_lack(html, "Latest version, Table 2: five language models after 60k steps: planned differences");
    char *after = strstr(strstr(html, "id=\"after-t2-000\""), "Printed in the latest version, Table 2: 2.929");
    must_hold(after, "The measured differences at the sizes that are named here stand above, under the middle version, Table 2: ");
    must_lack(must_format("%.*s", (int)(strstr(after, "id=\"after-t2-001\"") - after), after), "Measured difference: ");
    const long comparisons = count(html, "<td>reduced below smaller-mlp</td>");
    html = report_with("gpt-60k", as_printed);
    must_lack(html, "The runs that answer");
    must_hold(html, "Latest version, Table 2: five language models after 60k steps: planned differences");
    ck_assert_int_gt(count(html, "<td>reduced below smaller-mlp</td>"), comparisons);
    must_lack(report_with("gpt-100k", as_printed), "The runs that answer");          /* as many lines, but others */
}
END_TEST

/* Rows of one part may differ in their length: the chapter of experiments says from where to where. */
START_TEST(lengths_of_a_part)
{
    results all = of("basis-batch", (recorded_runs){ .seeds = 3, .spread = 1e-5, .row = -1 });
    for (long k = 0; k < all.n; k++) {
        free(all.at[k].cell[R_UNITS]);
        all.at[k].cell[R_UNITS] = must_format("%d", k == 1 ? 5 : k == 2 ? 80 : 20);
    }
    put(&all, "basis-batch");
    results_free(&all);
    ck_assert_int_eq(make_report("out"), 0);
    const char *part = strstr(temp_read(root, "out/report.html", NULL), "id=\"runs-basis-batch-basis\"");
    ck_assert_ptr_nonnull(part);
    must_hold(part, " steps, 5 to 80 ");
}
END_TEST

/* The conclusion about 003's formula follows from the figures: with linear maps outside the range it is another, and
 * runs of other widths say nothing. */
START_TEST(the_formula_of_003)
{
    char *html = report_with("basis-transfer", (recorded_runs){ .seeds = 3, .spread = 1e-5, .row = 0, .shift = 5 });
    must_hold(html, "<td class=\"num\">3</td><td class=\"num\">17.5");
    must_lack(html, "and not for its formula");
    must_hold(html, "do not show that the numbers of the middle version go with another target");
    /* within two standard deviations of the seeds a printed range still holds; one seed judges nothing */
    html = report_with("basis-transfer", (recorded_runs){ .seeds = 3, .spread = 0.1, .row = 0, .shift = 1.6 });
    must_hold(html, "<td class=\"num\">3</td><td class=\"num\">14.1");
    must_hold(html, "and not for its formula");
    html = report_with("basis-transfer", (recorded_runs){ .seeds = 1, .row = -1 });
    must_hold(html, "<td class=\"num\">1</td><td class=\"num\">12.5");
    must_lack(html, "and not for its formula");
    must_hold(html, "is not measured at the printed widths, with three seeds.");
    /* each record counts by itself: a larger one with one seed does not hide a smaller one with three */
    html = report_with("basis-256", (recorded_runs){ .seeds = 3, .spread = 0.1, .row = 0, .shift = 5 });
    must_hold(html, "as printed</td><td class=\"num\">1</td><td class=\"num\">12.5");
    must_hold(html, " steps of 4096</td><td class=\"num\">3</td><td class=\"num\">17.5");
    must_hold(html, "do not show that the numbers of the middle version go with another target");
    ck_assert_int_eq(remove(temp_path(root, "results/basis-256.csv")), 0);
    ck_assert_int_eq(remove(temp_path(root, "results/basis-transfer.csv")), 0);
    must_hold(report_with("small-basis", as_printed), "nothing is recorded at a printed width</td>");
}
END_TEST

START_TEST(learning_curves)
{
    char *folder = temp_path(root, "results");
    const preset *p = preset_find("gpt-100k");
    temp_text(root, "results/curves/gpt-100k-gpt.csv", curve_text);
    curve_points c = curves_read(folder, p, p->part, &p->part->shown[0]);
    ck_assert_int_eq(c.n, 4);
    ck_assert_str_eq(c.at[0].row, "reduced");
    ck_assert(c.at[0].mean == 10 && c.at[0].low == 9 && c.at[0].high == 11 && c.at[0].seeds == 2);
    ck_assert(c.at[1].step == 500 && c.at[1].mean == 4.5);
    ck_assert(c.at[2].mean == 10 && c.at[2].seeds == 1);
    curves_free(&c);
    const metric other = { .name = "nothing", .shown = "nothing", .times = 1 };
    c = curves_read(folder, p, p->part, &other);
    ck_assert_int_eq(c.n, 0);
    c = curves_read("/nowhere", p, p->part, &p->part->shown[0]);
    ck_assert_int_eq(c.n, 0);
    ck_assert_int_eq(make_report("out"), 0);                              /* curves without a record        */
    char *html = temp_read(root, "out/report.html", NULL);
    must_lack(html, "Learning curves");
    put_recorded("gpt-100k", (recorded_runs){ .seeds = 3, .spread = 1e-5, .row = -1, .more = "--steps=10" });
    ck_assert_int_eq(make_report("out"), 0);                              /* or of runs with other options  */
    must_lack(temp_read(root, "out/report.html", NULL), "Learning curves");
    put_recorded("gpt-100k", as_printed);
    ck_assert_int_eq(make_report("out"), 0);
    html = temp_read(root, "out/report.html", NULL);
    must_hold(html, "Learning curves");
    must_hold(html, "<title>printed: reduced</title>");
    ck_assert_int_eq(count(html, "fill-opacity:.18"), 2);                 /* a band for each of two rows    */
    html = temp_read(root, "out/curves-t2-003-1.svg", NULL);
    must_hold(html, "<title>printed: reduced</title>");
    /* The reduced model's mean of 4.5 is drawn in the middle of its band from 5 to 4, and what is printed, 3.018, as
     * much lower as it is less. */
    double x, mean, high, low, printed;
    const char *reduced = strstr(html, "<title>reduced</title>"), *rule = strstr(html, "<title>printed: reduced</title>");
    ck_assert(reduced && rule);
    ck_assert_int_eq(sscanf(strchr(strstr(reduced, " d=\""), 'L'), "L%lf %lfL%*f %lf", &x, &high, &low), 3);
    ck_assert_int_eq(sscanf(strstr(strstr(reduced, "class=\"line\""), " d=\""), " d=\"M%*f %lf", &mean), 1);
    ck_assert_int_eq(sscanf(strstr(strstr(rule, "class=\"line\""), " d=\""), " d=\"M%*f %lf", &printed), 1);
    ck_assert_msg(x == 534 && fabs(mean - (high + low) / 2) < 0.11, "%g of %g to %g at %g", mean, low, high, x);
    ck_assert_msg(fabs((printed - mean) - (4.5 - 3.018) * (low - high)) < 0.3, "%g is not as much below %g", printed, mean);
}
END_TEST

/* Curves of a part share figures, as many in each as there are colours or evenly fewer; the caption says which it is. */
static const struct { long curves, figures, first; const char *caption; } shared[] = {
    { 6, 1, 6, "epochs, from curves/vit-" },  { 7, 2, 3, "epochs (figure 2 of 2), from curves/vit-" },
    { 10, 2, 5, "epochs (figure 1 of 2), from curves/vit-" } };

/* Three seeds on the same test images share their error: an interval without it says so, and one with it does not. */
START_TEST(intervals_without_the_test_images)
{
    put_recorded("vit-mnist-5", (recorded_runs){ .seeds = 3, .spread = 1e-3, .row = -1, .images = 10000 });
    put_recorded("vit-mnist", (recorded_runs){ .seeds = 3, .spread = 1e-3, .row = -1, .images = 10000 });
    ck_assert_int_eq(make_report("out"), 0);
    char *tables = temp_read(root, "out/tables.tex", NULL);
    long differences = 0;
    for (char *line = tables, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (strstr(line, "& unresolved, since its interval")) {
            must_hold(line, "], of the seeds alone &");
            differences++;
        }
        if (!strstr(line, "& 3 & not judged: another length")) continue;
        const bool loss = strstr(line, "& validation loss"), says = strstr(line, "], of the seeds alone &");
        ck_assert_msg(says == loss, "%s", line);
    }
    ck_assert_int_eq(differences, 7);                           /* six of Table 2, and one of these in Table 1, too */
    must_hold(temp_read(root, "out/report.html", NULL), "], of the seeds alone</td>");
    must_hold(temp_read(root, "out/experiments.tex", NULL), "], of the seeds alone &");
    must_hold(temp_read(root, "out/report.html", NULL), "An interval of a figure that cannot be negative is cut at 0, that of an accuracy "
              "also at 100 %.");
    must_hold(temp_read(root, "out/report.html", NULL), "of runs that see all of the text, the interval of the loss says nothing "
              "about other texts.");
    results known = { NULL, 0 };
    results_read(&known, "reports/results/vit-mnist.csv");
    const result *with = line_of(&known, "vit", "mnist_6_1_no_full", "validation loss");
    ck_assert_str_eq(with->cell[R_INTERVAL], "seeds and test images");
    must_lack(result_shown_text(with), "alone");
    results_free(&known);
}
END_TEST

START_TEST(curves_fill_figures_evenly)
{
    const experiment *e = &preset_find("vit-mnist-5")->part[0];
    text_buffer csv = { 0 };
    text_add(&csv, "row,seed,step,val_accuracy\n");
    for (long k = 0; k < shared[_i].curves; k++)
        text_add(&csv, "%s,1,0,0.1\n%s,1,235,0.5\n", experiment_row(e, k)->name, experiment_row(e, k)->name);
    char *text = text_take(&csv), *next = must_format("out/curves-t2-002-%ld.svg", shared[_i].figures + 1);
    temp_text(root, "results/curves/vit-mnist-5-vit.csv", text);
    temp_text(root, next, "of an earlier run");                           /* which had more figures         */
    put_recorded("vit-mnist-5", (recorded_runs){ .seeds = 1, .row = -1 });
    ck_assert_int_eq(make_report("out"), 0);
    char *first = temp_read(root, "out/curves-t2-002-1.svg", NULL);
    for (long k = 0; k < shared[_i].curves; k++) {
        char *head = must_format("<title>%s</title>", experiment_row(e, k)->name);
        ck_assert_msg((strstr(first, head) != NULL) == (k < shared[_i].first), "curve %ld", k);
        free(head);
    }
    ck_assert(!temp_exists(root, next));
    char *html = temp_read(root, "out/report.html", NULL);
    must_hold(html, shared[_i].caption);
    must_hold(html, "highest seed; dashed: the printed final figure.");
    free(next);
    free(text);
}
END_TEST

/* What a reader is shown of a mean and its interval. */
static const struct { const char *mean, *low, *high, *is; } intervals[] = {
    { "0.0149143", "0.0076784", "0.0221502", "0.0149 [0.0077, 0.0222]" },
    { "0.0138787", "0.00363716", "0.0241202", "0.0139 [0.0036, 0.0241]" },
    { "1.57137", "1.56264", "1.5801", "1.5714 [1.5626, 1.5801]" },
    { "96.9", "96.5704", "97.2296", "96.90 [96.57, 97.23]" },
    { "1234.6", "1000.2", "1469", "1235 [1000, 1469]" },                     /* no digits before the point are lost */
    { "12346", "10002", "14690", "12346 [10002, 14690]" },
    { "0.00242323", "2.70102e-06", "0.00481945", "0.002423 [0.000003, 0.004819]" },        /* an end keeps its sign */
    { "-0.0024", "-0.00481945", "-2.70102e-06", "-0.002400 [-0.004819, -0.000003]" },
    { "3.018", "3.01797", "3.01803", "3.01800 [3.01797, 3.01803]" },       /* and no digit is made up       */
    { "1", "0.999974", "1.00002", "1.00000 [0.99997, 1.00002]" },
    { "1e-09", "-0.01", "0.01", "0.0000 [-0.0100, 0.0100]" },
    { "1.23543e-09", "1.07046e-09", "1.4004e-09", "1.235e-09 [1.070e-09, 1.400e-09]" },
    { "1.88583e-09", "6.77793e-10", "3.09388e-09", "1.89e-09 [6.8e-10, 3.09e-09]" },
    { "5e-06", "-2e-05", "3e-05", "5.0e-06 [-2.00e-05, 3.00e-05]" }, { "5e-06", "0", "1e-05", "5.0e-06 [0, 1.00e-05]" },
    { "5e-05", "0", "0.0001", "0.000050 [0.000000, 0.000100]" },
    { "-0.5", "-0.5", "-0.5", "-0.5 [-0.5, -0.5]" }, { "0.25", "", "", "0.25" }, { "10.0565", "", "", "10.06" }, { "inf", "", "", "inf" },
    { "", "", "", "" } };

static void must_show(const char *kind, const char *name, const char *const number[3], const char *is)
{
    static const result_cell of[] = { R_MEAN, R_LOW, R_HIGH };
    result r = { .p = NULL };
    r.cell[R_KIND] = must_strdup(kind);
    r.cell[R_METRIC] = must_strdup(name);
    for (size_t k = 0; k < COUNT(of); k++) r.cell[of[k]] = must_strdup(number[k]);
    char *text = result_interval_text(&r);
    ck_assert_str_eq(text, is);
    free(text);
    result_free(&r);
}

START_TEST(intervals_as_shown)
{
    must_show("comparison", "loss", (const char *const[]){ intervals[_i].mean, intervals[_i].low, intervals[_i].high },
              intervals[_i].is);
}
END_TEST

/* A figure is shown within what it can be; a difference of two, and the recorded cells, are not changed. */
START_TEST(intervals_that_can_be)
{
    static const struct { const char *kind, *metric, *mean, *low, *high, *is; } try[] = {
        { "run", "training accuracy, %", "99.955", "99.8", "100.11", "99.955 [99.800, 100.000]" },
        { "run", "validation accuracy, %", "1.2", "-0.3", "2.7", "1.20 [0.00, 2.70]" },
        { "comparison", "difference of validation accuracy, %", "1.2", "-0.3", "102.7", "1.2 [-0.3, 102.7]" },
        { "run", "relative error, %", "100.2", "99.9", "100.5", "100.200 [99.900, 100.500]" },
        { "run", "training loss", "0.0027", "-0.0014", "0.0068", "0.0027 [0.0000, 0.0068]" },
        { "run", "validation loss - training loss", "0.0027", "-0.0014", "0.0068", "0.0027 [-0.0014, 0.0068]" } };
    for (size_t k = 0; k < COUNT(try); k++)
        must_show(try[k].kind, try[k].metric, (const char *const[]){ try[k].mean, try[k].low, try[k].high }, try[k].is);
}
END_TEST

/* The report is a function of the records: made twice, it has the same bytes. */
START_TEST(the_same_bytes_twice)
{
    put_recorded("gpt-100k", as_printed);
    put_recorded("vit-mnist", (recorded_runs){ .seeds = 1, .row = -1 });
    put_recorded("small-vit", as_printed);
    temp_text(root, "results/curves/gpt-100k-gpt.csv", curve_text);
    ck_assert_int_eq(make_report("out"), 0);
    ck_assert_int_eq(make_report("again"), 0);
    static const char *const files[] = { "report.html", "tables.tex", "after.tex", "experiments.tex", "experiments.csv",
        "pending.tex", "summary.csv", "differences-t2-003-1.svg", "curves-t2-003-1.svg" };
    for (size_t k = 0; k < COUNT(files); k++) {
        char *one = must_format("out/%s", files[k]), *two = must_format("again/%s", files[k]);
        char *a = temp_read(root, one, NULL), *b = temp_read(root, two, NULL);
        ck_assert_msg(*a && strcmp(a, b) == 0, "%s differs", files[k]);
        free(one);
        free(two);
    }
    must_hold(temp_read(root, "out/report.html", NULL), "are the same within 0.5, a margin chosen here, in validation accuracy, % (the abstract "
              "says &quot;without hurting the classification performance&quot;, Section 7 &quot;slightly inferior for MNIST&quot;).");
}
END_TEST

/* Every tag that is opened is closed, in order; no raw & or <. */
START_TEST(the_page_is_well_formed)
{
    put_recorded("gpt-100k", as_printed);
    temp_text(root, "results/curves/gpt-100k-gpt.csv", curve_text);
    ck_assert_int_eq(make_report("out"), 0);
    char *html = temp_read(root, "out/report.html", NULL), open[64][16];
    int depth = 0;
    char *script = strstr(html, "<script>");
    ck_assert_ptr_nonnull(script);
    ck_assert_str_eq(strstr(script, "</script>"), "</script>\n</body></html>\n");
    *script = '\0';                                           /* what it holds is no HTML */
    for (char *at = strstr(html, "<body>"); (at = strchr(at, '<')); at++) {
        char name[16];
        const bool closes = at[1] == '/';
        if (sscanf(at + 1 + closes, "%15[a-z0-9]", name) != 1) continue;
        const char *end = strchr(at, '>');
        ck_assert_ptr_nonnull(end);
        static const char *const alone[] = { "br", "meta", "input", "path", "rect", "body", "html" };
        bool single = end[-1] == '/';
        for (size_t k = 0; k < COUNT(alone); k++) single |= strcmp(name, alone[k]) == 0;
        if (single) continue;
        if (closes) {
            ck_assert_msg(depth > 0 && strcmp(open[depth - 1], name) == 0, "</%s> closes <%s>", name,
                          depth ? open[depth - 1] : "");
            depth--;
        } else snprintf(open[depth++], 16, "%s", name);
    }
    ck_assert_int_eq(depth, 0);
    must_lack(html, "\"nan");
    must_lack(html, " nan ");
}
END_TEST

int main(int argc, char **argv)
{
    base_init(argc, argv);
    Suite *suite = suite_create("tables");
    TCase *all = tcase_create("tables");
    const TTest *const tests[] = { every_printed_row_has_its_place, counts_of_a_table, stated_lengths, partial_records,
        made_up_pictures_are_no_record, records_of_a_row, questions_of_claims,
        findings_follow_from_the_records, sizes_of_one_preset_say_what_sets_them_apart,
        prices_are_of_the_speed_that_was_measured, products_of_the_h100, the_price_of_what_is_missing, no_row_is_silent, the_formula_of_003, lengths_of_a_part,
        a_table_with_records, plots_of_many_rows_have_room, plots_say_where_seeds_are_few, a_long_name_fits_into_its_row, runs_about_two_tables_are_shown_once, learning_curves,
        the_same_bytes_twice, the_page_is_well_formed };
    tcase_add_checked_fixture(all, setup, NULL);
    tcase_set_timeout(all, 120);
    for (size_t k = 0; k < COUNT(tests); k++) tcase_add_test(all, tests[k]);
    tcase_add_loop_test(all, curves_fill_figures_evenly, 0, COUNT(shared));
    tcase_add_loop_test(all, intervals_as_shown, 0, COUNT(intervals));
    tcase_add_test(all, intervals_that_can_be);
    tcase_add_test(all, intervals_without_the_test_images);
    suite_add_tcase(suite, all);
    return run_suite(suite, argc, argv);
}
