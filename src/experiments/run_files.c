/* SPDX-License-Identifier: GPL-3.0-or-later
 * run_files.c - reads the files of a finished run: see reproduce.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/csv.h"
#include "src/base/file.h"
#include "src/experiments/commands.h"
#include "src/experiments/reproduce.h"
#include "src/train/checkpoint.h"
#include "src/train/run.h"

static const char DAMAGED[] = "get it again, or remove the folder and run the command again";

/* A table of a run's folder: without columns and rows where there is no such file. */
typedef struct { char *path; csv_file c; } table;

static table table_open(const char *folder, const char *name)
{
    table t = { .path = must_format("%s/%s", folder, name) };
    FILE *f = file_open(t.path);
    if (!f && errno != ENOENT && errno != ENOTDIR) die("cannot read %s: %s", t.path, strerror(errno));
    if (f) t.c = csv_from_named(f, t.path, DAMAGED);
    return t;
}

static bool table_next(table *t) { return t->c.f && csv_next(&t->c); }

static void table_close(table *t)
{
    if (t->c.f) csv_close(&t->c);
    free(t->path);
}

/* The last figure of a column, of a row of models.csv if `model` is not NULL. */
static bool last_figure(const char *folder, const char *name, const char *model, double *x)
{
    long step = 0;
    bool found = false;
    table t = table_open(folder, model ? "models.csv" : "evals.csv");
    const long at = csv_column(&t.c, name);
    while (table_next(&t)) {
        if (!model) {                                      /* steps grow                                */
            const long last = step;
            step = csv_long(&t.c, 0);
            if (step < last || (found && step == last)) csv_wrong(&t.c, "step %ld comes behind step %ld", step, last);
        }
        if (at < 1 || (model && strcmp(t.c.cell[0], model) != 0)) continue;
        *x = csv_double(&t.c, at);
        found = true;
    }
    table_close(&t);
    return found;
}

bool run_folder_metric(const char *folder, const metric *m, double *x)
{
    double less = 0;
    if (!last_figure(folder, m->name, m->model, x)) return false;
    if (m->minus && !last_figure(folder, m->minus, NULL, &less)) return false;
    *x -= less;
    return true;
}

/* ---- whether they are the finished run's ------------------------------------------------------------------------ */

/* The step of the last row of evals.csv; -1: it has none. */
static long last_step(const char *folder)
{
    long step = -1;
    table t = table_open(folder, "evals.csv");
    while (table_next(&t)) step = csv_long(&t.c, 0);
    table_close(&t);
    return step;
}

/* The last value of an option among the words of a run, as --NAME=X or --NAME X; NULL: not given. */
static const char *option_of(const work *w, const char *name)
{
    const char *value = NULL;
    const size_t n = strlen(name);
    for (int k = 1; k < w->words; k++) {
        if (strncmp(w->word[k], name, n) != 0) continue;
        if (w->word[k][n] == '=') value = w->word[k] + n + 1;
        else if (!w->word[k][n] && k + 1 < w->words) value = w->word[k + 1];
    }
    return value;
}

/* word: what evals.csv calls the seed that the option gives. */
static void need_seed(const char *folder, const work *w, const char *option, const char *word)
{
    const char *asked = option_of(w, option);
    char *sources = run_folder_header(folder, "evals.csv", "sources"), *is = command_option(sources, word);
    if (asked && (!is || strtoull(is, NULL, 10) != strtoull(asked, NULL, 10)))
        die("%s/evals.csv is of %s=%s, and the finished run of %s=%s: remove the folder, or run its command again "
            "in a new one", folder, word, is ? is : "", option, asked);
    free(is);
    free(sources);
}

void run_folder_need_whole(const char *folder, const work *w, long steps)
{
    const long last = last_step(folder);
    if (last != steps)
        die("%s/evals.csv ends at step %ld, and the finished run at step %ld: remove the folder, or run its "
            "command again in a new one", folder, last, steps);
    need_seed(folder, w, "--seed", "seed");
    need_seed(folder, w, "--data-seed", "data_seed");
}

