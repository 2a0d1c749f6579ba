/* run_files.c - reads the files of a finished run: see reproduce.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/reproduce.h"

static FILE *file_of(const char *folder, const char *name)
{
    char *path = must_format("%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    free(path);
    return f;
}

/* The position of `name` among the comma-separated words of `line`; -1: not found. */
static long column_of(const char *line, const char *name)
{
    const size_t n = strlen(name);
    for (long k = 0; ; k++, line++) {
        const size_t word = strcspn(line, ",\n");
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

/* The last figure of a column, of a row of models.csv if `model` is not NULL. */
static bool last_figure(const char *folder, const char *name, const char *model, double *x)
{
    char *line = NULL;
    size_t room = 0;
    long at = -1;
    bool head = true, found = false;
    FILE *f = file_of(folder, model ? "models.csv" : "evals.csv");
    while (f && getline(&line, &room, f) > 0) {
        if (*line == '#') continue;
        if (head) at = column_of(line, name);
        const bool wanted = !head && at > 0 && (!model || column_of(line, model) == 0);
        const char *cell = wanted ? cell_of(line, at) : NULL;
        char *end;
        head = false;
        if (!cell) continue;
        const double value = strtod(cell, &end);
        if (end == cell) continue;
        *x = value;
        found = true;
    }
    if (f) fclose(f);
    free(line);
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

/* ---- losses.csv: each window of the validation text, its loss last --------------------------------------- */

/* The next line that is not a comment, without its end; false: none. */
static bool next_line(FILE *f, char **line, size_t *room)
{
    while (f && getline(line, room, f) > 0) {
        (*line)[strcspn(*line, "\n")] = '\0';
        if (**line != '#') return true;
    }
    return false;
}

/* Cuts the loss off the line that names its window. */
static double cut_loss(char *line)
{
    char *comma = strrchr(line, ','), *end;
    if (!comma) return NAN;
    *comma = '\0';
    const double x = strtod(comma + 1, &end);
    return end == comma + 1 || *end ? NAN : x;
}

bool run_folder_same_windows(const char *one, const char *other)
{
    FILE *f[] = { file_of(one, "losses.csv"), file_of(other, "losses.csv") };
    char *line[2] = { NULL, NULL };
    size_t room[2] = { 0, 0 };
    bool same = f[0] && f[1], more = same;
    while (same && more) {
        more = next_line(f[0], &line[0], &room[0]);
        same = next_line(f[1], &line[1], &room[1]) == more;
        if (!same || !more) break;
        cut_loss(line[0]);
        cut_loss(line[1]);
        same = strcmp(line[0], line[1]) == 0;
    }
    for (int k = 0; k < 2; k++) {
        if (f[k]) fclose(f[k]);
        free(line[k]);
    }
    return same;
}

char *run_folder_window_error(const char *first, const char *second, long *windows, double *error)
{
    const char *const folder[] = { first, second };
    FILE *f[2];
    char *line[2] = { NULL, NULL }, *wrong = NULL;
    size_t room[2] = { 0, 0 };
    double mean = 0, square = 0;
    for (int k = 0; k < 2; k++) f[k] = file_of(folder[k], "losses.csv");
    *windows = 0;
    for (bool head = true; !wrong && f[0] && f[1]; head = false) {
        const bool more = next_line(f[0], &line[0], &room[0]), too = next_line(f[1], &line[1], &room[1]);
        if (!more && !too) break;
        const double a = more ? cut_loss(line[0]) : NAN, b = too ? cut_loss(line[1]) : NAN;
        if (more != too || strcmp(line[0], line[1]) != 0)
            wrong = must_format("%s/losses.csv and %s/losses.csv are not of the same windows", first, second);
        else if (!head && (isnan(a) || isnan(b)))
            wrong = must_format("%s/losses.csv or %s/losses.csv has no loss of window %s", first, second, line[0]);
        if (wrong || head) continue;
        const double d = a - b, from = d - mean;              /* Welford 1962 */
        mean += from / (double)++*windows;
        square += from * (d - mean);
    }
    for (int k = 0; k < 2; k++) {
        if (f[k]) fclose(f[k]);
        free(line[k]);
    }
    if (*windows < 2) *windows = 0;
    *error = *windows ? sqrt(square / (double)(*windows - 1) / (double)*windows) : 0;
    return wrong;
}

char *run_folder_header(const char *folder, const char *name)
{
    char *line = NULL, *text = NULL;
    size_t room = 0;
    const size_t n = strlen(name);
    FILE *f = file_of(folder, "evals.csv");
    while (f && !text && getline(&line, &room, f) > 0 && *line == '#') {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "# ", 2) == 0 && strncmp(line + 2, name, n) == 0 && line[2 + n] == ' ')
            text = must_strdup(line + 3 + n);
    }
    if (f) fclose(f);
    free(line);
    return text ? text : must_strdup("");
}
