/* SPDX-License-Identifier: GPL-3.0-or-later
 * curves.c - reads learning curves: see curves.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/csv.h"
#include "src/report/collect/curves.h"
#include "src/base/file.h"
#include "src/base/lines.h"

static const char repair[] = "remove the file, or run its preset again";

/* The first line of a file, to be freed; NULL: there is no such file. */
static char *first_line(const char *path)
{
    text_line line = { 0 };
    FILE *f = file_open(path);
    if (!f && errno == ENOENT) return NULL;
    if (!f) die("cannot read %s: %s", path, strerror(errno));
    if (!line_next(&line, f, path)) die("%s:1: is empty; %s", path, repair);
    fclose(f);
    line.at[strcspn(line.at, "\r")] = '\0';
    return line.at;
}

static long column(const char *header, const char *name)
{
    const size_t n = strlen(name);
    for (long k = 0; ; k++) {
        const size_t word = strcspn(header, ",");
        if (word == n && strncmp(header, name, n) == 0) return k;
        if (!header[word]) return -1;
        header += word + 1;
    }
}

static curve_point *point_at(curve_points *c, const char *row, double step)
{
    for (long k = 0; k < c->n; k++)
        if (c->at[k].step == step && strcmp(c->at[k].row, row) == 0) return &c->at[k];
    c->at = must_realloc(c->at, (size_t)c->n + 1, sizeof *c->at);
    c->at[c->n] = (curve_point){ .step = step, .low = INFINITY, .high = -INFINITY };
    snprintf(c->at[c->n].row, sizeof c->at[c->n].row, "%s", row);
    return &c->at[c->n++];
}

static void add(curve_points *c, const char *row, double step, double x)
{
    curve_point *p = point_at(c, row, step);
    p->mean += (x - p->mean) / (double)++p->seeds;
    p->low = fmin(p->low, x);
    p->high = fmax(p->high, x);
}

curve_points curves_read(const char *folder, const preset *p, const experiment *e, const metric *m)
{
    curve_points all = { NULL, 0 };
    char *path = must_format("%s/curves/%s-%s.csv", folder, p->name, e->name), *header = first_line(path);
    const long row = header ? column(header, "row") : -1, step = header ? column(header, "step") : -1;
    const long at = header && !m->model ? column(header, m->name) : -1;
    if (header && (row < 0 || step < 0)) die("%s:1: has no column row or step; %s", path, repair);
    if (at >= 0) {
        csv_file c = csv_open(path, header, repair);
        while (csv_next(&c)) {
            if (!*c.cell[at]) continue;
            add(&all, c.cell[row], csv_double(&c, step), m->times * csv_double(&c, at));
        }
        csv_close(&c);
    }
    free(header);
    free(path);
    return all;
}

void curves_free(curve_points *c)
{
    free(c->at);
    *c = (curve_points){ NULL, 0 };
}
