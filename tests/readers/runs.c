/* SPDX-License-Identifier: GPL-3.0-or-later
 * runs.c - readers of recorded results, of lists of runs, and of the folders that runs leave. */
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/experiments/presets.h"
#include "src/experiments/reproduce.h"
#include "src/experiments/trained_gap.h"
#include "src/experiments/trained_reductions.h"
#include "src/report/collect/curves.h"
#include "src/train/gpt.h"
#include "src/train/run.h"
#include "tests/readers/readers.h"

static void read_results(const char *path)
{
    results all = { 0 };
    if (results_parse(&all, path) && all.n) {
        const preset *p = preset_find(all.at[0].cell[R_PRESET]);
        char *folder = reader_folder(path), *called = p ? must_format("%s/%s.csv", folder, p->name) : NULL;
        if (p) results_check(&all, p, called);
        for (long k = 0; k < all.n && p; k++) {
            free(result_interval_text(&all.at[k]));
            free(result_shown_text(&all.at[k]));
        }
        free(folder);
        free(called);
    }
    results_free(&all);
}

static void read_gaps(const char *path)
{
    gap_curves all = trained_gap_read(path);
    for (long k = 0; k < all.n; k++) (void)trained_gap_judge(&all.at[k]);
    trained_gap_free(&all);
}
static void read_reductions(const char *path)
{
    reduction_findings all = trained_reductions_read(path);
    for (long k = 0; k < all.n; k++) {
        const char *why;
        (void)trained_reduction_judge(&all.at[k], &why);
    }
    trained_reductions_free(&all);
}

/* The first part of a preset with recorded curves, whose file has its name. */
static void read_curves(const char *path)
{
    const preset *p = preset_find("basis-precision");
    char *folder = reader_folder(path), *curves = must_format("%s/curves", folder);
    const metric m = { .name = "val_loss" };
    (void)make_folder(curves);
    char *called = must_format("%s-%s.csv", p->name, p->part[0].name), *to = must_format("%s/%s", curves, called);
    if (rename(path, to) != 0) die("cannot rename %s", path);
    curve_points all = curves_read(folder, p, &p->part[0], &m);
    curves_free(&all);
    free(folder);
    free(curves);
    free(called);
    free(to);
}

static run_cost no_cost(int argc, char **argv)
{
    (void)argc, (void)argv;
    return (run_cost){ .steps = 1, .unit = "tokens" };
}
static void read_list(const char *path)
{
    static const run_kind kinds[] = { { "train", no_cost }, { "train-vision", no_cost }, { NULL, NULL } };
    worklist w = worklist_read(path, kinds);
    worklist_free(&w);
}

static void read_evals(const char *path)
{
    char *folder = reader_folder(path);
    const metric m = { .name = "val_loss" };
    double x;
    (void)run_folder_metric(folder, &m, &x);
    free(run_folder_header(folder, "evals.csv", "recipe"));
    free(folder);
}
static void read_losses(const char *path)
{
    char *folder = reader_folder(path);
    double mean, error;
    long n;
    free(run_folder_error(folder, NULL, "loss", &n, &mean, &error));
    free(run_folder_error(folder, folder, "loss", &n, &mean, &error));
    (void)run_folder_same_windows(folder, folder);
    free(folder);
}

/* The text of a configuration, as checkpoints have it: what is accepted prints and reads back. */
static void read_configuration(const char *path)
{
    char *text = file_read(path, 1 << 16, NULL);
    gpt_config c = gpt_default(), again = gpt_default();
    char *wrong = gpt_config_parse(&c, text);
    if (!wrong && !gpt_config_check(&c)) {
        char *printed = gpt_config_print(&c);
        if (gpt_config_parse(&again, printed)) abort();
        char *twice = gpt_config_print(&again);
        if (strcmp(printed, twice) != 0) abort();
        free(printed);
        free(twice);
    }
    free(wrong);
    free(text);
}

const file_reader readers_of_runs[] = {
    { "results", "recorded.csv", NULL, read_results },
    { "gaps", "gaps.csv", NULL, read_gaps },
    { "reductions", "reductions.csv", NULL, read_reductions },
    { "curves", "curve.csv", NULL, read_curves },
    { "list", "runs.list", NULL, read_list },
    { "evals", "evals.csv", NULL, read_evals },
    { "losses", "losses.csv", NULL, read_losses },
    { "configuration", "config.txt", NULL, read_configuration },
    { NULL, NULL, NULL, NULL } };