void run_folder_need_weights(const char *folder, long steps)
{
    char *path = must_format("%s/last.ckpt", folder), *sources = run_folder_header(folder, "evals.csv", "sources");
    checkpoint_file f = checkpoint_open(path);
    const char *step = run_text(&f.head, "step", path), *theirs = run_text(&f.head, "sources", path);
    if (strtol(step, NULL, 10) != steps)
        die("%s is of step %s, and the finished run ends at step %ld: remove the folder and run its command again",
            path, step, steps);
    if (strcmp(theirs, sources) != 0)
        die("%s is of another run than evals.csv (`%s`, and there `%s`): remove the folder and run its command again",
            path, theirs, sources);
    checkpoint_close(&f);
    free(sources);
    free(path);
}

/* ---- losses.csv: what a finished model says of each window or image ---------------------------------------- */

typedef struct { char *what, **name; double *x; long n; } each_loss;         /* what: "window", "image", ...  */

static void each_free(each_loss *e)
{
    for (long k = 0; k < e->n; k++) free(e->name[k]);
    free(e->name);
    free(e->what);
    free(e->x);
    *e = (each_loss){ .n = 0 };
}

/* A column by the names in the first one.  false: there is no such file or column. */
static bool each_read(const char *folder, const char *column, each_loss *e)
{
    table t = table_open(folder, "losses.csv");
    const long at = csv_column(&t.c, column);
    const bool there = at > 0 && t.c.header;
    *e = (each_loss){ .n = 0 };
    if (there) e->what = must_format("%.*s", (int)strcspn(t.c.header, ","), t.c.header);
    while (there && table_next(&t)) {
        e->name = must_realloc(e->name, (size_t)e->n + 1, sizeof *e->name);
        e->x = must_realloc(e->x, (size_t)e->n + 1, sizeof *e->x);
        e->name[e->n] = must_strdup(t.c.cell[0]);
        e->x[e->n++] = csv_double(&t.c, at);
    }
    table_close(&t);
    return there;
}

static bool same_names(const each_loss *a, const each_loss *b)
{
    bool same = a->n == b->n && strcmp(a->what, b->what) == 0;
    for (long k = 0; same && k < a->n; k++) same = strcmp(a->name[k], b->name[k]) == 0;
    return same;
}

bool run_folder_same_windows(const char *one, const char *other)
{
    each_loss a, b = { .n = 0 };
    const bool same = each_read(one, "loss", &a) && each_read(other, "loss", &b) && same_names(&a, &b);
    each_free(&a);
    each_free(&b);
    return same;
}

char *run_folder_error(const char *first, const char *second, const char *column, long *n, double *mean, double *error)
{
    each_loss a, b = { .n = 0 };
    char *wrong = NULL;
    double square = 0;
    *n = 0;
    *mean = *error = 0;
    if (each_read(first, column, &a) && (!second || each_read(second, column, &b))) {
        const char *what = strcmp(a.what, "image") == 0 ? "image" : "window";
        if (second && !same_names(&a, &b))
            wrong = must_format("%s/losses.csv and %s/losses.csv are not of the same %ss", first, second, what);
        for (long k = 0; !wrong && k < a.n; k++) {
            const double d = a.x[k] - (second ? b.x[k] : 0), from = d - *mean;             /* Welford 1962 */
            if (isnan(d))
                wrong = must_format("%s/losses.csv%s%s%s has no %s of %s %s", first, second ? " or " : "",
                                    second ? second : "", second ? "/losses.csv" : "", column, what, a.name[k]);
            *mean += from / (double)++*n;
            square += from * (d - *mean);
        }
    }
    each_free(&a);
    each_free(&b);
    if (*n < 2) *n = 0;
    if (*n) *error = sqrt(square / (double)(*n - 1) / (double)*n);
    return wrong;
}
