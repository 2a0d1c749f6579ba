/* SPDX-License-Identifier: GPL-3.0-or-later
 * params.c - see params.h. */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/train/formula.h"
#include "src/train/params.h"

const char *layer_name(char name[LAYER_NAME], long block, const char *what)
{
    if (block < 0) snprintf(name, LAYER_NAME, "%s", what);
    else           snprintf(name, LAYER_NAME, "h.%ld.%s", block, what);
    return name;
}

const param *params_find(const param_table *t, const char *name)
{
    for (long k = 0; k < t->n; k++) if (strcmp(t->list[k].name, name) == 0) return &t->list[k];
    return NULL;
}

/* Length in memory of n rows, and where row k begins there. */
static long stretched(heads_pitch h, long n) { return n / h.group * h.pitch; }
static long shifted(heads_pitch h, long k)   { return k / h.group * h.pitch + k % h.group; }

size_t params_add_heads(param_table *t, const char *name, long rows, long cols, heads_pitch row, heads_pitch col,
                        bool decay, init_kind init, double x)
{
    REQUIRE(rows > 0 && cols > 0, "%s is %ldx%ld", name, rows, cols);
    REQUIRE(!params_find(t, name), "%s twice", name);
    REQUIRE(0 < row.group && row.group <= row.pitch && rows % row.group == 0, "%s: rows in groups of %ld, pitch %ld",
            name, row.group, row.pitch);
    REQUIRE(0 < col.group && col.group <= col.pitch && cols % col.group == 0, "%s: columns in groups of %ld, pitch %ld",
            name, col.group, col.pitch);
    t->list = must_realloc(t->list, (size_t)t->n + 1, sizeof *t->list);
    param *p = &t->list[t->n++];
    *p = (param){ .rows = rows, .cols = cols, .row = row, .col = col, .decay = decay, .init = init, .x = x,
                  .room = (size_t)(stretched(row, rows) * stretched(col, cols)), .at = t->size };
    const int length = snprintf(p->name, sizeof p->name, "%s", name);
    REQUIRE(length < (int)sizeof p->name, "the name %s is too long", name);
    t->size += p->room;
    return p->at;
}

size_t params_add(param_table *t, const char *name, long rows, long cols, bool decay, init_kind init, double x)
{
    const heads_pitch one = { 1, 1 };
    return params_add_heads(t, name, rows, cols, one, one, decay, init, x);
}

size_t params_count(const param_table *t)
{
    size_t n = 0;
    for (long k = 0; k < t->n; k++) n += (size_t)(t->list[k].rows * t->list[k].cols);
    return n;
}

void params_free(param_table *t)
{
    free(t->list);
    *t = (param_table){ NULL, 0, 0 };
}

/* ---- from the logical shape to memory and back ------------------------------------------------------------ */

static bool apart(const param *p) { return p->room != (size_t)(p->rows * p->cols); }

static size_t place_of(const param *p, long r, long c)
{
    return (size_t)(shifted(p->row, r) * stretched(p->col, p->cols) + shifted(p->col, c));
}

/* The numbers in memory from row `from` on, up to row from + rows: zeros between them, too. */
static size_t span_of(const param *p, long from, long rows)
{
    return place_of(p, from + rows, 0) - place_of(p, from, 0);
}

static void *row_at(const param *p, const ops *o, const void *flat, long row)
{
    return at(o, flat, p->at + place_of(p, row, 0));
}

void params_put_rows(const param *p, const ops *o, void *flat, long from, long rows, const double *x)
{
    const size_t n = span_of(p, from, rows), begin = place_of(p, from, 0);
    if (!apart(p)) {
        o->put(row_at(p, o, flat, from), x, n);
        return;
    }
    double *wide = must_calloc(n, sizeof *wide);
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < p->cols; c++) wide[place_of(p, from + r, c) - begin] = x[r * p->cols + c];
    o->put(row_at(p, o, flat, from), wide, n);
    free(wide);
}

void params_get_rows(const param *p, const ops *o, const void *flat, long from, long rows, double *x)
{
    const size_t n = span_of(p, from, rows), begin = place_of(p, from, 0);
    if (!apart(p)) {
        o->get(x, row_at(p, o, flat, from), n);
        return;
    }
    double *wide = must_calloc(n, sizeof *wide);
    o->get(wide, row_at(p, o, flat, from), n);
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < p->cols; c++) x[r * p->cols + c] = wide[place_of(p, from + r, c) - begin];
    free(wide);
}

void params_put(const param *p, const ops *o, void *flat, const double *x)
{
    params_put_rows(p, o, flat, 0, p->rows, x);
}

void params_get(const param *p, const ops *o, const void *flat, double *x)
{
    params_get_rows(p, o, flat, 0, p->rows, x);
}

/* ---- initial values ---------------------------------------------------------------------------------------- */

static void fill_normal(double *x, size_t n, double std, const uint32_t key[2])
{
    #pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i += 4) {
        const uint32_t counter[4] = { (uint32_t)(i / 4), (uint32_t)((uint64_t)(i / 4) >> 32), 0, 0 };
        uint32_t word[4];
        double z[4];
        philox4x32(word, counter, key);
        normal_pair(z, word[0], word[1]);
        normal_pair(z + 2, word[2], word[3]);
        for (size_t k = 0; k < 4 && i + k < n; k++) x[i + k] = std * z[k];
    }
}

static void fill_uniform(double *x, size_t n, double limit, const uint32_t key[2])
{
    #pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const uint32_t counter[4] = { (uint32_t)i, (uint32_t)((uint64_t)i >> 32), 1, 0 };
        uint32_t word[4];
        philox4x32(word, counter, key);
        x[i] = limit * (2 * ((double)word[0] + 0.5) * 0x1p-32 - 1);
    }
}

void params_init(const param_table *t, const ops *o, void *w, uint64_t seed)
{
    if (o->counts) return;
    for (long k = 0; k < t->n; k++) {
        const param *p = &t->list[k];
        const size_t n = (size_t)(p->rows * p->cols);
        double *x = must_calloc(n, sizeof *x);
        uint64_t key[2];
        random_key_derive(key, (uint64_t[]){ seed, 0 }, p->name);
        const uint32_t stream[2] = { (uint32_t)key[0], (uint32_t)(key[0] >> 32) };
        switch (p->init) {
        case INIT_ZERO:    break;
        case INIT_ONE:     for (size_t i = 0; i < n; i++) x[i] = 1; break;
        case INIT_NORMAL:  fill_normal(x, n, p->x, stream); break;
        case INIT_UNIFORM: fill_uniform(x, n, p->x, stream); break;
        }
        params_put(p, o, w, x);
        free(x);
    }
}
