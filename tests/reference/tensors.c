/* SPDX-License-Identifier: GPL-3.0-or-later
 * tensors.c - see tensors.h. */
#include <stdlib.h>
#include "src/base/outfile.h"
#include "tests/reference/tensors.h"

double *tensors_add(tensors *all, const char *prefix, const char *name, long rows, long cols)
{
    double *x = must_calloc((size_t)(rows * cols), sizeof *x);
    all->list = must_realloc(all->list, (size_t)all->n + 1, sizeof *all->list);
    all->list[all->n++] = (tensor){ prefix, name, rows, cols, x };
    return x;
}

void tensors_add_flat(tensors *all, const char *prefix, const param_table *t, const ops *o, const void *flat)
{
    for (long k = 0; k < t->n; k++) {
        const param *p = &t->list[k];
        params_get(p, o, flat, tensors_add(all, prefix, p->name, p->rows, p->cols));
    }
}

void tensors_write(outfile *file, const optim_config *r, tensors *all)
{
    fprintf(file->f, "text peak %.17g\ntext least %.17g\ntext warmup %ld\ntext steps %ld\n", r->peak, r->least, r->warmup,
            r->steps);
    fprintf(file->f, "text beta1 %.17g\ntext beta2 %.17g\ntext eps %.17g\ntext decay %.17g\ntext clip %.17g\n", r->beta1,
            r->beta2, r->eps, r->decay, r->clip);
    for (long k = 0; k < all->n; k++) {
        const tensor *t = &all->list[k];
        fprintf(file->f, "tensor %s%s %ld %ld\n", t->prefix, t->name, t->rows, t->cols);
    }
    fprintf(file->f, "end\n");
    for (long k = 0; k < all->n; k++) {
        const tensor *t = &all->list[k];
        fwrite(t->x, sizeof *t->x, (size_t)(t->rows * t->cols), file->f);
        free(t->x);
    }
    free(all->list);
    *all = (tensors){ NULL, 0 };
}
