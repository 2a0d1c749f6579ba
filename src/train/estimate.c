/* SPDX-License-Identifier: GPL-3.0-or-later
 * estimate.c - see estimate.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "src/base/version.h"
#include "src/train/estimate.h"

static gpu_precision precision_of(const char *backend, gpu_precision usual)
{
    static const char *const name[GPU_PRECISIONS] = { "cuda", "cuda-tf32", "cuda-bf16" };
    if (!backend) return usual;
    for (int p = 0; p < GPU_PRECISIONS; p++) if (strcmp(backend, name[p]) == 0) return (gpu_precision)p;
    die("--estimate is about GPUs: --backend takes cuda, cuda-tf32 or cuda-bf16 with it, not `%s`", backend);
}

void estimate_check(const estimate_options *e)
{
    if (e->gpu && !e->asked) die("--gpu says what --estimate is for; give both, or neither");
}

static void print_text(const gpu_model *g, gpu_precision p, const ops *o, const estimate *e)
{
    const tally *t = &e->t;
    const double giga = 1e9, of_all = t->total.seconds;
    printf("%s; %s; %s\n", g->about, o->name, e->at_once);
    printf("%-11s %9s %9s %9s %9s %12s %6s\n", "kind", "TFLOP", "GB", "launches", "floor ms", "estimate ms", "share");
    for (int k = 0; k <= TALLY_KINDS; k++) {
        const tally_line *l = k < TALLY_KINDS ? &t->of[k] : &t->total;
        if (l->seconds > 0)
            printf("%-11s %9.4g %9.4g %9ld %9.3f %12.3f %5.1f%%\n", k < TALLY_KINDS ? tally_name[k] : "a step",
                   l->flops * 1e-12, l->bytes / giga, l->launches, 1e3 * l->floor, 1e3 * l->seconds,
                   100 * l->seconds / of_all);
    }
    const double memory = (double)(t->memory + t->scratch);
    printf("%.4g %s/s, at the floor %.4g; the model's arithmetic alone: %.4g TFLOP, %.4g ms\n", e->units / of_all,
           e->unit, e->units / t->total.floor, e->flops * 1e-12, 1e3 * e->flops / (g->peak[p] * GPU_PRODUCTS));
    printf("%.3g of %.0f GB and what CUDA takes%s\n\n", memory / giga, g->memory / giga,
           memory > g->memory ? ": DOES NOT FIT, give a smaller --micro or --chunk" : "");
}

static void print_row(const gpu_model *g, const ops *o, const estimate *e, const char *kind, const tally_line *l)
{
    const tally *t = &e->t;
    char date[16] = "";
    const time_t now = time(NULL);
    struct tm day;
    if (gmtime_r(&now, &day)) strftime(date, sizeof date, "%Y-%m-%d", &day);
    printf("%s,estimate,%s,%s,%s,%s,%s,%.6g,%.6g,%ld,%.6g,%.6g,%.6g,%.6g,%.6g\n", date, version_commit(), g->name,
           o->name, e->at_once, kind, l->flops * 1e-12, l->bytes * 1e-9, l->launches, 1e3 * l->floor, 1e3 * l->seconds,
           e->units / t->total.seconds, e->units / t->total.floor, (double)(t->memory + t->scratch) * 1e-9);
}

static void print_csv(const gpu_model *g, const ops *o, const estimate *e)
{
    for (int k = 0; k < TALLY_KINDS; k++) if (e->t.of[k].seconds > 0) print_row(g, o, e, tally_name[k], &e->t.of[k]);
    print_row(g, o, e, "step", &e->t.total);
}

static void begin(bool csv)
{
    if (csv) printf("date,status,commit,gpu,backend,at_once,part,tflop,gigabytes,launches,floor_ms,estimate_ms,"
                    "units_per_second,floor_units_per_second,memory_gigabytes\n");
    else     printf("An estimate: a step's operations, counted, and the vendors' figures.  Nothing was measured.\n\n");
}

int estimate_run(const estimate_options *e, const char *backend, gpu_precision usual, estimate_of *of,
                 const void *self)
{
    const gpu_precision p = precision_of(backend, usual);
    char *names = gpu_names();
    const bool all = e->gpu && strcmp(e->gpu, "all") == 0;
    if (!e->gpu || (!all && !gpu_find(e->gpu)))
        die("--estimate needs --gpu=NAME, one of %s or all%s%s%s", names, e->gpu ? ", not `" : "", e->gpu ? e->gpu : "",
            e->gpu ? "`" : "");
    free(names);
    begin(e->csv);
    for (const gpu_model *g = gpus; g->name; g++) {
        if (!all && strcmp(g->name, e->gpu) != 0) continue;
        const ops *o = tally_ops(g, p);
        const estimate is = of(self, o);
        if (e->csv) print_csv(g, o, &is);
        else        print_text(g, p, o, &is);
        free(is.at_once);
    }
    return 0;
}
