/* SPDX-License-Identifier: GPL-3.0-or-later
 * results.c - see results.h. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/base/outfile.h"
#include "src/experiments/commands.h"
#include "src/experiments/results.h"
#include "src/experiments/tuning.h"

const char *const result_cell_name[RESULT_COLUMNS] = {
    [R_PRESET] = "preset", [R_PART] = "part", [R_KIND] = "kind", [R_ROW] = "row", [R_CLAIM] = "claim",
    [R_TABLE] = "table", [R_METRIC] = "metric", [R_PAPER] = "paper", [R_MEAN] = "mean", [R_LOW] = "low",
    [R_HIGH] = "high", [R_N] = "n", [R_VALUES] = "values", [R_VERDICT] = "verdict", [R_SEEDS] = "seeds",
    [R_PLANNED] = "planned", [R_P] = "p", [R_P_HOLM] = "p_holm", [R_INTERVAL] = "interval", [R_SE_SEEDS] = "se_seeds",
    [R_SE_EVAL] = "se_eval", [R_EVAL_N] = "eval_n", [R_EVAL_OF] = "eval_of", [R_FLOPS] = "flops",
    [R_SCALE] = "scale", [R_PARAMETERS] = "parameters", [R_STEPS] = "steps", [R_UNITS] = "units", [R_UNIT] = "unit",
    [R_HARDWARE] = "hardware", [R_DATE] = "date", [R_COMMIT] = "commit", [R_DATA] = "data", [R_COMMAND] = "command" };

bool result_is(const result *r, result_cell c, const char *text) { return strcmp(r->cell[c], text) == 0; }

/* What the line is about, after the last one of the list. */
static void place_line(const results *all, result *r)
{
    const result *last = all->n ? &all->at[all->n - 1] : NULL;
    const bool next = last && result_is(last, R_PRESET, r->cell[R_PRESET]) && result_is(last, R_PART, r->cell[R_PART]);
    r->p = next ? last->p : preset_find(r->cell[R_PRESET]);
    r->e = next ? last->e : r->p ? preset_part(r->p, r->cell[R_PART]) : NULL;
    r->line = next ? last->line + 1 : 0;
    r->seeds = strtol(r->cell[R_N], NULL, 10);
    r->is = outcome_read(r->cell[R_VERDICT]);
    r->made_up = command_made_up(r->cell[R_COMMAND]);
}

void results_add(results *all, result r)
{
    for (int c = 0; c < RESULT_COLUMNS; c++) if (!r.cell[c]) r.cell[c] = must_strdup("");
    place_line(all, &r);
    all->at = must_realloc(all->at, (size_t)all->n + 1, sizeof *all->at);
    all->at[all->n++] = r;
}

void result_free(result *r) { for (int c = 0; c < RESULT_COLUMNS; c++) free(r->cell[c]); }

void results_free(results *all)
{
    for (long k = 0; k < all->n; k++) result_free(&all->at[k]);
    free(all->at);
    *all = (results){ NULL, 0 };
}

/* ---- files ---------------------------------------------------------------------------------------------- */

/* The line of the column names, to be freed. */
static char *header_line(void)
{
    text_buffer t = { 0 };
    for (int c = 0; c < RESULT_COLUMNS; c++) text_add(&t, "%s%s", c ? "," : "", result_cell_name[c]);
    return text_take(&t);
}

void results_write(const results *all, const char *path)
{
    outfile o = outfile_open(path);
    for (int c = 0; c < RESULT_COLUMNS; c++) csv_field(o.f, result_cell_name[c], c + 1 < RESULT_COLUMNS ? ',' : '\n');
    for (long k = 0; k < all->n; k++)
        for (int c = 0; c < RESULT_COLUMNS; c++)
            csv_field(o.f, all->at[k].cell[c], c + 1 < RESULT_COLUMNS ? ',' : '\n');
    outfile_close(&o);
}

bool results_parse(results *all, const char *path)
{
    FILE *f = file_open(path);
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    text_line first = { 0 };
    const bool empty = !line_next(&first, f, path), other = *first.at == '#' || strncmp(first.at, "date,", 5) == 0;
    text_line_free(&first);
    if (empty || other) {                                                /* another record: results.h */
        fclose(f);
        return empty;
    }
    rewind(f);
    char *header = header_line();
    csv_file c = csv_from(f, path, header, "not a line of results: remove the file, or run its preset again");
    while (csv_next(&c)) {
        result r = { .p = NULL };
        char name[128];
        csv_name(&c, R_PRESET, name, sizeof name);
        csv_name(&c, R_PART, name, sizeof name);
        for (int k = 0; k < RESULT_COLUMNS; k++) r.cell[k] = must_strdup(c.cell[k]);
        results_add(all, r);
    }
    csv_close(&c);
    free(header);
    return true;
}

void results_read(results *all, const char *path)
{
    results file = { NULL, 0 };
    if (!results_parse(&file, path)) return;
    if (!file.n) die("%s: holds no line of results; run its preset again, or remove the file", path);
    const preset *p = preset_find(file.at[0].cell[R_PRESET]);
    if (p) results_check(&file, p, path);
    else die("%s:2: no preset is called `%s`; remove the file", path, file.at[0].cell[R_PRESET]);
    for (long k = 0; k < file.n; k++) results_add(all, file.at[k]);
    free(file.at);
}

static bool has_preset(const results *all, const char *name)
{
    for (long k = 0; k < all->n; k++) if (result_is(&all->at[k], R_PRESET, name)) return true;
    return false;
}

/* Dies unless every row of a part that is tuned was run with the options that the tuning in the same folder gives, or
 * the one in `recorded` where the folder has none. */
static void check_tuned(const results *all, const results *recorded, const char *folder)
{
    for (long k = 0; k < all->n; k++) {
        const result *r = &all->at[k];
        const experiment *e = preset_part(preset_find(r->cell[R_PRESET]), r->cell[R_PART]);
        if (!e->tuned_by || !result_is(r, R_KIND, "run")) continue;
        const results *tuning = has_preset(all, e->tuned_by) ? all : recorded;
        char *wrong = tuning_wrong(e, experiment_row_named(e, r->cell[R_ROW]), tuning, r->cell[R_COMMAND]);
        if (wrong)
            die("%s/%s.csv: row %s of part %s: %s; run the preset again, or remove the file", folder,
                r->cell[R_PRESET], r->cell[R_ROW], r->cell[R_PART], wrong);
    }
}

static int is_csv(const struct dirent *d)
{
    const size_t n = strlen(d->d_name);
    return n > 4 && strcmp(d->d_name + n - 4, ".csv") == 0;
}

results results_folder(const char *folder)
{
    static const results none = { NULL, 0 };
    return results_folder_own(folder, &none);
}

results results_folder_own(const char *folder, const results *recorded)
{
    results all = { NULL, 0 };
    struct dirent **names;
    const int n = scandir(folder, &names, is_csv, alphasort);
    if (n < 0 && errno == ENOENT) return all;
    if (n < 0) die("cannot read %s: %s", folder, strerror(errno));
    for (int k = 0; k < n; k++) {
        char *path = must_format("%s/%s", folder, names[k]->d_name);
        results_read(&all, path);
        free(path);
        free(names[k]);
    }
    free(names);
    check_tuned(&all, recorded, folder);
    return all;
}
