/* SPDX-License-Identifier: GPL-3.0-or-later
 * curves.c - the validations of all finished runs of a part in one file: see reproduce.h. */
#include <stdlib.h>
#include <string.h>
#include "src/base/file.h"
#include "src/base/lines.h"
#include "src/base/outfile.h"
#include "src/experiments/reproduce.h"

enum { MOST_POINTS = 60 };

/* evals.csv without its comments: line 0 is the head, "step,val_loss". */
typedef struct { char **line; long n; } table;

static table table_of(const char *folder)
{
    char *path = must_format("%s/evals.csv", folder);
    text_line line = { 0 };
    table t = { NULL, 0 };
    FILE *f = file_open(path);
    while (f && line_next(&line, f, path)) {
        if (*line.at == '#' || !*line.at) continue;
        t.line = must_realloc(t.line, (size_t)t.n + 1, sizeof *t.line);
        t.line[t.n++] = must_strdup(line.at);
    }
    if (f) fclose(f);
    text_line_free(&line);
    free(path);
    return t;
}

static void table_free(table *t)
{
    for (long k = 0; k < t->n; k++) free(t->line[k]);
    free(t->line);
}

/* At most MOST_POINTS of its rows, evenly spread, the first and the last among them. */
static void write_run(FILE *to, const table *t, const char *row, long seed)
{
    const long rows = t->n - 1, points = rows < MOST_POINTS ? rows : MOST_POINTS;
    for (long k = 0; k < points; k++) {
        const long at = points < 2 ? 0 : (k * (rows - 1) + (points - 1) / 2) / (points - 1);
        fprintf(to, "%s,%ld,%s\n", row, seed, t->line[1 + at]);
    }
}

/* The head of the first finished run, to be freed; NULL: none. */
static char *head_of(const worklist *runs, const reproduce_options *o)
{
    for (long k = 0; k < runs->n; k++) {
        if (!sweep_done(o->out, &runs->at[k])) continue;
        char *folder = must_format("%s/%s", o->out, runs->at[k].name);
        table t = table_of(folder);
        char *head = t.n ? must_strdup(t.line[0]) : NULL;
        table_free(&t);
        free(folder);
        if (head) return head;
    }
    return NULL;
}

static void write_row(FILE *to, const experiment *e, const worklist *runs, long k, const char *head,
                      const reproduce_options *o)
{
    char *row = experiment_name(e, k);
    for (long seed = 0; seed * experiment_rows(e) < runs->n; seed++) {
        const work *w = &runs->at[seed * experiment_rows(e) + k];
        if (!sweep_done(o->out, w)) continue;
        char *folder = must_format("%s/%s", o->out, w->name);
        table t = table_of(folder);
        if (t.n && strcmp(t.line[0], head) != 0)
            die("%s/evals.csv has the columns `%s`, other runs of its part `%s`; remove one of them", folder, t.line[0],
                head);
        write_run(to, &t, row, e->seed + seed);
        table_free(&t);
        free(folder);
    }
    free(row);
}

void curves_write(const preset *p, const experiment *e, const reproduce_options *o, const char *folder)
{
    long seeds;
    worklist runs = reproduce_part_table(p, e, o, &seeds);
    char *head = head_of(&runs, o), *path = must_format("%s/%s-%s.csv", folder, p->name, e->name);
    if (head) {
        outfile to = outfile_open(path);
        fprintf(to.f, "row,seed,%s\n", head);
        for (long k = 0; k < experiment_rows(e); k++) write_row(to.f, e, &runs, k, head, o);
        outfile_close(&to);
    }
    free(path);
    free(head);
    worklist_free(&runs);
}
