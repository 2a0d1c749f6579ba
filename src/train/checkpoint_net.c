/* SPDX-License-Identifier: GPL-3.0-or-later
 * checkpoint_net.c - see checkpoint_net.h. */
#include <stdlib.h>
#include "src/train/checkpoint_net.h"

typedef struct { const param *p; void *flat; } place;       /* a tensor of the checkpoint in memory; p NULL: nowhere */
typedef struct {
    const ops *o;
    place     *place;                    /* [tensors]                                                   */
    double    *x;                        /* room for a piece                                            */
    size_t     room;
} moving;

static double *room_for(moving *m, size_t n)
{
    if (n > m->room) m->x = must_realloc(m->x, m->room = n, sizeof *m->x);
    return m->x;
}

static void release(moving *m)
{
    free(m->place);
    free(m->x);
}

/* ---- writing --------------------------------------------------------------------------------------------- */

static void numbers(void *self, long k, long from, long rows, float *x)
{
    moving *m = self;
    const place *here = &m->place[k];
    const size_t n = (size_t)(rows * here->p->cols);
    double *wide = room_for(m, n);
    params_get_rows(here->p, m->o, here->flat, from, rows, wide);
    for (size_t i = 0; i < n; i++) x[i] = (float)wide[i];
}

void net_store(checkpoint *c, const char *path, const param_table *t, const ops *o, long arrays, const net_array a[])
{
    REQUIRE(c->tensors == 0, "%ld tensors before", c->tensors);
    moving m = { .o = o, .place = must_calloc((size_t)(arrays * t->n), sizeof *m.place) };
    for (long i = 0; i < arrays; i++)
        for (long k = 0; k < t->n; k++) {
            const param *p = &t->list[k];
            char *name = must_format("%s%s", a[i].prefix, p->name);
            m.place[c->tensors] = (place){ p, a[i].flat };
            checkpoint_declare(c, name, p->rows, p->cols);
            free(name);
        }
    checkpoint_stream(c, path, numbers, &m);
    release(&m);
}

/* ---- reading --------------------------------------------------------------------------------------------- */

static void take(void *self, long k, long from, long rows, const float *x)
{
    moving *m = self;
    const place *here = &m->place[k];
    if (!here->p) return;
    const size_t n = (size_t)(rows * here->p->cols);
    double *wide = room_for(m, n);
    for (size_t i = 0; i < n; i++) wide[i] = (double)x[i];
    params_put_rows(here->p, m->o, here->flat, from, rows, wide);
}

void net_restore(checkpoint_file *f, const param_table *t, const ops *o, long arrays, const net_array a[])
{
    const checkpoint *c = &f->head;
    moving m = { .o = o, .place = must_calloc((size_t)c->tensors + 1, sizeof *m.place) };
    for (long i = 0; i < arrays; i++)
        for (long k = 0; k < t->n; k++) {
            const param *p = &t->list[k];
            char *name = must_format("%s%s", a[i].prefix, p->name);
            const stored *s = checkpoint_find(c, name);
            if (!s || s->rows != p->rows || s->cols != p->cols)
                die("%s has no tensor %s of %ld x %ld; it is of another model", f->path, name, p->rows, p->cols);
            m.place[s - c->tensor] = (place){ p, a[i].flat };
            free(name);
        }
    checkpoint_take(f, arrays == 1 && !*a->prefix ? CHECKPOINT_WEIGHTS : CHECKPOINT_ALL, take, &m);
    release(&m);
}
