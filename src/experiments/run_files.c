/* run_files.c - reads the files of a finished run: see reproduce.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/experiments/commands.h"
#include "src/experiments/reproduce.h"
#include "src/train/checkpoint.h"
#include "src/train/run.h"

/* A file of a run's folder by lines: none where there is none. */
typedef struct { char *path; FILE *f; text_line line; } lines_of;

static lines_of lines_open(const char *folder, const char *name)
{
    lines_of r = { .path = must_format("%s/%s", folder, name) };
    r.f = file_open(r.path);
    if (!r.f && errno != ENOENT && errno != ENOTDIR) die("cannot read %s: %s", r.path, strerror(errno));
    return r;
}

static const char *lines_next(lines_of *r) { return r->f && line_next(&r->line, r->f, r->path) ? r->line.at : NULL; }

static void lines_close(lines_of *r)
{
    if (r->f) fclose(r->f);
    text_line_free(&r->line);
    free(r->path);
}

/* The position of `name` among the comma-separated words of `line`; -1: not found. */
static long column_of(const char *line, const char *name)
{
    const size_t n = strlen(name);
    for (long k = 0; ; k++, line++) {
        const size_t word = strcspn(line, ",");
        if (word == n && strncmp(line, name, n) == 0) return k;
        line += word;
        if (*line != ',') return -1;
    }
}

/* Cell k of a line; NULL: it has fewer. */
static const char *cell_of(const char *line, long k)
{
    for (; line && k > 0; k--) if ((line = strchr(line, ','))) line++;
    return line;
}

static _Noreturn void damaged(const char *folder, const char *file, const char *line)
{
    die("%s/%s is damaged at `%s`: get it again, or remove the folder and run the command again", folder, file, line);
}

/* The last figure of a column, of a row of models.csv if `model` is not NULL. */
static bool last_figure(const char *folder, const char *name, const char *model, double *x)
{
    const char *file = model ? "models.csv" : "evals.csv";
    long at = -1, step = 0;
    bool head = true, found = false;
    lines_of r = lines_open(folder, file);
    for (const char *line; (line = lines_next(&r)); ) {
        if (!r.line.whole) damaged(folder, file, line);
        if (*line == '#') continue;
        if (head) at = column_of(line, name);
        const bool wanted = !head && at > 0 && (!model || column_of(line, model) == 0);
        char *end;
        if (!head && !model) {                             /* steps grow                                */
            const long last = step;
            step = strtol(line, &end, 10);
            if (*end != ',' || step < last || (found && step == last)) damaged(folder, file, line);
        }
        head = false;
        if (!wanted) continue;
        const char *cell = cell_of(line, at);
        const double value = cell ? strtod(cell, &end) : 0;
        if (!cell || end == cell || (*end && *end != ',')) damaged(folder, file, line);
        *x = value;
        found = true;
    }
    lines_close(&r);
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
    lines_of r = lines_open(folder, "evals.csv");
    for (const char *line; (line = lines_next(&r)); ) if (*line >= '0' && *line <= '9') step = strtol(line, NULL, 10);
    lines_close(&r);
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

/* A column by the names in the first one; NaN: no number.  false: there is no such file or column. */
static bool each_read(const char *folder, const char *column, each_loss *e)
{
    long at = -1;
    lines_of r = lines_open(folder, "losses.csv");
    *e = (each_loss){ .n = 0 };
    for (const char *line; (line = lines_next(&r)); ) {
        if (*line == '#') continue;
        const size_t first = strcspn(line, ",");
        if (!e->what) {
            at = column_of(line, column);
            e->what = must_format("%.*s", (int)first, line);
            if (at < 1) break;
            continue;
        }
        const char *cell = cell_of(line, at);
        char *end = NULL;
        const double x = cell ? strtod(cell, &end) : NAN;
        e->name = must_realloc(e->name, (size_t)e->n + 1, sizeof *e->name);
        e->x = must_realloc(e->x, (size_t)e->n + 1, sizeof *e->x);
        e->name[e->n] = must_format("%.*s", (int)first, line);
        const bool ended = cell && end > cell && (*end == ',' || (!*end && r.line.whole));     /* else it is cut off */
        e->x[e->n++] = ended ? x : NAN;
    }
    lines_close(&r);
    if (at > 0) return true;
    each_free(e);
    return false;
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
