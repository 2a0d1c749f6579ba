/* results.c - see results.h. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/results.h"

const char *const result_cell_name[RESULT_COLUMNS] = {
    [R_PRESET] = "preset", [R_PART] = "part", [R_KIND] = "kind", [R_ROW] = "row", [R_CLAIM] = "claim",
    [R_TABLE] = "table", [R_METRIC] = "metric", [R_PAPER] = "paper", [R_MEAN] = "mean", [R_LOW] = "low",
    [R_HIGH] = "high", [R_N] = "n", [R_VALUES] = "values", [R_VERDICT] = "verdict", [R_SEEDS] = "seeds",
    [R_SCALE] = "scale", [R_PARAMETERS] = "parameters", [R_STEPS] = "steps", [R_UNITS] = "units", [R_UNIT] = "unit",
    [R_HARDWARE] = "hardware", [R_DATE] = "date", [R_COMMIT] = "commit", [R_DATA] = "data", [R_COMMAND] = "command" };

bool result_is(const result *r, result_cell c, const char *text) { return strcmp(r->cell[c], text) == 0; }

void results_add(results *all, result r)
{
    for (int c = 0; c < RESULT_COLUMNS; c++) if (!r.cell[c]) r.cell[c] = must_strdup("");
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

/* ---- CSV: a cell is quoted where it must be, and holds no new line ------------------------------------- */

static void write_cell(FILE *f, const char *text, bool last)
{
    const bool quoted = strpbrk(text, ",\"") != NULL;
    REQUIRE(!strchr(text, '\n'), "a cell of two lines: %s", text);
    if (quoted) fputc('"', f);
    for (const char *p = text; *p; p++) {
        if (*p == '"') fputc('"', f);
        fputc(*p, f);
    }
    if (quoted) fputc('"', f);
    fputc(last ? '\n' : ',', f);
}

void results_write(const results *all, const char *path)
{
    outfile o = outfile_open(path);
    for (int c = 0; c < RESULT_COLUMNS; c++) write_cell(o.f, result_cell_name[c], c + 1 == RESULT_COLUMNS);
    for (long k = 0; k < all->n; k++)
        for (int c = 0; c < RESULT_COLUMNS; c++) write_cell(o.f, all->at[k].cell[c], c + 1 == RESULT_COLUMNS);
    outfile_close(&o);
}

/* The cell at *p, to be freed; *p moves behind it, to a comma or the end.  NULL: a quote that does not close. */
static char *take_cell(const char **p)
{
    char *text = must_calloc(strlen(*p) + 1, 1);
    const bool quoted = **p == '"';
    const char *from = *p + quoted;
    size_t n = 0;
    bool open = quoted;
    for (; *from && (open || *from != ','); from++) {
        if (open && *from == '"' && from[1] == '"') from++;
        else if (open && *from == '"') { open = false; continue; }
        else if (quoted && !open) open = true;                 /* letters behind the quote: no cell */
        text[n++] = *from;
    }
    *p = from;
    if (!open) return text;
    free(text);
    return NULL;
}

/* A line of exactly RESULT_COLUMNS cells; false: something else. */
static bool take_line(result *r, const char *line)
{
    for (int c = 0; c < RESULT_COLUMNS; c++) {
        if (!(r->cell[c] = take_cell(&line)) || *line != (c + 1 < RESULT_COLUMNS ? ',' : '\0')) return false;
        line++;
    }
    return true;
}

bool results_parse(results *all, const char *path)
{
    bool ours = true;
    char *line = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "r");
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    for (long number = 1; getline(&line, &room, f) > 0; number++) {
        line[strcspn(line, "\n")] = '\0';
        if (number == 1 && *line == '#') { ours = false; break; } /* another record: of PyTorch's gradients, of peers */
        result r = { { NULL } };
        bool good = take_line(&r, line);
        for (int c = 0; good && number == 1 && c < RESULT_COLUMNS; c++)
            good = result_is(&r, (result_cell)c, result_cell_name[c]);
        if (!good) die("%s:%ld: not a line of results; remove the file, or run its preset again", path, number);
        if (number == 1) result_free(&r);
        else results_add(all, r);
    }
    if (ferror(f)) die("cannot read %s: %s", path, strerror(errno));
    free(line);
    fclose(f);
    return ours;
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

static int is_csv(const struct dirent *d)
{
    const size_t n = strlen(d->d_name);
    return n > 4 && strcmp(d->d_name + n - 4, ".csv") == 0;
}

results results_folder(const char *folder)
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
    return all;
}
