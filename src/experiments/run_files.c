/* run_folder.c - what a finished run left in its folder: see reproduce.h. */
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

/* Where `name` stands among the words of `line`, apart by commas; -1: nowhere. */
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

bool run_folder_metric(const char *folder, const metric *m, double *x)
{
    char *line = NULL;
    size_t room = 0;
    long at = -1;
    bool head = true, found = false;
    FILE *f = file_of(folder, m->model ? "models.csv" : "evals.csv");
    while (f && getline(&line, &room, f) > 0) {
        if (*line == '#') continue;
        if (head) at = column_of(line, m->name);
        const bool wanted = !head && at > 0 && (!m->model || column_of(line, m->model) == 0);
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
