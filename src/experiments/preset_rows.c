/* SPDX-License-Identifier: GPL-3.0-or-later
 * preset_rows.c - the rows of a part with all their options: see presets.h. */
#include <stdlib.h>
#include <string.h>
#include "src/methods/counts/printed.h"
#include "src/experiments/presets.h"

const preset *preset_find(const char *name)
{
    for (const preset *p = presets; p->name; p++) if (strcmp(p->name, name) == 0) return p;
    return NULL;
}

const experiment *preset_part(const preset *p, const char *name)
{
    for (long k = 0; k < p->parts; k++) if (strcmp(p->part[k].name, name) == 0) return &p->part[k];
    return NULL;
}

/* ---- rows and their grid: the last axis runs fastest --------------------------------------------------- */

static long values_of(const grid_axis *a)
{
    long n = 0;
    while (n < (long)COUNT(a->value) && a->value[n]) n++;
    REQUIRE(n > 0, "--%s has no value", a->option);
    return n;
}

static long combinations(const experiment *e)
{
    long n = 1;
    for (long k = 0; k < e->axes; k++) n *= values_of(&e->grid[k]);
    return n;
}

long experiment_rows(const experiment *e) { return e->rows * combinations(e); }

const preset_row *experiment_row(const experiment *e, long k) { return &e->row[k / combinations(e)]; }

/* `text` and what combination k adds: BEFORE OPTION = VALUE for each axis. */
static char *with_grid(const char *text, const experiment *e, long k, const char *before)
{
    text_buffer all = { 0 };
    text_add(&all, "%s", text);
    long left = combinations(e), at = k % left;
    for (long i = 0; i < e->axes; i++) {
        left /= values_of(&e->grid[i]);
        text_add(&all, "%s%s=%s", before, e->grid[i].option, e->grid[i].value[at / left]);
        at %= left;
    }
    return text_take(&all);
}

long experiment_row_seeds(const experiment *e, long k)
{
    const long own = experiment_row(e, k)->seeds;
    return own ? own : e->seeds;
}

long experiment_row_named(const experiment *e, const char *name)
{
    for (long k = 0; k < experiment_rows(e); k++) if (strcmp(experiment_row(e, k)->name, name) == 0) return k;
    return -1;
}

long experiment_metrics(const experiment *e)
{
    long n = 0;
    while (n < PRESET_METRICS && e->shown[n].name) n++;
    return n;
}

bool claim_among(const char *ids, const char *id)
{
    const size_t n = strlen(id);
    for (const char *p = ids ? ids : ""; *p; p += strspn(p, " ")) {
        const size_t word = strcspn(p, " ");
        if (word == n && strncmp(p, id, n) == 0) return true;
        p += word;
    }
    return false;
}

char *experiment_combination(const experiment *e, long k) { return with_grid("", e, k, " --"); }

char *experiment_name(const experiment *e, long k)
{
    return with_grid(experiment_row(e, k)->name, e, k, "-");
}

char *experiment_place_data(const char *text, const char *data)
{
    text_buffer all = { 0 };
    for (const char *at; (at = strstr(text, "DATA")); text = at + 4)
        text_add(&all, "%.*s%s", (int)(at - text), text, data);
    text_add(&all, "%s", text);
    return text_take(&all);
}

char *experiment_options(const experiment *e, long k, const char *tuned, const char *data)
{
    const char *from = data && e->data ? e->data : e->without_data ? e->without_data : e->data;
    REQUIRE(from, "%s has neither data nor options without them", e->name);
    char *source = experiment_place_data(from, data ? data : "DATA");
    char *bare = must_format("%s %s%s", e->options, experiment_row(e, k)->options, tuned);
    char *all = with_grid(bare, e, k, " --");
    free(bare);
    char *text = must_format("%s %s", all, source);
    free(source);
    free(all);
    return text;
}

const char *experiment_paper(const experiment *e, const preset_row *r, long m)
{
    if (!r->run) return r->paper[m];
    if (!e->shown[m].printed) return NULL;
    for (size_t k = 0; k < printed_runs_count; k++) {
        const printed_run *at = &printed_runs[k];
        if (strcmp(at->name, r->run) != 0) continue;
        const struct { const char *column, *printed; } cell[] = { { "train_loss", at->train_loss },
            { "val_loss", at->val_loss }, { "train_acc", at->train_acc }, { "val_acc", at->val_acc } };
        for (size_t i = 0; i < COUNT(cell); i++)
            if (strcmp(cell[i].column, e->shown[m].printed) == 0) return cell[i].printed;
    }
    return NULL;
}
