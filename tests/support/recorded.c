/* SPDX-License-Identifier: GPL-3.0-or-later
 * recorded.c - see recorded.h. */
#include <stdlib.h>
#include <string.h>
#include "src/experiments/figures.h"
#include "src/experiments/tuning.h"
#include "tests/support/recorded.h"

/* The middle of what is printed: "3.018", "4 to 6", "above 0.009"; 1 where nothing is. */
static double printed_figure(const char *paper)
{
    if (!paper) return 1;
    const char *to = strstr(paper, " to "), *from = paper + strcspn(paper, "0123456789");
    return to ? (strtod(from, NULL) + strtod(to + 4, NULL)) / 2 : strtod(from, NULL) * (from == paper ? 1 : 1.1);
}

static char *command_of(const experiment *e, long row, const char *more)
{
    char *tuned = tuning_placeholder(e, row);
    char *options = experiment_options(e, row, tuned, "DATA");
    char *order = e->order ? must_format(" --data-seed=%ld", e->order) : must_strdup("");
    char *text = must_format("provably %s %s --seed=%ld%s --micro=3%s%s", e->command, options, e->seed, order,
                             more ? " " : "", more ? more : "");
    free(tuned);
    free(options);
    free(order);
    return text;
}

static void add_part(results *all, const preset *p, const experiment *e, recorded_runs of)
{
    figures f = figures_new(p, e, of.seeds);
    for (long m = 0; m < f.metrics; m++)
        for (long row = 0; row < f.rows; row++)
            for (long seed = 0; seed < of.seeds; seed++)
                figures_row(&f, m, row)[seed] = printed_figure(experiment_paper(e, experiment_row(e, row), m))
                                              + of.spread * (double)((row % 3 + 1) * (seed % 3 - 1))
                                              + (row == of.row ? of.shift : 0);
    for (long row = 0; row < f.rows; row++) {
        f.images[row] = of.images;
        for (long seed = 0; seed < of.seeds; seed++)
            f.missing[row * of.seeds + seed] = of.only && !strstr(experiment_row(e, row)->name, of.only);
    }
    char **command = must_calloc((size_t)f.rows, sizeof *command);
    for (long row = 0; row < f.rows; row++) command[row] = command_of(e, row, of.more);
    figures_commands(&f, (const char *const *)command);
    figures_round(&f);
    for (long k = 0; k < figures_lines(e); k++) {
        outcome is;
        result r = figures_line_judged(&f, k, &is);
        r.cell[R_COMMAND] = must_strdup(command[figures_line_place(e, k).row]);
        if (of.images) r.cell[R_DATA] = must_format("val_n=%ld", of.images);
        r.cell[R_HARDWARE] = must_strdup("a machine & <b>");
        r.cell[R_DATE] = must_strdup("2026-01-02");
        r.cell[R_COMMIT] = must_strdup("c0ffee");
        results_add(all, r);
    }
    for (long row = 0; row < f.rows; row++) free(command[row]);
    free(command);
    figures_free(&f);
}

void add_recorded(results *all, const char *preset_name, recorded_runs of)
{
    const preset *p = preset_find(preset_name);
    REQUIRE(p, "no preset %s", preset_name);
    for (long k = 0; k < p->parts; k++) add_part(all, p, &p->part[k], of);
}

void set_recorded(results *all, long k, result_cell c, const char *text)
{
    results again = { NULL, 0 };
    free(all->at[k].cell[c]);
    all->at[k].cell[c] = must_strdup(text);
    for (long i = 0; i < all->n; i++) results_add(&again, all->at[i]);
    free(all->at);
    *all = again;
}
